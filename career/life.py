"""What a page tells of a life in games: with whom, on which days, by how many seats, and between any two people."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery
from msgspec import Struct

from career.models import Hiding, SeatDigest
from career.selectors import aliases, parts
from people.models import Person

WEEKS = 53
RELATIONS = 5


class Relation(Struct, frozen=True):
    """Somebody met: how often, how often ahead and behind, and how often on the same side."""

    person: UUID
    matches: int
    ahead: int
    behind: int
    together: int


def relations(person: Person, viewer: Person | None) -> dict[str, list[Relation]]:
    """Return whom a person plays with most, who finished ahead of them most (Nemesis), and who was on their side most (allies).

    On the same side are King and General of a Kingdom, and two Kingdoms allied at the end.
    Only people whom the viewer may find in lists are named. At most five of each.
    """
    from people.privacy import listed_for

    mine = aliases(person)
    own = SeatDigest.objects.filter(person_id__in=mine, role__in=("player", "general"), confirmed=True, present=True)
    rows = list(own.values_list("match_id", "seat", "place", "alliances"))
    seats = {match: (seat, place, _sides(sides)) for match, seat, place, sides in rows}
    others = SeatDigest.objects.filter(
        match_id__in=own.values("match_id"), role__in=("player", "general"), confirmed=True, present=True
    ).exclude(person_id__in=mine)
    met: dict[UUID, Counter[str]] = {}
    heads = {
        one.pk: one.head.pk
        for one in Person.objects.filter(pk__in=others.values("person_id")).select_related("joined_into")
    }
    for match, other, seat, place, sides in others.values_list("match_id", "person_id", "seat", "place", "alliances"):
        own_seat, own_place, own_sides = seats[match]
        count = met.setdefault(heads.get(other, other), Counter())
        if seat == own_seat:
            count["together"] += 1
            continue
        count["together"] += bool(own_sides & _sides(sides))
        count["matches"] += 1
        if place is not None and own_place is not None and place != own_place:
            count["ahead" if place < own_place else "behind"] += 1
    listed = set(Person.objects.filter(listed_for(viewer), pk__in=met).values_list("pk", flat=True))
    told = [
        Relation(other, count["matches"], count["ahead"], count["behind"], count["together"])
        for other, count in met.items()
        if other in listed
    ]

    def top(key: str) -> list[Relation]:
        some = [one for one in told if getattr(one, key)]
        return sorted(some, key=lambda one: (-getattr(one, key), -one.matches, str(one.person)))[:RELATIONS]

    return {
        "most": top("matches"),
        "nemesis": [one for one in top("ahead") if one.ahead > one.behind][:1],
        "allies": top("together"),
    }


def _sides(alliances: str) -> set[str]:
    return set(alliances.split(",")) - {""}


def heat(person: Person, today: date) -> list[tuple[date, int, int]]:
    """Return the days of the last 53 weeks on which the person played: day, matches, first places; oldest first."""
    first = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    played: Counter[date] = Counter()
    won: Counter[date] = Counter()
    for part in parts(person):
        if part.role == "player" and first <= part.on <= today:
            played[part.on] += 1
            won[part.on] += part.place == 1
    return [(day, played[day], won[day]) for day in sorted(played)]


def by_seats(person: Person) -> list[dict[str, Any]]:
    """Return confirmed matches by game, role and number of seats, with first places."""
    matches: dict[tuple[str, str, int], set[UUID]] = {}
    won: Counter[tuple[str, str, int]] = Counter()
    for part in parts(person):
        key = (part.game, part.role, part.players)
        matches.setdefault(key, set()).add(part.match)
        won[key] += part.role == "player" and part.place == 1
    return [
        {"game": key[0], "role": key[1], "players": key[2], "matches": len(matches[key]), "won": won[key]}
        for key in sorted(matches)
    ]


class Meeting(Struct, frozen=True):
    """A match in which two people met: the places of both, and how far the first was ahead after it (matches ahead less matches behind)."""

    match: UUID
    game: str
    on: date
    place: int | None
    other: int | None
    lead: int


def meetings(one: Person, other: Person) -> list[Meeting]:
    """Return all confirmed matches in which two people played against each other, in order of play."""
    rows = SeatDigest.objects.filter(role="player", confirmed=True, present=True)
    theirs = rows.filter(person_id__in=aliases(other), match_id=OuterRef("match_id"))
    met = (
        rows.filter(Exists(theirs), person_id__in=aliases(one))
        .annotate(other=Subquery(theirs.values("place")[:1]))
        .order_by("ended_at", "round", "table", "match_id")
    )
    told, lead = [], 0
    for match, game, on, place, against in met.values_list("match_id", "game", "on", "place", "other"):
        if place is not None and against is not None:
            lead += (place < against) - (place > against)
        told.append(Meeting(match, game, on, place, against, lead))
    return told


def hide(person: Person, kind: str, key: str, *, hidden: bool) -> None:
    """Hide a badge, an honor or the rank on the own public page, or show it again.

    :raises ValueError: for an unknown kind
    """
    if kind not in Hiding.Kind.values:
        raise ValueError(f"no kind {kind!r}; it is one of {', '.join(Hiding.Kind.values)}")
    if hidden:
        Hiding.objects.get_or_create(person=person, kind=kind, key=key[:12])
    else:
        Hiding.objects.filter(person=person, kind=kind, key=key).delete()
