"""The program of docs/verify.md, run as an outsider runs it, agrees with ours."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import timezone

from matches import log, services, sight
from matches.models import Match, Text
from people.models import Person
from tests.conftest import ROOT
from tests.matches.test_uploads import file, lines, record, sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "verify.md").read_text(), re.DOTALL)
    path = tmp_path / "verify.py"
    path.write_text(code)
    return path


@pytest.fixture
def match(owner: Person) -> Match:
    """A match with everything that an entry may have: texts, notes, moments, ids, corrections, letters of all kinds."""
    header, *rows = lines(sample("corrected_by_referee"))
    header["title"] = "Winter “evening” – 冬の夜 💡"
    header["context"] = {"venue": "Zur Brücke", "table": 4, "💡": 1, "ﬃ": 2}
    header["seats"][0]["colour"] = "red"  # type: ignore[index]
    header["seats"][0]["kingdom"] = "Nørth"  # type: ignore[index]
    header["seats"][1]["general"] = "Gil Roe"  # type: ignore[index]
    rows[0] |= {"note": 'she said "no"\n\tand then yes \\', "at": "2026-11-28T14:03:22.5-06:00"}
    rows[1] |= {"at": "2026-11-28T14:04", "id": "0193B2F0-5C0E-7A31-9C55-0D7C2B1F4A10"}
    match = record(owner, file([header, *rows]), confirm=True)
    return services.penalty_give(match=match, seat="A", kind="warning", reason="slow play", by=owner)


def run(program: Path, raw: bytes) -> subprocess.CompletedProcess[str]:
    path = program.parent / "match.full.jsonl"
    path.write_bytes(raw)
    return subprocess.run([sys.executable, "-I", str(program), str(path)], capture_output=True, text=True, check=False)


def test_the_program_finds_a_whole_chain_whole_and_ends_at_our_hash(program: Path, match: Match, owner: Person) -> None:
    done = run(program, sight.match_export(match, "full", owner))
    assert done.stdout == f"whole: {match.seq + 1} entries, the last hash is {bytes(match.head_hash).hex()}\n", (
        done.stderr
    )
    assert log.verify(match.pk) is None


def test_a_stranger_who_may_not_know_the_names_verifies_the_same_chain(program: Path, match: Match) -> None:
    Person.objects.update(privacy=Person.Privacy.HIDDEN)
    raw = sight.match_export(match, "full", None)
    assert b"Moreau" not in raw
    assert run(program, raw).returncode == 0


def test_a_blanked_text_leaves_the_chain_whole(program: Path, match: Match) -> None:
    Text.objects.filter(stream=match.pk).update(text="", salt="", blanked_at=timezone.now())
    assert run(program, sight.match_export(match, "full", None)).returncode == 0


@pytest.mark.parametrize("what", ["type", "data", "by", "recorded_at", "note", "missing", "title", "seat"])
def test_the_program_names_the_entry_that_was_changed(what: str, program: Path, match: Match, owner: Person) -> None:
    rows = lines(sight.match_export(match, "full", owner))
    seq = 0 if what == "title" else 1
    if what == "missing":
        del rows[1]
    elif what == "data":
        rows[1]["data"] = {"unit": "u9"}
    elif what == "by":
        rows[1]["by"] = None
    elif what == "seat":
        rows[1]["seat"] = "B"
    else:
        rows[seq][what] = {"recorded_at": "2026-11-28T14:03:22Z"}.get(what, "other")
    done = run(program, file(rows))
    assert (done.returncode, done.stderr) == (1, f"broken at entry {seq}\n")
