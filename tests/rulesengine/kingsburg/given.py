"""A match to test on: set up with options, put into a position by hand where a test needs one, and played event by event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from rulesengine import notation, shared
from rulesengine import replay as replays
from rulesengine.game import Event, Payload, Refusal, Step
from rulesengine.kingsburg.editions import EDITIONS
from rulesengine.kingsburg.ruleset import Kingsburg
from rulesengine.kingsburg.state import Player, State, in_table_order
from rulesengine.log import Header, Seat

HERE = Path(__file__).parent
SAMPLES = HERE / "samples"
GAME = Kingsburg(EDITIONS[0])
PAYLOADS: dict[str, type[Payload]] = {**shared.PAYLOADS, **GAME.payloads}
LETTERS = "ABCDEFGHI"
IRREGULAR, IMPOSSIBLE = "irregular", "impossible"


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def header(seats: int | str = 3, **options: Any) -> Header:
    """Return a header with these seats and options."""
    letters = LETTERS[:seats] if isinstance(seats, int) else seats
    return Header(
        log="annals/1",
        game="kingsburg",
        rules="kingsburg-2007",
        played_on="2026-11-28",
        seats=tuple(Seat(letter) for letter in letters),
        options=options,
    )


def event(seat: str | None, type_: str, /, **fields: Any) -> Event:
    """Return a typed event from JSON-like values."""
    return Event(seat, msgspec.convert(plain(fields), PAYLOADS[type_]))


def malformed(type_: str, /, **fields: Any) -> bool:
    """Return whether the `data` of an event is a breach of form."""
    try:
        msgspec.json.decode(msgspec.json.encode(fields), type=PAYLOADS[type_])
    except msgspec.ValidationError:
        return True
    return False


class Match:
    """A running match. Every step is taken through the ruleset, and no state handed out may change afterwards."""

    def __init__(self, seats: int | str = 3, **options: Any) -> None:
        self.header = header(seats, **options)
        step = GAME.set_up(self.header)
        assert not isinstance(step, Refusal), f"{step.rule}: {step.because}"
        self.last: Step[State] = step
        self.state: State = step.state

    def __getitem__(self, seat: str) -> Player:
        """Return what a seat has."""
        return self.state.players[seat]

    # Positions by hand

    def at(self, **fields: Any) -> Match:
        """Set values of the state."""
        self.state = replace(self.state, **fields)
        return self

    def give(self, seat: str, **fields: Any) -> Match:
        """Set what a seat has; `buildings` in any order, `dice` as coloured dice."""
        if "buildings" in fields:
            fields["buildings"] = in_table_order(fields["buildings"])
        if "used" in fields:
            fields["used"] = frozenset(fields["used"])
        players = {**self.state.players, seat: replace(self.state.players[seat], **fields)}
        return self.at(players=players)

    def season(self, phase: str = "spring", step: str = "roll", **fields: Any) -> Match:
        """Begin a productive season where everything before it is done."""
        fields = {"pending": (), "turn_index": None, "begun": True, **fields}
        return self.at(phase=phase, step=step, **fields)

    def dice(self, phase: str = "spring", /, **dice: list[int]) -> Match:
        """Put these coloured dice before the seats, in their turn order, in the step of influence."""
        self.season(phase, "influence", turn_index=0, dice_seen=True)
        for seat, coloured in dice.items():
            self.give(seat, coloured=tuple(sorted(coloured)), rolled=True)
        return self

    def building(self, phase: str = "spring", /) -> Match:
        """Begin the step of building."""
        return self.season(phase, "build", turn_index=0)

    def recruiting(self) -> Match:
        """Begin the phase of recruiting."""
        return self.season("recruit", "recruit", turn_index=0)

    def winter(self, year: int = 1) -> Match:
        """Begin winter."""
        return self.season("winter", "battle", year=year)

    def battle(self, enemy: str | dict[str, Any], reinforcement: int = 1) -> Match:
        """Fight the battle of the winter."""
        card = {"enemy": enemy} if isinstance(enemy, str) else {"custom": enemy}
        return self.do(None, "reinforcements_rolled", value=reinforcement).do(None, "enemy_revealed", **card)

    # Events

    def do(self, seat: str | None, type_: str, /, **fields: Any) -> Match:
        """Carry out an event that the rules allow."""
        one = event(seat, type_, **fields)
        refusal = GAME.check(self.state, one)
        assert refusal is None, f"{type_} refused: {refusal.rule} {refusal.because}"
        return self._follow(one)

    def force(self, rule: str, seat: str | None, type_: str, /, **fields: Any) -> Match:
        """Carry out an irregular event that the referee accepted although this rule refuses it."""
        self.refused(rule, IRREGULAR, seat, type_, **fields)
        return self._follow(event(seat, type_, **fields))

    def _follow(self, one: Event) -> Match:
        before = self.state
        seen = GAME.view(before)
        self.last = GAME.follow(before, one)
        assert GAME.view(before) == seen, "the state before an event has changed"
        self.state = self.last.state
        return self

    def refused(self, rule: str, breach: str, seat: str | None, type_: str, /, **fields: Any) -> Refusal:
        """Return the refusal of an event, which must cite this rule and be of this kind."""
        refusal = GAME.check(self.state, event(seat, type_, **fields))
        assert refusal is not None, f"{type_} {fields} is legal, {rule} should forbid it"
        assert (refusal.rule.id, refusal.breach) == (rule, breach), f"refused by {refusal.rule}: {refusal.because}"
        assert refusal.because
        return refusal

    def allowed(self, seat: str | None, type_: str, /, **fields: Any) -> bool:
        """Return whether an event is legal now."""
        return GAME.check(self.state, event(seat, type_, **fields)) is None

    # What there is

    @property
    def view(self) -> dict[str, Any]:
        """Return the state as plain values."""
        return GAME.view(self.state)

    @property
    def where(self) -> tuple[int, str, str]:
        """Return year, phase and step."""
        return self.state.year, self.state.phase, self.state.step

    @property
    def places(self) -> dict[str, int]:
        """Return the place of each seat."""
        return {one.seat: one.place for one in GAME.outcome(self.state) or ()}

    def awaited(self) -> list[tuple[str, str]]:
        """Return seat and kind of each pending decision."""
        return [(one.seat, one.kind) for one in self.state.pending]

    def goods(self, seat: str) -> tuple[int, int, int]:
        """Return gold, wood and stone of a seat."""
        return self[seat].gold, self[seat].wood, self[seat].stone


# Whole logs -----------------------------------------------------------------------------------------------------------


def sample(name: str) -> bytes:
    """Return a sample log."""
    return (SAMPLES / f"{name}.jsonl").read_bytes()


def expected(name: str) -> dict[str, Any]:
    """Return what a check and a replay of a sample must give."""
    told: dict[str, Any] = json.loads((SAMPLES / f"{name}.expected.json").read_text())
    return told


def written(*lines: Any, seats: int | str = 3, **options: Any) -> bytes:
    """Return a file: each line a tuple of seat, type and data, or a whole object."""
    letters = LETTERS[:seats] if isinstance(seats, int) else seats
    head = {
        "log": "annals/1",
        "game": "kingsburg",
        "rules": "kingsburg-2007",
        "played_on": "2026-11-28",
        "seats": [{"seat": letter} for letter in letters],
        "options": options,
    }
    rows: list[dict[str, Any]] = [head]
    for line in lines:
        if isinstance(line, dict):
            rows.append(line)
            continue
        seat, type_, data = line
        rows.append({"type": type_, "data": data} if seat is None else {"type": type_, "seat": seat, "data": data})
    return "\n".join(json.dumps(row) for row in rows).encode()


def report(raw: bytes) -> dict[str, Any]:
    """Return the report of ``check --json`` on a file."""
    told: dict[str, Any] = replays.report(notation.parse(raw)).as_json()
    return told


def found(raw: bytes) -> list[tuple[int | None, str | None, str]]:
    """Return seq, rule and kind of each finding on a file."""
    return [(one["seq"], one["rule"], one["kind"]) for one in report(raw)["findings"]]


def state_of(raw: bytes, at: int | None = None) -> dict[str, Any]:
    """Return the state after a seq of a file."""
    told = replays.run(notation.parse(raw), at=at)
    view: dict[str, Any] = plain(told.ruleset.view(told.state))
    return view
