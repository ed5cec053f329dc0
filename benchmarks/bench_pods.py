"""Pods of four: the slowest of five rounds, with results drawn by lot, and the repeats in them. The aim: 256 players under 1 s a round."""

from __future__ import annotations

import time
from fractions import Fraction

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.pairing import pods
from league.tournament.pairing.base import Pairing, lot

FIELDS = (16, 37, 64, 128, 256, 500)
ROUNDS = 5
POINTS = {3: (5, 3, 1), 4: (5, 3, 2, 1)}


def measure(_: float) -> None:
    """Print the figures."""
    for n in FIELDS:
        field = Field(
            tuple(Entrant(f"p{number}", number) for number in range(1, n + 1)),
            planned=ROUNDS,
            system="pods",
            seed="bench",
        )
        rows: list[Row] = []
        slowest, repeats = 0.0, 0
        for round in range(1, ROUNDS + 1):
            field = Field(field.entrants, tuple(rows), round - 1, ROUNDS, "pods", seed="bench")
            began = time.perf_counter()
            pairing = pods.pair(field, round=round, present=[one.id for one in field.entrants])
            slowest = max(slowest, time.perf_counter() - began)
            repeats += sum(note.code == "rematch" for note in pairing.notes)
            rows += _played(pairing, round)
        print(f"  {n:>4} players: {slowest * 1000:>6.0f} ms the slowest of {ROUNDS} rounds, {repeats} repeats")


def _played(pairing: Pairing, round: int) -> list[Row]:
    rows = []
    for table in pairing.tables:
        order = sorted(table.seats, key=lambda who: lot("bench", round, who))
        for points, who in zip(POINTS[len(order)], order, strict=True):
            others = tuple(other for other in order if other != who)
            rows.append(
                Row(who, round, Kind.PLAYED, Fraction(points), others, seat=table.seats.index(who), size=len(order))
            )
    return rows
