"""Ratings: how strong somebody plays, folded over confirmed matches in order of play, with its uncertainty."""
