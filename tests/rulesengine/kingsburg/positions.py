"""Positions of Kingsburg made by hand, with one of everything that can be drawn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rulesengine.game import Refusal
from rulesengine.kingsburg.editions import EDITIONS
from rulesengine.kingsburg.ruleset import Kingsburg
from rulesengine.kingsburg.state import Peek, Player, Standing, State
from rulesengine.log import Header, Seat

GAME = Kingsburg(EDITIONS[0])


def start(seats: str = "ABC", **options: Any) -> State:
    """Return the position before the first event."""
    header = Header(
        "annals/1", "kingsburg", "2026-10-03", tuple(map(Seat, seats)), rules="kingsburg-2007", options=options
    )
    step = GAME.set_up(header)
    assert not isinstance(step, Refusal), step
    state: State = step.state
    return state


def with_player(state: State, seat: str, **fields: Any) -> State:
    """Return the position in which a seat has something else."""
    return replace(state, players={**state.players, seat: replace(state.players[seat], **fields)})


def rich(**more: Any) -> State:
    """Return the influence step of the summer of year 3: dice, advisors influenced once, twice and blocked, envoy, aid die and looks."""
    players = {
        "A": Player(
            vp=-2,
            gold=2,
            wood=1,
            plus_two=2,
            soldiers=3,
            buildings=("statue", "chapel", "inn", "market", "town_hall"),
            coloured=(1, 6),
            white=(4,),
            rolled=True,
            used=frozenset({"statue", "plus_two"}),
            peeks=(Peek(2, "spring"), Peek(3, "spring")),
        ),
        "B": Player(vp=61, stone=5, buildings=("barricade",), rolled=True, passed=True),
        "C": Player(vp=7, wood=2, resigned=True, passed=True),
    }
    fields = {
        "players": players,
        "turn_order": ("B", "A", "C"),
        "year": 3,
        "phase": "summer",
        "step": "influence",
        "turn_index": 1,
        "envoy_holder": "A",
        "aid_die_holder": "B",
        "deck_prepared": True,
        "blocked": (8, 11),
        "influence": {4: (Standing("B", 1),), 17: (Standing("C", 2), Standing("A", 3))},
        "enemies_seen": (
            "1-orcs-3",
            {"kind": "zombies", "strength": 5, "victory": {"vp": 1}, "defeat": {"building": 1}},
        ),
        "pending": (),
        "resigned": ("C",),
        "begun": True,
    }
    return replace(start(), **{**fields, **more})
