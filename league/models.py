"""Leagues and their members. What happens in a league is a stream of the log; these rows are read out of it."""

from __future__ import annotations

import uuid

from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Person


class League(models.Model):
    """A league: the scope of roles, members and matches."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.CharField(
        max_length=60,
        unique=True,
        validators=[
            RegexValidator(
                r"^[a-z0-9][a-z0-9-]{1,59}\Z", _("A short name has 2 to 60 of the characters a–z, 0–9 and -.")
            )
        ],
    )
    name = models.CharField(max_length=120)
    is_open = models.BooleanField(default=True)
    appeal_hours = models.PositiveSmallIntegerField(default=72)
    timezone = models.CharField(max_length=60, default="UTC")
    is_demo = models.BooleanField(default=False)
    seq = models.IntegerField(default=-1, help_text=_("The last entry of its stream that these rows were read from."))
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def scope(self) -> str:
        """Return the scope of the league's roles."""
        return f"league:{self.id}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return the scopes whose roles hold for the league, nearest first."""
        return (self.scope, "site")


class Member(models.Model):
    """A person's membership of a league."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="memberships")
    since = models.DateField()
    until = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "person"], name="one_membership_each")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.league_id}"
