"""Corrections (4.9, 8.6, KSH-88): what each does and what refuses it; what a referee's acceptance leaves behind (8.5)."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Sequence
from typing import Any

import pytest

from rulesengine.corrections import plan
from rulesengine.registry import ruleset_of
from tests.rulesengine.given import Entry, Given, Then, entry, header, log_of
from tests.rulesengine.kingsquare.realm import adjust, build, empty, founded, ruin, start, table, to_act, turn, turns

OUT_OF_TIME = entry(None, "draw_agreed", seats=["A", "B"])
CONFIRM = entry(None, "placements_confirmed", "referee")


def void(seq: int, role: str | None = "referee", **more: Any) -> Entry:
    return entry(None, "event_voided", role, target_seq=seq, **more)


def amend(seq: int, data: dict[str, Any], role: str | None = "referee", **more: Any) -> Entry:
    return entry(None, "event_amended", role, target_seq=seq, data=data, **more)


def withdraw(seq: int, role: str | None = "scribe", **more: Any) -> Entry:
    return entry(None, "event_withdrawn", role, target_seq=seq, **more)


def accept(*seqs: int, role: str | None = "referee", **more: Any) -> Entry:
    return entry(None, "illegal_state_accepted", role, seqs=list(seqs), **more)


def override(seq: int, net: int, returned: int, role: str | None = "referee", **more: Any) -> Entry:
    return entry(None, "result_overridden", role, battle_seq=seq, outcome={"net": net, "returned": returned}, **more)


def last(given: Given) -> int:
    """Return the seq of the last entry."""
    return len(given.log.lines)


UP = entry("A", "king_upgraded", to_level=2)


# Withdrawn


def test_a_withdrawn_entry_is_skipped_and_its_points_are_back() -> None:
    at = table().after(*to_act("A"), UP)
    then = at.when(withdraw(last(at))).then_clean()
    assert (then.get("kingdoms.A.king.level"), then.get("ap_spent")) == (1, 0)


def test_entries_of_the_phase_are_withdrawn_one_after_the_other() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"), UP)
    then = at.when(withdraw(last(at)), withdraw(last(at) - 1)).then_clean()
    assert (list(then.get("buildings")), then.get("ap_spent")) == (["fA", "fB"], 0)


def test_ksh_88_only_the_last_entry_is_withdrawn() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"), UP)
    found = at.when(withdraw(last(at) - 1)).then_refused("KSH-88")
    assert f"seq {last(at)}" in (found.nearest or "")
    twice = at.after(withdraw(last(at)))
    twice.when(withdraw(last(at))).then_refused("KSH-88")


@pytest.mark.parametrize(
    "ends",
    [[], to_act("A")[:1], to_act("A"), turn("A"), [*to_act("A"), entry(None, "turn_skipped", "referee", kingdom="A")]],
    ids=["match_started", "to move", "to act", "turn_ended", "turn_skipped"],
)
def test_ksh_88_what_begins_or_ends_a_phase_is_not_withdrawn(ends: list[Entry]) -> None:
    at = table().after(*ends)
    at.when(withdraw(last(at))).then_refused("KSH-88")


def test_ksh_88_nothing_of_an_earlier_phase_is_withdrawn() -> None:
    at = table().after(*to_act("A"), UP)
    at.after(entry("A", "turn_ended")).when(withdraw(last(at))).then_refused("KSH-88")


def test_a_withdrawal_looks_past_disputes_rulings_penalties_and_corrections() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"), UP)
    seq = last(at)
    between = [
        entry("B", "dispute_opened", about_seq=seq),
        entry(None, "ruling_given", "referee", about_seq=seq),
        entry(None, "penalty_given", "referee", seat="B", kind="warning"),
        adjust("kingdoms.B.ap_loss", 0, 0),
        void(seq - 1),
    ]
    for count in range(len(between) + 1):
        then = at.after(*between[:count]).when(withdraw(seq))
        # the set value of a voided entry's points is another: only who may be withdrawn is asked here
        assert "KSH-88" not in {one.rule for one in then.findings if one.type == "event_withdrawn"}
        assert then.get("kingdoms.A.king.level") == 1


def test_ksh_88_disputes_and_penalties_are_not_themselves_withdrawn() -> None:
    for event in (
        entry("B", "dispute_opened", about_seq=1),
        entry(None, "ruling_given", "referee"),
        entry(None, "penalty_given", "referee", seat="B", kind="ap_loss"),
        adjust("ap_spent", 0, 1),
    ):
        at = table().after(*to_act("A"), event)
        at.when(withdraw(last(at))).then_refused("KSH-88")


def test_thousands_of_withdrawals_and_confirmations_are_read_in_one_pass() -> None:
    many = 3000
    head = header(game="kingsquare")
    treaty = entry("A", "treaty_noted", kingdoms=["B"], text="peace")
    back = [withdraw(seq) for seq in range(many, 0, -1)]
    again = [CONFIRM] * many + [void(1)] * many
    ruleset = ruleset_of(head)
    began = time.process_time()
    told = plan(log_of(head, *[treaty] * many, *back), ruleset)
    confirmed = plan(log_of(head, *again), ruleset)
    assert time.process_time() - began < 1.5
    assert (len(told.withdrawn), len(confirmed.refused)) == (many, many)


def test_what_was_voided_before_is_no_last_entry_any_more() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"), UP)
    then = at.after(void(last(at))).when(withdraw(last(at) - 1)).then_clean()
    assert list(then.get("buildings")) == ["fA", "fB"]


@pytest.mark.parametrize("target", [0, 7, 99])
def test_u_7_only_an_earlier_entry_is_withdrawn(target: int) -> None:
    at = table().after(*to_act("A"), UP)
    assert last(at) == 6
    at.when(withdraw(target)).then_refused("U-7", "impossible")


# Voided


def test_a_voided_entry_is_skipped_from_its_place_on() -> None:
    at = table().after(*turn("A", UP), *turns("B"))
    seq = next(line.seq for line in at.log.lines if line.type == "king_upgraded")
    then = at.when(void(seq, scribe_error=True, reported_by="king-A")).then_clean()
    assert then.get("kingdoms.A.king.level") == 1


def test_later_entries_that_no_longer_pass_are_listed() -> None:
    castle = entry("A", "castle_upgraded", castle="CA", to_level=2)
    at = table().after(*to_act("A"), UP, castle)
    seq = last(at)
    at.when(void(seq - 1)).then_found((seq, "KS-28", "irregular"))


def test_the_id_of_a_voided_piece_is_free() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"))
    at.after(void(last(at))).when(build("A", "mA", "lumber_mill")).then_clean()


@pytest.mark.parametrize("make", [void, lambda seq: amend(seq, {})])
def test_ksh_88_a_correction_is_not_itself_corrected(make: Any) -> None:
    at = table().after(*to_act("A"), UP)
    for correction in (void(last(at)), amend(last(at), {"to_level": 2}), adjust("ap_spent", 1, 2), accept(last(at))):
        on = at.after(correction)
        on.when(make(last(on))).then_refused("KSH-88")


@pytest.mark.parametrize("target", [0, 7, 99])
def test_u_7_only_an_earlier_entry_is_voided(target: int) -> None:
    at = table().after(*to_act("A"), UP)
    at.when(void(target)).then_refused("U-7", "impossible")


def test_a_refused_correction_has_no_effect() -> None:
    at = table().after(*to_act("A"), UP)
    for correction in (
        void(last(at), "scribe"),
        void(last(at), "mapmaster"),
        void(last(at), surprise=1),
        amend(last(at), {"to_level": 3}, "scribe"),
        withdraw(last(at), "referee"),
        accept(last(at), role="organizer"),
    ):
        then = at.when(correction)
        assert [one.rule for one in then.findings] in (["U-6"], ["U-7"])
        assert then.get("kingdoms.A.king.level") == 2


@pytest.mark.parametrize(
    "correction",
    [void(6, "scribe"), amend(6, {}, "mapmaster"), withdraw(6, "referee"), accept(6, role="scribe"), override(6, 0, 0, "scribe"),
     entry(None, "state_adjusted", "mapmaster", path="ap_spent", old=1, new=0)],
    ids=lambda one: one[1],
)  # fmt: skip
def test_u_6_corrections_are_the_referees_and_withdrawals_the_scribes(correction: Entry) -> None:
    table().after(*to_act("A"), UP).when(correction).then_refused("U-6")


def test_corrections_without_a_role_are_those_of_whom_they_belong_to() -> None:
    at = table().after(*to_act("A"), UP)
    at.when(withdraw(last(at), None)).then_clean()
    at.when(void(last(at), None)).then_clean()


def test_corrections_may_be_made_in_any_status() -> None:
    for at in (
        empty().after(*founded("A")),
        table().after(entry(None, "match_paused", "scribe")),
        table().after(OUT_OF_TIME),
        table().after(entry(None, "match_abandoned", "organizer")),
    ):
        at.when(adjust("castles.CA.level", 1, 2)).then_clean()


# After the confirmation


@pytest.mark.parametrize(
    "make",
    [void, lambda seq, **more: amend(seq, {"to_level": 2}, **more)],
    ids=["event_voided", "event_amended"],
)
def test_ksh_88_after_the_confirmation_a_correction_says_who_approved_it(make: Any) -> None:
    at = table().after(*to_act("A"), UP)
    seq = last(at)
    ended = at.after(OUT_OF_TIME)
    ended.when(make(seq)).then_clean()
    confirmed = ended.after(CONFIRM)
    confirmed.when(make(seq)).then_refused("KSH-88")
    confirmed.when(make(seq, approved_by="rex")).then_clean()


def test_a_correction_before_the_confirmation_needs_no_approval_afterwards() -> None:
    at = table().after(*to_act("A"), UP)
    at.after(void(last(at)), OUT_OF_TIME).when(CONFIRM).then_clean()


def test_a_correction_after_the_end_changes_the_result() -> None:
    at = table(**{"end.minutes": 1}).after(*to_act("A"), UP)
    seq = last(at)
    at = at.after(entry("A", "turn_ended"), entry(None, "time_called", "mapmaster"), *turns("B"))
    places = [one["place"] for one in at.when(CONFIRM).report.as_json()["placements"]]
    assert places == [1, 2]
    then = at.when(void(seq), CONFIRM).then_clean()
    assert [one["place"] for one in then.report.as_json()["placements"]] == [1, 1]


# Amended


def test_an_amended_entry_is_replayed_with_its_new_data_in_its_place() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"))
    new = {"building": "xA", "kind": "lumber_mill", "castle": "CA", "direct": False}
    then = at.when(amend(last(at), new)).then_clean()
    assert list(then.get("buildings")) == ["fA", "fB", "xA"]


def test_an_amended_entry_that_fails_has_the_finding_itself() -> None:
    at = table().after(*to_act("A"), UP)
    at.when(amend(last(at), {"to_level": 3})).then_refused("KSH-09", seq=last(at))
    at.when(amend(last(at), {"level": 2})).then_refused("U-7", "impossible", seq=last(at))


def test_of_two_amendments_the_later_counts() -> None:
    at = table().after(*to_act("A"), build("A", "mA", "lumber_mill"))
    row = {"kind": "lumber_mill", "castle": "CA", "direct": True}
    first, second = (amend(last(at), {"building": id_, **row}) for id_ in ("one", "two"))
    assert list(at.when(first, second).then_clean().get("buildings")) == ["fA", "fB", "two"]


@pytest.mark.parametrize("void_first", [True, False])
def test_a_voided_entry_stays_skipped_whatever_else_is_said_of_it(void_first: bool) -> None:
    at = table().after(*to_act("A"), UP)
    corrections = [void(last(at)), amend(last(at), {"to_level": 2})]
    then = at.when(*(corrections if void_first else corrections[::-1])).then_clean()
    assert then.get("kingdoms.A.king.level") == 1


def test_corrections_are_read_first_so_that_an_earlier_state_has_them_already() -> None:
    from rulesengine import replay

    at = table().after(*to_act("A"), UP)
    seq = last(at)
    log = at.after(entry("A", "turn_ended"), void(seq)).log
    assert replay.run(log, at=seq).state.kingdoms["A"].king.level == 1


@pytest.mark.parametrize("target", [7, 99])
def test_u_7_only_an_earlier_entry_is_amended(target: int) -> None:
    table().after(*to_act("A"), UP).when(amend(target, {"to_level": 2})).then_refused("U-7", "impossible")


# Values set by the referee


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("castles.CA.damage", 0, 4),
        ("castles.CA.is_capital", True, False),
        ("kingdoms.A.king.level", 1, 7),
        ("kingdoms.B.ap_loss", 0, 2),
        ("buildings.fB.level", 1, 2),
        ("ap_total", 2, 9),
        ("ap_spent", 0, 1),
        ("kingdoms.A.resources", {"wood": 0, "stone": 0, "food": 0}, {"wood": 1, "stone": 2, "food": 3}),
        ("armies", {}, {}),
    ],
)
def test_a_value_of_the_state_is_set_from_here_on(path: str, old: Any, new: Any) -> None:
    at = table().after(*to_act("A"))
    then = at.when(adjust(path, old, new)).then_clean()
    assert then.get(path) == new


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("round", 1, 2),
        ("status", "running", "ended"),
        ("turn_kingdom", "A", "B"),
        ("alliances", {}, {}),
        ("castles.C7.damage", 0, 1),
        ("castles.CA.walls", 0, 1),
        ("castles.CA.level.deep", 1, 2),
        ("castles.CA.level", 1, "2"),
        ("castles.CA.is_capital", True, 1),
        ("ap_spent", 0, False),
    ],
)
def test_u_7_a_value_that_is_not_there_or_of_another_type_is_not_set(path: str, old: Any, new: Any) -> None:
    table().after(*to_act("A")).when(adjust(path, old, new)).then_refused("U-7", "impossible")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("castles.CA.level", 1, 11),
        ("castles.CA.level", 1, 0),
        ("buildings.fA.level", 1, 11),
        ("buildings.fA.damage", 0, -1),
        ("kingdoms.A.king.level", 1, 0),
        ("ap_spent", 0, -1),
    ],
)
def test_u_7_no_figure_is_set_out_of_its_range(path: str, old: int, new: int) -> None:
    table().when(adjust(path, old, new)).then_refused("U-7", "impossible")


def test_what_a_referee_accepted_out_of_range_does_not_keep_him_from_setting_something_else() -> None:
    at = _acting()
    high = [_castle("CA", 11), _up("fA", 12)]
    both = (*high, accept(last(at) + 1, last(at) + 2))
    then = at.when(*both, adjust("castles.CA.damage", 0, 5)).then_clean()
    assert (then.get("castles.CA.level"), then.get("buildings.fA.level")) == (11, 12)
    assert then.get("castles.CA.damage") == 5
    view = then.told.ruleset.view(then.told.state)
    assert then.told.ruleset.view(then.told.ruleset.load(then.log.header, view)) == view


def test_ksh_88_the_old_value_must_be_the_present_one() -> None:
    at = table().after(*to_act("A"))
    at.when(adjust("castles.CA.level", 2, 3)).then_refused("KSH-88")
    at.when(adjust("castles.CA.level", 2, "3")).then_refused("U-7", "impossible")
    at.when(adjust("castles.CA.level", 1, 3)).then_clean()


def test_a_refused_setting_has_no_effect() -> None:
    assert table().when(adjust("castles.CA.level", 2, 3)).get("castles.CA.level") == 1


def test_after_a_setting_the_match_may_be_over() -> None:
    then = table().when(adjust("kingdoms.B.status", "playing", "eliminated")).then_clean()
    assert then.get("status") == "ended"


# Battles decided by the referee


@functools.cache
def _before_battle() -> Given:
    """Return A's Act phase: A has ten soldiers in the Territory of CB, B four there."""
    made = [
        entry(seat, "troops_produced", building=f"b{seat}", count=1, soldier_level=0, army=f"{seat}1") for seat in "AB"
    ]
    works = {seat: [build(seat, f"m{seat}", "lumber_mill"), build(seat, f"b{seat}", "barracks")] for seat in "AB"}
    at = table(**{"slots.enabled": "no"}).after(*turn("A", *works["A"]), *turn("B", *works["B"]))
    at = at.after(made[0], *turn("A"), made[1], *turn("B"), entry("A", "production_waived", building="bA"))
    set_up = [
        adjust("armies.A1.stacks", {"0": 1}, {"0": 10}),
        adjust("armies.A1.at", {"castle": "CA"}, {"castle": "CB"}),
        adjust("armies.B1.stacks", {"0": 1}, {"0": 4}),
        adjust("kingdoms.B.king.at", {"castle": "CB"}, {"field": "hill"}),
    ]
    return at.after(*to_act("A"), *set_up)


