"""Rating editions: which library, which version and which figures make the ratings from which day on, as dated data.

The figures of an edition never change. A new version of the library, which may rate the same results otherwise, takes a new edition,
and everything is rated anew.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct


class OpenSkill(Struct, frozen=True):
    """Figures of the Bradley-Terry model with full pairing of Weng and Lin (2011), as the library openskill has it."""

    library: str = "openskill"
    version: str = "6.2.0"
    model: str = "BradleyTerryFull"
    mu: float = 25.0
    sigma: float = 25.0 / 3
    beta: float = 25.0 / 6
    kappa: float = 0.0001
    tau: float = 25.0 / 300


class Glicko2(Struct, frozen=True):
    """Figures of Glicko-2 (Glickman, "Example of the Glicko-2 system", 2022): start values and the constraint of volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    tau: float = 0.5
    convergence: float = 0.000001


class Edition(Struct, frozen=True):
    """One dated edition of the ratings. The first one holds for every earlier day."""

    key: str
    effective: date
    openskill: OpenSkill = OpenSkill()
    glicko2: Glicko2 = Glicko2()
    least_matches: int = 5
    """A rating of fewer matches is provisional …"""
    most_deviation: float = 6.0
    """… and so is one that is more uncertain than this (openskill; for Glicko-2 see `most_glicko_deviation`)."""
    most_glicko_deviation: float = 110.0


CURRENT = Edition("rt-1", date(2026, 11, 30))
