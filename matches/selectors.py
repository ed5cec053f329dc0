"""Reads of matches: their logs and replays, lists, the state of their chains.

Logs and replays are whole here, whatever the game hides while a match runs: what leaves the site goes through
:mod:`matches.sight`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.db.models import OuterRef, Q, QuerySet, Subquery
from msgspec.structs import replace

from matches import log as log_rows
from matches import stored, texts
from matches.models import Match, Text, Upload
from matches.texts import Kept
from people import rights
from people.models import Person
from people.privacy import shown_name
from people.selectors import heads, visible_names, with_heads
from rulesengine import replay as engine
from rulesengine.log import Header, Log

Form = Literal["jsonl", "text", "csv", "full"]
MOST_LISTED = 1_000
_MOST_KEPT = 32
_MOST_EVENTS_KEPT = 20_000
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


# Logs and replays ---------------------------------------------------------------------------------------------------


def match_verified(match: Match) -> tuple[Log, log_rows.Broken | None]:
    """Return the log of a match and the first broken link of its chain, from one read."""
    rows = log_rows.chained(match.pk)
    return _log(match, rows), log_rows.verify_rows(match.pk, rows)


def match_log(match: Match) -> Log:
    """Return the stored log of a match with its texts in place; lines carry `recorded_at`, `by` and `hash` as in exports."""
    return _log(match, log_rows.chained(match.pk))


def _log(match: Match, rows: list[tuple[Any, ...]]) -> Log:
    kept = texts.of_stream(match.pk)
    lines = []
    line_of = stored.line_of
    for seq, _kind, type_, seat, data, _id, _by, acting_as, occurred_at, recorded_at, _hash in rows[1:]:
        line = line_of(seq, type_, seat, data, acting_as, occurred_at, recorded_at, kept.get(seq, ()))
        lines.append(line)
    return Log(_header(match, rows[0][4], kept.get(0, ())), tuple(lines))


def _header(
    match: Match, data: str, kept: Sequence[Kept], known: Mapping[UUID, tuple[str, str | None]] | None = None
) -> Header:
    """Return the header of a match with the names of the sheet.

    :param known: for a reader: what stands for each person (None: the reader may know what the sheet says), and their handle
    """
    value, _note = texts.together(data, kept)

    def named(sheet_name: str, person: UUID | None, linked: bool) -> tuple[str, str | None]:
        if known is None or person is None:
            return sheet_name, None
        shown, handle = known[person]
        return (sheet_name if handle is not None and sheet_name else shown), (handle or None) if linked else None

    seats = {seat.seat: named(seat.sheet_name, seat.person_id, seat.linked) for seat in match.seats.all()}
    officials = [
        named(one.sheet_name, one.person_id, True) for one in sorted(match.officials.all(), key=lambda one: one.pk)
    ]
    return stored.header_of(match.pk, value, seats, officials)


def known_to(persons: Iterable[Person], viewer: Person | None) -> dict[UUID, tuple[str, str | None]]:
    """Return for each person's id the name that a viewer may know, and the handle: "" for none, None if the person is not known."""
    found = list(persons)
    names, present = visible_names(found, viewer), heads(found)
    return {
        pk: (names[pk], (person.handle or "") if names[pk] == person.display_name else None)
        for pk, person in present.items()
    }


def names_of(match: Match) -> dict[str, set[str]]:
    """Return by seat under which names a file of this match may know who sits there: the sheet's, the person's, or initials."""
    found = {}
    for seat in match.seats.select_related("person__joined_into__joined_into"):
        names = {seat.sheet_name}
        if seat.person is not None:
            head = seat.person.head
            names |= {head.display_name, shown_name(head, known=False)}
        found[seat.seat] = names
    return found


_kept: OrderedDict[tuple[UUID, bytes, int | None], engine.Replay] = OrderedDict()
_lock = threading.Lock()


def match_replay(match: Match, at: int | None = None) -> engine.Replay:
    """Return the replay of a match, up to a seq or to its end; kept by match and what it reads, so that it is made once.

    :raises ValueError: if the log has no such seq
    """
    key = (match.pk, match.reading, at)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    told = engine.run(match_log(match), at=at)
    _keep(key, told)
    return told


def remember(match: Match, told: engine.Replay) -> None:
    """Keep a replay that was just made of the whole log."""
    _keep((match.pk, match.reading, None), told)


def _keep(key: tuple[UUID, bytes, int | None], told: engine.Replay) -> None:
    if len(told.carried) > _MOST_EVENTS_KEPT:
        return
    with _lock:
        _kept[key] = told
        while len(_kept) > _MOST_KEPT or sum(len(one.carried) for one in _kept.values()) > 10 * _MOST_EVENTS_KEPT:
            _kept.popitem(last=False)


def chain_state(match: Match) -> dict[str, Any]:
    """Return whether the chain of a match is whole: `whole`, `entries`, `head` (hex), and `seq` and `why` of a broken link."""
    broken = log_rows.verify(match.pk)
    return {
        "whole": broken is None,
        "ok": broken is None,
        "entries": match.seq + 1,
        "head": bytes(match.head_hash).hex(),
        "seq": broken.seq if broken else None,
        "why": broken.why if broken else None,
    }


# Lists --------------------------------------------------------------------------------------------------------------


