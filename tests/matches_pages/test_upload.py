from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import League
from matches import services
from matches.models import Match, Upload
from people.models import Person
from rulesengine import notation
from rulesengine.play import play
from tests.matches_pages import logs
from tests.matches_pages.conftest import SignIn, league_header, person, recorded
from tests.matches_pages.test_detail import HTMX, text

pytestmark = pytest.mark.django_db


def send(client: Client, *files: bytes | tuple[str, bytes], htmx: bool = False) -> str:
    """Return the page after files were sent to be checked."""
    named = [one if isinstance(one, tuple) else ("match.jsonl", one) for one in files]
    data = {"files": [SimpleUploadedFile(name, raw) for name, raw in named]}
    response = client.post("/upload", data, follow=not htmx, **(HTMX if htmx else {}))
    assert response.status_code in (200, 400, 422), response.content.decode()[:1500]
    return response.content.decode()


def only_upload() -> Upload:
    return Upload.objects.get()


def act(client: Client, upload: Upload, act_: str, status: int = 302, *, htmx: bool = False, **more: str) -> str:
    response = client.post(f"/upload/{upload.pk}/act", {"act": act_, **more}, **(HTMX if htmx else {}))
    assert response.status_code == status, response.content.decode()[:3000]
    return response["Location"] if status == 302 else response.content.decode()


def irregular(**more: Any) -> bytes:
    events = list(logs.ROUNDS)
    events[1] = ("unit_recruited", "A", {"building": "b1", "type": "knights"})
    return logs.file(league_header(**more), events)


def test_a_stranger_is_sent_to_sign_in(client: Client) -> None:
    assert client.get("/upload")["Location"].startswith("/accounts/login/")
    assert client.get("/desk")["Location"].startswith("/accounts/login/")


def test_a_clean_file_is_reported_on_and_nothing_is_stored(
    browser: SignIn, organizer: Person, ada: Person, bo: Person
) -> None:
    said = text(send(browser(organizer), logs.file(league_header())))
    assert "No findings" in said
    assert "22 in the file, 22 accepted" in said
    assert "1. Ada Moreau, 2. Bo Lindqvist" in said
    assert "Winter League" in said
    assert "@ada, by the handle in the file" in said
    assert "Record and confirm" in said
    assert not Match.objects.exists()


def test_the_report_comes_in_place_with_htmx(browser: SignIn, organizer: Person) -> None:
    got = send(browser(organizer), logs.file(), htmx=True)
    assert got.lstrip().startswith('<div id="reports"')
    assert 'id="my-uploads" aria-labelledby="mine" hx-swap-oob="true"' in got
    assert "match.jsonl" in got.partition('id="my-uploads"')[2]


def test_without_javascript_the_report_has_an_address_of_its_own(browser: SignIn, organizer: Person) -> None:
    client = browser(organizer)
    response = client.post("/upload", {"files": SimpleUploadedFile("match.jsonl", logs.file())})
    assert response.status_code == 302
    assert "No findings" in text(client.get(response["Location"]).content.decode())


def test_findings_stand_by_line_with_their_rule_and_followers_folded(browser: SignIn, organizer: Person) -> None:
    got = send(browser(organizer), logs.faulty())
    assert 'href="/codex/hexwar/hexwar-1#HWH-19"' in got
    said = text(got)
    assert "Line 3 entry 2 unit_recruited seat A" in said
    assert "Possible instead: one of peasant" in said
    assert "7 more findings would vanish if this line were accepted" in said
    assert got.count('<li class="finding"') == 1


def test_a_file_full_of_findings_says_where_to_begin(browser: SignIn, organizer: Person) -> None:
    rows = notation.write(play("robberknights", seed=3, seats=3), "jsonl").splitlines(keepends=True)
    line = next(number for number, row in enumerate(rows) if b'"tile_placed"' in row)
    rows[line] = re.sub(rb'"tile":"..","x"', b'"tile":"E5","x"', rows[line])  # not in the hand
    client = browser(organizer)
    said = text(send(client, b"".join(rows)))
    assert f"Begin with line {line + 1}, and check again" in said
    assert "Possible instead: A1 or A4 from the hand" in said
    assert "Begin with line" not in text(send(client, b"".join(rows[: line + 3])))


