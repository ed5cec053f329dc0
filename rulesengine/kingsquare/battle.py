"""Attacks and sorties: what forbids them and the procedure of a battle (3.2, 8.5 and 8.6 of the rule page).

Everything that decides a battle is worked out from the state before it by :func:`reckon`; :class:`Field` then carries the
blows out, piece by piece, and tells what followed. Fights with beasts use both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.building import acted_on, often_enough
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.events import AttackMade, SortieFlown
from rulesengine.kingsquare.rules import KS_65, KS_71, KS_73, KSH_55, KSH_56, KSH_72, KSH_78, U_7
from rulesengine.kingsquare.state import Place, Plane, State
from rulesengine.kingsquare.war import (
    PRESSURE,
    Aim,
    Lost,
    Where,
    aim,
    armies_at,
    attackers_king,
    closed,
    defenders,
    divided,
    eliminate,
    in_scope,
    king_defence,
    lose,
    neutral,
    power,
    press,
    protection,
    settle_capitals,
    standing,
    without,
)
from rulesengine.kingsquare.works import conditions, in_use, not_ready, ruined, structure, with_damage, with_ruins

# What forbids an attack


def check_attack_made(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids an attack, in the order of 8.5."""
    data = cast(AttackMade, event.data)
    yield from own_units(state, event.seat, data.attackers)
    target = aim(state, data.target.kind, data.target.id, data.target.owner)
    if isinstance(target, str):
        yield U_7.refuses(f"the target {data.target.kind} {data.target.id!r}: {target}", "impossible")
        return
    yield from no_planes(state, data.attackers)
    yield from in_reach(state, data.attackers, target.where, data.distances_ft10, _named(target))
    yield from _target(state, event.seat, target)
    yield from attack_limit(state, data.attackers)
    yield from often_enough(state, target.id)


def check_sortie_flown(state: State, event: Event) -> Iterator[Refusal]:
    """Yield what forbids a sortie, in the order of 8.5."""
    data = cast(SortieFlown, event.data)
    yield from own_units(state, event.seat, data.planes)
    for unit in data.planes:
        if unit not in state.planes:
            yield U_7.refuses(f"{unit} is no plane; a sortie is flown by planes alone", "impossible")
    target = aim(state, data.target.kind, data.target.id, data.target.owner)
    if isinstance(target, str):
        yield U_7.refuses(f"the target {data.target.kind} {data.target.id!r}: {target}", "impossible")
        return
    for unit in data.planes:
        hangar = state.planes[unit].hangar
        if hangar not in state.works.buildings or not in_use(state, hangar):
            stands = conditions(state.works).get(hangar, "nowhere")
            yield KS_65.refuses(
                f"{unit} belongs to the Hangar {hangar}, which is {stands}; it must be active",
                nearest="planes of an active Hangar",
            )
            break
    yield from _target(state, event.seat, target)
    yield from attack_limit(state, data.planes)
    yield from often_enough(state, target.id)


def own_units(state: State, seat: str | None, units: Iterable[str]) -> Iterator[Refusal]:
    """Yield what is wrong with the units of an event: none of that name on the table, another's, or not ready yet (U-7)."""
    for unit in units:
        owner = state.owner_of(unit)
        if owner is None:
            yield U_7.refuses(f"there is no unit {unit[:50]!r} on the table", "impossible")
        elif owner != seat:
            yield U_7.refuses(f"{unit} belongs to {owner}, not to {seat}", "impossible")
        elif unit.startswith("king:") and not state.kingdoms[owner].king.alive:
            yield U_7.refuses(f"{unit} is no longer on the table", "impossible")
        elif unit in not_ready(state):
            yield U_7.refuses(f"{unit} was built this turn and is not ready before the next (KSH-11)", "impossible")


def order_given(state: State, order: Sequence[str] | None) -> Iterator[Refusal]:
    """Yield what is wrong with the order in which a defender lets soldiers fall (KSH-62)."""
    if order is None:
        return
    if state.setup.options.loss_order != "defender_chooses":
        yield U_7.refuses('the key "target_order" goes only with the option loss.order defender_chooses', "impossible")
    wrong = next((level for level in order if level not in {str(number) for number in range(11)}), None)
    if wrong is not None:
        yield U_7.refuses(
            f'"target_order" names {wrong[:40]!r}; it lists soldier levels as text, from "0" to "10"', "impossible"
        )


def no_planes(state: State, units: Iterable[str]) -> Iterator[Refusal]:
    """Yield a plane among the attackers (U-7)."""
    for unit in units:
        if unit in state.planes:
            yield U_7.refuses(f"{unit} is a plane; planes attack in a sortie", "impossible", "record a sortie_flown")


