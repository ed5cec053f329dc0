"""A tournament from its opening to its placements, through the services that the pages use."""

from __future__ import annotations

from fractions import Fraction
from uuid import UUID

import pytest
from django.core.exceptions import ValidationError

from league.directing import results, services, stream, tables
from league.models import TournamentTable
from league.tournament import events as e
from matches import log
from matches import services as matches
from matches.models import Match
from people.services import Forbidden
from tests.league.directing.conftest import AT, SWISS, Day

EIGHT = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]


def test_a_round_is_paired_published_played_and_settled_with_the_confirmation(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    assert told.round.is_complete
    assert sorted(told.standings().values()) == [("1=", "1")] * 4 + [("5=", "0")] * 4
    settled = [row for row in log.read(told.tournament.pk) if row.type == "result_settled"]
    assert len(settled) == 4
    assert all(row.by is None for row in settled)
    assert log.verify(told.tournament.pk) is None


def test_pairing_waits_for_confirmed_results_and_names_the_tables(day: type[Day]) -> None:
    """tabbycat#72: table 3 is submitted and not confirmed."""
    told = day(EIGHT, [SWISS])
    told.pair()
    for number in (1, 2, 4):
        told.result(number, 1, 2)
    told.result(3, 1, 2, confirm=False)
    before = told.standings()
    with pytest.raises(
        ValidationError, match=r"Round 1 waits for 1 result: table 3\. 1 of them was entered and must be confirmed"
    ):
        told.does(services.round_pair)
    assert told.standings() == before
    assert before[told.name(told.round.tables[3].seats[0])][1] == "0"
    matches.match_confirm(match=Match.objects.get(pk=told.row(3).match_id), by=told.organizer, at=AT)
    told.pair()
    assert told.round.number == 2


def test_a_round_can_be_paired_once(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.pair(publish=False)
    with pytest.raises(services.Stale, match="Round 1 is prepared already"):
        told.does(services.round_pair)
    assert TournamentTable.objects.count() == 4


def test_five_players_in_five_rounds_have_one_bye_each(day: type[Day]) -> None:
    """lila#6619."""
    told = day(EIGHT[:5], [e.Stage(format="swiss", rounds=5)])
    byes = []
    for _round in range(5):
        told.play()
        byes += [told.name(person) for person in told.round.byes]
    assert sorted(byes) == EIGHT[:5]


def test_the_leader_never_has_the_bye(day: type[Day]) -> None:
    """online-go#2412: 7 players, 4 rounds, the leader wins everything."""
    told = day(EIGHT[:7], [e.Stage(format="swiss", rounds=4)])
    for _round in range(4):
        paired = told.pair()
        assert "Ada" not in [told.name(person) for person in paired.byes]
        for number, table in paired.tables.items():
            leads = [told.name(person) for person in table.seats]
            told.result(number, *((2, 1) if leads[1] == "Ada" else (1, 2)))
    assert told.standings()["Ada"] == ("1", "4")


def test_who_comes_back_has_the_missed_round_as_said_and_never_as_a_bye(day: type[Day]) -> None:
    """lila#12497: D is absent in round 2 and back in round 3."""
    told = day(EIGHT[:4], [SWISS])
    told.play()
    di = told.people["Di"]
    before = Fraction(told.standings()["Di"][1])
    told.does(services.drop, person=di)
    told.play()
    told.does(services.come_back, person=di, missed_as="absent")
    paired = told.pair()
    assert paired.table_of(str(di.pk)) is not None
    stage = told.state.latest
    assert stage is not None
    rows = tables.of_stage(told.state, stage)[0].standings.rows
    row = next(one for one in rows if one.entrant == str(di.pk))
    assert [(part.round, str(part.value), part.rule) for part in row.addends][1] == (2, "0", "absent")
    assert row.points == before


def test_the_statistics_of_the_swiss_part_are_not_touched_by_the_cut(day: type[Day]) -> None:
    """cobra#479: 8 players, 3 Swiss rounds, top-4 cut; the semifinals leave the Swiss table as it was."""
    told = day(EIGHT, [e.Stage(format="swiss", rounds=3, cut=4), e.Stage(format="single_elimination")])
    for _round in range(3):
        told.play()
    cut = [row.entrant for row in tables.of_stage(told.state, told.state.stages[0])[0].standings.rows[:4]]
    told.does(services.stage_close, cut=cut)
    before = tables.of_stage(told.state, told.state.stages[0])[0].standings.digest
    told.play()
    assert tables.of_stage(told.state, told.state.stages[0])[0].standings.digest == before
    told.play()
    with pytest.raises(ValidationError):
        told.does(services.round_pair)
    told.does(services.stage_close)
    told.does(services.tournament_close)
    placed = [(told.name(str(row["person"])), row["place"]) for row in told.state.placements]
    assert [place for _name, place in placed] == [1, 2, 3, 3, *[row["place"] for row in told.state.placements[4:]]]
    assert len(placed) == 8 and placed[4][1] == 5


def test_a_correction_rounds_later_moves_the_standings_and_keeps_the_trail(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    first = told.row(1).match_id
    winner = told.name(told.round.tables[1].seats[0])
    told.play()
    told.play()
    before = told.standings()[winner]
    match = Match.objects.get(pk=first)
    rows = [{"seat": "A", "place": 2}, {"seat": "B", "place": 1}]
    matches.event_amend(
        match=match, target_seq=1, data={"rows": rows}, reason="Entered the wrong way round.", by=told.organizer, at=AT
    )
    assert Fraction(told.standings()[winner][1]) == Fraction(before[1]) - 1
    settled = [
        event
        for _seq, event in stream.entries_of(told.now)
        if isinstance(event, e.ResultSettled) and event.match == str(first)
    ]
    assert [[row.outcome for row in one.rows] for one in settled] == [["win", "loss"], ["loss", "win"]]


def test_an_annulled_match_counts_no_more_and_its_table_is_missing_again(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.play()
    match = Match.objects.get(pk=told.row(1).match_id)
    matches.match_annul(match=match, by=told.organizer, reason="Others played.", at=AT)
    assert told.round.missing == [1]
    told.does(
        services.result_rule, match_id=match.pk, reason="No time left.", both_lose=True,
        finished=dict.fromkeys(told.round.tables[1].seats),
    )  # fmt: skip
    assert told.round.is_complete
    kinds = {row.kind for row in told.round.tables[1].rows or ()}
    assert kinds == {"double_loss"}


def test_a_no_show_loses_by_forfeit_and_the_two_may_meet_later(day: type[Day]) -> None:
    told = day([*EIGHT[:2], "Cy", "Di"], [SWISS])
    paired = told.pair()
    seats = paired.tables[1].seats
    told.does(
        services.result_rule, match_id=UUID(paired.tables[1].match), reason="Did not come.",
        finished={seats[0]: 1, seats[1]: None},
    )  # fmt: skip
    assert [(row.kind, row.points) for row in told.round.tables[1].rows or ()] == [
        ("forfeit_win", "1"),
        ("forfeit_loss", "0"),
    ]


def test_an_error_while_settling_undoes_no_confirmation_and_the_sweep_repairs_it(
    day: type[Day], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.pair()
    with monkeypatch.context() as broken:
        broken.setattr(results, "rows_of", None)
        match = told.result(1, 1, 2)
    assert Match.objects.get(pk=match.pk).status == "confirmed"
    assert told.round.missing == [1, 2]
    assert results.behind() == [match.pk]
    assert results.repair() == 1
    assert told.round.missing == [2]
    assert results.behind() == []


def test_a_result_settled_twice_is_one_entry(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.pair()
    match = told.result(1, 1, 2)
    seq = told.now.seq
    assert not results.settle(match.pk, at=AT)
    results.changed(match_id=match.pk, seq=match.seq)
    assert told.now.seq == seq


def test_an_act_is_taken_back_by_an_entry_that_shows_before_what_it_changes(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.play()
    state = told.does(
        services.penalty_give, person=told.people["Ada"], points=Fraction(1, 2), kind="points", reason="Late."
    )
    penalty = state.seq
    assert told.standings()["Ada"][1] in ("0.5", "-0.5")
    preview = services.undo_preview(told.now, penalty)
    assert [told.name(move.person) for move in tables.moves(preview.before, preview.after)].count("Ada") == 1
    told.does(services.undo, target_seq=penalty, reason="Not late after all.")
    assert told.standings()["Ada"][1] in ("1", "0")
    assert [row.type for row in log.read(told.tournament.pk)][-2:] == ["penalty_given", "entry_withdrawn"]


def test_standings_can_be_shown_as_of_any_entry(day: type[Day]) -> None:
    """liwords#1433: replay to line k gives the table shown then."""
    told = day(EIGHT[:4], [SWISS])
    shown: dict[int, dict[str, tuple[str, str]]] = {}
    for _round in range(2):
        told.pair()
        for number in told.round.tables:
            told.result(number, 1, 2)
            shown[told.now.seq] = told.standings()
    for seq, then in shown.items():
        state = stream.state_of(told.now, at=seq)
        stage = state.latest
        assert stage is not None
        rows = tables.of_stage(state, stage)[0].standings.rows
        assert {told.name(row.entrant): (row.place, row.points_text) for row in rows} == then


def test_what_is_read_anew_from_the_stream_is_what_was_there(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.pair(publish=False)

    def rows() -> list[object]:
        return [
            sorted(TournamentTable.objects.values_list("match_id", "number", "seats", "is_published", "settled_seq")),
            sorted(told.now.entries.values_list("person_id", "status")), told.now.players, told.now.round, told.now.status,
        ]  # fmt: skip

    before = rows()
    TournamentTable.objects.filter(number=1).update(number=99)
    stream.rebuild(told.now)
    assert rows() == before


def test_an_unpublished_round_is_no_match_that_waits(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.pair(publish=False)
    assert TournamentTable.objects.filter(is_published=False).count() == 2
    with pytest.raises(AssertionError):
        told.table(1)


def test_only_organizers_pair(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    with pytest.raises(Forbidden):
        told.does(services.round_pair, by=told.people["Ada"])


def test_players_enter_and_the_other_side_confirms(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.pair()
    table = told.table(1)
    first, second = table.seats
    match = told.result(1, 1, 2, by=first, confirm=False)
    assert match.status == "ended" and told.round.missing == [1, 2]
    again = told.result(1, 1, 2, by=second, confirm=False)
    assert (again.pk, again.status) == (match.pk, "confirmed")
    assert told.round.missing == [2]


def test_another_result_of_the_same_match_is_refused_and_the_first_stands(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.pair()
    first, second = told.table(1).seats
    told.result(1, 1, 2, by=first, confirm=False)
    with pytest.raises(matches.StaleMatch):
        told.result(1, 2, 1, by=second, confirm=False)


def test_who_does_not_sit_at_a_table_enters_nothing_there(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.pair()
    other = told.table(2).seats[0]
    with pytest.raises(Forbidden):
        told.result(1, 1, 2, by=other, confirm=False)
