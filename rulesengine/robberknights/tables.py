"""The tables of the edition as data: terrain, buildings, the 24 tiles of every player, what the number of players fixes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

LETTERS = "ABCDE"
PILE = "BCDE"
"""The letters of the draw pile, from the top to the bottom."""
SEATS = "ABCD"
MAX_SEATS = 4
CASTLE = "A1"
"""The tile that everybody takes into the hand."""
CHOICES = ("A2", "A3", "A4")
"""The tiles of which everybody chooses one more."""
HAND = 2
EDGES = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The four directions in which tiles share an edge."""

TERRAIN: dict[str, int | None] = {"plain": 1, "forest": 2, "mountain": 3, "lake": None}
"""Knights that must be left when a terrain is entered; None where none ever enters."""
VALUE: dict[str, int] = {"castle": 1, "village": 2, "town": 3, "none": 0}
"""Points of a building at the end."""
LAYOUT: dict[int, tuple[int, int]] = {2: (2, 2), 3: (3, 2), 4: (4, 2)}
"""Columns and rows of the starting layout by number of players; it may be turned by 90°."""
GRID: dict[str, int] = {"2": 7, "3": 9, "4": 10}
"""By number of players, how many columns and rows all tiles may span."""

_FACES: dict[str, tuple[str, str]] = {
    "A1": ("plain", "castle"),
    "A2": ("plain", "none"),
    "A3": ("plain", "village"),
    "A4": ("mountain", "none"),
    "B1": ("lake", "none"),
    "B2": ("plain", "castle"),
    "B3": ("plain", "village"),
    "B4": ("forest", "village"),
    "B5": ("plain", "town"),
    "C1": ("forest", "town"),
    "C2": ("plain", "none"),
    "C3": ("plain", "castle"),
    "C4": ("plain", "village"),
    "C5": ("forest", "castle"),
    "D1": ("plain", "castle"),
    "D2": ("mountain", "none"),
    "D3": ("forest", "village"),
    "D4": ("plain", "castle"),
    "D5": ("plain", "town"),
    "E1": ("plain", "castle"),
    "E2": ("forest", "village"),
    "E3": ("plain", "town"),
    "E4": ("forest", "castle"),
    "E5": ("plain", "none"),
}


class Tile(Struct, frozen=True, gc=False):
    """A tile: its letter, what is on its face, how many knights entering needs (None: never) and what it is worth."""

    id: str
    letter: str
    terrain: str
    building: str
    minimum: int | None
    value: int


TILES: dict[str, Tile] = {
    id_: Tile(id_, id_[0], terrain, building, TERRAIN[terrain], VALUE[building])
    for id_, (terrain, building) in _FACES.items()
}
"""The tiles of every player by id, sorted."""
OWNED: dict[str, Tile] = {f"{seat}:{id_}": tile for seat in SEATS for id_, tile in TILES.items()}
"""The faces of all tiles as they are written on the board, with their owner: ``B:B4``."""

TABLES: dict[str, list[dict[str, Any]]] = {
    "terrain": [{"terrain": terrain, "knights": minimum} for terrain, minimum in TERRAIN.items()],
    "buildings": [{"building": building, "value": value} for building, value in VALUE.items()],
    "tiles": [
        {"id": one.id, "letter": one.letter, "terrain": one.terrain, "building": one.building} for one in TILES.values()
    ],
    "players": [
        {
            "players": players,
            "columns": columns,
            "rows": rows,
            "grid": GRID[str(players)],
            "tiles": players * len(TILES),
        }
        for players, (columns, rows) in LAYOUT.items()
    ],
}
"""The tables as the Codex shows them."""
