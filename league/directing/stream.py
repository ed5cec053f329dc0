"""The stream of a tournament in the log: entries in, its state and rows out."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from league.models import Tournament, TournamentEntry, TournamentTable
from league.stream import follow_role
from league.tournament import events as e
from league.tournament import reducer
from league.tournament.reducer import State
from matches import log, texts
from people.models import Grant, Person

_MOST_KEPT = 16
_kept: OrderedDict[tuple[UUID, int], tuple[int, list[tuple[int, e.Payload]]]] = OrderedDict()
_lock = threading.Lock()
_SILENT = (
    e.ClockSet,
    e.TableExtended,
    e.JudgeCalled,
    e.JudgeAnswered,
    e.PenaltyGiven,
    e.ByeRequested,
    e.EntrantChanged,
)
"""Entries that no row of the database knows of."""


def type_of(event: e.Payload) -> str:
    """Return an event's name in the log."""
    return str(event.__struct_config__.tag)


def append(
    *,
    tournament: Tournament,
    events: Sequence[e.Payload],
    by: Person | None,
    acting_as: str | None,
    at: datetime,
    event_id: UUID | None = None,
) -> State:
    """Add events to a tournament's stream, bring its rows up to them, and return its state. The row must be locked by the caller.

    :param by: who writes; None for what happens because something else did, such as a place that became free
    :param event_id: the id of the (only) entry, where it may arrive twice
    """
    entries = []
    for event in events:
        data = msgspec.to_builtins(event)
        del data["type"]
        hidden, kept = texts.apart(msgspec.json.encode(data))
        entries.append(
            log.Entry(
                type=type_of(event), data=hidden, acting_as=acting_as, occurred_at=at, texts=kept, event_id=event_id
            )
        )
    log.append(
        stream=tournament.pk,
        stream_kind="tournament",
        entries=entries,
        expected_seq=tournament.seq,
        by=by.pk if by else None,
        at=at,
    )
    tournament.seq += len(events)
    state = state_of(tournament)
    for event in events:
        _grants(event, by=by)
    follow(tournament, state, events)
    return state


def entries_of(tournament: Tournament) -> list[tuple[int, e.Payload]]:
    """Return the typed entries of a tournament up to the one its row was read from, texts in their places. Not to be changed."""
    key = (tournament.pk, tournament.erased)
    with _lock:
        upto, known = _kept.get(key, (-1, []))
    if upto < tournament.seq:
        rows = log.read(tournament.pk, after=upto)
        kept = texts.of_stream(tournament.pk) if rows else {}
        known = known + [(row.seq, event_of(row, kept.get(row.seq, ()))) for row in rows]
        upto = known[-1][0] if known else -1
        if not connection.in_atomic_block:
            # What a transaction has written may be taken back with it: only what was read outside of one is kept.
            with _lock:
                _kept[key] = (upto, known)
                _kept.move_to_end(key)
                while len(_kept) > _MOST_KEPT:
                    _kept.popitem(last=False)
    return known if upto == tournament.seq else [one for one in known if one[0] <= tournament.seq]


def event_of(row: log.Row, kept: Sequence[texts.Kept]) -> e.Payload:
    """Return the typed event of a row of a tournament's stream."""
    data, _note = texts.together(row.data, kept)
    return msgspec.convert({"type": row.type, **data}, e.PAYLOADS[row.type])


def state_of(tournament: Tournament, *, at: int | None = None) -> State:
    """Return the state of a tournament, as of an entry or of its last one. It is the caller's own: nobody else holds it."""
    entries = entries_of(tournament)
    return reducer.fold(entries if at is None else [one for one in entries if one[0] <= at])


def follow(tournament: Tournament, state: State, events: Sequence[e.Payload] | None = None) -> None:
    """Bring the rows of a tournament up to its state.

    :param events: what is new in it; None brings up everything
    """
    if events is not None and all(isinstance(one, _SILENT) for one in events):
        Tournament.objects.filter(pk=tournament.pk).update(seq=tournament.seq)
        return
    latest = state.latest
    tournament.slug, tournament.title, tournament.game = state.slug, state.title[:120], state.game
    tournament.season, tournament.status, tournament.timezone = state.season or "", state.status, state.timezone
    tournament.registration_is_open = state.registration_is_open
    tournament.players = len(state.playing)
    tournament.stage = latest.number if latest else 0
    tournament.round = latest.shown.number if latest is not None and latest.shown is not None else 0
    tournament.save()
    if events is not None and all(isinstance(one, e.ResultSettled | e.ResultRuled) for one in events):
        for event in events:
            if isinstance(event, e.ResultSettled):
                TournamentTable.objects.filter(match_id=UUID(event.match)).update(settled_seq=event.match_seq)
        return
    _entries(tournament, state)
    _tables(tournament, state)


