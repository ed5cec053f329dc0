"""From the result of a match to what it gives in its tournament: settled with the confirmation, repaired by whoever looks after."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid5

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone
from msgspec import Struct

from league.directing import stream
from league.models import TournamentTable
from league.tournament import events as e
from league.tournament.field import Kind, Outcome
from league.tournament.reducer import Stage
from league.tournament.scoring import SCORINGS, Scoring
from matches.models import Match

logger = logging.getLogger(__name__)
GONE = (Match.Status.ANNULLED, Match.Status.ABANDONED)
MOST_AT_ONCE = 200


class Finished(Struct, frozen=True):
    """How somebody came out at a table; `place` is None for whoever was not there."""

    person: str
    place: int | None
    score: Fraction | None = None


def scoring_of(stage: Stage) -> Scoring:
    """Return how a stage gives points.

    :raises KeyError: for a name that is not known (any more), with those that are
    """
    return SCORINGS[stage.settings.points]


def rows_of(stage: Stage, finished: Sequence[Finished], *, agreed: bool = False) -> list[e.ResultRow]:
    """Return what each at a table gets. Somebody who was not there has lost by forfeit; whoever then sits alone has won by it."""
    scoring = scoring_of(stage)
    size = len(finished)
    there = [one for one in finished if one.place is not None]
    rows = []
    for one in finished:
        if one.place is None:
            kind = Kind.FORFEIT_LOSS if there else Kind.DOUBLE_FORFEIT
            rows.append(e.ResultRow(one.person, kind, text_of(scoring.bye(kind)), outcome="loss"))
        elif len(there) == 1:
            points = scoring.bye(Kind.FORFEIT_WIN)
            rows.append(e.ResultRow(one.person, Kind.FORFEIT_WIN, text_of(points), place=1, outcome="win"))
        else:
            tied = sum(other.place == one.place for other in there)
            outcome = _outcome(one.place, tied, len(there))
            points = scoring.played(place=one.place, tied=tied, size=size, score=one.score)
            score = text_of(one.score) if one.score is not None else None
            rows.append(
                e.ResultRow(
                    one.person, Kind.PLAYED, text_of(points), one.place, outcome, score, agreed and outcome == "draw"
                )
            )
    return rows


def double_loss(persons: Sequence[str], stage: Stage) -> list[e.ResultRow]:
    """Return the rows of a match that both have lost."""
    points = text_of(scoring_of(stage).bye(Kind.DOUBLE_LOSS))
    return [e.ResultRow(person, Kind.DOUBLE_LOSS, points, outcome="loss") for person in persons]


def _outcome(place: int, tied: int, there: int) -> Outcome:
    if place == 1:
        return "win" if tied == 1 else "draw"
    if there > 2 and place + tied - 1 < there:
        return "draw"
    return "loss"


def text_of(points: Fraction | int) -> str:
    """Return points as they stand in the log: `"3"`, `"1/2"`."""
    return str(points)


def finished_of(match: Match, seats: Sequence[str]) -> list[Finished] | None:
    """Return how those paired at a table came out in its match; None while it has no places, or if others sat there."""
    told = {str(seat.person.head.pk): seat for seat in match.seats.all() if seat.person is not None}
    told |= {str(seat.person_id): seat for seat in match.seats.all() if seat.person is not None}
    scores = _scores(match)
    found = []
    for person in seats:
        seat = told.get(person)
        if seat is None:
            return None
        if seat.place is None and not seat.forfeited:
            return None
        score = scores.get(seat.seat)
        found.append(Finished(person, None if seat.forfeited else seat.place, score))
    return found


def _scores(match: Match) -> dict[str, Fraction]:
    """Return what the game counted for each seat, where it counts something."""
    found: dict[str, Fraction] = {}
    for row in (match.result or {}).get("rows", ()):
        for key in ("score", "points", "victory_points"):
            value = row.get(key)
            if isinstance(value, int) and not isinstance(value, bool):
                found[row["seat"]] = Fraction(value)
                break
    return found


# Settling ------------------------------------------------------------------------------------------------------------


def changed(*, match_id: UUID, seq: int, **_more: Any) -> None:
    """Settle the result of a match of a tournament, inside the transaction that changed it; an error here undoes nothing there."""
    if not TournamentTable.objects.filter(match_id=match_id).exists():
        return
    try:
        with transaction.atomic():
            settle(match_id, at=timezone.now())
    except Exception:
        logger.exception("the result of match %s, entry %s, is not settled in its tournament yet", match_id, seq)


@transaction.atomic
def settle(match_id: UUID, *, at: datetime) -> bool:
    """Write the present result of a match into its tournament's stream, and return whether there was something to write."""
    table = TournamentTable.objects.filter(match_id=match_id).select_related("tournament").first()
    if table is None:
        return False
    tournament = stream.locked(table.tournament)
    match = Match.objects.prefetch_related("seats__person__joined_into").get(pk=match_id)
    state = stream.state_of(tournament)
    stage = state.stages[table.stage]
    round_ = stage.rounds.get(table.round)
    paired = next((one for one in round_.tables.values() if one.match == str(match_id)), None) if round_ else None
    if paired is None:
        return False
    rows = _settled_rows(match, stage, paired.seats)
    if rows is None or match.seq <= paired.match_seq or (rows or None) == paired.settled:
        TournamentTable.objects.filter(pk=match_id).update(settled_seq=match.seq)
        return False
    event = e.ResultSettled(table.stage, table.round, paired.number, str(match_id), match.seq, match.depth, rows)
    stream.append(
        tournament=tournament, events=[event], by=None, acting_as=None, at=at,
        event_id=uuid5(match_id, str(match.seq)),
    )  # fmt: skip
    return True


