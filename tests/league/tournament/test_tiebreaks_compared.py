"""Figures of another program, as data.

Source: TieBreakServer of FIDE's technical commission (github.com/OttoMilvang/TieBreakServer, MIT), `tests/test_tiebreak_cut.py` at
1d0b1d6a0cfb0dc25bf94256337a3bb9e421e53d. The event and the figures are those of that file; where a cut leaves nothing it says 0 and
we say that there is no value.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from league.tournament.field import Entrant, Field, Kind, Outcome, Row
from league.tournament.rulesets import RULESETS
from league.tournament.tiebreaks.book import Book, summed
from league.tournament.tiebreaks.codes import _buchholz_parts, _cut

POINTS = {"1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0)}
OUTCOMES: dict[str, Outcome] = {"1": "win", "=": "draw", "0": "loss"}
BYES = {"U": (Kind.ALLOCATED_BYE, Fraction(1)), "Z": (Kind.ABSENT, Fraction(0))}
# Five players, five rounds; player 5 leaves after the first. Per player and round: opponent and result, or a bye.
WITHDRAWAL = {
    1: "U 2:1 3:1 4:= U",
    2: "5:1 1:0 U 3:1 4:0",
    3: "4:= U 1:0 2:0 U",
    4: "3:= U U 1:= 2:1",
    5: "2:0 Z Z Z Z",
}
FIGURES = {
    (0, 0): ("9.5", "11", "11.5", "10", "3"),
    (1, 0): ("7", "11", "8.5", "7.5", "–"),
    (2, 0): ("4", "8.5", "4.5", "4.5", "–"),
    (1, 1): ("3", "6.5", "4", "3", "–"),
}


@pytest.mark.parametrize("cut", FIGURES)
def test_the_cuts_are_those_of_the_technical_commissions_program(cut: tuple[int, int]) -> None:
    rows = []
    for number, course in WITHDRAWAL.items():
        for at, told in enumerate(course.split(), 1):
            if told in BYES:
                rows.append(Row(str(number), at, *BYES[told]))
            else:
                other, result = told.split(":")
                rows.append(Row(str(number), at, Kind.PLAYED, POINTS[result], (other,), OUTCOMES[result], size=2))
    entrants = tuple(Entrant(str(number), number) for number in WITHDRAWAL)
    book = Book(Field(entrants, tuple(rows), 5, 5, "round_robin"), RULESETS["fide-2026-03"])
    assert tuple(summed(_cut(_buchholz_parts(book, str(number)), *cut)).text for number in WITHDRAWAL) == FIGURES[cut]
