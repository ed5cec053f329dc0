"""The set-up: what stands where, whose it is, and which rule refuses a header."""

from __future__ import annotations

from typing import Any

import pytest

from rulesengine.game import Refusal
from rulesengine.hexwar.editions import EDITIONS
from rulesengine.hexwar.maps import MAPS
from rulesengine.log import Header, Seat
from tests.rulesengine.hexwar.given import GAME, Match, data, header, plain


def refused(seats: int | str = 2, **options: Any) -> Refusal:
    """Return the refusal of a set-up."""
    answer = GAME.set_up(header(seats, **options))
    assert isinstance(answer, Refusal), "the set-up was accepted"
    assert answer.breach == "impossible"
    return answer


def test_hw_01_each_player_starts_with_a_city_a_peasant_of_5_hp_and_500_gold() -> None:
    match = Match(3)
    for seat, id_, home in (("A", "u1", "b1"), ("B", "u2", "b2"), ("C", "u3", "b3")):
        assert match.get(f"players.{seat}.gold") == 500
        assert match.get(f"buildings.{home}.tier") == "city"
        unit = match.get(f"units.{id_}")
        assert (unit["type"], unit["owner"], unit["hp"]) == ("peasant", seat, 5)


def test_hw_02_neutral_points_start_as_hamlets() -> None:
    match = Match()
    neutral = [id_ for id_, one in match.state.regions.items() if one.owner is None]
    assert neutral == ["north", "centre", "south"]
    tiers = {one.region: one.tier for one in match.state.buildings.values()}
    assert {tiers[id_] for id_ in neutral} == {"hamlet"}


def test_hwh_01_the_map_says_how_many_sit() -> None:
    answer = refused(3, map="HW-M1")
    assert answer.rule.id == "HWH-01"
    assert "2 players" in answer.because


def test_hwh_01_no_letter_sits_twice() -> None:
    answer = GAME.set_up(
        Header(log="annals/1", game="hexwar", played_on="2026-11-28", seats=(Seat("A"), Seat("A")), options={})
    )
    assert isinstance(answer, Refusal)
    assert (answer.rule.id, answer.breach) == ("HWH-01", "impossible")


def test_hwh_01_turn_order_is_the_order_of_the_headers_seats() -> None:
    match = Match("CAB")
    assert [match.state.players[seat].seat for seat in "CAB"] == [1, 2, 3]
    assert match.get("regions.home1.owner") == "C"
    order = []
    for _ in range(4):
        order.append(match.state.turn_player)
        match.end_turns()
    assert order == ["C", "A", "B", "C"]


def test_hwh_02_the_round_rises_when_the_order_starts_anew() -> None:
    match = Match(3)
    assert (match.state.round, match.state.turn_no) == (1, 1)
    match.end_turns(2)
    assert (match.state.round, match.state.turn_no) == (1, 3)
    match.end_turns()
    assert (match.state.round, match.state.turn_no, match.state.turn_player) == (2, 4, "A")
    match.do("C", "player_resigned").end_turns(2)
    assert (match.state.round, match.state.turn_player) == (3, "A")


def test_hwh_03_the_first_peasant_stands_on_its_city_and_must_leave_before_it_recruits() -> None:
    match = Match()
    assert match.get("units.u1.hex") == match.get("buildings.b1.hex") == [-2, 0]
    match.refused("HW-25", "A", "unit_recruited", building="b1", type="spearmen")
    match.do("A", "unit_moved", unit="u1", path=[[-1, 0]])
    assert match.allowed("A", "unit_recruited", building="b1", type="spearmen")


def test_hwh_10_each_region_has_one_seat_and_its_owner_owns_what_stands_in_it_but_forts() -> None:
    match = Match(4)
    assert [one.hex for one in match.state.buildings.values() if one.is_seat] == [
        one.seat for one in match.state.regions.values()
    ]
    assert match.get("buildings.b10.kind") == "fort"
    match.set("regions.centre.owner", "A").set("players.A.gold", 1000)
    match.build("port", (-4, 0), "west")
    assert match.allowed("A", "unit_recruited", building="b9", type="peasant")
    match.refused("HW-22", "A", "unit_recruited", building="b10", type="peasant")
    match.refused("HW-22", "A", "unit_recruited", building="b11", type="galley")
    match.set("regions.west.owner", "A")
    assert match.allowed("A", "unit_recruited", building="b11", type="galley")


