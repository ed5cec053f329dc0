"""What is said before the start: rounds that are sure, rounds that cannot be had, and what stands in the way."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from msgspec.structs import replace

from league.tournament.field import NO_BYE_AFTER, Entrant, Field
from league.tournament.pairing import feasible, pods, swiss
from league.tournament.pairing.base import Note
from tests.league.tournament.build import stage
from tests.league.tournament.test_standings import stages
from tests.league.tournament.test_swiss import played

Two = frozenset[str]


def outlook(field: Field, rounds_left: int, seats: int = 2, banned: frozenset[Two] = frozenset()) -> dict[str, Note]:
    told = feasible.outlook(
        field, present=[one.id for one in field.entrants], rounds_left=rounds_left, seats=seats, banned=banned
    )
    assert len({one.code for one in told}) == len(told)
    return {one.code: one for one in told}


def fresh(size: int) -> Field:
    return Field(tuple(Entrant(f"p{at:03}", at) for at in range(1, size + 1)))


@pytest.mark.parametrize(("size", "sure"), [(4, 3), (6, 3), (8, 5)])
def test_so_many_rounds_are_sure_whatever_was_paired_before(size: int, sure: int) -> None:
    """lila#6689: six players of whom no legal fourth round can be made. Every way to pair the rounds before is tried."""
    assert _fewest(frozenset(combinations(range(size), 2)), size) == sure
    for players in (size, size - 1):  # of an odd number the bye is one more opponent
        told = outlook(fresh(players), size - 1)
        assert told.get("rematch_possible") == (
            None if sure == size - 1 else Note("rematch_possible", (), {"rounds": sure, "wanted": size - 1})
        )
        assert "rematch_sure" not in told and "rematch_possible" not in outlook(fresh(players), sure)


def _fewest(new: frozenset[tuple[int, int]], size: int) -> int:
    """Return after how many rounds, at the earliest, there is none without a rematch."""
    states = {new}
    for number in range(size):
        after = set()
        for state in states:
            rounds = _rounds(frozenset(range(size)), state)
            if not rounds:
                return number
            after |= {_renamed(state - one, size) for one in rounds}
        states = after
    return size


def _rounds(names: frozenset[int], new: frozenset[tuple[int, int]]) -> list[frozenset[tuple[int, int]]]:
    if not names:
        return [frozenset()]
    first = min(names)
    return [
        rest | {(first, other)}
        for other in sorted(names - {first})
        if (first, other) in new
        for rest in _rounds(names - {first, other}, new)
    ]


@cache
def _renamed(state: frozenset[tuple[int, int]], size: int) -> frozenset[tuple[int, int]]:
    """Return the same with players renamed by how they stand to one of them, so that few states are alike in all but names."""
    near = {at: {one for two in state if at in two for one in two if one != at} for at in range(size)}
    told = []
    for first in range(size):
        looks = {at: int(at == first) for at in near}
        for _turn in range(3):
            seen = {at: (looks[at], sorted(looks[one] for one in near[at])) for at in near}
            kinds = sorted(seen.values())
            looks = {at: kinds.index(seen[at]) for at in near}
        new = {at: place for place, at in enumerate(sorted(near, key=lambda at: (looks[at], at)))}
        told.append(sorted((min(new[a], new[b]), max(new[a], new[b])) for a, b in state))
    return frozenset(min(told))


def test_more_rounds_than_opponents_need_a_rematch() -> None:
    assert outlook(fresh(6), 7)["rematch_sure"] == Note("rematch_sure", (), {"rounds": 5, "wanted": 7})
    assert outlook(fresh(5), 7)["rematch_sure"].detail == {"rounds": 5, "wanted": 7}
    told = outlook(stage("ABCDEF", "A1B C1D E1F", "A1C B1E D1F"), 4)
    assert told["rematch_sure"].detail == {"rounds": 3, "wanted": 4}


def test_who_has_few_opponents_left_is_named() -> None:
    banned = frozenset(frozenset(("p001", f"p{at:03}")) for at in range(2, 9))
    told = outlook(fresh(12), 6, banned=banned)
    assert told["rematch_sure"] == Note("rematch_sure", ("p001",), {"rounds": 4, "wanted": 6})


