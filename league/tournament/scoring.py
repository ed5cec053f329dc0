"""Points of a stage: what a place at a table of so many seats gives, and what the rounds give in which nobody played.

Sources of the presets: two seats as usual in chess and in card games; pods after league-facts 4.6 (win 5 and draw 1; 2n − 1 for a win
at a table of n; lists by place). Points are exact fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from league.tournament.field import KINDS, Kind

Rule = Literal["result", "places", "two_n", "score"]


class Scoring(Struct, frozen=True):
    """How a stage gives points.

    :ivar rule: `result` (win, draw, loss), `places` (a list for each size of table), `two_n` (2n − 1 for a win, 1 for each who shares
        the first place), `score` (the points of the game itself)
    :ivar places: points by place, first place first, by the size of the table; ties share the sum of the places they take
    """

    key: str
    title: str
    win: Fraction
    draw: Fraction
    loss: Fraction
    rule: Rule = "result"
    places: Mapping[int, tuple[int, ...]] = {}

    def played(self, *, place: int, tied: int, size: int, score: Fraction | None = None) -> Fraction:
        """Return the points of a place at a table of `size` seats that `tied` entrants share (1: nobody else has it).

        :raises ValueError: for a place that a table of this size does not have
        """
        if not 1 <= place <= size or not 1 <= tied <= size - place + 1:
            raise ValueError(f"no place {place} shared by {tied} at a table of {size}")
        if self.rule == "score":
            return score if score is not None else Fraction(0)
        if self.rule == "places":
            listed = self.list_for(size)
            return Fraction(sum(listed[place - 1 : place - 1 + tied]), tied)
        if place > 1:
            return self.loss
        if tied > 1:
            return self.draw
        return Fraction(2 * size - 1) if self.rule == "two_n" else self.win

    def list_for(self, size: int) -> tuple[int, ...]:
        """Return the points by place at a table of so many seats; without a list n of n seats give n."""
        return self.places.get(size) or tuple(range(size, 0, -1))

    def bye(self, kind: Kind) -> Fraction:
        """Return the points of a round in which somebody did not play, by what kind of round it is."""
        return {"win": self.win, "draw": self.draw, "loss": self.loss, "result": self.loss}[KINDS[kind].worth]


def _scoring(key: str, title: str, win: int | Fraction, draw: int | Fraction, loss: int = 0, **more: object) -> Scoring:
    return Scoring(key, title, Fraction(win), Fraction(draw), Fraction(loss), **more)  # type: ignore[arg-type]


SCORINGS: Mapping[str, Scoring] = {
    one.key: one
    for one in (
        _scoring("classic", "1 – ½ – 0", 1, Fraction(1, 2)),
        _scoring("three", "3 – 1 – 0", 3, 1),
        _scoring("two", "2 – 1 – 0", 2, 1),
        _scoring("pod-win", "5 for a win, 1 for a draw", 5, 1),
        _scoring("two-n", "2n − 1 for a win, 1 for a draw", 7, 1, rule="two_n"),
        _scoring(
            "places", "5 – 3 – 2 – 1 by place", 5, Fraction(5, 2), rule="places",
            places={2: (5, 1), 3: (5, 3, 1), 4: (5, 3, 2, 1), 5: (5, 3, 2, 1, 0)},
        ),
        _scoring("beaten", "n of n seats by place", 4, 2, 1, rule="places"),
        _scoring("score", "the points of the game", 0, 0, rule="score"),
    )
}  # fmt: skip
