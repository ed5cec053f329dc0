"""The Produce phase: what Barracks, Farms, Mills and Quarries give, and what is refused there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.kingsquare.tables import EARLY, EDITIONS, Table, in_castle, in_field


def producing(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return a table in the Produce phase with a Barracks b1 of level 2, a Mill m1 of level 3 and a Quarry q1."""
    table = Table(edition, **options).levels(5, 5, 5).building("b1", "barracks", level=2)
    return table.building("m1", "lumber_mill", level=3).building("q1", "quarry").set(phase="produce", ap_total=0)


def troops(count: int = 2, level: int = 0, building: str = "b1", army: str = "a1") -> dict[str, Any]:
    """Return the data of `troops_produced`."""
    return {"building": building, "count": count, "soldier_level": level, "army": army}


# Soldiers


def test_soldiers_appear_in_a_new_army_at_the_castle() -> None:
    table = producing().do("A", "troops_produced", **troops())
    assert table.get("armies.a1") == {
        "kingdom": "A", "stacks": {"0": 2}, "at": {"castle": "C1"}, "moved": False, "buffs": [], "created_seq": 101,
    }  # fmt: skip
    assert table.get("buildings.b1.produced") is True
    assert "a1" in table.state.taken


def test_soldiers_join_an_army_at_the_castle_with_the_lowest_level_first() -> None:
    table = producing().army("a1", in_castle("C1"), level_0=4, level_3=1).building("f1", "war_forge", level=2)
    table.do("A", "troops_produced", **troops(level=2))
    assert list(table.state.armies["a1"].stacks.items()) == [(0, 4), (2, 2), (3, 1)]
    table.building("b2", "barracks").do("A", "troops_produced", **troops(1, 2, "b2"))
    assert table.get("armies.a1.stacks") == {"0": 4, "2": 3, "3": 1}


def test_ks_56_an_upgrade_of_the_forge_leaves_soldiers_as_they_are() -> None:
    table = producing().building("f1", "war_forge", level=2).do("A", "troops_produced", **troops(level=2))
    table.set(phase="act", ap_total=5).do("A", "building_upgraded", building="f1", to_level=3)
    assert table.get("armies.a1.stacks") == {"2": 2}


def test_u_7_the_barracks_must_be_there_and_own() -> None:
    table = producing().building("b9", "barracks", "C2")
    table.refused("U-7", "A", "troops_produced", **troops(building="b7"))
    table.refused("U-7", "A", "troops_produced", **troops(building="b9"))
    table.refused("U-7", "A", "troops_produced", **troops(building="m1"))


def test_u_7_the_army_must_be_a_new_id_or_an_own_army_there() -> None:
    table = producing().army("b_1", in_castle("C1"), "B").army("a2", in_field("moor"))
    table.refused("U-7", "A", "troops_produced", **troops(army="b_1"))
    table.refused("U-7", "A", "troops_produced", **troops(army="m1"))
    table.refused("U-7", "A", "troops_produced", **troops(army="a2"))


def test_ks_73_ruined_barracks_produce_nothing() -> None:
    producing().ruin("b1").refused("KS-73", "A", "troops_produced", **troops())


def test_ks_66_isolated_barracks_produce_nothing() -> None:
    table = producing().building("b1", direct=False)
    table.refused("KS-66", "A", "troops_produced", **troops())
    table.link("r1", "b1", "C1").do("A", "troops_produced", **troops())


def test_ks_18_barracks_produce_once_a_turn_by_their_level() -> None:
    table = producing()
    refusal = table.refused("KS-18", "A", "troops_produced", **troops(1))
    assert refusal.nearest == "count 2"
    table.refused("KS-18", "A", "troops_produced", **troops(3))
    table.do("A", "troops_produced", **troops())
    table.refused("KS-18", "A", "troops_produced", **troops())


@pytest.mark.parametrize("edition", EARLY)
def test_ks_18_ten_soldiers_are_due_for_each_chip_before_v5(edition: str) -> None:
    table = producing(edition)
    table.refused("KS-18", "A", "troops_produced", **troops(2))
    table.do("A", "troops_produced", **troops(20))
    assert table.get("armies.a1.stacks") == {"0": 20}


def test_ks_52_soldiers_are_of_the_level_of_the_best_forge() -> None:
    table = producing().building("f1", "war_forge", level=3)
    for level in (0, 2, 4):
        assert table.refused("KS-52", "A", "troops_produced", **troops(level=level)).nearest == "soldier_level 3"
    table.do("A", "troops_produced", **troops(level=3))
    producing().refused("KS-52", "A", "troops_produced", **troops(level=1))


def test_the_first_failing_check_is_cited() -> None:
    table = producing().army("a2", in_field("moor")).building("b1", direct=False).set(produced=frozenset({"b1"}))
    wrong = troops(9, 4, army="a2")
    table.refused("KS-66", "A", "troops_produced", **wrong)
    table.ruin("b1").refused("KS-73", "A", "troops_produced", **wrong)
    table.building("b1", direct=True, damage=0).refused("KS-18", "A", "troops_produced", **wrong)
    table.set(produced=frozenset()).refused("KS-18", "A", "troops_produced", **wrong)
    table.refused("KS-52", "A", "troops_produced", **{**wrong, "count": 2})
    table.refused("U-7", "A", "troops_produced", **{**wrong, "count": 2, "soldier_level": 0})


