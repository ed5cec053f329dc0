"""Leaving, ending early, corrections, confirmation and what the table saw: KB-140 to KB-149."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine import notation, replay
from rulesengine.game import Refusal
from rulesengine.kingsburg.state import Pending
from rulesengine.log import Line
from tests.rulesengine.kingsburg.given import (
    GAME,
    IMPOSSIBLE,
    Match,
    expected,
    found,
    report,
    sample,
    state_of,
    written,
)
from tests.rulesengine.kingsburg.test_season import helping
from tests.rulesengine.kingsburg.test_winter import card

AID = [(seat, "aid_good_taken", {"good": "gold"}) for seat in "ABC"]


# Resigning ------------------------------------------------------------------------------------------------------------


def test_kb_140_a_seat_that_resigned_takes_no_part() -> None:
    match = Match().do("B", "player_resigned")
    assert match.awaited() == [("A", "aid_good"), ("C", "aid_good")]
    match.refused("KB-140", IMPOSSIBLE, "B", "player_resigned")
    match.refused("KB-140", IMPOSSIBLE, "B", "aid_good_taken", good="gold")
    match.refused("KB-140", IMPOSSIBLE, "B", "build_passed")
    match.do("A", "aid_good_taken", good="gold").do("C", "aid_good_taken", good="gold")
    match.do("A", "dice_rolled", coloured=[3, 3, 3]).do("C", "dice_rolled", coloured=[1, 1, 1])
    match.do(None, "rolls_closed")
    assert match.state.turn_order == ("C", "A", "B")
    assert match.state.on_turn == "C"


def test_kb_140_it_stands_before_phase_and_step() -> None:
    match = Match().season(step="roll").do("B", "player_resigned")
    match.refused("KB-140", IMPOSSIBLE, "B", "recruit_passed")
    assert match.view["players"]["B"]["passed"] is True


def test_kb_140_envoy_and_die_go_back_and_dice_away() -> None:
    match = Match().season(envoy_holder="B", aid_die_holder="B").do("B", "dice_rolled", coloured=[1, 2, 3], white=[4])
    match.give("B", vp=7, gold=2).do("B", "player_resigned")
    assert (match.state.envoy_holder, match.state.aid_die_holder) == (None, None)
    assert (match["B"].coloured, match["B"].white, match["B"].rolled) == ((), (), False)
    assert (match["B"].vp, match["B"].gold) == (7, 2)
    match.do("A", "dice_rolled", coloured=[1, 2, 3]).do("C", "dice_rolled", coloured=[1, 2, 3])
    match.do(None, "rolls_closed")


def test_kb_140_the_last_good_awaited_begins_spring() -> None:
    match = Match().do("A", "aid_good_taken", good="gold").do("C", "aid_good_taken", good="gold")
    assert match.do("B", "player_resigned").where == (1, "spring", "roll")


def test_kb_140_the_turn_goes_on_in_every_step() -> None:
    match = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3]).do("A", "player_resigned")
    assert match.state.on_turn == "B"
    match.do("B", "influence_passed").do("C", "influence_passed")
    assert match.where == (1, "spring", "build")
    assert match.state.on_turn == "B"
    building = Match().building().do("A", "build_passed").do("C", "player_resigned")
    assert building.state.on_turn == "B"
    assert building.do("B", "player_resigned").state.finished
    last = Match().building().do("A", "build_passed").do("B", "build_passed").do("C", "player_resigned")
    assert last.where == (1, "spring", "season_end")
    recruiting = Match().recruiting().do("A", "recruit_passed").do("B", "recruit_passed").do("C", "player_resigned")
    assert recruiting.where == (1, "winter", "battle")
    waiting = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3]).do("C", "player_resigned")
    assert waiting.state.on_turn == "A"


def test_kb_140_advisors_stay_influenced_and_do_not_help() -> None:
    match = helping(Match(), n7="B", n12="BC")
    match.do("B", "player_resigned")
    assert match.awaited() == [("C", "help")]
    assert match["B"].goods == 0
    assert match.view["influence"]["7"] == [{"seat": "B", "order": 1}]
    match.do("C", "help_taken", advisor=12, any={"gold": 2})
    assert match.state.step == "build"


def test_kb_140_it_counts_in_no_comparison_and_gets_no_income() -> None:
    match = (
        Match().give("C", buildings=["embassy", "merchants_guild", "inn"], vp=1).season("spring", "build", turn_index=0)
    )
    match.do("C", "player_resigned").do("A", "build_passed").do("B", "build_passed")
    assert match["C"].vp == 1
    match.do(None, "season_closed")
    assert [match[seat].vp for seat in "ABC"] == [1, 1, 1]
    assert match["C"].gold == 0
    envoy = (
        Match().give("A", gold=1).season("summer", "season_end").do("C", "player_resigned").do(None, "season_closed")
    )
    assert envoy.state.envoy_holder == "B"


def test_kb_140_it_fights_no_battle_and_loses_its_soldiers() -> None:
    match = Match().winter().give("C", soldiers=9, gold=3, buildings=["inn"]).do("C", "player_resigned")
    match.battle(card(5, gold=1, defeat={"gold": 3, "building": 1, "vp": 2}), 1)
    assert (match["C"].soldiers, match["C"].gold, match["C"].vp, match["C"].buildings) == (0, 3, 0, ("inn",))
    assert match["A"].vp == -2


def test_kb_140_its_choices_lapse() -> None:
    match = Match().winter().give("A", gold=2, wood=2).give("B", gold=2, wood=2)
    match.battle(card(9, defeat={"any": 1}), 1).do("A", "player_resigned")
    assert match.awaited() == [("B", "loss")]
    assert match.do("B", "loss_chosen", goods={"gold": 1}).state.year == 2
    last = Match().winter().give("A", gold=2, wood=2).battle(card(9, defeat={"any": 1}), 1)
    assert last.do("A", "player_resigned").state.year == 2


def test_kb_140_no_cathedral_for_who_left() -> None:
    match = Match().winter(5).give("C", buildings=["cathedral"], gold=9).do("C", "player_resigned").battle(card(0), 1)
    assert match["C"].vp == 0


def test_kb_140_the_first_to_resign_is_the_last() -> None:
    match = (
        Match(5).give("D", vp=50).give("B", vp=90).give("A", vp=2).do("B", "player_resigned").do("D", "player_resigned")
    )
    match.do(None, "time_called")
    assert match.places == {"A": 1, "C": 2, "E": 2, "D": 4, "B": 5}


def test_kb_140_with_one_left_the_match_ends_at_once() -> None:
    match = Match().dice(A=[1, 2, 3], B=[1, 2, 3], C=[1, 2, 3]).do("A", "player_resigned").do("C", "player_resigned")
    assert match.where == (1, "spring", "over")
    assert match.places == {"B": 1, "C": 2, "A": 3}
    assert match["B"].coloured == (1, 2, 3)


# Ends -----------------------------------------------------------------------------------------------------------------


def test_kb_141_time_called_leaves_everything_as_it_lies() -> None:
    match = helping(Match().give("A", buildings=["cathedral"], gold=6), n4="A").do(None, "time_called")
    view = match.view
    assert match.where == (1, "spring", "over")
    assert (view["pending"], view["turn_index"], view["help_pointer"]) == ([], None, 0)
    assert view["influence"] == {"4": [{"seat": "A", "order": 1}]}
    assert match["A"].vp == 0
    assert not any(player["passed"] for player in view["players"].values())


def test_kb_141_passes_lapse_but_not_of_who_left() -> None:
    match = Match().building().do("A", "build_passed").do("C", "player_resigned").do(None, "time_called")
    assert [match[seat].passed for seat in "ABC"] == [False, False, True]


def test_kb_141_a_draw_is_agreed_by_all_who_play() -> None:
    match = Match(4).give("A", vp=9).do("D", "player_resigned")
    for seats in (["A", "B"], ["A", "B", "C", "D"], ["A", "B", "B", "C"], [], ["A", "B", "C", "Z"]):
        match.refused("KB-141", IMPOSSIBLE, None, "draw_agreed", seats=seats)
    match.do(None, "draw_agreed", seats=["C", "A", "B"])
    assert match.places == {"A": 1, "B": 1, "C": 1, "D": 4}
    match.do(None, "state_adjusted", path="players.B.vp", old=0, new=99)
    assert match.places["A"] == 1


def test_kb_141_a_recorded_end_ends_nothing() -> None:
    match = Match().give("B", vp=3).force("KB-141", None, "match_ended")
    assert match.places == {"B": 1, "A": 2, "C": 2}
    match.do(None, "match_ended")


def test_kb_96_recorded_placements_are_compared() -> None:
    def ends(*placements: tuple[str, int]) -> list[Any]:
        rows = [{"seat": seat, "place": place} for seat, place in placements]
        return found(written((None, "time_called", {}), (None, "match_ended", {"placements": rows})))

    assert ends(("C", 1), ("A", 1), ("B", 1)) == []
    assert ends(("A", 1), ("B", 2), ("C", 3)) == [(2, "KB-96", "observed")]
    assert ends(("A", 1)) == [(2, "KB-96", "observed")]
    annulled = written((None, "match_annulled", {}), (None, "match_ended", {"placements": [{"seat": "A", "place": 1}]}))
    assert found(annulled) == [(2, "KB-96", "observed")]
    accepted = written(
        (None, "match_ended", {"placements": [{"seat": "A", "place": 1}]}),
        (None, "illegal_state_accepted", {"seqs": [1]}),
    )
    assert found(accepted) == [(1, "KB-96", "observed")]
    assert report(accepted)["status"] == "ended"


def test_kb_146_abandoned_and_annulled_count_for_nothing() -> None:
    for type_ in ("match_abandoned", "match_annulled"):
        told = report(written(("A", "aid_good_taken", {"good": "gold"}), (None, type_, {"reason": "fire alarm"})))
        assert (told["status"], told["placements"], told["result"], told["findings"]) == ("ended", None, None, [])
    match = Match().do(None, "match_abandoned")
    assert (match.view["finished"], match.view["placements"], match.state.step) == (True, None, "over")
    match.refused("KB-146", IMPOSSIBLE, None, "match_annulled")
    match.refused("KB-10", IMPOSSIBLE, None, "match_abandoned")
    match.refused("KB-146", IMPOSSIBLE, None, "state_adjusted", path="players.A.vp", old=0, new=1)
    match.refused("KB-146", IMPOSSIBLE, None, "state_adjusted", path="no.such", old=0, new=1)
    ended = Match().do(None, "time_called").do(None, "match_annulled")
    assert ended.view["placements"] is None
    assert GAME.result(ended.state) is None


def test_kb_145_confirmation_waits_for_the_end_and_for_disputes() -> None:
    confirmed = (None, "placements_confirmed", {})
    time = (None, "time_called", {})
    assert found(written(confirmed)) == [(1, "KB-145", "impossible")]
    disputed = written(
        (None, "dispute_opened", {"about_seq": 1}),
        (None, "dispute_opened", {"about_seq": 1}),
        time,
        (None, "ruling_given", {"about_seq": 2}),
        confirmed,
        (None, "ruling_given", {"about_seq": 1}),
        confirmed,
    )
    assert found(disputed) == [(5, "KB-145", "impossible")]
    assert report(disputed)["status"] == "confirmed"
    void = written((None, "match_abandoned", {}), confirmed)
    assert found(void) == [(2, "KB-145", "impossible")]
    annulled = report(written(time, confirmed, (None, "match_annulled", {})))
    assert (annulled["status"], annulled["placements"], annulled["findings"]) == ("ended", None, [])


def test_kb_144_words_change_nothing() -> None:
    lines = [
        (None, "match_paused", {}),
        (None, "match_resumed", {}),
        (None, "dispute_opened", {"about_seq": 1}),
        (None, "ruling_given", {"about_seq": 1}),
        (None, "penalty_given", {"seat": "A", "kind": "vp", "value": 3}),
        ("A", "result_signed", {}),
        ("A", "result_disputed", {}),
    ]
    raw = written(*lines)
    assert found(raw) == []
    assert state_of(raw) == state_of(raw, 0)


def test_kb_148_the_role_is_not_looked_at() -> None:
    line = {"type": "aid_good_taken", "seat": "A", "as": "organizer", "data": {"good": "gold"}}
    assert found(written(line)) == []


# Adjustments ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("players.A.vp", 0, -3),
        ("players.A.gold", 0, 40),
        ("players.A.wood", 0, 1),
        ("players.A.stone", 0, 1),
        ("players.A.plus_two", 0, 1),
        ("players.B.soldiers", 0, 12),
        ("players.A.buildings", [], ["embassy", "statue"]),
        ("envoy_holder", None, "B"),
        ("aid_die_holder", None, "C"),
    ],
)
def test_kb_143_the_referee_sets_one_value(path: str, old: Any, new: Any) -> None:
    match = Match()
    before = match.view
    after = match.do(None, "state_adjusted", path=path, old=old, new=new).view
    at: Any = before
    *way, last = path.split(".")
    for key in way:
        at = at[key]
    at[last] = ["statue", "embassy"] if last == "buildings" else new
    assert after == before
    match.refused("KB-143", IMPOSSIBLE, None, "state_adjusted", path=path, old="other", new=old)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("players.A.vp", 1, 2),
        ("players.A.vp", False, 2),
        ("players.A.vp", 0, True),
        ("players.A.vp", 0, "2"),
        ("players.A.vp", 0, None),
        ("players.A.gold", 0, -1),
        ("players.A.buildings", [], ["inn", "inn"]),
        ("players.A.buildings", [], ["castle"]),
        ("players.A.buildings", [], [1]),
        ("players.A.buildings", [], [["inn"]]),
        ("players.A.buildings", [], "inn"),
        ("players.A.buildings", [], {"inn": 1}),
        ("players.D.vp", 0, 1),
        ("players.A.rolled", False, True),
        ("players.A", {}, {}),
        ("players.A.vp.x", 0, 1),
        ("", None, None),
        ("year", 1, 2),
        ("step", "aid", "roll"),
        ("envoy_holder", None, "D"),
        ("envoy_holder", None, "C"),
        ("envoy_holder", "A", "B"),
        ("aid_die_holder", None, 1),
        ("aid_die_holder", None, ["A"]),
    ],
)
def test_kb_143_only_certain_values_are_set(path: str, old: Any, new: Any) -> None:
    match = Match().do("C", "player_resigned")
    match.refused("KB-143", IMPOSSIBLE, None, "state_adjusted", path=path, old=old, new=new)


def test_kb_143_placements_follow_after_the_end() -> None:
    match = Match().do(None, "time_called").do(None, "state_adjusted", path="players.C.gold", old=0, new=1)
    assert match.places == {"C": 1, "A": 2, "B": 2}


# Corrections ----------------------------------------------------------------------------------------------------------


def void(target: Any) -> tuple[None, str, dict[str, Any]]:
    """Return a void of a seq."""
    return None, "event_voided", {"target_seq": target}


def withdrawal(target: Any) -> tuple[None, str, dict[str, Any]]:
    """Return a withdrawal of a seq."""
    return None, "event_withdrawn", {"target_seq": target}


def amendment(target: Any, data: Any) -> tuple[None, str, dict[str, Any]]:
    """Return an amendment of a seq."""
    return None, "event_amended", {"target_seq": target, "data": data}


def taken(raw: bytes) -> str:
    """Return whose goods of the king's aid have been taken."""
    return "".join(seat for seat, has in state_of(raw)["players"].items() if has["gold"] + has["wood"] + has["stone"])


