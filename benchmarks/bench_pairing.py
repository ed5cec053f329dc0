"""A Swiss round after five: 100, 512, 1,000 and 5,000 players (aims 0.13, 0.6, 1.5 and 5 s), and the FIDE Dutch engine up to 256."""

from __future__ import annotations

import time
from fractions import Fraction

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.pairing import dutch, swiss
from league.tournament.pairing.base import Pairing, lot

AIMS = {100: 0.13, 512: 0.6, 1_000: 1.5, 5_000: 5.0}
ROUNDS = 5
WORTH = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}


def after(players: int, rounds: int = ROUNDS) -> Field:
    """Return a stage of so many players after so many rounds paired by our own engine, results drawn by lot."""
    entrants = tuple(Entrant(f"p{at}", at, rating=2400 - at) for at in range(1, players + 1))
    rows: list[Row] = []
    for number in range(1, rounds + 1):
        field = Field(entrants, tuple(rows), number - 1, rounds + 1, seed="bench")
        rows += _played(swiss.pair(field, round=number, present=[one.id for one in entrants], seed="bench"), number)
    return Field(entrants, tuple(rows), rounds, rounds + 1, seed="bench")


def _played(pairing: Pairing, number: int) -> list[Row]:
    rows = [Row(one.entrant, number, one.kind, Fraction(1)) for one in pairing.byes]
    for table in pairing.tables:
        first, second = table.seats
        mine = ("win", "draw", "loss")[lot("bench", number, first) % 3]
        theirs = {"win": "loss", "draw": "draw", "loss": "win"}[mine]
        for seat, (who, other, outcome) in enumerate(((first, second, mine), (second, first, theirs))):
            rows.append(
                Row(who, number, Kind.PLAYED, WORTH[outcome], (other,), outcome, None, table.number, seat, 2)  # type: ignore[arg-type]
            )
    return rows


def measure(calibrated: float) -> None:
    """Print how long the sixth round takes."""
    for players, aim in AIMS.items():
        field = after(players)
        began = time.perf_counter()
        told = swiss.pair(field, round=ROUNDS + 1, present=[one.id for one in field.entrants], seed="bench")
        took = time.perf_counter() - began
        rematches = sum(one.code == "rematch" for one in told.notes)
        print(f"  {players:>5,} players: {took:6.3f} s (aim {aim} s), {rematches} rematches")
    for players in (64, 256):
        field = after(players)
        began = time.perf_counter()
        dutch.pair(field, round=ROUNDS + 1, present=[one.id for one in field.entrants])
        print(f"  {players:>5,} players by FIDE Dutch: {time.perf_counter() - began:6.3f} s")
