"""Projections of the log. Every row can be dropped and derived again; `Checkpoint` says how far the log has been read."""

from __future__ import annotations

from math import isqrt

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Person


class Checkpoint(models.Model):
    """How far one projection has read the log: the pair (xid, position) of the last entry read."""

    name = models.CharField(max_length=40, primary_key=True)
    xid = models.CharField(max_length=20, default="0")
    position = models.BigIntegerField(default=0)
    moved_at = models.DateTimeField(auto_now=True)


class Digest(models.Model):
    """What one replay of an ended match told: the present version of its result and those that corrections replaced."""

    match_id = models.UUIDField(primary_key=True)
    key = models.CharField(
        max_length=120, help_text=_("Edition, catalogue version and last seq that it was made from.")
    )
    ended_at = models.DateTimeField(db_index=True)
    data = models.JSONField()


class SeatDigest(models.Model):
    """One person's part in one match, as the present version of its digest tells it."""

    match_id = models.UUIDField(db_index=True)
    person_id = models.UUIDField(db_index=True)
    game = models.CharField(max_length=60)
    role = models.CharField(max_length=12)
    seat = models.CharField(max_length=2, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    players = models.PositiveSmallIntegerField(default=0)
    confirmed = models.BooleanField(default=False)
    forfeited = models.BooleanField(default=False, help_text=_("A forfeited match is not credited."))
    confirmed_seq = models.IntegerField(
        null=True, blank=True, help_text=_("The confirmation: evidence of what it changed.")
    )
    present = models.BooleanField(
        default=True, help_text=_("False: only a replaced version of the result names the person.")
    )
    on = models.DateField()
    ended_at = models.DateTimeField()
    round = models.IntegerField(default=0)
    table = models.IntegerField(default=0)
    league_id = models.UUIDField(null=True, blank=True)
    alliances = models.CharField(
        max_length=60,
        blank=True,
        help_text=_("Alliances in force at the end, joined by commas: two seats of a match share one."),
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match_id", "person_id", "role", "seat"], name="one_part_each")]
        indexes = [
            models.Index(fields=["person_id", "-ended_at"], name="career_by_time"),
            models.Index(fields=["league_id", "on"], name="career_of_league"),
        ]


class DeedsInForce(models.Manager["Deed"]):
    """Deeds that no later entry of their stream took back."""

    def get_queryset(self) -> models.QuerySet[Deed]:
        return super().get_queryset().filter(taken_back_seq=None)


class Deed(models.Model):
    """An event of a league's, tournament's or person's stream as it concerns one person (:mod:`career.deeds`).

    `objects` are the deeds in force, `every` those too that were taken back: from them it is told what they had earned.
    """

    stream = models.UUIDField()
    seq = models.IntegerField()
    type = models.CharField(max_length=40)
    on = models.DateField()
    at = models.DateTimeField(help_text=_("Its place in the order of play."))
    person_id = models.UUIDField()
    role = models.CharField(max_length=12)
    match_id = models.UUIDField(null=True, blank=True)
    is_league = models.BooleanField(default=True, help_text=_("False: the stream is no league's."))
    data = models.JSONField()
    taken_back_seq = models.IntegerField(
        null=True, blank=True, help_text=_("The entry of the stream that took it back.")
    )
    taken_back_on = models.DateField(null=True, blank=True)

    every = models.Manager()
    objects = DeedsInForce()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "seq", "person_id", "role"], name="one_deed_each")]
        indexes = [models.Index(fields=["person_id", "type"], name="deeds_of_person")]


class RankEntry(models.Model):
    """A rank that a person attained, or attained once and lost when a correction took its basis away."""

    person_id = models.UUIDField(db_index=True)
    rank = models.CharField(max_length=12)
    on = models.DateField()
    order = models.JSONField(help_text=_("Place in the order of play of the match that met the last criterion."))
    stream = models.UUIDField()
    seq = models.IntegerField()
    withdrawn_on = models.DateField(null=True, blank=True)
    withdrawn_by = models.JSONField(null=True, blank=True, help_text=_("Stream and seq of the correction."))

    class Meta:
        indexes = [models.Index(fields=["person_id", "on"], name="ranks_of_person")]


