"""The set-up at the table: Capitals, Kings' levels, marker pieces, terrain, beasts, sites and doctrines."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsquare.state import Works
from tests.rulesengine.kingsquare.tables import EARLY, EDITIONS, Table


def before(edition: str = "KS-V5", /, **options: Any) -> Table:
    """Return a match in set-up with nothing on the table."""
    table = Table(edition, **options)
    setup = table.state.setup
    for seat in setup.seats:
        table.state = table.state.with_king(seat, at=None)
    return table.set(
        works=Works(setup, {}, {}, {}), status="setup", phase=None, turn_kingdom=None, round=0, taken=frozenset()
    )


# Capitals


def test_a_capital_stands_with_its_farm_and_its_king() -> None:
    table = before().do("A", "capital_founded", castle="C1", name="Highgate", at={"field": "hill", "x_ft10": 4})
    assert table.get("castles.C1") == {
        "kingdom": "A", "founder": "A", "name": "Highgate", "level": 1, "is_capital": True, "role": None,
        "parent_castle": None, "district_kind": None, "damage": 0, "at": {"field": "hill", "x_ft10": 4}, "founded_seq": 101,
    }  # fmt: skip
    assert table.get("buildings") == {
        "C1-farm": {
            "kind": "farm", "castle": "C1", "level": 1, "damage": 0, "direct": True, "produced": False, "built_seq": 101,
        }
    }  # fmt: skip
    assert table.get("kingdoms.A.king.at") == {"castle": "C1"}
    assert table.state.taken == {"C1", "C1-farm"}


def test_the_farm_of_a_capital_may_have_its_own_id_and_the_capital_no_place() -> None:
    table = before().do("A", "capital_founded", castle="C1", farm="fA")
    assert list(table.get("buildings")) == ["fA"]
    assert table.get("castles.C1.at") is None


def test_ks_02_a_kingdom_starts_with_one_capital() -> None:
    table = before().do("A", "capital_founded", castle="C1")
    table.refused("KS-02", "A", "capital_founded", castle="C2")
    table.do("B", "capital_founded", castle="C2")


def test_a_second_capital_that_a_referee_accepted_has_no_title() -> None:
    table = before().do("A", "capital_founded", castle="C1").accept("A", "capital_founded", castle="C2")
    assert table.get("castles.C1.is_capital") is True
    assert table.get("castles.C2.is_capital") is False
    assert table.get("kingdoms.A.king.at") == {"castle": "C1"}


def test_ksh_32_no_capital_stands_in_the_territory_of_another_castle() -> None:
    table = before().do("A", "capital_founded", castle="C1")
    table.refused("KSH-32", "B", "capital_founded", castle="C2", at={"castle": "C1"})
    table.accept("B", "capital_founded", castle="C2", at={"castle": "C1"})
    assert table.get("castles.C2.at") == {"castle": "C1"}


def test_param_territory_radius_is_for_the_table_and_computes_nothing() -> None:
    assert before().state.setup.options.territory_radius == "level"
    wide = before(territory__radius=60).do("A", "capital_founded", castle="C1")
    assert wide.state.setup.options.territory_radius == 60
    wide.refused("KSH-32", "B", "capital_founded", castle="C2", at={"castle": "C1"})


def test_u_7_ids_of_a_capital_are_new_and_two() -> None:
    table = before().do("A", "capital_founded", castle="C1", farm="f1")
    table.refused("U-7", "B", "capital_founded", castle="C1")
    table.refused("U-7", "B", "capital_founded", castle="f1")
    table.refused("U-7", "B", "capital_founded", castle="C2", farm="f1")
    table.refused("U-7", "B", "capital_founded", castle="C2", farm="C2")
    table.refused("U-7", "B", "capital_founded", castle="C2", at={"castle": "C9"})


def test_ksh_03_a_capital_comes_with_a_free_farm_of_level_one() -> None:
    assert before().do("A", "capital_founded", castle="C1").get("buildings.C1-farm.level") == 1


def test_param_setup_farm_level_may_leave_the_farm_to_be_built() -> None:
    assert list(before().do("A", "capital_founded", castle="C1").get("buildings")) == ["C1-farm"]
    table = before(setup__farm_level=0).do("A", "capital_founded", castle="C1", farm="f1")
    assert table.get("buildings") == {}
    assert table.state.taken == {"C1"}
    table.set(status="running", phase="act", turn_kingdom="A", round=1)
    table.refused("KS-42", "A", "building_built", building="m1", kind="lumber_mill", castle="C1", direct=True)
    table.do("A", "building_built", building="f1", kind="farm", castle="C1", direct=True)
    assert table.get("ap_spent") == 1


def test_ksh_04_a_king_begins_at_the_capital() -> None:
    table = before().do("B", "capital_founded", castle="C2")
    assert table.get("kingdoms.B.king.at") == {"castle": "C2"}
    assert table.get("kingdoms.A.king.at") is None


def test_param_setup_king_at_may_leave_the_kings_place_open() -> None:
    assert before().do("A", "capital_founded", castle="C1").get("kingdoms.A.king.at") == {"castle": "C1"}
    assert before(setup__king_at="free").do("A", "capital_founded", castle="C1").get("kingdoms.A.king.at") is None


# Kings' levels


@pytest.mark.parametrize("edition", EARLY)
def test_before_v5_a_king_starts_at_the_recorded_level(edition: str) -> None:
    table = before(edition).do(None, "king_level_recorded", kingdom="B", level=4)
    assert table.get("kingdoms.B.king.level") == 4
    assert table.get("kingdoms.A.king.level") == 1


def test_ks_32_in_v5_every_king_starts_at_level_one() -> None:
    table = before()
    table.refused("KS-32", None, "king_level_recorded", kingdom="A", level=4)
    table.do(None, "king_level_recorded", kingdom="A", level=1)
    table.accept(None, "king_level_recorded", kingdom="A", level=4)
    assert table.get("kingdoms.A.king.level") == 4


def test_param_king_start_level_lets_a_level_be_recorded() -> None:
    before().refused("KS-32", None, "king_level_recorded", kingdom="A", level=3)
    before(king__start_level="recorded").do(None, "king_level_recorded", kingdom="A", level=3)


def test_param_setup_handicap_lets_kings_start_at_different_levels() -> None:
    before().refused("KS-32", None, "king_level_recorded", kingdom="A", level=3)
    table = before(setup__handicap="recorded").do(None, "king_level_recorded", kingdom="A", level=3)
    assert table.get("kingdoms.A.king.level") == 3


def test_u_7_a_level_is_recorded_for_a_kingdom_that_there_is() -> None:
    before("KS-V2").refused("U-7", None, "king_level_recorded", kingdom="Z", level=1)


# Marker pieces


@pytest.mark.parametrize("edition", EARLY)
def test_a_marker_piece_stands_and_is_lost(edition: str) -> None:
    table = Table(edition).levels(king=3)
    table.do("A", "general_piece_placed", level=3, at={"field": "moor"})
    assert table.get("kingdoms.A.general_piece") == {"level": 3, "at": {"field": "moor"}}
    table.do("A", "general_piece_lost", cause="overrun")
    assert table.get("kingdoms.A.general_piece") is None
    table.refused("U-7", "A", "general_piece_lost")


def test_a_marker_piece_is_placed_in_set_up_and_by_whoever_is_not_on_turn() -> None:
    before("KS-V1").do("A", "general_piece_placed", level=1, at={"field": "moor"})
    Table("KS-V1").do("B", "general_piece_placed", level=0, at={"castle": "C1"})


def test_ksh_86_a_marker_piece_is_no_higher_than_its_king() -> None:
    table = Table("KS-V3").levels(king=3)
    assert table.refused("KSH-86", "A", "general_piece_placed", level=4, at={"castle": "C1"}).nearest == "level 3"
    table.accept("A", "general_piece_placed", level=4, at={"castle": "C1"})
    assert table.get("kingdoms.A.general_piece.level") == 4


def test_u_7_a_marker_piece_is_placed_where_there_is_something() -> None:
    Table("KS-V3").refused("U-7", "A", "general_piece_placed", level=1, at={"castle": "C9"})


def test_ks_47_there_is_no_marker_piece_in_v5() -> None:
    Table().refused("KS-47", "A", "general_piece_placed", level=1, at={"castle": "C1"})
    Table().refused("KS-47", "A", "general_piece_lost")


# Terrain, beasts, sites, doctrines


def test_terrain_is_placed_in_set_up_and_later() -> None:
    table = before().do(None, "terrain_placed", terrain="t1", kind="water", label="lake")
    assert table.get("terrain.t1") == {"kind": "water", "label": "lake"}
    Table().do(None, "terrain_placed", terrain="t1", kind="shore", label="bay")


def test_u_7_an_id_is_used_once() -> None:
    table = Table().do(None, "terrain_placed", terrain="t1", kind="water", label="lake")
    table.refused("U-7", None, "terrain_placed", terrain="t1", kind="open", label="moor")
    table.refused("U-7", None, "beast_placed", beast="t1", **{"class": "epic"}, at={"field": "lake"})
    table.refused("U-7", None, "site_placed", site="C1", at={"field": "lake"}, content="nothing")
    table.do(None, "site_placed", site="s1", at={"field": "lake"}, content="nothing")
    table.refused("U-7", None, "terrain_placed", terrain="s1", kind="open", label="moor")


BEASTS = {"dangerous": (20, 10, 0, 10), "epic": (60, 30, 10, 20), "legendary": (150, 80, 25, 40)}


def figures(table: Table, id_: str = "w1") -> tuple[int, ...]:
    """Return strength, attack, defence and buff of a beast."""
    return tuple(table.get(f"beasts.{id_}")[key] for key in ("strength_left", "attack", "defence", "buff"))


def placed(cls: str, /, edition: str = "KS-V5", options: dict[str, Any] | None = None, **data: Any) -> Table:
    """Return a table on which a beast w1 was placed."""
    table = before(edition, **(options or {}))
    return table.do(None, "beast_placed", beast="w1", **{"class": cls}, at={"field": "ford"}, **data)


@pytest.mark.parametrize("cls", BEASTS)
def test_ksh_67_a_beast_has_the_figures_of_its_class(cls: str) -> None:
    assert figures(placed(cls)) == BEASTS[cls]
    assert placed(cls).get("beasts.w1") == {
        "class": cls, "name": None, "strength_left": BEASTS[cls][0], "attack": BEASTS[cls][1], "defence": BEASTS[cls][2],
        "buff": BEASTS[cls][3], "at": {"field": "ford"}, "hidden": False, "status": "alive", "defeated_by": None,
        "fighters": [],
    }  # fmt: skip


def test_a_beast_may_have_figures_of_its_own() -> None:
    table = placed("epic", strength=5, defence=0, buff=99, name="Old Grim", hidden=True)
    assert figures(table) == (5, 30, 0, 99)
    assert table.get("beasts.w1.name") == "Old Grim"
    assert table.get("beasts.w1.hidden") is True


@pytest.mark.parametrize("cls", BEASTS)
def test_param_beast_dangerous_epic_and_legendary_set_the_figures_of_a_class(cls: str) -> None:
    own = {"strength": 7, "attack": 8, "defence": 9, "buff": 11}
    assert figures(placed(cls, options={f"beast.{cls}": own})) == (7, 8, 9, 11)
    assert figures(placed(cls)) == BEASTS[cls]


def test_param_beast_epic_has_its_default() -> None:
    assert figures(placed("epic")) == BEASTS["epic"]


def test_param_beast_legendary_has_its_default() -> None:
    assert figures(placed("legendary")) == BEASTS["legendary"]


def test_ks_15_there_are_three_classes_of_beasts() -> None:
    table = before()
    table.refused("KS-15", None, "beast_placed", beast="w1", **{"class": "mythical"}, at={"field": "ford"})
    table.accept(None, "beast_placed", beast="w1", **{"class": "mythical"}, at={"field": "ford"}, buff=3)
    assert figures(table) == (20, 10, 0, 3)


def test_u_7_beasts_and_sites_are_placed_where_there_is_something() -> None:
    before().refused("U-7", None, "beast_placed", beast="w1", **{"class": "epic"}, at={"castle": "C1"})
    before().refused("U-7", None, "site_placed", site="s1", at={"castle": "C1"}, content="landmark")


def test_a_site_is_hidden_unless_said_otherwise() -> None:
    table = before().do(None, "site_placed", site="s1", at={"field": "hill"}, content="landmark")
    assert table.get("sites.s1") == {"at": {"field": "hill"}, "content": "landmark", "hidden": True, "found_by": None}
    table.do(None, "site_placed", site="s2", at={"field": "hill"}, content="beast", hidden=False)
    assert table.get("sites.s2.hidden") is False


def test_ks_57_a_doctrine_belongs_to_a_forge_level_from_six_to_ten() -> None:
    table = before()
    for level in (0, 5, 11):
        table.refused("KS-57", None, "doctrine_defined", level=level, name="Shield wall")
    for level in (6, 10):
        table.do(None, "doctrine_defined", level=level, name="Shield wall", text="They stand close.")


def test_ksh_18_a_doctrine_is_a_text_and_changes_nothing() -> None:
    table = before()
    state = table.state
    table.do(None, "doctrine_defined", level=7, name="Night march")
    assert table.state == state


def test_param_doctrine_levels_6_10_announces_doctrines_and_changes_no_figure() -> None:
    assert before().state.setup.options.doctrine_levels_6_10 == "none"
    for table in (before(), before(doctrine__levels_6_10="defined")):
        table.do(None, "doctrine_defined", level=7, name="Night march")


@pytest.mark.parametrize("edition", EDITIONS)
def test_u_1_the_set_up_is_over_once_the_match_runs(edition: str) -> None:
    table = Table(edition)
    table.refused("U-1", "A", "capital_founded", castle="C9")
    table.refused("U-1", None, "doctrine_defined", level=6, name="Night march")
    table.refused("U-1", None, "king_level_recorded", kingdom="A", level=1)
