"""Alliances, treaties, roles of Castles, and the office of General (4.7, 8.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.given import Entry, Given, Then, entry
from tests.rulesengine.kingsquare.realm import empty, founded, start, table, to_act, turn, turns


def propose(seat: str = "A", to: str = "B", id_: str = "al") -> Entry:
    return entry(seat, "alliance_proposed", alliance=id_, to_kingdom=to)


def answer(seat: str, type_: str, id_: str = "al") -> Entry:
    return entry(seat, f"alliance_{type_}", alliance=id_)


def allied(seats: str = "ABC", **options: Any) -> Given:
    """Return a table in A's first turn where A and B are allied."""
    return table(seats, **options).after(propose(), answer("B", "accepted"))


def alliance(then: Then, id_: str = "al") -> dict[str, Any]:
    return then.get(f"alliances.{id_}")


# Proposal and answer


def test_a_proposal_names_both_and_holds_nothing_yet() -> None:
    then = table().when(propose()).then_clean()
    assert alliance(then) == {
        "kingdoms": ["A", "B"],
        "status": "proposed",
        "from_seq": None,
        "to_seq": None,
        "ended_by": None,
    }
    assert not then.told.state.allied("A", "B")


def test_an_accepted_alliance_is_active_at_once() -> None:
    then = table().when(propose(), answer("B", "accepted")).then_clean()
    assert (alliance(then)["status"], alliance(then)["from_seq"]) == ("active", len(then.log.lines))
    assert then.told.state.allied("A", "B")
    assert then.told.state.allied("B", "A")


@pytest.mark.parametrize(("seat", "how"), [("B", "declined"), ("A", "withdrawn")])
def test_a_declined_or_withdrawn_proposal_is_ended(seat: str, how: str) -> None:
    then = table().when(propose(), answer(seat, how)).then_clean()
    assert alliance(then)["status"] == "ended"
    assert not then.told.state.allied("A", "B")


def test_a_proposal_may_be_made_and_answered_in_any_phase_and_turn() -> None:
    table("ABC").after(*to_act("A")).when(propose("C", "B"), answer("B", "accepted")).then_clean()


@pytest.mark.parametrize(
    ("seat", "how"),
    [("A", "accepted"), ("C", "accepted"), ("A", "declined"), ("B", "withdrawn"), ("C", "withdrawn"), ("A", "ended")],
)
def test_u_7_only_whose_it_is_answers_or_withdraws_a_proposal(seat: str, how: str) -> None:
    table("ABC").after(propose()).when(answer(seat, how)).then_refused("U-7", "impossible")


@pytest.mark.parametrize(("seat", "how"), [("B", "accepted"), ("B", "declined"), ("A", "withdrawn"), ("C", "ended")])
def test_u_7_an_alliance_in_force_is_not_answered_and_not_ended_by_others(seat: str, how: str) -> None:
    allied().when(answer(seat, how)).then_refused("U-7", "impossible")


@pytest.mark.parametrize("how", ["accepted", "declined", "withdrawn", "ended"])
def test_u_7_there_is_no_alliance_of_that_id(how: str) -> None:
    table().when(answer("B", how, "nothing")).then_refused("U-7", "impossible")


def test_u_7_an_alliance_is_with_another_kingdom_that_plays() -> None:
    table().when(propose("A", "A")).then_refused("U-7", "impossible")
    table().when(propose("A", "X")).then_refused("U-7", "impossible")
    table("ABC").after(entry("C", "player_resigned")).when(propose("A", "C")).then_refused("U-7", "impossible")


@pytest.mark.parametrize("id_", ["CA", "fB", "al"])
def test_u_7_an_alliance_has_an_id_of_its_own(id_: str) -> None:
    table("ABC").after(propose()).when(propose("A", "C", id_)).then_refused("U-7", "impossible")


