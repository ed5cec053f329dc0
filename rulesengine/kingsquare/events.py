"""What is recorded of a KingSquare match (8.4 of the rule page): the payload of each event. Their names stand in the log for ever.

Form is checked while reading: a key that is missing or unknown, a wrong type, a number below 0, an empty text or list, a list
with an element twice and a word that is none of the list are refused with U-7. Words and numbers that have rules of their own
(levels, classes of beasts, kinds of districts and resources, phases) are left to those rules.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from rulesengine import shared
from rulesengine.game import Payload
from rulesengine.kingsquare.state import Place

type NewId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,40}\Z")]
"""The id of a new piece: 1 to 40 letters, digits, ``_`` and ``-``."""
type Text = Annotated[str, Meta(min_length=1)]
type Number = Annotated[int, Meta(ge=0)]
type Names = Annotated[tuple[Text, ...], Meta(min_length=1)]
"""A list of different texts."""
type Level = Literal["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
type GivenStacks = Annotated[dict[Level, Annotated[int, Meta(ge=1)]], Meta(min_length=1)]
"""Soldiers by their level as text."""
type Mode = Literal["land", "sea", "air"]
type Content = Literal["nothing", "beast", "resource", "landmark"]

SYNONYMS = {
    "lumberyard": "lumber_mill",
    "mill": "lumber_mill",
    "yard": "lumber_mill",
    "train_station": "trainyard",
    "airport": "hangar",
    "engineered_road": "improved_road",
}
"""Other names of one thing (KSH-42): they are read, and the one name is kept."""
KINDS = (
    "farm",
    "lumber_mill",
    "quarry",
    "barracks",
    "harbor",
    "hangar",
    "trainyard",
    "university",
    "embassy",
    "religion",
    "war_forge",
    "wall",
)
ROADS = ("road", "improved_road", "bridge")


def one_name(kind: str) -> str:
    """Return the one name of a kind that may have been recorded under a synonym (KSH-42)."""
    return SYNONYMS.get(kind.strip().lower().replace(" ", "_"), kind)


def _different(name: str, values: tuple[Any, ...]) -> None:
    if len(set(values)) != len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise ValueError(f'"{name}" names {twice} twice')


def _something(name: str, value: Any) -> None:
    """Refuse a value of any type that is empty, below 0 or a list with an element twice."""
    if value in ("", [], {}):
        raise ValueError(f'"{name}" is empty; it must hold something')
    if isinstance(value, int) and value < 0:
        raise ValueError(f'"{name}" is {value}; it must be a number from 0')
    if isinstance(value, list):
        for at, one in enumerate(value):
            if one in value[:at]:
                raise ValueError(f'"{name}" names {str(one)[:40]} twice')
            _something(name, one)


def stacks_of(given: dict[Level, int]) -> dict[int, int]:
    """Return stacks as a state keeps them: by level as a number, the lowest first."""
    return {int(level): given[level] for level in sorted(given, key=int)}


# Set-up


class SpelledOut(Payload, frozen=True, forbid_unknown_fields=False):
    """A part of the set-up that a file may spell out before the start: the header prevails and nothing is read."""

    SEATED: ClassVar[bool] = False
    MAY_BE_NULL: ClassVar[frozenset[str] | None] = None
    observed: Any = None

    def __post_init__(self) -> None:
        force_setattr(self, "observed", None)


class MatchCreated(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """The match; see the header."""

    TYPE: ClassVar[str] = "match_created"


class SeatTaken(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """Who sits where; see the header."""

    TYPE: ClassVar[str] = "seat_taken"


class SeatReleased(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """Who sits there no more; see the header."""

    TYPE: ClassVar[str] = "seat_released"


class OfficialAssigned(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """Who serves; see the header."""

    TYPE: ClassVar[str] = "official_assigned"


class OfficialReleased(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """Who serves no more; see the header."""

    TYPE: ClassVar[str] = "official_released"


class RulesOverridden(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """Another figure or option; see the header."""

    TYPE: ClassVar[str] = "rules_overridden"


class TurnOrderSet(SpelledOut, frozen=True, forbid_unknown_fields=False):
    """The turn order; see the header."""

    TYPE: ClassVar[str] = "turn_order_set"


SPELLED_OUT: tuple[type[Payload], ...] = (
    MatchCreated,
    SeatTaken,
    SeatReleased,
    OfficialAssigned,
    OfficialReleased,
    RulesOverridden,
    TurnOrderSet,
)


class KingLevelRecorded(Payload, frozen=True):
    """MapMaster: the level with which a King begins."""

    TYPE: ClassVar[str] = "king_level_recorded"
    SEATED: ClassVar[bool] = False
    kingdom: Text
    level: Annotated[int, Meta(ge=1)]


class GeneralPiecePlaced(Payload, frozen=True):
    """A King: the marker piece of KS-V1 to KS-V4 stands on the table."""

    TYPE: ClassVar[str] = "general_piece_placed"
    level: Number
    at: Place


class GeneralPieceLost(Payload, frozen=True):
    """A King: the marker piece is gone."""

    TYPE: ClassVar[str] = "general_piece_lost"
    cause: Text | None = None


class TerrainPlaced(Payload, frozen=True):
    """MapMaster: what a field is made of."""

    TYPE: ClassVar[str] = "terrain_placed"
    SEATED: ClassVar[bool] = False
    terrain: NewId
    kind: Literal["open", "water", "shore", "impassable"]
    label: Text


class BeastPlaced(Payload, frozen=True):
    """MapMaster: a creature stands on the table, hidden or not. Figures left out are those of its class (KSH-67)."""

    TYPE: ClassVar[str] = "beast_placed"
    SEATED: ClassVar[bool] = False
    beast: NewId
    cls: Text = msgspec.field(name="class")
    at: Place
    name: Text | None = None
    strength: Number | None = None
    attack: Number | None = None
    defence: Number | None = None
    buff: Number | None = None
    hidden: bool = False


class SitePlaced(Payload, frozen=True):
    """MapMaster: there is something to discover."""

    TYPE: ClassVar[str] = "site_placed"
    SEATED: ClassVar[bool] = False
    site: NewId
    at: Place
    content: Content
    hidden: bool = True


class DoctrineDefined(Payload, frozen=True):
    """MapMaster or organizer: the doctrine of a War Forge level from 6 to 10, in words."""

    TYPE: ClassVar[str] = "doctrine_defined"
    SEATED: ClassVar[bool] = False
    level: Number
    name: Text
    text: Text | None = None


class CapitalFounded(Payload, frozen=True):
    """A King: the Capital stands, with its first Farm."""

    TYPE: ClassVar[str] = "capital_founded"
    castle: NewId
    name: Text | None = None
    at: Place | None = None
    farm: NewId | None = None


class MatchStarted(shared.MatchStarted, frozen=True, forbid_unknown_fields=True):
    """MapMaster or scribe: round 1 begins with the first seat in phase produce."""


# Turn and phases


class PhaseAdvanced(Payload, frozen=True):
    """The next phase of the turn begins: ``move`` or ``act``."""

    TYPE: ClassVar[str] = "phase_advanced"
    to: Text


class TurnEnded(Payload, frozen=True):
    """The turn is over."""

    TYPE: ClassVar[str] = "turn_ended"


class TurnSkipped(Payload, frozen=True):
    """MapMaster or referee: the turn of a Kingdom passes."""

    TYPE: ClassVar[str] = "turn_skipped"
    SEATED: ClassVar[bool] = False
    kingdom: Text
    reason: Text | None = None


class MatchPaused(shared.MatchPaused, frozen=True):
    """MapMaster or scribe: the table pauses."""

    reason: Text | None = None


class MatchResumed(shared.MatchResumed, frozen=True):
    """MapMaster or scribe: the table goes on."""

    reason: Text | None = None


# Produce


class TroopsProduced(Payload, frozen=True):
    """A Barracks gave soldiers to the army at its Castle."""

    TYPE: ClassVar[str] = "troops_produced"
    building: Text
    count: Number
    soldier_level: Number
    army: NewId


class ResourcesProduced(Payload, frozen=True):
    """A Farm, Lumber Mill or Quarry gave its resource."""

    TYPE: ClassVar[str] = "resources_produced"
    building: Text
    kind: Text
    amount: Number


class ProductionWaived(Payload, frozen=True):
    """A Barracks gives nothing this turn."""

    TYPE: ClassVar[str] = "production_waived"
    building: Text
    reason: Text | None = None


# Move


class ArmySplit(Payload, frozen=True):
    """Part of an army is an army of its own."""

    TYPE: ClassVar[str] = "army_split"
    army: Text
    new_army: NewId
    stacks: GivenStacks


class ArmyMerged(Payload, frozen=True):
    """One army joined another."""

    TYPE: ClassVar[str] = "army_merged"
    from_: Text = msgspec.field(name="from")
    into: Text


class UnitMoved(Payload, frozen=True):
    """Units went together to a place: so far off the road and so far along these links."""

    TYPE: ClassVar[str] = "unit_moved"
    units: Names
    to: Place
    off_ft10: Number
    on_ft10: Number
    mode: Mode
    links: Names | None = None

    def __post_init__(self) -> None:
        _different("units", self.units)
        _different("links", self.links or ())


class RailTravelled(Payload, frozen=True):
    """Units went by rail."""

    TYPE: ClassVar[str] = "rail_travelled"
    units: Names
    from_building: Text
    to_building: Text

    def __post_init__(self) -> None:
        _different("units", self.units)


class TroopsEmbarked(Payload, frozen=True):
    """Soldiers went aboard."""

    TYPE: ClassVar[str] = "troops_embarked"
    army: Text
    ship: Text
    stacks: GivenStacks


class TroopsLanded(Payload, frozen=True):
    """Soldiers went ashore."""

    TYPE: ClassVar[str] = "troops_landed"
    army: NewId
    ship: Text
    stacks: GivenStacks


# Act


class BuildingBuilt(Payload, frozen=True):
    """A building stands."""

    TYPE: ClassVar[str] = "building_built"
    building: NewId
    kind: Text
    castle: Text
    direct: bool

    def __post_init__(self) -> None:
        kind = one_name(self.kind)
        if kind not in KINDS:
            raise ValueError(f'"kind" is {self.kind[:40]!r}; the kinds of building are {", ".join(KINDS)}')
        force_setattr(self, "kind", kind)


class CastleFounded(Payload, frozen=True):
    """A King: a further Castle stands."""

    TYPE: ClassVar[str] = "castle_founded"
    castle: NewId
    at: Place
    king_distance_ft10: Number
    name: Text | None = None
    farm: NewId | None = None


class DistrictFounded(Payload, frozen=True):
    """A King: a district stands in the Territory of a Castle of level 10."""

    TYPE: ClassVar[str] = "district_founded"
    castle: NewId
    district_kind: Text
    parent_castle: Text
    name: Text | None = None
    farm: NewId | None = None


class RoadLaid(Payload, frozen=True):
    """A road, improved road or bridge lies."""

    TYPE: ClassVar[str] = "road_laid"
    link: NewId
    kind: Text
    a: NewId
    b: NewId
    length_ft10: Annotated[int, Meta(ge=1)]

    def __post_init__(self) -> None:
        kind = one_name(self.kind)
        if kind not in ROADS:
            raise ValueError(f'"kind" is {self.kind[:40]!r}; the kinds of road are {", ".join(ROADS)}')
        force_setattr(self, "kind", kind)


class RailLaid(Payload, frozen=True):
    """A rail lies between two Trainyards."""

    TYPE: ClassVar[str] = "rail_laid"
    link: NewId
    a: Text
    b: Text
    length_ft10: Number


class ShipBuilt(Payload, frozen=True):
    """A ship lies at a Harbor."""

    TYPE: ClassVar[str] = "ship_built"
    ship: NewId
    harbor: Text


class PlaneBuilt(Payload, frozen=True):
    """A plane stands at a Hangar."""

    TYPE: ClassVar[str] = "plane_built"
    plane: NewId
    hangar: Text


class KingUpgraded(Payload, frozen=True):
    """A King: the King rose."""

    TYPE: ClassVar[str] = "king_upgraded"
    to_level: Number


class CastleUpgraded(Payload, frozen=True):
    """A Castle rose."""

    TYPE: ClassVar[str] = "castle_upgraded"
    castle: Text
    to_level: Number


class BuildingUpgraded(Payload, frozen=True):
    """A building rose."""

    TYPE: ClassVar[str] = "building_upgraded"
    building: Text
    to_level: Number


class RepairTarget(Struct, frozen=True, forbid_unknown_fields=True):
    """What is repaired."""

    kind: Literal["building", "castle", "ship", "link", "plane", "army"]
    id: Text


class StructureRepaired(Payload, frozen=True):
    """Something damaged, ruined or cut was put right."""

    TYPE: ClassVar[str] = "structure_repaired"
    target: RepairTarget


class Target(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is attacked. `owner` tells whose garrison of a Castle it is, where it is not its owner's."""

    kind: Literal["building", "castle", "garrison", "army", "ship", "plane", "king", "link"]
    id: Text
    owner: Text | None = None


