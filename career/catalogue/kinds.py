"""What a catalogue is made of."""

from __future__ import annotations

from datetime import date
from typing import Literal

from msgspec import Struct

Tier = Literal["bronze", "silver", "gold"]
TIERS: tuple[Tier, ...] = ("bronze", "silver", "gold")


class Rank(Struct, frozen=True):
    """One row of the ladder: attained by the person who meets all three figures."""

    id: str
    name: str
    credits: int
    years: int
    matches: int


class Badge(Struct, frozen=True):
    """One badge: which figure it reads, over what it is counted and the figures of its three tiers.

    `facts` are keys of the facts that the games' engines tell per seat; their values are added. `figure` names
    one of the figures of :mod:`career.badges` where a badge reads more than facts. `unless` names facts that must be
    absent from the match. `at_end` badges are earned at the event with which the result becomes known. `roles` says who
    earns it with the facts of a seat: its player, its General for what happened while in office, or both.
    """

    id: str
    name: str
    criterion: str
    scope: Literal["match", "career"]
    bronze: int
    silver: int
    gold: int
    game: str | None = None
    facts: tuple[str, ...] = ()
    figure: str | None = None
    unless: tuple[str, ...] = ()
    at_end: bool = False
    roles: tuple[Literal["player", "general"], ...] = ("player",)

    def threshold(self, tier: Tier) -> int:
        """Return the figure that a tier asks for."""
        return {"bronze": self.bronze, "silver": self.silver, "gold": self.gold}[tier]


class Catalogue(Struct, frozen=True):
    """One dated version of ranks, badges and learning credits. The first one holds for every earlier day."""

    version: str
    effective: date
    ranks: tuple[Rank, ...]
    badges: tuple[Badge, ...]
    credits: dict[str, tuple[str, int]]
    """Learning credits by rule id: what for, and how many a unit."""
    lessons: tuple[str, ...] = ()
    """Ids of the lessons that give a credit each (ROD-11)."""
    rulings_lesson: str = ""
    """Id of the lesson on rulings (ROD-15)."""

    def on(self, day: date) -> Catalogue:
        """Return itself: one catalogue alone holds for every day."""
        return self

    def rank(self, rank_id: str) -> Rank:
        """Return a rank by its id.

        :raises KeyError: naming the known ones
        """
        for rank in self.ranks:
            if rank.id == rank_id:
                return rank
        raise KeyError(f"no rank {rank_id!r}; known are {', '.join(rank.id for rank in self.ranks)}")

    def badge(self, badge_id: str) -> Badge:
        """Return a badge by its id.

        :raises KeyError: naming the known ones
        """
        for badge in self.badges:
            if badge.id == badge_id:
                return badge
        raise KeyError(f"no badge {badge_id!r}; known are {', '.join(badge.id for badge in self.badges)}")

    def rank_of(self, *, credits: int, years: int, matches: int) -> Rank | None:
        """Return the highest rank all of whose criteria are met (ROD-18), or None before the first credited match."""
        met = [
            rank for rank in self.ranks if credits >= rank.credits and years >= rank.years and matches >= rank.matches
        ]
        return met[-1] if met else None

    def step_of(self, rank_id: str | None) -> int:
        """Return the place of a rank on the ladder, 1 for the lowest and 0 for none."""
        return next((step for step, rank in enumerate(self.ranks, 1) if rank.id == rank_id), 0)


class Catalogues(Struct, frozen=True):
    """All versions of the catalogue, oldest first: what is earned on a day is earned by the one in force on it (ROD-06)."""

    versions: tuple[Catalogue, ...]

    def on(self, day: date) -> Catalogue:
        """Return the catalogue in force on a day; the first one holds for every day before it too."""
        begun = [one for one in self.versions if one.effective <= day]
        return begun[-1] if begun else self.versions[0]

    @property
    def badges(self) -> dict[str, Badge]:
        """Return by its id every badge there ever was, as its last version had it."""
        return {badge.id: badge for one in self.versions for badge in one.badges}