@pytest.mark.parametrize("answered", [[], [answer("B", "accepted")], [answer("B", "accepted"), answer("A", "ended")]])
@pytest.mark.parametrize(("seat", "to"), [("A", "B"), ("B", "A")])
def test_ksh_72_two_kingdoms_have_one_alliance(answered: list[Entry], seat: str, to: str) -> None:
    table().after(propose(), *answered).when(propose(seat, to, "second")).then_refused("KSH-72")


def test_ksh_72_after_a_refusal_another_proposal_may_be_made() -> None:
    table().after(propose(), answer("B", "declined")).when(propose("A", "B", "second")).then_clean()


def test_ksh_72_any_number_of_alliances_unless_the_options_say_otherwise() -> None:
    many = [propose("A", "C", "two"), answer("C", "accepted", "two"), propose("A", "D", "three")]
    allied("ABCD").when(*many).then_clean()


def test_param_alliance_max_limits_the_alliances_of_either_kingdom() -> None:
    at = allied("ABCD", **{"alliance.max": 1})
    at.when(propose("A", "C", "two")).then_refused("KSH-72")
    at.when(propose("C", "B", "two")).then_refused("KSH-72")
    at.when(propose("C", "D", "two")).then_clean()
    allied("ABCD", **{"alliance.max": 2}).when(propose("A", "C", "two")).then_clean()
    allied("ABCD").when(propose("A", "C", "two")).then_clean()


# The end of an alliance


def test_an_alliance_ends_with_the_turn_of_the_one_who_ends_it() -> None:
    at = allied().after(answer("A", "ended"))
    during = at.when(*to_act("A"))
    assert (alliance(during)["status"], alliance(during)["ended_by"]) == ("ending", "A")
    assert during.told.state.allied("A", "B")
    then = at.when(*turns("A"))
    assert (alliance(then)["status"], alliance(then)["to_seq"]) == ("ended", len(then.log.lines))
    assert not then.told.state.allied("A", "B")


def test_an_alliance_ended_out_of_turn_lasts_until_the_end_of_the_breakers_next_turn() -> None:
    at = allied().after(answer("B", "ended"))
    assert alliance(at.when(*turns("A")))["status"] == "ending"
    assert alliance(at.when(*turns("A", "B")))["status"] == "ended"


def test_param_alliance_notice_round_lets_an_alliance_last_until_the_round_is_over() -> None:
    at = allied(**{"alliance.notice": "round"}).after(answer("A", "ended"))
    assert alliance(at.when(*turns("A", "B")))["status"] == "ending"
    assert alliance(at.when(*turns("A", "B", "C")))["status"] == "ended"
    assert alliance(allied().after(answer("A", "ended")).when(*turns("A")))["status"] == "ended"


def test_an_alliance_that_is_ending_is_not_ended_again() -> None:
    allied().after(answer("A", "ended")).when(answer("B", "ended")).then_refused("U-7", "impossible")


@pytest.mark.parametrize("answered", [[], [answer("B", "accepted")]], ids=["proposed", "active"])
def test_the_alliances_of_an_eliminated_kingdom_end(answered: list[Entry]) -> None:
    then = table("ABC").after(propose(), *answered).when(entry("B", "player_resigned")).then_clean()
    assert alliance(then)["status"] == "ended"
    assert not then.told.state.allied("A", "B")


# Treaties and roles


def test_a_treaty_is_kept_and_changes_nothing() -> None:
    at = table()
    before = at.when(*to_act("A"))
    then = at.after(*to_act("A")).when(entry("A", "treaty_noted", kingdoms=["A", "B"], text="no war before round 3"))
    assert then.then_clean().told.state == before.told.state


def test_u_7_a_treaty_is_between_kingdoms_of_the_match() -> None:
    table().when(entry("A", "treaty_noted", kingdoms=["A", "Z"], text="peace")).then_refused("U-7", "impossible")


def test_ks_05_the_role_of_a_castle_is_a_label() -> None:
    then = table().when(entry("A", "castle_role_declared", castle="CA", role="religious")).then_clean()
    assert then.get("castles.CA.role") == "religious"


