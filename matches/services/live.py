"""Entries one by one: at the table, by its referees, by those who sign. Each is checked by the engine and by the rights."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import replace

from matches import counts, seating, selectors, sight, stored, texts
from matches import log as match_log
from matches.acts import CORRECTIONS, Standing, acting_as, action_of
from matches.models import Match
from matches.services.errors import NotRecordable, Refused, StaleMatch
from matches.services.standing import settle
from people import circles, rights
from people.models import Person
from people.selectors import person_by_handle
from people.services import Forbidden
from rulesengine import replay as engine
from rulesengine.codec import FormError
from rulesengine.game import Refusal
from rulesengine.log import Line
from rulesengine.score import LOG

APPEAL_HOURS = 72
# Corrections of a confirmed match that need an organizer as well once its appeal time is over.
_APPEALABLE = CORRECTIONS | {"match_annulled", "event_withdrawn"}
_encode = msgspec.json.Encoder().encode


class Preview(Struct, frozen=True):
    """What a correction would do: the match before and after it, or the refusal (then `after` is None)."""

    before: engine.Replay
    after: engine.Replay | None
    refusal: Refusal | None = None


def event_record(
    *,
    match_id: UUID,
    line: Line,
    expected_seq: int,
    by: Person,
    at: datetime | None = None,
    accept_irregular: bool = False,
    reason: str = "",
) -> Match:
    """Add one entry to a match, and return the match as it then stands. The same entry (by its id) twice is one entry.

    :param line: what is recorded; its seq is set here
    :param expected_seq: the last entry that the writer knows
    :param accept_irregular: as a referee, let an irregular entry stand, for `reason`; both are written in one transaction
    :raises Refused: if the rules do not allow it
    :raises StaleMatch: if the match has moved on
    :raises Forbidden: if `by` may not do this here
    """
    return _record(match_id, line, expected_seq, by, at, accept_irregular=accept_irregular, reason=reason)


def _record(
    match_id: UUID,
    line: Line,
    expected_seq: int,
    by: Person,
    at: datetime | None,
    *,
    accept_irregular: bool = False,
    reason: str = "",
    authorized: bool = False,
) -> Match:
    at = at or timezone.now()
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        standing = seating.standing(match, by)
        if not authorized:
            _authorize(match, line, standing)
        if line.id is not None and _is_there(match, line, by):
            return match
        if match.seq != expected_seq:
            raise StaleMatch(match, expected_seq)
        if line.type == "dispute_opened" and line.seat is None:
            raise NotRecordable(_("A dispute is opened by somebody seated: name the seat whose dispute it is."))
        before = selectors.match_replay(match)
        if line.type in engine.unstored(before.ruleset):
            raise NotRecordable(
                _("%(type)s is never recorded: it is computed, or stands in the set-up already.") % {"type": line.type}
            )
        line = _approved(match, replace(line, seq=match.seq + 1, number=None), by, standing, at)
        try:
            told, lines = _checked(before, line, standing, accept_irregular, reason)
        except Refused as refused:
            raise Refused(sight.of(match, by).refusal(line, refused.refusal)) from refused
        zone = match.timezone
        letters = {seat.seat for seat in match.seats.all()}
        if letters != {seat.seat for seat in told.header.seats}:
            raise NotRecordable(
                _(
                    "The match has the seats %(seats)s; an amendment can change who sits there and in which order, not add or remove seats."
                )
                % {"seats": ", ".join(sorted(letters))}
            )
        try:
            entries = [stored.entry_of(one, zone) for one in lines]
        except texts.Unplaceable as error:
            raise NotRecordable(str(error)) from error
        try:
            match_log.append(
                stream=match.pk,
                stream_kind="match",
                entries=entries,
                expected_seq=expected_seq,
                by=by.pk,
                at=at,
            )
        except match_log.Conflict as conflict:
            if conflict.why != "stale":
                raise NotRecordable(str(conflict)) from conflict
            raise StaleMatch(Match.objects.get(pk=match_id), expected_seq) from conflict
        return settle(match, told, at=at)


def _authorize(match: Match, line: Line, standing: Standing) -> None:
    """:raises Forbidden: if the act, or what the line claims with `as`, is not for them"""
    if not standing.may_write(line, match.game) and not _own_voice(line, standing):
        action = action_of(line, match.game)
        raise Forbidden(action, _("the player of that seat") if action == "sign" and standing.may("sign") else "")


def _own_voice(line: Line, standing: Standing) -> bool:
    """Return whether a player says something that any seated may say without recording rights: a dispute of an entry."""
    own = line.seat is None or line.seat in standing.seats  # without a seat it is answered in words
    return line.type == "dispute_opened" and standing.sits and own and line.acting_as is None


def _is_there(match: Match, line: Line, by: Person) -> bool:
    """Return whether the entry was recorded before.

    :raises NotRecordable: if its id was, with other content, or if `by` may not know what that entry holds
    """
    seq = match_log.seq_of(match.pk, UUID(line.id)) if line.id is not None else None
    if seq is None:
        return False
    if sight.of(match, by).hides([seq]):
        raise NotRecordable(
            _("The id %(id)s belongs to an entry that is hidden from you while the match runs; take another.")
            % {"id": line.id}
        )
    try:
        return match_log.there(match.pk, stored.entry_of(line, match.timezone))
    except (match_log.Conflict, texts.Unplaceable) as conflict:
        raise NotRecordable(str(conflict)) from conflict


def _checked(
    told: engine.Replay, line: Line, standing: Standing, accept_irregular: bool, reason: str
) -> tuple[engine.Replay, list[Line]]:
    """Return the replay with the line, and the lines to append: an accepted irregular one is followed by its acceptance.

    :raises Refused: if the rules do not allow it
    """
    after = _append(told, line)
    if isinstance(after, engine.Replay):
        return after, [line]
    if after.breach != "irregular" or not accept_irregular:
        raise Refused(after)
    if not standing.may("accept_irregular"):
        raise Forbidden("accept_irregular")
    if not reason.strip():
        raise NotRecordable(_("An irregular entry stands only with a reason; say why the table let it stand."))
    acceptance = Line(
        line.seq + 1,
        "illegal_state_accepted",
        data=_encode({"seqs": [line.seq], "reason": reason.strip()[:500]}),
        acting_as=acting_as(standing.role("accept_irregular"), "illegal_state_accepted", told.header.game),
    )
    longer = replace(told.log, lines=(*told.log.lines, line, acceptance))
    return engine.run(longer), [line, acceptance]


def _append(told: engine.Replay, line: Line) -> engine.Replay | Refusal:
    """Return the replay with the line, or the refusal; a malformed one is refused as impossible, without a rule."""
    try:
        return engine.append(told, line)
    except FormError as error:
        return LOG.refuses(str(error), "impossible")


# Appeal -------------------------------------------------------------------------------------------------------------


def appeal_until(match: Match) -> datetime | None:
    """Return when the appeal time of a confirmed match ends, None while it is not confirmed."""
    if match.confirmed_at is None:
        return None
    hours = match.options.get("appeal.hours") if match.game == "kingsquare" else None
    if not isinstance(hours, int):
        circle = circles.find(str(match.league)) if match.league else None
        hours = circle.appeal_hours if circle is not None else APPEAL_HOURS
    return match.confirmed_at + timedelta(hours=hours)


def needs_approval(match: Match, at: datetime | None = None) -> bool:
    """Return whether a correction needs an organizer as well: the appeal time is over."""
    until = appeal_until(match)
    return match.status == Match.Status.CONFIRMED and until is not None and (at or timezone.now()) >= until


def _approved(match: Match, line: Line, by: Person, standing: Standing, at: datetime) -> Line:
    """Return a correction of a confirmed match with `approved_by`: whoever corrects, or after the appeal time an organizer.

    :raises Forbidden: if an organizer is needed and none is named
    """
    confirmed = match.status == Match.Status.CONFIRMED
    if line.type in ("dispute_opened", "result_disputed") and needs_approval(match, at):
        raise NotRecordable(_("The appeal time of this match is over; an organizer can still have it corrected."))
    if line.type not in _APPEALABLE or not confirmed:
        return line
    data = line.payload()
    named = str(data.get("approved_by") or "")
    approver = by if not needs_approval(match, at) else _organizer(match, named, by, standing)
    return replace(line, data=_encode({**data, "approved_by": str(approver.pk)}))


def _organizer(match: Match, named: str, by: Person, standing: Standing) -> Person:
    """Return the organizer who approves: the one named, or whoever corrects if they are one."""
    person = person_by_handle(named) if named and "-" not in named[8:9] else None
    if person is None and named:
        try:
            person = Person.objects.filter(pk=UUID(named)).first() or person_by_handle(named)
        except ValueError:
            person = person_by_handle(named)
    if not named:
        person = by
    if person is not None and rights.may(
        person, "pair", match.scopes, friendly=match.is_friendly, opened=match.opened_by_id == person.pk
    ):
        return person
    raise Forbidden("pair", _("an organizer, who must approve a correction once the appeal time is over"))


# Acts ---------------------------------------------------------------------------------------------------------------


def match_confirm(*, match: Match, by: Person, expected_seq: int | None = None, at: datetime | None = None) -> Match:
    """Confirm the placements of an ended match. Errors as :func:`event_record`."""
    told = selectors.match_replay(match)
    if counts.open_in(told):
        raise NotRecordable(
            _(
                "The table counted an outcome otherwise than it is computed; a referee decides which stands before the result is confirmed."
            )
        )
    if match.disputed and not told.disputes:
        raise NotRecordable(
            _("A player disputes the result; a ruling or a correction comes before it can be confirmed.")
        )
    return _act(match, "placements_confirmed", {}, by, expected_seq, at)


def result_sign(*, match: Match, by: Person, expected_seq: int | None = None, at: datetime | None = None) -> Match:
    """Sign one's own result. The seat is linked with it; the last signature of all confirms the placements. Errors as :func:`event_record`."""
    at = at or timezone.now()
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match.pk)
        seats = sorted(seating.seats_of(match, by))
        if not seats:
            raise Forbidden("sign")
        for letter in seats:
            seat = next(one for one in match.seats.all() if one.seat == letter)
            if seat.signed_at is not None:
                raise NotRecordable(_("You have signed this result already."))
            seat.signed_at, seat.linked = at, True
            seat.save(update_fields=["signed_at", "linked"])
        match = Match.objects.select_for_update().get(pk=match.pk)
        line = Line(0, "result_signed", seats[0])
        _authorize(match, line, seating.standing(match, by))
        match = _record(match.pk, line, _expected(match, expected_seq), by, at, authorized=True)
        signed = all(seat.signed_at is not None for seat in match.seats.all())
        if signed and match.status == Match.Status.ENDED and not match.disputed:
            if not seating.standing(match, by).role("confirm", all_signed=True):
                return match
            match = _record(match.pk, Line(0, "placements_confirmed"), match.seq, by, at, authorized=True)
    return match


