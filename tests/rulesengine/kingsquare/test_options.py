from __future__ import annotations

from typing import Any

import pytest

from rulesengine.kingsquare.figures import FIGURES as EDITIONS
from rulesengine.kingsquare.figures import KS_V3, KS_V4, KS_V5
from rulesengine.kingsquare.options import (
    FIGURES,
    HOUSE,
    KEYS,
    PARAMETERS,
    BeastFigures,
    OptionError,
    Options,
    field,
    parameters,
    read,
    written,
)

FLAG = ("yes", "no")
BEAST = {"strength": 1, "attack": 2, "defence": 3, "buff": 4}
RANKING = ["beasts", "power", "buildings", "king", "castles"]


def words(*good: str) -> tuple[list[Any], list[Any]]:
    return list(good), ["", "other", good[0].upper() + "x", 0, True, None, [good[0]]]


def flag() -> tuple[list[Any], list[Any]]:
    return ["yes", "no"], [True, False, 1, 0, "Yes", "true", None, ["yes"], {}]


def whole(least: int, most: int) -> tuple[list[Any], list[Any]]:
    return [least, most], [least - 1, most + 1, str(least), float(most), True, None, [least]]


def limit(least: int, most: int) -> tuple[list[Any], list[Any]]:
    between = [] if least == 1 else [1, least - 1]
    return [0, least, most], [*between, -1, most + 1, "0", "none", False, None]


def beast() -> tuple[list[Any], list[Any]]:
    wrong: list[Any] = [{}, {**BEAST, "speed": 1}, {**BEAST, "buff": 1000}, {**BEAST, "attack": -1}]
    wrong += [{**BEAST, "defence": "3"}, {**BEAST, "strength": True}, {"strength": 1}, [20, 10, 0, 10], 20, None]
    return [BEAST, dict.fromkeys(BEAST, 0), dict.fromkeys(BEAST, 999)], wrong


