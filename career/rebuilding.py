"""Deriving every career again beside live use, by any number of processes, and putting the outcome in place at the end.

What is derived goes into tables of the same names in the schema `anew`; until the end readers see what stood before. The work is a table
of parts: whoever takes one holds its lock, does it, and removes it, in one transaction. A process that was killed has done nothing, its part
is done by another one, and a rebuild that was stopped goes on where it was. What is recorded meanwhile is read into both.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString, cast
from uuid import UUID

from django.db import connection, models, transaction
from django.utils.translation import gettext as _
from psycopg import sql

from career import hands, services
from career.catalogue import CURRENT
from career.models import (
    Award,
    Checkpoint,
    Deed,
    Digest,
    Poisoned,
    RankEntry,
    Rating,
    RatingChange,
    RatingStep,
    SeatDigest,
    Standing,
)
from career.ratings import services as ratings
from matches import log as match_log
from matches.models import Match

type Progress = Callable[[str, int, int], None]

SCHEMA = "anew"
SWAPPED: tuple[type[models.Model], ...] = (
    Digest, SeatDigest, Deed, RankEntry, Standing, Award, RatingStep, Rating,
)  # fmt: skip
APART: tuple[type[models.Model], ...] = (*SWAPPED, Checkpoint, RatingChange)
"""Tables that are written in the schema `anew`. The ledger of ratings gets what the swap changes, not how it came to that."""
STAGES = ("digests", "streams", "ranks", "badges", "ratings", "swap")
LOCK = 1_726_015
"""The first key of the locks on parts; the second is the number of the part."""
POLL = 0.2
TRIES = 50


class Busy(Exception):
    """Another process derives everything again already."""


def rebuild(*, progress: Progress, workers: int = 1) -> None:
    """Derive every career again, or go on with what was begun and stopped.

    :param progress: called with the stage, how much of it is done, and of how many; what it raises stops the rebuild
    :param workers: processes at work; 1: this one alone
    :raises Busy: if it is being done already
    """
    with _alone():
        stage = _begin()
        for name in STAGES[STAGES.index(stage) : -1]:
            _work(name, progress, workers)
            _enter(STAGES[STAGES.index(name) + 1])
        for _try in range(TRIES):
            while services.catch_up_anew(anew):
                pass
            if _swap():
                break
            time.sleep(POLL)
        else:
            raise RuntimeError("The log could not be read to one point twice; another transaction is open for long.")
        progress("swap", 1, 1)


def is_begun() -> bool:
    """Return whether a rebuild was begun and stopped, so that it would go on."""
    with connection.cursor() as cursor:
        return _state(cursor) is not None


@contextmanager
def anew() -> Iterator[None]:
    """Read and write the derived tables that are being made, in one transaction; all other tables as ever."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select current_setting('search_path')")
        before = cursor.fetchone()[0]
        cursor.execute("select set_config('search_path', %s, true)", [f"{SCHEMA}, public"])
        yield
        cursor.execute("select set_config('search_path', %s, true)", [before])


@contextmanager
def _alone() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(%s, -1)", [LOCK])
        if not cursor.fetchone()[0]:
            raise Busy(_("Everything is being derived again already; wait until that is done, or stop it."))
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("select pg_advisory_unlock(%s, -1)", [LOCK])


def _version() -> str:
    return f"{services.DERIVED}/{CURRENT.version}"


def _state(cursor: Any) -> tuple[str, int, str, int] | None:
    """Return the stage, its number of parts, and where the log was read from, of a rebuild by this version of the site."""
    cursor.execute("select to_regclass('anew.state') is not null")
    if not cursor.fetchone()[0]:
        return None
    cursor.execute(
        "select stage, total, xid, position from anew.state s where version = %s"
        " and exists (select from public.career_checkpoint where name = 'rebuilding' and xid = s.id)",
        [_version()],
    )
    return cast("tuple[str, int, str, int] | None", cursor.fetchone())