def match_list(filters: Mapping[str, Any], viewer: Person | None) -> QuerySet[Match]:
    """Return the matches that a viewer may list, the latest first, with seats and persons at hand: a fixed number of queries.

    `filters`: game; status (one of a match's, or `disputed`); league (id, or `friendly`); person (handle or id); year; text (in
    the title, the names on the sheet, or names and handles that the viewer may know). What is unknown or empty does not filter.
    `title` stands on each match.
    """
    title = Text.objects.filter(stream=OuterRef("pk"), seq=0, field="title", blanked_at=None).values("text")[:1]
    found = (
        Match.objects.annotate(title=Subquery(title))
        .order_by("-played_on", "-id")
        .prefetch_related("seats", with_heads("seats__person"))
    )
    if game := filters.get("game"):
        found = found.filter(game=game)
    if status := filters.get("status"):
        found = found.filter(disputed=True) if status == "disputed" else found.filter(status=status)
    if league := filters.get("league"):
        found = found.filter(league=None) if league == "friendly" else found.filter(league=_uuid(league) or UUID(int=0))
    if year := _number(filters.get("year")):
        found = (
            found.filter(played_on__range=(date(year, 1, 1), date(year, 12, 31))) if 1 <= year <= 9999 else found.none()
        )
    if person := filters.get("person"):
        found = found.filter(pk__in=_seated(str(person), viewer))
    if text := str(filters.get("text") or filters.get("q") or "").strip():
        found = found.filter(_holding(text[:100], viewer))
    return found


def _seated(person: str, viewer: Person | None) -> Any:
    from matches.models import Seat
    from people.keeping import ids_of
    from people.selectors import may_see, person_by_handle

    wanted = _uuid(person)
    known = person_by_handle(person) if wanted is None else Person.objects.filter(pk=wanted).first()
    if known is None or not may_see(known, viewer):
        return Seat.objects.none().values("match")
    seats = Seat.objects.filter(person__in=ids_of(known))
    if viewer is None or viewer.head.pk != known.head.pk:
        seats = seats.filter(linked=True)  # others' claims that somebody sat there are for that person alone
    return seats.values("match")


def _holding(text: str, viewer: Person | None) -> Q:
    from matches.models import Seat
    from people.privacy import listed_for

    named = Person.objects.filter(listed_for(viewer)).filter(
        Q(display_name__icontains=text) | Q(handle__icontains=text.removeprefix("@"))
    )
    return Q(
        pk__in=Text.objects.filter(seq=0, field="title", blanked_at=None, text__icontains=text).values("stream")
    ) | Q(pk__in=Seat.objects.filter(person__in=named).values("match"))


def _uuid(value: Any) -> UUID | None:
    if isinstance(value, UUID):
        return value
    try:
        return UUID(str(value))
    except ValueError:
        return None


def _number(value: Any) -> int | None:
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


def match_years() -> list[int]:
    """Return the years in which matches were played, the latest first."""
    return [day.year for day in Match.objects.dates("played_on", "year", order="DESC")]


def uploads_of(person: Person) -> QuerySet[Upload]:
    """Return somebody's uploads, the latest first, without their content."""
    return (
        Upload.objects.filter(by=person)
        .exclude(state=Upload.State.DROPPED)
        .defer("raw")
        .select_related("job")
        .order_by("-created_at")
    )


def upload_desk(person: Person) -> QuerySet[Upload]:
    """Return the uploads held for somebody as a referee, the oldest first."""
    scopes = rights.scopes_with(person, "referee", "organizer", "owner")
    held = Upload.objects.filter(state=Upload.State.HELD).defer("raw").select_related("by").order_by("created_at")
    return held if rights.SITE in scopes else held.filter(scope__in=scopes)


# Exports ------------------------------------------------------------------------------------------------------------


def export_log(match: Match, viewer: Person | None = None, *, full: bool = False) -> Log:
    """Return the log of a match as an export holds it, hidden entries included: see :func:`matches.sight.match_export`.

    :param viewer: names are those under which they may know the people
    :param full: with everything that the chain is made of
    """
    rows = log_rows.chained(match.pk)
    kept = texts.of_stream(match.pk)
    persons = [seat.person for seat in match.seats.all() if seat.person] + [
        one.person for one in match.officials.all() if one.person
    ]
    known = known_to(persons, viewer)
    if full:  # a blanked text leaves its hash, without a salt
        kept = {seq: [text for text in found if not text.blanked] for seq, found in kept.items()}
    header = _header(match, rows[0][4], kept.get(0, ()), known)
    lines = []
    for row in rows[1:]:
        seq, _kind, type_, seat, data, event_id, by, acting_as, occurred_at, recorded_at, digest = row
        line = stored.line_of(seq, type_, seat, data, acting_as, occurred_at, None, kept.get(seq, ()))
        if full:
            line = replace(
                line,
                id=event_id,
                by=by,
                recorded_at=stored.at_of(recorded_at),
                hash=bytes(digest).hex(),
                salts={text.field: text.salt for text in kept.get(seq, ())} or None,
            )
        elif UUID(event_id) != log_rows.derived_id(match.pk, seq):
            line = replace(line, id=event_id)
        lines.append(line)
    if full:
        header = replace(header, context={**header.context, stored.EXPORT: _exported(rows[0], kept.get(0, ()))})
    return Log(header, tuple(lines))


def _exported(row: tuple[Any, ...], kept: list[Kept] | tuple[Kept, ...]) -> dict[str, Any]:
    """Return what of event 0 a header has no place for."""
    value = _decode(row[4])
    return {
        "id": row[5],
        "by": row[6],
        "as": row[7],
        "recorded_at": stored.at_of(row[9]),
        "hash": bytes(row[10]).hex(),
        "salts": {text.field: text.salt for text in kept},
        "seats": {one["seat"]: one["person"] for one in value["seats"]},
        "officials": [one["person"] for one in value.get("officials", ())],
    }
