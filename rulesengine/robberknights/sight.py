"""What the players and spectators of a match may not see while it runs: faces of tiles in other hands (part 6 of the rule page).

The letters on the backs, piles, supplies and the board are everybody's. A face is its owner's from the draw until the tile is
placed; the A tiles are known, for the layout shows the others. A sealed face is in no log before that.
"""

from __future__ import annotations

from msgspec.structs import replace

from rulesengine.game import Event
from rulesengine.robberknights.events import TileDrawn
from rulesengine.robberknights.state import Slot, State
from rulesengine.robberknights.tables import PILE, TILES


def event_seen_by(event: Event, viewer: str | None, now: State | None = None) -> Event:
    """Return what a seat (or None: a spectator) may see of an event: of a draw, the letter alone until its tile is placed."""
    data = event.data
    if not isinstance(data, TileDrawn) or data.tile is None or event.seat == viewer:
        return event
    if data.tile in TILES and now is not None and not _is_unplaced(now, event.seat, data.tile):
        return event
    return replace(event, data=replace(data, tile=None))


def state_seen_by(state: State, viewer: str | None, now: State | None = None) -> State:
    """Return a position in which the faces in other hands are not known; the same one if there are none.

    `now` is the present position (None: this one): a tile that lies on the board in it is known in earlier positions too.
    """
    present = state if now is None else now
    players = None
    for seat, player in state.players.items():
        if seat == viewer:
            continue
        hand = tuple([_sealed(slot, seat, present) for slot in player.hand])
        if hand != player.hand:
            players = players or state.players.copy()
            players[seat] = replace(player, hand=hand)
    return state if players is None else replace(state, players=players)


def _sealed(slot: Slot, seat: str, present: State) -> Slot:
    if slot.tile is not None and slot.letter in PILE and _is_unplaced(present, seat, slot.tile):
        return Slot(slot.letter, None)
    return slot


def _is_unplaced(now: State, seat: str | None, tile: str) -> bool:
    player = now.players.get(seat or "")
    return player is None or tile in player.unplaced
