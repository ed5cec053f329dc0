"""What officials decide about Kingdoms: forfeits, penalties, official pieces, disputes; and surrender (4.7, 4.9, 8.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.given import Entry, Given, entry
from tests.rulesengine.kingsquare.realm import build, empty, founded, table, to_act, turn, turns


def forfeit(seat: str, **more: Any) -> Entry:
    return entry(None, "kingdom_forfeited", "mapmaster", kingdom=seat, **more)


def declare(seat: str) -> Entry:
    return entry(None, "govern_loss_declared", "referee", kingdom=seat)


def penalty(seat: str, kind: str, **more: Any) -> Entry:
    return entry(None, "penalty_given", "referee", seat=seat, kind=kind, **more)


def replaced(seat: str, *castles: str, role: str | None = None) -> Entry:
    return entry(None, "territory_replaced", role, kingdom=seat, castles=list(castles))


def out(seats: str = "ABC", **options: Any) -> Given:
    """Return a table where C has surrendered."""
    return table(seats, **options).after(entry("C", "player_resigned"))


# Out of the match


@pytest.mark.parametrize(
    ("event", "cause"),
    [
        (entry("C", "player_resigned", reason="tired"), "surrendered"),
        (forfeit("C", reason="left"), "forfeited"),
        (penalty("C", "disqualification"), "forfeited"),
    ],
    ids=["player_resigned", "kingdom_forfeited", "disqualification"],
)
def test_ks_77_a_kingdom_that_leaves_is_eliminated_with_its_cause(event: Entry, cause: str) -> None:
    then = table("ABC").when(event).then_clean().then("kingdom_eliminated", id="C").then("forces_disbanded", id="C")
    kingdom = then.get("kingdoms.C")
    seq = len(then.log.lines)
    assert (kingdom["status"], kingdom["eliminated_cause"], kingdom["eliminated_seq"]) == ("eliminated", cause, seq)
    assert (kingdom["king"]["alive"], kingdom["king"]["at"]) == (False, None)


def test_ks_77_an_eliminated_kingdom_takes_no_more_part() -> None:
    for event in (
        entry("C", "alliance_proposed", alliance="al", to_kingdom="A"),
        entry("C", "player_resigned"),
        entry("C", "castle_role_declared", castle="CC", role="other"),
        entry("C", "phase_advanced", to="move"),
        entry("C", "general_appointed", person="Gil Roe"),
    ):
        out().when(event).then_refused("KS-77")


def test_ks_77_nobody_is_eliminated_twice() -> None:
    for event in (forfeit("C"), declare("C"), penalty("C", "disqualification")):
        out().when(event).then_refused("KS-77")
        out(**{"govern.rule": "referee"}).when(event).then_refused("KS-77")


def test_ks_79_elimination_removes_the_player_and_not_the_map() -> None:
    army = entry("A", "troops_produced", building="bA", count=1, soldier_level=0, army="A1")
    built = turn("A", build("A", "mA", "lumber_mill"), build("A", "bA", "barracks"))
    at = table("ABC", **{"slots.enabled": "no"}).after(*built, *turns("B", "C"), army)
    before = at.when(entry("A", "phase_advanced", to="move"))
    then = at.when(entry("A", "player_resigned")).then_clean()
    assert list(before.get("armies")) == ["A1"]
    assert then.get("armies") == {}
    for key in ("castles", "links"):
        assert then.get(key) == before.get(key)
    assert list(then.get("buildings")) == list(before.get("buildings"))


def test_param_surrender_allowed_no_refuses_a_surrender() -> None:
    resign = entry("C", "player_resigned")
    table("ABC").when(resign).then_clean()
    table("ABC", **{"surrender.allowed": "no"}).when(resign).then_refused("KSH-82")


def test_ksh_82_without_surrender_a_referee_may_still_let_a_kingdom_forfeit() -> None:
    at = table("ABC", **{"surrender.allowed": "no"})
    at.when(entry("C", "player_resigned")).then_refused("KSH-82")
    at.when(forfeit("C")).then_clean()


def test_ksh_76_only_where_the_referee_decides_a_loss_of_government_is_declared() -> None:
    table("ABC").when(declare("C")).then_refused("KSH-76")
    table("ABC", **{"govern.rule": "capital_only"}).when(declare("C")).then_refused("KSH-76")
    then = table("ABC", **{"govern.rule": "referee"}).when(declare("C")).then_clean()
    assert then.get("kingdoms.C.eliminated_cause") == "cannot_govern"


@pytest.mark.parametrize(
    "event",
    [
        forfeit("X"),
        declare("X"),
        penalty("X", "warning"),
        replaced("X", "CA"),
        entry(None, "custom_pieces_removed", kingdom="X"),
    ],
    ids=lambda one: one[1],
)
def test_u_7_there_is_no_such_kingdom(event: Entry) -> None:
    table("ABC").when(event).then_refused("U-7", "impossible")


@pytest.mark.parametrize(
    ("event", "role"),
    [
        (forfeit("C"), "scribe"),
        (declare("C"), "organizer"),
        (penalty("C", "warning"), "scribe"),
        (entry(None, "turn_skipped", kingdom="A"), "scribe"),
        (entry(None, "ruling_given"), "scribe"),
        (entry(None, "time_called", agreed=["A", "B", "C"]), "referee"),
        (entry(None, "match_ended"), "organizer"),
        (entry(None, "match_abandoned"), "referee"),
        (entry(None, "custom_pieces_removed", kingdom="C"), "referee"),
        (forfeit("C"), "general"),
        (forfeit("C"), "jester"),
    ],
    ids=lambda one: one if isinstance(one, str) else one[1],
)
def test_u_6_what_officials_decide_is_not_decided_by_others(event: Entry, role: str) -> None:
    at = table("ABC", generals={"A": "Gil Roe"})
    at.when((event[0], event[1], role, event[3])).then_refused("U-6")


@pytest.mark.parametrize("role", ["referee", "mapmaster", "organizer", None])
def test_a_penalty_is_given_by_referee_mapmaster_or_organizer(role: str | None) -> None:
    table().when(entry(None, "penalty_given", role, seat="A", kind="warning")).then_clean()


# Penalties


def test_a_warning_is_a_record_only() -> None:
    at = table().after(*to_act("A"))
    before, then = at.when(penalty("A", "ap_loss", value=0)), at.when(penalty("A", "warning", value=3))
    assert then.then_clean().told.state == before.told.state


def test_the_value_of_a_penalty_is_1_unless_given() -> None:
    for kind in ("ap_loss", "turn_loss"):
        assert table().when(penalty("B", kind)).get(f"kingdoms.B.{kind}") == 1
        assert table().when(penalty("B", kind, value=3)).get(f"kingdoms.B.{kind}") == 3


def test_u_7_a_penalty_is_of_a_kind_of_the_list() -> None:
    table().when(penalty("B", "scolding")).then_refused("U-7", "impossible")


def test_u_1_penalties_and_disputes_have_an_end_where_the_match_counts_for_nothing() -> None:
    for event in (penalty("A", "warning"), entry("A", "dispute_opened", about_seq=1), entry(None, "ruling_given")):
        table().after(entry(None, "match_abandoned", "organizer")).when(event).then_refused("U-1", "impossible")


def test_a_disqualification_after_the_end_leaves_the_result() -> None:
    at = table("ABC").after(entry(None, "draw_agreed", seats=["A", "B", "C"]))
    then = at.when(penalty("A", "disqualification")).then_clean()
    told = then.report.as_json()
    assert then.get("kingdoms.A.status") == "eliminated"
    assert (told["status"], [one["place"] for one in told["placements"]]) == ("ended", [1, 1, 1])
    assert told["result"]["scores"][0]["status"] == "playing"


# Official pieces


def test_official_pieces_take_over_castles_as_they_stand() -> None:
    built = turn(
        "C",
        build("C", "mC", "lumber_mill", direct=False),
        entry("C", "road_laid", link="r1", kind="road", a="mC", b="CC", length_ft10=5),
    )
    at = table("ABC").after(*turns("A", "B"), *built, entry("C", "player_resigned"))
    before = at.when(penalty("A", "warning"))
    then = at.when(replaced("C", "CC")).then_clean()
    assert then.get("castles.CC") == {**before.get("castles.CC"), "kingdom": "official"}
    assert (then.get("buildings"), then.get("links")) == (before.get("buildings"), before.get("links"))


def test_ksh_78_official_castles_keep_their_fabric_and_belong_to_nobody() -> None:
    from rulesengine.kingsquare import works

    then = out().when(replaced("C", "CC")).then_clean()
    state = then.told.state
    assert works.fabric(state.works, state.setup, "CC") == 1
    assert works.of_kingdom(state.works, "C") == ()


def test_ks_78_official_pieces_wait_for_the_elimination() -> None:
    table("ABC").when(replaced("C", "CC")).then_refused("KS-78")
    table("ABC").when(entry(None, "custom_pieces_removed", "scribe", kingdom="C")).then_refused("KS-78")
    out().when(entry(None, "custom_pieces_removed", "scribe", kingdom="C", pieces=["dragon"])).then_clean()


@pytest.mark.parametrize("role", ["referee", "scribe", "organizer", "general"])
def test_ks_78_official_pieces_are_set_by_the_mapmaster(role: str) -> None:
    out().when(replaced("C", "CC", role=role)).then_refused("KS-78")


def test_u_7_official_pieces_stand_in_for_castles_of_that_kingdom() -> None:
    for castle in ("CA", "nothing", "fC"):
        out().when(replaced("C", castle)).then_refused("U-7", "impossible")
        table("ABC").when(replaced("C", castle)).then_refused("U-7", "impossible")
    out().after(replaced("C", "CC")).when(replaced("C", "CC")).then_refused("U-7", "impossible")


# Disputes and rulings


def dispute(about: int, seat: str | None = "A") -> Entry:
    return entry(seat, "dispute_opened", about_seq=about, text="it was a Quarry")


def rule(about: int | None = None) -> Entry:
    return (
        entry(None, "ruling_given", "referee", decision="it stands")
        if about is None
        else entry(None, "ruling_given", "referee", about_seq=about, decision="it stands")
    )


def test_a_dispute_is_open_until_a_ruling_names_what_it_is_about_or_itself() -> None:
    at = table().after(dispute(3))
    seq = len(at.log.lines)
    assert at.when(*to_act("A")).get("disputes") == [{"seq": seq, "about_seq": 3}]
    assert at.when(rule(3)).then_clean().get("disputes") == []
    assert at.when(rule(seq)).then_clean().get("disputes") == []
    assert at.when(rule(2)).then_clean().get("disputes") == [{"seq": seq, "about_seq": 3}]
    assert at.when(rule()).then_clean().get("disputes") == [{"seq": seq, "about_seq": 3}]


def test_a_ruling_closes_every_dispute_about_the_same() -> None:
    at = table().after(dispute(3), dispute(3, "B"), dispute(2), dispute(3, None))
    assert [one["about_seq"] for one in at.when(rule(3)).get("disputes")] == [2]


def test_play_goes_on_during_a_dispute() -> None:
    table().after(dispute(3)).when(*turns("A")).then_clean()


def test_an_eliminated_kingdom_may_dispute() -> None:
    out().when(dispute(3, "C")).then_clean()


def test_a_general_may_dispute() -> None:
    table(generals={"A": "Gil Roe"}).when(entry("A", "dispute_opened", "general", about_seq=3)).then_clean()


@pytest.mark.parametrize("about", [0, 4, 5, 99])
def test_u_7_a_dispute_or_ruling_is_about_an_earlier_entry(about: int) -> None:
    at = table()  # three entries: the next is seq 4
    assert len(at.log.lines) == 3
    at.when(dispute(about)).then_refused("U-7", "impossible")
    at.when(rule(about)).then_refused("U-7", "impossible")
    at.when(dispute(3)).then_clean()


def test_a_dispute_may_be_opened_before_the_start_and_after_the_confirmation() -> None:
    empty().after(*founded("A", "B")).when(dispute(1)).then_clean()
    end = [entry(None, "draw_agreed", seats=["A", "B"]), entry(None, "placements_confirmed", "referee")]
    table().after(*end).when(dispute(1)).then_clean()


# What the options tell officials and the site; no check reads it


def _option(name: str, **given: Any) -> Any:
    return getattr(table(**given).report.replay.state.setup.options, name)


def test_param_king_absence_turns_tells_after_how_many_turns_an_absent_king_may_forfeit() -> None:
    assert _option("king_absence_turns") == 3
    assert _option("king_absence_turns", **{"king.absence_turns": 5}) == 5
    away = [entry(None, "turn_skipped", "referee", kingdom="A"), *turns("B")]
    then = table().when(*away * 4).then_clean()
    assert then.get("kingdoms.A.status") == "playing"


def test_param_official_mapmaster_tells_which_matches_need_a_mapmaster() -> None:
    assert _option("official_mapmaster") == "tournaments"
    assert _option("official_mapmaster", **{"official.mapmaster": "always"}) == "always"
