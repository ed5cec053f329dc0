"""Turns and rounds: the start, the phases, what the end of a turn brings, penalties that take turns and points (4.3, 8.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.given import Entry, Then, entry
from tests.rulesengine.kingsquare.realm import (
    adjust,
    build,
    empty,
    founded,
    ruin,
    start,
    table,
    to_act,
    turn,
    turns,
)


def here(then: Then) -> tuple[Any, ...]:
    """Return where the match stands."""
    return then.get("round"), then.get("turn_kingdom"), then.get("phase")


def skip(seat: str) -> Entry:
    return entry(None, "turn_skipped", "referee", kingdom=seat)


# The start


def test_ks_02_a_match_does_not_start_before_every_kingdom_has_its_capital() -> None:
    found = empty().after(*founded("A")).when(start()).then_refused("KS-02")
    assert "B" in found.message


def test_ks_02_a_kingdom_disqualified_before_the_start_needs_no_capital() -> None:
    out = entry(None, "penalty_given", "referee", seat="A", kind="disqualification")
    then = empty("ABC").after(out, *founded("B", "C")).when(start()).then_clean()
    assert here(then) == (1, "B", "produce")


def test_a_match_starts_in_round_1_with_the_first_seat_in_phase_produce() -> None:
    then = empty().after(*founded("A", "B")).when(start()).then_clean()
    assert (then.get("status"), *here(then)) == ("running", 1, "A", "produce")
    assert (then.get("ap_total"), then.get("ap_spent")) == (0, 0)


def test_before_the_start_there_is_neither_phase_nor_turn() -> None:
    then = empty().when(*founded("A"))
    assert (then.get("status"), *here(then)) == ("setup", 0, None, None)


@pytest.mark.parametrize(
    "early",
    [
        entry("A", "phase_advanced", to="move"),
        entry("A", "turn_ended"),
        skip("A"),
        entry(None, "match_paused", "scribe"),
        entry("A", "king_upgraded", to_level=2),
        entry("A", "player_resigned"),
        entry(None, "time_called", "mapmaster", agreed=["A", "B"]),
        entry("A", "alliance_proposed", alliance="al", to_kingdom="B"),
    ],
    ids=lambda one: one[1],
)
def test_u_1_before_the_start_nothing_is_played(early: Entry) -> None:
    empty().after(*founded("A", "B")).when(early).then_refused("U-1", "impossible")


def test_u_1_a_match_starts_once() -> None:
    table().when(start()).then_refused("U-1", "impossible")


# Phases


def test_the_phases_are_produce_move_act() -> None:
    at = table()
    assert here(at.when(entry("A", "phase_advanced", to="move")).then_clean()) == (1, "A", "move")
    assert here(at.when(*to_act("A")).then_clean()) == (1, "A", "act")


@pytest.mark.parametrize("to", ["act", "produce", "build"])
def test_ks_17_no_phase_is_left_out(to: str) -> None:
    table().when(entry("A", "phase_advanced", to=to)).then_refused("KS-17")


@pytest.mark.parametrize("to", ["produce", "move", "act"])
def test_ks_17_after_the_act_phase_the_turn_ends(to: str) -> None:
    found = table().after(*to_act("A")).when(entry("A", "phase_advanced", to=to)).then_refused("KS-17")
    assert found.nearest == "turn_ended"


@pytest.mark.parametrize("far", [[], [entry("A", "phase_advanced", to="move")]], ids=["produce", "move"])
def test_ks_17_a_turn_ends_in_the_act_phase(far: list[Entry]) -> None:
    table().after(*far).when(entry("A", "turn_ended")).then_refused("KS-17")


def test_ks_17_only_the_kingdom_on_turn_advances_and_ends() -> None:
    table().when(entry("B", "phase_advanced", to="move")).then_refused("KS-17")
    table().after(*to_act("A")).when(entry("B", "turn_ended")).then_refused("KS-17")


def test_ks_18_barracks_produce_before_the_move_phase() -> None:
    at = _with_barracks()
    found = at.when(entry("A", "phase_advanced", to="move")).then_refused("KS-18")
    assert "bA" in found.message
    at.when(entry("A", "production_waived", building="bA"), entry("A", "phase_advanced", to="move")).then_clean()
    made = entry("A", "troops_produced", building="bA", count=1, soldier_level=0, army="A1")
    at.when(made, entry("A", "phase_advanced", to="move")).then_clean()


def test_ks_18_barracks_that_do_not_work_are_not_waited_for() -> None:
    at = _with_barracks()
    at.when(adjust("buildings.bA.damage", 0, 10), entry("A", "phase_advanced", to="move")).then_clean()


def test_ks_18_barracks_of_others_are_not_waited_for() -> None:
    _with_barracks().after(entry("A", "production_waived", building="bA"), *turn("A")).when(
        entry("B", "phase_advanced", to="move")
    ).then_clean()


def _with_barracks(**more: Any) -> Any:
    """Return a table in round 2 where A has Barracks bA and nothing else is done."""
    first = turn("A", build("A", "mA", "lumber_mill"), build("A", "bA", "barracks"))
    return table(**{"slots.enabled": "no"}, **more).after(*first, *turns("B"))


def test_param_production_strict_no_lets_production_be_forgotten() -> None:
    _with_barracks().when(entry("A", "phase_advanced", to="move")).then_refused("KS-18")
    _with_barracks(**{"production.strict": "no"}).when(entry("A", "phase_advanced", to="move")).then_clean()


def test_ksh_15_forgotten_production_is_never_made_up_later() -> None:
    at = _with_barracks(**{"production.strict": "no"})
    made = entry("A", "troops_produced", building="bA", count=1, soldier_level=0, army="A1")
    at.when(entry("A", "phase_advanced", to="move"), made).then_refused("KS-17")


def test_entering_the_act_phase_grants_the_points_of_the_turn() -> None:
    then = table().when(*to_act("A")).then("ap_granted", id="A")
    assert (then.get("ap_total"), then.get("ap_spent")) == (2, 0)


def test_ksh_07_points_are_those_of_the_entry_into_the_act_phase_and_unspent_ones_are_lost() -> None:
    at = table(**{"slots.enabled": "no"}).after(*to_act("A"), adjust("buildings.fA.kind", "farm", "embassy"))
    assert at.when(entry("A", "king_upgraded", to_level=2)).get("ap_total") == 2
    then = at.when(entry("A", "turn_ended"), *turns("B"), *to_act("A"))
    assert then.get("ap_total") == 3


def test_param_ap_carry_keeps_points_for_the_next_turn() -> None:
    assert table().when(*turns("A", "B"), *to_act("A")).get("ap_total") == 2
    assert table(**{"ap.carry": 1}).when(*turns("A", "B"), *to_act("A")).get("ap_total") == 3
    kept = table(**{"ap.carry": 3})
    assert kept.when(*turns("A", "B"), *to_act("A")).get("ap_total") == 4
    spent = kept.after(*turn("A", entry("A", "king_upgraded", to_level=2)), *turns("B"))
    assert spent.when(*to_act("A")).get("ap_total") == 3
    assert kept.when(*turns("A", "B", "A", "B"), *to_act("A")).get("ap_total") == 5


# The end of a turn


def test_the_turn_passes_in_order_and_the_round_ends_after_the_last() -> None:
    at = table("ABC")
    assert here(at.when(*turns("A")).then_clean()) == (1, "B", "produce")
    assert here(at.when(*turns("A", "B", "C")).then_clean()) == (2, "A", "produce")


def test_what_is_used_up_in_a_turn_is_back_when_the_kingdoms_next_turn_begins() -> None:
    waived = entry("A", "production_waived", building="bA")
    moved = entry("A", "unit_moved", units=["king:A"], to={"field": "hill"}, off_ft10=10, on_ft10=0, mode="land")
    at = _with_barracks().after(waived, entry("A", "phase_advanced", to="move"), moved)
    at = at.after(entry("A", "phase_advanced", to="act"), entry("A", "turn_ended"))
    during = at.when(*to_act("B"))
    assert (during.get("kingdoms.A.king.moved"), during.get("buildings.bA.produced")) == (True, True)
    assert (during.get("ap_total"), during.get("ap_spent")) == (2, 0)
    back = at.when(*turns("B"))
    assert (back.get("kingdoms.A.king.moved"), back.get("buildings.bA.produced")) == (False, False)
    assert (back.get("ap_total"), back.get("ap_spent")) == (0, 0)


def test_an_eliminated_kingdom_is_skipped() -> None:
    at = table("ABC").after(entry("B", "player_resigned"))
    assert here(at.when(*turns("A")).then_clean()) == (1, "C", "produce")


def test_a_kingdom_on_turn_that_is_eliminated_ends_its_turn_at_once() -> None:
    at = table("ABC").after(*to_act("A"))
    assert here(at.when(entry("A", "player_resigned")).then_clean()) == (1, "B", "produce")
    last = table("ABC").after(*turns("A", "B"))
    assert here(last.when(entry("C", "player_resigned")).then_clean()) == (2, "A", "produce")


def test_the_turn_of_an_eliminated_kingdom_passes_while_the_match_is_paused() -> None:
    out = entry(None, "penalty_given", "referee", seat="A", kind="disqualification")
    then = table("ABC").after(entry(None, "match_paused", "scribe")).when(out).then_clean()
    assert (then.get("status"), *here(then)) == ("paused", 1, "B", "produce")


@pytest.mark.parametrize(
    ("how", "second", "third"),
    [("seat", "ABC", "ABC"), ("reverse_each_round", "CBA", "ABC"), ("rotate_first", "BCA", "CAB")],
)
def test_param_turn_order_may_change_from_round_to_round(how: str, second: str, third: str) -> None:
    at = table("ABC", **{"turn.order": how})
    then = at.when(*turns(*"ABC"))
    assert (then.get("turn_order"), then.get("turn_kingdom")) == (list(second), second[0])
    then = at.when(*turns(*"ABC", *second)).then_clean()
    assert (then.get("turn_order"), then.get("turn_kingdom"), then.get("round")) == (list(third), third[0], 3)


def test_param_turn_order_is_that_of_the_seats_by_default() -> None:
    assert table("ABC").when(*turns(*"ABC")).get("turn_order") == ["A", "B", "C"]


def test_ksh_02_a_spelled_out_turn_is_compared_with_the_order() -> None:
    at = table()
    at.when(entry(None, "turn_started", kingdom="A", round=1)).then_clean()
    found = at.when(entry(None, "turn_started", kingdom="B", round=1)).findings
    assert [(one.rule, one.kind) for one in found] == [("KSH-02", "observed")]
    found = at.when(entry(None, "turn_started", kingdom="A", round=2)).findings
    assert [(one.rule, one.kind) for one in found] == [("KSH-02", "observed")]


# Skipped and lost turns


@pytest.mark.parametrize(
    "far", [[], [entry("A", "phase_advanced", to="move")], to_act("A")], ids=["produce", "move", "act"]
)
def test_a_turn_is_skipped_in_any_phase(far: list[Entry]) -> None:
    assert here(table().after(*far).when(skip("A")).then_clean()) == (1, "B", "produce")


def test_ks_17_only_the_turn_that_is_on_is_skipped() -> None:
    table().when(skip("B")).then_refused("KS-17")


def test_u_7_the_turn_of_nobody_is_not_skipped() -> None:
    table().when(skip("X")).then_refused("U-7", "impossible")


def test_a_skipped_turn_keeps_no_points() -> None:
    at = table(**{"ap.carry": 3})
    assert at.when(skip("A"), *turns("B"), *to_act("A")).get("ap_total") == 2


def test_a_lost_turn_ends_at_once_with_all_that_its_end_brings() -> None:
    lost = entry(None, "penalty_given", "referee", seat="B", kind="turn_loss")
    proposed = entry("B", "alliance_proposed", alliance="al", to_kingdom="C")
    allied = [proposed, entry("C", "alliance_accepted", alliance="al"), entry("B", "alliance_ended", alliance="al")]
    at = table("ABC").after(*allied, lost)
    before = at.when(*to_act("A"))
    assert (before.get("kingdoms.B.turn_loss"), before.get("alliances.al.status")) == (1, "ending")
    then = at.when(*turns("A")).then_clean()
    assert here(then) == (1, "C", "produce")
    assert (then.get("kingdoms.B.turn_loss"), then.get("alliances.al.status")) == (0, "ended")


def test_lost_turns_add_up() -> None:
    lost = [entry(None, "penalty_given", "referee", seat="B", kind="turn_loss", value=value) for value in (1, 2)]
    at = table().after(*lost)
    then = at.when(*turns("A", "A", "A")).then_clean()
    assert (*here(then), then.get("kingdoms.B.turn_loss")) == (4, "A", "produce", 0)
    assert here(at.when(*turns("A", "A", "A", "A")).then_clean()) == (4, "B", "produce")


def test_the_first_turn_of_a_match_may_be_lost() -> None:
    lost = [entry(None, "penalty_given", "referee", seat=seat, kind="turn_loss") for seat in "AB"]
    at = empty().after(*founded("A", "B"))
    assert here(at.after(lost[0]).when(start()).then_clean()) == (1, "B", "produce")
    assert here(at.after(*lost).when(start()).then_clean()) == (2, "A", "produce")


def test_a_turn_that_is_on_is_not_lost_any_more() -> None:
    lost = entry(None, "penalty_given", "referee", seat="A", kind="turn_loss")
    at = table().after(lost)
    assert here(at.when(*turns("A", "B")).then_clean()) == (2, "B", "produce")


def test_very_many_lost_turns_of_everybody_pass_in_no_time() -> None:
    lost = [entry(None, "penalty_given", "referee", seat=seat, kind="turn_loss", value=10**12) for seat in "AB"]
    then = table().after(*lost).when(*turns("A")).then_clean()
    assert (*here(then), then.get("kingdoms.B.turn_loss")) == (10**12 + 1, "B", "produce", 0)


def test_the_round_limit_stops_lost_turns() -> None:
    lost = [entry(None, "penalty_given", "referee", seat=seat, kind="turn_loss", value=50) for seat in "AB"]
    then = table(**{"end.rounds": 7}).after(*lost).when(*turns("A")).then_clean()
    assert (then.get("status"), then.get("round"), then.get("kingdoms.A.turn_loss")) == ("ended", 7, 44)


def test_lost_points_are_taken_once_from_the_next_act_phase() -> None:
    lost = [entry(None, "penalty_given", "referee", seat="A", kind="ap_loss", value=1) for _ in range(2)]
    assert table().after(lost[0]).when(*to_act("A")).then("ap_granted", id="A").get("ap_total") == 1
    both = table().after(*lost, *to_act("A"))
    then = both.when(entry(None, "penalty_given", "referee", seat="A", kind="warning"))
    assert (then.get("ap_total"), then.get("kingdoms.A.ap_loss")) == (0, 0)
    assert both.when(entry("A", "turn_ended"), *turns("B"), *to_act("A")).get("ap_total") == 2


def test_no_more_points_are_lost_than_there_are() -> None:
    lost = entry(None, "penalty_given", "referee", seat="A", kind="ap_loss", value=9)
    then = table().after(lost).when(*to_act("A"))
    assert (then.get("ap_total"), then.get("kingdoms.A.ap_loss")) == (0, 0)


# Who can govern


def test_ksh_76_without_a_standing_castle_a_kingdom_is_out_at_the_end_of_the_turn() -> None:
    at = table("ABC").after(*to_act("A"), ruin("CC"))
    assert at.when(entry("A", "king_upgraded", to_level=2)).get("kingdoms.C.status") == "playing"
    then = at.when(entry("A", "turn_ended")).then_clean().then("kingdom_eliminated", id="C")
    assert then.get("kingdoms.C.eliminated_cause") == "cannot_govern"
    assert here(then) == (1, "B", "produce")


def test_ksh_76_a_castle_put_right_before_the_end_of_the_turn_governs() -> None:
    at = table("ABC").after(
        *to_act("A"), ruin("CA"), entry("A", "structure_repaired", target={"kind": "castle", "id": "CA"})
    )
    assert at.when(entry("A", "turn_ended")).then_clean().get("kingdoms.A.status") == "playing"


def test_ksh_76_all_who_cannot_govern_are_out_together_before_the_next_turn_begins() -> None:
    then = table("ABCD").after(*to_act("A"), ruin("CB"), ruin("CC")).when(entry("A", "turn_ended")).then_clean()
    assert here(then) == (1, "D", "produce")
    assert then.get("kingdoms.B.eliminated_seq") == then.get("kingdoms.C.eliminated_seq") == len(then.log.lines)


def _two_castles(**more: Any) -> Any:
    """Return a table in A's Act phase where B has the Capital CB and a second Castle C9."""
    second = entry("B", "castle_founded", castle="C9", at={"field": "moor"}, king_distance_ft10=10)
    return table("ABC", **more).after(*turns("A"), *turn("B", second), *turns("C"), *to_act("A"))


