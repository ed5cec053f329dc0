"""Turns and rounds: the start of play, the three phases, pauses, and what the end of a turn brings (4.3 and 8.6, "Turn").

The frame calls :func:`settle` after every event: it sees whether the match is decided and whether the Kingdom on turn is out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import diplomacy, ending, events, war, works
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.rules import KS_02, KS_17, KS_18, U_7
from rulesengine.kingsquare.state import Army, Phase, Plane, Ship, State

NEXT: dict[str | None, Phase] = {"produce": "move", "move": "act"}
"""The phase after each (KS-17); after the Act phase the turn ends."""


# What forbids an event ------------------------------------------------------------------------------------------------


def check_match_started(state: State, event: Event) -> Iterator[Refusal]:
    """Yield KS-02 where a Kingdom has no Castle yet."""
    for seat in state.playing:
        if not works.of_kingdom(state.works, seat):
            yield KS_02.refuses(
                f"Kingdom {seat} has no Castle; every Kingdom starts with one Capital",
                nearest=f"capital_founded by {seat}",
            )
            return


def check_phase_advanced(state: State, event: Event) -> Iterator[Refusal]:
    """Yield KS-17 for a phase that is not the next one, KS-18 for a Barracks that has neither produced nor been waived."""
    data = cast(events.PhaseAdvanced, event.data)
    following = NEXT.get(state.phase)
    if data.to != following:
        after = "turn_ended" if following is None else f"phase_advanced to {following}"
        yield KS_17.refuses(f"after the {state.phase} phase comes no {data.to} phase", nearest=after)
    if data.to == "move" and state.setup.options.production_strict:
        for id_ in works.own_of_kind(state.works, cast(str, event.seat), "barracks"):
            if id_ not in state.produced and works.in_use(state, id_):
                yield KS_18.refuses(
                    f"Barracks {id_} of {event.seat} have neither produced nor been waived this turn",
                    nearest=f"troops_produced or production_waived of {id_}",
                )
                return


def check_turn_skipped(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for an unknown Kingdom, KS-17 for one that is not on turn."""
    data = cast(events.TurnSkipped, event.data)
    if data.kingdom not in state.kingdoms:
        yield U_7.refuses(f"there is no Kingdom {data.kingdom!r}", "impossible")
    if data.kingdom != state.turn_kingdom:
        yield KS_17.refuses(
            f"it is the turn of {state.turn_kingdom}, not of {data.kingdom}",
            nearest=f"skip the turn of {state.turn_kingdom}",
        )


CHECKS: dict[type[Payload], Check] = {
    events.MatchStarted: check_match_started,
    events.PhaseAdvanced: check_phase_advanced,
    events.TurnSkipped: check_turn_skipped,
}


# What an event does ---------------------------------------------------------------------------------------------------


def on_match_started(state: State, event: Event, told: Told) -> State:
    """Begin round 1 with the turn of the first Kingdom."""
    state = replace(state, status="running", round=1)
    return _begin_turns(state, state.playing[0], event.seq, told) if state.playing else state


def on_phase_advanced(state: State, event: Event, told: Told) -> State:
    """Go to the next phase; on entering the Act phase count the Action Points (F-04, KSH-07)."""
    to = cast(events.PhaseAdvanced, event.data).to
    if to not in ("produce", "move", "act"):
        return state
    state = replace(state, phase=cast(Phase, to))
    return _grant(state, cast(str, state.turn_kingdom), told) if to == "act" else state


def _grant(state: State, seat: str, told: Told) -> State:
    kingdom = state.kingdoms[seat]
    points = works.action_points(state.works, state.setup, seat) + state.saved_ap.get(seat, 0)
    total = max(0, points - kingdom.ap_loss)
    told.add("ap_granted", seat, amount=total)
    if kingdom.ap_loss:
        state = state.with_kingdom(seat, ap_loss=0)
    saved = {other: kept for other, kept in state.saved_ap.items() if other != seat}
    return replace(state, ap_total=total, ap_spent=0, saved_ap=saved)


def on_turn_ended(state: State, event: Event, told: Told) -> State:
    """Pass the turn."""
    return end_turn(state, event.seq, told)


def on_match_paused(state: State, event: Event, told: Told) -> State:
    """Pause the match."""
    return replace(state, status="paused")


def on_match_resumed(state: State, event: Event, told: Told) -> State:
    """Let the match go on."""
    return replace(state, status="running")


STEPS: dict[type[Payload], Step] = {
    events.MatchStarted: on_match_started,
    events.PhaseAdvanced: on_phase_advanced,
    events.TurnEnded: on_turn_ended,
    events.TurnSkipped: on_turn_ended,
    events.MatchPaused: on_match_paused,
    events.MatchResumed: on_match_resumed,
}


# After every event ----------------------------------------------------------------------------------------------------


def settle(state: State, seq: int, told: Told) -> State:
    """Return the state after an event: ended if at most one Kingdom still plays, with the next turn if the one on turn is out."""
    if state.status not in ("running", "paused", "setup"):
        return state
    if ending.decided(state):
        return ending.finish(state, "last_standing", told)
    seat = state.turn_kingdom
    if seat is not None and state.kingdoms[seat].status != "playing":
        return end_turn(state, seq, told)
    return state