class AttackMade(Payload, frozen=True):
    """Units attacked one target."""

    TYPE: ClassVar[str] = "attack_made"
    attackers: Names
    target: Target
    distances_ft10: dict[str, Number] | None = None
    king_distance_ft10: Number | None = None
    defending_king_distance_ft10: Number | None = None
    target_order: Names | None = None

    def __post_init__(self) -> None:
        _different("attackers", self.attackers)
        _different("target_order", self.target_order or ())
        _of_attackers(self.distances_ft10, self.attackers)


class SortieFlown(Payload, frozen=True):
    """Planes attacked one target, anywhere."""

    TYPE: ClassVar[str] = "sortie_flown"
    planes: Names
    target: Target
    king_distance_ft10: Number | None = None
    defending_king_distance_ft10: Number | None = None
    target_order: Names | None = None

    def __post_init__(self) -> None:
        _different("planes", self.planes)
        _different("target_order", self.target_order or ())


def _of_attackers(distances: dict[str, int] | None, attackers: tuple[str, ...]) -> None:
    for unit in distances or ():
        if unit not in attackers:
            raise ValueError(
                f'"distances_ft10" names {unit[:40]!r}, which is none of the attackers {", ".join(attackers)}'
            )


class Rail(Struct, frozen=True, forbid_unknown_fields=True):
    """A journey by rail."""

    from_building: Text
    to_building: Text


