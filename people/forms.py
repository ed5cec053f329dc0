"""The forms of accounts and persons."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth
from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from people import services
from people.handles import handle_check, handle_clean
from people.models import Account, Person
from people.selectors import account_by_handle

HANDLE_HELP = _(
    "2 to 30 of a–z, 0–9, _ and -. Your page is found under it; you can change it later, and old links still lead to you."
)
NAME_HELP = _("As score sheets and matches show it.")


class HandleField(forms.CharField):
    """A handle, with or without the @ before it."""

    def __init__(self, **more: Any) -> None:
        widget = forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "username"})
        super().__init__(max_length=31, label=_("Handle"), help_text=HANDLE_HELP, widget=widget, **more)

    def to_python(self, value: Any) -> str:
        return handle_clean(super().to_python(value) or "")


def _plain(form: forms.Form) -> None:
    """Take away the placeholders that only repeat the labels."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class LoginForm(allauth.LoginForm):
    """Sign in by e-mail address or handle."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["login"] = forms.CharField(
            label=_("E-mail address or handle"),
            max_length=254,
            widget=forms.TextInput(
                attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "username", "autofocus": True}
            ),
        )
        self.fields["password"].help_text = format_lazy(
            '<a href="{url}">{text}</a>', url=reverse_lazy("account_reset_password"), text=_("Forgotten your password?")
        )
        if "remember" in self.fields:
            self.fields["remember"].label = _("Stay signed in on this device")
        self.order_fields(["login", "password", "remember"])
        _plain(self)

    def clean_login(self) -> str:
        """Return the e-mail address of whoever signs in. An unknown handle becomes an address that nobody has."""
        login = self.cleaned_data["login"].strip()
        if "@" in login.removeprefix("@"):
            return login.lower()
        account = account_by_handle(login)
        return account.email if account is not None else f"{handle_clean(login)}@nobody.invalid"


class SignupForm(allauth.SignupForm):
    """Sign up with a handle and a name."""

    handle = HandleField()
    display_name = forms.CharField(label=_("Name"), max_length=120, help_text=NAME_HELP)
    field_order = ["display_name", "handle", "email", "password1", "password2"]

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["email"].label = _("E-mail address")
        self.fields["password1"].help_text = password_validation.password_validators_help_text_html()
        self.fields["password2"].label = _("Password again")
        self.fields["display_name"].widget.attrs["autocomplete"] = "name"
        _plain(self)

    def clean_handle(self) -> str:
        """Return a handle that is free."""
        handle_check(self.cleaned_data["handle"])
        return self.cleaned_data["handle"]

    def try_save(self, request: HttpRequest) -> tuple[Account | None, HttpResponse | None]:
        """Make the account, or show the form again where somebody else took the handle in the meantime."""
        try:
            return super().try_save(request)
        except ValidationError as taken:
            self.add_error("handle", taken)
        except IntegrityError:
            self.add_error("email", _("Somebody has just signed up with this e-mail address."))
        return None, render(request, "account/signup.html", {"form": self}, status=409)


class WelcomeForm(forms.Form):
    """The first owner of the site."""

    display_name = forms.CharField(label=_("Name"), max_length=120, help_text=NAME_HELP)
    handle = HandleField()
    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=password_validation.password_validators_help_text_html,
    )

    def clean_handle(self) -> str:
        """Return a handle that is free."""
        handle_check(self.cleaned_data["handle"])
        return self.cleaned_data["handle"]

    def clean(self) -> dict[str, Any]:
        """Check the password against the rest."""
        data = super().clean() or self.cleaned_data
        email = data.get("email", "").lower()
        if email and Account.objects.filter(email=email).exists():
            self.add_error(
                "email", _("There is an account with this e-mail address; let the operator make it an owner.")
            )
        if data.get("password"):
            try:
                password_validation.validate_password(data["password"], Account(email=email))
            except ValidationError as weak:
                self.add_error("password", weak)
        return data


class PersonForm(forms.ModelForm):
    """A person's own names, privacy and language."""

    language = forms.ChoiceField(label=_("Language"), choices=lambda: settings.LANGUAGES, required=False)

    class Meta:
        model = Person
        fields = ["display_name", "sort_name", "privacy"]
        labels = {"display_name": _("Name"), "sort_name": _("Name for sorted lists"), "privacy": _("Who may see you")}
        help_texts = {
            "display_name": NAME_HELP,
            "sort_name": _("Surname first where lists go by surname. Left empty, it is made from the name."),
            "privacy": _("Hidden: others see your initials and crest, and you stand in no list, search or page title."),
        }
        widgets = {"privacy": forms.RadioSelect}

    def __init__(self, *args: Any, account: Account, **more: Any) -> None:
        more["initial"] = {"language": account.language}
        super().__init__(*args, **more)
        self.account = account
        self.fields["sort_name"].required = False
        if self.instance.is_minor:
            # Only an organizer of their league or a guardian decides who may see a minor.
            del self.fields["privacy"]
        if len(settings.LANGUAGES) < 2:
            del self.fields["language"]

    def keep(self) -> Person:
        """Write what was entered, and return the person."""
        data = self.cleaned_data
        if "language" in data:
            self.account.language = data["language"]
            self.account.save(update_fields=["language"])
        person = Person.objects.get(pk=self.instance.pk)
        kept = "" if person.sort_name == services.sort_name_of(person.display_name) else person.sort_name
        return services.person_update(
            person=person,
            display_name=data["display_name"],
            sort_name=data["sort_name"] if "sort_name" in self.changed_data else kept,
            privacy=data.get("privacy"),
        )


class HandleForm(forms.Form):
    """Another handle."""

    handle = HandleField()

    def __init__(self, *args: Any, person: Person, **more: Any) -> None:
        more["initial"] = {"handle": person.handle}
        super().__init__(*args, **more)
        self.person = person

    def clean_handle(self) -> str:
        """Return a handle that is free, or the person's own."""
        handle_check(self.cleaned_data["handle"], person=self.person)
        return self.cleaned_data["handle"]
