"""What an event does and what follows from it. A step never refuses: it has happened, also where a referee accepted it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from msgspec.structs import replace

from rulesengine.game import Consequence, Event, Payload, Step
from rulesengine.kingsburg import adjust
from rulesengine.kingsburg import consequences as follows
from rulesengine.kingsburg import events as e
from rulesengine.kingsburg.figures import (
    cost,
    fewest,
    playing,
    rightmost_then_topmost,
    sorted_turn_order,
    strength,
    supply,
    supply_of_goods,
    total,
    without,
)
from rulesengine.kingsburg.scoring import placements
from rulesengine.kingsburg.state import (
    NOTHING_USED,
    Peek,
    Pending,
    Phase,
    Player,
    Standing,
    State,
    card,
    in_table_order,
)
from rulesengine.kingsburg.tables import ALTERNATIVES, BUILDING, CHOOSING, GOODS, PEEKING, SOLDIERLY, YEARS

type Told = list[Consequence]

_AFTER: Mapping[str, str] = {"spring": "summer", "summer": "autumn"}
_SUPPLIED = frozenset((*GOODS, "plus_two"))


def follow(state: State, event: Event) -> Step[State]:
    """Return the state after an event and what follows from it. Events without an effect change nothing."""
    one = STEPS.get(type(event.data))
    if one is None:
        return Step(state)
    told: Told = []
    after = one(state, event.seat or "", event.data, told)
    return Step(after, tuple(told))


def _with(state: State, seat: str, player: Player) -> dict[str, Player]:
    players = state.players.copy()
    players[seat] = player
    return players


# Gains and payments ---------------------------------------------------------------------------------------------------


def _gained(state: State, players: Mapping[str, Player], seat: str, row: Mapping[str, int]) -> dict[str, int]:
    """Return what a player really gains and pays of a row without a choice: what is not in the supply is not gained (KB-05 a)."""
    if not state.setup.options.supply_limited:
        return {key: count for key, count in row.items() if count}
    paid = {key: count for key, count in row.items() if count < 0}
    gained = dict(paid)
    for key, count in row.items():
        if count > 0:
            there = supply(players, key) - paid.get(key, 0) if key in _SUPPLIED else count
            if min(count, there):
                gained[key] = min(count, there)
    return gained


def _plus(player: Player, gained: Mapping[str, int], **changes: Any) -> Player:
    for key, count in gained.items():
        changes[key] = getattr(player, key) + count
    return replace(player, **changes) if changes else player


# Set-up and king's aid ------------------------------------------------------------------------------------------------


def _match_started(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.MatchStarted, payload)
    if data.turn_order is None:
        return replace(state, begun=True)
    pending = tuple(one for letter in data.turn_order for one in state.pending if one.seat == letter)
    return replace(state, begun=True, turn_order=data.turn_order, pending=pending)


def _enemy_deck_prepared(state: State, seat: str, payload: Payload, told: Told) -> State:
    return replace(state, deck_prepared=True, begun=True)


def _kings_aid(state: State, told: Told) -> State:
    """Phase 1 of a later year (KB-20 to KB-22)."""
    tied = fewest(state)
    if len(tied) == 1:
        told.append(follows.aid_die_given(tied[0]))
        return _season(replace(state, aid_die_holder=tied[0]), "spring", told)
    pending = tuple(Pending(seat, "aid_good") for seat in tied)
    return _aided(replace(state, phase="kings_aid", step="aid", pending=pending), told)


def _aided(state: State, told: Told) -> State:
    """Go on to spring once no good of phase 1 is awaited, or none is left (KB-05 d)."""
    if state.pending and state.setup.options.supply_limited and not supply_of_goods(state.players):
        state = replace(state, pending=())
    return state if state.pending else _season(state, "spring", told)


def _aid_good_taken(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.AidGoodTaken, payload)
    players = _with(state, seat, _plus(state.players[seat], {data.good: 1}))
    pending = tuple(one for one in state.pending if one.seat != seat)
    return _aided(replace(state, players=players, pending=pending, begun=True), told)


# A productive season: dice --------------------------------------------------------------------------------------------


def _season(state: State, season: Phase, told: Told) -> State:
    """Begin a productive season (KB-31)."""
    told.append(follows.season_started(state.year, season))
    players = _income(state, "merchants_guild", {"gold": 1}, told)
    blocks = len(state.setup.seats) == 2 and state.setup.options.two_player_block == "recorded"
    return replace(state, players=players, phase=season, step="block" if blocks else "roll", turn_index=None)


def _income(state: State, building: str, row: Mapping[str, int], told: Told) -> dict[str, Player]:
    """Return the players after a building paid all its owners in turn order."""
    players = state.players
    for seat in state.turn_order:
        player = players[seat]
        if building in player.buildings and not player.resigned:
            gained = _gained(state, players, seat, row)
            if players is state.players:
                players = players.copy()
            players[seat] = _plus(player, gained)
            told.append(follows.income_gained(seat, building, gained))
    return players


def _advisors_blocked(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.AdvisorsBlocked, payload)
    return replace(state, blocked=tuple(sorted(data.advisors)), step="roll")


def _dice_rolled(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.DiceRolled, payload)
    rolled = tuple(sorted(data.coloured)), tuple(sorted(data.white))
    player = replace(state.players[seat], coloured=rolled[0], white=rolled[1], rolled=True)
    return replace(state, players=_with(state, seat, player), dice_seen=True)


def _statue_rerolled(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.StatueRerolled, payload)
    player = state.players[seat]
    kind = data.die.kind
    left = without(getattr(player, kind), (data.die.value,)) or ()
    dice = tuple(sorted((*left, data.result)))
    player = _plus(player, {}, used=player.used | {"statue"}, **{kind: dice})
    return replace(state, players=_with(state, seat, player))


def _chapel_rerolled(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.ChapelRerolled, payload)
    player = state.players[seat]
    coloured, white = tuple(sorted(data.coloured)), tuple(sorted(data.white))
    player = replace(player, coloured=coloured, white=white, used=player.used | {"chapel"})
    return replace(state, players=_with(state, seat, player))


def _rolls_closed(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.RollsClosed, payload)
    order = sorted_turn_order(state) if data.turn_order is None else data.turn_order
    players = state.players
    told.append(follows.turn_order_set(order, {one: total(players[one]) for one in order if not players[one].resigned}))
    players = {one: _passing(player, player.resigned or not player.coloured) for one, player in players.items()}
    state = replace(state, players=players, turn_order=order, step="influence")
    return _next_influence(state, len(order) - 1, told)


def _passing(player: Player, passed: bool) -> Player:
    return player if player.passed == passed else replace(player, passed=passed)


# Influence ------------------------------------------------------------------------------------------------------------


def _next_influence(state: State, after: int, told: Told) -> State:
    """Give the turn to the next who has not passed, behind a place of the turn order; to the help when all have (KB-40, KB-48)."""
    order, players = state.turn_order, state.players
    for index in (*range(after + 1, len(order)), *range(after + 1)):
        if not players[order[index]].passed:
            return state if index == state.turn_index else replace(state, turn_index=index)
    return _help(replace(state, players=_through_none(state), step="help", turn_index=None), 0, 0, told)


def _advisor_influenced(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.AdvisorInfluenced, payload)
    player = state.players[seat]
    changes: dict[str, Any] = {}
    coloured = without(player.coloured, data.coloured) or ()
    if data.white:
        changes["white"] = without(player.white, data.white) or ()
    if data.plus_two or data.market:
        used = player.used
        if data.plus_two:
            changes["plus_two"] = player.plus_two - 1
            used |= {"plus_two"}
        if data.market:
            used |= {"market"}
        changes["used"] = used
    player = replace(player, coloured=coloured, passed=player.passed or not coloured, **changes)
    influence = state.influence.copy()
    count = sum(map(len, influence.values()))
    influence[data.advisor] = (*influence.get(data.advisor, ()), Standing(seat, count + 1))
    players = _with(state, seat, player)
    order = state.turn_order
    at = order.index(seat)
    envoy = None if data.envoy else state.envoy_holder
    # The common case in one go: the next in the turn order has not passed.
    behind = at + 1 if at + 1 < len(order) else 0
    if not players[order[behind]].passed:
        return replace(state, players=players, influence=influence, envoy_holder=envoy, turn_index=behind)
    return _next_influence(replace(state, players=players, influence=influence, envoy_holder=envoy), at, told)


def _influence_passed(state: State, seat: str, payload: Payload, told: Told) -> State:
    players = _with(state, seat, _passing(state.players[seat], True))
    return _next_influence(replace(state, players=players), state.turn_order.index(seat), told)


# Help -----------------------------------------------------------------------------------------------------------------


def _help(state: State, advisor: int, index: int, told: Told) -> State:
    """Let the advisors help from a place on, until there is a choice or all have helped (KB-50)."""
    players = state.players
    for number in sorted(state.influence):
        if number < advisor:
            continue
        standing = state.influence[number]
        for at in range(index if number == advisor else 0, len(standing)):
            seat = standing[at].seat
            player = players[seat]
            if player.resigned:
                continue
            if number in CHOOSING:
                if number == 6 and not player.goods:
                    told.append(follows.help_missed(seat, number))
                    continue
                pending = (Pending(seat, "help", advisor=number),)
                return replace(state, players=players, help_pointer=number, help_index=at, pending=pending)
            if players is state.players:
                players = players.copy()
            players[seat] = _helped(state, players, seat, number, ALTERNATIVES[number][0], told)
    return _build(replace(state, players=players, help_pointer=0, help_index=0, pending=()), told)


def _helped(
    state: State, players: Mapping[str, Player], seat: str, advisor: int, row: Mapping[str, int], told: Told | None
) -> Player:
    """Return a player after a help without a choice of goods, with the soldier of the Stable and the look it brings."""
    player = players[seat]
    gained = _gained(state, players, seat, row if "peek" not in row else {**row, "peek": 0})
    changes: dict[str, Any] = {}
    each = state.setup.options.stable_limit == "each_advisor"
    if advisor in SOLDIERLY and "stable" in player.buildings and (each or "stable" not in player.used):
        gained["soldiers"] = gained.get("soldiers", 0) + 1
        changes["used"] = player.used | {"stable"}
    if advisor in PEEKING:
        changes["looks"] = player.looks + 1
    if told is not None:
        told.append(follows.help_given(seat, advisor, gained))
    return _plus(player, gained, **changes)


def _help_taken(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.HelpTaken, payload)
    players = state.players
    if not data.declined:
        row: dict[str, int] = dict(ALTERNATIVES[data.advisor][data.alternative or 0])
        row.pop("any", None)
        player = _helped(state, players, seat, data.advisor, row, None)
        chosen = {good: count for good in GOODS if (count := getattr(data.any, good))}
        players = _with(state, seat, _plus(player, chosen))
    return _help(replace(state, players=players), data.advisor, state.help_index + 1, told)


def _enemy_peeked(state: State, seat: str, payload: Payload, told: Told) -> State:
    player = state.players[seat]
    peeks = (*player.peeks, Peek(state.year, state.phase))
    return replace(state, players=_with(state, seat, replace(player, peeks=peeks, looks=max(0, player.looks - 1))))


# Build and season end -------------------------------------------------------------------------------------------------


def _through_none(state: State) -> dict[str, Player]:
    """Return the players at the beginning of a step: nobody but those who resigned is through with it."""
    return {seat: _passing(player, player.resigned) for seat, player in state.players.items()}


def _first(state: State, players: Mapping[str, Player]) -> int | None:
    """Return the place in the turn order of the first who is not through with the step."""
    for index, seat in enumerate(state.turn_order):
        if not players[seat].passed:
            return index
    return None


def _build(state: State, told: Told) -> State:
    return replace(state, step="build", turn_index=_first(state, state.players))


def _building_built(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.BuildingBuilt, payload)
    player = state.players[seat]
    gold, wood, stone = cost(player, data.building)
    envoy = None if data.envoy else state.envoy_holder
    built = player.built + 1
    player = replace(
        player,
        gold=player.gold - gold,
        wood=player.wood - wood,
        stone=player.stone - stone,
        vp=player.vp + BUILDING[data.building].vp,
        buildings=in_table_order((*player.buildings, data.building)),
        built=built,
        used=player.used | {"envoy_build"} if data.envoy else player.used,
        passed=player.passed or built >= 2 or envoy != seat,
    )
    return _go_on_building(state, _with(state, seat, player), envoy, told)


def _build_passed(state: State, seat: str, payload: Payload, told: Told) -> State:
    players = _with(state, seat, _passing(state.players[seat], True))
    return _go_on_building(state, players, state.envoy_holder, told)


def _go_on_building(state: State, players: dict[str, Player], envoy: str | None, told: Told) -> State:
    index = _first(state, players)
    state = replace(state, players=players, envoy_holder=envoy, turn_index=index)
    return state if index is not None else _season_end(state, told)


def _season_end(state: State, told: Told) -> State:
    """The last is through with building: Inn and Embassy (KB-70, KB-71)."""
    players = _through_none(state)
    state = replace(state, players=players, step="season_end", turn_index=None)
    if state.phase == "summer":
        state = replace(state, players=_income(state, "inn", {"plus_two": 1}, told))
    return replace(state, players=_income(state, "embassy", {"vp": 1}, told))


def _town_hall_used(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.TownHallUsed, payload)
    player = state.players[seat]
    player = _plus(player, {data.pay: -1, "vp": 1}, used=player.used | {"town_hall"})
    return replace(state, players=_with(state, seat, player))


def _season_closed(state: State, seat: str, payload: Payload, told: Told) -> State:
    """Clear the season (KB-73); the king's reward or envoy on the way to the next phase (KB-75 to KB-77)."""
    players = {
        one: replace(
            player,
            coloured=(),
            white=(),
            rolled=False,
            passed=player.resigned,
            built=0,
            used=NOTHING_USED,
            looks=0,
        )
        for one, player in state.players.items()
    }
    season = state.phase
    state = replace(state, players=players, influence={}, blocked=())
    if season == "spring":
        return _season(_kings_reward(replace(state, aid_die_holder=None), told), "summer", told)
    if season == "summer":
        return _season(_kings_envoy(state, told), "autumn", told)
    return replace(state, phase="recruit", step="recruit", turn_index=_first(state, players))


