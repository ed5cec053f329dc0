"""Pages of tournaments: the list, one tournament in its parts, one's own table, check-in."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league.directing import engines, results, services, stream, tables, words
from league.directing.forms import StageForm, TournamentForm
from league.directing.hall import bracket_context, clock_of, surname_lines
from league.directing.selectors import tournament_of
from league.directing.shown import Shown, log_lines
from league.models import League, Tournament
from league.tournament import trf
from league.tournament.reducer import Stage
from matches import scheduled
from matches import services as matches
from matches.games import game_name
from matches.models import Match
from matches.services import opening
from people import rights
from people.models import Grant
from people.selectors import signed_in, viewer_of
from people.services import Forbidden

TOURNAMENTS_A_PAGE = 25
ROWS_A_PAGE = 100
LOG_A_PAGE = 50
MOST_STAGES = 3


@require_GET
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show the tournaments: those that run first, then those to come, then those that are over."""
    viewer = viewer_of(request)
    found = Tournament.objects.select_related("league")
    state = request.GET.get("state", "")
    if state in Tournament.Status.values:
        found = found.filter(status=state)
    page = Paginator(found.order_by("-opened_at", "pk"), TOURNAMENTS_A_PAGE).get_page(request.GET.get("page"))
    here = reverse("tournament-list")
    tabs = [(_("All"), here, not state)]
    tabs += [(str(label), f"{here}?state={value}", state == value) for value, label in Tournament.Status.choices]
    rows = [{"tournament": one, "game": game_name(one.game)} for one in page]
    context = {"page": page, "rows": rows, "tabs": tabs, "may_open": bool(_leagues(viewer))}
    return render(request, "tournaments/list.html", context)


