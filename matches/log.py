"""The log: append to a stream, follow what was appended, verify what is there. Nothing else writes to its table.

A row's *canonical form* is JSON after RFC 8785 of kind, stream, seq, type, seat, data, as, by, event_id, occurred_at and
recorded_at. The hash of a row is SHA-256(hash of the row before ‖ canonical form); before the first row stands SHA-256 of the
stream's id. Free text is not part of it: the row holds the hash of a salt and the text (:mod:`matches.texts`).
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal
from uuid import UUID, uuid5

import msgspec
from django.db import connection, transaction
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace
from psycopg.errors import UniqueViolation

from matches import texts as free_texts
from matches.texts import Kept
from rulesengine import canonical

Kind = Literal["match", "tournament", "league", "person"]

_decode = msgspec.json.Decoder().decode
_sorted = msgspec.json.Encoder(order="deterministic").encode
# Whatever may need more than sorting: fractions, large numbers, characters beyond ASCII, written out or escaped.
_CAREFULLY = re.compile(rb"[0-9][.eE]|[0-9]{16}|\\u|[^\x00-\x7f]")
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_NULL = struct.pack("!i", -1)
_LENGTHS = [struct.pack("!i", length) for length in range(4096)]
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0)
_COLUMNS = "stream, kind, by, recorded_at, seq, type, seat, acting_as, occurred_at, event_id, hash, data"
_BLOCK = 500


class Entry(Struct, frozen=True):
    """What is to be appended: `data` as JSON text or plain values, `texts` the free texts that `data` holds the hashes of."""

    type: str
    data: bytes | dict[str, Any] = b"{}"
    seat: str | None = None
    acting_as: str | None = None
    occurred_at: datetime | None = None
    event_id: UUID | None = None
    texts: tuple[Kept, ...] = ()


class Head(Struct, frozen=True):
    """The last row of a stream."""

    seq: int
    hash: bytes
    kind: str


class Row(Struct, frozen=True):
    """One row of the log as it is read: `data` is JSON text."""

    position: int
    xid: int
    stream: UUID
    seq: int
    kind: str
    type: str
    seat: str | None
    data: bytes
    event_id: UUID
    by: UUID | None
    acting_as: str | None
    occurred_at: datetime | None
    recorded_at: datetime
    hash: bytes


class Broken(Struct, frozen=True):
    """The first broken link of a chain: where it is, and what is wrong there."""

    stream: UUID
    seq: int
    why: str

    def __str__(self) -> str:
        return f"stream {self.stream}, seq {self.seq}: {self.why}"


class Conflict(Exception):
    """The stream is not where the writer thought it was.

    :ivar why: `stale` (it has moved on), `content` (an entry with the same id and other content is there), `kind` (the id is
        a stream of another kind)
    :ivar head: the last row of the stream at present, None if it has none
    """

    def __init__(self, message: str, *, why: Literal["stale", "content", "kind"], head: Head | None) -> None:
        super().__init__(message)
        self.why = why
        self.head = head


def start(stream: UUID) -> bytes:
    """Return what stands before the first hash of a stream."""
    return hashlib.sha256(str(stream).encode()).digest()


def chain(previous: bytes, canonical_form: bytes) -> bytes:
    """Return the hash of a row."""
    return hashlib.sha256(previous + canonical_form).digest()


def canonical_data(data: bytes | dict[str, Any]) -> bytes:
    """Return a payload in canonical form.

    :raises ValueError: for what a log may not hold (fractions, numbers beyond 53 bits, half characters)
    """
    if isinstance(data, dict):
        return canonical.dumps(data)
    if _CAREFULLY.search(data):
        return canonical.dumps(_decode(data))
    return _sorted(_decode(data))


def canonical_row(
    *,
    kind: str,
    stream: UUID,
    seq: int,
    type: str,
    seat: str | None,
    data: bytes | dict[str, Any],
    acting_as: str | None,
    by: UUID | None,
    event_id: UUID,
    occurred_at: datetime | None,
    recorded_at: datetime,
) -> bytes:
    """Return the canonical form of a row."""
    return b'{"as":%b,"by":%b,"data":%b,"event_id":"%b","kind":"%b","occurred_at":%b,"recorded_at":"%b","seat":%b,"seq":%d,"stream":"%b","type":"%b"}' % (
        _text(acting_as),
        _text(str(by) if by else None),
        canonical_data(data),
        str(event_id).encode(),
        kind.encode(),
        b'"%b"' % moment(occurred_at) if occurred_at else b"null",
        moment(recorded_at),
        _text(seat),
        seq,
        str(stream).encode(),
        type.encode(),
    )  # fmt: skip


def moment(at: datetime) -> bytes:
    """Return a moment as it stands in the canonical form: UTC, with microseconds and Z."""
    return (at.astimezone(UTC).isoformat(timespec="microseconds")[:26] + "Z").encode()


@lru_cache(maxsize=512)
def _text(value: str | None) -> bytes:
    return b"null" if value is None else canonical.dumps(value)


def head(stream: UUID) -> Head | None:
    """Return the last row of a stream, None if it has none."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select seq, hash, kind from matches_event where stream = %s order by seq desc limit 1", [stream]
        )
        row = cursor.fetchone()
    return None if row is None else Head(row[0], bytes(row[1]), row[2])


