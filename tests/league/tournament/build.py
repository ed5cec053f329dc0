"""Stages written down for tests: results as words, a round a line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from league.tournament.field import Entrant, Field, Kind, Penalty, Row, System

HALF = Fraction(1, 2)
WORTH = {"win": Fraction(1), "draw": HALF, "loss": Fraction(0)}
BYES = {
    "U": Kind.ALLOCATED_BYE, "H": Kind.HALF_BYE, "F": Kind.FULL_BYE, "Z": Kind.ABSENT, "P": Kind.POD_BYE, "A": Kind.AWARDED_BYE,
}  # fmt: skip
OUTCOMES = {
    "1": ("win", "loss"), "0": ("loss", "win"), "=": ("draw", "draw"), "+": ("win", "loss"), "-": ("loss", "win"),
}  # fmt: skip


def stage(
    names: str, *rounds: str, ratings: dict[str, int] | None = None, system: System = "swiss", win: int = 1,
    draw: Fraction = HALF, penalties: tuple[tuple[str, int, Fraction], ...] = (), **more: Any,
) -> Field:  # fmt: skip
    """Return a stage of the entrants (letters) and rounds, each as `A1B C=D EU`: A beat B, C drew D, E had the bye.

    `+` and `-` are forfeits, `x` is lost by both, `#` a double forfeit; U H F Z P A are the kinds of rounds without a game.
    """
    worth = {"win": Fraction(win), "draw": draw, "loss": Fraction(0)}
    entrants = tuple(Entrant(name, number, name, (ratings or {}).get(name, 0)) for number, name in enumerate(names, 1))
    rows: list[Row] = []
    for number, line in enumerate(rounds, 1):
        for table, said in enumerate(line.split(), 1):
            if len(said) == 2:
                kind = BYES[said[1]]
                points = {
                    "U": worth["win"],
                    "F": worth["win"],
                    "P": worth["win"],
                    "A": worth["win"],
                    "H": draw,
                    "Z": Fraction(0),
                }
                rows.append(Row(said[0], number, kind, points[said[1]]))
                continue
            first, sign, second = said
            if sign in "x#":
                kinds = (Kind.DOUBLE_LOSS if sign == "x" else Kind.DOUBLE_FORFEIT,) * 2
                outcomes: tuple[str, str] = ("loss", "loss")
            else:
                outcomes = OUTCOMES[sign]
                kinds = (Kind.PLAYED, Kind.PLAYED)
                if sign == "+":
                    kinds = (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS)
                if sign == "-":
                    kinds = (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN)
            for seat, (name, other) in enumerate(((first, second), (second, first))):
                outcome = outcomes[seat]
                rows.append(
                    Row(
                        name,
                        number,
                        kinds[seat],
                        worth[outcome],
                        (other,),
                        outcome,  # type: ignore[arg-type]
                        1 if outcome != "loss" else 2,
                        table,
                        seat,
                        2,
                    )
                )
    return Field(
        entrants, tuple(rows), len(rounds), system=system, win=worth["win"], draw=draw, loss=worth["loss"],
        penalties=tuple(Penalty(who, at, points) for who, at, points in penalties), **more,
    )  # fmt: skip