def test_the_set_up_is_followed_by_the_first_round_and_turn() -> None:
    assert Match().consequences == [
        ("round_started", {"round": 1, "penalties_cleared": []}),
        ("turn_started", {"seat": "A", "round": 1}),
    ]


def test_the_state_after_the_set_up_has_exactly_the_keys_of_the_page() -> None:
    view = plain(GAME.view(Match().state))
    assert list(view) == [
        "status", "round", "turn_no", "turn_player", "players", "regions", "buildings", "units", "next_building",
        "next_unit",
    ]  # fmt: skip
    assert view["players"]["A"] == {"seat": 1, "gold": 500, "alive": True, "place": None, "building_action_turn": None}
    assert view["regions"]["west"] == {"seat": [-2, 0], "owner": "A"}
    assert list(view["buildings"]["b1"]) == ["kind", "tier", "hex", "region", "is_seat", "site", "action_turn"]
    assert view["units"]["u1"] == {
        "type": "peasant", "owner": "A", "hex": [-2, 0], "hp": 5, "movement": 2, "acted": False, "attacked": False,
        "new": False, "fortified": False, "penalty": 0,
    }  # fmt: skip
    assert (view["next_building"], view["next_unit"]) == (6, 3)


@pytest.mark.parametrize(("seats", "map_id", "regions"), [(2, "HW-M1", 5), (3, "HW-M2", 7), (4, "HW-M3", 9)])
def test_without_a_map_the_standard_one_for_the_seats_holds(seats: int, map_id: str, regions: int) -> None:
    match = Match(seats)
    assert match.state.setup.board.id == map_id
    assert len(match.state.regions) == regions
    assert match.state == Match(seats, map=map_id).state


def test_pre_placed_buildings_come_after_the_seats_in_the_order_of_ids() -> None:
    assert Match(4).get("buildings.b10") == {
        "kind": "fort",
        "hex": [0, 0],
        "region": "centre",
        "site": None,
        "action_turn": None,
    }


def test_the_map_is_looked_at_before_the_seats_and_the_seats_before_the_options() -> None:
    assert refused(5, map="nowhere", start_gold=-1).rule.id == "HWH-37"
    assert refused(5, map="HW-M1", start_gold=-1).rule.id == "HWH-01"
    assert refused(2, map="HW-M1", start_gold=-1).rule.id == "HWH-40"


def test_the_tables_and_maps_are_those_of_the_rule_page() -> None:
    from rulesengine.hexwar.tables import TABLES

    assert data("tables.json") == TABLES
    assert {plan["id"]: plan for plan in data("maps.json")} == MAPS


def test_the_editions_are_ordered_and_named() -> None:
    assert [edition.key for edition in EDITIONS] == ["hexwar-1"]


def test_every_rule_has_a_text_a_section_and_its_number() -> None:
    ids = [rule.id for rule in GAME.rules]
    assert ids == [f"HW-{n:02}" for n in range(1, 42)] + [f"HWH-{n:02}" for n in range(1, 45)]
    assert all(len(rule.text) > 20 and rule.section for rule in GAME.rules)
    assert all(rule.sourced == rule.id.startswith("HW-") for rule in GAME.rules)
    names = {parameter.name for parameter in GAME.parameters}
    assert {name for rule in GAME.rules for name in rule.parameters} == names
    assert all(GAME.rule(rule_id) for parameter in GAME.parameters for rule_id in parameter.rules)


def test_a_set_up_spelled_out_is_compared_with_map_seats_and_parameters() -> None:
    assert GAME.spelled_out(header(max_rounds=4)) == {
        "map": "HW-M1",
        "seats": ["A", "B"],
        "parameters": {"max_rounds": 4},
    }
    assert GAME.spelled_out(header(2, map="HW-M1"))["map"] == "HW-M1"


def test_the_rules_cited_for_what_all_games_share() -> None:
    cites = GAME.cites
    assert (cites.corrections.id, cites.confirmation.id) == ("HWH-39", "HWH-33")
    assert (cites.placements.id, cites.set_up.id) == ("HWH-34", "HWH-42")
