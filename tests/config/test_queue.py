"""The queue's contract, the same on every broker: `--broker redis` runs it on a Redis or Valkey of its own.

A message is delivered once a worker is there, delivered again after a worker died with it, and a queue that lost everything has
lost nothing, because jobs are rows.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from config import celery
from config.processes import worker_arguments
from tests.conftest import ROOT, Process

TIMEOUT = "3"


@pytest.fixture
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Return the environment that names the broker; an outside one is started for the test."""
    if request.config.getoption("--broker") == "pgmq":
        yield {"CELERY_VISIBILITY_TIMEOUT": TIMEOUT}
        return
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    assert program, "install redis-server or valkey-server (.ci/run does)"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path), "--save", ""],
        stdout=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield {"CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0", "CELERY_VISIBILITY_TIMEOUT": TIMEOUT}
    finally:
        server.kill()
        server.wait()


class Queue:
    """What a test does with the queue: send (as a process of its own), start workers, read what was done."""

    def __init__(self, environment: dict[str, str], start: Callable[..., Process], notes: Path) -> None:
        self.environment, self._start, self.notes = environment, start, notes

    def send(self, kind: str, *names: str, seconds: float = 0) -> str:
        what = [{"path": str(self.notes), "name": name, "seconds": seconds} for name in names]
        return subprocess.run(
            [sys.executable, "-m", "tests.config.queue_tasks", json.dumps({"as": kind, "what": what})],
            cwd=ROOT,
            check=True,
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout

    def work(self, *, clock: bool = False) -> Process:
        worker = self._start(
            *worker_arguments(),
            "-I",
            "tests.config.queue_tasks",
            **self.environment,
            CELERY_CLOCK=str(int(clock)),
        )
        worker.wait_for(" ready.")
        return worker

    def noted(self, what: str) -> Counter[str]:
        """Return how often each name has been noted as begun or done."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return Counter(line.split()[1] for line in lines if line.startswith(what))

    def wait(self, what: str, names: set[str], seconds: float = 30) -> float:
        """Wait until all the names have been noted; return the seconds that it took."""
        begun = time.monotonic()
        while not names <= set(self.noted(what)):
            assert time.monotonic() - begun < seconds, (
                f"{sorted(names - set(self.noted(what)))} not {what} after {seconds} s"
            )
            time.sleep(0.05)
        return time.monotonic() - begun


@pytest.fixture
def queue(
    broker: dict[str, str], process: Callable[..., Process], site_environment: dict[str, str], tmp_path: Path
) -> Queue:
    made = Queue({**site_environment, **broker}, process, tmp_path / "notes")
    made.send("purge")
    return made


def test_what_was_sent_without_a_worker_is_done_once_when_one_starts(queue: Queue) -> None:
    names = {f"task-{number}" for number in range(20)}
    queue.send("task", *names)
    assert not queue.noted("begun")
    worker = queue.work()
    queue.wait("done", names)
    time.sleep(int(TIMEOUT) + 1)
    assert queue.noted("begun") == dict.fromkeys(names, 1)
    assert worker.stop() == 0


def test_what_a_killed_worker_had_begun_is_delivered_again(queue: Queue) -> None:
    first = queue.work()
    queue.send("task", "long", seconds=2)
    queue.wait("begun", {"long"})
    first.kill()
    assert not queue.noted("done")
    queue.work()
    assert queue.wait("done", {"long"}) < 20
    assert queue.noted("begun") == {"long": 2}


def test_two_workers_share_the_work_and_do_nothing_twice(queue: Queue) -> None:
    queue.work()
    queue.work()
    names = {f"task-{number}" for number in range(200)}
    queue.send("task", *names)
    queue.wait("done", names)
    assert queue.noted("begun") == dict.fromkeys(names, 1)
    assert len({line.split()[2] for line in queue.notes.read_text().splitlines()}) == 2


def test_a_waiting_worker_begins_at_once(queue: Queue) -> None:
    queue.work()
    queue.send("task", "first")
    queue.wait("done", {"first"})
    begun = time.time()
    queue.send("task", "second")
    queue.wait("done", {"second"})
    assert time.time() - begun < 10  # most of it is the start of the sender


def test_a_job_is_done_by_the_message_alone(queue: Queue) -> None:
    queue.work()
    queue.send("job", "one")
    queue.wait("done", {"one"})


def test_a_queue_that_lost_everything_has_lost_no_job(queue: Queue, as_app: psycopg.Connection) -> None:
    names = {f"job-{number}" for number in range(5)}
    queue.send("job", *names)
    queue.send("purge")
    queue.work(clock=True)
    queue.wait("done", names, seconds=60)
    end = time.monotonic() + 20
    while as_app.execute("select count(*) from matches_job where state <> 'done'").fetchone() != (0,):
        assert time.monotonic() < end
        time.sleep(0.1)


def test_the_age_of_the_oldest_waiting_message_is_known_where_the_broker_can_tell(
    queue: Queue, request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--broker") == "pgmq":
        assert celery.queue_age() == 0
        queue.send("task", "waiting")
        time.sleep(1)
        age = celery.queue_age()
        assert age is not None
        assert 1 <= age < 30
    else:
        ask = "import django; django.setup(); from config import celery; print(celery.queue_age())"
        told = subprocess.run(
            [sys.executable, "-c", ask],
            cwd=ROOT,
            env=os.environ | queue.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == "None\n"
