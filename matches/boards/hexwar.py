"""The hex war game drawn: terrain, borders, buildings and units, and what the last event changed.

Nothing is told by colour alone. Terrain has its marks, a player's units have the shape of the seat, borders the stroke of
the seat, settlements one more roof or tower a tier. Lengths are hundredths of a hex's radius.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.words import Names, hexwar
from matches.words.hexwar import place
from rulesengine.game import Carried, Ruleset, Shape
from rulesengine.hexwar import events
from rulesengine.hexwar.hexes import centre
from rulesengine.hexwar.hexes import neighbours as around

SCALE = 100
INSET = 9  # of a border from the edge of its hexes
CORNERS = tuple(
    (round(SCALE * math.cos(math.radians(60 * k - 30)), 2), round(SCALE * math.sin(math.radians(60 * k - 30)), 2))
    for k in range(6)
)
# The corners between which the edge towards each neighbour lies, neighbours in the order E, NE, NW, W, SW, SE.
EDGES = ((0, 1), (5, 0), (4, 5), (3, 4), (2, 3), (1, 2))
TERRAINS = ("grassland", "plain", "forest", "hill", "mountain", "water")
BUILDINGS = ("hamlet", "town", "city", "castle", "fortress", "farm", "fort", "mine", "port")
SEATS = "ABCDEF"
FITS = 24  # units of width that a phone still shows legibly; a wider board scrolls
PIXELS = 19  # a unit of a board that scrolls


def board(ruleset: Ruleset, state: Any, names: Names, last: Carried | None) -> dict[str, Any]:
    """Return what the template draws: hexes, borders, buildings, units, and the marks of the last event."""
    scene = ruleset.scene(state)
    left, top, width, height = (round(value * SCALE, 1) for value in scene.box)
    pad = 8
    hexes = [shape for shape in scene.shapes if shape.kind == "hex"]
    region = {(shape.attributes["q"], shape.attributes["r"]): shape.attributes["region"] for shape in hexes}
    owner = {shape.attributes["region"]: shape.attributes["owner"] for shape in hexes}
    units = [_unit(shape, names) for shape in scene.shapes if shape.kind == "unit"]
    _spread(units)
    manned = {tuple(unit["hex"]) for unit in units}
    buildings = [_building(shape, names, manned) for shape in scene.shapes if shape.kind == "building"]
    _spread(buildings)
    for building in buildings:
        if tuple(building["hex"]) in manned:
            for unit in units:
                if unit["hex"] == building["hex"]:
                    unit["y"] = round(unit["y"] - 24, 1)
                    unit["raised"] = True
    on_hex: dict[tuple[int, int], list[str]] = defaultdict(list)
    for piece in [*buildings, *units]:
        on_hex[tuple(piece["hex"])].append(piece["title"])
    return {
        "box": f"{left - pad} {top - pad} {width + 2 * pad} {height + 2 * pad}",
        "wide": width / SCALE > FITS,
        "pixels": round(width / SCALE * PIXELS),
        "hexes": [_hex(shape, names, on_hex) for shape in hexes],
        "borders": _borders(region, owner),
        "buildings": buildings,
        "units": units,
        "last": _marks(state, last) if last is not None else None,
        "corners": " ".join(f"{x},{y}" for x, y in CORNERS),
        "coordinates": len(hexes) <= 61,
    }


def _at(shape: Shape) -> tuple[float, float]:
    return round(shape.at[0] * SCALE, 1), round(shape.at[1] * SCALE, 1)


def _hex(shape: Shape, names: Names, on_hex: dict[tuple[int, int], list[str]]) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape)
    where = (seen["q"], seen["r"])
    terrain = seen["terrain"] if seen["terrain"] in TERRAINS else "plain"
    title = f"{place(where)} {hexwar.terrain(seen['terrain'])}"
    if seen["region"] is not None:
        whose = names.seat(seen["owner"]) if seen["owner"] else _("nobody’s")
        title += " · " + _("region %(region)s, %(owner)s") % {"region": seen["region"], "owner": whose}
    return {
        "x": x,
        "y": y,
        "terrain": terrain,
        "owner": _seat(seen["owner"]),
        "coordinates": f"{where[0]},{where[1]}".replace("-", "−"),
        "label_y": round(y - 58, 1),
        "is_full": len(on_hex.get(where, ())) > 1,
        "title": "\n".join([title, *on_hex.get(where, [])]),
    }


def _seat(letter: str | None) -> str:
    """Return the class of a seat's colour; seats past the sixth share the colours again."""
    if not letter:
        return ""
    return SEATS[(ord(letter[0].upper()) - ord("A")) % len(SEATS)].lower()


