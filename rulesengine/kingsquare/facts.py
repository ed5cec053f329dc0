"""What careers count in a match of KingSquare, each figure with the event that is its evidence (6.3 to 6.5 of the rule page).

A fact ``KS-Fn`` is what the badge BDG-KS-n reads. Facts are a seat's: who earned them, its King or the General in office at that
moment as well, is told by the badge and by :func:`offices`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from rulesengine.game import FORFEITED, Carried, Fact, Office
from rulesengine.kingsquare import works
from rulesengine.kingsquare.state import OFFICIAL, Building, Castle, State

TOP_LEVEL = 10
BEAST_FACTS = {"dangerous": "KS-F9", "epic": "KS-F10", "legendary": "KS-F11"}

type Finder = Callable[[Carried, Any, State, State], Iterator[Fact]]
"""Yields the facts of one event: how it was carried out, its payload, the state before and after."""


def facts(carried: Iterable[Carried]) -> list[Fact]:
    """Return the facts of a whole replay in order of seq.

    Largest figures (``max``): ``KS-F1`` Castles at level 10 at the same time · ``KS-F2`` kinds of districts founded · ``KS-F3`` the
    King's level · ``KS-F4`` own buildings connected while none is isolated · ``KS-F5`` enemy buildings isolated by one cut ·
    ``KS-F6`` Action Points of a turn · ``KS-F7`` power of an attack · ``KS-F8`` power of an attack withstood without damage ·
    ``KS-F12`` level of soldiers from the second fire · ``KS-F14`` ships at the same time · ``KS-F19`` rounds of an alliance.
    Sums: ``KS-F9``, ``KS-F10``, ``KS-F11`` Dangerous Beasts, Epic Creatures, Legendary Monsters defeated · ``KS-F13`` units carried
    by rail · ``KS-F15`` targets struck down by sorties · ``KS-F16`` own Ruins repaired · ``KS-F17`` enemy Kings defeated ·
    ``KS-F18`` a first place · ``KS-F20`` a first place after the own Capital had been ruined · ``KS-F21`` discoveries.
    ``forfeited`` says that the seat forfeited: such a match is not credited to its King (ROD-02).
    """
    found: list[Fact] = []
    kinds: dict[str, set[str]] = {}
    concluded: dict[str, int] = {}
    ruined_capitals: set[str] = set()
    ended: State | None = None
    ended_seq = 0
    for one in carried:
        if one.event is None or not isinstance(one.before, State):
            continue
        before, after, seq = one.before, cast(State, one.step.state), one.seq
        data: Any = one.event.data
        if finder := FINDERS.get(one.event.type):
            found += finder(one, data, before, after)
        if one.event.type == "district_founded" and one.event.seat is not None:
            own = kinds.setdefault(one.event.seat, set())
            own.add(data.district_kind)
            found.append(Fact(one.event.seat, "KS-F2", len(own), seq, "max"))
        elif one.event.type == "alliance_accepted":
            concluded[data.alliance] = after.round
        elif one.event.type == "match_ended" and ended is not None:
            ended_seq = seq
        ruined_capitals |= {
            castle.kingdom
            for id_ in _told(one, "structure_ruined")
            if (castle := before.works.castles.get(id_)) is not None and castle.is_capital
        }
        if after.kingdoms is not before.kingdoms:
            found += _forfeits(before, after, seq)
        if ended is None and after.status == "ended" and before.status != "ended":
            ended, ended_seq = after, seq
    if ended is not None:
        found += _at_the_end(ended, ended_seq, concluded, ruined_capitals)
    return sorted(found, key=lambda fact: fact.seq)


def offices(carried: Iterable[Carried]) -> list[Office]:
    """Return who was General of which seat and from when to when, in order of appointment."""
    done: list[Office] = []
    serving: dict[str, tuple[str, int]] = {}
    for one in carried:
        after = one.step.state
        if not isinstance(after, State) or (isinstance(one.before, State) and one.before.kingdoms is after.kingdoms):
            continue
        for seat, kingdom in after.kingdoms.items():
            person, since = serving.get(seat, (None, 0))
            if kingdom.general_person == person:
                continue
            if person is not None:
                done.append(Office(seat, person, since, one.seq))
                del serving[seat]
            if kingdom.general_person is not None:
                serving[seat] = (kingdom.general_person, one.seq)
    done += [Office(seat, person, since, None) for seat, (person, since) in serving.items()]
    return sorted(done, key=lambda office: (office.since, office.seat))


# Events ---------------------------------------------------------------------------------------------------------------


def _castle_upgraded(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    seat, tall = _seat(one), [castle for castle in after.works.castles.values() if castle.level >= TOP_LEVEL]
    if after.works.castles[data.castle].level >= TOP_LEVEL:
        yield Fact(seat, "KS-F1", sum(castle.kingdom == seat for castle in tall), one.seq, "max")


def _king_upgraded(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    yield Fact(_seat(one), "KS-F3", after.kingdoms[_seat(one)].king.level, one.seq, "max")


def _network_grown(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    seat = _seat(one)
    own = [id_ for id_, building in after.works.buildings.items() if _owner(after, building) == seat]
    if all(works.condition(after.works, after.setup, id_) != "isolated" for id_ in own):
        connected = sum(works.connected(after.works, id_) for id_ in own)
        yield Fact(seat, "KS-F4", connected, one.seq, "max")


def _phase_advanced(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    if after.phase == "act":
        yield Fact(_seat(one), "KS-F6", after.ap_total, one.seq, "max")


def _attack_made(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    seat, power = _seat(one), after.battles.get(one.seq, (0, 0))[0]
    yield Fact(seat, "KS-F7", power, one.seq, "max")
    if data.target.kind == "link":
        isolated = [before.works.buildings[id_] for id_ in _told(one, "building_isolated")]
        hostile = sum(_is_enemy(before, seat, _owner(before, building)) for building in isolated)
        if hostile:
            yield Fact(seat, "KS-F5", hostile, one.seq, "max")
    defender = _withstood(one, data, before)
    if defender is not None and power and _is_enemy(before, seat, defender):
        yield Fact(defender, "KS-F8", power, one.seq, "max")
    yield from _kings_defeated(one, data, before, after)


def _withstood(one: Carried, data: Any, before: State) -> str | None:
    """Return whose Connected building or Castle an attack did not harm, None if it did, or struck at something else."""
    if (one.step.computed or {}).get("net") != 0:
        return None
    if data.target.kind == "castle":
        castle = before.works.castles.get(data.target.id)
        return castle.kingdom if castle is not None else None
    if data.target.kind == "building" and works.connected(before.works, data.target.id):
        return _owner(before, before.works.buildings[data.target.id])
    return None


def _sortie_flown(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    if _struck_down(data.target, before, after):
        yield Fact(_seat(one), "KS-F15", 1, one.seq)
    yield from _kings_defeated(one, data, before, after)


def _struck_down(target: Any, before: State, after: State) -> bool:
    """Return whether the target of a sortie was ruined, sunk, cut or destroyed by it."""
    if target.kind in ("building", "castle"):
        return not _is_ruin(before, target.id) and _is_ruin(after, target.id)
    if target.kind == "link":
        return not before.works.links[target.id].cut and after.works.links[target.id].cut
    if target.kind == "ship":
        return target.id not in after.ships
    if target.kind == "plane":
        return target.id not in after.planes
    if target.kind == "king":
        return False
    owner, where = _body(target, before)
    return not any(army.kingdom == owner and army.at.where == where for army in after.armies.values())


def _body(target: Any, state: State) -> tuple[str, tuple[str, str]]:
    """Return whose armies a target `army` or `garrison` is, and where they stand."""
    if target.kind == "army":
        army = state.armies[target.id]
        return army.kingdom, army.at.where
    return target.owner or state.works.castles[target.id].kingdom, ("castle", target.id)


def _kings_defeated(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    """Yield a defeated King for whoever defeated him: the attacker, or the defender if it was the attacker's own King."""
    seat = _seat(one)
    for loser in _told(one, "king_defeated"):
        winner = _target_owner(data.target, before) if loser == seat else seat
        if winner in before.kingdoms and winner != loser:
            yield Fact(winner, "KS-F17", 1, one.seq)


