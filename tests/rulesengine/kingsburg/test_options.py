"""The set-up parameters: what each default does, and what its other values do."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsburg import options
from rulesengine.kingsburg.state import Standing
from tests.rulesengine.kingsburg.given import GAME, IMPOSSIBLE, Match
from tests.rulesengine.kingsburg.test_season import helping
from tests.rulesengine.kingsburg.test_winter import card, told

VALUES = [
    (one.name, value)
    for one in GAME.parameters
    for value in (True, False, None, 17, "per_advisor", "none", "each_advisor", "player_choice", ["buildings"], [])
    if options.accepts(one.name, value)
]


def test_the_parameters_are_those_of_the_rule_page() -> None:
    shown = Match().view["options"]
    assert {one.name: one.default for one in GAME.parameters} == shown
    assert len(shown) == 17
    for one in GAME.parameters:
        assert one.rules
        for rule in one.rules:
            GAME.rule(rule)


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_a_chosen_value_holds_and_is_shown(name: str, value: Any) -> None:
    assert Match(**{name: value}).view["options"][name] == value


def test_param_plus_two_limit_is_one_a_season() -> None:
    for chosen, allowed in (({}, False), ({"plus_two_limit": "per_advisor"}, True)):
        match = Match(2, **chosen).dice(A=[1, 2, 3], B=[4, 4, 4]).give("A", plus_two=2).give("B", passed=True)
        match.do("A", "advisor_influenced", advisor=3, coloured=[1], plus_two=True)
        assert match.allowed("A", "advisor_influenced", advisor=4, coloured=[2], plus_two=True) is allowed


def test_param_market_with_plus_two_is_allowed() -> None:
    group = {"advisor": 4, "coloured": [1], "plus_two": True, "market": 1}
    for chosen, allowed in (({}, True), ({"market_with_plus_two": False}, False)):
        match = Match(2, **chosen).dice(A=[1, 2, 3], B=[4, 4, 4]).give("A", plus_two=2, buildings=["market"])
        assert match.allowed("A", "advisor_influenced", **group) is allowed
        assert match.allowed("A", "advisor_influenced", **{**group, "plus_two": False, "advisor": 2})
    match.force("KB-45", "A", "advisor_influenced", **group)
    assert match["A"].used == {"market", "plus_two"}


def test_param_envoy_on_own_advisor_is_allowed() -> None:
    for chosen, allowed in (({}, True), ({"envoy_on_own_advisor": False}, False)):
        match = Match(2, **chosen).dice(A=[1, 2, 3], B=[4, 4, 4]).at(envoy_holder="A")
        match.at(influence={3: (Standing("A", 1),)})
        assert match.allowed("A", "advisor_influenced", advisor=3, coloured=[3], envoy=True) is allowed
    match.force("KB-47", "A", "advisor_influenced", advisor=3, coloured=[3], envoy=True)


def test_param_envoy_overrides_block_by_default() -> None:
    for chosen, allowed in (({}, True), ({"envoy_overrides_block": False}, False)):
        match = Match(2, **chosen).dice(A=[1, 2, 3], B=[4, 4, 4]).at(envoy_holder="A", blocked=(3,))
        assert match.allowed("A", "advisor_influenced", advisor=3, coloured=[3], envoy=True) is allowed
    match.force("KB-47", "A", "advisor_influenced", advisor=3, coloured=[3], envoy=True)
    assert match.state.envoy_holder is None


def test_param_two_player_block_is_recorded() -> None:
    for chosen, step in (({}, "block"), ({"two_player_block": "none"}, "roll")):
        match = Match(2, **chosen).do("A", "aid_good_taken", good="gold").do("B", "aid_good_taken", good="gold")
        assert match.where == (1, "spring", step)
    match.refused("KB-30", IMPOSSIBLE, None, "advisors_blocked", advisors=[], dice=[])


def test_param_help_may_be_declined_by_default() -> None:
    for chosen, allowed in (({}, True), ({"help_may_be_declined": False}, False)):
        match = helping(Match(**chosen), n14="A")
        assert match.allowed("A", "help_taken", advisor=14, declined=True) is allowed
    match.force("KB-55", "A", "help_taken", advisor=14, declined=True)
    assert (match["A"].vp, match["A"].goods) == (0, 0)


def test_param_stable_limit_is_once_a_season() -> None:
    for chosen, soldiers in (({}, 5), ({"stable_limit": "each_advisor"}, 7)):
        match = helping(Match(**chosen).give("A", buildings=["stable"]), n5="A", n10="A", n18="A")
        assert match["A"].soldiers == soldiers
        assert match["A"].used == {"stable"}


def test_param_reward_at_zero_buildings_is_paid() -> None:
    for chosen, vp in (({}, 1), ({"reward_at_zero_buildings": False}, 0)):
        match = Match(**chosen).season("spring", "season_end").do(None, "season_closed")
        assert [match[seat].vp for seat in "ABC"] == [vp] * 3
    some = Match(reward_at_zero_buildings=False).season("spring", "season_end").give("B", buildings=["inn"])
    assert some.do(None, "season_closed")["B"].vp == 1


def test_param_supply_limited_is_not_by_default() -> None:
    for chosen, gold in (({}, 4), ({"supply_limited": True}, 1)):
        match = helping(Match(**chosen).give("B", gold=24), n16="A")
        assert match["A"].gold == gold


def test_param_supply_limited_holds_for_tokens_and_choices() -> None:
    match = helping(Match(supply_limited=True).give("B", plus_two=20, gold=25, wood=20, stone=14), n12="A")
    match.refused("KB-05", IMPOSSIBLE, "A", "help_taken", advisor=12, any={"wood": 1})
    match.refused("KB-51", "irregular", "A", "help_taken", advisor=12)
    match.do("A", "help_taken", advisor=12, any={"stone": 1})
    assert (match["A"].stone, match["A"].plus_two) == (1, 0)
    paid = helping(Match(supply_limited=True).give("A", gold=1).give("B", gold=24, wood=20), n6="A")
    assert paid.do("A", "help_taken", advisor=6, alternative=0).goods("A") == (0, 0, 1)
    guilds = Match(supply_limited=True).season("spring", "season_end").give("C", gold=24)
    for seat in "AB":
        guilds.give(seat, buildings=["merchants_guild"])
    guilds.at(turn_order=("B", "A", "C")).do(None, "season_closed")
    assert [guilds[seat].gold for seat in "AB"] == [0, 1]
    inns = Match(2, supply_limited=True).building("summer").give("A", buildings=["inn"], plus_two=20)
    assert inns.do("A", "build_passed").do("B", "build_passed")["A"].plus_two == 20


def test_param_building_token_limit_is_none() -> None:
    seventeen = [row["key"] for row in GAME.tables["buildings"]][:17]
    rich = {"gold": 9, "wood": 9, "stone": 9}
    for chosen, allowed in (({}, True), ({"building_token_limit": 17}, False)):
        match = Match(**chosen).building().give("A", **rich, buildings=seventeen)
        assert match.allowed("A", "building_built", building="crane") is allowed
    match.refused("KB-05", IMPOSSIBLE, "A", "building_built", building="crane")
    match.give("A", buildings=seventeen[:16])
    assert match.allowed("A", "building_built", building="barricade")


def test_param_building_loss_rule_is_rightmost_then_topmost() -> None:
    for chosen, left in (
        ({}, ("statue", "inn")),
        ({"building_loss_rule": "player_choice"}, ("statue", "inn", "market")),
    ):
        match = Match(2, **chosen).winter().give("A", buildings=["statue", "inn", "market"])
        match.battle(card(9, defeat={"building": 1}), 1)
        assert match["A"].buildings == left


def test_param_vp_lost_with_building_by_default() -> None:
    for chosen, vp in (({}, 5), ({"vp_lost_with_building": False}, 10)):
        match = Match(2, **chosen).winter().give("A", buildings=["statue", "chapel"], vp=10)
        match.battle(card(9, defeat={"building": 1}), 1)
        assert match["A"].vp == vp


def test_param_strongest_bonus_ties_pay_all() -> None:
    for chosen, vp in (({}, 1), ({"strongest_bonus_ties": "none"}, 0)):
        match = Match(2, **chosen).winter().battle(card(0), 1)
        assert [match[seat].vp for seat in "AB"] == [vp, vp]
    alone = Match(2, strongest_bonus_ties="none").winter().give("A", soldiers=1).battle(card(0), 1)
    assert [alone[seat].vp for seat in "AB"] == [1, 0]


def test_param_enemy_table_is_the_only_one() -> None:
    assert Match().view["options"]["enemy_table"] == "kb-enemies-a"
    assert not options.accepts("enemy_table", "kb-enemies-b")


def test_param_enemy_custom_allowed_by_default() -> None:
    for chosen, allowed in (({}, True), ({"enemy_custom_allowed": False}, False)):
        match = Match(**chosen).winter()
        assert match.allowed(None, "enemy_revealed", custom=card()) is allowed
    match.force("KB-87", None, "enemy_revealed", custom=card())
    assert match.view["enemy"] == card()


def test_param_cathedral_spends_goods_is_off() -> None:
    for chosen, goods in (({}, (2, 2, 1)), ({"cathedral_spends_goods": True}, (0, 0, 1))):
        match = Match(2, **chosen).winter(5).give("A", buildings=["cathedral"], gold=2, wood=2, stone=1)
        match.battle(card(0), 1)
        assert (match["A"].vp, match.goods("A")) == (3, goods)
        assert told(match, "cathedral_scored") == [{"seat": "A", "vp": 2}]


@pytest.mark.parametrize(
    ("chosen", "places"),
    [
        ({}, {"A": 2, "B": 1, "C": 3}),
        ({"final_tiebreak": ["buildings", "goods"]}, {"A": 1, "B": 2, "C": 3}),
        ({"final_tiebreak": ["goods"]}, {"A": 2, "B": 1, "C": 2}),
        ({"final_tiebreak": ["buildings"]}, {"A": 1, "B": 2, "C": 2}),
        ({"final_tiebreak": []}, {"A": 1, "B": 1, "C": 1}),
    ],
)
def test_param_final_tiebreak_is_goods_then_buildings(chosen: dict[str, Any], places: dict[str, int]) -> None:
    match = Match(**chosen).give("A", buildings=["inn"]).give("B", gold=1).do(None, "time_called")
    assert match.places == places