def _kings_reward(state: State, told: Told) -> State:
    seats = playing(state)
    most = max(len(state.players[seat].buildings) for seat in seats)
    if not most and not state.setup.options.reward_at_zero_buildings:
        return state
    winners = [seat for seat in seats if len(state.players[seat].buildings) == most]
    told.append(follows.reward_gained(winners))
    return replace(state, players=_all_gain_vp(state.players, winners))


def _all_gain_vp(players: Mapping[str, Player], seats: Iterable[str]) -> dict[str, Player]:
    after = dict(players)
    for seat in seats:
        after[seat] = replace(after[seat], vp=after[seat].vp + 1)
    return after


def _kings_envoy(state: State, told: Told) -> State:
    tied = fewest(state)
    holder = tied[0] if len(tied) == 1 else None
    told.append(follows.envoy_given(holder))
    return replace(state, envoy_holder=holder)


# Recruiting -----------------------------------------------------------------------------------------------------------


def _soldiers_recruited(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.SoldiersRecruited, payload)
    player, pay = state.players[seat], data.pay
    player = replace(
        player,
        gold=player.gold - pay.gold,
        wood=player.wood - pay.wood,
        stone=player.stone - pay.stone,
        soldiers=player.soldiers + data.soldiers,
        passed=True,
    )
    return _go_on_recruiting(state, _with(state, seat, player))


