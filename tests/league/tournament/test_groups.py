"""Groups and cuts: the snake, who is kept apart, and ties at the line."""

from __future__ import annotations

from fractions import Fraction

import pytest

from league.tournament.pairing import groups
from league.tournament.pairing.groups import Place, TiedCut, cut, cut_groups, snake


def ranked(*ranks: int, points: tuple[int, ...] = (), prefix: str = "") -> list[Place]:
    """Rows a, b, c … with these ranks and points."""
    return [
        Place(f"{prefix}{chr(97 + number)}", rank, Fraction(points[number] if points else 0))
        for number, rank in enumerate(ranks)
    ]


# The snake


def test_a_snake_turns_at_each_end() -> None:
    assert snake(range(1, 10), 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9))


def test_sizes_of_groups_differ_by_one_at_most() -> None:
    for count in range(1, 40):
        for number in range(1, count + 1):
            told = snake(range(count), number)
            assert sorted(one for group in told for one in group) == list(range(count))
            assert max(map(len, told)) - min(map(len, told)) <= 1


@pytest.mark.parametrize("count", [0, 4])
def test_more_groups_than_entrants_or_none_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"3 entrants cannot make {count} groups"):
        snake("abc", count)


def test_of_a_club_nobody_meets_in_a_group_where_that_is_possible() -> None:
    club = {"a": "X", "f": "X"}
    told = snake("abcdefghi", 3, apart=lambda one: club.get(one, ""))
    assert told == (("a", "e", "g"), ("b", "f", "h"), ("c", "d", "i"))
    assert snake("abcdefghi", 3) == (("a", "f", "g"), ("b", "e", "h"), ("c", "d", "i"))


def test_keeping_apart_leaves_everybody_in_the_layer_of_the_snake() -> None:
    club = dict(zip("abcdefghijkl", "XYZXYZXYZXYZ", strict=True))
    told = snake("abcdefghijkl", 4, apart=club.__getitem__)
    layers = [set("abcd"), set("efgh"), set("ijkl")]
    assert all(one in layers[place] for group in told for place, one in enumerate(group))
    assert all(len({club[one] for one in group}) == len(group) for group in told)


def test_a_club_with_more_members_than_groups_is_spread_as_far_as_it_goes() -> None:
    told = snake("abcdef", 2, apart=lambda one: "X" if one in "abc" else "")
    assert sorted(one for group in told for one in group) == list("abcdef")
    assert sorted(sum(one in "abc" for one in group) for group in told) == [1, 2]


# The cut


def test_the_first_go_on_in_order() -> None:
    told = cut(ranked(1, 2, 2, 4), 3)
    assert told.through == ("a", "b", "c") and told.out == ("d",) and told.tied == ()


def test_a_tie_at_the_line_is_refused_and_names_who_is_tied_for_how_many_places() -> None:
    with pytest.raises(TiedCut, match="2 are tied for 1 at the cut: b, c") as refused:
        cut(ranked(1, 2, 2, 4), 2)
    assert refused.value.entrants == ("b", "c") and refused.value.places == 1


@pytest.mark.parametrize(("ties", "through"), [("all", ("a", "b", "c")), ("none", ("a",)), ("order", ("a", "b"))])
def test_a_named_rule_parts_a_tie_at_the_line_and_is_told(ties: groups.Ties, through: tuple[str, ...]) -> None:
    told = cut(ranked(1, 2, 2, 4), 2, ties=ties)
    assert told.through == through and told.rule == ties and told.tied == ("b", "c")
    assert sorted(told.through + told.out) == list("abcd")


def test_a_lot_at_the_line_is_the_same_for_the_same_seed_and_fair_over_many() -> None:
    drawn = [cut(ranked(1, 2, 2), 2, ties="lot", seed=str(number)).through[1] for number in range(200)]
    assert drawn == [cut(ranked(1, 2, 2), 2, ties="lot", seed=str(number)).through[1] for number in range(200)]
    assert 70 < drawn.count("b") < 130


def test_more_than_there_are_cannot_go_on() -> None:
    with pytest.raises(ValueError, match="4 cannot go on from 3"):
        cut(ranked(1, 2, 3), 4)


def test_of_groups_all_winners_come_before_all_seconds() -> None:
    tables = [ranked(1, 2, 3, points=(5, 4, 1), prefix="1"), ranked(1, 2, 3, points=(6, 3, 0), prefix="2")]
    assert cut_groups(tables, 2).through == ("2a", "1a", "1b", "2b")


def test_across_groups_of_unequal_size_points_per_game_are_compared_and_not_sums() -> None:
    tables = [ranked(1, 2, points=(4, 3), prefix="1"), ranked(1, 2, points=(3, 2), prefix="2")]
    games = {"1a": 4, "1b": 4, "2a": 2, "2b": 2}  # A mean of 3/4 against one of 1.
    assert cut_groups(tables, 1, games=games).through == ("2a", "1a")
    assert cut_groups(tables, 1, best_of_next=1, games=games).through == ("2a", "1a", "2b")


def test_a_tie_for_the_best_of_the_next_is_refused_too() -> None:
    tables = [ranked(1, 2, points=(4, 3), prefix="1"), ranked(1, 2, points=(5, 3), prefix="2")]
    with pytest.raises(TiedCut, match="2 are tied for 1 at the cut: 1b, 2b"):
        cut_groups(tables, 1, best_of_next=1)
    told = cut_groups(tables, 1, best_of_next=1, ties="order")
    assert told.through == ("2a", "1a", "1b") and told.tied == ("1b", "2b")
