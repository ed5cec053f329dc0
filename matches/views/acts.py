"""What may be done at a match on its page: sign, dispute, confirm, correct with a preview, rule, penalize, abandon, annul."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from msgspec import Struct, structs

from matches import counts, seating, services, sight
from matches.acts import Standing
from matches.feed import Entry, Feed
from matches.forms import ACT_FORMS, ActForm
from matches.models import Match
from matches.services import live
from matches.shown import Shown, shown
from people.models import Person
from people.selectors import person_by_handle, viewer_of
from people.templatetags.annals import STATUS
from rulesengine.game import Payload, Refusal
from rulesengine.replay import Finding, Replay

REFEREE = {
    "void": "correct",
    "amend": "correct",
    "adjust": "correct",
    "override": "correct",
    "ruling": "rule",
    "penalty": "penalize",
}
TYPES = {
    "void": "event_voided",
    "amend": "event_amended",
    "adjust": "state_adjusted",
    "override": "result_overridden",
    "ruling": "ruling_given",
    "penalty": "penalty_given",
}
MOST_CHANGES = 40


class Acts(Struct):
    """What the reader may do here, with the forms for it."""

    sign: bool = False
    confirm: bool = False
    correct: bool = False
    result_forms: list[ActForm] = []
    referee_forms: list[ActForm] = []
    organizer_forms: list[ActForm] = []
    needs_approval: bool = False

    @property
    def any(self) -> bool:
        """Return whether there is anything at all that the reader may do here."""
        return self.any_result or bool(self.referee_forms or self.organizer_forms)

    @property
    def any_result(self) -> bool:
        """Return whether there is anything to do about the result."""
        return self.sign or self.confirm or bool(self.result_forms)


class Told(Struct):
    """A finding of a preview with the words of its entry."""

    seq: int | None
    kind: str
    rule: str | None
    message: str
    words: str = ""


class Shift(Struct):
    """What a correction would change: before and after, of whatever is different."""

    refusal: Refusal | None = None
    places: list[tuple[str, int | None, int | None]] = []
    status: tuple[str, str] | None = None
    new_findings: list[Told] = []
    gone_findings: list[Told] = []
    changes: list[tuple[str, str, str]] = []
    more_changes: int = 0

    @property
    def is_nothing(self) -> bool:
        """Return whether nothing at all would change."""
        told = (self.refusal, self.places, self.status, self.new_findings, self.gone_findings, self.changes)
        return not any(told)


def acts_of(request: HttpRequest, one: Shown, bound: ActForm | None = None) -> Acts:
    """Return what the reader may do at this match. `bound` stands in for the form that was just sent."""
    match, viewer = one.match, viewer_of(request)
    if viewer is None:
        return Acts()
    standing = seating.standing(match, viewer)
    acts = Acts(needs_approval=live.needs_approval(match))
    over = match.status in (Match.Status.ABANDONED, Match.Status.ANNULLED)
    open_ = not over and match.status != Match.Status.SCHEDULED
    made = _Forms(request, one, standing, acts.needs_approval, bound)
    if standing.may("sign") and match.status in (Match.Status.ENDED, Match.Status.CONFIRMED):
        own = [place for place in one.places if place.letter in standing.seats]
        can_sign = match.status == Match.Status.ENDED or match.league is None
        acts.sign = can_sign and any(place.seat.signed_at is None for place in own)
        if not acts.needs_approval:
            acts.result_forms = [made.form("dispute")]
    acts.confirm = match.status == Match.Status.ENDED and not match.disputed and standing.may("confirm")
    if open_:
        acts.correct = standing.may("correct")
        offered = [act for act, right in REFEREE.items() if standing.may(right)]
        acts.referee_forms = [made.form(act) for act in offered if _is_played(act, match)]
    if standing.may("pair") and not over:
        acts.organizer_forms = [made.form("annul" if match.status == Match.Status.CONFIRMED else "abandon")]
    return acts


def _is_played(act: str, match: Match) -> bool:
    """Return whether a match is of the kind in which there is this act."""
    if act == "adjust":
        return match.depth == Match.Depth.LOG
    return act != "override" or TYPES[act] in sight.of(match, None).replay().ruleset.payloads


def _figures_of(payload: type[Payload]) -> tuple[str, ...]:
    """Return the figures that an outcome of a game is made of; none where it may have any."""
    kind = next(one.type for one in structs.fields(payload) if one.name == "outcome")
    return tuple(kind.__struct_fields__) if isinstance(kind, type) and issubclass(kind, Struct) else ()


class Held(Struct):
    """An outcome that the table counted otherwise, with what the reader may do about it."""

    entry: Entry
    figures: tuple[tuple[str, Any, Any], ...]
    may_rule: bool = False
    may_override: bool = False


def open_differences(one: Shown, viewer: Person | None) -> list[Held]:
    """Return the outcomes that wait for a referee, as far as the reader may see them."""
    match = one.match
    if not match.disputed:
        return []
    replay = sight.of(match, viewer).replay()
    found = counts.open_in(replay)
    if not found:
        return []
    standing = seating.standing(match, viewer)
    feed = Feed(replay.log, replay, one.names)
    may_override = standing.may("correct") and _is_played("override", match)
    return [Held(feed.entry(each.seq), each.figures, standing.may("rule"), may_override) for each in found]


class _Forms:
    """Makes the forms of the acts at one match."""

    def __init__(
        self, request: HttpRequest, one: Shown, standing: Standing, needs_approval: bool, bound: ActForm | None = None
    ) -> None:
        self.request, self.one, self.bound = request, one, bound
        self.choices: dict[str, Any] = {
            "seats": [(place.letter, place.name) for place in one.places],
            "needs_approval": needs_approval,
            "approves_alone": standing.may("pair"),
        }

    def form(self, act: str) -> ActForm:
        """Return the form just sent, else a fresh one about the entry that is to be corrected."""
        if self.bound is not None and self.bound.act == act:
            return self.bound
        if act == "override":
            return self._override()
        if act == "ruling":
            return self._ruling()
        asked = self.request.GET.get("correct", "")
        if act not in ("void", "amend") or not (asked.isascii() and asked.isdecimal() and len(asked) < 7):
            return ACT_FORMS[act](**self.choices)
        seq = int(asked)
        initial: dict[str, Any] = {"target_seq": seq}
        seen = sight.of(self.one.match, viewer_of(self.request))
        lines = seen.replay().log.lines
        if act == "amend" and 0 < seq <= len(lines) and not seen.hides([seq]):
            initial["data"] = json.dumps(lines[seq - 1].payload(), ensure_ascii=False)
        form = ACT_FORMS[act](initial=initial, **self.choices)
        form.is_open = True
        return form

    def _ruling(self) -> ActForm:
        """Return the form for a ruling. Where a dispute is closed by naming it, it is about the first open one."""
        replay = sight.of(self.one.match, viewer_of(self.request)).replay()
        if not replay.ruleset.manners.confirms:
            return ACT_FORMS["ruling"](**self.choices)
        form = ACT_FORMS["ruling"](initial={"about_seq": next(iter(replay.disputes), None)}, **self.choices)
        form.fields["about_seq"].help_text = _("A dispute is closed by naming its entry or the one it is about.")
        return form

    def _override(self) -> ActForm:
        """Return the form for another outcome, filled in with what the table counted where that is asked for."""
        asked = self.request.GET.get("override", "")
        replay = sight.of(self.one.match, viewer_of(self.request)).replay()
        found = next((each for each in counts.of_findings(replay.findings) if str(each.seq) == asked), None)
        if found is None:
            return ACT_FORMS["override"](**self.choices)
        computed = next((each.step.computed for each in replay.carried if each.seq == found.seq), None)
        figures = {**(computed or {}), **found.table}
        known = _figures_of(replay.ruleset.payloads[TYPES["override"]])
        outcome = json.dumps({key: figures[key] for key in figures if key in (known or figures)}, ensure_ascii=False)
        form = ACT_FORMS["override"](initial={"battle_seq": found.seq, "outcome": outcome}, **self.choices)
        form.is_open = True
        return form


@login_required
@require_POST
def match_act(request: HttpRequest, match_id: UUID, act: str) -> HttpResponse:
    """Do something at a match. A correction is shown with what it changes first; only `step=store` stores it."""
    from matches.views.detail import match_of

    match, viewer = match_of(match_id), viewer_of(request)
    assert viewer is not None  # noqa: S101 – login_required
    if act not in STORE:
        raise Http404(_("There is no act %(act)s; there are %(acts)s.") % {"act": act, "acts": ", ".join(STORE)})
    sent = request.POST.get("expected_seq", "")
    expected = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 7 else -1
    form: ActForm | None = None
    data: dict[str, Any] = {}
    if act in ACT_FORMS:
        [one] = shown([match], viewer)
        standing = seating.standing(match, viewer)
        made = _Forms(request, one, standing, live.needs_approval(match))
        form = ACT_FORMS[act](request.POST, **made.choices)
        if not _is_good(form):
            return _answer(request, match, form, status=400)
        data = {
            name: value
            for name, value in form.cleaned_data.items()
            if not (value is None or value is False or value == "") or name in ("old", "new")
        }
    try:
        if form is not None and form.has_preview and request.POST.get("step") != "store":
            return _previewed(request, match, form, data, viewer, expected)
        match = STORE[act](match=match, by=viewer, expected_seq=expected, **data)
    except services.Refused as refused:
        return _answer(request, match, form, refusal=refused.refusal, status=422)
    except services.NotRecordable as refused:
        return _answer(request, match, form, problem=str(refused), status=422)
    except services.StaleMatch:
        match = match_of(match_id)
        return _answer(request, match, form, stale=True, status=409)
    except services.Forbidden as forbidden:
        return _answer(request, match, form, problem=str(forbidden), status=403)
    messages.success(request, _("Stored as entry %(seq)s.") % {"seq": match.seq})
    url = f"{reverse('match-detail', args=[match.pk])}?at={match.seq}"
    if request.htmx:  # type: ignore[attr-defined]
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = url
        return answer
    return redirect(url)


STORE: dict[str, Callable[..., Match]] = {
    "sign": services.result_sign,
    "confirm": services.match_confirm,
    "dispute": services.result_dispute,
    "void": services.event_void,
    "amend": services.event_amend,
    "adjust": services.state_adjust,
    "override": services.result_override,
    "ruling": services.ruling_give,
    "penalty": services.penalty_give,
    "abandon": services.match_abandon,
    "annul": services.match_annul,
}


def _is_good(form: ActForm) -> bool:
    if form.is_valid() and form.cleaned_data.get("approved_by"):
        handle = str(form.cleaned_data["approved_by"]).removeprefix("@")
        form.cleaned_data["approved_by"] = handle
        if person_by_handle(handle) is None:
            form.add_error("approved_by", _("Nobody here has the handle @%(handle)s.") % {"handle": handle})
    return form.is_valid()


def _answer(request: HttpRequest, match: Match, form: ActForm | None, *, status: int, **more: Any) -> HttpResponse:
    """Return the page of the match, or for htmx only its acts, with what came of what was sent."""
    from matches.views.detail import open_disputes, page_context

    swapped = bool(request.htmx)  # type: ignore[attr-defined]
    if swapped:
        [one] = shown([match], viewer_of(request))
        context: dict[str, Any] = {"match": match, "shown": one, "acts": acts_of(request, one, form)}
        context["open_disputes"] = open_disputes(one, viewer_of(request))
        context["open_differences"] = open_differences(one, viewer_of(request))
        status = 422 if status == 403 else status  # a page that was open while a right was taken away still says so
    else:
        context = page_context(request, match)
        context["acts"] = acts_of(request, context["shown"], form)
    template = "matches/acts.html#acts" if swapped else "matches/detail.html"
    return render(request, template, {**context, "form": form, **more}, status=status)


def _previewed(
    request: HttpRequest, match: Match, form: ActForm, data: Mapping[str, Any], by: Person, expected: int
) -> HttpResponse:
    if match.seq != expected:
        raise services.StaleMatch(match, expected)
    line = live.act_line(match, TYPES[form.act], data, by, keep_null=form.act == "adjust")
    preview = services.correction_preview(match=match, line=line, by=by)
    [one] = shown([match], by)
    shift = shift_of(preview, one)
    return _answer(request, match, form, preview=shift, status=422 if shift.refusal else 200)


def shift_of(preview: services.Preview, one: Shown) -> Shift:
    """Return what a correction would change, in words as far as there are any."""
    before, after = preview.before, preview.after
    if after is None:
        return Shift(refusal=preview.refusal)
    shift = Shift()
    old, new = ({place.seat: place.place for place in told.placements} for told in (before, after))
    if old != new:
        shift.places = [(place.name, old.get(place.letter), new.get(place.letter)) for place in one.places]
    if before.status != after.status:
        shift.status = (_status(before), _status(after))
    feed = Feed(after.log, after, one.names)
    had, has = ({(row.seq, row.kind, row.rule, row.message) for row in told.findings} for told in (before, after))
    shift.new_findings = [
        _told(row, feed) for row in after.findings if (row.seq, row.kind, row.rule, row.message) not in had
    ]
    shift.gone_findings = [
        _told(row, None) for row in before.findings if (row.seq, row.kind, row.rule, row.message) not in has
    ]
    if before.state is not None and after.state is not None:
        changes = list(differences(before.ruleset.view(before.state), after.ruleset.view(after.state)))
        shift.changes, shift.more_changes = changes[:MOST_CHANGES], max(0, len(changes) - MOST_CHANGES)
    return shift


def _told(row: Finding, feed: Feed | None) -> Told:
    words = feed.entry(row.seq).words if feed is not None and row.seq is not None and row.seq <= feed.last else ""
    return Told(row.seq, row.kind, row.rule, row.message, words)


def _status(told: Replay) -> str:
    return str(STATUS.get(told.status or "", ("", told.status))[1])


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the values that differ between two plain states: where, before, after. A value that is not there is shown as a dash."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            inner = f"{path}.{key}" if path else str(key)
            if key not in before or key not in after:
                yield inner, _plain(before.get(key, "–")), _plain(after.get(key, "–"))
            else:
                yield from differences(before[key], after[key], inner)
    elif before != after:
        yield path, _plain(before), _plain(after)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
