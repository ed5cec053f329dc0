"""The list of matches, with filters."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches import selectors
from matches.forms import FilterForm
from matches.models import Match
from matches.shown import shown
from people import circles
from people.selectors import viewer_of

A_PAGE = 30


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """Show the matches that fit the filters, those played last first."""
    viewer = viewer_of(request)
    form = _form(request)
    filters: dict[str, Any] = {}
    if form.is_valid():
        filters = {name: value for name, value in form.cleaned_data.items() if value not in (None, "")}
    if filters.get("league") not in (None, "friendly"):
        circle = circles.find(filters["league"])
        filters["league"] = circle.id if circle is not None else filters["league"]
    page = Paginator(selectors.match_list(filters, viewer), A_PAGE).get_page(request.GET.get("page"))
    seen = shown(page.object_list, viewer)
    leagues = circles.circles({str(one.match.league) for one in seen if one.match.league})
    lines = [{"shown": one, "circle": leagues.get(one.match.league) if one.match.league else None} for one in seen]
    context = {"form": form, "page": page, "lines": lines, "is_filtered": bool(filters) or not form.is_valid()}
    part = "#list" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"matches/list.html{part}", context)


def _form(request: HttpRequest) -> FilterForm:
    """Return the filters with the games, leagues and years that there are."""
    games = sorted(Match.objects.order_by().values_list("game", flat=True).distinct())
    years = [day.year for day in Match.objects.dates("played_on", "year", order="DESC")]
    ids: list[UUID] = list(
        Match.objects.order_by().filter(league__isnull=False).values_list("league", flat=True).distinct()  # type: ignore[arg-type]
    )
    found = circles.circles({str(one) for one in ids}).values()
    leagues = sorted(((circle.key, circle.name) for circle in found), key=lambda pair: pair[1])
    return FilterForm(request.GET, games=games, leagues=leagues, years=years)
