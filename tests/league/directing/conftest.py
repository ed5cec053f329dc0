"""A tournament among guests, directed by its organizer: paired, published, results entered and confirmed through the services."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from league import services as leagues
from league.directing import services, stream, tables
from league.models import Tournament, TournamentTable
from league.tournament import events as e
from league.tournament.reducer import Round, State
from matches import scheduled
from matches.models import Match
from matches.services import opening
from people.models import Person
from people.services import account_create, grant_give

AT = datetime(2026, 11, 28, 9, tzinfo=UTC)
SWISS = e.Stage(format="swiss", rounds=3, tiebreaks=["BH", "SB"])


class Day:
    """A tournament and what its organizer does on the day."""

    def __init__(self, names: Sequence[str], stages: Sequence[e.Stage], game: str = "hexwar", **more: Any) -> None:
        self.organizer = account_create("olga@example.org", None, "olga", "Olga Moreau").person
        grant_give(person=self.organizer, role="organizer", scope="site", by=None)
        self.league = leagues.league_open(
            name="Winter", slug="winter", timezone="Europe/Berlin", by=self.organizer, at=AT
        )
        self.tournament: Tournament = services.tournament_open(
            league=self.league, title="Winter open", slug="winter-open", game=game, stages=stages, by=self.organizer,
            at=AT, seed="published", **more,
        )  # fmt: skip
        self.people: dict[str, Person] = {}
        for at, name in enumerate(names):
            self.enter(name, seed_rating=2000 - at)

    def enter(self, name: str, **more: Any) -> Person:
        made = account_create(f"{name.lower()}@example.org", None, name.lower(), f"{name} Berg").person
        services.register(tournament=self.now, person=made, by=self.organizer, at=AT, **more)
        self.people[name] = made
        return made

    @property
    def now(self) -> Tournament:
        return Tournament.objects.get(pk=self.tournament.pk)

    @property
    def state(self) -> State:
        return stream.state_of(self.now)

    @property
    def round(self) -> Round:
        stage = self.state.latest
        assert stage is not None and stage.last is not None
        return stage.last

    def name(self, person: str) -> str:
        return next(name for name, one in self.people.items() if str(one.pk) == person)

    def does(self, act: Callable[..., Any], by: Person | None = None, **more: Any) -> Any:
        return act(tournament=self.now, by=by or self.organizer, at=AT, **more)

    def pair(self, *, publish: bool = True) -> Round:
        self.does(services.round_pair)
        paired = self.round
        if publish:
            stage = self.state.latest
            assert stage is not None
            self.does(services.round_publish, stage=stage.number, round_=paired.number)
        return self.round

    def table(self, number: int) -> scheduled.Scheduled:
        found = scheduled.find(self.row(number).match_id)
        assert found is not None
        return found

    def row(self, number: int) -> TournamentTable:
        stage = self.state.latest
        assert stage is not None and stage.last is not None
        return TournamentTable.objects.get(
            tournament=self.tournament, stage=stage.number, round=stage.last.number, number=number
        )

    def result(
        self, number: int, *places: int, by: Person | None = None, confirm: bool = True, scores: Sequence[int] = ()
    ) -> Match:
        table = self.table(number)
        finishes = {
            letter: opening.Finish(places[at], scores[at] if scores else None)
            for at, letter in enumerate(table.letters)
        }
        return opening.result_enter(table=table, finishes=finishes, by=by or self.organizer, at=AT, confirm=confirm)

    def play(self, results: Mapping[int, Sequence[int]] | None = None) -> None:
        """Pair a round, publish it and enter its results: who sits first wins unless something else is said."""
        for number, table in self.pair().tables.items():
            self.result(number, *(results or {}).get(number, range(1, len(table.seats) + 1)))

    def standings(self) -> dict[str, tuple[str, str]]:
        """Return place and points by name."""
        stage = self.state.latest
        assert stage is not None
        rows = [row for one in tables.of_stage(self.state, stage) for row in one.standings.rows]
        return {self.name(row.entrant): (row.place, row.points_text) for row in rows}


@pytest.fixture
def day(db: None) -> type[Day]:
    """Return what opens a tournament: `day("Ada Bo Cy Di".split(), [stage])`."""
    return Day
