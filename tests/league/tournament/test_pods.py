"""Swiss in pods: the sizes of tables, who meets whom, who has the bye, and what an organizer is told about it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from league.tournament.field import NO_BYE_AFTER, Entrant, Field, Kind, Penalty, Row
from league.tournament.pairing import pods
from league.tournament.pairing.base import Pairing, PairingImpossible, Table, lot

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


@pytest.mark.parametrize("n", [32, 37])
def test_larger_fields_play_five_rounds_without_a_repeat(n: int) -> None:
    assert repeats(an_event(a_field(n, planned=5), 5, by_lot("r"))[1]) == [0] * 5


@pytest.mark.parametrize(
    ("n", "preferred", "filler", "rounds"),
    [
        (9, 3, 4, 4),
        (15, 3, 4, 7),
        (15, 4, 3, 5),
        (16, 4, 3, 5),
        (17, 4, 3, 5),
        (20, 4, 3, 5),
        (25, 5, 4, 6),
    ],
)
@pytest.mark.parametrize("planned", [True, False])
def test_small_fields_play_as_many_rounds_without_a_repeat_as_a_design_allows(
    n: int, preferred: int, filler: int, rounds: int, planned: bool
) -> None:
    field = a_field(n, planned=rounds if planned else 0)
    pairings = an_event(field, rounds, by_lot("r"), preferred=preferred, filler=filler)[1]
    assert repeats(pairings) == [0] * rounds


@pytest.mark.parametrize("seed", [str(seed) for seed in range(6)])
def test_a_way_without_repeats_that_was_seen_in_one_round_is_not_lost_in_the_next(seed: str) -> None:
    """Sixteen in fours: of 24 third rounds without a repeat 18 leave no fourth one."""
    assert repeats(an_event(a_field(16, planned=5, seed=seed), 5, by_lot(seed))[1]) == [0] * 5


@pytest.mark.parametrize("seed", ["0", "1", "6"])
def test_kirkmans_fifteen_walk_out_seven_times_and_keep_to_the_standings_where_they_can(seed: str) -> None:
    """Without the known design the second of these ends with repeats, and without what was seen a round before the other two."""
    field = a_field(15, planned=7, seed=seed)
    assert repeats(an_event(field, 7, by_lot(seed), preferred=3, filler=4)[1]) == [0] * 7


def test_a_round_set_by_hand_is_continued_without_a_repeat() -> None:
    field = a_field(16, planned=5)
    by_hand = Pairing(
        tuple(Table(at + 1, tuple(ids(field)[at::4])) for at in range(4)),
        (),
        engine="hand",
        version="1",
        input_digest="",
    )
    field, pairings = played(field, by_hand, 1, by_lot("h")), [by_hand]
    for round in range(2, 6):
        pairings.append(pods.pair(field, round=round, present=ids(field)))
        field = played(field, pairings[-1], round, by_lot("h"))
    assert repeats(pairings) == [0] * 5


def partitions(left: list[str], sizes: list[int]) -> Iterable[list[tuple[str, ...]]]:
    """Yield every way to seat these people at tables of these sizes."""
    if not left:
        yield []
    for size in sorted(set(sizes)):
        rest = sizes.copy()
        rest.remove(size)
        for others in combinations(left[1:], size - 1):
            for more in partitions([who for who in left[1:] if who not in others], rest):
                yield [(left[0], *others), *more]


def published(
    field: Field, tables: Iterable[tuple[str, ...]], round: int, preferred: int
) -> tuple[int, Fraction, list[int]]:
    """Return repeats, spread and times at tables of another size as the published objective counts them, written out plainly."""
    met = pods.encounters(row for row in field.rows if row.round < round)
    points = field.points()
    before = Counter(row.entrant for row in field.rows if row.size != preferred)
    repeated, spread, again = 0, Fraction(0), [0] * 9
    for table in tables:
        for one, two in combinations(table, 2):
            when = [at for at, pair in met if pair == {one, two}]
            repeated += (len(when) + when.count(round - 1)) ** 2
            spread += (points[one] - points[two]) ** 2
        for who in table if len(table) != preferred else ():
            again[8 - before[who]] += 1
    return repeated, spread, again


@pytest.mark.parametrize(("n", "preferred"), [(7, 4), (8, 4), (9, 4), (9, 3)])
@pytest.mark.parametrize("level", [True, False])
def test_in_a_small_field_no_other_pairing_is_better_by_the_published_objective(
    n: int, preferred: int, level: bool
) -> None:
    field = a_field(n, planned=1)
    for round in range(1, 9):
        pairing = pods.pair(field, round=round, present=ids(field), preferred=preferred, filler=7 - preferred)
        every = partitions(ids(field), list(pods.sizes(n, preferred, 7 - preferred).tables))
        best = min(published(field, tables, round, preferred) for tables in every)
        assert published(field, [table.seats for table in pairing.tables], round, preferred) == best
        field = played(field, pairing, round, by_lot("x"))
        if level:
            field = replace(field, rows=tuple(replace(row, points=Fraction(0)) for row in field.rows))


def test_a_bye_goes_round_before_anybody_has_a_second_one() -> None:
    """lichess-org/lila#6619: one player was given the bye of an odd number three times."""
    pairings = an_event(a_field(5), 5, by_lot("b"))[1]
    assert sorted(bye.entrant for pairing in pairings for bye in pairing.byes) == ids(a_field(5))
    assert not any(notes(pairing, "second_bye") for pairing in pairings)


