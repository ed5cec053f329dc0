"""The state of a match, and the set-up it was played under, which never changes.

A state is frozen and its mappings are copied before they change, so a state handed out stays as it was. The view of a
state is the plain form on which corrections work and which reports show.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from rulesengine.hexwar.hexes import Hex

Status = Literal["running", "ended", "void"]


class UnitType(Struct, frozen=True):
    """One row of the unit table."""

    id: str
    cls: str
    hp: int
    attack: int
    defence: int
    range: int
    movement: int
    cost: int
    recruit_at: str


class Tier(Struct, frozen=True):
    """One row of the settlement table."""

    id: str
    rank: int
    upgrade_to: str | None
    upgrade_cost: int | None
    defence_bonus: int
    income: int
    recruits: tuple[str, ...]


class Improvement(Struct, frozen=True):
    """One row of the improvement table."""

    id: str
    cost: int
    terrain: frozenset[str]
    shoreline_only: bool
    reach: frozenset[str]
    build_turns: int
    owner: str
    becomes: str
    defence_bonus: int
    income: int
    recruits: tuple[str, ...]


class Tables(Struct, frozen=True):
    """The tables in force. `bonuses` holds the attack bonus of each pair of unit types that has one."""

    units: dict[str, UnitType]
    bonuses: dict[tuple[str, str], int]
    settlements: dict[str, Tier]
    improvements: dict[str, Improvement]
    land: dict[str, int | None]
    naval: dict[str, int | None]


class Board(Struct, frozen=True):
    """A valid map: what lies where, who begins where, and what is worked out from it once."""

    id: str
    name: str
    terrain: dict[Hex, str]
    region: dict[Hex, str | None]
    seats: dict[str, Hex]
    """The seat of each region, regions in the order of the map."""
    starts: tuple[str, ...]
    """The start regions in the order of their start seats."""
    buildings: tuple[tuple[str, Hex, str | None], ...]
    """Pre-placed buildings: kind, hex, region."""
    neighbours: dict[Hex, tuple[Hex, ...]]
    shoreline: frozenset[Hex]


class Ground(Struct, frozen=True):
    """What moving costs one kind of unit on a board: per hex, and per hex and neighbour where it can go at all."""

    cost: dict[Hex, int]
    """Impassable hexes cost 0: only an accepted irregular path enters them."""
    steps: dict[Hex, dict[Hex, int]]


class Options(Struct, frozen=True):
    """The parameters of the set-up."""

    variant_name: str | None = None
    start_gold: int = 500
    max_rounds: int = 30
    min_movement_to_act: int = 1
    building_action_scope: str = "building"
    fort_on_settlement: bool = False
    fort_build_region: str = "owned"
    construction_on_capture: str = "transfer"
    captured_building_waits: bool = True
    income_active: bool = False
    min_damage: int = 1
    fortify_bonus: int = 1
    catapult_penalty: int = 2
    catapult_penalty_expiry: str = "round_start"
    retaliation_classes: tuple[str, ...] = ("infantry", "ranged", "cavalry", "siege", "naval")
    elimination: str = "no_seat_and_no_peasant"


class Setup(Struct, frozen=True, dict=True):
    """Board, tables and options of one match with its seats in turn order. Shared by all its states."""

    seats: tuple[str, ...]
    board: Board
    tables: Tables
    options: Options
    land: Ground
    naval: Ground

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the place of each seat in the turn order, from 0."""
        return {seat: at for at, seat in enumerate(self.seats)}

    @cached_property
    def ground(self) -> dict[str, Ground]:
        """Return the ground on which each type of unit moves."""
        return {kind: self.naval if row.cls == "naval" else self.land for kind, row in self.tables.units.items()}


class Site(Struct, frozen=True, gc=False):
    """A construction under way: whose it is and how many of their turn starts it still takes."""

    builder: str
    turns_left: int


class Player(Struct, frozen=True, gc=False):
    """A player: `seat` is the number in turn order from 1, `place` None until out or until the match has ended."""

    seat: int
    gold: int
    alive: bool
    place: int | None
    building_action_turn: int | None