def _recruit_passed(state: State, seat: str, payload: Payload, told: Told) -> State:
    return _go_on_recruiting(state, _with(state, seat, _passing(state.players[seat], True)))


def _go_on_recruiting(state: State, players: dict[str, Player]) -> State:
    index = _first(state, players)
    if index is not None:
        return replace(state, players=players, turn_index=index)
    state = replace(state, players=players, phase="winter", step="battle", turn_index=None)
    return replace(state, players=_through_none(state))


# Winter ---------------------------------------------------------------------------------------------------------------


def _reinforcements_rolled(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.ReinforcementsRolled, payload)
    state = replace(state, reinforcement=data.value)
    return state if state.enemy is None else _battle(state, told)


def _enemy_revealed(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.EnemyRevealed, payload)
    state = replace(state, enemy=data.custom.card() if data.enemy is None else data.enemy)
    return state if state.reinforcement is None else _battle(state, told)


def _battle(state: State, told: Told) -> State:
    """Fight the battle (KB-88 to KB-94): each player alone, in turn order."""
    enemy = state.enemy or {}
    values = card(enemy)
    players = state.players.copy()
    pending: list[Pending] = []
    totals: dict[str, int] = {}
    for seat in playing(state):
        player = players[seat]
        reached = strength(player, values["kind"], state.reinforcement or 0)
        against = values["strength"]
        won = reached > against or (reached == against and "stone_wall" in player.buildings)
        changes: dict[str, int] = {}
        lost: list[str] = []
        if won:
            totals[seat] = reached
            reward = {key: count for key, count in values["victory"].items() if key != "any"}
            if "fortress" in player.buildings:
                reward["vp"] = reward.get("vp", 0) + 1
            changes = _gained(state, players, seat, reward)
            pending += [Pending(seat, "victory_good")] * values["victory"].get("any", 0)
        elif reached < against:
            changes, lost, owed = _defeat(state, player, values["defeat"])
            pending += [Pending(seat, one.kind, goods=one.goods) for one in owed]
        outcome = "victory" if won else "defeat" if reached < against else "draw"
        told.append(follows.battle_fought(seat, reached, against, outcome, changes))
        player = _plus(player, changes)
        for key in lost:
            player = _lose(state, seat, player, key, told)
        players[seat] = player
    strongest = [seat for seat, reached in totals.items() if reached == max(totals.values())]
    if strongest and (len(strongest) == 1 or state.setup.options.strongest_bonus_ties == "all"):
        told.append(follows.strongest_rewarded(strongest))
        players = _all_gain_vp(players, strongest)
    players = {seat: replace(player, soldiers=0) if player.soldiers else player for seat, player in players.items()}
    seen = (*state.enemies_seen, enemy)
    return _settled(
        replace(state, players=players, enemies_seen=seen, pending=tuple(pending), step="battle_choices"), told
    )


