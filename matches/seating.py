"""Who sits where: handles exactly, picks by the recorder, guests; and who may do what at a match."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.acts import Standing
from matches.models import Match, Seat
from matches.scheduled import Scheduled
from people import circles, rights
from people.circles import Circle
from people.models import Person
from people.selectors import heads, person_by_handle
from people.services import person_guest_create
from rulesengine.log import Header

GUEST = "guest"


class Place(Struct):
    """A seat of a file with the person that its handle names, or whom the recorder picked; `note` says what is open."""

    letter: str
    sheet_name: str
    handle: str | None
    person: Person | None
    linked: bool
    note: str = ""


class Where(Struct, frozen=True):
    """Where a match is played: the league its context names, if the site has it, and the scopes whose roles hold there.

    :ivar table: the table of a tournament's round that it was paired for
    """

    circle: Circle | None
    scopes: tuple[str, ...]
    note: str = ""
    table: Scheduled | None = None

    @property
    def is_friendly(self) -> bool:
        """Return whether it belongs to no league."""
        return self.circle is None


def where(header: Header, match_id: UUID, table: Scheduled | None = None) -> Where:
    """Return where the match of a file is played.

    :param table: the table of a tournament's round that it was paired for, where it is one's
    """
    if table is not None:
        return Where(circles.find(str(table.league)), (f"match:{match_id}", *table.scopes[1:]), table=table)
    named = header.context.get("league")
    circle = circles.find(named) if isinstance(named, str) and named else None
    scopes = (f"match:{match_id}", *((circle.scope,) if circle else ()), rights.SITE)
    note = ""
    if named and circle is None:
        note = _(
            "The file names the league “%(league)s”, which this site does not have; the match counts as a friendly."
        ) % {"league": str(named)[:60]}
    return Where(circle, scopes, note)


def places(header: Header, place: Where, *, by: Person, links: Mapping[str, str] | None = None) -> list[Place]:
    """Return who sits where, as far as it is known; nobody is joined by name alone.

    :param links: what the recorder picked: seat letter → id of a person, or `guest`; a handle in the file is not overruled
    :raises ValueError: if a pick is nobody the recorder may pick
    """
    official = is_official(by, place)
    inside: set[UUID] = set()
    if place.circle is not None:
        inside = set(circles.members(place.circle.scope).values_list("pk", flat=True))
    if place.table is not None:
        inside |= {one.pk for one in place.table.seats}
    found = []
    for seat in header.seats:
        person = person_by_handle(seat.player) if seat.player else None
        note = ""
        if seat.player and person is None:
            note = _("Nobody here has the handle @%(handle)s.") % {"handle": seat.player.removeprefix("@")}
        picked = (links or {}).get(seat.seat, "")
        if person is None and picked and picked != GUEST:
            person = pick(picked, place, by=by)
        if person is None and not picked:
            person = _paired_as(seat.name, place.table)
        known = person is not None and (person.pk in inside if place.circle else person.pk == by.pk)
        linked = official and known if place.circle else False
        found.append(Place(seat.seat, seat.name, seat.player, person, linked, note))
    return found


def _paired_as(name: str, table: Scheduled | None) -> Person | None:
    """Return who of those paired at a table has a name, if just one has: it is the pairing that says who they are."""
    wanted = " ".join(name.split()).casefold()
    named = [one for one in table.seats if one.display_name.casefold() == wanted] if table is not None else []
    return named[0] if len(named) == 1 else None


def pick(value: str, place: Where, *, by: Person) -> Person:
    """Return the person whom a recorder picked for a seat: themselves, a member of the league, or one met as a guest of theirs.

    :raises ValueError: in words, for anybody else
    """
    try:
        person = pickable(place, by=by).filter(pk=UUID(value)).first()
    except ValueError:
        person = None
    if person is None:
        raise ValueError(
            _("“%(value)s” is nobody whom you can pick for a seat here; pick from the list, or choose “guest”.")
            % {"value": value[:60]}
        )
    return person.head


def pickable(place: Where, *, by: Person):  # type: ignore[no-untyped-def]
    """Return the persons whom a recorder may pick for a seat without a handle."""
    condition = Q(pk=by.pk)
    if place.table is not None:
        condition = Q(pk__in=[one.pk for one in place.table.seats])
    elif place.circle is not None:
        condition |= circles.inside([place.circle.scope])
    else:
        mine = Seat.objects.filter(match__opened_by=by, person__account=None).values("person")
        condition |= Q(pk__in=mine)
    return Person.objects.filter(condition, joined_into=None, forgotten_at=None).order_by("sort_name", "pk")


def with_guests(found: list[Place], place: Where, *, by: Person, is_demo: bool = False) -> list[Place]:
    """Give every seat without a person a new guest with the name of the sheet."""
    official = is_official(by, place)
    for one in found:
        if one.person is None:
            one.person = person_guest_create(
                one.sheet_name.strip() or _("Seat %(seat)s") % {"seat": one.letter}, is_demo=is_demo
            )
            one.linked = official and place.circle is not None
    return found


def is_official(person: Person | None, place: Where) -> bool:
    """Return whether somebody holds a role in the league of a match."""
    return place.circle is not None and bool(rights.roles(person, place.scopes))


def official_persons(header: Header, place: Where, *, by: Person) -> list[Person | None]:
    """Return the persons of a file's officials: whoever uploads, or members of the league that an official of it names."""
    official = is_official(by, place)
    inside = (
        set(circles.members(place.circle.scope).values_list("pk", flat=True))
        if official and place.circle is not None
        else set()
    )
    persons: list[Person | None] = []
    for one in header.officials:
        person = person_by_handle(one.player) if one.player else None
        known = person is not None and (person.pk == by.pk or person.pk in inside)
        persons.append(person if known else None)
    return persons


def standing_new(header: Header, place: Where, *, by: Person, found: list[Place]) -> Standing:
    """Return what somebody may do with the match of a file that is not recorded yet: they would be the one who opens it."""
    seats = frozenset(one.letter for one in found if one.person is not None and one.person.pk == by.head.pk)
    return Standing(by, place.scopes, seats=seats, friendly=place.is_friendly, opened=True)


def standing(match: Match, person: Person | None) -> Standing:
    """Return what somebody may do at a match."""
    if person is None:
        return Standing(None, match.scopes, seats=frozenset(), friendly=match.is_friendly, opened=False)
    return Standing(
        person,
        match.scopes,
        seats=seats_of(match, person),
        friendly=match.is_friendly,
        opened=match.opened_by_id == person.pk,
    )


def seats_of(match: Match, person: Person) -> frozenset[str]:
    """Return the seats at which a person, under whatever of their records, sits."""
    rows = [seat for seat in match.seats.all() if seat.person_id]
    own = {person.pk, person.head.pk}
    if not rows:
        return frozenset()
    if not any(row.person_id in own for row in rows):
        present = heads(Person.objects.filter(pk__in=[row.person_id for row in rows]))
        return frozenset(row.seat for row in rows if row.person_id and present[row.person_id].pk in own)
    return frozenset(row.seat for row in rows if row.person_id in own)
