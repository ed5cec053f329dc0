"""Recruiting and upgrading: whose building, how often, at what price, and when what comes of it counts."""

from __future__ import annotations

import pytest

from tests.rulesengine.hexwar.given import GAME, Match, data


def free(**options: object) -> Match:
    """Return a match in which A's City is free of units."""
    return Match(**options).set("units.u1.hex", [-1, 0])


def test_hw_22_a_player_uses_buildings_of_their_own_and_needs_no_peasant() -> None:
    match = free().remove("u1")
    match.refused("HW-22", "A", "unit_recruited", building="b4", type="peasant")
    match.refused("HW-22", "A", "unit_recruited", building="b2", type="peasant")
    match.refused("HW-22", "A", "settlement_upgraded", settlement="b2")
    assert match.allowed("A", "settlement_upgraded", settlement="b1")
    assert match.allowed("A", "unit_recruited", building="b1", type="peasant")


def test_hw_22_only_settlements_are_upgraded() -> None:
    match = free()
    match.build("port", (0, -3), "west")
    refusal = match.refused("HW-22", "A", "settlement_upgraded", settlement="b6")
    assert refusal.breach == "impossible"
    match.build("fort", (-1, -1), "west")
    match.refused("HW-22", "A", "settlement_upgraded", settlement="b7")


def test_hw_23_one_building_action_a_turn_recruit_or_upgrade() -> None:
    match = free().set("players.A.gold", 2000).do("A", "unit_recruited", building="b1", type="peasant")
    match.refused("HW-23", "A", "settlement_upgraded", settlement="b1")
    match.refused("HW-23", "A", "unit_recruited", building="b1", type="peasant")
    match.end_turns(2).do("A", "settlement_upgraded", settlement="b1")
    match.refused("HW-23", "A", "unit_recruited", building="b1", type="peasant")
    assert match.get("buildings.b1.action_turn") == match.get("players.A.building_action_turn") == 3


def test_hw_24_an_upgrade_holds_at_once() -> None:
    match = free().do("A", "settlement_upgraded", settlement="b1")
    assert match.computed == {"from": "city", "to": "castle", "gold": 200}
    match.set("units.u1.hex", [-2, 0]).put("spearmen", "B", (-1, 0))
    match.end_turns().do("B", "unit_attacked", attacker="u3", target="u1")
    assert match.computed["strikes"][0]["defence"] == 2


def test_hw_25_a_recruit_appears_on_the_buildings_hex_which_must_be_empty() -> None:
    match = Match()
    refusal = match.refused("HW-25", "A", "unit_recruited", building="b1", type="peasant")
    assert refusal.breach == "irregular"
    assert refusal.nearest == "once u1 has left the hex"
    match = free().do("A", "unit_recruited", building="b1", type="archers")
    assert match.computed == {"unit": "u3", "hex": [-2, 0], "gold": 380}
    assert match.get("units.u3") == {
        "type": "archers", "owner": "A", "hex": [-2, 0], "hp": 8, "movement": 0, "acted": False, "attacked": False,
        "new": True, "fortified": False, "penalty": 0,
    }  # fmt: skip


def test_hw_25_a_recruit_can_move_from_the_next_turn() -> None:
    match = free().do("A", "unit_recruited", building="b1", type="archers")
    match.refused("HW-25", "A", "unit_moved", unit="u3", path=[[-1, -1]])
    match.end_turns()
    assert match.get("units.u3.new") is True
    assert match.end_turns().allowed("A", "unit_moved", unit="u3", path=[[-1, -1]])


def test_hw_26_income_and_transport_are_not_in_use() -> None:
    match = Match()
    match.build("farm", (-1, -1), "west")
    match.build("mine", (-3, 0), "west")
    match.end_turns(2)
    assert (match.get("players.A.gold"), match.followed("income_paid")) == (500, [])
    match.put("galley", "A", (0, -3))
    match.set("units.u1.hex", [-1, -2]).refused("HW-04", "A", "unit_moved", unit="u1", path=[[0, -3]])


