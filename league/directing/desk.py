"""The desk: what a director does on the day, what blocks the next step first; each act is one button."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.directing import engines, results, services, stream, tables, words
from league.directing.forms import EnterForm, RegistrationForm, SeedingForm
from league.directing.hall import clock_of
from league.directing.selectors import tournament_of
from league.directing.shown import Shown
from league.directing.views import ROWS_A_PAGE, finishes_said, frame
from league.models import Tournament
from league.services import acting
from matches import scheduled
from matches import services as matches
from matches.models import Match
from matches.services import opening
from people.models import Person
from people.selectors import person_by_handle, signed_in
from people.services import Forbidden

MOST_NOTES = 40
LOOKED_AHEAD = {"fixed_table": "table_wanted"}
"""Codes of a look ahead that have other words there than in a round."""


@login_required
@require_http_methods(["GET", "HEAD"])
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the desk."""
    shown = Shown(tournament_of(slug), signed_in(request).person)
    if not shown.directs:
        raise Forbidden("record", _("those who direct the tournament"))
    return page(request, shown)


def page(request: HttpRequest, shown: Shown, *, status: int = 200, **more: Any) -> HttpResponse:
    """Return the desk as it stands now."""
    state, stage = shown.state, shown.state.latest
    last = stage.last if stage is not None else None
    context = frame(request, shown, "desk") | {
        "next_step": shown.next_step(), "registration_form": _registration_form(shown), "enter_form": EnterForm(prefix="enter"),
        "seeding_form": SeedingForm(), "outlook": [], **more,
    }  # fmt: skip
    if stage is not None and last is not None:
        lines = shown.lines(stage, last)
        waiting = [one for one in lines if one.state != "settled"]
        done = [one for one in lines if one.state == "settled"]
        numbered = Paginator(waiting + done, ROWS_A_PAGE).get_page(request.GET.get("page"))
        context |= {
            "stage": stage, "round": last, "lines": numbered, "page": numbered, "waiting": len(waiting), "entered": sum(one.state == "entered" for one in waiting),
            "sitting_out": shown.sitting_out(stage, last),
            "notes": words.notes(engines.notes_of(state, stage, last), shown.name)[:MOST_NOTES], "calls": [one for one in lines if one.caller is not None],
            "known_rounds": engines.rounds_of(stage), "playing": [shown.people[one] for one in stage.entrants][:5000],
            "clock": clock_of(last, now=timezone.now(), zone=shown.tournament.timezone),
        }  # fmt: skip
        if context["next_step"] == "stage":
            context |= _closing(shown)
    if stage is not None:
        context["entrants"] = [
            {"who": shown.people[one], "dropped": stage.dropped.get(one), "disqualified": state.entries[one].disqualified}
            for one in sorted(stage.entrants, key=lambda one: shown.people[one].sort.casefold())
        ]  # fmt: skip
        context["missed"] = [(one, words.kind(one)) for one in services.MISSED]
    else:
        rows = sorted(state.playing, key=lambda one: shown.people[one.person].sort.casefold())
        listed = Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))
        context |= {
            "page": listed, "registered": [{"who": shown.people[one.person], "entry": one} for one in listed],
            "waiting_list": [shown.people[one.person] for one in state.waiting][:ROWS_A_PAGE],
            "checked": sum(bool(one.checked_in) for one in state.playing), "total": len(state.playing),
            "check_in_url": reverse("tournament-check-in", args=[shown.tournament.slug, shown.tournament.check_in_code]),
        }  # fmt: skip
    return render(request, "tournaments/desk.html", context, status=status)


def _outlook(shown: Shown) -> list[str]:
    """Return what the rounds that are left must bring, in sentences."""
    stage = shown.state.present
    if stage is None or not shown.may["pair"]:
        return []
    return [
        words.note(
            {"code": LOOKED_AHEAD.get(one.code, one.code), "entrants": [*one.entrants][:12], **one.detail}, shown.name
        )
        for one in engines.outlook(shown.state, stage)
        if one.code != "too_few"  # the desk says so itself
    ]