def test_kb_142_a_void_skips_its_target() -> None:
    assert taken(written(*AID[:2], void(1))) == "B"
    broken = written(("A", "build_passed", {}), ("A", "aid_good_taken", {"good": 7}), void(1), void(2))
    assert found(broken) == []


def test_kb_142_a_void_of_a_void_brings_back() -> None:
    assert taken(written(*AID[:2], void(1), void(3))) == "AB"
    assert taken(written(*AID[:2], void(1), void(3), void(4))) == "B"


@pytest.mark.parametrize("target", [0, -1, 2, 3, 99, "1", None, True, [1]])
def test_kb_142_a_correction_names_an_earlier_event(target: Any) -> None:
    for line in (void(target), withdrawal(target)):
        raw = written(AID[0], line)
        assert found(raw) == [(2, "KB-142", "impossible")], line
        assert taken(raw) == "A"
    if target != 0 or isinstance(target, bool):
        assert found(written(AID[0], amendment(target, {"good": "wood"}))) == [(2, "KB-142", "impossible")]
    assert found(written(AID[0], (None, "illegal_state_accepted", {"seqs": [1, target]}))) == [
        (2, "KB-142", "impossible")
    ]


def test_kb_142_a_correction_says_what_it_corrects() -> None:
    for type_ in ("event_voided", "event_withdrawn", "event_amended", "illegal_state_accepted"):
        assert found(written(AID[0], (None, type_, {}))) == [(2, "KB-142", "impossible")]
    for data in (None, [], "gold", 1):
        assert found(written(AID[0], amendment(1, data))) == [(2, "KB-142", "impossible")]
    assert found(written(AID[0], (None, "event_voided", {"target_seq": 1, "other": 1}))) == [(2, "KB-08", "form")]
    assert found(written(AID[0], {"type": "event_voided", "seat": "E", "data": {"target_seq": 9}})) == [
        (2, "KB-08", "form")
    ]