def _leagues(viewer: Any) -> Any:
    """Return the open leagues in which somebody may open a tournament, by name."""
    if viewer is None:
        return League.objects.none()
    scopes = rights.scopes_with(viewer, *rights.MATRIX["pair"])
    found = League.objects.filter(is_open=True)
    if rights.SITE not in scopes:
        found = found.filter(pk__in=[scope.removeprefix("league:") for scope in scopes if scope.startswith("league:")])
    return found.order_by("name", "pk")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Open a tournament."""
    by = signed_in(request).person
    leagues = _leagues(by)
    if not leagues.exists():
        raise Forbidden("pair", _("organizers and owners of a league"))
    data = request.POST or None
    chosen = leagues.filter(slug=request.GET.get("league", "")).first()
    form = TournamentForm(data, leagues=leagues, initial={"league": chosen})
    count = min(
        max(int(request.GET.get("stages", "1")) if request.GET.get("stages", "1").isdigit() else 1, 1), MOST_STAGES
    )
    stages = [StageForm(data, prefix=f"stage{number}", initial=_start(number, count)) for number in range(1, count + 1)]
    if request.method == "POST" and all([form.is_valid(), *[one.is_valid() for one in stages]]):
        said = dict(form.cleaned_data)
        try:
            made = services.tournament_open(
                by=by, at=timezone.now(), stages=[one.stage() for one in stages], title=said["title"], slug=said["slug"],
                league=said["league"], season=said["season"] or None, game=said["game"], timezone=said["timezone"] or None,
            )  # fmt: skip
        except ValidationError as refused:
            _add_errors(form, refused)
        else:
            messages.success(
                request, _("%(title)s is open. Enter people, or open registration.") % {"title": made.title}
            )
            return redirect("tournament-desk", slug=made.slug)
    failed = bool(form.errors or any(one.errors for one in stages))
    context = {"form": form, "stages": stages, "count": count, "counts": range(1, MOST_STAGES + 1)}
    return render(request, "tournaments/new.html", context, status=400 if failed else 200)


def _start(number: int, count: int) -> dict[str, Any]:
    last = number == count
    return {
        "format": "single_elimination" if number > 1 and last else "swiss", "rounds": 5 if number == 1 else None,
        "ruleset": "house-2026", "points": "classic", "groups": 1, "cut": None if last else 8,
    }  # fmt: skip


def _add_errors(form: Any, refused: ValidationError) -> None:
    told = refused.error_dict if hasattr(refused, "error_dict") else {None: refused.error_list}
    for field, errors in told.items():
        form.add_error(field if field in form.fields else None, errors)


# One tournament -----------------------------------------------------------------------------------------------------


def frame(request: HttpRequest, shown: Shown, current: str) -> dict[str, Any]:
    """Return what every page of a tournament shows on top."""
    slug = shown.tournament.slug
    tabs = [
        ("pairings", _("Pairings"), reverse("tournament-detail", args=[slug])),
        ("standings", _("Standings"), reverse("tournament-standings", args=[slug])),
        ("entrants", _("Entrants"), reverse("tournament-entrants", args=[slug])),
        ("log", _("Director's log"), reverse("tournament-log", args=[slug])),
        ("about", _("About"), reverse("tournament-about", args=[slug])),
    ]
    if shown.me is not None:
        tabs.insert(0, ("me", _("My table"), reverse("tournament-me", args=[slug])))
    if shown.directs:
        tabs.insert(0, ("desk", _("Desk"), reverse("tournament-desk", args=[slug])))
    held = shown.tournament
    return {
        "shown": shown,
        "tournament": held,
        "league": held.league,
        "state": shown.state,
        "game": game_name(held.game),
        "tabs": [(label, url, key == current) for key, label, url in tabs],
        "may": shown.may,
        "format": "; ".join(words.format_name(one.settings) for one in shown.state.stages),
    }


def shown_of(request: HttpRequest, slug: str) -> Shown:
    """Return a tournament as whoever asks may see it, as of the entry that `at` names."""
    tournament = tournament_of(slug)
    said = request.GET.get("at", "")
    at = int(said) if said.isdigit() and len(said) < 9 and int(said) < tournament.seq else None
    return Shown(tournament, viewer_of(request), at=at)


def stage_asked(request: HttpRequest, shown: Shown) -> Stage | None:
    """Return the stage that the address names, else the latest."""
    said = request.GET.get("stage", "")
    stage = shown.stage(int(said)) if said.isdigit() and len(said) < 3 else shown.stage()
    return stage if stage is None or stage.has_begun else shown.stage()


@require_GET
def tournament_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the pairings of a round: by surname, or by table."""
    shown = shown_of(request, slug)
    stage = stage_asked(request, shown)
    context = frame(request, shown, "pairings")
    rounds = shown.rounds(stage) if stage is not None else []
    said = request.GET.get("round", "")
    round_ = next((one for one in rounds if str(one.number) == said), rounds[0] if rounds else None)
    by = "table" if request.GET.get("by") == "table" else "surname"
    if stage is not None and round_ is not None:
        lines = shown.lines(stage, round_)
        sitting_out = shown.sitting_out(stage, round_)
        rows: list[Any] = lines if by == "table" else surname_lines(lines, sitting_out)
        page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
        here = f"{reverse('tournament-detail', args=[slug])}?stage={stage.number + 1}"
        context |= {
            "stage": stage, "round": round_, "page": page, "by": by, "sitting_out": sitting_out,
            "round_tabs": [(_("Round %(n)s") % {"n": one.number}, f"{here}&round={one.number}&by={by}", one is round_) for one in rounds],
            "views": [
                (_("By surname"), f"{here}&round={round_.number}&by=surname", by == "surname"),
                (_("By table"), f"{here}&round={round_.number}&by=table", by == "table"),
            ],
            "stage_tabs": _stage_tabs(shown, stage, "tournament-detail"),
        }  # fmt: skip
    return render(request, "tournaments/detail.html", context)


def _stage_tabs(shown: Shown, stage: Stage, url: str) -> list[tuple[str, str, bool]]:
    begun = [one for one in shown.state.stages if one.has_begun]
    if len(begun) < 2:
        return []
    here = reverse(url, args=[shown.tournament.slug])
    return [
        (_("Stage %(n)s: %(format)s") % {"n": one.number + 1, "format": words.FORMATS[one.settings.format]},
         f"{here}?stage={one.number + 1}", one is stage)
        for one in begun
    ]  # fmt: skip