ATTACK = entry("A", "attack_made", attackers=["A1"], target={"kind": "building", "id": "bB"})


def test_without_a_word_of_the_referee_the_battle_is_as_computed() -> None:
    then = _before_battle().when(ATTACK).then_clean()
    assert (then.get("buildings.bB.damage"), then.get("armies.A1.stacks")) == (7, {"0": 8})  # 10 - fabric 3; half of 4


def test_the_outcome_of_the_referee_replaces_the_computed_one() -> None:
    at = _before_battle().after(ATTACK)
    then = at.when(override(last(at), 5, 1)).then_clean()
    assert (then.get("buildings.bB.damage"), then.get("armies.A1.stacks")) == (5, {"0": 9})


def test_an_outcome_may_be_nothing_at_all_or_all_there_was() -> None:
    at = _before_battle().after(ATTACK)
    none = at.when(override(last(at), 0, 0)).then_clean()
    assert (none.get("buildings.bB.damage"), none.get("armies.A1.stacks"), none.get("pressed")) == (0, {"0": 10}, [])
    most = at.when(override(last(at), 10, 4)).then_clean()
    assert (most.get("buildings.bB.damage"), most.get("armies.A1.stacks")) == (10, {"0": 6})


@pytest.mark.parametrize(("net", "returned"), [(11, 0), (0, 5)])
def test_ksh_89_no_outcome_is_above_what_either_side_had(net: int, returned: int) -> None:
    at = _before_battle().after(ATTACK)
    then = at.when(override(last(at), net, returned))
    then.then_refused("KSH-89")
    assert (then.get("buildings.bB.damage"), then.get("armies.A1.stacks")) == (7, {"0": 8})


