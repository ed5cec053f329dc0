"""Robber Knights drawn: the map of tiles with the knights on them, what everybody holds, and what the last event changed.

Nothing is told by colour alone: terrain and buildings have their marks, whose a tile or a knight is says its letter and the shape
behind it, whoever holds a tile draws its edge in the stroke of the seat. Lengths are hundredths of a tile's edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.words import Names
from matches.words import robberknights as words
from rulesengine.game import Carried, Ruleset, Shape
from rulesengine.robberknights import events
from rulesengine.robberknights.scene import scene
from rulesengine.robberknights.state import VOID, Slot, State, Xy, placements, points
from rulesengine.robberknights.tables import OWNED, PILE, TILES, VALUE

SCALE = 100
FITS = 8.2  # tiles across that a phone still shows legibly; a wider map scrolls there
PIXELS = 46  # a tile of a map that scrolls
PAD = 0.08
TOKENS = 4  # knights of a pile that are drawn one by one
PITCH = 20  # from a knight to the next above


def board(ruleset: Ruleset, state: State, names: Names, last: Carried | None) -> dict[str, Any]:
    """Return what the template draws: free cells, tiles with their knights, the walls of the window, the players, the marks of the last event."""
    drawn = scene(state)
    window = drawn.shapes[0].attributes
    left, top, width, height = drawn.box
    view = [round(value * SCALE) for value in (left - PAD, top - PAD, width + 2 * PAD, height + 2 * PAD)]
    before = last.before if last is not None else None
    return {
        "box": " ".join(map(str, view)),
        "wide": width > FITS,
        "pixels": round(width * PIXELS),
        "tiles": [_tile(shape, names, before) for shape in drawn.shapes if shape.kind == "tile"],
        "plots": [_plot(shape) for shape in drawn.shapes if shape.kind == "plot"],
        "walls": _walls(window, drawn.box),
        "area": area_words(window),
        "players": [_player(seat, state, names, before) for seat in state.players],
        "last": _marks(state, last) if last is not None else None,
    }


def area_words(window: dict[str, Any]) -> str:
    """Return how much of the window the tiles take: columns and rows, and whether more may be added."""
    if not window["columns"]:
        return _("No tile lies yet; all tiles may take %(limit)s columns and %(limit)s rows.") % window
    said = [
        _("all %(columns)s columns taken") % window
        if window["closed_across"]
        else _("%(columns)s of %(limit)s columns taken") % window,
        _("all %(rows)s rows taken") % window
        if window["closed_down"]
        else _("%(rows)s of %(limit)s rows taken") % window,
    ]
    return ", ".join(said)


# Shapes for the template -------------------------------------------------------------------------------------------


def _at(xy: Sequence[float]) -> tuple[int, int]:
    return round(xy[0] * SCALE), round(xy[1] * SCALE)


def seat_class(letter: str) -> str:
    """Return the class of a seat's colour and shape."""
    return letter.lower()


def _face(id_: str, letter: str) -> dict[str, Any]:
    """Return what is drawn of the face of a tile."""
    face = TILES[id_]
    building = "" if face.building == "none" else face.building
    return {"terrain": face.terrain, "building": building, "owner": seat_class(letter), "letter": letter, "id": id_}


def _tile(shape: Shape, names: Names, before: State | None) -> dict[str, Any]:
    seen = shape.attributes
    x, y = _at(shape.at)
    old = before.board.get(tuple(seen["cell"])) if before is not None else None
    known = len(old.stack) if old is not None else 0
    return {
        **_face(seen["id"], seen["owner"]),
        "x": x,
        "y": y,
        "control": seat_class(seen["control"]) if seen["control"] else "",
        "sends": seen["sends"],
        "stack": _pile(seen["stack"], x, y, known if before is not None else len(seen["stack"])),
        "title": tile_title(seen, names),
    }


def tile_title(seen: dict[str, Any], names: Names) -> str:
    """Return a tile of the board in words: where, what, whose, who stands on it and who holds it."""
    first = _("%(cell)s: %(tile)s of %(who)s") % {
        "cell": words.cell(*seen["cell"]),
        "tile": words.tile(seen["id"]),
        "who": names.seat(seen["owner"]),
    }
    lines = [first]
    if seen["stack"]:
        lines.append(_("knights from bottom to top: %(seats)s") % {"seats": words.stack(seen["stack"])})
        held = {"who": names.seat(seen["control"]), "points": words.points(seen["value"])}
        lines.append(_("held by %(who)s: %(points)s") % held)
    if seen["sends"]:
        lines.append(_("knights may leave this castle now"))
    return "\n".join(lines)


