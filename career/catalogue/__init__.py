"""The catalogues of the Royal Order: what ranks and badges there are and what earns them, as dated data."""

from career.catalogue import ro_1
from career.catalogue.kinds import Badge, Catalogue, Rank, Tier

CURRENT: Catalogue = ro_1.CATALOGUE

__all__ = ["CURRENT", "Badge", "Catalogue", "Rank", "Tier"]
