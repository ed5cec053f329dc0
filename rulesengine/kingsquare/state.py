"""The state of a match and the set-up it was played under (3.1 and 8.7 of the rule page).

A state is frozen and its mappings are copied before they change, so a state handed out stays as it was. Castles, buildings and
links are held together as :class:`Works`, which stays the same object while none of them changes: whatever is worked out from
them (connection, fabric, unlocks) is worked out once a change and not once an event.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from rulesengine.kingsquare.figures import Figures
from rulesengine.kingsquare.options import Options

OFFICIAL = "official"
"""The owner of what the MapMaster's pieces stand in for."""

type Status = Literal["setup", "running", "paused", "ended", "confirmed", "abandoned", "annulled"]
type Phase = Literal["produce", "move", "act"]
type Stacks = dict[int, int]
"""Soldiers by their level, the lowest level first."""


class Setup(Struct, frozen=True, dict=True):
    """What the header says of a match: seats in turn order, the figures in force and the options. Shared by all its states."""

    seats: tuple[str, ...]
    edition: str
    figures: Figures
    options: Options
    king_levels: dict[str, int]
    generals: dict[str, str | None]
    """Who is General from the start: the handle, or the name of somebody without one."""
    kings: dict[str, str]
    """Who is King: the handle, or the name of somebody without one."""
    mapmaster: bool = False
    tournament: bool = False

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the place of each seat in the turn order, from 0."""
        return {seat: at for at, seat in enumerate(self.seats)}


type _Label = Annotated[str, Meta(min_length=1)] | None
type _Feet = Annotated[int, Meta(ge=0)] | None


class Place(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Where something is: in a Castle's Territory or on a named field. Coordinates (tenths of a foot) are for pictures alone."""

    castle: _Label = None
    field: _Label = None
    x_ft10: _Feet = None
    y_ft10: _Feet = None

    def __post_init__(self) -> None:
        if (self.castle is None) == (self.field is None):
            raise ValueError('a place is either {"castle": id} or {"field": label}')

    @property
    def where(self) -> tuple[str, str]:
        """Return what two things at the same place have in common."""
        return ("castle", self.castle) if self.castle is not None else ("field", self.field or "")

    def view(self) -> dict[str, Any]:
        """Return the place as recorded."""
        plain: dict[str, Any] = {"castle": self.castle} if self.castle is not None else {"field": self.field}
        if self.x_ft10 is not None:
            plain["x_ft10"] = self.x_ft10
        if self.y_ft10 is not None:
            plain["y_ft10"] = self.y_ft10
        return plain


class King(Struct, frozen=True, gc=False):
    """A Kingdom's leader piece."""

    level: int = 1
    at: Place | None = None
    alive: bool = True
    moved: bool = False


class GeneralPiece(Struct, frozen=True, gc=False):
    """The marker piece of KS-V1 to KS-V4."""

    level: int
    at: Place


class Resources(Struct, frozen=True, gc=False):
    """What a Kingdom has gathered; nothing costs it."""

    wood: int = 0
    stone: int = 0
    food: int = 0


class Kingdom(Struct, frozen=True, gc=False):
    """One seat: everything its King owns that is not a piece on the table."""

    status: Literal["playing", "eliminated"] = "playing"
    eliminated_seq: int | None = None
    eliminated_cause: str | None = None
    general_person: str | None = None
    general_blocked: bool = False
    general_piece: GeneralPiece | None = None
    resources: Resources = Resources()
    beasts_defeated: tuple[str, ...] = ()
    ap_loss: int = 0
    turn_loss: int = 0
    king: King = King()


class Castle(Struct, frozen=True, gc=False):
    """A Castle, and with it a Territory. `kingdom` is a seat or :data:`OFFICIAL`."""

    kingdom: str
    founder: str
    name: str | None = None
    level: int = 1
    is_capital: bool = False
    role: str | None = None
    parent_castle: str | None = None
    district_kind: str | None = None
    damage: int = 0
    at: Place | None = None
    founded_seq: int = 0


class Building(Struct, frozen=True, gc=False):
    """A building of a Castle. Whether it has produced this turn stands in :attr:`State.produced`."""

    kind: str
    castle: str
    level: int = 1
    damage: int = 0
    direct: bool = False
    built_seq: int = 0


class Link(Struct, frozen=True, gc=False):
    """A road, improved road, bridge or rail between two ends: Castles, buildings or junctions."""

    kingdom: str
    kind: str
    a: str
    b: str
    length_ft10: int
    cut: bool = False