def test_u_7_only_a_battle_has_an_outcome() -> None:
    at = _before_battle()
    at.when(override(last(at), 0, 0)).then_refused("U-7", "impossible")
    at.when(override(3, 0, 0)).then_refused("U-7", "impossible")
    at.when(override(last(at) + 1, 0, 0)).then_refused("U-7", "impossible")


def test_u_7_a_battle_that_was_refused_has_no_outcome() -> None:
    refused = entry("A", "attack_made", attackers=["A1"], target={"kind": "castle", "id": "CB"})
    at = _before_battle()
    then = at.when(refused, override(last(at) + 1, 0, 0))
    then.then_found((last(at) + 1, "KS-71", "irregular"), (last(at) + 2, "U-7", "impossible"))


def test_ksh_89_the_count_of_the_table_is_compared_with_the_outcome_that_holds() -> None:
    counted = (*ATTACK[:3], {**ATTACK[3], "observed": {"net": 5, "returned": 1}})
    at = _before_battle()
    then = at.when(counted)
    then.then_refused("KSH-89", "observed")
    assert then.get("buildings.bB.damage") == 7
    assert then.report.accepted == then.report.events
    at.when(counted, override(last(at) + 1, 5, 1)).then_clean()


# What a referee accepts


def accepted(at: Given, event: Entry) -> Then:
    """Return what is found when a refused event is accepted."""
    return at.when(event, accept(last(at) + 1, reason="so it was played"))


