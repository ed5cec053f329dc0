"""What every game is made of: editions, rules, refusals, events, consequences and steps.

A *ruleset* is one dated edition of a game. It answers four questions about a position: what forbids this event
(:meth:`Ruleset.check`), what follows from it (:meth:`Ruleset.follow`), what may come next (:meth:`Ruleset.legal`) and
how the match stands (:meth:`Ruleset.outcome`). All answers are pure: the same log gives the same state for ever.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, ClassVar, Literal

from msgspec import Struct

from rulesengine.log import Header

Breach = Literal["irregular", "impossible", "form"]
Status = Literal["running", "ended", "void"]


class Refusal(Struct, frozen=True):
    """The first rule that forbids an event, what was wrong here with figures, and what can still be done about it.

    `breach` is ``irregular`` where the table could really have done it and the state after it can be computed (a
    referee may accept it), ``impossible`` where it cannot be applied at all, ``form`` where its `data` is not as this match needs
    it.
    """

    rule: Rule
    because: str
    breach: Breach = "irregular"
    nearest: str | None = None
    """The nearest accepted alternative in words, where it can be told."""


class Rule(Struct, frozen=True):
    """One numbered rule: its id in refusals and on the Codex page, its text in our words and where it comes from."""

    id: str
    text: str
    sourced: bool = True
    section: str = ""
    parameters: tuple[str, ...] = ()
    """Names of the set-up parameters with which an organizer changes this rule."""
    refuses_events: bool = True
    """False for a statement that only says what follows; its effect is then shown by a test named after it."""

    def refuses(self, because: str, breach: Breach = "irregular", nearest: str | None = None) -> Refusal:
        """Return the refusal of an event by this rule."""
        return Refusal(self, because, breach, nearest)

    def __str__(self) -> str:
        return self.id


FORM = Rule("", "An entry holds what its type needs, and names what there is.")
"""Stands where no rule of a game is cited."""


class Parameter(Struct, frozen=True):
    """One set-up parameter: its default, what values it may take (in words) and the rules it belongs to."""

    name: str
    default: Any
    values: str
    rules: tuple[str, ...] = ()


class Ruling(Struct, frozen=True):
    """A change of the rules: who decreed it, what held before and after, and which rules it touches."""

    id: str
    applied: date | None
    """The first day on which it holds; None for what holds in every edition."""
    before: str
    after: str
    rules: tuple[str, ...]
    authority: str = ""
    """Who decreed it, as cited; empty where the publisher changed the text without a ruling or a date."""
    figures: tuple[str, ...] = ()
    """Keys of the figures that it changed."""
    confirms: bool = False
    """Whether it confirms what held already, so that no older edition differs by it."""
    note: str = ""


class Question(Struct, frozen=True):
    """Something the publisher has not said: an answer becomes a ruling and retires the house rules named."""

    id: str
    text: str
    rules: tuple[str, ...]


class Contradiction(Struct, frozen=True):
    """Two sourced texts, or two names, that do not agree: what was found and how it is handled, by which rules."""

    id: str
    finding: str
    handling: str
    rules: tuple[str, ...]


class Payload(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The `data` of one type of event. Subclasses say in `TYPE` the event's name in the log, for ever."""

    TYPE: ClassVar[str] = ""
    SEATED: ClassVar[bool] = True
    """Whether the event is a seat's own: without one it is malformed. Events of officials say False."""
    MAY_BE_NULL: ClassVar[frozenset[str] | None] = frozenset()
    """Keys whose value may be anything, in games that do not read null as a key left out; None where no key is looked at."""

    observed: dict[str, Any] | None = None
    """What the table saw: compared with the computed figures, never used."""


class Event(Struct, frozen=True, gc=False):
    """A decision at the table or what chance gave: whose it is, and its typed payload."""

    seat: str | None
    data: Payload
    acting_as: str | None = None
    seq: int = 0
    """Its number in the log, 0 for one that is not recorded (yet)."""
    outcome: dict[str, int] | None = None
    """How a referee says that it came out, instead of as computed."""

    @property
    def type(self) -> str:
        """Return the event's name in the log."""
        return self.data.TYPE


