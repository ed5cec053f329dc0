"""The profile, the badges and the career in the API: what they show, to whom, and at what cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from career import services
from people import services as people
from people.models import Person
from tests.career.conftest import Circle


@pytest.fixture
def season(circle: Callable[..., Circle]) -> Circle:
    """Return a league in which two people have played three matches, and all is derived."""
    table = circle("ada", "bo")
    for number, seed in enumerate((6, 8, 5)):
        table.play(seed, "ada", "bo", on=date(2026, 5, 1 + number))
    while services.catch_up():
        pass
    return table


def test_a_profile_shows_rank_badges_record_and_matches_with_their_entries(season: Circle, client: Client) -> None:
    page = client.get("/@bo").content.decode()
    assert "<h1>Bo</h1>" in page
    for said in ("Page", "City Taker", "Silver" if "Silver" in page else "Bronze", "Results over time", "place 1 of 2"):
        assert said in page
    assert f"/matches/{season_match(season)}?at=" in page


def season_match(season: Circle) -> str:
    from career.models import Award

    return str(Award.objects.filter(person_id=season.people["bo"].pk).order_by("on").first().match_id)


def test_somebody_without_matches_is_told_what_to_do(circle: Callable[..., Circle], client: Client) -> None:
    circle("ada")
    page = client.get("/@ada/").content.decode()
    assert "No rank yet: the first confirmed match makes a Page." in page
    assert "Upload the log of one." in page


def test_an_unknown_handle_is_not_found_and_says_so(db: None, client: Client) -> None:
    answer = client.get("/@nobody")
    assert answer.status_code == 404
    assert "@nobody" in answer.content.decode()


def test_an_old_handle_leads_to_the_new_one_for_good(season: Circle, client: Client) -> None:
    people.handle_change(person=season.people["ada"], handle="countess")
    answer = client.get("/@ada")
    assert (answer.status_code, answer["Location"]) == (301, "/@countess")


def test_a_hidden_career_is_shown_to_nobody_else(season: Circle, client: Client) -> None:
    season.people["bo"].privacy = Person.Privacy.HIDDEN
    season.people["bo"].save()
    answer = client.get("/@bo")
    page = answer.content.decode()
    assert "City Taker" not in page
    assert "<h1>Bo</h1>" not in page
    assert client.get("/api/people/bo/").status_code == 404
    assert "/@bo" not in client.get("/badges/BDG-HX-02").content.decode()
    client.force_login(season.people["bo"].account)
    assert "City Taker" in client.get("/@bo").content.decode()


def test_a_badge_page_names_who_earned_it_and_where(season: Circle, client: Client) -> None:
    page = client.get("/badges/BDG-HX-02/").content.decode()
    assert "/@bo" in page
    assert f"/matches/{season_match(season)}?at=" in page


def test_every_badge_has_a_page_and_an_unknown_one_is_not_found(db: None, client: Client) -> None:
    from career.catalogue import CURRENT

    listed = client.get("/badges").content.decode()
    for badge in CURRENT.badges:
        assert f"/badges/{badge.id}" in listed
        assert client.get(f"/badges/{badge.id}").status_code == 200
    assert client.get("/badges/BDG-HX-99").status_code == 404


def test_a_longer_career_costs_no_more_queries(
    circle: Callable[..., Circle], client: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    table = circle("ada", "bo")
    for number in range(6):
        table.play(6, "ada", "bo", on=date(2026, 5, 1 + number))
    while services.catch_up():
        pass
    for path in ("/@bo", "/badges/BDG-HX-02", "/badges/"):
        with django_assert_max_num_queries(38):  # type: ignore[attr-defined]
            assert client.get(path).status_code == 200


def test_the_api_and_the_command_tell_the_same_career(season: Circle, client: Client) -> None:
    api = client.get("/api/people/bo/").json()
    out = StringIO()
    call_command("career", "@bo", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert {key: api[key] for key in api if key != "as_of"} == {key: told[key] for key in told if key != "as_of"}
    assert {
        "person",
        "handle",
        "name",
        "as_of",
        "rank",
        "next",
        "learning",
        "active_years",
        "badges",
        "record",
        "history",
    } <= set(told)
    assert told["badges"][0]["evidence"][0].keys() == {"stream", "seq"}


def test_the_command_says_who_is_not_there(db: None) -> None:
    with pytest.raises(CommandError, match="Nobody has the handle 'nobody'"):
        call_command("career", "nobody")


def test_derive_needs_somebody_who_may(circle: Callable[..., Circle]) -> None:
    circle("ada")
    with pytest.raises(CommandError, match="@ada"):
        call_command("derive", "--by", "ada")


def test_derive_rebuild_says_how_far_it_is(season: Circle) -> None:
    out = StringIO()
    call_command("derive", "--rebuild", "--wait", stdout=out)
    assert "digests: 3 of 3" in out.getvalue()
    assert "up to date with the log" in out.getvalue()
