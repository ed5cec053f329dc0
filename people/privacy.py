"""Who may know whom: `public`, `members` of a shared league, `hidden`.

`people` does not know what a league is. Whoever keeps circles of persons registers, at start-up, one function that answers
who shares a circle with the viewer and whom the viewer looks after there.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from people import rights
from people.models import Person


class Circle(NamedTuple):
    """What a keeper of circles knows about a viewer, as queries over the ids of persons."""

    shared: Callable[[Person], Q]
    """Persons who share a circle with the viewer."""
    managed: Callable[[Collection[str]], Q]
    """Persons in the circles of these scopes."""


CIRCLES: list[Circle] = []
MANAGERS = ("owner", "organizer")


def initials(name: str) -> str:
    """Return the initials of a name of any script: "Ada Moreau" → "A. M."."""
    letters = []
    for word in name.split()[:3]:
        letter = next((at for at, sign in enumerate(word) if unicodedata.category(sign)[0] in "LN"), None)
        if letter is not None:
            end = letter + 1
            while end < len(word) and unicodedata.category(word[end])[0] == "M":
                end += 1
            letters.append(word[letter:end].upper() + ".")
    return " ".join(letters) or "–"


def known_to(viewer: Person | None) -> Q:
    """Return the condition under which a viewer may know a person by name, as a filter of persons."""
    known = Q(privacy=Person.Privacy.PUBLIC)
    if viewer is not None:
        known |= Q(pk=viewer.pk) | _managed(viewer)
        for circle in CIRCLES:
            known |= Q(privacy=Person.Privacy.MEMBERS) & circle.shared(viewer)
    return known & Q(forgotten_at=None)


def listed_for(viewer: Person | None) -> Q:
    """Return the condition under which a person stands in lists and search for a viewer: never if hidden."""
    listed = Q(privacy=Person.Privacy.PUBLIC)
    if viewer is not None:
        for circle in CIRCLES:
            listed |= Q(privacy=Person.Privacy.MEMBERS) & circle.shared(viewer)
        listed |= Q(privacy=Person.Privacy.MEMBERS) & (Q(pk=viewer.pk) | _managed(viewer))
    return listed & Q(forgotten_at=None, joined_into=None)


def _managed(viewer: Person) -> Q:
    """Return the persons whom the viewer, as an owner or organizer, looks after."""
    scopes = rights.scopes_with(viewer, *MANAGERS)
    if rights.SITE in scopes:
        return ~Q(pk=None)
    managed = Q(pk__in=())
    if scopes:
        for circle in CIRCLES:
            managed |= circle.managed(scopes)
    return managed


def known_ids(persons: Iterable[Person], viewer: Person | None) -> set[UUID]:
    """Return the ids of those whom the viewer may know by name, with at most one query for all of them."""
    known: set[UUID] = set()
    ask = []
    for person in persons:
        if person.forgotten_at is not None:
            continue
        if person.privacy == Person.Privacy.PUBLIC or (viewer is not None and person.pk == viewer.pk):
            known.add(person.pk)
        else:
            ask.append(person.pk)
    if ask and viewer is not None:
        known.update(Person.objects.filter(known_to(viewer), pk__in=ask).values_list("pk", flat=True))
    return known


def shown_name(person: Person, *, known: bool) -> str:
    """Return the name of a person, or what stands for it where it may not be known."""
    if person.forgotten_at is not None:
        return _("A forgotten person")
    return person.display_name if known else initials(person.display_name)
