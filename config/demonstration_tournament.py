"""The tournament of the demonstration: members and guests, three Swiss rounds with a cut, in the middle of its last Swiss round."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from league.directing import services, stream
from league.models import League, Tournament
from league.tournament import events as e
from league.tournament.pairing.base import lot
from matches import scheduled
from matches.services import opening
from people.models import Person

SLUG = "harbour-open"
SEED = "harbour 2026"
GUESTS = ("Jonna Aalto", "Kofi Mensah", "Lúcia Prado", "Mats Ekdahl", "Niamh Byrne", "Otto Brandl")
STAGES = (
    e.Stage(format="swiss", rounds=3, cut=4, tiebreaks=["BH-C1", "BH", "SB", "DE"]),
    e.Stage(format="single_elimination", third_place=True),
)


@transaction.atomic
def load(league: League, persons: Mapping[str, Person], *, at: datetime) -> None:
    """Hold the tournament up to its third round; what is there already is left alone."""
    if Tournament.objects.filter(slug=SLUG).exists():
        return
    owner = persons["mirela"]
    held = services.tournament_open(
        league=league, title="Harbour Open 2026", slug=SLUG, game="hexwar", stages=STAGES, by=owner, at=at, season="2026",
        seed=SEED, is_demo=True,
    )  # fmt: skip
    shared: dict[str, Any] = {"by": owner, "at": at}
    services.registration_open(tournament=held, cap=16, **shared)
    members = ["ada", "bo", "cy", "dee", "emre", "fen", "ines"]
    for number, handle in enumerate(members):
        services.register(tournament=held, person=persons[handle], seed_rating=1900 - 40 * number, **shared)
    guests = [
        services.guest_register(tournament=held, display_name=name, seed_rating=1500 - 30 * number, **shared)
        for number, name in enumerate(GUESTS)
    ]
    for person in (*(persons[one] for one in members), *guests):
        services.check_in(tournament=held, person=person, **shared)
    for number in (1, 2, 3):
        moment = at - timedelta(hours=2 * (4 - number))
        now: dict[str, Any] = {"by": owner, "at": moment}
        services.round_pair(tournament=held, **now)
        services.round_publish(tournament=held, stage=0, round_=number, **now)
        round_ = stream.state_of(Tournament.objects.get(pk=held.pk)).stages[0].rounds[number]
        for table in round_.tables.values():
            if number == 3 and table.number in (2, 5):
                continue
            waiting = scheduled.find(UUID(table.match))
            if waiting is not None:
                # Who comes out how is drawn, as everything in the demonstration is invented.
                drawn = lot(SEED, number, table.number) % 7
                places = (1, 1) if drawn == 0 else (1, 2) if drawn < 4 else (2, 1)
                finishes = {letter: opening.Finish(place) for letter, place in zip("AB", places, strict=True)}
                confirm = not (number == 3 and table.number == 4)
                opening.result_enter(table=waiting, finishes=finishes, confirm=confirm, **now)
    services.clock_set(tournament=held, stage=0, round_=3, minutes=50, by=owner, at=at)
