"""What follows by the rules: the consequences of the hex war game with their data."""

from __future__ import annotations

from collections.abc import Iterable

from rulesengine.game import Consequence
from rulesengine.hexwar.hexes import Hex

TYPES = frozenset(
    {
        "round_started",
        "turn_started",
        "construction_completed",
        "income_paid",
        "defence_penalty_added",
        "unit_defeated",
        "player_eliminated",
        "match_ended",
    }
)


def round_started(round_: int, penalties_cleared: list[str]) -> Consequence:
    """A round began, and these units lost their Catapult penalties."""
    return Consequence("round_started", {"round": round_, "penalties_cleared": penalties_cleared})


def turn_started(seat: str, round_: int) -> Consequence:
    """A player's turn began."""
    return Consequence("turn_started", {"seat": seat, "round": round_})


def construction_completed(building: str, kind: str, hex_: Hex, region: str | None) -> Consequence:
    """A building stands."""
    data = {"building": building, "kind": kind, "hex": list(hex_), "region": region}
    return Consequence("construction_completed", data)


def income_paid(seat: str, amount: int, gold: int) -> Consequence:
    """A player received income and now has this much gold."""
    return Consequence("income_paid", {"seat": seat, "amount": amount, "gold": gold})


def defence_penalty_added(unit: str, amount: int, total: int, round_: int) -> Consequence:
    """A Catapult's hit left a penalty on a unit."""
    return Consequence("defence_penalty_added", {"unit": unit, "amount": amount, "total": total, "round": round_})


def unit_defeated(unit: str, by: str, hex_: Hex) -> Consequence:
    """A unit was defeated and removed."""
    return Consequence("unit_defeated", {"unit": unit, "by": by, "hex": list(hex_)})


def player_eliminated(
    seat: str, reason: str, place: int, units: list[str], regions: list[str], sites: list[str]
) -> Consequence:
    """A player left the match, and with them these units and sites; these regions are nobody's now."""
    data = {
        "seat": seat,
        "reason": reason,
        "place": place,
        "units_removed": units,
        "regions_neutral": regions,
        "sites_removed": sites,
    }
    return Consequence("player_eliminated", data)


def match_ended(reason: str, placements: Iterable[tuple[str, int]]) -> Consequence:
    """The match is over, with these seats on these places."""
    places = [{"seat": seat, "place": place} for seat, place in placements]
    return Consequence("match_ended", {"reason": reason, "placements": places})
