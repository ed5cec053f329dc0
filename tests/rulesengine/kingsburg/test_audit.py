"""What a second reading of the rule page found, and thousands of random positions against the model of :mod:`model`."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from rulesengine import shared
from rulesengine.kingsburg import consequences
from rulesengine.kingsburg.state import Standing
from rulesengine.replay import report as whole_report
from tests.rulesengine import playthrough
from tests.rulesengine.kingsburg import model
from tests.rulesengine.kingsburg.given import GAME, Match, event, found, malformed, written

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "kingsburg").glob("*.log.txt"))
ALLOWED: dict[str, list[Any]] = {
    "plus_two_limit": ["per_season", "per_advisor"],
    "market_with_plus_two": [True, False],
    "envoy_on_own_advisor": [True, False],
    "envoy_overrides_block": [True, False],
    "stable_limit": ["once_per_season", "each_advisor"],
    "reward_at_zero_buildings": [True, False],
    "supply_limited": [False, False, True],
    "building_token_limit": [None, 17],
    "building_loss_rule": ["rightmost_then_topmost", "player_choice"],
    "vp_lost_with_building": [True, False],
    "strongest_bonus_ties": ["all", "none"],
    "cathedral_spends_goods": [True, False],
    "final_tiebreak": [["goods", "buildings"], ["buildings", "goods"], ["goods"], ["buildings"], []],
}
SEEDS = range(60)
PURSE = ("vp", "gold", "wood", "stone", "plus_two", "soldiers")


def chosen_options(chance: random.Random) -> dict[str, Any]:
    return {name: chance.choice(values) for name, values in ALLOWED.items()}


def provinces(chance: random.Random) -> list[str]:
    """Return buildings as they can stand, gaps by lost ones included."""
    keys = [cell[0] for row in model.ROWS for cell in row[: chance.randint(0, 4)]]
    return [key for key in keys if chance.random() < 0.85]


def dealt(chance: random.Random, seats: str, most: int = 6) -> model.Table:
    """Return what each seat has."""
    return {
        seat: {
            "vp": chance.randint(-3, 30),
            **{kind: chance.choice([0, 0, 1, chance.randint(0, most)]) for kind in model.KINDS_OF_GOODS},
            "plus_two": chance.randint(0, 4),
            "soldiers": chance.randint(0, 6),
            "buildings": provinces(chance),
            "looks": 0,
            "stable": False,
        }
        for seat in seats
    }


def laid(match: Match, table: model.Table, gone: list[str]) -> Match:
    """Put a table before a match."""
    for seat, has in table.items():
        purse = {name: has[name] for name in PURSE}
        resigned = seat in gone
        match.give(seat, **purse, buildings=has["buildings"], resigned=resigned, passed=resigned)
    return match.at(resigned=tuple(gone))


def purses(match: Match) -> dict[str, dict[str, Any]]:
    return {
        seat: {**{name: getattr(one, name) for name in PURSE}, "buildings": sorted(one.buildings)}
        for seat, one in match.state.players.items()
    }


def of(table: model.Table) -> dict[str, dict[str, Any]]:
    return {
        seat: {**{name: has[name] for name in PURSE}, "buildings": sorted(has["buildings"])}
        for seat, has in table.items()
    }


def some_seats(chance: random.Random) -> tuple[str, list[str], list[str]]:
    """Return the seats, the turn order, and who resigned, the first one first: two at least still play."""
    seats = "ABCDE"[: chance.randint(2, 5)]
    order = chance.sample(seats, len(seats))
    gone = chance.sample(seats, chance.choice([0, 0, 0, chance.randint(0, len(seats) - 2)]))
    return seats, order, gone


def verdict(match: Match, seat: str | None, type_: str, **data: Any) -> tuple[str, str] | None:
    refusal = GAME.check(match.state, event(seat, type_, **data))
    return None if refusal is None else (refusal.rule.id, refusal.breach)


# The smallest inputs on which engine and page differed ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("owned", "wanted"), [(["chapel"], "church"), (["church"], "cathedral"), (["crane"], "town_hall")]
)
def test_kb_61_every_building_to_the_left_is_needed_and_not_the_next_alone(owned: list[str], wanted: str) -> None:
    match = Match().building().give("A", buildings=owned, gold=9, wood=9, stone=9)
    refusal = match.refused("KB-61", "irregular", "A", "building_built", building=wanted)
    first = "statue" if wanted != "town_hall" else "barricade"
    assert refusal.nearest == first
    assert match.allowed("A", "building_built", building=first)


def test_kb_61_an_accepted_gap_is_asked_for_before_the_row_goes_on() -> None:
    match = Match(2).building().give("A", gold=9, wood=9, stone=9)
    match.force("KB-61", "A", "building_built", building="chapel").do("B", "build_passed").do(None, "season_closed")
    match.building("summer").refused("KB-61", "irregular", "A", "building_built", building="church")
    match.do("A", "building_built", building="statue").do("B", "build_passed").do(None, "season_closed")
    assert match.building("autumn").allowed("A", "building_built", building="church")


def test_kb_87_a_printed_card_has_no_upper_bound() -> None:
    custom = {"kind": "orcs", "strength": 0, "victory": {"any": 61}, "defeat": {}}
    match = Match(2).winter().battle(custom, 1)
    assert match.awaited() == [(seat, "victory_good") for seat in "AB" for _ in range(61)]
    assert not malformed("enemy_revealed", custom={**custom, "strength": 10**6, "victory": {"gold": 10**6}})


@pytest.mark.parametrize("placements", [[], [{"seat": "A", "place": 1}, {"seat": "B", "place": 2}]])
@pytest.mark.parametrize("void", ["match_abandoned", "match_annulled"])
def test_kb_141_any_placements_differ_where_the_match_counts_for_nothing(void: str, placements: list[Any]) -> None:
    raw = written((None, void, {}), (None, "match_ended", {"placements": placements}), seats=2)
    assert found(raw) == [(2, "KB-96", "observed")]
    assert found(written((None, void, {}), (None, "match_ended", {}), seats=2)) == []


@pytest.mark.parametrize(
    ("path", "stands"), [("pending.0.seat", True), ("pending.00.seat", False), ("pending.3.seat", False)]
)
def test_kb_149_a_place_of_a_list_is_written_as_a_number(path: str, stands: bool) -> None:
    raw = written((None, "match_started", {"observed": {path: "A"}}))
    assert found(raw) == ([] if stands else [(1, "KB-149", "observed")])


def test_a_shared_first_place_is_read_back_as_what_it_is() -> None:
    match = Match(3, final_tiebreak=[]).give("A", vp=8, gold=1).give("C", vp=8).do(None, "time_called")
    assert match.places == {"A": 1, "C": 1, "B": 3}
    again = GAME.load(match.header, match.view)
    assert (again.drawn, GAME.view(again)) == (False, match.view)
    match = Match(2).give("A", vp=8).do(None, "draw_agreed", seats=["A", "B"])
    assert GAME.load(match.header, match.view).drawn


# Against the model ----------------------------------------------------------------------------------------------------


def test_the_tables_are_those_that_people_read() -> None:
    tables = GAME.tables
    assert [row["key"] for row in tables["buildings"]] == [*model.WHERE]
    for row in tables["buildings"]:
        key = row["key"]
        assert (row["row"], row["col"]) == model.WHERE[key]
        assert [row["gold"], row["wood"], row["stone"]] == model.PRICE[key]
        assert (row["vp"], row["battle"]) == (model.POINTS[key], model.BATTLE[key])
        assert row["versus"] == ({model.AGAINST[key]: 1} if key in model.AGAINST else {})
    assert {
        row["id"]: {name: row[name] for name in ("kind", "strength", "victory", "defeat")} for row in tables["enemies"]
    } == model.ENEMIES
    assert [row["year"] for row in tables["enemies"]] == [int(key[0]) for key in model.ENEMIES]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_failing_check_of_an_influence_is_cited(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        options = chosen_options(chance)
        match = Match(3, **options, two_player_block="recorded")
        have = sorted(chance.choices(range(1, 7), k=chance.randint(0, 3)))
        white = sorted(chance.choices(range(1, 7), k=chance.randint(0, 2)))
        standing = {n: chance.choices("ABC", k=chance.randint(1, 2)) for n in chance.sample(range(1, 19), 9)}
        one: dict[str, Any] = {
            "seat": "A",
            "coloured": have,
            "white": white,
            "tokens": chance.randint(0, 2),
            "token_used": chance.random() < 0.3,
            "market": chance.random() < 0.7,
            "market_used": chance.random() < 0.3,
            "envoy": chance.choice(["A", "A", "B", None]),
            "passed": chance.random() < 0.1,
            "on_turn": chance.choice("AAAAAB"),
            "standing": standing,
            "blocked": sorted(chance.sample(range(1, 19), 3)),
            "options": options,
        }
        group = chance.sample(have, chance.randint(0, len(have))) if chance.random() < 0.9 else [chance.randint(1, 6)]
        others = chance.sample(white, chance.randint(0, len(white))) if chance.random() < 0.9 else [3, 3, 3]
        token, more = chance.random() < 0.4, chance.choice([0, 0, 1, -1, -1, 2])
        exact = sum(group + others) + 2 * token + more
        told = {
            "advisor": exact if chance.random() < 0.85 else chance.randint(-1, 20),
            "coloured": group,
            "white": others,
            "plus_two": token,
            "market": more,
            "envoy": chance.random() < 0.4,
        }
        match.season("autumn", "influence", turn_index="ABC".index(one["on_turn"]), envoy_holder=one["envoy"])
        match.at(
            blocked=tuple(one["blocked"]),
            influence={n: tuple(Standing(seat, at) for at, seat in enumerate(on, 1)) for n, on in standing.items()},
        )
        used = [mark for mark in ("plus_two", "market") if one["token_used" if mark == "plus_two" else "market_used"]]
        match.give("A", coloured=tuple(have), white=tuple(white), plus_two=one["tokens"], passed=one["passed"])
        match.give("A", used=used, buildings=["inn", "market"] if one["market"] else ["inn"]).give("B", coloured=(1, 2))
        assert verdict(match, "A", "advisor_influenced", **told) == model.influence(one, told), (one, told)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_failing_check_of_a_construction_is_cited_and_the_price_is_paid(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        options = chosen_options(chance)
        owned = provinces(chance) if chance.random() < 0.8 else chance.sample([*model.WHERE], 17)
        one: dict[str, Any] = {
            "seat": "A",
            "owned": set(owned),
            "goods": [chance.randint(0, 5) for _ in range(3)],
            "envoy": chance.choice(["A", "A", "B", None]),
            "built": chance.choice([0, 0, 1, 2]),
            "on_turn": chance.choice("AAAB"),
            "limit": options["building_token_limit"],
        }
        key, envoy = chance.choice([*model.WHERE]), chance.random() < 0.4
        gold, wood, stone = one["goods"]
        match = Match(2, **options).building().at(turn_index="AB".index(one["on_turn"]), envoy_holder=one["envoy"])
        match.give("A", buildings=owned, gold=gold, wood=wood, stone=stone, built=one["built"])
        expected = model.construction(one, key, envoy)
        assert verdict(match, "A", "building_built", building=key, envoy=envoy) == expected, (one, key, envoy)
        if expected is None:
            match.do("A", "building_built", building=key, envoy=envoy)
            due = model.price(set(owned), key)
            assert match.goods("A") == tuple(have - paid for have, paid in zip(one["goods"], due, strict=True))
            assert match["A"].vp == model.POINTS[key]
            assert match.state.on_turn == ("A" if one["envoy"] == "A" and not envoy else "B")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_dice_set_the_turn_order(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        seats, order, gone = some_seats(chance)
        match = laid(Match(len(seats)), dealt(chance, seats), gone).season("summer", "roll", turn_order=tuple(order))
        totals = {}
        for seat in seats:
            if seat not in gone:
                dice = chance.choices(range(1, 5), k=3), chance.choices(range(1, 7), k=chance.randint(0, 1))
                match.give(seat, coloured=tuple(sorted(dice[0])), white=tuple(dice[1]), rolled=True)
                totals[seat] = sum(dice[0] + dice[1])
        match.do(None, "rolls_closed")
        assert [*match.state.turn_order] == model.turn_order(order, totals, gone)
        assert match.state.turn_index == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_aid_reward_and_envoy_go_where_the_page_says(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        seats, order, gone = some_seats(chance)
        options = chosen_options(chance)
        table = dealt(chance, seats, 2)
        playing = [one for one in order if one not in gone]
        for season in ("spring", "summer"):
            match = laid(Match(len(seats), **options), table, gone).season(season, "season_end")
            match.at(turn_order=tuple(order), envoy_holder=playing[0], aid_die_holder=playing[0]).do(
                None, "season_closed"
            )
            rich = model.richest(table, playing, options["reward_at_zero_buildings"]) if season == "spring" else []
            assert {one: match[one].vp - table[one]["vp"] for one in seats} == {one: int(one in rich) for one in seats}
            poor = model.poorest(table, playing)
            holder = (poor[0] if len(poor) == 1 else None) if season == "summer" else playing[0]
            assert match.state.envoy_holder == holder
            assert match.state.aid_die_holder == (None if season == "spring" else playing[0])
        enemy = {"kind": "orcs", "strength": 0, "victory": {}, "defeat": {}}
        match = laid(Match(len(seats)), table, gone).winter(2).at(turn_order=tuple(order)).battle(enemy, 6)
        poor = model.poorest(table, playing)
        assert match.state.year == 3
        assert match.state.aid_die_holder == (poor[0] if len(poor) == 1 else None)
        assert match.awaited() == ([(one, "aid_good") for one in poor] if len(poor) > 1 else [])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_advisors_help_in_order(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        seats, order, gone = some_seats(chance)
        options = chosen_options(chance)
        table = dealt(chance, seats, chance.choice([2, 9]))
        for has in table.values():
            has["plus_two"] = chance.choice([0, 4, 6])
        numbers = chance.sample(range(1, 19), chance.randint(0, 9))
        standing = {number: chance.choices(seats, k=chance.choice([1, 1, 2])) for number in sorted(numbers)}
        match = laid(Match(len(seats), **options), table, gone)
        match.dice("summer").at(
            turn_order=tuple(order), turn_index=order.index(next(s for s in order if s not in gone))
        )
        influence = {n: tuple(Standing(seat, 10 * n + at) for at, seat in enumerate(on)) for n, on in standing.items()}
        mixed = chance.sample(list(influence), len(influence))
        match.at(influence={n: influence[n] for n in mixed})
        for seat in order:
            if seat not in gone:
                match.do(seat, "influence_passed")
        there = {n: [seat for seat in on if seat not in gone] for n, on in standing.items()}
        answers: list[tuple[int, dict[str, int]] | None] = []
        for who, number in model.serve(table, there, options, answers):
            assert [(one.seat, one.advisor) for one in match.state.pending] == [(who, number)]
            assert match.state.help_pointer == number
            assert purses(match) == of(table)
            rows = [
                at
                for at, row in enumerate(model.HELP[number])
                if all(table[who][kind] + row.get(kind, 0) >= 0 for kind in model.KINDS_OF_GOODS)
            ]
            index, picked = chance.choice(rows), dict.fromkeys(model.KINDS_OF_GOODS, 0)
            for _ in range(model.HELP[number][index].get("any", 0)):
                kinds = [
                    kind
                    for kind in model.KINDS_OF_GOODS
                    if not options["supply_limited"] or model.left_in_box(table, kind) > picked[kind]
                ]
                if kinds:
                    picked[chance.choice(kinds)] += 1
            if number in (6, 14) and chance.random() < 0.2:
                answers.append(None)
                match.do(who, "help_taken", advisor=number, declined=True)
            else:
                answers.append((index, picked))
                match.do(who, "help_taken", advisor=number, alternative=index, any=picked)
        assert match.state.step == "build"
        assert purses(match) == of(table)
        assert {seat: match[seat].looks for seat in seats} == {seat: table[seat]["looks"] for seat in seats}
        assert {seat for seat in seats if "stable" in match[seat].used} == {s for s in seats if table[s]["stable"]}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_winter_comes_out_as_the_model_says(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        seats, order, gone = some_seats(chance)
        options = chosen_options(chance)
        table = dealt(chance, seats, chance.choice([2, 12]))
        key = chance.choice([*model.ENEMIES])
        enemy: Any = model.ENEMIES[key]
        shown: Any = key
        if chance.random() < 0.5:
            reward = {name: chance.randint(0, 3) for name in chance.sample(["gold", "wood", "stone", "vp", "any"], 2)}
            names = ["gold", "wood", "stone", "vp", "any", "building"]
            penalty = {name: chance.randint(0, 3) for name in chance.sample(names, 3)}
            kind = chance.choice(["goblins", "orcs", "zombies", "demons", "barbarians", "dragons"])
            enemy = shown = {"kind": kind, "strength": chance.randint(3, 9), "victory": reward, "defeat": penalty}
        die = chance.randint(1, 6)
        match = laid(Match(len(seats), **options), table, gone).winter(int(key[0])).at(turn_order=tuple(order))
        last = match.state.year == 5
        match.battle(shown, die)
        awaited = model.winter(table, order, gone, enemy, die, options)
        if last and not awaited:
            model.scored(table, gone, options)
        elif not awaited and match.state.phase == "spring":
            model.guilds(table, [one for one in order if one not in gone], options)
        assert purses(match) == of(table), (shown, die)
        assert match.state.enemies_seen == (shown,)
        if awaited:
            assert match.view["pending"] == awaited
            assert match.where == (int(key[0]), "winter", "battle_choices")
        else:
            assert match.state.finished == last


@pytest.mark.parametrize("seed", SEEDS)
def test_the_end_is_scored_as_the_model_says(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        seats, order, gone = some_seats(chance)
        options = chosen_options(chance)
        table = dealt(chance, seats, 3)
        for has in table.values():
            has["vp"] = chance.randint(38, 41)
            has["buildings"] = chance.choice([["statue"], ["inn"], has["buildings"], ["statue", "inn", "cathedral"]])
        match = laid(Match(len(seats), **options), table, gone).winter(5).at(turn_order=tuple(order))
        for seat in seats:
            match.give(seat, soldiers=0)
        nothing = {"kind": "orcs", "strength": 99, "victory": {}, "defeat": {}}
        match.battle(nothing, 1)
        given = model.scored(table, gone, options)
        places = model.placed(table, gone, options["final_tiebreak"])
        assert match.places == places
        assert [(one.place, seats.index(one.seat)) for one in GAME.outcome(match.state) or ()] == sorted(
            (place, seats.index(seat)) for seat, place in places.items()
        )
        assert GAME.result(match.state) == {
            seat: {
                "vp": has["vp"],
                "vp_before_cathedral": has["vp"] - given.get(seat, 0),
                "goods": model.goods(has),
                "buildings": len(has["buildings"]),
                "place": places[seat],
            }
            for seat, has in table.items()
        }


# Golden matches -------------------------------------------------------------------------------------------------------


def test_the_golden_matches_show_every_event_and_every_consequence() -> None:
    stood: set[str] = set()
    told: set[str] = set()
    for path in GOLDEN:
        found_here = whole_report(playthrough.log_in(path.read_text()), keep=True)
        refused = {one.seq for one in found_here.findings if one.kind != "observed"}
        stood |= {line.type for line in found_here.replay.log.lines if line.seq not in refused}
        told |= {follows.type for one in found_here.replay.carried for follows in one.step.consequences}
    missing = (GAME.payloads.keys() | shared.PAYLOADS.keys()) - GAME.not_used - stood
    assert missing == set(), f"no golden match of Kingsburg has an event {', '.join(sorted(missing))}"
    untold = (consequences.TYPES | {"match_ended"}) - told
    assert untold == set(), f"in no golden match of Kingsburg there follows {', '.join(sorted(untold))}"
