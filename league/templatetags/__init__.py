"""Template tags of leagues and tournaments."""
