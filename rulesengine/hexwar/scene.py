"""A position as shapes: hexes, seats of regions, buildings and units, in drawing order."""

from __future__ import annotations

import math

from rulesengine.game import Scene, Shape
from rulesengine.hexwar.checks import owner_of
from rulesengine.hexwar.hexes import centre
from rulesengine.hexwar.state import State

HALF_WIDTH = math.sqrt(3) / 2


def scene(state: State) -> Scene:
    """Return the position to draw, in units of the distance from a hex's centre to its corner, hexes pointy-top."""
    setup, board = state.setup, state.setup.board
    shapes = []
    for hex_, terrain in board.terrain.items():
        region = board.region[hex_]
        owner = state.regions[region].owner if region is not None else None
        attributes = {"q": hex_[0], "r": hex_[1], "terrain": terrain, "region": region, "owner": owner}
        shapes.append(Shape("hex", centre(hex_), attributes))
    for id_, one in state.regions.items():
        attributes = {"id": id_, "owner": one.owner, "hex": list(one.seat)}
        shapes.append(Shape("region", centre(one.seat), attributes))
    for id_, building in state.buildings.items():
        site = (
            None
            if building.site is None
            else {"builder": building.site.builder, "turns_left": building.site.turns_left}
        )
        shapes.append(
            Shape(
                "building",
                centre(building.hex),
                {
                    "id": id_,
                    "kind": building.kind,
                    "tier": building.tier,
                    "is_seat": bool(building.is_seat),
                    "region": building.region,
                    "owner": owner_of(state, building),
                    "site": site,
                    "acted": building.action_turn == state.turn_no,
                    "hex": list(building.hex),
                },
            )
        )
    for id_, unit in state.units.items():
        kind = setup.tables.units[unit.type]
        shapes.append(
            Shape(
                "unit",
                centre(unit.hex),
                {
                    "id": id_,
                    "type": unit.type,
                    "class": kind.cls,
                    "owner": unit.owner,
                    "hp": unit.hp,
                    "full_hp": kind.hp,
                    "movement": unit.movement,
                    "acted": unit.acted,
                    "attacked": unit.attacked,
                    "new": unit.new,
                    "fortified": unit.fortified,
                    "penalty": unit.penalty,
                    "hex": list(unit.hex),
                },
            )
        )
    centres = [centre(hex_) for hex_ in board.terrain]
    left, top = min(x for x, _ in centres) - HALF_WIDTH, min(y for _, y in centres) - 1
    width = max(x for x, _ in centres) + HALF_WIDTH - left
    height = max(y for _, y in centres) + 1 - top
    return Scene((left, top, width, height), tuple(shapes))