def test_seqs_of_the_file_and_stored_seqs_are_both_shown(browser: SignIn, organizer: Person) -> None:
    events = list(logs.ROUNDS)
    events.insert(3, ("turn_started", None, {"seat": "B", "round": 1}))
    events[6] = ("unit_recruited", "B", {"building": "b2", "type": "knights"})
    said = text(send(browser(organizer), logs.file(events=events)))
    assert "entry 7 of the file, 6 once stored" in said
    assert "Lines that only spell out what the engine computes are not stored" in said


def test_recording_leads_to_the_match(browser: SignIn, organizer: Person, ada: Person, bo: Person) -> None:
    client = browser(organizer)
    send(client, logs.file(league_header()))
    url = act(client, only_upload(), "record")
    match = Match.objects.get()
    assert url == f"/matches/{match.pk}"
    assert match.status == "ended"
    assert {seat.person for seat in match.seats.all()} == {ada, bo}
    assert "Recorded. This is the match." in text(client.get(url).content.decode())


def test_record_and_confirm_confirms(browser: SignIn, organizer: Person, ada: Person, bo: Person) -> None:
    client = browser(organizer)
    send(client, logs.file(league_header()))
    act(client, only_upload(), "confirm")
    assert Match.objects.get().status == "confirmed"


def test_with_htmx_the_card_says_that_it_is_recorded_and_links(browser: SignIn, organizer: Person) -> None:
    client = browser(organizer)
    send(client, logs.file(league_header()))
    got = act(client, only_upload(), "record", 200, htmx=True)
    assert got.lstrip().startswith("<article")
    assert f'href="/matches/{Match.objects.get().pk}"' in got


def test_only_who_may_confirm_is_offered_it(browser: SignIn, scribe: Person, ada: Person, bo: Person) -> None:
    said = text(send(browser(scribe), logs.file(league_header())))
    assert " Record " in said
    assert "Record and confirm" not in said
    act(browser(scribe), only_upload(), "confirm", 403)
    assert not Match.objects.exists()


def test_a_person_without_rights_in_the_league_can_only_send_it_to_the_referees(
    browser: SignIn, league: League, stranger: Person, ada: Person, bo: Person
) -> None:
    got = send(browser(stranger), logs.file(league_header()))
    said = text(got)
    assert "You may not record this yourself" in said
    assert "Recording a match here is for: Player of it (own friendly match), Scribe" in said
    assert 'value="record"' not in got
    assert 'value="hold"' in got


def test_seats_without_a_handle_are_picked_or_become_guests_and_never_matched_by_name(
    browser: SignIn, organizer: Person, ada: Person, bo: Person
) -> None:
    client = browser(organizer)
    seats = [{"seat": "A", "name": "Ada Moreau"}, {"seat": "B", "name": "Bo Lindqvist"}]
    got = send(client, logs.file(league_header(seats=seats)))
    assert got.count("selected>A new guest") == 2
    upload = only_upload()
    act(client, upload, "record", seat_A=str(ada.pk), seat_B="guest")
    one, other = Match.objects.get().seats.order_by("seat")
    assert one.person == ada
    assert other.person != bo
    assert other.person is not None
    assert other.person.is_guest


def test_nobody_outside_the_list_can_be_picked_for_a_seat(browser: SignIn, organizer: Person, stranger: Person) -> None:
    client = browser(organizer)
    seats = [{"seat": "A", "name": "Ada"}, {"seat": "B", "name": "Bo"}]
    send(client, logs.file(league_header(seats=seats)))
    said = text(act(client, only_upload(), "record", 422, seat_A=str(stranger.pk)))
    assert "is nobody whom you can pick for a seat here" in said
    assert not Match.objects.exists()


