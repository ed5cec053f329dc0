"""The set-up of a match from its header (part 6.1): the map, the seats, the options, in this order."""

from __future__ import annotations

from rulesengine.game import Refusal
from rulesengine.hexwar import boards, options
from rulesengine.hexwar.maps import FOR_SEATS, MAPS
from rulesengine.hexwar.rules import HWH_01, HWH_37, HWH_40
from rulesengine.hexwar.state import Board, Setup
from rulesengine.log import Header
from rulesengine.paths import brief


def read(header: Header) -> Setup | Refusal:
    """Return the set-up that a header describes, or the first rule that forbids it."""
    try:
        board = _board(header)
    except boards.MapError as wrong:
        return HWH_37.refuses(str(wrong), "impossible", _maps_for(len(header.seats)))
    seats = tuple(seat.seat for seat in header.seats)
    if len(seats) != len(board.starts):
        because = f"the map {board.id} seats {len(board.starts)} players and the header names {len(seats)}"
        return HWH_01.refuses(because, "impossible", _maps_for(len(seats)))
    if len(set(seats)) != len(seats):
        twice = next(seat for seat in seats if seats.count(seat) > 1)
        return HWH_01.refuses(f"the seat {twice} is there twice", "impossible")
    try:
        chosen, tables = options.read(header.options)
    except options.OptionError as wrong:
        return HWH_40.refuses(str(wrong), "impossible")
    if board.id in MAPS and tables is options.standard():
        land, naval = boards.standard_ground(board.id, "land"), boards.standard_ground(board.id, "naval")
    else:
        land, naval = boards.ground(board, tables.land), boards.ground(board, tables.naval)
    return Setup(seats, board, tables, chosen, land, naval)


def _board(header: Header) -> Board:
    if "map" not in header.options:
        count = len(header.seats)
        if count not in FOR_SEATS:
            raise boards.MapError(f"there is no standard map for {count} seats; options.map must give one")
        return boards.standard(FOR_SEATS[count])
    plan = header.options["map"]
    if isinstance(plan, str):
        if plan not in MAPS:
            raise boards.MapError(f"there is no map {brief(plan)}; the standard maps are {', '.join(MAPS)}")
        return boards.standard(plan)
    return boards.own(plan)


def _maps_for(count: int) -> str | None:
    return f"the standard map for {count} seats is {FOR_SEATS[count]}" if count in FOR_SEATS else None
