"""What people fill in on the match pages: filters, acts at a table, and who sat where in an uploaded file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from matches.games import game_name
from matches.models import Match
from rulesengine.log import MAX_INTEGER

MAX_REASON = 500


class FilterForm(forms.Form):
    """What to show of all matches."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    status = forms.ChoiceField(label=_("State"), required=False)
    league = forms.ChoiceField(label=_("League"), required=False)
    person = forms.CharField(
        label=_("Player (handle)"),
        required=False,
        max_length=31,
        widget=forms.TextInput({"autocomplete": "off", "placeholder": "@ada"}),
    )
    year = forms.ChoiceField(label=_("Year"), required=False)

    def __init__(
        self, data: Any, *, games: Sequence[str], leagues: Sequence[tuple[str, str]], years: Sequence[int]
    ) -> None:
        super().__init__(data)
        choice = self.fields
        choice["game"].choices = [("", _("All games")), *((game, game_name(game)) for game in games)]  # type: ignore[attr-defined]
        choice["status"].choices = [("", _("Any state")), *Match.Status.choices, ("disputed", _("Disputed"))]  # type: ignore[attr-defined]
        choice["league"].choices = [("", _("Everywhere")), ("friendly", _("Friendly matches")), *leagues]  # type: ignore[attr-defined]
        choice["year"].choices = [("", _("All years")), *((str(year), str(year)) for year in years)]  # type: ignore[attr-defined]

    def clean_person(self) -> str:
        """Return the handle without its @."""
        return str(self.cleaned_data["person"]).strip().removeprefix("@").lower()


class ActForm(forms.Form):
    """An act at the table as it is filled in. Subclasses say what it is called and what entry it becomes."""

    act: ClassVar[str]
    title: ClassVar[str | Promise]
    button: ClassVar[str | Promise]
    explains: ClassVar[str | Promise] = ""
    has_preview: ClassVar[bool] = False
    is_grave: ClassVar[bool] = False
    is_open = False

    def __init__(
        self,
        *args: Any,
        seats: Sequence[tuple[str, str]] = (),
        needs_approval: bool = False,
        approves_alone: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **{**kwargs, "auto_id": f"{self.act}-%s"})
        for name in ("reported_by", "favours", "seat"):
            if name in self.fields:
                required = name == "seat"
                self.fields[name].choices = [*(() if required else (("", _("nobody")),)), *seats]  # type: ignore[attr-defined]
        if "approved_by" in self.fields and not needs_approval:
            del self.fields["approved_by"]
        elif "approved_by" in self.fields:
            self.fields["approved_by"].required = not approves_alone


def _seq(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=200_000)


def _reason(label: Any = None) -> forms.CharField:
    return forms.CharField(label=label or _("Reason"), max_length=MAX_REASON, widget=forms.Textarea({"rows": 2}))


def _approved_by() -> forms.CharField:
    return forms.CharField(label=_("Approved by the organizer (handle)"), max_length=31, required=False)


