"""What a stage of a tournament is made of: its entrants, and for each entrant one row a round. Pure, and exact in every figure.

The kinds of rows that are no played game, and what each counts as, are one table: points, standings, pairing, report files and
words all read it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from msgspec import Struct, field

Outcome = Literal["win", "draw", "loss"]
System = Literal["swiss", "pods", "round_robin", "elimination"]
Worth = Literal["result", "win", "draw", "loss"]


class Kind(StrEnum):
    """What a row is: a game at the board, or one of the things that are none."""

    PLAYED = "played"
    DOUBLE_LOSS = "double_loss"
    ALLOCATED_BYE = "allocated_bye"
    HALF_BYE = "half_bye"
    FULL_BYE = "full_bye"
    ABSENT = "absent"
    LATE = "late"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    DOUBLE_FORFEIT = "double_forfeit"
    AWARDED_BYE = "awarded_bye"
    POD_BYE = "pod_bye"


class KindFacts(Struct, frozen=True):
    """What one kind of row counts as.

    :ivar trf: its letter in FIDE's report files, where it has one
    :ivar worth: whose points it gives where the stage says nothing else
    :ivar available: whether the entrant was available to play in that round
    :ivar voluntary: whether it is a voluntarily unplayed round
    :ivar encounter: whether the two have met by it
    """

    trf: str
    worth: Worth
    available: bool
    voluntary: bool
    encounter: bool


KINDS: Mapping[Kind, KindFacts] = {
    Kind.PLAYED: KindFacts("", "result", available=True, voluntary=False, encounter=True),
    Kind.DOUBLE_LOSS: KindFacts("", "loss", available=True, voluntary=False, encounter=True),
    Kind.ALLOCATED_BYE: KindFacts("U", "win", available=True, voluntary=False, encounter=False),
    Kind.HALF_BYE: KindFacts("H", "draw", available=False, voluntary=True, encounter=False),
    Kind.FULL_BYE: KindFacts("F", "win", available=False, voluntary=True, encounter=False),
    Kind.ABSENT: KindFacts("Z", "loss", available=False, voluntary=True, encounter=False),
    Kind.LATE: KindFacts("Z", "loss", available=False, voluntary=True, encounter=False),
    Kind.FORFEIT_WIN: KindFacts("+", "win", available=True, voluntary=False, encounter=False),
    Kind.FORFEIT_LOSS: KindFacts("-", "loss", available=False, voluntary=True, encounter=False),
    Kind.DOUBLE_FORFEIT: KindFacts("-", "loss", available=False, voluntary=True, encounter=False),
    Kind.AWARDED_BYE: KindFacts("F", "win", available=True, voluntary=False, encounter=False),
    Kind.POD_BYE: KindFacts("U", "win", available=True, voluntary=False, encounter=False),
}
BYES = frozenset({Kind.ALLOCATED_BYE, Kind.HALF_BYE, Kind.FULL_BYE, Kind.AWARDED_BYE, Kind.POD_BYE})
NO_BYE_AFTER = frozenset({Kind.ALLOCATED_BYE, Kind.FULL_BYE, Kind.FORFEIT_WIN, Kind.POD_BYE, Kind.AWARDED_BYE})
"""Rows after which nobody is given the bye of an odd number while somebody else may have it."""


class Entrant(Struct, frozen=True):
    """Somebody who plays, by the id of the person and the pairing number of the stage (1 is the first seed).

    :ivar rating: the seed rating, 0 for none
    :ivar group: entrants of one group (a club, a family) are kept apart where that costs nothing else
    :ivar table: the table that this entrant needs in every round
    """

    id: str
    number: int
    name: str = ""
    rating: int = 0
    group: str = ""
    table: int | None = None


class Row(Struct, frozen=True):
    """What one entrant did in one round.

    :ivar points: the points of the stage, before penalties
    :ivar opponents: ids of the others at the table; of a forfeit those who were to be met; empty without a table
    :ivar seat: 0 begins (in chess: has white)
    :ivar size: seats at the table, 0 without one
    :ivar score: victory points of the game, where it has them
    :ivar games: won, drawn and lost games of a row that is a series
    :ivar agreed: a draw that both agreed on without playing
    """

    entrant: str
    round: int
    kind: Kind
    points: Fraction
    opponents: tuple[str, ...] = ()
    outcome: Outcome | None = None
    place: int | None = None
    table: int | None = None
    seat: int | None = None
    size: int = 0
    score: Fraction | None = None
    games: tuple[int, int, int] | None = None
    agreed: bool = False

    @property
    def facts(self) -> KindFacts:
        """Return what its kind counts as."""
        return KINDS[self.kind]


class Penalty(Struct, frozen=True):
    """Points taken from an entrant: an act of its own, which no result and no correction touches."""

    entrant: str
    round: int
    points: Fraction
    kind: str = "points"


class Field(Struct, frozen=True):
    """A stage as far as its results are known: the input of pairing, standings and report files.

    :ivar rounds: how many rounds have rows; `planned` is how many there will be (0: not said)
    :ivar win, draw, loss: points of the outcomes for two seats
    :ivar dropped: entrants who are out, and the first round that they do not play
    :ivar disqualified: entrants who leave the standings
    :ivar seed: text from which every lot is drawn
    """

    entrants: tuple[Entrant, ...]
    rows: tuple[Row, ...] = ()
    rounds: int = 0
    planned: int = 0
    system: System = "swiss"
    win: Fraction = Fraction(1)
    draw: Fraction = Fraction(1, 2)
    loss: Fraction = Fraction(0)
    penalties: tuple[Penalty, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    disqualified: frozenset[str] = frozenset()
    seed: str = ""

    def rows_of(self) -> dict[str, list[Row]]:
        """Return the rows of each entrant in order of rounds; an entrant without any has an empty list."""
        told: dict[str, list[Row]] = {one.id: [] for one in self.entrants}
        for row in self.rows:
            told[row.entrant].append(row)
        for rows in told.values():
            rows.sort(key=lambda row: row.round)
        return told

    def points(self) -> dict[str, Fraction]:
        """Return the points of each entrant: of all rows, less the penalties."""
        sums: dict[str, Fraction] = defaultdict(Fraction)
        for row in self.rows:
            sums[row.entrant] += row.points
        for penalty in self.penalties:
            sums[penalty.entrant] -= penalty.points
        return {one.id: sums[one.id] for one in self.entrants}
