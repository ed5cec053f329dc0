"""Pages of the honors: the ten, one of them with its holders, a league's nominations, one nomination, one review."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, Q, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from career.honors import figures, selectors, services
from career.honors.catalogue import BY_ID, CLASS_NAMES, HONORS, REASON, HonorKind
from career.models import Honor, Nomination, Relation, Review
from career.selectors import aliases
from league.forms import HandleForm
from league.models import League
from league.selectors import league_by_slug
from people.models import Person
from people.privacy import listed_for
from people.selectors import heads, signed_in, viewer_of, visible_names
from people.services import Forbidden

A_PAGE = 30
MOST = 100
"""Open nominations and reviews that a page of a league lists."""
MINE = {
    "second": gettext_lazy("You may second it"),
    "vote": gettext_lazy("You may vote"),
    "decide": gettext_lazy("It waits for your decision"),
}
WHY = {
    "not_seconded": gettext_lazy("nobody seconded it in time"),
    "not_carried": gettext_lazy("the vote was not carried"),
    "not_eligible": gettext_lazy("the figures were not met"),
    "refused": gettext_lazy("an organizer decided against it"),
    "withdrawn": gettext_lazy("it was taken back"),
}
GROUNDS = {
    "basis": gettext_lazy("A correction took away what it rested on."),
    "conduct": gettext_lazy("A disqualification for conduct."),
    "penalty": gettext_lazy("A penalty put it in review by itself."),
    "restore": gettext_lazy("It was revoked; it may be given back."),
}


class NominationForm(HandleForm):
    """Who is nominated for what, and why."""

    honor = forms.ChoiceField(label=gettext_lazy("Honor"))
    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=2000, widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("At least 40 characters. Whoever decides reads it."),
    )  # fmt: skip

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["honor"].choices = [(one.id, _(one.name)) for one in HONORS if not one.automatic]  # type: ignore[attr-defined]
        self.fields["handle"].label = _("Handle of the nominee")


class TextForm(forms.Form):
    """A text that goes with a step."""

    text = forms.CharField(max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3}))


def _kind(honor: HonorKind) -> dict[str, Any]:
    return {
        "id": honor.id, "name": _(honor.name), "klass": _(CLASS_NAMES[honor.klass]), "criterion": _(honor.criterion),
        "nominated_by": _(honor.nominated_by), "decided_by": _(honor.decided_by), "is_unanimous": honor.organizers is None,
    }  # fmt: skip


@require_safe
def honor_list(request: HttpRequest) -> HttpResponse:
    """Show the ten honors with what they are for, and how many hold each."""
    rows = selectors.holders(viewer_of(request)).order_by().values("honor").annotate(n=Count("head", distinct=True))
    held = dict(rows.values_list("honor", "n"))
    groups: dict[str, list[dict[str, Any]]] = {}
    for honor in HONORS:
        groups.setdefault(_(CLASS_NAMES[honor.klass]), []).append({**_kind(honor), "holders": held.get(honor.id, 0)})
    return render(request, "career/honors/list.html", {"groups": list(groups.items())})


@require_safe
def honor(request: HttpRequest, honor_id: str) -> HttpResponse:
    """Show an honor: criterion, procedure, who holds it with the citations, and the reader's own figures."""
    if honor_id not in BY_ID:
        raise Http404(_("There is no honor %(id)s.") % {"id": honor_id})
    viewer = viewer_of(request)
    page = Paginator(selectors.holders(viewer, honor=honor_id), A_PAGE).get_page(request.GET.get("page"))
    rows = _rows(page.object_list, viewer)
    mine = []
    if viewer is not None:
        for league in League.objects.filter(members__person=viewer, members__until=None).order_by("name")[:10]:
            mine.append((league, _told(figures.figures(honor_id, viewer, league, timezone.now()))))
    return render(
        request, "career/honors/honor.html", {"honor": _kind(BY_ID[honor_id]), "rows": rows, "page": page, "mine": mine}
    )


