"""The tables of the edition as plain rows: phases, advisors, buildings, enemy cards, what lies in the box.

What the engine asks of them again and again is worked out from the rows once, below them.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

GOODS = ("gold", "wood", "stone")
YEARS = 5
SEASONS = ("spring", "summer", "autumn")

PHASES: list[dict[str, Any]] = [
    {"no": 1, "key": "kings_aid", "kind": "event"},
    {"no": 2, "key": "spring", "kind": "productive"},
    {"no": 3, "key": "kings_reward", "kind": "event"},
    {"no": 4, "key": "summer", "kind": "productive"},
    {"no": 5, "key": "kings_envoy", "kind": "event"},
    {"no": 6, "key": "autumn", "kind": "productive"},
    {"no": 7, "key": "recruit", "kind": "event"},
    {"no": 8, "key": "winter", "kind": "battle"},
]

ADVISORS: list[dict[str, Any]] = [
    {"no": 1, "key": "jester", "alternatives": [{"vp": 1}]},
    {"no": 2, "key": "squire", "alternatives": [{"gold": 1}]},
    {"no": 3, "key": "architect", "alternatives": [{"wood": 1}]},
    {"no": 4, "key": "merchant", "alternatives": [{"wood": 1}, {"gold": 1}]},
    {"no": 5, "key": "sergeant", "alternatives": [{"soldiers": 1}]},
    {
        "no": 6,
        "key": "alchemist",
        "alternatives": [
            {"gold": -1, "wood": 1, "stone": 1},
            {"gold": 1, "wood": -1, "stone": 1},
            {"gold": 1, "wood": 1, "stone": -1},
        ],
    },
    {"no": 7, "key": "astronomer", "alternatives": [{"any": 1, "plus_two": 1}]},
    {"no": 8, "key": "treasurer", "alternatives": [{"gold": 2}]},
    {"no": 9, "key": "master_hunter", "alternatives": [{"wood": 1, "gold": 1}, {"wood": 1, "stone": 1}]},
    {"no": 10, "key": "general", "alternatives": [{"soldiers": 2, "peek": True}]},
    {"no": 11, "key": "swordsmith", "alternatives": [{"stone": 1, "wood": 1}, {"stone": 1, "gold": 1}]},
    {"no": 12, "key": "duchess", "alternatives": [{"any": 2, "plus_two": 1}]},
    {"no": 13, "key": "champion", "alternatives": [{"stone": 3}]},
    {"no": 14, "key": "smuggler", "alternatives": [{"vp": -1, "any": 3}]},
    {"no": 15, "key": "inventor", "alternatives": [{"gold": 1, "wood": 1, "stone": 1}]},
    {"no": 16, "key": "wizard", "alternatives": [{"gold": 4}]},
    {"no": 17, "key": "queen", "alternatives": [{"any": 2, "vp": 3, "peek": True}]},
    {"no": 18, "key": "king", "alternatives": [{"gold": 1, "wood": 1, "stone": 1, "soldiers": 1}]},
]
"""What an advisor gives: negative figures are paid, `any` are goods of choice, `peek` a look at the enemy card of the year."""

BUILDINGS: list[dict[str, Any]] = [
    {"key": "statue", "row": 1, "col": 1, "gold": 2, "wood": 0, "stone": 0, "vp": 3, "battle": 0, "versus": {}},
    {"key": "chapel", "row": 1, "col": 2, "gold": 3, "wood": 0, "stone": 1, "vp": 5, "battle": 0, "versus": {}},
    {
        "key": "church",
        "row": 1,
        "col": 3,
        "gold": 3,
        "wood": 1,
        "stone": 2,
        "vp": 7,
        "battle": 0,
        "versus": {"demons": 1},
    },
    {"key": "cathedral", "row": 1, "col": 4, "gold": 5, "wood": 0, "stone": 3, "vp": 9, "battle": 0, "versus": {}},
    {"key": "inn", "row": 2, "col": 1, "gold": 1, "wood": 1, "stone": 0, "vp": 0, "battle": 0, "versus": {}},
    {"key": "market", "row": 2, "col": 2, "gold": 2, "wood": 2, "stone": 0, "vp": 1, "battle": 0, "versus": {}},
    {"key": "farms", "row": 2, "col": 3, "gold": 2, "wood": 3, "stone": 1, "vp": 2, "battle": -1, "versus": {}},
    {
        "key": "merchants_guild",
        "row": 2,
        "col": 4,
        "gold": 3,
        "wood": 1,
        "stone": 2,
        "vp": 4,
        "battle": 0,
        "versus": {},
    },
    {"key": "guard_tower", "row": 3, "col": 1, "gold": 1, "wood": 0, "stone": 1, "vp": 1, "battle": 1, "versus": {}},
    {"key": "blacksmith", "row": 3, "col": 2, "gold": 1, "wood": 2, "stone": 0, "vp": 2, "battle": 1, "versus": {}},
    {"key": "barracks", "row": 3, "col": 3, "gold": 2, "wood": 2, "stone": 1, "vp": 4, "battle": 0, "versus": {}},
    {"key": "wizards_guild", "row": 3, "col": 4, "gold": 3, "wood": 2, "stone": 2, "vp": 6, "battle": 2, "versus": {}},
    {
        "key": "palisade",
        "row": 4,
        "col": 1,
        "gold": 0,
        "wood": 2,
        "stone": 0,
        "vp": 0,
        "battle": 1,
        "versus": {"zombies": 1},
    },
    {"key": "stable", "row": 4, "col": 2, "gold": 1, "wood": 1, "stone": 1, "vp": 2, "battle": 0, "versus": {}},
    {"key": "stone_wall", "row": 4, "col": 3, "gold": 2, "wood": 0, "stone": 2, "vp": 2, "battle": 1, "versus": {}},
    {"key": "fortress", "row": 4, "col": 4, "gold": 3, "wood": 0, "stone": 2, "vp": 4, "battle": 1, "versus": {}},
    {
        "key": "barricade",
        "row": 5,
        "col": 1,
        "gold": 0,
        "wood": 1,
        "stone": 0,
        "vp": 0,
        "battle": 0,
        "versus": {"goblins": 1},
    },
    {"key": "crane", "row": 5, "col": 2, "gold": 0, "wood": 1, "stone": 1, "vp": 1, "battle": 0, "versus": {}},
    {"key": "town_hall", "row": 5, "col": 3, "gold": 2, "wood": 1, "stone": 1, "vp": 2, "battle": 0, "versus": {}},
    {"key": "embassy", "row": 5, "col": 4, "gold": 2, "wood": 2, "stone": 2, "vp": 4, "battle": 0, "versus": {}},
]

ENEMIES: list[dict[str, Any]] = [
    {
        "id": "1-barbarians-2",
        "kind": "barbarians",
        "year": 1,
        "strength": 2,
        "victory": {"gold": 1},
        "defeat": {"any": 1, "building": 1},
    },
    {
        "id": "1-goblins-2",
        "kind": "goblins",
        "year": 1,
        "strength": 2,
        "victory": {"wood": 1},
        "defeat": {"vp": 1, "wood": 1, "stone": 1, "building": 1},
    },
    {
        "id": "1-goblins-3",
        "kind": "goblins",
        "year": 1,
        "strength": 3,
        "victory": {"stone": 1},
        "defeat": {"gold": 1, "building": 1},
    },
    {"id": "1-orcs-3", "kind": "orcs", "year": 1, "strength": 3, "victory": {"gold": 1}, "defeat": {"vp": 1, "any": 2}},
    {"id": "1-zombies-4", "kind": "zombies", "year": 1, "strength": 4, "victory": {"vp": 1}, "defeat": {"vp": 2}},
    {
        "id": "2-goblins-3",
        "kind": "goblins",
        "year": 2,
        "strength": 3,
        "victory": {"wood": 1},
        "defeat": {"vp": 1, "wood": 2, "stone": 2, "building": 1},
    },
    {
        "id": "2-goblins-4",
        "kind": "goblins",
        "year": 2,
        "strength": 4,
        "victory": {"stone": 1},
        "defeat": {"gold": 2, "building": 1},
    },
    {
        "id": "2-orcs-4",
        "kind": "orcs",
        "year": 2,
        "strength": 4,
        "victory": {"gold": 1},
        "defeat": {"any": 2, "building": 1},
    },
    {
        "id": "2-barbarians-5",
        "kind": "barbarians",
        "year": 2,
        "strength": 5,
        "victory": {"gold": 1},
        "defeat": {"vp": 1, "any": 2},
    },
    {"id": "2-zombies-5", "kind": "zombies", "year": 2, "strength": 5, "victory": {"vp": 1}, "defeat": {"vp": 2}},
    {
        "id": "3-goblins-4",
        "kind": "goblins",
        "year": 3,
        "strength": 4,
        "victory": {"wood": 1},
        "defeat": {"vp": 1, "wood": 3, "stone": 3, "building": 1},
    },
    {
        "id": "3-goblins-5",
        "kind": "goblins",
        "year": 3,
        "strength": 5,
        "victory": {"stone": 1},
        "defeat": {"gold": 3, "building": 1},
    },
    {
        "id": "3-orcs-5",
        "kind": "orcs",
        "year": 3,
        "strength": 5,
        "victory": {"gold": 1},
        "defeat": {"any": 2, "building": 1},
    },
    {
        "id": "3-demons-6",
        "kind": "demons",
        "year": 3,
        "strength": 6,
        "victory": {"vp": 1},
        "defeat": {"vp": 1, "gold": 2, "wood": 1, "stone": 1},
    },
    {"id": "3-zombies-6", "kind": "zombies", "year": 3, "strength": 6, "victory": {"vp": 1}, "defeat": {"vp": 2}},
    {
        "id": "4-goblins-5",
        "kind": "goblins",
        "year": 4,
        "strength": 5,
        "victory": {"wood": 1},
        "defeat": {"vp": 1, "wood": 4, "stone": 4, "building": 1},
    },
    {
        "id": "4-goblins-6",
        "kind": "goblins",
        "year": 4,
        "strength": 6,
        "victory": {"stone": 1},
        "defeat": {"gold": 4, "building": 1},
    },
    {
        "id": "4-demons-6",
        "kind": "demons",
        "year": 4,
        "strength": 6,
        "victory": {"gold": 1},
        "defeat": {"any": 4, "building": 1},
    },
    {
        "id": "4-orcs-7",
        "kind": "orcs",
        "year": 4,
        "strength": 7,
        "victory": {"any": 1},
        "defeat": {"any": 2, "building": 1},
    },
    {"id": "4-zombies-7", "kind": "zombies", "year": 4, "strength": 7, "victory": {"vp": 1}, "defeat": {"vp": 2}},
    {"id": "5-barbarians-7", "kind": "barbarians", "year": 5, "strength": 7, "victory": {"vp": 1}, "defeat": {"vp": 8}},
    {
        "id": "5-barbarians-8",
        "kind": "barbarians",
        "year": 5,
        "strength": 8,
        "victory": {"vp": 1},
        "defeat": {"building": 1},
    },
    {
        "id": "5-demons-8",
        "kind": "demons",
        "year": 5,
        "strength": 8,
        "victory": {"vp": 2},
        "defeat": {"vp": 2, "building": 1},
    },
    {"id": "5-demons-9", "kind": "demons", "year": 5, "strength": 9, "victory": {"vp": 2}, "defeat": {"building": 1}},
    {"id": "5-dragons-9", "kind": "dragons", "year": 5, "strength": 9, "victory": {"vp": 3}, "defeat": {"vp": 5}},
]

SUPPLY: dict[str, int] = {"gold": 25, "wood": 20, "stone": 15, "plus_two": 20}
"""What lies in the box, which binds with `supply_limited` only."""
BUILDING_TOKENS = 17
KINDS = ("goblins", "orcs", "zombies", "demons", "barbarians", "dragons")

TABLES: dict[str, list[dict[str, Any]]] = {
    "phases": PHASES,
    "advisors": ADVISORS,
    "buildings": BUILDINGS,
    "enemies": ENEMIES,
    "supply": [{"piece": piece, "total": total} for piece, total in SUPPLY.items()],
}
"""The tables as the Codex shows them."""


class Building(Struct, frozen=True):
    """One row of the building table; `order` is its place in the table, `left` the buildings to its left in the row, in their order."""

    key: str
    order: int
    row: int
    col: int
    gold: int
    wood: int
    stone: int
    vp: int
    battle: int
    versus: dict[str, int]
    left: tuple[str, ...]


ALTERNATIVES: dict[int, tuple[dict[str, Any], ...]] = {row["no"]: tuple(row["alternatives"]) for row in ADVISORS}
"""By advisor, what they give: one of these."""
CHOOSING = frozenset({4, 6, 7, 9, 11, 12, 14, 17})
"""Advisors whose help is always recorded."""
SEVERAL = frozenset(no for no, alternatives in ALTERNATIVES.items() if len(alternatives) > 1)
"""Advisors whose help needs `alternative`."""
PRICED = frozenset({6, 14})
"""Advisors whose help has a price and may be declined."""
SOLDIERLY = frozenset({5, 10, 18})
"""Advisors to whom the Stable adds a soldier."""
PEEKING = frozenset({10, 17})
"""Advisors who let a player look at the enemy card of the year."""


def _left_of(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(one["key"] for one in BUILDINGS if one["row"] == row["row"] and one["col"] < row["col"])


BUILDING: dict[str, Building] = {
    row["key"]: Building(order=order, left=_left_of(row), **row) for order, row in enumerate(BUILDINGS)
}
CARDS: dict[str, dict[str, Any]] = {row["id"]: row for row in ENEMIES}
"""The enemy cards by id."""
