"""Bringing a match's row and its seats up to its log, and telling others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from django.db import transaction

from matches import citations, counts, selectors, stored, telling
from matches import log as match_log
from matches.models import Match, Seat
from matches.signals import result_changed
from rulesengine.game import FORFEITED
from rulesengine.log import Line
from rulesengine.replay import Replay

# What may follow the end of a match: none of these ends it.
AFTER_END = frozenset(
    {
        "dispute_opened", "ruling_given", "event_voided", "event_amended", "event_withdrawn", "state_adjusted", "illegal_state_accepted",
        "penalty_given", "result_signed", "result_disputed", "placements_confirmed", "match_annulled", "result_overridden",
    }
)  # fmt: skip
_UNSETTLED = (Match.Status.SCHEDULED, Match.Status.RUNNING)


def settle(match: Match, told: Replay, *, at: datetime) -> Match:
    """Bring a match up to its log, whose replay is given, and send `result_changed` if it has, or had, a result.

    Must be called in the transaction in which something was appended.

    :param at: the moment of recording
    """
    before, is_new, was_disputed = match.status, match._state.adding, match.disputed
    lines = told.log.lines
    if (head := match_log.head(match.pk)) is not None:
        match.seq, match.head_hash = head.seq, head.hash
    match.status = _status(told)
    match.disputed = bool(told.disputes or disputed_result(told) or counts.open_in(told))
    match.result = told.result
    match.played_on = date.fromisoformat(told.header.played_on)
    match.timezone, match.options = told.header.timezone, dict(told.header.options)
    match.ended_at = None if match.status in _UNSETTLED else ended_at(lines, told)
    if match.status == Match.Status.CONFIRMED:
        match.confirmed_at = match.confirmed_at or at
    elif match.status != Match.Status.ANNULLED:
        match.confirmed_at = None
    match.save()
    if not is_new:
        _place(match, told)
    citations.note(match, told)
    selectors.remember(match, told)
    if match.status == Match.Status.ENDED and (is_new or before in _UNSETTLED):
        transaction.on_commit(lambda: telling.result_ended(match, at=at), robust=True)
    if match.disputed and not was_disputed:
        transaction.on_commit(lambda: telling.disputed(match), robust=True)
    if match.status not in _UNSETTLED or before not in _UNSETTLED:
        result_changed.send(sender=Match, match_id=match.pk, seq=match.seq)
    return match


def _place(match: Match, told: Replay) -> None:
    places = {one.seat: one.place for one in told.placements}
    forfeits = forfeits_of(told)
    changed = []
    for seat in match.seats.all():
        if (seat.place, seat.forfeited) != (places.get(seat.seat), seat.seat in forfeits):
            seat.place, seat.forfeited = places.get(seat.seat), seat.seat in forfeits
            changed.append(seat)
    if changed:
        Seat.objects.bulk_update(changed, ["place", "forfeited"])


def forfeits_of(told: Replay) -> set[str]:
    """Return the seats that forfeited the match, none while it has no placements."""
    if not told.placements:
        return set()
    return {fact.seat for fact in told.ruleset.facts(told.carried) if fact.key == FORFEITED}


def disputed_result(told: Replay) -> dict[str | None, int]:
    """Return the seqs of the open disputes of the result by seat: nothing of the referees or of that player came after them."""
    open_: dict[str | None, int] = {}
    for line in told.log.lines:
        if line.seq in told.skipped:
            continue
        if line.type == "result_disputed":
            open_[line.seat] = line.seq
        elif line.type == "result_signed":
            open_.pop(line.seat, None)
        elif line.type in ("ruling_given", "event_voided", "event_amended", "state_adjusted", "result_overridden"):
            open_.clear()
    return open_


def _status(told: Replay) -> str:
    if told.status == "void":
        valid = [line.type for line in told.log.lines if line.seq not in told.skipped]
        return Match.Status.ANNULLED if "match_annulled" in valid else Match.Status.ABANDONED
    return {"ended": Match.Status.ENDED, "confirmed": Match.Status.CONFIRMED}.get(
        told.status or "", Match.Status.RUNNING
    )


def ended_at(lines: Sequence[Line], told: Replay) -> datetime:
    """Return the moment of the end at the table in UTC; if only the day is known, 23:59:59 of it in the match's zone."""
    last = next((line for line in reversed(lines) if line.type not in AFTER_END and line.seq not in told.skipped), None)
    moment = stored.moment_of(last.at, told.header.timezone) if last is not None else None
    if moment is not None:
        return moment
    day = date.fromisoformat(told.header.played_on)
    return datetime.combine(day, time(23, 59, 59), ZoneInfo(told.header.timezone)).astimezone(UTC)
