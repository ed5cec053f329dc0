"""What a General may, and every line of what a General may not (4.8, 8.2; KS-47 … KS-50, KSH-74, KSH-75)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.given import Entry, Given, entry
from tests.rulesengine.kingsquare.realm import build, empty, founded, table, to_act, turns

UP = {"to_level": 2}
TO = {"to": {"castle": "CB"}, "off_ft10": 5, "on_ft10": 0, "mode": "land"}
AT_FARM = {"target": {"kind": "building", "id": "fB"}}


def general(seat: str | None, type_: str, /, **data: Any) -> Entry:
    return entry(seat, type_, "general", **data)


def led(seats: str = "AB", **options: Any) -> Given:
    """Return a table at the beginning of A's first turn; A has a General."""
    return table(seats, generals={"A": "Gil Roe"}, **options)


RESERVED = [
    general("A", "alliance_proposed", alliance="al", to_kingdom="B"),
    general("A", "alliance_withdrawn", alliance="al"),
    general("A", "alliance_accepted", alliance="al"),
    general("A", "alliance_declined", alliance="al"),
    general("A", "alliance_ended", alliance="al"),
    general("A", "treaty_noted", kingdoms=["A", "B"], text="peace"),
    general("A", "castle_upgraded", castle="CA", **UP),
    general("A", "general_appointed", person="Ida Falk"),
    general("A", "general_dismissed"),
    general("A", "player_resigned"),
]
FURTHER = [
    general(None, "draw_agreed", seats=["A", "B"]),
    general("A", "king_upgraded", **UP),
    general("A", "castle_founded", castle="C9", at={"field": "moor"}, king_distance_ft10=5),
    general("A", "district_founded", castle="C9", district_kind="Harbor", parent_castle="CA"),
]
SIGNED = [general("A", "result_signed"), general("A", "result_disputed")]


@pytest.mark.parametrize("event", RESERVED, ids=lambda one: one[1])
def test_ks_50_what_is_reserved_to_the_king_is_not_the_generals(event: Entry) -> None:
    led().after(*to_act("A")).when(event).then_refused("KS-50")


@pytest.mark.parametrize("event", FURTHER, ids=lambda one: one[1])
def test_ksh_74_what_the_house_rule_reserves_to_the_king_is_not_the_generals(event: Entry) -> None:
    led().after(*to_act("A")).when(event).then_refused("KSH-74")


@pytest.mark.parametrize("event", SIGNED, ids=lambda one: one[1])
def test_ksh_74_a_general_neither_signs_nor_disputes_the_result(event: Entry) -> None:
    at = led().after(entry(None, "draw_agreed", seats=["A", "B"]))
    at.when(event).then_refused("KSH-74")
    at.when((event[0], event[1], None, event[3])).then_clean()


@pytest.mark.parametrize("event", RESERVED + FURTHER, ids=lambda one: one[1])
@pytest.mark.parametrize("role", [None, "king", "scribe"])
def test_what_is_reserved_is_the_kings_and_the_scribes_for_him(event: Entry, role: str | None) -> None:
    """Other checks may refuse these events here; nobody is refused for the role."""
    then = led().after(*to_act("A")).when((event[0], event[1], role, event[3]))
    assert not {one.rule for one in then.findings} & {"KS-47", "KS-50", "KSH-74", "U-6"}


