"""Leagues as a browser, htmx and a program see them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.authtoken.models import Token

from league import services
from league.models import League, Member
from matches.models import Match, Seat
from people import rights
from people.models import Person
from people.services import account_create, grant_give, operator, person_update

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def person(handle: str, role: str = "", scope: str = "", privacy: str = "public") -> Person:
    made = account_create(f"{handle}@example.org", None, handle, f"{handle.title()} Moreau").person
    if role:
        grant_give(person=made, role=role, scope=scope, by=None)
    return person_update(person=made, display_name=made.display_name, privacy=privacy)


def browser(who: Person | None) -> Client:
    client = Client()
    if who is not None:
        client.force_login(who.account)
    return client


@pytest.fixture
def league() -> League:
    return services.league_open(name="Winter league", slug="winter", by=operator(), at=NOW)


@pytest.fixture
def owner(league) -> Person:
    return person("olga", "owner", league.scope)


def match_of(league: League, *persons: Person) -> Match:
    match = Match.objects.create(game="hexwar", edition="hexwar-1", played_on=date(2026, 11, 1), league=league.pk)
    for position, one in enumerate(persons):
        Seat.objects.create(match=match, seat="ABCDEF"[position], position=position, person=one, linked=True)
    return match


def test_an_empty_site_says_that_there_is_no_league_and_who_can_open_one(client):
    said = client.get("/leagues").content.decode()
    assert "No league yet" in said and "Open a league" not in said


def test_an_organizer_of_the_site_opens_a_league(client):
    organizer = browser(person("org", "organizer", "site"))
    assert organizer.get("/leagues/new/").status_code == 200
    answer = organizer.post(
        "/leagues/new/", {"name": "Münster Club!", "slug": "", "timezone": "UTC", "appeal_hours": 48}
    )
    assert answer.url == "/leagues/munster-club"
    assert League.objects.get().appeal_hours == 48
    again = organizer.post("/leagues/new/", {"name": "Münster Club", "timezone": "UTC", "appeal_hours": 48})
    assert again.status_code == 400 and "already exists" in again.content.decode()
    zone = organizer.post("/leagues/new/", {"name": "Mars", "timezone": "Mars/Olympus", "appeal_hours": 48})
    assert zone.status_code == 400 and "No time zone Mars/Olympus" in zone.content.decode()


def test_others_are_told_who_opens_leagues(client, league, owner):
    assert client.get("/leagues/new").url.startswith("/accounts/login/")
    answer = browser(owner).get("/leagues/new")
    assert answer.status_code == 403 and "organizers and owners of the site" in answer.content.decode()


def test_a_member_is_entered_by_handle_with_and_without_htmx(league, owner):
    person("bo"), person("cy")
    mine = browser(owner)
    assert mine.post("/leagues/winter/members", {"member-handle": "@Bo"}).url == "/leagues/winter"
    part = mine.post("/leagues/winter/members/", {"member-handle": "cy"}, HTTP_HX_REQUEST="true")
    said = part.content.decode()
    assert part.status_code == 200 and "<html" not in said and 'id="league"' in said and "@cy is a member." in said
    assert Member.objects.filter(league=league).count() == 2


def test_an_unknown_handle_enters_nobody_and_a_name_joins_nobody(league, owner):
    person("bo")
    mine = browser(owner)
    for entered in ("nobody", "Bo Moreau"):
        answer = mine.post("/leagues/winter/members", {"member-handle": entered})
        assert answer.status_code == 400 and "Nobody here has the handle" in answer.content.decode()
    mine.post("/leagues/winter/guests", {"guest-display_name": "Bo Moreau"})
    assert Member.objects.get().person.is_guest


def test_a_guest_is_entered_shown_and_ended(league, owner):
    mine = browser(owner)
    assert mine.post("/leagues/winter/guests", {"guest-display_name": " "}).status_code == 400
    mine.post("/leagues/winter/guests", {"guest-display_name": "Kim Little", "guest-is_minor": "on"})
    kim = Member.objects.get().person
    assert "Kim Little" not in Client().get("/leagues/winter").content.decode()
    mine.post(f"/leagues/winter/members/{kim.pk}/privacy", {"privacy": "public"})
    assert "Kim Little" in Client().get("/leagues/winter").content.decode()
    assert mine.post(f"/leagues/winter/members/{kim.pk}/privacy", {"privacy": "secret"}).status_code == 422
    mine.post(f"/leagues/winter/members/{kim.pk}/remove")
    assert "Kim Little" not in Client().get("/leagues/winter").content.decode()
    assert mine.post(f"/leagues/winter/members/{kim.pk}/remove").status_code == 422


def test_roles_are_given_and_taken_on_the_page(league, owner):
    bo, mine = person("bo"), browser(owner)
    mine.post("/leagues/winter/roles", {"role-handle": "bo", "role-role": "referee"})
    assert rights.roles(Person.objects.get(pk=bo.pk), league.scopes) == {"referee"}
    assert mine.post("/leagues/winter/roles", {"role-handle": "bo", "role-role": "king"}).status_code == 400
    said = mine.post(f"/leagues/winter/roles/{bo.pk}/referee/revoke", HTTP_HX_REQUEST="true").content.decode()
    assert "Bo Moreau no longer holds the role Referee." in said
    assert mine.post(f"/leagues/winter/roles/{bo.pk}/referee/revoke").status_code == 422


def test_settings_closing_and_reopening(league, owner):
    mine = browser(owner)
    assert mine.get("/leagues/winter/settings").status_code == 200
    form = {"name": "Frost", "timezone": "Europe/Berlin", "appeal_hours": 24}
    assert mine.post("/leagues/winter/settings", form | {"timezone": "Nowhere"}).status_code == 400
    assert mine.post("/leagues/winter/settings", form).url == "/leagues/winter"
    mine.post("/leagues/winter/close")
    assert mine.post("/leagues/winter/members", {"member-handle": "olga"}).status_code == 422
    said = mine.get("/leagues/winter").content.decode()
    assert "Frost" in said and "Enter a member" not in said
    mine.post("/leagues/winter/reopen")
    assert mine.post("/leagues/winter/reopen").status_code == 422


def test_the_page_offers_only_what_its_reader_may_do(league, owner):
    organizer, bo = person("org", "organizer", league.scope), person("bo", "scribe", league.scope)
    offers = {
        who: [
            text in browser(who).get("/leagues/winter").content.decode()
            for text in ("Enter a member", "Give a role", "where the scope")
        ]
        for who in (None, bo, organizer, owner)
    }
    assert offers == {None: [False] * 3, bo: [False] * 3, organizer: [True, False, True], owner: [True] * 3}


def test_hidden_members_are_counted_but_not_named_for_others(league, owner):
    shy, half, bo = person("shy", privacy="hidden"), person("half", privacy="members"), person("bo")
    for one in (shy, half, bo):
        services.member_add(league=league, person=one, by=operator(), at=NOW)
    grant_give(person=shy, role="scribe", scope=league.scope, by=None)
    match_of(league, shy, bo)

    def page(who):
        return browser(who).get("/leagues/winter").content.decode()

    stranger, member, mine = page(None), page(bo), page(owner)
    assert "Shy" not in stranger + member and "/@shy" not in stranger + member and "S. M. – Bo Moreau" in stranger
    assert "2 members are not shown" in stranger and "1 member is not shown" in member
    assert "Half Moreau" not in stranger and "Half Moreau" in member
    assert "Shy Moreau" in mine


@pytest.mark.parametrize("path", ["/leagues/nowhere", "/leagues/nowhere/settings"])
def test_an_unknown_league_is_said_to_be_unknown(owner, path):
    answer = browser(owner).get(path)
    assert answer.status_code == 404 and "There is no league “nowhere”." in answer.content.decode()


# What it costs


def fill(league: League, count: int) -> None:
    for number in range(count):
        one = person(f"m{number}x{count}", privacy=("public", "members", "hidden")[number % 3])
        services.member_add(league=league, person=one, by=operator(), at=NOW)
        grant_give(person=one, role="scribe", scope=league.scope, by=None)
        match_of(league, one, one)


def queries_of(client: Client, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


@pytest.mark.parametrize("signed_in", [False, True])
def test_a_leagues_page_costs_the_same_queries_for_few_and_for_many(league, owner, signed_in):
    mine = browser(owner if signed_in else None)
    fill(league, 3)
    few = queries_of(mine, "/leagues/winter")
    fill(league, 7)
    assert queries_of(mine, "/leagues/winter") == few <= 17


def test_the_list_of_leagues_costs_the_same_queries_for_few_and_for_many_and_has_pages(client, league):
    few = queries_of(client, "/leagues")
    for number in range(30):
        services.league_open(name=f"League {number}", slug=f"league-{number}", by=operator(), at=NOW)
    assert queries_of(client, "/leagues") - few <= 0
    assert "Page 1 of 2" in client.get("/leagues").content.decode()


# The API


def program(who: Person) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": f"Token {Token.objects.get_or_create(user=who.account)[0].key}"}


def test_the_api_lists_leagues_and_their_officials(client, league, owner):
    shy = person("shy", "referee", league.scope, privacy="hidden")
    (row,) = client.get("/api/leagues/").json()["results"]
    assert (row["slug"], row["member_count"], row["match_count"], row["is_open"]) == ("winter", 0, 0, True)
    officials = client.get("/api/leagues/winter").json()["officials"]
    assert {"person": str(shy.pk), "handle": None, "name": "S. M.", "role": "referee"} in officials
    assert client.get("/api/leagues/nowhere/").status_code == 404


def test_the_api_opens_leagues_for_those_who_may(client, owner):
    league = {"name": "Frost", "slug": "frost", "timezone": "UTC", "appeal_hours": 24}
    json = {"content_type": "application/json"}
    assert client.post("/api/leagues/", league, **json).status_code == 401
    refused = client.post("/api/leagues/", league, **json, **program(owner))
    assert refused.status_code == 403 and "Organizer" in refused.json()["detail"]
    site = program(person("org", "organizer", "site"))
    assert client.post("/api/leagues/", league | {"timezone": "Mars"}, **json, **site).json() == {
        "timezone": ["No time zone Mars; an example is Europe/Berlin."]
    }
    made = client.post("/api/leagues/", league, **json, **site)
    assert made.status_code == 201 and made.json()["appeal_hours"] == 24
    assert client.post("/api/leagues/", league, **json, **site).status_code == 400


def test_the_api_enters_members_for_those_who_may(client, league, owner):
    person("bo"), person("shy", privacy="hidden")
    mine, json = program(owner), {"content_type": "application/json"}
    url = "/api/leagues/winter/members/"
    assert client.post(url, {"handle": "bo"}, **json).status_code == 401
    assert client.post(url, {"handle": "bo"}, **json, **program(person("cy"))).status_code == 403
    assert client.post(url, {"handle": "@Bo"}, **json, **mine).json()["name"] == "Bo Moreau"
    client.post(url, {"handle": "shy"}, **json, **mine)
    assert client.post(url, {"guest": "Kim", "is_minor": True}, **json, **mine).status_code == 201
    for wrong in ({}, {"handle": "bo", "guest": "Bo"}, {"handle": "nobody"}, {"guest": ""}):
        assert client.post(url, wrong, **json, **mine).status_code == 400
    assert [row["name"] for row in client.get(url).json()["results"]] == ["Bo Moreau"]
    assert len(client.get(url, **mine).json()["results"]) == 3


def test_the_api_says_who_asks_and_finds_nobody_hidden(client, owner, league):
    person("shy", privacy="hidden"), person("bo")
    assert client.get("/api/me").status_code == 401
    me = client.get("/api/me/", **program(owner)).json()
    assert (me["handle"], me["grants"]) == ("olga", [{"role": "owner", "scope": league.scope}])
    assert [row["handle"] for row in client.get("/api/people/").json()["results"]] == ["bo", "olga"]
    assert [row["handle"] for row in client.get("/api/people/?q=@ol").json()["results"]] == ["olga"]
    assert client.get("/api/people/?q=shy").json()["results"] == []
