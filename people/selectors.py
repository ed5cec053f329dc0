"""Read persons: by handle, by who may see them, under the name that a viewer may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from people import rights
from people.handles import OPERATOR, handle_clean
from people.models import Account, HandleRedirect, Person
from people.privacy import known_ids, listed_for, shown_name


def viewer_of(request: HttpRequest | Any) -> Person | None:
    """Return the person who asks, or None for a stranger. Works for a page's request and for the API's."""
    user = getattr(request, "user", None)
    return user.person if user is not None and user.is_authenticated else None


def signed_in(request: HttpRequest) -> Account:
    """Return the account that asks.

    :raises PermissionDenied: for a stranger; a page that says `login_required` has asked them to sign in before
    """
    if not request.user.is_authenticated:
        raise PermissionDenied(_("Sign in first."))
    return request.user


def person_by_handle(handle: str) -> Person | None:
    """Return whose handle this is, or was, as their present head; None if nobody's."""
    handle = handle_clean(handle)
    person = Person.objects.select_related("joined_into").filter(handle=handle).first()
    if person is None:
        old = HandleRedirect.objects.select_related("person__joined_into").filter(old=handle).first()
        person = old.person if old is not None else None
    return person.head if person is not None else None


def heads(persons: Iterable[Person]) -> dict[UUID, Person]:
    """Return the present head of each person, by the id asked for; as many queries as joins are deep, mostly none."""
    present = {person.pk: person for person in persons}
    while joined := {person.joined_into_id for person in present.values() if person.joined_into_id}:
        into = Person.objects.in_bulk(joined)
        present = {pk: into[one.joined_into_id] if one.joined_into_id else one for pk, one in present.items()}
    return present


def visible_name(person: Person, viewer: Person | None) -> str:
    """Return the name under which a viewer may know a person: the initials where privacy says so."""
    return visible_names([person], viewer)[person.pk]


def visible_names(persons: Iterable[Person], viewer: Person | None) -> dict[UUID, str]:
    """Return for each person's id the name under which the viewer may know them (that of their head, once joined).

    The number of queries does not grow with the number of persons.
    """
    present = heads(persons)
    known = known_ids(present.values(), viewer)
    return {pk: shown_name(person, known=person.pk in known) for pk, person in present.items()}


def may_see(person: Person, viewer: Person | None) -> bool:
    """Return whether a viewer may see a person's page."""
    return person.pk in known_ids([person], viewer)


def visible_persons(viewer: Person | None) -> QuerySet[Person]:
    """Return those whom a viewer may find in lists and by search, by sort name. Nobody hidden, joined or forgotten."""
    return Person.objects.filter(listed_for(viewer)).exclude(handle=OPERATOR).order_by("sort_name", "pk")


def with_heads(name: str) -> Prefetch[str]:
    """Return a prefetch of persons by relation that makes :attr:`Person.head` free of queries for the usual depth."""
    return Prefetch(name, queryset=Person.objects.select_related("joined_into__joined_into"))


def account_by_handle(handle: str) -> Account | None:
    """Return the account that signs in under a handle, present or old; None if nobody can."""
    person = person_by_handle(handle)
    return Account.objects.filter(person=person).first() if person is not None else None


def matrix() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the table of rights in words: for each action its name and, for each role, (condition, words), "" for no."""
    return [
        (
            str(rights.ACTION_NAMES[action]),
            [(row[role], str(rights.CONDITION_NAMES[row[role]])) if role in row else ("", "") for role in rights.ROLES],
        )
        for action, row in rights.MATRIX.items()
    ]
