"""KingSquare on the pages of a match: drawn, told in words, and nothing of either forgotten."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from matches.boards import board_legend, board_svg, kingsquare, position_words
from matches.feed import Feed
from matches.views.detail import _option
from matches.words import GAMES, Names, consequence_words, event_words, shared
from people.models import Person
from rulesengine import notation, registry, replay
from rulesengine.game import Carried, Consequence, Event, Step
from rulesengine.kingsquare import consequences, events
from rulesengine.kingsquare.state import Army, Castle, State
from rulesengine.play import play
from rulesengine.shared import PAYLOADS
from tests.matches_pages import logs
from tests.matches_pages.conftest import recorded
from tests.rulesengine.kingsquare.positions import inside, made, plain, rich, setup

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "kingsquare"
RULES = registry.get("KS-V5")
NAMES = Names(dict(zip("ABCD", logs.NAMES, strict=True)))
HTMX = {"HTTP_HX_REQUEST": "true"}


def told(before: State, after: State, type_: str = "", data: Any = None, **more: Any) -> Carried:
    """Return an entry that made one position of another."""
    event = Event("A", data) if data is not None else None
    return Carried(9, event, before, Step(after, **more))


def still(state: State) -> Carried:
    return Carried(9, None, state, Step(state))


def draw(state: State, last: Carried | None = None, names: Names = NAMES) -> ET.Element:
    return ET.fromstring(board_svg(RULES, state, names, last=last, label='Entry "1" & <more>'))


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in root.iter() if name in one.get("class", "").split()]


def titles(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter() if one.tag.endswith("title")]


def cells(words: dict[str, Any]) -> list[str]:
    return [str(cell) for table in words["tables"] for row in table["rows"] for cell in row]


def table(words: dict[str, Any], title: str) -> list[list[str]]:
    [found] = [one["rows"] for one in words["tables"] if one["title"] == title]
    return [[str(cell) for cell in row] for row in found]


# Words of what happened

SAID: list[tuple[str, str | None, dict[str, Any], str]] = [
    ("match_set_up", None, {}, "The match is set up for 4 Kingdoms under KS-V5, in this order: Ada Moreau, Bo Lindqvist, Cy Okafor, Dara Nwosu."),
    ("match_created", None, {}, "The file spells out a part of the set-up (the match); the header holds."),
    ("rules_overridden", None, {}, "The file spells out a part of the set-up (another figure or option); the header holds."),
    ("official_assigned", None, {}, "The file spells out a part of the set-up (an official); the header holds."),
    ("official_released", None, {}, "The file spells out a part of the set-up (an official released); the header holds."),
    ("seat_taken", None, {}, "The file spells out a part of the set-up (a seat taken); the header holds."),
    ("seat_released", None, {}, "The file spells out a part of the set-up (a seat released); the header holds."),
    ("turn_order_set", None, {}, "The file spells out a part of the set-up (the turn order); the header holds."),
    ("king_level_recorded", None, {"kingdom": "B", "level": 4}, "The King of Bo Lindqvist begins at level 4."),
    ("general_piece_placed", "B", {"level": 2, "at": {"castle": "C2"}}, "Bo Lindqvist places the General’s piece of level 2 at Castle C2."),
    ("general_piece_lost", "B", {"cause": "an ambush"}, "Bo Lindqvist loses the General’s piece: an ambush"),
    ("terrain_placed", None, {"terrain": "g9", "kind": "water", "label": "lake"}, "The MapMaster makes the field “lake” water."),
    ("beast_placed", None, {"beast": "x9", "class": "epic", "name": "Hydra", "at": {"field": "lake"}, "hidden": False}, "The MapMaster places the Epic Creature x9, “Hydra” at the field “lake”."),
    ("beast_placed", None, {"beast": "x9", "class": "dangerous", "at": {"field": "lake"}, "hidden": True}, "The MapMaster hides the Dangerous Beast x9 at the field “lake”."),
    ("site_placed", None, {"site": "y9", "at": {"field": "lake"}, "content": "landmark"}, "The MapMaster lays the site y9 at the field “lake”: there is a landmark to discover."),
    ("doctrine_defined", None, {"level": 8, "name": "Shield wall", "text": "They stand close"}, "The doctrine of War Forge level 8 is “Shield wall”: They stand close"),
    ("capital_founded", "A", {"castle": "C9", "name": "Newgate"}, "Ada Moreau founds the Capital: Newgate (C9)."),
    ("capital_founded", "A", {"castle": "C9", "at": {"field": "lake"}}, "Ada Moreau founds the Capital at the field “lake”: Castle C9."),
    ("match_started", None, {}, "The match starts: round 1."),
    ("turn_started", None, {"kingdom": "B", "round": 3}, "The file says that the turn of Bo Lindqvist in round 3 begins."),
    ("phase_advanced", "A", {"to": "move"}, "Ada Moreau: the move phase begins."),
    ("turn_ended", "A", {}, "Ada Moreau ends the turn."),
    ("turn_skipped", None, {"kingdom": "B", "reason": "absent"}, "The turn of Bo Lindqvist passes: absent"),
    ("match_paused", None, {"reason": "lunch"}, "The match is paused: lunch"),
    ("match_resumed", None, {}, "The match goes on"),
    ("troops_produced", "A", {"building": "b1", "count": 4, "soldier_level": 5, "army": "a2"}, "Ada Moreau: Barracks b1 at Highgate (C1) produces 4 soldiers of level 5 for army a2."),
    ("resources_produced", "A", {"building": "m1", "kind": "wood", "amount": 5}, "Ada Moreau: Lumber Mill m1 at Highgate (C1) produces 5 wood."),
    ("production_waived", "A", {"building": "b1", "reason": "no chips"}, "Ada Moreau waives the production of Barracks b1 at Highgate (C1): no chips"),
    ("army_split", "A", {"army": "a1", "new_army": "a9", "stacks": {"0": 2, "5": 6}}, "Ada Moreau splits army a1: 2 of level 0, 6 of level 5 become army a9."),
    ("army_merged", "A", {"from": "a2", "into": "a1"}, "Ada Moreau merges army a2 into army a1."),
    ("unit_moved", "A", {"units": ["a1", "king:A"], "to": {"field": "ford"}, "off_ft10": 15, "on_ft10": 30, "mode": "land", "links": ["k3", "k5"]}, "Ada Moreau moves army a1 and the King of Ada Moreau from Salt Marsh Keep (C3) to the field “ford”, 1.5 ft off road, 3 ft along k3, k5."),
    ("unit_moved", "A", {"units": ["l1"], "to": {"castle": "C2"}, "off_ft10": 0, "on_ft10": 0, "mode": "air"}, "Ada Moreau moves plane l1 from Highgate (C1) to Castle C2, through the air."),
    ("unit_forwarded", "A", {"units": ["a2"], "to": {"castle": "C3"}, "off_ft10": 30, "on_ft10": 0, "mode": "land"}, "Ada Moreau sends army a2 forward from Highgate (C1) to Salt Marsh Keep (C3), 3 ft off road."),
    ("unit_forwarded", "A", {"units": ["a2"], "rail": {"from_building": "t1", "to_building": "t2"}}, "Ada Moreau sends army a2 forward by rail from Trainyard t1 at Highgate (C1) to Trainyard t2 at Salt Marsh Keep (C3)."),
    ("rail_travelled", "A", {"units": ["a2"], "from_building": "t1", "to_building": "t2"}, "Ada Moreau moves army a2 by rail from Trainyard t1 at Highgate (C1) to Trainyard t2 at Salt Marsh Keep (C3)."),
    ("troops_embarked", "A", {"army": "a2", "ship": "s1", "stacks": {"1": 3}}, "Ada Moreau embarks from army a2 on ship s1: 3 of level 1."),
    ("troops_landed", "A", {"army": "a9", "ship": "s1", "stacks": {"1": 6}}, "Ada Moreau lands from ship s1 as army a9: 6 of level 1."),
    ("building_built", "A", {"building": "n1", "kind": "Mill", "castle": "C1", "direct": True}, "Ada Moreau builds Lumber Mill n1 at Highgate (C1), touching the Castle."),
    ("building_built", "A", {"building": "n1", "kind": "barracks", "castle": "D1", "direct": False}, "Ada Moreau builds Barracks n1 at Castle D1, apart from the Castle."),
    ("castle_founded", "A", {"castle": "C9", "at": {"field": "hill"}, "king_distance_ft10": 12, "name": "Hillfort"}, "Ada Moreau founds Hillfort (C9) at the field “hill”, 1.2 ft from the King."),
    ("district_founded", "A", {"castle": "D9", "district_kind": "Religious", "parent_castle": "C1"}, "Ada Moreau founds Castle D9, Religious District, in the Territory of Highgate (C1)."),
    ("road_laid", "A", {"link": "k9", "kind": "engineered_road", "a": "C1", "b": "b1", "length_ft10": 23}, "Ada Moreau lays Improved Road k9 between Highgate (C1) and Barracks b1, 2.3 ft long."),
    ("rail_laid", "A", {"link": "k9", "a": "t1", "b": "t2", "length_ft10": 300}, "Ada Moreau lays Rail k9 between Trainyard t1 and Trainyard t2, 30 ft long."),
    ("ship_built", "A", {"ship": "s9", "harbor": "p1"}, "Ada Moreau builds ship s9 in Harbor p1 at Castle D1."),
    ("plane_built", "A", {"plane": "l9", "hangar": "h1"}, "Ada Moreau builds plane l9 in Hangar h1 at Highgate (C1)."),
    ("king_upgraded", "A", {"to_level": 13}, "Ada Moreau raises the King to level 13."),
    ("castle_upgraded", "A", {"castle": "D2", "to_level": 2}, "Ada Moreau raises Scholars’ Hill (D2) to level 2."),
    ("building_upgraded", "A", {"building": "q1", "to_level": 6}, "Ada Moreau raises Quarry q1 at Highgate (C1) to level 6."),
    ("structure_repaired", "A", {"target": {"kind": "building", "id": "b2"}}, "Ada Moreau repairs Barracks b2 at Highgate (C1)."),
    ("structure_repaired", "A", {"target": {"kind": "link", "id": "k6"}}, "Ada Moreau repairs Rail k6 between Trainyard t1 and Trainyard t2."),
    ("structure_repaired", "A", {"target": {"kind": "ship", "id": "s1"}}, "Ada Moreau repairs ship s1."),
    ("attack_made", "A", {"attackers": ["a1"], "target": {"kind": "garrison", "id": "C3", "owner": "C"}}, "Ada Moreau attacks the garrison of Cy Okafor in Salt Marsh Keep (C3) with army a1."),
    ("attack_made", "A", {"attackers": ["a1", "king:A"], "target": {"kind": "castle", "id": "C3"}}, "Ada Moreau attacks Salt Marsh Keep (C3) with army a1 and the King of Ada Moreau."),
    ("attack_made", "A", {"attackers": ["a1"], "target": {"kind": "king", "id": "king:C"}}, "Ada Moreau attacks the King of Cy Okafor with army a1."),
    ("attack_made", "A", {"attackers": ["a1"], "target": {"kind": "link", "id": "k4"}}, "Ada Moreau attacks Road k4 between Embassy e2 and Castle C2 with army a1."),
    ("sortie_flown", "A", {"planes": ["l1"], "target": {"kind": "building", "id": "b3"}}, "Ada Moreau flies a sortie with plane l1 against Barracks b3 at Castle C2."),
    ("discovery_made", "A", {"unit": "a1", "site": "y2", "result": "beast"}, "Ada Moreau scouts the site y2 with army a1 and finds a beast."),
    ("discovery_made", "A", {"unit": "king:A", "at": {"field": "ford"}, "result": "resource", "resource": "stone"}, "Ada Moreau scouts the field “ford” with the King of Ada Moreau and finds stone."),
    ("beast_engaged", "A", {"attackers": ["a1"], "beast": "x1"}, "Ada Moreau engages the Epic Creature x1, “Basilisk” with army a1."),
    ("alliance_proposed", "A", {"alliance": "al9", "to_kingdom": "C", "terms": "free roads"}, "Ada Moreau offers Cy Okafor the alliance al9: free roads"),
    ("alliance_withdrawn", "B", {"alliance": "al2"}, "Bo Lindqvist takes the alliance al2 of Bo Lindqvist, Cy Okafor back"),
    ("alliance_accepted", "C", {"alliance": "al2"}, "Cy Okafor accepts the alliance al2 of Bo Lindqvist, Cy Okafor"),
    ("alliance_declined", "C", {"alliance": "al2"}, "Cy Okafor declines the alliance al2 of Bo Lindqvist, Cy Okafor"),
    ("alliance_ended", "A", {"alliance": "al1", "reason": "treason"}, "Ada Moreau ends the alliance al1 of Ada Moreau, Bo Lindqvist: treason"),
    ("castle_role_declared", "A", {"castle": "C1", "role": "religious"}, "Ada Moreau declares Highgate (C1): religious centre."),
    ("treaty_noted", "A", {"kingdoms": ["A", "C"], "text": "no planes"}, "Ada Moreau notes a treaty of Ada Moreau, Cy Okafor: no planes"),
    ("general_appointed", "A", {"person": "gil"}, "Ada Moreau appoints a General."),
    ("general_dismissed", "A", {"reason": "sloth"}, "Ada Moreau dismisses the General: sloth"),
    ("general_resigned", "A", {}, "The General of Ada Moreau resigns"),
    ("beast_revealed", None, {"beast": "x2"}, "The Legendary Monster x2, “The Sleeper” comes to light."),
    ("beast_buff_assigned", "A", {"beast": "x0", "army": "a2"}, "Ada Moreau gives the buff of the Dangerous Beast x0 to army a2."),
    ("beast_acted", None, {"beast": "x1", "kind": "move", "at": {"field": "ford"}}, "The Epic Creature x1, “Basilisk” moves to the field “ford”."),
    ("player_resigned", "C", {"reason": "late"}, "Cy Okafor surrenders the Kingdom: late"),
    ("kingdom_forfeited", None, {"kingdom": "C", "reason": "left"}, "The Kingdom of Cy Okafor is forfeited: left"),
    ("govern_loss_declared", None, {"kingdom": "C"}, "Cy Okafor is declared unable to govern"),
    ("custom_pieces_removed", None, {"kingdom": "D", "pieces": "three towers"}, "The own pieces of Dara Nwosu leave the table: three towers"),
    ("territory_replaced", None, {"kingdom": "D", "castles": ["C5"]}, "Official pieces stand in for Old Tower (C5) of Dara Nwosu."),
    ("time_called", None, {"agreed": ["A", "B"]}, "Time is called, as agreed by Ada Moreau, Bo Lindqvist."),
    ("time_called", None, {}, "Time is called."),
    ("draw_agreed", None, {"seats": ["A", "B", "C"]}, "Ada Moreau, Bo Lindqvist, Cy Okafor agree to share the place."),
    ("match_ended", None, {"placements": [{"seat": "A", "place": 1}], "cause": "time"}, "The end of the match is recorded: 1. Ada Moreau"),
    ("penalty_given", None, {"seat": "B", "kind": "ap_loss", "value": 2, "reason": "slow"}, "Penalty for Bo Lindqvist: loss of Action Points, 2: slow"),
    ("penalty_given", None, {"seat": "B", "kind": "warning", "value": 1}, "Penalty for Bo Lindqvist: a warning"),
    ("result_overridden", None, {"battle_seq": 9, "outcome": {"net": 3, "returned": 1}, "reason": "counted again"}, "The referee sets the outcome of entry 9 to net damage 3, returned 1: counted again"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "seat", "data", "sentence"), SAID, ids=[row[0] for row in SAID])
def test_an_event_is_told_in_a_sentence(type_: str, seat: str | None, data: dict[str, Any], sentence: str) -> None:
    assert event_words("kingsquare", type_, seat, data, NAMES, still(rich())) == sentence


def test_every_event_of_the_game_has_its_sentence_and_every_own_one_is_tried() -> None:
    said = {row[0] for row in SAID}
    assert set(RULES.payloads) <= GAMES["kingsquare"].EVENTS.keys() | shared.EVENTS.keys()
    assert GAMES["kingsquare"].EVENTS.keys() - said == set(consequences.TYPES)
    assert set(RULES.payloads) - said <= set(PAYLOADS)


def test_an_event_of_which_nothing_stands_yet_is_told_by_ids() -> None:
    data = {"building": "b9", "to_level": 2}
    assert event_words("kingsquare", "building_upgraded", "A", data, NAMES, None) == (
        "Ada Moreau raises building b9 to level 2."
    )


@pytest.mark.parametrize("type_", sorted(RULES.payloads))
def test_an_event_of_wrong_form_is_shown_as_it_stands(type_: str) -> None:
    assert event_words("kingsquare", type_, "A", {"castle": 7, "units": 3, "target": "x"}, NAMES, still(rich()))


def test_a_general_is_named_as_who_acts() -> None:
    state = rich()
    event = Event("A", events.KingUpgraded(13), "general")
    said = event_words(
        "kingsquare", "king_upgraded", "A", {"to_level": 13}, NAMES, Carried(9, event, state, Step(state))
    )
    assert said == "The General of Ada Moreau raises the King to level 13."


def test_an_action_tells_its_price_and_what_is_left() -> None:
    before = rich()
    after = replace(before, ap_spent=before.ap_spent + 1)
    carried = told(before, after, data=events.KingUpgraded(13))
    assert event_words("kingsquare", "king_upgraded", "A", {"to_level": 13}, NAMES, carried).endswith(
        "to level 13. 1 AP spent, 2 AP left."
    )


def test_a_battle_is_told_with_its_figures_and_what_the_table_counted() -> None:
    state = rich()
    target = events.Target("building", "b3")
    figures = {"net": 12, "returned": 3, "attack": 20, "defence": 8}
    carried = told(state, state, data=events.AttackMade(("a1",), target), computed=figures)
    data = {"attackers": ["a1"], "target": {"kind": "building", "id": "b3"}}
    said = event_words("kingsquare", "attack_made", "A", data, NAMES, carried)
    assert said.endswith("Attack 20 against defence 8: net damage 12, returned 3.")
    data["observed"] = {"net": 11, "returned": 3}
    said = event_words("kingsquare", "attack_made", "A", data, NAMES, carried)
    assert said.endswith("The table counted net damage 11, returned 3.")


FOLLOWED: list[tuple[str, dict[str, Any], str]] = [
    ("ap_granted", {"id": "A", "amount": 5}, "Ada Moreau has 5 Action Points."),
    ("technology_unlocked", {"id": "A", "kinds": ["harbor", "master_craftsmanship"]}, "New for Ada Moreau: Harbor, Master Craftsmanship."),
    ("structure_damaged", {"id": "b1", "damage": 5, "left": 15}, "Barracks b1 at Highgate (C1) is damaged and has 15 structure points left."),
    ("structure_damaged", {"id": "s1", "damage": 4, "left": 6}, "Ship s1 is damaged and has 6 structure points left."),
    ("structure_damaged", {"id": "C1", "damage": 35, "left": 65}, "Highgate (C1) is damaged and has 65 structure points left."),
    ("structure_ruined", {"id": "b2", "damage": 20, "left": 0}, "Barracks b2 at Highgate (C1) is a Ruin."),
    ("structure_ruined", {"id": "C4"}, "Castle C4 is a Ruin."),
    ("link_cut", {"id": "k4"}, "Road k4 between Embassy e2 and Castle C2 is cut."),
    ("building_isolated", {"id": "e2"}, "Embassy e2 at Castle C2 is isolated and does nothing."),
    ("building_reconnected", {"id": "b1"}, "Barracks b1 at Highgate (C1) is connected again."),
    ("soldiers_lost", {"id": "a1", "lost": {"0": 3, "5": 2}}, "Army a1 loses 3 of level 0, 2 of level 5; 48 left."),
    ("army_destroyed", {"id": "a9", "lost": {"1": 4}}, "Army a9 is destroyed; it loses 4 of level 1."),
    ("ship_sunk", {"id": "s1", "cargo": {}}, "Ship s1 is sunk."),
    ("plane_lost", {"id": "l1"}, "Plane l1 is lost."),
    ("step_pressed", {"id": "A/C3/military"}, "Ada Moreau has pressed the step Military at Salt Marsh Keep (C3)."),
    ("king_defeated", {"id": "D"}, "The King of Dara Nwosu is defeated."),
    ("beast_defeated", {"id": "x0", "by": "A"}, "The Dangerous Beast x0 is defeated."),
    ("buff_gained", {"id": "x0", "army": "a1", "buff": 10}, "Army a1 gains the buff of the Dangerous Beast x0: +10 power."),
    ("capital_moved", {"id": "C3", "kingdom": "C"}, "Salt Marsh Keep (C3) is the Capital now."),
    ("kingdom_eliminated", {"id": "D", "cause": "king_defeated"}, "The Kingdom of Dara Nwosu is out: the King is defeated."),
    ("forces_disbanded", {"id": "D"}, "The forces of Dara Nwosu leave the table."),
    ("round_limit_reached", {"id": None, "round": 6}, "The last round is over."),
    ("last_kingdom_standing", {"id": "A"}, "Ada Moreau is the last Kingdom standing."),
    ("king_levels_reset", {"id": None}, "All Kings are of level 1 again."),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "data", "sentence"), FOLLOWED, ids=[row[0] for row in FOLLOWED])
def test_what_followed_is_told_in_a_sentence(type_: str, data: dict[str, Any], sentence: str) -> None:
    carried = still(rich())
    assert consequence_words("kingsquare", Consequence(type_, data), NAMES, carried) == sentence


def test_every_consequence_has_its_sentence_and_is_tried() -> None:
    assert consequences.TYPES == GAMES["kingsquare"].CONSEQUENCES.keys() == {row[0] for row in FOLLOWED}


@pytest.mark.parametrize("type_", sorted(consequences.TYPES))
def test_a_consequence_that_a_file_spells_out_is_told_as_such(type_: str) -> None:
    data = next(data for kind, data, _sentence in FOLLOWED if kind == type_)
    assert event_words("kingsquare", type_, None, data, NAMES, still(rich())).startswith("The file says: ")


def whole_matches() -> Iterator[Feed]:
    for path in sorted(GOLDEN.glob("*.log.txt")):
        log = notation.parse(path.read_bytes(), name=path.name)
        names = Names({seat.seat: f"Player {seat.seat}" for seat in log.header.seats})
        yield Feed(log, replay.run(log), names)


def test_whole_matches_are_told_without_a_bare_key() -> None:
    said, followed = set(), set()
    for feed in whole_matches():
        for seq in range(feed.last + 1):
            entry = feed.entry(seq)
            carried = feed.carried.get(seq)
            if carried is not None and carried.event is not None:
                said.add(carried.event.type)
                followed |= {what.type for what in carried.step.consequences}
            if entry.state == "refused":
                continue
            texts = [entry.words, *entry.consequences]
            for words in texts if carried is not None or seq == 0 else []:
                assert not re.search(r"[a-z]_[a-z]|%\(|None|\{", words.replace(entry.note or "\n", "")), words
    assert {"attack_made", "castle_upgraded", "troops_produced", "unit_moved", "match_started"} <= said
    assert {"ap_granted", "step_pressed", "technology_unlocked", "king_levels_reset"} <= followed


def test_the_result_is_told_with_its_five_figures_and_its_cause() -> None:
    feed = next(feed for feed in whole_matches() if RULES.game == feed.game and feed.replay.placements)
    result = feed.replay.ruleset.result(feed.replay.state)
    head, rows = GAMES["kingsquare"].result_rows(result)
    assert head == ["Castle levels", "King level", "Building levels", "Power", "Beasts"]
    assert rows.keys() == {seat.seat for seat in feed.log.header.seats}
    assert GAMES["kingsquare"].result_note(result).startswith("Ended in round ")


# Everything on the board, everything in words


@pytest.mark.parametrize("scaled", [False, True])
def test_everything_on_the_table_is_on_the_board(scaled: bool) -> None:
    state = rich(scaled)
    root = draw(state, still(state))
    assert len(of_class(root, "castle")) == len(state.works.castles)
    assert len(of_class(root, "building")) == len(state.works.buildings)
    assert len(of_class(root, "link")) == len(state.works.links)
    assert len(of_class(root, "territory")) == len(state.works.castles)
    assert len(of_class(root, "influence")) == (3 if scaled else 0)
    said = "\n".join(titles(root))
    for one in (
        "Highgate (C1), Ada Moreau\nCastle of level 10, Capital, military fortress, 65 of 100 structure points, fabric +",
        "Castle D1, Ada Moreau\nCastle of level 2, Harbor District, 20 of 20 structure points",
        "Castle C4, Cy Okafor\nCastle of level 1, a Ruin",
        "Old Tower (C5), the official pieces",
        "Barracks b1 of level 4 at Highgate (C1), Ada Moreau\nactive, joined by road, damaged, 15 of 40 left, has produced",
        "Barracks b2 of level 2 at Highgate (C1), Ada Moreau\nruined",
        "Embassy e2 of level 1 at Castle C2, Bo Lindqvist\nisolated, not joined to its Castle",
        "Quarry q1 of level 5 at Highgate (C1), Ada Moreau\nactive, not joined to its Castle",
        "Road k4 of Bo Lindqvist between Embassy e2 and Castle C2, 1.4 ft, cut",
        "Bridge k5 of Ada Moreau between Highgate (C1) and Castle C2, 28 ft",
        "Rail k7 of Ada Moreau between Trainyard t1 and Trainyard t2, 31 ft",
        "Junction fork",
        "Army a1 of Ada Moreau: 12 of level 0, 36 of level 5, buff +10 of x0, has moved",
        "Army a4 of Cy Okafor: 150 of level 2",
        "Ship s1 of Ada Moreau: 6 of 10 structure points, carries 6 of level 1",
        "Plane l1 of Ada Moreau: 3 of 5 structure points",
        "Epic Creature x1, “Basilisk”: strength 42 left, attack 30, defence 10, buff +20",
        "Legendary Monster x2, “The Sleeper”: strength 150 left, attack 80, defence 25, buff +40, hidden",
        "Site y1: a landmark, found by Ada Moreau",
        "Site y2: a beast, hidden",
        "The King of Ada Moreau: level 12, has moved",
        "The General’s piece of Bo Lindqvist: level 2",
        "Territory of Highgate (C1), Ada Moreau: 10 ft around it",
        "The field “bay”, water",
        "Alliance of Ada Moreau and Bo Lindqvist: active",
        "Alliance of Bo Lindqvist and Cy Okafor: proposed",
        *(
            ["Influence of the King of Cy Okafor: 4 ft"]
            if scaled
            else ["Kingdom of Dara Nwosu, out: the King is defeated"]
        ),
    ):
        assert one in said, one


def test_everything_on_the_table_is_in_the_tables() -> None:
    state = rich()
    words = position_words(RULES, state, NAMES)
    assert words is not None
    assert all(len(row) == len(one["head"]) for one in words["tables"] for row in one["rows"])
    kingdoms = {row[0]: row for row in table(words, "Kingdoms")}
    assert kingdoms["Ada Moreau"][1:] == [
        "12", "Highgate (C1)", "5", "3 wood, 2 stone, 9 food", "in office", "x0",
        "King of level 12, to act, act phase, 3 of 5 AP left",
    ]  # fmt: skip
    assert kingdoms["Bo Lindqvist"][5] == "piece of level 2 at Castle C2"
    assert kingdoms["Dara Nwosu"][-1] == "out: the King is defeated"
    assert [row[0] for row in table(words, "Castles")] == [
        "Highgate (C1)", "Castle D1", "Scholars’ Hill (D2)", "Castle C2", "Salt Marsh Keep (C3)", "Castle C4", "Old Tower (C5)",
    ]  # fmt: skip
    assert len(table(words, "Buildings")) == len(state.works.buildings)
    assert ["Embassy e2", "Castle C2", "Bo Lindqvist", "1", "isolated, not joined to its Castle"] in table(
        words, "Buildings"
    )
    assert ["Rail k6", "Ada Moreau", "Trainyard t1", "Trainyard t2", "30 ft", "cut"] in table(words, "Roads and rails")
    assert ["Army a3", "Bo Lindqvist", "the field “ford”", "7 of level 0, 4 of level 1, 6 of level 3", ""] in table(
        words, "Armies"
    )
    assert [row[0] for row in table(words, "Ships and planes")] == ["Ship s1", "Ship s2", "Plane l1"]
    assert [row[0] for row in table(words, "Beasts and sites")] == [
        "Dangerous Beast x0", "Epic Creature x1, “Basilisk”", "Legendary Monster x2, “The Sleeper”", "Site y1", "Site y2",
    ]  # fmt: skip
    assert table(words, "Beasts and sites")[0][2] == "defeated by Ada Moreau"
    assert table(words, "Terrain") == [["bay", "water"], ["cliffs", "impassable"]]
    assert [row[2] for row in table(words, "Alliances")] == ["active", "proposed", "ended"]
    assert table(words, "Order of pressure") == [
        ["Ada Moreau", "Salt Marsh Keep (C3)", "Infrastructure, Military"],
        ["Bo Lindqvist", "Highgate (C1)", "Infrastructure"],
    ]


def test_a_table_without_rows_is_left_out() -> None:
    words = position_words(RULES, plain(2), NAMES)
    assert words is not None
    assert [one["title"] for one in words["tables"]] == ["Kingdoms", "Castles", "Buildings", "Armies"]


def test_what_a_reader_may_not_see_is_neither_drawn_nor_told() -> None:
    state = RULES.state_seen_by(rich(), "A")
    said = "\n".join([*titles(draw(state)), *cells(position_words(RULES, state, NAMES) or {})])
    assert "Basilisk" in said
    assert "Sleeper" not in said
    assert "cave" not in said
    assert "y2" not in said


def test_hidden_things_that_an_official_sees_are_marked() -> None:
    assert len(of_class(draw(rich()), "hidden")) == 2


# Readable


@pytest.mark.parametrize("state", [rich(), rich(True), plain(8, 2, 12)])
def test_every_shape_that_is_used_is_defined(state: State) -> None:
    svg = board_svg(RULES, state, NAMES, last=still(state))
    assert set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(
        re.findall(r'id="([^"]+)"', svg)
    )


def test_every_kind_of_thing_has_a_shape_of_its_own() -> None:
    root = draw(plain(2))
    [defs] = [one for one in root.iter() if one.tag.endswith("defs")]
    looks = {
        shape.get("id"): "".join(part.get("d", "") + part.get("r", "") + part.get("width", "") for part in shape.iter())
        for shape in defs
    }
    assert {f"ks-{kind}" for kind in events.KINDS} <= looks.keys()
    assert {f"ks-seat-{seat}" for seat in "abcdefgh"} <= looks.keys()
    assert {f"ks-beast-{cls}" for cls in ("dangerous", "epic", "legendary")} <= looks.keys()
    assert {f"ks-site-{content}" for content in ("nothing", "beast", "resource", "landmark")} <= looks.keys()
    assert len(set(looks.values())) == len(looks)


def test_the_legend_names_every_kind_of_building() -> None:
    assert [shape for _name, shape in board_legend("kingsquare")] == [
        f"ks-{kind}" for kind in kingsquare.words.BUILDINGS
    ]
    assert set(kingsquare.words.BUILDINGS) == set(events.KINDS)


def test_every_unit_shows_the_letter_of_its_owner() -> None:
    for unit in of_class(draw(plain(8)), "unit"):
        letters = [one.text for one in unit.iter() if one.tag.endswith("text")]
        owner = next(name for name in unit.get("class", "").split() if name.startswith("seat-"))
        assert owner[-1].upper() in letters, unit.get("class")


def test_a_pile_shows_the_level_and_the_number_of_its_soldiers() -> None:
    piles = of_class(draw(plain(2)), "pile")
    assert [[one.text for one in pile.iter() if one.tag.endswith("text")] for pile in piles] == [
        ["0", "×3"], ["2", "×4"], ["0", "×4"], ["2", "×4"],
    ]  # fmt: skip


def test_before_the_present_edition_an_army_is_counted_in_chips_as_well() -> None:
    state = made(
        setup(2, "KS-V3"), {"C1": Castle("A", "A")}, {}, armies={"a1": Army("A", {0: 40, 2: 10}, inside("C1"))}
    )
    assert "Army a1 of Ada Moreau: 40 of level 0, 10 of level 2 (5 chips)" in titles(draw(state))
    words = position_words(RULES, state, NAMES)
    assert words is not None
    assert table(words, "Armies")[0][3] == "40 of level 0, 10 of level 2 (5 chips)"


def test_a_wide_board_scrolls_in_its_box_and_a_small_one_does_not() -> None:
    assert 'wide"' not in board_svg(RULES, plain(2), NAMES)[:200]
    wide = board_svg(RULES, plain(8, 3, 8), NAMES)
    assert ' wide"' in wide[:120]
    assert 'width="' in wide[:200]


def test_a_board_says_whether_it_is_to_scale() -> None:
    for scaled, said in ((True, "To scale, "), (False, "A schematic: ")):
        root = draw(plain(2, scaled=scaled))
        [desc] = [one for one in root.iter() if one.tag.endswith("desc")]
        assert (desc.text or "").startswith(said)
        assert len(of_class(root, "ruler")) == scaled
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'Entry "1" & <more>'


HOSTILE = '"><script>alert(1)</script>&{{ x }}'


def test_hostile_names_are_escaped() -> None:
    state = rich()
    castles = {**state.works.castles, "C1": replace(state.works.castles["C1"], name=HOSTILE)}
    beasts = {
        **state.beasts,
        "x1": replace(state.beasts["x1"], name=HOSTILE, at=replace(state.beasts["x1"].at, field=HOSTILE)),
    }
    state = replace(state.with_works(castles=castles), beasts=beasts)
    names = Names(dict.fromkeys("ABCD", HOSTILE))
    svg = board_svg(RULES, state, names, last=still(state), label=HOSTILE)
    assert "<script" not in svg
    root = ET.fromstring(svg)
    assert any(HOSTILE in title for title in titles(root))
    assert root.get("aria-label") == HOSTILE


# What the last event changed


def ring_count(root: ET.Element) -> int:
    return len(
        [one for one in of_class(root, "ring") if "halo" not in one.get("class", "") and one.tag.endswith("rect")]
    )


def test_an_event_that_changes_nothing_on_the_table_emphasizes_nothing() -> None:
    state = rich()
    root = draw(state, told(state, replace(state, phase="move")))
    assert ring_count(root) == 0
    assert of_class(root, "trail") == of_class(root, "fallen") == of_class(root, "shot") == []


def test_a_raised_building_is_ringed() -> None:
    before = rich()
    buildings = {**before.works.buildings, "q1": replace(before.works.buildings["q1"], level=6)}
    assert (
        ring_count(draw(before.with_works(buildings=buildings), told(before, before.with_works(buildings=buildings))))
        == 1
    )


def test_a_cut_link_is_emphasized_with_the_building_that_it_isolates() -> None:
    before = rich()
    links = {**before.works.links, "k2": replace(before.works.links["k2"], cut=True)}
    after = before.with_works(links=links)
    root = draw(after, told(before, after))
    assert len([one for one in of_class(root, "ring") if one.tag.endswith("path")]) == 1
    assert ring_count(root) == 1


def test_a_move_leaves_a_trail_from_the_place_it_began_even_if_nothing_stands_there_now() -> None:
    before = rich()
    after = replace(before, armies={**before.armies, "a3": replace(before.armies["a3"], at=inside("C2"))})
    after = after.with_king("B", at=inside("C2"))
    root = draw(after, told(before, after))
    assert len([one for one in of_class(root, "trail") if "halo" not in one.get("class", "")]) == 2
    assert "The field “ford”" in titles(root)


def test_an_army_that_is_gone_is_crossed_out_where_it_stood() -> None:
    before = rich()
    after = replace(before, armies={id_: army for id_, army in before.armies.items() if id_ != "a4"})
    assert len(of_class(draw(after, told(before, after)), "fallen")) == 1


def test_an_attack_is_an_arrow_with_the_damage_of_both_sides() -> None:
    before = rich()
    buildings = {**before.works.buildings, "b3": replace(before.works.buildings["b3"], damage=7)}
    armies = {**before.armies, "a2": Army("A", {1: 2}, inside("C1"))}
    after = replace(before.with_works(buildings=buildings), armies=armies)
    data = events.AttackMade(("a2",), events.Target("building", "b3"))
    root = draw(after, told(before, after, data=data, computed={"net": 7, "returned": 4}))
    assert len([one for one in of_class(root, "shot") if "halo" not in one.get("class", "")]) == 1
    assert [one.text for one in of_class(root, "figure")] == ["−7", "−4"]
    assert ring_count(root) == 2


def test_every_step_of_a_played_match_can_be_drawn_and_told() -> None:
    match = replay.run(play("kingsquare", seed=4, seats=3, player="greedy", max_events=220))
    names = Names(dict.fromkeys("ABC", "Somebody"))
    for one in match.carried[::7]:
        root = draw(one.step.state, one, names)
        assert len(of_class(root, "building")) == len(one.step.state.works.buildings)
        words = position_words(match.ruleset, one.step.state, names)
        assert words is not None
        assert len(table(words, "Castles")) == len(one.step.state.works.castles)


# On the page


@pytest.mark.django_db
def test_the_page_shows_the_board_its_legend_and_the_words(client: Client, organizer: Person) -> None:
    match = recorded(organizer, notation.write(play("kingsquare", seed=2, seats=2, max_events=120), "jsonl"))
    got = client.get(f"/matches/{match.pk}?at=60").content.decode()
    assert 'class="board kingsquare ' in got
    assert "A Castle shows its level" in got
    assert "The position in words" in got
    assert re.search(r"(produce|move|act) phase", got)
    moment = client.get(f"/matches/{match.pk}?at=61", **HTMX).content.decode()
    assert 'id="moment"' in moment
    assert 'class="board kingsquare ' in moment


@pytest.mark.django_db
def test_the_page_asks_no_more_of_the_database_than_that_of_another_game(client: Client, organizer: Person) -> None:
    games = (
        recorded(organizer, notation.write(logs.random_match(1, events=200), "jsonl")),
        recorded(organizer, notation.write(play("kingsquare", seed=2, seats=3, max_events=200), "jsonl")),
    )
    counts = []
    for match in games:
        client.get(f"/matches/{match.pk}")
        for more in ({}, HTMX):
            with CaptureQueriesContext(connection) as asked:
                assert client.get(f"/matches/{match.pk}?at=99", **more).status_code == 200
            counts.append(len(asked))
    assert counts[2:] == counts[:2]


def test_reasons_and_figures_of_the_options_are_told_and_not_counted() -> None:
    assert _option({"ap.base": "a short evening", "cost.build": "free"}) == "ap.base: a short evening; cost.build: free"
    assert _option({"strength": 60, "attack": 30}) == "strength: 60; attack: 30"
    assert _option({"id": "three_capes", "hexes": []}) == "three_capes"