def append(
    *,
    stream: UUID,
    stream_kind: Kind,
    entries: Sequence[Entry],
    expected_seq: int,
    by: UUID | None,
    at: datetime,
) -> int:
    """Append entries to a stream and return the seq of its last row.

    An entry whose id is there already, with the same content, is that entry: it is not written again, whatever `expected_seq`
    says. Everything is written in one transaction, many entries by one COPY.

    :param expected_seq: the seq of the last row as the writer knows it; -1 for a stream that is to begin
    :param by: the id of the person who writes
    :param at: the moment of recording
    :raises Conflict: with the present head of the stream, if somebody else has written in between, if an entry's id is there
        with other content, or if the stream is of another kind
    """
    try:
        with transaction.atomic():  # inside another transaction this is a savepoint
            present = head(stream)
            if present is not None and present.kind != stream_kind:
                raise Conflict(
                    _("%(stream)s is the stream of a %(kind)s, not of a %(wanted)s; another id is needed.")
                    % {"stream": stream, "kind": present.kind, "wanted": stream_kind},
                    why="kind",
                    head=present,
                )
            new = _not_there_yet(stream, entries, present)
            if not new:
                present = head(stream)
                return present.seq if present is not None else -1
            seq = present.seq if present is not None else -1
            if seq != expected_seq:
                raise _stale(stream, expected_seq, present)
            _write(stream, stream_kind, new, seq + 1, present.hash if present else start(stream), by, at)
            return seq + len(new)
    except UniqueViolation as error:
        # Two writers saw the same head; the unique (stream, seq) let the other one win. It may have brought the same entry.
        present = head(stream)
        if present is not None and not _not_there_yet(stream, entries, present):
            return present.seq
        raise _stale(stream, expected_seq, present) from error


def _stale(stream: UUID, expected: int, present: Head | None) -> Conflict:
    return Conflict(
        _("%(stream)s has moved on: its last entry is %(seq)s, not %(expected)s.")
        % {"stream": stream, "seq": present.seq if present else -1, "expected": expected},
        why="stale",
        head=present,
    )


def seq_of(stream: UUID, event_id: UUID) -> int | None:
    """Return which entry of a stream has an id, None if none has."""
    with connection.cursor() as cursor:
        cursor.execute("select seq from matches_event where stream = %s and event_id = %s", [stream, event_id])
        row = cursor.fetchone()
    return None if row is None else row[0]


def there(stream: UUID, entry: Entry) -> bool:
    """Return whether the stream has an entry with this entry's id and content.

    :raises Conflict: if it has one with its id and other content
    """
    return not _not_there_yet(stream, [entry], head(stream))


