"""Checked replay of whole matches, for each game: from the bytes of a file through typed decoding, check and fold to the report.

The logs are ``play`` seeds as they fall, nothing left out; to those of KingSquare are added some of greedy players, who build more.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import msgspec
from msgspec.structs import replace

from benchmarks.machine import best, rate, spread
from rulesengine import codec, notation, registry, replay
from rulesengine.game import Refusal
from rulesengine.log import Line, Log
from rulesengine.play import play

SEEDS = range(1, 51)
BUILDERS = range(1, 5)
"""Seeds of the greedy matches of KingSquare."""
EVENING = 500
"""So many events a long evening has."""
LARGE = 200_000


def measure(calibrated: float) -> None:
    """Print the figures."""
    logs = [play("hexwar", seed=seed) for seed in SEEDS]
    print(f"  play hexwar, seeds {SEEDS[0]} to {SEEDS[-1]}")
    _replayed(logs, calibrated)
    seconds = best(lambda: [play("hexwar", seed=seed) for seed in SEEDS], rounds=3)
    print(f"  playing a match: {seconds / len(SEEDS) * 1000:.1f} ms each")
    logs = [play("kingsquare", seed=seed) for seed in SEEDS]
    logs += [play("kingsquare", seed=seed, seats=2 + seed % 2, player="greedy") for seed in BUILDERS]
    print(f"  play kingsquare, seeds {SEEDS[0]} to {SEEDS[-1]}, and greedy {BUILDERS[0]} to {BUILDERS[-1]}")
    _replayed(logs, calibrated)
    _evening(logs)
    logs = [play("kingsburg", seed=seed) for seed in SEEDS]
    print(f"  play kingsburg, seeds {SEEDS[0]} to {SEEDS[-1]}")
    _replayed(logs, calibrated)
    logs = [play("robberknights", seed=seed) for seed in SEEDS]
    print(f"  play robberknights, seeds {SEEDS[0]} to {SEEDS[-1]}")
    _replayed(logs, calibrated)
    _large()


def _evening(logs: list[Log]) -> None:
    """Print how long a match of KingSquare of a long evening takes."""
    longest = max(logs, key=lambda log: len(log.lines))
    file = notation.write(replace(longest, lines=longest.lines[:EVENING]), "jsonl")
    fastest, median = spread(lambda: replay.report(notation.parse(file)), rounds=15)
    events = min(EVENING, len(longest.lines))
    print(f"  a match of {events} events, file to report: {fastest * 1000:.1f} ms   (median {median * 1000:.1f} ms)")


def _replayed(logs: list[Log], calibrated: float) -> None:
    files = [notation.write(log, "jsonl") for log in logs]
    rows = [row for file in files for row in file.splitlines()]
    events = sum(len(log.lines) for log in logs)
    mix = Counter(line.type for log in logs for line in log.lines)
    print(f"  {len(logs)} matches, {events:,} events, {sum(map(len, files)):,} bytes")
    print("  mix: " + ", ".join(f"{type_} {count / events:.1%}" for type_, count in mix.most_common(12)))

    def checked() -> None:
        for file in files:
            if replay.report(notation.parse(file)).findings:
                raise AssertionError("a played match has findings")

    def parsed() -> None:
        for file in files:
            notation.parse(file)

    def decoded() -> None:
        for row in rows:
            msgspec.json.decode(row)

    ruleset = registry.ruleset_of(logs[0].header)

    def typed() -> None:
        for log in logs:
            for line in log.lines:
                codec.event(ruleset, line)

    typed_events = [[codec.event(ruleset, line) for line in log.lines] for log in logs]

    def folded() -> None:
        for log, ones in zip(logs, typed_events, strict=True):
            step = ruleset.set_up(log.header)
            if isinstance(step, Refusal):
                raise AssertionError(step.because)
            state = step.state
            for one in ones:
                if ruleset.check(state, one) is not None:
                    raise AssertionError("a played event is refused")
                state = ruleset.follow(state, one).state

    fastest, median = spread(checked, rounds=9)
    plain = best(decoded, rounds=9)
    print(f"  checked replay, file to report {rate(events, fastest, calibrated)}   (median {events / median:,.0f} /s)")
    print(f"  msgspec.json.decode, same lines{rate(events, plain, calibrated)}   ratio {fastest / plain:.1f} : 1")
    print(f"  of it: reading the lines       {rate(events, best(parsed), calibrated)}")
    print(f"         typed decoding          {rate(events, best(typed), calibrated)}")
    print(f"         check and follow        {rate(events, best(folded), calibrated)}")


def _large() -> None:
    """Print time and memory of ``check`` on a file of as many events as a log may hold."""
    log = play("hexwar", seats=4, seed=1, options={"max_rounds": 500, "start_gold": 100_000, "variant_name": "large"})
    lines = list(log.lines)
    while len(lines) < LARGE:  # the rest are disputes, which may follow the end
        lines.append(Line(len(lines) + 1, "dispute_opened", "A", b'{"about_seq":1,"text":"is this right?"}'))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.jsonl"
        path.write_bytes(notation.write(Log(log.header, tuple(lines[:LARGE])), "jsonl"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program = [sys.executable, "-m", "rulesengine", "check", str(path), "--json"]
        answer = subprocess.run(program, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = json.loads(answer.stdout)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"  check of a file of {told['events']:,} events ({len(log.lines):,} of them play, "
            f"{path.stat().st_size / 2**20:.0f} MiB): {seconds:.1f} s, peak memory {after.ru_maxrss / 1024:.0f} MiB"
        )
