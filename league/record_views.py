"""Pages of what a league keeps beside its matches: seasons, campaigns, its log, what organizers record, the vote after a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import chronicle, record_forms, records, seasons, selectors, votes
from league.directing import season as directing
from league.models import Campaign, League, Season
from league.services import local_day
from matches.games import game_name
from matches.models import Match
from matches.shown import shown
from people import rights
from people.models import Person
from people.privacy import listed_for
from people.selectors import signed_in, viewer_of, visible_names
from people.services import Forbidden

A_PAGE = 25
ROWS = 200


def league_of(slug: str) -> League:
    """Return a league by its short name, or raise 404."""
    league = selectors.league_by_slug(slug)
    if league is None:
        raise Http404(_("There is no league “%(slug)s”.") % {"slug": slug})
    return league


def _may(request: HttpRequest, league: League, action: str = "pair") -> None:
    if not rights.may(viewer_of(request), action, league.scopes):
        raise Forbidden(action)


def _fill(form: forms.Form, refused: ValidationError) -> None:
    """Put what was refused beside the fields that it is about."""
    if not hasattr(refused, "error_dict"):
        form.add_error(None, refused)
        return
    for field, errors in refused.error_dict.items():
        name = {"handle": "person", "date": "day"}.get(field, field)
        form.add_error(name if name in form.fields else None, errors)


# Seasons


@require_http_methods(["GET", "HEAD", "POST"])
def season_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seasons of a league; organizers open the next one."""
    league = league_of(slug)
    may = rights.may(viewer_of(request), "pair", league.scopes)
    form = record_forms.SeasonForm(
        request.POST or None, league=league, initial={"first_day": local_day(league, timezone.now())}
    )
    status = 200
    if request.method == "POST":
        _may(request, league)
        status = 400
        if form.is_valid():
            try:
                season = records.season_open(
                    league=league, by=signed_in(request).person, at=timezone.now(), **form.cleaned_data
                )
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                messages.success(request, _("%(season)s is open.") % {"season": season.title})
                return redirect("league-season", slug=league.slug, key=season.key)
    page = Paginator(league.seasons.order_by("-opened_on", "-pk"), A_PAGE).get_page(request.GET.get("page"))
    context = {"league": league, "page": page, "form": form if may and league.is_open else None}
    return render(request, "league/seasons.html", context, status=status)


def _season(slug: str, key: str) -> Season:
    league = league_of(slug)
    season = league.seasons.filter(key=key).select_related("league").first()
    if season is None:
        raise Http404(_("%(league)s has no season “%(key)s”.") % {"league": league.name, "key": key})
    return season


