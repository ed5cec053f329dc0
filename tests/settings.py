"""The site's settings on an embedded PostgreSQL of the tests' own, one for each process of tests.

A server for each: followers read below the oldest transaction of the whole server, so that a test which holds one open would hold
back the followers of the tests beside it.
"""

from __future__ import annotations

import atexit
import fcntl
import json
import os
from pathlib import Path

import psycopg

from config import embedded


def _free_folder() -> Path:
    """Return a folder that no other test run uses; it is ours until this process ends."""
    found = embedded.programs()
    for number in range(1, 100):
        folder = Path(os.environ["ANNALS_TEST_VAR"]) / "test" / f"{found.source}-{found.major}-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        _held.append(lock)
        return folder
    raise RuntimeError(f"a hundred test runs at once in {os.environ['ANNALS_TEST_VAR']}?")


_held: list[object] = []

_process = os.environ.get("PYTEST_XDIST_WORKER", "alone")
if os.environ.get("ANNALS_TEST_PROCESS") != _process:
    os.environ["ANNALS_TEST_PROCESS"] = _process
    os.environ.setdefault("ANNALS_TEST_VAR", str(embedded.var()))
    _folder = _free_folder()
    _server = embedded.start(_folder / "postgres", careless=True)
    atexit.register(_server.stop)
    with psycopg.connect(_server.url(embedded.SUPERUSER, "postgres"), autocommit=True) as _connection:
        _connection.execute(f"alter role {embedded.OWNER} createdb")
        for (_left,) in _connection.execute("select datname from pg_database where datname like 'test%'").fetchall():
            _connection.execute(f'drop database "{_left}" with (force)')  # by a run that was killed
    # The sites and workers that a test starts find the same server by these.
    os.environ["ANNALS_TEST_SERVER"] = json.dumps({"port": _server.port, "passwords": _server.passwords})
    os.environ["ANNALS_VAR"] = str(_folder)
    os.environ["ANNALS_EMBEDDED"] = "1"
    os.environ["DATABASE_URL"] = _server.url(embedded.APP)
    os.environ["DATABASE_OWNER_URL"] = _server.url(embedded.OWNER)
    os.environ.pop("CELERY_BROKER_URL", None)

SERVER = embedded.Server(Path(os.environ["ANNALS_VAR"]) / "postgres", **json.loads(os.environ["ANNALS_TEST_SERVER"]))

from config.settings import *  # noqa: E402, F403 - after the environment is ready
from config.settings import DATABASES  # noqa: E402

DATABASES["default"]["ENGINE"] = "tests.backend"
DATABASES["default"]["TEST"] = {"NAME": "test_annals"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["*"]