def _not_there_yet(stream: UUID, entries: Sequence[Entry], present: Head | None) -> Sequence[Entry]:
    """Return the entries whose ids the stream does not have. Raise Conflict for an id with other content."""
    named = [entry.event_id for entry in entries if entry.event_id is not None]
    if present is None or not named:
        return entries
    with connection.cursor() as cursor:
        cursor.execute(
            "select event_id, seq, type, seat, data::text, acting_as, occurred_at from matches_event"
            " where stream = %s and event_id = any(%s)",
            [stream, named],
        )
        there = {row[0]: row[1:] for row in cursor.fetchall()}
    left = []
    for entry in entries:
        found = there.get(entry.event_id) if entry.event_id is not None else None
        if found is None:
            left.append(entry)
            continue
        seq, type_, seat, data, acting_as, occurred_at = found
        kept = free_texts.of_entry(stream, seq)
        same = (type_, seat, acting_as, occurred_at) == (entry.type, entry.seat, entry.acting_as, entry.occurred_at)
        if not same or not free_texts.equal(data.encode(), kept, canonical_data(entry.data), entry.texts):
            raise Conflict(
                _(
                    "The entry %(id)s is recorded already, as number %(seq)s, with other content; an id belongs to one entry."
                )
                % {"id": entry.event_id, "seq": seq},
                why="content",
                head=present,
            )
    return left


def _write(
    stream: UUID, kind: str, entries: Sequence[Entry], seq: int, previous: bytes, by: UUID | None, at: datetime
) -> None:
    with connection.cursor() as cursor:
        kept = [(seq + number, text) for number, entry in enumerate(entries) for text in entry.texts]
        with cursor.copy(f"copy matches_event ({_COLUMNS}) from stdin (format binary)") as copy:
            copy.write(_SIGNATURE)
            block: list[bytes] = []
            for row in packed(stream, kind, entries, seq, previous, by, at):
                block.append(row)
                if len(block) == _BLOCK:
                    copy.write(b"".join(block))
                    block.clear()
            block.append(b"\xff\xff")
            copy.write(b"".join(block))
        if kept:
            free_texts.keep(stream, kept)


def packed(
    stream: UUID, kind: str, entries: Sequence[Entry], seq: int, previous: bytes, by: UUID | None, at: datetime
) -> Iterator[bytes]:
    """Yield the rows of new entries as binary COPY takes them, each with its hash."""
    sha256 = hashlib.sha256
    by_id = hashlib.sha1(stream.bytes, usedforsecurity=False)
    kind_text, at_text = kind.encode(), moment(at)
    first = b"".join(
        (
            struct.pack("!h", 12),
            _field(stream.bytes),
            _field(kind_text),
            _NULL if by is None else _field(by.bytes),
            _field(struct.pack("!q", _micros(at))),
            _LENGTHS[4],
        )
    )
    by_part = b',"by":%b,"data":' % _text(str(by) if by else None)
    stream_part = b',"stream":"%b","type":"' % str(stream).encode()
    recorded_part = b',"recorded_at":"%b","seat":' % at_text
    kind_part = b'","kind":"%b","occurred_at":' % kind_text
    known: dict[tuple[str, str | None, str | None], tuple[bytes, bytes, bytes, bytes]] = {}
    lengths, pack_int, pack_long = _LENGTHS, struct.Struct("!i").pack, struct.Struct("!q").pack
    hash_length, id_length, time_length = lengths[32], lengths[16], lengths[8]
    for entry in entries:
        key = (entry.type, entry.seat, entry.acting_as)
        parts = known.get(key)
        if parts is None:
            type_, seat, acting = entry.type.encode(), _text(entry.seat), _text(entry.acting_as)
            columns = (_field(type_), *(_NULL if one is None else _field(one.encode()) for one in key[1:]))
            parts = known[key] = (
                b'{"as":%b%b' % (acting, by_part),
                b'%b%b,"seq":' % (recorded_part, seat),
                b'%b%b"}' % (stream_part, canonical.dumps(entry.type)[1:-1]),
                b"".join(columns),
            )
        data = canonical_data(entry.data)
        if entry.event_id is not None:
            event_id, id_text = entry.event_id.bytes, str(entry.event_id).encode()
        else:
            # uuid5(stream, seq), without its detours
            digest = by_id.copy()
            digest.update(b"%d" % seq)
            made = bytearray(digest.digest()[:16])
            made[6] = made[6] & 0x0F | 0x50
            made[8] = made[8] & 0x3F | 0x80
            event_id, digits = bytes(made), made.hex().encode()
            id_text = b"-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        if entry.occurred_at is None:
            occurred, occurred_column = b"null", _NULL
        else:
            occurred = b'"%b"' % moment(entry.occurred_at)
            occurred_column = time_length + pack_long(_micros(entry.occurred_at))
        previous = sha256(
            b"".join(
                (
                    previous,
                    parts[0],
                    data,
                    b',"event_id":"',
                    id_text,
                    kind_part,
                    occurred,
                    parts[1],
                    b"%d" % seq,
                    parts[2],
                )
            )
        ).digest()
        size = len(data) + 1
        yield b"".join(
            (
                first, pack_int(seq), parts[3], occurred_column, id_length, event_id, hash_length, previous,
                lengths[size] if size < 4096 else pack_int(size), b"\x01", data,
            )
        )  # fmt: skip
        seq += 1