def _pile(stack: Sequence[str], x: int, y: int, known: int) -> list[dict[str, Any]]:
    """Return the knights of a tile from bottom to top. Where there are more than are drawn one by one, equal neighbours are one with their number."""
    tokens: list[tuple[str, int, bool]] = [(seat, 1, at >= known) for at, seat in enumerate(stack)]
    if len(tokens) > TOKENS:
        runs = [(seat, list(group)) for seat, group in groupby(tokens, key=lambda token: token[0])]
        tokens = [(seat, len(group), any(new for _seat, _one, new in group)) for seat, group in runs]
    pitch = PITCH if len(tokens) <= TOKENS else PITCH * (TOKENS - 1) / (len(tokens) - 1)
    drawn = []
    for at, (seat, count, is_new) in enumerate(tokens):
        is_top = at == len(tokens) - 1
        drawn.append(
            {
                "x": x + 28,
                "y": round(y + 31 - pitch * at, 1),
                "css": seat_class(seat),
                "letter": seat,
                "count": count,
                "is_top": is_top,
                "is_new": is_new,
                "scale": 0.34 if is_top else 0.3,
            }
        )
    return drawn


def _plot(shape: Shape) -> dict[str, Any]:
    x, y = _at(shape.at)
    return {"x": x - 38, "y": y - 38, "title": _("%(cell)s: free") % {"cell": words.cell(*shape.attributes["cell"])}}


def _walls(window: dict[str, Any], box: tuple[float, float, float, float]) -> list[str]:
    """Return the sides on which no more columns or rows may be added."""
    left, top, right, bottom = window["box"]
    west, north, east, south = (
        round(value * SCALE) for value in (left - 0.55, top - 0.55, right + 0.55, bottom + 0.55)
    )
    (start_x, end_x), (start_y, end_y) = (west, east), (north, south)
    if not window["closed_across"]:
        start_x, end_x = round(box[0] * SCALE), round((box[0] + box[2]) * SCALE)
    if not window["closed_down"]:
        start_y, end_y = round(box[1] * SCALE), round((box[1] + box[3]) * SCALE)
    walls = []
    if window["closed_across"]:
        walls += [f"M{x} {start_y}V{end_y}" for x in (west, east)]
    if window["closed_down"]:
        walls += [f"M{start_x} {y}H{end_x}" for y in (north, south)]
    return walls


def _player(seat: str, state: State, names: Names, before: State | None) -> dict[str, Any]:
    one = state.players[seat]
    old = before.players.get(seat) if before is not None else None
    mine, was = points(state)[seat], points(before)[seat] if before is not None else None
    known = list(old.hand) if old is not None else list(one.hand)
    hand = []
    for slot in one.hand:
        is_new = slot not in known
        if not is_new:
            known.remove(slot)
        hand.append(_in_hand(slot, seat, is_new))
    return {
        "letter": seat,
        "css": seat_class(seat),
        "name": names.seat(seat),
        "acts": seat == state.current,
        "is_out": seat in state.resigned,
        "standing": standing_words(state, seat),
        "points": mine,
        "points_word": ngettext("point", "points", mine),
        "score_changed": was is not None and was != mine,
        "score_title": score_words(state, seat),
        "supply": one.supply,
        "supply_words": _("%(knights)s left") % {"knights": words.knights(one.supply)},
        "supply_changed": old is not None and old.supply != one.supply,
        "hand": hand,
        "piles": [
            {
                "letter": letter,
                "count": count,
                "title": pile_words(letter, count),
                "is_changed": old is not None and old.pile[at] != count,
            }
            for at, (letter, count) in enumerate(zip(PILE, one.pile, strict=True))
        ],
    }


def _in_hand(slot: Slot, seat: str, is_new: bool) -> dict[str, Any]:
    """Return a tile of a hand: its face where that is known, else its back."""
    if slot.tile is None:
        return {"face": False, "back": slot.letter, "title": slot_words(slot), "is_new": is_new, "terrain": ""}
    return {**_face(slot.tile, seat), "face": True, "title": slot_words(slot), "is_new": is_new}


def slot_words(slot: Slot) -> str:
    """Return a tile of a hand in words, as far as it is known."""
    if slot.tile is None:
        return _("in hand: a tile of letter %(letter)s, face down") % {"letter": slot.letter}
    return _("in hand: %(tile)s") % {"tile": words.tile(slot.tile)}


def pile_words(letter: str, count: int) -> str:
    """Return how many tiles of a letter are left in a pile."""
    return _("pile: %(tiles)s of letter %(letter)s") % {"tiles": words.tiles(count), "letter": letter}


def held(state: State, seat: str) -> dict[str, int]:
    """Return how many buildings of each kind a seat controls."""
    counted = {building: 0 for building in VALUE if building != "none"}
    for cell in state.board.values():
        building = OWNED[cell.tile].building
        if cell.control == seat and building in counted:
            counted[building] += 1
    return counted


