"""Action Points are not overspent (KS-21), and two Kingdoms are enough (KSH-01)."""

from __future__ import annotations

import pytest

from rulesengine import registry
from rulesengine.game import Event, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare.state import State
from rulesengine.log import FORMAT, Header, Seat

GAME = registry.get("KS-V5")


def started(seats: str = "AB") -> State:
    """Return a match in the first Act phase of A."""
    step = GAME.set_up(Header(FORMAT, "kingsquare", "2026-11-28", tuple(Seat(letter, letter) for letter in seats)))
    assert not isinstance(step, Refusal)
    state = step.state
    founded = [Event(seat, e.CapitalFounded(castle=f"C{seat}")) for seat in seats]
    phases = [Event("A", e.PhaseAdvanced(to=phase)) for phase in ("move", "act")]
    for event in (*founded, Event(None, e.MatchStarted()), *phases):
        assert GAME.check(state, event) is None
        state = GAME.follow(state, event).state
    return state


def test_ks_21_an_action_needs_a_point_that_is_left() -> None:
    state = started()
    for level in (2, 3):
        event = Event("A", e.KingUpgraded(to_level=level))
        assert GAME.check(state, event) is None
        state = GAME.follow(state, event).state
    assert (state.ap_total, state.ap_spent) == (2, 2)
    refusal = GAME.check(state, Event("A", e.KingUpgraded(to_level=4)))
    assert refusal is not None
    assert (refusal.rule.id, refusal.nearest) == ("KS-21", "turn_ended")
    assert "king_upgraded costs 1 of the 2" in refusal.because


@pytest.mark.parametrize("seats", ["AB", "ABC"])
def test_param_seats_min_is_2(seats: str) -> None:
    assert len(started(seats).playing) == len(seats)
