"""The stream of a person: claimed, joined, split, hidden, forgotten. Only this room appends to the log, so it is written here.

No entry names anybody: they hold ids. A join is one more entry and can be taken back by another; what was recorded under an id stays
there, and readers follow each id to its present head.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from uuid import UUID

import msgspec
from django.core import signing
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from matches import log
from matches.models import Match, MatchOfficial, Seat, Text, Upload
from matches.services.errors import NotRecordable
from matches.signals import texts_blanked
from people import circles, keeping, rights
from people.locks import lock
from people.models import Grant, HandleRedirect, Notice, OutboxMail, Person
from people.services import Forbidden

_SALT = "matches.persons.claim"
LINK_DAYS = 30

EARNED: list[Callable[[Person], list[str]]] = []
"""Rooms that know what somebody earned add themselves at start-up; a preview of a claim or a join shows their lines."""


class PersonClaimed(Struct, frozen=True, forbid_unknown_fields=True, tag="person_claimed"):
    """Somebody with an account turned out to be this guest."""

    guest: str


class PersonsJoined(Struct, frozen=True, forbid_unknown_fields=True, tag="persons_joined"):
    """Another record turned out to be the same human."""

    other: str


class PersonsSplit(Struct, frozen=True, forbid_unknown_fields=True, tag="persons_split"):
    """A join, or a claim, was a mistake."""

    other: str


class PersonHidden(Struct, frozen=True, forbid_unknown_fields=True, tag="person_hidden"):
    """A person chose who may know them by name: `public`, `members` or `hidden`."""

    privacy: str


class PersonForgotten(Struct, frozen=True, forbid_unknown_fields=True, tag="person_forgotten"):
    """A person was forgotten: names, account and texts are gone, ids stay."""


class LessonCompleted(Struct, frozen=True, forbid_unknown_fields=True, tag="lesson_completed"):
    """Somebody who is in no league passed a lesson by a self-test with this score in percent."""

    lesson: str
    date: str
    score: int


Event = PersonClaimed | PersonsJoined | PersonsSplit | PersonHidden | PersonForgotten | LessonCompleted
PAYLOADS: dict[str, type[Struct]] = {
    str(one.__struct_config__.tag): one
    for one in (PersonClaimed, PersonsJoined, PersonsSplit, PersonHidden, PersonForgotten, LessonCompleted)
}


def _append(person: Person, event: Event, by: Person, at: datetime) -> None:
    head = log.head(person.pk)
    data = msgspec.structs.asdict(event)
    entry = log.Entry(str(event.__struct_config__.tag), data, occurred_at=at)
    seq = head.seq if head is not None else -1
    log.append(stream=person.pk, stream_kind="person", entries=[entry], expected_seq=seq, by=by.pk, at=at)


def _locked(*persons: Person) -> list[Person]:
    for pk in sorted(str(person.pk) for person in persons):
        lock(f"person {pk}")
    return [Person.objects.select_related("joined_into").get(pk=person.pk) for person in persons]


def may_look_after(by: Person, *persons: Person) -> bool:
    """Return whether somebody organizes the site, or a league in which all of these are members."""
    if rights.may(by, "pair", [rights.SITE]):
        return True
    wanted = {person.pk for person in persons}
    return any(
        wanted <= set(circles.members(scope).filter(pk__in=wanted).values_list("pk", flat=True))
        for scope in rights.scopes_with(by, "organizer", "owner")
    )


def claim_link(*, guest: Person, by: Person) -> str:
    """Return the token of a personal link with which the guest, once signed in, claims their matches. It holds for 30 days.

    :raises Forbidden: unless `by` looks after the guest, or opened a match in which the guest sits
    """
    opened = Seat.objects.filter(person=guest, match__opened_by=by).exists()
    if not guest.is_guest or not (opened or may_look_after(by, guest)):
        raise Forbidden("pair")
    return signing.dumps(str(guest.pk), salt=_SALT)


def guest_of(token: str) -> Person:
    """Return the guest of a personal link.

    :raises NotRecordable: in words, if the link is damaged, too old, or was used
    """
    try:
        guest = Person.objects.get(pk=UUID(signing.loads(token, salt=_SALT, max_age=LINK_DAYS * 86_400)))
    except (signing.BadSignature, Person.DoesNotExist, ValueError) as error:
        raise NotRecordable(
            _("This link is damaged or older than %(days)s days; ask for a new one.") % {"days": LINK_DAYS}
        ) from error
    if guest.joined_into_id is not None or not guest.is_guest:
        raise NotRecordable(_("This guest has been claimed already."))
    return guest


def earned(person: Person) -> list[str]:
    """Return in words what a record has earned, for a look before it moves."""
    return [line for lines in EARNED for line in lines(person)]


@transaction.atomic
def guest_claim(*, token: str, by: Person, privacy: str = "", at: datetime | None = None) -> Person:
    """Claim the guest of a personal link and return whoever claimed. The seats of friendlies still wait for a signature.

    :param privacy: who may see a minor from now on, as the claiming guardian decides; hidden unless said
    :raises NotRecordable: if the link does not hold, or both sat at one table
    :raises ValueError: for an unknown privacy
    """
    at = at or timezone.now()
    guest, by = _locked(guest_of(token), by)
    _join(guest, by, PersonClaimed(str(guest.pk)), by, at)
    if guest.is_minor:
        _hide(by, privacy or Person.Privacy.HIDDEN.value, by, at)
    return by


@transaction.atomic
def persons_join(*, person: Person, other: Person, by: Person, at: datetime | None = None) -> Person:
    """Join another record into a person's and return the person.

    :raises Forbidden: unless `by` looks after both
    :raises NotRecordable: if they cannot be the same human
    """
    person, other = _locked(person.head, other)
    if not may_look_after(by, person, other):
        raise Forbidden("pair")
    at = at or timezone.now()
    _join(other, person, PersonsJoined(str(other.pk)), by, at)
    if other.is_minor and person.is_guest and not person.is_minor:
        person.is_minor = True
        person.save(update_fields=["is_minor"])
        _hide(person, Person.Privacy.HIDDEN.value, by, at)
    return person


def _join(other: Person, person: Person, event: Event, by: Person, at: datetime) -> None:
    if other.joined_into_id is not None or person.joined_into_id is not None:
        raise NotRecordable(_("One of the two is joined into another record already; split that first."))
    if other.pk == person.pk:
        raise NotRecordable(_("A person cannot be joined with themselves."))
    if other.account_id is not None and person.account_id is not None:
        raise NotRecordable(_("Both have an account; nobody has two. Close one first."))
    if other.account_id is not None:
        raise NotRecordable(_("The record with the account is the one that stays; join the other into it."))
    theirs = Seat.objects.filter(person__in=keeping.ids_of(other)).values("match")
    if Seat.objects.filter(person__in=keeping.ids_of(person), match__in=theirs).exists():
        raise NotRecordable(_("Both sat at the same table; they are two people."))
    _append(person, event, by, at)
    other.joined_into = person
    other.save(update_fields=["joined_into"])


@transaction.atomic
def persons_split(*, person: Person, other: Person, by: Person, at: datetime | None = None) -> Person:
    """Take back a join or a claim and return the person.

    :raises Forbidden: unless `by` looks after the person, or is that person
    :raises NotRecordable: if the two are not joined
    """
    person, other = _locked(person, other)
    if by.pk != person.pk and not may_look_after(by, person):
        raise Forbidden("pair")
    if other.joined_into_id != person.pk:
        raise NotRecordable(_("These two are not joined."))
    _append(person, PersonsSplit(str(other.pk)), by, at or timezone.now())
    other.joined_into = None
    other.save(update_fields=["joined_into"])
    return person


@transaction.atomic
def person_hide(*, person: Person, privacy: str, by: Person, at: datetime | None = None) -> Person:
    """Change who may know a person by name, and return the person. A minor is shown by an organizer only.

    :raises Forbidden: unless `by` is that person, or looks after them and they are a guest or a minor
    :raises ValueError: for an unknown privacy
    """
    (person,) = _locked(person)
    own = by.pk == person.pk and not person.is_minor
    if not own and not ((person.is_guest or person.is_minor) and may_look_after(by, person)):
        raise Forbidden("pair")
    return _hide(person, privacy, by, at or timezone.now())


def _hide(person: Person, privacy: str, by: Person, at: datetime) -> Person:
    if privacy not in Person.Privacy.values:
        raise ValueError(f"no privacy {privacy!r}; it is one of {', '.join(Person.Privacy.values)}")
    person.privacy = privacy
    person.save(update_fields=["privacy"])
    _append(person, PersonHidden(privacy), by, at)
    return person


def privacy_changed(person: Person, by: Person) -> None:
    """Write down who may see a person from now on; the row says so already."""
    lock(f"person {person.pk}")
    _append(person, PersonHidden(person.privacy), by, timezone.now())


@transaction.atomic
def lesson_complete(*, person: Person, lesson: str, score: int, date: str, at: datetime) -> None:
    """Record in a person's own stream that they passed a lesson."""
    (person,) = _locked(person)
    _append(person, LessonCompleted(lesson, date, score), person, at)


