"""The riskiest sums of the rule page once more, written from its sentences and tables alone: nothing of the engine is used here.

Positions are plain dictionaries. The tables are those that people read on the page, not those that programs read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

KINDS_OF_GOODS = ("gold", "wood", "stone")

# key: gold/wood/stone, victory points, battle, what more against whom; four to a row
PROVINCE = """
statue 2/0/0 3 0 | chapel 3/0/1 5 0 | church 3/1/2 7 0 demons | cathedral 5/0/3 9 0
inn 1/1/0 0 0 | market 2/2/0 1 0 | farms 2/3/1 2 -1 | merchants_guild 3/1/2 4 0
guard_tower 1/0/1 1 1 | blacksmith 1/2/0 2 1 | barracks 2/2/1 4 0 | wizards_guild 3/2/2 6 2
palisade 0/2/0 0 1 zombies | stable 1/1/1 2 0 | stone_wall 2/0/2 2 1 | fortress 3/0/2 4 1
barricade 0/1/0 0 0 goblins | crane 0/1/1 1 0 | town_hall 2/1/1 2 0 | embassy 2/2/2 4 0
"""
ROWS = [[cell.split() for cell in line.split(" | ")] for line in PROVINCE.strip().splitlines()]
WHERE = {cell[0]: (row, col) for row, cells in enumerate(ROWS, 1) for col, cell in enumerate(cells, 1)}
PRICE = {cell[0]: [int(part) for part in cell[1].split("/")] for cells in ROWS for cell in cells}
POINTS = {cell[0]: int(cell[2]) for cells in ROWS for cell in cells}
BATTLE = {cell[0]: int(cell[3]) for cells in ROWS for cell in cells}
AGAINST = {cell[0]: cell[4] for cells in ROWS for cell in cells if len(cell) > 4}

# id: victory / defeat; year and strength stand in the id
CARDS = """
1-barbarians-2 1 gold / 1 any, 1 building
1-goblins-2 1 wood / 1 vp, 1 wood, 1 stone, 1 building
1-goblins-3 1 stone / 1 gold, 1 building
1-orcs-3 1 gold / 1 vp, 2 any
1-zombies-4 1 vp / 2 vp
2-goblins-3 1 wood / 1 vp, 2 wood, 2 stone, 1 building
2-goblins-4 1 stone / 2 gold, 1 building
2-orcs-4 1 gold / 2 any, 1 building
2-barbarians-5 1 gold / 1 vp, 2 any
2-zombies-5 1 vp / 2 vp
3-goblins-4 1 wood / 1 vp, 3 wood, 3 stone, 1 building
3-goblins-5 1 stone / 3 gold, 1 building
3-orcs-5 1 gold / 2 any, 1 building
3-demons-6 1 vp / 1 vp, 2 gold, 1 wood, 1 stone
3-zombies-6 1 vp / 2 vp
4-goblins-5 1 wood / 1 vp, 4 wood, 4 stone, 1 building
4-goblins-6 1 stone / 4 gold, 1 building
4-demons-6 1 gold / 4 any, 1 building
4-orcs-7 1 any / 2 any, 1 building
4-zombies-7 1 vp / 2 vp
5-barbarians-7 1 vp / 8 vp
5-barbarians-8 1 vp / 1 building
5-demons-8 2 vp / 2 vp, 1 building
5-demons-9 2 vp / 1 building
5-dragons-9 3 vp / 5 vp
"""


def _row(text: str) -> dict[str, int]:
    return {word: int(count) for count, word in (part.split() for part in text.split(", "))}


def _card(line: str) -> tuple[str, dict[str, Any]]:
    key, rest = line.split(" ", 1)
    won, lost = rest.split(" / ")
    _, kind, strength = key.split("-")
    return key, {"kind": kind, "strength": int(strength), "victory": _row(won), "defeat": _row(lost)}


ENEMIES = dict(_card(line) for line in CARDS.strip().splitlines())

HELP: dict[int, list[dict[str, int]]] = {
    1: [{"vp": 1}],
    2: [{"gold": 1}],
    3: [{"wood": 1}],
    4: [{"wood": 1}, {"gold": 1}],
    5: [{"soldiers": 1}],
    6: [{"gold": -1, "wood": 1, "stone": 1}, {"gold": 1, "wood": -1, "stone": 1}, {"gold": 1, "wood": 1, "stone": -1}],
    7: [{"any": 1, "plus_two": 1}],
    8: [{"gold": 2}],
    9: [{"wood": 1, "gold": 1}, {"wood": 1, "stone": 1}],
    10: [{"soldiers": 2, "look": 1}],
    11: [{"stone": 1, "wood": 1}, {"stone": 1, "gold": 1}],
    12: [{"any": 2, "plus_two": 1}],
    13: [{"stone": 3}],
    14: [{"vp": -1, "any": 3}],
    15: [{"gold": 1, "wood": 1, "stone": 1}],
    16: [{"gold": 4}],
    17: [{"any": 2, "vp": 3, "look": 1}],
    18: [{"gold": 1, "wood": 1, "stone": 1, "soldiers": 1}],
}
ASKED = {4, 6, 7, 9, 11, 12, 14, 17}
BOX = {"gold": 25, "wood": 20, "stone": 15, "plus_two": 20}

type Seat = dict[str, Any]
type Table = dict[str, Seat]


def goods(seat: Seat) -> int:
    return sum(seat[kind] for kind in KINDS_OF_GOODS)


def left_in_box(table: Table, piece: str) -> int:
    return max(0, BOX[piece] - sum(seat[piece] for seat in table.values()))


# Turn order, king's aid, envoy and reward -----------------------------------------------------------------------------


def turn_order(before: list[str], totals: dict[str, int], gone: list[str]) -> list[str]:
    """KB-34 and KB-140: bubble the smaller totals forward, equal ones stay; then those who resigned."""
    order = [one for one in before if one not in gone]
    for _ in order:
        for at in range(len(order) - 1):
            if totals[order[at]] > totals[order[at + 1]]:
                order[at], order[at + 1] = order[at + 1], order[at]
    return order + [one for one in before if one in gone]


def poorest(table: Table, playing: list[str]) -> list[str]:
    """KB-20, KB-21, KB-77."""
    fewest = min(len(table[one]["buildings"]) for one in playing)
    among = [one for one in playing if len(table[one]["buildings"]) == fewest]
    least = min(goods(table[one]) for one in among)
    return [one for one in among if goods(table[one]) == least]


def richest(table: Table, playing: list[str], at_zero: bool) -> list[str]:
    """KB-75."""
    most = max(len(table[one]["buildings"]) for one in playing)
    return [one for one in playing if len(table[one]["buildings"]) == most] if most or at_zero else []


def guilds(table: Table, playing: list[str], options: dict[str, Any]) -> None:
    """KB-31 on a table that changes."""
    for one in playing:
        if "merchants_guild" in table[one]["buildings"]:
            table[one]["gold"] += min(1, left_in_box(table, "gold")) if options["supply_limited"] else 1


# Influence and construction: which refusal comes first ----------------------------------------------------------------


def holds(have: list[int], group: list[int]) -> bool:
    return all(have.count(value) >= group.count(value) for value in group)


def influence(one: dict[str, Any], told: dict[str, Any]) -> tuple[str, str] | None:
    """The row `advisor_influenced` of part 5, from left to right."""
    number, coloured, white = told["advisor"], told["coloured"], told["white"]
    seat = one["seat"]
    tests: list[tuple[bool, str, str]] = [
        (not holds(one["coloured"], coloured) or not holds(one["white"], white), "KB-43", "impossible"),
        (number < 1 or number > 18, "KB-41", "impossible"),
        (told["plus_two"] and one["tokens"] == 0, "KB-44", "impossible"),
        (told["market"] not in (-1, 0, 1), "KB-45", "impossible"),
        (told["envoy"] and one["envoy"] != seat, "KB-47", "impossible"),
        (one["passed"], "KB-48", "irregular"),
        (one["on_turn"] != seat, "KB-40", "irregular"),
        (len(coloured) == 0, "KB-42", "irregular"),
        (sum(coloured + white) + 2 * int(told["plus_two"]) + told["market"] != number, "KB-41", "irregular"),
        (
            told["plus_two"] and one["token_used"] and one["options"]["plus_two_limit"] == "per_season",
            "KB-44",
            "irregular",
        ),
        (told["market"] != 0 and not one["market"], "KB-45", "irregular"),
        (told["market"] != 0 and one["market_used"], "KB-45", "irregular"),
        (
            told["market"] != 0 and told["plus_two"] and not one["options"]["market_with_plus_two"],
            "KB-45",
            "irregular",
        ),
    ]
    standing, blocked = one["standing"].get(number, []), number in one["blocked"]
    if told["envoy"]:
        tests += [
            (not standing and not blocked, "KB-47", "irregular"),
            (blocked and not one["options"]["envoy_overrides_block"], "KB-47", "irregular"),
            (seat in standing and not one["options"]["envoy_on_own_advisor"], "KB-47", "irregular"),
        ]
    else:
        tests.append((bool(standing) or blocked, "KB-46", "irregular"))
    return next(((rule, kind) for fails, rule, kind in tests if fails), None)


def price(owned: set[str], key: str) -> list[int]:
    """KB-62."""
    gold, wood, stone = PRICE[key]
    return [max(0, gold - 1) if WHERE[key][1] >= 3 and "crane" in owned else gold, wood, stone]


def construction(one: dict[str, Any], key: str, envoy: bool) -> tuple[str, str] | None:
    """The row `building_built` of part 5, from left to right."""
    owned = one["owned"]
    row, col = WHERE[key]
    short = any(have < due for have, due in zip(one["goods"], price(owned, key), strict=True))
    before = [name for name, (r, c) in WHERE.items() if r == row and c < col]
    tests = [
        (envoy and one["envoy"] != one["seat"], "KB-64", "impossible"),
        (key in owned, "KB-61", "impossible"),
        (short, "KB-62", "impossible"),
        (one["limit"] is not None and len(owned) + 1 > one["limit"], "KB-05", "impossible"),
        (envoy and one["built"] == 0, "KB-64", "irregular"),
        (not envoy and one["built"] > 0, "KB-64", "irregular"),
        (one["on_turn"] != one["seat"], "KB-60", "irregular"),
        (any(name not in owned for name in before), "KB-61", "irregular"),
    ]
    return next(((rule, kind) for fails, rule, kind in tests if fails), None)


# Help -----------------------------------------------------------------------------------------------------------------


def serve(
    table: Table,
    standing: dict[int, list[str]],
    options: dict[str, Any],
    answers: list[tuple[int, dict[str, int]] | None],
) -> Iterator[tuple[str, int]]:
    """KB-50 to KB-57 on a table that changes; yields whom and what it asks; the last of `answers` is then theirs (None: declined)."""
    limited = options["supply_limited"]
    for number in range(1, 19):
        for who in standing.get(number, []):
            seat = table[who]
            index, chosen = 0, {}
            if number in ASKED:
                if number == 6 and goods(seat) == 0:
                    continue
                yield who, number
                answer = answers[-1]
                if answer is None:
                    continue
                index, chosen = answer
            row = HELP[number][index]
            for piece, count in row.items():
                if count < 0:
                    seat[piece] += count
            for piece, count in row.items():
                if count > 0 and piece not in ("any", "look"):
                    seat[piece] += min(count, left_in_box(table, piece)) if limited and piece in BOX else count
            for piece, count in chosen.items():
                seat[piece] += count
            seat["looks"] += row.get("look", 0)
            if number in (5, 10, 18) and "stable" in seat["buildings"]:
                if options["stable_limit"] == "each_advisor" or not seat["stable"]:
                    seat["soldiers"] += 1
                seat["stable"] = True


# Winter and the end ---------------------------------------------------------------------------------------------------


def winter(
    table: Table, order: list[str], gone: list[str], enemy: dict[str, Any], die: int, options: dict[str, Any]
) -> list[dict[str, Any]]:
    """KB-88 to KB-94 on a table that changes; returns what is pending."""
    awaited: list[dict[str, Any]] = []
    winners: dict[str, int] = {}
    for who in order:
        if who in gone:
            continue
        seat = table[who]
        total = seat["soldiers"] + die
        for key in seat["buildings"]:
            total += BATTLE[key] + (1 if AGAINST.get(key) == enemy["kind"] else 0)
        if total > enemy["strength"] or (total == enemy["strength"] and "stone_wall" in seat["buildings"]):
            winners[who] = total
            for piece, count in enemy["victory"].items():
                if piece == "any":
                    awaited += [{"seat": who, "kind": "victory_good"}] * count
                elif piece == "vp" or not options["supply_limited"]:
                    seat[piece] += count
                else:
                    seat[piece] += min(count, left_in_box(table, piece))
            if "fortress" in seat["buildings"]:
                seat["vp"] += 1
        elif total < enemy["strength"]:
            awaited += beaten(seat, who, enemy["defeat"], options)
    best = [who for who, total in winners.items() if total == max(winners.values())]
    if len(best) == 1 or options["strongest_bonus_ties"] == "all":
        for who in best:
            table[who]["vp"] += 1
    for seat in table.values():
        seat["soldiers"] = 0
    if options["supply_limited"] and all(left_in_box(table, kind) == 0 for kind in KINDS_OF_GOODS):
        awaited = [one for one in awaited if one["kind"] != "victory_good"]
    return awaited


def beaten(seat: Seat, who: str, penalty: dict[str, int], options: dict[str, Any]) -> list[dict[str, Any]]:
    awaited: list[dict[str, Any]] = []
    seat["vp"] -= penalty.get("vp", 0)
    for kind in KINDS_OF_GOODS:
        seat[kind] = max(0, seat[kind] - penalty.get(kind, 0))
    owed = min(penalty.get("any", 0), goods(seat))
    owned = [kind for kind in KINDS_OF_GOODS if seat[kind] > 0]
    if owed == goods(seat) or len(owned) == 1:
        for kind in owned:
            seat[kind] -= min(owed, seat[kind])
    elif owed:
        awaited.append({"seat": who, "kind": "loss", "goods": owed})
    lost = penalty.get("building", 0)
    if options["building_loss_rule"] == "player_choice" and len(seat["buildings"]) > lost:
        return awaited + [{"seat": who, "kind": "building_loss"}] * lost
    for _ in range(lost):
        for col in (4, 3, 2, 1):
            there = [key for key in WHERE if WHERE[key][1] == col and key in seat["buildings"]]
            if there:
                seat["buildings"].remove(there[0])
                seat["vp"] -= POINTS[there[0]] if options["vp_lost_with_building"] else 0
                break
    return awaited


def scored(table: Table, gone: list[str], options: dict[str, Any]) -> dict[str, int]:
    """KB-95 on a table that changes; returns what each Cathedral gave."""
    given = {}
    for who, seat in table.items():
        if "cathedral" not in seat["buildings"] or who in gone:
            continue
        given[who] = goods(seat) // 2
        seat["vp"] += given[who]
        if options["cathedral_spends_goods"]:
            for _ in range(2 * given[who]):
                kind = next(one for one in KINDS_OF_GOODS if seat[one] > 0)
                seat[kind] -= 1
    return given


def placed(table: Table, gone: list[str], tiebreak: list[str]) -> dict[str, int]:
    """KB-96 and KB-140: how many are better, plus one; `gone` in the order of resigning."""

    def better(one: Seat, other: Seat) -> bool:
        if one["vp"] != other["vp"]:
            return bool(one["vp"] > other["vp"])
        for what in tiebreak:
            mine, theirs = (goods(it) if what == "goods" else len(it["buildings"]) for it in (one, other))
            if mine != theirs:
                return mine > theirs
        return False

    playing = [who for who in table if who not in gone]
    places = {who: 1 + sum(better(table[other], table[who]) for other in playing) for who in playing}
    for at, who in enumerate(gone):
        places[who] = len(table) - at
    return places
