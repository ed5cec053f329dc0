"""Reads of honors: a person's, their holders, the nominations of a league, each as a reader may know them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from msgspec import Struct

from career.honors.catalogue import BY_ID
from career.models import Hiding, Honor
from career.selectors import aliases
from league.models import League
from matches import texts
from matches.models import Text
from people.models import Person
from people.privacy import listed_for

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
    from people import rights

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


def holders(honor_id: str, viewer: Person | None) -> QuerySet[Honor]:
    """Return who holds an honor and may be found by the viewer, newest first."""
    hiding = Hiding.objects.filter(kind="honor", key=honor_id).values("person")
    return (
        Honor.objects.filter(honor=honor_id, status=Honor.Status.HELD)
        .filter(person_id__in=Person.objects.filter(listed_for(viewer)).values("pk"))
        .exclude(person_id__in=hiding)
        .order_by("-on", "-seq", "person_id")
    )


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