def in_reach(
    state: State, units: Iterable[str], places: Collection[Where], distances: Mapping[str, int] | None, what: str
) -> Iterator[Refusal]:
    """Yield the first unit out of reach: neither at one of the places nor declared near enough (KSH-55)."""
    options = state.setup.options
    for unit in units:
        place = state.place_of(unit)
        if unit in state.planes or (place is not None and place.where in places):
            continue
        reach = options.reach_ship_ft10 if unit in state.ships else options.reach_army_ft10
        far = (distances or {}).get(unit)
        if far is not None and far <= reach:
            continue
        stands = "nowhere" if place is None else f"{place.castle or place.field}"
        declared = "no distance is declared" if far is None else f"declared {feet(far)} away"
        yield KSH_55.refuses(
            f"{unit} at {stands} does not stand at {what}, {declared}; its reach is {feet(reach)}",
            nearest=f"within {feet(reach)} of {what}, or in its Territory",
        )
        return


def feet(ft10: int) -> str:
    """Return a length in words: ``7.5 ft``."""
    return f"{ft10 // 10}.{ft10 % 10} ft"


def _named(target: Aim) -> str:
    return target.id if target.kind in ("king", "castle") else f"{target.kind} {target.id}"


def _target(state: State, seat: str | None, target: Aim) -> Iterator[Refusal]:
    owner = target.owner
    if owner == seat or (seat is not None and state.allied(seat, owner)):
        whose = "own" if owner == seat else f"of {owner}, an ally"
        yield KSH_72.refuses(f"{_named(target)} is {whose}; neither own things nor an ally's may be attacked")
    if not state.setup.options.neutral_attackable and neutral(state, owner):
        yield KSH_78.refuses(f"{_named(target)} belongs to {owner}, and what is neutral may not be attacked here")
    if (first := closed(state, seat, target)) is not None:
        stands = ", ".join(first.stands[:4]) + (" …" if len(first.stands) > 4 else "")
        where = f"at {target.castle}" if target.castle is not None else "at the King's place"
        needed = "must have fallen" if first.must_fall else f"must have been pressed by {seat}"
        yield KS_71.refuses(
            f"{_named(target)} comes after {first.step} in the order of pressure, and {first.step} {where} {needed} first: "
            f"still standing: {stands}",
            nearest=f"attack {first.stands[0]}",
        )
    works = state.works
    if target.kind == "link":
        if works.links[target.id].cut:
            yield KS_73.refuses(f"the link {target.id} is cut already")
    elif target.kind in ("building", "castle"):
        one = works.buildings[target.id] if target.kind == "building" else works.castles[target.id]
        if ruined(state.setup, one):
            yield KS_73.refuses(f"{_named(target)} is a Ruin already ({one.damage} points of damage)")


def attack_limit(state: State, units: Iterable[str]) -> Iterator[Refusal]:
    """Yield the first unit that has attacked as often as ``attack.limit`` lets it (KSH-56)."""
    limit = state.setup.options.attack_limit
    if limit:
        for unit in units:
            if state.attacked.get(unit, 0) >= limit:
                yield KSH_56.refuses(
                    f"{unit} has attacked {state.attacked[unit]} times this turn; the limit is {limit}"
                )
                return


# What decides a battle


class Sides(Struct, frozen=True):
    """A battle worked out from the state before it (F-14 to F-17)."""

    attack: int
    """A: the attackers' Army Power."""
    defence: int
    """D: what protects the target."""
    power: int
    """P: the defenders' Army Power, of a beast its attack."""
    shield: int
    """The attacking King's defence, which is taken off what is returned; 0 out of scope."""
    king: str | None
    """The attackers' seat if their King is in scope."""
    defending_king: str | None = None
    """The target's owner if his King is in scope."""
    defenders: tuple[str, ...] = ()

    @property
    def net(self) -> int:
        """Return N, the net damage (F-16)."""
        return max(0, self.attack - self.defence)


def reckon(
    state: State,
    seat: str | None,
    units: Sequence[str],
    target: Aim,
    king_distance_ft10: int | None = None,
    defending_king_distance_ft10: int | None = None,
) -> Sides:
    """Return what an attack or sortie comes to. Planes lend the King no place."""
    near = [unit for unit in units if unit not in state.planes]
    king = attackers_king(state, seat, near, target.where, king_distance_ft10)
    defending = target.owner if in_scope(state, target.owner, target.where, defending_king_distance_ft10) else None
    against = defenders(state, target)
    return Sides(
        attack=power(state, units, king),
        defence=protection(state, target, defending is not None),
        power=power(state, against, defending),
        shield=shield(state, king),
        king=king,
        defending_king=defending,
        defenders=against,
    )