class Consequence(Struct, frozen=True, gc=False):
    """What followed by the rules from the event before it: computed on every replay, never stored."""

    type: str
    data: dict[str, Any]


class Step[S](Struct, frozen=True, gc=False):
    """The state after an event, the event's own computed figures (None where it has none) and what followed."""

    state: S
    consequences: tuple[Consequence, ...] = ()
    computed: dict[str, Any] | None = None


class Placement(Struct, frozen=True):
    """The place of a seat: 1 for the first; equal places are shared and the next is skipped."""

    seat: str
    place: int


FORFEITED = "forfeited"
"""Key of the fact that a seat forfeited the match: it is then credited to nobody there, whatever the game."""


class Fact(Struct, frozen=True):
    """Something a seat did that careers count: a figure of a named fact and the event that is its evidence.

    A ``sum`` adds to what the seat has of this fact so far, a ``max`` stands for itself and the largest counts.
    """

    seat: str
    key: str
    value: int
    seq: int
    mode: Literal["sum", "max"] = "sum"


class Office(Struct, frozen=True):
    """Somebody else in command at a seat, such as a General: in office for what came after `since`, up to `until` (None: the end).

    `person` is the handle or the name that the log gives.
    """

    seat: str
    person: str
    since: int
    until: int | None = None


class Carried(Struct, frozen=True, gc=False):
    """One event as the replay carried it out: its place in the log and what it led to. `seq` 0 is the set-up."""

    seq: int
    event: Event | None
    before: Any
    step: Step[Any]


class Shape(Struct, frozen=True):
    """One thing to draw: `kind` names it (``hex``, ``unit``, ``building``, …), `at` is its place in board units, `attributes` its own."""

    kind: str
    at: tuple[float, float]
    attributes: dict[str, Any]


class Scene(Struct, frozen=True):
    """A position as shapes in drawing order with the box that holds them (min x, min y, width, height)."""

    box: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]


class Cites(Struct, frozen=True):
    """Which of a game's rules is named where a log breaks what all games share."""

    corrections: Rule | None
    """A correction that cannot be made, or a figure the table saw that differs from the computed one; None where no rule says so."""
    confirmation: Rule
    """Placements confirmed before the match has ended or while a dispute is open."""
    placements: Rule
    """Recorded placements that differ from the computed ones."""
    set_up: Rule
    """A set-up spelled out after the first entry."""


class Manners(Struct, frozen=True):
    """How a game's page has its logs read where games differ."""

    malformed: Rule | None = None
    """The rule that an entry with malformed `data` breaks: it is then impossible. None: a finding of form."""
    form: Rule | None = None
    """The rule that a finding of form cites, if any."""
    set_up_is_form: bool = False
    """Whether a header that cannot be played is a finding of form about the file's first line."""
    observes: bool = False
    """Whether the game itself says what `observed` may hold and compares it (:meth:`Ruleset.observe`); the event then stands."""
    set_up_seq: int | None = None
    """The seq that such a finding names."""
    unplayed: str | None = None
    """The status of a report on such a header."""
    null_placements: bool = False
    """Whether a report has null for placements, and not an empty list, where nobody is placed."""
    official_seats: bool = True
    """Whether the seat of an event that is no seat's own is read, and must then be one of the header."""
    judges_roles: bool = False
    """Whether the game itself says who may record what: any role may then stand in a log."""
    confirms: bool = False
    """Whether the game itself says when placements may be confirmed, and keeps the open disputes in its state."""
    compares_by_id: bool = False
    """Whether a consequence that a file spells out is looked for by its type and `id` alone, among all of the latest decision."""
    reads_null: bool = True
    """Whether null stands for a key left out; else it is a value of the wrong type."""
    tells_figures: bool = True
    """Whether the figures computed of an event stand before what followed from it, as an entry of the event's own type."""


class Edition(Struct, frozen=True):
    """One dated version of a game's rules: its key in a header and the first day on which it holds."""

    key: str
    effective: date


