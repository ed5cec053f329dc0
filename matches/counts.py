"""Where the table counted an outcome otherwise than the rules compute it: both counts side by side, held for the referee.

The computed outcome stands unless a referee decides otherwise. A game in which such a difference waits for that decision says so
by its parameter `observed.policy` (KSH-89): ``hold``, or ``engine`` where the difference is only noted. A ruling about the entry
decides it, or an outcome that the referee sets; until then the result cannot be confirmed.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from rulesengine.replay import Finding, Replay

POLICY = "observed.policy"
HOLD = "hold"


class Difference(Struct, frozen=True):
    """One outcome as the table counted it and as it is computed: for each figure its name and both."""

    seq: int
    figures: tuple[tuple[str, Any, Any], ...]

    @property
    def table(self) -> dict[str, Any]:
        """Return the outcome as the table counted it; figures that it did not count are the computed ones."""
        return {name: count for name, count, _computed in self.figures}


def holds(told: Replay) -> bool:
    """Return whether differences wait for the referee in this match."""
    default = next((one.default for one in told.ruleset.parameters if one.name == POLICY), None)
    return default is not None and told.header.options.get(POLICY, default) == HOLD


def of_findings(findings: tuple[Finding, ...]) -> list[Difference]:
    """Return the differences among findings."""
    return [Difference(one.seq, one.compared) for one in findings if one.compared and one.seq is not None]


def open_in(told: Replay) -> list[Difference]:
    """Return the differences that wait for the decision of a referee."""
    found = of_findings(told.findings)
    if not found or not holds(told):
        return []
    refused = {one.seq for one in told.findings if one.kind != "observed"}
    decided: set[int] = set()
    for line in told.log.lines:
        if line.seq in refused or line.seq in told.skipped:
            continue
        if line.type == "placements_confirmed":
            decided.update(one.seq for one in found if one.seq < line.seq)
        elif line.type in ("ruling_given", "result_overridden"):
            about = line.payload().get("about_seq" if line.type == "ruling_given" else "battle_seq")
            if isinstance(about, int):
                decided.add(about)
    return [one for one in found if one.seq not in decided]