def test_an_accepted_entry_costs_its_points_also_where_there_were_too_few() -> None:
    at = table().after(*to_act("A"), UP, build("A", "mA", "lumber_mill"))
    at.when(entry("A", "king_upgraded", to_level=3)).then_refused("KS-21")
    then = accepted(at, entry("A", "king_upgraded", to_level=3)).then_clean()
    assert (then.get("ap_total"), then.get("ap_spent"), then.get("kingdoms.A.king.level")) == (2, 3, 3)


def test_what_follows_from_an_irregular_entry_is_clean_once_it_is_accepted() -> None:
    events = [
        entry("A", "castle_upgraded", castle="CA", to_level=2),
        entry("A", "building_upgraded", building="fA", to_level=2),
    ]
    at = table().after(*to_act("A"))
    seq = last(at) + 1
    at.when(*events).then_found((seq, "KS-28", "irregular"), (seq + 1, "KS-29", "irregular"))
    at.when(*events, accept(seq)).then_clean()


def test_u_7_an_accepted_entry_that_is_impossible_stays_refused() -> None:
    at = table().after(*to_act("A"))
    event = build("B", "fA", "lumber_mill")
    at.when(event).then_refused("KS-17")
    accepted(at, event).then_refused("U-7", "impossible", seq=last(at) + 1)


def test_u_1_an_accepted_entry_of_the_wrong_status_stays_refused() -> None:
    at = table().after(OUT_OF_TIME)
    accepted(at, UP).then_refused("U-1", "impossible", seq=last(at) + 1)


def test_to_accept_what_is_legal_changes_nothing() -> None:
    at = table().after(*to_act("A"), UP)
    assert at.when(accept(last(at))).then_clean().get("kingdoms.A.king.level") == 2


@pytest.mark.parametrize("seqs", [(0,), (7,), (6, 99)])
def test_u_7_only_earlier_entries_are_accepted(seqs: Sequence[int]) -> None:
    at = table().after(*to_act("A"), UP)
    assert last(at) == 6
    at.when(accept(*seqs)).then_refused("U-7", "impossible")


def test_ksh_88_corrections_are_not_accepted() -> None:
    at = table().after(*to_act("A"), UP)
    refused = last(at) + 1
    then = at.when(adjust("castles.CA.level", 5, 6), accept(refused))
    then.then_found((refused, "KSH-88", "irregular"))
    assert then.get("castles.CA.level") == 1
    then = at.when(withdraw(1), accept(refused))
    then.then_found((refused, "KSH-88", "irregular"))
    assert list(then.get("castles")) == ["CA", "CB"]


def test_a_voided_entry_is_not_brought_back_by_accepting_it() -> None:
    at = table().after(*to_act("A"))
    wrong = entry("A", "king_upgraded", to_level=3)
    seq = last(at) + 1
    then = at.when(wrong, void(seq), accept(seq)).then_clean()
    assert then.get("kingdoms.A.king.level") == 1


# Each refused event that is irregular, and what it leaves behind once accepted


@functools.cache
def _rich() -> Given:
    """Return round 2, A's turn: A has the Capital CA 10 with everything, C9 on the moor; B has the Capital CB alone."""
    kinds = {"bA": "barracks", "hA": "harbor", "gA": "hangar", "tA": "trainyard", "eA": "embassy", "wA": "war_forge"}
    raised = [
        adjust("castles.CA.level", 1, 10),
        adjust("kingdoms.A.king.level", 1, 10),
        adjust("buildings.fA.level", 1, 10),
    ]
    mill = [build("A", "mA", "lumber_mill"), adjust("buildings.mA.level", 1, 5)]
    quarry = [build("A", "qA", "quarry"), adjust("buildings.qA.level", 1, 5)]
    pieces = [
        build("A", "xA", "barracks", direct=False),
        entry("A", "ship_built", ship="sA", harbor="hA"),
        entry("A", "plane_built", plane="pA", hangar="gA"),
        entry("A", "castle_founded", castle="C9", at={"field": "moor"}, king_distance_ft10=5, farm="f9"),
        entry("A", "road_laid", link="rB", kind="road", a="CA", b="j1", length_ft10=30),
    ]
    built = [build("A", id_, kind) for id_, kind in kinds.items()]
    ground = [
        entry(None, "terrain_placed", "mapmaster", terrain="t1", kind="impassable", label="cliff"),
        entry(
            None, "beast_placed", "mapmaster", beast="wolf", at={"castle": "CA"}, hidden=True, **{"class": "dangerous"}
        ),
        entry(None, "beast_placed", "mapmaster", beast="bear", at={"field": "cave"}, **{"class": "dangerous"}),
        entry(None, "site_placed", "mapmaster", site="s1", at={"castle": "CA"}, content="landmark"),
        entry(None, "site_placed", "mapmaster", site="den", at={"field": "cave"}, content="landmark"),
    ]
    options = {"ap.base": 50, "castle.max": 3, "road.max_ft10": 50}
    at = table("ABC", **options).after(*to_act("A"), *raised, *mill, *quarry, *built, *pieces, *ground)
    return at.after(entry("A", "turn_ended"), *turns("B", "C"))


