"""The entries of a match as a reader sees them: who did what, what followed, and what a correction made of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from matches.shown import seat_css
from matches.words import Names, consequence_words, event_words
from rulesengine.game import Carried, Step
from rulesengine.log import Line, Log
from rulesengine.replay import Finding, Replay
from rulesengine.sight import HIDDEN

WINDOW = 30
BEFORE = 6  # entries shown before the present one


class Entry(Struct):
    """One entry. `state` says what became of it: "", ``voided``, ``withdrawn``, ``amended``, ``accepted``, ``overruled`` or
    ``refused``.

    An entry that is hidden from the reader is ``sealed``.
    """

    seq: int
    letter: str | None
    css: str
    words: str
    consequences: list[str]
    role: str | None = None
    note: str | None = None
    at: str | None = None
    state: str = ""
    by_seq: int | None = None
    """The correction that did it."""
    old_words: str = ""
    """What an amended entry said before."""
    target: int | None = None
    """The entry that this one corrects or is about."""
    findings: Sequence[Finding] = field(default_factory=tuple)


class Feed:
    """All entries of a match; words are made for those that are asked for."""

    def __init__(self, log: Log, replay: Replay, names: Names) -> None:
        self.log, self.replay, self.names = log, replay, names
        self.game = log.header.game
        self.carried: dict[int, Carried] = {one.seq: one for one in replay.carried}
        self.findings: dict[int, list[Finding]] = defaultdict(list)
        for finding in replay.findings:
            if finding.seq is not None:
                self.findings[finding.seq].append(finding)
        self.corrected: dict[int, tuple[str, int]] = {}
        for line in log.lines:
            if line.type in _CORRECTIONS and line.seq not in replay.skipped:
                state = _CORRECTIONS[line.type]
                for target in targets(line):
                    stays = target in replay.skipped and state not in ("voided", "withdrawn")
                    if not stays and not (state == "overruled" and target in self.corrected):
                        self.corrected[target] = (state, line.seq)

    @property
    def last(self) -> int:
        """Return the seq of the last entry."""
        return self.log.lines[-1].seq if self.log.lines else 0

    def at(self, seq: int) -> Carried:
        """Return the last entry up to `seq` that had an effect; its step holds the position then."""
        lines = range(min(seq, self.last), -1, -1)
        return next(self.carried[number] for number in lines if number in self.carried)

    def window(self, at: int, start: int | None = None) -> tuple[list[Entry], int, int]:
        """Return the entries around `at` (or from `start` on), and the seqs of the first and last of them."""
        first = max(0, min(at - BEFORE if start is None else start, self.last - WINDOW + 1))
        final = min(self.last, first + WINDOW - 1)
        return [self.entry(seq) for seq in range(first, final + 1)], first, final

    def entry(self, seq: int) -> Entry:
        """Return one entry in words. 0 is the set-up."""
        carried = self.carried.get(seq)
        if seq == 0:
            words = event_words(self.game, "match_set_up", None, {}, self.names, carried)
            entry = Entry(0, None, "", words, self._followed(carried))
            entry.state, entry.by_seq = self.corrected.get(0, ("", None))
            return entry
        line = self.log.lines[seq - 1]
        data = line.payload()
        entry = Entry(
            seq,
            line.seat,
            seat_css(line.seat) if line.seat else "",
            event_words(self.game, line.type, line.seat, data, self.names, carried or self._as_if(seq)),
            self._followed(carried),
            role=line.acting_as,
            note=line.note,
            at=line.at,
            target=next(iter(targets(line)), None),
            findings=self.findings.get(seq, ()),
        )
        entry.state, entry.by_seq = self.corrected.get(seq, ("", None))
        if entry.state == "amended":
            entry.old_words = event_words(self.game, line.type, line.seat, data, self.names, self._as_if(seq))
            latest = self.log.lines[self.replay.amended.get(seq, entry.by_seq or 0) - 1].payload().get("data")
            if isinstance(latest, dict):
                entry.words = event_words(self.game, line.type, line.seat, latest, self.names, carried)
        if line.type == HIDDEN:
            entry.state = "sealed"
        elif not entry.state and any(finding.kind in ("irregular", "impossible") for finding in entry.findings):
            entry.state = "refused"
        return entry

    def _as_if(self, seq: int) -> Carried:
        """Return the position before an entry that had no effect, so that its words can name the pieces."""
        state = self.at(seq - 1).step.state
        return Carried(seq, None, state, Step(state))

    def _followed(self, carried: Carried | None) -> list[str]:
        if carried is None:
            return []
        return [consequence_words(self.game, one, self.names, carried) for one in carried.step.consequences]


_CORRECTIONS = {
    "event_voided": "voided",
    "event_withdrawn": "withdrawn",
    "event_amended": "amended",
    "illegal_state_accepted": "accepted",
    "result_overridden": "overruled",
}
_ABOUT = ("target_seq", "about_seq", "battle_seq")


def targets(line: Line) -> list[int]:
    """Return the entries that a line corrects or is about, as far as they are numbers."""
    data: dict[str, Any] = line.payload()
    found = data.get("seqs") if line.type == "illegal_state_accepted" else [data.get(key) for key in _ABOUT]
    return [seq for seq in found or [] if isinstance(seq, int)]
