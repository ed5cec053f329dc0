"""The numbered rules of the edition in our words: what a refusal names and the Codex page shows.

Where sources are silent or disagree a parameter of the set-up names the readings; house rules say so.
"""

from __future__ import annotations

from rulesengine.game import Rule

SET_UP, TURN, KNIGHTS, ENDING, HOUSE = (
    "Set-up",
    "A turn",
    "Castle and knights",
    "Control, end, scoring",
    "Leaving, time, corrections",
)


def _rule(number: int, section: str, text: str, *parameters: str, refuses: bool = False, sourced: bool = True) -> Rule:
    return Rule(f"RK-{number:02}", text, sourced, section, parameters, refuses)


def _house(number: int, text: str, *, refuses: bool = True) -> Rule:
    return _rule(number, HOUSE, text, refuses=refuses, sourced=False)


RK_01 = _rule(1, SET_UP, "Two to four players sit at the table.", refuses=True)
RK_02 = _rule(2, SET_UP, "Every player has the same 24 tiles and 30 knights of the own colour.", "knights_per_player")
RK_03 = _rule(
    3,
    SET_UP,
    "Tiles are sorted by the letter on their back and shuffled letter by letter; the draw pile has B on top, then C, D and E: "
    "20 tiles, drawn in this order.",
    refuses=True,
)
RK_04 = _rule(
    4,
    SET_UP,
    "Everybody takes the castle A1 and one more A tile of choice (A2, A3 or A4) into the hand, once, in any order.",
    refuses=True,
)
RK_05 = _rule(
    5,
    SET_UP,
    "The A tiles left, two of each player, are mixed and laid face up as a full rectangle of 2 by as many as there are players, "
    "lying or upright, with the top left corner at 0,0. No castle can be among them.",
    refuses=True,
)
RK_06 = _rule(
    6,
    SET_UP,
    "The table names the player who begins; turns go clockwise in the order of the seats.",
    "start_seat",
    refuses=True,
)
RK_10 = _rule(
    10,
    TURN,
    "Only the player at turn acts. A turn has one to three actions: place a tile, send knights if it is a castle, draw. A tile is "
    "placed only while no castle and no draw is open; after the last action the turn is over by itself.",
    "max_tiles_per_turn",
    refuses=True,
)
RK_11 = _rule(
    11,
    TURN,
    "A tile is placed where it shares a full edge with a tile on the board; terrain and buildings do not matter.",
    refuses=True,
)
RK_12 = _rule(12, TURN, "A cell holds one tile; tiles are never moved or replaced.", refuses=True)
RK_13 = _rule(
    13,
    TURN,
    "All tiles together span no more columns and rows than the number of players allows: 7, 9 or 10. The limits move with the "
    "tiles until the area is full. Where an irregular tile lies outside already, no placement may make it still wider or higher.",
    "grid",
    refuses=True,
)
RK_14 = _rule(
    14,
    TURN,
    "Only a tile in hand is placed, only a tile neither on the board nor in hand is drawn. A slot of the hand whose face was not "
    "recorded stands for any tile of its letter that is not placed yet; placing it shows it.",
    "draw_record",
    refuses=True,
)
RK_15 = _rule(
    15,
    TURN,
    "After the placement, and the knights, the top tile of the own pile is drawn while there is one; a hand has two tiles at most.",
    refuses=True,
)
RK_16 = _rule(
    16,
    TURN,
    "The first action of a turn is a duty while a tile can be placed; only who can place none passes the whole turn. A turn ends "
    "early only after an action, with no castle and no draw open.",
    "min_tiles_per_turn",
    refuses=True,
)
RK_17 = _rule(17, TURN, "The second and the third action are voluntary.")
RK_18 = _rule(
    18,
    TURN,
    "Who has no tile left in hand and pile is skipped for the rest of the match, and the own turn is over after the last action. "
    "The next turn is that of the next player clockwise who has tiles, perhaps the same one again.",
)
RK_20 = _rule(
    20, KNIGHTS, "Only a castle just placed sends knights, and only at once; other castles send nobody.", refuses=True
)
RK_21 = _rule(
    21,
    KNIGHTS,
    "Up to five knights go out, not more than the supply holds. Sending none is recorded; where a castle must be manned it is "
    "refused while enough knights are there.",
    "deploy_max",
    "castle_min_deploy",
    refuses=True,
)
RK_22 = _rule(
    22,
    KNIGHTS,
    "The knights begin as one stack on the castle, which is the first entry of the path; every entry says how many stay there.",
    refuses=True,
)
RK_23 = _rule(
    23, KNIGHTS, "Every step goes to a tile that shares an edge with the one before; nothing is skipped.", refuses=True
)
RK_24 = _rule(24, KNIGHTS, "A lake is never entered.", refuses=True)
RK_25 = _rule(
    25,
    KNIGHTS,
    "On every tile of the path at least its minimum stays: plain 1, forest 2, mountain 3, the castle and the last tile included.",
    refuses=True,
)
RK_26 = _rule(
    26,
    KNIGHTS,
    "A tile holds four knights altogether, whosever they are; a tile without room for its minimum cannot be entered.",
    "tile_capacity",
    refuses=True,
)
RK_27 = _rule(
    27, KNIGHTS, "A stack smaller than the minimum of the next tile, or of no knights, does not enter it.", refuses=True
)
RK_28 = _rule(
    28,
    KNIGHTS,
    "A stack that comes to its castle again leaves the castle's minimum again, or none where that reading is chosen.",
    "castle_return",
    refuses=True,
)
RK_29 = _rule(
    29,
    KNIGHTS,
    "The stack goes step by step in any of the four directions, or in one straight line where that reading is chosen.",
    "movement",
    refuses=True,
)
RK_30 = _rule(30, KNIGHTS, "The stack may stop anywhere; who is left stays on the last tile and must fit there.")
RK_31 = _rule(31, KNIGHTS, "Knights are put on top of what stands on a tile, own or foreign.")
RK_32 = _rule(32, KNIGHTS, "Knights once left never move again and never return to the supply.")
RK_40 = _rule(40, ENDING, "Whose knight is on top controls a tile; who placed it does not matter.")
RK_41 = _rule(
    41,
    ENDING,
    "A controlled tile gives 1 point for a castle, 2 for a village, 3 for a town. Knights of a player who resigned go on controlling.",
)
RK_42 = _rule(
    42,
    ENDING,
    "The match ends when nobody who plays has a tile left, where so chosen when all their knights are placed, or when all of them "
    "who have tiles have passed in a row. After the end nothing of the game is recorded.",
    "end_when_all_knights_placed",
    refuses=True,
)
RK_43 = _rule(
    43,
    ENDING,
    "Most points win; among equals who has more knights left in the supply; who is still equal shares the place.",
    "tiebreak",
)
RK_44 = _house(
    44,
    "A player may resign once, at any time before the end: tiles not placed stay out, knights stay. With fewer than two players "
    "left the match ends. Who resigned is placed behind all others, the first to resign last.",
)
RK_45 = _house(45, "When time is called the match ends at once and is scored as it lies.", refuses=False)
RK_46 = _house(
    46,
    "A draw is agreed by exactly those who have not resigned; the match ends at once and they share the first place.",
)
RK_47 = _house(
    47,
    "The end of a match is found by itself; a recorded one is compared with it. One accepted by the referee before that ends the "
    "match, scored as it lies.",
    refuses=False,
)
RK_48 = _house(
    48,
    "A referee may set a supply (players.S.supply) or the knights of a tile (board.x,y.stack); the old value must be the present one.",
)
RK_49 = _house(49, "Placements are not confirmed while a dispute is open; a ruling about the same entry closes it.")
RK_50 = _house(
    50, "A match that is abandoned before its end, or annulled, counts for nothing; then nothing is confirmed any more."
)

RULES: tuple[Rule, ...] = (
    RK_01, RK_02, RK_03, RK_04, RK_05, RK_06, RK_10, RK_11, RK_12, RK_13, RK_14, RK_15, RK_16, RK_17, RK_18, RK_20, RK_21, RK_22,
    RK_23, RK_24, RK_25, RK_26, RK_27, RK_28, RK_29, RK_30, RK_31, RK_32, RK_40, RK_41, RK_42, RK_43, RK_44, RK_45, RK_46, RK_47,
    RK_48, RK_49, RK_50,
)  # fmt: skip
"""Every rule in the order of its number."""
