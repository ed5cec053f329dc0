"""What forbids an event: one check for each type, in the exact order of the rule page's part 6.

The rule cited is that of the first check that fails. Whether the event is impossible is asked apart from it
(:data:`IMPOSSIBLE`, part 6.7), whatever check is cited.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from msgspec.structs import replace

from rulesengine import shared
from rulesengine.game import Event, Payload, Refusal
from rulesengine.hexwar import events
from rulesengine.hexwar.adjust import adjusted
from rulesengine.hexwar.hexes import DIRECTIONS, Hex, distance, shown
from rulesengine.hexwar.moving import reach
from rulesengine.hexwar.rules import (
    COSTS_AND_GROUND,
    HW_04,
    HW_05,
    HW_06,
    HW_07,
    HW_08,
    HW_10,
    HW_11,
    HW_12,
    HW_13,
    HW_18,
    HW_22,
    HW_23,
    HW_25,
    HW_27,
    HW_31,
    HW_36,
    HWH_06,
    HWH_07,
    HWH_08,
    HWH_12,
    HWH_15,
    HWH_17,
    HWH_19,
    HWH_26,
    HWH_30,
    HWH_33,
    HWH_37,
    HWH_38,
    HWH_39,
    HWH_41,
    HWH_42,
    HWH_43,
    HWH_44,
)
from rulesengine.hexwar.state import Building, Improvement, State, Unit
from rulesengine.paths import brief

COUNTS = ("score", "draw", "void")

type Check = Callable[[State, Event], Refusal | None]
type Question = Callable[[State, Event], bool]


def check(state: State, event: Event) -> Refusal | None:
    """Return the first rule that forbids an event, with its breach, or None. Events without an effect here pass."""
    one = CHECKS.get(type(event.data))
    if one is None:
        return None
    refusal = one(state, event)
    if refusal is None:
        return None
    impossible = IMPOSSIBLE[type(event.data)](state, event)
    return replace(refusal, breach="impossible") if impossible else refusal


# Units


def check_unit_moved(state: State, event: Event) -> Refusal | None:
    """Return what forbids a move."""
    data = cast(events.UnitMoved, event.data)
    unit = state.units.get(data.unit)
    if unit is None or not _may_act(state, event.seat, unit):
        return _actor(state, event.seat, data.unit, unit)
    if unit.new:
        return _too_new(data.unit)
    if not data.path:
        return HW_06.refuses(f"the path of {data.unit} is empty; it needs at least one hex")
    steps = state.setup.ground[unit.type].steps
    standing = state.standing
    here, left = unit.hex, unit.movement
    for there in data.path:
        step = steps[here].get(there)
        if step is None:
            return _blocked(state, data.unit, here, there)
        if there in standing and standing[there] != (data.unit,):
            return _occupied(state, data.unit, there, data.path[-1])
        left -= step
        if left < 0:
            return _too_far(state, data.unit, there, unit.movement - left, data.path[-1])
        here = there
    return None


def check_unit_attacked(state: State, event: Event) -> Refusal | None:
    """Return what forbids an attack."""
    data = cast(events.UnitAttacked, event.data)
    unit = state.units.get(data.attacker)
    if unit is None or not _may_act(state, event.seat, unit):
        return _actor(state, event.seat, data.attacker, unit)
    if unit.new:
        return _too_new(data.attacker)
    kind = state.setup.tables.units[unit.type]
    if kind.attack < 1 or kind.range < 1:
        return HWH_26.refuses(
            f"{data.attacker} is a unit of type {unit.type} with attack {kind.attack} and range {kind.range}: it cannot attack"
        )
    if unit.attacked:
        return HW_31.refuses(f"{data.attacker} has attacked already this turn")
    if unit.acted or unit.movement < state.setup.options.min_movement_to_act:
        return _spent(state, data.attacker, unit)
    target = state.units.get(data.target)
    if target is None:
        return HWH_26.refuses(f"there is no unit {brief(data.target)}", nearest=_targets(state, unit, kind.range))
    if target.owner == event.seat:
        return HWH_26.refuses(
            f"{data.target} belongs to {event.seat}, who attacks", nearest=_targets(state, unit, kind.range)
        )
    far = distance(unit.hex, target.hex)
    if far > kind.range:
        return HW_27.refuses(
            f"{data.target} on {shown(target.hex)} is {far} hexes from {data.attacker} on {shown(unit.hex)}; "
            f"its range is {kind.range}",
            nearest=_targets(state, unit, kind.range),
        )
    return None


def check_unit_fortified(state: State, event: Event) -> Refusal | None:
    """Return what forbids to fortify."""
    data = cast(events.UnitFortified, event.data)
    unit = state.units.get(data.unit)
    if unit is None or not _may_act(state, event.seat, unit):
        return _actor(state, event.seat, data.unit, unit)
    if unit.type == "peasant":
        return HW_36.refuses(f"{data.unit} is a Peasant, and Peasants do not fortify")
    if unit.new:
        return _too_new(data.unit)
    if unit.fortified:
        return HWH_30.refuses(f"{data.unit} is fortified already")
    if unit.acted or unit.movement < state.setup.options.min_movement_to_act:
        return _spent(state, data.unit, unit)
    return None


# Peasants


def check_construction_started(state: State, event: Event) -> Refusal | None:
    """Return what forbids to begin a construction."""
    data = cast(events.ConstructionStarted, event.data)
    unit = state.units.get(data.unit)
    if unit is None or not _may_act(state, event.seat, unit):
        return _actor(state, event.seat, data.unit, unit)
    if unit.type != "peasant":
        return HW_10.refuses(f"{data.unit} is a unit of type {unit.type}; only Peasants build")
    if unit.new:
        return _too_new(data.unit)
    if unit.acted or unit.movement < state.setup.options.min_movement_to_act:
        return _spent(state, data.unit, unit)
    setup = state.setup
    kind = setup.tables.improvements.get(data.kind)
    if kind is None:
        return HWH_44.refuses(
            f"there is no improvement {brief(data.kind)}", nearest=f"one of {', '.join(setup.tables.improvements)}"
        )
    if data.hex not in setup.board.terrain:
        return HWH_37.refuses(f"{shown(data.hex)} is not on the map {setup.board.id}")
    return _site(state, event.seat, unit, kind, data.hex)


def _site(state: State, seat: str | None, unit: Unit, kind: Improvement, hex_: Hex) -> Refusal | None:
    setup = state.setup
    if not in_reach(kind, unit.hex, hex_):
        rule = HW_18 if kind.id == "port" else HWH_08
        return rule.refuses(
            f"{shown(hex_)} is {distance(unit.hex, hex_)} hexes from the Peasant on {shown(unit.hex)}; a {kind.id} needs "
            + (
                " or ".join({"own": "its own hex", "adjacent": "a neighbouring hex"}[one] for one in sorted(kind.reach))
            ),
            nearest=_sites(state, seat, unit, kind),
        )
    if not fits(state, kind, hex_):
        rule = HWH_12 if kind.id in ("town", "fort") else COSTS_AND_GROUND[kind.id]
        water = " that is shoreline water" if kind.shoreline_only else ""
        return rule.refuses(
            f"{shown(hex_)} is {setup.board.terrain[hex_]}; a {kind.id} needs {' or '.join(sorted(kind.terrain))}{water}",
            nearest=_sites(state, seat, unit, kind),
        )
    other = [id_ for id_ in state.standing.get(hex_, ()) if state.units[id_] is not unit]
    if other:
        return HW_12.refuses(f"{other[0]} stands on {shown(hex_)}", nearest=_sites(state, seat, unit, kind))
    if found := in_the_way(state, kind, hex_):
        one = state.buildings[found]
        return HW_12.refuses(
            f"{shown(hex_)} holds {found} ({one.tier or one.kind}{'' if one.site is None else ', under construction'})",
            nearest=_sites(state, seat, unit, kind),
        )
    region = region_of(state, kind.id, unit.hex, hex_)
    if not may_build_in(state, seat, kind, region):
        where = (
            f"the region {region!r} belongs to {state.regions[region].owner or 'nobody'}"
            if region
            else "it has no region"
        )
        return HW_12.refuses(f"{shown(hex_)}: {where}, not to {seat}", nearest=_sites(state, seat, unit, kind))
    gold = state.players[seat].gold if seat is not None else 0
    if gold < kind.cost:
        return COSTS_AND_GROUND[kind.id].refuses(f"a {kind.id} costs {kind.cost} gold and {seat} has {gold}")
    return None


def in_reach(kind: Improvement, here: Hex, hex_: Hex) -> bool:
    """Return whether a Peasant `here` can begin an improvement of this kind on `hex_`."""
    far = distance(here, hex_)
    return (far == 0 and "own" in kind.reach) or (far == 1 and "adjacent" in kind.reach)


def fits(state: State, kind: Improvement, hex_: Hex) -> bool:
    """Return whether an improvement of this kind can stand on the terrain of a hex, shoreline included."""
    board = state.setup.board
    return board.terrain[hex_] in kind.terrain and (not kind.shoreline_only or hex_ in board.shoreline)


def in_the_way(state: State, kind: Improvement, hex_: Hex) -> str | None:
    """Return a building or site that keeps an improvement of this kind off a hex, or None."""
    on_settlement = kind.id == "fort" and state.setup.options.fort_on_settlement
    for id_ in state.built.get(hex_, ()):
        if not (on_settlement and state.buildings[id_].kind == "settlement"):
            return id_
    return None


def region_of(state: State, kind: str, here: Hex, hex_: Hex) -> str | None:
    """Return the region a new building gets: its hex's, of a Port on a hex without one that of its builder's hex."""
    region = state.setup.board.region
    found = region[hex_]
    return region[here] if found is None and kind == "port" else found


def may_build_in(state: State, seat: str | None, kind: Improvement, region: str | None) -> bool:
    """Return whether a seat may begin an improvement of this kind in a region."""
    if region is None:
        return False
    owner = state.regions[region].owner
    free = kind.id == "fort" and state.setup.options.fort_build_region == "owned_or_neutral" and owner is None
    return owner == seat or free


def check_territory_captured(state: State, event: Event) -> Refusal | None:
    """Return what forbids a capture."""
    data = cast(events.TerritoryCaptured, event.data)
    unit = state.units.get(data.unit)
    if unit is None or not _may_act(state, event.seat, unit):
        return _actor(state, event.seat, data.unit, unit)
    if unit.type != "peasant":
        return HW_11.refuses(f"{data.unit} is a unit of type {unit.type}; only Peasants capture")
    if unit.new:
        return _too_new(data.unit)
    if unit.acted or unit.movement < state.setup.options.min_movement_to_act:
        return _spent(state, data.unit, unit)
    region = region_with_seat(state, unit.hex)
    if region is None:
        seats = [one for one in state.regions.values() if one.owner != event.seat]
        near = min(seats, key=lambda one: distance(unit.hex, one.seat), default=None)
        return HW_13.refuses(
            f"{data.unit} stands on {shown(unit.hex)}, which is no region's seat",
            nearest=None if near is None else f"the nearest seat to capture is on {shown(near.seat)}",
        )
    if state.regions[region].owner == event.seat:
        return HWH_15.refuses(f"the region {region!r} belongs to {event.seat} already")
    return None


def region_with_seat(state: State, hex_: Hex) -> str | None:
    """Return the region whose seat is on a hex, or None."""
    for id_, region in state.regions.items():
        if region.seat == hex_:
            return id_
    return None


# Buildings


def check_unit_recruited(state: State, event: Event) -> Refusal | None:
    """Return what forbids to recruit."""
    data = cast(events.UnitRecruited, event.data)
    if refusal := _turn(state, event.seat):
        return refusal
    seat = cast(str, event.seat)
    one = state.buildings.get(data.building)
    if one is None or one.site is not None:
        return _no_building(data.building, one)
    if owner_of(state, one) != seat:
        return _not_own(state, data.building, one, seat)
    recruits = recruits_of(state, one)
    if not recruits:
        return HWH_19.refuses(f"{data.building} ({one.kind}) recruits nobody")
    if not action_free(state, one, seat):
        return _action_used(state, data.building, one)
    units = state.setup.tables.units
    kind = units.get(data.type)
    if kind is None:
        return HWH_44.refuses(f"there is no unit type {brief(data.type)}", nearest=f"one of {', '.join(recruits)}")
    if data.type not in recruits:
        return HWH_19.refuses(
            f"{data.building} ({one.tier or one.kind}) does not recruit {data.type}",
            nearest=f"one of {', '.join(recruits)}",
        )
    if one.hex in state.standing:
        there = state.standing[one.hex][0]
        return HW_25.refuses(
            f"{there} stands on {shown(one.hex)}, where the recruit would appear",
            nearest=f"once {there} has left the hex",
        )
    gold = state.players[seat].gold
    if gold < kind.cost:
        cheaper = [id_ for id_ in recruits if units[id_].cost <= gold]
        return HWH_38.refuses(
            f"{data.type} cost {kind.cost} gold and {seat} has {gold}",
            nearest=f"one of {', '.join(cheaper)}" if cheaper else None,
        )
    return None


def check_settlement_upgraded(state: State, event: Event) -> Refusal | None:
    """Return what forbids an upgrade."""
    data = cast(events.SettlementUpgraded, event.data)
    if refusal := _turn(state, event.seat):
        return refusal
    seat = cast(str, event.seat)
    one = state.buildings.get(data.settlement)
    if one is None or one.site is not None:
        return _no_building(data.settlement, one)
    if owner_of(state, one) != seat:
        return _not_own(state, data.settlement, one, seat)
    if one.tier is None:
        return HW_22.refuses(f"{data.settlement} is a {one.kind}; only settlements are upgraded")
    if not action_free(state, one, seat):
        return _action_used(state, data.settlement, one)
    for id_ in state.standing.get(one.hex, ()):
        if state.units[id_].owner != seat:
            return HWH_17.refuses(f"{id_} of {state.units[id_].owner} stands on {shown(one.hex)}")
    tier = state.setup.tables.settlements[one.tier]
    if tier.upgrade_to is None or tier.upgrade_cost is None:
        return HWH_19.refuses(f"{data.settlement} is a {one.tier}, which has no next tier")
    gold = state.players[seat].gold
    if gold < tier.upgrade_cost:
        return HWH_38.refuses(
            f"the upgrade from {one.tier} to {tier.upgrade_to} costs {tier.upgrade_cost} gold and {seat} has {gold}"
        )
    return None


def owner_of(state: State, one: Building) -> str | None:
    """Return who owns a building: the owner of its region, nobody for a Fort."""
    if one.kind == "fort" or one.region is None:
        return None
    return state.regions[one.region].owner


def recruits_of(state: State, one: Building) -> tuple[str, ...]:
    """Return the unit types that a building recruits."""
    tables = state.setup.tables
    return tables.settlements[one.tier].recruits if one.tier is not None else tables.improvements[one.kind].recruits


def action_free(state: State, one: Building, seat: str) -> bool:
    """Return whether a building of this seat may still recruit or upgrade this turn."""
    if one.action_turn == state.turn_no:
        return False
    return (
        state.setup.options.building_action_scope == "building"
        or state.players[seat].building_action_turn != state.turn_no
    )


# Turns and ends


def check_turn_ended(state: State, event: Event) -> Refusal | None:
    """Return what forbids to end the turn."""
    return _turn(state, event.seat)


def check_player_resigned(state: State, event: Event) -> Refusal | None:
    """Return what forbids to resign."""
    if state.status != "running":
        return _over(state)
    if event.seat not in state.alive:
        return HWH_42.refuses(f"{event.seat} is out of the match already")
    return None


def check_match_stopped(state: State, event: Event) -> Refusal | None:
    """Return what forbids to stop the match."""
    data = cast(events.MatchStopped, event.data)
    if state.status != "running":
        return _over(state)
    if event.acting_as != "organizer":
        return HWH_41.refuses(f"an organizer stops a match, not {event.acting_as or 'somebody without an office'}")
    if data.counts_as not in COUNTS:
        return HWH_41.refuses(f"counts_as is {brief(data.counts_as)}", nearest=f"one of {', '.join(COUNTS)}")
    return None


def check_time_called(state: State, event: Event) -> Refusal | None:
    """Return what forbids to call time."""
    return None if state.status == "running" else _over(state)


def check_draw_agreed(state: State, event: Event) -> Refusal | None:
    """Return what forbids a draw."""
    data = cast(shared.DrawAgreed, event.data)
    if state.status != "running":
        return _over(state)
    if sorted(data.seats) != sorted(state.alive):
        return HWH_41.refuses(
            f"a draw is agreed by all who still play ({', '.join(state.alive)}), not by {brief(', '.join(data.seats) or 'nobody')}"
        )
    return None


def check_match_void(state: State, event: Event) -> Refusal | None:
    """Return what forbids to abandon or annul the match."""
    return HWH_42.refuses("the match is void already") if state.status == "void" else None


def check_match_ended(state: State, event: Event) -> Refusal | None:
    """Return what forbids to record the end."""
    if state.status != "running":
        return None
    return HWH_33.refuses(
        f"the match still runs: round {state.round} of {state.setup.options.max_rounds}, {state.turn_player} to play",
        nearest="time_called ends it here",
    )


def check_state_adjusted(state: State, event: Event) -> Refusal | None:
    """Return what forbids to set a value of the state."""
    data = cast(shared.StateAdjusted, event.data)
    try:
        adjusted(state, data.path, data.old, data.new)
    except ValueError as error:
        return HWH_39.refuses(str(error))
    return None


# Refusals in words


def _may_act(state: State, seat: str | None, unit: Unit) -> bool:
    return unit.owner == seat == state.turn_player and state.status == "running" and seat in state.alive


def _actor(state: State, seat: str | None, id_: str, unit: Unit | None) -> Refusal | None:
    if refusal := _turn(state, seat):
        return refusal
    if unit is None:
        return HWH_43.refuses(f"there is no unit {brief(id_)}")
    return HWH_43.refuses(f"{id_} belongs to {unit.owner}, not to {seat}")


def _turn(state: State, seat: str | None) -> Refusal | None:
    if state.status != "running":
        return _over(state)
    if seat not in state.alive:
        return HWH_42.refuses(f"{seat} is out of the match")
    if seat != state.turn_player:
        return HWH_42.refuses(f"it is the turn of {state.turn_player}, not of {seat}")
    return None


def _over(state: State) -> Refusal | None:
    how = "is void" if state.status == "void" else "has ended"
    return HWH_42.refuses(f"the match {how} (round {state.round}, turn {state.turn_no})")


def _too_new(id_: str) -> Refusal | None:
    return HW_25.refuses(f"{id_} was recruited this turn and acts from its owner's next turn")


def _spent(state: State, id_: str, unit: Unit) -> Refusal | None:
    if unit.acted:
        return HWH_07.refuses(f"{id_} has used its ending action this turn")
    least = state.setup.options.min_movement_to_act
    return HWH_06.refuses(f"{id_} has {unit.movement} movement left and needs at least {least}")


def _blocked(state: State, id_: str, here: Hex, there: Hex) -> Refusal | None:
    board = state.setup.board
    if (there[0] - here[0], there[1] - here[1]) not in DIRECTIONS:
        return HW_06.refuses(
            f"{shown(there)} is {distance(here, there)} hexes from {shown(here)}, not next to it",
            nearest=_nearest(state, id_, there),
        )
    if there not in board.terrain:
        return HWH_37.refuses(f"{shown(there)} is not on the map {board.id}", nearest=_nearest(state, id_, there))
    kind = state.setup.tables.units[state.units[id_].type]
    rule = HW_05 if kind.cls == "naval" else HW_04
    return rule.refuses(
        f"{shown(there)} is {board.terrain[there]}, which {kind.id} ({kind.cls}) cannot enter",
        nearest=_nearest(state, id_, there),
    )


def _occupied(state: State, id_: str, there: Hex, goal: Hex) -> Refusal | None:
    other = next(one for one in state.standing[there] if one != id_)
    return HW_07.refuses(f"{other} stands on {shown(there)}", nearest=_nearest(state, id_, goal))


def _too_far(state: State, id_: str, there: Hex, cost: int, goal: Hex) -> Refusal | None:
    return HW_08.refuses(
        f"going as far as {shown(there)} costs {cost} and {id_} has {state.units[id_].movement} movement left",
        nearest=_nearest(state, id_, goal),
    )


def _nearest(state: State, id_: str, goal: Hex) -> str | None:
    reached = reach(state, id_)
    if not reached:
        return None
    hex_ = min(reached, key=lambda one: (distance(one, goal), reached[one], one))
    return f"{id_} can reach {shown(hex_)} for {reached[hex_]}"


def _targets(state: State, unit: Unit, range_: int) -> str | None:
    found = [
        id_ for id_, one in state.units.items() if one.owner != unit.owner and distance(one.hex, unit.hex) <= range_
    ]
    return f"in range: {', '.join(found)}" if found else None


def _sites(state: State, seat: str | None, unit: Unit, kind: Improvement) -> str | None:
    found = [shown(hex_) for hex_ in sites(state, seat, unit, kind)]
    return f"{kind.id} on {' or '.join(found)}" if found else None


def sites(state: State, seat: str | None, unit: Unit, kind: Improvement) -> list[Hex]:
    """Return the hexes on which a Peasant may begin this kind now, gold apart: its own, then its neighbours."""
    around: tuple[Hex, ...] = (unit.hex,) if "own" in kind.reach else ()
    if "adjacent" in kind.reach:
        around += state.setup.board.neighbours[unit.hex]
    return [
        hex_
        for hex_ in around
        if fits(state, kind, hex_)
        and (hex_ == unit.hex or hex_ not in state.standing)
        and len(state.standing.get(hex_, ())) < 2
        and in_the_way(state, kind, hex_) is None
        and may_build_in(state, seat, kind, region_of(state, kind.id, unit.hex, hex_))
    ]


def _no_building(id_: str, one: Building | None) -> Refusal | None:
    if one is None or one.site is None:
        return HWH_43.refuses(f"there is no building {brief(id_)}")
    return HWH_43.refuses(f"{id_} ({one.kind}) is under construction, {one.site.turns_left} turn start(s) to go")


def _not_own(state: State, id_: str, one: Building, seat: str) -> Refusal | None:
    return HW_22.refuses(f"{id_} ({one.tier or one.kind}) belongs to {owner_of(state, one) or 'nobody'}, not to {seat}")


def _action_used(state: State, id_: str, one: Building) -> Refusal | None:
    who = f"{id_} has" if one.action_turn == state.turn_no else f"{state.turn_player} has"
    return HW_23.refuses(f"{who} used the one building action of this turn")


# Irregular or impossible (6.7)


def _always(state: State, event: Event) -> bool:
    return True


def _never(state: State, event: Event) -> bool:
    return False


def _out(state: State, seat: str | None) -> bool:
    return state.status != "running" or seat not in state.alive


def _no_unit(state: State, event: Event, id_: str) -> bool:
    unit = state.units.get(id_)
    return unit is None or unit.owner != event.seat or _out(state, event.seat)


def _no_move(state: State, event: Event) -> bool:
    data = cast(events.UnitMoved, event.data)
    terrain = state.setup.board.terrain
    return _no_unit(state, event, data.unit) or not data.path or any(hex_ not in terrain for hex_ in data.path)


def _no_attack(state: State, event: Event) -> bool:
    data = cast(events.UnitAttacked, event.data)
    return _no_unit(state, event, data.attacker) or data.target not in state.units


def _no_fortify(state: State, event: Event) -> bool:
    return _no_unit(state, event, cast(events.UnitFortified, event.data).unit)


def _no_construction(state: State, event: Event) -> bool:
    data = cast(events.ConstructionStarted, event.data)
    setup = state.setup
    return (
        _no_unit(state, event, data.unit)
        or data.kind not in setup.tables.improvements
        or data.hex not in setup.board.terrain
    )


def _no_capture(state: State, event: Event) -> bool:
    data = cast(events.TerritoryCaptured, event.data)
    return _no_unit(state, event, data.unit) or region_with_seat(state, state.units[data.unit].hex) is None


def _no_recruit(state: State, event: Event) -> bool:
    data = cast(events.UnitRecruited, event.data)
    one = state.buildings.get(data.building)
    return _out(state, event.seat) or one is None or one.site is not None or data.type not in state.setup.tables.units


def _no_upgrade(state: State, event: Event) -> bool:
    one = state.buildings.get(cast(events.SettlementUpgraded, event.data).settlement)
    if _out(state, event.seat) or one is None or one.site is not None or one.tier is None:
        return True
    return state.setup.tables.settlements[one.tier].upgrade_to is None


CHECKS: dict[type[Payload], Check] = {
    events.UnitMoved: check_unit_moved,
    events.UnitAttacked: check_unit_attacked,
    events.UnitFortified: check_unit_fortified,
    events.ConstructionStarted: check_construction_started,
    events.TerritoryCaptured: check_territory_captured,
    events.UnitRecruited: check_unit_recruited,
    events.SettlementUpgraded: check_settlement_upgraded,
    events.TurnEnded: check_turn_ended,
    events.MatchStopped: check_match_stopped,
    shared.PlayerResigned: check_player_resigned,
    shared.TimeCalled: check_time_called,
    shared.DrawAgreed: check_draw_agreed,
    shared.MatchAbandoned: check_match_void,
    shared.MatchAnnulled: check_match_void,
    shared.MatchEnded: check_match_ended,
    shared.StateAdjusted: check_state_adjusted,
}
"""The check of each type of event."""

IMPOSSIBLE: dict[type[Payload], Question] = {
    events.UnitMoved: _no_move,
    events.UnitAttacked: _no_attack,
    events.UnitFortified: _no_fortify,
    events.ConstructionStarted: _no_construction,
    events.TerritoryCaptured: _no_capture,
    events.UnitRecruited: _no_recruit,
    events.SettlementUpgraded: _no_upgrade,
    events.TurnEnded: _always,
    events.MatchStopped: _always,
    shared.PlayerResigned: _always,
    shared.TimeCalled: _always,
    shared.DrawAgreed: _always,
    shared.MatchAbandoned: _always,
    shared.MatchAnnulled: _always,
    shared.MatchEnded: _never,
    shared.StateAdjusted: _always,
}
"""Whether a refused event of each type is impossible."""
