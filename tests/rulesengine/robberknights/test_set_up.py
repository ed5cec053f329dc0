"""Set-up: seats, options, hands, layout (RK-01 to RK-06), and the options by name."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.game import Refusal
from rulesengine.robberknights.state import placements
from rulesengine.robberknights.tables import GRID, LAYOUT, LETTERS, OWNED, TABLES, TERRAIN, TILES, VALUE
from tests.rulesengine.robberknights.given import FIRST, GAME, START, Match, cells, found, header, path, report


def wrong(seats: int | str = 2, **options: Any) -> Refusal:
    refusal = GAME.set_up(header(seats, **options))
    assert isinstance(refusal, Refusal)
    assert refusal.breach == "form"
    return refusal


# Seats and tiles


@pytest.mark.parametrize("seats", ["A", "ABCDE", "", "AC", "AA", "BC", "ABD"])
def test_rk_01_two_to_four_seats_without_gaps(seats: str) -> None:
    assert wrong(seats).rule.id == "RK-01"
    (one,) = report([], seats).findings
    assert (one.line, one.seq, one.rule, one.kind) == (1, 0, "RK-01", "form")


@pytest.mark.parametrize("seats", ["AB", "BA", "ABC", "CAB", "ABCD"])
def test_rk_01_two_to_four_may_sit(seats: str) -> None:
    assert Match(seats).state.setup.seats == tuple(seats)


def test_rk_01_nothing_is_replayed_of_a_header_that_cannot_be_played() -> None:
    told = report(FIRST, "A").as_json()
    assert (told["events"], told["accepted"], told["status"]) == (len(FIRST), 0, None)
    assert (told["placements"], told["result"]) == (None, None)


def test_rk_02_every_player_has_24_tiles_and_30_knights() -> None:
    match = Match(3)
    for seat in "ABC":
        assert match.get(f"players.{seat}") == {
            "supply": 30,
            "hand": [],
            "pile": {"B": 5, "C": 5, "D": 5, "E": 5},
            "unplaced": list(TILES),
        }


def test_rk_02_the_tables_hold_the_totals_of_the_page() -> None:
    kinds = [(one.terrain, one.building) for one in TILES.values()]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    assert counts == {
        ("lake", "none"): 1,
        ("mountain", "none"): 2,
        ("plain", "none"): 3,
        ("plain", "village"): 3,
        ("plain", "castle"): 6,
        ("plain", "town"): 3,
        ("forest", "village"): 3,
        ("forest", "castle"): 2,
        ("forest", "town"): 1,
    }
    by_letter = {letter: [one for one in TILES.values() if one.letter == letter] for letter in LETTERS}
    assert [len(by_letter[letter]) for letter in LETTERS] == [4, 5, 5, 5, 5]
    assert [sum(one.value for one in by_letter[letter]) for letter in LETTERS] == [3, 8, 7, 7, 7]
    assert sum(one.value for one in TILES.values()) == 32
    assert TERRAIN == {"plain": 1, "forest": 2, "mountain": 3, "lake": None}
    assert VALUE == {"castle": 1, "village": 2, "town": 3, "none": 0}
    assert GRID == {"2": 7, "3": 9, "4": 10}
    assert LAYOUT == {2: (2, 2), 3: (3, 2), 4: (4, 2)}
    assert [row["tiles"] for row in TABLES["players"]] == [48, 72, 96]
    assert (OWNED["B:B4"].terrain, OWNED["B:B4"].building) == ("forest", "village")


# Hands


def test_rk_04_a_hand_is_the_castle_and_one_more_a_tile() -> None:
    match = Match()
    match.do("B", "hand_chosen", tile="A4")
    assert match.get("players.B.hand") == [{"letter": "A", "tile": "A1"}, {"letter": "A", "tile": "A4"}]
    assert (match.get("step"), match.get("current")) == ("hand", None)
    match.refused("RK-04", "B", "hand_chosen", "impossible", tile="A3")
    match.do("A", "hand_chosen", tile="A3")
    assert match.get("step") == "layout"
    match.refused("RK-04", "A", "hand_chosen", "impossible", tile="A3")


@pytest.mark.parametrize("tile", ["A1", "A5", "B1", "A:A2", "", "a2"])
def test_rk_04_only_a2_a3_or_a4_is_chosen(tile: str) -> None:
    Match().refused("RK-04", "A", "hand_chosen", "impossible", tile=tile)


# Layout


def chosen() -> Match:
    """EX12: A, B and C kept A2, A4 and A3."""
    return (
        Match(3).do("A", "hand_chosen", tile="A2").do("B", "hand_chosen", tile="A4").do("C", "hand_chosen", tile="A3")
    )


LEFT = ("A:A3", "A:A4", "B:A2", "B:A3", "C:A2", "C:A4")


@pytest.mark.parametrize("columns", [3, 2])
def test_rk_05_example_12_the_remaining_tiles_lie_as_a_rectangle_lying_or_upright(columns: int) -> None:
    match = chosen().do(None, "layout_laid", cells=cells(*LEFT, columns=columns))
    assert (match.get("step"), match.get("current"), match.get("placed_this_turn")) == ("place", "A", 0)
    assert [one["tile"] for one in match.get("board").values()] == list(LEFT)
    assert "A3" not in match.get("players.A.unplaced")
    assert "A2" in match.get("players.A.unplaced")


def test_rk_05_example_12_a_castle_is_never_in_the_layout() -> None:
    chosen().refused("RK-05", None, "layout_laid", "impossible", cells=cells("A:A1", *LEFT[1:], columns=3))


def test_rk_05_example_12_another_shape_or_corner_is_irregular() -> None:
    row = cells(*LEFT, columns=6)
    moved = [{**one, "x": one["x"] + 1} for one in cells(*LEFT, columns=3)]
    for laid in (row, moved):
        match = chosen().force("RK-05", None, "layout_laid", cells=laid)
        assert {tuple(map(int, key.split(","))) for key in match.get("board")} == {(one["x"], one["y"]) for one in laid}
        assert (match.get("step"), match.get("current")) == ("place", "A")


@pytest.mark.parametrize(
    "tiles",
    [LEFT[:5], (*LEFT, "A:A2"), ("A:A2", *LEFT[1:]), ("A:A3", *LEFT[:5]), ("A:B1", *LEFT[1:]), ("A3", *LEFT[1:]), ()],
)
def test_rk_05_exactly_the_tiles_left_are_laid(tiles: tuple[str, ...]) -> None:
    chosen().refused("RK-05", None, "layout_laid", "impossible", cells=cells(*tiles, columns=3))


def test_rk_05_no_two_tiles_lie_on_one_cell() -> None:
    laid = cells(*LEFT, columns=3)
    laid[5] = {**laid[5], "x": 0, "y": 0}
    chosen().refused("RK-05", None, "layout_laid", "impossible", cells=laid)


def test_rk_05_a_layout_waits_for_all_hands_and_is_laid_once() -> None:
    tiles = cells("A:A3", "A:A4", "B:A3", "B:A4", columns=2)
    Match().refused("RK-05", None, "layout_laid", "impossible", cells=tiles)
    Match().laid().refused("RK-05", None, "layout_laid", "impossible", cells=tiles)


# Who begins


def test_rk_06_the_first_seat_begins_unless_the_table_names_another() -> None:
    assert Match(3).laid().get("current") == "A"
    assert Match("BA").laid().get("current") == "B"
    match = Match(3, start_seat="C").laid()
    assert (match.get("start_seat"), match.get("current")) == ("C", "C")


def test_rk_06_match_started_may_name_who_begins_before_the_first_choice() -> None:
    match = Match(3, start_seat="C").do(None, "match_started").do(None, "match_started", start_seat="B")
    assert match.get("start_seat") == "B"
    match.refused("RK-06", None, "match_started", "impossible", start_seat="D")
    assert match.laid().get("current") == "B"


def test_rk_06_turns_go_clockwise() -> None:
    match = Match(3, start_seat="B", max_tiles_per_turn=1).laid()
    seen = []
    for x in range(3):
        seat = str(match.get("current"))
        seen.append(seat)
        match.do(seat, "tile_placed", tile="A2", x=x, y=-1).do(seat, "tile_drawn", letter="B", tile="B1")
    assert [*seen, match.get("current")] == ["B", "C", "A", "B"]


def test_rk_06_a_seat_that_is_none_does_not_begin() -> None:
    assert wrong(start_seat="C").rule.id == "RK-06"
    assert wrong(start_seat=None).rule.id == "RK-06"
    (one,) = report(START, 2, start_seat="Z").findings
    assert (one.line, one.seq, one.rule, one.kind) == (1, 0, "RK-06", "form")


# Options


def test_an_unknown_option_is_a_breach_of_form() -> None:
    assert wrong(speed=3).rule.id == ""
    (one,) = report(START, 2, speed=3).findings
    assert (one.line, one.seq, one.rule, one.kind) == (1, 0, None, "form")
    assert "draw_record" in one.message


BAD: dict[str, list[Any]] = {
    "movement": ["diagonal", None, 1],
    "castle_return": ["never", True],
    "tile_capacity": [3, 5, 0, "4", True, 4.0],
    "castle_min_deploy": [2, -1, False, None],
    "deploy_max": [0, 31, True, 5.0, None],
    "knights_per_player": [0, 101, True, "30"],
    "grid": [7, {"2": 1}, {"3": 2}, {"2": 21}, {"5": 9}, {"2": True}, {"2": 7.0}, None, []],
    "min_tiles_per_turn": [2, True, -1],
    "max_tiles_per_turn": [0, 4, True],
    "draw_record": ["hidden", None],
    "end_when_all_knights_placed": [0, 1, None, "true"],
    "tiebreak": [["points"], None, "unused_knights", ["unused_knights", "unused_knights"], {}],
    "start_seat": ["C", 1, None, ""],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_an_option_out_of_bounds_is_a_breach_of_form(name: str, value: Any) -> None:
    assert name in wrong(**{name: value}).because


def test_every_parameter_says_what_it_may_be_and_accepts_its_default() -> None:
    assert {one.name for one in GAME.parameters} == BAD.keys()
    defaults = {one.name: one.default for one in GAME.parameters if one.name != "start_seat"}
    assert Match(2, **defaults).state == Match(2).state


def test_param_movement_is_step_by_step_by_default() -> None:
    turn = {(0, 0): "plain castle", (1, 0): "plain", (1, 1): "plain town"}
    way = path((0, 0, 1), (1, 0, 1), (1, 1, 1))
    assert Match().castle(turn).allowed("A", "knights_deployed", path=way)
    Match(movement="straight_line").castle(turn).refused("RK-29", "A", "knights_deployed", "irregular", path=way)


BACK = path((0, 0, 1), (1, 0, 1), (0, 0, 0), (-1, 0, 3))
AROUND = {(0, 0): "plain castle", (1, 0): "plain", (-1, 0): "plain"}


def test_param_castle_return_leaves_again_by_default() -> None:
    Match().castle(AROUND).refused("RK-28", "A", "knights_deployed", "irregular", path=BACK)
    assert Match(castle_return="already_satisfied").castle(AROUND).allowed("A", "knights_deployed", path=BACK)


def test_param_tile_capacity_is_four_by_default() -> None:
    Match().castle(AROUND).refused("RK-26", "A", "knights_deployed", "irregular", path=path((0, 0, 5)))
    assert Match(tile_capacity=None).castle(AROUND).allowed("A", "knights_deployed", path=path((0, 0, 5)))


def test_param_castle_min_deploy_is_nobody_by_default() -> None:
    assert Match().castle(AROUND).allowed("A", "knights_declined")
    match = Match(castle_min_deploy=1).castle(AROUND)
    match.refused("RK-21", "A", "knights_declined", "irregular")


def test_param_deploy_max_is_five_by_default() -> None:
    five, six = path((0, 0, 2), (1, 0, 3)), path((0, 0, 3), (1, 0, 3))
    match = Match().castle(AROUND)
    assert match.allowed("A", "knights_deployed", path=five)
    match.refused("RK-21", "A", "knights_deployed", "irregular", path=six)
    assert Match(deploy_max=6).castle(AROUND).allowed("A", "knights_deployed", path=six)
    Match(deploy_max=4).castle(AROUND).refused("RK-21", "A", "knights_deployed", "irregular", path=five)


def test_param_knights_per_player_is_30_by_default() -> None:
    assert Match().get("players.B.supply") == 30
    assert Match(knights_per_player=100).get("players.B.supply") == 100


def test_param_grid_is_7_9_or_10_by_default() -> None:
    assert [Match(seats).state.setup.options.grid for seats in (2, 3, 4)] == [7, 9, 10]
    assert [Match(seats, grid={"3": 12}).state.setup.options.grid for seats in (2, 3, 4)] == [7, 12, 10]
    row = {(x, 0): "plain" if x < 4 else "plain village" for x in range(7)}
    Match().put(row).set(current="A", step="place").hand("A", "A1").refused(
        "RK-13", "A", "tile_placed", "irregular", tile="A1", x=7, y=0
    )


def test_param_min_tiles_per_turn_is_one_by_default() -> None:
    Match().laid().refused("RK-16", "A", "turn_passed", "irregular")
    match = Match(min_tiles_per_turn=0).laid().do("A", "turn_passed")
    assert (match.get("current"), match.get("consecutive_passes")) == ("B", 1)


def one_action(match: Match, tile: str, x: int, y: int, drawn: str) -> Match:
    seat = match.get("current")
    match.do(seat, "tile_placed", tile=tile, x=x, y=y)
    if match.get("step") == "knights":
        match.do(seat, "knights_declined")
    return match.do(seat, "tile_drawn", letter=drawn[0], tile=drawn)


def test_param_max_tiles_per_turn_is_three_by_default() -> None:
    match = Match().laid()
    for at, (tile, drawn) in enumerate([("A2", "B3"), ("A1", "B4"), ("B3", "B5")]):
        assert (match.get("current"), match.get("placed_this_turn")) == ("A", at)
        one_action(match, tile, at, -1, drawn)
    assert (match.get("current"), match.get("placed_this_turn")) == ("B", 0)
    assert one_action(Match(max_tiles_per_turn=1).laid(), "A2", 0, -1, "B3").get("current") == "B"
    assert one_action(Match(max_tiles_per_turn=2).laid(), "A2", 0, -1, "B3").get("current") == "A"


def test_param_draw_record_is_open_by_default() -> None:
    match = Match().laid().do("A", "tile_placed", tile="A2", x=0, y=-1)
    match.refused("", "A", "tile_drawn", "form", letter="B")
    match.refused("", "A", "tile_drawn", "form", letter="B", tile=None)
    assert match.allowed("A", "tile_drawn", letter="B", tile="B1")
    match = Match(draw_record="sealed").laid().do("A", "tile_placed", tile="A2", x=0, y=-1)
    match.refused("", "A", "tile_drawn", "form", letter="B", tile="B1")
    assert match.allowed("A", "tile_drawn", letter="B", tile=None)
    assert match.allowed("A", "tile_drawn", letter="B")


def test_param_end_when_all_knights_placed_is_off_by_default() -> None:
    options: list[tuple[dict[str, Any], str | None]] = [
        ({}, None),
        ({"end_when_all_knights_placed": False}, None),
        ({"end_when_all_knights_placed": True}, "knights"),
    ]
    for chosen, ended_by in options:
        match = Match(**chosen).castle(AROUND).set(players__A__supply=2, players__B__supply=0)
        match.do("A", "knights_deployed", path=path((0, 0, 1), (1, 0, 1)))
        assert match.get("ended_by") == ended_by
        assert match.get("step") == ("over" if ended_by else "draw")


def test_param_tiebreak_is_unused_knights_by_default() -> None:
    for tiebreak, expected in ((["unused_knights"], [("B", 1), ("A", 2)]), ([], [("A", 1), ("B", 1)])):
        match = Match(tiebreak=tiebreak).laid().set(players__A__supply=4, players__B__supply=6).do(None, "time_called")
        assert placements(match.state) == expected
    match = Match().laid().set(players__A__supply=4, players__B__supply=6).do(None, "time_called")
    assert placements(match.state) == [("B", 1), ("A", 2)]


def test_param_start_seat_is_the_first_by_default() -> None:
    assert Match().get("start_seat") == "A"
    assert Match(start_seat="B").get("start_seat") == "B"
    assert found(FIRST) == []
