"""A match that waits at its table begins: with its result, where nobody keeps a log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import Struct

from matches import log as match_log
from matches import selectors, stored
from matches.acts import Standing
from matches.models import Match, Seat
from matches.scheduled import Scheduled
from matches.services import live
from matches.services.errors import NotRecordable, StaleMatch
from matches.services.standing import settle
from people.locks import lock
from people.models import Person
from people.services import Forbidden
from rulesengine import replay as engine
from rulesengine.log import FORMAT, Header, Line, Log
from rulesengine.log import Seat as HeaderSeat
from rulesengine.shared import ResultRow

MOST_SCORE = 1_000_000
RESULT = "result_recorded"


class Finish(Struct, frozen=True):
    """How somebody came out: the place (those who share it have the same), and the score, where the game counts one."""

    place: int
    score: int | None = None


def standing_at(table: Scheduled, person: Person | None) -> Standing:
    """Return what somebody may do at a match that has not begun."""
    seat = table.letter_of(person) if person is not None else None
    return Standing(person, table.scopes, seats=frozenset({seat} if seat else ()), friendly=False, opened=False)


def may_enter(table: Scheduled, person: Person | None) -> bool:
    """Return whether somebody may enter a result: who records there, and who sits there."""
    standing = standing_at(table, person)
    return standing.may("record") or standing.sits


def result_enter(
    *,
    table: Scheduled,
    finishes: Mapping[str, Finish],
    by: Person,
    at: datetime | None = None,
    confirm: bool = False,
) -> Match:
    """Record the result of a match without a log, and return the match. The same result again is that result.

    A player signs what they enter; the others at the table confirm it by signing.

    :param finishes: by the letter of the seat; every seat has one
    :param confirm: confirm the placements as well
    :raises Forbidden: if `by` may not enter, or not confirm
    :raises NotRecordable: if seats are missing, or places cannot be so
    :raises StaleMatch: if another result was entered meanwhile
    """
    at = at or timezone.now()
    standing = standing_at(table, by)
    if not (standing.may("record") or standing.sits):
        raise Forbidden("record", _("those at the table, and whoever records in the tournament"))
    if confirm and not standing.may("confirm"):
        raise Forbidden("confirm")
    _check(table, finishes)
    rows = [ResultRow(letter, finishes[letter].place, finishes[letter].score) for letter in sorted(table.letters)]
    with transaction.atomic():
        lock(f"match {table.match_id}")
        match = Match.objects.filter(pk=table.match_id).first()
        if match is None:
            match = _begin(table, rows, by, at)
        elif not _says(match, rows):
            raise StaleMatch(match, -1)
        if match.status == Match.Status.ENDED and not match.disputed:
            seats = [seat for seat in match.seats.all() if seat.seat in standing.seats]
            if confirm:
                match = live.match_confirm(match=match, by=by, at=at)
            elif any(seat.signed_at is None for seat in seats):
                match = live.result_sign(match=match, by=by, at=at)
    return match


def result_correct(
    *,
    match: Match,
    finishes: Mapping[str, Finish],
    reason: str,
    by: Person,
    expected_seq: int,
    at: datetime | None = None,
) -> Match:
    """Put the result of a match without a log right. Errors as :func:`matches.services.live.event_record`."""
    told = selectors.match_replay(match)
    seq = next((line.seq for line in told.log.lines if line.type == RESULT and line.seq not in told.skipped), None)
    if match.depth != Match.Depth.SCORE or seq is None:
        raise NotRecordable(_("This match has a log; its entries are corrected on its page, one by one."))
    letters = sorted(seat.seat for seat in match.seats.all())
    rows = [
        ResultRow(letter, finishes[letter].place, finishes[letter].score) for letter in letters if letter in finishes
    ]
    if len(rows) != len(letters):
        raise NotRecordable(_("Every seat needs a place."))
    return live.event_amend(
        match=match, target_seq=seq, data={"rows": msgspec.to_builtins(rows)}, reason=reason, by=by, expected_seq=expected_seq, at=at
    )  # fmt: skip


def finishes_of(match: Match) -> dict[str, Finish]:
    """Return the result of a match by seat, as it stands."""
    scores = {row["seat"]: row.get("score") for row in (match.result or {}).get("rows", ())}
    found = {}
    for seat in match.seats.all():
        score = scores.get(seat.seat)
        if seat.place is not None:
            found[seat.seat] = Finish(seat.place, score if isinstance(score, int) else None)
    return found


def _check(table: Scheduled, finishes: Mapping[str, Finish]) -> None:
    letters = set(table.letters)
    if finishes.keys() != letters:
        raise NotRecordable(
            _("A result has one place for each of the seats %(seats)s.") % {"seats": ", ".join(sorted(letters))}
        )
    places = sorted(one.place for one in finishes.values())
    at = 0
    while at < len(places):
        same = places.count(places[at])
        if places[at] != at + 1:
            raise NotRecordable(
                _(
                    "The places %(places)s leave one out, or share one that cannot be shared: two who share place 1 are "
                    "followed by place 3."
                )
                % {"places": ", ".join(map(str, places))}
            )
        at += same
    for one in finishes.values():
        if one.score is not None and abs(one.score) > MOST_SCORE:
            raise NotRecordable(
                _("A score of %(score)s cannot be; the most is %(most)s.") % {"score": one.score, "most": MOST_SCORE}
            )


def _says(match: Match, rows: list[ResultRow]) -> bool:
    have = finishes_of(match)
    return have == {row.seat: Finish(row.place or 0, row.score if isinstance(row.score, int) else None) for row in rows}


def _begin(table: Scheduled, rows: list[ResultRow], by: Person, at: datetime) -> Match:
    persons: dict[str, UUID | None] = {letter: person.pk for letter, person in table.letters.items()}
    context = {**table.context, "tournament_id": table.scope.partition(":")[2]}
    day = at.astimezone(ZoneInfo(table.timezone)).date().isoformat()
    header = Header(
        log=FORMAT,
        id=str(table.match_id),
        game=table.game,
        played_on=day,
        timezone=table.timezone,
        depth="score",
        seats=tuple(HeaderSeat(letter) for letter in table.letters),
        context=context,
    )
    role = standing_at(table, by).role("record")
    line = Line(
        1,
        RESULT,
        data=msgspec.json.encode({"rows": rows}),
        at=at.isoformat(timespec="microseconds"),
        acting_as={"owner": "organizer"}.get(role or "", role),
    )
    told = engine.run(Log(header, (line,)))
    if told.status != "ended":
        raise NotRecordable(_("The result could not be read; check the places."))
    match = Match(
        id=table.match_id,
        game=table.game,
        edition="",
        depth="score",
        played_on=day,
        timezone=table.timezone,
        league=table.league,
        context=context,
        opened_by=by,
        is_demo=table.is_demo,
    )
    entries = [stored.header_entry(header, persons, []), stored.entry_of(line, table.timezone)]
    match_log.append(stream=match.pk, stream_kind="match", entries=entries, expected_seq=-1, by=by.pk, at=at)
    placed = {one.seat: one.place for one in told.placements}
    Seat.objects.bulk_create(
        Seat(match=match, seat=letter, position=at_, person=person, linked=True, place=placed.get(letter))
        for at_, (letter, person) in enumerate(table.letters.items())
    )
    return settle(match, told, at=at)


def begun(table: Scheduled) -> Match | None:
    """Return the match of a table once it has begun."""
    return Match.objects.filter(pk=table.match_id).prefetch_related("seats").first()
