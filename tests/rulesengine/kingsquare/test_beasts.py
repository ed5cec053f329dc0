"""Beasts: the worked fights, rewards, credit, and what the MapMaster records of them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rulesengine.kingsquare import checks
from tests.rulesengine.kingsquare.battlefield import Battlefield


def engage(
    match: Battlefield, units: str | list[str] = "a", beast: str = "z", seat: str = "A", **more: Any
) -> Battlefield:
    """Fight a beast."""
    return match.do(seat, "beast_engaged", attackers=[units] if isinstance(units, str) else units, beast=beast, **more)


def test_beast_1_wounds_stay_and_the_buff_is_lost_with_the_army() -> None:
    match = Battlefield().beast("z", "ford").army("a", "A", {0: 12}, "ford")
    engage(match)
    assert match.numbers() == (12, 0, 12, 10, 5)
    assert (match.state.beasts["z"].strength_left, match.soldiers("a")) == (8, {0: 7})
    engage(match)
    assert (match.state.beasts["z"].strength_left, match.soldiers("a")) == (1, {0: 2})
    engage(match)
    beast = match.state.beasts["z"]
    assert (beast.strength_left, beast.status, beast.defeated_by, beast.fighters) == (0, "defeated", "A", ("a",))
    assert match.soldiers("a") is None
    assert match.types() == [("army_destroyed", "a"), ("beast_defeated", "z")]
    assert match.state.kingdoms["A"].beasts_defeated == ("z",)
    assert match.state.ap_spent == 3


def test_beast_2_an_epic_creature() -> None:
    match = Battlefield().beast("z", "ford", 60, 30, 10).king("A", 4, "ford").army("a", "A", {3: 20}, "ford")
    engage(match)
    assert match.numbers() == (68, 10, 58, 30, 7)
    assert (match.state.beasts["z"].strength_left, match.soldiers("a")) == (2, {3: 19})


def test_beast_3_a_legendary_monster() -> None:
    match = Battlefield().beast("z", "ford", 150, 80, 25, buff=40).king("A", 8, "ford")
    match.army("a", "A", {5: 60}, "ford").buff("a", 10)
    engage(match)
    assert match.numbers() == (326, 25, 301, 80, 24)
    assert match.soldiers("a") == {5: 56}
    assert match.state.armies["a"].buffs == ("trophy-a", "z")
    assert match.types("beast_defeated", "buff_gained") == [("beast_defeated", "z"), ("buff_gained", "z")]
    match.army("b", "B", {0: 1}, "ford")
    match.do("A", "attack_made", attackers=["a"], target={"kind": "army", "id": "b"})
    assert match.numbers()[0] == 5 * 56 + 10 + 40 + 16


def test_u_7_the_pieces_of_a_fight() -> None:
    match = (
        Battlefield()
        .beast("z", "ford")
        .army("a", "A", {0: 1}, "ford")
        .army("b", "B", {0: 1}, "ford")
        .plane("p", "A", "h")
    )
    match.refused("U-7", "A", "beast_engaged", attackers=["a"], beast="y")
    match.refused("U-7", "A", "beast_engaged", attackers=["b"], beast="z")
    match.refused("U-7", "A", "beast_engaged", attackers=["a", "p"], beast="z")


def test_ksh_68_a_hidden_or_defeated_beast_is_not_engaged() -> None:
    match = Battlefield().beast("h", "ford", hidden=True).beast("d", "ford", 0, status="defeated", defeated_by="B")
    match.army("a", "A", {0: 30}, "ford")
    match.refused("KSH-68", "A", "beast_engaged", attackers=["a"], beast="h")
    match.refused("KSH-68", "A", "beast_engaged", attackers=["a"], beast="d")
    match.accepted("A", "beast_engaged", attackers=["a"], beast="d")
    assert match.types("beast_defeated", "buff_gained") == []
    assert match.state.beasts["d"].defeated_by == "B"


def test_ksh_55_a_fight_with_a_beast_needs_reach() -> None:
    match = Battlefield().beast("z", "ford").army("a", "A", {0: 1}, "hill").ship("s", "A", "bay")
    match.refused("KSH-55", "A", "beast_engaged", attackers=["a"], beast="z")
    match.refused("KSH-55", "A", "beast_engaged", attackers=["s"], beast="z", distances_ft10={"s": 21})
    assert match.allowed("A", "beast_engaged", attackers=["a", "s"], beast="z", distances_ft10={"a": 10, "s": 20})


def test_ksh_10_fights_with_one_beast_are_limited_by_choice_only() -> None:
    match = Battlefield({"act.per_target_limit": 1}).beast("z", "ford", 90).army("a", "A", {0: 9}, "ford")
    engage(match).refused("KSH-10", "A", "beast_engaged", attackers=["a"], beast="z")


def test_a_king_counts_against_a_beast_within_his_influence() -> None:
    match = Battlefield().beast("z", "ford", 90).king("A", 3, "far").army("a", "A", {0: 9}, "ford")
    assert engage(match).numbers()[0] == 9
    assert engage(match, king_distance_ft10=30).numbers()[0] == 4 + 6


def test_a_king_alone_may_fall_to_a_beast() -> None:
    match = Battlefield(seats="ABC").beast("z", "ford", attack=6).king("A", 1, "ford")
    engage(match, "king:A")
    assert match.numbers() == (2, 0, 2, 6, 1)
    assert match.types("king_defeated") == [("king_defeated", "A")]
    assert match.state.kingdoms["A"].status == "eliminated"


def test_a_beast_hits_ships_after_the_soldiers() -> None:
    match = Battlefield().beast("z", "ford", 90, 30).army("a", "A", {0: 9}, "ford").ship("s", "A", "ford")
    engage(match, ["s", "a"])
    assert match.soldiers("a") is None
    assert match.state.ships["s"].damage == 6


def test_a_referees_outcome_of_a_fight_is_bound_by_the_beasts_attack() -> None:
    def fought(net: int, returned: int) -> Battlefield:
        match = Battlefield().beast("z", "ford").army("a", "A", {0: 12}, "ford")
        one = match.event("A", "beast_engaged", attackers=["a"], beast="z")
        assert checks.check(match.state, one) is None
        return match.follow(replace(one, outcome={"net": net, "returned": returned}))

    match = fought(2, 10)
    assert (match.state.beasts["z"].strength_left, match.soldiers("a")) == (18, {0: 2})
    assert match.state.battles == {match.seq: (12, 10)}
    for beyond in (fought(13, 0), fought(0, 11)):
        assert (beyond.state.beasts["z"].strength_left, beyond.soldiers("a")) == (8, {0: 7})


def test_the_largest_army_holds_the_buff_the_older_on_a_tie() -> None:
    def holder(*sizes: int) -> str:
        match = Battlefield().beast("z", "ford", 5, 0)
        for number, size in enumerate(sizes):
            match.army(f"a{number}", "A", {0: size}, "ford", created_seq=9 - number)
        engage(match, [f"a{number}" for number in range(len(sizes))])
        return next(id_ for id_, army in match.state.armies.items() if army.buffs)

    assert holder(3, 8, 4) == "a1"
    assert holder(4, 4) == "a1"


def test_param_beast_reward_is_the_buff() -> None:
    def buffs(*options: str) -> tuple[str, ...]:
        match = Battlefield({"beast.reward": options[0]} if options else {}).beast("z", "ford", 5, 0)
        engage(match.army("a", "A", {0: 9}, "ford"))
        assert match.state.kingdoms["A"].beasts_defeated == ("z",)
        return match.state.armies["a"].buffs

    assert (buffs(), buffs("glory_only")) == (("z",), ())


def test_param_beast_credit_goes_to_the_last_blow() -> None:
    def slayer(first: int, second: int, *options: str) -> tuple[str | None, tuple[str, ...]]:
        match = Battlefield({"beast.credit": options[0]} if options else {}).beast("z", "ford", 20, 0)
        match.army("a", "A", {0: first}, "ford").army("b", "B", {0: second}, "ford")
        engage(match).set(turn_kingdom="B")
        engage(match, "b", seat="B")
        by = match.state.beasts["z"].defeated_by
        assert by is not None
        assert match.state.kingdoms[by].beasts_defeated == ("z",)
        assert match.state.kingdoms["B" if by == "A" else "A"].beasts_defeated == ()
        return by, match.state.armies["b"].buffs

    assert slayer(12, 10) == ("B", ("z",))
    assert slayer(12, 30, "most_damage") == ("A", ("z",))
    assert slayer(10, 30, "most_damage") == ("B", ("z",))
    assert slayer(8, 30, "most_damage") == ("B", ("z",))


def test_param_cost_engage_is_one() -> None:
    def spent(*options: int) -> int:
        match = (
            Battlefield({"cost.engage": options[0]} if options else {})
            .beast("z", "ford")
            .army("a", "A", {0: 1}, "ford")
        )
        return engage(match).state.ap_spent

    assert (spent(), spent(2)) == (1, 2)


def test_param_return_basis_received_counts_for_beasts() -> None:
    match = Battlefield({"return.basis": "received"}).beast("z", "ford", 90).army("a", "A", {0: 30}, "ford")
    assert engage(match).numbers() == (30, 0, 30, 10, 15)


def test_param_return_timing_after_lets_a_defeated_beast_return_nothing() -> None:
    match = Battlefield({"return.timing": "after"}).beast("z", "ford").army("a", "A", {0: 12}, "ford")
    assert engage(match).numbers()[4] == 5
    match.army("more", "A", {0: 8}, "ford")
    assert engage(match, "more").numbers()[4] == 0


def test_param_round_halves_a_beasts_attack_down() -> None:
    def r(*options: str) -> int:
        match = Battlefield({"round": options[0]} if options else {}).beast("z", "ford", 20, 7)
        return engage(match.army("a", "A", {0: 12}, "ford")).numbers()[4]

    assert (r(), r("up")) == (3, 4)


# Buffs


def rewarded() -> Battlefield:
    """Return A's two armies after they defeated a beast together; the larger holds the buff."""
    match = Battlefield().beast("z", "ford", 5, 0).army("a", "A", {0: 9}, "ford").army("b", "A", {0: 3}, "ford")
    return engage(match.army("c", "A", {0: 3}, "ford"), ["a", "b"])


