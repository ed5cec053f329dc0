"""Where the table counted otherwise than computed: shown side by side, held for the referee, decided on the page of the match."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from matches import counts, selectors, services
from matches.feed import Feed
from matches.models import Match
from matches.words import Names
from people.models import Person
from rulesengine.log import Line
from tests.matches_pages.conftest import SignIn, league_header

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_game")]

SCORED: dict[str, Any] = {"type": "point_scored", "seat": "A", "data": {"points": 3, "observed": {"points": 4}}}
AGREED: dict[str, Any] = {"type": "point_scored", "seat": "B", "data": {"points": 2, "observed": {"points": 2}}}
END: dict[str, Any] = {"type": "match_ended", "data": {}}


def file(*rows: dict[str, Any], **options: Any) -> bytes:
    header = league_header(game="sealed", rules="sealed-1", options=options)
    return "\n".join(json.dumps(row) for row in (header, *rows)).encode()


def recorded(by: Person, *rows: dict[str, Any], **options: Any) -> Match:
    upload = services.upload_check(by=by, name="m.jsonl", raw=file(*rows, **options))
    return services.upload_record(upload=upload, by=by)


@pytest.fixture
def held(organizer: Person, referee: Person, ada: Person, bo: Person) -> Match:
    """A match that has ended and in which the table counted one score otherwise."""
    return recorded(organizer, SCORED, AGREED, END)


def text(browser: Any, match: Match, query: str = "") -> str:
    return " ".join(browser.get(f"{reverse('match-detail', args=[match.pk])}{query}").content.decode().split())


def act(browser: Any, match: Match, name: str, **body: Any) -> Any:
    url = reverse("match-act", args=[match.pk, name])
    return browser.post(url, {"expected_seq": match.seq, "step": "store", **body})


SIDE_BY_SIDE = '<code>points</code></th><td class="num"><strong>4</strong></td><td class="num">3</td>'


def test_an_upload_shows_both_counts_and_says_who_decides(
    organizer: Person, scribe: Person, ada: Person, bo: Person, browser: SignIn
) -> None:
    upload = services.upload_check(by=scribe, name="m.jsonl", raw=file(SCORED, AGREED, END))
    (row,) = upload.report["findings"]
    assert (row["kind"], row["seq"], row["compared"]) == ("observed", 1, [["points", 4, 3]])
    assert upload.report["held"] == [1]
    page = " ".join(browser(scribe).get(reverse("upload-detail", args=[upload.pk])).content.decode().split())
    assert SIDE_BY_SIDE in page
    assert "Held for the referee: counts that differ" in page


def test_a_file_with_held_counts_is_recorded_and_not_confirmed_at_once(
    organizer: Person, ada: Person, bo: Person
) -> None:
    upload = services.upload_check(by=organizer, name="m.jsonl", raw=file(SCORED, END))
    assert (upload.report["may"]["record"], upload.report["may"]["confirm"]) == (True, False)
    with pytest.raises(services.NotRecordable, match="a referee then decides"):
        services.upload_record(upload=upload, by=organizer, confirm=True)
    assert services.upload_record(upload=upload, by=organizer).disputed


def test_the_match_shows_both_counts_to_everybody_and_buttons_to_the_referee(
    held: Match, browser: SignIn, referee: Person, ada: Person
) -> None:
    for who in (referee, ada):
        page = text(browser(who), held)
        assert page.count(SIDE_BY_SIDE) == 2, "on top of the acts and at the entry"
        assert "Held for the referee: the table counted otherwise" in page
        assert ("The computed outcome stands</button>" in page) == (who == referee)
        assert ("Have another outcome stand</a>" in page) == (who == referee)


def test_the_result_is_not_confirmed_before_the_referee_has_decided(
    held: Match, referee: Person, browser: SignIn
) -> None:
    assert held.disputed
    with pytest.raises(services.NotRecordable, match="counted an outcome otherwise"):
        services.match_confirm(match=held, by=referee)
    assert "Confirm the placements" not in text(browser(referee), held)


def test_the_referee_lets_the_computed_outcome_stand(held: Match, referee: Person, browser: SignIn) -> None:
    client = browser(referee)
    body = {"about_seq": 1, "question": "Who is right?", "decision": "The computed outcome stands."}
    assert act(client, held, "ruling", **body).status_code == 302
    match = Match.objects.get(pk=held.pk)
    assert not match.disputed
    page = text(client, match)
    assert "Held for the referee" not in page
    assert SIDE_BY_SIDE in page, "the table's count is kept"
    assert services.match_confirm(match=match, by=referee).status == Match.Status.CONFIRMED


def test_the_referee_has_another_outcome_stand(held: Match, referee: Person, browser: SignIn) -> None:
    client = browser(referee)
    page = text(client, held, "?at=1&override=1")
    assert "{&quot;points&quot;: 4}" in page, "the form holds what the table counted"
    body = {"battle_seq": 1, "outcome": '{"points": 4}', "reason": "three witnesses"}
    assert b"what would change" in act(client, held, "override", step="preview", **body).content
    assert act(client, held, "override", **body).status_code == 302
    match = Match.objects.get(pk=held.pk)
    assert not match.disputed
    line = selectors.match_log(match).lines[-1]
    assert (line.type, line.payload()["outcome"]) == ("result_overridden", {"points": 4})


def test_an_outcome_is_an_object(held: Match, referee: Person, browser: SignIn) -> None:
    answer = act(browser(referee), held, "override", battle_seq=1, outcome="4", reason="x")
    assert answer.status_code == 400
    assert b"An outcome is an object" in answer.content


def test_a_player_decides_nothing(held: Match, ada: Person, browser: SignIn) -> None:
    for name, body in (
        ("ruling", {"about_seq": 1, "question": "x", "decision": "x"}),
        ("override", {"battle_seq": 1, "outcome": "{}", "reason": "x"}),
    ):
        assert act(browser(ada), held, name, **body).status_code == 403


def test_a_live_entry_with_another_count_is_recorded_and_held(organizer: Person, ada: Person, bo: Person) -> None:
    match = recorded(organizer, AGREED)
    assert not match.disputed
    line = Line(0, "point_scored", "A", json.dumps(SCORED["data"]).encode())
    match = services.event_record(match_id=match.pk, line=line, expected_seq=1, by=organizer)
    assert match.disputed
    (one,) = counts.open_in(selectors.match_replay(match))
    assert (one.seq, one.figures) == (2, (("points", 4, 3),))


def test_it_lies_on_the_desk(held: Match, referee: Person, browser: SignIn) -> None:
    assert "The table counted otherwise." in browser(referee).get(reverse("desk")).content.decode()


def test_a_game_that_lets_the_engine_decide_only_notes_the_difference(
    organizer: Person, referee: Person, ada: Person, bo: Person, browser: SignIn
) -> None:
    match = recorded(organizer, SCORED, END, **{"observed.policy": "engine"})
    assert not match.disputed
    page = text(browser(referee), match)
    assert SIDE_BY_SIDE in page
    assert "Held for the referee" not in page


def test_a_confirmation_in_the_log_decides_what_was_before_it(organizer: Person, ada: Person, bo: Person) -> None:
    match = recorded(organizer, SCORED, END, {"type": "placements_confirmed", "data": {}})
    assert (match.status, match.disputed) == (Match.Status.CONFIRMED, False)


def test_a_voided_entry_is_not_held(held: Match, referee: Person) -> None:
    match = services.event_void(match=held, target_seq=1, reason="it was no score", by=referee)
    assert not match.disputed


# KingSquare ----------------------------------------------------------------------------------------------------------

ARMY = {"kingdom": "A", "stacks": {"0": 20}, "at": {"castle": "C1"}, "moved": False, "buffs": [], "created_seq": 7}
BATTLE: tuple[dict[str, Any], ...] = (
    {"type": "capital_founded", "seat": "A", "data": {"castle": "C1"}},
    {"type": "capital_founded", "seat": "B", "data": {"castle": "C2"}},
    {"type": "beast_placed", "data": {"beast": "b1", "class": "epic", "at": {"castle": "C1"}}},
    {"type": "match_started", "data": {}},
    {"type": "phase_advanced", "seat": "A", "data": {"to": "move"}},
    {"type": "phase_advanced", "seat": "A", "data": {"to": "act"}},
    {"type": "state_adjusted", "data": {"path": "armies", "old": {}, "new": {"a1": ARMY}}},
    {
        "type": "beast_engaged",
        "seat": "A",
        "data": {"attackers": ["a1"], "beast": "b1", "observed": {"net": 11}},
    },
)


def kingsquare(by: Person, **options: Any) -> Match:
    header = league_header(game="kingsquare", rules="KS-V5", options=options)
    raw = "\n".join(json.dumps(row) for row in (header, *BATTLE)).encode()
    return services.upload_record(upload=services.upload_check(by=by, name="m.jsonl", raw=raw), by=by)


def test_a_battle_that_the_table_counted_otherwise_is_held_and_decided(
    organizer: Person, referee: Person, ada: Person, bo: Person, browser: SignIn
) -> None:
    match = kingsquare(referee)
    (one,) = counts.open_in(selectors.match_replay(match))
    assert (one.seq, [name for name, _table, _computed in one.figures], match.disputed) == (8, ["net"], True)
    computed = one.figures[0][2]
    client = browser(referee)
    page = text(client, match, "?at=8&override=8")
    assert f'<strong>11</strong></td><td class="num">{computed}</td>' in page
    assert "{&quot;net&quot;: 11, &quot;returned&quot;:" in page, "an outcome of KingSquare is these two figures"
    assert (
        act(client, match, "override", battle_seq=8, outcome='{"net": 11, "returned": 15}', reason="seen").status_code
        == 302
    )
    match = Match.objects.get(pk=match.pk)
    told = selectors.match_replay(match)
    assert (match.disputed, told.findings) == (False, ()), "the table's count is that of the referee now"
    assert told.state.beasts["b1"].strength_left == 60 - 11
    assert "Outcome set by the referee" in text(client, match, "?at=8"), (
        "the entry says that its figures are not computed"
    )


def test_an_entry_that_was_voided_stays_so_in_the_feed_whatever_is_amended_afterwards(
    organizer: Person, referee: Person, ada: Person, bo: Person, browser: SignIn
) -> None:
    match = kingsquare(referee, **{"observed.policy": "engine"})
    client = browser(referee)
    data = {key: value for key, value in BATTLE[-1]["data"].items() if key != "observed"}
    act(client, match, "void", target_seq=8, reason="it never happened")
    match.refresh_from_db()
    act(client, match, "amend", target_seq=8, data=json.dumps(data), reason="nobody counted")
    told = selectors.match_replay(Match.objects.get(pk=match.pk))
    assert (told.at, Feed(told.log, told, Names({})).entry(8).state) == (10, "voided")


def test_kingsquare_may_let_the_engine_decide(organizer: Person, referee: Person, ada: Person, bo: Person) -> None:
    assert not kingsquare(referee, **{"observed.policy": "engine"}).disputed


def test_a_ruling_in_kingsquare_is_offered_about_the_open_dispute_and_closes_it(
    organizer: Person, referee: Person, ada: Person, bo: Person, browser: SignIn
) -> None:
    end = ({"type": "draw_agreed", "data": {"seats": ["A", "B"]}},)
    raw = "\n".join(
        json.dumps(row) for row in (league_header(game="kingsquare", rules="KS-V5", options={}), *BATTLE[:4], *end)
    )
    match = services.upload_record(
        upload=services.upload_check(by=referee, name="m.jsonl", raw=raw.encode()), by=referee
    )
    act(browser(ada), match, "dispute", reason="I had more Castles")
    match.refresh_from_db()
    client = browser(referee)
    form = text(client, match).split('id="ruling-about_seq"')[0].rsplit("<input", 1)[1]
    assert 'value="6"' in form
    act(client, match, "ruling", about_seq=6, question="Who won?", decision="Nobody.")
    assert not Match.objects.get(pk=match.pk).disputed
