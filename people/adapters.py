"""How allauth makes accounts and sends mail here."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from django.conf import settings
from django.contrib.sites.requests import RequestSite
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from people import services
from people.mail import mail_enqueue
from people.models import Account


class AccountAdapter(DefaultAccountAdapter):
    """Accounts have persons; mail goes through the outbox."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": _("The e-mail address or handle, or the password, is not right."),
    }

    def save_user(self, request: HttpRequest, user: Account, form: BaseForm, commit: bool = True) -> Account:
        """Make the account that the sign-up form asks for, with its person."""
        data = form.cleaned_data
        return services.account_create(
            data["email"], data["password1"], data["handle"], data["display_name"], account=user
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put a mail of allauth's into the outbox."""
        request = allauth_context.request
        more = {
            "request": request,
            "email": email,
            "current_site": RequestSite(request),
            "site_name": settings.SITE_NAME,
        }
        message = self.render_mail(template_prefix, email, more | context)
        mail_enqueue(to=email, subject=str(message.subject), body=str(message.body))

    def post_login(self, request: HttpRequest, user: Account, **more: Any) -> HttpResponse:
        """Sign somebody in, and speak their language."""
        return speak(super().post_login(request, user, **more), user.language)


def speak(response: HttpResponse, language: str) -> HttpResponse:
    """Let the pages after this answer be in a language of the site; anything else changes nothing."""
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            samesite="Lax",
            max_age=31_536_000,
            secure=settings.SESSION_COOKIE_SECURE,
        )
    return response