def result_dispute(
    *, match: Match, reason: str, by: Person, expected_seq: int | None = None, at: datetime | None = None
) -> Match:
    """Dispute the result of one's own match: it cannot be confirmed until a ruling or a correction. Errors as :func:`event_record`."""
    seats = sorted(seating.seats_of(match, by))
    if not seats:
        raise Forbidden("sign")
    return _act(match, "result_disputed", {"reason": reason}, by, expected_seq, at, seat=seats[0])


def event_void(
    *,
    match: Match,
    target_seq: int,
    reason: str,
    by: Person,
    expected_seq: int | None = None,
    at: datetime | None = None,
    **more: Any,
) -> Match:
    """Have an entry skipped on every replay. `more`: scribe_error, reported_by, approved_by. Errors as :func:`event_record`."""
    return _act(match, "event_voided", {"target_seq": target_seq, "reason": reason, **more}, by, expected_seq, at)


def event_amend(
    *,
    match: Match,
    target_seq: int,
    data: Mapping[str, Any],
    reason: str,
    by: Person,
    expected_seq: int | None = None,
    at: datetime | None = None,
    **more: Any,
) -> Match:
    """Have an entry replayed with other data; entry 0 is the set-up. `more` as :func:`event_void`. Errors as :func:`event_record`."""
    return _act(
        match,
        "event_amended",
        {"target_seq": target_seq, "data": dict(data), "reason": reason, **more},
        by,
        expected_seq,
        at,
    )


