"""What follows by the rules: the consequences of Kingsburg with their data. Amounts name goods, `vp`, `soldiers`, `plus_two`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulesengine.game import Consequence

TYPES = frozenset(
    {
        "year_started",
        "season_started",
        "aid_die_given",
        "income_gained",
        "turn_order_set",
        "help_given",
        "help_missed",
        "reward_gained",
        "envoy_given",
        "battle_fought",
        "building_lost",
        "strongest_rewarded",
        "cathedral_scored",
    }
)
"""What a file may spell out. The end is not among them: a line of its type is an event of the log format."""


def year_started(year: int) -> Consequence:
    """A year began."""
    return Consequence("year_started", {"year": year})


def season_started(year: int, season: str) -> Consequence:
    """A productive season began."""
    return Consequence("season_started", {"year": year, "season": season})


def aid_die_given(seat: str) -> Consequence:
    """A player alone got the king's aid: a white die for this spring."""
    return Consequence("aid_die_given", {"seat": seat})


def income_gained(seat: str, building: str, gained: Mapping[str, int]) -> Consequence:
    """A building paid its owner at the start or the end of a season."""
    return Consequence("income_gained", {"seat": seat, "building": building, "gained": dict(gained)})


def turn_order_set(order: Sequence[str], totals: Mapping[str, int]) -> Consequence:
    """The dice set the turn order."""
    return Consequence("turn_order_set", {"turn_order": list(order), "totals": dict(totals)})


def help_given(seat: str, advisor: int, gained: Mapping[str, int]) -> Consequence:
    """An advisor without a choice helped."""
    return Consequence("help_given", {"seat": seat, "advisor": advisor, "gained": dict(gained)})


def help_missed(seat: str, advisor: int) -> Consequence:
    """A player without a good was passed over by the Alchemist."""
    return Consequence("help_missed", {"seat": seat, "advisor": advisor})


def reward_gained(seats: Iterable[str]) -> Consequence:
    """These players have the most buildings and gained 1 victory point each."""
    return Consequence("reward_gained", {"seats": list(seats)})


def envoy_given(seat: str | None) -> Consequence:
    """The king's envoy went to a player, or to nobody."""
    return Consequence("envoy_given", {"seat": seat})


def battle_fought(seat: str, total: int, strength: int, outcome: str, changes: Mapping[str, int]) -> Consequence:
    """A player fought: `outcome` is victory, draw or defeat, `changes` what it brought and took at once."""
    data: dict[str, Any] = {"seat": seat, "total": total, "strength": strength, "outcome": outcome}
    return Consequence("battle_fought", {**data, "changes": dict(changes)})


def building_lost(seat: str, building: str, vp: int) -> Consequence:
    """A player lost a building and with it so many victory points."""
    return Consequence("building_lost", {"seat": seat, "building": building, "vp": vp})


def strongest_rewarded(seats: Iterable[str]) -> Consequence:
    """The strongest of the victorious gained 1 victory point each."""
    return Consequence("strongest_rewarded", {"seats": list(seats)})


def cathedral_scored(seat: str, vp: int) -> Consequence:
    """A Cathedral scored for the goods of its owner."""
    return Consequence("cathedral_scored", {"seat": seat, "vp": vp})


def match_ended(placements: Iterable[tuple[str, int]]) -> Consequence:
    """The match is over, with these seats on these places; nobody is placed where it counts for nothing."""
    return Consequence("match_ended", {"placements": [{"seat": seat, "place": place} for seat, place in placements]})
