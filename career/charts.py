"""Charts as SVG made on the server: figures only, the words stand in the table beside each chart."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH = 640
HEIGHT = 150
LEFT = 34
BOTTOM = 24
TOP = 10
WIDEST = 34


def results(quarters: list[dict[str, Any]], *, label: str) -> SafeString:
    """Return the columns of matches and, within each, first places, by quarter; `label` says in words what is shown."""
    top = max([1, *(line["played"] for line in quarters)])
    base = HEIGHT - BOTTOM
    unit = (base - TOP) / top
    slot = min(WIDEST, (WIDTH - LEFT - 8) // max(1, len(quarters)))
    steps = sorted({0, top} | ({top // 2} if top >= 4 else set()))
    grid = format_html_join(
        "",
        '<line class="gridline" x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (str(LEFT), str(WIDTH), y, y, str(LEFT - 6), _figure(float(y) + 4), str(step))
            for step in steps
            for y in [_figure(base - step * unit)]
        ),
    )
    bars = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>',
        (
            (
                name,
                str(LEFT + 6 + index * slot),
                _figure(base - line[key] * unit),
                str(slot - 4),
                _figure(line[key] * unit),
            )
            for index, line in enumerate(quarters)
            for name, key in (("bar-whole", "played"), ("bar", "won"))
        ),
    )
    years = format_html_join(
        "",
        '<text x="{}" y="{}">{}</text>',
        (
            (str(LEFT + 6 + index * slot), str(base + 17), str(line["year"]))
            for index, line in enumerate(quarters)
            if index == 0 or line["quarter"] == 1
        ),
    )
    return format_html(
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>',
        str(WIDTH),
        str(HEIGHT),
        label,
        grid,
        bars,
        years,
    )


def _figure(value: float) -> str:
    return f"{value:.1f}"
