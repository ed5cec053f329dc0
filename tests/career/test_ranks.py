"""The ladder: thresholds and folds of ROD-10 … ROD-19."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from career import ranks
from career.catalogue import CURRENT
from career.participation import Participation


def part(number: int, *, on: date = date(2026, 1, 1), role: str = "player", **more: object) -> Participation:
    day = on + timedelta(days=number % 300)
    at = datetime(day.year, day.month, day.day, 12, tzinfo=UTC) + timedelta(minutes=number)
    told = {"confirmed": True, "confirmed_seq": 9, "players": 2, **more}
    return Participation(match=f"m{number}", order=(at, 0, 0, f"m{number}"), on=day, game="hexwar", role=role, **told)


@pytest.mark.parametrize(
    ("learning", "years", "matches", "name"),
    [
        (11, 2, 36, "Castellan"),
        (30, 1, 80, "Banneret"),
        (1, 6, 90, "Page"),
        (5, 1, 10, "Knight"),
        (5, 1, 9, "Squire"),
        (0, 0, 1, "Page"),
        (28, 10, 200, "Sovereign"),
        (27, 10, 200, "Regent"),
        (2, 0, 3, "Squire"),
        (2, 0, 2, "Page"),
    ],
)
def test_rod_18_a_rank_is_the_highest_row_all_of_whose_criteria_are_met(learning, years, matches, name):
    assert CURRENT.rank_of(credits=learning, years=years, matches=matches).name == name


def test_rod_18_nobody_has_a_rank_before_the_first_credited_match():
    assert CURRENT.rank_of(credits=5, years=1, matches=0) is None


def test_rod_17_three_matches_as_player_and_two_as_mapmaster_make_an_active_year():
    row = ranks.fold([part(n) for n in range(3)] + [part(n, role="mapmaster") for n in range(3, 5)], CURRENT)
    assert row.active_years == (2026,)


def test_rod_17_three_matches_as_player_and_one_as_official_do_not():
    row = ranks.fold([part(n) for n in range(3)] + [part(3, role="referee")], CURRENT)
    assert row.active_years == ()


def test_rod_17_four_matches_as_player_make_an_active_year():
    assert ranks.fold([part(n) for n in range(4)], CURRENT).active_years == (2026,)


def test_rod_10_a_game_gives_its_credit_once():
    row = ranks.fold([part(1), part(2)], CURRENT)
    assert [(one.rule, one.of, one.value) for one in row.credits] == [("ROD-10", "hexwar", 1)]


def test_rod_10_a_game_of_no_engine_gives_no_credit():
    from msgspec.structs import replace

    assert ranks.fold([replace(part(1), game="tichu")], CURRENT).credits == ()


def test_rod_14_the_first_office_gives_two_credits():
    row = ranks.fold([part(1, role="referee", offices=("referee",)), part(2, role="mapmaster")], CURRENT)
    assert row.learning == 2


@pytest.mark.parametrize(("errors", "credits"), [(0, 1), (3, 1), (4, 0)])
def test_rod_12_a_match_scribed_with_at_most_three_errors_gives_a_credit(errors, credits):
    row = ranks.fold([part(1, role="scribe", offices=("scribe",), sole_scribe=True, scribe_errors=errors)], CURRENT)
    assert row.learning == credits


def test_rod_12_two_scribes_did_not_scribe_it_from_start_to_end():
    assert ranks.fold([part(1, role="scribe", offices=("scribe",), sole_scribe=False)], CURRENT).learning == 0


def test_rod_02_a_provisional_match_counts_for_nothing():
    row = ranks.fold([part(1, confirmed=False, confirmed_seq=None)], CURRENT)
    assert (row.matches, row.rank) == (0, None)


def test_a_rank_names_the_confirmation_that_met_the_last_criterion():
    row = ranks.fold([part(1), part(2, role="referee"), part(3, confirmed_seq=41)], CURRENT)
    assert [(one.rank, one.evidence.stream, one.evidence.seq) for one in row.attained] == [
        ("RANK-1", "m1", 9),
        ("RANK-2", "m3", 41),
    ]


def test_the_rank_just_before_a_match_leaves_out_what_the_match_itself_earned():
    row = ranks.fold([part(1)], CURRENT)
    assert ranks.rank_before(row.attained, row.attained[0].order) is None
    assert ranks.rank_before(row.attained, part(2).order) == "RANK-1"
