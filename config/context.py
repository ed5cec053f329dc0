"""What every page knows: the site's name, whether its season is invented, and whether the reader owns it.

Each value is worked out only when a template reads it, so that a page that fails needs no database to say so.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from matches.models import Match
from people import notices, rights


def site(request: HttpRequest) -> dict[str, object]:
    """Return the context of every page."""
    return {
        "site_name": getattr(settings, "SITE_NAME", "Annals"),
        "demo": SimpleLazyObject(lambda: Match.objects.filter(is_demo=True).exists()),
        "is_owner": SimpleLazyObject(lambda: is_owner(request)),
        "decides": SimpleLazyObject(lambda: decides(request)),
        "unread": SimpleLazyObject(lambda: unread(request)),
    }


def unread(request: HttpRequest) -> int:
    """Return how many notices whoever asks has not read."""
    user = getattr(request, "user", None)
    return notices.unread(user.person) if user is not None and user.is_authenticated else 0


def decides(request: HttpRequest) -> bool:
    """Return whether anything could wait for a decision of whoever asks."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return False
    return bool(rights.scopes_with(user.person, "mapmaster", "referee", "organizer", "owner"))


def is_owner(request: HttpRequest) -> bool:
    """Return whether whoever asks owns the site."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return False
    return rights.may(user.person, "administer", ["site"])
