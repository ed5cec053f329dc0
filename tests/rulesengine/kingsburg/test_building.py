"""Building, the end of a season, reward, envoy and recruiting: KB-60 to KB-81, and what single buildings do."""

from __future__ import annotations

import pytest

from rulesengine.kingsburg.tables import BUILDINGS
from tests.rulesengine.kingsburg.given import IMPOSSIBLE, Match

RICH = {"gold": 20, "wood": 20, "stone": 20}


def test_kb_60_everybody_builds_once_in_turn_order() -> None:
    match = Match("BAC").building().give("B", **RICH).give("A", **RICH)
    match.do("B", "building_built", building="inn")
    assert match["B"].passed
    assert match.state.on_turn == "A"
    match.do("A", "build_passed").do("C", "build_passed")
    assert match.where == (1, "spring", "season_end")
    assert not any(player.passed for player in match.state.players.values())


def test_kb_60_who_is_not_on_turn_waits() -> None:
    match = Match().building().give("B", **RICH)
    match.force("KB-60", "B", "building_built", building="inn")
    assert match["B"].buildings == ("inn",)
    assert match.state.on_turn == "A"
    match.force("KB-60", "C", "build_passed").do("A", "build_passed")
    assert match.state.step == "season_end"


def test_kb_60_the_holder_of_the_envoy_goes_on_or_passes() -> None:
    match = Match().building().give("A", **RICH).at(envoy_holder="A")
    match.do("A", "building_built", building="inn")
    assert match.state.on_turn == "A"
    match.do("A", "build_passed")
    assert match.state.on_turn == "B"
    assert match.state.envoy_holder == "A"


@pytest.mark.parametrize("row", BUILDINGS, ids=lambda row: row["key"])
def test_kb_61_a_row_is_built_from_left_to_right(row: dict[str, object]) -> None:
    left = [one["key"] for one in BUILDINGS if one["row"] == row["row"] and one["col"] < row["col"]]
    match = Match().building().give("A", **RICH, buildings=left)
    if left:
        bare = Match().building().give("A", **RICH, buildings=left[:-1])
        bare.force("KB-61", "A", "building_built", building=row["key"])
        assert row["key"] in bare["A"].buildings
    match.do("A", "building_built", building=row["key"])
    again = match.building().give("A", built=0, passed=False)
    again.refused("KB-61", IMPOSSIBLE, "A", "building_built", building=row["key"])


def test_kb_61_after_a_gap_the_gap_comes_first() -> None:
    match = Match().building().give("A", **RICH, buildings=["chapel"])
    refusal = match.refused("KB-61", "irregular", "A", "building_built", building="cathedral")
    assert refusal.nearest == "statue"
    assert match.allowed("A", "building_built", building="statue")


@pytest.mark.parametrize("row", BUILDINGS, ids=lambda row: row["key"])
def test_kb_62_the_full_cost_is_paid(row: dict[str, int]) -> None:
    left = [one["key"] for one in BUILDINGS if one["row"] == row["row"] and one["col"] < row["col"]]
    cost = {good: row[good] for good in ("gold", "wood", "stone")}
    cost["gold"] -= "crane" in left
    match = Match().building().give("A", **cost, buildings=left).do("A", "building_built", building=row["key"])
    assert match.goods("A") == (0, 0, 0)
    for good, count in cost.items():
        if count:
            short = Match().building().give("A", **{**cost, good: count - 1}, buildings=left)
            short.refused("KB-62", IMPOSSIBLE, "A", "building_built", building=row["key"])


@pytest.mark.parametrize("row", BUILDINGS, ids=lambda row: row["key"])
def test_kb_118_a_crane_saves_gold_in_columns_3_and_4(row: dict[str, int]) -> None:
    if row["key"] == "crane":
        return
    left = [one["key"] for one in BUILDINGS if one["row"] == row["row"] and one["col"] < row["col"]]
    match = (
        Match().building().give("A", **RICH, buildings=[*left, *({"barricade", "crane"} - set(left) - {row["key"]})])
    )
    match.do("A", "building_built", building=row["key"])
    saved = 1 if row["col"] >= 3 and row["gold"] else 0
    assert match["A"].gold == 20 - row["gold"] + saved
    assert (match["A"].wood, match["A"].stone) == (20 - row["wood"], 20 - row["stone"])


