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
    rating_system = models.CharField(
        max_length=10,
        choices=[("openskill", _("OpenSkill, for any number of seats")), ("glicko2", _("Glicko-2, for games of two"))],
        default="openskill",
    )
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


class Season(models.Model):
    """A season of a league, read out of its stream."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    key = models.CharField(max_length=40)
    title = models.CharField(max_length=120)
    opened_on = models.DateField()
    closed_on = models.DateField(null=True, blank=True)
    points = models.JSONField(null=True, help_text=_("By place, first place first; None: n of n players give n."))
    best_n = models.PositiveSmallIntegerField(null=True)
    drop_n = models.PositiveSmallIntegerField(null=True)
    divisions = models.JSONField(
        null=True, help_text=_("Best first: key and ids of the members; None without divisions.")
    )
    moving = models.PositiveSmallIntegerField(default=0, help_text=_("How many move up and down across each border."))
    moves = models.JSONField(null=True, help_text=_("Who moved when the season was closed."))
    table = models.JSONField(null=True, help_text=_("The final table, frozen when the season was closed."))
    champion = models.UUIDField(null=True)
    closed_seq = models.IntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "key"], name="one_season_a_key")]

    def __str__(self) -> str:
        return self.title

    @property
    def purpose(self) -> str:
        """Return the purpose of the season's secret vote."""
        return f"season:{self.league_id}:{self.key}"


class Campaign(models.Model):
    """A campaign of a league: a named series of matches of one game, read out of its stream."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="campaigns")
    key = models.CharField(max_length=40)
    title = models.CharField(max_length=120)
    game = models.CharField(max_length=60)
    opened_on = models.DateField()
    closed_on = models.DateField(null=True, blank=True)
    matches = models.JSONField(default=list)
    placements = models.JSONField(default=list)
    closed_seq = models.IntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "key"], name="one_campaign_a_key")]

    def __str__(self) -> str:
        return self.title


class SportsmanshipVote(models.Model):
    """A vote for another participant of a match, by the code of the voter."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="votes")
    match_id = models.UUIDField()
    voter = models.CharField(max_length=64)
    nominee = models.UUIDField(db_index=True)
    seq = models.IntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match_id", "voter"], name="one_vote_a_match")]


class VoteKey(models.Model):
    """The key of one secret vote; empty once it was destroyed. It is in no backup and no log."""

    purpose = models.CharField(max_length=120, primary_key=True)
    key = models.BinaryField(max_length=32)


class Tournament(models.Model):
    """A tournament. What it is stands in its stream; this row is what lists and rights ask for (:mod:`league.directing.stream`)."""

    class Status(models.TextChoices):
        OPEN = "open", _("Not begun")
        RUNNING = "running", _("Running")
        CLOSED = "closed", _("Over")
        CANCELLED = "cancelled", _("Cancelled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="tournaments")
    slug = models.CharField(max_length=60, unique=True, validators=League._meta.get_field("slug").validators)
    title = models.CharField(max_length=120)
    game = models.CharField(max_length=60, db_index=True)
    season = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN, db_index=True)
    timezone = models.CharField(max_length=60, default="UTC")
    registration_is_open = models.BooleanField(default=False)
    players = models.PositiveIntegerField(default=0, help_text=_("How many have a place."))
    stage = models.PositiveSmallIntegerField(default=0)
    round = models.PositiveSmallIntegerField(default=0, help_text=_("The last published round of the present stage."))
    check_in_code = models.CharField(
        max_length=40, help_text=_("What the QR code of the hall holds; it stands in no log.")
    )
    is_demo = models.BooleanField(default=False)
    seq = models.IntegerField(default=-1, help_text=_("The last entry of its stream that these rows were read from."))
    erased = models.PositiveIntegerField(default=0, help_text=_("How often texts were erased in its stream."))
    opened_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["-opened_at", "id"], name="tournament_by_day")]

    def __str__(self) -> str:
        return self.title

    @property
    def scope(self) -> str:
        """Return the scope of the tournament's roles."""
        return f"tournament:{self.id}"

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return the scopes whose roles hold for the tournament, nearest first."""
        return (self.scope, f"league:{self.league_id}", "site")


class TournamentEntry(models.Model):
    """Somebody in a tournament, read out of its stream."""

    class Status(models.TextChoices):
        PLAYS = "plays", _("Has a place")
        WAITS = "waits", _("On the waiting list")
        GONE = "gone", _("Gave the place back")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="tournament_entries")
    status = models.CharField(max_length=5, choices=Status)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "person"], name="one_entry_a_tournament")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.tournament_id}"


class TournamentTable(models.Model):
    """A table of a round, read out of the tournament's stream, by the id of the match that is played there."""

    match_id = models.UUIDField(primary_key=True)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    stage = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    seats = models.JSONField(help_text=_("Ids of persons in the order of the seats."))
    is_published = models.BooleanField(default=False)
    settled_seq = models.IntegerField(default=-1, help_text=_("The entry of the match that the settled result is of."))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "stage", "round", "number"], name="one_table_a_number",
                deferrable=models.Deferrable.DEFERRED,
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"table {self.number} of round {self.round}"