def test_nothing_is_said_of_a_field_in_which_all_is_well() -> None:
    assert outlook(fresh(37), 6) == {}
    assert outlook(fresh(5000), 9) == {}
    assert outlook(fresh(37), 0) == {}


def test_too_few_are_said_first_and_alone() -> None:
    assert list(outlook(fresh(1), 3)) == ["too_few"]
    assert outlook(fresh(3), 3, seats=4)["too_few"].detail == {"present": 3, "needed": 4}


def test_bans_that_leave_somebody_alone_are_said() -> None:
    banned = frozenset(map(frozenset, ("AB", "AC", "AD")))
    told = feasible.outlook(stage("ABCD"), present="ABCD", rounds_left=2, banned=banned)  # type: ignore[arg-type]
    assert [one.code for one in told] == ["bans_block"] and "A" in told[0].entrants


def test_byes_that_run_out_are_said() -> None:
    """Three players who have all had the bye but C: a second one comes in the round after the next."""
    assert outlook(stage("ABC", "B1C AU", "A1C BU"), 2)["bye_again"] == Note(
        "bye_again", ("C",), {"entrants_left": 1, "wanted": 2}
    )
    assert "bye_again" not in outlook(stage("ABCD", "A1B C1D"), 9)


def test_a_group_with_more_members_than_tables_cannot_be_kept_apart() -> None:
    field = stage("ABCDEF")
    clubs = tuple(replace(one, group="club" if one.id in "ABCD" else "") for one in field.entrants)
    told = outlook(replace(field, entrants=clubs), 1)
    assert told["group_large"] == Note("group_large", tuple("ABCD"), {"members": 4, "tables": 3})
    three = tuple(replace(one, group="club" if one.id in "ABC" else "") for one in field.entrants)
    assert outlook(replace(field, entrants=three), 1) == {}


def test_two_who_need_the_same_table_are_said() -> None:
    field = stage("ABCD")
    at_two = tuple(replace(one, table=2 if one.id in "AD" else None) for one in field.entrants)
    assert outlook(replace(field, entrants=at_two), 1)["fixed_table"] == Note("fixed_table", ("A", "D"), {"table": 2})


def test_twelve_in_fours_have_one_round_without_a_repeat_and_sixteen_have_five() -> None:
    assert outlook(fresh(12), 2, seats=4)["rematch_sure"].detail == {"rounds": 1, "wanted": 2}
    assert outlook(fresh(16), 5, seats=4) == {}
    assert outlook(fresh(16), 6, seats=4)["rematch_sure"].detail == {"rounds": 5, "wanted": 6}
    told = pods.pair(fresh(12), round=1, present=[one.id for one in fresh(12).entrants], seed="s")
    assert len(told.tables) == 3


@given(stages())
def test_a_rematch_or_second_bye_is_foretold_exactly_where_the_next_round_has_one(field: Field) -> None:
    told = feasible.outlook(field, present=[one.id for one in field.entrants], rounds_left=1)
    made = swiss.pair(field, round=field.rounds + 1, present=[one.id for one in field.entrants], seed="s")
    compromised = {one.code for one in made.notes} & {"rematch", "second_bye"}
    had = {row.entrant for row in field.rows if row.kind in NO_BYE_AFTER}
    if len(field.entrants) % 2 and had >= {one.id for one in field.entrants}:
        assert "second_bye" in compromised and "bye_again" in {one.code for one in told}
        compromised -= {"second_bye"}
    assert ("rematch_next" in {one.code for one in told}) == bool(compromised)


@pytest.mark.parametrize("size", [7, 10, 11])
def test_rounds_that_are_sure_are_paired_without_a_rematch(size: int) -> None:
    field = fresh(size)
    note = outlook(field, size)["rematch_possible"]
    for number in range(1, note.detail["rounds"] + 1):
        told = swiss.pair(field, round=number, present=[one.id for one in field.entrants], seed="s")
        assert not {"rematch", "second_bye"} & {one.code for one in told.notes}
        field = played(field, told, number)
