"""Reads of honors: a person's, their holders, the nominations of a league, each as a reader may know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, UUIDField
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from msgspec import Struct

from career.honors.catalogue import BY_ID
from career.models import Hiding, Honor, Nomination
from career.selectors import aliases
from league.models import League
from matches import texts
from matches.models import Event, Text
from people import rights
from people.models import Person
from people.privacy import listed_for
from people.selectors import visible_names

ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


class Held(Struct, frozen=True):
    """An honor as a page shows it."""

    honor: Honor
    name: str
    klass: str
    step: str
    citation: str
    league: str
    slug: str
    is_in_review: bool


def text_of(stream: UUID, seq: int, field: str) -> str:
    """Return a free text beside an entry, what stands for a blanked one, or nothing."""
    for one in texts.of_entry(stream, seq):
        if one.field == field:
            return texts.BLANKED if one.blanked else one.text
    return ""


def texts_of(pairs: Iterable[tuple[UUID, int]], field: str) -> dict[tuple[UUID, int], str]:
    """Return the free texts of some entries, by stream and seq, with one query."""
    wanted = set(pairs)
    if not wanted:
        return {}
    rows = Text.objects.filter(
        stream__in={stream for stream, _seq in wanted}, seq__in={seq for _stream, seq in wanted}, field=field
    )
    return {
        (stream, seq): texts.BLANKED if blanked else text
        for stream, seq, text, blanked in rows.values_list("stream", "seq", "text", "blanked_at")
        if (stream, seq) in wanted
    }


def honors_of(person: Person, viewer: Person | None) -> list[Held]:
    """Return the honors of a person, newest first: to themselves and the organizers also revoked ones; hidden ones to themselves only."""
    rows = (
        Honor.objects.filter(person_id__in=aliases(person))
        .exclude(status=Honor.Status.DECLINED)
        .prefetch_related("reviews")
        .order_by("-on", "-seq")
    )
    is_own = viewer is not None and viewer.head.pk == person.pk
    leagues = League.objects.in_bulk({one.league_id for one in rows})
    hidden = set() if is_own else set(Hiding.objects.filter(person=person, kind="honor").values_list("key", flat=True))
    shown = [
        one
        for one in rows
        if one.honor not in hidden
        and (
            one.status == Honor.Status.HELD
            or is_own
            or (one.league_id in leagues and rights.may(viewer, "pair", leagues[one.league_id].scopes))
        )
    ]
    citations = texts_of([(one.league_id, one.seq) for one in shown], "citation")
    return [held_of(one, leagues.get(one.league_id), citations.get((one.league_id, one.seq), "")) for one in shown]


def held_of(one: Honor, league: League | None, citation: str) -> Held:
    """Return an honor as a page shows it."""
    kind = BY_ID[one.honor]
    in_review = one.status == Honor.Status.HELD and any(review.is_open for review in one.reviews.all())
    return Held(
        one, _(kind.name), kind.klass, ROMAN[one.step] if one.step < len(ROMAN) else str(one.step), citation,
        league.name if league else "", league.slug if league else "", in_review,
    )  # fmt: skip


def holders(viewer: Person | None, *, honor: str | None = None, league: UUID | None = None) -> QuerySet[Honor]:
    """Return who holds an honor, or an honor of a league, and may be found by the viewer, newest first."""
    listed = Person.objects.filter(listed_for(viewer))
    found = Honor.objects.filter(
        status=Honor.Status.HELD
    ).annotate(
        head=Coalesce(
            Subquery(  # a guest who was joined into another guest before somebody claimed them is two joins away
                Person.objects.filter(pk=OuterRef("person_id")).values(
                    into=Coalesce("joined_into__joined_into__joined_into", "joined_into__joined_into", "joined_into")
                )[:1]
            ),
            F("person_id"),
            output_field=UUIDField(),
        )
    )
    if honor is not None:
        found = found.filter(honor=honor)
    if league is not None:
        found = found.filter(league_id=league)
    hidden = Hiding.objects.filter(kind="honor", key=OuterRef("honor"), person=OuterRef("head"))
    return found.filter(Exists(listed.filter(pk=OuterRef("head"))), ~Exists(hidden)).order_by(
        "-on", "-seq", "person_id"
    )


class Step(Struct, frozen=True):
    """A step of a nomination that was taken: when, and what in words."""

    at: datetime
    words: str
    reason: str = ""


STEPS: dict[str, Callable[[dict[str, Any], Callable[[str], str]], str]] = {
    "honor_nominated": lambda one, name: (
        _("%(person)s nominated.") % {"person": name(one["nominator"])} if one.get("nominator") else _("Nominated by the figures.")
    ),
    "honor_seconded": lambda one, name: _("%(person)s seconded it.") % {"person": name(one["seconder"])},
    "honor_vote_opened": lambda one, name: _("The vote of the peers was opened."),
    "honor_vote_closed": lambda one, name: (
        _("The vote was carried: %(yes)s for it, %(no)s against.") if one["carried"] else _("The vote was not carried: %(yes)s for it, %(no)s against.")
    ) % {"yes": one["yes"], "no": one["no"]},
    "honor_approved": lambda one, name: _("%(person)s decided for it.") % {"person": name(one["organizer"])},
    "honor_lapsed": lambda one, name: _("It came to nothing."),
    "honor_bestowed": lambda one, name: _("The honor was bestowed."),
}  # fmt: skip


def steps_of(nomination: Nomination, viewer: Person | None) -> list[Step]:
    """Return the steps of a nomination in their order, single votes left out."""
    rows = list(
        Event.objects.filter(
            stream=nomination.league_id, seq__gte=nomination.seq, type__in=STEPS, data__nomination=str(nomination.pk)
        ).order_by("seq")
    )
    ids = {UUID(one.data[key]) for one in rows for key in ("nominator", "seconder", "organizer") if one.data.get(key)}
    names = visible_names(Person.objects.filter(pk__in=ids), viewer)
    reasons = texts_of([(one.stream, one.seq) for one in rows if one.type == "honor_lapsed"], "reason")
    return [
        Step(
            one.occurred_at or one.recorded_at,
            STEPS[one.type](one.data, lambda person: names.get(UUID(person), _("somebody"))),
            reasons.get((one.stream, one.seq), ""),
        )
        for one in rows
    ]


def as_json(person: Person, viewer: Person | None) -> list[dict[str, Any]]:
    """Return the honors that a person holds, as `career --json` gives them."""
    return [
        {
            "id": one.honor.honor, "name": one.name, "step": one.honor.step, "on": one.honor.on.isoformat(), "citation": one.citation,
            "evidence": [{"stream": str(one.honor.league_id), "seq": one.honor.seq}],
        }
        for one in honors_of(person, viewer)
        if one.honor.status == Honor.Status.HELD
    ]  # fmt: skip
