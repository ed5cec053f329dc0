"""The answers with which a write is declined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.translation import gettext as _

from rulesengine.game import Refusal

if TYPE_CHECKING:
    from matches.models import Match


class Refused(Exception):
    """The rules of the game do not allow the entry.

    :ivar refusal: the rule, its text, and what was wrong here
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.rule.id}: {refusal.because}")
        self.refusal = refusal


class StaleMatch(Exception):
    """The match has moved on since the writer looked.

    :ivar match: the match as it stands
    """

    def __init__(self, match: Match, expected: int) -> None:
        super().__init__(
            _(
                "The match has moved on: its last entry is number %(seq)s, not %(expected)s. Look at how it stands and try again."
            )
            % {"seq": match.seq, "expected": expected}
        )
        self.match = match


class DifferentVersion(Exception):
    """A match with this id is recorded, with other content.

    :ivar match_id: the recorded match
    :ivar difference: rows of what differs, for those who may correct the match; else empty
    """

    def __init__(self, match_id: UUID, difference: list[dict[str, Any]]) -> None:
        super().__init__(
            _(
                "Another version of this match is recorded. A recorded match is never overwritten: open it, and have what is wrong voided or amended there."
            )
        )
        self.match_id = match_id
        self.difference = difference


class NotRecordable(Exception):
    """The file cannot be recorded as it is; the message says why and what to do."""
