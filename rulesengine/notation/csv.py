"""CSV, the form for spreadsheets: leading rows such as `#Game,hexwar`, then one row for each event.

What spreadsheets make of such a file is read as well: comma, semicolon or tab, UTF-8 or UTF-16, with or without byte
order mark, any line ends, empty cells at the end of a row, empty rows. A cell holds its text as it is; one that
begins with a double quote holds a text as JSON, so that nothing is lost and no cell is taken for a formula.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from rulesengine.log import Header, Line, Log, Unreadable
from rulesengine.notation import envelope
from rulesengine.notation.text import KNOWN_TAGS, LONGEST, TAGS, Tags, write_mark
from rulesengine.notation.values import (
    Malformed,
    check_depth,
    check_texts,
    load,
    pairs_at,
    quoted,
    scalar,
    shown,
    write_pairs,
    write_value,
)

COLUMNS = ("seq", "at", "seat", "as", "type", "data", "note", "id")
_ALL = (*COLUMNS, *envelope.EXPORT_KEYS)
_START = re.compile(
    r'"?#\s*(?:log|id|game|rules|played|timezone|title|depth|seat|official|option|context)"?\s*([,;\t])', re.I
)
_COLUMNS_START = re.compile(r'"?(?:seq|type)"?\s*([,;\t])', re.I)
_QUOTED = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PLAIN = re.compile(r"[^\W_][^\r\n]*", re.UNICODE)
_REWRITTEN = re.compile(r"[0-9.,:/eE+ -]+|true|false|null", re.IGNORECASE | re.ASCII)
"""What a spreadsheet may take for a number, a date or a truth value and write back in its own way."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_DIGITS = re.compile(r"[0-9]{1,15}", re.ASCII)


_NOT_TOLD_APART = "the cells of this row cannot be told apart; put a cell with separators in double quotes and double each quote in it"
_NOT_CLOSED = (
    "a double quote that opens in this row is not closed; the log seems to be cut in the middle, take the whole file"
)


def looks_like(start: str) -> bool:
    """Return whether a file that starts like this is a CSV log."""
    return _START.match(start) is not None or _COLUMNS_START.match(start) is not None


def parse(raw: bytes) -> Log:
    """Return the log in a CSV file. Raises Unreadable."""
    text = _decoded(raw)
    start = text.lstrip()
    delimiter = (_START.match(start) or _COLUMNS_START.match(start) or [",", ","])[1]
    tags = Tags()
    head: Header | None = None
    columns: list[str] = []
    collector = envelope.Collector()
    for number, row, problem in _rows(text, delimiter):
        if head is None:
            try:
                if problem:
                    raise Malformed(problem)
                tags.number = number
                if row[0].lstrip().startswith("#"):
                    _read_tag(row, tags)
                else:
                    columns = _columns(row)
                    head = tags.header()
            except Malformed as error:
                raise Unreadable(error.message, number) from None
        elif problem:
            collector.broken(problem, number)
        else:
            collector.read(partial(_event, row, columns), number)
    return collector.log(head or tags.header())


def _decoded(raw: bytes) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            raise Unreadable("the file begins as UTF-16 but is not; save it again as CSV UTF-8") from None
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"the file is not UTF-8 (byte 0x{raw[error.start]:02X}); save it as CSV UTF-8",
            raw.count(b"\n", 0, error.start) + 1,
        ) from None


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str], str]]:
    """Yield the number of the line each row that is not empty starts on, its cells, and what is wrong with it."""
    too_long = False

    def lines() -> Iterator[str]:
        nonlocal too_long
        for match in _LINE.finditer(text):
            line = match[0]
            if len(line) > LONGEST:
                too_long = True
                yield "x\n"
            else:
                yield line

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    number = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise Unreadable(
                _NOT_CLOSED if "end of data" in str(error) else _NOT_TOLD_APART,
                number,
            ) from None
        if row is None:
            return
        if too_long:
            yield number, row, f"the line is longer than {LONGEST // 1024} KiB; look whether line breaks are lost"
            too_long = False
        elif any(cell.strip() for cell in row):
            yield number, row, ""
        number = reader.line_num + 1


def _read_tag(row: list[str], tags: Tags) -> None:
    name = row[0].strip().removeprefix("#").strip()
    tag = name.lower()
    cells = [cell.strip() for cell in row[1:]]
    while cells and not cells[-1]:
        cells.pop()
    if tag in TAGS:
        if len(cells) > 1:
            raise Malformed(
                f"{name} has {len(cells)} cells; one was expected, put a text with separators in double quotes"
            )
        tags.single(tag, _word(cells[0]) if cells else "")
    elif tag in ("seat", "official"):
        _read_person(tag, cells, tags)
    elif tag in ("option", "context"):
        if len(cells) > 2:
            raise Malformed(f"{name} has {len(cells)} cells; a key and a value were expected")
        key, value = (*cells, "", "")[:2]
        tags.entry(tag, _word(key), _value(value))
    else:
        raise Malformed(f"{shown(name)} is no header row; known are {KNOWN_TAGS}")


