"""Moving: armies that split and join, moves on foot, over water, through the air and by rail, and soldiers aboard ships (4.5).

The scribe declares lengths in tenths of a foot; nothing is measured here (KSH-25). A Forward is a move once more (KS-24).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.battle import feet, own_units
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.events import (
    ArmyMerged,
    ArmySplit,
    RailTravelled,
    TroopsEmbarked,
    TroopsLanded,
    UnitForwarded,
    UnitMoved,
    stacks_of,
)
from rulesengine.kingsquare.rules import (
    KS_08,
    KS_19,
    KS_68,
    KSH_29,
    KSH_30,
    KSH_31,
    KSH_53,
    U_7,
)
from rulesengine.kingsquare.state import Army, Link, Place, Ship, Stacks, State
from rulesengine.kingsquare.war import king_movement_ft10, press, together, without
from rulesengine.kingsquare.works import conditions, in_use, of_castle, ruined

ON_ROAD = frozenset({"road", "improved_road", "bridge"})

# Figures of a move


def allowance(state: State, units: Iterable[str]) -> int | None:
    """Return how far a group goes in tenths of a foot: as its slowest member (KSH-27); None for planes, which go anywhere."""
    options = state.setup.options
    speeds: list[int] = []
    for unit in units:
        if unit in state.planes:
            continue
        if unit.startswith("king:"):
            speed = king_movement_ft10(state.kingdoms[unit[5:]].king.level)
            if options.move_group == "king":
                return speed
            speeds.append(speed)
        else:
            speeds.append(options.move_ship_ft10 if unit in state.ships else options.move_army_ft10)
    if not speeds:
        return None
    return max(speeds) if options.move_group == "fastest" else min(speeds)


def within(state: State, off_ft10: int, on_ft10: int, allowed_ft10: int) -> bool:
    """Return whether a move of this length off and on the road is within an allowance (F-19)."""
    bonus = state.setup.figures.road_bonus and (state.setup.options.road_bonus_mode == "portion" or off_ft10 == 0)
    if bonus:
        return 3 * off_ft10 + 2 * on_ft10 <= 3 * allowed_ft10
    return off_ft10 + on_ft10 <= allowed_ft10


def ground(state: State, place: Place) -> str:
    """Return what a place is made of: the terrain last placed under the label of a field, ``open`` elsewhere."""
    if place.field is None or place.castle is not None:
        return "open"
    kind = "open"
    for terrain in state.terrain.values():
        if terrain.label == place.field:
            kind = terrain.kind
    return kind


def passable(state: State, seat: str | None, link: Link) -> bool:
    """Return whether a seat's units go along a link: an uncut road, improved road or bridge, own or an ally's (KS-08)."""
    return not link.cut and link.kind in ON_ROAD and _friendly(state, seat, link.kingdom)


def _friendly(state: State, seat: str | None, owner: str) -> bool:
    return owner == seat or (seat is not None and state.allied(seat, owner))


# What forbids an event


def check_unit_moved(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids a move, in the order of 8.5."""
    data = cast(UnitMoved, event.data)
    yield from own_units(state, event.seat, data.units)
    yield from _ids(state, data.to, data.links)
    yield from _mode(state, data.units, data.mode)
    yield from _together(state, data.units)
    yield from _not_moved(state, data.units)
    yield from _way(state, event.seat, data.units, data.to, data.off_ft10, data.on_ft10, data.mode, data.links)


def check_unit_forwarded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids a Forward: as a move or a journey by rail, but for having moved."""
    data = cast(UnitForwarded, event.data)
    yield from own_units(state, event.seat, data.units)
    if data.rail is not None:
        yield from _rail(state, event.seat, data.units, data.rail.from_building, data.rail.to_building)
        yield from _throughput(state, data.units, data.rail.from_building, data.rail.to_building)
    elif data.to is not None and data.mode is not None:
        off, on = data.off_ft10 or 0, data.on_ft10 or 0
        yield from _ids(state, data.to, data.links)
        yield from _mode(state, data.units, data.mode)
        yield from _together(state, data.units)
        yield from _way(state, event.seat, data.units, data.to, off, on, data.mode, data.links)
    limit = state.setup.options.forward_limit
    for unit in data.units if limit else ():
        times = state.forwarded.get(unit, 0)
        if times >= limit:
            yield KSH_30.refuses(f"{unit} was forwarded {times} times this turn; the limit is {limit}")
            return


def check_rail_travelled(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids a journey by rail, in the order of 8.5."""
    data = cast(RailTravelled, event.data)
    yield from own_units(state, event.seat, data.units)
    yield from _rail(state, event.seat, data.units, data.from_building, data.to_building)
    yield from _not_moved(state, data.units)
    yield from _throughput(state, data.units, data.from_building, data.to_building)


