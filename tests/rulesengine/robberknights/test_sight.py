"""Who sees which face while a match runs (part 6 of the page)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulesengine import codec, notation, replay, sight
from tests.rulesengine.robberknights.given import FIRST, GAME, Match, Row, event, log

DRAWN = "B5"
"""What A drew in FIRST at seq 6."""


def told(rows: list[Row], viewer: str | None) -> tuple[Any, str]:
    """Return what a viewer sees of a running match: the replay, and all of it as text."""
    whole = replay.run(log(rows))
    found = sight.seen(whole, viewer, running=True)
    shown = found.replay
    text = [notation.write(shown.log, "jsonl").decode(), json.dumps(GAME.view(shown.state))]
    text += [repr(one) for one in (shown.carried, shown.findings)]
    return found, "\n".join(text)


def test_of_an_open_draw_others_see_the_letter_alone() -> None:
    one = event("A", "tile_drawn", letter="B", tile=DRAWN)
    state = replay.run(log(FIRST)).state
    for viewer in ("B", None):
        seen = GAME.seen_by(one, viewer, state)
        assert seen == event("A", "tile_drawn", letter="B")
        assert GAME.state_seen_by(state, viewer).players["A"].hand[1].tile is None
    assert GAME.seen_by(one, "A", state) == one
    assert GAME.state_seen_by(state, "A") is state
    assert GAME.seen_by(one, "B", None) == event("A", "tile_drawn", letter="B")


@pytest.mark.parametrize("viewer", ["B", None])
def test_no_way_of_a_running_match_tells_a_face_in_anothers_hand(viewer: str | None) -> None:
    rows: list[Row] = [*FIRST, (None, "event_amended", {"target_seq": 6, "data": {"letter": "B", "tile": "B4"}})]
    for shown, secrets in ((FIRST, (DRAWN,)), (rows, ("B4", DRAWN))):
        found, text = told(shown, viewer)
        assert 6 in found.redacted
        plain = text.replace('"unplaced": [', "").split('"resigned"')[0]
        for secret in secrets:
            assert f'"tile":"{secret}"' not in plain
            assert f"tile='{secret}'" not in plain
            assert f'"tile": "{secret}"' not in plain
    own, text = told(FIRST, "A")
    assert own.whole
    assert f'"tile":"{DRAWN}"' in text


def test_a_face_is_everybodys_once_the_tile_lies_on_the_board() -> None:
    rows: list[Row] = [
        *FIRST[:6],
        ("A", "tile_placed", {"tile": DRAWN, "x": 2, "y": 1}),
        ("A", "tile_drawn", {"letter": "B", "tile": "B1"}),
    ]
    found, text = told(rows, None)
    assert found.redacted == {8}
    assert f'"tile":"{DRAWN}"' in text


def test_the_chosen_a_tile_is_known_to_all() -> None:
    match = Match(3).laid()
    assert GAME.state_seen_by(match.state, None) is match.state
    one = event("A", "hand_chosen", tile="A2")
    assert GAME.seen_by(one, None, match.state) == one


def test_a_sealed_draw_tells_nobody_a_face() -> None:
    match = Match(draw_record="sealed").laid().do("A", "tile_placed", tile="A2", x=0, y=-1)
    match.do("A", "tile_drawn", letter="B")
    for viewer in ("A", "B", None):
        assert GAME.state_seen_by(match.state, viewer) is match.state


def test_a_mistyped_face_is_hidden_too() -> None:
    state = replay.run(log(FIRST)).state
    for tile in ("b5", "B5 ", "B9"):
        assert GAME.seen_by(event("A", "tile_drawn", letter="B", tile=tile), None, state) == event(
            "A", "tile_drawn", letter="B"
        )


def test_a_refusal_tells_nothing_of_a_hand() -> None:
    whole = replay.run(log(FIRST[:6]))
    one = event("A", "tile_placed", tile="B3", x=2, y=1)
    refused = GAME.check(whole.state, one)
    assert refused is not None
    assert DRAWN in str(refused.nearest)
    line = codec.line(one, 7)
    for viewer in ("B", None):
        seen = sight.refusal(whole, sight.seen(whole, viewer), line, refused, viewer)
        assert DRAWN not in f"{seen.because} {seen.nearest}"


def test_what_follows_from_a_draw_is_on_the_table() -> None:
    rows: list[Row] = [*FIRST[:5], ("A", "tile_drawn", {"letter": "B", "tile": DRAWN})]
    whole = replay.run(log(rows, max_tiles_per_turn=1))
    shown = sight.seen(whole, None, running=True).replay
    assert [one.type for one in shown.carried[-1].step.consequences] == ["turn_started"]


def test_the_whole_log_is_shown_after_the_end() -> None:
    rows: list[Row] = [*FIRST, (None, "time_called", {})]
    assert sight.seen(replay.run(log(rows)), None).whole
