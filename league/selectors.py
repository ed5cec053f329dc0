"""Read leagues, their members and officials, under the names that a viewer may know."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.models import League, Member, Season
from matches import selectors as match_selectors
from matches.games import game_name
from matches.models import Match
from people import rights
from people.models import Grant, Person
from people.privacy import listed_for
from people.selectors import person_by_handle, visible_names, with_heads

RECENT = 8


def league_list() -> QuerySet[League]:
    """Return the leagues with the number of their members and matches: open ones first, by name."""
    members = (
        Member.objects.filter(league=OuterRef("pk"), until=None).values("league").annotate(n=Count("pk")).values("n")
    )
    standing = Match.objects.filter(league=OuterRef("pk")).exclude(status=Match.Status.ANNULLED)
    matches = standing.values("league").annotate(n=Count("pk")).values("n")
    return League.objects.annotate(
        member_count=Coalesce(Subquery(members), 0), match_count=Coalesce(Subquery(matches), 0)
    ).order_by("-is_open", "name", "pk")


def members_of(league: League, viewer: Person | None) -> QuerySet[Member]:
    """Return the present members whom the viewer may find in the list, by sort name.

    Nobody hidden is among them, except for those who look after the league.
    """
    members = Member.objects.filter(league=league, until=None).select_related("person__account")
    if not rights.may(viewer, "pair", league.scopes):
        members = members.filter(person__in=Person.objects.filter(listed_for(viewer)))
    return members.order_by("person__sort_name", "pk")


def unlisted_count(league: League, viewer: Person | None) -> int:
    """Return how many members the viewer does not find in the list."""
    return Member.objects.filter(league=league, until=None).count() - members_of(league, viewer).count()


def officials_of(league: League, viewer: Person | None) -> list[dict[str, Any]]:
    """Return who holds which role in the league: rows of person, name, role and its name, the highest role first."""
    grants = list(Grant.objects.filter(scope=league.scope).select_related("person__joined_into"))
    names = visible_names([grant.person for grant in grants], viewer)
    order = {role: at for at, role in enumerate(reversed(rights.GRANTED))}
    rows = [
        {
            "person": grant.person.head,
            "name": names[grant.person_id],
            "role": grant.role,
            "role_name": rights.ROLE_NAMES[grant.role],
        }
        for grant in grants
    ]
    return sorted(rows, key=lambda row: (order[row["role"]], row["name"]))


def recent_matches(league: League, viewer: Person | None) -> list[dict[str, Any]]:
    """Return the matches of the league played last, as lines of a list."""
    matches = list(
        Match.objects.filter(league=league.pk)
        .exclude(status=Match.Status.ANNULLED)
        .order_by("-played_on", "-id")
        .prefetch_related("seats", with_heads("seats__person"))[:RECENT]
    )
    return [
        {"match": match, "title": title, "game": game_name(match.game)}
        for match, title in zip(matches, _titles(matches, viewer), strict=True)
    ]


def _titles(matches: Iterable[Match], viewer: Person | None) -> list[str]:
    """Return for each match the names at its table."""
    tables = [list(match.seats.all()) for match in matches]
    names = visible_names([seat.person for seats in tables for seat in seats if seat.person is not None], viewer)
    return [
        " – ".join(names[seat.person_id] if seat.person_id else seat.sheet_name or seat.seat for seat in seats)
        for seats in tables
    ]


def my_roles(league: League, viewer: Person | None) -> dict[str, bool]:
    """Return what the viewer may do with the league, for the page that offers it."""
    return {action: rights.may(viewer, action, league.scopes) for action in ("record", "pair", "administer")}


def leagues_of(person: Person) -> QuerySet[League]:
    """Return the leagues of which somebody is a member, by name."""
    return League.objects.filter(Q(members__person=person, members__until=None)).order_by(F("name"), "pk")


def league_by_slug(slug: str) -> League | None:
    """Return a league by its short name, or by its id."""
    try:
        return League.objects.filter(Q(slug=slug) | Q(pk=UUID(slug))).first()
    except ValueError:
        return League.objects.filter(slug=slug).first()


def season_on(league: League, day: date) -> Season | None:
    """Return the season of a league to which a day belongs, None if to none."""
    running = Q(closed_on=None) | Q(closed_on__gte=day)
    return league.seasons.filter(running, opened_on__lte=day).order_by("-opened_on").first()


def generals_by_seat(match: Match) -> list[tuple[str, Person]]:
    """Return who was General of which seat in a match of a league, as far as the log gives a handle: nobody is known by name alone."""
    if match.depth != Match.Depth.LOG or match.league is None:
        return []
    told = match_selectors.match_replay(match)
    handles = {
        (seat.seat, str(seat.general["player"]))
        for seat in told.header.seats
        if isinstance(seat.general, dict) and isinstance(seat.general.get("player"), str)
    }
    if told.state is not None:
        handles |= {(office.seat, office.person) for office in told.ruleset.offices(told.carried) if office.person}
    found = []
    for seat, handle in sorted(handles):
        person = person_by_handle(handle)
        if person is not None and Member.objects.filter(league_id=match.league, person=person).exists():
            found.append((seat, person))
    return found


def generals_of(match: Match) -> list[Person]:
    """Return who was General in a match of a league, each once."""
    return list({person.pk: person for _seat, person in generals_by_seat(match)}.values())
