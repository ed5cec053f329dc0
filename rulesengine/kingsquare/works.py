"""What follows from castles, buildings and links alone: connection, condition, fabric, unlocks, limits (3.2 and 8.6 of the rule page).

All answers are worked out from :class:`~rulesengine.kingsquare.state.Works` and kept in its memo, so they are worked out once for every
change of what stands on the table, however often they are asked for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Literal, cast

from msgspec.structs import replace

from rulesengine.game import Rule
from rulesengine.kingsquare.figures import ABSENT, LADDERS, Rung
from rulesengine.kingsquare.rules import KS_60, KS_61, KS_64
from rulesengine.kingsquare.state import Building, Castle, Link, Setup, State, Works

type Condition = Literal["active", "isolated", "ruined"]
type Roots = dict[str, str]
"""By end of a road, another end that it is joined to, or itself where it stands for all of them."""
type Groups = dict[str, tuple[str, ...]]

MAX_LEVEL = 10
ROADS = frozenset({"road", "improved_road", "bridge"})
SELF_SUFFICIENT = frozenset({"farm", "quarry", "lumber_mill"})
"""Works without a connection (KS-67)."""
ALWAYS_ACTIVE = SELF_SUFFICIENT | {"wall"}


# Ruins, connection, condition


def structure(setup: Setup, level: int) -> int:
    """Return the structure points of a building, Wall or Castle of a level (F-09)."""
    return setup.options.structure_per_level * level


def ruined(setup: Setup, one: Building | Castle) -> bool:
    """Return whether a building or Castle is a Ruin (F-08)."""
    return one.damage > 0 and one.damage >= setup.options.structure_per_level * one.level


def _known(works: Works, group: str) -> dict[Any, Any]:
    """Return what is known of one group of derived values, to be added to. Works that agree in a group share it."""
    memo = works.memo
    if group not in memo:
        memo[group] = {}
    return cast(dict[Any, Any], memo[group])


def of_castle(works: Works, castle_id: str) -> tuple[str, ...]:
    """Return the buildings of a Castle in the order in which they were built."""
    memo = works.memo
    if "of castle" not in memo:
        memo["of castle"] = _grouped((one.castle, id_) for id_, one in works.buildings.items())
    return cast(Groups, memo["of castle"]).get(castle_id, ())


def of_kingdom(works: Works, seat: str) -> tuple[str, ...]:
    """Return the Castles of a Kingdom (or of ``official``), standing or not, the oldest first."""
    memo = works.memo
    if "of kingdom" not in memo:
        memo["of kingdom"] = _grouped((one.kingdom, id_) for id_, one in works.castles.items())
    return cast(Groups, memo["of kingdom"]).get(seat, ())


def _of_kind(works: Works, kind: str) -> tuple[str, ...]:
    memo = works.memo
    if "of kind" not in memo:
        memo["of kind"] = _grouped((one.kind, id_) for id_, one in works.buildings.items())
    return cast(Groups, memo["of kind"]).get(kind, ())


def _grouped(pairs: Iterable[tuple[str, str]]) -> Groups:
    found: dict[str, list[str]] = {}
    for group, id_ in pairs:
        found.setdefault(group, []).append(id_)
    return {group: tuple(ids) for group, ids in found.items()}


def own_of_kind(works: Works, seat: str, kind: str) -> tuple[str, ...]:
    """Return all buildings of a kind of a Kingdom, Ruins included."""
    known = _known(works, "own of kind")
    key = (kind, seat)
    if key not in known:
        castles, buildings = works.castles, works.buildings
        known[key] = tuple([id_ for id_ in _of_kind(works, kind) if castles[buildings[id_].castle].kingdom == seat])
    return cast(tuple[str, ...], known[key])


def roots(works: Works, founder: str) -> Roots:
    """Return what the uncut roads of a Kingdom (and, with ``road.admin`` own_or_allied, of its allies) join (8.6, KSH-49).

    A direct building is joined to its Castle. Ends on no road are not in the answer.
    """
    known = _known(works, "roots")
    if founder not in known:
        builders = _builders(works, founder)
        joined: Roots = {}
        for link in works.links.values():
            if not link.cut and link.kingdom in builders and link.kind in ROADS:
                _lay(works, joined, link)
        known[founder] = joined
    return cast(Roots, known[founder])


def _builders(works: Works, founder: str) -> set[str]:
    """Return whose roads hold the Castles together that a Kingdom founded."""
    builders = {founder}
    if works.setup.options.road_admin == "own_or_allied":
        builders.update(seat for pact in works.pacts if founder in pact for seat in pact)
    return builders


def _lay(works: Works, joined: Roots, link: Link) -> None:
    """Join the ends of a road, and each direct building at an end to its Castle."""
    _join(joined, link.a, link.b)
    for end in (link.a, link.b):
        building = works.buildings.get(end)
        if building is not None and building.direct:
            _join(joined, end, building.castle)


def _root(joined: Roots, end: str) -> str:
    """Return the end that stands for all that this one is joined to; the way there gets shorter for the next time."""
    while (over := joined.get(end, end)) != end:
        joined[end] = end = joined[over]
    return end


def _join(joined: Roots, a: str, b: str) -> None:
    one, other = _root(joined, a), _root(joined, b)
    joined.setdefault(one, one)
    joined[other] = one


def connected(works: Works, building_id: str) -> bool:
    """Return whether a building is joined to its own standing Castle, directly or by road (F-07)."""
    building = works.buildings[building_id]
    castle = works.castles[building.castle]
    if castle.damage and ruined(works.setup, castle) and works.setup.options.castle_ruin == "isolate":
        return False
    if building.direct:
        return True
    joined = roots(works, castle.founder)
    return building_id in joined and _root(joined, building_id) == _root(joined, building.castle)


def conditions(works: Works) -> dict[str, Condition]:
    """Return the condition of every building (F-08)."""
    memo = works.memo
    if "conditions" not in memo:
        memo["conditions"] = {id_: _condition(works, id_, one) for id_, one in works.buildings.items()}
    return cast(dict[str, Condition], memo["conditions"])


def _condition(works: Works, building_id: str, one: Building) -> Condition:
    if one.damage and ruined(works.setup, one):
        return "ruined"
    if one.kind in ALWAYS_ACTIVE or connected(works, building_id):
        return "active"
    return "isolated"


def condition(works: Works, setup: Setup, building_id: str) -> Condition:
    """Return whether a building works (``active``), has lost its Castle (``isolated``) or is a Ruin (``ruined``) (F-08)."""
    return conditions(works)[building_id]


def isolated(works: Works) -> frozenset[str]:
    """Return the buildings that have lost their Castle (F-08)."""
    memo = works.memo
    if "isolated" not in memo:
        memo["isolated"] = frozenset([id_ for id_, one in conditions(works).items() if one == "isolated"])
    return cast(frozenset[str], memo["isolated"])


def cut_off_and_joined(before: Works, after: Works) -> tuple[list[str], list[str]]:
    """Return which active buildings are isolated now, and which isolated ones are active again, the oldest first."""
    lost, had = isolated(after), isolated(before)
    if lost is had or lost == had:
        return [], []
    was, now = conditions(before), conditions(after)
    changed = [id_ for id_ in now if (id_ in lost) != (id_ in had)]
    return (
        [id_ for id_ in changed if now[id_] == "isolated" and was.get(id_) == "active"],
        [id_ for id_ in changed if now[id_] == "active"],
    )


def in_use(state: State, building_id: str) -> bool:
    """Return whether a building works at present: active, and not built this turn where ``build.ready`` says next_turn (KSH-11)."""
    return conditions(state.works)[building_id] == "active" and building_id not in not_ready(state)


def not_ready(state: State) -> frozenset[str]:
    """Return what was built this turn and does not work before the next (KSH-11): nothing by default."""
    return state.built_now if state.setup.options.build_ready == "next_turn" else frozenset()


def fabric(works: Works, setup: Setup, castle_id: str) -> int:
    """Return the defensive fabric of a Castle: the levels of all standing buildings connected to it (F-10, KS-76)."""
    known = _known(works, "fabric")
    if castle_id not in known:
        known[castle_id] = _fabric(works, setup, castle_id)
    return cast(int, known[castle_id])


def _fabric(works: Works, setup: Setup, castle_id: str) -> int:
    if not setup.figures.fabric_enabled or ruined(setup, works.castles[castle_id]):
        return 0
    exempt = setup.options.fabric_exempt_unconnected
    total = 0
    for id_ in of_castle(works, castle_id):
        one = works.buildings[id_]
        if not ruined(setup, one) and (connected(works, id_) or (exempt and one.kind in SELF_SUFFICIENT)):
            total += one.level
    return total


# Changes that leave most as it was: what is known already is taken over


PIECES = ("of castle", "of kingdom", "of kind", "own of kind")
"""What is known of which pieces there are and whose they are."""
WAYS = ("roots", "with districts", "network")
"""What is known of what roads join."""


def with_new_building(state: State, id_: str, one: Building) -> State:
    """Return the state with a new building. It is on no road yet, so nothing changes but what its Castle and Kingdom have."""
    before = state.works
    state = state.with_works(buildings={**before.buildings, id_: one})
    _take_over(before, state.works, WAYS)
    _take_over(before, state.works, ("of kingdom",) if one.kind == "war_forge" else ("of kingdom", "soldier level"))
    _add_building(before, state.works, id_, one)
    return state


def with_new_castle(state: State, id_: str, castle: Castle, farm_id: str, farm: Building | None) -> State:
    """Return the state with a new Castle and, if it has one, its Farm: on no road yet, a district joined to its parent."""
    before = state.works
    buildings = before.buildings if farm is None else {**before.buildings, farm_id: farm}
    state = state.with_works(castles={**before.castles, id_: castle}, buildings=buildings)
    after = state.works
    _take_over(before, after, ("roots",))
    _copy(before, after, ("soldier level", "fabric"))
    if castle.parent_castle is None:
        _take_over(before, after, ("with districts",))
        _copy(before, after, ("network",))
    _extend(before, after, "of kingdom", castle.kingdom, id_)
    if farm is not None:
        _add_building(before, after, farm_id, farm)
    else:
        _take_over(before, after, ("of castle", "of kind", "own of kind", "conditions", "isolated"))
    return state


def with_new_link(state: State, id_: str, link: Link) -> State:
    """Return the state with a new link. A road may join isolated buildings again; a rail changes nothing else."""
    before = state.works
    state = state.with_works(links={**before.links, id_: link})
    after = state.works
    if link.kind not in ROADS:
        after.memo.update(before.memo)
        return state
    _take_over(before, after, PIECES)
    ways = dict(_known(before, "roots"))
    for founder, joined in ways.items():
        if link.kingdom in _builders(after, founder):
            ways[founder] = dict(joined)
            _lay(after, ways[founder], link)
    after.memo["roots"] = ways
    cut_off = isolated(before)
    again = {id_: "active" for id_ in cut_off if connected(after, id_)}
    after.memo["conditions"] = {**conditions(before), **again} if again else conditions(before)
    after.memo["isolated"] = cut_off.difference(again) if again else cut_off
    return state


def with_level(state: State, id_: str, level: int) -> State:
    """Return the state with a building of another level, which changes no connection unless it is damaged."""
    before = state.works
    one = before.buildings[id_]
    raised = Building(one.kind, one.castle, level, one.damage, one.direct, one.built_seq)
    state = state.with_works(buildings={**before.buildings, id_: raised})
    _take_over(before, state.works, (*PIECES, *WAYS))
    if not one.damage:
        _take_over(before, state.works, ("conditions", "isolated"))
        if one.kind != "war_forge":
            _take_over(before, state.works, ("soldier level",))
    return state


def with_castle_level(state: State, id_: str, level: int) -> State:
    """Return the state with a Castle of another level, which changes nothing else unless it is damaged."""
    before = state.works
    castle = before.castles[id_]
    state = state.with_works(castles={**before.castles, id_: replace(castle, level=level)})
    if castle.damage:
        _take_over(before, state.works, (*PIECES, *WAYS))
    else:
        state.works.memo.update(before.memo)
    return state


def with_damage(state: State, castles: dict[str, Castle], buildings: dict[str, Building]) -> State:
    """Return the state with other damage to Castles and buildings of which none has become a Ruin: nothing else changes."""
    before = state.works
    state = state.with_works(castles=castles, buildings=buildings)
    state.works.memo.update(before.memo)
    return state


def with_ruins(
    state: State, castles: dict[str, Castle], buildings: dict[str, Building], links: dict[str, Link] | None = None
) -> State:
    """Return the state with Castles and buildings ruined or repaired, and links cut or restored; no piece is new or changes hands."""
    before = state.works
    same_ways = links is None or links is before.links
    state = state.with_works(castles=castles, buildings=buildings, links=links)
    _take_over(before, state.works, (*PIECES, *WAYS) if same_ways else PIECES)
    return state


def _take_over(before: Works, after: Works, groups: tuple[str, ...]) -> None:
    """Let two works share what is known, also what will be: for groups in which they agree wholly."""
    for group in groups:
        if group in before.memo:
            after.memo[group] = before.memo[group]


def _copy(before: Works, after: Works, groups: tuple[str, ...]) -> None:
    """Let works know what those before them knew: for groups in which they agree but for a new piece."""
    for group in groups:
        if group in before.memo:
            after.memo[group] = dict(before.memo[group])


def _extend(before: Works, after: Works, group: str, key: Hashable, id_: str) -> None:
    """Let a new piece be known in a group where others of its like are."""
    known = before.memo.get(group)
    if known is not None:
        after.memo[group] = {**known, key: (*known.get(key, ()), id_)}


def _add_building(before: Works, after: Works, id_: str, one: Building) -> None:
    _extend(before, after, "of castle", one.castle, id_)
    _extend(before, after, "of kind", one.kind, id_)
    own = (one.kind, after.castles[one.castle].kingdom)
    if own in before.memo.get("own of kind", ()):
        _extend(before, after, "own of kind", own, id_)
    else:
        _copy(before, after, ("own of kind",))
    if "conditions" in before.memo:
        now = _condition(after, id_, one)
        after.memo["conditions"] = {**before.memo["conditions"], id_: now}
        if "isolated" in before.memo:
            had = before.memo["isolated"]
            after.memo["isolated"] = had | {id_} if now == "isolated" else had


# Networks: doctrine and unlocks


def network(works: Works, castle_id: str) -> frozenset[str]:
    """Return the own Castles joined to a Castle by own uncut roads or as district and parent, itself included (8.6)."""
    known = _known(works, "network")
    if castle_id not in known:
        castle = works.castles[castle_id]
        joined = _with_districts(works, castle.founder)
        here = _root(joined, castle_id)
        known[castle_id] = frozenset([id_ for id_ in of_kingdom(works, castle.kingdom) if _root(joined, id_) == here])
    return cast(frozenset[str], known[castle_id])


def _with_districts(works: Works, founder: str) -> Roots:
    known = _known(works, "with districts")
    if founder not in known:
        joined = dict(roots(works, founder))
        for id_, castle in works.castles.items():
            if castle.parent_castle is not None:
                _join(joined, id_, castle.parent_castle)
        known[founder] = joined
    return cast(Roots, known[founder])


def territory(works: Works, castle_id: str) -> frozenset[str]:
    """Return a Castle, its parent and all districts of that parent, as far as they are the same Kingdom's (8.6)."""
    castle = works.castles[castle_id]
    centre = castle.parent_castle or castle_id
    own = of_kingdom(works, castle.kingdom)
    return frozenset([id_ for id_ in own if id_ in (castle_id, centre) or works.castles[id_].parent_castle == centre])


