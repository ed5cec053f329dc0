"""Castle and knights (RK-20 to RK-32) with the worked examples of the page."""

from __future__ import annotations

import pytest

from tests.rulesengine.robberknights.given import GAME, Match, path

NEAR = {(0, 0): "plain castle", (1, 0): "plain", (-1, 0): "plain"}
STRAIGHT = {"movement": "straight_line"}
type Kinds = dict[tuple[int, int], str]


def legal(match: Match, *entries: tuple[int, int, int], seat: str = "A") -> Match:
    return match.do(seat, "knights_deployed", path=path(*entries))


def refused(
    rule: str, match: Match, *entries: tuple[int, int, int], breach: str = "irregular", seat: str = "A"
) -> None:
    match.refused(rule, seat, "knights_deployed", breach, path=path(*entries))


def test_rk_20_only_a_castle_just_placed_sends_knights() -> None:
    match = Match().laid()
    refused("RK-20", match, (0, 0, 1), breach="impossible")
    match.refused("RK-20", "A", "knights_declined", "impossible")
    match.do("A", "tile_placed", tile="A2", x=0, y=-1)
    refused("RK-20", match, (0, -1, 1), breach="impossible")
    match.refused("RK-20", "A", "knights_declined", "impossible")
    match.do("A", "tile_drawn", letter="B", tile="B2").do("A", "tile_placed", tile="A1", x=1, y=-1)
    legal(match, (1, -1, 1))
    refused("RK-20", match, (1, -1, 1), breach="impossible")


def test_rk_21_not_more_than_five_go_out() -> None:
    match = Match().castle(NEAR)
    refused("RK-21", match, (0, 0, 3), (1, 0, 3))
    match.force("RK-21", "A", "knights_deployed", path=path((0, 0, 3), (1, 0, 3)))
    assert (match.get("players.A.supply"), match.stack(0, 0), match.stack(1, 0)) == (24, "AAA", "AAA")
    legal(Match().castle(NEAR), (0, 0, 2), (1, 0, 3))


def test_rk_21_example_8_not_more_than_the_supply_holds() -> None:
    kinds = {(0, 0): "plain castle", (1, 0): "plain", (2, 0): "forest village"}
    match = Match().castle(kinds, seat="B").set(players__B__supply=3)
    refused("RK-27", match, (0, 0, 1), (1, 0, 1), (2, 0, 1), seat="B")
    refused("RK-21", match, (0, 0, 2), (1, 0, 2), seat="B", breach="impossible")
    legal(match, (0, 0, 1), (1, 0, 2), seat="B")
    assert match.get("players.B.supply") == 0


def test_rk_21_nobody_may_go_out_and_a_castle_must_be_manned_where_so_chosen() -> None:
    for supply in (0, 30):
        match = Match().castle(NEAR).set(players__A__supply=supply).do("A", "knights_declined")
        assert (match.get("step"), match.get("castle_pending"), match.stack(0, 0)) == ("draw", None, "")
    forest: Kinds = {(0, 0): "forest castle", (1, 0): "plain"}
    match = Match(castle_min_deploy=1).castle(forest)
    match.refused("RK-21", "A", "knights_declined", "irregular")
    match.force("RK-21", "A", "knights_declined")
    assert match.get("step") == "draw"
    assert Match(castle_min_deploy=1).castle(forest).set(players__A__supply=1).allowed("A", "knights_declined")
    assert Match(castle_min_deploy=1, deploy_max=1).castle(forest).allowed("A", "knights_declined")
    Match(castle_min_deploy=1).castle(forest).set(players__A__supply=2).refused(
        "RK-21", "A", "knights_declined", "irregular"
    )


def test_rk_22_the_path_begins_on_the_castle() -> None:
    match = Match().castle(NEAR)
    refused("RK-22", match, (1, 0, 1))
    refused("RK-22", match, (5, 5, 1), breach="impossible")
    match.force("RK-22", "A", "knights_deployed", path=path((1, 0, 2)))
    assert (match.stack(1, 0), match.get("players.A.supply"), match.get("step")) == ("AA", 28, "draw")


def test_rk_23_example_6_every_step_shares_an_edge_with_a_tile() -> None:
    kinds = {(0, 0): "plain castle", (1, 0): "lake", (2, 0): "plain town", (0, 2): "plain"}
    match = Match().castle(kinds)
    refused("RK-24", match, (0, 0, 1), (1, 0, 1))
    refused("RK-23", match, (0, 0, 1), (2, 0, 1))
    refused("RK-23", match, (0, 0, 1), (0, 1, 1), breach="impossible")
    refused("RK-23", match, (0, 0, 1), (0, 0, 1))
    diagonal: Kinds = {(0, 0): "plain castle", (1, 1): "plain"}
    refused("RK-23", Match().castle(diagonal), (0, 0, 1), (1, 1, 1))


