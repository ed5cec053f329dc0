"""Jobs are rows: done once, sent again, stopped and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from uuid import UUID

import psycopg
import pytest
from django.db import connection, transaction

from matches import jobs, tasks
from matches.jobs import Step
from matches.models import Job
from tests.conftest import until, url_of

pytestmark = pytest.mark.django_db


def is_connected(backend: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("select exists (select from pg_stat_activity where pid = %s)", [backend])
        return bool(cursor.fetchone()[0])


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """A kind of job, `count`, that notes its payloads and can be told to fail; and no queue."""
    done: list[object] = []

    def count(payload: dict[str, object], step: Step) -> None:
        step(1, 2)
        if payload.get("fail"):
            raise RuntimeError("no disk")
        if payload.get("stop"):
            Job.objects.filter(pk=payload["stop"]).update(state=Job.State.STOPPED)
            step(2, 2)
        done.append(payload)

    monkeypatch.setitem(jobs.HANDLERS, "count", count)
    yield done


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    ids: list[UUID] = []
    monkeypatch.setattr(jobs, "send", ids.append)
    return ids


def test_a_job_is_sent_on_commit_and_done_once(
    work: list[object], sent: list[UUID], django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]
        job = jobs.enqueue("count", {"a": 1}, total=2)
        assert sent == []
    assert sent == [job.pk]
    for _delivery in range(3):
        tasks.job_run(job_id=str(job.pk), of_a_later_version=1)
    job.refresh_from_db()
    assert work == [{"a": 1}]
    assert (job.state, job.progress, job.tries, job.error) == ("done", 2, 1, "")


def test_a_kind_that_nobody_handles_is_told_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"no job 'brew'; the kinds are .*upload_check"):
        jobs.enqueue("brew", {})


def test_a_job_that_fails_is_tried_again_and_then_left_with_its_error(work: list[object], sent: list[UUID]) -> None:
    job = jobs.enqueue("count", {"fail": True})
    for tries, state in ((1, "running"), (2, "running"), (3, "failed")):
        jobs.run(job.pk)
        job.refresh_from_db()
        assert (job.state, job.tries) == (state, tries)
    assert job.error == "RuntimeError: no disk"
    assert jobs.sweep() == 0
    assert jobs.resume(job.pk)
    job.refresh_from_db()
    assert (job.state, job.tries) == ("new", 0)


def test_a_stopped_job_stops_at_its_next_step_and_a_waiting_one_never_starts(
    work: list[object], sent: list[UUID]
) -> None:
    job = jobs.enqueue("count", {})
    Job.objects.filter(pk=job.pk).update(payload={"stop": str(job.pk)})
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, work) == ("stopped", [])
    waiting = jobs.enqueue("count", {"b": 1})
    assert jobs.stop(waiting.pk)
    jobs.run(waiting.pk)
    assert work == []
    assert not jobs.stop(waiting.pk)


@pytest.mark.django_db(transaction=True)
def test_a_job_in_work_elsewhere_is_neither_done_nor_sent_again_until_that_worker_is_gone(
    work: list[object], sent: list[UUID]
) -> None:
    job = Job.objects.create(kind="count", state=Job.State.RUNNING, payload={"a": 1})
    from config import embedded

    with psycopg.connect(url_of(embedded.APP), autocommit=True) as elsewhere:
        elsewhere.execute("select pg_advisory_lock(hashtextextended(%s, 0))", [f"job {job.pk}"])
        jobs.run(job.pk)
        assert work == []
        assert jobs.sweep() == 0
        backend = elsewhere.info.backend_pid
    # The server frees the lock when its process for that worker ends, a moment after the connection is closed.
    until(lambda: not is_connected(backend))
    assert jobs.sweep() == 1
    assert sent == [job.pk]
    jobs.run(job.pk)
    assert work == [{"a": 1}]


@pytest.mark.django_db(transaction=True)
def test_a_job_of_a_transaction_that_was_taken_back_is_not_there(work: list[object], sent: list[UUID]) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        jobs.enqueue("count", {})
        raise RuntimeError
    assert (sent, Job.objects.count()) == ([], 0)
    assert connection.in_atomic_block is False