def _scope(works: Works, castle_id: str, reach: str) -> frozenset[str] | tuple[str, ...]:
    if reach == "territory":
        return territory(works, castle_id)
    if reach == "kingdom":
        return of_kingdom(works, works.castles[castle_id].kingdom)
    return network(works, castle_id)


def soldier_level(works: Works, setup: Setup, castle_id: str) -> int:
    """Return the level of soldiers produced at a Castle: of the best active War Forge in reach of the doctrine, capped (F-11)."""
    known = _known(works, "soldier level")
    if castle_id not in known:
        best = 0
        for id_ in _of_kind(works, "war_forge"):
            one = works.buildings[id_]
            if one.level > best and one.castle in _scope(works, castle_id, setup.options.doctrine_sharing):
                best = one.level if conditions(works)[id_] == "active" else best
        known[castle_id] = min(setup.figures.forge_combat_cap, best)
    return cast(int, known[castle_id])


def active_levels(works: Works, seat: str, kind: str, but: frozenset[str] = frozenset()) -> tuple[int, ...]:
    """Return the levels of a Kingdom's active buildings of a kind; those in `but` are passed over."""
    now = conditions(works)
    own = own_of_kind(works, seat, kind)
    return tuple([works.buildings[id_].level for id_ in own if now[id_] == "active" and id_ not in but])