def shield(state: State, king: str | None) -> int:
    """Return the defence of the attackers' King, who is in scope if a seat is given."""
    return king_defence(state.setup, state.kingdoms[king].king.level) if king is not None else 0


def returned(state: State, power_or_net: int, shield: int) -> int:
    """Return R: half of what is given, less the attacking King's defence (F-17)."""
    return max(0, divided(state.setup.options, power_or_net, 2) - shield)


def outcome(event: Event, sides: Sides) -> Mapping[str, int] | None:
    """Return the referee's outcome of a battle, if there is one within 0 … A and 0 … P (8.6)."""
    given = event.outcome
    if given is None or not (0 <= given["net"] <= sides.attack and 0 <= given["returned"] <= sides.power):
        return None
    return given


# Blows


class Field:
    """The pieces of a battle while it is carried out. What changed is put into a new state by :meth:`state`."""

    def __init__(self, before: State, told: Told, seat: str | None, order: Sequence[str] | None = None) -> None:
        self.before = before
        self.told = told
        self.seat = seat
        self.order = tuple(int(level) for level in order or ())
        self.armies = before.armies
        self.ships = before.ships
        self.planes = before.planes
        self.castles = before.works.castles
        self.buildings = before.works.buildings
        self.links = before.works.links
        self.kings: list[str] = []
        """Seats whose King was defeated."""
        self.losses: dict[str, dict[str, int]] = {}
        """By army, the soldiers lost by level as text."""
        self.damage: dict[str, int] = {}
        """By building, Castle, ship or plane, the damage it took."""
        self.ruins = False
        """Whether a building or Castle has become a Ruin."""
        self.pressed: dict[str, None] = {}

    def state(self) -> State:
        """Return the state with everything that has fallen or was damaged so far."""
        before, works = self.before, self.before.works
        now = before
        if self.links is not works.links or self.ruins:
            now = with_ruins(now, self.castles, self.buildings, self.links)
        elif self.castles is not works.castles or self.buildings is not works.buildings:
            now = with_damage(now, self.castles, self.buildings)
        if self.pressed or self.armies is not before.armies or self.damage:
            pressed = before.pressed.union(self.pressed) if self.pressed else before.pressed
            now = replace(now, armies=self.armies, ships=self.ships, planes=self.planes, pressed=pressed)
        return now

    def press(self, castle: str, step: str) -> None:
        """Note that a step of the order of pressure is pressed at a Castle (KSH-60)."""
        self.pressed.setdefault(press(self.seat, castle, step))

    def armies_lose(self, ids: Sequence[str], damage: int) -> tuple[bool, int]:
        """Let armies that are one target lose soldiers; return whether any fell and what is left when all have fallen."""
        stacks = [(id_, self.before.armies[id_].stacks) for id_ in ids]
        lost, rest = lose(self.before.setup, stacks, damage, self.order)
        self._fall(lost)
        return bool(lost), rest

    def _fall(self, lost: Lost) -> None:
        for id_, soldiers in lost.items():
            army = self.armies.get(id_)
            if army is None:
                continue
            if self.armies is self.before.armies:
                self.armies = self.armies.copy()
            left = without(army.stacks, soldiers)
            self.losses[id_] = {str(level): count for level, count in soldiers.items()}
            if left:
                self.armies[id_] = replace(army, stacks=left)
                self.told.add("soldiers_lost", id_, lost=self.losses[id_])
            else:
                del self.armies[id_]
                self.told.add("army_destroyed", id_, lost=self.losses[id_])

    def ship_hit(self, id_: str, damage: int) -> int:
        """Damage a ship, which sinks with its cargo at its full structure; return what is left over."""
        ship = self.ships.get(id_)
        if ship is None or damage < 1:
            return damage
        full = self.before.setup.options.ship_structure
        taken = min(damage, max(0, full - ship.damage))
        self.damage[id_] = self.damage.get(id_, 0) + taken
        self.ships = self.ships.copy()
        if ship.damage + taken < full:
            self.ships[id_] = replace(ship, damage=ship.damage + taken)
            self.told.add("structure_damaged", id_, damage=taken, left=full - ship.damage - taken)
        else:
            del self.ships[id_]
            self.told.add("ship_sunk", id_, cargo={str(level): count for level, count in ship.cargo.items()})
        return damage - taken

    def plane_hit(self, id_: str, damage: int) -> int:
        """Damage a plane, which is lost at its full structure; return what is left over."""
        plane = self.planes.get(id_)
        if plane is None or damage < 1:
            return damage
        full = self.before.setup.options.plane_structure
        taken = min(damage, max(0, full - plane.damage))
        self.damage[id_] = self.damage.get(id_, 0) + taken
        self.planes = self.planes.copy()
        if plane.damage + taken < full:
            self.planes[id_] = replace(plane, damage=plane.damage + taken)
        else:
            del self.planes[id_]
            self.told.add("plane_lost", id_)
        return damage - taken

    def structure_hit(self, id_: str, damage: int) -> int:
        """Damage a building or a Castle, which is a Ruin at its full structure; return what is left over."""
        one = self.buildings[id_] if id_ in self.buildings else self.castles[id_]
        full = structure(self.before.setup, one.level)
        taken = min(damage, max(0, full - one.damage))
        if taken < 1:
            return damage
        self.damage[id_] = taken
        if id_ in self.buildings:
            self.buildings = {**self.buildings, id_: replace(self.buildings[id_], damage=one.damage + taken)}
        else:
            self.castles = {**self.castles, id_: replace(self.castles[id_], damage=one.damage + taken)}
        left = full - one.damage - taken
        self.ruins = self.ruins or not left
        self.told.add("structure_damaged" if left else "structure_ruined", id_, damage=taken, left=left)
        return damage - taken

    def king_hit(self, seat: str, damage: int) -> bool:
        """Return whether damage defeats a King, and note it (KSH-22)."""
        if damage < 1 + self.before.setup.options.king_life:
            return False
        if seat not in self.kings:
            self.kings.append(seat)
            self.told.add("king_defeated", seat)
        return True

    def link_cut(self, id_: str) -> None:
        """Cut a link; press infrastructure wherever that isolated a building (8.6)."""
        link = self.links[id_]
        if link.cut:
            return
        self.links = {**self.links, id_: replace(link, cut=True)}
        self.told.add("link_cut", id_)
        works = self.before.works
        was, now = conditions(works), conditions(self.state().works)
        for building, condition in now.items():
            if condition == "isolated" and was[building] == "active":
                self.press(works.buildings[building].castle, "infrastructure")

    def strike_back(self, units: Sequence[str], damage: int) -> None:
        """Let the attackers take returned damage: soldiers, then ships, then planes; a King only if he came alone (KSH-63)."""
        if damage < 1:
            return
        before = self.before
        armies = [id_ for id_ in units if id_ in before.armies]
        armies.sort(key=lambda id_: before.armies[id_].created_seq)
        order, self.order = self.order, ()
        _, rest = self.armies_lose(armies, damage)
        self.order = order
        for id_ in before.ships:
            if rest and id_ in units:
                rest = self.ship_hit(id_, rest)
        for id_ in before.planes:
            if rest and id_ in units:
                rest = self.plane_hit(id_, rest)
        if len(units) == 1 and units[0].startswith("king:"):
            self.king_hit(units[0][5:], damage)