def test_a_second_bye_is_said() -> None:
    field, _ = an_event(a_field(5), 5, by_lot("b"))
    pairing = pods.pair(field, round=6, present=ids(field))
    assert notes(pairing, "second_bye") == [(pairing.byes[0].entrant,)]


def test_the_leader_never_has_the_bye() -> None:
    """online-go/online-go.com#2412: it went to the leader again and again. Seven in threes, the first seed wins all."""
    pairings = an_event(a_field(7), 4, best_seed_wins, preferred=3, filler=None)[1]
    byes = [bye.entrant for pairing in pairings for bye in pairing.byes]
    assert len(set(byes)) == 4
    assert "p001" not in byes


def test_an_absence_is_no_bye_and_does_not_stand_in_the_way_of_one() -> None:
    """lichess-org/lila#12497: absences had become byes of full points."""
    field = a_field(6)
    field = played(field, pods.pair(field, round=1, present=ids(field)), 1, best_seed_wins)
    here = ids(field)[:5]
    second = pods.pair(field, round=2, present=here)
    assert "p006" not in {bye.entrant for bye in second.byes}
    field = played(field, second, 2, best_seed_wins, absent=["p006"])
    third = pods.pair(field, round=3, present=[who for who in ids(field) if who != second.byes[0].entrant])
    assert [(bye.entrant, bye.kind) for bye in third.byes] == [("p006", Kind.POD_BYE)]


@pytest.mark.parametrize("kind", sorted(NO_BYE_AFTER))
def test_no_bye_follows_a_bye_or_a_forfeit_win_while_somebody_else_may_have_it(kind: Kind) -> None:
    field = a_field(5)
    rows = tuple(Row(who, 1, kind, Fraction(0)) for who in ids(field)[1:])
    assert pods.pair(replace(field, rows=rows), round=2, present=ids(field)).byes[0].entrant == "p001"


def test_results_of_this_round_and_later_ones_are_not_looked_at() -> None:
    """TabbycatDebate/tabbycat#72: the next draw used results that did not count yet."""
    field, pairings = an_event(a_field(12), 3, by_lot("t"))
    again = pods.pair(field, round=3, present=ids(field))
    assert (again.tables, again.notes) == (pairings[2].tables, pairings[2].notes)


def test_a_forfeited_seat_has_met_nobody() -> None:
    rows = [
        Row("a", 1, Kind.PLAYED, Fraction(5), ("b", "c"), size=3),
        Row("b", 1, Kind.PLAYED, Fraction(3), ("a", "c"), size=3),
        Row("c", 1, Kind.FORFEIT_LOSS, Fraction(0), ("a", "b"), size=3),
    ]
    assert pods.encounters(rows) == {(1, frozenset("ab"))}


