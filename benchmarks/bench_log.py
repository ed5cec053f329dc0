"""The log: storing whole matches, the whole upload service, and reading, verifying and replaying them; beside raw COPY.

Logs are `play hexwar` seeds 1–50 as they fall, repeated under new ids until there are enough events. Every figure is the best of
three; raw COPY and a fixed calibration loop run in between, in the same process, so that ratios hold on a shared machine.
`python -m benchmarks.bench_log [--events N]` uses a PostgreSQL of its own, which is gone afterwards.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import os
import pstats
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

AT = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
SPACE = UUID("0a1f4d9e-93d1-5b1c-8d0a-1f2e3d4c5b6a")
ROUNDS = 3
AIMS = {"store": 0.6, "service": 0.2, "read": 60_000}


def calibration() -> float:
    """Return the seconds of a fixed piece of work in plain Python."""
    began = time.perf_counter()
    total = 0
    for number in range(3_000_000):
        total = (total * 31 + number) & 0xFFFFFFFF
    return time.perf_counter() - began


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def on_this_database(events: int) -> dict[str, Any]:
    """Return all figures, measured on the database that Django is connected to. It must be a throw-away."""
    from django.db import connection
    from msgspec.structs import replace

    from matches import log, selectors, services, stored
    from matches.models import Match
    from people.services import operator
    from rulesengine import notation
    from rulesengine import replay as engine
    from rulesengine.play import play

    by = operator()
    played = [play("hexwar", seed=seed) for seed in range(1, 51)]
    mix = Counter(line.type for one in played for line in one.lines)
    logs = []
    while sum(len(one.lines) + 1 for one in logs) < events:
        one = played[len(logs) % len(played)]
        header = replace(one.header, id=str(uuid5(SPACE, str(len(logs)))), rules=one.header.rules)
        logs.append(replace(one, header=header))
    total = sum(len(one.lines) + 1 for one in logs)

    statement = f"copy matches_event ({log._COLUMNS}) from stdin (format binary)"

    def store() -> None:
        for one in logs:
            entries = [stored.header_entry(one.header, {}, [None] * len(one.header.officials))]
            entries += [stored.entry_of(line, one.header.timezone) for line in one.lines]
            log.append(stream=uuid4(), stream_kind="match", entries=entries, expected_seq=-1, by=by.pk, at=AT)

    def raw_rows() -> list[list[bytes]]:
        """The same rows, packed beforehand: what remains is COPY."""
        packed = []
        for one in logs:
            entries = [stored.header_entry(one.header, {}, [None] * len(one.header.officials))]
            entries += [stored.entry_of(line, one.header.timezone) for line in one.lines]
            stream = uuid4()
            packed.append(list(log.packed(stream, "match", entries, 0, log.start(stream), by.pk, AT)))
        return packed

    def copy(packed: list[list[bytes]]) -> None:
        """COPY the rows as they are stored: a match in a transaction."""
        for rows in packed:
            with connection.cursor() as cursor, cursor.copy(statement) as into:
                into.write(log._SIGNATURE + b"".join(rows) + b"\xff\xff")

    def copy_at_once(packed: list[list[bytes]]) -> None:
        """COPY all rows in one transaction."""
        with connection.cursor() as cursor, cursor.copy(statement) as into:
            into.write(log._SIGNATURE)
            for rows in packed:
                into.write(b"".join(rows))
            into.write(b"\xff\xff")

    files = [notation.write(one, "jsonl") for one in logs[: len(played)]]

    def service() -> None:
        for number, raw in enumerate(files):
            fresh = raw.replace(logs[number].header.id.encode(), str(uuid4()).encode(), 1)  # type: ignore[union-attr]
            upload = services.upload_check(by=by, name="m.jsonl", raw=fresh)
            services.upload_record(upload=upload, by=by)

    service_events = sum(len(one.lines) + 1 for one in logs[: len(played)])
    best: dict[str, float] = {}
    calibrations = []

    def keep(name: str, seconds: float) -> None:
        best[name] = min(best.get(name, seconds), seconds)

    for _round in range(ROUNDS):
        calibrations.append(calibration())
        packed = raw_rows()
        keep("copy", timed(lambda rows=packed: copy(rows)))  # type: ignore[misc]
        packed = raw_rows()
        keep("copy_at_once", timed(lambda rows=packed: copy_at_once(rows)))  # type: ignore[misc]
        keep("store", timed(store))
        keep("service", timed(service))

    matches = list(Match.objects.prefetch_related("seats", "officials")[: len(played)])
    read_events = sum(match.seq + 1 for match in matches)

    def read() -> None:
        for match in matches:
            told, broken = selectors.match_verified(match)
            assert broken is None
            engine.run(told, keep=False)

    def read_and_verify() -> None:
        for match in matches:
            assert selectors.match_verified(match)[1] is None

    for _round in range(ROUNDS):
        calibrations.append(calibration())
        keep("read", timed(read))
        keep("read_and_verify", timed(read_and_verify))
    rates = {
        "copy": total / best["copy"],
        "copy_at_once": total / best["copy_at_once"],
        "store": total / best["store"],
        "service": service_events / best["service"],
        "read": read_events / best["read"],
        "read_and_verify": read_events / best["read_and_verify"],
    }
    return {
        "events": total,
        "mix": dict(mix.most_common()),
        "calibration_seconds": [round(one, 3) for one in calibrations],
        "events_per_second": {name: round(rate) for name, rate in rates.items()},
        "store_to_copy": round(rates["store"] / rates["copy"], 3),
        "service_to_copy": round(rates["service"] / rates["copy"], 3),
        "aims": AIMS,
        "profile_of_read": _profile(read),
        "profile_of_service": _profile(service),
        "profile_of_store": _profile(store),
    }


def _profile(work: Callable[[], object]) -> str:
    profile = cProfile.Profile()
    profile.runcall(work)
    text = io.StringIO()
    pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(14)
    return "\n".join(line.rstrip()[-110:] for line in text.getvalue().splitlines() if "/" in line or "{" in line)


def figures(events: int = 200_000) -> dict[str, Any]:
    """Return the figures, measured on a PostgreSQL that is started for it and gone afterwards."""
    from config import embedded

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = embedded.start(Path(folder) / "postgres")
        try:
            os.environ |= {
                "DATABASE_URL": server.url(embedded.APP),
                "DATABASE_OWNER_URL": server.url(embedded.OWNER),
                "ANNALS_EMBEDDED": "1",
                "ANNALS_VAR": folder,
                "DJANGO_SETTINGS_MODULE": "config.settings",
            }
            import subprocess
            import sys

            subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True, cwd=embedded.ROOT)
            import django

            django.setup()
            from unittest.mock import patch

            with patch("career.follow._send"):  # nobody follows here
                return on_this_database(events)
        finally:
            server.stop()


def measure(calibrated: float) -> None:
    """Print the figures."""
    show(figures())


def show(found: dict[str, Any]) -> None:
    """Print figures for people."""
    print(f"{found['events']} events of `play hexwar` seeds 1–50 as they fall; mix {found['mix']}")
    print(f"calibration between the rounds {found['calibration_seconds']} s")
    for name, rate in found["events_per_second"].items():
        print(f"{name:>16} {rate:>9,} events/s")
    print(
        f"store / copy {found['store_to_copy']} (aim {AIMS['store']}), service / copy {found['service_to_copy']} (aim {AIMS['service']})"
    )
    print(f"read, verify and replay: {found['events_per_second']['read']:,} events/s (aim {AIMS['read']:,})")
    for name in ("profile_of_store", "profile_of_service", "profile_of_read"):
        print(f"\n{name}\n{found[name]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = figures(asked.events)
    if asked.json:
        print(json.dumps(found, indent=1))
    else:
        show(found)


if __name__ == "__main__":
    main()
