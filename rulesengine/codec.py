"""Events in and out of JSON: each type of event straight from its bytes into its struct, what is wrong in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import msgspec

from rulesengine import shared
from rulesengine.game import Event, Payload, Ruleset
from rulesengine.log import ROLES, Line

type Decode = Callable[[bytes], Payload]

_encode = msgspec.json.Encoder().encode
_MISSING = re.compile(r"Object missing required field `(.+?)`(?: - at `(.+)`)?")
_UNKNOWN = re.compile(r"Object contains unknown field `(.+?)`(?: - at `(.+)`)?", re.DOTALL)
_TYPE = re.compile(r"Expected `(.+?)`, got `(.+?)`(?: - at `(.+)`)?")
_LENGTH = re.compile(r"Expected `array` of length (\d+)(?:, got (\d+))?(?: - at `(.+)`)?")
_LEAST = re.compile(r"Expected `int` >= (\d+)(?: - at `(.+)`)?")
_EMPTY = re.compile(r"Expected `(str|array|object)` of length >= 1(?: - at `(.+)`)?")
_PATTERN = re.compile(r"Expected `str` matching regex .+? - at `(.+)`", re.DOTALL)
_WORD = re.compile(r"Invalid enum value (.+?)(?: - at `(.+)`)?", re.DOTALL)
_WORDS = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "float": "a number with a fraction",
}


class FormError(ValueError):
    """An event whose `data` is not as its type needs it; the message says what was expected."""


@lru_cache(maxsize=64)
def _table(payloads: type[Ruleset]) -> Mapping[str, tuple[Decode, type[Payload]]]:
    known = {type_: one for type_, one in shared.PAYLOADS.items() if type_ not in payloads.not_used}
    known.update(payloads.payloads)
    return MappingProxyType({type_: (_decoder(payloads, one), one) for type_, one in known.items()})


def _decoder(payloads: type[Ruleset], payload: type[Payload]) -> Decode:
    decode = msgspec.json.Decoder(payload).decode
    if payloads.manners.reads_null or payload.MAY_BE_NULL is None:
        return decode
    free = payload.MAY_BE_NULL

    def without_null(data: bytes) -> Payload:
        made = decode(data)
        if b"null" in data:
            given = msgspec.json.decode(data)
            _refuse_null({key: value for key, value in given.items() if key not in free})
        return made

    return without_null


def _refuse_null(value: Any, at: str = "data") -> None:
    if value is None:
        why = f"{at} is null; leave the key out where there is nothing to say"
        raise msgspec.ValidationError(why) from ValueError(why)
    if isinstance(value, dict):
        for key, one in value.items():
            _refuse_null(one, f"{at}.{key}")
    elif isinstance(value, list):
        for one in value:
            _refuse_null(one, at)


def table(ruleset: Ruleset) -> Mapping[str, tuple[Decode, type[Payload]]]:
    """Return how the `data` of each type of event in a game's logs is decoded, the game's own and the shared ones."""
    return _table(type(ruleset))


def event(ruleset: Ruleset, line: Line) -> Event:
    """Return the typed event of a line.

    :raises FormError: in words, if there is no such type, a key is missing, unknown or of the wrong type, or the seat is
    """
    entry = table(ruleset).get(line.type)
    if entry is None:
        raise FormError(unknown_type(ruleset, line.type))
    decode, payload = entry
    if line.seat is None and payload.SEATED:
        raise FormError(f'{line.type} is an event of a seat; the key "seat" is missing')
    if line.acting_as is not None and line.acting_as not in ROLES and not ruleset.manners.judges_roles:
        raise FormError(f'"as" is {line.acting_as!r}; it must be one of {", ".join(ROLES)}')
    try:
        return Event(line.seat, decode(line.data), line.acting_as, line.seq)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FormError(words(error, payload)) from None


def encode(one: Event) -> bytes:
    """Return the `data` of an event as JSON."""
    return _encode(one.data)


def line(one: Event, seq: int, at: str | None = None) -> Line:
    """Return an event as a line of a log."""
    return Line(seq, one.type, one.seat, _encode(one.data), at, one.acting_as)


def unknown_type(ruleset: Ruleset, type_: str) -> str:
    """Return the sentence for a type that a game's logs do not have."""
    if type_ in shared.PAYLOADS:
        what = "a match without moves" if not ruleset.game else "a match recorded move by move"
        return f"{type_} is not an event of {what}"
    own = ", ".join(sorted(ruleset.payloads))
    return (
        f"there is no event {type_!r}; the game's own are {own}"
        if own
        else f"there is no event {type_!r} without moves"
    )


