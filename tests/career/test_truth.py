"""Careers are the same however they came about: caught up bit by bit, rebuilt, or told in another order."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from career import selectors, services
from career.learning.lessons import LESSONS
from career.models import Award, Checkpoint, Deed, Digest, RankEntry, SeatDigest, Standing
from league import events
from matches import persons
from matches import services as matches
from people.services import person_guest_create
from tests.career.conftest import AT, Circle
from tests.career.test_deeds import lesson, say
from tests.career.test_follow import caught_up, everything


@pytest.mark.parametrize("seed", range(4))
def test_whatever_the_order_of_arrival_the_careers_are_the_same_and_equal_a_rebuild(
    circle: Callable[..., Circle], seed: int
) -> None:
    """A random history of matches, corrections, annulments, lessons, mentorings, joins and splits, read bit by bit."""
    chance = random.Random(f"history {seed}")
    table = circle("ada", "bo", "cy", "dee")
    guests = [person_guest_create(f"Guest {one}") for one in range(2)]
    handles = list(table.people)
    played, joined = [], {}
    for step in range(26):
        what = chance.choice(["match"] * 6 + ["lesson", "lesson", "mentor", "campaign", "annul", "join", "split"])
        person = table.people[chance.choice(handles)]
        day = date(2026, 3, 1) + timedelta(days=chance.randrange(60))
        if what == "match":
            some = chance.sample(handles, chance.choice((2, 2, 3)))
            scribe = chance.choice([None, *(one for one in handles if one not in some)])
            played.append(table.play(step, *some, on=day, scribe=scribe, confirm=chance.random() < 0.8))
        elif what == "lesson":
            say(table.league, lesson(person, chance.choice(LESSONS).id, day.isoformat(), score=chance.choice((70, 90))))
        elif what == "mentor" and played:
            named = chance.choice(played)
            other = table.people[chance.choice(handles)]
            say(table.league, events.MentorAssigned(mentor=str(person.pk), newcomer=str(other.pk), match=str(named.pk)))
        elif what == "campaign":
            rows: list[dict[str, str | int]] = [{"person": str(person.pk), "points": 2, "place": 1}]
            say(
                table.league,
                events.CampaignClosed(campaign=f"c{step}", date=day.isoformat(), matches=[], placements=rows),
            )
        elif what == "annul" and played:
            gone = played.pop(chance.randrange(len(played)))
            gone.refresh_from_db()
            matches.match_annul(match=gone, by=table.owner, reason="never so", expected_seq=gone.seq, at=AT)
        elif what == "join":
            guest = chance.choice(guests)
            if guest.pk not in joined:
                say(table.league, lesson(guest, chance.choice(LESSONS).id, day.isoformat()))
                caught_up()
                persons.persons_join(person=person, other=guest, by=table.owner, at=AT)
                joined[guest.pk] = (person, guest)
        elif what == "split" and joined:
            person, guest = joined.pop(chance.choice(sorted(joined)))
            persons.persons_split(person=person, other=guest, by=table.owner, at=AT)
        if chance.random() < 0.5:
            caught_up()
    caught_up()
    bit_by_bit = everything()
    assert bit_by_bit[2]
    services.rebuild()
    assert everything() == bit_by_bit
    for model in (Digest, SeatDigest, Deed, RankEntry, Award, Standing, Checkpoint):
        model.objects.all().delete()
    caught_up()
    assert everything() == bit_by_bit


def test_rod_05_no_engine_reads_a_career(circle: Callable[..., Circle]) -> None:
    from matches import selectors as match_selectors
    from rulesengine import replay

    table = circle("ada", "bo")
    match = table.play(1, "ada", "bo")
    before = replay.run(match_selectors.match_log(match))
    for one in LESSONS:
        say(table.league, lesson(table.people["ada"], one.id))
    caught_up()
    assert selectors.standing(table.people["ada"]).learning > 10
    after = replay.run(match_selectors.match_log(match))
    assert (after.state, after.placements, after.result) == (before.state, before.placements, before.result)
