"""Robber Knights on the pages of a match: drawn, told in words, and nothing of either forgotten."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from matches.boards import board_legend, board_svg, position_words
from matches.feed import Feed
from matches.words import GAMES, Names, consequence_words, event_words, shared
from people.models import Person
from rulesengine import notation, replay
from rulesengine.game import Carried, Consequence, Event, Step
from rulesengine.robberknights import consequences, events
from rulesengine.robberknights.editions import EDITIONS
from rulesengine.robberknights.ruleset import RobberKnights
from rulesengine.robberknights.state import Cell, Options, State
from tests.matches_pages import logs
from tests.matches_pages.conftest import recorded
from tests.rulesengine.robberknights.positions import made, rich, sealed

SAMPLES = Path(__file__).resolve().parent.parent / "rulesengine" / "robberknights" / "samples"
WHOLE = SAMPLES / "whole-match.jsonl"
RULES = RobberKnights(EDITIONS[0])
SIGNED = (b'"result_signed"', b'"placements_confirmed"')
"""What a file that is recorded may not hold."""
NAMES = Names(dict(zip("ABC", logs.NAMES, strict=False)))
HTMX = {"HTTP_HX_REQUEST": "true"}


def played() -> bytes:
    """Return a whole match as a file to record."""
    return b"\n".join(line for line in WHOLE.read_bytes().splitlines() if not any(type_ in line for type_ in SIGNED))


def told(before: State, after: State, data: Any = None, seat: str = "B") -> Carried:
    """Return an entry that made one position of another."""
    return Carried(9, Event(seat, data) if data is not None else None, before, Step(after))


def still(state: State) -> Carried:
    return Carried(9, None, state, Step(state))


def draw(state: State, last: Carried | None = None, names: Names = NAMES) -> ET.Element:
    return ET.fromstring(board_svg(RULES, state, names, last=last, label='Entry "1" & <more>'))


def of_class(root: ET.Element, *names: str) -> list[ET.Element]:
    return [one for one in root.iter() if set(names) <= set(one.get("class", "").split())]


def text(element: ET.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def titles(root: ET.Element) -> list[str]:
    said = [one.text or "" for one in root.iter() if one.tag.endswith("title")]
    return said + [one.get("title", "") for one in root.iter() if one.get("title")]


def table(words: dict[str, Any], title: str) -> list[list[str]]:
    [found] = [one["rows"] for one in words["tables"] if one["title"] == title]
    return [[str(cell) for cell in row] for row in found]


def cells(words: dict[str, Any] | None) -> list[str]:
    assert words is not None
    return [str(cell) for one in words["tables"] for row in one["rows"] for cell in row]


# Words

SAID: list[tuple[str, str | None, dict[str, Any], str]] = [
    ("match_set_up", None, {}, "The match is set up for 3 players; Ada Moreau is to begin."),
    ("match_started", None, {}, "The match starts."),
    ("match_started", None, {"start_seat": "B"}, "The match starts; Bo Lindqvist is to begin."),
    ("hand_chosen", "A", {"tile": "A3"}, "Ada Moreau takes the plain castle A1 and the plain village A3 into the hand."),
    ("layout_laid", None, {"cells": [{"x": 0, "y": 0, "tile": "A:A4"}, {"x": 1, "y": 0, "tile": "B:A3"}]}, "The starting layout is laid: mountain A:A4 on 0,0, plain village B:A3 on 1,0."),
    ("tile_placed", "B", {"tile": "C1", "x": 2, "y": -1}, "Bo Lindqvist places the forest town C1 on 2,−1."),
    ("knights_deployed", "B", {"path": [{"x": 2, "y": 0, "leave": 1}, {"x": 1, "y": 0, "leave": 2}]}, "Bo Lindqvist sends 3 knights from the castle: 1 on 2,0, 2 on 1,0."),
    ("knights_deployed", "B", {"path": [{"x": 2, "y": 0, "leave": 1}]}, "Bo Lindqvist sends 1 knight from the castle: 1 on 2,0."),
    ("knights_declined", "B", {}, "Bo Lindqvist sends no knights from the castle."),
    ("tile_drawn", "B", {"letter": "B", "tile": "B1"}, "Bo Lindqvist draws the lake B1."),
    ("tile_drawn", "B", {"letter": "E", "tile": None}, "Bo Lindqvist draws a tile of letter E, face down."),
    ("tile_drawn", "B", {"letter": "E"}, "Bo Lindqvist draws a tile of letter E, face down."),
    ("turn_ended", "B", {}, "Bo Lindqvist ends the turn."),
    ("turn_passed", "B", {}, "Bo Lindqvist passes the turn."),
    ("match_ended", None, {}, "The end of the match is recorded."),
    ("match_ended", None, {"placements": [{"seat": "A", "place": 1}, {"seat": "C", "place": 2}]}, "The end of the match is recorded: 1. Ada Moreau, 2. Cy Okafor"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "seat", "data", "sentence"), SAID)
def test_an_event_is_told_in_a_sentence(type_: str, seat: str | None, data: dict[str, Any], sentence: str) -> None:
    assert event_words("robberknights", type_, seat, data, NAMES, still(rich())) == sentence


def test_every_event_of_the_game_has_its_sentence_and_every_own_one_is_tried() -> None:
    own = GAMES["robberknights"].EVENTS
    assert set(RULES.payloads) <= own.keys() | shared.EVENTS.keys()
    assert own.keys() == {row[0] for row in SAID}


def test_knights_that_went_out_leave_a_supply_that_is_told() -> None:
    state = rich()
    data = {"path": [{"x": 5, "y": 0, "leave": 2}]}
    carried = told(state, state, events.KnightsDeployed((events.Left(5, 0, 2),)))
    said = event_words("robberknights", "knights_deployed", "B", data, NAMES, carried)
    assert said.endswith(f" {state.players['B'].supply} knights are left.")


@pytest.mark.parametrize("type_", sorted(RULES.payloads))
def test_an_event_of_wrong_form_is_shown_as_it_stands(type_: str) -> None:
    assert event_words("robberknights", type_, "A", {"tile": 7, "cells": 3, "path": "x"}, NAMES, still(rich()))


FOLLOWED: list[tuple[str, dict[str, Any], str]] = [
    ("control_changed", {"cell": "3,0", "from": "A", "to": "C"}, "The forest village B4 on 3,0 passes from Ada Moreau to Cy Okafor."),
    ("control_changed", {"cell": "-1,0", "from": None, "to": "A"}, "Ada Moreau holds the plain castle A1 on −1,0 now."),
    ("turn_started", {"seat": "B"}, "Bo Lindqvist is to act."),
    ("match_over", {"ended_by": "tiles"}, "The match is over: all tiles are placed."),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "data", "sentence"), FOLLOWED)
def test_what_followed_is_told_in_a_sentence(type_: str, data: dict[str, Any], sentence: str) -> None:
    assert consequence_words("robberknights", Consequence(type_, data), NAMES, still(rich())) == sentence


def test_every_consequence_has_its_sentence_and_is_tried() -> None:
    assert consequences.TYPES == GAMES["robberknights"].CONSEQUENCES.keys() == {row[0] for row in FOLLOWED}


def test_the_end_is_told_with_the_places() -> None:
    state = rich(step="over", current=None, castle_pending=None, ended_by="time", resigned=("C",))
    said = consequence_words("robberknights", Consequence("match_over", {"ended_by": "time"}), NAMES, still(state))
    assert said == "The match is over: time was called. 1. Bo Lindqvist, 2. Ada Moreau, 3. Cy Okafor"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_whole_matches_are_told_without_a_bare_key(path: Path) -> None:
    log = notation.parse(path.read_bytes(), name=path.name)
    feed = Feed(log, replay.run(log), Names({seat.seat: f"Player {seat.seat}" for seat in log.header.seats}))
    for seq in range(feed.last + 1):
        entry = feed.entry(seq)
        if entry.state == "refused":
            continue
        for words in (entry.words, *entry.consequences):
            assert not re.search(r"[a-z]_[a-z]|%\(|None|\{", words.replace(entry.note or "\n", "")), words


def test_the_result_is_told_with_its_figures_and_its_cause() -> None:
    told_log = replay.run(notation.parse(WHOLE.read_bytes(), name=WHOLE.name))
    result = told_log.ruleset.result(told_log.state)
    assert result is not None
    head, rows = GAMES["robberknights"].result_rows(result)
    assert head == ["Points", "Castles", "Villages", "Towns", "Unused knights"]
    assert rows.keys() == {"A", "B"}
    assert rows["A"][0] == result["seats"][0]["points"]
    assert GAMES["robberknights"].result_note(result) == "The match ended: all tiles are placed."


# Everything on the board, everything in words


def test_everything_on_the_table_is_on_the_board() -> None:
    state = rich()
    root = draw(state, still(state))
    [tiles] = of_class(root, "tiles")
    assert len(of_class(tiles, "tile")) == len(state.board)
    assert len(of_class(root, "knight")) == sum(len(cell.stack) for cell in state.board.values())
    assert len(of_class(root, "player")) == 3
    said = "\n".join(titles(root))
    for one in (
        "−1,0: plain castle A1 of Ada Moreau\nknights from bottom to top: A\nheld by Ada Moreau: 1 point",
        "1,0: mountain A4 of Cy Okafor\nknights from bottom to top: C C C\nheld by Cy Okafor: 0 points",
        "2,0: lake B1 of Ada Moreau",
        "3,0: forest village B4 of Bo Lindqvist\nknights from bottom to top: B A A C\nheld by Cy Okafor: 2 points",
        "4,0: forest town C1 of Ada Moreau\nknights from bottom to top: B B\nheld by Bo Lindqvist: 3 points",
        "5,0: forest castle C5 of Cy Okafor",
        "knights may leave this castle now",
        "0,1: plain A2 of Cy Okafor",
        "0,−1: free",
        "in hand: plain A2",
        "pile: 5 tiles of letter D",
        "castles 1 × 1, villages 0 × 2, towns 0 × 3",
        "castles 1 × 1, villages 1 × 2, towns 1 × 3",
    ):
        assert one in said, one


def test_everything_on_the_table_is_in_the_tables() -> None:
    state = rich()
    words = position_words(RULES, state, NAMES)
    assert words is not None
    assert all(len(row) == len(one["head"]) for one in words["tables"] for row in one["rows"])
    players = {row[0]: row for row in table(words, "Players")}
    assert players["Ada Moreau"][1:7] == ["1", "1", "0", "0", "26", "plain A2, plain village A3"]
    assert players["Bo Lindqvist"][1:6] == ["5", "0", "1", "1", "26"]
    assert players["Bo Lindqvist"][-1] == "to act"
    assert players["Cy Okafor"][-1] == "resigned"
    assert players["Cy Okafor"][7] == "B×5 C×4 D×5 E×5"
    assert players["Ada Moreau"][8].split() == list(state.players["A"].unplaced)
    tiles = table(words, "Tiles on the board")
    assert len(tiles) == len(state.board)
    assert ["3,0", "forest village B4", "Bo Lindqvist", "B A A C", "Cy Okafor", "2"] in tiles
    assert ["2,0", "lake B1", "Ada Moreau", "–", "–", "0"] in tiles
    assert table(words, "The area of all tiles") == [["columns", "7", "7"], ["rows", "2", "7"]]


def test_points_and_knights_left_stand_beside_the_map() -> None:
    first, second, third = of_class(draw(rich()), "player")
    assert "1 point" in text(first)
    assert "5 points" in text(second)
    assert "26 knights left" in text(first)
    assert "resigned" in text(third)


def test_a_hand_that_is_not_known_shows_its_backs() -> None:
    state = sealed(rich(), "A")
    root = draw(state)
    assert len(of_class(root, "back")) == 2
    said = "\n".join([*titles(root), *cells(position_words(RULES, state, NAMES))])
    assert "in hand: a tile of letter A, face down" in said
    assert "A, face down" in said
    [first, *_others] = of_class(root, "player")
    assert "plain" not in "\n".join(titles(first))


def test_what_a_reader_may_not_see_is_neither_drawn_nor_told() -> None:
    board = {(0, 0): Cell("A:A2"), (1, 0): Cell("A:A3"), (0, 1): Cell("A:A4"), (1, 1): Cell("A:A1")}
    state = RULES.state_seen_by(made("AB", board, current="B"), None)
    assert [slot.tile for slot in state.players["A"].hand] == [None, None]
    root = draw(state)
    assert len(of_class(root, "back")) == 2
    assert "in hand: lake" not in "\n".join(titles(root))


# Readable


def test_the_uppermost_knight_is_the_last_of_the_pile_and_the_only_one_marked() -> None:
    tops = of_class(draw(rich()), "knight", "top")
    assert [text(one) for one in tops] == ["A", "B", "C", "C", "B", "C", "C"]


def test_a_pile_is_drawn_from_bottom_to_top() -> None:
    state = made("AB", {(0, 0): Cell("A:A2", ("A", "B", "B", "A"))})
    knights = of_class(draw(state), "knight")
    assert [text(one) for one in knights] == ["A", "B", "B", "A"]
    heights = [float(one.get("transform", "").split()[-1].rstrip(")")) for one in knights]
    assert heights == sorted(heights, reverse=True)


def test_of_a_high_pile_equal_neighbours_are_counted() -> None:
    state = made("AB", {(0, 0): Cell("A:A2", ("A",) * 7 + ("B",) * 3 + ("A",))}, options=Options(tile_capacity=None))
    assert [text(one) for one in of_class(draw(state), "knight")] == ["A ×7", "B ×3", "A"]


def test_no_high_pile_leaves_its_tile() -> None:
    state = made("AB", {(0, 0): Cell("A:A2", tuple("ABABABABABAB"))}, options=Options(tile_capacity=None))
    heights = [float(one.get("transform", "").split()[-1].rstrip(")")) for one in of_class(draw(state), "knight")]
    assert min(heights) > -50


def test_a_side_on_which_no_more_may_be_added_has_a_wall() -> None:
    assert len(of_class(draw(rich()), "wall")) == 2
    assert of_class(draw(made("AB", {(0, 0): Cell("A:A2")})), "wall") == []


def test_the_castle_from_which_knights_may_leave_is_marked() -> None:
    [castle] = of_class(draw(rich()), "tile", "sends")
    assert "5,0: forest castle C5" in "\n".join(titles(castle))
    assert of_class(draw(rich(step="place", castle_pending=None)), "sends") == []


def test_the_area_is_told_beside_the_map() -> None:
    [area] = of_class(draw(rich()), "area")
    assert text(area) == "all 7 columns taken, 2 of 7 rows taken"
    [area] = of_class(draw(made("AB", {}, step="hand", current=None)), "area")
    assert text(area) == "No tile lies yet; all tiles may take 7 columns and 7 rows."


def test_every_shape_that_is_used_is_defined() -> None:
    svg = board_svg(RULES, rich(), NAMES, last=still(rich()))
    assert set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(
        re.findall(r'id="([^"]+)"', svg)
    )


def test_every_kind_of_thing_has_a_shape_of_its_own_and_a_place_in_the_legend() -> None:
    [defs] = [one for one in draw(rich()).iter() if one.tag.endswith("defs")]
    looks = {
        shape.get("id"): "".join(part.get("d", "") + part.get("r", "") + part.get("width", "") for part in shape.iter())
        for shape in defs
    }
    shapes = [f"rk-{key}" for _name, key, _terrain in board_legend("robberknights")]
    assert shapes == ["rk-plain", "rk-forest", "rk-mountain", "rk-lake", "rk-castle", "rk-village", "rk-town"]
    assert {*shapes, "rk-seat-a", "rk-seat-b", "rk-seat-c", "rk-seat-d"} <= looks.keys()
    assert len(set(looks.values())) == len(looks)


def test_a_wide_map_scrolls_in_its_box_and_a_small_one_does_not() -> None:
    assert of_class(draw(made("AB", {(0, 0): Cell("A:A2")})), "map-box") == []
    wide = {(x, 0): Cell(f"{'ABCD'[x % 4]}:A{2 + x % 3}") for x in range(8)}
    [box] = of_class(draw(made("ABCD", wide, options=Options(grid=10))), "map-box")
    assert box.get("tabindex") == "0"
    assert box.get("aria-label") == "Map"


def test_the_map_has_a_name_and_says_where_the_same_stands_in_words() -> None:
    [picture] = [one for one in draw(rich()).iter() if one.get("role") == "img" and "map" in one.get("class", "")]
    assert picture.get("aria-label") == 'Entry "1" & <more>'
    [desc] = [one for one in picture.iter() if one.tag.endswith("desc")]
    assert "“The position in words” says the same" in (desc.text or "")


HOSTILE = '"><script>alert(1)</script>&{{ x }}'


def test_hostile_names_are_escaped() -> None:
    state = rich()
    svg = board_svg(RULES, state, Names(dict.fromkeys("ABC", HOSTILE)), last=still(state), label=HOSTILE)
    assert "<script" not in svg
    assert any(HOSTILE in title for title in titles(ET.fromstring(svg)))


# What the last event changed


def rings(root: ET.Element) -> list[ET.Element]:
    return [one for one in of_class(root, "ring") if "halo" not in one.get("class", "")]


def test_an_event_that_changes_nothing_on_the_table_emphasizes_nothing() -> None:
    state = rich()
    root = draw(state, told(state, replace(state, placed_this_turn=0, step="place", castle_pending=None)))
    assert (
        rings(root) == of_class(root, "trail") == of_class(root, "figure") == of_class(root, "changed", "supply") == []
    )


def test_a_tile_just_placed_is_ringed() -> None:
    before = rich()
    after = replace(before, board={**before.board, (1, 1): Cell("B:B2")})
    root = draw(after, told(before, after, events.TilePlaced("B2", 1, 1)))
    [ring] = rings(root)
    assert (ring.get("x"), ring.get("y")) == ("52", "52")


def test_the_way_of_knights_is_a_trail_with_how_many_stayed() -> None:
    before = rich()
    board = {
        **before.board,
        (5, 0): Cell("C:C5", ("C", "B", "B")),
        (4, 0): Cell("A:C1", ("B", "B", "B")),
    }
    players = {**before.players, "B": replace(before.players["B"], supply=before.players["B"].supply - 3)}
    after = replace(before, board=board, players=players)
    data = events.KnightsDeployed((events.Left(5, 0, 2), events.Left(4, 0, 1)))
    root = draw(after, told(before, after, data))
    assert len(rings(root)) == 2
    assert len([one for one in of_class(root, "trail") if "halo" not in one.get("class", "")]) == 1
    assert [text(one) for one in of_class(root, "figure")] == ["+2", "+1"]
    assert [text(one) for one in of_class(root, "knight", "new")] == ["B", "B", "B"]
    assert len(of_class(root, "supply", "changed")) == 1
    assert len(of_class(root, "score", "changed")) == 2


def test_a_tile_just_drawn_is_emphasized_in_the_hand_and_so_is_its_pile() -> None:
    before = rich()
    old = before.players["B"]
    drawn = replace(old, hand=(*old.hand[:1], replace(old.hand[1], letter="B", tile="B5")), pile=(2, *old.pile[1:]))
    after = replace(before, players={**before.players, "B": drawn})
    root = draw(after, told(before, after, events.TileDrawn("B", "B5")))
    assert [one.get("title") for one in of_class(root, "in-hand", "changed")] == ["in hand: plain town B5"]
    assert len(of_class(root, "pile", "changed")) == 1


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_step_of_a_match_can_be_drawn_and_told(path: Path) -> None:
    match = replay.run(notation.parse(path.read_bytes(), name=path.name))
    for one in match.carried[::7]:
        state = one.step.state
        root = draw(state, one, Names({}))
        assert len(of_class(root, "knight")) >= sum(bool(cell.stack) for cell in state.board.values())
        words = position_words(match.ruleset, state, Names({}))
        assert words is not None
        assert len(table(words, "Tiles on the board")) == len(state.board)


# On the page


@pytest.mark.django_db
def test_the_page_shows_the_board_its_legend_and_the_words(client: Client, organizer: Person) -> None:
    match = recorded(organizer, played())
    got = client.get(f"/matches/{match.pk}?at=40").content.decode()
    assert 'class="board robberknights"' in got
    assert "a free cell for the next tile" in got
    assert "The position in words" in got
    assert re.search(r"to place a tile|to send knights|to draw a tile", got)
    moment = client.get(f"/matches/{match.pk}?at=41", **HTMX).content.decode()
    assert 'id="moment"' in moment
    assert 'class="board robberknights"' in moment


@pytest.mark.django_db
def test_the_page_asks_no_more_of_the_database_than_that_of_another_game(client: Client, organizer: Person) -> None:
    games = (
        recorded(organizer, notation.write(logs.random_match(1, events=200), "jsonl")),
        recorded(organizer, played()),
    )
    counts = []
    for match in games:
        client.get(f"/matches/{match.pk}")
        for more in ({}, HTMX):
            with CaptureQueriesContext(connection) as asked:
                assert client.get(f"/matches/{match.pk}?at=99", **more).status_code == 200
            counts.append(len(asked))
    assert counts[2:] == counts[:2]
