"""The hex war game as a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from rulesengine.game import Carried, Cites, Event, Fact, Payload, Placement, Refusal, Ruleset, Scene, Status, Step
from rulesengine.hexwar import checks, combat, consequences, events, moving, options, set_up, steps, worth
from rulesengine.hexwar import facts as careers
from rulesengine.hexwar import legal as next_events
from rulesengine.hexwar import scene as drawing
from rulesengine.hexwar import state as states
from rulesengine.hexwar import tables as data
from rulesengine.hexwar.hexes import Hex
from rulesengine.hexwar.maps import FOR_SEATS
from rulesengine.hexwar.rules import HWH_33, HWH_34, HWH_39, HWH_42, RULES
from rulesengine.hexwar.state import State
from rulesengine.log import Header

OWN = (
    events.UnitMoved,
    events.UnitAttacked,
    events.UnitFortified,
    events.ConstructionStarted,
    events.TerritoryCaptured,
    events.UnitRecruited,
    events.SettlementUpgraded,
    events.TurnEnded,
    events.MatchStopped,
)


class HexWar(Ruleset):
    """The hex war game: two to six players, no chance, no hidden information."""

    game: ClassVar[str] = "hexwar"
    name: ClassVar[str] = "Hex war game"
    payloads: ClassVar[Mapping[str, type[Payload]]] = {one.TYPE: one for one in OWN}
    consequence_types: ClassVar[frozenset[str]] = consequences.TYPES
    rules = RULES
    parameters = options.PARAMETERS
    tables = data.TABLES
    seats: ClassVar[tuple[int, int]] = (2, 6)
    likings: ClassVar[Mapping[str, float]] = {
        "unit_moved": 6,
        "unit_attacked": 12,
        "unit_recruited": 5,
        "territory_captured": 12,
        "construction_started": 1,
        "settlement_upgraded": 0.5,
        "turn_ended": 2,
        "player_resigned": 0.002,
    }
    cites: ClassVar[Cites] = Cites(corrections=HWH_39, confirmation=HWH_33, placements=HWH_34, set_up=HWH_42)

    def set_up(self, header: Header) -> Step[State] | Refusal:
        """Return the position after the header, or what is wrong with the set-up."""
        setup = set_up.read(header)
        return setup if isinstance(setup, Refusal) else steps.first_position(setup)

    def check(self, state: State, event: Event) -> Refusal | None:
        """Return the first rule that forbids an event, or None."""
        return checks.check(state, event)

    def follow(self, state: State, event: Event) -> Step[State]:
        """Return the state after an event and what follows from it."""
        return steps.follow(state, event)

    def skip(self, state: State, event: Event) -> State:
        """Return the state after a skipped event: a recruit or construction still uses up its id."""
        return steps.skip(state, event)

    def legal(self, state: State) -> Iterator[Event]:
        """Yield what the player at turn may do next, and who may resign."""
        return next_events.legal(state)

    def status(self, state: State) -> Status:
        """Return whether the match runs, has ended or is void."""
        return state.status

    def outcome(self, state: State) -> tuple[Placement, ...] | None:
        """Return the placements by place, then in seat order; none if the match is void, None while it runs."""
        if state.status == "running":
            return None
        return tuple(Placement(seat, place) for seat, place in steps.placements(state))

    def result(self, state: State) -> dict[str, Any] | None:
        """Return why and when the match ended and every seat's score, or None while it runs."""
        if state.status == "running":
            return None
        rows = []
        for seat, player in state.players.items():
            regions, ranks, unit_hp, gold = steps.score(state, seat)
            rows.append(
                {
                    "seat": seat,
                    "place": player.place,
                    "alive": player.alive,
                    "regions": regions,
                    "ranks": ranks,
                    "unit_hp": unit_hp,
                    "gold": gold,
                }
            )
        return {"reason": state.reason, "round": state.round, "turn_no": state.turn_no, "scores": rows}

    def view(self, state: State) -> dict[str, Any]:
        """Return the state as plain values under the names of the rule page."""
        return states.view(state)

    def load(self, header: Header, view: Mapping[str, Any]) -> State:
        """Return the state that a view showed. Why a match ended is not in it and is worked out as far as it can be.

        :raises ValueError: if the header cannot be played or the view is none of its states
        """
        setup = set_up.read(header)
        if isinstance(setup, Refusal):
            raise ValueError(f"{setup.rule}: {setup.because}")
        state = states.load(setup, view)
        return steps.with_reason(state)

    def scene(self, state: State) -> Scene:
        """Return the position as shapes to draw."""
        return drawing.scene(state)

    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        """Return what careers count, in order of seq."""
        return careers.facts(carried)

    def turn(self, state: State) -> str | None:
        """Return the seat at turn, or None after the end."""
        return state.turn_player if state.status == "running" else None

    def worth(self, state: State, seat: str) -> int:
        """Return a seat's regions, ranks, strength and gold against the others', and how near its units are to their aims."""
        return worth.worth(state, seat)

    def spelled_out(self, header: Header) -> dict[str, Any]:
        """Return map, seats and parameters as a file may spell them out."""
        parameters = {name: value for name, value in header.options.items() if name != "map"}
        seats = [seat.seat for seat in header.seats]
        return {"map": header.options.get("map", FOR_SEATS.get(len(seats))), "seats": seats, "parameters": parameters}

    def reach(self, state: State, unit_id: str) -> dict[Hex, int]:
        """Return the hexes a unit can move to now with their cost (HW-08).

        :raises KeyError: if there is no such unit
        """
        return moving.reach(state, unit_id)

    def preview(self, state: State, attacker: str, target: str) -> list[combat.Strike]:
        """Return the strikes that an attack would bring (HW-41), by the calculation that carries it out.

        :raises KeyError: if one of the units does not exist
        """
        return combat.strikes(state, attacker, target)
