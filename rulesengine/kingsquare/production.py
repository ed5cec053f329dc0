"""The Produce phase: soldiers, resources and what is waived (4.4 of the rule page)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare import works
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.rules import KS_18, KS_52, KS_66, KS_73, KSH_13, U_7
from rulesengine.kingsquare.state import Army, Place, State
from rulesengine.paths import brief

RESOURCES = {"farm": "food", "lumber_mill": "wood", "quarry": "stone"}
"""What each kind of building of the industry gives (KSH-13)."""


def own_building(state: State, seat: str | None, id_: str) -> Iterator[Refusal]:
    """Yield U-7 where there is no such building or it is another Kingdom's."""
    one = state.works.buildings.get(id_)
    if one is None:
        yield U_7.refuses(f"there is no building {brief(id_)}", "impossible")
        return
    owner = state.works.castles[one.castle].kingdom
    if owner != seat:
        yield U_7.refuses(f"the building {id_} belongs to {owner}, not to {seat}", "impossible")


# What forbids


def check_troops_produced(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to produce soldiers."""
    data = cast(e.TroopsProduced, event.data)
    yield from own_building(state, event.seat, data.building)
    army = state.armies.get(data.army)
    if army is None and data.army in state.taken:
        yield U_7.refuses(f"the id {data.army!r} is taken and no army on the table", "impossible")
    if army is not None and army.kingdom != event.seat:
        yield U_7.refuses(f"the army {data.army} belongs to {army.kingdom}, not to {event.seat}", "impossible")
    one = state.works.buildings[data.building]
    if one.kind != "barracks":
        yield U_7.refuses(f"{data.building} is a {one.kind}; only Barracks produce soldiers", "impossible")
    now = works.condition(state.works, state.setup, data.building)
    if now == "ruined":
        yield KS_73.refuses(f"the Barracks {data.building} is a Ruin", nearest="repair it first")
    if now == "isolated":
        yield KS_66.refuses(f"the Barracks {data.building} is not connected to {one.castle}", nearest="a road to it")
    if data.building in state.produced:
        yield KS_18.refuses(f"the Barracks {data.building} has produced or was waived this turn")
    due = soldiers_due(state, data.building)
    if data.count != due:
        yield KS_18.refuses(
            f"the Barracks {data.building} of level {one.level} produces {due} soldiers, not {data.count}",
            nearest=f"count {due}",
        )
    level = works.soldier_level(state.works, state.setup, one.castle)
    if data.soldier_level != level:
        yield KS_52.refuses(
            f"soldiers produced at {one.castle} are of level {level}, not {data.soldier_level}",
            nearest=f"soldier_level {level}",
        )
    if army is not None and army.at.castle != one.castle:
        yield U_7.refuses(f"the army {data.army} is not at {one.castle}, where its soldiers appear", "impossible")


def soldiers_due(state: State, building_id: str) -> int:
    """Return how many soldiers a Barracks gives a turn by its level (F-21), whatever its condition."""
    level = state.works.buildings[building_id].level
    return level * state.setup.options.production_chips_per_level * state.setup.figures.army_chip_strength


def check_resources_produced(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to gather a resource."""
    data = cast(e.ResourcesProduced, event.data)
    yield from own_building(state, event.seat, data.building)
    one = state.works.buildings[data.building]
    if state.setup.options.production_resources == "off":
        yield KSH_13.refuses("resources are not counted in this match")
    kind = RESOURCES.get(one.kind)
    if kind is None or kind != data.kind:
        yield KSH_13.refuses(
            f"{data.building} is a {one.kind} and gives {kind or 'no resource'}, not {brief(data.kind)}",
            nearest=f"kind {kind}" if kind else "a Farm, Lumber Mill or Quarry",
        )
    if works.condition(state.works, state.setup, data.building) == "ruined":
        yield KS_73.refuses(f"{data.building} is a Ruin", nearest="repair it first")
    if data.building in state.produced:
        yield KSH_13.refuses(f"{data.building} has produced this turn")
    if data.amount != one.level:
        yield KSH_13.refuses(
            f"{data.building} of level {one.level} gives {one.level}, not {data.amount}", nearest=f"amount {one.level}"
        )


def check_production_waived(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids to waive a production."""
    data = cast(e.ProductionWaived, event.data)
    yield from own_building(state, event.seat, data.building)
    one = state.works.buildings[data.building]
    if one.kind != "barracks":
        yield U_7.refuses(f"{data.building} is a {one.kind}; only the production of Barracks is waived", "impossible")
    if data.building in state.produced:
        yield KS_18.refuses(f"the Barracks {data.building} has produced or was waived this turn")


# What follows


def on_troops_produced(state: State, event: Event, told: Told) -> State:
    """Add soldiers to the army at the Castle of their Barracks: a Territory is one place, wherever in it they are put (KSH-14)."""
    data = cast(e.TroopsProduced, event.data)
    army = state.armies.get(data.army)
    armies = state.armies
    if data.count:
        if army is None:
            place = Place(castle=state.works.buildings[data.building].castle)
            army = Army(cast(str, event.seat), {data.soldier_level: data.count}, place, created_seq=event.seq)
        else:
            stacks = {**army.stacks, data.soldier_level: army.stacks.get(data.soldier_level, 0) + data.count}
            army = replace(army, stacks={level: stacks[level] for level in sorted(stacks)})
        armies = {**armies, data.army: army}
    taken = state.taken if data.army in state.taken else state.taken | {data.army}
    return replace(state, armies=armies, taken=taken, produced=state.produced | {data.building})


def on_resources_produced(state: State, event: Event, told: Told) -> State:
    """Raise the tally of a resource."""
    data = cast(e.ResourcesProduced, event.data)
    seat = cast(str, event.seat)
    have = state.kingdoms[seat].resources
    if data.kind in RESOURCES.values():
        more = getattr(have, data.kind) + data.amount
        state = state.with_kingdom(seat, resources=replace(have, **{data.kind: more}))
    return replace(state, produced=state.produced | {data.building})


def on_production_waived(state: State, event: Event, told: Told) -> State:
    """Mark a Barracks as done without soldiers."""
    data = cast(e.ProductionWaived, event.data)
    return replace(state, produced=state.produced | {data.building})


CHECKS: dict[type[Payload], Check] = {
    e.TroopsProduced: check_troops_produced,
    e.ResourcesProduced: check_resources_produced,
    e.ProductionWaived: check_production_waived,
}

STEPS: dict[type[Payload], Step] = {
    e.TroopsProduced: on_troops_produced,
    e.ResourcesProduced: on_resources_produced,
    e.ProductionWaived: on_production_waived,
}
