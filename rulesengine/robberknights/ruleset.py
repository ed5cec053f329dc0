"""Robber Knights as a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from rulesengine.game import (
    Carried,
    Cites,
    Event,
    Fact,
    Manners,
    Payload,
    Placement,
    Refusal,
    Rule,
    Ruleset,
    Scene,
    Status,
    Step,
)
from rulesengine.log import Header
from rulesengine.paths import brief, same
from rulesengine.robberknights import checks, events, options, set_up, sight, steps, worth
from rulesengine.robberknights import facts as careers
from rulesengine.robberknights import legal as next_events
from rulesengine.robberknights import scene as drawing
from rulesengine.robberknights import state as states
from rulesengine.robberknights import tables as data
from rulesengine.robberknights.corrections import RobberKnightsPlan
from rulesengine.robberknights.rules import RK_01, RK_42, RK_43, RULES
from rulesengine.robberknights.state import VOID, State


class RobberKnights(Ruleset):
    """Robber Knights: two to four players, tiles drawn from shuffled piles, knights sent out of castles."""

    game: ClassVar[str] = "robberknights"
    name: ClassVar[str] = "Robber Knights"
    payloads: ClassVar[Mapping[str, type[Payload]]] = {one.TYPE: one for one in events.OWN}
    consequence_types: ClassVar[frozenset[str]] = frozenset()
    rules = RULES
    parameters = options.PARAMETERS
    tables = data.TABLES
    seats: ClassVar[tuple[int, int]] = (min(data.LAYOUT), max(data.LAYOUT))
    likings: ClassVar[Mapping[str, float]] = worth.LIKINGS
    passes: ClassVar[tuple[str, ...]] = ("knights_declined", "turn_ended", "turn_passed")
    cites: ClassVar[Cites] = Cites(corrections=None, confirmation=RK_42, placements=RK_43, set_up=RK_01)
    manners: ClassVar[Manners] = Manners(
        set_up_is_form=True, set_up_seq=0, null_placements=True, confirms=True, observes=True, tells_figures=False
    )
    corrections: ClassVar[type[Any] | None] = RobberKnightsPlan

    def set_up(self, header: Header) -> Step[State] | Refusal:
        """Return the position after the header, or what is wrong with the set-up."""
        setup = set_up.read(header)
        return setup if isinstance(setup, Refusal) else Step(set_up.first_position(setup))

    def check(self, state: State, event: Event) -> Refusal | None:
        """Return the first rule that forbids an event, or None."""
        return checks.check(state, event)

    def follow(self, state: State, event: Event) -> Step[State]:
        """Return the state after an event and what follows from it."""
        return steps.follow(state, event)

    def skip(self, state: State, event: Event) -> State:
        """Return the state after a skipped event: as if it had never been."""
        return state

    def observe(self, state: State, event: Event, seen: Mapping[str, Any]) -> tuple[Rule | None, str] | None:
        """Return how the supply or the points that the table saw differ from those after the event, or None; no rule says so."""
        if "supply" in seen and event.seat is not None:
            supply = state.players[event.seat].supply
            if not same(seen["supply"], supply):
                return None, f"the table saw a supply of {brief(seen['supply'])}; computed is {supply}"
        if "points" in seen:
            computed = states.points(state)
            if not same(seen["points"], computed):
                return None, f"the table saw the points {brief(seen['points'])}; computed are {computed}"
        return None

    def legal(self, state: State) -> Iterator[Event]:
        """Yield what may be recorded next."""
        return next_events.legal(state)

    def status(self, state: State) -> Status:
        """Return whether the match runs, has ended or is void."""
        if state.step != "over":
            return "running"
        return "void" if state.ended_by in VOID else "ended"

    def standing(self, state: State) -> str | None:
        """Return the page's word for a match that counts for nothing: it has ended."""
        return "ended" if state.ended_by in VOID else None

    def disputes(self, state: State) -> tuple[int, ...]:
        """Return the seqs of the open disputes."""
        return tuple(sorted(states.open_disputes(state)))

    def outcome(self, state: State) -> tuple[Placement, ...] | None:
        """Return the placements by place, then by letter; none if the match is void, None while it runs."""
        if state.step != "over":
            return None
        return tuple(Placement(seat, place) for seat, place in states.placements(state))

    def result(self, state: State) -> dict[str, Any] | None:
        """Return why the match ended and every seat's figures, or None while it runs or if it is void."""
        if self.status(state) != "ended":
            return None
        places, told = dict(states.placements(state)), states.points(state)
        rows = []
        for seat in state.setup.seats:
            held = [data.OWNED[cell.tile].building for cell in state.board.values() if cell.control == seat]
            rows.append(
                {
                    "seat": seat,
                    "points": told[seat],
                    "castles": held.count("castle"),
                    "villages": held.count("village"),
                    "towns": held.count("town"),
                    "unused_knights": state.players[seat].supply,
                    "place": places[seat],
                }
            )
        return {"ended_by": state.ended_by, "seats": rows}

    def view(self, state: State) -> dict[str, Any]:
        """Return the state as plain values under the names of the rule page."""
        return states.view(state)

    def load(self, header: Header, view: Mapping[str, Any]) -> State:
        """Return the state that a view showed. Open disputes are not in it.

        :raises ValueError: if the header cannot be played or the view is none of its states
        """
        setup = set_up.read(header)
        if isinstance(setup, Refusal):
            raise ValueError(f"{setup.rule}: {setup.because}")
        return states.load(setup, view)

    def scene(self, state: State) -> Scene:
        """Return the position as shapes to draw."""
        return drawing.scene(state)

    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        """Return what careers count, in order of seq."""
        return careers.facts(carried)

    def turn(self, state: State) -> str | None:
        """Return the seat at turn, None in the set-up and after the end."""
        return state.current

    def worth(self, state: State, seat: str) -> int:
        """Return how good a position is for a seat, as far as a greedy player sees."""
        return worth.worth(state, seat)

    def seen_by(self, event: Event, viewer: str | None, now: Any = None) -> Event | None:
        """Return what a viewer may see of an event while the match runs: no face of a tile in another's hand."""
        return sight.event_seen_by(event, viewer, now)

    def state_seen_by(self, state: State, viewer: str | None, now: Any = None) -> State:
        """Return a position without the faces in other hands."""
        return sight.state_seen_by(state, viewer, now)

    def step_seen_by(
        self, event: Event | None, seen: Event | None, step: Step[Any], viewer: str | None, now: Any
    ) -> Step[Any]:
        """Return what a viewer may see of a step: whatever follows is on the table for all."""
        return Step(sight.state_seen_by(step.state, viewer, now), step.consequences)
