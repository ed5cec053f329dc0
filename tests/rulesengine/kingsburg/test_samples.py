"""The sample logs give exactly the reports and states that stand beside them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.kingsburg.given import expected, found, report, sample, state_of

NAMES = ("legal", "corrected", "findings")
STATES = [(name, int(seq)) for name in NAMES for seq in expected(name)["states"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_found_as_expected(name: str) -> None:
    told = expected(name)
    findings = [(one["seq"], one["rule"], one["kind"]) for one in told["findings"]]
    assert found(sample(name)) == findings
    seen: dict[str, Any] = report(sample(name))
    assert {key: seen[key] for key in ("status", "placements", "result")} == {
        key: told[key] for key in ("status", "placements", "result")
    }
    assert seen["accepted"] == seen["events"] - len(findings)


@pytest.mark.parametrize(("name", "seq"), STATES)
def test_a_sample_stands_as_expected(name: str, seq: int) -> None:
    assert state_of(sample(name), seq) == expected(name)["states"][str(seq)]
