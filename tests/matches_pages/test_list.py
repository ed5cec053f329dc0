from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from people.models import Person
from tests.matches_pages import logs
from tests.matches_pages.conftest import SignIn, league_header, recorded
from tests.matches_pages.test_detail import HTMX, page, text

pytestmark = pytest.mark.django_db


def test_an_empty_list_says_what_to_do(client: Client) -> None:
    said = text(page(client, "/matches/"))
    assert "No match on record yet" in said
    assert "Upload a log" in said


def test_matches_are_listed_with_who_where_when_and_how_they_stand(client: Client, match: Match) -> None:
    said = text(page(client, "/matches"))
    assert "1 match Ada Moreau – Bo Lindqvist Hex war Nov. 28, 2026 Winter League Provisional won by Ada Moreau" in said


@pytest.fixture
def others(organizer: Person, match: Match) -> list[Match]:
    friendly = recorded(organizer, logs.file(logs.header(played_on="2025-03-01")))
    confirmed = recorded(organizer, logs.file(league_header(played_on="2024-05-05")), confirm=True)
    return [friendly, confirmed]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {0, 1, 2}),
        ("game=hexwar", {0, 1, 2}),
        ("status=confirmed", {2}),
        ("status=ended", {0, 1}),
        ("status=disputed", set()),
        ("league=winter", {0, 2}),
        ("league=friendly", {1}),
        ("person=@ada", {0, 2}),
        ("person=ADA", {0, 2}),
        ("person=nobody", set()),
        ("year=2025", {1}),
        ("year=2024&person=bo", {2}),
    ],
)
def test_filters_narrow_the_list(
    client: Client, match: Match, others: list[Match], query: str, found: set[int]
) -> None:
    got = page(client, f"/matches/?{query}")
    every = [match, *others]
    assert {number for number, one in enumerate(every) if f"/matches/{one.pk}" in got} == found


def test_a_filter_that_fits_nothing_says_so(client: Client, match: Match) -> None:
    said = text(page(client, "/matches/?status=annulled"))
    assert "No match fits" in said
    assert "Show all matches" in said


def test_a_filter_that_is_none_is_told(client: Client, match: Match) -> None:
    assert "Select a valid choice" in text(page(client, "/matches/?game=ludo"))


def test_htmx_gets_only_the_list(client: Client, match: Match) -> None:
    got = page(client, "/matches/?game=hexwar", **HTMX)
    assert "<html" not in got
    assert got.lstrip().startswith('<section id="list"')


def test_pages_hold_thirty_and_lead_on_with_the_filters(client: Client, organizer: Person) -> None:
    for day in range(31):
        recorded(organizer, logs.file(logs.header(played_on=f"2026-{1 + day // 28:02}-{1 + day % 28:02}"), events=()))
    got = page(client, "/matches/?game=hexwar")
    assert "31 matches" in text(got)
    assert "page=2" in got
    assert "game=hexwar" in got.split("page=2")[0].rsplit("href", 1)[1] + got.split("page=2")[1][:40]
    assert "Page 2 of 2" in text(page(client, "/matches/?game=hexwar&page=2"))


def test_the_list_asks_the_same_number_of_questions_however_long_it_is(
    client: Client, organizer: Person, match: Match
) -> None:
    counts = []
    for number in range(2):
        page(client, "/matches/")
        with CaptureQueriesContext(connection) as asked:
            page(client, "/matches/")
        counts.append(len(asked))
        for day in range(10):
            recorded(organizer, logs.file(league_header(played_on=f"2025-0{1 + number}-{1 + day:02}"), events=()))
    assert counts[0] == counts[1]
    assert counts[0] <= 14


def test_the_hidden_are_listed_by_initials_and_not_found_by_their_handle(
    client: Client, match: Match, ada: Person
) -> None:
    ada.privacy = Person.Privacy.HIDDEN
    ada.save()
    assert "Moreau" not in page(client, "/matches/")
    assert f"/matches/{match.pk}" not in page(client, "/matches/?person=ada")


def test_the_desk_shows_only_what_is_of_ones_own_scopes(
    browser: SignIn, organizer: Person, stranger: Person, match: Match
) -> None:
    assert f"/matches/{match.pk}" in page(browser(organizer), "/desk")
    said = text(page(browser(stranger), "/desk"))
    assert "No upload is held." in said
    assert "Every match that has ended is confirmed." in said
    recorded(organizer, logs.file(league_header(played_on="2024-05-05")), confirm=True)
    assert page(browser(organizer), "/desk").count('class="title"') == 1