@functools.cache
def _moving() -> Given:
    """Return the Move phase of :func:`_rich`, with A's army A1 of four soldiers of level 1 at CA."""
    made = entry("A", "troops_produced", building="bA", count=1, soldier_level=1, army="A1")
    more = adjust("armies.A1.stacks", {"1": 1}, {"1": 4})
    return _rich().after(made, more, entry("A", "phase_advanced", to="move"))


@functools.cache
def _acting() -> Given:
    """Return the Act phase of :func:`_rich`; the King of A is far away."""
    away = adjust("kingdoms.A.king.at", {"castle": "CA"}, {"field": "hill"})
    return _moving().after(entry("A", "phase_advanced", to="act"), away)


def _a(type_: str, **data: Any) -> Entry:
    return entry("A", type_, **data)


def _move(to: dict[str, Any], off: int, on: int = 0, **more: Any) -> Entry:
    return _a("unit_moved", units=["A1"], to=to, off_ft10=off, on_ft10=on, mode="land", **more)


def _troops(building: str, count: int, level: int, army: str = "A1") -> Entry:
    return _a("troops_produced", building=building, count=count, soldier_level=level, army=army)


def _up(building: str, level: int) -> Entry:
    return _a("building_upgraded", building=building, to_level=level)


def _castle(castle: str, level: int) -> Entry:
    return _a("castle_upgraded", castle=castle, to_level=level)


def _attack(kind: str, id_: str, **more: Any) -> Entry:
    return _a("attack_made", attackers=["A1"], target={"kind": kind, "id": id_}, **more)


def _district(kind: str, parent: str) -> Entry:
    return _a("district_founded", castle="D1", district_kind=kind, parent_castle=parent)


def _found(distance: int, at: dict[str, Any], id_: str = "C8") -> Entry:
    return _a("castle_founded", castle=id_, at=at, king_distance_ft10=distance)


NEAR = {"distances_ft10": {"A1": 10}}
BY_B = [entry("B", "alliance_proposed", alliance="al", to_kingdom="A"), entry("A", "alliance_accepted", alliance="al")]
ONE_ROAD = _a("road_laid", link="r7", kind="road", a="CA", b="j7", length_ft10=60)

