"""Links on the page of a match to what rooms above this one offer there, such as a vote."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from matches.models import Match
from people.models import Person


class Link(NamedTuple):
    """An address and what it is called."""

    url: str
    label: str


MAKERS: list[Callable[[Match, Person | None], Link | None]] = []
"""Whoever has something to offer at a match registers here at start-up; None where there is nothing for this viewer."""


def links_of(match: Match, viewer: Person | None) -> list[Link]:
    """Return the links for a viewer."""
    return [link for make in MAKERS if (link := make(match, viewer)) is not None]