def test_a_penalty_moves_a_player_down_before_the_next_round() -> None:
    field, _ = an_event(a_field(12), 1, best_seed_wins)
    winner = max(field.points(), key=lambda who: field.points()[who])
    before = pods.pair(field, round=2, present=ids(field))
    fined = replace(field, penalties=(Penalty(winner, 1, Fraction(5)),))
    after = pods.pair(fined, round=2, present=ids(field))
    assert winner in before.tables[0].seats
    assert winner not in after.tables[0].seats


def test_tables_are_numbered_from_the_top_of_the_standings() -> None:
    field, _ = an_event(a_field(32), 1, by_lot("n"))
    pairing = pods.pair(field, round=2, present=ids(field))
    points = field.points()
    means = [sum(points[who] for who in table.seats) / len(table.seats) for table in pairing.tables]
    assert [table.number for table in pairing.tables] == list(range(1, 9))
    assert means == sorted(means, reverse=True)
    assert means[0] == 5
    assert means[-1] == 1


@pytest.mark.parametrize(("fillers", "points"), [("low", {1}), ("high", {5})])
def test_tables_of_the_other_size_stand_at_the_end_that_the_rules_say(fillers: pods.End, points: set[int]) -> None:
    field, _ = an_event(a_field(23), 1, by_lot("n"))
    pairing = pods.pair(field, round=2, present=ids(field), fillers=fillers)
    (short,) = (table.seats for table in pairing.tables if len(table.seats) == 3)
    assert {field.points()[who] for who in short} == points


def test_nobody_sits_at_a_short_table_again_while_that_costs_nothing_else() -> None:
    field = a_field(15, planned=2)
    first = pods.pair(field, round=1, present=ids(field))
    field = played(field, first, 1, by_lot("z"))
    level = replace(field, rows=tuple(replace(row, points=Fraction(0)) for row in field.rows))
    second = pods.pair(level, round=2, present=ids(field))
    short = [{who for table in each.tables if len(table.seats) == 3 for who in table.seats} for each in (first, second)]
    assert not short[0] & short[1]
    assert notes(second, "short_again") == []


def test_three_who_sat_at_a_short_table_once_go_before_one_who_did_twice() -> None:
    """Either the first three or the next three sit apart; one of the first has been at a short table twice."""
    field = a_field(7)
    one, two, three, *_ = ids(field)
    others = ids(field)[3:6]
    short = [(one, 1), (one, 2), *((who, 1) for who in others)]
    rows = tuple(Row(who, round, Kind.PLAYED, Fraction(0), size=3) for who, round in short)
    banned = [(who, other) for who in (one, two, three) for other in others]
    pairing = pods.pair(replace(field, rows=rows), round=3, present=ids(field), banned=banned)
    (seats,) = (table.seats for table in pairing.tables if len(table.seats) == 3)
    assert set(seats) == set(others)
    assert sorted(who for (who,) in notes(pairing, "short_again")) == others


def test_sitting_at_a_short_table_again_is_said() -> None:
    pairings = an_event(a_field(9), 2, by_lot("9"))[1]
    assert sorted(who for (who,) in notes(pairings[1], "short_again")) == ids(a_field(9))


def test_a_repeat_is_said_with_how_often_and_how_lately() -> None:
    pairings = an_event(a_field(12), 2, by_lot("a"))[1]
    told = [note.detail for note in pairings[1].notes if note.code == "rematch"]
    assert told == [{"times": 1, "lately": 1}] * 3


def test_a_table_wider_in_points_than_the_plain_slices_is_said() -> None:
    field, _ = an_event(a_field(16), 3, best_seed_wins)
    fourth = pods.pair(field, round=4, present=ids(field))
    points = field.points()
    for note in (note for note in fourth.notes if note.code == "spread"):
        values = [points[who] for who in note.entrants]
        assert max(values) - min(values) == Fraction(note.detail["difference"], note.detail["unit"])
    assert notes(fourth, "spread")


def test_people_of_one_group_are_kept_apart_where_that_costs_nothing_else() -> None:
    field = a_field(12)
    clubs = replace(field, entrants=tuple(replace(one, group=f"club {one.number % 4}") for one in field.entrants))
    first = pods.pair(clubs, round=1, present=ids(field))
    assert notes(first, "kept_apart") == []
    groups = {one.id: one.group for one in clubs.entrants}
    assert all(len({groups[who] for who in table.seats}) == 4 for table in first.tables)


