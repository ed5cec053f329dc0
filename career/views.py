"""Pages of careers: a person's profile, the badges and who earned them."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from career import charts, life, selectors
from career.catalogue import CURRENT
from career.honors.catalogue import BY_ID as HONORS
from career.honors.selectors import honors_of
from career.models import Award, RankEntry, SeatDigest
from career.ratings.selectors import history_of, ledger_of, ratings_of
from matches.games import game_name
from people import selectors as people
from people.models import Person

MATCHES_A_PAGE = 20
TIMELINE = 60
RATED = 40
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
    with selectors.remembering():
        return _profile(request, person, viewer)


def _profile(request: HttpRequest, person: Person, viewer: Person | None) -> HttpResponse:
    row = selectors.standing(person)
    today = timezone.now().date()
    is_own = viewer is not None and viewer.head.pk == person.pk
    hidden = life.hidden_of(person)
    entries = selectors.rank_entries(person)
    rank = selectors.present_rank(entries)
    suspension = life.suspended(person, today)
    shows_rank = suspension is None and (("rank", "") not in hidden or is_own or life.is_official(person))
    held = [one for one in selectors.awards(person) if is_own or ("badge", one.badge) not in hidden]
    urls = _evidence(held, entries)
    pages = Paginator(selectors.matches_of(person), MATCHES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "person": person,
        "name": people.visible_name(person, viewer),
        "is_own": is_own,
        "hidden": {f"{kind}:{key}" for kind, key in hidden},
        "suspended_until": date.fromisoformat(suspension.data["until"]) if suspension else None,
        "shows_rank": shows_rank,
        "rank": selectors.rank_name(rank.rank) if rank and shows_rank else None,
        "rank_entry": rank,
        "honors": honors_of(person, viewer),
        "ratings": _ratings(person),
        "ledger": [
            {"game": game_name(one.game), "old": one.old, "new": one.new, "at": one.at, "match": one.cause}
            for one in ledger_of(person)
        ],
        "seats": [
            {**line, "game": game_name(line["game"]), "role": selectors.ROLE_NAMES[line["role"]]}
            for line in life.by_seats(person)
        ],
        "heat": _heat(person, today),
        "relations": _relations(person, viewer),
        "seasons": life.seasons(person),
        "timeline": _timeline(person),
        "standing": row,
        "next": _needs(selectors.next_rank(row, rank)),
        "ladder": _ladder(entries, urls) if shows_rank else [],
        "badges": [_award(award, urls) for award in selectors.best_tiers(held)],
        "every_award": [_award(award, urls) for award in held],
        "withdrawn": [_award(award, urls) for award in held if award.status == Award.Status.WITHDRAWN],
        "rank_url": urls[str(rank.stream), rank.seq] if rank else "",
        "record": [(game_name(game), line) for game, line in selectors.record(person).items()],
        "chart": _chart(selectors.quarters(person)),
        "page": page,
        "matches": _matches(list(page), viewer),
    }
    return render(request, "career/profile.html", context)


def _ratings(person: Person) -> list[dict[str, Any]]:
    """Return the ratings of a person by game, each with its chart and table."""
    told = []
    for game, one in ratings_of(person).items():
        steps = history_of(person, game)
        name = game_name(game)
        told.append(
            {
                **one,
                "game": game,
                "name": name,
                "title": _("Rating in %(game)s") % {"game": name},
                "svg": charts.rating(
                    [(step.after, step.after_deviation) for step in steps],
                    label=_("Rating in %(game)s over the last matches, with its uncertainty") % {"game": name},
                )
                if len(steps) > 1
                else "",
                "head": [_("Day"), _("Place"), _("Before"), _("After"), _("Uncertainty")],
                "rows": [
                    [
                        date_format(step.on, "SHORT_DATE_FORMAT"),
                        step.place,
                        f"{step.before:.1f}",
                        f"{step.after:.1f}",
                        f"{step.after_deviation:.1f}",
                    ]
                    for step in reversed(steps[-RATED:])
                ],
            }
        )
    return told


def _heat(person: Person, today: date) -> dict[str, Any] | None:
    days = life.heat(person, today)
    if not days:
        return None
    return {
        "title": _("Matches by day in the last year"),
        "svg": charts.heat(
            {day: played for day, played, _won in days},
            today,
            weeks=life.WEEKS,
            label=_("Days of the last year, darker where more was played"),
        ),
        "head": [_("Day"), _("Matches"), _("First places")],
        "rows": [[date_format(day, "SHORT_DATE_FORMAT"), played, won] for day, played, won in reversed(days)],
    }


def _relations(person: Person, viewer: Person | None) -> list[tuple[str, str, list[dict[str, Any]]]]:
    found = life.relations(person, viewer)
    persons = Person.objects.in_bulk({one.person for rows in found.values() for one in rows})
    names = people.visible_names(persons.values(), viewer)
    titles = {"most": _("Plays most with"), "nemesis": _("Nemesis"), "allies": _("Shares a Kingdom with")}
    told = []
    for kind, rows in found.items():
        lines = [
            {
                "name": names[one.person], "handle": persons[one.person].handle, "person": persons[one.person],
                "matches": one.matches, "ahead": one.ahead, "behind": one.behind, "together": one.together,
            }
            for one in rows
            if one.person in persons
        ]  # fmt: skip
        if lines:
            told.append((kind, titles[kind], lines))
    return told


def _timeline(person: Person) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the newest lines of the career by year, with where each is proved."""
    lines = selectors.history(person)[:TIMELINE]
    urls = life.evidence_urls([(proof["stream"], proof["seq"]) for line in lines for proof in line["evidence"]])
    years: dict[str, list[dict[str, Any]]] = {}
    for line in lines:
        proof = line["evidence"][0]
        years.setdefault(line["on"][:4], []).append(
            {
                **line, "on": date.fromisoformat(line["on"]), "url": urls[str(proof["stream"]), proof["seq"]],
                "stream": proof["stream"], "seq": proof["seq"],
            }
        )  # fmt: skip
    return list(years.items())


