"""A whole match written out for people: the log as scribe text, and under each entry, as comments, what followed and changed.

The comments are for reading alone: the file is a log that can be checked as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rulesengine import notation, replay
from rulesengine.log import Log
from rulesengine.replay import Finding

RULE = "#"


def log_in(recorded: str) -> Log:
    """Return the log of a playthrough."""
    return notation.parse(recorded.encode(), name="golden.log.txt")


def title_in(recorded: str) -> list[str]:
    """Return the comments at the top, which say what the match shows."""
    lines = recorded.splitlines()
    return lines[: next(at for at, line in enumerate(lines) if not line.startswith("#"))]


def edition_in(recorded: str) -> str:
    """Return the edition under which a playthrough is played."""
    return replay.run(log_in(recorded), at=0).ruleset.edition.key


def render(log: Log, title: list[str]) -> str:
    """Return a log as a playthrough."""
    report = replay.report(log, keep=True)
    told = report.replay
    plain = notation.write(log, "text").decode().splitlines()
    body = next(at for at, line in enumerate(plain) if line.startswith("1. "))
    steps = {one.seq: one for one in told.carried}
    found: dict[int | None, list[Finding]] = {}
    for one in report.findings:
        found.setdefault(one.seq, []).append(one)
    state = told.ruleset.view(steps[0].step.state)
    rows = [*title, *plain[:body], "# 0. The set-up", *_followed(steps[0]), *(f"#    {row}" for row in _all(state)), ""]
    for line, text in zip(log.lines, plain[body:], strict=True):
        rows.append(text)
        if line.seq in told.skipped:
            rows.append("#    taken back")
        elif line.seq in told.amended:
            rows.append(f"#    amended by {told.amended[line.seq]}")
        rows += [f"#    ! {one.kind} {one.rule or ''}: {one.message}" for one in found.get(line.seq, ())]
        after = replay.run(log, at=line.seq)
        step = steps.get(line.seq)
        if step is not None:
            rows += _followed(step)
        new = told.ruleset.view(after.state)
        rows += [f"#    {row}" for row in _changed(state, new)]
        state = new
    rows += [
        "",
        f"# {told.status}: " + (", ".join(f"{one.place}. {one.seat}" for one in told.placements) or "nobody placed"),
    ]
    rows += [f"# {_json(told.result)}", ""]
    return "\n".join(rows)


def _followed(step: Any) -> Iterator[str]:
    if step.step.computed is not None:
        yield f"#    > {_json(step.step.computed)}"
    for one in step.step.consequences:
        yield f"#    > {one.type} {_json(one.data)}"


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else key)
    else:
        yield path, value


def _all(state: dict[str, Any]) -> Iterator[str]:
    for key, value in state.items():
        if isinstance(value, dict):
            for name, row in value.items():
                yield f"= {key}.{name} {_json(row)}"
        else:
            yield f"= {key} {_json(value)}"


def _changed(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Yield each value that changed; pieces that came are shown whole, those that went by name."""
    for key, new in after.items():
        old = before[key]
        if not isinstance(new, dict) or not isinstance(old, dict):
            if new != old:
                yield f"= {key} {_json(new)}"
            continue
        for name in old:
            if name not in new:
                yield f"= {key}.{name} gone"
        for name, row in new.items():
            if name not in old:
                yield f"= {key}.{name} {_json(row)}"
            elif row != old[name]:
                was = dict(_flat(old[name]))
                changes = [f"{path} {_json(value)}" for path, value in _flat(row) if was.get(path, ...) != value]
                yield f"= {key}.{name} {', '.join(changes)}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