def bring_back(stream: UUID, kind: Kind, rows: Sequence[tuple[int, Entry, UUID | None, datetime, bytes]]) -> None:
    """Write the rows of a stream that was exported: (seq, entry, by, recorded_at, hash) as they were. The caller has verified them.

    :raises psycopg.errors.UniqueViolation: if the stream has rows already
    """
    with connection.cursor() as cursor, cursor.copy(f"copy matches_event ({_COLUMNS}) from stdin") as copy:
        for seq, entry, by, recorded_at, digest in rows:
            copy.write_row(
                (
                    stream, kind, by, recorded_at, seq, entry.type, entry.seat, entry.acting_as, entry.occurred_at,
                    entry.event_id, digest, canonical_data(entry.data).decode(),
                )
            )  # fmt: skip
    free_texts.keep(stream, [(seq, text) for seq, entry, *_rest in rows for text in entry.texts])


def derived_id(stream: UUID, seq: int) -> UUID:
    """Return the id of an entry that came without one."""
    return uuid5(stream, str(seq))


def _field(value: bytes) -> bytes:
    return struct.pack("!i", len(value)) + value


def _micros(at: datetime) -> int:
    since = at - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


_SELECT = (
    "select position, xid::text::bigint, stream, seq, kind, type, seat, data::text, event_id, by, acting_as, occurred_at,"
    " recorded_at, hash from matches_event "
)


def _row(values: Sequence[Any]) -> Row:
    row: Row = Row(*values)
    return replace(row, data=row.data.encode(), hash=bytes(row.hash))  # type: ignore[attr-defined]


def follow(cursor: tuple[int | str, int], limit: int) -> list[Row]:
    """Return the next rows after a cursor, in the order of commit, without gaps.

    Only rows are returned whose transaction began before every one that still runs, so nothing can appear behind the cursor later.

    :param cursor: (xid, position) of the last row read; (0, 0) to begin
    """
    with connection.cursor() as database:
        database.execute(
            _SELECT + "where xid < pg_snapshot_xmin(pg_current_snapshot()) and (xid, position) > (%s::text::xid8, %s)"
            " order by xid, position limit %s",
            [str(cursor[0]), cursor[1], limit],
        )
        return [_row(values) for values in database.fetchall()]


def high_water() -> tuple[int, int]:
    """Return the cursor behind all rows that a follower may read at this moment; (0, 0) if there are none."""
    with connection.cursor() as database:
        database.execute(
            "select xid::text::bigint, position from matches_event where xid < pg_snapshot_xmin(pg_current_snapshot())"
            " order by xid desc, position desc limit 1"
        )
        row = database.fetchone()
    return (row[0], row[1]) if row else (0, 0)


def unread(cursor: tuple[int | str, int], limit: int) -> int:
    """Return how many rows there are after a cursor, at most `limit`; those that no follower may read yet count too."""
    with connection.cursor() as database:
        database.execute(
            "select count(*) from (select from matches_event where (xid, position) > (%s::text::xid8, %s) limit %s) one",
            [str(cursor[0]), cursor[1], limit],
        )
        return int(database.fetchone()[0])