def state_adjust(
    *,
    match: Match,
    path: str,
    old: Any,
    new: Any,
    reason: str,
    by: Person,
    expected_seq: int | None = None,
    at: datetime | None = None,
    **more: Any,
) -> Match:
    """Set one value of the state from here on. Errors as :func:`event_record`."""
    return _act(
        match,
        "state_adjusted",
        {"path": path, "old": old, "new": new, "reason": reason, **more},
        by,
        expected_seq,
        at,
        keep_null=True,
    )


def ruling_give(
    *,
    match: Match,
    question: str,
    decision: str,
    by: Person,
    about_seq: int | None = None,
    expected_seq: int | None = None,
    at: datetime | None = None,
    **more: Any,
) -> Match:
    """Give a ruling; it closes the dispute about the same entry. `more`: rule, favours. Errors as :func:`event_record`."""
    return _act(
        match,
        "ruling_given",
        {"about_seq": about_seq, "question": question, "decision": decision, **more},
        by,
        expected_seq,
        at,
    )


def result_override(
    *,
    match: Match,
    battle_seq: int,
    outcome: Mapping[str, Any],
    reason: str,
    by: Person,
    expected_seq: int | None = None,
    at: datetime | None = None,
    **more: Any,
) -> Match:
    """Have an outcome stand that is not the computed one. `more`: approved_by. Errors as :func:`event_record`."""
    data = {"battle_seq": battle_seq, "outcome": dict(outcome), "reason": reason, **more}
    return _act(match, "result_overridden", data, by, expected_seq, at)


