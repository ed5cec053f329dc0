"""Leagues as circles of persons: what `people` and `matches` may ask without importing `league`."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from uuid import UUID

from django.db.models import Q

from league.models import League, Member
from people.circles import Circle
from people.models import Person


class Leagues:
    """The keeper of leagues."""

    def find(self, keys: Collection[str]) -> list[Circle]:
        """Return the leagues with these short names or ids."""
        ids = []
        for key in keys:
            with suppress(ValueError):
                ids.append(UUID(str(key)))
        found = League.objects.filter(Q(slug__in=[str(key) for key in keys]) | Q(pk__in=ids))
        return [
            Circle(one.pk, one.slug, one.name, one.scope, one.is_open, one.appeal_hours, one.timezone) for one in found
        ]

    def shared(self, viewer: Person) -> Q:
        """Return the condition for being a present member of a league of which the viewer is one too."""
        own = Member.objects.filter(person=viewer, until=None).values("league")
        return Q(pk__in=Member.objects.filter(league__in=own, until=None).values("person"))

    def inside(self, scopes: Collection[str]) -> Q:
        """Return the condition for being a present member of a league of these scopes."""
        ids = [UUID(scope.removeprefix("league:")) for scope in scopes if scope.startswith("league:")]
        return Q(pk__in=Member.objects.filter(league__in=ids, until=None).values("person"))