@pytest.mark.parametrize("castle", ["CB", "nothing", "fA"])
def test_u_7_a_king_declares_the_role_of_an_own_castle(castle: str) -> None:
    table().when(entry("A", "castle_role_declared", castle=castle, role="other")).then_refused("U-7", "impossible")


def test_u_7_the_role_of_a_castle_is_one_of_the_list() -> None:
    table().when(entry("A", "castle_role_declared", castle="CA", role="sleepy")).then_refused("U-7", "impossible")


# The General


def appoint(seat: str = "A", person: str = "Gil Roe") -> Entry:
    return entry(seat, "general_appointed", person=person)


DISMISS = entry("A", "general_dismissed")
RESIGN = entry("A", "general_resigned")


def test_a_general_is_appointed_dismissed_and_another_appointed_in_the_next_own_turn() -> None:
    at = table().after(appoint())
    assert at.when(*to_act("A")).get("kingdoms.A.general_person") == "Gil Roe"
    gone = at.when(DISMISS).then_clean()
    assert (gone.get("kingdoms.A.general_person"), gone.get("kingdoms.A.general_blocked")) == (None, True)
    next_turn = at.after(DISMISS, *turns("A", "B"))
    then = next_turn.when(appoint(person="Ida Falk")).then_clean()
    assert (then.get("kingdoms.A.general_person"), then.get("kingdoms.A.general_blocked")) == ("Ida Falk", False)


def test_a_general_of_the_header_is_in_office_from_the_start() -> None:
    assert table(generals={"B": "Gil Roe"}).when(*to_act("A")).get("kingdoms.B.general_person") == "Gil Roe"


def test_ks_48_a_kingdom_has_one_general() -> None:
    table().after(appoint()).when(appoint(person="Ida Falk")).then_refused("KS-48")
    table(generals={"A": "Gil Roe"}).when(appoint(person="Ida Falk")).then_refused("KS-48")


def test_ks_48_after_a_dismissal_the_office_is_vacant_until_the_next_own_turn_begins() -> None:
    at = table().after(appoint(), DISMISS)
    at.when(appoint(person="Ida Falk")).then_refused("KS-48")
    at.after(*turns("A")).when(appoint(person="Ida Falk")).then_refused("KS-48")


def test_ks_48_after_a_general_resigned_another_is_appointed_at_once() -> None:
    at = table().after(appoint())
    for role in (None, "general", "scribe"):
        resign = entry("A", "general_resigned", role)
        then = at.when(resign, appoint(person="Ida Falk")).then_clean()
        assert then.get("kingdoms.A.general_person") == "Ida Falk"


def test_ks_48_the_office_is_asked_about_before_the_person() -> None:
    table().after(appoint()).when(appoint(person="king-A")).then_refused("KS-48")


@pytest.mark.parametrize("person", ["king-A", "king-B"])
def test_ks_47_a_king_is_no_general(person: str) -> None:
    table().when(appoint(person=person)).then_refused("KS-47")


def test_ks_47_a_general_serves_one_kingdom() -> None:
    table().after(appoint("B")).when(appoint("A")).then_refused("KS-47")
    table(generals={"B": "Gil Roe"}).when(appoint("A")).then_refused("KS-47")


def test_ks_47_whose_office_is_over_may_serve_another_kingdom() -> None:
    table().after(appoint("A"), RESIGN).when(appoint("B")).then_clean()


def test_u_7_nobody_is_dismissed_from_a_vacant_office() -> None:
    table().when(DISMISS).then_refused("U-7", "impossible")


@pytest.mark.parametrize("role", [None, "general", "scribe"])
def test_ks_47_nobody_resigns_from_a_vacant_office(role: str | None) -> None:
    table().when(entry("A", "general_resigned", role)).then_refused("KS-47")
    table().after(appoint(), RESIGN).when(entry("A", "general_resigned", role)).then_refused("KS-47")


