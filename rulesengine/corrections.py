"""Corrections: what a log says about its own entries, collected before anything is carried out.

Voids, withdrawals, amendments, accepted entries and a referee's outcomes work on other lines from the beginning of every replay
on; `state_adjusted` works from its place on. Games differ in what may be corrected how: one subclasses :class:`Plan`.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulesengine import codec, shared
from rulesengine.codec import FormError
from rulesengine.game import FORM, Breach, Payload, Refusal, Ruleset
from rulesengine.log import Header, Line, Log, Official, Seat
from rulesengine.notation import envelope
from rulesengine.notation.values import Malformed

CORRECTIONS = frozenset(
    {"event_voided", "event_withdrawn", "event_amended", "illegal_state_accepted", "result_overridden"}
)
"""Corrections that work on other lines, from the beginning of every replay on."""
HEADER_AMENDMENTS = 50
"""So many amendments of the header are tried, the latest first, until one can be played."""


class Plan:
    """The corrections of a whole log: which lines are skipped, amended or accepted, and which corrections cannot be."""

    def __init__(self, log: Log, ruleset: Ruleset) -> None:
        self.header = log.header
        self.voided: set[int] = set()
        self.withdrawn: set[int] = set()
        self.amended: dict[int, tuple[int, Line]] = {}
        self.accepted: set[int] = set()
        self.refused: dict[int, Refusal | str] = {}
        self.outcomes: dict[int, dict[str, int]] = {}
        """By the seq of a battle, how a referee says that it came out."""
        self._header_amendments = 0
        self._ruleset = ruleset
        self._cite = ruleset.cites.corrections or FORM
        self._breach: Breach = "form" if ruleset.cites.corrections is None else "impossible"
        self._seats = frozenset(seat.seat for seat in log.header.seats)
        self._read(log)
        self.skipped = frozenset(self.voided | self.withdrawn)
        self.touched = frozenset(self.skipped | self.amended.keys() | self.accepted | self.outcomes.keys())

    def _read(self, log: Log) -> None:
        """Collect the corrections of a log."""
        corrections = [line for line in log.lines if line.type in CORRECTIONS]
        for line in reversed(corrections):  # backwards, so that a correction that is itself voided does nothing
            if line.seq not in self.voided:
                self._collect(line)
        if any(line.type == "event_withdrawn" for line in corrections):
            self._withdraw(log.lines)

    def as_amended(self, line: Line) -> Line:
        """Return the line as it is to be read."""
        change = self.amended.get(line.seq)
        return line if change is None else replace(line, data=change[1].data)

    def _event(self, line: Line) -> Payload | None:
        """Return the payload of a correction; None, and the refusal noted, if it is malformed."""
        try:
            if line.seat is not None and line.seat not in self._seats:
                raise FormError(no_seat(line.seat, self.header))
            return codec.event(self._ruleset, self.as_amended(line)).data
        except FormError as error:
            self.refused[line.seq] = str(error)
            return None

    def _collect(self, line: Line) -> None:
        if line.type == "event_withdrawn":
            return
        data = self._event(line)
        if isinstance(data, shared.EventVoided):
            if self._is_earlier(line, data.target_seq):
                self.voided.add(data.target_seq)
        elif isinstance(data, shared.EventAmended):
            self._amend(line, data)
        elif isinstance(data, shared.IllegalStateAccepted) and all(self._is_earlier(line, seq) for seq in data.seqs):
            self.accepted.update(data.seqs)

    def _amend(self, line: Line, data: shared.EventAmended) -> None:
        if data.target_seq != 0 and not self._is_earlier(line, data.target_seq):
            return
        if not isinstance(data.data, dict):
            because = f"the new data of seq {data.target_seq} must be an object that holds all of its keys"
            self.refused[line.seq] = self._cite.refuses(because, self._breach)
        elif data.target_seq not in self.amended and (data.target_seq != 0 or self._amend_header(line, data.data)):
            new = Line(data.target_seq, "", data=msgspec.json.encode(data.data))
            self.amended[data.target_seq] = (line.seq, new)

    def _amend_header(self, line: Line, data: dict[str, Any]) -> bool:
        self._header_amendments += 1
        if self._header_amendments > HEADER_AMENDMENTS:
            self.refused[line.seq] = self._cite.refuses("later entries amend the header over and over", self._breach)
            return False
        header = _amended_header(self.header, data)
        refusal = self._cite.refuses(header, self._breach) if isinstance(header, str) else None
        if not isinstance(header, str):
            step = self._ruleset.set_up(header)
            refusal = step if isinstance(step, Refusal) else None
        if refusal is not None:
            self.refused[line.seq] = replace(refusal, breach=self._breach)
            return False
        self.header = cast(Header, header)
        return True

    def _is_earlier(self, line: Line, target: int) -> bool:
        if 1 <= target < line.seq:
            return True
        because = f"seq {target} is no entry before seq {line.seq}"
        nearest = f"an entry from 1 to {line.seq - 1}" if line.seq > 1 else None
        self.refused[line.seq] = self._cite.refuses(because, self._breach, nearest)
        return False

    def _withdraw(self, lines: tuple[Line, ...]) -> None:
        last_ones: list[int] = []
        types = decisions(self._ruleset)
        for line in lines:
            if line.type in types:
                last_ones.append(line.seq)
            elif line.type == "event_withdrawn" and line.seq not in self.voided:
                data = self._event(line)
                if not isinstance(data, shared.EventWithdrawn):
                    continue
                last = last_ones[-1] if last_ones else None
                if data.target_seq == last:
                    self.withdrawn.add(last_ones.pop())
                    continue
                because = f"only the last decision not yet taken back can be withdrawn, not seq {data.target_seq}"
                nearest = None if last is None else f"withdraw seq {last}"
                self.refused[line.seq] = self._cite.refuses(because, self._breach, nearest)


class _HeaderData(Struct, frozen=True):
    """What an amendment of the header may change. Other keys of the stored header are the site's business."""

    seats: tuple[Seat, ...] | None = None
    officials: tuple[Official, ...] | None = None
    options: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    title: str | None = None
    timezone: str | None = None
    played_on: str | None = None


def _amended_header(header: Header, data: dict[str, Any]) -> Header | str:
    """Return the header with the given keys replaced, or what is wrong with them."""
    for kind in ("seats", "officials"):
        rows = data.get(kind)
        if isinstance(rows, list):
            known = (Seat if kind == "seats" else Official).__struct_fields__
            kept = [{key: row[key] for key in known if key in row} if isinstance(row, dict) else row for row in rows]
            data = {**data, kind: kept}
    try:
        given = msgspec.convert(data, _HeaderData)
    except msgspec.ValidationError as error:
        return f"the new header cannot be read: {error}"
    fields = {name: getattr(given, name) for name in given.__struct_fields__ if getattr(given, name) is not None}
    new = replace(header, **fields)
    try:
        return envelope.header(envelope.header_values(new))
    except Malformed as error:
        return f"the new header cannot be read: {error}"


def plan(log: Log, ruleset: Ruleset) -> Plan:
    """Return the corrections of a log as its game reads them."""
    made: Plan = (ruleset.corrections or Plan)(log, ruleset)
    return made


def decisions(ruleset: Ruleset) -> frozenset[str]:
    """Return the types of events that are decisions of play in a game's logs."""
    return shared.ENDINGS.union(ruleset.payloads)


def no_seat(seat: str, header: Header) -> str:
    """Return the sentence for a seat that the header does not name."""
    return f"there is no seat {seat!r}; the header names {', '.join(one.seat for one in header.seats)}"
