"""Swiss pairing for two seats: everybody once, no second bye, no rematch that need not be, the same input the same round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from league.tournament.field import NO_BYE_AFTER, Entrant, Field, Kind, Row
from league.tournament.pairing import swiss, tables
from league.tournament.pairing.base import Pairing, PairingImpossible
from tests.league.tournament.build import stage
from tests.league.tournament.test_standings import stages


def paired(field: Field, present: str | None = None, **more: object) -> Pairing:
    ids = present if present is not None else [one.id for one in field.entrants]
    return swiss.pair(field, round=field.rounds + 1, present=list(ids), seed="s", **more)  # type: ignore[arg-type]


def pairs(told: Pairing) -> set[frozenset[str]]:
    return {frozenset(one.seats) for one in told.tables}


def test_in_the_first_round_the_upper_half_meets_the_lower_in_order() -> None:
    assert pairs(paired(stage("ABCDEFGH"))) == {frozenset(two) for two in ("AE", "BF", "CG", "DH")}


def test_entrants_of_equal_points_meet() -> None:
    told = paired(stage("ABCDEFGH", "A1E B1F C1G D1H"))
    assert all(two <= set("ABCD") or two <= set("EFGH") for two in pairs(told))
    assert [set(one.seats) <= set("ABCD") for one in told.tables] == [True, True, False, False]


def test_a_rematch_is_found_to_be_needless_however_far_the_points_lie_apart() -> None:
    field = stage("ABCD", "A1B C1D", "A1C B1D")
    assert pairs(paired(field)) == {frozenset("AD"), frozenset("BC")}


def test_whoever_has_met_everybody_meets_again_and_that_is_said() -> None:
    field = stage("AB", "A1B")
    told = paired(field)
    assert [(one.code, one.detail) for one in told.notes if one.code == "rematch"] == [("rematch", {"times": 1})]


def test_a_ban_is_kept_or_refused_in_words() -> None:
    field = stage("ABCD")
    assert frozenset("AC") not in pairs(paired(field, banned={frozenset("AC")}))
    with pytest.raises(PairingImpossible, match="take a ban back"):
        paired(field, banned={frozenset("AB"), frozenset("AC"), frozenset("AD")})


def test_fewer_than_two_cannot_be_paired() -> None:
    with pytest.raises(PairingImpossible, match="at least two"):
        paired(stage("ABC"), "A")


def test_a_group_is_kept_apart_where_that_costs_no_points() -> None:
    field = stage("ABCDEFGH", "A1E B1F C1G D1H")
    club = tuple(replace(one, group="club" if one.id in "AB" else "") for one in field.entrants)
    assert frozenset("AB") not in pairs(paired(replace(field, entrants=club)))
    must = stage("AB")
    told = paired(replace(must, entrants=tuple(replace(one, group="club") for one in must.entrants)))
    assert [one.code for one in told.notes] == ["kept_apart"]


def test_who_has_begun_less_often_begins() -> None:
    field = stage("ABCD", "A1B C1D")
    for table in paired(field).tables:
        assert {table.seats[0], table.seats[1]} in ({"A", "C"}, {"B", "D"})
    field = stage("ABCDEF", "A1B C1D E1F", "A1C B1E D1F")
    told = paired(field)
    assert all(one.seats[0] != "A" for one in told.tables)


def test_a_fixed_table_is_kept_and_the_others_are_numbered_around_it() -> None:
    """cobra#244: X is pinned to table 2, where the pairing would have been table 4."""
    field = stage("ABCDEFGX")
    free = [set(one.seats) for one in paired(field).tables]
    pinned = replace(field, entrants=tuple(replace(one, table=2 if one.id == "X" else None) for one in field.entrants))
    told = paired(pinned)
    assert next(one.number for one in told.tables if "X" in one.seats) == 2
    assert sorted(one.number for one in told.tables) == [1, 2, 3, 4]
    assert sorted(map(sorted, (one.seats for one in told.tables))) == sorted(map(sorted, free))


def test_two_fixed_tables_at_one_pairing_are_said() -> None:
    field = Field(tuple(Entrant(one, at, table=at) for at, one in enumerate("AB", 1)))
    assert [one.code for one in paired(field).notes] == ["fixed_table"]


def test_nobody_sits_at_a_table_twice_where_that_can_be_had_and_the_pairing_stays() -> None:
    """PGSwiss#92: 4 tables, 3 rounds of 8 players: no repeat is needed."""
    field, plain = stage("ABCDEFGH", seed="s"), stage("ABCDEFGH", seed="s")
    seen: set[tuple[str, int]] = set()
    for number in (1, 2, 3):
        told, without = paired(field), paired(plain, repeats_matter=False)
        assert pairs(told) == pairs(without)
        sat = {(one, table.number) for table in told.tables for one in table.seats}
        assert not sat & seen and not [one for one in told.notes if one.code == "table_again"]
        seen |= sat
        field = played(field, told, number)
        plain = played(plain, without, number)