def _registration_form(shown: Shown) -> RegistrationForm:
    said = shown.state.registration
    zone = ZoneInfo(shown.tournament.timezone)

    def local(text: str | None) -> datetime | None:
        return datetime.fromisoformat(text).astimezone(zone).replace(tzinfo=None) if text else None

    initial: dict[str, Any] = {"mode": "open"}
    if said is not None:
        initial = {
            "mode": said.mode, "cap": said.cap, "check_in_from": local(said.check_in_from), "check_in_until": local(said.check_in_until),
        }  # fmt: skip
    return RegistrationForm(initial=initial, prefix="registration")


def _closing(shown: Shown) -> dict[str, Any]:
    """Return who would go on, and why that cannot be said where places are shared."""
    stage = shown.state.present
    if stage is None:
        return {}
    try:
        going, problem = tables.cut(shown.state, stage), ""
    except ValidationError as refused:
        going, problem = [], " ".join(refused.messages)
    placed = [
        {"who": shown.people[str(row["person"])], "place": row["place"], "goes": str(row["person"]) in going}
        for row in tables.places(shown.state, stage)
    ]
    return {
        "going": [shown.people[one] for one in going],
        "cut_problem": problem,
        "placed": placed[:ROWS_A_PAGE],
        "cut": stage.settings.cut,
    }


# Acts ---------------------------------------------------------------------------------------------------------------


class _Said:
    """What a form of the desk said."""

    def __init__(self, request: HttpRequest, tournament: Tournament) -> None:
        self.post, self.tournament = request.POST, tournament

    def number(self, key: str, *, least: int = 0, most: int = 1_000_000) -> int:
        """Return a whole number of the form."""
        text = str(self.post.get(key, "")).strip()
        try:
            number = int(text)
        except ValueError:
            raise ValidationError(_("“%(text)s” is no whole number.") % {"text": text[:20]}) from None
        if not least <= number <= most:
            raise ValidationError(
                _("%(n)s is not between %(least)s and %(most)s.") % {"n": number, "least": least, "most": most}
            )
        return number

    def maybe(self, key: str) -> int | None:
        """Return a whole number of the form, None if it was left empty."""
        return self.number(key) if str(self.post.get(key, "")).strip() else None

    def text(self, key: str) -> str:
        """Return a text of the form."""
        return str(self.post.get(key, "")).replace("\0", "").strip()

    def person(self, key: str = "person") -> Person:
        """Return the person that the form names by id."""
        try:
            return get_object_or_404(Person, pk=UUID(self.text(key)))
        except ValueError:
            raise ValidationError(_("Choose somebody from the list.")) from None

    def match(self) -> UUID:
        """Return the id of the match that the form names."""
        try:
            return UUID(self.text("match"))
        except ValueError:
            raise ValidationError(_("Choose a table from the list.")) from None

    @property
    def round(self) -> dict[str, Any]:
        """Return the stage and round that the form names, and the entry that its page showed last."""
        return {"stage": self.number("stage", most=100), "round_": self.number("round", most=10_000)}

    @property
    def seen(self) -> int | None:
        """Return the entry that the page showed last."""
        return self.maybe("seq")


type Act = Callable[[_Said, dict[str, Any]], str]


def _registration(said: _Said, shared: dict[str, Any]) -> str:
    form = RegistrationForm(said.post, prefix="registration")
    if said.text("close"):
        services.registration_close(**shared)
        return _("Registration is closed.")
    if not form.is_valid():
        raise ValidationError(
            [
                f"{form.fields[key].label}: {error}" if key in form.fields else error
                for key, errors in form.errors.items()
                for error in errors
            ]
        )
    zone = ZoneInfo(said.tournament.timezone)
    window: dict[str, Any] = {
        key: form.cleaned_data[key].replace(tzinfo=zone) if form.cleaned_data[key] else None
        for key in ("check_in_from", "check_in_until")
    }
    services.registration_open(mode=form.cleaned_data["mode"], cap=form.cleaned_data["cap"], **window, **shared)
    return _("Registration is open.")


