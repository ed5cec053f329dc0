"""What careers count in a match of Robber Knights (RK-F1 to RK-F5), each figure with the event that is its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from rulesengine.game import Carried, Fact
from rulesengine.robberknights import events
from rulesengine.robberknights.state import VOID, State, placements, points
from rulesengine.robberknights.tables import OWNED, TERRAIN

CONTROLLED = tuple(terrain for terrain, minimum in TERRAIN.items() if minimum is not None)


def facts(carried: Iterable[Carried]) -> list[Fact]:
    """Return the facts of a whole replay in order of seq.

    ``RK-F1:n`` castles from which one sally left knights on n different tiles · ``RK-F2:t`` tiles of terrain t controlled at the
    end · ``RK-F3`` placements that brought the area to its largest width or height · ``RK-F4`` knights left in the supply at the
    end, and ``RK-F4:0`` once where none is · ``RK-F5`` points of who came first alone above those of the next.
    """
    found: list[Fact] = []
    ended_seq = 0
    last: State | None = None
    for one in carried:
        last = cast(State, one.step.state)
        if one.event is None:
            continue
        before = cast(State, one.before)
        found += _of_event(one, before, last)
        if last.step == "over" and before.step != "over":
            ended_seq = one.seq
    if last is not None and last.step == "over" and last.ended_by not in VOID:
        found += _at_the_end(last, ended_seq)
    return sorted(found, key=lambda fact: fact.seq)


def _of_event(one: Carried, before: State, after: State) -> Iterator[Fact]:
    event = one.event
    if event is None or event.seat is None:
        return
    if isinstance(event.data, events.KnightsDeployed):
        tiles = {(each.x, each.y) for each in event.data.path if each.leave}
        yield Fact(event.seat, f"RK-F1:{len(tiles)}", 1, one.seq)
    elif isinstance(event.data, events.TilePlaced):
        limit = after.setup.options.grid
        spans = zip(_spans(before), _spans(after), strict=True)
        if any(then < limit == now for then, now in spans):
            yield Fact(event.seat, "RK-F3", 1, one.seq)


def _spans(state: State) -> tuple[int, int]:
    """Return how many columns and rows all tiles span."""
    left, top, right, bottom = state.bounds
    return (right - left + 1, bottom - top + 1)


def _at_the_end(end: State, seq: int) -> Iterator[Fact]:
    for seat in end.setup.seats:
        held = [OWNED[cell.tile].terrain for cell in end.board.values() if cell.control == seat]
        for terrain in CONTROLLED:
            if terrain in held:
                yield Fact(seat, f"RK-F2:{terrain}", held.count(terrain), seq, "max")
        supply = end.players[seat].supply
        yield Fact(seat, "RK-F4", supply, seq, "max")
        if not supply:
            yield Fact(seat, "RK-F4:0", 1, seq)
    told = points(end)
    (first, _), (second, place), *_ = placements(end)
    if place > 1:
        yield Fact(first, "RK-F5", max(0, told[first] - told[second]), seq, "max")
