"""Kingsburg as a ruleset."""

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
from rulesengine.kingsburg import checks, consequences, events, options, scoring, set_up, sight, steps, worth
from rulesengine.kingsburg import facts as careers
from rulesengine.kingsburg import legal as next_events
from rulesengine.kingsburg import scene as drawing
from rulesengine.kingsburg import state as states
from rulesengine.kingsburg import tables as data
from rulesengine.kingsburg.corrections import KingsburgPlan
from rulesengine.kingsburg.rules import KB_08, KB_09, KB_96, KB_142, KB_145, KB_149, RULES
from rulesengine.kingsburg.state import State
from rulesengine.log import Header
from rulesengine.paths import brief, same


class Kingsburg(Ruleset):
    """Kingsburg: two to five players, five years; dice and cards are recorded facts."""

    game: ClassVar[str] = "kingsburg"
    name: ClassVar[str] = "Kingsburg"
    payloads: ClassVar[Mapping[str, type[Payload]]] = {one.TYPE: one for one in (*events.OWN, *events.FORMAT)}
    consequence_types: ClassVar[frozenset[str]] = consequences.TYPES
    rules = RULES
    parameters = options.PARAMETERS
    tables = data.TABLES
    seats: ClassVar[tuple[int, int]] = (set_up.LEAST, len(set_up.LETTERS))
    likings: ClassVar[Mapping[str, float]] = worth.LIKINGS
    passes: ClassVar[tuple[str, ...]] = worth.PASSES
    cites: ClassVar[Cites] = Cites(corrections=KB_142, confirmation=KB_145, placements=KB_96, set_up=KB_09)
    manners: ClassVar[Manners] = Manners(
        form=KB_08,
        set_up_is_form=True,
        set_up_seq=0,
        observes=True,
        null_placements=True,
        judges_roles=True,
    )
    corrections: ClassVar[type[Any] | None] = KingsburgPlan

    def set_up(self, header: Header) -> Step[State] | Refusal:
        """Return the position after the header, or what is wrong with the set-up."""
        setup = set_up.read(header, self.edition.key)
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

    def status(self, state: State) -> Status:
        """Return whether the match runs, has ended or is void."""
        if state.void:
            return "void"
        return "ended" if state.finished else "running"

    def standing(self, state: State) -> str | None:
        """Return ``ended`` for a match that counts for nothing: the rule page has no other word for it."""
        return "ended" if state.void else None

    def observe(self, state: State, event: Event, seen: Mapping[str, Any]) -> tuple[Rule | None, str] | None:
        """Return the first value that the table saw otherwise than it is after an event (KB-149), or None."""
        plain = states.view(state)
        for path, value in seen.items():
            found, present = _at(plain, path)
            if not found:
                return KB_149, f"the table saw {brief(path)} = {brief(value)}; there is no such value"
            if not same(value, present):
                return KB_149, f"the table saw {brief(path)} = {brief(value)}; computed is {brief(present)}"
        return None

    def outcome(self, state: State) -> tuple[Placement, ...] | None:
        """Return the placements by place, then in seat order; none if the match is void, None while it runs."""
        if not state.finished:
            return None
        return tuple(Placement(seat, place) for seat, place in scoring.placements(state) or ())

    def result(self, state: State) -> dict[str, Any] | None:
        """Return every seat's figures of the end by letter, or None while the match runs or if it is void."""
        return scoring.result(state)

    def view(self, state: State) -> dict[str, Any]:
        """Return the state as plain values under the names of the rule page."""
        return states.view(state)

    def load(self, header: Header, view: Mapping[str, Any]) -> State:
        """Return the state that a view showed; what a view does not show is worked out as far as it can be.

        :raises ValueError: if the header cannot be played or the view is none of its states
        """
        setup = set_up.read(header, self.edition.key)
        if isinstance(setup, Refusal):
            raise ValueError(f"{setup.rule}: {setup.because}")
        return states.load(setup, view)

    def legal(self, state: State) -> Iterator[Event]:
        """Yield what may be recorded next."""
        return next_events.legal(state)

    def scene(self, state: State) -> Scene:
        """Return the position as shapes to draw."""
        return drawing.scene(state)

    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        """Return what careers count, in order of seq."""
        return careers.facts(carried)

    def turn(self, state: State) -> str | None:
        """Return the seat on turn, or the only one whose decision is awaited, or None."""
        if state.turn_index is not None:
            return state.on_turn
        awaited = {one.seat for one in state.pending}
        return awaited.pop() if len(awaited) == 1 else None

    def worth(self, state: State, seat: str) -> int:
        """Return how good a position is for a seat, as far as a greedy player sees."""
        return worth.worth(state, seat)

    def seen_by(self, event: Event, viewer: str | None, now: Any = None) -> Event | None:
        """Return what a viewer may see of an event while the match runs: no enemy card that the table has not revealed."""
        return sight.event_seen_by(event, viewer, now)

    def step_seen_by(
        self, event: Event | None, seen: Event | None, step: Step[Any], viewer: str | None, now: Any
    ) -> Step[Any]:
        """Return what a viewer may see of a step: whatever follows is on the table for all."""
        return step


def _at(plain: Any, path: str) -> tuple[bool, Any]:
    """Return whether a path leads to a value of a plain state, and the value."""
    at = plain
    for key in path.split("."):
        if isinstance(at, dict) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdecimal() and key.isascii() and len(key) < 6 and _is_place(key, at):
            at = at[int(key)]
        else:
            return False, None
    return True, at


def _is_place(key: str, at: list[Any]) -> bool:
    """Return whether a number as it is written names a place of a list: ``0`` does, ``00`` does not."""
    return str(int(key)) == key and int(key) < len(at)
