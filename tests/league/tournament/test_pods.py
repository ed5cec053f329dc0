"""Swiss in pods: the sizes of tables, who meets whom, who has the bye, and what an organizer is told about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.pairing import pods
from league.tournament.pairing.base import Pairing, PairingImpossible, lot

PLACES = {3: (5, 3, 1), 4: (5, 3, 2, 1), 5: (5, 4, 3, 2, 1)}
"""Points by place at a table of so many."""

Finish = Callable[[int, tuple[str, ...]], list[str]]


def a_field(n: int, **more: Any) -> Field:
    return Field(
        tuple(Entrant(f"p{number:03}", number) for number in range(1, n + 1)), system="pods", **{"seed": "s", **more}
    )


def ids(field: Field) -> list[str]:
    return [one.id for one in field.entrants]


def by_lot(seed: str) -> Finish:
    """Return finishes that are drawn."""
    return lambda round, seats: sorted(seats, key=lambda who: lot(seed, "finish", round, who))


def best_seed_wins(_: int, seats: tuple[str, ...]) -> list[str]:
    return sorted(seats)


def played(field: Field, pairing: Pairing, round: int, finish: Finish, absent: Iterable[str] = ()) -> Field:
    """Return the field with the results of a round."""
    rows = list(field.rows)
    for table in pairing.tables:
        order = finish(round, table.seats)
        for place, who in enumerate(order, 1):
            others = tuple(other for other in table.seats if other != who)
            points = Fraction(PLACES[len(order)][place - 1])
            seat = table.seats.index(who)
            rows.append(
                Row(
                    who, round, Kind.PLAYED, points, others, place=place, table=table.number, seat=seat, size=len(order)
                )
            )
    rows += [Row(bye.entrant, round, bye.kind, Fraction(5)) for bye in pairing.byes]
    rows += [Row(who, round, Kind.ABSENT, Fraction(0)) for who in absent]
    return replace(field, rows=tuple(rows), rounds=round)


def an_event(field: Field, rounds: int, finish: Finish, **options: Any) -> tuple[Field, list[Pairing]]:
    """Return the field after so many rounds, and their pairings."""
    pairings = []
    for round in range(1, rounds + 1):
        pairings.append(pods.pair(field, round=round, present=ids(field), **options))
        field = played(field, pairings[-1], round, finish)
    return field, pairings


def repeats(pairings: Iterable[Pairing]) -> list[int]:
    """Return for each round how many pairs had met before."""
    seen: set[frozenset[str]] = set()
    told = []
    for pairing in pairings:
        pairs = {frozenset(two) for table in pairing.tables for two in combinations(table.seats, 2)}
        told.append(len(pairs & seen))
        seen |= pairs
    return told


def notes(pairing: Pairing, code: str) -> list[tuple[str, ...]]:
    return [note.entrants for note in pairing.notes if note.code == code]


@pytest.mark.parametrize(
    ("n", "preferred", "filler", "tables", "byes"),
    [
        (3, 4, 3, (3,), 0),
        (4, 4, 3, (4,), 0),
        (5, 4, 3, (4,), 1),
        (6, 4, 3, (3, 3), 0),
        (9, 4, 3, (3, 3, 3), 0),
        (37, 4, 3, (4,) * 7 + (3,) * 3, 0),
        (6, 4, 5, (5,), 1),
        (7, 4, 5, (5,), 2),
        (11, 4, 5, (5, 5), 1),
        (13, 4, 5, (4, 4, 5), 0),
        (11, 5, 4, (5, 5), 1),
        (12, 5, 4, (4, 4, 4), 0),
        (15, 4, None, (4, 4, 4), 3),
        (5, 3, 4, (4,), 1),
    ],
)
def test_tables_are_of_the_preferred_size_and_the_fewest_of_the_filler_size(
    n: int, preferred: int, filler: int | None, tables: tuple[int, ...], byes: int
) -> None:
    assert pods.sizes(n, preferred, filler) == pods.Sizes(tables, byes)


@pytest.mark.parametrize(("preferred", "filler", "impossible"), [(4, 3, {5}), (4, 5, {6, 7, 11}), (5, 4, {6, 7, 11})])
def test_only_a_few_small_fields_need_a_bye(preferred: int, filler: int, impossible: set[int]) -> None:
    least = min(preferred, filler)
    assert {n for n in range(least, 200) if pods.sizes(n, preferred, filler).byes} == impossible


@pytest.mark.parametrize(
    ("n", "preferred", "filler", "tables"),
    [
        (5, 4, 3, (5,)),
        (3, 4, 5, (3,)),
        (6, 4, 5, (3, 3)),
        (7, 4, 5, (4, 3)),
        (11, 4, 5, (4, 4, 3)),
        (11, 5, 4, (4, 4, 3)),
    ],
)
def test_the_third_size_takes_the_place_of_byes_where_the_rules_say_so(
    n: int, preferred: int, filler: int, tables: tuple[int, ...]
) -> None:
    assert pods.sizes(n, preferred, filler, "other") == pods.Sizes(tables, 0)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_too_few_for_one_table_are_refused(n: int) -> None:
    with pytest.raises(PairingImpossible, match=f"{n} cannot fill a table of 3"):
        pods.sizes(n, 4, 3, "other")


@pytest.mark.parametrize(("preferred", "filler"), [(4, 4), (2, 3), (4, 6), (6, 5)])
def test_other_sizes_than_three_to_five_are_refused(preferred: int, filler: int) -> None:
    with pytest.raises(ValueError, match="3 to 5 seats"):
        pods.sizes(12, preferred, filler)


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_twelve_in_fours_repeat_three_pairs_in_round_two_and_no_more(seed: str) -> None:
    assert repeats(an_event(a_field(12, seed=seed), 2, by_lot(seed))[1]) == [0, 3]


@pytest.mark.parametrize("n", [32, 37, 64])
def test_larger_fields_play_five_rounds_without_a_repeat(n: int) -> None:
    assert repeats(an_event(a_field(n, planned=5), 5, by_lot("r"))[1]) == [0] * 5
