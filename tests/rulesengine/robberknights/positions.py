"""Positions of Robber Knights made by hand, with one of everything that can be drawn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rulesengine.robberknights.state import Cell, Options, Player, Setup, Slot, State, Xy, bounds_of
from rulesengine.robberknights.tables import PILE, TILES


def made(seats: str, board: dict[Xy, Cell], *, options: Options | None = None, **more: Any) -> State:
    """Return a position with these tiles; the first two tiles left are in everybody's hand, the others in the pile."""
    setup = Setup(tuple(seats), options or Options())
    players = {}
    for seat in seats:
        left = tuple(id_ for id_ in TILES if f"{seat}:{id_}" not in {cell.tile for cell in board.values()})
        hand = tuple(Slot(id_[0], id_) for id_ in left[:2])
        pile = tuple(sum(id_[0] == letter for id_ in left[2:]) for letter in PILE)
        standing = sum(cell.stack.count(seat) for cell in board.values())
        players[seat] = Player(30 - standing, hand, pile, left)
    state = State(setup, seats[0], seats[0], "place", 0, None, 0, board, players, bounds=bounds_of(board))
    return replace(state, **more)


def rich(**more: Any) -> State:
    """Return three players on an area that can grow no wider: every terrain, every building, piles of one to four knights."""
    board = {
        (-1, 0): Cell("A:A1", ("A",)),
        (0, 0): Cell("B:A3", ("A", "B")),
        (1, 0): Cell("C:A4", ("C", "C", "C")),
        (2, 0): Cell("A:B1"),
        (3, 0): Cell("B:B4", ("B", "A", "A", "C")),
        (4, 0): Cell("A:C1", ("B", "B")),
        (5, 0): Cell("C:C5", ("C",)),
        (0, 1): Cell("C:A2"),
        (3, 1): Cell("A:B5", ("C",)),
    }
    fields = {
        "options": Options(grid=7),
        "current": "B",
        "step": "knights",
        "placed_this_turn": 2,
        "castle_pending": (5, 0),
        "resigned": ("C",),
    }
    return made("ABC", board, **{**fields, **more})


def sealed(state: State, *seats: str) -> State:
    """Return the position in which the faces in these hands are not known."""
    players = {
        seat: replace(player, hand=tuple(Slot(slot.letter, None) for slot in player.hand)) if seat in seats else player
        for seat, player in state.players.items()
    }
    return replace(state, players=players)
