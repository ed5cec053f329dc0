"""The desk: what waits for a decision of the reader."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.models import Match, Upload
from matches.shown import shown
from matches.views.acts import open_differences
from matches.views.detail import open_disputes
from people import rights
from people.models import Person
from people.selectors import viewer_of, visible_names, with_heads

MOST = 100


@login_required
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """Show the held uploads, open disputes and unconfirmed matches of the reader's scopes."""
    viewer = viewer_of(request)
    assert viewer is not None  # noqa: S101 – login_required
    deciding = rights.scopes_with(viewer, "referee", "organizer", "owner")
    held = list(_held(deciding))
    names = visible_names([upload.by for upload in held], viewer)
    mine = _matches(rights.scopes_with(viewer, "mapmaster", "referee", "organizer", "owner"), viewer)
    context = {
        "held": [(upload, names[upload.by_id]) for upload in held],
        "disputed": [
            (line, open_disputes(line, viewer), open_differences(line, viewer))
            for line in shown(mine.filter(disputed=True)[:MOST], viewer)
        ],
        "unconfirmed": shown(mine.filter(disputed=False, status=Match.Status.ENDED)[:MOST], viewer),
    }
    return render(request, "matches/desk.html", context)


def _held(scopes: set[str]) -> QuerySet[Upload]:
    found = Upload.objects.filter(state=Upload.State.HELD).select_related("by").defer("raw").order_by("created_at")
    return found if rights.SITE in scopes else found.filter(scope__in=scopes)


def _matches(scopes: set[str], viewer: Person) -> QuerySet[Match]:
    """Return the matches of these scopes and the friendlies that the viewer opened, the oldest first."""
    found = Match.objects.prefetch_related("seats", with_heads("seats__person")).order_by("played_on", "pk")
    if rights.SITE in scopes:
        return found
    ids = {
        kind: [scope.partition(":")[2] for scope in scopes if scope.startswith(f"{kind}:")]
        for kind in ("league", "tournament", "match")
    }
    return found.filter(
        Q(league__in=ids["league"])
        | Q(pk__in=ids["match"])
        | Q(context__tournament_id__in=ids["tournament"])
        | Q(league=None, opened_by=viewer)
    )