def test_a_buff_is_handed_to_another_army_of_that_battle() -> None:
    match = rewarded().do("A", "beast_buff_assigned", beast="z", army="b")
    assert (match.state.armies["a"].buffs, match.state.armies["b"].buffs) == ((), ("z",))
    match.do("A", "beast_buff_assigned", beast="z", army="b")
    assert match.state.armies["b"].buffs == ("z",)
    assert match.state.ap_spent == 1


def test_ksh_69_only_the_victors_armies_may_hold_a_buff() -> None:
    match = rewarded().beast("alive", "ford").army("e", "B", {0: 1}, "ford")
    match.refused("KSH-69", "A", "beast_buff_assigned", beast="z", army="c")
    match.refused("KSH-69", "A", "beast_buff_assigned", beast="alive", army="a")
    match.refused("KSH-69", "B", "beast_buff_assigned", beast="z", army="e")
    match.refused("U-7", "A", "beast_buff_assigned", beast="z", army="e")
    match.refused("U-7", "A", "beast_buff_assigned", beast="z", army="nobody")
    match.refused("U-7", "A", "beast_buff_assigned", beast="nothing", army="a")
    match.accepted("A", "beast_buff_assigned", beast="z", army="c")
    assert match.state.armies["c"].buffs == ("z",)