def strike(field: Field, target: Aim, net: int) -> None:
    """Apply net damage to a target, and with the option cascade let a surplus flow on in the order of pressure."""
    if net < 1:
        return
    if target.kind == "link":
        field.link_cut(target.id)
        return
    rest = _hit(field, target, net)
    if rest and field.before.setup.options.pressure_mode == "cascade":
        for following in _following(field.before, target):
            if not rest:
                return
            if following.kind == "king" and not _exposed(field, following):
                return
            rest = _hit(field, following, rest)


def _hit(field: Field, target: Aim, net: int) -> int:
    """Apply damage to one target, press its step if it had an effect, and return the surplus."""
    if target.armies:
        effect, rest = field.armies_lose(target.armies, net)
    elif target.kind == "king":
        effect, rest = field.king_hit(target.owner, net), 0
    else:
        hit: Mapping[str, Callable[[str, int], int]] = {"ship": field.ship_hit, "plane": field.plane_hit}
        rest = hit.get(target.kind, field.structure_hit)(target.id, net)
        effect = rest < net
    if effect and target.castle is not None and target.step is not None:
        field.press(target.castle, target.step)
    return rest


def _following(state: State, target: Aim) -> Iterator[Aim]:
    """Yield what comes after a target in the order of pressure at its place, as it stood before the battle."""
    seen = {target.id, *target.armies}
    if target.castle is not None and target.step is not None:
        found = [
            id_
            for step in PRESSURE[PRESSURE.index(target.step) :]
            for id_ in standing(state, target.castle, step)
            if id_ not in seen
        ]
    elif target.kind == "king":
        return
    else:
        where = target.where[0]
        found = [id_ for id_ in armies_at(state, target.owner, where) if id_ not in seen]
        for pieces in (state.ships, state.planes):
            found += [
                id_
                for id_, piece in pieces.items()
                if piece.kingdom == target.owner and piece.at.where == where and id_ not in seen
            ]
        king = state.kingdoms[target.owner].king if target.owner in state.kingdoms else None
        if king is not None and king.alive and king.at is not None and king.at.where == where:
            found.append(f"king:{target.owner}")
    for id_ in found:
        following = aim(state, _kind_of(state, id_), id_)
        if isinstance(following, Aim) and not (following.armies and seen & set(following.armies)):
            seen |= {id_, *following.armies}
            yield following


