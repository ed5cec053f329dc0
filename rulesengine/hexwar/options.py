"""The parameters of the set-up (HWH-40): their defaults, their bounds, and the tables that may replace the edition's."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rulesengine.game import Parameter
from rulesengine.hexwar import tables
from rulesengine.hexwar.state import Improvement, Options, Tables, Tier, UnitType
from rulesengine.paths import brief

type Row = dict[str, Any]
type Is = Callable[[Any], bool]

CLASSES = ("infantry", "ranged", "cavalry", "siege", "naval", "civilian")
DEFAULTS = Options()
MAX_GOLD = 100_000
SOURCED = ("start_gold", "income_active", "min_damage", "fortify_bonus", "catapult_penalty")
"""Options whose defaults are sourced: another value makes the match a variant."""


class OptionError(Exception):
    """An option that cannot be played under; the message says which, and what was expected."""


def whole(least: int, most: int) -> Is:
    """Return the question whether a value is a whole number from `least` to `most`."""
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _one_of(*choices: str) -> Is:
    return lambda value: isinstance(value, str) and value in choices


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _null_or(question: Is) -> Is:
    return lambda value: value is None or question(value)


def _list_of(question: Is, *, least: int = 0, once: bool = False) -> Is:
    def ask(value: Any) -> bool:
        if not isinstance(value, list) or len(value) < least or not all(question(one) for one in value):
            return False
        return not once or len(set(value)) == len(value)

    return ask


def _name(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 80 and bool(value.strip())


def _scope(*names: str) -> str:
    return " or ".join(f'"{name}"' for name in names)


BOUNDS: dict[str, tuple[Is, str, tuple[str, ...]]] = {
    "variant_name": (_null_or(_name), "null or 1 to 80 characters, not only blanks", ("HWH-40",)),
    "start_gold": (whole(0, MAX_GOLD), "a whole number from 0 to 100000", ("HW-01",)),
    "max_rounds": (whole(1, 500), "a whole number from 1 to 500", ("HWH-33",)),
    "min_movement_to_act": (whole(0, 2), "a whole number from 0 to 2", ("HWH-06",)),
    "building_action_scope": (_one_of("building", "player"), _scope("building", "player"), ("HWH-16", "HW-23")),
    "fort_on_settlement": (_flag, "true or false", ("HWH-09", "HW-12")),
    "fort_build_region": (_one_of("owned", "owned_or_neutral"), _scope("owned", "owned_or_neutral"), ("HWH-14",)),
    "construction_on_capture": (_one_of("transfer", "cancel"), _scope("transfer", "cancel"), ("HWH-13",)),
    "captured_building_waits": (_flag, "true or false", ("HWH-15",)),
    "income_active": (_flag, "true or false", ("HWH-21", "HW-26")),
    "min_damage": (whole(0, 10), "a whole number from 0 to 10", ("HW-28",)),
    "fortify_bonus": (whole(0, 10), "a whole number from 0 to 10", ("HW-36",)),
    "catapult_penalty": (whole(0, 10), "a whole number from 0 to 10", ("HWH-29", "HW-37")),
    "catapult_penalty_expiry": (
        _one_of("round_start", "target_turn_start"),
        _scope("round_start", "target_turn_start"),
        ("HWH-29", "HW-38"),
    ),
    "retaliation_classes": (
        _list_of(_one_of(*CLASSES), once=True),
        f"a list of classes ({', '.join(CLASSES)}), none twice",
        ("HWH-24", "HW-29"),
    ),
    "elimination": (
        _one_of("no_seat_and_no_peasant", "no_seat", "no_seat_and_no_unit"),
        _scope("no_seat_and_no_peasant", "no_seat", "no_seat_and_no_unit"),
        ("HWH-31",),
    ),
}
"""What each option may be: the question, the same in words, and the rules it belongs to."""

PARAMETERS: tuple[Parameter, ...] = (
    Parameter(
        "map",
        None,
        "the id of a standard map or a whole map; by default the standard map for the seats",
        ("HWH-37", "HWH-01"),
    ),
    *(
        Parameter(name, list(default) if isinstance(default, tuple) else default, words, rules)
        for name, (_, words, rules) in BOUNDS.items()
        for default in (getattr(DEFAULTS, name),)
    ),
    Parameter(
        "tables",
        dict.fromkeys(tables.TABLES),
        "an object of whole tables (terrain, units, attack_bonuses, settlements, improvements) that replace the edition's",
        ("HWH-04", "HWH-08", "HWH-12", "HWH-19", "HWH-20", "HWH-22", "HWH-40"),
    ),
)


def read(options: dict[str, Any]) -> tuple[Options, Tables]:
    """Return the options and tables in force under a header's options (`map` is looked at elsewhere).

    :raises OptionError: naming the option that is unknown or out of bounds
    """
    given: dict[str, Any] = {}
    for name, value in options.items():
        if name in ("map", "tables"):
            continue
        if name not in BOUNDS:
            raise OptionError(f"there is no option {brief(name)}; known are map, {', '.join(BOUNDS)}, tables")
        question, words, _ = BOUNDS[name]
        if not question(value):
            raise OptionError(f"{name} is {brief(value)}; it must be {words}")
        given[name] = tuple(value) if isinstance(value, list) else value
    chosen = Options(**given)
    rows = replaced(options.get("tables", {}))
    for name in SOURCED:
        if getattr(chosen, name) != getattr(DEFAULTS, name):
            _needs_name(chosen, name)
    for table, ones in rows.items():
        if sourced_entries(table, ones) != sourced_entries(table, tables.TABLES[table]):
            _needs_name(chosen, f"a sourced entry of tables.{table}")
    return chosen, build(rows) if rows else standard()


def replaced(given: Any) -> dict[str, list[Row]]:
    """Return the tables that a header replaces, looked through in full.

    :raises OptionError: naming the table and row that cannot be
    """
    if not isinstance(given, dict):
        raise OptionError(f"tables is {brief(given)}; it must be an object")
    for name in given:
        if name not in tables.TABLES:
            raise OptionError(f"tables has no {brief(name)}; known are {', '.join(tables.TABLES)}")
    rows: dict[str, list[Row]] = {name: ones for name, ones in given.items() if ones is not None}
    units = tables.UNITS
    if "units" in rows:
        _rows("units", rows["units"], UNIT_ROW)
        units = rows["units"]
    naval = {row["id"] for row in units if row["class"] == "naval"}
    for name, ones in rows.items():
        if name == "attack_bonuses":
            _bonuses(ones)
        elif name == "settlements":
            _rows(
                name,
                ones,
                {**TIER_ROW, "recruits": (_list_of(_one_of(*(UNIT_IDS - naval))), "units not of class naval")},
            )
            for row in ones:
                if (row["upgrade_to"] is None) != (row["upgrade_cost"] is None):
                    raise OptionError(
                        f"tables.settlements: {row['id']} must have both upgrade_to and upgrade_cost or neither"
                    )
        elif name == "improvements":
            _improvements(ones, naval)
        elif name == "terrain":
            _rows(name, ones, TERRAIN_ROW)
    return rows


def sourced_entries(table: str, rows: list[Row]) -> Any:
    """Return the entries of a table that come from the source, in a form that can be compared."""
    if table == "attack_bonuses":
        return rows
    by_id = {row["id"]: row for row in rows}
    if table == "terrain":
        return {id_: (row["land_cost"], row["naval_cost"] is None) for id_, row in by_id.items()}
    if table == "units":
        return (by_id["peasant"]["hp"], sorted((id_, row["range"]) for id_, row in by_id.items() if row["range"] > 2))
    if table == "improvements":
        return {
            id_: (
                row["cost"],
                row["build_turns"],
                (sorted(set(row["terrain"])), row["shoreline_only"]) if id_ in ("farm", "mine", "port") else None,
            )
            for id_, row in by_id.items()
        }
    return None


@cache
def standard() -> Tables:
    """Return the tables of the edition."""
    return build({})


def build(rows: dict[str, list[Row]]) -> Tables:
    """Return the tables in force where these replace the edition's."""
    now = {**tables.TABLES, **rows}
    units = {
        row["id"]: UnitType(cls=row["class"], **{k: v for k, v in row.items() if k != "class"}) for row in now["units"]
    }
    bonuses: dict[tuple[str, str], int] = {}
    for row in now["attack_bonuses"]:
        for other in units.values():
            if other.cls in row["versus_class"] or other.id in row["versus_unit"]:
                pair = (row["unit"], other.id)
                bonuses[pair] = bonuses.get(pair, 0) + row["bonus"]
    return Tables(
        units=units,
        bonuses=bonuses,
        settlements={row["id"]: Tier(**{**row, "recruits": tuple(row["recruits"])}) for row in now["settlements"]},
        improvements={
            row["id"]: Improvement(
                **{
                    **row,
                    "terrain": frozenset(row["terrain"]),
                    "reach": frozenset(row["reach"]),
                    "recruits": tuple(row["recruits"]),
                }
            )
            for row in now["improvements"]
        },
        land={row["id"]: row["land_cost"] for row in now["terrain"]},
        naval={row["id"]: row["naval_cost"] for row in now["terrain"]},
    )