def test_kb_62_a_crane_does_not_pay_for_itself() -> None:
    match = Match().building().give("A", wood=1, stone=1, buildings=["barricade"])
    assert match.do("A", "building_built", building="crane").goods("A") == (0, 0, 0)


@pytest.mark.parametrize("row", BUILDINGS, ids=lambda row: row["key"])
def test_kb_63_points_are_scored_at_once(row: dict[str, int]) -> None:
    left = [one["key"] for one in BUILDINGS if one["row"] == row["row"] and one["col"] < row["col"]]
    match = Match().building().give("A", **RICH, buildings=left, vp=5)
    assert match.do("A", "building_built", building=row["key"])["A"].vp == 5 + row["vp"]


def test_kb_63_a_building_works_at_the_end_of_its_season() -> None:
    match = Match().building("summer").give("A", **RICH, buildings=["barricade", "crane", "town_hall"])
    match.do("A", "building_built", building="embassy").do("B", "build_passed").do("C", "build_passed")
    assert match["A"].vp == 4 + 1


def test_kb_64_the_envoy_brings_a_second_building() -> None:
    match = Match().building().give("A", **RICH).at(envoy_holder="A")
    match.refused("KB-64", IMPOSSIBLE, "B", "building_built", building="inn", envoy=True)
    match.refused("KB-64", "irregular", "A", "building_built", building="inn", envoy=True)
    match.do("A", "building_built", building="barricade")
    match.refused("KB-64", "irregular", "A", "building_built", building="crane")
    match.do("A", "building_built", building="crane", envoy=True)
    assert match.state.envoy_holder is None
    assert match["A"].used == {"envoy_build"}
    assert match["A"].built == 2
    assert match.state.on_turn == "B"


def test_kb_64_accepted_the_envoy_goes_back_and_the_seat_is_through() -> None:
    match = Match().building().give("A", **RICH).at(envoy_holder="A")
    match.force("KB-64", "A", "building_built", building="inn", envoy=True)
    assert match.state.envoy_holder is None
    assert match["A"].passed
    held = Match().building().give("A", **RICH).at(envoy_holder="A").do("A", "building_built", building="inn")
    held.force("KB-64", "A", "building_built", building="market")
    assert held.state.envoy_holder == "A"
    assert held["A"].passed
    bare = Match().building().give("B", **RICH, built=1, passed=True)
    bare.force("KB-64", "B", "building_built", building="inn")
    assert bare["B"].built == 2


def test_kb_65_a_pass_is_recorded_by_who_could_not_pay_as_well() -> None:
    match = Match(2).building()
    match.do("A", "build_passed").do("B", "build_passed")
    assert match.state.step == "season_end"


# The end of a season --------------------------------------------------------------------------------------------------


def _built(match: Match) -> Match:
    for seat in match.state.turn_order:
        match.do(seat, "build_passed")
    return match


@pytest.mark.parametrize(("phase", "tokens"), [("spring", 0), ("summer", 1), ("autumn", 0)])
def test_kb_70_the_inn_gives_a_token_in_summer(phase: str, tokens: int) -> None:
    match = _built(Match().building(phase).give("B", buildings=["inn"]))
    assert [match[seat].plus_two for seat in "ABC"] == [0, tokens, 0]


def test_kb_105_the_inn_is_kb_70() -> None:
    assert _built(Match().building("summer").give("C", buildings=["inn"]))["C"].plus_two == 1


@pytest.mark.parametrize("phase", ["spring", "summer", "autumn"])
def test_kb_71_the_embassy_scores_in_every_season(phase: str) -> None:
    match = _built(Match().building(phase).give("B", buildings=["embassy"], vp=3))
    assert [match[seat].vp for seat in "ABC"] == [0, 4, 0]


def test_kb_120_the_embassy_is_kb_71() -> None:
    assert _built(Match().building().give("A", buildings=["embassy"]))["A"].vp == 1


def test_kb_72_the_town_hall_turns_a_piece_into_a_point_once() -> None:
    match = Match().season("spring", "season_end").give("A", buildings=["town_hall"], gold=2, plus_two=1)
    match.refused("KB-72", IMPOSSIBLE, "A", "town_hall_used", pay="wood")
    match.refused("KB-72", IMPOSSIBLE, "B", "town_hall_used", pay="gold")
    match.do("A", "town_hall_used", pay="gold")
    assert (match["A"].gold, match["A"].vp, match["A"].used) == (1, 1, {"town_hall"})
    match.force("KB-72", "A", "town_hall_used", pay="plus_two")
    assert (match["A"].plus_two, match["A"].vp) == (0, 2)
    match.give("B", wood=1).force("KB-72", "B", "town_hall_used", pay="wood")
    assert (match["B"].wood, match["B"].vp, match["B"].used) == (0, 1, {"town_hall"})


