"""KingSquare through the front door: each sample in each form, with the findings named by their rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from matches import log, selectors, services
from matches.models import Match, Upload
from people.models import Person
from rulesengine import notation, replay

pytestmark = pytest.mark.django_db

SAMPLES = Path(__file__).resolve().parent.parent / "rulesengine" / "notation" / "samples"
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
