"""The one way in which a value is written as JSON, so that equal values give equal bytes (RFC 8785, whole numbers only).

Keys are sorted by their UTF-16 code units, there are no spaces, text is UTF-8 with as few escapes as possible. The
hash chain, the identity of a match and the comparison of two logs all rest on it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from rulesengine.log import MAX_INTEGER

_sorting = msgspec.json.Encoder(order="deterministic")
_keeping = msgspec.json.Encoder()


def dumps(value: Any) -> bytes:
    """Return the canonical JSON of a value made of dicts, lists, tuples, texts, whole numbers, booleans and None.

    Raises ValueError for a fraction, a number beyond 53 bits, half a surrogate pair or any other kind of value.
    """
    if _ascii_keys(value):
        return _sorting.encode(value)
    return _keeping.encode(_in_order(value))


def _ascii_keys(value: Any) -> bool:
    """Return whether sorting by code point is right for every key; raise ValueError for what cannot be written."""
    kind = type(value)
    if kind is dict:
        plain = True
        for key, item in value.items():
            if type(key) is not str:
                raise ValueError(f"a key must be text, not {key!r}")
            if not key.isascii():
                plain = False
            inner = type(item)
            if inner is str or inner is bool or item is None:
                continue
            if not _ascii_keys(item):
                plain = False
        return plain
    if kind is list or kind is tuple:
        plain = True
        for item in value:
            if not _ascii_keys(item):
                plain = False
        return plain
    if kind is int:
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise ValueError(f"the number {value} does not fit into 53 bits")
        return True
    if kind is str or kind is bool or value is None:
        return True
    raise ValueError(f"only texts, whole numbers, true, false, null, lists and objects can be written, not {value!r}")


def _in_order(value: Any) -> Any:
    """Return the value with the keys of every object in canonical order."""
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value, key=_utf16)}
    if isinstance(value, (list, tuple)):
        return [_in_order(item) for item in value]
    return value


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be")
