"""What may be recorded next, with sensible values: each a proposal that the checks accept.

What is open is decided by :func:`rulesengine.kingsquare.checks.check` alone; this module only knows which values are sensible.
What the MapMaster keeps hidden is proposed too, as far as the position given shows it: for players and spectators give
:func:`rulesengine.kingsquare.sight.state_seen_by`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, islice
from math import isqrt
from typing import Any

from rulesengine.game import Event, Payload
from rulesengine.kingsquare import events, works
from rulesengine.kingsquare.checks import check
from rulesengine.kingsquare.state import OFFICIAL, Army, Place, State

MOST = 40
"""So many events of one type are offered, fewer of those that :data:`FEW` names."""
FEW = {
    "army_split": 6,
    "army_merged": 6,
    "troops_embarked": 6,
    "troops_landed": 6,
    "rail_travelled": 8,
    "road_laid": 24,
    "rail_laid": 6,
    "ship_built": 6,
    "plane_built": 6,
    "sortie_flown": 16,
    "structure_repaired": 16,
    "beast_engaged": 8,
    "discovery_made": 8,
    "unit_forwarded": 24,
    "castle_role_declared": 12,
    "treaty_noted": 1,
}
PREFIXES = {
    "farm": "f", "lumber_mill": "m", "quarry": "q", "barracks": "b", "harbor": "h", "hangar": "hangar", "trainyard": "t",
    "university": "u", "embassy": "e", "religion": "rel", "war_forge": "w", "wall": "wall", "road": "r", "improved_road": "r",
    "bridge": "br", "rail": "rail",
}  # fmt: skip
"""How the id of a new piece begins; a number follows."""
CLASSES = ("dangerous", "epic", "legendary")
CONTENTS = ("nothing", "resource", "landmark", "beast")
DISTRICTS = ("Military", "Harbor", "University", "Industrial", "Religious")
ROLES = ("military", "industrial", "religious", "transport", "diplomatic", "other")
PLENTY = 3
"""While a match runs, further beasts and sites are offered only up to so many."""
EDGE = 60
RING = {2: 60, 3: 69, 4: 85, 5: 102, 6: 120, 7: 138, 8: 157}
"""By number of Kingdoms, how far from the middle Capitals lie so that neighbours are 12 feet apart."""
CIRCLE = (
    (0, -100), (38, -92), (71, -71), (92, -38), (100, 0), (92, 38), (71, 71), (38, 92),
    (0, 100), (-38, 92), (-71, 71), (-92, 38), (-100, 0), (-92, -38), (-71, -71), (-38, -92),
)  # fmt: skip
"""Sixteen points of a circle of radius 100."""

type Spot = tuple[int, int]
type Went = Callable[[tuple[str, ...], Place, int, int, str, tuple[str, ...] | None], Payload]


def legal(state: State) -> Iterator[Event]:
    """Yield what may be recorded next, in a fixed order: the doings of the seat at turn as the phases go, the end of phase or turn,
    what Kings may do at any time, what officials may. After the end nothing is offered.
    """
    if state.status == "setup":
        stages: Iterable[Iterable[Event]] = _set_up(_Names(state))
    elif state.status == "paused":
        stages = ([Event(None, events.MatchResumed())],)
    elif state.status == "running":
        stages = _running(_Names(state))
    else:
        return
    for stage in stages:
        yield from _accepted(state, stage)


def _accepted(state: State, stage: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of one type that the checks accept, as many as are offered of that type."""
    offered = 0
    for event in stage:
        if check(state, event) is None:
            yield event
            offered += 1
            if offered >= FEW.get(event.type, MOST):
                return


class _Names:
    """A position with ids for new pieces that were never used in it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._next: dict[str, str] = {}

    def new(self, prefix: str) -> str:
        """Return the first id of this beginning that is free."""
        if prefix not in self._next:
            taken, number = self.state.taken, 1
            while f"{prefix}{number}" in taken:
                number += 1
            self._next[prefix] = f"{prefix}{number}"
        return self._next[prefix]

    def army(self, seat: str) -> str:
        """Return the id of a new army: that of seat C must not look like a Castle's."""
        return self.new("Ca" if seat == "C" else seat)


