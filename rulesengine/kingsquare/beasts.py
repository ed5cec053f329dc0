"""Beasts: fights with them, what they leave behind, and what the MapMaster tells of them (4.6, 4.7 and KSH-67 to KSH-70)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.battle import (
    Field,
    Sides,
    computed,
    fought,
    in_reach,
    no_planes,
    outcome,
    own_units,
    returned,
    shield,
)
from rulesengine.kingsquare.building import acted_on, often_enough
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.events import BeastActed, BeastBuffAssigned, BeastEngaged, BeastRevealed
from rulesengine.kingsquare.rules import KSH_68, KSH_69, KSH_70, U_7
from rulesengine.kingsquare.state import Army, Beast, State
from rulesengine.kingsquare.war import attackers_king, power

# What forbids an event


def check_beast_engaged(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to fight a beast, in the order of 8.5."""
    data = cast(BeastEngaged, event.data)
    yield from own_units(state, event.seat, data.attackers)
    beast = state.beasts.get(data.beast)
    if beast is None:
        yield _no_beast(data.beast)
        return
    yield from no_planes(state, data.attackers)
    if beast.hidden:
        yield KSH_68.refuses(f"{data.beast} is hidden; nobody has found it yet", nearest="discovery_made at its place")
    if beast.status != "alive":
        yield KSH_68.refuses(f"{data.beast} is defeated already, by {beast.defeated_by}")
    yield from in_reach(state, data.attackers, (beast.at.where,), data.distances_ft10, data.beast)
    yield from often_enough(state, data.beast)


def check_beast_revealed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to reveal a beast."""
    id_ = cast(BeastRevealed, event.data).beast
    beast = state.beasts.get(id_)
    if beast is None:
        yield _no_beast(id_)
    elif not beast.hidden:
        yield U_7.refuses(f"{id_} is not hidden", "impossible")


def check_beast_buff_assigned(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to hand a buff to another army of that battle."""
    data = cast(BeastBuffAssigned, event.data)
    beast, army = state.beasts.get(data.beast), state.armies.get(data.army)
    if beast is None:
        yield _no_beast(data.beast)
        return
    if army is None or army.kingdom != event.seat:
        whose = "there is no such army" if army is None else f"it belongs to {army.kingdom}"
        yield U_7.refuses(f"the army {data.army[:50]!r}: {whose}", "impossible")
        return
    if beast.defeated_by != event.seat:
        by = f"by {beast.defeated_by}" if beast.defeated_by else "by nobody yet"
        yield KSH_69.refuses(f"{data.beast} was defeated {by}, not by {event.seat}")
    if data.army not in beast.fighters:
        fought_it = ", ".join(beast.fighters) or "none"
        yield KSH_69.refuses(
            f"{data.army} had no part in the last battle with {data.beast}; the armies were: {fought_it}"
        )
    if _holder(state, data.beast) is None:
        yield KSH_69.refuses(f"nobody holds the buff of {data.beast} any more")


