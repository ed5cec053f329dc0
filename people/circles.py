"""Circles of persons, such as leagues, as far as those below them need to know.

`people` and `matches` do not import `league`. Whoever keeps circles registers here at start-up and answers for them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol
from uuid import UUID

from django.db.models import Q, QuerySet

from people.models import Person


class Circle(NamedTuple):
    """A circle as others refer to it."""

    id: UUID
    key: str
    """The short name that files and addresses use."""
    name: str
    scope: str
    """Where its roles hold: `league:ID`."""
    is_open: bool
    appeal_hours: int
    timezone: str


class Keeper(Protocol):
    """Who knows the circles of one kind. Conditions are filters of :class:`people.models.Person`."""

    def find(self, keys: Collection[str]) -> list[Circle]:
        """Return the circles with these short names or ids."""

    def shared(self, viewer: Person) -> Q:
        """Return the condition for sharing a circle with the viewer."""

    def inside(self, scopes: Collection[str]) -> Q:
        """Return the condition for being in a circle of one of these scopes."""


KEEPERS: list[Keeper] = []


def find(key: str) -> Circle | None:
    """Return the circle with this short name or id (`winter`, or its UUID); None if there is none."""
    return next((circle for keeper in KEEPERS for circle in keeper.find([key])), None)


def circles(keys: Collection[str]) -> dict[UUID, Circle]:
    """Return the circles with these short names or ids, by id, for lists: one query for all of them."""
    return {circle.id: circle for keeper in KEEPERS for circle in keeper.find(keys)} if keys else {}


def members(scope: str) -> QuerySet[Person]:
    """Return the present members of the circle of a scope."""
    return Person.objects.filter(inside([scope]))


def shared(viewer: Person) -> Q:
    """Return the condition for sharing any circle with the viewer."""
    condition = Q(pk__in=())
    for keeper in KEEPERS:
        condition |= keeper.shared(viewer)
    return condition


def inside(scopes: Collection[str]) -> Q:
    """Return the condition for being in any circle of these scopes."""
    condition = Q(pk__in=())
    for keeper in KEEPERS:
        condition |= keeper.inside(scopes)
    return condition
