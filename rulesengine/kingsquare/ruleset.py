"""KingSquare as a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from rulesengine.game import (
    Carried,
    Cites,
    Consequence,
    Edition,
    Event,
    Fact,
    Manners,
    Office,
    Payload,
    Placement,
    Refusal,
    Rule,
    Ruleset,
    Scene,
    Status,
    Step,
)
from rulesengine.kingsquare import checks, consequences, ending, events, options, set_up, sight, steps, worth
from rulesengine.kingsquare import facts as careers
from rulesengine.kingsquare import legal as next_events
from rulesengine.kingsquare import scene as drawing
from rulesengine.kingsquare import state as states
from rulesengine.kingsquare.acts import ACTS, OWN
from rulesengine.kingsquare.corrections import KingSquarePlan
from rulesengine.kingsquare.figures import FIGURES, ladder_table
from rulesengine.kingsquare.loading import load
from rulesengine.kingsquare.rules import KSH_02, KSH_80, KSH_83, KSH_88, KSH_89, RULES, U_7
from rulesengine.kingsquare.rulings import CONTRADICTIONS, QUESTIONS, RULINGS
from rulesengine.kingsquare.state import State
from rulesengine.log import Header

_STATUS: Mapping[str, Status] = {
    "setup": "running",
    "running": "running",
    "paused": "running",
    "ended": "ended",
    "confirmed": "ended",
    "abandoned": "void",
    "annulled": "void",
}


class KingSquare(Ruleset):
    """KingSquare: kingdoms of two to eight players; hidden beasts and sites, no chance."""

    game: ClassVar[str] = "kingsquare"
    name: ClassVar[str] = "KingSquare"
    payloads: ClassVar[Mapping[str, type[Payload]]] = {one.TYPE: one for one in OWN}
    consequence_types: ClassVar[frozenset[str]] = consequences.TYPES | {"turn_started"}
    spelled_set_up: ClassVar[frozenset[str]] = frozenset(one.TYPE for one in events.SPELLED_OUT)
    rules = RULES
    rulings = RULINGS
    questions = QUESTIONS
    contradictions = CONTRADICTIONS
    seats: ClassVar[tuple[int, int]] = (2, 8)
    likings: ClassVar[Mapping[str, float]] = worth.LIKINGS
    passes: ClassVar[tuple[str, ...]] = worth.PASSES
    shunned: ClassVar[frozenset[str]] = worth.SHUNNED
    cites: ClassVar[Cites] = Cites(corrections=KSH_89, confirmation=KSH_88, placements=KSH_80, set_up=KSH_83)
    manners: ClassVar[Manners] = Manners(
        malformed=U_7,
        set_up_is_form=True,
        unplayed="setup",
        official_seats=False,
        judges_roles=True,
        confirms=True,
        compares_by_id=True,
        reads_null=False,
        tells_figures=False,
    )
    who: ClassVar[Mapping[str, tuple[str, ...]]] = {payload.TYPE: act.who for payload, act in ACTS.items()}
    corrections: ClassVar[type[Any] | None] = KingSquarePlan

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition)
        self.figures = FIGURES[edition.key]
        self.parameters = options.parameters(self.figures)
        self.figures_shown = options.shown(self.figures)
        self.tables = {"ladder": ladder_table(self.figures)}

    def set_up(self, header: Header) -> Step[State] | Refusal:
        """Return the position after the header, or what is wrong with the set-up."""
        setup = set_up.read(header, self.edition.key, self.figures)
        return setup if isinstance(setup, Refusal) else Step(set_up.first_position(setup))

    def check(self, state: State, event: Event) -> Refusal | None:
        """Return the first rule that forbids an event, or None."""
        return checks.check(state, event)

    def check_accepted(self, state: State, event: Event) -> Refusal | None:
        """Return what makes an event impossible though a referee accepted it, or None."""
        return checks.check_accepted(state, event)

    def check_correction(self, event: Event) -> Refusal | None:
        """Return why a correction may not be made by the role that recorded it, or None."""
        return checks.check_correction(event)

    def follow(self, state: State, event: Event) -> Step[State]:
        """Return the state after an event and what follows from it."""
        return steps.follow(state, event)

    def skip(self, state: State, event: Event) -> State:
        """Return the state after a skipped event: as if it had never been."""
        return state

    def legal(self, state: State) -> Iterator[Event]:
        """Yield what may be recorded next."""
        return next_events.legal(state)

    def status(self, state: State) -> Status:
        """Return whether the match runs (also before its start), has ended or is void."""
        return _STATUS[state.status]

    def standing(self, state: State) -> str | None:
        """Return the status as the rule page names it."""
        return state.status

    def disputes(self, state: State) -> tuple[int, ...]:
        """Return the seqs of the open disputes."""
        return tuple(sorted(state.disputes))

    def compare(
        self, state: State, type_: str, told: Mapping[str, Any], last: tuple[Consequence, ...]
    ) -> tuple[Rule, str] | None:
        """Return the rule and in words how a spelled-out consequence differs, or None; the start of a turn is compared with the turn."""
        if type_ != "turn_started":
            return super().compare(state, type_, told, last)
        holds = {"kingdom": state.turn_kingdom, "round": state.round}
        for key, value in holds.items():
            if key in told and (told[key] != value or isinstance(told[key], bool)):
                return (
                    KSH_02,
                    f"the file says {key} = {told[key]!r}; it is round {state.round}, turn of {state.turn_kingdom}",
                )
        return None

    def outcome(self, state: State) -> tuple[Placement, ...] | None:
        """Return the placements by place, then in seat order; none if the match is void, None while it runs."""
        if _STATUS[state.status] == "running":
            return None
        if _STATUS[state.status] == "void":
            return ()
        return tuple(Placement(seat, place) for seat, place in state.places)

    def result(self, state: State) -> dict[str, Any] | None:
        """Return why and when the match ended and every seat's score, or None while it runs or if it is void."""
        return state.result if _STATUS[state.status] == "ended" else None

    def view(self, state: State) -> dict[str, Any]:
        """Return the state as plain values under the names of the rule page."""
        return states.view(state)

    def load(self, header: Header, view: Mapping[str, Any]) -> State:
        """Return the state that a view showed; what a view does not show is worked out as far as it can be.

        :raises ValueError: if the header cannot be played or the view is none of its states
        """
        setup = set_up.read(header, self.edition.key, self.figures)
        if isinstance(setup, Refusal):
            raise ValueError(f"{setup.rule}: {setup.because}")
        return ending.with_likely_result(load(setup, view))

    def scene(self, state: State) -> Scene:
        """Return the position as shapes to draw."""
        return drawing.scene(state)

    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        """Return what careers count, in order of seq."""
        return careers.facts(carried)

    def offices(self, carried: Iterable[Carried]) -> list[Office]:
        """Return who was General of which Kingdom and when."""
        return careers.offices(carried)

    def turn(self, state: State) -> str | None:
        """Return the seat at turn while the match runs, else None."""
        return state.turn_kingdom if state.status == "running" else None

    def worth(self, state: State, seat: str) -> int:
        """Return how good a position is for a seat, as far as a greedy player sees."""
        return worth.worth(state, seat)

    def played_options(self) -> dict[str, Any]:
        """Return the options under which the machine plays: a match ends after some rounds."""
        return dict(worth.OPTIONS)

    def seen_by(self, event: Event, viewer: str | None, now: Any = None) -> Event | None:
        """Return what a viewer may see of an event while the match runs: hidden beasts and sites are not shown."""
        return sight.event_seen_by(event, viewer, now)

    def state_seen_by(self, state: State, viewer: str | None, now: Any = None) -> State:
        """Return a position without the beasts and sites that a viewer may not see."""
        return sight.state_seen_by(state, viewer, now)
