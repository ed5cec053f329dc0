"""The forms of what a league keeps beside its matches."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from league.forms import HANDLE
from league.models import League
from matches.games import game_name
from matches.models import Match
from people.handles import handle_clean
from people.models import Person
from people.selectors import person_by_handle
from rulesengine import registry

SERVICE_NAMES = {
    "setting_up": _("Setting up and clearing away"),
    "teaching": _("Teaching"),
    "hosting": _("Hosting"),
    "transport": _("Transport"),
    "website": _("Site and news"),
    "other": _("Something else"),
}
CONDUCT_NAMES = {
    "commendation": _("Commendation"),
    "warning": _("Warning"),
    "unexcused_absence": _("Unexcused absence"),
    "self_report": _("Reported an error to their own disadvantage"),
}
RECENT_MATCHES = 60
DATE = forms.DateInput(attrs={"type": "date"})


class PersonField(forms.CharField):
    """Somebody by handle; the value is the person."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=31, widget=HANDLE, **more)

    def clean(self, value: Any) -> Person | None:
        """Find the person; the handle is matched exactly."""
        handle = handle_clean(super().clean(value) or "")
        if not handle:
            return None
        person = person_by_handle(handle)
        if person is None or person.forgotten_at is not None:
            raise ValidationError(_("Nobody here has the handle @%(handle)s."), params={"handle": handle})
        return person


