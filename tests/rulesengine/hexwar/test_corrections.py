"""What the referee may do: accept an irregular event (6.7), set a value of the state (HWH-39), skip an event."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.rulesengine.hexwar.given import GAME, Match, event


def adjust(match: Match, path: str, old: Any, new: Any) -> Match:
    """Set a value as a referee does."""
    return match.do(None, "state_adjusted", "referee", path=path, old=old, new=new, reason="put right")


def refused(match: Match, path: str, old: Any, new: Any) -> str:
    """Return why a value cannot be set."""
    refusal = match.refused(
        "HWH-39", None, "state_adjusted", "referee", path=path, old=old, new=new, reason="put right"
    )
    assert refusal.breach == "impossible"
    return refusal.because


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("players.A.gold", 500, 300),
        ("units.u1.hp", 5, 1),
        ("units.u1.hex", [-2, 0], [-1, 0]),
        ("units.u1.hex.0", -2, -1),
        ("units.u1.fortified", False, True),
        ("regions.centre.owner", None, "B"),
        ("regions.west.owner", "A", None),
        ("buildings.b1.tier", "city", "castle"),
        ("buildings.b1.action_turn", None, 1),
        ("turn_player", "A", "B"),
        ("next_unit", 3, 9),
        ("round", 1, 12),
        ("regions.east", {"seat": [2, 0], "owner": "B"}, {"owner": "A", "seat": [2, 0]}),
        ("units", "present", {}),
    ],
)
def test_a_value_of_the_state_is_set(path: str, old: Any, new: Any) -> None:
    match = Match()
    expected = copy.deepcopy(GAME.view(match.state))
    *way, last = path.split(".")
    at: Any = expected
    for key in way:
        at = at[key]
    old = at[last] if old == "present" else old
    at[int(last) if isinstance(at, list) else last] = new
    adjust(match, path, old, new)
    assert GAME.view(match.state) == expected
    assert match.consequences == []
    assert GAME.view(GAME.load(match.header, expected)) == expected


def test_what_is_worked_out_follows_a_set_value() -> None:
    match = adjust(Match(), "units.u1.hex", [-2, 0], [-1, 0])
    assert match.allowed("A", "unit_recruited", building="b1", type="peasant")
    adjust(match, "regions.east.owner", "B", None)
    adjust(match, "units", GAME.view(match.state)["units"], {})
    adjust(match, "regions.centre.owner", None, "A")
    match.end_turns()
    assert match.followed("match_ended")[0]["reason"] == "last_standing"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("players.A.gold", 499, 300),
        ("players.A.gold", 500.0, True),
        ("players.A.gold", 500, "300"),
        ("players.A.gold", 500, 2.5),
        ("players.A.gold", 500, None),
        ("units.u1.new", 0, True),
        ("units.u1.new", False, 1),
        ("players.Z.gold", 500, 300),
        ("players.A.silver", None, 300),
        ("players", None, {}),
        ("units.u1.hex.2", None, 3),
        ("units.u1.hex.00", -2, -1),
        ("units.u1.hex.-1", 0, 1),
        ("units.u1.hex.x", 0, 1),
        ("units.u1.hex", [-2, 0], [90, 90]),
        ("units.u1.hex", [-2, 0], [0]),
        ("units.u1.type", "peasant", "dragon"),
        ("units.u1.owner", "A", "Z"),
        ("regions.west.owner", "A", "Z"),
        ("buildings.b1.tier", "city", "palace"),
        ("buildings.b1.kind", "settlement", "farm"),
        ("turn_player", "A", "Z"),
        ("status", "running", "paused"),
        ("next_unit", 3, 2),
        ("units.u1.hp.x", None, 1),
        ("", None, 1),
        (".", None, 1),
    ],
)
def test_hwh_39_a_set_value_must_be_there_be_told_right_and_fit(path: str, old: Any, new: Any) -> None:
    assert refused(Match(), path, old, new)


def test_hwh_39_new_keys_are_not_made_and_whole_objects_must_be_a_state() -> None:
    match = Match()
    units = GAME.view(match.state)["units"]
    assert "u01" in refused(match, "units", units, {"u01": units["u1"]})
    assert "colour" in refused(match, "units.u1", units["u1"], {**units["u1"], "colour": "red"})
    assert refused(match, "units.u1", units["u1"], {"type": "peasant"})
    assert refused(match, "units.u3", None, units["u1"])


def test_an_accepted_move_may_end_on_another_unit_and_both_stay_known() -> None:
    match = Match()
    other = match.put("spearmen", "B", (-1, 0))
    match.force("A", "unit_moved", unit="u1", path=[[-1, 0]])
    assert match.state.standing[(-1, 0)] == (other, "u1")
    match.do("A", "unit_moved", unit="u1", path=[[0, 0]])
    assert match.state.standing[(-1, 0)] == (other,)
    assert match.state.standing[(0, 0)] == ("u1",)


def test_an_accepted_path_pays_for_what_it_can_and_nothing_for_the_impassable() -> None:
    match = Match().force("A", "unit_moved", unit="u1", path=[[-3, 0], [-3, 1]])
    assert match.computed == {"from": [-2, 0], "cost": 1, "movement_left": 1}
    match = Match().force("A", "unit_moved", unit="u1", path=[[0, 0], [0, 1]])
    assert match.computed == {"from": [-2, 0], "cost": 3, "movement_left": 0}


def test_accepted_spending_stops_at_no_gold() -> None:
    match = Match().set("players.A.gold", 10).set("units.u1.hex", [-1, -1])
    match.force("A", "unit_recruited", building="b1", type="horsemen")
    assert (match.computed["gold"], match.get("units.u3.hp")) == (0, 10)
    match.force("A", "construction_started", unit="u1", kind="farm", hex=[-1, -1])
    assert match.computed["gold"] == 0
    match.end_turns(2).force("A", "settlement_upgraded", settlement="b1")
    assert (match.computed["gold"], match.get("buildings.b1.tier")) == (0, "castle")


def test_an_accepted_building_gets_the_region_it_would_get_owned_or_not() -> None:
    match = Match().set("units.u1.hex", [0, -2]).force("A", "construction_started", unit="u1", kind="port", hex=[0, -3])
    assert match.computed["region"] == "north"
    match = Match().set("units.u1.hex", [0, -2]).force("A", "construction_started", unit="u1", kind="farm", hex=[0, -3])
    assert match.computed["region"] is None
    assert match.end_turns(2).get("buildings.b6.site") is None
    assert list(GAME.legal(match.state))


def test_an_accepted_second_building_on_a_hex_is_kept_beside_the_first() -> None:
    match = Match().set("players.A.gold", 900).force("A", "construction_started", unit="u1", kind="fort", hex=[-2, 0])
    assert match.state.built[(-2, 0)] == ("b1", "b6")
    assert match.end_turns(2).get("buildings.b6.site") is None


def test_an_accepted_capture_of_an_own_region_names_the_owner() -> None:
    match = Match().force("A", "territory_captured", unit="u1")
    assert match.computed["from_owner"] == "A"


def test_accepted_attacks_may_hit_own_units_even_oneself() -> None:
    match = Match()
    one = match.put("swordsmen", "A", (-1, 0), fortified=True)
    match.force("A", "unit_attacked", attacker=one, target="u1")
    assert match.followed("unit_defeated") == [{"unit": "u1", "by": one, "hex": [-2, 0]}]
    match.force("A", "unit_attacked", attacker=one, target=one)
    assert match.get(f"units.{one}.hp") == 12 - 4 - 4
    other = match.put("swordsmen", "A", (0, 0), hp=1)
    match.force("A", "unit_attacked", attacker=other, target=other)
    assert other not in match.state.units
    assert (0, 0) not in match.state.standing


def test_an_accepted_attack_by_a_peasant_hits_for_at_least_1_and_is_not_answered() -> None:
    match = Match()
    other = match.put("spearmen", "B", (-1, 0))
    match.force("A", "unit_attacked", attacker="u1", target=other)
    assert [row["damage"] for row in match.computed["strikes"]] == [1]


def test_accepted_events_out_of_turn_are_carried_out_for_their_seat() -> None:
    match = Match().force("B", "unit_moved", unit="u2", path=[[1, 0]])
    match.force("B", "unit_recruited", building="b2", type="peasant")
    assert (match.get("units.u3.owner"), match.get("players.B.gold")) == ("B", 450)
    assert match.get("players.B.building_action_turn") == 1
    match.force("A", "unit_recruited", building="b5", type="legion")
    assert (match.get("units.u4.owner"), match.get("units.u4.hex")) == ("A", [-1, 2])


def test_a_skipped_event_leaves_all_but_its_id() -> None:
    match = Match()
    recruit = event("A", "unit_recruited", building="b1", type="archers")
    assert GAME.view(GAME.skip(match.state, recruit)) == {**GAME.view(match.state), "next_unit": 4}
    site = event("A", "construction_started", unit="u1", kind="farm", hex=[-1, -1])
    assert GAME.view(GAME.skip(match.state, site)) == {**GAME.view(match.state), "next_building": 7}
    move = event("A", "unit_moved", unit="u1", path=[[-1, 0]])
    assert GAME.skip(match.state, move) is match.state


def test_huge_figures_set_by_hand_are_carried_as_they_are() -> None:
    match = adjust(Match(), "units.u1.movement", 2, 2**53 - 1)
    assert len(GAME.reach(match.state, "u1")) > 20
    adjust(match, "units.u1.movement", 2**53 - 1, -5)
    assert GAME.reach(match.state, "u1") == {}
    adjust(match, "units.u1.penalty", 0, -3)
    adjust(match, "round", 1, 2**53 - 1)
    assert match.end_turns(2).state.reason == "round_limit"


def test_a_refusal_stays_short_whatever_a_file_holds() -> None:
    match, long = Match(), "x" * 30_000
    for refusal in (
        match.refused("HWH-43", "A", "unit_moved", unit=long, path=[]),
        match.refused("HWH-44", "A", "construction_started", unit="u1", kind=long, hex=[-2, 0]),
        match.refused("HWH-39", None, "state_adjusted", "referee", path=long, old=long, new=1, reason=""),
        match.refused("HWH-39", None, "state_adjusted", "referee", path="units", old=[long] * 9, new=1, reason=""),
        match.refused("HWH-41", None, "draw_agreed", seats=[long]),
    ):
        assert len(refusal.because) < 400
