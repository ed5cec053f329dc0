"""The rule page a second time, slowly, on plain values: what the engine is compared with.

Nothing of the engine is used here. A position is the JSON state of the rule page's part 5.2; a world is the map, the
tables and the options. Movement is a breadth-first search by points, combat the formulas of part 7 as they stand.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
TABLES = json.loads((DATA / "tables.json").read_text())
MAPS = {plan["id"]: plan for plan in json.loads((DATA / "maps.json").read_text())}
OPTIONS = json.loads((DATA / "options.json").read_text())
AROUND = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
COST_RULE = {"farm": "HW-14", "town": "HW-15", "fort": "HW-16", "mine": "HW-17", "port": "HW-18"}
GROUND_RULE = {"farm": "HW-14", "town": "HWH-12", "fort": "HWH-12", "mine": "HW-17", "port": "HW-18"}


class World:
    """Map, tables and options of a match."""

    def __init__(self, plan: dict[str, Any], seats: str, options: dict[str, Any]) -> None:
        self.seats = list(seats)
        self.options = {**OPTIONS, **options}
        given = options.get("tables") or {}
        rows = {name: given.get(name) or TABLES[name] for name in TABLES}
        if given.get("attack_bonuses") is not None:
            rows["attack_bonuses"] = given["attack_bonuses"]
        self.bonuses = rows.pop("attack_bonuses")
        self.terrain, self.units, self.tiers, self.kinds = (
            {row["id"]: row for row in rows[name]} for name in ("terrain", "units", "settlements", "improvements")
        )
        self.hexes = {(q, r): (terrain, region) for q, r, terrain, region in plan["hexes"]}

    def cost(self, unit: dict[str, Any], hex_: tuple[int, int]) -> int | None:
        domain = "naval_cost" if self.units[unit["type"]]["class"] == "naval" else "land_cost"
        return self.terrain[self.hexes[hex_][0]][domain]

    def shoreline(self, hex_: tuple[int, int]) -> bool:
        near = [(hex_[0] + dq, hex_[1] + dr) for dq, dr in AROUND]
        return self.hexes[hex_][0] == "water" and any(self.hexes[n][0] != "water" for n in near if n in self.hexes)


def apart(one: Any, other: Any) -> int:
    dq, dr = one[0] - other[0], one[1] - other[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def ranges(world: World, state: dict[str, Any], id_: str) -> dict[tuple[int, int], int]:
    """Return the movement range: waves of one point each, a hex waits as many waves as it costs."""
    unit = state["units"][id_]
    taken = {tuple(one["hex"]) for one in state["units"].values()}
    start = tuple(unit["hex"])
    found: dict[tuple[int, int], int] = {start: 0}
    for points in range(unit["movement"] + 1):
        for here in [hex_ for hex_, cost in found.items() if cost == points]:
            for dq, dr in AROUND:
                there = (here[0] + dq, here[1] + dr)
                if there not in world.hexes or there in taken:
                    continue
                step = world.cost(unit, there)
                if step is None or points + step > unit["movement"]:
                    continue
                found[there] = min(points + step, found.get(there, points + step))
    del found[start]
    return found


def attack(world: World, state: dict[str, Any], by: str, on: str) -> int:
    one, other = state["units"][by], state["units"][on]
    value = world.units[one["type"]]["attack"]
    for row in world.bonuses:
        versus = world.units[other["type"]]["class"] in row["versus_class"] or other["type"] in row["versus_unit"]
        if row["unit"] == one["type"] and versus:
            value += row["bonus"]
    return value


def defence(world: World, state: dict[str, Any], id_: str, fortified: bool) -> int:
    unit = state["units"][id_]
    terms = [world.units[unit["type"]]["defence"], -unit["penalty"]]
    for one in state["buildings"].values():
        if one["hex"] != unit["hex"] or one["site"] is not None:
            continue
        owner = state["regions"][one["region"]]["owner"] if one["region"] else None
        if one["kind"] == "settlement" and owner == unit["owner"]:
            terms.append(world.tiers[one["tier"]]["defence_bonus"])
        elif one["kind"] == "fort" or (one["kind"] != "settlement" and owner == unit["owner"]):
            terms.append(world.kinds[one["kind"]]["defence_bonus"])
    if fortified:
        terms.append(world.options["fortify_bonus"])
    return max(0, sum(terms))


def strikes(world: World, state: dict[str, Any], attacker: str, target: str) -> list[dict[str, Any]]:
    least = world.options["min_damage"]
    one, other = state["units"][attacker], state["units"][target]
    value, guard = attack(world, state, attacker, target), defence(world, state, target, other["fortified"])
    damage = max(least, value - guard)
    left = max(0, other["hp"] - damage)
    done = [{"by": attacker, "on": target, "attack": value, "defence": guard, "damage": damage, "hp_after": left}]
    row = world.units[other["type"]]
    answers = row["attack"] >= 1 and row["class"] in world.options["retaliation_classes"]
    if world.units[one["type"]]["range"] == 1 and left > 0 and answers:
        value, guard = attack(world, state, target, attacker), defence(world, state, attacker, False)
        damage = max(least, value - guard)
        hp = max(0, one["hp"] - damage)
        done.append({"by": target, "on": attacker, "attack": value, "defence": guard, "damage": damage, "hp_after": hp})
    return done


def refusal(world: World, state: dict[str, Any], seat: str, type_: str, data: dict[str, Any]) -> str | None:
    """Return the id of the first rule that forbids a player's event."""
    if state["status"] != "running" or not state["players"][seat]["alive"]:
        return "HWH-42"
    if type_ == "player_resigned":
        return None
    if state["turn_player"] != seat:
        return "HWH-42"
    if type_ == "turn_ended":
        return None
    if type_ in ("unit_recruited", "settlement_upgraded"):
        return _building(world, state, seat, type_, data)
    id_ = data["attacker" if type_ == "unit_attacked" else "unit"]
    unit = state["units"].get(id_)
    if unit is None or unit["owner"] != seat:
        return "HWH-43"
    ask = {
        "unit_moved": _move,
        "unit_attacked": _attack,
        "unit_fortified": _fortify,
        "construction_started": _construct,
        "territory_captured": _capture,
    }
    return ask[type_](world, state, seat, unit, data)