# Unlocks


def rung(setup: Setup, kind: str) -> Rung | Literal["absent"] | None:
    """Return what a kind of building, link or unit needs: a rung, None where nothing, ``absent`` where the ladder has no such thing (2.4)."""
    ladder = setup.figures.ladder
    if kind == "university" and ladder == "present":
        branch, _, level = setup.options.university_unlock.partition(":")
        return Rung(cast(Literal["lumber_mill", "quarry"], branch), int(level)) if level else None
    return "absent" if kind in ABSENT[ladder] else LADDERS[ladder].get(kind)


def branch_level(works: Works, setup: Setup, castle_id: str, branch: str, but: frozenset[str] = frozenset()) -> int:
    """Return the highest level of a standing Lumber Mill or Quarry in scope of a Castle's unlocks, 0 without one (F-20, KSH-43).

    Buildings in `but` are passed over.
    """
    scope = _scope(works, castle_id, setup.options.unlock_scope)
    best = 0
    for id_ in _of_kind(works, branch):
        one = works.buildings[id_]
        if one.level > best and one.castle in scope and id_ not in but and not ruined(setup, one):
            best = one.level
    return best


def kingdom_branch_level(works: Works, setup: Setup, seat: str, branch: str, but: frozenset[str] = frozenset()) -> int:
    """Return the highest level of a Kingdom's standing Lumber Mills or Quarries, wherever they are, 0 without one."""
    own = own_of_kind(works, seat, branch)
    return max(
        (one.level for id_ in own if id_ not in but and not ruined(setup, one := works.buildings[id_])), default=0
    )


