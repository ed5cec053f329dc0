"""What a reader may see of matches: the names at the table, titles, what may stand in a page's head."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.utils import formats
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.games import game_name
from matches.models import Match, Seat
from matches.words import Names
from people.models import Person
from people.selectors import heads, visible_names

SEATS = "abcdefgh"


class Place(Struct, frozen=True):
    """A seat as it is shown: its letter, the class of its colour and shape, the name, and the person where one may be linked."""

    letter: str
    css: str
    name: str
    person: Person | None
    seat: Seat


class Shown(Struct, frozen=True):
    """A match as a reader may see it. `head_title` is for titles and previews of pages: nobody hidden is named there."""

    match: Match
    places: tuple[Place, ...]
    title: str
    head_title: str
    is_private: bool
    """Whether somebody at the table is not public: then no search engine is let in."""

    @property
    def names(self) -> Names:
        """Return the names by seat, for sentences."""
        return Names({place.letter: place.name for place in self.places})

    @property
    def winners(self) -> str:
        """Return who won, as names in a row; empty where nobody did or everybody."""
        won = [place.name for place in self.places if place.seat.place == 1]
        return ", ".join(won) if len(won) < len(self.places) else ""

    @property
    def game(self) -> str:
        """Return what people call the game."""
        return game_name(self.match.game)

    def official(self, row: Any, names: dict[UUID, str]) -> str:
        """Return the name of an official."""
        return names.get(row.person_id) or row.sheet_name


def seat_css(letter: str) -> str:
    """Return the class part of a seat's colour: seats past the eighth share them again."""
    return SEATS[(ord(letter[:1].upper() or "A") - ord("A")) % len(SEATS)]


def shown(matches: Iterable[Match], viewer: Person | None) -> list[Shown]:
    """Return matches as a viewer may see them; their seats and persons should be prefetched. One question about names for all."""
    found = list(matches)
    persons = [seat.person for match in found for seat in match.seats.all() if seat.person is not None]
    names, present = visible_names(persons, viewer), heads(persons)
    return [_shown(match, names, present) for match in found]


def _shown(match: Match, names: dict[UUID, str], present: dict[UUID, Person]) -> Shown:
    places, private = [], False
    for seat in match.seats.all():
        person = present[seat.person_id] if seat.person_id else None
        name = names[seat.person_id] if seat.person_id else ""
        if person is not None and person.privacy != Person.Privacy.PUBLIC:
            private = True
        if person is None or (not seat.linked and name == person.display_name and seat.sheet_name):
            name = seat.sheet_name or _("Seat %(seat)s") % {"seat": seat.seat}
        places.append(Place(seat.seat, seat_css(seat.seat), name, person if seat.linked else None, seat))
    title = " – ".join(place.name for place in places) or game_name(match.game)
    day = formats.date_format(match.played_on)
    head = _("%(game)s, %(day)s") % {"game": game_name(match.game), "day": day}
    return Shown(match, tuple(places), title, head if private else title, private)