def test_people_of_one_group_who_must_meet_are_named() -> None:
    field = a_field(8)
    one_club = replace(
        field, entrants=tuple(replace(one, group="club") for one in field.entrants[:3]) + field.entrants[3:]
    )
    (pair,) = notes(pods.pair(one_club, round=1, present=ids(field)), "kept_apart")
    assert set(pair) < {"p001", "p002", "p003"}


def test_banned_pairs_never_sit_together() -> None:
    field = a_field(12)
    banned = frozenset(frozenset(pair) for at in range(0, 12, 3) for pair in combinations(ids(field)[at : at + 3], 2))
    for round in range(1, 5):
        pairing = pods.pair(field, round=round, present=ids(field), banned=banned)
        assert not any(frozenset(two) in banned for table in pairing.tables for two in combinations(table.seats, 2))
        field = played(field, pairing, round, by_lot("ban"))


def test_a_banned_pair_is_kept_apart_by_a_bye_even_of_a_leader() -> None:
    """Five: all of the others must not meet the first two, who may meet each other; nobody can be seated with them."""
    field = a_field(5)
    banned = [("p001", who) for who in ("p002", "p003", "p004", "p005")]
    assert pods.pair(field, round=1, present=ids(field), banned=banned).byes[0].entrant == "p001"


def test_bans_that_cannot_be_kept_are_refused_by_name() -> None:
    field = a_field(8)
    banned = list(combinations(["p001", "p002", "p003"], 2))
    with pytest.raises(PairingImpossible, match="banned pair") as refused:
        pods.pair(field, round=1, present=ids(field), banned=banned)
    assert set(refused.value.entrants) < {"p001", "p002", "p003"}


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.frozensets(st.sampled_from([f"p{at:03}" for at in range(1, 10)]), min_size=2, max_size=2), max_size=16)
)
def test_bans_are_refused_only_if_no_pairing_keeps_them(banned: set[frozenset[str]]) -> None:
    field = a_field(9)
    possible = any(
        not any(frozenset(two) in banned for table in tables for two in combinations(table, 2))
        for tables in partitions(ids(field), [3, 3, 3])
    )
    if possible:
        pods.pair(field, round=1, present=ids(field), banned=banned)
    else:
        with pytest.raises(PairingImpossible):
            pods.pair(field, round=1, present=ids(field), banned=banned)


def test_somebody_who_is_not_in_the_stage_is_refused() -> None:
    with pytest.raises(ValueError, match="not in this stage: nobody"):
        pods.pair(a_field(8), round=1, present=[*ids(a_field(8)), "nobody"])


def test_the_first_round_is_drawn_by_lot_from_the_seed() -> None:
    seatings = {pods.pair(a_field(16), round=1, present=ids(a_field(16)), seed=seed).tables for seed in "abc"}
    assert len(seatings) == 3


def test_a_first_round_by_seeds_is_a_snake() -> None:
    pairing = pods.pair(a_field(12), round=1, present=ids(a_field(12)), first="snake")
    assert {frozenset(int(who[1:]) for who in table.seats) for table in pairing.tables} == {
        frozenset({1, 6, 7, 12}),
        frozenset({2, 5, 8, 11}),
        frozenset({3, 4, 9, 10}),
    }