def played(field: Field, told: Pairing, number: int) -> Field:
    rows = list(field.rows)
    for table in told.tables:
        first, second = sorted(table.seats)
        for name, other, points, outcome in ((first, second, 1, "win"), (second, first, 0, "loss")):
            rows.append(
                Row(
                    name,
                    number,
                    Kind.PLAYED,
                    Fraction(points),
                    (other,),
                    outcome,
                    2 - points,
                    table.number,
                    table.seats.index(name),
                    2,
                )  # type: ignore[arg-type]
            )
    rows += [Row(one.entrant, number, one.kind, Fraction(1)) for one in told.byes]
    return replace(field, rows=tuple(rows), rounds=number)


@given(stages())
def test_everybody_present_is_at_one_table_or_has_the_bye(field: Field) -> None:
    told = paired(field)
    names = [one for table in told.tables for one in table.seats] + [one.entrant for one in told.byes]
    assert sorted(names) == sorted(one.id for one in field.entrants)
    assert len(told.byes) == len(field.entrants) % 2
    assert told == paired(field)


@given(stages())
def test_no_second_bye_while_another_may_have_it_and_no_rematch_that_need_not_be(field: Field) -> None:
    told = paired(field)
    had = {row.entrant for row in field.rows if row.kind in NO_BYE_AFTER}
    names = frozenset(one.id for one in field.entrants)
    for bye in told.byes:
        assert bye.entrant not in had or names <= had
    met = {frozenset((row.entrant, other)) for row in field.rows if row.facts.encounter for other in row.opponents}
    free = [names - {one} for one in sorted(names) if one not in had or names <= had] if len(names) % 2 else [names]
    possible = any(_without_rematch(rest, frozenset(met)) for rest in free)
    assert (not any(one.code == "rematch" for one in told.notes)) == possible


@cache
def _without_rematch(rest: frozenset[str], met: frozenset[frozenset[str]]) -> bool:
    if not rest:
        return True
    first = min(rest)
    return any(
        frozenset((first, other)) not in met and _without_rematch(rest - {first, other}, met)
        for other in rest - {first}
    )


@given(st.integers(2, 40), st.integers(0, 10))
def test_tables_are_numbered_once_each(size: int, pinned: int) -> None:
    entrants = tuple(Entrant(str(at), at, table=at % 7 + 1 if at <= pinned else None) for at in range(1, size + 1))
    field = Field(entrants)
    groups = [(str(at), str(at + 1)) for at in range(1, size, 2)]
    told, _notes = tables.assign(field, groups)
    assert len({one.number for one in told}) == len(groups)
    assert {one.seats for one in told} == set(groups)


Sums = tuple[int, ...]


def cost(field: Field, told: Pairing) -> Sums:
    """Return the criteria of a round that is told, each summed over all tables and the bye."""
    players = {one.entrant.id: one for one in swiss._players(field, [one.id for one in field.entrants])}
    bye = [players[one.entrant] for one in told.byes]
    return summed(
        list(players.values()),
        [(players[one.seats[0]], players[one.seats[1]]) for one in told.tables],
        bye[0] if bye else None,
        field.rounds + 1,
    )


def summed(
    players: list[swiss._Player], two: list[tuple[swiss._Player, swiss._Player]], bye: swiss._Player | None, number: int
) -> Sums:
    met, squared, floats, apart, seats, order = (
        sum(each) for each in zip(*(swiss.criteria(*one, number, len(players)) for one in two), strict=True)
    )
    if bye is None:
        return (0, met, 0, squared, floats, apart, seats, order)
    again = 0 if bye.may_bye else bye.byes
    order += len(players) - 1 - bye.place
    return (again, met, bye.points - min(one.points for one in players), squared, floats, apart, seats, order)


def all_rounds(
    players: list[swiss._Player],
) -> Iterator[tuple[list[tuple[swiss._Player, swiss._Player]], swiss._Player | None]]:
    if len(players) % 2:
        for bye in players:
            for two, _none in all_rounds([one for one in players if one is not bye]):
                yield two, bye
    elif not players:
        yield [], None
    else:
        first, *rest = players
        for other in rest:
            for two, _none in all_rounds([one for one in rest if one is not other]):
                yield [(first, other), *two], None


@settings(max_examples=60, deadline=None)
@given(stages(), st.integers(0, 255))
def test_the_round_is_the_best_of_all_by_each_criterion_in_its_order(field: Field, clubs: int) -> None:
    grouped = tuple(replace(one, group="club" if clubs >> at & 1 else "") for at, one in enumerate(field.entrants))
    field = replace(field, entrants=grouped)
    players = swiss._players(field, [one.id for one in field.entrants])
    best = min(summed(players, two, bye, field.rounds + 1) for two, bye in all_rounds(players))
    assert cost(field, paired(field)) == best


def test_the_bye_goes_to_the_lowest_points_even_where_another_bye_would_make_the_tables_more_even() -> None:
    """With B or C (1 point) out no table were more than a point apart either, and C has not played upwards: still A or D (0)."""
    told = paired(stage("ABCDE", "A0B C1D EU"))
    assert told.byes[0].entrant in "AD"


