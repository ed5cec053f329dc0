"""The game in whole logs: what a check reports, corrections, accepted lines, and what the table saw (6.6 to 6.8)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulesengine import notation, replay
from rulesengine.log import Log
from tests.rulesengine.hexwar.given import GAME, HERE, data, plain

R1 = [json.loads(line) for line in (HERE / "data" / "r1.jsonl").read_text().splitlines()]
SAMPLES = sorted((HERE / "samples").glob("*.jsonl"))


def log(*rows: dict[str, Any], header: dict[str, Any] | None = None) -> Log:
    """Return a log of these lines, numbered in order."""
    numbered = [{**row, "seq": at} for at, row in enumerate(rows, 1)]
    return notation.parse("\n".join(json.dumps(row) for row in [header or R1[0], *numbered]).encode())


def line(type_: str, seat: str | None = None, acting_as: str | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return a line of a log."""
    row: dict[str, Any] = {"type": type_, "data": fields}
    if seat:
        row["seat"] = seat
    if acting_as:
        row["as"] = acting_as
    return row


def found(*rows: dict[str, Any]) -> list[tuple[int | None, str, str | None]]:
    """Return seq, kind and rule of what a check of these lines finds."""
    report = replay.report(log(*rows))
    return [(one.seq, one.kind, one.rule) for one in report.findings]


MOVE = line("unit_moved", "A", unit="u1", path=[[-1, 0], [0, 0]])
RECRUIT = line("unit_recruited", "A", building="b1", type="horsemen")
END_A, END_B = line("turn_ended", "A"), line("turn_ended", "B")


def test_the_replay_vector_is_clean_and_its_consequences_are_those_of_the_page() -> None:
    report = replay.report(log(*R1[1:]), keep=True)
    assert report.findings == ()
    assert report.accepted == report.events == 27
    told = report.as_json()
    assert (told["status"], told["result"]) == ("ended", data("r1_result.json"))
    assert plain(replay.consequences(report.replay)) == data("r1_consequences.json")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_log_is_reported_as_expected(path: Any) -> None:
    expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text())
    parsed = notation.parse(path.read_bytes())
    told = replay.report(parsed).as_json()
    assert [{key: one[key] for key in ("seq", "rule", "kind")} for one in told["findings"]] == expected["findings"]
    assert {key: told[key] for key in ("status", "placements", "result")} == {
        key: expected[key] for key in ("status", "placements", "result")
    }
    for seq, state in expected["states"].items():
        assert plain(GAME.view(replay.run(parsed, at=int(seq)).state)) == state


def test_a_set_up_that_cannot_be_is_the_only_finding() -> None:
    header = {**R1[0], "options": {"map": "nowhere"}}
    told = replay.report(log(MOVE, header=header)).as_json()
    assert [(one["line"], one["seq"], one["type"], one["kind"], one["rule"]) for one in told["findings"]] == [
        (1, 0, "match_set_up", "impossible", "HWH-37")
    ]
    assert (told["status"], told["result"]) == (None, None)


def test_hwh_39_what_the_table_saw_is_compared_and_the_computed_value_holds() -> None:
    seen = {**RECRUIT, "data": {**RECRUIT["data"], "observed": {"gold": 301, "hex": [-2, 0]}}}
    assert found(MOVE, seen) == [(2, "observed", "HWH-39")]
    assert replay.run(log(MOVE, seen)).state.players["A"].gold == 300
    right = {**RECRUIT, "data": {**RECRUIT["data"], "observed": {"gold": 300, "unit": "u3", "hex": [-2, 0]}}}
    assert found(MOVE, right) == []
    wrong_key = {**RECRUIT, "data": {**RECRUIT["data"], "observed": {"silver": 1}}}
    assert found(MOVE, wrong_key) == [(2, "form", None)]


def test_hwh_39_spelled_out_consequences_are_looked_for_in_order() -> None:
    started = line("turn_started", round=2, seat="A") | {"data": {"round": 2}}
    rounds = line("round_started", round=2, penalties_cleared=[])
    assert found(END_A, END_B, rounds, started) == []
    assert found(END_A, END_B, started, rounds) == [(4, "observed", "HWH-39")]
    assert found(line("round_started", round=1), END_A) == []
    assert found(END_A, line("round_started", round=2)) == [(2, "observed", "HWH-39")]


def test_hwh_39_a_correction_names_an_earlier_entry() -> None:
    void = line("event_voided", None, "referee", target_seq=9, reason="x", scribe_error=False, reported_by="A")
    assert found(MOVE, void) == [(2, "impossible", "HWH-39")]
    accept = line("illegal_state_accepted", None, "referee", seqs=[1, 7], reason="x")
    assert found(END_B, accept) == [(1, "impossible", "HWH-42"), (2, "impossible", "HWH-39")]
    amend = line("event_amended", None, "referee", target_seq=1, data=[], reason="x")
    assert found(MOVE, amend) == [(2, "impossible", "HWH-39")]
    withdraw = line("event_withdrawn", None, "scribe", target_seq=1, reason="x")
    assert found(MOVE, RECRUIT, withdraw) == [(3, "impossible", "HWH-39")]


