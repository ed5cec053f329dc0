"""The whole database as one file, and back into a fresh server. Needs no program of PostgreSQL.

A backup is a zip archive. `TABLE.copy` holds the rows of a table as COPY writes them (text format, UTF-8, times in UTC), the log in
order of position and with transaction id 0: in a restored database every follower may read all of it at once. `manifest.json` says
what there is: format, moment, who made it, the migrations that the tables were made by, and for each table its columns, number of
rows and SHA-256.

:data:`LEFT_OUT` is not kept: sessions (people sign in again) and what is derived from the log, checkpoints of its followers
included, nor the keys of secret votes that are open: their votes count, and no more can be cast after a restore. Nor is the queue: jobs are rows, and the clock sends the unfinished ones again.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import msgspec
import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from psycopg import sql

FORMAT = "annals-backup/1"
LOG = "matches_event"
MIGRATIONS = "django_migrations"
LEFT_OUT = frozenset(
    {
        MIGRATIONS,  # their names stand in the manifest
        "django_session",
        "career_award",
        "career_checkpoint",
        "career_deed",
        "career_digest",
        "career_poisoned",
        "career_rankentry",
        "career_rating",
        "career_ratingstep",
        "career_seatdigest",
        "career_standing",
        "league_votekey",  # whoever has the key of a secret vote can name the voters
    }
)
# A fresh database has rows in these already: `migrate` makes some, and the operator is there from the first command on.
MADE_BY_MIGRATE = frozenset({"django_content_type", "auth_permission"})
OPERATOR = {
    "people_person": "handle = 'operator' and account_id is null",
    "people_grant": "person_id in (select id from people_person where handle = 'operator' and account_id is null)",
}
_CHUNK = 1 << 20
# What zipfile says of a damaged archive.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, OSError)

type Say = Callable[[str], None]


class BadArchive(Exception):
    """The file is no backup, is damaged, or does not fit this release or this database; the message says what to do."""


class BrokenChains(Exception):
    """Everything is restored, and the log was broken already when the backup was made; the message says where."""


class Table(msgspec.Struct, frozen=True):
    """A table of a backup, its rows in the member `TABLE.copy`."""

    table: str
    columns: list[str]
    rows: int
    sha256: str

    @property
    def member(self) -> str:
        return f"{self.table}.copy"


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself."""

    format: str
    made_at: datetime
    by: str
    postgresql: str
    migrations: list[str]
    left_out: list[str]
    tables: list[Table]

    @property
    def rows(self) -> int:
        return sum(one.rows for one in self.tables)


def _silent(_text: str) -> None:
    """Say nothing."""


def backup(path: Path, *, by: str = "operator", overwrite: bool = False, say: Say = _silent) -> Manifest:
    """Write the database, as it is at this moment, into a file and return its manifest. The site may run meanwhile.

    The file is there whole or not at all, and only its owner can read it: it holds personal data.

    :param by: the handle of who makes it, for the manifest
    :raises FileExistsError: rather than overwrite a file without being told to
    :raises OSError: if it cannot be written
    :raises BadArchive: if the database has no tables yet
    """
    _refuse_to_overwrite(path, overwrite)
    descriptor, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)  # mode 0600
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
                manifest = _write(archive, by, say)
            file.flush()
            os.fsync(file.fileno())
        _refuse_to_overwrite(path, overwrite)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return manifest


def _refuse_to_overwrite(path: Path, overwrite: bool) -> None:
    if path.exists() and not (overwrite and path.is_file()):
        raise FileExistsError(f"{path} is there already; choose another name, or say --force to overwrite it.")


def _write(archive: zipfile.ZipFile, by: str, say: Say) -> Manifest:
    # The transaction only reads: it has no id of its own, so it holds no follower of the log back, however long it takes.
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("set transaction isolation level repeatable read read only")
        made_at, present = timezone.now(), _tables(cursor)
        if LOG not in present:
            raise BadArchive("The database has no tables yet: there is nothing to back up.")
        tables = []
        for table, columns in present.items():
            if table not in LEFT_OUT:
                tables.append(_copy_out(cursor, table, columns, archive))
                say(f"{table}: {tables[-1].rows} rows")
        cursor.execute("show server_version")
        manifest = Manifest(
            format=FORMAT,
            made_at=made_at,
            by=by,
            postgresql=cursor.fetchone()[0],
            migrations=sorted(_applied()),
            left_out=sorted(LEFT_OUT & set(present)),
            tables=tables,
        )
    archive.writestr("manifest.json", msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    return manifest


def restore(path: Path, say: Say = _silent) -> Manifest:
    """Bring a backup into an empty database, derive the careers, verify every chain, and return the manifest.

    The database may be without tables; then they are made. The rows of all tables come back in one transaction. A backup of an
    earlier release is restored into the tables of that release, which are then migrated.

    :raises BadArchive: if it cannot be. The database is as it was, save for tables that were missing
    :raises BrokenChains: if all is restored, but chains of the log are broken
    """
    with _opened(path) as archive:
        manifest = _manifest(archive, path)
        _check_release(manifest)
        _check_target(manifest)
        say(f"Checking the backup of {manifest.made_at:%Y-%m-%d %H:%M} UTC …")
        for one in manifest.tables:
            _check_member(archive, one)
        _make_tables(manifest)
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            _load(cursor, archive, manifest, say)
    ContentType.objects.clear_cache()  # their numbers are now those of the backup
    if _known() - _applied():
        say("Migrating to this release …")
        call_command("migrate", verbosity=0)
    if settings.IS_EMBEDDED:
        (settings.VAR / "demo-loaded").touch()  # `make run` must not mix its demonstration with what came back
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("analyze {}").format(_names(_tables(cursor))))
    _derive(say)
    _verify(say)
    return manifest