class Region(Struct, frozen=True, gc=False):
    """A region: the hex of its seat and who owns it, None if nobody."""

    seat: Hex
    owner: str | None


class Building(Struct, frozen=True, gc=False):
    """A building or a site (`site` not None). `tier` and `is_seat` are None on all but settlements."""

    kind: str
    hex: Hex
    region: str | None
    site: Site | None = None
    action_turn: int | None = None
    tier: str | None = None
    is_seat: bool | None = None


class Unit(Struct, frozen=True, gc=False):
    """A unit on the map."""

    type: str
    owner: str
    hex: Hex
    hp: int
    movement: int
    acted: bool = False
    attacked: bool = False
    new: bool = False
    fortified: bool = False
    penalty: int = 0


class State(Struct, frozen=True, gc=False):
    """A position. The fields after `next_unit` are worked out from the others and no part of the view."""

    setup: Setup
    status: Status
    round: int
    turn_no: int
    turn_player: str
    players: dict[str, Player]
    regions: dict[str, Region]
    buildings: dict[str, Building]
    units: dict[str, Unit]
    next_building: int
    next_unit: int
    standing: dict[Hex, tuple[str, ...]]
    """The units on each hex that holds any; more than one only after an accepted irregular event."""
    built: dict[Hex, tuple[str, ...]]
    """The buildings and sites on each hex that holds any."""
    alive: tuple[str, ...]
    """The living seats in turn order."""
    holders: frozenset[str | None]
    """The seats that own a region."""
    reason: str | None = None
    """Why the match ended."""


def number(id_: str) -> int:
    """Return the number of an id: ``u9`` comes before ``u10``."""
    return int(id_[1:])


def holders_of(regions: Mapping[str, Region]) -> frozenset[str | None]:
    """Return the seats that own one of these regions."""
    return frozenset([region.owner for region in regions.values()])


def living(setup: Setup, players: Mapping[str, Player]) -> tuple[str, ...]:
    """Return the living seats in turn order."""
    return tuple([seat for seat in setup.seats if players[seat].alive])


def by_hex(pieces: Mapping[str, Unit] | Mapping[str, Building]) -> dict[Hex, tuple[str, ...]]:
    """Return which of these pieces stand on each hex."""
    where: dict[Hex, tuple[str, ...]] = {}
    for id_, piece in pieces.items():
        where[piece.hex] = (*where.get(piece.hex, ()), id_)
    return where


def view(state: State) -> dict[str, Any]:
    """Return the state as plain values: exactly the keys of the rule page's part 5.2."""
    buildings: dict[str, Any] = {}
    for id_, one in state.buildings.items():
        settlement = {"tier": one.tier} if one.kind == "settlement" else {}
        seat = {"is_seat": one.is_seat} if one.kind == "settlement" else {}
        buildings[id_] = {
            "kind": one.kind,
            **settlement,
            "hex": list(one.hex),
            "region": one.region,
            **seat,
            "site": None if one.site is None else asdict(one.site),
            "action_turn": one.action_turn,
        }
    return {
        "status": state.status,
        "round": state.round,
        "turn_no": state.turn_no,
        "turn_player": state.turn_player,
        "players": {seat: asdict(player) for seat, player in state.players.items()},
        "regions": {id_: {"seat": list(one.seat), "owner": one.owner} for id_, one in state.regions.items()},
        "buildings": buildings,
        "units": {id_: {**asdict(unit), "hex": list(unit.hex)} for id_, unit in state.units.items()},
        "next_building": state.next_building,
        "next_unit": state.next_unit,
    }


class _View(Struct, forbid_unknown_fields=True):
    status: Status
    round: int
    turn_no: int
    turn_player: str
    players: dict[str, dict[str, Any]]
    regions: dict[str, dict[str, Any]]
    buildings: dict[str, dict[str, Any]]
    units: dict[str, dict[str, Any]]
    next_building: int
    next_unit: int


