"""Celery's edge of the leagues: each task makes one call."""

from __future__ import annotations

from celery import shared_task

from league.directing import results


@shared_task(acks_late=True)
def settle_sweep(**_later: object) -> None:
    """Settle results of tournaments that were left behind, such as while something was broken."""
    results.repair()
