"""A synthetic season: real matches through the upload service, the same for the same seed."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from config import simulation
from league.models import League
from matches import log
from matches.models import Match, Upload
from people.models import Person
from people.services import operator

pytestmark = pytest.mark.django_db


def test_a_simulation_that_was_cut_short_goes_on_and_a_larger_one_adds_to_it() -> None:
    said: list[str] = []
    simulation.simulate(players=5, matches=3, seed=7, by=operator(), say=said.append)
    first = {match.pk: bytes(match.head_hash) for match in Match.objects.all()}
    assert len(first) == 3
    league = simulation.simulate(players=6, matches=4, seed=7, by=operator(), say=said.append)
    assert {pk: bytes(Match.objects.get(pk=pk).head_hash) for pk in first} == first
    assert said == ["3 of 3 matches", "4 of 4 matches"]
    matches = Match.objects.all()
    assert {match.status for match in matches} == {"confirmed"}
    assert {match.league for match in matches} == {league.pk}
    assert all(match.is_demo and all(seat.linked for seat in match.seats.all()) for match in matches)
    assert League.objects.get().members.count() == 6
    assert Person.objects.filter(is_demo=True).count() == 6
    assert not Upload.objects.exists()
    assert all(log.verify(stream) is None for stream in log.streams())


def test_the_command_says_where_the_league_is_and_refuses_too_few_people(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate_season", players=4, matches=1, seed=2)
    assert "/leagues/simulated-2" in capsys.readouterr().out
    with pytest.raises(CommandError, match="3 people are too few"):
        call_command("simulate_season", players=3)