def _applied() -> set[str]:
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}


def _tables(cursor: CursorWrapper) -> dict[str, list[str]]:
    """Return the columns of every table but the queue's, the log first."""
    cursor.execute(
        "select c.table_name, array_agg(c.column_name::text order by c.ordinal_position) from information_schema.columns c"
        " join information_schema.tables t using (table_schema, table_name)"
        " where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' group by 1"
    )
    return dict(sorted(cursor.fetchall(), key=lambda one: (one[0] != LOG, one[0])))


def _names(names: Any) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _copy_out(cursor: CursorWrapper, table: str, columns: list[str], archive: zipfile.ZipFile) -> Table:
    chosen = [sql.SQL("'0'") if (table, column) == (LOG, "xid") else sql.Identifier(column) for column in columns]
    statement = sql.SQL("copy (select {} from {}{}) to stdout").format(
        sql.SQL(", ").join(chosen), sql.Identifier(table), sql.SQL(" order by position" if table == LOG else "")
    )
    digest, rows = hashlib.sha256(), 0
    with archive.open(f"{table}.copy", "w", force_zip64=True) as file, cursor.copy(statement) as copy:
        for chunk in copy:
            digest.update(chunk)
            rows += bytes(chunk).count(b"\n")  # a line break inside a value is written as \n, two characters
            file.write(chunk)
    return Table(table, columns, rows, digest.hexdigest())


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise BadArchive(f"{path} is no backup of Annals, or only a part of one ({error}).") from error
    except OSError as error:
        raise BadArchive(f"{path} cannot be read ({error.strerror}).") from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    try:
        raw = archive.read("manifest.json")
        said = msgspec.json.decode(raw)
        number = re.fullmatch(r"annals-backup/(\d+)", said["format"])
    except KeyError as error:
        raise BadArchive(f"{path} is no backup of Annals: it has no manifest.") from error
    except (*_DAMAGE, msgspec.DecodeError, TypeError) as error:
        raise BadArchive(f"The backup is damaged: its manifest cannot be read ({error}). Take another one.") from error
    if number is None:
        raise BadArchive(f"{path} is no backup of Annals: its format is {said['format']!r}, expected {FORMAT}.")
    if said["format"] != FORMAT:
        raise BadArchive(
            f"The backup has the format {said['format']}, this release reads {FORMAT}. Restore it with the release that made it."
        )
    try:
        return msgspec.json.decode(raw, type=Manifest)
    except msgspec.DecodeError as error:
        raise BadArchive(f"The backup is damaged: its manifest cannot be read ({error}). Take another one.") from error


def _known() -> set[str]:
    """Return the migrations of this release."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations or {}}


def _check_release(manifest: Manifest) -> None:
    """Refuse a backup whose tables this release does not know."""
    if unknown := sorted(set(manifest.migrations) - _known()):
        raise BadArchive(
            f"The backup was made by a later release, which has migrations unknown here ({', '.join(unknown[:5])}). "
            "Restore it with that release."
        )


def _check_target(manifest: Manifest) -> None:
    """Refuse a database that is not ours, not empty, or has tables that the backup does not know."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select current_user, pg_get_userbyid(datdba), datname from pg_database where datname = current_database()"
        )
        me, owner, name = cursor.fetchone()
        if me != owner:
            raise BadArchive(
                f"The database {name} belongs to {owner}; this is {me}. Set DATABASE_OWNER_URL to its address as {owner}."
            )
        _check_empty(cursor, _tables(cursor))
    if beyond := sorted(_applied() - set(manifest.migrations)):
        raise BadArchive(
            f"The database has tables of a later release than the backup (migrations {', '.join(beyond[:5])}). "
            "Restore into a new database without tables; they are made as the backup needs them, and then migrated."
        )


