"""How a match ends, who is placed where, and what the result says (4.10, KSH-79 … KSH-81, 8.6 "End" and 8.7).

The result and the places are fixed at the end of the match; nothing recorded later changes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events, war, works
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.rules import KSH_79, KSH_88, U_7
from rulesengine.kingsquare.state import State

BEAST_POINTS = {"dangerous": 1, "epic": 3, "legendary": 6}
"""What a defeated beast counts in the ranking, by its class (KSH-80)."""


class Score(Struct, frozen=True):
    """What a Kingdom has at the end, under the names of `ranking.order` (KSH-80)."""

    castles: int = 0
    king: int = 0
    buildings: int = 0
    power: int = 0
    beasts: int = 0


# Scores, places, result -----------------------------------------------------------------------------------------------


def score(state: State, seat: str) -> Score:
    """Return a Kingdom's five figures; all 0 for an eliminated one."""
    kingdom, setup, network = state.kingdoms[seat], state.setup, state.works
    if kingdom.status != "playing":
        return Score()
    own = works.of_kingdom(network, seat)
    castles = [network.castles[id_] for id_ in own]
    power = sum(war.army_power(state, army) for army in state.armies.values() if army.kingdom == seat)
    return Score(
        castles=sum(one.level for one in castles if not works.ruined(setup, one)),
        king=kingdom.king.level,
        buildings=sum(
            network.buildings[id_].level
            for castle in own
            for id_ in works.of_castle(network, castle)
            if works.condition(network, setup, id_) == "active"
        ),
        power=power + (war.king_attack(setup, kingdom.king.level) if kingdom.king.alive else 0),
        beasts=sum(
            BEAST_POINTS.get(state.beasts[id_].cls, 0) for id_ in kingdom.beasts_defeated if id_ in state.beasts
        ),
    )


def placements(state: State, *, together: bool = False) -> tuple[tuple[str, int], ...]:
    """Return seat and place, by place and then in seat order.

    :param together: True where all who still play share the first place: an agreed draw, or allies who win together
    """
    order = state.setup.options.ranking_order
    by_turn = state.setup.options.ranking_ties == "later_in_turn_order"

    def rank(seat: str) -> tuple[Any, ...]:
        kingdom = state.kingdoms[seat]
        late = state.turn_order.index(seat) if by_turn else 0
        if kingdom.status != "playing":
            return (0, kingdom.eliminated_seq or 0, late)
        if together:
            return (1,)
        figures = score(state, seat)
        return (1, *(getattr(figures, name) for name in order), late)

    ranks = {seat: rank(seat) for seat in state.setup.seats}
    places = [(seat, 1 + sum(other > own for other in ranks.values())) for seat, own in ranks.items()]
    return tuple(sorted(places, key=lambda one: one[1]))


def decided(state: State) -> bool:
    """Return whether at most one Kingdom plays or, where allies win together, all that play are allied (KSH-73, KSH-79)."""
    playing = 0
    for kingdom in state.kingdoms.values():
        if kingdom.status == "playing":
            playing += 1
    return playing < 2 or (state.setup.options.victory_allied and bool(state.works.pacts) and _all_allied(state))


def _all_allied(state: State) -> bool:
    return all(state.allied(one, other) for one, other in combinations(state.playing, 2))


def finish(state: State, cause: str, told: Told) -> State:
    """Return the state at the end of the match, with the result fixed. Phase, turn and round stay as they were."""
    if cause == "last_standing":
        for seat in state.playing or (None,):
            told.add("last_kingdom_standing", seat)
    return _with_result(replace(state, status="ended"), cause)


def _with_result(state: State, cause: str) -> State:
    places = placements(state, together=cause in ("agreement", "last_standing"))
    by_seat = dict(places)
    scores = [
        {"seat": seat, "place": by_seat[seat], "status": state.kingdoms[seat].status, **asdict(score(state, seat))}
        for seat in state.setup.seats
    ]
    return replace(state, cause=cause, places=places, result={"cause": cause, "round": state.round, "scores": scores})


def with_likely_result(state: State) -> State:
    """Return an ended state with its result, as far as it can be worked out where the history of the match is not known.

    The levels of Kings are reset when placements are confirmed: the scores of a confirmed match are then those after it.
    """
    if state.status not in ("ended", "confirmed"):
        return state
    if decided(state):
        return _with_result(state, "last_standing")
    return _with_result(state, "round_limit" if 0 < state.setup.options.end_rounds <= state.round else "time")