@transaction.atomic
def person_forget(*, person: Person, by: Person, at: datetime | None = None) -> Person:
    """Erase account, names, e-mail, uploaded originals and the texts that name a person; ids without a name stay.

    All records joined into the person go with it. Results of others stand, and every chain stays whole.

    :raises Forbidden: unless `by` is that person or an owner of the site
    :raises NotRecordable: for the last owner of the site who can sign in, and for a record that is joined into another
    """
    at = at or timezone.now()
    (person,) = _locked(person)
    if by.pk != person.pk and not rights.may(by, "administer", [rights.SITE]):
        raise Forbidden("administer")
    if person.joined_into_id is not None:
        raise NotRecordable(_("This record is joined into another; forget that one, or split them first."))
    owners = Grant.objects.filter(role=Grant.Role.OWNER, scope=rights.SITE, person__account__is_active=True)
    if owners.filter(person=person).exists() and not owners.exclude(person=person).exists():
        raise NotRecordable(_("The site keeps at least one owner: give the role to somebody else first."))
    records = list(Person.objects.select_related("account").filter(pk__in=keeping.ids_of(person)))
    seats, offices = Seat.objects.filter(person__in=records), MatchOfficial.objects.filter(person__in=records)
    matches = set(seats.values_list("match", flat=True)) | set(offices.values_list("match", flat=True))
    names = {name for record in records for name in (record.display_name, record.handle) if name}
    names |= set(HandleRedirect.objects.filter(person__in=records).values_list("old", flat=True))
    names |= {name for rows in (seats, offices) for name in rows.values_list("sheet_name", flat=True) if name}
    _append(person, PersonForgotten(), by, at)
    named, anywhere = _naming(names), _naming(names, alone=True)
    known = matches | _streams_about([record.pk for record in records])
    matches |= _blank(named, anywhere, known, by=by if by.pk != person.pk else None, at=at)
    Upload.objects.filter(by__in=records).update(raw=b"", report=None, name="")
    Upload.objects.filter(match_id__in=matches).update(raw=b"", report=None)
    met = set(Seat.objects.filter(match__in=matches).exclude(person=None).values_list("person", flat=True))
    _erase_beside(named, anywhere, known, met)
    seats.update(sheet_name="")
    offices.update(sheet_name="")
    Match.objects.filter(pk__in=matches).update(erased=F("erased") + 1)
    HandleRedirect.objects.filter(person__in=records).delete()
    for record in records:
        record.grants.all().delete()
        record.notices.all().delete()
        record.notice_settings.all().delete()
        account, record.account = record.account, None
        record.display_name = record.sort_name = ""
        record.handle, record.privacy, record.forgotten_at = None, Person.Privacy.HIDDEN, at
        record.save()
        if account is not None:
            OutboxMail.objects.filter(to__iexact=account.email).delete()
            account.delete()
    return Person.objects.get(pk=person.pk)


