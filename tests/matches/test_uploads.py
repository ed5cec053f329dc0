"""Files: what is said of each, what of them may be recorded, by whom, and what then stands in the log."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.utils import timezone
from msgspec.structs import replace

from league import services as leagues
from league.models import League
from matches import log, selectors, services, sight, texts
from matches.models import Job, Match, Text, Upload
from matches.services import DifferentVersion, Forbidden, NotRecordable
from people.models import Person
from rulesengine import notation
from rulesengine.log import Log, Seat
from rulesengine.play import play
from tests.matches.conftest import SAMPLES, person

pytestmark = pytest.mark.django_db


def sample(name: str) -> bytes:
    return (SAMPLES / f"{name}.jsonl").read_bytes()


def lines(raw: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in raw.splitlines() if line.strip()]


def file(rows: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def without_impossible() -> bytes:
    """The sample with findings, without those lines that could not stand even if a referee wanted: two irregular ones remain."""
    rows = [row for row in lines(sample("with_findings")) if row.get("seq") not in (4, 10, 22, 28)]
    return file([rows[0], *({**row, "seq": seq} for seq, row in enumerate(rows[1:], 1))])


def check(by: Person, raw: bytes, name: str = "evening.jsonl") -> Upload:
    return services.upload_check(by=by, name=name, raw=raw)


def record(by: Person, raw: bytes, **how: object) -> Match:
    return services.upload_record(upload=check(by, raw), by=by, **how)  # type: ignore[arg-type]


def messages(upload: Upload) -> list[str]:
    return [row["message"] for row in upload.report["findings"]]


def at_league(raw: bytes, slug: str, **players: str) -> bytes:
    header, *rows = lines(raw)
    header["context"] = {"league": slug}
    for seat in header["seats"]:  # type: ignore[attr-defined]
        if seat["seat"] in players:
            seat["player"] = players[seat["seat"]]
    return file([header, *rows])


@pytest.fixture
def league(owner: Person) -> League:
    return leagues.league_open(name="Winter", slug="winter", by=owner, at=timezone.now())


# The good way -------------------------------------------------------------------------------------------------------


def test_a_dry_run_stores_nothing_in_the_log(ada: Person) -> None:
    upload = check(ada, sample("legal_three_capes"))
    assert upload.report["findings"] == []
    assert upload.report["status"] == "ended"
    assert upload.state == Upload.State.CHECKED
    assert not Match.objects.exists()
    assert log.unread((0, 0), 10) == 0


def test_a_recorded_match_stands_in_the_log_as_the_file_said(ada: Person) -> None:
    raw = sample("legal_three_capes")
    match = record(ada, raw)
    assert (match.status, match.seq, match.edition, match.game) == ("ended", 65, "hexwar-1", "hexwar")
    assert [(seat.seat, seat.sheet_name, seat.place) for seat in match.seats.all()] == [
        ("A", "Ada Moreau", 2), ("B", "Bo Lindqvist", 3), ("C", "Cy Okafor", 1),
    ]  # fmt: skip
    assert log.verify(match.pk) is None
    told, parsed = selectors.match_log(match), notation.parse(raw)
    assert [(one.type, one.seat, one.payload()) for one in told.lines] == [
        (one.type, one.seat, one.payload()) for one in parsed.lines
    ]
    zero = log.read(match.pk)[0]
    assert zero.type == "match_set_up"
    assert b"Moreau" not in b"".join(row.data for row in log.read(match.pk))


def test_record_and_confirm_is_one_step(owner: Person) -> None:
    match = record(owner, sample("legal_three_capes"), confirm=True)
    assert match.status == "confirmed"
    assert match.confirmed_at is not None
    assert selectors.match_log(match).lines[-1].type == "placements_confirmed"


@pytest.mark.parametrize("form", ["jsonl", "text", "csv"])
def test_all_three_forms_are_the_same_match(form: str, ada: Person) -> None:
    match = record(ada, sample("corrected_by_referee").replace(b'"as": "referee", ', b""))
    raw = notation.write(notation.parse(sample("corrected_by_referee").replace(b'"as": "referee", ', b"")), form)  # type: ignore[arg-type]
    upload = check(ada, raw, f"evening.{form}")
    assert upload.report["again"] is True
    assert upload.match_id == match.pk


def test_the_computed_lines_of_a_file_are_compared_not_stored_and_references_are_carried_over(owner: Person) -> None:
    header, *rows = lines(sample("corrected_by_referee"))
    spelled: list[dict[str, object]] = []
    moved: dict[int, int] = {}
    for row in rows:
        spelled.append({**row, "seq": len(spelled) + 1})
        moved[row["seq"]] = len(spelled)  # type: ignore[index]
        if row["type"] == "turn_ended" and row["seq"] == 3:
            spelled.append({"seq": len(spelled) + 1, "type": "turn_started", "data": {"player": "B"}})
    for row in spelled:
        data = row.get("data")
        if isinstance(data, dict) and "target_seq" in data:
            row["data"] = {**data, "target_seq": moved[data["target_seq"]]}
    upload = check(owner, file([header, *spelled]))
    assert [row for row in upload.report["findings"] if row["kind"] not in ("observed",)] == []
    match = services.upload_record(upload=upload, by=owner)
    stored = selectors.match_log(match).lines
    plain = notation.parse(sample("corrected_by_referee")).lines
    assert [(one.seq, one.type, one.payload()) for one in stored] == [
        (one.seq, one.type, one.payload()) for one in plain
    ]


def test_free_text_of_a_file_lies_beside_the_log(owner: Person) -> None:
    header, *rows = lines(sample("corrected_by_referee"))
    header["title"] = "Ada's birthday"
    rows[0]["note"] = "Ada was late"
    match = record(owner, file([header, *rows]))
    raw = b"".join(row.data for row in log.read(match.pk))
    assert b"birthday" not in raw
    assert b"late" not in raw
    assert selectors.match_log(match).header.title == "Ada's birthday"
    assert selectors.match_log(match).lines[0].note == "Ada was late"
    assert Text.objects.filter(stream=match.pk, field=texts.NOTE).count() == 1


# The same again, another version ------------------------------------------------------------------------------------


def test_the_same_match_again_says_so_and_is_that_match(ada: Person, bo: Person) -> None:
    match = record(ada, sample("legal_three_capes"))
    upload = check(bo, sample("legal_three_capes"))
    assert upload.report["again"] is True
    assert upload.report["match"] == str(match.pk)
    assert services.upload_record(upload=upload, by=bo) == match
    assert Match.objects.count() == 1


def test_the_same_match_again_is_the_same_after_the_site_added_to_it(owner: Person) -> None:
    record(owner, without_impossible(), accept_irregular=True, reason="the table played on", confirm=True)
    assert check(owner, without_impossible()).report["again"] is True


def test_another_version_is_refused_and_only_those_who_may_correct_see_what_differs(ada: Person, owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    header["id"] = str(uuid4())
    match = record(ada, file([header, *rows]))
    other = file([{**header, "played_on": "2026-11-27"}, {**rows[0], "note": "hm"}, *rows[1:]])
    upload = check(owner, other)
    assert upload.report["again"] is False
    assert [(row["where"]) for row in upload.report["different"]] == ["played_on", 1]
    assert upload.report["different"][0] == {"where": "played_on", "recorded": "2026-11-28", "uploaded": "2026-11-27"}
    with pytest.raises(
        DifferentVersion, match=r"never overwritten: open it, and have what is wrong voided or amended"
    ) as told:
        services.upload_record(upload=upload, by=owner)
    assert told.value.match_id == match.pk
    assert len(told.value.difference) == 2
    stranger = person("dee", "Dee Castell")
    assert check(stranger, other).report["different"] == []
    with pytest.raises(DifferentVersion) as told:
        services.upload_record(upload=check(stranger, other), by=stranger)
    assert told.value.difference == []


def test_a_file_with_more_entries_than_the_recorded_match_is_another_version(owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    header["id"] = str(uuid4())
    record(owner, file([header, *rows[:20]]))
    different = check(owner, file([header, *rows])).report["different"]
    assert [row["where"] for row in different] == list(range(21, 66))
    assert different[0]["recorded"] is None


# Irregular lines ----------------------------------------------------------------------------------------------------


def test_irregular_lines_stand_only_if_a_referee_accepts_them_with_a_reason(referee: Person) -> None:
    upload = check(referee, without_impossible())
    assert {row["kind"] for row in upload.report["findings"]} == {"irregular"}
    assert upload.report["may"] == {"record": True, "accept": True, "confirm": True, "hold": False}
    with pytest.raises(NotRecordable, match=r"A rule forbids 2 lines of the file; .* line \d+: HWH-26"):
        services.upload_record(upload=upload, by=referee)
    with pytest.raises(NotRecordable, match="only with a reason"):
        services.upload_record(upload=upload, by=referee, accept_irregular=True, reason="  ")
    assert not Match.objects.exists()
    match = services.upload_record(upload=upload, by=referee, accept_irregular=True, reason="all agreed")
    last = selectors.match_log(match).lines[-1]
    assert (last.type, last.acting_as) == ("illegal_state_accepted", "referee")
    assert last.payload() == {"reason": "all agreed", "seqs": [14, 30]}
    assert selectors.match_replay(match).findings == ()


def test_who_may_not_accept_irregular_lines_has_the_file_held_for_the_referees(
    league: League, owner: Person, ada: Person
) -> None:
    gia = person("gia", "Gia Romano")
    hal = person("hal", "Hal Iversen")
    for who, role in ((gia, "referee"), (hal, "scribe")):
        leagues.role_give(league=league, person=who, role=role, by=owner, at=timezone.now())
    upload = check(hal, at_league(without_impossible(), "winter"))
    assert upload.report["may"] == {"record": False, "accept": False, "confirm": False, "hold": True}
    with pytest.raises(Forbidden, match="accept irregular lines"):
        services.upload_record(upload=upload, by=hal, accept_irregular=True, reason="please")
    with pytest.raises(Forbidden):
        services.upload_record(upload=upload, by=gia)  # not yet hers to see
    held = services.upload_hold(upload=upload, by=hal, reason="see turn 5")
    assert (held.state, held.scope) == ("held", league.scope)
    assert list(selectors.upload_desk(gia)) == [held]
    assert list(selectors.upload_desk(ada)) == []
    match = services.upload_record(upload=held, by=gia, accept_irregular=True, reason="agreed at the table")
    assert match.opened_by == hal
    assert list(selectors.upload_desk(gia)) == []
    assert log.read(match.pk)[0].by == gia.pk


def test_a_file_with_something_impossible_is_neither_recorded_nor_held(referee: Person) -> None:
    upload = check(referee, sample("with_findings"))
    with pytest.raises(
        NotRecordable, match=r"Nothing of the file can be stored .* line 5: HWH-44: there is no improvement"
    ):
        services.upload_record(upload=upload, by=referee, accept_irregular=True, reason="x")
    with pytest.raises(NotRecordable, match="nothing is impossible"):
        services.upload_hold(upload=upload, by=referee)
    assert not Match.objects.exists()


def test_a_dropped_file_is_forgotten(ada: Person, bo: Person) -> None:
    upload = check(ada, sample("legal_three_capes"))
    with pytest.raises(Forbidden):
        services.upload_drop(upload=upload, by=bo)
    services.upload_drop(upload=upload, by=ada)
    upload.refresh_from_db()
    assert bytes(upload.raw) == b""
    with pytest.raises(NotRecordable, match="was dropped; send the file again"):
        services.upload_record(upload=upload, by=ada)


def test_a_checked_file_is_forgotten_after_its_time(ada: Person) -> None:
    upload = check(ada, sample("legal_three_capes"))
    assert services.uploads_expire() == 0
    Upload.objects.filter(pk=upload.pk).update(expires_at=timezone.now())
    assert services.uploads_expire() == 1


# Rights -------------------------------------------------------------------------------------------------------------


def test_a_file_that_claims_to_be_the_referees_gives_no_rights(league: League, owner: Person) -> None:
    gia, hal = person("gia", "Gia Romano"), person("hal", "Hal Iversen")
    leagues.role_give(league=league, person=gia, role="referee", by=owner, at=timezone.now())
    leagues.role_give(league=league, person=hal, role="scribe", by=owner, at=timezone.now())
    raw = at_league(sample("corrected_by_referee"), "winter")
    upload = check(hal, raw)
    assert [(row["kind"], row["type"]) for row in upload.report["findings"]] == [
        ("form", "event_voided"), ("form", "event_amended"),
    ] or [(row["kind"], row["type"]) for row in upload.report["findings"]] == [("form", "event_amended"), ("form", "event_voided")]  # fmt: skip
    assert messages(upload)[0] == (
        "You may not record this: “void, amend, adjust” is for Referee, Organizer (where the scope has no referee), "
        "Owner (where the scope has no referee). What the line says of itself gives no rights. Hold the file for them, or leave the line out."
    )
    with pytest.raises(NotRecordable, match="You may not record this"):
        services.upload_record(upload=upload, by=hal)
    assert not Match.objects.exists()
    held = services.upload_hold(upload=upload, by=hal)
    assert services.upload_record(upload=held, by=gia).status == "ended"


def test_as_referee_on_an_ordinary_line_is_a_claim_too(ada: Person, referee: Person) -> None:
    header, first, *rows = lines(sample("legal_three_capes"))
    raw = file([header, {**first, "as": "referee"}, *rows])
    upload = check(ada, raw)
    assert [(row["seq"], row["kind"]) for row in upload.report["findings"]] == [(1, "form")]
    assert check(referee, raw).report["findings"] == []


def test_nobody_acts_as_referee_in_the_match_in_which_they_sit(referee: Person) -> None:
    raw = at_league(sample("corrected_by_referee"), "", A="gia")
    assert len(check(referee, raw).report["findings"]) == 2


def test_a_signature_in_a_file_does_not_count(owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    raw = file([header, *rows, {"seq": 66, "type": "result_signed", "seat": "A"}])
    upload = check(owner, raw)
    assert messages(upload) == [
        "A signature in a file does not count: each player signs the result on the page of the match. Leave the line out."
    ]
    with pytest.raises(NotRecordable, match="A signature in a file does not count"):
        services.upload_record(upload=upload, by=owner)


def test_a_match_of_a_league_is_recorded_by_its_officials_only(league: League, ada: Person) -> None:
    upload = check(ada, at_league(sample("legal_three_capes"), "winter", A="ada"))
    assert messages(upload)[0].startswith("Recording a match here is for: Player of it (own friendly match), Scribe")
    with pytest.raises(Forbidden, match="record events, upload a log of a match"):
        services.upload_record(upload=upload, by=ada)


# Who sits where -----------------------------------------------------------------------------------------------------


def test_an_official_of_a_league_links_its_members_at_once_and_others_are_asked(
    league: League, owner: Person, ada: Person, bo: Person
) -> None:
    leagues.member_add(league=league, person=ada, by=owner, at=timezone.now())
    match = record(owner, at_league(sample("legal_three_capes"), "winter", A="ada", B="bo"))
    assert [(seat.person, seat.linked) for seat in match.seats.all()][:2] == [(ada, True), (bo, False)]
    guest = match.seats.all()[2]
    assert guest.person is not None
    assert (guest.person.is_guest, guest.linked, guest.person.display_name) == (True, True, "Cy Okafor")


def test_nobody_is_joined_by_name_alone(ada: Person, owner: Person) -> None:
    match = record(owner, sample("legal_three_capes"))
    again = record(
        owner,
        file([{**lines(sample("legal_three_capes"))[0], "id": str(uuid4())}, *lines(sample("legal_three_capes"))[1:]]),
    )
    persons = {seat.person_id for one in (match, again) for seat in one.seats.all()}
    assert ada.pk not in persons
    assert len(persons) == 6


def test_in_a_friendly_nobody_is_linked_before_they_signed(ada: Person, bo: Person) -> None:
    match = record(
        ada, at_league(sample("corrected_by_referee").replace(b'"as": "referee"', b'"as": "organizer"'), "", A="bo")
    )
    assert next((seat.person, seat.linked) for seat in match.seats.all()) == (bo, False)
    services.result_sign(match=match, by=bo)
    assert match.seats.get(seat="A").linked


def test_the_recorder_picks_a_member_for_a_seat_without_a_handle_but_nobody_else(
    league: League, owner: Person, ada: Person, bo: Person
) -> None:
    leagues.member_add(league=league, person=ada, by=owner, at=timezone.now())
    raw = at_league(sample("legal_three_capes"), "winter")
    with pytest.raises(NotRecordable, match="is nobody whom you can pick for a seat here"):
        record(owner, raw, links={"A": str(bo.pk)})
    match = record(owner, raw, links={"A": str(ada.pk), "B": "guest"})
    assert match.seats.get(seat="A").person == ada
    assert match.seats.get(seat="B").person.is_guest


def test_one_person_has_one_seat(owner: Person, ada: Person) -> None:
    upload = check(owner, at_league(sample("legal_three_capes"), "", A="ada", B="ada"))
    assert messages(upload) == ["Seats A and B are the same person; one person has one seat. Put the handles right."]


def test_an_unknown_league_makes_a_friendly_and_says_so(ada: Person) -> None:
    upload = check(ada, at_league(sample("legal_three_capes"), "summer"))
    assert (
        upload.report["note"]
        == "The file names the league “summer”, which this site does not have; the match counts as a friendly."
    )


# Bad input: what a person sees --------------------------------------------------------------------------------------


def play_file(**how: object) -> bytes:
    return notation.write(play("hexwar", seed=3, seats=2), "jsonl")


HEADER = b'{"log": "annals/1", "game": "hexwar", "rules": "hexwar-1", "played_on": "2026-11-28", "seats": [{"seat": "A"}, {"seat": "B"}], "options": {"map": "HW-M1"}}\n'
TURN = b'{"seq": 1, "type": "turn_ended", "seat": "A"}\n'

BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "an empty file": (lambda: b"", "the file is empty; a log begins with its header"),
    "not a log": (lambda: b"Dear Ada,\nthank you.\n", "this is no match log; a log begins with"),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is no text file"),
    "a wrong version": (lambda: HEADER.replace(b"annals/1", b"annals/9"), '"log" is "annals/9"; this site reads "annals/1"'),
    "an unknown game": (lambda: HEADER.replace(b'"hexwar"', b'"chess"'), '"game" is "chess"; moves are read of'),
    "an unknown edition": (lambda: HEADER.replace(b"hexwar-1", b"hexwar-9"), "\"rules\" is 'hexwar-9'; the editions of hexwar are hexwar-1"),
    "UTF-16": (lambda: HEADER.decode().encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
    "CR-only lines": (lambda: HEADER.replace(b"\n", b"\r") + TURN.replace(b"\n", b"\r"), "the lines end with a carriage return alone"),
    "65 MiB": (lambda: HEADER + b" " * (65 * 2**20), "the file is larger than 64 MiB"),
    "a line of 1 MiB": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "note": "' + b"x" * 2**20 + b'"}\n', "longer than 64 KiB"),
    "depth 10,000": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "data": ' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001 + b"\n", "longer than 64 KiB|nested more than 16 deep"),
    "depth 17": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "data": ' + b"[" * 17 + b"]" * 17 + b"}\n", "nested more than 16 deep"),
    "NaN": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "data": {"a": NaN}}\n', "NaN is no JSON value"),
    "10^400": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "data": {"a": 1' + b"0" * 400 + b"}}\n", "is too large; whole numbers from"),
    "1e400": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "data": {"a": 1e400}}\n', "is not a whole number"),
    "duplicate keys": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "type": "turn_ended", "seat": "A"}\n', 'the key "type" is there twice|twice'),
    "a gap of seqs": (lambda: HEADER + TURN.replace(b"1", b"2"), "seq 2 stands where seq 1 was expected; seq 1 is missing"),
    "an unknown key": (lambda: HEADER + TURN.replace(b'"seat"', b'"sea": 1, "seat"'), 'the event has the unknown key "sea"'),
    "an unknown key of the header": (lambda: HEADER.replace(b'"rules"', b'"rool": 1, "rules"'), 'the header has the unknown key "rool"'),
    "cut in the middle": (lambda: play_file()[:-20], "breaks off|cut|ends in the middle"),
    "events after the end": (lambda: play_file() + b'{"seq": 56, "type": "turn_ended", "seat": "A"}\n', "over|ended|has no turn"),
    "a control character": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "note": "\\u0000"}\n', "control character U\\+0000"),
    "half a character": (lambda: HEADER + b'{"seq": 1, "type": "turn_ended", "seat": "A", "note": "\\ud800"}\n', "half a character"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_with_words_and_nothing_is_stored(what: str, owner: Person) -> None:
    make, message = BAD[what]
    upload = check(owner, make())
    found = [row for row in upload.report["findings"] if row["kind"] != "observed"]
    assert found, upload.report
    import re

    assert re.search(message, found[0]["message"]), found[0]["message"]
    with pytest.raises(NotRecordable) as told:
        services.upload_record(upload=upload, by=owner, accept_irregular=True, reason="never mind")
    assert re.search(message, str(told.value)), str(told.value)
    assert not Match.objects.exists()
    assert log.unread((0, 0), 10) == 0


def test_a_byte_order_mark_does_no_harm(owner: Person) -> None:
    assert check(owner, b"\xef\xbb\xbf" + sample("legal_three_capes")).report["findings"] == []


def test_two_files_with_one_id_and_different_content_are_not_mixed_up(owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    header["id"] = str(uuid4())
    first, second = check(owner, file([header, *rows])), check(owner, file([header, *rows[:30]]))
    match = services.upload_record(upload=second, by=owner)
    with pytest.raises(DifferentVersion):
        services.upload_record(upload=first, by=owner)
    assert log.head(match.pk).seq == 30  # type: ignore[union-attr]


def test_entry_ids_copied_from_another_match_are_found(owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    entry_id = str(uuid4())
    match = record(owner, file([header, {**rows[0], "id": entry_id}, *rows[1:]]))
    upload = check(owner, file([{**header, "id": str(uuid4())}, {**rows[0], "id": entry_id}, *rows[1:]]))
    assert messages(upload) == [
        f"The id {entry_id} belongs to entry 1 of another match ({match.pk}); an id belongs to one entry. Leave it out, or give this entry its own."
    ]
    with pytest.raises(NotRecordable, match="belongs to entry 1 of another match"):
        services.upload_record(upload=upload, by=owner)


def test_a_match_id_that_is_a_leagues_stream_is_refused(league: League, owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    upload = check(owner, file([{**header, "id": str(league.pk)}, *rows]))
    assert messages(upload) == [
        f"The id {league.pk} in the header is that of a league, not of a match; give the match another id, or leave it out."
    ]
    with pytest.raises(NotRecordable):
        services.upload_record(upload=upload, by=owner)
    assert log.head(league.pk).kind == "league"  # type: ignore[union-attr]


# Archives -----------------------------------------------------------------------------------------------------------


def archive(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return packed.getvalue()


def test_the_logs_of_an_archive_are_looked_at_one_by_one(owner: Person) -> None:
    raw = archive(
        **{
            "a/one.jsonl": sample("legal_three_capes"),
            "../../etc/two.csv": b"x",
            "__MACOSX/._one": b"",
            "a/.hidden": b"",
        }
    )
    one, two = services.uploads_check(by=owner, name="evening.zip", raw=raw)
    assert (one.name, one.report["findings"]) == ("one.jsonl", [])
    assert (two.name, two.report["unreadable"] is not None) == ("two.csv", True)


def lying_bomb() -> bytes:
    """An archive whose directory says that a file of 100 MiB has 10 bytes."""
    raw = bytearray(archive(bomb=b"0" * (100 * 2**20)))
    size = (100 * 2**20).to_bytes(4, "little")
    at = raw.find(size)
    while at != -1:
        raw[at : at + 4] = (10).to_bytes(4, "little")
        at = raw.find(size)
    return bytes(raw)


BAD_ARCHIVES: dict[str, tuple[Callable[[], bytes], str]] = {
    "a zip bomb": (lambda: archive(bomb=b"0" * (65 * 2**20)), "The archive unpacks to more than 64 MiB; send fewer files at once"),
    "a bomb in parts": (lambda: archive(**{str(n): b"0" * 2**21 for n in range(40)}), "The archive unpacks to more than 64 MiB"),
    "a bomb that lies": (lying_bomb, "unpacks to more than 64 MiB|is damaged"),
    "an archive in an archive": (lambda: archive(inner=archive(a=b"x")), "“inner” is an archive in the archive|is an archive in the archive"),
    "too many files": (lambda: archive(**{str(n): b"x" for n in range(51)}), "The archive holds 51 files; at most 50 are read at once"),
    "a damaged archive": (lambda: archive(a=b"x" * 100)[:40], "The archive is damaged"),
    "an empty archive": (lambda: archive(), "The archive holds no file"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_ARCHIVES)
def test_a_bad_archive_is_refused_as_a_whole(what: str, owner: Person) -> None:
    make, message = BAD_ARCHIVES[what]
    with pytest.raises(services.BadArchive, match=message):
        services.uploads_check(by=owner, name="evening.zip", raw=make())
    assert not Upload.objects.exists()


# Exports ------------------------------------------------------------------------------------------------------------


def test_a_full_export_sent_again_is_the_same_match(owner: Person) -> None:
    match = record(owner, sample("corrected_by_referee"), confirm=True)
    upload = check(owner, sight.match_export(match, "full", owner))
    assert (upload.report["again"], upload.report["findings"]) == (True, [])


@pytest.mark.parametrize("privacy", ["public", "hidden"])
@pytest.mark.parametrize("form", ["jsonl", "text", "csv", "full"])
def test_an_export_names_people_as_its_reader_may_know_them_and_is_still_the_same_match(
    form: str, privacy: str, league: League, owner: Person, bo: Person
) -> None:
    leagues.member_add(league=league, person=bo, by=owner, at=timezone.now())
    match = record(owner, at_league(sample("corrected_by_referee"), "winter", B="bo"))
    Person.objects.filter(pk=bo.pk).update(display_name="Boris Lindqvist", privacy=privacy)
    raw = sight.match_export(match, form, None)  # type: ignore[arg-type]
    assert (b"Bo Lindqvist" in raw) == (privacy == "public")
    assert (b"bo" in raw.replace(b"board", b"").replace(b"Bo", b"")) == (privacy == "public") or form == "full"
    assert check(owner, raw).report["again"] is True


def test_the_hashes_of_an_export_are_compared_and_ignored(owner: Person) -> None:
    match = record(owner, sample("corrected_by_referee"))
    header, *rows = lines(sight.match_export(match, "full", owner))
    rows[4]["recorded_at"] = "2020-01-01T00:00:00Z"
    raw = file([header, *rows])
    upload = check(owner, raw)
    assert upload.report["again"] is True
    assert [(row["seq"], row["kind"], row["message"]) for row in upload.report["findings"]] == [
        (5, "observed", "The hash here does not fit: this entry, or one before it, was changed after the file was exported. The hash is ignored."),
    ]  # fmt: skip


def test_an_export_is_restored_as_it_was_hashes_and_salts_included(
    owner: Person, as_owner_emptied: Callable[[], None]
) -> None:
    header, *rows = lines(sample("corrected_by_referee"))
    header["title"], rows[0]["note"] = "Winter evening", "late"
    match = record(owner, file([header, *rows]), confirm=True)
    before = [(row.seq, row.hash, row.event_id, row.by, row.recorded_at, row.data) for row in log.read(match.pk)]
    raw = sight.match_export(match, "full", owner)
    as_owner_emptied()
    owner = person("mirela", "Mirela Osei", "owner")
    back = services.match_restore(raw=raw, name="m.jsonl", by=owner)
    assert [(row.seq, row.hash, row.event_id, row.by, row.recorded_at, row.data) for row in log.read(back.pk)] == before
    assert log.verify(back.pk) is None
    assert selectors.match_log(back).header.title == "Winter evening"
    assert back.status == "confirmed"
    assert sight.match_export(back, "full", owner) == raw
    with pytest.raises(NotRecordable, match="is recorded here already"):
        services.match_restore(raw=raw, name="m.jsonl", by=owner)


@pytest.fixture
def as_owner_emptied(transactional_db: None) -> Callable[[], None]:
    def empty() -> None:
        from django.core.management import call_command

        call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)

    return empty


def test_a_changed_export_is_not_restored(owner: Person, ada: Person) -> None:
    match = record(owner, sample("corrected_by_referee"))
    raw = sight.match_export(match, "full", owner)
    changed = raw.replace(str(match.pk).encode(), str(uuid4()).encode())
    with pytest.raises(
        NotRecordable, match=r"Entry 0 does not fit its hash: the file was changed. Nothing was restored"
    ):
        services.match_restore(raw=changed, name="m.jsonl", by=owner)
    with pytest.raises(NotRecordable, match="no full export"):
        services.match_restore(raw=sight.match_export(match, "jsonl", owner), name="m.jsonl", by=owner)
    with pytest.raises(Forbidden):
        services.match_restore(raw=raw, name="m.jsonl", by=ada)


def test_a_blanked_text_is_not_in_an_export_and_the_export_still_verifies(owner: Person) -> None:
    header, *rows = lines(sample("corrected_by_referee"))
    header["title"] = "Winter evening"
    match = record(owner, file([header, *rows]))
    Text.objects.filter(stream=match.pk, field="title").update(text="", salt="", blanked_at=timezone.now())
    raw = sight.match_export(match, "full", owner)
    assert b"Winter" not in raw
    from matches import stored
    from matches.services import restoring

    parsed = notation.parse(raw)
    assert restoring.broken_link(parsed, stored.without_export(parsed.header)[1]) is None


# Large files and races ----------------------------------------------------------------------------------------------


def test_a_large_file_is_looked_at_in_a_job_that_tells_how_far_it_is(
    owner: Person, django_capture_on_commit_callbacks: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    from matches import jobs
    from matches.services import checking

    sent: list[UUID] = []
    monkeypatch.setattr(jobs, "send", sent.append)
    monkeypatch.setattr(checking, "LARGE", 50)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        upload = services.upload_check(by=owner, name="a.jsonl", raw=sample("legal_three_capes"), wait=False)
    assert upload.report is None
    assert sent == [upload.job_id]
    assert upload.job is not None
    assert upload.job.total == 66
    jobs.run(sent[0])
    upload.refresh_from_db()
    assert upload.report["findings"] == []
    job = Job.objects.get()
    assert (job.state, job.progress) == (Job.State.DONE, job.total)


def test_a_file_whose_replay_takes_too_long_is_given_up_and_says_so(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matches.services import checking

    monkeypatch.setattr(checking, "MOST_SECONDS", 0)
    upload = services.upload_check(by=owner, name="a.jsonl", raw=sample("legal_three_capes"))
    assert "given up at event 65 of 65" in upload.report["unreadable"]
    assert not any(upload.report["may"].values())


def at_once(*works: Callable[[], object]) -> list[object]:
    results: list[object] = [None] * len(works)
    gate = threading.Barrier(len(works))

    def run(number: int) -> None:
        try:
            gate.wait(20)
            results[number] = works[number]()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[number]) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def send_twice_at_once(by: Person) -> list[object]:
    uploads = [check(by, sample("legal_three_capes")) for _ in range(2)]
    return at_once(*[lambda u=upload: services.upload_record(upload=u, by=by) for upload in uploads])


@pytest.mark.django_db(transaction=True)
def test_the_same_file_sent_twice_at_once_is_one_match(owner: Person) -> None:
    one, two = send_twice_at_once(owner)
    assert isinstance(one, Match)
    assert one == two
    assert Match.objects.count() == 1
    assert log.verify(one.pk) is None
    assert Person.objects.filter(account=None).count() == 3  # the guests were made once


@pytest.mark.django_db(transaction=True)
def test_without_an_identity_that_follows_from_the_content_it_would_be_two(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matches.services import checking

    monkeypatch.setattr(checking, "_read_lately", OrderedDict())
    monkeypatch.setattr(checking, "MOST_REMEMBERED", 0)
    monkeypatch.setattr(notation, "match_id", lambda _log: uuid4())
    one, two = send_twice_at_once(owner)
    assert one != two
    assert Match.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_without_the_lock_the_second_of_two_would_end_in_an_error(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matches.services import recording

    gate = threading.Barrier(2)

    def no_lock(_name: str) -> None:
        gate.wait(20)

    monkeypatch.setattr(recording, "lock", no_lock)
    results = send_twice_at_once(owner)
    assert sorted(isinstance(one, Match) for one in results) == [False, True]
    assert Match.objects.count() == 1


def test_a_log_without_lines_is_a_match_that_runs(owner: Person) -> None:
    match = record(owner, HEADER)
    assert (match.status, match.seq) == ("running", 0)


def test_a_result_without_moves_is_recorded_too(owner: Person, ada: Person, bo: Person) -> None:
    log_ = Log(
        replace(
            notation.parse(HEADER).header,
            game="catan",
            rules=None,
            depth="score",
            options={},
            seats=(Seat("A", player="ada"), Seat("B", player="bo")),
        ),
        (),
    )
    raw = (
        notation.write(log_, "jsonl")
        + b'{"seq": 1, "type": "result_recorded", "data": {"rows": [{"seat": "A", "place": 2}, {"seat": "B", "place": 1}]}}\n'
    )
    match = record(owner, raw, confirm=True)
    assert (match.depth, match.status, match.edition) == ("score", "confirmed", "")
    assert [(seat.seat, seat.place) for seat in match.seats.all()] == [("A", 2), ("B", 1)]
