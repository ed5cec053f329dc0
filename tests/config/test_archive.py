"""Backup and restore: everything comes back, into a fresh database, and followers go on."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from msgspec.structs import replace

from career.selectors import career
from career.services import catch_up
from config import archive, embedded
from matches import log, services
from matches import texts as free_texts
from matches.models import Job, Match, Text, Upload
from people.models import Person
from people.services import operator, person_guest_create
from rulesengine.play import play
from tests.conftest import ROOT, Process
from tests.matches.conftest import person
from tests.matches.test_live import match_of

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
WORDS = "Ada’s shield-bearer\tsang;\nthe \\N reeves — did not."
# A follower as an outsider would write it: it prints the position of every entry it reads, until it reads one that says so.
FOLLOWER = """
import time, django
django.setup()
from matches import log
print("following", flush=True)
cursor, last = (0, 0), False
while not last:
    for row in log.follow(cursor, 7):
        print(row.position, row.type, flush=True)
        cursor, last = (row.xid, row.position), row.type == "last"
    time.sleep(0.01)
"""


@pytest.fixture
def season(transactional_db: None) -> Match:
    """A recorded, signed and confirmed match of two with accounts, and a stream of entries with free texts."""
    ada, bo = person("ada", "Ada Moreau", "owner"), person("bo", "Bo Lindqvist")
    match = match_of(ada, play("hexwar", seed=3, seats=2), A="ada", B="bo")
    services.result_sign(match=match, by=ada)
    services.result_sign(match=match, by=bo)
    data, texts = free_texts.apart(b"{}", WORDS)
    append("told", data=data, texts=texts)
    while catch_up():
        pass
    return Match.objects.get(pk=match.pk)


def append(type: str, **more: object) -> None:
    """Begin a stream of another follower's concern with one entry."""
    entry = log.Entry(type, **more)  # type: ignore[arg-type]
    log.append(stream=uuid4(), stream_kind="tournament", entries=[entry], expected_seq=-1, by=None, at=timezone.now())


def as_read(limit: int = 13) -> list[log.Row]:
    """Return all entries as a follower reads them."""
    rows: list[log.Row] = []
    while more := log.follow((rows[-1].xid, rows[-1].position) if rows else (0, 0), limit):
        rows += more
    return rows


@contextmanager
def using(database: str, role: str) -> Iterator[None]:
    """Be a role in another database of the server."""
    from tests.settings import SERVER

    other = {"NAME": database, "USER": role, "PASSWORD": SERVER.passwords[role]}
    before = {key: connection.settings_dict[key] for key in other}
    connection.close()
    connection.settings_dict.update(other)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


def made(path: Path, **more: object) -> Path:
    """Back up the test's own database."""
    with using(connection.settings_dict["NAME"], embedded.OWNER):
        archive.backup(path, **more)  # type: ignore[arg-type]
    return path


@pytest.fixture(scope="module")
def once() -> dict[str, bytes]:
    """What is made once for all tests here."""
    return {}


