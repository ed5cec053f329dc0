"""How a match ends, who is placed where, and what the result says (4.10, KSH-79 … KSH-81, 8.6, 8.7)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.given import Entry, Given, Then, entry
from tests.rulesengine.kingsquare.realm import adjust, build, empty, founded, ruin, table, to_act, turn, turns


def time(*agreed: str) -> Entry:
    return entry(None, "time_called", "mapmaster", **({"agreed": list(agreed)} if agreed else {}))


def draw(*seats: str) -> Entry:
    return entry(None, "draw_agreed", seats=list(seats))


def resign(seat: str) -> Entry:
    return entry(seat, "player_resigned")


CONFIRM = entry(None, "placements_confirmed", "referee")
END = entry(None, "match_ended", "scribe")


def placed(then: Then) -> dict[str, int]:
    return {one["seat"]: one["place"] for one in then.report.as_json()["placements"]}


def result(then: Then) -> dict[str, Any]:
    told: dict[str, Any] = then.report.as_json()["result"]
    return told


def row(then: Then, seat: str) -> dict[str, Any]:
    return next(one for one in result(then)["scores"] if one["seat"] == seat)


# The last one standing


def test_with_one_kingdom_left_the_match_ends_at_once() -> None:
    at = table("ABC").after(*to_act("A"), resign("C"))
    then = at.when(resign("B")).then_clean().then("last_kingdom_standing", id="A")
    assert (then.get("status"), result(then)["cause"], placed(then)) == (
        "ended",
        "last_standing",
        {"A": 1, "B": 2, "C": 3},
    )
    assert (then.get("phase"), then.get("turn_kingdom"), then.get("round")) == ("act", "A", 1)


def test_the_match_ends_with_the_turn_that_leaves_one_kingdom_with_a_castle() -> None:
    then = table().after(*to_act("A"), ruin("CB")).when(entry("A", "turn_ended")).then_clean()
    assert (then.get("status"), placed(then)) == ("ended", {"A": 1, "B": 2})
    assert (then.get("phase"), then.get("turn_kingdom")) == ("act", "A")


def test_ksh_81_all_who_fall_together_share_a_place_and_the_next_is_skipped() -> None:
    then = (
        table("ABC")
        .after(resign("A"), *to_act("B"), ruin("CB"), ruin("CC"))
        .when(entry("B", "turn_ended"))
        .then_clean()
    )
    assert (then.get("status"), placed(then)) == ("ended", {"B": 1, "C": 1, "A": 3})


def test_a_disqualification_before_the_start_or_in_a_pause_may_leave_one_kingdom() -> None:
    out = entry(None, "penalty_given", "referee", seat="A", kind="disqualification")
    early = empty().after(*founded("A", "B")).when(out).then_clean()
    assert (early.get("status"), placed(early), early.get("phase")) == ("ended", {"B": 1, "A": 2}, None)
    paused = table().after(entry(None, "match_paused", "scribe")).when(out).then_clean()
    assert (paused.get("status"), placed(paused)) == ("ended", {"B": 1, "A": 2})


# Round limit and time


def test_param_end_rounds_ends_the_match_after_so_many_rounds() -> None:
    at = table(**{"end.rounds": 2}).after(*turns("A", "B", "A"))
    then = at.when(*turns("B")).then_clean().then("round_limit_reached", id=None)
    assert (then.get("status"), result(then)["cause"], result(then)["round"]) == ("ended", "round_limit", 2)
    assert (then.get("phase"), then.get("turn_kingdom"), then.get("round")) == ("act", "B", 2)
    assert table().when(*turns(*"ABABAB")).then_clean().get("status") == "running"


def test_param_end_rounds_holds_where_the_last_of_the_round_is_out() -> None:
    at = table("ABC", **{"end.rounds": 1}).after(*turns("A", "B"))
    assert at.when(resign("C")).then_clean().get("status") == "ended"


def test_param_end_minutes_lets_the_mapmaster_call_time_without_being_asked() -> None:
    table().when(time()).then_refused("KSH-79")
    table(**{"end.minutes": 90}).when(time()).then_clean()


def test_ksh_79_without_a_time_limit_all_who_play_must_agree_to_end_by_time() -> None:
    at = table("ABC")
    found = at.when(time("A", "C")).then_refused("KSH-79")
    assert "B" in found.message
    at.when(time("A", "B", "C")).then_clean()
    at.after(resign("B")).when(time("A", "C")).then_clean()


def test_u_7_nobody_agrees_who_does_not_play_here() -> None:
    table().when(time("A", "B", "X")).then_refused("U-7", "impossible")
    table().when(draw("A", "B", "X")).then_refused("U-7", "impossible")


def test_param_end_finish_round_lets_the_round_go_on() -> None:
    at = table(**{"end.minutes": 90}).after(*turns("A"), time())
    during = at.when(*to_act("B"))
    assert (during.get("status"), during.get("time_called")) == ("running", True)
    then = at.when(*turns("B")).then_clean()
    assert (then.get("status"), result(then)["cause"], result(then)["round"]) == ("ended", "time", 1)
    cut = table(**{"end.minutes": 90, "end.finish_round": "no"}).after(*turns("A")).when(time()).then_clean()
    assert (cut.get("status"), cut.get("time_called"), cut.get("turn_kingdom")) == ("ended", False, "B")


def test_time_called_before_anything_is_done_in_a_round_ends_the_match_at_once() -> None:
    at = table(**{"end.minutes": 90}).after(*turns("A", "B"))
    then = at.when(time()).then_clean()
    assert (then.get("status"), then.get("round"), then.get("turn_kingdom"), then.get("phase")) == (
        "ended",
        2,
        "A",
        "produce",
    )
    later = at.after(entry("A", "phase_advanced", to="move")).when(time()).then_clean()
    assert (later.get("status"), later.get("time_called")) == ("running", True)


def test_the_round_limit_is_named_before_the_time() -> None:
    then = table(**{"end.minutes": 90, "end.rounds": 1}).after(*turns("A"), time()).when(*turns("B")).then_clean()
    assert result(then)["cause"] == "round_limit"


# A draw, the end by agreement


def test_an_agreed_draw_gives_all_who_play_the_first_place() -> None:
    at = table("ABC").after(*turn("A", entry("A", "king_upgraded", to_level=2)), resign("C"))
    then = at.when(draw("A", "B")).then_clean()
    assert (result(then)["cause"], placed(then)) == ("agreement", {"A": 1, "B": 1, "C": 3})


def test_ksh_79_a_draw_is_agreed_by_all_who_play() -> None:
    table("ABC").when(draw("A", "C")).then_refused("KSH-79")
    table("ABC").after(resign("B")).when(draw("A", "C")).then_clean()


def test_ksh_79_a_match_ends_when_an_end_is_reached_and_not_before() -> None:
    table().when(END).then_refused("KSH-79")
    table().after(draw("A", "B")).when(END).then_clean()


def test_u_1_nothing_is_played_after_the_end() -> None:
    at = table().after(draw("A", "B"))
    for event in (entry("A", "phase_advanced", to="move"), time("A", "B"), draw("A", "B"), resign("A")):
        at.when(event).then_refused("U-1", "impossible")


# Scores


def test_the_result_tells_the_five_figures_of_each_kingdom_in_seat_order() -> None:
    then = table(**{"end.minutes": 1}).when(time()).then_clean()
    figures = {"status": "playing", "castles": 1, "king": 1, "buildings": 1, "power": 2, "beasts": 0}
    scores = [{"seat": "A", "place": 1, **figures}, {"seat": "B", "place": 1, **figures}]
    assert result(then) == {"cause": "time", "round": 1, "scores": scores}


def test_ruined_castles_and_buildings_that_do_not_work_count_nothing() -> None:
    built = [build("A", "mA", "lumber_mill"), build("A", "bA", "barracks", direct=False)]
    second = entry("A", "castle_founded", castle="C9", at={"field": "moor"}, king_distance_ft10=10)
    at = table(**{"slots.enabled": "no", "ap.base": 9, "end.minutes": 1, "end.finish_round": "no"}).after(
        *to_act("A"), *built, second
    )
    assert (row(at.when(time()), "A")["castles"], row(at.when(time()), "A")["buildings"]) == (
        2,
        3,
    )  # two Farms, the Mill
    hurt = at.after(ruin("C9"), adjust("buildings.mA.damage", 0, 10))
    assert (row(hurt.when(time()), "A")["castles"], row(hurt.when(time()), "A")["buildings"]) == (1, 2)


def test_power_is_that_of_all_armies_with_their_buffs_and_the_attack_of_the_king_once() -> None:
    at = _with_army({"0": 5, "3": 4})
    assert row(at.when(time()), "A")["power"] == 5 + 12 + 2
    beast = entry(
        None, "beast_placed", "mapmaster", beast="wolf", at={"field": "moor"}, buff=7, **{"class": "dangerous"}
    )
    with_buff = at.after(beast, adjust("armies.A1.buffs", [], ["wolf"]))
    assert row(with_buff.when(time()), "A")["power"] == 5 + 12 + 2 + 7


def test_param_king_base_counts_in_the_power_of_the_result() -> None:
    assert row(table(**{"end.minutes": 1}).when(time()), "A")["power"] == 2
    assert row(table(**{"end.minutes": 1, "king.base": "level_minus_1"}).when(time()), "A")["power"] == 0


def test_beasts_count_by_their_class() -> None:
    beasts = [
        entry(None, "beast_placed", "mapmaster", beast=cls, at={"field": "moor"}, **{"class": cls})
        for cls in ("dangerous", "epic", "legendary")
    ]
    for defeated, points in ((["dangerous"], 1), (["epic"], 3), (["legendary", "epic", "dangerous"], 10)):
        at = table(**{"end.minutes": 1}).after(*beasts, adjust("kingdoms.B.beasts_defeated", [], defeated))
        assert row(at.when(time()), "B")["beasts"] == points


def test_an_eliminated_kingdom_has_no_figures() -> None:
    then = table("ABC", **{"end.minutes": 1}).after(resign("B")).when(time())
    zeros = {"status": "eliminated", "castles": 0, "king": 0, "buildings": 0, "power": 0, "beasts": 0}
    assert row(then, "B") == {"seat": "B", "place": 3, **zeros}


def _with_army(stacks: dict[str, int]) -> Given:
    """Return a table in A's second turn with an army A1 of these soldiers; time may be called and ends the match at once."""
    built = turn("A", build("A", "mA", "lumber_mill"), build("A", "bA", "barracks"))
    options = {"slots.enabled": "no", "end.minutes": 1, "end.finish_round": "no"}
    made = entry("A", "troops_produced", building="bA", count=1, soldier_level=0, army="A1")
    return table(**options).after(*built, *turns("B"), made, adjust("armies.A1.stacks", {"0": 1}, stacks))


