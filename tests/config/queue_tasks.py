"""Tasks and a kind of job for the tests of the queue, and a sender that is a process of its own, as the site is.

Each writes a line into a file when it begins and one when it is done, so that a test sees how often each happened.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import django
from celery import shared_task
from django.apps import apps

if not apps.ready:  # in the sender; in the worker they are
    django.setup()

from config.celery import app
from matches import jobs


def _note(path: str, what: str, name: str) -> None:
    with Path(path).open("a") as notes:
        notes.write(f"{what} {name} {os.getpid()}\n")


@shared_task(name="tests.probe")
def probe(*, path: str, name: str, seconds: float = 0) -> None:
    """Note that it was done."""
    _note(path, "begun", name)
    time.sleep(seconds)
    _note(path, "done", name)


@jobs.handler("tests.probe")
def probe_job(payload: dict, step: jobs.Step) -> None:  # type: ignore[type-arg]
    """Note that it was done, as a job."""
    step(0, 1)
    probe(**payload)


def main() -> None:
    """Do one order: purge the queue, or send tasks or jobs to it."""
    order = json.loads(sys.argv[1])
    if order["as"] == "purge":
        app.control.purge()
    for given in order["what"]:
        if order["as"] == "task":
            probe.delay(**given)
        else:
            jobs.enqueue("tests.probe", given)


if __name__ == "__main__":
    main()
