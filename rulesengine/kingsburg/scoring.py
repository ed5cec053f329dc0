"""Who has which place, and the result record of a match (KB-95, KB-96, KB-140, KB-141)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulesengine.kingsburg.state import Player, State


def placements(state: State) -> tuple[tuple[str, int], ...] | None:
    """Return seats and places by place, equal places in the order of the header; None while the match runs or if it is void."""
    if not state.finished or state.void:
        return None
    order = state.setup.options.final_tiebreak
    playing = [seat for seat in state.setup.seats if not state.players[seat].resigned]
    scores = {seat: () if state.drawn else _score(state.players[seat], order) for seat in playing}
    placed = [(seat, 1 + sum(other > scores[seat] for other in scores.values())) for seat in playing]
    placed.sort(key=lambda one: one[1])  # which keeps the order of the seats among equals
    last = len(placed)
    placed += [(seat, last + behind) for behind, seat in enumerate(reversed(state.resigned), 1)]
    return tuple(placed)


def _score(player: Player, order: tuple[str, ...]) -> tuple[int, ...]:
    ties = {"goods": player.goods, "buildings": len(player.buildings)}
    return (player.vp, *(ties[name] for name in order))


def result(state: State) -> dict[str, Any] | None:
    """Return each seat's figures of the end, or None while the match runs or if it is void."""
    placed = placements(state)
    if placed is None:
        return None
    places = dict(placed)
    return {
        seat: {
            "vp": player.vp,
            "vp_before_cathedral": player.vp - state.cathedral.get(seat, 0),
            "goods": player.goods,
            "buildings": len(player.buildings),
            "place": places[seat],
        }
        for seat, player in state.players.items()
    }