def _enter(said: _Said, shared: dict[str, Any]) -> str:
    form = EnterForm(said.post, prefix="enter")
    if not form.is_valid():
        raise ValidationError([error for errors in form.errors.values() for error in errors])
    more = {
        "seed_rating": form.cleaned_data["seed_rating"],
        "group": form.cleaned_data["group"],
        "missed_as": said.text("missed_as") or None,
    }
    if form.person is not None:
        services.register(person=form.person, **more, **shared)
        return _("@%(handle)s is entered.") % {"handle": form.person.handle}
    guest = services.guest_register(display_name=form.cleaned_data["display_name"], **more, **shared)
    return _("%(name)s is entered, as a guest.") % {"name": guest.display_name}


def _of_person(service: Callable[..., Any], text: Any, *keys: str) -> Act:
    def act(said: _Said, shared: dict[str, Any]) -> str:
        person = said.person()
        service(person=person, **{key: said.text(key) for key in keys}, **shared)
        return str(text) % {"name": person.display_name}

    return act


def _change(said: _Said, shared: dict[str, Any]) -> str:
    person = said.person()
    services.entrant_change(
        person=person,
        seed_rating=said.maybe("seed_rating"),
        group=said.text("group"),
        table=said.maybe("table"),
        **shared,
    )
    return _("Kept: %(name)s.") % {"name": person.display_name}


def _bye(said: _Said, shared: dict[str, Any]) -> str:
    person = said.person()
    services.bye_request(
        person=person, round_=said.number("round", least=1, most=1000), kind=said.text("kind") or None, **shared
    )
    return _("Noted for %(name)s.") % {"name": person.display_name}


def _penalty(said: _Said, shared: dict[str, Any]) -> str:
    person = said.person()
    try:
        points = Fraction(said.text("points").replace(",", ".").replace("½", ".5") or "0")
    except (ValueError, ZeroDivisionError):
        raise ValidationError(_("The points of a penalty are a number such as 1 or 0.5.")) from None
    services.penalty_give(
        person=person, points=points, kind=said.text("kind") or "points", reason=said.text("reason"), **shared
    )
    return _("Penalty for %(name)s.") % {"name": person.display_name}


def _pair(said: _Said, shared: dict[str, Any]) -> str:
    state = services.round_pair(seeding=said.text("seeding") or "rating", **shared)
    last = state.latest.last if state.latest is not None else None
    return _("Round %(round)s is prepared. Look at it, then publish it.") % {"round": last.number if last else 1}


def _publish(said: _Said, shared: dict[str, Any]) -> str:
    services.round_publish(expected_seq=said.seen, **said.round, **shared)
    return _("Round %(round)s is published; the players are told.") % {"round": said.number("round")}


def _unpair(said: _Said, shared: dict[str, Any]) -> str:
    services.round_unpair(reason=said.text("reason"), expected_seq=said.seen, **said.round, **shared)
    return _("Round %(round)s is taken back.") % {"round": said.number("round")}


def _swap(said: _Said, shared: dict[str, Any]) -> str:
    services.seats_swap(
        first=said.text("first"),
        second=said.text("second"),
        reason=said.text("reason"),
        expected_seq=said.seen,
        **said.round,
        **shared,
    )
    return _("The two have changed places.")


def _move(said: _Said, shared: dict[str, Any]) -> str:
    services.table_move(
        table=said.number("table"), to=said.number("to", least=1), expected_seq=said.seen, **said.round, **shared
    )
    return _("Moved to table %(to)s.") % {"to": said.number("to")}


def _clock(said: _Said, shared: dict[str, Any]) -> str:
    services.clock_set(minutes=said.maybe("minutes"), seconds_left=said.maybe("seconds"), **said.round, **shared)
    return _("The clock is set.")


def _extend(said: _Said, shared: dict[str, Any]) -> str:
    services.table_extend(table=said.number("table"), minutes=said.number("minutes"), **said.round, **shared)
    return _("Table %(table)s has more time.") % {"table": said.number("table")}


def _answer(said: _Said, shared: dict[str, Any]) -> str:
    services.judge_answer(table=said.number("table"), **said.round, **shared)
    return _("The call is answered.")