def _streams_about(ids: Iterable[UUID]) -> set[UUID]:
    """Return the streams of leagues, tournaments and persons in which one of these persons wrote or is named by id."""
    wanted = list(ids)
    with connection.cursor() as cursor:
        cursor.execute(
            "select distinct stream from matches_event where kind <> 'match' and (by = any(%s) or data::text ~ %s)",
            [wanted, "|".join(map(str, wanted))],
        )
        return {stream for (stream,) in cursor.fetchall()}


def _blank(
    named: re.Pattern[str], anywhere: re.Pattern[str], known: set[UUID], *, by: Person | None, at: datetime
) -> set[UUID]:
    """Blank the texts beside the log that name somebody, and return the streams in which they stand.

    :param anywhere: finds the names of several words, which nobody else's text holds by chance; those of one word are blanked
        in the streams that know the person only, or whoever takes "the" for a name could blank half of the site
    """
    found: list[tuple[int, UUID]] = [
        (pk, stream)
        for pk, stream, text in Text.objects.filter(blanked_at=None).values_list("pk", "stream", "text").iterator()
        if (named if stream in known else anywhere).search(text)
    ]
    Text.objects.filter(pk__in=[one for one, _stream in found]).update(
        text="", salt="", blanked_at=at, blanked_by=by, blanked_because=_("A person was forgotten.")
    )
    streams = {stream for _one, stream in found}
    texts_blanked.send(sender=Text, streams=streams)
    return streams


