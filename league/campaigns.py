"""The table of a campaign (ROD-60): n points for the first of n, n − 1 for the second, 1 for the last, none for a forfeit."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from league.seasons import Finish, points_of

LEAST = 3
"""Matches of the shortest campaign."""


class Placed(Struct, frozen=True):
    """Somebody's place in a campaign: points, first places, place."""

    person: str
    points: int
    firsts: int
    place: int


def table(finishes: Iterable[Finish]) -> list[Placed]:
    """Return the final table: most points win, among equals more first places, and who is still equal shares the place."""
    points: dict[str, int] = {}
    firsts: dict[str, int] = {}
    for one in finishes:
        points[one.person] = points.get(one.person, 0) + points_of(one, None)
        firsts[one.person] = firsts.get(one.person, 0) + (one.place == 1 and not one.forfeited)
    order = sorted(points, key=lambda person: (-points[person], -firsts[person], person))
    told: list[Placed] = []
    for number, person in enumerate(order, 1):
        equal = told and (told[-1].points, told[-1].firsts) == (points[person], firsts[person])
        told.append(Placed(person, points[person], firsts[person], told[-1].place if equal else number))
    return told
