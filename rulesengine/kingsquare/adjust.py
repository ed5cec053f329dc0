"""The referee's hand on the state: one value set, and the outcome of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from rulesengine import paths
from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.loading import load
from rulesengine.kingsquare.rules import KSH_88, KSH_89, U_7
from rulesengine.kingsquare.state import State, view

FIRST = ("kingdoms", "castles", "buildings", "links", "armies", "ships", "planes", "beasts", "ap_total", "ap_spent")
"""What may be adjusted: the first key of a path."""


def check_state_adjusted(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to set a value."""
    data = cast(e.StateAdjusted, event.data)
    first = data.path.split(".")[0]
    if first not in FIRST:
        because = f"{paths.brief(first)} cannot be adjusted; the first key of a path is one of {', '.join(FIRST)}"
        yield U_7.refuses(because, "impossible")
    try:
        adjusted(state, data.path, data.old, data.new)
    except paths.Mismatch as error:
        yield KSH_88.refuses(str(error), nearest="the present value as `old`")
    except ValueError as error:
        yield U_7.refuses(str(error), "impossible")


def on_state_adjusted(state: State, event: Event, told: Told) -> State:
    """Set a value. Where that cannot be (a report tries out what would be if a referee had accepted the entry) all stays as it is."""
    data = cast(e.StateAdjusted, event.data)
    try:
        return adjusted(state, data.path, data.old, data.new)
    except ValueError:
        return state


def adjusted(state: State, path: str, old: Any, new: Any) -> State:
    """Return the state with one value of its view set.

    :raises paths.Mismatch: if the present value is not `old`
    :raises ValueError: saying why the value cannot be set
    """
    plain = view(state)
    paths.put(plain, path, old, new)
    try:
        return load(state.setup, plain, state)
    except ValueError as error:
        raise ValueError(f"{path} cannot be set to {paths.brief(new)}: {error}") from error


def check_result_overridden(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what keeps the computed outcome of a battle standing."""
    data = cast(e.ResultOverridden, event.data)
    bounds = state.battles.get(data.battle_seq)
    if bounds is None:
        yield U_7.refuses(f"seq {data.battle_seq} is no battle that was carried out", "impossible")
        return
    most, back = bounds
    if data.outcome.net > most:
        yield KSH_89.refuses(
            f"the attackers had a power of {most}; {data.outcome.net} is more", nearest=f"net up to {most}"
        )
    if data.outcome.returned > back:
        because = f"{back} at most could be returned; {data.outcome.returned} is more"
        yield KSH_89.refuses(because, nearest=f"returned up to {back}")


CHECKS: dict[type[Payload], Check] = {
    e.StateAdjusted: check_state_adjusted,
    e.ResultOverridden: check_result_overridden,
}
STEPS: dict[type[Payload], Step] = {e.StateAdjusted: on_state_adjusted}