def _move(world: World, state: Any, seat: str, unit: Any, data: Any) -> str | None:
    if unit["new"]:
        return "HW-25"
    if not data["path"]:
        return "HW-06"
    here, spent = unit["hex"], 0
    for there in data["path"]:
        if apart(here, there) != 1:
            return "HW-06"
        if tuple(there) not in world.hexes:
            return "HWH-37"
        cost = world.cost(unit, tuple(there))
        if cost is None:
            return "HW-05" if world.units[unit["type"]]["class"] == "naval" else "HW-04"
        if any(one["hex"] == list(there) for one in state["units"].values() if one is not unit):
            return "HW-07"
        spent += cost
        if spent > unit["movement"]:
            return "HW-08"
        here = there
    return None


def _spent(world: World, unit: Any) -> str | None:
    if unit["acted"]:
        return "HWH-07"
    return "HWH-06" if unit["movement"] < world.options["min_movement_to_act"] else None


def _attack(world: World, state: Any, seat: str, unit: Any, data: Any) -> str | None:
    row = world.units[unit["type"]]
    target = state["units"].get(data["target"])
    if unit["new"]:
        return "HW-25"
    if row["attack"] < 1 or row["range"] < 1:
        return "HWH-26"
    if unit["attacked"]:
        return "HW-31"
    if spent := _spent(world, unit):
        return spent
    if target is None or target["owner"] == seat:
        return "HWH-26"
    return "HW-27" if apart(unit["hex"], target["hex"]) > row["range"] else None


def _fortify(world: World, state: Any, seat: str, unit: Any, data: Any) -> str | None:
    if unit["type"] == "peasant":
        return "HW-36"
    if unit["new"]:
        return "HW-25"
    return "HWH-30" if unit["fortified"] else _spent(world, unit)


