from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from people.models import Person
from rulesengine import notation
from tests.matches_pages import logs
from tests.matches_pages.conftest import SignIn, league_header, recorded

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def page(client: Client, url: str, status: int = 200, **more: str) -> str:
    response = client.get(url, **more)
    assert response.status_code == status, response.content.decode()[:2000]
    return response.content.decode()


def text(page: str) -> str:
    """Return a page as the words on it."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"<(script|template).*?</\1>", "", page, flags=re.S)).split())


def test_anybody_sees_result_facts_and_the_last_position(client: Client, match: Match) -> None:
    said = text(page(client, f"/matches/{match.pk}"))
    for words in (
        "Ada Moreau",
        "Bo Lindqvist",
        "Hex war",
        "hexwar-1",
        "Provisional",
        "Replayable log",
        "Winter League",
    ):
        assert words in said, words
    assert "Entry 22 of 22" in said
    assert "Ended in round 4: the last round is over." in said
    assert "Chain verified 23 entries" in said


@pytest.mark.parametrize(
    ("at", "words"), [(0, "Set-up"), (12, "Entry 12 of 22"), (22, "Entry 22 of 22"), (999, "Entry 22 of 22")]
)
def test_a_link_to_a_moment_shows_it_without_javascript(client: Client, match: Match, at: int, words: str) -> None:
    got = page(client, f"/matches/{match.pk}?at={at}")
    assert words in text(got)
    seq = min(at, 22)
    assert f'id="e{seq}"' in got
    assert re.search(rf'<li id="e{seq}"[^>]*aria-current="step"', got)
    assert f'href="?at={max(0, seq - 1)}#replay"' in got
    assert f'href="?at={min(22, seq + 1)}#replay"' in got


def test_nonsense_instead_of_a_moment_shows_the_end(client: Client, match: Match) -> None:
    for at in ("x", "-1", "٣", "1e3", "9" * 40):
        assert "Entry 22 of 22" in text(page(client, f"/matches/{match.pk}?at={at}"))


def test_an_attack_is_shown_and_told(client: Client, match: Match) -> None:
    got = page(client, f"/matches/{match.pk}?at=12")
    assert 'class="shot"' in got
    assert "Bo Lindqvist attacks Peasant u1 with Spearmen u4." in text(got)


def test_htmx_gets_only_the_moment_with_feed_and_steps_beside_it(client: Client, match: Match) -> None:
    got = page(client, f"/matches/{match.pk}?at=5", **HTMX)
    assert "<html" not in got
    assert got.lstrip().startswith('<div id="moment"')
    assert got.count('hx-swap-oob="true"') == 3
    assert 'id="replay-steps"' in got
    assert 'id="feed"' in got


def test_the_position_is_told_in_words_as_well(client: Client, match: Match) -> None:
    said = text(page(client, f"/matches/{match.pk}?at=6"))
    assert "Farm b6 [1, 1] east Bo Lindqvist 1 turn to go" in said


def test_the_page_asks_the_same_number_of_questions_whatever_the_match(
    client: Client, organizer: Person, match: Match
) -> None:
    long = recorded(organizer, notation.write(logs.random_match(1, events=600), "jsonl"))
    page(client, f"/matches/{match.pk}")
    counts = []
    for one in (match, long):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page(client, f"/matches/{one.pk}?at=7")
        counts.append(len(asked))
    assert max(counts) <= 16, counts
    with CaptureQueriesContext(connection) as asked:
        page(client, f"/matches/{long.pk}?at=8", **HTMX)
    assert len(asked) <= 8, [one["sql"][:150] for one in asked]


def test_a_long_feed_comes_in_windows_that_lead_to_each_other(client: Client, organizer: Person) -> None:
    long = recorded(organizer, notation.write(logs.random_match(1, events=300), "jsonl"))
    got = page(client, f"/matches/{long.pk}?at=100")
    assert got.count('class="entry') < 40
    assert "from=64#feed" in got
    assert "from=124#feed" in got
    later = page(client, f"/matches/{long.pk}?at=100&from=124")
    assert 'id="e124"' in later
    assert "Entry 100 of" in text(later)


@pytest.mark.parametrize("form", ["jsonl", "text", "csv"])
def test_a_download_is_the_log_in_the_form_asked_for(client: Client, match: Match, form: str) -> None:
    response = client.get(f"/matches/{match.pk}/log/{form}")
    assert response.status_code == 200
    assert "attachment" in response["Content-Disposition"]
    log = notation.parse(response.content, name=response["Content-Disposition"].split('"')[1])
    assert [line.type for line in log.lines] == [event[0] for event in logs.ROUNDS]


def test_the_full_export_carries_hashes(client: Client, match: Match) -> None:
    lines = client.get(f"/matches/{match.pk}/log/full").content.decode().splitlines()
    assert all(len(json.loads(line)["hash"]) == 64 for line in lines[1:])


def test_an_unknown_form_names_the_known_ones(client: Client, match: Match) -> None:
    assert "jsonl, text, csv, full" in text(page(client, f"/matches/{match.pk}/log/pdf", 404))


def test_a_match_that_is_not_there_is_not_found(client: Client) -> None:
    page(client, "/matches/00000000-0000-4000-8000-000000000000", 404)


def test_titles_and_previews_never_name_the_hidden(client: Client, match: Match, ada: Person) -> None:
    ada.privacy = Person.Privacy.HIDDEN
    ada.save()
    got = page(client, f"/matches/{match.pk}")
    assert "Ada" not in got
    assert "Moreau" not in got
    assert 'content="noindex"' in got
    title = re.search(r"<title>(.*?)</title>", got, re.S)
    assert title
    assert title[1].startswith("Hex war, ")
    assert "A. M." in got or "A.M." in got or "AM" in text(got)


def test_a_hidden_player_stays_unnamed_in_downloads(client: Client, match: Match, ada: Person) -> None:
    ada.privacy = Person.Privacy.HIDDEN
    ada.save()
    for form in ("jsonl", "text", "csv", "full"):
        assert b"Moreau" not in client.get(f"/matches/{match.pk}/log/{form}").content


def test_texts_of_a_log_are_escaped(client: Client, organizer: Person) -> None:
    events = [*logs.ROUNDS[:-1], ("turn_ended", "B", {}, {"note": "<script>alert(1)</script>"})]
    got = page(client, f"/matches/{recorded(organizer, logs.file(league_header(title='<b>x</b>'), events)).pk}")
    assert "<script>alert" not in got
    assert "<b>x</b>" not in got
    assert "&lt;script&gt;alert(1)" in got


def test_a_match_of_score_only_shows_its_result_and_no_replay(client: Client, organizer: Person) -> None:
    head = {
        "log": "annals/1", "game": "chess", "depth": "score", "played_on": "2026-11-28",
        "seats": [{"seat": "A", "name": "Ada"}, {"seat": "B", "name": "Bo"}], "context": {"league": "winter"},
    }  # fmt: skip
    rows = [{"seat": "A", "place": 1, "score": 3}, {"seat": "B", "place": 2, "score": 1}]
    match = recorded(organizer, logs.file(head, [("result_recorded", None, {"rows": rows, "complete": True})]))
    said = text(page(client, f"/matches/{match.pk}"))
    assert "Score only" in said
    assert "there is nothing to replay" in said
    assert "chess" in said
    page(client, f"/matches/{match.pk}?at=1", **HTMX)


def test_corrected_entries_are_marked_with_what_they_said_before(
    browser: SignIn, client: Client, referee: Person, match: Match
) -> None:
    send = {"target_seq": "17", "reason": "taken back at the table", "expected_seq": "22", "step": "store"}
    assert browser(referee).post(f"/matches/{match.pk}/acts/void", send).status_code == 302
    send = {
        "target_seq": "13",
        "data": '{"building": "b2", "type": "archers"}',
        "reason": "misread",
        "expected_seq": "23",
        "step": "store",
    }
    assert browser(referee).post(f"/matches/{match.pk}/acts/amend", send).status_code == 302
    said = text(page(client, f"/matches/{match.pk}?at=17"))
    assert "Voided by entry 23" in said
    assert "Amended by entry 24" in said
    assert "Recorded at first: Bo Lindqvist recruits Peasant" in said
    assert "Bo Lindqvist recruits Archers" in said
    assert "The referee voids entry 17: taken back at the table" in text(page(client, f"/matches/{match.pk}?at=23"))


def test_times_are_shown_in_the_zone_of_the_table(client: Client, match: Match) -> None:
    match.ended_at = "2026-11-28T23:30:00Z"
    match.timezone = "America/Chicago"
    match.save()
    assert "Nov. 28, 2026, 5:30 p.m. America/Chicago" in text(page(client, f"/matches/{match.pk}"))
