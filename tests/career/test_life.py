"""The page of a person beyond badges and ranks: relations, days, meetings, what is hidden, and where every line is proved."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from career import life, selectors
from career.models import SeatDigest
from league import records
from league import services as leagues
from matches import persons
from matches.models import Match
from people.models import Person
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.test_deeds import lesson, say
from tests.career.test_follow import caught_up


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("ada", "bo", "cy", "mo")
    leagues.role_give(league=made.league, person=made.people["mo"], role="organizer", by=made.owner, at=AT)
    return made


def as_(client: Client, person: Person) -> Client:
    client.force_login(person.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    return client


def test_relations_count_who_was_ahead_and_name_nobody_hidden(table: Circle) -> None:
    for number in range(5):
        table.play(number, "ada", "bo", on=date(2026, 5, 1 + number))
    table.play(9, "ada", "cy", on=date(2026, 5, 9))
    caught_up()
    found = life.relations(table.people["ada"], None)
    first = found["most"][0]
    assert (first.person, first.matches) == (table.people["bo"].pk, 5)
    places = SeatDigest.objects.filter(person_id=table.people["bo"].pk, role="player").values_list("place", flat=True)
    assert first.ahead == sum(place == 1 for place in places)
    assert first.ahead + first.behind == 5
    persons.person_hide(person=table.people["bo"], privacy="hidden", by=table.people["bo"])
    assert [one.person for one in life.relations(table.people["ada"], None)["most"]] == [table.people["cy"].pk]


def test_a_general_is_an_ally_and_no_opponent(table: Circle) -> None:
    match = table.play(1, "ada", "bo")
    caught_up()
    seat = SeatDigest.objects.get(person_id=table.people["ada"].pk)
    SeatDigest.objects.create(
        match_id=match.pk, person_id=table.people["cy"].pk, role="general", seat=seat.seat, game="hexwar", confirmed=True,
        on=seat.on, ended_at=seat.ended_at,
    )  # fmt: skip
    found = life.relations(table.people["ada"], None)
    assert [one.person for one in found["allies"]] == [table.people["cy"].pk]
    assert [one.person for one in found["most"]] == [table.people["bo"].pk]


def test_the_days_of_the_last_year_and_no_others(table: Circle) -> None:
    today = date(2026, 5, 31)
    for number, day in enumerate((today, today, today - timedelta(days=371), today - timedelta(days=300))):
        table.play(number, "ada", "bo", on=day)
    caught_up()
    assert [(day, played) for day, played, _won in life.heat(table.people["ada"], today)] == [
        (today - timedelta(days=300), 1), (today, 2),
    ]  # fmt: skip


def test_head_to_head_is_the_same_from_both_sides(table: Circle, client: Client) -> None:
    for number in range(3):
        table.play(number, "ada", "bo", on=date(2026, 5, 1 + number))
    table.play(7, "ada", "cy", on=date(2026, 5, 8))
    caught_up()
    ada, bo = table.people["ada"], table.people["bo"]
    one, other = life.meetings(ada, bo), life.meetings(bo, ada)
    assert [(match.match, match.place, match.other) for match in one] == [
        (match.match, match.other, match.place) for match in other
    ]
    page = client.get(reverse("head-to-head", args=["ada", "bo"])).content.decode()
    assert "They met in 3 matches" in page
    assert "have not met" in client.get(reverse("head-to-head", args=["bo", "cy"])).content.decode()
    assert client.get("/@ada/vs/@bo/").status_code == 200
    assert client.get(reverse("head-to-head", args=["ada", "nobody"])).status_code == 404
    assert client.get(reverse("head-to-head", args=["ada", "ada"])).status_code == 302
    persons.person_hide(person=bo, privacy="hidden", by=bo)
    assert client.get(reverse("head-to-head", args=["ada", "bo"])).status_code == 404


def test_a_badge_that_is_hidden_shows_to_nobody_but_oneself(table: Circle, client: Client) -> None:
    table.play(6, "ada", "bo")
    caught_up()
    (badge, *_rest) = {one.badge for one in selectors.awards(table.people["bo"])} or {None}
    who = "bo"
    if badge is None:
        who = "ada"
        badge = selectors.awards(table.people["ada"])[0].badge
    link = f"/badges/{badge}"
    assert link in client.get(f"/@{who}").content.decode()
    hide = reverse("career-hide")
    assert client.post(hide, {"kind": "badge", "key": badge, "hidden": "1"}).status_code == 302
    as_(client, table.people[who])
    assert client.post(hide, {"kind": "badge", "key": "nothing", "hidden": "1"}).status_code == 404
    assert client.post(hide, {"kind": "badge", "key": badge, "hidden": "1"}).status_code == 302
    assert link in client.get(f"/@{who}").content.decode()
    client.logout()
    assert link not in client.get(f"/@{who}").content.decode()
    assert badge not in {one["id"] for one in client.get(f"/api/people/{who}").json()["badges"]}


def test_rod_08_a_rank_may_be_hidden_unless_its_holder_is_an_official(table: Circle, client: Client) -> None:
    table.play(1, "ada", "mo")
    caught_up()
    for who in ("ada", "mo"):
        life.hide(table.people[who], "rank", "", hidden=True)
    assert "The rank is not shown" in client.get("/@ada").content.decode()
    assert "The rank is not shown" not in client.get("/@mo").content.decode()


def test_rod_19_a_suspended_rank_is_not_shown_for_that_time(table: Circle, client: Client) -> None:
    table.play(1, "ada", "bo")
    now = timezone.now()
    until = (now + timedelta(days=30)).date()
    records.rank_suspend(
        league=table.league,
        person=table.people["ada"],
        until=until,
        reason="Threw the dice.",
        by=table.people["mo"],
        at=now,
    )
    caught_up()
    page = client.get("/@ada").content.decode()
    assert "The rank is not shown up to" in page and "Threw the dice" not in page
    told = client.get("/api/people/ada").json()
    assert (told["rank"], told["next"], told["rank_suspended_until"]) == (None, None, until.isoformat())
    assert "rank_attained" not in {line["kind"] for line in told["history"]}
    assert selectors.suspended(table.people["ada"], until) == until
    assert selectors.suspended(table.people["ada"], until + timedelta(days=1)) is None
    records.rank_restore(
        league=table.league, person=table.people["ada"], reason="Sorry.", by=table.people["mo"], at=now
    )
    caught_up()
    assert "The rank is not shown" not in client.get("/@ada").content.decode()


def test_every_line_of_the_page_leads_to_its_proof(table: Circle, client: Client) -> None:
    for number in range(3):
        table.play(number, "ada", "bo", on=date(2026, 5, 1 + number))
    say(table.league, lesson(table.people["ada"], "LSN-HX-1", "2026-05-05"))
    caught_up()
    page = client.get("/@ada").content.decode()
    proofs = set(re.findall(r'href="(/log/prove/[^"]+)"', page))
    assert f"/log/prove/{table.league.pk}/{leagues.League.objects.get(pk=table.league.pk).seq}" in proofs
    for address in proofs:
        assert client.get(address).status_code == 200, address
    entries = set(re.findall(r'href="(/(?:matches|leagues)/[^"]+(?:\?at=|\?seq=)[^"]+)"', page))
    assert entries
    for address in entries:
        assert client.get(address.partition("#")[0]).status_code == 200, address
    told = client.get("/api/people/ada").json()
    assert {"renown", "career_level", "honors", "ratings"} <= told.keys()
    assert "lesson_completed" in {line["kind"] for line in told["history"]}


def test_by_seats_counts_each_match_once(table: Circle) -> None:
    table.play(1, "ada", "bo", "cy")
    table.play(2, "ada", "bo", on=date(2026, 5, 2), scribe="cy")
    caught_up()
    rows = {(one["role"], one["players"]): one["matches"] for one in life.by_seats(table.people["cy"])}
    assert rows == {("player", 3): 1, ("scribe", 2): 1}
    assert Match.objects.count() == 2
