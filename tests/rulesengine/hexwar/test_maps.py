"""Maps (HWH-37): the three standard ones are valid, and what a header brings along is looked through in full."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from rulesengine.game import Refusal
from rulesengine.hexwar import boards
from rulesengine.hexwar.maps import MAPS
from tests.rulesengine.hexwar.given import GAME, LETTERS, Match, data, header

PLAN: dict[str, Any] = {
    "id": "isles",
    "hexes": [
        [0, 0, "plain", "one"],
        [1, 0, "water", None],
        [2, 0, "hill", "two"],
        [0, 1, "water", "one"],
        [1, 1, "plain", None],
        [2, 1, "grassland", "two"],
    ],
    "regions": [{"id": "one", "seat": [0, 0], "start_seat": 1}, {"id": "two", "seat": [2, 0], "start_seat": 2}],
    "buildings": [{"kind": "port", "hex": [1, 0], "region": "one"}, {"kind": "fort", "hex": [1, 1], "region": None}],
}


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that puts the last of `path` under the keys before it."""
    *way, last, value = path

    def change(plan: dict[str, Any]) -> None:
        at: Any = plan
        for key in way:
            at = at[key]
        at[last] = value

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that removes a key."""
    *way, last = path

    def change(plan: dict[str, Any]) -> None:
        at: Any = plan
        for key in way:
            at = at[key]
        del at[last]

    return change


def more(key: str, row: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that adds a row."""
    return lambda plan: plan[key].append(row)


BAD: dict[str, Callable[[dict[str, Any]], None]] = {
    "no id": drop("id"),
    "no hexes": drop("hexes"),
    "no regions": drop("regions"),
    "an unknown key": put("colour", "red"),
    "an id that is a number": put("id", 3),
    "the id of a standard map": put("id", "HW-M1"),
    "a name that is a number": put("name", 3),
    "flat-top hexes": put("orientation", "flat-top"),
    "no orientation at all": put("orientation", None),
    "hexes that are an object": put("hexes", {}),
    "no hexes in the list": put("hexes", []),
    "a hex of three parts": put("hexes", 0, [0, 0, "plain"]),
    "a hex of five parts": put("hexes", 0, [0, 0, "plain", "one", 1]),
    "a hex that is text": put("hexes", 0, "0,0"),
    "a coordinate that is text": put("hexes", 0, 0, "0"),
    "a coordinate that is true": put("hexes", 0, 0, True),
    "a coordinate with a fraction": put("hexes", 0, 0, 0.0),
    "a coordinate beyond 100": put("hexes", 0, 0, 101),
    "a huge coordinate": put("hexes", 0, 1, -(2**53)),
    "an unknown terrain": put("hexes", 0, 2, "lava"),
    "a terrain that is a list": put("hexes", 0, 2, ["plain"]),
    "a region that is a number": put("hexes", 0, 3, 1),
    "a region that is not there": put("hexes", 4, 3, "three"),
    "a hex twice": more("hexes", [2, 1, "grassland", "two"]),
    "a hex apart from the rest": more("hexes", [9, 9, "plain", "two"]),
    "too many hexes": put("hexes", [[q, r, "plain", "one"] for q in range(-22, 23) for r in range(-22, 23)]),
    "regions that are an object": put("regions", {}),
    "a region that is a list": put("regions", 0, ["one"]),
    "a region without a seat": drop("regions", 0, "seat"),
    "a region without a start seat": drop("regions", 0, "start_seat"),
    "a region with a name": put("regions", 0, "name", "One"),
    "a region's id in capitals": put("regions", 0, "id", "ONE"),
    "a region's id of 31 letters": put("regions", 0, "id", "a" * 31),
    "an empty id of a region": put("regions", 0, "id", ""),
    "a region's id with a line break": put("regions", 0, "id", "one\n"),
    "a region twice": more("regions", {"id": "one", "seat": [0, 0], "start_seat": None}),
    "a seat in another region": put("regions", 0, "seat", [2, 1]),
    "a seat off the map": put("regions", 0, "seat", [50, 50]),
    "a seat that is text": put("regions", 0, "seat", "0,0"),
    "a seat on water": put("regions", 0, "seat", [0, 1]),
    "a seat on a mountain": put("hexes", 0, 2, "mountain"),
    "a start seat that is text": put("regions", 0, "start_seat", "1"),
    "a start seat that is true": put("regions", 0, "start_seat", True),
    "a start seat twice": put("regions", 1, "start_seat", 1),
    "start seats with a gap": put("regions", 1, "start_seat", 3),
    "one start seat": put("regions", 1, "start_seat", None),
    "start seat 7": put("regions", 1, "start_seat", 7),
    "buildings that are an object": put("buildings", {}),
    "a building that is text": put("buildings", 0, "port"),
    "a building without a hex": drop("buildings", 0, "hex"),
    "a building without a kind": drop("buildings", 0, "kind"),
    "a building with a tier": put("buildings", 0, "tier", "town"),
    "an unknown kind of building": put("buildings", 0, "kind", "temple"),
    "a kind that is a list": put("buildings", 0, "kind", ["port"]),
    "a building off the map": put("buildings", 0, "hex", [8, 8]),
    "a port on land": put("buildings", 0, "hex", [2, 1]),
    "a farm on plain": more("buildings", {"kind": "farm", "hex": [1, 1], "region": "one"}),
    "two buildings on a hex": more("buildings", {"kind": "fort", "hex": [1, 1]}),
    "a town on a seat": more("buildings", {"kind": "town", "hex": [0, 0]}),
    "a building in a region that is not its hex's": more("buildings", {"kind": "farm", "hex": [2, 1], "region": "one"}),
    "a port without a region on open water": drop("buildings", 0, "region"),
    "a port of a region that is not there": put("buildings", 0, "region", "three"),
    "a fort that claims a region": put("buildings", 1, "region", "one"),
}