def test_soldiers_that_a_referee_accepted_are_there_as_recorded() -> None:
    table = producing().accept("A", "troops_produced", **troops(7, 4))
    assert table.get("armies.a1.stacks") == {"4": 7}
    table = producing().ruin("b1").accept("A", "troops_produced", **troops(1))
    assert table.get("armies.a1.stacks") == {"0": 1}
    table = producing().accept("A", "troops_produced", **troops(0))
    assert table.get("armies") == {}
    assert table.get("buildings.b1.produced") is True


def test_param_production_chips_per_level_multiplies_what_is_due() -> None:
    assert producing().allowed("A", "troops_produced", **troops(2))
    table = producing(production__chips_per_level=9)
    table.refused("KS-18", "A", "troops_produced", **troops(2))
    table.do("A", "troops_produced", **troops(18))


def test_param_army_chip_strength_is_the_soldiers_of_a_chip() -> None:
    assert producing().allowed("A", "troops_produced", **troops(2))
    assert producing(army__chip_strength=3).allowed("A", "troops_produced", **troops(6))
    assert producing("KS-V1", army__chip_strength=1).allowed("A", "troops_produced", **troops(2))


def test_ksh_14_soldiers_appear_at_the_castle_of_their_barracks() -> None:
    table = producing().castle("D1").building("D1-farm", "farm", "D1").building("b2", "barracks", "D1")
    table.do("A", "troops_produced", **troops(1, building="b2"))
    assert table.get("armies.a1.at") == {"castle": "D1"}
    table.refused("U-7", "A", "troops_produced", **troops())


def test_param_production_place_is_one_territory_either_way() -> None:
    assert producing().state.setup.options.production_place == "castle"
    for table in (producing(), producing(production__place="barracks")):
        table.do("A", "troops_produced", **troops())
        assert table.get("armies.a1.at") == {"castle": "C1"}


# Resources


@pytest.mark.parametrize(
    ("building", "kind", "amount"), [("C1-farm", "food", 5), ("m1", "wood", 3), ("q1", "stone", 1)]
)
def test_industry_gives_its_resource_by_its_level(building: str, kind: str, amount: int) -> None:
    table = producing().do("A", "resources_produced", building=building, kind=kind, amount=amount)
    assert table.get("kingdoms.A.resources") == {"wood": 0, "stone": 0, "food": 0, kind: amount}
    assert table.get(f"buildings.{building}.produced") is True


def test_a_tally_rises_and_an_isolated_quarry_gives_too() -> None:
    table = producing().building("q2", "quarry", level=4, direct=False)
    table.do("A", "resources_produced", building="q1", kind="stone", amount=1)
    table.do("A", "resources_produced", building="q2", kind="stone", amount=4)
    assert table.get("kingdoms.A.resources.stone") == 5


def test_ksh_13_only_its_own_resource_once_a_turn_by_the_level() -> None:
    table = producing()
    table.refused("KSH-13", "A", "resources_produced", building="b1", kind="food", amount=2)
    table.refused("KSH-13", "A", "resources_produced", building="m1", kind="stone", amount=3)
    table.refused("KSH-13", "A", "resources_produced", building="m1", kind="gold", amount=3)
    assert (
        table.refused("KSH-13", "A", "resources_produced", building="m1", kind="wood", amount=4).nearest == "amount 3"
    )
    table.do("A", "resources_produced", building="m1", kind="wood", amount=3)
    table.refused("KSH-13", "A", "resources_produced", building="m1", kind="wood", amount=3)


def test_ks_73_a_ruined_mill_gives_nothing() -> None:
    table = producing().ruin("m1")
    table.refused("KS-73", "A", "resources_produced", building="m1", kind="wood", amount=9)
    table.refused("KSH-13", "A", "resources_produced", building="m1", kind="stone", amount=3)


def test_u_7_resources_come_from_own_buildings() -> None:
    table = producing()
    table.refused("U-7", "A", "resources_produced", building="m7", kind="wood", amount=1)
    table.refused("U-7", "A", "resources_produced", building="C2-farm", kind="food", amount=1)


def test_resources_that_a_referee_accepted_count_as_recorded() -> None:
    table = producing().accept("A", "resources_produced", building="m1", kind="wood", amount=8)
    assert table.get("kingdoms.A.resources.wood") == 8
    table = producing().accept("A", "resources_produced", building="m1", kind="gold", amount=3)
    assert table.get("kingdoms.A.resources") == {"wood": 0, "stone": 0, "food": 0}


def test_param_production_resources_may_be_off() -> None:
    gather: dict[str, Any] = {"building": "m1", "kind": "wood", "amount": 3}
    assert producing().allowed("A", "resources_produced", **gather)
    producing(production__resources="off").refused("KSH-13", "A", "resources_produced", **gather)


# Waiving


def test_a_waived_barracks_is_done() -> None:
    table = producing().do("A", "production_waived", building="b1", reason="no chips")
    assert table.get("buildings.b1.produced") is True
    assert table.get("armies") == {}
    table.refused("KS-18", "A", "troops_produced", **troops())


def test_ks_18_what_has_produced_is_not_waived() -> None:
    table = producing().do("A", "troops_produced", **troops())
    table.refused("KS-18", "A", "production_waived", building="b1")


def test_u_7_only_own_barracks_are_waived() -> None:
    table = producing().building("b9", "barracks", "C2")
    for building in ("b7", "b9", "m1"):
        table.refused("U-7", "A", "production_waived", building=building)


@pytest.mark.parametrize("edition", EDITIONS)
def test_ks_17_soldiers_are_produced_in_the_produce_phase(edition: str) -> None:
    producing(edition).set(phase="move").refused("KS-17", "A", "troops_produced", **troops())
