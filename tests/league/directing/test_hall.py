"""The wall, paper and files: who goes where, in the order that halls need, and nothing before it is published."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.directing import hall, report, services, stream
from league.directing.shown import Shown, Who
from league.tournament import events as e
from league.tournament.field import Kind, Row
from people.models import Person
from tests.league.directing.conftest import AT, SWISS, Day
from tests.pages.bare import bare_texts, pseudo_language

EIGHT = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]


def _page(client: Client, name: str, *args: Any, **query: Any) -> str:
    response = client.get(reverse(name, args=["winter-open", *args]), query)
    assert response.status_code == 200, (response.status_code, response.content[:300])
    return response.content.decode()


def _csv(client: Client, name: str, *args: Any, **query: Any) -> list[dict[str, str]]:
    text = client.get(reverse(name, args=["winter-open", *args]), query).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def _line(name: str) -> hall.SurnameLine:
    return hall.SurnameLine(Who(name, cast(Person, SimpleNamespace()), name, name), 1)


# Orders of the hall -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6, 8])
@pytest.mark.parametrize("tables", [1, 4, 7, 23])
def test_a_stack_of_slips_that_is_cut_and_laid_together_is_in_the_order_of_the_tables(n: int, tables: int) -> None:
    sheets = hall.in_cut_order(range(1, tables + 1), n)
    assert all(len(sheet) == n for sheet in sheets)
    stack = [sheet[pile] for pile in range(n) for sheet in sheets]
    assert [one for one in stack if one is not None] == list(range(1, tables + 1))
    assert len(sheets) == -(-tables // n)


def test_the_list_by_surname_has_queues_cut_between_letters() -> None:
    lines = [_line(name) for name in ("Abel", "Adler", "Ahn", "Baum", "Ösund", "Otto", "Zorn")]
    told = hall.queues(sorted(lines, key=lambda one: hall.collated(one.who.sort)), 2)
    assert [(queue.title, [line.who.name for line in queue.lines]) for queue in told] == [
        ("A", ["Abel", "Adler", "Ahn"]),
        ("B – Z", ["Baum", "Ösund", "Otto", "Zorn"]),
    ]


@pytest.mark.parametrize("wanted", range(1, 7))
def test_no_name_is_lost_between_queues_and_no_letter_is_in_two(wanted: int) -> None:
    lines = [_line(name) for name in ("Abel", "Berg", "Bohr", "Bruhn", "Celan", "9 Lives", "Zorn")]
    order = sorted(lines, key=lambda one: hall.collated(one.who.sort))
    told = hall.queues(order, wanted)
    assert [line for queue in told for line in queue.lines] == order
    letters = [{hall.letter_of(line.who.sort) for line in queue.lines} for queue in told]
    assert sum(map(len, letters)) == len(set().union(*letters)) == 5
    assert len(told) == min(wanted, 5)


def test_accents_and_strokes_do_not_send_a_name_to_the_end() -> None:
    names = ["Łoś", "Ørsted", "Émile", "Zorn", "Mann", "öhler"]
    assert sorted(names, key=hall.collated) == ["Émile", "Łoś", "Mann", "öhler", "Ørsted", "Zorn"]
    assert [hall.letter_of(name) for name in names] == ["L", "O", "E", "Z", "M", "O"]
    assert hall.letter_of("42nd Street") == "#"


def test_a_round_without_anybody_has_no_queue() -> None:
    assert hall.queues([], 3) == []


def test_cells_that_a_spreadsheet_would_run_are_made_harmless() -> None:
    told = [hall.harmless(one) for one in ("=1+1", "+cmd", "-2+3", "@sum", "\t=1", "Ada", "-1.5", None, 3)]
    assert told == ["'=1+1", "'+cmd", "'-2+3", "'@sum", "'\t=1", "Ada", "-1.5", "", "3"]


def test_cells_of_the_crosstable_say_result_opponent_and_who_began() -> None:
    one = {"kind": Kind.PLAYED, "points": 1, "round": 1, "entrant": "a", "size": 2, "table": 3, "opponents": ("b",)}
    made = [
        Row(**(one | {"outcome": "win", "seat": 0})),
        Row(**(one | {"outcome": "draw", "seat": 1})),
        Row(**(one | {"outcome": "loss", "seat": 0, "kind": Kind.FORFEIT_LOSS})),
        Row(**(one | {"kind": Kind.ALLOCATED_BYE, "size": 0, "opponents": ()})),
        Row(**(one | {"size": 4, "seat": 1, "place": 1, "opponents": ("b", "c", "d"), "points": 5})),
    ]
    assert [hall.cell(row, {"b": 12}) for row in made] == ["+12w", "=12b", "−12f", "bye", "3.2 → 1 (5)"]


def test_a_clock_runs_to_its_end_and_stands_where_it_was_stopped() -> None:
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    told = SimpleNamespace(ends_at="2026-11-28T12:49:30Z", seconds=None)
    clock = hall.clock_of(cast(Any, told), now=now, zone="Europe/Berlin")
    assert clock is not None and (clock.text, clock.until) == ("49:30", "13:49")
    more = hall.clock_of(cast(Any, told), now=now, zone="UTC", extra=900)
    assert more is not None and more.text == "1:04:30"
    late = hall.clock_of(cast(Any, told), now=now + timedelta(hours=2), zone="UTC")
    assert late is not None and late.text == "00:00"
    stopped = hall.clock_of(cast(Any, SimpleNamespace(ends_at=None, seconds=61)), now=now, zone="UTC")
    assert stopped is not None and (stopped.text, stopped.ends_at) == ("01:01", "")
    assert hall.clock_of(cast(Any, SimpleNamespace(ends_at=None, seconds=None)), now=now, zone="UTC") is None


# The wall -----------------------------------------------------------------------------------------------------------


def test_the_wall_shows_the_round_by_surname_and_by_table_once_it_is_published(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:7], [SWISS])
    told.pair(publish=False)
    client.force_login(told.organizer.account)
    hidden = _page(client, "tournament-hall")
    assert "No round is published yet" in hidden and "Berg, Ada" not in hidden
    told.does(services.round_publish, stage=0, round_=1)
    page = _page(client, "tournament-hall")
    assert "Berg, Ada" in page and 'id="board-table"' in page and ">bye<" in page
    assert "3 tables are playing" in page


def test_the_wall_answers_with_nothing_while_nothing_has_changed(
    day: type[Day], client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    told = day(EIGHT, [SWISS])
    told.pair()
    page = _page(client, "tournament-hall")
    match = re.search(r'hx-get="([^"]+)"', page)
    assert match is not None
    with django_assert_max_num_queries(1):
        again = client.get(match[1], headers={"HX-Request": "true"})
    assert (again.status_code, again.content) == (204, b"")
    told.result(1, 1, 2)
    changed = client.get(match[1], headers={"HX-Request": "true"})
    assert changed.status_code == 200
    text = changed.content.decode()
    assert "<html" not in text and 'class="done"' in text and "3 tables are playing" in text


def test_between_rounds_the_wall_shows_the_standings(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    page = _page(client, "tournament-hall")
    assert "board-standings-1" in page and 'id="board-table"' not in page
    assert f"computed from entry #{told.state.seq}" in page


def test_an_elimination_has_its_tables_on_the_wall_until_its_places_are_final(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:4], [e.Stage(format="single_elimination")])
    told.play()
    assert 'id="board-table"' in _page(client, "tournament-hall")
    told.play()
    told.does(services.stage_close)
    page = _page(client, "tournament-hall")
    assert re.findall(r'<b class="where num">([^<]+)</b> <span class="who">', page) == ["1", "2", "3=", "3="]


def test_only_organizers_have_the_code_of_the_check_in_on_the_wall(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    address = hall.page_of(told.now, "check-in", told.now.check_in_code)
    assert address == f"/tournaments/winter-open/check-in/{told.now.check_in_code}"
    told.does(services.registration_open)
    told.does(services.check_in, person=told.people["Ada"])
    told.does(services.check_in, person=told.people["Cy"])
    stranger = _page(client, "tournament-hall")
    assert stranger.count('class="qr-code"') == 1 and "2 of 8 have checked in" in stranger
    client.force_login(told.people["Bo"].account)
    assert _page(client, "tournament-hall").count('class="qr-code"') == 1
    client.force_login(told.organizer.account)
    assert _page(client, "tournament-hall").count('class="qr-code"') == 2
    told.pair()
    assert _page(client, "tournament-hall").count('class="qr-code"') == 1


def test_the_check_in_is_open_in_its_window_only(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.does(services.registration_open, check_in_from=AT, check_in_until=AT + timedelta(hours=1))
    shown = Shown(told.now, None)
    at = [AT - timedelta(minutes=1), AT, AT + timedelta(hours=1), AT + timedelta(hours=1, minutes=1)]
    assert [hall.check_in_is_open(shown, one) for one in at] == [False, True, True, False]


def test_the_wall_has_the_clock_and_the_time_that_a_table_has_more(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.pair()
    told.does(services.clock_set, stage=0, round_=1, minutes=50)
    told.does(services.table_extend, stage=0, round_=1, table=3, minutes=5)
    page = _page(client, "tournament-hall")
    assert page.count('data-ends-at="2026-11-28T09:50:00+00:00"') == 1
    assert page.count('data-ends-at="2026-11-28T09:55:00+00:00"') == 1
    assert "5 minutes more" in page


# Paper --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["surname", "tables", "slips"])
def test_a_prepared_round_is_printed_only_for_whoever_may_pair(day: type[Day], client: Client, kind: str) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.pair(publish=False)
    address = reverse("tournament-print", args=["winter-open", kind])
    assert client.get(address, {"round": 2}).status_code == 404
    assert client.get(address).status_code == 200  # round 1, which is published
    files = client.get(reverse("tournament-pairings-file", args=["winter-open"]), {"round": 2})
    assert files.status_code == 404
    client.force_login(told.organizer.account)
    page = _page(client, "tournament-print", kind, round=2)
    assert "Not published yet" in page


def test_the_list_by_surname_names_table_opponents_and_the_bye_as_a_word(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:5], [SWISS])
    paired = told.pair()
    page = _page(client, "tournament-print", "surname")
    (out,) = paired.byes
    assert re.search(rf'Berg, {told.name(out)}</th><td class="num">–</td><td><strong>bye</strong>', page)
    first, second = paired.tables[1].seats
    assert re.search(
        rf'Berg, {told.name(first)}</th><td class="num"><b class="table-number">1</b></td><td>{told.name(second)} Berg',
        page,
    )


def test_slips_have_the_table_and_everybody_who_sits_there(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    paired = told.pair()
    page = _page(client, "tournament-print", "slips", n=2)
    tables = [int(one) for one in re.findall(r'<b class="big-number">(\d+)</b>', page)]
    assert tables == [1, 3, 2, 4]  # two sheets: cut in the middle, 1 2 lie on 3 4
    for person in paired.tables[3].seats:
        assert f"{told.name(person)} Berg" in page
    assert client.get(reverse("tournament-print", args=["winter-open", "slips"]), {"n": 5}).status_code == 404


def test_who_dropped_and_who_was_disqualified_is_struck_through_and_listed(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.does(services.drop, person=told.people["Di"])
    told.does(services.disqualify, person=told.people["Ed"], reason="Marked cards.")
    for kind in ("standings", "crosstable"):
        page = _page(client, "tournament-print", kind)
        assert re.search(r"<s>Di Berg</s>[^<]*<span[^>]*>\(dropped from round 2 on\)", page), kind
        assert re.search(r"<s>Ed Berg</s>[^<]*<span[^>]*>\(disqualified\)", page), kind
        assert page.count("Ed Berg") == 1


def test_the_crosstable_names_opponents_by_their_row(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.play()
    page = _page(client, "tournament-print", "crosstable")
    rows = re.findall(r'<td class="num">(\d)</td><th scope="row">(\w+) Berg</th><td>([^<]+)</td>', page)
    number = {name: no for no, name, _cell in rows}
    cells = {name: cell for _no, name, cell in rows}
    assert len(rows) == 4
    for table in told.round.tables.values():
        first, second = map(told.name, table.seats)
        assert cells[first] == f"+{number[second]}w" and cells[second] == f"−{number[first]}b"


def test_the_bracket_says_who_goes_on_and_for_whom_a_match_waits(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:6], [e.Stage(format="single_elimination")])
    told.play()
    page = _page(client, "tournament-print", "bracket")
    assert "winner of W2.1" in page and "Quarterfinal" in page and "The same as a table" in page
    assert page.count('class="won"') == 2 and "Through the first round" in page
    told.pair()
    semifinals = _page(client, "tournament-print", "bracket")
    assert "at table 1" in semifinals
    told.result(1, 1, 2)
    told.result(2, 2, 1)
    told.play()
    final = _page(client, "tournament-print", "bracket")
    champion = told.name(told.round.tables[1].seats[0])
    assert f"First place: {champion} Berg" in final
    assert client.get(reverse("tournament-print", args=["winter-open", "crosstable"])).status_code == 200


def test_a_second_final_that_is_not_needed_says_so(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:4], [e.Stage(format="double_elimination")])
    told.play()
    for _round in range(3):
        paired = told.pair()
        for number, table in paired.tables.items():
            # The best seed wins wherever it sits.
            best = min(table.seats, key=lambda one: EIGHT.index(told.name(one)))
            told.result(number, *((1, 2) if best == table.seats[0] else (2, 1)))
    page = _page(client, "tournament-print", "bracket")
    assert "not needed" in page and "First place: Ada Berg" in page and "Losers’ bracket" in page


def test_a_stage_without_a_bracket_has_no_page_of_it(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    assert client.get(reverse("tournament-print", args=["winter-open", "standings"])).status_code == 404
    told.play()
    assert client.get(reverse("tournament-print", args=["winter-open", "bracket"])).status_code == 404
    page = _page(client, "tournament-print", "standings")
    assert reverse("tournament-print", args=["winter-open", "bracket"]) not in page


def test_hidden_people_are_on_the_wall_by_initials_only(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    Person.objects.filter(pk=told.people["Ada"].pk).update(privacy=Person.Privacy.HIDDEN)
    told.play()
    told.pair()
    pages = [
        _page(client, "tournament-print", kind) for kind in ("surname", "tables", "slips", "standings", "crosstable")
    ]
    pages += [_page(client, "tournament-hall"), json.dumps(_csv(client, "tournament-pairings-file"))]
    pages += [_page(client, "tournament-standings-file", "json")]
    for page in pages:
        assert "Ada" not in page and "A. B." in page


def test_pods_have_slips_with_places_and_a_crosstable_of_tables_and_seats(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [e.Stage(format="pods", rounds=3, points="places")])
    ids = [str(told.people[name].pk) for name in EIGHT]
    tables = [e.TablePaired(1, str(uuid4()), ids[:4]), e.TablePaired(2, str(uuid4()), ids[4:])]
    events: list[e.Payload] = [
        e.StageBegun(0, [ids], "rating"),
        e.RoundPaired(0, 1, tables, [], "by hand", "1", "", []),
        e.RoundPublished(0, 1),
    ]
    stream.append(tournament=told.now, events=events, by=told.organizer, acting_as="owner", at=AT)
    told.result(1, 1, 3, 3, 2, scores=(31, 12, 12, 24))
    page = _page(client, "tournament-print", "crosstable")
    cells = dict(re.findall(r'<th scope="row">(\w+) Berg</th><td>([^<]*)</td>', page))
    assert (cells["Ada"][:7], cells["Cy"][:7], cells["Ed"]) == ("1.1 → 1", "1.3 → 3", "")
    assert "table 3, seat 2, place 1" in page
    slips = _page(client, "tournament-print", "slips")
    assert slips.count(">Place<") == 2 and "4. Hal Berg" in slips
    surnames = _page(client, "tournament-print", "surname")
    assert "<td>Bo Berg, Cy Berg, Di Berg</td>" in surnames


def test_nothing_on_the_wall_or_on_paper_is_said_that_cannot_be_translated(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:7], [e.Stage(format="swiss", rounds=2, cut=4), e.Stage(format="single_elimination")])
    names = frozenset(
        {"Winter open", "Europe/Berlin", "house-2026", "Berg", "olga", "CSV", "JSON", "BH-C1", "BH", "SB", "DE", "WIN", settings.SITE_NAME}
        | {f"{name} Berg" for name in told.people} | {f"Berg, {name}" for name in told.people}
    )  # fmt: skip

    bare: dict[str, str] = {}

    def check(*addresses: str) -> None:
        for address in addresses:
            with pseudo_language():
                response = client.get(address)
                text = response.content.decode()
            assert response.status_code == 200
            bare.update(dict.fromkeys(bare_texts(text, names), address))

    wall = reverse("tournament-hall", args=["winter-open"])
    paper = [reverse("tournament-print", args=["winter-open", kind]) for kind in hall.PRINTS]
    client.force_login(told.organizer.account)
    told.does(services.registration_open)
    check(wall)
    told.pair()
    told.does(services.clock_set, stage=0, round_=1, minutes=50)
    told.does(services.table_extend, stage=0, round_=1, table=3, minutes=5)
    check(wall, *paper[:-1])
    for number in told.round.tables:
        told.result(number, 1, 2)
    told.does(services.drop, person=told.people["Di"])
    told.play()
    check(wall, *paper[:-1])
    told.does(services.stage_close, cut=[str(told.people[name].pk) for name in ("Ada", "Bo", "Cy", "Ed")])
    told.pair(publish=False)
    check(paper[0])
    told.does(services.round_publish, stage=1, round_=1)
    check(wall, *paper)
    assert bare == {}


# Files --------------------------------------------------------------------------------------------------------------


def test_page_file_and_data_have_the_same_order_figures_and_digest(day: type[Day], client: Client) -> None:
    """matchzy-auto-tournament#217: one projection, one entry number, one digest."""
    told = day(EIGHT, [SWISS])
    told.play()
    told.play()
    data = json.loads(_page(client, "tournament-standings-file", "json"))
    rows = _csv(client, "tournament-standings-file", "csv")
    (table,) = data["standings"]
    assert data["at_seq"] == told.state.seq
    figures = [
        (row["place"], row["name"], row["points"], *[row["tiebreaks"][code]["value"] for code in ("BH", "SB")])
        for row in table["rows"]
    ]
    assert figures == [(row["place"], row["name"], row["points"], row["BH"], row["SB"]) for row in rows]
    assert {row["digest"] for row in rows} == {table["digest"]}
    assert {int(row["as_of_entry"]) for row in rows} == {told.state.seq}
    page = _page(client, "tournament-print", "standings")
    assert re.findall(r'<th scope="row">([^<]+)</th>', page) == [row["name"] for row in rows]
    assert f"entry #{told.state.seq}" in page and table["digest"][:12] in page