class UnitForwarded(Payload, frozen=True):
    """Units moved once more: as in :class:`UnitMoved`, or by `rail`."""

    TYPE: ClassVar[str] = "unit_forwarded"
    units: Names
    to: Place | None = None
    off_ft10: Number | None = None
    on_ft10: Number | None = None
    mode: Mode | None = None
    links: Names | None = None
    rail: Rail | None = None

    def __post_init__(self) -> None:
        _different("units", self.units)
        _different("links", self.links or ())
        keys = ("to", "off_ft10", "on_ft10", "mode")
        if self.rail is None:
            for key in keys:
                if getattr(self, key) is None:
                    raise ValueError(f'the key "{key}" is missing; a Forward needs {", ".join(keys)}, or rail alone')
        else:
            for key in (*keys, "links"):
                if getattr(self, key) is not None:
                    raise ValueError(f'the key "{key}" does not go with "rail"')


class DiscoveryMade(Payload, frozen=True):
    """A unit scouted a place and found what there was."""

    TYPE: ClassVar[str] = "discovery_made"
    unit: Text
    result: Content
    site: Text | None = None
    at: Place | None = None
    distance_ft10: Number | None = None
    resource: Literal["wood", "stone", "food"] | None = None

    def __post_init__(self) -> None:
        if self.site is None and self.at is None:
            raise ValueError('the key "at" is missing; a discovery without "site" needs it')
        if self.result == "resource" and self.resource is None:
            raise ValueError('the key "resource" is missing; a discovery of a resource says which: wood, stone or food')