def _read_person(tag: str, cells: list[str], tags: Tags) -> None:
    words: list[str] = []
    more: dict[str, Any] = {}
    for index, cell in enumerate(cells):
        if index < 3:
            words.append(_word(cell))
        elif cell:
            pairs = _pairs(cell)
            for key in pairs:
                if key in more:
                    raise Malformed(f"{shown(key)} stands twice for one {tag}; keep one of them")
            more.update(pairs)
    tags.person(tag, words, more)


def _word(cell: str) -> str:
    """Return the text in a cell."""
    if _QUOTED.fullmatch(cell):
        return str(load(cell))
    check_texts(cell)
    return cell


def _value(cell: str) -> Any:
    """Return the value in a cell: JSON if it reads as JSON, else the text itself."""
    if cell[:1] in ("[", "{") or _QUOTED.fullmatch(cell):
        return load(cell)
    check_texts(cell)
    return scalar(cell.lower() if cell in ("TRUE", "FALSE") else cell)


def _pairs(cell: str) -> dict[str, Any]:
    check_depth(cell)
    return pairs_at(cell, 0, marks=False)[0]


def _columns(row: list[str]) -> list[str]:
    columns = [cell.strip().lower() for cell in row]
    while columns and not columns[-1]:
        columns.pop()
    for column in columns:
        if column not in _ALL:
            raise Malformed(f"{shown(column)} is no column; the columns are {', '.join(COLUMNS)}")
        if columns.count(column) > 1:
            raise Malformed(f"the column {column} stands twice; keep one of them")
    if "type" not in columns:
        raise Malformed(f"the column type is missing; the columns are {', '.join(COLUMNS)}")
    return columns


def _event(row: list[str], columns: list[str]) -> dict[str, Any]:
    if any(cell.strip() for cell in row[len(columns) :]):
        raise Malformed(
            f"the row has {len(row)} cells for {len(columns)} columns; put a cell with separators in double quotes"
        )
    cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False)}
    value: dict[str, Any] = {}
    seq = cells.pop("seq", "")
    if seq:
        value["seq"] = int(seq) if _DIGITS.fullmatch(seq) else seq
    try:
        data = cells.pop("data", "")
        value["data"] = _pairs(data)
        for column, cell in cells.items():
            if cell and not (column == "seat" and cell == "-"):
                value[column] = load(cell) if column == "salts" else _word(cell)
    except Malformed as error:
        error.known = {**cells, **value}
        raise
    return value


def write(log: Log) -> bytes:
    """Return the log as CSV with commas, in UTF-8 with byte order mark and CRLF, as spreadsheets like it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows(_header_rows(envelope.header_values(log.header)))
    more = [key for key in envelope.EXPORT_KEYS if any(getattr(line, key) for line in log.lines)]
    columns = [*COLUMNS, *more]
    writer.writerow(columns)
    writer.writerows(_event_row(line, columns) for line in log.lines)
    return codecs.BOM_UTF8 + out.getvalue().encode()


def _header_rows(head: dict[str, Any]) -> Iterator[list[str]]:
    for tag, key in TAGS.items():
        if key in head:
            yield [f"#{tag.capitalize()}", _cell(head[key]) if tag in ("title", "rules") else head[key]]
    for tag, first, entries in (("#Seat", "seat", head["seats"]), ("#Official", "role", head.get("officials", []))):
        for entry in entries:
            row = [tag, entry[first], _cell(entry.get("name", "")), _cell(entry.get("player", ""))]
            yield row + [write_pairs({key: entry[key]}) for key in entry if key not in (first, "name", "player")]
    for tag, entries in (("#Option", head.get("options", {})), ("#Context", head.get("context", {}))):
        for key, value in entries.items():
            written = write_value(value) if not isinstance(value, str) else _plain_or_quoted(value)
            yield [tag, _cell(key), written]


def _plain_or_quoted(text: str) -> str:
    """Return a text as it can stand in a cell of any value: as it is only if it is read as a text again."""
    return text if text and _cell(text) == text and scalar(text) == text else quoted(text)


def _cell(text: str) -> str:
    """Return a text as it can stand in a cell: as it is if it begins with a letter or digit, else as JSON."""
    if not text or (_PLAIN.fullmatch(text) and text == text.strip() and not _REWRITTEN.fullmatch(text)):
        return text
    return quoted(text)


def _event_row(line: Line, columns: list[str]) -> list[str]:
    value = envelope.event_values(line)
    row = []
    for column in columns:
        if column == "data":
            row.append(write_pairs(value.get("data", {})))
        elif column == "salts":
            row.append(write_mark(column, value[column]) if column in value else "")
        else:
            text = str(value.get(column, ""))
            row.append(_cell(text) if column in ("note", "by") else text)
    return row
