"""Celery's edge of the careers: each task makes one call."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from career import services
from career.honors import services as honors


@shared_task(acks_late=True, autoretry_for=(OperationalError,), retry_backoff=True, max_retries=8)
def catch_up(**_later: object) -> None:
    """Read the rest of the log into the careers. Sent on commit of a changed result, and by the clock."""
    services.derive_anew_if_outdated()
    while services.catch_up():
        pass


@shared_task(acks_late=True)
def honors_tick(**_later: object) -> None:
    """Let the deadlines of the honors pass."""
    honors.tick(at=timezone.now())


@shared_task(acks_late=True, autoretry_for=(OperationalError,), retry_backoff=True, max_retries=8)
def match_retry(*, match_id: str, **_later: object) -> None:
    """Try a poisoned match again."""
    services.retry(UUID(match_id))
