"""Celery, and the only place that knows the broker: pgmq in the site's own PostgreSQL, or whatever CELERY_BROKER_URL names.

Messages hold ids only; jobs are rows, and the clock sends unfinished ones again, so a lost queue loses nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUE = "annals"
app = Celery("annals")


def broker() -> dict[str, Any]:
    """Return Celery's settings of the broker."""
    from django.conf import settings
    from django.db import connection

    timeout = settings.CELERY_VISIBILITY_TIMEOUT
    url = settings.CELERY_BROKER_URL
    options: dict[str, Any] = {}
    if not url:
        at = connection.settings_dict
        url = f"pgmq://{at['HOST'] or 'localhost'}:{at['PORT'] or 5432}"  # for log lines; the connection is made by the string
        # The name in settings_dict is the one really used, in tests too.
        names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
        options["conn_string"] = " ".join(f"{names[key]}='{_quoted(str(at[key]))}'" for key in names if at[key])
    if url.startswith("pgmq://"):
        options |= {
            "init_extension": False,  # the SQL is installed by `migrate`, as the owner: install_queue
            "use_notify": True,
            "notify_throttle_interval_ms": 0,
            "wait_time_seconds": 0,
            "polling_interval": 0.2,
            "visibility_timeout": timeout,
            "pool_size": 2,
        }
    elif url.startswith(("redis://", "rediss://", "redis+socket://")):
        # kombu looks for messages of dead workers only every 100th time it could; half a minute of patience becomes seconds.
        options = {"visibility_timeout": timeout, "unacked_restore_interval": 2, "unacked_restore_throttle": 1}
    return {"broker_url": url, "broker_transport_options": options}


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


def configuration() -> dict[str, Any]:
    """Return everything that Celery is told."""
    from django.conf import settings

    return {
        **broker(),
        "broker_connection_retry_on_startup": True,
        "beat_schedule": {
            task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
            for task, seconds in settings.CELERY_BEAT.items()
        },
        "beat_scheduler": "celery.beat.Scheduler",  # without a file: every entry may come early or twice
        "enable_utc": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_default_queue": QUEUE,
        "task_ignore_result": True,
        "task_serializer": "json",
        "timezone": "UTC",
        "worker_enable_remote_control": False,
        "worker_hijack_root_logger": False,
        "worker_prefetch_multiplier": 1,
        "worker_send_task_events": False,
    }


def install_queue(execute: Callable[[str], object], is_there: bool) -> None:
    """Put the queue's tables and functions into the database, once. `execute` runs SQL as the owner of the database."""
    if not is_there:
        from pgmq.install import get_embedded_install_sql

        execute(get_embedded_install_sql())


def queue_age() -> float | None:
    """Return for how many seconds the oldest message has waited, 0 for an empty queue; None if the broker cannot tell."""
    if not app.conf.broker_url.startswith("pgmq://"):
        return None
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("select to_regclass(%s)", [f"pgmq.q_{QUEUE}"])
        if cursor.fetchone() == (None,):
            return 0.0
        # Only what a worker could have taken: a message in work, or one that is to be tried later, does not wait.
        cursor.execute(
            f"select coalesce(extract(epoch from clock_timestamp() - min(greatest(enqueued_at, vt))), 0) from pgmq.q_{QUEUE}"  # noqa: S608
            " where vt <= clock_timestamp()"
        )
        return max(0.0, float(cursor.fetchone()[0]))


@signals.worker_init.connect
def _refuse_powerful_role(**_signal: object) -> None:
    from config import roles

    roles.refuse_powerful_role("worker")


@signals.worker_ready.connect
def _start_clock(**_signal: object) -> None:
    """With CELERY_CLOCK=1 the worker also has the clock, as a thread that ends with it. Give it to one worker of a site."""
    if os.environ.get("CELERY_CLOCK") == "1":
        from celery.beat import EmbeddedService

        EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler).start()


@signals.task_prerun.connect
def _name_the_log_lines(task_id: str = "", **_signal: object) -> None:
    from config.logs import request_id

    request_id.set(task_id)


@signals.setup_logging.connect
def _keep_our_logging(**_signal: object) -> None:
    """Celery leaves logging alone where somebody listens to this."""


app.add_defaults(configuration)
app.autodiscover_tasks()
