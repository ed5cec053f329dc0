"""A position as shapes: the tiles with the knights on them, the free cells beside them, and the window in which all must lie.

A shape's place and lengths are in edges of a tile; a tile's place is its centre, which is its cell of the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesengine.game import Scene, Shape
from rulesengine.robberknights.state import SETTING_UP, State, Xy
from rulesengine.robberknights.tables import EDGES, LAYOUT, OWNED

WALL = 0.12
"""Room for the wall of a window that is closed."""


def scene(state: State) -> Scene:
    """Return the position to draw: first the window, then the tiles, then the cells on which one may be placed next."""
    if not state.board:
        columns, rows = LAYOUT[len(state.setup.seats)]
        return Scene((-0.5, -0.5, float(columns), float(rows)), (_window(state, (0, 0, columns - 1, rows - 1), False),))
    left, top, right, bottom = state.bounds
    window = _window(state, state.bounds, True)
    across = WALL if window.attributes["closed_across"] else 1.0
    down = WALL if window.attributes["closed_down"] else 1.0
    box = (left - 0.5 - across, top - 0.5 - down, right - left + 1 + 2 * across, bottom - top + 1 + 2 * down)
    return Scene(box, (window, *_tiles(state), *_plots(state)))


def reach(state: State) -> tuple[int, int, int, int]:
    """Return the cells that a tile may still take: least x, least y, largest x, largest y (RK-13)."""
    left, top, right, bottom = state.bounds
    limit = state.setup.options.grid
    across, down = max(0, limit - (right - left + 1)), max(0, limit - (bottom - top + 1))
    return left - across, top - down, right + across, bottom + down


def plots(state: State) -> list[Xy]:
    """Return the free cells on which RK-11 and RK-13 let a tile be placed, sorted."""
    left, top, right, bottom = reach(state)
    beside = {(x + dx, y + dy) for x, y in state.board for dx, dy in EDGES} - state.board.keys()
    return sorted((x, y) for x, y in beside if left <= x <= right and top <= y <= bottom)


def _window(state: State, around: tuple[int, int, int, int], laid: bool) -> Shape:
    left, top, right, bottom = around
    columns, rows, limit = right - left + 1, bottom - top + 1, state.setup.options.grid
    attributes = {
        "box": [left, top, right, bottom],
        "columns": columns if laid else 0,
        "rows": rows if laid else 0,
        "limit": limit,
        "closed_across": laid and columns >= limit,
        "closed_down": laid and rows >= limit,
    }
    return Shape("window", ((left + right) / 2, (top + bottom) / 2), attributes)


def _tiles(state: State) -> Iterator[Shape]:
    for xy in sorted(state.board, key=lambda cell: (cell[1], cell[0])):
        cell = state.board[xy]
        face = OWNED[cell.tile]
        attributes: dict[str, Any] = {
            "tile": cell.tile,
            "owner": cell.tile.partition(":")[0],
            "id": face.id,
            "cell": list(xy),
            "terrain": face.terrain,
            "building": face.building,
            "value": face.value,
            "stack": list(cell.stack),
            "control": cell.control,
            "sends": xy == state.castle_pending,
        }
        yield Shape("tile", (float(xy[0]), float(xy[1])), attributes)


def _plots(state: State) -> Iterator[Shape]:
    if state.finished or state.step in SETTING_UP:
        return
    for x, y in plots(state):
        yield Shape("plot", (float(x), float(y)), {"cell": [x, y]})
