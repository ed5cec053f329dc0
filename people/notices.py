"""Notices: what somebody should know, in an inbox on the site and, if they want, by mail. Each kind can be switched off.

A room registers the kinds that it sends at start-up, with their sentences: lazy translations with named places. A row holds the name
of its sentence and the words, so that everybody reads it in their own language.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from msgspec import Struct

from people.mail import mail_enqueue
from people.models import Notice, NoticeSetting, Person

type Words = str | Promise


class Kind(Struct, frozen=True):
    """One kind of notice: what it is called in the settings, and its sentences."""

    name: object
    sentences: dict[str, object]


KINDS: dict[str, Kind] = {}


def register(kind: str, name: Words, sentences: Mapping[str, Words]) -> None:
    """Make a kind of notice known, or add sentences to it."""
    known = KINDS.get(kind)
    KINDS[kind] = Kind(name, {**(known.sentences if known else {}), **sentences})


@transaction.atomic
def notify(person: Person, kind: str, what: str, *, url: str = "", **words: str) -> Notice | None:
    """Tell somebody something, once as long as they have not read it; None for a guest or where the kind is switched off.

    :param what: names one of the kind's sentences
    :param url: where they can do something about it, from the root of the site
    :raises KeyError: for a kind or sentence that nobody registered
    """
    sentence = KINDS[kind].sentences[what]
    person = person.head
    if person.account_id is None or person.forgotten_at is not None:
        return None
    wanted = NoticeSetting.objects.filter(person=person, kind=kind).first()
    made = None
    if wanted is None or wanted.inbox:
        made, is_new = Notice.objects.get_or_create(
            person=person, kind=kind, what=what, url=url, read_at=None, defaults={"words": words}
        )
        if not is_new:
            return made
    if wanted is not None and wanted.mail and person.account is not None:
        with translation.override(person.account.language or settings.LANGUAGE_CODE):
            text = str(sentence) % words
            subject = str(KINDS[kind].name)
            body = _("%(text)s\n\nOn the site: %(url)s\nWhich mails you get is up to you: %(settings)s") % {
                "text": text,
                "url": settings.SITE_URL + (url or "/inbox"),
                "settings": f"{settings.SITE_URL}/settings#notices",
            }
        mail_enqueue(to=person.account.email, subject=subject, body=body)
    return made


def text_of(notice: Notice) -> str:
    """Return what a notice says, in the reader's language; its bare name if its kind is not known any more."""
    kind = KINDS.get(notice.kind)
    sentence = kind.sentences.get(notice.what) if kind else None
    try:
        return str(sentence) % notice.words if sentence is not None else notice.what
    except (KeyError, ValueError):
        return str(sentence)


def inbox(person: Person) -> QuerySet[Notice]:
    """Return somebody's notices, newest first."""
    return Notice.objects.filter(person=person).order_by("-created_at", "-pk")


def unread(person: Person) -> int:
    """Return how many notices somebody has not read."""
    return Notice.objects.filter(person=person, read_at=None).count()


def read(person: Person, notice_id: int | None = None) -> int:
    """Mark one notice of somebody, or all, as read, and return how many were."""
    mine = Notice.objects.filter(person=person, read_at=None)
    if notice_id is not None:
        mine = mine.filter(pk=notice_id)
    return mine.update(read_at=timezone.now())


def settings_of(person: Person) -> list[tuple[str, str, bool, bool]]:
    """Return every kind with its name, and whether somebody wants it in the inbox and by mail."""
    kept = {one.kind: one for one in NoticeSetting.objects.filter(person=person)}
    return [
        (kind, str(one.name), kept[kind].inbox if kind in kept else True, kept[kind].mail if kind in kept else False)
        for kind, one in sorted(KINDS.items())
    ]


def setting_change(person: Person, kind: str, *, inbox: bool, mail: bool) -> None:
    """Switch a kind of notice on or off.

    :raises KeyError: for a kind that nobody registered
    """
    if kind not in KINDS:
        raise KeyError(kind)
    NoticeSetting.objects.update_or_create(person=person, kind=kind, defaults={"inbox": inbox, "mail": mail})
