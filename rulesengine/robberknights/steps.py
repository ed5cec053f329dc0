"""What an event does and what follows from it: one step for each type. A step never refuses, it has happened.

A referee may accept an irregular event; it is then carried out as part 5 of the rule page says: tiles and knights lie where
recorded, what was open lapses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from msgspec.structs import replace

from rulesengine import shared
from rulesengine.game import Consequence, Event, Payload, Step
from rulesengine.robberknights import consequences as then
from rulesengine.robberknights import events
from rulesengine.robberknights.adjust import adjusted
from rulesengine.robberknights.board import grown
from rulesengine.robberknights.checks import slot_of
from rulesengine.robberknights.state import (
    SETTING_UP,
    Cell,
    EndedBy,
    Player,
    Slot,
    State,
    bounds_of,
    key,
)
from rulesengine.robberknights.tables import CASTLE, OWNED, PILE

type Out = list[Consequence]
type On = Callable[[State, Event, Out], State]


def follow(state: State, event: Event) -> Step[State]:
    """Return the state after an event and what followed. Events without an effect change nothing."""
    one = STEPS.get(type(event.data))
    if one is None:
        return Step(state)
    out: Out = []
    after = one(state, event, out)
    return Step(after, tuple(out))


# Set-up


def on_match_started(state: State, event: Event, out: Out) -> State:
    """Let another seat begin, if one is named."""
    start = cast(events.MatchStarted, event.data).start_seat
    return replace(state, start_seat=start) if isinstance(start, str) else state


def on_hand_chosen(state: State, event: Event, out: Out) -> State:
    """Take the castle and the chosen tile into the hand."""
    tile = cast(events.HandChosen, event.data).tile
    seat = _seat(event)
    hand = (Slot(CASTLE[0], CASTLE), Slot(tile[0], tile))
    players = {**state.players, seat: replace(state.players[seat], hand=hand)}
    done = all(player.hand for player in players.values())
    return replace(state, players=players, step="layout" if done else "hand")


def on_layout_laid(state: State, event: Event, out: Out) -> State:
    """Lay the first tiles and begin the first turn."""
    cells = cast(events.LayoutLaid, event.data).cells
    board = {(one.x, one.y): Cell(one.tile) for one in cells}
    players = {
        seat: replace(player, unplaced=tuple(id_ for id_ in player.unplaced if id_[0] != "A" or _holds(player, id_)))
        for seat, player in state.players.items()
    }
    laid = replace(state, board=board, bounds=bounds_of(board), players=players)
    return _settled(_next_turn(laid, None, out), out)


def _holds(player: Player, id_: str) -> bool:
    return any(slot.tile == id_ for slot in player.hand)


# Turns


def on_tile_placed(state: State, event: Event, out: Out) -> State:
    """Put a tile on the board; a castle then waits for its knights, else a tile is drawn."""
    data = cast(events.TilePlaced, event.data)
    seat = _seat(event)
    player = state.players[seat]
    at = cast(int, slot_of(player, data.tile))
    unplaced = player.unplaced
    gone = unplaced.index(data.tile)
    player = Player(
        player.supply, player.hand[:at] + player.hand[at + 1 :], player.pile, unplaced[:gone] + unplaced[gone + 1 :]
    )
    tile = f"{seat}:{data.tile}"
    xy = (data.x, data.y)
    board = state.board.copy()
    board[xy] = Cell(tile)
    players = state.players.copy()
    players[seat] = player
    castle = OWNED[tile].building == "castle"
    after = State(
        state.setup, state.start_seat, seat, "knights" if castle else "draw", state.placed_this_turn + 1, xy if castle else None,
        0, board, players, state.resigned, None, grown(state.bounds, data.x, data.y), state.notes,
    )  # fmt: skip
    return after if castle or any(player.pile) else _action_over(after, seat, out)


def on_knights_deployed(state: State, event: Event, out: Out) -> State:
    """Leave knights along the path, on top of what stands there."""
    path = cast(events.KnightsDeployed, event.data).path
    seat = _seat(event)
    board = state.board.copy()
    sent = 0
    for one in path:
        if one.leave:
            xy = (one.x, one.y)
            cell = board[xy]
            before = cell.control
            board[xy] = Cell(cell.tile, cell.stack + (seat,) * one.leave)
            sent += one.leave
            if before != seat:
                out.append(then.control_changed(key(xy), before, seat))
    player = state.players[seat]
    players = state.players.copy()
    players[seat] = Player(player.supply - sent, player.hand, player.pile, player.unplaced)
    return _to_draw(replace(state, board=board, players=players), seat, out)


def on_knights_declined(state: State, event: Event, out: Out) -> State:
    """Send nobody."""
    return _to_draw(state, _seat(event), out)


def _to_draw(state: State, seat: str, out: Out) -> State:
    """Return the state with the draw due, or the action over if the pile is empty."""
    if not any(state.players[seat].pile):
        return _action_over(state, seat, out)
    return _settled(replace(state, step="draw", castle_pending=None), out)


def on_tile_drawn(state: State, event: Event, out: Out) -> State:
    """Take a tile from the pile; the action is over."""
    data = cast(events.TileDrawn, event.data)
    seat = _seat(event)
    player = state.players[seat]
    at = PILE.index(data.letter)
    pile = (*player.pile[:at], player.pile[at] - 1, *player.pile[at + 1 :])
    players = state.players.copy()
    players[seat] = Player(player.supply, (*player.hand, Slot(data.letter, data.tile)), pile, player.unplaced)
    after = State(
        state.setup, state.start_seat, seat, "place", state.placed_this_turn, None, 0, state.board, players, state.resigned, None,
        state.bounds, state.notes,
    )  # fmt: skip
    over = after.placed_this_turn >= state.setup.options.max_tiles_per_turn
    return _next_turn(after, seat, out) if over else after  # who has just drawn has a tile: the match goes on


def _action_over(state: State, seat: str, out: Out) -> State:
    """Return the state with the next action to begin, in this turn or in the next."""
    if state.placed_this_turn >= state.setup.options.max_tiles_per_turn or not state.players[seat].has_tiles:
        state = _next_turn(state, seat, out)
    else:
        state = replace(state, step="place", castle_pending=None)
    return _settled(state, out)


def on_turn_ended(state: State, event: Event, out: Out) -> State:
    """Pass the turn on; what is open lapses."""
    return _settled(_next_turn(replace(state, consecutive_passes=0), _seat(event), out), out)


def on_turn_passed(state: State, event: Event, out: Out) -> State:
    """Pass the turn on, and count the pass; what is open lapses."""
    passed = replace(state, consecutive_passes=state.consecutive_passes + 1)
    return _settled(_next_turn(passed, _seat(event), out), out)


def _next_turn(state: State, seat: str | None, out: Out) -> State:
    """Begin the turn of the next seat after this one (None: of the seat that begins) that has tiles and has not resigned.

    If nobody is left the state stays without a turn; the match is then over.
    """
    seats = state.setup.seats
    first = seats.index(state.start_seat) if seat is None else seats.index(seat) + 1
    for at in range(first, first + len(seats)):
        other = seats[at % len(seats)]
        if other not in state.resigned and state.players[other].has_tiles:
            out.append(then.turn_started(other))
            return replace(state, current=other, step="place", placed_this_turn=0, castle_pending=None)
    return replace(state, current=None, step="place", placed_this_turn=0, castle_pending=None)


# The end


def _settled(state: State, out: Out) -> State:
    """Return the state with the end of the match found, if it has come (RK-42)."""
    if state.step in SETTING_UP or state.step == "over":
        return state
    players, resigned, options = state.players, state.resigned, state.setup.options
    with_tiles = 0
    placed = options.end_when_all_knights_placed
    for seat, player in players.items():
        if seat not in resigned:
            if player.hand or any(player.pile):
                with_tiles += 1
            if player.supply:
                placed = False
    if not with_tiles and state.step != "knights":  # the last tile's action is over only when its knights are sent
        return _end(state, "tiles", out)
    if placed:
        return _end(state, "knights", out)
    if state.consecutive_passes >= with_tiles > 0:
        return _end(state, "passes", out)
    return state


def _end(state: State, by: EndedBy, out: Out) -> State:
    """End the match: what is open lapses, and no turn begins any more."""
    out[:] = [one for one in out if one.type != "turn_started"]
    out.append(then.match_over(by))
    return replace(state, current=None, step="over", placed_this_turn=0, castle_pending=None, ended_by=by)


def on_player_resigned(state: State, event: Event, out: Out) -> State:
    """Take a seat out of the match; its tiles stay out, its knights stay."""
    seat = _seat(event)
    after = replace(state, resigned=(*state.resigned, seat), consecutive_passes=0)
    if len(after.playing) < 2:
        return _end(after, "resignation", out)
    if state.current == seat:
        after = _next_turn(after, seat, out)
    return _settled(after, out)


def on_time_called(state: State, event: Event, out: Out) -> State:
    """End the match, scored as it lies."""
    return _end(state, "time", out)


def on_draw_agreed(state: State, event: Event, out: Out) -> State:
    """End the match; all who play share the first place."""
    return _end(state, "draw_agreed", out)


def on_match_ended(state: State, event: Event, out: Out) -> State:
    """Record the end; one that the referee accepted before the end ends the match."""
    return state if state.step == "over" else _end(state, "recorded", out)


def on_match_abandoned(state: State, event: Event, out: Out) -> State:
    """Let the match count for nothing."""
    return _end(state, "abandoned", out)


def on_match_annulled(state: State, event: Event, out: Out) -> State:
    """Let the match count for nothing, also after its end."""
    return _end(state, "annulled", out)


# Officials


def on_state_adjusted(state: State, event: Event, out: Out) -> State:
    """Set one value."""
    data = cast(shared.StateAdjusted, event.data)
    return _settled(adjusted(state, data.path, data.old, data.new), out)


def on_dispute_opened(state: State, event: Event, out: Out) -> State:
    """Note a dispute."""
    about = cast(shared.DisputeOpened, event.data).about_seq
    return replace(state, notes=(event.seq, about, True, state.notes))


def on_ruling_given(state: State, event: Event, out: Out) -> State:
    """Note a ruling: it closes the disputes about the same entry."""
    about = cast(shared.RulingGiven, event.data).about_seq
    return state if state.notes is None else replace(state, notes=(event.seq, about, False, state.notes))


def _seat(event: Event) -> str:
    return cast(str, event.seat)


STEPS: dict[type[Payload], On] = {
    events.MatchStarted: on_match_started,
    events.HandChosen: on_hand_chosen,
    events.LayoutLaid: on_layout_laid,
    events.TilePlaced: on_tile_placed,
    events.KnightsDeployed: on_knights_deployed,
    events.KnightsDeclined: on_knights_declined,
    events.TileDrawn: on_tile_drawn,
    events.TurnEnded: on_turn_ended,
    events.TurnPassed: on_turn_passed,
    shared.PlayerResigned: on_player_resigned,
    shared.TimeCalled: on_time_called,
    shared.DrawAgreed: on_draw_agreed,
    events.MatchEnded: on_match_ended,
    shared.MatchAbandoned: on_match_abandoned,
    shared.MatchAnnulled: on_match_annulled,
    shared.StateAdjusted: on_state_adjusted,
    shared.DisputeOpened: on_dispute_opened,
    shared.RulingGiven: on_ruling_given,
}
