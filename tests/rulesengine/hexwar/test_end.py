"""Turns and ends: whose turn it is, who is out, how a match ends and who comes where."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesengine.hexwar.given import GAME, Match


def test_hwh_42_only_the_player_at_turn_acts() -> None:
    match = Match()
    refusal = match.refused("HWH-42", "B", "unit_moved", unit="u2", path=[[1, 0]])
    assert refusal.breach == "irregular"
    assert "turn of A" in refusal.because
    assert match.refused("HWH-42", "B", "turn_ended").breach == "impossible"
    for type_, fields in (
        ("unit_attacked", {"attacker": "u2", "target": "u1"}),
        ("unit_fortified", {"unit": "u2"}),
        ("construction_started", {"unit": "u2", "kind": "farm", "hex": [1, 1]}),
        ("unit_recruited", {"building": "b2", "type": "peasant"}),
        ("settlement_upgraded", {"settlement": "b2"}),
    ):
        assert match.refused("HWH-42", "B", type_, **fields).breach == "irregular"


def test_hwh_42_whoever_is_out_does_nothing() -> None:
    match = Match(3).do("B", "player_resigned")
    assert match.refused("HWH-42", "B", "turn_ended").breach == "impossible"
    assert match.refused("HWH-42", "B", "player_resigned").breach == "impossible"
    assert match.refused("HWH-42", "B", "unit_recruited", building="b2", type="peasant").breach == "impossible"


def test_hwh_42_nothing_is_decided_after_the_end() -> None:
    match = Match().do("A", "player_resigned")
    for seat, type_, fields in (
        ("B", "turn_ended", {}),
        ("B", "unit_moved", {"unit": "u2", "path": [[1, 0]]}),
        ("B", "player_resigned", {}),
        (None, "time_called", {}),
        (None, "draw_agreed", {"seats": ["B"]}),
    ):
        assert match.refused("HWH-42", seat, type_, **fields).breach == "impossible"
    stop = {"reason": "late", "counts_as": "draw"}
    assert match.refused("HWH-42", None, "match_stopped", "organizer", **stop).breach == "impossible"


def test_hwh_42_a_void_match_is_not_made_void_again() -> None:
    match = Match().do(None, "match_abandoned", "organizer", reason="fire")
    assert match.refused("HWH-42", None, "match_annulled", "organizer", reason="x").breach == "impossible"
    assert match.refused("HWH-42", None, "match_abandoned", "organizer", reason="x").breach == "impossible"


def test_hwh_31_a_player_without_seat_and_peasant_is_out() -> None:
    match = Match().set("units.u1.hex", [2, 0]).remove("u2")
    legion = match.put("legion", "B", (0, 0))
    match.do("A", "territory_captured", unit="u1")
    assert match.followed("player_eliminated") == [
        {
            "seat": "B", "reason": "no_way_back", "place": 2, "units_removed": [legion], "regions_neutral": [],
            "sites_removed": [],
        }
    ]  # fmt: skip
    assert match.places == [("A", 1), ("B", 2)]


def test_hwh_31_a_peasant_or_a_seat_keeps_a_player_in() -> None:
    match = Match().set("units.u1.hex", [2, 0]).set("units.u2.hex", [0, 0]).do("A", "territory_captured", unit="u1")
    assert match.state.status == "running"
    match = Match()
    match.put("horsemen", "A", (1, 0))
    match.do("A", "unit_attacked", attacker="u3", target="u2")
    assert match.state.status == "running"


def test_hwh_31_the_last_peasant_spent_on_a_building_puts_its_player_out() -> None:
    match = Match(3).set("regions.home1.owner", "B").set("regions.hub.owner", "A").set("units.u1.hex", [1, 0])
    match.do("A", "construction_started", unit="u1", kind="fort", hex=[1, 0])
    assert match.state.alive == ("A", "B", "C")
    match.set("regions.hub.owner", None).set("turn_player", "A")
    match.put("legion", "A", (2, -1))
    match.do("A", "unit_fortified", unit="u4")
    assert match.followed("player_eliminated")[0]["sites_removed"] == ["b8"]
    assert match.consequences[-1] == ("turn_started", {"seat": "B", "round": 1})


def test_hwh_32_what_a_player_leaves_behind() -> None:
    match = Match(3).set("regions.hub.owner", "A").set("buildings.b7.tier", "town")
    match.build("farm", (2, -1), "home1")
    match.build("mine", (2, 0), "home1", site={"builder": "A", "turns_left": 2})
    archers = match.put("archers", "A", (0, 0))
    match.do("A", "player_resigned")
    assert match.followed("player_eliminated") == [
        {
            "seat": "A", "reason": "resigned", "place": 3, "units_removed": ["u1", archers],
            "regions_neutral": ["home1", "hub"], "sites_removed": ["b9"],
        }
    ]  # fmt: skip
    assert match.get("players.A") == {
        "seat": 1, "gold": 0, "alive": False, "place": 3, "building_action_turn": None,
    }  # fmt: skip
    assert (match.get("regions.home1.owner"), match.get("regions.hub.owner")) == (None, None)
    assert (match.get("buildings.b7.tier"), match.get("buildings.b8.kind")) == ("town", "farm")


def test_hwh_33_the_last_living_seat_of_the_last_round_ends_the_match() -> None:
    match = Match(3, max_rounds=2).end_turns(5)
    assert match.state.status == "running"
    match.end_turns()
    assert match.consequences == [
        (
            "match_ended",
            {
                "reason": "round_limit",
                "placements": [{"seat": "A", "place": 1}, {"seat": "B", "place": 1}, {"seat": "C", "place": 1}],
            },
        )
    ]
    assert (match.state.round, match.state.turn_no, match.state.turn_player) == (2, 6, "C")


def test_hwh_33_leaving_in_the_last_turn_ends_the_match_too() -> None:
    match = Match(3, max_rounds=1).end_turns(2).do("C", "player_resigned")
    assert match.followed("match_ended")[0]["reason"] == "round_limit"
    assert match.places == [("A", 1), ("B", 1), ("C", 3)]


def test_hwh_33_an_end_recorded_too_early_is_refused() -> None:
    match = Match()
    assert match.refused("HWH-33", None, "match_ended").breach == "irregular"
    match.force(None, "match_ended")
    assert match.followed("match_ended")[0]["reason"] == "time_called"
    before = match.state
    assert match.do(None, "match_ended").state is before


SCORES: list[tuple[dict[str, Any], list[tuple[str, int]]]] = [
    ({}, [("A", 1), ("B", 1), ("C", 1)]),
    ({"players.B.gold": 501}, [("B", 1), ("A", 2), ("C", 2)]),
    ({"players.B.gold": 499}, [("A", 1), ("C", 1), ("B", 3)]),
    ({"buildings.b3.tier": "castle", "players.B.gold": 9000}, [("C", 1), ("B", 2), ("A", 3)]),
    ({"regions.hub.owner": "A", "buildings.b3.tier": "fortress"}, [("A", 1), ("C", 2), ("B", 3)]),
]


@pytest.mark.parametrize(("changes", "places"), SCORES)
def test_hwh_34_living_players_are_ranked_by_regions_ranks_hp_and_gold(
    changes: dict[str, Any], places: list[tuple[str, int]]
) -> None:
    match = Match(3)
    for path, value in changes.items():
        match.set(path, value)
    match.do(None, "time_called")
    assert match.places == places


def test_hwh_34_hp_counts_before_gold_and_peasants_do_not_count() -> None:
    match = Match(3).set("players.B.gold", 9000)
    match.put("archers", "C", (0, -3), hp=1)
    match.put("peasant", "A", (0, 0))
    match.do(None, "time_called")
    assert match.places == [("C", 1), ("B", 2), ("A", 3)]
    result = GAME.result(match.state)
    assert result == {
        "reason": "time_called",
        "round": 1,
        "turn_no": 1,
        "scores": [
            {"seat": "A", "place": 3, "alive": True, "regions": 1, "ranks": 3, "unit_hp": 0, "gold": 500},
            {"seat": "B", "place": 2, "alive": True, "regions": 1, "ranks": 3, "unit_hp": 0, "gold": 9000},
            {"seat": "C", "place": 1, "alive": True, "regions": 1, "ranks": 3, "unit_hp": 1, "gold": 500},
        ],
    }


def test_hwh_34_built_towns_count_and_the_eliminated_keep_their_places() -> None:
    match = Match(4).do("B", "player_resigned").do("D", "player_resigned")
    match.build("settlement", (1, 3), "se", tier="town")
    match.do(None, "time_called")
    assert match.places == [("C", 1), ("A", 2), ("D", 3), ("B", 4)]
    result = GAME.result(match.state)
    assert result is not None
    assert result["scores"][1] == {
        "seat": "B", "place": 4, "alive": False, "regions": 0, "ranks": 0, "unit_hp": 0, "gold": 0,
    }  # fmt: skip


def test_hwh_35_a_living_player_may_resign_out_of_turn_for_themselves() -> None:
    match = Match(3).do("B", "player_resigned")
    assert (match.state.turn_player, match.state.alive) == ("A", ("A", "C"))
    assert [type_ for type_, _ in match.consequences] == ["player_eliminated"]
    match.do("A", "player_resigned")
    assert match.followed("match_ended") == [
        {
            "reason": "last_standing",
            "placements": [{"seat": "C", "place": 1}, {"seat": "A", "place": 2}, {"seat": "B", "place": 3}],
        }
    ]


def test_resigning_in_ones_turn_passes_the_turn() -> None:
    match = Match(3).do("A", "player_resigned")
    assert match.consequences[1:] == [("turn_started", {"seat": "B", "round": 1})]
    match.end_turns().do("C", "player_resigned")
    assert match.state.status == "ended"


def test_resigning_as_the_last_of_a_round_starts_the_next() -> None:
    match = Match(3).end_turns(2).do("C", "player_resigned")
    assert [type_ for type_, _ in match.consequences] == ["player_eliminated", "round_started", "turn_started"]
    assert (match.state.round, match.state.turn_no, match.state.turn_player) == (2, 4, "A")


def test_hwh_41_an_organizer_stops_a_match_and_says_how_it_counts() -> None:
    match = Match()
    stop = {"reason": "the hall closes", "counts_as": "score"}
    for acting_as in (None, "referee", "scribe"):
        assert match.refused("HWH-41", None, "match_stopped", acting_as, **stop).breach == "impossible"
    refusal = match.refused("HWH-41", None, "match_stopped", "organizer", reason="late", counts_as="win")
    assert (refusal.breach, refusal.nearest) == ("impossible", "one of score, draw, void")


@pytest.mark.parametrize(
    ("counts_as", "status", "places"),
    [
        ("score", "ended", [("B", 1), ("A", 2), ("C", 3)]),
        ("draw", "ended", [("A", 1), ("B", 1), ("C", 3)]),
        ("void", "void", []),
    ],
)
def test_a_stopped_match_counts_as_said(counts_as: str, status: str, places: list[tuple[str, int]]) -> None:
    match = Match(3).do("C", "player_resigned").set("players.B.gold", 600)
    match.do(None, "match_stopped", "organizer", reason="late", counts_as=counts_as)
    assert (match.state.status, match.places, match.state.reason) == (status, places, "stopped")
    assert match.followed("match_ended")[0]["placements"] == [{"seat": seat, "place": n} for seat, n in places]


def test_hwh_41_a_draw_is_agreed_by_exactly_the_living() -> None:
    match = Match(3).do("B", "player_resigned")
    for seats in ([], ["A"], ["A", "B", "C"], ["A", "C", "C"], ["A", "A"]):
        assert match.refused("HWH-41", None, "draw_agreed", seats=seats).breach == "impossible"
    match.do(None, "draw_agreed", seats=["C", "A"])
    assert match.places == [("A", 1), ("C", 1), ("B", 3)]
    assert match.followed("match_ended")[0]["reason"] == "draw_agreed"


@pytest.mark.parametrize(("type_", "reason"), [("match_abandoned", "abandoned"), ("match_annulled", "annulled")])
def test_a_match_is_made_void_while_it_runs_and_after_its_end(type_: str, reason: str) -> None:
    for match in (Match(), Match().do("A", "player_resigned")):
        match.do(None, type_, "organizer", reason="fire")
        assert match.consequences == [("match_ended", {"reason": reason, "placements": []})]
        assert (match.state.status, match.places) == ("void", [])
        assert [one.place for one in match.state.players.values()] == [None, None]
        result = GAME.result(match.state)
        assert result is not None
        assert (result["reason"], result["scores"][0]["place"]) == (reason, None)


def test_a_running_match_has_no_outcome_and_no_result() -> None:
    match = Match()
    assert (match.places, GAME.result(match.state), GAME.status(match.state)) == (None, None, "running")
    assert GAME.turn(match.state) == "A"
    assert GAME.turn(match.do("A", "player_resigned").state) is None


def test_two_players_out_at_once_are_placed_in_seat_order() -> None:
    match = Match(3).set("regions.home2.owner", None).set("regions.home3.owner", None).remove("u2", "u3")
    match.end_turns()
    assert [one["seat"] for one in match.followed("player_eliminated")] == ["B", "C"]
    assert match.places == [("A", 1), ("C", 2), ("B", 3)]
    assert match.consequences[0][0] == "turn_started"


def test_events_without_an_effect_here_pass_and_change_nothing() -> None:
    match = Match()
    before = match.state
    match.do("A", "dispute_opened", about_seq=1, text="?").do(None, "match_paused", "scribe", reason="lunch")
    assert match.state is before
    assert match.consequences == []
