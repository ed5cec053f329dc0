"""The set-up of a match from its header: the seats (RK-01), then the options."""

from __future__ import annotations

from rulesengine.game import FORM, Refusal
from rulesengine.log import Header
from rulesengine.robberknights import options
from rulesengine.robberknights.rules import RK_01
from rulesengine.robberknights.state import Player, Setup, State
from rulesengine.robberknights.tables import LAYOUT, PILE, SEATS, TILES

FULL_PILE = tuple(sum(tile.letter == letter for tile in TILES.values()) for letter in PILE)
_LEAST, _MOST = min(LAYOUT), max(LAYOUT)


def read(header: Header) -> Setup | Refusal:
    """Return the set-up that a header describes, or the first thing that is wrong with it."""
    seats = tuple(seat.seat for seat in header.seats)
    if len(seats) not in LAYOUT:
        return RK_01.refuses(f"{len(seats)} seats are named; {_LEAST} to {_MOST} players play", "form")
    if set(seats) != set(SEATS[: len(seats)]):
        expected = ", ".join(SEATS[: len(seats)])
        return RK_01.refuses(f"the seats are {', '.join(seats)}; of {len(seats)} they are {expected}", "form")
    try:
        return Setup(seats, options.read(header.options, seats))
    except options.OptionError as wrong:
        return (wrong.rule or FORM).refuses(str(wrong), "form")


def first_position(setup: Setup) -> State:
    """Return the position after the header: empty board, full piles, hands to be chosen."""
    player = Player(setup.options.knights_per_player, (), FULL_PILE, tuple(TILES))
    return State(
        setup=setup,
        start_seat=setup.options.start_seat,
        current=None,
        step="hand",
        placed_this_turn=0,
        castle_pending=None,
        consecutive_passes=0,
        board={},
        players=dict.fromkeys(setup.seats, player),
    )
