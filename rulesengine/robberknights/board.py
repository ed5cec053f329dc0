"""Where tiles may go: edges and the window that closes as the area grows (RK-11, RK-13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulesengine.robberknights.state import Bounds, Cell, State, Xy
from rulesengine.robberknights.tables import EDGES


def neighbours(xy: Xy) -> tuple[Xy, Xy, Xy, Xy]:
    """Return the four cells that share an edge with a cell."""
    x, y = xy
    return ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))


def touches(board: Mapping[Xy, Cell], x: int, y: int) -> bool:
    """Return whether a cell shares an edge with a tile."""
    return (x + 1, y) in board or (x - 1, y) in board or (x, y + 1) in board or (x, y - 1) in board


def grown(bounds: Bounds, x: int, y: int) -> Bounds:
    """Return the smallest rectangle around another one and a cell."""
    left, top, right, bottom = bounds
    return (min(left, x), min(top, y), max(right, x), max(bottom, y))


def window(state: State) -> Bounds:
    """Return the cells that a placement may use under RK-13: least x, least y, largest x, largest y."""
    left, top, right, bottom = state.bounds
    more_x = max(0, state.setup.options.grid - (right - left + 1))
    more_y = max(0, state.setup.options.grid - (bottom - top + 1))
    return (left - more_x, top - more_y, right + more_x, bottom + more_y)


def free_cells(state: State) -> Iterator[Xy]:
    """Yield, once each and in a fixed order, the cells where a tile may be placed (RK-11 to RK-13)."""
    board = state.board
    left, top, right, bottom = window(state)
    seen: set[Xy] = set()
    for x, y in board:
        for dx, dy in EDGES:
            xy = (x + dx, y + dy)
            if xy in board or xy in seen:
                continue
            seen.add(xy)
            if left <= xy[0] <= right and top <= xy[1] <= bottom:
                yield xy


def can_place(state: State, seat: str) -> bool:
    """Return whether a seat has a legal placement: a tile in hand and a cell for it."""
    return bool(state.players[seat].hand) and next(free_cells(state), None) is not None
