"""A log to test on: given these entries, when this one is recorded, then this is found."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from rulesengine import replay
from rulesengine.log import Header, Line, Log, Seat
from rulesengine.replay import Finding, Report

type Entry = tuple[str | None, str, str | None, dict[str, Any]]


def entry(seat: str | None, type_: str, acting_as: str | None = None, /, **data: Any) -> Entry:
    """Return an entry of a log."""
    return (seat, type_, acting_as, data)


def end() -> Entry:
    """Return the end of a turn of whoever `Given` says is at turn."""
    return entry("?", "turn_ended")


def header(seats: str = "AB", game: str = "hexwar", depth: Any = "log", **options: Any) -> Header:
    """Return a header with these seats and options."""
    return Header(
        log="annals/1",
        game=game,
        played_on="2026-11-28",
        seats=tuple(Seat(letter) for letter in seats),
        options=options,
        depth=depth,
    )


def log_of(head: Header, *entries: Entry) -> Log:
    """Return a log of entries, each on the line of a file after its header."""
    lines = []
    for seq, (seat, type_, acting_as, data) in enumerate(entries, 1):
        lines.append(Line(seq, type_, seat, msgspec.json.encode(data), acting_as=acting_as, number=seq + 1))
    return Log(head, tuple(lines))


class Given:
    """A match with these entries in its log."""

    def __init__(self, seats: str = "AB", /, **options: Any) -> None:
        self.log = log_of(header(seats, **options))

    def after(self, *entries: Entry) -> Given:
        """Add entries that the rules allow."""
        other = self._with(entries)
        found = other.report.findings
        assert not found, f"not allowed: {found}"
        return other

    def when(self, *entries: Entry) -> Then:
        """Add entries to ask about."""
        return Then(self._with(entries).log, len(self.log.lines))

    def _with(self, entries: tuple[Entry, ...]) -> Given:
        other = Given.__new__(Given)
        other.log = self.log
        for seat, type_, acting_as, data in entries:
            if seat == "?":
                told = replay.run(other.log)
                seat = told.ruleset.turn(told.state)
            seq = len(other.log.lines) + 1
            line = Line(seq, type_, seat, msgspec.json.encode(data), acting_as=acting_as, number=seq + 1)
            other.log = replace(other.log, lines=(*other.log.lines, line))
        return other

    @property
    def report(self) -> Report:
        """Return the report of the log."""
        return replay.report(self.log, keep=True)


class Then:
    """What is found in a log whose last entries are asked about."""

    def __init__(self, log: Log, before: int) -> None:
        self.log = log
        self.before = before
        self.report = replay.report(log, keep=True)
        self.findings = self.report.findings
        self.told = self.report.replay

    def then_clean(self) -> Then:
        """Nothing is found."""
        assert not self.findings, self.findings
        return self

    def then_refused(self, rule: str | None, kind: str = "irregular", *, seq: int | None = None) -> Finding:
        """Exactly one thing is found: this rule is broken, by the last entry or the one named."""
        assert len(self.findings) == 1, self.findings
        (found,) = self.findings
        assert (found.rule, found.kind) == (rule, kind), found
        assert found.seq == (len(self.log.lines) if seq is None else seq)
        assert found.line == found.seq + 1
        return found

    def then_found(self, *expected: tuple[int, str | None, str]) -> Then:
        """These things are found: seq, rule, kind."""
        assert [(one.seq, one.rule, one.kind) for one in self.findings] == list(expected), self.findings
        return self

    def then(self, type_: str, **data: Any) -> Then:
        """This follows from the last entry carried out, at least with this data."""
        last = self.told.carried[-1].step.consequences
        found = [one.data for one in last if one.type == type_ and data.items() <= one.data.items()]
        assert found, last
        return self

    def get(self, path: str) -> Any:
        """Return a value of the last state."""
        at: Any = self.told.ruleset.view(self.told.state)
        for key in path.split("."):
            at = at[key]
        return at
