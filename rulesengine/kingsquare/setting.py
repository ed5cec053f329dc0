"""The set-up at the table: Kings' levels, marker pieces, terrain, beasts, sites, doctrines and Capitals (4.2 of the rule page)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare import works
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.options import BeastFigures
from rulesengine.kingsquare.rules import KS_02, KS_15, KS_57, KSH_32, KSH_86, U_7
from rulesengine.kingsquare.state import Beast, Building, Castle, GeneralPiece, Place, Setup, Site, State, Terrain
from rulesengine.paths import brief

BEASTS = ("dangerous", "epic", "legendary")
DOCTRINES = range(6, 11)
"""The War Forge levels that open a doctrine (KS-57)."""


def unused(state: State, *ids: str) -> Iterator[Refusal]:
    """Yield U-7 where one of these new ids has been used before, or two of them are the same (8.3)."""
    for at, id_ in enumerate(ids):
        if id_ in state.taken or id_ in ids[:at]:
            yield U_7.refuses(f"the id {id_!r} is taken; an id is used once in a match", "impossible")


def on_the_map(state: State, at: Place | None) -> Iterator[Refusal]:
    """Yield U-7 where a place is the Territory of a Castle that does not exist."""
    if at is not None and at.castle is not None and at.castle not in state.works.castles:
        yield U_7.refuses(f"there is no Castle {brief(at.castle)} to be at", "impossible")


def with_castle(state: State, id_: str, castle: Castle, farm: str, seq: int) -> State:
    """Return the state with a new Castle and, where ``setup.farm_level`` gives it one, its first Farm (KSH-03)."""
    ids = {id_}
    built = None
    if level := state.setup.options.setup_farm_level:
        built = Building("farm", id_, level, direct=True, built_seq=seq)
        ids.add(farm)
    state = works.with_new_castle(state, id_, castle, farm, built)
    return replace(state, taken=state.taken | ids)


def new_castle_ids(state: State, castle: str, farm: str | None) -> tuple[str, ...]:
    """Return the ids that a new Castle uses up: its own and that of its first Farm, if it comes with one."""
    return (castle, farm_id(castle, farm)) if state.setup.options.setup_farm_level else (castle,)


def farm_id(castle: str, farm: str | None) -> str:
    """Return the id of a Castle's first Farm: as given, else the Castle's with ``-farm``."""
    return farm if farm is not None else f"{castle}-farm"


# What forbids


def check_king_level_recorded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to record a King's level at the start, besides the edition (KS-32, in the frame)."""
    data = cast(e.KingLevelRecorded, event.data)
    if data.kingdom not in state.kingdoms:
        yield U_7.refuses(
            f"there is no Kingdom {brief(data.kingdom)}; the seats are {_seats(state.setup)}", "impossible"
        )


def may_start_at(setup: Setup, level: int) -> bool:
    """Return whether a King may start at a level: at 1, and at others where the edition records it or a handicap is set (KSH-05, KSH-86)."""
    return level == 1 or setup.figures.king_start_level == "recorded" or setup.options.setup_handicap == "recorded"


def check_general_piece_placed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to place the marker piece of a General."""
    data = cast(e.GeneralPiecePlaced, event.data)
    yield from on_the_map(state, data.at)
    king = state.kingdoms[cast(str, event.seat)].king.level
    if data.level > king:
        yield KSH_86.refuses(
            f"the General's piece of {event.seat} is of level {data.level}, the King of level {king}",
            nearest=f"level {king}",
        )


def check_general_piece_lost(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to take the marker piece off the table."""
    if state.kingdoms[cast(str, event.seat)].general_piece is None:
        yield U_7.refuses(f"Kingdom {event.seat} has no General's piece on the table", "impossible")


def check_terrain_placed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to place terrain."""
    yield from unused(state, cast(e.TerrainPlaced, event.data).terrain)


def check_beast_placed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to place a beast."""
    data = cast(e.BeastPlaced, event.data)
    yield from unused(state, data.beast)
    yield from on_the_map(state, data.at)
    if data.cls not in BEASTS:
        yield KS_15.refuses(f"{brief(data.cls)} is no class of beasts", nearest=f"one of {', '.join(BEASTS)}")


def check_site_placed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to place a site."""
    data = cast(e.SitePlaced, event.data)
    yield from unused(state, data.site)
    yield from on_the_map(state, data.at)


def check_doctrine_defined(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to define a doctrine."""
    level = cast(e.DoctrineDefined, event.data).level
    if level not in DOCTRINES:
        yield KS_57.refuses(f"a doctrine of Forge level {level}; only the levels 6 to 10 open one")


