"""What a page tells of a life in games: with whom, on which days, by how many seats, and between any two people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.urls import NoReverseMatch, reverse
from msgspec import Struct

from career.models import Deed, Hiding, SeatDigest
from career.selectors import aliases
from league.models import League
from people.models import Grant, Person

WEEKS = 53
RELATIONS = 5
MEETINGS = 200
OFFICIALS = ("mapmaster", "referee", "scribe", "organizer")


def evidence_url(stream: Any, seq: int) -> str:
    """Return where an entry is seen: in the replay of its match, in the log of its league, else with its proof."""
    return evidence_urls([(stream, seq)])[str(stream), seq]


def evidence_urls(pairs: Iterable[tuple[Any, int]]) -> dict[tuple[str, int], str]:
    """Return where entries are seen, by stream and seq, with two queries for all of them."""
    from matches.models import Match

    wanted = [(str(stream), seq) for stream, seq in pairs]
    ids = {UUID(stream) for stream, _seq in wanted}
    played = {str(one) for one in Match.objects.filter(pk__in=ids).values_list("pk", flat=True)}
    slugs = {str(pk): slug for pk, slug in League.objects.filter(pk__in=ids).values_list("pk", "slug")}
    found = {}
    for stream, seq in wanted:
        if stream in played:
            found[stream, seq] = f"{reverse('match-detail', args=[stream])}?at={seq}"
        elif stream in slugs:
            found[stream, seq] = f"{reverse('league-log', args=[slugs[stream]])}?seq={seq}#{seq}"
        else:
            try:
                found[stream, seq] = reverse("log-prove", args=[stream, seq])
            except NoReverseMatch:
                found[stream, seq] = ""
    return found


class Relation(Struct, frozen=True):
    """Somebody met: how often, how often ahead and behind, and how often on the same side."""

    person: UUID
    matches: int
    ahead: int
    behind: int
    together: int


def relations(person: Person, viewer: Person | None) -> dict[str, list[Relation]]:
    """Return whom a person plays with most, who finished ahead of them most (Nemesis), and with whom they shared a seat (ally).

    Only people whom the viewer may find in lists are named. At most five of each.
    """
    from people.privacy import listed_for

    mine = aliases(person)
    own = SeatDigest.objects.filter(person_id__in=mine, role__in=("player", "general"), confirmed=True, present=True)
    rows = list(own.values_list("match_id", "seat", "place"))
    seats = {match: (seat, place) for match, seat, place in rows}
    others = SeatDigest.objects.filter(
        match_id__in=own.values("match_id"), role__in=("player", "general"), confirmed=True, present=True
    ).exclude(person_id__in=mine)
    met: dict[UUID, Counter[str]] = {}
    heads = {
        one.pk: one.head.pk
        for one in Person.objects.filter(pk__in=others.values("person_id")).select_related("joined_into")
    }
    for match, other, seat, place in others.values_list("match_id", "person_id", "seat", "place"):
        own_seat, own_place = seats[match]
        count = met.setdefault(heads.get(other, other), Counter())
        if seat == own_seat:
            count["together"] += 1
            continue
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


def heat(person: Person, today: date) -> list[tuple[date, int, int]]:
    """Return the days of the last 53 weeks on which the person played: day, matches, first places; oldest first."""
    first = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    rows = (
        SeatDigest.objects.filter(
            person_id__in=aliases(person), role="player", present=True, confirmed=True, on__gte=first, on__lte=today
        )
        .values("on")
        .annotate(played=Count("match_id"), won=Count("match_id", filter=Q(place=1)))
        .order_by("on")
    )
    return [(row["on"], row["played"], row["won"]) for row in rows]


def by_seats(person: Person) -> list[dict[str, Any]]:
    """Return confirmed matches by game, role and number of seats, with first places."""
    rows = (
        SeatDigest.objects.filter(person_id__in=aliases(person), confirmed=True, present=True)
        .values("game", "role", "players")
        .annotate(
            matches=Count("match_id", distinct=True),
            won=Count("match_id", filter=Q(place=1, role="player"), distinct=True),
        )
        .order_by("game", "role", "players")
    )
    return [dict(row) for row in rows]


class Meeting(Struct, frozen=True):
    """A match in which two people met: the places of both."""

    match: UUID
    game: str
    on: date
    place: int | None
    other: int | None


def meetings(one: Person, other: Person) -> list[Meeting]:
    """Return the confirmed matches in which two people played against each other, oldest first, the last 200."""
    mine, theirs = aliases(one), aliases(other)
    rows = SeatDigest.objects.filter(role="player", confirmed=True, present=True)
    shared = rows.filter(person_id__in=theirs).values("match_id")
    both = rows.filter(match_id__in=rows.filter(person_id__in=mine, match_id__in=shared).values("match_id"))
    ordered = both.filter(person_id__in=[*mine, *theirs]).order_by("-ended_at", "-round", "-table", "-match_id")
    pairs: dict[UUID, dict[str, Any]] = {}
    for row in ordered[: 2 * MEETINGS]:
        pair = pairs.setdefault(row.match_id, {"game": row.game, "on": row.on})
        pair["place" if row.person_id in mine else "other"] = row.place
    told = [
        Meeting(match, pair["game"], pair["on"], pair.get("place"), pair.get("other")) for match, pair in pairs.items()
    ]
    return told[::-1]


def seasons(person: Person) -> list[dict[str, Any]]:
    """Return the closed seasons, campaigns and tournaments that a person was placed in, newest first, at most 50."""
    ids = {str(one) for one in aliases(person)}
    rows = Deed.objects.filter(
        person_id__in=aliases(person), type__in=("season_closed", "campaign_closed", "tournament_closed")
    ).order_by("-at", "-seq")[:50]
    names = dict(League.objects.filter(pk__in={one.stream for one in rows}).values_list("pk", "name"))
    told = []
    for one in rows:
        table = one.data.get("table") or one.data.get("placements") or ()
        mine: dict[str, Any] = next((row for row in table if str(row.get("person")) in ids), {})
        told.append(
            {
                "type": one.type, "key": one.data.get("season") or one.data.get("campaign") or "", "league": names.get(one.stream, ""),
                "place": mine.get("place"), "of": len(table), "points": mine.get("points"), "on": one.on, "stream": one.stream, "seq": one.seq,
            }
        )  # fmt: skip
    return told


def suspended(person: Person, on: date) -> Deed | None:
    """Return the entry by which a person's rank is hidden on a day (ROD-19), None if it is not."""
    rows = Deed.objects.filter(person_id__in=aliases(person), type__in=("rank_suspended", "rank_restored")).order_by(
        "at", "seq"
    )
    held: dict[UUID, Deed] = {}
    for one in rows:
        if one.type == "rank_suspended":
            held[one.stream] = one
        else:
            held.pop(one.stream, None)
    return next((one for one in held.values() if one.data["until"] >= on.isoformat()), None)


def is_official(person: Person) -> bool:
    """Return whether a person holds an office, so that the rank is always shown (ROD-08)."""
    return Grant.objects.filter(person=person, role__in=OFFICIALS).exists()


def hidden_of(person: Person) -> set[tuple[str, str]]:
    """Return what a person hides on the public page: pairs of kind and key."""
    return set(Hiding.objects.filter(person=person).values_list("kind", "key"))


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