def check_beast_acted(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids a beast to act."""
    data = cast(BeastActed, event.data)
    beast = state.beasts.get(data.beast)
    if beast is None:
        yield _no_beast(data.beast)
        return
    if data.at is not None and data.at.castle is not None and data.at.castle not in state.works.castles:
        yield U_7.refuses(f"there is no castle {data.at.castle!r}", "impossible")
    if beast.status != "alive":
        yield U_7.refuses(f"{data.beast} is defeated and acts no more", "impossible")
    if not state.setup.options.beasts_act:
        yield KSH_70.refuses(f"{data.beast} does not act: beasts only defend (option beasts.act)")


def _no_beast(id_: str) -> Refusal:
    return U_7.refuses(f"there is no beast {id_[:50]!r}", "impossible")


def _holder(state: State, beast: str) -> str | None:
    return next((id_ for id_, army in state.armies.items() if beast in army.buffs), None)


# What an event does


def reckon(state: State, seat: str | None, units: tuple[str, ...], beast: Beast, distance_ft10: int | None) -> Sides:
    """Return what a fight with a beast comes to: its attack stands for the defenders' power."""
    king = attackers_king(state, seat, units, (beast.at.where,), distance_ft10)
    return Sides(power(state, units, king), beast.defence, beast.attack, shield(state, king), king)


def on_beast_engaged(state: State, event: Event, told: Told) -> State:
    """Carry out a fight: wounds stay, and the beast returns half its attack."""
    data = cast(BeastEngaged, event.data)
    seat, beast = cast(str, event.seat), state.beasts[data.beast]
    sides = reckon(state, seat, data.attackers, beast, data.king_distance_ft10)
    given = outcome(event, sides)
    net = sides.net if given is None else given["net"]
    wound = min(net, beast.strength_left)
    after = _wounded(state, seat, beast, wound, data.attackers)
    back = _returned(state, sides, after, net) if given is None else given["returned"]
    field = Field(state, told, seat)
    field.strike_back(data.attackers, back)
    told.computed = {**computed(sides, net, back, field), "strength_left": after.strength_left}
    state = fought(field, event, sides)
    state = replace(state, beasts={**state.beasts, data.beast: after})
    if after.status == "defeated" and beast.status == "alive":
        state = _rewarded(state, data.beast, after, data.attackers, told)
    return acted_on(state, data.beast)


def _wounded(state: State, seat: str, beast: Beast, wound: int, units: tuple[str, ...]) -> Beast:
    wounds = {**beast.wounds, seat: beast.wounds.get(seat, 0) + wound}
    fighters = tuple(unit for unit in units if unit in state.armies)
    left = beast.strength_left - wound
    beast = replace(beast, strength_left=left, fighters=fighters, wounds=wounds)
    if left or beast.status != "alive":
        return beast
    by = seat
    if state.setup.options.beast_credit == "most_damage":
        by = max(wounds, key=lambda one: (wounds[one], one == seat))
    return replace(beast, status="defeated", defeated_by=by)


def _returned(state: State, sides: Sides, after: Beast, net: int) -> int:
    options = state.setup.options
    if options.return_basis == "received":
        return returned(state, net, sides.shield)
    strikes_back = options.return_timing == "before" or after.status == "alive"
    return returned(state, sides.power if strikes_back else 0, sides.shield)


def _rewarded(state: State, id_: str, beast: Beast, units: tuple[str, ...], told: Told) -> State:
    """Give the defeat to its Kingdom and the buff to the largest army that fought and still stands (KSH-69)."""
    by = cast(str, beast.defeated_by)
    state = state.with_kingdom(by, beasts_defeated=(*state.kingdoms[by].beasts_defeated, id_))
    told.add("beast_defeated", id_, by=by)
    left = [unit for unit in units if unit in state.armies]
    if not left or state.setup.options.beast_reward != "buff":
        return state
    holder = min(left, key=lambda one: (-state.armies[one].soldiers, state.armies[one].created_seq))
    told.add("buff_gained", id_, army=holder, buff=beast.buff)
    return _with_buff(state, holder, id_)


def _with_buff(state: State, army: str, beast: str) -> State:
    one = state.armies[army]
    return replace(state, armies={**state.armies, army: replace(one, buffs=(*one.buffs, beast))})


def on_beast_revealed(state: State, event: Event, told: Told) -> State:
    """Show a beast."""
    id_ = cast(BeastRevealed, event.data).beast
    return replace(state, beasts={**state.beasts, id_: replace(state.beasts[id_], hidden=False)})


def on_beast_buff_assigned(state: State, event: Event, told: Told) -> State:
    """Hand a buff to another army."""
    data = cast(BeastBuffAssigned, event.data)
    armies: dict[str, Army] = state.armies
    holder = _holder(state, data.beast)
    if holder is not None:
        one = armies[holder]
        kept = tuple(buff for buff in one.buffs if buff != data.beast)
        armies = {**armies, holder: replace(one, buffs=kept)}
    return _with_buff(replace(state, armies=armies), data.army, data.beast)


def on_beast_acted(state: State, event: Event, told: Told) -> State:
    """Move a beast."""
    data = cast(BeastActed, event.data)
    if data.at is None:
        return state
    return replace(state, beasts={**state.beasts, data.beast: replace(state.beasts[data.beast], at=data.at)})


CHECKS: dict[type[Payload], Check] = {
    BeastEngaged: check_beast_engaged,
    BeastRevealed: check_beast_revealed,
    BeastBuffAssigned: check_beast_buff_assigned,
    BeastActed: check_beast_acted,
}
STEPS: dict[type[Payload], Step] = {
    BeastEngaged: on_beast_engaged,
    BeastRevealed: on_beast_revealed,
    BeastBuffAssigned: on_beast_buff_assigned,
    BeastActed: on_beast_acted,
}
