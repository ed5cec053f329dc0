"""Rounds in which nobody meets anybody twice: known designs, and exact search in small fields.

A *class* is a set of tables at which everybody sits once; a design is a row of classes in which no two meet twice. Built here
are transversal designs over the finite fields (with the affine planes: 9 in threes, 16 in fours, 25 in fives) and Kirkman's
fifteen. Sources: the constructions are those of any textbook (Beth, Jungnickel, Lenz: Design Theory, I.7 and VIII); every
design is checked pair by pair in the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

Class = tuple[tuple[int, ...], ...]
Fresh = Sequence[int]
"""For each player a bit mask of those he has not met."""

FIELDS = {
    2: (2, 1),
    3: (3, 1),
    4: (2, 0b111),
    5: (5, 1),
    7: (7, 1),
    8: (2, 0b1011),
    11: (11, 1),
    13: (13, 1),
    16: (2, 0b10011),
}
"""Orders of the finite fields used: the prime, and for powers of two the polynomial (bit n is xⁿ) by which is reduced."""

KIRKMAN_DAY = (
    (None, (0, 0), (0, 1)),
    ((1, 1), (2, 1), (4, 1)),
    ((1, 0), (5, 0), (3, 1)),
    ((4, 0), (6, 0), (5, 1)),
    ((2, 0), (3, 0), (6, 1)),
)
"""The first day of fifteen in threes: places in two rings of seven (place, ring), and the one between the rings."""


@cache
def design(n: int, size: int) -> tuple[Class, ...]:
    """Return the classes of the design of n players at tables of one size; empty where none is known here.

    The tables of the first class are (0, 1, …), (size, size+1, …) and so on.
    """
    if (n, size) == (15, 3):
        return _kirkman()
    groups, rest = divmod(n, size)
    return _transversal(size, groups) if not rest and groups in FIELDS and groups >= size >= 3 else ()


def _transversal(size: int, order: int) -> tuple[Class, ...]:
    """Return the classes of lines y = a·x + b over the field of that order, x among `size` of its elements, one class for each a.

    Player b·size + x is the point (x, b). Those of one x never meet; where they fill tables of their own, these are the last class.
    """
    lines = [
        tuple(tuple(_plus(order, b, _times(order, a, x)) * size + x for x in range(size)) for b in range(order))
        for a in range(order)
    ]
    if order % size == 0:
        columns = [[b * size + x for b in range(order)] for x in range(size)]
        lines.append(tuple(tuple(column[at : at + size]) for column in columns for at in range(0, order, size)))
    return tuple(lines)


def _plus(order: int, one: int, two: int) -> int:
    prime, _ = FIELDS[order]
    return (one + two) % order if prime == order else one ^ two


def _times(order: int, one: int, two: int) -> int:
    prime, polynomial = FIELDS[order]
    if prime == order:
        return one * two % order
    product = 0
    while two:
        if two & 1:
            product ^= one
        one, two = one << 1, two >> 1
        if one & order:
            one ^= polynomial
    return product


def continued(known: Sequence[Class], past: Sequence[Class]) -> list[Class]:
    """Return the classes of a design that may follow after these rounds, its players named by the tables of the first of them.

    :param past: the classes played so far, all of one size; the order of tables and players of the first one says who is who
    :return: empty if the rounds played are none of this design
    """
    name = [who for table in past[0] for who in table]
    if not known or len(name) != sum(map(len, known[0])):
        return []
    named = {
        _shape(tables): tables
        for tables in (tuple(tuple(name[at] for at in table) for table in each) for each in known)
    }
    for tables in past:
        if named.pop(_shape(tables), None) is None:
            return []
    return list(named.values())


def _shape(tables: Iterable[Sequence[int]]) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, tables))


def _kirkman() -> tuple[Class, ...]:
    """Return seven days for fifteen in threes: one day, turned by 1, 2, … 6 in two rings of seven around one who stays."""
    day = KIRKMAN_DAY

    def turned(who: tuple[int, int] | None, by: int) -> int:
        return 14 if who is None else who[1] * 7 + (who[0] + by) % 7

    days = [[tuple(turned(who, by) for who in table) for table in day] for by in range(7)]
    name = {who: at for at, who in enumerate(who for table in days[0] for who in table)}
    return tuple(tuple(tuple(name[who] for who in table) for table in day) for day in days)


def fresh(n: int, apart: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each of n players the mask of those he may meet: all but himself and those of the pairs given."""
    masks = [((1 << n) - 1) & ~(1 << who) for who in range(n)]
    for one, two in apart:
        masks[one] &= ~(1 << two)
        masks[two] &= ~(1 << one)
    return masks


class Budget:
    """So many tables may still be tried."""

    def __init__(self, left: int) -> None:
        self.left = left


def classes(fresh: Fresh, sizes: Sequence[int], budget: Budget, resting: Iterable[int] = ()) -> Iterator[Class]:
    """Yield classes of tables of these sizes in which all who meet are fresh to each other, until the budget is used up.

    Exact: if it ends with some budget left, there are no more. Whoever rests is left out.
    """
    left = {size: sizes.count(size) for size in sorted(set(sizes), reverse=True)}
    open = (1 << len(fresh)) - 1
    for who in resting:
        open &= ~(1 << who)
    yield from _classes(fresh, left, open, [], budget)


def _classes(
    fresh: Fresh, left: dict[int, int], open: int, tables: list[tuple[int, ...]], budget: Budget
) -> Iterator[Class]:
    if not open:
        yield tuple(tables)
        return
    least = min(size for size, times in left.items() if times)
    choices = [((fresh[who] & open).bit_count(), who) for who in range(len(fresh)) if open >> who & 1]
    free, first = min(choices)
    if free < least - 1:
        return
    for size, times in list(left.items()):
        if not times:
            continue
        left[size] -= 1
        for others in _cliques(fresh, fresh[first] & open, size - 1):
            budget.left -= 1
            if budget.left < 0:
                break
            taken = 1 << first
            for who in others:
                taken |= 1 << who
            tables.append((first, *others))
            yield from _classes(fresh, left, open & ~taken, tables, budget)
            tables.pop()
        left[size] += 1


def _cliques(fresh: Fresh, among: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield all sets of so many who are fresh to each other, lowest first."""
    if size == 0:
        yield ()
        return
    while among:
        low = among & -among
        among ^= low
        who = low.bit_length() - 1
        for others in _cliques(fresh, among & fresh[who], size - 1):
            yield (who, *others)


def without(fresh: Fresh, tables: Iterable[Sequence[int]]) -> list[int]:
    """Return who is still fresh to whom after these tables."""
    masks = list(fresh)
    for table in tables:
        taken = sum(1 << who for who in table)
        for who in table:
            masks[who] &= ~taken
    return masks


def reach(
    fresh: Fresh, sizes: Sequence[int], rounds: int, budget: Budget, resting: Sequence[int] = ()
) -> tuple[Class, ...]:
    """Return the longest row of further rounds without a repeat that was found, `rounds` at most."""
    best: tuple[Class, ...] = ()
    if rounds:
        for tables in classes(fresh, sizes, budget, resting):
            row = (tables, *reach(without(fresh, tables), sizes, rounds - 1, budget, resting))
            best = max(best, row, key=len)
            if len(best) == rounds or budget.left < 0:
                break
    return best


def renamed(tables: Iterable[Sequence[int]], names: Sequence[int]) -> Class:
    """Return the tables with other names for the players."""
    return tuple(tuple(names[who] for who in table) for table in tables)