@require_GET
def tournament_standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of a stage: settled or live, as of any entry."""
    shown = shown_of(request, slug)
    stage = stage_asked(request, shown)
    context = frame(request, shown, "standings")
    if stage is None:
        return render(request, "tournaments/standings.html", context)
    live = request.GET.get("view") == "live" and shown.at is None
    made: list[dict[str, Any]] = []
    for one in shown.standings(stage, live=live):
        records = shown.records(one)
        page = Paginator(one.standings.rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
        cut = stage.settings.cut if stage.number + 1 < len(shown.state.stages) else None
        made.append(
            {
                "table": one, "page": page, "cut": cut,
                "group": one.group + 1 if one.group is not None else None,
                "rows": [
                    {
                        "row": row, "who": shown.people[row.entrant], "points": words.points(row.points),
                        "record": records.get(row.entrant, ""), "values": [row.values.get(code) for code in one.tiebreaks],
                        "out": row.entrant in stage.dropped, "last_in": cut is not None and row.order == cut,
                    }
                    for row in page
                ],
            }
        )  # fmt: skip
    here = f"{reverse('tournament-standings', args=[slug])}?stage={stage.number + 1}"
    amended = [
        {"who": shown.people[person], "was": was, "now": now} for person, was, now in tables.amended(shown.state, stage)
    ][:50]
    context |= {
        "stage": stage, "standings": made, "live": live, "amended": amended,
        "codes": [(code, words.TIEBREAKS.get(code, code)) for code in (made[0]["table"].tiebreaks if made else ())],
        "gone": [shown.people[one] for one in stage.entrants if shown.state.entries[one].disqualified],
        "views": [(_("Settled"), here, not live), (_("Live"), f"{here}&view=live", live)],
        "stage_tabs": _stage_tabs(shown, stage, "tournament-standings"),
        **(bracket_context(shown, stage) if stage.system == "elimination" else {}),
        "edition": words.EDITIONS.get(stage.settings.ruleset, stage.settings.ruleset), "as_of": shown.at, "outstanding": len(shown.outstanding()),
    }  # fmt: skip
    return render(request, "tournaments/standings.html", context)


@require_GET
def tournament_player(request: HttpRequest, slug: str, person_id: str) -> HttpResponse:
    """Show one entrant: each round, and each figure of the standings with what it is made of."""
    shown = shown_of(request, slug)
    key = person_id
    if key not in shown.people:
        raise Http404(_("Nobody with this id is in the tournament."))
    context = frame(request, shown, "standings") | {"who": shown.people[key], "entry": shown.state.entries[key]}
    stages = []
    for stage in shown.state.stages:
        if key not in stage.entrants:
            continue
        row = next((one for told in shown.standings(stage) for one in told.standings.rows if one.entrant == key), None)
        rounds = []
        for round_ in sorted(stage.rounds.values(), key=lambda one: one.number):
            if not round_.is_published:
                continue
            table = round_.table_of(key)
            out = stage.missed.get((key, round_.number)) or round_.byes.get(key)
            rounds.append(
                {
                    "number": round_.number, "table": table, "kind": words.kind(out.kind) if table is None and out else "",
                    "points": words.points(out.points) if table is None and out else words.short_result(table.rows, key) if table else "",
                    "others": [shown.people[one] for one in table.seats if one != key] if table else [],
                    "result": words.result(table.rows, shown.name) if table and table.rows else "",
                }
            )  # fmt: skip
        values = []
        if row is not None:
            values = [
                {
                    "code": code,
                    "name": words.TIEBREAKS.get(code, code),
                    "value": value,
                    "addends": _addends(shown, value.addends),
                }
                for code, value in row.values.items()
            ]
        stages.append(
            {
                "stage": stage, "row": row, "rounds": rounds, "values": values, "dropped": stage.dropped.get(key),
                "points": _addends(shown, row.addends) if row else [], "total": words.points(row.points) if row else "",
                "penalties": [one for one in stage.penalties if one.person == key],
            }
        )  # fmt: skip
    return render(request, "tournaments/player.html", context | {"stages": stages, "at_seq": shown.state.seq})


def _addends(shown: Shown, addends: Any) -> list[dict[str, Any]]:
    return [
        {
            "round": one.round, "who": ", ".join(shown.name(who) for who in one.opponent.split(", ") if who),
            "value": words.points(one.value), "rule": words.rule(one.rule), "cut": one.cut,
        }
        for one in addends
    ]  # fmt: skip


@require_GET
def tournament_entrants(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has entered: by name, with check-in, seed and whether they still play; the waiting list after them."""
    shown = shown_of(request, slug)
    stage = shown.state.latest
    number = {person: at for group in (stage.groups if stage else []) for at, person in enumerate(group, 1)}
    rows: list[dict[str, Any]] = [
        {
            "who": shown.people[one.person], "entry": one, "number": number.get(one.person), "out": stage is not None and one.person in stage.dropped,
            "group": stage.group_of(one.person) + 1 if stage is not None and len(stage.groups) > 1 else None,
        }
        for one in shown.state.playing
    ]  # fmt: skip
    rows.sort(key=lambda row: (row["who"].sort.casefold(), row["who"].id))
    page = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = frame(request, shown, "entrants") | {
        "page": page, "waiting": [shown.people[one.person] for one in shown.state.waiting][:ROWS_A_PAGE],
        "cap": shown.state.registration.cap if shown.state.registration else None,
        "checked": sum(bool(one.checked_in) for one in shown.state.playing),
    }  # fmt: skip
    return render(request, "tournaments/entrants.html", context)


