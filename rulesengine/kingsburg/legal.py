"""What may be recorded next, with sensible values, in a fixed order; nothing is offered that the checks would refuse.

What dice and cards show is offered too: every roll, every card of the year. Where the ways to pay are many, some are offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Literal, cast

from rulesengine.game import Event
from rulesengine.kingsburg import events as e
from rulesengine.kingsburg.figures import cost, playing, soldier_price, supply, total, white_dice
from rulesengine.kingsburg.state import Player, State
from rulesengine.kingsburg.tables import ALTERNATIVES, BUILDINGS, CARDS, KINDS, PRICED, SEVERAL

MOST_WAYS = 12
"""So many ways at most to pay the same number of goods are offered."""
DIE = range(1, 7)
COLOURED = 3
CHAPEL_TOTAL = 7
GOODS: tuple[e.Good, ...] = ("gold", "wood", "stone")
PURSE: tuple[Literal["gold", "wood", "stone", "plus_two"], ...] = ("gold", "wood", "stone", "plus_two")


def legal(state: State) -> Iterator[Event]:
    """Yield what may be recorded next: the start, what the step asks for, looks at the enemy card, and who may resign."""
    if state.finished:
        return
    if not state.begun:
        yield Event(None, e.MatchStarted())
        for order in permutations(state.setup.seats):
            yield Event(None, e.MatchStarted(turn_order=order))
    if not state.deck_prepared and not state.dice_seen:
        yield Event(None, e.EnemyDeckPrepared())
    yield from STEPS[state.step](state)
    seats = playing(state)
    if state.step in ("help", "build", "season_end"):
        for seat in seats:
            if state.players[seat].looks:
                yield Event(seat, e.EnemyPeeked())
    for seat in seats:
        yield Event(seat, e.PlayerResigned())


# Goods ----------------------------------------------------------------------------------------------------------------


def _in_supply(state: State) -> list[e.Good]:
    """Return the goods of which the supply has one."""
    if not state.setup.options.supply_limited:
        return list(GOODS)
    return [good for good in GOODS if supply(state.players, good)]


def _ways(count: int, most: tuple[int, int, int]) -> list[e.Goods]:
    """Return the ways to choose so many goods, of each kind at most as many; some of them if they are many."""
    gold, wood, stone = most
    found = [
        e.Goods(gold=g, wood=w, stone=count - g - w)
        for g in range(min(gold, count), -1, -1)
        for w in range(min(wood, count - g), -1, -1)
        if count - g - w <= stone
    ]
    return found if len(found) <= MOST_WAYS else found[:: -(-len(found) // MOST_WAYS)]


def _owned(player: Player) -> tuple[int, int, int]:
    return player.gold, player.wood, player.stone


# King's aid and the roll ----------------------------------------------------------------------------------------------


def _aid(state: State) -> Iterator[Event]:
    for one in state.pending:
        for good in _in_supply(state):
            yield Event(one.seat, e.AidGoodTaken(good=good))


@cache
def _blocks() -> tuple[e.AdvisorsBlocked, ...]:
    """Return what may be blocked: nothing, one advisor by dice that add up to it, or those whom three dice show."""
    single = [
        e.AdvisorsBlocked(advisors=(number,), dice=(*[6] * ((number - 1) // 6), (number - 1) % 6 + 1))
        for number in range(1, 19)
    ]
    several = [
        e.AdvisorsBlocked(advisors=tuple(sorted(set(dice))), dice=dice)
        for dice in combinations_with_replacement(DIE, COLOURED)
    ]
    return (e.AdvisorsBlocked(advisors=(), dice=()), *single, *several)


def _block(state: State) -> Iterator[Event]:
    for data in _blocks():
        yield Event(None, data)


@cache
def _rolls(white: int) -> tuple[tuple[e.DiceRolled, e.ChapelRerolled], ...]:
    """Return every roll with so many white dice, as the first of a season and as one by the Chapel."""
    return tuple(
        (e.DiceRolled(coloured=coloured, white=others), e.ChapelRerolled(coloured=coloured, white=others))
        for coloured in combinations_with_replacement(DIE, COLOURED)
        for others in combinations_with_replacement(DIE, white)
    )


def _roll(state: State) -> Iterator[Event]:
    seats = playing(state)
    for seat in seats:
        player = state.players[seat]
        if not player.rolled:
            for roll, _ in _rolls(white_dice(state, seat)):
                yield Event(seat, roll)
            continue
        if "statue" in player.buildings and "statue" not in player.used:
            yield from _statue(seat, player)
        if "chapel" in player.buildings and "chapel" not in player.used and total(player) <= CHAPEL_TOTAL:
            for _, again in _rolls(white_dice(state, seat)):
                yield Event(seat, again)
    if all(state.players[seat].rolled for seat in seats):
        yield Event(None, e.RollsClosed())


def _statue(seat: str, player: Player) -> Iterator[Event]:
    if len({*player.coloured, *player.white}) > 1:
        return
    kinds: tuple[tuple[e.DieKind, tuple[int, ...]], ...] = (("coloured", player.coloured), ("white", player.white))
    for kind, dice in kinds:
        if dice:
            for result in DIE:
                yield Event(seat, e.StatueRerolled(die=e.Die(kind, dice[0]), result=result))


# Influence ------------------------------------------------------------------------------------------------------------


def _groups(dice: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the different groups of some dice, the empty one first."""
    return list(dict.fromkeys(group for size in range(len(dice) + 1) for group in combinations(dice, size)))


