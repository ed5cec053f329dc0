"""The worked examples of part 7 of the rule page, by value."""

from __future__ import annotations

import pytest

from tests.rulesengine.kingsburg.given import GAME, IMPOSSIBLE, Match, found, state_of, written
from tests.rulesengine.kingsburg.test_season import helping
from tests.rulesengine.kingsburg.test_winter import told


def test_kb_ex1_turn_order() -> None:
    match = Match().season(turn_order=("B", "A", "C"), aid_die_holder="C")
    match.give("A", buildings=["statue"]).do("A", "dice_rolled", coloured=[2, 2, 2])
    match.do("A", "statue_rerolled", die={"kind": "coloured", "value": 2}, result=6)
    match.do("B", "dice_rolled", coloured=[5, 4, 1]).do("C", "dice_rolled", coloured=[1, 2, 3], white=[1])
    match.do(None, "rolls_closed")
    assert match.state.turn_order == ("C", "B", "A")
    assert told(match, "turn_order_set") == [{"turn_order": ["C", "B", "A"], "totals": {"A": 10, "B": 10, "C": 7}}]


def _groups() -> Match:
    match = Match("ABC").dice("summer", A=[2, 4, 6], B=[6, 3, 3], C=[6, 6, 1]).at(turn_index=1)
    match.give("A", white=(3,), plus_two=2, buildings=["inn", "market", "farms"])
    match.do("B", "advisor_influenced", advisor=6, coloured=[6])
    return match.do("C", "advisor_influenced", advisor=13, coloured=[6, 6, 1])


def test_kb_ex2_groups() -> None:
    assert _groups().allowed("A", "advisor_influenced", advisor=15, coloured=[4, 6], white=[3], plus_two=True)
    _groups().refused("KB-42", "irregular", "A", "advisor_influenced", advisor=5, white=[3], plus_two=True)
    _groups().refused("KB-46", "irregular", "A", "advisor_influenced", advisor=6, coloured=[2, 4])
    assert _groups().allowed("A", "advisor_influenced", advisor=7, coloured=[2, 4], market=1)
    whole = {"coloured": [2, 4, 6], "white": [3], "plus_two": True, "market": 1}
    assert _groups().allowed("A", "advisor_influenced", advisor=18, **whole)
    assert _groups().allowed("A", "advisor_influenced", advisor=1, coloured=[2], market=-1)


def test_kb_ex2_the_first_of_two_failing_checks_is_cited() -> None:
    match = _groups().do("A", "advisor_influenced", advisor=8, coloured=[6], plus_two=True)
    match.do("B", "influence_passed")
    match.refused("KB-44", "irregular", "A", "advisor_influenced", advisor=6, coloured=[4], plus_two=True)


def test_kb_ex3_help_in_ascending_order() -> None:
    match = helping(Match(), n3="B", n6="B", n8="B")
    for alternative in (0, 2):
        match.refused("KB-53", IMPOSSIBLE, "B", "help_taken", advisor=6, alternative=alternative)
    match.do("B", "help_taken", advisor=6, alternative=1)
    assert match.goods("B") == (3, 0, 1)


def _building() -> Match:
    match = Match("CAB").building().at(envoy_holder="C")
    return match.give("C", gold=4, wood=1, stone=4, buildings=["statue", "chapel", "barricade", "crane"])


def test_kb_ex4_building() -> None:
    match = _building().do("C", "building_built", building="church")
    assert (match.goods("C"), match["C"].vp) == ((2, 0, 2), 7)
    match.refused("KB-62", IMPOSSIBLE, "C", "building_built", building="cathedral", envoy=True)
    assert match.state.on_turn == "C"
    match.do("C", "build_passed")
    _building().refused("KB-62", IMPOSSIBLE, "C", "building_built", building="market")
    _building().give("C", wood=2).refused("KB-61", "irregular", "C", "building_built", building="market")


def test_kb_ex5_summer_end() -> None:
    match = Match().building("summer").give("A", gold=2, wood=1, stone=1, vp=18)
    match.give("A", buildings=["inn", "embassy", "barricade", "crane"], gold=1)
    match.do("A", "building_built", building="town_hall")
    assert (match["A"].vp, match["A"].goods, match["A"].plus_two) == (20, 0, 0)
    match.do("B", "build_passed").do("C", "build_passed")
    assert (match["A"].vp, match["A"].plus_two) == (21, 1)
    match.do("A", "town_hall_used", pay="plus_two")
    assert (match["A"].vp, match["A"].plus_two) == (22, 0)
    match.refused("KB-72", IMPOSSIBLE, "A", "town_hall_used", pay="plus_two")
    match.give("A", gold=1).refused("KB-72", "irregular", "A", "town_hall_used", pay="gold")


@pytest.mark.parametrize(("goods", "holder"), [(5, "C"), (1, None)])
def test_kb_ex6_kings_aid(goods: int, holder: str | None) -> None:
    rows = ["statue", "inn", "guard_tower", "palisade", "barricade", "chapel"]
    match = Match(4).winter(2)
    for seat, buildings, count in (("A", 4, 2), ("B", 3, goods), ("C", 3, 1), ("D", 6, 0)):
        match.give(seat, buildings=rows[:buildings], gold=count)
    match.battle({"kind": "dragons", "strength": 30, "victory": {}, "defeat": {}}, 1)
    assert match.state.year == 3
    assert match.state.aid_die_holder == holder
    if holder is None:
        assert match.awaited() == [("B", "aid_good"), ("C", "aid_good")]
        match.do("C", "aid_good_taken", good="gold").do("B", "aid_good_taken", good="wood")
        match.refused("KB-32", "irregular", "C", "dice_rolled", coloured=[1, 2, 3], white=[1])
    else:
        match.do("C", "dice_rolled", coloured=[1, 2, 3], white=[1])


