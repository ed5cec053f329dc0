"""Header, form, roles and the order of checks (8.1 to 8.5) and what a replay shows (8.7): the page word by word."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine import replay
from tests.rulesengine.given import entry
from tests.rulesengine.kingsquare.realm import adjust, empty, table, to_act

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


ONE_OF_EACH: dict[str, dict[str, Any]] = {
    "terms": {"type_": "alliance_proposed", "alliance": "ab", "to_kingdom": "B", "terms": None},
    "reason": {"type_": "player_resigned", "reason": None},
    "king_distance_ft10": {
        "type_": "attack_made",
        "attackers": ["king:A"],
        "target": {"kind": "castle", "id": "CB"},
        "king_distance_ft10": None,
    },
    "owner": {"type_": "attack_made", "attackers": ["king:A"], "target": {"kind": "castle", "id": "CB", "owner": None}},
}


@pytest.mark.parametrize("key", ONE_OF_EACH)
def test_null_is_no_key_left_out(key: str) -> None:
    """8.4: a wrong type is U-7; null is no text, number, list or object."""
    data = ONE_OF_EACH[key].copy()
    found = table().when(entry("A", data.pop("type_"), **data)).then_refused("U-7", "impossible")
    assert key in found.message


def test_a_value_of_the_state_may_be_set_to_null() -> None:
    """8.7: what is not yet so is null in the state, and so `old` and `new` may be."""
    at = table().when(entry(None, "state_adjusted", path="castles.CA.name", old=None, new="Highgate"))
    assert at.then_clean().get("castles.CA.name") == "Highgate"


def test_what_a_file_spells_out_of_the_set_up_is_not_read() -> None:
    """8.2: accepted without effect, whatever its `data`."""
    told = empty().when(entry(None, "seat_taken", seat=7, observed=3, general=None, date="soon")).then_clean().report
    assert told.accepted == 1


@pytest.mark.parametrize("role", ["mapmaster", "nobody"])
def test_what_a_correction_may_not_hold_comes_before_who_may_make_it(role: str) -> None:
    """8.5: keys (1.) before the role (6.); `observed` belongs to battles (8.4)."""
    at = table()
    void = entry(None, "event_voided", role, target_seq=3, observed={"net": 1})
    at.when(void).then_refused("U-7", "impossible")
    at.when(entry(None, "event_voided", role, target_seq=3)).then_refused("U-6")


def test_an_order_of_losses_nobody_asked_for_is_a_key_too_many() -> None:
    """8.4, 8.5: `target_order` goes with `loss.order` defender_chooses (KSH-62); keys come before the turn."""
    attack: dict[str, Any] = {"attackers": ["x"], "target": {"kind": "king", "id": "king:A"}}
    at = table().after(*to_act("A"))
    at.when(entry("B", "attack_made", **attack, target_order=["1"])).then_refused("U-7", "impossible")
    at.when(entry("B", "attack_made", **attack)).then_refused("KS-17")
    chosen = table(**{"loss.order": "defender_chooses"}).after(*to_act("A"))
    chosen.when(entry("B", "attack_made", **attack, target_order=["1"])).then_refused("KS-17")
    chosen.when(entry("B", "attack_made", **attack, target_order=["level 1"])).then_refused("U-7", "impossible")


@pytest.mark.parametrize("pieces", ["", [], [""], -1, ["a", "a"]])
def test_pieces_taken_away_are_something(pieces: Any) -> None:
    """8.4: an empty text, an empty list, one with an element twice and a number below 0 are U-7, before all else."""
    at = table()
    gone = entry(None, "custom_pieces_removed", "referee", kingdom="B", pieces=pieces)
    at.when(gone).then_refused("U-7", "impossible")
    at.when(entry(None, "custom_pieces_removed", "referee", kingdom="B", pieces=["banner"])).then_refused("U-6")


@pytest.mark.parametrize(
    ("data", "rule", "kind"),
    [
        ({"seats": [{"seat": "A", "name": "Ada"}]}, "KSH-01", "irregular"),
        ({"options": {"end.round": 6}}, "KSH-83", "irregular"),
        ({"seats": "AB"}, "U-7", "impossible"),
    ],
)
def test_a_header_amended_against_a_rule_is_irregular_and_one_that_cannot_be_read_impossible(
    data: dict[str, Any], rule: str, kind: str
) -> None:
    """8.5: a finding with U-1 or U-7 is impossible, with any other rule irregular."""
    table().when(entry(None, "event_amended", target_seq=0, data=data)).then_refused(rule, kind)
