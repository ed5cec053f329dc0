"""A productive season up to the help of the advisors: KB-30 to KB-57, KB-114, KB-130 and KB-131."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsburg.state import Standing
from tests.rulesengine.kingsburg.given import IMPOSSIBLE, Match


def standing(**at: str) -> dict[int, tuple[Standing, ...]]:
    """Return who stands at which advisor: ``n3="AB"``, counted in this order."""
    order = 0
    influence: dict[int, tuple[Standing, ...]] = {}
    for advisor, seats in at.items():
        row = []
        for seat in seats:
            order += 1
            row.append(Standing(seat, order))
        influence[int(advisor[1:])] = tuple(row)
    return influence


def helping(match: Match, **at: str) -> Match:
    """Let the advisors help: the first seat ends the step of influence."""
    match.season(match.state.phase if match.state.phase != "kings_aid" else "spring", "influence", turn_index=0)
    match.at(influence=standing(**at))
    first = match.state.turn_order[0]
    for seat in match.state.turn_order[1:]:
        match.give(seat, passed=True)
    return match.do(first, "influence_passed")


# Dice -----------------------------------------------------------------------------------------------------------------


def test_kb_30_an_event_belongs_to_its_step() -> None:
    match = Match().season(step="roll")
    for seat, type_, fields in (
        (None, "advisors_blocked", {"advisors": [], "dice": []}),
        ("A", "advisor_influenced", {"advisor": 1}),
        ("A", "influence_passed", {}),
        ("A", "help_taken", {"advisor": 4}),
        ("A", "enemy_peeked", {}),
        ("A", "building_built", {"building": "inn"}),
        ("A", "build_passed", {}),
        ("A", "town_hall_used", {"pay": "gold"}),
        (None, "season_closed", {}),
    ):
        match.refused("KB-30", IMPOSSIBLE, seat, type_, **fields)
    match.dice(A=[1, 2, 3]).refused("KB-30", IMPOSSIBLE, "A", "dice_rolled", coloured=[1, 2, 3])
    match.refused("KB-30", IMPOSSIBLE, "A", "statue_rerolled", die={"kind": "coloured", "value": 1}, result=1)
    match.refused("KB-30", IMPOSSIBLE, "A", "chapel_rerolled", coloured=[1, 1, 1])
    match.refused("KB-30", IMPOSSIBLE, None, "rolls_closed")


def test_kb_31_the_guild_pays_before_the_dice() -> None:
    match = Match().give("B", buildings=["merchants_guild"]).give("C", buildings=["merchants_guild"])
    match.season("spring", "season_end").do(None, "season_closed")
    assert match.where == (1, "summer", "roll")
    assert [match[seat].gold for seat in "ABC"] == [0, 1, 1]


def test_kb_32_everybody_rolls_three_dice_once() -> None:
    match = Match().season().do("C", "dice_rolled", coloured=[6, 1, 3])
    assert match["C"].coloured == (1, 3, 6)
    assert match["C"].rolled
    match.force("KB-32", "C", "dice_rolled", coloured=[2, 2, 2])
    assert match["C"].coloured == (2, 2, 2)
    match.force("KB-32", "A", "dice_rolled", coloured=[5, 4], white=[1])
    assert (match["A"].coloured, match["A"].white) == ((4, 5), (1,))


@pytest.mark.parametrize(
    "dice",
    [
        {"coloured": [0, 1, 2]},
        {"coloured": [1, 2, 7]},
        {"coloured": [1, 2, 3, 4]},
        {"coloured": [1, 2, 3], "white": [7]},
        {"coloured": [1, 2, 3], "white": [1] * 7},
    ],
)
def test_kb_32_dice_are_dice(dice: dict[str, list[int]]) -> None:
    match = Match().season()
    match.refused("KB-32", IMPOSSIBLE, "A", "dice_rolled", **dice)
    match.give("A", rolled=True, coloured=(1, 1, 1), buildings=["chapel"])
    match.refused("KB-32", IMPOSSIBLE, "A", "chapel_rerolled", **dice)


@pytest.mark.parametrize(
    ("phase", "buildings", "aid", "white"),
    [
        ("spring", [], True, 1),
        ("spring", ["farms"], True, 2),
        ("summer", ["farms"], False, 1),
        ("summer", [], True, 0),
        ("autumn", [], False, 0),
    ],
)
def test_kb_32_white_dice_come_from_farms_and_in_spring_from_the_king(
    phase: str, buildings: list[str], aid: bool, white: int
) -> None:
    match = Match().season(phase, aid_die_holder="A" if aid else "B").give("A", buildings=buildings)
    match.refused("KB-32", "irregular", "A", "dice_rolled", coloured=[1, 2, 3], white=[1] * (white + 1))
    match.do("A", "dice_rolled", coloured=[1, 2, 3], white=[4] * white)


def test_kb_32_the_aid_die_goes_back_with_spring() -> None:
    match = Match().season("spring", "season_end", aid_die_holder="A").do(None, "season_closed")
    assert match.state.aid_die_holder is None


def test_kb_32_all_roll_before_the_rolls_are_closed() -> None:
    match = Match().season().do("A", "dice_rolled", coloured=[1, 2, 3])
    refusal = match.refused("KB-32", IMPOSSIBLE, None, "rolls_closed")
    assert "B, C" in refusal.because


def test_kb_33_statue_and_chapel_serve_once_each_on_the_dice_as_they_lie() -> None:
    match = Match().season().give("A", buildings=["statue", "chapel"]).do("A", "dice_rolled", coloured=[2, 2, 2])
    match.do("A", "statue_rerolled", die={"kind": "coloured", "value": 2}, result=1)
    assert match["A"].coloured == (1, 2, 2)
    assert match["A"].used == {"statue"}
    match.do("A", "chapel_rerolled", coloured=[5, 5, 5])
    match.force("KB-33", "A", "statue_rerolled", die={"kind": "coloured", "value": 5}, result=6)
    assert match["A"].coloured == (5, 5, 6)
    match.force("KB-33", "A", "chapel_rerolled", coloured=[1, 1, 1])
    assert match["A"].coloured == (1, 1, 1)
    assert match["A"].used == {"statue", "chapel"}


def test_kb_101_the_statue_rolls_one_of_equal_dice_again() -> None:
    match = Match().season(aid_die_holder="A").give("A", buildings=["statue"])
    match.refused("KB-32", IMPOSSIBLE, "A", "statue_rerolled", die={"kind": "coloured", "value": 2}, result=1)
    match.do("A", "dice_rolled", coloured=[4, 4, 4], white=[4])
    match.refused("KB-101", IMPOSSIBLE, "A", "statue_rerolled", die={"kind": "white", "value": 3}, result=1)
    match.refused("KB-101", IMPOSSIBLE, "A", "statue_rerolled", die={"kind": "white", "value": 4}, result=7)
    match.do("A", "statue_rerolled", die={"kind": "white", "value": 4}, result=1)
    assert (match["A"].coloured, match["A"].white) == ((4, 4, 4), (1,))


def test_kb_101_a_statue_is_needed_and_equal_dice() -> None:
    match = Match().season().do("A", "dice_rolled", coloured=[4, 4, 4]).do("B", "dice_rolled", coloured=[4, 4, 5])
    match.force("KB-101", "A", "statue_rerolled", die={"kind": "coloured", "value": 4}, result=1)
    assert match["A"].coloured == (1, 4, 4)
    match.give("B", buildings=["statue"])
    match.force("KB-101", "B", "statue_rerolled", die={"kind": "coloured", "value": 5}, result=4)
    assert match["B"].coloured == (4, 4, 4)
    unlike = Match().season(aid_die_holder="A").give("A", buildings=["statue"])
    unlike.do("A", "dice_rolled", coloured=[4, 4, 4], white=[3])
    unlike.refused("KB-101", "irregular", "A", "statue_rerolled", die={"kind": "white", "value": 3}, result=1)


def test_kb_102_the_chapel_rolls_a_low_total_again() -> None:
    match = Match().season(aid_die_holder="A").give("A", buildings=["chapel"])
    match.refused("KB-32", IMPOSSIBLE, "A", "chapel_rerolled", coloured=[1, 1, 1], white=[1])
    match.do("A", "dice_rolled", coloured=[1, 2, 1], white=[3])
    match.refused("KB-32", "irregular", "A", "chapel_rerolled", coloured=[1, 1, 1])
    match.do("A", "chapel_rerolled", coloured=[6, 1, 1], white=[2])
    assert (match["A"].coloured, match["A"].white) == ((1, 1, 6), (2,))


def test_kb_102_a_chapel_is_needed_and_seven_or_less() -> None:
    match = Match().season().do("A", "dice_rolled", coloured=[1, 1, 1]).do("B", "dice_rolled", coloured=[2, 3, 3])
    match.force("KB-102", "A", "chapel_rerolled", coloured=[1, 5])
    assert match["A"].coloured == (1, 5)
    match.give("B", buildings=["chapel"]).force("KB-102", "B", "chapel_rerolled", coloured=[1, 2, 3])
    assert match["B"].used == {"chapel"}


def _rolled(match: Match, **dice: list[int]) -> Match:
    match.season(match.state.phase if match.state.phase != "kings_aid" else "spring")
    for seat, coloured in dice.items():
        match.do(seat, "dice_rolled", coloured=coloured)
    return match


def test_kb_34_the_lowest_total_is_first_and_equals_keep_their_order() -> None:
    match = _rolled(Match().at(turn_order=("C", "A", "B")), A=[1, 1, 3], B=[1, 1, 1], C=[2, 2, 1]).do(
        None, "rolls_closed"
    )
    assert match.state.turn_order == ("B", "C", "A")
    assert match.where == (1, "spring", "influence")
    assert match.state.on_turn == "B"


def test_kb_34_a_recorded_order_is_that_of_the_dice() -> None:
    match = _rolled(Match(), A=[1, 1, 3], B=[1, 1, 1], C=[2, 2, 1])
    match.refused("KB-34", IMPOSSIBLE, None, "rolls_closed", turn_order=["A", "B"])
    assert match.allowed(None, "rolls_closed", turn_order=["B", "A", "C"])
    match.force("KB-34", None, "rolls_closed", turn_order=["C", "B", "A"])
    assert match.state.turn_order == ("C", "B", "A")


def test_kb_35_the_dice_stay_for_the_influence() -> None:
    match = _rolled(Match(), A=[6, 1, 3], B=[1, 1, 1], C=[2, 2, 1]).do(None, "rolls_closed")
    assert [match[seat].coloured for seat in "ABC"] == [(1, 3, 6), (1, 1, 1), (1, 2, 2)]


# Influence ------------------------------------------------------------------------------------------------------------


def test_kb_40_the_turn_goes_round_until_all_have_passed() -> None:
    match = Match().dice(A=[1, 2, 3], B=[4, 4, 4], C=[5, 5, 6])
    match.do("A", "advisor_influenced", advisor=1, coloured=[1])
    assert match.state.on_turn == "B"
    match.do("B", "influence_passed").do("C", "advisor_influenced", advisor=16, coloured=[5, 5, 6])
    assert match.state.on_turn == "A"
    match.do("A", "advisor_influenced", advisor=2, coloured=[2])
    assert match.state.on_turn == "A"
    match.do("A", "influence_passed")
    assert match.state.step == "build"


def test_kb_40_who_is_not_on_turn_waits() -> None:
    match = Match().dice(A=[1, 2, 3], B=[4, 4, 4], C=[5, 5, 6])
    match.force("KB-40", "B", "advisor_influenced", advisor=4, coloured=[4])
    assert match["B"].coloured == (4, 4)
    assert match.state.on_turn == "C"
    match.force("KB-40", "A", "influence_passed")
    assert match["A"].passed
    assert match.state.on_turn == "B"


def test_kb_41_the_group_counts_the_number_of_the_advisor() -> None:
    match = Match().dice(A=[1, 2, 3], B=[4, 4, 4], C=[5, 5, 6]).give("A", white=(6,))
    for advisor in (0, 19, -1):
        match.refused("KB-41", IMPOSSIBLE, "A", "advisor_influenced", advisor=advisor, coloured=[1])
    match.force("KB-41", "A", "advisor_influenced", advisor=18, coloured=[1, 3], white=[6])
    assert match.view["influence"] == {"18": [{"seat": "A", "order": 1}]}
    assert (match["A"].coloured, match["A"].white) == ((2,), ())


def test_kb_42_a_group_needs_a_coloured_die() -> None:
    match = Match().dice(A=[1, 2, 3], B=[4, 4, 4], C=[5, 5, 6]).give("A", white=(3, 6))
    match.refused("KB-42", "irregular", "A", "advisor_influenced", advisor=1)
    match.force("KB-42", "A", "advisor_influenced", advisor=9, white=[3, 6])
    assert match["A"].white == ()
    assert match["A"].coloured == (1, 2, 3)
    assert not match["A"].passed


def test_kb_43_dice_are_ones_own_and_committed_once() -> None:
    match = Match().dice(A=[1, 1, 3], B=[4, 4, 4], C=[5, 5, 6])
    match.refused("KB-43", IMPOSSIBLE, "A", "advisor_influenced", advisor=4, coloured=[4])
    match.refused("KB-43", IMPOSSIBLE, "A", "advisor_influenced", advisor=6, coloured=[3, 3])
    match.refused("KB-43", IMPOSSIBLE, "A", "advisor_influenced", advisor=2, coloured=[1], white=[1])
    match.do("A", "advisor_influenced", advisor=2, coloured=[1, 1])
    assert match["A"].coloured == (3,)


def test_kb_44_one_token_a_season_by_default() -> None:
    match = Match(2).dice(A=[1, 2, 3], B=[4, 4, 4])
    match.refused("KB-44", IMPOSSIBLE, "A", "advisor_influenced", advisor=3, coloured=[1], plus_two=True)
    match.give("A", plus_two=2).give("B", passed=True)
    match.do("A", "advisor_influenced", advisor=3, coloured=[1], plus_two=True)
    assert (match["A"].plus_two, match["A"].used) == (1, {"plus_two"})
    match.force("KB-44", "A", "advisor_influenced", advisor=4, coloured=[2], plus_two=True)
    assert match["A"].plus_two == 0


def test_kb_45_the_market_counts_one_more_or_less_once() -> None:
    match = Match(2).dice(A=[1, 2, 3], B=[4, 4, 4]).give("B", passed=True)
    match.refused("KB-45", IMPOSSIBLE, "A", "advisor_influenced", advisor=3, coloured=[1], market=2)
    match.refused("KB-45", "irregular", "A", "advisor_influenced", advisor=2, coloured=[1], market=1)
    match.give("A", buildings=["inn", "market"]).do("A", "advisor_influenced", advisor=1, coloured=[2], market=-1)
    assert match["A"].used == {"market"}
    match.force("KB-45", "A", "advisor_influenced", advisor=2, coloured=[1], market=1)
    bare = Match(2).dice(A=[1, 2, 3], B=[4, 4, 4])
    bare.force("KB-45", "A", "advisor_influenced", advisor=2, coloured=[1], market=1)
    assert bare["A"].used == {"market"}


def test_kb_106_the_market_is_kb_45() -> None:
    match = Match(2).dice(A=[1, 2, 3], B=[4, 4, 4]).give("A", buildings=["market"])
    match.do("A", "advisor_influenced", advisor=4, coloured=[3], market=1)
    assert list(match.state.influence) == [4]


def test_kb_46_an_advisor_is_influenced_once_a_season() -> None:
    match = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3]).at(blocked=(6,))
    match.do("A", "advisor_influenced", advisor=3, coloured=[3])
    match.refused("KB-46", "irregular", "B", "advisor_influenced", advisor=6, coloured=[1, 2, 3])
    match.force("KB-46", "B", "advisor_influenced", advisor=3, coloured=[3])
    assert match.view["influence"]["3"] == [{"seat": "A", "order": 1}, {"seat": "B", "order": 2}]
    match.at(turn_index=0).refused("KB-46", "irregular", "A", "advisor_influenced", advisor=3, coloured=[1, 2])


def test_kb_47_the_envoy_leads_where_somebody_stands() -> None:
    match = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3])
    match.refused("KB-47", IMPOSSIBLE, "A", "advisor_influenced", advisor=3, coloured=[3], envoy=True)
    match.at(envoy_holder="B").do("A", "advisor_influenced", advisor=3, coloured=[3])
    match.refused("KB-47", "irregular", "B", "advisor_influenced", advisor=1, coloured=[1], envoy=True)
    match.do("B", "advisor_influenced", advisor=3, coloured=[3], envoy=True)
    assert match.state.envoy_holder is None
    assert [one.seat for one in match.state.influence[3]] == ["A", "B"]


def test_kb_47_an_accepted_envoy_on_a_free_advisor_is_spent() -> None:
    match = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3]).at(envoy_holder="A")
    match.force("KB-47", "A", "advisor_influenced", advisor=3, coloured=[3], envoy=True)
    assert match.state.envoy_holder is None


def test_kb_48_a_pass_is_final_and_no_coloured_die_is_a_pass() -> None:
    match = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3]).give("A", white=(4,))
    match.do("A", "advisor_influenced", advisor=6, coloured=[1, 2, 3])
    assert match["A"].passed
    match.do("B", "influence_passed")
    match.refused("KB-48", "irregular", "B", "influence_passed")
    match.force("KB-48", "B", "advisor_influenced", advisor=3, coloured=[3])
    assert match["B"].passed
    assert match.state.on_turn == "C"


def test_kb_48_whoever_rolled_no_coloured_die_has_passed() -> None:
    match = Match(2).season().do("B", "dice_rolled", coloured=[1, 1, 1])
    match.force("KB-32", "A", "dice_rolled", coloured=[])
    match.do(None, "rolls_closed")
    assert match.state.turn_order == ("A", "B")
    assert match["A"].passed
    assert match.state.on_turn == "B"


# Help -----------------------------------------------------------------------------------------------------------------


def test_kb_50_advisors_help_in_ascending_order() -> None:
    match = helping(Match(), n18="C", n4="A", n12="BC", n1="B")
    assert (match["B"].vp, match["C"].soldiers) == (1, 0)
    assert match.view["pending"] == [{"seat": "A", "kind": "help", "advisor": 4}]
    assert match.state.help_pointer == 4
    match.refused("KB-50", IMPOSSIBLE, "B", "help_taken", advisor=12, any={"gold": 2})
    match.refused("KB-50", IMPOSSIBLE, "A", "help_taken", advisor=12, any={"gold": 2})
    match.do("A", "help_taken", advisor=4, alternative=1)
    assert match.view["pending"] == [{"seat": "B", "kind": "help", "advisor": 12}]
    match.do("B", "help_taken", advisor=12, any={"gold": 1, "stone": 1})
    match.do("C", "help_taken", advisor=12, any={"gold": 2})
    assert match.where == (1, "spring", "build")
    assert match.state.help_pointer == 0
    assert match.goods("C") == (3, 1, 1)


def test_kb_50_without_any_influence_the_building_begins() -> None:
    assert helping(Match()).where == (1, "spring", "build")


@pytest.mark.parametrize(
    ("advisor", "gained"),
    [
        (1, {"vp": 1}),
        (2, {"gold": 1}),
        (3, {"wood": 1}),
        (5, {"soldiers": 1}),
        (8, {"gold": 2}),
        (10, {"soldiers": 2}),
        (13, {"stone": 3}),
        (15, {"gold": 1, "wood": 1, "stone": 1}),
        (16, {"gold": 4}),
        (18, {"gold": 1, "wood": 1, "stone": 1, "soldiers": 1}),
    ],
)
def test_kb_51_help_without_a_choice_comes_by_itself(advisor: int, gained: dict[str, int]) -> None:
    match = helping(Match(), **{f"n{advisor}": "B"})
    assert match.where == (1, "spring", "build")
    figures = ("vp", "gold", "wood", "stone", "plus_two", "soldiers")
    assert {name: getattr(match["B"], name) for name in figures} == {**dict.fromkeys(figures, 0), **gained}


@pytest.mark.parametrize(
    ("advisor", "taken", "gained"),
    [
        (4, {"alternative": 0}, {"wood": 1}),
        (4, {"alternative": 1}, {"gold": 1}),
        (6, {"alternative": 0}, {"gold": -1, "wood": 1, "stone": 1}),
        (6, {"alternative": 1}, {"gold": 1, "wood": -1, "stone": 1}),
        (6, {"alternative": 2}, {"gold": 1, "wood": 1, "stone": -1}),
        (7, {"any": {"stone": 1}}, {"stone": 1, "plus_two": 1}),
        (9, {"alternative": 0}, {"wood": 1, "gold": 1}),
        (9, {"alternative": 1}, {"wood": 1, "stone": 1}),
        (11, {"alternative": 0}, {"stone": 1, "wood": 1}),
        (11, {"alternative": 1}, {"stone": 1, "gold": 1}),
        (12, {"any": {"gold": 2}}, {"gold": 2, "plus_two": 1}),
        (14, {"any": {"gold": 1, "wood": 2}}, {"vp": -1, "gold": 1, "wood": 2}),
        (14, {"declined": True}, {}),
        (6, {"declined": True}, {}),
        (17, {"any": {"wood": 1, "stone": 1}, "alternative": 0}, {"wood": 1, "stone": 1, "vp": 3}),
    ],
)
def test_kb_51_help_with_a_choice_is_recorded(advisor: int, taken: dict[str, Any], gained: dict[str, int]) -> None:
    match = helping(Match().give("B", gold=1, wood=1, stone=1), **{f"n{advisor}": "B"})
    assert match.awaited() == [("B", "help")]
    match.do("B", "help_taken", advisor=advisor, **taken)
    before = {"vp": 0, "gold": 1, "wood": 1, "stone": 1, "plus_two": 0, "soldiers": 0}
    assert {name: getattr(match["B"], name) for name in before} == {
        name: count + gained.get(name, 0) for name, count in before.items()
    }


def test_kb_51_it_is_one_of_the_alternatives() -> None:
    for advisor in (4, 6, 9, 11):
        match = helping(Match().give("A", gold=1), **{f"n{advisor}": "A"})
        match.refused("KB-51", IMPOSSIBLE, "A", "help_taken", advisor=advisor)
        match.refused("KB-51", IMPOSSIBLE, "A", "help_taken", advisor=advisor, alternative=3)
        match.refused("KB-51", IMPOSSIBLE, "A", "help_taken", advisor=advisor, alternative=-1)
    helping(Match(), n7="A").refused("KB-51", IMPOSSIBLE, "A", "help_taken", advisor=7, alternative=1, any={"gold": 1})


def test_kb_51_goods_of_choice_are_as_many_as_it_says() -> None:
    match = helping(Match(), n12="A")
    match.refused("KB-51", "irregular", "A", "help_taken", advisor=12)
    match.refused("KB-51", "irregular", "A", "help_taken", advisor=12, any={"gold": 3})
    match.force("KB-51", "A", "help_taken", advisor=12, any={"gold": 1})
    assert (match.goods("A"), match["A"].plus_two) == ((1, 0, 0), 1)
    other = helping(Match(), n4="A").force("KB-51", "A", "help_taken", advisor=4, alternative=0, any={"stone": 2})
    assert other.goods("A") == (0, 1, 2)


def test_kb_52_lower_advisors_have_helped_and_higher_ones_not() -> None:
    match = helping(Match(), n2="A", n6="A", n13="A")
    assert match.goods("A") == (1, 0, 0)
    match.refused("KB-53", IMPOSSIBLE, "A", "help_taken", advisor=6, alternative=2)
    match.do("A", "help_taken", advisor=6, alternative=0)
    assert match.goods("A") == (0, 1, 4)


def test_kb_53_the_alchemist_takes_what_is_owned_and_passes_over_who_owns_nothing() -> None:
    match = helping(Match().give("B", stone=1), n6="AB")
    assert match.awaited() == [("B", "help")]
    for alternative in (0, 1):
        match.refused("KB-53", IMPOSSIBLE, "B", "help_taken", advisor=6, alternative=alternative)
    assert match.do("B", "help_taken", advisor=6, alternative=2).goods("B") == (1, 1, 0)
    assert match.state.step == "build"


def test_kb_54_points_may_become_negative() -> None:
    match = helping(Match(), n14="A").do("A", "help_taken", advisor=14, any={"gold": 3})
    assert match["A"].vp == -1


def test_kb_55_only_help_with_a_price_is_declined() -> None:
    match = helping(Match(), n17="A").force("KB-55", "A", "help_taken", advisor=17, declined=True)
    assert (match["A"].vp, match["A"].goods, match["A"].looks) == (0, 0, 0)
    other = helping(Match(), n12="A")
    other.refused("KB-55", "irregular", "A", "help_taken", advisor=12, declined=True, any={"gold": 9}, alternative=7)


def test_kb_56_general_and_queen_allow_one_look_each() -> None:
    match = helping(Match(), n10="A", n17="AB")
    match.do("A", "enemy_peeked").refused("KB-56", "irregular", "A", "enemy_peeked")
    match.refused("KB-56", "irregular", "B", "enemy_peeked")
    match.do("A", "help_taken", advisor=17, any={"gold": 2}).do("A", "enemy_peeked")
    match.do("B", "help_taken", advisor=17, any={"gold": 2})
    assert match.view["players"]["A"]["peeks"] == [{"year": 1, "season": "spring"}] * 2
    for seat in "ABC":
        match.do(seat, "build_passed")
    match.force("KB-56", "C", "enemy_peeked").do(None, "season_closed").at(step="season_end")
    match.refused("KB-56", "irregular", "B", "enemy_peeked")
    assert match.view["players"]["C"]["peeks"] == [{"year": 1, "season": "spring"}]


def test_kb_57_the_stable_is_kb_114() -> None:
    match = helping(Match().give("A", buildings=["stable"]), n5="AB")
    assert (match["A"].soldiers, match["B"].soldiers) == (2, 1)


def test_kb_114_the_stable_adds_one_soldier_a_season() -> None:
    match = helping(Match().give("A", buildings=["palisade", "stable"]), n5="A", n10="A", n18="A")
    assert match["A"].soldiers == 1 + 2 + 1 + 1
    assert match["A"].used == {"stable"}
    match.give("A", passed=True).at(turn_index=1).do("B", "build_passed").do("C", "build_passed")
    match.do(None, "season_closed")
    assert match["A"].used == frozenset()
    assert helping(match, n18="A")["A"].soldiers == 7


# Two players ----------------------------------------------------------------------------------------------------------


def test_kb_130_with_two_players_the_block_is_recorded_in_every_season() -> None:
    match = Match(2)
    match.do("A", "aid_good_taken", good="gold").do("B", "aid_good_taken", good="gold")
    assert match.where == (1, "spring", "block")
    for data in (
        {"advisors": [0], "dice": []},
        {"advisors": [19], "dice": []},
        {"advisors": [3, 3], "dice": []},
        {"advisors": [3], "dice": [7]},
        {"advisors": [], "dice": [0]},
    ):
        match.refused("KB-130", IMPOSSIBLE, None, "advisors_blocked", **data)
    match.do(None, "advisors_blocked", advisors=[11, 8], dice=[6, 2, 3])
    assert match.state.blocked == (8, 11)
    match.season("spring", "season_end").do(None, "season_closed")
    assert match.where == (1, "summer", "block")
    assert match.state.blocked == ()
    assert match.do(None, "advisors_blocked", advisors=[], dice=[]).state.step == "roll"


def test_kb_130_with_three_players_nothing_is_blocked() -> None:
    match = Match().season("spring", "season_end").do(None, "season_closed")
    assert match.where == (1, "summer", "roll")
    match.refused("KB-30", IMPOSSIBLE, None, "advisors_blocked", advisors=[], dice=[])


def test_kb_131_a_blocked_advisor_helps_only_who_comes_by_the_envoy() -> None:
    match = Match(2).dice(A=[4, 4, 3], B=[1, 1, 1]).at(blocked=(8, 13), envoy_holder="A")
    match.refused("KB-46", "irregular", "A", "advisor_influenced", advisor=8, coloured=[4, 4])
    match.do("A", "advisor_influenced", advisor=8, coloured=[4, 4], envoy=True)
    match.do("B", "influence_passed").do("A", "influence_passed")
    assert (match["A"].gold, match["A"].stone) == (2, 0)
