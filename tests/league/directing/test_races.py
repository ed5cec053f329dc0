"""Two at once: organizers who pair the same round, both players who enter the result, confirmations of two tables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from league.directing import services, stream
from league.models import TournamentTable
from matches import log, scheduled
from matches.models import Match
from matches.services import StaleMatch, opening
from tests.league.directing.conftest import AT, SWISS, Day

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]


@pytest.fixture
def held(transactional_db: None) -> Day:
    return Day(NAMES, [SWISS])


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """Do everything at the same time and return what came of each: the answer, or what was raised."""
    start = threading.Barrier(len(acts))
    told: list[Any] = [None] * len(acts)

    def run(at: int, act: Callable[[], Any]) -> None:
        start.wait(10)
        try:
            told[at] = act()
        except Exception as error:
            told[at] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(at, act)) for at, act in enumerate(acts)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    return told


def test_two_organizers_pair_the_same_round_and_one_round_exists(held: Day) -> None:
    told = at_once(*[lambda: held.does(services.round_pair)] * 4)
    refused = [one for one in told if isinstance(one, ValidationError)]
    assert len(refused) == 3
    assert all("is prepared already" in " ".join(one.messages) for one in refused)
    assert TournamentTable.objects.count() == 4
    assert [row.type for row in log.read(held.tournament.pk)].count("round_paired") == 1
    assert log.verify(held.tournament.pk) is None


def test_a_double_click_publishes_once(held: Day) -> None:
    held.does(services.round_pair)
    at_once(*[lambda: held.does(services.round_publish, stage=0, round_=1)] * 3)
    assert [row.type for row in log.read(held.tournament.pk)].count("round_published") == 1


def test_both_players_enter_different_results_and_one_stands(held: Day) -> None:
    held.pair()
    table = scheduled.find(held.row(1).match_id)
    assert table is not None

    def enters(at: int, *places: int) -> Callable[[], Match]:
        finishes = {letter: opening.Finish(place) for letter, place in zip("AB", places, strict=True)}
        return lambda: opening.result_enter(table=table, finishes=finishes, by=table.seats[at], at=AT)

    told = at_once(enters(0, 1, 2), enters(1, 2, 1))
    assert sorted(type(one) for one in told if isinstance(one, Exception)) == [StaleMatch]
    match = Match.objects.get()
    assert match.status == "ended"
    assert log.verify(match.pk) is None


def test_results_of_all_tables_confirmed_at_once_are_all_settled(held: Day) -> None:
    held.pair()
    tables = [scheduled.find(held.row(number).match_id) for number in (1, 2, 3, 4)]

    def confirms(table: Any) -> Callable[[], Match]:
        finishes = {"A": opening.Finish(1), "B": opening.Finish(2)}
        return lambda: opening.result_enter(table=table, finishes=finishes, by=held.organizer, at=AT, confirm=True)

    told = at_once(*[confirms(table) for table in tables])
    assert [one for one in told if isinstance(one, Exception)] == []
    assert held.round.is_complete
    assert log.verify(held.tournament.pk) is None
    assert stream.state_of(held.now).misfits == []


def test_the_last_place_is_given_once(held: Day) -> None:
    from people.services import account_create

    held.does(services.registration_open, cap=9)
    late = [account_create(f"l{at}@example.org", None, f"late{at}", f"Late {at}").person for at in range(3)]
    at_once(*[lambda one=one: services.register(tournament=held.now, person=one, by=one, at=AT) for one in late])  # type: ignore[misc]
    assert len(held.state.playing) == 9
    assert len(held.state.waiting) == 2
