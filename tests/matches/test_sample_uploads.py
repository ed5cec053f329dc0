"""Kingsburg and Robber Knights through the front door: each sample in each form, with the findings named by their rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matches import services
from people.models import Person
from rulesengine import notation

pytestmark = pytest.mark.django_db

HERE = Path(__file__).resolve().parent.parent / "rulesengine"
SAMPLES = [
    *(("kingsburg", name) for name in ("legal", "corrected", "findings")),
    *(("robberknights", name) for name in ("whole-match", "referee-correction", "findings")),
]
NAMES = {"jsonl": "evening.jsonl", "text": "evening.log.txt", "csv": "evening.csv"}


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize(("game", "name"), SAMPLES)
def test_a_sample_is_checked_alike_in_every_form(game: str, name: str, form: Any, owner: Person) -> None:
    raw = (HERE / game / "samples" / f"{name}.jsonl").read_bytes()
    expected = json.loads((HERE / game / "samples" / f"{name}.expected.json").read_text())
    file = raw if form == "jsonl" else notation.write(notation.parse(raw), form)
    report = services.upload_check(by=owner, name=NAMES[form], raw=file).report
    # A signature in a file is told apart: the players sign on the page of the match.
    rows = [row for row in report["findings"] if row["type"] not in ("result_signed", "result_disputed")]
    told = [{key: row[key] for key in ("seq", "rule", "kind")} for row in rows]
    assert told == [{key: row[key] for key in ("seq", "rule", "kind")} for row in expected["findings"]]
    assert (report["status"], report["placements"]) == (expected["status"], expected["placements"])