@pytest.mark.parametrize("change", BAD.values(), ids=list(BAD))
def test_hwh_37_a_map_must_be_valid(change: Callable[[dict[str, Any]], None]) -> None:
    plan = copy.deepcopy(PLAN)
    change(plan)
    answer = GAME.set_up(header(map=plan))
    assert isinstance(answer, Refusal)
    assert (answer.rule.id, answer.breach) == ("HWH-37", "impossible")
    assert len(answer.because) > 10


@pytest.mark.parametrize("plan", [None, 7, True, [], "HW-M9", "", 1.5])
def test_hwh_37_a_map_is_the_id_of_a_standard_one_or_an_object(plan: Any) -> None:
    answer = GAME.set_up(header(map=plan))
    assert isinstance(answer, Refusal)
    assert answer.rule.id == "HWH-37"


@pytest.mark.parametrize("seats", [5, 6])
def test_hwh_37_for_five_and_six_seats_a_map_must_be_given(seats: int) -> None:
    answer = GAME.set_up(header(seats))
    assert isinstance(answer, Refusal)
    assert answer.rule.id == "HWH-37"


def test_hwh_37_a_hex_outside_the_map_can_neither_be_entered_nor_built_on() -> None:
    match = Match().set("units.u1.hex", [-3, 0]).set("regions.centre.owner", "A")
    assert match.refused("HWH-37", "A", "unit_moved", unit="u1", path=[[-4, 1]]).breach == "impossible"
    assert match.refused("HWH-37", "A", "construction_started", unit="u1", kind="fort", hex=[-4, 1]).breach == (
        "impossible"
    )


def test_a_small_map_is_played_with_what_stands_on_it() -> None:
    match = Match(map=PLAN)
    assert match.get("buildings.b3") == {
        "kind": "port", "hex": [1, 0], "region": "one", "site": None, "action_turn": None,
    }  # fmt: skip
    assert match.get("buildings.b4.region") is None
    match.do("A", "unit_recruited", building="b3", type="galley").end_turns(2)
    match.do("A", "unit_moved", unit="u3", path=[[0, 1]])


def test_a_pre_placed_town_is_a_settlement_without_a_region_of_its_own() -> None:
    plan = copy.deepcopy(PLAN)
    plan["buildings"] = [{"kind": "town", "hex": [2, 1]}, {"kind": "fort", "hex": [2, 0], "region": "two"}]
    match = Match(map=plan)
    assert match.get("buildings.b3") == {
        "kind": "settlement", "tier": "town", "hex": [2, 1], "region": "two", "is_seat": False, "site": None,
        "action_turn": None,
    }  # fmt: skip
    assert match.get("buildings.b4.hex") == match.get("buildings.b2.hex")


@pytest.mark.parametrize("key", ["buildings", "name", "orientation"])
def test_what_a_map_may_leave_out(key: str) -> None:
    plan = copy.deepcopy(PLAN)
    plan.pop(key, None)
    assert Match(map=plan).state.status == "running"


def test_a_map_seats_up_to_six() -> None:
    letters = "abcdef"
    plan = {
        "id": "row",
        "hexes": [[q, 0, "plain", letters[q]] for q in range(6)],
        "regions": [{"id": one, "seat": [q, 0], "start_seat": 6 - q} for q, one in enumerate(letters)],
    }
    match = Match(6, map=plan)
    assert [one.owner for one in match.state.regions.values()] == list(reversed(LETTERS))
    assert match.get("units.u1.hex") == [5, 0]


def turned(hex_: tuple[int, int], sixths: int) -> tuple[int, int]:
    """Return a hex turned about the centre by sixths of a turn."""
    q, r = hex_
    for _ in range(sixths):
        q, r = -r, q + r
    return (q, r)


@pytest.mark.parametrize(("map_id", "radius", "count"), [("HW-M1", 3, 37), ("HW-M2", 4, 61), ("HW-M3", 5, 91)])
def test_the_standard_maps_are_whole_hexagons_and_valid(map_id: str, radius: int, count: int) -> None:
    board = boards.standard(map_id)
    assert len(board.terrain) == count
    assert all(max(abs(q), abs(r), abs(q + r)) <= radius for q, r in board.terrain)
    plan = next(one for one in data("maps.json") if one["id"] == map_id)
    assert boards.own({**plan, "id": "a copy"}).neighbours == board.neighbours
    assert MAPS[map_id] == plan


def test_the_standard_maps_treat_all_seats_alike() -> None:
    one, two, four = (boards.standard(map_id).terrain for map_id in ("HW-M1", "HW-M2", "HW-M3"))
    assert {turned(hex_, 3): terrain for hex_, terrain in one.items()} == one
    assert {turned(hex_, 2): terrain for hex_, terrain in two.items()} == two
    assert {(-q - r, r): terrain for (q, r), terrain in four.items()} == four
    assert {(q + r, -r): terrain for (q, r), terrain in four.items()} == four


def test_shoreline_is_water_next_to_what_is_not_water() -> None:
    board = boards.standard("HW-M1")
    assert board.shoreline == {(0, -3), (1, -3), (2, -3), (3, -3), (-3, 3), (-2, 3), (-1, 3), (0, 3)}
