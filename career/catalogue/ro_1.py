"""Catalogue `ro-1`, in force from 2026-11-30: the ladder, the learning credits, the badges of the four games and across games."""

from datetime import date
from typing import Literal

from django.utils.translation import gettext_noop as _

from career.catalogue.kinds import Badge, Catalogue, Rank

RANKS = (
    Rank("RANK-1", _("Page"), credits=0, years=0, matches=1),
    Rank("RANK-2", _("Squire"), credits=2, years=0, matches=3),
    Rank("RANK-3", _("Knight"), credits=5, years=1, matches=10),
    Rank("RANK-4", _("Banneret"), credits=8, years=1, matches=20),
    Rank("RANK-5", _("Castellan"), credits=11, years=2, matches=35),
    Rank("RANK-6", _("Marshal"), credits=14, years=3, matches=50),
    Rank("RANK-7", _("Warden"), credits=17, years=4, matches=75),
    Rank("RANK-8", _("Chancellor"), credits=20, years=5, matches=100),
    Rank("RANK-9", _("Regent"), credits=24, years=7, matches=150),
    Rank("RANK-10", _("Sovereign"), credits=28, years=10, matches=200),
)

CREDITS = {
    "ROD-10": ("the first credited match as a player in each of the four games", 1),
    "ROD-11": ("each lesson passed", 1),
    "ROD-12": (
        "the first match scribed from start to end in each game, with at most three errors of the scribe corrected",
        1,
    ),
    "ROD-13": ("the first credited match as a General", 1),
    "ROD-14": ("the first credited match as MapMaster or referee", 2),
    "ROD-15": ("the lesson on rulings and dated rules", 1),
    "ROD-16": ("a newcomer accompanied through the first credited match, three at most", 1),
}

SHARED: tuple[Literal["player", "general"], ...] = ("player", "general")
"""Who earns a badge that the King shares with the General in office."""

