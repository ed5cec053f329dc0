"""What an event does and what follows from it: one step for each type. A step never refuses, it has happened.

A referee may accept an irregular event; it is then carried out as part 6.7 of the rule page says: gold and movement
stop at 0, an impassable hex costs nothing, and more than one unit or building may come to stand on a hex.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from rulesengine import shared
from rulesengine.game import Consequence, Event, Payload, Step
from rulesengine.hexwar import consequences as then
from rulesengine.hexwar import events
from rulesengine.hexwar.adjust import adjusted
from rulesengine.hexwar.checks import owner_of, region_of, region_with_seat
from rulesengine.hexwar.combat import Strike, strikes
from rulesengine.hexwar.hexes import Hex
from rulesengine.hexwar.state import Building, Player, Region, Setup, Site, State, Unit, by_hex, holders_of, living

type Out = list[Consequence]
type On = Callable[[State, Event], Step[State]]


def follow(state: State, event: Event) -> Step[State]:
    """Return the state after an event, its figures and its consequences. Events without an effect change nothing."""
    one = STEPS.get(type(event.data))
    return Step(state) if one is None else one(state, event)


# Units


def on_unit_moved(state: State, event: Event) -> Step[State]:
    """Move a unit along its path."""
    data = cast(events.UnitMoved, event.data)
    unit = state.units[data.unit]
    costs = state.setup.ground[unit.type].cost
    cost = 0
    for hex_ in data.path:
        cost += costs[hex_]
    goal = data.path[-1]
    left = max(0, unit.movement - cost)
    computed: dict[str, Any] = {"from": list(unit.hex), "cost": cost, "movement_left": left}
    if unit.fortified:
        computed["fortify_ended"] = True
    moved = Unit(unit.type, unit.owner, goal, unit.hp, left, unit.acted, unit.attacked, unit.new, False, unit.penalty)
    units = state.units.copy()
    units[data.unit] = moved
    standing = _taken_off(state.standing, unit.hex, data.unit)
    standing[goal] = (*standing[goal], data.unit) if goal in standing else (data.unit,)
    return _settled(replace(state, units=units, standing=standing), [], computed)


def on_unit_attacked(state: State, event: Event) -> Step[State]:
    """Carry out an attack: strikes, then penalties, then defeats, in the order of the strikes."""
    data = cast(events.UnitAttacked, event.data)
    out: Out = []
    blows = strikes(state, data.attacker, data.target)
    units = state.units.copy()
    units[data.attacker] = replace(units[data.attacker], movement=0, acted=True, attacked=True, fortified=False)
    for blow in blows:
        units[blow["on"]] = replace(units[blow["on"]], hp=blow["hp_after"])
    _add_penalties(state, units, blows, out)
    standing = state.standing
    for blow in blows:
        id_ = blow["on"]
        if blow["hp_after"] == 0 and id_ in units:
            fallen = units.pop(id_)
            standing = _taken_off(standing, fallen.hex, id_)
            out.append(then.unit_defeated(id_, blow["by"], fallen.hex))
    return _settled(replace(state, units=units, standing=standing), out, {"strikes": blows})


def _add_penalties(state: State, units: dict[str, Unit], blows: list[Strike], out: Out) -> None:
    amount = state.setup.options.catapult_penalty
    if not amount:
        return
    for blow in blows:
        id_ = blow["on"]
        if state.units[blow["by"]].type == "catapult" and blow["hp_after"] > 0:
            total = units[id_].penalty + amount
            units[id_] = replace(units[id_], penalty=total)
            out.append(then.defence_penalty_added(id_, amount, total, state.round))


def on_unit_fortified(state: State, event: Event) -> Step[State]:
    """Fortify a unit."""
    id_ = cast(events.UnitFortified, event.data).unit
    units = state.units.copy()
    units[id_] = replace(units[id_], fortified=True, movement=0, acted=True)
    return _settled(replace(state, units=units), [], None)


# Peasants


def on_construction_started(state: State, event: Event) -> Step[State]:
    """Begin a construction: it is paid for, and the Peasant is used up."""
    data = cast(events.ConstructionStarted, event.data)
    seat = cast(str, event.seat)
    unit = state.units[data.unit]
    kind = state.setup.tables.improvements[data.kind]
    region = region_of(state, data.kind, unit.hex, data.hex)
    id_ = f"b{state.next_building}"
    gold = max(0, state.players[seat].gold - kind.cost)
    units = state.units.copy()
    del units[data.unit]
    site = Building(data.kind, data.hex, region, Site(seat, kind.build_turns))
    after = replace(
        state,
        players={**state.players, seat: replace(state.players[seat], gold=gold)},
        units=units,
        standing=_taken_off(state.standing, unit.hex, data.unit),
        buildings={**state.buildings, id_: site},
        built={**state.built, data.hex: (*state.built.get(data.hex, ()), id_)},
        next_building=state.next_building + 1,
    )
    computed = {"building": id_, "region": region, "turns_left": kind.build_turns, "gold": gold}
    return _settled(after, [], computed)


def on_territory_captured(state: State, event: Event) -> Step[State]:
    """Hand a region over with all that stands in it."""
    data = cast(events.TerritoryCaptured, event.data)
    seat = cast(str, event.seat)
    unit = state.units[data.unit]
    region = cast(str, region_with_seat(state, unit.hex))
    options = state.setup.options
    before = state.regions[region]
    taken, sites = [], []
    buildings = state.buildings.copy()
    for id_, one in state.buildings.items():
        if one.region != region:
            continue
        if one.site is not None:
            sites.append(id_)
            if options.construction_on_capture == "cancel":
                del buildings[id_]
            else:
                buildings[id_] = replace(one, site=Site(seat, one.site.turns_left))
        elif one.kind != "fort":
            taken.append(id_)
            if options.captured_building_waits:
                buildings[id_] = replace(one, action_turn=state.turn_no)
    regions = {**state.regions, region: replace(before, owner=seat)}
    after = replace(
        state,
        regions=regions,
        holders=holders_of(regions),
        buildings=buildings,
        built=state.built if len(buildings) == len(state.buildings) else by_hex(buildings),
        units={**state.units, data.unit: replace(unit, movement=0, acted=True)},
    )
    computed = {
        "settlement": _seat_building(state, region, unit.hex),
        "region": region,
        "from_owner": before.owner,
        "buildings": taken,
        "sites": sites,
    }
    return _settled(after, [], computed)


def _seat_building(state: State, region: str, hex_: Hex) -> str | None:
    for id_ in state.built.get(hex_, ()):
        one = state.buildings[id_]
        if one.is_seat and one.region == region:
            return id_
    return None


# Buildings


def on_unit_recruited(state: State, event: Event) -> Step[State]:
    """Recruit a unit on the building's hex."""
    data = cast(events.UnitRecruited, event.data)
    seat = cast(str, event.seat)
    kind = state.setup.tables.units[data.type]
    one = state.buildings[data.building]
    id_ = f"u{state.next_unit}"
    player = state.players[seat]
    gold = max(0, player.gold - kind.cost)
    after = replace(
        state,
        players={**state.players, seat: Player(player.seat, gold, player.alive, player.place, state.turn_no)},
        buildings={**state.buildings, data.building: replace(one, action_turn=state.turn_no)},
        units={**state.units, id_: Unit(data.type, seat, one.hex, kind.hp, 0, new=True)},
        standing={**state.standing, one.hex: (*state.standing.get(one.hex, ()), id_)},
        next_unit=state.next_unit + 1,
    )
    return _settled(after, [], {"unit": id_, "hex": list(one.hex), "gold": gold})