def test_kb_119_the_town_hall_is_kb_72() -> None:
    match = Match().season("autumn", "season_end").give("C", buildings=["town_hall"], stone=1)
    assert match.do("C", "town_hall_used", pay="stone")["C"].vp == 1


def test_kb_73_the_close_clears_the_season() -> None:
    match = Match().dice(A=[1, 2, 3], B=[4, 4, 4], C=[1, 1, 1]).give("A", buildings=["inn", "market"], gold=9, wood=9)
    match.at(blocked=(18,)).do("A", "advisor_influenced", advisor=2, coloured=[1], market=1)
    match.do("B", "influence_passed").do("C", "influence_passed").do("A", "influence_passed")
    match.do("A", "building_built", building="palisade")
    match.do("B", "build_passed").do("C", "build_passed")
    assert match.view["influence"] == {"2": [{"seat": "A", "order": 1}]}
    match.do(None, "season_closed")
    view = match.view
    assert (view["influence"], view["blocked"]) == ({}, [])
    for player in view["players"].values():
        assert player["dice"] == {"coloured": [], "white": []}
        assert (player["rolled"], player["passed"], player["built"]) == (False, False, 0)
        assert not any(player["used"].values())


def test_kb_75_the_most_buildings_gain_a_point() -> None:
    match = Match().season("spring", "season_end").give("A", buildings=["inn"]).give("C", buildings=["statue"])
    match.do(None, "season_closed")
    assert [match[seat].vp for seat in "ABC"] == [1, 0, 1]
    assert match.where == (1, "summer", "roll")
    nobody = Match().season("spring", "season_end").do(None, "season_closed")
    assert [nobody[seat].vp for seat in "ABC"] == [1, 1, 1]


def test_kb_75_it_comes_before_summer_begins() -> None:
    match = Match().season("summer", "season_end").give("A", buildings=["inn"]).do(None, "season_closed")
    assert match["A"].vp == 0


def test_kb_76_an_envoy_still_held_goes_back() -> None:
    match = Match(2, two_player_block="none").season("summer", "season_end", envoy_holder="A").do(None, "season_closed")
    assert match.state.envoy_holder is None


def test_kb_77_the_envoy_goes_to_the_one_with_the_least() -> None:
    match = Match().season("summer", "season_end").give("A", buildings=["inn"]).give("B", gold=1)
    match.do(None, "season_closed")
    assert match.state.envoy_holder == "C"
    tied = Match().season("summer", "season_end").give("A", buildings=["inn"]).give("B", gold=1).give("C", wood=1)
    assert tied.do(None, "season_closed").state.envoy_holder is None


def test_kb_78_the_envoy_is_kept_until_the_next_phase_5() -> None:
    match = Match().season("autumn", "season_end", envoy_holder="B").do(None, "season_closed")
    for seat in "ABC":
        match.do(seat, "recruit_passed")
    match.battle("1-zombies-4", 6)
    for one in match.state.pending:
        match.do(one.seat, "aid_good_taken", good="gold")
    assert match.where == (2, "spring", "roll")
    assert match.state.envoy_holder == "B"
    assert match.at(step="season_end").do(None, "season_closed").state.envoy_holder == "B"


# Recruiting -----------------------------------------------------------------------------------------------------------


def test_kb_80_everybody_recruits_once_or_passes() -> None:
    match = Match().recruiting().give("A", gold=3, wood=2).give("B", stone=3, buildings=["barracks"])
    match.do("A", "soldiers_recruited", soldiers=2, pay={"gold": 3, "wood": 1})
    assert (match["A"].soldiers, match.goods("A")) == (2, (0, 1, 0))
    match.do("B", "soldiers_recruited", soldiers=3, pay={"stone": 3})
    assert match["B"].soldiers == 3
    assert match.do("C", "recruit_passed").where == (1, "winter", "battle")