# What forbids an event ------------------------------------------------------------------------------------------------


def check_time_called(state: State, event: Event) -> Iterator[Refusal]:
    """Yield KSH-79 where there is no time limit and not all who play have agreed."""
    agreed = cast(events.TimeCalled, event.data).agreed or ()
    yield from _seats(state, agreed)
    if not state.setup.options.end_minutes:
        missing = [seat for seat in state.playing if seat not in agreed]
        if missing:
            yield KSH_79.refuses(
                f"there is no time limit (end.minutes is 0), and {', '.join(missing)} did not agree to end by time",
                nearest=f"agreed by {', '.join(state.playing)}",
            )


def check_draw_agreed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield KSH-79 where one who plays is missing."""
    agreed = cast(events.DrawAgreed, event.data).seats
    yield from _seats(state, agreed)
    missing = [seat for seat in state.playing if seat not in agreed]
    if missing:
        yield KSH_79.refuses(
            f"a draw is agreed by all who play; {', '.join(missing)} did not",
            nearest=f"seats {', '.join(state.playing)}",
        )


def _seats(state: State, seats: tuple[str, ...]) -> Iterator[Refusal]:
    for seat in seats:
        if seat not in state.kingdoms:
            yield U_7.refuses(f"there is no Kingdom {seat!r}", "impossible")


def check_match_ended(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for placements of nobody's, KSH-79 where no end is reached."""
    data = cast(events.MatchEnded, event.data)
    yield from _seats(state, tuple(one.seat for one in data.placements or ()))
    if state.status != "ended":
        yield KSH_79.refuses(
            f"no end is reached: {len(state.playing)} Kingdoms play in round {state.round}",
            nearest="time_called or draw_agreed by all who play",
        )


def check_placements_confirmed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for placements of nobody's, KSH-88 while a dispute is open."""
    data = cast(events.PlacementsConfirmed, event.data)
    yield from _seats(state, tuple(one.seat for one in data.placements or ()))
    if state.disputes:
        seqs = ", ".join(str(seq) for seq in state.disputes)
        yield KSH_88.refuses(f"disputes are open: seq {seqs}", nearest="ruling_given with about_seq closes a dispute")


CHECKS: dict[type[Payload], Check] = {
    events.TimeCalled: check_time_called,
    events.DrawAgreed: check_draw_agreed,
    events.MatchEnded: check_match_ended,
    events.PlacementsConfirmed: check_placements_confirmed,
}


# What an event does ---------------------------------------------------------------------------------------------------


def on_time_called(state: State, event: Event, told: Told) -> State:
    """End the match with the round, or at once: as `end.finish_round` says, or where the round has hardly begun."""
    if state.setup.options.end_finish_round and (state.phase != "produce" or state.turns_of_round):
        return replace(state, time_called=True)
    return finish(state, "time", told)


def on_draw_agreed(state: State, event: Event, told: Told) -> State:
    """End the match: all who play share the first place."""
    return finish(state, "agreement", told)


def on_match_ended(state: State, event: Event, told: Told) -> State:
    """Change nothing after the end; recorded before it and accepted, it ends the match by agreement."""
    return state if state.status == "ended" else finish(state, "agreement", told)


def on_placements_confirmed(state: State, event: Event, told: Told) -> State:
    """Make the result final; the levels that the Kings gained are reset (KS-33)."""
    told.add("king_levels_reset", None)
    for seat, kingdom in state.kingdoms.items():
        if kingdom.king.level != 1:
            state = state.with_king(seat, level=1)
    return replace(state, status="confirmed")


def on_match_abandoned(state: State, event: Event, told: Told) -> State:
    """Give the match up: it has no result."""
    return replace(state, status="abandoned", places=(), result=None)


def on_match_annulled(state: State, event: Event, told: Told) -> State:
    """Withdraw the result."""
    return replace(state, status="annulled", places=(), result=None)


STEPS: dict[type[Payload], Step] = {
    events.TimeCalled: on_time_called,
    events.DrawAgreed: on_draw_agreed,
    events.MatchEnded: on_match_ended,
    events.PlacementsConfirmed: on_placements_confirmed,
    events.MatchAbandoned: on_match_abandoned,
    events.MatchAnnulled: on_match_annulled,
}