def test_irregular_lines_stand_only_with_a_reason(browser: SignIn, organizer: Person, ada: Person, bo: Person) -> None:
    client = browser(organizer)
    said = text(send(client, irregular()))
    assert "Irregular lines" in said
    assert "Accept these lines and record" in said
    upload = only_upload()
    assert "Irregular lines stand only with a reason" in text(act(client, upload, "record", 422))
    assert not Match.objects.exists()
    url = act(client, upload, "record", reason="The table agreed.")
    said = text(client.get(f"{url}?at=2").content.decode())
    assert "Irregular, accepted by entry 23" in said
    assert "The referee lets these irregular entries stand: 2: The table agreed." in text(
        client.get(f"{url}?at=23").content.decode()
    )


def test_irregular_lines_are_sent_to_the_referees_who_decide(
    browser: SignIn, scribe: Person, referee: Person, ada: Person, bo: Person
) -> None:
    client = browser(scribe)
    got = send(client, irregular())
    assert "Send to the referees" in text(got)
    assert 'value="record"' not in got
    upload = only_upload()
    act(client, upload, "hold", reason="They all saw the Knights.")
    assert "Held for the referees" in text(client.get(f"/upload/{upload.pk}").content.decode())
    desk = text(browser(referee).get("/desk").content.decode())
    assert "match.jsonl Hal Iversen" in desk
    assert "They all saw the Knights." in desk
    said = text(browser(referee).get(f"/upload/{upload.pk}").content.decode())
    assert "Accept these lines and record" in said
    act(browser(referee), upload, "record", reason="Agreed at the table.")
    assert Match.objects.get().status == "ended"


def test_an_upload_is_seen_by_nobody_else(browser: SignIn, scribe: Person, ada: Person, referee: Person) -> None:
    send(browser(scribe), irregular())
    upload = only_upload()
    assert browser(ada).get(f"/upload/{upload.pk}").status_code == 404
    assert browser(referee).get(f"/upload/{upload.pk}").status_code == 404
    act(browser(referee), upload, "record", 404)
    act(browser(scribe), upload, "hold")
    assert browser(ada).get(f"/upload/{upload.pk}").status_code == 403
    act(browser(ada), upload, "drop", 403)
    assert browser(referee).get(f"/upload/{upload.pk}").status_code == 200


def test_the_same_match_again_says_so_and_links_to_it(browser: SignIn, organizer: Person, match: Match) -> None:
    Upload.objects.all().delete()
    got = send(
        browser(organizer),
        ("again.csv", notation.write(notation.parse(logs.file(league_header()), name="a.jsonl"), "csv")),
    )
    assert "This match is recorded already" in text(got)
    assert f'href="/matches/{match.pk}"' in got
    assert 'value="record"' not in got


def changed(match: Match) -> bytes:
    events = list(logs.ROUNDS)
    events[12] = ("unit_recruited", "B", {"building": "b2", "type": "archers"})
    return logs.file(league_header(id=str(match.pk)), events)


def test_another_version_shows_the_difference_to_who_may_correct(
    browser: SignIn, organizer: Person, referee: Person, match: Match
) -> None:
    got = send(browser(referee), changed(match))
    said = text(got)
    assert "Another version of this match is recorded" in said
    assert "peasant" in said
    assert "archers" in said
    assert "Correct the recorded match entry by entry" in said
    assert 'value="record"' not in got


def test_another_version_shows_no_difference_to_others(browser: SignIn, scribe: Person, match: Match) -> None:
    said = text(send(browser(scribe), changed(match)))
    assert "The difference is shown only to those who may correct the match." in said
    assert "archers" not in said


def test_several_files_and_a_zip_are_checked_each_by_itself(browser: SignIn, organizer: Person) -> None:
    packed = io.BytesIO()
    log = notation.parse(logs.file(logs.header(played_on="2026-11-02")), name="a.jsonl")
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("evening/one.log.txt", notation.write(log, "text"))
        archive.writestr("evening/two.csv", notation.write(notation.parse(logs.file(), name="a.jsonl"), "csv"))
        archive.writestr("__MACOSX/._two.csv", b"x")
    said = text(send(browser(organizer), ("three.jsonl", logs.faulty()), ("evening.zip", packed.getvalue())))
    for name in ("three.jsonl", "one.log.txt", "two.csv"):
        assert name in said
    assert said.count("No findings") == 2


