"""Building and capturing: who may, where, for how much, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.hexwar.tables import IMPROVEMENTS
from tests.rulesengine.hexwar.given import Match


def built(match: Match, kind: str, hex_: tuple[int, int], unit: str = "u1") -> Match:
    """Begin a construction with a Peasant of A."""
    return match.do("A", "construction_started", unit=unit, kind=kind, hex=list(hex_))


def at(hex_: tuple[int, int], **options: Any) -> Match:
    """Return a match in which A's Peasant stands here, rich enough for anything."""
    return Match(**options).set("units.u1.hex", list(hex_)).set("players.A.gold", 1000)


def refused(match: Match, rule: str, kind: str, hex_: tuple[int, int], unit: str = "u1") -> str:
    """Return why a construction is refused, by this rule."""
    return match.refused(rule, "A", "construction_started", unit=unit, kind=kind, hex=list(hex_)).because


def test_hw_10_only_peasants_build() -> None:
    match = Match()
    spearmen = match.put("spearmen", "A", (-1, -1))
    refused(match, "HW-10", "farm", (-1, -1), unit=spearmen)


def test_hw_11_only_peasants_capture() -> None:
    match = Match()
    spearmen = match.put("spearmen", "A", (0, 0))
    match.refused("HW-11", "A", "territory_captured", unit=spearmen)


def test_hw_12_building_needs_an_owned_region() -> None:
    match = at((0, -2))
    assert "belongs to nobody" in refused(match, "HW-12", "farm", (0, -2))
    match.set("regions.north.owner", "B")
    assert "belongs to B" in refused(match, "HW-12", "farm", (0, -2))
    match.set("regions.north.owner", "A")
    built(match, "farm", (0, -2))


@pytest.mark.parametrize("kind", ["settlement", "farm", "site"])
def test_hw_12_building_needs_a_hex_without_a_building(kind: str) -> None:
    match = at((-1, -1))
    site = {"builder": "A", "turns_left": 1} if kind == "site" else None
    if kind == "settlement":
        match.build("settlement", (-1, -1), "west", tier="town")
    else:
        match.build("farm", (-1, -1), "west", site=site)
    assert "holds b6" in refused(match, "HW-12", "town", (-1, -1))


def test_hw_12_a_neighbouring_site_must_be_free_of_units() -> None:
    match = at((-2, 0))
    match.put("horsemen", "A", (-2, -1))
    assert "u3 stands" in refused(match, "HW-12", "mine", (-2, -1))
    built(match, "mine", (-3, 0))


def test_hw_12_a_hex_without_any_region_is_never_built_on() -> None:
    match = at((0, -2))
    match.set("regions.north.owner", None)
    refused(match, "HW-12", "port", (0, -3))
    match.set("regions.north.owner", "A")
    assert built(match, "port", (0, -3)).get("buildings.b6.region") == "north"


def test_hw_13_a_city_is_captured_from_its_own_hex() -> None:
    match = at((-1, 0))
    refusal = match.refused("HW-13", "A", "territory_captured", unit="u1")
    assert (refusal.breach, refusal.nearest) == ("impossible", "the nearest seat to capture is on [0, 0]")
    match.set("units.u1.hex", [0, 0]).do("A", "territory_captured", unit="u1")
    assert match.get("regions.centre.owner") == "A"


COSTS = [
    ("HW-14", "farm", (-1, -1), (-1, -1), 150),
    ("HW-15", "town", (-1, -1), (-1, -1), 250),
    ("HW-16", "fort", (-1, -1), (-1, -1), 200),
    ("HW-17", "mine", (-2, 0), (-3, 0), 500),
    ("HW-18", "port", (-1, -2), (0, -3), 250),
]


def costs(rule: str) -> None:
    """Play that an improvement is refused by its rule for want of one gold piece, and takes exactly its price."""
    kind, here, site, price = next(row[1:] for row in COSTS if row[0] == rule)
    match = at(here).set("players.A.gold", price - 1)
    assert f"costs {price}" in refused(match, rule, kind, site)
    assert built(at(here).set("players.A.gold", price), kind, site).computed["gold"] == 0


def test_hw_14_a_farm_costs_150_and_stands_on_grassland_only() -> None:
    costs("HW-14")
    for hex_ in ((-1, -2), (-2, 1), (-2, -1)):
        refused(at(hex_), "HW-14", "farm", hex_)


def test_hw_15_a_town_costs_250() -> None:
    costs("HW-15")


def test_hw_16_a_fort_costs_200_and_belongs_to_nobody() -> None:
    costs("HW-16")
    match = built(at((-1, -1)), "fort", (-1, -1)).end_turns(2)
    assert match.get("buildings.b6.site") is None
    match.refused("HW-22", "A", "unit_recruited", building="b6", type="peasant")
    assert match.set("regions.west.owner", "B").get("buildings.b6.region") == "west"


