"""Discovery: a unit scouts a place, and what the MapMaster has hidden there comes to light (KSH-71)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.battle import feet, own_units
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.events import DiscoveryMade
from rulesengine.kingsquare.rules import KSH_71, U_7
from rulesengine.kingsquare.state import Place, State

RESOURCE = 5
"""What the discovery of a resource adds to its tally."""


def check_discovery_made(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids a discovery, in the order of 8.5."""
    data = cast(DiscoveryMade, event.data)
    yield from own_units(state, event.seat, (data.unit,))
    if data.site is not None and data.site not in state.sites:
        yield U_7.refuses(f"there is no site {data.site[:50]!r}", "impossible")
    if data.at is not None and data.at.castle is not None and data.at.castle not in state.works.castles:
        yield U_7.refuses(f"there is no castle {data.at.castle[:50]!r}", "impossible")
    yield from _reach(state, data, _place(state, data))
    if data.site is None:
        if data.result != "nothing":
            yield KSH_71.refuses(f"no site is named, so nothing can be found; the result is {data.result}")
        return
    site = state.sites[data.site]
    if site.found_by is not None:
        yield KSH_71.refuses(f"{data.site} was found already, by {site.found_by}")
    if data.result != site.content:
        yield KSH_71.refuses(f"the result {data.result} is not what was placed at {data.site}")


def _place(state: State, data: DiscoveryMade) -> Place:
    return state.sites[data.site].at if data.site is not None else cast(Place, data.at)


def _reach(state: State, data: DiscoveryMade, at: Place) -> Iterator[Refusal]:
    options = state.setup.options
    stands = state.place_of(data.unit)
    if data.unit in state.planes or (stands is not None and stands.where == at.where):
        return
    reach = options.reach_ship_ft10 if data.unit in state.ships else options.discover_reach_ft10
    far = data.distance_ft10
    if far is None or far > reach:
        declared = "and no distance is declared" if far is None else f"and is {feet(far)} away"
        yield KSH_71.refuses(
            f"{data.unit} is not at {at.castle or at.field} {declared}; it scouts {feet(reach)} far",
            nearest=f"within {feet(reach)}",
        )


def on_discovery_made(state: State, event: Event, told: Told) -> State:
    """Note who found a site; reveal beasts, count a resource."""
    data = cast(DiscoveryMade, event.data)
    seat = cast(str, event.seat)
    if data.result == "beast":
        where = _place(state, data).where
        seen = {
            id_: replace(beast, hidden=False)
            for id_, beast in state.beasts.items()
            if beast.hidden and beast.at.where == where
        }
        if seen:
            state = replace(state, beasts={**state.beasts, **seen})
        told.computed = {"revealed": list(seen)}
    elif data.result == "resource" and data.resource is not None:
        tally = state.kingdoms[seat].resources
        more = {data.resource: getattr(tally, data.resource) + RESOURCE}
        state = state.with_kingdom(seat, resources=replace(tally, **more))
        told.computed = {"resource": data.resource, "amount": RESOURCE}
    if data.site is None:
        return state
    site = replace(state.sites[data.site], hidden=False, found_by=seat)
    return replace(state, sites={**state.sites, data.site: site})


CHECKS: dict[type[Payload], Check] = {DiscoveryMade: check_discovery_made}
STEPS: dict[type[Payload], Step] = {DiscoveryMade: on_discovery_made}
