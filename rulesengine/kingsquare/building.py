"""What is put up, raised and repaired in the Act phase: buildings, Castles, roads, ships, planes, Kings (4.6 of the rule page)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare import works
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.production import own_building
from rulesengine.kingsquare.rules import (
    KS_23,
    KS_26,
    KS_28,
    KS_29,
    KS_30,
    KS_37,
    KS_38,
    KS_40,
    KS_42,
    KS_43,
    KS_44,
    KS_55,
    KS_61,
    KS_68,
    KS_69,
    KS_73,
    KSH_09,
    KSH_10,
    KSH_33,
    KSH_34,
    KSH_35,
    KSH_36,
    KSH_41,
    KSH_47,
    KSH_53,
    KSH_54,
    KSH_65,
    KSH_66,
    U_7,
)
from rulesengine.kingsquare.setting import farm_id, new_castle_ids, on_the_map, unused, with_castle
from rulesengine.kingsquare.state import Army, Building, Castle, Link, Place, Plane, Ship, State
from rulesengine.kingsquare.works import MAX_LEVEL
from rulesengine.paths import brief

SINGLE = ("university", "religion")
"""Of these a Castle has one (KS-43); of Farms too, in every edition, of Embassies by KS-23."""
DISTRICTS = {
    "Military": ("barracks", "war_forge"),
    "Harbor": ("harbor",),
    "University": ("university",),
    "Industrial": ("quarry", "lumber_mill", "trainyard"),
    "Religious": ("religion",),
}
"""The kinds of districts (KS-38) and what each may hold besides its Farm where ``district.strict`` is set (KSH-36)."""
STEP_OF_REPAIR = 10
"""Points that one Repair restores where ``repair.restores`` is step (KSH-66)."""


def own_castle(state: State, seat: str | None, id_: str) -> Iterator[Refusal]:
    """Yield U-7 where there is no such Castle or it is another Kingdom's."""
    one = state.works.castles.get(id_)
    if one is None:
        yield U_7.refuses(f"there is no Castle {brief(id_)}", "impossible")
    elif one.kingdom != seat:
        yield U_7.refuses(f"the Castle {id_} belongs to {one.kingdom}, not to {seat}", "impossible")


def often_enough(state: State, thing: str) -> Iterator[Refusal]:
    """Yield KSH-10 where a thing has had all the actions that ``act.per_target_limit`` gives it in a turn."""
    limit = state.setup.options.act_per_target_limit
    if limit and state.acted_on.get(thing, 0) >= limit:
        yield KSH_10.refuses(f"{thing} had {limit} of {limit} actions this turn", nearest="next turn")


def acted_on(state: State, thing: str) -> State:
    """Return the state with one action more on a thing, where ``act.per_target_limit`` counts them."""
    if not state.setup.options.act_per_target_limit:
        return state
    return replace(state, acted_on={**state.acted_on, thing: state.acted_on.get(thing, 0) + 1})


def built(state: State, *ids: str) -> State:
    """Return the state with these ids of new pieces taken, and noted as built this turn where that counts (KSH-11)."""
    if state.setup.options.build_ready == "at_once":
        return replace(state, taken=state.taken.union(ids))
    return replace(state, taken=state.taken.union(ids), built_now=state.built_now.union(ids))


# New buildings