def _defeat(
    state: State, player: Player, penalty: Mapping[str, int]
) -> tuple[dict[str, int], list[str], list[Pending]]:
    """Return what a defeat takes at once (negative), which buildings, and what the player has to choose (KB-92, KB-93)."""
    changes: dict[str, int] = {}
    pending: list[Pending] = []
    if penalty.get("vp"):
        changes["vp"] = -penalty["vp"]
    left = {good: getattr(player, good) - min(penalty.get(good, 0), getattr(player, good)) for good in GOODS}
    owed = min(penalty.get("any", 0), sum(left.values()))
    kinds = [good for good in GOODS if left[good]]
    if owed and owed == sum(left.values()):
        left = dict.fromkeys(GOODS, 0)
    elif owed and len(kinds) == 1:
        left[kinds[0]] -= owed
    elif owed:
        pending.append(Pending("", "loss", goods=owed))
    changes |= {good: taken for good in GOODS if (taken := left[good] - getattr(player, good))}
    count = min(penalty.get("building", 0), len(player.buildings))
    lost: list[str] = []
    if state.setup.options.building_loss_rule == "player_choice" and count < len(player.buildings):
        pending += [Pending("", "building_loss")] * count
    else:
        standing = list(player.buildings)
        for _ in range(count):
            lost.append(rightmost_then_topmost(standing))
            standing.remove(lost[-1])
    return changes, lost, pending