def test_kb_142_an_amendment_replaces_the_whole_data_and_the_latest_counts() -> None:
    raw = written(AID[0], amendment(1, {"good": "wood"}), amendment(1, {"good": "stone"}))
    assert state_of(raw)["players"]["A"]["stone"] == 1
    undone = written(AID[0], amendment(1, {"good": "wood"}), amendment(1, {"good": "stone"}), void(3))
    assert state_of(undone)["players"]["A"]["wood"] == 1
    assert found(written(AID[0], amendment(1, {}))) == [(1, "KB-08", "form")]


def test_kb_142_a_correction_is_not_amended() -> None:
    for line in (
        void(1),
        withdrawal(1),
        amendment(1, {"good": "wood"}),
        (None, "illegal_state_accepted", {"seqs": [1]}),
    ):
        assert found(written(AID[0], line, amendment(2, {"target_seq": 1}))) == [(3, "KB-142", "impossible")]
    adjusted = (None, "state_adjusted", {"path": "players.A.vp", "old": 0, "new": 1})
    new = {"path": "players.A.vp", "old": 0, "new": 5}
    assert state_of(written(adjusted, amendment(1, new)))["players"]["A"]["vp"] == 5


def test_kb_142_withdrawals_go_back_one_by_one() -> None:
    assert taken(written(*AID[:2], withdrawal(2), withdrawal(1))) == ""
    assert found(written(*AID[:2], withdrawal(1))) == [(3, "KB-142", "impossible")]
    assert found(written(*AID[:2], withdrawal(2), withdrawal(2))) == [(4, "KB-142", "impossible")]
    assert found(written(withdrawal(1))) == [(1, "KB-142", "impossible")]