@pytest.mark.parametrize("role", ["king", "referee", "mapmaster"])
def test_u_6_a_general_resigns_and_nobody_for_them(role: str) -> None:
    table().after(appoint()).when(entry("A", "general_resigned", role)).then_refused("U-6")


@pytest.mark.parametrize("edition", ["KS-V1", "KS-V2", "KS-V3", "KS-V4"])
@pytest.mark.parametrize("event", [appoint(), DISMISS, RESIGN], ids=lambda one: one[1])
def test_ks_47_there_is_no_general_in_person_before_ks_v5(edition: str, event: Entry) -> None:
    table("AB", edition).when(event).then_refused("KS-47")


PIECE = entry("A", "general_piece_placed", level=1, at={"castle": "CA"})
LOST = entry("A", "general_piece_lost", cause="taken")


@pytest.mark.parametrize("edition", ["KS-V1", "KS-V2", "KS-V3", "KS-V4"])
def test_before_ks_v5_the_general_is_a_marker_piece(edition: str) -> None:
    at = table("AB", edition).after(PIECE)
    assert at.when(*to_act("A")).get("kingdoms.A.general_piece") == {"level": 1, "at": {"castle": "CA"}}
    assert at.when(LOST).then_clean().get("kingdoms.A.general_piece") is None


def test_the_marker_piece_may_be_placed_before_the_start() -> None:
    empty("AB", "KS-V1").after(*founded("A", "B")).when(PIECE, start()).then_clean()


@pytest.mark.parametrize("event", [PIECE, LOST], ids=lambda one: one[1])
def test_ks_47_there_is_no_marker_piece_in_ks_v5(event: Entry) -> None:
    table().when(event).then_refused("KS-47")


def test_ksh_86_the_marker_piece_is_not_above_its_king() -> None:
    higher = entry("A", "general_piece_placed", level=2, at={"castle": "CA"})
    table("AB", "KS-V1").when(higher).then_refused("KSH-86")
    table("AB", "KS-V1").after(*to_act("A")).when(entry("A", "king_upgraded", to_level=2), higher).then_clean()


def test_u_7_a_marker_piece_that_is_not_there_is_not_lost() -> None:
    table("AB", "KS-V1").when(LOST).then_refused("U-7", "impossible")


def test_param_general_kind_may_be_overridden_with_a_reason() -> None:
    table("AB", "KS-V1", **{"general.kind": "person"}).when(appoint()).then_clean()
    table("AB", "KS-V1").when(appoint()).then_refused("KS-47")
    table().when(appoint()).then_clean()


# Allies who win together


def test_param_victory_allied_lets_allies_win_together() -> None:
    gone = entry("C", "player_resigned")
    then = allied(**{"victory.allied": "yes"}).when(gone).then_clean().then("last_kingdom_standing", id="A")
    assert then.report.as_json()["placements"] == [
        {"seat": "A", "place": 1},
        {"seat": "B", "place": 1},
        {"seat": "C", "place": 3},
    ]
    assert then.report.as_json()["result"]["cause"] == "last_standing"
    assert allied().when(gone).get("status") == "running"


def test_ksh_73_all_who_survive_must_be_allied_with_each_other() -> None:
    at = allied("ABCD", **{"victory.allied": "yes"})
    at = at.after(propose("A", "C", "two"), answer("C", "accepted", "two"), entry("D", "player_resigned"))
    assert at.when(*to_act("A")).get("status") == "running"
    then = at.when(propose("B", "C", "three"), answer("C", "accepted", "three")).then_clean()
    assert then.get("status") == "ended"
    assert [one["place"] for one in then.report.as_json()["placements"]] == [1, 1, 1, 4]


def test_ksh_73_the_turn_of_an_ally_goes_on_until_the_others_are_out() -> None:
    at = allied(**{"victory.allied": "yes"})
    assert at.when(*turn("A"), *turn("B")).then_clean().get("status") == "running"
