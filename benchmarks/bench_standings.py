"""Standings of 1,000 players after 9 rounds with five tie-breaks, every value with its addends. Aim: under 300 ms."""

from __future__ import annotations

import random
import time
from fractions import Fraction

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.standings import standings

PLAYERS, ROUNDS, AIM = 1000, 9, 0.3
WORTH = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}


def stage(players: int = PLAYERS, rounds: int = ROUNDS) -> Field:
    """Return a stage in which neighbours by points have met, with chance results and some who were away."""
    chance = random.Random(6)
    points = dict.fromkeys((f"p{at:04d}" for at in range(players)), Fraction(0))
    rows: list[Row] = []
    for at in range(1, rounds + 1):
        order = sorted(points, key=lambda id: (-points[id], chance.random()))
        away = set(chance.sample(order, 10))
        here = [id for id in order if id not in away]
        told = [
            Row(id, at, Kind.HALF_BYE if at < 3 else Kind.ABSENT, WORTH["draw" if at < 3 else "loss"])
            for id in sorted(away)
        ]
        for one, two in zip(here[::2], here[1::2], strict=True):
            mine, theirs = chance.choice((("win", "loss"), ("draw", "draw"), ("loss", "win")))
            told += [
                Row(one, at, Kind.PLAYED, WORTH[mine], (two,), mine, seat=0, size=2),  # type: ignore[arg-type]
                Row(two, at, Kind.PLAYED, WORTH[theirs], (one,), theirs, seat=1, size=2),  # type: ignore[arg-type]
            ]
        for row in told:
            points[row.entrant] += row.points
        rows += told
    entrants = tuple(Entrant(id, at, rating=2400 - at) for at, id in enumerate(points, 1))
    return Field(entrants, tuple(rows), rounds, rounds)


def measure(calibrated: float) -> None:
    """Print the best of five."""
    field = stage()
    for key, codes in (
        ("fide-2026-03", ("BH-C1", "BH", "SB", "DE", "WIN")),
        ("mtr-2026-02", ("OMW", "GW", "OGW", "OOWP", "SOS")),
    ):
        best = 60.0
        for _ in range(5):
            began = time.perf_counter()
            standings(field, key, codes)
            best = min(best, time.perf_counter() - began)
        print(f"{PLAYERS:,} players × {ROUNDS} rounds, {', '.join(codes)}: {best * 1000:.0f} ms (aim {AIM * 1000:.0f})")
