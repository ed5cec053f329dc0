"""Web and worker connect as a role that cannot change the log, and refuse to start as any other."""

from __future__ import annotations

import os
import subprocess
import sys

import psycopg
import pytest

from config import embedded
from tests.conftest import ROOT, url_of


def start(what: list[str], environment: dict[str, str], role: str) -> subprocess.CompletedProcess[str]:
    """Start a part of the site with a role in DATABASE_URL; return what it said before it ended."""
    return subprocess.run(
        [sys.executable, *what],
        cwd=ROOT,
        env=os.environ | environment | {"DATABASE_URL": url_of(role)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


WEB = ["-c", "from config.wsgi import application; print('started')"]
LIVE = ["-c", "from config.asgi import application; print('started')"]
WORKER = ["-m", "celery", "-A", "config", "worker", "-P", "threads"]


@pytest.mark.parametrize(
    ("role", "why"), [(embedded.OWNER, "the owner of the database"), (embedded.SUPERUSER, "a superuser")]
)
@pytest.mark.parametrize("what", [WEB, LIVE, WORKER], ids=["web", "live", "worker"])
def test_it_refuses_to_start_as(what: list[str], role: str, why: str, site_environment: dict[str, str]) -> None:
    ended = start(what, site_environment, role)
    assert ended.returncode == 1
    assert f"connects as {role!r}, which is {why}" in ended.stderr
    assert "DATABASE_OWNER_URL" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_it_refuses_a_role_that_was_allowed_to_change_the_log(
    site_environment: dict[str, str], as_owner: psycopg.Connection
) -> None:
    as_owner.execute("grant update on matches_event to annals_app")
    try:
        ended = start(WEB, site_environment, embedded.APP)
    finally:
        as_owner.execute("revoke update on matches_event from annals_app")
    assert "which is allowed to change the log" in ended.stderr


@pytest.mark.parametrize("what", [WEB, LIVE], ids=["web", "live"])
def test_it_starts_as_the_application(what: list[str], site_environment: dict[str, str]) -> None:
    assert start(what, site_environment, embedded.APP).stdout == "started\n"


def test_it_says_that_there_are_no_tables_yet(
    site_environment: dict[str, str], as_superuser: psycopg.Connection
) -> None:
    as_superuser.execute("create database test_empty owner annals_owner")
    try:
        empty = url_of(embedded.APP).rsplit("/", 1)[0] + "/test_empty"
        ended = subprocess.run(
            [sys.executable, *WEB],
            cwd=ROOT,
            env=os.environ | site_environment | {"DATABASE_URL": empty},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        as_superuser.execute("drop database test_empty with (force)")
    assert "Run `manage.py migrate`" in ended.stderr


def test_the_application_works_on_every_table_but_only_adds_to_the_log(as_app: psycopg.Connection) -> None:
    kinds = ["select", "insert", "update", "delete", "truncate"]
    asked = ", ".join(f"has_table_privilege('public.' || quote_ident(tablename), '{kind}')" for kind in kinds)
    rows = as_app.execute(f"select tablename, {asked} from pg_tables where schemaname = 'public'").fetchall()
    tables = {table: {kind for kind, has in zip(kinds, rights, strict=True) if has} for table, *rights in rows}
    assert tables.pop("django_migrations") == {"select"}
    assert tables.pop("matches_event") == {"select", "insert"}
    assert len(tables) > 20
    assert all(rights == {"select", "insert", "update", "delete"} for rights in tables.values()), tables


def test_the_application_makes_no_tables_beside_those_of_the_queue(as_app: psycopg.Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_app.execute("create table mine (id int)")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        as_app.execute("alter table matches_event disable trigger all")
    assert as_app.execute("select has_schema_privilege('pgmq', 'create')").fetchone() == (True,)
