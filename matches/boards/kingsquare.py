"""KingSquare drawn: a battlefield without a grid, its kingdoms, works, units and beasts, and what the last event changed.

Nothing is told by colour alone: whose a thing is says its letter and the shape behind it, a Territory's edge has the stroke of its
seat, a building its glyph and level, its state a broken edge or a cross. Lengths are hundredths of a token's width.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.words import Names
from matches.words import kingsquare as words
from matches.words.kingsquare import feet, place_words, word
from rulesengine.game import Carried, Ruleset, Shape
from rulesengine.kingsquare import events
from rulesengine.kingsquare import works as derived
from rulesengine.kingsquare.layout import CORE, Point, Where
from rulesengine.kingsquare.scene import HULL, OWNER, curve, pile_width, place_points, radius_ft10, scene
from rulesengine.kingsquare.state import OFFICIAL, State

SCALE = 100
SEATS = "abcdefgh"
FITS = 17  # tokens across that a phone still shows legibly; a wider board scrolls
PIXELS = 22  # a token of a board that scrolls
VAST = 50  # tokens across that a desk shows legibly
PAD = 0.35
UNITS = ("king", "general", "army", "ship", "plane", "beast", "site")


def board(ruleset: Ruleset, state: State, names: Names, last: Carried | None) -> dict[str, Any]:
    """Return what the template draws, in the order in which it is drawn, and the marks of the last event."""
    drawn = scene(state, also=_left_behind(state, last))
    shapes: dict[str, list[Shape]] = defaultdict(list)
    for shape in drawn.shapes:
        shapes[shape.kind].append(shape)
    left, top, width, height = drawn.box
    view = [round(value * SCALE) for value in (left - PAD, top - PAD, width + 2 * PAD, height + 2 * PAD)]
    [ground] = shapes["ground"]
    return {
        "box": " ".join(map(str, view)),
        "wide": width > FITS,
        "vast": width > VAST,
        "pixels": round(width * PIXELS),
        "scaled": ground.attributes["scaled"],
        "ruler": _ruler(ground.attributes["scale"], view),
        "territories": [_territory(shape, state, names) for shape in shapes["territory"]],
        "influences": [_influence(shape, names) for shape in shapes["influence"]],
        "leaders": [_leader(shape) for shape in shapes["leader"]],
        "fields": [_field(shape) for shape in shapes["field"]],
        "alliances": [_alliance(shape, names) for shape in shapes["alliance"]],
        "links": [_link(shape, state, names) for shape in shapes["link"]],
        "junctions": [
            _pin(shape, _("Junction %(id)s") % {"id": shape.attributes["id"]}) for shape in shapes["junction"]
        ],
        "kingdoms": [_kingdom(shape, state, names) for shape in shapes["kingdom"]],
        "castles": [_castle(shape, state, names) for shape in shapes["castle"]],
        "buildings": [_building(shape, state, names) for shape in shapes["building"]],
        "units": [_unit(shape, state, names) for kind in UNITS for shape in shapes[kind]],
        "last": _marks(state, last, drawn.shapes, place_points(drawn)) if last is not None else None,
    }


# Shapes for the template -------------------------------------------------------------------------------------------


def seat_class(letter: str | None) -> str:
    """Return the class of a seat's colour and shape; seats past the eighth share them again. Nobody's things have ``none``."""
    if not letter or letter == OFFICIAL:
        return "none"
    return SEATS[(ord(letter[0].upper()) - ord("A")) % len(SEATS)]


def letter_of(owner: str | None) -> str:
    """Return what stands in the mark of an owner: the seat's letter, or a dot for the official pieces."""
    return "•" if owner is None or owner == OFFICIAL else owner[:2]


def owner_words(owner: str, names: Names) -> str:
    """Return whose something is."""
    return _("the official pieces") if owner == OFFICIAL else names.seat(owner)


def _at(point: Iterable[float]) -> tuple[int, int]:
    x, y = point
    return round(x * SCALE), round(y * SCALE)


def _pin(shape: Shape, title: str) -> dict[str, Any]:
    x, y = _at(shape.at)
    return {"x": x, "y": y, "title": title}


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: max(1, most - 1)].rstrip() + "…"


