"""The rule page of Robber Knights once more, straight from its words, on plain values: nothing of the engine's is used here.

:class:`Table` holds a position as part 3 of the page shows it and takes events in the order of part 5: :meth:`Table.verdict`
is the rule that forbids one and how badly, :meth:`Table.take` carries it out, allowed or accepted.
"""

from __future__ import annotations

import copy
from typing import Any

KINDS = {
    "A": "plain castle, plain, plain village, mountain",
    "B": "lake, plain castle, plain village, forest village, plain town",
    "C": "forest town, plain, plain castle, plain village, forest castle",
    "D": "plain castle, mountain, forest village, plain castle, plain town",
    "E": "plain castle, forest village, plain town, forest castle, plain",
}
FACE = {f"{letter}{n}": kind for letter, row in KINDS.items() for n, kind in enumerate(row.split(", "), 1)}
"""Tile → what is on it, part 2.3."""
NEED = {"plain": 1, "forest": 2, "mountain": 3, "lake": 99}
VALUE = {"castle": 1, "village": 2, "town": 3}
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
TURN = ("tile_placed", "knights_deployed", "knights_declined", "tile_drawn", "turn_ended", "turn_passed")

type Verdict = tuple[str, str] | None


def need(tile: str) -> int:
    """Return how many knights a tile (with owner) asks for."""
    return NEED[FACE[tile[2:]].split()[0]]


def value(tile: str) -> int:
    """Return what a tile (with owner) is worth."""
    return VALUE.get(FACE[tile[2:]].split()[-1], 0)


