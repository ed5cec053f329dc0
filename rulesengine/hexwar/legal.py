"""What may be recorded next: every event of normal play in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator

from rulesengine import shared
from rulesengine.game import Event
from rulesengine.hexwar import events
from rulesengine.hexwar.checks import action_free, owner_of, recruits_of, region_with_seat, sites
from rulesengine.hexwar.hexes import distance
from rulesengine.hexwar.moving import path, search
from rulesengine.hexwar.state import State, Unit


def legal(state: State) -> Iterator[Event]:
    """Yield what the player at turn may do: unit by unit, building by building, the end of the turn, and who may resign.

    A unit's moves go to every hex in its range on a shortest way, the nearest first.
    """
    if state.status != "running":
        return
    seat = state.turn_player
    if seat in state.alive:
        for id_, unit in state.units.items():
            if unit.owner == seat and not unit.new:
                yield from _moves(state, seat, id_, unit)
                yield from _actions(state, seat, id_, unit)
        yield from _building_actions(state, seat)
        yield Event(seat, events.TurnEnded())
    for one in state.alive:
        yield Event(one, shared.PlayerResigned())


def _moves(state: State, seat: str, id_: str, unit: Unit) -> Iterator[Event]:
    if unit.movement < 1:
        return
    reached, came_from = search(state, id_)
    for hex_ in reached:
        yield Event(seat, events.UnitMoved(unit=id_, path=path(came_from, unit.hex, hex_)))


def _actions(state: State, seat: str, id_: str, unit: Unit) -> Iterator[Event]:
    setup = state.setup
    if unit.acted or unit.movement < setup.options.min_movement_to_act:
        return
    kind = setup.tables.units[unit.type]
    if kind.attack >= 1 and kind.range >= 1 and not unit.attacked:
        for target, other in state.units.items():
            if other.owner != seat and distance(unit.hex, other.hex) <= kind.range:
                yield Event(seat, events.UnitAttacked(attacker=id_, target=target))
    if unit.type != "peasant":
        if not unit.fortified:
            yield Event(seat, events.UnitFortified(unit=id_))
        return
    gold = state.players[seat].gold
    for improvement in setup.tables.improvements.values():
        if improvement.cost <= gold:
            for hex_ in sites(state, seat, unit, improvement):
                yield Event(seat, events.ConstructionStarted(unit=id_, kind=improvement.id, hex=hex_))
    region = region_with_seat(state, unit.hex)
    if region is not None and state.regions[region].owner != seat:
        yield Event(seat, events.TerritoryCaptured(unit=id_))


def _building_actions(state: State, seat: str) -> Iterator[Event]:
    tables = state.setup.tables
    gold = state.players[seat].gold
    for id_, one in state.buildings.items():
        if one.site is not None or owner_of(state, one) != seat or not action_free(state, one, seat):
            continue
        standing = state.standing.get(one.hex, ())
        if not standing:
            for kind in recruits_of(state, one):
                if tables.units[kind].cost <= gold:
                    yield Event(seat, events.UnitRecruited(building=id_, type=kind))
        if one.tier is None or any(state.units[other].owner != seat for other in standing):
            continue
        cost = tables.settlements[one.tier].upgrade_cost
        if cost is not None and cost <= gold:
            yield Event(seat, events.SettlementUpgraded(settlement=id_))
