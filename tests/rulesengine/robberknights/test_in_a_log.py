"""Whole logs: samples, form, what the table saw, corrections, accepted entries, reports (part 10 of the page)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesengine import notation, replay
from rulesengine.log import Line
from rulesengine.replay import Replay
from tests.rulesengine.robberknights.given import FIRST, START, Row, cells, found, log, path, report

SAMPLES = Path(__file__).parent / "samples"
PLACED = FIRST[:4]
"""Up to the castle that A placed, seq 4."""


def state(rows: list[Row], seats: int | str = 2, at: int | None = None, **options: Any) -> dict[str, Any]:
    told = replay.run(log(rows, seats, **options), at=at)
    return told.ruleset.view(told.state)


def voided(seq: int) -> Row:
    return (None, "event_voided", {"target_seq": seq})


def accepted(*seqs: int) -> Row:
    return (None, "illegal_state_accepted", {"seqs": list(seqs)})


def amended(seq: int, data: Any) -> Row:
    return (None, "event_amended", {"target_seq": seq, "data": data})


# Samples


@pytest.mark.parametrize("name", ["whole-match", "referee-correction", "findings"])
def test_a_sample_is_found_as_expected(name: str) -> None:
    expected: dict[str, Any] = json.loads((SAMPLES / f"{name}.expected.json").read_text())
    sample = notation.parse((SAMPLES / f"{name}.jsonl").read_bytes())
    told = replay.report(sample).as_json()
    assert [{key: one[key] for key in ("seq", "rule", "kind")} for one in told["findings"]] == expected["findings"]
    assert {key: told[key] for key in ("status", "placements", "result")} == {
        key: expected[key] for key in ("status", "placements", "result")
    }
    assert told["edition"] == "robber-knights-2005"
    for at, there in expected["states"].items():
        back = replay.run(sample, at=int(at))
        assert back.ruleset.view(back.state) == there


@pytest.mark.parametrize("name", ["whole-match", "referee-correction", "findings"])
@pytest.mark.parametrize("form", notation.FORMS)
def test_a_sample_comes_back_from_every_form(name: str, form: str) -> None:
    sample = notation.parse((SAMPLES / f"{name}.jsonl").read_bytes())
    again = notation.parse(notation.write(sample, form))
    assert notation.canonical(again) == notation.canonical(sample)
    assert replay.run(again).state == replay.run(sample).state


# Form


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("hand_chosen", {}),
        ("hand_chosen", {"tile": 2}),
        ("hand_chosen", {"tile": "A2", "seat": "A"}),
        ("layout_laid", {}),
        ("layout_laid", {"cells": {}}),
        ("layout_laid", {"cells": [{"x": 0, "y": 0}]}),
        ("layout_laid", {"cells": [{"x": 0, "y": 0, "tile": "A:A2", "z": 0}]}),
        ("layout_laid", {"cells": [{"x": 0.5, "y": 0, "tile": "A:A2"}]}),
        ("tile_placed", {"tile": "A2", "x": 0}),
        ("tile_placed", {"tile": "A2", "x": "0", "y": 0}),
        ("tile_placed", {"tile": None, "x": 0, "y": 0}),
        ("tile_placed", {"tile": "A2", "x": True, "y": 0}),
        ("knights_deployed", {}),
        ("knights_deployed", {"path": []}),
        ("knights_deployed", {"path": [{"x": 0, "y": 0, "leave": -1}]}),
        ("knights_deployed", {"path": [{"x": 0, "y": 0}]}),
        ("knights_deployed", {"path": [[0, 0, 1]]}),
        ("knights_declined", {"path": []}),
        ("tile_drawn", {"tile": "B1"}),
        ("tile_drawn", {"letter": "B", "tile": None}),
        ("tile_drawn", {"letter": "B"}),
        ("tile_drawn", {"letter": 1, "tile": "B1"}),
        ("turn_ended", {"reason": "done"}),
        ("turn_passed", {"x": 0}),
        ("player_resigned", {"reason": "train"}),
        ("time_called", {"reason": "late"}),
        ("placements_confirmed", {"reason": "done"}),
        ("match_abandoned", {"cause": "fire"}),
        ("match_annulled", {"reason": 1}),
        ("draw_agreed", {}),
        ("draw_agreed", {"seats": ["A", "Z"]}),
        ("draw_agreed", {"seats": "AB"}),
        ("match_started", {"start_seat": None}),
        ("match_started", {"seats": ["A"]}),
        ("match_ended", {"placements": None}),
        ("match_ended", {"placements": [{"seat": "A"}]}),
        ("match_ended", {"reason": "tiles"}),
        ("state_adjusted", {"path": "players.A.supply", "old": 30}),
        ("state_adjusted", {"path": 1, "old": 30, "new": 29}),
        ("event_voided", {}),
        ("event_voided", {"target_seq": 99}),
        ("event_withdrawn", {"target_seq": 0}),
        ("event_amended", {"target_seq": 1, "data": []}),
        ("illegal_state_accepted", {"seqs": 3}),
        ("result_recorded", {"rows": []}),
        ("turn_started", {"seat": "A"}),
        ("dice_rolled", {}),
    ],
)
def test_what_is_malformed_is_a_breach_of_form_and_has_no_effect(type_: str, data: dict[str, Any]) -> None:
    rows = [*START, ("A", type_, data)]
    assert found(rows) == [(4, None, "form")]
    assert state(rows) == state(START)


@pytest.mark.parametrize(
    "type_",
    [
        "hand_chosen",
        "tile_placed",
        "knights_deployed",
        "knights_declined",
        "tile_drawn",
        "turn_ended",
        "turn_passed",
        "player_resigned",
    ],
)
def test_an_event_of_a_seat_names_one_of_the_header(type_: str) -> None:
    data: dict[str, dict[str, Any]] = {
        "hand_chosen": {"tile": "A2"},
        "tile_placed": {"tile": "A2", "x": 0, "y": 0},
        "knights_deployed": {"path": path((0, 0, 1))},
        "tile_drawn": {"letter": "B", "tile": "B1"},
    }
    for seat in (None, "C"):
        assert found([(seat, type_, data.get(type_, {}))]) == [(1, None, "form")]


def test_the_seat_of_another_event_must_be_one_of_the_header_and_is_not_looked_at() -> None:
    laid = START[2][2]
    assert found([*START[:2], ("C", "layout_laid", laid)]) == [(3, None, "form")]
    assert found([*START[:2], ("B", "layout_laid", laid)]) == []
    assert found([*START, ("C", "time_called", {})]) == [(4, None, "form")]


def test_form_goes_before_the_end_and_the_turn() -> None:
    over: list[Row] = [*START, (None, "time_called", {})]
    assert found([*over, ("B", "tile_drawn", {"letter": "B"})]) == [(5, None, "form")]
    assert found([*over, ("B", "tile_placed", {"tile": "A2", "x": 0, "y": 0})]) == [(5, "RK-42", "impossible")]
    assert found([*over, (None, "draw_agreed", {"seats": ["Z"]})]) == [(5, None, "form")]


@pytest.mark.parametrize("draw", ["open", "sealed"])
def test_the_two_ways_of_recording_draws_are_not_mixed(draw: str) -> None:
    rows = [*PLACED[:3], ("A", "tile_placed", {"tile": "A2", "x": 2, "y": 0})]
    wrong: Row = ("A", "tile_drawn", {"letter": "B", "tile": "B1" if draw == "sealed" else None})
    right: Row = ("A", "tile_drawn", {"letter": "B", "tile": None if draw == "sealed" else "B1"})
    assert found([*rows, wrong, right], draw_record=draw) == [(5, None, "form")]


# What the table saw


SALLY = FIRST[4][2]


def saw(**seen: Any) -> list[Row]:
    return [*PLACED, ("A", "knights_deployed", {**SALLY, "observed": seen}), *FIRST[5:]]


def test_what_the_table_saw_is_compared_after_the_event() -> None:
    """A's castle and the mountain beside it: 1 point, 26 knights left."""
    assert found(saw(supply=26, points={"A": 1, "B": 0})) == []
    assert found(saw()) == []
    assert found(saw(supply=25)) == [(5, None, "observed")]
    assert found(saw(points={"A": 2, "B": 0})) == [(5, None, "observed")]
    assert found(saw(supply=1, points={"A": 2, "B": 0})) == [(5, None, "observed")]
    assert state(saw(supply=25)) == state(FIRST)