def test_a_snake_gives_way_to_groups_and_keeps_each_part_of_the_field_spread() -> None:
    field = a_field(12)
    clubs = replace(
        field, entrants=tuple(replace(one, group="x" if one.number in (1, 6) else "") for one in field.entrants)
    )
    pairing = pods.pair(clubs, round=1, present=ids(field), first="snake")
    assert notes(pairing, "kept_apart") == []
    for table in pairing.tables:
        assert sorted((int(who[1:]) - 1) // 3 for who in table.seats) == [0, 1, 2, 3]


some_events = st.fixed_dictionaries(
    {
        "n": st.integers(3, 22),
        "rounds": st.integers(1, 4),
        "preferred": st.sampled_from([3, 4, 5]),
        "filler": st.sampled_from([3, 4, 5, None]),
        "impossible": st.sampled_from(["byes", "other"]),
        "seed": st.text("abc", max_size=3),
        "leave": st.lists(st.tuples(st.integers(1, 26), st.integers(1, 4)), max_size=4),
    }
).filter(lambda event: event["preferred"] != event["filler"])


@settings(max_examples=20, deadline=None)
@given(some_events)
def test_all_play_once_at_tables_of_the_right_size_and_no_bye_comes_twice_too_early(event: dict[str, Any]) -> None:
    field = a_field(event["n"], seed=event["seed"], planned=event["rounds"])
    options = {name: event[name] for name in ("preferred", "filler", "impossible")}
    for round in range(1, event["rounds"] + 1):
        away = {f"p{number:03}" for number, when in event["leave"] if when == round}
        present = [who for who in ids(field) if who not in away]
        try:
            plan = pods.sizes(len(present), **options)
        except PairingImpossible:
            with pytest.raises(PairingImpossible):
                pods.pair(field, round=round, present=present, **options)
            return
        pairing = pods.pair(field, round=round, present=present, **options)
        assert_whole(pairing, present, plan)
        assert_fair_byes(field, pairing, present)
        field = played(field, pairing, round, by_lot(event["seed"]), absent=away & set(ids(field)))


def assert_whole(pairing: Pairing, present: Collection[str], plan: pods.Sizes) -> None:
    seated = [who for table in pairing.tables for who in table.seats]
    assert sorted([*seated, *(bye.entrant for bye in pairing.byes)]) == sorted(present)
    assert sorted(len(table.seats) for table in pairing.tables) == sorted(plan.tables)
    assert len(pairing.byes) == plan.byes


def assert_fair_byes(field: Field, pairing: Pairing, present: Collection[str]) -> None:
    had = Counter(row.entrant for row in field.rows if row.kind in NO_BYE_AFTER)
    points = field.points()
    resting = {bye.entrant for bye in pairing.byes}
    worst = max(((had[who], points[who]) for who in resting), default=None)
    assert worst is None or worst <= min((had[who], points[who]) for who in set(present) - resting)


@settings(max_examples=8, deadline=None)
@given(some_events, st.randoms(use_true_random=False))
def test_the_same_input_in_any_order_gives_the_same_pairing(event: dict[str, Any], chance: Any) -> None:
    field = a_field(max(5, event["n"]), seed=event["seed"])
    options = {name: event[name] for name in ("preferred", "filler")}
    field, _ = an_event(field, 1, by_lot("o"), **options)
    present, rows, entrants = ids(field), list(field.rows), list(field.entrants)
    once = pods.pair(field, round=2, present=present, **options)
    assert pods.pair(field, round=2, present=present, **options) == once
    for each in (present, rows, entrants):
        chance.shuffle(each)
    mixed = replace(field, rows=tuple(rows), entrants=tuple(entrants))
    again = pods.pair(mixed, round=2, present=present, **options)
    assert (again.tables, again.byes, again.notes) == (once.tables, once.byes, once.notes)


def test_the_digest_names_the_input() -> None:
    field, pairings = an_event(a_field(12), 2, by_lot("d"))
    same = pods.pair(a_field(12), round=1, present=ids(field)[::-1])
    other = pods.pair(a_field(12), round=1, present=ids(field), last_rounds=2)
    assert same == pairings[0]
    assert len({pairing.input_digest for pairing in (*pairings, other)}) == 3


SAID = """
from fractions import Fraction
from league.tournament.field import Entrant, Field, Kind, Row
from league.tournament.pairing import pods
people = [f"p{at}" for at in range(13)]
rows = [
    Row(who, 1, Kind.PLAYED, Fraction(at % 4), tuple(o for o in people[at // 4 * 4 : at // 4 * 4 + 4] if o != who), size=4)
    for at, who in enumerate(people)
]
field = Field(tuple(Entrant(who, at) for at, who in enumerate(people)), tuple(rows), rounds=1, seed="h")
banned = frozenset({frozenset({"p1", "p9"}), frozenset({"p2", "p5"})})
print(pods.pair(field, round=2, present=set(people), banned=banned))
"""


def test_two_hash_seeds_give_the_same_pairing() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", SAID],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