class BeastEngaged(Payload, frozen=True):
    """Units fought a beast."""

    TYPE: ClassVar[str] = "beast_engaged"
    attackers: Names
    beast: Text
    distances_ft10: dict[str, Number] | None = None
    king_distance_ft10: Number | None = None

    def __post_init__(self) -> None:
        _different("attackers", self.attackers)
        _of_attackers(self.distances_ft10, self.attackers)


BATTLES: tuple[type[Payload], ...] = (AttackMade, SortieFlown, BeastEngaged)
"""The events with a battle: they alone may have `observed`."""


# Diplomacy, General, beasts, elimination


class AllianceProposed(Payload, frozen=True):
    """A King: an alliance is offered."""

    TYPE: ClassVar[str] = "alliance_proposed"
    alliance: NewId
    to_kingdom: Text
    terms: Text | None = None


class AllianceWithdrawn(Payload, frozen=True):
    """A King: the offer is taken back."""

    TYPE: ClassVar[str] = "alliance_withdrawn"
    alliance: Text


class AllianceAccepted(Payload, frozen=True):
    """A King: the alliance holds."""

    TYPE: ClassVar[str] = "alliance_accepted"
    alliance: Text


class AllianceDeclined(Payload, frozen=True):
    """A King: the offer is turned down."""

    TYPE: ClassVar[str] = "alliance_declined"
    alliance: Text


