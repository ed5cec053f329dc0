"""Terrain and movement: what a step costs, what blocks it, and what a turn does to what is left."""

from __future__ import annotations

import pytest

from tests.rulesengine.hexwar.given import GAME, Match


def costs(match: Match, unit: str) -> dict[tuple[int, int], int]:
    """Return a unit's movement range."""
    return GAME.reach(match.state, unit)


@pytest.mark.parametrize(
    ("start", "goal", "cost"),
    [
        ((-2, 0), (-1, -1), 1),
        ((-2, 0), (-1, 0), 1),
        ((-2, 0), (-2, 1), 2),
        ((-2, 0), (-2, -1), 2),
    ],
    ids=["grassland", "plain", "forest", "hill"],
)
def test_hw_03_plain_land_costs_1_forest_and_hills_2(start: tuple[int, int], goal: tuple[int, int], cost: int) -> None:
    match = Match().set("units.u1.hex", list(start)).do("A", "unit_moved", unit="u1", path=[list(goal)])
    assert match.computed == {"from": list(start), "cost": cost, "movement_left": 2 - cost}
    assert match.get("units.u1.movement") == 2 - cost


@pytest.mark.parametrize(("start", "goal"), [((-2, 0), (-3, 0)), ((0, -2), (0, -3))], ids=["mountain", "water"])
def test_hw_04_water_and_mountains_block_land_units(start: tuple[int, int], goal: tuple[int, int]) -> None:
    match = Match().set("units.u1.hex", list(start))
    refusal = match.refused("HW-04", "A", "unit_moved", unit="u1", path=[list(goal)])
    assert refusal.breach == "irregular"
    assert refusal.nearest is not None
    assert refusal.nearest.startswith("u1 can reach [")
    assert goal not in costs(match, "u1")


def test_hw_05_ships_move_only_on_water() -> None:
    match = Match()
    galley = match.put("galley", "A", (0, -3))
    match.refused("HW-05", "A", "unit_moved", unit=galley, path=[[0, -2]])
    assert costs(match, galley) == {(1, -3): 1, (2, -3): 2, (3, -3): 3}
    match.do("A", "unit_moved", unit=galley, path=[[1, -3], [2, -3]])
    assert match.get(f"units.{galley}.movement") == 2


def test_hw_06_a_unit_moves_from_neighbour_to_neighbour() -> None:
    match = Match()
    refusal = match.refused("HW-06", "A", "unit_moved", unit="u1", path=[[0, 0]])
    assert refusal.nearest == "u1 can reach [0, 0] for 2"
    match.refused("HW-06", "A", "unit_moved", unit="u1", path=[[-2, 0]])
    assert match.refused("HW-06", "A", "unit_moved", unit="u1", path=[]).breach == "impossible"


def test_hw_07_two_units_never_share_a_hex() -> None:
    match = Match()
    match.put("archers", "A", (-1, 0))
    refusal = match.refused("HW-07", "A", "unit_moved", unit="u1", path=[[-1, 0]])
    assert "u3 stands on [-1, 0]" in refusal.because
    assert (-1, 0) not in costs(match, "u1")


def test_hw_07_a_path_may_lead_back_over_its_own_start() -> None:
    match = Match().do("A", "unit_moved", unit="u1", path=[[-1, 0], [-2, 0]])
    assert match.get("units.u1.hex") == [-2, 0]
    assert match.state.standing[(-2, 0)] == ("u1",)
    assert match.computed["cost"] == 2


def test_hw_08_a_step_must_be_paid_for() -> None:
    match = Match()
    refusal = match.refused("HW-08", "A", "unit_moved", unit="u1", path=[[-1, 0], [0, -1]])
    assert "costs 3" in refusal.because
    assert refusal.nearest is not None
    match.do("A", "unit_moved", unit="u1", path=[[-1, 0]])
    match.refused("HW-08", "A", "unit_moved", unit="u1", path=[[0, -1]])
    match.do("A", "unit_moved", unit="u1", path=[[0, 0]])
    assert match.refused("HW-08", "A", "unit_moved", unit="u1", path=[[1, 0]]).nearest is None


def test_hw_08_the_first_failing_step_decides() -> None:
    match = Match()
    match.refused("HW-04", "A", "unit_moved", unit="u1", path=[[-3, 0], [9, 9], [0, 0]])
    match.refused("HW-06", "A", "unit_moved", unit="u1", path=[[-1, 0], [9, 9]])


def test_hw_09_movement_is_restored_at_the_owners_turn_start() -> None:
    match = Match().do("A", "unit_moved", unit="u1", path=[[-1, 0], [0, 0]])
    match.end_turns()
    assert match.get("units.u1.movement") == 0
    match.end_turns()
    assert match.get("units.u1.movement") == 2


