"""Pages of leagues: the list, one league with its members, roles and matches, and its settings."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from league import selectors, services
from league.forms import GuestForm, LeagueForm, MemberForm, PrivacyForm, RoleForm, SettingsForm
from league.models import League
from people import rights
from people.models import Person
from people.selectors import matrix, signed_in, viewer_of
from people.services import Forbidden

LEAGUES_A_PAGE = 25
MEMBERS_A_PAGE = 50


def _league(slug: str) -> League:
    league = selectors.league_by_slug(slug)
    if league is None:
        raise Http404(_("There is no league “%(slug)s”.") % {"slug": slug})
    return league


@require_GET
def league_list(request: HttpRequest) -> HttpResponse:
    """Show the leagues."""
    page = Paginator(selectors.league_list(), LEAGUES_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "may_open": rights.may(viewer_of(request), "pair", [rights.SITE])}
    return render(request, "league/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_new(request: HttpRequest) -> HttpResponse:
    """Open a league."""
    by = signed_in(request).person
    if not rights.may(by, "pair", [rights.SITE]):
        raise Forbidden("pair", _("organizers and owners of the site"))
    form = LeagueForm(request.POST or None, initial={"timezone": "UTC", "appeal_hours": 72})
    if request.method == "POST" and form.is_valid():
        try:
            league = services.league_open(by=by, at=timezone.now(), **form.cleaned_data)
        except ValidationError as refused:
            _add_errors(form, refused)
        else:
            messages.success(request, _("%(league)s is open, and you own it.") % {"league": league.name})
            return redirect("league-detail", slug=league.slug)
    return render(request, "league/new.html", {"form": form}, status=400 if form.errors else 200)


@require_GET
def league_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league."""
    return _detail(request, _league(slug))


def _detail(request: HttpRequest, league: League, *, status: int = 200, **more: Any) -> HttpResponse:
    viewer = viewer_of(request)
    may = selectors.my_roles(league, viewer)
    page = Paginator(selectors.members_of(league, viewer), MEMBERS_A_PAGE).get_page(request.GET.get("page"))
    total = league.members.filter(until=None).count()
    context = {
        "league": league,
        "may": may,
        "page": page,
        "total": total,
        "unlisted": total - page.paginator.count,
        "privacies": Person.Privacy.choices,
        "officials": selectors.officials_of(league, viewer),
        "matches": selectors.recent_matches(league, viewer),
        "tournaments": league.tournaments.order_by("-opened_at", "pk")[:8],
        "member_form": MemberForm(prefix="member"),
        "guest_form": GuestForm(prefix="guest"),
        "role_form": RoleForm(prefix="role"),
        "matrix": matrix() if may["pair"] else None,
        "role_names": [(role, rights.ROLE_NAMES[role]) for role in rights.ROLES],
        **more,
    }
    template = "league/detail.html" + ("#league" if getattr(request, "htmx", False) else "")
    return render(request, template, context, status=status)


def _done(request: HttpRequest, league: League, text: str) -> HttpResponse:
    """Answer a step that was taken: the page anew for htmx, else the way back to it."""
    if getattr(request, "htmx", False):
        return _detail(request, _league(league.slug), done=text)
    messages.success(request, text)
    return redirect("league-detail", slug=league.slug)


def _refused(request: HttpRequest, league: League, refused: ValidationError, **more: Any) -> HttpResponse:
    """Answer a step that the league as it stands does not allow."""
    return _detail(request, _league(league.slug), refused=refused.messages, status=422, **more)


def _add_errors(form: forms.Form | forms.ModelForm, refused: ValidationError) -> None:
    for field, errors in getattr(
        refused, "error_dict", {None: refused.error_list if hasattr(refused, "error_list") else []}
    ).items():
        form.add_error(field if field in form.fields else None, errors)


@login_required
@require_POST
def member_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a member by handle."""
    league = _league(slug)
    _ask(request, "pair", league)
    form = MemberForm(request.POST, prefix="member")
    if not form.is_valid():
        return _detail(request, league, member_form=form, status=400)
    try:
        services.member_add(league=league, person=form.person, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        return _refused(request, league, refused, member_form=form)
    return _done(request, league, _("@%(handle)s is a member.") % {"handle": form.person.handle})


@login_required
@require_POST
def guest_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter somebody who has no account."""
    league = _league(slug)
    _ask(request, "pair", league)
    form = GuestForm(request.POST, prefix="guest")
    if not form.is_valid():
        return _detail(request, league, guest_form=form, status=400)
    try:
        services.member_guest_add(league=league, by=signed_in(request).person, at=timezone.now(), **form.cleaned_data)
    except ValidationError as refused:
        return _refused(request, league, refused, guest_form=form)
    return _done(request, league, _("%(name)s is a member, as a guest.") % {"name": form.cleaned_data["display_name"]})


