"""The picture of a position of Kingsburg: calendar, order, enemy, advisors and provinces."""

from __future__ import annotations

import pytest

from rulesengine.game import Shape
from rulesengine.kingsburg.scene import scene, strengths
from rulesengine.kingsburg.state import State
from rulesengine.kingsburg.tables import ADVISORS, BUILDING
from tests.rulesengine.kingsburg.positions import rich, start


def of(state: State, kind: str) -> list[Shape]:
    return [shape for shape in scene(state).shapes if shape.kind == kind]


def test_the_calendar_shows_five_years_and_eight_phases_and_where_the_match_is() -> None:
    assert [one.attributes["year"] for one in of(rich(), "year") if one.attributes["now"]] == [3]
    assert len(of(rich(), "year")) == 5
    phases = of(rich(), "phase")
    assert [one.attributes["no"] for one in phases] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [(one.attributes["key"], one.attributes["step"]) for one in phases if one.attributes["now"]] == [
        ("summer", "influence")
    ]


def test_the_turn_order_shows_who_is_on_turn_and_who_is_through() -> None:
    order = [one.attributes for one in of(rich(), "turn")]
    assert [one["seat"] for one in order] == ["B", "A", "C"]
    assert [one["acts"] for one in order] == [False, True, False]
    assert [one["passed"] for one in order] == [True, False, True]
    assert [one["resigned"] for one in order] == [False, False, True]


def test_all_advisors_stand_in_the_row_of_their_numbers() -> None:
    found = of(rich(), "advisor")
    assert [(one.attributes["no"], one.at) for one in found] == [(no, (no - 1.0, 2.0)) for no in range(1, 19)]
    assert [one.attributes["alternatives"] for one in found] == [row["alternatives"] for row in ADVISORS]


def test_who_influenced_an_advisor_stands_there_in_the_order_of_influencing() -> None:
    found = {one.attributes["no"]: one.attributes for one in of(rich(), "advisor")}
    assert found[17]["seats"] == ["C", "A"]
    assert [no for no, one in found.items() if one["seats"]] == [4, 17]
    assert [no for no, one in found.items() if one["blocked"]] == [8, 11]
    assert [no for no, one in found.items() if one["served"]] == []
    assert [one.attributes["no"] for one in of(rich(step="help", help_pointer=17), "advisor") if one.attributes["served"]] == [17]  # fmt: skip


def test_the_enemy_is_face_down_until_it_is_revealed() -> None:
    [enemy] = of(rich(), "enemy")
    assert enemy.attributes["card"] is None
    assert enemy.attributes["strengths"] == [4, 6]
    assert [card["kind"] for card in enemy.attributes["seen"]] == ["orcs", "zombies"]
    [enemy] = of(rich(enemy="3-demons-6", reinforcement=4), "enemy")
    assert enemy.attributes["card"]["kind"] == "demons"
    assert enemy.attributes["reinforcement"] == 4


@pytest.mark.parametrize(("year", "span"), [(1, (2, 4)), (2, (3, 5)), (3, (4, 6)), (4, (5, 7)), (5, (7, 9))])
def test_the_back_of_a_card_shows_between_which_strengths_it_lies(year: int, span: tuple[int, int]) -> None:
    assert strengths(year) == span


def test_a_player_is_drawn_with_all_that_is_theirs() -> None:
    first, second, third = (one.attributes for one in of(rich(), "player"))
    assert {key: first[key] for key in ("vp", "gold", "wood", "stone", "plus_two", "soldiers")} == {
        "vp": -2, "gold": 2, "wood": 1, "stone": 0, "plus_two": 2, "soldiers": 3,
    }  # fmt: skip
    assert (first["coloured"], first["white"]) == ([1, 6], [4])
    assert (first["envoy"], second["envoy"]) == (True, False)
    assert (first["aid"], second["aid"]) == (False, True)
    assert (first["looked"], second["looked"]) == (True, False)
    assert third["resigned"]


def test_every_province_has_twenty_fields_in_their_rows_and_columns() -> None:
    fields = of(rich(), "building")
    assert len(fields) == 3 * len(BUILDING) == 60
    assert [one.attributes["key"] for one in fields[:20] if one.attributes["built"]] == [
        "statue", "chapel", "inn", "market", "town_hall",
    ]  # fmt: skip
    assert [one.attributes["key"] for one in fields if one.attributes["used"]] == ["statue"]
    assert len({one.at for one in fields}) == 60


@pytest.mark.parametrize("state", [start("AB"), start("ABCDE"), rich()])
def test_everything_lies_in_the_box(state: State) -> None:
    drawn = scene(state)
    left, top, width, height = drawn.box
    for shape in drawn.shapes:
        assert left <= shape.at[0] < left + width
        assert top <= shape.at[1] < top + height