CASES: dict[str, tuple[list[Any], list[Any]]] = {
    "actions.repair": flag(),
    "ap.base": whole(0, 50),
    "ap.embassy_cap": limit(1, 50),
    "ap.embassy_counted": words("highest", "sum"),
    "army.chip_strength": whole(0, 50),
    "forge.combat_cap": whole(0, 50),
    "forge.max_per_castle": whole(0, 50),
    "fabric.enabled": flag(),
    "order.mode": words("none", "forge_only", "full"),
    "ladder": words("early", "present"),
    "king.start_level": words("recorded", "one"),
    "general.kind": words("piece", "person"),
    "slots.enabled": flag(),
    "institutions.single": words("embassy", "castle"),
    "districts.enabled": flag(),
    "road.bonus": ([0, "1/2"], [1, 0.5, "0", "yes", False, None]),
    "sortie.cost": whole(0, 50),
    "defender.return": (["1/2"], ["1/3", 0, 1, 0.5, None]),
    "seats.min": whole(2, 16),
    "seats.max": whole(2, 16),
    "turn.order": words("seat", "reverse_each_round", "rotate_first"),
    "setup.farm_level": whole(0, 1),
    "setup.king_at": words("capital", "free"),
    "setup.handicap": words("none", "recorded"),
    "cost.build": whole(0, 3),
    "cost.attack": whole(0, 3),
    "cost.forward": whole(0, 3),
    "cost.discover": whole(0, 3),
    "cost.engage": whole(0, 3),
    "ap.carry": whole(0, 3),
    "ap.cap_scope": words("kingdom", "embassy"),
    "build.level": whole(1, 3),
    "upgrade.step": whole(1, 3),
    "act.per_target_limit": limit(1, 3),
    "build.ready": words("at_once", "next_turn"),
    "production.chips_per_level": whole(1, 10),
    "production.resources": words("tally", "off"),
    "production.place": words("castle", "barracks"),
    "production.strict": flag(),
    "soldier.toughness": words("level_plus_1", "level", "flat"),
    "doctrine.sharing": words("connected", "territory", "kingdom"),
    "doctrine.levels_6_10": words("none", "defined"),
    "king.base": words("level", "level_minus_1"),
    "king.power": words("attack", "attack_plus_defence"),
    "king.scope": words("influence", "group"),
    "king.life": whole(0, 50),
    "king.alone": flag(),
    "measure.tolerance_ft10": whole(0, 5),
    "move.army_ft10": whole(10, 200),
    "move.ship_ft10": whole(10, 200),
    "move.group": words("slowest", "king", "fastest"),
    "road.bonus_mode": words("portion", "whole"),
    "rail.units_per_level": limit(1, 20),
    "forward.limit": limit(1, 3),
    "terrain.effects": words("basic", "none"),
    "territory.radius": (["level", 10, 100], ["fixed", 9, 101, 0, "10", True, None]),
    "castle.found": words("influence", "anywhere", "none"),
    "castle.max": limit(1, 20),
    "district.nested": flag(),
    "district.unique": flag(),
    "district.strict": flag(),
    "capital.succession": words("highest", "none"),
    "order.castle_cap": words("all", "capital"),
    "capture": words("none", "ruined_castle"),
    "slots.wall": flag(),
    "wall.max_per_castle": whole(0, 4),
    "unlock.scope": words("connected", "territory", "kingdom"),
    "university.unlock": (
        ["quarry:3", "none", "lumber_mill:1", "quarry:10"],
        ["quarry", "quarry:0", "quarry:11", "quarry: 3", "farm:1", "mill:2", 3, None, ["quarry:3"]],
    ),
    "farm.ruin": words("block_upgrades", "ignore"),
    "road.max_ft10": limit(10, 200),
    "road.direct_ft10": whole(0, 10),
    "road.admin": words("own", "own_or_allied"),
    "rail.allied": flag(),
    "road.cut": words("attack", "free"),
    "fabric.exempt_unconnected": flag(),
    "ship.attack": whole(0, 50),
    "ship.structure": whole(0, 50),
    "ship.cargo": whole(0, 50),
    "plane.attack": whole(0, 50),
    "plane.structure": whole(0, 50),
    "sortie.per": words("group", "plane"),
    "reach.army_ft10": whole(0, 50),
    "reach.ship_ft10": whole(0, 50),
    "attack.limit": limit(1, 3),
    "defence.allies": flag(),
    "fabric.protects": words("city", "castle_only"),
    "structure.per_level": whole(1, 50),
    "pressure.mode": words("touch", "strict", "advisory", "cascade"),
    "pressure.barracks": words("infrastructure", "military"),
    "loss.order": words("lowest", "highest", "defender_chooses"),
    "return.basis": words("power", "received"),
    "return.timing": words("before", "after"),
    "round": words("down", "up"),
    "castle.ruin": words("isolate", "keep"),
    "repair.restores": words("full", "step"),
    "repair.under_siege": flag(),
    "beast.dangerous": beast(),
    "beast.epic": beast(),
    "beast.legendary": beast(),
    "beast.credit": words("last_blow", "most_damage"),
    "beast.reward": words("buff", "glory_only"),
    "beasts.act": flag(),
    "discover.reach_ft10": whole(0, 100),
    "alliance.max": limit(1, 7),
    "alliance.notice": words("turn", "round"),
    "victory.allied": flag(),
    "general.capital_buildings": flag(),
    "king.absence_turns": whole(1, 10),
    "govern.rule": words("any_castle", "capital_only", "referee"),
    "eliminated.forces": words("disband", "neutral"),
    "neutral.attackable": flag(),
    "end.rounds": limit(1, 10_000),
    "end.minutes": limit(1, 10_000),
    "end.finish_round": flag(),
    "ranking.order": (
        [RANKING, RANKING[::-1]],
        [
            RANKING[1:],
            [*RANKING, "king"],
            ["king"] * 5,
            "castles,king",
            [],
            [1, 2, 3, 4, 5],
            [[], [], [], [], []],
            None,
        ],
    ),
    "ranking.ties": words("shared", "later_in_turn_order"),
    "surrender.allowed": flag(),
    "fabric.from": words("2026-07-04", "2026-07-10"),
    "appeal.hours": whole(0, 336),
    "observed.policy": words("hold", "engine"),
    "official.mapmaster": words("tournaments", "always", "never"),
}
GOOD = [(key, value) for key, (good, _) in CASES.items() for value in good]
WRONG = [(key, value) for key, (_, wrong) in CASES.items() for value in wrong]


def given(key: str, value: Any) -> dict[str, Any]:
    """Return options with one key, and its reason if it needs one."""
    return {key: value} if key in HOUSE else {key: value, "reasons": {key: "a test of this table"}}


def test_every_key_is_tried_here() -> None:
    assert list(CASES) == list(KEYS)


def test_nothing_given_is_the_edition_and_the_defaults() -> None:
    for figures in EDITIONS.values():
        assert read({}, figures) == (figures, Options())


