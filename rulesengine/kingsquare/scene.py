"""A position as shapes: Territories and influence, roads and rails, Castles with their buildings, and all that stands about.

A shape's place and lengths are in widths of one token (:mod:`rulesengine.kingsquare.layout`). The first shape, ``ground``, says
whether the picture is to scale and then how many tokens a foot is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from rulesengine.game import Scene, Shape
from rulesengine.kingsquare import works as derived
from rulesengine.kingsquare.layout import (
    CORE,
    Cell,
    Item,
    Laid,
    Point,
    Where,
    castle_cell,
    field_cell,
    in_rows,
    on_ring,
    schematic,
    to_scale,
)
from rulesengine.kingsquare.state import Place, State

OWNER = 0.95
"""How wide the mark of whose army it is is drawn."""
HULL = 1.5
CLEAR = 1.7
"""How far a link keeps from the places it passes, where it can."""


def scene(state: State, *, also: Collection[Where] = ()) -> Scene:
    """Return the position to draw; what it hides from a reader is already gone from the state that they see.

    :param also: further places to draw even where nothing stands any more: whence a unit came
    """
    cells = _cells(state, also)
    laid = _plan(state, cells)
    points = _points(state, laid)
    shapes: list[Shape] = [_ground(laid)]
    shapes += _territories(state, laid)
    shapes += _influence(state, laid)
    shapes += _leaders(laid)
    shapes += _fields(state, laid)
    shapes += _links(state, laid, points)
    shapes += _heads(state, laid)
    shapes += _castles(state, laid)
    shapes += _buildings(state, points)
    shapes += _items(state, laid)
    shapes += _alliances(state, laid)
    return Scene(laid.box, tuple(shapes))


def place_points(scene: Scene) -> dict[Where, Point]:
    """Return where each place of a scene is drawn, by its key."""
    found: dict[Where, Point] = {}
    for shape in scene.shapes:
        if shape.kind == "castle":
            found[("castle", shape.attributes["id"])] = shape.at
        elif shape.kind == "field":
            found[("field", shape.attributes["label"])] = shape.at
    return found


def radius_ft10(state: State, castle: str) -> int:
    """Return the radius of a Territory in tenths of a foot (KSH-32)."""
    fixed = state.setup.options.territory_radius
    if fixed == "level":
        return max(10, 10 * state.works.castles[castle].level)
    return int(fixed)


def pile_width(soldiers: int) -> float:
    """Return how wide a pile of chips is drawn with its number below."""
    return 0.95 if soldiers < 100 else 1.25 if soldiers < 1000 else 1.5


def curve(a: Point, b: Point, bend: float) -> tuple[Point, Point]:
    """Return the control point of the curve from `a` to `b` that is bent by a part of its length, and the curve's middle."""
    (x1, y1), (x2, y2) = a, b
    control = ((x1 + x2) / 2 + (y2 - y1) * bend, (y1 + y2) / 2 - (x2 - x1) * bend)
    return control, ((x1 + x2 + 2 * control[0]) / 4, (y1 + y2 + 2 * control[1]) / 4)


# What stands where -------------------------------------------------------------------------------------------------


def _cells(state: State, also: Collection[Where]) -> dict[Where, Cell]:
    items: dict[Where, list[Item]] = defaultdict(list)
    for item, at in _standing(state):
        items[at.where].append(item)
    rings: dict[str, int] = defaultdict(int)
    for building in state.works.buildings.values():
        rings[building.castle] += 1
    cells = {}
    for id_, castle in state.works.castles.items():
        where = ("castle", id_)
        order = {castle.kingdom: -1, castle.founder: -1}
        own = sorted(items.pop(where, ()), key=lambda item: order.get(owner(state, item) or "", 0))
        lines = 2 if castle.role or castle.district_kind else 1
        cells[where] = castle_cell(where, rings[id_], own, lines)
    labels = {one.label for one in state.terrain.values()}
    founded = {castle.at.where for castle in state.works.castles.values() if castle.at is not None}
    wanted = [
        where for where in (*items, *((("field", label)) for label in sorted(labels)), *also) if where[0] == "field"
    ]
    for where in dict.fromkeys(wanted):
        if where in items or where in also or where not in founded:
            cells[where] = field_cell(where, items.get(where, ()))
    return cells


