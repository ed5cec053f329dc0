"""The three file forms of a match log: JSON Lines, scribe text and CSV.

All three hold the same: ``canonical(parse(write(log, form)))`` is the same for every form.
"""

from __future__ import annotations

import codecs
from typing import Literal
from uuid import UUID, uuid5

from rulesengine import canonical as _json
from rulesengine.log import FORMAT, MAX_BYTES, MAX_EVENTS, Log, Unreadable
from rulesengine.notation import csv, envelope, jsonl, text

Form = Literal["jsonl", "text", "csv"]
FORMS: tuple[Form, ...] = ("jsonl", "text", "csv")
MATCHES = UUID("6f3c1d52-8a0e-5b7f-9c41-2e7d90b6a1f8")
"""The name space of the identity of matches that were recorded without one. Never changes."""

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MAX_ROWS = 2 * MAX_EVENTS
"""Blank lines and comments may stand between the events, but not without end."""
_START = 64 * 1024
"""How many bytes are looked at to tell the form."""


def parse(raw: bytes, *, name: str = "") -> Log:
    """Return the log in a file, whichever form it has; `name` (of the file) only helps where the content is unclear.

    Problems of single lines are in `Log.form`. Raises Unreadable, and nothing else, if the file is no log at all.
    """
    form = form_of(raw, name)
    if raw.count(b"\n") + raw.count(b"\r") > 2 * MAX_ROWS:
        raise Unreadable(
            f"the file has more than {MAX_ROWS} lines; a log has one line for each event, upload one match per file"
        )
    if form == "csv":
        return csv.parse(raw)
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if b"\r" in raw and b"\n" not in raw:
        raise Unreadable(
            "the lines end with a carriage return alone, as on very old computers; "
            "save the file with the line ends of Unix (LF) or Windows (CRLF)"
        )
    return jsonl.parse(raw) if form == "jsonl" else text.parse(raw)


def write(log: Log, form: Form) -> bytes:
    """Return a log as a file of one of the :data:`FORMS`. The log must have no findings of form."""
    if form == "jsonl":
        return jsonl.write(log)
    if form == "text":
        return text.write(log)
    if form == "csv":
        return csv.write(log)
    raise ValueError(f"{form!r} is no form of a log; choose one of {', '.join(FORMS)}")


def canonical(log: Log) -> bytes:
    """Return a log as lines of canonical JSON: two logs that say the same are the same bytes."""
    rows = [_json.dumps(envelope.header_values(log.header))]
    rows.extend(_json.dumps(envelope.event_values(line)) for line in log.lines)
    rows.append(b"")
    return b"\n".join(rows)


def match_id(log: Log) -> UUID:
    """Return the identity of the match: that of the header, else one that follows from the content alone.

    What only exports carry (`by`, `recorded_at`, `hash`, `salts`) does not change it, nor does the form of the file.
    """
    if log.header.id:
        return UUID(log.header.id)
    rows = [_json.dumps(envelope.header_values(log.header))]
    for line in log.lines:
        values = envelope.event_values(line)
        rows.append(_json.dumps({key: values[key] for key in values if key not in envelope.EXPORT_KEYS}))
    return uuid5(MATCHES, b"\n".join(rows).decode())


def form_of(raw: bytes, name: str = "") -> Form:
    """Return which form a file has, by its content. Raises Unreadable if it can be no log."""
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"the file is larger than {MAX_BYTES // 2**20} MiB; a log never is, upload one match per file")
    wide = raw.startswith(_UTF16)
    start = (
        raw[:_START].decode("utf-16", "replace")
        if wide
        else raw.removeprefix(codecs.BOM_UTF8)[:_START].decode("utf-8", "replace")
    )
    start = start.lstrip()
    if "\x00" in start:
        raise Unreadable("this is no text file, or UTF-16 without its mark; a log is saved as plain text in UTF-8")
    if not start.strip() and not raw.removeprefix(codecs.BOM_UTF8).strip():
        raise Unreadable(f'the file is empty; a log begins with its header, such as {{"log": "{FORMAT}", …}}')
    form = _guess(start, name)
    if form is None:
        raise Unreadable(
            'this is no match log; a log begins with {"log": …} (JSON Lines), with [Game …] (scribe text) or with '
            "#Game,… (CSV)"
        )
    if wide and form != "csv":
        raise Unreadable("the file is UTF-16; save it as UTF-8 (only CSV from a spreadsheet may be UTF-16)")
    return form


def _guess(start: str, name: str) -> Form | None:
    if start.startswith("{"):
        return "jsonl"
    rows = (row.strip() for row in start.split("\n"))
    first = next((row for row in rows if row and not row.startswith("#")), "")
    if csv.looks_like(start) and (name.lower().endswith(".csv") or not text.looks_like(first)):
        return "csv"
    return "text" if text.looks_like(first) else None
