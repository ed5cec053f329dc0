"""What a worker does for matches: jobs, and the clock that sends the unfinished ones again."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from matches import checkpoints, jobs


@shared_task(acks_late=True)
def job_run(job_id: str, **_later: object) -> None:
    """Do a job; harmless to run twice."""
    jobs.run(UUID(job_id))


@shared_task(acks_late=True)
def jobs_sweep(**_later: object) -> None:
    """Send unfinished jobs again, and forget the files that nobody recorded in time."""
    from matches import services

    jobs.sweep()
    services.uploads_expire()


@shared_task(acks_late=True)
def checkpoint(**_later: object) -> None:
    """Sign a checkpoint of the log once a day, the first as soon as there is something to sign."""
    if checkpoints.due(at=timezone.now()):
        checkpoints.make()
