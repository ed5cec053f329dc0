"""What tests of every room can ask for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import hypothesis
import psycopg
import pytest
from django.db import connection

from config import celery, embedded
from config.processes import worker_arguments

ROOT = Path(__file__).resolve().parent.parent

# A shell starts what it puts in the background with SIGINT ignored, and children inherit that: those of the tests are ended by it.
signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("ci", derandomize=True, max_examples=100, deadline=None, database=None)
hypothesis.settings.register_profile("deep", max_examples=5000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--broker", choices=["pgmq", "redis"], default="pgmq", help="the broker that the queue's contract is run on"
    )
    parser.addoption("--regenerate", action="store_true", help="write the golden matches anew; read the difference")


def until(said: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < end, f"did not come true within {seconds} s"
        time.sleep(0.05)


class Process:
    """A process of the site that a test started: its output so far, and three ways for it to end."""

    def __init__(self, command: list[str], log: Path, **environment: str) -> None:
        self.log = log
        with log.open("ab") as out:
            self.popen = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """Return the output once it holds a text; fail with it if it never does."""
        end = time.monotonic() + seconds
        while text not in self.output:
            ended = self.popen.poll()
            if ended is not None or time.monotonic() > end:
                time.sleep(0.1)
                if text in self.output:
                    break
                why = f"ended with {ended}" if ended is not None else f"did not within {seconds} s"
                pytest.fail(f"waited for {text!r}; the process {why}. It said:\n{self.output[-6000:]}")
            time.sleep(0.05)
        return self.output

    def interrupt(self, seconds: float = 60) -> int:
        """End it as Ctrl-C does; return its exit code."""
        self.popen.send_signal(signal.SIGINT)
        return self.popen.wait(seconds)

    def stop(self, seconds: float = 60) -> int:
        """End it politely; return its exit code."""
        if self.popen.poll() is None:
            self.popen.terminate()
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            pytest.fail(f"did not end within {seconds} s of SIGTERM. It said:\n{self.output[-6000:]}")

    def kill(self) -> None:
        """End it by kill -9: it alone, nothing that it started."""
        with suppress(ProcessLookupError):
            self.popen.kill()
        self.popen.wait(30)


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start processes: `process("-m", "config.run", PORT="0")` runs this Python; what still runs after the test is killed."""
    started: list[Process] = []

    def start(*arguments: str, **environment: str) -> Process:
        begun = Process([sys.executable, *arguments], tmp_path / f"process-{len(started)}.log", **environment)
        started.append(begun)
        return begun

    yield start
    for one in started:
        if one.popen.poll() is None:
            one.kill()


def url_of(role: str) -> str:
    """Return the address of the test database for a role."""
    from tests.settings import SERVER

    return SERVER.url(role, connection.settings_dict["NAME"])


@pytest.fixture(autouse=True)
def _leaves_the_queue_empty(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take away what a test committed to the queue: Django empties its own tables only, and a later test would find it waiting."""
    yield
    mark = request.node.get_closest_marker("django_db")
    if "transactional_db" in request.fixturenames or (mark and mark.kwargs.get("transaction")):
        with psycopg.connect(url_of(embedded.APP), autocommit=True) as site:
            if site.execute("select to_regclass(%s)", [f"pgmq.q_{celery.QUEUE}"]).fetchone() != (None,):
                site.execute(f"delete from pgmq.q_{celery.QUEUE}")


@pytest.fixture
def site_environment(transactional_db: None) -> dict[str, str]:
    """Return the environment in which a process of the site uses this test's database (what has been committed of it)."""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url_of(embedded.APP),
        "DATABASE_OWNER_URL": url_of(embedded.OWNER),
    }


@pytest.fixture
def worker(process: Callable[..., Process], site_environment: dict[str, str]) -> Callable[..., Process]:
    """Start real Celery workers on this test's database: `worker()` returns one that is ready; `worker(clock=True)` has the clock."""
    from config.celery import app

    with app.connection_for_write() as broker:
        broker.default_channel.queue_declare(app.conf.task_default_queue)
        broker.default_channel.queue_purge(app.conf.task_default_queue)

    def start(*, clock: bool = False, threads: int = 2, **environment: str) -> Process:
        begun = process(
            *worker_arguments(threads), **{**site_environment, "CELERY_CLOCK": str(int(clock)), **environment}
        )
        begun.wait_for(" ready.")
        return begun

    return start


def _connection(role: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(url_of(role), autocommit=True) as opened:
        yield opened


@pytest.fixture
def as_superuser(transactional_db: None) -> Iterator[psycopg.Connection]:
    """A connection of the superuser to this test's database; each statement is committed."""
    yield from _connection(embedded.SUPERUSER)


@pytest.fixture
def as_owner(transactional_db: None) -> Iterator[psycopg.Connection]:
    """A connection of the owner of the tables to this test's database; each statement is committed."""
    yield from _connection(embedded.OWNER)


@pytest.fixture
def as_app(transactional_db: None) -> Iterator[psycopg.Connection]:
    """A connection of the application's role to this test's database; each statement is committed."""
    yield from _connection(embedded.APP)