@pytest.mark.parametrize(("key", "value"), GOOD)
def test_a_key_takes_its_values(key: str, value: Any) -> None:
    figures, options = read(given(key, value), KS_V5)
    changed, untouched = (figures, options) if key in FIGURES else (options, figures)
    assert written(key, getattr(changed, field(key))) == value
    assert untouched == (Options() if key in FIGURES else KS_V5)


@pytest.mark.parametrize(("key", "value"), WRONG)
def test_a_key_takes_nothing_else_and_says_what_it_takes(key: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"^{key} is .*; it must be .+"):
        read(given(key, value), KS_V5)


@pytest.mark.parametrize("key", ["rules_version", "end_rounds", "End.rounds", "", "x" * 500, "reasons.ap.base"])
def test_an_unknown_key_is_named(key: str) -> None:
    with pytest.raises(OptionError, match="there is no option") as raised:
        read({key: 1}, KS_V5)
    assert f'"{key[:50]}' in str(raised.value)
    assert len(str(raised.value)) < 200


def test_words_become_bools_and_lists_become_tuples() -> None:
    figures, options = read(
        {"district.strict": "yes", "king.alone": "no", "ranking.order": RANKING, "beast.epic": BEAST}, KS_V5
    )
    assert figures == KS_V5
    assert (options.district_strict, options.king_alone) == (True, False)
    assert options.ranking_order == tuple(RANKING)
    assert options.beast_epic == BeastFigures(1, 2, 3, 4)


def test_the_defaults_of_beasts_are_those_of_their_class() -> None:
    options = Options()
    assert options.beast_dangerous == BeastFigures(strength=20, attack=10, defence=0, buff=10)
    assert options.beast_epic == BeastFigures(strength=60, attack=30, defence=10, buff=20)
    assert options.beast_legendary == BeastFigures(strength=150, attack=80, defence=25, buff=40)


@pytest.mark.parametrize("key", FIGURES)
def test_a_figure_of_the_edition_needs_its_reason(key: str) -> None:
    value = CASES[key][0][0]
    for reasons in ({}, {"reasons": {}}, {"reasons": {"end.rounds": "for another key"}}):
        with pytest.raises(OptionError, match=f"^{key} changes a figure of the edition; say why"):
            read({key: value, **reasons}, KS_V5)


@pytest.mark.parametrize(
    "reasons",
    [None, [], "why", {"ap.base": ""}, {"ap.base": "  "}, {"ap.base": 1}, {"nothing": "why"}, {"rules_reason": "why"}],
)
def test_reasons_are_texts_of_known_keys(reasons: Any) -> None:
    with pytest.raises(OptionError, match=r"^reasons "):
        read({"ap.base": 3, "reasons": reasons}, KS_V5)


def test_a_house_rule_may_have_a_reason_too() -> None:
    assert read({"end.rounds": 6, "reasons": {"end.rounds": "a short evening"}}, KS_V5)[1].end_rounds == 6


@pytest.mark.parametrize("reason", ["", "   ", None, 1, ["why"], True])
def test_the_reason_for_another_edition_is_a_text(reason: Any) -> None:
    with pytest.raises(OptionError, match=r"^rules_reason is "):
        read({"rules_reason": reason}, KS_V5)
    assert read({"rules_reason": "replaying an old evening"}, KS_V5) == (KS_V5, Options())


def test_the_fabric_may_be_counted_from_its_recovery() -> None:
    late = {"fabric.from": "2026-07-10"}
    assert not read(late, KS_V3)[0].fabric_enabled
    assert read(late, KS_V4)[0].fabric_enabled
    assert read({}, KS_V3)[0].fabric_enabled
    assert read({**late, **given("fabric.enabled", "yes")}, KS_V3)[0].fabric_enabled


def test_every_key_is_a_parameter_with_its_default_as_a_header_writes_it() -> None:
    assert [parameter.name for parameter in PARAMETERS] == list(CASES)
    for parameter in PARAMETERS:
        figures, options = read(given(parameter.name, parameter.default), KS_V5)
        assert (figures, options) == (KS_V5, Options()), parameter.name
        assert parameter.values


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_defaults_of_figures_are_those_of_the_edition(edition: str) -> None:
    figures = EDITIONS[edition]
    for parameter in parameters(figures):
        assert read(given(parameter.name, parameter.default), figures)[0] == figures


def test_a_long_value_is_cut_in_the_sentence() -> None:
    with pytest.raises(OptionError) as raised:
        read({"end.rounds": "x" * 10_000}, KS_V5)
    assert len(str(raised.value)) < 200
