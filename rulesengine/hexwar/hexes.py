"""Hexes in axial coordinates ``(q, r)``, pointy-top: `q` grows to the east, `r` to the south-east."""

from __future__ import annotations

import math

type Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""East, north-east, north-west, west, south-west, south-east: the order wherever an order is needed."""


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """Return the six hexes around a hex, in the order of :data:`DIRECTIONS`."""
    q, r = hex_
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def distance(one: Hex, other: Hex) -> int:
    """Return the number of steps between two hexes."""
    dq, dr = one[0] - other[0], one[1] - other[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def centre(hex_: Hex) -> tuple[float, float]:
    """Return where the centre of a hex is drawn, in units of the distance from its centre to a corner."""
    q, r = hex_
    return (math.sqrt(3) * (q + r / 2), 1.5 * r)


def shown(hex_: Hex) -> str:
    """Return a hex as sentences write it, ``[q, r]``."""
    return f"[{hex_[0]}, {hex_[1]}]"
