"""Tie-breaks: each value with what it is made of, from one function (league-facts 4.2 to 4.6)."""

from league.tournament.tiebreaks.book import Addend, Book, Value
from league.tournament.tiebreaks.codes import CODES, value_of

__all__ = ["CODES", "Addend", "Book", "Value", "value_of"]
