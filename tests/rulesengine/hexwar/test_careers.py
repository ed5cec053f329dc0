"""What careers count (HX-F1 to HX-F6), the scene, and the state's two forms."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rulesengine.game import Carried
from tests.rulesengine.hexwar.given import GAME, Match, event, header


class Career(Match):
    """A match that keeps what a replay would hand to the facts."""

    def __init__(self, seats: int | str = 2, **options: Any) -> None:
        super().__init__(seats, **options)
        self.carried = [Carried(0, None, None, self.last)]

    def _follow(self, one: Any) -> Match:
        before = self.state
        super()._follow(one)
        self.carried.append(Carried(len(self.carried), one, before, self.last))
        return self

    def facts(self) -> list[tuple[str, str, int, int]]:
        """Return the facts as seat, key, value, seq."""
        return [(fact.seat, fact.key, fact.value, fact.seq) for fact in GAME.facts(self.carried)]


def test_hx_f1_counts_completed_improvements_of_their_builder() -> None:
    match = Career().do("A", "unit_moved", unit="u1", path=[[-1, -1]])
    match.do("A", "construction_started", unit="u1", kind="farm", hex=[-1, -1]).end_turns()
    assert match.facts() == []
    match.end_turns()
    assert match.facts() == [("A", "HX-F1", 1, 4)]


def test_hx_f2_counts_captured_cities_but_not_ones_own() -> None:
    match = Career().set("units.u1.hex", [0, 0])
    match.do("A", "territory_captured", unit="u1")
    assert match.facts() == [("A", "HX-F2", 1, 1)]
    match = Career().force("A", "territory_captured", unit="u1")
    assert match.facts() == []


def test_hx_f3_and_f6_count_who_defeats_whom_by_type_and_class() -> None:
    match = Career()
    match.put("spearmen", "A", (0, 0))
    match.put("knights", "B", (1, 0), hp=1)
    match.do("A", "unit_attacked", attacker="u3", target="u4")
    assert match.facts() == [
        ("B", "HX-F6:lost", 1, 1),
        ("A", "HX-F3:spearmen:knights", 1, 1),
        ("A", "HX-F3:spearmen:cavalry", 1, 1),
    ]


def test_hx_f3_counts_a_defeat_by_an_answer_for_the_defender() -> None:
    match = Career()
    match.put("horsemen", "A", (0, 0), hp=1)
    match.put("spearmen", "B", (1, 0))
    match.do("A", "unit_attacked", attacker="u3", target="u4")
    assert ("B", "HX-F3:spearmen:horsemen", 1, 1) in match.facts()
    assert ("A", "HX-F6:lost", 1, 1) in match.facts()


def test_hx_f6_counts_volleys_at_distance_2_only() -> None:
    for distance, volleys in ((1, 0), (2, 1)):
        match = Career()
        match.put("archers", "A", (0, 0))
        match.put("archers", "B", (distance, 0), hp=1)
        match.set("units.u2.hex", [3, -1]).do("A", "unit_attacked", attacker="u3", target="u4")
        assert [key for _, key, _, _ in match.facts()].count("HX-F6:volley") == volleys


def test_hx_f4_is_the_largest_penalty_on_one_unit_in_one_round() -> None:
    match = Career()
    match.put("legion", "B", (0, 0))
    match.put("catapult", "A", (-1, 0))
    match.put("catapult", "A", (-1, 1))
    match.do("A", "unit_attacked", attacker="u4", target="u3").do("A", "unit_attacked", attacker="u5", target="u3")
    match.end_turns(2).do("A", "unit_attacked", attacker="u4", target="u3")
    found = [fact for fact in GAME.facts(match.carried) if fact.key == "HX-F4"]
    assert [(fact.seat, fact.value, fact.seq, fact.mode) for fact in found] == [
        ("A", 2, 1, "max"),
        ("A", 4, 2, "max"),
        ("A", 2, 5, "max"),
    ]


def test_hx_f4_counts_one_round_even_where_penalties_outlast_it() -> None:
    match = Career(catapult_penalty_expiry="target_turn_start").end_turns()
    match.put("legion", "A", (0, 0))
    match.put("catapult", "B", (1, 0))
    match.do("B", "unit_attacked", attacker="u4", target="u3")
    assert [fact.value for fact in GAME.facts(match.carried) if fact.key == "HX-F4"] == [2]


def test_hx_f5_is_told_when_the_round_is_over_or_the_match_ends() -> None:
    match = Career()
    match.put("legion", "B", (0, 0), fortified=True)
    match.put("archers", "A", (-1, 0))
    match.put("archers", "A", (-1, 1))
    match.do("A", "unit_attacked", attacker="u4", target="u3").do("A", "unit_attacked", attacker="u5", target="u3")
    assert match.facts() == []
    match.end_turns(2)
    assert match.facts() == [("B", "HX-F5", 2, 4)]
    match.do("A", "unit_attacked", attacker="u4", target="u3").do(None, "time_called")
    assert match.facts() == [("B", "HX-F5", 2, 4), ("B", "HX-F5", 1, 6)]


def test_hx_f5_needs_a_fortified_unit_that_survives() -> None:
    match = Career()
    match.put("legion", "B", (0, 0))
    match.put("legion", "B", (0, 1), fortified=True, hp=1)
    match.put("archers", "A", (-1, 0))
    match.put("archers", "A", (-1, 1))
    match.do("A", "unit_attacked", attacker="u5", target="u3").do("A", "unit_attacked", attacker="u6", target="u4")
    match.end_turns(2)
    assert not [one for one in match.facts() if one[1] == "HX-F5"]


def test_facts_come_in_order_of_seq_and_count_nothing_of_own_hits() -> None:
    match = Career()
    match.put("catapult", "A", (-1, 0))
    match.put("legion", "A", (0, 0), fortified=True)
    match.force("A", "unit_attacked", attacker="u3", target="u4")
    match.end_turns(2)
    assert match.facts() == []


def test_the_scene_shows_every_hex_region_building_and_unit_inside_its_box() -> None:
    match = Match(4)
    match.build("mine", (0, -4), "nw", site={"builder": "A", "turns_left": 2})
    scene = GAME.scene(match.state)
    kinds = [shape.kind for shape in scene.shapes]
    assert (kinds.count("hex"), kinds.count("region"), kinds.count("building"), kinds.count("unit")) == (91, 9, 11, 4)
    assert kinds == sorted(kinds, key=["hex", "region", "building", "unit"].index)
    left, top, width, height = scene.box
    for shape in scene.shapes:
        x, y = shape.at
        assert left <= x <= left + width
        assert top <= y <= top + height
    hex_ = next(s for s in scene.shapes if s.kind == "hex" and (s.attributes["q"], s.attributes["r"]) == (1, -4))
    assert hex_.at == (math.sqrt(3) * (1 - 2), -6.0)
    assert hex_.attributes == {"q": 1, "r": -4, "terrain": "grassland", "region": "nw", "owner": "A"}
    mine = next(s for s in scene.shapes if s.attributes.get("id") == "b11")
    assert mine.attributes["site"] == {"builder": "A", "turns_left": 2}
    unit = next(s for s in scene.shapes if s.kind == "unit")
    assert (unit.attributes["type"], unit.attributes["owner"], unit.attributes["full_hp"]) == ("peasant", "A", 5)


def test_a_view_with_its_keys_in_another_order_is_the_same_state() -> None:
    match = Match(3)
    for n in range(9):
        match.put("archers", "A", (0, -4 + n) if (0, -4 + n) in match.state.setup.board.terrain else (0, 0))
    view = GAME.view(match.state)
    mixed = {key: dict(sorted(value.items())) if isinstance(value, dict) else value for key, value in view.items()}
    assert GAME.load(match.header, dict(reversed(list(mixed.items())))) == match.state
    assert list(match.state.units)[-1] == "u12"


def test_why_a_match_ended_is_worked_out_from_a_view_as_far_as_can_be() -> None:
    for reason, match in (
        ("last_standing", Match().do("A", "player_resigned")),
        ("round_limit", Match(max_rounds=1).end_turns(2)),
        ("stopped", Match().do(None, "match_stopped", "organizer", reason="late", counts_as="score")),
        ("annulled", Match().do(None, "match_annulled", "organizer", reason="x")),
    ):
        assert GAME.load(match.header, GAME.view(match.state)).reason == reason == match.state.reason


def test_legal_events_end_with_the_turn_and_the_resignations() -> None:
    offered = list(GAME.legal(Match(3).end_turns().state))
    assert [(one.seat, one.type) for one in offered[-4:]] == [
        ("B", "turn_ended"),
        ("A", "player_resigned"),
        ("B", "player_resigned"),
        ("C", "player_resigned"),
    ]
    assert list(GAME.legal(Match().do("A", "player_resigned").state)) == []
    assert event("A", "turn_ended") in list(GAME.legal(Match().state))


def test_an_own_unit_beaten_by_an_own_one_is_lost_but_no_victory() -> None:
    match = Career()
    match.put("swordsmen", "A", (-1, 0))
    match.force("A", "unit_attacked", attacker="u3", target="u1")
    assert match.facts() == [("A", "HX-F6:lost", 1, 1)]


def test_a_view_is_loaded_under_a_header_that_can_be_played_only() -> None:
    with pytest.raises(ValueError, match="HWH-40"):
        GAME.load(header(start_gold=-1), GAME.view(Match().state))
    with pytest.raises(ValueError, match="players"):
        GAME.load(header(3), {**GAME.view(Match().state)})
