"""A synthetic league of any size, for demonstrations and load: invented people, real matches played from a seed.

Like the demonstration season it goes in through the service that the upload page uses, and nothing derived is made here. The same seed
gives the same people and matches, so that a simulation that was cut short goes on, and a larger one adds to a smaller one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from uuid import UUID, uuid5

from django.utils import timezone
from msgspec.structs import replace

from league import services as leagues
from league.models import League, Member
from matches import services
from matches.models import Match
from people import services as people
from people.models import Person
from people.selectors import person_by_handle
from rulesengine import notation, registry
from rulesengine.log import Log, Official, Seat
from rulesengine.play import play

SPACE = UUID("9d3f4a52-0f0a-5c1e-8d7e-52a1f6f0c0de")
FIRST_DAY = date(2024, 1, 5)
DAYS = 1040
GIVEN = (
    "Ayo",
    "Bela",
    "Chidi",
    "Dora",
    "Elif",
    "Femi",
    "Goran",
    "Hana",
    "Ivo",
    "Jun",
    "Kaya",
    "Liv",
    "Mara",
    "Nils",
    "Oya",
    "Pia",
)
FAMILY = (
    "Abara",
    "Brandt",
    "Cruz",
    "Doğan",
    "Ekström",
    "Fofana",
    "Gruber",
    "Haas",
    "Iversen",
    "Jansen",
    "Kovač",
    "Lund",
    "Mbeki",
    "Novák",
)


def simulate(*, players: int, matches: int, seed: int, by: Person, say: Callable[[str], None]) -> League:
    """Make a league with so many members and so many recorded, confirmed matches among them; what is there is left alone.

    :param players: how many people, at least 4
    :param say: called now and then with how far it is
    :raises ValueError: for too few people
    """
    if players < 4:
        raise ValueError(f"{players} people are too few for a season; it takes at least 4.")
    league = _league(seed, by)
    handles = [_member(league, seed, number, by) for number in range(players)]
    for number in range(matches):
        log = _match(league, seed, number, handles)
        if not Match.objects.filter(pk=UUID(log.header.id or "")).exists():
            upload = services.upload_check(by=by, name=f"simulated-{number}.jsonl", raw=notation.write(log, "jsonl"))
            services.upload_record(upload=upload, by=by, confirm=True, is_demo=True)
            upload.delete()  # the log has it; a thousand originals would only fill the disk
        if (number + 1) % 100 == 0 or number + 1 == matches:
            say(f"{number + 1} of {matches} matches")
    return league


def _league(seed: int, by: Person) -> League:
    slug = f"simulated-{seed}"
    return League.objects.filter(slug=slug).first() or leagues.league_open(
        name=f"Simulated league {seed}", slug=slug, by=by, at=timezone.now(), is_demo=True
    )


def _member(league: League, seed: int, number: int, by: Person) -> str:
    """Return the handle of an invented member, who cannot sign in."""
    handle = f"sim{seed}-{number}"
    person = person_by_handle(handle)
    if person is None:
        chance = random.Random(f"{seed} person {number}")  # noqa: S311 - names, not secrets
        name = f"{chance.choice(GIVEN)} {chance.choice(FAMILY)}"
        person = people.account_create(f"{handle}@demo.example.org", None, handle, name).person
        person.is_demo = True
        person.save(update_fields=["is_demo"])
    if not Member.objects.filter(league=league, person=person, until=None).exists():
        leagues.member_add(league=league, person=person, by=by, at=timezone.now(), since=FIRST_DAY)
    return handle


def _match(league: League, seed: int, number: int, handles: list[str]) -> Log:
    """Return the log of one match of the season."""
    chance = random.Random(f"{seed} match {number}")  # noqa: S311 - seats, not secrets
    game = chance.choice(registry.games())
    log = play(
        game,
        seed=chance.randrange(1_000_000),
        seats=chance.randint(2, 4),
        player=chance.choice(("random", "greedy")),
        played_on=FIRST_DAY + timedelta(days=chance.randrange(DAYS)),
    )
    *seated, scribe = chance.sample(handles, min(len(handles), len(log.header.seats) + 1))
    seated = seated[: len(log.header.seats)]
    if len(seated) < len(log.header.seats):  # as many people as seats: nobody is left to write
        seated, scribe = [*seated, scribe], ""
    header = replace(
        log.header,
        id=str(uuid5(SPACE, f"{seed} match {number}")),
        seats=tuple(Seat(seat.seat, handle, handle) for seat, handle in zip(log.header.seats, seated, strict=True)),
        officials=(Official("scribe", scribe, scribe),) if scribe else (),
        context={"league": league.slug},
        title=f"Simulated match {number + 1}",
    )
    return replace(log, header=header)