@login_required
@require_POST
def member_remove(request: HttpRequest, slug: str, person_id: UUID) -> HttpResponse:
    """End a membership."""
    league = _league(slug)
    _ask(request, "pair", league)
    person = get_object_or_404(Person, pk=person_id, memberships__league=league)
    try:
        services.member_remove(league=league, person=person, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        return _refused(request, league, refused)
    return _done(request, league, _("%(name)s is a member no longer.") % {"name": person.display_name})


@login_required
@require_POST
def member_privacy(request: HttpRequest, slug: str, person_id: UUID) -> HttpResponse:
    """Decide who may see a guest or minor."""
    league = _league(slug)
    _ask(request, "pair", league)
    person = get_object_or_404(Person, pk=person_id, memberships__league=league)
    form = PrivacyForm(request.POST)
    try:
        if not form.is_valid():
            raise ValidationError([error for errors in form.errors.values() for error in errors])
        services.member_privacy(
            league=league, person=person, privacy=form.cleaned_data["privacy"], by=signed_in(request).person
        )
    except ValidationError as refused:
        return _refused(request, league, refused)
    return _done(request, league, _("Kept: who may see %(name)s.") % {"name": person.display_name})


@login_required
@require_POST
def role_give(request: HttpRequest, slug: str) -> HttpResponse:
    """Give a role in the league."""
    league = _league(slug)
    _ask(request, "administer", league)
    form = RoleForm(request.POST, prefix="role")
    if not form.is_valid():
        return _detail(request, league, role_form=form, status=400)
    role = form.cleaned_data["role"]
    try:
        services.role_give(
            league=league, person=form.person, role=role, by=signed_in(request).person, at=timezone.now()
        )
    except ValidationError as refused:
        return _refused(request, league, refused, role_form=form)
    words = {"handle": form.person.handle, "role": rights.ROLE_NAMES[role]}
    return _done(request, league, _("@%(handle)s holds the role %(role)s.") % words)


@login_required
@require_POST
def role_revoke(request: HttpRequest, slug: str, person_id: UUID, role: str) -> HttpResponse:
    """Take a role in the league from somebody."""
    league = _league(slug)
    _ask(request, "administer", league)
    person = get_object_or_404(Person, pk=person_id)
    try:
        services.role_take(league=league, person=person, role=role, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        return _refused(request, league, refused)
    words = {"name": person.display_name, "role": rights.ROLE_NAMES[role]}
    return _done(request, league, _("%(name)s no longer holds the role %(role)s.") % words)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def league_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a league's settings."""
    league = _league(slug)
    _ask(request, "administer", league)
    # A league of its own, for the form writes what was entered into its instance before it is allowed.
    form = SettingsForm(request.POST or None, instance=_league(slug))
    if request.method == "POST" and form.is_valid():
        try:
            services.league_change(league=league, by=signed_in(request).person, at=timezone.now(), **form.cleaned_data)
        except ValidationError as refused:
            _add_errors(form, refused)
        else:
            messages.success(request, _("The settings are kept."))
            return redirect("league-detail", slug=league.slug)
    return render(request, "league/settings.html", {"league": league, "form": form}, status=400 if form.errors else 200)


@login_required
@require_POST
def league_close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close a league."""
    league = _league(slug)
    _ask(request, "administer", league)
    try:
        services.league_close(league=league, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        return _refused(request, league, refused)
    return _done(request, league, _("%(league)s is closed.") % {"league": league.name})


@login_required
@require_POST
def league_reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a closed league go on."""
    league = _league(slug)
    _ask(request, "administer", league)
    try:
        services.league_reopen(league=league, by=signed_in(request).person, at=timezone.now())
    except ValidationError as refused:
        return _refused(request, league, refused)
    return _done(request, league, _("%(league)s is open again.") % {"league": league.name})


def _ask(request: HttpRequest, action: str, league: League) -> None:
    """Say at once that somebody may not, before a form tells them more about the league than its page does."""
    if not rights.may(viewer_of(request), action, league.scopes):
        raise Forbidden(action)
