"""What the streams of leagues, tournaments and persons add to a career, and what takes it away again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from msgspec.structs import replace

from career import badges, ranks, selectors, services
from career.catalogue import CURRENT
from career.learning.lessons import LESSONS, RULINGS
from career.models import Award, Deed, Poisoned, RankEntry, Standing
from career.participation import Campaigned, Evidence, Learned, Mentored, SeasonAttended, TournamentWon
from league import events, stream
from league.models import League
from matches import log, persons
from matches import services as matches
from people.models import Person
from people.services import person_guest_create
from tests.career.conftest import AT, Circle
from tests.career.test_follow import caught_up, everything
from tests.career.test_ranks import part

DAY = date(2026, 1, 1)


def order(number: int) -> tuple[object, ...]:
    return (part(number).order[0], -1, 0, f"x{number}")


def learned(lesson: str, number: int = 500) -> Learned:
    return Learned(order=order(number), on=DAY, evidence=Evidence("league", number), lesson=lesson)


def mentored(newcomer: str, number: int = 500) -> Mentored:
    return Mentored(order=order(number), on=DAY, evidence=Evidence("league", number), newcomer=newcomer)


# The folds


def test_rod_11_each_of_sixteen_lessons_gives_one_credit_and_counts_once() -> None:
    row = ranks.fold([learned(one.id, n) for n, one in enumerate((*LESSONS, *LESSONS))], CURRENT)
    assert [one.rule for one in row.credits].count("ROD-11") == 16
    assert [one.rule for one in row.credits].count("ROD-15") == 1
    assert {one.id for one in LESSONS} == {*CURRENT.lessons, CURRENT.rulings_lesson}
    assert CURRENT.rulings_lesson == RULINGS


def test_an_unknown_lesson_gives_nothing() -> None:
    assert ranks.fold([learned("LSN-XX-9")], CURRENT).learning == 0


def test_rod_16_three_newcomers_give_a_credit_each_and_a_fourth_none() -> None:
    row = ranks.fold([mentored(f"n{one}", one) for one in (1, 1, 2, 3, 4)], CURRENT)
    assert [one.of for one in row.credits] == ["n1", "n2", "n3"]


def test_no_more_than_31_credits_can_be_had() -> None:
    games = ("kingsquare", "kingsburg", "hexwar", "robberknights")
    life = [learned(one.id, n) for n, one in enumerate(LESSONS)]
    life += [mentored(f"n{n}", 20 + n) for n in range(5)]
    for n, game in enumerate(games):
        scribed = part(30 + n, role="scribe", offices=("scribe",), sole_scribe=True)
        life += [_of(part(40 + n), game), _of(scribed, game)]
    life += [part(60, role="general"), part(61, role="mapmaster"), part(62, role="referee")]
    assert ranks.fold(life, CURRENT).learning == 31


def _of(one, game):  # type: ignore[no-untyped-def]
    return replace(one, game=game)


def test_rod_18_a_lesson_that_meets_the_last_criterion_is_the_evidence_of_the_rank() -> None:
    row = ranks.fold([part(0), part(1), part(2), learned("LSN-HX-1", 3)], CURRENT)
    assert [(one.rank, one.evidence) for one in row.attained] == [
        ("RANK-1", Evidence("m0", 9)),
        ("RANK-2", Evidence("league", 3)),
    ]


def test_rod_30_a_campaign_gives_one_renown() -> None:
    one = Campaigned(order=order(1), on=DAY, evidence=Evidence("league", 1))
    assert ranks.fold([one], CURRENT).renown == 1


@pytest.mark.parametrize(
    ("renown", "level"),
    [(0, 1), (1, 2), (2, 2), (3, 3), (5, 3), (6, 4), (9, 4), (10, 5), (44, 9), (45, 10), (55, 11)],
)
def test_rod_30_career_levels(renown: int, level: int) -> None:
    assert Standing(renown=renown).career_level == level


@pytest.mark.parametrize(
    ("kind", "badge", "marks"), [(TournamentWon, "BDG-X-03", (1, 3, 7)), (SeasonAttended, "BDG-X-04", (1, 3, 5))]
)
def test_tournaments_and_seasons_add_up(kind: type, badge: str, marks: tuple[int, ...]) -> None:
    life = [kind(order=order(n), on=DAY, evidence=Evidence(f"s{n}", n)) for n in range(8)]
    won = badges.fold("p", life, CURRENT, lambda *_: 0).awards
    assert [(one.badge, one.tier, one.value) for one in won] == [
        (badge, tier, mark) for tier, mark in zip(("bronze", "silver", "gold"), marks, strict=True)
    ]
    assert won[0].evidence == (Evidence("s0", 0),)


# Read out of the log


def say(league: League, *told: events.Payload, by: Person | None = None) -> int:
    """Append events to a league's stream and return the seq of the last."""
    with transaction.atomic():
        locked = League.objects.select_for_update().get(pk=league.pk)
        stream.append(league=locked, events=told, by=by, acting_as="organizer" if by else None, at=AT)
        return locked.seq


