"""The set-up parameters: what each may be, its default and its rules, and how a header's options are read.

The keys are those of the header, with their dots (``end.rounds``). Keys of the house rules make :class:`Options`; keys of
the edition's figures override :class:`~rulesengine.kingsquare.figures.Figures` for the match and need a reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from rulesengine.game import Parameter
from rulesengine.kingsquare.figures import KS_V3, KS_V5, Figures

STEPS_OF_RANKING = ("castles", "king", "buildings", "power", "beasts")
BEAST_FIGURES = ("strength", "attack", "defence", "buff")
NO_PARAMETERS = ("rules_reason", "reasons")
"""What options hold besides parameters: why another edition than the day's, and why each changed figure."""


class OptionError(ValueError):
    """An option that cannot be played under (KSH-83); the message says which, and what was expected."""


class BeastFigures(Struct, frozen=True):
    """The figures of a class of beasts."""

    strength: int
    attack: int
    defence: int
    buff: int


class Options(Struct, frozen=True):
    """The parameters of the house rules, each with its default. The header's dots are underscores here."""

    seats_min: int = 2
    seats_max: int = 8
    turn_order: Literal["seat", "reverse_each_round", "rotate_first"] = "seat"
    setup_farm_level: int = 1
    setup_king_at: Literal["capital", "free"] = "capital"
    setup_handicap: Literal["none", "recorded"] = "none"
    cost_build: int = 1
    cost_attack: int = 1
    cost_forward: int = 1
    cost_discover: int = 1
    cost_engage: int = 1
    ap_carry: int = 0
    ap_cap_scope: Literal["kingdom", "embassy"] = "kingdom"
    build_level: int = 1
    upgrade_step: int = 1
    act_per_target_limit: int = 0
    build_ready: Literal["at_once", "next_turn"] = "at_once"
    production_chips_per_level: int = 1
    production_resources: Literal["tally", "off"] = "tally"
    production_place: Literal["castle", "barracks"] = "castle"
    production_strict: bool = True
    soldier_toughness: Literal["level_plus_1", "level", "flat"] = "level_plus_1"
    doctrine_sharing: Literal["connected", "territory", "kingdom"] = "connected"
    doctrine_levels_6_10: Literal["none", "defined"] = "none"
    king_base: Literal["level", "level_minus_1"] = "level"
    king_power: Literal["attack", "attack_plus_defence"] = "attack"
    king_scope: Literal["influence", "group"] = "influence"
    king_life: int = 0
    king_alone: bool = True
    measure_tolerance_ft10: int = 1
    move_army_ft10: int = 50
    move_ship_ft10: int = 100
    move_group: Literal["slowest", "king", "fastest"] = "slowest"
    road_bonus_mode: Literal["portion", "whole"] = "portion"
    rail_units_per_level: int = 0
    forward_limit: int = 0
    terrain_effects: Literal["basic", "none"] = "basic"
    territory_radius: Literal["level"] | int = "level"
    castle_found: Literal["influence", "anywhere", "none"] = "influence"
    castle_max: int = 0
    district_nested: bool = False
    district_unique: bool = False
    district_strict: bool = False
    capital_succession: Literal["highest", "none"] = "highest"
    order_castle_cap: Literal["all", "capital"] = "all"
    capture: Literal["none", "ruined_castle"] = "none"
    slots_wall: bool = False
    wall_max_per_castle: int = 1
    unlock_scope: Literal["connected", "territory", "kingdom"] = "connected"
    university_unlock: str = "quarry:3"
    farm_ruin: Literal["block_upgrades", "ignore"] = "block_upgrades"
    road_max_ft10: int = 0
    road_direct_ft10: int = 0
    road_admin: Literal["own", "own_or_allied"] = "own"
    rail_allied: bool = True
    road_cut: Literal["attack", "free"] = "attack"
    fabric_exempt_unconnected: bool = False
    ship_attack: int = 5
    ship_structure: int = 10
    ship_cargo: int = 20
    plane_attack: int = 5
    plane_structure: int = 5
    sortie_per: Literal["group", "plane"] = "group"
    reach_army_ft10: int = 10
    reach_ship_ft10: int = 20
    attack_limit: int = 0
    defence_allies: bool = True
    fabric_protects: Literal["city", "castle_only"] = "city"
    structure_per_level: int = 10
    pressure_mode: Literal["touch", "strict", "advisory", "cascade"] = "touch"
    pressure_barracks: Literal["infrastructure", "military"] = "infrastructure"
    loss_order: Literal["lowest", "highest", "defender_chooses"] = "lowest"
    return_basis: Literal["power", "received"] = "power"
    return_timing: Literal["before", "after"] = "before"
    round: Literal["down", "up"] = "down"
    castle_ruin: Literal["isolate", "keep"] = "isolate"
    repair_restores: Literal["full", "step"] = "full"
    repair_under_siege: bool = True
    beast_dangerous: BeastFigures = BeastFigures(20, 10, 0, 10)
    beast_epic: BeastFigures = BeastFigures(60, 30, 10, 20)
    beast_legendary: BeastFigures = BeastFigures(150, 80, 25, 40)
    beast_credit: Literal["last_blow", "most_damage"] = "last_blow"
    beast_reward: Literal["buff", "glory_only"] = "buff"
    beasts_act: bool = False
    discover_reach_ft10: int = 10
    alliance_max: int = 0
    alliance_notice: Literal["turn", "round"] = "turn"
    victory_allied: bool = False
    general_capital_buildings: bool = True
    king_absence_turns: int = 3
    govern_rule: Literal["any_castle", "capital_only", "referee"] = "any_castle"
    eliminated_forces: Literal["disband", "neutral"] = "disband"
    neutral_attackable: bool = True
    end_rounds: int = 0
    end_minutes: int = 0
    end_finish_round: bool = True
    ranking_order: tuple[str, ...] = STEPS_OF_RANKING
    ranking_ties: Literal["shared", "later_in_turn_order"] = "shared"
    surrender_allowed: bool = True
    fabric_from: Literal["2026-07-04", "2026-07-10"] = "2026-07-04"
    appeal_hours: int = 72
    observed_policy: Literal["hold", "engine"] = "hold"
    official_mapmaster: Literal["tournaments", "always", "never"] = "tournaments"


