"""The referee's hand on one value of the state."""

from __future__ import annotations

from typing import Any

from rulesengine.hexwar.state import State, load, view
from rulesengine.hexwar.text import brief


def adjusted(state: State, path: str, old: Any, new: Any) -> State:
    """Return the state with one value of its view set.

    `path` is the keys joined by dots, list positions as numbers; `old` must be the present value and `new` of the same
    JSON type, unless one of both is null.

    :raises ValueError: saying why the value cannot be set
    """
    plain = view(state)
    *way, last = path.split(".")
    at: Any = plain
    for key in way:
        at = _child(at, key, path)
    present = _child(at, last, path)
    if not _same(present, old):
        raise ValueError(f"{path} is {brief(present)} at present, not {brief(old)}")
    if new is not None and old is not None and _json_type(old) != _json_type(new):
        raise ValueError(
            f"{path} is of type {_json_type(old)}; the new value {brief(new)} is of type {_json_type(new)}"
        )
    if isinstance(at, list):
        at[int(last)] = new
    else:
        at[last] = new
    try:
        return load(state.setup, plain, state.reason)
    except ValueError as error:
        raise ValueError(f"{path} cannot be set to {brief(new)}: {error}") from error


def _child(at: Any, key: str, path: str) -> Any:
    if isinstance(at, dict) and key in at:
        return at[key]
    if isinstance(at, list) and key.isdecimal() and key.isascii() and str(int(key)) == key and int(key) < len(at):
        return at[int(key)]
    known = ", ".join(list(at)[:12]) if isinstance(at, dict) else "no parts by that name"
    raise ValueError(f"{brief(path)} leads to no value: {brief(key)} is not there (there are: {known})")


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list | tuple) else "object"


def _same(one: Any, other: Any) -> bool:
    if _json_type(one) != _json_type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(_same(*pair) for pair in zip(one, other, strict=True))
    return bool(one == other)