@pytest.fixture
def backed_up(once: dict[str, bytes], request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A backup of a season, for tests that need no more of it."""
    file = tmp_path / "annals.backup"
    if not once:
        request.getfixturevalue("season")
        once["raw"] = made(file).read_bytes()
    file.write_bytes(once["raw"])
    return file


@pytest.fixture
def fresh(as_superuser: psycopg.Connection) -> Iterator[str]:
    """The name of a new database on the server, without a table."""
    name = f"{connection.settings_dict['NAME']}_restored"
    as_superuser.execute(f'drop database if exists "{name}" with (force)')
    as_superuser.execute(f'create database "{name}" owner {embedded.OWNER}')
    try:
        yield name
    finally:
        as_superuser.execute(f'drop database if exists "{name}" with (force)')


@pytest.fixture
def fresh_site(fresh: str, tmp_path: Path) -> dict[str, str]:
    """The environment of a site that uses the new database."""
    from tests.settings import SERVER

    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": SERVER.url(embedded.APP, fresh),
        "DATABASE_OWNER_URL": SERVER.url(embedded.OWNER, fresh),
        "ANNALS_VAR": str(tmp_path),
    }


def manage(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def tables(database: str) -> set[str]:
    with using(database, embedded.OWNER):
        return set(connection.introspection.table_names())


# Out and in


def test_a_backup_comes_back_into_a_fresh_server_and_followers_go_on(
    season: Match, fresh: str, fresh_site: dict[str, str], site_environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "annals.backup"
    done = manage(site_environment, "backup", str(file))
    assert done.returncode == 0, done.stderr
    before = as_read()
    kept = list(Text.objects.order_by("pk").values())
    told = career(Person.objects.get(handle="ada"))
    assert told["history"]

    done = manage(fresh_site, "restore", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every chain of the log is whole: 2." in done.stdout
    assert (tmp_path / "demo-loaded").exists()  # `make run` adds no demonstration to it
    with using(fresh, embedded.APP):
        after = as_read()
        assert [(row.xid, row.position) for row in after] == [
            (0, one) for one in sorted(row.position for row in before)
        ]
        same = {row.position: row for row in before}
        assert all(row == replace(same[row.position], xid=0) for row in after)
        assert [log.verify(stream) for stream in log.streams()] == [None, None]
        assert list(Text.objects.order_by("pk").values()) == kept
        assert [row["text"] for row in kept] == [WORDS]
        again = career(Person.objects.get(handle="ada"))
        assert {**again, "as_of": None} == {**told, "as_of": None}
        assert catch_up() == 0
        # What comes now comes after it, once.
        append("next")
        here = (after[-1].xid, after[-1].position)
        assert [(row.type, row.position) for row in log.follow(here, 10)] == [("next", after[-1].position + 1)]
        assert catch_up() == 1
        guest = person_guest_create("Kim Ito")
        assert guest.pk not in {row.by for row in after}
        with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.cursor() as cursor:
            cursor.connection.execute("delete from matches_event")


def test_a_follower_that_runs_during_the_restore_reads_every_entry_once_and_in_order(
    season: Match, fresh: str, fresh_site: dict[str, str], process: Callable[..., Process], tmp_path: Path
) -> None:
    file = made(tmp_path / "annals.backup")
    expected = sorted(row.position for row in as_read())
    with using(fresh, embedded.OWNER):
        call_command("migrate", verbosity=0)
        follower = process("-c", FOLLOWER, **fresh_site)
        follower.wait_for("following")
        archive.restore(file)
    with using(fresh, embedded.APP):
        append("next")
        append("last")
    follower.popen.wait(30)
    read = [int(line.split()[0]) for line in follower.output.splitlines()[1:]]
    assert read == [*expected, expected[-1] + 1, expected[-1] + 2]


def test_jobs_that_were_unfinished_are_taken_up_on_the_fresh_server(
    season: Match, fresh: str, fresh_site: dict[str, str], process: Callable[..., Process], tmp_path: Path
) -> None:
    upload = Upload.objects.get(match_id=season.pk)
    upload.state, upload.report = Upload.State.CHECKED, None
    upload.save()
    job = Job.objects.create(kind="upload_check", payload={"upload": str(upload.pk)}, state=Job.State.RUNNING, tries=1)
    file = made(tmp_path / "annals.backup")
    with using(fresh, embedded.OWNER):
        archive.restore(file)
    arguments = ["-m", "celery", "-A", "config", "worker", "-P", "threads", "-c", "1", "--loglevel", "INFO"]
    process(*arguments, CELERY_CLOCK="1", **fresh_site)
    end = time.monotonic() + 60
    with using(fresh, embedded.APP):
        while Job.objects.get(pk=job.pk).state != Job.State.DONE and time.monotonic() < end:
            time.sleep(0.1)
        assert Job.objects.get(pk=job.pk).state == Job.State.DONE
        assert Upload.objects.get(pk=upload.pk).report is not None


def test_a_backup_of_an_earlier_release_comes_back_as_the_present_one(
    season: Match, fresh: str, as_superuser: psycopg.Connection, tmp_path: Path
) -> None:
    file, earlier = made(tmp_path / "now.backup"), tmp_path / "earlier.backup"
    with using(fresh, embedded.OWNER):
        archive.restore(file)
        call_command("migrate", "account", "0008", verbosity=0)
        assert "account.0009_emailaddress_unique_primary_email" not in archive.backup(earlier).migrations
        # The tables of the later release would not fit: the way out is a database without any.
    as_superuser.execute(f'drop database "{fresh}" with (force)')
    as_superuser.execute(f'create database "{fresh}" owner {embedded.OWNER}')
    said: list[str] = []
    with using(fresh, embedded.OWNER):
        archive.restore(earlier, said.append)
        assert "Migrating to this release …" in said
        call_command("migrate", "--check", verbosity=0)
        assert Match.objects.get().head_hash == season.head_hash
        assert [log.verify(stream) for stream in log.streams()] == [None, None]


def test_an_earlier_backup_does_not_go_into_the_tables_of_a_later_release(fresh: str, backed_up: Path) -> None:
    changed(backed_up, migrations=lambda names: [name for name in names if not name.startswith("account.0009")])
    with using(fresh, embedded.OWNER):
        call_command("migrate", verbosity=0)
        with pytest.raises(
            archive.BadArchive, match=r"tables of a later release than the backup \(migrations account.0009"
        ):
            archive.restore(backed_up)
        assert not as_read()


# Making it


def test_a_backup_is_of_one_moment_and_holds_no_follower_back(season: Match, tmp_path: Path) -> None:
    before = as_read()
    seen: list[int] = []

    def record_meanwhile(said: str) -> None:
        if said.startswith("matches_event"):
            return
        if not seen:
            with psycopg.connect(connection_url(embedded.APP), autocommit=True) as site:
                site.execute("insert into people_handleredirect select 'meanwhile', id from people_person limit 1")
                site.execute(
                    "insert into matches_event (stream, seq, kind, type, data, event_id, recorded_at, hash)"
                    " values (gen_random_uuid(), 0, 'match', 'x', '{}', gen_random_uuid(), now(), sha256('x'))"
                )
                found = site.execute(
                    "select count(*) from matches_event where xid < pg_snapshot_xmin(pg_current_snapshot()) and type = 'x'"
                ).fetchone()
                seen.append(found[0] if found else 0)

    file = tmp_path / "annals.backup"
    with using(connection.settings_dict["NAME"], embedded.OWNER):
        manifest = archive.backup(file, say=record_meanwhile)
    assert seen == [1]
    rows = {one.table: one.rows for one in manifest.tables}
    assert rows["matches_event"] == len(before)
    assert rows["people_handleredirect"] == 0


def connection_url(role: str) -> str:
    from tests.settings import SERVER

    return SERVER.url(role, connection.settings_dict["NAME"])


def test_a_backup_says_what_it_holds_and_what_it_leaves_out(season: Match, tmp_path: Path) -> None:
    file = made(tmp_path / "annals.backup", by="ada")
    with zipfile.ZipFile(file) as opened:
        manifest = json.loads(opened.read("manifest.json"))
        assert manifest["format"] == "annals-backup/1"
        assert manifest["by"] == "ada"
        assert "matches.0002_log" in manifest["migrations"]
        for one in manifest["tables"]:
            rows = opened.read(f"{one['table']}.copy")
            assert hashlib.sha256(rows).hexdigest() == one["sha256"]
            assert rows.count(b"\n") == one["rows"]
    kept = {one["table"] for one in manifest["tables"]}
    there = tables(connection.settings_dict["NAME"])
    assert kept | set(manifest["left_out"]) == there
    assert set(manifest["left_out"]) == archive.LEFT_OUT


def test_only_its_owner_can_read_a_backup(season: Match, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        file = made(tmp_path / "annals.backup")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_backup_overwrites_no_file_unless_told_to(season: Match, tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("mine")
    with pytest.raises(CommandError, match="is there already; choose another name, or say --force"):
        call_command("backup", str(file))
    assert file.read_text() == "mine"
    made(file, overwrite=True)
    assert zipfile.is_zipfile(file)
    assert list(tmp_path.iterdir()) == [file]


def test_a_backup_that_is_cut_short_leaves_nothing_and_spares_the_one_before(season: Match, tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("the backup of yesterday")

    def interrupted(_said: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(file, overwrite=True, say=interrupted)
    assert file.read_text() == "the backup of yesterday"
    assert list(tmp_path.iterdir()) == [file]


def test_a_backup_into_a_folder_that_is_not_there_is_refused(season: Match, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"none/x cannot be written: No such file or directory\."):
        call_command("backup", str(tmp_path / "none" / "x"))


def test_only_an_owner_of_the_site_may_back_it_up(season: Match, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="@bo may not back up the site; only its owners may"):
        call_command("backup", str(tmp_path / "x"), "--by", "bo")
    with pytest.raises(CommandError, match="Nobody here has the handle @eve"):
        call_command("backup", str(tmp_path / "x"), "--by", "eve")
    call_command("backup", str(tmp_path / "x"), "--by", "@ada", verbosity=0)
    assert zipfile.is_zipfile(tmp_path / "x")


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_without_the_owner_s_address_there_is_a_word_and_no_traceback(command: str, tmp_path: Path) -> None:
    environment = {
        "DATABASE_URL": "postgresql://annals_app@127.0.0.1:1/annals", "DATABASE_OWNER_URL": "", "ANNALS_EMBEDDED": "",
        "SECRET_KEY": "x" * 50, "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    done = manage(environment, command, str(tmp_path / "x"))
    assert done.returncode == 1
    assert "set DATABASE_OWNER_URL to the address as their owner" in done.stderr
    assert "Traceback" not in done.stderr


# Where it may go


def test_a_backup_goes_only_into_an_empty_database(
    season: Match, site_environment: dict[str, str], tmp_path: Path
) -> None:
    file = made(tmp_path / "annals.backup")
    before = as_read()
    done = manage(site_environment, "restore", str(file))
    assert done.returncode == 1
    assert (
        "The database is not empty (matches_event has rows). Restore into the empty database of a fresh server."
        in done.stderr
    )
    assert as_read() == before


def test_one_guest_is_enough_to_be_not_empty_and_the_operator_is_not(fresh: str, backed_up: Path) -> None:
    with using(fresh, embedded.OWNER):
        call_command("migrate", verbosity=0)
        theirs = operator()
        guest = person_guest_create("Kim Ito")
        with pytest.raises(archive.BadArchive, match=r"is not empty \(people_person has rows\)"):
            archive.restore(backed_up)
        assert Person.objects.count() == 2
        guest.delete()
        archive.restore(backed_up)
        assert not Person.objects.filter(pk=theirs.pk).exists()
        assert Person.objects.filter(handle="ada").exists()


def test_only_the_owner_of_the_database_restores(fresh: str, backed_up: Path) -> None:
    with (
        using(fresh, embedded.APP),
        pytest.raises(CommandError, match=r"belongs to annals_owner; this is annals_app\. Set DATABASE_OWNER_URL"),
    ):
        call_command("restore", str(backed_up))


# What is no whole backup


def changed(file: Path, **changes: Callable[[object], object]) -> None:
    """Change a backup's manifest."""
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(members["manifest.json"])
    for key, change in changes.items():
        manifest[key] = change(manifest[key])
    members["manifest.json"] = json.dumps(manifest).encode()
    written(file, members)


def written(file: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in members.items():
            new.writestr(name, content)


def with_rows(file: Path, table: str, change: Callable[[bytes], bytes]) -> None:
    """Change the rows of a table, and the manifest so that it fits them."""
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name) for name in old.namelist()}
    rows = members[f"{table}.copy"] = change(members[f"{table}.copy"])
    manifest = json.loads(members["manifest.json"])
    for one in manifest["tables"]:
        if one["table"] == table:
            one["sha256"] = hashlib.sha256(rows).hexdigest()
            one["rows"] = rows.count(b"\n")
    members["manifest.json"] = json.dumps(manifest).encode()
    written(file, members)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-2000])