def _rows(page: Iterable[Honor], viewer: Person | None) -> list[dict[str, Any]]:
    """Return honors as pages show them, each with its holder."""
    held = list(page)
    prefetch_related_objects(held, "reviews")
    persons = heads(Person.objects.filter(pk__in={one.person_id for one in held}))
    names = visible_names(persons.values(), viewer)
    leagues = League.objects.in_bulk({one.league_id for one in held})
    citations = selectors.texts_of([(one.league_id, one.seq) for one in held], "citation")
    return [
        {
            "held": selectors.held_of(one, leagues.get(one.league_id), citations.get((one.league_id, one.seq), "")),
            "name": names[persons[one.person_id].pk], "handle": persons[one.person_id].handle, "person": persons[one.person_id],
        }
        for one in held
        if one.person_id in persons
    ]  # fmt: skip


def _told(found: list[figures.Figure]) -> list[dict[str, Any]]:
    return [
        {"name": _(one.name), "have": one.have, "need": one.need, "at_most": one.at_most, "is_met": one.is_met}
        for one in found
    ]


def _league(slug: str) -> League:
    league = league_by_slug(slug)
    if league is None:
        raise Http404(_("There is no league “%(slug)s”.") % {"slug": slug})
    return league


@require_http_methods(["GET", "HEAD", "POST"])
def league_honors(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the honors of a league and its open nominations; members nominate here."""
    league = _league(slug)
    viewer = viewer_of(request)
    form = NominationForm(request.POST or None)
    status = 200
    if request.method == "POST":
        by = signed_in(request).person
        status = 400
        if form.is_valid():
            try:
                made = services.nominate(
                    league=league, honor_id=form.cleaned_data["honor"], nominee=form.person, reason=form.cleaned_data["reason"],
                    by=by, at=timezone.now(),
                )  # fmt: skip
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                messages.success(request, _("The nomination is made."))
                return redirect("nomination", nomination_id=made.pk)
    sees, decides = _sees(viewer, league), services.decides_in(viewer, league)
    page = Paginator(selectors.holders(viewer, league=league.pk), A_PAGE).get_page(request.GET.get("page"))
    context = {
        "league": league,
        "sees": sees,
        "decides": decides,
        "open": _open(league, viewer) if sees and viewer is not None else [],
        "reviews": _reviews(league, viewer) if viewer is not None else [],
        "rows": _rows(page.object_list, viewer),
        "reviewable": services.reviewable(league, viewer) if decides and viewer is not None else set(),
        "revoked": _rows(Honor.objects.filter(league_id=league.pk, status=Honor.Status.REVOKED).order_by("-on", "-seq")[:A_PAGE], viewer) if decides else [],
        "page": page,
        "form": form if viewer and services.is_member(league, viewer) and league.is_open else None,
        "least": REASON,
    }  # fmt: skip
    return render(request, "career/honors/league.html", context, status=status)


def _open(league: League, viewer: Person) -> list[dict[str, Any]]:
    """Return the open nominations of a league that a reader may know of, their own steps first."""
    found = Nomination.objects.filter(league_id=league.pk).exclude(
        status__in=(Nomination.Status.BESTOWED, Nomination.Status.LAPSED)
    )
    if not services.decides_in(viewer, league):
        listed = Person.objects.filter(listed_for(viewer)).values("pk")
        found = found.filter(Q(person_id__in=listed) | Q(person_id=viewer.pk) | Q(nominator_id=viewer.pk))
    rows = list(found.order_by("until", "-opened_at")[:MOST])
    mine = services.steps_for(rows, league, viewer, timezone.now())
    names = visible_names(Person.objects.filter(pk__in={one.person_id for one in rows}), viewer)
    told = [
        {
            "nomination": one, "honor": _(BY_ID[one.honor].name), "name": names.get(one.person_id), "mine": MINE.get(mine.get(one.pk, ""), ""),
        }
        for one in rows
    ]  # fmt: skip
    return sorted(told, key=lambda row: not row["mine"])


def _reviews(league: League, viewer: Person) -> list[dict[str, Any]]:
    """Return the open reviews of a league that concern a reader: of their own honors, and those on which they decide."""
    found = Review.objects.filter(held__league_id=league.pk, is_open=True).select_related("held").order_by("until")
    if not services.decides_in(viewer, league):
        found = found.filter(held__person_id__in=aliases(viewer))
    rows = list(found[:MOST])
    names = visible_names(Person.objects.filter(pk__in={one.held.person_id for one in rows}), viewer)
    return [
        {"review": one, "honor": _(BY_ID[one.held.honor].name), "name": names.get(one.held.person_id)} for one in rows
    ]


def _sees(viewer: Person | None, league: League) -> bool:
    """Return whether somebody sees the nominations of a league: its members and organizers."""
    return viewer is not None and (services.is_member(league, viewer.head) or services.decides_in(viewer, league))


def _fill(form: forms.Form, refused: ValidationError) -> None:
    if not hasattr(refused, "error_dict"):
        form.add_error(None, refused)
        return
    for field, errors in refused.error_dict.items():
        form.add_error(field if field in form.fields else None, errors)


def _nomination(nomination_id: UUID, viewer: Person) -> tuple[Nomination, League]:
    nomination = get_object_or_404(Nomination, pk=nomination_id)
    league = get_object_or_404(League, pk=nomination.league_id)
    # A peer may be no member of the league; what came of the vote, they read in its log.
    if not (
        _sees(viewer, league)
        or nomination.person_id in aliases(viewer.head)
        or services.may_vote(nomination, viewer, timezone.now())
    ):
        raise Http404(_("There is no such nomination, or you may not see it."))
    return nomination, league


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def nomination(request: HttpRequest, nomination_id: UUID) -> HttpResponse:
    """Show a nomination with its figures and steps, and take the reader's step."""
    me = signed_in(request).person
    found, league = _nomination(nomination_id, me)
    refused: list[str] = []
    status = 200
    if request.method == "POST":
        at, text = timezone.now(), request.POST.get("text", "")
        try:
            match request.POST.get("step"):
                case "second":
                    services.second(nomination=found, by=me, at=at)
                case "yes" | "no" as said:
                    services.vote(nomination=found, yes=said == "yes", by=me, at=at)
                case "approve":
                    services.approve(nomination=found, citation=text, by=me, at=at)
                case "refuse":
                    services.refuse(nomination=found, reason=text, by=me, at=at)
                case _:
                    raise ValidationError(_("Choose a step."))
        except ValidationError as problem:
            refused, status = problem.messages, 422
        else:
            messages.success(request, _("It is recorded."))
            return redirect("nomination", nomination_id=found.pk)
        found.refresh_from_db()
    return render(
        request, "career/honors/nomination.html", _nomination_context(found, league, me, refused), status=status
    )


def _nomination_context(found: Nomination, league: League, me: Person, refused: list[str]) -> dict[str, Any]:
    at = timezone.now()
    honor = BY_ID[found.honor]
    nominee = get_object_or_404(Person, pk=found.person_id).head
    decides = found.status == Nomination.Status.DECIDING and services.may_decide(me, league, found.person_id)
    needed = services.needed(honor, league, found.person_id)
    return {
        "nomination": found,
        "league": league,
        "honor": _kind(honor),
        "nominee": nominee,
        "name": visible_names([nominee], me)[nominee.pk],
        "reason": selectors.text_of(league.pk, found.seq, "reason"),
        "steps": selectors.steps_of(found, me),
        "seconders_missing": honor.seconders - len(found.seconders),
        "needed": needed,
        "is_open": found.status not in (Nomination.Status.BESTOWED, Nomination.Status.LAPSED),
        "is_last": decides and services.is_last(found, league),
        "figures": _told(figures.figures(found.honor, nominee, league, at)),
        "ballots": found.ballots.count(),
        "may_second": services.may_second(found, league, me),
        "may_vote": services.may_vote(found, me, at),
        "has_voted": found.status == Nomination.Status.VOTING and services.has_voted(found, me),
        "decides": decides and str(me.pk) not in found.approvals,
        "may_refuse": services.may_end(found, league, me, at),
        "is_own": found.nominator_id == me.head.pk,
        "why": WHY.get(found.why, ""),
        "refused": refused,
    }


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, review_id: UUID) -> HttpResponse:
    """Show a review of an honor to the person and the organizers, and take their step."""
    me = signed_in(request).person
    found = get_object_or_404(Review.objects.select_related("held"), pk=review_id)
    league = get_object_or_404(League, pk=found.held.league_id)
    is_own = found.held.person_id in aliases(me.head)
    if not is_own and not services.decides_in(me, league):
        raise Http404(_("There is no such review, or you may not see it."))
    refused: list[str] = []
    status = 200
    if request.method == "POST":
        at = timezone.now()
        try:
            match request.POST.get("step"):
                case "hear":
                    services.review_hear(review=found, text=request.POST.get("text", ""), by=me, at=at)
                case "agree" | "keep" as said:
                    services.review_vote(review=found, revoke=said == "agree", by=me, at=at)
                case _:
                    raise ValidationError(_("Choose a step."))
        except ValidationError as problem:
            refused, status = problem.messages, 422
        else:
            messages.success(request, _("It is recorded."))
            return redirect("honor-review", review_id=found.pk)
        found.refresh_from_db()
    person = get_object_or_404(Person, pk=found.held.person_id).head
    told = selectors.text_of(league.pk, found.heard_seq, "text") if found.heard_seq is not None else ""
    context = {
        "review": found,
        "league": league,
        "honor": _kind(BY_ID[found.held.honor]),
        "name": visible_names([person], me)[person.pk],
        "ground": GROUNDS.get(found.why, ""),
        "reason": selectors.text_of(league.pk, found.seq, "reason"),
        "heard": told,
        "is_own": is_own,
        "figures": _told(figures.basis(found.held, person, league)),
        "may_vote": found.is_open and services.may_decide(me, league, found.held.person_id) and found.proposer_id != me.pk and str(me.pk) not in found.votes,
        "is_early": found.why != "restore" and found.heard_seq is None and timezone.now() < found.until,
        "votes": len(found.votes),
        "refused": refused,
    }  # fmt: skip
    return render(request, "career/honors/review.html", context, status=status)