def test_kb_142_any_event_can_be_the_last_one() -> None:
    assert taken(written(*AID[:2], void(1), withdrawal(3))) == "AB"
    assert found(written(*AID[:2], void(2), withdrawal(1))) == [(4, "KB-142", "impossible")]
    assert found(written((None, "dispute_opened", {"about_seq": 1}), withdrawal(1))) == []


def test_kb_142_a_withdrawal_taken_back_does_nothing() -> None:
    assert taken(written(*AID[:2], withdrawal(2), void(3))) == "AB"
    raw = written(*AID[:2], withdrawal(2), withdrawal(1), void(3))
    assert found(raw) == [(4, "KB-142", "impossible")]
    assert taken(raw) == "AB"


def test_kb_142_what_is_accepted_takes_effect_wherever_it_is_named() -> None:
    raw = written(AID[0], AID[0], (None, "illegal_state_accepted", {"seqs": [2]}))
    assert found(raw) == []
    assert state_of(raw, 2)["players"]["A"]["gold"] == 2
    impossible = written(("A", "build_passed", {}), (None, "illegal_state_accepted", {"seqs": [1]}))
    assert found(impossible) == [(1, "KB-10", "impossible")]
    legal = written(AID[0], (None, "illegal_state_accepted", {"seqs": [1]}))
    assert found(legal) == []
    undone = written(AID[0], AID[0], (None, "illegal_state_accepted", {"seqs": [2]}), void(3))
    assert found(undone) == [(2, "KB-22", "irregular")]


