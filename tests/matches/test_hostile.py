"""What somebody who means harm sends: each is refused in words, stores nothing, and never ends in an error of the site."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from matches import log, seating, services
from matches.models import Match, Upload
from matches.services import Forbidden, NotRecordable, Refused, checking, zips
from people.models import Person
from rulesengine.log import Line
from tests.matches.test_api import browser
from tests.matches.test_uploads import (
    at_league,
    check,
    file,
    league,
    lines,
    messages,
    record,
    sample,
    without_impossible,
)

__all__ = ["league"]
pytestmark = pytest.mark.django_db


def opening(**header: object) -> bytes:
    """Return the header of a legal match, changed, with its first three lines."""
    first, *rows = lines(sample("legal_three_capes"))
    return file([{**first, **header}, *rows[:3]])


def score(*places: int, game: str = "chess") -> bytes:
    header = {"log": "annals/1", "depth": "score", "game": game, "played_on": "2026-11-28"}
    seats = [{"seat": letter, "name": letter} for letter, _place in zip("ABC", places, strict=False)]
    rows = [{"seat": letter, "place": place} for letter, place in zip("ABC", places, strict=False)]
    return file(
        [{**header, "seats": seats}, {"seq": 1, "type": "result_recorded", "data": {"rows": rows, "complete": True}}]
    )


def refused(by: Person, raw: bytes, words: str) -> None:
    """Check that a file cannot be recorded, by a finding or as unreadable, and that nothing is stored."""
    upload = check(by, raw)
    assert any(words in message for message in messages(upload)), messages(upload)
    with pytest.raises(NotRecordable):
        services.upload_record(upload=upload, by=by, accept_irregular=True, reason="never mind")
    assert not Match.objects.exists()
    assert log.unread((0, 0), 10) == 0


# What the database could not hold ------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"])
def test_a_moment_that_has_no_utc_is_refused(at: str, owner: Person) -> None:
    first, *rows = lines(sample("legal_three_capes"))
    refused(
        owner, file([first, {**rows[0], "at": at}]), 'it must be a date and time such as "2026-11-28T14:03:22-06:00"'
    )


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_whose_end_has_no_utc_is_refused(day: str, owner: Person) -> None:
    refused(owner, opening(played_on=day), 'it must be a date such as "2026-11-28"')


def test_a_place_beyond_all_sense_is_refused(owner: Person) -> None:
    refused(owner, score(1, 40_000), "places count from 1 to 10000")


def test_a_game_with_a_name_longer_than_the_site_holds_is_refused(owner: Person) -> None:
    refused(owner, score(1, 2, game="x" * 61), "at most 60 lower-case letters")
    assert record(owner, score(1, 2, game="x" * 60)).game == "x" * 60


def test_a_text_under_keys_too_long_to_find_it_again_is_refused(owner: Person) -> None:
    refused(owner, opening(context={"k" * 100: {"name": "x"}}), "lies too deep")


def test_two_texts_under_the_same_way_of_keys_are_refused(owner: Person) -> None:
    refused(owner, opening(context={"a": {"b": {"name": "1"}}, "a.b": {"name": "2"}}), "holds a dot")


def test_a_name_longer_than_the_site_keeps_is_refused_and_one_that_fits_is_the_same_match_again(owner: Person) -> None:
    first, *_rows = lines(opening())
    named = [{**seat, "name": "x" * 121} for seat in first["seats"]]  # type: ignore[attr-defined]
    refused(owner, opening(seats=named), "The name of seat A “xxxxx")
    refused(owner, opening(title="t" * 301), "The title “ttttt")
    refused(owner, opening(officials=[{"role": "scribe", "name": "x" * 121}]), "The name of an official “xxxxx")
    fits = opening(seats=[{**seat, "name": "x" * 120} for seat in named], title="t" * 300)
    assert record(owner, fits) == record(owner, fits)


def test_an_id_that_is_a_persons_is_refused(owner: Person, ada: Person) -> None:
    refused(owner, opening(id=str(ada.pk)), f"The id {ada.pk} in the header is that of a person")


def test_a_name_that_turns_the_writing_around_is_refused_and_one_written_from_right_to_left_is_not(
    owner: Person,
) -> None:
    first, *_rows = lines(opening())

    def named(name: str) -> list[object]:
        return [{**seat, "name": name} for seat in first["seats"]]  # type: ignore[attr-defined]

    refused(owner, opening(seats=named("Ada \u202emoreau")), "turn the writing around (U+202E)")
    refused(
        owner, opening(officials=[{"role": "scribe", "name": "\u2067Hal"}]), "The name of an official has invisible"
    )
    refused(owner, opening(title="An \u202eevening"), "The title has invisible")
    match = record(owner, opening(seats=named("נועה"), title="ערב"))
    assert {seat.sheet_name for seat in match.seats.all()} == {"נועה"}


def test_a_file_cannot_put_itself_into_a_tournament_by_the_key_that_gives_rights(owner: Person) -> None:
    refused(owner, opening(context={"tournament_id": str(uuid4())}), "which the site gives itself")


# The set-up, amended ---------------------------------------------------------------------------------------------------


def amend(match: Match, by: Person, **header: object) -> Match:
    return services.event_amend(match=match, target_seq=0, data=header, reason="x", by=by)


@pytest.mark.parametrize(
    "header",
    [
        {"timezone": "Mars/Olympus"},
        {"timezone": "a" * 300},
        {"played_on": "some day"},
        {"played_on": "2026-02-30"},
        {"played_on": "9999-12-31"},
        {"officials": [{"role": "pope", "name": "x"}]},
    ],
)
def test_an_amended_set_up_is_read_as_strictly_as_that_of_a_file(header: dict[str, object], referee: Person) -> None:
    match = record(referee, opening())
    with pytest.raises(Refused) as told:
        amend(match, referee, **header)
    assert "the new header cannot be read" in told.value.refusal.because
    match.refresh_from_db()
    assert match.seq == 3


def test_an_amendment_neither_adds_seats_nor_takes_them_away(referee: Person) -> None:
    match = record(referee, opening())
    seats = [{"seat": letter, "name": letter} for letter in "ABD"]
    with pytest.raises(NotRecordable, match="The match has the seats A, B, C"):
        amend(match, referee, seats=seats)
    line = {
        "seq": 4,
        "type": "event_amended",
        "as": "referee",
        "data": {"target_seq": 0, "data": {"seats": seats}, "reason": "x"},
    }
    upload = check(referee, file([*lines(opening(title="another")), line]))
    assert any("amended to other seats (A, B, D)" in message for message in messages(upload))


def test_an_amended_context_holds_no_text_that_could_not_be_found_again(referee: Person) -> None:
    match = record(referee, opening())
    with pytest.raises(NotRecordable, match="lies too deep"):
        amend(match, referee, context={"k" * 100: {"name": "x"}})
    with pytest.raises(NotRecordable, match="holds a dot"):
        amend(match, referee, context={"a.b": {"name": "2"}})


# Archives and sizes ------------------------------------------------------------------------------------------------------


def test_a_damaged_lzma_archive_is_refused_in_words(owner: Person) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as made:
        made.writestr("a.jsonl", sample("legal_three_capes"))
    raw = bytearray(packed.getvalue())
    for at in range(60, 200):
        raw[at] ^= 0x55
    with pytest.raises(services.BadArchive, match="is damaged"):
        services.uploads_check(by=owner, name="a.zip", raw=bytes(raw))


def test_few_lines_of_many_bytes_are_looked_at_in_a_job_and_not_kept_in_memory(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "LARGE_BYTES", 1_000)
    monkeypatch.setattr(checking, "_read_lately", type(checking._read_lately)())
    upload = services.upload_check(by=owner, name="a.jsonl", raw=sample("legal_three_capes"), wait=False)
    assert upload.job is not None
    assert upload.report is None
    assert bytes(upload.raw) == bytes(Upload.objects.get(pk=upload.pk).raw) == sample("legal_three_capes")
    services.upload_check(by=owner, name="a.jsonl", raw=sample("legal_three_capes"))
    assert not checking._read_lately


def test_nobody_fills_the_disk_with_files_that_are_never_recorded(
    owner: Person, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = opening()
    monkeypatch.setattr(zips, "MOST_WAITING", 2 * len(raw))
    sent = [services.uploads_check(by=owner, name="a.jsonl", raw=raw)[0] for _number in range(2)]
    with pytest.raises(services.BadArchive, match="neither recorded nor dropped"):
        services.uploads_check(by=owner, name="a.jsonl", raw=raw)
    services.uploads_check(by=ada, name="a.jsonl", raw=raw)
    services.upload_drop(upload=sent[0], by=owner)
    services.uploads_check(by=owner, name="a.jsonl", raw=raw)


# Rights ------------------------------------------------------------------------------------------------------------------


def test_nobody_disputes_an_entry_in_the_name_of_another_seat(league: Any, owner: Person, ada: Person) -> None:
    from league import services as leagues

    leagues.member_add(league=league, person=ada, by=owner, at=timezone.now())
    match = record(owner, at_league(opening(), "winter", A="ada"))
    dispute = {"about_seq": 1, "text": "not so"}
    other = next(seat for seat in "AB" if seat not in seating.seats_of(match, ada))

    def said(seat: str) -> Line:
        return Line(0, "dispute_opened", seat, json.dumps(dispute).encode())

    with pytest.raises(Forbidden):
        services.event_record(match_id=match.pk, line=said(other), expected_seq=3, by=ada)
    with pytest.raises(NotRecordable, match="name the seat whose dispute it is"):
        services.event_record(
            match_id=match.pk,
            line=Line(0, "dispute_opened", None, json.dumps(dispute).encode()),
            expected_seq=3,
            by=owner,
        )
    assert services.event_record(match_id=match.pk, line=said("A"), expected_seq=3, by=ada).disputed


def test_a_null_in_a_reason_and_a_pick_of_nobody_are_no_errors_of_the_site(ada: Person, referee: Person) -> None:
    upload = check(ada, without_impossible())
    mine, theirs = Client(), Client()
    mine.force_login(ada.account)
    theirs.force_login(referee.account)
    assert mine.post(f"/upload/{upload.pk}/act", {"act": "hold", "reason": "wh\0y"}).status_code == 302
    assert Upload.objects.get(pk=upload.pk).reason == "why"
    answer = theirs.post(f"/upload/{upload.pk}/act", {"act": "record", "reason": "ok", "seat_A": "nobody"})
    assert answer.status_code == 422
    assert "is nobody whom you can pick" in answer.content.decode()


def test_a_friendly_that_only_claims_that_somebody_sat_there_is_not_among_their_matches(
    client: Client, ada: Person, bo: Person
) -> None:
    first, *_rows = lines(opening())
    match = record(bo, opening(seats=[{**seat, "player": "ada"} for seat in first["seats"][:1]] + first["seats"][1:]))  # type: ignore[index]
    assert match.seats.get(seat="A").person == ada
    assert client.get("/api/matches/", {"person": "ada"}).json()["count"] == 0
    assert browser(ada).get("/api/matches/", {"person": "ada"}).json()["count"] == 1


# The API -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [b"[" * 100_000, b'{"a":' * 100_000])
def test_json_nested_without_end_is_a_bad_request(raw: bytes, ada: Person) -> None:
    match = record(ada, opening())
    client = browser(ada)
    for where in (f"/api/matches/{match.pk}/events/", f"/api/uploads/{uuid4()}/record/"):
        answer = client.post(where, raw, content_type="application/json")
        assert answer.status_code == 400
        assert "nested too deep" in answer.json()["detail"]


def test_no_list_of_the_api_is_sent_without_end(client: Client) -> None:
    for number in range(201):
        Person.objects.create(display_name=f"Person {number}")
    assert len(client.get("/api/people/?limit=1000000").json()["results"]) == 200


@pytest.mark.parametrize("at", ["x", "1.5", "-1", "9" * 5000, "1_0", "+1"])
def test_a_position_after_no_entry_is_refused_in_words(at: str, client: Client, ada: Person) -> None:
    match = record(ada, opening())
    answer = client.get(f"/api/matches/{match.pk}/state/", {"at": at})
    assert answer.status_code == 400
    assert "is no number of an entry" in answer.json()["at"][0]


def test_matches_of_a_league_that_is_none_are_none(client: Client, ada: Person) -> None:
    record(ada, opening())
    assert client.get("/api/matches/", {"league": "nowhere"}).json()["count"] == 0
    assert client.get("/api/matches/", {"league": "friendly"}).json()["count"] == 1
