from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import League
from matches.models import Match
from people.models import Person

pytestmark = pytest.mark.django_db


def text(client: Client, url: str, status: int = 200) -> str:
    response = client.get(url)
    assert response.status_code == status, response.content[:400]
    return response.content.decode()


def test_a_new_installation_leads_to_the_page_that_makes_its_owner(client: Client) -> None:
    page = text(client, "/")
    assert "No match on record yet" in page
    assert f'href="{reverse("welcome")}"' in page


def test_an_empty_site_with_an_owner_asks_to_sign_in(client: Client, owner: Person) -> None:
    page = text(client, "/")
    assert "No match on record yet" in page
    assert reverse("welcome") not in page
    assert "Sign in to upload the first log" in page


def test_whoever_is_signed_in_is_led_to_the_upload(player_browser: Client) -> None:
    page = text(player_browser, "/")
    assert f'href="{reverse("upload")}"' in page
    assert "@tomas" in page


def test_the_matches_played_last_are_listed_with_their_state(client: Client, match: Match) -> None:
    page = text(client, "/")
    assert reverse("match-detail", args=[match.pk]) in page
    assert "Confirmed" in page


def test_a_hidden_person_is_not_named_on_the_home_page(client: Client, match: Match, player: Person) -> None:
    seat = match.seats.first()
    seat.person = player
    seat.sheet_name = player.display_name
    seat.save()
    assert player.display_name in text(client, "/")
    Person.objects.filter(pk=player.pk).update(privacy=Person.Privacy.HIDDEN)
    assert player.display_name not in text(client, "/")


def test_an_open_league_is_named_on_the_home_page(client: Client, db: None) -> None:
    League.objects.create(slug="harbour", name="Harbour League")
    assert reverse("league-detail", args=["harbour"]) in text(client, "/")


def test_every_page_of_a_demonstration_season_is_marked(client: Client, match: Match) -> None:
    for url in ("/", reverse("codex-index")):
        assert "demo-band" not in text(client, url)
    Match.objects.filter(pk=match.pk).update(is_demo=True)
    for url in ("/", reverse("codex-index"), reverse("account_login")):
        assert "demo-band" in text(client, url)


def test_the_home_page_asks_as_many_questions_for_eight_matches_as_for_one(
    client: Client, match: Match, django_assert_max_num_queries
) -> None:
    for _ in range(7):
        copy = Match.objects.create(
            game=match.game, edition=match.edition, status=match.status, played_on=match.played_on
        )
        for seat in match.seats.all():
            copy.seats.create(seat=seat.seat, position=seat.position, person=seat.person, sheet_name=seat.sheet_name)
    with django_assert_max_num_queries(8):
        text(client, "/")


def test_the_page_loads_nothing_inline(client: Client) -> None:
    page = text(client, "/")
    assert "<style" not in page
    assert 'style="' not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count("<script src=")


def test_a_page_that_is_not_there_says_what_to_do_next(client: Client) -> None:
    page = text(client, "/no-such-page", 404)
    assert "There is no such page" in page
    assert reverse("home") in page
    assert "<main" in page


def test_a_form_without_its_token_is_refused_in_the_sites_own_words(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(reverse("account_login"), {"login": "mirela"})
    assert response.status_code == 403
    assert "The form could not be accepted" in response.content.decode()


def test_a_failing_page_needs_no_database(rf, django_assert_num_queries) -> None:
    from config.views import server_error

    with django_assert_num_queries(0):
        response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert "What is recorded is safe" in response.content.decode()