def test_many_lesser_wishes_never_outweigh_a_greater_one() -> None:
    """Twelve on a ring who can be paired in two ways: one game within a club, or six games of two who both always began."""
    names = "ABCDEFGHIJKL"
    first, second = "ADEHIL", "BCFGJK"  # who always began, who never did
    rounds = [" ".join(f"{one}={second[(at + shift) % 6]}" for at, one in enumerate(first)) for shift in range(1, 5)]
    field = stage(names, *rounds)
    field = replace(
        field, entrants=tuple(replace(one, group="club" if one.id in "AB" else "") for one in field.entrants)
    )
    ring = {frozenset((names[at], names[(at + 1) % 12])) for at in range(12)}
    bans = {frozenset(two) for two in combinations(names, 2)} - ring
    assert pairs(paired(field, banned=bans)) == {frozenset(two) for two in ("BC", "DE", "FG", "HI", "JK", "LA")}


def test_five_players_and_five_rounds_make_five_different_byes() -> None:
    """lila#6619: the same player had the bye of the odd number three times."""
    field = stage("ABCDE", seed="s")
    byes = []
    for number in range(1, 6):
        told = paired(field)
        byes += [one.entrant for one in told.byes]
        field = played(field, told, number)
    assert sorted(byes) == list("ABCDE")


def test_the_leader_never_has_the_bye() -> None:
    """online-go#2412: seven players, four rounds, A wins all."""
    field = stage("ABCDEFG", seed="s")
    byes = []
    for number in range(1, 5):
        told = paired(field)
        byes += [one.entrant for one in told.byes]
        field = played(field, told, number)
    assert field.points()["A"] == 4 and "A" not in byes and len(set(byes)) == 4


def test_a_round_missed_is_no_bye_and_whoever_missed_it_may_still_have_one() -> None:
    """lila#12497: absences became byes. D was away in round 2, is last and may have the bye of round 3."""
    told = paired(stage("ABCDE", "A1B C1D EU", "A1C E1B DZ"))
    assert [(one.entrant, one.kind) for one in told.byes] == [("D", Kind.ALLOCATED_BYE)]


def test_a_forfeit_is_no_encounter_and_its_winner_has_no_bye() -> None:
    assert pairs(paired(stage("AB", "A+B"))) == {frozenset("AB")}
    assert "rematch" not in [one.code for one in paired(stage("AB", "A+B")).notes]
    last = stage("ABC", "C+A BZ", penalties=(("C", 1, Fraction(3)),))
    assert min(last.points(), key=last.points().__getitem__) == "C"
    assert paired(last).byes[0].entrant in "AB"


def test_in_a_large_field_bans_among_all_neighbours_are_gone_around() -> None:
    field = Field(tuple(Entrant(f"p{at}", at) for at in range(1, 301)))
    field = played(field, paired(field), 1)
    leaders = [f"p{at}" for at in range(1, 61)]
    told = paired(field, banned={frozenset(two) for two in combinations(leaders, 2)})
    assert sorted(one for table in told.tables for one in table.seats) == sorted(one.id for one in field.entrants)
    assert not any(set(one.seats) <= set(leaders) for one in told.tables)
    assert not [one for one in told.notes if one.code == "rematch"]


def test_who_is_left_without_an_opponent_is_named() -> None:
    with pytest.raises(PairingImpossible, match="leave 2 without an opponent") as told:
        paired(stage("ABCDEF"), banned={frozenset(("A", one)) for one in "BCDEF"})
    assert "A" in told.value.entrants


def test_too_few_table_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="2 groups need as many tables; there are 1"):
        tables.assign(stage("ABCD"), [("A", "B"), ("C", "D")], numbers=[7])


def test_in_a_large_hall_nobody_sits_at_a_table_twice_either() -> None:
    names = [str(at) for at in range(1, 1001)]
    groups = [(names[at], names[at + 1]) for at in range(0, 1000, 2)]
    rows = tuple(
        Row(one, 1, Kind.PLAYED, Fraction(0), table=number) for number, two in enumerate(groups, 1) for one in two
    )
    field = Field(tuple(Entrant(one, int(one)) for one in names), rows, 1)
    told, notes = tables.assign(field, groups)
    assert not notes and sorted(one.number for one in told) == list(range(1, 501))


def test_tables_of_four_are_not_used_twice_by_the_same_people() -> None:
    field = stage("ABCDEFGH")
    groups = [tuple("ABCD"), tuple("EFGH")]
    field = replace(
        field,
        rows=tuple(
            Row(one, 1, Kind.PLAYED, Fraction(0), table=at) for at, four in enumerate(groups, 1) for one in four
        ),
    )
    told, notes = tables.assign(field, groups)
    assert [(one.number, one.seats) for one in told] == [(1, groups[1]), (2, groups[0])] and not notes


def test_a_large_field_is_paired_by_its_neighbours_without_a_rematch() -> None:
    field = Field(tuple(Entrant(f"p{at}", at) for at in range(1, 301)))
    for number in (1, 2, 3):
        told = paired(field)
        assert not [one for one in told.notes if one.code == "rematch"]
        field = played(field, told, number)