def _result(said: _Said, shared: dict[str, Any]) -> str:
    table = scheduled.find(said.match())
    if table is None:
        raise services.Stale(_("This table is not there any more. This is how the round stands now."))
    by, at = shared["by"], shared["at"]
    begun = opening.begun(table)
    finishes = finishes_said(said.post, table)
    if (
        begun is not None
        and begun.status in (Match.Status.CONFIRMED, Match.Status.ENDED)
        and opening.finishes_of(begun) != finishes
    ):
        opening.result_correct(
            match=begun, finishes=finishes, reason=said.text("reason") or _("Corrected at the desk."), by=by,
            expected_seq=said.number("match_seq") if said.text("match_seq") else begun.seq, at=at,
        )  # fmt: skip
        begun.refresh_from_db()
        if begun.status != Match.Status.CONFIRMED and said.text("act") == "confirm":
            matches.match_confirm(match=begun, by=by, at=at)
        return _("The result is corrected; the log keeps what it was.")
    opening.result_enter(table=table, finishes=finishes, by=by, at=at, confirm=said.text("act") == "confirm")
    return _("The result of table %(table)s is in.") % {"table": table.context["table"]}


def _confirm(said: _Said, shared: dict[str, Any]) -> str:
    match = get_object_or_404(Match, pk=said.match())
    if match.status != Match.Status.CONFIRMED:
        matches.match_confirm(match=match, by=shared["by"], at=shared["at"])
    return _("The result is confirmed.")


def _settle(said: _Said, shared: dict[str, Any]) -> str:
    match = Match.objects.filter(pk=said.match()).first()
    if match is None:
        raise ValidationError(_("The match has not begun."))
    results.settle(match.pk, at=shared["at"])
    return _("Settled.")


def _rule(said: _Said, shared: dict[str, Any]) -> str:
    match_id = said.match()
    table = scheduled.find(match_id)
    if table is None:
        raise services.Stale(_("This table is not there any more. This is how the round stands now."))
    seats = {letter: str(person.pk) for letter, person in table.letters.items()}
    what = said.text("what")
    finished: dict[str, int | None] = {}
    for letter, person in seats.items():
        place = said.text(f"place_{letter}")
        if what == "draw":
            finished[person] = 1
        elif what == "loss":
            finished[person] = None
        else:
            finished[person] = (
                None if place in ("", "absent") else said.number(f"place_{letter}", least=1, most=len(seats))
            )
    services.result_rule(
        match_id=match_id,
        finished=finished,
        reason=said.text("reason"),
        agreed=what == "draw",
        both_lose=what == "loss",
        **shared,
    )
    return _("Ruled. The log keeps why.")


def _stage_close(said: _Said, shared: dict[str, Any]) -> str:
    cut = [str(one) for one in said.post.getlist("cut")] or None
    services.stage_close(cut=cut, expected_seq=said.seen, **shared)
    return _("The stage is closed; its places are settled.")


def _close(said: _Said, shared: dict[str, Any]) -> str:
    services.tournament_close(**shared)
    return _("The tournament is closed. Its placements stand in the careers in a moment.")


def _role(said: _Said, shared: dict[str, Any]) -> str:
    if said.text("take"):
        services.role_take(person=said.person(), role=said.text("role"), **shared)
        return _("The role is taken.")
    person = person_by_handle(said.text("handle").removeprefix("@").lower())
    if person is None:
        raise ValidationError(_("Nobody here has the handle @%(handle)s.") % {"handle": said.text("handle")[:31]})
    services.role_give(person=person, role=said.text("role"), **shared)
    return _("@%(handle)s holds the role.") % {"handle": person.handle}


ACTS: dict[str, Act] = {
    "registration": _registration, "enter": _enter, "change": _change, "bye": _bye, "penalty": _penalty, "pair": _pair, "publish": _publish,
    "unpair": _unpair, "swap": _swap, "move": _move, "clock": _clock, "extend": _extend, "answer": _answer, "result": _result,
    "confirm": _confirm, "settle": _settle, "rule": _rule, "stage": _stage_close, "close": _close, "role": _role,
    "checkin": _of_person(services.check_in, _("%(name)s is checked in.")),
    "withdraw": _of_person(services.withdraw, _("%(name)s gave the place back.")),
    "drop": _of_person(services.drop, _("%(name)s plays no more."), "reason"),
    "return": _of_person(services.come_back, _("%(name)s is back."), "missed_as"),
    "disqualify": _of_person(services.disqualify, _("%(name)s is disqualified."), "reason"),
    "reopen": lambda said, shared: (services.tournament_reopen(reason=said.text("reason"), **shared), _("The tournament goes on."))[1],
    "cancel": lambda said, shared: (services.tournament_cancel(reason=said.text("reason"), **shared), _("The tournament is cancelled."))[1],
}  # fmt: skip


