"""The editions of KingSquare: each holds from the local day of the ruling that opened it."""

from __future__ import annotations

from datetime import date

from rulesengine.game import Edition

EDITIONS: tuple[Edition, ...] = (
    Edition("KS-V1", date(1, 1, 1)),
    Edition("KS-V2", date(2026, 7, 2)),
    Edition("KS-V3", date(2026, 7, 4)),
    Edition("KS-V4", date(2026, 7, 10)),
    Edition("KS-V5", date(2026, 7, 12)),
)


def in_force(day: date) -> str:
    """Return the key of the edition that holds on a day (KSH-83)."""
    return [edition.key for edition in EDITIONS if edition.effective <= day][-1]
