"""A table to test on: a running match with the works that a test puts on it, played event by event."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from rulesengine.game import Consequence, Event, Payload, Refusal, Step
from rulesengine.kingsquare import options as header_options
from rulesengine.kingsquare import state as states
from rulesengine.kingsquare import works
from rulesengine.kingsquare.acts import ACTS
from rulesengine.kingsquare.checks import check, check_accepted
from rulesengine.kingsquare.figures import FIGURES
from rulesengine.kingsquare.state import Army, Building, Castle, King, Kingdom, Link, Place, Setup, State, Works
from rulesengine.kingsquare.steps import follow

PAYLOADS: dict[str, type[Payload]] = {payload.TYPE: payload for payload in ACTS}
EDITIONS = tuple(FIGURES)
EARLY = EDITIONS[:4]


def in_castle(id_: str) -> Place:
    """Return the place in a Territory."""
    return Place(castle=id_)


def in_field(label: str) -> Place:
    """Return a place in the field."""
    return Place(field=label)


def set_up(edition: str, seats: str, options: dict[str, Any]) -> Setup:
    """Return the set-up under an edition with these options of a header; figures of the edition get a reason."""
    reasons = dict.fromkeys(options, "for the test")
    figures, chosen = header_options.read({**options, "reasons": reasons} if options else {}, FIGURES[edition])
    levels, nobody, kings = dict.fromkeys(seats, 1), dict.fromkeys(seats), {seat: f"king {seat}" for seat in seats}
    return Setup(tuple(seats), edition, figures, chosen, levels, nobody, kings)


class Table:
    """A match that is running: Kingdoms A, B … with Capitals C1, C2 … of level 1, their Farms C1-farm … and Kings of level 1 there.

    A is on turn in the Act phase with 50 Action Points.
    """

    def __init__(self, edition: str = "KS-V5", /, seats: str = "AB", **options: Any) -> None:
        setup = set_up(edition, seats, {key.replace("__", "."): value for key, value in options.items()})
        castles = {f"C{at}": Castle(seat, seat, is_capital=True, founded_seq=at) for at, seat in enumerate(seats, 1)}
        farms = {f"{id_}-farm": Building("farm", id_, 1, direct=True) for id_ in castles}
        kings = {seat: King(at=in_castle(f"C{at}")) for at, seat in enumerate(seats, 1)}
        self.state = State(
            setup=setup,
            works=Works(setup, castles, farms, {}),
            kingdoms={seat: Kingdom(king=king) for seat, king in kings.items()},
            turn_order=setup.seats,
            status="running",
            phase="act",
            turn_kingdom="A",
            round=1,
            ap_total=50,
            taken=frozenset([*castles, *farms]),
        )
        self.seq = 100
        self.last: Step[State] = Step(self.state)

    # Putting things on the table

    def castle(self, id_: str, /, **given: Any) -> Table:
        """Put a Castle of A's there, or change one."""
        castles = self.state.works.castles
        one = castles.get(id_) or Castle("A", "A", at=in_field(f"hill of {id_}"), founded_seq=50)
        if "kingdom" in given and id_ not in castles:
            given.setdefault("founder", given["kingdom"])
        return self._works(id_, castles={**castles, id_: replace(one, **given)})

    def building(self, id_: str, kind: str = "", castle: str = "C1", /, **given: Any) -> Table:
        """Put a building there that touches its Castle, or change one."""
        buildings = self.state.works.buildings
        one = buildings.get(id_) or Building(kind, castle, 1, direct=True, built_seq=50)
        return self._works(id_, buildings={**buildings, id_: replace(one, **given)})

    def buildings(self, *kinds: str, castle: str = "C1", level: int = 1) -> Table:
        """Put buildings there that touch their Castle, each with its kind and number as id (``barracks1``)."""
        for at, kind in enumerate(kinds, 1):
            self.building(f"{kind}{at}", kind, castle, level=level)
        return self

    def link(self, id_: str, a: str, b: str, /, **given: Any) -> Table:
        """Put a road of A's there, or change a link."""
        links = self.state.works.links
        one = links.get(id_) or Link("A", "road", a, b, 10)
        for end in (a, b):
            if end not in self.state.works.castles and end not in self.state.works.buildings:
                self.state = replace(self.state, junctions=self.state.junctions | {end}, taken=self.state.taken | {end})
        return self._works(id_, links={**links, id_: replace(one, **given)})

    def levels(self, king: int = 0, castle: int = 0, farm: int = 0, seat: str = "A") -> Table:
        """Set the levels of a King, the Capital and its Farm."""
        capital = next(id_ for id_, one in self.state.works.castles.items() if one.kingdom == seat)
        if king:
            self.state = self.state.with_king(seat, level=king)
        if castle:
            self.castle(capital, level=castle)
        if farm:
            self.building(f"{capital}-farm", level=farm)
        return self

    def army(self, id_: str, at: Place, kingdom: str = "A", **levels: int) -> Table:
        """Put an army there: ``army("a1", place, level_0=5)``."""
        stacks = {int(key.removeprefix("level_")): count for key, count in (levels or {"level_0": 1}).items()}
        armies = {**self.state.armies, id_: Army(kingdom, stacks, at)}
        return self.set(armies=armies, taken=self.state.taken | {id_})

    def allies(self, *seats: str) -> Table:
        """Let two Kingdoms be allied."""
        self.state = self.state.with_works(pacts=frozenset({frozenset(seats)}))
        return self

    def ruin(self, id_: str) -> Table:
        """Let a Castle or building be a Ruin."""
        stands = self.state.works
        if id_ in stands.castles:
            return self.castle(id_, damage=works.structure(self.state.setup, stands.castles[id_].level))
        return self.building(id_, damage=works.structure(self.state.setup, stands.buildings[id_].level))

    def set(self, **changes: Any) -> Table:
        """Change attributes of the state."""
        self.state = replace(self.state, **changes)
        return self

    def _works(self, id_: str, **changes: Any) -> Table:
        self.state = replace(self.state.with_works(**changes), taken=self.state.taken | {id_})
        return self

    # Playing

    def event(self, seat: str | None, type_: str, acting_as: str | None = None, /, **data: Any) -> Event:
        """Return a typed event from JSON-like values, the next of the log."""
        payload = msgspec.convert(msgspec.json.decode(msgspec.json.encode(data)), PAYLOADS[type_])
        return Event(seat, payload, acting_as, seq=self.seq + 1)

    def do(self, seat: str | None, type_: str, acting_as: str | None = None, /, **data: Any) -> Table:
        """Carry out an event that the rules allow."""
        one = self.event(seat, type_, acting_as, **data)
        refusal = check(self.state, one)
        assert refusal is None, f"{type_} refused: {refusal.rule} {refusal.because}"
        return self._follow(one)

    def accept(self, seat: str | None, type_: str, acting_as: str | None = None, /, **data: Any) -> Table:
        """Carry out an irregular event that the referee accepted."""
        one = self.event(seat, type_, acting_as, **data)
        refusal = check(self.state, one)
        assert refusal is not None, f"{type_} is legal"
        assert refusal.breach == "irregular", f"{refusal.rule} {refusal.because}"
        assert check_accepted(self.state, one) is None
        return self._follow(one)

    def _follow(self, one: Event) -> Table:
        before = self.state
        seen = states.view(before)
        self.last = follow(before, one)
        assert states.view(before) == seen, "a state that was handed out has changed"
        self.state = self.last.state
        self.seq += 1
        return self

    def refused(self, rule: str, seat: str | None, type_: str, acting_as: str | None = None, /, **data: Any) -> Refusal:
        """Return the refusal of an event, which must name this rule."""
        refusal = check(self.state, self.event(seat, type_, acting_as, **data))
        assert refusal is not None, f"{type_} is legal"
        assert refusal.rule.id == rule, f"{refusal.rule}: {refusal.because}"
        assert refusal.because
        assert refusal.breach == ("impossible" if rule in ("U-1", "U-7") else "irregular")
        return refusal

    def allowed(self, seat: str | None, type_: str, acting_as: str | None = None, /, **data: Any) -> bool:
        """Return whether the rules allow an event."""
        return check(self.state, self.event(seat, type_, acting_as, **data)) is None

    def told(self, type_: str) -> list[str | None]:
        """Return what the last event's consequences of a type are about."""
        return [one.data["id"] for one in self.last.consequences if one.type == type_]

    @property
    def consequences(self) -> tuple[Consequence, ...]:
        """Return what followed from the last event."""
        return self.last.consequences

    # Reading

    def get(self, path: str) -> Any:
        """Return a value of the view: ``buildings.m1.level``."""
        value: Any = states.view(self.state)
        for key in path.split("."):
            value = value[key]
        return value

    def condition(self, id_: str) -> str:
        """Return the condition of a building."""
        return works.condition(self.state.works, self.state.setup, id_)

    def fabric(self, id_: str = "C1") -> int:
        """Return the fabric of a Castle."""
        return works.fabric(self.state.works, self.state.setup, id_)

    def points(self, seat: str = "A") -> int:
        """Return the Action Points of a Kingdom's turn."""
        return works.action_points(self.state.works, self.state.setup, seat)

    def soldier_level(self, id_: str = "C1") -> int:
        """Return the level of soldiers produced at a Castle."""
        return works.soldier_level(self.state.works, self.state.setup, id_)