def check_capital_founded(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to found a Capital."""
    data = cast(e.CapitalFounded, event.data)
    yield from unused(state, *new_castle_ids(state, data.castle, data.farm))
    yield from on_the_map(state, data.at)
    for id_, castle in state.works.castles.items():
        if castle.kingdom == event.seat:
            yield KS_02.refuses(f"Kingdom {event.seat} has the Castle {id_} already; it starts with one Capital")
            break
    if data.at is not None and data.at.castle is not None:
        yield KSH_32.refuses(
            f"{data.castle} would stand in the Territory of {data.at.castle}", nearest="a field outside every Territory"
        )


def _seats(setup: Setup) -> str:
    return ", ".join(setup.seats)


# What follows


def on_king_level_recorded(state: State, event: Event, told: Told) -> State:
    """Let a King start at the recorded level."""
    data = cast(e.KingLevelRecorded, event.data)
    return state.with_king(data.kingdom, level=data.level)


def on_general_piece_placed(state: State, event: Event, told: Told) -> State:
    """Place the marker piece of a General."""
    data = cast(e.GeneralPiecePlaced, event.data)
    return state.with_kingdom(cast(str, event.seat), general_piece=GeneralPiece(data.level, data.at))


def on_general_piece_lost(state: State, event: Event, told: Told) -> State:
    """Take the marker piece of a General off the table."""
    return state.with_kingdom(cast(str, event.seat), general_piece=None)


def on_terrain_placed(state: State, event: Event, told: Told) -> State:
    """Place terrain."""
    data = cast(e.TerrainPlaced, event.data)
    terrain = {**state.terrain, data.terrain: Terrain(data.kind, data.label)}
    return replace(state, terrain=terrain, taken=state.taken | {data.terrain})


def on_beast_placed(state: State, event: Event, told: Told) -> State:
    """Place a beast, with the figures of its class where it has none of its own (KSH-67)."""
    data = cast(e.BeastPlaced, event.data)
    usual = usual_figures(state.setup, data.cls)
    beast = Beast(
        cls=data.cls,
        name=data.name,
        strength_left=usual.strength if data.strength is None else data.strength,
        attack=usual.attack if data.attack is None else data.attack,
        defence=usual.defence if data.defence is None else data.defence,
        buff=usual.buff if data.buff is None else data.buff,
        at=data.at,
        hidden=data.hidden,
    )
    return replace(state, beasts={**state.beasts, data.beast: beast}, taken=state.taken | {data.beast})


def usual_figures(setup: Setup, cls: str) -> BeastFigures:
    """Return the figures of a class of beasts (KSH-67); of a class that a referee let stand, those of a dangerous one."""
    options = setup.options
    return {"epic": options.beast_epic, "legendary": options.beast_legendary}.get(cls, options.beast_dangerous)


def on_site_placed(state: State, event: Event, told: Told) -> State:
    """Place a site."""
    data = cast(e.SitePlaced, event.data)
    site = Site(data.at, data.content, data.hidden)
    return replace(state, sites={**state.sites, data.site: site}, taken=state.taken | {data.site})


def on_doctrine_defined(state: State, event: Event, told: Told) -> State:
    """Keep a doctrine for the record: it is a text and changes no figure (KSH-18)."""
    return state


def on_capital_founded(state: State, event: Event, told: Told) -> State:
    """Found a Capital with its Farm, and place its King there. A second one that a referee let stand has no title."""
    data = cast(e.CapitalFounded, event.data)
    seat = cast(str, event.seat)
    first = all(castle.kingdom != seat for castle in state.works.castles.values())
    castle = Castle(seat, seat, data.name, is_capital=first, at=data.at, founded_seq=event.seq)
    state = with_castle(state, data.castle, castle, farm_id(data.castle, data.farm), event.seq)
    if first and state.setup.options.setup_king_at == "capital":
        return state.with_king(seat, at=Place(castle=data.castle))
    return state


CHECKS: dict[type[Payload], Check] = {
    e.KingLevelRecorded: check_king_level_recorded,
    e.GeneralPiecePlaced: check_general_piece_placed,
    e.GeneralPieceLost: check_general_piece_lost,
    e.TerrainPlaced: check_terrain_placed,
    e.BeastPlaced: check_beast_placed,
    e.SitePlaced: check_site_placed,
    e.DoctrineDefined: check_doctrine_defined,
    e.CapitalFounded: check_capital_founded,
}

STEPS: dict[type[Payload], Step] = {
    e.KingLevelRecorded: on_king_level_recorded,
    e.GeneralPiecePlaced: on_general_piece_placed,
    e.GeneralPieceLost: on_general_piece_lost,
    e.TerrainPlaced: on_terrain_placed,
    e.BeastPlaced: on_beast_placed,
    e.SitePlaced: on_site_placed,
    e.DoctrineDefined: on_doctrine_defined,
    e.CapitalFounded: on_capital_founded,
}
