"""The set-up of a match from its header (part 10 of the rule page): seats and options, and the position before the first event."""

from __future__ import annotations

from rulesengine.game import Refusal
from rulesengine.kingsburg import options
from rulesengine.kingsburg.rules import KB_01, KB_07
from rulesengine.kingsburg.state import Pending, Player, Setup, State
from rulesengine.log import Header

LETTERS = "ABCDE"
LEAST = 2


def read(header: Header, ruleset: str) -> Setup | Refusal:
    """Return the set-up that a header describes, or the first rule that forbids it."""
    seats = tuple(seat.seat for seat in header.seats)
    if not LEAST <= len(seats) <= len(LETTERS):
        because = f"the header names {len(seats)} seats; {LEAST} to {len(LETTERS)} can play"
        return KB_01.refuses(because, "impossible")
    expected = LETTERS[: len(seats)]
    if sorted(seats) != list(expected):
        because = f"the seats are {', '.join(seats)}; {len(seats)} players sit at {', '.join(expected)}, in any order"
        return KB_01.refuses(because, "impossible")
    try:
        chosen = options.read(header.options)
    except options.OptionError as wrong:
        return KB_07.refuses(str(wrong), "impossible")
    return Setup(ruleset, chosen, seats)


def first_position(setup: Setup) -> State:
    """Return the position before the first event: everybody is tied for the king's aid (KB-23)."""
    return State(
        setup=setup,
        players={seat: Player() for seat in setup.seats},
        turn_order=setup.seats,
        pending=tuple(Pending(seat, "aid_good") for seat in setup.seats),
    )
