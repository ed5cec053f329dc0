"""What stands around an event and at the head of a log, checked key by key, whatever form of file it came from."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from rulesengine import canonical
from rulesengine.log import (
    FORMAT,
    GAMES,
    MAX_EVENTS,
    MAX_LINE,
    MAX_NOTE,
    ROLES,
    FormFinding,
    Header,
    Line,
    Log,
    Official,
    Seat,
    Unreadable,
)
from rulesengine.notation.values import Malformed, check_depth, shown

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII)
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII
)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", re.ASCII)
TYPE = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}", re.ASCII)
_YEARS = range(1000, 9999)  # beyond them a moment may have no UTC
HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)

HEADER_KEYS = (
    "log", "depth", "id", "game", "rules", "played_on", "timezone", "title", "seats", "officials", "options", "context",
)  # fmt: skip
EVENT_KEYS = ("seq", "type", "seat", "as", "at", "id", "note", "data", "by", "recorded_at", "hash", "salts")
EXPORT_KEYS = ("by", "recorded_at", "hash", "salts")
_HEADER_KEYS = frozenset(HEADER_KEYS)
_EVENT_KEYS = frozenset(EVENT_KEYS)
_LONG = MAX_LINE * 3 // 4
_encode = msgspec.json.Encoder().encode


def uuid(text: str) -> str | None:
    """Return a UUID in lower case; None if the text is none."""
    text = text.lower()
    return text if _UUID.fullmatch(text) else None


def is_time(text: str) -> bool:
    """Return whether a text is a moment such as 2026-11-28T14:03:22-06:00; seconds and offset may be missing."""
    if not _TIME.fullmatch(text):
        return False
    try:
        return datetime.fromisoformat(text).year in _YEARS
    except ValueError:
        return False


@lru_cache(maxsize=1024)
def is_zone(name: str) -> bool:
    """Return whether a name is a zone of the IANA time zone database."""
    if not _ZONE.fullmatch(name):
        return False
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


# Header -------------------------------------------------------------------------------------------------------------


def header(value: Any) -> Header:
    """Return the header from plain values. Raises Malformed for whatever is not as the format says."""
    if not isinstance(value, dict):
        raise Malformed(f"the header must be an object, not {shown(value)}")
    if "log" not in value:
        raise Malformed(
            f'this is no header of a match log: the key "log" is missing; the first line begins {{"log": "{FORMAT}", …'
        )
    if value["log"] != FORMAT:
        raise Malformed(f'"log" is {shown(value["log"])}; this site reads "{FORMAT}", export the log in that version')
    _no_other_keys(value, _HEADER_KEYS, HEADER_KEYS, "the header")
    depth = _text(value, "depth") or "log"
    if depth not in ("log", "score", "import"):
        raise Malformed(f'"depth" is {shown(depth)}; it must be "log", "score" or "import"')
    rules = _text(value, "rules")
    if depth != "log" and rules is not None:
        raise Malformed(f'a match of depth "{depth}" has no moves, so it names no rules; leave "rules" out')
    identity = _identity(value)
    zone = _text(value, "timezone") or "UTC"
    if not is_zone(zone):
        raise Malformed(f'"timezone" is {shown(zone)}; it must be an IANA zone such as "America/Chicago" or "UTC"')
    made = Header(
        log=FORMAT,
        game=_game(value, depth),
        played_on=_played_on(value),
        seats=tuple(seat(item) for item in _list(value, "seats", required=True)),
        id=identity,
        rules=rules,
        timezone=zone,
        title=_text(value, "title"),
        officials=tuple(official(item) for item in _list(value, "officials")),
        options=_dict(value, "options"),
        context=_dict(value, "context"),
        depth=depth,  # type: ignore[arg-type]
    )
    written = canonical.dumps(header_values(made))
    check_depth(written.decode())
    if len(written) > MAX_LINE:
        raise Malformed(f"the header is longer than {MAX_LINE // 1024} KiB; shorten its texts")
    return made


def header_values(made: Header) -> dict[str, Any]:
    """Return the header as plain values; what is empty or has its default is left out."""
    value: dict[str, Any] = {"log": made.log}
    if made.id:
        value["id"] = made.id.lower()
    value["game"] = made.game
    if made.rules:
        value["rules"] = made.rules
    value["played_on"] = made.played_on
    if made.timezone != "UTC":
        value["timezone"] = made.timezone
    if made.title:
        value["title"] = made.title
    value["seats"] = [_given(each) for each in made.seats]
    if made.officials:
        value["officials"] = [_given(each) for each in made.officials]
    if made.options:
        value["options"] = made.options
    if made.context:
        value["context"] = made.context
    if made.depth != "log":
        value["depth"] = made.depth
    return value


def _given(made: Seat | Official) -> dict[str, Any]:
    fields = {name: getattr(made, name) for name in made.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not None and value != ""}


def _game(value: dict[str, Any], depth: str) -> str:
    game = _text(value, "game")
    if game is None:
        raise Malformed(f'the key "game" is missing; it must be one of {", ".join(GAMES)}')
    if depth == "log":
        if game not in GAMES:
            raise Malformed(
                f'"game" is {shown(game)}; moves are read of {", ".join(GAMES)}. '
                'A result of any other game is recorded with "depth": "score"'
            )
    elif not _SLUG.fullmatch(game):
        raise Malformed(
            f'"game" is {shown(game)}; it must be a short name of at most 60 lower-case letters, digits, - and _'
        )
    return game


def _played_on(value: dict[str, Any]) -> str:
    day = _text(value, "played_on")
    if day is None:
        raise Malformed('the key "played_on" is missing; it must be the local date of the table such as "2026-11-28"')
    try:
        if not _DAY.fullmatch(day):
            raise ValueError
        if date.fromisoformat(day).year not in _YEARS:
            raise ValueError
    except ValueError:
        raise Malformed(f'"played_on" is {shown(day)}; it must be a date such as "2026-11-28"') from None
    return day


_SEAT_KEYS = Seat.__struct_fields__
_OFFICIAL_KEYS = Official.__struct_fields__
_OFFICES = tuple(role for role in ROLES if role != "general")


def seat(item: Any) -> Seat:
    """Return a seat from plain values. Raises Malformed."""
    if not isinstance(item, dict):
        raise Malformed(f'a seat must be an object such as {{"seat": "A", "name": "…"}}, not {shown(item)}')
    _no_other_keys(item, frozenset(_SEAT_KEYS), _SEAT_KEYS, "a seat")
    letter = item.get("seat")
    if not is_letter(letter):
        raise Malformed(f'"seat" of a seat is {shown(letter)}; it must be one capital letter from A to Z')
    pieces, level = item.get("custom_pieces"), item.get("king_level")
    if pieces is not None and not isinstance(pieces, bool):
        raise Malformed(f'"custom_pieces" of seat {letter} is {shown(pieces)}; true or false was expected')
    if level is not None and (not isinstance(level, int) or isinstance(level, bool) or level < 1):
        raise Malformed(f'"king_level" of seat {letter} is {shown(level)}; a whole number from 1 was expected')
    return Seat(
        seat=str(letter),
        name=_text(item, "name") or "",
        player=_text(item, "player"),
        kingdom=_text(item, "kingdom"),
        colour=_text(item, "colour"),
        custom_pieces=pieces,
        general=item.get("general"),
        king_level=level,
    )


def official(item: Any) -> Official:
    """Return an official from plain values. Raises Malformed."""
    if not isinstance(item, dict):
        raise Malformed(f'an official must be an object such as {{"role": "scribe", "name": "…"}}, not {shown(item)}')
    _no_other_keys(item, frozenset(_OFFICIAL_KEYS), _OFFICIAL_KEYS, "an official")
    role = item.get("role")
    if role not in _OFFICES:
        raise Malformed(f'"role" of an official is {shown(role)}; it must be one of {", ".join(_OFFICES)}')
    return Official(role=role, name=_text(item, "name") or "", player=_text(item, "player"))


def is_letter(value: Any) -> bool:
    """Return whether a value is a seat: one capital letter."""
    return isinstance(value, str) and len(value) == 1 and "A" <= value <= "Z"


def _no_other_keys(value: dict[str, Any], known: frozenset[str], order: tuple[str, ...], where: str) -> None:
    for key in value:
        if key not in known:
            raise Malformed(f"{where} has the unknown key {shown(key)}; known are {', '.join(order)}")


def _text(value: dict[str, Any], key: str) -> str | None:
    """Return a text, None where it is missing or empty."""
    text = value.get(key)
    if text is None or text == "":
        return None
    if not isinstance(text, str):
        raise Malformed(f'"{key}" is {shown(text)}; it must be a text in double quotes')
    return text


def _identity(value: dict[str, Any]) -> str | None:
    text = _text(value, "id")
    if text is None:
        return None
    identity = uuid(text)
    if identity is None:
        raise Malformed(f'"id" is {shown(text)}; it must be a UUID such as 0193b2f0-5c0e-7a31-9c55-0d7c2b1f4a10')
    return identity


def _list(value: dict[str, Any], key: str, *, required: bool = False) -> list[Any]:
    items = value.get(key)
    if items is None:
        if required:
            raise Malformed(f'the key "{key}" is missing; it lists the seats in turn order')
        return []
    if not isinstance(items, list):
        raise Malformed(f'"{key}" is {shown(items)}; it must be a list in brackets')
    return items


def _dict(value: dict[str, Any], key: str) -> dict[str, Any]:
    items = value.get(key)
    if items is None:
        return {}
    if not isinstance(items, dict):
        raise Malformed(f'"{key}" is {shown(items)}; it must be an object in braces')
    return items


# Events -------------------------------------------------------------------------------------------------------------


def event(value: Any, number: int | None) -> Line:
    """Return an event from plain values, with seq 0 if it names none. Raises Malformed."""
    if not isinstance(value, dict):
        raise Malformed(f"an event must be an object in braces, not {shown(value)}")
    seq = value.get("seq")
    if seq is not None and (type(seq) is not int or seq < 1):
        raise Malformed(f'"seq" is {shown(seq)}; it must be the number of the event: 1, 2, 3 …', known=value)
    try:
        return _event(value, seq or 0, number)
    except Malformed as error:
        error.known = value
        raise


def _event(value: dict[str, Any], seq: int, number: int | None) -> Line:
    _no_other_keys(value, _EVENT_KEYS, EVENT_KEYS, "the event")
    kind = value.get("type")
    if kind is None:
        raise Malformed('the key "type" is missing; it says what happened, such as "turn_ended"')
    if not isinstance(kind, str) or not TYPE.fullmatch(kind):
        raise Malformed(
            f'"type" is {shown(kind)}; it must be the name of an event in lower-case letters, digits and _, '
            'such as "turn_ended"'
        )
    seat = value.get("seat")
    if seat is not None and not is_letter(seat):
        raise Malformed(f'"seat" is {shown(seat)}; it must be one capital letter from A to Z, or be left out')
    role = _text(value, "as")
    if role is not None and not TYPE.fullmatch(role):
        raise Malformed(f'"as" is {shown(role)}; it must be a role, one of {", ".join(ROLES)}')
    identity = _identity(value)
    note = _text(value, "note")
    if note is not None and len(note) > MAX_NOTE:
        raise Malformed(f'"note" has {len(note)} characters; at most {MAX_NOTE} are kept, shorten it')
    data = value.get("data", {})
    if not isinstance(data, dict):
        raise Malformed(f'"data" is {shown(data)}; it must be an object in braces, or be left out')
    written = _encode(data)
    check_depth(written.decode(), around=1)
    fingerprint = _text(value, "hash")
    if fingerprint is not None and not HASH.fullmatch(fingerprint):
        raise Malformed(f'"hash" is {shown(fingerprint)}; it must be 64 hexadecimal digits in lower case')
    salts = _dict(value, "salts")
    for key, salt in salts.items():
        if not isinstance(salt, str):
            raise Malformed(f'"salts" holds {shown(salt)} under {shown(key)}; every salt must be a text')
    made = Line(
        seq=seq,
        type=sys.intern(kind),
        seat=seat,
        data=written,
        at=_moment(value, "at"),
        acting_as=role,
        id=identity,
        note=note,
        by=_text(value, "by"),
        recorded_at=_moment(value, "recorded_at"),
        hash=fingerprint,
        salts=salts or None,
        number=number,
    )
    check_size(made)
    return made


def check_size(made: Line) -> None:
    """Raise Malformed if the event as one line of JSON is longer than a line may be."""
    loose = len(made.by or "") + sum(len(key) + len(salt) for key, salt in (made.salts or {}).items())
    if len(made.data) + 6 * loose > _LONG:
        values = {**event_values(made), "seq": MAX_EVENTS}
        if len(_encode(values)) > MAX_LINE:
            raise Malformed(
                f"the event is longer than {MAX_LINE // 1024} KiB as a line of JSON; split it or shorten it"
            )


def _moment(value: dict[str, Any], key: str) -> str | None:
    text = _text(value, key)
    if text is not None and not is_time(text):
        raise Malformed(
            f'"{key}" is {shown(text)}; it must be a date and time such as "2026-11-28T14:03:22-06:00", '
            "the offset may be left out"
        )
    return text


def event_values(made: Line) -> dict[str, Any]:
    """Return an event as plain values; what is empty is left out, `seq` never, `data` stands last."""
    value: dict[str, Any] = {"seq": made.seq, "type": made.type}
    if made.seat:
        value["seat"] = made.seat
    if made.acting_as:
        value["as"] = made.acting_as
    if made.at:
        value["at"] = made.at
    if made.id:
        value["id"] = made.id.lower()
    if made.note:
        value["note"] = made.note
    if made.by:
        value["by"] = made.by
    if made.recorded_at:
        value["recorded_at"] = made.recorded_at
    if made.hash:
        value["hash"] = made.hash
    if made.salts:
        value["salts"] = made.salts
    data = made.payload()
    if data:
        value["data"] = data
    return value


# A log in the making ------------------------------------------------------------------------------------------------


class Collector:
    """Takes the events of a file one by one, numbers them, and notes what was wrong with single lines."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.findings: list[FormFinding] = []
        self.lowest = 1
        """The smallest number the next event may have: `expected`, unless lines before it could not be read."""
        self.expected = 1
        self.count = 0
        self._by_id: dict[str, Line] = {}

    def read(self, make: Callable[[], Any], number: int) -> None:
        """Add the event whose plain values `make` returns; note it if they or the event are malformed."""
        try:
            made = event(make(), number)
        except Malformed as error:
            self.broken(error.message, number, error.known)
        else:
            self.add(made)

    def add(self, made: Line) -> None:
        """Add an event; one with seq 0 gets the next number."""
        self._count()
        if made.id is not None and self._repeats(made):
            return
        if made.seq == self.lowest == self.expected <= MAX_EVENTS:
            self.lowest = self.expected = made.seq + 1
            wrong = None
        else:
            wrong = self._take(made.seq)
        if wrong is not None:
            self.findings.append(FormFinding(wrong, made.number, made.seq or None, made.type, made.seat))
            return
        if made.seq == 0:
            made = msgspec.structs.replace(made, seq=self.expected - 1)
        if made.id is not None:
            self._by_id[made.id] = made
        self.lines.append(made)

    def broken(self, message: str, number: int, known: dict[str, Any] | None = None) -> None:
        """Note an event that could not be read, with what is known of it. It takes its number all the same."""
        self._count()
        known = known or {}
        seq, kind, seat = known.get("seq"), known.get("type"), known.get("seat")
        if type(seq) is not int or seq < 1:
            seq = None
            self.expected += 1
        elif self.lowest <= seq:
            self._take(seq)
        self.findings.append(
            FormFinding(
                message,
                number,
                seq,
                kind if isinstance(kind, str) and TYPE.fullmatch(kind) else None,
                seat if is_letter(seat) else None,
            )
        )

    def log(self, head: Header) -> Log:
        """Return the log."""
        return Log(head, tuple(self.lines), tuple(self.findings))

    def _take(self, seq: int) -> str | None:
        """Take a number (0 means the next one); return what is wrong with it."""
        if seq == 0:
            seq = self.expected
        if seq < self.lowest:
            return f"seq {seq} stands after seq {self.lowest - 1}; put the lines in order and number them 1, 2, 3 …"
        if seq > MAX_EVENTS:
            self.expected += 1
            return f"seq {seq} is more than a log may hold ({MAX_EVENTS} events); number the lines 1, 2, 3 …"
        wrong = None
        if seq > self.expected:
            missing = (
                f"seq {self.expected} is" if seq == self.expected + 1 else f"seqs {self.expected} to {seq - 1} are"
            )
            wrong = (
                f"seq {seq} stands where seq {self.expected} was expected; "
                f"{missing} missing, add what is missing or number the lines 1, 2, 3 …"
            )
        self.lowest = self.expected = seq + 1
        return wrong

    def _count(self) -> None:
        self.count += 1
        if self.count > MAX_EVENTS:
            raise Unreadable(
                f"the log has more than {MAX_EVENTS} events; a match never needs that many, split the file"
            )

    def _repeats(self, made: Line) -> bool:
        """Return whether an event with this id was there before, and note it if it was a different one."""
        first = self._by_id.get(made.id or "")
        if first is None:
            return False
        if made.seq == self.expected:
            self._take(made.seq)
        if _content(first) != _content(made):
            self.findings.append(
                FormFinding(
                    f"the id {made.id} stands on seq {first.seq} too, with other content; an id belongs to one event, "
                    "give this one its own or leave it out",
                    made.number,
                    made.seq or None,
                    made.type,
                    made.seat,
                )
            )
        return True


def _content(made: Line) -> tuple[Any, ...]:
    return made.type, made.seat, made.acting_as, made.at, made.note, canonical.dumps(made.payload())


def decoded(row: bytes) -> str:
    """Return a line as text. Raises Malformed unless it is UTF-8."""
    try:
        return row.decode()
    except UnicodeDecodeError as error:
        raise Malformed(
            f"the line is not UTF-8 (byte 0x{row[error.start]:02X} at position {error.start + 1}); save the file as UTF-8"
        ) from None
