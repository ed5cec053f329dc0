"""The picture of a position: everything is on it once, to scale where it can be, and nothing lies on anything else."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from rulesengine import registry
from rulesengine.game import Scene, Shape
from rulesengine.kingsquare.scene import curve, place_points, scene
from rulesengine.kingsquare.state import Army, Building, State
from rulesengine.play import play
from rulesengine.replay import run
from tests.rulesengine.kingsquare.positions import field, inside, plain, rich

TOKENS = ("castle", "building", "king", "general", "army", "ship", "plane", "beast", "site")
CROWDS = [(seats, castles, buildings) for seats in range(2, 9) for castles, buildings in ((1, 2), (3, 6), (2, 12))]


def of(drawn: Scene, kind: str) -> list[Shape]:
    return [shape for shape in drawn.shapes if shape.kind == kind]


def named(drawn: Scene, kind: str, id_: str) -> Shape:
    [found] = [
        shape for shape in of(drawn, kind) if id_ in (shape.attributes.get("id"), shape.attributes.get("castle"))
    ]
    return found


def boxes(drawn: Scene) -> list[tuple[str, float, float, float, float]]:
    """Return the box of every token: its name, centre and half sizes."""
    found = []
    for shape in drawn.shapes:
        if shape.kind in TOKENS:
            width = 1.5 if shape.kind == "castle" else 0.92 if shape.kind == "building" else shape.attributes["width"]
            high = 1.3 if shape.kind == "castle" else 0.92
            found.append((f"{shape.kind} {shape.attributes['id']}", *shape.at, width / 2, high / 2))
    return found


def lying_on_each_other(drawn: Scene) -> list[tuple[str, str]]:
    return [
        (one[0], other[0])
        for one, other in combinations(boxes(drawn), 2)
        if abs(one[1] - other[1]) < one[3] + other[3] - 0.01 and abs(one[2] - other[2]) < one[4] + other[4] - 0.01
    ]


@pytest.mark.parametrize("scaled", [False, True])
def test_everything_on_the_table_is_drawn_once(scaled: bool) -> None:
    state = rich(scaled)
    drawn = Counter((shape.kind, shape.attributes.get("id")) for shape in scene(state).shapes)
    expected = [
        *(("castle", id_) for id_ in state.works.castles),
        *(("building", id_) for id_ in state.works.buildings),
        *(("link", id_) for id_ in state.works.links),
        *(("army", id_) for id_ in state.armies),
        *(("ship", id_) for id_ in state.ships),
        *(("plane", id_) for id_ in state.planes),
        *(("site", id_) for id_ in state.sites),
        *(("beast", id_) for id_, one in state.beasts.items() if one.status == "alive"),
        *(("king", f"king:{seat}") for seat in "ABC"),
        ("general", "general:B"),
        ("junction", "fork"),
        ("alliance", "al1"),
        ("alliance", "al2"),
    ]
    assert [drawn[one] for one in expected] == [1] * len(expected)
    fields = {shape.attributes["label"] for shape in of(scene(state), "field")}
    assert fields == {"ford", "moor", "cave", "hill", "bay", "cliffs"}


def test_the_fallen_and_what_has_ended_are_not_drawn() -> None:
    drawn = {shape.attributes.get("id") for shape in scene(rich()).shapes if shape.kind != "kingdom"}
    assert drawn.isdisjoint({"king:D", "x0", "al3"})


@pytest.mark.parametrize("scaled", [False, True])
def test_in_a_rich_position_no_token_lies_on_another(scaled: bool) -> None:
    assert lying_on_each_other(scene(rich(scaled))) == []


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("seats", "castles", "buildings"), CROWDS)
def test_with_two_to_eight_kingdoms_no_token_lies_on_another(
    seats: int, castles: int, buildings: int, scaled: bool
) -> None:
    drawn = scene(plain(seats, castles, buildings, scaled))
    assert drawn.shapes[0].attributes["scaled"] is scaled
    assert lying_on_each_other(drawn) == []


@pytest.mark.parametrize("state", [rich(), rich(True), plain(8, 3, 12), plain(5, 2, 4, True)])
def test_the_box_holds_every_token(state: State) -> None:
    drawn = scene(state)
    left, top, width, height = drawn.box
    for name, x, y, half, high in boxes(drawn):
        assert left - 0.01 <= x - half, name
        assert x + half <= left + width + 0.01, name
        assert top - 0.01 <= y - high, name
        assert y + high <= top + height + 0.01, name


# To scale


def test_castles_stand_as_far_apart_as_recorded() -> None:
    drawn = scene(rich(True))
    scale = drawn.shapes[0].attributes["scale"]
    for one, other, feet in (("C1", "C2", 28.5), ("C1", "C3", math.hypot(27, 14.5)), ("C5", "C4", math.hypot(9.5, 29))):
        apart = math.dist(named(drawn, "territory", one).at, named(drawn, "territory", other).at)
        assert apart == pytest.approx(feet * scale)


def test_a_territory_has_one_foot_for_each_level_to_scale() -> None:
    drawn = scene(rich(True))
    scale = drawn.shapes[0].attributes["scale"]
    for castle, feet in (("C1", 10), ("C2", 5), ("C4", 1)):
        assert named(drawn, "territory", castle).attributes["radius"] == pytest.approx(feet * scale)


def test_an_option_fixes_the_radius_of_all_territories() -> None:
    state = plain(3, scaled=True, territory_radius=25)
    drawn = scene(state)
    radii = [shape.attributes["radius"] for shape in of(drawn, "territory")]
    assert radii == pytest.approx([2.5 * drawn.shapes[0].attributes["scale"]] * 3)
    assert {shape.attributes["radius_ft10"] for shape in of(drawn, "territory")} == {25}


def test_influence_is_one_foot_for_each_level_of_the_king_about_where_he_stands() -> None:
    drawn = scene(rich(True))
    scale = drawn.shapes[0].attributes["scale"]
    by_seat = {shape.attributes["owner"]: shape for shape in of(drawn, "influence")}
    assert by_seat.keys() == {"A", "B", "C"}
    assert by_seat["A"].attributes["radius"] == pytest.approx(12 * scale)
    assert by_seat["A"].at == named(drawn, "territory", "C1").at
    assert by_seat["B"].at == pytest.approx((15 * scale, 30 * scale))


def test_districts_lie_in_the_territory_of_their_parent() -> None:
    drawn = scene(rich(True))
    parent = named(drawn, "territory", "C1")
    for district in ("D1", "D2"):
        away = math.dist(parent.at, named(drawn, "territory", district).at)
        assert 0 < away < parent.attributes["radius"]


def test_places_close_together_keep_their_spots_and_a_line_leads_to_their_tokens() -> None:
    state = plain(2, 2, 4, scaled=True)
    castles = dict(state.works.castles)
    castles["CA1"] = replace(castles["CA1"], at=field("seat A1", 43, 40))
    drawn = scene(state.with_works(castles=castles))
    scale = drawn.shapes[0].attributes["scale"]
    one, other = (named(drawn, "territory", castle).at for castle in ("CA0", "CA1"))
    assert math.dist(one, other) == pytest.approx(0.3 * scale)
    assert lying_on_each_other(drawn) == []
    led = {tuple(shape.attributes["where"]) for shape in of(drawn, "leader")}
    assert {("castle", "CA0"), ("castle", "CA1")} <= led


def test_fields_without_a_position_lie_below_a_picture_to_scale_and_say_so() -> None:
    drawn = scene(rich(True))
    placed = {shape.attributes["label"]: shape for shape in of(drawn, "field")}
    assert {label for label, shape in placed.items() if shape.attributes["placed"]} == {"ford", "moor"}
    lowest = max(shape.at[1] for shape in of(drawn, "castle"))
    assert all(shape.at[1] > lowest for label, shape in placed.items() if label not in ("ford", "moor"))


# Schematic


def test_one_castle_without_a_position_makes_a_schematic() -> None:
    state = plain(3, scaled=True)
    castles = {**state.works.castles, "CB0": replace(state.works.castles["CB0"], at=None)}
    drawn = scene(state.with_works(castles=castles))
    assert drawn.shapes[0].attributes == {"scale": None, "scaled": False}
    assert of(drawn, "influence") == []


def test_kingdoms_stand_around_the_picture_clockwise_in_turn_order() -> None:
    for seats in range(3, 9):
        drawn = scene(plain(seats))
        heads = {shape.attributes["id"]: shape.at for shape in of(drawn, "kingdom")}
        x, y = (sum(at[axis] for at in heads.values()) / seats for axis in (0, 1))
        angles = [math.atan2(at[1] - y, at[0] - x) for _seat, at in sorted(heads.items())]
        turns = [(after - before) % math.tau for before, after in zip(angles, angles[1:] + angles[:1], strict=True)]
        assert sum(turns) == pytest.approx(math.tau), seats


def test_a_castle_stays_with_the_kingdom_that_founded_it() -> None:
    drawn = scene(rich())
    heads = of(drawn, "kingdom")
    near = {}
    for castle in ("C2", "C5"):
        at = named(drawn, "castle", castle).at
        near[castle] = min(heads, key=lambda head, at=at: math.dist(head.at, at))
    assert {castle: head.attributes["id"] for castle, head in near.items()} == {"C2": "B", "C5": "D"}


def test_a_district_stands_beside_its_parent() -> None:
    drawn = scene(rich())
    parent, district = (named(drawn, "castle", castle).at for castle in ("C1", "D1"))
    others = [named(drawn, "castle", castle).at for castle in ("C2", "C3", "C4", "C5")]
    assert math.dist(parent, district) < min(math.dist(parent, other) for other in others)


def test_a_new_army_and_a_new_building_move_no_castle() -> None:
    before = plain(4, 2, 4)
    after = replace(before, armies={**before.armies, "new": Army("B", {1: 3}, inside("CB1"))})
    after = after.with_works(buildings={**after.works.buildings, "new": Building("quarry", "CB1")})
    one, other = (place_points(scene(state)) for state in (before, after))
    assert one == other
    old = {shape.attributes["id"]: shape.at for shape in of(scene(before), "building")}
    now = {shape.attributes["id"]: shape.at for shape in of(scene(after), "building")}
    assert {id_: now[id_] for id_ in old} == old


def test_the_same_position_is_always_drawn_alike() -> None:
    assert scene(rich()) == scene(rich())
    assert scene(rich(True)) == scene(rich(True))


def test_a_place_that_was_left_is_drawn_when_asked_for() -> None:
    drawn = scene(plain(2), also=[("field", "gone")])
    assert place_points(drawn)[("field", "gone")] in [shape.at for shape in of(drawn, "field")]


# Figures and links


def test_a_building_tells_its_state_and_what_is_left_of_it() -> None:
    told: dict[str, Any] = {shape.attributes["id"]: shape.attributes for shape in of(scene(rich()), "building")}
    assert [(told[id_]["state"], told[id_]["left"]) for id_ in ("b1", "b2", "e2", "u1")] == [
        ("active", 15),
        ("ruined", 0),
        ("isolated", 10),
        ("active", 10),
    ]
    assert told["b1"]["produced"]
    assert not told["q1"]["connected"]


def test_a_castle_tells_its_level_its_title_and_its_fabric() -> None:
    told = {shape.attributes["id"]: shape.attributes for shape in of(scene(rich()), "castle")}
    assert (told["C1"]["level"], told["C1"]["is_capital"], told["C1"]["role"], told["C1"]["left"]) == (
        10,
        True,
        "military",
        65,
    )
    assert told["C2"]["fabric"] == 6
    assert told["C4"]["left"] == 0
    assert told["D1"]["district_kind"] == "Harbor"


def test_a_link_leads_from_token_to_token_and_says_whether_it_is_cut() -> None:
    drawn = scene(rich())
    rail = named(drawn, "link", "k6").attributes
    ends = [list(named(drawn, "building", id_).at) for id_ in ("t1", "t2")]
    assert rail["ends"] == ends
    assert rail["cut"]
    assert not named(drawn, "link", "k7").attributes["cut"]
    assert rail["bend"] != named(drawn, "link", "k7").attributes["bend"]


def test_a_junction_lies_apart_from_tokens() -> None:
    drawn = scene(rich())
    junction = named(drawn, "junction", "fork").at
    assert min(math.dist(junction, shape.at) for shape in of(drawn, "castle")) > 0.8
    assert named(drawn, "link", "k2").attributes["ends"][0] == list(junction)


def test_a_long_link_goes_round_the_castles_that_it_only_passes() -> None:
    drawn = scene(rich())
    bridge = named(drawn, "link", "k5").attributes
    a, b = (tuple(end) for end in bridge["ends"])
    others = [named(drawn, "castle", castle).at for castle in ("D1", "D2")]
    straight = min(math.dist(curve(a, b, 0.0)[1], at) for at in others)
    assert min(math.dist(curve(a, b, bridge["bend"])[1], at) for at in others) > straight


def test_piles_with_large_numbers_are_wider() -> None:
    few, many = (
        named(scene(replace(plain(2), armies={"a": Army("A", {0: count}, inside("CA0"))})), "army", "a")
        for count in (9, 1200)
    )
    assert many.attributes["width"] > few.attributes["width"]


@pytest.mark.parametrize("edition", ["KS-V1", "KS-V3", "KS-V5"])
def test_every_position_of_a_played_match_can_be_drawn(edition: str) -> None:
    told = run(play("kingsquare", seed=11, edition=edition, seats=3, max_events=250))
    ruleset = registry.get(edition)
    for one in told.carried[::8]:
        drawn = ruleset.scene(one.step.state)
        assert len(of(drawn, "castle")) == len(one.step.state.works.castles)
        assert len(of(drawn, "building")) == len(one.step.state.works.buildings)
        castles = [pair for pair in lying_on_each_other(drawn) if all(name.startswith("castle") for name in pair)]
        assert castles == []
