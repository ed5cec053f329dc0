"""Reads of ratings: a person's, their history, and the leaderboards."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from career.models import Rating, RatingChange, RatingStep, Standing
from career.ratings.editions import CURRENT
from league.models import Member
from people.models import Person
from people.privacy import listed_for

OPENSKILL, GLICKO2 = RatingStep.System.OPENSKILL, RatingStep.System.GLICKO2
HISTORY = 400
LEDGER = 50


def is_provisional(one: Rating) -> bool:
    """Return whether a rating is too young or too uncertain to be more than a first guess."""
    most = CURRENT.most_deviation if one.system == OPENSKILL else CURRENT.most_glicko_deviation
    return one.matches < CURRENT.least_matches or one.deviation > most


def ratings_of(person: Person) -> dict[str, dict[str, Any]]:
    """Return a person's ratings among everybody, by game: value, deviation, peak, provisional, matches."""
    return {
        one.game: {
            "value": round(one.value, 2), "deviation": round(one.deviation, 2), "peak": round(one.peak, 2),
            "provisional": is_provisional(one), "matches": one.matches,
        }
        for one in Rating.objects.filter(person_id=person.pk, system=OPENSKILL).order_by("game")
    }  # fmt: skip


def league_ratings_of(person: Person) -> list[Rating]:
    """Return a person's ratings in leagues that rate by a system of their own."""
    return list(Rating.objects.filter(person_id=person.pk, system=GLICKO2).order_by("league_id", "game"))


def history_of(person: Person, game: str) -> list[RatingStep]:
    """Return the last steps of a person's rating in a game, oldest first, at most 400."""
    steps = RatingStep.objects.filter(person_id=person.pk, system=OPENSKILL, game=game)
    return list(steps.order_by("-ended_at", "-round", "-table", "-match_id")[:HISTORY])[::-1]


def ledger_of(person: Person) -> list[RatingChange]:
    """Return what late and corrected matches made of ratings that had been shown, newest first, at most 50."""
    return list(RatingChange.objects.filter(person_id=person.pk).order_by("-at", "-pk")[:LEDGER])


def leaderboard(
    game: str, viewer: Person | None, *, league: UUID | None = None, system: str = OPENSKILL, settled: bool = False
) -> QuerySet[Rating]:
    """Return the ratings of a game, strongest first: by what the strength is at least; equal ones by person, so that pages are stable.

    :param league: only members of a league; with Glicko-2 the rating of that league
    :param settled: leave out provisional ratings
    """
    rows = Rating.objects.filter(
        game=game, system=system, person_id__in=Person.objects.filter(listed_for(viewer)).values("pk")
    )
    if system == GLICKO2:
        rows = rows.filter(league_id=league)
    elif league is not None:
        rows = rows.filter(person_id__in=Member.objects.filter(league=league, until=None).values("person"))
    if settled:
        most = CURRENT.most_deviation if system == OPENSKILL else CURRENT.most_glicko_deviation
        rows = rows.filter(matches__gte=CURRENT.least_matches, deviation__lte=most)
    return rows.order_by("-conservative", "person_id")


def by_renown(viewer: Person | None, *, league: UUID | None = None) -> QuerySet[Standing]:
    """Return who has the most renown, and so the highest career level of a King."""
    rows = Standing.objects.filter(renown__gt=0, pk__in=Person.objects.filter(listed_for(viewer)).values("pk"))
    if league is not None:
        rows = rows.filter(pk__in=Member.objects.filter(league=league, until=None).values("person"))
    return rows.order_by("-renown", "pk")