def test_rk_24_a_lake_is_not_entered_but_knights_that_were_there_lie_where_recorded() -> None:
    match = Match().castle({(0, 0): "plain castle", (1, 0): "lake"})
    refused("RK-24", match, (0, 0, 1), (1, 0, 1))
    match.force("RK-24", "A", "knights_deployed", path=path((0, 0, 1), (1, 0, 4)))
    assert match.stack(1, 0) == "AAAA"


def test_rk_25_example_1_minimums_are_left() -> None:
    kinds = {(0, 0): "plain castle", (1, 0): "forest village", (2, 0): "plain town"}
    for options in ({}, STRAIGHT):
        match = legal(Match(**options).castle(kinds), (0, 0, 1), (1, 0, 2), (2, 0, 2))
        assert match.get("players.A.supply") == 25
        match.do(None, "time_called")
        assert match.last.state.finished
        result = match_points(match)
        assert result["A"] == 6
    refused("RK-25", Match().castle(kinds), (0, 0, 1), (1, 0, 1), (2, 0, 2))
    refused("RK-25", Match().castle(kinds), (0, 0, 0), (1, 0, 2), (2, 0, 2))


def match_points(match: Match) -> dict[str, int]:

    result = GAME.result(match.state)
    assert result is not None
    return {row["seat"]: row["points"] for row in result["seats"]}


def test_rk_25_example_2_a_mountain_needs_three_and_a_forest_castle_two() -> None:
    kinds = {(0, 0): "forest castle", (0, 1): "mountain"}
    legal(Match().castle(kinds), (0, 0, 2), (0, 1, 3))
    refused("RK-27", Match().castle(kinds), (0, 0, 3), (0, 1, 2))
    refused("RK-25", Match().castle(kinds), (0, 0, 1), (0, 1, 3))


def test_rk_26_example_3_a_tile_holds_four() -> None:
    kinds = {(0, 0): "plain castle", (1, 0): "forest village", (2, 0): "plain"}
    stacks = {(1, 0): "BB", (2, 0): "BBB"}
    match = legal(Match().castle(kinds, stacks), (0, 0, 1), (1, 0, 2), (2, 0, 1))
    assert (match.stack(1, 0), match.stack(2, 0)) == ("BBAA", "BBBA")
    assert [match.state.board[x, 0].control for x in (1, 2)] == ["A", "A"]
    refused("RK-26", Match().castle(kinds, stacks), (0, 0, 1), (1, 0, 2), (2, 0, 2))


@pytest.mark.parametrize(
    ("kind", "stack", "leave"), [("plain", "BBBB", 1), ("forest village", "BBB", 2), ("mountain", "BB", 3)]
)
def test_rk_26_a_tile_without_room_for_its_minimum_blocks(kind: str, stack: str, leave: int) -> None:
    kinds = {(0, 0): "plain castle", (1, 0): kind, (2, 0): "plain town"}
    refused("RK-26", Match().castle(kinds, {(1, 0): stack}), (0, 0, 1), (1, 0, leave), (2, 0, 1))
    match = (
        Match()
        .castle(kinds, {(1, 0): stack})
        .force("RK-26", "A", "knights_deployed", path=path((0, 0, 1), (1, 0, leave)))
    )
    assert match.stack(1, 0) == stack + "A" * leave


def test_rk_26_what_this_path_left_before_counts() -> None:
    stacks = {(1, 0): "BB"}
    way = ((0, 0, 1), (1, 0, 1), (0, 0, 1), (1, 0, 2))
    refused("RK-26", Match().castle(NEAR, stacks), *way)
    legal(Match().castle(NEAR, stacks), *way[:3], (1, 0, 1))


def test_rk_27_example_13_nobody_enters_nothing() -> None:
    refused("RK-27", Match(castle_return="already_satisfied").castle(NEAR), (0, 0, 1), (1, 0, 1), (0, 0, 0))
    forest: Kinds = {(0, 0): "forest castle"}
    refused("RK-27", Match().castle(forest), (0, 0, 1))
    match = Match().castle(forest).force("RK-27", "A", "knights_deployed", path=path((0, 0, 1)))
    assert (match.stack(0, 0), match.get("step")) == ("A", "draw")
    refused("RK-27", Match().castle(NEAR), (0, 0, 0), breach="impossible")
    refused("RK-27", Match().castle(NEAR), (0, 0, 0), (1, 0, 0), breach="impossible")


def test_rk_28_example_4_the_castle_is_entered_again() -> None:
    way = ((0, 0, 1), (1, 0, 1), (0, 0, 1), (-1, 0, 2))
    match = legal(Match().castle(NEAR), *way)
    assert [match.stack(x, 0) for x in (0, 1, -1)] == ["AA", "A", "AA"]
    assert match.get("players.A.supply") == 25
    light = ((0, 0, 1), (1, 0, 1), (0, 0, 0), (-1, 0, 3))
    refused("RK-28", Match().castle(NEAR), *light)
    match = legal(Match(castle_return="already_satisfied").castle(NEAR), *light)
    assert [match.stack(x, 0) for x in (0, 1, -1)] == ["A", "A", "AAA"]
    refused("RK-29", Match(movement="straight_line").castle(NEAR), *way)
    match = Match().castle(NEAR).force("RK-28", "A", "knights_deployed", path=path(*light))
    assert match.stack(-1, 0) == "AAA"


