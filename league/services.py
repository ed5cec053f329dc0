"""Write leagues: open, members, roles, settings, closing. Each is an entry of the league's stream."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from uuid import uuid4
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from league import stream
from league.events import (
    LeagueChanged,
    LeagueClosed,
    LeagueOpened,
    LeagueReopened,
    MemberJoined,
    MemberLeft,
    Payload,
    RoleGranted,
    RoleRevoked,
)
from league.models import League, Member
from people import rights
from people.handles import OPERATOR
from people.locks import lock
from people.models import Grant, Person
from people.services import Forbidden, person_guest_create, person_update

RESERVED = frozenset({"new"})


def acting(by: Person, action: str, scopes: Sequence[str]) -> str:
    """Return the role in which somebody acts.

    :raises Forbidden: if none of theirs allows it
    """
    role = rights.acting_role(by, action, scopes)
    if role is None:
        raise Forbidden(action)
    return role


def locked(league: League, *, must_be_open: bool = True) -> League:
    """Return the league as it stands now, locked until the end of the transaction."""
    league = League.objects.select_for_update().get(pk=league.pk)
    if must_be_open and not league.is_open:
        raise ValidationError(_("%(league)s is closed. Its owner can reopen it.") % {"league": league.name})
    return league


def write(league: League, events: Sequence[Payload], *, by: Person | None, acting_as: str | None, at: datetime) -> None:
    """Add events to the stream of a league that is locked."""
    stream.append(league=league, events=events, by=by, acting_as=acting_as, at=at)


def _check_timezone(timezone: str) -> None:
    if timezone not in available_timezones():
        raise ValidationError(
            {"timezone": _("No time zone %(zone)s; an example is Europe/Berlin.") % {"zone": timezone}}
        )


def local_day(league: League, at: datetime) -> date:
    """Return the day that a moment is in the league's place."""
    return at.astimezone(ZoneInfo(league.timezone)).date()


@transaction.atomic
def league_open(
    *,
    name: str,
    slug: str,
    by: Person,
    at: datetime,
    timezone: str = "UTC",
    appeal_hours: int = 72,
    is_demo: bool = False,
) -> League:
    """Open a league; whoever opens it owns it. One that the operator opens has no owner of its own yet.

    :raises Forbidden: unless `by` is an organizer or owner of the site
    :raises ValidationError: for a name, short name or time zone that will not do
    """
    role = acting(by, "pair", [rights.SITE])
    _check_timezone(timezone)
    lock(f"league {slug}")
    league = League(
        id=uuid4(), slug=slug, name=name.strip(), timezone=timezone, appeal_hours=appeal_hours, is_demo=is_demo
    )
    league.full_clean()
    if slug in RESERVED:
        raise ValidationError({"slug": _("“%(slug)s” is kept for the site itself; choose another.") % {"slug": slug}})
    opened = LeagueOpened(slug=slug, name=league.name, timezone=timezone, appeal_hours=appeal_hours)
    owned = RoleGranted(person=str(by.pk), role=Grant.Role.OWNER.value, scope=league.scope)
    # The operator owns the whole site and is nobody whom people could ask.
    write(league, [opened] if by.handle == OPERATOR else [opened, owned], by=by, acting_as=role, at=at)
    rights.forget_grants(by)
    return league


@transaction.atomic
def league_change(
    *,
    league: League,
    name: str,
    timezone: str,
    appeal_hours: int,
    by: Person,
    at: datetime,
    rating_system: str | None = None,
) -> League:
    """Change a league's settings; without a difference nothing is written.

    :raises Forbidden: unless `by` owns the league
    :raises ValidationError: for a name or time zone that will not do
    """
    role = acting(by, "administer", league.scopes)
    league = locked(league)
    _check_timezone(timezone)
    new = {
        "name": name.strip(),
        "timezone": timezone,
        "appeal_hours": appeal_hours,
        "rating_system": rating_system or league.rating_system,
    }
    old = {key: getattr(league, key) for key in new}
    changed = {key: value for key, value in new.items() if value != old[key]}
    if changed:
        for key, value in changed.items():
            setattr(league, key, value)
        league.full_clean()
        write(league, [LeagueChanged(**changed)], by=by, acting_as=role, at=at)  # type: ignore[arg-type]
    return league


@transaction.atomic
def league_close(*, league: League, by: Person, at: datetime) -> League:
    """Close a league: its matches and careers stay, nobody joins it any more.

    :raises Forbidden: unless `by` owns the league
    :raises ValidationError: if it is closed
    """
    role = acting(by, "administer", league.scopes)
    league = locked(league)
    write(league, [LeagueClosed()], by=by, acting_as=role, at=at)
    return league


