"""What a greedy player looks at, and how often a random one takes what. No rule of the game, only good enough for play-testing."""

from __future__ import annotations

from collections.abc import Mapping

from rulesengine.robberknights.board import neighbours
from rulesengine.robberknights.state import State, points
from rulesengine.robberknights.tables import OWNED

LIKINGS: Mapping[str, float] = {
    "tile_placed": 3,
    "turn_ended": 1,
    "knights_deployed": 4,
    "knights_declined": 0.5,
    "player_resigned": 0.0003,
}
POINT, KNIGHT, SAFE, CHANCE = 20, 7, 6, 4


def worth(state: State, seat: str) -> int:
    """Return a seat's points against the others', the knights it has left and how safe its points are.

    A castle that waits for its knights is worth what lies around it.
    """
    told = points(state)
    others = [told[other] for other in state.setup.seats if other != seat]
    total = POINT * len(others) * told[seat] - POINT * sum(others) + KNIGHT * state.players[seat].supply
    capacity = state.setup.options.tile_capacity
    if capacity is not None:
        for cell in state.board.values():
            if cell.stack and cell.stack[-1] == seat and len(cell.stack) >= capacity:
                total += SAFE * OWNED[cell.tile].value
    if state.castle_pending is not None and state.current == seat:
        for xy in neighbours(state.castle_pending):
            near = state.board.get(xy)
            if near is not None and near.control != seat:
                total += CHANCE * OWNED[near.tile].value
    return total
