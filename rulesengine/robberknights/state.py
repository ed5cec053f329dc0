"""The state of a match, and the set-up it was played under, which never changes.

A state is frozen and its mappings are copied before they change, so a state handed out stays as it was. The view of a
state is the plain form of part 3 of the rule page, on which corrections work and which reports show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from rulesengine.paths import brief
from rulesengine.robberknights.tables import HAND, OWNED, PILE, TILES

StepName = Literal["hand", "layout", "place", "knights", "draw", "over"]
EndedBy = Literal[
    "tiles", "knights", "passes", "resignation", "time", "draw_agreed", "recorded", "abandoned", "annulled"
]
VOID = ("abandoned", "annulled")
"""Ends after which the match counts for nothing."""
SETTING_UP = ("hand", "layout")

type Xy = tuple[int, int]
"""A cell: x grows to the right, y downwards."""
type Note = tuple[int, int | None, bool, Any]
"""A dispute (True) or a ruling by its seq, what it is about, and the note before it or None: a chain that is never copied."""
type Bounds = tuple[int, int, int, int]
"""The smallest rectangle around all tiles: least x, least y, largest x, largest y."""


class Options(Struct, frozen=True):
    """The parameters of the set-up. `grid` is the limit for the number of players of this match."""

    movement: str = "seed_steps"
    castle_return: str = "leave_again"
    tile_capacity: int | None = 4
    castle_min_deploy: int = 0
    deploy_max: int = 5
    knights_per_player: int = 30
    grid: int = 7
    min_tiles_per_turn: int = 1
    max_tiles_per_turn: int = 3
    draw_record: str = "open"
    end_when_all_knights_placed: bool = False
    tiebreak: tuple[str, ...] = ("unused_knights",)
    start_seat: str = "A"


class Setup(Struct, frozen=True):
    """The seats of one match in clockwise order, and its options. Shared by all its states."""

    seats: tuple[str, ...]
    options: Options


class Slot(Struct, frozen=True, gc=False):
    """A tile in a hand: the letter on its back, and its id, None where its face is not recorded."""

    letter: str
    tile: str | None


class Player(Struct, frozen=True, gc=False):
    """A seat: knights not on the board, the hand, tiles left in the pile (of B, C, D, E) and the tiles not on the board, sorted."""

    supply: int
    hand: tuple[Slot, ...]
    pile: tuple[int, ...]
    unplaced: tuple[str, ...]

    @property
    def has_tiles(self) -> bool:
        """Return whether a tile is left in the hand or in the pile."""
        return bool(self.hand) or any(self.pile)

    @property
    def top(self) -> str | None:
        """Return the letter on top of the pile, None if it is empty."""
        for letter, count in zip(PILE, self.pile, strict=True):
            if count:
                return letter
        return None


class Cell(Struct, frozen=True, gc=False):
    """A tile on the board, written with its owner, and the seats of the knights on it from bottom to top."""

    tile: str
    stack: tuple[str, ...] = ()

    @property
    def control(self) -> str | None:
        """Return the seat whose knight stands on top, None without knights."""
        return self.stack[-1] if self.stack else None


class State(Struct, frozen=True, gc=False):
    """A position. The fields after `ended_by` are no part of the view."""

    setup: Setup
    start_seat: str
    current: str | None
    step: StepName
    placed_this_turn: int
    castle_pending: Xy | None
    consecutive_passes: int
    board: dict[Xy, Cell]
    players: dict[str, Player]
    resigned: tuple[str, ...] = ()
    ended_by: EndedBy | None = None
    bounds: Bounds = (0, 0, 0, 0)
    """Around all tiles; meaningless while none lies there."""
    notes: Note | None = None
    """Disputes and rulings so far, the latest one."""

    @property
    def finished(self) -> bool:
        """Return whether the match is over."""
        return self.step == "over"

    @property
    def draw_pending(self) -> bool:
        """Return whether the next thing is to draw a tile."""
        return self.step == "draw"

    @property
    def playing(self) -> list[str]:
        """Return the seats that have not resigned."""
        return [seat for seat in self.setup.seats if seat not in self.resigned]


def open_disputes(state: State) -> Iterator[int]:
    """Yield the seqs of the disputes about which no ruling was given, the latest first (RK-49)."""
    ruled: set[int | None] = set()
    note = state.notes
    while note is not None:
        seq, about, opens, note = note
        if not opens:
            ruled.add(about)
        elif about not in ruled:
            yield seq


def key(xy: Xy) -> str:
    """Return the key of a cell in a view: ``2,-1``."""
    return f"{xy[0]},{xy[1]}"


def bounds_of(board: Mapping[Xy, Cell]) -> Bounds:
    """Return the smallest rectangle around all tiles of a board."""
    if not board:
        return (0, 0, 0, 0)
    xs, ys = [x for x, _ in board], [y for _, y in board]
    return (min(xs), min(ys), max(xs), max(ys))


def points(state: State) -> dict[str, int]:
    """Return every seat's points: the values of the tiles it controls (RK-40, RK-41)."""
    told = dict.fromkeys(state.setup.seats, 0)
    for cell in state.board.values():
        if cell.stack:
            told[cell.stack[-1]] += OWNED[cell.tile].value
    return told


