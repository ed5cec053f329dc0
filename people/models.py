"""Accounts, persons and guests, and the roles they hold. Rights that follow from roles: :mod:`people.rights`."""

from __future__ import annotations

import re
import secrets
import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

HANDLE = RegexValidator(
    r"^[a-z0-9][a-z0-9_-]{1,29}\Z",
    _("A handle has 2 to 30 of the characters a–z, 0–9, _ and -, and begins with a letter or digit."),
)


class AccountManager(BaseUserManager["Account"]):
    """Make accounts the way Django's own tools ask for them; like everybody's, such an account has its person."""

    def create_user(
        self, email: str, password: str | None = None, *, handle: str = "", display_name: str = "", **more: Any
    ) -> Account:
        """Return a new account. Without a handle its person gets one made of the e-mail address."""
        from people import services

        local = email.partition("@")[0]
        made = re.sub(r"[^a-z0-9_-]+", "-", local.lower()).strip("-_")[:20] or "account"
        return services.account_create(
            email,
            password,
            handle or f"{made}-{secrets.token_hex(3)}",
            display_name or local,
            account=self.model(**more),
        )

    def create_superuser(self, email: str, password: str | None = None, **more: Any) -> Account:
        """Return a new account that may use Django's own tools. It does not make an owner of the site."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **more)


class Account(AbstractBaseUser, PermissionsMixin):
    """A sign-in. It has exactly one person."""

    email = models.EmailField(_("e-mail address"), unique=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    language = models.CharField(max_length=10, blank=True)
    date_joined = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = AccountManager()

    def __str__(self) -> str:
        return self.email


class Person(models.Model):
    """A human in the record. Without an account: a guest."""

    class Privacy(models.TextChoices):
        PUBLIC = "public", _("Public")
        MEMBERS = "members", _("Members of a shared league")
        HIDDEN = "hidden", _("Hidden")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.OneToOneField(Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="person")
    handle = models.CharField(max_length=30, unique=True, null=True, blank=True, validators=[HANDLE])
    display_name = models.CharField(max_length=120)
    sort_name = models.CharField(max_length=120, db_index=True)
    privacy = models.CharField(max_length=10, choices=Privacy, default=Privacy.PUBLIC)
    is_minor = models.BooleanField(default=False)
    is_demo = models.BooleanField(default=False)
    joined_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="joined_from")
    forgotten_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.display_name

    @property
    def is_guest(self) -> bool:
        """Return whether nobody can sign in as this person."""
        return self.account_id is None

    @property
    def head(self) -> Person:
        """Return the person that this record is joined into at present, or itself."""
        person = self
        while person.joined_into is not None:
            person = person.joined_into
        return person


class HandleRedirect(models.Model):
    """A handle that somebody had before: it leads to them for good."""

    old = models.CharField(max_length=30, primary_key=True)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="old_handles")

    def __str__(self) -> str:
        return self.old


class Grant(models.Model):
    """A role that a person holds in a scope (`site`, `league:ID`, `tournament:ID`, `match:ID`) and all below it."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        ORGANIZER = "organizer", _("Organizer")
        MAPMASTER = "mapmaster", _("MapMaster")
        REFEREE = "referee", _("Referee")
        SCRIBE = "scribe", _("Scribe")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=12, choices=Role)
    scope = models.CharField(max_length=60, db_index=True)
    given_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "role", "scope"], name="one_grant_each")]

    def __str__(self) -> str:
        return f"{self.person_id} {self.role} {self.scope}"


class OutboxMail(models.Model):
    """A mail to be sent: a row first, so that nothing is lost with the queue."""

    class State(models.TextChoices):
        NEW = "new", _("Waiting")
        SENT = "sent", _("Sent")
        FAILED = "failed", _("Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    to = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    state = models.CharField(max_length=8, choices=State, default=State.NEW, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    try_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.subject} ({self.state})"


class Notice(models.Model):
    """Something that somebody should know: the name of a sentence, and the words that go into it (:mod:`people.notices`)."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=30)
    what = models.CharField(max_length=40)
    words = models.JSONField(default=dict, blank=True)
    url = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["person", "-created_at"], name="inbox_of_person")]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "kind", "what", "url"],
                condition=models.Q(read_at=None),
                name="told_once_while_unread",
            )
        ]


class NoticeSetting(models.Model):
    """Whether somebody wants a kind of notice in the inbox and by mail. Without a row: in the inbox only."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="notice_settings")
    kind = models.CharField(max_length=30)
    inbox = models.BooleanField(default=True)
    mail = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "kind"], name="one_setting_a_kind")]
