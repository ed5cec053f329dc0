"""Tournaments on the day: their streams in the log, what directors do, and the pages of the hall. The pure parts: `league.tournament`."""