def placements(state: State) -> list[tuple[str, int]]:
    """Return seats and places (RK-43, RK-44, RK-46), by place and then by letter; none while the match runs or if it is void."""
    if state.step != "over" or state.ended_by in VOID:
        return []
    playing = state.playing
    score = points(state)
    if state.ended_by == "draw_agreed":
        rank = dict.fromkeys(playing, (0, 0))
    elif "unused_knights" in state.setup.options.tiebreak:
        rank = {seat: (score[seat], state.players[seat].supply) for seat in playing}
    else:
        rank = {seat: (score[seat], 0) for seat in playing}
    places = {seat: 1 + sum(other > rank[seat] for other in rank.values()) for seat in playing}
    last = len(state.setup.seats)
    places.update({seat: last - at for at, seat in enumerate(state.resigned)})
    return sorted(places.items(), key=lambda placed: (placed[1], placed[0]))


def view(state: State) -> dict[str, Any]:
    """Return the state as plain values: exactly the keys of the rule page's part 3."""
    placed = [{"seat": seat, "place": place} for seat, place in placements(state)]
    return {
        "seats": list(state.setup.seats),
        "start_seat": state.start_seat,
        "current": state.current,
        "step": state.step,
        "placed_this_turn": state.placed_this_turn,
        "castle_pending": None if state.castle_pending is None else key(state.castle_pending),
        "draw_pending": state.step == "draw",
        "consecutive_passes": state.consecutive_passes,
        "board": {key(xy): {"tile": cell.tile, "stack": list(cell.stack)} for xy, cell in state.board.items()},
        "players": {
            seat: {
                "supply": one.supply,
                "hand": [{"letter": slot.letter, "tile": slot.tile} for slot in one.hand],
                "pile": dict(zip(PILE, one.pile, strict=True)),
                "unplaced": list(one.unplaced),
            }
            for seat, one in state.players.items()
        },
        "resigned": list(state.resigned),
        "finished": state.step == "over",
        "ended_by": state.ended_by,
        "placements": placed or None,
    }


class _Slot(Struct, forbid_unknown_fields=True):
    letter: str
    tile: str | None


class _Pile(Struct, forbid_unknown_fields=True):
    B: int
    C: int
    D: int
    E: int


class _Player(Struct, forbid_unknown_fields=True):
    supply: int
    hand: list[_Slot]
    pile: _Pile
    unplaced: list[str]


class _Cell(Struct, forbid_unknown_fields=True):
    tile: str
    stack: list[str]


class _View(Struct, forbid_unknown_fields=True):
    seats: list[str]
    start_seat: str
    current: str | None
    step: StepName
    placed_this_turn: int
    castle_pending: str | None
    draw_pending: bool
    consecutive_passes: int
    board: dict[str, _Cell]
    players: dict[str, _Player]
    resigned: list[str]
    finished: bool
    ended_by: EndedBy | None
    placements: list[dict[str, Any]] | None