def _ruler(scale: float | None, view: list[int]) -> dict[str, Any] | None:
    """Return the bar that shows what a length on the picture is on the table; None for a schematic."""
    if scale is None:
        return None
    long = next((length for length in (1, 2, 5, 10, 20, 50) if length * scale >= 3), 100)
    x, y = view[0] + 30, view[1] + view[3] - 26
    return {"x": x, "y": y, "end": x + round(long * scale * SCALE), "text": feet(long * 10), "above": y - 22}


def _castle_name(id_: str, state: State) -> str:
    one = state.works.castles.get(id_)
    return words.castle(id_, one.name if one is not None else None)


def _territory(shape: Shape, state: State, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    title = _("Territory of %(castle)s, %(owner)s: %(radius)s around it") % {
        "castle": _castle_name(seen["castle"], state),
        "owner": owner_words(seen["owner"], names),
        "radius": feet(seen["radius_ft10"]),
    }
    return {**_pin(shape, title), "r": round(seen["radius"] * SCALE), "owner": seat_class(seen["owner"])}


def _influence(shape: Shape, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    title = _("Influence of the King of %(who)s: %(radius)s") % {
        "who": names.seat(seen["owner"]),
        "radius": feet(10 * seen["level"]),
    }
    return {**_pin(shape, title), "r": round(seen["radius"] * SCALE), "owner": seat_class(seen["owner"])}


def _leader(shape: Shape) -> dict[str, int]:
    (x1, y1), (x2, y2) = (_at(end) for end in shape.attributes["ends"])
    return {"x1": x1, "y1": y1, "x2": x2, "y2": y2}


def _field(shape: Shape) -> dict[str, Any]:
    seen = shape.attributes
    x, y, width, height = (round(value * SCALE) for value in seen["box"])
    title = _("The field “%(field)s”") % {"field": seen["label"]}
    if seen["terrain"]:
        title += ", " + word(words.TERRAINS, seen["terrain"])
    if not seen["placed"]:
        title += " (" + _("position not recorded") + ")"
    return {
        "x": x,
        "y": y,
        "width": width,
        "height": height,
        "terrain": seen["terrain"] or "open",
        "middle": x + width // 2,
        "label_y": y + 56,
        "label": _short(seen["label"], max(8, int(width / 27))),
        "title": title,
    }


def _alliance(shape: Shape, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    title = alliance_words(seen["kingdoms"], seen["status"], names)
    path, (x, y) = _path(seen)
    return {"id": seen["id"], "path": path, "x": x, "y": y, "status": seen["status"], "title": title}


def alliance_words(kingdoms: Iterable[str], status: str, names: Names) -> str:
    """Return between whom an alliance is and how it stands."""
    one, other = kingdoms
    return _("Alliance of %(one)s and %(other)s: %(status)s") % {
        "one": names.seat(one),
        "other": names.seat(other),
        "status": word(words.ALLIANCES, status),
    }


def _path(seen: Mapping[str, Any], part: float = 0.5) -> tuple[str, tuple[int, int]]:
    """Return the path between the ends of a link or an alliance, and a point on it."""
    a, b = (tuple(end) for end in seen["ends"])
    control, _middle = curve(a, b, seen["bend"])
    on_it = (
        (1 - part) ** 2 * start + 2 * part * (1 - part) * turn + part**2 * end
        for start, turn, end in zip(a, control, b, strict=True)
    )
    (x1, y1), (cx, cy), (x2, y2) = map(_at, (a, control, b))
    return f"M{x1} {y1}Q{cx} {cy} {x2} {y2}", _at(on_it)


def _link(shape: Shape, state: State, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    path, (x, y) = _path(seen, 0.5 if seen["cut"] else 0.36)
    return {
        "id": seen["id"],
        "kind": seen["kind"],
        "owner": seat_class(seen["owner"]),
        "letter": letter_of(seen["owner"]) if math.dist(*seen["ends"]) > 3 else "",
        "path": path,
        "x": x,
        "y": y,
        "cut": seen["cut"],
        "title": link_words(seen, state, names),
    }


def link_words(seen: Mapping[str, Any], state: State, names: Names) -> str:
    """Return a link with its ends, length and owner, and whether it is cut."""
    title = _("%(link)s of %(owner)s between %(a)s and %(b)s, %(length)s") % {
        "link": f"{words.link_kind(seen['kind'])} {seen['id']}",
        "owner": owner_words(seen["owner"], names),
        "a": end_words(seen["a"], state),
        "b": end_words(seen["b"], state),
        "length": feet(seen["length_ft10"]),
    }
    return title + ", " + _("cut") if seen["cut"] else title


def end_words(id_: str, state: State) -> str:
    """Return the end of a link: a Castle, a building or a junction."""
    if id_ in state.works.castles:
        return _castle_name(id_, state)
    one = state.works.buildings.get(id_)
    if one is not None:
        return f"{words.building_kind(one.kind)} {id_}"
    return _("junction %(id)s") % {"id": id_}


def _kingdom(shape: Shape, state: State, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    seat = seen["id"]
    x, y = _at(shape.at)
    is_out = seen["status"] == "eliminated"
    acts = state.turn_kingdom == seat and state.status == "running"
    name = _short(names.seat(seat), max(6, int(seen["width"] * SCALE / 33) - (6 if is_out else 3)))
    text = _("%(who)s (out)") % {"who": name} if is_out else name
    half = round(len(text) * 16)
    title = _("Kingdom of %(who)s") % {"who": names.seat(seat)}
    title += ", " + kingdom_words(state, seat)
    return {
        "x": x,
        "y": y,
        "mark": x - half - 24,
        "text_x": x - half + 20,
        "arrow": x + half + 56,
        "text": text,
        "owner": seat_class(seat),
        "letter": seat,
        "is_out": is_out,
        "acts": acts,
        "title": title,
    }


def kingdom_words(state: State, seat: str) -> str:
    """Return how a Kingdom stands: playing with its King's level, to act with its Action Points, or why it is out."""
    kingdom = state.kingdoms[seat]
    if kingdom.status == "eliminated":
        return _("out: %(cause)s") % {"cause": word(words.CAUSES, kingdom.eliminated_cause)}
    said = [_("King of level %(level)s") % {"level": kingdom.king.level}]
    if state.turn_kingdom == seat and state.status == "running":
        said.append(_("to act"))
        if state.phase:
            said.append(word(words.PHASES, state.phase))
        if state.phase == "act":
            said.append(words.ap_words(state))
    return ", ".join(said)


def _castle(shape: Shape, state: State, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape.at)
    under = []
    if seen["district_kind"]:
        under.append(words.district_kind(seen["district_kind"]))
    if seen["role"]:
        under.append(word(words.ROLES, seen["role"]))
    title = [
        f"{_castle_name(seen['id'], state)}, {owner_words(seen['owner'], names)}",
        _("Castle of level %(level)s") % {"level": seen["level"]},
        *([_("Capital")] if seen["is_capital"] else []),
        *under,
        structure_words(seen["left"], seen["structure"]),
        *([_("fabric +%(n)s") % {"n": seen["fabric"]}] if seen["fabric"] else []),
    ]
    most = int(seen["width"] * SCALE / 27)
    reach = round(seen["reach"] * SCALE)
    return {
        "id": seen["id"],
        "x": x,
        "y": y,
        "owner": seat_class(seen["owner"]),
        "letter": letter_of(seen["owner"]),
        "level": seen["level"],
        "is_capital": seen["is_capital"],
        "is_district": bool(seen["parent"]),
        "name": _short(seen["name"] or seen["id"], most),
        "under": _short(" · ".join(under), most + 3),
        "name_y": y - reach - (72 if under else 22),
        "under_y": y - reach - 20,
        "state": "ruined" if not seen["left"] else "damaged" if seen["left"] < seen["structure"] else "whole",
        "left": seen["left"],
        "bar": round(100 * seen["left"] / seen["structure"]) if seen["structure"] else 0,
        "title": "\n".join([title[0], ", ".join(title[1:])]),
    }


def structure_words(left: int, full: int) -> str:
    """Return how much structure is left."""
    if left <= 0:
        return _("a Ruin")
    return _("%(left)s of %(full)s structure points") % {"left": left, "full": full}


def _building(shape: Shape, state: State, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape.at)
    home_x, home_y = _at(seen["from"])
    title = _("%(building)s of level %(level)s at %(castle)s, %(owner)s") % {
        "building": f"{words.building_kind(seen['kind'])} {seen['id']}",
        "level": seen["level"],
        "castle": _castle_name(seen["castle"], state),
        "owner": owner_words(seen["owner"], names),
    }
    return {
        "id": seen["id"],
        "x": x,
        "y": y,
        "home_x": home_x,
        "home_y": home_y,
        "kind": seen["kind"],
        "owner": seat_class(seen["owner"]),
        "level": seen["level"],
        "state": seen["state"],
        "direct": seen["direct"],
        "damaged": 0 < seen["left"] < seen["structure"],
        "left": seen["left"],
        "title": f"{title}\n{building_words(seen)}",
    }


def building_words(seen: Mapping[str, Any]) -> str:
    """Return the state of a building: what it does, how it is joined to its Castle, what is left of it."""
    said = [word(words.CONDITIONS, seen["state"])]
    if seen["direct"]:
        said.append(_("touches its Castle"))
    elif seen["state"] != "ruined":
        said.append(_("joined by road") if seen["connected"] else _("not joined to its Castle"))
    if seen["state"] != "ruined" and seen["left"] < seen["structure"]:
        said.append(_("damaged, %(left)s of %(full)s left") % {"left": seen["left"], "full": seen["structure"]})
    if seen["produced"]:
        said.append(_("has produced"))
    return ", ".join(said)


def _unit(shape: Shape, state: State, names: Names) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape.at)
    half = seen["width"] * SCALE / 2
    one: dict[str, Any] = {
        "kind": shape.kind,
        "id": seen["id"],
        "x": x,
        "y": y,
        "left": round(-half),
        "width": round(2 * half),
        "owner": seat_class(seen["owner"]),
        "letter": letter_of(seen["owner"]),
        "title": unit_words(shape, state, names),
    }
    if shape.kind in ("king", "general"):
        one["level"] = seen["level"]
    elif shape.kind == "army":
        one["chips"] = _chips(seen["stacks"], -half + OWNER * SCALE, state)
        one["buffed"] = bool(seen["buffs"])
    elif shape.kind == "ship":
        one["chips"] = _chips(seen["cargo"], -half + HULL * SCALE, state)
        one["hull"] = round(-half + 75)
        one["damaged"] = seen["left"] < seen["structure"]
        one["points"] = seen["left"]
    elif shape.kind == "plane":
        one["damaged"] = seen["left"] < seen["structure"]
        one["points"] = seen["left"]
    elif shape.kind == "beast":
        one |= {"class": seen["class"], "points": seen["left"], "hidden": seen["hidden"]}
        one["pips"] = (28, 46, 64)[: {"dangerous": 1, "epic": 2, "legendary": 3}.get(seen["class"], 1)]
    else:
        one |= {"content": seen["content"], "hidden": seen["hidden"] and seen["found_by"] is None}
    return one


def _chips(stacks: list[list[int]], left: float, state: State) -> list[dict[str, int]]:
    """Return piles of chips from `left` on: a chip shows the soldiers' level, the pile grows with the number of chips."""
    piles = []
    for level, count in stacks:
        width = pile_width(count) * SCALE
        chips = count // state.setup.figures.army_chip_strength
        high = 1 if chips < 10 else 2 if chips < 50 else 3
        piles.append({"x": round(left + width / 2), "level": level, "count": count, "high": high})
        left += width
    return piles


def unit_words(shape: Shape, state: State, names: Names) -> str:
    """Return what a unit, beast or site is, and its figures."""
    seen = shape.attributes
    whose = {"id": seen["id"], "owner": owner_words(seen["owner"], names) if seen["owner"] else ""}
    said = []
    if shape.kind == "king":
        head = _("The King of %(owner)s") % whose
        said.append(_("level %(level)s") % {"level": seen["level"]})
    elif shape.kind == "general":
        head = _("The General’s piece of %(owner)s") % whose
        said.append(_("level %(level)s") % {"level": seen["level"]})
    elif shape.kind == "army":
        head = _("Army %(id)s of %(owner)s") % whose
        said.append(soldiers_words(dict(seen["stacks"]), state))
        said += [buff_words(id_, state) for id_ in seen["buffs"]]
    elif shape.kind in ("ship", "plane"):
        head = (_("Ship %(id)s of %(owner)s") if shape.kind == "ship" else _("Plane %(id)s of %(owner)s")) % whose
        said.append(structure_words(seen["left"], seen["structure"]))
        if seen.get("cargo"):
            said.append(_("carries %(stacks)s") % {"stacks": words.stacks(seen["cargo"])})
    elif shape.kind == "beast":
        head = words.beast(seen["id"], seen["class"], seen["name"])
        said.append(_("strength %(n)s left") % {"n": seen["left"]})
        figures = {"attack": seen["attack"], "defence": seen["defence"], "buff": seen["buff"]}
        said.append(_("attack %(attack)s, defence %(defence)s, buff +%(buff)s") % figures)
        if seen["hidden"]:
            said.append(_("hidden"))
    else:
        head = _("Site %(id)s") % whose
        said.append(word(words.CONTENTS, seen["content"]))
        if seen["found_by"]:
            said.append(_("found by %(who)s") % {"who": names.seat(seen["found_by"])})
        elif seen["hidden"]:
            said.append(_("hidden"))
    if seen.get("moved"):
        said.append(_("has moved"))
    return f"{head}: {', '.join(said)}"


def soldiers_words(stacks: Mapping[int, int], state: State) -> str:
    """Return soldiers by level, and how many chips that is where a chip stands for several."""
    strength = state.setup.figures.army_chip_strength
    said = words.stacks(stacks)
    if strength == 1:
        return said
    chips = sum(stacks.values()) // strength
    return f"{said} ({ngettext('%(n)s chip', '%(n)s chips', chips) % {'n': chips}})"


def buff_words(id_: str, state: State) -> str:
    """Return the buff that an army carries from a beast."""
    one = state.beasts.get(id_)
    return _("buff +%(n)s of %(beast)s") % {"n": one.buff if one is not None else "?", "beast": id_}


# What the last event changed ---------------------------------------------------------------------------------------


def _left_behind(state: State, last: Carried | None) -> list[Where]:
    """Return the fields that things left by the last event, which are drawn although nothing stands there any more."""
    if last is None or last.before is None:
        return []
    return [where for where in _gone(last.before, state).values() if where is not None and where[0] == "field"]


def _units_of(state: State) -> dict[str, tuple[Any, Where | None]]:
    """Return everything that can move or fall: what of it counts as a change, and where it is."""
    found: dict[str, tuple[Any, Where | None]] = {}
    for seat, kingdom in state.kingdoms.items():
        king, piece = kingdom.king, kingdom.general_piece
        if king.alive and king.at is not None:
            found[f"king:{seat}"] = (king.level, king.at.where)
        if piece is not None:
            found[f"general:{seat}"] = (piece.level, piece.at.where)
    found |= {id_: ((one.stacks, one.buffs), one.at.where) for id_, one in state.armies.items()}
    found |= {id_: ((one.damage, one.cargo), one.at.where) for id_, one in state.ships.items()}
    found |= {id_: (one.damage, one.at.where) for id_, one in state.planes.items()}
    found |= {
        id_: ((one.strength_left, one.hidden), one.at.where)
        for id_, one in state.beasts.items()
        if one.status == "alive"
    }
    found |= {id_: ((one.hidden, one.found_by), one.at.where) for id_, one in state.sites.items()}
    return found


def _gone(before: State, after: State) -> dict[str, Where | None]:
    """Return what is gone or has moved since a position, and where it was."""
    now = _units_of(after)
    return {id_: where for id_, (_what, where) in _units_of(before).items() if id_ not in now or now[id_][1] != where}


def _marks(state: State, last: Carried, shapes: Iterable[Shape], places: dict[Where, Point]) -> dict[str, Any]:
    """Return what the last event changed: rings around it, the ways of moves, who fell, the line and the figures of a battle."""
    before = last.before
    marks: dict[str, Any] = {"rings": [], "links": [], "trails": [], "fallen": [], "shots": [], "figures": []}
    if before is None:
        return marks
    drawn = {(shape.kind, shape.attributes["id"]): shape for shape in shapes if "id" in shape.attributes}
    by_id = {id_: shape for (_kind, id_), shape in drawn.items()}
    old, new = _units_of(before), _units_of(state)
    changed = {id_ for id_, what in new.items() if old.get(id_) != what}
    for id_, castle in state.works.castles.items():
        was = before.works.castles.get(id_)
        if was is None or _castle_figures(was) != _castle_figures(castle):
            changed.add(id_)
    for id_ in state.works.buildings:
        has_produced = id_ in state.produced and id_ not in before.produced
        if has_produced or _building_figures(before, id_) != _building_figures(state, id_):
            changed.add(id_)
    for seat, kingdom in state.kingdoms.items():
        if ("kingdom", seat) in drawn and kingdom.status != before.kingdoms[seat].status:
            marks["rings"].append(_ring(drawn[("kingdom", seat)]))
    marks["rings"] += [_ring(by_id[id_]) for id_ in sorted(changed) if id_ in by_id]
    marks["links"] = sorted(id_ for id_, link in state.works.links.items() if before.works.links.get(id_) != link)
    pacts = [id_ for id_, one in state.alliances.items() if before.alliances.get(id_) != one]
    marks["rings"] += [_ring(drawn[("alliance", id_)]) for id_ in pacts if ("alliance", id_) in drawn]
    for id_, where in _gone(before, state).items():
        if where not in places:
            continue
        x, y = _at(places[where])
        if id_ not in new:
            marks["fallen"].append({"x": x, "y": y + (0 if where[0] == "field" else 190)})
        elif id_ in by_id:
            x2, y2 = _at(by_id[id_].at)
            marks["trails"].append({"x1": x, "y1": y, "x2": x2, "y2": y2})
    _battle(marks, last, by_id, places)
    return marks


def _castle_figures(castle: Any) -> tuple[Any, ...]:
    return castle.kingdom, castle.level, castle.damage, castle.is_capital, castle.role


def _building_figures(state: State, id_: str) -> tuple[Any, ...] | None:
    one = state.works.buildings.get(id_)
    return None if one is None else (one.level, one.damage, derived.condition(state.works, state.setup, id_))


def _ring(shape: Shape) -> dict[str, int]:
    """Return the box around a thing."""
    x, y = _at(shape.at)
    if shape.kind == "castle":
        half, high = round(CORE * SCALE) + 14, round(CORE * SCALE) + 14
    elif shape.kind == "kingdom":
        half, high = round(shape.attributes["width"] * SCALE / 2) - 10, 52
    elif shape.kind == "alliance":
        half, high = 52, 52
    else:
        half, high = round(shape.attributes.get("width", 1.0) * SCALE / 2) + 8, 58 if shape.kind == "building" else 74
    return {"x": x - half, "y": y - high, "width": 2 * half, "height": 2 * high}


def _battle(marks: dict[str, Any], last: Carried, by_id: Mapping[str, Shape], places: Mapping[Where, Point]) -> None:
    data, before = last.event.data if last.event is not None else None, last.before
    if isinstance(data, events.AttackMade):
        attackers, target = data.attackers, data.target.id
    elif isinstance(data, events.SortieFlown):
        attackers, target = data.planes, data.target.id
    elif isinstance(data, events.BeastEngaged):
        attackers, target = data.attackers, data.beast
    else:
        return

    def point(id_: str) -> tuple[int, int] | None:
        if id_ in by_id:
            return _at(by_id[id_].at)
        at = before.place_of(id_)
        if id_ in before.beasts:
            at = before.beasts[id_].at
        return _at(places[at.where]) if at is not None and at.where in places else None

    aim, computed = point(target), last.step.computed or {}
    starts = [found for found in map(point, attackers) if found is not None]
    if aim is None or not starts:
        return
    marks["shots"] = [_line(start, aim) for start in dict.fromkeys(starts) if math.dist(start, aim) > SCALE]
    if "net" in computed:
        marks["figures"].append({"x": aim[0], "y": aim[1] - 66, "text": f"−{computed['net']}"})
        if computed.get("returned"):
            marks["figures"].append({"x": starts[0][0], "y": starts[0][1] - 66, "text": f"−{computed['returned']}"})


def _line(start: tuple[int, int], end: tuple[int, int]) -> dict[str, int]:
    (x1, y1), (x2, y2) = start, end
    cut = 55 / (math.dist(start, end) or 1)
    return {
        "x1": round(x1 + (x2 - x1) * cut),
        "y1": round(y1 + (y2 - y1) * cut),
        "x2": round(x2 - (x2 - x1) * cut),
        "y2": round(y2 - (y2 - y1) * cut),
    }


def legend() -> list[tuple[str, str]]:
    """Return what each kind of building is called, and the name of its shape."""
    return [(str(name), f"ks-{key}") for key, name in words.BUILDINGS.items()]


# In words ----------------------------------------------------------------------------------------------------------


def position(ruleset: Ruleset, state: State, names: Names) -> dict[str, Any]:
    """Return the position in words: tables of the Kingdoms, Castles, buildings, links, units, beasts, alliances and pressed steps."""
    shapes: dict[str, list[Shape]] = defaultdict(list)
    for shape in scene(state).shapes:
        shapes[shape.kind].append(shape)
    tables = [
        _kingdoms_table(state, names),
        _castles_table(state, shapes, names),
        {
            "title": _("Buildings"),
            "head": [_("Building"), _("Castle"), _("Owner"), _("Level"), _("State")],
            "rows": [_building_row(shape.attributes, state, names) for shape in shapes["building"]],
        },
        {
            "title": _("Roads and rails"),
            "head": [_("Link"), _("Owner"), _("From"), _("To"), _("Length"), _("State")],
            "rows": [_link_row(id_, state, names) for id_ in state.works.links],
        },
        {
            "title": _("Armies"),
            "head": [_("Army"), _("Owner"), _("Place"), _("Soldiers"), _("State")],
            "rows": [_army_row(id_, state, names) for id_ in state.armies],
        },
        {
            "title": _("Ships and planes"),
            "head": [_("Unit"), _("Owner"), _("Place"), _("State")],
            "rows": [_craft_row(shape, state, names) for kind in ("ship", "plane") for shape in shapes[kind]],
        },
        {
            "title": _("Beasts and sites"),
            "head": [_("What"), _("Place"), _("State")],
            "rows": [*(_beast_row(id_, state, names) for id_ in state.beasts), *(_site_row(id_, state, names) for id_ in state.sites)],
        },
        {
            "title": _("Terrain"),
            "head": [_("Field"), _("Kind")],
            "rows": [[one.label, word(words.TERRAINS, one.kind)] for one in state.terrain.values()],
        },
        {
            "title": _("Alliances"),
            "head": [_("Alliance"), _("Kingdoms"), _("State")],
            "rows": [
                [id_, names.some(list(one.kingdoms)), word(words.ALLIANCES, one.status)]
                for id_, one in state.alliances.items()
            ],
        },
        {
            "title": _("Order of pressure"),
            "head": [_("Attacker"), _("Castle"), _("Steps pressed")],
            "rows": _pressed_rows(state, names),
        },
    ]  # fmt: skip
    always = 3
    return {"tables": [table for at, table in enumerate(tables) if at < always or table["rows"]]}


def _kingdoms_table(state: State, names: Names) -> dict[str, Any]:
    rows = []
    for seat, kingdom in state.kingdoms.items():
        king, gathered = kingdom.king, kingdom.resources
        general = _("in office") if kingdom.general_person else "–"
        if kingdom.general_piece is not None:
            piece = {"level": kingdom.general_piece.level, "place": place_words(kingdom.general_piece.at, state)}
            general = _("piece of level %(level)s at %(place)s") % piece
        rows.append(
            [
                names.seat(seat),
                king.level if king.alive else "–",
                place_words(king.at, state),
                derived.action_points(state.works, state.setup, seat) if kingdom.status == "playing" else "–",
                _("%(wood)s wood, %(stone)s stone, %(food)s food")
                % {"wood": gathered.wood, "stone": gathered.stone, "food": gathered.food},
                general,
                ", ".join(kingdom.beasts_defeated) or "–",
                kingdom_words(state, seat),
            ]
        )
    head = [
        _("Kingdom"), _("King level"), _("King at"), _("AP a turn"), _("Resources"), _("General"), _("Beasts defeated"),
        _("Standing"),
    ]  # fmt: skip
    return {"title": _("Kingdoms"), "head": head, "rows": rows}


def _castles_table(state: State, shapes: Mapping[str, list[Shape]], names: Names) -> dict[str, Any]:
    rows = []
    for shape in shapes["castle"]:
        seen = shape.attributes
        one = state.works.castles[seen["id"]]
        kind = [_("Capital")] if one.is_capital else []
        if one.district_kind:
            parent = _castle_name(one.parent_castle or "", state)
            kind.append(
                _("%(kind)s of %(castle)s") % {"kind": words.district_kind(one.district_kind), "castle": parent}
            )
        if one.role:
            kind.append(word(words.ROLES, one.role))
        slots = f"{derived.slots_used(state.works, state.setup, seen['id'])}/{one.level}"
        rows.append(
            [
                _castle_name(seen["id"], state),
                owner_words(one.kingdom, names),
                one.level,
                ", ".join(kind) or "–",
                structure_words(seen["left"], seen["structure"]),
                slots if state.setup.figures.slots_enabled else "–",
                seen["fabric"],
                feet(radius_ft10(state, seen["id"])),
                "–" if one.parent_castle is not None else place_words(one.at, state),
            ]
        )
    head = [
        _("Castle"), _("Owner"), _("Level"), _("Kind"), _("Structure"), _("Slots used"), _("Fabric"), _("Territory"),
        _("Place"),
    ]  # fmt: skip
    return {"title": _("Castles"), "head": head, "rows": rows}


def _building_row(seen: Mapping[str, Any], state: State, names: Names) -> list[Any]:
    return [
        f"{words.building_kind(seen['kind'])} {seen['id']}",
        _castle_name(seen["castle"], state),
        owner_words(seen["owner"], names),
        seen["level"],
        building_words(seen),
    ]


def _link_row(id_: str, state: State, names: Names) -> list[Any]:
    link = state.works.links[id_]
    return [
        f"{words.link_kind(link.kind)} {id_}",
        owner_words(link.kingdom, names),
        end_words(link.a, state),
        end_words(link.b, state),
        feet(link.length_ft10),
        _("cut") if link.cut else _("whole"),
    ]


def _army_row(id_: str, state: State, names: Names) -> list[Any]:
    army = state.armies[id_]
    said = [buff_words(one, state) for one in army.buffs] + ([_("has moved")] if army.moved else [])
    return [
        _("Army %(id)s") % {"id": id_},
        owner_words(army.kingdom, names),
        place_words(army.at, state),
        soldiers_words(army.stacks, state),
        ", ".join(said),
    ]


def _craft_row(shape: Shape, state: State, names: Names) -> list[Any]:
    seen = shape.attributes
    said = [structure_words(seen["left"], seen["structure"])]
    if seen.get("cargo"):
        said.append(_("carries %(stacks)s") % {"stacks": words.stacks(seen["cargo"])})
    if seen["moved"]:
        said.append(_("has moved"))
    name = _("Ship %(id)s") if shape.kind == "ship" else _("Plane %(id)s")
    at = state.place_of(seen["id"])
    return [name % {"id": seen["id"]}, owner_words(seen["owner"], names), place_words(at, state), ", ".join(said)]


def _beast_row(id_: str, state: State, names: Names) -> list[Any]:
    one = state.beasts[id_]
    if one.status == "defeated":
        said = _("defeated by %(who)s") % {"who": names.seat(one.defeated_by)}
    else:
        figures = {"attack": one.attack, "defence": one.defence, "buff": one.buff}
        said = _("strength %(n)s left") % {"n": one.strength_left} + ", "
        said += _("attack %(attack)s, defence %(defence)s, buff +%(buff)s") % figures
        if one.hidden:
            said += ", " + _("hidden")
    return [words.beast(id_, one.cls, one.name), place_words(one.at, state), said]


def _site_row(id_: str, state: State, names: Names) -> list[Any]:
    one = state.sites[id_]
    said = word(words.CONTENTS, one.content)
    if one.found_by:
        said += ", " + _("found by %(who)s") % {"who": names.seat(one.found_by)}
    elif one.hidden:
        said += ", " + _("hidden")
    return [_("Site %(id)s") % {"id": id_}, place_words(one.at, state), said]


def _pressed_rows(state: State, names: Names) -> list[list[Any]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    order = list(words.STEPS)
    for text in sorted(state.pressed, key=lambda one: order.index(one.rsplit("/", 1)[-1])):
        seat, castle, step = text.split("/")
        found[(seat, castle)].append(word(words.STEPS, step))
    return [
        [names.seat(seat), _castle_name(castle, state), ", ".join(steps)]
        for (seat, castle), steps in sorted(found.items())
    ]