UNIT_IDS = {row["id"] for row in tables.UNITS}
TIER_IDS = tuple(row["id"] for row in tables.SETTLEMENTS)
TERRAIN_IDS = tuple(row["id"] for row in tables.TERRAIN)

UNIT_ROW: dict[str, tuple[Is, str]] = {
    "class": (_one_of(*CLASSES), f"one of {', '.join(CLASSES)}"),
    "hp": (whole(1, 1000), "1 to 1000"),
    "attack": (whole(0, 100), "0 to 100"),
    "defence": (whole(0, 100), "0 to 100"),
    "range": (whole(0, 10), "0 to 10"),
    "movement": (whole(0, 20), "0 to 20"),
    "cost": (whole(0, MAX_GOLD), "0 to 100000"),
    "recruit_at": (lambda value: isinstance(value, str), "text"),
}
TERRAIN_ROW: dict[str, tuple[Is, str]] = {
    "land_cost": (_null_or(whole(1, 10)), "null or 1 to 10"),
    "naval_cost": (_null_or(whole(1, 10)), "null or 1 to 10"),
}
TIER_ROW: dict[str, tuple[Is, str]] = {
    "rank": (whole(1, 10), "1 to 10"),
    "upgrade_to": (_null_or(_one_of(*TIER_IDS)), f"null or one of {', '.join(TIER_IDS)}"),
    "upgrade_cost": (_null_or(whole(0, MAX_GOLD)), "null or 0 to 100000"),
    "defence_bonus": (whole(0, 10), "0 to 10"),
    "income": (whole(0, MAX_GOLD), "0 to 100000"),
}
IMPROVEMENT_ROW: dict[str, tuple[Is, str]] = {
    "cost": (whole(0, MAX_GOLD), "0 to 100000"),
    "terrain": (_list_of(_one_of(*TERRAIN_IDS), least=1), f"one or more of {', '.join(TERRAIN_IDS)}"),
    "shoreline_only": (_flag, "true or false"),
    "reach": (_list_of(_one_of("own", "adjacent"), least=1, once=True), "own, adjacent or both"),
    "build_turns": (whole(1, 10), "1 to 10"),
    "owner": (lambda value: isinstance(value, str), "as in the edition"),
    "becomes": (lambda value: isinstance(value, str), "as in the edition"),
    "defence_bonus": (whole(0, 10), "0 to 10"),
    "income": (whole(0, MAX_GOLD), "0 to 100000"),
    "recruits": (_list_of(_one_of(*UNIT_IDS)), "a list of units"),
}
BONUS_ROW: dict[str, tuple[Is, str]] = {
    "unit": (_one_of(*UNIT_IDS), "a unit"),
    "versus_class": (_list_of(_one_of(*CLASSES)), "a list of classes"),
    "versus_unit": (_list_of(_one_of(*UNIT_IDS)), "a list of units"),
    "bonus": (whole(0, 10), "0 to 10"),
}