def _construct(world: World, state: Any, seat: str, unit: Any, data: Any) -> str | None:
    if unit["type"] != "peasant":
        return "HW-10"
    if unit["new"]:
        return "HW-25"
    if spent := _spent(world, unit):
        return spent
    if data["kind"] not in world.kinds:
        return "HWH-44"
    kind, hex_ = world.kinds[data["kind"]], tuple(data["hex"])
    if hex_ not in world.hexes:
        return "HWH-37"
    far = apart(unit["hex"], hex_)
    if not ((far == 0 and "own" in kind["reach"]) or (far == 1 and "adjacent" in kind["reach"])):
        return "HW-18" if kind["id"] == "port" else "HWH-08"
    if world.hexes[hex_][0] not in kind["terrain"] or (kind["shoreline_only"] and not world.shoreline(hex_)):
        return GROUND_RULE[kind["id"]]
    if any(one["hex"] == list(hex_) for one in state["units"].values() if one is not unit):
        return "HW-12"
    for one in state["buildings"].values():
        passes = kind["id"] == "fort" and one["kind"] == "settlement" and world.options["fort_on_settlement"]
        if one["hex"] == list(hex_) and not passes:
            return "HW-12"
    region = site_region(world, kind["id"], unit["hex"], hex_)
    if region is None:
        return "HW-12"
    owner = state["regions"][region]["owner"]
    free = owner is None and kind["id"] == "fort" and world.options["fort_build_region"] == "owned_or_neutral"
    if owner != seat and not free:
        return "HW-12"
    return COST_RULE[kind["id"]] if state["players"][seat]["gold"] < kind["cost"] else None


def site_region(world: World, kind: str, here: Any, hex_: tuple[int, int]) -> str | None:
    region = world.hexes[hex_][1]
    return world.hexes[tuple(here)][1] if region is None and kind == "port" else region


def _capture(world: World, state: Any, seat: str, unit: Any, data: Any) -> str | None:
    if unit["type"] != "peasant":
        return "HW-11"
    if unit["new"]:
        return "HW-25"
    if spent := _spent(world, unit):
        return spent
    here = [one for one in state["regions"].values() if one["seat"] == unit["hex"]]
    if not here:
        return "HW-13"
    return "HWH-15" if here[0]["owner"] == seat else None


def _owner(state: Any, one: Any) -> str | None:
    return None if one["kind"] == "fort" or one["region"] is None else state["regions"][one["region"]]["owner"]


def _building(world: World, state: Any, seat: str, type_: str, data: Any) -> str | None:
    one = state["buildings"].get(data["building" if type_ == "unit_recruited" else "settlement"])
    player = state["players"][seat]
    if one is None or one["site"] is not None:
        return "HWH-43"
    if _owner(state, one) != seat:
        return "HW-22"
    used = one["action_turn"] == state["turn_no"]
    if world.options["building_action_scope"] == "player":
        used = used or player["building_action_turn"] == state["turn_no"]
    standing = [unit for unit in state["units"].values() if unit["hex"] == one["hex"]]
    settlement = one["kind"] == "settlement"
    if type_ == "unit_recruited":
        recruits = world.tiers[one["tier"]]["recruits"] if settlement else world.kinds[one["kind"]]["recruits"]
        if not recruits:
            return "HWH-19"
        if used:
            return "HW-23"
        if data["type"] not in world.units:
            return "HWH-44"
        if data["type"] not in recruits:
            return "HWH-19"
        if standing:
            return "HW-25"
        return "HWH-38" if player["gold"] < world.units[data["type"]]["cost"] else None
    if not settlement:
        return "HW-22"
    if used:
        return "HW-23"
    if any(unit["owner"] != seat for unit in standing):
        return "HWH-17"
    tier = world.tiers[one["tier"]]
    if tier["upgrade_to"] is None:
        return "HWH-19"
    return "HWH-38" if player["gold"] < tier["upgrade_cost"] else None


