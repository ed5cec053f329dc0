"""Backup and restore: everything comes back, into a fresh database, and followers go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command

from career.selectors import career
from career.services import catch_up
from config import archive, embedded
from matches import log, services
from matches.models import Match
from people.models import Person
from rulesengine.play import play
from tests.conftest import ROOT
from tests.matches.conftest import person
from tests.matches.test_live import match_of

FRESH = "test_restored"


@pytest.fixture
def season(transactional_db: None) -> Match:
    """A recorded, signed and confirmed match of two with accounts."""
    ada, bo = person("ada", "Ada Moreau", "owner"), person("bo", "Bo Lindqvist")
    match = match_of(ada, play("hexwar", seed=3, seats=2), A="ada", B="bo")
    services.result_sign(match=match, by=ada)
    services.result_sign(match=match, by=bo)
    while catch_up():
        pass
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def fresh(as_superuser: psycopg.Connection) -> Iterator[dict[str, str]]:
    """An empty database on the server; yields the environment of a site that uses it."""
    from tests.settings import SERVER

    as_superuser.execute(f"drop database if exists {FRESH} with (force)")
    as_superuser.execute(f"create database {FRESH} owner {embedded.OWNER}")
    try:
        yield {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": SERVER.url(embedded.APP, FRESH),
            "DATABASE_OWNER_URL": SERVER.url(embedded.OWNER, FRESH),
        }
    finally:
        as_superuser.execute(f"drop database if exists {FRESH} with (force)")


def manage(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_backup_comes_back_into_a_fresh_server_and_followers_go_on(
    season: Match, fresh: dict[str, str], site_environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "annals.backup"
    done = manage(site_environment, "backup", str(file))
    assert done.returncode == 0, done.stderr
    before = log.read(season.pk)
    ada = Person.objects.get(handle="ada")
    told = career(ada)

    done = manage(fresh, "restore", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every chain of the log is whole." in done.stdout
    with psycopg.connect(fresh["DATABASE_OWNER_URL"], autocommit=True) as restored:
        rows = restored.execute(
            "select seq, hash, event_id, recorded_at, position, xid::text from matches_event where stream = %s order by seq",
            [season.pk],
        ).fetchall()
        assert rows == [(row.seq, row.hash, row.event_id, row.recorded_at, row.position, "0") for row in before]
        last = before[-1].position
        marks = restored.execute("select xid, position from career_checkpoint").fetchall()
        assert marks == [("0", last)]
        restored.execute(
            "insert into matches_event (stream, seq, kind, type, data, event_id, recorded_at, hash)"
            " values (gen_random_uuid(), 0, 'match', 'x', '{}', gen_random_uuid(), now(), sha256('x'))"
        )
        position, xid = restored.execute(
            "select position, xid::text::bigint from matches_event where type = 'x'"
        ).fetchone()  # type: ignore[misc]
        assert position == last + 1
        assert xid > 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            restored.execute("delete from matches_event")
    done = manage(fresh, "career", "ada", "--json")
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    for key in ("rank", "badges", "record", "history"):
        assert again[key] == json.loads(json.dumps(told[key], default=str)), key


def test_a_backup_goes_only_into_an_empty_database(
    season: Match, site_environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "annals.backup"
    assert manage(site_environment, "backup", str(file)).returncode == 0
    done = manage(site_environment, "restore", str(file))
    assert done.returncode == 1
    assert (
        "The database is not empty (matches_event has rows). Restore into the empty database of a fresh server."
        in done.stderr
    )


def test_a_damaged_backup_is_refused_before_anything_is_written(
    season: Match, fresh: dict[str, str], site_environment: dict[str, str], tmp_path: Path
) -> None:
    file, damaged = tmp_path / "annals.backup", tmp_path / "damaged.backup"
    assert manage(site_environment, "backup", str(file)).returncode == 0
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(damaged, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(
                name, content.replace(b"unit_moved", b"unit_loved") if name.startswith("matches_event") else content
            )
    done = manage(fresh, "restore", str(damaged))
    assert done.returncode == 1
    assert "The backup is damaged: the rows of matches_event do not fit their checksum." in done.stderr
    with psycopg.connect(fresh["DATABASE_OWNER_URL"]) as restored:
        assert restored.execute("select to_regclass('matches_event')").fetchone() == (None,)


def test_what_is_no_backup_is_refused(tmp_path: Path, db: None) -> None:
    file = tmp_path / "x"
    file.write_text("hello")
    with pytest.raises(CommandError, match="is no backup of Annals"):
        call_command("restore", str(file))


def test_a_backup_overwrites_no_file(tmp_path: Path, db: None) -> None:
    file = tmp_path / "x"
    file.write_text("mine")
    with pytest.raises(CommandError, match="is there already; choose another name"):
        call_command("backup", str(file))
    assert file.read_text() == "mine"
    assert archive.FORMAT == "annals-backup/1"