def _influence(state: State) -> Iterator[Event]:
    seat = state.on_turn
    if seat is None:
        return
    player, options = state.players[seat], state.setup.options
    token = player.plus_two > 0 and ("plus_two" not in player.used or options.plus_two_limit == "per_advisor")
    market = "market" in player.buildings and "market" not in player.used
    for coloured, white in product(_groups(player.coloured)[1:], _groups(player.white)):
        for plus_two, more in product((False, True) if token else (False,), (0, 1, -1) if market else (0,)):
            if plus_two and more and not options.market_with_plus_two:
                continue
            number = sum(coloured) + sum(white) + 2 * plus_two + more
            envoy = number in state.influence or number in state.blocked
            if 1 <= number <= 18 and (not envoy or _leads(state, seat, number)):
                yield Event(seat, e.AdvisorInfluenced(number, coloured, white, plus_two, more, envoy))
    yield Event(seat, e.InfluencePassed())


def _leads(state: State, seat: str, number: int) -> bool:
    """Return whether the envoy leads a seat to an advisor who is influenced or blocked."""
    options = state.setup.options
    if state.envoy_holder != seat or (number in state.blocked and not options.envoy_overrides_block):
        return False
    own = any(one.seat == seat for one in state.influence.get(number, ()))
    return options.envoy_on_own_advisor or not own


# Help -----------------------------------------------------------------------------------------------------------------


def _help(state: State) -> Iterator[Event]:
    (awaited,) = state.pending
    seat, number = awaited.seat, awaited.advisor or 0
    player, limited = state.players[seat], state.setup.options.supply_limited
    for index, row in enumerate(ALTERNATIVES[number]):
        if any(getattr(player, good) + row.get(good, 0) < 0 for good in GOODS):
            continue
        due = row.get("any", 0)
        most = (due, due, due)
        if limited:
            most = (supply(state.players, "gold"), supply(state.players, "wood"), supply(state.players, "stone"))
            due = min(due, sum(most))
        alternative = index if number in SEVERAL else e.ABSENT
        for chosen in _ways(due, most):
            yield Event(seat, e.HelpTaken(advisor=number, alternative=alternative, any=chosen))
    if number in PRICED and state.setup.options.help_may_be_declined:
        yield Event(seat, e.HelpTaken(advisor=number, declined=True))


# Build, season end, recruiting ----------------------------------------------------------------------------------------


def _build(state: State) -> Iterator[Event]:
    seat = state.on_turn
    if seat is None:
        return
    player = state.players[seat]
    envoy = player.built > 0
    limit = state.setup.options.building_token_limit
    if (not envoy or state.envoy_holder == seat) and (limit is None or len(player.buildings) < limit):
        for key in _affordable(player):
            yield Event(seat, e.BuildingBuilt(key, envoy))
    yield Event(seat, e.BuildPassed())


def _affordable(player: Player) -> Iterator[e.BuildingKey]:
    """Yield what a player can construct and pay: of every row the next building, and no other."""
    owned, rows = set(player.buildings), set()
    for row in BUILDINGS:
        key: e.BuildingKey = row["key"]
        if key in owned or row["row"] in rows:
            continue
        rows.add(row["row"])
        if all(have >= due for have, due in zip(_owned(player), cost(player, key), strict=True)):
            yield key


def _season_end(state: State) -> Iterator[Event]:
    for seat in playing(state):
        player = state.players[seat]
        if "town_hall" in player.buildings and "town_hall" not in player.used:
            for piece in PURSE:
                if getattr(player, piece):
                    yield Event(seat, e.TownHallUsed(pay=piece))
    yield Event(None, e.SeasonClosed())


def _recruit(state: State) -> Iterator[Event]:
    seat = state.on_turn
    if seat is None:
        return
    player = state.players[seat]
    price = soldier_price(player)
    for soldiers in range(1, player.goods // price + 1):
        for pay in _ways(soldiers * price, _owned(player)):
            yield Event(seat, e.SoldiersRecruited(soldiers, pay))
    yield Event(seat, e.RecruitPassed())


# Winter ---------------------------------------------------------------------------------------------------------------


@cache
def _cards(year: int) -> tuple[e.EnemyRevealed, ...]:
    """Return the cards of a year, and one that is not in the table: of the middle strength of the year."""
    ids = [id_ for id_, row in CARDS.items() if row["year"] == year]
    strengths = [CARDS[id_]["strength"] for id_ in ids]
    kind = cast(e.EnemyKind, KINDS[year - 1])
    other = e.CustomEnemy(kind, (min(strengths) + max(strengths)) // 2, e.Victory(any=1), e.Defeat(any=2, building=1))
    return (*(e.EnemyRevealed(enemy=id_) for id_ in ids), e.EnemyRevealed(custom=other))


def _battle(state: State) -> Iterator[Event]:
    if state.reinforcement is None:
        for value in DIE:
            yield Event(None, e.ReinforcementsRolled(value))
    if state.enemy is None:
        *table, other = _cards(state.year)
        for data in table:
            yield Event(None, data)
        if state.setup.options.enemy_custom_allowed:
            yield Event(None, other)


def _choices(state: State) -> Iterator[Event]:
    for one in dict.fromkeys(state.pending):
        player = state.players[one.seat]
        if one.kind == "victory_good":
            for good in _in_supply(state):
                yield Event(one.seat, e.VictoryGoodChosen(good=good))
        elif one.kind == "loss":
            for goods in _ways(one.goods or 0, _owned(player)):
                yield Event(one.seat, e.LossChosen(goods))
        else:
            for building in player.buildings:
                yield Event(one.seat, e.BuildingLossChosen(cast(e.BuildingKey, building)))


STEPS = {
    "aid": _aid,
    "block": _block,
    "roll": _roll,
    "influence": _influence,
    "help": _help,
    "build": _build,
    "season_end": _season_end,
    "recruit": _recruit,
    "battle": _battle,
    "battle_choices": _choices,
}