PRODUCE: list[tuple[str, list[Entry], Entry, dict[str, Any]]] = [
    ("KS-18", [], _troops("bA", 5, 1), {"armies.A1.stacks": {"1": 5}, "buildings.bA.produced": True}),
    ("KS-18", [_troops("bA", 1, 1)], _troops("bA", 1, 1), {"armies.A1.stacks": {"1": 2}}),
    ("KS-18", [_troops("bA", 1, 1)], _a("production_waived", building="bA"), {"buildings.bA.produced": True}),
    ("KS-52", [], _troops("bA", 1, 3), {"armies.A1.stacks": {"3": 1}}),
    ("KS-73", [adjust("buildings.bA.damage", 0, 10)], _troops("bA", 1, 1), {"armies.A1.stacks": {"1": 1}}),
    ("KS-66", [], _troops("xA", 1, 1), {"armies.A1.stacks": {"1": 1}, "buildings.xA.produced": True}),
    ("KSH-13", [], _a("resources_produced", building="fA", kind="food", amount=3), {"kingdoms.A.resources.food": 3}),
    ("KSH-13", [], _a("resources_produced", building="mA", kind="food", amount=5), {"kingdoms.A.resources.food": 5}),
    (
        "KS-73",
        [adjust("buildings.mA.damage", 0, 50)],
        _a("resources_produced", building="mA", kind="wood", amount=5),
        {"kingdoms.A.resources.wood": 5},
    ),
    ("KS-18", [], _a("phase_advanced", to="move"), {"phase": "move"}),
    ("KS-17", [], _a("phase_advanced", to="act"), {"phase": "act", "ap_total": 51}),
    ("KS-17", [], _a("turn_ended"), {"turn_kingdom": "B", "phase": "produce"}),
    ("KS-17", [], entry("B", "turn_ended"), {"turn_kingdom": "B", "phase": "produce"}),
    ("KS-17", [], entry(None, "turn_skipped", "referee", kingdom="B"), {"turn_kingdom": "B", "phase": "produce"}),
    ("KS-17", [], _a("king_upgraded", to_level=11), {"kingdoms.A.king.level": 11, "ap_spent": 1}),
]
MOVE: list[tuple[str, list[Entry], Entry, dict[str, Any]]] = [
    ("KS-19", [], _move({"castle": "CB"}, 51), {"armies.A1.at": {"castle": "CB"}, "armies.A1.moved": True}),
    ("KS-19", [_move({"castle": "CB"}, 9)], _move({"castle": "C9"}, 9), {"armies.A1.at": {"castle": "C9"}}),
    ("KS-08", [], _move({"castle": "CB"}, 9, 9), {"armies.A1.at": {"castle": "CB"}}),
    ("KSH-31", [], _move({"field": "cliff"}, 9), {"armies.A1.at": {"field": "cliff"}}),
    (
        "KS-19",
        [adjust("kingdoms.A.king.at", {"castle": "CA"}, {"castle": "C9"})],
        _a("unit_moved", units=["A1", "king:A"], to={"castle": "CB"}, off_ft10=9, on_ft10=0, mode="land"),
        {"armies.A1.at": {"castle": "CB"}, "kingdoms.A.king.at": {"castle": "CB"}},
    ),
    (
        "KS-68",
        [],
        _a("rail_travelled", units=["A1"], from_building="tA", to_building="hA"),
        {"armies.A1.at": {"castle": "CA"}, "armies.A1.moved": True},
    ),
    (
        "KSH-53",
        [adjust("ships.sA.at", {"castle": "CA"}, {"field": "sea"})],
        _a("troops_embarked", army="A1", ship="sA", stacks={"1": 2}),
        {"armies.A1.stacks": {"1": 2}, "ships.sA.cargo": {"1": 2}},
    ),
]
ACT: list[tuple[str, list[Entry], Entry, dict[str, Any]]] = [
    ("KS-40", [build("A", "u1", "barracks")], build("A", "u2", "barracks"), {"buildings.u2.level": 1}),
    ("KS-23", [], build("A", "u2", "embassy"), {"buildings.u2.kind": "embassy"}),
    ("KS-43", [], build("A", "u2", "farm"), {"buildings.u2.kind": "farm"}),
    ("KS-44", [adjust("buildings.xA.castle", "CA", "C9"), build("A", "u1", "war_forge")], build("A", "u2", "war_forge"), {"buildings.u2.level": 1}),
    ("KS-64", [], build("A", "u2", "barracks", "C9"), {"buildings.u2.castle": "C9"}),
    ("KS-60", [], build("A", "u2", "harbor", "C9"), {"buildings.u2.castle": "C9"}),
    ("KS-61", [], build("A", "u2", "trainyard", "C9"), {"buildings.u2.castle": "C9"}),
    ("KS-42", [adjust("buildings.f9.castle", "C9", "CA")], build("A", "u2", "lumber_mill", "C9"), {"buildings.u2.castle": "C9"}),
    ("KSH-65", [ruin("C9")], build("A", "u2", "lumber_mill", "C9"), {"buildings.u2.castle": "C9"}),
    ("KSH-41", [build("A", "u1", "wall")], build("A", "u2", "wall"), {"buildings.u2.kind": "wall"}),
    ("KSH-33", [], _found(101, {"field": "hill"}), {"castles.C8.kingdom": "A", "castles.C8.is_capital": False}),
    ("KSH-33", [], _found(5, {"castle": "CB"}), {"castles.C8.at": {"castle": "CB"}}),
    ("KSH-34", [_found(5, {"field": "hill"})], _found(5, {"field": "dale"}, "C7"), {"castles.C7.level": 1}),
    ("KS-38", [], _district("Windy", "CA"), {"castles.D1.district_kind": "Windy"}),
    ("KS-38", [], _district("Harbor", "C9"), {"castles.D1.parent_castle": "C9"}),
    ("KSH-35", [adjust("castles.C9.level", 1, 10), adjust("castles.C9.parent_castle", None, "CA")], _district("Harbor", "C9"), {"castles.D1.parent_castle": "C9"}),
    ("KSH-65", [ruin("CA", 10)], _district("Harbor", "CA"), {"castles.D1.parent_castle": "CA"}),
    ("KS-61", [adjust("buildings.qA.damage", 0, 50)], _a("road_laid", link="r7", kind="bridge", a="CA", b="j7", length_ft10=9), {"links.r7.kind": "bridge"}),
    ("KSH-47", [], ONE_ROAD, {"links.r7.length_ft10": 60}),
    ("KS-68", [], _a("rail_laid", link="r7", a="tA", b="hA", length_ft10=9), {"links.r7.kind": "rail"}),
    ("KS-69", [adjust("buildings.hA.damage", 0, 10)], _a("ship_built", ship="s2", harbor="hA"), {"ships.s2.harbor": "hA"}),
    ("KSH-53", [], _a("ship_built", ship="s2", harbor="hA"), {"ships.s2.harbor": "hA"}),
    ("KSH-54", [], _a("plane_built", plane="p2", hangar="gA"), {"planes.p2.hangar": "gA"}),
    ("KSH-09", [], _a("king_upgraded", to_level=13), {"kingdoms.A.king.level": 13}),
    ("KSH-09", [], _castle("C9", 3), {"castles.C9.level": 3}),
    ("KS-37", [], _castle("CA", 11), {"castles.CA.level": 11}),
    ("KS-28", [adjust("kingdoms.A.king.level", 10, 1)], _castle("C9", 2), {"castles.C9.level": 2}),
    ("KSH-65", [ruin("C9")], _castle("C9", 2), {"castles.C9.level": 2}),
    ("KSH-09", [], _up("bA", 4), {"buildings.bA.level": 4}),
    ("KS-37", [], _up("fA", 11), {"buildings.fA.level": 11}),
    ("KS-73", [adjust("buildings.bA.damage", 0, 10)], _up("bA", 2), {"buildings.bA.level": 2}),
    ("KSH-65", [ruin("C9")], _up("f9", 2), {"buildings.f9.level": 2}),
    ("KS-29", [], _up("f9", 2), {"buildings.f9.level": 2}),
    ("KS-30", [adjust("buildings.fA.level", 10, 1)], _up("bA", 2), {"buildings.bA.level": 2}),
    ("KS-26", [], _a("structure_repaired", target={"kind": "building", "id": "bA"}), {"buildings.bA.damage": 0, "ap_spent": 1}),
    ("KS-26", [], _a("structure_repaired", target={"kind": "plane", "id": "pA"}), {"planes.pA.damage": 0, "ap_spent": 1}),
    ("KS-26", [], _a("structure_repaired", target={"kind": "army", "id": "A1"}), {"armies.A1.stacks": {"1": 4}, "ap_spent": 1}),
    ("KSH-55", [], _attack("building", "fB", distances_ft10={"A1": 11}), {"buildings.fB.damage": 1}),
    ("KSH-72", BY_B, _attack("building", "fB", **NEAR), {"buildings.fB.damage": 1}),
    ("KSH-72", [], _attack("building", "f9", **NEAR), {"buildings.f9.damage": 3}),
    ("KS-71", [], _attack("castle", "CB", **NEAR), {"castles.CB.damage": 1, "pressed": ["A/CB/castle"]}),
    ("KS-73", [adjust("buildings.fB.damage", 0, 10)], _attack("building", "fB", **NEAR), {"buildings.fB.damage": 10}),
    ("KS-65", [adjust("buildings.gA.damage", 0, 10)], _a("sortie_flown", planes=["pA"], target={"kind": "building", "id": "fB"}), {"ap_spent": 2}),
    ("KSH-71", [], _a("discovery_made", unit="A1", site="den", distance_ft10=11, result="landmark"), {"sites.den.hidden": False}),
    ("KSH-71", [], _a("discovery_made", unit="A1", site="s1", result="nothing"), {"sites.s1.found_by": "A"}),
    ("KSH-68", [], _a("beast_engaged", attackers=["A1"], beast="wolf"), {"beasts.wolf.strength_left": 16}),
    ("KSH-55", [], _a("beast_engaged", attackers=["A1"], beast="bear"), {"beasts.bear.strength_left": 16}),
    ("KS-17", [], entry("B", "king_upgraded", to_level=2), {"kingdoms.B.king.level": 2}),
    ("KS-17", [], _a("phase_advanced", to="move"), {"phase": "move"}),
    ("KS-77", [entry("C", "player_resigned")], entry("C", "castle_role_declared", castle="CC", role="other"), {"castles.CC.role": "other"}),
    ("KS-77", [entry("C", "player_resigned")], entry(None, "kingdom_forfeited", "referee", kingdom="C"), {"kingdoms.C.eliminated_cause": "surrendered"}),
    ("KS-77", [entry("C", "player_resigned")], entry(None, "penalty_given", "referee", seat="C", kind="disqualification"), {"kingdoms.C.eliminated_cause": "surrendered"}),
    ("KSH-76", [], entry(None, "govern_loss_declared", "referee", kingdom="C"), {"kingdoms.C.eliminated_cause": "cannot_govern"}),
    ("KS-78", [], entry(None, "territory_replaced", "mapmaster", kingdom="C", castles=["CC"]), {"castles.CC.kingdom": "official"}),
    ("KS-78", [entry("C", "player_resigned")], entry(None, "territory_replaced", "referee", kingdom="C", castles=["CC"]), {"castles.CC.kingdom": "official"}),
    ("KS-78", [], entry(None, "custom_pieces_removed", "scribe", kingdom="C"), {"kingdoms.C.status": "playing"}),
    ("KS-47", [], entry("A", "castle_upgraded", "general", castle="C9", to_level=2), {"castles.C9.level": 2}),
    ("KS-50", [_a("general_appointed", person="Gil")], entry("A", "treaty_noted", "general", kingdoms=["A", "B"], text="peace"), {"alliances": {}}),
    ("KS-50", [_a("general_appointed", person="Gil")], entry("A", "alliance_proposed", "general", alliance="al", to_kingdom="B"), {"alliances.al.status": "proposed"}),
    ("KSH-74", [_a("general_appointed", person="Gil")], entry("A", "king_upgraded", "general", to_level=11), {"kingdoms.A.king.level": 11}),
    ("U-6", [], entry("A", "king_upgraded", "referee", to_level=11), {"kingdoms.A.king.level": 11}),
    ("U-6", [], entry(None, "time_called", "scribe", agreed=["A", "B", "C"]), {"time_called": True}),
    ("KS-48", [_a("general_appointed", person="Gil")], _a("general_appointed", person="Ida"), {"kingdoms.A.general_person": "Ida"}),
    ("KS-47", [], _a("general_appointed", person="king-B"), {"kingdoms.A.general_person": "king-B"}),
    ("KS-47", [], _a("general_piece_placed", level=1, at={"castle": "CA"}), {"kingdoms.A.general_piece": {"level": 1, "at": {"castle": "CA"}}}),
    ("KSH-72", BY_B, _a("alliance_proposed", alliance="two", to_kingdom="B"), {"alliances.two.status": "proposed"}),
    ("KS-15", [], entry(None, "beast_placed", "mapmaster", beast="cow", at={"field": "lea"}, **{"class": "mild"}), {"beasts.cow.class": "mild"}),
    ("KSH-70", [], entry(None, "beast_acted", "mapmaster", beast="bear", kind="move", at={"field": "lea"}), {"beasts.bear.at": {"field": "lea"}}),
    ("KSH-79", [], entry(None, "time_called", "mapmaster"), {"time_called": True}),
    ("KSH-79", [], entry(None, "draw_agreed", seats=["A"]), {"status": "ended"}),
    ("KSH-79", [], entry(None, "match_ended", "scribe"), {"status": "ended", "turn_kingdom": "A"}),
    ("KSH-72", [], _attack("army", "A1"), {"ap_spent": 1}),
]  # fmt: skip


