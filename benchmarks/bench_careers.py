"""Careers: everything derived again from the log by 1 and by 2 processes, and what the largest of them needed of memory.

The league is the one of `manage.py simulate_season`. `python -m benchmarks.bench_careers [--matches N] [--players N]` uses a PostgreSQL of its
own, which is gone afterwards.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import cores

MANAGE = [sys.executable, "manage.py"]


def figures(matches: int, players: int) -> None:
    """Print the figures, measured on a PostgreSQL that is started for it and gone afterwards."""
    from config import embedded

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = embedded.start(Path(folder) / "postgres")
        environment = {
            **os.environ,
            "DATABASE_URL": server.url(embedded.APP),
            "DATABASE_OWNER_URL": server.url(embedded.OWNER),
            "ANNALS_EMBEDDED": "1",
            "ANNALS_VAR": folder,
            "LOG_LEVEL": "ERROR",
        }

        def manage(*arguments: str) -> float:
            began = time.perf_counter()
            subprocess.run(
                [*MANAGE, *arguments], check=True, cwd=embedded.ROOT, env=environment, stdout=subprocess.DEVNULL
            )
            return time.perf_counter() - began

        try:
            manage("migrate", "--verbosity", "0")
            size = ("--players", str(players), "--matches", str(matches))
            made = manage("simulate_season", *size)
            import psycopg

            with psycopg.connect(server.url(embedded.OWNER)) as site:
                row = site.execute("select count(*) from matches_event").fetchone()
            events = row[0] if row else 0
            print(
                f"{matches} matches of {players} people, {events:,} events; recorded in {made:.0f} s; {cores()} cores"
            )
            print(f"load of the machine {os.getloadavg()[0]:.1f}")
            for workers in (1, 2):
                took = manage("derive", "--rebuild", "--workers", str(workers))
                # The largest of all processes that have ended by now.
                peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
                print(
                    f"rebuild, {workers} process(es): {took:.1f} s, {matches / took:,.1f} matches/s,"
                    f" {events / took:,.0f} events/s, largest process so far {peak} MiB"
                )
        finally:
            server.stop()


def measure(calibrated: float) -> None:
    """Print the figures at a size that takes a few minutes."""
    figures(300, 60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--players", type=int, default=60)
    asked = parser.parse_args()
    figures(asked.matches, asked.players)


if __name__ == "__main__":
    main()