@pytest.mark.parametrize(
    "seen",
    [
        {"supply": "26"},
        {"supply": True},
        {"supply": 26.5},
        {"points": {"A": 1}},
        {"points": {"A": 1, "B": 0, "C": 0}},
        {"points": {"A": 1, "B": None}},
        {"points": 1},
        {"knights": 3},
    ],
)
def test_what_the_table_saw_has_its_form(seen: dict[str, Any]) -> None:
    rows = [*PLACED, ("A", "knights_deployed", {**SALLY, "observed": seen})]
    assert found(rows) == [(5, None, "form")]
    assert state(rows) == state(PLACED)
    wrong_too: list[Row] = [*PLACED, ("B", "knights_deployed", {**SALLY, "observed": seen})]
    assert found(wrong_too) == [(5, None, "form")]


def test_any_event_may_carry_what_the_table_saw_a_supply_only_with_a_seat() -> None:
    points = {"points": {"A": 1, "B": 0}}
    for row in (
        (None, "match_paused", {"observed": points}),
        ("A", "dispute_opened", {"observed": {**points, "supply": 26}}),
        (None, "event_voided", {"target_seq": 7, "observed": points}),
        (None, "illegal_state_accepted", {"seqs": [7], "observed": points}),
        ("B", "result_signed", {"observed": {"supply": 30}}),
    ):
        assert found([*FIRST, row]) == []
    assert found([*FIRST, (None, "match_paused", {"observed": {"supply": 30}})]) == [(8, None, "form")]
    assert found([*FIRST, (None, "event_voided", {"target_seq": 7, "observed": {"supply": 3}})]) == [(8, None, "form")]
    assert state([*FIRST, (None, "event_voided", {"target_seq": 7, "observed": {"supply": 3}})]) == state(FIRST)
    wrong = {"points": {"A": 9, "B": 0}}
    assert found([*FIRST, (None, "event_voided", {"target_seq": 7, "observed": wrong})]) == [(8, None, "observed")]