class Bound(Struct, frozen=True):
    """What a key may be: `accepts` asks a header's value, `values` says it in words, `value` turns it into ours."""

    accepts: Callable[[Any], bool]
    values: str
    value: Callable[[Any], Any] = lambda given: given


def _is_whole(given: Any, least: int, most: int) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and least <= given <= most


def _whole(least: int, most: int) -> Bound:
    return Bound(lambda given: _is_whole(given, least, most), f"a whole number from {least} to {most}")


def _limit(least: int, most: int) -> Bound:
    """Return the bound of a number where 0 means that there is no limit."""
    return Bound(
        lambda given: _is_whole(given, 0, 0) or _is_whole(given, least, most),
        f"0 (no limit) or a whole number from {least} to {most}",
    )


def _words(*words: str) -> Bound:
    return Bound(
        lambda given: isinstance(given, str) and given in words,
        f'{", ".join(f'"{word}"' for word in words[:-1])} or "{words[-1]}"',
    )


YES_NO = Bound(lambda given: given in ("yes", "no"), '"yes" or "no"', lambda given: given == "yes")
MOST_ROUNDS = 10_000

FIGURES: Mapping[str, tuple[Bound, tuple[str, ...]]] = {
    "actions.repair": (YES_NO, ("KS-20", "KS-26")),
    "ap.base": (_whole(0, 50), ("KS-21",)),
    "ap.embassy_cap": (_limit(1, 50), ("KS-22",)),
    "ap.embassy_counted": (_words("highest", "sum"), ("KS-22", "KSH-08")),
    "army.chip_strength": (_whole(0, 50), ("KS-75", "KSH-12")),
    "forge.combat_cap": (_whole(0, 50), ("KS-06", "KS-54", "KS-57")),
    "forge.max_per_castle": (_whole(0, 50), ("KS-44", "KS-53")),
    "fabric.enabled": (YES_NO, ("KS-76",)),
    "order.mode": (_words("none", "forge_only", "full"), ("KS-28", "KS-29", "KS-30", "KS-31", "KS-55")),
    "ladder": (_words("early", "present"), ("KS-04", "KS-60", "KS-61", "KS-62", "KS-64")),
    "king.start_level": (_words("recorded", "one"), ("KS-32",)),
    "general.kind": (_words("piece", "person"), ("KS-47", "KS-51")),
    "slots.enabled": (YES_NO, ("KS-40",)),
    "institutions.single": (_words("embassy", "castle"), ("KS-23", "KS-43")),
    "districts.enabled": (YES_NO, ("KS-38",)),
    "road.bonus": (
        Bound(lambda given: _is_whole(given, 0, 0) or given == "1/2", '0 or "1/2"', lambda given: given == "1/2"),
        ("KS-08", "KSH-28"),
    ),
    "sortie.cost": (_whole(0, 50), ("KS-70",)),
    "defender.return": (Bound(lambda given: given == "1/2", '"1/2"'), ("KS-72",)),
}
"""The keys of an edition's figures, what each may be and the rules it belongs to."""