class JsonField(forms.CharField):
    """A value typed as JSON; a bare word counts as text where `bare` is set."""

    def __init__(self, *args: Any, bare: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bare = bare

    def clean(self, value: Any) -> Any:
        """Return the value. Numbers with a point or beyond 53 bits are no values of a log."""
        text = super().clean(value)
        if text in self.empty_values:
            return None
        try:
            return json.loads(text, parse_float=_no_float, parse_constant=_no_float, parse_int=_whole)
        except (ValueError, RecursionError) as error:
            if self.bare and text.isidentifier():
                return text
            raise forms.ValidationError(
                _("%(text)s is not JSON (%(error)s). Texts stand in double quotes."),
                params={"text": text[:60], "error": str(error)[:120]},
            ) from error


def _no_float(text: str) -> Any:
    raise ValueError(f"{text}: a log holds whole numbers only")


def _whole(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise ValueError(f"{text[:20]}: more than 53 bits")
    return int(text)


class VoidForm(ActForm):
    """An entry is skipped from the first replay on."""

    act = "void"
    title = _("Void an entry")
    button = _("Void the entry")
    explains = _("The entry stays in the log and is skipped on replay.")
    has_preview = True
    target_seq = _seq(_("Entry"))
    reason = _reason()
    scribe_error = forms.BooleanField(label=_("It was an error of the scribe"), required=False)
    reported_by = forms.ChoiceField(label=_("Reported by"), required=False)
    approved_by = _approved_by()


class AmendForm(ActForm):
    """An entry is replayed with other data."""

    act = "amend"
    title = _("Amend an entry")
    button = _("Amend the entry")
    explains = _("The entry is replayed with the new data. Entry 0 is the set-up: seats and options.")
    has_preview = True
    target_seq = _seq(_("Entry"))
    data = JsonField(  # type: ignore[assignment]
        label=_("New data, whole (JSON)"), widget=forms.Textarea({"rows": 5, "class": "code", "spellcheck": "false"})
    )
    reason = _reason()
    scribe_error = forms.BooleanField(label=_("It was an error of the scribe"), required=False)
    reported_by = forms.ChoiceField(label=_("Reported by"), required=False)
    approved_by = _approved_by()

    def clean_data(self) -> dict[str, Any]:
        """Return the new data, which must be an object."""
        value = self.cleaned_data["data"]
        if not isinstance(value, dict):
            raise forms.ValidationError(_("The data of an entry is an object: {…}."))
        return value


class AdjustForm(ActForm):
    """One value of the state is set from here on."""

    act = "adjust"
    title = _("Set a value of the state")
    button = _("Set the value")
    explains = _(
        "The keys of the state joined by dots, such as players.A.gold or players.A.supply. Refused if the old value is not the present one."
    )
    has_preview = True
    path = forms.CharField(label=_("Path"), max_length=200)
    old = JsonField(label=_("Old value (JSON)"), bare=True, max_length=200)
    new = JsonField(label=_("New value (JSON)"), bare=True, max_length=200)
    reason = _reason()
    approved_by = _approved_by()


class RulingForm(ActForm):
    """A question is decided for this match."""

    act = "ruling"
    title = _("Give a ruling")
    button = _("Give the ruling")
    explains = _("It binds this match and closes the dispute about that entry.")
    has_preview = True
    about_seq = forms.IntegerField(
        label=_("About entry"),
        required=False,
        min_value=0,
        max_value=200_000,
        help_text=_("Empty: about the result as a whole."),
    )
    question = _reason(_("Question"))
    decision = _reason(_("Decision"))
    rule = forms.CharField(label=_("Rule"), max_length=20, required=False)
    favours = forms.ChoiceField(label=_("It favours"), required=False)


class OverrideForm(ActForm):
    """An outcome is another than the computed one."""

    act = "override"
    title = _("Have another outcome stand")
    button = _("Let this outcome stand")
    explains = _("The outcome replaces the computed one; all that follows is computed from it.")
    has_preview = True
    battle_seq = _seq(_("Entry"))
    outcome = JsonField(label=_("Outcome (JSON)"), max_length=200)
    reason = _reason()
    approved_by = _approved_by()

    def clean_outcome(self) -> dict[str, Any]:
        """Return the outcome, which must be an object."""
        value = self.cleaned_data["outcome"]
        if not isinstance(value, dict):
            raise forms.ValidationError(_("An outcome is an object: {…}."))
        return value


class PenaltyForm(ActForm):
    """A player is penalized."""

    act = "penalty"
    title = _("Give a penalty")
    button = _("Give the penalty")
    has_preview = True
    seat = forms.ChoiceField(label=_("Player"))
    kind = forms.CharField(label=_("Kind"), max_length=40, help_text=_("As the game says, such as warning."))
    value = forms.IntegerField(label=_("Value"), required=False, min_value=-MAX_INTEGER, max_value=MAX_INTEGER)
    reason = _reason()


class DisputeForm(ActForm):
    """A player does not agree."""

    act = "dispute"
    title = _("Dispute the result")
    button = _("Dispute it")
    explains = _("The result cannot be confirmed until a referee has ruled.")
    reason = _reason(_("What is wrong"))


class AbandonForm(ActForm):
    """The match is given up."""

    act = "abandon"
    title = _("Abandon the match")
    button = _("Abandon the match")
    explains = _("It then counts for nothing. Its log stays.")
    is_grave = True
    reason = _reason()


class AnnulForm(ActForm):
    """The match shall count for nothing."""

    act = "annul"
    title = _("Annul the match")
    button = _("Annul the match")
    explains = _("It then counts for nothing; what it earned is withdrawn. Its log stays.")
    is_grave = True
    reason = _reason()
    approved_by = _approved_by()


ACT_FORMS: dict[str, type[ActForm]] = {
    form.act: form
    for form in (
        VoidForm,
        AmendForm,
        AdjustForm,
        OverrideForm,
        RulingForm,
        PenaltyForm,
        DisputeForm,
        AbandonForm,
        AnnulForm,
    )
}
