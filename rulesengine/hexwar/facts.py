"""What careers count in a match of the hex war game (HX-F1 to HX-F6), each figure with the event that is its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from rulesengine.game import Carried, Event, Fact
from rulesengine.hexwar import events
from rulesengine.hexwar.hexes import distance
from rulesengine.hexwar.state import State

VOLLEY_DISTANCE = 2

type Figures = dict[tuple[str, int], int]
"""Figures by unit and round."""


def facts(carried: Iterable[Carried]) -> list[Fact]:
    """Return the facts of a whole replay in order of seq.

    ``HX-F1`` improvements completed · ``HX-F2`` cities captured · ``HX-F3:a:d`` units of type d (and of class d) defeated by
    type a · ``HX-F4`` largest Catapult penalty on one unit in one round · ``HX-F5`` most attacks one fortified unit survived
    in a round · ``HX-F6:volley`` defeats at distance 2 · ``HX-F6:lost`` own units defeated.
    """
    found: list[Fact] = []
    penalties: Figures = {}
    survived: dict[tuple[str, str], int] = {}
    for one in carried:
        if one.event is not None:
            found += _of_event(one.seq, one.event, one.step.computed or {})
        if one.event is not None and isinstance(one.event.data, events.UnitAttacked):
            strikes = (one.step.computed or {}).get("strikes", [])
            found += _of_attack(one, one.event.data, strikes)
            found += _penalties(one, strikes, penalties)
            _stand_fast(one.before, one.event, strikes, survived)
        seat = one.before.turn_player if isinstance(one.before, State) else None
        for follows in one.step.consequences:
            if follows.type == "turn_started":
                seat = follows.data["seat"]
            elif follows.type == "construction_completed":
                found.append(Fact(cast(str, seat), "HX-F1", 1, one.seq))
            elif follows.type in ("round_started", "match_ended"):
                found += _round_over(one.seq, survived)
    return found


def _of_event(seq: int, event: Event, computed: dict[str, Any]) -> Iterator[Fact]:
    if isinstance(event.data, events.TerritoryCaptured) and computed.get("from_owner") != event.seat:
        yield Fact(cast(str, event.seat), "HX-F2", 1, seq)


def _of_attack(one: Carried, data: events.UnitAttacked, strikes: list[dict[str, Any]]) -> Iterator[Fact]:
    before: State = one.before
    kinds = before.setup.tables.units
    far = distance(before.units[data.attacker].hex, before.units[data.target].hex)
    for follows in one.step.consequences:
        if follows.type != "unit_defeated":
            continue
        winner, loser = before.units[follows.data["by"]], before.units[follows.data["unit"]]
        yield Fact(loser.owner, "HX-F6:lost", 1, one.seq)
        if winner.owner == loser.owner:
            continue
        yield Fact(winner.owner, f"HX-F3:{winner.type}:{loser.type}", 1, one.seq)
        yield Fact(winner.owner, f"HX-F3:{winner.type}:{kinds[loser.type].cls}", 1, one.seq)
        if follows.data["by"] == data.attacker and far == VOLLEY_DISTANCE:
            yield Fact(winner.owner, "HX-F6:volley", 1, one.seq)


def _penalties(one: Carried, strikes: list[dict[str, Any]], penalties: Figures) -> Iterator[Fact]:
    before: State = one.before
    by = {strike["on"]: strike["by"] for strike in strikes if before.units[strike["by"]].type == "catapult"}
    for follows in one.step.consequences:
        if follows.type != "defence_penalty_added":
            continue
        unit, amount = follows.data["unit"], follows.data["amount"]
        key = (unit, follows.data["round"])
        penalties[key] = penalties.get(key, 0) + amount
        owner = before.units[by[unit]].owner
        if owner != before.units[unit].owner:
            yield Fact(owner, "HX-F4", penalties[key], one.seq, "max")


def _stand_fast(
    before: State, event: Event, strikes: list[dict[str, Any]], survived: dict[tuple[str, str], int]
) -> None:
    id_ = cast(events.UnitAttacked, event.data).target
    target = before.units[id_]
    if target.fortified and strikes[0]["hp_after"] > 0 and target.owner != event.seat:
        survived[target.owner, id_] = survived.get((target.owner, id_), 0) + 1


def _round_over(seq: int, survived: dict[tuple[str, str], int]) -> Iterator[Fact]:
    best: dict[str, int] = {}
    for (owner, _), count in survived.items():
        best[owner] = max(best.get(owner, 0), count)
    survived.clear()
    for owner in sorted(best):
        yield Fact(owner, "HX-F5", best[owner], seq, "max")
