"""Swiss pairing for two seats: everybody once, no second bye, no rematch that need not be, the same input the same round."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from league.tournament.field import NO_BYE_AFTER, Entrant, Field
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
    from league.tournament.field import Kind, Row

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


def test_a_large_field_is_paired_by_its_neighbours_without_a_rematch() -> None:
    field = Field(tuple(Entrant(f"p{at}", at) for at in range(1, 301)))
    for number in (1, 2, 3):
        told = paired(field)
        assert not [one for one in told.notes if one.code == "rematch"]
        field = played(field, told, number)