def unlocked(works: Works, setup: Setup, castle_id: str, kind: str, but: frozenset[str] = frozenset()) -> Rule | None:
    """Return the rule that keeps a kind from being built at a Castle, or None where it is unlocked (F-20).

    KS-64 keeps Barracks, KS-60 what the Lumber Mill opens, KS-61 what the Quarry opens.
    """
    needs = rung(setup, kind)
    if needs is None:
        return None
    if needs == "absent":
        return KS_61
    if branch_level(works, setup, castle_id, needs.branch, but) >= needs.level:
        return None
    if kind == "barracks":
        return KS_64
    return KS_60 if needs.branch == "lumber_mill" else KS_61


def opened_by(setup: Setup, branch: str, above: int, level: int) -> tuple[str, ...]:
    """Return what a Lumber Mill or Quarry opens in rising over the level `above` up to `level`."""
    found = []
    for kind in LADDERS[setup.figures.ladder]:
        needs = rung(setup, kind)
        if isinstance(needs, Rung) and needs.branch == branch and above < needs.level <= level:
            found.append(kind)
    return tuple(found)


# Limits: slots, levels, Action Points, fleets, production


def slots_used(works: Works, setup: Setup, castle_id: str) -> int:
    """Return how many slots of a Castle are used: by every building but the Farm and, by default, the Wall; Ruins too (F-05)."""
    without = ("farm",) if setup.options.slots_wall else ("farm", "wall")
    return sum(1 for id_ in of_castle(works, castle_id) if works.buildings[id_].kind not in without)


