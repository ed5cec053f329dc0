"""War: what soldiers, Kings and buffs are worth (F-01 … F-03, F-12 … F-17), who loses what, what the order of pressure opens.

Everything here is asked by attacks, sorties and fights with beasts alike, and by what ends a Kingdom. Lengths are tenths of a
foot. Nothing here refuses; the checks of :mod:`rulesengine.kingsquare.battle` do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.options import Options
from rulesengine.kingsquare.state import OFFICIAL, Army, Castle, Setup, Stacks, State
from rulesengine.kingsquare.works import conditions, connected, fabric, of_castle, ruined

PRESSURE = ("infrastructure", "institutions", "military", "castle", "king")
"""The order of pressure (KS-71)."""
INSTITUTIONS = frozenset({"university", "embassy", "religion", "war_forge"})
"""What KSH-61 counts as institutions; every other building is infrastructure."""

type Where = tuple[str, str]
type Lost = dict[str, Stacks]
"""By army, the soldiers it loses by level."""


# Figures


def divided(options: Options, value: int, by: int) -> int:
    """Return a quotient, rounded as the match rounds (KSH-64)."""
    return -(-value // by) if options.round == "up" else value // by


def king_attack(setup: Setup, level: int) -> int:
    """Return the attack of a King of this level (F-01)."""
    return 2 * (level - 1 if setup.options.king_base == "level_minus_1" else level)


def king_defence(setup: Setup, level: int) -> int:
    """Return the defence of a King of this level (F-01)."""
    return king_attack(setup, level)


def king_power(setup: Setup, level: int) -> int:
    """Return what a King of this level adds to an Army Power (KSH-20)."""
    attack = king_attack(setup, level)
    return attack + king_defence(setup, level) if setup.options.king_power == "attack_plus_defence" else attack


def influence_ft10(level: int) -> int:
    """Return the radius of a King's Influence (F-02)."""
    return 10 * level


def king_movement_ft10(level: int) -> int:
    """Return how far a King of this level moves (F-03)."""
    return 10 * min(level, 10)


def attack_of_soldier(level: int) -> int:
    """Return the attack of one soldier (F-12)."""
    return max(1, level)


def toughness(setup: Setup, level: int) -> int:
    """Return how much damage takes one soldier (F-13)."""
    kind = setup.options.soldier_toughness
    if kind == "flat":
        return 1
    return max(1, level) if kind == "level" else 1 + level


def army_power(state: State, army: Army) -> int:
    """Return the power of one army: its soldiers and its buffs, no King (F-14)."""
    power = sum(count * attack_of_soldier(level) for level, count in army.stacks.items())
    for id_ in army.buffs:
        if id_ in state.beasts:
            power += state.beasts[id_].buff
    return power


def power(state: State, units: Iterable[str], king: str | None = None) -> int:
    """Return the Army Power of armies, ships and planes, and of this seat's King if he is in scope (F-14).

    With ``king.alone`` no, a King without any unit adds nothing (KSH-23).
    """
    options = state.setup.options
    total, any_unit = 0, False
    for id_ in units:
        if (army := state.armies.get(id_)) is not None:
            total += army_power(state, army)
        elif id_ in state.ships:
            total += options.ship_attack
        elif id_ in state.planes:
            total += options.plane_attack
        else:
            continue
        any_unit = True
    if king is not None and (any_unit or options.king_alone):
        total += king_power(state.setup, state.kingdoms[king].king.level)
    return total


# Losses


def lose(setup: Setup, armies: Sequence[tuple[str, Stacks]], net: int, order: Sequence[int] = ()) -> tuple[Lost, int]:
    """Return what armies that are one target lose to `net` damage, and how much is left when every soldier has fallen.

    `armies` are given with the older first, and lose in that order within a level. The stacks are gone through, the
    levels of `order` first (what a defender chose), then from the lowest level up, with ``loss.order`` highest from the highest
    down; what does not make a soldier fall is lost (KSH-62).
    """
    options = setup.options
    lost: Lost = {}
    rest = net
    there_are = {level for _, stacks in armies for level in stacks}
    levels = [level for level in order if level in there_are]
    levels += sorted(there_are.difference(levels), reverse=options.loss_order == "highest")
    for level in levels:
        if rest <= 0:
            return lost, 0
        tough = toughness(setup, level)
        there = sum(stacks.get(level, 0) for _, stacks in armies)
        fall = min(there, divided(options, rest, tough))
        rest = max(0, rest - fall * tough)
        wiped_out = fall == there
        for id_, stacks in armies:
            from_here = min(fall, stacks.get(level, 0))
            if from_here:
                lost.setdefault(id_, {})[level] = from_here
                fall -= from_here
        if not wiped_out:
            return lost, 0
    return lost, rest