def flip(file: Path) -> None:
    raw = bytearray(file.read_bytes())
    raw[400] ^= 0xFF  # among the packed entries of the log, the first member
    file.write_bytes(raw)


def other_rows(file: Path) -> None:
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name) for name in old.namelist()}
    members["matches_event.copy"] = members["matches_event.copy"].replace(b"unit_moved", b"unit_loved")
    written(file, members)


def without(name: str) -> Callable[[Path], None]:
    def drop(file: Path) -> None:
        with zipfile.ZipFile(file) as old:
            members = {one: old.read(one) for one in old.namelist() if one != name}
        written(file, members)

    return drop


BROKEN: dict[str, tuple[Callable[[Path], None], str]] = {
    "hello": (lambda file: file.write_text("hello") and None, "is no backup of Annals"),
    "not there": (lambda file: file.unlink(), r"cannot be read \(No such file or directory\)"),
    "cut short": (cut, "is no backup of Annals, or only a part of one"),
    "a flipped byte": (flip, "The backup is damaged: the rows of matches_event cannot be read"),
    "other rows": (other_rows, "the rows of matches_event do not fit their checksum"),
    "a table gone": (without("people_person.copy"), "the rows of people_person cannot be read"),
    "some zip": (without("manifest.json"), "is no backup of Annals: it has no manifest"),
    "another's format": (lambda file: changed(file, format=lambda _: "tar/1"), "its format is 'tar/1', expected"),
    "a later format": (
        lambda file: changed(file, format=lambda _: "annals-backup/2"),
        "format annals-backup/2, this release reads annals-backup/1. Restore it with the release that made it",
    ),
    "a later release": (
        lambda file: changed(file, migrations=lambda names: [*names, "matches.9999_later"]),
        r"made by a later release, which has migrations unknown here \(matches.9999_later\)",
    ),
    "a manifest of nonsense": (lambda file: changed(file, tables=lambda _: "none"), "its manifest cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("how", BROKEN)
def test_what_is_no_whole_backup_is_refused_before_anything_is_written(how: str, fresh: str, backed_up: Path) -> None:
    damage, said = BROKEN[how]
    damage(backed_up)
    with using(fresh, embedded.OWNER), pytest.raises(CommandError, match=said):
        call_command("restore", str(backed_up))
    assert tables(fresh) == set()


INCONSISTENT: dict[str, tuple[Callable[[Path], None], str]] = {
    "rows that do not fit together": (
        lambda file: with_rows(file, "people_person", lambda _: b""),
        "The rows of the backup do not fit together",
    ),
    "rows that are none": (
        lambda file: with_rows(file, "people_person", lambda rows: rows + b"what?\n"),
        "The rows of people_person do not go in",
    ),
    "another number of rows": (
        lambda file: changed(file, tables=lambda told: [{**one, "rows": one["rows"] + 1} for one in told]),  # type: ignore[attr-defined]
        r"matches_event has \d+ rows, not \d+",
    ),
    "a table too few": (
        lambda file: changed(file, tables=lambda told: [one for one in told if one["table"] != "people_grant"]),  # type: ignore[attr-defined]
        "disagree on the table people_grant",
    ),
    "a column too few": (
        lambda file: changed(file, tables=lambda told: [{**one, "columns": one["columns"][1:]} for one in told]),  # type: ignore[attr-defined]
        "disagree on the columns of matches_event",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", INCONSISTENT)
def test_all_rows_come_back_or_none(how: str, fresh: str, backed_up: Path) -> None:
    whole = backed_up.with_name("whole.backup")
    whole.write_bytes(backed_up.read_bytes())
    damage, said = INCONSISTENT[how]
    damage(backed_up)
    with using(fresh, embedded.OWNER):
        with pytest.raises(archive.BadArchive, match=said):
            archive.restore(backed_up)
        assert not as_read()
        assert not Person.objects.exists()
        archive.restore(whole)  # the database is as fresh as before
        assert Match.objects.exists()


def test_a_log_that_was_broken_before_comes_back_and_is_told(fresh: str, backed_up: Path) -> None:
    with_rows(backed_up, "matches_event", lambda rows: rows.replace(b"turn_ended", b"turn_began", 1))
    with using(fresh, embedded.OWNER):
        with pytest.raises(archive.BrokenChains, match=r"1 of 2 chains .* the first here: stream \S+, seq \d+"):
            archive.restore(backed_up)
        assert Match.objects.exists()


def test_nothing_of_it_runs_within_another_transaction(season: Match, tmp_path: Path) -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        archive.backup(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []
