"""What forbids an event: one check for each type, in the order of part 5 of the rule page.

First the form that the types of the payloads cannot tell, then the end of the match, then the event's own conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from rulesengine import paths, shared
from rulesengine.game import FORM, Breach, Event, Payload, Refusal, Rule
from rulesengine.robberknights import events
from rulesengine.robberknights.adjust import adjusted
from rulesengine.robberknights.board import can_place, touches, window
from rulesengine.robberknights.rules import (
    RK_03,
    RK_04,
    RK_05,
    RK_06,
    RK_10,
    RK_11,
    RK_12,
    RK_13,
    RK_14,
    RK_15,
    RK_16,
    RK_20,
    RK_21,
    RK_22,
    RK_23,
    RK_24,
    RK_25,
    RK_26,
    RK_27,
    RK_28,
    RK_29,
    RK_42,
    RK_44,
    RK_46,
    RK_48,
    RK_49,
    RK_50,
)
from rulesengine.robberknights.state import VOID, Player, State, Xy, open_disputes
from rulesengine.robberknights.tables import CHOICES, LAYOUT, OWNED, PILE, TILES

type Check = Callable[[State, Event], Refusal | None]


def check(state: State, event: Event) -> Refusal | None:
    """Return the first rule that forbids an event, or None."""
    data = event.data
    kind = type(data)
    if data.observed is not None or kind in _BY_OPTIONS:
        wrong = malformed(state, event)
        if wrong is not None:
            return FORM.refuses(wrong, "form")
    if state.step == "over" and kind in IN_PLAY:
        return RK_42.refuses(f"the match is over ({state.ended_by}); nothing of the game is recorded any more", _NEVER)
    one = CHECKS.get(kind)
    return None if one is None else one(state, event)


_NEVER: Breach = "impossible"


# Form


def malformed(state: State, event: Event) -> str | None:
    """Return what is wrong with the form of an event in this match, or None."""
    data = event.data
    seats = state.setup.seats
    if isinstance(data, events.TileDrawn):
        sealed = state.setup.options.draw_record == "sealed"
        if sealed and data.tile is not None:
            return '"tile" must be null or left out; draws are sealed in this match (draw_record)'
        if not sealed and data.tile is None:
            return '"tile" must be the id of the tile drawn; draws are open in this match (draw_record)'
    elif isinstance(data, shared.DrawAgreed):
        for one in data.seats:
            if one not in seats:
                return f'"seats" names {paths.brief(one)}; the seats are {", ".join(seats)}'
    return None if data.observed is None else malformed_figures(data.observed, event.seat, seats)


def malformed_figures(seen: dict[str, Any], seat: str | None, seats: Sequence[str]) -> str | None:
    """Return what is wrong with the form of what the table saw, or None."""
    for key, value in seen.items():
        if key == "supply":
            if seat is None:
                return '"observed" has a supply, and the entry no seat whose it could be'
            if not _is_whole(value):
                return f'"observed" has supply = {paths.brief(value)}; a whole number was expected'
        elif key == "points":
            whole = isinstance(value, dict) and set(value) == set(seats) and all(map(_is_whole, value.values()))
            if not whole:
                return f'"observed" has points that are no whole number for each of the seats {", ".join(seats)}'
        else:
            return f'"observed" has the key {paths.brief(key)}; known are supply and points'
    return None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_BY_OPTIONS: frozenset[type[Payload]] = frozenset({events.TileDrawn, shared.DrawAgreed})
"""Payloads whose form depends on the header."""


# Set-up


def check_match_started(state: State, event: Event) -> Refusal | None:
    """Refuse a start after the first choice, or with a seat that is none."""
    start = cast(events.MatchStarted, event.data).start_seat
    if state.step != "hand" or any(player.hand for player in state.players.values()):
        return RK_10.refuses("play has begun; match_started stands before the first hand_chosen", _NEVER)
    if isinstance(start, str) and start not in state.setup.seats:
        seats = ", ".join(state.setup.seats)
        return RK_06.refuses(f"{paths.brief(start)} is no seat and cannot begin", _NEVER, f"one of {seats}")
    return None


def check_hand_chosen(state: State, event: Event) -> Refusal | None:
    """Refuse a choice at another time, twice, or of another tile."""
    tile = cast(events.HandChosen, event.data).tile
    if state.step != "hand":
        return RK_04.refuses(f"hands are chosen before the layout is laid; the step is {state.step}", _NEVER)
    if state.players[_seat(event)].hand:
        return RK_04.refuses(f"{event.seat} has chosen already", _NEVER)
    if tile not in CHOICES:
        because = f"{paths.brief(tile)} cannot be chosen"
        return RK_04.refuses(because, _NEVER, "A2, A3 or A4; the castle A1 is in the hand anyway")
    return None


def check_layout_laid(state: State, event: Event) -> Refusal | None:
    """Refuse a layout at another time, of other tiles, or of another shape."""
    cells = cast(events.LayoutLaid, event.data).cells
    if state.step != "layout":
        return RK_05.refuses(f"the layout is laid once, when all hands are chosen; the step is {state.step}", _NEVER)
    expected = layout_tiles(state)
    if sorted([one.tile for one in cells]) != expected:
        return RK_05.refuses("these are not the A tiles left", _NEVER, f"exactly {', '.join(expected)}")
    laid = {(one.x, one.y) for one in cells}
    if len(laid) != len(cells):
        return RK_05.refuses("two tiles lie on one cell", _NEVER)
    columns, rows = LAYOUT[len(state.setup.seats)]
    if laid not in (_rectangle(columns, rows), _rectangle(rows, columns)):
        because = f"the tiles are no full rectangle of {columns} × {rows} or {rows} × {columns} with the corner at 0,0"
        return RK_05.refuses(because)
    return None


def layout_tiles(state: State) -> list[str]:
    """Return the tiles of the starting layout, sorted: the A tiles that nobody took into the hand."""
    return sorted(
        f"{seat}:{id_}"
        for seat, player in state.players.items()
        for id_ in player.unplaced
        if id_[0] == "A" and all(slot.tile != id_ for slot in player.hand)
    )


def _rectangle(columns: int, rows: int) -> set[Xy]:
    return {(x, y) for x in range(columns) for y in range(rows)}


# Turns


def _not_at_turn(state: State, event: Event) -> Refusal | None:
    if state.current == event.seat:
        return None
    if state.current is None:
        return RK_10.refuses(f"no turn has begun; the step is {state.step}", _NEVER)
    return RK_10.refuses(f"it is the turn of {state.current}, not of {event.seat}", _NEVER, next_step(state))


def next_step(state: State) -> str:
    """Return in words what the seat at turn does next."""
    seat = state.current
    if state.step == "knights":
        return f"{seat} sends knights from the castle (knights_deployed) or none (knights_declined)"
    if state.step == "draw":
        return f"{seat} draws a tile (tile_drawn)"
    if seat is not None and not state.placed_this_turn and not can_place(state, seat):
        return f"{seat} passes (turn_passed)"
    return f"{seat} places a tile (tile_placed)" + (" or ends the turn (turn_ended)" if state.placed_this_turn else "")


def check_tile_placed(state: State, event: Event) -> Refusal | None:
    """Refuse a placement out of turn, of a tile not held, on a taken cell, apart from all tiles or outside the window."""
    data = cast(events.TilePlaced, event.data)
    if state.current != event.seat:
        return _not_at_turn(state, event)
    if state.step != "place":
        because = f"a tile is placed only while no castle and no draw is open; the step is {state.step}"
        return RK_10.refuses(because, _NEVER, next_step(state))
    if slot_of(state.players[_seat(event)], data.tile) is None:
        return RK_14.refuses(f"{event.seat} does not hold {paths.brief(data.tile)}", _NEVER, _held(state, event))
    x, y, board = data.x, data.y, state.board
    if (x, y) in board:
        return RK_12.refuses(f"{board[x, y].tile} lies on {x},{y} already", _NEVER)
    if not touches(board, x, y):
        return RK_11.refuses(f"{x},{y} shares no edge with a tile")
    left, top, right, bottom = window(state)
    if not (left <= x <= right and top <= y <= bottom):
        because = f"{x},{y} lies outside the {state.setup.options.grid} columns and rows that all tiles may span"
        return RK_13.refuses(because, nearest=f"x from {left} to {right}, y from {top} to {bottom}")
    return None


def slot_of(player: Player, tile: str) -> int | None:
    """Return the slot of the hand that a tile is placed from, None if it cannot be placed.

    A known face is that tile; a sealed slot of its letter stands for it if it is not placed and no slot shows it.
    """
    sealed = None
    for at, slot in enumerate(player.hand):
        if slot.tile == tile:
            return at
        if sealed is None and slot.tile is None and slot.letter == tile[:1]:
            sealed = at
    return sealed if sealed is not None and tile in player.unplaced else None


def _held(state: State, event: Event) -> str | None:
    hand = state.players[_seat(event)].hand
    if not hand:
        return None
    return " or ".join(slot.tile or f"a tile of letter {slot.letter}" for slot in hand) + " from the hand"


def check_tile_drawn(state: State, event: Event) -> Refusal | None:
    """Refuse a draw that is not due, from under the top, or of a tile that cannot be there."""
    data = cast(events.TileDrawn, event.data)
    if state.current != event.seat:
        return _not_at_turn(state, event)
    if state.step != "draw":
        return RK_15.refuses(f"no draw is due; the step is {state.step}", _NEVER, next_step(state))
    player = state.players[_seat(event)]
    wrong = _not_drawable(player, data)
    top = player.top
    if data.letter != top:
        there = data.letter in PILE and len(data.letter) == 1 and player.pile[PILE.index(data.letter)] > 0
        breach: Breach = "irregular" if there and wrong is None else _NEVER
        because = f"the letter on top of the pile of {event.seat} is {top}, not {paths.brief(data.letter)}"
        return RK_03.refuses(because, breach, f"a tile of letter {top}")
    return None if wrong is None else RK_14.refuses(wrong, _NEVER)


def _not_drawable(player: Player, data: events.TileDrawn) -> str | None:
    tile = data.tile
    if tile is None:
        return None
    if tile not in TILES:
        return f"there is no tile {paths.brief(tile)}"
    if tile[0] != data.letter:
        return f"{tile} has not the letter {paths.brief(data.letter)}"
    if tile not in player.unplaced:
        return f"{tile} lies on the board"
    if any(slot.tile == tile for slot in player.hand):
        return f"{tile} is in the hand already"
    return None


def check_turn_ended(state: State, event: Event) -> Refusal | None:
    """Refuse the end of a turn with something open or nothing done."""
    if state.current != event.seat:
        return _not_at_turn(state, event)
    if state.step != "place":
        return RK_16.refuses(f"a turn does not end in step {state.step}", nearest=next_step(state))
    if not state.placed_this_turn:
        return RK_16.refuses("nothing was done in this turn", nearest=next_step(state))
    return None


def check_turn_passed(state: State, event: Event) -> Refusal | None:
    """Refuse a pass after an action, with something open, or while a tile can be placed."""
    if state.current != event.seat:
        return _not_at_turn(state, event)
    if state.step != "place" or state.placed_this_turn:
        because = f"a turn is passed before anything is done; {state.placed_this_turn} actions are begun"
        return RK_16.refuses(because, nearest=next_step(state))
    if state.setup.options.min_tiles_per_turn and can_place(state, _seat(event)):
        return RK_16.refuses("a tile can be placed, so the first action is a duty", nearest=next_step(state))
    return None


# Knights


def check_knights_declined(state: State, event: Event) -> Refusal | None:
    """Refuse to send nobody where nobody can be sent, or where the castle must be manned and can be."""
    if state.current != event.seat:
        return _not_at_turn(state, event)
    if state.step != "knights" or state.castle_pending is None:
        return RK_20.refuses("no castle was just placed", _NEVER, next_step(state))
    options = state.setup.options
    minimum = OWNED[state.board[state.castle_pending].tile].minimum or 0
    most = min(options.deploy_max, state.players[_seat(event)].supply)
    if options.castle_min_deploy and most >= minimum:
        because = f"a castle must be manned in this match, and {most} knights could go out"
        return RK_21.refuses(because, nearest=f"knights_deployed with at least {minimum}")
    return None


def check_knights_deployed(state: State, event: Event) -> Refusal | None:
    """Refuse knights where none can be sent, or a path that breaks a rule."""
    if state.current != event.seat:
        return _not_at_turn(state, event)
    if state.step != "knights" or state.castle_pending is None:
        return RK_20.refuses("no castle was just placed", _NEVER, next_step(state))
    path = cast(events.KnightsDeployed, event.data).path
    supply = state.players[_seat(event)].supply
    found = _forbidden(state, state.castle_pending, path, supply)
    if found is None:
        return None
    rule, because = found
    total = sum([one.leave for one in path])
    board = state.board
    possible = 1 <= total <= supply and all((one.x, one.y) in board for one in path)
    return rule.refuses(because, "irregular" if possible else _NEVER)


def _forbidden(state: State, castle: Xy, path: tuple[events.Left, ...], supply: int) -> tuple[Rule, str] | None:
    """Return the first rule that a path breaks, entry by entry, and how; or None."""
    first = path[0]
    if (first.x, first.y) != castle:
        return RK_22, f"the path begins on {first.x},{first.y}; the castle just placed lies on {castle[0]},{castle[1]}"
    options, board = state.setup.options, state.board
    total = arriving = sum([one.leave for one in path])
    left: dict[Xy, int] = {}
    before = heading = castle
    for at, one in enumerate(path):
        xy = x, y = (one.x, one.y)
        if at:
            step = (x - before[0], y - before[1])
            if abs(step[0]) + abs(step[1]) != 1:
                return RK_23, f"{x},{y} shares no edge with {before[0]},{before[1]}"
            if xy not in board:
                return RK_23, f"no tile lies on {x},{y}"
            if OWNED[board[xy].tile].minimum is None:
                return RK_24, f"{x},{y} is a lake"
            if at == 1:
                heading = step
            elif step != heading and options.movement == "straight_line":
                return RK_29, f"the stack turns on {before[0]},{before[1]}; it goes in a straight line"
        minimum = OWNED[board[xy].tile].minimum or 0
        again = at > 0 and xy == castle
        if again and options.castle_return == "already_satisfied":
            minimum = 0
        if arriving < minimum or not arriving:
            return RK_27, f"{arriving} knights arrive on {x},{y}; it needs {max(1, minimum)}"
        if one.leave < minimum:
            because = f"{one.leave} knights stay on {x},{y}; it needs {minimum}"
            return (RK_28, f"{because} each time") if again else (RK_25, because)
        left[xy] = left.get(xy, 0) + one.leave
        full = len(board[xy].stack) + left[xy]
        if options.tile_capacity is not None and full > options.tile_capacity:
            return RK_26, f"{x},{y} would hold {full} knights; {options.tile_capacity} have room"
        arriving -= one.leave
        before = xy
    most = min(options.deploy_max, supply)
    if total > most:
        return RK_21, f"{total} knights go out; {most} may ({supply} are in the supply)"
    return None


# What all games share


def check_player_resigned(state: State, event: Event) -> Refusal | None:
    """Refuse to resign twice."""
    if event.seat in state.resigned:
        return RK_44.refuses(f"{event.seat} has resigned already", _NEVER)
    return None


def check_draw_agreed(state: State, event: Event) -> Refusal | None:
    """Refuse a draw of others than those who play."""
    seats = cast(shared.DrawAgreed, event.data).seats
    if sorted(seats) != sorted(state.playing):
        because = f"the draw names {', '.join(seats) or 'nobody'}"
        return RK_46.refuses(because, _NEVER, f"exactly those who play: {', '.join(state.playing)}")
    return None


def _void(state: State) -> Refusal | None:
    if state.ended_by in VOID:
        return RK_50.refuses(f"the match is {state.ended_by} and counts for nothing", _NEVER)
    return None


def check_state_adjusted(state: State, event: Event) -> Refusal | None:
    """Refuse a value that cannot be set."""
    refusal = _void(state)
    if refusal is not None:
        return refusal
    data = cast(shared.StateAdjusted, event.data)
    try:
        adjusted(state, data.path, data.old, data.new)
    except ValueError as error:
        return RK_48.refuses(str(error), _NEVER)
    return None


def check_match_annulled(state: State, event: Event) -> Refusal | None:
    """Refuse to annul what counts for nothing already."""
    return _void(state)


def check_match_ended(state: State, event: Event) -> Refusal | None:
    """Refuse an end before the end."""
    if state.step != "over":
        return RK_42.refuses(f"the match is not over; the step is {state.step}")
    return None


def check_placements_confirmed(state: State, event: Event) -> Refusal | None:
    """Refuse to confirm before the end, of a void match, or with a dispute open."""
    if state.step != "over":
        return RK_42.refuses("the match is not over; placements are confirmed after its end", _NEVER)
    refusal = _void(state)
    if refusal is not None:
        return refusal
    for seq in open_disputes(state):
        because = f"a dispute is open (seq {seq})"
        return RK_49.refuses(because, _NEVER, "a ruling_given with the same about_seq closes it")
    return None


def _seat(event: Event) -> str:
    return cast(str, event.seat)


IN_PLAY: frozenset[type[Payload]] = frozenset(
    {
        events.MatchStarted,
        events.HandChosen,
        events.LayoutLaid,
        events.TilePlaced,
        events.KnightsDeployed,
        events.KnightsDeclined,
        events.TileDrawn,
        events.TurnEnded,
        events.TurnPassed,
        shared.PlayerResigned,
        shared.TimeCalled,
        shared.DrawAgreed,
        shared.MatchAbandoned,
        shared.MatchPaused,
        shared.MatchResumed,
        shared.PenaltyGiven,
    }
)
"""What is not recorded once the match is over."""

CHECKS: dict[type[Payload], Check] = {
    events.MatchStarted: check_match_started,
    events.HandChosen: check_hand_chosen,
    events.LayoutLaid: check_layout_laid,
    events.TilePlaced: check_tile_placed,
    events.KnightsDeployed: check_knights_deployed,
    events.KnightsDeclined: check_knights_declined,
    events.TileDrawn: check_tile_drawn,
    events.TurnEnded: check_turn_ended,
    events.TurnPassed: check_turn_passed,
    shared.PlayerResigned: check_player_resigned,
    shared.DrawAgreed: check_draw_agreed,
    shared.StateAdjusted: check_state_adjusted,
    shared.MatchAnnulled: check_match_annulled,
    events.MatchEnded: check_match_ended,
    events.PlacementsConfirmed: check_placements_confirmed,
}
