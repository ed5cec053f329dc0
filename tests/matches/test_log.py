"""The log: what the database refuses, what an append promises, what followers see, and what a broken chain looks like."""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID, uuid4, uuid5

import psycopg
import pytest
from django.db import connection, connections, transaction

from config import embedded
from matches import log, texts
from matches.log import Broken, Conflict, Entry
from matches.models import Text
from tests.conftest import url_of

AT = datetime(2026, 11, 28, 20, 3, 22, 5, tzinfo=UTC)
BY = UUID(int=7)


def add(stream: UUID, *entries: Entry, expected: int = -1, kind: str = "match") -> int:
    return log.append(stream=stream, stream_kind=kind, entries=entries, expected_seq=expected, by=BY, at=AT)  # type: ignore[arg-type]


def taken(number: int, **more: object) -> Entry:
    return Entry("stones_taken", {"stones": number}, seat="A", **more)  # type: ignore[arg-type]


# What the database refuses ------------------------------------------------------------------------------------------


@pytest.fixture
def one_event(transactional_db: None) -> UUID:
    stream = uuid4()
    add(stream, taken(1))
    return stream


@pytest.mark.parametrize(
    "statement",
    [
        "update matches_event set type = 'x'",
        "update matches_event set data = '{}' where seq = 0",
        "delete from matches_event",
        "truncate matches_event",
        "truncate matches_event cascade",
        "begin; set local app.allow_flush = 'on'; delete from matches_event; commit",
        "set session_replication_role = replica",
        "alter table matches_event disable trigger all",
        "drop table matches_event",
    ],
)
def test_the_application_can_neither_change_nor_remove_an_entry(
    statement: str, one_event: UUID, as_app: psycopg.Connection
) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_app.execute(statement)
    assert log.verify(one_event) is None
    assert len(log.read(one_event)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "update matches_event set type = 'x'",
        "delete from matches_event",
        "truncate matches_event",
        "delete from matches_event where seq = 0",
        "with gone as (delete from matches_event returning 1) select * from gone",
        "begin; set local app.allow_flush = 'on'; delete from matches_event; commit",
    ],
)
def test_the_owner_cannot_change_or_remove_an_entry_either(
    statement: str, one_event: UUID, as_owner: psycopg.Connection
) -> None:
    with pytest.raises(psycopg.Error, match="append-only"):
        as_owner.execute(statement)
    assert len(log.read(one_event)) == 1


