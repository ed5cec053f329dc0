"""What careers count (RK-F1 to RK-F5)."""

from __future__ import annotations

from rulesengine import replay
from rulesengine.game import Fact
from tests.rulesengine.robberknights.given import FIRST, GAME, Row, log, path


def facts(rows: list[Row], seats: int | str = 2, /, **options: object) -> list[Fact]:
    return GAME.facts(replay.run(log(rows, seats, **options)).carried)


def of(rows: list[Row], key: str) -> list[tuple[str, int, int]]:
    return [(one.seat, one.value, one.seq) for one in facts(rows) if one.key == key]


OVER: Row = (None, "time_called", {})


def test_rk_f1_counts_the_different_tiles_of_one_sally() -> None:
    assert of(FIRST, "RK-F1:2") == [("A", 1, 5)]
    again: list[Row] = [*FIRST[:4], ("A", "knights_deployed", {"path": path((2, 0, 1), (2, 1, 1), (2, 0, 1))})]
    assert not of(again, "RK-F1:3")
    rows: list[Row] = [
        ("A", "hand_chosen", {"tile": "A2"}),
        ("B", "hand_chosen", {"tile": "A4"}),
        (
            None,
            "layout_laid",
            {
                "cells": [
                    {"x": 0, "y": 0, "tile": "A:A4"},
                    {"x": 1, "y": 0, "tile": "A:A3"},
                    {"x": 0, "y": 1, "tile": "B:A2"},
                    {"x": 1, "y": 1, "tile": "B:A3"},
                ]
            },
        ),
        ("A", "tile_placed", {"tile": "A1", "x": 2, "y": 0}),
        ("A", "knights_deployed", {"path": path((2, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1), (1, 1, 1))}),
    ]
    assert of(rows, "RK-F1:4") == [("A", 1, 5)]


def test_rk_f2_counts_the_terrain_controlled_at_the_end() -> None:
    assert not of(FIRST, "RK-F2:mountain")
    assert of([*FIRST, OVER], "RK-F2:mountain") == [("A", 1, 8)]
    assert of([*FIRST, OVER], "RK-F2:plain") == [("A", 1, 8)]
    assert not of([*FIRST, OVER], "RK-F2:forest")


def test_rk_f3_counts_placements_that_bring_the_area_to_its_largest_extent() -> None:
    options = {"grid": {"2": 3}}
    found = [(one.seat, one.seq) for one in facts(FIRST, **options) if one.key == "RK-F3"]
    assert found == [("A", 4)]
    more: list[Row] = [*FIRST, ("B", "tile_placed", {"tile": "A2", "x": 2, "y": 1})]
    assert [one.seq for one in facts(more, **options) if one.key == "RK-F3"] == [4]
    down: list[Row] = [*FIRST, ("B", "tile_placed", {"tile": "A2", "x": 0, "y": 2})]
    assert [one.seq for one in facts(down, **options) if one.key == "RK-F3"] == [4, 8]


def test_rk_f4_is_the_supply_at_the_end() -> None:
    assert of([*FIRST, OVER], "RK-F4") == [("A", 26, 8), ("B", 30, 8)]
    none: list[Row] = [*FIRST, (None, "state_adjusted", {"path": "players.A.supply", "old": 26, "new": 0}), OVER]
    assert of(none, "RK-F4:0") == [("A", 1, 9)]
    assert not of([*FIRST, OVER], "RK-F4:0")


def test_rk_f5_is_the_lead_of_who_came_first() -> None:
    assert of([*FIRST, OVER], "RK-F5") == [("A", 1, 8)]
    drawn: list[Row] = [*FIRST, (None, "draw_agreed", {"seats": ["A", "B"]})]
    assert not of(drawn, "RK-F5")


def test_a_match_that_counts_for_nothing_has_no_end_to_count() -> None:
    rows: list[Row] = [*FIRST, OVER, (None, "match_annulled", {})]
    assert {one.key for one in facts(rows)} == {"RK-F1:2"}