def on_settlement_upgraded(state: State, event: Event) -> Step[State]:
    """Raise a settlement by one tier, at once."""
    data = cast(events.SettlementUpgraded, event.data)
    seat = cast(str, event.seat)
    one = state.buildings[data.settlement]
    tier = state.setup.tables.settlements[cast(str, one.tier)]
    player = state.players[seat]
    gold = max(0, player.gold - (tier.upgrade_cost or 0))
    after = replace(
        state,
        players={**state.players, seat: Player(player.seat, gold, player.alive, player.place, state.turn_no)},
        buildings={**state.buildings, data.settlement: replace(one, tier=tier.upgrade_to, action_turn=state.turn_no)},
    )
    return _settled(after, [], {"from": tier.id, "to": tier.upgrade_to, "gold": gold})


# Turns and rounds


def on_turn_ended(state: State, event: Event) -> Step[State]:
    """Pass the turn."""
    out: Out = []
    return _settled(_pass_turn(state, out), out, None)


def _pass_turn(state: State, out: Out) -> State:
    """Pass the turn to the next living seat; if their order starts anew, so does the round, or the match ends."""
    setup = state.setup
    here = setup.index[state.turn_player]
    later = next((seat for seat in state.alive if setup.index[seat] > here), None)
    if later is not None:
        return _start_turn(state, later, out)
    if state.round >= setup.options.max_rounds:
        return _end(state, "round_limit", "score", out)
    return _start_turn(start_round(state, out), state.alive[0], out)


