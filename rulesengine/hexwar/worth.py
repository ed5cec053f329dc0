"""What a greedy player looks at. No rule of the game, only good enough to make play-testing lively."""

from __future__ import annotations

from rulesengine.hexwar.hexes import distance
from rulesengine.hexwar.state import State, Unit

REGION, RANK, LIVING = 400, 60, 5000
FAR = 99


def worth(state: State, seat: str) -> int:
    """Return how good the position is for a seat: its own standing, less that of its enemies, and how near its aims are."""
    if seat not in state.alive:
        return -LIVING
    total = -LIVING * (len(state.alive) - 1)
    tiers, kinds = state.setup.tables.settlements, state.setup.tables.units
    total += REGION * sum((one.owner == seat) - (one.owner not in (seat, None)) for one in state.regions.values())
    for one in state.buildings.values():
        if one.region is not None and state.regions[one.region].owner == seat:
            total += RANK * tiers[one.tier].rank if one.tier is not None else RANK // 2
    for unit in state.units.values():
        kind = kinds[unit.type]
        value = kind.cost * unit.hp // kind.hp
        total += value + _nearness(state, seat, unit) if unit.owner == seat else -value
    return total + state.players[seat].gold // 2


def _nearness(state: State, seat: str, unit: Unit) -> int:
    if unit.type == "peasant":
        goals = [one.seat for one in state.regions.values() if one.owner != seat]
    else:
        goals = [one.hex for one in state.units.values() if one.owner != seat]
        goals += [one.seat for one in state.regions.values() if one.owner not in (seat, None)]
    return -2 * min((distance(unit.hex, goal) for goal in goals), default=FAR)
