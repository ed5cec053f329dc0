"""The set-up parameters (part 1 of the rule page): what each may be, its default and its rules, and how options are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from rulesengine.game import Parameter
from rulesengine.kingsburg.state import Options
from rulesengine.paths import brief, same

_FLAG = (True, False)
_ALLOWED: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {
    "plus_two_limit": (("per_season", "per_advisor"), ("KB-44",)),
    "market_with_plus_two": (_FLAG, ("KB-45",)),
    "envoy_on_own_advisor": (_FLAG, ("KB-47",)),
    "envoy_overrides_block": (_FLAG, ("KB-47", "KB-131")),
    "two_player_block": (("recorded", "none"), ("KB-130",)),
    "help_may_be_declined": (_FLAG, ("KB-55",)),
    "stable_limit": (("once_per_season", "each_advisor"), ("KB-114",)),
    "reward_at_zero_buildings": (_FLAG, ("KB-75",)),
    "supply_limited": (_FLAG, ("KB-05",)),
    "building_token_limit": ((None, 17), ("KB-05",)),
    "building_loss_rule": (("rightmost_then_topmost", "player_choice"), ("KB-93",)),
    "vp_lost_with_building": (_FLAG, ("KB-93",)),
    "strongest_bonus_ties": (("all", "none"), ("KB-91",)),
    "enemy_table": (("kb-enemies-a",), ("KB-87",)),
    "enemy_custom_allowed": (_FLAG, ("KB-87",)),
    "cathedral_spends_goods": (_FLAG, ("KB-95",)),
    "final_tiebreak": (
        (["goods", "buildings"], ["buildings", "goods"], ["goods"], ["buildings"], []),
        ("KB-96",),
    ),
}


class OptionError(ValueError):
    """An option that this edition does not have, or a value that is not allowed; the message says which, and what may stand."""


def _words(allowed: tuple[Any, ...]) -> str:
    return " or ".join(_word(value) for value in allowed)


def _word(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_word(one) for one in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


DEFAULTS = Options()
PARAMETERS: tuple[Parameter, ...] = tuple(
    Parameter(
        name, list(default) if isinstance(default, tuple) else default, _words(_ALLOWED[name][0]), _ALLOWED[name][1]
    )
    for name, default in asdict(DEFAULTS).items()
)
"""The parameters in the order of the rule page."""


def accepts(name: str, value: Any) -> bool:
    """Return whether a parameter may have a value."""
    return any(same(value, one) for one in _ALLOWED[name][0])


def read(given: Mapping[str, Any]) -> Options:
    """Return the options of a match.

    :raises OptionError: if there is no such option, or it may not have this value (KB-07)
    """
    for name, value in given.items():
        if name not in _ALLOWED:
            raise OptionError(f"there is no option {brief(name)}; known are {', '.join(_ALLOWED)}")
        if not accepts(name, value):
            raise OptionError(f"{name} is {brief(value)}; it may be {_words(_ALLOWED[name][0])}")
    chosen: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    return Options(**chosen)
