"""How far units can go."""

from __future__ import annotations

from rulesengine.hexwar.hexes import Hex
from rulesengine.hexwar.state import State

MAX_STEP = 10
"""The most that entering a hex can cost under any table."""


def search(state: State, unit_id: str) -> tuple[dict[Hex, int], dict[Hex, Hex]]:
    """Return the cheapest cost of every hex a unit can reach, cheapest first, and from which hex each is entered.

    Among equally cheap ways the first in the order of the directions holds.
    """
    unit = state.units[unit_id]
    steps = state.setup.ground[unit.type].steps
    standing = state.standing
    movement = min(unit.movement, MAX_STEP * len(steps))
    reached: dict[Hex, int] = {}
    came_from: dict[Hex, Hex] = {unit.hex: unit.hex}
    waiting: dict[int, list[Hex]] = {0: [unit.hex]}
    for cost in range(movement + 1):
        for here in waiting.pop(cost, ()):
            if cost:
                reached[here] = cost
            for there, step in steps[here].items():
                # A step costs what the hex entered costs, so the first way found to a hex is a cheapest one.
                if there not in came_from and there not in standing and cost + step <= movement:
                    came_from[there] = here
                    waiting.setdefault(cost + step, []).append(there)
    return reached, came_from


def reach(state: State, unit_id: str) -> dict[Hex, int]:
    """Return the hexes that a unit can move to now with their cheapest cost: what HW-08 has shaded."""
    return search(state, unit_id)[0]


def path(came_from: dict[Hex, Hex], start: Hex, goal: Hex) -> tuple[Hex, ...]:
    """Return the way to a reached hex, without its start."""
    way = [goal]
    while (before := came_from[way[-1]]) != start:
        way.append(before)
    return tuple(reversed(way))