def _standing(state: State) -> Iterator[tuple[Item, Place]]:
    """Yield everything that stands in a place, Castles and buildings apart."""
    for seat, kingdom in state.kingdoms.items():
        if kingdom.king.alive and kingdom.king.at is not None:
            yield Item("king", f"king:{seat}", 1.4), kingdom.king.at
        if kingdom.general_piece is not None:
            yield Item("general", f"general:{seat}", 1.3), kingdom.general_piece.at
    for id_, army in state.armies.items():
        yield Item("army", id_, OWNER + sum(map(pile_width, army.stacks.values()))), army.at
    for id_, ship in state.ships.items():
        yield Item("ship", id_, HULL + sum(map(pile_width, ship.cargo.values()))), ship.at
    for id_, plane in state.planes.items():
        yield Item("plane", id_, 1.4), plane.at
    for id_, beast in state.beasts.items():
        if beast.status == "alive":
            yield Item("beast", id_, 2.1), beast.at
    for id_, site in state.sites.items():
        yield Item("site", id_, 1.0), site.at


def owner(state: State, item: Item) -> str | None:
    """Return whose an item is, None for beasts and sites."""
    if item.kind == "general":
        return item.id.removeprefix("general:")
    return state.owner_of(item.id)


def _plan(state: State, cells: dict[Where, Cell]) -> Laid:
    castles = state.works.castles
    known: dict[Where, Point] = {}
    for at in _recorded(state):
        if at.field is not None and at.x_ft10 is not None and at.y_ft10 is not None:
            known.setdefault(at.where, (at.x_ft10 / 10, at.y_ft10 / 10))
    for id_, castle in castles.items():
        if castle.at is not None and castle.at.where in known:
            known[("castle", id_)] = known[castle.at.where]
            if castle.at.x_ft10 is not None and castle.at.y_ft10 is not None:
                known[("castle", id_)] = (castle.at.x_ft10 / 10, castle.at.y_ft10 / 10)
    districts: dict[Where, Where] = {
        ("castle", id_): ("castle", castle.parent_castle)
        for id_, castle in castles.items()
        if castle.parent_castle is not None and castle.parent_castle in castles
    }
    radii: dict[Where, float] = {("castle", id_): radius_ft10(state, id_) / 10 for id_ in castles}
    laid = to_scale(cells, known, districts, radii)
    return laid if laid is not None else schematic(cells, state.setup.seats, _by_founder(state))


def _recorded(state: State) -> Iterator[Place]:
    """Yield every place recorded, Castles' first: the first coordinates of a field are its own."""
    for castle in state.works.castles.values():
        if castle.at is not None:
            yield castle.at
    for item, at in _standing(state):
        if item.kind in ("beast", "site"):
            yield at
    for item, at in _standing(state):
        if item.kind not in ("beast", "site"):
            yield at


def _by_founder(state: State) -> dict[str, list[Where]]:
    """Return each Kingdom's Castles, the Capital first, each district after its parent. They stay where they were founded."""
    castles = state.works.castles
    under: dict[str | None, list[str]] = defaultdict(list)
    for id_, castle in castles.items():
        under[castle.parent_castle if castle.parent_castle in castles else None].append(id_)
    found: dict[str, list[Where]] = {seat: [] for seat in state.setup.seats}

    def add(id_: str) -> None:
        found.setdefault(castles[id_].founder, []).append(("castle", id_))
        for district in under[id_]:
            add(district)

    for id_ in under[None]:
        add(id_)
    return found


def _points(state: State, laid: Laid) -> dict[str, Point]:
    """Return where the ends of links are: Castles, buildings, and junctions between what they join."""
    points: dict[str, Point] = {}
    rings: dict[str, int] = defaultdict(int)
    for id_ in state.works.castles:
        points[id_] = laid.anchors[("castle", id_)]
    for id_, building in state.works.buildings.items():
        where = ("castle", building.castle)
        if where in laid.anchors:
            x, y = laid.anchors[where]
            across, down = on_ring(laid.cells[where].ring, rings[building.castle])
            points[id_] = (x + across, y + down)
            rings[building.castle] += 1
    ends: dict[str, list[str]] = defaultdict(list)
    for link in state.works.links.values():
        for end, other in ((link.a, link.b), (link.b, link.a)):
            if end not in points:
                ends[end].append(other)
    middle = (laid.box[0] + laid.box[2] / 2, laid.box[1] + laid.box[3] / 2)
    for _ in range(12):
        for end, others in ends.items():
            near = [points[other] for other in others if other in points] or [middle]
            points[end] = (sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near))
    for end in ends:
        points[end] = _beside(points[end], laid)
    return points


def _beside(point: Point, laid: Laid) -> Point:
    """Return a junction moved out from under a Castle's token, between two of its buildings."""
    for where, (x, y) in laid.anchors.items():
        cell = laid.cells[where]
        away = math.hypot(point[0] - x, point[1] - y)
        if cell.is_castle and away < cell.radius - 0.2:
            room = 8 if cell.ring <= 8 else cell.ring
            angle = math.atan2(point[1] - y, point[0] - x) if away > 0.01 else -math.pi / 2
            angle += math.pi / room
            return x + (CORE + 0.22) * math.cos(angle), y + (CORE + 0.22) * math.sin(angle)
    return point


