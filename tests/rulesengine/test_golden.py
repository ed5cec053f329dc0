"""Whole matches written out for people. They change only on purpose (``--regenerate``), and the difference is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesengine import notation, registry, replay, shared
from tests.rulesengine import playthrough

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*/*.log.txt"))
EXPECTED = sorted((Path(__file__).parents[1] / "golden").glob("*/*.expected.json"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name.split('.')[0]}"


@pytest.mark.parametrize("path", GOLDEN, ids=name)
def test_a_match_replays_as_recorded(path: Path, request: pytest.FixtureRequest) -> None:
    recorded = path.read_text()
    replayed = playthrough.render(playthrough.log_in(recorded), playthrough.title_in(recorded))
    if request.config.getoption("--regenerate", default=False):
        path.write_text(replayed)
    assert replayed == recorded


@pytest.mark.parametrize("path", GOLDEN, ids=name)
def test_a_golden_match_says_what_it_shows_and_ends(path: Path) -> None:
    recorded = path.read_text()
    assert len(" ".join(playthrough.title_in(recorded))) > 20
    assert replay.run(playthrough.log_in(recorded)).status != "running"


@pytest.mark.parametrize("path", EXPECTED, ids=name)
def test_a_match_is_found_as_an_outsider_expects_it(path: Path) -> None:
    """These answers were written apart from the engine, with whole states at some entries."""
    expected: dict[str, Any] = json.loads(path.read_text())
    log = notation.parse(path.with_name(path.name.replace(".expected.json", ".log.txt")).read_bytes())
    told = replay.report(log).as_json()
    assert [{key: one[key] for key in ("seq", "rule", "kind")} for one in told["findings"]] == expected["findings"]
    for key in ("status", "placements", "result"):
        assert told[key] == expected[key]
    for at, state in expected["states"].items():
        there = replay.run(log, at=int(at))
        assert there.ruleset.view(there.state) == state


def test_every_edition_has_a_golden_match() -> None:
    played = {playthrough.edition_in(path.read_text()) for path in GOLDEN}
    assert played == {edition.key for edition in registry.editions()}


def test_the_golden_matches_of_kingsquare_show_every_event_and_every_consequence() -> None:
    rules = registry.get("KS-V5")
    stood: set[str] = set()
    told: set[str] = set()
    for path in GOLDEN:
        if path.parent.name == "kingsquare":
            report = replay.report(playthrough.log_in(path.read_text()), keep=True)
            found = {one.seq for one in report.findings if one.kind != "observed"}
            stood |= {line.type for line in report.replay.log.lines if line.seq not in found}
            told |= {follows.type for one in report.replay.carried for follows in one.step.consequences}
    assert (set(rules.payloads) | set(shared.PAYLOADS)) - rules.not_used - stood == set()
    assert rules.consequence_types - {"turn_started"} - told == set()
