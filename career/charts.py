"""Charts as SVG made on the server: figures only, the words stand in the table beside each chart."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

HEIGHT = 120
BAR = 14
GAP = 6
LEFT = 28


class Bar(Struct, frozen=True):
    """One column of a chart in SVG units: where it stands and how high its whole and its won part are."""

    x: int
    width: int
    whole_y: float
    whole: float
    part_y: float
    part: float
    label: str
    mark: str


class Chart(Struct, frozen=True):
    """A column chart: its box, columns, and lines of the scale as (y, label)."""

    width: int
    height: int
    base: int
    left: int
    bars: tuple[Bar, ...]
    scale: tuple[tuple[float, int], ...]


def results(quarters: list[dict[str, Any]]) -> Chart | None:
    """Return the chart of matches and first places by quarter, or None without matches."""
    if not quarters:
        return None
    top = max(line["played"] for line in quarters)
    unit = (HEIGHT - 10) / top
    bars = []
    for index, line in enumerate(quarters):
        whole, part = line["played"] * unit, line["won"] * unit
        bars.append(
            Bar(
                x=LEFT + GAP + index * (BAR + GAP),
                width=BAR,
                whole_y=round(HEIGHT - whole, 1),
                whole=round(whole, 1),
                part_y=round(HEIGHT - part, 1),
                part=round(part, 1),
                label=f"{line['year']}/{line['quarter']}",
                mark=str(line["year"]) if line["quarter"] == 1 or index == 0 else "",
            )
        )
    steps = sorted({0, top} | ({top // 2} if top >= 4 else set()))
    return Chart(
        width=LEFT + GAP + len(quarters) * (BAR + GAP) + 16,
        height=HEIGHT + 22,
        base=HEIGHT,
        left=LEFT,
        bars=tuple(bars),
        scale=tuple((round(HEIGHT - step * unit, 1), step) for step in steps),
    )