def start_round(state: State, out: Out) -> State:
    """Return the state in the next round; the consequence is added to `out`."""
    cleared: list[str] = []
    units = state.units
    if state.setup.options.catapult_penalty_expiry == "round_start":
        cleared = [id_ for id_, unit in units.items() if unit.penalty]
        if cleared:
            units = units | {id_: replace(units[id_], penalty=0) for id_ in cleared}
    out.append(then.round_started(state.round + 1, cleared))
    return replace(state, round=state.round + 1, units=units)


def _start_turn(state: State, seat: str, out: Out) -> State:
    out.append(then.turn_started(seat, state.round))
    setup = state.setup
    kinds = setup.tables.units
    own_expiry = setup.options.catapult_penalty_expiry == "target_turn_start"
    units = None
    for id_, unit in state.units.items():
        if unit.owner != seat:
            continue
        movement = kinds[unit.type].movement
        if unit.movement != movement or unit.acted or unit.new or unit.attacked or (own_expiry and unit.penalty):
            if units is None:
                units = state.units.copy()
            penalty = 0 if own_expiry else unit.penalty
            units[id_] = Unit(
                unit.type, seat, unit.hex, unit.hp, movement, False, False, False, unit.fortified, penalty
            )
    after = replace(
        state,
        turn_no=state.turn_no + 1,
        turn_player=seat,
        units=state.units if units is None else units,
        buildings=_advance_sites(state.buildings, seat, out),
    )
    return _pay_income(after, seat, out) if setup.options.income_active else after


def _advance_sites(buildings: dict[str, Building], seat: str, out: Out) -> dict[str, Building]:
    due = [id_ for id_, one in buildings.items() if one.site is not None and one.site.builder == seat]
    if not due:
        return buildings
    after = buildings.copy()
    for id_ in due:
        one = buildings[id_]
        left = cast(Site, one.site).turns_left - 1
        if left > 0:
            after[id_] = replace(one, site=Site(seat, left))
            continue
        out.append(then.construction_completed(id_, one.kind, one.hex, one.region))
        if one.kind == "town":
            after[id_] = Building("settlement", one.hex, one.region, None, one.action_turn, "town", False)
        else:
            after[id_] = replace(one, site=None)
    return after


def _pay_income(state: State, seat: str, out: Out) -> State:
    tables = state.setup.tables
    amount = 0
    for one in state.buildings.values():
        if one.site is None and owner_of(state, one) == seat:
            row = tables.settlements[one.tier] if one.tier is not None else tables.improvements[one.kind]
            amount += row.income
    player = state.players[seat]
    gold = player.gold + amount
    out.append(then.income_paid(seat, amount, gold))
    return replace(state, players={**state.players, seat: replace(player, gold=gold)})


# Leaving and ending


def on_player_resigned(state: State, event: Event) -> Step[State]:
    """Take a player out of the match who wants to leave."""
    out: Out = []
    return _settled(_eliminate(state, cast(str, event.seat), "resigned", out), out, None)


def on_match_stopped(state: State, event: Event) -> Step[State]:
    """End the match, counted as the organizer says."""
    out: Out = []
    counts_as = cast(events.MatchStopped, event.data).counts_as
    return Step(_end(state, "stopped", counts_as, out), tuple(out))


def on_time_called(state: State, event: Event) -> Step[State]:
    """End the match by its score."""
    out: Out = []
    return Step(_end(state, "time_called", "score", out), tuple(out))


def on_draw_agreed(state: State, event: Event) -> Step[State]:
    """End the match as a draw."""
    out: Out = []
    return Step(_end(state, "draw_agreed", "draw", out), tuple(out))