class AllianceEnded(Payload, frozen=True):
    """A King: the alliance ends with the turn."""

    TYPE: ClassVar[str] = "alliance_ended"
    alliance: Text
    reason: Text | None = None


class CastleRoleDeclared(Payload, frozen=True):
    """A King: what a Castle has become; a label."""

    TYPE: ClassVar[str] = "castle_role_declared"
    castle: Text
    role: Literal["military", "industrial", "religious", "transport", "diplomatic", "other"]


class TreatyNoted(Payload, frozen=True):
    """A King: an agreement in words, kept and not enforced."""

    TYPE: ClassVar[str] = "treaty_noted"
    kingdoms: Names
    text: Text

    def __post_init__(self) -> None:
        _different("kingdoms", self.kingdoms)


class GeneralAppointed(Payload, frozen=True):
    """A King: a person (handle or name) is General."""

    TYPE: ClassVar[str] = "general_appointed"
    person: Text


class GeneralDismissed(Payload, frozen=True):
    """A King: the General is General no more."""

    TYPE: ClassVar[str] = "general_dismissed"
    reason: Text | None = None


class GeneralResigned(Payload, frozen=True):
    """The General steps back."""

    TYPE: ClassVar[str] = "general_resigned"
    reason: Text | None = None


class BeastRevealed(Payload, frozen=True):
    """MapMaster: a hidden beast is seen."""

    TYPE: ClassVar[str] = "beast_revealed"
    SEATED: ClassVar[bool] = False
    beast: Text


class BeastBuffAssigned(Payload, frozen=True):
    """The buff of a defeated beast goes to another army that fought."""

    TYPE: ClassVar[str] = "beast_buff_assigned"
    beast: Text
    army: Text


class BeastActed(Payload, frozen=True):
    """MapMaster: a beast moved. Attacks by beasts are not recorded in this version."""

    TYPE: ClassVar[str] = "beast_acted"
    SEATED: ClassVar[bool] = False
    beast: Text
    kind: Literal["move"]
    at: Place | None = None


class PlayerResigned(shared.PlayerResigned, frozen=True):
    """A King: the Kingdom surrenders."""

    reason: Text | None = None


class KingdomForfeited(Payload, frozen=True):
    """MapMaster or referee: a Kingdom is out."""

    TYPE: ClassVar[str] = "kingdom_forfeited"
    SEATED: ClassVar[bool] = False
    kingdom: Text
    reason: Text | None = None


class GovernLossDeclared(Payload, frozen=True):
    """MapMaster or referee: a King cannot govern any longer."""

    TYPE: ClassVar[str] = "govern_loss_declared"
    SEATED: ClassVar[bool] = False
    kingdom: Text
    reason: Text | None = None


class CustomPiecesRemoved(Payload, frozen=True):
    """MapMaster or scribe: an eliminated player's own pieces left the table."""

    TYPE: ClassVar[str] = "custom_pieces_removed"
    SEATED: ClassVar[bool] = False
    kingdom: Text
    pieces: Any = None

    def __post_init__(self) -> None:
        _something("pieces", self.pieces)


class TerritoryReplaced(Payload, frozen=True):
    """MapMaster: official pieces stand in for Castles of an eliminated Kingdom."""

    TYPE: ClassVar[str] = "territory_replaced"
    SEATED: ClassVar[bool] = False
    kingdom: Text
    castles: Names

    def __post_init__(self) -> None:
        _different("castles", self.castles)


# Referee


class DisputeOpened(shared.DisputeOpened, frozen=True):
    """Anyone at the table: something is disputed."""

    about_seq: Number
    text: Text | None = None


