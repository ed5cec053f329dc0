"""The parameters of the set-up: their defaults, what each changes, and what HWH-40 refuses."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rulesengine.game import Refusal
from rulesengine.hexwar.tables import TABLES
from tests.rulesengine.hexwar.given import GAME, Match, data, header


def refused(**options: Any) -> str:
    """Return why the options are refused, which must be by HWH-40."""
    answer = GAME.set_up(header(**options))
    assert isinstance(answer, Refusal), f"{options} accepted"
    assert (answer.rule.id, answer.breach) == ("HWH-40", "impossible")
    return answer.because


def rows(table: str, **changes: dict[str, Any]) -> dict[str, Any]:
    """Return the option that replaces a table, with some values of some rows changed."""
    copied = copy.deepcopy(TABLES[table])
    for row in copied:
        row.update(changes.get(row["id"], {}))
    return {table: copied}


def test_the_defaults_are_those_of_the_rule_page() -> None:
    defaults = {parameter.name: parameter.default for parameter in GAME.parameters}
    assert defaults.pop("map") is None
    assert defaults == data("options.json")


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "variant_name": ["", "   ", "x" * 81, 5, ["a"], True],
        "start_gold": [-1, 100_001, 1.0, "500", None, True, 2**53],
        "max_rounds": [0, 501, "30", None],
        "min_movement_to_act": [-1, 3, False, None],
        "building_action_scope": ["hex", None, 1, ["building"]],
        "fort_on_settlement": [0, "true", None],
        "fort_build_region": ["neutral", None, False],
        "construction_on_capture": ["keep", None],
        "captured_building_waits": [1, None],
        "income_active": [1, None, "false"],
        "min_damage": [-1, 11, None, True],
        "fortify_bonus": [-1, 11, None],
        "catapult_penalty": [-1, 11, 2.0],
        "catapult_penalty_expiry": ["never", None],
        "retaliation_classes": [None, "infantry", ["infantry", "infantry"], ["elves"], [3], {}],
        "elimination": ["never", None],
        "tables": [None, [], 3, {"weather": None}, {"units": []}, {"units": {}}],
        "colour": ["red", None],
        "Map": ["HW-M1"],
    }.items(),
)
def test_hwh_40_options_are_known_and_within_their_bounds(name: str, values: list[Any]) -> None:
    for value in values:
        options = {"variant_name": "named", name: value}
        assert name in refused(**options), value


@pytest.mark.parametrize(
    "option",
    [
        {"start_gold": 501},
        {"income_active": True},
        {"min_damage": 0},
        {"fortify_bonus": 2},
        {"catapult_penalty": 0},
        {"tables": rows("terrain", forest={"land_cost": 1})},
        {"tables": rows("terrain", hill={"naval_cost": 2})},
        {"tables": rows("units", peasant={"hp": 6})},
        {"tables": rows("units", warship={"range": 3})},
        {"tables": {"attack_bonuses": []}},
        {"tables": {"attack_bonuses": list(reversed(TABLES["attack_bonuses"]))}},
        {"tables": rows("improvements", farm={"cost": 151})},
        {"tables": rows("improvements", town={"build_turns": 2})},
        {"tables": rows("improvements", mine={"terrain": ["hill"]})},
        {"tables": rows("improvements", port={"shoreline_only": False})},
    ],
)
def test_hwh_40_changing_a_sourced_figure_needs_a_variant_name(option: dict[str, Any]) -> None:
    assert "variant_name" in refused(**option)
    assert Match(**option, variant_name="ours").state.setup.options.variant_name == "ours"


@pytest.mark.parametrize(
    "option",
    [
        {"max_rounds": 4},
        {"tables": rows("terrain", water={"naval_cost": 3})},
        {"tables": rows("units", knights={"attack": 12, "range": 2, "class": "siege", "recruit_at": "anywhere"})},
        {"tables": rows("settlements", hamlet={"recruits": [], "income": 5})},
        {"tables": rows("improvements", fort={"defence_bonus": 4, "terrain": ["plain"], "reach": ["adjacent", "own"]})},
        {"tables": {"attack_bonuses": TABLES["attack_bonuses"], "units": None}},
        {"tables": {}},
        {"variant_name": "needless"},
    ],
)
def test_what_is_no_sourced_figure_changes_without_a_name(option: dict[str, Any]) -> None:
    assert Match(**option).state.status == "running"


ROW = {"unit": "galley", "versus_class": [], "versus_unit": [], "bonus": 1}


@pytest.mark.parametrize(
    "tables",
    [
        {"units": TABLES["units"][1:] if "units" in TABLES else []},
        {"units": [*TABLES["units"], TABLES["units"][0]]},
        {"units": [{"id": 3}]},
        {"units": ["peasant"]},
        {"units": [{**row, "colour": 1} for row in TABLES["units"]]},
        {"units": [{k: v for k, v in row.items() if k != "hp"} for row in TABLES["units"]]},
        rows("units", legion={"class": "giant"}),
        rows("units", legion={"hp": 0}),
        rows("units", legion={"hp": 1001}),
        rows("units", legion={"hp": True}),
        rows("units", legion={"attack": 101}),
        rows("units", legion={"defence": -1}),
        rows("units", legion={"range": 11}),
        rows("units", legion={"movement": 21}),
        rows("units", legion={"cost": 100_001}),
        rows("units", legion={"recruit_at": None}),
        rows("terrain", plain={"land_cost": 0}),
        rows("terrain", water={"naval_cost": 11}),
        {"attack_bonuses": {}},
        {"attack_bonuses": [ROW] * 51},
        {"attack_bonuses": ["spearmen"]},
        {"attack_bonuses": [{**ROW, "unit": "elves"}]},
        {"attack_bonuses": [{**ROW, "versus_class": ["elves"]}]},
        {"attack_bonuses": [{**ROW, "versus_unit": "galley"}]},
        {"attack_bonuses": [{**ROW, "bonus": 11}]},
        {"attack_bonuses": [{**ROW, "id": "x"}]},
        rows("settlements", city={"rank": 0}),
        rows("settlements", city={"upgrade_to": "village"}),
        rows("settlements", city={"upgrade_to": None}),
        rows("settlements", city={"upgrade_cost": None}),
        rows("settlements", city={"defence_bonus": 11}),
        rows("settlements", city={"income": -1}),
        rows("settlements", city={"recruits": ["galley"]}),
        rows("settlements", city={"recruits": "peasant"}),
        rows("improvements", farm={"terrain": []}),
        rows("improvements", farm={"terrain": ["lava"]}),
        rows("improvements", farm={"shoreline_only": 0}),
        rows("improvements", farm={"reach": []}),
        rows("improvements", farm={"reach": ["own", "own"]}),
        rows("improvements", farm={"reach": ["far"]}),
        rows("improvements", farm={"build_turns": 0}),
        rows("improvements", farm={"owner": "nobody"}),
        rows("improvements", town={"becomes": "improvement"}),
        rows("improvements", farm={"recruits": ["peasant"]}),
        rows("improvements", port={"recruits": ["peasant"]}),
        {**rows("units", galley={"class": "infantry"}), **rows("improvements", port={"recruits": ["galley"]})},
    ],
)
def test_hwh_40_a_table_has_the_rows_and_bounds_of_the_page(tables: dict[str, Any]) -> None:
    assert "tables" in refused(variant_name="ours", tables=tables)


def test_param_variant_name_is_none_and_kept_when_given() -> None:
    assert Match().state.setup.options.variant_name is None
    assert Match(variant_name="rich").state.setup.options.variant_name == "rich"


def test_param_start_gold_is_500() -> None:
    assert Match().get("players.B.gold") == 500
    assert Match(start_gold=7, variant_name="poor").get("players.B.gold") == 7


def test_param_max_rounds_is_30() -> None:
    match = Match().end_turns(59)
    assert (match.state.status, match.state.round) == ("running", 30)
    match.end_turns()
    assert (match.state.status, match.state.reason) == ("ended", "round_limit")
    assert Match(max_rounds=1).end_turns(2).state.status == "ended"


def test_param_min_movement_to_act_is_1() -> None:
    path = [[-1, 0], [0, 0]]
    Match().do("A", "unit_moved", unit="u1", path=path).refused("HWH-06", "A", "territory_captured", unit="u1")
    assert (
        Match(min_movement_to_act=0)
        .do("A", "unit_moved", unit="u1", path=path)
        .allowed("A", "territory_captured", unit="u1")
    )
    assert (
        Match()
        .do("A", "unit_moved", unit="u1", path=[[-1, 0]])
        .set("regions.centre.seat", [-1, 0])
        .allowed("A", "territory_captured", unit="u1")
    )
    Match(min_movement_to_act=2).do("A", "unit_moved", unit="u1", path=[[-1, 0]]).refused(
        "HWH-06", "A", "construction_started", unit="u1", kind="fort", hex=[-1, 0]
    )


def two_buildings(**options: Any) -> Match:
    """Return a match in which A owns a City and a Town, both free of units."""
    match = Match(**options).remove("u1")
    match.build("settlement", (-1, -1), "west", tier="town")
    return match.do("A", "unit_recruited", building="b1", type="peasant")


def test_param_building_action_scope_is_the_building() -> None:
    assert two_buildings().allowed("A", "unit_recruited", building="b6", type="peasant")
    match = two_buildings(building_action_scope="player")
    match.refused("HW-23", "A", "unit_recruited", building="b6", type="peasant")
    assert match.end_turns(2).allowed("A", "unit_recruited", building="b6", type="peasant")


def test_param_fort_on_settlement_is_off() -> None:
    fort = {"unit": "u1", "kind": "fort", "hex": [-2, 0]}
    Match().refused("HW-12", "A", "construction_started", **fort)
    match = Match(fort_on_settlement=True)
    assert match.do("A", "construction_started", **fort).get("buildings.b6.hex") == [-2, 0]
    peasant = match.put("peasant", "A", (-2, 0))
    match.refused("HW-12", "A", "construction_started", unit=peasant, kind="fort", hex=[-2, 0])
    Match(fort_on_settlement=True).refused("HW-12", "A", "construction_started", unit="u1", kind="town", hex=[-2, 0])


def test_param_fort_build_region_is_owned() -> None:
    def on_neutral_ground(**options: Any) -> Match:
        return Match(**options).do("A", "unit_moved", unit="u1", path=[[-1, 0]])

    fort = {"unit": "u1", "kind": "fort", "hex": [-1, 0]}
    on_neutral_ground().refused("HW-12", "A", "construction_started", **fort)
    match = on_neutral_ground(fort_build_region="owned_or_neutral")
    assert match.allowed("A", "construction_started", **fort)
    match.refused("HW-12", "A", "construction_started", unit="u1", kind="town", hex=[-1, 0])
    match.set("regions.centre.owner", "B").refused("HW-12", "A", "construction_started", **fort)


def under_construction(**options: Any) -> Match:
    """Return a match in which A's Peasant stands on the centre's seat, where B has begun a Mine and a Fort."""
    match = Match(**options).set("units.u1.hex", [0, 0]).set("regions.centre.owner", "B")
    match.build("mine", (1, -1), "centre", site={"builder": "B", "turns_left": 2})
    match.build("fort", (1, 0), "centre", site={"builder": "B", "turns_left": 1})
    return match.do("A", "territory_captured", unit="u1")


def test_param_construction_on_capture_is_transfer() -> None:
    match = under_construction()
    assert match.computed["sites"] == ["b6", "b7"]
    assert match.get("buildings.b6.site") == {"builder": "A", "turns_left": 2}
    assert match.get("buildings.b7.site.builder") == "A"
    match = under_construction(construction_on_capture="cancel")
    assert match.computed["sites"] == ["b6", "b7"]
    assert not {"b6", "b7"} & set(match.get("buildings"))
    assert (1, -1) not in match.state.built


def test_param_captured_building_waits_is_on() -> None:
    def captured(**options: Any) -> Match:
        match = Match(**options).set("units.u1.hex", [0, 0])
        match.build("settlement", (1, 0), "centre", tier="town")
        return match.do("A", "territory_captured", unit="u1")

    captured().refused("HW-23", "A", "unit_recruited", building="b6", type="peasant")
    assert captured(captured_building_waits=False).allowed("A", "unit_recruited", building="b6", type="peasant")


def test_param_income_active_is_off() -> None:
    assert Match().end_turns(4).get("players.A.gold") == 500
    match = Match(income_active=True, variant_name="income").end_turns(2)
    assert match.followed("income_paid") == [{"seat": "A", "amount": 60, "gold": 620}]


def test_param_min_damage_is_1() -> None:
    def hit(**options: Any) -> int:
        match = Match(**options)
        match.put("legion", "B", (0, 0), fortified=True)
        match.put("archers", "A", (-1, 0))
        match.set("units.u3.penalty", 0).build("fort", (0, 0), "centre")
        return int(match.do("A", "unit_attacked", attacker="u4", target="u3").computed["strikes"][0]["damage"])

    assert hit() == 1
    assert hit(min_damage=0, variant_name="soft") == 0
    assert hit(min_damage=4, variant_name="hard") == 4


def test_param_fortify_bonus_is_1() -> None:
    def guard(**options: Any) -> int:
        match = Match(**options)
        match.put("legion", "B", (0, 0), fortified=True)
        match.put("archers", "A", (-1, 0))
        return int(match.do("A", "unit_attacked", attacker="u4", target="u3").computed["strikes"][0]["defence"])

    assert guard() == 5
    assert guard(fortify_bonus=3, variant_name="walls") == 7


def shelled(**options: Any) -> Match:
    """Return a match in which a Catapult of A has just hit B's Legion."""
    match = Match(**options)
    match.put("legion", "B", (0, 0))
    match.put("catapult", "A", (-1, 0))
    return match.do("A", "unit_attacked", attacker="u4", target="u3")


