"""Pages of one's own account, of the first owner, and of who may do what."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from rest_framework.authtoken.models import Token

from people import notices, rights, services
from people.adapters import speak
from people.forms import HandleForm, PersonForm, WelcomeForm
from people.selectors import matrix, signed_in, viewer_of

NOTICES_A_PAGE = 30


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Show the settings of one's own account, and change names, privacy and language."""
    if request.method != "POST":
        return _settings(request)
    account = signed_in(request)
    form = PersonForm(request.POST, instance=account.person, account=account)
    if not form.is_valid():
        account.person.refresh_from_db()
        return _settings(request, person_form=form, status=400)
    form.keep()
    messages.success(request, _("Your settings are kept."))
    return speak(redirect("settings"), account.language)


@login_required
@require_POST
def handle_change(request: HttpRequest) -> HttpResponse:
    """Take another handle."""
    me = signed_in(request).person
    form = HandleForm(request.POST, person=me)
    if not form.is_valid():
        return _settings(request, handle_form=form, status=400)
    try:
        person = services.handle_change(person=me, handle=form.cleaned_data["handle"])
    except ValidationError as taken:
        form.add_error("handle", taken)
        return _settings(request, handle_form=form, status=409)
    messages.success(
        request, _("You are @%(handle)s now. Links to your old handle lead to you.") % {"handle": person.handle}
    )
    return redirect("settings")


@never_cache
@login_required
@require_POST
def token_create(request: HttpRequest) -> HttpResponse:
    """Make a token for the API in place of the one before, and show it this once."""
    account = signed_in(request)
    Token.objects.filter(user=account).delete()
    return _settings(request, new_token=Token.objects.create(user=account).key)


@login_required
@require_POST
def token_revoke(request: HttpRequest) -> HttpResponse:
    """Take back the token for the API."""
    gone, _rows = Token.objects.filter(user=signed_in(request)).delete()
    if gone:
        messages.success(request, _("The token is revoked: nothing can use it any more."))
    else:
        messages.warning(request, _("There was no token to revoke."))
    return redirect("settings")


@never_cache
@login_required
@require_GET
def inbox(request: HttpRequest) -> HttpResponse:
    """Show somebody's notices, newest first."""
    me = signed_in(request).person
    page = Paginator(notices.inbox(me), NOTICES_A_PAGE).get_page(request.GET.get("page"))
    rows = [{"notice": one, "text": notices.text_of(one)} for one in page]
    return render(request, "people/inbox.html", {"page": page, "rows": rows})


@login_required
@require_POST
def inbox_read(request: HttpRequest) -> HttpResponse:
    """Mark a notice, or all, as read."""
    wanted = request.POST.get("notice", "")
    me = signed_in(request).person
    if wanted and not (wanted.isascii() and wanted.isdigit() and len(wanted) < 19):
        raise Http404(_("There is no such notice."))
    notices.read(me, int(wanted) if wanted else None)
    return redirect("inbox")


@login_required
@require_POST
def notice_settings(request: HttpRequest) -> HttpResponse:
    """Switch kinds of notices on and off, in the inbox and by mail."""
    me = signed_in(request).person
    for kind in notices.KINDS:
        notices.setting_change(
            me, kind, inbox=request.POST.get(f"{kind}-inbox") == "1", mail=request.POST.get(f"{kind}-mail") == "1"
        )
    messages.success(request, _("Your settings are kept."))
    return redirect(reverse("settings") + "#notices")


def _settings(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    account = signed_in(request)
    person = account.person
    context = {
        "person": person,
        "person_form": PersonForm(instance=person, account=account),
        "handle_form": HandleForm(person=person),
        "token": Token.objects.filter(user=account).first(),
        "kinds": notices.settings_of(person),
        **more,
    }
    return render(request, "people/settings.html", context, status=status)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest) -> HttpResponse:
    """Make the first owner of the site. There is no such page once somebody who can sign in owns it."""
    if services.owner_exists():
        raise Http404(_("This site has an owner already."))
    form = WelcomeForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return render(request, "people/welcome.html", {"form": form}, status=400 if request.method == "POST" else 200)
    try:
        account = services.first_owner_create(**form.cleaned_data)
    except services.OwnerExists as late:
        raise Http404(str(late)) from late
    except ValidationError as taken:
        form.add_error("handle", taken)
        return render(request, "people/welcome.html", {"form": form}, status=409)
    login(request, account, backend="allauth.account.auth_backends.AuthenticationBackend")
    messages.success(request, _("Welcome. You own this site: open a league and give roles, or upload a log."))
    return redirect("home")


@login_required
@require_GET
def roles(request: HttpRequest) -> HttpResponse:
    """Show who may do what, to organizers and owners of any scope."""
    if not rights.scopes_with(viewer_of(request), "organizer", "owner"):
        raise PermissionDenied(_("The table of roles is for organizers and owners."))
    context = {"matrix": matrix(), "role_names": [(role, rights.ROLE_NAMES[role]) for role in rights.ROLES]}
    return render(request, "people/roles.html", context)


@require_GET
def account_page(request: HttpRequest, rest: str) -> HttpResponse:
    """Lead to a page of allauth's, whose addresses all end in a slash."""
    try:
        resolve(f"/accounts/{rest}/")
    except Resolver404 as unknown:
        raise Http404(_("There is no such page about accounts.")) from unknown
    query = request.META.get("QUERY_STRING", "")
    return redirect(f"/accounts/{rest}/" + (f"?{query}" if query else ""))
