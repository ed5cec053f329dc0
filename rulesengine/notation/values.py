"""Values in a log: exact JSON within the limits, and the shorter notation of scribe text and spreadsheet cells."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import msgspec

from rulesengine.log import MAX_DEPTH, MAX_INTEGER

BARE = re.compile(r"[A-Za-z0-9_.:/+-]+")
_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_PARTS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_SUSPECT = re.compile(r"\\[ubf]|[\x7f-\x9f\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CONSTANTS: dict[str, Any] = {"true": True, "false": False, "null": None}
_encode = msgspec.json.Encoder().encode


class Malformed(Exception):
    """Something in one line is not as it must be; the message says what was expected.

    `cut` if the line breaks off; `known` is what could be told of the event all the same: its seq, type and seat.
    """

    def __init__(self, message: str, *, cut: bool = False, known: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.cut = cut
        self.known = known or {}


def shown(value: Any, limit: int = 60) -> str:
    """Return a value as it can stand in a message: as JSON, shortened, on one line."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = _CONTROL.sub("�", _SURROGATE.sub("�", text))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def load(text: str) -> Any:
    """Return the value of a JSON text. Raises Malformed for everything that a log may not hold."""
    check_depth(text)
    try:
        value = _JSON.decode(text)
    except json.JSONDecodeError as error:
        raise _not_json(error, text) from None
    if _SUSPECT.search(text):
        check_texts(value)
    return value


