"""Catalogue `ro-1`, in force from 2026-11-30: the ladder, the learning credits, the badges of the hex war game and across games."""

from datetime import date

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
    "ROD-12": (
        "the first match scribed from start to end in each game, with at most three errors of the scribe corrected",
        1,
    ),
    "ROD-14": ("the first credited match as MapMaster or referee", 2),
}

BADGES = (
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
        "BDG-X-01", _("Four Crowns"), _("different games with at least one first place"), "career", 2, 3, 4,
        figure="crowns", at_end=True,
    ),
    Badge(
        "BDG-X-02", _("Giant-Killer"), _("ranks by which the highest opponent finishing behind stood above at the start"), "match", 2, 3, 4,
        figure="giant", at_end=True,
    ),
    Badge(
        "BDG-X-05", _("Perfect Quill"), _("matches of at least 20 events scribed from start to end without an error corrected"), "career", 3, 10, 25,
        figure="quill",
    ),
)  # fmt: skip

CATALOGUE = Catalogue("ro-1", date(2026, 11, 30), RANKS, BADGES, CREDITS)
