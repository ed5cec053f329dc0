"""Combat: the worked examples of the rule page, and each rule with an effect of its own."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.rulesengine.hexwar.given import GAME, Match, data

FIELD = {
    "id": "field",
    "hexes": [
        *[[q, 0, "plain", "middle"] for q in range(4)],
        [-1, 0, "plain", "a"],
        [4, 0, "plain", "b"],
    ],
    "regions": [
        {"id": "a", "seat": [-1, 0], "start_seat": 1},
        {"id": "b", "seat": [4, 0], "start_seat": 2},
        {"id": "middle", "seat": [3, 0], "start_seat": None},
    ],
}


def field(attacker: dict[str, Any], target: dict[str, Any], distance: int) -> tuple[Match, str, str]:
    """Return a match with A's attacker on [0,0] and B's target `distance` hexes away, as a vector describes them."""
    match = Match(map=copy.deepcopy(FIELD))
    ids = []
    owner = "AB"[target.get("settlement_owner", "B") == "B"]
    match.set("regions.middle.owner", owner)
    for seat, hex_, row in (("A", (0, 0), attacker), ("B", (distance, 0), target)):
        fields = {key: row[key] for key in ("hp", "penalty", "fortified") if key in row}
        if row.get("fort"):
            match.build("fort", hex_, "middle")
        if row.get("settlement"):
            match.build("settlement", hex_, "middle", tier=row["settlement"])
        ids.append(match.put(row["type"], seat, hex_, **fields))
    return match, ids[0], ids[1]


@pytest.mark.parametrize("vector", data("combat.json"), ids=lambda vector: vector["id"])
def test_a_worked_example_of_combat(vector: dict[str, Any]) -> None:
    expect = vector["expect"]
    match, attacker, target = field(vector["attacker"], vector["target"], vector["distance"])
    if "refused" in expect:
        match.refused(expect["refused"], "A", "unit_attacked", attacker=attacker, target=target)
        return
    names = {attacker: "attacker", target: "target"}
    preview = GAME.preview(match.state, attacker, target)
    match.do("A", "unit_attacked", attacker=attacker, target=target)
    strikes = match.computed["strikes"]
    assert preview == strikes
    assert [{**one, "by": names[one["by"]], "on": names[one["on"]]} for one in strikes] == [
        {**one, "on": "target" if one["by"] == "attacker" else "attacker"} for one in expect["strikes"]
    ]
    units = match.get("units")
    for id_, name in names.items():
        left = units[id_]["penalty"] if id_ in units else None
        assert left == expect[f"{name}_penalty"]
    defeated = [one["unit"] for one in match.followed("unit_defeated")]
    assert defeated == [id_ for id_ in (target, attacker) if id_ not in units]


def fight(attacker: str, target: str, distance: int = 1, **options: Any) -> tuple[Match, list[dict[str, Any]]]:
    """Carry out an attack of fresh units on open ground and return the match and its strikes."""
    match = Match(map=copy.deepcopy(FIELD), **options)
    one, other = match.put(attacker, "A", (0, 0)), match.put(target, "B", (distance, 0))
    match.do("A", "unit_attacked", attacker=one, target=other)
    return match, match.computed["strikes"]


def test_hw_27_melee_reaches_1_hex_and_ranged_2() -> None:
    for type_, reach in (("swordsmen", 1), ("horsemen", 1), ("archers", 2), ("catapult", 2)):
        match = Match(map=copy.deepcopy(FIELD))
        one, other = match.put(type_, "A", (0, 0)), match.put("spearmen", "B", (reach + 1, 0))
        refusal = match.refused("HW-27", "A", "unit_attacked", attacker=one, target=other)
        assert (refusal.breach, refusal.nearest) == ("irregular", None)
        near = match.put("galley", "B", (reach, 0))
        refusal = match.refused("HW-27", "A", "unit_attacked", attacker=one, target=other)
        assert refusal.nearest == f"in range: {near}"
        assert match.allowed("A", "unit_attacked", attacker=one, target=near)


def test_hw_28_damage_is_attack_less_defence_but_at_least_1() -> None:
    assert fight("swordsmen", "spearmen")[1][0]["damage"] == 5
    match = Match(map=copy.deepcopy(FIELD))
    one = match.put("spearmen", "A", (0, 0))
    other = match.put("legion", "B", (1, 0), fortified=True)
    assert match.do("A", "unit_attacked", attacker=one, target=other).computed["strikes"][0]["damage"] == 1


def test_hw_29_a_melee_attack_is_answered_if_the_defender_survives() -> None:
    match, strikes = fight("swordsmen", "spearmen")
    assert [one["by"] for one in strikes] == ["u3", "u4"]
    assert match.get("units.u3.hp") == 10
    assert len(fight("swordsmen", "catapult")[1]) == 1


def test_hw_30_a_ranged_attack_is_not_answered() -> None:
    assert len(fight("archers", "swordsmen", 2)[1]) == 1


def test_hw_31_one_attack_a_turn_spends_all_movement() -> None:
    match, _ = fight("horsemen", "legion")
    assert match.get("units.u3.movement") == 0
    assert (match.get("units.u3.attacked"), match.get("units.u3.acted")) == (True, True)
    match.refused("HW-31", "A", "unit_attacked", attacker="u3", target="u4")
    assert match.end_turns(2).allowed("A", "unit_attacked", attacker="u3", target="u4")


def test_hw_32_the_defeated_are_removed_and_the_attacker_stays() -> None:
    match, _ = fight("horsemen", "peasant")
    assert match.followed("unit_defeated") == [{"unit": "u4", "by": "u3", "hex": [1, 0]}]
    assert "u4" not in match.state.units
    assert (1, 0) not in match.state.standing
    assert match.get("units.u3.hex") == [0, 0]


@pytest.mark.parametrize("target", ["horsemen", "knights"])
def test_hw_33_spearmen_have_2_more_against_cavalry(target: str) -> None:
    assert fight("spearmen", target)[1][0]["attack"] == 7
    assert fight("spearmen", "legion")[1][0]["attack"] == 5


@pytest.mark.parametrize("target", ["swordsmen", "legion"])
def test_hw_34_axemen_have_2_more_against_swordsmen_and_legions(target: str) -> None:
    assert fight("axemen", target)[1][0]["attack"] == 8
    assert fight("axemen", "spearmen")[1][0]["attack"] == 6


def test_hw_35_the_bonuses_of_castle_fort_and_fortify_add_up() -> None:
    match, one, other = field({"type": "knights"}, {"type": "legion", "fortified": True}, 1)
    for add, expected in ((("settlement", "castle"), 7), (("fort", None), 9)):
        fields = {"tier": add[1]} if add[1] else {}
        match.build(add[0], (1, 0), "middle", **fields)
        assert GAME.preview(match.state, one, other)[0]["defence"] == expected


def test_hw_36_fortify_adds_1_spends_the_movement_and_ends_by_moving() -> None:
    match = Match(map=copy.deepcopy(FIELD)).remove("u1")
    unit = match.put("spearmen", "A", (0, 0))
    match.do("A", "unit_fortified", unit=unit)
    assert match.last.computed is None
    assert (match.get("units.u3.fortified"), match.get("units.u3.movement")) == (True, 0)
    match.put("spearmen", "B", (1, 0))
    match.end_turns().do("B", "unit_attacked", attacker="u4", target="u3")
    assert match.computed["strikes"][0]["defence"] == 3
    match.end_turns().do("A", "unit_moved", unit="u3", path=[[-1, 0]])
    assert match.computed["fortify_ended"] is True
    assert match.get("units.u3.fortified") is False


def test_hw_36_a_peasant_does_not_fortify() -> None:
    Match().refused("HW-36", "A", "unit_fortified", unit="u1")


def test_hw_37_a_catapults_hit_leaves_a_penalty_after_its_damage_and_they_add_up() -> None:
    match = Match(map=copy.deepcopy(FIELD))
    target = match.put("legion", "B", (2, 0))
    for total in (2, 4):
        one = match.put("catapult", "A", (0, 0))
        match.do("A", "unit_attacked", attacker=one, target=target)
        assert match.followed("defence_penalty_added") == [{"unit": target, "amount": 2, "total": total, "round": 1}]
        match.remove(one)
    assert match.get(f"units.{target}.hp") == 15 - 4 - 6


def test_hw_38_the_penalty_lasts_until_the_next_round() -> None:
    match, _ = fight("catapult", "legion", 2)
    assert match.end_turns().get("units.u4.penalty") == 2
    match.end_turns()
    assert match.consequences[0] == ("round_started", {"round": 2, "penalties_cleared": ["u4"]})
    assert match.get("units.u4.penalty") == 0


def test_hw_39_defence_never_falls_below_zero() -> None:
    match, one, other = field({"type": "spearmen"}, {"type": "archers", "penalty": 6}, 1)
    assert GAME.preview(match.state, one, other)[0]["defence"] == 0


def test_hw_40_there_is_no_line_of_sight_and_no_mountain_bonus() -> None:
    match = Match()
    one, other = match.put("archers", "A", (-2, -1)), match.put("horsemen", "B", (-3, 1))
    match.put("legion", "B", (-3, 0))
    assert match.allowed("A", "unit_attacked", attacker=one, target=other)
    assert GAME.preview(match.state, one, "u5")[0]["defence"] == 4


def test_hw_41_the_preview_is_the_same_calculation_without_effect() -> None:
    match, one, other = field({"type": "swordsmen", "fortified": True}, {"type": "legion"}, 1)
    before = GAME.view(match.state)
    preview = GAME.preview(match.state, one, other)
    assert GAME.view(match.state) == before
    assert match.do("A", "unit_attacked", attacker=one, target=other).computed["strikes"] == preview


def test_hwh_22_settlements_serve_their_owner_forts_anybody() -> None:
    for owner, tier, expected in (
        ("B", "castle", 5),
        ("B", "fortress", 6),
        ("B", "city", 3),
        ("A", "fortress", 3),
    ):
        match, one, other = field(
            {"type": "archers"}, {"type": "swordsmen", "settlement": tier, "settlement_owner": owner}, 2
        )
        assert GAME.preview(match.state, one, other)[0]["defence"] == expected
    match, one, other = field({"type": "archers"}, {"type": "peasant", "fort": True, "settlement_owner": "A"}, 2)
    assert GAME.preview(match.state, one, other)[0]["defence"] == 2


def test_hwh_22_other_improvements_of_a_replaced_table_serve_the_regions_owner() -> None:
    rows = [{**row, "defence_bonus": 3} for row in data("tables.json")["improvements"]]
    for owner, expected in (("B", 5), ("A", 2), (None, 2)):
        match = Match(map=copy.deepcopy(FIELD), tables={"improvements": rows}).set("regions.middle.owner", owner)
        match.build("farm", (2, 0), "middle")
        match.build("mine", (2, 0), "middle", site={"builder": "B", "turns_left": 1})
        one, other = match.put("archers", "A", (0, 0)), match.put("spearmen", "B", (2, 0))
        assert GAME.preview(match.state, one, other)[0]["defence"] == expected


def test_hwh_23_all_terms_are_summed_before_the_floor() -> None:
    match, one, other = field(
        {"type": "axemen"}, {"type": "spearmen", "penalty": 6, "fortified": True, "fort": True}, 1
    )
    assert GAME.preview(match.state, one, other)[0]["defence"] == 0


def test_hwh_24_the_answer_costs_nothing_ends_nothing_and_is_not_answered() -> None:
    match = Match(map=copy.deepcopy(FIELD))
    one, other = match.put("horsemen", "A", (0, 0)), match.put("spearmen", "B", (1, 0), fortified=True)
    match.do("A", "unit_attacked", attacker=one, target=other)
    assert [row["attack"] for row in match.computed["strikes"]] == [7, 7]
    unit = match.get(f"units.{other}")
    assert (unit["movement"], unit["acted"], unit["attacked"], unit["fortified"]) == (2, False, False, True)


def test_hwh_24_the_defenders_range_does_not_matter_and_peasants_do_not_answer() -> None:
    assert len(fight("swordsmen", "archers")[1]) == 2
    match, one, other = field({"type": "spearmen"}, {"type": "peasant", "settlement": "castle"}, 1)
    assert len(GAME.preview(match.state, one, other)) == 1


def test_hwh_25_a_ranged_unit_at_distance_1_is_not_answered_either() -> None:
    assert len(fight("archers", "swordsmen", 1)[1]) == 1
    assert len(fight("warship", "swordsmen", 1)[1]) == 1


def test_hwh_26_only_units_of_another_player_are_attacked() -> None:
    match = Match()
    one = match.put("swordsmen", "A", (-1, 0))
    assert match.refused("HWH-26", "A", "unit_attacked", attacker=one, target="u1").breach == "irregular"
    assert match.refused("HWH-26", "A", "unit_attacked", attacker=one, target="u9").breach == "impossible"
    assert match.refused("HWH-26", "A", "unit_attacked", attacker=one, target="b2").breach == "impossible"


def test_hwh_26_a_unit_without_attack_or_range_does_not_attack() -> None:
    match = Match()
    match.put("spearmen", "B", (-1, 0))
    match.refused("HWH-26", "A", "unit_attacked", attacker="u1", target="u3")
    rows = [{**row, "range": 0} if row["id"] == "legion" else row for row in data("tables.json")["units"]]
    match = Match(tables={"units": rows})
    one, other = match.put("legion", "A", (0, 0)), match.put("spearmen", "B", (1, 0))
    match.refused("HWH-26", "A", "unit_attacked", attacker=one, target=other)


def test_hwh_27_land_units_and_ships_attack_each_other() -> None:
    match = Match()
    ship, land = match.put("galley", "A", (0, -3)), match.put("swordsmen", "B", (0, -2))
    assert match.allowed("A", "unit_attacked", attacker=ship, target=land)
    assert match.end_turns().allowed("B", "unit_attacked", attacker=land, target=ship)


def test_hwh_28_the_attackers_fortify_ends_first_the_defenders_stays() -> None:
    match, one, other = field({"type": "swordsmen", "fortified": True}, {"type": "legion", "fortified": True}, 1)
    match.do("A", "unit_attacked", attacker=one, target=other)
    assert match.computed["strikes"][1]["defence"] == 3
    assert (match.get(f"units.{one}.fortified"), match.get(f"units.{other}.fortified")) == (False, True)


def test_hwh_29_an_answering_catapult_leaves_its_penalty_on_a_survivor_only() -> None:
    match, one, other = field({"type": "swordsmen"}, {"type": "catapult", "fort": True}, 1)
    match.do("A", "unit_attacked", attacker=one, target=other)
    assert match.get(f"units.{one}.penalty") == 2
    match, _ = fight("catapult", "peasant")
    assert match.followed("defence_penalty_added") == []


def test_hwh_30_a_fortified_unit_does_not_fortify_again_and_stays_so() -> None:
    match = Match()
    unit = match.put("spearmen", "A", (0, 0))
    match.do("A", "unit_fortified", unit=unit).end_turns(4)
    assert (match.get("units.u3.fortified"), match.get("units.u3.movement")) == (True, 2)
    match.refused("HWH-30", "A", "unit_fortified", unit=unit)
    match.do("A", "unit_moved", unit=unit, path=[[-1, 0]])
    assert match.do("A", "unit_fortified", unit=unit).get("units.u3.fortified") is True


def test_hwh_36_nothing_heals_and_nothing_costs_upkeep() -> None:
    match, _ = fight("horsemen", "legion")
    before = (match.get("units.u3.hp"), match.get("units.u4.hp"), match.get("players.A.gold"))
    match.end_turns(6)
    assert (match.get("units.u3.hp"), match.get("units.u4.hp"), match.get("players.A.gold")) == before
    assert sorted(GAME.payloads) == [
        "construction_started", "match_stopped", "settlement_upgraded", "territory_captured", "turn_ended",
        "unit_attacked", "unit_fortified", "unit_moved", "unit_recruited",
    ]  # fmt: skip


def test_an_attack_that_beats_both_counts_penalties_before_defeats() -> None:
    match, one, other = field({"type": "spearmen", "hp": 1}, {"type": "horsemen"}, 1)
    match.do("A", "unit_attacked", attacker=one, target=other)
    assert match.followed("unit_defeated") == [{"unit": one, "by": other, "hex": [0, 0]}]