def test_a_refused_event_is_not_compared() -> None:
    rows: list[Row] = [*PLACED, ("B", "knights_deployed", {**SALLY, "observed": {"supply": 1}})]
    assert found(rows) == [(5, "RK-10", "impossible")]


def test_recorded_placements_are_compared_in_any_order() -> None:
    over: list[Row] = [*FIRST, ("B", "player_resigned", {})]
    right = [{"seat": "B", "place": 2}, {"seat": "A", "place": 1}]
    wrong = [{"seat": "A", "place": 1}, {"seat": "B", "place": 1}]
    assert found([*over, (None, "match_ended", {"placements": right})]) == []
    assert found([*over, (None, "match_ended", {})]) == []
    assert found([*over, (None, "match_ended", {"placements": wrong})]) == [(9, "RK-43", "observed")]


# Corrections


def test_a_voided_or_withdrawn_entry_is_skipped_without_a_check_of_its_own() -> None:
    for type_ in ("event_voided", "event_withdrawn"):
        rows: list[Row] = [*FIRST, (None, type_, {"target_seq": 7})]
        assert found(rows) == []
        assert state(rows)["current"] == "A"
        early: list[Row] = [*FIRST, (None, type_, {"target_seq": 5})]
        assert found(early) == [(6, "RK-15", "impossible"), (7, "RK-16", "irregular")]


def test_a_correction_taken_back_does_nothing() -> None:
    for first in ("event_voided", "event_withdrawn"):
        for second in ("event_voided", "event_withdrawn"):
            rows: list[Row] = [*FIRST, (None, first, {"target_seq": 7}), (None, second, {"target_seq": 8})]
            assert state(rows) == state(FIRST)
            thrice: list[Row] = [*rows, (None, "event_voided", {"target_seq": 9})]
            assert state(thrice)["current"] == "A"


def test_an_amendment_replaces_the_whole_data_and_the_latest_counts() -> None:
    one, two = {"path": path((2, 0, 2))}, {"path": path((2, 0, 3))}
    rows = [*FIRST, amended(5, one), amended(5, two)]
    assert found(rows) == []
    assert state(rows)["board"]["2,0"]["stack"] == ["A", "A", "A"]
    assert state([*rows, voided(9)])["board"]["2,0"]["stack"] == ["A", "A"]
    assert found([*FIRST, amended(5, {})]) == [(5, None, "form"), (6, "RK-15", "impossible"), (7, "RK-16", "irregular")]
    assert found([*FIRST, amended(4, {"tile": "A2", "x": 2, "y": 0})]) == [(5, "RK-20", "impossible")]


