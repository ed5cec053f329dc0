"""Attacks and sorties: the worked battles, who is in reach and in scope, the order of pressure, what breaks and what is returned."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rulesengine.kingsquare import checks
from rulesengine.kingsquare.battle import check_attack_made
from tests.rulesengine.kingsquare.battlefield import Battlefield, attack, sortie


def city(match: Battlefield, fabric: int, castle: str = "CB") -> Battlefield:
    """Give a Castle a defensive fabric of so much, in Walls that nobody attacks."""
    number = 0
    while fabric > 0:
        level = min(10, fabric)
        match.building(f"{castle}-wall{number}", "wall", castle, level)
        fabric -= level
        number += 1
    return match


# The worked battles


def test_battle_1_armies_in_the_field() -> None:
    match = Battlefield().king("A", 10, "hill").army("a", "A", {5: 100}, "hill").army("b", "B", {5: 100}, "hill")
    match.attack("a", "army", "b")
    assert match.numbers() == (520, 0, 520, 500, 230)
    assert (match.soldiers("a"), match.soldiers("b")) == ({5: 62}, {5: 14})
    assert match.types() == [("soldiers_lost", "b"), ("soldiers_lost", "a")]


def test_battle_2_ten_against_six() -> None:
    match = Battlefield().army("a", "A", {0: 10}, "hill").army("b", "B", {0: 6}, "hill").attack("a", "army", "b")
    assert match.numbers() == (10, 0, 10, 6, 3)
    assert (match.soldiers("a"), match.soldiers("b")) == ({0: 7}, None)
    assert match.types() == [("soldiers_lost", "a"), ("army_destroyed", "b")]


def test_battle_3_a_king_defends() -> None:
    match = Battlefield().king("B", 3, "hill").army("a", "A", {0: 6, 3: 10}, "hill").army("b", "B", {2: 12}, "hill")
    match.attack("a", "army", "b")
    assert match.numbers() == (36, 6, 30, 30, 15)
    assert (match.soldiers("a"), match.soldiers("b")) == ({3: 8}, {2: 2})


def test_battle_4_a_wall_falls_and_the_surplus_is_lost() -> None:
    match = city(Battlefield().castle("CB", "B", 10).building("w", "wall", "CB", 2), 26).king("B", 6)
    match.king("A", 10, "CB").army("a", "A", {5: 100}, "CB").buff("a", 10).army("b", "B", {2: 40}, "CB")
    match.attack("a", "building", "w")
    assert match.numbers() == (530, 40, 490, 92, 26)
    assert match.damage("w") == 20
    assert match.soldiers("a") == {5: 96}
    assert match.types() == [
        ("structure_ruined", "w"),
        ("soldiers_lost", "a"),
        ("step_pressed", "A/CB/infrastructure"),
    ]
    assert match.computed["damage"] == {"w": 20}
    assert match.computed["losses"] == {"a": {"5": 4}}


def test_battle_5_a_barracks_is_damaged_and_only_the_king_answers() -> None:
    match = city(Battlefield().building("b", "barracks", "CB"), 2).king("B", 2).army("a", "A", {0: 10}, "CB")
    match.attack("a", "building", "b")
    assert match.numbers() == (10, 7, 3, 4, 2)
    assert match.damage("b") == 3
    assert match.soldiers("a") == {0: 8}
    assert ("structure_damaged", "b") in match.types()


def test_battle_6_the_fabric_holds() -> None:
    match = city(Battlefield().castle("CB", "B", 5), 34).king("B", 1, "far").army("a", "A", {1: 20}, "CB")
    match.press("A/CB/infrastructure", "A/CB/institutions")
    match.attack("a", "castle", "CB")
    assert match.numbers() == (20, 34, 0, 0, 0)
    assert match.types() == []
    assert match.state.pressed == {"A/CB/infrastructure", "A/CB/institutions"}


def test_battle_7_a_king_in_his_castle() -> None:
    match = city(Battlefield().castle("CB", "B", 6), 26).king("A", 5, "CB").king("B", 6)
    match.army("a", "A", {4: 15}, "CB").press(
        *(f"A/CB/{step}" for step in ("infrastructure", "institutions", "military"))
    )
    match.attack("a", "castle", "CB")
    assert match.numbers() == (70, 38, 32, 12, 0)
    assert match.damage("CB") == 32
    assert match.soldiers("a") == {4: 15}


def test_battle_8_a_king_alone_in_the_field() -> None:
    match = Battlefield(seats="ABC").king("B", 10, "hill").army("a", "A", {1: 25}, "hill").attack("a", "king", "king:B")
    assert match.numbers() == (25, 20, 5, 20, 10)
    assert match.soldiers("a") == {1: 20}
    assert ("king_defeated", "B") in match.types()
    assert match.state.kingdoms["B"].status == "eliminated"


def test_battle_9_an_isolated_barracks() -> None:
    match = city(Battlefield().building("b", "barracks", "CB", 3, direct=False), 8).king("B", 9, "far")
    match.army("a", "A", {0: 12}, "CB").attack("a", "building", "b")
    assert match.numbers() == (12, 0, 12, 0, 0)
    assert match.damage("b") == 12


# Who may attack what


def test_u_7_the_pieces_of_an_attack() -> None:
    match = Battlefield(seats="ABC").army("a", "A", {0: 5}, "CB").army("b", "B", {0: 5}, "CB").plane("p", "A", "h")
    match.building("f", "farm", "CB")

    def refused(units: str, kind: str, id_: str, **more: Any) -> str:
        return match.refused("U-7", "A", "attack_made", **attack(units, kind, id_, **more)).because

    assert "nobody" in refused("nobody", "building", "f")
    assert "belongs to B" in refused("b", "building", "f")
    assert "belongs to B" in refused("king:B", "building", "f")
    for kind in ("building", "castle", "army", "ship", "plane", "link", "garrison", "king"):
        assert "nowhere" in refused("a", kind, "nowhere")
    assert "no army of C" in refused("a", "garrison", "CB", owner="C")
    assert "sortie" in refused("p", "building", "f")
    match.set(
        kingdoms={
            **match.state.kingdoms,
            "A": replace(match.state.kingdoms["A"], king=replace(match.state.kingdoms["A"].king, alive=False)),
        }
    )
    assert "no longer" in refused("king:A", "building", "f")


def test_u_7_only_planes_fly_sorties() -> None:
    match = Battlefield().plane("p", "A", "h").army("a", "A", {0: 5}, "CB").building("f", "farm", "CB")
    match.refused("U-7", "A", "sortie_flown", **sortie(["p", "a"], "building", "f"))
    match.refused("U-7", "A", "sortie_flown", **sortie("p", "building", "nowhere"))
    match.refused("U-7", "A", "sortie_flown", **sortie("q", "building", "f"))


def test_ksh_55_an_attacker_stands_there_or_is_near_enough() -> None:
    match = Battlefield().army("a", "A", {0: 5}, "hill").ship("s", "A", "bay").building("f", "farm", "CB")
    refusal = match.refused("KSH-55", "A", "attack_made", **attack("a", "building", "f"))
    assert "a at hill" in refusal.because
    assert refusal.nearest
    match.refused("KSH-55", "A", "attack_made", **attack("a", "building", "f", distances_ft10={"a": 11}))
    assert match.allowed("A", "attack_made", **attack("a", "building", "f", distances_ft10={"a": 10}))
    match.refused(
        "KSH-55", "A", "attack_made", **attack(["a", "s"], "building", "f", distances_ft10={"a": 10, "s": 21})
    )
    assert match.allowed("A", "attack_made", **attack(["a", "s"], "building", "f", distances_ft10={"a": 10, "s": 20}))
    match.refused("KSH-55", "A", "attack_made", **attack("king:A", "building", "f", distances_ft10={"king:A": 11}))
    assert match.king("A", 1, "CB").allowed("A", "attack_made", **attack("king:A", "building", "f"))


def test_ksh_55_a_link_is_reached_from_the_territories_at_its_ends() -> None:
    match = (
        Battlefield()
        .building("b", "barracks", "CB")
        .castle("D", "B")
        .link("r", "B", "b", "D")
        .link("free", "B", "x", "y")
    )
    match.army("a", "A", {0: 5}, "CB").army("d", "A", {0: 5}, "D")
    assert match.allowed("A", "attack_made", **attack(["a", "d"], "link", "r"))
    match.refused("KSH-55", "A", "attack_made", **attack("a", "link", "free"))
    assert match.allowed("A", "attack_made", **attack("a", "link", "free", distances_ft10={"a": 3}))


def test_param_reach_army_ft10_is_one_foot() -> None:
    def reach(far: int, **options: int) -> bool:
        match = Battlefield({key.replace("__", "."): value for key, value in options.items()})
        match.army("a", "A", {0: 5}, "hill").building("f", "farm", "CB")
        return match.allowed("A", "attack_made", **attack("a", "building", "f", distances_ft10={"a": far}))

    assert (reach(10), reach(11)) == (True, False)
    assert (reach(30, reach__army_ft10=30), reach(31, reach__army_ft10=30)) == (True, False)


def test_param_reach_ship_ft10_is_two_feet() -> None:
    def reach(far: int, **options: int) -> bool:
        match = Battlefield({key.replace("__", "."): value for key, value in options.items()})
        match.ship("s", "A", "bay").building("f", "farm", "CB")
        return match.allowed("A", "attack_made", **attack("s", "building", "f", distances_ft10={"s": far}))

    assert (reach(20), reach(21)) == (True, False)
    assert (reach(9, reach__ship_ft10=9), reach(10, reach__ship_ft10=9)) == (True, False)


def test_ksh_72_allies_and_own_things_are_not_attacked() -> None:
    match = Battlefield(seats="ABC").ally("A", "B", "ending").army("a", "A", {0: 5}, "CB").building("f", "farm", "CB")
    match.building("own", "farm", "CA").army("home", "A", {0: 5}, "CA").link("r", "B", "CB", "f").plane("p", "A", "h")
    match.refused("KSH-72", "A", "attack_made", **attack("a", "building", "f"))
    match.refused("KSH-72", "A", "attack_made", **attack("a", "link", "r"))
    match.refused("KSH-72", "A", "attack_made", **attack("home", "building", "own"))
    match.refused("KSH-72", "A", "sortie_flown", **sortie("p", "building", "f"))
    match.accepted("A", "attack_made", **attack("a", "building", "f"))
    assert match.damage("f") == 2
    match.accepted("A", "attack_made", **attack("home", "army", "home"))
    assert match.soldiers("home") == {0: 1}


def official(match: Battlefield) -> Battlefield:
    """Let official pieces stand in for B, with a Farm."""
    return match.castle("CB", "official", founder="B").building("f", "farm", "CB", 2).army("a", "A", {0: 5}, "CB")


def test_ksh_78_official_pieces_keep_their_fabric_and_return_nothing() -> None:
    match = official(Battlefield()).attack("a", "building", "f")
    assert match.numbers() == (5, 2, 3, 0, 0)
    assert match.state.pressed == {"A/CB/infrastructure"}
    refusing = official(Battlefield({"neutral.attackable": "no"})).plane("p", "A", "h")
    refusing.refused("KSH-78", "A", "attack_made", **attack("a", "building", "f"))
    refusing.refused("KSH-78", "A", "sortie_flown", **sortie("p", "building", "f"))
    refusing.accepted("A", "attack_made", **attack("a", "building", "f"))
    assert refusing.damage("f") == 3


def test_param_neutral_attackable_is_yes() -> None:
    assert official(Battlefield()).allowed("A", "attack_made", **attack("a", "building", "f"))
    assert not official(Battlefield({"neutral.attackable": "no"})).allowed(
        "A", "attack_made", **attack("a", "building", "f")
    )


def test_ks_73_a_ruin_is_not_attacked_again() -> None:
    match = (
        Battlefield()
        .building("f", "farm", "CB", damage=10)
        .castle("CB", "B", damage=10)
        .link("r", "B", "CB", "x", cut=True)
    )
    match.army("a", "A", {0: 50}, "CB").plane("p", "A", "h").plane("q", "A", "h")
    match.refused("KS-73", "A", "attack_made", **attack("a", "building", "f"))
    match.refused("KS-73", "A", "attack_made", **attack("a", "castle", "CB"))
    match.refused("KS-73", "A", "attack_made", **attack("a", "link", "r"))
    match.refused("KS-73", "A", "sortie_flown", **sortie("p", "building", "f"))
    for kind, id_ in (("building", "f"), ("link", "r")):
        match.accepted("A", "attack_made", **attack("a", kind, id_))
        assert match.types("structure_ruined", "link_cut", "step_pressed") == []
    assert match.damage("f") == 10


def test_ksh_56_and_the_limit_of_attacks_in_a_turn() -> None:
    match = (
        Battlefield({"attack.limit": 1}).army("a", "A", {0: 20}, "CB").building("f", "farm", "CB", 9).beast("z", "CB")
    )
    match.plane("p", "A", "h").attack("a", "building", "f")
    match.refused("KSH-56", "A", "attack_made", **attack("a", "building", "f"))
    match.do("A", "beast_engaged", attackers=["a"], beast="z")  # an Engage is no Attack
    match.do("A", "sortie_flown", **sortie("p", "building", "f"))
    match.refused("KSH-56", "A", "sortie_flown", **sortie("p", "building", "f"))
    match.accepted("A", "attack_made", **attack("a", "building", "f"))


def test_param_attack_limit_is_none() -> None:
    match = Battlefield().army("a", "A", {0: 9}, "CB").building("f", "farm", "CB", 9)
    for _ in range(4):
        match.attack("a", "building", "f")
    limited = Battlefield({"attack.limit": 3}).army("a", "A", {0: 9}, "CB").building("f", "farm", "CB", 9)
    for _ in range(3):
        limited.attack("a", "building", "f")
    limited.refused("KSH-56", "A", "attack_made", **attack("a", "building", "f"))


def test_ksh_10_attacks_on_one_target_are_limited_by_choice_only() -> None:
    match = Battlefield({"act.per_target_limit": 1}).army("a", "A", {0: 5}, "CB").building("f", "farm", "CB", 9)
    match.building("g", "quarry", "CB").attack("a", "building", "f")
    match.refused("KSH-10", "A", "attack_made", **attack("a", "building", "f"))
    match.attack("a", "building", "g")


def test_an_attack_costs_one_point_and_a_sortie_two() -> None:
    match = Battlefield().army("a", "A", {0: 5}, "CB").building("f", "farm", "CB", 9).plane("p", "A", "h")
    match.attack("a", "building", "f")
    assert match.state.ap_spent == 1
    match.do("A", "sortie_flown", **sortie("p", "building", "f"))
    assert match.state.ap_spent == 3


def test_the_first_failing_check_of_an_attack_is_cited() -> None:
    match = Battlefield({"neutral.attackable": "no"}).castle("CB", "B", damage=10).army("a", "A", {0: 5}, "hill")
    match.army("b", "B", {0: 5}, "CB").ally("A", "B")
    one = match.event("A", "attack_made", **attack("a", "castle", "CB"))
    assert [refusal.rule.id for refusal in check_attack_made(match.state, one)] == [
        "KSH-55",
        "KSH-72",
        "KS-71",
        "KS-73",
    ]


# The order of pressure


def full(match: Battlefield) -> Battlefield:
    """Let something of every step stand at CB, and an army of A with all its might."""
    match.building("f", "farm", "CB").building("e", "embassy", "CB").army("b", "B", {0: 3}, "CB")
    return match.king("B", 1, "CB").army("a", "A", {0: 500}, "CB")


TARGETS = {
    "infrastructure": ("building", "f"),
    "institutions": ("building", "e"),
    "military": ("army", "b"),
    "castle": ("castle", "CB"),
    "king": ("king", "king:B"),
}


def test_ks_71_each_step_waits_for_the_one_before() -> None:
    match = full(Battlefield(seats="ABC"))
    order = list(TARGETS)
    for at, step in enumerate(order):
        for later in order[at + 1 :]:
            refusal = match.refused("KS-71", "A", "attack_made", **attack("a", *TARGETS[later]))
            assert step in refusal.because
            assert refusal.nearest
        match.attack("a", *TARGETS[step])
    assert match.state.kingdoms["B"].status == "eliminated"
    assert match.state.pressed == {f"A/CB/{step}" for step in order}


def test_ks_71_what_another_has_pressed_does_not_count() -> None:
    match = full(Battlefield(seats="ABC")).press("C/CB/infrastructure", "A/CA/infrastructure")
    match.refused("KS-71", "A", "attack_made", **attack("a", "building", "e"))


def test_ks_71_a_step_without_anything_standing_is_open() -> None:
    match = Battlefield().building("f", "farm", "CB", damage=10).building("i", "barracks", "CB", direct=False)
    match.army("a", "A", {0: 5}, "CB").attack("a", "castle", "CB")
    assert match.state.pressed == {"A/CB/castle"}


def test_ks_71_a_sortie_keeps_the_order_too() -> None:
    match = full(Battlefield()).plane("p", "A", "h")
    match.refused("KS-71", "A", "sortie_flown", **sortie("p", "castle", "CB"))


def test_ks_71_a_king_at_home_needs_the_castle_in_ruins() -> None:
    match = full(Battlefield(seats="ABC")).press(*(f"A/CB/{step}" for step in TARGETS))
    refusal = match.refused("KS-71", "A", "attack_made", **attack("a", "king", "king:B"))
    assert "CB" in refusal.because
    assert match.castle("CB", "B", damage=10).allowed("A", "attack_made", **attack("a", "king", "king:B"))


def test_ks_71_a_king_in_the_field_hides_behind_his_army() -> None:
    match = Battlefield(seats="ABC").king("B", 1, "hill").army("b", "B", {0: 1}, "hill").army("a", "A", {0: 50}, "hill")
    match.refused("KS-71", "A", "attack_made", **attack("a", "king", "king:B"))
    match.attack("a", "army", "b")
    assert match.state.pressed == frozenset()
    match.attack("a", "king", "king:B")


def test_ks_71_strangers_in_a_territory_are_outside_its_order() -> None:
    match = full(Battlefield(seats="ABC")).army("c", "C", {0: 3}, "CB")
    match.attack("a", "garrison", "CB", owner="C")
    assert match.soldiers("c") is None
    assert match.state.pressed == frozenset()


def test_ksh_60_nothing_is_pressed_without_an_effect() -> None:
    match = Battlefield().army("b", "B", {5: 3}, "CB").army("a", "A", {0: 7}, "CB").attack("a", "garrison", "CB")
    assert match.numbers()[2] == 5
    assert match.soldiers("b") == {5: 3}
    assert match.state.pressed == frozenset()


def test_param_pressure_mode_is_touch() -> None:
    def stage(mode: str | None) -> Battlefield:
        match = full(Battlefield({} if mode is None else {"pressure.mode": mode}, seats="ABC"))
        return match.building("g", "quarry", "CB", 9).attack("a", "building", "f")

    ask = attack("a", "building", "e")
    assert stage(None).allowed("A", "attack_made", **ask)
    strict = stage("strict")
    refusal = strict.refused("KS-71", "A", "attack_made", **ask)
    assert "still standing: g" in refusal.because
    strict.attack("a", "building", "g").attack("a", "building", "e")
    advisory = full(Battlefield({"pressure.mode": "advisory"}, seats="ABC"))
    assert advisory.allowed("A", "attack_made", **attack("a", "king", "king:B"))
    cascade = full(Battlefield({"pressure.mode": "cascade"}, seats="ABC"))
    cascade.refused("KS-71", "A", "attack_made", **ask)


def test_param_pressure_mode_cascade_lets_the_surplus_flow_on() -> None:
    def stage(soldiers: int) -> Battlefield:
        match = (
            Battlefield({"pressure.mode": "cascade"}, seats="ABC")
            .building("f", "farm", "CB")
            .building("g", "quarry", "CB")
        )
        match.building("e", "embassy", "CB").army("b", "B", {0: 3}, "CB").ship("s", "B", "CB").king("B", 1, "CB")
        return match.army("a", "A", {0: soldiers}, "CB").attack("a", "building", "g")

    # Fabric 3 and the King's 2 are taken off once; g, f and e have 10 points each, b 3 soldiers, s 10, CB 10.
    few = stage(5 + 24)
    assert (few.damage("g"), few.damage("f"), few.damage("e"), few.damage("CB")) == (10, 10, 4, 0)
    assert few.state.pressed == {"A/CB/infrastructure", "A/CB/institutions"}
    more = stage(5 + 30 + 3 + 4)
    assert (more.damage("e"), more.soldiers("b"), more.state.ships["s"].damage, more.damage("CB")) == (10, None, 4, 0)
    most = stage(5 + 30 + 3 + 10 + 10 + 1)
    assert most.damage("CB") == 10
    assert most.state.kingdoms["B"].status == "eliminated"
    assert most.state.pressed == {f"A/CB/{step}" for step in TARGETS}
    assert stage(5 + 30 + 3 + 10 + 10).state.kingdoms["B"].status == "playing"


def test_param_pressure_mode_cascade_in_the_field() -> None:
    def stage(soldiers: int) -> Battlefield:
        match = Battlefield({"pressure.mode": "cascade"}, seats="ABC").king("B", 1, "hill")
        match.army("b", "B", {0: 3}, "hill").army("a", "A", {0: soldiers}, "hill")
        return match.attack("a", "army", "b")

    assert stage(2 + 3).state.kingdoms["B"].status == "playing"
    assert stage(2 + 3 + 1).state.kingdoms["B"].status == "eliminated"


# Kings


def test_ksh_21_an_attacking_king_is_there_or_declared_within_his_influence() -> None:
    def a(place: str, **more: Any) -> int:
        match = Battlefield().king("A", 3, place).army("a", "A", {0: 5}, "hill").building("f", "farm", "CB", 9)
        return match.attack("a", "building", "f", distances_ft10={"a": 5}, **more).numbers()[0]

    assert a("hill") == 11
    assert a("CB") == 11
    assert a("far") == 5
    assert a("far", king_distance_ft10=30) == 11
    assert a("far", king_distance_ft10=31) == 5


def test_ksh_21_a_defending_king_is_there_or_declared_within_his_influence() -> None:
    def d(place: str, **more: Any) -> tuple[int, int]:
        match = Battlefield().king("B", 3, place).army("a", "A", {0: 50}, "CB").building("f", "farm", "CB", 1)
        numbers = match.attack("a", "building", "f", **more).numbers()
        return numbers[1], numbers[3]

    assert d("CB") == (7, 6)
    assert d("far") == (1, 0)
    assert d("far", defending_king_distance_ft10=30) == (7, 6)
    assert d("far", defending_king_distance_ft10=31) == (1, 0)


def test_param_king_scope_is_his_influence() -> None:
    def a(*options: str) -> int:
        match = (
            Battlefield({"king.scope": options[0]} if options else {}).king("A", 3, "far").army("a", "A", {0: 5}, "CB")
        )
        return match.building("f", "farm", "CB").attack("a", "building", "f", king_distance_ft10=30).numbers()[0]

    assert a() == 11
    assert a("group") == 5


def test_ksh_22_one_point_of_net_damage_defeats_a_king() -> None:
    match = Battlefield(seats="ABC").king("B", 2, "hill").army("a", "A", {0: 5}, "hill").attack("a", "king", "king:B")
    assert match.numbers()[2] == 1
    assert match.state.kingdoms["B"].status == "eliminated"


def test_param_king_life_is_none() -> None:
    def alive(soldiers: int, **options: int) -> bool:
        match = Battlefield({key.replace("__", "."): value for key, value in options.items()}, seats="ABC")
        match.king("B", 2, "hill").army("a", "A", {0: soldiers}, "hill").attack("a", "king", "king:B")
        return match.state.kingdoms["B"].king.alive

    assert (alive(4), alive(5)) == (True, False)
    assert (alive(4 + 7, king__life=7), alive(4 + 8, king__life=7)) == (True, False)


def test_ksh_23_a_king_alone_attacks_with_his_own_strength_and_at_his_own_risk() -> None:
    match = Battlefield(seats="ABC").king("A", 4, "CB").building("f", "farm", "CB").army("b", "B", {0: 9}, "CB")
    match.king("B", 1, "far").attack("king:A", "building", "f")
    assert match.numbers() == (8, 1, 7, 9, 0)
    match.army("more", "B", {0: 9}, "CB").attack("king:A", "building", "f")
    assert match.numbers() == (8, 1, 7, 18, 1)
    assert match.types("king_defeated") == [("king_defeated", "A")]
    assert match.state.kingdoms["A"].status == "eliminated"
    assert match.state.turn_kingdom == "B"


def test_a_king_with_units_is_not_hit_by_what_is_returned() -> None:
    match = Battlefield(seats="ABC").king("A", 1, "CB").building("f", "farm", "CB").army("b", "B", {0: 90}, "CB")
    match.army("a", "A", {0: 1}, "CB").attack(["a", "king:A"], "building", "f")
    assert match.soldiers("a") is None
    assert match.state.kingdoms["A"].king.alive


def test_two_kings_defeated_in_one_battle_go_together() -> None:
    match = Battlefield(seats="ABCD").king("A", 9, "hill").king("B", 1, "hill").army("c", "C", {0: 90}, "hill")
    match.ally("B", "C").attack("king:A", "king", "king:B")
    assert match.types("kingdom_eliminated") == [("kingdom_eliminated", "B"), ("kingdom_eliminated", "A")]
    assert match.state.kingdoms["A"].eliminated_seq == match.state.kingdoms["B"].eliminated_seq == match.seq


# What protects


def test_ks_76_the_fabric_protects_what_is_connected() -> None:
    def d(kind: str, id_: str, edition: str = "KS-V5", **more: Any) -> int:
        match = Battlefield({"pressure.mode": "advisory"}, seats="ABC", edition=edition).king("B", 1, "far")
        match.building("f", "farm", "CB", 4).building("m", "lumber_mill", "CB", 3, direct=False).army(
            "b", "B", {0: 1}, "CB"
        )
        match.army("c", "C", {0: 1}, "CB").ship("s", "B", "CB").plane("p", "B", "f").link("r", "B", "CB", "x")
        if more.get("allied"):
            match.ally("B", "C")
        match.army("a", "A", {0: 50}, "CB")
        return match.attack("a", kind, id_, **({"owner": "C"} if kind == "garrison" else {})).numbers()[1]

    assert d("building", "f") == 4
    assert d("building", "m") == 0
    assert d("castle", "CB") == 4
    assert d("army", "b") == 4
    assert d("garrison", "CB") == 0
    assert d("garrison", "CB", allied=True) == 4
    assert d("ship", "s") == d("plane", "p") == d("link", "r") == 0
    assert [d("castle", "CB", edition) for edition in ("KS-V1", "KS-V2", "KS-V3", "KS-V4")] == [0, 0, 4, 4]


def test_ksh_58_a_king_protects_what_no_fabric_does() -> None:
    match = (
        Battlefield()
        .king("B", 4, "CB")
        .building("m", "lumber_mill", "CB", 3, direct=False)
        .army("a", "A", {0: 50}, "CB")
    )
    match.link("r", "B", "CB", "x")
    assert match.attack("a", "link", "r").numbers()[1] == 0
    assert match.attack("a", "building", "m").numbers()[1] == 8


def test_param_fabric_protects_the_city() -> None:
    def d(kind: str, id_: str, *options: str) -> int:
        chosen = {"pressure.mode": "advisory"} | ({"fabric.protects": options[0]} if options else {})
        match = Battlefield(chosen).king("B", 1, "far").building("f", "farm", "CB", 4).army("b", "B", {0: 1}, "CB")
        return match.army("a", "A", {0: 50}, "CB").attack("a", kind, id_).numbers()[1]

    targets = (("building", "f"), ("army", "b"), ("castle", "CB"))
    assert [d(*target) for target in targets] == [4, 4, 4]
    assert [d(*target, "castle_only") for target in targets] == [0, 0, 4]


# Who returns


def test_ksh_57_armies_and_ships_of_the_owner_and_his_allies_return_damage() -> None:
    match = Battlefield(seats="ABCD").king("B", 1, "far").ally("B", "C").building("f", "farm", "CB", 9)
    match.army("b", "B", {0: 4}, "CB").ship("s", "B", "CB").plane("p", "B", "h").army("near", "B", {0: 70}, "hill")
    match.army("c", "C", {2: 3}, "CB").ship("cs", "C", "CB").army("d", "D", {0: 90}, "CB").army("a", "A", {0: 50}, "CB")
    assert match.attack("a", "building", "f").numbers()[3] == 4 + 5 + 6 + 5


def test_param_defence_allies_is_yes() -> None:
    def p(*options: str) -> int:
        match = Battlefield({"defence.allies": options[0]} if options else {}, seats="ABC").king("B", 1, "far")
        match.ally("B", "C").building("f", "farm", "CB").army("b", "B", {0: 4}, "CB").army("c", "C", {0: 7}, "CB")
        return match.army("a", "A", {0: 50}, "CB").attack("a", "building", "f").numbers()[3]

    assert p() == 11
    assert p("no") == 4


def test_ks_72_half_of_what_the_defenders_had_before_the_battle() -> None:
    match = Battlefield().king("B", 1, "far").army("a", "A", {0: 50}, "hill").army("b", "B", {0: 9}, "hill")
    match.attack("a", "army", "b")
    assert match.numbers()[3:] == (9, 4)
    assert match.soldiers("a") == {0: 46}


def test_ksh_63_what_is_returned_hits_soldiers_then_ships_then_planes() -> None:
    def stage(defenders: int) -> Battlefield:
        match = Battlefield().king("B", 1, "far").building("f", "farm", "CB", 9).army("b", "B", {0: defenders}, "CB")
        match.army("new", "A", {0: 2, 1: 1}, "CB").army("old", "A", {0: 3}, "CB", created_seq=1)
        match.ship("s", "A", "CB").ship("t", "A", "CB", damage=3)
        return match.attack(["t", "new", "s", "old"], "building", "f")

    few = stage(2 * 4)
    assert (few.soldiers("old"), few.soldiers("new")) == (None, {0: 1, 1: 1})
    more = stage(2 * (5 + 2 + 4))
    assert more.soldiers("new") is None
    assert (more.state.ships["s"].damage, more.state.ships["t"].damage) == (4, 3)
    assert ("structure_damaged", "s") in more.types()
    most = stage(2 * (5 + 2 + 10 + 7 + 3))
    assert most.state.ships == {}
    assert most.types("ship_sunk") == [("ship_sunk", "s"), ("ship_sunk", "t")]


def test_ksh_63_planes_of_a_sortie_are_hit() -> None:
    match = Battlefield().building("f", "farm", "CB", 9).army("b", "B", {0: 14}, "CB").king("B", 1, "far")
    match.plane("p", "A", "h").plane("q", "A", "h").plane("r", "A", "h")
    match.do("A", "sortie_flown", **sortie(["p", "q", "r"], "building", "f"))
    assert match.numbers() == (15, 9, 6, 14, 7)
    assert {id_: one.damage for id_, one in match.state.planes.items()} == {"q": 2, "r": 0}
    assert match.types("plane_lost", "structure_damaged") == [("structure_damaged", "f"), ("plane_lost", "p")]


def test_param_return_basis_is_the_defenders_power() -> None:
    def r(*options: str, king: int = 0) -> int:
        match = Battlefield({"return.basis": options[0]} if options else {}).king("B", 1, "far")
        match.army("a", "A", {0: 50}, "hill").army("b", "B", {0: 9}, "hill")
        if king:
            match.king("A", king, "hill")
        return match.attack("a", "army", "b").numbers()[4]

    assert r() == 4
    assert r("received") == 25
    assert r("received", king=3) == 28 - 6
    assert official(Battlefield({"return.basis": "received"})).attack("a", "building", "f").numbers()[4] == 0


def test_param_return_timing_is_before_the_losses() -> None:
    def r(*options: str) -> int:
        match = Battlefield({"return.timing": options[0]} if options else {}).king("B", 2, "hill")
        match.army("a", "A", {0: 10}, "hill").army("b", "B", {0: 12}, "hill")
        return match.attack("a", "army", "b").numbers()[4]

    assert r() == 8
    assert r("after") == (12 - 6 + 4) // 2


def test_param_return_timing_after_lets_a_defeated_king_return_nothing() -> None:
    match = Battlefield({"return.timing": "after"}, seats="ABC").king("B", 5, "hill").army("a", "A", {0: 15}, "hill")
    assert match.attack("a", "king", "king:B").numbers() == (15, 10, 5, 10, 0)


def test_param_round_down_halves_what_is_returned() -> None:
    def r(*options: str) -> int:
        match = Battlefield({"round": options[0]} if options else {}).army("a", "A", {0: 50}, "hill")
        return match.army("b", "B", {0: 9}, "hill").attack("a", "army", "b").numbers()[4]

    assert (r(), r("up")) == (4, 5)


def test_a_referees_outcome_replaces_the_computed_one_within_its_bounds() -> None:
    def fought(net: int, returned: int) -> Battlefield:
        match = Battlefield().king("B", 1, "far").army("a", "A", {0: 10}, "hill").army("b", "B", {0: 6}, "hill")
        one = match.event("A", "attack_made", **attack("a", "army", "b"))
        assert checks.check(match.state, one) is None
        return match.follow(replace(one, outcome={"net": net, "returned": returned}))

    match = fought(2, 6)
    assert (match.soldiers("a"), match.soldiers("b")) == ({0: 4}, {0: 4})
    assert (match.computed["net"], match.computed["returned"]) == (2, 6)
    assert match.state.battles == {match.seq: (10, 6)}
    for beyond in (fought(11, 0), fought(0, 7)):
        assert (beyond.soldiers("a"), beyond.soldiers("b")) == ({0: 7}, None)


# What breaks


def test_ksh_59_a_structure_has_ten_points_a_level() -> None:
    match = (
        Battlefield().king("B", 1, "far").building("b", "barracks", "CB", 4, direct=False).army("a", "A", {0: 25}, "CB")
    )
    match.attack("a", "building", "b")
    assert match.damage("b") == 25
    assert match.types("structure_damaged", "structure_ruined") == [("structure_damaged", "b")]
    match.attack("a", "building", "b")
    assert match.damage("b") == 40
    assert match.types("structure_damaged", "structure_ruined") == [("structure_ruined", "b")]


def test_param_structure_per_level_is_ten() -> None:
    def damage(*options: int) -> int:
        match = Battlefield({"structure.per_level": options[0]} if options else {}).king("B", 1, "far")
        match.building("b", "barracks", "CB", 4, direct=False).army("a", "A", {0: 500}, "CB")
        return match.attack("a", "building", "b").damage("b")

    assert (damage(), damage(7)) == (40, 28)


def test_ksh_51_a_cut_isolates_what_is_behind_it_and_presses_there() -> None:
    match = Battlefield().king("B", 1, "CB").castle("D", "B").building("b", "barracks", "CB", direct=False)
    match.building("e", "embassy", "CB", direct=False).link("r", "B", "CB", "j").link("s", "B", "j", "b").link(
        "t", "B", "j", "e"
    )
    match.army("home", "B", {0: 5}, "CB").army("a", "A", {0: 5}, "CB").attack("a", "link", "r")
    assert match.numbers() == (5, 0, 5, 7, 3)
    assert match.state.works.links["r"].cut
    assert match.types() == [
        ("link_cut", "r"),
        ("building_isolated", "b"),
        ("building_isolated", "e"),
        ("soldiers_lost", "a"),
        ("step_pressed", "A/CB/infrastructure"),
    ]


def test_ksh_51_a_cut_that_isolates_nothing_presses_nothing() -> None:
    match = Battlefield().building("b", "barracks", "CB").link("r", "B", "CB", "b").army("a", "A", {0: 5}, "CB")
    match.attack("a", "link", "r")
    assert match.types() == [("link_cut", "r"), ("soldiers_lost", "a")]
    assert match.state.pressed == frozenset()


def test_links_may_be_cut_at_any_time() -> None:
    match = full(Battlefield()).link("r", "B", "CB", "x")
    assert match.allowed("A", "attack_made", **attack("a", "link", "r"))


def test_armies_of_one_owner_at_one_place_are_one_target() -> None:
    match = (
        Battlefield()
        .king("B", 1, "far")
        .army("b", "B", {0: 3, 2: 2}, "hill")
        .army("old", "B", {0: 3}, "hill", created_seq=1)
    )
    match.army("c", "B", {0: 9}, "moor").army("a", "A", {0: 4}, "hill").attack("a", "army", "b")
    assert (match.soldiers("old"), match.soldiers("b"), match.soldiers("c")) == (None, {0: 2, 2: 2}, {0: 9})
    assert match.numbers()[3] == 3 + 3 + 4


def test_param_ship_attack_is_five() -> None:
    def a(*options: int) -> int:
        match = (
            Battlefield({"ship.attack": options[0]} if options else {}).ship("s", "A", "CB").building("f", "farm", "CB")
        )
        return match.attack("s", "building", "f").numbers()[0]

    assert (a(), a(12)) == (5, 12)


def test_param_ship_structure_is_ten() -> None:
    def sunk(damage: int, *options: int) -> bool:
        match = Battlefield({"ship.structure": options[0]} if options else {}).king("B", 1, "far")
        match.ship("s", "B", "bay", cargo={0: 4}).army("a", "A", {0: damage}, "bay").attack("a", "ship", "s")
        return "s" not in match.state.ships

    assert (sunk(9), sunk(10)) == (False, True)
    assert (sunk(24, 25), sunk(25, 25)) == (False, True)


def test_a_ship_sinks_with_its_cargo() -> None:
    match = Battlefield().ship("s", "B", "bay", damage=4, cargo={0: 4}).army("a", "A", {0: 20}, "bay")
    match.attack("a", "ship", "s")
    assert match.state.ships == {}
    assert match.state.armies.keys() == {"a"}
    assert match.types("ship_sunk") == [("ship_sunk", "s")]


def test_param_plane_attack_is_five() -> None:
    def a(*options: int) -> int:
        match = (
            Battlefield({"plane.attack": options[0]} if options else {})
            .plane("p", "A", "h")
            .building("f", "farm", "CB")
        )
        return match.do("A", "sortie_flown", **sortie("p", "building", "f")).numbers()[0]

    assert (a(), a(12)) == (5, 12)


def test_param_plane_structure_is_five() -> None:
    def lost(damage: int, *options: int) -> bool:
        match = Battlefield(
            {"plane.structure": options[0], "pressure.mode": "advisory"} if options else {"pressure.mode": "advisory"}
        )
        match.king("B", 1, "far").plane("p", "B", "h").army("a", "A", {0: damage}, "CB").attack("a", "plane", "p")
        return "p" not in match.state.planes

    assert (lost(4), lost(5)) == (False, True)
    assert (lost(8, 9), lost(9, 9)) == (False, True)


def test_ks_65_a_sortie_needs_an_active_hangar() -> None:
    match = Battlefield().building("h", "hangar", "CA", direct=False).plane("p", "A", "h").plane("q", "A", "g")
    match.building("f", "farm", "CB")
    refusal = match.refused("KS-65", "A", "sortie_flown", **sortie(["q", "p"], "building", "f"))
    assert "h, which is isolated" in refusal.because
    assert match.allowed("A", "sortie_flown", **sortie("q", "building", "f"))
    match.accepted("A", "sortie_flown", **sortie(["q", "p"], "building", "f"))
    assert match.numbers()[0] == 10
    match.plane("lost", "A", "g").set(planes={"lost": replace(match.state.planes["lost"], hangar="nowhere")})
    match.refused("KS-65", "A", "sortie_flown", **sortie("lost", "building", "f"))
    match.accepted("A", "sortie_flown", **sortie("lost", "building", "f"))


def test_ks_11_planes_strike_anywhere_and_come_home() -> None:
    match = Battlefield().king("A", 2, "moor").plane("p", "A", "h", at="moor").building("f", "farm", "CB")
    match.do("A", "sortie_flown", **sortie("p", "building", "f"))
    assert match.numbers()[0] == 5  # a King does not fight where his planes start
    assert match.state.planes["p"].at.castle == "CA"
    match.king("A", 2, "CB").do("A", "sortie_flown", **sortie("p", "building", "f"))
    assert match.numbers()[0] == 9


def test_ks_70_a_sortie_costs_two() -> None:
    match = Battlefield().plane("p", "A", "h").plane("q", "A", "h").building("f", "farm", "CB").set(ap_total=1)
    match.refused("KS-21", "A", "sortie_flown", **sortie(["p", "q"], "building", "f"))
    match.set(ap_total=2).do("A", "sortie_flown", **sortie(["p", "q"], "building", "f"))
    assert match.state.ap_spent == 2


def test_param_sortie_cost_is_two() -> None:
    def spent(*options: int) -> int:
        match = (
            Battlefield({"sortie.cost": options[0]} if options else {}).plane("p", "A", "h").building("f", "farm", "CB")
        )
        return match.do("A", "sortie_flown", **sortie("p", "building", "f")).state.ap_spent

    assert (spent(), spent(5)) == (2, 5)


def test_param_sortie_per_group() -> None:
    def spent(*options: str) -> int:
        match = Battlefield({"sortie.per": options[0]} if options else {}).plane("p", "A", "h").plane("q", "A", "h")
        return (
            match.building("f", "farm", "CB")
            .do("A", "sortie_flown", **sortie(["p", "q"], "building", "f"))
            .state.ap_spent
        )

    assert (spent(), spent("plane")) == (2, 4)


def test_param_cost_attack_is_one() -> None:
    def spent(*options: int) -> int:
        match = Battlefield({"cost.attack": options[0]} if options else {}).army("a", "A", {0: 1}, "CB")
        return match.building("f", "farm", "CB").attack("a", "building", "f").state.ap_spent

    assert (spent(), spent(3)) == (1, 3)


def test_param_loss_order_is_given_only_where_the_defender_chooses() -> None:
    def stage(*options: str) -> Battlefield:
        match = Battlefield({"loss.order": options[0]} if options else {}).army("b", "B", {0: 4, 3: 4}, "hill")
        return match.army("a", "A", {0: 8}, "hill").king("B", 1, "far")

    asked = attack("a", "army", "b", target_order=["3", "0"])
    stage().refused("U-7", "A", "attack_made", **asked)
    match = stage("defender_chooses").do("A", "attack_made", **asked)
    assert match.soldiers("b") == {0: 4, 3: 2}
    stage("defender_chooses").refused("U-7", "A", "attack_made", **attack("a", "army", "b", target_order=["b"]))


def test_param_build_ready_keeps_what_was_just_built_from_fighting() -> None:
    def may(*options: str) -> bool:
        match = (
            Battlefield({"build.ready": options[0]} if options else {}).ship("s", "A", "CB").building("f", "farm", "CB")
        )
        return match.set(built_now=frozenset({"s"})).allowed("A", "attack_made", **attack("s", "building", "f"))

    assert (may(), may("next_turn")) == (True, False)


@pytest.mark.parametrize("edition", ["KS-V1", "KS-V2", "KS-V3", "KS-V4", "KS-V5"])
def test_a_battle_in_the_field_is_the_same_in_every_edition(edition: str) -> None:
    match = Battlefield(edition=edition).king("B", 3, "hill").army("a", "A", {0: 6, 3: 10}, "hill")
    match.army("b", "B", {2: 12}, "hill").attack("a", "army", "b")
    assert match.numbers() == (36, 6, 30, 30, 15)
