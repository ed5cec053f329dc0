"""What a worker does for people: sending mail."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from people import mail


@shared_task(acks_late=True)
def mail_send(*, mail_id: str, **_later: object) -> None:
    """Send one mail of the outbox."""
    mail.mail_deliver(mail_id=UUID(mail_id))


@shared_task(acks_late=True)
def mail_sweep(**_later: object) -> None:
    """Send what waits in the outbox, whatever became of the messages about it."""
    for mail_id in mail.mails_due(at=timezone.now()):
        mail.mail_deliver(mail_id=mail_id)
