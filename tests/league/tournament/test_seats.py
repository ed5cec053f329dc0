"""Seats: who began least often begins, and the rest is spread evenly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.pairing import seats

histories = st.dictionaries(st.sampled_from("abcde"), st.lists(st.integers(0, 4), max_size=6).map(tuple))


def test_who_began_less_often_begins() -> None:
    ((first, *_),) = seats.order([("a", "b", "c", "d")], {"a": (0, 1), "b": (0,), "c": (2, 3, 1), "d": (0, 0)}, "s")
    assert first == "c"


def test_of_two_the_one_who_began_less_often_for_his_games_begins() -> None:
    assert seats.order([("a", "b")], {"a": (0, 1, 1), "b": (0, 1)}, "s") == (("a", "b"),)
    assert seats.order([("a", "b")], {"a": (0, 0), "b": (0, 1, 0, 1)}, "s") == (("b", "a"),)


def test_of_two_who_began_as_often_the_one_who_did_not_begin_lately_begins() -> None:
    assert seats.order([("a", "b")], {"a": (0, 1), "b": (1, 0)}, "s") == (("a", "b"),)
    assert seats.order([("a", "b")], {"a": (1, 0, 1, 0), "b": (0, 1, 1, 0)}, "s") == (("b", "a"),)


def test_of_two_without_a_difference_the_lot_decides() -> None:
    begins = {seats.order([("a", "b")], {}, str(seed))[0][0] for seed in range(20)}
    assert begins == {"a", "b"}


def test_a_newcomer_at_a_table_of_three_begins() -> None:
    assert seats.order([("a", "b", "new")], {"a": (0,), "b": (0,)}, "s")[0][0] == "new"


@settings(max_examples=60, deadline=None)
@given(st.permutations("abcd"), histories, st.text("xyz", max_size=2))
def test_no_other_order_is_fairer_and_the_order_given_does_not_matter(
    group: list[str], history: dict[str, tuple[int, ...]], seed: str
) -> None:
    (order,) = seats.order([tuple(group)], history, seed)

    def unfair(seated: tuple[str, ...]) -> tuple[int, int, int]:
        had = [history.get(who, ()) for who in seated]
        sums = sum((each.count(at) + (at == seat)) ** 2 for seat, each in enumerate(had) for at in range(4))
        return had[0].count(0), sums, sum(each[-1:] == (seat,) for seat, each in enumerate(had))

    assert unfair(order) == min(unfair(other) for other in permutations(group))
    assert seats.order([tuple(sorted(group))], history, seed) == (order,)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_table_that_stays_together_has_everybody_in_every_seat_equally_often(size: int) -> None:
    group = tuple("abcde"[:size])
    history: dict[str, tuple[int, ...]] = dict.fromkeys(group, ())
    for round in range(2 * size):
        (order,) = seats.order([group], history, f"s{round}")
        history = {who: (*history[who], order.index(who)) for who in group}
    assert all(Counter(had) == dict.fromkeys(range(size), 2) for had in history.values())


def test_rounds_without_a_seat_and_later_rounds_are_no_history() -> None:
    rows = (
        Row("a", 2, Kind.PLAYED, Fraction(1), ("b",), seat=1, size=2),
        Row("a", 1, Kind.PLAYED, Fraction(1), ("b",), seat=0, size=2),
        Row("b", 1, Kind.ALLOCATED_BYE, Fraction(1)),
        Row("b", 2, Kind.FORFEIT_LOSS, Fraction(0), ("a",), seat=0, size=2),
        Row("a", 3, Kind.PLAYED, Fraction(1), ("b",), seat=0, size=2),
    )
    field = Field((Entrant("a", 1), Entrant("b", 2)), rows)
    assert seats.history(field, before=3) == {"a": (0, 1), "b": ()}
