"""Where the things of a position lie on the picture: to scale where the table's positions are known, else a tidy schematic.

Lengths are in widths of one token. A *cell* is all that belongs to one place: a Castle with its buildings on a ring about it and
the units in its Territory in rows below, or a field with what stands there. Everything follows from the position alone, so the
same position always looks the same; sizes grow in steps, so that a new building seldom moves what was there before.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

type Where = tuple[str, str]
type Point = tuple[float, float]

GAP = 0.3
"""Between two cells, and between two tokens of a row."""
CORE = 0.8
"""Radius of a Castle's own token."""
ROW = 1.5
"""Height of a row of units."""
LABEL = 0.85
"""Height of a name."""
HEAD = 1.3
"""Height of the line above a Kingdom's Castles."""
NARROW = 5.4
"""Least width of a cell."""
WIDE, TALL = 19.0, 21.0
"""What a screen shows at once: arrangements are judged by how far they stay within."""
SCALES = (0.6, 1.0, 3.0)
"""Tokens a foot: the least, what is wished at least, and the most. A picture grows beyond :data:`BROAD` only for the first."""
BROAD = 34.0


class Item(NamedTuple):
    """A unit, beast or site that stands in a cell: what it is and how wide it is drawn."""

    kind: str
    id: str
    width: float = 1.0


class Cell(NamedTuple):
    """One place: `ring` buildings about a Castle (none for a field) and rows of items below. Its anchor is the Castle, or the field's first row."""

    where: Where
    ring: int
    rows: tuple[tuple[Item, ...], ...]
    width: float
    above: float
    below: float

    @property
    def is_castle(self) -> bool:
        """Return whether it is a Castle's."""
        return self.where[0] == "castle"

    @property
    def radius(self) -> float:
        """Return how far the tokens about the Castle reach."""
        return ring_radius(self.ring) + 0.7


class Laid(NamedTuple):
    """The picture's plan: the anchor of every place, its cell, where Kingdoms are named, tokens a foot, and the box of it all."""

    anchors: dict[Where, Point]
    spots: dict[Where, Point]
    """Where a place really is, to scale: its tokens may be drawn beside it where places lie close together."""
    cells: dict[Where, Cell]
    heads: dict[str, tuple[float, float, float]]
    """By seat: centre and width of the line with the Kingdom's name. Only in a schematic."""
    scale: float | None
    unplaced: frozenset[Where]
    """Fields drawn below a picture to scale because their position was not recorded."""
    box: tuple[float, float, float, float]


def room_of(count: int) -> int:
    """Return how many places the ring has on which so many buildings stand: it grows in steps."""
    return next((step for step in (8, 12, 16, 20) if count <= step), count)


def ring_radius(count: int) -> float:
    """Return the radius on which so many tokens stand about a Castle: clear of it and of each other."""
    return _clear_radius(room_of(count))


@lru_cache(maxsize=64)
def _clear_radius(room: int) -> float:
    places = [(math.sin(math.tau * at / room), math.cos(math.tau * at / room)) for at in range(room + 1)]
    nearest = min(max(abs(x1 - x2), abs(y1 - y2)) for (x1, y1), (x2, y2) in pairwise(places))
    return max(1.6, 0.97 / nearest)


def on_ring(count: int, at: int) -> Point:
    """Return where the building number `at` of `count` stands from its Castle; none moves while the ring keeps its size."""
    radius, room = ring_radius(count), room_of(count)
    angle = math.tau * _order(room)[at] / room - math.pi / 2
    return radius * math.cos(angle), radius * math.sin(angle)


@lru_cache(maxsize=64)
def _order(room: int) -> tuple[int, ...]:
    """Return the places of a ring in the order in which they are taken: each half the largest gap left, so that few look even."""
    free, taken = set(range(room)), []
    for number in range(room):
        part, share = 0.0, 0.5
        while number:
            part += share * (number & 1)
            number, share = number >> 1, share / 2
        nearest = min(free, key=lambda place: (abs(place - part * room), place))
        free.remove(nearest)
        taken.append(nearest)
    return tuple(taken)


def flow(items: Sequence[Item], width: float) -> tuple[tuple[Item, ...], ...]:
    """Return items in rows no wider than `width`, but for one that is wider by itself."""
    rows: list[list[Item]] = []
    used = 0.0
    for item in items:
        if rows and used + GAP + item.width <= width:
            rows[-1].append(item)
            used += GAP + item.width
        else:
            rows.append([item])
            used = item.width
    return tuple(map(tuple, rows))