def without(stacks: Stacks, lost: Mapping[int, int]) -> Stacks:
    """Return stacks less some soldiers, never below none."""
    return {level: count - lost.get(level, 0) for level, count in stacks.items() if count > lost.get(level, 0)}


def together(one: Stacks, other: Mapping[int, int]) -> Stacks:
    """Return the soldiers of both by level, the lowest level first."""
    levels = sorted({*one, *other})
    return {level: one.get(level, 0) + other.get(level, 0) for level in levels}


# Targets


class Aim(Struct, frozen=True):
    """A target worked out: whose it is, where, and which step of the order of pressure it belongs to."""

    kind: str
    id: str
    owner: str
    """A seat, or :data:`OFFICIAL`."""
    where: tuple[Where, ...]
    """The place; of a link the Territories at its ends, possibly none."""
    castle: str | None = None
    """The Castle in whose Territory it is, if it belongs to the owner of that Castle: there the order of pressure holds."""
    step: str | None = None
    armies: tuple[str, ...] = ()
    """The armies that are one target, the older first."""


def aim(state: State, kind: str, id_: str, owner: str | None = None) -> Aim | str:
    """Return the target worked out, or what is wrong with it in words."""
    works = state.works
    if kind == "building":
        if (building := works.buildings.get(id_)) is None:
            return f"there is no building {id_!r}"
        castle = works.castles[building.castle]
        step = step_of(state.setup.options, building.kind)
        return Aim(kind, id_, castle.kingdom, (("castle", building.castle),), building.castle, step)
    if kind == "castle":
        if (found := works.castles.get(id_)) is None:
            return f"there is no castle {id_!r}"
        return Aim(kind, id_, found.kingdom, (("castle", id_),), id_, "castle")
    if kind == "link":
        if (link := works.links.get(id_)) is None:
            return f"there is no link {id_!r}"
        ends = dict.fromkeys(end for end in (_territory(state, link.a), _territory(state, link.b)) if end is not None)
        return Aim(kind, id_, link.kingdom, tuple(("castle", end) for end in ends))
    if kind == "garrison":
        if (found := works.castles.get(id_)) is None:
            return f"there is no castle {id_!r}"
        owner = found.kingdom if owner is None else owner
        armies = armies_at(state, owner, ("castle", id_))
        if not armies:
            return f"no army of {owner} stands in the Territory of {id_}"
        return _force(state, kind, id_, owner, ("castle", id_), armies)
    if kind == "king":
        seat = id_.removeprefix("king:")
        if not id_.startswith("king:") or seat not in state.kingdoms:
            return f"there is no King {id_!r}; a King is named king: and the seat"
        king = state.kingdoms[seat].king
        if not king.alive or king.at is None:
            return f"{id_} is no longer on the table"
        return _force(state, kind, id_, seat, king.at.where)
    if kind == "army":
        if (army := state.armies.get(id_)) is None:
            return f"there is no army {id_!r}"
        return _force(state, kind, id_, army.kingdom, army.at.where, armies_at(state, army.kingdom, army.at.where))
    piece = (state.ships if kind == "ship" else state.planes).get(id_)
    if piece is None:
        return f"there is no {kind} {id_!r}"
    return _force(state, kind, id_, piece.kingdom, piece.at.where)


def _force(state: State, kind: str, id_: str, owner: str, where: Where, armies: tuple[str, ...] = ()) -> Aim:
    castle = where[1] if where[0] == "castle" else None
    if castle is not None and (castle not in state.works.castles or state.works.castles[castle].kingdom != owner):
        castle = None
    return Aim(kind, id_, owner, (where,), castle, "king" if kind == "king" else "military", armies)


def _territory(state: State, end: str) -> str | None:
    if end in state.works.castles:
        return end
    building = state.works.buildings.get(end)
    return building.castle if building is not None else None


