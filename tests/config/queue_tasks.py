"""Tasks and a kind of job for the tests of the queue, and a sender that is a process of its own, as the site is.

Each writes a line into a file when it begins and one when it is done, so that a test sees how often each happened.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from celery import shared_task


def _do(*, path: str, name: str, seconds: float) -> None:
    _note(path, "begun", name)
    time.sleep(seconds)
    _note(path, "done", name)


def _note(path: str, what: str, name: str) -> None:
    with Path(path).open("a") as notes:
        notes.write(f"{what} {name} {os.getpid()}\n")


@shared_task(name="tests.probe")
def probe(*, path: str, name: str, seconds: float = 0) -> None:
    """Note that it was done."""
    _do(path=path, name=name, seconds=seconds)


def install() -> None:
    """Make the kind of job known; the worker imports this module after the apps are ready."""
    from matches import jobs

    @jobs.handler("tests.probe")
    def run(job: object) -> None:
        _do(**job.payload)  # type: ignore[attr-defined]


if __name__ == "__main__":
    import django

    django.setup()
    from tests.config import queue_tasks

    order = json.loads(sys.argv[1])
    if order["as"] == "task":
        for given in order["what"]:
            queue_tasks.probe.delay(**given)
    elif order["as"] == "job":
        from matches import jobs

        for given in order["what"]:
            jobs.enqueue("tests.probe", given)
    elif order["as"] == "purge":
        from config.celery import app

        print("purged", app.control.purge())