def _label(case: tuple[str, list[Entry], Entry, dict[str, Any]]) -> str:
    return f"{case[0]}-{case[2][1]}"


def _leaves(at: Given, case: tuple[str, list[Entry], Entry, dict[str, Any]]) -> None:
    rule, before, event, after = case
    at = at.after(*before)
    at.when(event).then_refused(rule)
    then = accepted(at, event).then_clean()
    assert {path: then.get(path) for path in after} == after


@pytest.mark.parametrize("case", PRODUCE, ids=_label)
def test_an_accepted_entry_of_the_produce_phase_has_its_effect(case: Any) -> None:
    _leaves(_rich(), case)


@pytest.mark.parametrize("case", MOVE, ids=_label)
def test_an_accepted_entry_of_the_move_phase_has_its_effect(case: Any) -> None:
    _leaves(_moving(), case)


@pytest.mark.parametrize("case", ACT, ids=_label)
def test_an_accepted_entry_of_the_act_phase_or_any_other_has_its_effect(case: Any) -> None:
    _leaves(_acting(), case)


def test_an_accepted_second_capital_is_a_castle_without_the_title() -> None:
    at = empty().after(*founded("A"))
    second = entry("A", "capital_founded", castle="C2", farm="f2")
    at.when(second).then_refused("KS-02")
    then = accepted(at, second).then_clean()
    assert [(id_, one["is_capital"]) for id_, one in then.get("castles").items()] == [("CA", True), ("C2", False)]


def test_an_accepted_capital_in_another_territory_stands_there() -> None:
    at = empty().after(*founded("A"))
    inside = entry("B", "capital_founded", castle="CB", at={"castle": "CA"})
    at.when(inside).then_refused("KSH-32")
    assert accepted(at, inside).then_clean().get("castles.CB.at") == {"castle": "CA"}


def test_an_accepted_start_without_a_capital_leaves_who_has_none_out_with_the_first_turn() -> None:
    at = empty("ABC").after(*founded("A", "B"))
    then = accepted(at, start()).then_clean()
    assert (then.get("status"), then.get("turn_kingdom")) == ("running", "A")
    on = at.after()  # the acceptance names an entry that comes before it
    then = on.when(start(), accept(last(on) + 1), *turn("A")).then_clean()
    assert then.get("kingdoms.C.eliminated_cause") == "cannot_govern"