# Placements

ORDER = ["castles", "king", "buildings", "power", "beasts"]
BETTER: dict[str, list[Entry]] = {
    "castles": [adjust("castles.CB.level", 1, 2)],
    "king": [adjust("kingdoms.B.king.level", 1, 2)],
    "buildings": [adjust("buildings.fB.level", 1, 2)],
    "beasts": [
        entry(None, "beast_placed", "mapmaster", beast="wolf", at={"field": "moor"}, **{"class": "dangerous"}),
        adjust("kingdoms.B.beasts_defeated", [], ["wolf"]),
    ],
}
AHEAD = {
    "castles": [adjust("castles.CA.level", 1, 2)],
    "king": [adjust("kingdoms.A.king.level", 1, 2)],
    "buildings": [adjust("buildings.fA.level", 1, 2)],
}


@pytest.mark.parametrize("figure", BETTER)
def test_ksh_80_who_is_better_in_one_figure_alone_is_first(figure: str) -> None:
    then = table(**{"end.minutes": 1}).after(*BETTER[figure]).when(time()).then_clean()
    assert placed(then) == {"B": 1, "A": 2}


def test_ksh_80_more_power_alone_is_first() -> None:
    at = _with_army({"0": 1}).after(adjust("buildings.mA.damage", 0, 10), adjust("buildings.bA.damage", 0, 10))
    assert placed(at.when(time())) == {"A": 1, "B": 2}


