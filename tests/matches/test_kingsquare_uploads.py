"""KingSquare through the front door: each sample in each form, with the findings named by their rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from matches import log, selectors, services
from matches.models import Match, Text, Upload
from people.models import Person
from rulesengine import notation, replay
from rulesengine.log import Log

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).resolve().parent.parent / "rulesengine" / "notation" / "samples"
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "kingsquare" / "chips_of_ten.log.txt"
NAMES = {"jsonl": "evening.jsonl", "text": "evening.log.txt", "csv": "evening.csv"}
FINDINGS = [
    (12, "KS-40", "irregular"),
    (14, "KS-21", "irregular"),
    (24, "KS-28", "irregular"),
    (38, "KS-18", "irregular"),
    (54, "KS-19", "irregular"),
    (57, "KS-71", "irregular"),
    (67, "U-7", "impossible"),
    (68, "U-1", "impossible"),
    (69, "KSH-80", "observed"),
]


def sample(name: str, form: str) -> bytes:
    raw = (SAMPLES / f"kingsquare-{name}.jsonl").read_bytes()
    return raw if form == "jsonl" else notation.write(notation.parse(raw), form)  # type: ignore[arg-type]


def checked(by: Person, name: str, form: str) -> Upload:
    return services.upload_check(by=by, name=NAMES[form], raw=sample(name, form))


@pytest.mark.parametrize("form", NAMES)
def test_a_legal_match_is_recorded_from_every_form(form: str, owner: Person) -> None:
    upload = checked(owner, "legal", form)
    assert upload.report["findings"] == []
    match = services.upload_record(upload=upload, by=owner)
    assert (match.game, match.edition, match.status, match.seq) == ("kingsquare", "KS-V5", "confirmed", 143)
    assert [(seat.seat, seat.place) for seat in match.seats.all()] == [("A", 2), ("B", 1)]
    assert log.verify(match.pk) is None
    stored = replay.run(selectors.match_log(match))
    plain = replay.run(notation.parse(sample("legal", "jsonl")))
    assert stored.ruleset.view(stored.state) == plain.ruleset.view(plain.state)


def test_the_three_forms_are_one_match(owner: Person) -> None:
    for form in NAMES:
        services.upload_record(upload=checked(owner, "legal", form), by=owner)
    assert Match.objects.count() == 1


@pytest.mark.parametrize("form", NAMES)
def test_what_the_rules_forbid_is_shown_with_the_rule_in_every_form(form: str, owner: Person) -> None:
    found = checked(owner, "findings", form).report["findings"]
    assert [(row["seq"], row["rule"], row["kind"]) for row in found] == FINDINGS
    assert all(row["message"] for row in found)


@pytest.mark.parametrize("form", NAMES)
def test_a_referees_correction_is_the_referees_to_record(form: str, ada: Person) -> None:
    report = checked(ada, "corrected", form).report
    assert [row for row in report["findings"] if row["kind"] in ("irregular", "impossible", "observed")] == []
    assert {row["seq"] for row in report["findings"]} >= {64, 65, 66}


def test_what_a_header_says_of_a_kingdom_is_stored_with_the_match(owner: Person) -> None:
    log_ = notation.parse(GOLDEN.read_bytes(), name="chips_of_ten.log.txt")
    first, second = log_.header.seats
    header = replace(
        log_.header, seats=(replace(first, king_level=4, custom_pieces=True), replace(second, king_level=4))
    )
    kept = [line for line in log_.lines if line.type != "king_level_recorded"]
    plain = Log(header, tuple(replace(line, seq=seq) for seq, line in enumerate(kept, 1)))
    upload = services.upload_check(by=owner, name="evening.jsonl", raw=notation.write(plain, "jsonl"))
    assert upload.report["findings"] == []
    stored = selectors.match_log(services.upload_record(upload=upload, by=owner))
    assert [(seat.king_level, seat.custom_pieces) for seat in stored.header.seats] == [(4, True), (4, None)]
    there = replay.run(stored)
    assert there.placements == replay.run(plain).placements
    assert [one.king.level for one in replay.run(stored, at=0).state.kingdoms.values()] == [4, 4]


def test_a_general_is_stored_by_handle_and_named_beside_the_log(owner: Person) -> None:
    raw = GOLDEN.with_name("two_generals.log.txt").read_bytes()
    upload = services.upload_check(by=owner, name="evening.log.txt", raw=raw)
    match = services.upload_record(upload=upload, by=owner)
    assert b"Castell" not in b"".join(row.data for row in log.read(match.pk))
    assert selectors.match_log(match).header.seats[0].general == {"name": "Dee Castell", "player": "dee"}
    assert replay.run(selectors.match_log(match), at=0).state.kingdoms["A"].general_person == "dee"


def test_another_general_or_kings_level_in_the_header_is_another_version_of_the_match(owner: Person) -> None:
    raw = GOLDEN.with_name("two_generals.log.txt").read_bytes()
    log_ = notation.parse(raw.replace(b"[Log", b"[Id 0c3f2f7e-6a57-4f0e-9d8c-0d8d35b9a001]\n[Log"), name="a.log.txt")
    services.upload_record(
        upload=services.upload_check(by=owner, name="a.jsonl", raw=notation.write(log_, "jsonl")), by=owner
    )
    first, second = log_.header.seats
    other = replace(log_, header=replace(log_.header, seats=(replace(first, general={"name": "Gil Roe"}), second)))
    upload = services.upload_check(by=owner, name="b.jsonl", raw=notation.write(other, "jsonl"))
    assert not upload.report["again"]
    assert upload.report["different"]


def test_the_name_of_an_appointed_general_is_a_text_beside_the_log_and_a_seats_letter_is_none(owner: Person) -> None:
    raw = GOLDEN.with_name("the_long_table.log.txt").read_bytes()
    log_ = notation.parse(raw, name="the_long_table.log.txt")
    kept = [line for line in log_.lines if line.type not in ("result_signed", "placements_confirmed")]
    unsigned = replace(log_, lines=tuple(replace(line, seq=seq) for seq, line in enumerate(kept, 1)))
    upload = services.upload_check(by=owner, name="evening.jsonl", raw=notation.write(unsigned, "jsonl"))
    match = services.upload_record(upload=upload, by=owner)
    rows = {row.type: row.data for row in log.read(match.pk)}
    assert not any(b"Rex Iro" in row.data for row in log.read(match.pk))
    assert b'"C"' in rows["kingdom_forfeited"]
    told = replay.run(selectors.match_log(match))
    assert [one.person for one in told.ruleset.offices(told.carried)] == ["gil", "Rex Iro"]
    Text.objects.filter(stream=match.pk, text__in=("gil", "Rex Iro")).update(text="", blanked_at=match.created_at)
    blanked = replay.run(selectors.match_log(match))
    assert (blanked.findings, blanked.result) == (told.findings, told.result)
    persons = [one.person for one in blanked.ruleset.offices(blanked.carried)]
    assert all(person.startswith("[blanked]") for person in persons)
    assert len(set(persons)) == 2