def _entries(tournament: Tournament, state: State) -> None:
    there = {str(row.person_id): row for row in TournamentEntry.objects.filter(tournament=tournament)}
    status = TournamentEntry.Status
    new, changed = [], []
    for one in state.entries.values():
        stands = status.GONE if one.withdrawn else status.WAITS if one.waits else status.PLAYS
        row = there.pop(one.person, None)
        if row is None:
            new.append(TournamentEntry(tournament=tournament, person_id=UUID(one.person), status=stands))
        elif row.status != stands:
            row.status = stands
            changed.append(row)
    TournamentEntry.objects.bulk_create(new)
    TournamentEntry.objects.bulk_update(changed, ["status"])
    if there:
        TournamentEntry.objects.filter(pk__in=[row.pk for row in there.values()]).delete()


def _tables(tournament: Tournament, state: State) -> None:
    there = {str(row.match_id): row for row in TournamentTable.objects.filter(tournament=tournament)}
    new, changed = [], []
    for stage in state.stages:
        for round_ in stage.rounds.values():
            for table in round_.tables.values():
                row = there.pop(table.match, None)
                told = TournamentTable(
                    match_id=UUID(table.match), tournament=tournament, stage=stage.number, round=round_.number,
                    number=table.number, seats=table.seats, is_published=round_.is_published, settled_seq=table.match_seq,
                )  # fmt: skip
                if row is None:
                    new.append(told)
                elif (row.number, row.seats, row.is_published, row.settled_seq) != (
                    told.number, told.seats, told.is_published, told.settled_seq,
                ):  # fmt: skip
                    changed.append(told)
    if there:
        TournamentTable.objects.filter(pk__in=[row.pk for row in there.values()]).delete()
    TournamentTable.objects.bulk_create(new)
    TournamentTable.objects.bulk_update(changed, ["number", "seats", "is_published", "settled_seq"])


def _grants(event: e.Payload, *, by: Person | None) -> None:
    if isinstance(event, e.RoleGranted | e.RoleRevoked):
        follow_role(event.person, event.role, event.scope, is_given=isinstance(event, e.RoleGranted), by=by)


@transaction.atomic
def rebuild(tournament: Tournament) -> Tournament:
    """Read the rows of a tournament anew from its stream; what the log does not say is gone afterwards."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
    Grant.objects.filter(scope=tournament.scope).delete()
    by = {row.seq: row.by for row in log.read(tournament.pk)}
    tournament.seq = max(by, default=-1)
    writers = Person.objects.in_bulk({one for one in by.values() if one is not None})
    for seq, event in entries_of(tournament):
        writer = by[seq]
        _grants(event, by=writers.get(writer) if writer else None)
    follow(tournament, state_of(tournament))
    return tournament


def blanked(*, streams: Collection[UUID], **_more: object) -> None:
    """Read the rows of tournaments anew in whose streams texts were blanked: a title may have been one of them."""
    for tournament in Tournament.objects.filter(pk__in=streams).order_by("pk"):
        Tournament.objects.filter(pk=tournament.pk).update(erased=F("erased") + 1)
        rebuild(tournament)


def locked(tournament: Tournament) -> Tournament:
    """Return the tournament as it stands now, locked until the end of the transaction."""
    return Tournament.objects.select_for_update(of=("self",)).select_related("league").get(pk=tournament.pk)


def must_run(state: State) -> None:
    """:raises ValidationError: if the tournament is over or cancelled"""
    if state.status == "closed":
        raise ValidationError(_("The tournament is over. Whoever owns it can reopen it on the page “About”."))
    if state.status == "cancelled":
        raise ValidationError(_("The tournament is cancelled; nothing is entered any more."))
