"""JSON Lines, the canonical form: the header on the first line, one event on each further line.

A line that is as it should be goes a fast way: one decoding and one encoding in C and a few searches in bytes. Any
doubt sends it the exact way of :mod:`rulesengine.notation.values`, which alone words what is wrong.
"""

from __future__ import annotations

import re
import sys
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from rulesengine.log import MAX_DEPTH, MAX_LINE, MAX_NOTE, ROLES, Header, Line, Log, Unreadable
from rulesengine.notation import envelope
from rulesengine.notation.values import Malformed, load

_ZEROS = bytes(48 if 48 <= byte < 58 else 95 for byte in range(256))
_BLOCK = 1 << 20
_CONTROL = re.compile(rb"\\u(?:00[0-9]|[dD])|\\[bf]|\x7f|\xc2[\x80-\x9f]")
_BEGINNING = re.compile(
    rb'\s*\{\s*"seq"\s*:\s*([0-9]{1,9})(?:\s*,\s*"type"\s*:\s*"([a-z0-9_]{1,64})")?(?:\s*,\s*"seat"\s*:\s*"([A-Z])")?\s*[,}]'
)
_ROLES = frozenset(ROLES)
_LETTERS = {letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_NOTHING = (None, None, None, None)
_known_types: dict[str, str] = {}
_TOO_LONG = (
    f"the line is longer than {MAX_LINE // 1024} KiB; an event is never that long, look whether line breaks are lost"
)
_CUT = "; the log seems to be cut in the middle, take the whole file"


class _Envelope(Struct, omit_defaults=True, forbid_unknown_fields=True, gc=False, rename={"acting_as": "as"}):
    type: str
    seq: int | None = None
    seat: str | None = None
    acting_as: str | None = None
    at: str | None = None
    id: str | None = None
    note: str | None = None
    by: str | None = None
    recorded_at: str | None = None
    hash: str | None = None
    data: dict[str, Any] | UnsetType = UNSET


def _no_fraction(digits: str) -> Any:
    raise ValueError(digits)


_decode = msgspec.json.Decoder(_Envelope, float_hook=_no_fraction).decode
_encode = msgspec.json.Encoder().encode


def parse(raw: bytes) -> Log:
    """Return the log in a file of JSON Lines. Blank lines are passed over. Raises Unreadable."""
    rows = raw.split(b"\n")
    complete = not rows[-1].strip()
    first = next(index for index, row in enumerate(rows) if row.strip())
    last = next(index for index in range(len(rows) - 1, -1, -1) if rows[index].strip())
    head = _header(rows[first], first + 1, cut=first == last and not complete)
    plain = not any(has_long_number(raw[start : start + _BLOCK + 16]) for start in range(0, len(raw), _BLOCK))
    collector = envelope.Collector()
    for index in range(first + 1, last + 1):
        row = rows[index]
        made = fast(row, index + 1) if plain or not has_long_number(row) else None
        if made is not None:
            collector.add(made)
        elif row.strip():
            collector.read(partial(_exact, row, index == last and not complete), index + 1)
    return collector.log(head)


def _header(row: bytes, number: int, *, cut: bool) -> Header:
    try:
        return envelope.header(_exact(row, cut))
    except Malformed as error:
        hint = "; the whole header stands on this one line" if error.cut and not cut else ""
        raise Unreadable(error.message + hint, number) from None


def _exact(row: bytes, is_end: bool) -> Any:
    """Return the plain values of a line, or raise Malformed with what is wrong. `is_end`: no line break follows."""
    if len(row.rstrip(b"\r")) > MAX_LINE:
        raise Malformed(_TOO_LONG, known=_known(row))
    try:
        return load(envelope.decoded(row))
    except Malformed as error:
        if is_end and error.cut:
            error.message += _CUT
        error.known = _known(row)
        raise


def _known(row: bytes) -> dict[str, Any]:
    """Return seq, type and seat of a line that is not as it should be, as far as it begins with them."""
    match = _BEGINNING.match(row)
    if match is None:
        return {}
    kind, seat = match[2], match[3]
    return {
        "seq": int(match[1]),
        "type": None if kind is None else kind.decode(),
        "seat": None if seat is None else seat.decode(),
    }


def has_long_number(raw: bytes) -> bool:
    """Return whether sixteen digits stand in a row, so that a number could exceed 53 bits."""
    return b"0000000000000000" in raw.translate(_ZEROS)


def fast(row: bytes, number: int) -> Line | None:
    """Return the event of a line that is certainly as it should be; None where that takes a closer look."""
    if len(row) > MAX_LINE // 2 or row.count(b"[") + row.count(b"{") > MAX_DEPTH:
        return None
    try:
        made = _decode(row)
    except (ValueError, RecursionError):
        return None
    if (not row.isascii() or b"\\" in row or b"\x7f" in row) and _CONTROL.search(row):
        return None
    whole = _encode(made)
    if whole.count(b'":') != row.translate(None, b" \t\r").count(b'":'):
        return None  # a key twice in an object, or an explicit null
    data = b"{}" if made.data is UNSET else whole[whole.index(b'"data":') + 7 : -1]
    seq, kind, seat = made.seq, made.type, made.seat
    if seq is None:
        seq = 0
    elif seq < 1:
        return None
    if kind not in _known_types:
        if len(_known_types) > 1000 or not envelope.TYPE.fullmatch(kind):
            return None
        _known_types[kind] = sys.intern(kind)
    if seat is not None:
        if seat not in _LETTERS:
            return None
        seat = _LETTERS[seat]
    at, role, identity = made.at, made.acting_as, made.id
    if at is not None and not envelope.is_time(at):
        return None
    if role is not None and role not in _ROLES:  # the long way decides
        return None
    if identity is not None:
        identity = envelope.uuid(identity)
        if identity is None:
            return None
    if made.note is not None or made.by is not None or made.recorded_at is not None or made.hash is not None:
        if (
            made.note == ""
            or len(made.note or "") > MAX_NOTE
            or made.by == ""
            or not envelope.is_time(made.recorded_at if made.recorded_at is not None else "2000-01-01T00:00Z")
            or not envelope.HASH.fullmatch("0" * 64 if made.hash is None else made.hash)
        ):
            return None
        rest = (made.note, made.by, made.recorded_at, made.hash)
    else:
        rest = _NOTHING
    return Line(seq, _known_types[kind], seat, data, at, role, identity, *rest, None, number)


def write(log: Log) -> bytes:
    """Return the log as JSON Lines, ending with a line break."""
    rows = [_encode(envelope.header_values(log.header))]
    rows.extend(_encode(envelope.event_values(line)) for line in log.lines)
    rows.append(b"")
    return b"\n".join(rows)
