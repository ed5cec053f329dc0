"""What kind of act each event is: who records it, when it may stand in a log and what it costs.

The table of 4.2 to 4.10, 8.2 and 8.5 of the rule page: :mod:`rulesengine.kingsquare.checks` reads it before an event's own
conditions. Roles are named as in a log's ``as``; a King's own event has the role ``king``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from msgspec import Struct

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.state import State

SETUP = frozenset({"setup"})
RUNNING = frozenset({"running"})
ENDED = frozenset({"ended"})
ANY = frozenset({"setup", "running", "paused", "ended", "confirmed", "abandoned", "annulled"})
NOT_VOID = ANY - {"abandoned", "annulled"}

PRODUCE, MOVE, ACT, MOVE_AND_ACT = (
    frozenset({"produce"}),
    frozenset({"move"}),
    frozenset({"act"}),
    frozenset({"move", "act"}),
)

K = ("king", "scribe")
"""A King's own: a General may not."""
KG = ("king", "scribe", "general")

type Check = Callable[[State, Event], Iterator[Refusal]]
"""What forbids an event: yields refusals in the order of 8.5. An impossible one is final, the check is not resumed after it."""
type Step = Callable[[State, Event, Told], State]
"""What an event does: the state after it; consequences and figures go into the last parameter."""
type Cost = Callable[[State, Event], int]


class Act(Struct, frozen=True):
    """How the frame treats one type of event."""

    who: tuple[str, ...]
    """The roles that may, the one meant where ``as`` is missing first."""
    statuses: frozenset[str] = RUNNING
    phases: frozenset[str] | None = None
    """In which phases of the own turn; None: at any time, in anybody's turn."""
    on_turn: bool = False
    out_too: bool = False
    """Whether an eliminated Kingdom may still do it."""
    denied: str = "U-6"
    """The rule that keeps a General, or else anybody who is not among `who`, from it."""
    cost: Cost | None = None


def _build(state: State, event: Event) -> int:
    return state.setup.options.cost_build


def _one(state: State, event: Event) -> int:
    return 1


def _repair(state: State, event: Event) -> int:
    return 1 if state.setup.figures.actions_repair else state.setup.options.cost_build


def _attack(state: State, event: Event) -> int:
    return state.setup.options.cost_attack


def _sortie(state: State, event: Event) -> int:
    cost = state.setup.figures.sortie_cost
    if state.setup.options.sortie_per == "plane":
        return cost * len(cast(e.SortieFlown, event.data).planes)
    return cost


def _forward(state: State, event: Event) -> int:
    return state.setup.options.cost_forward


def _discover(state: State, event: Event) -> int:
    return state.setup.options.cost_discover


def _engage(state: State, event: Event) -> int:
    return state.setup.options.cost_engage


def _turn(who: tuple[str, ...], phases: frozenset[str] | None, cost: Cost | None = None, denied: str = "U-6") -> Act:
    return Act(who, RUNNING, phases, True, cost=cost, denied=denied)


_BY_ORGANIZER = Act(("organizer", "mapmaster"), SETUP)
_BY_ANYBODY = Act(("organizer", "mapmaster", "scribe"), SETUP)
_CORRECTION = Act(("referee",), ANY)