def test_kb_ex7_winter() -> None:
    match = Match().winter(3).give("A", soldiers=3, buildings=["statue", "chapel", "church", "guard_tower"])
    match.give("B", soldiers=2, buildings=["palisade", "stable", "stone_wall"])
    match.give("C", soldiers=3, buildings=["inn", "market", "farms"], gold=1, stone=2)
    match.battle("3-demons-6", 2)
    fought = told(match, "battle_fought")
    assert [(one["total"], one["outcome"]) for one in fought] == [(7, "victory"), (6, "victory"), (4, "defeat")]
    assert [match[seat].vp for seat in "ABC"] == [2, 1, -1]
    assert match.goods("C") == (0, 0, 1)
    assert [match[seat].soldiers for seat in "ABC"] == [0, 0, 0]


def test_kb_ex8_lost_building() -> None:
    match = Match(2).winter(2).give("A", buildings=["statue", "chapel", "inn", "market", "guard_tower"], gold=1, vp=9)
    match.battle("2-goblins-4", 1)
    assert match.goods("A") == (0, 0, 0)
    assert match["A"].buildings == ("statue", "inn", "market", "guard_tower")
    assert match["A"].vp == 4
    match.building().give("A", gold=3, stone=1).do("A", "building_built", building="chapel")
    assert (match["A"].vp, match.goods("A")) == (9, (0, 0, 0))


def test_kb_ex9_recruiting() -> None:
    match = Match().recruiting().give("A", gold=1, wood=2, stone=2)
    match.refused("KB-81", "irregular", "A", "soldiers_recruited", soldiers=3, pay={"gold": 1, "wood": 2, "stone": 2})
    match.refused("KB-81", IMPOSSIBLE, "A", "soldiers_recruited", soldiers=3, pay={"gold": 2, "wood": 2, "stone": 2})
    assert match.allowed("A", "soldiers_recruited", soldiers=2, pay={"wood": 2, "stone": 2})
    match.give("A", buildings=["barracks"])
    match.do("A", "soldiers_recruited", soldiers=5, pay={"gold": 1, "wood": 2, "stone": 2})
    assert match["A"].soldiers == 5


def test_kb_ex10_end() -> None:
    keys = [row["key"] for row in GAME.tables["buildings"]]
    match = Match().winter(5)
    match.give("A", vp=41, gold=5, buildings=["cathedral", *keys[4:14]])
    match.give("B", vp=43, gold=2, wood=3, buildings=keys[4:16])
    match.give("C", vp=43, gold=3, buildings=keys[4:18])
    match.battle({"kind": "dragons", "strength": 40, "victory": {}, "defeat": {}}, 1)
    result = GAME.result(match.state)
    assert result is not None
    assert result["A"] == {"vp": 43, "vp_before_cathedral": 41, "goods": 5, "buildings": 11, "place": 2}
    assert match.places == {"B": 1, "A": 2, "C": 3}


def test_kb_ex11_two_players() -> None:
    match = Match(2).season("spring", "block").do(None, "advisors_blocked", advisors=[8, 11], dice=[6, 2, 3])
    match.dice(A=[4, 4, 1], B=[1, 1, 1]).at(envoy_holder="A")
    match.refused("KB-46", "irregular", "A", "advisor_influenced", advisor=8, coloured=[4, 4])
    match.do("A", "advisor_influenced", advisor=8, coloured=[4, 4], envoy=True)
    assert match.state.envoy_holder is None


def _ex12(accepted: bool) -> bytes:
    lines = [(seat, "aid_good_taken", {"good": "gold"}) for seat in "ABC"]
    lines += [(seat, "dice_rolled", {"coloured": [1, 2, 3]}) for seat in "ABC"]
    more = [
        (None, "rolls_closed", {}),
        ("A", "advisor_influenced", {"advisor": 3, "coloured": [3]}),
        ("B", "advisor_influenced", {"advisor": 3, "coloured": [3]}),
        ("C", "advisor_influenced", {"advisor": 6, "coloured": [1, 2, 3]}),
    ]
    if accepted:
        more.append((None, "illegal_state_accepted", {"seqs": [9]}))
    return written(*lines, *more)


def test_kb_ex12_refused_accepted() -> None:
    assert found(_ex12(False)) == [(9, "KB-46", "irregular"), (10, "KB-40", "irregular")]
    state = state_of(_ex12(False), 9)
    assert state["turn_order"][state["turn_index"]] == "B"
    assert state["players"]["B"]["dice"]["coloured"] == [1, 2, 3]
    assert found(_ex12(True)) == []
    after = state_of(_ex12(True), 9)
    assert after["influence"] == {"3": [{"seat": "A", "order": 1}, {"seat": "B", "order": 2}]}
    assert after["players"]["B"]["dice"]["coloured"] == [1, 2]
    assert after["turn_order"][after["turn_index"]] == "C"


def test_kb_ex13_time() -> None:
    match = Match().season("summer", year=2).give("A", vp=9, buildings=["cathedral"], gold=6).give("B", vp=10)
    match.give("C", vp=20).do("C", "player_resigned").do(None, "time_called")
    assert match.places == {"B": 1, "A": 2, "C": 3}
    assert match["A"].vp == 9
    match.do(None, "state_adjusted", path="players.A.vp", old=9, new=11)
    assert match.places == {"A": 1, "B": 2, "C": 3}
