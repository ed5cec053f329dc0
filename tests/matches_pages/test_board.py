from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from matches.boards import board_svg, hexwar, position_words
from matches.words import Names
from rulesengine import registry, replay
from rulesengine.game import Carried
from rulesengine.replay import Replay
from tests.matches_pages import logs

NAMES = Names(dict(zip("ABCD", logs.NAMES, strict=True)))
RULES = registry.get("hexwar-1")


@pytest.fixture(scope="module")
def match() -> Replay:
    return replay.run(logs.random_match(1))


def draw(carried: Carried) -> ET.Element:
    return ET.fromstring(board_svg(RULES, carried.step.state, NAMES, last=carried, label='Entry "1" & <more>'))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in root.iter() if name in one.get("class", "").split()]


def test_a_position_is_drawn_with_all_its_hexes_buildings_and_units(match: Replay) -> None:
    for carried in match.carried[:: len(match.carried) // 20]:
        state, root = carried.step.state, draw(carried)
        assert len(of_class(root, "hex")) == len(state.setup.board.terrain)
        assert len(of_class(root, "unit")) == len(state.units)
        assert len(of_class(root, "building")) == len(state.buildings)


def test_every_unit_shows_its_type_its_hp_and_the_shape_of_its_owner(match: Replay) -> None:
    carried = match.carried[len(match.carried) // 2]
    drawn = []
    for unit in of_class(draw(carried), "unit"):
        uses = [one.get("href", "") for one in unit.iter() if one.tag.endswith("use")]
        texts = [one.text for one in unit.iter() if one.tag.endswith("text")]
        drawn.append((uses[0][-1].upper(), uses[1].removeprefix("#hw-u-"), texts[0]))
    assert sorted(drawn) == sorted((one.owner, one.type, str(one.hp)) for one in carried.step.state.units.values())


def test_every_shape_that_is_used_is_defined(match: Replay) -> None:
    for carried in match.carried[::25]:
        svg = board_svg(RULES, carried.step.state, NAMES, last=carried)
        assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(re.findall(r'id="([^"]+)"', svg))


def test_every_terrain_tier_improvement_and_unit_of_the_tables_has_a_shape() -> None:
    state = RULES.set_up(logs.sample("corrected_by_referee").header).state  # type: ignore[union-attr]
    svg, tables = board_svg(RULES, state, NAMES), state.setup.tables
    shapes = set(re.findall(r'id="hw-([^"]+)"', svg))
    assert {f"u-{kind}" for kind in tables.units} <= shapes
    assert {f"b-{kind}" for kind in (*tables.settlements, *tables.improvements)} <= shapes
    assert set(tables.land) <= shapes
    assert {f"seat-{seat}" for seat in "abcdef"} <= shapes


def test_no_two_seats_units_or_terrains_look_alike_without_colour() -> None:
    state = RULES.set_up(logs.sample("corrected_by_referee").header).state  # type: ignore[union-attr]
    root = ET.fromstring(board_svg(RULES, state, NAMES))
    [defs] = [one for one in root.iter() if one.tag.endswith("defs")]
    looks = [
        "".join(part.get("d", "") or str(part.attrib) for part in shape.iter() if not part.get("id"))
        or str({key: value for key, value in shape.attrib.items() if key != "id"})
        for shape in defs
    ]
    assert len(set(looks)) == len(looks)


def test_the_label_is_escaped(match: Replay) -> None:
    assert draw(match.carried[0]).get("aria-label") == 'Entry "1" & <more>'


def test_a_move_is_emphasized_by_its_way_and_the_hex_it_leads_to(match: Replay) -> None:
    carried = next(one for one in match.carried if one.event and one.event.type == "unit_moved")
    root = draw(carried)
    [_halo, trail] = of_class(root, "trail")
    assert len(trail.get("points", "").split()) == len(carried.event.data.path) + 1  # type: ignore[union-attr]
    assert len(of_class(root, "ring")) == 1


def test_an_attack_shows_its_damage_and_who_fell(match: Replay) -> None:
    carried = next(one for one in match.carried if any(what.type == "unit_defeated" for what in one.step.consequences))
    root = draw(carried)
    strikes = carried.step.computed["strikes"]  # type: ignore[index]
    assert [one.text for one in of_class(root, "figure")] == [f"−{strike['damage']}" for strike in strikes]
    assert len(of_class(root, "fallen")) == sum(what.type == "unit_defeated" for what in carried.step.consequences)


def test_a_turn_that_only_passes_emphasizes_nothing() -> None:
    played = replay.run(logs.sample("corrected_by_referee"))
    carried = next(one for one in played.carried if one.event and one.event.type == "turn_ended")
    assert of_class(draw(carried), "ring") == []


def test_the_border_of_a_region_is_closed() -> None:
    """Every end of a piece of border is the beginning or end of exactly one other piece."""
    state = RULES.set_up(logs.sample("legal_three_capes").header).state  # type: ignore[union-attr]
    for border in hexwar.board(RULES, state, NAMES, None)["borders"]:
        ends = [(float(x), float(y)) for x, y in re.findall(r"[ML](\S+) ([^ML]+)", border["path"])]
        for at, end in enumerate(ends):
            near = [
                one
                for number, one in enumerate(ends)
                if number != at and abs(one[0] - end[0]) + abs(one[1] - end[1]) < 0.5
            ]
            assert len(near) == 1, (border["region"], end)


def test_the_words_say_all_that_the_board_shows(match: Replay) -> None:
    carried = match.carried[len(match.carried) // 2]
    state = carried.step.state
    words = position_words(RULES, state, NAMES)
    assert words is not None
    players, buildings, units = (table["rows"] for table in words["tables"])
    assert [row[1] for row in players] == [player.gold for player in state.players.values()]
    assert len(buildings) == len(state.buildings)
    assert [row[2] for row in units] == [f"[{unit.hex[0]}, {unit.hex[1]}]" for unit in state.units.values()]
    assert all(len(row) == len(table["head"]) for table in words["tables"] for row in table["rows"])


def test_a_replay_draws_each_step_differently_when_something_happened(match: Replay) -> None:
    moved = [one for one in match.carried if one.event and one.event.type == "unit_moved"][:20]
    drawn = [board_svg(RULES, one.step.state, NAMES, last=one) for one in moved]
    assert all(one != other for one, other in pairwise(drawn))