def _ids(state: State, to: Place, links: Iterable[str] | None) -> Iterator[Refusal]:
    if to.castle is not None and to.castle not in state.works.castles:
        yield U_7.refuses(f"there is no castle {to.castle[:50]!r} to go to", "impossible")
    for link in links or ():
        if link not in state.works.links:
            yield U_7.refuses(f"there is no link {link[:50]!r}", "impossible")


def _mode(state: State, units: Iterable[str], mode: str) -> Iterator[Refusal]:
    for unit in units:
        own = "sea" if unit in state.ships else "air" if unit in state.planes else "land"
        if own != mode:
            yield U_7.refuses(f"{unit} does not move by {mode} but by {own}", "impossible", nearest=f"mode {own}")


def _together(state: State, units: Sequence[str]) -> Iterator[Refusal]:
    if len(units) == 1:
        return
    places: dict[tuple[str, str], str] = {}
    for unit in units:
        if (place := state.place_of(unit)) is not None:
            places.setdefault(place.where, unit)
    if len(places) > 1:
        apart = " and ".join(f"{unit} at {where[1]}" for where, unit in places.items())
        yield KS_19.refuses(f"a group moves from one place, but {apart} are apart", nearest="a move for each place")


def _not_moved(state: State, units: Iterable[str]) -> Iterator[Refusal]:
    for unit in units:
        if moved(state, unit):
            yield KS_19.refuses(f"{unit} has moved already this turn", nearest="a Forward in the Act phase")
            return


def moved(state: State, unit: str) -> bool:
    """Return whether a unit has had its move of this turn."""
    if unit.startswith("king:"):
        return state.kingdoms[unit[5:]].king.moved
    piece = state.armies.get(unit) or state.ships.get(unit) or state.planes.get(unit)
    return piece is not None and piece.moved


def _way(
    state: State,
    seat: str | None,
    units: Sequence[str],
    to: Place,
    off: int,
    on: int,
    mode: str,
    links: Sequence[str] | None,
) -> Iterator[Refusal]:
    along = [state.works.links[id_] for id_ in links or ()]
    crossing = state.setup.options.road_cut == "free"
    for id_, link in zip(links or (), along, strict=True):
        if not passable(state, seat, link) and not (crossing and not _friendly(state, seat, link.kingdom)):
            why = "cut" if link.cut else f"a {link.kind}" if link.kind not in ON_ROAD else f"{link.kingdom}'s, no ally"
            yield KS_08.refuses(
                f"{id_} is {why}; a move goes along uncut roads, improved roads and bridges, own or an ally's"
            )
            break
    if on and not any(passable(state, seat, link) for link in along):
        yield KS_08.refuses(
            f"{feet(on)} go along a road, but no road that carries it is named", nearest="name the links in links"
        )
    allowed = allowance(state, units)
    if allowed is not None and not within(state, off, on, allowed):
        yield KS_19.refuses(
            f"{feet(off)} off the road and {feet(on)} on it are more than {', '.join(units)} may go: {feet(allowed)}",
            nearest=_farthest(state, on, allowed),
        )
    if state.setup.options.terrain_effects == "basic" and mode != "air":
        kind = ground(state, to)
        if kind == "impassable":
            yield KSH_31.refuses(f"{to.field} is impassable to all but planes")
        elif kind == "water" and mode == "land" and not _bridged(state, seat, along):
            yield KSH_31.refuses(
                f"{to.field} is water, which stops what goes on land", nearest="over a bridge, or aboard a ship"
            )


def _bridged(state: State, seat: str | None, along: Iterable[Link]) -> bool:
    return any(link.kind == "bridge" and passable(state, seat, link) for link in along)


def _farthest(state: State, on: int, allowed: int) -> str:
    off = next((off for off in range(allowed, -1, -1) if within(state, off, on, allowed)), None)
    return (
        f"at most {feet(allowed)} off the road" if off is None else f"with {feet(on)} on the road, {feet(off)} off it"
    )


