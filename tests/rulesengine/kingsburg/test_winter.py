"""Winter and the end of the match: KB-85 to KB-98, and the buildings that decide battles."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsburg.tables import ENEMIES
from tests.rulesengine.kingsburg.given import GAME, IMPOSSIBLE, Match, malformed


def card(
    strength: int = 5, kind: str = "orcs", /, defeat: dict[str, int] | None = None, **victory: int
) -> dict[str, Any]:
    """Return a card by its printed values."""
    return {"kind": kind, "strength": strength, "victory": victory, "defeat": defeat or {}}


def told(match: Match, type_: str) -> list[dict[str, Any]]:
    """Return what followed from the last event, of one type."""
    return [one.data for one in match.last.consequences if one.type == type_]


def test_kb_85_the_kings_die_is_rolled_once_a_year() -> None:
    match = Match().winter()
    for value in (0, 7):
        match.refused("KB-85", IMPOSSIBLE, None, "reinforcements_rolled", value=value)
    match.do(None, "reinforcements_rolled", value=3)
    assert match.state.reinforcement == 3
    match.refused("KB-85", IMPOSSIBLE, None, "reinforcements_rolled", value=3)


def test_kb_86_die_and_card_come_in_either_order_and_once() -> None:
    match = Match().winter().do(None, "enemy_revealed", enemy="1-zombies-4")
    assert match.view["enemy"] == "1-zombies-4"
    assert match.where == (1, "winter", "battle")
    match.refused("KB-86", IMPOSSIBLE, None, "enemy_revealed", enemy="1-zombies-4")
    match.do(None, "reinforcements_rolled", value=6)
    assert match.where == (2, "kings_aid", "aid")
    assert match.view["enemies_seen"] == ["1-zombies-4"]
    assert (match.state.enemy, match.state.reinforcement) == (None, None)
    assert Match().winter().battle("1-zombies-4", 6).view == match.view


def test_kb_87_the_card_is_one_of_the_year() -> None:
    match = Match().winter(2)
    match.refused("KB-87", IMPOSSIBLE, None, "enemy_revealed", enemy="2-orcs-9")
    match.do(None, "reinforcements_rolled", value=6).force("KB-87", None, "enemy_revealed", enemy="1-goblins-2")
    assert match.view["enemies_seen"] == ["1-goblins-2"]
    assert match["A"].wood == 1


def test_kb_87_another_card_is_recorded_by_its_values() -> None:
    values = card(3, "dragons", gold=2)
    match = Match().winter(4).battle(values, 4)
    assert match.view["enemies_seen"] == [values]
    assert [match[seat].gold for seat in "ABC"] == [2, 2, 2]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"enemy": "1-orcs-3", "custom": card()},
        {"custom": {**card(), "kind": "giants"}},
        {"custom": {**card(), "strength": -1}},
        {"custom": {**card(), "victory": {"building": 1}}},
        {"custom": {**card(), "defeat": {"soldiers": 1}}},
        {"custom": {**card(), "defeat": {"vp": -1}}},
        {"custom": {"kind": "orcs", "strength": 3, "victory": {}}},
        {"custom": {**card(), "id": "x"}},
        {"custom": card(any=1001)},
        {"enemy": None},
    ],
)
def test_kb_08_an_enemy_is_one_card_in_the_right_form(data: dict[str, Any]) -> None:
    assert malformed("enemy_revealed", **data)


def test_kb_88_everything_counts_and_may_be_negative_before_the_king() -> None:
    match = Match(2).winter().give("A", soldiers=2, buildings=["palisade", "wizards_guild", "farms"])
    match.give("B", buildings=["farms"]).battle(card(5, "zombies"), 1)
    assert [one["total"] for one in told(match, "battle_fought")] == [2 + 2 + 2 - 1 + 1, 0]


@pytest.mark.parametrize(
    ("soldiers", "buildings", "outcome"),
    [
        (4, [], "victory"),
        (3, [], "draw"),
        (2, [], "defeat"),
        (2, ["stone_wall"], "victory"),
        (1, ["stone_wall"], "defeat"),
    ],
)
def test_kb_89_more_wins_less_loses(soldiers: int, buildings: list[str], outcome: str) -> None:
    match = Match(2).winter().give("A", soldiers=soldiers, buildings=buildings).battle(card(5), 2)
    assert told(match, "battle_fought")[0]["outcome"] == outcome


def test_kb_115_a_stone_wall_turns_a_draw_into_victory() -> None:
    match = Match(2).winter().give("A", buildings=["stone_wall"], soldiers=2).give("B", soldiers=3)
    match.battle(card(5, gold=1), 2)
    assert (match["A"].gold, match["B"].gold) == (1, 0)
    assert (match["A"].vp, match["B"].vp) == (1, 0)


@pytest.mark.parametrize("row", ENEMIES, ids=lambda row: row["id"])
def test_kb_90_victory_brings_the_reward_of_the_card(row: dict[str, Any]) -> None:
    match = Match(2).winter(row["year"]).give("A", soldiers=20).battle(row["id"], 1)
    reward = {key: count for key, count in row["victory"].items() if key != "any"}
    assert told(match, "battle_fought")[0]["changes"] == reward
    assert match["A"].vp == reward.get("vp", 0) + 1


def test_kb_90_goods_of_choice_are_chosen_one_by_one() -> None:
    match = Match().winter(4).give("A", soldiers=9).give("C", soldiers=9).give("B", vp=1)
    match.at(turn_order=("C", "B", "A")).battle(card(9, any=2, gold=1), 1)
    assert match.where == (4, "winter", "battle_choices")
    assert match.awaited() == [
        ("C", "victory_good"),
        ("C", "victory_good"),
        ("A", "victory_good"),
        ("A", "victory_good"),
    ]
    match.refused("KB-90", IMPOSSIBLE, "B", "victory_good_chosen", good="gold")
    match.do("A", "victory_good_chosen", good="stone").do("C", "victory_good_chosen", good="wood")
    match.do("A", "victory_good_chosen", good="stone")
    match.refused("KB-90", IMPOSSIBLE, "A", "victory_good_chosen", good="stone")
    match.do("C", "victory_good_chosen", good="gold")
    assert (match.goods("A"), match.goods("C")) == ((1, 0, 2), (2, 1, 0))
    assert match.where == (5, "spring", "roll")


def test_kb_90_nobody_chooses_before_the_battle() -> None:
    Match().winter().refused("KB-90", IMPOSSIBLE, "A", "victory_good_chosen", good="gold")


def test_kb_05_a_limited_supply_limits_rewards_and_their_choice() -> None:
    match = (
        Match(supply_limited=True).winter().give("A", gold=23, soldiers=9).give("B", soldiers=8).give("C", soldiers=8)
    )
    match.at(turn_order=("B", "C", "A")).battle(card(2, gold=1, any=1), 1)
    assert [match[seat].gold for seat in "ABC"] == [23, 1, 1]
    match.refused("KB-05", IMPOSSIBLE, "A", "victory_good_chosen", good="gold")
    assert match.allowed("A", "victory_good_chosen", good="wood")


def test_kb_05_rewards_of_choice_lapse_when_the_supply_is_empty() -> None:
    match = Match(supply_limited=True).winter().give("A", gold=25, wood=20, stone=14, soldiers=9).give("B", soldiers=9)
    match.give("C", soldiers=9).battle(card(2, any=1), 1)
    assert len(match.state.pending) == 3
    match.do("B", "victory_good_chosen", good="stone")
    assert match.state.year == 2


def test_kb_116_a_fortress_scores_for_every_battle_won() -> None:
    match = Match(2).winter().give("A", soldiers=5, buildings=["fortress"]).give("B", buildings=["fortress"])
    match.battle(card(5), 1)
    assert told(match, "battle_fought")[0]["changes"] == {"vp": 1}
    assert (match["A"].vp, match["B"].vp) == (2, 0)


def test_kb_91_the_strongest_of_the_victorious_gains_a_point() -> None:
    match = Match().winter().give("A", soldiers=5).give("B", soldiers=7).give("C", soldiers=7)
    match.battle(card(5), 1)
    assert [match[seat].vp for seat in "ABC"] == [0, 1, 1]
    assert told(match, "strongest_rewarded") == [{"seats": ["B", "C"]}]
    nobody = Match().winter().battle(card(5), 5)
    assert told(nobody, "strongest_rewarded") == []


def test_kb_91_a_draw_neither_counts_nor_blocks() -> None:
    match = Match().winter().give("A", soldiers=3, buildings=["stone_wall"]).give("B", soldiers=4).battle(card(5), 1)
    assert [match[seat].vp for seat in "ABC"] == [1, 0, 0]


@pytest.mark.parametrize(
    ("goods", "defeat", "left", "owed"),
    [
        ((3, 3, 3), {"gold": 1, "wood": 2}, (2, 1, 3), None),
        ((1, 0, 2), {"gold": 4, "wood": 4}, (0, 0, 2), None),
        ((3, 3, 3), {"any": 2}, (3, 3, 3), 2),
        ((1, 1, 0), {"any": 2}, (0, 0, 0), None),
        ((1, 1, 0), {"any": 4}, (0, 0, 0), None),
        ((5, 0, 0), {"any": 2}, (3, 0, 0), None),
        ((0, 0, 0), {"any": 2}, (0, 0, 0), None),
        ((2, 1, 1), {"gold": 2, "any": 1}, (0, 1, 1), 1),
        ((2, 0, 3), {"gold": 2, "any": 1}, (0, 0, 2), None),
    ],
)
def test_kb_92_a_defeat_takes_what_is_there(
    goods: tuple[int, int, int], defeat: dict[str, int], left: tuple[int, int, int], owed: int | None
) -> None:
    gold, wood, stone = goods
    match = Match(2).winter().give("A", gold=gold, wood=wood, stone=stone).battle(card(9, defeat=defeat), 1)
    assert match.goods("A") == left
    pending = [] if owed is None else [{"seat": "A", "kind": "loss", "goods": owed}]
    assert [one for one in match.view["pending"] if one["kind"] == "loss"] == pending


def test_kb_92_points_are_lost_below_zero() -> None:
    match = Match(2).winter().give("A", vp=1).battle(card(9, defeat={"vp": 8}), 1)
    assert (match["A"].vp, match["B"].vp) == (-7, -8)


def test_kb_92_the_loser_chooses_which_goods() -> None:
    match = Match(2).winter().give("A", gold=2, wood=2).give("B", gold=2, stone=2).battle(card(9, defeat={"any": 3}), 1)
    match.refused("KB-92", IMPOSSIBLE, "A", "loss_chosen", goods={"gold": 3})
    match.refused("KB-92", "irregular", "A", "loss_chosen", goods={"gold": 2})
    match.do("B", "loss_chosen", goods={"gold": 1, "stone": 2})
    match.refused("KB-92", IMPOSSIBLE, "B", "loss_chosen", goods={"gold": 1})
    match.force("KB-92", "A", "loss_chosen", goods={"gold": 1})
    assert (match.goods("A"), match.goods("B")) == ((1, 2, 0), (1, 0, 0))
    assert match.state.year == 2


def test_kb_92_whoever_owes_nothing_loses_nothing() -> None:
    match = Match(2).winter().give("A", gold=2, wood=2).battle(card(9, defeat={"any": 3}), 1)
    match.refused("KB-92", IMPOSSIBLE, "B", "loss_chosen", goods={})


@pytest.mark.parametrize(
    ("buildings", "count", "lost"),
    [
        (["statue", "inn", "guard_tower"], 1, ["statue"]),
        (["statue", "chapel", "inn", "market"], 1, ["chapel"]),
        (["statue", "inn", "market", "farms"], 2, ["farms", "market"]),
        (["barricade"], 3, ["barricade"]),
        ([], 2, []),
    ],
)
def test_kb_93_the_rightmost_and_of_these_the_topmost_is_lost(
    buildings: list[str], count: int, lost: list[str]
) -> None:
    match = Match(2).winter().give("A", buildings=buildings, vp=20).battle(card(9, defeat={"building": count}), 1)
    assert [one["building"] for one in told(match, "building_lost")] == lost
    assert set(match["A"].buildings) == set(buildings) - set(lost)
    assert match["A"].vp == 20 - sum(one["vp"] for one in told(match, "building_lost"))
    match.refused("KB-10", IMPOSSIBLE, "A", "building_loss_chosen", building="inn")


def test_kb_93_a_lost_building_may_stand_again() -> None:
    match = Match(2).winter().give("A", buildings=["inn"], gold=1, wood=1).battle(card(9, defeat={"building": 1}), 1)
    match.building().do("A", "building_built", building="inn")
    assert match["A"].buildings == ("inn",)


def test_kb_93_a_choice_is_made_by_who_has_to() -> None:
    match = (
        Match(2, building_loss_rule="player_choice").winter().give("A", buildings=["statue", "chapel", "inn"], vp=20)
    )
    match.give("B", buildings=["inn"]).battle(card(9, defeat={"building": 2}), 1)
    assert match["B"].buildings == ()
    assert match.awaited() == [("A", "building_loss")] * 2
    match.refused("KB-93", IMPOSSIBLE, "B", "building_loss_chosen", building="inn")
    match.refused("KB-93", IMPOSSIBLE, "A", "building_loss_chosen", building="market")
    match.do("A", "building_loss_chosen", building="statue")
    assert match["A"].vp == 17
    match.do("A", "building_loss_chosen", building="inn")
    assert match["A"].buildings == ("chapel",)
    assert match.state.year == 2


def test_kb_94_a_draw_changes_nothing_and_all_soldiers_go() -> None:
    match = Match().winter().give("A", soldiers=4, gold=2, plus_two=1, vp=3).give("B", soldiers=1)
    match.battle(card(5, gold=1, defeat={"vp": 1}), 1)
    assert (match["A"].vp, match["A"].gold, match["A"].plus_two) == (3, 2, 1)
    assert [match[seat].soldiers for seat in "ABC"] == [0, 0, 0]
    assert [match[seat].vp for seat in "BC"] == [-1, -1]


# End ------------------------------------------------------------------------------------------------------------------


def test_kb_95_a_cathedral_scores_for_goods_at_the_end_alone() -> None:
    match = Match().winter(4).give("A", buildings=["cathedral"], gold=5).battle("4-zombies-7", 6)
    assert match["A"].vp == -2
    match = Match().winter(5).give("A", buildings=["cathedral"], gold=2, wood=2, stone=1).give("B", gold=9)
    match.battle(card(0), 1)
    assert (match["A"].vp, match["A"].goods, match["B"].vp) == (1 + 2, 5, 1)
    assert GAME.result(match.state) == {
        "A": {"vp": 3, "vp_before_cathedral": 1, "goods": 5, "buildings": 1, "place": 1},
        "B": {"vp": 1, "vp_before_cathedral": 1, "goods": 9, "buildings": 0, "place": 2},
        "C": {"vp": 1, "vp_before_cathedral": 1, "goods": 0, "buildings": 0, "place": 3},
    }


def test_kb_104_the_cathedral_is_kb_95() -> None:
    match = Match(2).winter(5).give("A", buildings=["cathedral"], gold=3).battle(card(0), 1)
    assert told(match, "cathedral_scored") == [{"seat": "A", "vp": 1}]


def test_kb_95_the_match_ends_in_the_event_that_settles_the_last_thing() -> None:
    match = Match(2).winter(5).give("A", gold=2, wood=2).battle(card(9, defeat={"any": 1}), 1)
    assert match.view["placements"] is None
    match.do("A", "loss_chosen", goods={"gold": 1})
    assert match.where == (5, "winter", "over")
    assert match.state.finished
    assert (match.view["enemy"], match.view["reinforcement"]) == (card(9, defeat={"any": 1}), 1)
    assert match.view["turn_index"] is None
    assert GAME.status(match.state) == "ended"


def _ended(**players: dict[str, Any]) -> Match:
    match = Match(len(players))
    for seat, has in players.items():
        match.give(seat, **has)
    return match.do(None, "time_called")


def test_kb_96_most_points_then_goods_then_buildings() -> None:
    match = _ended(A={"vp": 3}, B={"vp": 5}, C={"vp": 3, "gold": 1}, D={"vp": 3, "buildings": ["inn"]})
    assert match.places == {"B": 1, "C": 2, "D": 3, "A": 4}
    assert match.view["placements"] == [
        {"seat": "B", "place": 1},
        {"seat": "C", "place": 2},
        {"seat": "D", "place": 3},
        {"seat": "A", "place": 4},
    ]


def test_kb_96_equals_share_a_place_and_the_next_is_skipped() -> None:
    match = Match("CAB").give("A", vp=2).give("C", vp=2).do(None, "time_called")
    assert match.view["placements"] == [
        {"seat": "C", "place": 1},
        {"seat": "A", "place": 1},
        {"seat": "B", "place": 3},
    ]


def test_kb_97_points_have_no_bound() -> None:
    match = Match(2).building().give("A", vp=59, gold=9).do("A", "building_built", building="statue")
    assert match["A"].vp == 62


def test_kb_98_soldiers_have_no_bound() -> None:
    match = Match(2).recruiting().give("A", gold=100).do("A", "soldiers_recruited", soldiers=50, pay={"gold": 100})
    assert match["A"].soldiers == 50