class PeopleField(forms.CharField):
    """Some people by handles, separated by commas or spaces."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=400, widget=HANDLE, **more)

    def clean(self, value: Any) -> list[Person]:
        """Find each of them."""
        one = PersonField(required=False)
        return [
            found for handle in (super().clean(value) or "").replace(",", " ").split() if (found := one.clean(handle))
        ]


def _matches_of(league: League, **conditions: Any) -> list[tuple[str, str]]:
    found = (
        Match.objects.filter(league=league.pk, **conditions)
        .exclude(status__in=(Match.Status.ANNULLED, Match.Status.ABANDONED))
        .order_by("-played_on", "-id")
        .prefetch_related("seats")[:RECENT_MATCHES]
    )
    return [
        (
            str(one.pk),
            f"{one.played_on.isoformat()} · {game_name(one.game)} · {', '.join(seat.sheet_name or seat.seat for seat in one.seats.all())}",
        )
        for one in found
    ]


class LeagueBound(forms.Form):
    """A form that knows its league."""

    def __init__(self, *args: Any, league: League, **more: Any) -> None:
        super().__init__(*args, **more)
        self.league = league


class Titled(LeagueBound):
    """A form with a title, and a short name that is made from it where it is left empty."""

    def clean(self) -> dict[str, Any]:
        """Make the short name from the title where it is left empty."""
        data = super().clean() or self.cleaned_data
        data["key"] = (data.get("key") or slugify(data.get("title") or "").replace("_", "-"))[:40].strip("-")
        return data


class SeasonForm(Titled):
    """A new season."""

    title = forms.CharField(label=_("Title"), max_length=120)
    key = forms.CharField(
        label=_("Short name"),
        max_length=40,
        required=False,
        help_text=_("In addresses. Left empty, it is made from the title."),
    )
    first_day = forms.DateField(label=_("First day"), widget=DATE)
    points = forms.CharField(
        label=_("Points by place"),
        required=False,
        max_length=120,
        help_text=_(
            "First place first, such as 10 6 4 3. Left empty, the first of four gets 4, the second 3 and so on."
        ),
    )
    best_n = forms.IntegerField(
        label=_("Best results that count"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Left empty, all count."),
    )
    drop_n = forms.IntegerField(label=_("Worst results left out"), required=False, min_value=1, max_value=100)

    def clean_points(self) -> list[int] | None:
        """Read the figures."""
        said = self.cleaned_data["points"].replace(",", " ").split()
        if not all(one.isascii() and one.isdigit() and len(one) < 5 for one in said):
            raise ValidationError(_("Enter whole numbers, such as 10 6 4 3."))
        return [int(one) for one in said] or None


class CloseSeasonForm(forms.Form):
    """The last day of a season."""

    last_day = forms.DateField(label=_("Last day"), widget=DATE)


class CampaignForm(Titled):
    """A new campaign."""

    title = forms.CharField(label=_("Title"), max_length=120)
    key = forms.CharField(
        label=_("Short name"),
        max_length=40,
        required=False,
        help_text=_("In addresses. Left empty, it is made from the title."),
    )
    game = forms.ChoiceField(label=_("Game"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["game"].choices = [(one, game_name(one)) for one in registry.games()]  # type: ignore[attr-defined]


class MatchesField(forms.MultipleChoiceField):
    """Some matches of the league; the value is their ids."""

    def __init__(self, **more: Any) -> None:
        super().__init__(widget=forms.CheckboxSelectMultiple, **more)

    def clean(self, value: Any) -> list[UUID]:
        """Return the ids."""
        return [UUID(one) for one in super().clean(value)]


class CloseCampaignForm(LeagueBound):
    """The matches of a campaign."""

    matches = MatchesField(label=_("Matches of the campaign"))

    def __init__(self, *args: Any, game: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["matches"].choices = _matches_of(self.league, game=game, status=Match.Status.CONFIRMED)  # type: ignore[attr-defined]


class ServiceForm(LeagueBound):
    """A service for the league."""

    person = PersonField(label=_("Handle"))
    kind = forms.ChoiceField(label=_("What for"), choices=list(SERVICE_NAMES.items()))
    minutes = forms.IntegerField(label=_("Minutes"), min_value=1, max_value=1440)
    day = forms.DateField(label=_("Day"), widget=DATE)


class ConductForm(LeagueBound):
    """A note on somebody's conduct."""

    person = PersonField(label=_("Handle"))
    kind = forms.ChoiceField(label=_("Kind"), choices=list(CONDUCT_NAMES.items()))
    note = forms.CharField(
        label=_("What happened"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("A commendation is public. Everything else is read by the person and the organizers only."),
    )  # fmt: skip
    day = forms.DateField(label=_("Day"), widget=DATE)
    match = forms.ChoiceField(label=_("Match, if it happened in one"), required=False)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["match"].choices = [("", "–"), *_matches_of(self.league)]  # type: ignore[attr-defined]


class MentoringForm(LeagueBound):
    """A newcomer who was accompanied."""

    mentor = PersonField(label=_("Handle of the mentor"))
    newcomer = PersonField(label=_("Handle of the newcomer"))
    match = forms.ChoiceField(label=_("First match of the newcomer"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["match"].choices = _matches_of(self.league)  # type: ignore[attr-defined]


class EventForm(LeagueBound):
    """An event that somebody organized."""

    person = PersonField(label=_("Handle of the organizer"))
    title = forms.CharField(label=_("Title"), max_length=120)
    day = forms.DateField(label=_("Day"), widget=DATE)
    staff = PeopleField(
        label=_("Who else was on the staff"), required=False, help_text=_("Handles, separated by spaces.")
    )
    matches = MatchesField(label=_("Its matches"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["matches"].choices = _matches_of(self.league)  # type: ignore[attr-defined]


class SuspensionForm(LeagueBound):
    """A rank that is hidden for some time."""

    person = PersonField(label=_("Handle"))
    until = forms.DateField(label=_("Up to and with"), widget=DATE)
    reason = forms.CharField(label=_("Reason"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}))


class RestorationForm(LeagueBound):
    """A rank that is shown again."""

    person = PersonField(label=_("Handle"))
    reason = forms.CharField(label=_("Reason"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}))


class StrikeForm(forms.Form):
    """Why a note is struck."""

    reason = forms.CharField(label=_("Reason"), max_length=1000)


class VoteForm(forms.Form):
    """Whom somebody votes for."""

    nominee = forms.ChoiceField(label=_("For"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["nominee"].choices = choices  # type: ignore[attr-defined]