def load_at(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that starts at `start` and where it ends. The depth of `text` is the caller's business."""
    try:
        value, end = _JSON.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _not_json(error, text) from None
    if _SUSPECT.search(text, start, end):
        check_texts(value)
    return value, end


def check_depth(text: str, around: int = 0) -> None:
    """Raise Malformed if objects and lists are nested too deeply, `around` levels more than seen here. Linear."""
    depth = around
    if text.count("[") + text.count("{") <= MAX_DEPTH - around:
        return
    for part in _PARTS.finditer(text):
        mark = text[part.start()]
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Malformed(
                    f"objects and lists are nested more than {MAX_DEPTH} deep; a log never needs that, "
                    "look whether the line is damaged"
                )
        elif mark in "]}":
            depth -= 1


def check_texts(value: Any) -> None:
    """Raise Malformed if a text in the value holds control characters or half a surrogate pair."""
    if isinstance(value, str):
        if _SURROGATE.search(value):
            raise Malformed(
                f"the text {shown(value)} holds half a character (a lone surrogate); write the whole character"
            )
        bad = _CONTROL.search(value)
        if bad:
            raise Malformed(
                f"the text {shown(value)} holds the control character U+{ord(bad[0]):04X}; "
                "only tab and line breaks are allowed, remove it"
            )
    elif isinstance(value, dict):
        for key, item in value.items():
            check_texts(key)
            check_texts(item)
    elif isinstance(value, list):
        for item in value:
            check_texts(item)


def _integer(digits: str) -> int:
    if len(digits) > 17 or not -MAX_INTEGER <= (number := int(digits)) <= MAX_INTEGER:
        raise Malformed(
            f"the number {_short(digits)} is too large; whole numbers from -{MAX_INTEGER} to {MAX_INTEGER} are read"
        )
    return number


def _fraction(digits: str) -> NoReturn:
    raise Malformed(f"{_short(digits)} is not a whole number; a log holds whole numbers only, write it without . or e")


def _constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is no JSON value; leave the key out or write null")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _item in pairs:
            if key in seen:
                raise Malformed(f"the key {shown(key)} stands twice in one object; keep one of them")
            seen.add(key)
    return value


def _short(digits: str) -> str:
    return digits if len(digits) <= 30 else digits[:29] + "…"


_JSON = json.JSONDecoder(parse_int=_integer, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_object)

_PLAIN_WORDS = {
    "Expecting property name enclosed in double quotes": "a key in double quotes was expected",
    "Illegal trailing comma before end of object": "a comma stands before the closing brace",
    "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
    "Expecting ':' delimiter": "a colon was expected",
    "Expecting ',' delimiter": "a comma or the end of the object or list was expected",
    "Expecting value": "a value was expected",
    "Extra data": "nothing more was expected on this line",
    "Unterminated string starting at": "the text that begins here has no closing quote",
    "Invalid control character at": "a tab or control character stands in a text, write \\t",
    "Invalid \\escape": "a backslash must be written twice",
    "Invalid \\uXXXX escape": "\\u must be followed by four hexadecimal digits",
}


def _not_json(error: json.JSONDecodeError, text: str) -> Malformed:
    message = error.msg.removesuffix(": ")
    cut = message == "Unterminated string starting at" or error.pos >= len(text.rstrip())
    return Malformed(f"this is not JSON at column {error.pos + 1}: {_PLAIN_WORDS.get(message, message)}", cut=cut)


# The shorter notation -----------------------------------------------------------------------------------------------


def scalar(word: str) -> Any:
    """Return what a bare word means: true, false, null or a whole number if it reads as JSON, else the word itself."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    number = _NUMBER.fullmatch(word)
    if number is None:
        return word
    return _fraction(word) if number[1] or number[2] else _integer(word)


def skip(text: str, start: int) -> int:
    """Return where the next thing that is not a space stands."""
    match = _SPACE.match(text, start)
    return start if match is None else match.end()


def value_at(text: str, start: int) -> tuple[Any, int]:
    """Return the value (JSON or bare word) at `start` and where it ends."""
    if text[start : start + 1] in ('"', "[", "{"):
        return load_at(text, start)
    word, end = _bare_at(text, start)
    return scalar(word), end


def word_at(text: str, start: int) -> tuple[str, int]:
    """Return the text (quoted or bare) at `start` and where it ends; a bare `4` is the text `4`."""
    if text[start : start + 1] == '"':
        value, end = load_at(text, start)
        return str(value), end
    return _bare_at(text, start)


def _bare_at(text: str, start: int) -> tuple[str, int]:
    match = BARE.match(text, start)
    if match is None:
        found = "the end of the line" if start >= len(text) else shown(text[start])
        raise Malformed(
            f"a value was expected at column {start + 1}, not {found}; a text with other signs than letters, "
            "digits and _ . : / + - stands in double quotes",
            cut=start >= len(text),
        )
    return match[0], match.end()


def check_gap(text: str, at: int, closing: str = "") -> None:
    """Raise Malformed unless a word ends at `at`: by a space, the end of the line or one of the `closing` signs."""
    if at < len(text) and text[at] not in " \t\r\n" and text[at] not in closing:
        raise Malformed(
            f"a space was expected at column {at + 1}, not {shown(text[at])}; put a text with such signs in double quotes"
        )


def pairs_at(text: str, start: int, *, marks: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the `key=value` pairs from `start` to the end of the line, and apart from them the `@key=value` ones.

    With `marks` false (a cell of a spreadsheet) there are neither `@` marks nor comments.
    """
    data: dict[str, Any] = {}
    marked: dict[str, Any] = {}
    at = skip(text, start)
    while at < len(text):
        if marks and text[at] == "#":
            break
        is_mark = marks and text[at] == "@"
        key, at = word_at(text, at + is_mark)
        if text[at : at + 1] != "=":
            raise Malformed(f"= and a value were expected after {shown(key)}; details are written key=value")
        target = marked if is_mark else data
        if key in target:
            raise Malformed(f"{'@' if is_mark else ''}{key} stands twice on this line; keep one of them")
        if is_mark and text[at + 1 : at + 2] != "{":
            target[key], at = word_at(text, at + 1)
        else:
            target[key], at = value_at(text, at + 1)
        check_gap(text, at)
        at = skip(text, at)
    return data, marked


def write_value(value: Any) -> str:
    """Return a value in the shorter notation, so that :func:`value_at` reads the same value."""
    if isinstance(value, str):
        if BARE.fullmatch(value) and value not in _CONSTANTS and not _NUMBER.fullmatch(value):
            return value
        return quoted(value)
    return _encode(value).decode()


def write_word(text: str) -> str:
    """Return a text that :func:`word_at` reads: bare where possible."""
    return text if BARE.fullmatch(text) else quoted(text)


def write_pairs(data: dict[str, Any]) -> str:
    """Return details as `key=value key=value`."""
    return " ".join(f"{_key(key)}={write_value(value)}" for key, value in data.items())


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) and (key[0].isalpha() or key[0] == "_") else quoted(key)


def quoted(text: str) -> str:
    """Return a text in double quotes, as JSON."""
    return _encode(text).decode()