def test_a_superuser_is_refused_even_where_triggers_are_told_to_rest(
    one_event: UUID, as_superuser: psycopg.Connection
) -> None:
    as_superuser.execute("set session_replication_role = replica")
    for statement in ("update matches_event set type = 'x'", "delete from matches_event", "truncate matches_event"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            as_superuser.execute(statement)


def test_the_log_is_emptied_only_when_asked_to_and_in_a_database_of_tests(
    one_event: UUID, as_owner: psycopg.Connection, as_superuser: psycopg.Connection
) -> None:
    name = connection.settings_dict["NAME"]
    assert name.startswith("test")
    forward = importlib.import_module("matches.migrations.0002_log").FORWARD
    as_superuser.execute("drop database if exists annals_not_for_tests with (force)")
    as_superuser.execute("create database annals_not_for_tests")
    try:
        with psycopg.connect(url_of(embedded.SUPERUSER).replace(f"/{name}", "/annals_not_for_tests")) as elsewhere:
            elsewhere.execute(forward)
            elsewhere.execute("set local app.allow_flush = 'on'")
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only: truncate"):
                elsewhere.execute("truncate matches_event")
    finally:
        as_superuser.execute("drop database annals_not_for_tests with (force)")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only: truncate"):
        as_owner.execute("truncate matches_event")
    as_owner.execute("begin; set local app.allow_flush = 'on'; truncate matches_event; commit")
    assert log.read(one_event) == []


# Appending ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_rows_come_back_as_they_were_written_and_chained_by_hand() -> None:
    stream, entry_id = uuid4(), uuid4()
    last = add(
        stream,
        Entry("match_set_up", {"game": "cairn", "options": {"b": 1, "a": [True, None]}}),
        taken(2, acting_as="scribe", occurred_at=AT, event_id=entry_id),
        Entry("said", {"ü": "naïve “quoted” \n\t\\ 💡"}),
    )
    assert last == 2
    zero, one, two = log.read(stream)
    assert (one.type, one.seat, one.acting_as, one.occurred_at, one.event_id, one.by) == (
        "stones_taken", "A", "scribe", AT, entry_id, BY,
    )  # fmt: skip
    assert zero.event_id == uuid5(stream, "0") == log.derived_id(stream, 0)
    lines = [
        f'{{"as":null,"by":"{BY}","data":{{"game":"cairn","options":{{"a":[true,null],"b":1}}}},"event_id":"{zero.event_id}","kind":"match",'
        f'"occurred_at":null,"recorded_at":"2026-11-28T20:03:22.000005Z","seat":null,"seq":0,"stream":"{stream}","type":"match_set_up"}}',
        f'{{"as":"scribe","by":"{BY}","data":{{"stones":2}},"event_id":"{entry_id}","kind":"match","occurred_at":"2026-11-28T20:03:22.000005Z",'
        f'"recorded_at":"2026-11-28T20:03:22.000005Z","seat":"A","seq":1,"stream":"{stream}","type":"stones_taken"}}',
        f'{{"as":null,"by":"{BY}","data":{{"ü":"naïve “quoted” \\n\\t\\\\ 💡"}},"event_id":"{two.event_id}","kind":"match","occurred_at":null,'
        f'"recorded_at":"2026-11-28T20:03:22.000005Z","seat":null,"seq":2,"stream":"{stream}","type":"said"}}',
    ]
    by_hand = hashlib.sha256(str(stream).encode()).digest()
    for row, line in zip((zero, one, two), lines, strict=True):
        by_hand = hashlib.sha256(by_hand + line.encode()).digest()
        assert row.hash == by_hand
        form = log.canonical_row(
            kind=row.kind, stream=stream, seq=row.seq, type=row.type, seat=row.seat, data=row.data, acting_as=row.acting_as,
            by=row.by, event_id=row.event_id, occurred_at=row.occurred_at, recorded_at=row.recorded_at,
        )  # fmt: skip
        assert form == line.encode()
    assert log.verify(stream) is None


@pytest.mark.django_db
def test_a_stale_writer_gets_a_conflict_with_the_present_head() -> None:
    stream = uuid4()
    add(stream, taken(1), taken(2))
    with pytest.raises(Conflict, match="its last entry is 1, not 0") as told:
        add(stream, taken(3), expected=0)
    assert told.value.why == "stale"
    assert told.value.head == log.head(stream)
    with pytest.raises(Conflict, match="its last entry is -1, not 4"):
        add(uuid4(), taken(3), expected=4)


@pytest.mark.django_db
def test_the_same_entry_twice_is_one_event_whatever_the_writer_expected() -> None:
    stream, entry = uuid4(), taken(1, event_id=uuid4(), occurred_at=AT)
    add(stream, taken(9))
    assert add(stream, entry, expected=0) == 1
    assert add(stream, entry, expected=0) == 1
    assert add(stream, entry, taken(2), expected=1) == 2
    assert [row.seq for row in log.read(stream)] == [0, 1, 2]


@pytest.mark.django_db
def test_the_same_entry_id_with_other_content_is_a_conflict() -> None:
    stream, entry_id = uuid4(), uuid4()
    add(stream, taken(1, event_id=entry_id))
    with pytest.raises(
        Conflict, match=f"entry {entry_id} is recorded already, as number 0, with other content"
    ) as told:
        add(stream, taken(2, event_id=entry_id), expected=0)
    assert told.value.why == "content"


@pytest.mark.django_db
def test_an_entry_id_may_stand_in_two_streams() -> None:
    entry = taken(1, event_id=uuid4())
    for stream in (uuid4(), uuid4()):
        add(stream, entry)
        assert log.verify(stream) is None


@pytest.mark.django_db
def test_the_kind_of_a_stream_is_fixed_by_its_first_event() -> None:
    stream = uuid4()
    add(stream, Entry("league_opened"), kind="league")
    with pytest.raises(Conflict, match="is the stream of a league, not of a match") as told:
        add(stream, taken(1), expected=0)
    assert told.value.why == "kind"


@pytest.mark.django_db
@pytest.mark.parametrize("data", [b'{"a":1.5}', b'{"a":9007199254740993}', b'{"a":1e400}'])
def test_what_a_log_may_not_hold_is_not_stored(data: bytes) -> None:
    stream = uuid4()
    with pytest.raises(ValueError, match=r"fit|53 bits|only texts|range"):
        add(stream, Entry("stones_taken", data))
    assert log.read(stream) == []


def both(first: Callable[[], object], second: Callable[[], object]) -> list[object]:
    """Run two things at once, each on its own connection; return what they returned or raised."""
    results: list[object] = [None, None]
    gate = threading.Barrier(2)

    def run(number: int, what: Callable[[], object]) -> None:
        try:
            gate.wait(10)
            results[number] = what()
        except Exception as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate((first, second))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


@pytest.mark.django_db(transaction=True)
def test_of_two_writers_to_one_stream_exactly_one_wins() -> None:
    for _round in range(10):
        stream = uuid4()
        add(stream, taken(1))
        results = both(lambda s=stream: add(s, taken(2), expected=0), lambda s=stream: add(s, taken(3), expected=0))
        assert sorted(type(one).__name__ for one in results) == ["Conflict", "int"]
        assert [row.seq for row in log.read(stream)] == [0, 1]
        assert log.verify(stream) is None


@pytest.mark.django_db(transaction=True)
def test_the_same_entry_sent_twice_at_once_is_one_event() -> None:
    for _round in range(10):
        stream, entry = uuid4(), taken(2, event_id=uuid4())
        add(stream, taken(1))
        assert both(*[lambda s=stream, e=entry: add(s, e, expected=0)] * 2) == [1, 1]
        assert [row.seq for row in log.read(stream)] == [0, 1]


@pytest.mark.django_db(transaction=True)
def test_without_the_unique_seq_two_writers_both_win_and_the_chain_forks(as_owner: psycopg.Connection) -> None:
    stream = uuid4()
    add(stream, taken(1))
    as_owner.execute("alter table matches_event drop constraint matches_event_stream_seq")
    as_owner.execute("alter table matches_event drop constraint matches_event_stream_event_id")
    try:
        with transaction.atomic():
            add(stream, taken(2), expected=0)

            def other() -> int:
                return add(stream, taken(3), expected=0)

            assert both(other, lambda: None)[0] == 1
        assert [row.seq for row in log.read(stream)] == [0, 1, 1]
        assert isinstance(log.verify(stream), Broken)
    finally:
        as_owner.execute("begin; set local app.allow_flush = 'on'; truncate matches_event; commit")
        as_owner.execute("alter table matches_event add constraint matches_event_stream_seq unique (stream, seq)")
        as_owner.execute(
            "alter table matches_event add constraint matches_event_stream_event_id unique (stream, event_id)"
        )


# Free text ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_free_text_lies_beside_the_log_and_can_be_blanked_while_the_chain_stays_whole() -> None:
    stream = uuid4()
    data, kept = texts.apart(b'{"target_seq":1,"reason":"Ada moved twice","observed":{"reason":"stays"}}', note="late")
    add(stream, Entry("event_voided", data, texts=kept))
    (row,) = log.read(stream)
    assert b"Ada" not in row.data
    assert b"stays" in row.data
    told = {"target_seq": 1, "reason": "Ada moved twice", "observed": {"reason": "stays"}}
    assert texts.together(row.data, texts.of_entry(stream, 0)) == (told, "late")
    assert log.verify(stream) is None
    Text.objects.filter(stream=stream, field="reason").update(text="", blanked_at=AT, blanked_because="names a child")
    assert log.verify(stream) is None
    assert texts.together(row.data, texts.of_entry(stream, 0)) == ({**told, "reason": texts.BLANKED}, "late")


@pytest.mark.django_db
def test_a_changed_text_is_found_by_its_hash() -> None:
    stream = uuid4()
    data, kept = texts.apart(b'{"rows":[{"reason":"first"},{"reason":"second"}]}')
    add(stream, Entry("match_paused", data, texts=kept))
    Text.objects.filter(stream=stream, field="rows.1.reason").update(text="third")
    assert log.verify(stream) == Broken(stream, 0, "the text 'rows.1.reason' does not fit its hash")


# Verifying ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("change", "seq"),
    [
        ("update matches_event set data = '{\"stones\": 3}' where seq = 2", 2),
        ("update matches_event set by = null where seq = 1", 1),
        ("update matches_event set recorded_at = recorded_at + interval '1 microsecond' where seq = 0", 0),
        ("update matches_event set hash = sha256('x') where seq = 3", 3),
        ("delete from matches_event where seq = 2", 2),
    ],
)
def test_verify_names_the_first_broken_link_that_a_superuser_made(
    change: str, seq: int, as_superuser: psycopg.Connection
) -> None:
    stream = uuid4()
    add(stream, *(taken(1) for _ in range(5)))
    as_superuser.execute("alter table matches_event disable trigger all")
    try:
        as_superuser.execute(change)
    finally:
        as_superuser.execute("alter table matches_event enable always trigger matches_event_no_change")
        as_superuser.execute("alter table matches_event enable always trigger matches_event_no_truncate")
    broken = log.verify(stream)
    assert broken is not None
    assert (broken.stream, broken.seq) == (stream, seq)