ACTS: dict[type[Payload], Act] = {
    # Set-up
    e.MatchCreated: _BY_ORGANIZER,
    e.SeatTaken: _BY_ANYBODY,
    e.SeatReleased: _BY_ANYBODY,
    e.OfficialAssigned: _BY_ORGANIZER,
    e.OfficialReleased: _BY_ORGANIZER,
    e.RulesOverridden: _BY_ORGANIZER,
    e.TurnOrderSet: Act(("mapmaster", "scribe"), SETUP),
    e.KingLevelRecorded: Act(("mapmaster",), SETUP),
    e.GeneralPiecePlaced: Act(K, frozenset({"setup", "running"})),
    e.GeneralPieceLost: Act(("king", "scribe", "referee")),
    e.TerrainPlaced: Act(("mapmaster",), frozenset({"setup", "running"})),
    e.BeastPlaced: Act(("mapmaster",), frozenset({"setup", "running"})),
    e.SitePlaced: Act(("mapmaster",), frozenset({"setup", "running"})),
    e.DoctrineDefined: Act(("organizer", "mapmaster"), SETUP),
    e.CapitalFounded: Act(K, SETUP),
    e.MatchStarted: Act(("mapmaster", "scribe"), SETUP),
    # Turn and phases
    e.PhaseAdvanced: _turn(("scribe", "king", "general"), None),
    e.TurnEnded: _turn(("scribe", "king", "general"), ACT),
    e.TurnSkipped: Act(("mapmaster", "referee")),
    e.MatchPaused: Act(("mapmaster", "scribe")),
    e.MatchResumed: Act(("mapmaster", "scribe"), frozenset({"paused"})),
    # Produce
    e.TroopsProduced: _turn(KG, PRODUCE),
    e.ResourcesProduced: _turn(KG, PRODUCE),
    e.ProductionWaived: _turn(("king", "scribe", "mapmaster"), PRODUCE),
    # Move
    e.ArmySplit: _turn(KG, MOVE_AND_ACT),
    e.ArmyMerged: _turn(KG, MOVE_AND_ACT),
    e.UnitMoved: _turn(KG, MOVE),
    e.RailTravelled: _turn(KG, MOVE),
    e.TroopsEmbarked: _turn(KG, MOVE_AND_ACT),
    e.TroopsLanded: _turn(KG, MOVE_AND_ACT),
    # Act
    e.BuildingBuilt: _turn(KG, ACT, _build),
    e.CastleFounded: _turn(K, ACT, _build, "KSH-74"),
    e.DistrictFounded: _turn(K, ACT, _build, "KSH-74"),
    e.RoadLaid: _turn(KG, ACT, _build),
    e.RailLaid: _turn(KG, ACT, _build),
    e.ShipBuilt: _turn(KG, ACT, _build),
    e.PlaneBuilt: _turn(KG, ACT, _build),
    e.KingUpgraded: _turn(K, ACT, _one, "KSH-74"),
    e.CastleUpgraded: _turn(KG, ACT, _one),
    e.BuildingUpgraded: _turn(KG, ACT, _one),
    e.StructureRepaired: _turn(KG, ACT, _repair),
    e.AttackMade: _turn(KG, ACT, _attack),
    e.SortieFlown: _turn(KG, ACT, _sortie),
    e.UnitForwarded: _turn(KG, ACT, _forward),
    e.DiscoveryMade: _turn(KG, ACT, _discover),
    e.BeastEngaged: _turn(KG, ACT, _engage),
    # Diplomacy, General, beasts, elimination
    e.AllianceProposed: Act(K, denied="KS-50"),
    e.AllianceWithdrawn: Act(K, denied="KS-50"),
    e.AllianceAccepted: Act(K, denied="KS-50"),
    e.AllianceDeclined: Act(K, denied="KS-50"),
    e.AllianceEnded: Act(K, denied="KS-50"),
    e.CastleRoleDeclared: Act(K),
    e.TreatyNoted: Act(K, denied="KS-50"),
    e.GeneralAppointed: Act(K, denied="KS-50"),
    e.GeneralDismissed: Act(K, denied="KS-50"),
    e.GeneralResigned: Act(("general", "scribe")),
    e.BeastRevealed: Act(("mapmaster",)),
    e.BeastBuffAssigned: Act(KG),
    e.BeastActed: Act(("mapmaster",)),
    e.PlayerResigned: Act(K, denied="KS-50"),
    e.KingdomForfeited: Act(("mapmaster", "referee")),
    e.GovernLossDeclared: Act(("mapmaster", "referee")),
    e.CustomPiecesRemoved: Act(("mapmaster", "scribe")),
    e.TerritoryReplaced: Act(("mapmaster",)),
    # Referee
    e.DisputeOpened: Act(KG, NOT_VOID, out_too=True),
    e.RulingGiven: Act(("referee", "mapmaster"), NOT_VOID),
    e.PenaltyGiven: Act(("referee", "mapmaster", "organizer"), NOT_VOID),
    e.EventWithdrawn: Act(("scribe",), ANY),
    e.EventVoided: _CORRECTION,
    e.EventAmended: _CORRECTION,
    e.StateAdjusted: _CORRECTION,
    e.ResultOverridden: _CORRECTION,
    e.IllegalStateAccepted: _CORRECTION,
    # End
    e.TimeCalled: Act(("mapmaster",)),
    e.DrawAgreed: Act(K, denied="KSH-74"),
    e.MatchEnded: Act(("mapmaster", "scribe"), frozenset({"running", "ended"})),
    e.ResultSigned: Act(K, ENDED, out_too=True, denied="KSH-74"),
    e.ResultDisputed: Act(K, ENDED, out_too=True, denied="KSH-74"),
    e.PlacementsConfirmed: Act(("mapmaster", "referee", "organizer"), ENDED),
    e.MatchAbandoned: Act(("mapmaster", "organizer"), ANY - {"confirmed", "abandoned", "annulled"}),
    e.MatchAnnulled: Act(("organizer",), frozenset({"ended", "confirmed"})),
}
"""By the type of an event's payload, how the frame treats it."""

OWN = tuple(ACTS)
"""Every payload that a log of this game may have."""
