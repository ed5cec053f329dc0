"""Matches that are still to be played: the tables of published rounds, as far as `matches` needs to know them.

A match begins with its first entry: a result, or the log that somebody sends. Until then it is a line of its tournament's stream.
`matches` does not import `league`; whoever opens tables registers here at start-up and answers for them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Protocol
from uuid import UUID

from msgspec import Struct

from people.models import Person
from rulesengine.log import Header


class Scheduled(Struct, frozen=True):
    """A match that waits at its table.

    :ivar context: what stands in its header: the league's short name, the tournament's, the numbers of round and table
    :ivar scope: where the roles of its tournament hold: `tournament:ID`
    :ivar seats: who sits there, in the order of the seats A, B, C …
    :ivar url: its page, from the root of the site
    """

    match_id: UUID
    game: str
    rules: str | None
    timezone: str
    title: str
    url: str
    league: UUID
    scope: str
    context: Mapping[str, Any]
    options: Mapping[str, Any]
    seats: tuple[Person, ...]
    is_demo: bool = False

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return the scopes whose roles hold for it, nearest first."""
        return (f"match:{self.match_id}", self.scope, f"league:{self.league}", "site")

    @property
    def letters(self) -> dict[str, Person]:
        """Return who sits at which seat, by its letter."""
        return {chr(ord("A") + at): person for at, person in enumerate(self.seats)}

    def letter_of(self, person: Person) -> str | None:
        """Return the seat of a person, under whatever of their records; None if they do not sit there."""
        own = {person.pk, person.head.pk}
        return next((letter for letter, one in self.letters.items() if {one.pk, one.head.pk} & own), None)


class Keeper(Protocol):
    """Who knows the tables of published rounds."""

    def find(self, match_ids: Collection[UUID]) -> list[Scheduled]:
        """Return the tables at which these matches are, or were, to be played."""

    def named(self, context: Mapping[str, Any]) -> Scheduled | None:
        """Return the table that the context of a file names by tournament, round and table."""


KEEPERS: list[Keeper] = []


def find(match_id: UUID) -> Scheduled | None:
    """Return the table at which a match is, or was, to be played; None for a match of no tournament."""
    return next((one for keeper in KEEPERS for one in keeper.find([match_id])), None)


def of_header(header: Header, match_id: UUID) -> Scheduled | None:
    """Return the table that a file is of: the one its context names, or the one whose match has its id."""
    named = header.context
    if {"tournament", "round", "table"} <= named.keys():
        for keeper in KEEPERS:
            if (one := keeper.named(named)) is not None:
                return one
    return find(match_id)
