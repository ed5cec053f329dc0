"""Work for a worker. The row is the job: whatever happens to the queue, the clock sends unfinished ones again."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from matches.models import Job

logger = logging.getLogger(__name__)

MOST_TRIES = 3
type Step = Callable[[int, int], None]
type Handler = Callable[[dict[str, Any], Step], None]
HANDLERS: dict[str, Handler] = {}


class Stopped(Exception):
    """Somebody stopped the job."""


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Register what does the jobs of a kind. It gets the payload and a `step(done, total)` to call now and then; it may run twice."""

    def register(function: Handler) -> Handler:
        HANDLERS[kind] = function
        return function

    return register


def _known() -> dict[str, Handler]:
    """Return the handlers by kind, those that services register when they are first read included."""
    from matches import services  # noqa: F401

    return HANDLERS


def enqueue(kind: str, payload: dict[str, Any], *, total: int = 0) -> Job:
    """Return a new job, sent to the queue once this transaction is committed.

    :raises KeyError: for a kind that nobody handles, with those that there are
    """
    if kind not in _known():
        raise KeyError(f"no job {kind!r}; the kinds are {', '.join(sorted(HANDLERS))}")
    job = Job.objects.create(kind=kind, payload=payload, total=total)
    transaction.on_commit(lambda: send(job.pk), robust=True)
    return job


def send(job_id: UUID) -> None:
    """Send a job's id to the queue."""
    from matches.tasks import job_run

    job_run.delay(job_id=str(job_id))


@contextmanager
def _alone(job_id: UUID) -> Iterator[bool]:
    """Hold the job's lock as long as this connection lives: a killed worker lets go of it."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_try_advisory_lock(hashtextextended(%s, 0))", [f"job {job_id}"])
        got = cursor.fetchone()[0]
    try:
        yield got
    finally:
        if got:
            with connection.cursor() as cursor:
                cursor.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", [f"job {job_id}"])


def run(job_id: UUID) -> None:
    """Do a job, unless it is done, stopped, or being done elsewhere."""
    with _alone(job_id) as got:
        if not got:
            return
        unfinished = Job.objects.filter(pk=job_id, state__in=(Job.State.NEW, Job.State.RUNNING))
        if not unfinished.update(state=Job.State.RUNNING, started_at=timezone.now(), tries=F("tries") + 1):
            return
        job = Job.objects.get(pk=job_id)
        try:
            _known()[job.kind](job.payload, lambda done, total: _step(job_id, done, total))
        except Stopped:
            return
        except Exception as error:
            logger.exception("job %s (%s) failed", job_id, job.kind)
            failed: dict[str, Any] = {"error": "".join(traceback.format_exception_only(error)).strip()[:4000]}
            if job.tries >= MOST_TRIES:
                failed |= {"state": Job.State.FAILED, "finished_at": timezone.now()}
            Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(**failed)
            return
        Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(
            state=Job.State.DONE, finished_at=timezone.now(), error="", progress=F("total")
        )


def _step(job_id: UUID, done: int, total: int) -> None:
    if not Job.objects.filter(pk=job_id, state=Job.State.RUNNING).update(progress=done, total=total):
        raise Stopped


def stop(job_id: UUID) -> bool:
    """Stop a job and return whether there was something to stop: one that waits never starts, one that runs stops at its next step."""
    return bool(
        Job.objects.filter(pk=job_id, state__in=(Job.State.NEW, Job.State.RUNNING)).update(
            state=Job.State.STOPPED, finished_at=timezone.now()
        )
    )


def resume(job_id: UUID) -> bool:
    """Send a failed or stopped job again and return whether it was one."""
    again = Job.objects.filter(pk=job_id, state__in=(Job.State.FAILED, Job.State.STOPPED))
    if not again.update(state=Job.State.NEW, error="", tries=0, started_at=None, finished_at=None):
        return False
    transaction.on_commit(lambda: send(job_id), robust=True)
    return True


def sweep() -> int:
    """Send every unfinished job again that nobody is at, and return how many."""
    sent = 0
    for job_id in (
        Job.objects.filter(state__in=(Job.State.NEW, Job.State.RUNNING))
        .order_by("created_at")
        .values_list("pk", flat=True)[:500]
    ):
        with _alone(job_id) as free:
            pass
        if free:
            send(job_id)
            sent += 1
    return sent
