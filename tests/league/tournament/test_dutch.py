"""The FIDE (Dutch) engine: what goes in and out; its own rules are the library's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from league.tournament.field import Field, Kind
from league.tournament.pairing import dutch
from league.tournament.pairing.base import Pairing, PairingImpossible
from tests.league.tournament.build import stage
from tests.league.tournament.test_standings import stages


def paired(field: Field, present: str | None = None) -> Pairing:
    ids = present if present is not None else [one.id for one in field.entrants]
    return dutch.pair(field, round=field.rounds + 1, present=list(ids))


def test_the_first_round_folds_and_white_alternates() -> None:
    told = paired(stage("ABCDEF"))
    assert [one.seats for one in told.tables] == [("A", "D"), ("E", "B"), ("C", "F")]
    assert "2025" in told.version


def test_the_last_of_an_odd_number_has_the_bye_and_whoever_is_away_is_not_paired() -> None:
    told = paired(stage("ABCDEF"), "ABCDE")
    assert [(one.entrant, one.kind) for one in told.byes] == [("E", Kind.ALLOCATED_BYE)]
    assert {one for table in told.tables for one in table.seats} == set("ABCD")


def test_nobody_meets_again_and_nobody_has_a_second_bye() -> None:
    field = stage("ABCDE", "A1C B1D EU", "A1B E1C DU")
    told = paired(field)
    assert told.byes[0].entrant not in "DE"
    met = {frozenset(two) for two in ("AC", "BD", "AB", "EC")}
    assert not met & {frozenset(one.seats) for one in told.tables}


def test_what_the_rules_do_not_allow_is_said() -> None:
    with pytest.raises(PairingImpossible, match=r"round 2 has no pairing under the FIDE \(Dutch\) rules"):
        paired(stage("AB", "A1B"))


def test_two_who_both_lost_their_game_have_met() -> None:
    with pytest.raises(PairingImpossible):
        paired(stage("AB", "AxB"))
    assert paired(stage("AB", "A#B")).tables[0].seats in (("A", "B"), ("B", "A"))  # a double forfeit is no encounter


def test_a_ban_holds_under_the_rules_of_fide_too() -> None:
    told = dutch.pair(stage("ABCD"), round=1, present=list("ABCD"), banned={frozenset("AC")})
    assert frozenset("AC") not in {frozenset(one.seats) for one in told.tables}


@settings(max_examples=25)
@given(stages())
def test_everybody_is_paired_once_or_the_rules_leave_no_pairing(field: Field) -> None:
    try:
        told = paired(field)
    except PairingImpossible:
        return
    names = [one for table in told.tables for one in table.seats] + [one.entrant for one in told.byes]
    assert sorted(names) == sorted(one.id for one in field.entrants)
    assert told == paired(field)
