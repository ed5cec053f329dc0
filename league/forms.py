"""The forms of leagues."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from league.models import League
from people.handles import handle_clean
from people.models import Grant, Person
from people.selectors import person_by_handle

HANDLE = forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"})


class LeagueForm(forms.ModelForm):
    """A new league."""

    class Meta:
        model = League
        fields = ["name", "slug", "timezone", "appeal_hours"]
        labels = {
            "name": _("Name"),
            "slug": _("Short name"),
            "timezone": _("Time zone"),
            "appeal_hours": _("Appeal time in hours"),
        }
        help_texts = {
            "slug": _(
                "In addresses and match logs, such as winter-league. It stays as it is. Left empty, it is made from the name."
            ),
            "timezone": _("Where the league plays, such as Europe/Berlin."),
            "appeal_hours": _("How long after a confirmation a player may dispute and a referee corrects alone."),
        }

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if "slug" in self.fields:
            self.fields["slug"].required = False
        self.fields["timezone"].widget.attrs["list"] = "timezones"

    @property
    def timezones(self) -> list[str]:
        """Return the time zones to pick from, those of places."""
        return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))

    def clean(self) -> dict[str, Any]:
        """Make the short name from the name where it is left empty."""
        data = super().clean() or self.cleaned_data
        if "slug" in self.fields and not data.get("slug") and data.get("name"):
            data["slug"] = self.instance.slug = slugify(data["name"])[:60].strip("-_").replace("_", "-")
            if len(data["slug"]) < 2:
                self.add_error("slug", _("No short name can be made from this name; enter one."))
        return data


class SettingsForm(LeagueForm):
    """The settings of a league; its short name stays as it is."""

    class Meta(LeagueForm.Meta):
        fields = ["name", "timezone", "appeal_hours", "rating_system"]
        labels = {**LeagueForm.Meta.labels, "rating_system": _("Rating of the league")}
        help_texts = {
            **LeagueForm.Meta.help_texts,
            "rating_system": _("Beside the rating of the whole site, which all confirmed matches move."),
        }

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["rating_system"].required = False  # left out, it stays as it is


class HandleForm(forms.Form):
    """Somebody by handle."""

    handle = forms.CharField(label=_("Handle"), max_length=31, widget=HANDLE)

    def clean_handle(self) -> str:
        """Find the person; the handle is matched exactly."""
        handle = handle_clean(self.cleaned_data["handle"])
        person = person_by_handle(handle)
        if person is None or person.forgotten_at is not None:
            raise ValidationError(_("Nobody here has the handle @%(handle)s.") % {"handle": handle})
        self.person: Person = person
        return handle


class MemberForm(HandleForm):
    """A member by handle."""


class GuestForm(forms.Form):
    """A member without an account."""

    display_name = forms.CharField(label=_("Name on the score sheet"), max_length=120)
    is_minor = forms.BooleanField(
        label=_("Is a minor"), required=False, help_text=_("Hidden from the first moment; you can change that later.")
    )


class RoleForm(HandleForm):
    """A role for somebody."""

    role = forms.ChoiceField(label=_("Role"), choices=Grant.Role.choices, initial=Grant.Role.REFEREE)
    field_order = ["handle", "role"]


class PrivacyForm(forms.Form):
    """Who may see a guest or minor."""

    privacy = forms.ChoiceField(label=_("Who may see them"), choices=Person.Privacy.choices)