@pytest.mark.parametrize(
    ("first", "second"), [("castles", "king"), ("castles", "buildings"), ("king", "buildings"), ("buildings", "beasts")]
)
def test_param_ranking_order_says_which_figure_counts_first(first: str, second: str) -> None:
    at = {"end.minutes": 1}
    each = (*AHEAD[first], *BETTER[second])
    assert placed(table(**at).after(*each).when(time())) == {"A": 1, "B": 2}
    order = [second, *(one for one in ORDER if one != second)]
    assert placed(table(**at, **{"ranking.order": order}).after(*each).when(time())) == {"B": 1, "A": 2}


def test_ksh_80_playing_kingdoms_are_before_eliminated_ones_whatever_they_have() -> None:
    at = {"end.minutes": 1, "end.finish_round": "no"}
    then = table("ABC", **at).after(*AHEAD["castles"], resign("A")).when(time())
    assert placed(then) == {"B": 1, "C": 1, "A": 3}


def test_ksh_81_later_elimination_ranks_higher() -> None:
    then = table("ABCD", **{"end.minutes": 1}).after(resign("B"), resign("A"), resign("D")).when(CONFIRM)
    assert placed(then) == {"C": 1, "D": 2, "A": 3, "B": 4}


def test_ksh_81_a_full_tie_shares_the_place_and_the_next_is_skipped() -> None:
    then = table("ABC", **{"end.minutes": 1}).after(*AHEAD["king"]).when(time())
    assert placed(then) == {"A": 1, "B": 2, "C": 2}
    then = table("ABC", **{"end.minutes": 1}).after(adjust("castles.CC.level", 1, 3)).when(time())
    assert placed(then) == {"C": 1, "A": 2, "B": 2}