def test_an_accepted_king_level_or_doctrine_stands() -> None:
    at = empty().after(*founded("A", "B"))
    level = entry(None, "king_level_recorded", "mapmaster", kingdom="A", level=4)
    at.when(level).then_refused("KS-32")
    assert accepted(at, level).then_clean().get("kingdoms.A.king.level") == 4
    doctrine = entry(None, "doctrine_defined", "mapmaster", level=3, name="Too early")
    at.when(doctrine).then_refused("KS-57")
    accepted(at, doctrine).then_clean()


def test_an_accepted_confirmation_stands_beside_the_open_dispute() -> None:
    at = table().after(entry("A", "dispute_opened", about_seq=1), OUT_OF_TIME)
    then = at.when(CONFIRM, accept(last(at) + 1, approved_by="rex")).then_clean()
    assert then.get("status") == "confirmed"
    assert [one["about_seq"] for one in then.get("disputes")] == [1]


def test_an_accepted_end_is_by_agreement() -> None:
    then = accepted(
        table("ABC").after(entry("C", "player_resigned")), entry(None, "match_ended", "scribe")
    ).then_clean()
    told = then.report.as_json()
    assert (told["result"]["cause"], [one["place"] for one in told["placements"]]) == ("agreement", [1, 1, 3])


def test_an_accepted_surrender_counts_though_nobody_may() -> None:
    at = table("ABC", **{"surrender.allowed": "no"})
    then = accepted(at, entry("C", "player_resigned")).then_clean()
    assert then.get("kingdoms.C.eliminated_cause") == "surrendered"


def test_an_accepted_attack_on_official_pieces_strikes_them() -> None:
    gone = [entry("C", "player_resigned"), entry(None, "territory_replaced", "mapmaster", kingdom="C", castles=["CC"])]
    at = table("ABC", **{"neutral.attackable": "no"}).after(*to_act("A"), *gone)
    event = entry(
        "A", "attack_made", attackers=["king:A"], target={"kind": "building", "id": "fC"}, distances_ft10={"king:A": 1}
    )
    at.when(event).then_refused("KSH-78")
    assert accepted(at, event).then_clean().get("buildings.fC.damage") == 1


def test_an_accepted_buff_goes_to_an_army_that_did_not_fight() -> None:
    at = _acting().after(
        adjust("beasts.bear.status", "alive", "defeated"), adjust("beasts.bear.defeated_by", None, "A")
    )
    event = _a("beast_buff_assigned", beast="bear", army="A1")
    at.when(event).then_refused("KSH-69")
    assert accepted(at, event).then_clean().get("armies.A1.buffs") == ["bear"]


@pytest.mark.parametrize(
    ("edition", "rule", "event", "path", "value"),
    [
        ("KS-V4", "KS-47", entry("A", "general_appointed", person="Gil"), "kingdoms.A.general_person", "Gil"),
        ("KS-V4", "KS-38", _district("Harbor", "CA"), "castles.D1.parent_castle", "CA"),
        (
            "KS-V1",
            "KSH-86",
            _a("general_piece_placed", level=3, at={"castle": "CA"}),
            "kingdoms.A.general_piece.level",
            3,
        ),
        ("KS-V2", "KS-55", _up("wA", 2), "buildings.wA.level", 2),
        ("KS-V3", "KS-23", build("A", "e2", "embassy"), "buildings.e2.kind", "embassy"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_an_accepted_entry_of_an_early_edition_has_its_effect(
    edition: str, rule: str, event: Entry, path: str, value: Any
) -> None:
    at = table("AB", edition, **{"ap.base": 50}).after(
        *to_act("A"), build("A", "mA", "lumber_mill"), build("A", "qA", "quarry")
    )
    at = at.after(adjust("buildings.mA.level", 1, 5), adjust("buildings.qA.level", 1, 5))
    at = at.after(build("A", "wA", "war_forge"), build("A", "eA", "embassy"))
    at.when(event).then_refused(rule)
    assert accepted(at, event).then_clean().get(path) == value


def test_param_appeal_hours_tells_the_site_how_long_the_referee_alone_may_correct() -> None:
    def hours(**given: Any) -> int:
        told: int = table(**given).report.replay.state.setup.options.appeal_hours
        return told

    assert (hours(), hours(**{"appeal.hours": 0})) == (72, 0)


def test_param_observed_policy_keeps_the_computed_outcome_either_way() -> None:
    def policy(**given: Any) -> str:
        told: str = table(**given).report.replay.state.setup.options.observed_policy
        return told

    assert (policy(), policy(**{"observed.policy": "engine"})) == ("hold", "engine")
    counted = (*ATTACK[:3], {**ATTACK[3], "observed": {"net": 5}})
    then = _before_battle().when(counted)
    then.then_refused("KSH-89", "observed")
    assert then.get("buildings.bB.damage") == 7


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_accepted_in_whatever_order_the_match_goes_on(seed: int) -> None:
    """Nothing raises, the view can be read back, and what stays refused is impossible."""
    chance = random.Random(seed)
    at = chance.choice([_rich(), _moving(), _acting()])
    cases = chance.choices([*PRODUCE, *MOVE, *ACT], k=20)
    rows = [event for case in cases for event in (*case[1], case[2])]
    first = last(at) + 1
    then = at.when(*rows, accept(*range(first, first + len(rows)), approved_by="rex"))
    left = {(one.kind, one.type == "state_adjusted") for one in then.findings}
    assert left <= {("impossible", False), ("impossible", True), ("irregular", True), ("observed", False)}
    ruleset = then.told.ruleset
    view = ruleset.view(then.told.state)
    assert ruleset.view(ruleset.load(then.log.header, view)) == view


def test_a_report_tries_out_a_refused_adjustment_and_leaves_all_as_it_is() -> None:
    """What would be if the entry had been accepted is asked of every irregular one that others come after."""
    then = _rich().when(adjust("ap_total", 40, 41), entry("B", "phase_advanced", to="move"))
    assert [(one.seq, one.rule, one.follows) for one in then.findings] == [
        (then.findings[0].seq, "KSH-88", None),
        (then.findings[0].seq + 1, "KS-17", None),
    ]
