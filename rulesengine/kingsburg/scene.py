"""A position as shapes: the calendar, the turn order, the enemy, the row of advisors, and every player's province.

A shape's place is in widths of an advisor's field: advisors stand in the row of their numbers, provinces below them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesengine.game import Scene, Shape
from rulesengine.kingsburg.state import State, card
from rulesengine.kingsburg.tables import ADVISORS, BUILDING, ENEMIES, PHASES, YEARS

COLUMNS, ROWS = 4, 5
BETWEEN = 0.5
"""Room between two provinces."""
TOP = 3.0
"""Where the provinces begin."""


def scene(state: State) -> Scene:
    """Return the position to draw, from the top to the bottom of the table."""
    count = len(state.players)
    width = max(float(len(ADVISORS)), count * (COLUMNS + BETWEEN) - BETWEEN)
    shapes = [
        *_calendar(state),
        *_order(state),
        _enemy(state),
        *_advisors(state),
        *_provinces(state),
    ]
    return Scene((-0.5, -0.5, width, TOP + 1 + ROWS), tuple(shapes))


def strengths(year: int) -> tuple[int, int]:
    """Return the least and the largest strength of the cards of a year, which their backs show."""
    known = [row["strength"] for row in ENEMIES if row["year"] == year]
    return min(known), max(known)


def _calendar(state: State) -> Iterator[Shape]:
    for year in range(1, YEARS + 1):
        yield Shape("year", (year - 1.0, 0.0), {"year": year, "now": year == state.year})
    for phase in PHASES:
        now = phase["key"] == state.phase
        attributes = {"no": phase["no"], "key": phase["key"], "now": now, "step": state.step if now else None}
        yield Shape("phase", (YEARS + phase["no"] - 0.5, 0.0), attributes)


def _order(state: State) -> Iterator[Shape]:
    for at, seat in enumerate(state.turn_order):
        player = state.players[seat]
        attributes = {
            "seat": seat,
            "at": at,
            "acts": seat == state.on_turn,
            "passed": player.passed,
            "resigned": player.resigned,
        }
        yield Shape("turn", (float(at), 1.0), attributes)


def _enemy(state: State) -> Shape:
    least, most = strengths(state.year)
    attributes: dict[str, Any] = {
        "year": state.year,
        "card": None if state.enemy is None else card(state.enemy),
        "strengths": [least, most],
        "reinforcement": state.reinforcement,
        "seen": [card(one) for one in state.enemies_seen],
    }
    return Shape("enemy", (len(ADVISORS) - 2.0, 1.0), attributes)


def _advisors(state: State) -> Iterator[Shape]:
    for row in ADVISORS:
        no = row["no"]
        attributes = {
            "no": no,
            "key": row["key"],
            "alternatives": row["alternatives"],
            "seats": [one.seat for one in sorted(state.influence.get(no, ()), key=lambda one: one.order)],
            "blocked": no in state.blocked,
            "served": no == state.help_pointer,
        }
        yield Shape("advisor", (no - 1.0, 2.0), attributes)


def _provinces(state: State) -> Iterator[Shape]:
    for number, (seat, player) in enumerate(state.players.items()):
        left = number * (COLUMNS + BETWEEN)
        attributes = {
            "seat": seat,
            "vp": player.vp,
            "gold": player.gold,
            "wood": player.wood,
            "stone": player.stone,
            "plus_two": player.plus_two,
            "soldiers": player.soldiers,
            "coloured": list(player.coloured),
            "white": list(player.white),
            "envoy": state.envoy_holder == seat,
            "aid": state.aid_die_holder == seat,
            "looked": any(peek.year == state.year for peek in player.peeks),
            "acts": seat == state.on_turn,
            "resigned": player.resigned,
        }
        yield Shape("player", (left, TOP), attributes)
        for key, building in BUILDING.items():
            seen = {
                "seat": seat,
                "key": key,
                "row": building.row,
                "col": building.col,
                "built": key in player.buildings,
                "used": key in player.used,
            }
            yield Shape("building", (left + building.col - 1, TOP + building.row), seen)