def _settled_rows(match: Match, stage: Stage, seats: Sequence[str]) -> list[e.ResultRow] | None:
    """Return the rows that a match gives, none for one that is not confirmed or counts no more, None if others sat there."""
    if match.status != Match.Status.CONFIRMED:
        return []
    finished = finished_of(match, seats)
    return rows_of(stage, finished) if finished is not None else None


def behind(limit: int = MOST_AT_ONCE) -> list[UUID]:
    """Return matches whose result is newer than what their tournaments know of it."""
    seq = Match.objects.filter(pk=OuterRef("match_id"), status__in=(Match.Status.CONFIRMED, *GONE)).values("seq")[:1]
    waiting = TournamentTable.objects.annotate(present=Subquery(seq)).filter(present__gt=F("settled_seq"))
    return list(waiting.order_by("match_id").values_list("match_id", flat=True)[:limit])


def repair() -> int:
    """Settle what was left behind, and return how many results were written."""
    done = 0
    for match_id in behind():
        try:
            done += settle(match_id, at=timezone.now())
        except Exception:
            logger.exception("the result of match %s cannot be settled", match_id)
    return done


# Live ----------------------------------------------------------------------------------------------------------------


def live_rows(stage: Stage, matches: Mapping[str, Match]) -> dict[str, list[e.ResultRow]]:
    """Return the results of matches that have ended and are not confirmed, by match."""
    found = {}
    for round_ in stage.rounds.values():
        for table in round_.tables.values():
            match = matches.get(table.match)
            if table.rows is not None or match is None or match.status != Match.Status.ENDED:
                continue
            finished = finished_of(match, table.seats)
            if finished is not None:
                found[table.match] = rows_of(stage, finished)
    return found


def matches_of(match_ids: Iterable[str]) -> dict[str, Match]:
    """Return the matches that have begun among these, by id as text."""
    wanted = [UUID(one) for one in match_ids]
    found = Match.objects.filter(pk__in=wanted).prefetch_related("seats__person__joined_into")
    return {str(one.pk): one for one in found}
