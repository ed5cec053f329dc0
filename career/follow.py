"""Listening: a changed result queues a catch-up once its transaction has been committed."""

from __future__ import annotations

from django.db import transaction

from matches.signals import result_changed


def listen() -> None:
    """Connect to the signal that `matches` sends inside the transaction of every changed result."""
    result_changed.connect(_queue, dispatch_uid="career.follow")


def _queue(**_signal: object) -> None:
    # Robust: a queue that is down must not turn a committed entry into an error; the periodic catch-up reads it.
    transaction.on_commit(_send, robust=True)


def _send() -> None:
    from career.tasks import catch_up

    catch_up.delay()
