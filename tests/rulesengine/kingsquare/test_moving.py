"""Moving: allowances on and off the road, terrain, groups, rails, Forwards, armies that split and join, soldiers aboard ships."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.kingsquare.battlefield import Battlefield

EDITIONS = ("KS-V1", "KS-V2", "KS-V3", "KS-V4", "KS-V5")


def moving(options: dict[str, Any] | None = None, **more: Any) -> Battlefield:
    """Return a Move phase with an army of A at home, and roads."""
    match = Battlefield(options, phase="move", **more).army("a", "A", {0: 5}, "CA")
    return match.link("r", "A", "CA", "j").link("foreign", "B", "CB", "j")


def move(units: str | list[str] = "a", to: str = "hill", off: int = 0, on: int = 0, **more: Any) -> dict[str, Any]:
    """Return the data of a move on land."""
    place = {"castle": to} if to.startswith("C") else {"field": to}
    links = {"links": more.pop("links", ["r"])} if on and "links" not in more else {}
    given = {"units": [units] if isinstance(units, str) else units, "to": place, "off_ft10": off, "on_ft10": on}
    return {**given, "mode": "land", **links, **more}


# How far


@pytest.mark.parametrize(
    ("unit", "off", "on", "edition", "legal"),
    [
        ("a", 0, 75, "KS-V5", True),
        ("a", 20, 45, "KS-V5", True),
        ("a", 20, 46, "KS-V5", False),
        ("king:A", 0, 15, "KS-V5", True),
        ("king:A", 1, 14, "KS-V5", False),
        *(("a", 0, 75, edition, False) for edition in EDITIONS[:4]),
        *(("a", 20, 30, edition, True) for edition in EDITIONS),
        ("a", 20, 31, "KS-V4", False),
        ("a", 51, 0, "KS-V5", False),
    ],
)
def test_ks_19_the_worked_moves(unit: str, off: int, on: int, edition: str, *, legal: bool) -> None:
    match = moving(edition=edition)
    if legal:
        match.do("A", "unit_moved", **move(unit, off=off, on=on))
        assert match.state.place_of(unit).field == "hill"  # type: ignore[union-attr]
    else:
        refusal = match.refused("KS-19", "A", "unit_moved", **move(unit, off=off, on=on))
        assert refusal.nearest


def test_ks_19_one_move_a_turn() -> None:
    match = moving().do("A", "unit_moved", **move(off=10)).do("A", "unit_moved", **move("king:A", off=10))
    assert match.state.armies["a"].moved
    assert match.state.kingdoms["A"].king.moved
    match.refused("KS-19", "A", "unit_moved", **move(off=10))
    match.refused("KS-19", "A", "unit_moved", **move("king:A", off=10))
    match.accepted("A", "unit_moved", **move(to="moor", off=10))
    assert match.state.armies["a"].at.field == "moor"


def test_ks_19_a_group_starts_at_one_place() -> None:
    match = moving().army("b", "A", {0: 5}, "hill")
    match.refused("KS-19", "A", "unit_moved", **move(["a", "b"], off=10))
    match.accepted("A", "unit_moved", **move(["a", "b"], to="moor", off=10))
    assert match.state.armies["a"].at.where == match.state.armies["b"].at.where == ("field", "moor")


def test_a_king_of_an_early_level_is_slow() -> None:
    match = moving().king("A", 3)
    assert match.allowed("A", "unit_moved", **move("king:A", off=30))
    assert not match.allowed("A", "unit_moved", **move("king:A", off=31))
    assert match.king("A", 40).allowed("A", "unit_moved", **move("king:A", off=100))
    assert not match.allowed("A", "unit_moved", **move("king:A", off=101))


def test_ksh_27_a_group_is_as_fast_as_its_slowest() -> None:
    match = moving().king("A", 2)
    assert match.allowed("A", "unit_moved", **move(["a", "king:A"], off=20))
    assert not match.allowed("A", "unit_moved", **move(["a", "king:A"], off=21))


def test_param_move_group_goes_as_its_slowest() -> None:
    def far(*options: str, level: int = 2) -> int:
        match = moving({"move.group": options[0]} if options else {}).king("A", level)
        return max(
            off for off in range(0, 130, 5) if match.allowed("A", "unit_moved", **move(["a", "king:A"], off=off))
        )

    assert (far(), far("fastest"), far("king")) == (20, 50, 20)
    assert (far(level=8), far("fastest", level=8), far("king", level=8)) == (50, 80, 80)
    assert moving({"move.group": "king"}).allowed("A", "unit_moved", **move(off=50))


def test_param_move_army_ft10_is_five_feet() -> None:
    assert moving().allowed("A", "unit_moved", **move(off=50))
    assert not moving().allowed("A", "unit_moved", **move(off=51))
    assert moving({"move.army_ft10": 80}).allowed("A", "unit_moved", **move(off=80))


def test_param_move_ship_ft10_is_ten_feet() -> None:
    def may(off: int, *options: int) -> bool:
        match = moving({"move.ship_ft10": options[0]} if options else {}).ship("s", "A", "CA")
        return match.allowed("A", "unit_moved", **move("s", off=off, mode="sea"))

    assert (may(100), may(101)) == (True, False)
    assert (may(40, 40), may(41, 40)) == (True, False)


def test_param_measure_tolerance_ft10_is_for_the_table_and_stretches_no_move() -> None:
    assert moving().state.setup.options.measure_tolerance_ft10 == 1
    for tolerance in (0, 5):
        match = moving({"measure.tolerance_ft10": tolerance})
        assert match.allowed("A", "unit_moved", **move(off=50))
        assert not match.allowed("A", "unit_moved", **move(off=51))


def test_ksh_25_lengths_are_taken_as_declared_and_never_measured() -> None:
    far = {"field": "hill", "x_ft10": 9000, "y_ft10": 0}
    match = moving().do("A", "unit_moved", **{**move(off=1), "to": far})
    assert match.state.armies["a"].at.x_ft10 == 9000
    match.army("b", "A", {0: 1}, "hill").do("A", "army_merged", **{"from": "b", "into": "a"})


def test_ksh_28_a_road_counts_where_it_is_used() -> None:
    assert moving().allowed("A", "unit_moved", **move(off=20, on=45))


def test_param_road_bonus_is_one_half() -> None:
    assert moving().allowed("A", "unit_moved", **move(on=75))
    assert not moving({"road.bonus": 0}).allowed("A", "unit_moved", **move(on=75))
    assert moving({"road.bonus": "1/2"}, edition="KS-V4").allowed("A", "unit_moved", **move(on=75))


def test_param_road_bonus_mode_counts_each_portion() -> None:
    whole = {"road.bonus_mode": "whole"}
    assert moving().allowed("A", "unit_moved", **move(off=10, on=60))
    assert not moving(whole).allowed("A", "unit_moved", **move(off=10, on=60))
    assert moving(whole).allowed("A", "unit_moved", **move(off=10, on=40))
    assert moving(whole).allowed("A", "unit_moved", **move(on=75))


def test_ksh_26_planes_go_anywhere() -> None:
    match = moving().plane("p", "A", "h").do("A", "unit_moved", **move("p", off=900, mode="air"))
    assert match.state.planes["p"].at.field == "hill"
    assert match.state.planes["p"].moved


# Ways


def test_ks_08_roads_are_own_or_an_allys_and_whole() -> None:
    match = (
        moving()
        .link("cut", "A", "CA", "k", cut=True)
        .building("t", "trainyard", "CA")
        .link("rail", "A", "CA", "k", "rail")
    )
    match.refused("KS-08", "A", "unit_moved", **move(on=10, links=["foreign"]))
    match.refused("KS-08", "A", "unit_moved", **move(on=10, links=["r", "cut"]))
    match.refused("KS-08", "A", "unit_moved", **move(on=10, links=["rail"]))
    none = move(on=10)
    del none["links"]
    match.refused("KS-08", "A", "unit_moved", **none)
    for kind in ("improved_road", "bridge"):
        match.link(kind, "A", "CA", "j", kind)
        assert match.allowed("A", "unit_moved", **move(on=10, links=[kind]))
    assert match.ally("A", "B").allowed("A", "unit_moved", **move(on=10, links=["r", "foreign"]))


def test_ks_08_comes_before_the_length() -> None:
    moving().refused("KS-08", "A", "unit_moved", **move(off=500, on=10, links=["foreign"]))


def test_u_7_the_pieces_of_a_move() -> None:
    match = moving().ship("s", "A", "CA").plane("p", "A", "h").army("b", "B", {0: 5}, "CA")
    for units, mode in (("a", "sea"), ("a", "air"), ("king:A", "air"), ("s", "land"), ("p", "sea")):
        match.refused("U-7", "A", "unit_moved", **move(units, off=1, mode=mode))
    match.refused("U-7", "A", "unit_moved", **move("b", off=1))
    match.refused("U-7", "A", "unit_moved", **move("nobody", off=1))
    match.refused("U-7", "A", "unit_moved", **move("king:B", off=1))
    match.refused("U-7", "A", "unit_moved", **move(to="Cnowhere", off=1))
    match.refused("U-7", "A", "unit_moved", **move(on=1, links=["nothing"]))


def test_ksh_31_water_and_impassable_ground() -> None:
    match = (
        moving()
        .terrain("lake", "shore")
        .terrain("lake", "water")
        .terrain("cliff", "impassable")
        .link("b", "A", "CA", "j", "bridge")
    )
    match.ship("s", "A", "CA").plane("p", "A", "h").king("A", 5)
    match.refused("KSH-31", "A", "unit_moved", **move(to="lake", off=5))
    match.refused("KSH-31", "A", "unit_moved", **move("king:A", to="lake", on=5, links=["r"]))
    assert match.allowed("A", "unit_moved", **move(to="lake", on=5, links=["b"]))
    assert match.allowed("A", "unit_moved", **move("s", to="lake", off=5, mode="sea"))
    for unit, mode in (("a", "land"), ("s", "sea")):
        match.refused("KSH-31", "A", "unit_moved", **move(unit, to="cliff", off=5, mode=mode))
    assert match.allowed("A", "unit_moved", **move("p", to="cliff", off=5, mode="air"))
    assert match.allowed("A", "unit_moved", **move(to="open country", off=5))


def test_param_terrain_effects_are_basic() -> None:
    def may(*options: str) -> bool:
        match = moving({"terrain.effects": options[0]} if options else {}).terrain("lake", "water")
        return match.allowed("A", "unit_moved", **move(to="lake", off=5))

    assert (may(), may("none")) == (False, True)


def test_param_road_cut_needs_an_attack() -> None:
    crossing = move(off=5, links=["foreign"])
    moving().refused("KS-08", "A", "unit_moved", **crossing)
    match = moving({"road.cut": "free"}).building("b", "barracks", "CB", direct=False).link("s", "B", "j", "b")
    match.do("A", "unit_moved", **crossing)
    assert match.state.works.links["foreign"].cut
    assert not match.state.works.links["r"].cut
    assert match.types() == [
        ("link_cut", "foreign"),
        ("building_isolated", "b"),
        ("step_pressed", "A/CB/infrastructure"),
    ]
    assert match.state.pressed == {"A/CB/infrastructure"}
    match.army("c", "A", {0: 1}, "CA").refused("KS-08", "A", "unit_moved", **move("c", on=5, links=["s"]))
    assert match.ally("A", "B").allowed("A", "unit_moved", **move("c", on=5, links=["s"]))


# Forward


def test_ks_24_a_forward_is_a_move_once_more() -> None:
    match = moving().do("A", "unit_moved", **move(off=50)).do("A", "phase_advanced", to="act")
    match.set(ap_total=9)
    match.do("A", "unit_forwarded", **move(to="moor", off=50))
    army = match.state.armies["a"]
    assert (army.at.field, army.moved, match.state.ap_spent) == ("moor", True, 1)
    match.do("A", "unit_forwarded", **move("king:A", off=10)).do("A", "unit_forwarded", **move("king:A", off=10))
    assert not match.state.kingdoms["A"].king.moved
    match.refused("KS-19", "A", "unit_forwarded", **move(off=51))
    match.refused("KS-08", "A", "unit_forwarded", **move(on=5, links=["foreign"]))
    match.refused("U-7", "A", "unit_forwarded", **move("a", off=5, mode="sea"))


def test_ksh_30_forwards_are_limited_by_choice_only() -> None:
    match = Battlefield({"forward.limit": 1}).army("a", "A", {0: 1}, "CA").army("b", "A", {0: 1}, "hill")
    match.do("A", "unit_forwarded", **move(off=5)).refused("KSH-30", "A", "unit_forwarded", **move(off=5))
    match.do("A", "unit_forwarded", **move("b", off=5)).accepted("A", "unit_forwarded", **move(off=5))


def test_param_forward_limit_is_none() -> None:
    match = Battlefield().army("a", "A", {0: 1}, "CA")
    for _ in range(4):
        match.do("A", "unit_forwarded", **move(off=5))
    limited = Battlefield({"forward.limit": 2}).army("a", "A", {0: 1}, "CA")
    limited.do("A", "unit_forwarded", **move(off=5)).do("A", "unit_forwarded", **move(off=5))
    limited.refused("KSH-30", "A", "unit_forwarded", **move(off=5))


def test_param_cost_forward_is_one() -> None:
    def spent(*options: int) -> int:
        match = Battlefield({"cost.forward": options[0]} if options else {}).army("a", "A", {0: 1}, "CA")
        return match.do("A", "unit_forwarded", **move(off=5)).state.ap_spent

    assert (spent(), spent(3)) == (1, 3)


# Rails


def rails(options: dict[str, Any] | None = None, phase: str = "move") -> Battlefield:
    """Return stations of A at CA and D, one of B at CB, and rails between them."""
    match = Battlefield(options, phase=phase, seats="ABC").castle("D", "A").building("ta", "trainyard", "CA", 2)
    match.building("td", "trainyard", "D", 2).building("tb", "trainyard", "CB").building("f", "farm", "CA")
    match.link("ad", "A", "ta", "td", "rail").link("ba", "B", "tb", "ta", "rail")
    return match.army("a", "A", {0: 5}, "CA").army("far", "A", {0: 5}, "hill").ship("s", "A", "CA")


def journey(first: str, second: str, *units: str) -> dict[str, Any]:
    """Return the data of a journey by rail."""
    return {"units": list(units) or ["a"], "from_building": first, "to_building": second}


def test_ks_09_a_journey_by_rail_costs_no_length() -> None:
    match = rails().do("A", "rail_travelled", **journey("ta", "td", "a", "king:A"))
    assert match.state.armies["a"].at.castle == "D"
    assert match.state.kingdoms["A"].king.at.castle == "D"  # type: ignore[union-attr]
    assert match.state.armies["a"].moved
    assert match.state.kingdoms["A"].king.moved
    match.refused("KS-19", "A", "rail_travelled", **journey("td", "ta"))


def test_ks_68_rails_join_active_stations() -> None:
    match = rails()
    match.refused("KS-68", "A", "rail_travelled", **journey("ta", "f"))
    match.refused("KS-68", "A", "rail_travelled", **journey("ta", "tb"))
    match.refused("KS-68", "A", "rail_travelled", **journey("ta", "td", "far"))
    match.refused("KS-68", "A", "rail_travelled", **journey("td", "ta"))
    assert match.ally("A", "B").allowed("A", "rail_travelled", **journey("ta", "tb"))
    match.link("ad", "A", "ta", "td", "rail", cut=True).refused("KS-68", "A", "rail_travelled", **journey("ta", "td"))
    match.link("ad", "A", "ta", "td", "road").refused("KS-68", "A", "rail_travelled", **journey("ta", "td"))
    match.link("ad", "A", "ta", "td", "rail").building("td", "trainyard", "D", direct=False)
    refusal = match.refused("KS-68", "A", "rail_travelled", **journey("ta", "td"))
    assert "isolated" in refusal.because
    match.accepted("A", "rail_travelled", **journey("ta", "td", "far"))
    assert match.state.armies["far"].at.castle == "D"


def test_u_7_the_pieces_of_a_journey() -> None:
    match = rails().army("b", "B", {0: 1}, "CA")
    match.refused("U-7", "A", "rail_travelled", **journey("ta", "td", "s"))
    match.refused("U-7", "A", "rail_travelled", **journey("ta", "td", "b"))
    match.refused("U-7", "A", "rail_travelled", **journey("ta", "nowhere"))


def test_a_forward_goes_by_rail_too() -> None:
    match = rails(phase="act")
    match.do("A", "unit_forwarded", units=["a"], rail={"from_building": "ta", "to_building": "td"})
    assert match.state.armies["a"].at.castle == "D"
    assert not match.state.armies["a"].moved
    match.refused("KS-68", "A", "unit_forwarded", units=["a"], rail={"from_building": "ta", "to_building": "td"})


def test_ksh_29_throughput_is_limited_by_choice_only() -> None:
    match = rails({"rail.units_per_level": 1}).army("b", "A", {0: 1}, "CA")
    match.refused("KSH-29", "A", "rail_travelled", **journey("ta", "td", "a", "b", "king:A"))
    match.do("A", "rail_travelled", **journey("ta", "td", "a", "b"))
    match.refused("KSH-29", "A", "rail_travelled", **journey("ta", "td", "king:A"))
    match.do("A", "phase_advanced", to="act").set(ap_total=9)
    rail = {"from_building": "ta", "to_building": "td"}
    match.refused("KSH-29", "A", "unit_forwarded", units=["king:A"], rail=rail)
    match.accepted("A", "unit_forwarded", units=["king:A"], rail=rail)


def test_param_rail_units_per_level_is_unlimited() -> None:
    match = rails()
    units = [f"n{number}" for number in range(30)]
    for unit in units:
        match.army(unit, "A", {0: 1}, "CA")
    assert match.allowed("A", "rail_travelled", **journey("ta", "td", *units))
    limited = rails({"rail.units_per_level": 14})
    for unit in units:
        limited.army(unit, "A", {0: 1}, "CA")
    assert limited.allowed("A", "rail_travelled", **journey("ta", "td", *units[:28]))
    limited.refused("KSH-29", "A", "rail_travelled", **journey("ta", "td", *units[:29]))


def test_param_rail_allied_is_yes() -> None:
    def may(*options: str) -> bool:
        match = rails({"rail.allied": options[0]} if options else {}).ally("A", "B")
        assert match.allowed("A", "rail_travelled", **journey("ta", "td"))
        return match.allowed("A", "rail_travelled", **journey("ta", "tb"))

    assert (may(), may("no")) == (True, False)


# Armies


def test_an_army_splits() -> None:
    match = moving().do("A", "unit_moved", **move(off=5)).army("w", "A", {0: 5, 3: 2}, "hill", moved=True)
    match.do("A", "army_split", army="w", new_army="n", stacks={"0": 2, "3": 2})
    one, new = match.state.armies["w"], match.state.armies["n"]
    assert (one.stacks, new.stacks) == ({0: 3}, {0: 2, 3: 2})
    assert (new.at, new.moved, new.kingdom, new.created_seq) == (one.at, True, "A", match.seq)
    assert "n" in match.state.taken


def test_u_7_the_halves_of_an_army() -> None:
    match = moving().army("b", "B", {0: 5}, "CA")
    match.refused("U-7", "A", "army_split", army="a", new_army="n", stacks={"0": 6})
    match.refused("U-7", "A", "army_split", army="a", new_army="n", stacks={"1": 1})
    match.refused("U-7", "A", "army_split", army="a", new_army="n", stacks={"0": 5})
    match.refused("U-7", "A", "army_split", army="a", new_army="CB", stacks={"0": 1})
    match.refused("U-7", "A", "army_split", army="b", new_army="n", stacks={"0": 1})
    match.refused("U-7", "A", "army_split", army="nobody", new_army="n", stacks={"0": 1})


def test_armies_join() -> None:
    match = moving().army("b", "A", {0: 1, 2: 2}, "CA", moved=True)
    match.do("A", "army_merged", **{"from": "b", "into": "a"})
    assert list(match.state.armies) == ["a"]
    assert match.soldiers("a") == {0: 6, 2: 2}
    assert match.state.armies["a"].moved


def test_u_7_armies_join_at_one_place() -> None:
    match = moving().army("b", "A", {0: 1}, "hill").army("x", "B", {0: 1}, "CA")
    for one, into in (("b", "a"), ("a", "a"), ("x", "a"), ("a", "x"), ("nobody", "a"), ("a", "nobody")):
        match.refused("U-7", "A", "army_merged", **{"from": one, "into": into})


# Ships


def afloat(options: dict[str, Any] | None = None, at: str = "bay") -> Battlefield:
    """Return a ship and an army of A at a shore."""
    match = Battlefield(options, phase="move").terrain("bay", "shore")
    return match.ship("s", "A", at).army("a", "A", {0: 30, 2: 5}, at)


def test_ks_10_soldiers_sail_and_land() -> None:
    match = afloat().do("A", "troops_embarked", army="a", ship="s", stacks={"0": 12, "2": 5})
    assert match.soldiers("a") == {0: 18}
    assert match.state.ships["s"].cargo == {0: 12, 2: 5}
    match.do("A", "unit_moved", **move("s", to="cove", off=100, mode="sea")).terrain("cove", "shore")
    match.do("A", "troops_landed", army="new", ship="s", stacks={"0": 10})
    new = match.state.armies["new"]
    assert (new.stacks, new.at.field, new.moved, new.created_seq) == ({0: 10}, "cove", True, match.seq)
    match.do("A", "troops_landed", army="new", ship="s", stacks={"0": 2, "2": 5})
    assert match.soldiers("new") == {0: 12, 2: 5}
    assert match.state.ships["s"].cargo == {}


def test_an_army_that_went_aboard_leaves_the_table_with_its_buffs() -> None:
    match = afloat().army("b", "A", {0: 3}, "bay").buff("b", 10)
    match.do("A", "troops_embarked", army="b", ship="s", stacks={"0": 3})
    assert "b" not in match.state.armies
    match.refused("U-7", "A", "troops_landed", army="b", ship="s", stacks={"0": 3})


def test_ksh_53_soldiers_come_aboard_at_a_shore_or_a_harbor() -> None:
    match = afloat(at="high sea")
    match.refused("KSH-53", "A", "troops_embarked", army="a", ship="s", stacks={"0": 1})
    match.accepted("A", "troops_embarked", army="a", ship="s", stacks={"0": 1})
    match.refused("KSH-53", "A", "troops_landed", army="n", ship="s", stacks={"0": 1})
    match.terrain("high sea", "water").refused("KSH-53", "A", "troops_embarked", army="a", ship="s", stacks={"0": 1})
    port = afloat(at="CA")
    port.refused("KSH-53", "A", "troops_embarked", army="a", ship="s", stacks={"0": 1})
    port.building("h", "harbor", "CA", damage=10).refused(
        "KSH-53", "A", "troops_embarked", army="a", ship="s", stacks={"0": 1}
    )
    assert port.building("h", "harbor", "CA", damage=9, direct=False).allowed(
        "A", "troops_embarked", army="a", ship="s", stacks={"0": 1}
    )


def test_ksh_53_ship_and_army_are_at_one_place() -> None:
    match = afloat().army("far", "A", {0: 3}, "hill").ship("t", "A", "bay", cargo={0: 3})
    match.refused("KSH-53", "A", "troops_embarked", army="far", ship="s", stacks={"0": 1})
    match.refused("KSH-53", "A", "troops_landed", army="far", ship="t", stacks={"0": 1})


def test_u_7_the_pieces_of_an_embarkation() -> None:
    match = afloat().ship("x", "B", "bay").army("b", "B", {0: 3}, "bay")
    match.refused("U-7", "A", "troops_embarked", army="a", ship="s", stacks={"0": 31})
    match.refused("U-7", "A", "troops_embarked", army="a", ship="x", stacks={"0": 1})
    match.refused("U-7", "A", "troops_embarked", army="b", ship="s", stacks={"0": 1})
    match.refused("U-7", "A", "troops_embarked", army="a", ship="nothing", stacks={"0": 1})
    match.refused("U-7", "A", "troops_landed", army="n", ship="s", stacks={"0": 1})
    match.refused("U-7", "A", "troops_landed", army="b", ship="s", stacks={"0": 1})
    match.refused("U-7", "A", "troops_landed", army="CB", ship="s", stacks={"0": 1})
    match.refused("U-7", "A", "troops_landed", army="n", ship="nothing", stacks={"0": 1})


def test_param_ship_cargo_is_twenty() -> None:
    def carries(count: int, *options: int) -> bool:
        match = afloat({"ship.cargo": options[0]} if options else {}).ship("s", "A", "bay", cargo={0: 4})
        return match.allowed("A", "troops_embarked", army="a", ship="s", stacks={"0": count})

    assert (carries(16), carries(17)) == (True, False)
    assert (carries(3, 7), carries(4, 7)) == (True, False)
    afloat().refused("KSH-53", "A", "troops_embarked", army="a", ship="s", stacks={"0": 21})


def test_splitting_and_embarking_are_for_the_move_and_act_phases() -> None:
    for phase, legal in (("produce", False), ("move", True), ("act", True)):
        match = afloat().set(phase=phase)
        assert match.allowed("A", "army_split", army="a", new_army="n", stacks={"0": 1}) is legal
        assert match.allowed("A", "troops_embarked", army="a", ship="s", stacks={"0": 1}) is legal
        assert match.allowed("A", "unit_moved", **move("a", off=5)) is (phase == "move")


def test_param_build_ready_keeps_what_was_just_built_at_its_place() -> None:
    def may(*options: str) -> bool:
        match = (
            Battlefield({"build.ready": options[0]} if options else {})
            .ship("s", "A", "CA")
            .set(built_now=frozenset({"s"}))
        )
        return match.allowed("A", "unit_forwarded", **move("s", off=5, mode="sea"))

    assert (may(), may("next_turn")) == (True, False)