def test_hw_17_a_mine_costs_500_and_stands_on_hills_or_mountains() -> None:
    costs("HW-17")
    refused(at((-2, 0)), "HW-17", "mine", (-1, -1))
    built(at((-2, 0)), "mine", (-2, -1))
    built(at((-2, -1)), "mine", (-2, -1))


def test_hw_18_a_port_costs_250_and_stands_on_shoreline_water_next_to_its_peasant() -> None:
    costs("HW-18")
    refused(at((-1, -2)), "HW-18", "port", (1, -3))
    refused(at((-1, -2)), "HW-18", "port", (0, -2))
    refused(at((-1, -2)), "HW-18", "port", (-1, -2))
    assert built(at((-1, -2)), "port", (0, -3)).computed["turns_left"] == 1


def test_hw_18_open_water_is_no_shoreline() -> None:
    plan = {
        "id": "sea",
        "hexes": [[0, 0, "plain", "a"], [1, 0, "water", "a"], [2, 0, "water", "a"], [-1, 0, "plain", "b"]],
        "regions": [{"id": "a", "seat": [0, 0], "start_seat": 1}, {"id": "b", "seat": [-1, 0], "start_seat": 2}],
    }
    near = [{**row, "reach": ["own", "adjacent"]} for row in IMPROVEMENTS]
    match = Match(map=plan, tables={"improvements": near})
    built(match, "port", (1, 0))
    match = Match(map=plan, tables={"improvements": near}).set("units.u1.hex", [2, 0])
    refused(match, "HW-18", "port", (2, 0))


def test_hw_19_starting_a_construction_uses_the_peasant_up() -> None:
    match = built(Match().do("A", "unit_moved", unit="u1", path=[[-1, -1]]), "farm", (-1, -1))
    assert match.computed == {"building": "b6", "region": "west", "turns_left": 1, "gold": 350}
    assert "u1" not in match.state.units
    assert (-1, -1) not in match.state.standing


def test_hw_20_a_construction_completes_at_the_builders_next_turn_start_a_mine_one_later() -> None:
    match = built(at((-2, 0)), "mine", (-3, 0))
    peasant = match.put("peasant", "A", (-1, -1))
    built(match, "farm", (-1, -1), unit=peasant).end_turns()
    assert match.get("buildings.b7.site.turns_left") == 1
    match.end_turns()
    completed = {"building": "b7", "kind": "farm", "hex": [-1, -1], "region": "west"}
    assert match.followed("construction_completed") == [completed]
    assert (match.get("buildings.b7.site"), match.get("buildings.b6.site.turns_left")) == (None, 1)
    match.end_turns(2)
    assert match.followed("construction_completed")[0]["building"] == "b6"


def test_hw_21_capturing_spends_the_movement_and_hands_over_the_territory() -> None:
    match = at((0, 0)).set("regions.centre.owner", "B")
    match.build("mine", (1, -1), "centre")
    match.do("A", "territory_captured", unit="u1")
    assert match.computed == {
        "settlement": "b4", "region": "centre", "from_owner": "B", "buildings": ["b4", "b6"], "sites": [],
    }  # fmt: skip
    assert (match.get("regions.centre.owner"), match.get("units.u1.movement")) == ("A", 0)
    assert match.get("units.u1.acted") is True


@pytest.mark.parametrize(
    ("kind", "hex_"), [("farm", (-1, -1)), ("town", (-2, 1)), ("fort", (-1, -1)), ("mine", (-1, 1))]
)
def test_hwh_08_how_far_the_site_may_be(kind: str, hex_: tuple[int, int]) -> None:
    match = at((-2, 0)).set("regions.centre.owner", "A")
    match.remove("u2").put("peasant", "B", (3, -1))
    assert "its own hex" in refused(match, "HWH-08", kind, hex_)


def test_hwh_08_a_mine_may_be_on_the_peasants_hex_or_next_to_it() -> None:
    for here, site in (((-2, 0), (-3, 0)), ((-2, -1), (-2, -1)), ((-1, -1), (-2, -1))):
        built(at(here), "mine", site)


def test_hwh_09_empty_means_no_building_no_site_and_no_unit_but_the_builder() -> None:
    match = built(at((-1, -1)), "fort", (-1, -1))
    peasant = match.put("peasant", "A", (-1, -1))
    refused(match, "HW-12", "farm", (-1, -1), unit=peasant)
    match.remove("b6")
    built(match, "farm", (-1, -1), unit=peasant)


