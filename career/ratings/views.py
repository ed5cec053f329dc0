"""Leaderboards: by rating, by renown, by badges; each with filters and pages that stay as they are."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from career.models import Award, Rating, RatingStep
from career.ratings import selectors
from career.ratings.editions import CURRENT
from league.models import League, Member
from league.selectors import league_by_slug
from matches.games import game_name
from people.models import Person
from people.privacy import listed_for
from people.selectors import viewer_of, visible_names
from rulesengine import registry

A_PAGE = 50
LEAGUES = 60
KINDS = ("rating", "renown", "badges")


@require_safe
def leaderboard_list(request: HttpRequest) -> HttpResponse:
    """Show the strongest of each game."""
    viewer = viewer_of(request)
    boards = []
    for game in registry.games():
        rows = list(selectors.leaderboard(game, viewer)[:5])
        boards.append({"game": game, "name": game_name(game), "rows": _people(rows, viewer)})
    return render(request, "career/ratings/boards.html", {"boards": boards})


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Show the leaderboard of a game, or of all games together by renown or badges."""
    if game not in registry.games():
        raise Http404(_("There is no game “%(game)s”.") % {"game": game})
    viewer = viewer_of(request)
    wanted = request.GET.get("league", "")
    league = league_by_slug(wanted) if wanted else None
    if wanted and league is None:
        raise Http404(_("There is no league “%(slug)s”.") % {"slug": wanted})
    by = request.GET.get("by", "rating") if request.GET.get("by") in KINDS else "rating"
    settled = request.GET.get("settled") == "1"
    own_system = league is not None and league.rating_system == RatingStep.System.GLICKO2
    system = RatingStep.System.GLICKO2 if own_system else RatingStep.System.OPENSKILL
    found: Any
    if by == "renown":
        found = selectors.by_renown(viewer, league=league.pk if league else None)
    elif by == "badges":
        found = _by_badges(game, viewer, league)
    else:
        found = selectors.leaderboard(
            game, viewer, league=league.pk if league else None, system=system, settled=settled
        )
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "game": game,
        "name": game_name(game),
        "games": [(one, game_name(one)) for one in registry.games()],
        "by": by,
        "league": league,
        "leagues": League.objects.order_by("name", "pk")[:LEAGUES],
        "settled": settled,
        "system": system,
        "page": page,
        "rows": _people(list(page), viewer, first=page.start_index()),
        "edition": CURRENT,
    }
    return render(request, "career/ratings/board.html", context)


def _by_badges(game: str, viewer: Person | None, league: League | None) -> Any:
    """Return who holds most different badges of a game: rows of person and number."""
    rows = Award.objects.filter(status=Award.Status.FINAL, badge__in=_badges(game)).filter(
        person_id__in=Person.objects.filter(listed_for(viewer)).values("pk")
    )
    if league is not None:
        rows = rows.filter(person_id__in=Member.objects.filter(league=league, until=None).values("person"))
    counted = rows.order_by().values("person_id").annotate(badges=Count("badge", distinct=True))
    return counted.order_by("-badges", "person_id")


def _badges(game: str) -> list[str]:
    from career.catalogue import CURRENT as CATALOGUE

    return [one.id for one in CATALOGUE.badges if one.game == game]


def _people(rows: list[Any], viewer: Person | None, *, first: int = 1) -> list[dict[str, Any]]:
    """Return rows of a board with names and places."""
    ids = [_person_of(row) for row in rows]
    persons = Person.objects.in_bulk(ids)
    names = visible_names(persons.values(), viewer)
    told = []
    for number, (row, pk) in enumerate(zip(rows, ids, strict=True), first):
        if pk not in persons:
            continue
        line: dict[str, Any] = {
            "number": number,
            "person": persons[pk],
            "handle": persons[pk].handle,
            "name": names[pk],
        }
        if isinstance(row, Rating):
            line |= {
                "value": row.value, "deviation": row.deviation, "least": row.conservative, "peak": row.peak,
                "matches": row.matches, "provisional": selectors.is_provisional(row), "on": row.on,
            }  # fmt: skip
        elif isinstance(row, dict):
            line["badges"] = row["badges"]
        else:
            line |= {"renown": row.renown, "career_level": row.career_level}
        told.append(line)
    return told


def _person_of(row: Any) -> UUID:
    found: UUID = row["person_id"] if isinstance(row, dict) else row.person_id
    return found


class LeaderboardView(APIView):
    """The strongest players of a game by rating: value, deviation, what the strength is at least, peak, matches."""

    @extend_schema(operation_id="leaderboards_retrieve", responses={200: OpenApiTypes.OBJECT, 404: OpenApiTypes.OBJECT})
    def get(self, request: Request, game: str) -> Response:
        if game not in registry.games():
            raise Http404(_("There is no game “%(game)s”.") % {"game": game})
        viewer = viewer_of(request)
        page = Paginator(selectors.leaderboard(game, viewer), A_PAGE).get_page(request.GET.get("page"))
        rows = [
            {
                "place": row["number"], "handle": row["handle"], "name": row["name"], "value": round(row["value"], 2),
                "deviation": round(row["deviation"], 2), "at_least": round(row["least"], 2), "peak": round(row["peak"], 2),
                "matches": row["matches"], "provisional": row["provisional"],
            }
            for row in _people(list(page), viewer, first=page.start_index())
        ]  # fmt: skip
        following = page.next_page_number() if page.has_next() else None
        return Response(
            {
                "game": game,
                "edition": CURRENT.key,
                "count": page.paginator.count,
                "next_page": following,
                "results": rows,
            }
        )