NEEDS = {
    **dict.fromkeys(("checkin", "result", "extend", "answer", "settle"), "record"), "confirm": "confirm", "penalty": "penalize",
    **dict.fromkeys(("role", "reopen", "cancel"), "administer"),
}  # fmt: skip
"""The right that an act needs, where it is not that to pair. The services ask for it again, with the tournament locked."""


@login_required
@require_POST
def desk_act(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Do one act of the desk. What was refused is said on top of the desk as it then stands: 409 if somebody else was quicker."""
    if act not in ACTS:
        raise Http404(_("The desk has no act “%(act)s”.") % {"act": act[:30]})
    by = signed_in(request).person
    tournament = tournament_of(slug)
    acting(by, NEEDS.get(act, "pair"), tournament.scopes)
    shared = {"tournament": tournament, "by": by, "at": timezone.now()}
    try:
        done = ACTS[act](_Said(request, tournament), shared)
    except services.Stale as stale:
        return page(request, Shown(tournament_of(slug), by), refused=stale.messages, status=409)
    except matches.StaleMatch:
        text = _("Another result of this table was entered meanwhile; this is how it stands.")
        return page(request, Shown(tournament_of(slug), by), refused=[text], status=409)
    except ValidationError as refused:
        return page(request, Shown(tournament_of(slug), by), refused=refused.messages, status=422)
    except (matches.NotRecordable, matches.Refused, ValueError) as refused:
        return page(request, Shown(tournament_of(slug), by), refused=[str(refused)], status=422)
    messages.success(request, done)
    back = "tournament-about" if act in ("role", "reopen", "cancel") else "tournament-desk"
    return redirect(back, slug=slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: HttpRequest, slug: str, seq: str) -> HttpResponse:
    """Show what taking an entry back would change, and take it back."""
    target = int(seq)
    by = signed_in(request).person
    tournament = tournament_of(slug)
    shown = Shown(tournament, by)
    if not shown.may["pair"]:
        raise Forbidden("pair")
    refused: list[str] = []
    status = 200
    if request.method == "POST":
        seen = str(request.POST.get("seq", ""))
        try:
            services.undo(
                tournament=tournament, target_seq=target, reason=str(request.POST.get("reason", "")), by=by, at=timezone.now(),
                expected_seq=int(seen) if seen.isdigit() else None,
            )  # fmt: skip
        except services.Stale as stale:
            refused, status = stale.messages, 409
        except ValidationError as error:
            refused, status = error.messages, 422
        else:
            messages.success(request, _("Entry #%(seq)s is taken back.") % {"seq": seq})
            return redirect("tournament-log", slug=slug)
        tournament = tournament_of(slug)
        shown = Shown(tournament, by)
    context = frame(request, shown, "log") | {"target": target, "refused": refused}
    try:
        told = services.undo_preview(tournament, target)
    except ValidationError as error:
        context["refused"] = [*refused, *[one for one in error.messages if one not in refused]]
        return render(request, "tournaments/undo.html", context, status=status if status != 200 else 422)
    before = stream.state_of(tournament, at=target - 1)
    moves = [
        {
            "who": shown.people[one.person],
            "move": one,
            "points": words.points(one.points),
            "was": words.points(one.was_points),
        }
        for one in tables.moves(told.before, told.after)
    ]
    context |= {
        "text": words.entry(told.event, before, shown.name),
        "moves": moves[:ROWS_A_PAGE],
        "misfits": told.misfits[:20],
        "seq": tournament.seq,
    }
    return render(request, "tournaments/undo.html", context, status=status)
