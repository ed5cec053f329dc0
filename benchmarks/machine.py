"""The machine by its cores alone, a fixed loop to compare figures of different machines by, and how a figure is taken."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable

LOOP = 200_000


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def calibration() -> float:
    """Return turns per second of a fixed loop of plain Python: whole numbers, a dict and a tuple. The best of five."""
    return LOOP / best(_loop, rounds=5)


def _loop() -> None:
    seen: dict[int, tuple[int, int]] = {}
    total = 0
    for at in range(LOOP):
        key = at * 7919 % 1021
        seen[key] = (at, total)
        total += seen[key][0] & 15


def best(work: Callable[[], object], *, rounds: int = 5) -> float:
    """Return the seconds of the fastest round. Other work on the machine only ever makes a round slower."""
    return min(_times(work, rounds))


def spread(work: Callable[[], object], *, rounds: int = 5) -> tuple[float, float]:
    """Return the seconds of the fastest round and of the median one."""
    times = _times(work, rounds)
    return min(times), statistics.median(times)


def _times(work: Callable[[], object], rounds: int) -> list[float]:
    times = []
    for _ in range(rounds):
        gc.collect()
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return times


def rate(count: int, seconds: float, calibrated: float) -> str:
    """Return a rate for people: a second, and per thousand turns of the calibration loop."""
    each = count / seconds
    return f"{each:>12,.0f} /s   {each / calibrated * 1000:>8.1f} per 1,000 calibration turns"