def end_turn(state: State, seq: int, told: Told) -> State:
    """Return the state after the end of the present turn, and of every turn that is lost after it (`turn_loss`)."""
    after, seat = _ended(state, seq, told)
    return after if seat is None else _begin_turns(after, seat, seq, told)


def _begin_turns(state: State, seat: str, seq: int, told: Told) -> State:
    """Begin a Kingdom's turn; one that is lost ends at once, and the next begins."""
    following: str | None = seat
    while following is not None:
        state = _begin_turn(state, following)
        loss = state.kingdoms[following].turn_loss
        if not loss:
            break
        state = state.with_kingdom(following, turn_loss=loss - 1)
        state, following = _ended(state, seq, told)
    return state


def _ended(state: State, seq: int, told: Told) -> tuple[State, str | None]:
    """End the present turn: return the state and whose turn is next, None if the match is over."""
    state = _close_turn(state, seq, told)
    if ending.decided(state):
        return ending.finish(state, "last_standing", told), None
    seat = _later(state)
    if seat is not None:
        return state, seat
    if 0 < state.setup.options.end_rounds <= state.round:
        told.add("round_limit_reached", None, round=state.round)
        return ending.finish(state, "round_limit", told), None
    if state.time_called:
        return ending.finish(state, "time", told), None
    state = _next_round(state)
    return state, next(one for one in state.turn_order if state.kingdoms[one].status == "playing")


def _later(state: State) -> str | None:
    """Return the next Kingdom of this round that plays, None where the round is over."""
    order = state.turn_order
    at = order.index(cast(str, state.turn_kingdom))
    for seat in order[at + 1 :]:
        if state.kingdoms[seat].status == "playing":
            return seat
    return None


def _close_turn(state: State, seq: int, told: Told) -> State:
    """Keep Action Points as far as allowed, see who can no longer govern (KSH-76), and end alliances that were given notice."""
    seat = cast(str, state.turn_kingdom)
    options = state.setup.options
    if options.ap_carry:
        kept = min(options.ap_carry, max(0, state.ap_total - state.ap_spent))
        state = replace(state, saved_ap={**state.saved_ap, seat: kept})
    fallen = tuple(one for one in state.playing if not _governs(state, one))
    if fallen:
        state = war.eliminate(state, fallen, "cannot_govern", seq, told)
    if options.alliance_notice == "turn" or _later(state) is None:
        breaker = seat if options.alliance_notice == "turn" else None
        state = diplomacy.notice_given(state, breaker, seq)
    return replace(state, turns_of_round=state.turns_of_round + 1)


def _governs(state: State, seat: str) -> bool:
    options = state.setup.options
    if options.govern_rule == "referee":
        return True
    capital_only = options.govern_rule == "capital_only" or options.capital_succession == "none"
    castles = state.works.castles
    for id_ in works.of_kingdom(state.works, seat):
        castle = castles[id_]
        if (castle.is_capital or not capital_only) and not works.ruined(state.setup, castle):
            return True
    return False


def _next_round(state: State) -> State:
    """Return the state in the next round. Rounds in which every Kingdom loses its turn pass at once."""
    options = state.setup.options
    rounds = 1
    lost = min(state.kingdoms[seat].turn_loss for seat in state.playing)
    if lost > 1:
        spare = lost - 1
        if options.end_rounds:
            spare = min(spare, options.end_rounds - state.round - 1)
        rounds += spare
        for seat in state.playing:
            state = state.with_kingdom(seat, turn_loss=state.kingdoms[seat].turn_loss - spare)
    return replace(state, round=state.round + rounds, turns_of_round=0, turn_order=_order_after(state, rounds))


def _order_after(state: State, rounds: int) -> tuple[str, ...]:
    order, how = state.turn_order, state.setup.options.turn_order
    if how == "reverse_each_round":
        return order[::-1] if rounds % 2 else order
    if how == "rotate_first":
        by = rounds % len(order)
        return (*order[by:], *order[:by])
    return order


def _begin_turn(state: State, seat: str) -> State:
    """Begin a turn: the Kingdom's pieces may move and produce again, and nothing has been done in it yet."""
    kingdom = state.kingdoms[seat]
    if kingdom.king.moved or kingdom.general_blocked:
        state = state.with_kingdom(seat, general_blocked=False, king=replace(kingdom.king, moved=False))
    castles, buildings = state.works.castles, state.works.buildings
    return replace(
        state,
        phase="produce",
        turn_kingdom=seat,
        ap_total=0,
        ap_spent=0,
        armies=_rested(state.armies, seat),
        ships=_rested(state.ships, seat),
        planes=_rested(state.planes, seat),
        produced=frozenset(
            id_ for id_ in state.produced if id_ in buildings and castles[buildings[id_].castle].kingdom != seat
        ),
        forwarded={},
        attacked={},
        acted_on={},
        travelled={},
        built_now=frozenset(),
    )


def _rested[Piece: (Army, Ship, Plane)](pieces: dict[str, Piece], seat: str) -> dict[str, Piece]:
    tired = [id_ for id_, one in pieces.items() if one.moved and one.kingdom == seat]
    return pieces if not tired else {**pieces, **{id_: replace(pieces[id_], moved=False) for id_ in tired}}
