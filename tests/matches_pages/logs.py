"""Logs of matches for the pages' tests, written as the lines of a file."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from rulesengine import codec, notation, registry
from rulesengine.log import Header, Line, Log, Seat

SAMPLES = Path(__file__).resolve().parent.parent / "rulesengine" / "hexwar" / "samples"
NAMES = ("Ada Moreau", "Bo Lindqvist", "Cy Okafor", "Dara Nwosu")


def sample(name: str) -> Log:
    """Return one of the sample logs of the hex war game."""
    return notation.parse((SAMPLES / f"{name}.jsonl").read_bytes(), name=f"{name}.jsonl")


def header(*, places: int = 2, **more: Any) -> dict[str, Any]:
    """Return the header of a hex war log; `more` replaces or adds keys."""
    made = {
        "log": "annals/1",
        "game": "hexwar",
        "rules": "hexwar-1",
        "played_on": "2026-11-28",
        "timezone": "Europe/Berlin",
        "seats": [{"seat": "ABCD"[at], "name": NAMES[at]} for at in range(places)],
        "options": {"map": "HW-M1", "max_rounds": 4},
    }
    return {key: value for key, value in {**made, **more}.items() if value is not None}


ROUNDS: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    ("unit_moved", "A", {"unit": "u1", "path": [[-1, 0], [0, 0]]}),
    ("unit_recruited", "A", {"building": "b1", "type": "horsemen"}),
    ("turn_ended", "A", {}),
    ("unit_moved", "B", {"unit": "u2", "path": [[1, 1]]}),
    ("construction_started", "B", {"unit": "u2", "kind": "farm", "hex": [1, 1]}),
    ("unit_recruited", "B", {"building": "b2", "type": "spearmen"}),
    ("turn_ended", "B", {}),
    ("territory_captured", "A", {"unit": "u1"}),
    ("unit_moved", "A", {"unit": "u3", "path": [[-1, 0], [0, -1]]}),
    ("turn_ended", "A", {}),
    ("unit_moved", "B", {"unit": "u4", "path": [[1, 0]]}),
    ("unit_attacked", "B", {"attacker": "u4", "target": "u1"}),
    ("unit_recruited", "B", {"building": "b2", "type": "peasant"}),
    ("turn_ended", "B", {}),
    ("unit_moved", "A", {"unit": "u3", "path": [[0, 0]]}),
    ("unit_attacked", "A", {"attacker": "u3", "target": "u4"}),
    ("unit_recruited", "A", {"building": "b1", "type": "archers"}),
    ("turn_ended", "A", {}),
    ("unit_attacked", "B", {"attacker": "u4", "target": "u3"}),
    ("turn_ended", "B", {}),
    ("turn_ended", "A", {}),
    ("turn_ended", "B", {}),
)
"""Four rounds on the map of two shores, legal throughout, to the end by the limit of rounds."""


def file(head: dict[str, Any] | None = None, events: Any = ROUNDS) -> bytes:
    """Return a log as the bytes of a file of JSON Lines. An event is (type, seat, data) or (type, seat, data, more keys)."""
    lines = [json.dumps(head if head is not None else header())]
    for seq, (type_, seat, data, *more) in enumerate(events, start=1):
        line: dict[str, Any] = {"seq": seq, "type": type_, **({"seat": seat} if seat else {}), "data": data}
        lines.append(json.dumps(line | (more[0] if more else {})))
    return ("\n".join(lines) + "\n").encode()


def faulty() -> bytes:
    """Return a log with an irregular line (a City does not recruit Knights) and others that would vanish if it were accepted."""
    events = list(ROUNDS)
    events[1] = ("unit_recruited", "A", {"building": "b1", "type": "knights"})
    return file(events=events)


def random_match(seed: int, *, map_: str = "HW-M2", seats: int = 3, events: int = 900) -> Log:
    """Return a legal match in which much happens: attacks, captures and constructions are preferred."""
    chance = random.Random(seed)
    ruleset = registry.get("hexwar-1")
    options = {"map": map_, "max_rounds": 30, "start_gold": 3000, "income_active": True, "variant_name": "Rich"}
    names = tuple(Seat("ABCD"[at], NAMES[at]) for at in range(seats))
    head = Header("annals/1", "hexwar", "2026-11-28", names, rules="hexwar-1", options=options)
    step = ruleset.set_up(head)
    state, lines = step.state, []  # type: ignore[union-attr]
    weights = {
        "unit_attacked": 8,
        "territory_captured": 8,
        "construction_started": 3,
        "unit_recruited": 3,
        "turn_ended": 0.4,
    }
    weights |= {"player_resigned": 0.002}
    while ruleset.status(state) == "running" and len(lines) < events:
        offered = list(ruleset.legal(state))
        event = chance.choices(offered, [weights.get(one.type, 1) for one in offered])[0]
        lines.append(Line(len(lines) + 1, event.type, event.seat, codec.encode(event)))
        state = ruleset.follow(state, event).state
    return replace(Log(head, ()), lines=tuple(lines))
