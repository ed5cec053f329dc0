"""What one person did in one match, as the digest of the match tells it. Folds read these and nothing else."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

Role = Literal["player", "general", "mapmaster", "referee", "scribe"]


class Evidence(Struct, frozen=True):
    """The entry at the table that earned something: a stream of the log and a seq in it."""

    stream: str
    seq: int


class FactLine(Struct, frozen=True):
    """A figure of a named fact and the seq that is its evidence. A ``sum`` adds up, of the ``max`` ones the largest counts."""

    key: str
    value: int
    seq: int
    mode: Literal["sum", "max"] = "sum"


class Rival(Struct, frozen=True):
    """Somebody else who played in the match."""

    person: str
    place: int | None


class Participation(Struct, frozen=True, kw_only=True):
    """One person in one match, in one version of its result.

    `order` is the match's place in the order of play: end at the table (UTC), round, table, match id.
    `offices` are all offices held, `role` is the one that counts for participation (ROD-03).
    A General has the place of the seat, and its facts from the time in office alone.
    `credited` is false where the match counts for nothing (a friendly that fewer than two accounts signed, an imported result, a forfeit);
    `confirmed` is true only for credited ones. `end_seq` is the event with which the result became known, `confirmed_seq` the confirmation, None while provisional.
    """

    match: str
    order: tuple[datetime, int, int, str]
    on: date
    game: str
    role: Role
    offices: tuple[str, ...] = ()
    place: int | None = None
    players: int = 0
    depth: str = "log"
    credited: bool = True
    confirmed: bool = False
    end_seq: int = 0
    confirmed_seq: int | None = None
    events: int = 0
    scribe_errors: int = 0
    sole_scribe: bool = False
    facts: tuple[FactLine, ...] = ()
    rivals: tuple[Rival, ...] = ()
    league: str | None = None

    @property
    def won(self) -> bool:
        """Return whether the person came first."""
        return self.role == "player" and self.place == 1

    @property
    def confirmation(self) -> Evidence:
        """Return the confirmation as evidence (the end of the match while it is provisional)."""
        return Evidence(self.match, self.end_seq if self.confirmed_seq is None else self.confirmed_seq)


class Deed(Struct, frozen=True, kw_only=True):
    """What a person did beside playing: when, at which place in the order of play, and the entry that proves it."""

    order: tuple[object, ...]
    on: date
    evidence: Evidence


class Learned(Deed, frozen=True, kw_only=True):
    """A lesson passed, by its id."""

    lesson: str


class Mentored(Deed, frozen=True, kw_only=True):
    """A newcomer, by id, accompanied through their first credited match; its place is where both are known."""

    newcomer: str


class Campaigned(Deed, frozen=True, kw_only=True):
    """A campaign played to its end."""


class TournamentWon(Deed, frozen=True, kw_only=True):
    """The first place of a tournament."""


class SeasonAttended(Deed, frozen=True, kw_only=True):
    """A season of a league in which every own match was played and none forfeited, five or more of them."""


type Happening = Participation | Deed
"""What a life is made of, in order of play."""