# Set-up


def _set_up(names: _Names) -> Iterator[Iterable[Event]]:
    state = names.state
    setup = state.setup
    founders = {castle.founder for castle in state.works.castles.values()}
    yield (
        Event(seat, events.CapitalFounded(castle=names.new("C"), at=field(*home(len(setup.seats), at))))
        for at, seat in enumerate(setup.seats)
        if seat not in founders
    )
    yield (
        Event(None, events.KingLevelRecorded(kingdom=seat, level=level))
        for seat in setup.seats
        for level in range(1, 6)
        if level != state.kingdoms[seat].king.level
    )
    yield from _general_pieces(state)
    yield from _ground(names)
    yield (
        Event(None, events.DoctrineDefined(level=level, name=f"Doctrine of level {level}")) for level in range(6, 11)
    )
    yield [Event(None, events.MatchStarted())]


def home(seats: int, at: int) -> Spot:
    """Return where the Capital of the seat at this place of the turn order is founded, in tenths of a foot."""
    radius = RING.get(seats, RING[8])
    x, y = CIRCLE[(at * 16 // seats) % 16]
    return (EDGE + radius + radius * x // 100, EDGE + radius + radius * y // 100)


def _ground(names: _Names) -> Iterator[Iterable[Event]]:
    """Yield terrain, beasts and sites, each at a place of its own between the middle and the Capitals."""
    state = names.state
    radius = RING.get(len(state.setup.seats), RING[8])

    def between(number: int) -> Place:
        x, y = CIRCLE[(number * 5 + 2) % 16]
        half = radius * (40 + number % 3 * 15) // 100
        return field(EDGE + radius + half * x // 100, EDGE + radius + half * y // 100)

    placed = len(state.beasts) + len(state.sites) + len(state.terrain)
    if state.status == "setup":
        yield (
            Event(None, events.TerrainPlaced(terrain=names.new("ground"), kind=kind, label=between(placed).field or ""))
            for kind in ("shore", "water", "impassable", "open")
        )
    if state.status != "setup" and max(len(state.beasts), len(state.sites)) >= PLENTY:
        return
    yield (
        Event(None, events.BeastPlaced(beast=names.new("beast"), cls=cls, at=between(placed), hidden=hidden))
        for cls in CLASSES
        for hidden in (False, True)
    )
    at = next((one.at for one in state.beasts.values() if one.hidden), between(placed))
    yield (
        Event(
            None,
            events.SitePlaced(
                site=names.new("site"),
                at=at if content == "beast" else between(placed),
                content=content,  # type: ignore[arg-type]
                hidden=hidden,
            ),
        )
        for content in CONTENTS
        for hidden in (False, True)
    )


def _general_pieces(state: State) -> Iterator[Iterable[Event]]:
    yield (
        Event(seat, events.GeneralPiecePlaced(level=kingdom.king.level, at=kingdom.king.at))
        for seat, kingdom in state.kingdoms.items()
        if kingdom.general_piece is None and kingdom.king.at is not None
    )


# The turn


def _running(names: _Names) -> Iterator[Iterable[Event]]:
    state = names.state
    seat = state.turn_kingdom
    if seat is not None:
        if state.phase == "produce":
            yield from _produce(names, seat)
            yield [Event(seat, events.PhaseAdvanced(to="move"))]
        elif state.phase == "move":
            yield from _movement(names, seat)
            yield [Event(seat, events.PhaseAdvanced(to="act"))]
        else:
            yield from _building(names, seat)
            yield from _battles(names, seat)
            yield from _forwarding(state, seat)
            yield from _armies(names, seat)
            yield [Event(seat, events.TurnEnded())]
        yield from _politics(names, seat)
    yield from _officials(names)


def _produce(names: _Names, seat: str) -> Iterator[Iterable[Event]]:
    state = names.state
    setup, now = state.setup, state.works
    own = [(id_, one) for id_, one in now.buildings.items() if now.castles[one.castle].kingdom == seat]
    barracks = [(id_, one) for id_, one in own if one.kind == "barracks" and id_ not in state.produced]
    standing: dict[str | None, str] = {}
    for army, one in state.armies.items():
        if one.kingdom == seat:
            standing.setdefault(one.at.castle, army)
    yield (
        Event(
            seat,
            events.TroopsProduced(
                building=id_,
                count=works.produced_by(now, setup, id_),
                soldier_level=works.soldier_level(now, setup, one.castle),
                army=standing.get(one.castle) or names.army(seat),
            ),
        )
        for id_, one in barracks
    )
    kinds = {"farm": "food", "lumber_mill": "wood", "quarry": "stone"}
    yield (
        Event(seat, events.ResourcesProduced(building=id_, kind=kinds[one.kind], amount=one.level))
        for id_, one in own
        if one.kind in kinds and id_ not in state.produced
    )
    yield (Event(seat, events.ProductionWaived(building=id_)) for id_, _ in barracks)


# Moving


def field(x_ft10: int, y_ft10: int) -> Place:
    """Return a field with coordinates, named after them."""
    return Place(field=f"{x_ft10 / 10:g} x {y_ft10 / 10:g} ft", x_ft10=x_ft10, y_ft10=y_ft10)


def spot(state: State, place: Place | None) -> Spot | None:
    """Return the coordinates of a place, those of its Castle for a Territory; None where none were recorded."""
    while place is not None:
        if place.x_ft10 is not None and place.y_ft10 is not None:
            return (place.x_ft10, place.y_ft10)
        castle = state.works.castles.get(place.castle) if place.castle is not None else None
        place = castle.at if castle is not None else None
    return None


def distance(state: State, one: Place | None, other: Place | None) -> int | None:
    """Return how far two places are apart in tenths of a foot, rounded up; None where it is not known."""
    if one is not None and other is not None and one.where == other.where:
        return 0
    here, there = spot(state, one), spot(state, other)
    if here is None or there is None:
        return None
    square = (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2
    return isqrt(square - 1) + 1 if square else 0


def _movement(names: _Names, seat: str) -> Iterator[Iterable[Event]]:
    state = names.state

    def moved(
        units: tuple[str, ...], to: Place, off: int, on: int, mode: str, links: tuple[str, ...] | None
    ) -> Payload:
        return events.UnitMoved(units=units, to=to, off_ft10=off, on_ft10=on, mode=mode, links=links)  # type: ignore[arg-type]

    yield _ways(state, seat, moved, again=False)
    yield (
        Event(seat, events.RailTravelled(units=units, from_building=a, to_building=b))
        for units, a, b in _railways(state, seat)
    )
    yield from _armies(names, seat)


def _forwarding(state: State, seat: str) -> Iterator[Iterable[Event]]:
    def forwarded(
        units: tuple[str, ...], to: Place, off: int, on: int, mode: str, links: tuple[str, ...] | None
    ) -> Payload:
        return events.UnitForwarded(units=units, to=to, off_ft10=off, on_ft10=on, mode=mode, links=links)  # type: ignore[arg-type]

    def by_rail() -> Iterator[Event]:
        for units, a, b in _railways(state, seat):
            yield Event(seat, events.UnitForwarded(units=units, rail=events.Rail(from_building=a, to_building=b)))

    def all_ways() -> Iterator[Event]:
        yield from islice(by_rail(), 4)
        yield from _ways(state, seat, forwarded, again=True)

    yield all_ways()


def _ways(state: State, seat: str, went: Went, *, again: bool) -> Iterator[Event]:
    """Yield the moves of each unit, and of a King with the armies around him: by road or off it, as far as they come."""
    for units, place, mode, allowance in _movers(state, seat, again):
        steps: set[Place] = set()
        for far, to in _goals(state, seat, place, mode, allowance):
            for link, length in _roads(state, seat, place, to) if mode == "land" else ():
                yield Event(seat, went(units, to, 0, length, mode, (link,)))
            near = far <= allowance or mode == "air"
            step = to if near else _towards(state, place, to, allowance)
            if step is not None and step not in steps:
                steps.add(step)
                yield Event(seat, went(units, step, far if near else allowance, 0, mode, None))


def _movers(state: State, seat: str, again: bool) -> Iterator[tuple[tuple[str, ...], Place, str, int]]:
    """Yield units that go together, where they stand, how they go and how far they may."""
    options = state.setup.options
    king = state.kingdoms[seat].king
    around: list[str] = []
    for id_, army in state.armies.items():
        if army.kingdom == seat and (again or not army.moved):
            yield (id_,), army.at, "land", options.move_army_ft10
            if king.at is not None and army.at.where == king.at.where:
                around.append(id_)
    if king.at is not None and king.alive and (again or not king.moved):
        steps = min(king.level, 10) * 10
        yield (f"king:{seat}",), king.at, "land", steps
        if around:
            yield (f"king:{seat}", *around), king.at, "land", min(steps, options.move_army_ft10)
    for id_, ship in state.ships.items():
        if ship.kingdom == seat and (again or not ship.moved):
            yield (id_,), ship.at, "sea", options.move_ship_ft10
    for id_, plane in state.planes.items():
        if plane.kingdom == seat and (again or not plane.moved):
            yield (id_,), plane.at, "air", 0


def _goals(state: State, seat: str, place: Place, mode: str, allowance: int) -> Iterator[tuple[int, Place]]:
    """Yield where units may want to go, and how far it is (just in reach where it is not known): the nearest of each kind."""
    castles = state.works.castles
    own = [Place(castle=id_) for id_, castle in castles.items() if castle.kingdom == seat]
    others = [Place(castle=id_) for id_, castle in castles.items() if castle.kingdom != seat]
    fields = [one.at for one in state.beasts.values() if one.status == "alive"]
    fields += [one.at for one in state.sites.values() if one.found_by is None]
    fields += [one.at for one in state.armies.values() if one.kingdom != seat and one.at.castle is None]
    if mode == "sea":
        shores = {one.label for one in state.terrain.values() if one.kind == "shore"}
        fields = [at for at in fields if at.field in shores]
    seen = {place.where}
    for places, most in ((others, 3), (own, 2), (fields, 3)) if mode != "air" else ((own, 2),):
        ways = [(distance(state, place, to), at, to) for at, to in enumerate(places)]
        nearest = sorted((allowance if far is None else far, at, to) for far, at, to in ways if to.where not in seen)
        for far, _, to in nearest[:most]:
            if to.where not in seen:
                seen.add(to.where)
                yield far, to


def _roads(state: State, seat: str, place: Place, to: Place) -> Iterator[tuple[str, int]]:
    """Yield the roads that join two Territories straight, with their lengths."""
    if place.castle is None or to.castle is None:
        return
    ends = {place.castle, to.castle}
    for id_, link in state.works.links.items():
        whole = link.kind in events.ROADS and not link.cut and {link.a, link.b} == ends
        if whole and (link.kingdom == seat or state.allied(seat, link.kingdom)):
            yield id_, link.length_ft10


def _towards(state: State, place: Place, to: Place, allowance: int) -> Place | None:
    here, there, far = spot(state, place), spot(state, to), distance(state, place, to)
    if here is None or there is None or not far:
        return None
    return field(
        here[0] + (there[0] - here[0]) * allowance // far,
        here[1] + (there[1] - here[1]) * allowance // far,
    )


def _railways(state: State, seat: str) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield the journeys by rail that units may make: each army, and the King, from the Territory of a station."""
    stations = state.works.buildings
    for link in state.works.links.values():
        if link.kind != "rail" or link.cut or link.a not in stations or link.b not in stations:
            continue
        for a, b in ((link.a, link.b), (link.b, link.a)):
            castle = stations[a].castle
            for id_, army in state.armies.items():
                if army.kingdom == seat and army.at.castle == castle:
                    yield (id_,), a, b
            king = state.kingdoms[seat].king
            if king.alive and king.at is not None and king.at.castle == castle:
                yield (f"king:{seat}",), a, b


def _armies(names: _Names, seat: str) -> Iterator[Iterable[Event]]:
    """Yield how armies split, merge, embark and land."""
    state = names.state
    own = [(id_, army) for id_, army in state.armies.items() if army.kingdom == seat]
    yield (
        Event(seat, events.ArmySplit(army=id_, new_army=names.army(seat), stacks=half))
        for id_, army in own
        if (half := _half(army))
    )
    yield (
        Event(seat, events.ArmyMerged(from_=b, into=a))
        for (a, one), (b, other) in combinations(own, 2)
        if one.at.where == other.at.where
    )
    ships = [(id_, ship) for id_, ship in state.ships.items() if ship.kingdom == seat]
    yield (
        Event(seat, events.TroopsEmbarked(army=id_, ship=ship, stacks=fitting))
        for ship, one in ships
        for id_, army in own
        if army.at.where == one.at.where
        and (fitting := _fitting(army, state.setup.options.ship_cargo - sum(one.cargo.values())))
    )
    yield (
        Event(seat, events.TroopsLanded(army=names.army(seat), ship=ship, stacks=_given(one.cargo)))
        for ship, one in ships
        if one.cargo
    )


def _given(stacks: dict[int, int]) -> dict[Any, int]:
    return {str(level): count for level, count in stacks.items()}


def _half(army: Army) -> dict[Any, int]:
    return _given({level: count // 2 for level, count in army.stacks.items() if count >= 2})


def _fitting(army: Army, room: int) -> dict[Any, int]:
    """Return as many soldiers of an army as there is room for, the lowest level first."""
    aboard: dict[int, int] = {}
    for level, count in army.stacks.items():
        if room > 0:
            aboard[level] = min(count, room)
            room -= aboard[level]
    return _given(aboard)


# Acting


def _building(names: _Names, seat: str) -> Iterator[Iterable[Event]]:
    state = names.state
    setup, now = state.setup, state.works
    step = setup.options.upgrade_step
    castles = {id_: castle for id_, castle in now.castles.items() if castle.kingdom == seat}
    own = [(id_, one) for id_, one in now.buildings.items() if one.castle in castles]
    yield [Event(seat, events.KingUpgraded(to_level=state.kingdoms[seat].king.level + step))]
    yield (
        Event(seat, events.CastleUpgraded(castle=id_, to_level=castle.level + step)) for id_, castle in castles.items()
    )
    yield (Event(seat, events.BuildingUpgraded(building=id_, to_level=one.level + step)) for id_, one in own)
    yield (
        Event(seat, events.BuildingBuilt(building=names.new(PREFIXES[kind]), kind=kind, castle=castle, direct=direct))
        for castle in castles
        for kind in events.KINDS
        for direct in ((True,) if kind in ("farm", "wall") else (True, False))
    )
    yield (Event(seat, data) for data in _further_castles(names, seat))
    yield (
        Event(seat, events.DistrictFounded(castle=names.new("C"), district_kind=kind, parent_castle=id_))
        for id_, castle in castles.items()
        if castle.level >= 10 and castle.parent_castle is None
        for kind in DISTRICTS
    )
    yield (Event(seat, data) for data in _new_roads(names, seat))
    stations = [id_ for id_, one in own if one.kind == "trainyard"]
    yield (Event(seat, data) for data in _new_rails(names, seat, stations))
    yield (
        Event(seat, events.ShipBuilt(ship=names.new("ship"), harbor=id_)) for id_, one in own if one.kind == "harbor"
    )
    yield (
        Event(seat, events.PlaneBuilt(plane=names.new("plane"), hangar=id_)) for id_, one in own if one.kind == "hangar"
    )
    hurt: list[tuple[Any, str]] = [("building", id_) for id_, one in own if one.damage]
    hurt += [("castle", id_) for id_, castle in castles.items() if castle.damage]
    hurt += [("ship", id_) for id_, ship in state.ships.items() if ship.kingdom == seat and ship.damage]
    hurt += [("link", id_) for id_, link in now.links.items() if link.kingdom == seat and link.cut]
    yield (Event(seat, events.StructureRepaired(target=events.RepairTarget(kind=kind, id=id_))) for kind, id_ in hurt)


def _further_castles(names: _Names, seat: str) -> Iterator[Payload]:
    """Yield a Castle at the edge of the King's Influence, in four directions that change with the number of Castles."""
    state = names.state
    king = state.kingdoms[seat].king
    reach = king.level * 10
    here = spot(state, king.at)
    number = sum(castle.kingdom == seat for castle in state.works.castles.values())
    if here is None:
        at = Place(field=f"outpost {names.new('C')}")
        yield events.CastleFounded(castle=names.new("C"), at=at, king_distance_ft10=reach)
        return
    for turn in range(4):
        x, y = CIRCLE[(number * 3 + turn * 4) % 16]
        there = (here[0] + reach * x // 100, here[1] + reach * y // 100)
        if min(there) >= 0:
            yield events.CastleFounded(castle=names.new("C"), at=field(*there), king_distance_ft10=reach)


def _new_roads(names: _Names, seat: str) -> Iterator[Payload]:
    """Yield roads from buildings without connection to their Castle, straight or by a junction, and from Castle to Castle."""
    state = names.state
    now = state.works
    joined = {frozenset((link.a, link.b)) for link in now.links.values()}
    castles = [id_ for id_, castle in now.castles.items() if castle.kingdom == seat]
    for id_, one in now.buildings.items():
        if one.castle not in castles or one.direct or works.connected(now, id_):
            continue
        for kind in ("road", "improved_road"):
            yield events.RoadLaid(link=names.new(PREFIXES[kind]), kind=kind, a=id_, b=one.castle, length_ft10=10)
        yield events.RoadLaid(link=names.new("r"), kind="road", a=id_, b=names.new("j"), length_ft10=10)
        for junction in state.junctions:
            if any(junction in pair and id_ in pair for pair in joined):
                yield events.RoadLaid(link=names.new("r"), kind="road", a=junction, b=one.castle, length_ft10=10)
    for a, b in combinations(castles, 2):
        if frozenset((a, b)) not in joined:
            length = distance(state, Place(castle=a), Place(castle=b)) or 10
            for kind in events.ROADS:
                yield events.RoadLaid(link=names.new(PREFIXES[kind]), kind=kind, a=a, b=b, length_ft10=length)


def _new_rails(names: _Names, seat: str, stations: list[str]) -> Iterator[Payload]:
    state = names.state
    now = state.works
    joined = {frozenset((link.a, link.b)) for link in now.links.values() if link.kind == "rail"}
    others = [
        id_
        for id_, one in now.buildings.items()
        if one.kind == "trainyard" and state.allied(seat, now.castles[one.castle].kingdom)
    ]
    for a, b in (*combinations(stations, 2), *((a, b) for a in stations for b in others)):
        if frozenset((a, b)) not in joined:
            ends = (Place(castle=now.buildings[a].castle), Place(castle=now.buildings[b].castle))
            yield events.RailLaid(link=names.new("rail"), a=a, b=b, length_ft10=distance(state, *ends) or 10)


def _battles(names: _Names, seat: str) -> Iterator[Iterable[Event]]:
    state = names.state
    forces = _forces(state, seat)
    yield (
        Event(seat, events.AttackMade(attackers=attackers, target=target, **_kings_away(state, seat, place, owner)))
        for attackers, place in forces
        for target, owner in _targets(state, seat, place)
    )
    planes = tuple(id_ for id_, plane in state.planes.items() if plane.kingdom == seat)
    squadrons = (planes, planes[:1]) if len(planes) > 1 else (planes,)
    yield (
        Event(seat, events.SortieFlown(planes=squadron, target=target, **_kings_away(state, seat, place, owner)))
        for place in _battlefields(state, seat)
        for target, owner in _targets(state, seat, place)
        for squadron in squadrons
        if squadron
    )
    yield (
        Event(seat, events.BeastEngaged(attackers=attackers, beast=id_))
        for attackers, place in forces
        if not attackers[0].startswith("king:")  # a King alone had better not
        for id_, beast in state.beasts.items()
        if beast.status == "alive" and not beast.hidden and beast.at.where == place.where
    )
    yield (Event(seat, data) for data in _discoveries(state, forces))


def _forces(state: State, seat: str) -> list[tuple[tuple[str, ...], Place]]:
    """Return who may fight together: at each place all of a Kingdom's units, then each army and ship alone, or the King alone."""
    standing: dict[Any, list[str]] = {}
    places: dict[Any, Place] = {}
    units: list[tuple[str, Place]] = [(id_, one.at) for id_, one in state.armies.items() if one.kingdom == seat]
    units += [(id_, one.at) for id_, one in state.ships.items() if one.kingdom == seat]
    king = state.kingdoms[seat].king
    if king.alive and king.at is not None:
        units.append((f"king:{seat}", king.at))
    for id_, at in units:
        standing.setdefault(at.where, []).append(id_)
        places.setdefault(at.where, at)
    forces = []
    for where, here in standing.items():
        forces.append((tuple(here), places[where]))
        if len(here) > 1:
            forces += [((id_,), places[where]) for id_ in here if not id_.startswith("king:")]
    return forces


def _battlefields(state: State, seat: str) -> Iterator[Place]:
    for id_, castle in state.works.castles.items():
        if castle.kingdom != seat:
            yield Place(castle=id_)
    for army in state.armies.values():
        if army.kingdom != seat:
            yield army.at


def _targets(state: State, seat: str, place: Place) -> Iterator[tuple[events.Target, str]]:
    """Yield what of others there is at a place, in the order of pressure, and whose it is."""
    now = state.works
    castle = now.castles.get(place.castle) if place.castle is not None else None
    if castle is not None and castle.kingdom != seat:
        here = works.of_castle(now, place.castle or "")
        for id_ in here:
            yield events.Target("building", id_), castle.kingdom
        ends = {place.castle, *here}
        for id_, link in now.links.items():
            if link.kingdom != seat and not link.cut and (link.a in ends or link.b in ends):
                yield events.Target("link", id_), link.kingdom
    owners = set()
    for id_, army in state.armies.items():
        if army.kingdom != seat and army.at.where == place.where and army.kingdom not in owners:
            owners.add(army.kingdom)
            own_garrison = castle is not None and castle.kingdom == army.kingdom and place.castle is not None
            target = events.Target("garrison", place.castle or "") if own_garrison else events.Target("army", id_)
            yield target, army.kingdom
    for id_, ship in state.ships.items():
        if ship.kingdom != seat and ship.at.where == place.where:
            yield events.Target("ship", id_), ship.kingdom
    for id_, plane in state.planes.items():
        if plane.kingdom != seat and plane.at.where == place.where:
            yield events.Target("plane", id_), plane.kingdom
    if castle is not None and castle.kingdom != seat:
        yield events.Target("castle", place.castle or ""), castle.kingdom
    for other, kingdom in state.kingdoms.items():
        king = kingdom.king
        if other != seat and king.alive and king.at is not None and king.at.where == place.where:
            yield events.Target("king", f"king:{other}"), other


def _kings_away(state: State, seat: str, place: Place, owner: str) -> dict[str, Any]:
    """Return the distances of both Kings from a battle, as far as they are known and a King is not there himself."""
    told: dict[str, Any] = {}
    for key, whose in (("king_distance_ft10", seat), ("defending_king_distance_ft10", owner)):
        if whose == OFFICIAL:
            continue
        far = distance(state, state.kingdoms[whose].king.at, place)
        if far:
            told[key] = far
    return told


def _discoveries(state: State, forces: list[tuple[tuple[str, ...], Place]]) -> Iterator[Payload]:
    for units, place in forces:
        if len(units) > 1:
            continue
        for id_, site in state.sites.items():
            if site.found_by is None and site.at.where == place.where:
                resource: Any = "stone" if site.content == "resource" else None
                yield events.DiscoveryMade(unit=units[0], site=id_, result=site.content, resource=resource)  # type: ignore[arg-type]
        yield events.DiscoveryMade(unit=units[0], at=place, result="nothing")


# At any time


def _politics(names: _Names, seat: str) -> Iterator[Iterable[Event]]:
    """Yield what Kings may do whatever the phase: alliances, the General, the buffs of beasts, labels, notes, and to give up."""
    state = names.state
    playing = state.playing
    yield (
        Event(seat, events.AllianceProposed(alliance=names.new("al"), to_kingdom=other))
        for other in playing
        if other != seat
    )
    open_ = [(id_, one) for id_, one in state.alliances.items() if one.status == "proposed"]
    yield (Event(one.kingdoms[1], events.AllianceAccepted(alliance=id_)) for id_, one in open_)
    yield (Event(one.kingdoms[1], events.AllianceDeclined(alliance=id_)) for id_, one in open_)
    yield (Event(one.kingdoms[0], events.AllianceWithdrawn(alliance=id_)) for id_, one in open_)
    yield (
        Event(one, events.AllianceEnded(alliance=id_))
        for id_, alliance in state.alliances.items()
        if alliance.status == "active"
        for one in alliance.kingdoms
    )
    yield (
        Event(seat, events.BeastBuffAssigned(beast=id_, army=army))
        for id_, beast in state.beasts.items()
        if beast.defeated_by == seat
        for army in beast.fighters
        if army in state.armies and id_ not in state.armies[army].buffs
    )
    general = state.kingdoms[seat].general_person
    yield [Event(seat, events.GeneralAppointed(person=f"General of {seat}"))] if general is None else []
    yield [Event(seat, events.GeneralDismissed())] if general is not None else []
    yield [Event(seat, events.GeneralResigned())] if general is not None else []
    yield from _general_pieces(state)
    yield [Event(seat, events.GeneralPieceLost())]
    yield (
        Event(seat, events.CastleRoleDeclared(castle=id_, role=role))  # type: ignore[arg-type]
        for id_, castle in state.works.castles.items()
        if castle.kingdom == seat
        for role in ROLES
        if role != castle.role
    )
    yield [Event(seat, events.TreatyNoted(kingdoms=playing, text="as agreed at the table"))]
    yield (Event(one, events.PlayerResigned()) for one in playing)


def _officials(names: _Names) -> Iterator[Iterable[Event]]:
    """Yield what officials may record while a match runs."""
    state = names.state
    playing = state.playing
    yield from _ground(names)
    yield (
        Event(None, events.BeastRevealed(beast=id_))
        for id_, beast in state.beasts.items()
        if beast.hidden and beast.status == "alive"
    )
    yield (
        Event(None, events.BeastActed(beast=id_, kind="move", at=Place(castle=castle)))
        for id_, beast in state.beasts.items()
        if beast.status == "alive" and not beast.hidden
        for castle in islice(state.works.castles, 2)
    )
    fallen = [seat for seat, kingdom in state.kingdoms.items() if kingdom.status == "eliminated"]
    left = {
        seat: castles
        for seat in fallen
        if (castles := tuple(id_ for id_, one in state.works.castles.items() if one.kingdom == seat))
    }
    yield (Event(None, events.CustomPiecesRemoved(kingdom=seat)) for seat in left)
    yield (Event(None, events.TerritoryReplaced(kingdom=seat, castles=castles)) for seat, castles in left.items())
    yield [Event(None, events.TurnSkipped(kingdom=state.turn_kingdom))] if state.turn_kingdom is not None else []
    yield (Event(None, events.KingdomForfeited(kingdom=seat)) for seat in playing)
    yield (Event(None, events.GovernLossDeclared(kingdom=seat)) for seat in playing)
    yield [Event(None, events.MatchPaused())]
    yield [Event(None, events.TimeCalled(agreed=playing))]
    yield [Event(None, events.DrawAgreed(seats=playing))]
