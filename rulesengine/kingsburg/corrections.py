"""Which corrections of a Kingsburg log hold (KB-142): read first, from the whole log.

A void may take back any earlier entry, corrections included, and what is taken back does nothing. Whether a withdrawal names the
last entry depends on the withdrawals before it that hold, and these on the voids after them: both are gone through in turn until
nothing changes any more.
"""

from __future__ import annotations

from typing import Any

import msgspec

from rulesengine import codec, shared
from rulesengine.codec import FormError
from rulesengine.corrections import CORRECTIONS, HEADER_AMENDMENTS, Plan, _amended_header, no_seat
from rulesengine.game import Payload
from rulesengine.kingsburg.rules import KB_142
from rulesengine.log import Line, Log

ROUNDS = 50
"""So often at most are voids and withdrawals gone through; no table needs more than two."""


class KingsburgPlan(Plan):
    """The corrections of a log of Kingsburg. One that is refused has no effect, one that is taken back says nothing at all."""

    def _read(self, log: Log) -> None:
        self._cite = KB_142
        self._types = {line.seq: line.type for line in log.lines}
        made = [(line, data) for line in log.lines if line.type in CORRECTIONS for data in self._correction(line)]
        taken_back: set[int] = set()
        for _ in range(ROUNDS):
            withdrawn = self._withdrawals(log, made, taken_back)
            before, taken_back = taken_back, self._taken_back(made, withdrawn)
            if taken_back == before:
                break
        for line, data in made:
            if line.seq not in taken_back:
                self._apply(line, data)
        for line, data in reversed(made):
            if line.seq not in taken_back and isinstance(data, shared.EventAmended):
                self._take_amendment(line, data)

    def _correction(self, line: Line) -> tuple[Payload, ...]:
        """Return the payload of a correction that can be read; of another nothing, the refusal noted."""
        payload = codec.table(self._ruleset)[line.type][1]
        try:
            if line.seat is not None and line.seat not in self._seats:
                raise FormError(no_seat(line.seat, self.header))
            data, because = codec.event(self._ruleset, line).data, ""
        except FormError as error:
            data, because = None, str(error)
        told = line.payload()
        if _names(line.type, told):
            if data is not None:
                return (data,)
            self.refused[line.seq] = because
        elif (line.seat is None or line.seat in self._seats) and told.keys() <= set(payload.__struct_fields__):
            because = because or '"data" must be an object that holds all keys of the entry as they should be'
            self.refused[line.seq] = KB_142.refuses(because, "impossible")
        else:
            self.refused[line.seq] = because
        return ()

    def _withdrawals(self, log: Log, made: list[tuple[Line, Payload]], taken_back: set[int]) -> dict[int, int]:
        """Return the targets of the withdrawals that hold, given what is taken back; the others are noted as refused."""
        readable = {line.seq: data for line, data in made if isinstance(data, shared.EventWithdrawn)}
        held: dict[int, int] = {}
        if not readable:
            return held
        last_ones: list[int] = []
        for line in log.lines:
            if line.type != "event_withdrawn":
                last_ones.append(line.seq)
            elif line.seq in readable and line.seq not in taken_back:
                target = readable[line.seq].target_seq
                last = last_ones[-1] if last_ones else None
                if target == last:
                    held[line.seq] = last_ones.pop()
                    self.refused.pop(line.seq, None)
                    continue
                because = f"only the last entry not yet taken back can be withdrawn, not seq {target}"
                nearest = None if last is None else f"withdraw seq {last}"
                self.refused[line.seq] = KB_142.refuses(because, "impossible", nearest)
        return held

    def _taken_back(self, made: list[tuple[Line, Payload]], withdrawn: dict[int, int]) -> set[int]:
        taken_back: set[int] = set()
        for line, data in reversed(made):
            if line.seq in taken_back:
                continue
            if isinstance(data, shared.EventVoided) and 1 <= data.target_seq < line.seq:
                taken_back.add(data.target_seq)
            elif line.seq in withdrawn:
                taken_back.add(withdrawn[line.seq])
        return taken_back

    def _apply(self, line: Line, data: Payload) -> None:
        if isinstance(data, shared.EventWithdrawn) and line.seq not in self.refused:
            self.withdrawn.add(data.target_seq)
        elif isinstance(data, shared.EventVoided) and self._is_earlier(line, data.target_seq):
            self.voided.add(data.target_seq)
        elif isinstance(data, shared.IllegalStateAccepted) and all(self._is_earlier(line, seq) for seq in data.seqs):
            self.accepted.update(data.seqs)

    def _take_amendment(self, line: Line, data: shared.EventAmended) -> None:
        """Note an amendment, the latest first: it alone counts."""
        target = data.target_seq
        if target == 0:
            self._header_amendments += 1
            if self._header_amendments > HEADER_AMENDMENTS:
                self.refused[line.seq] = KB_142.refuses("later entries amend the header over and over", "impossible")
                return
            header = _amended_header(self.header, data.data)
            if isinstance(header, str):
                self.refused[line.seq] = KB_142.refuses(header, "impossible")
                return
            if 0 not in self.amended:
                self.header = header
        elif not self._is_earlier(line, target):
            return
        elif self._types.get(target) in CORRECTIONS:
            because = f"seq {target} is itself a correction ({self._types[target]}) and is not amended"
            self.refused[line.seq] = KB_142.refuses(because, "impossible", "void it and record another")
            return
        if target not in self.amended:
            self.amended[target] = (line.seq, Line(target, "", data=msgspec.json.encode(data.data)))


def _names(type_: str, told: dict[str, Any]) -> bool:
    """Return whether a correction says, in the right form, what it corrects."""
    if type_ == "illegal_state_accepted":
        return isinstance(told.get("seqs"), list) and all(_is_number(seq) for seq in told["seqs"])
    return _is_number(told.get("target_seq")) and (type_ != "event_amended" or isinstance(told.get("data"), dict))


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