@require_safe
def head_to_head(request: HttpRequest, handle: str, other: str) -> HttpResponse:
    """Show how two people did against each other."""
    viewer = people.viewer_of(request)
    pair = []
    for name in (handle, other):
        person = people.person_by_handle(name)
        if person is None or not people.may_see(person, viewer):
            raise Http404(_("Nobody here has the handle @%(handle)s.") % {"handle": name})
        pair.append(person)
    one, two = pair
    if one.pk == two.pk:
        return redirect("profile", handle=one.handle)
    met = life.meetings(one, two)
    names = people.visible_names(pair, viewer)
    games: dict[str, list[int]] = {}
    for match in met:
        line = games.setdefault(match.game, [0, 0, 0, 0])
        line[0] += 1
        if match.place is not None and match.other is not None:
            line[1 if match.place < match.other else 2 if match.place > match.other else 3] += 1
    total = [sum(line[at] for line in games.values()) for at in range(4)]
    page = Paginator(met[::-1], MATCHES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "one": one,
        "two": two,
        "names": (names[one.pk], names[two.pk]),
        "games": [(game_name(game), *line) for game, line in sorted(games.items())],
        "total": total,
        "page": page,
        "rows": [{"meeting": match, "game": game_name(match.game)} for match in page],
        "first": met[0] if met else None,
        "last": met[-1] if met else None,
    }
    return render(request, "career/head_to_head.html", context)


@login_required
@require_POST
def hide(request: HttpRequest) -> HttpResponse:
    """Hide a badge, an honor or the rank on the own public page, or show it again."""
    me = people.signed_in(request).person
    kind, key = request.POST.get("kind", ""), request.POST.get("key", "")
    known = {"badge": {one.id for one in CURRENT.badges}, "honor": set(HONORS), "rank": {""}}
    if key not in known.get(kind, set()):
        raise Http404(_("There is nothing like that to hide."))
    life.hide(me, kind, key, hidden=request.POST.get("hidden") == "1")
    messages.success(request, _("Kept."))
    return redirect("profile", handle=me.handle)


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
    urls = _evidence(list(page), [])
    holders = [
        {**_award(award, urls), "handle": persons[award.person_id].handle, "name": names[award.person_id]}
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


type Urls = dict[tuple[str, int], str]


def _evidence(awards: list[Award], entries: list[RankEntry]) -> Urls:
    """Return where the entries are seen that earned or took away awards and ranks."""
    pairs: list[tuple[Any, int]] = [(one.evidence[0]["stream"], one.evidence[0]["seq"]) for one in awards]
    pairs += [(one.stream, one.seq) for one in entries]
    gone = [one.withdrawn_by for one in awards] + [one.withdrawn_by for one in entries]
    pairs += [(proof["stream"], proof["seq"]) for proof in gone if proof]
    return life.evidence_urls(pairs)


def _award(award: Award, urls: Urls) -> dict[str, Any]:
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
        "url": urls[proof["stream"], proof["seq"]],
        "withdrawn_on": award.withdrawn_on,
        "withdrawn_url": urls[award.withdrawn_by["stream"], award.withdrawn_by["seq"]] if award.withdrawn_by else "",
    }


def _ladder(entries: list[RankEntry], urls: Urls) -> list[dict[str, Any]]:
    return [
        {
            "name": selectors.rank_name(entry.rank),
            "on": entry.on,
            "stream": entry.stream,
            "seq": entry.seq,
            "url": urls[str(entry.stream), entry.seq],
            "withdrawn_on": entry.withdrawn_on,
            "withdrawn_url": urls[entry.withdrawn_by["stream"], entry.withdrawn_by["seq"]]
            if entry.withdrawn_by
            else "",
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