def test_an_earlier_position_knows_the_corrections_of_the_whole_log() -> None:
    rows = [*FIRST, amended(5, {"path": path((2, 0, 2))})]
    assert state(rows, at=5)["board"]["2,0"]["stack"] == ["A", "A"]
    assert state(rows, at=0)["step"] == "hand"
    assert state(rows, at=4)["castle_pending"] == "2,0"


def test_a_correction_of_what_is_no_earlier_entry_is_a_breach_of_form() -> None:
    for row in (voided(9), voided(8), voided(0), (None, "event_withdrawn", {"target_seq": 12}), amended(8, {})):
        assert found([*FIRST, row]) == [(8, None, "form")]


def test_the_header_may_be_amended() -> None:
    rows = [*FIRST, (None, "event_amended", {"target_seq": 0, "data": {"options": {"start_seat": "B"}}})]
    assert found(rows)[0] == (4, "RK-10", "impossible")
    assert found([*FIRST, (None, "event_amended", {"target_seq": 0, "data": {"options": {"speed": 1}}})]) == [
        (8, None, "form")
    ]


# Accepted entries


APART: Row = ("A", "tile_placed", {"tile": "A1", "x": 5, "y": 5})


def test_an_irregular_entry_takes_effect_only_where_it_is_accepted() -> None:
    rows: list[Row] = [*START, APART]
    assert found(rows) == [(4, "RK-11", "irregular")]
    assert state(rows) == state(START)
    assert found([*rows, accepted(4)]) == []
    assert state([*rows, accepted(4)])["board"]["5,5"]["tile"] == "A:A1"
    assert found([accepted(5), *START, APART]) == []
    assert found([*rows, accepted(4), voided(5)]) == [(4, "RK-11", "irregular")]


def test_an_impossible_entry_stays_refused_and_an_allowed_one_is_simply_accepted() -> None:
    rows: list[Row] = [*START, ("B", "tile_placed", {"tile": "A1", "x": 2, "y": 0}), accepted(4)]
    assert found(rows) == [(4, "RK-10", "impossible")]
    assert found([*FIRST, accepted(4, 5, 6, 7, 99)]) == []


def test_an_accepted_end_is_recorded() -> None:
    rows: list[Row] = [*FIRST, (None, "match_ended", {}), accepted(8)]
    told = report(rows)
    assert told.findings == ()
    assert told.as_json()["result"]["ended_by"] == "recorded"
    assert found(rows[:-1]) == [(8, "RK-42", "irregular")]


def test_findings_that_follow_from_an_irregular_entry_name_it() -> None:
    rows: list[Row] = [*START, APART, ("A", "knights_declined", {}), ("A", "tile_drawn", {"letter": "B", "tile": "B1"})]
    assert [(one.seq, one.follows) for one in report(rows).findings] == [(4, None), (5, 4), (6, 4)]


# The report


def test_the_status_is_running_ended_confirmed_and_ended_again() -> None:
    def told(*rows: Row) -> tuple[Any, Any, bool]:
        said = report([*FIRST, *rows]).as_json()
        return said["status"], said["placements"], said["result"] is None

    over: Row = (None, "time_called", {})
    confirmed: Row = (None, "placements_confirmed", {})
    placed = [{"seat": "A", "place": 1}, {"seat": "B", "place": 2}]
    assert told() == ("running", None, True)
    assert told(over) == ("ended", placed, False)
    assert told(over, confirmed) == ("confirmed", placed, False)
    assert told(over, confirmed, (None, "match_annulled", {})) == ("ended", None, True)
    assert told((None, "match_abandoned", {"reason": "rain"})) == ("ended", None, True)
    assert told(over, confirmed, voided(9)) == ("ended", placed, False)


def test_disputes_keep_placements_from_being_confirmed_in_a_log() -> None:
    rows: list[Row] = [*FIRST, ("B", "dispute_opened", {"about_seq": 5, "text": "?"}), (None, "time_called", {})]
    confirmed: Row = (None, "placements_confirmed", {})
    assert found([*rows, confirmed]) == [(10, "RK-49", "impossible")]
    assert report(rows).replay.disputes == (8,)
    assert found([*rows, (None, "ruling_given", {"about_seq": 5}), confirmed]) == []
    assert found([*rows, voided(8), confirmed]) == []