def castle_cell(where: Where, ring: int, items: Sequence[Item], lines: int = 1) -> Cell:
    """Return the cell of a Castle with `ring` buildings and so many lines of text above it."""
    radius = ring_radius(ring) + 0.7
    width = max(2 * radius, NARROW)
    rows = flow(items, width)
    return Cell(
        where,
        ring,
        rows,
        max(width, _widest(rows)),
        radius + LABEL + 0.52 * (lines - 1),
        radius + 0.2 + ROW * max(1, len(rows)),
    )


def field_cell(where: Where, items: Sequence[Item]) -> Cell:
    """Return the cell of a field, as wide as its name and what stands there need."""
    rows = flow(items, NARROW)
    width = max(2.6, _widest(rows) + 0.5, min(NARROW, 0.28 * len(where[1]) + 0.5))
    return Cell(where, 0, rows, width, ROW / 2 + LABEL, ROW * max(1, len(rows)) - ROW / 2 + 0.1)


def _widest(rows: Iterable[Sequence[Item]]) -> float:
    return max((_length(row) for row in rows), default=0.0)


def _length(row: Sequence[Item]) -> float:
    return sum(item.width for item in row) + GAP * (len(row) - 1)


def in_rows(cell: Cell, anchor: Point) -> dict[tuple[str, str], Point]:
    """Return where each item of a cell is drawn (its centre), by kind and id."""
    found: dict[tuple[str, str], Point] = {}
    top = anchor[1] + (cell.radius + 0.2 + ROW / 2 if cell.is_castle else 0.0)
    for number, row in enumerate(cell.rows):
        left = anchor[0] - _length(row) / 2
        for item in row:
            found[(item.kind, item.id)] = (left + item.width / 2, top + ROW * number)
            left += item.width + GAP
    return found


# To scale ----------------------------------------------------------------------------------------------------------


def to_scale(
    cells: Mapping[Where, Cell],
    known: Mapping[Where, Point],
    districts: Mapping[Where, Where],
    radii: Mapping[Where, float],
) -> Laid | None:
    """Return the plan to scale, or None if a Castle's position is unknown.

    :param known: recorded positions in feet, x to the right and y down
    :param districts: the parent of each Castle that is a district: they lie around it
    :param radii: of the Territories, in feet
    """
    roots = [where for where, cell in cells.items() if cell.is_castle and where not in districts]
    if not roots or any(where not in known for where in roots):
        return None
    feet = {where: known[where] for where in cells if where in known}
    for parent in dict.fromkeys(districts.values()):
        own = [where for where in cells if districts.get(where) == parent]
        if parent not in feet:
            return None
        for number, where in enumerate(own):
            angle = math.pi + math.tau * number / max(len(own), 2)
            away = 0.85 * radii.get(parent, 10.0)
            feet[where] = (feet[parent][0] + away * math.cos(angle), feet[parent][1] + away * math.sin(angle))
    reaches = {where: radii.get(where, 0.5) for where in feet}
    left, top, right, bottom = _around(
        (x - reaches[where], y - reaches[where], x + reaches[where], y + reaches[where])
        for where, (x, y) in feet.items()
    )
    scale = _scale([(cells[where], point) for where, point in feet.items()], max(right - left, bottom - top))
    spots = {where: (x * scale, y * scale) for where, (x, y) in feet.items()}
    anchors = _apart([cells[where] for where in spots], spots)
    spans = [_span(cells[where], point) for where, point in anchors.items()]
    spans.append((left * scale, top * scale, right * scale, bottom * scale))
    left, top, right, bottom = _around(spans)
    unplaced = [where for where in cells if where not in anchors]
    if unplaced:
        across = max(1, int((right - left + GAP) / (NARROW + GAP)))
        more, (_, _, width, height) = _grid([cells[where] for where in unplaced], across)
        for where, (x, y) in more.items():
            anchors[where] = (left + x, bottom + 1 + y)
        right, bottom = max(right, left + width), bottom + 1 + height
    box = (left, top, right - left, bottom - top)
    return Laid(anchors, spots, dict(cells), {}, scale, frozenset(unplaced), box)


