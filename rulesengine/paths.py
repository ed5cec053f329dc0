"""One value of a plain state, found by the keys that lead to it: what a referee's adjustment names."""

from __future__ import annotations

import json
from typing import Any

LONGEST = 60


class Mismatch(ValueError):
    """The value at present is not the one that was named."""


def put(plain: Any, path: str, old: Any, new: Any) -> None:
    """Set one value of a plain state.

    `path` is the keys joined by dots, list positions as numbers; `new` must be of the JSON type of the present value, unless one
    of both is null, and `old` the present value itself.

    :raises Mismatch: if the present value is not `old`
    :raises ValueError: saying why there is no such value, or why it cannot be `new`
    """
    *way, last = path.split(".")
    at: Any = plain
    for key in way:
        at = _child(at, key, path)
    present = _child(at, last, path)
    if new is not None and present is not None and json_type(present) != json_type(new):
        kind, given = json_type(present), json_type(new)
        raise ValueError(f"{path} is of type {kind}; the new value {brief(new)} is of type {given}")
    if not same(present, old):
        raise Mismatch(f"{path} is {brief(present)} at present, not {brief(old)}")
    if isinstance(at, list):
        at[int(last)] = new
    else:
        at[last] = new


def _child(at: Any, key: str, path: str) -> Any:
    if isinstance(at, dict) and key in at:
        return at[key]
    if isinstance(at, list) and key.isdecimal() and key.isascii() and str(int(key)) == key and int(key) < len(at):
        return at[int(key)]
    known = ", ".join(list(at)[:12]) if isinstance(at, dict) else "no parts by that name"
    raise ValueError(f"{brief(path)} leads to no value: {brief(key)} is not there (there are: {known})")


def json_type(value: Any) -> str:
    """Return the JSON type of a plain value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list | tuple) else "object"


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON: ``true`` is not 1, a list may be a tuple."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        if not isinstance(other, list | tuple) or len(one) != len(other):
            return False
        return all(same(*pair) for pair in zip(one, other, strict=True))
    return type(one) is type(other) and bool(one == other)


def brief(value: Any) -> str:
    """Return a value as it is written, cut short if it is long: a file may hold anything."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
    cut = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return repr(cut) if isinstance(value, str) else cut
