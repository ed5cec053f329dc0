"""The home page, the page on checking a log oneself, and the pages that say why there is none."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from league.models import League
from matches.models import Match
from matches.shown import shown
from people.selectors import viewer_of, with_heads
from people.services import owner_exists

RECENT = 8
LEAGUES = 6


def home(request: HttpRequest) -> HttpResponse:
    """Show what the site is, the matches played last and the leagues."""
    recent = list(
        Match.objects.exclude(status=Match.Status.ANNULLED)
        .order_by("-played_on", "-id")
        .prefetch_related("seats", with_heads("seats__person"))[:RECENT]
    )
    context = {
        "matches": [
            {"match": one.match, "title": one.title, "game": one.game, "winner": one.winners}
            for one in shown(recent, viewer_of(request))
        ],
        "leagues": League.objects.filter(is_open=True).order_by("name")[:LEAGUES],
        "needs_owner": not recent and not owner_exists(),
    }
    return render(request, "home.html", context)


@cache
def verify_program() -> str:
    """Return the program of docs/verify.md, the one place where it stands."""
    page = (settings.BASE_DIR / "docs" / "verify.md").read_text(encoding="utf-8")
    return page.split("```python\n", 1)[1].split("```", 1)[0]


def verify(request: HttpRequest) -> HttpResponse:
    """Show how an outsider checks the chain of a match, with the program."""
    return render(request, "verify.html", {"program": verify_program()})


def verify_download(request: HttpRequest) -> HttpResponse:
    """Send the program that checks the chain of a match."""
    answer = HttpResponse(verify_program(), content_type="text/x-python; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="verify.py"'
    return answer


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 with what was looked for, where the page that refused has said so."""
    told = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    return render(request, "404.html", {"told": told}, status=404)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403 with the right that is missing, where the page that refused has said so."""
    told = str(exception) if exception.args else ""
    return render(request, "403.html", {"told": told}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400."""
    return render(request, "400.html", status=400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 without asking the database anything."""
    return render(request, "500.html", {"request_id": getattr(request, "id", "")}, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that came without this site's token, or with an old one."""
    return render(
        request,
        "csrf.html",
        {"told": _("The form was not sent from a page of this site, or that page was too old.")},
        status=403,
    )
