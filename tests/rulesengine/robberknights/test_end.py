"""Control, score, the end, leaving, and the hand of officials (RK-40 to RK-50)."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.robberknights.state import placements, points
from tests.rulesengine.robberknights.given import GAME, Match, path

SCORED = {
    (0, 0): "plain castle",
    (1, 0): "forest village",
    (2, 0): "plain town",
    (3, 0): "mountain",
    (4, 0): "plain village",
}
STACKS = {(0, 0): "AB", (1, 0): "BBAA", (2, 0): "B", (3, 0): "AAA"}


def over(match: Match) -> dict[str, dict[str, Any]]:
    """Return the rows of the result by seat, of a match on which time is called."""
    match.do(None, "time_called")
    result = GAME.result(match.state)
    assert result is not None
    return {row["seat"]: row for row in result["seats"]}


def scored(seats: int = 2, **options: Any) -> Match:
    return Match(seats, **options).put(SCORED, STACKS).set(step="place", current="A")


def worth_points(match: Match, **seats: int) -> Match:
    """Give seats points, each tile of theirs with one knight: towns of 3, castles of 1."""
    kinds: dict[tuple[int, int], str] = {}
    stacks: dict[tuple[int, int], str] = {}
    for seat, count in seats.items():
        kinds_left = ["plain town"] * (count // 3) + ["plain castle"] * (count % 3)
        for kind in kinds_left:
            at = (len(kinds), 0)
            kinds[at], stacks[at] = kind, seat
    return match.put(kinds, stacks).set(step="place", current="A")


# Control and score


def test_rk_40_the_top_knight_controls_whoever_placed_the_tile() -> None:
    match = Match().put({(0, 0): "A:B5", (1, 0): "B:B5"}, {(0, 0): "AAB", (1, 0): "A"})
    assert [match.state.board[x, 0].control for x in (0, 1)] == ["B", "A"]
    assert points(match.state) == {"A": 3, "B": 3}


def test_rk_41_example_10_what_controlled_tiles_are_worth() -> None:
    rows = over(scored())
    assert rows["A"] == {
        "seat": "A", "points": 2, "castles": 0, "villages": 1, "towns": 0, "unused_knights": 30, "place": 2,
    }  # fmt: skip
    assert rows["B"] == {
        "seat": "B", "points": 4, "castles": 1, "villages": 0, "towns": 1, "unused_knights": 30, "place": 1,
    }  # fmt: skip


def test_rk_41_knights_of_who_resigned_go_on_controlling() -> None:
    rows = over(scored(3).do("B", "player_resigned"))
    assert (rows["B"]["points"], rows["B"]["place"], rows["A"]["place"], rows["C"]["place"]) == (4, 3, 1, 2)


# The end


def test_rk_42_the_match_ends_when_nobody_who_plays_has_a_tile() -> None:
    match = Match(3).laid().out_of_tiles("A", "A2").out_of_tiles("B").do("C", "player_resigned")
    match.do("A", "tile_placed", tile="A2", x=0, y=-1)
    assert (match.get("ended_by"), match.get("step"), match.get("current")) == ("tiles", "over", None)
    assert match.get("placed_this_turn") == 0


def test_rk_42_the_last_castle_still_sends_its_knights() -> None:
    match = Match().laid().out_of_tiles("A", "A1").out_of_tiles("B")
    match.do("A", "tile_placed", tile="A1", x=0, y=-1)
    assert (match.get("step"), match.get("finished")) == ("knights", False)
    match.do("A", "knights_deployed", path=path((0, -1, 2)))
    assert (match.get("ended_by"), match.stack(0, -1)) == ("tiles", "AA")


def test_rk_42_all_knights_placed_ends_it_where_so_chosen_and_a_draw_lapses() -> None:
    match = (
        Match(3, end_when_all_knights_placed=True)
        .laid()
        .set(players__A__supply=1, players__B__supply=0, players__C__supply=4)
    )
    match.do("A", "tile_placed", tile="A1", x=0, y=-1).do("A", "knights_deployed", path=path((0, -1, 1)))
    assert match.get("step") == "draw"
    match.do("C", "player_resigned")
    assert (match.get("ended_by"), match.get("draw_pending"), match.get("players.A.pile.B")) == ("knights", False, 5)


def test_rk_42_passes_of_all_who_have_tiles_end_it() -> None:
    match = Match(3, grid={"3": 3}).laid().out_of_tiles("C")
    match.set(players__A__hand=[], players__B__hand=[])
    match.do("A", "turn_passed")
    assert match.get("ended_by") is None
    match.do("B", "turn_passed")
    assert (match.get("ended_by"), match.get("consecutive_passes")) == ("passes", 2)


def test_rk_42_passes_count_in_direct_succession() -> None:
    match = Match(3, min_tiles_per_turn=0).laid().do("A", "turn_passed").do("B", "turn_passed")
    match.do("C", "player_resigned")
    assert (match.get("consecutive_passes"), match.get("ended_by"), match.get("current")) == (0, None, "A")
    match.do("A", "turn_passed").force("RK-16", "B", "turn_ended")
    assert match.get("consecutive_passes") == 0


IN_PLAY: list[tuple[str | None, str, dict[str, Any]]] = [
    (None, "match_started", {}),
    ("A", "hand_chosen", {"tile": "A2"}),
    (None, "layout_laid", {"cells": []}),
    ("B", "tile_placed", {"tile": "Z", "x": 0, "y": 0}),
    ("A", "knights_deployed", {"path": path((0, 0, 1))}),
    ("A", "knights_declined", {}),
    ("A", "tile_drawn", {"letter": "B", "tile": "B1"}),
    ("A", "turn_ended", {}),
    ("B", "turn_passed", {}),
    ("A", "player_resigned", {}),
    (None, "time_called", {}),
    (None, "draw_agreed", {"seats": ["A"]}),
    (None, "match_abandoned", {}),
    (None, "match_paused", {}),
    (None, "match_resumed", {}),
    (None, "penalty_given", {"seat": "A", "kind": "warning"}),
]


@pytest.mark.parametrize(("seat", "type_", "fields"), IN_PLAY)
def test_rk_42_nothing_of_the_game_follows_the_end(seat: str | None, type_: str, fields: dict[str, Any]) -> None:
    match = Match().laid().do(None, "time_called")
    match.refused("RK-42", seat, type_, "impossible", **fields)


def test_rk_42_other_shared_events_follow_the_end() -> None:
    match = Match().laid().do(None, "time_called")
    match.do(None, "dispute_opened", about_seq=1).do(None, "ruling_given", about_seq=1)
    match.do("A", "result_signed").do("B", "result_disputed").do(None, "match_ended")
    match.do(None, "placements_confirmed").do(None, "match_annulled")


def test_rk_42_an_end_is_not_recorded_before_the_end_nor_confirmed() -> None:
    match = Match().laid()
    match.refused("RK-42", None, "placements_confirmed", "impossible")
    match.refused("RK-42", None, "match_ended", "irregular")


def test_rk_43_most_points_win() -> None:
    match = worth_points(Match(3), A=4, B=7, C=6)
    over(match)
    assert placements(match.state) == [("B", 1), ("C", 2), ("A", 3)]


def test_rk_43_example_11_more_unused_knights_break_a_tie() -> None:
    def placed(first: int, second: int, **options: Any) -> list[tuple[str, int]]:
        match = worth_points(Match(**options), A=9, B=9).set(players__A__supply=first, players__B__supply=second)
        match.do(None, "time_called")
        return placements(match.state)

    assert placed(4, 6) == [("B", 1), ("A", 2)]
    assert placed(5, 5) == [("A", 1), ("B", 1)]
    assert placed(4, 6, tiebreak=[]) == [("A", 1), ("B", 1)]


def test_rk_43_after_a_shared_place_the_next_is_skipped() -> None:
    match = worth_points(Match(4), A=3, B=6, C=6, D=1)
    over(match)
    assert placements(match.state) == [("B", 1), ("C", 1), ("A", 3), ("D", 4)]


# Leaving, time, agreement


def test_rk_44_a_seat_resigns_once_also_out_of_turn() -> None:
    match = Match(3).laid().do("B", "player_resigned")
    assert (match.get("resigned"), match.get("current"), match.get("ended_by")) == (["B"], "A", None)
    match.refused("RK-44", "B", "player_resigned", "impossible")
    assert match.get("players.B.hand") == [{"letter": "A", "tile": "A1"}, {"letter": "A", "tile": "A2"}]


def test_rk_44_in_the_own_turn_what_is_open_lapses() -> None:
    match = Match(3).laid().do("A", "tile_placed", tile="A1", x=0, y=-1).do("A", "player_resigned")
    assert (match.get("current"), match.get("step"), match.get("castle_pending")) == ("B", "place", None)
    assert match.get("placed_this_turn") == 0


def test_rk_44_hand_and_layout_of_who_resigned_in_the_set_up_are_still_recorded() -> None:
    match = Match(3).do("A", "player_resigned").laid()
    assert (match.get("current"), match.get("resigned")) == ("B", ["A"])
    assert {"A:A3", "A:A4"} <= {one["tile"] for one in match.get("board").values()}


def test_rk_44_with_fewer_than_two_left_the_match_ends_also_in_the_set_up() -> None:
    for match in (Match(), Match().laid()):
        match.do("A", "player_resigned")
        assert (match.get("ended_by"), match.get("step")) == ("resignation", "over")
        assert match.get("placements") == [{"seat": "B", "place": 1}, {"seat": "A", "place": 2}]


def test_rk_44_example_17_who_resigned_is_behind_all_others_the_first_last() -> None:
    match = worth_points(Match(4), A=2, B=9, C=4, D=3).do("D", "player_resigned").do("B", "player_resigned")
    over(match)
    assert placements(match.state) == [("C", 1), ("A", 2), ("B", 3), ("D", 4)]


def test_rk_45_time_called_ends_the_match_at_once() -> None:
    match = Match().laid().do("A", "tile_placed", tile="A1", x=0, y=-1).do(None, "time_called")
    assert (match.get("ended_by"), match.get("castle_pending"), match.get("current")) == ("time", None, None)
    assert Match().do(None, "time_called").get("ended_by") == "time"


def test_rk_46_a_draw_is_agreed_by_exactly_those_who_play() -> None:
    match = worth_points(Match(4), A=9, B=3, C=1).do("D", "player_resigned")
    for seats in (["A", "B"], ["A", "B", "C", "D"], [], ["A", "B", "C", "C"]):
        match.refused("RK-46", None, "draw_agreed", "impossible", seats=seats)
    match.do(None, "draw_agreed", seats=["C", "A", "B"])
    assert match.get("ended_by") == "draw_agreed"
    assert placements(match.state) == [("A", 1), ("B", 1), ("C", 1), ("D", 4)]


def test_rk_47_an_accepted_end_ends_the_match_and_a_later_one_records_it() -> None:
    match = Match().laid().do("A", "tile_placed", tile="A1", x=0, y=-1).force("RK-42", None, "match_ended")
    assert (match.get("ended_by"), match.get("castle_pending"), match.get("finished")) == ("recorded", None, True)
    assert match.do(None, "match_ended").get("ended_by") == "recorded"


# Officials


def test_rk_48_a_referee_sets_a_supply_or_the_knights_of_a_tile() -> None:
    match = scored().do(None, "state_adjusted", path="players.A.supply", old=30, new=0)
    assert match.get("players.A.supply") == 0
    match.do(None, "state_adjusted", path="board.2,0.stack", old=["B"], new=["B", "A"], reason="a knight was missed")
    assert match.stack(2, 0) == "BA"
    assert points(match.state) == {"A": 5, "B": 1}
    assert over(match)["A"]["place"] == 1
    match.do(None, "state_adjusted", path="board.2,0.stack", old=["B", "A"], new=[])
    assert placements(match.state) == [("A", 1), ("B", 2)]
    match.do(None, "state_adjusted", path="board.1,0.stack", old=["B", "B", "A", "A"], new=["B"])
    assert placements(match.state) == [("B", 1), ("A", 2)]


@pytest.mark.parametrize(
    ("way", "old", "new"),
    [
        ("players.A.supply", 29, 28),
        ("players.A.supply", 30, -1),
        ("players.A.supply", 30, None),
        ("players.A.supply", 30, 3.0),
        ("players.A.supply", 30, True),
        ("players.A.supply", 30, "3"),
        ("players.A.supply", True, 3),
        ("players.A", None, None),
        ("players.C.supply", 30, 3),
        ("players.A.hand", [], []),
        ("step", "place", "over"),
        ("board.2,0.tile", "A:B5", "A:D5"),
        ("board.9,9.stack", [], ["A"]),
        ("board.02,0.stack", ["B"], ["A"]),
        ("board.-0,0.stack", ["B"], ["A"]),
        ("board.2,0.stack", [], ["A"]),
        ("board.2,0.stack", ["B"], ["C"]),
        ("board.2,0.stack", ["B"], [1]),
        ("board.2,0.stack", ["B"], "A"),
        ("board.2,0.stack.0", "B", "A"),
        ("", None, None),
        ("board", {}, {}),
    ],
)
def test_rk_48_nothing_else_is_set_and_the_old_value_is_the_present_one(way: str, old: Any, new: Any) -> None:
    scored().refused("RK-48", None, "state_adjusted", "impossible", path=way, old=old, new=new)


def test_rk_48_the_end_is_looked_at_after_an_adjustment() -> None:
    match = Match(end_when_all_knights_placed=True).laid().set(players__A__supply=0)
    match.do("A", "tile_placed", tile="A1", x=0, y=-1)
    match.do(None, "state_adjusted", path="players.B.supply", old=30, new=0)
    assert (match.get("ended_by"), match.get("castle_pending")) == ("knights", None)
    match = Match(end_when_all_knights_placed=True).set(players__A__supply=0)
    match.do(None, "state_adjusted", path="players.B.supply", old=30, new=0)
    assert match.get("ended_by") is None
    assert match.laid().get("ended_by") == "knights"


def test_rk_49_placements_wait_for_open_disputes() -> None:
    match = Match().laid().do("A", "dispute_opened", about_seq=3).do(None, "dispute_opened", about_seq=3)
    match.do(None, "dispute_opened").do(None, "time_called")
    match.refused("RK-49", None, "placements_confirmed", "impossible")
    match.do(None, "ruling_given", about_seq=3).refused("RK-49", None, "placements_confirmed", "impossible")
    match.do(None, "ruling_given", about_seq=4).refused("RK-49", None, "placements_confirmed", "impossible")
    match.do(None, "ruling_given").do(None, "placements_confirmed")


@pytest.mark.parametrize("type_", ["match_abandoned", "match_annulled"])
def test_rk_50_a_match_may_come_to_count_for_nothing(type_: str) -> None:
    match = Match().laid().do("A", "tile_placed", tile="A1", x=0, y=-1).do(None, type_, reason="fire alarm")
    assert (match.get("ended_by"), match.get("castle_pending")) == (type_.removeprefix("match_"), None)
    assert (match.get("placements"), match.get("finished"), GAME.result(match.state)) == (None, True, None)
    assert (GAME.status(match.state), GAME.standing(match.state), GAME.outcome(match.state)) == ("void", "ended", ())
    match.refused("RK-42", None, "match_abandoned", "impossible")
    match.refused("RK-50", None, "match_annulled", "impossible")
    match.refused("RK-50", None, "placements_confirmed", "impossible")
    match.refused("RK-50", None, "state_adjusted", "impossible", path="players.A.supply", old=30, new=1)


def test_rk_50_a_match_is_annulled_after_its_end_too() -> None:
    match = Match().laid().do(None, "time_called").do(None, "match_annulled")
    assert (match.get("ended_by"), match.get("placements")) == ("annulled", None)
