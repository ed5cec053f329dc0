"""What a greedy player looks at, and how often a random one takes what. No rule of the game, only good enough for play-testing."""

from __future__ import annotations

from collections.abc import Mapping

from rulesengine.kingsburg.state import Player, State
from rulesengine.kingsburg.tables import ALTERNATIVES, BUILDING, GOODS

LIKINGS: Mapping[str, float] = {
    "match_started": 0.2,
    "enemy_deck_prepared": 0.3,
    "dice_rolled": 20,
    "rolls_closed": 3,
    "advisor_influenced": 12,
    "influence_passed": 0.4,
    "help_taken": 12,
    "enemy_peeked": 4,
    "building_built": 8,
    "town_hall_used": 1.5,
    "season_closed": 3,
    "soldiers_recruited": 1,
    "player_resigned": 0.0005,
}
PASSES = ("influence_passed", "build_passed", "recruit_passed")
POINT, GOOD, TOKEN, SOLDIER, STRENGTH, DIE = 20, 10, 8, 8, 22, 6
"""What one of each is worth; `STRENGTH` is that of a soldier who is needed, `DIE` that of one not yet spent."""
ADVISOR: Mapping[int, int] = {
    number: max(
        POINT * row.get("vp", 0)
        + TOKEN * row.get("plus_two", 0)
        + SOLDIER * row.get("soldiers", 0)
        + GOOD * sum(row.get(good, 0) for good in (*GOODS, "any"))
        for row in rows
    )
    for number, rows in ALTERNATIVES.items()
}
"""What the help of each advisor is worth."""
USE: Mapping[str, int] = {
    "inn": 45, "market": 55, "farms": 80, "merchants_guild": 40, "barracks": 25, "palisade": 25, "stone_wall": 20,
    "guard_tower": 15, "blacksmith": 15, "wizards_guild": 30, "fortress": 25, "barricade": 15, "crane": 35, "embassy": 60,
    "town_hall": 30, "stable": 15, "statue": 15, "chapel": 15, "church": 20, "cathedral": 30,
}  # fmt: skip
"""What a building is worth beyond its victory points, while years are to come."""
NEEDED = (0, 1, 2, 3, 4, 6)
"""By year, the strength before the king's soldiers with which a winter is likely won."""


def worth(state: State, seat: str) -> int:
    """Return a seat's points, what it owns and can still use, and what the advisors at whom it stands are about to give."""
    player = state.players[seat]
    total = POINT * player.vp + GOOD * player.goods + TOKEN * player.plus_two
    total += DIE * (len(player.coloured) + len(player.white))
    total += STRENGTH * min(_strength(player), NEEDED[state.year])
    total += sum(USE.get(key, 0) for key in player.buildings) * (6 - state.year) // 5
    if state.step in ("influence", "help"):
        served = state.help_pointer
        total += sum(
            ADVISOR[number]
            for number, standing in state.influence.items()
            if number > served
            for one in standing
            if one.seat == seat
        )
    return total


def _strength(player: Player) -> int:
    return player.soldiers + sum(BUILDING[key].battle for key in player.buildings)