def test_ksh_69_a_buff_that_is_lost_stays_lost() -> None:
    match = rewarded()
    armies = {id_: army for id_, army in match.state.armies.items() if id_ != "a"}
    match.set(armies=armies).refused("KSH-69", "A", "beast_buff_assigned", beast="z", army="b")


def test_buffs_stay_with_the_army_that_is_split_and_go_along_when_it_joins() -> None:
    match = rewarded().do("A", "army_split", army="a", new_army="n", stacks={"0": 4})
    assert (match.state.armies["a"].buffs, match.state.armies["n"].buffs) == (("z",), ())
    match.do("A", "army_merged", **{"from": "a", "into": "n"})
    assert match.state.armies["n"].buffs == ("z",)
    assert match.types() == []


# MapMaster


def test_a_hidden_beast_is_revealed_once() -> None:
    match = Battlefield().beast("z", "ford", hidden=True).do(None, "beast_revealed", beast="z")
    assert not match.state.beasts["z"].hidden
    match.refused("U-7", None, "beast_revealed", beast="z")
    match.refused("U-7", None, "beast_revealed", beast="y")


def test_ksh_70_beasts_do_not_act() -> None:
    match = Battlefield().beast("z", "ford").beast("d", "ford", 0, status="defeated", defeated_by="A")
    match.refused("KSH-70", None, "beast_acted", beast="z", kind="move", at={"field": "hill"})
    match.refused("U-7", None, "beast_acted", beast="d", kind="move", at={"field": "hill"})
    match.refused("U-7", None, "beast_acted", beast="y", kind="move")
    match.refused("U-7", None, "beast_acted", beast="z", kind="move", at={"castle": "nowhere"})
    match.accepted(None, "beast_acted", beast="z", kind="move", at={"field": "hill"})
    assert match.state.beasts["z"].at.field == "hill"


