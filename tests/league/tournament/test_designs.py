"""Known designs and the exact search: nobody meets anybody twice, and what is said to be impossible is."""

from __future__ import annotations

from itertools import combinations

import pytest

from league.tournament.pairing import designs


@pytest.mark.parametrize(
    ("n", "size", "rounds"),
    [
        (9, 3, 4),
        (12, 3, 4),
        (15, 3, 7),
        (16, 4, 5),
        (20, 4, 5),
        (24, 3, 8),
        (25, 5, 6),
        (28, 4, 7),
        (32, 4, 9),
        (39, 3, 13),
        (40, 5, 8),
        (55, 5, 11),
        (64, 4, 17),
        (26, 4, 0),
        (24, 4, 0),
    ],
)
def test_in_a_design_everybody_plays_each_round_and_nobody_meets_anybody_twice(n: int, size: int, rounds: int) -> None:
    known = designs.design(n, size)
    assert len(known) == rounds
    pairs = [pair for tables in known for table in tables for pair in combinations(sorted(table), 2)]
    assert len(pairs) == len(set(pairs))
    for tables in known:
        assert sorted(who for table in tables for who in table) == list(range(n))
        assert {len(table) for table in tables} == {size}


@pytest.mark.parametrize(("n", "size"), [(9, 3), (15, 3), (16, 4), (25, 5)])
def test_in_a_complete_design_everybody_meets_everybody(n: int, size: int) -> None:
    pairs = {pair for tables in designs.design(n, size) for table in tables for pair in combinations(sorted(table), 2)}
    assert len(pairs) == n * (n - 1) // 2


@pytest.mark.parametrize(("n", "size"), [(15, 3), (16, 4), (28, 4), (25, 5)])
def test_the_first_class_of_a_design_seats_everybody_in_order(n: int, size: int) -> None:
    assert [who for table in designs.design(n, size)[0] for who in table] == list(range(n))


def test_a_design_goes_on_with_the_classes_that_were_not_played() -> None:
    known = designs.design(16, 4)
    assert designs.continued(known, known[:2]) == list(known[2:])
    assert designs.continued(known, known) == []


def test_a_design_goes_on_under_other_names() -> None:
    names = [5, 9, 2, 14, 0, 7, 11, 3, 8, 1, 15, 6, 4, 10, 13, 12]
    known = [designs.renamed(tables, names) for tables in designs.design(16, 4)]
    assert designs.continued(designs.design(16, 4), known[:3]) == known[3:]


def test_rounds_that_are_none_of_the_design_have_no_continuation() -> None:
    known = designs.design(16, 4)
    assert designs.continued(known, [known[0], known[0]]) == []
    assert designs.continued((), known[:1]) == []


def test_the_exact_search_finds_every_class() -> None:
    """Eight in fours: 35 ways. After one round a table of four takes two of each: 6 · 6 / 2 ways with repeats, none without."""
    everybody = designs.fresh(8, [])
    found = list(designs.classes(everybody, [4, 4], designs.Budget(10_000)))
    assert len(found) == len({frozenset(map(frozenset, tables)) for tables in found}) == 35
    after = designs.without(everybody, found[0])
    budget = designs.Budget(10_000)
    assert list(designs.classes(after, [4, 4], budget)) == []
    assert budget.left > 0


def test_after_two_rounds_of_sixteen_in_fours_there_are_twenty_four_and_six_of_them_go_on() -> None:
    """The Latin squares of order 4 up to the names of the symbols: 18 cyclic ones without a mate, 6 of Klein's group with two."""
    known = designs.design(16, 4)
    left = designs.without(designs.without(designs.fresh(16, []), known[0]), known[-1])
    third = list(designs.classes(left, [4] * 4, designs.Budget(100_000)))
    rows = [designs.reach(designs.without(left, tables), [4] * 4, 2, designs.Budget(100_000)) for tables in third]
    assert len(third) == 24
    assert sorted(map(len, rows)) == [0] * 18 + [2] * 6


def test_tables_of_two_sizes_are_filled_and_who_rests_is_left_out() -> None:
    tables = next(designs.classes(designs.fresh(12, []), [4, 4, 3], designs.Budget(100), [5]))
    assert sorted(len(table) for table in tables) == [3, 4, 4]
    assert sorted(who for table in tables for who in table) == [who for who in range(12) if who != 5]


def test_the_exact_search_stops_when_its_budget_is_used_up() -> None:
    budget = designs.Budget(5)
    assert len(list(designs.classes(designs.fresh(8, []), [4, 4], budget))) < 35
    assert budget.left < 0