# Following ----------------------------------------------------------------------------------------------------------


def follow_to_end(
    read: Callable[[tuple[int, int]], list[log.Row]], cursor: tuple[int, int]
) -> tuple[list[log.Row], tuple[int, int]]:
    rows = read(cursor)
    return rows, (rows[-1].xid, rows[-1].position) if rows else cursor


def by_position(cursor: tuple[int, int]) -> list[log.Row]:
    """A naive follower: by position alone."""
    with connection.cursor() as database:
        database.execute(log._SELECT + "where position > %s order by position", [cursor[1]])
        return [log._row(values) for values in database.fetchall()]


def by_position_below_mark(cursor: tuple[int, int]) -> list[log.Row]:
    """A less naive one: by position, below the high-water mark of transactions."""
    with connection.cursor() as database:
        database.execute(
            log._SELECT + "where xid < pg_snapshot_xmin(pg_current_snapshot()) and position > %s order by position",
            [cursor[1]],
        )
        return [log._row(values) for values in database.fetchall()]


def ours(cursor: tuple[int, int]) -> list[log.Row]:
    return log.follow(cursor, 100)


class Writer:
    """Somebody with a transaction of their own that stays open until told."""

    def __init__(self) -> None:
        self.connection = psycopg.connect(url_of(embedded.APP))

    def take_id(self) -> None:
        """Let the transaction have its id before it inserts anything."""
        self.connection.execute("select pg_current_xact_id()")

    def insert(self) -> UUID:
        stream = uuid4()
        self.connection.execute(
            "insert into matches_event (stream, seq, kind, type, data, event_id, recorded_at, hash)"
            " values (%s, 0, 'match', 'x', '{}', gen_random_uuid(), now(), sha256('x'))",
            [stream],
        )
        return stream

    def commit(self) -> None:
        self.connection.commit()
        self.connection.close()


