"""Workers killed in the middle of jobs, and workers that race for one."""

from __future__ import annotations

import os
import signal
import time

import psycopg
import pytest

from tests.config.test_queue import Queue, broker, queue

__all__ = ["broker", "queue"]  # fixtures


def wait_until_done(as_app: psycopg.Connection, seconds: float = 60) -> list[tuple[str, int]]:
    """Wait until every job is done; return the kind and the tries of each."""
    end = time.monotonic() + seconds
    while as_app.execute("select count(*) from matches_job where state <> 'done'").fetchone() != (0,):
        assert time.monotonic() < end, as_app.execute("select kind, state, tries, error from matches_job").fetchall()
        time.sleep(0.1)
    return as_app.execute("select kind, tries from matches_job").fetchall()


def test_a_job_in_the_hands_of_a_killed_worker_is_done_by_the_next(queue: Queue, as_app: psycopg.Connection) -> None:
    first = queue.work(clock=True)
    queue.send("job", "long", seconds=3)
    queue.wait("begun", {"long"})
    first.kill()
    assert as_app.execute("select state from matches_job").fetchall() == [("running",)]
    queue.work(clock=True)
    assert wait_until_done(as_app) == [("tests.probe", 2)]
    assert queue.noted("begun") == {"long": 2}
    assert queue.noted("done") == {"long": 1}


def test_a_job_that_outlasts_the_visibility_timeout_is_not_done_twice_at_the_same_time(
    queue: Queue, as_app: psycopg.Connection
) -> None:
    queue.work(clock=True)
    queue.work(clock=True)
    queue.send("job", "long", seconds=12)
    queue.wait("done", {"long"}, seconds=40)
    assert wait_until_done(as_app) == [("tests.probe", 1)]
    assert queue.noted("begun") == {"long": 1}


@pytest.mark.parametrize("round_", range(3))
def test_jobs_survive_workers_killed_at_any_moment(queue: Queue, as_app: psycopg.Connection, round_: int) -> None:
    names = {f"job-{number}" for number in range(30)}
    queue.send("job", *names, seconds=0.1)
    for number in range(2):
        worker = queue.work(clock=True)
        time.sleep(0.4 + 0.3 * round_ + 0.2 * number)
        os.kill(worker.popen.pid, signal.SIGKILL)
        worker.popen.wait(30)
    queue.work(clock=True)
    queue.wait("done", names, seconds=90)
    wait_until_done(as_app)
