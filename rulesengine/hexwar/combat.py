"""Who hits whom how hard: one calculation for the attack, the answer and the preview (HW-41)."""

from __future__ import annotations

from typing import TypedDict

from rulesengine.hexwar.state import State, Unit


class Strike(TypedDict):
    """One strike. `damage` is the formula's, even if it exceeds the HP that were left."""

    by: str
    on: str
    attack: int
    defence: int
    damage: int
    hp_after: int


def attack_value(state: State, unit: Unit, other: Unit) -> int:
    """Return the attack of a unit against another, its bonuses included (HW-33, HW-34)."""
    tables = state.setup.tables
    return tables.units[unit.type].attack + tables.bonuses.get((unit.type, other.type), 0)


def defence_value(state: State, unit: Unit, *, fortified: bool) -> int:
    """Return the defence of a unit where it stands: all terms summed, then not below zero (HWH-23)."""
    setup = state.setup
    value = setup.tables.units[unit.type].defence - unit.penalty
    if fortified:
        value += setup.options.fortify_bonus
    for id_ in state.built.get(unit.hex, ()):
        value += _building_bonus(state, id_, unit)
    return max(0, value)


def _building_bonus(state: State, id_: str, unit: Unit) -> int:
    one = state.buildings[id_]
    if one.site is not None:
        return 0
    tables = state.setup.tables
    row = tables.settlements[one.tier] if one.tier is not None else tables.improvements[one.kind]
    if one.kind != "fort" and (one.region is None or state.regions[one.region].owner != unit.owner):
        return 0
    return row.defence_bonus


def strikes(state: State, attacker: str, target: str) -> list[Strike]:
    """Return the one or two strikes of an attack, as if it were carried out now."""
    one, other = state.units[attacker], state.units[target]
    options = state.setup.options
    hp = {attacker: one.hp, target: other.hp}
    itself = attacker == target
    done = [_strike(state, attacker, target, hp, fortified=other.fortified and not itself)]
    kind = state.setup.tables.units[other.type]
    melee = state.setup.tables.units[one.type].range == 1
    if melee and hp[target] > 0 and kind.attack >= 1 and kind.cls in options.retaliation_classes:
        done.append(_strike(state, target, attacker, hp, fortified=False))
    return done


def _strike(state: State, by: str, on: str, hp: dict[str, int], *, fortified: bool) -> Strike:
    attack = attack_value(state, state.units[by], state.units[on])
    defence = defence_value(state, state.units[on], fortified=fortified)
    damage = max(state.setup.options.min_damage, attack - defence)
    hp[on] = max(0, hp[on] - damage)
    return {"by": by, "on": on, "attack": attack, "defence": defence, "damage": damage, "hp_after": hp[on]}
