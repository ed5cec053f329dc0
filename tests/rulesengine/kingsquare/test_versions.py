"""The version vectors of part 7.1: the same proposal under each of the five editions, default parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.rulesengine.kingsquare.tables import EDITIONS, Table, in_field

type Proposal = tuple[str | None, str, dict[str, Any]]
type Row = tuple[str, Callable[[str], tuple[Table, Proposal]], tuple[str | None, ...]]


def built(kind: str, castle: str = "C1") -> Proposal:
    """Return the proposal to build something new."""
    return "A", "building_built", {"building": "n1", "kind": kind, "castle": castle, "direct": True}


def raised(building: str, to_level: int) -> Proposal:
    """Return the proposal to raise a building."""
    return "A", "building_upgraded", {"building": building, "to_level": to_level}


def barracks_beside_a_mill(edition: str) -> tuple[Table, Proposal]:
    return Table(edition).building("m1", "lumber_mill"), built("barracks")


def castle_above_its_king(edition: str) -> tuple[Table, Proposal]:
    return Table(edition).levels(2, 2, 1), ("A", "castle_upgraded", {"castle": "C1", "to_level": 3})


def barracks_above_the_farm(edition: str) -> tuple[Table, Proposal]:
    return Table(edition).building("b1", "barracks"), raised("b1", 2)


def forge_above_farm_and_castle(edition: str) -> tuple[Table, Proposal]:
    return Table(edition).levels(12, 2, 2).building("f1", "war_forge", level=2), raised("f1", 3)


def one_soldier(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).building("b1", "barracks").set(phase="produce", ap_total=0)
    return table, ("A", "troops_produced", {"building": "b1", "count": 1, "soldier_level": 0, "army": "a1"})


def repair_of_a_damaged_wall(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).building("w1", "wall", damage=4)
    return table, ("A", "structure_repaired", {"target": {"kind": "building", "id": "w1"}})


def bridge_at_quarry_one(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).building("q1", "quarry")
    return table, ("A", "road_laid", {"link": "r1", "kind": "bridge", "a": "C1", "b": "C2", "length_ft10": 20})


def second_forge(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).levels(9, 9, 9).building("q1", "quarry", level=2).building("f1", "war_forge")
    return table, built("war_forge")


def army_on_own_road(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).link("r1", "C1", "ford").army("a1", in_field("heath")).set(phase="move", ap_total=0)
    moved = {"units": ["a1"], "to": {"field": "ford"}, "off_ft10": 0, "on_ft10": 75, "mode": "land", "links": ["r1"]}
    return table, ("A", "unit_moved", moved)


def embassy_in_another_city(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).levels(9, 9, 9).building("e1", "embassy").castle("D1", level=9)
    table.building("D1-farm", "farm", "D1").building("m1", "lumber_mill", "D1", level=4)
    return table, built("embassy", "D1")


def district(edition: str) -> tuple[Table, Proposal]:
    founded = {"castle": "D1", "district_kind": "Harbor", "parent_castle": "C1"}
    return Table(edition).levels(10, 10, 10), ("A", "district_founded", founded)


def king_of_level_four(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).set(status="setup", phase=None, turn_kingdom=None, round=0)
    return table, (None, "king_level_recorded", {"kingdom": "A", "level": 4})


def university_at_quarry_three(edition: str) -> tuple[Table, Proposal]:
    return Table(edition).levels(9, 9, 9).building("q1", "quarry", level=3), built("university")


def airport_at_mill_five(edition: str) -> tuple[Table, Proposal]:
    table = Table(edition).levels(9, 9, 9).building("m1", "lumber_mill", level=5).building("q1", "quarry")
    return table, built("hangar")


ROWS: tuple[Row, ...] = (
    ("1", barracks_beside_a_mill, (None, None, None, None, "KS-40")),
    ("2", castle_above_its_king, (None, None, None, "KS-28", "KS-28")),
    ("3", barracks_above_the_farm, (None, None, None, "KS-30", "KS-30")),
    ("4", forge_above_farm_and_castle, (None, "KS-55", "KS-55", "KS-30", "KS-30")),
    ("5", one_soldier, ("KS-18", "KS-18", "KS-18", "KS-18", None)),
    ("6", repair_of_a_damaged_wall, ("KS-26", "KS-26", "KS-26", "KS-26", None)),
    ("7", bridge_at_quarry_one, ("KS-61", "KS-61", "KS-61", None, None)),
    ("8", second_forge, ("KS-44", "KS-44", "KS-44", None, None)),
    ("11", army_on_own_road, ("KS-19", "KS-19", "KS-19", "KS-19", None)),
    ("13", embassy_in_another_city, ("KS-23", "KS-23", "KS-23", "KS-23", None)),
    ("14", district, ("KS-38", "KS-38", "KS-38", "KS-38", None)),
    ("15", king_of_level_four, (None, None, None, None, "KS-32")),
    ("16", university_at_quarry_three, (None, None, None, None, None)),
    ("17", airport_at_mill_five, (None, None, None, "KS-61", "KS-61")),
)
"""Number on the page, situation and proposal, and the rule that refuses it in V1 … V5 (None: accepted)."""
CASES = [
    pytest.param(situation, edition, rule, id=f"{number}-{edition}")
    for number, situation, rules in ROWS
    for edition, rule in zip(EDITIONS, rules, strict=True)
]


@pytest.mark.parametrize(("situation", "edition", "rule"), CASES)
def test_a_proposal_is_judged_by_the_edition(
    situation: Callable[[str], tuple[Table, Proposal]], edition: str, rule: str | None
) -> None:
    table, (seat, type_, data) = situation(edition)
    if rule is None:
        table.do(seat, type_, **data)
    else:
        table.refused(rule, seat, type_, **data)
        table.accept(seat, type_, **data)


@pytest.mark.parametrize(("edition", "points"), list(zip(EDITIONS, (9, 9, 9, 9, 7), strict=True)))
def test_row_9_action_points_with_an_embassy_of_seven(edition: str, points: int) -> None:
    table = Table(edition).building("e1", "embassy", level=7).set(phase="move", ap_total=0)
    table.do("A", "phase_advanced", to="act")
    assert table.get("ap_total") == points
    assert table.told("ap_granted") == ["A"]


@pytest.mark.parametrize(("edition", "fabric"), list(zip(EDITIONS, (0, 0, 18, 18, 18), strict=True)))
def test_row_10_the_fabric_of_a_castle(edition: str, fabric: int) -> None:
    table = Table(edition).levels(6, 6, 6).building("m1", "lumber_mill", level=6, direct=False)
    table.building("b1", "barracks", level=5, direct=False).link("r1", "b1", "C1")
    table.building("q1", "quarry", level=3, direct=False).link("r2", "q1", "C1")
    table.building("e1", "embassy", level=2).building("w1", "wall", level=2)
    assert table.fabric() == fabric


@pytest.mark.parametrize(("edition", "level"), list(zip(EDITIONS, (8, 5, 5, 5, 5), strict=True)))
def test_row_12_soldiers_of_a_forge_of_eight(edition: str, level: int) -> None:
    table = Table(edition).building("f1", "war_forge", level=8).building("b1", "barracks").set(phase="produce")
    count = table.state.setup.figures.army_chip_strength
    table.do("A", "troops_produced", building="b1", count=count, soldier_level=level, army="a1")
    assert table.get("armies.a1.stacks") == {str(level): count}


def test_ks_62_the_ladders_hold_until_a_new_ruling() -> None:
    table, (seat, type_, data) = airport_at_mill_five("KS-V5")
    table.refused("KS-61", seat, type_, **data)
    table.building("q1", level=5).do(seat, type_, **data)


def test_ksh_84_undated_changes_hold_from_v5() -> None:
    table, (seat, type_, data) = barracks_beside_a_mill("KS-V4")
    table.do(seat, type_, **data)
    table, (seat, type_, data) = barracks_beside_a_mill("KS-V5")
    table.refused("KS-40", seat, type_, **data)


def test_ksh_86_the_gaps_of_the_early_editions_are_closed() -> None:
    table = Table("KS-V3").levels(9, 9, 9)
    for kind, id_ in (("quarry", "q1"), ("religion", "p1")):
        table.do("A", "building_built", building=id_, kind=kind, castle="C1", direct=True)
    table.refused("KS-61", "A", "building_built", building="f1", kind="war_forge", castle="C1", direct=True)
    table.do("A", "building_upgraded", building="q1", to_level=2)
    table.do("A", "building_built", building="f1", kind="war_forge", castle="C1", direct=True)
    table.refused("KS-44", "A", "building_built", building="f2", kind="war_forge", castle="C1", direct=True)
