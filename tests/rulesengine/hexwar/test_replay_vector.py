"""The replay vector of the rule page, the refusals beside it, the timing examples, and the sample matches."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from rulesengine.game import Refusal, Step
from rulesengine.hexwar.state import State
from rulesengine.log import Header
from tests.rulesengine.hexwar.given import GAME, HERE, PAYLOADS, Match, data, event, plain, told

R1 = (HERE / "data" / "r1.jsonl").read_text().splitlines()
SAMPLES = sorted((HERE / "samples").glob("*.jsonl"))


class Run:
    """A log carried out line by line: states after each seq, what a replay shows, and what was refused."""

    def __init__(self, lines: list[str]) -> None:
        rows = [json.loads(line) for line in lines[1:]]
        voided = {row["data"]["target_seq"] for row in rows if row["type"] == "event_voided"}
        amended = {row["data"]["target_seq"]: row["data"]["data"] for row in rows if row["type"] == "event_amended"}
        step = GAME.set_up(msgspec.json.decode(lines[0], type=Header))
        assert not isinstance(step, Refusal), step.because
        self.states: dict[int, State] = {0: step.state}
        self.shown: list[dict[str, Any]] = []
        self.findings: list[dict[str, Any]] = []
        self._show(0, step, "")
        state = step.state
        for row in rows:
            seq, type_ = row["seq"], row["type"]
            if type_ in GAME.payloads or type_ == "player_resigned":
                one = event(row.get("seat"), type_, row.get("as"), **amended.get(seq, row["data"]))
                refusal = None if seq in voided else GAME.check(state, one)
                if seq in voided:
                    state = GAME.skip(state, one)
                elif refusal is not None:
                    self.findings.append({"seq": seq, "rule": refusal.rule.id, "kind": refusal.breach})
                else:
                    step = GAME.follow(state, one)
                    self._show(seq, step, type_)
                    state = step.state
            self.states[seq] = state
        self.state = state

    def _show(self, seq: int, step: Step[State], type_: str) -> None:
        self.shown += [{"after": seq, "type": name, "data": fields} for name, fields in told(step, type_)]


def test_the_replay_vector_computes_what_the_page_says() -> None:
    run = Run(R1)
    assert run.findings == []
    assert run.shown == data("r1_consequences.json")
    assert GAME.result(run.state) == data("r1_result.json")
    assert plain(GAME.outcome(run.state)) == [{"seat": "A", "place": 1}, {"seat": "B", "place": 2}]


def test_the_final_state_of_the_replay_vector() -> None:
    view = GAME.view(Run(R1).state)
    assert {seat: row["gold"] for seat, row in view["players"].items()} == {"A": 130, "B": 200}
    assert {id_: row["owner"] for id_, row in view["regions"].items() if row["owner"]} == {
        "west": "A", "east": "B", "centre": "A",
    }  # fmt: skip
    assert view["buildings"]["b6"] == {
        "kind": "farm", "hex": [1, 1], "region": "east", "site": None, "action_turn": None,
    }  # fmt: skip
    assert {id_: (row["type"], row["hp"], row["hex"], row["fortified"]) for id_, row in view["units"].items()} == {
        "u4": ("spearmen", 2, [1, 0], True),
        "u5": ("peasant", 5, [1, 1], False),
        "u6": ("archers", 8, [-1, 0], False),
        "u7": ("peasant", 5, [-2, 0], False),
    }


@pytest.mark.parametrize(
    ("after", "seat", "type_", "fields", "rule", "breach"),
    [
        (0, "A", "unit_recruited", {"building": "b1", "type": "horsemen"}, "HW-25", "irregular"),
        (0, "B", "unit_moved", {"unit": "u2", "path": [[1, 0]]}, "HWH-42", "irregular"),
        (1, "A", "territory_captured", {"unit": "u1"}, "HWH-06", "irregular"),
        (2, "A", "settlement_upgraded", {"settlement": "b1"}, "HW-23", "irregular"),
        (2, "A", "unit_moved", {"unit": "u3", "path": [[-1, 0]]}, "HW-25", "irregular"),
        (4, "B", "construction_started", {"unit": "u2", "kind": "farm", "hex": [0, 1]}, "HWH-08", "irregular"),
        (4, "B", "construction_started", {"unit": "u2", "kind": "port", "hex": [0, 3]}, "HW-18", "irregular"),
        (8, "A", "unit_recruited", {"building": "b4", "type": "peasant"}, "HW-23", "irregular"),
        (9, "A", "unit_fortified", {"unit": "u1"}, "HW-36", "irregular"),
        (10, "B", "settlement_upgraded", {"settlement": "b2"}, "HWH-38", "irregular"),
        (12, "B", "unit_attacked", {"attacker": "u4", "target": "u1"}, "HW-31", "impossible"),
        (12, "B", "unit_moved", {"unit": "u4", "path": [[0, 0]]}, "HW-08", "irregular"),
        (14, "A", "unit_attacked", {"attacker": "u3", "target": "u4"}, "HW-27", "irregular"),
        (20, "B", "construction_started", {"unit": "u5", "kind": "farm", "hex": [1, 1]}, "HW-12", "irregular"),
        (23, "A", "unit_fortified", {"unit": "u6"}, "HWH-07", "irregular"),
        (26, "B", "territory_captured", {"unit": "u5"}, "HW-13", "impossible"),
    ],
)
def test_a_refusal_beside_the_replay_vector(
    after: int, seat: str, type_: str, fields: dict[str, Any], rule: str, breach: str
) -> None:
    refusal = GAME.check(Run(R1).states[after], event(seat, type_, **fields))
    assert refusal is not None
    assert (refusal.rule.id, refusal.breach) == (rule, breach)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_match_is_as_expected(path: Any) -> None:
    expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text())
    run = Run(path.read_text().splitlines())
    assert run.findings == expected["findings"]
    assert GAME.status(run.state) == expected["status"]
    assert plain(GAME.outcome(run.state)) == expected["placements"]
    assert GAME.result(run.state) == expected["result"]
    for seq, state in expected["states"].items():
        assert plain(GAME.view(run.states[int(seq)])) == state


def test_every_payload_is_known_under_its_own_name() -> None:
    for type_, kind in PAYLOADS.items():
        assert kind.TYPE == type_  # noqa: SIM300


def test_t1_a_mine_takes_two_turn_starts() -> None:
    match = Match().do("A", "construction_started", unit="u1", kind="mine", hex=[-3, 0])
    assert match.computed["gold"] == 0
    assert "u1" not in match.state.units
    assert match.end_turns(2).get("buildings.b6.site.turns_left") == 1
    assert match.end_turns(2).get("buildings.b6.site") is None


def test_t2_capturing_and_recruiting_in_what_was_captured() -> None:
    match = Match().do("A", "unit_moved", unit="u1", path=[[-1, 0], [0, 0]])
    match.refused("HWH-06", "A", "territory_captured", unit="u1")
    match.end_turns(2).do("A", "territory_captured", unit="u1")
    match.refused("HW-23", "A", "unit_recruited", building="b4", type="peasant")
    match.end_turns(2).refused("HWH-19", "A", "unit_recruited", building="b4", type="spearmen")
    match.refused("HW-25", "A", "unit_recruited", building="b4", type="peasant")
    match.do("A", "unit_moved", unit="u1", path=[[-1, 0]]).do("A", "unit_recruited", building="b4", type="peasant")


def test_t3_a_port_and_its_galley() -> None:
    match = Match().do("A", "unit_moved", unit="u1", path=[[-1, -1], [-1, -2]])
    port = {"unit": "u1", "kind": "port"}
    match.refused("HWH-06", "A", "construction_started", **port, hex=[0, -3])
    match.end_turns(2)
    match.refused("HW-18", "A", "construction_started", **port, hex=[1, -3])
    match.refused("HW-18", "A", "construction_started", **port, hex=[0, -2])
    match.refused("HW-14", "A", "construction_started", unit="u1", kind="farm", hex=[-1, -2])
    match.do("A", "construction_started", **port, hex=[0, -3])
    assert match.computed == {"building": "b6", "region": "west", "turns_left": 1, "gold": 250}
    match.refused("HWH-43", "A", "unit_recruited", building="b6", type="galley")
    match.end_turns(2).refused("HWH-19", "A", "unit_recruited", building="b6", type="spearmen")
    match.do("A", "unit_recruited", building="b6", type="galley")
    assert match.computed["gold"] == 100
    match.refused("HW-25", "A", "unit_moved", unit="u3", path=[[1, -3]])
    match.end_turns(2).refused("HW-05", "A", "unit_moved", unit="u3", path=[[0, -2]])
    assert match.do("A", "unit_moved", unit="u3", path=[[1, -3], [2, -3]]).computed["movement_left"] == 2


def test_t4_a_town_and_its_one_action() -> None:
    for scope, allowed in (("building", True), ("player", False)):
        match = Match(building_action_scope=scope).do("A", "unit_moved", unit="u1", path=[[-1, -1]])
        match.do("A", "construction_started", unit="u1", kind="town", hex=[-1, -1])
        assert match.computed["gold"] == 250
        match.end_turns(2).refused("HWH-19", "A", "unit_recruited", building="b6", type="axemen")
        match.do("A", "unit_recruited", building="b6", type="spearmen")
        assert match.computed["gold"] == 150
        match.refused("HW-23", "A", "settlement_upgraded", settlement="b6")
        if allowed:
            assert match.do("A", "unit_recruited", building="b1", type="peasant").computed["gold"] == 100
        else:
            match.refused("HW-23", "A", "unit_recruited", building="b1", type="peasant")


def test_t5_a_fort_and_fortify() -> None:
    match = Match().do("A", "unit_moved", unit="u1", path=[[-1, -1]])
    match.do("A", "construction_started", unit="u1", kind="fort", hex=[-1, -1])
    match.do("A", "unit_recruited", building="b1", type="spearmen").end_turns(2)
    match.do("A", "unit_moved", unit="u3", path=[[-1, -1]]).do("A", "unit_fortified", unit="u3").end_turns()
    swordsmen = match.put("swordsmen", "B", (0, -1))
    match.do("B", "unit_attacked", attacker=swordsmen, target="u3")
    assert match.computed["strikes"] == [
        {"by": "u4", "on": "u3", "attack": 7, "defence": 5, "damage": 2, "hp_after": 8},
        {"by": "u3", "on": "u4", "attack": 5, "defence": 3, "damage": 2, "hp_after": 10},
    ]


def test_t6_when_penalties_vanish() -> None:
    for expiry in ("round_start", "target_turn_start"):
        match = Match(catapult_penalty_expiry=expiry).set("units.u2.hex", [3, -1])
        one = match.put("catapult", "A", (0, 0))
        swordsmen = match.put("swordsmen", "B", (1, 0))
        other = match.put("catapult", "B", (2, -1))
        spearmen = match.put("spearmen", "A", (1, -1))
        match.do("A", "unit_attacked", attacker=one, target=swordsmen)
        assert match.get(f"units.{swordsmen}.hp") == 7
        assert match.get(f"units.{swordsmen}.penalty") == 2
        match.end_turns()
        assert match.get(f"units.{swordsmen}.penalty") == (2 if expiry == "round_start" else 0)
        match.do("B", "unit_attacked", attacker=other, target=spearmen)
        assert (match.get(f"units.{spearmen}.hp"), match.get(f"units.{spearmen}.penalty")) == (4, 2)
        match.end_turns()
        assert match.get(f"units.{spearmen}.penalty") == match.get(f"units.{swordsmen}.penalty") == 0


def test_t7_fortify_over_several_turns() -> None:
    match = Match()
    one = match.put("spearmen", "A", (0, 0))
    match.do("A", "unit_fortified", unit=one).refused("HW-08", "A", "unit_moved", unit=one, path=[[-1, 0]])
    other = match.end_turns().put("spearmen", "B", (1, 0))
    match.do("B", "unit_attacked", attacker=other, target=one)
    assert [(row["damage"], row["hp_after"]) for row in match.computed["strikes"]] == [(2, 8), (3, 7)]
    for _ in range(2):
        match.end_turns(2 if match.state.turn_player == "A" else 1)
        assert (match.get("units.u3.fortified"), match.get("units.u3.movement")) == (True, 2)
        match.refused("HWH-30", "A", "unit_fortified", unit=one)
    match.do("A", "unit_moved", unit=one, path=[[-1, 0]])
    assert match.get("units.u3.fortified") is False
    match.do("A", "unit_fortified", unit=one)