def impossible(world: World, state: dict[str, Any], seat: str, type_: str, data: dict[str, Any]) -> bool:
    """Return whether a refused player's event is impossible (part 6.7)."""
    if state["status"] != "running" or not state["players"][seat]["alive"] or type_ == "turn_ended":
        return True
    units, buildings = state["units"], state["buildings"]
    for key in ("unit", "attacker"):
        if key in data and (data[key] not in units or units[data[key]]["owner"] != seat):
            return True
    if "target" in data and data["target"] not in units:
        return True
    for key in ("building", "settlement"):
        if key in data and (data[key] not in buildings or buildings[data[key]]["site"] is not None):
            return True
    if "type" in data and data["type"] not in world.units:
        return True
    if "kind" in data and data["kind"] not in world.kinds:
        return True
    hexes = [*data.get("path", []), *([data["hex"]] if "hex" in data else [])]
    if any(tuple(hex_) not in world.hexes for hex_ in hexes):
        return True
    if type_ == "unit_moved":
        return not data["path"]
    if type_ == "territory_captured":
        return all(one["seat"] != units[data["unit"]]["hex"] for one in state["regions"].values())
    if type_ == "settlement_upgraded":
        one = buildings[data["settlement"]]
        return one["kind"] != "settlement" or world.tiers[one["tier"]]["upgrade_to"] is None
    return False


def by_number(ids: Any) -> list[str]:
    return sorted(ids, key=lambda id_: int(id_[1:]))


def carry_out(
    world: World, before: dict[str, Any], seat: str, type_: str, data: dict[str, Any]
) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Return the state after a player's event and what a replay shows of it: its computed keys, then its consequences."""
    state = copy.deepcopy(before)
    told: list[tuple[str, dict[str, Any]]] = []
    players, units, buildings = state["players"], state["units"], state["buildings"]
    turn_no = state["turn_no"]
    if type_ == "unit_moved":
        unit = units[data["unit"]]
        cost = sum(world.cost(unit, tuple(hex_)) or 0 for hex_ in data["path"])
        computed = {"from": unit["hex"], "cost": cost, "movement_left": max(0, unit["movement"] - cost)}
        if unit["fortified"]:
            computed["fortify_ended"] = True
        unit.update(hex=list(data["path"][-1]), movement=computed["movement_left"], fortified=False)
        told.append((type_, computed))
    elif type_ == "unit_attacked":
        done = strikes(world, before, data["attacker"], data["target"])
        told.append((type_, {"strikes": done}))
        units[data["attacker"]].update(movement=0, acted=True, attacked=True, fortified=False)
        for blow in done:
            units[blow["on"]]["hp"] = blow["hp_after"]
        amount = world.options["catapult_penalty"]
        for blow in done:
            if units[blow["by"]]["type"] == "catapult" and blow["hp_after"] > 0 and amount:
                hit = units[blow["on"]]
                hit["penalty"] += amount
                added = {"unit": blow["on"], "amount": amount, "total": hit["penalty"], "round": state["round"]}
                told.append(("defence_penalty_added", added))
        for blow in done:
            if blow["hp_after"] == 0:
                gone = units.pop(blow["on"])
                told.append(("unit_defeated", {"unit": blow["on"], "by": blow["by"], "hex": gone["hex"]}))
    elif type_ == "unit_fortified":
        units[data["unit"]].update(fortified=True, movement=0, acted=True)
    elif type_ == "construction_started":
        kind = world.kinds[data["kind"]]
        region = site_region(world, data["kind"], units[data["unit"]]["hex"], tuple(data["hex"]))
        players[seat]["gold"] = max(0, players[seat]["gold"] - kind["cost"])
        del units[data["unit"]]
        id_ = f"b{state['next_building']}"
        state["next_building"] += 1
        site = {"builder": seat, "turns_left": kind["build_turns"]}
        buildings[id_] = {
            "kind": data["kind"],
            "hex": list(data["hex"]),
            "region": region,
            "site": site,
            "action_turn": None,
        }
        computed = {"building": id_, "region": region, "turns_left": site["turns_left"], "gold": players[seat]["gold"]}
        told.append((type_, computed))
    elif type_ == "territory_captured":
        told.append((type_, _take(world, state, seat, units[data["unit"]])))
        units[data["unit"]].update(movement=0, acted=True)
    elif type_ == "unit_recruited":
        one, row = buildings[data["building"]], world.units[data["type"]]
        players[seat]["gold"] = max(0, players[seat]["gold"] - row["cost"])
        id_ = f"u{state['next_unit']}"
        state["next_unit"] += 1
        units[id_] = {
            "type": data["type"],
            "owner": seat,
            "hex": one["hex"],
            "hp": row["hp"],
            "movement": 0,
            "acted": False,
            "attacked": False,
            "new": True,
            "fortified": False,
            "penalty": 0,
        }
        one["action_turn"] = players[seat]["building_action_turn"] = turn_no
        told.append((type_, {"unit": id_, "hex": one["hex"], "gold": players[seat]["gold"]}))
    elif type_ == "settlement_upgraded":
        one = buildings[data["settlement"]]
        tier = world.tiers[one["tier"]]
        players[seat]["gold"] = max(0, players[seat]["gold"] - tier["upgrade_cost"])
        one["tier"] = tier["upgrade_to"]
        one["action_turn"] = players[seat]["building_action_turn"] = turn_no
        told.append((type_, {"from": tier["id"], "to": tier["upgrade_to"], "gold": players[seat]["gold"]}))
    elif type_ == "turn_ended":
        _pass(world, state, told)
    elif type_ == "player_resigned":
        _leave(world, state, seat, "resigned", told)
    if state["status"] == "running":
        _who_is_out(world, state, told)
    return state, told


