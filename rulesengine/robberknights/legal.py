"""What may be recorded next, with sensible values, in a fixed order; nothing is offered that the checks would refuse.

What chance gives is offered as far as the rules tell: every tile that may lie on top of the pile, some layouts.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine import shared
from rulesengine.game import Event
from rulesengine.robberknights import events
from rulesengine.robberknights.board import can_place, free_cells
from rulesengine.robberknights.checks import check_knights_declined, layout_tiles
from rulesengine.robberknights.events import Left
from rulesengine.robberknights.state import Player, State, Xy
from rulesengine.robberknights.tables import CHOICES, EDGES, LAYOUT, OWNED, TILES

MOST_PATHS = 240
"""So many ways of the knights are offered, the short ones first."""


def legal(state: State) -> Iterator[Event]:
    """Yield what may be recorded next: what the step asks for, what the seat at turn may do instead, and who may resign."""
    if state.step == "over":
        return
    seat = state.current
    if state.step == "hand":
        for one, player in state.players.items():
            if not player.hand:
                for id_ in CHOICES:
                    yield Event(one, events.HandChosen(tile=id_))
    elif state.step == "layout":
        yield from _layouts(state)
    elif seat is not None:
        yield from _turn(state, seat)
    for one in state.playing:
        yield Event(one, shared.PlayerResigned())


def _layouts(state: State) -> Iterator[Event]:
    """Yield the remaining tiles in several orders, lying and upright."""
    tiles = layout_tiles(state)
    columns, rows = LAYOUT[len(state.setup.seats)]
    for wide, high in dict.fromkeys([(columns, rows), (rows, columns)]):
        cells = [(x, y) for y in range(high) for x in range(wide)]
        for order in (tiles, tiles[::-1], tiles[::2] + tiles[1::2]):
            for first in range(len(order)):
                turned = order[first:] + order[:first]
                laid = [events.LaidTile(x, y, tile) for (x, y), tile in zip(cells, turned, strict=True)]
                yield Event(None, events.LayoutLaid(cells=tuple(laid)))


def _turn(state: State, seat: str) -> Iterator[Event]:
    player = state.players[seat]
    if state.step == "place":
        cells = list(free_cells(state))
        for id_ in _tiles(player):
            for x, y in cells:
                yield Event(seat, events.TilePlaced(tile=id_, x=x, y=y))
        if state.placed_this_turn:
            yield Event(seat, events.TurnEnded())
        elif not state.setup.options.min_tiles_per_turn or not can_place(state, seat):
            yield Event(seat, events.TurnPassed())
    elif state.step == "knights":
        yield from _deployments(state, seat)
        declined = Event(seat, events.KnightsDeclined())
        if check_knights_declined(state, declined) is None:
            yield declined
    else:
        yield from _draws(state, seat, player)


def _tiles(player: Player) -> list[str]:
    """Return the tiles that may be placed: those in hand, and every tile that a sealed slot may be."""
    found: dict[str, None] = {}
    for slot in player.hand:
        if slot.tile is not None:
            found[slot.tile] = None
        else:
            found.update(dict.fromkeys(id_ for id_ in player.unplaced if id_[0] == slot.letter))
    return list(found)


def _draws(state: State, seat: str, player: Player) -> Iterator[Event]:
    letter = player.top
    if letter is None:
        return
    if state.setup.options.draw_record == "sealed":
        yield Event(seat, events.TileDrawn(letter=letter))
        return
    held = {slot.tile for slot in player.hand}
    for id_ in player.unplaced:
        if TILES[id_].letter == letter and id_ not in held:
            yield Event(seat, events.TileDrawn(letter=letter, tile=id_))


def _deployments(state: State, seat: str) -> Iterator[Event]:
    """Yield ways of the knights, the short ones first: the least everywhere, and more on the castle or on the last tile."""
    castle = state.castle_pending
    options = state.setup.options
    most = min(options.deploy_max, state.players[seat].supply)
    if castle is None:
        return
    offered = 0
    ways: list[tuple[tuple[Xy, int], ...]] = [((castle, _minimum(state, castle)),)]
    while ways:
        longer: list[tuple[tuple[Xy, int], ...]] = []
        for way in ways:
            least = sum(leave for _, leave in way)
            if least > most or not _fits(state, way):
                continue
            for path in _spread(way, most - least):
                if way[-1][0] == castle and len(way) > 1 and path[-1][1] == 0:
                    continue  # nobody arrives on the castle again
                if _fits(state, path):
                    yield Event(seat, events.KnightsDeployed(path=tuple(Left(*xy, leave) for xy, leave in path)))
                    offered += 1
                    if offered == MOST_PATHS:
                        return
            longer += _steps(state, way, castle)
        ways = longer


def _steps(state: State, way: tuple[tuple[Xy, int], ...], castle: Xy) -> Iterator[tuple[tuple[Xy, int], ...]]:
    """Yield a way with one more tile."""
    options = state.setup.options
    x, y = way[-1][0]
    for dx, dy in EDGES:
        xy = (x + dx, y + dy)
        if xy not in state.board or OWNED[state.board[xy].tile].minimum is None:
            continue
        if options.movement == "straight_line" and len(way) > 1 and (x - way[-2][0][0], y - way[-2][0][1]) != (dx, dy):
            continue
        free = xy == castle and options.castle_return == "already_satisfied"
        yield (*way, (xy, 0 if free else _minimum(state, xy)))


def _spread(way: tuple[tuple[Xy, int], ...], spare: int) -> Iterator[tuple[tuple[Xy, int], ...]]:
    """Yield the way with more knights on its last tile, and with more on the castle."""
    *start, (last, leave) = way
    for more in range(spare + 1):
        yield (*start, (last, leave + more))
    if start:
        (castle, kept), *rest = way
        for more in range(1, spare + 1):
            yield ((castle, kept + more), *rest)


def _fits(state: State, way: tuple[tuple[Xy, int], ...]) -> bool:
    """Return whether every tile has room for what stays there."""
    capacity = state.setup.options.tile_capacity
    if capacity is None:
        return True
    full: dict[Xy, int] = {}
    for xy, leave in way:
        full[xy] = full.get(xy, len(state.board[xy].stack)) + leave
        if full[xy] > capacity:
            return False
    return True


def _minimum(state: State, xy: Xy) -> int:
    return OWNED[state.board[xy].tile].minimum or 0
