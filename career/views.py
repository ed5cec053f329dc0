"""Pages of careers: a person's profile, the badges and who earned them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from career import chapters, charts, life, selectors
from career.catalogue import CURRENT
from career.honors.catalogue import BY_ID as HONORS
from career.honors.selectors import honors_of
from career.learning.lessons import BY_ID as LESSONS
from career.models import Award, RankEntry, SeatDigest
from career.ranks import Credit
from career.ratings.selectors import history_of, is_provisional, league_ratings_of, ledger_of, ratings_of
from league.models import League
from matches.games import game_name
from people import selectors as people
from people.models import Person

MATCHES_A_PAGE = 20
LINES_A_PAGE = 50
TIMELINE = 40
LEADS = 100
RATED = 40
HOLDERS_A_PAGE = 50

type Urls = dict[tuple[str, int], str]


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
    shown = selectors.shown_to(person, viewer, today)
    entries = selectors.rank_entries(person)
    rank = selectors.present_rank(entries) if shown.rank else None
    held = [one for one in selectors.awards(person) if shown.has("badge", one.badge)]
    credits = [msgspec.convert(one, Credit) for one in row.credits]
    urls = _evidence(held, entries, credits)
    life_ = chapters.Life(person, shown)
    page = Paginator(selectors.matches_of(person), MATCHES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": person,
        "name": people.visible_name(person, viewer),
        "is_own": viewer is not None and viewer.head.pk == person.pk,
        "hidden": {f"{kind}:{key}" for kind, key in shown.chosen},
        "is_official": ("rank", "") in shown.chosen and selectors.is_official(person),
        "suspended_until": shown.suspended_until,
        "shows_rank": shown.rank,
        "rank": selectors.rank_name(rank.rank) if rank else None,
        "rank_entry": rank,
        "rank_url": urls[str(rank.stream), rank.seq] if rank else "",
        "next": _needs(selectors.next_rank(row, rank)) if shown.rank else None,
        "ladder": _ladder(entries, urls) if shown.rank else [],
        "credits": _credits(credits, urls),
        "lessons": _lessons(credits, urls),
        "standing": row,
        "honors": honors_of(person, viewer),
        "badges": [_award(award, urls) for award in selectors.best_tiers(held)],
        "every_award": [_award(award, urls) for award in held],
        "record": [(game_name(game), line) for game, line in selectors.record(person).items()],
        "seats": [
            {**line, "game": game_name(line["game"]), "role": selectors.ROLE_NAMES[line["role"]]}
            for line in life.by_seats(person)
        ],
        "chart": _chart(selectors.quarters(person)),
        "heat": _heat(person, today),
        "ratings": _ratings(person),
        "league_ratings": _league_ratings(person),
        "ledger": [
            {"game": game_name(one.game), "old": one.old, "new": one.new, "at": one.at, "match": one.cause}
            for one in ledger_of(person)
        ],
        "relations": _relations(person, viewer),
        "chapters": chapters.chapters(life_),
        "timeline": _timeline(person, shown, chapters.years(life_)),
        "page": page,
        "matches": _matches(list(page), viewer),
    }
    return render(request, "career/profile.html", context)


@require_safe
def history(request: HttpRequest, handle: str) -> HttpResponse:
    """Show the lines of a person's career, newest first, each with its proof."""
    person = people.person_by_handle(handle)
    viewer = people.viewer_of(request)
    if person is None or not people.may_see(person, viewer):
        raise Http404(_("Nobody here has the handle @%(handle)s.") % {"handle": handle})
    if person.handle and person.handle != handle:
        return redirect("career-history", handle=person.handle, permanent=True)
    with selectors.remembering():
        lines = selectors.history(person, selectors.shown_to(person, viewer, timezone.now().date()))
        page = Paginator(lines, LINES_A_PAGE).get_page(request.GET.get("page"))
        context = {
            "person": person,
            "name": people.visible_name(person, viewer),
            "page": page,
            "lines": _lines(list(page)),
            "limit": selectors.HISTORY_LIMIT if len(lines) == selectors.HISTORY_LIMIT else None,
        }
        return render(request, "career/history.html", context)


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
    titles = {"most": _("Plays most with"), "nemesis": _("Nemesis"), "allies": _("Most often on the same side")}
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


def _timeline(person: Person, shown: selectors.Shown, years: list[tuple[int, tuple[str, ...]]]) -> list[dict[str, Any]]:
    """Return the years of the career: what happened in each in sentences, and the newest lines beside the matches."""
    told = [line for line in selectors.history(person, shown) if line["kind"] != "match"][:TIMELINE]
    lines: dict[int, list[dict[str, Any]]] = {}
    for line in _lines(told):
        lines.setdefault(line["on"].year, []).append(line)
    sentences = dict(years)
    return [
        {"year": year, "sentences": sentences.get(year, ()), "lines": lines.get(year, [])}
        for year in sorted({*sentences, *lines}, reverse=True)
    ]