def test_rk_28_other_castles_need_their_minimum_twice() -> None:
    kinds = {(0, 0): "plain castle", (1, 0): "forest castle"}
    match = Match(castle_return="already_satisfied", deploy_max=6).castle(kinds)
    refused("RK-25", match, (0, 0, 1), (1, 0, 2), (0, 0, 0), (1, 0, 1), (0, 0, 1))
    legal(match, (0, 0, 1), (1, 0, 2), (0, 0, 0), (1, 0, 2))


def test_rk_29_example_5_a_corner_is_turned_step_by_step_alone() -> None:
    kinds = {(0, 0): "plain castle", (1, 0): "plain", (1, 1): "plain town"}
    way = ((0, 0, 1), (1, 0, 1), (1, 1, 1))
    legal(Match().castle(kinds), *way)
    match = Match(movement="straight_line").castle(kinds)
    refused("RK-29", match, *way)
    match.force("RK-29", "A", "knights_deployed", path=path(*way))
    assert match.stack(1, 1) == "A"


def test_rk_30_the_stack_may_stop_anywhere() -> None:
    legal(Match().castle(NEAR), (0, 0, 1))
    legal(Match().castle(NEAR), (0, 0, 4))
    legal(Match().castle(NEAR), (0, 0, 1), (1, 0, 4))
    refused("RK-26", Match().castle(NEAR), (0, 0, 5))


def test_rk_31_knights_lie_on_top() -> None:
    match = legal(Match().castle(NEAR, {(1, 0): "BA"}), (0, 0, 1), (1, 0, 2))
    assert match.stack(1, 0) == "BAAA"


def test_rk_32_knights_stay_and_the_supply_only_falls() -> None:
    match = legal(Match().castle(NEAR), (0, 0, 1), (1, 0, 2))
    assert (match.get("players.A.supply"), match.get("players.B.supply")) == (27, 30)
    match.do("A", "tile_drawn", letter="B", tile="B1").do("A", "turn_ended").do("A", "player_resigned")
    assert (match.stack(0, 0), match.stack(1, 0), match.get("players.A.supply")) == ("A", "AA", 27)


def test_the_refusals_of_a_path_come_entry_by_entry() -> None:
    """An earlier entry's last rule goes before a later entry's first, and the sum comes last of all."""
    kinds = {(0, 0): "plain castle", (1, 0): "plain", (2, 0): "lake", (1, 1): "mountain"}
    stacks = {(1, 0): "BBBB"}
    refused("RK-22", Match().castle(kinds, stacks), (1, 0, 0), (9, 9, 1), breach="impossible")
    refused("RK-25", Match().castle(kinds, stacks), (0, 0, 0), (9, 9, 1), breach="impossible")
    refused("RK-26", Match().castle(kinds, stacks), (0, 0, 1), (1, 0, 1), (2, 0, 1))
    refused(
        "RK-24",
        Match(movement="straight_line").castle(kinds),
        (0, 0, 1),
        (1, 0, 1),
        (2, 0, 0),
        (9, 9, 9),
        breach="impossible",
    )
    refused("RK-29", Match(movement="straight_line").castle(kinds), (0, 0, 1), (1, 0, 1), (1, 1, 1))
    refused("RK-27", Match().castle(kinds), (0, 0, 1), (1, 0, 1), (1, 1, 2), (1, 0, 0))
    refused("RK-25", Match().castle(kinds), (0, 0, 1), (1, 0, 1), (1, 1, 2), (1, 0, 1))
    refused(
        "RK-21", Match().castle(kinds).set(players__A__supply=4), (0, 0, 1), (1, 0, 1), (1, 1, 3), breach="impossible"
    )


def test_no_room_matters_where_there_is_no_limit() -> None:
    match = Match(tile_capacity=None).castle(NEAR, {(1, 0): "BBBBBB"})
    assert legal(match, (0, 0, 1), (1, 0, 4)).stack(1, 0) == "BBBBBBAAAA"


def test_what_follows_from_a_sally_is_who_controls_now() -> None:
    match = legal(Match().castle(NEAR, {(1, 0): "B", (-1, 0): "A"}), (0, 0, 1), (1, 0, 1), (0, 0, 1), (-1, 0, 1))
    told = [one.data for one in match.last.consequences if one.type == "control_changed"]
    assert told == [{"cell": "0,0", "from": None, "to": "A"}, {"cell": "1,0", "from": "B", "to": "A"}]