class Ruleset(ABC):
    """One edition of one game. Games subclass this once and differ between editions by data."""

    game: ClassVar[str]
    """The game's key in a header."""
    name: ClassVar[str]
    """What people call the game."""
    payloads: ClassVar[Mapping[str, type[Payload]]]
    """The game's own events by type (those that all games share live in :mod:`rulesengine.shared`)."""
    consequence_types: ClassVar[frozenset[str]]
    """Types of consequences, which a file may spell out and which are then compared."""
    rules: ClassVar[tuple[Rule, ...]]
    parameters: tuple[Parameter, ...]
    seats: ClassVar[tuple[int, int]]
    """The least and the largest number of seats."""
    tables: Mapping[str, Any] = {}
    """The edition's tables by name, each a list of rows with the same keys, as the Codex shows them."""
    rulings: ClassVar[tuple[Ruling, ...]] = ()
    """What changed from edition to edition, and by whose word, the oldest first."""
    questions: ClassVar[tuple[Question, ...]] = ()
    contradictions: ClassVar[tuple[Contradiction, ...]] = ()
    figures_shown: Mapping[str, Any] = {}
    """The edition's figures by key, as a header writes them: what the Codex lays side by side."""
    cites: ClassVar[Cites]
    manners: ClassVar[Manners] = Manners()
    who: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By type of event, the roles that may record it, of a game that judges them; the first is meant where none is named."""
    corrections: ClassVar[type[Any] | None] = None
    """How the game reads the corrections of a log, where not as :class:`rulesengine.corrections.Plan` does."""
    spelled_set_up: ClassVar[frozenset[str]] = frozenset()
    """Types of events with which a file may spell out the set-up: without effect and never stored."""
    not_used: ClassVar[frozenset[str]] = frozenset({"result_recorded"})
    """Shared events that this game's logs do not have."""
    likings: ClassVar[Mapping[str, float]] = {}
    """How often a random player takes each type of event when it is offered (1 if not named). Play-testing only."""
    passes: ClassVar[tuple[str, ...]] = ("turn_ended",)
    """Types of events with which a greedy player goes on when nothing gains, the first that is offered. Play-testing only."""
    shunned: ClassVar[frozenset[str]] = frozenset({"player_resigned"})
    """Types of events that a greedy player does not look at. Play-testing only."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    @abstractmethod
    def set_up(self, header: Header) -> Step[Any] | Refusal:
        """Return the position after the header (event 0) with its consequences, or what is wrong with the set-up."""

    @abstractmethod
    def check(self, state: Any, event: Event) -> Refusal | None:
        """Return the first rule that forbids one of the game's own events or a shared one that ends the match, or None."""

    def check_accepted(self, state: Any, event: Event) -> Refusal | None:
        """Return what makes an event impossible though a referee accepted that a rule forbids it, or None."""
        refusal = self.check(state, event)
        return refusal if refusal is not None and refusal.breach == "impossible" else None

    def check_correction(self, event: Event) -> Refusal | None:
        """Return why a correction of other entries may not be made by whom the log names, or None. It then has no effect."""
        return None

    @abstractmethod
    def follow(self, state: Any, event: Event) -> Step[Any]:
        """Return the state after an event and what follows from it. Never refuses: it has happened."""

    @abstractmethod
    def skip(self, state: Any, event: Event) -> Any:
        """Return the state after a voided or withdrawn event: unchanged, but for ids the event still uses up."""

    @abstractmethod
    def legal(self, state: Any) -> Iterator[Event]:
        """Yield, in a fixed order, events that :meth:`check` accepts: everything a scribe may record next with sensible values."""

    @abstractmethod
    def status(self, state: Any) -> Status:
        """Return whether the match runs, has ended or counts for nothing."""

    def standing(self, state: Any) -> str | None:
        """Return the status as the game's own page names it, None where it has no other words than all games share."""
        return None

    def disputes(self, state: Any) -> tuple[int, ...]:
        """Return the seqs of the open disputes, of a game that keeps them in its state."""
        return ()

    def compare(
        self, state: Any, type_: str, told: Mapping[str, Any], last: tuple[Consequence, ...]
    ) -> tuple[Rule, str] | None:
        """Return the rule and in words how a spelled-out consequence differs from those of the latest decision, or None.

        For games whose manners say that consequences are compared by their `id`.
        """
        for one in last:
            if one.type == type_ and ("id" not in told or one.data.get("id") == told["id"]):
                return None
        named = f" of {told['id']}" if "id" in told else ""
        there = ", ".join(f"{one.type} {one.data.get('id')}" for one in last) or "nothing"
        return self.cites.corrections or FORM, f"the file says {type_}{named}; what followed is {there}"

    def observe(self, state: Any, event: Event, seen: Mapping[str, Any]) -> tuple[Rule | None, str] | None:
        """Return the rule, if any, and in words the first figure that the table saw otherwise than it is in the state after an event.

        For games whose manners say so. None if everything is as it was seen.
        """
        return None

    @abstractmethod
    def outcome(self, state: Any) -> tuple[Placement, ...] | None:
        """Return the placements, ordered by place then seat, or None while the match runs."""

    @abstractmethod
    def result(self, state: Any) -> dict[str, Any] | None:
        """Return the `result` object of a report, or None while the match runs."""

    @abstractmethod
    def view(self, state: Any) -> dict[str, Any]:
        """Return the state as plain JSON values under the attribute names of the game's page."""

    @abstractmethod
    def load(self, header: Header, view: Mapping[str, Any]) -> Any:
        """Return the state that :meth:`view` showed, given the match's header."""

    @abstractmethod
    def scene(self, state: Any) -> Scene:
        """Return the position as shapes to draw."""

    @abstractmethod
    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        """Return what the seats did that careers count, in order of seq, from a whole replay."""

    def offices(self, carried: Iterable[Carried]) -> list[Office]:
        """Return who else was in command of which seat and when, in order of seq. Games without such an office have none."""
        return []

    @abstractmethod
    def turn(self, state: Any) -> str | None:
        """Return the seat that is to act, or None."""

    def worth(self, state: Any, seat: str) -> int:
        """Return how good a position is for a seat, as far as a greedy player sees. Play-testing only."""
        return 0

    def played_options(self) -> dict[str, Any]:
        """Return the set-up options of a match that the machine plays: under these it ends by itself. Play-testing only."""
        return {}

    def spelled_out(self, header: Header) -> dict[str, Any]:
        """Return the set-up as a file may spell it out in `match_set_up`: each key given there is compared with these."""
        return {"seats": [seat.seat for seat in header.seats], "options": header.options}

    def seen_by(self, event: Event, viewer: str | None, now: Any = None) -> Event | None:
        """Return what a viewer (a seat letter, or None for a spectator) may see of an event while the match runs, None for nothing.

        `now` is the position after the last entry: what has been revealed since is no secret any more. Officials are not asked
        about, they see everything. Games without hidden information show everything.
        """
        return event

    def state_seen_by(self, state: Any, viewer: str | None, now: Any = None) -> Any:
        """Return a position without what a viewer may not see while the match runs; parameters as in :meth:`seen_by`.

        It is a state like any other: everything that can be asked of a state can be asked of it.
        """
        return state

    def step_seen_by(
        self, event: Event | None, seen: Event | None, step: Step[Any], viewer: str | None, now: Any
    ) -> Step[Any]:
        """Return what a viewer may see of a step, given the event and what is seen of it. Parameters as in :meth:`seen_by`.

        What followed from an event, and its figures, are seen with the whole event or not at all; a game may show more.
        """
        state = self.state_seen_by(step.state, viewer, now)
        return Step(state, step.consequences, step.computed) if seen == event else Step(state)

    def rule(self, rule_id: str) -> Rule:
        """Return a rule by its id.

        :raises KeyError: naming the id and the game
        """
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        raise KeyError(f"{self.game} has no rule {rule_id!r}; its rules are {self.rules[0]} … {self.rules[-1]}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.edition.key}>"
