"""What players decide and what chance gives: the recorded events of Robber Knights. Their names stand in the log for ever."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType, field

from rulesengine.game import Payload
from rulesengine.shared import SeatPlace

type Natural = Annotated[int, Meta(ge=0)]


class MatchStarted(Payload, frozen=True):
    """Scribe or mapmaster: play begins, with this seat if one is named."""

    TYPE: ClassVar[str] = "match_started"
    SEATED: ClassVar[bool] = False
    start_seat: str | UnsetType = UNSET


class HandChosen(Payload, frozen=True):
    """A player took this tile into the hand, beside the castle."""

    TYPE: ClassVar[str] = "hand_chosen"
    tile: str


class LaidTile(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A tile of the starting layout, written with its owner, and where it lies."""

    x: int
    y: int
    tile: str


class LayoutLaid(Payload, frozen=True):
    """The remaining A tiles were mixed and laid."""

    TYPE: ClassVar[str] = "layout_laid"
    SEATED: ClassVar[bool] = False
    cells: tuple[LaidTile, ...]


class TilePlaced(Payload, frozen=True):
    """A player placed one of their tiles."""

    TYPE: ClassVar[str] = "tile_placed"
    tile: str
    x: int
    y: int


class Left(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One cell of a path and how many knights were left there."""

    x: int
    y: int
    leave: Natural


class KnightsDeployed(Payload, frozen=True):
    """Knights went out of the castle just placed; the first cell of the path is the castle."""

    TYPE: ClassVar[str] = "knights_deployed"
    path: Annotated[tuple[Left, ...], Meta(min_length=1)]


class KnightsDeclined(Payload, frozen=True):
    """No knights went out of the castle just placed."""

    TYPE: ClassVar[str] = "knights_declined"


class TileDrawn(Payload, frozen=True):
    """A player drew a tile with this letter on its back; `tile` is its face in a match of open draws, else None."""

    TYPE: ClassVar[str] = "tile_drawn"
    letter: str
    tile: str | None = None


class TurnEnded(Payload, frozen=True):
    """The player at turn was done."""

    TYPE: ClassVar[str] = "turn_ended"


class TurnPassed(Payload, frozen=True):
    """The player at turn did nothing in this turn."""

    TYPE: ClassVar[str] = "turn_passed"


class MatchEnded(Payload, frozen=True):
    """Scribe or mapmaster: the match is over. Placements, if given, are compared with the computed ones."""

    TYPE: ClassVar[str] = "match_ended"
    SEATED: ClassVar[bool] = False
    given: tuple[SeatPlace, ...] | UnsetType = field(name="placements", default=UNSET)

    @property
    def placements(self) -> tuple[SeatPlace, ...] | None:
        """Return the placements given, None if none are."""
        return None if isinstance(self.given, UnsetType) else self.given


class PlacementsConfirmed(Payload, frozen=True):
    """Referee, mapmaster or organizer, or by all signatures: the result is final."""

    TYPE: ClassVar[str] = "placements_confirmed"
    SEATED: ClassVar[bool] = False


OWN: tuple[type[Payload], ...] = (
    MatchStarted,
    HandChosen,
    LayoutLaid,
    TilePlaced,
    KnightsDeployed,
    KnightsDeclined,
    TileDrawn,
    TurnEnded,
    TurnPassed,
    MatchEnded,
    PlacementsConfirmed,
)
"""Every payload of the game's own."""