def words(error: Exception, payload: type[Payload]) -> str:
    """Return what is wrong with the `data` of an event, and what it needs, for people."""
    text = str(error)
    if found := _MISSING.fullmatch(text):
        return f'the key "{found[1]}" is missing{_where(found[2])}; {_needs(payload, found[2])}'
    if found := _UNKNOWN.fullmatch(text):
        name = found[1] if len(found[1]) <= 40 else found[1][:39] + "…"
        return f'the key "{name}" is not known{_where(found[2])}; {_needs(payload, found[2])}'
    if found := _TYPE.fullmatch(text):
        key = (found[3] or "$").removeprefix("$.")
        expected = " or ".join(_WORDS.get(word.strip(), word.strip()) for word in found[1].split("|"))
        return f'"{key}" is {_WORDS.get(found[2], found[2])}; {expected} was expected'
    if found := _LEAST.fullmatch(text):
        return f'"{_key(found[2])}" must be a whole number from {found[1]}'
    if found := _EMPTY.fullmatch(text):
        return f'"{_key(found[2])}" is empty; it must hold something'
    if found := _PATTERN.fullmatch(text):
        return f'"{_key(found[1])}" must be an id: 1 to 40 letters, digits, _ and -'
    if found := _WORD.fullmatch(text):
        return f'"{_key(found[2])}" has the value {found[1]}; {_allowed(payload, found[2])} was expected'
    if found := _LENGTH.fullmatch(text):
        key = (found[3] or "$").removeprefix("$.")
        got = f", not {found[2]}" if found[2] else ""
        return f'"{key}" must hold {found[1]} values{got}'
    if isinstance(error, msgspec.ValidationError) and isinstance(error.__cause__, ValueError):
        return str(error.__cause__)  # a payload's own words
    return f"data cannot be read: {text}"


def _allowed(payload: type[Payload], at: str | None) -> str:
    """Return the words that may stand where msgspec found another one: ``$.custom.kind``, ``$.dice[...]``, ``key` in `$.goods``."""
    of_keys, _, path = (at or "$").rpartition("` in `")
    kinds = _found(payload, path)
    kinds = [one.key_type if of_keys and isinstance(one, msgspec.inspect.DictType) else one for one in kinds]
    words = [
        json.dumps(word) for kind in kinds if isinstance(kind, msgspec.inspect.LiteralType) for word in kind.values
    ]
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:]))) or "another one"


def _found(payload: type[Payload], path: str) -> list[msgspec.inspect.Type]:
    """Return what may stand at a place of the `data`, as msgspec writes it."""
    kinds = [msgspec.inspect.type_info(payload)]
    for name, _ in re.findall(r"\.(\w+)|(\[)", path):
        kinds = [below for kind in kinds for below in _below(kind, name)]
    return kinds


def _below(kind: msgspec.inspect.Type, name: str) -> list[msgspec.inspect.Type]:
    """Return the types that stand under a key of a struct, or in a list or an object where no name is given."""
    match kind:
        case msgspec.inspect.StructType() if name:
            below = [field.type for field in kind.fields if field.encode_name == name]
        case msgspec.inspect.CollectionType() if not name:
            below = [kind.item_type]
        case msgspec.inspect.TupleType() if not name:
            below = list(kind.item_types)
        case msgspec.inspect.DictType() if not name:
            below = [kind.value_type]
        case _:
            below = []
    return [one for each in below for one in _plain(each)]


def _plain(kind: msgspec.inspect.Type) -> list[msgspec.inspect.Type]:
    if isinstance(kind, msgspec.inspect.Metadata):
        return _plain(kind.type)
    return (
        [one for each in kind.types for one in _plain(each)] if isinstance(kind, msgspec.inspect.UnionType) else [kind]
    )


def _key(at: str | None) -> str:
    return (at or "$").removeprefix("$.").replace("key` in `$.", "key of ")


def _where(at: str | None) -> str:
    return f" in {at.removeprefix('$.')}" if at and at != "$" else ""


def _needs(payload: type[Payload], at: str | None) -> str:
    structs = [kind for kind in _found(payload, at or "$") if isinstance(kind, msgspec.inspect.StructType)]
    fields = [one for kind in structs for one in kind.fields if one.name != "observed"]
    needed = [one.encode_name for one in fields if one.required]
    others = [one.encode_name for one in fields if not one.required]
    name = _key(at) if at and at != "$" else payload.TYPE
    if at and at != "$" and not needed:
        return f"{name} may have {', '.join(others)}"
    said = f"{name} needs {', '.join(needed)}" if needed else f"{name} needs no keys"
    return said + (f" and may have {', '.join(others)}" if others else "")