def test_param_ranking_ties_may_be_decided_by_who_moved_later() -> None:
    tie = {"end.minutes": 1}
    assert placed(table("ABC", **tie).when(time())) == {"A": 1, "B": 1, "C": 1}
    later = {**tie, "ranking.ties": "later_in_turn_order"}
    assert placed(table("ABC", **later).when(time())) == {"C": 1, "B": 2, "A": 3}
    reverse = {**later, "turn.order": "reverse_each_round"}
    assert placed(table("ABC", **reverse).after(*turns(*"ABC")).when(time())) == {"A": 1, "B": 2, "C": 3}
    fallen = table("ABC", **later).after(*to_act("A"), ruin("CB"), ruin("CC"), entry("A", "turn_ended"))
    assert placed(fallen.when(END)) == {"A": 1, "C": 2, "B": 3}


def test_a_draw_is_shared_whatever_decides_ties() -> None:
    assert placed(table(**{"ranking.ties": "later_in_turn_order"}).when(draw("A", "B"))) == {"A": 1, "B": 1}


def test_while_a_match_runs_nobody_is_placed_and_there_is_no_result() -> None:
    told = table().when(*turns("A")).report.as_json()
    assert (told["placements"], told["result"], told["status"]) == ([], None, "running")


@pytest.mark.parametrize(
    ("cause", "options", "end"),
    [
        ("last_standing", {}, [resign("B"), resign("A")]),
        ("time", {"end.minutes": 1}, [time()]),
        ("round_limit", {"end.rounds": 1}, turns(*"ABC")),
    ],
)
def test_a_state_read_back_after_the_end_has_its_result_again(cause: str, options: Any, end: list[Entry]) -> None:
    told = table("ABC", **options).when(*end).then_clean().told
    ruleset = told.ruleset
    again = ruleset.load(told.header, ruleset.view(told.state))
    assert (told.result or {})["cause"] == cause
    assert (ruleset.result(again), ruleset.outcome(again)) == (told.result, told.placements)
    assert ruleset.view(again) == ruleset.view(told.state)


# Recorded placements


def places(*pairs: tuple[str, int]) -> list[dict[str, Any]]:
    return [{"seat": seat, "place": place} for seat, place in pairs]


@pytest.mark.parametrize("type_", ["match_ended", "placements_confirmed"])
def test_ksh_80_recorded_placements_are_compared_with_the_computed_ones(type_: str) -> None:
    at = table().after(resign("B"))
    at.when(entry(None, type_, placements=places(("A", 1), ("B", 2)))).then_clean()
    at.when(entry(None, type_, placements=places(("B", 2), ("A", 1)))).then_clean()
    then = at.when(entry(None, type_, placements=places(("A", 2), ("B", 1))))
    then.then_refused("KSH-80", "observed")
    assert placed(then) == {"A": 1, "B": 2}
    assert then.get("status") == ("ended" if type_ == "match_ended" else "confirmed")


@pytest.mark.parametrize("type_", ["match_ended", "placements_confirmed"])
@pytest.mark.parametrize(
    "given", [[], places(("A", 1), ("A", 1)), places(("A", -1), ("B", 2)), places(("X", 1)), [{"seat": "A"}], "A first"]
)
def test_u_7_recorded_placements_are_of_seats_of_the_match(type_: str, given: Any) -> None:
    table().after(resign("B")).when(entry(None, type_, placements=given)).then_refused("U-7", "impossible")