def score_words(state: State, seat: str) -> str:
    """Return what a seat's points are made of."""
    counted = held(state, seat)
    return _("castles %(castle)s × 1, villages %(village)s × 2, towns %(town)s × 3") % counted


def standing_words(state: State, seat: str) -> str:
    """Return how a player stands: to act, resigned, or the place at the end."""
    place = dict(placements(state)).get(seat)
    said = [_("place %(place)s") % {"place": place}] if place else []
    if seat in state.resigned:
        said.append(_("resigned"))
    if seat == state.current:
        said.append(_("to act"))
    return ", ".join(said)


def _marks(state: State, last: Carried) -> dict[str, Any]:
    """Return what the last event changed: frames around tiles laid and piles that grew, the way of the knights, and how many stayed where."""
    before: State | None = last.before
    marks: dict[str, Any] = {"rings": [], "trails": [], "figures": []}
    if before is None:
        return marks
    changed = [xy for xy, cell in state.board.items() if before.board.get(xy) != cell]
    marks["rings"] = [{"x": x - 48, "y": y - 48} for x, y in map(_at, sorted(changed))]
    data = last.event.data if last.event is not None else None
    if isinstance(data, events.KnightsDeployed):
        way: list[Xy] = [(left.x, left.y) for left in data.path]
        if len(way) > 1:
            marks["trails"] = [_way(way)]
        left: dict[Xy, int] = {}
        for one in data.path:
            left[(one.x, one.y)] = left.get((one.x, one.y), 0) + one.leave
        marks["figures"] = [
            {"x": x - 16, "y": y + 42, "text": f"+{count}"}
            for (x, y), count in ((_at(xy), n) for xy, n in left.items())
        ]
    return marks


def _way(cells: Iterable[Xy]) -> str:
    return " ".join(f"{x - 14},{y + 8}" for x, y in map(_at, cells))


def legend() -> list[tuple[str, str, bool]]:
    """Return what each terrain and building is called, its name on the board, and whether it is a terrain."""
    terrains = [(str(name), key, True) for key, name in words.TERRAINS.items()]
    return terrains + [(str(name), key, False) for key, name in words.BUILDINGS.items()]


# In words ----------------------------------------------------------------------------------------------------------


def position(ruleset: Ruleset, state: State, names: Names) -> dict[str, Any]:
    """Return the position in words: a table of the players, one of the tiles on the board, one of the window."""
    shapes = scene(state).shapes
    head = [
        _("Player"), _("Points"), _("Castles"), _("Villages"), _("Towns"), _("Knights left"), _("Hand"), _("Pile"),
        _("Not on the board"), _("Standing"),
    ]  # fmt: skip
    tables = [
        {"title": _("Players"), "head": head, "rows": [_player_row(seat, state, names) for seat in state.players]},
        {
            "title": _("Tiles on the board"),
            "head": [_("Cell"), _("Tile"), _("Owner"), _("Knights, bottom to top"), _("Held by"), _("Value")],
            "rows": [_tile_row(shape, names) for shape in shapes if shape.kind == "tile"],
        },
        {
            "title": _("The area of all tiles"),
            "head": [_("Direction"), _("Taken"), _("At most")],
            "rows": [
                [_("columns"), shapes[0].attributes["columns"], shapes[0].attributes["limit"]],
                [_("rows"), shapes[0].attributes["rows"], shapes[0].attributes["limit"]],
            ],
        },
    ]
    if state.step == "over" and state.ended_by in VOID:
        tables.append({"title": _("End"), "head": [_("Why")], "rows": [[words.word(words.REASONS, state.ended_by)]]})
    return {"tables": tables}


def _player_row(seat: str, state: State, names: Names) -> list[Any]:
    one = state.players[seat]
    counted = held(state, seat)
    hand = [words.tile(slot.tile) if slot.tile is not None else _("%(letter)s, face down") % {"letter": slot.letter} for slot in one.hand]  # fmt: skip
    pile = [f"{letter}×{count}" for letter, count in zip(PILE, one.pile, strict=True) if count]
    return [
        names.seat(seat),
        points(state)[seat],
        counted["castle"],
        counted["village"],
        counted["town"],
        one.supply,
        ", ".join(hand) or "–",
        " ".join(pile) or "–",
        " ".join(one.unplaced) or "–",
        standing_words(state, seat),
    ]


def _tile_row(shape: Shape, names: Names) -> list[Any]:
    seen = shape.attributes
    return [
        words.cell(*seen["cell"]),
        words.tile(seen["id"]),
        names.seat(seen["owner"]),
        words.stack(seen["stack"]) or "–",
        names.seat(seen["control"]) if seen["control"] else "–",
        seen["value"],
    ]
