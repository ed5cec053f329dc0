"""Notices of tournaments: a round is published, a place became free, a judge is called."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.directing import stream
from league.models import Tournament
from matches import jobs
from people import notices
from people.models import Grant, Person

KIND = "tournament"
PERSONS_A_STEP = 50


def register_kinds() -> None:
    """Make the kinds of notices known."""
    notices.register(
        KIND,
        _("Tournaments"),
        {
            "round": _("%(tournament)s, round %(round)s: you play at table %(table)s."),
            "bye": _("%(tournament)s, round %(round)s: you have no table this round."),
            "promoted": _("A place in %(tournament)s became free, and it is yours."),
            "judge": _("A judge is called to table %(table)s of %(tournament)s."),
        },
    )


def round_published(tournament: Tournament, stage: int, round_: int) -> None:
    """Tell everybody in a round where they play, as a job."""
    jobs.enqueue("round_published", {"tournament": str(tournament.pk), "stage": stage, "round": round_})


@jobs.handler("round_published")
def tell_round(payload: dict[str, Any], step: jobs.Step) -> None:
    """Send the notices of a round; who was told already is not told twice."""
    tournament = Tournament.objects.get(pk=UUID(payload["tournament"]))
    state = stream.state_of(tournament)
    stage = state.stages[payload["stage"]]
    round_ = stage.rounds.get(payload["round"])
    if round_ is None or not round_.is_published:
        return
    seated = {person: table.number for table in round_.tables.values() for person in table.seats}
    concerned = [*seated, *round_.byes]
    accounts = Person.objects.filter(pk__in=map(UUID, concerned)).select_related("account", "joined_into")
    for done, person in enumerate(accounts, 1):
        table = seated.get(str(person.pk))
        words = {"tournament": state.title, "round": str(round_.number)}
        url = f"/tournaments/{tournament.slug}/me"
        if table is not None:
            notices.notify(person, KIND, "round", url=f"{url}?round={round_.number}", table=str(table), **words)
        elif round_.byes[str(person.pk)].kind != "absent":
            notices.notify(person, KIND, "bye", url=f"{url}?round={round_.number}", **words)
        if done % PERSONS_A_STEP == 0:
            step(done, len(concerned))


def promoted(tournament: Tournament, person_id: UUID) -> None:
    """Tell somebody that they have a place now."""
    person = Person.objects.get(pk=person_id)
    url = f"/tournaments/{tournament.slug}"
    transaction.on_commit(
        lambda: notices.notify(person, KIND, "promoted", url=url, tournament=tournament.title), robust=True
    )


def judge_called(tournament: Tournament, table: int) -> None:
    """Tell the referees of a tournament that they are called."""
    roles = (Grant.Role.REFEREE, Grant.Role.MAPMASTER, Grant.Role.ORGANIZER, Grant.Role.OWNER)
    persons = list(
        Person.objects.filter(grants__scope=tournament.scope, grants__role__in=roles).distinct().order_by("pk")[:20]
    )
    url = f"/tournaments/{tournament.slug}/desk"

    def tell() -> None:
        for person in persons:
            notices.notify(person, KIND, "judge", url=url, tournament=tournament.title, table=str(table))

    transaction.on_commit(tell, robust=True)