def test_a_recorded_cause_is_kept_and_not_compared() -> None:
    table().after(resign("B")).when(entry(None, "match_ended", cause="time")).then_clean()


# Signatures, confirmation, and matches that count for nothing


def test_a_result_is_signed_by_all_also_by_who_is_out() -> None:
    at = table("ABC").after(resign("B"), draw("A", "C"))
    at.when(entry("A", "result_signed"), entry("B", "result_signed"), entry("C", "result_signed")).then_clean()


@pytest.mark.parametrize("type_", ["result_signed", "result_disputed", "placements_confirmed"])
def test_u_1_a_result_is_signed_disputed_and_confirmed_after_the_end(type_: str) -> None:
    event = CONFIRM if type_ == "placements_confirmed" else entry("A", type_)
    table().when(event).then_refused("U-1", "impossible")
    table().after(draw("A", "B")).when(event).then_clean()
    table().after(draw("A", "B"), CONFIRM).when(event).then_refused("U-1", "impossible")


def test_a_disputed_result_is_a_dispute_about_itself() -> None:
    at = table().after(draw("A", "B"), entry("A", "result_disputed", reason="B had no Capital"))
    seq = len(at.log.lines)
    then = at.when(entry("B", "result_signed")).then_clean()
    assert then.get("disputes") == [{"seq": seq, "about_seq": seq}]


def test_ksh_88_nothing_is_confirmed_while_a_dispute_is_open() -> None:
    at = table().after(draw("A", "B"), entry("A", "result_disputed"))
    at.when(CONFIRM).then_refused("KSH-88")
    seq = len(at.log.lines)
    ruling = entry(None, "ruling_given", "referee", about_seq=seq)
    assert at.when(ruling, CONFIRM).then_clean().get("status") == "confirmed"
    early = table().after(entry("A", "dispute_opened", about_seq=1), draw("A", "B"))
    early.when(CONFIRM).then_refused("KSH-88")


def test_ks_33_king_levels_are_reset_when_the_placements_are_confirmed() -> None:
    at = table().after(*turn("A", entry("A", "king_upgraded", to_level=2)), draw("A", "B"))
    ended = at.when(END)
    assert (ended.get("kingdoms.A.king.level"), row(ended, "A")["king"]) == (2, 2)
    then = at.when(CONFIRM).then_clean().then("king_levels_reset", id=None)
    assert (then.get("kingdoms.A.king.level"), row(then, "A")["king"]) == (1, 2)
    assert then.get("status") == "confirmed"


def test_the_result_is_fixed_at_the_end() -> None:
    at = table().after(draw("A", "B"))
    then = at.when(adjust("castles.CA.level", 1, 9), CONFIRM).then_clean()
    assert row(then, "A")["castles"] == 1


@pytest.mark.parametrize("type_", ["match_abandoned", "match_annulled"])
def test_a_match_abandoned_or_annulled_has_no_result(type_: str) -> None:
    then = table().after(draw("A", "B")).when(entry(None, type_, "organizer")).then_clean()
    told = then.report.as_json()
    assert (told["status"], told["placements"], told["result"]) == (type_.removeprefix("match_"), [], None)


def test_a_match_may_be_abandoned_before_it_starts_and_while_it_runs_or_is_paused() -> None:
    stop = entry(None, "match_abandoned", "mapmaster", reason="storm")
    for at in (empty(), table(), table().after(entry(None, "match_paused", "scribe"))):
        assert at.when(stop).then_clean().get("status") == "abandoned"


def test_u_1_a_confirmed_match_is_annulled_and_not_abandoned() -> None:
    at = table().after(draw("A", "B"), CONFIRM)
    at.when(entry(None, "match_abandoned", "organizer")).then_refused("U-1", "impossible")
    assert at.when(entry(None, "match_annulled", "organizer")).then_clean().get("status") == "annulled"
    table().when(entry(None, "match_annulled", "organizer")).then_refused("U-1", "impossible")


def test_u_6_a_match_is_annulled_by_the_organizer() -> None:
    at = table().after(draw("A", "B"))
    for role in ("mapmaster", "referee", "scribe"):
        at.when(entry(None, "match_annulled", role)).then_refused("U-6")
    at.when(entry(None, "placements_confirmed", "scribe")).then_refused("U-6")
