"""The figures of the honors, from events."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from uuid import uuid4

import pytest

from career.honors import figures
from career.honors.catalogue import HONORS
from career.honors.figures import Figure, is_eligible, scribe_share
from career.models import Honor, RankEntry, SeatDigest, Standing
from league import records
from league import services as leagues
from league.models import SportsmanshipVote
from matches import services as matches
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.test_follow import caught_up


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("ada", "bo", "cy", "mo")
    leagues.role_give(league=made.league, person=made.people["mo"], role="organizer", by=made.owner, at=AT)
    return made


def have(table: Circle, honor: str, who: str = "ada", at: datetime = AT) -> list[int]:
    return [one.have for one in figures.figures(honor, table.people[who], table.league, at)]


def test_every_honor_has_figures_and_nobody_is_eligible_for_nothing(table: Circle) -> None:
    for honor in HONORS:
        found = figures.figures(honor.id, table.people["ada"], table.league, AT)
        assert found and not is_eligible(found), honor.id
        assert all(isinstance(one.name, str) and one.name for one in found)


@pytest.mark.parametrize(
    ("voters", "in_matches", "eligible"), [(12, 7, False), (11, 9, False), (12, 8, True)]
)  # the first vector of 6.6
def test_hon_05_twelve_voters_in_eight_matches(table: Circle, voters: int, in_matches: int, eligible: bool) -> None:
    season = records.season_open(
        league=table.league, key="s", title="S", first_day=date(2026, 1, 1), by=table.people["mo"], at=AT
    )
    ids = [uuid4() for _ in range(in_matches)]
    for number in range(max(voters, in_matches)):
        SportsmanshipVote.objects.create(
            season=season, match_id=ids[number % in_matches], voter=f"v{number % voters}", nominee=table.people["ada"].pk, seq=number,
        )  # fmt: skip
    found = figures.figures("HON-05", table.people["ada"], table.league, AT)
    assert [one.have for one in found] == [voters, in_matches]
    assert is_eligible(found) is eligible


@pytest.mark.parametrize(("errors", "eligible"), [(20, True), (21, False)])  # the third vector
def test_hon_08_two_of_a_hundred_entries(errors: int, eligible: bool) -> None:
    assert scribe_share(errors, 1000).is_met is eligible


def test_hon_01_counts_events_and_the_matches_that_are_not_confirmed(table: Circle) -> None:
    for number in range(3):
        ids = [table.play(10 * number + at, "ada", "bo", on=date(2026, 5, 1 + number)).pk for at in range(3)]
        if number == 2:
            ids.append(table.play(99, "ada", "bo", on=date(2026, 5, 9), confirm=False).pk)
        records.event_organize(
            league=table.league, organizer=table.people["ada"], title=f"E{number}", day=date(2026, 5, 1), match_ids=ids, staff=[],
            by=table.people["mo"], at=AT,
        )  # fmt: skip
    caught_up()
    found = figures.figures("HON-01", table.people["ada"], table.league, AT)
    assert [(one.have, one.need, one.is_met) for one in found] == [(3, 3, True), (1, 1, True)]


def test_hon_04_a_penalty_counts_until_it_is_voided_and_a_warning_too(table: Circle) -> None:
    first = table.play(1, "ada", "bo", on=date(2024, 5, 1))
    match = table.play(2, "ada", "bo", on=date(2026, 5, 1))
    match = matches.penalty_give(
        match=match, seat="A", kind="warning", reason="Late.", by=table.owner, expected_seq=match.seq
    )
    caught_up()
    assert have(table, "HON-04") == [25, 2, 1, 0, 0]
    assert have(table, "HON-04", "bo") == [25, 2, 0, 0, 0]
    penalty = match.seq
    matches.event_void(
        match=match, target_seq=penalty, reason="Another was meant.", by=table.owner, expected_seq=match.seq
    )
    caught_up()
    assert have(table, "HON-04") == [25, 2, 0, 0, 0]
    records.conduct_note(
        league=table.league, person=table.people["ada"], kind="unexcused_absence", note="Did not come.", day=date(2026, 5, 1),
        by=table.people["mo"], at=AT,
    )  # fmt: skip
    caught_up()
    assert have(table, "HON-04") == [25, 2, 0, 0, 1]
    assert have(table, "HON-04", at=AT + timedelta(days=800))[2:] == [0, 0, 0]
    assert first.pk


def test_hon_03_counts_newcomers_once_they_are_squires(table: Circle) -> None:
    match = table.play(1, "bo", "cy")
    for newcomer in ("bo", "cy"):
        records.mentor_assign(
            league=table.league,
            mentor=table.people["ada"],
            newcomer=table.people[newcomer],
            match=match,
            by=table.people["mo"],
            at=AT,
        )
    caught_up()
    assert have(table, "HON-03") == [0]
    RankEntry.objects.create(
        person_id=table.people["bo"].pk, rank="RANK-3", on=date(2026, 5, 1), order=["x"], stream=match.pk, seq=1
    )
    assert have(table, "HON-03") == [1]


def test_hon_09_counts_whole_hours_confirmed_by_others(table: Circle) -> None:
    for minutes in (1200, 590):
        records.service_record(
            league=table.league, person=table.people["ada"], kind="other", minutes=minutes, day=date(2026, 5, 1),
            by=table.people["mo"], at=AT,
        )  # fmt: skip
    caught_up()
    assert have(table, "HON-09") == [29]


def test_hon_07_rulings_that_were_overturned_later_are_one_in_ten_at_most(table: Circle) -> None:
    assert [(one.need, one.at_most) for one in figures.figures("HON-07", table.people["ada"], table.league, AT)][2] == (
        0,
        True,
    )
    assert Figure("x", 1, 1, at_most=True).is_met and not Figure("x", 2, 1, at_most=True).is_met


def test_hon_02_counts_matches_with_a_general_at_the_own_seat(table: Circle) -> None:
    for number in range(3):
        common = {
            "match_id": uuid4(), "game": "kingsquare", "confirmed": True, "present": True, "on": date(2026, 5, 1), "ended_at": AT,
            "league_id": table.league.pk, "players": 3,
        }  # fmt: skip
        SeatDigest.objects.create(person_id=table.people["ada"].pk, role="player", seat="A", place=1, **common)
        SeatDigest.objects.create(
            person_id=table.people["bo" if number else "cy"].pk,
            role="general",
            seat="A" if number < 2 else "B",
            **common,
        )
    assert have(table, "HON-02") == [2, 2, 0]


def test_hon_10_needs_a_warden_with_five_years_and_an_honor_of_each_class(table: Circle) -> None:
    ada = table.people["ada"]
    Standing.objects.create(pk=ada.pk, matches=80, learning=20, active_years=[2021, 2022, 2023, 2024, 2025], credits=[])
    RankEntry.objects.create(person_id=ada.pk, rank="RANK-7", on=date(2025, 1, 1), order=["x"], stream=uuid4(), seq=1)
    for honor in ("HON-01", "HON-04"):
        Honor.objects.create(
            league_id=table.league.pk, honor=honor, person_id=ada.pk, step=1, on=date(2025, 1, 1), seq=1
        )
    assert have(table, "HON-10") == [7, 5, 2, 0]
    Honor.objects.create(
        league_id=table.league.pk, honor="HON-09", person_id=ada.pk, step=1, on=date(2025, 1, 1), seq=1
    )
    assert is_eligible(figures.figures("HON-10", ada, table.league, AT))


def test_peers_have_a_credited_match_together_in_the_last_twelve_months(table: Circle) -> None:
    table.play(1, "ada", "bo", on=date(2026, 5, 1), scribe="mo")
    table.play(2, "ada", "cy", on=date(2025, 5, 1))
    caught_up()
    assert figures.peers(table.people["ada"], AT) == {table.people["bo"].pk, table.people["mo"].pk}
