"""Dated editions of tie-breaks: which figures hold, how unplayed rounds count, in which order ties are parted.

Figures that are as somebody understood them, and not read in the rules themselves, are marked so and dated: the page of the edition
says it. Sources: FIDE C.07 (2024-08, 2026-03), the tournament rules of card games, league-facts 4.2 to 4.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from league.tournament.field import System

Unplayed = Literal["fide-2023", "fide-2026", "plain"]
UNDERSTOOD = "as understood on 2026-11-30"


class Figure(Struct, frozen=True):
    """A figure of an edition by name: its value, what it is for, and how sure it is."""

    value: Fraction
    text: str
    note: str = ""


class Ruleset(Struct, frozen=True):
    """A dated edition of tie-breaks.

    :ivar unplayed: how rounds without a game enter the sums over opponents
    :ivar orders: the order of tie-breaks by system; what has none there uses that of `swiss`
    """

    key: str
    title: str
    since: date
    unplayed: Unplayed
    orders: Mapping[str, tuple[str, ...]]
    figures: Mapping[str, Figure]
    note: str = ""

    def default(self, system: System) -> tuple[str, ...]:
        """Return the order of tie-breaks that the edition has for a system."""
        return self.orders.get(system) or self.orders["swiss"]

    def figure(self, name: str) -> Fraction:
        """Return a figure of the edition.

        :raises KeyError: if it has none of this name
        """
        return self.figures[name].value

    @property
    def known(self) -> frozenset[str]:
        """Return the codes that may stand in an order of this edition."""
        from league.tournament.tiebreaks.codes import CODES, GROUPED

        return frozenset(CODES) | GROUPED


COMMON = {
    "mwp_floor": Figure(Fraction(33, 100), "least match-win percentage", "0.33 as written, not one third"),
    "koya": Figure(Fraction(1, 2), "share of the maximum that an opponent of the Koya system needs"),
    "bp_cap": Figure(Fraction(20), "most battle points that one game counts", UNDERSTOOD),
    "mov_cap": Figure(Fraction(20), "most that the margin of one game counts", UNDERSTOOD),
}
_CHESS = {
    "swiss": ("BH-C1", "BH", "SB", "DE", "WIN"),
    "pods": ("WIN", "OPP-MP", "VPS", "SB"),
    "round_robin": ("DE", "WIN", "SB", "KS"),
    "elimination": ("WIN",),
}
RULESETS: Mapping[str, Ruleset] = {
    one.key: one
    for one in (
        Ruleset("fide-2024-08", "FIDE, from August 2024", date(2024, 8, 1), "fide-2023", _CHESS, COMMON),
        Ruleset(
            "fide-2026-03", "FIDE, from March 2026", date(2026, 3, 1), "fide-2026", _CHESS, COMMON,
            note=f"How a dummy is capped, and the new names: {UNDERSTOOD}.",
        ),
        Ruleset(
            "mtr-2026-02", "Card games, from February 2026", date(2026, 2, 1), "plain",
            {"swiss": ("OMW", "GW", "OGW"), "pods": ("OPP-MP", "OMW", "WIN")}, COMMON,
        ),
        Ruleset(
            "wargame-2026", "Wargames, 2026", date(2026, 1, 1), "plain",
            {"swiss": ("PATH", "SOS", "BP", "MOV"), "pods": ("BP", "VPS")}, COMMON,
        ),
        Ruleset(
            "house-2026", "House rules, 2026", date(2026, 1, 1), "fide-2023",
            {
                "swiss": ("BH-C1", "BH", "SB", "DE"), "pods": ("WIN", "VPS", "OPP-MP", "DE"),
                "round_robin": ("DE", "SB", "WIN"), "elimination": ("WIN",),
            }, COMMON,
        ),
    )
}  # fmt: skip