def penalty_give(
    *,
    match: Match,
    seat: str,
    kind: str,
    reason: str,
    by: Person,
    value: Any = None,
    expected_seq: int | None = None,
    at: datetime | None = None,
) -> Match:
    """Penalize a seat. Errors as :func:`event_record`."""
    return _act(
        match, "penalty_given", {"seat": seat, "kind": kind, "value": value, "reason": reason}, by, expected_seq, at
    )


def match_abandon(
    *, match: Match, reason: str, by: Person, expected_seq: int | None = None, at: datetime | None = None
) -> Match:
    """Give a match up; it counts for nothing. Errors as :func:`event_record`."""
    return _act(match, "match_abandoned", {"reason": reason}, by, expected_seq, at)


def match_annul(
    *, match: Match, reason: str, by: Person, expected_seq: int | None = None, at: datetime | None = None, **more: Any
) -> Match:
    """Have a match count for nothing. `more`: approved_by. Errors as :func:`event_record`."""
    return _act(match, "match_annulled", {"reason": reason, **more}, by, expected_seq, at)


def _expected(match: Match, expected_seq: int | None) -> int:
    return match.seq if expected_seq is None else expected_seq


def _is_empty(value: Any) -> bool:
    """Return whether a value of an act is left out. 0 is not: it is the set-up's number."""
    return value is None or value is False or value == ""


def act_line(
    match: Match, type_: str, data: Mapping[str, Any], by: Person, *, seat: str | None = None, keep_null: bool = False
) -> Line:
    """Return the line of an act as it would be recorded, in the role in which `by` may do it; what is None or empty is left out."""
    kept = data if keep_null else {key: value for key, value in data.items() if not _is_empty(value)}
    kept = {key: value for key, value in kept.items() if key != "approved_by" or value}
    line = Line(0, type_, seat, _encode(dict(kept)))
    role = seating.standing(match, by).role(action_of(line, match.game))
    return replace(line, acting_as=acting_as(role, type_, match.game) if seat is None else None)


def _act(
    match: Match, type_: str, data: Mapping[str, Any], by: Person, expected_seq: int | None, at: datetime | None, *,
    seat: str | None = None, keep_null: bool = False,
) -> Match:  # fmt: skip
    line = act_line(match, type_, data, by, seat=seat, keep_null=keep_null)
    return _record(match.pk, line, _expected(match, expected_seq), by, at)


def correction_preview(*, match: Match, line: Line, by: Person | None = None, at: datetime | None = None) -> Preview:
    """Return what an entry would change, without storing it.

    :param by: whose correction it would be, to have its rights and the appeal time checked as well, and to be told what they
        may see
    :raises Forbidden: if `by` may not do it
    """
    before = selectors.match_replay(match)
    line = replace(line, seq=match.seq + 1, number=None)
    if by is not None:
        standing = seating.standing(match, by)
        _authorize(match, line, standing)
        line = _approved(match, line, by, standing, at or timezone.now())
    after = _append(before, line)
    if by is None:
        return Preview(before, None, after) if isinstance(after, Refusal) else Preview(before, after)
    seen = sight.of(match, by)
    if isinstance(after, Refusal):
        return Preview(seen.replay(), None, seen.refusal(line, after))
    return Preview(seen.replay(), seen.preview(after))