class Table:
    """A match on plain values."""

    def __init__(self, seats: str, options: dict[str, Any]) -> None:
        grid = {"2": 7, "3": 9, "4": 10, **options.get("grid", {})}
        self.rules = {
            "movement": "seed_steps", "castle_return": "leave_again", "tile_capacity": 4, "castle_min_deploy": 0,
            "deploy_max": 5, "knights_per_player": 30, "min_tiles_per_turn": 1, "max_tiles_per_turn": 3,
            "draw_record": "open", "end_when_all_knights_placed": False, "tiebreak": ["unused_knights"],
            "start_seat": seats[0], **options, "grid": grid[str(len(seats))],
        }  # fmt: skip
        pile = {"B": 5, "C": 5, "D": 5, "E": 5}
        one = {"supply": self.rules["knights_per_player"], "hand": [], "pile": pile, "unplaced": sorted(FACE)}
        self.now: dict[str, Any] = {
            "seats": list(seats), "start_seat": self.rules["start_seat"], "current": None, "step": "hand",
            "placed_this_turn": 0, "castle_pending": None, "draw_pending": False, "consecutive_passes": 0, "board": {},
            "players": {seat: copy.deepcopy(one) for seat in seats}, "resigned": [], "finished": False,
            "ended_by": None, "placements": None,
        }  # fmt: skip

    # Questions

    def tile(self, x: int, y: int) -> dict[str, Any] | None:
        """Return what lies on a cell."""
        cell: dict[str, Any] | None = self.now["board"].get(f"{x},{y}")
        return cell

    def beside(self, x: int, y: int) -> bool:
        """Return whether a cell shares an edge with a tile."""
        return any(self.tile(x + dx, y + dy) for dx, dy in SIDES)

    def too_large(self, x: int, y: int) -> bool:
        """Return whether a tile there would make the area wider or higher than it may become."""
        at = [tuple(map(int, cell.split(","))) for cell in self.now["board"]]
        for axis, new in enumerate((x, y)):
            lines = {one[axis] for one in at}
            span = max(lines) - min(lines)
            wider = max(lines | {new}) - min(lines | {new})
            if wider > span and wider + 1 > self.rules["grid"]:
                return True
        return False

    def can_place(self, seat: str) -> bool:
        """Return whether a seat has a legal placement."""
        at = [tuple(map(int, cell.split(","))) for cell in self.now["board"]]
        around = {(x + dx, y + dy) for x, y in at for dx, dy in SIDES} - set(at)
        return bool(self.now["players"][seat]["hand"]) and any(not self.too_large(x, y) for x, y in around)

    def has_tiles(self, seat: str) -> bool:
        """Return whether a seat has a tile in hand or pile."""
        player = self.now["players"][seat]
        return bool(player["hand"]) or sum(player["pile"].values()) > 0

    def playing(self) -> list[str]:
        """Return who has not resigned."""
        return [seat for seat in self.now["seats"] if seat not in self.now["resigned"]]

    def points(self, seat: str) -> int:
        """Return the points of a seat."""
        return sum(value(cell["tile"]) for cell in self.now["board"].values() if cell["stack"][-1:] == [seat])

    # Verdicts

    def verdict(self, seat: str | None, type_: str, data: dict[str, Any]) -> Verdict:
        """Return the rule that forbids an event and ``irregular`` or ``impossible``; None if it is allowed."""
        now = self.now
        if now["finished"] and type_ not in ("match_ended", "match_annulled", "state_adjusted", "placements_confirmed"):
            return "RK-42", "impossible"
        if type_ in TURN and now["current"] != seat:
            return "RK-10", "impossible"
        found: Verdict = getattr(self, f"may_{type_}")(seat, **data)
        return found

    def may_match_started(self, seat: str | None, start_seat: str | None = None) -> Verdict:
        """Before the first choice."""
        if self.now["step"] != "hand" or any(one["hand"] for one in self.now["players"].values()):
            return "RK-10", "impossible"
        return None if start_seat in (None, *self.now["seats"]) else ("RK-06", "impossible")

    def may_hand_chosen(self, seat: str, tile: str) -> Verdict:
        """Once, A2 to A4."""
        once = self.now["step"] == "hand" and not self.now["players"][seat]["hand"]
        return None if once and tile in ("A2", "A3", "A4") else ("RK-04", "impossible")

    def may_layout_laid(self, seat: str | None, cells: list[dict[str, Any]]) -> Verdict:
        """Exactly the tiles left, as a rectangle."""
        players = self.now["players"]
        kept = {f"{one}:{slot['tile']}" for one in players for slot in players[one]["hand"]}
        left = sorted({f"{one}:A{n}" for one in players for n in range(1, 5)} - kept)
        at = [(one["x"], one["y"]) for one in cells]
        step, tiles = self.now["step"], sorted(one["tile"] for one in cells)
        if step != "layout" or tiles != left or len(set(at)) < len(at):
            return "RK-05", "impossible"
        full = all((x, y) in at for x in range(max(at)[0] + 1) for y in range(max(y for _, y in at) + 1))
        wide, high = len({x for x, _ in at}), len({y for _, y in at})
        right = full and min(at) == (0, 0) and {wide, high} == {2, len(self.now["seats"])}
        return None if right and wide * high == len(at) else ("RK-05", "irregular")

    def may_tile_placed(self, seat: str, tile: str, x: int, y: int) -> Verdict:
        """Held, on an empty cell beside a tile, within the limit."""
        if self.now["step"] != "place":
            return "RK-10", "impossible"
        player = self.now["players"][seat]
        shown = [slot["tile"] for slot in player["hand"]]
        sealed = {"letter": tile[:1], "tile": None} in player["hand"] and tile in player["unplaced"]
        if tile not in shown and not sealed:
            return "RK-14", "impossible"
        if self.tile(x, y):
            return "RK-12", "impossible"
        if not self.beside(x, y):
            return "RK-11", "irregular"
        return ("RK-13", "irregular") if self.too_large(x, y) else None

    def may_knights_deployed(self, seat: str, path: list[dict[str, int]]) -> Verdict:
        """A path that keeps RK-22 to RK-29, and not too many knights."""
        if self.now["step"] != "knights":
            return "RK-20", "impossible"
        rule = self.broken(seat, path)
        if rule is None:
            return None
        total = sum(one["leave"] for one in path)
        lie = all(self.tile(one["x"], one["y"]) for one in path)
        carried_out = lie and 1 <= total <= self.now["players"][seat]["supply"]
        return rule, "irregular" if carried_out else "impossible"

    def broken(self, seat: str, path: list[dict[str, int]]) -> str | None:
        """Return the first rule that a path breaks."""
        at = [(one["x"], one["y"]) for one in path]
        leave = [one["leave"] for one in path]
        castle = tuple(map(int, self.now["castle_pending"].split(",")))
        if at[0] != castle:
            return "RK-22"
        steps = [(x - a, y - b) for (x, y), (a, b) in zip(at[1:], at, strict=False)]
        for n, (x, y) in enumerate(at):
            cell = self.tile(x, y)
            if n and (steps[n - 1] not in SIDES or cell is None):
                return "RK-23"
            assert cell is not None
            if n and FACE[cell["tile"][2:]] == "lake":
                return "RK-24"
            if n > 1 and self.rules["movement"] == "straight_line" and steps[n - 1] != steps[0]:
                return "RK-29"
            least = need(cell["tile"])
            returns = n > 0 and at[n] == castle
            if returns and self.rules["castle_return"] == "already_satisfied":
                least = 0
            if sum(leave[n:]) < max(least, 1):
                return "RK-27"
            if leave[n] < least:
                return "RK-28" if returns else "RK-25"
            stands = len(cell["stack"]) + sum(
                left for one, left in zip(at[: n + 1], leave, strict=False) if one == at[n]
            )
            if self.rules["tile_capacity"] is not None and stands > self.rules["tile_capacity"]:
                return "RK-26"
        return "RK-21" if sum(leave) > min(self.rules["deploy_max"], self.now["players"][seat]["supply"]) else None

    def may_knights_declined(self, seat: str) -> Verdict:
        """Unless the castle must be manned and can be."""
        if self.now["step"] != "knights":
            return "RK-20", "impossible"
        least = need(self.now["board"][self.now["castle_pending"]]["tile"])
        could = self.now["players"][seat]["supply"] >= least and self.rules["deploy_max"] >= least
        return ("RK-21", "irregular") if self.rules["castle_min_deploy"] == 1 and could else None

    def may_tile_drawn(self, seat: str, letter: str, tile: str | None = None) -> Verdict:
        """The top letter; open: a tile of it that is neither on the board nor in hand."""
        if self.now["step"] != "draw":
            return "RK-15", "impossible"
        player = self.now["players"][seat]
        good = tile is None or (
            tile in FACE
            and tile[0] == letter
            and tile in player["unplaced"]
            and tile not in [slot["tile"] for slot in player["hand"]]
        )
        if letter != next(one for one in "BCDE" if player["pile"][one]):
            return "RK-03", "irregular" if good and player["pile"].get(letter) else "impossible"
        return None if good else ("RK-14", "impossible")

    def may_turn_ended(self, seat: str) -> Verdict:
        """After an action, with nothing open."""
        return None if self.now["step"] == "place" and self.now["placed_this_turn"] else ("RK-16", "irregular")

    def may_turn_passed(self, seat: str) -> Verdict:
        """Before any action, where nothing can or nothing must be placed."""
        first = self.now["step"] == "place" and self.now["placed_this_turn"] == 0
        free = self.rules["min_tiles_per_turn"] == 0 or not self.can_place(seat)
        return None if first and free else ("RK-16", "irregular")

    def may_player_resigned(self, seat: str) -> Verdict:
        """Once."""
        return ("RK-44", "impossible") if seat in self.now["resigned"] else None

    def may_time_called(self, seat: str | None) -> Verdict:
        """At any time before the end."""
        return None

    may_match_abandoned = may_time_called

    def may_draw_agreed(self, seat: str | None, seats: list[str]) -> Verdict:
        """Exactly those who play."""
        return None if sorted(seats) == sorted(self.playing()) else ("RK-46", "impossible")

    def may_match_ended(self, seat: str | None) -> Verdict:
        """After the end."""
        return None if self.now["finished"] else ("RK-42", "irregular")

    def may_match_annulled(self, seat: str | None) -> Verdict:
        """Not twice, nor after the match was abandoned."""
        return ("RK-50", "impossible") if self.now["ended_by"] in ("abandoned", "annulled") else None

    def may_placements_confirmed(self, seat: str | None) -> Verdict:
        """After an end that counts."""
        return self.may_match_annulled(None) if self.now["finished"] else ("RK-42", "impossible")

    def may_state_adjusted(self, seat: str | None, path: str, old: Any, new: Any) -> Verdict:
        """A supply or the knights of a tile, whose present value is known."""
        if self.may_match_annulled(None):
            return "RK-50", "impossible"
        kind, _, rest = path.partition(".")
        name, _, last = rest.rpartition(".")
        seats = self.now["seats"]
        if kind == "players" and last == "supply" and name in seats:
            good = type(new) is int and new >= 0 and type(old) is int
        elif kind == "board" and last == "stack" and name in self.now["board"]:
            good = isinstance(new, list) and all(one in seats for one in new)
        else:
            return "RK-48", "impossible"
        return None if good and self.now[kind][name][last] == old else ("RK-48", "impossible")

    # Effects

    def take(self, seat: str | None, type_: str, data: dict[str, Any]) -> None:
        """Carry out an event, allowed or accepted."""
        getattr(self, f"on_{type_}")(seat, **data)
        if self.now["step"] not in ("hand", "layout", "over"):
            self.look_for_the_end()
        self.now["draw_pending"] = self.now["step"] == "draw"
        self.now["placements"] = self.placements()

    def on_match_started(self, seat: str | None, start_seat: str | None = None) -> None:
        """Replace the option."""
        self.now["start_seat"] = start_seat or self.now["start_seat"]

    def on_hand_chosen(self, seat: str, tile: str) -> None:
        """Take A1 and the tile."""
        self.now["players"][seat]["hand"] = [{"letter": "A", "tile": one} for one in ("A1", tile)]
        if all(one["hand"] for one in self.now["players"].values()):
            self.now["step"] = "layout"

    def on_layout_laid(self, seat: str | None, cells: list[dict[str, Any]]) -> None:
        """Lay the tiles; the first turn begins."""
        for one in cells:
            self.lay(one["tile"], one["x"], one["y"])
        seats = self.now["seats"]
        self.next_turn(seats[seats.index(self.now["start_seat"]) - 1])

    def lay(self, tile: str, x: int, y: int) -> None:
        """Put a tile (with owner) on the board."""
        self.now["board"][f"{x},{y}"] = {"tile": tile, "stack": []}
        self.now["players"][tile[0]]["unplaced"].remove(tile[2:])

    def next_turn(self, after: str) -> None:
        """Begin the turn of the next seat that has tiles and plays."""
        seats = self.now["seats"]
        at = seats.index(after) + 1
        able = [seat for seat in seats[at:] + seats[:at] if seat in self.playing() and self.has_tiles(seat)]
        self.now.update(current=able[0] if able else None, step="place", placed_this_turn=0, castle_pending=None)

    def action_over(self, seat: str) -> None:
        """Go on in this turn, or end it."""
        self.now.update(step="place", castle_pending=None)
        if self.now["placed_this_turn"] == self.rules["max_tiles_per_turn"] or not self.has_tiles(seat):
            self.next_turn(seat)

    def draw_next(self, seat: str) -> None:
        """Wait for the draw, if there is a pile."""
        if sum(self.now["players"][seat]["pile"].values()):
            self.now.update(step="draw", castle_pending=None)
        else:
            self.action_over(seat)

    def on_tile_placed(self, seat: str, tile: str, x: int, y: int) -> None:
        """Lay the tile; a castle opens."""
        hand = self.now["players"][seat]["hand"]
        known = {"letter": tile[0], "tile": tile}
        hand.remove(known if known in hand else {"letter": tile[0], "tile": None})
        self.lay(f"{seat}:{tile}", x, y)
        self.now["placed_this_turn"] += 1
        self.now["consecutive_passes"] = 0
        if FACE[tile].endswith("castle"):
            self.now.update(step="knights", castle_pending=f"{x},{y}")
        else:
            self.draw_next(seat)

    def on_knights_deployed(self, seat: str, path: list[dict[str, int]]) -> None:
        """Leave the knights."""
        for one in path:
            self.now["board"][f"{one['x']},{one['y']}"]["stack"] += [seat] * one["leave"]
            self.now["players"][seat]["supply"] -= one["leave"]
        self.draw_next(seat)

    def on_knights_declined(self, seat: str) -> None:
        """Send nobody."""
        self.draw_next(seat)

    def on_tile_drawn(self, seat: str, letter: str, tile: str | None = None) -> None:
        """Take a tile from the pile."""
        player = self.now["players"][seat]
        player["pile"][letter] -= 1
        player["hand"].append({"letter": letter, "tile": tile})
        self.action_over(seat)

    def on_turn_ended(self, seat: str) -> None:
        """Go on with the next."""
        self.now["consecutive_passes"] = 0
        self.next_turn(seat)

    def on_turn_passed(self, seat: str) -> None:
        """Count the pass."""
        self.now["consecutive_passes"] += 1
        self.next_turn(seat)

    def on_player_resigned(self, seat: str) -> None:
        """Leave the match."""
        self.now["resigned"].append(seat)
        self.now["consecutive_passes"] = 0
        if len(self.playing()) < 2:
            self.over("resignation")
        elif self.now["current"] == seat:
            self.next_turn(seat)

    def on_time_called(self, seat: str | None) -> None:
        """Stop."""
        self.over("time")

    def on_match_abandoned(self, seat: str | None) -> None:
        """Give up."""
        self.over("abandoned")

    def on_draw_agreed(self, seat: str | None, seats: list[str]) -> None:
        """Share the first place."""
        self.over("draw_agreed")

    def on_match_ended(self, seat: str | None) -> None:
        """Record the end."""
        if not self.now["finished"]:
            self.over("recorded")

    def on_match_annulled(self, seat: str | None) -> None:
        """Count for nothing."""
        self.over("annulled")

    def on_placements_confirmed(self, seat: str | None) -> None:
        """Change nothing here."""

    def on_state_adjusted(self, seat: str | None, path: str, old: Any, new: Any) -> None:
        """Set the value."""
        kind, _, rest = path.partition(".")
        name, _, last = rest.rpartition(".")
        self.now[kind][name][last] = copy.deepcopy(new)

    def over(self, by: str) -> None:
        """End the match."""
        self.now.update(current=None, step="over", placed_this_turn=0, castle_pending=None, finished=True, ended_by=by)

    def look_for_the_end(self) -> None:
        """RK-42; a castle of the last tile still sends its knights first (RK-EX15)."""
        able = [seat for seat in self.playing() if self.has_tiles(seat)]
        if not able and self.now["step"] != "knights":
            self.over("tiles")
        elif self.rules["end_when_all_knights_placed"] and not any(
            self.now["players"][seat]["supply"] for seat in self.playing()
        ):
            self.over("knights")
        elif able and self.now["consecutive_passes"] >= len(able):
            self.over("passes")

    def placements(self) -> list[dict[str, Any]] | None:
        """Return the places, RK-43, RK-44 and RK-46."""
        now = self.now
        if not now["finished"] or now["ended_by"] in ("abandoned", "annulled"):
            return None
        worth = {seat: (self.points(seat), now["players"][seat]["supply"]) for seat in self.playing()}
        if not self.rules["tiebreak"]:
            worth = {seat: (mine[0], 0) for seat, mine in worth.items()}
        if now["ended_by"] == "draw_agreed":
            worth = dict.fromkeys(worth, (0, 0))
        places = {seat: 1 + len([1 for other in worth.values() if other > mine]) for seat, mine in worth.items()}
        for at, seat in enumerate(reversed(now["resigned"])):
            places[seat] = len(worth) + 1 + at
        return [{"seat": seat, "place": places[seat]} for seat in sorted(places, key=lambda one: (places[one], one))]