def test_a_position_reached_line_by_line_is_that_of_the_whole_log() -> None:
    rows: list[Row] = [
        *FIRST,
        ("B", "dispute_opened", {"about_seq": 5}),
        ("B", "tile_placed", {"tile": "A2", "x": 0, "y": -1}),
        (None, "state_adjusted", {"path": "players.A.supply", "old": 26, "new": 25}),
        (None, "event_withdrawn", {"target_seq": 9}),
        (None, "ruling_given", {"about_seq": 5}),
        (None, "time_called", {}),
        (None, "placements_confirmed", {}),
    ]
    whole = log(rows)
    live = replay.run(log([]))
    for line in whole.lines:
        after = replay.append(live, line)
        assert isinstance(after, Replay)
        live = after
    assert live == replay.run(whole)


# Whatever is recorded


TYPES = [
    "match_started", "hand_chosen", "layout_laid", "tile_placed", "knights_deployed", "knights_declined", "tile_drawn", "turn_ended",
    "turn_passed", "player_resigned", "time_called", "draw_agreed", "match_abandoned", "state_adjusted", "match_annulled",
    "match_ended", "placements_confirmed", "match_paused", "match_resumed", "dispute_opened", "ruling_given", "event_withdrawn",
    "event_voided", "event_amended", "illegal_state_accepted", "penalty_given", "result_signed", "result_disputed",
    "result_recorded", "match_set_up", "nonsense",
]  # fmt: skip
KEYS = ["tile", "x", "y", "letter", "path", "cells", "seats", "old", "new", "placements", "observed", "target_seq", "about_seq", "seqs", "data", "start_seat", "reason"]  # fmt: skip
WORDS: list[Any] = [
    None, True, 0, 1, -1, 2**53 - 1, 1.5, "", "A", "A1", "A:A3", "B", "B1", "players.A.supply", "board.0,0.stack", [], {}, ["A"],
    ["A", "B"], [0], [1, 2], [{}], [[0, 0]], {"x": 0}, {"supply": 30}, {"points": {"A": 0, "B": 0}}, {"observed": 1},
    [{"x": 0, "y": 0, "leave": 1}], [{"x": 0, "y": 0, "tile": "A:A3"}], [{"seat": "A", "place": 1}],
]  # fmt: skip


@pytest.mark.parametrize("type_", TYPES)
def test_bad_input_is_answered_and_never_raises(type_: str) -> None:
    """Every type of event in every step, with each key of the vocabulary holding each kind of value."""
    steps: list[list[Row]] = [[], START[:2], START, PLACED, FIRST[:5], [*FIRST, (None, "time_called", {})]]
    fitting = {"path": path((2, 0, 1)), "tile": "A2", "x": 0, "y": -1, "letter": "B", "seats": ["A", "B"]}
    rows: list[Row] = []
    for key in KEYS:
        for word in WORDS:
            rows += [("A", type_, {key: word}), (None, type_, {**fitting, key: word})]
    for seat in ("A", "B", None):
        for key in fitting:
            rows.append((seat, type_, {key: fitting[key]}))
    for at, before in enumerate(steps):
        told = report([*before, *rows], draw_record="sealed" if at == 2 else "open")
        json.dumps(told.as_json())
        for one in told.findings:
            assert one.message
            assert one.kind in ("form", "irregular", "impossible", "observed")
            assert one.rule is not None or one.kind in ("form", "observed")


def test_live_recording_refuses_in_words() -> None:
    told = replay.run(log(START))
    refusal = replay.append(told, Line(4, "tile_placed", "B", b'{"tile":"A1","x":2,"y":0}'))
    assert not isinstance(refusal, Replay)
    assert (refusal.rule.id, refusal.breach) == ("RK-10", "impossible")
    refusal = replay.append(told, Line(4, "tile_drawn", "A", b'{"letter":"B"}'))
    assert not isinstance(refusal, Replay)
    assert refusal.breach == "form"


def test_a_layout_is_laid_where_the_log_says_so() -> None:
    assert state([*START[:2], (None, "layout_laid", {"cells": cells("B:A4", "A:A3", "A:A4", "B:A3", columns=2)})])[
        "board"
    ]["0,0"] == {"tile": "B:A4", "stack": []}