def _lose(state: State, seat: str, player: Player, key: str, told: Told) -> Player:
    vp = BUILDING[key].vp if state.setup.options.vp_lost_with_building else 0
    told.append(follows.building_lost(seat, key, vp))
    return replace(player, vp=player.vp - vp, buildings=tuple(one for one in player.buildings if one != key))


def _settled(state: State, told: Told) -> State:
    """Go on to the next year, or to the end, once nothing of the battle is awaited (KB-94, KB-05 d)."""
    if state.pending and state.setup.options.supply_limited and not supply_of_goods(state.players):
        state = replace(state, pending=tuple(one for one in state.pending if one.kind != "victory_good"))
    if state.pending:
        return state
    if state.year == YEARS:
        return _end(_cathedrals(state, told), told)
    told.append(follows.year_started(state.year + 1))
    return _kings_aid(replace(state, year=state.year + 1, reinforcement=None, enemy=None), told)


def _answered(state: State, seat: str, kind: str) -> tuple[Pending, ...]:
    """Return what is still pending after one decision of a kind."""
    pending = list(state.pending)
    for at, one in enumerate(pending):
        if one.seat == seat and one.kind == kind:
            del pending[at]
            break
    return tuple(pending)


def _victory_good_chosen(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.VictoryGoodChosen, payload)
    players = _with(state, seat, _plus(state.players[seat], {data.good: 1}))
    return _settled(replace(state, players=players, pending=_answered(state, seat, "victory_good")), told)


