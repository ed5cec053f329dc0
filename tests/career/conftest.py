"""A league whose members play real matches: recorded through the upload service, derived from the log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from uuid import UUID, uuid5

import pytest
from msgspec.structs import replace

from league import services as leagues
from league.models import League
from matches import services
from matches.models import Match
from people.models import Person
from people.services import account_create, operator
from rulesengine import notation
from rulesengine.log import Log, Official, Seat
from rulesengine.play import play

AT = datetime(2026, 6, 1, 20, tzinfo=UTC)
SPACE = UUID("3f0f8f0e-2d3b-4a61-8f42-5f9e0c6c1a11")


class Circle:
    """A league with members of the handles given, and matches among them."""

    def __init__(self, *handles: str) -> None:
        self.owner = operator()
        self.league: League = leagues.league_open(name="Winter", slug="winter", by=self.owner, at=AT)
        self.people: dict[str, Person] = {}
        for handle in handles:
            person = account_create(f"{handle}@example.org", "a long enough password", handle, handle.title()).person
            leagues.member_add(league=self.league, person=person, by=self.owner, at=AT)
            self.people[handle] = person

    def log(
        self, seed: int, *handles: str, on: date = date(2026, 5, 1), scribe: str | None = None, **more: object
    ) -> Log:
        """Return the log of a whole match between the members named."""
        log = play("hexwar", seed=seed, seats=len(handles), options={"max_rounds": 12}, **more)  # type: ignore[arg-type]
        header = replace(
            log.header,
            id=str(uuid5(SPACE, f"{seed} {handles} {on}")),
            played_on=on.isoformat(),
            seats=tuple(Seat("ABCDEF"[n], handle.title(), handle) for n, handle in enumerate(handles)),
            officials=(Official("scribe", scribe.title(), scribe),) if scribe else (),
            context={"league": "winter"},
        )
        return replace(log, header=header)

    def record(self, log: Log, *, confirm: bool = True) -> Match:
        """Record a log as the page does."""
        upload = services.upload_check(by=self.owner, name="match.jsonl", raw=notation.write(log, "jsonl"))
        return services.upload_record(upload=upload, by=self.owner, confirm=confirm, at=AT)

    def play(self, seed: int, *handles: str, confirm: bool = True, **more: object) -> Match:
        """Play and record a match."""
        return self.record(self.log(seed, *handles, **more), confirm=confirm)  # type: ignore[arg-type]


@pytest.fixture
def circle(transactional_db: None) -> Callable[..., Circle]:
    """Return what opens a league with members."""
    return Circle
