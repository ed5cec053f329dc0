"""What can be counted in a position: supply, dice, prices, strength. Nothing here changes or forbids anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesengine.kingsburg.state import Player, State
from rulesengine.kingsburg.tables import BUILDING, GOODS, SUPPLY


def supply(players: Mapping[str, Player], piece: str) -> int:
    """Return how many of a good or of the +2 tokens lie in the supply (KB-05)."""
    owned: int = sum(getattr(player, piece) for player in players.values())
    return max(0, SUPPLY[piece] - owned)


def supply_of_goods(players: Mapping[str, Player]) -> int:
    """Return how many goods of any kind lie in the supply."""
    return sum(supply(players, good) for good in GOODS)


def playing(state: State) -> list[str]:
    """Return the seats that have not resigned, in turn order."""
    return [seat for seat in state.turn_order if not state.players[seat].resigned]


def fewest(state: State) -> list[str]:
    """Return who has the fewest buildings and of those the fewest goods, in turn order (KB-21, KB-77)."""
    seats = playing(state)
    standing = {seat: (len(state.players[seat].buildings), state.players[seat].goods) for seat in seats}
    least = min(standing.values())
    return [seat for seat in seats if standing[seat] == least]


def white_dice(state: State, seat: str) -> int:
    """Return how many white dice a player rolls this season (KB-32)."""
    aid = state.phase == "spring" and state.aid_die_holder == seat
    return ("farms" in state.players[seat].buildings) + aid


def total(player: Player) -> int:
    """Return the total of a player's dice."""
    return sum(player.coloured) + sum(player.white)


def sorted_turn_order(state: State) -> tuple[str, ...]:
    """Return the turn order that the dice give, those who resigned behind the others (KB-34, KB-140)."""
    players = state.players
    order = sorted(playing(state), key=lambda seat: total(players[seat]))
    return (*order, *(seat for seat in state.turn_order if players[seat].resigned))


def without(dice: tuple[int, ...], group: Iterable[int]) -> tuple[int, ...] | None:
    """Return the dice that are left without a group of them; None if the group is not among them."""
    left = list(dice)
    for die in group:
        if die not in left:
            return None
        left.remove(die)
    return tuple(left)


def cost(player: Player, key: str) -> tuple[int, int, int]:
    """Return gold, wood and stone that a building costs a player now (KB-62)."""
    building = BUILDING[key]
    gold = building.gold
    if gold and building.col >= 3 and "crane" in player.buildings:
        gold -= 1
    return gold, building.wood, building.stone


def soldier_price(player: Player) -> int:
    """Return how many goods a soldier costs a player (KB-80)."""
    return 1 if "barracks" in player.buildings else 2


def strength(player: Player, kind: str, reinforcement: int) -> int:
    """Return a player's battle total against a kind of enemy (KB-88)."""
    buildings = [BUILDING[key] for key in player.buildings]
    return player.soldiers + reinforcement + sum(one.battle + one.versus.get(kind, 0) for one in buildings)


def rightmost_then_topmost(buildings: Iterable[str]) -> str:
    """Return the building that is lost of some (KB-93)."""
    return min(buildings, key=lambda key: (-BUILDING[key].col, BUILDING[key].row))
