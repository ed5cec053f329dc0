"""What an event does and what follows from it. A step never refuses: it has happened."""

from __future__ import annotations

from msgspec.structs import replace

from rulesengine.game import Event, Step
from rulesengine.kingsquare import turns, works
from rulesengine.kingsquare.acts import ACTS
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.state import State, Works
from rulesengine.kingsquare.topics import STEPS


def follow(state: State, event: Event) -> Step[State]:
    """Return the state after an event, its figures and its consequences. Events without an effect change nothing."""
    kind = type(event.data)
    one = STEPS.get(kind)
    if one is None:
        return Step(state)
    told = Told()
    cost = ACTS[kind].cost
    before = state.works
    after = state
    if cost is not None:
        spent = cost(state, event)
        if spent:
            after = replace(state, ap_spent=state.ap_spent + spent)
    after = one(after, event, told)
    if after.works is not before:
        _tell_connections(before, after.works, told)
    if after.kingdoms is not state.kingdoms or after.works.pacts is not before.pacts:  # else all play on as they did
        after = turns.settle(after, event.seq, told)
    return Step(after, told.in_order(), told.computed)


def _tell_connections(before: Works, after: Works, told: Told) -> None:
    """Tell which buildings lost their connection, and which have it again."""
    if before.buildings is after.buildings and before.castles is after.castles and before.links is after.links:
        return
    cut_off, joined = works.cut_off_and_joined(before, after)
    for id_ in cut_off:
        told.add("building_isolated", id_)
    for id_ in joined:
        told.add("building_reconnected", id_)