def _begin() -> str:
    """Return the stage to go on with; without one, make the tables and the first parts."""
    with transaction.atomic(), connection.cursor() as cursor:
        state = _state(cursor)
        if state is not None:
            return state[0]
        _drop(cursor)
        for model in APART:
            _run(cursor, "create table anew.{table} (like public.{table} including all)", model)
        cursor.execute("create table anew.todo (part integer primary key, ids text[] not null)")
        cursor.execute(
            "create table anew.state (id text, stage text, total integer, version text, xid text, position bigint)"
        )
        xid, position = match_log.high_water()
        cursor.execute(
            "insert into anew.state values (left(gen_random_uuid()::text, 20), '', 0, %s, %s, %s) returning id",
            [_version(), str(xid), position],
        )
        mine = cursor.fetchone()[0]
        # Beside the tables, so that whoever empties the database has also forgotten the rebuild.
        Checkpoint.objects.update_or_create(name="rebuilding", defaults={"xid": mine})
        cursor.execute(
            "insert into anew.career_checkpoint (name, xid, position, moved_at) values (%s, %s, %s, now())",
            [services.FOLLOWER, str(xid), position],
        )
        _enter(STAGES[0])
    return STAGES[0]


def _drop(cursor: Any) -> None:
    for model in APART:
        _run(cursor, "drop table if exists anew.{table}", model)
    cursor.execute("drop table if exists anew.todo")
    cursor.execute("drop table if exists anew.state")


def _columns(model: type[models.Model]) -> sql.Composed:
    """Return the columns of a table, without the number that it gives its rows itself."""
    named = [str(field.column) for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]
    return sql.SQL(", ").join([sql.Identifier(column) for column in named])


def _run(cursor: Any, statement: LiteralString, model: type[models.Model], values: Sequence[object] = ()) -> None:
    """Execute a statement about the table of a model."""
    names = {"table": sql.Identifier(model._meta.db_table), "key": sql.Identifier(str(model._meta.pk.column))}
    cursor.execute(sql.SQL(statement).format(columns=_columns(model), **names), values or None)


def _enter(stage: str) -> None:
    """Write down the parts of a stage, in one transaction with the stage itself."""
    with anew(), connection.cursor() as cursor:
        if stage in ("ranks", "badges", "ratings"):
            for model in SWAPPED:
                _run(cursor, "analyze anew.{table}", model)
        parts = _parts(stage)
        cursor.executemany("insert into anew.todo values (%s, %s)", list(enumerate(parts)))
        cursor.execute("update anew.state set stage = %s, total = %s", [stage, sum(map(len, parts))])


def _parts(stage: str) -> list[list[str]]:
    ids: Iterable[object] = ()
    size = services.MATCHES_A_BATCH
    if stage == "digests":
        ids = Match.objects.order_by("played_on", "id").values_list("id", flat=True)
    elif stage == "streams":
        ids = [one for kind in ("league", "tournament", "person") for one in match_log.streams(kind)]
    elif stage in ("ranks", "badges"):
        ids, size = services.heads_named(), services.PERSONS_A_BATCH
    elif stage == "ratings":
        ids, size = [*ratings.games(), ""], 1
    every = [str(one) for one in ids]
    return [every[start : start + size] for start in range(0, len(every), size)]


def _do(stage: str, ids: Sequence[str]) -> None:
    """Do one part. The tables of the schema `anew` are those it reads and writes."""
    if stage == "digests":
        matches = [UUID(one) for one in ids]
        services.digest_matches(matches)
        # What cannot be replayed keeps what was known of it.
        poisoned = list(Poisoned.objects.filter(pk__in=matches).values_list("pk", flat=True))
        with connection.cursor() as cursor:
            for model in (Digest, SeatDigest):
                _run(
                    cursor,
                    "insert into anew.{table} ({columns}) select {columns} from public.{table} where match_id = any(%s)",
                    model,
                    [poisoned],
                )
    elif stage == "streams":
        for one in ids:
            services.read_stream(UUID(one))
    elif stage in ("ranks", "badges"):
        services.fold_alone(stage, ids)
    elif stage == "ratings":
        for game in ids:
            ratings.rebuild_part(game, services.joined())