def test_param_catapult_penalty_is_2() -> None:
    assert shelled().get("units.u3.penalty") == 2
    assert shelled(catapult_penalty=5, variant_name="stones").get("units.u3.penalty") == 5
    match = shelled(catapult_penalty=0, variant_name="pebbles")
    assert match.get("units.u3.penalty") == 0
    assert match.followed("defence_penalty_added") == []


def test_param_catapult_penalty_expiry_is_round_start() -> None:
    match = shelled().end_turns()
    assert match.get("units.u3.penalty") == 2
    match.end_turns()
    assert match.get("units.u3.penalty") == 0
    assert match.followed("round_started") == [{"round": 2, "penalties_cleared": ["u3"]}]
    match = shelled(catapult_penalty_expiry="target_turn_start").end_turns()
    assert match.get("units.u3.penalty") == 0
    assert match.end_turns().followed("round_started") == [{"round": 2, "penalties_cleared": []}]


def test_param_retaliation_classes_are_all_but_civilian() -> None:
    def answers(type_: str, **options: Any) -> bool:
        match = Match(**options)
        match.put(type_, "B", (0, -3) if type_ in ("galley", "warship") else (0, 0), hp=100)
        match.put("swordsmen", "A", (0, -2) if type_ in ("galley", "warship") else (-1, 0), hp=100)
        strikes = match.do("A", "unit_attacked", attacker="u4", target="u3").computed["strikes"]
        return len(strikes) == 2

    one_of_each = ["spearmen", "archers", "horsemen", "catapult", "galley"]
    assert all(answers(type_) for type_ in one_of_each)
    assert not any(answers(type_, retaliation_classes=[]) for type_ in one_of_each)
    assert [answers(type_, retaliation_classes=["siege"]) for type_ in one_of_each] == [False] * 3 + [True, False]
    armed = {**rows("units", peasant={"attack": 3})}
    assert not answers("peasant", tables=armed)
    assert answers("peasant", tables=armed, retaliation_classes=["civilian"])