def test_hwh_16_the_building_action_is_counted_for_each_building() -> None:
    match = free().do("A", "unit_recruited", building="b1", type="peasant")
    match.build("settlement", (-1, -1), "west", tier="town")
    assert match.allowed("A", "unit_recruited", building="b6", type="peasant")


def test_hwh_17_a_settlement_with_an_enemy_on_it_cannot_upgrade() -> None:
    match = free()
    match.put("spearmen", "B", (-2, 0))
    assert match.refused("HWH-17", "A", "settlement_upgraded", settlement="b1").breach == "irregular"
    match.refused("HW-25", "A", "unit_recruited", building="b1", type="peasant")
    assert Match().allowed("A", "settlement_upgraded", settlement="b1")


def test_hwh_18_a_recruit_does_nothing_yet_but_defends_and_answers() -> None:
    match = free(min_movement_to_act=0).set("players.A.gold", 2000)
    match.do("A", "unit_recruited", building="b1", type="spearmen")
    match.put("spearmen", "B", (-1, -1))
    match.refused("HW-25", "A", "unit_attacked", attacker="u3", target="u4")
    match.refused("HW-25", "A", "unit_fortified", unit="u3")
    match.refused("HW-25", "A", "unit_moved", unit="u3", path=[[-3, 1]])
    match.set("units.u3.type", "peasant")
    match.refused("HW-25", "A", "construction_started", unit="u3", kind="mine", hex=[-3, 0])
    match.refused("HW-25", "A", "territory_captured", unit="u3")
    match.set("units.u3.type", "spearmen").end_turns()
    match.do("B", "unit_attacked", attacker="u4", target="u3")
    assert len(match.computed["strikes"]) == 2


def test_hwh_19_a_building_recruits_what_its_table_lists() -> None:
    match = free().set("players.A.gold", 9999)
    for row in data("tables.json")["settlements"]:
        match.set("buildings.b1.tier", row["id"])
        for unit in data("tables.json")["units"]:
            if unit["id"] in row["recruits"]:
                assert match.allowed("A", "unit_recruited", building="b1", type=unit["id"])
            else:
                refusal = match.refused("HWH-19", "A", "unit_recruited", building="b1", type=unit["id"])
                assert refusal.nearest == f"one of {', '.join(row['recruits'])}"
    match.build("port", (0, -3), "west")
    assert match.allowed("A", "unit_recruited", building="b6", type="warship")
    match.refused("HWH-19", "A", "unit_recruited", building="b6", type="spearmen")


def test_hwh_19_farms_and_mines_recruit_nobody_and_a_fortress_has_no_next_tier() -> None:
    match = free().set("players.A.gold", 9999)
    match.build("farm", (-1, -1), "west")
    match.refused("HWH-19", "A", "unit_recruited", building="b6", type="dragon")
    match.set("buildings.b1.tier", "fortress")
    assert match.refused("HWH-19", "A", "settlement_upgraded", settlement="b1").breach == "impossible"


def test_hwh_19_the_ladder_of_the_settlements_and_its_prices() -> None:
    match = free().set("buildings.b1.tier", "hamlet").set("players.A.gold", 1100)
    steps = []
    for _ in range(4):
        steps.append(match.do("A", "settlement_upgraded", settlement="b1").computed)
        match.end_turns(2)
    assert [(step["from"], step["to"], step["gold"]) for step in steps] == [
        ("hamlet", "town", 950),
        ("town", "city", 700),
        ("city", "castle", 400),
        ("castle", "fortress", 0),
    ]


@pytest.mark.parametrize("row", data("tables.json")["units"], ids=lambda row: row["id"])
def test_hwh_20_unit_values_are_those_of_the_table(row: dict[str, int]) -> None:
    match = free().set("players.A.gold", 1000)
    if row["class"] == "naval":
        building = match.build("port", (0, -3), "west")
    else:
        building = "b1"
        match.set("buildings.b1.tier", "fortress")
    match.do("A", "unit_recruited", building=building, type=row["id"])
    assert match.computed["gold"] == 1000 - row["cost"]
    assert match.get("units.u3.hp") == row["hp"]
    assert match.end_turns(2).get("units.u3.movement") == row["movement"]
    kind = match.state.setup.tables.units[row["id"]]
    assert (kind.attack, kind.defence, kind.range, kind.cls) == (
        row["attack"], row["defence"], row["range"], row["class"],
    )  # fmt: skip