@transaction.atomic
def league_reopen(*, league: League, by: Person, at: datetime) -> League:
    """Let a closed league go on.

    :raises Forbidden: unless `by` owns the league
    :raises ValidationError: if it is open
    """
    role = acting(by, "administer", league.scopes)
    league = locked(league, must_be_open=False)
    if league.is_open:
        raise ValidationError(_("%(league)s is open.") % {"league": league.name})
    write(league, [LeagueReopened()], by=by, acting_as=role, at=at)
    return league


@transaction.atomic
def member_add(*, league: League, person: Person, by: Person, at: datetime, since: date | None = None) -> Member:
    """Enter a person as a member; a former one comes back. Whoever is a member already stays it, and nothing is written.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if the league is closed or the person forgotten
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    person = person.head
    if person.forgotten_at is not None:
        raise ValidationError(_("This person has asked to be forgotten and cannot be entered."))
    if not Member.objects.filter(league=league, person=person, until=None).exists():
        day = since or local_day(league, at)
        write(league, [MemberJoined(person=str(person.pk), date=day.isoformat())], by=by, acting_as=role, at=at)
    return Member.objects.get(league=league, person=person)


@transaction.atomic
def member_guest_add(*, league: League, display_name: str, is_minor: bool, by: Person, at: datetime) -> Member:
    """Enter somebody who has no account: always a new person, whatever the name.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if the league is closed or the name empty
    """
    acting(by, "pair", league.scopes)
    try:
        guest = person_guest_create(display_name, is_minor=is_minor, is_demo=league.is_demo)
    except ValueError as empty:
        raise ValidationError({"display_name": str(empty)}) from empty
    return member_add(league=league, person=guest, by=by, at=at)


@transaction.atomic
def member_remove(*, league: League, person: Person, by: Person, at: datetime) -> None:
    """End a membership; what the person played stays.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if the league is closed or the person is no member
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    if not Member.objects.filter(league=league, person=person, until=None).exists():
        raise ValidationError(_("This person is no member of %(league)s.") % {"league": league.name})
    left = MemberLeft(person=str(person.pk), date=local_day(league, at).isoformat())
    write(league, [left], by=by, acting_as=role, at=at)


@transaction.atomic
def member_privacy(*, league: League, person: Person, privacy: str, by: Person) -> Person:
    """Decide who may see a guest or minor of the league. The entry stands in the person's own stream.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if the person is no member, or decides alone
    """
    acting(by, "pair", league.scopes)
    if not Member.objects.filter(league=league, person=person, until=None).exists():
        raise ValidationError(_("This person is no member of %(league)s.") % {"league": league.name})
    if not (person.is_guest or person.is_minor):
        raise ValidationError(_("Whoever has an account decides alone who may see them."))
    return person_update(
        person=person, display_name=person.display_name, sort_name=person.sort_name, privacy=privacy, by=by
    )


@transaction.atomic
def role_give(*, league: League, person: Person, role: str, by: Person, at: datetime) -> Grant:
    """Give a person a role in the league; one they hold stays, and nothing is written.

    :raises Forbidden: unless `by` owns the league
    :raises ValidationError: for a guest, an unknown role or a closed league
    """
    role_of = acting(by, "administer", league.scopes)
    league = locked(league)
    if role not in Grant.Role.values:
        raise ValidationError({"role": _("No role %(role)s.") % {"role": role}})
    if person.is_guest:
        raise ValidationError({"handle": _("A guest cannot sign in, so a role would be of no use to them.")})
    held = Grant.objects.filter(person=person, role=role, scope=league.scope)
    if not held.exists():
        given = RoleGranted(person=str(person.pk), role=role, scope=league.scope)
        write(league, [given], by=by, acting_as=role_of, at=at)
        rights.forget_grants(person)
    return held.get()


@transaction.atomic
def role_take(*, league: League, person: Person, role: str, by: Person, at: datetime) -> None:
    """Take a role in the league from a person. The last owner keeps theirs until there is another.

    :raises Forbidden: unless `by` owns the league
    :raises ValidationError: if the person does not hold it, or is the last owner
    """
    role_of = acting(by, "administer", league.scopes)
    league = locked(league, must_be_open=False)
    holders = Grant.objects.filter(role=role, scope=league.scope)
    if not holders.filter(person=person).exists():
        raise ValidationError(_("This person does not hold that role here."))
    if role == Grant.Role.OWNER and not holders.exclude(person=person).exists():
        raise ValidationError(_("A league keeps at least one owner: give the role to somebody else first."))
    taken = RoleRevoked(person=str(person.pk), role=role, scope=league.scope)
    write(league, [taken], by=by, acting_as=role_of, at=at)
    rights.forget_grants(person)
