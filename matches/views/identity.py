"""Pages about who is who: a guest is claimed by a link, two records are joined and split, somebody is forgotten or takes their data along."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from matches import persons
from matches.models import Match, Seat
from matches.services.errors import NotRecordable
from matches.shown import shown
from people import keeping, rights
from people.models import Person
from people.selectors import person_by_handle, signed_in, viewer_of, visible_names
from people.services import Forbidden

SHOWN = 12
A_PAGE = 50


class JoinForm(forms.Form):
    """Into whom a record is joined."""

    handle = forms.CharField(
        label=gettext_lazy("Handle of the person into whom it is joined"), max_length=31,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}),
    )  # fmt: skip

    def clean_handle(self) -> str:
        """Find the person; the handle is matched exactly."""
        handle = str(self.cleaned_data["handle"]).lstrip("@")
        person = person_by_handle(handle)
        if person is None or person.forgotten_at is not None:
            raise ValidationError(_("Nobody here has the handle @%(handle)s.") % {"handle": handle})
        self.person: Person = person
        return handle


def _person(person_id: UUID) -> Person:
    return get_object_or_404(Person, pk=person_id)


def _moving(person: Person, viewer: Person | None) -> dict[str, Any]:
    """Return what goes along with a record: its newest matches as a viewer may see them, how many more, what it earned."""
    ids = Seat.objects.filter(person__in=keeping.ids_of(person)).values("match")
    found = Match.objects.filter(pk__in=ids).order_by("-played_on", "-pk").prefetch_related("seats__person")
    return {
        "matches": shown(list(found[:SHOWN]), viewer),
        "more": max(0, found.count() - SHOWN),
        "earned": persons.earned(person),
    }


@never_cache
@login_required
@require_POST
def claim_link(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Make the personal link by which a guest claims their matches, and show it this once."""
    me = signed_in(request).person
    guest = _person(person_id)
    token = persons.claim_link(guest=guest, by=me)
    link = request.build_absolute_uri(reverse("claim", args=[token]))
    names = visible_names([guest], me)
    return render(request, "people/claim_link.html", {"link": link, "name": names[guest.pk], "days": persons.LINK_DAYS})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a personal link claims, and claim it for whoever is signed in."""
    try:
        guest = persons.guest_of(token)
    except NotRecordable as unusable:
        return render(request, "people/claim.html", {"refused": str(unusable)}, status=404)
    viewer = viewer_of(request)
    refused = ""
    if request.method == "POST":
        by = signed_in(request).person
        privacy = request.POST.get("privacy", "")
        if privacy not in ("", *Person.Privacy.values):
            raise Http404(_("Nobody can be seen in that way."))
        try:
            persons.guest_claim(token=token, by=by, privacy=privacy)
        except NotRecordable as problem:
            refused = str(problem)
        else:
            messages.success(request, _("These matches are yours now. Your page shows them within a minute."))
            return redirect("profile", handle=by.handle) if by.handle else redirect("home")
    # Whoever has the link was given it by somebody who may know the guest: the name is shown with it.
    context = {
        "guest": guest,
        **_moving(guest, viewer),
        "privacies": reversed(Person.Privacy.choices),
        "is_signed_in": viewer is not None,
        "refused": refused,
    }
    return render(request, "people/claim.html", context, status=422 if refused else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Join a record into another one, after a look at what moves."""
    me = signed_in(request).person
    other = _person(person_id)
    if not persons.may_look_after(me, other):
        raise Forbidden("pair")
    form = JoinForm(request.POST or None)
    status, refused, target = 200, "", None
    if request.method == "POST":
        status = 400
        if form.is_valid():
            target = form.person
            status = 200
            if request.POST.get("step") == "store":
                try:
                    persons.persons_join(person=target, other=other, by=me)
                except NotRecordable as problem:
                    refused, status = str(problem), 422
                else:
                    messages.success(request, _("The two records are one. It can be taken back here."))
                    return redirect("person-records", person_id=target.pk)
    names = visible_names([other, *([target] if target else [])], me)
    context = {
        "other": other,
        "name": names[other.pk],
        "form": form,
        "target": target,
        "target_name": names[target.pk] if target else "",
        **_moving(other, me),
        "refused": refused,
    }
    return render(request, "people/join.html", context, status=status)


@never_cache
@login_required
@require_safe
def records(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Show what is joined into a person, to them and to who looks after them."""
    me = signed_in(request).person
    person = _person(person_id).head
    if me.pk != person.pk and not persons.may_look_after(me, person):
        raise Http404(_("There is no such page, or you may not see it."))
    joined = Person.objects.filter(joined_into=person).annotate(count=Count("seats")).order_by("sort_name", "pk")
    page = Paginator(joined, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "person": person,
        "name": visible_names([person], me)[person.pk],
        "page": page,
        "is_own": me.pk == person.pk,
        "may_forget": me.pk != person.pk
        and person.forgotten_at is None
        and rights.may(me, "administer", [rights.SITE]),
    }
    return render(request, "people/records.html", context)


@login_required
@require_POST
def split(request: HttpRequest, person_id: UUID, other_id: UUID) -> HttpResponse:
    """Take back a join or a claim."""
    me = signed_in(request).person
    person, other = _person(person_id), _person(other_id)
    try:
        persons.persons_split(person=person, other=other, by=me)
    except NotRecordable as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("They are two records again."))
    return redirect("person-records", person_id=person.pk)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest) -> HttpResponse:
    """Let somebody erase themselves, after they have typed their handle."""
    me = signed_in(request).person
    done = _forget(request, me, me)
    if done is not None:
        return done
    logout(request)
    messages.success(request, _("You are forgotten here. What others played stands without your name."))
    return redirect("home")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def forget_other(request: HttpRequest, person_id: UUID) -> HttpResponse:
    """Let an owner of the site erase somebody who asked for it, after they have typed the handle, or a guest's name."""
    me = signed_in(request).person
    if not rights.may(me, "administer", [rights.SITE]):
        raise Forbidden("administer")
    person = _person(person_id)
    if person.pk == me.pk:
        return redirect("settings-forget")
    if person.forgotten_at is not None:
        raise Http404(_("This person is forgotten already."))
    done = _forget(request, person, me)
    if done is not None:
        return done
    messages.success(request, _("The person is forgotten. What others played stands without the name."))
    return redirect("home")


def _forget(request: HttpRequest, person: Person, by: Person) -> HttpResponse | None:
    """Forget a person if that was confirmed, and return None; else the page that asks for it."""
    typed = f"@{person.handle}" if person.handle else person.display_name
    refused = ""
    if request.method == "POST":
        if request.POST.get("handle", "").strip().removeprefix("@") != typed.removeprefix("@"):
            refused = _("Type %(typed)s to say that you mean it.") % {"typed": typed}
        else:
            try:
                persons.person_forget(person=person, by=by, at=timezone.now())
            except NotRecordable as problem:
                refused = str(problem)
            else:
                return None
    context = {"person": person, "is_own": person.pk == by.pk, "typed": typed, "refused": refused}
    return render(request, "people/forget.html", context, status=422 if refused else 200)


@never_cache
@login_required
@require_safe
def download(request: HttpRequest) -> FileResponse:
    """Send all that is kept of whoever asks, as one archive."""
    me = signed_in(request).person
    return FileResponse(keeping.archive(me), as_attachment=True, filename=f"{me.handle or me.pk}.zip")