class Army(Struct, frozen=True, gc=False):
    """A body of soldiers at one place."""

    kingdom: str
    stacks: Stacks
    at: Place
    moved: bool = False
    buffs: tuple[str, ...] = ()
    created_seq: int = 0

    @property
    def soldiers(self) -> int:
        """Return how many there are."""
        return sum(self.stacks.values())


class Ship(Struct, frozen=True, gc=False):
    """A ship with its cargo of soldiers."""

    kingdom: str
    harbor: str
    at: Place
    damage: int = 0
    cargo: Stacks = {}
    moved: bool = False
    built_seq: int = 0


class Plane(Struct, frozen=True, gc=False):
    """A plane of a Hangar."""

    kingdom: str
    hangar: str
    at: Place
    damage: int = 0
    moved: bool = False
    built_seq: int = 0


class Beast(Struct, frozen=True, gc=False):
    """A creature of the battlefield."""

    cls: str
    name: str | None
    strength_left: int
    attack: int
    defence: int
    buff: int
    at: Place
    hidden: bool = False
    status: Literal["alive", "defeated"] = "alive"
    defeated_by: str | None = None
    fighters: tuple[str, ...] = ()
    """The armies of the last battle with it."""
    wounds: dict[str, int] = {}
    """What each Kingdom took from it: for the option ``beast.credit`` alone, not shown."""


class Site(Struct, frozen=True, gc=False):
    """A place with something to discover."""

    at: Place
    content: str
    hidden: bool = True
    found_by: str | None = None


class Terrain(Struct, frozen=True, gc=False):
    """What a field is made of; the label is that of the field."""

    kind: str
    label: str


class Alliance(Struct, frozen=True, gc=False):
    """An agreement of two Kingdoms: [from, to]."""

    kingdoms: tuple[str, str]
    status: Literal["proposed", "active", "ending", "ended"] = "proposed"
    from_seq: int | None = None
    to_seq: int | None = None
    ended_by: str | None = None


class Works(Struct, frozen=True, dict=True):
    """Castles, buildings and links: what stands on the table. `pacts` are the pairs of Kingdoms allied at present."""

    setup: Setup
    castles: dict[str, Castle]
    buildings: dict[str, Building]
    links: dict[str, Link]
    pacts: frozenset[frozenset[str]] = frozenset()

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """Return where derived values of exactly these works are kept once worked out."""
        return {}


class State(Struct, frozen=True, gc=False):
    """A match after some event."""

    setup: Setup
    works: Works
    kingdoms: dict[str, Kingdom]
    turn_order: tuple[str, ...]
    status: Status = "setup"
    phase: Phase | None = None
    turn_kingdom: str | None = None
    round: int = 0
    ap_total: int = 0
    ap_spent: int = 0
    time_called: bool = False
    disputes: dict[int, int | None] = {}
    """Open disputes: their seq and what they are about."""
    pressed: frozenset[str] = frozenset()
    """Steps of the order of pressure as ``A/C2/infrastructure``: attacker, Castle, step."""
    produced: frozenset[str] = frozenset()
    """Buildings that have produced or were waived this turn."""
    armies: dict[str, Army] = {}
    ships: dict[str, Ship] = {}
    planes: dict[str, Plane] = {}
    beasts: dict[str, Beast] = {}
    sites: dict[str, Site] = {}
    terrain: dict[str, Terrain] = {}
    alliances: dict[str, Alliance] = {}
    # What the view does not show: memory that checks and scores need.
    taken: frozenset[str] = frozenset()
    """Every id ever used, junction labels included."""
    junctions: frozenset[str] = frozenset()
    forwarded: dict[str, int] = {}
    """How often each unit was forwarded this turn."""
    attacked: dict[str, int] = {}
    """How often each unit attacked this turn."""
    acted_on: dict[str, int] = {}
    """How many actions each thing had this turn (KSH-10)."""
    travelled: dict[str, int] = {}
    """Units that left from or came to each Trainyard this turn (KSH-29)."""
    saved_ap: dict[str, int] = {}
    """Action Points kept for the next Act phase (KSH-07)."""
    built_now: frozenset[str] = frozenset()
    """What was built in the present turn (KSH-11)."""
    battles: dict[int, tuple[int, int]] = {}
    """By the seq of each battle, how much either side could do: the bounds of a referee's outcome."""
    turns_of_round: int = 0
    """How many turns of this round have ended: 0 while its first turn is on."""
    cause: str | None = None
    """Why the match ended."""
    result: dict[str, Any] | None = None
    """The `result` object of a report, fixed at the end."""
    places: tuple[tuple[str, int], ...] = ()
    """Seat and place, fixed at the end."""

    def with_works(
        self,
        castles: dict[str, Castle] | None = None,
        buildings: dict[str, Building] | None = None,
        links: dict[str, Link] | None = None,
        pacts: frozenset[frozenset[str]] | None = None,
    ) -> State:
        """Return the state with some of the works replaced."""
        now = self.works
        works = Works(
            self.setup,
            now.castles if castles is None else castles,
            now.buildings if buildings is None else buildings,
            now.links if links is None else links,
            now.pacts if pacts is None else pacts,
        )
        return replace(self, works=works)

    def with_kingdom(self, seat: str, **changes: Any) -> State:
        """Return the state with some attributes of one Kingdom replaced."""
        return replace(self, kingdoms={**self.kingdoms, seat: replace(self.kingdoms[seat], **changes)})

    def with_king(self, seat: str, **changes: Any) -> State:
        """Return the state with some attributes of one King replaced."""
        return self.with_kingdom(seat, king=replace(self.kingdoms[seat].king, **changes))

    def place_of(self, unit: str) -> Place | None:
        """Return where a unit is: an army, a ship, a plane, or a King as ``king:A``. None where there is no such unit on the table."""
        if unit.startswith("king:"):
            kingdom = self.kingdoms.get(unit[5:])
            return kingdom.king.at if kingdom is not None else None
        piece = self.armies.get(unit) or self.ships.get(unit) or self.planes.get(unit)
        return piece.at if piece is not None else None

    def owner_of(self, unit: str) -> str | None:
        """Return whose a unit is, None where there is none."""
        if unit.startswith("king:"):
            return unit[5:] if unit[5:] in self.kingdoms else None
        piece = self.armies.get(unit) or self.ships.get(unit) or self.planes.get(unit)
        return piece.kingdom if piece is not None else None

    def allied(self, one: str, other: str) -> bool:
        """Return whether two different Kingdoms are allied at present, also while the alliance is ending."""
        return frozenset((one, other)) in self.works.pacts

    @property
    def playing(self) -> tuple[str, ...]:
        """Return the seats of the Kingdoms that still play, in turn order."""
        return tuple(seat for seat in self.setup.seats if self.kingdoms[seat].status == "playing")