@require_safe
def season_detail(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show the table of a season: live until it is closed, then as it was frozen."""
    season = _season(slug, key)
    return render(request, "league/season.html", _season_context(request, season))


def _season_context(request: HttpRequest, season: Season, **more: Any) -> dict[str, Any]:
    viewer = viewer_of(request)
    rows = records.season_table(season)
    frozen = {str(row["person"]): row for row in season.table or ()}
    members = {who for one in season.divisions or () for who in one["members"]}
    by_tournament = directing.table(season)
    ids = {row.person for row in rows} | frozen.keys() | members | {row.person for row in by_tournament}
    persons = _known(ids, viewer)
    told = [_season_row(row, frozen.get(row.person), persons, is_closed=season.closed_on is not None) for row in rows]
    shown_rows = [row for row in told if row is not None]
    shown_rows.sort(key=lambda row: (row["place"] or 10**6, row["name"]))
    page = Paginator(shown_rows, ROWS).get_page(request.GET.get("page"))
    may = rights.may(viewer, "pair", season.league.scopes)
    return {
        "season": season,
        "league": season.league,
        "page": page,
        "champion": persons.get(str(season.champion)) if season.champion else None,
        "divisions": _divisions(season, rows, persons),
        "by_tournament": [
            {**persons[row.person], "row": row, "lines": row.lines} for row in by_tournament if row.person in persons
        ][:ROWS],
        "titles": directing.titles(season),
        "amended": season.closed_on is not None and _differs(rows, frozen),
        "may_close": may and season.closed_on is None,
        "may_reopen": season.closed_on is not None and rights.may(viewer, "administer", season.league.scopes),
        "form": record_forms.CloseSeasonForm(initial={"last_day": local_day(season.league, timezone.now())}),
        **more,
    }


MOST_IN_DIVISIONS = 500


def _divisions(season: Season, rows: list[seasons.Row], persons: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the divisions with their tables, and who would move up or down (or did, once the season is closed)."""
    if season.moves is not None:
        ways = {str(one["person"]): one["why"] for one in season.moves}
    else:
        told = records.closing(season, rows)
        ways = {one.person: one.reason for one in told.moves} if told is not None else {}
    at = {row.person: row for row in rows}
    return [
        {
            "name": one.name,
            "rows": [
                {
                    **persons.get(row.person, {"name": _("somebody"), "handle": None}), "place": row.place, "way": ways.get(row.person, ""),
                    "points": sum(at[row.person].best) if row.person in at else 0,
                }
                for row in one.table
            ],
        }
        for one in records.division_tables(season, rows)
    ]  # fmt: skip


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def divisions(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Put the members of a league into the divisions of a season."""
    season = _season(slug, key)
    _may(request, season.league)
    by = signed_in(request).person
    members = list(
        Person.objects.filter(memberships__league=season.league, memberships__until=None).order_by("sort_name", "pk")[
            :MOST_IN_DIVISIONS
        ]
    )
    names = visible_names(members, by)
    before = season.league.seasons.filter(closed_on__isnull=False, moves__isnull=False).order_by("-closed_on").first()
    proposed = season.divisions or _after(before)
    place = {who: number for number, one in enumerate(proposed, 1) for who in one["members"]}
    said, refused, status = request.POST, [], 200
    if request.method == "POST":
        keys = [one.strip() for one in said.get("names", "").replace(",", " ").split() if one.strip()]
        chosen: dict[int, list[Person]] = {}
        for one in members:
            number = said.get(f"member_{one.pk}", "")
            if number.isdigit() and 1 <= int(number) <= len(keys):
                chosen.setdefault(int(number), []).append(one)
        moving = said.get("moving", "")
        try:
            records.division_set(
                season=season, divisions=[(name, chosen.get(at, [])) for at, name in enumerate(keys, 1)],
                moving=int(moving) if moving.isdigit() and len(moving) < 4 else 0, by=by, at=timezone.now(),
            )  # fmt: skip
        except ValidationError as error:
            refused, status = error.messages, 422
        else:
            messages.success(request, _("The divisions are kept."))
            return redirect("league-season", slug=slug, key=key)
        place = {
            str(one.pk): int(said[f"member_{one.pk}"]) for one in members if said.get(f"member_{one.pk}", "").isdigit()
        }
    context = {
        "season": season, "league": season.league, "refused": refused,
        "names": said.get("names", " ".join(str(one["division"]) for one in proposed)),
        "moving": said.get("moving", season.moving or (before.moving if before else 1)),
        "rows": [{"person": one, "name": names[one.pk], "division": place.get(str(one.pk), "")} for one in members],
        "proposed": not season.divisions and before is not None,
    }  # fmt: skip
    return render(request, "league/divisions.html", context, status=status)


def _after(before: Season | None) -> list[dict[str, Any]]:
    """Return the divisions that the last season left behind: after promotion and relegation."""
    if before is None or not before.divisions:
        return []
    told = {one["division"]: list(one["members"]) for one in before.divisions}
    for move in before.moves or ():
        if move["person"] in told.get(move["from"], ()):
            told[move["from"]].remove(move["person"])
        if move["to"] in told:
            told[move["to"]].append(move["person"])
    return [{"division": name, "members": members} for name, members in told.items()]


@require_safe
def champions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the hall of champions: who won the seasons and tournaments of a league."""
    league = league_of(slug)
    held = list(league.seasons.filter(closed_on__isnull=False).order_by("-closed_on", "-pk")[:ROWS])
    won = directing.won(league)[:ROWS]
    persons = _known(
        {str(one.champion) for one in held if one.champion} | {who for one in won for who in one.winners},
        viewer_of(request),
    )
    context = {
        "league": league,
        "seasons": [{"season": one, "who": persons.get(str(one.champion)) if one.champion else None} for one in held],
        "tournaments": [{"tournament": one.tournament, "whos": [persons[who] for who in one.winners if who in persons]} for one in won],
    }  # fmt: skip
    return render(request, "league/champions.html", context)


def _known(ids: set[str], viewer: Person | None) -> dict[str, dict[str, Any]]:
    """Return name and handle of persons by id, as a reader may know them; hidden ones by their initials and without a handle."""
    found = {
        str(one.pk): one
        for one in Person.objects.filter(pk__in=[UUID(one) for one in ids]).select_related("joined_into")
    }
    names = visible_names(found.values(), viewer)
    listed = set(
        Person.objects.filter(listed_for(viewer), pk__in=[one.head.pk for one in found.values()]).values_list(
            "pk", flat=True
        )
    )
    return {
        key: {"name": names[one.pk], "handle": one.head.handle if one.head.pk in listed else None, "person": one.head}
        for key, one in found.items()
    }


def _season_row(
    row: seasons.Row, frozen: dict[str, Any] | None, persons: dict[str, Any], *, is_closed: bool
) -> dict[str, Any] | None:
    if is_closed and frozen is None and not row.played:
        return None
    who = persons.get(row.person, {"name": _("somebody"), "handle": None, "person": None})
    place, points = (
        (frozen["place"], frozen["points"]) if frozen else (row.place if row.played else None, sum(row.best))
    )
    if is_closed and frozen is None:
        place, points = None, 0
    return {
        **who, "place": place, "points": points, "played": row.played, "now": sum(row.best) if points != sum(row.best) else None,
        "lines": [
            {"match": one.finish.match, "on": one.finish.on, "place": one.finish.place, "players": one.finish.players, "points": one.points, "counted": one.counted, "forfeited": one.finish.forfeited}
            for one in row.lines
        ],
    }  # fmt: skip


def _differs(rows: list[seasons.Row], frozen: dict[str, Any]) -> bool:
    """Return whether later corrections would give another table than the frozen one."""
    now = {row.person: (row.place, sum(row.best)) for row in rows if row.played}
    return now != {key: (row["place"], row["points"]) for key, row in frozen.items()}


@login_required
@require_POST
def season_close(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Close a season: first the table as it will be frozen, then the step itself."""
    season = _season(slug, key)
    _may(request, season.league)
    form = record_forms.CloseSeasonForm(request.POST)
    if not form.is_valid():
        return render(request, "league/season.html", _season_context(request, season, form=form), status=400)
    last_day = form.cleaned_data["last_day"]
    if request.POST.get("step") != "store":
        rows = records.season_table(season, last=last_day)
        persons = _known({row.person for row in rows}, viewer_of(request))
        preview = [{**persons[row.person], "place": row.place, "points": sum(row.best)} for row in rows if row.played]
        pending = sum(line.counted == "pending" for row in rows for line in row.lines)
        context = _season_context(request, season, form=form, preview=preview, pending=pending, last_day=last_day)
        return render(request, "league/season.html", context)
    try:
        records.season_close(season=season, last_day=last_day, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        _fill(form, refused)
        return render(request, "league/season.html", _season_context(request, season, form=form), status=422)
    messages.success(request, _("%(season)s is closed.") % {"season": season.title})
    return redirect("league-season", slug=season.league.slug, key=season.key)


@login_required
@require_POST
def season_reopen(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Reopen a season."""
    season = _season(slug, key)
    _may(request, season.league, "administer")
    try:
        records.season_reopen(season=season, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, _("%(season)s goes on.") % {"season": season.title})
    return redirect("league-season", slug=season.league.slug, key=season.key)


# Campaigns


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the campaigns of a league; organizers open another."""
    league = league_of(slug)
    may = rights.may(viewer_of(request), "pair", league.scopes)
    form = record_forms.CampaignForm(request.POST or None, league=league)
    status = 200
    if request.method == "POST":
        _may(request, league)
        status = 400
        if form.is_valid():
            try:
                made = records.campaign_open(
                    league=league, by=signed_in(request).person, at=timezone.now(), **form.cleaned_data
                )
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                messages.success(request, _("%(campaign)s is open.") % {"campaign": made.title})
                return redirect("league-campaign", slug=league.slug, key=made.key)
    page = Paginator(league.campaigns.order_by("-opened_on", "-pk"), A_PAGE).get_page(request.GET.get("page"))
    rows = [{"campaign": one, "game": game_name(one.game)} for one in page]
    context = {"league": league, "page": page, "rows": rows, "form": form if may and league.is_open else None}
    return render(request, "league/campaigns.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_detail(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show a campaign with its table; organizers close it with its matches."""
    league = league_of(slug)
    campaign = get_object_or_404(Campaign.objects.select_related("league"), league=league, key=key)
    viewer = viewer_of(request)
    form = record_forms.CloseCampaignForm(request.POST or None, league=league, game=campaign.game)
    preview: list[dict[str, Any]] = []
    status = 200
    if request.method == "POST":
        _may(request, league)
        status = 400
        if form.is_valid():
            chosen = form.cleaned_data["matches"]
            try:
                if request.POST.get("step") == "store":
                    records.campaign_close(
                        campaign=campaign, match_ids=chosen, by=signed_in(request).person, at=timezone.now()
                    )
                    messages.success(request, _("%(campaign)s is closed.") % {"campaign": campaign.title})
                    return redirect("league-campaign", slug=league.slug, key=campaign.key)
                placed = records.campaign_table(records.campaign_matches(campaign, chosen))
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                persons = _known({one.person for one in placed}, viewer)
                preview = [{**persons[one.person], "place": one.place, "points": one.points} for one in placed]
                status = 200
    persons = _known({str(one["person"]) for one in campaign.placements}, viewer)
    played = list(
        Match.objects.filter(pk__in=campaign.matches).order_by("ended_at", "pk").prefetch_related("seats__person")
    )
    context = {
        "league": league,
        "campaign": campaign,
        "game": game_name(campaign.game),
        "rows": [
            {**persons.get(str(one["person"]), {}), "place": one["place"], "points": one["points"]}
            for one in campaign.placements
        ],
        "matches": shown(played, viewer),
        "preview": preview,
        "form": form if campaign.closed_on is None and rights.may(viewer, "pair", league.scopes) else None,
    }
    return render(request, "league/campaign.html", context, status=status)


# What organizers record


class Record(NamedTuple):
    """One kind of thing that an organizer records."""

    title: str | Promise
    lead: str | Promise
    form: type[record_forms.LeagueBound]
    store: Callable[..., None]


def _service(league: League, data: dict[str, Any], **by: Any) -> None:
    records.service_record(
        league=league, person=data["person"], kind=data["kind"], minutes=data["minutes"], day=data["day"], **by
    )


def _match(data: dict[str, Any]) -> Match | None:
    return Match.objects.filter(pk=UUID(data["match"])).first() if data.get("match") else None


def _conduct(league: League, data: dict[str, Any], **by: Any) -> None:
    records.conduct_note(
        league=league,
        person=data["person"],
        kind=data["kind"],
        note=data["note"],
        day=data["day"],
        match=_match(data),
        **by,
    )


def _mentoring(league: League, data: dict[str, Any], **by: Any) -> None:
    match = _match(data)
    if match is None:
        raise ValidationError({"match": _("Choose a match.")})
    records.mentor_assign(league=league, mentor=data["mentor"], newcomer=data["newcomer"], match=match, **by)


def _event(league: League, data: dict[str, Any], **by: Any) -> None:
    records.event_organize(
        league=league, organizer=data["person"], title=data["title"], day=data["day"], match_ids=data["matches"],
        staff=data["staff"], **by,
    )  # fmt: skip


def _suspension(league: League, data: dict[str, Any], **by: Any) -> None:
    records.rank_suspend(league=league, person=data["person"], until=data["until"], reason=data["reason"], **by)


def _restoration(league: League, data: dict[str, Any], **by: Any) -> None:
    records.rank_restore(league=league, person=data["person"], reason=data["reason"], **by)


RECORDS = {
    "service": Record(
        gettext_lazy("Record a service"),
        gettext_lazy("Somebody set up the hall, taught, hosted, drove. You confirm it by recording it."),
        record_forms.ServiceForm,
        _service,
    ),
    "conduct": Record(
        gettext_lazy("Note conduct"),
        gettext_lazy(
            "A commendation, or something that should not have been. A mistaken note can be struck in the log of the league."
        ),
        record_forms.ConductForm,
        _conduct,
    ),
    "mentoring": Record(
        gettext_lazy("Record a mentoring"),
        gettext_lazy(
            "A member accompanied a newcomer through their first match. It gives the mentor a learning credit."
        ),
        record_forms.MentoringForm,
        _mentoring,
    ),
    "event": Record(
        gettext_lazy("Record an event"),
        gettext_lazy("Who organized an evening or a tournament, who helped, and which matches were played at it."),
        record_forms.EventForm,
        _event,
    ),
    "suspension": Record(
        gettext_lazy("Suspend a rank"),
        gettext_lazy("After a disqualification for conduct the rank is hidden for some time. Nothing is lost."),
        record_forms.SuspensionForm,
        _suspension,
    ),
    "restoration": Record(
        gettext_lazy("Restore a rank"),
        gettext_lazy("A suspended rank is shown again before its time."),
        record_forms.RestorationForm,
        _restoration,
    ),
}


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Record one thing of a kind."""
    league = league_of(slug)
    _may(request, league)
    if kind not in RECORDS:
        raise Http404(_("Nothing of the kind “%(kind)s” is recorded.") % {"kind": kind})
    what = RECORDS[kind]
    form = what.form(request.POST or None, league=league, initial={"day": local_day(league, timezone.now())})
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                what.store(league, form.cleaned_data, by=signed_in(request).person, at=timezone.now())
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                messages.success(request, _("It is recorded."))
                return redirect("league-log", slug=league.slug)
    context = {"league": league, "title": what.title, "lead": what.lead, "form": form}
    return render(request, "league/record.html", context, status=status)


@login_required
@require_POST
def conduct_strike(request: HttpRequest, slug: str, seq: str) -> HttpResponse:
    """Strike a note that was a mistake."""
    league = league_of(slug)
    _may(request, league)
    form = record_forms.StrikeForm(request.POST)
    try:
        if not form.is_valid():
            raise ValidationError(_("Say why the note is struck."))
        records.conduct_strike(
            league=league,
            seq=int(seq),
            reason=form.cleaned_data["reason"],
            by=signed_in(request).person,
            at=timezone.now(),
        )
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    else:
        messages.success(request, _("The note is struck."))
    return redirect("league-log", slug=league.slug)


@require_safe
def league_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log of a league in words, newest first; `seq` leads to the page of an entry."""
    league = league_of(slug)
    viewer = viewer_of(request)
    last = chronicle.pages(league)
    seq = request.GET.get("seq", "")
    wanted = request.GET.get("page", "")
    if seq.isascii() and seq.isdigit() and len(seq) < 9 and int(seq) <= league.seq:
        number = chronicle.page_of(league, int(seq))
    else:
        number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 7 else 1
    number = min(max(1, number), last)
    page = Paginator(range(league.seq + 1), chronicle.A_PAGE).get_page(number)
    may = rights.may(viewer, "pair", league.scopes)
    context = {
        "league": league,
        "entries": chronicle.entries(league, viewer, page=number),
        "page": page,
        "records": [(reverse("league-record", args=[league.slug, kind]), one.title) for kind, one in RECORDS.items()]
        if may and league.is_open
        else [],
        "may_strike": may and league.is_open,
    }
    return render(request, "league/log.html", context)


# The vote after a match


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sportsmanship(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Let a participant of a match vote for another one."""
    match = get_object_or_404(Match.objects.prefetch_related("seats__person"), pk=match_id)
    if match.league is None:
        raise Http404(_("Votes are cast in matches of a league."))
    me = signed_in(request).person
    others = [one for one in records.participants(match) if one.pk != me.pk]
    names = visible_names(others, me)
    took_part = len(others) < len(records.participants(match))
    choices = [(str(one.pk), names[one.pk]) for one in others]
    form = record_forms.VoteForm(request.POST or None, choices=choices)
    status = 200
    if request.method == "POST":
        if not took_part:
            raise Forbidden("honors", _("who took part in the match"))
        status = 400
        if form.is_valid():
            nominee = next(one for one in others if str(one.pk) == form.cleaned_data["nominee"])
            try:
                records.sportsmanship_vote(match=match, nominee=nominee, by=me, at=timezone.now())
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                messages.success(request, _("Your vote is cast. The log does not say that it is yours."))
                return redirect("match-detail", match_id=match.pk)
    [one] = shown([match], me)
    deadline = records.vote_deadline(match)
    season = selectors.season_on(league_of(str(match.league)), match.played_on)
    context = {
        "match": match,
        "shown": one,
        "form": form,
        "took_part": took_part,
        "has_voted": took_part and records.has_voted(match, me),
        "deadline": deadline,
        "is_over": deadline is None or timezone.now() > deadline,
        "is_held": season is not None and season.closed_on is None and votes.is_open(season.purpose),
        "is_plain": len(others) == 1,
    }
    return render(request, "league/sportsmanship.html", context, status=status)