def lesson(person: Person, lesson_id: str, day: str = "2026-05-01", **more: object) -> events.LessonCompleted:
    return events.LessonCompleted(person=str(person.pk), lesson=lesson_id, date=day, **({"score": 80} | more))  # type: ignore[arg-type]


def test_lessons_of_the_league_and_of_the_own_stream_count_and_a_low_score_does_not(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo")
    ada, bo = table.people["ada"], table.people["bo"]
    say(table.league, lesson(ada, "LSN-HX-1"), lesson(ada, "LSN-HX-2", score=79), lesson(bo, "LSN-HX-1", score=None))
    say(table.league, lesson(bo, "LSN-HX-2", score=None, examiner=str(ada.pk)))
    persons.lesson_complete(person=ada, lesson="LSN-RULINGS", score=100, date="2026-05-02", at=AT)
    caught_up()
    assert selectors.standing(ada).learning == 2
    assert selectors.standing(bo).learning == 1
    told = {(one["rule"], one["of"]) for one in selectors.standing(ada).credits}
    assert told == {("ROD-11", "LSN-HX-1"), ("ROD-15", "LSN-RULINGS")}


def test_a_rank_by_a_lesson_points_at_the_entry_of_the_league(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    for day in (1, 2, 3):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    seq = say(table.league, lesson(table.people["ada"], "LSN-HX-1", "2026-05-04"))
    caught_up()
    squire = RankEntry.objects.get(person_id=table.people["ada"].pk, rank="RANK-2")
    assert (squire.stream, squire.seq, squire.on) == (table.league.pk, seq, date(2026, 5, 4))


def test_a_lesson_of_a_day_comes_before_the_matches_that_end_with_it(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    matches_ = [table.play(day, "ada", "bo", on=date(2026, 5, day)) for day in (1, 2, 3)]
    say(table.league, lesson(table.people["ada"], "LSN-HX-1", "2026-05-03"))
    caught_up()
    squire = RankEntry.objects.get(person_id=table.people["ada"].pk, rank="RANK-2")
    assert squire.stream == matches_[2].pk


def test_rod_16_a_mentor_is_credited_once_the_first_match_of_the_newcomer_is_confirmed_and_loses_it_with_it(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo", "cy")
    ada, cy = table.people["ada"], table.people["cy"]
    first = table.play(1, "bo", "cy", on=date(2026, 5, 2), confirm=False)
    second = table.play(2, "bo", "cy", on=date(2026, 5, 3))
    table.play(3, "ada", "bo", on=date(2026, 5, 1))
    told = events.MentorAssigned(mentor=str(ada.pk), newcomer=str(cy.pk), match=str(first.pk))
    say(table.league, told)
    caught_up()
    assert selectors.standing(ada).learning == 1
    first = matches.match_confirm(match=first, by=table.owner, expected_seq=first.seq, at=AT)
    caught_up()
    (credit,) = [one for one in selectors.standing(ada).credits if one["rule"] == "ROD-16"]
    assert credit["of"] == str(cy.pk)
    matches.match_annul(match=first, by=table.owner, reason="never played", expected_seq=first.seq, at=AT)
    caught_up()
    assert [one["rule"] for one in selectors.standing(ada).credits] == ["ROD-10"]
    again = events.MentorAssigned(mentor=str(ada.pk), newcomer=str(cy.pk), match=str(second.pk))
    say(table.league, again)
    caught_up()
    assert [one["rule"] for one in selectors.standing(ada).credits] == ["ROD-10", "ROD-16"]


def test_a_rank_that_rested_on_a_newcomers_annulled_match_is_withdrawn_and_says_so(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo", "cy")
    ada, cy = table.people["ada"], table.people["cy"]
    for day in (1, 2, 3):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    first = table.play(9, "bo", "cy", on=date(2026, 5, 5))
    say(table.league, events.MentorAssigned(mentor=str(ada.pk), newcomer=str(cy.pk), match=str(first.pk)))
    caught_up()
    assert RankEntry.objects.get(person_id=ada.pk, rank="RANK-2").withdrawn_on is None
    first = matches.match_annul(match=first, by=table.owner, reason="never played", expected_seq=first.seq, at=AT)
    caught_up()
    gone = RankEntry.objects.get(person_id=ada.pk, rank="RANK-2")
    assert gone.withdrawn_by == {"stream": str(first.pk), "seq": first.seq}
    before = everything()
    services.rebuild()
    assert everything() == before


def test_nobody_mentors_themselves_not_even_under_another_name(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    ada = table.people["ada"]
    guest = person_guest_create("Ada M.")
    match = table.play(1, "ada", "bo")
    say(table.league, events.MentorAssigned(mentor=str(guest.pk), newcomer=str(ada.pk), match=str(match.pk)))
    persons.persons_join(person=ada, other=guest, by=table.owner, at=AT)
    caught_up()
    assert [one["rule"] for one in selectors.standing(ada).credits] == ["ROD-10"]


def season(league: League, table: list[dict[str, str | int]], key: str = "2026") -> int:
    return say(
        league,
        events.SeasonOpened(season=key, title="Season", date="2026-05-01"),
        events.SeasonClosed(season=key, date="2026-05-31", table=table),
    )


def row(person: Person) -> dict[str, str | int]:
    return {"person": str(person.pk), "points": 1, "place": 1, "played": 5}


def test_bdg_x_04_five_played_matches_of_a_season_and_none_left_open_are_iron_attendance(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo", "cy")
    for day in range(1, 6):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    open_ = table.play(9, "bo", "cy", on=date(2026, 5, 6), confirm=False)
    seq = season(table.league, [row(one) for one in table.people.values()])
    caught_up()
    held = {str(one.person_id): one for one in Award.objects.filter(badge="BDG-X-04")}
    assert set(held) == {str(table.people["ada"].pk)}
    assert held[str(table.people["ada"].pk)].evidence == [{"stream": str(table.league.pk), "seq": seq}]
    matches.match_confirm(match=open_, by=table.owner, expected_seq=open_.seq, at=AT)
    caught_up()
    assert set(Award.objects.filter(badge="BDG-X-04").values_list("person_id", flat=True)) == {
        table.people["ada"].pk, table.people["bo"].pk,
    }  # fmt: skip
    reopened = say(table.league, events.SeasonReopened(season="2026"))
    caught_up()
    gone = Award.objects.filter(badge="BDG-X-04")
    assert {(one.status, one.withdrawn_by["seq"]) for one in gone} == {("withdrawn", reopened)}
    say(table.league, events.SeasonClosed(season="2026", date="2026-05-31", table=[row(table.people["ada"])]))
    caught_up()
    held = {(one.person_id, one.status) for one in Award.objects.filter(badge="BDG-X-04")}
    assert held == {(table.people["ada"].pk, "final"), (table.people["bo"].pk, "withdrawn")}


def test_bdg_x_04_a_match_of_a_closed_season_that_is_still_to_be_played_or_annulled_takes_the_attendance(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo")
    played = [table.play(day, "ada", "bo", on=date(2026, 5, day)) for day in range(1, 6)]
    season(table.league, [row(one) for one in table.people.values()])
    caught_up()
    assert Award.objects.filter(badge="BDG-X-04", status="final").count() == 2
    whole = table.log(9, "ada", "bo", on=date(2026, 5, 9))
    late = table.record(replace(whole, lines=whole.lines[:30]), confirm=False)
    assert late.status == "running"
    caught_up()
    assert not Award.objects.filter(badge="BDG-X-04", status="final").exists()
    before = everything()
    services.rebuild()
    assert everything() == before
    matches.match_annul(match=late, by=table.owner, reason="never played", expected_seq=late.seq, at=AT)
    caught_up()
    assert Award.objects.filter(badge="BDG-X-04", status="final").count() == 2
    gone = matches.match_annul(match=played[4], by=table.owner, reason="never so", expected_seq=played[4].seq, at=AT)
    caught_up()
    told = {(one.status, one.withdrawn_by["stream"]) for one in Award.objects.filter(badge="BDG-X-04")}
    assert told == {("withdrawn", str(gone.pk))}


def test_bdg_x_03_the_winner_of_a_tournament_is_read_from_its_closing_entry(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    rows = [{"person": str(one.pk), "place": place} for place, one in enumerate(table.people.values(), 1)]
    tournament = uuid4()
    entries = [log.Entry("tournament_opened", {}), log.Entry("tournament_closed", {"placements": rows, "at_seq": 0})]
    log.append(stream=tournament, stream_kind="tournament", entries=entries, expected_seq=-1, by=None, at=AT)
    caught_up()
    (award,) = Award.objects.all()
    assert (award.person_id, award.badge, award.tier) == (table.people["ada"].pk, "BDG-X-03", "bronze")
    assert award.evidence == [{"stream": str(tournament), "seq": 1}]


def test_a_note_that_was_struck_is_no_deed_any_more(circle: Callable[..., Circle]) -> None:
    table = circle("ada")
    note = events.ConductNoted(person=str(table.people["ada"].pk), kind="commendation", date="2026-05-01", note="Fair.")
    seq = say(table.league, note)
    caught_up()
    assert Deed.objects.get().type == "conduct_noted"
    say(table.league, events.ConductStruck(target_seq=seq, reason="Another person was meant."))
    caught_up()
    assert not Deed.objects.exists()


def test_an_entry_that_cannot_be_read_stops_only_itself_and_waits_until_that_is_mended(
    circle: Callable[..., Circle], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = circle("ada", "bo")
    ada, bo = table.people["ada"], table.people["bo"]
    match = table.play(1, "ada", "bo")
    told = events.MentorAssigned(mentor=str(ada.pk), newcomer=str(bo.pk), match=str(match.pk))
    say(table.league, lesson(ada, "LSN-HX-1"), told, lesson(ada, "LSN-HX-2"))
    with monkeypatch.context() as broken:
        broken.setitem(services.deeds.CONCERNED, ("league", "mentor_assigned"), lambda data: iter([data["nobody"]]))
        caught_up()
        assert Poisoned.objects.get().match_id == table.league.pk
        assert "entry" in Poisoned.objects.get().error
        assert selectors.standing(ada).learning == 3
        say(table.league, lesson(ada, "LSN-HX-3"))
        caught_up()
        assert selectors.standing(ada).learning == 4
        # It was left out and still is: nothing says that it was mended.
        assert Poisoned.objects.exists()
        assert not services.retry(table.league.pk)
    assert services.retry(table.league.pk)
    assert selectors.standing(ada).learning == 5


def test_a_league_that_gets_another_zone_gives_its_days_other_moments(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    say(table.league, lesson(table.people["ada"], "LSN-HX-1"))
    caught_up()
    before = Deed.objects.get().at
    say(table.league, events.LeagueChanged(timezone="Pacific/Auckland"), lesson(table.people["ada"], "LSN-HX-2"))
    caught_up()
    first, _second = Deed.objects.order_by("seq")
    assert first.at == before - timedelta(hours=12)
    assert Deed.objects.filter(at=first.at).count() == 2
    bit_by_bit = everything()
    services.rebuild()
    assert everything() == bit_by_bit


def test_a_mentor_who_played_in_the_newcomers_match_loses_the_rank_with_it_and_is_told_so(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo", "cy")
    ada, cy = table.people["ada"], table.people["cy"]
    for day in (1, 2):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    first = table.play(9, "ada", "cy", on=date(2026, 5, 5))
    say(table.league, events.MentorAssigned(mentor=str(ada.pk), newcomer=str(cy.pk), match=str(first.pk)))
    caught_up()
    assert RankEntry.objects.get(person_id=ada.pk, rank="RANK-2").withdrawn_on is None
    first = matches.match_annul(match=first, by=table.owner, reason="never played", expected_seq=first.seq, at=AT)
    caught_up()
    assert RankEntry.objects.get(person_id=ada.pk, rank="RANK-2").withdrawn_by == {
        "stream": str(first.pk), "seq": first.seq,
    }  # fmt: skip


def test_a_tournament_that_is_opened_again_takes_its_laurels_and_says_by_what(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    ada, bo = (str(one.pk) for one in table.people.values())
    tournament = uuid4()

    def closed(first: str, second: str) -> log.Entry:
        rows = [{"person": first, "place": 1}, {"person": second, "place": 2}]
        return log.Entry("tournament_closed", {"placements": rows})

    entries = [closed(ada, bo), log.Entry("tournament_reopened", {}), closed(bo, ada)]
    log.append(stream=tournament, stream_kind="tournament", entries=entries, expected_seq=-1, by=None, at=AT)
    caught_up()
    told = {str(one.person_id): (one.status, one.withdrawn_by) for one in Award.objects.filter(badge="BDG-X-03")}
    assert told == {ada: ("withdrawn", {"stream": str(tournament), "seq": 1}), bo: ("final", None)}


def test_deeds_are_found_under_every_id_of_a_person(circle: Callable[..., Circle]) -> None:
    table = circle("ada")
    guest = person_guest_create("Ada")
    say(table.league, lesson(guest, "LSN-HX-1"))
    persons.persons_join(person=table.people["ada"], other=guest, by=table.owner, at=AT)
    caught_up()
    assert selectors.standing(table.people["ada"]).learning == 1
    persons.persons_split(person=table.people["ada"], other=guest, by=table.owner, at=AT)
    caught_up()
    assert selectors.standing(table.people["ada"]).learning == 0
    assert not Standing.objects.filter(pk=UUID(str(table.people["ada"].pk))).exists()