def early_position_commits_late(read: Callable[[tuple[int, int]], list[log.Row]]) -> tuple[set[UUID], set[UUID]]:
    """One takes its position first and commits last. Return what was written and what the follower saw."""
    slow, quick = Writer(), Writer()
    written = {slow.insert(), quick.insert()}
    quick.commit()
    first, cursor = follow_to_end(read, (0, 0))
    slow.commit()
    second, cursor = follow_to_end(read, cursor)
    return written, {row.stream for row in (*first, *second)}


def early_id_inserts_late(read: Callable[[tuple[int, int]], list[log.Row]]) -> tuple[set[UUID], set[UUID]]:
    """One has its transaction id first but inserts after the other, which commits while a third, older one runs no more."""
    early, late = Writer(), Writer()
    early.take_id()
    late.take_id()
    written = {late.insert()}  # the later transaction has the lower position
    written.add(early.insert())
    early.commit()  # its id is below the mark now: late still runs, so the mark stands at late's id
    first, cursor = follow_to_end(read, (0, 0))
    late.commit()
    second, cursor = follow_to_end(read, cursor)
    return written, {row.stream for row in (*first, *second)}


@pytest.mark.django_db(transaction=True)
def test_a_follower_by_position_loses_an_event() -> None:
    written, seen = early_position_commits_late(by_position)
    assert len(written - seen) == 1


@pytest.mark.django_db(transaction=True)
def test_a_follower_by_position_below_the_high_water_mark_loses_one_too() -> None:
    written, seen = early_id_inserts_late(by_position_below_mark)
    assert len(written - seen) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("story", [early_position_commits_late, early_id_inserts_late])
def test_our_follower_by_xid_and_position_loses_none(
    story: Callable[[Callable[[tuple[int, int]], list[log.Row]]], tuple[set[UUID], set[UUID]]],
) -> None:
    written, seen = story(ours)
    assert seen == written


@pytest.mark.django_db(transaction=True)
def test_a_follower_reads_on_from_its_cursor_in_any_step_and_says_what_is_unread() -> None:
    streams = [uuid4() for _ in range(7)]
    for stream in streams:
        add(stream, taken(1), taken(2))
    cursor: tuple[int, int] = (0, 0)
    seen = []
    assert log.unread(cursor, 100) == 14
    while rows := log.follow(cursor, 3):
        seen += [(row.stream, row.seq) for row in rows]
        cursor = (rows[-1].xid, rows[-1].position)
    assert seen == [(stream, seq) for stream in streams for seq in (0, 1)]
    assert log.unread(cursor, 100) == 0


@pytest.mark.django_db(transaction=True)
def test_the_high_water_is_behind_all_that_a_follower_may_read() -> None:
    assert log.high_water() == (0, 0)
    add(uuid4(), taken(1), taken(2))
    last = log.follow((0, 0), 100)[-1]
    assert log.high_water() == (last.xid, last.position)
    assert log.follow(log.high_water(), 100) == []
