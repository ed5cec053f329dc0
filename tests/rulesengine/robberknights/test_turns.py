"""A turn: placing, drawing, ending and passing (RK-03, RK-10 to RK-18)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.robberknights.given import Match


def placed(match: Match, tile: str = "A2", x: int = 0, y: int = -1) -> Match:
    return match.do(str(match.get("current")), "tile_placed", tile=tile, x=x, y=y)


def row(count: int, first: int = 0) -> dict[tuple[int, int], str]:
    """Return a row of tiles of many kinds from x = `first`."""
    kinds = ["plain", "plain village", "plain town", "forest village", "lake", "mountain", "plain castle"]
    return {(first + x, 0): kinds[x % len(kinds)] for x in range(count)}


def at_turn(match: Match, seat: str = "A", step: str = "place") -> Match:
    return match.set(current=seat, step=step)


# Drawing


def test_rk_03_the_top_letter_is_drawn() -> None:
    match = placed(Match().laid())
    match.refused("RK-03", "A", "tile_drawn", "irregular", letter="C", tile="C1")
    match.do("A", "tile_drawn", letter="B", tile="B4")
    assert match.get("players.A.pile") == {"B": 4, "C": 5, "D": 5, "E": 5}
    assert match.get("players.A.hand") == [{"letter": "A", "tile": "A1"}, {"letter": "B", "tile": "B4"}]
    assert "B4" in match.get("players.A.unplaced")
    assert match.get("players.B.pile.B") == 5


def test_rk_03_another_letter_that_has_tiles_left_is_irregular_and_taken_if_accepted() -> None:
    match = placed(Match().laid()).force("RK-03", "A", "tile_drawn", letter="E", tile="E3")
    assert match.get("players.A.pile") == {"B": 5, "C": 5, "D": 5, "E": 4}
    assert match.get("players.A.hand.1") == {"letter": "E", "tile": "E3"}


@pytest.mark.parametrize(
    ("letter", "tile"),
    [
        ("A", "A1"),
        ("F", "B1"),
        ("", "B1"),
        ("BC", "B1"),
        ("b", "B1"),
        ("C", "C9"),
        ("C", "B1"),
        ("C", "A3"),
        ("D", "D5"),
    ],
)
def test_rk_03_a_letter_that_is_none_or_a_tile_that_cannot_be_there_is_impossible(letter: str, tile: str) -> None:
    match = placed(Match().laid()).set(players__A__pile={"B": 5, "C": 5, "D": 0, "E": 5})
    match.refused("RK-03", "A", "tile_drawn", "impossible", letter=letter, tile=tile)


def test_rk_03_the_pile_goes_from_b_to_e() -> None:
    match = placed(Match(draw_record="sealed").laid()).set(players__A__pile={"B": 0, "C": 0, "D": 0, "E": 2})
    match.refused("RK-03", "A", "tile_drawn", "impossible", letter="B")
    match.do("A", "tile_drawn", letter="E")
    assert match.get("players.A.pile.E") == 1
    assert match.get("players.A.hand.1") == {"letter": "E", "tile": None}


@pytest.mark.parametrize("tile", ["B6", "", "C1", "A:B1", "b1", "B3"])
def test_rk_14_a_tile_that_is_none_of_the_letter_or_in_hand_is_not_drawn(tile: str) -> None:
    match = placed(Match().laid()).hand("A", "B3")
    match.refused("RK-14", "A", "tile_drawn", "impossible", letter="B", tile=tile)


def test_rk_14_a_tile_on_the_board_is_not_drawn() -> None:
    match = at_turn(Match().put({(0, 0): "A:B1", (1, 0): "B:B2"}), step="place").set(step="draw", draw_pending=True)
    match.refused("RK-14", "A", "tile_drawn", "impossible", letter="B", tile="B1")
    assert match.allowed("A", "tile_drawn", letter="B", tile="B2")


# Turn and step


def test_rk_10_only_the_seat_at_turn_acts() -> None:
    match = Match().laid()
    acts: list[tuple[str, dict[str, Any]]] = [
        ("tile_placed", {"tile": "A2", "x": 0, "y": -1}),
        ("knights_deployed", {"path": [{"x": 0, "y": 0, "leave": 1}]}),
        ("knights_declined", {}),
        ("tile_drawn", {"letter": "B", "tile": "B1"}),
        ("turn_ended", {}),
        ("turn_passed", {}),
    ]
    for type_, fields in acts:
        match.refused("RK-10", "B", type_, "impossible", **fields)
        Match().refused("RK-10", "A", type_, "impossible", **fields)
        chosen = Match().do("A", "hand_chosen", tile="A2").do("B", "hand_chosen", tile="A2")
        chosen.refused("RK-10", "A", type_, "impossible", **fields)


def test_rk_10_a_tile_waits_for_the_castle_and_the_draw() -> None:
    match = placed(Match().laid(), "A1")
    match.refused("RK-10", "A", "tile_placed", "impossible", tile="A2", x=1, y=-1)
    match.do("A", "knights_declined")
    match.refused("RK-10", "A", "tile_placed", "impossible", tile="A2", x=1, y=-1)


def test_rk_10_match_started_stands_before_the_first_choice() -> None:
    match = Match().do("B", "hand_chosen", tile="A2")
    match.refused("RK-10", None, "match_started", "impossible")
    match.do("A", "hand_chosen", tile="A2").refused("RK-10", None, "match_started", "impossible", start_seat="B")


def test_rk_10_example_9_after_three_actions_the_turn_is_over() -> None:
    match = Match().laid()
    for tile, x, drawn in (("A2", 0, "B3"), ("B3", 1, "B5"), ("B5", 2, "B1")):
        placed(match, tile, x).do("A", "tile_drawn", letter="B", tile=drawn)
    assert (match.get("current"), match.get("placed_this_turn"), match.get("step")) == ("B", 0, "place")
    match.refused("RK-10", "A", "tile_placed", "impossible", tile="B1", x=3, y=-1)


def test_rk_10_example_16_the_order_of_refusals() -> None:
    match = placed(Match().laid(), "A1")
    assert (match.get("step"), match.get("castle_pending")) == ("knights", "0,-1")
    match.refused("RK-15", "A", "tile_drawn", "impossible", letter="B", tile="B1")
    match.refused("RK-10", "A", "tile_placed", "impossible", tile="A2", x=1, y=-1)
    for type_, fields in (
        ("tile_drawn", {"letter": "B", "tile": "B1"}),
        ("tile_placed", {"tile": "A2", "x": 1, "y": -1}),
        ("turn_ended", {}),
    ):
        match.refused("RK-10", "B", type_, "impossible", **fields)
    match.force("RK-16", "A", "turn_ended")
    assert (match.get("current"), match.get("step"), match.get("castle_pending")) == ("B", "place", None)
    assert match.get("players.A.pile.B") == 5
    assert match.stack(0, -1) == ""
    laid = Match().laid()
    laid.refused("RK-20", "A", "knights_deployed", "impossible", path=[{"x": 0, "y": 0, "leave": 1}])


# Where a tile lies


@pytest.mark.parametrize(("x", "y"), [(2, 2), (-1, -1), (3, 0), (0, 5)])
def test_rk_11_a_tile_shares_an_edge(x: int, y: int) -> None:
    match = Match().laid()
    match.refused("RK-11", "A", "tile_placed", "irregular", tile="A2", x=x, y=y)
    match.force("RK-11", "A", "tile_placed", tile="A2", x=x, y=y)
    assert match.get(f"board.{x},{y}") == {"tile": "A:A2", "stack": []}
    assert match.get("step") == "draw"


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (2, 1), (1, 2)])
def test_rk_11_any_edge_will_do(x: int, y: int) -> None:
    match = placed(Match().laid(), "A2", x, y)
    assert "A2" not in match.get("players.A.unplaced")
    assert match.get("players.A.hand") == [{"letter": "A", "tile": "A1"}]


def test_rk_12_a_cell_holds_one_tile() -> None:
    Match().laid().refused("RK-12", "A", "tile_placed", "impossible", tile="A2", x=0, y=0)


def test_rk_13_example_7_the_window_closes_as_the_area_grows() -> None:
    """Seven columns from -2 to 4, four rows from 0 to 3."""
    tiles = {
        (-2, 0): "plain",
        **row(6, -1),
        (4, 1): "plain village",
        (4, 2): "plain town",
        (4, 3): "forest castle",
    }
    match = at_turn(Match().put(tiles)).hand("A", "A1")
    for x in (-3, 5):
        match.refused("RK-13", "A", "tile_placed", "irregular", tile="A1", x=x, y=0)
    assert match.allowed("A", "tile_placed", tile="A1", x=0, y=-1)
    assert match.allowed("A", "tile_placed", tile="A1", x=4, y=4)
    match.force("RK-13", "A", "tile_placed", tile="A1", x=5, y=0)
    assert match.get("board.5,0.tile") == "A:A1"
    assert match.get("step") == "knights"


def test_rk_13_the_window_is_fixed_once_both_ways_are_full() -> None:
    tiles = {**row(7), **{(0, y): "plain town" if y < 4 else "plain castle" for y in range(1, 7)}}
    match = at_turn(Match().put(tiles)).hand("A", "A1")
    for x, y in ((-1, 0), (7, 0), (0, -1), (0, 7)):
        match.refused("RK-13", "A", "tile_placed", "irregular", tile="A1", x=x, y=y)
    assert match.allowed("A", "tile_placed", tile="A1", x=6, y=1)


def test_rk_13_beside_an_irregular_tile_nothing_may_make_it_wider_still() -> None:
    match = at_turn(Match().put({**row(7), (9, 0): "plain town"})).hand("A", "A1")
    for x in (-1, 10):
        match.refused("RK-13", "A", "tile_placed", "irregular", tile="A1", x=x, y=0)
    for x, y in ((8, 0), (7, 0), (9, 1), (9, -1)):
        assert match.allowed("A", "tile_placed", tile="A1", x=x, y=y)


# What is in hand


@pytest.mark.parametrize("tile", ["A3", "B1", "B9", "", "B:A2", "A1 "])
def test_rk_14_only_a_tile_in_hand_is_placed(tile: str) -> None:
    Match().laid().refused("RK-14", "A", "tile_placed", "impossible", tile=tile, x=0, y=-1)


def test_rk_14_example_14_a_sealed_tile_is_any_of_its_letter() -> None:
    match = at_turn(Match(draw_record="sealed").put({(0, 0): "plain"})).hand("A", "B", "B")
    match.set(players__A__unplaced=["B1", "B2", "E1"], players__A__pile={"B": 0, "C": 0, "D": 0, "E": 1})
    placed(match, "B1", 1, 0)
    assert match.get("players.A.hand") == [{"letter": "B", "tile": None}]
    match.do("A", "tile_drawn", letter="E", tile=None)
    match.refused("RK-14", "A", "tile_placed", "impossible", tile="B1", x=2, y=0)
    match.refused("RK-14", "A", "tile_placed", "impossible", tile="E2", x=2, y=0)
    assert match.allowed("A", "tile_placed", tile="B2", x=2, y=0)
    assert match.allowed("A", "tile_placed", tile="E1", x=2, y=0)


def test_rk_14_a_known_face_goes_before_a_sealed_one_and_is_nothing_else() -> None:
    match = at_turn(Match(draw_record="sealed").put({(0, 0): "plain"})).hand("A", "B", "B3")
    assert placed(match, "B3", 1, 0).get("players.A.hand") == [{"letter": "B", "tile": None}]
    match = at_turn(Match(draw_record="sealed").put({(0, 0): "plain"})).hand("A", "B3")
    match.refused("RK-14", "A", "tile_placed", "impossible", tile="B4", x=1, y=0)


def test_rk_14_the_first_sealed_slot_is_used_up() -> None:
    match = at_turn(Match(draw_record="sealed").put({(0, 0): "plain"})).hand("A", "C", "B")
    assert placed(match, "B3", 1, 0).get("players.A.hand") == [{"letter": "C", "tile": None}]


# Draws and ends


def test_rk_15_a_draw_is_due_after_every_placement_and_only_then() -> None:
    match = Match().laid()
    match.refused("RK-15", "A", "tile_drawn", "impossible", letter="B", tile="B1")
    placed(match)
    assert (match.get("step"), match.get("draw_pending")) == ("draw", True)
    match.refused("RK-16", "A", "turn_ended", "irregular")
    match.do("A", "tile_drawn", letter="B", tile="B1")
    match.refused("RK-15", "A", "tile_drawn", "impossible", letter="B", tile="B2")
    assert len(match.get("players.A.hand")) == 2


def test_rk_15_an_empty_pile_gives_no_draw() -> None:
    match = placed(Match().laid().out_of_tiles("A", "A1", "A2"))
    assert (match.get("step"), match.get("current"), match.get("placed_this_turn")) == ("place", "A", 1)


def test_rk_16_example_9_a_turn_ends_after_an_action() -> None:
    match = Match().laid()
    match.refused("RK-16", "A", "turn_ended", "irregular")
    placed(match).do("A", "tile_drawn", letter="B", tile="B1").do("A", "turn_ended")
    assert (match.get("current"), match.get("placed_this_turn")) == ("B", 0)


def test_rk_16_an_accepted_end_lets_castle_and_draw_lapse() -> None:
    match = placed(Match().laid()).force("RK-16", "A", "turn_ended")
    assert (match.get("current"), match.get("step"), match.get("players.A.pile.B")) == ("B", "place", 5)
    match = Match().laid().force("RK-16", "A", "turn_ended")
    assert match.get("current") == "B"


def test_rk_16_a_pass_is_for_who_can_place_nothing() -> None:
    Match().laid().refused("RK-16", "A", "turn_passed", "irregular")
    full = Match(grid={"2": 2}).laid()
    full.refused("RK-16", "A", "turn_ended", "irregular")
    full.do("A", "turn_passed")
    assert (full.get("current"), full.get("consecutive_passes")) == ("B", 1)
    empty = Match().laid().hand("A").do("A", "turn_passed")
    assert empty.get("current") == "B"


def test_rk_16_a_pass_comes_before_any_action() -> None:
    match = placed(Match(min_tiles_per_turn=0).laid())
    match.refused("RK-16", "A", "turn_passed", "irregular")
    match.do("A", "tile_drawn", letter="B", tile="B1").refused("RK-16", "A", "turn_passed", "irregular")
    match.force("RK-16", "A", "turn_passed")
    assert (match.get("current"), match.get("consecutive_passes")) == ("B", 1)
    assert placed(match, "A2", 1).get("consecutive_passes") == 0


def test_rk_16_an_accepted_pass_lets_an_open_castle_lapse_and_counts() -> None:
    match = placed(Match().laid(), "A1").force("RK-16", "A", "turn_passed")
    assert (match.get("current"), match.get("castle_pending"), match.get("consecutive_passes")) == ("B", None, 1)


def test_rk_17_the_second_and_third_action_are_voluntary() -> None:
    match = placed(Match().laid()).do("A", "tile_drawn", letter="B", tile="B1")
    placed(match, "B1", 1).do("A", "tile_drawn", letter="B", tile="B2")
    assert match.allowed("A", "turn_ended")
    assert match.allowed("A", "tile_placed", tile="B2", x=2, y=-1)


def test_rk_18_example_15_who_has_no_tiles_is_skipped() -> None:
    match = Match().laid().out_of_tiles("A", "A2").out_of_tiles("B", "A1", "A2")
    placed(match)
    assert (match.get("current"), match.get("ended_by")) == ("B", None)
    match.refused("RK-10", "A", "turn_passed", "impossible")
    placed(match, "A2", 1).do("B", "turn_ended")
    assert (match.get("current"), match.get("placed_this_turn"), match.get("consecutive_passes")) == ("B", 0, 0)
    placed(match, "A1", 1, 2)
    assert (match.get("step"), match.get("finished")) == ("knights", False)
    match.do("B", "knights_declined")
    assert (match.get("step"), match.get("ended_by"), match.get("current")) == ("over", "tiles", None)


def test_rk_18_a_full_turn_again_follows_for_who_alone_has_tiles() -> None:
    match = Match().laid().out_of_tiles("A").hand("B", "A1", "A2").set(current="B")
    for tile, x, drawn in (("A2", 0, "B3"), ("B3", 1, "B5"), ("B5", 2, "B1")):
        placed(match, tile, x).do("B", "tile_drawn", letter="B", tile=drawn)
    assert (match.get("current"), match.get("placed_this_turn")) == ("B", 0)


def test_rk_18_a_resigned_seat_is_skipped() -> None:
    match = Match(3, max_tiles_per_turn=1).laid().do("B", "player_resigned")
    placed(match).do("A", "tile_drawn", letter="B", tile="B1")
    assert match.get("current") == "C"
