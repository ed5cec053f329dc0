"""Matches, their seats and officials, the append-only log, the texts beside it, uploads and jobs."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Person


class Match(models.Model):
    """A match as its log stands: everything here but the provenance can be read again out of the log."""

    class Depth(models.TextChoices):
        LOG = "log", _("Replayable log")
        SCORE = "score", _("Score only")
        IMPORT = "import", _("Imported result")

    class Status(models.TextChoices):
        SCHEDULED = "scheduled", _("Scheduled")
        RUNNING = "running", _("Running")
        ENDED = "ended", _("Ended, provisional")
        CONFIRMED = "confirmed", _("Confirmed")
        ABANDONED = "abandoned", _("Abandoned")
        ANNULLED = "annulled", _("Annulled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.CharField(max_length=60, db_index=True)
    edition = models.CharField(max_length=40, blank=True)
    depth = models.CharField(max_length=8, choices=Depth, default=Depth.LOG)
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING, db_index=True)
    disputed = models.BooleanField(default=False)
    played_on = models.DateField(db_index=True)
    timezone = models.CharField(max_length=60, default="UTC")
    league = models.UUIDField(null=True, blank=True, db_index=True, help_text=_("None: a friendly."))
    context = models.JSONField(default=dict, blank=True)
    options = models.JSONField(default=dict, blank=True)
    result = models.JSONField(null=True, blank=True)
    seq = models.PositiveIntegerField(default=0)
    head_hash = models.BinaryField(max_length=32, default=bytes)
    ended_at = models.DateTimeField(null=True, blank=True, help_text=_("Moment of the end at the table."))
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text=_("When the confirmation was recorded on the site.")
    )
    opened_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    erased = models.PositiveIntegerField(
        default=0, help_text=_("How often names or texts were erased in it; what was read before is read anew.")
    )
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["-played_on", "-id"], name="match_by_day")]

    @property
    def reading(self) -> bytes:
        """Return what changes whenever the log of the match reads differently: by an entry, or because something was erased."""
        return bytes(self.head_hash) + self.erased.to_bytes(4)

    @property
    def is_friendly(self) -> bool:
        """Return whether the match belongs to no league."""
        return self.league is None

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return the scopes whose roles hold for this match, nearest first."""
        tournament = self.context.get("tournament_id")
        return (
            f"match:{self.id}",
            *((f"tournament:{tournament}",) if tournament else ()),
            *((f"league:{self.league}",) if self.league else ()),
            "site",
        )


class Seat(models.Model):
    """A seat of a match. It counts for a person's career only once it is linked."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    seat = models.CharField(max_length=2)
    position = models.PositiveSmallIntegerField()
    sheet_name = models.CharField(max_length=120, blank=True)
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="seats")
    linked = models.BooleanField(
        default=False, help_text=_("False: a friendly's seat that its person has not signed yet.")
    )
    signed_at = models.DateTimeField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    forfeited = models.BooleanField(default=False, help_text=_("The match was forfeited at this seat."))

    class Meta:
        ordering = ["match", "position"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_row_a_seat")]


class MatchOfficial(models.Model):
    """Somebody who served at the table."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="officials")
    role = models.CharField(max_length=12)
    sheet_name = models.CharField(max_length=120, blank=True)
    person = models.ForeignKey(Person, null=True, blank=True, on_delete=models.PROTECT, related_name="offices")


class Event(models.Model):
    """One row of the log: never changed, never removed. The table is made by plain SQL: migration 0002."""

    position = models.BigIntegerField(primary_key=True)
    xid = models.TextField()
    stream = models.UUIDField()
    seq = models.IntegerField()
    kind = models.TextField()
    type = models.TextField()
    seat = models.TextField(null=True)
    data = models.JSONField()
    event_id = models.UUIDField()
    by = models.UUIDField(null=True)
    acting_as = models.TextField(null=True)
    occurred_at = models.DateTimeField(null=True)
    recorded_at = models.DateTimeField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        managed = False
        db_table = "matches_event"


class Text(models.Model):
    """A free text that an event holds only the salted SHA-256 of. It can be blanked while the chain stays whole."""

    stream = models.UUIDField()
    seq = models.IntegerField()
    field = models.CharField(max_length=80)
    salt = models.CharField(max_length=64)
    text = models.TextField(blank=True)
    blanked_at = models.DateTimeField(null=True, blank=True)
    blanked_by = models.ForeignKey(Person, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    blanked_because = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "seq", "field"], name="one_text_a_field")]


class Citation(models.Model):
    """Where a rule was named in a match: read out of its log, and read again whenever the log grows (:mod:`matches.citations`)."""

    class Kind(models.TextChoices):
        RULING = "ruling", _("A ruling was given by it")
        ACCEPTED = "accepted", _("It forbids an entry that was let stand")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="citations")
    seq = models.PositiveIntegerField()
    rule = models.CharField(max_length=20)
    kind = models.CharField(max_length=8, choices=Kind)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seq"], name="one_citation_an_entry")]
        indexes = [models.Index(fields=["rule", "match"], name="citation_of_rule")]


class Upload(models.Model):
    """A file that somebody sent: checked, then held, recorded or dropped. Nothing of it is in the log before it is recorded."""

    class State(models.TextChoices):
        CHECKED = "checked", _("Checked")
        HELD = "held", _("Held for the referees")
        RECORDED = "recorded", _("Recorded")
        DROPPED = "dropped", _("Dropped")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    raw = models.BinaryField()
    state = models.CharField(max_length=8, choices=State, default=State.CHECKED, db_index=True)
    report = models.JSONField(null=True)
    match_id = models.UUIDField(null=True, db_index=True, help_text=_("The match that the file is, recorded or not."))
    league = models.UUIDField(null=True, blank=True)
    table = models.UUIDField(null=True, blank=True, help_text=_("The match of the table that it was sent for."))
    scope = models.CharField(max_length=60, default="site", help_text=_("Whose referees see it while it is held."))
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    job = models.ForeignKey(
        "Job",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        help_text=_("Checks a large file; it has the progress."),
    )

    class Meta:
        indexes = [models.Index(fields=["by", "-created_at"], name="upload_mine")]


class Job(models.Model):
    """Work to be done by a worker. The row is the job; the message in the queue holds only its id."""

    class State(models.TextChoices):
        NEW = "new", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        STOPPED = "stopped", _("Stopped")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60, db_index=True)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.NEW, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)


class LogCheckpoint(models.Model):
    """A signed statement about the heads of all streams of the log at a moment (:mod:`matches.checkpoints`)."""

    number = models.PositiveIntegerField(primary_key=True)
    at = models.DateTimeField()
    size = models.PositiveIntegerField()
    root = models.BinaryField(max_length=32)
    key = models.CharField(max_length=16, help_text=_("Short name of the key that signed."))
    statement = models.TextField(help_text=_("What was signed, byte for byte."))
    signature = models.BinaryField(max_length=64)


class CheckpointLeaf(models.Model):
    """The head of a stream as it lies under the checkpoints from `since` to `until` (None: the last one)."""

    stream = models.UUIDField()
    seq = models.IntegerField()
    hash = models.BinaryField(max_length=32)
    nonce = models.BinaryField(max_length=16)
    since = models.PositiveIntegerField(db_index=True)
    until = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stream", "since"], name="one_leaf_a_stream")]