def load(setup: Setup, plain: Mapping[str, Any], reason: str | None = None) -> State:
    """Return the state that :func:`view` shows as `plain`.

    :raises ValueError: saying which value cannot stand there, if no state could look like this
    """
    try:
        seen = msgspec.convert(dict(plain), _View)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    players = {seat: _piece(Player, f"players.{seat}", row) for seat, row in seen.players.items()}
    regions = {id_: _piece(Region, f"regions.{id_}", row) for id_, row in seen.regions.items()}
    buildings = {id_: _piece(Building, f"buildings.{id_}", row) for id_, row in _in_order(seen.buildings, "b")}
    units = {id_: _piece(Unit, f"units.{id_}", row) for id_, row in _in_order(seen.units, "u")}
    _must(sorted(players) == sorted(setup.seats), "players", f"must be the seats {', '.join(setup.seats)}")
    _must(sorted(regions) == sorted(setup.board.seats), "regions", "must be those of the map")
    _must(seen.turn_player in players, "turn_player", "must be a seat of the match")
    for id_, region in regions.items():
        _must(region.owner is None or region.owner in players, f"regions.{id_}.owner", "must be a seat or null")
        _must(region.seat in setup.board.terrain, f"regions.{id_}.seat", "must be a hex of the map")
    for id_, one in buildings.items():
        _check_building(setup, id_, one)
    for id_, unit in units.items():
        _must(unit.type in setup.tables.units, f"units.{id_}.type", "must be a type of the unit table")
        _must(unit.owner in players, f"units.{id_}.owner", "must be a seat of the match")
        _must(unit.hex in setup.board.terrain, f"units.{id_}.hex", "must be a hex of the map")
    _must(seen.next_building > max(map(number, buildings), default=0), "next_building", "must be an id not used yet")
    _must(seen.next_unit > max(map(number, units), default=0), "next_unit", "must be an id not used yet")
    players = {seat: players[seat] for seat in setup.seats}
    regions = {id_: regions[id_] for id_ in setup.board.seats}
    return State(
        setup=setup,
        status=seen.status,
        round=seen.round,
        turn_no=seen.turn_no,
        turn_player=seen.turn_player,
        players=players,
        regions=regions,
        buildings=buildings,
        units=units,
        next_building=seen.next_building,
        next_unit=seen.next_unit,
        standing=by_hex(units),
        built=by_hex(buildings),
        alive=living(setup, players),
        holders=holders_of(regions),
        reason=reason,
    )


def _check_building(setup: Setup, id_: str, one: Building) -> None:
    settlement = one.kind == "settlement"
    _must(settlement or one.kind in setup.tables.improvements, f"buildings.{id_}.kind", "must be a kind of the tables")
    _must(settlement == (one.tier in setup.tables.settlements), f"buildings.{id_}.tier", "must be a settlement's tier")
    _must(settlement == (one.is_seat is not None), f"buildings.{id_}.is_seat", "must be told of settlements only")
    _must(
        one.kind != "town" or one.site is not None,
        f"buildings.{id_}.site",
        "must be there: a Town done is a settlement",
    )
    _must(not settlement or one.site is None, f"buildings.{id_}.site", "must be null on a settlement")
    _must(one.hex in setup.board.terrain, f"buildings.{id_}.hex", "must be a hex of the map")
    _must(one.region is None or one.region in setup.board.seats, f"buildings.{id_}.region", "must be a region or null")
    _must(one.site is None or one.site.builder in setup.index, f"buildings.{id_}.site.builder", "must be a seat")


def _piece[P: Struct](kind: type[P], at: str, row: dict[str, Any]) -> P:
    try:
        piece = msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{at}: {error}") from error
    unknown = set(row) - set(kind.__struct_fields__)
    _must(not unknown, at, f"has no {', '.join(sorted(unknown))}")
    return piece


def _in_order(rows: dict[str, dict[str, Any]], letter: str) -> list[tuple[str, dict[str, Any]]]:
    for id_ in rows:
        good = id_[:1] == letter and id_[1:].isdecimal() and id_.isascii() and not id_.startswith(letter + "0")
        _must(good and len(id_) < 12, id_, f"ids are {letter}1, {letter}2, …")
    return sorted(rows.items(), key=lambda item: number(item[0]))


def _must(good: bool, at: str, expected: str) -> None:
    if not good:
        raise ValueError(f"{at} {expected}")
