"""How the corrections of a Robber Knights log are read (part 10 of the rule page).

They are read from the end of the log, so that one that is itself taken back does nothing, and are no business of the rules: a
void and a withdrawal skip their entry without a check, and what a referee accepts is accepted wherever it is named.
"""

from __future__ import annotations

from rulesengine import shared
from rulesengine.corrections import CORRECTIONS, Plan
from rulesengine.game import Payload
from rulesengine.log import Line, Log
from rulesengine.robberknights.checks import malformed_figures


class RobberKnightsPlan(Plan):
    """The corrections of a Robber Knights log."""

    def _read(self, log: Log) -> None:
        for line in reversed(log.lines):
            if line.type in CORRECTIONS and line.seq not in self.voided and line.seq not in self.withdrawn:
                self._collect(line)

    def _collect(self, line: Line) -> None:
        data = self._event(line)
        if isinstance(data, shared.EventVoided):
            if self._is_earlier(line, data.target_seq):
                self.voided.add(data.target_seq)
        elif isinstance(data, shared.EventWithdrawn):
            if self._is_earlier(line, data.target_seq):
                self.withdrawn.add(data.target_seq)
        elif isinstance(data, shared.EventAmended):
            self._amend(line, data)
        elif isinstance(data, shared.IllegalStateAccepted):
            self.accepted.update(data.seqs)

    def _event(self, line: Line) -> Payload | None:
        data = super()._event(line)
        if data is None or data.observed is None:
            return data
        wrong = malformed_figures(data.observed, line.seat, [seat.seat for seat in self.header.seats])
        if wrong is not None:
            self.refused[line.seq] = wrong
            return None
        return data
