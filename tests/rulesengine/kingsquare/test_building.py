"""What is put up, raised and repaired in the Act phase, and what is refused there."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsquare.state import Kingdom
from tests.rulesengine.kingsquare.tables import EARLY, EDITIONS, Table, in_castle, in_field


def great(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return a table where A's King, Capital and Farm are of level 10."""
    return Table(edition, **options).levels(10, 10, 10)


def tall(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return a great table with Lumber Mill m1 and Quarry q1 of level 5, which open everything."""
    table = great(edition, **options)
    return table.building("m1", "lumber_mill", level=5).building("q1", "quarry", level=5)


def new(kind: str, castle: str = "C1", id_: str = "n1", direct: bool = True) -> dict[str, Any]:
    """Return the data of `building_built`."""
    return {"building": id_, "kind": kind, "castle": castle, "direct": direct}


def up(building: str, to_level: int) -> dict[str, Any]:
    """Return the data of `building_upgraded`."""
    return {"building": building, "to_level": to_level}


def mend(kind: str, id_: str) -> dict[str, Any]:
    """Return the data of `structure_repaired`."""
    return {"target": {"kind": kind, "id": id_}}


# Buildings


def test_a_building_is_of_level_one_and_takes_a_point() -> None:
    table = tall().do("A", "building_built", **new("barracks", direct=False))
    assert table.get("buildings.n1") == {
        "kind": "barracks", "castle": "C1", "level": 1, "damage": 0, "direct": False, "produced": False, "built_seq": 101,
    }  # fmt: skip
    assert table.get("ap_spent") == 1
    assert "n1" in table.state.taken


def test_u_7_a_building_needs_an_own_castle_and_a_new_id() -> None:
    table = tall()
    table.refused("U-7", "A", "building_built", **new("barracks", "C9"))
    table.refused("U-7", "A", "building_built", **new("barracks", "C2"))
    table.refused("U-7", "A", "building_built", **new("barracks", id_="m1"))
    table.refused("U-7", "A", "building_built", **new("barracks", id_="C1"))


def test_ks_40_a_castle_has_as_many_slots_as_levels() -> None:
    table = tall().levels(5, 5, 5).buildings("barracks", "barracks", "barracks")
    refusal = table.refused("KS-40", "A", "building_built", **new("barracks"))
    assert "5 of 5 used" in refusal.because
    table.levels(castle=6).do("A", "building_built", **new("barracks"))


def test_ks_41_all_of_one_kind_may_fill_the_slots() -> None:
    table = tall().levels(5, 7, 5)
    for at in range(5):
        table.do("A", "building_built", **new("barracks", id_=f"b{at}"))
    table.refused("KS-40", "A", "building_built", **new("barracks"))


def test_ks_40_a_ruin_counts_and_a_wall_does_not() -> None:
    table = great().levels(castle=3).buildings("lumber_mill", "barracks", "quarry", "wall", level=3).ruin("barracks2")
    table.refused("KS-40", "A", "building_built", **new("university"))


def test_ks_40_the_tenth_slot_is_the_last() -> None:
    table = tall().buildings("war_forge", "war_forge", *["barracks"] * 6)
    table.refused("KS-40", "A", "building_built", **new("war_forge"))


def test_ks_42_the_farm_takes_no_slot() -> None:
    table = Table(setup__farm_level=0).castle("C1").building("b1", "barracks")
    table.set(works=table.state.with_works(buildings={"b1": table.state.works.buildings["b1"]}).works)
    table.do("A", "building_built", **new("farm"))


def test_ksh_40_a_wall_takes_no_slot() -> None:
    table = tall().levels(castle=2)
    table.refused("KS-40", "A", "building_built", **new("barracks"))
    table.do("A", "building_built", **new("wall"))


@pytest.mark.parametrize("edition", EARLY)
def test_before_v5_there_are_no_slots(edition: str) -> None:
    table = tall(edition).levels(castle=1).buildings("barracks", "barracks")
    table.do("A", "building_built", **new("barracks"))


def test_param_slots_enabled_counts_slots_or_not() -> None:
    tall().levels(castle=2).refused("KS-40", "A", "building_built", **new("barracks"))
    assert tall(slots__enabled="no").levels(castle=2).allowed("A", "building_built", **new("barracks"))
    tall("KS-V4", slots__enabled="yes").levels(castle=2).refused("KS-40", "A", "building_built", **new("barracks"))


def test_param_slots_wall_needs_a_slot_for_a_wall() -> None:
    assert tall().levels(castle=2).allowed("A", "building_built", **new("wall"))
    tall(slots__wall="yes").levels(castle=2).refused("KS-40", "A", "building_built", **new("wall"))


def test_ks_23_a_city_has_one_embassy() -> None:
    table = (
        tall().building("e1", "embassy").castle("D1", level=5).building("D1-farm", "farm", "D1").link("r1", "C1", "D1")
    )
    table.refused("KS-23", "A", "building_built", **new("embassy"))
    table.do("A", "building_built", **new("embassy", "D1"))
    table.ruin("e1").refused("KS-23", "A", "building_built", **new("embassy", id_="n2"))


@pytest.mark.parametrize("edition", EARLY)
def test_ks_23_before_v5_a_kingdom_has_one_embassy(edition: str) -> None:
    table = (
        tall(edition).building("e1", "embassy").castle("D1").building("D1-farm", "farm", "D1").link("r1", "C1", "D1")
    )
    table.refused("KS-23", "A", "building_built", **new("embassy", "D1"))
    table = tall(edition).building("e2", "embassy", "C2")
    table.do("A", "building_built", **new("embassy"))


@pytest.mark.parametrize("kind", ["university", "religion"])
def test_ks_43_a_castle_has_one_of_each_institution(kind: str) -> None:
    table = tall().building("u1", kind)
    table.refused("KS-43", "A", "building_built", **new(kind))
    for edition in EARLY:
        assert tall(edition).building("u1", kind).allowed("A", "building_built", **new(kind))


@pytest.mark.parametrize("edition", EDITIONS)
def test_ks_43_a_castle_has_one_farm_in_every_edition(edition: str) -> None:
    Table(edition).refused("KS-43", "A", "building_built", **new("farm"))
    Table(edition).ruin("C1-farm").refused("KS-43", "A", "building_built", **new("farm"))


def test_param_institutions_single_is_by_castle_or_the_embassy_of_the_kingdom() -> None:
    def table(**options: Any) -> Table:
        one = tall(**options).building("e1", "embassy").building("u1", "university").castle("D1", level=3)
        return one.building("D1-farm", "farm", "D1").link("r1", "C1", "D1")

    table().refused("KS-43", "A", "building_built", **new("university"))
    assert table().allowed("A", "building_built", **new("embassy", "D1"))
    assert table(institutions__single="embassy").allowed("A", "building_built", **new("university"))
    table(institutions__single="embassy").refused("KS-23", "A", "building_built", **new("embassy", "D1"))


@pytest.mark.parametrize("edition", EDITIONS[3:])
def test_ks_44_a_castle_has_two_war_forges(edition: str) -> None:
    table = tall(edition).building("f1", "war_forge")
    table.do("A", "building_built", **new("war_forge"))
    table.refused("KS-44", "A", "building_built", **new("war_forge", id_="n2"))


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_ks_44_before_v4_a_castle_has_one_war_forge(edition: str) -> None:
    tall(edition).building("f1", "war_forge").refused("KS-44", "A", "building_built", **new("war_forge"))


def test_param_forge_max_per_castle_limits_war_forges() -> None:
    table = tall().buildings("war_forge", "war_forge")
    table.refused("KS-44", "A", "building_built", **new("war_forge"))
    table = tall(forge__max_per_castle=3).buildings("war_forge", "war_forge")
    assert table.allowed("A", "building_built", **new("war_forge"))


@pytest.mark.parametrize("kind", ["barracks", "harbor", "hangar", "trainyard", "quarry", "lumber_mill"])
def test_ks_45_stackable_buildings_may_come_again(kind: str) -> None:
    table = tall().buildings(kind, kind)
    table.do("A", "building_built", **new(kind))


def test_ks_64_barracks_need_a_lumber_mill() -> None:
    refusal = great().refused("KS-64", "A", "building_built", **new("barracks"))
    assert refusal.nearest == "a lumber_mill of level 1"
    great().building("m1", "lumber_mill").do("A", "building_built", **new("barracks"))


@pytest.mark.parametrize("kind", ["quarry", "harbor", "embassy"])
def test_ks_60_the_ladder_of_the_mill_opens_its_rungs(kind: str) -> None:
    great().refused("KS-60", "A", "building_built", **new(kind))
    tall().do("A", "building_built", **new(kind))


@pytest.mark.parametrize("kind", ["wall", "war_forge", "religion", "university", "trainyard", "hangar"])
def test_ks_61_the_ladder_of_the_quarry_opens_its_rungs(kind: str) -> None:
    great().building("m1", "lumber_mill", level=10).refused("KS-61", "A", "building_built", **new(kind))
    tall().do("A", "building_built", **new(kind))


def test_ks_60_a_mill_elsewhere_counts_only_by_road_and_only_standing() -> None:
    table = tall().castle("D1", level=5).building("D1-farm", "farm", "D1")
    table.refused("KS-60", "A", "building_built", **new("harbor", "D1"))
    table.link("r1", "C1", "D1")
    assert table.allowed("A", "building_built", **new("harbor", "D1"))
    table.ruin("m1").refused("KS-60", "A", "building_built", **new("harbor", "D1"))


def test_ks_04_both_branches_open_what_is_built() -> None:
    great().refused("KS-60", "A", "building_built", **new("quarry"))
    table = great().building("m1", "lumber_mill").do("A", "building_built", **new("quarry"))
    table.do("A", "building_built", **new("wall", id_="w1"))


def test_ks_42_nothing_is_built_before_the_farm() -> None:
    table = tall().castle("D1", level=5).link("r1", "C1", "D1")
    table.refused("KS-42", "A", "building_built", **new("barracks", "D1"))
    table.do("A", "building_built", **new("farm", "D1"))
    table.do("A", "building_built", **new("barracks", "D1", "n2"))


def test_a_ruined_farm_is_a_farm() -> None:
    tall().ruin("C1-farm").do("A", "building_built", **new("barracks"))


def test_ksh_65_nothing_is_built_or_raised_at_a_ruined_castle() -> None:
    table = tall().ruin("C1")
    table.refused("KSH-65", "A", "building_built", **new("barracks"))
    table.refused("KSH-65", "A", "building_upgraded", **up("m1", 6))
    table.levels(castle=9).ruin("C1").refused("KSH-65", "A", "castle_upgraded", castle="C1", to_level=10)
    table.levels(castle=10).ruin("C1")
    table.refused("KSH-65", "A", "district_founded", castle="D1", district_kind="Military", parent_castle="C1")


def test_ksh_41_a_castle_has_one_wall_that_touches_it() -> None:
    table = tall().do("A", "building_built", **new("wall", direct=False))
    assert table.get("buildings.n1.direct") is True
    table.refused("KSH-41", "A", "building_built", **new("wall", id_="n2"))


def test_param_wall_max_per_castle_limits_walls() -> None:
    tall().building("w1", "wall").refused("KSH-41", "A", "building_built", **new("wall"))
    tall(wall__max_per_castle=0).refused("KSH-41", "A", "building_built", **new("wall"))
    table = tall(wall__max_per_castle=2).building("w1", "wall").do("A", "building_built", **new("wall"))
    table.refused("KSH-41", "A", "building_built", **new("wall", id_="n2"))


def test_the_checks_of_a_building_come_in_their_order() -> None:
    table = great().castle("D1").building("b1", "barracks", "D1").building("e1", "embassy", "D1").ruin("D1")
    table.refused("KS-40", "A", "building_built", **new("embassy", "D1"))
    table.castle("D1", level=5, damage=50).refused("KS-23", "A", "building_built", **new("embassy", "D1"))
    table.refused("KS-64", "A", "building_built", **new("barracks", "D1"))
    table.building("m9", "lumber_mill", "D1").refused("KS-42", "A", "building_built", **new("barracks", "D1"))
    table.building("D1-farm", "farm", "D1").refused("KSH-65", "A", "building_built", **new("barracks", "D1"))
    table.set(ap_total=0).refused("KSH-65", "A", "building_built", **new("barracks", "D1"))
    table.castle("D1", damage=0).refused("KS-21", "A", "building_built", **new("barracks", "D1"))


def test_a_building_that_a_referee_accepted_stands() -> None:
    table = Table().accept("A", "building_built", **new("hangar"))
    assert table.get("buildings.n1.kind") == "hangar"
    table = Table().buildings("barracks").accept("A", "building_built", **new("barracks", id_="b2"))
    assert table.get("buildings.b2.level") == 1


def test_ksh_42_other_names_of_a_kind_are_understood() -> None:
    table = great()
    for at, (said, meant) in enumerate(
        {"Mill": "lumber_mill", "yard": "lumber_mill", "lumberyard": "lumber_mill"}.items()
    ):
        table.do("A", "building_built", **new(said, id_=f"m{at}"))
        assert table.get(f"buildings.m{at}.kind") == meant
    table = (
        tall().do("A", "building_built", **new("Train Station")).do("A", "building_built", **new("airport", id_="n2"))
    )
    assert (table.get("buildings.n1.kind"), table.get("buildings.n2.kind")) == ("trainyard", "hangar")


def test_ks_63_mill_and_yard_are_one_building() -> None:
    table = great().do("A", "building_built", **new("lumberyard"))
    table.do("A", "building_built", **new("barracks", id_="b1"))
    assert table.get("buildings.n1.kind") == "lumber_mill"


def test_param_build_level_is_the_level_of_a_new_piece_below_its_ceiling() -> None:
    assert tall().do("A", "building_built", **new("barracks")).get("buildings.n1.level") == 1
    assert tall(build__level=3).do("A", "building_built", **new("barracks")).get("buildings.n1.level") == 3
    table = tall(build__level=3).levels(farm=2).do("A", "building_built", **new("barracks"))
    assert table.get("buildings.n1.level") == 2
    table = tall(build__level=3).ruin("C1-farm").do("A", "building_built", **new("barracks"))
    assert table.get("buildings.n1.level") == 1
    table = great(build__level=3).levels(king=2)
    table.do("A", "castle_founded", castle="D1", at={"field": "moor"}, king_distance_ft10=0)
    assert (table.get("castles.D1.level"), table.get("buildings.D1-farm.level")) == (2, 1)


def test_param_cost_build_is_what_a_build_costs() -> None:
    assert tall().do("A", "building_built", **new("barracks")).get("ap_spent") == 1
    assert tall(cost__build=3).do("A", "building_built", **new("barracks")).get("ap_spent") == 3
    assert tall(cost__build=0).set(ap_total=0).allowed("A", "building_built", **new("barracks"))


# What a Mill or Quarry opens


def test_a_mill_or_quarry_tells_what_it_opens() -> None:
    table = great().do("A", "building_built", **new("lumber_mill"))
    assert [one.data for one in table.consequences] == [{"id": "A", "kinds": ["quarry", "barracks"]}]
    table.do("A", "building_upgraded", **up("n1", 2))
    assert table.consequences == ()
    table.do("A", "building_upgraded", **up("n1", 3))
    assert table.told("technology_unlocked") == ["A"]
    table.do("A", "building_built", **new("lumber_mill", id_="n2"))
    assert table.consequences == ()
    table.do("A", "building_built", **new("quarry", id_="q1")).do("A", "building_upgraded", **up("q1", 2))
    assert [one.data["kinds"] for one in table.consequences] == [["war_forge"]]


def test_the_early_ladder_opens_other_things() -> None:
    table = great("KS-V1").building("q1", "quarry").do("A", "building_upgraded", **up("q1", 2))
    assert [one.data["kinds"] for one in table.consequences] == [["bridge", "war_forge"]]


# When it works


def test_ksh_11_what_is_built_works_at_once() -> None:
    great().do("A", "building_built", **new("lumber_mill")).do("A", "building_built", **new("barracks", id_="b1"))
    tall().do("A", "building_built", **new("harbor")).do("A", "ship_built", ship="s1", harbor="n1")


def test_param_build_ready_lets_new_pieces_wait_for_the_next_turn() -> None:
    def table(**options: Any) -> Table:
        one = tall(**options).building("t1", "trainyard")
        for at, kind in enumerate(("harbor", "hangar", "trainyard"), 1):
            one.do("A", "building_built", **new(kind, id_=f"n{at}"))
        return one

    assert table().allowed("A", "ship_built", ship="s1", harbor="n1")
    assert table().allowed("A", "rail_laid", link="r1", a="t1", b="n3", length_ft10=5)
    waiting = table(build__ready="next_turn")
    waiting.refused("KS-69", "A", "ship_built", ship="s1", harbor="n1")
    waiting.refused("KS-69", "A", "plane_built", plane="p1", hangar="n2")
    waiting.refused("KS-68", "A", "rail_laid", link="r1", a="t1", b="n3", length_ft10=5)
    waiting.building("h1", "harbor").do("A", "ship_built", ship="s1", harbor="h1")
    waiting.refused("KSH-53", "A", "ship_built", ship="s2", harbor="h1")
    mill = great(build__ready="next_turn").do("A", "building_built", **new("lumber_mill"))
    mill.refused("KS-64", "A", "building_built", **new("barracks", id_="b1"))
    mill.set(built_now=frozenset()).do("A", "building_built", **new("barracks", id_="b1"))


# Castles


def found(distance: int = 10, **more: Any) -> dict[str, Any]:
    """Return the data of `castle_founded`."""
    return {"castle": "D1", "at": {"field": "moor"}, "king_distance_ft10": distance, **more}


def test_a_castle_is_founded_with_its_farm() -> None:
    table = Table().do("A", "castle_founded", **found(name="Moor End"))
    assert table.get("castles.D1") == {
        "kingdom": "A", "founder": "A", "name": "Moor End", "level": 1, "is_capital": False, "role": None,
        "parent_castle": None, "district_kind": None, "damage": 0, "at": {"field": "moor"}, "founded_seq": 101,
    }  # fmt: skip
    assert table.get("buildings.D1-farm.direct") is True
    assert table.get("ap_spent") == 1
    assert table.get("kingdoms.A.king.at") == {"castle": "C1"}
    assert {"D1", "D1-farm"} <= table.state.taken


def test_ksh_33_a_castle_is_founded_on_a_field_within_the_kings_influence() -> None:
    table = Table().levels(king=3)
    table.refused("KSH-33", "A", "castle_founded", **found(at={"castle": "C2"}))
    assert table.refused("KSH-33", "A", "castle_founded", **found(31)).nearest == "at most 3.0 ft from the King"
    table.do("A", "castle_founded", **found(30))


def test_param_castle_found_is_by_influence_anywhere_or_not_at_all() -> None:
    Table().refused("KSH-33", "A", "castle_founded", **found(500))
    table = Table(castle__found="anywhere")
    assert table.allowed("A", "castle_founded", **found(500))
    table.refused("KSH-33", "A", "castle_founded", **found(5, at={"castle": "C1"}))
    Table(castle__found="none").refused("KSH-33", "A", "castle_founded", **found())


def test_ksh_34_a_kingdom_may_have_any_number_of_castles_by_default() -> None:
    table = Table()
    for at in range(12):
        table.do("A", "castle_founded", **{**found(), "castle": f"D{at}"})
    Table(castle__max=1).refused("KSH-34", "A", "castle_founded", **found())


def test_ks_36_ten_is_a_level_and_no_number_of_cities() -> None:
    table = Table()
    for at in range(10):
        table.do("A", "castle_founded", **{**found(), "castle": f"D{at}"})
    assert sum(one["kingdom"] == "A" for one in table.get("castles").values()) == 11


def test_param_castle_max_counts_ruins_and_districts() -> None:
    def table(**options: Any) -> Table:
        return Table(**options).castle("E1", parent_castle="C1").castle("E2").ruin("E2")

    assert table().allowed("A", "castle_founded", **found())
    assert table(castle__max=4).allowed("A", "castle_founded", **found())
    table(castle__max=3).refused("KSH-34", "A", "castle_founded", **found())


def test_u_7_a_castle_has_new_ids() -> None:
    table = Table()
    table.refused("U-7", "A", "castle_founded", **{**found(), "castle": "C2"})
    table.refused("U-7", "A", "castle_founded", **found(farm="C1-farm"))
    table.refused("U-7", "A", "castle_founded", **found(farm="D1"))
    table.refused("U-7", "A", "castle_founded", **found(at={"castle": "C9"}))


def test_a_castle_that_a_referee_accepted_stands() -> None:
    table = Table().accept("A", "castle_founded", **found(500, at={"castle": "C2"}))
    assert table.get("castles.D1.at") == {"castle": "C2"}


def test_ksh_03_a_new_castle_comes_with_a_farm() -> None:
    assert "D1-farm" in Table().do("A", "castle_founded", **found()).get("buildings")
    assert "D1-farm" not in Table(setup__farm_level=0).do("A", "castle_founded", **found()).get("buildings")


# Districts


def district(kind: str = "Harbor", parent: str = "C1", **more: Any) -> dict[str, Any]:
    """Return the data of `district_founded`."""
    return {"castle": "D1", "district_kind": kind, "parent_castle": parent, **more}


@pytest.mark.parametrize("kind", ["Military", "Harbor", "University", "Industrial", "Religious"])
def test_ks_12_a_castle_of_level_ten_founds_districts(kind: str) -> None:
    table = great().do("A", "district_founded", **district(kind))
    assert table.get("castles.D1") == {
        "kingdom": "A", "founder": "A", "name": None, "level": 1, "is_capital": False, "role": None,
        "parent_castle": "C1", "district_kind": kind, "damage": 0, "at": {"castle": "C1"}, "founded_seq": 101,
    }  # fmt: skip
    assert "D1-farm" in table.get("buildings")
    assert table.get("ap_spent") == 1


def test_ks_38_a_district_needs_a_kind_and_a_parent_of_level_ten() -> None:
    table = great()
    table.refused("KS-38", "A", "district_founded", **district("Magic"))
    table.refused("KS-38", "A", "district_founded", **district("harbor"))
    table.levels(castle=9).refused("KS-38", "A", "district_founded", **district())


@pytest.mark.parametrize("edition", EARLY)
def test_ks_38_there_are_no_districts_before_v5(edition: str) -> None:
    great(edition).refused("KS-38", "A", "district_founded", **district())


def test_param_districts_enabled_is_the_edition_s() -> None:
    assert great().allowed("A", "district_founded", **district())
    great(districts__enabled="no").refused("KS-38", "A", "district_founded", **district())
    assert great("KS-V4", districts__enabled="yes").allowed("A", "district_founded", **district())


def test_ksh_35_a_district_founds_no_districts() -> None:
    table = great().castle("E1", parent_castle="C1", district_kind="Harbor", level=10)
    assert table.refused("KSH-35", "A", "district_founded", **district(parent="E1")).nearest == "C1"


def test_param_district_nested_lets_a_district_found_districts() -> None:
    great().castle("E1", parent_castle="C1", level=10).refused(
        "KSH-35", "A", "district_founded", **district(parent="E1")
    )
    table = great(district__nested="yes").castle("E1", parent_castle="C1", level=10)
    table.do("A", "district_founded", **district(parent="E1"))
    table.castle("E1", level=9).refused("KS-38", "A", "district_founded", **{**district(parent="E1"), "castle": "D2"})


def test_u_7_a_district_has_an_own_parent_and_new_ids() -> None:
    table = great().levels(10, 10, 10, "B")
    table.refused("U-7", "A", "district_founded", **district(parent="C2"))
    table.refused("U-7", "A", "district_founded", **district(parent="C9"))
    table.refused("U-7", "A", "district_founded", **{**district(), "castle": "C1-farm"})
    table.refused("U-7", "A", "district_founded", **district(farm="D1"))


def test_ksh_36_kinds_of_districts_are_labels_that_may_repeat() -> None:
    table = tall().do("A", "district_founded", **district())
    table.do("A", "district_founded", **{**district(), "castle": "D2"})
    table.castle("D1", level=5).do("A", "building_built", **new("barracks", "D1"))
    great(district__unique="yes").castle("E1", parent_castle="C1", district_kind="Harbor").refused(
        "KSH-36", "A", "district_founded", **district()
    )


def test_param_district_unique_forbids_a_second_of_a_kind() -> None:
    def table(**options: Any) -> Table:
        return great(**options).castle("E1", parent_castle="C1", district_kind="Harbor")

    assert table().allowed("A", "district_founded", **district())
    table(district__unique="yes").refused("KSH-36", "A", "district_founded", **district())
    assert table(district__unique="yes").allowed("A", "district_founded", **district("Military"))


STRICT = {
    "Military": {"barracks", "war_forge"},
    "Harbor": {"harbor"},
    "University": {"university"},
    "Industrial": {"quarry", "lumber_mill", "trainyard"},
    "Religious": {"religion"},
}


@pytest.mark.parametrize("kind", STRICT)
def test_param_district_strict_admits_only_what_belongs_there(kind: str) -> None:
    kinds = ("barracks", "harbor", "hangar", "trainyard", "university", "embassy", "religion", "war_forge", "wall")

    def table(**options: Any) -> Table:
        one = tall(**options).castle("E1", parent_castle="C1", district_kind=kind, level=9)
        return one.building("E1-farm", "farm", "E1")

    strict = table(district__strict="yes")
    for built in (*kinds, "lumber_mill", "quarry"):
        assert table().allowed("A", "building_built", **new(built, "E1"))
        if built in STRICT[kind]:
            assert strict.allowed("A", "building_built", **new(built, "E1"))
        else:
            strict.refused("KSH-36", "A", "building_built", **new(built, "E1"))


def test_a_strict_district_may_have_its_farm() -> None:
    table = great(district__strict="yes", setup__farm_level=0).do("A", "district_founded", **district())
    table.do("A", "building_built", **new("farm", "D1"))


def test_a_district_that_a_referee_accepted_stands() -> None:
    table = Table().accept("A", "district_founded", **district("Magic"))
    assert table.get("castles.D1.district_kind") == "Magic"


# Roads and rails


def road(link: str = "r1", a: str = "C1", b: str = "C2", kind: str = "road", length: int = 40) -> dict[str, Any]:
    """Return the data of `road_laid`."""
    return {"link": link, "kind": kind, "a": a, "b": b, "length_ft10": length}


def test_a_road_lies_between_castles_buildings_and_junctions() -> None:
    table = tall().do("A", "road_laid", **road(b="ford"))
    assert table.get("links.r1") == {
        "kingdom": "A", "kind": "road", "a": "C1", "b": "ford", "length_ft10": 40, "cut": False,
    }  # fmt: skip
    assert {"r1", "ford"} <= table.state.taken
    table.do("A", "road_laid", **road("r2", "ford", "C2-farm")).set(turn_kingdom="B")
    table.do("B", "road_laid", **road("r3", "ford", "C2")).do("B", "road_laid", **road("r4", "C2", "m1"))
    assert table.get("ap_spent") == 4


def test_u_7_a_road_leads_from_one_end_to_another() -> None:
    table = tall().army("a1", in_castle("C1")).link("r0", "C1", "C2")
    for wrong in (road(b="C1"), road(b="r1"), road(b="r0"), road(b="a1"), road(a="a1", b="C1"), road("C1", "C2", "m1")):
        table.refused("U-7", "A", "road_laid", **wrong)
    table.refused("U-7", "A", "building_built", **new("barracks", id_="r0"))


def test_u_7_a_junction_is_no_name_for_anything_else() -> None:
    table = tall().do("A", "road_laid", **road(b="ford"))
    table.refused("U-7", "A", "building_built", **new("barracks", id_="ford"))
    table.refused("U-7", "A", "road_laid", **road("ford"))


@pytest.mark.parametrize("kind", ["bridge", "improved_road"])
def test_ks_61_bridges_and_improved_roads_need_a_quarry(kind: str) -> None:
    great().refused("KS-61", "A", "road_laid", **road(kind=kind))
    assert great().allowed("A", "road_laid", **road())
    table = great().castle("E1").building("q1", "quarry", "E1", direct=False)
    table.do("A", "road_laid", **road(kind=kind))
    table.ruin("q1").refused("KS-61", "A", "road_laid", **road("r2", kind=kind))
    table.building("q9", "quarry", "C2").refused("KS-61", "A", "road_laid", **road("r2", kind=kind))


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_ks_61_the_early_ladder_has_bridges_at_two_and_no_improved_roads(edition: str) -> None:
    table = great(edition).building("q1", "quarry", level=10)
    table.refused("KS-61", "A", "road_laid", **road(kind="improved_road"))
    assert table.allowed("A", "road_laid", **road(kind="bridge"))
    table.building("q1", level=1).refused("KS-61", "A", "road_laid", **road(kind="bridge"))


def test_ksh_45_an_improved_road_works_like_a_road() -> None:
    table = tall().building("b1", "barracks", direct=False)
    assert table.condition("b1") == "isolated"
    table.do("A", "road_laid", **road(b="b1", kind="Engineered Road"))
    assert table.get("links.r1.kind") == "improved_road"
    assert table.condition("b1") == "active"
    assert table.told("building_reconnected") == ["b1"]


def test_ksh_47_a_road_may_have_any_length_by_default() -> None:
    assert Table().allowed("A", "road_laid", **road(length=5000))
    Table(road__max_ft10=50).refused("KSH-47", "A", "road_laid", **road(length=51))


def test_param_road_max_ft10_limits_the_length() -> None:
    assert Table().allowed("A", "road_laid", **road(length=300))
    assert Table(road__max_ft10=60).allowed("A", "road_laid", **road(length=60))
    Table(road__max_ft10=60).refused("KSH-47", "A", "road_laid", **road(length=61))


def test_a_road_that_a_referee_accepted_lies() -> None:
    table = Table(road__max_ft10=10).accept("A", "road_laid", **road(kind="bridge"))
    assert table.get("links.r1.kind") == "bridge"


def stations(**options: Any) -> Table:
    """Return a table with Trainyards t1 and t2 of A's and t3 of B's."""
    table = tall(**options).building("t1", "trainyard").castle("E1").building("t2", "trainyard", "E1")
    return table.building("t3", "trainyard", "C2")


def rail(a: str = "t1", b: str = "t2") -> dict[str, Any]:
    """Return the data of `rail_laid`."""
    return {"link": "r1", "a": a, "b": b, "length_ft10": 80}


def test_a_rail_lies_between_trainyards() -> None:
    table = stations().do("A", "rail_laid", **rail())
    assert table.get("links.r1") == {
        "kingdom": "A", "kind": "rail", "a": "t1", "b": "t2", "length_ft10": 80, "cut": False,
    }  # fmt: skip
    assert table.get("ap_spent") == 1


def test_ks_68_both_ends_of_a_rail_are_active_own_or_allied_trainyards() -> None:
    table = stations()
    table.refused("KS-68", "A", "rail_laid", **rail(b="m1"))
    table.refused("KS-68", "A", "rail_laid", **rail(b="C1"))
    table.refused("KS-68", "A", "rail_laid", **rail(b="t3"))
    table.refused("KS-68", "A", "rail_laid", **rail(b="t1"))
    table.building("t2", direct=False).refused("KS-68", "A", "rail_laid", **rail())
    table.building("t2", direct=True).ruin("t2").refused("KS-68", "A", "rail_laid", **rail("t2", "t1"))
    table.allies("A", "B").do("A", "rail_laid", **rail(b="t3"))


def test_ksh_50_a_rail_may_lead_to_an_ally() -> None:
    stations().allies("A", "B").do("A", "rail_laid", **rail(b="t3"))


def test_param_rail_allied_may_be_for_own_trainyards_alone() -> None:
    assert stations().allies("A", "B").allowed("A", "rail_laid", **rail(b="t3"))
    table = stations(rail__allied="no").allies("A", "B")
    table.refused("KS-68", "A", "rail_laid", **rail(b="t3"))
    assert table.allowed("A", "rail_laid", **rail())


def test_u_7_a_rail_has_a_new_id_and_ends_that_there_are() -> None:
    table = stations()
    table.refused("U-7", "A", "rail_laid", **rail(b="t9"))
    table.refused("U-7", "A", "rail_laid", **{**rail(), "link": "t1"})


def test_a_rail_that_a_referee_accepted_lies() -> None:
    assert stations().accept("A", "rail_laid", **rail(b="C1")).get("links.r1.b") == "C1"


# Ships and planes


def test_a_ship_lies_at_its_harbor_and_a_plane_at_its_hangar() -> None:
    table = tall().building("h1", "harbor").building("g1", "hangar")
    table.do("A", "ship_built", ship="s1", harbor="h1").do("A", "plane_built", plane="p1", hangar="g1")
    assert table.get("ships.s1") == {
        "kingdom": "A", "harbor": "h1", "at": {"castle": "C1"}, "damage": 0, "cargo": {}, "moved": False, "built_seq": 101,
    }  # fmt: skip
    assert table.get("planes.p1") == {
        "kingdom": "A", "hangar": "g1", "at": {"castle": "C1"}, "damage": 0, "moved": False, "built_seq": 102,
    }  # fmt: skip
    assert table.get("ap_spent") == 2


def test_ks_69_a_ship_needs_an_active_harbor_and_a_plane_an_active_hangar() -> None:
    table = tall().building("h1", "harbor", direct=False).building("g1", "hangar").ruin("g1")
    table.refused("KS-69", "A", "ship_built", ship="s1", harbor="h1")
    table.refused("KS-69", "A", "ship_built", ship="s1", harbor="m1")
    table.refused("KS-69", "A", "plane_built", plane="p1", hangar="g1")
    table.refused("KS-69", "A", "plane_built", plane="p1", hangar="h1")


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_ks_60_the_early_ladder_opens_ships_at_mill_two_and_planes_at_quarry_five(edition: str) -> None:
    table = great(edition).building("h1", "harbor").building("g1", "hangar")
    table.refused("KS-60", "A", "ship_built", ship="s1", harbor="h1")
    table.refused("KS-61", "A", "plane_built", plane="p1", hangar="g1")
    table.building("m1", "lumber_mill", level=2).building("q1", "quarry", level=4)
    table.refused("KS-61", "A", "plane_built", plane="p1", hangar="g1")
    table.do("A", "ship_built", ship="s1", harbor="h1")
    table.building("q1", level=5).do("A", "plane_built", plane="p1", hangar="g1")


def test_ksh_53_harbor_levels_limit_the_ships() -> None:
    table = tall().building("h1", "harbor", level=2).building("h2", "harbor", level=3, direct=False)
    for at in (1, 2):
        table.do("A", "ship_built", ship=f"s{at}", harbor="h1")
    table.refused("KSH-53", "A", "ship_built", ship="s3", harbor="h1")
    table.building("h3", "harbor", "C2", level=3).set(turn_kingdom="B").do("B", "ship_built", ship="s4", harbor="h3")


def test_ksh_54_hangar_levels_limit_the_planes() -> None:
    table = tall().building("g1", "hangar", level=1).building("g2", "hangar", level=2)
    for at in (1, 2, 3):
        table.do("A", "plane_built", plane=f"p{at}", hangar="g1")
    table.refused("KSH-54", "A", "plane_built", plane="p4", hangar="g2")


def test_u_7_ships_and_planes_have_new_ids_and_own_harbors() -> None:
    table = tall().building("h1", "harbor").building("h2", "harbor", "C2").building("g2", "hangar", "C2")
    table.refused("U-7", "A", "ship_built", ship="h1", harbor="h1")
    table.refused("U-7", "A", "ship_built", ship="s1", harbor="h2")
    table.refused("U-7", "A", "ship_built", ship="s1", harbor="h9")
    table.refused("U-7", "A", "plane_built", plane="h1", hangar="g2")
    table.refused("U-7", "A", "plane_built", plane="p1", hangar="g2")


def test_a_ship_that_a_referee_accepted_is_there() -> None:
    assert tall().accept("A", "ship_built", ship="s1", harbor="m1").get("ships.s1.at") == {"castle": "C1"}
    assert tall().accept("A", "plane_built", plane="p1", hangar="m1").get("planes.p1.hangar") == "m1"


# Kings


def test_ks_13_a_king_rises_without_end() -> None:
    table = Table().levels(king=30).do("A", "king_upgraded", to_level=31)
    assert table.get("kingdoms.A.king.level") == 31


def test_ks_25_an_upgrade_takes_one_action_whatever_a_build_costs() -> None:
    table = tall(cost__build=3).levels(king=11, castle=9)
    table.do("A", "king_upgraded", to_level=12)
    table.do("A", "castle_upgraded", castle="C1", to_level=10)
    table.do("A", "building_upgraded", **up("m1", 6))
    assert table.get("ap_spent") == 3


def test_ksh_09_an_upgrade_raises_by_one_level() -> None:
    table = tall().levels(castle=5, farm=5)
    for to_level in (9, 10, 12):
        table.refused("KSH-09", "A", "king_upgraded", to_level=to_level)
    for to_level in (4, 5, 7):
        table.refused("KSH-09", "A", "castle_upgraded", castle="C1", to_level=to_level)
    for to_level in (4, 5, 7, 12):
        table.refused("KSH-09", "A", "building_upgraded", **up("m1", to_level))


def test_param_upgrade_step_raises_by_more_but_not_over_a_ceiling() -> None:
    assert tall().allowed("A", "building_upgraded", **up("m1", 6))
    table = tall(upgrade__step=3)
    assert table.allowed("A", "building_upgraded", **up("m1", 8))
    table.refused("KSH-09", "A", "building_upgraded", **up("m1", 6))
    table.levels(farm=7)
    assert table.allowed("A", "building_upgraded", **up("m1", 7))
    table.refused("KS-30", "A", "building_upgraded", **up("m1", 8))
    table.refused("KSH-09", "A", "building_upgraded", **up("m1", 6))
    table.levels(castle=8)
    assert table.allowed("A", "castle_upgraded", castle="C1", to_level=10)
    table.refused("KS-37", "A", "castle_upgraded", castle="C1", to_level=11)
    assert table.allowed("A", "king_upgraded", to_level=13)
    table.refused("KSH-09", "A", "king_upgraded", to_level=11)


def test_a_king_that_a_referee_accepted_has_the_recorded_level() -> None:
    assert Table().accept("A", "king_upgraded", to_level=4).get("kingdoms.A.king.level") == 4


# Castles rise


def test_ks_05_every_castle_can_rise_to_level_ten() -> None:
    table = great().castle("D1", level=1)
    for level in range(2, 11):
        table.do("A", "castle_upgraded", castle="D1", to_level=level)
    table.refused("KS-37", "A", "castle_upgraded", castle="D1", to_level=11)


def test_ks_37_a_castle_ends_at_level_ten() -> None:
    for edition in EDITIONS:
        great(edition).levels(king=12).refused("KS-37", "A", "castle_upgraded", castle="C1", to_level=11)
        table = great(edition).levels(king=12).building("b1", "barracks", level=10)
        table.refused("KS-37", "A", "building_upgraded", **up("b1", 11))


@pytest.mark.parametrize("edition", EDITIONS[3:])
def test_ks_28_no_castle_is_above_its_king(edition: str) -> None:
    table = Table(edition).levels(6, 6, 5).castle("D1", level=6)
    for castle in ("C1", "D1"):
        assert table.refused("KS-28", "A", "castle_upgraded", castle=castle, to_level=7).nearest == "king_upgraded"
    table.do("A", "king_upgraded", to_level=7).do("A", "castle_upgraded", castle="C1", to_level=7)


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_before_v4_no_king_caps_a_castle(edition: str) -> None:
    Table(edition).levels(2, 2, 1).do("A", "castle_upgraded", castle="C1", to_level=3)


def test_ks_51_the_capital_is_capped_by_its_king() -> None:
    Table().levels(3, 3, 1).refused("KS-28", "A", "castle_upgraded", castle="C1", to_level=4)
    capital = Table(order__castle_cap="capital").levels(3, 3, 1)
    capital.refused("KS-28", "A", "castle_upgraded", castle="C1", to_level=4)


def test_param_order_castle_cap_frees_castles_that_are_no_capital() -> None:
    Table().castle("D1").refused("KS-28", "A", "castle_upgraded", castle="D1", to_level=2)
    assert Table(order__castle_cap="capital").castle("D1").allowed("A", "castle_upgraded", castle="D1", to_level=2)


def test_u_7_only_own_castles_and_buildings_rise() -> None:
    table = Table().levels(5, 1, 1)
    table.refused("U-7", "A", "castle_upgraded", castle="C2", to_level=2)
    table.refused("U-7", "A", "castle_upgraded", castle="C9", to_level=2)
    table.refused("U-7", "A", "building_upgraded", **up("C2-farm", 2))
    table.refused("U-7", "A", "building_upgraded", **up("b9", 2))


def test_a_castle_that_a_referee_accepted_has_the_recorded_level() -> None:
    assert Table().accept("A", "castle_upgraded", castle="C1", to_level=4).get("castles.C1.level") == 4


# Buildings rise


@pytest.mark.parametrize("edition", EDITIONS[3:])
def test_ks_29_no_farm_is_above_its_castle(edition: str) -> None:
    table = Table(edition).levels(9, 6, 6)
    table.refused("KS-29", "A", "building_upgraded", **up("C1-farm", 7))
    table.levels(farm=5).do("A", "building_upgraded", **up("C1-farm", 6))


@pytest.mark.parametrize("edition", EDITIONS[3:])
def test_ks_30_no_other_building_is_above_its_farm(edition: str) -> None:
    table = Table(edition).levels(6, 6, 5).building("f1", "war_forge", level=4)
    table.do("A", "building_upgraded", **up("f1", 5))
    table.refused("KS-30", "A", "building_upgraded", **up("f1", 6))


def test_ks_31_ties_are_allowed_at_each_step() -> None:
    table = Table().levels(6, 5, 4).building("f1", "war_forge", level=5)
    table.do("A", "castle_upgraded", castle="C1", to_level=6)
    table.building("C1-farm", level=5).do("A", "building_upgraded", **up("C1-farm", 6))
    table.do("A", "building_upgraded", **up("f1", 6))


def test_ks_03_a_city_grows_on_its_farm() -> None:
    table = Table().levels(9, 9, 3).building("b1", "barracks", level=3)
    table.refused("KS-30", "A", "building_upgraded", **up("b1", 4))
    table.do("A", "building_upgraded", **up("C1-farm", 4)).do("A", "building_upgraded", **up("b1", 4))


def test_ks_30_without_a_standing_farm_nothing_rises() -> None:
    table = Table().levels(5, 5, 5).building("b1", "barracks").ruin("C1-farm")
    table.refused("KS-30", "A", "building_upgraded", **up("b1", 2))
    table = Table().castle("D1", level=5).building("b1", "barracks", "D1")
    table.refused("KS-30", "A", "building_upgraded", **up("b1", 2))


@pytest.mark.parametrize("edition", EDITIONS[1:3])
def test_ks_55_no_forge_is_above_its_castle(edition: str) -> None:
    table = Table(edition).levels(12, 2, 2).building("f1", "war_forge", level=2).building("b1", "barracks", level=2)
    table.refused("KS-55", "A", "building_upgraded", **up("f1", 3))
    table.do("A", "building_upgraded", **up("b1", 3)).do("A", "building_upgraded", **up("C1-farm", 3))
    table.levels(castle=3).do("A", "building_upgraded", **up("f1", 3))


def test_ks_55_the_forge_is_capped_by_its_castle_under_the_full_chain_too() -> None:
    table = Table().levels(5, 2, 5).building("f1", "war_forge", level=2)
    table.refused("KS-55", "A", "building_upgraded", **up("f1", 3))


def test_in_v1_nothing_caps_a_forge() -> None:
    Table("KS-V1").levels(1, 1, 1).building("f1", "war_forge", level=9).do("A", "building_upgraded", **up("f1", 10))


def test_ks_73_a_ruin_does_not_rise() -> None:
    table = tall().ruin("m1")
    table.refused("KS-73", "A", "building_upgraded", **up("m1", 6))
    table.ruin("C1").refused("KS-73", "A", "building_upgraded", **up("m1", 6))


def test_param_farm_ruin_lets_upgrades_go_on() -> None:
    Table().levels(5, 5, 5).building("b1", "barracks").ruin("C1-farm").refused(
        "KS-30", "A", "building_upgraded", **up("b1", 2)
    )
    table = Table(farm__ruin="ignore").levels(5, 5, 5).building("b1", "barracks").ruin("C1-farm")
    table.do("A", "building_upgraded", **up("b1", 2))


def test_an_upgrade_leaves_damage_direction_and_age_as_they_are() -> None:
    table = tall().building("b1", "barracks", damage=5, direct=False).do("A", "building_upgraded", **up("b1", 2))
    assert table.get("buildings.b1") == {
        "kind": "barracks", "castle": "C1", "level": 2, "damage": 5, "direct": False, "produced": False, "built_seq": 50,
    }  # fmt: skip


def test_a_building_that_a_referee_accepted_has_the_recorded_level() -> None:
    table = Table().building("b1", "barracks").accept("A", "building_upgraded", **up("b1", 12))
    assert table.get("buildings.b1.level") == 12


def general(**options: Any) -> Table:
    """Return a table where A has a General."""
    table = tall(**options).levels(castle=5, farm=5).building("b1", "barracks").castle("D1")
    kingdoms: dict[str, Kingdom] = table.state.with_kingdom("A", general_person="gil").kingdoms
    return table.set(kingdoms=kingdoms)


def test_ks_50_the_capital_is_closed_to_the_general() -> None:
    table = general()
    table.refused("KS-50", "A", "castle_upgraded", "general", castle="C1", to_level=6)
    assert table.allowed("A", "castle_upgraded", "general", castle="D1", to_level=2)


def test_param_general_capital_buildings_may_close_the_citys_buildings_to_the_general() -> None:
    assert general().allowed("A", "building_upgraded", "general", **up("b1", 2))
    table = general(general__capital_buildings="no")
    table.refused("KSH-74", "A", "building_upgraded", "general", **up("b1", 2))
    assert table.allowed("A", "building_upgraded", **up("b1", 2))


# Repair


def test_ks_26_a_repair_makes_whole() -> None:
    table = tall().building("w1", "wall", level=3, damage=12).castle("C1", damage=30)
    table.building("h1", "harbor").do("A", "ship_built", ship="s1", harbor="h1")
    ships = table.state.ships
    table.set(ships={"s1": type(ships["s1"])("A", "h1", in_castle("C1"), damage=4)}).link("r1", "C1", "C2", cut=True)
    for kind, id_ in (("building", "w1"), ("castle", "C1"), ("ship", "s1"), ("link", "r1")):
        table.do("A", "structure_repaired", **mend(kind, id_))
        table.refused("KS-26", "A", "structure_repaired", **mend(kind, id_))
    assert [table.get(path) for path in ("buildings.w1.damage", "castles.C1.damage", "ships.s1.damage")] == [0, 0, 0]
    assert table.get("links.r1.cut") is False
    assert table.get("ap_spent") == 5


def test_ks_26_planes_and_armies_are_not_repaired() -> None:
    table = tall().building("g1", "hangar").do("A", "plane_built", plane="p1", hangar="g1").army("a1", in_castle("C1"))
    table.refused("KS-26", "A", "structure_repaired", **mend("plane", "p1"))
    table.refused("KS-26", "A", "structure_repaired", **mend("army", "a1"))
    table.accept("A", "structure_repaired", **mend("plane", "p1")).accept(
        "A", "structure_repaired", **mend("army", "a1")
    )


def test_ks_73_a_repaired_ruin_stands_again_at_its_level() -> None:
    table = tall().building("e1", "embassy", level=4).ruin("e1")
    assert table.condition("e1") == "ruined"
    table.do("A", "structure_repaired", **mend("building", "e1"))
    assert (table.condition("e1"), table.get("buildings.e1.level")) == ("active", 4)


def test_a_repaired_castle_connects_its_buildings_again() -> None:
    table = tall().building("b1", "barracks").ruin("C1")
    assert table.condition("b1") == "isolated"
    table.do("A", "structure_repaired", **mend("castle", "C1"))
    assert table.told("building_reconnected") == ["b1"]


def test_u_7_only_own_things_are_repaired() -> None:
    table = tall().link("r1", "C2", "C1", kingdom="B", cut=True).castle("C2", damage=5).army("a2", in_castle("C2"), "B")
    for kind, id_ in (
        ("building", "C2-farm"),
        ("castle", "C2"),
        ("link", "r1"),
        ("army", "a2"),
        ("building", "b9"),
        ("castle", "C9"),
        ("ship", "s9"),
        ("plane", "p9"),
        ("army", "a9"),
        ("link", "r9"),
    ):
        table.refused("U-7", "A", "structure_repaired", **mend(kind, id_))


@pytest.mark.parametrize("edition", EARLY)
def test_ks_26_before_v5_only_a_ruin_is_put_up_again_by_a_build(edition: str) -> None:
    table = tall(edition, cost__build=3).building("w1", "wall", damage=5).castle("C1", damage=5)
    table.link("r1", "C1", "C2", cut=True)
    for kind, id_ in (("building", "w1"), ("castle", "C1"), ("link", "r1")):
        table.refused("KS-26", "A", "structure_repaired", **mend(kind, id_))
    table.ruin("w1").do("A", "structure_repaired", **mend("building", "w1"))
    table.ruin("C1").do("A", "structure_repaired", **mend("castle", "C1"))
    assert table.get("ap_spent") == 6


def test_param_actions_repair_is_the_edition_s() -> None:
    wall = mend("building", "w1")
    assert tall().building("w1", "wall", damage=5).allowed("A", "structure_repaired", **wall)
    tall(actions__repair="no").building("w1", "wall", damage=5).refused("KS-26", "A", "structure_repaired", **wall)
    assert (
        tall("KS-V2", actions__repair="yes").building("w1", "wall", damage=5).allowed("A", "structure_repaired", **wall)
    )


def test_param_repair_restores_all_or_ten_points() -> None:
    def table(**options: Any) -> Table:
        return tall(**options).building("b1", "barracks", level=3, damage=30)

    assert table().do("A", "structure_repaired", **mend("building", "b1")).get("buildings.b1.damage") == 0
    step = table(repair__restores="step").do("A", "structure_repaired", **mend("building", "b1"))
    assert (step.get("buildings.b1.damage"), step.condition("b1")) == (20, "active")
    step.building("b1", damage=4).do("A", "structure_repaired", **mend("building", "b1"))
    assert step.get("buildings.b1.damage") == 0


def besieged(**options: Any) -> Table:
    """Return a table where an army of B's stands at A's Castle, where a Barracks is damaged and a road cut."""
    table = tall(**options).building("b1", "barracks", damage=5).link("r1", "b1", "ford", cut=True)
    return table.army("a9", in_castle("C1"), "B")


def test_ksh_66_repair_is_allowed_under_siege_by_default() -> None:
    besieged().do("A", "structure_repaired", **mend("building", "b1"))
    besieged(repair__under_siege="no").refused("KSH-66", "A", "structure_repaired", **mend("building", "b1"))


def test_param_repair_under_siege_forbids_repair_beside_an_enemy_army() -> None:
    assert besieged().allowed("A", "structure_repaired", **mend("link", "r1"))
    table = besieged(repair__under_siege="no").castle("C1", damage=3)
    for kind, id_ in (("building", "b1"), ("castle", "C1"), ("link", "r1")):
        table.refused("KSH-66", "A", "structure_repaired", **mend(kind, id_))
    assert table.allies("A", "B").allowed("A", "structure_repaired", **mend("building", "b1"))
    table.allies().set(armies={}).army("a8", in_field("moor"), "B").army("a7", in_castle("C1"))
    assert table.allowed("A", "structure_repaired", **mend("building", "b1"))


def test_ksh_39_structures_do_not_change_hands() -> None:
    table = tall().ruin("C2").army("a1", in_castle("C2"))
    table.refused("U-7", "A", "structure_repaired", **mend("castle", "C2"))


def test_param_capture_takes_a_ruined_castle_by_repair() -> None:
    def table(**options: Any) -> Table:
        return tall(**options).building("m2", "lumber_mill", "C2", level=4).ruin("C2").army("a1", in_castle("C2"))

    table().refused("U-7", "A", "structure_repaired", **mend("castle", "C2"))
    taken = table(capture="ruined_castle").do("A", "structure_repaired", **mend("castle", "C2"))
    assert taken.get("castles.C2") | {"at": None} == {
        "kingdom": "A", "founder": "B", "name": None, "level": 1, "is_capital": False, "role": None,
        "parent_castle": None, "district_kind": None, "damage": 0, "at": None, "founded_seq": 2,
    }  # fmt: skip
    taken.refused("KS-29", "A", "building_upgraded", **up("C2-farm", 2))
    table(capture="ruined_castle").set(armies={}).refused("U-7", "A", "structure_repaired", **mend("castle", "C2"))
    table(capture="ruined_castle").castle("C2", damage=3).refused(
        "U-7", "A", "structure_repaired", **mend("castle", "C2")
    )


# Often enough


def test_ksh_10_a_thing_may_be_acted_on_again_and_again() -> None:
    table = tall()
    for level in (6, 7, 8):
        table.do("A", "building_upgraded", **up("m1", level))
    once = tall(act__per_target_limit=1).do("A", "building_upgraded", **up("m1", 6))
    once.refused("KSH-10", "A", "building_upgraded", **up("m1", 7))


def test_param_act_per_target_limit_counts_actions_on_each_thing() -> None:
    def table(**options: Any) -> Table:
        one = tall(**options).building("b1", "barracks", level=2, damage=3).levels(castle=8)
        one.do("A", "building_upgraded", **up("b1", 3)).do("A", "structure_repaired", **mend("building", "b1"))
        one.do("A", "king_upgraded", to_level=11).do("A", "king_upgraded", to_level=12)
        return one.do("A", "castle_upgraded", castle="C1", to_level=9)

    assert table().allowed("A", "building_upgraded", **up("b1", 4))
    limited = table(act__per_target_limit=2)
    limited.refused("KSH-10", "A", "building_upgraded", **up("b1", 4))
    limited.refused("KSH-10", "A", "king_upgraded", to_level=13)
    limited.do("A", "castle_upgraded", castle="C1", to_level=10)
    limited.castle("C1", damage=1).refused("KSH-10", "A", "structure_repaired", **mend("castle", "C1"))
    limited.do("A", "building_upgraded", **up("q1", 6))