# Shapes ------------------------------------------------------------------------------------------------------------


def _ground(laid: Laid) -> Shape:
    return Shape("ground", (laid.box[0], laid.box[1]), {"scale": laid.scale, "scaled": laid.scale is not None})


def _territories(state: State, laid: Laid) -> Iterator[Shape]:
    for id_, castle in state.works.castles.items():
        cell = laid.cells[("castle", id_)]
        feet = radius_ft10(state, id_)
        attributes = {
            "castle": id_,
            "owner": castle.kingdom,
            "radius": cell.radius if laid.scale is None else feet / 10 * laid.scale,
            "radius_ft10": feet,
        }
        yield Shape("territory", laid.spots[("castle", id_)], attributes)


def _influence(state: State, laid: Laid) -> Iterator[Shape]:
    if laid.scale is None:
        return
    for seat, kingdom in state.kingdoms.items():
        king = kingdom.king
        if king.alive and king.at is not None and king.at.where not in laid.unplaced:
            at = laid.spots[king.at.where]
            if king.at.field is not None and king.at.x_ft10 is not None and king.at.y_ft10 is not None:
                at = (king.at.x_ft10 / 10 * laid.scale, king.at.y_ft10 / 10 * laid.scale)
            yield Shape("influence", at, {"owner": seat, "radius": king.level * laid.scale, "level": king.level})


def _leaders(laid: Laid) -> Iterator[Shape]:
    """Yield a line from each place to its tokens where these had to be drawn beside it."""
    for where, spot in laid.spots.items():
        anchor = laid.anchors[where]
        if math.dist(spot, anchor) > 0.3:
            yield Shape("leader", spot, {"where": list(where), "ends": [list(spot), list(anchor)]})


def _fields(state: State, laid: Laid) -> Iterator[Shape]:
    kinds = {one.label: one.kind for one in state.terrain.values()}
    for where, at in laid.anchors.items():
        if where[0] == "field":
            cell = laid.cells[where]
            attributes = {
                "label": where[1],
                "terrain": kinds.get(where[1]),
                "placed": where not in laid.unplaced,
                "box": [at[0] - cell.width / 2, at[1] - cell.above, cell.width, cell.above + cell.below],
            }
            yield Shape("field", at, attributes)


def _links(state: State, laid: Laid, points: dict[str, Point]) -> Iterator[Shape]:
    junctions: dict[str, None] = {}
    stops = list(laid.anchors.values())
    lanes: dict[frozenset[str], int] = defaultdict(int)
    for id_, link in state.works.links.items():
        a, b = points[link.a], points[link.b]
        pair = frozenset((link.a, link.b))
        lane = (lanes[pair] + 1) // 2 * (1 if lanes[pair] % 2 else -1)  # 0, 1, -1, 2, …: links beside each other
        lanes[pair] += 1
        attributes = {
            "id": id_,
            "owner": link.kingdom,
            "kind": link.kind,
            "a": link.a,
            "b": link.b,
            "ends": [list(a), list(b)],
            "length_ft10": link.length_ft10,
            "cut": link.cut,
            "bend": _bend(a, b, lane if link.a <= link.b else -lane, [at for at in stops if at not in (a, b)]),
        }
        yield Shape("link", ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), attributes)
        for end in (link.a, link.b):
            if end not in state.works.castles and end not in state.works.buildings:
                junctions[end] = None
    for label in junctions:
        yield Shape("junction", points[label], {"id": label})


