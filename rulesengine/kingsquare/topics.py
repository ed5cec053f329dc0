"""The topics of the game, each with what forbids its events and what they do."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rulesengine.game import Payload
from rulesengine.kingsquare.acts import Check, Step

NAMES = (
    "setting", "turns", "adjust", "production", "moving", "building", "battle", "beasts", "discovery", "diplomacy", "officials", "ending",
)  # fmt: skip


def _tables() -> tuple[dict[type[Payload], Check], dict[type[Payload], Step]]:
    checks: dict[type[Payload], Check] = {}
    steps: dict[type[Payload], Step] = {}
    for name in NAMES:
        module: Any = import_module(f"rulesengine.kingsquare.{name}")
        checks.update(module.CHECKS)
        steps.update(module.STEPS)
    return checks, steps


CHECKS, STEPS = _tables()
