"""The stream of a league in the log: entries in, rows out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from uuid import UUID

import msgspec
from django.db import transaction

from league.events import (
    PAYLOADS,
    CampaignClosed,
    CampaignOpened,
    DivisionSet,
    LeagueChanged,
    LeagueClosed,
    LeagueOpened,
    LeagueReopened,
    MemberJoined,
    MemberLeft,
    Payload,
    RoleGranted,
    RoleRevoked,
    SeasonClosed,
    SeasonOpened,
    SeasonReopened,
    SportsmanshipVoteCast,
)
from league.models import Campaign, League, Member, Season, SportsmanshipVote
from matches import log, texts
from people import services as people
from people.models import Grant, Person


def type_of(event: Payload) -> str:
    """Return an event's name in the log."""
    return str(event.__struct_config__.tag)


def append(
    *, league: League, events: Sequence[Payload], by: Person | None, acting_as: str | None, at: datetime
) -> None:
    """Add events to a league's stream and bring its rows up to them. The league's row must be locked by the caller.

    :param by: who writes; None for a secret vote, whose entry names nobody, and for what happens because its time has come
    """
    entries = []
    for event in events:
        said = {name: value for name, value in msgspec.structs.asdict(event).items() if value is not None}
        data, kept = texts.apart(msgspec.json.encode(said))
        entries.append(log.Entry(type=type_of(event), data=data, acting_as=acting_as, occurred_at=at, texts=kept))
    log.append(
        stream=league.pk,
        stream_kind="league",
        entries=entries,
        expected_seq=league.seq,
        by=by.pk if by else None,
        at=at,
    )
    for event in events:
        league.seq += 1
        follow(league, event, by=by, seq=league.seq)
    league.save()


def follow(league: League, event: Payload, *, by: Person | None, seq: int) -> None:
    """Bring the rows of a league up to one event, number `seq`. It was checked when it was recorded, so nothing is refused here."""
    match event:
        case LeagueOpened():
            league.slug, league.name, league.is_open = event.slug, event.name, True
            league.timezone, league.appeal_hours = event.timezone, event.appeal_hours
            league.rating_system = "openskill"
            league.save()
        case LeagueChanged():
            league.name = event.name if event.name is not None else league.name
            league.timezone = event.timezone if event.timezone is not None else league.timezone
            league.appeal_hours = event.appeal_hours if event.appeal_hours is not None else league.appeal_hours
            league.rating_system = event.rating_system or league.rating_system
        case LeagueClosed():
            league.is_open = False
        case LeagueReopened():
            league.is_open = True
        case MemberJoined():
            day = date.fromisoformat(event.date)
            Member.objects.update_or_create(
                league=league, person_id=UUID(event.person), defaults={"until": None}, create_defaults={"since": day}
            )
        case MemberLeft():
            Member.objects.filter(league=league, person_id=UUID(event.person)).update(
                until=date.fromisoformat(event.date)
            )
        case RoleGranted() | RoleRevoked():
            follow_role(event.person, event.role, event.scope, is_given=isinstance(event, RoleGranted), by=by)
        case SeasonOpened():
            Season.objects.create(
                league=league, key=event.season, title=event.title, opened_on=date.fromisoformat(event.date),
                points=event.points, best_n=event.best_n, drop_n=event.drop_n,
            )  # fmt: skip
        case DivisionSet():
            Season.objects.filter(league=league, key=event.season).update(
                divisions=event.divisions or None, moving=event.moving
            )
        case SeasonClosed():
            Season.objects.filter(league=league, key=event.season).update(
                moves=event.moves,
                closed_on=date.fromisoformat(event.date), table=event.table, closed_seq=seq,
                champion=UUID(event.champion) if event.champion else None,
            )  # fmt: skip
        case SeasonReopened():
            Season.objects.filter(league=league, key=event.season).update(
                closed_on=None, table=None, champion=None, closed_seq=None, moves=None
            )
        case CampaignOpened():
            Campaign.objects.create(
                league=league, key=event.campaign, title=event.title, game=event.game,
                opened_on=date.fromisoformat(event.date),
            )  # fmt: skip
        case CampaignClosed():
            Campaign.objects.filter(league=league, key=event.campaign).update(
                closed_on=date.fromisoformat(event.date),
                matches=event.matches,
                placements=event.placements,
                closed_seq=seq,
            )
        case SportsmanshipVoteCast():
            SportsmanshipVote.objects.create(
                season=Season.objects.get(league=league, key=event.season), match_id=UUID(event.match),
                voter=event.voter, nominee=UUID(event.nominee), seq=seq,
            )  # fmt: skip


def follow_role(person_id: str, role: str, scope: str, *, is_given: bool, by: Person | None) -> None:
    """Bring the grants up to an entry that gave a role, or took it; a forgotten person is given none."""
    person = Person.objects.get(pk=UUID(person_id))
    if not is_given:
        people.grant_revoke(person=person, role=role, scope=scope)
    elif person.forgotten_at is None:
        people.grant_give(person=person, role=role, scope=scope, by=by)


def events_of(rows: Sequence[log.Row]) -> list[Payload]:
    """Return the typed events of the rows of a league's stream."""
    kept = texts.of_stream(rows[0].stream) if rows else {}
    said = [(row.type, texts.together(row.data, kept.get(row.seq, ()))[0]) for row in rows]
    return [msgspec.convert({"type": kind, **data}, PAYLOADS[kind]) for kind, data in said]


@transaction.atomic
def rebuild(league: League) -> League:
    """Read the rows of a league anew from its stream; what the log does not say is gone afterwards."""
    league = League.objects.select_for_update().get(pk=league.pk)
    Member.objects.filter(league=league).delete()
    Season.objects.filter(league=league).delete()
    Campaign.objects.filter(league=league).delete()
    Grant.objects.filter(scope=league.scope).delete()
    rows = log.read(league.pk)
    writers = Person.objects.in_bulk({row.by for row in rows if row.by is not None})
    for row, event in zip(rows, events_of(rows), strict=True):
        follow(league, event, by=writers.get(row.by) if row.by else None, seq=row.seq)
        league.seq = row.seq
    league.save()
    return league


def blanked(*, streams: Collection[UUID], **_more: object) -> None:
    """Read the rows of leagues anew in whose streams texts were blanked: a title may have been one of them."""
    for league in League.objects.filter(pk__in=streams).order_by("pk"):
        rebuild(league)