def _scale(placed: Sequence[tuple[Cell, Point]], extent: float) -> float:
    """Return how many tokens a foot is drawn: so many that no two cells lie on each other, as far as the picture stays handy."""
    least, needed, most = SCALES
    for (one, (x1, y1)), (other, (x2, y2)) in combinations(placed, 2):
        across = ((one.width + other.width) / 2 + GAP) / abs(x1 - x2) if abs(x1 - x2) > 0.01 else math.inf
        upper, lower = (one, other) if y1 <= y2 else (other, one)
        down = (upper.below + lower.above + GAP) / abs(y1 - y2) if abs(y1 - y2) > 0.01 else math.inf
        needed = max(needed, min(across, down))
    return min(needed, most, max(least, BROAD / extent))


def _apart(cells: Sequence[Cell], spots: Mapping[Where, Point]) -> dict[Where, Point]:
    """Return the cells' anchors, moved from their spots where they would lie on each other: Castles from Castles, fields from all."""
    castles = [cell for cell in cells if cell.is_castle]
    anchors = _pushed(castles, spots)
    taken = [_span(cell, anchors[cell.where]) for cell in castles]
    for cell in cells:
        if not cell.is_castle:
            anchors[cell.where] = next(at for at in _around_spot(spots[cell.where]) if _is_free(_span(cell, at), taken))
            taken.append(_span(cell, anchors[cell.where]))
    return anchors


def _pushed(cells: Sequence[Cell], spots: Mapping[Where, Point]) -> dict[Where, Point]:
    """Return the anchors of cells that pushed each other away as far as needed, each two along the shorter way."""
    xs = [spots[cell.where][0] for cell in cells]
    ys = [spots[cell.where][1] for cell in cells]
    for _ in range(60):
        is_apart = True
        for i, j in combinations(range(len(cells)), 2):
            one, other = cells[i], cells[j]
            x, y = xs[j] - xs[i], ys[j] - ys[i]
            across = (one.width + other.width) / 2 + GAP - abs(x)
            down = (one.below + other.above if y >= 0 else one.above + other.below) + GAP - abs(y)
            if across <= 0.01 or down <= 0.01:
                continue
            is_apart = False
            if across < down:
                push = math.copysign(across / 2, x)
                xs[i], xs[j] = xs[i] - push, xs[j] + push
            else:
                push = math.copysign(down / 2, y)
                ys[i], ys[j] = ys[i] - push, ys[j] + push
        if is_apart:
            break
    return {cell.where: (x, y) for cell, x, y in zip(cells, xs, ys, strict=True)}


def _around_spot(spot: Point) -> Iterator[Point]:
    """Yield points ever farther from a spot, itself first."""
    yield spot
    for ring in itertools.count(1):
        for turn in range(8 + 4 * min(ring, 6)):
            angle = math.tau * turn / (8 + 4 * min(ring, 6)) - math.pi / 2
            yield spot[0] + 1.1 * ring * math.cos(angle), spot[1] + 1.1 * ring * math.sin(angle)


def _is_free(span: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]]) -> bool:
    left, top, right, bottom = span
    for other in taken:
        if left < other[2] + GAP and right > other[0] - GAP and top < other[3] + GAP and bottom > other[1] - GAP:
            return False
    return True


def _span(cell: Cell, anchor: Point) -> tuple[float, float, float, float]:
    x, y = anchor
    return x - cell.width / 2, y - cell.above, x + cell.width / 2, y + cell.below


