"""What follows by the rules, told with an entry and never recorded: a log of this game holds decisions and chance alone."""

from __future__ import annotations

from rulesengine.game import Consequence


def control_changed(cell: str, before: str | None, after: str) -> Consequence:
    """Another seat controls a tile now."""
    return Consequence("control_changed", {"cell": cell, "from": before, "to": after})


def turn_started(seat: str) -> Consequence:
    """A seat's turn began."""
    return Consequence("turn_started", {"seat": seat})


def match_over(ended_by: str) -> Consequence:
    """The match is over."""
    return Consequence("match_over", {"ended_by": ended_by})


TYPES = frozenset({"control_changed", "turn_started", "match_over"})
"""What can follow."""