def armies_at(state: State, owner: str, where: Where) -> tuple[str, ...]:
    """Return the armies of one owner at a place, the older first."""
    found = [id_ for id_, army in state.armies.items() if army.kingdom == owner and army.at.where == where]
    if len(found) > 1:
        found.sort(key=lambda id_: state.armies[id_].created_seq)
    return tuple(found)


def neutral(state: State, owner: str) -> bool:
    """Return whether an owner is nobody who acts: the official pieces, or a Kingdom that is out (KSH-78)."""
    return owner == OFFICIAL or owner not in state.kingdoms or state.kingdoms[owner].status != "playing"


# Who takes part


def defenders(state: State, target: Aim) -> tuple[str, ...]:
    """Return the armies and ships that return damage: the owner's and his allies' at the place of the target (KSH-57)."""
    if neutral(state, target.owner):
        return ()
    options = state.setup.options
    sides = {target.owner}
    if options.defence_allies:
        sides |= {seat for seat in state.kingdoms if seat != target.owner and state.allied(seat, target.owner)}
    places = target.where
    return (
        *(id_ for id_, army in state.armies.items() if army.kingdom in sides and army.at.where in places),
        *(id_ for id_, ship in state.ships.items() if ship.kingdom in sides and ship.at.where in places),
    )


def in_scope(state: State, seat: str | None, places: Iterable[Where], distance_ft10: int | None) -> bool:
    """Return whether a seat's King lends his strength at these places, himself there or declared within his Influence (KSH-21)."""
    if seat is None or seat not in state.kingdoms or neutral(state, seat):
        return False
    king = state.kingdoms[seat].king
    if not king.alive:
        return False
    if king.at is not None and king.at.where in places:
        return True
    within = state.setup.options.king_scope == "influence" and distance_ft10 is not None
    return within and distance_ft10 is not None and distance_ft10 <= influence_ft10(king.level)


def attackers_king(
    state: State, seat: str | None, units: Sequence[str], places: Iterable[Where], distance_ft10: int | None
) -> str | None:
    """Return the seat of the attackers' King if he is in scope, else None. Planes lend him no place: leave them out of `units`."""
    if seat is None:
        return None
    if f"king:{seat}" in units and not neutral(state, seat):
        return seat
    stands = [place.where for id_ in units if (place := state.place_of(id_)) is not None]
    return seat if in_scope(state, seat, [*places, *stands], distance_ft10) else None


def protection(state: State, target: Aim, king_in_scope: bool) -> int:
    """Return the Defence of a target (F-15)."""
    if target.kind == "link":
        return 0
    defence = king_defence(state.setup, state.kingdoms[target.owner].king.level) if king_in_scope else 0
    return defence + _fabric_over(state, target)


def _fabric_over(state: State, target: Aim) -> int:
    works, setup = state.works, state.setup
    if target.kind == "castle":
        return fabric(works, setup, target.id)
    if setup.options.fabric_protects != "city":
        return 0
    if target.kind == "building":
        return fabric(works, setup, works.buildings[target.id].castle) if connected(works, target.id) else 0
    if target.armies:
        kind, castle = target.where[0]
        if kind == "castle" and castle in works.castles:
            owner = works.castles[castle].kingdom
            if owner == target.owner or state.allied(owner, target.owner):
                return fabric(works, setup, castle)
    return 0


# The order of pressure


def step_of(options: Options, kind: str) -> str:
    """Return the step of the order of pressure a kind of building belongs to (KSH-61)."""
    if kind in INSTITUTIONS:
        return "institutions"
    return "military" if kind == "barracks" and options.pressure_barracks == "military" else "infrastructure"


def press(seat: str | None, castle: str, step: str) -> str:
    """Return a pressed step as it stands in the state."""
    return f"{seat}/{castle}/{step}"


def standing(state: State, castle: str, step: str) -> Iterator[str]:
    """Yield what still stands in a Territory of one step: active buildings, armies, ships and planes, the Castle, the King."""
    works, setup = state.works, state.setup
    owner = works.castles[castle].kingdom
    if step == "castle":
        if not ruined(setup, works.castles[castle]):
            yield castle
        return
    where = ("castle", castle)
    if step == "king":
        king = state.kingdoms[owner].king if owner in state.kingdoms else None
        if king is not None and king.alive and king.at is not None and king.at.where == where:
            yield f"king:{owner}"
        return
    for id_ in of_castle(works, castle):
        kind = works.buildings[id_].kind
        if step_of(setup.options, kind) == step and conditions(works)[id_] == "active":
            yield id_
    if step == "military":
        for pieces in (state.armies, state.ships, state.planes):
            for id_, piece in pieces.items():
                if piece.kingdom == owner and piece.at.where == where:
                    yield id_