def _lines(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines of a history with their day, and where their entry is seen and proved."""
    proofs = [line["evidence"][0] for line in lines]
    urls = selectors.evidence_urls((proof["stream"], proof["seq"]) for proof in proofs)
    return [
        {
            **line,
            "on": date.fromisoformat(line["on"]),
            "url": urls[proof["stream"], proof["seq"]],
            "stream": proof["stream"],
            "seq": proof["seq"],
        }
        for line, proof in zip(lines, proofs, strict=True)
    ]


def _credits(credits: list[Credit], urls: Urls) -> list[dict[str, Any]]:
    """Return the learning credits, each with what it was given for and its entry."""
    return [
        {
            "words": _credit_words(one), "value": one.value, "on": one.on,
            "stream": one.evidence.stream, "seq": one.evidence.seq, "url": urls[one.evidence.stream, one.evidence.seq],
        }
        for one in credits
    ]  # fmt: skip


def _credit_words(one: Credit) -> str:
    match one.rule:
        case "ROD-10":
            return _("First credited match of %(game)s") % {"game": game_name(one.of)}
        case "ROD-11" | "ROD-15":
            return _("Lesson: %(lesson)s") % {"lesson": _lesson_name(one.of)}
        case "ROD-12":
            return _("First match of %(game)s as its scribe") % {"game": game_name(one.of)}
        case "ROD-13":
            return _("First credited match as a General")
        case "ROD-14":
            return _("First credited match as MapMaster or referee")
        case "ROD-16":
            return _("A newcomer accompanied")
    return one.rule


def _lesson_name(lesson_id: str) -> str:
    lesson = LESSONS.get(lesson_id)
    if lesson is None:
        return lesson_id
    return f"{game_name(lesson.game)}, {_(lesson.title)}" if lesson.game else _(lesson.title)


def _lessons(credits: list[Credit], urls: Urls) -> list[dict[str, Any]]:
    """Return the lessons passed, in their order."""
    passed = {one.of: one for one in credits if one.rule in ("ROD-11", "ROD-15")}
    return [
        {
            "id": lesson, "name": _lesson_name(lesson), "on": one.on, "stream": one.evidence.stream,
            "seq": one.evidence.seq, "url": urls[one.evidence.stream, one.evidence.seq],
        }
        for lesson in LESSONS
        if (one := passed.get(lesson)) is not None
    ]  # fmt: skip


def _league_ratings(person: Person) -> list[dict[str, Any]]:
    """Return the ratings in leagues that rate by a system of their own."""
    rows = league_ratings_of(person)
    leagues = League.objects.in_bulk({one.league_id for one in rows if one.league_id})
    return [
        {
            "game": game_name(one.game), "league": leagues[one.league_id], "value": one.value, "deviation": one.deviation,
            "peak": one.peak, "matches": one.matches, "provisional": is_provisional(one),
        }
        for one in rows
        if one.league_id in leagues
    ]  # fmt: skip


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
    with selectors.remembering():
        met = life.meetings(one, two)
    names = people.visible_names(pair, viewer)
    games: dict[str, dict[str, Any]] = {}
    for match in met:
        line = games.setdefault(match.game, {"matches": 0, "ahead": 0, "behind": 0, "equal": 0, "places": [{}, {}]})
        line["matches"] += 1
        if match.place is not None and match.other is not None:
            line["ahead" if match.place < match.other else "behind" if match.place > match.other else "equal"] += 1
        for places, place in zip(line["places"], (match.place, match.other), strict=True):
            if place is not None:
                places[place] = places.get(place, 0) + 1
    rows = [{**line, "game": game_name(game), "places": [sorted(one.items()) for one in line["places"]]}
            for game, line in sorted(games.items())]  # fmt: skip
    page = Paginator(met[::-1], MATCHES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "one": one,
        "two": two,
        "names": (names[one.pk], names[two.pk]),
        "games": rows,
        "total": {key: sum(line[key] for line in rows) for key in ("matches", "ahead", "behind", "equal")},
        "page": page,
        "rows": [{"meeting": match, "game": game_name(match.game)} for match in page],
        "first": met[0] if met else None,
        "last": met[-1] if met else None,
        "chart": _lead(met, names[one.pk], names[two.pk]),
    }
    return render(request, "career/head_to_head.html", context)


def _lead(met: list[life.Meeting], one: str, two: str) -> dict[str, Any] | None:
    """Return the chart of who was ahead how far, over the last matches of two people, with its table."""
    told = met[-LEADS:]
    if len(told) < 2:
        return None
    return {
        "title": _("Who was ahead, match by match"),
        "note": _("Above the line %(one)s was ahead in more matches than behind, below it %(two)s.")
        % {"one": one, "two": two},
        "svg": charts.lead(
            [match.lead for match in told],
            label=_("Matches in which %(one)s was ahead, less those in which %(two)s was") % {"one": one, "two": two},
        ),
        "head": [_("Day"), _("Game"), one, two, _("Matches ahead")],
        "rows": [
            [
                date_format(match.on, "SHORT_DATE_FORMAT"),
                game_name(match.game),
                "–" if match.place is None else match.place,
                "–" if match.other is None else match.other,
                f"{match.lead:+d}" if match.lead else "0",
            ]
            for match in reversed(told)
        ],
    }


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


def _evidence(awards: list[Award], entries: list[RankEntry], credits: Iterable[Credit] = ()) -> Urls:
    """Return where the entries are seen that earned or took away awards, ranks and learning credits."""
    pairs: list[tuple[Any, int]] = [(one.evidence[0]["stream"], one.evidence[0]["seq"]) for one in awards]
    pairs += [(one.stream, one.seq) for one in entries]
    pairs += [(one.evidence.stream, one.evidence.seq) for one in credits]
    gone = [one.withdrawn_by for one in awards] + [one.withdrawn_by for one in entries]
    pairs += [(proof["stream"], proof["seq"]) for proof in gone if proof]
    return selectors.evidence_urls(pairs)


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
        "withdrawn_seq": award.withdrawn_by["seq"] if award.withdrawn_by else None,
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
