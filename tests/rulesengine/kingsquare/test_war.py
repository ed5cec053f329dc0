"""What soldiers and Kings are worth, who falls, and the end of a Kingdom: the figures F-01 to F-03, F-12 to F-15, losses, KSH-37, KSH-77."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsquare import war
from rulesengine.kingsquare.consequences import Told
from tests.rulesengine.kingsquare.battlefield import Battlefield, attack

EDITIONS = ("KS-V1", "KS-V2", "KS-V3", "KS-V4", "KS-V5")


def lost(stacks: dict[int, int], net: int, **options: Any) -> dict[int, int]:
    """Return what one army is left with after net damage."""
    match = Battlefield({key.replace("__", "."): value for key, value in options.items()})
    falling, _ = war.lose(match.state.setup, [("a", stacks)], net)
    return war.without(stacks, falling.get("a", {}))


@pytest.mark.parametrize(
    ("level", "attack_", "defence", "influence", "movement"),
    [(1, 2, 2, 10, 10), (5, 10, 10, 50, 50), (10, 20, 20, 100, 100), (14, 28, 28, 140, 100)],
)
@pytest.mark.parametrize("edition", EDITIONS)
def test_ks_14_a_king_is_worth_twice_his_level(
    edition: str, level: int, attack_: int, defence: int, influence: int, movement: int
) -> None:
    setup = Battlefield(edition=edition).state.setup
    assert (war.king_attack(setup, level), war.king_defence(setup, level)) == (attack_, defence)
    assert (war.influence_ft10(level), war.king_movement_ft10(level)) == (influence, movement)


def test_ks_34_a_king_of_level_11_moves_no_farther_than_one_of_level_10() -> None:
    assert [war.king_movement_ft10(level) for level in (9, 10, 11, 40)] == [90, 100, 100, 100]


def test_ksh_19_the_first_level_of_a_king_counts() -> None:
    assert war.king_attack(Battlefield().state.setup, 1) == 2


def test_param_king_base_makes_the_first_level_count_nothing() -> None:
    assert war.king_attack(Battlefield().state.setup, 10) == 20
    setup = Battlefield({"king.base": "level_minus_1"}).state.setup
    assert [war.king_attack(setup, level) for level in (1, 10)] == [0, 18]
    assert [war.king_defence(setup, level) for level in (1, 10)] == [0, 18]
    assert war.influence_ft10(1) == 10


@pytest.mark.parametrize(
    ("level", "attack_", "toughness"), [(0, 1, 1), (1, 1, 2), (2, 2, 3), (3, 3, 4), (4, 4, 5), (5, 5, 6)]
)
def test_ksh_16_a_soldier_attacks_with_its_level_and_is_one_tougher(level: int, attack_: int, toughness: int) -> None:
    setup = Battlefield().state.setup
    assert (war.attack_of_soldier(level), war.toughness(setup, level)) == (attack_, toughness)


def test_param_soldier_toughness_is_a_soldiers_level_and_one_unless_told_otherwise() -> None:
    assert [war.toughness(Battlefield().state.setup, level) for level in (0, 1, 5)] == [1, 2, 6]
    for kind, expected in {"level": [1, 1, 5], "flat": [1, 1, 1]}.items():
        setup = Battlefield({"soldier.toughness": kind}).state.setup
        assert [war.toughness(setup, level) for level in (0, 1, 5)] == expected


def test_ks_59_the_power_of_100_soldiers_of_level_5_with_a_king_and_a_buff_is_530() -> None:
    match = Battlefield().king("A", 10, "hill").army("a", "A", {5: 100}, "hill").buff("a", 10)
    assert war.power(match.state, ["a"]) == 510
    assert war.power(match.state, ["a"], "A") == 530


def test_ks_59_mixed_levels_add_up() -> None:
    match = Battlefield().king("A", 4).army("a", "A", {0: 7, 1: 4, 3: 6}, "CA")
    assert war.power(match.state, ["a"], "A") == 37
    assert war.power(match.army("b", "A", {0: 12}, "hill").state, ["b"]) == 12


def test_ks_75_a_chip_of_an_early_edition_is_ten_soldiers_strong() -> None:
    match = Battlefield(edition="KS-V1").army("a", "A", {0: 12 * 10}, "hill")
    assert match.state.setup.figures.army_chip_strength == 10
    assert war.power(match.state, ["a"]) == 120
    assert Battlefield().state.setup.figures.army_chip_strength == 1


def test_param_army_chip_strength_is_one_today() -> None:
    assert Battlefield().state.setup.figures.army_chip_strength == 1


def test_param_king_power_is_the_kings_attack() -> None:
    def of(match: Battlefield) -> int:
        return war.power(match.king("A", 3).army("a", "A", {0: 1}, "CA").state, ["a"], "A")

    assert of(Battlefield()) == 7
    assert of(Battlefield({"king.power": "attack_plus_defence"})) == 13


def test_ksh_20_a_king_adds_his_attack_and_not_his_defence() -> None:
    assert war.king_power(Battlefield().state.setup, 6) == 12


def test_param_king_alone_lets_a_king_fight_without_an_army() -> None:
    assert war.power(Battlefield().king("A", 3).state, [], "A") == 6
    alone = Battlefield({"king.alone": "no"}).king("A", 3)
    assert war.power(alone.state, ["king:A"], "A") == 0
    assert war.power(alone.ship("s", "A", "CA").state, ["s"], "A") == 11


# Losses


@pytest.mark.parametrize(
    ("stacks", "net", "left"),
    [
        ({5: 100}, 520, {5: 14}),
        ({5: 100}, 230, {5: 62}),
        ({0: 6}, 10, {}),
        ({0: 10}, 3, {0: 7}),
        ({0: 6, 3: 10}, 15, {3: 8}),
        ({2: 12}, 30, {2: 2}),
        ({5: 100}, 26, {5: 96}),
        ({1: 20, 5: 3}, 1, {1: 20, 5: 3}),
        ({1: 2, 5: 3}, 9, {5: 3}),
    ],
)
def test_ksh_62_the_lowest_level_falls_first(stacks: dict[int, int], net: int, left: dict[int, int]) -> None:
    assert lost(stacks, net) == left


def test_ksh_62_a_rest_below_one_soldier_is_lost() -> None:
    match = Battlefield()
    falling, rest = war.lose(match.state.setup, [("a", {1: 3, 2: 2})], 5)
    assert (falling, rest) == ({"a": {1: 2}}, 0)
    falling, rest = war.lose(match.state.setup, [("a", {1: 3, 2: 2})], 14)
    assert (falling, rest) == ({"a": {1: 3, 2: 2}}, 2)


def test_ksh_62_the_older_army_loses_first_within_a_level() -> None:
    falling, _ = war.lose(Battlefield().state.setup, [("old", {0: 3, 2: 1}), ("new", {0: 3})], 5)
    assert falling == {"old": {0: 3}, "new": {0: 2}}


def test_param_loss_order_is_lowest_first() -> None:
    assert lost({0: 4, 3: 4}, 8) == {3: 3}
    assert lost({0: 4, 3: 4}, 8, loss__order="highest") == {0: 4, 3: 2}


def test_param_loss_order_lets_the_defender_choose() -> None:
    setup = Battlefield({"loss.order": "defender_chooses"}).state.setup
    assert war.lose(setup, [("a", {0: 4, 2: 4, 3: 4})], 12, (3,))[0] == {"a": {3: 3}}
    assert war.lose(setup, [("a", {0: 4, 2: 4, 3: 1})], 8, (3,))[0] == {"a": {3: 1, 0: 4}}
    assert war.lose(setup, [("a", {0: 4, 2: 4})], 8)[0] == {"a": {0: 4, 2: 1}}


def test_param_round_is_down_at_each_division() -> None:
    def halved(**options: Any) -> int:
        return war.divided(Battlefield(options).state.setup.options, 7, 2)

    assert halved() == 3
    assert halved(round="up") == 4
    assert lost({1: 5}, 3) == {1: 4}
    assert lost({1: 5}, 3, round="up") == {1: 3}


def test_ksh_64_divisions_round_down() -> None:
    assert war.divided(Battlefield().state.setup.options, 5, 2) == 2


def test_ks_74_soldiers_that_fell_do_not_come_back() -> None:
    match = Battlefield().army("a", "A", {0: 10}, "hill").army("b", "B", {0: 6}, "hill")
    match.attack("a", "army", "b")
    for _ in range(2):
        for seat in (match.state.turn_kingdom, "B" if match.state.turn_kingdom == "A" else "A"):
            if match.state.phase == "act":
                match.do(seat, "turn_ended")
            else:
                match.do(seat, "phase_advanced", to="move").do(seat, "phase_advanced", to="act").do(seat, "turn_ended")
    assert match.soldiers("a") == {0: 7}


# The order of pressure: what stands where


def test_ksh_61_which_thing_belongs_to_which_step() -> None:
    options = Battlefield().state.setup.options
    infrastructure = ("farm", "lumber_mill", "quarry", "barracks", "harbor", "hangar", "trainyard", "wall")
    assert {war.step_of(options, kind) for kind in infrastructure} == {"infrastructure"}
    assert {war.step_of(options, kind) for kind in ("university", "embassy", "religion", "war_forge")} == {
        "institutions"
    }


def test_param_pressure_barracks_are_infrastructure() -> None:
    def stands(match: Battlefield) -> tuple[list[str], list[str]]:
        match.building("b", "barracks", "CB")
        return [*war.standing(match.state, "CB", "infrastructure")], [*war.standing(match.state, "CB", "military")]

    assert stands(Battlefield()) == (["b"], [])
    assert stands(Battlefield({"pressure.barracks": "military"})) == ([], ["b"])


def test_what_stands_of_a_step() -> None:
    match = (
        Battlefield(seats="ABC")
        .building("f", "farm", "CB", direct=False)
        .building("gone", "quarry", "CB", damage=10)
        .building("cut-off", "barracks", "CB", direct=False)
        .building("e", "embassy", "CB")
        .army("b", "B", {0: 1}, "CB")
        .army("elsewhere", "B", {0: 1}, "hill")
        .army("guest", "C", {0: 1}, "CB")
        .ship("s", "B", "CB")
        .plane("p", "B", "h")
    )
    stands = {step: [*war.standing(match.state, "CB", step)] for step in war.PRESSURE}
    assert stands == {
        "infrastructure": ["f", "h"],
        "institutions": ["e"],
        "military": ["b", "s", "p"],
        "castle": ["CB"],
        "king": ["king:B"],
    }
    match.castle("CB", "B", damage=10)
    assert [*war.standing(match.state, "CB", "castle")] == []


# The end of a Kingdom


def out(match: Battlefield, *seats: str) -> list[tuple[str, Any]]:
    """Take Kingdoms out and return what was told."""
    told = Told()
    match.state = war.eliminate(match.state, seats, "forfeited", 77, told)
    return [(one.type, one.data["id"]) for one in told.in_order()]


def forces() -> Battlefield:
    """Return three Kingdoms of which B has every kind of force and alliances with both."""
    match = Battlefield(seats="ABC").army("b", "B", {0: 1}, "CB").ship("s", "B", "CB").plane("p", "B", "h")
    return match.army("a", "A", {0: 1}, "CA").ally("A", "B").ally("B", "C", "proposed").ally("A", "C")


def test_ksh_77_the_forces_of_a_kingdom_that_is_out_leave_the_table() -> None:
    match = forces()
    works = match.state.works
    assert out(match, "B") == [("kingdom_eliminated", "B"), ("forces_disbanded", "B")]
    state = match.state
    assert (list(state.armies), state.ships, state.planes) == (["a"], {}, {})
    kingdom = state.kingdoms["B"]
    assert (kingdom.status, kingdom.eliminated_seq, kingdom.eliminated_cause) == ("eliminated", 77, "forfeited")
    assert (kingdom.king.alive, kingdom.king.at) == (False, None)
    assert {id_: (one.status, one.to_seq) for id_, one in state.alliances.items()} == {
        "AB": ("ended", 77),
        "BC": ("ended", 77),
        "AC": ("active", None),
    }
    assert not state.allied("A", "B")
    assert state.allied("A", "C")
    assert (state.works.castles, state.works.buildings, state.works.links) == (
        works.castles,
        works.buildings,
        works.links,
    )


def test_ks_79_the_map_stays_when_a_player_goes() -> None:
    match = forces().building("f", "farm", "CB").link("r", "B", "CB", "j")
    out(match, "B")
    assert match.state.works.castles["CB"].kingdom == "B"
    assert set(match.state.works.buildings) == {"h", "f"}
    assert set(match.state.works.links) == {"r"}


def test_param_eliminated_forces_disband() -> None:
    match = forces()
    out(match, "B")
    assert "b" not in match.state.armies
    neutral = forces()
    neutral.state = Battlefield({"eliminated.forces": "neutral"}, seats="ABC").state
    neutral.army("b", "B", {0: 8}, "CB").army("a", "A", {0: 9}, "CB")
    assert out(neutral, "B") == [("kingdom_eliminated", "B")]
    assert neutral.soldiers("b") == {0: 8}
    assert neutral.state.kingdoms["B"].king.at is None
    neutral.attack("a", "garrison", "CB")
    assert neutral.numbers() == (9, 0, 9, 0, 0)


def test_a_kingdom_that_is_out_is_not_taken_out_again() -> None:
    match = forces()
    out(match, "B")
    before = match.state
    assert out(match, "B") == []
    assert match.state is before


def test_ksh_37_the_highest_standing_castle_becomes_capital() -> None:
    match = (
        Battlefield()
        .castle("CB", "B", 2, damage=19)
        .castle("low", "B", 2)
        .castle("high", "B", 4)
        .castle("young", "B", 4)
        .castle("ruin", "B", 9, damage=90)
    )
    match.army("a", "A", {0: 30}, "CB").attack("a", "castle", "CB")
    castles = match.state.works.castles
    assert {id_ for id_, one in castles.items() if one.is_capital and one.kingdom == "B"} == {"high"}
    assert match.types("capital_moved") == [("capital_moved", "high")]


def test_param_capital_succession_goes_to_the_highest() -> None:
    def capital(match: Battlefield) -> list[str]:
        match.castle("CB", "B", damage=9).castle("D", "B").army("a", "A", {0: 30}, "CB").attack("a", "castle", "CB")
        return [id_ for id_, one in match.state.works.castles.items() if one.is_capital and one.kingdom == "B"]

    assert capital(Battlefield()) == ["D"]
    assert capital(Battlefield({"capital.succession": "none"})) == ["CB"]


def test_the_last_castle_keeps_its_title_as_a_ruin() -> None:
    match = Battlefield().castle("CB", "B", damage=9).army("a", "A", {0: 30}, "CB").attack("a", "castle", "CB")
    assert match.state.works.castles["CB"].is_capital
    assert match.types("capital_moved") == []


def test_ks_77_a_kingdom_without_a_king_is_out() -> None:
    match = Battlefield(seats="ABC").king("B", 1, "hill").army("a", "A", {0: 5}, "hill").attack("a", "king", "king:B")
    assert match.types("king_defeated", "kingdom_eliminated", "forces_disbanded") == [
        ("king_defeated", "B"),
        ("kingdom_eliminated", "B"),
        ("forces_disbanded", "B"),
    ]
    assert match.state.kingdoms["B"].eliminated_cause == "king_defeated"
    assert match.state.kingdoms["B"].eliminated_seq == match.seq
    match.refused("U-7", "A", "attack_made", **attack("a", "king", "king:B"))
    match.refused("KS-77", "B", "alliance_proposed", alliance="pact", to_kingdom="A")
