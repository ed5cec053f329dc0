"""Boards: maps looked through in full (HWH-37) and what is worked out from them once."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from rulesengine.hexwar import tables
from rulesengine.hexwar.hexes import Hex, neighbours, shown
from rulesengine.hexwar.maps import MAPS
from rulesengine.hexwar.state import Board, Ground
from rulesengine.paths import brief

MAX_HEXES = 2000
MAX_COORDINATE = 100
SEAT_GROUND = ("grassland", "plain", "forest", "hill")
TERRAINS = tuple(row["id"] for row in tables.TERRAIN)
IMPROVEMENTS = {row["id"]: row for row in tables.IMPROVEMENTS}
_REGION_ID = re.compile(r"[a-z0-9_-]{1,30}", re.ASCII)


class MapError(Exception):
    """A map that cannot be played; the message says what, where and what was expected."""


@cache
def standard(map_id: str) -> Board:
    """Return the board of a standard map.

    :raises KeyError: if there is none of this id
    """
    return _read(MAPS[map_id])


def own(plan: Any) -> Board:
    """Return the board of a map that a header brings along.

    :raises MapError: if it is not valid
    """
    _must(isinstance(plan, dict), "the map must be the id of a standard map or a map object")
    known = {"id", "name", "orientation", "hexes", "regions", "buildings"}
    _keys(plan, "the map", required={"id", "hexes", "regions"}, known=known)
    _must(isinstance(plan["id"], str), "the map's id must be text")
    _must(plan["id"] not in MAPS, f"the map's id is that of the standard map {brief(plan['id'])}; name it otherwise")
    _must(isinstance(plan.get("name", ""), str), "the map's name must be text")
    _must(plan.get("orientation", "pointy-top") == "pointy-top", "the map's orientation must be 'pointy-top'")
    return _read(plan)


def _read(plan: dict[str, Any]) -> Board:
    terrain, region = _hexes(plan["hexes"])
    around = {hex_: tuple(one for one in neighbours(hex_) if one in terrain) for hex_ in terrain}
    _connected(around)
    shoreline = frozenset(
        hex_
        for hex_, kind in terrain.items()
        if kind == "water" and any(terrain[one] != "water" for one in around[hex_])
    )
    seats, starts = _regions(plan["regions"], terrain, region)
    for hex_, id_ in region.items():
        _must(
            id_ is None or id_ in seats,
            f"hex {shown(hex_)} names the region {brief(id_)}, which is not among the regions",
        )
    return Board(
        id=plan["id"],
        name=plan.get("name", plan["id"]),
        terrain=terrain,
        region=region,
        seats=seats,
        starts=starts,
        buildings=_buildings(plan.get("buildings", []), terrain, region, seats, shoreline),
        neighbours=around,
        shoreline=shoreline,
    )


def _hexes(rows: Any) -> tuple[dict[Hex, str], dict[Hex, str | None]]:
    _must(isinstance(rows, list), "the map's hexes must be a list")
    _must(1 <= len(rows) <= MAX_HEXES, f"a map has 1 to {MAX_HEXES} hexes, this one {len(rows)}")
    terrain: dict[Hex, str] = {}
    region: dict[Hex, str | None] = {}
    for at, row in enumerate(rows):
        where = f"entry {at} of the map's hexes"
        _must(isinstance(row, list) and len(row) == 4, f"{where} must be [q, r, terrain, region or null]")
        hex_ = _hex(row[:2], where)
        _must(hex_ not in terrain, f"{where}: the hex {shown(hex_)} is there twice")
        _must(
            isinstance(row[2], str) and row[2] in TERRAINS, f"{where}: the terrain must be one of {', '.join(TERRAINS)}"
        )
        _must(row[3] is None or isinstance(row[3], str), f"{where}: the region must be text or null")
        terrain[hex_], region[hex_] = row[2], row[3]
    return terrain, region


def _connected(around: dict[Hex, tuple[Hex, ...]]) -> None:
    first = next(iter(around))
    seen, rest = {first}, [first]
    while rest:
        for one in around[rest.pop()]:
            if one not in seen:
                seen.add(one)
                rest.append(one)
    for hex_ in around:
        _must(hex_ in seen, f"the map is not connected: {shown(hex_)} cannot be reached from {shown(first)}")


def _regions(
    rows: Any, terrain: dict[Hex, str], region: dict[Hex, str | None]
) -> tuple[dict[str, Hex], tuple[str, ...]]:
    _must(isinstance(rows, list), "the map's regions must be a list")
    seats: dict[str, Hex] = {}
    starts: dict[int, str] = {}
    for at, row in enumerate(rows):
        where = f"entry {at} of the map's regions"
        _must(isinstance(row, dict), f"{where} must be an object")
        _keys(row, where, required={"id", "seat", "start_seat"}, known={"id", "seat", "start_seat"})
        id_, start = row["id"], row["start_seat"]
        _must(
            isinstance(id_, str) and _REGION_ID.fullmatch(id_) is not None,
            f"{where}: the id must be 1 to 30 of a-z, 0-9, _ and -",
        )
        _must(id_ not in seats, f"{where}: the region {id_!r} is there twice")
        hex_ = _hex(row["seat"], f"{where}: the seat")
        _must(region.get(hex_) == id_, f"{where}: the seat {shown(hex_)} must be a hex of the region {id_!r}")
        _must(
            terrain[hex_] in SEAT_GROUND,
            f"{where}: the seat {shown(hex_)} lies on {terrain[hex_]}; it must be on {', '.join(SEAT_GROUND)}",
        )
        seats[id_] = hex_
        if start is None:
            continue
        _must(_whole(start) and 1 <= start <= 6, f"{where}: start_seat must be null or a number from 1 to 6")
        _must(start not in starts, f"{where}: start_seat {start} is there twice")
        starts[start] = id_
    count = len(starts)
    _must(
        2 <= count <= 6 and sorted(starts) == list(range(1, count + 1)),
        f"the start seats must be exactly 1..n with n from 2 to 6, not {sorted(starts)}",
    )
    return seats, tuple(starts[seat] for seat in sorted(starts))


def _buildings(
    rows: Any,
    terrain: dict[Hex, str],
    region: dict[Hex, str | None],
    seats: dict[str, Hex],
    shoreline: frozenset[Hex],
) -> tuple[tuple[str, Hex, str | None], ...]:
    _must(isinstance(rows, list), "the map's buildings must be a list")
    taken: set[Hex] = set()
    on_seats = set(seats.values())
    buildings = []
    for at, row in enumerate(rows):
        where = f"entry {at} of the map's buildings"
        _must(isinstance(row, dict), f"{where} must be an object")
        _keys(row, where, required={"kind", "hex"}, known={"kind", "hex", "region"})
        kind = row["kind"]
        _must(
            isinstance(kind, str) and kind in IMPROVEMENTS,
            f"{where}: the kind must be one of {', '.join(IMPROVEMENTS)}",
        )
        hex_ = _hex(row["hex"], where)
        _must(hex_ in terrain, f"{where}: {shown(hex_)} is no hex of the map")
        ground = IMPROVEMENTS[kind]
        _must(
            terrain[hex_] in ground["terrain"] and (not ground["shoreline_only"] or hex_ in shoreline),
            f"{where}: no {kind} can stand on {shown(hex_)}, which is {terrain[hex_]}",
        )
        _must(hex_ not in taken, f"{where}: {shown(hex_)} has a building already")
        _must(kind == "fort" or hex_ not in on_seats, f"{where}: {shown(hex_)} is a region's seat")
        here = region[hex_]
        told = row.get("region", here)
        if here is not None or kind == "fort":
            _must(told == here, f"{where}: {shown(hex_)} lies in the region {here!r}, not {brief(told)}")
        else:
            _must(isinstance(told, str) and told in seats, f"{where}: it needs a region, for {shown(hex_)} has none")
        taken.add(hex_)
        buildings.append((kind, hex_, told))
    return tuple(buildings)


def ground(board: Board, costs: dict[str, int | None]) -> Ground:
    """Return what moving costs on a board with these costs by terrain, None where a terrain cannot be entered."""
    cost = {hex_: costs[kind] for hex_, kind in board.terrain.items()}
    return Ground(
        cost={hex_: one or 0 for hex_, one in cost.items()},
        steps={
            hex_: {one: step for one in around if (step := cost[one]) is not None}
            for hex_, around in board.neighbours.items()
        },
    )


@cache
def standard_ground(map_id: str, domain: str) -> Ground:
    """Return the ground of a standard map under the standard terrain, for ``land`` or ``naval`` units."""
    return ground(standard(map_id), {row["id"]: row[f"{domain}_cost"] for row in tables.TERRAIN})


def _hex(value: Any, where: str) -> Hex:
    good = isinstance(value, list) and len(value) == 2 and all(_whole(one) for one in value)
    _must(
        good and all(-MAX_COORDINATE <= one <= MAX_COORDINATE for one in value),
        f"{where} must have whole coordinates from -{MAX_COORDINATE} to {MAX_COORDINATE}",
    )
    return (value[0], value[1])


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _keys(row: dict[str, Any], where: str, *, required: set[str], known: set[str]) -> None:
    for key in sorted(required):
        _must(key in row, f"{where} lacks {key!r}")
    for key in row:
        _must(key in known, f"{where} has the unknown key {brief(str(key))}; known are {', '.join(sorted(known))}")


def _must(good: bool, message: str) -> None:
    if not good:
        raise MapError(message)