def _check_empty(cursor: CursorWrapper, present: dict[str, list[str]]) -> None:
    for table in present:
        if table in LEFT_OUT or table in MADE_BY_MIGRATE:
            continue
        cursor.execute(
            sql.SQL("select exists(select from {} where ({}) is not true)").format(
                sql.Identifier(table), sql.SQL(OPERATOR.get(table, "false"))
            )
        )
        if cursor.fetchone()[0]:
            raise BadArchive(
                f"The database is not empty ({table} has rows). Restore into the empty database of a fresh server."
            )


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _check_member(archive: zipfile.ZipFile, one: Table) -> None:
    digest = hashlib.sha256()
    try:
        with archive.open(one.member) as file:
            for chunk in _chunks(file):
                digest.update(chunk)
    except _DAMAGE as error:
        raise BadArchive(
            f"The backup is damaged: the rows of {one.table} cannot be read ({error}). Take another backup."
        ) from error
    if digest.hexdigest() != one.sha256:
        raise BadArchive(
            f"The backup is damaged: the rows of {one.table} do not fit their checksum. Take another backup."
        )


def _make_tables(manifest: Manifest) -> None:
    """Make the tables as they were when the backup was made."""
    if set(manifest.migrations) == _known():
        call_command("migrate", verbosity=0)
        return
    names = {(app, name) for app, _, name in (one.partition(".") for one in manifest.migrations)}
    graph = MigrationLoader(None).graph
    for app, name in sorted(names & set(graph.nodes)):
        if not any(child.key in names for child in graph.node_map[app, name].children if child.key[0] == app):
            call_command("migrate", app, name, verbosity=0)  # the app's last


def _load(cursor: CursorWrapper, archive: zipfile.ZipFile, manifest: Manifest, say: Say) -> None:
    present = _tables(cursor)
    cursor.execute(sql.SQL("lock table {} in access exclusive mode").format(_names(present)))
    _check_empty(cursor, present)  # nobody came first meanwhile
    told = {one.table: set(one.columns) for one in manifest.tables}
    for table in sorted(set(present) ^ (set(told) | set(manifest.left_out))):
        raise BadArchive(f"The backup and its migrations disagree on the table {table}. Nothing was restored.")
    for table, columns in told.items():
        if columns != set(present[table]):
            raise BadArchive(f"The backup and its migrations disagree on the columns of {table}. Nothing was restored.")
    cursor.execute(sql.SQL("truncate {}").format(_names(table for table in present if table not in {LOG, MIGRATIONS})))
    for one in manifest.tables:
        try:
            rows = _copy_in(cursor, one, archive)
        except psycopg.Error as error:  # COPY is psycopg's own, and so are its errors
            raise BadArchive(f"The rows of {one.table} do not go in ({error}). Nothing was restored.") from error
        if rows != one.rows:
            raise BadArchive(
                f"The backup is damaged: {one.table} has {rows} rows, not {one.rows}. Nothing was restored."
            )
        say(f"{one.table}: {rows} rows")
    _set_sequences(cursor, list(told))
    try:
        cursor.execute("set constraints all immediate")
    except DatabaseError as error:
        raise BadArchive(f"The rows of the backup do not fit together ({error}). Nothing was restored.") from error


def _copy_in(cursor: CursorWrapper, one: Table, archive: zipfile.ZipFile) -> int:
    statement = sql.SQL("copy {} ({}) from stdin").format(sql.Identifier(one.table), _names(one.columns))
    with archive.open(one.member) as file, cursor.copy(statement) as copy:
        for chunk in _chunks(file):
            copy.write(chunk)
    return cursor.rowcount


def _set_sequences(cursor: CursorWrapper, tables: list[str]) -> None:
    """Let numbers go on after the largest that came back, the positions of the log among them."""
    cursor.execute(
        "select table_name, column_name from information_schema.columns where table_schema = 'public'"
        " and table_name = any(%s) and (is_identity = 'YES' or column_default like 'nextval(%%')",
        [tables],
    )
    for table, column in cursor.fetchall():
        cursor.execute(
            sql.SQL(
                "select setval(pg_get_serial_sequence({name}, {of}), coalesce(max({column}), 1), count(*) > 0) from {table}"
            ).format(
                name=sql.Literal(f'"{table}"'),
                of=sql.Literal(column),
                column=sql.Identifier(column),
                table=sql.Identifier(table),
            )
        )


def _derive(say: Say) -> None:
    from career import services as careers

    read = 0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal read
        if what != "entries":
            say(f"careers, {what}: {done} of {total}")
        elif (read + done) // 100_000 > read // 100_000:
            say(f"careers: {read + done} entries of the log read")
        read += done if what == "entries" else 0

    careers.rebuild(progress=progress)
    say("The careers are derived.")


def _verify(say: Say) -> None:
    from matches import log

    streams, broken = 0, []
    for stream in log.streams():
        streams += 1
        if (found := log.verify(stream)) is not None:
            broken.append(found)
    if broken:
        raise BrokenChains(
            f"Everything is restored, but {len(broken)} of {streams} chains of the log were broken already, the first here: "
            f"{broken[0]}. `manage.py verify_log --all` names them all."
        )
    say(f"Every chain of the log is whole: {streams}.")
