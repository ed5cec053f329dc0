"""A table set by hand: Castles, Kings and forces where a test wants them, on which events are checked and carried out."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from rulesengine.game import Consequence, Event, Payload, Refusal
from rulesengine.kingsquare import checks, options, steps
from rulesengine.kingsquare.acts import OWN
from rulesengine.kingsquare.diplomacy import with_alliances
from rulesengine.kingsquare.figures import FIGURES
from rulesengine.kingsquare.state import (
    Alliance,
    Army,
    Beast,
    Building,
    Castle,
    King,
    Kingdom,
    Link,
    Place,
    Plane,
    Setup,
    Ship,
    Site,
    State,
    Terrain,
    Works,
    view,
)

PAYLOADS: dict[str, type[Payload]] = {one.TYPE: one for one in OWN}


class Battlefield:
    """A running match in its Act phase with A on turn. Each seat has a bare Castle (``CA``) of level 1 with its King in it.

    Places are given as the id of a Castle, else as the label of a field. No state handed out may change afterwards.
    """

    def __init__(
        self, given: dict[str, Any] | None = None, *, seats: str = "AB", edition: str = "KS-V5", phase: str = "act"
    ) -> None:
        chosen = dict(given or {})
        chosen["reasons"] = {key: "as agreed" for key in chosen if key in options.FIGURES}
        figures, rules = options.read(chosen, FIGURES[edition])
        setup = Setup(
            seats=tuple(seats),
            edition=edition,
            figures=figures,
            options=rules,
            king_levels=dict.fromkeys(seats, 1),
            generals=dict.fromkeys(seats),
            kings={seat: f"king-{seat}" for seat in seats},
        )
        castles = {f"C{seat}": Castle(seat, seat, is_capital=True, founded_seq=1) for seat in seats}
        self.state = State(
            setup=setup,
            works=Works(setup, castles, {}, {}),
            kingdoms={seat: Kingdom(king=King(at=Place(castle=f"C{seat}"))) for seat in seats},
            turn_order=setup.seats,
            status="running",
            phase=phase,  # type: ignore[arg-type]
            turn_kingdom=seats[0],
            round=1,
            ap_total=99,
            taken=frozenset(castles),
        )
        self.seq = 100
        self.told: tuple[Consequence, ...] = ()
        self.computed: dict[str, Any] = {}

    # Setting the table

    def place(self, at: str) -> Place:
        """Return a place by the id of a Castle or the label of a field."""
        return Place(castle=at) if at in self.state.works.castles else Place(field=at)

    def set(self, **fields: Any) -> Battlefield:
        """Change attributes of the state."""
        self.state = replace(self.state, **fields)
        return self

    def _put(self, kind: str, id_: str, one: Any) -> Battlefield:
        return self.set(**{kind: {**getattr(self.state, kind), id_: one}, "taken": self.state.taken | {id_}})

    def _work(self, kind: str, id_: str, one: Any) -> Battlefield:
        self.state = self.state.with_works(**{kind: {**getattr(self.state.works, kind), id_: one}})
        return self.set(taken=self.state.taken | {id_})

    def king(self, seat: str, level: int | None = None, at: str | None = None) -> Battlefield:
        """Set the level or the place of a King."""
        now = self.state.kingdoms[seat].king
        place = now.at if at is None else self.place(at)
        self.state = self.state.with_king(seat, level=level or now.level, at=place)
        return self

    def castle(self, id_: str, seat: str, level: int = 1, **more: Any) -> Battlefield:
        """Put up a Castle, or replace one."""
        self.seq += 1
        founder = more.pop("founder", seat)
        capital = more.pop("is_capital", id_ == f"C{seat}")
        given = {"founded_seq": self.seq, **more}
        return self._work("castles", id_, Castle(seat, founder, level=level, is_capital=capital, **given))

    def building(self, id_: str, kind: str, castle: str, level: int = 1, **more: Any) -> Battlefield:
        """Put up a building that touches its Castle unless told otherwise."""
        return self._work("buildings", id_, Building(kind, castle, level, **{"direct": True, **more}))

    def link(self, id_: str, seat: str, a: str, b: str, kind: str = "road", **more: Any) -> Battlefield:
        """Lay a link."""
        return self._work("links", id_, Link(seat, kind, a, b, 10, **more))

    def army(self, id_: str, seat: str, stacks: dict[int, int], at: str, **more: Any) -> Battlefield:
        """Put an army on the table, younger than those that are there."""
        self.seq += 1
        return self._put("armies", id_, Army(seat, stacks, self.place(at), **{"created_seq": self.seq, **more}))

    def ship(self, id_: str, seat: str, at: str, **more: Any) -> Battlefield:
        """Put a ship on the table."""
        return self._put("ships", id_, Ship(seat, "none", self.place(at), **more))

    def plane(self, id_: str, seat: str, hangar: str, **more: Any) -> Battlefield:
        """Put a plane at its Hangar, which is built where it is missing."""
        castle = f"C{seat}"
        if hangar not in self.state.works.buildings:
            self.building(hangar, "hangar", castle)
        at = self.place(more.pop("at", castle))
        return self._put("planes", id_, Plane(seat, hangar, at, **more))

    def beast(
        self, id_: str, at: str, strength: int = 20, attack: int = 10, defence: int = 0, **more: Any
    ) -> Battlefield:
        """Put a beast on the table, a dangerous one unless told otherwise."""
        given = {"cls": "dangerous", "name": None, "buff": 10, **more}
        return self._put(
            "beasts",
            id_,
            Beast(strength_left=strength, attack=attack, defence=defence, at=self.place(at), **given),
        )

    def buff(self, army: str, buff: int) -> Battlefield:
        """Give an army the buff of a beast that is defeated."""
        seat = self.state.armies[army].kingdom
        id_ = f"trophy-{army}"
        self.beast(id_, "lair", 0, buff=buff, status="defeated", defeated_by=seat, fighters=(army,))
        return self._put("armies", army, replace(self.state.armies[army], buffs=(id_,)))

    def site(self, id_: str, at: str, content: str = "nothing", **more: Any) -> Battlefield:
        """Hide something."""
        return self._put("sites", id_, Site(self.place(at), content, **more))

    def terrain(self, label: str, kind: str) -> Battlefield:
        """Say what a field is made of."""
        id_ = f"t{len(self.state.terrain)}"
        return self._put("terrain", id_, Terrain(kind, label))

    def ally(self, one: str, other: str, status: Any = "active") -> Battlefield:
        """Conclude an alliance."""
        pact = Alliance((one, other), status, 1, None, one if status == "ending" else None)
        self.state = with_alliances(self.state, {**self.state.alliances, f"{one}{other}": pact})
        return self

    def press(self, *steps_: str) -> Battlefield:
        """Press steps of the order of pressure (``A/CB/castle``)."""
        return self.set(pressed=self.state.pressed.union(steps_))

    # Playing on it

    def event(self, seat: str | None, type_: str, /, **data: Any) -> Event:
        """Return an event from JSON-like values."""
        self.seq += 1
        plain = msgspec.json.decode(msgspec.json.encode(data))
        return Event(seat, msgspec.convert(plain, PAYLOADS[type_]), None, self.seq)

    def do(self, seat: str | None, type_: str, /, **data: Any) -> Battlefield:
        """Carry out an event that the rules allow."""
        one = self.event(seat, type_, **data)
        refusal = checks.check(self.state, one)
        assert refusal is None, f"{type_} refused: {refusal.rule} {refusal.because}"
        return self.follow(one)

    def accepted(self, seat: str | None, type_: str, /, **data: Any) -> Battlefield:
        """Carry out an irregular event that the referee accepted."""
        one = self.event(seat, type_, **data)
        refusal = checks.check(self.state, one)
        assert refusal is not None, f"{type_} is legal"
        assert refusal.breach == "irregular", f"{refusal.rule} {refusal.because}"
        assert checks.check_accepted(self.state, one) is None
        return self.follow(one)

    def follow(self, one: Event) -> Battlefield:
        """Carry out an event."""
        before = self.state
        seen = view(before)
        step = steps.follow(before, one)
        assert view(before) == seen, "the state before an event has changed"
        self.state, self.told, self.computed = step.state, step.consequences, step.computed or {}
        return self

    def refused(self, rule: str, seat: str | None, type_: str, /, **data: Any) -> Refusal:
        """Return the refusal of an event, which must cite this rule."""
        refusal = checks.check(self.state, self.event(seat, type_, **data))
        assert refusal is not None, f"{type_} {data} is legal, {rule} should forbid it"
        assert refusal.rule.id == rule, f"refused by {refusal.rule}: {refusal.because}"
        assert refusal.because
        assert refusal.breach == ("impossible" if rule in ("U-1", "U-7") else "irregular")
        return refusal

    def allowed(self, seat: str | None, type_: str, /, **data: Any) -> bool:
        """Return whether an event is legal now."""
        return checks.check(self.state, self.event(seat, type_, **data)) is None

    # Short forms

    def attack(self, units: str | list[str], kind: str, id_: str, seat: str = "A", **more: Any) -> Battlefield:
        """Let units attack."""
        return self.do(seat, "attack_made", **attack(units, kind, id_, **more))

    def numbers(self) -> tuple[int, int, int, int, int]:
        """Return A, D, N, P and R of the last battle."""
        c = self.computed
        return c["attack"], c["defence"], c["net"], c["power"], c["returned"]

    def soldiers(self, army: str) -> dict[int, int] | None:
        """Return the stacks of an army, None when it is gone."""
        return self.state.armies[army].stacks if army in self.state.armies else None

    def damage(self, id_: str) -> int:
        """Return the damage of a building or Castle."""
        works = self.state.works
        return (works.buildings.get(id_) or works.castles[id_]).damage

    def types(self, *types: str) -> list[tuple[str, Any]]:
        """Return what was told of the last event, of these types if any are named."""
        return [(one.type, one.data["id"]) for one in self.told if not types or one.type in types]


def attack(units: str | list[str], kind: str, id_: str, **more: Any) -> dict[str, Any]:
    """Return the data of an attack."""
    owner = {"owner": more.pop("owner")} if "owner" in more else {}
    attackers = [units] if isinstance(units, str) else units
    return {"attackers": attackers, "target": {"kind": kind, "id": id_, **owner}, **more}


def sortie(planes: str | list[str], kind: str, id_: str, **more: Any) -> dict[str, Any]:
    """Return the data of a sortie."""
    return {"planes": [planes] if isinstance(planes, str) else planes, "target": {"kind": kind, "id": id_}, **more}
