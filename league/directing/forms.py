"""What people fill in for tournaments."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from league.directing.words import EDITIONS, FORMATS, POINTS, SEEDINGS
from league.models import League
from league.tournament import events as e
from league.tournament.rulesets import RULESETS
from league.tournament.scoring import SCORINGS
from matches.games import game_name
from people.selectors import person_by_handle
from rulesengine import registry


def _games() -> list[tuple[str, str]]:
    return [(game, game_name(game)) for game in registry.games()]


class StageForm(forms.Form):
    """How a stage is played."""

    format = forms.ChoiceField(label=_("Format"), choices=list(FORMATS.items()))
    rounds = forms.IntegerField(
        label=_("Rounds"), min_value=0, max_value=100, required=False,
        help_text=_("For Swiss and pods. Round robins and eliminations have as many as they need."),
    )  # fmt: skip
    pod_size = forms.TypedChoiceField(
        label=_("Seats at a table (pods)"),
        choices=[(4, "4"), (3, "3"), (5, "5")],
        coerce=int,
        required=False,
        empty_value="4",
    )
    filler = forms.TypedChoiceField(
        label=_("Tables that fill up have"), choices=[(3, "3"), (5, "5")], coerce=int, required=False, empty_value="3"
    )
    points = forms.ChoiceField(
        label=_("Points"), choices=[(key, POINTS.get(key, key)) for key in SCORINGS], required=False
    )
    ruleset = forms.ChoiceField(
        label=_("Edition of the tie-breaks"), choices=[(key, EDITIONS.get(key, key)) for key in RULESETS], required=False,
        initial="house-2026",
    )  # fmt: skip
    tiebreaks = forms.CharField(
        label=_("Tie-breaks in their order"), required=False, max_length=120,
        help_text=_("Codes such as BH-C1, BH, SB, DE. Left empty: those of the edition."),
    )  # fmt: skip
    groups = forms.IntegerField(label=_("Groups"), min_value=1, max_value=64, required=False, initial=1)
    cut = forms.IntegerField(
        label=_("Go on into the next stage"), min_value=1, max_value=5000, required=False,
        help_text=_("How many, of each group. Empty: this is the last stage."),
    )  # fmt: skip
    absence = forms.ChoiceField(
        label=_("A missed round gives"),
        choices=[("zero", _("nothing")), ("half", _("half of a win, once"))],
        required=False,
    )
    third_place = forms.BooleanField(label=_("Match for place 3 (single elimination)"), required=False)

    def stage(self) -> e.Stage:
        """Return the stage as the stream holds it."""
        said = self.cleaned_data
        codes = [one.strip().upper() for one in said["tiebreaks"].replace(";", ",").split(",") if one.strip()]
        takes = said["format"] in ("swiss", "dutch", "pods")
        return e.Stage(
            format=said["format"], rounds=(said["rounds"] or 0) if takes else 0, pod_size=int(said["pod_size"] or 4),
            filler=int(said["filler"] or 3), points=said["points"] or "classic", ruleset=said["ruleset"] or "house-2026",
            tiebreaks=codes or None, cut=said["cut"], groups=said["groups"] or 1, absence=said["absence"] or "zero",
            third_place=said["third_place"],
        )  # fmt: skip


class TournamentForm(forms.Form):
    """A new tournament."""

    title = forms.CharField(label=_("Title"), max_length=120)
    slug = forms.SlugField(
        label=_("Short name"), max_length=60, help_text=_("Stands in its address and in match logs: a–z, 0–9 and -.")
    )
    league = forms.ModelChoiceField(label=_("League"), queryset=League.objects.none(), empty_label=None)
    season = forms.SlugField(
        label=_("Season"), max_length=40, required=False, help_text=_("Its key, where it counts for one.")
    )
    game = forms.ChoiceField(label=_("Game"))
    timezone = forms.CharField(
        label=_("Time zone"), max_length=60, required=False, help_text=_("Empty: that of the league.")
    )

    def __init__(self, *args: Any, leagues: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["league"].queryset = leagues  # type: ignore[attr-defined]
        self.fields["game"].choices = _games()  # type: ignore[attr-defined]

    def clean_slug(self) -> str:
        """Return the short name in small letters."""
        return str(self.cleaned_data["slug"]).lower()

    def clean_timezone(self) -> str:
        """Return a zone that exists, or nothing."""
        zone = str(self.cleaned_data["timezone"]).strip()
        if zone and zone not in available_timezones():
            raise forms.ValidationError(_("No time zone %(zone)s; an example is Europe/Berlin.") % {"zone": zone})
        return zone


class RegistrationForm(forms.Form):
    """How registration is open."""

    mode = forms.ChoiceField(
        label=_("Who may register"),
        choices=[("open", _("everybody, by themselves")), ("invitation", _("by invitation: organizers enter them"))],
    )
    cap = forms.IntegerField(
        label=_("Places"), min_value=2, max_value=5000, required=False,
        help_text=_("Who registers after that waits, and moves up when a place becomes free. Empty: no limit."),
    )  # fmt: skip
    check_in_from = forms.DateTimeField(
        label=_("Check-in from"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    check_in_until = forms.DateTimeField(
        label=_("Check-in until"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


class EnterForm(forms.Form):
    """Enter somebody: by handle, or a guest by name."""

    handle = forms.CharField(
        label=_("Handle"),
        max_length=31,
        required=False,
        widget=forms.TextInput({"autocomplete": "off", "placeholder": "@ada"}),
    )
    display_name = forms.CharField(label=_("or the name of a guest"), max_length=120, required=False)
    seed_rating = forms.IntegerField(label=_("Rating for the seeds"), min_value=0, max_value=10_000, required=False)
    group = forms.CharField(label=_("Keep apart (club, family)"), max_length=60, required=False)

    def clean(self) -> dict[str, Any]:
        """Check that one of the two ways is taken, and that the handle is somebody's."""
        said = super().clean() or {}
        handle, name = (
            str(said.get("handle") or "").strip().removeprefix("@").lower(),
            str(said.get("display_name") or "").strip(),
        )
        self.person = None
        if bool(handle) == bool(name):
            raise forms.ValidationError(_("Give either a handle or the name of a guest."))
        if handle:
            self.person = person_by_handle(handle)
            if self.person is None:
                self.add_error("handle", _("Nobody here has the handle @%(handle)s.") % {"handle": handle})
        return said


class SeedingForm(forms.Form):
    """In which order the first stage is seeded."""

    seeding = forms.ChoiceField(
        label=_("Seeds"), choices=[(key, SEEDINGS[key]) for key in ("rating", "registered", "lot")], required=False
    )