def _kind_of(state: State, id_: str) -> str:
    if id_.startswith("king:"):
        return "king"
    if id_ in state.armies:
        return "army"
    if id_ in state.ships:
        return "ship"
    if id_ in state.planes:
        return "plane"
    return "building" if id_ in state.works.buildings else "castle"


def _exposed(field: Field, king: Aim) -> bool:
    """Return whether a surplus reaches a King: his Castle is a Ruin, in the field no army of his stands with him."""
    if king.castle is not None:
        return ruined(field.before.setup, field.castles[king.castle])
    return not any(army.kingdom == king.owner and army.at.where == king.where[0] for army in field.armies.values())


# The battle


def on_attack_made(state: State, event: Event, told: Told) -> State:
    """Carry out an attack."""
    data = cast(AttackMade, event.data)
    return _battle(state, event, told, data.attackers)


def on_sortie_flown(state: State, event: Event, told: Told) -> State:
    """Carry out a sortie; the planes that come back stand at their Hangars."""
    data = cast(SortieFlown, event.data)
    state = _battle(state, event, told, data.planes)
    home: dict[str, Plane] = {}
    for id_ in data.planes:
        plane = state.planes.get(id_)
        hangar = state.works.buildings.get(plane.hangar) if plane is not None else None
        if plane is not None and hangar is not None and plane.at.castle != hangar.castle:
            home[id_] = replace(plane, at=Place(castle=hangar.castle))
    return replace(state, planes={**state.planes, **home}) if home else state


def _battle(state: State, event: Event, told: Told, units: tuple[str, ...]) -> State:
    data = cast(AttackMade | SortieFlown, event.data)
    target = aim(state, data.target.kind, data.target.id, data.target.owner)
    if isinstance(target, str):
        return state
    sides = reckon(state, event.seat, units, target, data.king_distance_ft10, data.defending_king_distance_ft10)
    given = outcome(event, sides)
    field = Field(state, told, event.seat, data.target_order)
    net = sides.net if given is None else given["net"]
    strike(field, target, net)
    back = _returned(field, target, sides, net) if given is None else given["returned"]
    field.strike_back(units, back)
    for step in field.pressed:
        told.add("step_pressed", step)
    told.computed = computed(sides, net, back, field)
    state = fought(field, event, sides)
    attacked = {**state.attacked, **{unit: state.attacked.get(unit, 0) + 1 for unit in units}}
    return acted_on(replace(state, attacked=attacked), target.id)


def _returned(field: Field, target: Aim, sides: Sides, net: int) -> int:
    state = field.before
    options = state.setup.options
    if options.return_basis == "received":
        return 0 if neutral(state, target.owner) else returned(state, net, sides.shield)
    if options.return_timing == "before":
        return returned(state, sides.power, sides.shield)
    king = sides.defending_king if sides.defending_king not in field.kings else None
    left = power(field.state(), sides.defenders, king)
    return returned(state, left, sides.shield)


def computed(sides: Sides, net: int, back: int, field: Field) -> dict[str, Any]:
    """Return the figures of a battle that `observed` is compared with and a replay shows."""
    return {
        "net": net,
        "returned": back,
        "attack": sides.attack,
        "defence": sides.defence,
        "power": sides.power,
        "losses": field.losses,
        "damage": field.damage,
    }


def fought(field: Field, event: Event, sides: Sides) -> State:
    """Return the state after a battle: how much either side could do, new Capitals, Kingdoms without their King out."""
    state = field.state()
    battles = {**state.battles, event.seq: (sides.attack, sides.power)}
    state = settle_capitals(replace(state, battles=battles), field.told)
    return eliminate(state, field.kings, "king_defeated", event.seq, field.told) if field.kings else state


CHECKS: dict[type[Payload], Check] = {AttackMade: check_attack_made, SortieFlown: check_sortie_flown}
STEPS: dict[type[Payload], Step] = {AttackMade: on_attack_made, SortieFlown: on_sortie_flown}