def test_kb_142_an_amended_header_is_set_up_anew() -> None:
    data = {"seats": [{"seat": "B"}, {"seat": "A"}], "options": {"two_player_block": "none"}}
    raw = written((None, "match_paused", {}), amendment(0, data))
    state = state_of(raw, 0)
    assert state["seats"] == ["B", "A"]
    assert state["options"]["two_player_block"] == "none"
    assert found(written(AID[2], amendment(0, data))) == [(1, "KB-08", "form")]
    assert found(written(AID[0], amendment(0, {"seats": 5, "options": {}}))) == [(2, "KB-142", "impossible")]
    wrong = {"seats": [{"seat": "A"}, {"seat": "B"}], "options": {"no": 1}}
    assert found(written(AID[0], amendment(0, wrong))) == [(0, "KB-07", "form")]
    assert found(written(AID[0], amendment(0, wrong), void(2))) == []


def test_a_header_that_cannot_be_played_is_refused_while_a_match_runs() -> None:
    told = replay.run(notation.parse(written(AID[0])))
    wrong = b'{"target_seq": 0, "data": {"seats": [{"seat": "A"}], "options": {}}}'
    refusal = replay.append(told, Line(2, "event_amended", data=wrong))
    assert isinstance(refusal, Refusal)
    assert refusal.rule.id == "KB-01"