class RulingGiven(shared.RulingGiven, frozen=True):
    """Referee or MapMaster: a ruling. It closes the disputes whose own seq or `about_seq` it names."""

    about_seq: Number | None = None
    question: Text | None = None
    decision: Text | None = None
    rule: Text | None = None
    favours: Text | None = None


class EventWithdrawn(shared.EventWithdrawn, frozen=True):
    """Scribe: the last entry is taken back."""

    target_seq: Number
    reason: Text | None = None
    approved_by: Text | None = None


class EventVoided(shared.EventVoided, frozen=True):
    """Referee: an entry is skipped."""

    target_seq: Number
    reason: Text | None = None
    reported_by: Text | None = None
    approved_by: Text | None = None


class EventAmended(shared.EventAmended, frozen=True):
    """Referee: an entry is replayed with other `data`."""

    target_seq: Number
    data: dict[str, Any]
    reason: Text | None = None
    reported_by: Text | None = None
    approved_by: Text | None = None


class StateAdjusted(shared.StateAdjusted, frozen=True):
    """Referee: one value is set from here on."""

    path: Text
    reason: Text | None = None
    approved_by: Text | None = None


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How a battle came out: damage at the target and damage returned."""

    net: Number
    returned: Number


class ResultOverridden(Payload, frozen=True):
    """Referee: a battle came out so, and not as computed."""

    TYPE: ClassVar[str] = "result_overridden"
    SEATED: ClassVar[bool] = False
    battle_seq: Number
    outcome: Outcome
    reason: Text | None = None
    approved_by: Text | None = None


class IllegalStateAccepted(shared.IllegalStateAccepted, frozen=True):
    """Referee: these entries stand although a rule refuses them."""

    seqs: Annotated[tuple[Number, ...], Meta(min_length=1)]
    reason: Text | None = None
    approved_by: Text | None = None

    def __post_init__(self) -> None:
        _different("seqs", self.seqs)


class PenaltyGiven(shared.PenaltyGiven, frozen=True):
    """Referee, MapMaster or organizer: a penalty for a Kingdom."""

    seat: Text
    kind: Literal["warning", "ap_loss", "turn_loss", "disqualification"]
    value: Number = 1
    reason: Text | None = None


# End


class TimeCalled(shared.TimeCalled, frozen=True):
    """MapMaster: time. Without a time limit all Kingdoms that play must have agreed."""

    agreed: Names | None = None

    def __post_init__(self) -> None:
        _different("agreed", self.agreed or ())


class DrawAgreed(shared.DrawAgreed, frozen=True):
    """All who still play: a draw."""

    seats: Names

    def __post_init__(self) -> None:
        _different("seats", self.seats)


class GivenPlace(shared.SeatPlace, frozen=True, forbid_unknown_fields=True):
    """A seat and its place."""

    seat: Text
    place: Number


type GivenPlaces = Annotated[tuple[GivenPlace, ...], Meta(min_length=1)]


class MatchEnded(Payload, frozen=True):
    """MapMaster or scribe: the match is over. Placements, if given, are compared with the computed ones."""

    TYPE: ClassVar[str] = "match_ended"
    SEATED: ClassVar[bool] = False
    placements: GivenPlaces | None = None
    cause: Text | None = None

    def __post_init__(self) -> None:
        _different("placements", self.placements or ())


class ResultSigned(Payload, frozen=True):
    """A King: the result is right."""

    TYPE: ClassVar[str] = "result_signed"


class ResultDisputed(Payload, frozen=True):
    """A King: the result is not right; a dispute about this entry is open."""

    TYPE: ClassVar[str] = "result_disputed"
    reason: Text | None = None


class PlacementsConfirmed(shared.PlacementsConfirmed, frozen=True):
    """MapMaster, referee or organizer: the result is final."""

    placements: GivenPlaces | None = None

    def __post_init__(self) -> None:
        _different("placements", self.placements or ())


class MatchAbandoned(shared.MatchAbandoned, frozen=True):
    """MapMaster or organizer: the match is given up."""

    reason: Text | None = None


class MatchAnnulled(shared.MatchAnnulled, frozen=True):
    """Organizer: the match counts for nothing."""

    reason: Text | None = None
