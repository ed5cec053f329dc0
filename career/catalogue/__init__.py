"""The catalogues of the Royal Order: what ranks and badges there are and what earns them, as dated data."""

from career.catalogue import ro_1
from career.catalogue.kinds import Badge, Catalogue, Catalogues, Rank, Tier

VERSIONS = Catalogues((ro_1.CATALOGUE,))
CURRENT: Catalogue = VERSIONS.versions[-1]

__all__ = ["CURRENT", "VERSIONS", "Badge", "Catalogue", "Catalogues", "Rank", "Tier"]