def test_kb_80_who_is_not_on_turn_waits() -> None:
    match = Match().recruiting().give("B", gold=4)
    match.force("KB-80", "B", "soldiers_recruited", soldiers=1, pay={"gold": 2})
    assert match.state.on_turn == "A"
    match.force("KB-80", "B", "soldiers_recruited", soldiers=1, pay={"gold": 2})
    assert match["B"].soldiers == 2
    match.force("KB-80", "C", "recruit_passed").do("A", "recruit_passed")
    assert match.state.phase == "winter"


def test_kb_81_the_price_is_paid_exactly() -> None:
    match = Match().recruiting().give("A", gold=5)
    for soldiers in (0, -1):
        match.refused("KB-81", IMPOSSIBLE, "A", "soldiers_recruited", soldiers=soldiers, pay={})
    match.refused("KB-81", IMPOSSIBLE, "A", "soldiers_recruited", soldiers=1, pay={"wood": 2})
    match.refused("KB-81", "irregular", "A", "soldiers_recruited", soldiers=2, pay={"gold": 5})
    match.force("KB-81", "A", "soldiers_recruited", soldiers=3, pay={"gold": 5})
    assert (match["A"].soldiers, match["A"].gold) == (3, 0)


def test_kb_111_barracks_halve_the_price_and_do_not_fight() -> None:
    match = Match().recruiting().give("A", wood=1, buildings=["barracks"])
    match.do("A", "soldiers_recruited", soldiers=1, pay={"wood": 1}).do("B", "recruit_passed").do("C", "recruit_passed")
    match.battle("1-orcs-3", 1)
    assert [one.data["total"] for one in match.last.consequences if one.type == "battle_fought"] == [2, 1, 1]


# Buildings in detail --------------------------------------------------------------------------------------------------


def _strength(building: str, kind: str) -> int:
    """Return what a building adds against a kind of enemy."""
    match = Match(2).winter().give("A", buildings=[building])
    match.battle({"kind": kind, "strength": 99, "victory": {}, "defeat": {}}, 3)
    fought = {one.data["seat"]: one.data["total"] for one in match.last.consequences if one.type == "battle_fought"}
    assert fought["B"] == 3
    return int(fought["A"]) - 3


@pytest.mark.parametrize(
    ("building", "plain", "versus"),
    [
        ("church", 0, {"demons": 1}),
        ("farms", -1, {}),
        ("guard_tower", 1, {}),
        ("blacksmith", 1, {}),
        ("barracks", 0, {}),
        ("wizards_guild", 2, {}),
        ("palisade", 1, {"zombies": 2}),
        ("stone_wall", 1, {}),
        ("fortress", 1, {}),
        ("barricade", 0, {"goblins": 1}),
    ],
)
def test_kb_88_buildings_fight(building: str, plain: int, versus: dict[str, int]) -> None:
    for kind in ("goblins", "orcs", "zombies", "demons", "barbarians", "dragons"):
        assert _strength(building, kind) == versus.get(kind, plain), kind


def test_kb_103_a_church_fights_demons() -> None:
    assert (_strength("church", "demons"), _strength("church", "orcs")) == (1, 0)


def test_kb_107_farms_bring_a_die_and_weaken() -> None:
    assert _strength("farms", "orcs") == -1
    match = Match().season("summer").give("A", buildings=["farms"])
    match.do("A", "dice_rolled", coloured=[1, 2, 3], white=[6])


def test_kb_108_the_guild_built_this_season_pays_from_the_next_on() -> None:
    match = Match().building().give("A", gold=3, wood=1, stone=2, buildings=["inn", "market", "farms"])
    match.do("A", "building_built", building="merchants_guild").do("B", "build_passed").do("C", "build_passed")
    assert match["A"].gold == 0
    assert match.do(None, "season_closed")["A"].gold == 1


def test_kb_109_a_guard_tower_is_one() -> None:
    assert _strength("guard_tower", "dragons") == 1


def test_kb_110_a_blacksmith_is_one() -> None:
    assert _strength("blacksmith", "goblins") == 1


def test_kb_112_a_wizards_guild_is_two() -> None:
    assert _strength("wizards_guild", "zombies") == 2


def test_kb_113_a_palisade_is_one_and_two_against_zombies() -> None:
    assert (_strength("palisade", "orcs"), _strength("palisade", "zombies")) == (1, 2)


def test_kb_117_a_barricade_is_one_against_goblins_alone() -> None:
    assert (_strength("barricade", "goblins"), _strength("barricade", "orcs")) == (1, 0)
