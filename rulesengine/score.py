"""Matches without moves: only their result was recorded, of whatever game. They have no rules but those of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, ClassVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulesengine import shared
from rulesengine.game import (
    Carried,
    Cites,
    Edition,
    Event,
    Fact,
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

MAX_PLACE = 10_000
LOG = Rule("", "The form of a match log, the same for every game.")
"""Stands for what all games share. It has no number, for no game's page states it."""


class Result(Struct, frozen=True):
    """What is known of the match."""

    seats: tuple[str, ...]
    status: Status = "running"
    rows: tuple[shared.ResultRow, ...] = ()
    complete: bool = True


class ScoreOnly(Ruleset):
    """A match of which only the result is known."""

    game: ClassVar[str] = ""
    name: ClassVar[str] = "Result without moves"
    payloads: ClassVar[Mapping[str, type[Payload]]] = {}
    consequence_types: ClassVar[frozenset[str]] = frozenset()
    rules: ClassVar[tuple[Rule, ...]] = ()
    parameters = ()
    seats: ClassVar[tuple[int, int]] = (1, 26)
    cites: ClassVar[Cites] = Cites(corrections=LOG, confirmation=LOG, placements=LOG, set_up=LOG)
    not_used: ClassVar[frozenset[str]] = frozenset(
        {"match_paused", "match_resumed", "time_called", "draw_agreed", "player_resigned", "state_adjusted"}
    )

    def __init__(self, game: str) -> None:
        super().__init__(Edition("", date.min))
        self.slug = game

    def set_up(self, header: Header) -> Step[Result] | Refusal:
        """Return the match before its result is known, or what is wrong with its seats."""
        seats = tuple(seat.seat for seat in header.seats)
        if not seats:
            return LOG.refuses("the header names no seats; a result needs at least one", "impossible")
        if len(set(seats)) != len(seats):
            twice = next(seat for seat in seats if seats.count(seat) > 1)
            return LOG.refuses(f"the seat {twice} is there twice", "impossible")
        return Step(Result(seats))

    def check(self, state: Result, event: Event) -> Refusal | None:
        """Return what forbids to record the result, or to make the match void."""
        data = event.data
        if isinstance(data, shared.ResultRecorded):
            return self._check_rows(state, data)
        if isinstance(data, shared.MatchAbandoned | shared.MatchAnnulled) and state.status == "void":
            return LOG.refuses("the match is void already", "impossible")
        if isinstance(data, shared.MatchEnded) and state.status == "running":
            return LOG.refuses("no result is recorded yet; result_recorded holds it", "impossible")
        return None

    def _check_rows(self, state: Result, data: shared.ResultRecorded) -> Refusal | None:
        if state.status != "running":
            return LOG.refuses("a result is recorded already; event_amended puts it right", "impossible")
        told = [row.seat for row in data.rows]
        for seat in told:
            if seat not in state.seats:
                return LOG.refuses(f"there is no seat {seat!r}; the seats are {', '.join(state.seats)}", "impossible")
            if told.count(seat) > 1:
                return LOG.refuses(f"the seat {seat} has two rows; each seat has one", "impossible")
        for row in data.rows:
            if row.place is not None and not 1 <= row.place <= MAX_PLACE:
                because = f"the place of {row.seat} is {row.place}; places count from 1"
                return LOG.refuses(because if row.place < 1 else f"{because} to {MAX_PLACE}", "impossible")
        if data.complete and len(told) < len(state.seats):
            missing = ", ".join(seat for seat in state.seats if seat not in told)
            return LOG.refuses(
                f"the result is said to be complete, yet these seats are missing: {missing}", "impossible"
            )
        return None

    def follow(self, state: Result, event: Event) -> Step[Result]:
        """Return the match with its result, or void."""
        data = event.data
        if isinstance(data, shared.ResultRecorded):
            return Step(Result(state.seats, "ended", data.rows, data.complete))
        if isinstance(data, shared.MatchAbandoned | shared.MatchAnnulled):
            return Step(replace(state, status="void"))
        return Step(state)

    def skip(self, state: Result, event: Event) -> Result:
        """Return the match as it is: nothing is used up."""
        return state

    def legal(self, state: Result) -> Iterator[Event]:
        """Yield nothing: what came out cannot be guessed."""
        return iter(())

    def status(self, state: Result) -> Status:
        """Return whether a result is known, and counts."""
        return state.status

    def outcome(self, state: Result) -> tuple[Placement, ...] | None:
        """Return the recorded places."""
        if state.status != "ended":
            return () if state.status == "void" else None
        placed = [Placement(row.seat, row.place) for row in state.rows if row.place is not None]
        return tuple(sorted(placed, key=lambda one: (one.place, state.seats.index(one.seat))))

    def result(self, state: Result) -> dict[str, Any] | None:
        """Return the recorded rows."""
        if state.status == "running":
            return None
        return {"rows": msgspec.to_builtins(list(state.rows)), "complete": state.complete}

    def view(self, state: Result) -> dict[str, Any]:
        """Return what is known as plain values."""
        return cast(dict[str, Any], msgspec.to_builtins(state))

    def load(self, header: Header, view: Mapping[str, Any]) -> Result:
        """Return what a view showed."""
        return msgspec.convert(dict(view), Result)

    def scene(self, state: Result) -> Scene:
        """Return an empty drawing."""
        return Scene((0, 0, 0, 0), ())

    def facts(self, carried: Iterable[Carried]) -> list[Fact]:
        """Return nothing: no move, no fact."""
        return []

    def turn(self, state: Result) -> str | None:
        """Return None: nobody is at turn."""
        return None

    def spelled_out(self, header: Header) -> dict[str, Any]:
        """Return the seats."""
        return {"seats": [seat.seat for seat in header.seats]}
