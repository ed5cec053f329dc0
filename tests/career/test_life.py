"""The page of a person beyond badges and ranks: relations, days, meetings, what is hidden, and where every line is proved."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from career import chapters, life, selectors, services, views
from career.models import SeatDigest
from career.participation import FactLine
from league import records
from league import services as leagues
from matches import persons
from matches.models import Match
from people.models import Person
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.honors.test_procedure import CITATION, bestowed
from tests.career.test_deeds import lesson, say
from tests.career.test_follow import caught_up


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("ada", "bo", "cy", "mo", "ola", "pia")
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


def test_allies_of_a_match_are_on_the_same_side_and_are_opponents_too(table: Circle) -> None:
    match = table.play(1, "ada", "bo", "cy")
    caught_up()
    for who in ("ada", "bo"):
        SeatDigest.objects.filter(match_id=match.pk, person_id=table.people[who].pk).update(alliances="4,7")
    SeatDigest.objects.filter(match_id=match.pk, person_id=table.people["cy"].pk).update(alliances="9")
    found = life.relations(table.people["ada"], None)
    assert [(one.person, one.together, one.matches) for one in found["allies"]] == [(table.people["bo"].pk, 1, 1)]


def test_an_alliance_is_told_only_where_two_seats_alone_can_have_had_it() -> None:
    def lasted(*rounds: int) -> tuple[FactLine, ...]:
        return tuple(FactLine("KS-F19", value, 90, "max") for value in rounds)

    assert services._sides({"A": lasted(3), "B": lasted(3, 5), "C": lasted(5), "D": ()}) == {
        "A": ["3"], "B": ["3", "5"], "C": ["5"],
    }  # fmt: skip
    assert services._sides({"A": lasted(3), "B": lasted(3), "C": lasted(3), "D": lasted(3)}) == {}


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
    ahead = [(match.place or 0) < (match.other or 0) for match in one]
    assert [match.lead for match in one] == [2 * sum(ahead[:n]) - n for n in (1, 2, 3)]
    page = client.get(reverse("head-to-head", args=["ada", "bo"])).content.decode()
    assert "They met in 3 matches" in page
    assert "Who was ahead, match by match" in page and page.count("<tr>") > 3 + 3
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
    name = selectors.badge_name(badge)
    assert name in client.get(f"/@{who}/history").content.decode()
    client.logout()
    for page in (f"/@{who}", f"/@{who}/history"):
        told = client.get(page).content.decode()
        assert link not in told and name not in told
    told = client.get(f"/api/people/{who}").json()
    assert badge not in {one["id"] for one in told["badges"]}
    assert not [line for line in told["history"] if name in line["text"]]
    assert f"/@{who}" not in client.get(link).content.decode()


def test_rod_08_a_rank_may_be_hidden_unless_its_holder_is_an_official(table: Circle, client: Client) -> None:
    table.play(1, "ada", "mo")
    caught_up()
    for who in ("ada", "mo"):
        life.hide(table.people[who], "rank", "", hidden=True)
    page = client.get("/@ada").content.decode()
    assert "The rank is not shown" in page and "The next rank is" not in page and "Became Page" not in page
    assert client.get("/api/people/ada").json()["rank"] is None
    assert "The rank is not shown" not in client.get("/@mo").content.decode()
    assert client.get("/api/people/mo").json()["rank"]["id"] == "RANK-1"
    own = as_(client, table.people["ada"]).get("/@ada").content.decode()
    assert "The next rank is" in own and "What others see of this page" in own


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


def test_a_season_and_a_campaign_are_told_in_sentences_of_what_was_counted(table: Circle, client: Client) -> None:
    ada, bo = table.people["ada"], table.people["bo"]
    season = records.season_open(
        league=table.league, key="spring", title="Spring", first_day=date(2026, 5, 1), by=table.people["mo"], at=AT
    )
    campaign = records.campaign_open(
        league=table.league, key="war", title="The War", game="hexwar", by=table.people["mo"], at=AT
    )
    played = [table.play(number, "ada", "bo", on=date(2026, 5, 1 + number)) for number in range(3)]
    table.play(9, "ada", "bo", on=date(2026, 4, 1), scribe="cy")
    caught_up()
    shown = selectors.Shown()
    (running,) = chapters.chapters(chapters.Life(ada, shown))
    assert (running.kind, running.title, running.until, running.place) == ("season", "Spring", None, None)
    assert running.sentences[0] == "Played 3 matches: Hex war 3."
    records.campaign_close(campaign=campaign, match_ids=[one.pk for one in played], by=table.people["mo"], at=AT)
    records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)
    caught_up()
    told = {one.kind: one for one in chapters.chapters(chapters.Life(ada, shown))}
    assert told.keys() == {"season", "campaign"}
    others = {one.kind: one for one in chapters.chapters(chapters.Life(bo, shown))}
    for kind, one in told.items():
        assert {one.place, others[kind].place} == {1, 2} and one.of == 2
    first = "ada" if told["season"].place == 1 else "bo"
    texts = [line["text"] for line in selectors.history(table.people[first])]
    assert "Won the season Spring of Winter." in texts
    assert f"Finished the campaign The War of Winter at place {told['campaign'].place} of 2." in [
        line["text"] for line in selectors.history(ada)
    ]
    ((year, sentences),) = chapters.years(chapters.Life(table.people["cy"], shown))
    assert (year, sentences[0]) == (2026, "Took part in 1 match as scribe.")
    page = client.get("/@ada").content.decode()
    assert "Played 3 matches: Hex war 3." in page and f"Place {told['season'].place} of 2" in page


def test_a_lesson_that_was_not_passed_is_not_told(table: Circle, client: Client) -> None:
    table.play(1, "ada", "bo")
    say(table.league, lesson(table.people["ada"], "LSN-HX-1"), lesson(table.people["ada"], "LSN-HX-2", score=79))
    caught_up()
    told = [line["text"] for line in selectors.history(table.people["ada"]) if line["kind"] == "lesson_completed"]
    assert len(told) == 1
    page = client.get("/@ada").content.decode()
    assert "/learn/LSN-HX-1" in page and "/learn/LSN-HX-2" not in page
    assert "First credited match of Hex war" in page


def test_an_honor_is_shown_with_its_citation_unless_it_is_hidden(table: Circle, client: Client) -> None:
    for who in ("ola", "pia"):
        leagues.role_give(league=table.league, person=table.people[who], role="organizer", by=table.owner, at=AT)
    bestowed(table)
    caught_up()
    page = client.get("/@ada").content.decode()
    assert "Hearth of the League" in page and CITATION in page
    api = client.get("/api/people/ada").json()
    assert [(one["id"], one["step"], one["citation"]) for one in api["honors"]] == [("HON-09", 1, CITATION)]
    assert "honor_bestowed" in {line["kind"] for line in api["history"]}
    as_(client, table.people["ada"]).post(reverse("career-hide"), {"kind": "honor", "key": "HON-09", "hidden": "1"})
    assert CITATION in client.get("/@ada").content.decode()
    client.logout()
    assert "Hearth of the League" not in client.get("/@ada").content.decode()
    api = client.get("/api/people/ada").json()
    assert api["honors"] == [] and "honor_bestowed" not in {line["kind"] for line in api["history"]}


def test_the_history_is_paged_and_a_hidden_persons_is_nobodys(
    table: Circle, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        table.play(number, "ada", "bo", on=date(2026, 5, 1 + number))
    caught_up()
    lines = len(selectors.history(table.people["ada"]))
    monkeypatch.setattr(views, "LINES_A_PAGE", 2)
    page = client.get("/@ada/history?page=2").content.decode()
    assert f"Page 2 of {(lines + 1) // 2}" in page and page.count("/log/prove/") == 2
    persons.person_hide(person=table.people["ada"], privacy="hidden", by=table.people["ada"])
    assert client.get("/@ada/history").status_code == 404


def test_pages_of_a_life_cost_as_many_queries_for_twelve_matches_as_for_four(table: Circle, client: Client) -> None:
    counts = []
    for first in (0, 4):
        for number in range(first, 3 * first or 4):
            table.play(number, "ada", "bo", "cy" if number % 2 else "mo", on=date(2026, 4, 1 + number))
        caught_up()
        told = []
        for path in ("/@ada", "/@ada/vs/@bo", "/@ada/history", "/api/people/ada/"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
            told.append(len(queries))
        counts.append(told)
    assert counts[0] == counts[1]
    assert [most <= limit for most, limit in zip(counts[1], (45, 16, 20, 30), strict=True)] == [True] * 4, counts
