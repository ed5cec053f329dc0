"""Who may know whom: `public`, `members` of a shared league, `hidden`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from people import circles, rights
from people.models import Person

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
        known |= Q(pk=viewer.pk) | looked_after(viewer) | (Q(privacy=Person.Privacy.MEMBERS) & circles.shared(viewer))
    return known & Q(forgotten_at=None)


def listed_for(viewer: Person | None) -> Q:
    """Return the condition under which a person stands in lists and search for a viewer: never if hidden."""
    listed = Q(privacy=Person.Privacy.PUBLIC)
    if viewer is not None:
        listed |= Q(privacy=Person.Privacy.MEMBERS) & (Q(pk=viewer.pk) | looked_after(viewer) | circles.shared(viewer))
    return listed & Q(forgotten_at=None, joined_into=None)


def looked_after(viewer: Person) -> Q:
    """Return the condition for those whom the viewer looks after as an owner or organizer: all, for those of the site."""
    scopes = rights.scopes_with(viewer, *MANAGERS)
    if rights.SITE in scopes:
        return Q(pk__isnull=False)
    return circles.inside(scopes) if scopes else Q(pk__in=())


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
