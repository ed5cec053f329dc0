"""The whole database as one file, and back into a fresh server. Needs no program of PostgreSQL.

A zip archive: `manifest.json` (format, moment, migrations, and for each table its columns, rows and SHA-256), and the rows of each
table as COPY writes them. Entries of the log come back with transaction id 0: every follower reads them first, in order of
position. Followers begin anew, so checkpoints are not brought back.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from psycopg import Cursor, sql

FORMAT = "annals-backup/1"
LOG = "matches_event"
MIGRATIONS = "django_migrations"
# Not kept: what is made by migrations, and what followers make anew.
LEFT_OUT = frozenset({MIGRATIONS, "career_checkpoint"})
# With rows in one of these a database is not fresh.
MUST_BE_EMPTY = (LOG, "people_account", "matches_match")
_CHUNK = 1 << 20


class BadArchive(Exception):
    """The file is no backup, is damaged, or does not fit this release or this database; the message says what to do."""


def backup(path: Path) -> dict[str, Any]:
    """Write the database, as it is at this moment, into a new file and return the manifest. The site may run meanwhile.

    :raises FileExistsError: rather than overwrite a file
    """
    if path.exists():
        raise FileExistsError(f"{path} is there already; choose another name.")
    part = path.with_name(path.name + ".part")
    tables = []
    with transaction.atomic(), zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        with connection.cursor() as cursor:
            cursor.execute("set transaction isolation level repeatable read read only")
            manifest = {"format": FORMAT, "made_at": timezone.now().isoformat(), "migrations": _migrations(cursor)}
            for table, columns in _tables(cursor).items():
                with archive.open(f"{table}.copy", "w", force_zip64=True) as file:
                    tables.append(
                        {"table": table, "columns": columns, **_copy_out(cursor.cursor, table, columns, file)}
                    )
        manifest["tables"] = tables
        archive.writestr("manifest.json", json.dumps(manifest, indent=1))
    part.replace(path)
    return manifest


def restore(path: Path, say: Callable[[str], None] = lambda _text: None) -> dict[str, Any]:
    """Bring a backup into an empty database, verify every chain, derive the careers, and return the manifest.

    :raises BadArchive: if it cannot be; the database is then as it was, save for tables that were missing
    """
    with _opened(path) as archive:
        manifest = _manifest(archive)
        call_command("migrate", verbosity=0)
        with transaction.atomic(), connection.cursor() as cursor:
            _check_fits(cursor, manifest)
            cursor.execute("set constraints all deferred")
            others = [table for table in _tables(cursor) if table != LOG]
            cursor.execute(
                sql.SQL("truncate {}").format(sql.SQL(", ").join(map(sql.Identifier, [*others, "career_checkpoint"])))
            )
            for one in manifest["tables"]:
                with archive.open(f"{one['table']}.copy") as file:
                    _copy_in(cursor.cursor, one["table"], one["columns"], file)
                say(f"{one['table']}: {one['rows']} rows")
            _set_sequences(cursor, [one["table"] for one in manifest["tables"]])
    _verify()
    say("Every chain of the log is whole.")
    from career import services as careers

    careers.rebuild()
    say("The careers are derived.")
    return manifest


def _migrations(cursor: Any) -> list[str]:
    cursor.execute("select app || '.' || name from django_migrations order by 1")
    return [name for (name,) in cursor.fetchall()]


def _tables(cursor: Any) -> dict[str, list[str]]:
    """Return the columns of every table that is kept, the log first."""
    cursor.execute(
        "select c.table_name, array_agg(c.column_name::text order by c.ordinal_position) from information_schema.columns c"
        " join information_schema.tables t using (table_schema, table_name)"
        " where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' group by 1"
    )
    found = {table: columns for table, columns in cursor.fetchall() if table not in LEFT_OUT}
    return dict(sorted(found.items(), key=lambda one: (one[0] != LOG, one[0])))


def _copy_out(cursor: Cursor, table: str, columns: list[str], file: IO[bytes]) -> dict[str, Any]:
    chosen = [sql.SQL("'0'") if (table, column) == (LOG, "xid") else sql.Identifier(column) for column in columns]
    order = sql.SQL(" order by position") if table == LOG else sql.SQL("")
    statement = sql.SQL("copy (select {} from {}{}) to stdout").format(
        sql.SQL(", ").join(chosen), sql.Identifier(table), order
    )
    digest, rows = hashlib.sha256(), 0
    with cursor.copy(statement) as copy:
        for chunk in copy:
            digest.update(chunk)
            rows += bytes(chunk).count(b"\n")
            file.write(chunk)
    return {"rows": rows, "sha256": digest.hexdigest()}


def _copy_in(cursor: Cursor, table: str, columns: list[str], file: IO[bytes]) -> None:
    statement = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with cursor.copy(statement) as copy:
        for chunk in _chunks(file):
            copy.write(chunk)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise BadArchive(f"{path} is no backup of Annals ({error}).") from error


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return the manifest of an archive, once every table in it is found whole."""
    try:
        manifest: dict[str, Any] = json.loads(archive.read("manifest.json"))
        if manifest["format"] != FORMAT:
            raise BadArchive(f"The backup has the format {manifest['format']!r}; this release reads {FORMAT}.")
        for one in manifest["tables"]:
            digest = hashlib.sha256()
            with archive.open(f"{one['table']}.copy") as file:
                for chunk in _chunks(file):
                    digest.update(chunk)
            if digest.hexdigest() != one["sha256"]:
                raise BadArchive(
                    f"The backup is damaged: the rows of {one['table']} do not fit their checksum. Take another backup."
                )
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile, EOFError) as error:
        raise BadArchive(f"The backup is damaged ({error}). Take another one.") from error
    return manifest


def _check_fits(cursor: Any, manifest: dict[str, Any]) -> None:
    present = _migrations(cursor)
    if present != manifest["migrations"]:
        differs = sorted(set(present) ^ set(manifest["migrations"]))
        raise BadArchive(
            f"The backup is of another release (migrations differ: {', '.join(differs[:5])}). Restore it with that release, then upgrade."
        )
    columns = _tables(cursor)
    for one in manifest["tables"]:
        if set(columns.get(one["table"], ())) != set(one["columns"]):
            raise BadArchive(f"The table {one['table']} of the backup is not as this release has it.")
    for table in MUST_BE_EMPTY:
        cursor.execute(sql.SQL("select exists(select from {})").format(sql.Identifier(table)))
        if cursor.fetchone()[0]:
            raise BadArchive(
                f"The database is not empty ({table} has rows). Restore into the empty database of a fresh server."
            )


def _set_sequences(cursor: Any, tables: list[str]) -> None:
    """Let numbers go on after the largest that came back."""
    cursor.execute(
        "select table_name, column_name from information_schema.columns where table_schema = 'public'"
        " and (is_identity = 'YES' or column_default like 'nextval(%%') and table_name = any(%s)",
        [tables],
    )
    for table, column in cursor.fetchall():
        cursor.execute(
            sql.SQL(
                "select setval(pg_get_serial_sequence({}, {}), greatest((select max({}) from {}), 1), (select count(*) > 0 from {}))"
            ).format(
                sql.Literal(table),
                sql.Literal(column),
                sql.Identifier(column),
                sql.Identifier(table),
                sql.Identifier(table),
            )
        )


def _verify() -> None:
    from matches import log

    broken = [found for stream in log.streams() if (found := log.verify(stream)) is not None]
    if broken:
        raise BadArchive(
            f"The backup is restored, but {len(broken)} chain(s) of its log are broken, the first: {broken[0]}."
        )
