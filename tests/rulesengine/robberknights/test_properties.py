"""What holds in every match: over whole matches that the machine played from seeds, under many options."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from rulesengine import codec, notation, replay
from rulesengine.game import Event
from rulesengine.log import Line, Log
from rulesengine.play import play
from rulesengine.replay import Replay
from rulesengine.robberknights.events import TileDrawn, TilePlaced
from rulesengine.robberknights.legal import MOST_PATHS
from rulesengine.robberknights.state import State, points
from rulesengine.robberknights.tables import TILES
from tests.rulesengine.robberknights.given import GAME

OPTIONS: list[dict[str, Any]] = [
    {},
    {"movement": "straight_line"},
    {"draw_record": "sealed"},
    {"castle_return": "already_satisfied", "tile_capacity": None, "deploy_max": 9},
    {"castle_min_deploy": 1, "knights_per_player": 12, "end_when_all_knights_placed": True},
    {"grid": {"2": 4, "3": 5, "4": 5}, "max_tiles_per_turn": 2, "tiebreak": []},
    {"min_tiles_per_turn": 0, "max_tiles_per_turn": 1, "draw_record": "sealed", "movement": "straight_line"},
]
SEEDS = range(3 * len(OPTIONS))


@cache
def match(seed: int) -> Log:
    return play(
        "robberknights", seed=seed, player="random" if seed % 3 else "greedy", options=OPTIONS[seed % len(OPTIONS)]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_offered_is_accepted_to_the_end(seed: int) -> None:
    log = match(seed)
    report = replay.report(log)
    assert report.findings == ()
    assert report.replay.status == "ended"
    assert sorted(one.seat for one in report.replay.placements) == [seat.seat for seat in log.header.seats]


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_offered_is_refused_and_never_too_much_is_offered(seed: int) -> None:
    for at, one in enumerate(replay.run(match(seed)).carried):
        state: State = one.step.state
        offered = list(GAME.legal(state))
        if at % 4 == 0:
            assert offered == list(GAME.legal(state))
            assert len(set(map(repr, offered))) == len(offered)
        assert all(GAME.check(state, event) is None for event in offered), at
        assert sum(event.type == "knights_deployed" for event in offered) <= MOST_PATHS
        if state.step == "over":
            assert not offered
        elif state.current is not None:
            assert any(event.seat == state.current and event.type != "player_resigned" for event in offered)


def test_every_event_of_play_and_every_natural_end_is_reached() -> None:
    seen: set[Any] = set()
    for seed in SEEDS:
        told = replay.run(match(seed))
        seen |= {line.type for line in match(seed).lines} | {told.state.ended_by}
    hoped = """hand_chosen layout_laid tile_placed knights_deployed knights_declined tile_drawn turn_ended turn_passed
        tiles knights passes"""
    assert set(hoped.split()) - seen == set()


@pytest.mark.parametrize("seed", SEEDS)
def test_pieces_are_neither_lost_nor_made(seed: int) -> None:
    for one in replay.run(match(seed)).carried:
        state: State = one.step.state
        options = state.setup.options
        laid = [cell.tile for cell in state.board.values()]
        knights = [seat for cell in state.board.values() for seat in cell.stack]
        for seat, player in state.players.items():
            assert player.supply + knights.count(seat) == options.knights_per_player
            own = [tile[2:] for tile in laid if tile[0] == seat]
            assert sorted([*own, *player.unplaced]) == list(TILES)
            drawn = [slot.letter for slot in player.hand]
            if state.step not in ("hand", "layout"):
                for letter, left in zip("BCDE", player.pile, strict=True):
                    assert left + drawn.count(letter) == sum(id_[0] == letter for id_ in player.unplaced)
            assert len(player.hand) <= 2
        if options.tile_capacity is not None:
            assert all(len(cell.stack) <= options.tile_capacity for cell in state.board.values())
        if state.board:
            left_, top, right, bottom = state.bounds
            assert {left_, right} <= {x for x, _ in state.board}
            assert {top, bottom} <= {y for _, y in state.board}
            assert max(right - left_, bottom - top) < options.grid
        assert sum(points(state).values()) <= 32 * len(state.players)


@pytest.mark.parametrize("seed", SEEDS[:7])
def test_a_match_replayed_equals_what_was_recorded_line_by_line(seed: int) -> None:
    log = match(seed)
    live = replay.run(replace(log, lines=()))
    for line in log.lines:
        after = replay.append(live, line)
        assert isinstance(after, Replay)
        live = after
        if line.seq % 10 == 0:
            there = replay.run(log, at=line.seq)
            assert (there.state, there.carried, there.findings) == (live.state, live.carried, live.findings)
    assert live == replay.run(log)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_state_survives_being_shown_and_read(seed: int) -> None:
    log = match(seed)
    for one in replay.run(log).carried:
        shown = GAME.view(one.step.state)
        again = GAME.load(log.header, msgspec.json.decode(msgspec.json.encode(shown)))
        assert again == one.step.state
        assert GAME.view(again) == shown


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", notation.FORMS)
def test_a_match_comes_back_from_every_form(seed: int, form: str) -> None:
    log = match(seed)
    again = notation.parse(notation.write(log, form))
    assert notation.canonical(again) == notation.canonical(log)
    assert replay.run(again).state == replay.run(log).state


@pytest.mark.parametrize("seed", SEEDS)
def test_what_each_viewer_sees_is_a_position_without_faces_in_other_hands(seed: int) -> None:
    told = replay.run(match(seed))
    for one in told.carried[::3]:
        state: State = one.step.state
        for viewer in (None, *state.setup.seats):
            seen = GAME.state_seen_by(state, viewer)
            for seat, player in seen.players.items():
                if seat != viewer:
                    assert all(slot.tile is None or slot.letter == "A" for slot in player.hand)
                else:
                    assert player == state.players[seat]
            assert GAME.state_seen_by(seen, viewer) == seen
            for event in GAME.legal(seen):
                assert GAME.check(seen, event) is None
            view = GAME.view(state)
            limited = GAME.view(seen)
            for plain in (view, limited):
                for row in plain["players"].values():
                    row["hand"] = [slot["letter"] for slot in row["hand"]]
            assert limited == view


# Damaged logs

OTHERS: list[tuple[str, str | None, bytes]] = [
    ("event_voided", None, b'{"target_seq": 5}'),
    ("event_withdrawn", None, b'{"target_seq": 20}'),
    ("event_amended", None, b'{"target_seq": 9, "data": {"tile": "A1", "x": 3, "y": 0}}'),
    ("event_amended", None, b'{"target_seq": 0, "data": {"options": {"start_seat": "B"}}}'),
    (
        "illegal_state_accepted",
        None,
        b'{"seqs": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 50]}',
    ),
    ("state_adjusted", None, b'{"path": "players.A.supply", "old": 30, "new": 2}'),
    ("dispute_opened", "A", b'{"about_seq": 1}'),
    ("ruling_given", None, b'{"about_seq": 1}'),
    ("tile_drawn", "A", b'{"letter": "C", "tile": "C1"}'),
    ("turn_passed", "A", b"{}"),
    ("turn_ended", "B", b"{}"),
    ("player_resigned", "B", b"{}"),
    ("match_ended", None, b"{}"),
    ("placements_confirmed", None, b"{}"),
    ("match_annulled", None, b"{}"),
    ("nonsense", "Q", b"{}"),
]


def damaged(seed: int) -> Log:
    """Return a match with lines lost, doubled, moved and put in between."""
    chance = random.Random(seed)
    log = match(seed % len(SEEDS))
    lines = list(log.lines[:70])
    for _ in range(chance.randint(1, 7)):
        at = chance.randrange(len(lines))
        how = chance.choice(["lose", "double", "move", "add", "add", "add"])
        if how == "lose":
            del lines[at]
        elif how == "double":
            lines.insert(at, lines[at])
        elif how == "move":
            lines.insert(chance.randrange(len(lines)), lines.pop(at))
        else:
            type_, seat, data = chance.choice(OTHERS)
            lines.insert(chance.randint(at, len(lines)), Line(0, type_, seat, data))
    return replace(log, lines=tuple(replace(line, seq=seq) for seq, line in enumerate(lines, 1)))


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_recorded_every_line_is_carried_out_skipped_or_refused(seed: int) -> None:
    log = damaged(seed)
    report = replay.report(log, keep=True)
    told = report.replay
    refused = [one.seq for one in report.findings if one.kind != "observed"]
    carried = {one.seq for one in told.carried if one.seq}
    assert len(refused) == len(set(refused))
    assert carried | set(refused) | told.skipped == {line.seq for line in log.lines}
    assert not carried & set(refused)
    for one in told.carried:
        state: State = one.step.state
        shown = GAME.view(state)
        assert GAME.view(GAME.load(told.header, shown)) == shown
        assert all(GAME.check(state, event) is None for event in GAME.legal(state))


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_recorded_live_recording_equals_a_new_run(seed: int) -> None:
    log = damaged(seed)
    live = replay.run(replace(log, lines=()))
    for line in log.lines:
        try:
            after = replay.append(live, replace(line, seq=len(live.log.lines) + 1))
        except codec.FormError:
            continue
        if isinstance(after, Replay):
            live = after
    assert live == replay.run(live.log)


@pytest.mark.parametrize("seed", SEEDS[:7])
def test_every_placement_and_draw_that_the_rules_allow_is_offered(seed: int) -> None:
    for one in replay.run(match(seed)).carried[::5]:
        state: State = one.step.state
        seat = state.current
        offered = {repr(event) for event in GAME.legal(state)}
        if state.step == "place":
            left, top, right, bottom = state.bounds
            for tile in TILES:
                for x in range(left - 2, right + 3):
                    for y in range(top - 2, bottom + 3):
                        placed = Event(seat, TilePlaced(tile=tile, x=x, y=y))
                        assert (GAME.check(state, placed) is None) == (repr(placed) in offered)
        elif state.step == "draw":
            for tile in (None, *TILES):
                for letter in "ABCDE":
                    drawn = Event(seat, TileDrawn(letter=letter, tile=tile))
                    assert (GAME.check(state, drawn) is None) == (repr(drawn) in offered)
