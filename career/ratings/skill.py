"""OpenSkill for any number of seats: teams of King and General, ties, and no surprise for who is placed lower."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct
from openskill.models import BradleyTerryFull

from career.ratings.editions import OpenSkill


class Skill(Struct, frozen=True):
    """The mean of somebody's strength, and how uncertain it is (one standard deviation)."""

    mu: float
    sigma: float

    @property
    def conservative(self) -> float:
        """Return what the strength is at least, in 99.9 of 100 cases: three deviations below the mean."""
        return self.mu - 3 * self.sigma


def new(figures: OpenSkill) -> Skill:
    """Return the skill of somebody who has not played."""
    return Skill(figures.mu, figures.sigma)


@cache
def _model(figures: OpenSkill) -> BradleyTerryFull:
    return BradleyTerryFull(mu=figures.mu, sigma=figures.sigma, beta=figures.beta, kappa=figures.kappa, tau=figures.tau)


def rate(teams: Sequence[Sequence[Skill]], places: Sequence[int], figures: OpenSkill) -> list[list[Skill]]:
    """Return the skills after a match, by team and member.

    :param teams: who played together, mostly one alone
    :param places: the place of each team, 1 the best; equal places are a tie
    """
    model = _model(figures)
    given = [[model.create_rating([one.mu, one.sigma]) for one in team] for team in teams]
    told = model.rate(given, ranks=[float(place) for place in places])
    return [[Skill(one.mu, one.sigma) for one in team] for team in told]