def test_hwh_39_a_value_is_set_in_a_log_from_its_line_on() -> None:
    adjust = line("state_adjusted", None, "referee", path="players.A.gold", old=500, new=40, reason="x")
    assert found(adjust, MOVE, line("unit_recruited", "A", building="b1", type="archers")) == [
        (3, "irregular", "HWH-38")
    ]
    assert found(MOVE, RECRUIT, adjust) == [(3, "impossible", "HWH-39")]


def test_a_voided_recruit_uses_its_id_up_and_a_refused_one_does_not() -> None:
    void = line("event_voided", None, "referee", target_seq=2, reason="x", scribe_error=False, reported_by="A")
    again = line("unit_recruited", "A", building="b1", type="archers")
    assert list(replay.run(log(MOVE, RECRUIT, void, again)).state.units) == ["u1", "u2", "u4"]
    assert list(replay.run(log(RECRUIT, MOVE, again)).state.units) == ["u1", "u2", "u3"]


def test_an_accepted_irregular_line_is_carried_out_an_impossible_one_is_not() -> None:
    early = line("unit_moved", "B", unit="u2", path=[[1, 0]])
    accept = line("illegal_state_accepted", None, "referee", seqs=[1, 2], reason="it stood so on the table")
    assert found(early, END_B, accept) == [(2, "impossible", "HWH-42")]
    state = replay.run(log(early, END_B, accept)).state
    assert state.units["u2"].hex == (1, 0)


def test_hwh_33_a_recorded_end_that_comes_too_early_acts_as_called_time_once_accepted() -> None:
    end = line("match_ended", None, "scribe", placements=[{"seat": "B", "place": 1}, {"seat": "A", "place": 1}])
    assert found(MOVE, end) == [(2, "irregular", "HWH-33")]
    accept = line("illegal_state_accepted", None, "referee", seqs=[2], reason="x")
    report = replay.report(log(MOVE, end, accept)).as_json()
    assert (report["findings"], report["result"]["reason"]) == ([], "time_called")


def test_hwh_34_recorded_placements_are_compared_in_any_order() -> None:
    resigned = line("player_resigned", "A")
    good = line("match_ended", None, "scribe", placements=[{"seat": "A", "place": 2}, {"seat": "B", "place": 1}])
    bad = line("match_ended", None, "scribe", placements=[{"seat": "A", "place": 1}, {"seat": "B", "place": 2}])
    assert found(resigned, good) == []
    assert found(resigned, bad) == [(2, "observed", "HWH-34")]
    assert found(resigned, line("match_ended", None, "scribe", reason="last_standing")) == []
    assert found(resigned, line("match_ended", None, "scribe", reason="round_limit")) == [(2, "observed", "HWH-34")]


def test_hwh_33_placements_are_confirmed_after_the_end_and_without_an_open_dispute() -> None:
    confirm = line("placements_confirmed", None, "referee")
    resigned, dispute = line("player_resigned", "A"), line("dispute_opened", "A", about_seq=1, text="?")
    ruling = line("ruling_given", None, "referee", about_seq=1, question="?", decision="so")
    assert found(confirm, resigned) == [(1, "impossible", "HWH-33")]
    assert found(resigned, dispute, confirm) == [(3, "impossible", "HWH-33")]
    report = replay.report(log(resigned, dispute, ruling, confirm)).as_json()
    assert (report["findings"], report["status"]) == ([], "confirmed")


def test_hwh_42_a_set_up_spelled_out_stands_first_and_equals_the_header() -> None:
    spelled = line("match_set_up", map="HW-M1", seats=["A", "B"], parameters={"max_rounds": 4})
    assert found(spelled, MOVE) == []
    assert found(line("match_set_up", map="HW-M2"), MOVE) == [(1, "observed", "HWH-39")]
    assert found(MOVE, spelled) == [(2, "impossible", "HWH-42")]


def test_a_missing_an_unknown_and_an_ill_typed_key_are_findings_of_form() -> None:
    assert found(
        line("unit_moved", "A", unit="u1"),
        line("unit_moved", "A", unit="u1", path=[[-1, 0]], cost=1),
        line("unit_moved", "A", unit="u1", path=[[-1]]),
        line("unit_moved", "A", unit=1, path=[[-1, 0]]),
        line("unit_moved", "Z", unit="u1", path=[[-1, 0]]),
        line("unit_moved", unit="u1", path=[[-1, 0]]),
        line("unit_healed", "A", unit="u1"),
    ) == [(seq, "form", None) for seq in range(1, 8)]


def test_a_match_is_annulled_after_its_end_in_a_log() -> None:
    annulled = line("match_annulled", None, "organizer", reason="a double booking")
    report = replay.report(log(line("player_resigned", "A"), annulled)).as_json()
    assert (report["status"], report["placements"], report["result"]["reason"]) == ("void", [], "annulled")
    assert found(annulled, annulled) == [(2, "impossible", "HWH-42")]