def castle_ceiling(state: State, castle_id: str) -> int:
    """Return the level up to which a Castle can be raised at present (F-06)."""
    castle = state.works.castles[castle_id]
    if not capped_by_king(state.setup, castle) or castle.kingdom not in state.kingdoms:
        return MAX_LEVEL
    return min(MAX_LEVEL, state.kingdoms[castle.kingdom].king.level)


def capped_by_king(setup: Setup, castle: Castle) -> bool:
    """Return whether a Castle may be no higher than its King (KS-28, KSH-38)."""
    return setup.figures.order_mode == "full" and (setup.options.order_castle_cap == "all" or castle.is_capital)


def farm_level(works: Works, setup: Setup, castle_id: str) -> int:
    """Return the level of a City's Farm: 0 without one, and 0 for a ruined one unless ``farm.ruin`` says ignore (KSH-46)."""
    heed = setup.options.farm_ruin == "block_upgrades"
    farms = [works.buildings[id_] for id_ in of_castle(works, castle_id) if works.buildings[id_].kind == "farm"]
    return max((one.level for one in farms if not (heed and ruined(setup, one))), default=0)


def kind_ceiling(works: Works, setup: Setup, castle_id: str, kind: str) -> int:
    """Return the level up to which a building of a kind can be raised at a Castle at present (F-06)."""
    mode = setup.figures.order_mode
    level = works.castles[castle_id].level
    if mode == "full":
        if kind == "farm":
            return min(MAX_LEVEL, level)
        farm = farm_level(works, setup, castle_id)
        return min(MAX_LEVEL, farm, level) if kind == "war_forge" else min(MAX_LEVEL, farm)
    if mode == "forge_only" and kind == "war_forge":
        return min(MAX_LEVEL, level)
    return MAX_LEVEL


