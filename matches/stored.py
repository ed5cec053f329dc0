"""Between a log as the engine knows it and its stored form: event 0 with persons, the lines, the texts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from matches import texts
from matches.log import Entry
from matches.texts import Kept
from rulesengine.log import FORMAT, Header, Line, Official, Seat

SET_UP = "match_set_up"
EXPORT = "entry"  # in the context of an exported header: what of event 0 a header has no place for
encode = msgspec.json.Encoder().encode


def header_entry(header: Header, seats: Mapping[str, UUID | None], officials: Sequence[UUID | None]) -> Entry:
    """Return event 0 of a match: everything of its header but the names, which stay outside the log."""
    data, kept = texts.apart(encode(header_data(header, seats, officials)))
    return Entry(SET_UP, data, texts=kept)


def header_data(header: Header, seats: Mapping[str, UUID | None], officials: Sequence[UUID | None]) -> dict[str, Any]:
    """Return the payload of event 0 with its texts still in place."""
    data: dict[str, Any] = {
        "game": header.game,
        "depth": header.depth,
        "played_on": header.played_on,
        "timezone": header.timezone,
        "seats": [_seat(seat, seats.get(seat.seat)) for seat in header.seats],
    }
    if header.rules:
        data["rules"] = header.rules
    if header.title:
        data["title"] = header.title
    if header.officials:
        data["officials"] = [
            {"role": one.role, "person": str(person) if person else None}
            for one, person in zip(header.officials, officials, strict=True)
        ]
    if header.options:
        data["options"] = header.options
    context = {key: value for key, value in header.context.items() if key != EXPORT}
    if context:
        data["context"] = context
    return data


def _seat(seat: Seat, person: UUID | None) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": seat.seat, "person": str(person) if person else None}
    if seat.kingdom:
        data["kingdom"] = seat.kingdom
    if seat.colour:
        data["colour"] = seat.colour
    if seat.custom_pieces is not None:
        data["custom_pieces"] = seat.custom_pieces
    if seat.king_level is not None:
        data["king_level"] = seat.king_level
    if seat.general is not None:
        data["general"] = {"name": seat.general} if isinstance(seat.general, str) else seat.general
    return data


def header_of(
    match_id: UUID,
    data: Mapping[str, Any],
    seats: Mapping[str, tuple[str, str | None]],
    officials: Sequence[tuple[str, str | None]],
) -> Header:
    """Return the header that event 0 tells, with the names and handles given for seats and officials."""
    return Header(
        log=FORMAT,
        id=str(match_id),
        game=data["game"],
        rules=data.get("rules"),
        played_on=data["played_on"],
        timezone=data.get("timezone", "UTC"),
        title=data.get("title"),
        depth=data.get("depth", "log"),
        seats=tuple(
            Seat(
                seat=one["seat"],
                name=seats.get(one["seat"], ("", None))[0],
                player=seats.get(one["seat"], ("", None))[1],
                kingdom=one.get("kingdom"),
                colour=one.get("colour"),
                custom_pieces=one.get("custom_pieces"),
                general=one.get("general"),
                king_level=one.get("king_level"),
            )
            for one in data["seats"]
        ),
        officials=tuple(
            Official(
                role=one["role"],
                name=officials[number][0] if number < len(officials) else "",
                player=officials[number][1] if number < len(officials) else None,
            )
            for number, one in enumerate(data.get("officials", ()))
        ),
        options=data.get("options", {}),
        context=data.get("context", {}),
    )


def entry_of(line: Line, zone: str, *, salts: Mapping[str, str] | None = None) -> Entry:
    """Return a line as it is appended."""
    data, kept = texts.apart(line.data, line.note, salts)
    return Entry(
        line.type,
        data,
        seat=line.seat,
        acting_as=line.acting_as,
        occurred_at=moment_of(line.at, zone),
        event_id=UUID(line.id) if line.id else None,
        texts=kept,
    )


def line_of(
    seq: int,
    type_: str,
    seat: str | None,
    data: str,
    acting_as: str | None,
    occurred_at: str | None,
    recorded_at: str | None,
    kept: Iterable[Kept] = (),
) -> Line:
    """Return a stored row as a line of a log. Moments as PostgreSQL writes them, in UTC."""
    note = None
    raw = data.encode()
    if kept:
        value, note = texts.together(data, kept)
        raw = encode(value)
    return Line(seq, type_, seat, raw, at_of(occurred_at), acting_as, None, note, None, at_of(recorded_at))


def at_of(occurred_at: str | None) -> str | None:
    """Return a moment in the form of a log file, from PostgreSQL's."""
    return f"{occurred_at[:10]}T{occurred_at[11:]}Z" if occurred_at else None


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def moment_of(at: str | None, zone: str) -> datetime | None:
    """Return a time of a line in UTC: with its offset, else in the zone of the match."""
    if at is None:
        return None
    moment = datetime.fromisoformat(at)
    return (moment if moment.tzinfo else moment.replace(tzinfo=_zone(zone))).astimezone(UTC)


def without_export(header: Header) -> tuple[Header, dict[str, Any] | None]:
    """Return an exported header without what exports add to its context, and that."""
    added = header.context.get(EXPORT)
    if not isinstance(added, dict):
        return header, None
    return replace(header, context={key: value for key, value in header.context.items() if key != EXPORT}), added
