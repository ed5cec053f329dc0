"""An exported match back into a log, exactly as it was: the same ids, moments, salts and hashes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from matches import log as match_log
from matches import scheduled, seating, selectors, stored, texts
from matches.log import Entry
from matches.models import Match, MatchOfficial, Seat
from matches.services.errors import NotRecordable
from matches.services.standing import settle
from people import rights
from people.locks import lock
from people.models import Person
from people.selectors import person_by_handle
from people.services import Forbidden
from rulesengine import notation
from rulesengine import replay as engine
from rulesengine.log import Log, Unreadable


class NoExport(Exception):
    """The file is no full export: something that its chain is made of is missing."""


class Was(Struct, frozen=True):
    """An entry with what the site had added to it."""

    seq: int
    entry: Entry
    by: UUID | None
    recorded_at: datetime
    hash: bytes


def as_it_was(log: Log, exported: Mapping[str, Any] | None) -> tuple[UUID, list[Was]]:
    """Return the match of a full export and its entries, event 0 first. Nothing is verified.

    :raises NoExport: if it is none
    """
    if exported is None or log.header.id is None:
        raise NoExport(_("the file is no full export: its header lacks what belongs to event 0"))
    header, _added = stored.without_export(log.header)
    try:
        persons = {seat: UUID(person) if person else None for seat, person in exported["seats"].items()}
        officials = [UUID(person) if person else None for person in exported.get("officials", ())]
        data, kept = texts.apart(
            stored.encode(stored.header_data(header, persons, officials)),
            None,
            exported.get("salts") or {},
            whole=False,
        )
        rows = [
            Was(
                0,
                Entry(stored.SET_UP, data, acting_as=exported.get("as"), event_id=UUID(exported["id"]), texts=kept),
                UUID(exported["by"]) if exported.get("by") else None,
                _moment(exported["recorded_at"]),
                bytes.fromhex(exported["hash"]),
            )
        ]
        for line in log.lines:
            if line.hash is None or line.recorded_at is None or line.id is None:
                raise NoExport(
                    _("the file is no full export: entry %(seq)s lacks its hash, id or moment") % {"seq": line.seq}
                )
            data, kept = texts.apart(line.data, line.note, line.salts or {}, whole=False)
            entry = Entry(
                line.type,
                data,
                line.seat,
                line.acting_as,
                stored.moment_of(line.at, header.timezone),
                UUID(line.id),
                kept,
            )
            rows.append(
                Was(
                    line.seq,
                    entry,
                    UUID(line.by) if line.by else None,
                    _moment(line.recorded_at),
                    bytes.fromhex(line.hash),
                )
            )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NoExport(_("the file is no full export: %(error)s") % {"error": error}) from error
    return UUID(log.header.id), rows


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def broken_link(log: Log, exported: Mapping[str, Any] | None) -> int | None:
    """Return the seq of the first entry of a full export that does not fit its hash, or None.

    :raises NoExport: if it is none
    """
    stream, rows = as_it_was(log, exported)
    previous = match_log.start(stream)
    for row in rows:
        entry = row.entry
        form = match_log.canonical_row(
            kind="match", stream=stream, seq=row.seq, type=entry.type, seat=entry.seat, data=entry.data, acting_as=entry.acting_as,
            by=row.by, event_id=entry.event_id or match_log.derived_id(stream, row.seq), occurred_at=entry.occurred_at, recorded_at=row.recorded_at,
        )  # fmt: skip
        previous = match_log.chain(previous, form)
        if previous != row.hash:
            return row.seq
    return None


def match_restore(*, raw: bytes, name: str, by: Person) -> Match:
    """Bring a fully exported match back as it was, hashes included, and return it. Only for an owner of the site.

    Persons whom the site does not have any more come back as guests with the names of the file.

    :raises Forbidden: for anybody else
    :raises NotRecordable: if the file is no full export, was changed, or the match is there already
    """
    if not rights.may(by, "administer", [rights.SITE]):
        raise Forbidden("administer")
    try:
        log = notation.parse(raw, name=name)
        header, exported = stored.without_export(log.header)
        stream, rows = as_it_was(log, exported)
        broken = broken_link(log, exported)
    except (Unreadable, NoExport) as error:
        raise NotRecordable(str(error)) from error
    if broken is not None:
        raise NotRecordable(
            _("Entry %(seq)s does not fit its hash: the file was changed. Nothing was restored.") % {"seq": broken}
        )
    persons: dict[str, str | None] = (exported or {})["seats"]
    offices: list[str | None] = (exported or {}).get("officials", [])
    with transaction.atomic():
        lock(f"match {stream}")
        if match_log.head(stream) is not None:
            raise NotRecordable(_("The match %(match)s is recorded here already.") % {"match": stream})
        place = seating.where(header, stream, scheduled.of_header(header, stream))
        match = Match.objects.create(
            id=stream,
            game=header.game,
            edition=header.rules or "",
            depth=header.depth,
            played_on=header.played_on,
            timezone=header.timezone,
            league=place.circle.id if place.circle else None,
            context=header.context,
            options=header.options,
            opened_by=Person.objects.filter(pk__in=[rows[0].by] if rows[0].by else []).first(),
        )
        for number, seat in enumerate(header.seats):
            person = _person(persons.get(seat.seat), seat.player, seat.name or seat.seat)
            Seat.objects.create(
                match=match,
                seat=seat.seat,
                position=number,
                sheet_name=seat.name[:120],
                person=person,
                linked=place.circle is not None,
            )
        for official, wanted in zip(header.officials, offices, strict=True):
            person = _person(wanted, official.player, official.name) if wanted else None
            MatchOfficial.objects.create(match=match, role=official.role, sheet_name=official.name[:120], person=person)
        match_log.bring_back(stream, "match", [(row.seq, row.entry, row.by, row.recorded_at, row.hash) for row in rows])
        match = settle(match, engine.run(selectors.match_log(match)), at=timezone.now())
        confirmed = [row.recorded_at for row in rows if row.entry.type == "placements_confirmed"]
        if match.confirmed_at is not None and confirmed:
            match.confirmed_at = confirmed[-1]
            match.save(update_fields=["confirmed_at"])
        for row in rows:
            if row.entry.type == "result_signed":
                Seat.objects.filter(match=match, seat=row.entry.seat).update(signed_at=row.recorded_at, linked=True)
    return match


def _person(wanted: str | None, handle: str | None, name: str) -> Person | None:
    """Return the person of an id; where there is none any more, a guest under that id."""
    if wanted is None:
        return None
    person = Person.objects.filter(pk=UUID(wanted)).first()
    if person is None and handle and (known := person_by_handle(handle)) is not None:
        return known
    if person is None:
        words = name.split() or ["?"]
        sort_name = f"{words[-1]}, {' '.join(words[:-1])}" if len(words) > 1 else words[0]
        person = Person.objects.create(id=UUID(wanted), display_name=name[:120] or "?", sort_name=sort_name[:120])
    return person
