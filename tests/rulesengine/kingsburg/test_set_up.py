"""Set-up, calendar and the king's aid: KB-01 to KB-24."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.game import Refusal
from rulesengine.kingsburg.state import Player
from rulesengine.kingsburg.tables import ADVISORS, BUILDINGS, ENEMIES, PHASES
from tests.rulesengine.kingsburg.given import (
    GAME,
    IMPOSSIBLE,
    Match,
    found,
    header,
    malformed,
    report,
    written,
)


@pytest.mark.parametrize("seats", ["A", "ABCDEF", "AC", "AAB", "BCD"])
def test_kb_01_seats_are_two_to_five_letters_without_a_gap(seats: str) -> None:
    refusal = GAME.set_up(header(seats))
    assert isinstance(refusal, Refusal)
    assert refusal.rule.id == "KB-01"
    told = report(written(seats=seats))
    assert [(one["line"], one["seq"], one["rule"], one["kind"]) for one in told["findings"]] == [
        (1, 0, "KB-01", "form")
    ]
    assert (told["accepted"], told["placements"], told["result"]) == (0, None, None)


@pytest.mark.parametrize("seats", ["AB", "BA", "CAB", "EDCBA"])
def test_kb_01_letters_may_stand_in_any_order(seats: str) -> None:
    match = Match(seats)
    assert match.view["seats"] == list(seats)
    assert match.state.turn_order == tuple(seats)


def test_kb_01_and_an_amended_header_is_looked_at_alike() -> None:
    amended = {"target_seq": 0, "data": {"seats": [{"seat": "A"}, {"seat": "C"}], "options": {}}}
    raw = written((None, "match_started", {}), (None, "event_amended", amended))
    assert found(raw) == [(0, "KB-01", "form")]


def test_kb_02_everybody_begins_with_nothing() -> None:
    assert set(Match(4).state.players.values()) == {Player()}
    assert Match().state.envoy_holder is None


def test_kb_03_a_recorded_first_turn_order_prevails() -> None:
    match = Match().do(None, "match_started", turn_order=["C", "A", "B"])
    assert match.state.turn_order == ("C", "A", "B")
    assert match.view["seats"] == ["A", "B", "C"]
    assert match.awaited() == [("C", "aid_good"), ("A", "aid_good"), ("B", "aid_good")]
    assert Match("CAB").do(None, "match_started").state.turn_order == ("C", "A", "B")


@pytest.mark.parametrize("order", [["A", "B"], ["A", "B", "B"], ["A", "B", "D"], [], ["A", "B", "C", "A"]])
def test_kb_03_the_first_turn_order_names_each_seat_once(order: list[str]) -> None:
    Match().refused("KB-03", IMPOSSIBLE, None, "match_started", turn_order=order)


def test_kb_04_the_deck_is_prepared_once_and_before_the_first_dice() -> None:
    match = Match(2, two_player_block="none")
    assert match.do(None, "enemy_deck_prepared").state.deck_prepared
    match.force("KB-04", None, "enemy_deck_prepared")
    assert match.state.deck_prepared
    late = Match(2, two_player_block="none").season().do("A", "dice_rolled", coloured=[1, 2, 3])
    assert late.force("KB-04", None, "enemy_deck_prepared").state.deck_prepared
    assert Match().season(step="roll").allowed(None, "enemy_deck_prepared")


def test_kb_04_refused_dice_are_none() -> None:
    raw = written(
        ("A", "aid_good_taken", {"good": "gold"}),
        ("B", "aid_good_taken", {"good": "gold"}),
        ("A", "dice_rolled", {"coloured": [1, 2]}),
        (None, "enemy_deck_prepared", {}),
        seats=2,
        two_player_block="none",
    )
    assert found(raw) == [(3, "KB-32", "irregular")]


def test_kb_05_a_supply_without_limit_never_runs_out() -> None:
    match = Match().give("A", gold=25, wood=20, stone=15)
    assert match.do("B", "aid_good_taken", good="gold")["B"].gold == 1


def test_kb_05_nothing_is_chosen_that_is_not_there() -> None:
    match = Match(supply_limited=True).give("A", gold=25)
    match.refused("KB-05", IMPOSSIBLE, "B", "aid_good_taken", good="gold")
    assert match.allowed("B", "aid_good_taken", good="wood")


def test_kb_05_awaited_goods_lapse_once_there_is_none_left() -> None:
    match = Match(supply_limited=True).give("A", gold=25, wood=20, stone=14)
    match.do("B", "aid_good_taken", good="stone")
    assert match.where == (1, "spring", "roll")
    assert match["C"].goods == 0


def test_kb_06_everything_of_a_player_is_in_the_view() -> None:
    shown = (
        Match().give("A", gold=1, wood=2, stone=3, plus_two=1, soldiers=4, buildings=["inn"], vp=9).view["players"]["A"]
    )
    assert shown == {
        "vp": 9,
        "gold": 1,
        "wood": 2,
        "stone": 3,
        "plus_two": 1,
        "soldiers": 4,
        "buildings": ["inn"],
        "dice": {"coloured": [], "white": []},
        "rolled": False,
        "passed": False,
        "built": 0,
        "resigned": False,
        "used": dict.fromkeys(["statue", "chapel", "market", "plus_two", "town_hall", "stable", "envoy_build"], False),
        "peeks": [],
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_such_option", True),
        ("plus_two_limit", "never"),
        ("market_with_plus_two", 1),
        ("market_with_plus_two", None),
        ("two_player_block", True),
        ("building_token_limit", 18),
        ("building_token_limit", 17.0),
        ("enemy_table", "kb-enemies-b"),
        ("final_tiebreak", ["goods", "goods"]),
        ("final_tiebreak", "goods"),
        ("strongest_bonus_ties", {}),
        ("stable_limit", ["once_per_season"]),
    ],
)
def test_kb_07_options_are_known_and_allowed(name: str, value: Any) -> None:
    refusal = GAME.set_up(header(**{name: value}))
    assert isinstance(refusal, Refusal)
    assert refusal.rule.id == "KB-07"
    assert name in refusal.because


def test_kb_07_stands_in_the_report_as_the_one_finding() -> None:
    raw = written(("A", "aid_good_taken", {"good": "x"}), stable_limit="never")
    assert found(raw) == [(0, "KB-07", "form")]


def test_kb_01_stands_before_kb_07() -> None:
    assert found(written(seats="A", stable_limit="never")) == [(0, "KB-01", "form")]


@pytest.mark.parametrize(
    "line",
    [
        {"type": "no_such_event"},
        {"type": "result_recorded", "data": {"rows": []}},
        {"type": "aid_good_taken", "data": {"good": "gold"}},
        {"type": "player_resigned"},
        {"type": "aid_good_taken", "seat": "D", "data": {"good": "gold"}},
        {"type": "season_closed", "seat": "D"},
        {"type": "dispute_opened", "seat": "D"},
        {"type": "aid_good_taken", "seat": "A", "data": {}},
        {"type": "aid_good_taken", "seat": "A", "data": {"good": "iron"}},
        {"type": "aid_good_taken", "seat": "A", "data": {"good": None}},
        {"type": "aid_good_taken", "seat": "A", "data": {"good": "gold", "more": 1}},
        {"type": "aid_good_taken", "seat": "A", "data": {"good": "gold", "observed": 3}},
        {"type": "aid_good_taken", "seat": "A", "data": {"good": "gold", "observed": None}},
        {"type": "match_started", "data": {"turn_order": None}},
        {"type": "match_started", "data": {"turn_order": [1]}},
        {"type": "time_called", "data": {"reason": "late"}},
        {"type": "placements_confirmed", "data": {"reason": "right"}},
        {"type": "match_ended", "data": {"placements": {"A": 1}}},
        {"type": "match_ended", "data": {"reason": "over"}},
        {"type": "match_abandoned", "data": {"reason": None}},
        {"type": "draw_agreed", "data": {}},
        {"type": "state_adjusted", "data": {"path": "players.A.vp", "old": 0}},
        {"type": "state_adjusted", "data": {"path": 5, "old": 0, "new": 1}},
        {"type": "aid_good_taken", "seat": "A", "data": "gold"},
    ],
)
def test_kb_08_a_breach_of_form_has_no_effect(line: dict[str, Any]) -> None:
    told = report(written(line, ("A", "aid_good_taken", {"good": "gold"})))
    assert [(one["rule"], one["kind"]) for one in told["findings"]] == [("KB-08", "form")]
    assert told["accepted"] == 1


def test_kb_08_form_stands_before_everything_else() -> None:
    raw = written((None, "time_called", {}), ("A", "aid_good_taken", {}), ("A", "aid_good_taken", {"good": "gold"}))
    assert found(raw) == [(2, "KB-08", "form"), (3, "KB-10", "impossible")]


def test_kb_08_a_seat_of_the_table_may_stand_where_nobody_acts() -> None:
    raw = written({"type": "match_started", "seat": "B", "data": {}}, ("B", "player_resigned", {}))
    assert found(raw) == []
    late = written(("B", "player_resigned", {}), {"type": "enemy_deck_prepared", "seat": "B"})
    assert found(late) == []


def test_kb_08_numbers_out_of_range_are_no_breach_of_form() -> None:
    assert not malformed("dice_rolled", coloured=[9, -1, 0])
    assert not malformed("advisor_influenced", advisor=99, market=7)
    assert not malformed("soldiers_recruited", soldiers=-1, pay={})
    assert malformed("soldiers_recruited", soldiers=1, pay={"gold": -1})
    assert malformed("advisor_influenced", advisor=True)
    assert malformed("advisor_influenced", advisor=1, plus_two=1)


def test_kb_09_the_start_comes_first_and_once() -> None:
    Match().do(None, "match_started").refused("KB-09", IMPOSSIBLE, None, "match_started")
    Match().do(None, "enemy_deck_prepared").refused("KB-09", IMPOSSIBLE, None, "match_started")
    Match().do("A", "aid_good_taken", good="gold").refused("KB-09", IMPOSSIBLE, None, "match_started")
    Match().do("A", "player_resigned").refused("KB-09", IMPOSSIBLE, None, "match_started", turn_order=["A"])
    adjusted = Match().do(None, "state_adjusted", path="players.A.vp", old=0, new=1)
    adjusted.refused("KB-09", IMPOSSIBLE, None, "match_started")
    assert Match().do(None, "match_paused").allowed(None, "match_started")


def test_kb_09_a_refused_event_is_none() -> None:
    assert found(written(("A", "build_passed", {}), (None, "match_started", {}))) == [(1, "KB-10", "impossible")]


@pytest.mark.parametrize(
    ("seat", "type_", "fields"),
    [
        ("A", "dice_rolled", {"coloured": [1, 2, 3]}),
        (None, "rolls_closed", {}),
        (None, "advisors_blocked", {"advisors": [], "dice": []}),
        ("A", "building_built", {"building": "inn"}),
        ("A", "recruit_passed", {}),
        (None, "reinforcements_rolled", {"value": 1}),
        (None, "enemy_revealed", {"enemy": "1-orcs-3"}),
        ("A", "loss_chosen", {"goods": {}}),
        (None, "season_closed", {}),
    ],
)
def test_kb_10_an_event_belongs_to_its_phase(seat: str | None, type_: str, fields: dict[str, Any]) -> None:
    Match().refused("KB-10", IMPOSSIBLE, seat, type_, **fields)


def test_kb_10_nothing_is_played_after_the_end() -> None:
    match = Match().do(None, "time_called")
    for seat, type_, fields in (
        ("A", "aid_good_taken", {"good": "gold"}),
        (None, "match_started", {}),
        (None, "enemy_deck_prepared", {}),
        ("A", "player_resigned", {}),
        (None, "time_called", {}),
        (None, "draw_agreed", {"seats": ["A", "B", "C"]}),
        (None, "match_abandoned", {}),
        (None, "match_paused", {}),
        (None, "match_resumed", {}),
        (None, "penalty_given", {}),
    ):
        match.refused("KB-10", IMPOSSIBLE, seat, type_, **fields)
    for seat, type_, fields in (
        (None, "match_ended", {}),
        (None, "dispute_opened", {}),
        ("A", "result_signed", {}),
        (None, "state_adjusted", {"path": "players.A.vp", "old": 0, "new": 2}),
        (None, "match_annulled", {}),
    ):
        assert match.allowed(seat, type_, **fields)


def test_kb_10_a_year_has_eight_phases_in_order() -> None:
    assert [row["key"] for row in PHASES] == [
        "kings_aid", "spring", "kings_reward", "summer", "kings_envoy", "autumn", "recruit", "winter",
    ]  # fmt: skip
    match = Match(2, two_player_block="none").season("spring", "season_end")
    seen = []
    for _ in range(3):
        seen.append(match.state.phase)
        match.at(step="season_end").do(None, "season_closed")
    assert [*seen, match.state.phase] == ["spring", "summer", "autumn", "recruit"]
    match.do("A", "recruit_passed").do("B", "recruit_passed")
    assert match.where == (1, "winter", "battle")
    assert match.battle("1-zombies-4", 6).where == (2, "kings_aid", "aid")


def test_kb_11_what_needs_no_decision_is_settled_in_the_same_event() -> None:
    match = Match(2, two_player_block="none").give("A", buildings=["inn"], wood=1).winter()
    match.battle("1-zombies-4", 6)
    assert match.where == (2, "spring", "roll")
    assert match.state.aid_die_holder == "B"
    told = [one.type for one in match.last.consequences]
    assert told[-3:] == ["year_started", "aid_die_given", "season_started"]


def test_kb_12_the_turn_order_holds_until_the_next_dice() -> None:
    match = Match().season("spring", "season_end").at(turn_order=("C", "B", "A"))
    assert match.do(None, "season_closed").state.turn_order == ("C", "B", "A")


def _fifth(match: Match) -> Match:
    """Return the match at the beginning of its second year."""
    return match.winter().battle("1-zombies-4", 6)


def test_kb_20_the_fewest_buildings_bring_a_white_die() -> None:
    match = _fifth(Match().give("A", buildings=["inn"]).give("B", buildings=["statue"]).give("C", gold=9))
    assert match.state.aid_die_holder == "C"
    assert match.where == (2, "spring", "roll")


def test_kb_21_of_several_with_the_fewest_buildings_it_is_the_poorest() -> None:
    match = _fifth(Match().give("A", buildings=["inn"]).give("B", gold=2, vp=9).give("C", stone=1))
    assert match.state.aid_die_holder == "C"


def test_kb_22_who_is_still_tied_takes_a_good_each() -> None:
    match = _fifth(Match().give("A", buildings=["inn"]).give("B", gold=2).give("C", stone=1, wood=1))
    assert match.state.aid_die_holder is None
    assert match.awaited() == [("B", "aid_good"), ("C", "aid_good")]
    match.force("KB-22", "A", "aid_good_taken", good="gold")
    assert match["A"].gold == 1
    match.do("C", "aid_good_taken", good="gold").force("KB-22", "C", "aid_good_taken", good="gold")
    assert match.awaited() == [("B", "aid_good")]
    assert match.do("B", "aid_good_taken", good="wood").where == (2, "spring", "roll")


def test_kb_23_in_the_first_year_everybody_takes_a_good() -> None:
    match = Match()
    assert match.where == (1, "kings_aid", "aid")
    for seat, good in (("B", "gold"), ("C", "gold"), ("A", "stone")):
        match.do(seat, "aid_good_taken", good=good)
    assert match.where == (1, "spring", "roll")
    assert match.state.aid_die_holder is None
    assert [match.goods(seat) for seat in "ABC"] == [(0, 0, 1), (1, 0, 0), (1, 0, 0)]


def test_kb_24_tokens_and_soldiers_are_no_goods() -> None:
    player = Player(gold=1, wood=2, stone=3, plus_two=4, soldiers=5)
    assert player.goods == 6
    match = _fifth(Match(2, two_player_block="none").give("A", plus_two=3, soldiers=2).give("B", gold=1))
    assert match.state.aid_die_holder == "A"


def test_the_first_position_is_that_of_the_rule_page() -> None:
    view = Match().view
    assert len(view.pop("options")) == 17
    players = view.pop("players")
    assert list(players) == ["A", "B", "C"]
    assert view == {
        "ruleset": "kingsburg-2007",
        "seats": ["A", "B", "C"],
        "year": 1,
        "phase": "kings_aid",
        "step": "aid",
        "turn_order": ["A", "B", "C"],
        "turn_index": None,
        "envoy_holder": None,
        "aid_die_holder": None,
        "deck_prepared": False,
        "blocked": [],
        "influence": {},
        "help_pointer": 0,
        "reinforcement": None,
        "enemy": None,
        "enemies_seen": [],
        "pending": [{"seat": seat, "kind": "aid_good"} for seat in "ABC"],
        "finished": False,
        "placements": None,
    }


def test_the_tables_are_whole() -> None:
    assert [row["no"] for row in ADVISORS] == list(range(1, 19))
    assert [(row["row"], row["col"]) for row in BUILDINGS] == [(row, col) for row in range(1, 6) for col in range(1, 5)]
    assert [row["year"] for row in ENEMIES] == [year for year in range(1, 6) for _ in range(5)]
    spans = {year: {row["strength"] for row in ENEMIES if row["year"] == year} for year in range(1, 6)}
    assert [(min(span), max(span)) for span in spans.values()] == [(2, 4), (3, 5), (4, 6), (5, 7), (7, 9)]
