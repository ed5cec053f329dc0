"""The topics of the game, each with what forbids its events and what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.state import State

type Check = Callable[[State, Event], Iterator[Refusal]]
"""Yields refusals in the order of 8.5. An impossible one is final: the check is not resumed after it."""
type On = Callable[[State, Event, Told], State]

NAMES = (
    "setting", "turns", "production", "moving", "building", "battle", "beasts", "discovery", "diplomacy", "officials", "ending",
)  # fmt: skip


def _tables() -> tuple[dict[type[Payload], Check], dict[type[Payload], On]]:
    checks: dict[type[Payload], Check] = {}
    steps: dict[type[Payload], On] = {}
    for name in NAMES:
        try:
            module: Any = import_module(f"rulesengine.kingsquare.{name}")
        except ModuleNotFoundError:
            continue
        checks.update(module.CHECKS)
        steps.update(module.STEPS)
    return checks, steps


CHECKS, STEPS = _tables()