class Standing(models.Model):
    """Where a person stands on the ladder: the figures that ranks ask for, and what gave each learning credit."""

    person_id = models.UUIDField(primary_key=True)
    matches = models.PositiveIntegerField()
    learning = models.PositiveIntegerField()
    active_years = models.JSONField(help_text=_("Calendar years, oldest first."))
    credits = models.JSONField(help_text=_("Rule, unit, value, day and evidence of each learning credit."))
    renown = models.PositiveIntegerField(
        default=0, help_text=_("What the career level of a King is made of. It is ceremony: no engine reads it.")
    )

    @property
    def career_level(self) -> int:
        """Return the career level of the person's King (ROD-30): level n from a renown of n(n − 1)/2 on."""
        return (1 + isqrt(1 + 8 * self.renown)) // 2


class Award(models.Model):
    """A tier of a badge that a person earned, provisionally until the match is confirmed, or had withdrawn."""

    class Status(models.TextChoices):
        PROVISIONAL = "provisional", _("Provisional")
        FINAL = "final", _("Final")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    person_id = models.UUIDField(db_index=True)
    badge = models.CharField(max_length=12, db_index=True)
    tier = models.CharField(max_length=6)
    status = models.CharField(max_length=12, choices=Status)
    on = models.DateField()
    value = models.PositiveIntegerField()
    evidence = models.JSONField()
    match_id = models.UUIDField(db_index=True)
    catalogue = models.CharField(max_length=12)
    withdrawn_on = models.DateField(null=True, blank=True)
    withdrawn_by = models.JSONField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["badge", "status", "-on", "person_id"], name="holders_of_badge")]


class RatingStep(models.Model):
    """What one match did to somebody's rating. In order of play, they are the history of the rating."""

    class System(models.TextChoices):
        OPENSKILL = "openskill", _("OpenSkill")
        GLICKO2 = "glicko2", _("Glicko-2")

    system = models.CharField(max_length=10, choices=System)
    game = models.CharField(max_length=60)
    league_id = models.UUIDField(null=True, blank=True, help_text=_("None: rated among everybody on the site."))
    match_id = models.UUIDField()
    person_id = models.UUIDField()
    ended_at = models.DateTimeField()
    round = models.IntegerField()
    table = models.IntegerField()
    on = models.DateField()
    seq = models.IntegerField()
    place = models.PositiveSmallIntegerField()
    before = models.FloatField()
    before_deviation = models.FloatField()
    after = models.FloatField()
    after_deviation = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["system", "match_id", "person_id"], name="one_step_a_match")]
        indexes = [
            models.Index(fields=["system", "game", "ended_at", "round", "table", "match_id"], name="rated_in_order"),
            models.Index(fields=["person_id", "system", "game", "-ended_at"], name="rating_of_person"),
        ]


class Rating(models.Model):
    """Where somebody's rating stands: the last of its steps, and the highest."""

    system = models.CharField(max_length=10, choices=RatingStep.System)
    game = models.CharField(max_length=60)
    league_id = models.UUIDField(null=True, blank=True)
    person_id = models.UUIDField()
    value = models.FloatField()
    deviation = models.FloatField()
    conservative = models.FloatField(help_text=_("What the strength is at least: leaderboards go by it."))
    peak = models.FloatField()
    matches = models.PositiveIntegerField()
    on = models.DateField()
    edition = models.CharField(max_length=12)

    class Meta:
        indexes = [
            models.Index(fields=["system", "game", "league_id", "-conservative", "person_id"], name="leaderboard"),
            models.Index(fields=["person_id"], name="ratings_of_person"),
        ]


class RatingChange(models.Model):
    """A line of the ledger: a rating that was shown, and what a late or corrected match made of it. Kept as it happened."""

    system = models.CharField(max_length=10, choices=RatingStep.System)
    game = models.CharField(max_length=60)
    league_id = models.UUIDField(null=True, blank=True)
    person_id = models.UUIDField(db_index=True)
    old = models.FloatField(null=True)
    new = models.FloatField(null=True)
    cause = models.UUIDField(
        null=True, help_text=_("The match that came late or was corrected; None for a join or split.")
    )
    at = models.DateTimeField(auto_now_add=True)