def test_hwh_11_a_town_belongs_to_its_region_recruits_upgrades_and_is_no_target() -> None:
    match = built(at((-1, -1)), "town", (-1, -1)).end_turns(2)
    assert match.get("buildings.b6") == {
        "kind": "settlement", "tier": "town", "hex": [-1, -1], "region": "west", "is_seat": False, "site": None,
        "action_turn": None,
    }  # fmt: skip
    match.set("turn_player", "B").set("units.u2.hex", [-1, -1])
    match.refused("HW-13", "B", "territory_captured", unit="u2")
    match.set("turn_player", "A").set("units.u2.hex", [2, 0])
    match.do("A", "settlement_upgraded", settlement="b6")
    assert match.get("buildings.b6.tier") == "city"
    match.end_turns(2).do("A", "unit_recruited", building="b6", type="axemen")
    match.set("regions.west.owner", "B")
    match.refused("HW-22", "A", "settlement_upgraded", settlement="b6")


@pytest.mark.parametrize("kind", ["town", "fort"])
def test_hwh_12_town_and_fort_stand_where_a_land_unit_can_stand(kind: str) -> None:
    for hex_ in ((-1, -1), (-1, -2), (-2, 1), (-2, -1)):
        built(at(hex_), kind, hex_)
    refused(at((-3, 0)), "HWH-12", kind, (-3, 0))
    refused(at((0, -3)), "HWH-12", kind, (0, -3))


def test_hwh_13_a_construction_is_paid_at_its_start_and_completes_whoever_stands_there() -> None:
    match = built(at((-1, -1)), "town", (-1, -1))
    assert match.get("players.A.gold") == 750
    match.put("spearmen", "B", (-1, -1))
    assert match.end_turns(2).get("buildings.b6.tier") == "town"


def test_hwh_13_sites_pass_to_the_capturer_and_go_on() -> None:
    match = at((0, 0)).set("regions.centre.owner", "B")
    match.build("mine", (1, -1), "centre", site={"builder": "B", "turns_left": 2})
    match.do("A", "territory_captured", unit="u1").end_turns()
    assert match.get("buildings.b6.site") == {"builder": "A", "turns_left": 2}
    assert match.end_turns().get("buildings.b6.site.turns_left") == 1


def test_hwh_13_sites_vanish_when_their_builder_leaves() -> None:
    match = Match(3)
    match.build("mine", (2, 0), "home1", site={"builder": "A", "turns_left": 2})
    match.build("farm", (2, -1), "home1")
    match.do("A", "player_resigned")
    assert match.followed("player_eliminated")[0]["sites_removed"] == ["b8"]
    assert "b9" in match.state.buildings
    assert (2, 0) not in match.state.built


def test_hwh_14_a_completed_fort_serves_whoever_stands_on_it_and_captures_leave_it_alone() -> None:
    match = at((0, 0)).set("regions.centre.owner", "B")
    match.build("fort", (1, 0), "centre")
    match.put("spearmen", "B", (1, 0))
    match.put("archers", "A", (-1, 0))
    match.do("A", "territory_captured", unit="u1")
    assert match.computed["buildings"] == ["b4"]
    assert match.get("buildings.b6.action_turn") is None
    match.do("A", "unit_attacked", attacker="u4", target="u3")
    assert match.computed["strikes"][0]["defence"] == 4


def test_hwh_15_only_a_seat_that_is_not_ones_own_is_captured() -> None:
    assert "belongs to A" in Match().refused("HWH-15", "A", "territory_captured", unit="u1").because


def test_hwh_15_the_peasant_stays_the_tier_stays_and_the_buildings_wait() -> None:
    match = at((0, 0)).set("regions.centre.owner", "B").set("buildings.b4.tier", "castle")
    match.do("A", "territory_captured", unit="u1")
    assert (match.get("buildings.b4.tier"), match.get("units.u1.type")) == ("castle", "peasant")
    assert match.get("buildings.b4.action_turn") == match.state.turn_no
    assert match.get("players.A.building_action_turn") is None
    match.refused("HW-23", "A", "settlement_upgraded", settlement="b4")
    assert match.end_turns(2).allowed("A", "settlement_upgraded", settlement="b4")


def test_a_port_on_open_sea_takes_the_region_of_its_builders_hex_and_on_owned_sea_its_own() -> None:
    match = Match(3, fort_build_region="owned").set("units.u1.hex", [2, 1])
    match.set("regions.mark1.owner", "A")
    match.do("A", "construction_started", unit="u1", kind="port", hex=[3, 1])
    assert match.computed["region"] == "mark1"
    match = Match(3).set("units.u1.hex", [3, -1])
    match.do("A", "construction_started", unit="u1", kind="port", hex=[4, -1])
    assert match.computed["region"] == "home1"
    match = Match(3).set("units.u1.hex", [3, 0])
    match.refused("HW-12", "A", "construction_started", unit="u1", kind="port", hex=[3, 1])