def _building(shape: Shape, names: Names, manned: set[tuple[int, ...]]) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape)
    is_manned = tuple(seen["hex"]) in manned
    is_settlement = seen["kind"] == "settlement"
    kind = seen["tier"] if is_settlement else seen["kind"]
    site = seen["site"]
    # A town that is being built looks like the settlement that it will be, drawn as a site.
    owner = site["builder"] if site else seen["owner"]
    title = f"{seen['id']} {hexwar.building_kind(kind)}"
    if owner:
        title += f", {names.seat(owner)}"
    if site:
        turns = site["turns_left"]
        title += ", " + ngettext("%(n)s turn to go", "%(n)s turns to go", turns) % {"n": turns}
    return {
        "id": seen["id"],
        "hex": seen["hex"],
        "x": x,
        "y": y + (48 if is_manned else 4),
        "scale": 0.62 if is_manned else 1,
        "kind": kind,
        "owner": _seat(owner),
        "letter": owner or "",
        "flies": bool(owner) and not site and not is_manned,
        "turns_left": site["turns_left"] if site else None,
        "title": title,
    }


def _unit(shape: Shape, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape)
    title = _("%(unit)s of %(owner)s, %(hp)s of %(full)s HP") % {
        "unit": f"{seen['id']} {hexwar.unit_type(seen['type'])}",
        "owner": names.seat(seen["owner"]),
        "hp": seen["hp"],
        "full": seen["full_hp"],
    }
    if seen["fortified"]:
        title += ", " + _("fortified")
    if seen["penalty"]:
        title += ", " + _("defence −%(penalty)s") % {"penalty": seen["penalty"]}
    return {
        "id": seen["id"],
        "hex": seen["hex"],
        "x": x,
        "y": y,
        "type": seen["type"],
        "owner": _seat(seen["owner"]),
        "letter": seen["owner"],
        "hp": seen["hp"],
        "hurt": seen["hp"] < seen["full_hp"],
        "fortified": seen["fortified"],
        "penalty": seen["penalty"],
        "title": title,
    }


def _spread(pieces: list[dict[str, Any]]) -> None:
    """Draw pieces that share a hex beside each other (units do only after an accepted irregular event)."""
    shared: dict[tuple[int, ...], list[dict[str, Any]]] = defaultdict(list)
    for piece in pieces:
        shared[tuple(piece["hex"])].append(piece)
    for group in shared.values():
        for index, piece in enumerate(group):
            piece["x"] = round(piece["x"] + (index - (len(group) - 1) / 2) * 52, 1)


def _borders(region: dict[tuple[int, int], str | None], owner: dict[str | None, str | None]) -> list[dict[str, Any]]:
    """Return one path a region: its outline, drawn inside it, so that two neighbours' borders are both seen."""
    paths: dict[str, list[str]] = defaultdict(list)
    for hex_, name in region.items():
        if name is None:
            continue
        x, y = (value * SCALE for value in centre(hex_))
        outer = [region.get(other) != name for other in around(hex_)]
        for direction, (start, end) in enumerate(EDGES):
            if not outer[direction]:
                continue
            # Edges in the order of the corners: the one before an edge lies one direction further, the one after one back.
            one = _inset(start, outer[(direction + 1) % 6], before=True)
            other = _inset(end, outer[(direction - 1) % 6], before=False)
            paths[name].append(f"M{x + one[0]:.1f} {y + one[1]:.1f}L{x + other[0]:.1f} {y + other[1]:.1f}")
    return [
        {"region": name, "owner": _seat(owner.get(name)), "path": "".join(parts)}
        for name, parts in sorted(paths.items(), key=lambda item: owner.get(item[0]) or "")
    ]


def _inset(corner: int, turns: bool, *, before: bool) -> tuple[float, float]:
    """Return where a border ends at a corner: where it turns with the hex inside it, else on the edge to the next hex of the region."""
    x, y = CORNERS[corner]
    if turns:
        factor = 1 - INSET / (SCALE * math.sqrt(3) / 2)
        return x * factor, y * factor
    away = CORNERS[(corner - 1) % 6 if before else (corner + 1) % 6]
    along = INSET / (SCALE * math.sin(math.radians(60)))
    return x + (away[0] - x) * along, y + (away[1] - y) * along