def do_part(stage: str) -> bool:
    """Take a part that nobody has, do it, and return whether there was one."""
    with anew(), connection.cursor() as cursor:
        cursor.execute("select part from anew.todo where pg_try_advisory_xact_lock(%s, part) limit 1", [LOCK])
        found = cursor.fetchone()
        if found is None:
            return False
        # It may have been done between the look and the lock.
        cursor.execute("select ids from anew.todo where part = %s", [found[0]])
        row = cursor.fetchone()
        if row is not None:
            _do(stage, row[0])
            cursor.execute("delete from anew.todo where part = %s", [found[0]])
    return True


def _left() -> tuple[int, int, int]:
    """Return how many parts are left of the stage, how much in them is done, and of how much."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select (select count(*) from anew.todo),"
            " total - (select coalesce(sum(cardinality(ids)), 0) from anew.todo), total from anew.state"
        )
        parts, done, total = cursor.fetchone()
    return parts, done, total


def _work(stage: str, progress: Progress, workers: int) -> None:
    parts, done, total = _left()
    progress(stage, done, total)
    while parts:
        if workers > 1 and parts > 1:
            before = parts
            parts = _with_processes(stage, progress, min(workers, parts))
            # Whoever was killed left a part; a round in which nothing was done at all will not do better.
            if parts == before:
                raise RuntimeError(f"{stage}: the processes ended without doing anything; see what they said.")
        else:
            do_part(stage)
            parts, done, total = _left()
            progress(stage, done, total)


def _with_processes(stage: str, progress: Progress, workers: int) -> int:
    """Have processes do parts until none is left or all have ended; return how many parts are left."""
    context = multiprocessing.get_context("spawn")
    at = {key: connection.settings_dict[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    started = [context.Process(target=hands.work, args=(stage, at, os.getpid()), daemon=True) for _ in range(workers)]
    told = -1
    try:
        for one in started:
            one.start()
        while any(one.is_alive() for one in started):
            _parts_left, done, total = _left()
            if done != told:
                told = done
                progress(stage, done, total)
            time.sleep(POLL)
    finally:
        for one in started:
            if one.is_alive():
                one.terminate()
        for one in started:
            one.join()
    parts, done, total = _left()
    progress(stage, done, total)
    return parts


def _swap() -> bool:
    """Put what was derived in place of what stood, in one transaction; return False if the log has to be read further before."""
    with transaction.atomic(), connection.cursor() as cursor:
        live = services.mark()
        _stage, _total, xid, position = cast("tuple[str, int, str, int]", _state(cursor))
        # Whoever followed all the time is told of what is new before it is put in place.
        follows = (int(live.xid), live.position) >= (int(xid), position)
        while follows and services.catch_up():
            pass
        while services.catch_up_anew(anew):
            pass
        live = services.mark()
        with anew():
            made = Checkpoint.objects.get(name=services.FOLLOWER)
        if (int(made.xid), made.position) < (int(live.xid), live.position):
            return False
        cursor.execute(
            "insert into public.career_ratingchange (system, game, league_id, person_id, old, new, at)"
            " select o.system, o.game, o.league_id, o.person_id, o.value, n.value, now() from public.career_rating o"
            " left join anew.career_rating n on (n.system, n.game, n.person_id) = (o.system, o.game, o.person_id)"
            " and n.league_id is not distinct from o.league_id where n.value is distinct from o.value"
        )
        for model in SWAPPED:
            _run(cursor, "delete from public.{table}", model)
            _run(
                cursor,
                "insert into public.{table} ({columns}) select {columns} from anew.{table} order by {key}",
                model,
            )
        live.xid, live.position = made.xid, made.position
        live.save()
        Checkpoint.objects.filter(name="rebuilding").delete()
        _drop(cursor)
    return True
