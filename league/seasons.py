"""The table of a season: points by finish, the best or all but the worst counted, and how equal totals are parted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from msgspec import Struct

type Counted = Literal["counts", "dropped", "pending"]


class Finish(Struct, frozen=True):
    """How somebody finished in a match: place among so many players; a forfeit gives nothing."""

    match: str
    on: date
    person: str
    place: int
    players: int
    forfeited: bool = False
    is_pending: bool = False
    """The result is not confirmed yet: shown, and counted nowhere."""


class Line(Struct, frozen=True):
    """One finish in somebody's row, its points, and whether they count."""

    finish: Finish
    points: int
    counted: Counted


class Row(Struct, frozen=True):
    """Somebody's row of the table: the total of what counts, the place, and every line behind it."""

    person: str
    points: int
    place: int
    lines: tuple[Line, ...]

    @property
    def played(self) -> int:
        """Return how many confirmed matches it is made of."""
        return sum(line.counted != "pending" for line in self.lines)

    @property
    def best(self) -> tuple[int, ...]:
        """Return the points that count, most first."""
        return tuple(sorted((line.points for line in self.lines if line.counted == "counts"), reverse=True))


def points_of(finish: Finish, points: Sequence[int] | None) -> int:
    """Return the points of a finish: by the list, first place first and nothing behind its end; without one n − place + 1 of n."""
    if finish.forfeited:
        return 0
    if points is None:
        return max(0, finish.players - finish.place + 1)
    return points[finish.place - 1] if finish.place <= len(points) else 0


def table(
    finishes: Iterable[Finish],
    *,
    points: Sequence[int] | None = None,
    best_n: int | None = None,
    drop_n: int | None = None,
) -> list[Row]:
    """Return the table, first place first.

    `best_n` counts so many of the best finishes of each; `drop_n` leaves out so many of the worst of those played. Equal totals are
    parted by the best single finish, then the next best and so on, then by fewer matches; who is still equal shares the place.
    """
    by_person: dict[str, list[Finish]] = {}
    for one in finishes:
        by_person.setdefault(one.person, []).append(one)
    rows = [
        Row(person, 0, 0, _lines(mine, points=points, best_n=best_n, drop_n=drop_n))
        for person, mine in sorted(by_person.items())
    ]
    keyed = sorted(((_key(row), row) for row in rows), key=lambda one: (one[0], one[1].person))
    told: list[Row] = []
    before: object = None
    place = 0
    for number, (key, row) in enumerate(keyed, 1):
        place = place if key == before else number
        before = key
        told.append(Row(row.person, sum(row.best), place, row.lines))
    return told


def _key(row: Row) -> tuple[object, ...]:
    return (-sum(row.best), tuple(-one for one in row.best), row.played)


def _lines(
    finishes: list[Finish], *, points: Sequence[int] | None, best_n: int | None, drop_n: int | None
) -> tuple[Line, ...]:
    worth = [(points_of(one, points), one) for one in finishes]
    settled = sorted(
        (pair for pair in worth if not pair[1].is_pending), key=lambda pair: (-pair[0], pair[1].on, pair[1].match)
    )
    most = len(settled)
    if drop_n is not None:
        most = max(0, most - drop_n)
    if best_n is not None:
        most = min(most, best_n)
    counted = {one.match for _worth, one in settled[:most]}
    return tuple(
        Line(one, value, "pending" if one.is_pending else "counts" if one.match in counted else "dropped")
        for value, one in sorted(worth, key=lambda pair: (pair[1].on, pair[1].match))
    )