def test_param_elimination_is_no_seat_and_no_peasant() -> None:
    def captured(**options: Any) -> Match:
        match = Match(**options).set("units.u1.hex", [2, 0]).set("units.u2.hex", [0, 0])
        return match.do("A", "territory_captured", unit="u1")

    def without_peasant(**options: Any) -> Match:
        match = Match(**options).set("units.u1.hex", [2, 0]).remove("u2")
        match.put("legion", "B", (0, 0))
        return match.do("A", "territory_captured", unit="u1")

    assert captured().state.status == "running"
    assert without_peasant().state.reason == "last_standing"
    assert captured(elimination="no_seat").state.reason == "last_standing"
    assert without_peasant(elimination="no_seat_and_no_unit").state.status == "running"


def test_param_map_is_the_standard_one_for_the_seats() -> None:
    assert Match().state.setup.board.id == "HW-M1"
    assert Match(3).state.setup.board.id == "HW-M2"
    assert Match(4).state.setup.board.id == "HW-M3"


def test_param_tables_are_those_of_the_page_unless_replaced() -> None:
    match = Match(tables=rows("units", spearmen={"cost": 80}))
    match.do("A", "unit_moved", unit="u1", path=[[-1, 0]]).do("A", "unit_recruited", building="b1", type="spearmen")
    assert match.computed["gold"] == 420
    match = Match().do("A", "unit_moved", unit="u1", path=[[-1, 0]])
    assert match.do("A", "unit_recruited", building="b1", type="spearmen").computed["gold"] == 400