def test_param_beasts_act_is_no() -> None:
    assert not Battlefield().beast("z", "ford").allowed(None, "beast_acted", beast="z", kind="move")
    match = Battlefield({"beasts.act": "yes"}).beast("z", "ford")
    match.do(None, "beast_acted", beast="z", kind="move", at={"castle": "CA"})
    assert match.state.beasts["z"].at.castle == "CA"
    match.do(None, "beast_acted", beast="z", kind="move")
    assert match.state.beasts["z"].at.castle == "CA"


def test_ksh_67_the_figures_of_the_three_classes() -> None:
    match = Battlefield()
    for cls in ("dangerous", "epic", "legendary"):
        match.do(None, "beast_placed", beast=cls, at={"field": "ford"}, **{"class": cls})
    figures = {id_: (one.strength_left, one.attack, one.defence, one.buff) for id_, one in match.state.beasts.items()}
    assert figures == {"dangerous": (20, 10, 0, 10), "epic": (60, 30, 10, 20), "legendary": (150, 80, 25, 40)}


def placed(cls: str, **options: Any) -> tuple[int, ...]:
    """Return the figures of a beast of a class, when the class has others by option."""
    match = Battlefield({f"beast.{cls}": options} if options else {})
    one = match.do(None, "beast_placed", beast="z", at={"field": "ford"}, **{"class": cls}).state.beasts["z"]
    return one.strength_left, one.attack, one.defence, one.buff


def test_param_beast_dangerous_is_20_10_0_10() -> None:
    assert placed("dangerous") == (20, 10, 0, 10)
    assert placed("dangerous", strength=1, attack=2, defence=3, buff=4) == (1, 2, 3, 4)


def test_param_beast_epic_is_60_30_10_20() -> None:
    assert placed("epic") == (60, 30, 10, 20)
    assert placed("epic", strength=1, attack=2, defence=3, buff=4) == (1, 2, 3, 4)


def test_param_beast_legendary_is_150_80_25_40() -> None:
    assert placed("legendary") == (150, 80, 25, 40)
    assert placed("legendary", strength=1, attack=2, defence=3, buff=4) == (1, 2, 3, 4)
