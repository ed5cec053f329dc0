"""Pages of careers: a person's profile, the badges and who earned them."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from career import charts, selectors
from career.catalogue import CURRENT
from career.models import Award, RankEntry, SeatDigest
from matches.games import game_name
from people import selectors as people
from people.models import Person

MATCHES_A_PAGE = 20
HOLDERS_A_PAGE = 50


def profile(request: HttpRequest, handle: str) -> HttpResponse:
    """Show a person's career."""
    person = people.person_by_handle(handle)
    if person is None:
        raise Http404(_("Nobody here has the handle @%(handle)s.") % {"handle": handle})
    if person.handle and person.handle != handle:
        return redirect("profile", handle=person.handle, permanent=True)
    viewer = people.viewer_of(request)
    if not people.may_see(person, viewer):
        return render(
            request, "career/hidden.html", {"name": people.visible_name(person, viewer), "person": person}, status=200
        )
    row = selectors.standing(person)
    entries = selectors.rank_entries(person)
    rank = selectors.present_rank(entries)
    held = selectors.awards(person)
    pages = Paginator(selectors.matches_of(person), MATCHES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "person": person,
        "name": people.visible_name(person, viewer),
        "rank": selectors.rank_name(rank.rank) if rank else None,
        "rank_entry": rank,
        "standing": row,
        "next": _needs(selectors.next_rank(row, rank)),
        "ladder": _ladder(entries),
        "badges": [_award(award) for award in selectors.best_tiers(held)],
        "every_award": [_award(award) for award in held],
        "withdrawn": [_award(award) for award in held if award.status == Award.Status.WITHDRAWN],
        "record": [(game_name(game), line) for game, line in selectors.record(person).items()],
        "chart": _chart(selectors.quarters(person)),
        "page": page,
        "matches": _matches(list(page), viewer),
    }
    return render(request, "career/profile.html", context)


def badge_list(request: HttpRequest) -> HttpResponse:
    """Show all badges with their criteria and how many hold each tier."""
    counts = selectors.badge_counts()
    badges = [
        {
            **_badge(badge.id),
            "tiers": [
                (selectors.TIER_NAMES[tier], badge.threshold(tier), counts.get((badge.id, tier), 0), tier)
                for tier in ("bronze", "silver", "gold")
            ],
        }
        for badge in CURRENT.badges
    ]
    return render(request, "career/badge_list.html", {"badges": badges, "catalogue": CURRENT})


def badge(request: HttpRequest, badge_id: str) -> HttpResponse:
    """Show a badge, its criterion and who earned it where."""
    try:
        found = CURRENT.badge(badge_id)
    except KeyError as unknown:
        raise Http404(_("There is no badge %(id)s.") % {"id": badge_id}) from unknown
    viewer = people.viewer_of(request)
    page = Paginator(selectors.badge_holders(badge_id, viewer), HOLDERS_A_PAGE).get_page(request.GET.get("page"))
    persons = Person.objects.in_bulk([award.person_id for award in page])
    names = people.visible_names(persons.values(), viewer)
    holders = [
        {**_award(award), "handle": persons[award.person_id].handle, "name": names[award.person_id]}
        for award in page
        if award.person_id in persons
    ]
    context = {
        "badge": _badge(badge_id),
        "tiers": [(selectors.TIER_NAMES[tier], found.threshold(tier), tier) for tier in ("bronze", "silver", "gold")],
        "scope": found.scope,
        "general": "general" in found.roles,
        "king": "player" in found.roles,
        "holders": holders,
        "page": page,
        "catalogue": CURRENT,
    }
    return render(request, "career/badge.html", context)


def _badge(badge_id: str) -> dict[str, Any]:
    return {"id": badge_id, "name": selectors.badge_name(badge_id), "criterion": selectors.badge_criterion(badge_id)}


def _award(award: Award) -> dict[str, Any]:
    proof = award.evidence[0]
    return {
        **_badge(award.badge),
        "tier": award.tier,
        "tier_name": selectors.TIER_NAMES[award.tier],
        "status": award.status,
        "status_name": award.get_status_display(),
        "on": award.on,
        "value": award.value,
        "match": proof["stream"],
        "seq": proof["seq"],
        "withdrawn_on": award.withdrawn_on,
        "withdrawn_by": award.withdrawn_by,
    }


def _ladder(entries: list[RankEntry]) -> list[dict[str, Any]]:
    return [
        {
            "name": selectors.rank_name(entry.rank),
            "on": entry.on,
            "match": entry.stream,
            "seq": entry.seq,
            "withdrawn_on": entry.withdrawn_on,
            "withdrawn_by": entry.withdrawn_by,
        }
        for entry in reversed(entries)
    ]


def _matches(rows: list[SeatDigest], viewer: Person | None) -> list[dict[str, Any]]:
    """Return the matches of a page with the names of those met, as the viewer may know them."""
    met = selectors.players_of({row.match_id for row in rows})
    persons = Person.objects.filter(pk__in={person for players in met.values() for person in players})
    names = people.visible_names(persons, viewer)
    return [
        {
            "id": row.match_id,
            "game": game_name(row.game),
            "role": selectors.ROLE_NAMES[row.role],
            "played": row.role == "player",
            "place": row.place,
            "players": row.players,
            "others": [names[one] for one in met.get(row.match_id, []) if one != row.person_id and one in names],
            "on": row.on,
            "confirmed": row.confirmed,
            "forfeited": row.forfeited,
        }
        for row in rows
    ]


def _chart(quarters: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the chart of results over time with its table, or None without matches."""
    if not quarters:
        return None
    return {
        "title": _("Results over time"),
        "svg": charts.results(quarters, label=_("Credited matches by quarter of a year, first places filled in")),
        "head": [_("Quarter"), _("Matches"), _("First places")],
        "rows": [
            [
                _("%(year)s, quarter %(quarter)s") % {"year": line["year"], "quarter": line["quarter"]},
                line["played"],
                line["won"],
            ]
            for line in quarters
        ],
    }


def _needs(rank: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the next rank with its figures as lines for the page: label, have, need."""
    if rank is None:
        return None
    labels = (
        ("matches", _("Credited matches")),
        ("learning", _("Learning credits")),
        ("active_years", _("Active years")),
    )
    return {**rank, "lines": [(label, rank[key]["have"], rank[key]["need"]) for key, label in labels]}