def _naming(names: Iterable[str], *, alone: bool = False) -> re.Pattern[str]:
    """Return what finds one of the names as a word of its own: who is called Bo is not named by a "bow".

    With `alone` only names of several words are looked for.

    Scripts without capitals write names without spaces, or with what belongs to them in one word: there it is found anywhere. A
    name of one or two letters is found only as it is spelled.
    """

    def one(name: str) -> str:
        start, end = (r"(?<!\w)" if _is_cased(name[0]) else ""), (r"(?!\w)" if _is_cased(name[-1]) else "")
        words = r"\s+".join(re.escape(word) for word in name.split())
        return f"{start}{words}{end}" if len(name) < 3 else f"(?i:{start}{words}{end})"

    looked_for = [name for name in names if not alone or len(name.split()) > 1]
    return re.compile("|".join(one(name) for name in sorted(looked_for, key=len, reverse=True)) or r"(?!)")


def _is_cased(sign: str) -> bool:
    return unicodedata.category(sign) in ("Lu", "Ll", "Lt", "Nd")


def _erase_beside(
    named: re.Pattern[str], anywhere: re.Pattern[str], known: set[UUID], met: Collection[UUID | None]
) -> None:
    """Erase what others have that names somebody: files never recorded (a held one is off the desk), file names, notices, mails.

    As with texts, a name of one word is looked for only near the person: in files of their leagues, in notices of those they met, in
    mails that were sent.
    """
    waiting = Upload.objects.exclude(state=Upload.State.RECORDED).values_list("pk", "raw", "report", "league")
    for pk, raw, report, league in waiting.iterator(chunk_size=50):
        looked_for = named if league in known else anywhere
        if looked_for.search(bytes(raw).decode("utf-8", "replace")) or looked_for.search(_words(report)):
            Upload.objects.filter(pk=pk).update(raw=b"", report=None, state=Upload.State.DROPPED)
    for pk, name, league, match in (
        Upload.objects.exclude(name="").values_list("pk", "name", "league", "match_id").iterator()
    ):
        if (named if {league, match} & known else anywhere).search(name):
            Upload.objects.filter(pk=pk).update(name="")
    for notice, reader, words in Notice.objects.exclude(words={}).values_list("pk", "person", "words").iterator():
        if (named if reader in met else anywhere).search(_words(words)):
            Notice.objects.filter(pk=notice).delete()
    for number, body, state in OutboxMail.objects.exclude(body="").values_list("pk", "body", "state").iterator():
        if (named if state == OutboxMail.State.SENT else anywhere).search(body):
            OutboxMail.objects.filter(pk=number).delete()


def _words(value: object) -> str:
    return msgspec.json.encode(value).decode()
