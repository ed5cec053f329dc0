"""What forbids an event: the order of part 5 of the rule page, the first failing check is cited.

First whether the match is over, then whether the seat still plays, then phase and step, then the event's own conditions; of those
the impossible ones stand before the irregular ones, so that what is irregular can always be carried out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from msgspec import Struct

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsburg import adjust
from rulesengine.kingsburg import events as e
from rulesengine.kingsburg.figures import (
    cost,
    playing,
    soldier_price,
    sorted_turn_order,
    supply,
    supply_of_goods,
    total,
    white_dice,
    without,
)
from rulesengine.kingsburg.rules import (
    KB_03,
    KB_04,
    KB_05,
    KB_09,
    KB_10,
    KB_22,
    KB_30,
    KB_32,
    KB_33,
    KB_34,
    KB_40,
    KB_41,
    KB_42,
    KB_43,
    KB_44,
    KB_45,
    KB_46,
    KB_47,
    KB_48,
    KB_50,
    KB_51,
    KB_53,
    KB_55,
    KB_56,
    KB_60,
    KB_61,
    KB_62,
    KB_64,
    KB_72,
    KB_80,
    KB_81,
    KB_85,
    KB_86,
    KB_87,
    KB_90,
    KB_92,
    KB_93,
    KB_101,
    KB_102,
    KB_130,
    KB_140,
    KB_141,
    KB_143,
    KB_146,
)
from rulesengine.kingsburg.state import Pending, State
from rulesengine.kingsburg.tables import ALTERNATIVES, BUILDING, CARDS, GOODS, PRICED, SEASONS, SEVERAL
from rulesengine.paths import brief
from rulesengine.shared import MatchPaused, MatchResumed, PenaltyGiven

IMPOSSIBLE: Final = "impossible"
MOST_COLOURED, MOST_WHITE = 3, 6
CHAPEL_TOTAL = 7


class Act(Struct, frozen=True):
    """Where an event belongs and its own conditions. `phases` None: any; `steps` None: any of the phase."""

    check: Callable[[State, str, Payload], Refusal | None]
    phases: frozenset[str] | None = None
    steps: frozenset[str] | None = None


def check(state: State, event: Event) -> Refusal | None:
    """Return the first rule that forbids an event, or None."""
    data = event.data
    kind = type(data)
    act = ACTS.get(kind)
    if act is None:
        other = OTHERS.get(kind)
        return None if other is None else other(state, event)
    if state.finished:
        return _is_over(state, data)
    seat = event.seat if data.SEATED else None
    if seat is not None and state.players[seat].resigned:
        return KB_140.refuses(f"{seat} has resigned and takes no more part", IMPOSSIBLE)
    if kind is not e.MatchStarted:
        if act.phases is not None and state.phase not in act.phases:
            because = f"the phase is {state.phase}; {data.TYPE} belongs to {_either(act.phases)}"
            return KB_10.refuses(because, IMPOSSIBLE)
        if act.steps is not None and state.step not in act.steps:
            because = f"the step is {state.step}; {data.TYPE} belongs to {_either(act.steps)}"
            return KB_30.refuses(because, IMPOSSIBLE)
    return act.check(state, seat or "", data)


def _is_over(state: State, data: Payload) -> Refusal | None:
    return KB_10.refuses(f"the match is over; {data.TYPE} can no longer be played", IMPOSSIBLE)


def _either(words: frozenset[str]) -> str:
    return " or ".join(sorted(words))


# Set-up and king's aid ------------------------------------------------------------------------------------------------


def _match_started(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.MatchStarted, payload)
    if state.begun:
        return KB_09.refuses("the match has begun already; its start stands before everything else, once", IMPOSSIBLE)
    if data.turn_order is not None and sorted(data.turn_order) != sorted(state.setup.seats):
        return KB_03.refuses(_no_order(state, data.turn_order), IMPOSSIBLE, " ".join(state.setup.seats))
    return None


def _no_order(state: State, order: tuple[str, ...]) -> str:
    return f"the turn order {brief(', '.join(order))} does not name each of {', '.join(state.setup.seats)} once"


def _enemy_deck_prepared(state: State, seat: str, data: Payload) -> Refusal | None:
    if state.deck_prepared:
        return KB_04.refuses("the enemy deck is prepared already")
    if state.dice_seen:
        return KB_04.refuses("the enemy deck is prepared before the first dice of the match")
    return None


def _aid_good_taken(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.AidGoodTaken, payload)
    if state.setup.options.supply_limited and not supply(state.players, data.good):
        return KB_05.refuses(f"there is no {data.good} left in the supply", IMPOSSIBLE)
    for one in state.pending:
        if one.seat == seat:
            return None
    awaited = ", ".join(one.seat for one in state.pending)
    return KB_22.refuses(f"{seat} has no good to take; awaited: {awaited}")


# A productive season: dice --------------------------------------------------------------------------------------------


def _advisors_blocked(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.AdvisorsBlocked, payload)
    wrong = next((one for one in data.advisors if not 1 <= one <= 18), None)
    if wrong is not None:
        return KB_130.refuses(f"there is no advisor {wrong}; they are 1 to 18", IMPOSSIBLE)
    if len(set(data.advisors)) < len(data.advisors):
        return KB_130.refuses(f"an advisor is named twice among {', '.join(map(str, data.advisors))}", IMPOSSIBLE)
    if not _are_dice(data.dice):
        return KB_130.refuses(_no_dice(data.dice), IMPOSSIBLE)
    return None


def _are_dice(dice: tuple[int, ...]) -> bool:
    return not dice or (min(dice) >= 1 and max(dice) <= 6)


def _no_dice(dice: tuple[int, ...]) -> str:
    wrong = next(one for one in dice if not 1 <= one <= 6)
    return f"a die shows {wrong}; it can show 1 to 6"


def _dice(coloured: tuple[int, ...], white: tuple[int, ...]) -> Refusal | None:
    """Return why these are no dice of a player at all."""
    for dice in (coloured, white):
        if not _are_dice(dice):
            return KB_32.refuses(_no_dice(dice), IMPOSSIBLE)
    if len(coloured) > MOST_COLOURED or len(white) > MOST_WHITE:
        because = f"{len(coloured)} coloured and {len(white)} white dice; there are {MOST_COLOURED} and {MOST_WHITE}"
        return KB_32.refuses(because, IMPOSSIBLE)
    return None


def _number_of_dice(state: State, seat: str, coloured: tuple[int, ...], white: tuple[int, ...]) -> Refusal | None:
    expected = white_dice(state, seat)
    if len(coloured) == MOST_COLOURED and len(white) == expected:
        return None
    because = (
        f"{seat} rolled {len(coloured)} coloured and {len(white)} white dice; {MOST_COLOURED} and {expected} are rolled"
    )
    return KB_32.refuses(because)


def _dice_rolled(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.DiceRolled, payload)
    wrong = _dice(data.coloured, data.white)
    if wrong is not None:
        return wrong
    if state.players[seat].rolled:
        return KB_32.refuses(f"{seat} has rolled this season already")
    return _number_of_dice(state, seat, data.coloured, data.white)


def _statue_rerolled(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.StatueRerolled, payload)
    player = state.players[seat]
    if not player.rolled:
        return KB_32.refuses(f"{seat} has not rolled yet", IMPOSSIBLE)
    dice = player.coloured if data.die.kind == "coloured" else player.white
    if data.die.value not in dice:
        return KB_101.refuses(f"{seat} has no {data.die.kind} die that shows {data.die.value}", IMPOSSIBLE)
    if not 1 <= data.result <= 6:
        return KB_101.refuses(_no_dice((data.result,)), IMPOSSIBLE)
    if "statue" not in player.buildings:
        return KB_101.refuses(f"{seat} has no Statue")
    if "statue" in player.used:
        return KB_33.refuses(f"{seat} has used the Statue this season already")
    if len({*player.coloured, *player.white}) > 1:
        shown = ", ".join(map(str, (*player.coloured, *player.white)))
        return KB_101.refuses(f"the dice of {seat} show {shown} and not all the same")
    return None


def _chapel_rerolled(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.ChapelRerolled, payload)
    player = state.players[seat]
    if not player.rolled:
        return KB_32.refuses(f"{seat} has not rolled yet", IMPOSSIBLE)
    wrong = _dice(data.coloured, data.white)
    if wrong is not None:
        return wrong
    if "chapel" not in player.buildings:
        return KB_102.refuses(f"{seat} has no Chapel")
    if "chapel" in player.used:
        return KB_33.refuses(f"{seat} has used the Chapel this season already")
    if total(player) > CHAPEL_TOTAL:
        return KB_102.refuses(f"the dice of {seat} add up to {total(player)}, which is more than {CHAPEL_TOTAL}")
    return _number_of_dice(state, seat, data.coloured, data.white)


def _rolls_closed(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.RollsClosed, payload)
    missing = [one for one, player in state.players.items() if not player.rolled and not player.resigned]
    if missing:
        return KB_32.refuses(f"not yet rolled: {', '.join(missing)}", IMPOSSIBLE)
    if data.turn_order is None:
        return None
    if sorted(data.turn_order) != sorted(state.setup.seats):
        return KB_34.refuses(_no_order(state, data.turn_order), IMPOSSIBLE)
    expected = sorted_turn_order(state)
    if data.turn_order != expected:
        because = f"the turn order is recorded as {', '.join(data.turn_order)}; by the dice it is {', '.join(expected)}"
        return KB_34.refuses(because, nearest="leave the turn order out")
    return None


# Influence ------------------------------------------------------------------------------------------------------------


def _influences(state: State, seat: str) -> Refusal | None:
    """Return why a player may not act in the step of influence now."""
    if state.players[seat].passed:
        return KB_48.refuses(f"{seat} has passed or has no coloured die left", nearest=_on_turn(state))
    if state.on_turn != seat:
        return KB_40.refuses(f"{state.on_turn} is on turn, not {seat}", nearest=_on_turn(state))
    return None


def _on_turn(state: State) -> str:
    return f"an event of {state.on_turn}"


def _advisor_influenced(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.AdvisorInfluenced, payload)
    player = state.players[seat]
    coloured, white, market, number = data.coloured, data.white, data.market, data.advisor
    if without(player.coloured, coloured) is None or (white and without(player.white, white) is None):
        have = f"{_shown(player.coloured)} and white {_shown(player.white)}"
        return KB_43.refuses(f"these dice are not there; {seat} has {have} left", IMPOSSIBLE)
    if not 1 <= number <= 18:
        return KB_41.refuses(f"there is no advisor {number}; they are 1 to 18", IMPOSSIBLE)
    if data.plus_two and player.plus_two < 1:
        return KB_44.refuses(f"{seat} has no +2 token", IMPOSSIBLE)
    if market and market not in (-1, 1):
        return KB_45.refuses(f"the Market counts 1 more or 1 less, not {market}", IMPOSSIBLE)
    if data.envoy and state.envoy_holder != seat:
        return KB_47.refuses(f"{seat} does not hold the king's envoy", IMPOSSIBLE)
    if player.passed or state.turn_order[state.turn_index or 0] != seat:
        refusal = _influences(state, seat)
        if refusal is not None:
            return refusal
    if not coloured:
        return KB_42.refuses("there is no coloured die in the group")
    reached = sum(coloured) + sum(white) + market + (2 if data.plus_two else 0)
    if reached != number:
        return KB_41.refuses(f"the group counts {reached}, the advisor is {number}", nearest=f"advisor {reached}")
    if data.plus_two or market:
        refusal = _helped_along(state, seat, data)
        if refusal is not None:
            return refusal
    if data.envoy:
        return _by_envoy(state, seat, number)
    if number in state.influence:
        there = ", ".join(one.seat for one in state.influence[number])
        return KB_46.refuses(f"advisor {number} has been influenced this season by {there}")
    if number in state.blocked:
        return KB_46.refuses(f"advisor {number} is blocked this season")
    return None


def _shown(dice: tuple[int, ...]) -> str:
    return ", ".join(map(str, dice)) or "none"


def _helped_along(state: State, seat: str, data: e.AdvisorInfluenced) -> Refusal | None:
    player, options = state.players[seat], state.setup.options
    if data.plus_two and "plus_two" in player.used and options.plus_two_limit == "per_season":
        return KB_44.refuses(f"{seat} has used a +2 token this season already")
    if data.market:
        if "market" not in player.buildings:
            return KB_45.refuses(f"{seat} has no Market")
        if "market" in player.used:
            return KB_45.refuses(f"{seat} has used the Market this season already")
        if data.plus_two and not options.market_with_plus_two:
            return KB_45.refuses("Market and +2 token are not combined in this match")
    return None


def _by_envoy(state: State, seat: str, number: int) -> Refusal | None:
    options = state.setup.options
    standing = state.influence.get(number, ())
    blocked = number in state.blocked
    if not standing and not blocked:
        return KB_47.refuses(f"advisor {number} is free; the envoy is not needed", nearest="without the envoy")
    if blocked and not options.envoy_overrides_block:
        return KB_47.refuses(f"advisor {number} is blocked, which the envoy does not help against in this match")
    if not options.envoy_on_own_advisor and any(one.seat == seat for one in standing):
        return KB_47.refuses(f"{seat} stands at advisor {number} already, where the envoy does not lead in this match")
    return None


def _influence_passed(state: State, seat: str, data: Payload) -> Refusal | None:
    return _influences(state, seat)


# Help -----------------------------------------------------------------------------------------------------------------


def _help_taken(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.HelpTaken, payload)
    awaited = state.pending[0]
    if awaited.seat != seat or awaited.advisor != data.advisor:
        because = f"{awaited.seat} is to take the help of advisor {awaited.advisor}, not {seat} that of {data.advisor}"
        return KB_50.refuses(because, IMPOSSIBLE)
    options = state.setup.options
    if data.declined:
        if data.advisor not in PRICED:
            return KB_55.refuses(f"the help of advisor {data.advisor} has no price and is received")
        if not options.help_may_be_declined:
            return KB_55.refuses("help is not refused in this match")
        return None
    alternatives = ALTERNATIVES[data.advisor]
    if data.alternative is None and data.advisor in SEVERAL:
        because = f"advisor {data.advisor} gives one of {len(alternatives)}; alternative says which, from 0"
        return KB_51.refuses(because, IMPOSSIBLE)
    index = data.alternative or 0
    if not 0 <= index < len(alternatives):
        because = f"advisor {data.advisor} has no alternative {index}; they are 0 to {len(alternatives) - 1}"
        return KB_51.refuses(because, IMPOSSIBLE)
    row = alternatives[index]
    if data.advisor == 6:
        player = state.players[seat]
        for good in GOODS:
            if getattr(player, good) + row[good] < 0:
                return KB_53.refuses(f"{seat} owns no {good} to give away", IMPOSSIBLE)
    due = row.get("any", 0)
    if options.supply_limited:
        for good in GOODS:
            if getattr(data.any, good) > supply(state.players, good):
                return KB_05.refuses(f"there is not so much {good} left in the supply", IMPOSSIBLE)
        if due:
            due = min(due, supply_of_goods(state.players))
    if data.any.total != due:
        return KB_51.refuses(f"{data.any.total} goods of choice are taken; it must be {due}")
    return None


def _enemy_peeked(state: State, seat: str, data: Payload) -> Refusal | None:
    if state.players[seat].looks < 1:
        return KB_56.refuses(f"{seat} has no look due: each help of General or Queen is one")
    return None


# Build and season end -------------------------------------------------------------------------------------------------


def _building_built(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.BuildingBuilt, payload)
    player, key = state.players[seat], data.building
    buildings = player.buildings
    if data.envoy and state.envoy_holder != seat:
        return KB_64.refuses(f"{seat} does not hold the king's envoy", IMPOSSIBLE)
    if key in buildings:
        return KB_61.refuses(f"{seat} owns {key} already", IMPOSSIBLE)
    gold, wood, stone = cost(player, key)
    if player.gold < gold or player.wood < wood or player.stone < stone:
        have = f"{player.gold} gold, {player.wood} wood and {player.stone} stone"
        because = f"{key} costs {seat} {gold} gold, {wood} wood and {stone} stone; owned are {have}"
        return KB_62.refuses(because, IMPOSSIBLE)
    limit = state.setup.options.building_token_limit
    if limit is not None and len(buildings) >= limit:
        return KB_05.refuses(f"{seat} has no building token left: there are {limit}", IMPOSSIBLE)
    if data.envoy:
        if not player.built:
            return KB_64.refuses(f"this is the first building of {seat} this season; the envoy is for a second")
    elif player.built:
        return KB_64.refuses(f"{seat} has constructed this season; another building needs the envoy")
    refusal = _builds(state, seat)
    if refusal is not None:
        return refusal
    missing = next((one for one in BUILDING[key].left if one not in buildings), None)
    if missing is not None:
        return KB_61.refuses(f"{seat} lacks {missing}, to the left of {key}", nearest=missing)
    return None


def _builds(state: State, seat: str) -> Refusal | None:
    if state.on_turn != seat:
        return KB_60.refuses(f"{state.on_turn} is on turn, not {seat}", nearest=_on_turn(state))
    return None


def _build_passed(state: State, seat: str, data: Payload) -> Refusal | None:
    return _builds(state, seat)


def _town_hall_used(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.TownHallUsed, payload)
    player = state.players[seat]
    if getattr(player, data.pay) < 1:
        return KB_72.refuses(f"{seat} owns no {data.pay} to pay", IMPOSSIBLE)
    if "town_hall" not in player.buildings:
        return KB_72.refuses(f"{seat} has no Town Hall")
    if "town_hall" in player.used:
        return KB_72.refuses(f"{seat} has used the Town Hall this season already")
    return None


def _nothing(state: State, seat: str, data: Payload) -> Refusal | None:
    return None


# Recruiting and winter ------------------------------------------------------------------------------------------------


def _owns(state: State, seat: str, goods: e.Goods) -> bool:
    player = state.players[seat]
    return player.gold >= goods.gold and player.wood >= goods.wood and player.stone >= goods.stone


def _soldiers_recruited(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.SoldiersRecruited, payload)
    if data.soldiers < 1:
        return KB_81.refuses(f"{data.soldiers} soldiers cannot be recruited", IMPOSSIBLE, "recruit_passed")
    if not _owns(state, seat, data.pay):
        return KB_81.refuses(f"{seat} does not own the goods of the payment", IMPOSSIBLE)
    refusal = _recruits(state, seat)
    if refusal is not None:
        return refusal
    price = soldier_price(state.players[seat]) * data.soldiers
    if data.pay.total != price:
        return KB_81.refuses(f"{data.soldiers} soldiers cost {seat} {price} goods, not {data.pay.total}")
    return None


def _recruits(state: State, seat: str) -> Refusal | None:
    if state.on_turn != seat:
        return KB_80.refuses(f"{state.on_turn} is on turn, not {seat}", nearest=_on_turn(state))
    return None


def _recruit_passed(state: State, seat: str, data: Payload) -> Refusal | None:
    return _recruits(state, seat)


def _reinforcements_rolled(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.ReinforcementsRolled, payload)
    if state.reinforcement is not None:
        return KB_85.refuses(f"the king's die of this year is rolled already: {state.reinforcement}", IMPOSSIBLE)
    if not 1 <= data.value <= 6:
        return KB_85.refuses(_no_dice((data.value,)), IMPOSSIBLE)
    return None


def _enemy_revealed(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.EnemyRevealed, payload)
    if state.enemy is not None:
        return KB_86.refuses("the enemy of this year is revealed already", IMPOSSIBLE)
    if data.enemy is None:
        if not state.setup.options.enemy_custom_allowed:
            return KB_87.refuses("cards outside the table are not allowed in this match")
        return None
    if data.enemy not in CARDS:
        return KB_87.refuses(f"there is no enemy card {brief(data.enemy)}", IMPOSSIBLE, "the printed values as custom")
    if CARDS[data.enemy]["year"] != state.year:
        return KB_87.refuses(f"{data.enemy} is a card of year {CARDS[data.enemy]['year']}; this is year {state.year}")
    return None


def _awaited(state: State, seat: str, kind: str) -> Pending | None:
    for one in state.pending:
        if one.seat == seat and one.kind == kind:
            return one
    return None


def _victory_good_chosen(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.VictoryGoodChosen, payload)
    if _awaited(state, seat, "victory_good") is None:
        return KB_90.refuses(f"{seat} has no good of a reward to choose", IMPOSSIBLE)
    if state.setup.options.supply_limited and not supply(state.players, data.good):
        return KB_05.refuses(f"there is no {data.good} left in the supply", IMPOSSIBLE)
    return None


def _loss_chosen(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.LossChosen, payload)
    awaited = _awaited(state, seat, "loss")
    if awaited is None:
        return KB_92.refuses(f"{seat} has no loss to choose", IMPOSSIBLE)
    if not _owns(state, seat, data.goods):
        return KB_92.refuses(f"{seat} does not own these goods", IMPOSSIBLE)
    if data.goods.total != awaited.goods:
        return KB_92.refuses(f"{seat} loses {awaited.goods} goods, not {data.goods.total}")
    return None


def _building_loss_chosen(state: State, seat: str, payload: Payload) -> Refusal | None:
    data = cast(e.BuildingLossChosen, payload)
    if _awaited(state, seat, "building_loss") is None:
        return KB_93.refuses(f"{seat} has no building to lose", IMPOSSIBLE)
    if data.building not in state.players[seat].buildings:
        return KB_93.refuses(f"{seat} does not own {data.building}", IMPOSSIBLE)
    return None


# Events of the log format ---------------------------------------------------------------------------------------------


def _player_resigned(state: State, event: Event) -> Refusal | None:
    if state.finished:
        return _is_over(state, event.data)
    if state.players[event.seat or ""].resigned:
        return KB_140.refuses(f"{event.seat} has resigned already", IMPOSSIBLE)
    return None


def _unless_over(state: State, event: Event) -> Refusal | None:
    return _is_over(state, event.data) if state.finished else None


def _draw_agreed(state: State, event: Event) -> Refusal | None:
    if state.finished:
        return _is_over(state, event.data)
    named, needed = sorted(cast(e.DrawAgreed, event.data).seats), sorted(playing(state))
    if named != needed:
        return KB_141.refuses(f"a draw names all who still play: {', '.join(needed)}", IMPOSSIBLE)
    return None


def _match_ended(state: State, event: Event) -> Refusal | None:
    if not state.finished:
        return KB_141.refuses("the match is not over: it ends by itself after the fifth winter", nearest="time_called")
    return None


def _match_annulled(state: State, event: Event) -> Refusal | None:
    if state.void:
        return KB_146.refuses("the match counts for nothing already", IMPOSSIBLE)
    return None


def _state_adjusted(state: State, event: Event) -> Refusal | None:
    data = cast(e.StateAdjusted, event.data)
    if state.void:
        return KB_146.refuses("the match counts for nothing; nothing is adjusted", IMPOSSIBLE)
    try:
        adjust.adjusted(state, data.path, data.old, data.new)
    except ValueError as wrong:
        return KB_143.refuses(str(wrong), IMPOSSIBLE)
    return None


_SEASONS = frozenset(SEASONS)
_AID, _RECRUIT, _WINTER = frozenset({"kings_aid"}), frozenset({"recruit"}), frozenset({"winter"})
_ROLL, _INFLUENCE, _BUILD, _END = (frozenset({step}) for step in ("roll", "influence", "build", "season_end"))

ACTS: dict[type[Payload], Act] = {
    e.MatchStarted: Act(_match_started),
    e.EnemyDeckPrepared: Act(_enemy_deck_prepared),
    e.AidGoodTaken: Act(_aid_good_taken, _AID),
    e.AdvisorsBlocked: Act(_advisors_blocked, _SEASONS, frozenset({"block"})),
    e.DiceRolled: Act(_dice_rolled, _SEASONS, _ROLL),
    e.StatueRerolled: Act(_statue_rerolled, _SEASONS, _ROLL),
    e.ChapelRerolled: Act(_chapel_rerolled, _SEASONS, _ROLL),
    e.RollsClosed: Act(_rolls_closed, _SEASONS, _ROLL),
    e.AdvisorInfluenced: Act(_advisor_influenced, _SEASONS, _INFLUENCE),
    e.InfluencePassed: Act(_influence_passed, _SEASONS, _INFLUENCE),
    e.HelpTaken: Act(_help_taken, _SEASONS, frozenset({"help"})),
    e.EnemyPeeked: Act(_enemy_peeked, _SEASONS, frozenset({"help", "build", "season_end"})),
    e.BuildingBuilt: Act(_building_built, _SEASONS, _BUILD),
    e.BuildPassed: Act(_build_passed, _SEASONS, _BUILD),
    e.TownHallUsed: Act(_town_hall_used, _SEASONS, _END),
    e.SeasonClosed: Act(_nothing, _SEASONS, _END),
    e.SoldiersRecruited: Act(_soldiers_recruited, _RECRUIT),
    e.RecruitPassed: Act(_recruit_passed, _RECRUIT),
    e.ReinforcementsRolled: Act(_reinforcements_rolled, _WINTER),
    e.EnemyRevealed: Act(_enemy_revealed, _WINTER),
    e.VictoryGoodChosen: Act(_victory_good_chosen, _WINTER),
    e.LossChosen: Act(_loss_chosen, _WINTER),
    e.BuildingLossChosen: Act(_building_loss_chosen, _WINTER),
}
"""The game's own events in the order of the rule page."""

OTHERS: dict[type[Payload], Callable[[State, Event], Refusal | None]] = {
    e.PlayerResigned: _player_resigned,
    e.TimeCalled: _unless_over,
    e.DrawAgreed: _draw_agreed,
    e.MatchAbandoned: _unless_over,
    MatchPaused: _unless_over,
    MatchResumed: _unless_over,
    PenaltyGiven: _unless_over,
    e.MatchEnded: _match_ended,
    e.MatchAnnulled: _match_annulled,
    e.StateAdjusted: _state_adjusted,
}
"""Events of the log format that a rule of the game can refuse."""
