"""The tables of published rounds, as `matches` asks for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.directing import stream
from league.models import TournamentTable
from matches.scheduled import Scheduled
from people.models import Person


class Tables:
    """The keeper of the tables of tournaments."""

    def find(self, match_ids: Collection[UUID]) -> list[Scheduled]:
        """Return the tables of published rounds at which these matches are played."""
        return _scheduled(TournamentTable.objects.filter(match_id__in=match_ids))

    def named(self, context: Mapping[str, Any]) -> Scheduled | None:
        """Return the table that the context of a file names: tournament (short name or id), round, table and, of several, stage."""
        key = str(context["tournament"])[:60]
        which = Q(tournament__slug=key)
        with suppress(ValueError):
            which |= Q(tournament__pk=UUID(key))
        try:
            round_, table = int(context["round"]), int(context["table"])
        except (TypeError, ValueError):
            return None
        if not (0 < round_ < 32768 and 0 < table < 32768):
            return None
        found = TournamentTable.objects.filter(which, round=round_, number=table).order_by("-stage")
        stage = context.get("stage")
        if isinstance(stage, int) and 0 < stage < 100:
            found = found.filter(stage=stage - 1)
        return next(iter(_scheduled(found[:1])), None)


def _scheduled(found: QuerySet[TournamentTable]) -> list[Scheduled]:
    rows = [row for row in found.select_related("tournament__league") if row.is_published]
    wanted = {UUID(person) for row in rows for person in row.seats}
    persons = Person.objects.select_related("joined_into").in_bulk(wanted)
    made = []
    for row in rows:
        held = row.tournament
        state = stream.state_of(held)
        context = {
            "league": held.league.slug, "tournament": held.slug, "round": row.round, "table": row.number,
            **({"season": held.season} if held.season else {}), **({"stage": row.stage + 1} if len(state.stages) > 1 else {}),
        }  # fmt: skip
        words = {"tournament": held.title, "round": row.round, "table": row.number}
        made.append(
            Scheduled(
                match_id=row.match_id,
                game=held.game,
                rules=state.rules,
                timezone=held.timezone,
                title=_("%(tournament)s, round %(round)s, table %(table)s") % words,
                url=f"/tournaments/{held.slug}/matches/{row.match_id}",
                league=held.league_id,
                scope=held.scope,
                context=context,
                options=dict(state.options),
                seats=tuple(persons[UUID(person)] for person in row.seats),
                is_demo=held.is_demo,
            )
        )
    return made
