"""Scribe text, the form for writing by hand: header tags in brackets, then one event a line."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from rulesengine.log import FORMAT, MAX_LINE, Header, Line, Log, Unreadable
from rulesengine.notation import envelope
from rulesengine.notation.values import (
    Malformed,
    check_depth,
    check_gap,
    pairs_at,
    quoted,
    shown,
    skip,
    value_at,
    word_at,
    write_pairs,
    write_value,
    write_word,
)

CUT = "; the log seems to be cut in the middle, take the whole file"
LONGEST = 4 * MAX_LINE
"""A written-out line may be longer than the same event as JSON, which is what the limit is about."""

TAGS = {
    "log": "log",
    "id": "id",
    "game": "game",
    "rules": "rules",
    "played": "played_on",
    "timezone": "timezone",
    "title": "title",
    "depth": "depth",
}
"""The tags with one text, and the key of the header each fills."""

KNOWN_TAGS = "Log, Id, Game, Rules, Played, Timezone, Title, Depth, Seat, Official, Option, Context"
MARKS = ("as", "at", "id", "note", "by", "recorded_at", "hash", "salts")

_TAG = re.compile(r"\[\s*([A-Za-z_]+)(?=[\s\]])")
_EVENT = re.compile(r"([0-9]+)[ \t]*\.[ \t]+(\S+)[ \t]+(\S+)")
_PARTIAL = re.compile(r"[0-9]+[ \t]*(\.[ \t]*\S*)?")
_START = re.compile(r"\[\s*[A-Za-z]+[\s\]]|[0-9]+[ \t]*\.[ \t]")


def looks_like(row: str) -> bool:
    """Return whether a line is a header tag or an event of scribe text."""
    return _START.match(row) is not None


def parse(raw: bytes) -> Log:
    """Return the log in a file of scribe text. Raises Unreadable."""
    tags = Tags()
    head: Header | None = None
    collector = envelope.Collector()
    rows = raw.split(b"\n")
    for number, row in enumerate(rows, 1):
        line = row.strip()
        if not line or line.startswith(b"#"):
            continue
        if head is None:
            tags.number = number
            if line.startswith(b"["):
                try:
                    _read_tag(_decoded(line), tags)
                except Malformed as error:
                    raise Unreadable(error.message, number) from None
                continue
            head = tags.header()
        collector.read(partial(_event, line, number == len(rows)), number)
    return collector.log(head or tags.header())


class Tags:
    """The header as it comes together from tags (scribe text) or leading rows (CSV)."""

    def __init__(self) -> None:
        self.value: dict[str, Any] = {}
        self.number = 1
        """The line that is being read."""
        self._lines: dict[str, int] = {}

    def single(self, tag: str, text: str) -> None:
        """Take a tag with one text."""
        key = TAGS[tag]
        if key in self.value:
            raise Malformed(f"{tag.capitalize()} stands twice in the header; keep one of them")
        self.value[key] = text
        self._lines[key] = self.number

    def person(self, tag: str, words: list[str], more: dict[str, Any]) -> None:
        """Take a seat or an official: letter or role, name, handle, and further keys."""
        first, several = ("seat", "seats") if tag == "seat" else ("role", "officials")
        if not 1 <= len(words) <= 3:
            raise Malformed(
                f"{tag.capitalize()} has {len(words)} values; expected are "
                f"{'the letter' if tag == 'seat' else 'the role'}, the name and the handle"
            )
        entry: dict[str, Any] = dict(zip((first, "name", "player"), words, strict=False))
        for key, value in more.items():
            if key in entry:
                raise Malformed(f"{shown(key)} stands twice for one {tag}; keep one of them")
            entry[key] = value
        if tag == "seat":
            envelope.seat(entry)
        else:
            envelope.official(entry)
        self.value.setdefault(several, []).append(entry)

    def entry(self, tag: str, key: str, value: Any) -> None:
        """Take an option or a piece of context."""
        entries = self.value.setdefault("options" if tag == "option" else "context", {})
        if key in entries:
            raise Malformed(f"the {tag} {shown(key)} stands twice; keep one of them")
        entries[key] = value

    def header(self) -> Header:
        """Return the header. Raises Unreadable."""
        self.value.setdefault("log", FORMAT)
        self.value.setdefault("seats", [])
        try:
            return envelope.header(self.value)
        except Malformed as error:
            message, number = error.message, self.number
            for tag, key in TAGS.items():
                if message.startswith((f'"{key}"', f'the key "{key}"')):
                    message, number = message.replace(f'"{key}"', tag.capitalize(), 1), self._lines.get(key, number)
            raise Unreadable(message, number) from None


def _decoded(row: bytes) -> str:
    if len(row) > LONGEST:
        raise Malformed(f"the line is longer than {LONGEST // 1024} KiB; look whether line breaks are lost")
    text = envelope.decoded(row)
    check_depth(text)
    return text


def _read_tag(text: str, tags: Tags) -> None:
    match = _TAG.match(text)
    tag = match[1].lower() if match else ""
    if match is None or tag not in (*TAGS, "seat", "official", "option", "context"):
        name = match[1] if match else text[1:20]
        raise Malformed(f"{shown(name)} is no header tag; known are {KNOWN_TAGS}")
    at = skip(text, match.end())
    if tag in ("option", "context"):
        key, at = word_at(text, at)
        check_gap(text, at)
        value, at = value_at(text, skip(text, at))
        check_gap(text, at, "]")
        at = _end(text, at)
        tags.entry(tag, key, value)
        return
    words: list[str] = []
    more: dict[str, Any] = {}
    while text[at : at + 1] != "]":
        if at >= len(text):
            raise Malformed("the tag has no closing bracket ] on its line")
        word, at = word_at(text, at)
        if text[at : at + 1] == "=":
            if word in more:
                raise Malformed(f"{shown(word)} stands twice for one {tag}; keep one of them")
            more[word], at = value_at(text, at + 1)
        elif more:
            raise Malformed(f"{shown(word)} stands after key=value; the name and the handle come first")
        else:
            words.append(word)
        check_gap(text, at, "]")
        at = skip(text, at)
    _end(text, at)
    if tag not in TAGS:
        tags.person(tag, words, more)
    elif len(words) == 1 and not more:
        tags.single(tag, words[0])
    else:
        raise Malformed(
            f"{match[1]} has {len(words) + len(more)} values; one was expected, put a text with spaces in double quotes"
        )


def _end(text: str, at: int) -> int:
    """Check that only a comment follows the closing bracket of a tag."""
    at = skip(text, at)
    if text[at : at + 1] != "]":
        raise Malformed(
            f"the tag was expected to end with ] at column {at + 1}; put a text with spaces in double quotes"
        )
    at = skip(text, at + 1)
    if at < len(text) and text[at] != "#":
        raise Malformed(f"nothing but a comment may follow the tag, not {shown(text[at:])}")
    return at


def _event(row: bytes, is_end: bool) -> dict[str, Any]:
    """Return the plain values of an event line. `is_end`: no line break follows."""
    text = _decoded(row)
    if text.startswith("["):
        raise Malformed("a header tag stands after the first event; move it to the head of the file")
    match = _EVENT.match(text)
    if match is None:
        raise Malformed(
            "this is no event; an event is written SEQ. SEAT TYPE key=value …, with - where nobody's seat acts"
            + (CUT if is_end and _PARTIAL.fullmatch(text) else "")
        )
    seq = int(match[1]) if len(match[1]) < 16 else None
    if seq is None:
        raise Malformed(f"the number {match[1][:20]}… is too large; number the lines 1, 2, 3 …")
    value: dict[str, Any] = {"seq": seq, "type": match[3]}
    if match[2] != "-":
        value["seat"] = match[2]
    try:
        check_gap(text, match.end())
        value["data"], marks = pairs_at(text, match.end(), marks=True)
        for mark in marks:
            if mark not in MARKS:
                raise Malformed(f"@{mark} is unknown; known are {', '.join('@' + known for known in MARKS)}")
    except Malformed as error:
        error.known = value
        if is_end and error.cut:
            error.message += CUT
        raise
    value.update(marks)
    return value


def write(log: Log) -> bytes:
    """Return the log as scribe text, ending with a line break."""
    rows = [f"[{' '.join(words)}]" for words in _tags(envelope.header_values(log.header))]
    rows.append("")
    rows.extend(_written(line) for line in log.lines)
    rows.append("")
    return "\n".join(rows).encode()


def _tags(head: dict[str, Any]) -> list[list[str]]:
    written = [
        [tag.capitalize(), quoted(head[key]) if tag in ("title", "game") else write_word(head[key])]
        for tag, key in TAGS.items()
        if key in head
    ]
    for tag, first, entries in (("Seat", "seat", head["seats"]), ("Official", "role", head.get("officials", []))):
        for entry in entries:
            written.append([tag, write_word(entry[first]), quoted(entry.get("name", ""))])
            if "player" in entry:
                written[-1].append(write_word(entry["player"]))
            more = {key: value for key, value in entry.items() if key not in (first, "name", "player")}
            if more:
                written[-1].append(write_pairs(more))
    for tag, entries in (("Option", head.get("options", {})), ("Context", head.get("context", {}))):
        written.extend([tag, write_word(key), write_value(value)] for key, value in entries.items())
    return written


def _written(line: Line) -> str:
    value = envelope.event_values(line)
    words = [f"{line.seq}.", value.get("seat", "-"), line.type]
    if "data" in value:
        words.append(write_pairs(value["data"]))
    for mark in MARKS:
        if mark in value:
            content = value[mark]
            words.append(f"@{mark}={write_mark(mark, content)}")
    return " ".join(words)


def write_mark(mark: str, content: Any) -> str:
    """Return what stands after `@mark=`: notes always quoted, salts as an object, the rest as a word."""
    if mark == "note":
        return quoted(content)
    return write_value(content) if mark == "salts" else write_word(content)