@login_required
@require_POST
def honor_act(request: HttpRequest, held_id: str, act: str) -> HttpResponse:
    """Decline an honor, or propose to review it."""
    me = signed_in(request).person
    held = get_object_or_404(Honor, pk=int(held_id))
    try:
        if act == "decline":
            services.decline(held=held, by=me, at=timezone.now())
            messages.success(request, _("You did not take the honor. It is not shown."))
        else:
            made = services.review_propose(held=held, reason=request.POST.get("reason", ""), by=me, at=timezone.now())
            messages.success(request, _("The review is open."))
            return redirect("honor-review", review_id=made.pk)
    except ValidationError as refused:
        messages.error(request, " ".join(refused.messages))
    league = League.objects.filter(pk=held.league_id).first()
    if act == "review" and league is not None:
        return redirect("league-honors", slug=league.slug)
    return redirect("honor", honor_id=held.honor)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def relations(request: HttpRequest, slug: str) -> HttpResponse:
    """Let an organizer declare whom they are related to: on these they do not decide."""
    league = _league(slug)
    me = signed_in(request).person
    if not services.decides_in(me, league):
        raise Forbidden("pair")
    form = HandleForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                services.relation_declare(
                    league=league, person=form.person, by=me, at=timezone.now(), ended=request.POST.get("ended") == "1"
                )
            except ValidationError as refused:
                _fill(form, refused)
                status = 422
            else:
                messages.success(request, _("It is recorded."))
                return redirect("league-relations", slug=league.slug)
    mine = Relation.objects.filter(league_id=league.pk, organizer_id=me.pk).values_list("person_id", flat=True)
    persons = list(Person.objects.filter(pk__in=mine))
    names = visible_names(persons, me)
    rows = [{"person": one, "name": names[one.pk]} for one in persons]
    return render(
        request, "career/honors/relations.html", {"league": league, "form": form, "rows": rows}, status=status
    )
