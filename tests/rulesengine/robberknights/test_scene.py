"""The picture of a position of Robber Knights: every tile where it lies, and where the next one may."""

from __future__ import annotations

from msgspec.structs import replace

from rulesengine.game import Scene, Shape
from rulesengine.robberknights.scene import plots, reach, scene
from rulesengine.robberknights.state import Cell, Options, State, bounds_of
from tests.rulesengine.robberknights.positions import made, rich


def of(drawn: Scene, kind: str) -> list[Shape]:
    return [shape for shape in drawn.shapes if shape.kind == kind]


def laid(state: State, *cells: tuple[int, int]) -> State:
    board = {xy: Cell(f"A:A{number}") for number, xy in enumerate(cells, 2)}
    return replace(state, board=board, bounds=bounds_of(board))


def test_every_tile_is_drawn_once_where_it_lies() -> None:
    state = rich()
    tiles = {tuple(shape.attributes["cell"]): shape for shape in of(scene(state), "tile")}
    assert tiles.keys() == state.board.keys()
    for xy, shape in tiles.items():
        assert shape.at == xy
        assert f"{shape.attributes['owner']}:{shape.attributes['id']}" == state.board[xy].tile
        assert tuple(shape.attributes["stack"]) == state.board[xy].stack


def test_a_tile_tells_what_is_on_it_and_who_holds_it() -> None:
    found = {tuple(shape.attributes["cell"]): shape.attributes for shape in of(scene(rich()), "tile")}
    assert found[(3, 0)]["terrain"] == "forest"
    assert found[(3, 0)]["building"] == "village"
    assert found[(3, 0)]["value"] == 2
    assert found[(3, 0)]["control"] == "C"
    assert found[(2, 0)]["control"] is None
    assert [xy for xy, one in found.items() if one["sends"]] == [(5, 0)]


def test_all_tiles_lie_in_the_box() -> None:
    drawn = scene(rich())
    left, top, width, height = drawn.box
    for shape in [*of(drawn, "tile"), *of(drawn, "plot")]:
        assert left <= shape.at[0] - 0.5
        assert shape.at[0] + 0.5 <= left + width
        assert top <= shape.at[1] - 0.5
        assert shape.at[1] + 0.5 <= top + height


def test_a_free_cell_shares_an_edge_with_a_tile() -> None:
    state = laid(rich(), (0, 0), (1, 0))
    assert plots(state) == [(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)]


def test_the_window_closes_as_the_area_grows() -> None:
    wide = laid(rich(), (0, 0), (1, 0), (2, 0))
    limit = replace(wide, setup=replace(wide.setup, options=Options(grid=3)))
    assert reach(limit) == (0, -2, 2, 2)
    assert plots(limit) == [(x, y) for x in range(3) for y in (-1, 1)]
    [window] = of(scene(limit), "window")
    assert window.attributes["closed_across"]
    assert not window.attributes["closed_down"]
    assert (window.attributes["columns"], window.attributes["rows"], window.attributes["limit"]) == (3, 1, 3)


def test_an_area_wider_than_the_window_leaves_no_room_beside_it() -> None:
    wide = laid(rich(), (0, 0), (1, 0), (2, 0))
    state = replace(wide, setup=replace(wide.setup, options=Options(grid=2)))
    assert reach(state) == (0, -1, 2, 1)


def test_once_the_match_is_over_no_free_cell_is_drawn() -> None:
    assert of(scene(rich()), "plot")
    assert of(scene(rich(step="over", current=None, castle_pending=None, ended_by="time")), "plot") == []


def test_before_the_layout_there_is_an_empty_table_of_its_size() -> None:
    drawn = scene(made("ABC", {}, step="hand", current=None))
    assert [shape.kind for shape in drawn.shapes] == ["window"]
    assert drawn.box == (-0.5, -0.5, 3.0, 2.0)
    assert drawn.shapes[0].attributes["columns"] == 0
