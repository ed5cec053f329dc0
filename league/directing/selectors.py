"""Which tournament an address, a command or a call of the API means."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _

from league.models import Tournament


def tournament_of(key: str) -> Tournament:
    """Return a tournament by its short name or id.

    :raises Http404: if there is none
    """
    rows = Tournament.objects.select_related("league")
    found = rows.filter(slug=key).first()
    if found is None:
        try:
            found = rows.filter(pk=UUID(key)).first()
        except ValueError:
            found = None
    if found is None:
        raise Http404(_("There is no tournament “%(slug)s”.") % {"slug": key})
    return found