ALLOWED = [
    general("A", "army_split", army="a", new_army="b", stacks={"0": 1}),
    general("A", "army_merged", **{"from": "a", "into": "b"}),
    general("A", "troops_embarked", army="a", ship="s", stacks={"0": 1}),
    general("A", "troops_landed", army="a", ship="s", stacks={"0": 1}),
    general("A", "building_built", building="m", kind="lumber_mill", castle="CA", direct=True),
    general("A", "road_laid", link="r", kind="road", a="CA", b="j", length_ft10=5),
    general("A", "rail_laid", link="r", a="x", b="y", length_ft10=5),
    general("A", "ship_built", ship="s", harbor="h"),
    general("A", "plane_built", plane="p", hangar="h"),
    general("A", "building_upgraded", building="fA", **UP),
    general("A", "structure_repaired", target={"kind": "building", "id": "fA"}),
    general("A", "attack_made", attackers=["king:A"], **AT_FARM),
    general("A", "sortie_flown", planes=["p"], **AT_FARM),
    general("A", "unit_forwarded", units=["king:A"], **TO),
    general("A", "discovery_made", unit="king:A", at={"field": "moor"}, result="nothing"),
    general("A", "beast_engaged", attackers=["king:A"], beast="b"),
    general("A", "beast_buff_assigned", beast="b", army="a"),
    general("A", "general_resigned"),
    general("A", "dispute_opened", about_seq=1),
]
IN_PRODUCE = [
    general("A", "troops_produced", building="b", count=1, soldier_level=0, army="a"),
    general("A", "resources_produced", building="fA", kind="food", amount=1),
]
IN_MOVE = [
    general("A", "unit_moved", units=["king:A"], **TO),
    general("A", "rail_travelled", units=["king:A"], from_building="x", to_building="y"),
]


def _not_for_the_role(at: Given, event: Entry) -> None:
    assert not {one.rule for one in at.when(event).findings} & {"KS-47", "KS-50", "KSH-74", "U-6"}


@pytest.mark.parametrize("event", ALLOWED, ids=lambda one: one[1])
def test_ks_49_armies_building_attack_and_scouting_are_open_to_the_general(event: Entry) -> None:
    _not_for_the_role(led().after(*to_act("A")), event)


@pytest.mark.parametrize("event", IN_PRODUCE, ids=lambda one: one[1])
def test_ks_49_production_is_open_to_the_general(event: Entry) -> None:
    _not_for_the_role(led(), event)


@pytest.mark.parametrize("event", IN_MOVE, ids=lambda one: one[1])
def test_ks_49_moving_is_open_to_the_general(event: Entry) -> None:
    _not_for_the_role(led().after(entry("A", "phase_advanced", to="move")), event)


@pytest.mark.parametrize("event", [*ALLOWED, *RESERVED, *FURTHER], ids=lambda one: one[1])
def test_ks_47_nobody_acts_as_general_while_none_is_in_office(event: Entry) -> None:
    table().after(*to_act("A")).when(event).then_refused("KS-47")


@pytest.mark.parametrize("event", SIGNED, ids=lambda one: one[1])
def test_ks_47_nobody_signs_as_general_while_none_is_in_office(event: Entry) -> None:
    table().after(entry(None, "draw_agreed", seats=["A", "B"])).when(event).then_refused("KS-47")


def test_ks_47_a_dismissed_general_acts_no_more() -> None:
    at = led().after(entry("A", "general_dismissed"), *to_act("A"))
    at.when(general("A", "building_upgraded", building="fA", **UP)).then_refused("KS-47")


@pytest.mark.parametrize("edition", ["KS-V1", "KS-V2", "KS-V3", "KS-V4"])
@pytest.mark.parametrize("event", [ALLOWED[4], RESERVED[0], FURTHER[0], FURTHER[1]], ids=lambda one: one[1])
def test_ks_47_before_ks_v5_nobody_acts_as_general(edition: str, event: Entry) -> None:
    table("AB", edition).after(*to_act("A")).when(event).then_refused("KS-47")


@pytest.mark.parametrize(
    ("event", "ready"),
    [
        (general("A", "castle_role_declared", castle="CA", role="other"), []),
        (general("A", "production_waived", building="bA"), []),
        (general(None, "turn_skipped", kingdom="A"), []),
        (general(None, "beast_revealed", beast="b"), []),
        (general(None, "match_paused"), []),
        (general(None, "time_called", agreed=["A", "B"]), []),
        (general(None, "match_ended"), []),
        (general(None, "penalty_given", seat="B", kind="warning"), []),
    ],
    ids=lambda one: one[1] if isinstance(one, tuple) else "",
)
def test_u_6_what_is_neither_reserved_nor_the_generals_is_somebody_elses(event: Entry, ready: list[Entry]) -> None:
    led().after(*ready).when(event).then_refused("U-6")


