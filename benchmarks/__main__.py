"""``make bench``: run every ``bench_*.py`` of this folder and print its figures beside one calibration loop.

A bench is a module with ``measure(calibrated: float) -> None`` that prints its lines. Name some to run only those:
``python -m benchmarks replay``.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from benchmarks.machine import calibration, cores


def main(wanted: list[str]) -> int:
    """Run the benches and return the exit code."""
    known = sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"there is no bench {', '.join(unknown)}; known are {', '.join(known)}", file=sys.stderr)
        return 2
    version = ".".join(map(str, sys.version_info[:3]))
    before = calibration()
    print(f"{cores()} cores · Python {version} · calibration loop {before:,.0f} turns/s")
    for name in wanted or known:
        print(f"\n{name}")
        importlib.import_module(f"benchmarks.bench_{name}").measure(before)
    after = calibration()
    print(f"\ncalibration loop at the end {after:,.0f} turns/s ({after / before:.2f} of the beginning)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