def _around(spans: Iterable[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    lefts, tops, rights, bottoms = zip(*spans, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


# Schematic ---------------------------------------------------------------------------------------------------------


def schematic(cells: Mapping[Where, Cell], seats: Sequence[str], own: Mapping[str, Sequence[Where]]) -> Laid:
    """Return a plan that invents the positions: Kingdoms around a circle in turn order, fields between them.

    :param own: by seat the places of its Castles, each district after its parent
    """
    held = {where for castles in own.values() for where in castles}
    fields = [cell for where, cell in cells.items() if where not in held]
    best: Laid | None = None
    for per_row in range(1, 6):
        blocks = {seat: _grid([cells[where] for where in own.get(seat, ())], per_row, head=True) for seat in seats}
        for plan in (_in_columns, _in_rows):
            laid = plan(blocks, seats, fields)
            if best is None or _cost(laid) < _cost(best) - 1e-9:
                best = laid
        if all(len(castles) <= per_row for castles in own.values()):
            break
    if best is None:
        raise ValueError("a schematic needs at least one seat")
    return best._replace(cells=dict(cells))


def _cost(laid: Laid) -> float:
    _, _, width, height = laid.box
    return max(width / WIDE, height / TALL) + 0.05 * (width / WIDE + height / TALL)


type Block = tuple[dict[Where, Point], tuple[float, float, float, float]]


def _grid(cells: Sequence[Cell], across: int, *, head: bool = False) -> Block:
    """Return cells in rows of `across`, from (0, 0) on, with room for a heading; and the box of them."""
    anchors: dict[Where, Point] = {}
    rows = [cells[at : at + across] for at in range(0, len(cells), across)]
    widths = [sum(cell.width for cell in row) + GAP * (len(row) - 1) for row in rows]
    width, y = max([*widths, NARROW]), HEAD if head else 0.0
    for row, length in zip(rows, widths, strict=True):
        x = (width - length) / 2
        above = max(cell.above for cell in row)
        for cell in row:
            anchors[cell.where] = (x + cell.width / 2, y + above)
            x += cell.width + GAP
        y += above + max(cell.below for cell in row) + GAP
    return anchors, (0.0, 0.0, width, y)


def _in_columns(blocks: Mapping[str, Block], seats: Sequence[str], fields: Sequence[Cell]) -> Laid:
    """Kingdoms in two columns, clockwise from the upper left, the fields in the middle."""
    right = seats[1 : 1 + math.ceil(len(seats) / 2)]
    left = [seats[0], *reversed(seats[1 + len(right) :])]
    heights = [sum(blocks[seat][1][3] for seat in column) for column in (left, right)]
    tall = max(heights)
    per = max((blocks[seat][1][2] for seat in left), default=0.0)
    down = max(1, int(tall / (2 * ROW + LABEL + GAP)))
    middle = _grid(fields, max(1, math.ceil(len(fields) / down))) if fields else ({}, (0.0, 0.0, 0.0, 0.0))
    between = max(1.6, middle[1][2] + 2 * GAP if fields else 0.0)
    tall = max(tall, middle[1][3])
    placed: list[tuple[str, float, float]] = []
    for column, start, high in ((left, 0.0, heights[0]), (right, per + between, heights[1])):
        wide = max((blocks[seat][1][2] for seat in column), default=0.0)
        spare = (tall - high) / (len(column) + 1)
        y = spare
        for seat in column:
            placed.append((seat, start + (wide - blocks[seat][1][2]) / 2, y))
            y += blocks[seat][1][3] + spare
    return _laid(blocks, placed, middle, (per + between / 2 - middle[1][2] / 2, (tall - middle[1][3]) / 2))


def _in_rows(blocks: Mapping[str, Block], seats: Sequence[str], fields: Sequence[Cell]) -> Laid:
    """Kingdoms in two rows, clockwise from the upper left, the fields in the middle."""
    upper = seats[: math.ceil(len(seats) / 2)]
    lower = list(reversed(seats[len(upper) :]))
    lengths = [sum(blocks[seat][1][2] for seat in row) + 2 * GAP * (len(row) - 1) for row in (upper, lower)]
    wide = max(lengths)
    middle = _grid(fields, max(1, int(wide / (NARROW + GAP)))) if fields else ({}, (0.0, 0.0, 0.0, 0.0))
    wide = max(wide, middle[1][2])
    high = max(blocks[seat][1][3] for seat in upper)
    between = max(0.8, middle[1][3] + 2 * GAP if fields else 0.0)
    placed: list[tuple[str, float, float]] = []
    for row, y, length in ((upper, 0.0, lengths[0]), (lower, high + between, lengths[1])):
        x = (wide - length) / 2
        for seat in row:
            placed.append((seat, x, y))
            x += blocks[seat][1][2] + 2 * GAP
    return _laid(blocks, placed, middle, ((wide - middle[1][2]) / 2, high + (between - middle[1][3]) / 2))


def _laid(
    blocks: Mapping[str, Block], placed: Sequence[tuple[str, float, float]], middle: Block, corner: Point
) -> Laid:
    anchors: dict[Where, Point] = {}
    heads: dict[str, tuple[float, float, float]] = {}
    spans = []
    for seat, x, y in placed:
        inside, (_, _, width, height) = blocks[seat]
        anchors |= {where: (x + at[0], y + at[1]) for where, at in inside.items()}
        heads[seat] = (x + width / 2, y + HEAD / 2, width)
        spans.append((x, y, x + width, y + height))
    inside, (_, _, width, height) = middle
    if inside:
        anchors |= {where: (corner[0] + at[0], corner[1] + at[1]) for where, at in inside.items()}
        spans.append((*corner, corner[0] + width, corner[1] + height))
    left, top, right, bottom = _around(spans)
    return Laid(anchors, anchors, {}, heads, None, frozenset(), (left, top, right - left, bottom - top))
