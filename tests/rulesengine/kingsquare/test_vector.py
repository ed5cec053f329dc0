"""The short match of part 7 of the rule page, step by step, its correction, and the sample logs in full."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesengine import notation, replay
from rulesengine.log import Log

SAMPLES = Path(__file__).parent / "samples"
HEADER = {
    "log": "annals/1",
    "game": "kingsquare",
    "rules": "KS-V5",
    "played_on": "2026-11-28",
    "seats": [{"seat": "A", "name": "Ada Moreau"}, {"seat": "B", "name": "Bo Lindqvist"}],
    "options": {},
}

type Row = tuple[str, str | None, str, dict[str, Any], str | None, dict[str, Any]]
"""Step of the page, seat, type, data, the rule that refuses it (None: accepted), and values of the state after it."""


def _castle(seat: str) -> str:
    return "C1" if seat == "A" else "C2"


def rows() -> list[Row]:
    """Return the match as the page tells it, refused proposals and the passing of phases included."""
    told: list[Row] = []

    def add(
        step: str, seat: str | None, type_: str, data: dict[str, Any], refused: str | None = None, **after: Any
    ) -> None:
        told.append(
            (step, seat, type_, data, refused, {path.replace("__", "."): value for path, value in after.items()})
        )

    def phase(seat: str, to: str) -> None:
        add("", seat, "phase_advanced", {"to": to})

    def to_act(seat: str) -> None:
        phase(seat, "move")
        phase(seat, "act")

    def end(seat: str) -> None:
        add("", seat, "turn_ended", {})

    def build(step: str, seat: str, id_: str, kind: str, refused: str | None = None, **after: Any) -> None:
        data = {"building": id_, "kind": kind, "castle": _castle(seat), "direct": True}
        add(step, seat, "building_built", data, refused, **after)

    def castle(step: str, seat: str, level: int, refused: str | None = None, **after: Any) -> None:
        add(step, seat, "castle_upgraded", {"castle": _castle(seat), "to_level": level}, refused, **after)

    def raised(step: str, seat: str, id_: str, level: int, **after: Any) -> None:
        add(step, seat, "building_upgraded", {"building": id_, "to_level": level}, **after)

    def king(step: str, seat: str, level: int, **after: Any) -> None:
        add(step, seat, "king_upgraded", {"to_level": level}, **after)

    def troops(step: str, seat: str, count: int, refused: str | None = None, **after: Any) -> None:
        id_ = "bA" if seat == "A" else "bB"
        data = {"building": id_, "count": count, "soldier_level": 0, "army": f"{seat}1"}
        add(step, seat, "troops_produced", data, refused, **after)

    add("1", "A", "capital_founded", {"castle": "C1", "farm": "fA"})
    add("1", "B", "capital_founded", {"castle": "C2", "farm": "fB"})
    start = {f"kingdoms__{seat}__king__level": 1 for seat in "AB"} | {f"castles__C{at}__level": 1 for at in (1, 2)}
    farms = {"buildings__fA__level": 1, "buildings__fB__level": 1}
    add("1", None, "match_started", {}, round=1, turn_kingdom="A", phase="produce", **start, **farms)
    to_act("A")
    build("2", "A", "mA", "lumber_mill", ap_total=2, ap_spent=1, buildings__mA__level=1)
    king("3", "A", 2, kingdoms__A__king__level=2, ap_spent=2)
    end("A")
    to_act("B")
    build("4", "B", "mB", "lumber_mill", ap_total=2, ap_spent=1)
    build("5", "B", "bB", "barracks", "KS-40", ap_spent=1)
    king("6", "B", 2, kingdoms__B__king__level=2, ap_spent=2)
    castle("7", "B", 2, "KS-21", castles__C2__level=1, ap_spent=2)
    end("B")
    to_act("A")
    castle("8", "A", 2, castles__C1__level=2)
    build("8", "A", "bA", "barracks", round=2, ap_spent=2)
    end("A")
    to_act("B")
    castle("9", "B", 2, castles__C2__level=2, ap_spent=1)
    castle("10", "B", 3, "KS-28", castles__C2__level=2, ap_spent=1)
    raised("11", "B", "fB", 2, buildings__fB__level=2, ap_spent=2)
    end("B")
    troops("12", "A", 1, armies__A1__stacks={"0": 1}, armies__A1__at={"castle": "C1"}, round=3)
    to_act("A")
    raised("13", "A", "fA", 2, buildings__fA__level=2)
    raised("13", "A", "bA", 2, buildings__bA__level=2)
    end("A")
    to_act("B")
    build("14", "B", "bB", "barracks", buildings__bB__level=1)
    king("14", "B", 3, kingdoms__B__king__level=3)
    end("B")
    troops("15", "A", 1, "KS-18", armies__A1__stacks={"0": 1}, round=4)
    troops("16", "A", 2, armies__A1__stacks={"0": 3})
    to_act("A")
    king("17", "A", 3, kingdoms__A__king__level=3)
    castle("17", "A", 3, castles__C1__level=3)
    end("A")
    troops("18", "B", 1, armies__B1__stacks={"0": 1})
    to_act("B")
    castle("19", "B", 3, castles__C2__level=3)
    raised("19", "B", "mB", 2, buildings__mB__level=2)
    end("B")
    troops("20", "A", 2, armies__A1__stacks={"0": 5}, round=5)
    phase("A", "move")
    move = {"units": ["A1"], "on_ft10": 0, "mode": "land"}
    plain, territory = {"field": "plain"}, {"castle": "C2"}
    add("21", "A", "unit_moved", {**move, "to": plain, "off_ft10": 50}, armies__A1__at=plain, armies__A1__moved=True)
    add("22", "A", "unit_moved", {**move, "to": territory, "off_ft10": 30}, "KS-19", armies__A1__at=plain)
    phase("A", "act")
    add("23", "A", "unit_forwarded", {**move, "to": territory, "off_ft10": 30}, armies__A1__at=territory, ap_spent=1)
    on_castle = {"attackers": ["A1"], "target": {"kind": "castle", "id": "C2"}}
    add("24", "A", "attack_made", on_castle, "KS-71", ap_spent=1, castles__C2__damage=0)
    on_barracks = {"attackers": ["A1"], "target": {"kind": "building", "id": "bB"}, "king_distance_ft10": 80}
    unharmed = {
        "buildings__bB__damage": 0,
        "pressed": [],
        "armies__A1__stacks": {"0": 2},
        "armies__B1__stacks": {"0": 1},
    }
    add("25", "A", "attack_made", {**on_barracks, "observed": {"net": 0, "returned": 3}}, ap_spent=2, **unharmed)
    end("A")
    troops("26", "B", 1, armies__B1__stacks={"0": 2})
    to_act("B")
    on_army = {"attackers": ["B1"], "target": {"kind": "army", "id": "A1"}, "observed": {"net": 8, "returned": 0}}
    add("27", "B", "attack_made", on_army, armies={"B1": "there"}, armies__B1__stacks={"0": 2})
    raised("28", "B", "fB", 3, buildings__fB__level=3)
    end("B")
    add("29", None, "time_called", {"agreed": ["A", "B"]}, status="ended")
    return told


ROWS = rows()
SEQ = {
    step: seq for seq, (step, _, _, _, _, _) in enumerate(ROWS, 1) if step
}  # of a step with several events: that of the last
REFUSED = [(seq, row[4]) for seq, row in enumerate(ROWS, 1) if row[4] is not None]
PLACES = [{"seat": "B", "place": 1}, {"seat": "A", "place": 2}]


def log(*more: dict[str, Any]) -> Log:
    """Return the log of the match with further lines."""
    lines: list[dict[str, Any]] = [HEADER]
    for seq, (_, seat, type_, data, _, _) in enumerate(ROWS, 1):
        lines.append({"seq": seq, "type": type_, "data": data} | ({"seat": seat} if seat else {}))
    lines.extend({"seq": len(ROWS) + at, **row} for at, row in enumerate(more, 1))
    return notation.parse("\n".join(json.dumps(row) for row in lines).encode())


def state(of: Log, at: int) -> dict[str, Any]:
    """Return the plain state after a seq."""
    there = replay.run(of, at=at)
    return there.ruleset.view(there.state)


def value(plain: Any, path: str) -> Any:
    """Return a value by its path."""
    for key in path.split("."):
        plain = plain[key]
    return plain


MATCH = log()


@pytest.mark.parametrize("seq", range(1, len(ROWS) + 1), ids=lambda seq: f"{seq}-step{ROWS[seq - 1][0] or '-'}")
def test_a_step_of_the_short_match_leaves_the_state_of_the_page(seq: int) -> None:
    step, _, _, _, rule, after = ROWS[seq - 1]
    then = state(MATCH, seq)
    for path, expected in after.items():
        found = value(then, path)
        assert (sorted(found) if path == "armies" else found) == (sorted(expected) if path == "armies" else expected), (
            f"step {step}: {path}"
        )
    if rule is not None:
        assert then == state(MATCH, seq - 1)


def test_the_short_match_has_the_refusals_of_the_page_and_no_others() -> None:
    report = replay.report(MATCH)
    assert [(one.seq, one.rule, one.kind) for one in report.findings] == [
        (seq, rule, "irregular") for seq, rule in REFUSED
    ]
    assert [rule for _, rule in REFUSED] == ["KS-40", "KS-21", "KS-28", "KS-18", "KS-19", "KS-71"]
    assert report.accepted == len(ROWS) - len(REFUSED)


def test_the_short_match_ends_by_time_with_b_first_by_active_buildings() -> None:
    told = replay.report(MATCH).as_json()
    assert told["placements"] == PLACES
    assert told["result"]["cause"] == "time"
    rows = {row["seat"]: row for row in told["result"]["scores"]}
    assert [(rows[seat]["castles"], rows[seat]["king"], rows[seat]["buildings"]) for seat in "AB"] == [
        (3, 3, 5),
        (3, 3, 6),
    ]


VOIDED = log({"type": "event_voided", "as": "referee", "data": {"target_seq": SEQ["23"], "scribe_error": True}})


def test_after_the_forward_is_voided_the_attacks_that_needed_it_are_out_of_reach() -> None:
    report = replay.report(VOIDED)
    found = {one.seq: one.rule for one in report.findings}
    expected = dict(REFUSED) | {SEQ[step]: "KSH-55" for step in ("24", "25", "27")}
    assert found == expected
    assert report.accepted == len(ROWS) + 1 - len(expected)


def test_after_the_forward_is_voided_nobody_was_hurt_and_points_stay_unspent() -> None:
    attack = state(VOIDED, SEQ["25"])
    assert (attack["ap_total"], attack["ap_spent"], attack["armies"]["A1"]["stacks"]) == (2, 0, {"0": 5})
    assert attack["armies"]["A1"]["at"] == {"field": "plain"}
    last = state(VOIDED, SEQ["28"])
    assert (last["ap_total"], last["ap_spent"]) == (2, 1)
    assert {id_: one["stacks"] for id_, one in last["armies"].items()} == {"A1": {"0": 5}, "B1": {"0": 2}}


def test_after_the_forward_is_voided_the_ranking_is_unchanged() -> None:
    told = replay.report(VOIDED).as_json()
    assert (told["status"], told["placements"]) == ("ended", PLACES)


# The samples


@pytest.mark.parametrize("name", ["legal", "corrected", "findings"])
def test_a_sample_is_reported_as_expected(name: str) -> None:
    expected = json.loads((SAMPLES / f"{name}.expected.json").read_text())
    told = replay.report(notation.parse((SAMPLES / f"{name}.jsonl").read_bytes())).as_json()
    assert [{key: one[key] for key in ("seq", "rule", "kind")} for one in told["findings"]] == expected["findings"]
    for key in ("accepted", "status", "placements", "result"):
        assert told[key] == expected[key], key


@pytest.mark.parametrize(
    ("name", "seq"),
    [
        (path.name.partition(".")[0], int(seq))
        for path in sorted(SAMPLES.glob("*.expected.json"))
        for seq in json.loads(path.read_text())["states"]
    ],
)
def test_a_sample_has_the_expected_state(name: str, seq: int) -> None:
    expected = json.loads((SAMPLES / f"{name}.expected.json").read_text())["states"][str(seq)]
    found = state(notation.parse((SAMPLES / f"{name}.jsonl").read_bytes()), seq)
    assert found.keys() == expected.keys()
    for key in expected:
        assert found[key] == expected[key], key
    assert found == expected


def test_the_sample_of_a_correction_says_who_reported_the_error() -> None:
    parsed = notation.parse((SAMPLES / "corrected.jsonl").read_bytes())
    assert replay.run(parsed).skipped == frozenset({51, 52, 57})


# Consequences that a file spells out (8.2)


def _spelled_out(of: Log) -> tuple[Log, int]:
    """Return a log with every consequence written out after the entry it followed from, and how many there are."""
    told = replay.run(of)
    follows: dict[int, list[dict[str, Any]]] = {}
    for one in told.carried:
        rows = [{"type": each.type, "data": {"id": each.data["id"]}} for each in one.step.consequences]
        follows[one.seq] = rows
    lines: list[dict[str, Any]] = [json.loads((SAMPLES / "legal.jsonl").read_text().splitlines()[0])]
    for line in of.lines:
        row: dict[str, Any] = {"type": line.type, "data": line.payload()}
        row |= {"seat": line.seat} if line.seat else {}
        row |= {"as": line.acting_as} if line.acting_as else {}
        for each in (row, *follows[line.seq]):
            lines.append({**each, "seq": len(lines)})
    spelled = notation.parse("\n".join(json.dumps(row) for row in lines).encode())
    return spelled, sum(len(rows) for rows in follows.values())


def test_consequences_that_a_file_spells_out_are_those_computed() -> None:
    plain = notation.parse((SAMPLES / "legal.jsonl").read_bytes())
    spelled, count = _spelled_out(plain)
    types = {line.type for line in spelled.lines} - {line.type for line in plain.lines}
    assert count > 20
    assert types >= {"ap_granted", "technology_unlocked", "beast_defeated", "step_pressed", "king_levels_reset"}
    report = replay.report(spelled)
    assert report.findings == ()
    assert report.accepted == len(plain.lines) + count
    kept, _ = replay.strip(spelled)
    assert [(line.type, line.payload()) for line in kept.lines] == [(line.type, line.payload()) for line in plain.lines]


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("ap_granted", {"id": "B"}),
        ("king_defeated", {"id": "A"}),
        ("technology_unlocked", {}),
        ("round_limit_reached", {"id": None}),
    ],
)
def test_ksh_89_a_spelled_out_consequence_that_did_not_follow_is_found(type_: str, data: dict[str, Any]) -> None:
    rows = [(seat, kind, data_) for _, seat, kind, data_, _, _ in ROWS[:5]]  # to A's first Act phase
    lines = [
        HEADER,
        *(
            {"seq": at, "type": kind, "data": row} | ({"seat": seat} if seat else {})
            for at, (seat, kind, row) in enumerate(rows, 1)
        ),
    ]
    lines.append({"seq": 6, "type": type_, "data": data})
    report = replay.report(notation.parse("\n".join(json.dumps(row) for row in lines).encode()))
    assert [(one.seq, one.rule, one.kind) for one in report.findings] == [(6, "KSH-89", "observed")]


def test_a_spelled_out_consequence_is_found_by_type_and_id_whatever_else_it_says() -> None:
    lines = [
        HEADER,
        *(
            {"seq": at, "type": kind, "data": row} | ({"seat": seat} if seat else {})
            for at, (_, seat, kind, row, _, _) in enumerate(ROWS[:5], 1)
        ),
    ]
    more = [
        {"type": "ap_granted", "data": {"id": "A", "amount": 77, "mood": "good"}},
        {"type": "ap_granted", "data": {}},
    ]
    lines += [{"seq": 6 + at, **row} for at, row in enumerate(more)]
    assert replay.report(notation.parse("\n".join(json.dumps(row) for row in lines).encode())).findings == ()