def ceiling(state: State, building_id: str) -> int:
    """Return the level up to which a building can be raised at present (F-06)."""
    one = state.works.buildings[building_id]
    return kind_ceiling(state.works, state.setup, one.castle, one.kind)


def action_points(works: Works, setup: Setup, seat: str) -> int:
    """Return the Action Points of a Kingdom's turn: the base and the bonus of its active Embassies (F-04)."""
    levels = active_levels(works, seat, "embassy")
    cap = setup.figures.ap_embassy_cap
    if cap and setup.options.ap_cap_scope == "embassy":
        levels, cap = tuple([min(cap, level) for level in levels]), 0
    bonus = sum(levels) if setup.figures.ap_embassy_counted == "sum" else max(levels, default=0)
    return setup.figures.ap_base + (min(cap, bonus) if cap else bonus)


def ship_limit(works: Works, setup: Setup, seat: str, but: frozenset[str] = frozenset()) -> int:
    """Return how many ships a Kingdom may have: the levels of its active Harbors (F-18)."""
    return sum(active_levels(works, seat, "harbor", but))


def plane_limit(works: Works, setup: Setup, seat: str, but: frozenset[str] = frozenset()) -> int:
    """Return how many planes a Kingdom may have: the levels of its active Hangars (F-18)."""
    return sum(active_levels(works, seat, "hangar", but))


def produced_by(works: Works, setup: Setup, building_id: str) -> int:
    """Return how many soldiers a Barracks produces in a turn (F-21); 0 where it is none or does not work."""
    one = works.buildings[building_id]
    if one.kind != "barracks" or conditions(works)[building_id] != "active":
        return 0
    return one.level * setup.options.production_chips_per_level * setup.figures.army_chip_strength


# Links


def link_territories(works: Works, a: str, b: str) -> tuple[str, ...]:
    """Return the Castles whose Territories a link with these ends has (8.6): a Castle's own, a building's Castle's, none of a junction."""
    found: dict[str, None] = {}
    for end in (a, b):
        if end in works.castles:
            found[end] = None
        elif end in works.buildings:
            found[works.buildings[end].castle] = None
    return tuple(found)
