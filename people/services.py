"""Write persons, accounts, handles and grants."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from people import rights
from people.handles import OPERATOR, handle_check, handle_clean, handle_lock
from people.locks import lock
from people.models import Account, Grant, HandleRedirect, Person

SCOPE = re.compile(r"site|(league|tournament|match):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Forbidden(PermissionDenied):
    """Somebody asked for what their roles do not allow.

    :ivar action: the action of :data:`people.rights.MATRIX`
    :ivar needed: in words, who may do it
    """

    def __init__(self, action: str, needed: str = "") -> None:
        self.action = action
        self.needed = needed or rights.who_may(action)
        super().__init__(
            _("You may not do this here: “%(action)s” is for %(needed)s.")
            % {"action": rights.ACTION_NAMES[action], "needed": self.needed}
        )


class OwnerExists(Exception):
    """The site has an owner who can sign in; the first one is made only once."""


def sort_name_of(display_name: str) -> str:
    """Return a first guess of the name that lists are sorted by: "Ada Moreau" → "Moreau, Ada"; one word stays as it is."""
    words = display_name.split()
    return f"{words[-1]}, {' '.join(words[:-1])}" if len(words) > 1 else display_name.strip()


@transaction.atomic
def account_create(
    email: str,
    password: str | None,
    handle: str,
    display_name: str,
    *,
    language: str = "",
    account: Account | None = None,
) -> Account:
    """Make an account and its one person.

    :param password: None makes an account that can sign in only after a password reset
    :param account: an unsaved account to use, where a form has made one
    :raises ValidationError: if the handle is malformed, kept for the site or somebody's
    :raises IntegrityError: if the e-mail address has an account
    """
    handle = handle_clean(handle)
    handle_lock(handle)
    handle_check(handle)
    account = account or Account()
    account.email = email.strip().lower()
    account.language = language
    account.set_password(password)
    account.save()
    name = " ".join(display_name.split())[:120]
    account.person = Person.objects.create(
        account=account, handle=handle, display_name=name, sort_name=sort_name_of(name)
    )
    return account


def person_guest_create(display_name: str, *, is_minor: bool = False, is_demo: bool = False) -> Person:
    """Make a person who cannot sign in. A minor is hidden from the first moment.

    :raises ValueError: for a name without a visible character
    """
    name = " ".join(display_name.split())[:120]
    if not name:
        raise ValueError(_("A guest needs a name, as the score sheet has it."))
    return Person.objects.create(
        display_name=name,
        sort_name=sort_name_of(name),
        is_minor=is_minor,
        is_demo=is_demo,
        privacy=Person.Privacy.HIDDEN if is_minor else Person.Privacy.PUBLIC,
    )


def operator() -> Person:
    """Return the owner of the site who has no sign-in: commands act as this person unless told otherwise."""
    person, made = Person.objects.get_or_create(
        handle=OPERATOR, defaults={"display_name": "Operator", "sort_name": "Operator"}
    )
    if made or not rights.roles(person, []) >= {"owner"}:
        grant_give(person=person, role="owner", scope=rights.SITE, by=None)
    return person


def grant_give(*, person: Person, role: str, scope: str, by: Person | None) -> Grant:
    """Give a person a role in a scope; the same grant again is the same row.

    Who may give it is for the caller to ask. In a league use :func:`league.services.role_give`, which also writes the event.

    :raises ValueError: for an unknown role or a malformed scope
    """
    if role not in Grant.Role.values:
        raise ValueError(f"no role {role!r}; the roles are {', '.join(Grant.Role.values)}")
    if not SCOPE.fullmatch(scope):
        raise ValueError(
            f"no scope {scope!r}; a scope is site, league:ID, tournament:ID or match:ID, with a lower-case UUID"
        )
    grant, _made = Grant.objects.get_or_create(person=person, role=role, scope=scope, defaults={"given_by": by})
    rights.forget_grants(person)
    return grant


def grant_revoke(*, person: Person, role: str, scope: str) -> bool:
    """Take a role from a person, and return whether they held it."""
    gone, _rows = Grant.objects.filter(person=person, role=role, scope=scope).delete()
    rights.forget_grants(person)
    return bool(gone)


def owner_exists() -> bool:
    """Return whether somebody who can sign in owns the site."""
    return Grant.objects.filter(role=Grant.Role.OWNER, scope=rights.SITE, person__account__is_active=True).exists()


@transaction.atomic
def first_owner_create(email: str, password: str, handle: str, display_name: str) -> Account:
    """Make the account of the site's first owner. Of two who ask at once, one gets it.

    :raises OwnerExists: if the site has one
    :raises ValidationError: as :func:`account_create`
    """
    lock("first owner")
    if owner_exists():
        raise OwnerExists(_("This site has an owner already."))
    account = account_create(email, password, handle, display_name)
    grant_give(person=account.person, role="owner", scope=rights.SITE, by=None)
    return account


@transaction.atomic
def handle_change(*, person: Person, handle: str) -> Person:
    """Give a person another handle; the old one leads to them for good.

    :raises ValidationError: if the handle is malformed, kept for the site or somebody else's
    """
    handle = handle_clean(handle)
    handle_lock(handle, *filter(None, [person.handle]))
    person = Person.objects.select_for_update(of=("self",)).select_related("account").get(pk=person.pk)
    if person.handle == handle:
        return person
    handle_check(handle, person=person)
    HandleRedirect.objects.filter(old=handle).delete()
    if person.handle:
        HandleRedirect.objects.create(old=person.handle, person=person)
    person.handle = handle
    person.save(update_fields=["handle"])
    return person


PRIVACY_CHANGED: list[Callable[[Person, Person], None]] = []
"""Called with a person and whoever decided, where who may see the person was changed: the log keeps that."""


@transaction.atomic
def person_update(
    *, person: Person, display_name: str, sort_name: str = "", privacy: str | None = None, by: Person | None = None
) -> Person:
    """Change a person's names and who may see them.

    :param by: who decides; None for the person
    :raises ValueError: for an empty name, or an unknown privacy
    """
    name = " ".join(display_name.split())[:120]
    if not name:
        raise ValueError(_("A person needs a name."))
    if privacy is not None and privacy not in Person.Privacy.values:
        raise ValueError(f"no privacy {privacy!r}; it is one of {', '.join(Person.Privacy.values)}")
    person.display_name = name
    person.sort_name = " ".join(sort_name.split())[:120] or sort_name_of(name)
    changed = privacy is not None and privacy != person.privacy
    person.privacy = privacy if privacy is not None else person.privacy
    person.save(update_fields=["display_name", "sort_name", "privacy"])
    for told in PRIVACY_CHANGED if changed else ():
        told(person, by or person)
    return person