def _loss_chosen(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.LossChosen, payload)
    taken = {good: -count for good in GOODS if (count := getattr(data.goods, good))}
    players = _with(state, seat, _plus(state.players[seat], taken))
    return _settled(replace(state, players=players, pending=_answered(state, seat, "loss")), told)


def _building_loss_chosen(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.BuildingLossChosen, payload)
    players = _with(state, seat, _lose(state, seat, state.players[seat], data.building, told))
    return _settled(replace(state, players=players, pending=_answered(state, seat, "building_loss")), told)


# End ------------------------------------------------------------------------------------------------------------------


def _cathedrals(state: State, told: Told) -> State:
    """Score the Cathedrals (KB-95)."""
    players, scored = state.players.copy(), {}
    for seat in playing(state):
        player = players[seat]
        vp = player.goods // 2
        if "cathedral" not in player.buildings or not vp:
            continue
        scored[seat] = vp
        told.append(follows.cathedral_scored(seat, vp))
        changes: dict[str, Any] = {"vp": player.vp + vp}
        if state.setup.options.cathedral_spends_goods:
            due = 2 * vp
            for good in GOODS:
                paid = min(due, getattr(player, good))
                changes[good] = getattr(player, good) - paid
                due -= paid
        players[seat] = replace(player, **changes)
    return replace(state, players=players, cathedral=scored)


def _end(state: State, told: Told, **changes: Any) -> State:
    """End the match: open steps lapse (KB-141), everything else stays as it lies."""
    state = replace(
        state,
        players=_through_none(state),
        step="over",
        pending=(),
        turn_index=None,
        help_pointer=0,
        help_index=0,
        finished=True,
        **changes,
    )
    told.append(follows.match_ended(placements(state) or ()))
    return state


