"""What players and organizers decide: the recorded events of the hex war game. Their names stand in the log for ever."""

from __future__ import annotations

from typing import ClassVar

from rulesengine.game import Payload
from rulesengine.hexwar.hexes import Hex


class UnitMoved(Payload, frozen=True):
    """A unit went along `path`, its starting hex not included."""

    TYPE: ClassVar[str] = "unit_moved"
    unit: str
    path: tuple[Hex, ...]


class UnitAttacked(Payload, frozen=True):
    """A unit attacked another."""

    TYPE: ClassVar[str] = "unit_attacked"
    attacker: str
    target: str


class UnitFortified(Payload, frozen=True):
    """A unit dug in."""

    TYPE: ClassVar[str] = "unit_fortified"
    unit: str


class ConstructionStarted(Payload, frozen=True):
    """A Peasant began an improvement of `kind` on `hex`."""

    TYPE: ClassVar[str] = "construction_started"
    unit: str
    kind: str
    hex: Hex


class TerritoryCaptured(Payload, frozen=True):
    """A Peasant took the region whose seat it stands on."""

    TYPE: ClassVar[str] = "territory_captured"
    unit: str


class UnitRecruited(Payload, frozen=True):
    """A building recruited a unit of `type`."""

    TYPE: ClassVar[str] = "unit_recruited"
    building: str
    type: str


class SettlementUpgraded(Payload, frozen=True):
    """A settlement rose to its next tier."""

    TYPE: ClassVar[str] = "settlement_upgraded"
    settlement: str


class TurnEnded(Payload, frozen=True):
    """The player at turn was done."""

    TYPE: ClassVar[str] = "turn_ended"


class MatchStopped(Payload, frozen=True):
    """An organizer stopped the match and said how it counts: as ``score``, ``draw`` or ``void``."""

    TYPE: ClassVar[str] = "match_stopped"
    SEATED: ClassVar[bool] = False
    reason: str
    counts_as: str
