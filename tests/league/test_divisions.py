"""Divisions of a season: who is in which, who moves when it closes, and that it all comes from the stream."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league import records, stream
from league.directing import season as by_tournaments
from league.directing import services as tournaments
from league.models import Season
from people.models import Person
from people.services import Forbidden, person_guest_create
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.league.directing.conftest import SWISS, Day, day  # noqa: F401

NAMES = ("ada", "bo", "cy", "dee")


@pytest.fixture
def held(circle: Callable[..., Circle]) -> tuple[Circle, Season]:  # noqa: F811
    made = circle(*NAMES)
    opened = records.season_open(
        league=made.league, key="2026", title="2026", first_day=date(2026, 1, 1), by=made.owner, at=AT
    )
    return made, opened


def set_(table: Circle, season: Season, *divisions: tuple[str, tuple[str, ...]], moving: int = 1) -> Season:
    told = [(name, [table.people[one] for one in members]) for name, members in divisions]
    return records.division_set(season=season, divisions=told, moving=moving, by=table.owner, at=AT)


def test_the_last_of_a_division_changes_with_the_first_of_the_next_when_the_season_closes(
    held: tuple[Circle, Season],
) -> None:
    table, season = held
    season = set_(table, season, ("premier", ("ada", "bo")), ("second", ("cy", "dee")))
    table.play(1, "ada", "bo", on=date(2026, 2, 1))
    table.play(2, "cy", "dee", on=date(2026, 2, 2))
    rows = records.season_table(season)
    tables = records.division_tables(season, rows)
    last, first = tables[0].table[-1].person, tables[1].table[0].person
    season = records.season_close(season=season, last_day=date(2026, 5, 1), by=table.owner, at=AT)
    assert {(one["person"], one["from"], one["to"], one["why"]) for one in season.moves or ()} == {
        (last, "premier", "second", "relegated"), (first, "second", "premier", "promoted"),
    }  # fmt: skip
    before = (season.divisions, season.moves, season.moving)
    stream.rebuild(table.league)
    season = Season.objects.get(key="2026")
    assert (season.divisions, season.moves, season.moving) == before
    season = records.season_reopen(season=season, by=table.owner, at=AT)
    assert season.moves is None and season.divisions == before[0]


def test_what_cannot_be_a_division_is_refused_and_nothing_changes(held: tuple[Circle, Season]) -> None:
    table, season = held
    stranger = person_guest_create("Eve")
    two = [("premier", [table.people["ada"]]), ("second", [table.people["bo"]])]
    cases: list[tuple[list[tuple[str, list[Person]]], str]] = [
        ([("premier", [])], "no divisions, or 2 to 20"),
        ([("premier", [table.people["ada"]]), ("second", [table.people["ada"]])], "is in two divisions"),
        ([("premier", []), ("premier", [])], "the same short name"),
        ([("premier", [stranger]), ("second", [])], "is no member of the league"),
    ]
    for divisions, told in cases:
        with pytest.raises(ValidationError, match=told):
            records.division_set(season=season, divisions=divisions, moving=1, by=table.owner, at=AT)
    with pytest.raises(Forbidden):
        records.division_set(season=season, divisions=two, moving=1, by=table.people["ada"], at=AT)
    season.refresh_from_db()
    assert season.divisions is None


def test_the_next_season_is_offered_what_the_last_one_left(held: tuple[Circle, Season]) -> None:
    table, season = held
    season = set_(table, season, ("premier", ("ada", "bo")), ("second", ("cy", "dee")))
    table.play(1, "ada", "bo", on=date(2026, 2, 1))
    table.play(2, "cy", "dee", on=date(2026, 2, 2))
    season = records.season_close(season=season, last_day=date(2026, 5, 1), by=table.owner, at=AT)
    records.season_open(
        league=table.league, key="2027", title="2027", first_day=date(2026, 5, 2), by=table.owner, at=AT
    )
    risen = next(one["person"] for one in season.moves or () if one["why"] == "promoted")
    browser = Client()
    from people.services import account_create, grant_give

    organizer = account_create("olga@example.org", None, "olga", "Olga").person
    grant_give(person=organizer, role="organizer", scope=table.league.scope, by=None)
    browser.force_login(organizer.account)  # type: ignore[arg-type]
    url = reverse("league-divisions", args=["winter", "2027"])
    page = browser.get(url).content.decode()
    assert "So the last season left them" in page
    assert f'name="member_{risen}" value="1"' in page
    said = {"names": "premier second", "moving": "1", **{f"member_{one.pk}": "1" for one in table.people.values()}}
    assert browser.post(url, said).status_code == 302
    now = Season.objects.get(key="2027")
    assert [len(one["members"]) for one in now.divisions or ()] == [4, 0]
    assert "premier" in browser.get(reverse("league-season", args=["winter", "2027"])).content.decode()


def test_the_tournaments_of_a_season_make_a_table_of_their_own(day: type[Day]) -> None:  # noqa: F811
    told = day(["Ada", "Bo", "Cy", "Di"], [SWISS], season=None)
    season = records.season_open(
        league=told.league,
        key="2026",
        title="2026",
        first_day=date(2026, 1, 1),
        by=told.organizer,
        at=AT,
        points=[10, 6, 4],
    )
    told.does(tournaments.tournament_change, season="2026")
    assert by_tournaments.table(season) == []
    for _round in range(3):
        told.play()
    rows = by_tournaments.table(season)
    assert {line.counted for row in rows for line in row.lines} == {"pending"}
    assert [str(row.points) for row in rows] == ["0"] * 4
    told.does(tournaments.stage_close)
    told.does(tournaments.tournament_close)
    placed = {str(row["person"]): int(row["place"]) for row in told.state.placements}
    rows = by_tournaments.table(season)
    assert {row.person: int(row.points) for row in rows} == {
        who: {1: 10, 2: 6, 3: 4}.get(place, 0) for who, place in placed.items()
    }
    page = Client().get(reverse("league-season", args=["winter", "2026"])).content.decode()
    assert "By tournaments" in page and "Winter open" in page
    champions = Client().get(reverse("league-champions", args=["winter"])).content.decode()
    assert "Winter open" in champions
    first = next(who for who, place in placed.items() if place == 1)
    assert Person.objects.get(pk=first).display_name in champions


def test_nobody_has_won_yet_says_so(held: tuple[Circle, Season]) -> None:
    assert "Nobody yet" in Client().get(reverse("league-champions", args=["winter"])).content.decode()