def _take(world: World, state: Any, seat: str, unit: Any) -> dict[str, Any]:
    region = next(id_ for id_, one in state["regions"].items() if one["seat"] == unit["hex"])
    inside = [id_ for id_ in by_number(state["buildings"]) if state["buildings"][id_]["region"] == region]
    sites = [id_ for id_ in inside if state["buildings"][id_]["site"] is not None]
    done = [id_ for id_ in inside if id_ not in sites and state["buildings"][id_]["kind"] != "fort"]
    seat_building = next(id_ for id_ in done if state["buildings"][id_].get("is_seat"))
    before = state["regions"][region]["owner"]
    state["regions"][region]["owner"] = seat
    for id_ in sites:
        if world.options["construction_on_capture"] == "cancel":
            del state["buildings"][id_]
        else:
            state["buildings"][id_]["site"]["builder"] = seat
    if world.options["captured_building_waits"]:
        for id_ in done:
            state["buildings"][id_]["action_turn"] = state["turn_no"]
    return {"settlement": seat_building, "region": region, "from_owner": before, "buildings": done, "sites": sites}


def _living(world: World, state: Any) -> list[str]:
    return [seat for seat in world.seats if state["players"][seat]["alive"]]


def _pass(world: World, state: Any, told: Any) -> None:
    order = world.seats
    at = order.index(state["turn_player"])
    for offset in range(1, len(order) + 1):
        seat = order[(at + offset) % len(order)]
        if state["players"][seat]["alive"]:
            break
    if at + offset >= len(order):
        if state["round"] == world.options["max_rounds"]:
            _finish(world, state, "round_limit", told)
            return
        state["round"] += 1
        cleared = []
        if world.options["catapult_penalty_expiry"] == "round_start":
            for id_ in by_number(state["units"]):
                if state["units"][id_]["penalty"] > 0:
                    cleared.append(id_)
                    state["units"][id_]["penalty"] = 0
        told.append(("round_started", {"round": state["round"], "penalties_cleared": cleared}))
    told.append(("turn_started", {"seat": seat, "round": state["round"]}))
    state["turn_no"] += 1
    state["turn_player"] = seat
    for unit in state["units"].values():
        if unit["owner"] == seat:
            unit.update(movement=world.units[unit["type"]]["movement"], acted=False, attacked=False, new=False)
            if world.options["catapult_penalty_expiry"] == "target_turn_start":
                unit["penalty"] = 0
    for id_ in by_number(state["buildings"]):
        one = state["buildings"][id_]
        if one["site"] is None or one["site"]["builder"] != seat:
            continue
        one["site"]["turns_left"] -= 1
        if one["site"]["turns_left"] == 0:
            one["site"] = None
            data = {"building": id_, "kind": one["kind"], "hex": one["hex"], "region": one["region"]}
            told.append(("construction_completed", data))
            if one["kind"] == "town":
                one.update(kind="settlement", tier="town", is_seat=False)
    if world.options["income_active"]:
        amount = 0
        for one in state["buildings"].values():
            if one["site"] is None and _owner(state, one) == seat:
                amount += world.tiers[one["tier"]]["income"] if "tier" in one else world.kinds[one["kind"]]["income"]
        state["players"][seat]["gold"] += amount
        told.append(("income_paid", {"seat": seat, "amount": amount, "gold": state["players"][seat]["gold"]}))