def _bend(a: Point, b: Point, lane: int, stops: Sequence[Point]) -> float:
    """Return the bend of a link: as little as keeps it clear of places that it only passes; links of the same ends lie apart."""
    long = math.dist(a, b)
    if long < 3:
        return 0.5 * lane / long if long > 0.01 else 0.0
    apart = 0.8 * lane / long
    best, clearest = apart, -1.0
    for turn in (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.42, -0.42):
        (cx, cy), _ = curve(a, b, turn + apart)
        clear = CLEAR
        for step in range(1, 16):
            t = step / 16
            x = (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * cx + t * t * b[0]
            y = (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * cy + t * t * b[1]
            clear = min(clear, min((math.hypot(x - at[0], y - at[1]) for at in stops), default=CLEAR))
        if clear > clearest + 0.01:
            best, clearest = turn + apart, clear
        if clear >= CLEAR:
            break
    return best


def _heads(state: State, laid: Laid) -> Iterator[Shape]:
    for seat, (x, y, width) in laid.heads.items():
        kingdom = state.kingdoms[seat]
        yield Shape(
            "kingdom", (x, y), {"id": seat, "status": kingdom.status, "level": kingdom.king.level, "width": width}
        )


def _castles(state: State, laid: Laid) -> Iterator[Shape]:
    works, setup = state.works, state.setup
    for id_, castle in works.castles.items():
        cell = laid.cells[("castle", id_)]
        full = derived.structure(setup, castle.level)
        attributes = {
            "id": id_,
            "owner": castle.kingdom,
            "founder": castle.founder,
            "name": castle.name,
            "level": castle.level,
            "is_capital": castle.is_capital,
            "role": castle.role,
            "district_kind": castle.district_kind,
            "parent": castle.parent_castle,
            "structure": full,
            "left": max(0, full - castle.damage),
            "fabric": derived.fabric(works, setup, id_),
            "reach": cell.radius,
            "width": cell.width,
        }
        yield Shape("castle", laid.anchors[("castle", id_)], attributes)


def _buildings(state: State, points: dict[str, Point]) -> Iterator[Shape]:
    works, setup = state.works, state.setup
    for id_, building in works.buildings.items():
        if id_ not in points:
            continue
        full = derived.structure(setup, building.level)
        home = works.castles[building.castle]
        attributes: dict[str, Any] = {
            "id": id_,
            "kind": building.kind,
            "castle": building.castle,
            "owner": home.kingdom,
            "level": building.level,
            "structure": full,
            "left": max(0, full - building.damage),
            "state": derived.condition(works, setup, id_),
            "direct": building.direct,
            "connected": derived.connected(works, id_),
            "produced": id_ in state.produced,
            "from": list(points[building.castle]),
        }
        yield Shape("building", points[id_], attributes)


def _items(state: State, laid: Laid) -> Iterator[Shape]:
    for cell in laid.cells.values():
        places = in_rows(cell, laid.anchors[cell.where])
        for row in cell.rows:
            for item in row:
                attributes = {
                    "id": item.id,
                    "owner": owner(state, item),
                    "width": item.width,
                    "where": list(cell.where),
                }
                yield Shape(item.kind, places[(item.kind, item.id)], attributes | _figures(state, item))


def _figures(state: State, item: Item) -> dict[str, Any]:
    options = state.setup.options
    if item.kind == "king":
        king = state.kingdoms[item.id.removeprefix("king:")].king
        return {"level": king.level, "moved": king.moved}
    if item.kind == "general":
        piece = state.kingdoms[item.id.removeprefix("general:")].general_piece
        return {"level": piece.level if piece is not None else 0}
    if item.kind == "army":
        army = state.armies[item.id]
        return {"stacks": _stacks(army.stacks), "buffs": list(army.buffs), "moved": army.moved}
    if item.kind == "ship":
        ship = state.ships[item.id]
        left = max(0, options.ship_structure - ship.damage)
        return {"cargo": _stacks(ship.cargo), "moved": ship.moved, "structure": options.ship_structure, "left": left}
    if item.kind == "plane":
        plane = state.planes[item.id]
        left = max(0, options.plane_structure - plane.damage)
        return {"moved": plane.moved, "structure": options.plane_structure, "left": left}
    if item.kind == "beast":
        beast = state.beasts[item.id]
        return {
            "class": beast.cls,
            "name": beast.name,
            "left": beast.strength_left,
            "attack": beast.attack,
            "defence": beast.defence,
            "buff": beast.buff,
            "hidden": beast.hidden,
        }
    site = state.sites[item.id]
    return {"content": site.content, "hidden": site.hidden, "found_by": site.found_by}


def _stacks(stacks: dict[int, int]) -> list[list[int]]:
    return [[level, soldiers] for level, soldiers in sorted(stacks.items())]


def _alliances(state: State, laid: Laid) -> Iterator[Shape]:
    ends: dict[str, Point] = {seat: (x, y + 0.6) for seat, (x, y, _) in laid.heads.items()}
    for id_, castle in state.works.castles.items():
        if castle.founder not in ends or (laid.scale is not None and castle.is_capital):
            ends[castle.founder] = laid.anchors[("castle", id_)]
    for id_, alliance in state.alliances.items():
        if alliance.status != "ended" and all(seat in ends for seat in alliance.kingdoms):
            a, b = (ends[seat] for seat in alliance.kingdoms)
            middle = (laid.box[0] + laid.box[2] / 2, laid.box[1] + laid.box[3] / 2)
            bend = min((0.12, -0.12), key=lambda turn: math.dist(curve(a, b, turn)[1], middle))
            attributes = {
                "id": id_,
                "kingdoms": list(alliance.kingdoms),
                "status": alliance.status,
                "ends": [list(a), list(b)],
                "bend": bend,
            }
            yield Shape("alliance", curve(a, b, bend)[1], attributes)