def _is_beast(given: Any) -> bool:
    return (
        isinstance(given, dict)
        and set(given) == set(BEAST_FIGURES)
        and all(_is_whole(figure, 0, 999) for figure in given.values())
    )


def _is_ranking(given: Any) -> bool:
    return (
        isinstance(given, list)
        and all(isinstance(step, str) for step in given)
        and sorted(given) == sorted(STEPS_OF_RANKING)
    )


UNLOCKS = ("none", *(f"{branch}:{level}" for branch in ("lumber_mill", "quarry") for level in range(1, 11)))
BEAST = Bound(
    _is_beast,
    "an object with strength, attack, defence and buff, each a whole number from 0 to 999",
    lambda given: BeastFigures(**given),
)

HOUSE: Mapping[str, tuple[Bound, tuple[str, ...]]] = {
    "seats.min": (_whole(2, 16), ("KSH-01",)),
    "seats.max": (_whole(2, 16), ("KSH-01",)),
    "turn.order": (_words("seat", "reverse_each_round", "rotate_first"), ("KSH-02",)),
    "setup.farm_level": (_whole(0, 1), ("KSH-03",)),
    "setup.king_at": (_words("capital", "free"), ("KSH-04",)),
    "setup.handicap": (_words("none", "recorded"), ("KSH-05",)),
    "cost.build": (_whole(0, 3), ("KSH-06",)),
    "cost.attack": (_whole(0, 3), ("KSH-06",)),
    "cost.forward": (_whole(0, 3), ("KSH-06",)),
    "cost.discover": (_whole(0, 3), ("KSH-06",)),
    "cost.engage": (_whole(0, 3), ("KSH-06",)),
    "ap.carry": (_whole(0, 3), ("KSH-07",)),
    "ap.cap_scope": (_words("kingdom", "embassy"), ("KSH-08",)),
    "build.level": (_whole(1, 3), ("KSH-09",)),
    "upgrade.step": (_whole(1, 3), ("KSH-09",)),
    "act.per_target_limit": (_limit(1, 3), ("KSH-10",)),
    "build.ready": (_words("at_once", "next_turn"), ("KSH-11",)),
    "production.chips_per_level": (_whole(1, 10), ("KSH-12",)),
    "production.resources": (_words("tally", "off"), ("KSH-13",)),
    "production.place": (_words("castle", "barracks"), ("KSH-14",)),
    "production.strict": (YES_NO, ("KSH-15",)),
    "soldier.toughness": (_words("level_plus_1", "level", "flat"), ("KSH-16",)),
    "doctrine.sharing": (_words("connected", "territory", "kingdom"), ("KSH-17",)),
    "doctrine.levels_6_10": (_words("none", "defined"), ("KSH-18",)),
    "king.base": (_words("level", "level_minus_1"), ("KSH-19",)),
    "king.power": (_words("attack", "attack_plus_defence"), ("KSH-20",)),
    "king.scope": (_words("influence", "group"), ("KSH-21",)),
    "king.life": (_whole(0, 50), ("KSH-22",)),
    "king.alone": (YES_NO, ("KSH-23",)),
    "measure.tolerance_ft10": (_whole(0, 5), ("KSH-25",)),
    "move.army_ft10": (_whole(10, 200), ("KSH-26",)),
    "move.ship_ft10": (_whole(10, 200), ("KSH-26",)),
    "move.group": (_words("slowest", "king", "fastest"), ("KSH-27",)),
    "road.bonus_mode": (_words("portion", "whole"), ("KSH-28",)),
    "rail.units_per_level": (_limit(1, 20), ("KSH-29",)),
    "forward.limit": (_limit(1, 3), ("KSH-30",)),
    "terrain.effects": (_words("basic", "none"), ("KSH-31",)),
    "territory.radius": (
        Bound(
            lambda given: given == "level" or _is_whole(given, 10, 100),
            '"level" or a whole number of tenths of a foot from 10 to 100',
        ),
        ("KSH-32",),
    ),
    "castle.found": (_words("influence", "anywhere", "none"), ("KSH-33",)),
    "castle.max": (_limit(1, 20), ("KSH-34",)),
    "district.nested": (YES_NO, ("KSH-35",)),
    "district.unique": (YES_NO, ("KSH-36",)),
    "district.strict": (YES_NO, ("KSH-36",)),
    "capital.succession": (_words("highest", "none"), ("KSH-37",)),
    "order.castle_cap": (_words("all", "capital"), ("KSH-38",)),
    "capture": (_words("none", "ruined_castle"), ("KSH-39",)),
    "slots.wall": (YES_NO, ("KSH-40",)),
    "wall.max_per_castle": (_whole(0, 4), ("KSH-41",)),
    "unlock.scope": (_words("connected", "territory", "kingdom"), ("KSH-43",)),
    "university.unlock": (
        Bound(
            lambda given: given in UNLOCKS,
            '"none", or "lumber_mill:" or "quarry:" and a level from 1 to 10 ("quarry:3")',
        ),
        ("KSH-44",),
    ),
    "farm.ruin": (_words("block_upgrades", "ignore"), ("KSH-46",)),
    "road.max_ft10": (_limit(10, 200), ("KSH-47",)),
    "road.direct_ft10": (_whole(0, 10), ("KSH-48",)),
    "road.admin": (_words("own", "own_or_allied"), ("KSH-49",)),
    "rail.allied": (YES_NO, ("KSH-50",)),
    "road.cut": (_words("attack", "free"), ("KSH-51",)),
    "fabric.exempt_unconnected": (YES_NO, ("KSH-52",)),
    "ship.attack": (_whole(0, 50), ("KSH-53",)),
    "ship.structure": (_whole(0, 50), ("KSH-53",)),
    "ship.cargo": (_whole(0, 50), ("KSH-53",)),
    "plane.attack": (_whole(0, 50), ("KSH-54",)),
    "plane.structure": (_whole(0, 50), ("KSH-54",)),
    "sortie.per": (_words("group", "plane"), ("KSH-54",)),
    "reach.army_ft10": (_whole(0, 50), ("KSH-55",)),
    "reach.ship_ft10": (_whole(0, 50), ("KSH-55",)),
    "attack.limit": (_limit(1, 3), ("KSH-56",)),
    "defence.allies": (YES_NO, ("KSH-57",)),
    "fabric.protects": (_words("city", "castle_only"), ("KSH-58",)),
    "structure.per_level": (_whole(1, 50), ("KSH-59",)),
    "pressure.mode": (_words("touch", "strict", "advisory", "cascade"), ("KSH-60", "KS-71")),
    "pressure.barracks": (_words("infrastructure", "military"), ("KSH-61",)),
    "loss.order": (_words("lowest", "highest", "defender_chooses"), ("KSH-62",)),
    "return.basis": (_words("power", "received"), ("KSH-63",)),
    "return.timing": (_words("before", "after"), ("KSH-63",)),
    "round": (_words("down", "up"), ("KSH-64",)),
    "castle.ruin": (_words("isolate", "keep"), ("KSH-65",)),
    "repair.restores": (_words("full", "step"), ("KSH-66",)),
    "repair.under_siege": (YES_NO, ("KSH-66",)),
    "beast.dangerous": (BEAST, ("KSH-67",)),
    "beast.epic": (BEAST, ("KSH-67",)),
    "beast.legendary": (BEAST, ("KSH-67",)),
    "beast.credit": (_words("last_blow", "most_damage"), ("KSH-68",)),
    "beast.reward": (_words("buff", "glory_only"), ("KSH-69",)),
    "beasts.act": (YES_NO, ("KSH-70",)),
    "discover.reach_ft10": (_whole(0, 100), ("KSH-71",)),
    "alliance.max": (_limit(1, 7), ("KSH-72",)),
    "alliance.notice": (_words("turn", "round"), ("KSH-72",)),
    "victory.allied": (YES_NO, ("KSH-73",)),
    "general.capital_buildings": (YES_NO, ("KSH-74",)),
    "king.absence_turns": (_whole(1, 10), ("KSH-75",)),
    "govern.rule": (_words("any_castle", "capital_only", "referee"), ("KSH-76",)),
    "eliminated.forces": (_words("disband", "neutral"), ("KSH-77",)),
    "neutral.attackable": (YES_NO, ("KSH-78",)),
    "end.rounds": (_limit(1, MOST_ROUNDS), ("KSH-79",)),
    "end.minutes": (_limit(1, MOST_ROUNDS), ("KSH-79",)),
    "end.finish_round": (YES_NO, ("KSH-79",)),
    "ranking.order": (
        Bound(_is_ranking, f"a list of {', '.join(STEPS_OF_RANKING)} in any order, each once", tuple),
        ("KSH-80",),
    ),
    "ranking.ties": (_words("shared", "later_in_turn_order"), ("KSH-81",)),
    "surrender.allowed": (YES_NO, ("KSH-82",)),
    "fabric.from": (_words("2026-07-04", "2026-07-10"), ("KSH-85",)),
    "appeal.hours": (_whole(0, 336), ("KSH-88",)),
    "observed.policy": (_words("hold", "engine"), ("KSH-89",)),
    "official.mapmaster": (_words("tournaments", "always", "never"), ("KSH-90",)),
}
"""The keys of the house rules, what each may be and the rules it belongs to."""

