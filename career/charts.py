"""Charts as SVG made on the server: figures only, the words stand in the table beside each chart."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH = 640
HEIGHT = 150
LEFT = 48
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


def rating(points: list[tuple[float, float]], *, label: str) -> SafeString:
    """Return the line of a rating with the band of one deviation about it; `points` are value and deviation, oldest first."""
    low = min(value - spread for value, spread in points)
    high = max(value + spread for value, spread in points)
    span = max(high - low, 1.0)
    base, room = HEIGHT - BOTTOM, HEIGHT - BOTTOM - TOP
    wide = (WIDTH - LEFT - 8) / max(1, len(points) - 1)

    def at(number: int, value: float) -> str:
        return f"{LEFT + number * wide:.1f},{base - (value - low) / span * room:.1f}"

    upper = [at(number, value + spread) for number, (value, spread) in enumerate(points)]
    lower = [at(number, value - spread) for number, (value, spread) in enumerate(points)]
    line = [at(number, value) for number, (value, _spread) in enumerate(points)]
    grid = format_html_join(
        "",
        '<line class="gridline" x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (str(LEFT), str(WIDTH), y, y, str(LEFT - 6), _figure(float(y) + 4), _figure(value))
            for value in (low, low + span / 2, low + span)
            for y in [_figure(base - (value - low) / span * room)]
        ),
    )
    last = line[-1].split(",")
    return format_html(
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}<polygon class="band" points="{}"/><polyline class="line" points="{}"/>'
        '<circle class="dot" cx="{}" cy="{}" r="4"/></svg>',
        str(WIDTH), str(HEIGHT), label, grid, " ".join([*upper, *reversed(lower)]), " ".join(line), last[0], last[1],
    )  # fmt: skip


def lead(values: list[int], *, label: str) -> SafeString:
    """Return the steps of a lead about a middle line at nought, oldest first; above it the first of two was ahead."""
    top = max(1, *(abs(value) for value in values))
    middle, room = HEIGHT / 2, HEIGHT / 2 - TOP
    wide = (WIDTH - LEFT - 8) / max(1, len(values))

    def y(value: int) -> float:
        return middle - value / top * room

    grid = format_html_join(
        "",
        '<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (
                "axis" if value == 0 else "gridline", str(LEFT), str(WIDTH), _figure(y(value)), _figure(y(value)),
                str(LEFT - 6), _figure(min(max(y(value) + 4, 12), HEIGHT - 2)), f"{value:+d}" if value else "0",
            )
            for value in (top, 0, -top)
        ),
    )  # fmt: skip
    steps = [
        point
        for number, value in enumerate(values)
        for point in (f"{LEFT + number * wide:.1f},{y(value):.1f}", f"{LEFT + (number + 1) * wide:.1f},{y(value):.1f}")
    ]
    area = [f"{LEFT},{middle:.1f}", *steps, f"{LEFT + len(values) * wide:.1f},{middle:.1f}"]
    return format_html(
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}"><polygon class="band" points="{}"/>{}<polyline class="line" points="{}"/></svg>',
        str(WIDTH),
        str(HEIGHT),
        label,
        " ".join(area),
        grid,
        " ".join(steps),
    )


DAY = 11
MONTHS = 16


def heat(days: dict[date, int], today: date, *, weeks: int, label: str) -> SafeString:
    """Return a year of weeks as squares, a column a week and a row a day from Monday on, the fuller the more was played."""
    first = today - timedelta(days=today.weekday() + 7 * (weeks - 1))
    squares = format_html_join(
        "",
        '<rect class="heat" data-level="{}" x="{}" y="{}" width="{}" height="{}"/>',
        (
            (str(min(4, days.get(day, 0))), str(column * (DAY + 2)), str(MONTHS + row * (DAY + 2)), str(DAY), str(DAY))
            for column in range(weeks)
            for row in range(7)
            for day in [first + timedelta(days=7 * column + row)]
            if day <= today
        ),
    )
    columns = [first + timedelta(days=7 * column) for column in range(weeks)]
    months = format_html_join(
        "",
        '<text x="{}" y="{}">{}</text>',
        (
            (str(column * (DAY + 2)), str(MONTHS - 4), date_format(monday, "M"))
            for column, monday in enumerate(columns[:-2])
            if monday.day <= 7
        ),
    )
    return format_html(
        '<svg class="heatmap" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>',
        str(weeks * (DAY + 2)),
        str(MONTHS + 7 * (DAY + 2)),
        label,
        months,
        squares,
    )