def test_hwh_04_grassland_and_plain_cost_the_same_and_ships_pay_1() -> None:
    reached = costs(Match(), "u1")
    assert reached[(-1, -1)] == reached[(-1, 0)] == 1
    match = Match()
    galley = match.put("galley", "A", (0, -3))
    assert match.do("A", "unit_moved", unit=galley, path=[[1, -3]]).computed["cost"] == 1


def test_hwh_05_no_unit_passes_through_another_friend_or_foe() -> None:
    for owner in "AB":
        match = Match()
        match.put("archers", owner, (-1, 0))
        match.refused("HW-07", "A", "unit_moved", unit="u1", path=[[-1, 0], [0, 0]])
        assert (0, 0) not in costs(match, "u1")


def test_hwh_05_there_is_no_zone_of_control_and_no_free_step() -> None:
    match = Match()
    rider = match.put("horsemen", "A", (-1, 0))
    match.put("legion", "B", (0, -1))
    match.do("A", "unit_moved", unit=rider, path=[[0, 0], [1, 0]])
    assert match.get(f"units.{rider}.movement") == 2
    match.do("A", "unit_moved", unit=rider, path=[[0, 0]])
    match.refused("HW-08", "A", "unit_moved", unit=rider, path=[[0, 1]])


def test_hwh_05_buildings_and_sites_do_not_block_and_points_left_are_lost() -> None:
    match = Match()
    match.build("farm", (-1, -1), "west", site={"builder": "A", "turns_left": 1})
    match.do("A", "unit_moved", unit="u1", path=[[-1, -1]])
    assert match.get("units.u1.movement") == 1
    match.end_turns(2)
    assert match.get("units.u1.movement") == 2


def test_m1_the_range_of_the_first_peasant() -> None:
    assert costs(Match(), "u1") == {
        (-1, 0): 1, (-1, -1): 1, (-3, 1): 1,
        (0, 0): 2, (0, -2): 2, (-1, -2): 2, (-2, -1): 2, (-2, 1): 2, (-3, 2): 2,
    }  # fmt: skip


def test_m2_the_range_of_horsemen_behind_a_peasant() -> None:
    match = Match().set("units.u1.hex", [-1, 0])
    rider = match.put("horsemen", "A", (-2, 0))
    assert costs(match, rider) == {
        (-1, -1): 1, (-3, 1): 1, (-2, -1): 2, (-2, 1): 2, (-1, -2): 2, (0, -2): 2, (-3, 2): 2,
        (0, -1): 3, (1, -2): 3, (0, 0): 4, (-1, 1): 4,
    }  # fmt: skip


def test_m3_the_range_of_a_galley() -> None:
    match = Match()
    assert costs(match, match.put("galley", "A", (0, -3))) == {(1, -3): 1, (2, -3): 2, (3, -3): 3}


@pytest.mark.parametrize(
    ("path", "rule"), [([[-1, 0], [0, -1]], "HW-08"), ([[0, 0]], "HW-06"), ([[-3, 0]], "HW-04")], ids=["M4", "M5", "M6"]
)
def test_m4_to_m6_what_the_first_peasant_cannot_do(path: list[list[int]], rule: str) -> None:
    Match().refused(rule, "A", "unit_moved", unit="u1", path=path)


ENDING = {
    "unit_attacked": {"attacker": "u3", "target": "u4"},
    "unit_fortified": {"unit": "u3"},
    "construction_started": {"unit": "u1", "kind": "farm", "hex": [-1, -1]},
    "territory_captured": {"unit": "u1"},
}


def ready(**options: object) -> Match:
    """Return a match in which every ending action is legal: u1 on a neutral seat with a Farm's ground, u3 next to u4."""
    match = Match(**options).set("units.u1.hex", [-1, -1]).set("regions.centre.seat", [-1, -1])
    match.put("swordsmen", "A", (0, 0))
    match.put("legion", "B", (1, 0))
    return match


@pytest.mark.parametrize("type_", ENDING)
def test_hwh_06_ending_actions_need_movement_left(type_: str) -> None:
    assert ready().allowed("A", type_, **ENDING[type_])
    match = ready().set("units.u1.movement", 0).set("units.u3.movement", 0)
    match.refused("HWH-06", "A", type_, **ENDING[type_])


@pytest.mark.parametrize("type_", ENDING)
def test_hwh_07_a_unit_does_one_ending_action_a_turn(type_: str) -> None:
    match = ready(min_movement_to_act=0).set("units.u1.acted", True).set("units.u3.acted", True)
    match.refused("HWH-07", "A", type_, **ENDING[type_])


def test_hwh_07_ending_actions_set_the_movement_to_0() -> None:
    for type_ in ("unit_attacked", "unit_fortified", "territory_captured"):
        unit = "u1" if type_ == "territory_captured" else "u3"
        match = ready().do("A", type_, **ENDING[type_])
        assert (match.get(f"units.{unit}.movement"), match.get(f"units.{unit}.acted")) == (0, True)
        match.refused("HW-08", "A", "unit_moved", unit=unit, path=[[-1, 0]])
