"""From a view back to a state (8.7 of the rule page), every value checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulesengine.kingsquare import events as e
from rulesengine.kingsquare.state import (
    OFFICIAL,
    Alliance,
    Army,
    Beast,
    Building,
    Castle,
    Kingdom,
    Link,
    Phase,
    Plane,
    Setup,
    Ship,
    Site,
    State,
    Status,
    Terrain,
    Works,
)


class _Dispute(Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    about_seq: int | None


class _View(Struct, frozen=True, forbid_unknown_fields=True):
    status: Status
    phase: Phase | None
    turn_kingdom: str | None
    round: int
    ap_total: int
    ap_spent: int
    turn_order: tuple[str, ...]
    time_called: bool
    disputes: tuple[_Dispute, ...]
    pressed: tuple[str, ...]
    kingdoms: dict[str, dict[str, Any]]
    castles: dict[str, dict[str, Any]]
    buildings: dict[str, dict[str, Any]]
    links: dict[str, dict[str, Any]]
    armies: dict[str, dict[str, Any]]
    ships: dict[str, dict[str, Any]]
    planes: dict[str, dict[str, Any]]
    beasts: dict[str, dict[str, Any]]
    sites: dict[str, dict[str, Any]]
    terrain: dict[str, dict[str, Any]]
    alliances: dict[str, dict[str, Any]]


def load(setup: Setup, plain: Mapping[str, Any], memory: State | None = None) -> State:
    """Return the state that a view shows, with what the view does not show taken from `memory`, else worked out as far as it can be.

    :raises ValueError: saying which value cannot stand there
    """
    try:
        seen = msgspec.convert(dict(plain), _View)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    _must(sorted(seen.kingdoms) == sorted(setup.seats), "kingdoms", f"must be the seats {', '.join(setup.seats)}")
    base = memory if memory is not None else State(setup, Works(setup, {}, {}, {}), {}, seen.turn_order)
    kingdoms = {seat: _piece(Kingdom, f"kingdoms.{seat}", seen.kingdoms[seat]) for seat in setup.seats}
    if memory is None and seen.turn_kingdom in seen.turn_order:
        before = seen.turn_order[: seen.turn_order.index(seen.turn_kingdom)]
        base = replace(base, turns_of_round=sum(kingdoms[seat].status == "playing" for seat in before))
    castles = {id_: _castle(setup, id_, row) for id_, row in seen.castles.items()}
    produced: set[str] = set()
    buildings: dict[str, Building] = {}
    for id_, row in seen.buildings.items():
        kept = dict(row)
        did = kept.pop("produced", None)
        _must(isinstance(did, bool), f"buildings.{id_}.produced", "must be true or false")
        if did:
            produced.add(id_)
        one = buildings[id_] = _piece(Building, f"buildings.{id_}", kept)
        _must(one.kind in e.KINDS, f"buildings.{id_}.kind", f"must be one of {', '.join(e.KINDS)}")
        _must(one.castle in castles, f"buildings.{id_}.castle", "must be a Castle")
        _within(one.level, 0, None, f"buildings.{id_}.level")
        _within(one.damage, 0, None, f"buildings.{id_}.damage")
    links = {id_: _piece(Link, f"links.{id_}", row) for id_, row in seen.links.items()}
    for id_, link in links.items():
        _must(link.kind in (*e.ROADS, "rail"), f"links.{id_}.kind", "must be a kind of road or rail")
        _must(link.kingdom in kingdoms, f"links.{id_}.kingdom", "must be a seat")
        _within(link.length_ft10, 0, None, f"links.{id_}.length_ft10")
    armies = {id_: _army(setup, id_, row) for id_, row in seen.armies.items()}
    ships = {id_: _ship(setup, id_, row) for id_, row in seen.ships.items()}
    planes = {id_: _piece(Plane, f"planes.{id_}", row) for id_, row in seen.planes.items()}
    for id_, plane in planes.items():
        _owned(setup, plane.kingdom, f"planes.{id_}.kingdom")
        _within(plane.damage, 0, None, f"planes.{id_}.damage")
    beasts = {id_: _beast(id_, row) for id_, row in seen.beasts.items()}
    for seat, kingdom in kingdoms.items():
        _within(kingdom.king.level, 0, None, f"kingdoms.{seat}.king.level")
        _within(kingdom.ap_loss, 0, None, f"kingdoms.{seat}.ap_loss")
        _within(kingdom.turn_loss, 0, None, f"kingdoms.{seat}.turn_loss")
        for name in ("wood", "stone", "food"):
            _within(getattr(kingdom.resources, name), 0, None, f"kingdoms.{seat}.resources.{name}")
    _within(seen.ap_total, 0, None, "ap_total")
    _within(seen.ap_spent, 0, None, "ap_spent")
    _must(sorted(seen.turn_order) == sorted(setup.seats), "turn_order", "must be the seats in some order")
    sites = {id_: _piece(Site, f"sites.{id_}", row) for id_, row in seen.sites.items()}
    terrain = {id_: _piece(Terrain, f"terrain.{id_}", row) for id_, row in seen.terrain.items()}
    alliances = {id_: _piece(Alliance, f"alliances.{id_}", row) for id_, row in seen.alliances.items()}
    pacts = frozenset(frozenset(one.kingdoms) for one in alliances.values() if one.status in ("active", "ending"))
    junctions = frozenset(
        end for link in links.values() for end in (link.a, link.b) if end not in castles and end not in buildings
    )
    used = frozenset().union(
        castles, buildings, links, armies, ships, planes, beasts, sites, terrain, alliances, junctions
    )
    if memory is not None:
        _levels_in_range(kingdoms, castles, buildings, armies, ships, memory)
    beasts = {
        id_: replace(one, wounds=base.beasts[id_].wounds) if id_ in base.beasts else one for id_, one in beasts.items()
    }
    return replace(
        base,
        works=Works(setup, castles, buildings, links, pacts),
        kingdoms=kingdoms,
        turn_order=seen.turn_order,
        status=seen.status,
        phase=seen.phase,
        turn_kingdom=seen.turn_kingdom,
        round=seen.round,
        ap_total=seen.ap_total,
        ap_spent=seen.ap_spent,
        time_called=seen.time_called,
        disputes={one.seq: one.about_seq for one in seen.disputes},
        pressed=frozenset(seen.pressed),
        produced=frozenset(produced),
        armies=armies,
        ships=ships,
        planes=planes,
        beasts=beasts,
        sites=sites,
        terrain=terrain,
        alliances=alliances,
        taken=base.taken | used,
        junctions=base.junctions | junctions,
    )


def _castle(setup: Setup, id_: str, row: dict[str, Any]) -> Castle:
    one = _piece(Castle, f"castles.{id_}", row)
    _must(one.kingdom in setup.seats or one.kingdom == OFFICIAL, f"castles.{id_}.kingdom", "must be a seat or official")
    _must(one.founder in setup.seats, f"castles.{id_}.founder", "must be a seat")
    _within(one.level, 0, None, f"castles.{id_}.level")
    _within(one.damage, 0, None, f"castles.{id_}.damage")
    return one


def _army(setup: Setup, id_: str, row: dict[str, Any]) -> Army:
    one = _piece(Army, f"armies.{id_}", row)
    _owned(setup, one.kingdom, f"armies.{id_}.kingdom")
    _stacks(one.stacks, f"armies.{id_}.stacks")
    _must(bool(one.stacks), f"armies.{id_}.stacks", "must not be empty")
    return replace(one, stacks=dict(sorted(one.stacks.items())))


def _ship(setup: Setup, id_: str, row: dict[str, Any]) -> Ship:
    one = _piece(Ship, f"ships.{id_}", row)
    _owned(setup, one.kingdom, f"ships.{id_}.kingdom")
    _within(one.damage, 0, None, f"ships.{id_}.damage")
    _stacks(one.cargo, f"ships.{id_}.cargo")
    return replace(one, cargo=dict(sorted(one.cargo.items())))


def _beast(id_: str, row: dict[str, Any]) -> Beast:
    kept = {("cls" if key == "class" else key): value for key, value in row.items()}
    one = _piece(Beast, f"beasts.{id_}", kept)
    for name in ("strength_left", "attack", "defence", "buff"):
        _within(getattr(one, name), 0, None, f"beasts.{id_}.{name}")
    return one


def _stacks(stacks: Mapping[int, int], at: str) -> None:
    for level, count in stacks.items():
        _within(level, 0, None, at)
        _within(count, 1, None, f"{at}.{level}")


def _levels_in_range(
    kingdoms: Mapping[str, Kingdom],
    castles: Mapping[str, Castle],
    buildings: Mapping[str, Building],
    armies: Mapping[str, Army],
    ships: Mapping[str, Ship],
    now: State,
) -> None:
    """Refuse a level out of its range that is not the present one: what a referee once accepted stays as it is."""
    for seat, kingdom in kingdoms.items():
        if kingdom.king.level != now.kingdoms[seat].king.level:
            _within(kingdom.king.level, 1, None, f"kingdoms.{seat}.king.level")
    for id_, castle in castles.items():
        if id_ not in now.works.castles or castle.level != now.works.castles[id_].level:
            _within(castle.level, 1, 10, f"castles.{id_}.level")
    for id_, building in buildings.items():
        if id_ not in now.works.buildings or building.level != now.works.buildings[id_].level:
            _within(building.level, 1, 10, f"buildings.{id_}.level")
    for id_, army in armies.items():
        known = now.armies[id_].stacks if id_ in now.armies else {}
        for level in army.stacks.keys() - known.keys():
            _within(level, 0, 10, f"armies.{id_}.stacks")
    for id_, ship in ships.items():
        known = now.ships[id_].cargo if id_ in now.ships else {}
        for level in ship.cargo.keys() - known.keys():
            _within(level, 0, 10, f"ships.{id_}.cargo")


def _owned(setup: Setup, seat: str, at: str) -> None:
    _must(seat in setup.seats, at, f"must be a seat: {', '.join(setup.seats)}")


def _within(value: int, least: int, most: int | None, at: str) -> None:
    good = value >= least and (most is None or value <= most)
    _must(good, at, f"must be from {least} to {most}" if most is not None else f"must be at least {least}")


def _piece[P: Struct](kind: type[P], at: str, row: dict[str, Any]) -> P:
    unknown = set(row) - set(kind.__struct_fields__)
    _must(not unknown, at, f"has no {', '.join(sorted(unknown))}")
    try:
        return msgspec.convert(row, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise ValueError(f"{at}: {error}") from error


def _must(good: bool, at: str, expected: str) -> None:
    if not good:
        raise ValueError(f"{at} {expected}")