def view(state: State) -> dict[str, Any]:
    """Return the state as plain values with exactly the keys of 8.7."""
    return {
        "status": state.status,
        "phase": state.phase,
        "turn_kingdom": state.turn_kingdom,
        "round": state.round,
        "ap_total": state.ap_total,
        "ap_spent": state.ap_spent,
        "turn_order": list(state.turn_order),
        "time_called": state.time_called,
        "disputes": [{"seq": seq, "about_seq": about} for seq, about in state.disputes.items()],
        "pressed": sorted(state.pressed),
        "kingdoms": {seat: _kingdom(one) for seat, one in state.kingdoms.items()},
        "castles": {id_: _plain(one) for id_, one in state.works.castles.items()},
        "buildings": {id_: _building(state, id_, one) for id_, one in state.works.buildings.items()},
        "links": {id_: _plain(one) for id_, one in state.works.links.items()},
        "armies": {id_: _plain(one) for id_, one in state.armies.items()},
        "ships": {id_: _plain(one) for id_, one in state.ships.items()},
        "planes": {id_: _plain(one) for id_, one in state.planes.items()},
        "beasts": {id_: _beast(one) for id_, one in state.beasts.items()},
        "sites": {id_: _plain(one) for id_, one in state.sites.items()},
        "terrain": {id_: _plain(one) for id_, one in state.terrain.items()},
        "alliances": {id_: _plain(one) for id_, one in state.alliances.items()},
    }


def _plain(one: Struct) -> dict[str, Any]:
    return {name: _value(getattr(one, name)) for name in one.__struct_fields__}


def _value(value: Any) -> Any:
    if isinstance(value, Place):
        return value.view()
    if isinstance(value, Struct):
        return _plain(value)
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, dict):  # soldiers by level: keys are text in JSON
        return {str(key): count for key, count in value.items()}
    return value


def _kingdom(one: Kingdom) -> dict[str, Any]:
    return _plain(one)


def _building(state: State, id_: str, one: Building) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "castle": one.castle,
        "level": one.level,
        "damage": one.damage,
        "direct": one.direct,
        "produced": id_ in state.produced,
        "built_seq": one.built_seq,
    }


def _beast(one: Beast) -> dict[str, Any]:
    plain = _plain(one)
    del plain["wounds"]
    return {"class": plain.pop("cls"), **plain}