def test_param_govern_rule_says_which_castles_govern() -> None:
    fallen = ruin("CB")
    by_default = _two_castles().when(fallen, entry("A", "turn_ended"))
    assert by_default.get("kingdoms.B.status") == "playing"
    strict = _two_castles(**{"govern.rule": "capital_only"}).when(fallen, entry("A", "turn_ended"))
    assert strict.get("kingdoms.B.status") == "eliminated"
    both = (fallen, ruin("C9"), entry("A", "turn_ended"))
    assert _two_castles().when(*both).get("kingdoms.B.status") == "eliminated"
    assert _two_castles(**{"govern.rule": "referee"}).when(*both).get("kingdoms.B.status") == "playing"


def test_param_capital_succession_none_makes_the_capital_govern_alone() -> None:
    fallen = (ruin("CB"), entry("A", "turn_ended"))
    assert _two_castles().when(*fallen).get("kingdoms.B.status") == "playing"
    assert _two_castles(**{"capital.succession": "none"}).when(*fallen).get("kingdoms.B.status") == "eliminated"


# Pauses


def test_a_paused_match_goes_on_where_it_was() -> None:
    at = table().after(*to_act("A"), entry(None, "match_paused", "mapmaster", reason="lunch"))
    then = at.when(entry("A", "king_upgraded", to_level=2)).then_refused("U-1", "impossible")
    assert "paused" in then.message
    on = at.when(entry(None, "match_resumed", "scribe"), entry("A", "king_upgraded", to_level=2)).then_clean()
    assert (on.get("status"), *here(on)) == ("running", 1, "A", "act")