def _target_owner(target: Any, state: State) -> str:
    if target.kind == "castle":
        return state.works.castles[target.id].kingdom
    if target.kind == "building":
        return _owner(state, state.works.buildings[target.id])
    if target.kind == "link":
        return state.works.links[target.id].kingdom
    if target.kind in ("army", "garrison"):
        return _body(target, state)[0]
    return state.owner_of(target.id) or OFFICIAL


def _beast_engaged(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    for id_ in _told(one, "beast_defeated"):
        beast = after.beasts[id_]
        if beast.defeated_by in after.kingdoms:
            yield Fact(beast.defeated_by, BEAST_FACTS[beast.cls], 1, one.seq)


def _troops_produced(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    castle = before.works.buildings[data.building].castle
    forges = [id_ for id_ in works.of_castle(before.works, castle) if before.works.buildings[id_].kind == "war_forge"]
    ruined = [id_ for id_ in forges if _is_ruin(before, id_)]
    if len(forges) < 2 or not ruined:
        return
    cap = before.setup.figures.forge_combat_cap
    active = [id_ for id_ in forges if works.condition(before.works, before.setup, id_) == "active"]
    other = max((min(cap, before.works.buildings[id_].level) for id_ in active), default=0)
    if 0 < data.soldier_level <= other:
        yield Fact(_seat(one), "KS-F12", data.soldier_level, one.seq, "max")


def _rail_travelled(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    yield Fact(_seat(one), "KS-F13", len(data.units), one.seq)


def _ship_built(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    seat = _seat(one)
    yield Fact(seat, "KS-F14", sum(ship.kingdom == seat for ship in after.ships.values()), one.seq, "max")


def _structure_repaired(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    if data.target.kind not in ("building", "castle") or _target_owner(data.target, before) != _seat(one):
        return
    if _is_ruin(before, data.target.id) and not _is_ruin(after, data.target.id):
        yield Fact(_seat(one), "KS-F16", 1, one.seq)


def _discovery_made(one: Carried, data: Any, before: State, after: State) -> Iterator[Fact]:
    if data.result != "nothing":
        yield Fact(_seat(one), "KS-F21", 1, one.seq)


FINDERS: Mapping[str, Finder] = {
    "castle_upgraded": _castle_upgraded,
    "king_upgraded": _king_upgraded,
    "road_laid": _network_grown,
    "building_built": _network_grown,
    "phase_advanced": _phase_advanced,
    "attack_made": _attack_made,
    "sortie_flown": _sortie_flown,
    "beast_engaged": _beast_engaged,
    "troops_produced": _troops_produced,
    "rail_travelled": _rail_travelled,
    "ship_built": _ship_built,
    "structure_repaired": _structure_repaired,
    "discovery_made": _discovery_made,
}
"""What to look for, by the event that is the evidence."""


# The end --------------------------------------------------------------------------------------------------------------


def _forfeits(before: State, after: State, seq: int) -> Iterator[Fact]:
    for seat, kingdom in after.kingdoms.items():
        if kingdom.eliminated_cause == FORFEITED and before.kingdoms[seat].eliminated_cause != FORFEITED:
            yield Fact(seat, FORFEITED, 1, seq, "max")


def _at_the_end(end: State, seq: int, concluded: dict[str, int], ruined_capitals: set[str]) -> Iterator[Fact]:
    """Yield what is known with the result; the evidence is `match_ended` where it is recorded, else the event that ended it."""
    for seat, place in end.places:
        if place == 1:
            yield Fact(seat, "KS-F18", 1, seq)
            if seat in ruined_capitals:
                yield Fact(seat, "KS-F20", 1, seq)
    for id_, alliance in end.alliances.items():
        if alliance.status == "active" and id_ in concluded:
            for seat in alliance.kingdoms:
                yield Fact(seat, "KS-F19", end.round - concluded[id_] + 1, seq, "max")


# Helpers --------------------------------------------------------------------------------------------------------------


def _seat(one: Carried) -> str:
    return cast(str, one.event.seat if one.event is not None else None)


def _told(one: Carried, type_: str) -> list[str]:
    """Return the ids that the consequences of a type name."""
    return [follows.data["id"] for follows in one.step.consequences if follows.type == type_]


def _owner(state: State, building: Building) -> str:
    return state.works.castles[building.castle].kingdom


def _is_enemy(state: State, seat: str, other: str) -> bool:
    """Return whether something of this owner is an enemy's: another Kingdom's, not an ally's and not official."""
    return other in state.kingdoms and other != seat and not state.allied(seat, other)


def _is_ruin(state: State, id_: str) -> bool:
    structure: Building | Castle | None = state.works.buildings.get(id_) or state.works.castles.get(id_)
    return structure is not None and structure.damage >= works.structure(state.setup, structure.level)
