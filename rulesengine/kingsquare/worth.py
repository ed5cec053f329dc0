"""What a greedy player looks at. No rule of the game, only good enough to make play-testing lively.

Seats take turns at what they are: the first, third, … is a builder, the second, fourth, … a raider, who cares more for soldiers and
for what others lose.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any

from rulesengine.kingsquare import war, works
from rulesengine.kingsquare.legal import spot
from rulesengine.kingsquare.state import OFFICIAL, Army, Place, State, Works

OPTIONS: dict[str, Any] = {"end.rounds": 24}
"""Under these options a match that the machine plays ends by itself."""
PASSES = ("phase_advanced", "turn_ended")
SHUNNED = frozenset(
    {
        "player_resigned",
        "treaty_noted",
        "castle_role_declared",
        "general_appointed",
        "general_dismissed",
        "general_resigned",
        "general_piece_placed",
        "general_piece_lost",
        "alliance_proposed",
        "alliance_accepted",
        "alliance_declined",
        "alliance_withdrawn",
        "alliance_ended",
        "army_split",
        "production_waived",
    }
)
"""What a greedy player does not look at: nothing is gained by it at once."""
LIKINGS = {
    "capital_founded": 12,
    "king_level_recorded": 0.5,
    "doctrine_defined": 0.2,
    "match_started": 6,
    "troops_produced": 12,
    "resources_produced": 6,
    "production_waived": 0.2,
    "phase_advanced": 5,
    "turn_ended": 1.5,
    "unit_moved": 10,
    "rail_travelled": 6,
    "troops_embarked": 2,
    "troops_landed": 6,
    "building_built": 10,
    "building_upgraded": 8,
    "king_upgraded": 8,
    "castle_upgraded": 12,
    "castle_founded": 1,
    "district_founded": 8,
    "road_laid": 3,
    "rail_laid": 6,
    "structure_repaired": 5,
    "attack_made": 9,
    "sortie_flown": 6,
    "beast_engaged": 6,
    "discovery_made": 1,
    "unit_forwarded": 2,
    "army_split": 0.3,
    "army_merged": 0.5,
    "treaty_noted": 0.05,
    "castle_role_declared": 0.1,
    "alliance_proposed": 0.2,
    "alliance_ended": 0.2,
    "general_appointed": 0.1,
    "general_dismissed": 0.1,
    "general_resigned": 0.1,
    "general_piece_placed": 0.2,
    "general_piece_lost": 0.1,
    "terrain_placed": 1,
    "beast_placed": 3,
    "site_placed": 3,
    "beast_revealed": 0.3,
    "beast_acted": 0.3,
    "custom_pieces_removed": 0.1,
    "territory_replaced": 0.3,
    "turn_skipped": 0.03,
    "match_paused": 0.02,
    "player_resigned": 0.004,
    "kingdom_forfeited": 0.002,
    "govern_loss_declared": 0.1,
    "time_called": 0.002,
    "draw_agreed": 0.001,
}
"""How often a random player takes what is offered, 1 where nothing is said."""

LIVING = 20_000
KING, CASTLE = (30, 12), (40, 20)
"""What a level of the King and of a Castle is worth to a builder and to a raider."""
DISTRICT, RUIN, CUT = 60, 60, 12
FIRST, LEVEL = 40, 12
"""What the first building of a kind in a City is worth on top of its levels, and what a level is."""
LEVELS = {"farm": 14, "lumber_mill": 22, "quarry": 14, "barracks": 14, "wall": 4, "university": 5, "religion": 5}
"""What a level is worth where it is not :data:`LEVEL`."""
ENOUGH = 2
"""More Castles than this are worth little by themselves."""
USEFUL = 5
"""Levels above this one are worth little."""
POINT = 40
ROAD, RAIL, VEHICLE = 25, 40, 15
BEAST, WOUND, BUFF, SITE = 200, 2, 6, 30
FAR = 400


def worth(state: State, seat: str) -> int:
    """Return how good the position is for a seat: what it has built, its army, how near that is to its aims, what others lack."""
    kingdom = state.kingdoms[seat]
    if kingdom.status != "playing":
        return -LIVING
    raider = state.setup.index[seat] % 2
    total = -LIVING * len(state.playing)
    total += KING[raider] * min(kingdom.king.level, 10) + kingdom.king.level
    total += built(state.works, seat) - sum(left(state.works, other) for other in _others(state, seat)) * (2 + raider)
    resources = kingdom.resources
    total += resources.wood + resources.stone + resources.food
    total += BEAST * len(kingdom.beasts_defeated)
    total -= WOUND * sum(one.strength_left for one in state.beasts.values() if one.status == "alive")
    total += SITE * sum(one.found_by == seat for one in state.sites.values())
    total += VEHICLE * _vehicles(state, seat)
    total += 5 * sum(step.startswith(f"{seat}/") for step in state.pressed)
    aims = _aims(state, seat)
    for army in state.armies.values():
        strength = war.army_power(state, army)
        if army.kingdom == seat:
            total += (3 + raider) * strength + BUFF * len(army.buffs) - _way(state, army, strength, aims, seat)
        elif not state.allied(seat, army.kingdom):
            total -= 2 * strength
    return total - VEHICLE * sum(_vehicles(state, other) for other in _others(state, seat))


def _vehicles(state: State, seat: str) -> int:
    ships = sum(ship.kingdom == seat for ship in state.ships.values())
    return ships + sum(plane.kingdom == seat for plane in state.planes.values())


def _others(state: State, seat: str) -> list[str]:
    return [other for other in state.setup.seats if other != seat]


def built(now: Works, seat: str) -> int:
    """Return what a Kingdom's Castles, buildings and links are worth. Raiders set more store by soldiers' buildings."""
    return _once(now, ("built", seat), _built)


def _once(now: Works, key: tuple[str, str], work_out: Callable[[Works, str], int]) -> int:
    """Return a figure of exactly these works: what is kept of earlier ones (:mod:`rulesengine.kingsquare.works`) is not taken."""
    known = now.memo.get(key)
    if known is None or known[0] is not now:
        known = now.memo[key] = (now, work_out(now, key[1]))
    return int(known[1])


def _built(now: Works, seat: str) -> int:
    setup = now.setup
    raider = setup.index[seat] % 2
    castles = works.of_kingdom(now, seat)
    roads = [link for link in now.links.values() if link.kingdom == seat]
    ends = {end for link in roads for end in (link.a, link.b)}
    total = 0
    districts: set[str | None] = set()
    for at, id_ in enumerate(castles):
        castle = now.castles[id_]
        total += CASTLE[raider] // (1 if at < ENOUGH else 4) * castle.level - castle.damage
        total -= RUIN * castle.level * works.ruined(setup, castle)
        if castle.parent_castle is not None:
            districts.add(castle.district_kind)
        kinds: dict[str, int] = {}
        for building in works.of_castle(now, id_):
            kind = now.buildings[building].kind
            kinds[kind] = kinds.get(kind, 0) + 1
            total += _building(now, building, kinds[kind], raider, building in ends)
    total += DISTRICT * len(districts)
    total += ROAD * (len(works.network(now, castles[0])) if castles else 0)
    total += RAIL * min(len(castles), sum(link.kind == "rail" and not link.cut for link in roads))
    total += POINT * works.action_points(now, setup, seat)
    return total - CUT * sum(link.cut for link in roads)


def _building(now: Works, building: str, number: int, raider: int, on_road: bool) -> int:
    """Return what a building is worth, the so manieth of its kind in a City. One that is still to be joined counts as joined."""
    one = now.buildings[building]
    soldiers = raider and one.kind in ("barracks", "war_forge")
    each = LEVELS.get(one.kind, LEVEL) + LEVEL * soldiers
    value = each * min(one.level - 1, USEFUL) + max(0, one.level - USEFUL) - one.damage
    if one.kind != "farm":
        value += FIRST if soldiers else FIRST // number**2
    condition = works.conditions(now)[building]
    if condition == "ruined":
        return value // 4
    if on_road:
        return value + ROAD if condition == "active" else value // 2
    return value


def left(now: Works, seat: str) -> int:
    """Return what a Kingdom still has that others may take from it: structure left, and links."""
    return _once(now, ("left", seat), _left)


def _left(now: Works, seat: str) -> int:
    setup = now.setup
    left = 0
    for id_ in works.of_kingdom(now, seat):
        castle = now.castles[id_]
        left += max(0, works.structure(setup, castle.level) - castle.damage) + CUT * (not castle.damage)
        left += 3 * CUT * (not works.ruined(setup, castle))
        for building in works.of_castle(now, id_):
            one = now.buildings[building]
            left += max(0, works.structure(setup, one.level) - one.damage) // 2
            left += CUT * (works.conditions(now)[building] == "active")
    return left + CUT * sum(link.kingdom == seat and not link.cut for link in now.links.values())


type Aim = tuple[int, int, int]
"""A place to go to, in tenths of a foot, and how strong an army must be for it."""


def _aims(state: State, seat: str) -> list[Aim]:
    """Return where a Kingdom's armies are of use, as far as it is known where that is."""
    setup, now = state.setup, state.works
    raider = setup.index[seat] % 2
    on_road = {end for link in now.links.values() if not link.cut for end in (link.a, link.b)} if raider else set()
    aims: list[tuple[Place | None, int]] = []
    for id_, castle in now.castles.items():
        owner = castle.kingdom
        if owner in (seat, OFFICIAL) or state.allied(seat, owner) or state.kingdoms[owner].status != "playing":
            continue
        resistance = 3  # whoever has soldiers can cut a road
        if id_ not in on_road:
            resistance += works.fabric(now, setup, id_) + war.king_defence(setup, state.kingdoms[owner].king.level)
        aims.append((castle.at, resistance))
    for beast in state.beasts.values():
        if beast.status == "alive" and not beast.hidden:
            aims.append((beast.at, beast.defence + beast.strength_left // 2))
    aims += [(site.at, 1) for site in state.sites.values() if site.found_by is None]
    return [(*there, needed) for place, needed in aims if (there := spot(state, place)) is not None]


def _way(state: State, army: Army, strength: int, aims: list[Aim], seat: str) -> int:
    """Return how far an army is from the nearest aim it is strong enough for, else from the Capital, in feet."""
    here = spot(state, army.at)
    if here is None:
        return 0
    x, y = here
    near = min([(x - a) ** 2 + (y - b) ** 2 for a, b, needed in aims if strength >= needed], default=None)
    if near is None:
        castles = works.of_kingdom(state.works, seat)
        home = spot(state, state.works.castles[castles[0]].at) if castles else None
        near = 0 if home is None else (x - home[0]) ** 2 + (y - home[1]) ** 2
    return min(FAR, isqrt(near)) // 10