def read(stream: UUID, *, after: int = -1, limit: int | None = None) -> list[Row]:
    """Return the rows of a stream in order, those after a seq."""
    with connection.cursor() as database:
        database.execute(_SELECT + "where stream = %s and seq > %s order by seq limit %s", [stream, after, limit])
        return [_row(values) for values in database.fetchall()]


_CHAINED = (
    "select seq, kind, type, seat, data::text, event_id::text, by::text, acting_as,"
    " (occurred_at at time zone 'UTC')::text, (recorded_at at time zone 'UTC')::text, hash from matches_event"
    " where stream = %s order by seq"
)


def chained(stream: UUID) -> list[tuple[Any, ...]]:
    """Return the rows of a stream with everything that its chain is made of, as text: one read for verify and replay."""
    with connection.cursor() as database:
        database.execute(_CHAINED, [stream])
        return list(database.fetchall())


def verify(stream: UUID) -> Broken | None:
    """Compute the chain of a stream again and return its first broken link, or None. Texts are compared with their hashes."""
    rows = chained(stream)
    return verify_rows(stream, rows) or _verify_texts(stream, rows)


def verify_rows(stream: UUID, rows: Sequence[tuple[Any, ...]]) -> Broken | None:
    """Return the first broken link among the rows of :func:`chained`, or None."""
    sha256 = hashlib.sha256
    previous = start(stream)
    name = str(stream).encode()
    times: dict[str | None, bytes] = {None: b"null"}
    known: dict[tuple[str | None, ...], tuple[bytes, bytes, bytes, bytes]] = {}
    for expected, (seq, kind, type_, seat, data, event_id, by, acting_as, occurred_at, recorded_at, found) in enumerate(
        rows
    ):
        if seq != expected:
            return Broken(stream, expected, f"missing: after seq {expected - 1} comes seq {seq}")
        key = (kind, type_, seat, by, acting_as, recorded_at)
        parts = known.get(key)
        if parts is None:
            parts = known[key] = (
                b'{"as":%b,"by":%b,"data":' % (_text(acting_as), _text(by)),
                b'","kind":%b,"occurred_at":' % _text(kind),
                b',"recorded_at":%b,"seat":%b,"seq":' % (_stored_moment(recorded_at), _text(seat)),
                b',"stream":"%b","type":%b}' % (name, _text(type_)),
            )
        occurred = times.get(occurred_at)
        if occurred is None:
            occurred = _stored_moment(occurred_at)
        previous = sha256(
            b"".join(
                (
                    previous, parts[0], canonical_data(data.encode()), b',"event_id":"', event_id.encode(), parts[1], occurred,
                    parts[2], b"%d" % seq, parts[3],
                )
            )
        ).digest()  # fmt: skip
        if previous != found:
            return Broken(
                stream, seq, "the hash does not fit what the row says: the row, or one before it, was changed"
            )
    return None


def _stored_moment(text: str) -> bytes:
    """Return the canonical form of a moment as PostgreSQL writes it (`2026-11-28 14:03:22.5`)."""
    return b'"%bT%bZ"' % (
        text[:10].encode(),
        (text[11:] + (".000000" if len(text) == 19 else "0" * (26 - len(text)))).encode(),
    )


def _verify_texts(stream: UUID, rows: Sequence[tuple[Any, ...]]) -> Broken | None:
    kept = free_texts.of_stream(stream)
    if not kept:
        return None
    stored: Mapping[int, str] = {row[0]: row[4] for row in rows}
    for seq in sorted(kept):
        for text in kept[seq]:
            if not text.blanked and not free_texts.fits(_decode(stored.get(seq, "{}")), text):
                return Broken(stream, seq, f"the text {text.field!r} does not fit its hash")
    return None


def streams(kind: str | None = None) -> Iterator[UUID]:
    """Yield the ids of all streams in the order in which they began."""
    with connection.cursor() as database:
        database.execute(
            "select stream from matches_event where seq = 0 and (%s::text is null or kind = %s) order by position",
            [kind, kind],
        )
        yield from (stream for (stream,) in database.fetchall())