def test_kb_142_an_earlier_position_knows_all_corrections() -> None:
    raw = written(*AID[:2], void(1))
    assert state_of(raw, 1)["players"]["A"]["gold"] == 0
    assert state_of(raw, 0) == state_of(written(), 0)


# What the table saw ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "differs"),
    [
        ({}, False),
        ({"players.A.gold": 1, "pending.0.seat": "B", "envoy_holder": None, "year": 1}, False),
        ({"players.A.dice": {"coloured": [], "white": []}, "seats": ["A", "B", "C"]}, False),
        ({"players.A.gold": 2}, True),
        ({"players.A.gold": True}, True),
        ({"players.A.gold": "1"}, True),
        ({"players.Z.gold": 1}, True),
        ({"pending.9": None}, True),
        ({"pending.-1": None}, True),
        ({"": None}, True),
        ({"players.A.gold.x": 1}, True),
        ({"year": 1, "phase": "spring", "step": "roll"}, True),
    ],
)
def test_kb_149_the_table_may_say_what_it_saw(seen: dict[str, Any], differs: bool) -> None:
    raw = written(("A", "aid_good_taken", {"good": "gold", "observed": seen}))
    assert found(raw) == ([(1, "KB-149", "observed")] if differs else [])
    assert state_of(raw)["players"]["A"]["gold"] == 1
    assert report(raw)["accepted"] == 1