def test_standings_can_be_had_as_of_any_entry(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    seq, before = told.state.seq, json.loads(_page(client, "tournament-standings-file", "json"))
    told.play()
    then = json.loads(_page(client, "tournament-standings-file", "json", at=seq))
    assert then == before
    assert json.loads(_page(client, "tournament-standings-file", "json"))["at_seq"] > seq
    assert (
        client.get(reverse("tournament-standings-file", args=["winter-open", "json"]), {"at": "x"}).status_code == 404
    )


def test_a_name_that_is_a_formula_stays_a_name(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:3], [SWISS])
    told.does(services.guest_register, display_name="=HYPERLINK(1)")
    told.pair()
    names = {row["name"] for row in _csv(client, "tournament-pairings-file")}
    assert "'=HYPERLINK(1)" in names and len(names) == 4


def test_the_file_of_pairings_has_a_line_for_everybody(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:5], [SWISS])
    told.pair()
    told.result(1, 1, 2)
    rows = _csv(client, "tournament-pairings-file")
    assert [row["table"] for row in rows] == ["1", "1", "2", "2", ""]
    assert [row["points"] for row in rows] == ["1", "0", "", "", "1"]
    assert rows[-1]["kind"] == "allocated_bye" and rows[0]["state"] == "settled"


# Many ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def crowd(day: type[Day]) -> Day:
    """Five hundred players in the first round of a Swiss, half of the results in."""
    told = day([], [SWISS])
    people = [
        Person(id=uuid4(), display_name=f"P{at:03} Berg", sort_name=f"{chr(65 + at % 26)}berg, P{at:03}")
        for at in range(500)
    ]
    Person.objects.bulk_create(people)
    tournament = told.now
    entries: list[e.Payload] = [e.PersonRegistered(str(one.pk), 2500 - at) for at, one in enumerate(people)]
    stream.append(tournament=tournament, events=entries, by=told.organizer, acting_as="owner", at=AT)
    told.pair()
    rows = [
        e.ResultSettled(0, 1, number, table.match, 1, "score",
            [e.ResultRow(table.seats[0], "played", "1", 1, "win"), e.ResultRow(table.seats[1], "played", "0", 2, "loss")])
        for number, table in told.round.tables.items()
        if number % 2
    ]  # fmt: skip
    stream.append(tournament=told.now, events=rows, by=None, acting_as=None, at=AT)
    return told


def test_no_page_of_five_hundred_players_asks_more_than_ten_times(
    crowd: Day, client: Client, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    addresses = [reverse("tournament-hall", args=["winter-open"])]
    addresses += [reverse("tournament-print", args=["winter-open", kind]) for kind in hall.PRINTS if kind != "bracket"]
    addresses += [reverse("tournament-standings-file", args=["winter-open", form]) for form in ("csv", "json")]
    addresses += [reverse("tournament-pairings-file", args=["winter-open"])]
    for address in addresses:
        stream._kept.clear()  # nothing is remembered from the page before
        with django_assert_max_num_queries(10):
            response = client.get(address)
        assert response.status_code == 200, address
        assert "P499" in response.content.decode(), address


def test_the_report_of_a_round_has_every_table_once(crowd: Day) -> None:
    shown = Shown(crowd.now, None)
    stage = crowd.state.stages[0]
    told = report.round_(shown, stage, stage.rounds[1])
    assert [one["table"] for one in told["tables"]] == list(range(1, 251))
    assert len({seat["person"] for one in told["tables"] for seat in one["seats"]}) == 500
