"""A small game with secrets, for what hides them: things that the MapMaster hides, tiles in hands, points that the table counts.

It has what a real game has and nothing more. Hidden things are seen once they are shown or found; a drawn tile is seen by its
seat alone; a point scored has a figure to be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from rulesengine import shared
from rulesengine.game import (
    Carried,
    Cites,
    Consequence,
    Edition,
    Event,
    Fact,
    Parameter,
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
from rulesengine.registry import GameEntry

SG_1 = Rule("SG-1", "A thing is there once, under an id of its own.", section="Things")
SG_2 = Rule("SG-2", "What is hidden cannot be hit.", section="Things")
SG_3 = Rule("SG-3", "A score has at most nine points.", section="Points")
SG_4 = Rule("SG-4", "Nothing of a log can be corrected that is not there.", section="Log")
KEY = "sealed-1"


class Thing(Struct, frozen=True):
    """Something on the table, or a secret place."""

    place: str
    hidden: bool


class State(Struct, frozen=True):
    """What is on the table and in the hands."""

    seats: tuple[str, ...]
    status: Status = "running"
    things: dict[str, Thing] = {}
    hands: dict[str, tuple[str, ...]] = {}
    points: dict[str, int] = {}


class ThingPlaced(Payload, frozen=True):
    """MapMaster: a thing is put on the table, hidden or not."""

    TYPE: ClassVar[str] = "thing_placed"
    SEATED: ClassVar[bool] = False
    thing: str
    place: str
    hidden: bool = True


class ThingShown(Payload, frozen=True):
    """MapMaster: a hidden thing is seen from now on."""

    TYPE: ClassVar[str] = "thing_shown"
    SEATED: ClassVar[bool] = False
    thing: str


class ThingHit(Payload, frozen=True):
    """A player hits a thing."""

    TYPE: ClassVar[str] = "thing_hit"
    thing: str


class TileDrawn(Payload, frozen=True):
    """A player draws a tile; only they see its face."""

    TYPE: ClassVar[str] = "tile_drawn"
    tile: str
    face: str | None = None


class PointScored(Payload, frozen=True):
    """A player scores."""

    TYPE: ClassVar[str] = "point_scored"
    points: int


class ResultOverridden(Payload, frozen=True):
    """Referee: a score came out so, and not as computed."""

    TYPE: ClassVar[str] = "result_overridden"
    SEATED: ClassVar[bool] = False
    battle_seq: int
    outcome: dict[str, int]
    reason: str | None = None


OWN = (ThingPlaced, ThingShown, ThingHit, TileDrawn, PointScored, ResultOverridden)


class Sealed(Ruleset):
    """The rules of the small game."""

    game: ClassVar[str] = "sealed"
    name: ClassVar[str] = "Sealed"
    payloads: ClassVar[Mapping[str, type[Payload]]] = {one.TYPE: one for one in OWN}
    consequence_types: ClassVar[frozenset[str]] = frozenset({"thing_found"})
    rules: ClassVar[tuple[Rule, ...]] = (SG_1, SG_2, SG_3, SG_4)
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("observed.policy", "hold", "hold or engine"),)
    seats: ClassVar[tuple[int, int]] = (2, 4)
    cites: ClassVar[Cites] = Cites(corrections=SG_4, confirmation=SG_4, placements=SG_4, set_up=SG_4)

    def set_up(self, header: Header) -> Step[Any] | Refusal:
        return Step(State(tuple(seat.seat for seat in header.seats)))

    def check(self, state: State, event: Event) -> Refusal | None:
        data = event.data
        if isinstance(data, ThingPlaced) and data.thing in state.things:
            taken = state.things[data.thing]
            return SG_1.refuses(f"the id {data.thing} is that of the thing at {taken.place}", "impossible")
        if isinstance(data, ThingShown | ThingHit):
            thing = state.things.get(data.thing)
            if thing is None:
                known = ", ".join(state.things) or "none"
                return SG_1.refuses(f"there is no thing {data.thing}; there are {known}", "impossible")
            if isinstance(data, ThingHit) and thing.hidden:
                return SG_2.refuses(f"the thing {data.thing} at {thing.place} is hidden", nearest="thing_shown first")
        if isinstance(data, PointScored) and data.points > 9:
            return SG_3.refuses(f"{data.points} points are more than 9")
        if isinstance(data, shared.StateAdjusted):
            return self._check_adjusted(state, data)
        if isinstance(data, shared.MatchEnded) and state.status != "running":
            return SG_4.refuses("the match is over already", "impossible")
        return None

    def _check_adjusted(self, state: State, data: shared.StateAdjusted) -> Refusal | None:
        value: Any = self.view(state)
        for key in data.path.split("."):
            if not isinstance(value, dict) or key not in value:
                return SG_4.refuses(f"{data.path} leads nowhere; there are {value}", "impossible")
            value = value[key]
        return None if value == data.old else SG_4.refuses(f"{data.path} is {value}", "impossible")

    def follow(self, state: State, event: Event) -> Step[State]:
        data, seat = event.data, event.seat or ""
        if isinstance(data, ThingPlaced):
            return Step(replace(state, things={**state.things, data.thing: Thing(data.place, data.hidden)}))
        if isinstance(data, ThingShown | ThingHit):
            shown = replace(state.things[data.thing], hidden=False)
            found = Consequence("thing_found", {"thing": data.thing, "place": shown.place})
            return Step(replace(state, things={**state.things, data.thing: shown}), (found,))
        if isinstance(data, TileDrawn):
            hand = (*state.hands.get(seat, ()), data.face or data.tile)
            return Step(replace(state, hands={**state.hands, seat: hand}), computed={"hand": len(hand)})
        if isinstance(data, PointScored):
            points = {**state.points, seat: state.points.get(seat, 0) + data.points}
            return Step(replace(state, points=points), computed={"points": data.points})
        if isinstance(data, ResultOverridden):
            return Step(state)
        if isinstance(data, shared.StateAdjusted):
            first, id_, *rest = data.path.split(".")
            if first == "points":
                return Step(replace(state, points={**state.points, id_: data.new}))
            (key,) = rest
            thing = state.things[id_]
            changed = Thing(**{"place": thing.place, "hidden": thing.hidden, key: data.new})
            return Step(replace(state, things={**state.things, id_: changed}))
        if isinstance(data, shared.MatchEnded | shared.PlayerResigned | shared.TimeCalled | shared.DrawAgreed):
            return Step(replace(state, status="ended"))
        if isinstance(data, shared.MatchAbandoned | shared.MatchAnnulled):
            return Step(replace(state, status="void"))
        return Step(state)

    def skip(self, state: State, event: Event) -> State:
        return state

    def legal(self, state: State) -> Iterator[Event]:
        for id_, thing in state.things.items():
            if thing.hidden:
                yield Event(None, ThingShown(thing=id_))
        for seat in state.seats:
            yield Event(seat, PointScored(points=1))

    def status(self, state: State) -> Status:
        return state.status

    def outcome(self, state: State) -> tuple[Placement, ...] | None:
        if state.status == "running":
            return None
        order = sorted(state.seats, key=lambda seat: -state.points.get(seat, 0))
        return tuple(Placement(seat, number) for number, seat in enumerate(order, 1))

    def result(self, state: State) -> dict[str, Any] | None:
        return None if state.status == "running" else {"points": state.points}

    def view(self, state: State) -> dict[str, Any]:
        things = {id_: {"place": one.place, "hidden": one.hidden} for id_, one in state.things.items()}
        hands = {seat: list(hand) for seat, hand in state.hands.items()}
        return {"status": state.status, "things": things, "hands": hands, "points": dict(state.points)}

    def load(self, header: Header, view: Mapping[str, Any]) -> State:
        raise NotImplementedError

    def scene(self, state: State) -> Scene:
        return Scene((0.0, 0.0, 1.0, 1.0), ())

    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        return []

    def turn(self, state: State) -> str | None:
        return None

    # What is seen

    def seen_by(self, event: Event, viewer: str | None, now: State | None = None) -> Event | None:
        data = event.data
        if isinstance(data, ThingPlaced) and data.hidden and self._is_secret(data.thing, now):
            return None
        if isinstance(data, ThingShown) and self._is_secret(data.thing, now):
            return None
        if isinstance(data, TileDrawn) and event.seat != viewer:
            return replace(event, data=replace(data, face=None))
        return event

    def state_seen_by(self, state: State, viewer: str | None, now: State | None = None) -> State:
        now = state if now is None else now
        things = {id_: one for id_, one in state.things.items() if not (one.hidden and self._is_secret(id_, now))}
        hands = {seat: hand if seat == viewer else ("?",) * len(hand) for seat, hand in state.hands.items()}
        return replace(state, things=things, hands=hands)

    def step_seen_by(
        self, event: Event | None, seen: Event | None, step: Step[Any], viewer: str | None, now: Any
    ) -> Step[Any]:
        made = super().step_seen_by(event, seen, step, viewer, now)
        return replace(made, computed=step.computed) if seen is not None and event is not None else made

    @staticmethod
    def _is_secret(id_: str, now: State | None) -> bool:
        return now is None or id_ not in now.things or now.things[id_].hidden


ENTRY = GameEntry("sealed", Sealed, (Edition(KEY, date(2020, 1, 1)),))