def test_kb_149_any_event_may_say_it() -> None:
    raw = written(
        (None, "dispute_opened", {"about_seq": 1, "observed": {"year": 2}}),
        (None, "event_voided", {"target_seq": 1, "observed": {"year": 2}}),
        (None, "time_called", {"observed": {"finished": True}}),
    )
    assert found(raw) == [(2, "KB-149", "observed")]


# States and views -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["legal", "corrected", "findings"])
def test_a_state_read_back_goes_on_alike(name: str) -> None:
    told = replay.run(notation.parse(sample(name)))
    for one in told.carried:
        again = GAME.load(told.header, GAME.view(one.step.state))
        assert GAME.view(again) == GAME.view(one.step.state)
    for one, after in zip(told.carried, told.carried[1:], strict=False):
        if after.event is None or after.event.type == "match_started":
            continue
        again = GAME.load(told.header, GAME.view(one.step.state))
        accepted = GAME.check(one.step.state, after.event)
        assert GAME.check(again, after.event) == accepted
        assert GAME.view(GAME.follow(again, after.event).state) == GAME.view(after.step.state)


def test_a_state_read_back_knows_looks_ends_and_who_left() -> None:
    match = helping(Match(), n10="A", n17="AB").do("A", "enemy_peeked")
    again = GAME.load(match.header, match.view)
    assert [again.players[seat].looks for seat in "ABC"] == [0, 0, 0]
    match.do("A", "help_taken", advisor=17, any={"gold": 2})
    match.at(dice_seen=True)
    again = GAME.load(match.header, match.view)
    assert again == match.state
    left = (
        Match(5)
        .do("C", "player_resigned")
        .do("E", "player_resigned")
        .give("A", vp=3)
        .do(None, "draw_agreed", seats=["A", "B", "D"])
    )
    again = GAME.load(left.header, left.view)
    assert (again.resigned, again.drawn, GAME.outcome(again)) == (("C", "E"), True, GAME.outcome(left.state))


def test_an_ended_state_read_back_knows_what_the_cathedral_gave() -> None:
    match = Match(2).winter(5).at(enemies_seen=("1-orcs-3", "2-orcs-4", "3-orcs-5", "4-orcs-7"))
    match.give("A", buildings=["cathedral"], gold=5).give("B", gold=5).battle("5-dragons-9", 1)
    again = GAME.load(match.header, match.view)
    assert again.cathedral == {"A": 2}
    assert GAME.result(again) == GAME.result(match.state)


def test_what_is_no_state_is_refused() -> None:
    match = Match()
    for path, value in (
        ("year", "1"),
        ("seats", ["A"]),
        ("turn_order", ["A", "A", "B"]),
        ("enemy", "9-orcs-9"),
        ("pending", [{"seat": "A"}]),
        ("players", {}),
    ):
        with pytest.raises(ValueError, match=r"."):
            GAME.load(match.header, {**match.view, path: value})
    wrong = match.view
    wrong["players"]["A"]["buildings"] = ["castle"]
    with pytest.raises(ValueError, match="castle"):
        GAME.load(match.header, wrong)


def test_whose_turn_it_is() -> None:
    match = Match()
    assert GAME.turn(match.state) is None
    assert GAME.turn(match.at(pending=(Pending("C", "aid_good"),)).state) == "C"
    assert GAME.turn(Match("BAC").building().state) == "B"
    assert GAME.turn(Match().do(None, "time_called").state) is None


def test_a_match_counts_its_accepted_events() -> None:
    told = report(sample("findings"))
    assert told["accepted"] == told["events"] - len(expected("findings")["findings"])