class Nomination(models.Model):
    """A nomination for an honor, read out of the stream of its league."""

    class Status(models.TextChoices):
        SECONDING = "seconding", _("Waits to be seconded")
        VOTING = "voting", _("The peers vote")
        DECIDING = "deciding", _("Waits for the organizers")
        BESTOWED = "bestowed", _("Bestowed")
        LAPSED = "lapsed", _("Came to nothing")

    id = models.UUIDField(primary_key=True)
    league_id = models.UUIDField(db_index=True)
    honor = models.CharField(max_length=8)
    person_id = models.UUIDField(db_index=True)
    nominator_id = models.UUIDField(null=True)
    status = models.CharField(max_length=10, choices=Status, db_index=True)
    seq = models.IntegerField()
    opened_at = models.DateTimeField()
    until = models.DateTimeField(null=True, help_text=_("The deadline of the present step, if it has one."))
    seconders = models.JSONField(default=list)
    approvals = models.JSONField(default=list)
    yes = models.PositiveIntegerField(null=True)
    no = models.PositiveIntegerField(null=True)
    why = models.CharField(max_length=20, blank=True)

    @property
    def purpose(self) -> str:
        """Return the purpose of its secret vote."""
        return f"nomination:{self.pk}"


class Ballot(models.Model):
    """A vote of a peer, by the code of the voter."""

    nomination = models.ForeignKey(Nomination, on_delete=models.CASCADE, related_name="ballots")
    voter = models.CharField(max_length=64)
    yes = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["nomination", "voter"], name="one_ballot_a_voter")]


class Honor(models.Model):
    """An honor that was bestowed on somebody, read out of the stream of its league."""

    class Status(models.TextChoices):
        HELD = "held", _("Held")
        DECLINED = "declined", _("Declined")
        REVOKED = "revoked", _("Revoked")

    league_id = models.UUIDField(db_index=True)
    honor = models.CharField(max_length=8)
    person_id = models.UUIDField(db_index=True)
    step = models.PositiveSmallIntegerField()
    on = models.DateField()
    seq = models.IntegerField(help_text=_("The entry that bestowed it; its citation lies beside the log."))
    by = models.JSONField(default=list)
    figures = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status, default=Status.HELD)
    changed_seq = models.IntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["league_id", "honor", "person_id", "step"], name="one_honor_a_step")
        ]


class Review(models.Model):
    """A review of an honor: whether it is revoked, or given back."""

    id = models.UUIDField(primary_key=True)
    held = models.ForeignKey(Honor, on_delete=models.CASCADE, related_name="reviews")
    why = models.CharField(max_length=12)
    proposer_id = models.UUIDField(null=True)
    match_id = models.UUIDField(null=True)
    match_seq = models.IntegerField(null=True)
    seq = models.IntegerField()
    until = models.DateTimeField()
    heard_seq = models.IntegerField(null=True)
    votes = models.JSONField(default=dict, help_text=_("Organizer → whether to revoke (or to give back)."))
    is_open = models.BooleanField(default=True, db_index=True)


class Relation(models.Model):
    """A relation that an organizer declared: on that person they do not decide."""

    league_id = models.UUIDField()
    organizer_id = models.UUIDField()
    person_id = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["league_id", "organizer_id", "person_id"], name="one_relation_each")
        ]


class Hiding(models.Model):
    """What a person does not want on the public page: a badge, an honor, or the rank (ROD-08). Not derived."""

    class Kind(models.TextChoices):
        BADGE = "badge", _("Badge")
        HONOR = "honor", _("Honor")
        RANK = "rank", _("Rank")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="hidings")
    kind = models.CharField(max_length=8, choices=Kind)
    key = models.CharField(max_length=12, blank=True, help_text=_("Of the badge or honor; empty for the rank."))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "kind", "key"], name="one_hiding_each")]


class Poisoned(models.Model):
    """A match whose digest failed, or a stream that could not be read: it stops only itself and waits for an operator."""

    match_id = models.UUIDField(primary_key=True)
    error = models.TextField()
    since = models.DateTimeField(auto_now_add=True)
    tries = models.PositiveIntegerField(default=1)


class LessonAttempt(models.Model):
    """One self-test of a lesson: what was asked, what was answered. Not derived: it is kept as it happened."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="lesson_attempts")
    lesson = models.CharField(max_length=12)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    questions = models.JSONField(help_text=_("With the right answers; see career.learning.questions."))
    answers = models.JSONField(default=dict, help_text=_("By the number of the question, from 1."))
    score = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("Percent, once it is finished."))
    recorded = models.BooleanField(default=False, help_text=_("True: it is the test by which the lesson was passed."))

    class Meta:
        indexes = [models.Index(fields=["person", "lesson"], name="attempts_of_person")]

    @property
    def right(self) -> int:
        """Return how many answers are right so far."""
        return sum(self.answers.get(str(number)) == one["answer"] for number, one in enumerate(self.questions, 1))