class Closed(Struct, frozen=True):
    """Why a target may not be attacked yet: the earlier step, and what stands there."""

    step: str
    stands: tuple[str, ...]
    must_fall: bool
    """Whether what stands must fall (else it is enough to press the step)."""


def closed(state: State, seat: str | None, target: Aim) -> Closed | None:
    """Return what the order of pressure wants first, or None if the target may be attacked (KS-71, KSH-60)."""
    mode = state.setup.options.pressure_mode
    if mode == "advisory" or target.kind == "link":
        return None
    if target.castle is None or target.step is None:
        if target.kind == "king" and (armies := armies_at(state, target.owner, target.where[0])):
            return Closed("military", armies, must_fall=True)
        return None
    for step in PRESSURE[: PRESSURE.index(target.step)]:
        must_fall = mode == "strict" or (step == "castle" and target.step == "king")
        if not must_fall and press(seat, target.castle, step) in state.pressed:
            continue
        if stands := tuple(standing(state, target.castle, step)):
            return Closed(step, stands, must_fall)
    return None


# The end of a Kingdom


def eliminate(
    state: State,
    seats: Sequence[str],
    cause: Literal["king_defeated", "cannot_govern", "surrendered", "forfeited"],
    seq: int,
    told: Told,
) -> State:
    """Take Kingdoms out of the match together: their forces and Kings leave the table, their alliances end (KS-77, KSH-77).

    With ``eliminated.forces`` neutral the forces stay where they are and never act; the King leaves all the same. Kingdoms
    that are out already stay as they are.
    """
    gone = [seat for seat in seats if state.kingdoms[seat].status == "playing"]
    if not gone:
        return state
    kingdoms = {**state.kingdoms}
    for seat in gone:
        one = kingdoms[seat]
        king = replace(one.king, alive=False, at=None)
        kingdoms[seat] = replace(one, status="eliminated", eliminated_seq=seq, eliminated_cause=cause, king=king)
        told.add("kingdom_eliminated", seat, cause=cause)
    ended = {
        id_: replace(one, status="ended", to_seq=seq)
        for id_, one in state.alliances.items()
        if one.status != "ended" and any(seat in gone for seat in one.kingdoms)
    }
    state = replace(state, kingdoms=kingdoms, alliances={**state.alliances, **ended})
    pacts = frozenset(pair for pair in state.works.pacts if not pair & set(gone))
    if pacts != state.works.pacts:
        state = state.with_works(pacts=pacts)
    if state.setup.options.eliminated_forces == "neutral":
        return state
    for seat in gone:
        told.add("forces_disbanded", seat)
    return replace(
        state,
        armies={id_: one for id_, one in state.armies.items() if one.kingdom not in gone},
        ships={id_: one for id_, one in state.ships.items() if one.kingdom not in gone},
        planes={id_: one for id_, one in state.planes.items() if one.kingdom not in gone},
    )


def settle_capitals(state: State, told: Told) -> State:
    """Pass the title of every ruined Capital to its Kingdom's highest standing Castle, the older one on a tie (KSH-37)."""
    if state.setup.options.capital_succession != "highest":
        return state
    setup, castles = state.setup, state.works.castles
    changed: dict[str, Castle] = {}
    for id_, castle in castles.items():
        if not castle.is_capital or not ruined(setup, castle) or neutral(state, castle.kingdom):
            continue
        heirs = [heir for heir, one in castles.items() if one.kingdom == castle.kingdom and not ruined(setup, one)]
        if heirs:
            heir = min(heirs, key=lambda one: (-castles[one].level, castles[one].founded_seq))
            changed[id_] = replace(castle, is_capital=False)
            changed[heir] = replace(castles[heir], is_capital=True)
            told.add("capital_moved", heir, kingdom=castle.kingdom)
    return state.with_works(castles={**castles, **changed}) if changed else state
