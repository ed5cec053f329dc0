"""A match to test on: set up with options, changed by hand where a test needs a position, and played event by event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from rulesengine import shared
from rulesengine.game import Consequence, Event, Payload, Refusal, Step
from rulesengine.hexwar.editions import EDITIONS
from rulesengine.hexwar.ruleset import HexWar
from rulesengine.hexwar.state import State
from rulesengine.log import Header, Seat

HERE = Path(__file__).parent
GAME = HexWar(EDITIONS[0])
PAYLOADS: dict[str, type[Payload]] = {**shared.PAYLOADS, **GAME.payloads}
LETTERS = "ABCDEF"


def data(name: str) -> Any:
    """Return a file of test data."""
    return json.loads((HERE / "data" / name).read_text())


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def header(seats: int | str = 2, **options: Any) -> Header:
    """Return a header with these seats and options."""
    letters = LETTERS[:seats] if isinstance(seats, int) else seats
    return Header(
        log="annals/1",
        game="hexwar",
        rules="hexwar-1",
        played_on="2026-11-28",
        seats=tuple(Seat(letter) for letter in letters),
        options=options,
    )


def event(seat: str | None, type_: str, acting_as: str | None = None, /, **fields: Any) -> Event:
    """Return a typed event from JSON-like values."""
    return Event(seat, msgspec.convert(plain(fields), PAYLOADS[type_]), acting_as)


class Match:
    """A running match. Every step is taken through the ruleset, and no state handed out may change afterwards."""

    def __init__(self, seats: int | str = 2, **options: Any) -> None:
        self.header = header(seats, **options)
        step = GAME.set_up(self.header)
        assert not isinstance(step, Refusal), f"{step.rule}: {step.because}"
        self.last: Step[State] = step
        self.state: State = step.state

    def do(self, seat: str | None, type_: str, acting_as: str | None = None, /, **fields: Any) -> Match:
        """Carry out an event that the rules allow."""
        one = event(seat, type_, acting_as, **fields)
        refusal = GAME.check(self.state, one)
        assert refusal is None, f"{type_} refused: {refusal.rule} {refusal.because}"
        return self._follow(one)

    def force(self, seat: str | None, type_: str, acting_as: str | None = None, /, **fields: Any) -> Match:
        """Carry out an irregular event that the referee accepted."""
        one = event(seat, type_, acting_as, **fields)
        refusal = GAME.check(self.state, one)
        assert refusal is not None, f"{type_} is legal"
        assert refusal.breach == "irregular", f"{refusal.rule} {refusal.because}"
        return self._follow(one)

    def _follow(self, one: Event) -> Match:
        before = self.state
        seen = GAME.view(before)
        self.last = GAME.follow(before, one)
        assert GAME.view(before) == seen, "the state before an event has changed"
        self.state = self.last.state
        return self

    def refused(
        self, rule: str, seat: str | None, type_: str, acting_as: str | None = None, /, **fields: Any
    ) -> Refusal:
        """Return the refusal of an event, which must cite this rule."""
        refusal = GAME.check(self.state, event(seat, type_, acting_as, **fields))
        assert refusal is not None, f"{type_} {fields} is legal, {rule} should forbid it"
        assert refusal.rule.id == rule, f"refused by {refusal.rule}: {refusal.because}"
        assert refusal.because
        return refusal

    def allowed(self, seat: str | None, type_: str, acting_as: str | None = None, /, **fields: Any) -> bool:
        """Return whether an event is legal now."""
        return GAME.check(self.state, event(seat, type_, acting_as, **fields)) is None

    def end_turns(self, count: int = 1) -> Match:
        """End as many turns, whoever's they are."""
        for _ in range(count):
            self.do(self.state.turn_player, "turn_ended")
        return self

    def put(self, type_: str, owner: str, hex_: tuple[int, int], **fields: Any) -> str:
        """Place a fresh unit with full movement and return its id."""
        row = self.state.setup.tables.units[type_]
        unit = {
            "type": type_,
            "owner": owner,
            "hex": list(hex_),
            "hp": row.hp,
            "movement": row.movement,
            "acted": False,
            "attacked": False,
            "new": False,
            "fortified": False,
            "penalty": 0,
            **fields,
        }
        view = GAME.view(self.state)
        id_ = f"u{view['next_unit']}"
        view["units"][id_] = unit
        view["next_unit"] += 1
        self._load(view)
        return id_

    def build(self, kind: str, hex_: tuple[int, int], region: str | None, **fields: Any) -> str:
        """Place a completed building (`tier` for a settlement) and return its id."""
        building = {"kind": kind, "hex": list(hex_), "region": region, "site": None, "action_turn": None, **fields}
        if kind == "settlement":
            building = {"is_seat": False, **building}
        view = GAME.view(self.state)
        id_ = f"b{view['next_building']}"
        view["buildings"][id_] = building
        view["next_building"] += 1
        self._load(view)
        return id_

    def set(self, path: str, value: Any) -> Match:
        """Set one value of the state."""
        view = GAME.view(self.state)
        *way, last = path.split(".")
        at: Any = view
        for key in way:
            at = at[key]
        at[last] = value
        self._load(view)
        return self

    def remove(self, *ids: str) -> Match:
        """Take units or buildings off the map."""
        view = GAME.view(self.state)
        for id_ in ids:
            del view["units" if id_[0] == "u" else "buildings"][id_]
        self._load(view)
        return self

    def _load(self, view: dict[str, Any]) -> None:
        self.state = GAME.load(self.header, view)

    def get(self, path: str) -> Any:
        """Return one value of the state's view."""
        at: Any = GAME.view(self.state)
        for key in path.split("."):
            at = at[int(key)] if isinstance(at, list) else at[key]
        return at

    @property
    def computed(self) -> dict[str, Any]:
        """Return the computed keys of the last event."""
        assert self.last.computed is not None
        return plain(self.last.computed)

    def followed(self, type_: str) -> list[dict[str, Any]]:
        """Return the data of the last event's consequences of a type."""
        return [plain(one.data) for one in self.last.consequences if one.type == type_]

    @property
    def consequences(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the last event's consequences."""
        return [(one.type, plain(one.data)) for one in self.last.consequences]

    @property
    def places(self) -> list[tuple[str, int]] | None:
        """Return the placements."""
        outcome = GAME.outcome(self.state)
        return None if outcome is None else [(one.seat, one.place) for one in outcome]


def told(step: Step[State], type_: str) -> list[tuple[str, dict[str, Any]]]:
    """Return what a replay shows of an event: its computed keys if it has any, then its consequences."""
    own = [] if step.computed is None else [Consequence(type_, step.computed)]
    return [(one.type, plain(one.data)) for one in (*own, *step.consequences)]
