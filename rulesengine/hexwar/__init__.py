"""The hex war game: cities, peasants and armies on a map of hexes."""