def _who_is_out(world: World, state: Any, told: Any) -> None:
    for seat in _living(world, state):
        mine = [unit for unit in state["units"].values() if unit["owner"] == seat]
        how = world.options["elimination"]
        if any(one["owner"] == seat for one in state["regions"].values()):
            continue
        if how == "no_seat_and_no_unit" and mine:
            continue
        if how == "no_seat_and_no_peasant" and any(unit["type"] == "peasant" for unit in mine):
            continue
        _leave(world, state, seat, "no_way_back", told)
    if len(_living(world, state)) <= 1:
        _finish(world, state, "last_standing", told)
    elif not state["players"][state["turn_player"]]["alive"]:
        _pass(world, state, told)


def _leave(world: World, state: Any, seat: str, reason: str, told: Any) -> None:
    place = len(_living(world, state))
    units = [id_ for id_ in by_number(state["units"]) if state["units"][id_]["owner"] == seat]
    regions = [id_ for id_, one in state["regions"].items() if one["owner"] == seat]
    sites = [
        id_
        for id_ in by_number(state["buildings"])
        if state["buildings"][id_]["site"] is not None and state["buildings"][id_]["site"]["builder"] == seat
    ]
    for id_ in units:
        del state["units"][id_]
    for id_ in regions:
        state["regions"][id_]["owner"] = None
    for id_ in sites:
        del state["buildings"][id_]
    state["players"][seat].update(gold=0, alive=False, place=place)
    told.append(
        (
            "player_eliminated",
            {
                "seat": seat,
                "reason": reason,
                "place": place,
                "units_removed": units,
                "regions_neutral": regions,
                "sites_removed": sites,
            },
        )
    )


def score(world: World, state: dict[str, Any], seat: str) -> list[int]:
    regions = sum(one["owner"] == seat for one in state["regions"].values())
    ranks = sum(
        world.tiers[one["tier"]]["rank"]
        for one in state["buildings"].values()
        if one["kind"] == "settlement" and _owner(state, one) == seat
    )
    hp = sum(unit["hp"] for unit in state["units"].values() if unit["owner"] == seat and unit["type"] != "peasant")
    return [regions, ranks, hp, state["players"][seat]["gold"]]


def _finish(world: World, state: Any, reason: str, told: Any) -> None:
    scores = {seat: score(world, state, seat) for seat in _living(world, state)}
    for seat in scores:
        state["players"][seat]["place"] = 1 + sum(other > scores[seat] for other in scores.values())
    state["status"] = "ended"
    places = [{"seat": seat, "place": state["players"][seat]["place"]} for seat in world.seats]
    placements = sorted(places, key=lambda one: one["place"])
    told.append(("match_ended", {"reason": reason, "placements": placements}))