def _rows(table: str, rows: Any, columns: dict[str, tuple[Is, str]]) -> None:
    standard_ids = [row["id"] for row in tables.TABLES[table]]
    if not isinstance(rows, list) or not all(isinstance(row, dict) and isinstance(row.get("id"), str) for row in rows):
        raise OptionError(f"tables.{table} must be a list of rows with their ids")
    if sorted(row["id"] for row in rows) != sorted(standard_ids):
        raise OptionError(f"tables.{table} must have exactly the ids {', '.join(standard_ids)}, each once")
    for row in rows:
        _columns(f"tables.{table}: {row['id']}", row, columns, {"id"})


def _columns(where: str, row: Row, columns: dict[str, tuple[Is, str]], more: set[str]) -> None:
    if set(row) != set(columns) | more:
        raise OptionError(f"{where} must have exactly the keys {', '.join(sorted(set(columns) | more))}")
    for key, (question, words) in columns.items():
        if not question(row[key]):
            raise OptionError(f"{where}: {key} is {brief(row[key])}; it must be {words}")


def _bonuses(rows: Any) -> None:
    if not isinstance(rows, list) or len(rows) > 50:
        raise OptionError("tables.attack_bonuses must be a list of 0 to 50 rows")
    for at, row in enumerate(rows):
        if not isinstance(row, dict):
            raise OptionError(f"tables.attack_bonuses: row {at} must be an object")
        _columns(f"tables.attack_bonuses: row {at}", row, BONUS_ROW, set())


def _improvements(rows: Any, naval: set[str]) -> None:
    _rows("improvements", rows, IMPROVEMENT_ROW)
    standard_rows = {row["id"]: row for row in tables.IMPROVEMENTS}
    for row in rows:
        id_ = row["id"]
        for key in ("owner", "becomes"):
            if row[key] != standard_rows[id_][key]:
                raise OptionError(f"tables.improvements: {id_}: {key} must stay {standard_rows[id_][key]!r}")
        good = set(row["recruits"]) <= naval if id_ == "port" else row["recruits"] == []
        if not good:
            raise OptionError(f"tables.improvements: {id_}: only the Port recruits, and only units of class naval")


def _needs_name(chosen: Options, what: str) -> None:
    if chosen.variant_name is None:
        raise OptionError(f"{what} differs from the sourced rules; give the variant a variant_name")
