"""/health/ and /health/ready/, with and without trouble."""

from __future__ import annotations

import json
import logging
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone

from config import celery, health
from config.logs import JsonFormatter, request_id
from matches.models import Job


@pytest.mark.parametrize("path", ["/health/", "/health"])
def test_the_process_says_that_it_lives_without_asking_the_database(client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/health/ready/", "/health/ready"])
def test_a_site_that_does_its_work_is_ready_and_shows_the_figures(client: Client, path: str) -> None:
    answer = client.get(path)
    told = answer.json()
    assert (answer.status_code, told["status"]) == (200, "ready"), told["checks"]
    assert set(told["checks"]) == {"database", "queue", "follower", "jobs", "disk"}
    assert told["checks"]["follower"] == {"ok": True, "entries": 0, "seconds": 0.0}
    assert told["checks"]["disk"]["free_bytes"] > 0


@pytest.mark.django_db
def test_a_job_that_waits_for_hours_makes_it_not_ready(client: Client) -> None:
    job = Job.objects.create(kind="tests.probe")
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=2))
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["checks"]["jobs"] == {"ok": False, "oldest_seconds": pytest.approx(7200, abs=60)}
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
    assert client.get("/health/ready/").status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", ["first", "second"])
def test_what_waits_in_the_queue_for_minutes_makes_it_not_ready_and_is_gone_for_the_next_test(
    client: Client, time: str
) -> None:
    with celery.app.connection_for_write() as broker:
        broker.default_channel.queue_declare(celery.QUEUE)
    assert celery.queue_age() == 0
    with connection.cursor() as cursor:
        cursor.execute("select pgmq.send(%s, '{}'::jsonb)", [celery.QUEUE])
        cursor.execute(
            f"update pgmq.q_{celery.QUEUE} set enqueued_at = now() - interval '150 s', vt = now() - interval '150 s'"
        )
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.json()["checks"]["queue"]["ok"]) == (503, False)


@pytest.mark.django_db
def test_a_full_disk_makes_it_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LEAST_DISK", 10**18)
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["checks"]["disk"]["ok"] is False


@pytest.mark.django_db
def test_a_database_that_fails_is_an_answer_without_its_address(client: Client) -> None:
    def fail(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        raise DatabaseError("connection to 127.0.0.1 as annals_app failed")

    with connection.execute_wrapper(fail):
        answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] == {"ok": False, "error": "DatabaseError"}


def test_a_request_carries_its_id_from_the_proxy_to_the_answer_or_gets_one(client: Client) -> None:
    assert client.get("/health/", headers={"X-Request-ID": "from-the-proxy-1"})["X-Request-ID"] == "from-the-proxy-1"
    made = client.get("/health/")["X-Request-ID"]
    assert len(made) == 32
    assert client.get("/health/")["X-Request-ID"] != made
    assert client.get("/health/", headers={"X-Request-ID": 'a"b\\c{} d'})["X-Request-ID"] != 'a"b\\c{} d'


def test_a_log_line_is_one_json_object_with_the_id_of_its_request() -> None:
    token = request_id.set("abcdefgh")
    try:
        try:
            raise ValueError("two\nlines")
        except ValueError:
            import sys

            record = logging.LogRecord("annals", logging.ERROR, __file__, 1, "said %s", ("so",), sys.exc_info())
        record.more = {"path": "/upload"}
        line = JsonFormatter().format(record)
    finally:
        request_id.reset(token)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["message"], told["request"], told["path"]) == (
        "error",
        "said so",
        "abcdefgh",
        "/upload",
    )
    assert "ValueError: two" in told["error"]


@pytest.mark.django_db
def test_every_page_carries_the_headers_that_keep_it_safe(client: Client) -> None:
    answer = client.get("/health/")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/matches/?game=%00", "/matches/?text=a%00b", "/api/people/?q=%00", "/@ada%00"])
def test_an_address_with_a_nul_is_a_bad_request(client: Client, path: str) -> None:
    assert client.get(path).status_code == 400