def test_my_uploads_are_listed_with_what_became_of_them(browser: SignIn, organizer: Person, scribe: Person) -> None:
    client = browser(organizer)
    assert "None yet." in text(client.get("/upload").content.decode())
    send(client, ("checked.jsonl", logs.file()))
    send(client, ("recorded.jsonl", logs.file(logs.header(played_on="2026-11-03"))))
    act(client, Upload.objects.get(name="recorded.jsonl"), "record")
    said = text(client.get("/upload").content.decode())
    assert re.search(r"recorded\.jsonl .{0,30}Recorded", said)
    assert re.search(r"checked\.jsonl .{0,30}Checked", said)
    assert "checked.jsonl" not in text(browser(scribe).get("/upload").content.decode())


def test_a_dropped_file_is_gone(browser: SignIn, organizer: Person) -> None:
    client = browser(organizer)
    send(client, logs.file())
    upload = only_upload()
    act(client, upload, "drop")
    assert client.get(f"/upload/{upload.pk}").status_code == 404
    act(client, upload, "record", 404)


def test_a_file_that_names_no_league_is_recorded_in_the_one_chosen(
    browser: SignIn, organizer: Person, league: League, ada: Person, bo: Person
) -> None:
    client, raw = browser(organizer), logs.file(league_header(context=None))
    assert f'<option value="{league.pk}">Winter League</option>' in client.get("/upload").content.decode()
    sent = {"files": SimpleUploadedFile("match.jsonl", raw), "league": str(league.pk)}
    assert "Played in Winter League" in text(client.post("/upload", sent, follow=True).content.decode())
    act(client, only_upload(), "record")
    match = Match.objects.get()
    assert match.league == league.pk
    assert all(seat.linked for seat in match.seats.all())
    assert "This match is recorded already" in text(send(client, ("again.jsonl", raw)))


def test_only_a_league_of_ones_own_can_be_chosen(browser: SignIn, stranger: Person, league: League) -> None:
    client = browser(stranger)
    assert "Winter League" not in client.get("/upload").content.decode()
    sent = {"files": SimpleUploadedFile("match.jsonl", logs.file()), "league": str(league.pk)}
    assert "Played in Friendly, no league" in text(client.post("/upload", sent, follow=True).content.decode())


def test_nothing_is_done_for_an_act_that_is_none(browser: SignIn, organizer: Person) -> None:
    client = browser(organizer)
    send(client, logs.file())
    assert "Say what is to be done" in text(act(client, only_upload(), "burn", 400))


def test_no_file_or_too_many_are_told(browser: SignIn, organizer: Person) -> None:
    client = browser(organizer)
    assert "No file was sent" in text(client.post("/upload", {}).content.decode())
    assert "At most 50 files" in text(send(client, *[("a.jsonl", b"x")] * 51))


