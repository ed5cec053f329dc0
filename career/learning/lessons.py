"""The seventeen lessons (ROD-11, ROD-15): four for each game, and one on rulings and dated rules.

A lesson says in a few sentences what its part of the game is about; the rules themselves stand in the Codex. `sections` name the
sections of the Codex that it covers: its questions are drawn from their rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_noop as _
from msgspec import Struct

from rulesengine import registry
from rulesengine.game import Rule, Ruleset

RULINGS = "LSN-RULINGS"
PASS = 80
"""Percent of right answers with which a self-test is passed."""


class Lesson(Struct, frozen=True):
    """One lesson. `points` are its sentences; `game` is None for the lesson on rulings."""

    id: str
    title: str
    points: tuple[str, ...]
    game: str | None = None
    sections: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """Single rules of other sections that belong to it as well."""


LESSONS = (
    Lesson(
        "LSN-KS-1",
        _("Turn and actions"),
        (
            _("A turn has three phases in this order: Produce, Move, Act. Whoever has begun a phase does not go back to the one before."),
            _("Action Points are counted when the Act phase begins, and what is not spent by the end of the turn is lost."),
            _("Only the player at turn acts. A General may act for the King, but spends the same points."),
            _("A round is over when everybody still in the match has had a turn."),
        ),
        "kingsquare",
        ("Ten steps", "Turn, phases and actions", "House: set-up, turn and actions"),
    ),
    Lesson(
        "LSN-KS-2",
        _("Growth and limits"),
        (
            _("Castles, buildings and the King have levels. What a level costs and what must be there first is fixed by tables, not by agreement."),
            _("A Castle has slots, and every building takes one. Without a free slot nothing is built."),
            _("Unlocks hold for the buildings that come after them; they never change what stands already."),
            _("Soldiers come from Barracks, and a War Forge of the same Castle makes them stronger."),
        ),
        "kingsquare",
        (
            "Castle, City and King", "War Forge and army", "Development trees", "House: production, soldiers and King",
            "House: Territory, Castles and districts", "House: slots, buildings and unlocks",
        ),
    ),
    Lesson(
        "LSN-KS-3",
        _("Map and movement"),
        (
            _("Distances are measured on the table, in feet. The log holds what was measured, and the site checks it against what a unit may do."),
            _("Roads connect buildings to a Castle. A building that is cut off is isolated, and an isolated building works less or not at all."),
            _("Rails, ships and planes carry what cannot walk there, each within its own limits."),
            _("What lies hidden on the field, a beast or a site, is shown when somebody comes near enough, not before."),
        ),
        "kingsquare",
        ("Roads, rail, sea and air", "House: measuring and moving", "House: roads, rail, ships and planes", "House: beasts and discovery"),
        ("KS-08", "KS-11", "KS-19", "KS-23"),
    ),
    Lesson(
        "LSN-KS-4",
        _("Conflict and end"),
        (
            _("An attack adds the attack of those who take part and subtracts the defence of the target. There are no dice."),
            _("What is beaten down becomes a ruin and can be repaired; a King whose last Castle falls is out."),
            _("Alliances bind both sides as long as they last, and end only as the rules say."),
            _("The last Kingdom wins, or whoever stands best when the agreed end comes."),
        ),
        "kingsquare",
        ("The General", "Combat and elimination", "House: combat", "House: diplomacy and General", "House: elimination, end and record"),
    ),
    Lesson(
        "LSN-KB-1",
        _("Turn and actions"),
        (
            _("A year has eight phases: the king's aid, three productive seasons with the king's reward and envoy in between, recruiting, and winter."),
            _("In a productive season everybody rolls, the lowest sum begins, and one group of dice is placed at a time."),
            _("The king helps whoever has fewest buildings at the start of the year, and rewards whoever has most after spring."),
            _("Five years are played."),
        ),
        "kingsburg",
        ("Set-up", "Calendar", "Phase 1: the king's aid", "A productive season: dice", "Two players"),
    ),
    Lesson(
        "LSN-KB-2",
        _("Growth and limits"),
        (
            _("One building a season, from left to right in each row of the province; the envoy allows a second one, once."),
            _("Buildings are paid for with gold, wood and stone, and some make others cheaper."),
            _("Most buildings give points at once; many work every season or every winter from then on."),
            _("At the end of a season only what the Inn or other buildings allow is kept."),
        ),
        "kingsburg",
        (
            "A productive season: building", "A productive season: its end", "Phases 3 and 5: the king's reward and envoy",
            "Buildings in detail",
        ),
    ),
    Lesson(
        "LSN-KB-3",
        _("The row of advisors"),
        (
            _("Eighteen advisors stand in a row. Who influences one uses own dice that add up to exactly its number."),
            _("An advisor serves one player, unless a building or the envoy lets another one come too."),
            _("A +2 token and the Market change the sum of a group; white dice never stand alone."),
            _("When all dice are placed the advisors help from the lowest number to the highest."),
        ),
        "kingsburg",
        ("A productive season: influence", "A productive season: help"),
    ),
    Lesson(
        "LSN-KB-4",
        _("Winter and the end"),
        (
            _("Before winter soldiers are recruited for goods. Soldiers are lost when the year is over."),
            _("One enemy comes each winter, stronger year by year. Soldiers, walls and the king's reinforcements stand against it."),
            _("Who wins gets what the enemy's card gives; who loses pays what it takes, as far as they can."),
            _("After the fifth winter the most points win; goods and soldiers break ties."),
        ),
        "kingsburg",
        ("Phase 7: recruiting", "Phase 8: winter", "End", "Leaving, ending early, correcting"),
    ),
    Lesson(
        "LSN-HX-1",
        _("Turn and actions"),
        (
            _("A turn is one player's, a round is one pass through all who are still in."),
            _("Every unit moves as far as its points go and then may do one thing: attack, fortify, build or capture."),
            _("Every settlement does one thing a turn: recruit or upgrade."),
            _("What was recruited this turn stands and defends, and acts from its owner's next turn on."),
        ),
        "hexwar",
        ("Start", "Buildings: recruit and upgrade"),
    ),
    Lesson(
        "LSN-HX-2",
        _("Growth and limits"),
        (
            _("The map is made of regions, and who owns a region's seat owns the region."),
            _("Only Peasants build and only Peasants capture. Building ends the Peasant's turn and uses it up."),
            _("Each improvement has its ground, its price and its time."),
            _("Gold never falls below nothing."),
        ),
        "hexwar",
        ("Regions, building and capturing",),
    ),
    Lesson(
        "LSN-HX-3",
        _("Map and movement"),
        (
            _("Units go from hex to neighbouring hex. Plain land costs 1, forest and hills cost 2, water and mountains stop who walks."),
            _("No two units stand on one hex, and none walks through another."),
            _("What the range does not show cannot be reached."),
            _("Points that are left over are lost with the turn."),
        ),
        "hexwar",
        ("Terrain and movement",),
    ),
    Lesson(
        "LSN-HX-4",
        _("Conflict and end"),
        (
            _("Damage is attack less defence, but at least 1. There is no luck in it: the preview says what will happen."),
            _("Who is struck from beside strikes back once, if still alive. Arrows are not answered."),
            _("Forts, castles and Fortify add up; a Catapult's hit takes defence away until the next round."),
            _("Who owns neither a region's seat nor a Peasant is out."),
        ),
        "hexwar",
        ("Combat", "End, placements, bookkeeping"),
    ),
    Lesson(
        "LSN-RK-1",
        _("Turn and actions"),
        (
            _("A turn has one to three actions, and each is: place a tile, send knights if it is a castle, draw."),
            _("The first action is a duty while a tile can be placed; the others are free."),
            _("The own pile is drawn from the top, so everybody knows which letters come when."),
            _("Two tiles are held at most."),
        ),
        "robberknights",
        ("Set-up", "A turn"),
    ),
    Lesson(
        "LSN-RK-2",
        _("Growth and limits"),
        (
            _("The area grows tile by tile, edge to edge, to 7, 9 or 10 tiles a side as the number of players says."),
            _("Until it is full the limits move with the tiles: what counts is how far the outermost ones lie apart."),
            _("Only castles just placed send knights, five at most, once."),
            _("Thirty knights must do for the whole match; who has some left wins ties."),
        ),
        "robberknights",
        ("A turn", "Castle and knights"),
    ),
    Lesson(
        "LSN-RK-3",
        _("Map and movement"),
        (
            _("Knights set out as one stack on their castle and go tile by tile."),
            _("On every tile some stay: one on plain, two in forest, three on mountains. Lakes are never entered."),
            _("A tile holds four knights, whosever they are."),
            _("A stack that is too small for the next tile ends where it is."),
        ),
        "robberknights",
        ("Castle and knights",),
    ),
    Lesson(
        "LSN-RK-4",
        _("Conflict and end"),
        (
            _("Whoever's knight is on top controls a tile. New knights go on top of old ones."),
            _("A controlled castle counts 1, a village 2, a town 3."),
            _("The match ends when nobody has a tile left, or when all have passed."),
            _("Knights still in the supply decide among equals."),
        ),
        "robberknights",
        ("Control, end, scoring", "Leaving, time, corrections", "Castle and knights"),
    ),
    Lesson(
        RULINGS,
        _("Rulings and dated rules"),
        (
            _("A match is checked under the rules of its day: the day at the table where it began, in that table's zone."),
            _("When the publisher changes a rule, a new edition begins on a day, and matches before that day keep their old rules."),
            _("A ruling says who decided, from when on, what held before, and which rules it touches. The Codex shows them on a timeline."),
            _("A ruling of a referee at the table binds that one match. It closes the dispute about the same entry and is no new rule."),
        ),
    ),
)  # fmt: skip

BY_ID = {one.id: one for one in LESSONS}


def ruleset_of(lesson: Lesson) -> Ruleset:
    """Return the latest rules of a lesson's game (KingSquare, the game with dated rules, for the lesson on rulings)."""
    game = lesson.game or "kingsquare"
    return registry.get([one.key for one in registry.editions() if registry.get(one.key).game == game][-1])


def rules_of(lesson: Lesson) -> Sequence[Rule]:
    """Return the rules that a lesson covers; none for the lesson on rulings."""
    return tuple(
        rule for rule in ruleset_of(lesson).rules if rule.section in lesson.sections or rule.id in lesson.rules
    )