def on_match_abandoned(state: State, event: Event) -> Step[State]:
    """Make the match void."""
    out: Out = []
    return Step(_end(state, "abandoned", "void", out), tuple(out))


def on_match_annulled(state: State, event: Event) -> Step[State]:
    """Make the match void."""
    out: Out = []
    return Step(_end(state, "annulled", "void", out), tuple(out))


def on_match_ended(state: State, event: Event) -> Step[State]:
    """Change nothing after the end; recorded before it and accepted, it acts as `time_called`."""
    return on_time_called(state, event) if state.status == "running" else Step(state)


def on_state_adjusted(state: State, event: Event) -> Step[State]:
    """Set one value of the state."""
    data = cast(shared.StateAdjusted, event.data)
    return Step(adjusted(state, data.path, data.old, data.new))


def _settled(state: State, out: Out, computed: dict[str, Any] | None) -> Step[State]:
    """Close a player event: see who is out (HWH-31), whether the match is over, and whether the turn passes."""
    alive = state.alive
    if (
        not (state.holders.issuperset(alive) and len(alive) > 1 and state.turn_player in alive)
        and state.status == "running"
    ):
        state = _look_around(state, out)
    return Step(state, tuple(out), computed)


def _look_around(state: State, out: Out) -> State:
    for seat in state.alive:
        if _is_out(state, seat):
            state = _eliminate(state, seat, "no_way_back", out)
    if len(state.alive) < 2:
        return _end(state, "last_standing", "score", out)
    if state.turn_player not in state.alive:
        return _pass_turn(state, out)
    return state


def _is_out(state: State, seat: str) -> bool:
    if seat in state.holders:
        return False
    how = state.setup.options.elimination
    if how == "no_seat":
        return True
    return not any(
        unit.owner == seat and (how == "no_seat_and_no_unit" or unit.type == "peasant") for unit in state.units.values()
    )


def _eliminate(state: State, seat: str, reason: str, out: Out) -> State:
    """Take a player out (HWH-32): the place is the number of players living just before."""
    place = len(state.alive)
    units = [id_ for id_, unit in state.units.items() if unit.owner == seat]
    lost = [id_ for id_, region in state.regions.items() if region.owner == seat]
    sites = [id_ for id_, one in state.buildings.items() if one.site is not None and one.site.builder == seat]
    out.append(then.player_eliminated(seat, reason, place, units, lost, sites))
    kept = {id_: unit for id_, unit in state.units.items() if unit.owner != seat}
    buildings = {id_: one for id_, one in state.buildings.items() if id_ not in sites} if sites else state.buildings
    regions = {id_: replace(one, owner=None) if id_ in lost else one for id_, one in state.regions.items()}
    players = {**state.players, seat: replace(state.players[seat], gold=0, alive=False, place=place)}
    return replace(
        state,
        players=players,
        regions=regions,
        buildings=buildings,
        units=kept,
        standing=by_hex(kept),
        built=by_hex(buildings) if sites else state.built,
        alive=living(state.setup, players),
        holders=holders_of(regions),
    )


def _end(state: State, reason: str, counts_as: str, out: Out) -> State:
    """End the match: living players are placed by score or share the first place; void, nobody is placed."""
    places: dict[str, int | None]
    if counts_as == "void":
        places = dict.fromkeys(state.players, None)
    else:
        places = {seat: player.place for seat, player in state.players.items()}
        scores = {seat: score(state, seat) for seat in state.alive}
        for seat in state.alive:
            ahead = [one for one in state.alive if scores[one] > scores[seat]]
            places[seat] = 1 if counts_as == "draw" else 1 + len(ahead)
    players = {seat: replace(player, place=places[seat]) for seat, player in state.players.items()}
    after = replace(state, status="void" if counts_as == "void" else "ended", players=players, reason=reason)
    out.append(then.match_ended(reason, placements(after)))
    return after


def score(state: State, seat: str) -> tuple[int, int, int, int]:
    """Return by what a living player is placed: regions, ranks, HP of units but Peasants, gold. Zeros for others."""
    player = state.players[seat]
    if not player.alive:
        return (0, 0, 0, 0)
    tiers = state.setup.tables.settlements
    ranks = sum(
        tiers[one.tier].rank
        for one in state.buildings.values()
        if one.tier is not None and owner_of(state, one) == seat
    )
    hp = sum(unit.hp for unit in state.units.values() if unit.owner == seat and unit.type != "peasant")
    return (sum(one.owner == seat for one in state.regions.values()), ranks, hp, player.gold)


