"""Elimination as pure data: single, double and pods. A bracket is drawn once, and everything else is folded from its results.

An entrant who is not known yet is no bye: his match waits.
"""

from league.tournament.pairing.elimination.bracket import (
    NOBODY,
    Bracket,
    Draws,
    Final,
    Format,
    Node,
    Options,
    Place,
    Results,
    Side,
    Slot,
    State,
)
from league.tournament.pairing.elimination.draw import (
    DROPS,
    FORMATS,
    ORDERINGS,
    bracket,
    double,
    pods,
    seed_order,
    single,
)
from league.tournament.pairing.elimination.engine import ENGINE, VERSION, in_seed_order, pair, results, unread

__all__ = [
    "DROPS",
    "ENGINE",
    "FORMATS",
    "NOBODY",
    "ORDERINGS",
    "VERSION",
    "Bracket",
    "Draws",
    "Final",
    "Format",
    "Node",
    "Options",
    "Place",
    "Results",
    "Side",
    "Slot",
    "State",
    "bracket",
    "double",
    "in_seed_order",
    "pair",
    "pods",
    "results",
    "seed_order",
    "single",
    "unread",
]