def test_hwh_21_income_comes_after_completions_from_all_owned_buildings() -> None:
    match = Match(income_active=True, variant_name="income")
    assert match.followed("income_paid") == [{"seat": "A", "amount": 60, "gold": 560}]
    match.build("farm", (-1, -1), "west", site={"builder": "A", "turns_left": 1})
    match.build("mine", (-3, 0), "west")
    match.build("fort", (-1, -2), "west")
    match.build("settlement", (-3, 1), "west", tier="town")
    match.put("spearmen", "B", (-3, 1))
    match.end_turns(2)
    assert [type_ for type_, _ in match.consequences][-2:] == ["construction_completed", "income_paid"]
    assert match.followed("income_paid") == [{"seat": "A", "amount": 60 + 30 + 100 + 40, "gold": 790}]


def test_hwh_21_income_is_paid_even_when_it_is_nothing() -> None:
    match = Match(income_active=True, variant_name="income").set("regions.east.owner", None).end_turns()
    assert match.followed("income_paid") == [{"seat": "B", "amount": 0, "gold": 500}]


def test_hwh_38_gold_never_falls_below_0() -> None:
    match = free().set("players.A.gold", 199)
    refusal = match.refused("HWH-38", "A", "unit_recruited", building="b1", type="horsemen")
    assert refusal.nearest == "one of peasant, spearmen, archers, axemen, swordsmen"
    match.set("players.A.gold", 299).refused("HWH-38", "A", "settlement_upgraded", settlement="b1")
    match.set("players.A.gold", 300).do("A", "settlement_upgraded", settlement="b1")
    assert match.get("players.A.gold") == 0


def test_hwh_43_a_building_exists_and_is_completed() -> None:
    match = free()
    match.build("port", (0, -3), "west", site={"builder": "A", "turns_left": 1})
    for building in ("b6", "b77", ""):
        for type_, key in (("unit_recruited", "building"), ("settlement_upgraded", "settlement")):
            fields = {key: building, **({"type": "galley"} if key == "building" else {})}
            assert match.refused("HWH-43", "A", type_, **fields).breach == "impossible"


def test_hwh_43_a_unit_exists_and_is_ones_own() -> None:
    for unit in ("u2", "u9"):
        assert Match().refused("HWH-43", "A", "unit_moved", unit=unit, path=[[1, 0]]).breach == "impossible"
        assert Match().refused("HWH-43", "A", "unit_attacked", attacker=unit, target="u1").breach == "impossible"
        assert Match().refused("HWH-43", "A", "unit_fortified", unit=unit).breach == "impossible"
        assert Match().refused("HWH-43", "A", "territory_captured", unit=unit).breach == "impossible"
        refusal = Match().refused("HWH-43", "A", "construction_started", unit=unit, kind="farm", hex=[-1, -1])
        assert refusal.breach == "impossible"


def test_hwh_44_kinds_are_those_of_the_tables() -> None:
    refusal = Match().refused("HWH-44", "A", "construction_started", unit="u1", kind="temple", hex=[-2, 0])
    assert refusal.breach == "impossible"
    assert free().refused("HWH-44", "A", "unit_recruited", building="b1", type="dragon").breach == "impossible"


def test_ids_are_never_used_again_and_a_skipped_event_uses_its_id_up() -> None:
    from tests.rulesengine.hexwar.given import event

    match = free()
    match.state = GAME.skip(match.state, event("A", "unit_recruited", building="b1", type="archers"))
    match.state = GAME.skip(match.state, event("A", "construction_started", unit="u1", kind="farm", hex=[-1, -1]))
    before = match.state
    assert GAME.skip(before, event("A", "turn_ended")) is before
    assert "u3" not in match.state.units
    match.do("A", "unit_recruited", building="b1", type="archers")
    assert match.computed["unit"] == "u4"
    match.set("units.u1.hex", [-1, -1]).do("A", "construction_started", unit="u1", kind="farm", hex=[-1, -1])
    assert match.computed["building"] == "b7"