def placements(state: State) -> list[tuple[str, int]]:
    """Return the seats that have a place with it, ordered by place, then by seat."""
    placed = [(seat, player.place) for seat, player in state.players.items() if player.place is not None]
    return sorted(placed, key=lambda one: one[1])


def _taken_off(where: dict[Hex, tuple[str, ...]], hex_: Hex, id_: str) -> dict[Hex, tuple[str, ...]]:
    after = where.copy()
    rest = after[hex_]
    if len(rest) == 1:
        del after[hex_]
    else:
        after[hex_] = tuple([one for one in rest if one != id_])
    return after


STEPS: dict[type[Payload], On] = {
    events.UnitMoved: on_unit_moved,
    events.UnitAttacked: on_unit_attacked,
    events.UnitFortified: on_unit_fortified,
    events.ConstructionStarted: on_construction_started,
    events.TerritoryCaptured: on_territory_captured,
    events.UnitRecruited: on_unit_recruited,
    events.SettlementUpgraded: on_settlement_upgraded,
    events.TurnEnded: on_turn_ended,
    events.MatchStopped: on_match_stopped,
    shared.PlayerResigned: on_player_resigned,
    shared.TimeCalled: on_time_called,
    shared.DrawAgreed: on_draw_agreed,
    shared.MatchAbandoned: on_match_abandoned,
    shared.MatchAnnulled: on_match_annulled,
    shared.MatchEnded: on_match_ended,
    shared.StateAdjusted: on_state_adjusted,
}
"""The step of each type of event."""


def skip(state: State, event: Event) -> State:
    """Return the state after an event that is skipped: unchanged, but for the id it has used up."""
    if isinstance(event.data, events.UnitRecruited):
        return replace(state, next_unit=state.next_unit + 1)
    if isinstance(event.data, events.ConstructionStarted):
        return replace(state, next_building=state.next_building + 1)
    return state


def with_reason(state: State) -> State:
    """Return the state with the likeliest reason of its end, for a state whose history is not known."""
    if state.status == "running":
        return state
    if state.status == "void":
        return replace(state, reason="annulled")
    if len(state.alive) < 2:
        return replace(state, reason="last_standing")
    return replace(state, reason="round_limit" if state.round >= state.setup.options.max_rounds else "stopped")


def first_position(setup: Setup) -> Step[State]:
    """Return the position after the set-up: the first round, and the first seat's turn."""
    board, kinds = setup.board, setup.tables.units
    owner = dict(zip(board.starts, setup.seats, strict=True))
    buildings: dict[str, Building] = {}
    for region, hex_ in board.seats.items():
        tier = "city" if region in owner else "hamlet"
        buildings[f"b{len(buildings) + 1}"] = Building("settlement", hex_, region, None, None, tier, True)
    for kind, hex_, told in board.buildings:
        if kind == "town":
            one = Building("settlement", hex_, told, None, None, "town", False)
        else:
            one = Building(kind, hex_, told)
        buildings[f"b{len(buildings) + 1}"] = one
    peasant = kinds["peasant"]
    units = {
        f"u{at}": Unit("peasant", seat, board.seats[region], peasant.hp, peasant.movement)
        for at, (region, seat) in enumerate(owner.items(), 1)
    }
    players = {seat: Player(at, setup.options.start_gold, True, None, None) for at, seat in enumerate(setup.seats, 1)}
    regions = {region: Region(hex_, owner.get(region)) for region, hex_ in board.seats.items()}
    out: Out = []
    state = State(
        setup=setup,
        status="running",
        round=0,
        turn_no=0,
        turn_player=setup.seats[0],
        players=players,
        regions=regions,
        buildings=buildings,
        units=units,
        next_building=len(buildings) + 1,
        next_unit=len(units) + 1,
        standing=by_hex(units),
        built=by_hex(buildings),
        alive=setup.seats,
        holders=holders_of(regions),
    )
    state = _start_turn(start_round(state, out), setup.seats[0], out)
    return Step(state, tuple(out))
