"""Deeds: what the streams of leagues, tournaments and persons say of a person, beside the matches played.

A deed is one event as it concerns one person: a lesson passed, somebody mentored, a service recorded, a place in the table of a season.
Rows are read out of the log by the follower of the careers, and a stream can be read anew at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction

from career.models import Deed
from league.models import League
from matches import log

type Failed = Callable[[log.Row, Exception], None]
"""Told of a row that cannot be read."""
type Concerned = Iterator[tuple[str, str, str | None]]
"""Who is concerned, in which role, and by which match."""


def _one(key: str, role: str = "person") -> Callable[[Mapping[str, Any]], Concerned]:
    def concerned(data: Mapping[str, Any]) -> Concerned:
        yield str(data[key]), role, data.get("match")

    return concerned


def _mentoring(data: Mapping[str, Any]) -> Concerned:
    yield str(data["mentor"]), "mentor", data["match"]
    yield str(data["newcomer"]), "newcomer", data["match"]


def _organizing(data: Mapping[str, Any]) -> Concerned:
    yield str(data["organizer"]), "organizer", None
    for person in data.get("staff") or ():
        yield str(person), "staff", None


def _table(key: str) -> Callable[[Mapping[str, Any]], Concerned]:
    def concerned(data: Mapping[str, Any]) -> Concerned:
        for row in data.get(key) or ():
            yield str(row["person"]), "person", None

    return concerned


CONCERNED: dict[tuple[str, str], Callable[[Mapping[str, Any]], Concerned]] = {
    ("league", "lesson_completed"): _one("person"),
    ("league", "mentor_assigned"): _mentoring,
    ("league", "event_organized"): _organizing,
    ("league", "service_recorded"): _one("person"),
    ("league", "conduct_noted"): _one("person"),
    ("league", "sportsmanship_vote_cast"): _one("nominee", "nominee"),
    ("league", "season_closed"): _table("table"),
    ("league", "campaign_closed"): _table("placements"),
    ("league", "rank_suspended"): _one("person"),
    ("league", "rank_restored"): _one("person"),
    ("league", "honor_bestowed"): _one("person"),
    ("league", "honor_declined"): _one("person"),
    ("league", "honor_revoked"): _one("person"),
    ("league", "honor_restored"): _one("person"),
    ("tournament", "tournament_closed"): _table("placements"),
}
# What takes earlier deeds of its stream back: which type, and the key by which they are the same thing (None: all of the type).
TAKEN_BACK: dict[tuple[str, str], tuple[str, str | None]] = {
    ("league", "season_reopened"): ("season_closed", "season"),
    ("tournament", "tournament_reopened"): ("tournament_closed", None),
}


def read(rows: Sequence[log.Row], failed: Failed) -> set[str]:
    """Bring the deeds up to these rows of one stream, in their order, and return the ids of the persons concerned.

    A row that is not what its type needs is left out, and `failed` is told.
    """
    if any(_moves(row) for row in rows):
        return reread(rows[0].stream, failed)
    try:
        with transaction.atomic():
            return _read(rows)
    except Exception:
        touched = set()
        for row in rows:
            try:
                with transaction.atomic():
                    touched |= _read([row])
            except Exception as error:
                failed(row, error)
        return touched


def reread(stream: UUID, failed: Failed) -> set[str]:
    """Read all deeds of a stream anew and return the ids of the persons whom the old or the new ones concern."""
    touched = _gone(Deed.every.filter(stream=stream))
    # The zone it has by now holds for all of it.
    return touched | read([row for row in log.read(stream) if not _moves(row)], failed)


def _moves(row: log.Row) -> bool:
    """Return whether an entry gives a league another zone, and so all its days other moments."""
    return row.type == "league_changed" and msgspec.json.decode(row.data).get("timezone") is not None


def _read(rows: Sequence[log.Row]) -> set[str]:
    touched: set[str] = set()
    zones: dict[UUID, str] = {}
    for row in rows:
        if row.stream not in zones:
            zones[row.stream] = League.objects.filter(pk=row.stream).values_list("timezone", flat=True).first() or "UTC"
        zone = zones[row.stream]
        data = msgspec.json.decode(row.data)
        if (row.kind, row.type) == ("league", "conduct_struck"):
            touched |= _gone(Deed.every.filter(stream=row.stream, seq=data["target_seq"], type="conduct_noted"))
        elif (row.kind, row.type) in TAKEN_BACK:
            type_, key = TAKEN_BACK[row.kind, row.type]
            rows_ = Deed.objects.filter(stream=row.stream, type=type_, seq__lt=row.seq)
            rows_ = rows_.filter(**{f"data__{key}": data[key]}) if key else rows_
            touched |= {str(one) for one in rows_.values_list("person_id", flat=True)}
            rows_.update(taken_back_seq=row.seq, taken_back_on=_day(row, zone))
        elif (row.kind, row.type) == ("person", "lesson_completed"):
            touched |= _keep(row, data, [(str(row.stream), "person", None)], zone)
        elif (row.kind, row.type) in CONCERNED:
            if row.type == "season_closed":
                data["opened"] = _opened(row, data["season"])
            touched |= _keep(row, data, CONCERNED[row.kind, row.type](data), zone)
    return touched


def _opened(row: log.Row, season: str) -> str:
    """Return the first day of a season that an entry closes."""
    days = [
        str(data["date"])
        for one in log.read(row.stream)
        if one.seq < row.seq and one.type == "season_opened"
        for data in [msgspec.json.decode(one.data)]
        if data["season"] == season
    ]
    return days[-1]


def _gone(rows: Any) -> set[str]:
    touched = {str(one) for one in rows.values_list("person_id", flat=True)}
    rows.delete()
    return touched


def _keep(row: log.Row, data: dict[str, Any], concerned: Iterable[tuple[str, str, str | None]], zone: str) -> set[str]:
    day = date.fromisoformat(data["date"]) if data.get("date") else _day(row, zone)
    # The last moment of the day where it happened, in UTC: the place of what is known by its day alone.
    at = datetime.combine(day, time(23, 59, 59), ZoneInfo(zone)).astimezone(UTC)
    made = [
        Deed(
            stream=row.stream, seq=row.seq, type=row.type, on=day, at=at, person_id=UUID(person), role=role,
            match_id=UUID(match) if match else None, data=data, is_league=row.kind == "league",
        )
        for person, role, match in dict.fromkeys(concerned)
    ]  # fmt: skip
    # Rows that were written while everything was derived anew are read twice.
    Deed.every.filter(stream=row.stream, seq=row.seq).delete()
    Deed.objects.bulk_create(made)
    return {str(one.person_id) for one in made}


def _day(row: log.Row, zone: str) -> date:
    return (row.occurred_at or row.recorded_at).astimezone(ZoneInfo(zone)).date()


def of(person_ids: Iterable[str | UUID]) -> list[Deed]:
    """Return the deeds of a person, known under these ids, in order of play."""
    return list(Deed.objects.filter(person_id__in=list(person_ids)).order_by("at", "stream", "seq", "role"))


def former(person_ids: Iterable[str | UUID]) -> list[Deed]:
    """Return the deeds of a person, known under these ids, that a later entry of their stream took back, in order of play."""
    taken = Deed.every.filter(person_id__in=list(person_ids)).exclude(taken_back_seq=None)
    return list(taken.order_by("at", "stream", "seq", "role"))


def is_same(one: Deed, other: Deed) -> bool:
    """Return whether two deeds tell of the same thing: a table that was closed, taken back and closed again."""
    _type, key = next(known for known in TAKEN_BACK.values() if known[0] == other.type)
    return (one.stream, one.type) == (other.stream, other.type) and (key is None or one.data[key] == other.data[key])


def order_of(deed: Deed) -> tuple[object, ...]:
    """Return a deed's place in the order of play: by its day, before the matches of the same moment."""
    return (deed.at, -1, 0, f"{deed.stream}/{deed.seq:09}")


def mentors_of(person_ids: Iterable[str | UUID]) -> set[str]:
    """Return the ids of those who mentored a newcomer known under these ids."""
    named = Deed.objects.filter(person_id__in=list(person_ids), role="newcomer").values_list("stream", "seq")
    found: set[str] = set()
    for stream, seq in named:
        mentors = Deed.objects.filter(stream=stream, seq=seq, role="mentor").values_list("person_id", flat=True)
        found |= {str(one) for one in mentors}
    return found
