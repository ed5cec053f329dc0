"""What a handle may be, whose it is, and that it stays theirs."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from people.locks import lock
from people.models import HANDLE, HandleRedirect, Person

OPERATOR = "operator"
RESERVED = frozenset({OPERATOR, "admin", "annals", "guest", "me", "root", "site", "staff", "support", "system"})


def handle_clean(raw: str) -> str:
    """Return a handle as it is stored: lower case, without the @ that people put before it."""
    return raw.strip().removeprefix("@").lower()


def handle_check(handle: str, *, person: Person | None = None) -> None:
    """Check that a handle is well formed and free; the person's own handle, old or new, is free to them.

    :raises ValidationError: in words for the form that asked for it
    """
    HANDLE(handle)
    if handle in RESERVED:
        raise ValidationError(_("@%(handle)s is kept for the site itself; choose another handle.") % {"handle": handle})
    in_use, kept = Person.objects.filter(handle=handle), HandleRedirect.objects.filter(old=handle)
    if person is not None:
        in_use, kept = in_use.exclude(pk=person.pk), kept.exclude(person=person)
    if in_use.exists() or kept.exists():
        raise ValidationError(_("@%(handle)s belongs to somebody already; choose another handle.") % {"handle": handle})


def handle_lock(*handles: str) -> None:
    """Wait, until the end of this transaction, for others who want one of these handles.

    A handle is unique over two tables (those in use and those that redirect), which no single constraint can promise.
    """
    for handle in sorted(set(handles)):
        lock(f"handle {handle}")
