"""``make mutate``: take each rule out once, change each default once, and see that a test named after it fails.

For every rule that can refuse, its refusals answer "nothing"; a test ``test_hw_25_…`` must then fail. For every parameter its
default is changed; a test ``test_param_start_gold_…`` must fail. Rules that refuse nothing are listed with the tests that
show their effect. Name games, rules or parameters to try only those.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from rulesengine import registry
from rulesengine.game import Refusal, Rule, Ruleset
from rulesengine.hexwar import options as hexwar_options
from rulesengine.hexwar import set_up as hexwar_set_up
from rulesengine.hexwar import tables as hexwar_tables
from rulesengine.kingsburg import options as kingsburg_options
from rulesengine.kingsquare import options as kingsquare_options
from rulesengine.robberknights import options as robberknights_options

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "rulesengine"
ALONE = (
    "-o", "addopts=", "-o", "filterwarnings=", "-p", "no:django", "-p", "no:cacheprovider", "-p", "no:xdist",
    "--import-mode=importlib", "--noconftest", "-q", f"--rootdir={ROOT}",
)  # fmt: skip
"""Without database and site: the engine's tests need neither."""


PLAYED = ("test_property.py", "test_properties.py")
"""Whole matches: slow, and named after no rule."""


class _Watch:
    """Notes which tests there are and which failed."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.failed: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.names = sorted({item.name.partition("[")[0] for item in items})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid.rpartition("::")[2].partition("[")[0])


def tests(game: str, prefix: str = "") -> _Watch:
    """Run a game's tests, and those of the log on it, in this process; return what was seen.

    :param prefix: run only tests that are named like this; files without such a test are not even read
    """
    watch = _Watch()
    files = [TESTS / "test_replay.py", *sorted((TESTS / game).glob("test_*.py"))]
    files = [file for file in files if file.name not in PLAYED]
    chosen = [str(file) for file in files if f"def {prefix}" in file.read_text()]
    if chosen:
        more = ("-k", prefix) if prefix else ()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            pytest.main([*ALONE, *more, *chosen], plugins=[watch])
    return watch


def named(name: str) -> str:
    """Return how the tests of a rule begin: ``HW-25`` → ``test_hw_25_``."""
    return f"test_{name.lower().replace('-', '_')}_"


def named_parameter(name: str) -> str:
    """Return how the tests of a parameter begin: ``ap.base`` → ``test_param_ap_base_``."""
    return f"test_param_{name.replace('.', '_')}_"


@contextlib.contextmanager
def without(rule: Rule) -> Iterator[None]:
    """Let one rule refuse nothing."""
    refuses = Rule.refuses

    def nothing(self: Rule, *details: Any, **more: Any) -> Refusal | None:
        return None if self.id == rule.id else refuses(self, *details, **more)

    with mock.patch.object(Rule, "refuses", nothing):
        yield


type Change = Callable[[], contextlib.AbstractContextManager[Any]]


def _hexwar_default(name: str, value: Any) -> Change:
    read = hexwar_options.read

    def changed(given: dict[str, Any]) -> Any:
        chosen, tables = read(given)
        return (chosen if name in given else msgspec.structs.replace(chosen, **{name: value})), tables

    return lambda: mock.patch.object(hexwar_options, "read", changed)


def _hexwar_tables() -> contextlib.AbstractContextManager[Any]:
    read = hexwar_options.read
    dearer = [{**row, "cost": row["cost"] + 1} for row in hexwar_tables.UNITS]

    def changed(given: dict[str, Any]) -> Any:
        chosen, tables = read(given)
        if (given.get("tables") or {}).get("units") is None:
            tables = hexwar_options.build({**(given.get("tables") or {}), "units": dearer})
        return chosen, tables

    return mock.patch.object(hexwar_options, "read", changed)


def _kingsquare_default(name: str) -> Change:
    bound, _ = kingsquare_options.KEYS[name]
    default = next(one.default for one in kingsquare_options.PARAMETERS if one.name == name)
    value = bound.value(another(bound.accepts, bound.values, default))
    read, field = kingsquare_options.read, kingsquare_options.field(name)

    def changed(given: Mapping[str, Any], figures: Any) -> Any:
        both = read(given, figures)
        if name in given:
            return both
        return tuple(msgspec.structs.replace(one, **{field: value}) if hasattr(one, field) else one for one in both)

    return lambda: mock.patch.object(kingsquare_options, "read", changed)


def _kingsburg_default(name: str, value: Any) -> Change:
    read = kingsburg_options.read

    def changed(given: Mapping[str, Any]) -> Any:
        chosen = read(given)
        return chosen if name in given else msgspec.structs.replace(chosen, **{name: value})

    return lambda: mock.patch.object(kingsburg_options, "read", changed)


def _robberknights_default(name: str, value: Any) -> Change:
    read = robberknights_options.read

    def changed(given: Mapping[str, Any], seats: tuple[str, ...]) -> Any:
        chosen = read(given, seats)
        return chosen if name in given else msgspec.structs.replace(chosen, **{name: value})

    return lambda: mock.patch.object(robberknights_options, "read", changed)


def another(accepts: Callable[[Any], bool], values: str, default: Any) -> Any:
    """Return a value that a parameter may have instead of its default.

    :param values: what it may be, in words
    :raises LookupError: if none is found
    """
    candidates: list[Any] = re.findall(r'"([^"]+)"', values)
    if isinstance(default, int):
        candidates += [default + 1, default - 1, *range(1, 201)]
    elif isinstance(default, dict):
        candidates += [{key: figure + 1 for key, figure in default.items()}]
    elif isinstance(default, list):
        candidates += [default[::-1]]
    else:
        candidates += [0, 10]
    for one in candidates:
        if one != default and accepts(one):
            return one
    raise LookupError(f"nothing but {default!r} is accepted where {values} may stand")


UNCHANGEABLE = frozenset({"defender.return", "enemy_table"})
"""Parameters that may be nothing but their default."""

DEFAULTS: Mapping[str, Mapping[str, Change]] = {
    "hexwar": {
        "map": lambda: mock.patch.dict(hexwar_set_up.FOR_SEATS, {2: "HW-M2", 3: "HW-M3", 4: "HW-M1"}),
        "tables": _hexwar_tables,
        **{
            name: _hexwar_default(name, value)
            for name, value in {
                "variant_name": "changed",
                "start_gold": 501,
                "max_rounds": 29,
                "min_movement_to_act": 2,
                "building_action_scope": "player",
                "fort_on_settlement": True,
                "fort_build_region": "owned_or_neutral",
                "construction_on_capture": "cancel",
                "captured_building_waits": False,
                "income_active": True,
                "min_damage": 2,
                "fortify_bonus": 2,
                "catapult_penalty": 3,
                "catapult_penalty_expiry": "target_turn_start",
                "retaliation_classes": ("infantry", "ranged", "cavalry", "siege"),
                "elimination": "no_seat",
            }.items()
        },
    },
    "kingsquare": {name: _kingsquare_default(name) for name in kingsquare_options.KEYS if name not in UNCHANGEABLE},
    "kingsburg": {
        name: _kingsburg_default(name, value)
        for name, value in {
            "plus_two_limit": "per_advisor",
            "market_with_plus_two": False,
            "envoy_on_own_advisor": False,
            "envoy_overrides_block": False,
            "two_player_block": "none",
            "help_may_be_declined": False,
            "stable_limit": "each_advisor",
            "reward_at_zero_buildings": False,
            "supply_limited": True,
            "building_token_limit": 17,
            "building_loss_rule": "player_choice",
            "vp_lost_with_building": False,
            "strongest_bonus_ties": "none",
            "enemy_custom_allowed": False,
            "cathedral_spends_goods": True,
            "final_tiebreak": ("buildings", "goods"),
        }.items()
    },
    "robberknights": {
        name: _robberknights_default(name, value)
        for name, value in {
            "movement": "straight_line",
            "castle_return": "already_satisfied",
            "tile_capacity": None,
            "castle_min_deploy": 1,
            "deploy_max": 4,
            "knights_per_player": 29,
            "grid": 8,
            "min_tiles_per_turn": 0,
            "max_tiles_per_turn": 2,
            "draw_record": "sealed",
            "end_when_all_knights_placed": True,
            "tiebreak": (),
            "start_seat": "B",
        }.items()
    },
}
"""For each game and parameter, how its default is changed."""


def main(wanted: list[str]) -> int:
    """Run all mutations and return the exit code: 0 if every one is noticed.

    :param wanted: games, rules and parameters to try; all if none is named
    """
    unnoticed: list[str] = []
    games = [entry for entry in registry.GAMES if entry.game in wanted] or registry.GAMES
    wanted = [name for name in wanted if name not in registry.games()]
    for entry in games:
        started = time.monotonic()
        ruleset = registry.get(entry.editions[-1].key)
        if not wanted:
            plain = tests(entry.game)
            print(f"{ruleset.game}: {len(plain.names)} tests, {len(plain.failed)} fail unchanged")
            unnoticed += sorted(plain.failed)
        unnoticed += _rules(ruleset, wanted)
        unnoticed += _parameters(ruleset, wanted)
        if not wanted:
            unnoticed += _statements(ruleset, plain.names)
        print(f"  {time.monotonic() - started:.0f} s")
    print(f"\nNot noticed: {', '.join(unnoticed)}" if unnoticed else "\nEvery change is noticed.")
    return 1 if unnoticed else 0


def _noticed(ruleset: Ruleset, what: str, prefix: str) -> bool:
    failed = sorted(name for name in tests(ruleset.game, prefix).failed if name.startswith(prefix))
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    print(f"  {what:<36} " + (f"noticed by {failed[0]}{more}" if failed else "NOT NOTICED"), flush=True)
    return bool(failed)


def _rules(ruleset: Ruleset, wanted: list[str]) -> list[str]:
    unnoticed = []
    for rule in ruleset.rules:
        if rule.refuses_events and (not wanted or rule.id in wanted):
            with without(rule):
                if not _noticed(ruleset, f"without {rule.id}", named(rule.id)):
                    unnoticed.append(rule.id)
    return unnoticed


def _parameters(ruleset: Ruleset, wanted: list[str]) -> list[str]:
    unnoticed = []
    changes = DEFAULTS.get(ruleset.game, {})
    for parameter in ruleset.parameters:
        if (wanted and parameter.name not in wanted) or parameter.name in UNCHANGEABLE:
            continue
        if parameter.name not in changes:
            print(f"  default of {parameter.name:<23} has no change in benchmarks/mutate.py")
            unnoticed.append(parameter.name)
            continue
        with changes[parameter.name]():
            if not _noticed(ruleset, f"default of {parameter.name}", named_parameter(parameter.name)):
                unnoticed.append(parameter.name)
    return unnoticed


def _statements(ruleset: Ruleset, names: list[str]) -> list[str]:
    unshown = []
    print("  Statements that refuse nothing, and the tests that show their effect:")
    for rule in ruleset.rules:
        if rule.refuses_events:
            continue
        shown = [name for name in names if name.startswith(named(rule.id))]
        print(f"    {rule.id:<8} {', '.join(shown) if shown else 'NO TEST'}")
        if not shown:
            unshown.append(rule.id)
    return unshown


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