@require_GET
def tournament_log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the director's log: everything that was done, by whom, when, why, before and after."""
    shown = shown_of(request, slug)
    total = len(shown.entries)
    pages = Paginator(range(total), LOG_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    lines = log_lines(shown, limit=LOG_A_PAGE, offset=(page.number - 1) * LOG_A_PAGE)
    return render(
        request, "tournaments/log.html", frame(request, shown, "log") | {"page": page, "lines": lines, "total": total}
    )


@require_GET
def tournament_about(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how the tournament is played: stages, points, editions, seed, who directs it."""
    shown = shown_of(request, slug)
    stages = [
        {
            "stage": one, "format": words.format_name(one.settings), "points": words.POINTS.get(one.settings.points, one.settings.points),
            "edition": words.EDITIONS.get(one.settings.ruleset, one.settings.ruleset), "engines": sorted({f"{r.engine} {r.version}" for r in one.rounds.values()}),
            "tiebreaks": [(code, words.TIEBREAKS.get(code, code)) for code in tables.tiebreaks_of(one)],
            "rounds": engines.rounds_of(one, len(shown.state.playing)),
            "seeding": words.SEEDINGS.get(one.seeding, ""),
        }
        for one in shown.state.stages
    ]  # fmt: skip
    grants = list(Grant.objects.filter(scope=shown.tournament.scope).select_related("person__joined_into")[:50])
    names = shown._who({one.person_id for one in grants})
    officials = [
        {"who": names[str(one.person_id)], "role": rights.ROLE_NAMES[one.role], "grant": one} for one in grants
    ]
    context = {
        "stages": stages,
        "officials": officials,
        "roles": [(role, rights.ROLE_NAMES[role]) for role in rights.GRANTED],
    }
    return render(request, "tournaments/about.html", frame(request, shown, "about") | context)


@require_GET
def tournament_trf(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a stage of two seats as a FIDE report file: TRF16, or TRF26 with `edition=2026`; settled results only."""
    shown = shown_of(request, slug)
    stage = stage_asked(request, shown)
    if stage is None:
        raise Http404(_("No stage has begun; there is nothing to report."))
    edition: Any = "2026" if request.GET.get("edition") == "2026" else "2016"
    group = int(request.GET["group"]) - 1 if request.GET.get("group", "").isdigit() else 0
    if not 0 <= group < len(stage.groups):
        raise Http404(_("There is no such group."))
    field = engines.field_of(shown.state, stage, group=group)
    ranks = {row.entrant: row.order for row in shown.standings(stage)[group].standings.rows}
    head = {"name": shown.state.title, "type": str(words.FORMATS[stage.settings.format])}
    try:
        raw = trf.write(
            field,
            names={one.id: shown.people[one.id].name for one in field.entrants},
            head=head,
            ranks=ranks,
            edition=edition,
        )
    except ValueError as error:
        raise Http404(_("A report file holds games of two; this stage has larger tables.")) from error
    answer = HttpResponse(raw, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-{stage.number + 1}.trf"'
    return answer


# One's own part -----------------------------------------------------------------------------------------------------


@login_required
@require_GET
def tournament_me(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one's own table: its number in large type, the others, the result to enter or to confirm, a judge."""
    shown = shown_of(request, slug)
    return _me(request, shown)


def _me(request: HttpRequest, shown: Shown, *, status: int = 200, **more: Any) -> HttpResponse:
    context = frame(request, shown, "me") | {"place": None, "entry": shown.entry, "now": timezone.now(), **more}
    if shown.place is not None:
        stage, round_, table = shown.place
        line = next(one for one in shown.lines(stage, round_) if one.number == table.number)
        context |= {
            "place": table, "line": line, "round": round_, "stage": stage, "clock": clock_of(round_, now=timezone.now(), zone=shown.tournament.timezone, extra=table.extension),
            **match_context(shown, table.match),
        }  # fmt: skip
    elif shown.state.latest is not None and shown.me is not None:
        last = max((one.number for one in shown.state.latest.rounds.values() if one.is_published), default=0)
        if last:
            out = shown.state.latest.rounds[last].byes.get(shown.me)
            context |= {"bye": words.kind(out.kind) if out else "", "round": shown.state.latest.rounds[last]}
    latest = shown.state.latest
    if latest is not None and shown.me in latest.entrants:
        context["next_round"] = max(latest.rounds, default=0) + 1
    return render(request, "tournaments/me.html", context, status=status)


def match_context(shown: Shown, match_id: str) -> dict[str, Any]:
    """Return what may be done with the match of a table."""
    match = shown.matches.get(match_id)
    table = scheduled.find(UUID(match_id))
    if table is None:
        return {}
    sits = shown.viewer is not None and table.letter_of(shown.viewer) is not None
    signed = False
    if match is not None and shown.viewer is not None:
        own = {shown.viewer.pk, shown.viewer.head.pk}
        signed = any(seat.signed_at is not None for seat in match.seats.all() if seat.person_id in own)
    return {
        "match": match, "sits": sits, "may_enter": match is None and opening.may_enter(table, shown.viewer), "has_signed": signed,
        "may_confirm": shown.may["penalize"],
    }  # fmt: skip


@require_GET
def tournament_match(request: HttpRequest, slug: str, match_id: str) -> HttpResponse:
    """Show a table of a round: who sits there, and its result, or how it is entered."""
    shown = shown_of(request, slug)
    return _match(request, shown, UUID(match_id))


def _match(request: HttpRequest, shown: Shown, match_id: UUID, *, status: int = 200, **more: Any) -> HttpResponse:
    for stage in shown.state.stages:
        for round_ in stage.rounds.values():
            table = next((one for one in round_.tables.values() if one.match == str(match_id)), None)
            if table is None or not round_.is_published:
                continue
            if table.match not in shown.matches:
                shown.matches.update(results.matches_of([table.match]))
            line = next(one for one in shown.lines(stage, round_) if one.match == str(match_id))
            context = frame(request, shown, "pairings") | {
                "line": line, "round": round_, "stage": stage, "table": table, **match_context(shown, str(match_id)), **more,
                "result": words.result(table.rows, shown.name) if table.rows else "",
            }  # fmt: skip
            return render(request, "tournaments/match.html", context, status=status)
    raise Http404(_("This table is in no published round (any more)."))


@login_required
@require_POST
def result_enter(request: HttpRequest, slug: str, match_id: str) -> HttpResponse:
    """Enter the result of a table: places and, where the game counts, scores. What was entered meanwhile is shown."""
    shown = shown_of(request, slug)
    by = signed_in(request).person
    key = UUID(match_id)
    table = scheduled.find(key)
    if table is None:
        return _match(request, shown, key)
    try:
        finishes = finishes_said(request.POST, table)
        match = opening.result_enter(
            table=table, finishes=finishes, by=by, confirm=request.POST.get("act") == "confirm"
        )
    except (matches.NotRecordable, ValueError) as refused:
        return _match(request, Shown(tournament_of(slug), by), key, refused=[str(refused)], status=422)
    except matches.StaleMatch:
        text = _(
            "Another result of this table was entered meanwhile; this is it. Dispute it on the page of the match if it is wrong."
        )
        return _match(request, Shown(tournament_of(slug), by), key, refused=[text], status=409)
    done = (
        _("The result is confirmed.")
        if match.status == Match.Status.CONFIRMED
        else _("Entered. The others at the table confirm it.")
    )
    messages.success(request, done)
    after = str(request.POST.get("next", ""))
    return redirect(after if _is_own(after, slug) else reverse("tournament-match", args=[slug, match_id]))


def _is_own(url: str, slug: str) -> bool:
    return url.startswith(f"/tournaments/{slug}/") and "\\" not in url


def finishes_said(said: Mapping[str, Any], table: scheduled.Scheduled) -> dict[str, opening.Finish]:
    """Return the places and scores of a form: `place_A`, `score_A`; of two seats also `winner`: a letter, or `draw`.

    :raises ValueError: in words, for what is no number
    """
    letters = list(table.letters)
    winner = str(said.get("winner", ""))
    scores = {letter: _whole(said.get(f"score_{letter}", ""), _("The score")) for letter in letters}
    if len(letters) == 2 and winner:
        if winner != "draw" and winner not in letters:
            raise ValueError(_("Say who won, or that it was a draw."))
        return {letter: opening.Finish(1 if winner in (letter, "draw") else 2, scores[letter]) for letter in letters}
    places = {letter: _whole(said.get(f"place_{letter}", ""), _("The place")) for letter in letters}
    if any(place is None for place in places.values()):
        raise ValueError(_("Everybody at the table needs a place; those who share one have the same."))
    return {letter: opening.Finish(place or 0, scores[letter]) for letter, place in places.items()}


def _whole(text: Any, what: str) -> int | None:
    said = str(text).strip()
    if not said:
        return None
    try:
        number = int(said)
    except ValueError:
        raise ValueError(_("%(what)s “%(text)s” is no whole number.") % {"what": what, "text": said[:20]}) from None
    if abs(number) > opening.MOST_SCORE:
        raise ValueError(_("%(what)s “%(text)s” is too large.") % {"what": what, "text": said[:20]})
    return number


OWN_ACTS = frozenset({"register", "withdraw", "checkin", "drop", "bye", "judge", "sign"})


@login_required
@require_POST
def own_act(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Do something for oneself: register, check in, drop, ask for a bye, call a judge, sign the result."""
    if act not in OWN_ACTS:
        raise Http404
    by = signed_in(request).person
    tournament = tournament_of(slug)
    shared: dict[str, Any] = {"tournament": tournament, "by": by, "at": timezone.now()}
    try:
        match act:
            case "register":
                state = services.register(person=by, **shared)
                waits = state.entries[str(by.head.pk)].waits
                done = _("You are on the waiting list.") if waits else _("You are registered.")
            case "withdraw":
                services.withdraw(person=by, **shared)
                done = _("You gave your place back.")
            case "checkin":
                services.check_in(person=by, code=request.POST.get("code", ""), **shared)
                done = _("You are checked in.")
            case "drop":
                services.drop(person=by, reason=request.POST.get("reason", ""), **shared)
                done = _("You play no more rounds. The desk can bring you back.")
            case "bye":
                number, kind = request.POST.get("round", ""), request.POST.get("kind") or None
                if not number.isdigit() or len(number) > 3:
                    raise ValidationError(_("Say for which round."))
                services.bye_request(person=by, round_=int(number), kind=kind, **shared)
                done = (
                    _("Noted: you do not play round %(round)s.") % {"round": number} if kind else _("Noted: you play.")
                )
            case "judge":
                services.judge_call(**shared)
                done = _("A judge was called to your table.")
            case _:
                place = services.place_of(stream.state_of(tournament), by)
                match = Match.objects.filter(pk=place[2].match).first() if place is not None else None
                if match is None:
                    raise ValidationError(_("There is no result to confirm yet."))
                matches.result_sign(match=match, by=by)
                done = _("You confirmed the result.")
    except (ValidationError, matches.NotRecordable, matches.Refused) as refused:
        texts = refused.messages if isinstance(refused, ValidationError) else [str(refused)]
        shown = Shown(tournament_of(slug), by)
        status = 409 if isinstance(refused, services.Stale) else 422
        if shown.me is None:
            return _about_me(request, shown, texts, status)
        return _me(request, shown, refused=texts, status=status)
    messages.success(request, done)
    return redirect("tournament-me", slug=slug)


def _about_me(request: HttpRequest, shown: Shown, texts: list[str], status: int) -> HttpResponse:
    return render(request, "tournaments/me.html", frame(request, shown, "me") | {"refused": texts}, status=status)


@require_GET
def check_in_page(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show the way in that the QR code of the hall leads to: sign in, then one button."""
    shown = shown_of(request, slug)
    right = secrets.compare_digest(code, shown.tournament.check_in_code)
    context = frame(request, shown, "me") | {"code": code, "right": right, "entry": shown.entry}
    return render(request, "tournaments/check_in.html", context, status=200 if right else 404)
