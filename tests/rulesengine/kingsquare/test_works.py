"""What follows from castles, buildings and links: the vectors of 3.3 for F-04 … F-11, F-18, F-20 and F-21, by value."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine import codec, registry
from rulesengine.game import Step
from rulesengine.kingsquare import works
from rulesengine.kingsquare.events import KINDS
from rulesengine.kingsquare.state import Works
from rulesengine.play import play
from tests.rulesengine.kingsquare.tables import EARLY, EDITIONS, Table, in_field


def barracks_by_road(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return the position of F-07: a Barracks with road r1 to a junction and r2 from there to its Castle."""
    table = Table(edition, **options).building("b1", "barracks", direct=False)
    return table.link("r1", "b1", "ford").link("r2", "ford", "C1")


def fabric_table(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return the position of F-10."""
    table = Table(edition, **options).levels(king=6, castle=6, farm=6)
    table.building("b1", "barracks", level=5, direct=False).link("r1", "b1", "C1")
    table.building("m1", "lumber_mill", level=6, direct=False)
    table.building("q1", "quarry", level=3, direct=False).link("r2", "q1", "C1")
    return table.building("e1", "embassy", level=2).building("w1", "wall", level=2)


def second_castle(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return a table where A has a Castle D1 besides its Capital."""
    table = Table(edition, **options).levels(king=10, castle=10, farm=10)
    return table.castle("D1", level=10).building("D1-farm", "farm", "D1", level=10)


# F-04 Action Points


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_an_embassy_there_are_two_action_points(edition: str) -> None:
    assert Table(edition).points() == 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_ks_22_each_level_of_an_embassy_gives_a_point(edition: str) -> None:
    table = Table(edition).building("e1", "embassy", level=3)
    assert table.points() == 5
    assert table.points("B") == 2


@pytest.mark.parametrize(("edition", "points"), [*[(one, 6) for one in EARLY], ("KS-V5", 7)])
def test_ksh_08_embassies_of_two_cities_are_summed_up_to_five_in_v5_and_the_higher_counts_before(
    edition: str, points: int
) -> None:
    table = second_castle(edition).building("e1", "embassy", level=3).building("e2", "embassy", "D1", level=4)
    assert table.points() == points


@pytest.mark.parametrize(("edition", "points"), [*[(one, 9) for one in EARLY], ("KS-V5", 7)])
def test_ks_22_five_points_at_most_come_from_embassies_in_v5(edition: str, points: int) -> None:
    assert Table(edition).building("e1", "embassy", level=7).points() == points


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_isolated_embassy_gives_no_points(edition: str) -> None:
    assert Table(edition).building("e1", "embassy", level=2, direct=False).points() == 2


def test_a_ruined_embassy_gives_no_points() -> None:
    assert Table().building("e1", "embassy", level=2).ruin("e1").points() == 2


def test_ks_21_the_base_is_two_points() -> None:
    assert Table().points() == 2
    assert Table(ap__base=4).points() == 4


def test_param_ap_base_is_added_to() -> None:
    assert Table().building("e1", "embassy").points() == 3
    assert Table(ap__base=7).building("e1", "embassy").points() == 8


def test_param_ap_embassy_cap_limits_what_embassies_bring() -> None:
    assert Table().building("e1", "embassy", level=8).points() == 7
    assert Table(ap__embassy_cap=0).building("e1", "embassy", level=8).points() == 10
    assert Table(ap__embassy_cap=3).building("e1", "embassy", level=8).points() == 5


def test_param_ap_embassy_counted_sums_or_takes_the_highest() -> None:
    def points(**options: Any) -> int:
        table = second_castle(**options).building("e1", "embassy", level=2).building("e2", "embassy", "D1", level=1)
        return table.points()

    assert points() == 5
    assert points(ap__embassy_counted="highest") == 4


def test_param_ap_cap_scope_caps_the_kingdom_or_each_embassy() -> None:
    def points(**options: Any) -> int:
        table = second_castle(**options).building("e1", "embassy", level=7).building("e2", "embassy", "D1", level=4)
        return table.points()

    assert points() == 7
    assert points(ap__cap_scope="embassy") == 2 + 5 + 4
    assert points(ap__cap_scope="embassy", ap__embassy_cap=0) == 2 + 7 + 4


# F-05 Slots


def used(table: Table, castle: str = "C1") -> int:
    return works.slots_used(table.state.works, table.state.setup, castle)


def test_the_farm_and_the_wall_take_no_slot_and_a_ruin_takes_one() -> None:
    table = Table().levels(king=5, castle=5, farm=5).buildings(*["barracks"] * 5)
    assert used(table) == 5
    table = Table().levels(castle=3).buildings("lumber_mill", "barracks", "quarry", "wall").ruin("barracks2")
    assert used(table) == 3


def test_param_slots_wall_makes_a_wall_take_a_slot() -> None:
    assert used(Table().building("w1", "wall")) == 0
    assert used(Table(slots__wall="yes").building("w1", "wall")) == 1


# F-06 Ceilings


def ceilings(edition: str = "KS-V5", /, **options: Any) -> dict[str, int]:
    table = second_castle(edition, **options).levels(king=6, castle=5, farm=4).castle("D1", level=3)
    table.building("b1", "barracks").building("f1", "war_forge").building("w1", "wall").building("D1-farm", level=2)
    state = table.state
    found = {id_: works.ceiling(state, id_) for id_ in ("C1-farm", "b1", "f1", "w1", "D1-farm")}
    return {**found, "C1": works.castle_ceiling(state, "C1"), "D1": works.castle_ceiling(state, "D1")}


def test_the_full_order_caps_each_by_the_next_higher() -> None:
    expected = {"C1-farm": 5, "b1": 4, "f1": 4, "w1": 4, "D1-farm": 3, "C1": 6, "D1": 6}
    assert ceilings("KS-V4") == ceilings("KS-V5") == expected


@pytest.mark.parametrize("edition", ["KS-V2", "KS-V3"])
def test_before_the_chain_only_the_forge_is_capped(edition: str) -> None:
    expected = {"C1-farm": 10, "b1": 10, "f1": 5, "w1": 10, "D1-farm": 10, "C1": 10, "D1": 10}
    assert ceilings(edition) == expected


def test_in_v1_nothing_is_capped_below_ten() -> None:
    assert set(ceilings("KS-V1").values()) == {10}


def test_a_castle_is_never_capped_above_ten() -> None:
    table = Table().levels(king=14)
    assert works.castle_ceiling(table.state, "C1") == 10
    assert works.castle_ceiling(table.castle("C1", kingdom="official").state, "C1") == 10


def test_param_order_mode_changes_the_chain() -> None:
    assert ceilings() != ceilings(order__mode="forge_only") == ceilings("KS-V3")
    assert ceilings(order__mode="none") == ceilings("KS-V1")


def test_param_order_castle_cap_caps_all_castles_or_the_capital() -> None:
    assert ceilings()["D1"] == 6
    assert ceilings(order__castle_cap="capital") == {**ceilings(), "D1": 10}


def test_ksh_38_all_castles_are_capped_since_v4_and_none_before() -> None:
    assert [ceilings(edition)["D1"] for edition in EDITIONS] == [10, 10, 10, 6, 6]
    assert [ceilings(edition)["C1"] for edition in EDITIONS] == [10, 10, 10, 6, 6]


def test_param_farm_ruin_blocks_upgrades_or_is_ignored() -> None:
    def ceiling(**options: Any) -> int:
        table = Table(**options).levels(king=5, castle=5, farm=4).building("b1", "barracks").ruin("C1-farm")
        return works.ceiling(table.state, "b1")

    assert ceiling() == 0
    assert ceiling(farm__ruin="ignore") == 4


def test_ksh_46_a_ruined_farm_closes_nothing() -> None:
    table = Table().building("b1", "barracks").ruin("C1-farm")
    assert table.condition("b1") == "active"
    assert works.ceiling(table.state, "b1") == 0


# F-07, F-08 Connection and condition


def test_ks_65_a_building_joined_by_road_is_connected() -> None:
    table = barracks_by_road()
    assert works.connected(table.state.works, "b1")
    assert table.condition("b1") == "active"


def test_a_cut_road_isolates_and_the_level_leaves_the_fabric() -> None:
    table = barracks_by_road()
    assert table.fabric() == 2
    table.link("r2", "ford", "C1", cut=True)
    assert table.condition("b1") == "isolated"
    assert table.fabric() == 1
    table.set(phase="produce").refused(
        "KS-66", "A", "troops_produced", building="b1", count=1, soldier_level=0, army="a1"
    )


def test_a_second_road_connects_although_the_first_is_cut() -> None:
    table = barracks_by_road().link("r2", "ford", "C1", cut=True).link("r3", "b1", "C1")
    assert table.condition("b1") == "active"
    assert table.fabric() == 2


def test_ks_67_a_quarry_without_a_road_is_active_and_gives_no_fabric() -> None:
    table = Table().building("q1", "quarry", direct=False).building("m1", "lumber_mill", direct=False)
    for id_ in ("q1", "m1"):
        assert table.condition(id_) == "active"
        assert not works.connected(table.state.works, id_)
    assert table.fabric() == 1


def test_a_ruined_castle_isolates_all_but_farm_quarry_mill_and_wall() -> None:
    table = barracks_by_road().buildings("barracks", "quarry", "lumber_mill", "wall").ruin("C1")
    assert {id_: table.condition(id_) for id_ in works.of_castle(table.state.works, "C1")} == {
        "C1-farm": "active",
        "b1": "isolated",
        "barracks1": "isolated",
        "quarry2": "active",
        "lumber_mill3": "active",
        "wall4": "active",
    }
    assert table.fabric() == 0


def test_param_castle_ruin_isolates_or_keeps_the_buildings() -> None:
    assert barracks_by_road().ruin("C1").condition("b1") == "isolated"
    kept = barracks_by_road(castle__ruin="keep").ruin("C1")
    assert kept.condition("b1") == "active"
    assert kept.fabric() == 0


def test_rails_and_foreign_roads_connect_no_building() -> None:
    table = barracks_by_road().link("r2", "ford", "C1", kind="rail")
    assert table.condition("b1") == "isolated"
    assert table.link("r2", "ford", "C1", kind="bridge").condition("b1") == "active"
    assert table.link("r2", "ford", "C1", kind="improved_road").condition("b1") == "active"
    assert table.link("r2", "ford", "C1", kingdom="B").condition("b1") == "isolated"


def test_ksh_49_an_ally_s_road_connects_no_building() -> None:
    assert barracks_by_road().link("r2", "ford", "C1", kingdom="B").allies("A", "B").condition("b1") == "isolated"


def test_param_road_admin_lets_an_ally_s_roads_connect() -> None:
    def table(**options: Any) -> Table:
        return barracks_by_road(**options).link("r2", "ford", "C1", kingdom="B")

    assert table(road__admin="own_or_allied").condition("b1") == "isolated"
    assert table(road__admin="own_or_allied").allies("A", "B").condition("b1") == "active"
    assert table().allies("A", "B").condition("b1") == "isolated"


def test_a_path_may_lead_through_another_building_and_a_ruin() -> None:
    table = Table().building("b1", "barracks", direct=False).building("e1", "embassy").link("r1", "b1", "e1")
    assert table.condition("b1") == "active"
    assert table.ruin("e1").condition("b1") == "active"
    assert table.building("e1", direct=False).condition("b1") == "isolated"


def test_a_building_must_be_joined_to_its_own_castle() -> None:
    table = second_castle().building("b1", "barracks", "D1", direct=False).link("r1", "b1", "C1")
    assert table.condition("b1") == "isolated"
    assert table.link("r2", "C1", "D1").condition("b1") == "active"


def test_the_roads_of_its_founder_hold_a_castle_together_whoever_has_it_now() -> None:
    table = barracks_by_road().castle("C1", kingdom="official")
    assert table.condition("b1") == "active"
    assert table.fabric() == 2


def test_ksh_48_a_direct_building_cannot_be_cut_off() -> None:
    table = Table().building("b1", "barracks").link("r1", "b1", "C1", cut=True)
    assert table.condition("b1") == "active"


def test_param_road_direct_ft10_is_what_counts_as_touching_and_is_declared() -> None:
    assert Table().state.setup.options.road_direct_ft10 == 0
    far = Table(road__direct_ft10=5).building("b1", "barracks")
    assert far.state.setup.options.road_direct_ft10 == 5
    assert far.condition("b1") == "active"


# F-09 Structure


def test_structure_is_ten_points_a_level() -> None:
    table = Table().levels(castle=10).building("b1", "barracks", level=4, damage=25)
    assert works.structure(table.state.setup, 4) == 40
    assert works.structure(table.state.setup, 10) == 100
    assert table.condition("b1") == "active"
    assert table.building("b1", damage=39).condition("b1") == "active"
    assert table.building("b1", damage=40).condition("b1") == "ruined"
    table.do("A", "structure_repaired", target={"kind": "building", "id": "b1"})
    assert table.get("buildings.b1.damage") == 0
    assert table.get("buildings.b1.level") == 4
    assert table.condition("b1") == "active"


def test_ksh_59_a_damaged_building_works() -> None:
    table = Table().building("e1", "embassy", level=3, damage=29)
    assert table.points() == 5


def test_param_structure_per_level_sets_the_points() -> None:
    assert Table().building("b1", "barracks", damage=9).condition("b1") == "active"
    assert Table().building("b1", "barracks", damage=10).condition("b1") == "ruined"
    assert Table(structure__per_level=20).building("b1", "barracks", damage=19).condition("b1") == "active"
    assert Table(structure__per_level=20).building("b1", "barracks", damage=20).condition("b1") == "ruined"


# F-10 Fabric


def test_ks_76_connected_buildings_give_their_levels_to_the_fabric() -> None:
    table = fabric_table()
    assert table.fabric() == 18
    assert table.condition("m1") == "active"
    table.link("r1", "b1", "C1", cut=True)
    assert table.condition("b1") == "isolated"
    assert table.fabric() == 13


@pytest.mark.parametrize(("edition", "fabric"), list(zip(EDITIONS, (0, 0, 18, 18, 18), strict=True)))
def test_the_fabric_holds_since_v3(edition: str, fabric: int) -> None:
    assert fabric_table(edition).fabric() == fabric


def test_a_ruin_gives_no_fabric() -> None:
    assert fabric_table().ruin("b1").fabric() == 13


def test_param_fabric_enabled_switches_the_fabric() -> None:
    assert fabric_table().fabric() == 18
    assert fabric_table(fabric__enabled="no").fabric() == 0
    assert fabric_table("KS-V1", fabric__enabled="yes").fabric() == 18


def test_ksh_85_the_fabric_holds_from_its_decree() -> None:
    assert fabric_table("KS-V2").fabric() == 0
    assert fabric_table("KS-V3").fabric() == 18


def test_param_fabric_from_may_leave_v3_without_a_fabric() -> None:
    assert fabric_table("KS-V3").fabric() == 18
    assert Table("KS-V3").state.setup.options.fabric_from == "2026-07-04"
    assert fabric_table("KS-V3", fabric__from="2026-07-10").fabric() == 0
    assert fabric_table("KS-V4", fabric__from="2026-07-10").fabric() == 18


def test_ksh_52_farm_quarry_and_mill_without_a_road_give_no_fabric() -> None:
    table = fabric_table().building("q2", "quarry", level=4, direct=False)
    assert table.condition("q2") == "active"
    assert table.fabric() == 18


def test_param_fabric_exempt_unconnected_counts_the_self_sufficient() -> None:
    assert fabric_table().fabric() == 18
    assert fabric_table(fabric__exempt_unconnected="yes").fabric() == 24
    assert fabric_table(fabric__exempt_unconnected="yes").link("r1", "b1", "C1", cut=True).fabric() == 19


# F-11 Soldier level


@pytest.mark.parametrize("edition", EDITIONS)
def test_ks_58_a_war_forge_of_five_gives_soldiers_of_level_five(edition: str) -> None:
    assert Table(edition).levels(5, 5, 5).building("f1", "war_forge", level=5).soldier_level() == 5


def test_ks_53_two_forges_never_add_up_and_the_second_keeps_the_doctrine() -> None:
    table = Table().building("f1", "war_forge", level=3).building("f2", "war_forge", level=4)
    assert table.soldier_level() == 4
    assert table.ruin("f2").soldier_level() == 3


@pytest.mark.parametrize(("edition", "level"), list(zip(EDITIONS, (8, 5, 5, 5, 5), strict=True)))
def test_ks_54_five_is_the_end_since_v2(edition: str, level: int) -> None:
    assert Table(edition).building("f1", "war_forge", level=8).soldier_level() == level


def test_ks_06_each_forge_level_up_to_five_makes_soldiers_better() -> None:
    levels = [Table().building("f1", "war_forge", level=level).soldier_level() for level in range(1, 8)]
    assert levels == [1, 2, 3, 4, 5, 5, 5]


@pytest.mark.parametrize("edition", EDITIONS)
def test_without_a_forge_soldiers_are_of_level_zero(edition: str) -> None:
    assert Table(edition).soldier_level() == 0


def test_an_isolated_forge_gives_nothing() -> None:
    assert Table().building("f1", "war_forge", level=3, direct=False).soldier_level() == 0


def test_param_forge_combat_cap_limits_the_level() -> None:
    assert Table().building("f1", "war_forge", level=9).soldier_level() == 5
    assert Table(forge__combat_cap=7).building("f1", "war_forge", level=9).soldier_level() == 7


def test_ks_07_doctrine_is_shared_over_connected_castles() -> None:
    table = second_castle().building("f1", "war_forge", level=4)
    assert table.soldier_level("D1") == 0
    assert table.link("r1", "C1", "D1").soldier_level("D1") == 4
    assert table.link("r1", "C1", "D1", cut=True).soldier_level("D1") == 0


def test_ksh_17_the_best_forge_of_the_network_counts() -> None:
    table = second_castle().building("f1", "war_forge", level=2).building("f2", "war_forge", "D1", level=3)
    assert (table.soldier_level("C1"), table.soldier_level("D1")) == (2, 3)
    table.link("r1", "C1", "D1")
    assert (table.soldier_level("C1"), table.soldier_level("D1")) == (3, 3)


def test_ks_39_districts_share_doctrine_and_technology_without_a_road() -> None:
    table = second_castle().castle("D1", parent_castle="C1", district_kind="Military").castle("D2", parent_castle="C1")
    table.building("f1", "war_forge", "D2", level=3).building("q1", "quarry", "D1", level=2)
    for castle in ("C1", "D1", "D2"):
        assert table.soldier_level(castle) == 3
        assert works.unlocked(table.state.works, table.state.setup, castle, "war_forge") is None


def test_a_road_from_a_district_joins_its_parent_too() -> None:
    table = second_castle().castle("D1", parent_castle="C1").castle("E1").link("r1", "D1", "E1")
    assert works.network(table.state.works, "C1") == {"C1", "D1", "E1"}
    assert works.network(table.state.works, "C2") == {"C2"}


def test_a_road_to_a_foreign_castle_shares_nothing() -> None:
    table = Table().building("f1", "war_forge", "C2", level=4).link("r1", "C1", "C2")
    assert table.soldier_level("C1") == 0
    assert works.network(table.state.works, "C1") == {"C1"}


def doctrine(**options: Any) -> tuple[int, ...]:
    """Return the soldier levels at the Capital, its two districts, a Castle joined by road and one that is not."""
    table = second_castle(**options).castle("D1", parent_castle="C1").castle("D2", parent_castle="C1")
    table.castle("E1").castle("F1").link("r1", "D1", "E1").building("f1", "war_forge", "D2", level=3)
    return tuple(table.soldier_level(castle) for castle in ("C1", "D1", "D2", "E1", "F1"))


def test_param_doctrine_sharing_reaches_the_network_the_territory_or_the_kingdom() -> None:
    assert doctrine() == (3, 3, 3, 3, 0)
    assert doctrine(doctrine__sharing="territory") == (3, 3, 3, 0, 0)
    assert doctrine(doctrine__sharing="kingdom") == (3, 3, 3, 3, 3)


def test_ks_57_levels_six_to_ten_add_nothing() -> None:
    levels = {Table().building("f1", "war_forge", level=level).soldier_level() for level in range(5, 11)}
    assert levels == {5}


# F-18 Fleets


def test_fleets_are_limited_by_the_levels_of_active_harbors_and_hangars() -> None:
    table = Table().building("h1", "harbor", level=2).building("h2", "harbor", level=3, direct=False)
    table.building("a1", "hangar", level=1).building("a2", "hangar", level=2)
    stands, setup = table.state.works, table.state.setup
    assert works.ship_limit(stands, setup, "A") == 2
    assert works.plane_limit(stands, setup, "A") == 3
    assert works.ship_limit(stands, setup, "B") == works.plane_limit(stands, setup, "B") == 0


def test_ks_46_stacked_harbors_and_hangars_add_up() -> None:
    table = (
        Table().building("h1", "harbor", level=2).building("h2", "harbor", level=3).building("a1", "hangar", level=4)
    )
    assert works.ship_limit(table.state.works, table.state.setup, "A") == 5
    assert works.plane_limit(table.state.works, table.state.setup, "A") == 4


# F-20 Unlocks


def opens(table: Table, castle: str, kind: str) -> str | None:
    rule = works.unlocked(table.state.works, table.state.setup, castle, kind)
    return None if rule is None else rule.id


def test_a_mill_unlocks_where_roads_join_the_castles() -> None:
    table = second_castle().building("m1", "lumber_mill", level=3)
    assert opens(table, "C1", "harbor") is None
    assert opens(table, "D1", "harbor") == "KS-60"
    assert opens(table.link("r1", "C1", "D1"), "D1", "harbor") is None


def test_ksh_43_a_lost_mill_closes_what_is_new_and_nothing_that_stands() -> None:
    table = second_castle().building("m1", "lumber_mill", level=3).building("h1", "harbor", level=2).ruin("m1")
    assert opens(table, "C1", "harbor") == "KS-60"
    assert table.condition("h1") == "active"
    table.do("A", "building_upgraded", building="h1", to_level=3)


def test_an_isolated_or_damaged_quarry_unlocks() -> None:
    table = Table().building("q1", "quarry", level=2, direct=False, damage=19)
    assert opens(table, "C1", "war_forge") is None


LADDER = {
    "KS-V1": {
        "barracks": ("lumber_mill", 1, "KS-64"),
        "harbor": ("lumber_mill", 3, "KS-60"),
        "embassy": ("lumber_mill", 4, "KS-60"),
        "hangar": ("lumber_mill", 5, "KS-60"),
        "wall": ("quarry", 1, "KS-61"),
        "war_forge": ("quarry", 2, "KS-61"),
        "university": ("quarry", 3, "KS-61"),
        "trainyard": ("quarry", 4, "KS-61"),
        "quarry": None,
        "religion": None,
        "farm": None,
        "lumber_mill": None,
    },
    "KS-V5": {
        "quarry": ("lumber_mill", 1, "KS-60"),
        "barracks": ("lumber_mill", 1, "KS-64"),
        "harbor": ("lumber_mill", 3, "KS-60"),
        "embassy": ("lumber_mill", 4, "KS-60"),
        "wall": ("quarry", 1, "KS-61"),
        "war_forge": ("quarry", 2, "KS-61"),
        "religion": ("quarry", 3, "KS-61"),
        "university": ("quarry", 3, "KS-61"),
        "trainyard": ("quarry", 4, "KS-61"),
        "hangar": ("quarry", 5, "KS-61"),
        "farm": None,
        "lumber_mill": None,
    },
}


@pytest.mark.parametrize(("edition", "like"), list(zip(EDITIONS, ["KS-V1"] * 3 + ["KS-V5"] * 2, strict=True)))
def test_each_rung_of_the_ladder_opens_its_kind(edition: str, like: str) -> None:
    for kind, rung in LADDER[like].items():
        if rung is None:
            assert opens(Table(edition), "C1", kind) is None
            continue
        branch, level, rule = rung
        assert opens(Table(edition), "C1", kind) == rule
        if level > 1:
            assert opens(Table(edition).building("x1", branch, level=level - 1), "C1", kind) == rule
        assert opens(Table(edition).building("x1", branch, level=level), "C1", kind) is None


def test_param_ladder_takes_the_early_or_the_present_rungs() -> None:
    mill = Table().building("m1", "lumber_mill", level=5)
    assert opens(mill, "C1", "hangar") == "KS-61"
    mill = Table(ladder="early").building("m1", "lumber_mill", level=5)
    assert opens(mill, "C1", "hangar") is None


def unlocks(**options: Any) -> tuple[bool, ...]:
    table = second_castle(**options).castle("D1", parent_castle="C1").castle("D2", parent_castle="C1")
    table.castle("E1").castle("F1").link("r1", "D1", "E1").building("q1", "quarry", "D2", level=2)
    return tuple(opens(table, castle, "war_forge") is None for castle in ("C1", "D1", "D2", "E1", "F1"))


def test_param_unlock_scope_reaches_the_network_the_territory_or_the_kingdom() -> None:
    assert unlocks() == (True, True, True, True, False)
    assert unlocks(unlock__scope="territory") == (True, True, True, False, False)
    assert unlocks(unlock__scope="kingdom") == (True, True, True, True, True)


def test_param_university_unlock_sets_the_rung_of_the_university() -> None:
    def university(kind: str, level: int, **options: Any) -> str | None:
        return opens(Table(**options).building("x1", kind, level=level), "C1", "university")

    assert university("quarry", 2) == "KS-61"
    assert university("quarry", 3) is None
    assert university("quarry", 3, university__unlock="quarry:5") == "KS-61"
    assert university("quarry", 9, university__unlock="lumber_mill:2") == "KS-60"
    assert university("lumber_mill", 2, university__unlock="lumber_mill:2") is None
    assert university("farm", 1, university__unlock="none") is None


def test_ksh_44_a_university_needs_a_quarry_of_three() -> None:
    assert opens(Table().building("q1", "quarry", level=2), "C1", "university") == "KS-61"
    assert opens(Table().building("q1", "quarry", level=3), "C1", "university") is None


# F-21 Production


@pytest.mark.parametrize(("edition", "soldiers"), list(zip(EDITIONS, (50, 50, 50, 50, 5), strict=True)))
def test_ksh_12_barracks_give_a_chip_a_level(edition: str, soldiers: int) -> None:
    table = Table(edition).building("b1", "barracks", level=3).building("b2", "barracks", level=2)
    table.building("b3", "barracks", level=4, direct=False)
    stands, setup = table.state.works, table.state.setup
    assert sum(works.produced_by(stands, setup, id_) for id_ in ("b1", "b2", "b3")) == soldiers
    assert works.produced_by(stands, setup, "C1-farm") == 0


# Worked out once


def test_derived_values_are_kept_as_long_as_nothing_that_stands_changes() -> None:
    table = fabric_table()
    conditions = works.conditions(table.state.works)
    table.do("A", "king_upgraded", to_level=7)
    assert works.conditions(table.state.works) is conditions
    table.castle("C9", at=in_field("moor"))
    assert works.conditions(table.state.works) is not conditions


def test_a_link_has_the_territories_of_the_castles_at_its_ends() -> None:
    table = second_castle().building("b1", "barracks", "D1")
    assert works.link_territories(table.state.works, "C1", "b1") == ("C1", "D1")
    assert works.link_territories(table.state.works, "b1", "D1") == ("D1",)
    assert works.link_territories(table.state.works, "ford", "C1") == ("C1",)


def derived(stands: Works) -> dict[str, Any]:
    """Return all that is worked out from what stands."""
    setup = stands.setup
    return {
        "conditions": works.conditions(stands),
        "isolated": works.isolated(stands),
        "buildings": {id_: works.of_castle(stands, id_) for id_ in stands.castles},
        "fabric": {id_: works.fabric(stands, setup, id_) for id_ in stands.castles},
        "networks": {id_: works.network(stands, id_) for id_ in stands.castles},
        "soldiers": {id_: works.soldier_level(stands, setup, id_) for id_ in stands.castles},
        "castles": {seat: works.of_kingdom(stands, seat) for seat in (*setup.seats, "official")},
        "kinds": {(seat, kind): works.own_of_kind(stands, seat, kind) for seat in setup.seats for kind in KINDS},
    }


def anew(stands: Works) -> Works:
    """Return the same works with nothing worked out yet."""
    return Works(stands.setup, stands.castles, stands.buildings, stands.links, stands.pacts)


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_taken_over_after_a_change_is_what_would_be_worked_out(edition: str) -> None:
    log = play("kingsquare", edition=edition, seats=2, seed=5, player="greedy", max_events=250)
    ruleset = registry.get(edition)
    step = ruleset.set_up(log.header)
    assert isinstance(step, Step)
    state, changes = step.state, 0
    for line in log.lines:
        before = state.works
        state = ruleset.follow(state, codec.event(ruleset, line)).state
        if state.works is not before:
            changes += 1
            assert derived(state.works) == derived(anew(state.works))
    assert changes > 20


def test_what_is_taken_over_after_each_build_and_upgrade_is_right() -> None:
    table = second_castle().building("m1", "lumber_mill", level=5).building("q1", "quarry", level=5)
    table.link("r1", "C1", "D1").building("x1", "barracks", "D1", level=3).ruin("x1")
    derived(table.state.works)
    at = 0
    for kind in ("war_forge", "war_forge", "barracks", "religion", "embassy", "harbor"):
        for castle, direct in (("C1", True), ("D1", False)):
            at += 1
            table.do("A", "building_built", building=f"n{at}", kind=kind, castle=castle, direct=direct)
            assert derived(table.state.works) == derived(anew(table.state.works)), kind
            table.do("A", "building_upgraded", building=f"n{at}", to_level=2)
            assert derived(table.state.works) == derived(anew(table.state.works)), kind
    table.accept("A", "building_upgraded", building="x1", to_level=4)
    assert derived(table.state.works) == derived(anew(table.state.works))
    table.levels(king=12).castle("D1", level=8, damage=80)
    derived(table.state.works)
    table.accept("A", "castle_upgraded", castle="D1", to_level=9)
    assert derived(table.state.works) == derived(anew(table.state.works))


def test_different_futures_of_one_state_do_not_know_of_each_other() -> None:
    table = second_castle().building("m1", "lumber_mill", level=5).building("q1", "quarry", level=5)
    table.link("r1", "C1", "D1").building("x1", "barracks", "D1", direct=False)
    start, seen = table.state, derived(table.state.works)
    proposals: list[tuple[str, dict[str, Any]]] = [
        ("building_built", {"building": "n1", "kind": kind, "castle": castle, "direct": castle == "C1"})
        for kind in ("war_forge", "barracks", "lumber_mill")
        for castle in ("C1", "D1")
    ]
    proposals += [
        ("castle_founded", {"castle": "n1", "at": {"field": "moor"}, "king_distance_ft10": 0, "farm": "n2"}),
        ("district_founded", {"castle": "n1", "district_kind": "Harbor", "parent_castle": "C1", "farm": "n3"}),
        ("district_founded", {"castle": "n1", "district_kind": "Harbor", "parent_castle": "D1", "farm": "n2"}),
        ("road_laid", {"link": "n1", "kind": "road", "a": "x1", "b": "D1", "length_ft10": 9}),
        ("road_laid", {"link": "n1", "kind": "road", "a": "C1", "b": "C2", "length_ft10": 9}),
    ]
    for type_, data in proposals + proposals[::-1]:
        table.set(works=start.works, taken=start.taken, junctions=start.junctions)
        table.do("A", type_, **data)
        assert derived(table.state.works) == derived(anew(table.state.works)), (type_, data)
        assert derived(start.works) == seen


def test_a_castle_without_a_farm_is_taken_over_rightly() -> None:
    table = Table(setup__farm_level=0).building("m1", "lumber_mill")
    derived(table.state.works)
    table.do("A", "castle_founded", castle="D1", at={"field": "moor"}, king_distance_ft10=0)
    assert derived(table.state.works) == derived(anew(table.state.works))


def test_ruins_and_repairs_are_taken_over_rightly() -> None:
    table = second_castle().building("b1", "barracks", "D1", direct=False).link("r1", "b1", "ford")
    table.link("r2", "ford", "D1", cut=True).building("f1", "war_forge", "D1", level=3).ruin("f1").ruin("C1")
    for kind, id_ in (("link", "r2"), ("building", "f1"), ("castle", "C1")):
        derived(table.state.works)
        table.do("A", "structure_repaired", target={"kind": kind, "id": id_})
        assert derived(table.state.works) == derived(anew(table.state.works)), id_


def test_a_long_chain_of_roads_holds_together() -> None:
    table = Table().building("b1", "barracks", direct=False)
    for at in range(40):
        table.do("A", "road_laid", link=f"r{at}", kind="road", a=f"j{at}", b=f"j{at + 1}", length_ft10=9)
    table.do("A", "road_laid", link="first", kind="road", a="C1", b="j0", length_ft10=9)
    assert table.condition("b1") == "isolated"
    table.do("A", "road_laid", link="last", kind="road", a="j40", b="b1", length_ft10=9)
    assert table.condition("b1") == "active"
