"""Who sits where: the one who began least often begins, the other seats are spread evenly, and what is left is drawn by lot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

from league.tournament.field import Field
from league.tournament.pairing.base import lot

History = Mapping[str, Sequence[int]]


def history(field: Field, *, before: int) -> dict[str, tuple[int, ...]]:
    """Return the seats each entrant has had in the rounds before this one, oldest first; 0 began. Rounds without a seat are left out."""
    return {
        entrant: tuple(row.seat for row in rows if row.round < before and row.seat is not None and row.facts.encounter)
        for entrant, rows in field.rows_of().items()
    }


def order(groups: Iterable[Sequence[str]], history: History, seed: str) -> tuple[tuple[str, ...], ...]:
    """Return the groups with their members in the order of seats; the first one begins.

    More than two: of all orders the one in which (1) who begins has begun least often, (2) the sum over all of (times in
    that seat)² is least, (3) fewest have the seat of their last game again, (4) the lot is lowest. Two: who has begun less
    often for his games, then who did not begin in the latest game in which the two differ, then the lot. The order in which
    members are given does not matter.

    :param groups: the entrants of each table, two to six of them
    :param history: the seats each has had, oldest first; whoever is missing has had none
    :param seed: text of this round from which lots are drawn
    """
    return tuple(_two(group, history, seed) if len(group) == 2 else _many(group, history, seed) for group in groups)


def _two(group: Sequence[str], history: History, seed: str) -> tuple[str, ...]:
    one, two = sorted(group)
    began = {who: [seat == 0 for seat in history.get(who, ())] for who in (one, two)}
    surplus = {who: 2 * sum(games) - len(games) for who, games in began.items()}
    if surplus[one] != surplus[two]:
        return (one, two) if surplus[one] < surplus[two] else (two, one)
    for mine, theirs in zip(reversed(began[one]), reversed(began[two]), strict=False):
        if mine != theirs:
            return (two, one) if mine else (one, two)
    return (one, two) if lot(seed, "begins", one, two) % 2 == 0 else (two, one)


def _many(group: Sequence[str], history: History, seed: str) -> tuple[str, ...]:
    members = sorted(group, key=lambda who: (lot(seed, "seat", who), who))
    had = [history.get(who, ()) for who in members]
    times = [[seats.count(seat) for seat in range(len(members))] for seats in had]
    last = [seats[-1] if seats else None for seats in had]

    def key(seated: tuple[int, ...]) -> tuple[int, int, int, tuple[int, ...]]:
        return (
            times[seated[0]][0],
            sum(2 * times[who][seat] + 1 for seat, who in enumerate(seated)),
            sum(last[who] == seat for seat, who in enumerate(seated)),
            seated,
        )

    return tuple(members[who] for who in min(permutations(range(len(members))), key=key))