def test_a_large_file_is_checked_by_a_worker_and_shows_how_far_it_is(
    browser: SignIn, organizer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.services.checking.LARGE", 10)
    client = browser(organizer)
    got = send(client, logs.file(league_header()))
    assert "<progress" in got
    assert 'hx-trigger="every 1s"' in got
    upload = only_upload()
    from matches import jobs

    assert upload.job_id
    jobs.run(upload.job_id)
    said = text(client.get(f"/upload/{upload.pk}", **HTMX).content.decode())
    assert "No findings" in said


def test_the_page_asks_the_same_number_of_questions_for_one_file_and_for_five(
    browser: SignIn, organizer: Person
) -> None:
    client = browser(organizer)
    counts = []
    for number in (1, 5):
        ids = [
            str(
                services.upload_check(
                    by=organizer, name=f"{day}.jsonl", raw=logs.file(league_header(played_on=f"2026-11-{number}{day}"))
                ).pk
            )
            for day in range(number)
        ]
        client.get("/upload")
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/upload?shown={','.join(ids)}").status_code == 200
        counts.append(len(asked))
    assert counts[1] - counts[0] <= 4 * 4, counts


# Bad input ------------------------------------------------------------------------------------------------------------


def deep(levels: int) -> bytes:
    line = '{"seq": 1, "type": "turn_ended", "seat": "A", "data": ' + '{"a":' * levels + "1" + "}" * levels + "}"
    return logs.file(events=()) + line.encode()


def lines_of(raw: bytes) -> list[str]:
    return raw.decode().splitlines()


def with_line(number: int, change: Callable[[str], str]) -> bytes:
    lines = lines_of(logs.file())
    lines[number] = change(lines[number])
    return "\n".join(lines).encode()


BAD: dict[str, tuple[bytes, str]] = {
    "an empty file": (b"", "empty"),
    "not a log": (b"Dear Annals,\nwe played on Saturday.\n", "log"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "log"),
    "another version": (logs.file(logs.header(log="annals/9")), "annals/1"),
    "an unknown game": (logs.file(logs.header(game="ludo", rules=None)), "ludo"),
    "an unknown edition": (logs.file(logs.header(rules="hexwar-99")), "hexwar-99"),
    "a line of a MiB": (with_line(3, lambda line: line[:-1] + ', "note": "' + "x" * 2**20 + '"}'), "64 KiB"),
    "ten thousand levels": (deep(10_000), "deep"),
    "not a number": (with_line(1, lambda line: line.replace('"u1"', "NaN")), "NaN"),
    "a number too large": (with_line(1, lambda line: line.replace("[-1, 0]", f"[1{'0' * 400}, 0]")), "is too large; whole numbers"),
    "a key twice": (with_line(1, lambda line: line.replace('"seq": 1', '"seq": 1, "seq": 1')), "twice"),
    "a gap in the seqs": (with_line(5, lambda line: line.replace('"seq": 5', '"seq": 7')), "seq"),
    "an unknown key": (with_line(2, lambda line: line.replace('"seat"', '"mood": 1, "seat"')), "mood"),
    "a log cut in the middle": (logs.file()[:-25], "line 23"),
    "events after the end": (logs.file(events=[*logs.ROUNDS, ("turn_ended", "A", {})]), "HWH-42"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_on_the_page(name: str, browser: SignIn, organizer: Person) -> None:
    raw, words = BAD[name]
    got = send(browser(organizer), raw)
    said = text(got)
    assert words.lower() in said.lower(), said[:3000]
    assert 'value="record"' not in got
    assert not Match.objects.exists()


def test_encodings_and_line_ends_of_spreadsheets_are_read(browser: SignIn, organizer: Person) -> None:
    table = notation.write(notation.parse(logs.file(), name="a.jsonl"), "csv").decode("utf-8-sig")
    for name, raw in {
        "utf-16.csv": table.encode("utf-16"),
        "bom.csv": b"\xef\xbb\xbf" + table.encode(),
        "crlf.csv": table.replace("\r\n", "\n").replace("\n", "\r\n").encode(),
    }.items():
        assert "No findings" in text(send(browser(organizer), (name, raw))), name


def test_cr_only_line_ends_get_an_answer(browser: SignIn, organizer: Person) -> None:
    said = text(send(browser(organizer), logs.file().replace(b"\n", b"\r")))
    assert "No findings" in said or "cannot be read" in said or "can be read" in said


def test_a_file_of_65_mib_is_refused_with_the_limit(browser: SignIn, organizer: Person) -> None:
    said = text(send(browser(organizer), b"x" * (65 * 2**20)))
    assert "64 MiB" in said.split("My uploads")[0].split("Check", 1)[1]


def test_a_zip_bomb_is_refused(browser: SignIn, organizer: Person) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.jsonl", b"0" * (70 * 2**20))
    said = text(send(browser(organizer), ("bomb.zip", packed.getvalue())))
    assert "unpacks to more than 64 MiB" in said
    assert not Upload.objects.exists()


def test_event_ids_of_another_match_are_told(browser: SignIn, organizer: Person) -> None:
    id_ = str(uuid.uuid4())
    events = list(logs.ROUNDS)
    events[0] = (*logs.ROUNDS[0][:3], {"id": id_})
    first = recorded(organizer, logs.file(events=events))
    got = send(browser(organizer), logs.file(logs.header(played_on="2026-11-05"), events))
    said = text(got)
    assert f"belongs to entry 1 of another match ({first.pk})" in said
    assert 'value="record"' not in got


def test_the_id_of_a_leagues_stream_is_no_match(browser: SignIn, organizer: Person) -> None:
    from django.utils import timezone

    from league.services import league_open

    owner = person("olga", "Olga Renn")
    from people.models import Grant

    Grant.objects.create(person=owner, role="owner", scope="site")
    spring = league_open(
        slug="spring", name="Spring League", timezone="UTC", appeal_hours=72, by=owner, at=timezone.now()
    )
    got = send(browser(organizer), logs.file(logs.header(id=str(spring.pk))))
    assert "is that of a league, not of a match" in text(got)
    assert 'value="record"' not in got


def test_a_file_that_claims_to_be_the_referee_gives_no_rights(
    browser: SignIn, scribe: Person, ada: Person, bo: Person
) -> None:
    events = [
        *logs.ROUNDS,
        ("penalty_given", None, {"seat": "B", "kind": "warning", "reason": "late"}, {"as": "referee"}),
    ]
    got = send(browser(scribe), logs.file(league_header(), events))
    said = text(got)
    assert "You may not record this: “give a penalty” is for" in said
    assert "What the line says of itself gives no rights" in said
    assert 'value="record"' not in got
    events = [*logs.ROUNDS, ("event_voided", None, {"target_seq": 3, "reason": "so"}, {"as": "referee"})]
    assert "is for Referee" in text(send(browser(scribe), ("b.jsonl", logs.file(league_header(), events))))


def test_names_of_files_are_escaped_and_lose_their_folders(browser: SignIn, organizer: Person) -> None:
    got = send(browser(organizer), ("<img src=x>.jsonl", logs.file()))
    assert "<img src=x>" not in got


def test_a_report_as_json_stands_behind_the_page(browser: SignIn, organizer: Person) -> None:
    send(browser(organizer), logs.faulty())
    report = only_upload().report
    assert report is not None
    assert {"findings", "may", "seats"} <= set(json.loads(json.dumps(report)))


def test_a_handle_written_with_its_sign_is_shown_with_one(browser: SignIn, organizer: Person, ada: Person) -> None:
    seats = [{"seat": "A", "name": "Ada Moreau", "player": "@ada"}, {"seat": "B", "name": "X", "player": "@nobody"}]
    said = text(send(browser(organizer), logs.file(league_header(seats=seats))))
    assert "@ada, by the handle in the file" in said
    assert "Nobody here has the handle @nobody." in said
    assert "@@" not in said


def test_what_was_recorded_says_whether_it_counts(browser: SignIn, organizer: Person, ada: Person, bo: Person) -> None:
    client = browser(organizer)
    send(client, logs.file(league_header()))
    assert "it counts once its placements are confirmed" in text(act(client, only_upload(), "record", 200, htmx=True))
    Upload.objects.all().delete()
    send(client, logs.file(league_header(title="Another")))
    assert "Recorded and confirmed" in text(act(client, only_upload(), "confirm", 200, htmx=True))


def test_the_desk_is_in_the_navigation_of_those_who_decide(
    browser: SignIn, referee: Person, organizer: Person, stranger: Person
) -> None:
    for one in (referee, organizer):
        assert '<li><a href="/desk">Desk</a></li>' in browser(one).get("/").content.decode()
    assert '"/desk"' not in browser(stranger).get("/").content.decode()