KEYS: Mapping[str, tuple[Bound, tuple[str, ...]]] = {**FIGURES, **HOUSE}


def field(key: str) -> str:
    """Return the name of a key in our structs: ``end.rounds`` → ``end_rounds``."""
    return key.replace(".", "_")


def written(key: str, value: Any) -> Any:
    """Return a value of :class:`Options` or :class:`Figures` as a header writes it: ``True`` → ``"yes"``."""
    if key == "road.bonus":
        return "1/2" if value else 0
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, BeastFigures):
        return asdict(value)
    return list(value) if isinstance(value, tuple) else value


def shown(figures: Figures) -> dict[str, Any]:
    """Return figures by key, as a header writes them."""
    return {key: written(key, getattr(figures, field(key))) for key in FIGURES}


def parameters(figures: Figures) -> tuple[Parameter, ...]:
    """Return all parameters of an edition with these figures, the figures first, defaults as a header writes them."""
    return tuple(
        Parameter(key, written(key, getattr(source, field(key))), bound.values, rules)
        for source, keys in ((figures, FIGURES), (Options(), HOUSE))
        for key, (bound, rules) in keys.items()
    )


PARAMETERS: tuple[Parameter, ...] = parameters(KS_V5)
"""The parameters of the newest edition."""


def read(header_options: Mapping[str, Any], edition_figures: Figures) -> tuple[Figures, Options]:
    """Return the figures and options in force under a header's options, given the figures of its edition.

    :raises OptionError: naming the key that is unknown, out of bounds or without its reason
    """
    given: dict[str, Any] = {}
    for key, value in header_options.items():
        if key in NO_PARAMETERS:
            continue
        if key not in KEYS:
            raise OptionError(f"there is no option {_brief(key)}; the known ones are the parameters of the rules")
        bound, _ = KEYS[key]
        if not bound.accepts(value):
            raise OptionError(f"{key} is {_brief(value)}; it must be {bound.values}")
        given[key] = bound.value(value)
    _reasons(header_options, {key for key in given if key in FIGURES})
    figures = replace(edition_figures, **{field(key): value for key, value in given.items() if key in FIGURES})
    options = Options(**{field(key): value for key, value in given.items() if key in HOUSE})
    if options.fabric_from == "2026-07-10" and edition_figures == KS_V3 and "fabric.enabled" not in given:
        figures = replace(figures, fabric_enabled=False)
    return figures, options


def _reasons(options: Mapping[str, Any], changed: set[str]) -> None:
    if "rules_reason" in options and not _is_text(options["rules_reason"]):
        raise OptionError(f"rules_reason is {_brief(options['rules_reason'])}; it must be a text that says why")
    reasons = options.get("reasons", {})
    if not isinstance(reasons, Mapping):
        raise OptionError(f"reasons is {_brief(reasons)}; it must be an object of keys and texts")
    for key, text in reasons.items():
        if key not in KEYS:
            raise OptionError(f"reasons names {_brief(key)}, which is no option; name keys of the options only")
        if not _is_text(text):
            raise OptionError(f"reasons has {_brief(text)} for {key}; it must be a text that says why")
    for key in FIGURES:
        if key in changed and key not in reasons:
            raise OptionError(f"{key} changes a figure of the edition; say why in reasons under {_brief(key)}")


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and bool(given.strip())


def _brief(value: Any) -> str:
    """Return a value as a header writes it, cut to a length that fits into a sentence."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"
