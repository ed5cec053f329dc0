"""Ratings folded over the log: in order of play, whatever arrived first, and corrected from the point that changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from career import services
from career.models import Rating, RatingChange, RatingStep, SeatDigest
from career.ratings import selectors, skill
from career.ratings import services as ratings
from career.ratings.editions import CURRENT
from league import services as leagues
from matches import persons
from matches import services as matches
from matches.models import Seat
from people.services import person_guest_create
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.test_follow import caught_up


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    return circle("ada", "bo", "cy", "dee")


def stand() -> dict[tuple[str, str, str], tuple[float, float, float, int]]:
    """Return every rating, by system, game and person."""
    return {
        (one.system, one.game, str(one.person_id)): (one.value, one.deviation, one.peak, one.matches)
        for one in Rating.objects.all()
    }


def steps() -> list[tuple[object, ...]]:
    return sorted(
        RatingStep.objects.values_list("system", "match_id", "person_id", "seq", "place", "before", "after"), key=str
    )


def test_each_confirmed_match_is_a_step_with_its_confirmation_as_evidence(table: Circle) -> None:
    match = table.play(1, "ada", "bo", "cy")
    caught_up()
    rows = list(RatingStep.objects.filter(match_id=match.pk))
    assert len(rows) == 3
    assert {one.seq for one in rows} == {match.seq}
    places = {str(seat.person_id): seat.place for seat in Seat.objects.filter(match=match)}
    expected = skill.rate([[skill.new(CURRENT.openskill)]] * 3, list(places.values()), CURRENT.openskill)  # type: ignore[arg-type]
    for (person, _place), (told,) in zip(places.items(), expected, strict=True):
        one = next(row for row in rows if str(row.person_id) == person)
        assert (one.after, one.after_deviation) == (
            pytest.approx(told.mu, abs=1e-9),
            pytest.approx(told.sigma, abs=1e-9),
        )
    told = selectors.ratings_of(table.people["ada"])["hexwar"]
    assert (told["matches"], told["provisional"]) == (1, True)


def test_a_provisional_match_and_an_annulled_one_move_nothing(table: Circle) -> None:
    table.play(1, "ada", "bo", confirm=False)
    gone = table.play(2, "ada", "bo", on=date(2026, 5, 2))
    matches.match_annul(match=gone, by=table.owner, reason="never played", expected_seq=gone.seq, at=AT)
    caught_up()
    assert stand() == {}


def test_three_matches_of_three_and_the_first_one_turned_around_give_the_same_as_a_fresh_fold(table: Circle) -> None:
    first = table.play(1, "ada", "bo", on=date(2026, 5, 1))
    table.play(2, "bo", "cy", on=date(2026, 5, 2))
    table.play(3, "ada", "cy", on=date(2026, 5, 3))
    caught_up()
    before = stand()
    SeatDigest.objects.filter(match_id=first.pk).update(place=3 - F("place"))
    ratings.refold({first.pk}, set(), {})
    incremental, ledger = stand(), RatingChange.objects.count()
    assert incremental != before
    assert ledger == 3
    assert {one.cause for one in RatingChange.objects.all()} == {first.pk}
    RatingStep.objects.all().delete()
    Rating.objects.all().delete()
    ratings.rebuild({})
    for key, values in stand().items():
        assert values == pytest.approx(incremental[key], abs=1e-9)
    assert RatingChange.objects.count() == ledger


def test_a_late_match_is_rated_at_its_place_and_the_ledger_says_old_and_new(table: Circle) -> None:
    table.play(2, "ada", "bo", on=date(2026, 5, 2))
    caught_up()
    shown = Rating.objects.get(person_id=table.people["ada"].pk).value
    late = table.play(1, "ada", "cy", on=date(2026, 5, 1))
    caught_up()
    change = RatingChange.objects.get(person_id=table.people["ada"].pk)
    assert (change.old, change.new, change.cause) == (
        shown, Rating.objects.get(person_id=table.people["ada"].pk).value, late.pk,
    )  # fmt: skip
    assert not RatingChange.objects.filter(person_id=table.people["cy"].pk).exists()


@pytest.mark.parametrize("seed", range(3))
def test_whatever_arrived_first_the_ratings_are_the_same(table: Circle, seed: int) -> None:
    chance = random.Random(f"ratings {seed}")
    handles = list(table.people)
    logs = [
        table.log(number, *chance.sample(handles, chance.choice((2, 3, 4))), on=date(2026, 5, 1 + number))
        for number in range(9)
    ]
    chance.shuffle(logs)
    played = []
    for log in logs:
        played.append(table.record(log))
        if chance.random() < 0.6:
            caught_up()
    gone = chance.choice(played)
    matches.match_annul(match=gone, by=table.owner, reason="never played", expected_seq=gone.seq, at=AT)
    caught_up()
    bit_by_bit, told = steps(), stand()
    assert len(told) == 4
    services.rebuild()
    assert (steps(), stand()) == (bit_by_bit, told)
    RatingStep.objects.all().delete()
    Rating.objects.all().delete()
    services.rebuild()
    assert (steps(), stand()) == (bit_by_bit, told)


def test_the_peak_is_the_most_of_the_history(table: Circle) -> None:
    for number in range(5):
        table.play(number, "ada", "bo", on=date(2026, 5, 1 + number))
    caught_up()
    for one in Rating.objects.all():
        history = selectors.history_of(next(p for p in table.people.values() if p.pk == one.person_id), "hexwar")
        assert one.peak == max(step.after for step in history)
        assert [step.before for step in history[1:]] == [step.after for step in history[:-1]]


def test_a_joined_guest_brings_the_matches_and_a_split_takes_them_away(table: Circle) -> None:
    guest = leagues.member_guest_add(
        league=table.league, display_name="Ada M", is_minor=False, by=table.owner, at=AT
    ).person
    match = table.play(1, "bo", "cy", on=date(2026, 5, 1))
    seat = match.seats.get(position=1)
    Seat.objects.filter(pk=seat.pk).update(person=guest)
    services.rebuild()
    alone = stand()
    assert ("openskill", "hexwar", str(guest.pk)) in alone
    ada = table.people["ada"]
    persons.persons_join(person=ada, other=guest, by=table.owner, at=AT)
    caught_up()
    assert ("openskill", "hexwar", str(ada.pk)) in stand() and ("openskill", "hexwar", str(guest.pk)) not in stand()
    persons.persons_split(person=ada, other=guest, by=table.owner, at=AT)
    caught_up()
    assert stand() == alone
    assert person_guest_create("x").pk not in {one.person_id for one in Rating.objects.all()}


def test_a_league_may_rate_its_games_of_two_by_glicko2_a_day_a_period(table: Circle) -> None:
    table.play(1, "ada", "bo", on=date(2026, 5, 1))
    leagues.league_change(
        league=table.league,
        name="Winter",
        timezone="UTC",
        appeal_hours=72,
        rating_system="glicko2",
        by=table.owner,
        at=AT,
    )
    caught_up()
    rated = Rating.objects.filter(system="glicko2", league_id=table.league.pk)
    assert rated.count() == 2
    low, high = sorted(rated.values_list("value", flat=True))
    assert low < 1500 < high
    table.play(2, "ada", "cy", on=date(2026, 5, 2))
    table.play(3, "bo", "cy", "dee", on=date(2026, 5, 3))
    caught_up()
    assert rated.count() == 3
    bo = rated.get(person_id=table.people["bo"].pk)
    assert bo.matches == 1
    told = stand()
    services.rebuild()
    assert stand() == told
    leagues.league_change(
        league=table.league,
        name="Winter",
        timezone="UTC",
        appeal_hours=72,
        rating_system="openskill",
        by=table.owner,
        at=AT,
    )
    caught_up()
    assert not rated.exists()
    assert Rating.objects.filter(system="openskill").count() == 4


# Leaderboards


def test_a_leaderboard_goes_by_what_the_strength_is_at_least_and_hides_the_hidden(
    table: Circle, client: Client
) -> None:
    for number in range(6):
        table.play(number, "ada", "bo", "cy", on=date(2026, 5, 1 + number))
    caught_up()
    rows = list(selectors.leaderboard("hexwar", None))
    assert [one.conservative for one in rows] == sorted((one.conservative for one in rows), reverse=True)
    persons.person_hide(person=table.people["cy"], privacy="hidden", by=table.people["cy"])
    assert len(list(selectors.leaderboard("hexwar", None))) == 2
    page = client.get(reverse("leaderboard", args=["hexwar"])).content.decode()
    assert "Ada" in page and "Cy" not in page
    told = client.get(reverse("api-leaderboard", args=["hexwar"])).json()
    assert {row["handle"] for row in told["results"]} == {"ada", "bo"}


def test_a_leaderboard_asks_the_same_number_of_times_for_many_as_for_few(
    table: Circle, client: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    url = reverse("leaderboard", args=["hexwar"])
    table.play(1, "ada", "bo")
    caught_up()
    with django_assert_max_num_queries(12):  # type: ignore[attr-defined]
        assert client.get(url).status_code == 200
    table.play(2, "ada", "bo", "cy", "dee", on=date(2026, 5, 2))
    caught_up()
    with django_assert_max_num_queries(12):  # type: ignore[attr-defined]
        client.get(url)


@pytest.mark.parametrize(
    "query", ["?league=winter", "?league=nowhere", "?by=renown", "?by=badges", "?by=x", "?page=99", "?settled=1"]
)
def test_every_filter_of_a_leaderboard_answers(table: Circle, client: Client, query: str) -> None:
    table.play(1, "ada", "bo")
    caught_up()
    assert client.get(reverse("leaderboard", args=["hexwar"]) + query).status_code in (200, 404)
    assert client.get(reverse("leaderboard-list")).status_code == 200