@pytest.mark.parametrize("role", ["mapmaster", "referee", "organizer", "jester"])
@pytest.mark.parametrize("event", [ALLOWED[4], ALLOWED[11], RESERVED[0], FURTHER[1]], ids=lambda one: one[1])
def test_u_6_what_is_a_kings_is_not_the_officials(event: Entry, role: str) -> None:
    led().after(*to_act("A")).when((event[0], event[1], role, event[3])).then_refused("U-6")


def test_u_6_a_general_does_not_found_the_capital() -> None:
    found = general("A", "capital_founded", castle="CA")
    empty(generals={"A": "Gil Roe"}).when(found).then_refused("U-6")
    empty().when(found).then_refused("KS-47")


# The Capital


def test_ks_50_a_general_may_upgrade_a_castle_that_is_not_the_capital() -> None:
    second = entry("A", "castle_founded", castle="C9", at={"field": "moor"}, king_distance_ft10=10)
    at = led(**{"ap.base": 9}).after(*to_act("A"), second, entry("A", "king_upgraded", to_level=2))
    at.when(general("A", "castle_upgraded", castle="C9", **UP)).then_clean()
    at.when(general("A", "castle_upgraded", castle="CA", **UP)).then_refused("KS-50")
    at.when(entry("A", "castle_upgraded", castle="CA", **UP)).then_clean()


def test_ks_50_the_role_is_asked_about_before_the_level() -> None:
    led().after(*to_act("A")).when(general("A", "castle_upgraded", castle="CA", to_level=7)).then_refused("KS-50")


def test_param_general_capital_buildings_no_closes_the_city_of_the_capital() -> None:
    def upgrade(**options: Any) -> Any:
        at = led(**options).after(*to_act("A"), build("A", "mA", "lumber_mill"))
        return at.when(general("A", "building_upgraded", building="mA", **UP))

    assert {one.rule for one in upgrade().findings} == {"KS-30"}
    upgrade(**{"general.capital_buildings": "no"}).then_refused("KSH-74")


def test_ksh_74_buildings_of_other_cities_are_open_to_the_general_all_the_same() -> None:
    second = entry("A", "castle_founded", castle="C9", at={"field": "moor"}, king_distance_ft10=10, farm="f9")
    at = led(**{"ap.base": 9, "general.capital_buildings": "no"}).after(*to_act("A"), second)
    at = at.after(entry("A", "king_upgraded", to_level=2), general("A", "castle_upgraded", castle="C9", **UP))
    at.when(general("A", "building_upgraded", building="f9", **UP)).then_clean()
    at.when(general("A", "building_upgraded", building="fA", **UP)).then_refused("KSH-74")


# Absence


def test_ksh_75_the_general_may_play_the_turn_and_does_not_follow_the_king() -> None:
    at = led().after(*[(seat, type_, "general", data) for seat, type_, _, data in to_act("A")])
    at = at.after(general("A", "building_built", building="m", kind="lumber_mill", castle="CA", direct=True))
    at.when(general("A", "turn_ended")).then_clean()
    out = led("ABC").after(entry("A", "player_resigned"))
    out.when(general("A", "dispute_opened", about_seq=1)).then_clean()
    out.when(general("A", "building_upgraded", building="fA", **UP)).then_refused("KS-77")


def test_turns_without_anything_done_take_a_kingdom_nowhere() -> None:
    led().when(*turns(*"ABAB")).then_clean()


def test_a_match_may_begin_with_generals_of_both() -> None:
    then = empty(generals={"A": "Gil Roe", "B": "Ida Falk"}).when(*founded("A", "B"))
    assert [then.get(f"kingdoms.{seat}.general_person") for seat in "AB"] == ["Gil Roe", "Ida Falk"]
