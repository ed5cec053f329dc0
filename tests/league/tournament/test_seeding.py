"""The order of seeds, and groups kept apart in the first round of a bracket."""

from __future__ import annotations

from itertools import permutations

import pytest

from league.tournament.field import Entrant
from league.tournament.pairing.elimination import bracket
from league.tournament.pairing.seeding import kept_apart, order

FOUR = tuple(
    Entrant(one, number, rating=rating)
    for number, (one, rating) in enumerate(zip("abcd", (1500, 0, 1700, 1500), strict=True), 1)
)


def test_the_highest_rating_is_first_and_who_has_none_is_last() -> None:
    told = order(FOUR, "rating", seed="s")
    assert told[0] == "c" and told[3] == "b"


def test_equal_ratings_are_parted_by_a_lot_of_the_seed() -> None:
    seconds = {order(FOUR, "rating", seed=str(number))[1] for number in range(20)}
    assert seconds == {"a", "d"}
    assert order(FOUR, "rating", seed="s") == order(FOUR[::-1], "rating", seed="s")


def test_ranks_of_an_earlier_stage_come_before_ratings_and_who_was_not_in_it_is_last() -> None:
    assert order(FOUR, "stage", ranks={"b": 1, "a": 2, "c": 2}) == ("b", "c", "a", "d")


def test_a_lot_gives_every_order_a_chance() -> None:
    drawn = {order(FOUR, "lot", seed=str(number)) for number in range(400)}
    assert drawn == set(permutations("abcd"))


def test_a_list_by_hand_is_taken_as_it_is() -> None:
    assert order(FOUR, "hand", hand="dbca") == tuple("dbca")


@pytest.mark.parametrize(("hand", "wrong"), [("abc", "d"), ("abcde", "e"), ("abcdd", "d"), ("abce", "d, e")])
def test_a_list_by_hand_names_every_entrant_once(hand: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=f"look at {wrong}"):
        order(FOUR, "hand", hand=hand)


def test_a_rule_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no seeding by height, only rating, stage, hand, lot"):
        order(FOUR, "height")  # type: ignore[arg-type]


# Kept apart


def first_round(seeds: tuple[str, ...]) -> list[tuple[str, ...]]:
    drawn = bracket("single", seeds)
    state = drawn.after({})
    return [state.players(node.id) for node in drawn.nodes if node.round == 1]


def test_where_nobody_clashes_nothing_moves() -> None:
    seeds = tuple("abcdefgh")
    assert kept_apart(seeds, {"a": "X", "b": "X"}) == seeds


def test_two_of_one_club_are_kept_apart_by_the_smallest_change() -> None:
    assert kept_apart(tuple("abcdefgh"), {"a": "X", "h": "X"}) == tuple("abcdefhg")


def test_a_chain_of_changes_is_found_where_one_change_is_not_enough() -> None:
    club = dict(zip("abcdefgh", "XYZWWXXY", strict=True))
    told = kept_apart(tuple("abcdefgh"), club)
    assert told[:4] == tuple("abcd") and sorted(told) == list("abcdefgh")
    assert all(club[one] != club[other] for one, other in first_round(told))


def test_whoever_has_a_bye_keeps_it() -> None:
    told = kept_apart(tuple("abcdef"), {"c": "X", "f": "X"})
    assert told == tuple("abcdfe")
    assert first_round(told) == [("d", "f"), ("c", "e")]


def test_as_few_as_possible_meet_for_every_choice_of_clubs() -> None:
    for clubs in permutations("XXXYYZ"):
        seeds = tuple("abcdef")
        club = dict(zip(seeds, clubs, strict=True))
        lower = min(
            sum(club[one] == club[other] for one, other in zip("cd", pair, strict=True)) for pair in permutations("ef")
        )
        assert sum(club[one] == club[other] for one, other in first_round(kept_apart(seeds, club))) == lower
