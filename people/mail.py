"""Mail: a row in the outbox first, sent by a worker, tried again later where that fails."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from people.models import OutboxMail

TRIES = 6
FIRST_WAIT = timedelta(seconds=30)


def mail_enqueue(*, to: str, subject: str, body: str) -> OutboxMail:
    """Put a mail into the outbox; a worker sends it as soon as this transaction is in the database."""
    from people.tasks import mail_send

    mail = OutboxMail.objects.create(to=to, subject=" ".join(subject.split())[:200], body=body)
    transaction.on_commit(lambda: mail_send.delay(mail_id=str(mail.pk)))
    return mail


@transaction.atomic
def mail_deliver(*, mail_id: UUID, at: datetime | None = None) -> OutboxMail | None:
    """Send a mail, and return its row; None if it is sent already or another worker is at it.

    What goes wrong is written into the row: it is tried again after 30 seconds, 2 minutes, 8 minutes …, and marked as failed
    after the last try. A sent mail's body is emptied, for it may hold a link that lets somebody in.
    """
    at = at or timezone.now()
    mail = (
        OutboxMail.objects.select_for_update(skip_locked=True)
        .exclude(state=OutboxMail.State.SENT)
        .filter(pk=mail_id)
        .first()
    )
    if mail is None:
        return None
    mail.tries += 1
    try:
        EmailMessage(subject=mail.subject, body=mail.body, to=[mail.to]).send()
    except Exception as problem:  # the mail server's, the network's or the disk's: all are for the operator to read
        mail.error = f"{type(problem).__name__}: {problem}"
        mail.state = OutboxMail.State.FAILED if mail.tries >= TRIES else OutboxMail.State.NEW
        mail.try_at = at + FIRST_WAIT * 4 ** (mail.tries - 1)
    else:
        mail.state, mail.sent_at, mail.error, mail.body = OutboxMail.State.SENT, at, "", ""
    mail.save()
    return mail


def mails_due(*, at: datetime) -> list[UUID]:
    """Return the ids of waiting mails whose time has come, oldest first."""
    due = OutboxMail.objects.filter(state=OutboxMail.State.NEW, try_at__lte=at).order_by("created_at")
    return list(due.values_list("pk", flat=True)[:200])
