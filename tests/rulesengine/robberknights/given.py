"""A match to test on: set up with options, changed by hand where a test needs a position, and played event by event."""

from __future__ import annotations

from typing import Any

import msgspec

from rulesengine import replay, shared
from rulesengine.game import Event, Payload, Refusal, Step
from rulesengine.log import Header, Line, Log, Seat
from rulesengine.replay import Report
from rulesengine.robberknights.editions import EDITIONS
from rulesengine.robberknights.ruleset import RobberKnights
from rulesengine.robberknights.state import State
from rulesengine.robberknights.tables import OWNED, TILES

GAME = RobberKnights(EDITIONS[0])
PAYLOADS: dict[str, type[Payload]] = {**shared.PAYLOADS, **GAME.payloads}

type Row = tuple[str | None, str, dict[str, Any]]


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back."""
    return msgspec.json.decode(msgspec.json.encode(value))


def header(seats: int | str = 2, **options: Any) -> Header:
    """Return a header with these seats and options."""
    letters = "ABCDEF"[:seats] if isinstance(seats, int) else seats
    return Header(
        log="annals/1",
        game="robberknights",
        rules="robber-knights-2005",
        played_on="2026-11-28",
        seats=tuple(Seat(letter) for letter in letters),
        options=options,
    )


def event(seat: str | None, type_: str, /, **fields: Any) -> Event:
    """Return a typed event from JSON-like values."""
    return Event(seat, msgspec.convert(plain(fields), PAYLOADS[type_]))


def cells(*tiles: str, columns: int) -> list[dict[str, Any]]:
    """Return a layout of tiles, row by row from 0,0."""
    return [{"x": at % columns, "y": at // columns, "tile": tile} for at, tile in enumerate(tiles)]


def path(*entries: tuple[int, int, int]) -> list[dict[str, int]]:
    """Return a path of ``(x, y, leave)``."""
    return [{"x": x, "y": y, "leave": leave} for x, y, leave in entries]


class Match:
    """A running match. Every step is taken through the ruleset, and no state handed out may change afterwards."""

    def __init__(self, seats: int | str = 2, **options: Any) -> None:
        self.header = header(seats, **options)
        step = GAME.set_up(self.header)
        assert not isinstance(step, Refusal), f"{step.rule}: {step.because}"
        self.last: Step[State] = step
        self.state: State = step.state

    def do(self, seat: str | None, type_: str, /, **fields: Any) -> Match:
        """Carry out an event that the rules allow."""
        one = event(seat, type_, **fields)
        refusal = GAME.check(self.state, one)
        assert refusal is None, f"{type_} refused: {refusal.rule} {refusal.because}"
        return self._follow(one)

    def force(self, rule: str, seat: str | None, type_: str, /, **fields: Any) -> Match:
        """Carry out an irregular event that the referee accepted."""
        self.refused(rule, seat, type_, "irregular", **fields)
        return self._follow(event(seat, type_, **fields))

    def _follow(self, one: Event) -> Match:
        before = self.state
        seen = GAME.view(before)
        self.last = GAME.follow(before, one)
        assert GAME.view(before) == seen, "the state before an event has changed"
        self.state = self.last.state
        return self

    def refused(self, rule: str, seat: str | None, type_: str, breach: str, /, **fields: Any) -> Refusal:
        """Return the refusal of an event, which must cite this rule and be of this kind."""
        refusal = GAME.check(self.state, event(seat, type_, **fields))
        assert refusal is not None, f"{type_} {fields} is legal, {rule} should forbid it"
        assert (refusal.rule.id, refusal.breach) == (rule, breach), refusal
        assert refusal.because
        return refusal

    def allowed(self, seat: str | None, type_: str, /, **fields: Any) -> bool:
        """Return whether an event is legal now."""
        return GAME.check(self.state, event(seat, type_, **fields)) is None

    # Positions

    def laid(self) -> Match:
        """Choose A2 for everybody and lay the rest: the first turn begins."""
        seats = self.state.setup.seats
        for seat in seats:
            self.do(seat, "hand_chosen", tile="A2")
        tiles = [f"{seat}:{id_}" for seat in seats for id_ in ("A3", "A4")]
        return self.do(None, "layout_laid", cells=cells(*tiles, columns=len(seats)))

    def put(self, kinds: dict[tuple[int, int], str], stacks: dict[tuple[int, int], str] | None = None) -> Match:
        """Lay tiles on an empty board by kind (``forest village``, or an id with its owner) with knights, ``"AAB"`` from below."""
        view = GAME.view(self.state)
        board: dict[str, Any] = {}
        for (x, y), kind in kinds.items():
            board[f"{x},{y}"] = {
                "tile": self._unused(kind, board),
                "stack": list((stacks or {}).get((x, y), "")),
            }
        for seat in self.state.setup.seats:
            laid = {one["tile"] for one in board.values()}
            player = view["players"][seat]
            player["unplaced"] = [id_ for id_ in TILES if f"{seat}:{id_}" not in laid]
            player["hand"] = [slot for slot in player["hand"] if slot["tile"] in (None, *player["unplaced"])]
        view["board"] = board
        return self.read(view)

    def _unused(self, kind: str, board: dict[str, Any]) -> str:
        if kind in OWNED:
            return kind
        used = {one["tile"] for one in board.values()}
        seats = self.state.setup.seats
        for owned, tile in OWNED.items():
            same = f"{tile.terrain} {tile.building}" == (kind if " " in kind else f"{kind} none")
            if same and owned not in used and owned[0] in seats and tile.id not in ("A1", "A2"):
                return owned
        raise AssertionError(f"no {kind} is left")

    def castle(
        self,
        kinds: dict[tuple[int, int], str],
        stacks: dict[tuple[int, int], str] | None = None,
        at: tuple[int, int] = (0, 0),
        seat: str = "A",
    ) -> Match:
        """Lay tiles; the castle at `at` has just been placed by `seat`."""
        self.put(kinds, stacks)
        view = GAME.view(self.state)
        view.update(current=seat, step="knights", castle_pending=f"{at[0]},{at[1]}", placed_this_turn=1)
        return self.read(view)

    def hand(self, seat: str, *tiles: str) -> Match:
        """Give a seat this hand; a letter alone is a sealed tile."""
        view = GAME.view(self.state)
        view["players"][seat]["hand"] = [{"letter": one[0], "tile": one if len(one) > 1 else None} for one in tiles]
        return self.read(view)

    def set(self, **values: Any) -> Match:
        """Set values of the view by path, ``players__A__supply=3``."""
        view = GAME.view(self.state)
        for name, value in values.items():
            *way, last = name.split("__")
            at: Any = view
            for key in way:
                at = at[key]
            at[last] = value
        return self.read(view)

    def out_of_tiles(self, seat: str, *hand: str) -> Match:
        """Leave a seat with these tiles in the hand and nothing in the pile."""
        self.hand(seat, *hand)
        return self.set(**{f"players__{seat}__pile": {"B": 0, "C": 0, "D": 0, "E": 0}})

    def read(self, view: dict[str, Any]) -> Match:
        """Go on from this view."""
        self.state = GAME.load(self.header, plain(view))
        return self

    # Values

    def get(self, way: str) -> Any:
        """Return a value of the view."""
        at: Any = GAME.view(self.state)
        for key in way.split("."):
            at = at[int(key)] if isinstance(at, list) else at[key]
        return at

    def stack(self, x: int, y: int) -> str:
        """Return the knights of a tile from below."""
        return "".join(self.state.board[x, y].stack)


def log(rows: list[Row], seats: int | str = 2, /, **options: Any) -> Log:
    """Return a log of these entries, on the lines of a file after its header."""
    lines = [
        Line(seq, type_, seat, msgspec.json.encode(data), number=seq + 1)
        for seq, (seat, type_, data) in enumerate(rows, 1)
    ]
    return Log(header(seats, **options), tuple(lines))


START: list[Row] = [
    ("A", "hand_chosen", {"tile": "A2"}),
    ("B", "hand_chosen", {"tile": "A2"}),
    (None, "layout_laid", {"cells": cells("A:A3", "A:A4", "B:A3", "B:A4", columns=2)}),
]
"""The set-up of two seats: 1 to 3."""
FIRST: list[Row] = [
    *START,
    ("A", "tile_placed", {"tile": "A1", "x": 2, "y": 0}),
    ("A", "knights_deployed", {"path": path((2, 0, 1), (1, 0, 3))}),
    ("A", "tile_drawn", {"letter": "B", "tile": "B5"}),
    ("A", "turn_ended", {}),
]
"""A first turn: 4 to 7."""


def report(rows: list[Row], seats: int | str = 2, /, **options: Any) -> Report:
    """Return what a check finds in a log of these entries."""
    return replay.report(log(rows, seats, **options), keep=True)


def found(rows: list[Row], seats: int | str = 2, /, **options: Any) -> list[tuple[int | None, str | None, str]]:
    """Return the findings: seq, rule, kind."""
    return [(one.seq, one.rule, one.kind) for one in report(rows, seats, **options).findings]