def _marks(state: Any, last: Carried) -> dict[str, Any]:
    """Return what the last event changed: hexes to ring, the way of a move, the line and the figures of an attack."""
    before, after = last.before, last.step.state
    marks: dict[str, Any] = {"rings": [], "trail": "", "shot": None, "fallen": [], "figures": []}
    if before is None:
        return marks
    rings: dict[tuple[int, int], None] = {}
    for id_ in {**before.units, **after.units}:
        one, other = before.units.get(id_), after.units.get(id_)
        if one is None or other is None:
            rings[(one or other).hex] = None
        elif (one.hex, one.hp, one.fortified, one.penalty) != (other.hex, other.hp, other.fortified, other.penalty):
            rings[other.hex] = None
    for id_ in {**before.buildings, **after.buildings}:
        one, other = before.buildings.get(id_), after.buildings.get(id_)
        if one is None or other is None:
            rings[(one or other).hex] = None
        elif (one.kind, one.tier, one.site) != (other.kind, other.tier, other.site):
            rings[other.hex] = None
    for id_, one in after.regions.items():
        if before.regions[id_].owner != one.owner:
            rings[one.seat] = None
    marks["rings"] = [_point(hex_) for hex_ in rings]
    marks["fallen"] = [
        _point(tuple(what.data["hex"])) for what in last.step.consequences if what.type == "unit_defeated"
    ]
    data = last.event.data if last.event is not None else None
    if isinstance(data, events.UnitMoved) and data.unit in before.units:
        way = [before.units[data.unit].hex, *data.path]
        marks["trail"] = " ".join(f"{x},{y}" for x, y in map(_point, way))
    elif isinstance(data, events.UnitAttacked) and {data.attacker, data.target} <= before.units.keys():
        marks["shot"] = _line(before.units[data.attacker].hex, before.units[data.target].hex)
        for strike in (last.step.computed or {}).get("strikes", ()):
            x, y = _point(before.units[strike["on"]].hex)
            marks["figures"].append({"x": x, "y": round(y - 62, 1), "text": f"−{strike['damage']}"})
    return marks


def _point(hex_: tuple[int, ...]) -> tuple[float, float]:
    x, y = centre((hex_[0], hex_[1]))
    return round(x * SCALE, 1), round(y * SCALE, 1)


def _line(start: tuple[int, int], end: tuple[int, int]) -> dict[str, float]:
    (x1, y1), (x2, y2) = _point(start), _point(end)
    length = math.hypot(x2 - x1, y2 - y1) or 1
    cut = 58 / length
    return {
        "x1": round(x1 + (x2 - x1) * cut, 1),
        "y1": round(y1 + (y2 - y1) * cut, 1),
        "x2": round(x2 - (x2 - x1) * cut, 1),
        "y2": round(y2 - (y2 - y1) * cut, 1),
    }


def legend() -> list[tuple[str, str, bool]]:
    """Return what each shape is called, its name on the board, and whether it is a terrain."""
    terrains = [(hexwar.terrain(key), key, True) for key in TERRAINS]
    return terrains + [(hexwar.building_kind(key), f"hw-b-{key}", False) for key in BUILDINGS]


def position(ruleset: Ruleset, state: Any, names: Names) -> dict[str, Any]:
    """Return the position in words: a table of the players, one of the regions with their buildings, one of the units."""
    shapes = ruleset.scene(state).shapes
    buildings = [shape.attributes for shape in shapes if shape.kind == "building"]
    units = [shape.attributes for shape in shapes if shape.kind == "unit"]
    players = []
    for seat, player in state.players.items():
        held = [id_ for id_, region in state.regions.items() if region.owner == seat]
        own = [unit for unit in units if unit["owner"] == seat]
        standing = (
            _("place %(place)s") % {"place": player.place}
            if player.place
            else (_("to act") if seat == state.turn_player else "")
        )
        players.append([names.seat(seat), player.gold, len(held), len(own), sum(unit["hp"] for unit in own), standing])
    return {
        "tables": [
            {
                "title": _("Players"),
                "head": [_("Player"), _("Gold"), _("Regions"), _("Units"), _("HP"), _("Standing")],
                "rows": players,
            },
            {
                "title": _("Buildings"),
                "head": [_("Building"), _("Hex"), _("Region"), _("Owner"), _("State")],
                "rows": [_building_row(one, names) for one in buildings],
            },
            {
                "title": _("Units"),
                "head": [_("Unit"), _("Owner"), _("Hex"), _("HP"), _("Movement"), _("State")],
                "rows": [_unit_row(unit, names) for unit in units],
            },
        ]
    }


def _building_row(one: dict[str, Any], names: Names) -> list[Any]:
    site = one["site"]
    owner = one["owner"] or (site or {}).get("builder")
    words = []
    if site:
        turns = site["turns_left"]
        words.append(ngettext("%(n)s turn to go", "%(n)s turns to go", turns) % {"n": turns})
    if one["acted"]:
        words.append(_("has acted this turn"))
    return [
        f"{hexwar.building_kind(one['tier'] or one['kind'])} {one['id']}",
        place(one["hex"]),
        one["region"] or "–",
        names.seat(owner) if owner else _("nobody"),
        ", ".join(words),
    ]


def _unit_row(unit: dict[str, Any], names: Names) -> list[Any]:
    words = []
    if unit["new"]:
        words.append(_("recruited this turn"))
    if unit["acted"]:
        words.append(_("has acted"))
    if unit["fortified"]:
        words.append(_("fortified"))
    if unit["penalty"]:
        words.append(_("defence −%(penalty)s") % {"penalty": unit["penalty"]})
    return [
        f"{hexwar.unit_type(unit['type'])} {unit['id']}",
        names.seat(unit["owner"]),
        place(unit["hex"]),
        f"{unit['hp']}/{unit['full_hp']}",
        unit["movement"],
        ", ".join(words),
    ]
