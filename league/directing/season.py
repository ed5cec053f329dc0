"""Tournaments of a season: points by finish, which of them count, and who won."""

from __future__ import annotations

from fractions import Fraction
from zoneinfo import ZoneInfo

from msgspec import Struct

from league import season_points
from league.directing import stream, tables
from league.models import League, Season, Tournament

MOST = 100


class Won(Struct, frozen=True):
    """A tournament that is over, and who is first in it (several if they share the place)."""

    tournament: Tournament
    winners: tuple[str, ...]


def won(league: League) -> list[Won]:
    """Return the tournaments of a league that are over, the latest first, with their winners."""
    found = Tournament.objects.filter(league=league, status=Tournament.Status.CLOSED).order_by("-opened_at", "pk")[
        :MOST
    ]
    return [
        Won(one, tuple(str(row["person"]) for row in stream.state_of(one).placements if row["place"] == 1))
        for one in found
    ]


def titles(season: Season) -> dict[str, str]:
    """Return the titles of a season's tournaments by their short names."""
    return dict(
        Tournament.objects.filter(league=season.league_id, season=season.key).values_list("slug", "title")[:MOST]
    )


def table(season: Season) -> list[season_points.Row]:
    """Return the table of a season by its tournaments: those that run are shown, and count nowhere until they are closed."""
    points = tuple(map(Fraction, season.points or ()))
    rule = season_points.Rule(
        season_points.Scheme(season_points.Placing(points)), best_n=season.best_n,
        drop_n=season.drop_n if season.best_n is None else None,
    )  # fmt: skip
    finishes = []
    for one in Tournament.objects.filter(league=season.league_id, season=season.key).order_by("opened_at", "pk")[:MOST]:
        finishes += _finishes(one)
    return season_points.table(finishes, rule)


def _finishes(tournament: Tournament) -> list[season_points.Finish]:
    state = stream.state_of(tournament)
    stage = state.latest
    if stage is None or state.status == "cancelled":
        return []
    is_over = state.status == "closed"
    placed = state.placements if is_over else tables.places(state, stage)
    on = tournament.opened_at.astimezone(ZoneInfo(tournament.timezone)).date()
    together = [int(row["place"]) for row in placed]
    return [
        season_points.Finish(
            tournament.slug, on, str(row["person"]), int(row["place"]), max(len(placed), 1),
            int(row["place"]) + together.count(int(row["place"])) - 1, is_pending=not is_over,
        )
        for row in placed
    ]  # fmt: skip