BADGES = (
    Badge(
        "BDG-KS-01", _("Ten Towers"), _("own Castles at level 10 at the same time"), "match", 1, 2, 3,
        game="kingsquare", facts=("KS-F1",),
    ),
    Badge(
        "BDG-KS-02", _("Metropolis"), _("different kinds of districts founded in one match"), "match", 1, 3, 5,
        game="kingsquare", facts=("KS-F2",),
    ),
    Badge(
        "BDG-KS-03", _("Crown Ascendant"), _("the level reached by the own King in one match"), "match", 8, 12, 16,
        game="kingsquare", facts=("KS-F3",),
    ),
    Badge(
        "BDG-KS-04", _("Road Warden"), _("own buildings connected at the same time while none is isolated"), "match", 8, 12, 20,
        game="kingsquare", facts=("KS-F4",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-05", _("Sunderer"), _("enemy buildings isolated by one cut"), "match", 2, 4, 6,
        game="kingsquare", facts=("KS-F5",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-06", _("Full Council"), _("Action Points of one turn"), "match", 5, 6, 7,
        game="kingsquare", facts=("KS-F6",),
    ),
    Badge(
        "BDG-KS-07", _("Grand Army"), _("the power of one attack without planes"), "match", 100, 250, 500,
        game="kingsquare", facts=("KS-F7",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-08", _("Unbroken Fabric"), _("the power of an enemy attack on an own connected building or Castle that did no damage"), "match", 30, 75, 150,
        game="kingsquare", facts=("KS-F8",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-09", _("Beast Slayer"), _("Dangerous Beasts defeated in a whole career"), "career", 3, 10, 25,
        game="kingsquare", facts=("KS-F9",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-10", _("Epic Hunter"), _("Epic Creatures defeated in a whole career"), "career", 1, 5, 10,
        game="kingsquare", facts=("KS-F10",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-11", _("Legend's Bane"), _("Legendary Monsters defeated in a whole career"), "career", 1, 3, 5,
        game="kingsquare", facts=("KS-F11",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-12", _("Second Fire"), _("the level of soldiers produced under the second War Forge of a Castle after the other was ruined"), "match", 3, 4, 5,
        game="kingsquare", facts=("KS-F12",),
    ),
    Badge(
        "BDG-KS-13", _("Iron Line"), _("units carried by rail in one match"), "match", 3, 8, 15,
        game="kingsquare", facts=("KS-F13",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-14", _("Admiral"), _("own ships at the same time"), "match", 2, 4, 8,
        game="kingsquare", facts=("KS-F14",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-15", _("Master of the Skies"), _("targets ruined, sunk, cut or destroyed by sorties in one match"), "match", 2, 4, 6,
        game="kingsquare", facts=("KS-F15",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-16", _("Rebuilder"), _("own Ruins repaired in one match"), "match", 2, 4, 8,
        game="kingsquare", facts=("KS-F16",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-17", _("Kingsfall"), _("enemy Kings defeated in a whole career"), "career", 1, 5, 15,
        game="kingsquare", facts=("KS-F17",), roles=SHARED,
    ),
    Badge(
        "BDG-KS-18", _("Right Hand"), _("matches as General of the Kingdom that came first"), "career", 1, 3, 7,
        game="kingsquare", facts=("KS-F18",), roles=("general",),
    ),
    Badge(
        "BDG-KS-19", _("True Ally"), _("rounds of an alliance that was still active at the end of the match"), "match", 5, 10, 15,
        game="kingsquare", facts=("KS-F19",),
    ),
    Badge(
        "BDG-KS-20", _("From the Ashes"), _("first places after the own Capital had been ruined in that match"), "career", 1, 2, 3,
        game="kingsquare", facts=("KS-F20",),
    ),
    Badge(
        "BDG-KS-21", _("Pathfinder"), _("discoveries with a result other than nothing in a whole career"), "career", 5, 15, 40,
        game="kingsquare", facts=("KS-F21",), roles=SHARED,
    ),
    Badge(
        "BDG-KB-01", _("King's Favourite"), _("the king's reward for the most buildings received in one match"), "match", 2, 3, 5,
        game="kingsburg", facts=("KB-F2",),
    ),
    Badge(
        "BDG-KB-02", _("Ear of the King"), _("times the King himself was influenced in a whole career"), "career", 1, 5, 15,
        game="kingsburg", facts=("KB-F3:18",),
    ),
    Badge(
        "BDG-KB-03", _("Builder of the Realm"), _("own buildings at the end of a match"), "match", 10, 13, 16,
        game="kingsburg", facts=("KB-F4",), at_end=True,
    ),
    Badge(
        "BDG-KB-04", _("Winter's Wall"), _("winter battles won in one match"), "match", 3, 4, 5,
        game="kingsburg", facts=("KB-F6",),
    ),
    Badge(
        "BDG-KB-05", _("Envoy's Hand"), _("seasons with a second building by the king's envoy in a whole career"), "career", 2, 6, 12,
        game="kingsburg", facts=("KB-F5",),
    ),
    Badge(
        "BDG-KB-06", _("Not a Die Wasted"), _("seasons with every own die on an advisor in a whole career"), "career", 5, 20, 50,
        game="kingsburg", facts=("KB-F7",),
    ),
    Badge(
        "BDG-KB-07", _("Humble Crown"), _("the king's aid received in a match that was won"), "match", 1, 2, 3,
        game="kingsburg", facts=("KB-F1:won",), at_end=True,
    ),
    Badge(
        "BDG-HX-01", _("Improver"), _("improvements completed in one match"), "match", 4, 8, 12,
        game="hexwar", facts=("HX-F1",),
    ),
    Badge(
        "BDG-HX-02", _("City Taker"), _("cities captured by own Peasants in one match"), "match", 2, 4, 6,
        game="hexwar", facts=("HX-F2",),
    ),
    Badge(
        "BDG-HX-03", _("Wall of Spears"), _("cavalry defeated by own Spearmen in a whole career"), "career", 3, 10, 25,
        game="hexwar", facts=("HX-F3:spearmen:cavalry",),
    ),
    Badge(
        "BDG-HX-04", _("Axe and Shield"), _("Swordsmen and Legions defeated by own Axemen in a whole career"), "career", 3, 10, 25,
        game="hexwar", facts=("HX-F3:axemen:swordsmen", "HX-F3:axemen:legion"),
    ),
    Badge(
        "BDG-HX-05", _("Siege Engineer"), _("the largest Catapult penalty stacked on one unit in one round"), "match", 4, 6, 8,
        game="hexwar", facts=("HX-F4",),
    ),
    Badge(
        "BDG-HX-06", _("Stand Fast"), _("attacks that one fortified unit survived in one round"), "match", 2, 3, 4,
        game="hexwar", facts=("HX-F5",),
    ),
    Badge(
        "BDG-HX-07", _("Clean Volley"), _("units defeated at distance 2 in a match without own losses"), "match", 1, 3, 5,
        game="hexwar", facts=("HX-F6:volley",), unless=("HX-F6:lost",), at_end=True,
    ),
    Badge(
        "BDG-RK-01", _("Five Banners"), _("castles whose sally left knights on five tiles in a whole career"), "career", 1, 5, 15,
        game="robberknights", facts=("RK-F1:5",),
    ),
    Badge(
        "BDG-RK-02", _("Mountain Hold"), _("mountains controlled at the end of a match"), "match", 1, 2, 3,
        game="robberknights", facts=("RK-F2:mountain",), at_end=True,
    ),
    Badge(
        "BDG-RK-03", _("Forester"), _("forests controlled at the end of a match"), "match", 3, 5, 7,
        game="robberknights", facts=("RK-F2:forest",), at_end=True,
    ),
    Badge(
        "BDG-RK-04", _("Edge of the World"), _("tiles that brought the area to its full width or height in a whole career"), "career", 3, 10, 25,
        game="robberknights", facts=("RK-F3",),
    ),
    Badge(
        "BDG-RK-05", _("No Knight Idle"), _("matches without a knight left in the own supply at the end"), "career", 1, 5, 10,
        game="robberknights", facts=("RK-F4:0",), at_end=True,
    ),
    Badge(
        "BDG-RK-06", _("Lordly Margin"), _("points ahead of the second in a match that was won"), "match", 3, 6, 10,
        game="robberknights", facts=("RK-F5",), at_end=True,
    ),
    Badge(
        "BDG-X-01", _("Four Crowns"), _("different games with at least one first place"), "career", 2, 3, 4,
        figure="crowns", at_end=True,
    ),
    Badge(
        "BDG-X-02", _("Giant-Killer"), _("ranks by which the highest opponent finishing behind stood above at the start"), "match", 2, 3, 4,
        figure="giant", at_end=True,
    ),
    Badge(
        "BDG-X-03", _("Laurels"), _("tournaments won"), "career", 1, 3, 7,
        figure="laurels",
    ),
    Badge(
        "BDG-X-04", _("Iron Attendance"), _("seasons of a league with every own match played and none forfeited, five or more"), "career", 1, 3, 5,
        figure="attendance",
    ),
    Badge(
        "BDG-X-05", _("Perfect Quill"), _("matches of at least 20 events scribed from start to end without an error corrected"), "career", 3, 10, 25,
        figure="quill",
    ),
)  # fmt: skip

LESSONS = tuple(f"LSN-{game}-{number}" for game in ("KS", "KB", "HX", "RK") for number in (1, 2, 3, 4))

CATALOGUE = Catalogue("ro-1", date(2026, 11, 30), RANKS, BADGES, CREDITS, LESSONS, "LSN-RULINGS")
