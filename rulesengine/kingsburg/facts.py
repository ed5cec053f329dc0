"""What careers count in a match of Kingsburg (KB-F1 to KB-F7), each figure with the event that is its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from rulesengine.game import Carried, Fact
from rulesengine.kingsburg import events
from rulesengine.kingsburg.scoring import placements
from rulesengine.kingsburg.state import State


def facts(carried: Iterable[Carried]) -> list[Fact]:
    """Return the facts of a whole replay in order of seq.

    ``KB-F1`` the king's aid received, and ``KB-F1:won`` how often in a match that was won · ``KB-F2`` the king's reward ·
    ``KB-F3:n`` advisor n influenced · ``KB-F4`` buildings at the end · ``KB-F5`` seasons in which the envoy gave a second
    building · ``KB-F6`` battles won · ``KB-F7`` seasons in which every die that was rolled lies at an advisor.
    """
    found: list[Fact] = []
    ended_seq = 0
    last: State | None = None
    for one in carried:
        before, last = cast("State | None", one.before), cast(State, one.step.state)
        if one.event is None or before is None:
            continue
        found += _of_event(one, before, last)
        found += _followed(one)
        if last.finished and not before.finished:
            ended_seq = one.seq
    if last is not None:
        found += _at_the_end(last, ended_seq, found)
    return sorted(found, key=lambda fact: fact.seq)


def _of_event(one: Carried, before: State, after: State) -> Iterator[Fact]:
    if one.event is None:
        return
    seat, data = one.event.seat, one.event.data
    if isinstance(data, events.SeasonClosed):
        for letter, player in before.players.items():
            placed = any(each.seat == letter for standing in before.influence.values() for each in standing)
            if placed and player.rolled and not player.coloured and not player.white:
                yield Fact(letter, "KB-F7", 1, one.seq)
    elif seat is None:
        return
    elif isinstance(data, events.AidGoodTaken):
        yield Fact(seat, "KB-F1", 1, one.seq)
    elif isinstance(data, events.AdvisorInfluenced):
        yield Fact(seat, f"KB-F3:{data.advisor}", 1, one.seq)
    elif isinstance(data, events.BuildingBuilt) and data.envoy and after.players[seat].built == 2:
        yield Fact(seat, "KB-F5", 1, one.seq)


def _followed(one: Carried) -> Iterator[Fact]:
    for each in one.step.consequences:
        if each.type == "aid_die_given":
            yield Fact(each.data["seat"], "KB-F1", 1, one.seq)
        elif each.type == "reward_gained":
            for seat in each.data["seats"]:
                yield Fact(seat, "KB-F2", 1, one.seq)
        elif each.type == "battle_fought" and each.data["outcome"] == "victory":
            yield Fact(each.data["seat"], "KB-F6", 1, one.seq)


def _at_the_end(end: State, seq: int, found: list[Fact]) -> Iterator[Fact]:
    aided = [fact.seat for fact in found if fact.key == "KB-F1"]
    for seat, place in placements(end) or ():
        yield Fact(seat, "KB-F4", len(end.players[seat].buildings), seq, "max")
        if place == 1 and seat in aided:
            yield Fact(seat, "KB-F1:won", aided.count(seat), seq, "max")
