"""The engine against the slow second reading of the rule page, over random matches with good, bad and accepted events."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulesengine.game import Refusal
from tests.rulesengine.hexwar.given import GAME, data, event, header, plain, told
from tests.rulesengine.hexwar.slow_check import MAPS, World, carry_out, impossible, ranges, refusal, score, strikes

ISLES = {
    "id": "isles",
    "hexes": [
        [0, 0, "plain", "one"], [1, 0, "water", None], [2, 0, "hill", "two"], [0, 1, "water", "one"],
        [1, 1, "plain", None], [2, 1, "grassland", "two"], [-1, 1, "grassland", "one"], [-1, 2, "forest", "one"],
        [0, 2, "water", None], [1, 2, "mountain", "two"], [3, 0, "water", None], [-1, 0, "water", None],
    ],
    "regions": [
        {"id": "one", "seat": [0, 0], "start_seat": 2},
        {"id": "two", "seat": [2, 0], "start_seat": 1},
    ],
    "buildings": [
        {"kind": "port", "hex": [1, 0], "region": "one"},
        {"kind": "town", "hex": [-1, 2]},
        {"kind": "fort", "hex": [1, 1], "region": None},
        {"kind": "fort", "hex": [2, 0]},
    ],
}  # fmt: skip


def scenarios() -> list[tuple[int, dict[str, Any]]]:
    """Return seats and options that differ in every rule an option touches."""
    rich: dict[str, Any] = {"start_gold": 3000, "variant_name": "rich"}
    tables = data("tables.json")
    walls = [{**row, "defence_bonus": 1, "reach": ["own", "adjacent"]} for row in tables["improvements"]]
    marsh = [{**row, "land_cost": row["land_cost"] or 3} for row in tables["terrain"]]
    return [
        (2, {}),
        (3, {}),
        (4, {}),
        (2, {**rich, "max_rounds": 12}),
        (3, {**rich, "building_action_scope": "player", "fort_build_region": "owned_or_neutral"}),
        (4, {**rich, "fort_on_settlement": True, "income_active": True, "construction_on_capture": "cancel"}),
        (2, {**rich, "min_movement_to_act": 0, "captured_building_waits": False, "elimination": "no_seat"}),
        (2, {**rich, "catapult_penalty_expiry": "target_turn_start", "retaliation_classes": ["siege", "civilian"]}),
        (2, {**rich, "elimination": "no_seat_and_no_unit", "min_damage": 0, "fortify_bonus": 3, "catapult_penalty": 5}),
        (2, {**rich, "min_movement_to_act": 2, "map": ISLES}),
        (2, {**rich, "map": ISLES, "tables": {"improvements": walls, "terrain": marsh, "attack_bonuses": []}}),
    ]


def world_of(seats: int, options: dict[str, Any]) -> World:
    plan = options.get("map") or MAPS[{2: "HW-M1", 3: "HW-M2", 4: "HW-M3"}[seats]]
    return World(plan, "ABCD"[:seats], {key: value for key, value in options.items() if key != "map"})


WEIGHTS = {
    "unit_moved": 6, "turn_ended": 2, "unit_attacked": 8, "unit_recruited": 5, "settlement_upgraded": 1,
    "construction_started": 2, "territory_captured": 6, "unit_fortified": 1, "player_resigned": 0.01,
}  # fmt: skip


def good(chance: random.Random, state: Any) -> tuple[str, str, dict[str, Any]]:
    """Return a legal event, its type chosen by weight."""
    by_type: dict[str, list[Any]] = {}
    for one in GAME.legal(state):
        by_type.setdefault(one.type, []).append(one)
    type_ = chance.choices(list(by_type), [WEIGHTS[one] for one in by_type])[0]
    one = chance.choice(by_type[type_])
    return one.seat, type_, plain(one.data)


def wild(chance: random.Random, state: Any) -> tuple[str, str, dict[str, Any]]:
    """Return an event that may well be wrong."""
    view = GAME.view(state)
    units, buildings = [*view["units"], "u99"], [*view["buildings"], "b99"]
    mine = [id_ for id_, one in view["units"].items() if one["owner"] == view["turn_player"]] or units
    unit = chance.choice(mine if chance.random() < 0.8 else units)
    here = view["units"].get(unit, {"hex": [0, 0]})["hex"]

    def near(hex_: list[int], far: int = 1) -> list[int]:
        return [hex_[0] + chance.randint(-far, far), hex_[1] + chance.randint(-far, far)]

    path = [near(here)]
    while chance.random() < 0.5:
        path.append(near(path[-1]))
    fields: dict[str, dict[str, Any]] = {
        "unit_moved": {"unit": unit, "path": path if chance.random() < 0.97 else []},
        "unit_attacked": {"attacker": unit, "target": chance.choice(units)},
        "unit_fortified": {"unit": unit},
        "construction_started": {
            "unit": unit,
            "kind": chance.choice(["farm", "town", "fort", "mine", "port", "port", "temple"]),
            "hex": chance.choice([here, near(here), near(here, 2)]),
        },
        "territory_captured": {"unit": unit},
        "unit_recruited": {
            "building": chance.choice(buildings),
            "type": chance.choice([*state.setup.tables.units, "peasant", "dragon"]),
        },
        "settlement_upgraded": {"settlement": chance.choice(buildings)},
        "turn_ended": {},
    }
    type_ = chance.choice(list(fields))
    seat = view["turn_player"] if chance.random() < 0.9 else chance.choice(state.setup.seats)
    return seat, type_, fields[type_]


@pytest.mark.parametrize("number", range(len(scenarios())))
@pytest.mark.parametrize("accepting", [False, True], ids=["legal", "accepting"])
def test_the_engine_and_the_slow_reading_agree(number: int, accepting: bool) -> None:
    seats, options = scenarios()[number]
    world = world_of(seats, options)
    chance = random.Random(number * 10 + accepting)
    for _ in range(5):
        step = GAME.set_up(header(seats, **options))
        assert not isinstance(step, Refusal), step.because
        state = step.state
        for _ in range(170):
            if state.status != "running":
                break
            seat, type_, fields = good(chance, state) if chance.random() < 0.55 else wild(chance, state)
            view = plain(GAME.view(state))
            one = event(seat, type_, **fields)
            expected = refusal(world, view, seat, type_, fields)
            found = GAME.check(state, one)
            assert (found.rule.id if found else None) == expected, (seat, type_, fields, found)
            if found is not None:
                breach = "impossible" if impossible(world, view, seat, type_, fields) else "irregular"
                assert found.breach == breach, (seat, type_, fields, found)
                if breach == "impossible" or not accepting or chance.random() < 0.7:
                    continue
            if type_ == "unit_attacked" and fields["attacker"] == fields["target"]:
                continue
            then, shown = carry_out(world, view, seat, type_, fields)
            step = GAME.follow(state, one)
            assert plain(GAME.view(step.state)) == then, (seat, type_, fields)
            assert told(step, type_) == shown, (seat, type_, fields)
            assert GAME.view(state) == view, "a state handed out has changed"
            state = step.state


@pytest.mark.parametrize("number", range(len(scenarios())))
def test_range_preview_score_and_loading_agree_in_random_positions(number: int) -> None:
    seats, options = scenarios()[number]
    world, chance = world_of(seats, options), random.Random(number)
    step = GAME.set_up(header(seats, **options))
    assert not isinstance(step, Refusal)
    state = step.state
    for _ in range(120):
        if state.status != "running":
            break
        seat, type_, fields = good(chance, state)
        state = GAME.follow(state, event(seat, type_, **fields)).state
        view = plain(GAME.view(state))
        for id_, unit in state.units.items():
            assert GAME.reach(state, id_) == ranges(world, view, id_)
            other = chance.choice(list(state.units))
            if other != id_ and state.units[other].owner != unit.owner:
                assert GAME.preview(state, id_, other) == strikes(world, view, id_, other)
        again = GAME.load(header(seats, **options), view)
        assert GAME.view(again) == view
        assert (again.standing, again.built, again.alive, again.holders) == (
            state.standing,
            state.built,
            state.alive,
            state.holders,
        )
    if state.status == "ended":
        result = GAME.result(state)
        assert result is not None
        for row in result["scores"]:
            told_score = [row["regions"], row["ranks"], row["unit_hp"], row["gold"]]
            assert told_score == score(world, plain(GAME.view(state)), row["seat"])


@pytest.mark.parametrize("number", range(len(scenarios())))
def test_what_is_offered_is_legal_complete_and_in_a_fixed_order(number: int) -> None:
    seats, options = scenarios()[number]
    world, chance = world_of(seats, options), random.Random(number + 100)
    step = GAME.set_up(header(seats, **options))
    assert not isinstance(step, Refusal)
    state = step.state
    for _ in range(60):
        if state.status != "running":
            break
        offered = list(GAME.legal(state))
        assert offered == list(GAME.legal(state))
        view = plain(GAME.view(state))
        for one in offered:
            assert GAME.check(state, one) is None, one
            assert refusal(world, view, one.seat, one.type, plain(one.data)) is None
        keys = {(one.type, one.seat, str({k: v for k, v in plain(one.data).items() if k != "path"})) for one in offered}
        goals = {(one.data.unit, one.data.path[-1]) for one in offered if one.type == "unit_moved"}
        for _ in range(40):
            seat, type_, fields = wild(chance, state)
            if refusal(world, view, seat, type_, fields) is not None:
                continue
            if type_ == "unit_moved":
                goal = tuple(fields["path"][-1])
                assert (fields["unit"], goal) in goals or goal == state.units[fields["unit"]].hex
            else:
                assert (type_, seat, str(fields)) in keys, (seat, type_, fields)
        seat, type_, fields = good(chance, state)
        state = GAME.follow(state, event(seat, type_, **fields)).state
