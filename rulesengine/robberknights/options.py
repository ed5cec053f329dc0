"""The parameters of the set-up (part 1 of the rule page): their defaults and what they may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulesengine.game import Parameter, Rule
from rulesengine.paths import brief
from rulesengine.robberknights.rules import RK_06
from rulesengine.robberknights.state import Options
from rulesengine.robberknights.tables import GRID

type Is = Callable[[Any], bool]

DEFAULTS = Options()
MAX_GRID = 20


class OptionError(Exception):
    """An option that cannot be played under: which, what was expected, and the rule that says so, if one does."""

    def __init__(self, because: str, rule: Rule | None = None) -> None:
        super().__init__(because)
        self.rule = rule


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _from(least: int, most: int) -> Is:
    return lambda value: _whole(value, least, most)


def _one_of(*words: str) -> Is:
    return lambda value: isinstance(value, str) and value in words


def _grid(value: Any) -> bool:
    return isinstance(value, dict) and all(key in GRID and _whole(value[key], int(key), MAX_GRID) for key in value)


BOUNDS: dict[str, tuple[Is, str, tuple[str, ...]]] = {
    "movement": (_one_of("seed_steps", "straight_line"), '"seed_steps" or "straight_line"', ("RK-29",)),
    "castle_return": (_one_of("leave_again", "already_satisfied"), '"leave_again" or "already_satisfied"', ("RK-28",)),
    "tile_capacity": (lambda value: value is None or _whole(value, 4, 4), "4 or null (no limit)", ("RK-26",)),
    "castle_min_deploy": (_from(0, 1), "0 or 1", ("RK-21",)),
    "deploy_max": (_from(1, 30), "a whole number from 1 to 30", ("RK-21",)),
    "knights_per_player": (_from(1, 100), "a whole number from 1 to 100", ("RK-02",)),
    "grid": (
        _grid,
        'an object with any of the keys "2", "3", "4", each a whole number from the number of players to 20',
        ("RK-13",),
    ),
    "min_tiles_per_turn": (_from(0, 1), "0 or 1", ("RK-16",)),
    "max_tiles_per_turn": (_from(1, 3), "1, 2 or 3", ("RK-10",)),
    "draw_record": (_one_of("open", "sealed"), '"open" or "sealed"', ("RK-14",)),
    "end_when_all_knights_placed": (lambda value: isinstance(value, bool), "true or false", ("RK-42",)),
    "tiebreak": (lambda value: value in (["unused_knights"], []), '["unused_knights"] or []', ("RK-43",)),
}
"""What each option may be: the question, the same in words, and the rules it belongs to."""

_SHOWN: dict[str, Any] = {"grid": dict(GRID), "tiebreak": list(DEFAULTS.tiebreak)}

PARAMETERS: tuple[Parameter, ...] = (
    *(
        Parameter(name, _SHOWN.get(name, getattr(DEFAULTS, name)), words, rules)
        for name, (_, words, rules) in BOUNDS.items()
    ),
    Parameter("start_seat", None, "a seat of the header; by default its first", ("RK-06",)),
)


def read(options: Mapping[str, Any], seats: tuple[str, ...]) -> Options:
    """Return the options in force under a header's options for these seats (two to four).

    :raises OptionError: naming the option that is unknown or out of bounds
    """
    given: dict[str, Any] = {}
    for name, value in options.items():
        if name == "start_seat":
            if not isinstance(value, str) or value not in seats:
                because = f"start_seat is {brief(value)}, which is no seat; the seats are {', '.join(seats)}"
                raise OptionError(because, RK_06)
        elif name not in BOUNDS:
            known = ", ".join(parameter.name for parameter in PARAMETERS)
            raise OptionError(f"there is no option {brief(name)}; the options are {known}")
        elif not BOUNDS[name][0](value):
            raise OptionError(f"{name} is {brief(value)}; {BOUNDS[name][1]} was expected")
        given[name] = value
    players = str(len(seats))
    return Options(
        **{
            **given,
            "grid": {**GRID, **given.get("grid", {})}[players],
            "tiebreak": tuple(given.get("tiebreak", DEFAULTS.tiebreak)),
            "start_seat": given.get("start_seat", seats[0]),
        }
    )
