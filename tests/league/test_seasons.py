"""Tables of seasons and campaigns: what counts, and how equals are parted."""

from __future__ import annotations

from datetime import date

import pytest

from league import campaigns, seasons
from league.seasons import Finish


def finish(person: str, place: int, match: int = 1, *, players: int = 4, **more: bool) -> Finish:
    return Finish(match=f"m{match}", on=date(2026, 1, match), person=person, place=place, players=players, **more)


def told(rows: list[seasons.Row]) -> list[tuple[str, int, int]]:
    return [(row.person, sum(row.best), row.place) for row in rows]


def test_without_a_list_the_first_of_four_gets_four_points_and_a_forfeit_none() -> None:
    rows = seasons.table([finish("a", 1), finish("b", 2), finish("c", 3), finish("d", 4, forfeited=True)])
    assert told(rows) == [("a", 4, 1), ("b", 3, 2), ("c", 2, 3), ("d", 0, 4)]


def test_with_a_list_places_behind_its_end_get_nothing() -> None:
    rows = seasons.table([finish("a", 1), finish("b", 2), finish("c", 3)], points=[10, 6])
    assert told(rows) == [("a", 10, 1), ("b", 6, 2), ("c", 0, 3)]


def test_the_best_four_of_six_count_and_who_played_three_has_three() -> None:
    a = [finish("a", 1, match) for match in (1, 2, 3)]
    b = [finish("b", place, match) for match, place in enumerate((2, 2, 2, 2, 3, 4), 1)]
    rows = seasons.table([*a, *b], best_n=4)
    assert told(rows) == [("a", 12, 1), ("b", 12, 2)]
    assert [line.counted for line in rows[1].lines] == ["counts"] * 4 + ["dropped"] * 2


def test_the_worst_two_of_those_played_are_left_out_so_three_played_leave_one() -> None:
    rows = seasons.table([finish("a", 1, match) for match in (1, 2, 3)], drop_n=2)
    assert told(rows) == [("a", 4, 1)]
    assert [line.counted for line in rows[0].lines] == ["counts", "dropped", "dropped"]


@pytest.mark.parametrize(
    ("a", "b", "places"),
    [
        ([1, 4], [2, 3], (1, 2)),  # 5 and 5: the best single is better
        ([2, 3], [3, 2], (1, 1)),  # the same results: shared
        ([1], [3, 2], (2, 1)),  # 4 and 5
    ],
)
def test_equal_totals_are_parted_by_the_best_single_result(a: list[int], b: list[int], places: tuple[int, int]) -> None:
    rows = seasons.table(
        [finish(who, one, match) for who, mine in (("a", a), ("b", b)) for match, one in enumerate(mine, 1)]
    )
    by = {row.person: row.place for row in rows}
    assert (by["a"], by["b"]) == places


def test_equal_results_in_fewer_matches_stand_before() -> None:
    rows = seasons.table([finish("a", 1, 1), finish("b", 1, 1), finish("b", 4, 2, forfeited=True)])
    assert [(row.person, row.place) for row in rows] == [("a", 1), ("b", 2)]


def test_what_is_not_confirmed_is_shown_and_counts_nowhere() -> None:
    rows = seasons.table([finish("a", 1, is_pending=True), finish("b", 2)])
    assert told(rows) == [("b", 3, 1), ("a", 0, 2)]
    assert rows[1].played == 0


def test_rod_60_a_campaign_is_won_by_points_then_first_places_then_shared() -> None:
    played = [
        finish("a", 1, 1, players=3), finish("b", 2, 1, players=3), finish("c", 3, 1, players=3),
        finish("b", 1, 2, players=3), finish("a", 2, 2, players=3), finish("c", 3, 2, players=3),
        finish("c", 1, 3, players=3), finish("a", 3, 3, players=3), finish("b", 3, 3, players=3, forfeited=True),
    ]  # fmt: skip
    assert [(one.person, one.points, one.place) for one in campaigns.table(played)] == [
        ("a", 6, 1),
        ("b", 5, 2),
        ("c", 5, 2),
    ]