def load(setup: Setup, plain: Mapping[str, Any], before: State | None = None) -> State:
    """Return the state that :func:`view` shows as `plain`.

    :param before: where the view came from: what no view shows (disputes and rulings) is taken from there
    :raises ValueError: saying which value cannot stand there, if no state could look like this
    """
    try:
        seen = msgspec.convert(dict(plain), _View)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    seats = setup.seats
    _must(tuple(seen.seats) == seats, "seats", f"must be {', '.join(seats)}")
    _must(tuple(seen.players) == seats, "players", f"must be the seats {', '.join(seats)} in this order")
    _must(seen.start_seat in seats, "start_seat", "must be a seat of the match")
    _must(set(seen.resigned) <= set(seats), "resigned", "must be seats of the match")
    _must(len(set(seen.resigned)) == len(seen.resigned), "resigned", "must hold no seat twice")
    at_turn = seen.step in ("place", "knights", "draw")
    _must((seen.current in seats) if at_turn else seen.current is None, "current", f"does not fit step {seen.step}")
    _must((seen.castle_pending is not None) == (seen.step == "knights"), "castle_pending", "belongs to step knights")
    _must(seen.draw_pending == (seen.step == "draw"), "draw_pending", "belongs to step draw")
    _must(seen.finished == (seen.step == "over"), "finished", "belongs to step over")
    _must((seen.ended_by is not None) == (seen.step == "over"), "ended_by", "belongs to step over")
    _must(seen.placed_this_turn >= 0, "placed_this_turn", "must be 0 or more")
    _must(seen.consecutive_passes >= 0, "consecutive_passes", "must be 0 or more")
    board = {_xy(cell, "board"): _cell(setup, cell, row) for cell, row in seen.board.items()}
    castle = None if seen.castle_pending is None else _xy(seen.castle_pending, "castle_pending")
    _must(castle is None or castle in board, "castle_pending", "must be a cell with a tile")
    tiles = [cell.tile for cell in board.values()]
    _must(len(set(tiles)) == len(tiles), "board", "must hold no tile twice")
    return State(
        setup=setup,
        start_seat=seen.start_seat,
        current=seen.current,
        step=seen.step,
        placed_this_turn=seen.placed_this_turn,
        castle_pending=castle,
        consecutive_passes=seen.consecutive_passes,
        board=board,
        players={seat: _player(seat, row, set(tiles)) for seat, row in seen.players.items()},
        resigned=tuple(seen.resigned),
        ended_by=seen.ended_by,
        bounds=bounds_of(board),
        notes=None if before is None else before.notes,
    )


def _xy(cell: str, at: str) -> Xy:
    first, _comma, second = cell.partition(",")
    try:
        xy = (int(first), int(second))
    except ValueError:
        raise ValueError(f"{at} has the cell {brief(cell)}; a cell is written x,y") from None
    _must(key(xy) == cell, at, f"has the cell {brief(cell)}; a cell is written {key(xy)}")
    return xy


def _cell(setup: Setup, at: str, row: _Cell) -> Cell:
    _must(row.tile in OWNED and row.tile[0] in setup.seats, f"board.{at}.tile", "must be a seat's tile, such as B:B4")
    _must(set(row.stack) <= set(setup.seats), f"board.{at}.stack", "must hold seats of the match")
    return Cell(row.tile, tuple(row.stack))


def _player(seat: str, row: _Player, laid: set[str]) -> Player:
    at = f"players.{seat}"
    pile = (row.pile.B, row.pile.C, row.pile.D, row.pile.E)
    _must(row.supply >= 0, f"{at}.supply", "must be 0 or more")
    _must(min(pile) >= 0, f"{at}.pile", "must be 0 or more of each letter")
    _must(row.unplaced == sorted(set(row.unplaced) & TILES.keys()), f"{at}.unplaced", "must be ids of tiles, sorted")
    _must(not laid & {f"{seat}:{id_}" for id_ in row.unplaced}, f"{at}.unplaced", "must not lie on the board")
    _must(len(row.hand) <= HAND, f"{at}.hand", f"must hold {HAND} tiles at most")
    for slot in row.hand:
        _must(slot.tile is None or slot.tile in row.unplaced, f"{at}.hand", "must hold tiles that are not placed")
        _must(slot.tile is None or slot.letter == slot.tile[0], f"{at}.hand", "must name the letter of each tile")
        _must(slot.letter in PILE or slot.tile is not None, f"{at}.hand", "must name the letters A to E")
    return Player(row.supply, tuple(Slot(slot.letter, slot.tile) for slot in row.hand), pile, tuple(row.unplaced))


def _must(good: bool, at: str, expected: str) -> None:
    if not good:
        raise ValueError(f"{at} {expected}")
