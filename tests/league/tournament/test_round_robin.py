"""Round robin: the published tables, free rounds, seats, and who leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations, groupby, permutations

import pytest

from league.tournament.field import Entrant, Field, Kind, Penalty, Row
from league.tournament.pairing import round_robin
from league.tournament.pairing.base import Bye, Note, PairingImpossible, Table
from league.tournament.pairing.round_robin import pair, schedule

SIZES = range(2, 41)


def stage(ids: Sequence[str] = "ABCD", rows: Sequence[Row] = (), **more: object) -> Field:
    entrants = tuple(Entrant(one, number) for number, one in enumerate(ids, 1))
    return Field(entrants, tuple(rows), system="round_robin", **more)


def game(round_: int, winner: str, loser: str) -> list[Row]:
    return [
        Row(winner, round_, Kind.PLAYED, Fraction(1), (loser,), outcome="win"),
        Row(loser, round_, Kind.PLAYED, Fraction(0), (winner,), outcome="loss"),
    ]


def games(count: int, *, double: bool = False) -> list[tuple[tuple[int, int], ...]]:
    return [one.games for one in schedule(count, double=double)]


# The schedule


def test_four_and_six_play_by_the_tables_of_the_handbook() -> None:
    assert games(4) == [((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1))]
    assert games(6) == [
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    ]


def test_everybody_meets_everybody_once_and_plays_or_is_free_in_each_round() -> None:
    for count in SIZES:
        rounds = schedule(count)
        met = Counter(frozenset(pair) for one in rounds for pair in one.games)
        assert met == Counter(map(frozenset, combinations(range(1, count + 1), 2)))
        for one in rounds:
            there = [number for pair in one.games for number in pair] + ([one.free] if one.free else [])
            assert sorted(there) == list(range(1, count + 1))


def test_of_an_odd_number_each_is_free_once_and_of_an_even_number_nobody() -> None:
    for count in SIZES:
        free = [one.free for one in schedule(count)]
        assert sorted(filter(None, free)) == (list(range(1, count + 1)) if count % 2 else [])


def test_nobody_begins_more_than_one_game_more_or_less_than_half_of_the_games() -> None:
    for count in SIZES:
        begins = Counter(first for one in schedule(count) for first, _second in one.games)
        assert all(abs(2 * begins[number] - (count - 1)) <= 1 for number in range(1, count + 1))


def test_in_a_double_round_robin_everybody_meets_everybody_from_both_seats() -> None:
    for count in SIZES:
        met = Counter(pair for one in schedule(count, double=True) for pair in one.games)
        assert met == Counter(permutations(range(1, count + 1), 2))


def test_in_a_double_round_robin_nobody_has_one_seat_in_three_rounds_running() -> None:
    for count in range(4, 41, 2):
        for number in range(1, count + 1):
            seats = [pair.index(number) for one in schedule(count, double=True) for pair in one.games if number in pair]
            assert max(len(list(run)) for _seat, run in groupby(seats)) <= 2


def test_the_last_two_rounds_of_the_first_cycle_are_exchanged_in_a_double_round_robin_only() -> None:
    once, twice = games(6), games(6, double=True)
    assert twice[:5] == [*once[:3], once[4], once[3]]
    assert twice[5:] == [tuple((second, first) for first, second in one) for one in once]


def test_one_alone_has_no_schedule() -> None:
    with pytest.raises(ValueError, match="at least 2 entrants, not 1"):
        schedule(1)


# Pairing


def paired(round_: int, present: Collection[str] = "ABCDE", ids: Sequence[str] = "ABCDE", **more: object):
    return pair(stage(ids), round=round_, present=set(present), **more)


def test_who_is_free_has_no_bye_and_so_no_points_but_a_note() -> None:
    told = paired(1)
    assert told.tables == (Table(1, ("B", "E")), Table(2, ("C", "D")))
    assert told.byes == ()
    assert told.notes == (Note("free_round", ("A",)),)


def test_the_order_of_entrants_is_that_of_their_numbers() -> None:
    field = Field((Entrant("x", 2), Entrant("y", 1)), system="round_robin")
    assert pair(field, round=1, present={"x", "y"}).tables == (Table(1, ("y", "x")),)


def test_an_absence_is_a_forfeit_to_the_opponent_of_that_round_and_no_allocated_bye_to_anybody() -> None:
    told = paired(1, present="ABCD")
    assert told.byes == (Bye("B", Kind.FORFEIT_WIN),)
    assert told.notes == (Note("walkover", ("B", "E")), Note("free_round", ("A",)))


def test_of_two_absent_opponents_nobody_gets_anything() -> None:
    told = paired(1, present="ACD")
    assert told.tables == (Table(1, ("C", "D")),)
    assert told.byes == () and told.notes == (Note("free_round", ("A",)),)


def test_who_comes_back_is_paired_as_if_nothing_had_been() -> None:
    rows = [Row("D", 2, Kind.ABSENT, Fraction(0)), Row("C", 2, Kind.FORFEIT_WIN, Fraction(1))]
    told = pair(stage(rows=[*game(1, "A", "D"), *game(1, "B", "C"), *rows]), round=3, present=set("ABCD"))
    assert told.tables == (Table(1, ("B", "D")), Table(2, ("C", "A")))
    assert told.notes == ()


def test_behind_the_last_round_nothing_is_paired() -> None:
    with pytest.raises(PairingImpossible, match="the schedule has 5 rounds, there is no round 6"):
        paired(6)
    assert len(paired(10, double=True).tables) == 2


def test_groups_have_schedules_of_their_own_and_tables_numbered_through() -> None:
    groups = [["A", "D", "E"], ["B", "C"]]
    assert paired(1, groups=groups).tables == (Table(1, ("D", "E")), Table(2, ("B", "C")))
    last = paired(3, groups=groups)
    assert last.tables == (Table(1, ("E", "A")),)
    assert last.notes == (Note("free_round", ("D",)), Note("free_round", ("B",)), Note("free_round", ("C",)))


def test_two_who_have_met_already_by_hand_are_noted() -> None:
    rows = game(1, "A", "B")
    assert pair(stage(rows=rows), round=2, present=set("ABCD")).notes == (Note("rematch", ("A", "B"), {"met": 1}),)
    second = pair(stage(rows=rows), round=5, present=set("ABCD"), double=True)
    assert Table(2, ("B", "A")) in second.tables and second.notes == ()


def test_the_same_input_gives_the_same_pairing_and_another_input_another_digest() -> None:
    assert paired(2) == paired(2)
    assert len({paired(2).input_digest, paired(3).input_digest, paired(2, double=True).input_digest}) == 3


# Who leaves


def left(after: int, *, double: bool = False) -> Field:
    """A wins every game of so many rounds of a round robin of five, and leaves; D has a penalty."""
    rows: list[Row] = []
    for number, one in enumerate(schedule(5, double=double)[:after], 1):
        for first, second in one.games:
            seats = sorted(("ABCDE"[first - 1], "ABCDE"[second - 1]))
            rows += game(number, *seats)
    penalties = (Penalty("D", 1, Fraction(1)), Penalty("A", 1, Fraction(1)))
    return stage("ABCDE", rows, rounds=after, dropped={"A": after + 1}, penalties=penalties)


def test_the_games_of_somebody_who_left_before_half_of_them_count_for_nobody() -> None:
    field = left(2)  # A was free in round 1 and has played one game of four.
    assert round_robin.annulled(field) == {"A"}
    kept = round_robin.counted(field)
    assert [one.id for one in kept.entrants] == list("BCDE")
    assert all("A" not in (row.entrant, *row.opponents) for row in kept.rows)
    assert [one.entrant for one in kept.penalties] == ["D"] and kept.dropped == {}
    assert len(field.rows) == 8 and len(kept.rows) == 6


def test_the_games_of_somebody_who_left_after_half_of_them_count() -> None:
    field = left(3)
    assert round_robin.annulled(field) == frozenset()
    assert round_robin.counted(field) == field


def test_half_of_a_double_round_robin_is_half_of_both_cycles() -> None:
    assert round_robin.annulled(left(3, double=True), double=True) == {"A"}
    assert round_robin.annulled(left(5, double=True), double=True) == frozenset()


def test_somebody_who_stays_is_never_annulled_however_few_games_there_were() -> None:
    assert round_robin.annulled(stage()) == frozenset()


def test_against_somebody_who_left_early_the_round_is_free_and_later_it_is_a_forfeit() -> None:
    early = pair(left(2), round=3, present=set("BCDE"))
    assert early.byes == ()
    assert early.notes == (Note("free_round", ("C",)), Note("free_round", ("B",)))
    late = pair(left(3), round=4, present=set("BCDE"))
    assert late.byes == (Bye("D", Kind.FORFEIT_WIN),)
    assert late.notes == (Note("walkover", ("D", "A")), Note("free_round", ("E",)))


def test_who_leaves_after_the_last_round_changes_nothing() -> None:
    rows = [Row("A", number, Kind.ABSENT, Fraction(0)) for number in (1, 2, 3)]
    assert round_robin.annulled(stage(rows=rows, dropped={"A": 4})) == frozenset()
    assert round_robin.annulled(stage(rows=rows, dropped={"A": 3})) == {"A"}


def test_the_results_of_the_opponents_of_somebody_disqualified_stay_and_further_games_are_forfeits() -> None:
    field = stage(rows=game(1, "A", "D"), disqualified=frozenset("A"))
    assert round_robin.counted(field) == field
    told = pair(field, round=2, present=set("ABCD"))
    assert told.tables == (Table(1, ("D", "C")),)
    assert told.byes == (Bye("B", Kind.FORFEIT_WIN),)
