"""The engine against a second reading of the rule page: paths of knights, the window of the area, the score, whole logs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rulesengine import replay, shared
from rulesengine.log import Line
from rulesengine.play import play
from rulesengine.replay import report as whole_report
from rulesengine.robberknights.consequences import TYPES, control_changed, match_over
from rulesengine.robberknights.state import Cell, bounds_of
from rulesengine.robberknights.tables import OWNED
from tests.rulesengine import playthrough
from tests.rulesengine.robberknights.given import GAME, Match, cells, event, path
from tests.rulesengine.robberknights.second_reading import FACE, Table

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "robberknights").glob("*.log.txt"))
NEEDS = {"plain": 1, "forest": 2, "mountain": 3}
SEEDS = range(12)

type Board = dict[tuple[int, int], tuple[str, list[str]]]
"""Cell → tile (with owner) and stack, bottom to top."""


def scattered(chance: random.Random, size: int = 4) -> Board:
    """Return a square of tiles with some holes and knights."""
    tiles = sorted(OWNED)
    chance.shuffle(tiles)
    board: Board = {}
    for x in range(size):
        for y in range(size):
            if chance.random() < 0.9:
                stack = [chance.choice("AB") for _ in range(chance.choice((0, 0, 0, 1, 2, 3, 4)))]
                board[x, y] = (
                    next(tile for tile in tiles if tile[0] in "AB" and tile not in {b for b, _ in board.values()}),
                    stack,
                )
    return board


def laid(match: Match, board: Board, **more: Any) -> Match:
    """Put a match into a position."""
    cells = {xy: Cell(tile, tuple(stack)) for xy, (tile, stack) in board.items()}
    match.state = replace(match.state, board=cells, bounds=bounds_of(cells), current="A", **more)
    return match


def path_verdict(
    board: Board, castle: tuple[int, int], entries: list[tuple[int, int, int]], supply: int, options: dict[str, Any]
) -> tuple[str, str] | None:
    """Return the rule that a path breaks first, and its breach, as part 5 of the page says."""

    def told(rule: str) -> tuple[str, str]:
        total = sum(one[2] for one in entries)
        whole = all(one[:2] in board for one in entries) and 1 <= total <= supply
        return rule, "irregular" if whole else "impossible"

    if entries[0][:2] != castle:
        return told("RK-22")
    for at, (x, y, leave) in enumerate(entries):
        if at:
            back = entries[at - 1]
            if (abs(x - back[0]), abs(y - back[1])) not in ((0, 1), (1, 0)) or (x, y) not in board:
                return told("RK-23")
            if (board[x, y][0]).endswith(":B1"):
                return told("RK-24")
            first = (entries[1][0] - castle[0], entries[1][1] - castle[1])
            if at >= 2 and options["movement"] == "straight_line" and (x - back[0], y - back[1]) != first:
                return told("RK-29")
        need = NEEDS[OWNED[board[x, y][0]].terrain]
        is_again = at > 0 and (x, y) == castle
        if is_again and options["castle_return"] == "already_satisfied":
            need = 0
        arriving = sum(one[2] for one in entries[at:])
        if arriving == 0 or arriving < need:
            return told("RK-27")
        if leave < need:
            return told("RK-28" if is_again else "RK-25")
        there = len(board[x, y][1]) + sum(one[2] for one in entries[: at + 1] if one[:2] == (x, y))
        if options["tile_capacity"] is not None and there > options["tile_capacity"]:
            return told("RK-26")
    total = sum(one[2] for one in entries)
    return told("RK-21") if total > supply or total > options["deploy_max"] else None


@pytest.mark.parametrize("seed", SEEDS)
def test_a_path_breaks_the_rule_that_the_page_names_first(seed: int) -> None:
    chance = random.Random(f"paths {seed}")
    legal = 0
    for _ in range(250):
        options = {
            "movement": chance.choice(("seed_steps", "straight_line")),
            "castle_return": chance.choice(("leave_again", "already_satisfied")),
            "tile_capacity": chance.choice((4, 4, None)),
            "deploy_max": chance.choice((5, 5, 3, 9)),
        }
        board = scattered(chance)
        castles = [xy for xy, (tile, _) in board.items() if tile[0] == "A" and OWNED[tile].building == "castle"]
        if not castles:
            continue
        castle = chance.choice(castles)
        board[castle] = (board[castle][0], [])
        match = laid(Match(2, **options), board, step="knights", castle_pending=castle, placed_this_turn=1)
        supply = chance.choice((30, 6, 4, 2, 0))
        match.state.players["A"] = replace(match.state.players["A"], supply=supply)
        entries = [(*castle, chance.choice((1, 1, 2, 0, 3)))]
        while chance.random() < 0.7 and len(entries) < 6:
            x, y, _ = entries[-1]
            dx, dy = chance.choice(((1, 0), (-1, 0), (0, 1), (0, -1), (0, 1), (1, 0), (1, 1), (2, 0)))
            entries.append((x + dx, y + dy, chance.choice((1, 1, 2, 2, 3, 0))))
        if chance.random() < 0.05:
            entries[0] = (entries[0][0] + 1, entries[0][1], entries[0][2])
        refusal = GAME.check(match.state, event("A", "knights_deployed", path=path(*entries)))
        found = None if refusal is None else (refusal.rule.id, refusal.breach)
        assert found == path_verdict(board, castle, entries, supply, options), (board, castle, entries, supply, options)
        legal += found is None
    assert legal >= 10


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tile_may_be_placed_where_the_page_says(seed: int) -> None:
    chance = random.Random(f"cells {seed}")
    for _ in range(60):
        grid = chance.choice((2, 3, 4, 7))
        board: Board = {(0, 0): ("B:A2", [])}
        tiles = [tile for tile in sorted(OWNED) if tile[0] == "B" and tile != "B:A2"]
        for tile in tiles[: chance.randrange(1, 14)]:
            x, y = chance.choice(sorted(board))
            dx, dy = chance.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
            board.setdefault((x + dx, y + dy), (tile, []))
        match = laid(Match(2, grid={"2": grid}), board, step="place")
        hand = GAME_HAND
        match.state.players["A"] = replace(match.state.players["A"], hand=hand)
        xs, ys = [x for x, _ in board], [y for _, y in board]
        wide, high = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        free = 0
        for x in range(min(xs) - 2, max(xs) + 3):
            for y in range(min(ys) - 2, max(ys) + 3):
                if (x, y) in board:
                    expected: tuple[str, str] | None = ("RK-12", "impossible")
                elif not any((x + dx, y + dy) in board for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))):
                    expected = ("RK-11", "irregular")
                else:
                    wider = max([*xs, x]) - min([*xs, x]) + 1
                    higher = max([*ys, y]) - min([*ys, y]) + 1
                    outside = (wider > grid and wider > wide) or (higher > grid and higher > high)
                    expected = ("RK-13", "irregular") if outside else None
                refusal = GAME.check(match.state, event("A", "tile_placed", tile="A1", x=x, y=y))
                assert (None if refusal is None else (refusal.rule.id, refusal.breach)) == expected, (board, x, y, grid)
                free += expected is None
        passed = GAME.check(match.state, event("A", "turn_passed"))
        assert (passed is None) == (free == 0)


GAME_HAND = Match(2).do("A", "hand_chosen", tile="A2").state.players["A"].hand


@pytest.mark.parametrize("seed", SEEDS)
def test_the_score_and_the_places_are_the_pages(seed: int) -> None:
    chance = random.Random(f"score {seed}")
    for _ in range(30):
        tiebreak = chance.choice((["unused_knights"], []))
        board = scattered(chance, 5)
        match = laid(Match(4, tiebreak=tiebreak), board, step="place")
        resigned = tuple(chance.sample("BCD", chance.randrange(0, 3)))
        for seat in "ABCD":
            match.state.players[seat] = replace(match.state.players[seat], supply=chance.choice((3, 3, 4)))
        match.state = replace(match.state, resigned=resigned)
        match.do(None, "time_called")
        value = {"castle": 1, "village": 2, "town": 3, "none": 0}
        points = dict.fromkeys("ABCD", 0)
        for tile, stack in board.values():
            if stack:
                points[stack[-1]] += value[OWNED[tile].building]
        key = {
            seat: (points[seat], match.state.players[seat].supply if tiebreak else 0)
            for seat in "ABCD"
            if seat not in resigned
        }
        places = {seat: 1 + sum(other > mine for other in key.values()) for seat, mine in key.items()}
        for at, seat in enumerate(resigned):
            places[seat] = 4 - at
        assert {one.seat: one.place for one in GAME.outcome(match.state) or ()} == places
        told = GAME.result(match.state)
        assert told is not None and {row["seat"]: row["points"] for row in told["seats"]} == points


class Guess:
    """Makes up events: mostly what could be next, often with a slip."""

    def __init__(self, seats: str, chance: random.Random) -> None:
        self.seats, self.chance = seats, chance

    def tile(self, now: dict[str, Any], seat: str) -> str:
        pick = self.chance.choice
        hand = [
            slot["tile"] or pick(["B1", "B2", *now["players"][seat]["unplaced"]])
            for slot in now["players"][seat]["hand"]
        ]
        return pick([*hand * 6, "A1", "B6", "", "D4"])

    def cell(self, now: dict[str, Any]) -> tuple[int, int]:
        pick = self.chance.choice
        x, y = map(int, pick([*now["board"], "0,0"]).split(","))
        dx, dy = pick([(1, 0), (-1, 0), (0, 1), (0, -1)] * 5 + [(0, 0), (1, 1), (2, 0)])
        taken = f"{x + dx},{y + dy}" in now["board"] and self.chance.random() < 0.9
        return self.cell(now) if taken else (x + dx, y + dy)

    def path(self, now: dict[str, Any]) -> list[dict[str, int]]:
        pick = self.chance.choice
        x, y = map(int, (now["castle_pending"] or "0,0").split(","))
        if self.chance.random() < 0.05:
            x += 1
        leave = (1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 0)
        entries = [(x, y, pick(leave))]
        dx, dy = 1, 0
        while self.chance.random() < 0.6:
            if len(entries) == 1 or self.chance.random() < 0.5:
                there = [
                    one for one in ((1, 0), (-1, 0), (0, 1), (0, -1)) if f"{x + one[0]},{y + one[1]}" in now["board"]
                ]
                dx, dy = pick(there * 12 + [(1, 0), (0, 0), (1, 1), (2, 0)])
            x, y = x + dx, y + dy
            entries.append((x, y, pick(leave)))
        return path(*entries)

    def drawn(self, now: dict[str, Any], seat: str, sealed: bool) -> dict[str, Any]:
        pick = self.chance.choice
        pile = now["players"][seat]["pile"]
        top = next((letter for letter in "BCDE" if pile[letter]), "B")
        letter = pick([top] * 12 + list("ABCDEF"))
        if sealed:
            return {"letter": letter}
        fits = [id_ for id_ in now["players"][seat]["unplaced"] if id_[0] == letter]
        return {"letter": letter, "tile": pick([*fits * 4, "C1", "B1", "E6", ""])}

    def layout(self, now: dict[str, Any]) -> list[dict[str, Any]]:
        kept = {f"{seat}:{slot['tile']}" for seat in self.seats for slot in now["players"][seat]["hand"]}
        tiles = [f"{seat}:A{n}" for seat in self.seats for n in range(1, 5) if f"{seat}:A{n}" not in kept]
        self.chance.shuffle(tiles)
        laid = cells(*tiles, columns=self.chance.choice((2, len(self.seats), len(self.seats), 1, 3)))
        slip = self.chance.random()
        if slip < 0.1:
            laid[-1]["x"] = self.chance.choice((-1, 0, 4))
        elif slip < 0.2:
            laid[0]["tile"] = "A:A1"
        return laid

    def event(self, now: dict[str, Any], sealed: bool) -> tuple[str | None, str, dict[str, Any]]:
        pick, seats = self.chance.choice, self.seats
        seat = pick([now["current"] or pick(seats)] * 20 + list(seats))
        common = {
            "hand": ["hand_chosen"] * 20 + ["match_started", "player_resigned"],
            "layout": ["layout_laid"],
            "place": ["tile_placed"] * 5 + ["turn_ended", "turn_passed"],
            "knights": ["knights_deployed"] * 4 + ["knights_declined"],
            "draw": ["tile_drawn"],
            "over": ["match_annulled", *["placements_confirmed", "state_adjusted"] * 12],
        }[now["step"]]
        rare = list(MADE_UP)
        type_ = pick([*common] * 12 + rare if self.chance.random() < 0.3 else common)
        if type_ in ENDS and not now["finished"] and self.chance.random() < 0.97:
            type_ = pick(common)
        data: dict[str, Any] = {}
        if type_ == "match_started":
            data = pick([{}, {"start_seat": pick(seats)}, {"start_seat": "Q"}])
        elif type_ == "hand_chosen":
            data = {"tile": pick(["A2", "A3", "A4", "A2", "A3", "A4", "A1", "B1"])}
        elif type_ == "layout_laid":
            data = {"cells": self.layout(now)}
        elif type_ == "tile_placed":
            x, y = self.cell(now)
            data = {"tile": self.tile(now, seat), "x": x, "y": y}
        elif type_ == "knights_deployed":
            data = {"path": self.path(now)}
        elif type_ == "tile_drawn":
            data = self.drawn(now, seat, sealed)
        elif type_ == "draw_agreed":
            playing = [one for one in seats if one not in now["resigned"]]
            data = {"seats": pick([playing, playing[::-1], playing[1:], [*playing, playing[0]]])}
        elif type_ == "state_adjusted":
            data = self.adjustment(now)
        return (seat if type_ in SEATED else None), type_, data

    def adjustment(self, now: dict[str, Any]) -> dict[str, Any]:
        pick = self.chance.choice
        if self.chance.random() < 0.5 or not now["board"]:
            seat = pick(self.seats)
            old = now["players"][seat]["supply"]
            return {
                "path": pick([f"players.{seat}.supply"] * 5 + [f"players.{seat}.hand"]),
                "old": pick([old, old, old, old + 1]),
                "new": pick([0, 1, 5, -1, True, "3", 2.0]),
            }
        xy = pick(list(now["board"]))
        stack = now["board"][xy]["stack"]
        new = pick([[], [*stack, pick(self.seats)], stack[:-1], ["Q"], None, "A", ["A"] * 6])
        return {
            "path": f"board.{pick([xy] * 6 + ['77,0'])}.stack",
            "old": pick([stack, stack, stack, ["A"]]),
            "new": new,
        }


SEATED = {
    "hand_chosen", "tile_placed", "knights_deployed", "knights_declined", "tile_drawn", "turn_ended", "turn_passed",
    "player_resigned",
}  # fmt: skip
ENDS = {"time_called", "match_abandoned", "match_annulled", "draw_agreed", "match_ended", "player_resigned"}
MADE_UP = sorted(SEATED | ENDS | {"match_started", "layout_laid", "state_adjusted", "placements_confirmed"})


def chosen_options(chance: random.Random, seats: int) -> dict[str, Any]:
    """Return options drawn at random, half of the matches with few knights or a narrow field so that they end."""
    everything: dict[str, Any] = {
        "movement": chance.choice(("seed_steps", "straight_line")),
        "castle_return": chance.choice(("leave_again", "already_satisfied")),
        "tile_capacity": chance.choice((4, None)),
        "castle_min_deploy": chance.choice((0, 1)),
        "deploy_max": chance.choice((1, 5, 9)),
        "knights_per_player": chance.choice((1, 4, 12, 30)),
        "grid": {str(seats): chance.choice((seats, 5, 7, 12))},
        "min_tiles_per_turn": chance.choice((0, 1)),
        "max_tiles_per_turn": chance.choice((1, 2, 3)),
        "draw_record": chance.choice(("open", "sealed")),
        "end_when_all_knights_placed": chance.choice((False, True)),
        "tiebreak": chance.choice((["unused_knights"], [])),
        "start_seat": chance.choice("ABCD"[:seats]),
    }
    return {name: one for name, one in everything.items() if chance.random() < 0.5}


@pytest.mark.parametrize("seed", range(40))
def test_a_match_with_every_kind_of_slip_goes_as_a_second_reading_of_the_page_says(seed: int) -> None:
    chance = random.Random(f"matches {seed}")
    seats = "ABCD"[: chance.choice((2, 2, 3, 4))]
    options = chosen_options(chance, len(seats))
    sealed = options.get("draw_record") == "sealed"
    table, match, guess = Table(seats, options), Match(len(seats), **options), Guess(seats, chance)
    carried, more = 0, 20
    for _ in range(900):
        more -= table.now["finished"]
        if not more:
            break
        seat, type_, data = guess.event(table.now, sealed)
        expected = table.verdict(seat, type_, data)
        one = event(seat, type_, **data)
        refusal = GAME.check(match.state, one)
        found = None if refusal is None else (refusal.rule.id, refusal.breach)
        assert found == expected, (options, table.now, seat, type_, data)
        if expected is None or (expected[1] == "irregular" and chance.random() < 0.05):
            table.take(seat, type_, data)
            match.state = GAME.follow(match.state, one).state
            assert GAME.view(match.state) == table.now, (options, seat, type_, data)
            carried += 1
    assert carried >= 1
    told = GAME.result(match.state)
    if table.now["placements"]:
        assert told is not None
        held = [(cell["tile"], cell["stack"][-1]) for cell in table.now["board"].values() if cell["stack"]]
        for row in told["seats"]:
            buildings = [FACE[tile[2:]].split()[-1] for tile, owner in held if owner == row["seat"]]
            counted = tuple(buildings.count(one) for one in ("castle", "village", "town"))
            assert (row["castles"], row["villages"], row["towns"]) == counted
            assert row["points"] == table.points(row["seat"])
            assert row["unused_knights"] == table.now["players"][row["seat"]]["supply"]
    else:
        assert told is None


def test_of_several_amendments_the_latest_counts_and_one_that_is_voided_does_nothing() -> None:
    log = play("robberknights", seed=3, seats=2, max_events=1)
    (first,) = log.lines
    assert first.type == "hand_chosen" and first.seat is not None

    def amended(seq: int, tile: str) -> Line:
        return Line(seq, "event_amended", data=f'{{"target_seq": 1, "data": {{"tile": "{tile}"}}}}'.encode())

    def chosen(*rows: Line) -> str | None:
        told = replay.run(replace(log, lines=(first, *rows)))
        return told.state.players[first.seat].hand[1].tile  # type: ignore[no-any-return]

    both = (amended(2, "A2"), amended(3, "A4"))
    assert chosen(*both) == "A4"
    assert chosen(*both, Line(4, "event_voided", data=b'{"target_seq": 3}')) == "A2"


@pytest.mark.parametrize("by", ["passes", "tiles"])
def test_no_turn_begins_when_the_match_is_over(by: str) -> None:
    if by == "passes":
        match = Match(2, grid={"2": 2}).laid().do("A", "turn_passed").do("B", "turn_passed")
    else:
        match = Match(2).laid().out_of_tiles("A", "A2").out_of_tiles("B").do("A", "tile_placed", tile="A2", x=2, y=0)
    assert match.last.consequences == (match_over(by),)


def test_the_knights_of_the_last_castle_end_it_without_another_turn() -> None:
    match = Match(2, end_when_all_knights_placed=True, knights_per_player=1).laid()
    match.set(players__B__supply=0).do("A", "tile_placed", tile="A1", x=2, y=0)
    match.out_of_tiles("A").do("A", "knights_deployed", path=path((2, 0, 1)))
    assert match.last.consequences == (control_changed("2,0", None, "A"), match_over("knights"))


def test_the_golden_matches_show_every_event_and_every_consequence() -> None:
    stood: set[str] = set()
    told: set[str] = set()
    for one in GOLDEN:
        found = whole_report(playthrough.log_in(one.read_text()), keep=True)
        refused = {row.seq for row in found.findings if row.kind != "observed"}
        stood |= {line.type for line in found.replay.log.lines if line.seq not in refused}
        told |= {follows.type for each in found.replay.carried for follows in each.step.consequences}
    missing = (GAME.payloads.keys() | shared.PAYLOADS.keys()) - GAME.not_used - stood
    assert missing == set(), f"no golden match of Robber Knights has an event {', '.join(sorted(missing))}"
    untold = TYPES - told
    assert untold == set(), f"in no golden match of Robber Knights there follows {', '.join(sorted(untold))}"