def _rail(state: State, seat: str | None, units: Sequence[str], first: str, second: str) -> Iterator[Refusal]:
    buildings, castles = state.works.buildings, state.works.castles
    for station in (first, second):
        if station not in buildings:
            yield U_7.refuses(f"there is no building {station[:50]!r}", "impossible")
    for unit in units:
        if unit in state.ships or unit in state.planes:
            yield U_7.refuses(f"{unit} does not travel by rail; armies and Kings do", "impossible")
    allied = state.setup.options.rail_allied

    def ours(owner: str) -> bool:
        return _friendly(state, seat, owner) if allied else owner == seat

    whose = "own or an ally's" if allied else "own"
    for station in (first, second):
        one = buildings[station]
        if one.kind != "trainyard" or not ours(castles[one.castle].kingdom) or not in_use(state, station):
            yield KS_68.refuses(
                f"{station} is a {one.kind} of {castles[one.castle].kingdom}, {conditions(state.works)[station]}; "
                f"a journey goes between active Trainyards, {whose}"
            )
            break
    ends = {first, second}
    if not any(
        link.kind == "rail" and not link.cut and {link.a, link.b} == ends and ours(link.kingdom)
        for link in state.works.links.values()
    ):
        yield KS_68.refuses(f"no uncut rail, {whose}, runs between {first} and {second}")
    start = ("castle", buildings[first].castle)
    for unit in units:
        place = state.place_of(unit)
        if place is None or place.where != start:
            stands = "nowhere" if place is None else place.where[1]
            yield KS_68.refuses(f"{unit} is at {stands}, not in the Territory of {start[1]}, where {first} stands")
            return


def _throughput(state: State, units: Sequence[str], first: str, second: str) -> Iterator[Refusal]:
    per_level = state.setup.options.rail_units_per_level
    if not per_level:
        return
    for station in (first, second):
        most = per_level * state.works.buildings[station].level
        had = state.travelled.get(station, 0)
        if had + len(units) > most:
            yield KSH_29.refuses(
                f"{station} takes {most} units a turn; it has had {had}, and {len(units)} more are to travel",
                nearest=f"{max(0, most - had)} units",
            )
            return


