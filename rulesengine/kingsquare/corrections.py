"""Which corrections hold (8.6 of the rule page, KSH-88): read first, from the whole log, in its order."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec
from msgspec.structs import replace

from rulesengine import codec
from rulesengine.codec import FormError
from rulesengine.corrections import CORRECTIONS, Plan, no_seat
from rulesengine.game import Event, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare.rules import KSH_88, U_7
from rulesengine.log import Line, Log

CORRECTING = CORRECTIONS | {"state_adjusted"}
_PASSED_OVER = CORRECTING | {"dispute_opened", "result_disputed", "ruling_given", "penalty_given"}
"""What a withdrawal looks past to find the last entry."""
_NOT_WITHDRAWN = frozenset({"match_started", "phase_advanced", "turn_ended", "turn_skipped"})
"""Where a phase begins or ends: nothing before it can be taken back by the scribe."""
_BATTLES = frozenset(one.TYPE for one in e.BATTLES)
_AFTER_CONFIRMATION = CORRECTING - {"event_withdrawn"}


class KingSquarePlan(Plan):
    """The corrections of a KingSquare log. One that is refused has no effect; a correction cannot itself be corrected."""

    def _read(self, log: Log) -> None:
        self._cite = KSH_88
        self._lines = {line.seq: line for line in log.lines}
        self._counting: list[Line] = []  # the last of them is what a withdrawal may take back
        self._confirmed: deque[int] = deque()
        self._computed = self._ruleset.consequence_types | self._ruleset.spelled_set_up
        for line in log.lines:
            if line.type == "placements_confirmed":
                self._confirmed.append(line.seq)
            if line.type in CORRECTING:
                self._take(line)
            elif line.type not in _PASSED_OVER and line.type not in self._computed:
                self._counting.append(line)

    def _take(self, line: Line) -> None:
        try:
            if line.seat is not None and line.seat not in self._seats and self._ruleset.manners.official_seats:
                raise FormError(no_seat(line.seat, self.header))
            event = codec.event(self._ruleset, line)
        except FormError as error:
            self.refused[line.seq] = str(error)
            return
        refusal = _seen(event) or self._ruleset.check_correction(event) or self._forbidden(line, event)
        if refusal is not None:
            self.refused[line.seq] = refusal
            return
        data = event.data
        if isinstance(data, e.EventWithdrawn):
            self.withdrawn.add(data.target_seq)
        elif isinstance(data, e.EventVoided):
            self.voided.add(data.target_seq)
        elif isinstance(data, e.EventAmended):
            if data.target_seq != 0 or self._amend_header(line, data.data):
                new = Line(data.target_seq, "", data=msgspec.json.encode(data.data))
                self.amended[data.target_seq] = (line.seq, new)
        elif isinstance(data, e.ResultOverridden):
            self.outcomes[data.battle_seq] = {"net": data.outcome.net, "returned": data.outcome.returned}
        elif isinstance(data, e.IllegalStateAccepted):
            self.accepted.update(seq for seq in data.seqs if self._lines[seq].type not in CORRECTING)

    def _amend_header(self, line: Line, data: dict[str, Any]) -> bool:
        """Amend the header; refuse what is none at all by U-7, what a rule of the set-up forbids by that rule (8.5)."""
        if super()._amend_header(line, data):
            return True
        refusal = self.refused[line.seq]
        if isinstance(refusal, Refusal):
            by_rule = refusal.rule not in (KSH_88, U_7)
            self.refused[line.seq] = (
                replace(refusal, breach="irregular") if by_rule else U_7.refuses(refusal.because, "impossible")
            )
        return False

    def _forbidden(self, line: Line, event: Event) -> Refusal | None:
        data: Any = event.data
        if isinstance(data, e.EventVoided | e.EventAmended | e.EventWithdrawn):
            targets: tuple[int, ...] = (data.target_seq,)
        elif isinstance(data, e.ResultOverridden):
            targets = (data.battle_seq,)
        else:
            targets = data.seqs if isinstance(data, e.IllegalStateAccepted) else ()
        for target in targets:
            header = target == 0 and isinstance(data, e.EventAmended)
            if not header and (target >= line.seq or target not in self._lines):
                return U_7.refuses(f"seq {target} is no entry before seq {line.seq}", "impossible")
        if isinstance(data, e.ResultOverridden) and self._lines[data.battle_seq].type not in _BATTLES:
            kind = self._lines[data.battle_seq].type
            return U_7.refuses(f"seq {data.battle_seq} is {kind} and no battle", "impossible")
        if isinstance(data, e.EventWithdrawn):
            return self._is_last(data.target_seq)
        if isinstance(data, e.EventVoided | e.EventAmended) and data.target_seq in self._lines:
            kind = self._lines[data.target_seq].type
            if kind in CORRECTING:
                return KSH_88.refuses(f"seq {data.target_seq} is itself a correction ({kind}) and stays")
        return self._approved(line, data)

    def _is_last(self, target: int) -> Refusal | None:
        while self._counting and self._is_gone(self._counting[-1].seq):
            self._counting.pop()
        last = self._counting[-1] if self._counting else None
        if last is not None and last.seq == target and last.type not in _NOT_WITHDRAWN:
            return None
        if last is None or last.type in _NOT_WITHDRAWN:
            because = "nothing of the present phase is left to be taken back"
            return KSH_88.refuses(because, nearest="the referee may void an earlier entry")
        because = f"only the last entry of the phase can be withdrawn, which is seq {last.seq} ({last.type}), not seq {target}"
        return KSH_88.refuses(because, nearest=f"withdraw seq {last.seq}, or the referee voids seq {target}")

    def _is_gone(self, seq: int) -> bool:
        return seq in self.withdrawn or seq in self.voided

    def _approved(self, line: Line, data: Any) -> Refusal | None:
        while self._confirmed and self._is_gone(self._confirmed[0]):
            self._confirmed.popleft()
        if line.type not in _AFTER_CONFIRMATION or not self._confirmed or data.approved_by is not None:
            return None
        first = self._confirmed[0]
        because = f"the placements were confirmed (seq {first}); a correction after that says who approved it"
        return KSH_88.refuses(because, nearest='the key "approved_by"')


def _seen(event: Event) -> Refusal | None:
    if event.data.observed is None:
        return None
    return U_7.refuses('the key "observed" belongs to battles alone', "impossible")