def test_u_1_only_a_running_match_pauses_and_only_a_paused_one_resumes() -> None:
    table().when(entry(None, "match_resumed", "scribe")).then_refused("U-1", "impossible")
    at = table().after(entry(None, "match_paused", "scribe"))
    at.when(entry(None, "match_paused", "scribe")).then_refused("U-1", "impossible")


@pytest.mark.parametrize("type_", ["match_started", "match_paused", "match_resumed"])
def test_u_6_start_and_pauses_are_the_officials(type_: str) -> None:
    at = empty().after(*founded("A", "B")) if type_ == "match_started" else table()
    if type_ == "match_resumed":
        at = at.after(entry(None, "match_paused", "scribe"))
    at.when(entry(None, type_, "referee")).then_refused("U-6")


# Form: whose event it is, and what the table saw


def test_u_7_an_event_of_a_kingdom_names_a_seat_of_the_header() -> None:
    table().when(entry(None, "phase_advanced", to="move")).then_refused("U-7", "impossible")
    table().when(entry("X", "phase_advanced", to="move")).then_refused("U-7", "impossible")
    table().when(entry("X", "dispute_opened", about_seq=1)).then_refused("U-7", "impossible")


def test_a_seat_on_an_event_of_officials_is_not_read() -> None:
    for seat in ("A", "X"):
        table().when(entry(seat, "match_paused", "scribe")).then_clean()
        table().when(entry(seat, "draw_agreed", seats=["A", "B"])).then_clean()


def test_u_7_only_battles_have_an_outcome_to_see() -> None:
    table().when(entry("A", "phase_advanced", to="move", observed={"net": 1})).then_refused("U-7", "impossible")
    attack = {"attackers": ["king:A"], "target": {"kind": "building", "id": "fB"}, "distances_ft10": {"king:A": 1}}
    at = table().after(*to_act("A"))
    at.when(entry("A", "attack_made", **attack, observed={"net": 0, "returned": 0})).then_clean()
    for seen in ({"net": -1}, {"net": True}, {"returned": "2"}, {"luck": 6}, "nothing", []):
        at.when(entry("A", "attack_made", **attack, observed=seen)).then_refused("U-7", "impossible")


def test_an_accepted_phase_that_does_not_exist_leaves_the_phase() -> None:
    at = table()
    nap = entry("A", "phase_advanced", to="nap")
    at.when(nap).then_refused("KS-17")
    accepted = entry(None, "illegal_state_accepted", "referee", seqs=[len(at.log.lines) + 1])
    assert here(at.when(nap, accepted).then_clean()) == (1, "A", "produce")