# Events of the log format ---------------------------------------------------------------------------------------------


def _player_resigned(state: State, seat: str, payload: Payload, told: Told) -> State:
    """Let a seat leave (KB-140); the game goes on as if it had made its decisions."""
    player = replace(state.players[seat], coloured=(), white=(), rolled=False, passed=True, resigned=True, looks=0)
    state = replace(
        state,
        players=_with(state, seat, player),
        resigned=(*state.resigned, seat),
        envoy_holder=None if state.envoy_holder == seat else state.envoy_holder,
        aid_die_holder=None if state.aid_die_holder == seat else state.aid_die_holder,
        begun=True,
    )
    if len(playing(state)) < 2:
        return _end(state, told)
    step = state.step
    if step == "influence":
        return _next_influence(state, state.turn_order.index(seat), told) if state.on_turn == seat else state
    if step == "build":
        return _go_on_building(state, state.players, state.envoy_holder, told)
    if step == "recruit":
        return _go_on_recruiting(state, state.players)
    if all(one.seat != seat for one in state.pending):
        return state
    state = replace(state, pending=tuple(one for one in state.pending if one.seat != seat))
    if step == "aid":
        return _aided(state, told)
    if step == "help":
        return _help(state, state.help_pointer, state.help_index + 1, told)
    return _settled(state, told)


def _time_called(state: State, seat: str, payload: Payload, told: Told) -> State:
    return _end(state, told)


def _draw_agreed(state: State, seat: str, payload: Payload, told: Told) -> State:
    return _end(state, told, drawn=True)


def _match_ended(state: State, seat: str, payload: Payload, told: Told) -> State:
    return state if state.finished else _end(state, told)


def _match_void(state: State, seat: str, payload: Payload, told: Told) -> State:
    return replace(state, void=True) if state.finished else _end(state, told, void=True)


def _state_adjusted(state: State, seat: str, payload: Payload, told: Told) -> State:
    data = cast(e.StateAdjusted, payload)
    return adjust.adjusted(state, data.path, data.old, data.new)


STEPS: dict[type[Payload], Callable[[State, str, Payload, Told], State]] = {
    e.MatchStarted: _match_started,
    e.EnemyDeckPrepared: _enemy_deck_prepared,
    e.AidGoodTaken: _aid_good_taken,
    e.AdvisorsBlocked: _advisors_blocked,
    e.DiceRolled: _dice_rolled,
    e.StatueRerolled: _statue_rerolled,
    e.ChapelRerolled: _chapel_rerolled,
    e.RollsClosed: _rolls_closed,
    e.AdvisorInfluenced: _advisor_influenced,
    e.InfluencePassed: _influence_passed,
    e.HelpTaken: _help_taken,
    e.EnemyPeeked: _enemy_peeked,
    e.BuildingBuilt: _building_built,
    e.BuildPassed: _build_passed,
    e.TownHallUsed: _town_hall_used,
    e.SeasonClosed: _season_closed,
    e.SoldiersRecruited: _soldiers_recruited,
    e.RecruitPassed: _recruit_passed,
    e.ReinforcementsRolled: _reinforcements_rolled,
    e.EnemyRevealed: _enemy_revealed,
    e.VictoryGoodChosen: _victory_good_chosen,
    e.LossChosen: _loss_chosen,
    e.BuildingLossChosen: _building_loss_chosen,
    e.PlayerResigned: _player_resigned,
    e.TimeCalled: _time_called,
    e.DrawAgreed: _draw_agreed,
    e.MatchEnded: _match_ended,
    e.MatchAbandoned: _match_void,
    e.MatchAnnulled: _match_void,
    e.StateAdjusted: _state_adjusted,
}
