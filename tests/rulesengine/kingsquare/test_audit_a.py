"""Header, form, roles and the order of checks (8.1 to 8.5) and what a replay shows (8.7): the page word by word."""

from __future__ import annotations

from typing import Any

from rulesengine import replay
from tests.rulesengine.given import entry
from tests.rulesengine.kingsquare.realm import adjust, table, to_act

NEAR: dict[str, Any] = {"distances_ft10": {"king:A": 0}}


def test_a_seat_that_is_not_read_hides_nothing() -> None:
    """8.2: a `seat` on an event without one in 8.4 is not read; the event is judged as any other."""
    at = table()
    at.when(entry("A", "event_voided", "referee", target_seq=99)).then_refused("U-7", "impossible")
    over = at.after(entry(None, "draw_agreed", seats=["A", "B"]))
    wrong = [{"seat": "A", "place": 2}, {"seat": "B", "place": 1}]
    over.when(entry("A", "match_ended", placements=wrong)).then_refused("KSH-80", "observed")
    confirmed = over.after(entry("A", "placements_confirmed"))
    late = entry("A", "state_adjusted", path="kingdoms.A.resources.wood", old=0, new=5)
    confirmed.when(late).then_refused("KSH-88")


def test_a_replay_lists_consequences_alone() -> None:
    """8.7 `consequences`: the types of table 4.8 with the `id` of the thing named; an attack's own figures are none of them."""
    at = table(**{"pressure.mode": "advisory"}).after(*to_act("A"), adjust("kingdoms.A.king.level", 1, 5))
    then = at.when(entry("A", "attack_made", attackers=["king:A"], target={"kind": "castle", "id": "CB"}, **NEAR))
    told = [(one["after"], one["type"], one["data"]["id"]) for one in replay.consequences(then.then_clean().told)]
    assert told == [(5, "ap_granted", "A"), (7, "structure_damaged", "CB"), (7, "step_pressed", "A/CB/castle")]