def check_army_split(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to split an army."""
    data = cast(ArmySplit, event.data)
    yield from _own_army(state, event.seat, data.army)
    yield from _free(state, data.new_army)
    there, parts = state.armies[data.army].stacks, stacks_of(data.stacks)
    yield from _present(there, parts, data.army)
    if not without(there, parts):
        yield U_7.refuses(f"nobody would be left in {data.army}; both halves need soldiers", "impossible")


def check_army_merged(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to merge two armies."""
    data = cast(ArmyMerged, event.data)
    yield from _own_army(state, event.seat, data.from_)
    yield from _own_army(state, event.seat, data.into)
    if data.from_ == data.into:
        yield U_7.refuses(f"{data.from_} cannot join itself", "impossible")
    one, other = state.armies[data.from_].at, state.armies[data.into].at
    if one.where != other.where:
        yield U_7.refuses(
            f"{data.from_} is at {one.where[1]} and {data.into} at {other.where[1]}; armies join at one place",
            "impossible",
        )


def check_troops_embarked(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids soldiers to go aboard."""
    data = cast(TroopsEmbarked, event.data)
    yield from _own_army(state, event.seat, data.army)
    yield from _own_ship(state, event.seat, data.ship)
    army, ship, soldiers = state.armies[data.army], state.ships[data.ship], stacks_of(data.stacks)
    yield from _present(army.stacks, soldiers, data.army)
    if army.at.where != ship.at.where:
        yield KSH_53.refuses(f"{data.army} is at {army.at.where[1]}, the ship {data.ship} at {ship.at.where[1]}")
    yield from _shore(state, ship)
    most = state.setup.options.ship_cargo
    aboard, more = sum(ship.cargo.values()), sum(soldiers.values())
    if aboard + more > most:
        yield KSH_53.refuses(
            f"{data.ship} carries {most} soldiers; {aboard} are aboard and {more} want to come",
            nearest=f"{max(0, most - aboard)} soldiers",
        )


def check_troops_landed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids soldiers to go ashore."""
    data = cast(TroopsLanded, event.data)
    yield from _own_ship(state, event.seat, data.ship)
    army = state.armies.get(data.army)
    if army is not None:
        yield from _own_army(state, event.seat, data.army)
    else:
        yield from _free(state, data.army)
    ship = state.ships[data.ship]
    yield from _present(ship.cargo, stacks_of(data.stacks), data.ship)
    if army is not None and army.at.where != ship.at.where:
        yield KSH_53.refuses(f"{data.army} is at {army.at.where[1]}, the ship {data.ship} at {ship.at.where[1]}")
    yield from _shore(state, ship)


def _own_army(state: State, seat: str | None, id_: str) -> Iterator[Refusal]:
    army = state.armies.get(id_)
    if army is None:
        yield U_7.refuses(f"there is no army {id_[:50]!r} on the table", "impossible")
    elif army.kingdom != seat:
        yield U_7.refuses(f"{id_} belongs to {army.kingdom}, not to {seat}", "impossible")


def _own_ship(state: State, seat: str | None, id_: str) -> Iterator[Refusal]:
    if id_ not in state.ships:
        yield U_7.refuses(f"there is no ship {id_[:50]!r} on the table", "impossible")
    yield from own_units(state, seat, (id_,))


def _free(state: State, id_: str) -> Iterator[Refusal]:
    if id_ in state.taken:
        yield U_7.refuses(f"the id {id_!r} is taken, and an id is never used again", "impossible")


def _present(there: Stacks, wanted: Stacks, where: str) -> Iterator[Refusal]:
    for level, count in wanted.items():
        if count > there.get(level, 0):
            yield U_7.refuses(
                f"{where} has {there.get(level, 0)} soldiers of level {level}; {count} are named", "impossible"
            )


def _shore(state: State, ship: Ship) -> Iterator[Refusal]:
    at = ship.at
    if at.castle is None:
        if (kind := ground(state, at)) != "shore":
            yield KSH_53.refuses(
                f"{at.field} is {kind}, not shore; soldiers come aboard or ashore at a shore or Harbor"
            )
        return
    works = state.works
    if not any(
        works.buildings[id_].kind == "harbor" and not ruined(state.setup, works.buildings[id_])
        for id_ in of_castle(works, at.castle)
    ):
        yield KSH_53.refuses(f"no Harbor stands in the Territory of {at.castle}")


# What an event does


def on_unit_moved(state: State, event: Event, told: Told) -> State:
    """Move units together."""
    data = cast(UnitMoved, event.data)
    state = _crossed(state, event, data.mode, data.links, told)
    return _placed(state, data.units, data.to, moved=True)


def on_unit_forwarded(state: State, event: Event, told: Told) -> State:
    """Move units once more; whether they have moved this turn stays as it was."""
    data = cast(UnitForwarded, event.data)
    forwarded = {**state.forwarded, **{unit: state.forwarded.get(unit, 0) + 1 for unit in data.units}}
    state = replace(state, forwarded=forwarded)
    if data.rail is not None:
        return _by_rail(state, data.units, data.rail.from_building, data.rail.to_building, moved=False)
    if data.to is None:
        return state
    state = _crossed(state, event, data.mode, data.links, told)
    return _placed(state, data.units, data.to, moved=False)


def on_rail_travelled(state: State, event: Event, told: Told) -> State:
    """Carry units by rail."""
    data = cast(RailTravelled, event.data)
    return _by_rail(state, data.units, data.from_building, data.to_building, moved=True)


def _by_rail(state: State, units: Sequence[str], first: str, second: str, *, moved: bool) -> State:
    travelled = state.travelled.copy()
    for station in dict.fromkeys((first, second)):
        travelled[station] = travelled.get(station, 0) + len(units)
    state = replace(state, travelled=travelled)
    return _placed(state, units, Place(castle=state.works.buildings[second].castle), moved=moved)


def _placed(state: State, units: Iterable[str], to: Place, *, moved: bool) -> State:
    """Put units at a place; `moved` marks that they had their move, False leaves the mark as it is."""
    armies, ships, planes, kingdoms = state.armies, state.ships, state.planes, state.kingdoms
    for unit in units:
        if unit in armies:
            army = armies[unit]
            armies = {**armies, unit: replace(army, at=to, moved=moved or army.moved)}
        elif unit in ships:
            ship = ships[unit]
            ships = {**ships, unit: replace(ship, at=to, moved=moved or ship.moved)}
        elif unit in planes:
            plane = planes[unit]
            planes = {**planes, unit: replace(plane, at=to, moved=moved or plane.moved)}
        else:
            seat = unit[5:]
            king = kingdoms[seat].king
            king = replace(king, at=to, moved=moved or king.moved)
            kingdoms = {**kingdoms, seat: replace(kingdoms[seat], king=king)}
    return replace(state, armies=armies, ships=ships, planes=planes, kingdoms=kingdoms)


def _crossed(state: State, event: Event, mode: str | None, links: Iterable[str] | None, told: Told) -> State:
    """Cut the foreign links that a move on land crosses, where ``road.cut`` is free (KSH-51)."""
    if state.setup.options.road_cut != "free" or mode != "land" or not links:
        return state
    before = state.works
    cut: dict[str, Link] = {}
    for id_ in links:
        link = before.links[id_]
        if not link.cut and not _friendly(state, event.seat, link.kingdom):
            cut[id_] = replace(link, cut=True)
            told.add("link_cut", id_)
    if not cut:
        return state
    state = state.with_works(links={**before.links, **cut})
    was, now = conditions(before), conditions(state.works)
    steps = dict.fromkeys(
        press(event.seat, before.buildings[id_].castle, "infrastructure")
        for id_, condition in now.items()
        if condition == "isolated" and was[id_] == "active"
    )
    for step in steps:
        told.add("step_pressed", step)
    return replace(state, pressed=state.pressed.union(steps)) if steps else state


def on_army_split(state: State, event: Event, told: Told) -> State:
    """Make two armies of one: the buffs stay with the first."""
    data = cast(ArmySplit, event.data)
    army, part = state.armies[data.army], stacks_of(data.stacks)
    new = Army(army.kingdom, part, army.at, army.moved, (), event.seq)
    armies = {**state.armies, data.army: replace(army, stacks=without(army.stacks, part)), data.new_army: new}
    return replace(state, armies=armies, taken=state.taken | {data.new_army})


def on_army_merged(state: State, event: Event, told: Told) -> State:
    """Make one army of two: it has moved if either had, and holds the buffs of both."""
    data = cast(ArmyMerged, event.data)
    one, into = state.armies[data.from_], state.armies[data.into]
    both = replace(
        into,
        stacks=together(into.stacks, one.stacks),
        moved=into.moved or one.moved,
        buffs=(*into.buffs, *one.buffs),
    )
    armies = {**state.armies, data.into: both}
    del armies[data.from_]
    return replace(state, armies=armies)


def on_troops_embarked(state: State, event: Event, told: Told) -> State:
    """Take soldiers aboard; an army without soldiers leaves the table, and its buffs are lost."""
    data = cast(TroopsEmbarked, event.data)
    army, ship, soldiers = state.armies[data.army], state.ships[data.ship], stacks_of(data.stacks)
    armies = state.armies.copy()
    if left := without(army.stacks, soldiers):
        armies[data.army] = replace(army, stacks=left)
    else:
        del armies[data.army]
    aboard = replace(ship, cargo=together(ship.cargo, soldiers))
    return replace(state, armies=armies, ships={**state.ships, data.ship: aboard})


def on_troops_landed(state: State, event: Event, told: Told) -> State:
    """Put soldiers ashore, into an army that is there or a new one; they have moved."""
    data = cast(TroopsLanded, event.data)
    ship, soldiers = state.ships[data.ship], stacks_of(data.stacks)
    army = state.armies.get(data.army)
    if army is None:
        army = Army(ship.kingdom, soldiers, ship.at, True, (), event.seq)
    else:
        army = replace(army, stacks=together(army.stacks, soldiers), moved=True)
    left = replace(ship, cargo=without(ship.cargo, soldiers))
    return replace(
        state,
        armies={**state.armies, data.army: army},
        ships={**state.ships, data.ship: left},
        taken=state.taken | {data.army},
    )


CHECKS: dict[type[Payload], Check] = {
    UnitMoved: check_unit_moved,
    UnitForwarded: check_unit_forwarded,
    RailTravelled: check_rail_travelled,
    ArmySplit: check_army_split,
    ArmyMerged: check_army_merged,
    TroopsEmbarked: check_troops_embarked,
    TroopsLanded: check_troops_landed,
}
STEPS: dict[type[Payload], Step] = {
    UnitMoved: on_unit_moved,
    UnitForwarded: on_unit_forwarded,
    RailTravelled: on_rail_travelled,
    ArmySplit: on_army_split,
    ArmyMerged: on_army_merged,
    TroopsEmbarked: on_troops_embarked,
    TroopsLanded: on_troops_landed,
}