def check_building_built(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to build: slots, what is single, unlocks, the Farm, the Castle."""
    data = cast(e.BuildingBuilt, event.data)
    yield from own_castle(state, event.seat, data.castle)
    yield from unused(state, data.building)
    yield from _no_room(state, data.kind, data.castle)
    yield from _only_so_many(state, event.seat, data.kind, data.castle)
    yield from _locked(state, data.castle, data.kind, f"a {data.kind} at {data.castle}")
    here = state.works.castles[data.castle]
    kinds = _kinds(state, data.castle)
    if data.kind != "farm" and "farm" not in kinds:
        yield KS_42.refuses(f"{data.castle} has no Farm; nothing else is built before it", nearest="kind farm")
    if here.damage and works.ruined(state.setup, here):
        yield KSH_65.refuses(f"{data.castle} is a Ruin", nearest=f"structure_repaired of {data.castle}")
    most = state.setup.options.wall_max_per_castle
    if data.kind == "wall" and kinds.count("wall") >= most:
        yield KSH_41.refuses(f"{data.castle} has {kinds.count('wall')} Wall(s) of at most {most}")
    if here.district_kind is not None and state.setup.options.district_strict and data.kind != "farm":
        allowed = DISTRICTS.get(here.district_kind, ())
        if data.kind not in allowed:
            yield KSH_36.refuses(
                f"{data.castle} is a {here.district_kind} district; a {data.kind} does not belong there",
                nearest=f"{', '.join(allowed) or 'farm'}",
            )


def _kinds(state: State, castle_id: str) -> list[str]:
    buildings = state.works.buildings
    return [buildings[id_].kind for id_ in works.of_castle(state.works, castle_id)]


def _no_room(state: State, kind: str, castle_id: str) -> Iterator[Refusal]:
    setup = state.setup
    if not setup.figures.slots_enabled or kind == "farm" or (kind == "wall" and not setup.options.slots_wall):
        return
    used, slots = works.slots_used(state.works, setup, castle_id), state.works.castles[castle_id].level
    if used >= slots:
        yield KS_40.refuses(
            f"the slots of {castle_id}, as many as its level, are full: {used} of {slots} used",
            nearest=f"castle_upgraded {castle_id}",
        )


def _only_so_many(state: State, seat: str | None, kind: str, castle_id: str) -> Iterator[Refusal]:
    figures = state.setup.figures
    by_castle = figures.institutions_single == "castle"
    if kind == "embassy":
        others = works.own_of_kind(state.works, cast(str, seat), "embassy")
        for id_ in others:
            if not by_castle or state.works.buildings[id_].castle == castle_id:
                whose = castle_id if by_castle else f"Kingdom {seat}"
                yield KS_23.refuses(f"{whose} has the Embassy {id_} already")
                return
    elif kind == "farm" or (kind in SINGLE and by_castle):
        if kind in _kinds(state, castle_id):
            yield KS_43.refuses(f"{castle_id} has a {kind} already; there is one for each Castle")
    elif kind == "war_forge":
        count = _kinds(state, castle_id).count("war_forge")
        if count >= figures.forge_max_per_castle:
            yield KS_44.refuses(f"{castle_id} has {count} War Forge(s) of at most {figures.forge_max_per_castle}")


def _locked(state: State, castle_id: str, kind: str, what: str) -> Iterator[Refusal]:
    setup = state.setup
    rule = works.unlocked(state.works, setup, castle_id, kind, works.not_ready(state))
    if rule is None:
        return
    needs = works.rung(setup, kind)
    if needs is None or needs == "absent":
        yield rule.refuses(f"{what}: {setup.edition} has no {kind}")
        return
    have = works.branch_level(state.works, setup, castle_id, needs.branch, works.not_ready(state))
    yield rule.refuses(
        f"{what} needs a {needs.branch} of level {needs.level}, not ruined, there or joined by own roads; the best is {have}",
        nearest=f"a {needs.branch} of level {needs.level}",
    )


def on_building_built(state: State, event: Event, told: Told) -> State:
    """Put up a building. A Wall always touches its Castle (KSH-41)."""
    data = cast(e.BuildingBuilt, event.data)
    setup = state.setup
    level = _new_level(state, works.kind_ceiling(state.works, setup, data.castle, data.kind))
    one = Building(data.kind, data.castle, level, 0, data.direct or data.kind == "wall", event.seq)
    _tell_unlocks(state, event.seat, data.kind, level, told)
    return built(works.with_new_building(state, data.building, one), data.building)


def _new_level(state: State, ceiling: int) -> int:
    """Return the level of a new piece: ``build.level``, but not above a ceiling, and 1 at least (KSH-09)."""
    return max(1, min(state.setup.options.build_level, ceiling))


def _tell_unlocks(state: State, seat: str | None, kind: str, level: int, told: Told) -> None:
    """Tell what a new or raised Lumber Mill or Quarry opens that its Kingdom had not opened before."""
    if kind in ("lumber_mill", "quarry") and seat is not None:
        before = works.kingdom_branch_level(state.works, state.setup, seat, kind)
        opened = works.opened_by(state.setup, kind, before, level) if level > before else ()
        if opened:
            told.add("technology_unlocked", seat, kinds=list(opened))


# New Castles


def check_castle_founded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to found a further Castle."""
    data = cast(e.CastleFounded, event.data)
    options = state.setup.options
    seat = cast(str, event.seat)
    yield from unused(state, *new_castle_ids(state, data.castle, data.farm))
    yield from on_the_map(state, data.at)
    if options.castle_found == "none":
        yield KSH_33.refuses("in this match no Castles are founded besides the Capital", nearest="district_founded")
    if data.at.field is None:
        yield KSH_33.refuses(
            f"{data.castle} would stand in the Territory of {data.at.castle}", nearest="a field outside every Territory"
        )
    reach = 10 * state.kingdoms[seat].king.level
    if options.castle_found != "anywhere" and data.king_distance_ft10 > reach:
        yield KSH_33.refuses(
            f"{data.castle} is {_feet(data.king_distance_ft10)} from King {seat}, whose Influence is {_feet(reach)}",
            nearest=f"at most {_feet(reach)} from the King",
        )
    count = len(works.of_kingdom(state.works, seat))
    if options.castle_max and count >= options.castle_max:
        yield KSH_34.refuses(f"Kingdom {seat} has {count} of at most {options.castle_max} Castles")


def _feet(ft10: int) -> str:
    return f"{ft10 // 10}.{ft10 % 10} ft"


def on_castle_founded(state: State, event: Event, told: Told) -> State:
    """Found a Castle with its Farm."""
    data = cast(e.CastleFounded, event.data)
    seat = cast(str, event.seat)
    castle = Castle(seat, seat, data.name, at=data.at, founded_seq=event.seq)
    return _founded(state, data.castle, castle, data.farm, event.seq)


def _founded(state: State, id_: str, castle: Castle, farm: str | None, seq: int) -> State:
    most = MAX_LEVEL
    if works.capped_by_king(state.setup, castle):
        most = min(most, state.kingdoms[castle.kingdom].king.level)
    castle = replace(castle, level=_new_level(state, most))
    state = with_castle(state, id_, castle, farm_id(id_, farm), seq)
    return built(state, *new_castle_ids(state, id_, farm))


def check_district_founded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to found a district."""
    data = cast(e.DistrictFounded, event.data)
    options = state.setup.options
    yield from own_castle(state, event.seat, data.parent_castle)
    yield from unused(state, *new_castle_ids(state, data.castle, data.farm))
    if data.district_kind not in DISTRICTS:
        yield KS_38.refuses(
            f"{brief(data.district_kind)} is no kind of district", nearest=f"one of {', '.join(DISTRICTS)}"
        )
    parent = state.works.castles[data.parent_castle]
    if parent.parent_castle is not None and not options.district_nested:
        yield KSH_35.refuses(
            f"{data.parent_castle} is a district itself, of {parent.parent_castle}", nearest=f"{parent.parent_castle}"
        )
    if parent.level < MAX_LEVEL:
        yield KS_38.refuses(f"{data.parent_castle} is of level {parent.level}; districts need level {MAX_LEVEL}")
    if parent.damage and works.ruined(state.setup, parent):
        yield KSH_65.refuses(f"{data.parent_castle} is a Ruin", nearest=f"structure_repaired of {data.parent_castle}")
    if options.district_unique:
        for id_, castle in state.works.castles.items():
            if castle.parent_castle == data.parent_castle and castle.district_kind == data.district_kind:
                yield KSH_36.refuses(f"{data.parent_castle} has the {data.district_kind} district {id_} already")
                break


def on_district_founded(state: State, event: Event, told: Told) -> State:
    """Found a district: a Castle in the Territory of its parent."""
    data = cast(e.DistrictFounded, event.data)
    seat = cast(str, event.seat)
    castle = Castle(
        seat,
        seat,
        data.name,
        parent_castle=data.parent_castle,
        district_kind=data.district_kind,
        at=Place(castle=data.parent_castle),
        founded_seq=event.seq,
    )
    return _founded(state, data.castle, castle, data.farm, event.seq)


# Roads and rails


def check_road_laid(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to lay a road, an improved road or a bridge."""
    data = cast(e.RoadLaid, event.data)
    setup = state.setup
    yield from unused(state, data.link)
    if data.a == data.b:
        yield U_7.refuses(f"{data.link} would lead from {data.a} to itself", "impossible")
    for end in (data.a, data.b):
        if end == data.link or (end in state.taken and not _may_be_end(state, end)):
            yield U_7.refuses(f"{end!r} is neither a Castle, a building nor a junction", "impossible")
    needs = works.rung(setup, data.kind)
    if needs == "absent":
        yield KS_61.refuses(f"{data.kind} {data.link}: {setup.edition} has no {data.kind}", nearest="kind road")
    elif needs is not None:
        seat = cast(str, event.seat)
        have = works.kingdom_branch_level(state.works, setup, seat, needs.branch, works.not_ready(state))
        if have < needs.level:
            yield KS_61.refuses(
                f"{data.kind} {data.link} needs a {needs.branch} of level {needs.level}, not ruined; the best of {seat} is {have}",
                nearest="kind road",
            )
    longest = setup.options.road_max_ft10
    if longest and data.length_ft10 > longest:
        yield KSH_47.refuses(f"{data.link} is {_feet(data.length_ft10)} long; a road has at most {_feet(longest)}")


def _may_be_end(state: State, end: str) -> bool:
    return end in state.works.castles or end in state.works.buildings or end in state.junctions


def on_road_laid(state: State, event: Event, told: Told) -> State:
    """Lay a road. An end that is no Castle or building is a junction from now on."""
    data = cast(e.RoadLaid, event.data)
    known = state.works
    new = [end for end in (data.a, data.b) if end not in known.castles and end not in known.buildings]
    link = Link(cast(str, event.seat), data.kind, data.a, data.b, data.length_ft10)
    state = built(works.with_new_link(state, data.link, link), data.link, *new)
    return replace(state, junctions=state.junctions.union(new)) if new else state


def check_rail_laid(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to lay a rail."""
    data = cast(e.RailLaid, event.data)
    yield from unused(state, data.link)
    for end in (data.a, data.b):
        if end not in state.works.buildings and end not in state.works.castles:
            yield U_7.refuses(f"there is no Trainyard {brief(end)}", "impossible")
    for end in (data.a, data.b):
        why = _no_station(state, cast(str, event.seat), end)
        if why is not None:
            yield KS_68.refuses(f"{end} {why}", nearest="two active Trainyards")
    if data.a == data.b:
        yield KS_68.refuses(f"{data.link} would lead from {data.a} to itself", nearest="two active Trainyards")


def _no_station(state: State, seat: str, end: str) -> str | None:
    """Return why a thing is no Trainyard from which this Kingdom may lay a rail, or None."""
    one = state.works.buildings.get(end)
    if one is None or one.kind != "trainyard":
        return "is no Trainyard"
    owner = state.works.castles[one.castle].kingdom
    if owner != seat and not (state.setup.options.rail_allied and state.allied(seat, owner)):
        return f"belongs to {owner}"
    if not works.in_use(state, end):
        now = works.condition(state.works, state.setup, end)
        return "works from the next turn on" if now == "active" else f"is {now}"
    return None


def on_rail_laid(state: State, event: Event, told: Told) -> State:
    """Lay a rail."""
    data = cast(e.RailLaid, event.data)
    link = Link(cast(str, event.seat), "rail", data.a, data.b, data.length_ft10)
    return built(works.with_new_link(state, data.link, link), data.link)


# Ships and planes


def check_ship_built(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to build a ship."""
    data = cast(e.ShipBuilt, event.data)
    seat = cast(str, event.seat)
    yield from unused(state, data.ship)
    yield from own_building(state, seat, data.harbor)
    yield from _not_launching(state, data.harbor, "harbor", "ship")
    most = works.ship_limit(state.works, state.setup, seat, works.not_ready(state))
    count = sum(ship.kingdom == seat for ship in state.ships.values())
    if count >= most:
        yield KSH_53.refuses(f"Kingdom {seat} has {count} ships; its active Harbors are for {most}")


def check_plane_built(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to build a plane."""
    data = cast(e.PlaneBuilt, event.data)
    seat = cast(str, event.seat)
    yield from unused(state, data.plane)
    yield from own_building(state, seat, data.hangar)
    yield from _not_launching(state, data.hangar, "hangar", "plane")
    most = works.plane_limit(state.works, state.setup, seat, works.not_ready(state))
    count = sum(plane.kingdom == seat for plane in state.planes.values())
    if count >= most:
        yield KSH_54.refuses(f"Kingdom {seat} has {count} planes; its active Hangars are for {most}")


def _not_launching(state: State, id_: str, kind: str, what: str) -> Iterator[Refusal]:
    """Yield KS-69 where a thing is no active Harbor or Hangar, and under the early ladder KS-60 or KS-61 for a unit not unlocked."""
    one = state.works.buildings[id_]
    if one.kind != kind:
        yield KS_69.refuses(f"{id_} is a {one.kind}; a {what} needs an active {kind}")
    elif not works.in_use(state, id_):
        now = works.condition(state.works, state.setup, id_)
        yield KS_69.refuses(f"the {kind} {id_} {'works from the next turn on' if now == 'active' else f'is {now}'}")
    yield from _locked(state, one.castle, what, f"a {what} at {one.castle}")


def on_ship_built(state: State, event: Event, told: Told) -> State:
    """Let a ship lie at its Harbor."""
    data = cast(e.ShipBuilt, event.data)
    place = Place(castle=state.works.buildings[data.harbor].castle)
    ship = Ship(cast(str, event.seat), data.harbor, place, built_seq=event.seq)
    return built(replace(state, ships={**state.ships, data.ship: ship}), data.ship)


def on_plane_built(state: State, event: Event, told: Told) -> State:
    """Let a plane stand at its Hangar."""
    data = cast(e.PlaneBuilt, event.data)
    place = Place(castle=state.works.buildings[data.hangar].castle)
    plane = Plane(cast(str, event.seat), data.hangar, place, built_seq=event.seq)
    return built(replace(state, planes={**state.planes, data.plane: plane}), data.plane)


# Upgrades


def _wrong_step(state: State, what: str, level: int, to_level: int, ceiling: int | None) -> Iterator[Refusal]:
    """Yield KSH-09 where an Upgrade does not raise by ``upgrade.step`` levels, or up to a ceiling that is nearer than that."""
    step = state.setup.options.upgrade_step
    due = level + step
    if to_level == due or (ceiling is not None and level < to_level == ceiling < due):
        return
    yield KSH_09.refuses(
        f"{what} is of level {level}; an Upgrade makes it {due}, not {to_level}", nearest=f"to_level {due}"
    )


def check_king_upgraded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to raise the King."""
    seat = cast(str, event.seat)
    to_level = cast(e.KingUpgraded, event.data).to_level
    yield from _wrong_step(state, f"King {seat}", state.kingdoms[seat].king.level, to_level, None)
    yield from often_enough(state, f"king:{seat}")


def on_king_upgraded(state: State, event: Event, told: Told) -> State:
    """Raise the King."""
    seat = cast(str, event.seat)
    state = state.with_king(seat, level=cast(e.KingUpgraded, event.data).to_level)
    return acted_on(state, f"king:{seat}")


def check_castle_upgraded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to raise a Castle."""
    data = cast(e.CastleUpgraded, event.data)
    yield from own_castle(state, event.seat, data.castle)
    castle = state.works.castles[data.castle]
    yield from _wrong_step(state, data.castle, castle.level, data.to_level, works.castle_ceiling(state, data.castle))
    if data.to_level > MAX_LEVEL:
        yield KS_37.refuses(f"{data.castle} is to be of level {data.to_level}; level {MAX_LEVEL} is the end")
    king = state.kingdoms[castle.kingdom].king.level
    if works.capped_by_king(state.setup, castle) and data.to_level > king:
        yield KS_28.refuses(
            f"{data.castle} is to be of level {data.to_level}, King {event.seat} is of level {king}",
            nearest="king_upgraded",
        )
    if castle.damage and works.ruined(state.setup, castle):
        yield KSH_65.refuses(f"{data.castle} is a Ruin", nearest=f"structure_repaired of {data.castle}")
    yield from often_enough(state, data.castle)


def on_castle_upgraded(state: State, event: Event, told: Told) -> State:
    """Raise a Castle."""
    data = cast(e.CastleUpgraded, event.data)
    return acted_on(works.with_castle_level(state, data.castle, data.to_level), data.castle)


def check_building_upgraded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to raise a building."""
    data = cast(e.BuildingUpgraded, event.data)
    yield from own_building(state, event.seat, data.building)
    setup = state.setup
    one = state.works.buildings[data.building]
    castle = state.works.castles[one.castle]
    yield from _wrong_step(state, data.building, one.level, data.to_level, works.ceiling(state, data.building))
    if data.to_level > MAX_LEVEL:
        yield KS_37.refuses(f"{data.building} is to be of level {data.to_level}; level {MAX_LEVEL} is the end")
    if one.damage and works.ruined(setup, one):
        yield KS_73.refuses(f"{data.building} is a Ruin", nearest=f"structure_repaired of {data.building}")
    if castle.damage and works.ruined(setup, castle):
        yield KSH_65.refuses(f"{one.castle} is a Ruin", nearest=f"structure_repaired of {one.castle}")
    mode = setup.figures.order_mode
    if mode == "full" and one.kind == "farm" and data.to_level > castle.level:
        yield KS_29.refuses(
            f"the Farm {data.building} is to be of level {data.to_level}, {one.castle} is of level {castle.level}",
            nearest=f"castle_upgraded {one.castle}",
        )
    if mode == "full" and one.kind != "farm":
        farm = works.farm_level(state.works, setup, one.castle)
        if data.to_level > farm:
            yield KS_30.refuses(
                f"{data.building} is to be of level {data.to_level}, the Farm of {one.castle} gives {farm}",
                nearest="building_upgraded of the Farm",
            )
    if mode != "none" and one.kind == "war_forge" and data.to_level > castle.level:
        yield KS_55.refuses(
            f"the War Forge {data.building} is to be of level {data.to_level}, {one.castle} is of level {castle.level}",
            nearest=f"castle_upgraded {one.castle}",
        )
    yield from often_enough(state, data.building)


def on_building_upgraded(state: State, event: Event, told: Told) -> State:
    """Raise a building. Soldiers it has produced stay as they are (KS-56)."""
    data = cast(e.BuildingUpgraded, event.data)
    kind = state.works.buildings[data.building].kind
    _tell_unlocks(state, event.seat, kind, data.to_level, told)
    return acted_on(works.with_level(state, data.building, data.to_level), data.building)


# Repair


def check_structure_repaired(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to repair."""
    target = cast(e.StructureRepaired, event.data).target
    kind, id_ = target.kind, target.id
    yield from _no_such(state, event.seat, kind, id_)
    if kind in ("plane", "army"):
        yield KS_26.refuses(f"{id_} is {_a(kind)}; repaired are buildings, Walls, Castles, ships and links")
    if not state.setup.figures.actions_repair and not _is_ruin(state, kind, id_):
        yield KS_26.refuses(f"{id_} is no Ruin; in {state.setup.edition} only a Ruin is put up again, by a Build")
    if not _needs_repair(state, kind, id_):
        yield KS_26.refuses(f"the {kind} {id_} is whole: there is nothing to repair")
    if not state.setup.options.repair_under_siege:
        for army_id, army in state.armies.items():
            if army.at.where in _places(state, kind, id_) and _is_enemy(state, event.seat, army.kingdom):
                yield KSH_66.refuses(f"the army {army_id} of {army.kingdom} is in reach of {id_}")
                break
    yield from often_enough(state, id_)


def _a(kind: str) -> str:
    return f"an {kind}" if kind == "army" else f"a {kind}"


def _no_such(state: State, seat: str | None, kind: str, id_: str) -> Iterator[Refusal]:
    if kind == "building":
        yield from own_building(state, seat, id_)
    elif kind == "castle":
        if not _captures(state, seat, id_):
            yield from own_castle(state, seat, id_)
    else:
        pieces: dict[str, Mapping[str, Ship | Plane | Army | Link]] = {
            "ship": state.ships,
            "plane": state.planes,
            "army": state.armies,
            "link": state.works.links,
        }
        piece = pieces[kind].get(id_)
        if piece is None:
            yield U_7.refuses(f"there is no {kind} {brief(id_)}", "impossible")
        elif piece.kingdom != seat:
            yield U_7.refuses(f"the {kind} {id_} belongs to {piece.kingdom}, not to {seat}", "impossible")


def _captures(state: State, seat: str | None, id_: str) -> bool:
    """Return whether repairing a Castle would take it: a foreign Ruin with an own army at it, where ``capture`` allows it (KSH-39)."""
    castle = state.works.castles.get(id_)
    if state.setup.options.capture == "none" or castle is None or castle.kingdom == seat:
        return False
    here = ("castle", id_)
    standing = any(army.kingdom == seat and army.at.where == here for army in state.armies.values())
    return standing and works.ruined(state.setup, castle)


def _is_ruin(state: State, kind: str, id_: str) -> bool:
    if kind == "building":
        return works.ruined(state.setup, state.works.buildings[id_])
    return kind == "castle" and works.ruined(state.setup, state.works.castles[id_])


def _needs_repair(state: State, kind: str, id_: str) -> bool:
    if kind == "link":
        return state.works.links[id_].cut
    if kind == "building":
        return state.works.buildings[id_].damage > 0
    if kind == "castle":
        return state.works.castles[id_].damage > 0
    return kind == "ship" and state.ships[id_].damage > 0


def _places(state: State, kind: str, id_: str) -> tuple[tuple[str, str], ...]:
    """Return the places at which a thing stands: a link has the Territories at its ends."""
    if kind == "link":
        link = state.works.links[id_]
        return tuple([("castle", castle) for castle in works.link_territories(state.works, link.a, link.b)])
    if kind == "building":
        return (("castle", state.works.buildings[id_].castle),)
    if kind == "castle":
        return (("castle", id_),)
    place = state.place_of(id_)
    return () if place is None else (place.where,)


def _is_enemy(state: State, seat: str | None, other: str) -> bool:
    return seat is not None and other != seat and not state.allied(seat, other)


def on_structure_repaired(state: State, event: Event, told: Told) -> State:
    """Put something right: fully, or by 10 points (KSH-66). A Ruin stands again at its level; a captured Castle changes hands."""
    target = cast(e.StructureRepaired, event.data).target
    id_ = target.id
    known = state.works
    if target.kind == "link":
        links = {**known.links, id_: replace(known.links[id_], cut=False)}
        state = works.with_ruins(state, known.castles, known.buildings, links)
    elif target.kind == "building":
        one = known.buildings[id_]
        buildings = {**known.buildings, id_: replace(one, damage=_left(state, one.damage))}
        state = works.with_ruins(state, known.castles, buildings)
    elif target.kind == "castle":
        castle = known.castles[id_]
        repaired = replace(castle, damage=_left(state, castle.damage))
        if _captures(state, event.seat, id_):
            repaired = replace(repaired, kingdom=cast(str, event.seat), is_capital=False)
        state = state.with_works(castles={**known.castles, id_: repaired})
    elif target.kind == "ship":
        ship = state.ships[id_]
        state = replace(state, ships={**state.ships, id_: replace(ship, damage=_left(state, ship.damage))})
    elif target.kind == "plane":
        plane = state.planes[id_]
        state = replace(state, planes={**state.planes, id_: replace(plane, damage=_left(state, plane.damage))})
    return acted_on(state, id_)


def _left(state: State, damage: int) -> int:
    return 0 if state.setup.options.repair_restores == "full" else max(0, damage - STEP_OF_REPAIR)


CHECKS: dict[type[Payload], Check] = {
    e.BuildingBuilt: check_building_built,
    e.CastleFounded: check_castle_founded,
    e.DistrictFounded: check_district_founded,
    e.RoadLaid: check_road_laid,
    e.RailLaid: check_rail_laid,
    e.ShipBuilt: check_ship_built,
    e.PlaneBuilt: check_plane_built,
    e.KingUpgraded: check_king_upgraded,
    e.CastleUpgraded: check_castle_upgraded,
    e.BuildingUpgraded: check_building_upgraded,
    e.StructureRepaired: check_structure_repaired,
}

STEPS: dict[type[Payload], Step] = {
    e.BuildingBuilt: on_building_built,
    e.CastleFounded: on_castle_founded,
    e.DistrictFounded: on_district_founded,
    e.RoadLaid: on_road_laid,
    e.RailLaid: on_rail_laid,
    e.ShipBuilt: on_ship_built,
    e.PlaneBuilt: on_plane_built,
    e.KingUpgraded: on_king_upgraded,
    e.CastleUpgraded: on_castle_upgraded,
    e.BuildingUpgraded: on_building_upgraded,
    e.StructureRepaired: on_structure_repaired,
}
