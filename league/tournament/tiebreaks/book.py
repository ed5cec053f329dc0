"""What all tie-breaks read of a stage: rows by entrant, points, adjusted points of opponents, dummies of unplayed rounds."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.rulesets import Ruleset

type Figure = Fraction | int | tuple[int, ...] | None
ZERO = Fraction(0)


class Addend(Struct, frozen=True):
    """One part of a value: of which round, which opponent, how much, by which rule, and whether it was cut.

    :ivar rule: a code that the pages have words for
    """

    round: int
    opponent: str
    value: Fraction
    rule: str = "opponent"
    cut: bool = False


class Value(Struct, frozen=True):
    """A tie-break of an entrant. Undefined (None) is not 0: it stands below every number and is shown as a dash."""

    value: Figure
    text: str
    addends: tuple[Addend, ...] = ()

    @property
    def key(self) -> tuple[int, Fraction | int | tuple[int, ...]]:
        """Return what values are ordered by, more is better."""
        return (0, 0) if self.value is None else (1, self.value)


def exact(value: Figure) -> str:
    """Return a figure as exact text: a decimal where it has an end within six places, else a fraction, a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return "".join(map(str, value)) or "–"
    value = Fraction(value)
    scaled = value * 1_000_000
    if scaled.denominator == 1:
        whole, rest = divmod(abs(scaled.numerator), 1_000_000)
        text = f"{whole}.{rest:06}".rstrip("0").rstrip(".")
        return f"-{text}" if value < 0 else text
    return str(value)


def summed(addends: Iterable[Addend]) -> Value:
    """Return the sum of what is not cut; undefined if nothing is left of something."""
    parts = tuple(addends)
    kept = [one.value for one in parts if not one.cut]
    if parts and not kept:
        return Value(None, "–", parts)
    total = sum(kept, ZERO)
    return Value(total, exact(total), parts)


class Book:
    """A stage opened for tie-breaks."""

    def __init__(self, field: Field, ruleset: Ruleset) -> None:
        self.field, self.ruleset = field, ruleset
        self.rows = field.rows_of()
        self.points = field.points()
        self.entrants: dict[str, Entrant] = {one.id: one for one in field.entrants}
        self.at = {(row.entrant, row.round): row for row in field.rows}
        self.kept: dict[tuple[str, str], Value] = {}
        self.drawn: Book | None = None

    @cached_property
    def adjusted(self) -> dict[str, Fraction]:
        """Return the points of each entrant as their opponents count them.

        A requested bye or absence after which somebody never again was available is taken as a draw (FIDE C.07, article 16); not in a
        round robin.
        """
        if self.ruleset.unplayed == "plain" or self.field.system == "round_robin":
            return self.points
        told = dict(self.points)
        for entrant, rows in self.rows.items():
            for row in reversed(rows):
                if row.facts.available:
                    break
                if row.kind in (Kind.HALF_BYE, Kind.FULL_BYE, Kind.ABSENT, Kind.LATE):
                    told[entrant] += self.field.draw - row.points
        return told

    @property
    def has_dummies(self) -> bool:
        """Return whether an unplayed round is a game against a dummy: under FIDE's editions, and not in a round robin."""
        return self.ruleset.unplayed != "plain" and self.field.system != "round_robin"

    def dummy(self, row: Row) -> tuple[Fraction, str]:
        """Return what stands for the opponent of a round that an entrant did not play, and by which rule.

        Since 2023 it is the entrant's own points; from March 2026 on no more than those of the opponent who was to be met (after a
        forfeit), or than half of the rounds' points.
        """
        own = self.points[row.entrant]
        if self.ruleset.unplayed == "fide-2026":
            if row.opponents and row.kind in (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT):
                cap = self.adjusted[row.opponents[0]]
            else:
                cap = self.field.draw * max(self.field.planned, self.field.rounds)
            return (min(own, cap), "dummy_capped" if own > cap else "dummy")
        return own, "dummy"

    def met(self, entrant: str) -> Iterable[tuple[Row, str]]:
        """Yield each row played at the board with each opponent of it."""
        for row in self.rows[entrant]:
            if row.facts.encounter:
                for opponent in row.opponents:
                    yield row, opponent

    def against(self, row: Row, opponent: str) -> Fraction:
        """Return the result against one opponent: the points of a row of two seats; in a pod 1, ½ or 0 by who was placed better."""
        if row.size <= 2:
            return row.points
        other = self.at.get((opponent, row.round))
        if row.place is None or other is None or other.place is None or row.place == other.place:
            return Fraction(1, 2)
        return Fraction(row.place < other.place)

    def beat(self, row: Row, opponent: str) -> Fraction:
        """Return 1, ½ or 0 for a win, draw or loss against an opponent, whatever points those give."""
        if row.size <= 2:
            return {"win": Fraction(1), "draw": Fraction(1, 2)}.get(row.outcome or "", ZERO)
        return self.against(row, opponent)
