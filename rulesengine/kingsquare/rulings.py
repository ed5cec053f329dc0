"""What the publisher changed and when, what the published texts leave open, and where they contradict each other.

A ruling is never edited: a new one is a new row here, a new edition and its figures. ``R`` are dated rulings, ``U`` changes
without a date, applied from the day that KSH-84 gives; ``Q`` are questions for the publisher, ``C`` contradictions found.
"""

from __future__ import annotations

from datetime import date

from rulesengine.game import Contradiction, Question, Ruling

DECREE, FABRIC, FORGER, AUDIT = date(2026, 7, 2), date(2026, 7, 4), date(2026, 7, 10), date(2026, 7, 12)


def _ks(*numbers: int) -> tuple[str, ...]:
    return tuple(f"KS-{number:02}" for number in numbers)


def _ksh(*numbers: int) -> tuple[str, ...]:
    return tuple(f"KSH-{number:02}" for number in numbers)


RULINGS: tuple[Ruling, ...] = (
    Ruling(
        "U-09",
        None,
        "The early page knew neither ten steps nor beasts nor a Royal Order.",
        "They hold in every edition: a log without beasts is not touched by them.",
        _ks(15, 16),
    ),
    Ruling(
        "R-01",
        DECREE,
        "A War Forge was taken to give +1/+1 above level 5 as well, up to level 10; the early page did not name it.",
        "The Forge bonus is complete at +5/+5, and levels 6 to 10 stand for doctrines that are still to come.",
        _ks(6, 54, 57),
        "Founder decree",
        ("forge.combat_cap",),
    ),
    Ruling(
        "U-07",
        DECREE,
        "Nothing was said of the level of soldiers or of how the power of an army is added up.",
        "Soldiers carry the level of their Forge, and power is soldiers times attack with King and buffs added.",
        _ks(52, 56, 58, 59),
        note="The decree of this day takes them for granted.",
    ),
    Ruling(
        "U-08",
        DECREE,
        "No limit tied a War Forge to its Castle.",
        "A War Forge stays at or below its Castle.",
        _ks(55),
        figures=("order.mode",),
        note="The decree of this day takes it for granted.",
    ),
    Ruling(
        "R-02",
        FABRIC,
        "Connected buildings lent a Castle nothing.",
        "Each connected building lends its Castle 1 Defense for each level.",
        _ks(76),
        "Founder",
        ("fabric.enabled",),
        note="The text was recovered on 2026-07-10; it is applied from its decree (KSH-85).",
    ),
    Ruling(
        "R-03",
        FORGER,
        "There was no chain of levels, only the Forge below its Castle and a cap on the General as a piece.",
        "King, Castle, Farm and the other infrastructure form a chain in which none is above the one before it.",
        _ks(28, 29, 30, 31),
        "Forger",
        ("order.mode",),
    ),
    Ruling(
        "R-04",
        FORGER,
        "How many War Forges a Castle may have was not said; one was assumed (KSH-86).",
        "A Castle may have two War Forges, the second in reserve; they never add up, and the cap of their bonus is absolute.",
        _ks(44, 53, 54),
        "Forger",
        ("forge.max_per_castle",),
    ),
    Ruling(
        "R-05",
        FORGER,
        "The ladders of the early page held, and Mill and Yard were used as two names.",
        "The present ladders hold while they are reviewed; Mill and Yard are one, and Barracks need it at level 1.",
        _ks(4, 60, 61, 62, 63, 64),
        "Forger review",
        ("ladder",),
    ),
    Ruling(
        "R-06",
        AUDIT,
        "The chain of levels of 2026-07-10.",
        "The chain is confirmed, and equal levels are allowed at every step.",
        _ks(28, 29, 30, 31),
        "Deep Audit Q1",
        confirms=True,
        note="One text serves both dates and is not divided between them, so ties count from 2026-07-10.",
    ),
    Ruling(
        "R-07",
        AUDIT,
        "A King's level and Influence were the Career's and came with the person into the match.",
        "Each King starts at level 1, rises by Upgrade and falls back at the end; the Career's level is ceremony.",
        _ks(14, 32, 33, 34, 35),
        "Deep Audit Q2/Q3",
        ("king.start_level",),
    ),
    Ruling(
        "R-08",
        AUDIT,
        "2 Action Points and one for each level of the player's Embassy, without a limit.",
        "2 Action Points and one for each level of the Embassies, 5 at most; each City has one Embassy.",
        _ks(21, 22, 23),
        "Forger, Deep Audit Q8",
        ("ap.embassy_cap", "ap.embassy_counted", "institutions.single"),
    ),
    Ruling(
        "R-09",
        AUDIT,
        "There were six actions; Ruins waited for a repair that no action gave.",
        "Repair is the seventh action and costs one.",
        _ks(20, 26),
        "Vault decree",
        ("actions.repair",),
    ),
    Ruling(
        "U-01",
        AUDIT,
        "A poker chip stood for 10 strength.",
        "A poker chip stands for 1 strength.",
        _ks(75),
        figures=("army.chip_strength",),
    ),
    Ruling(
        "U-02",
        AUDIT,
        "The General was a piece that could be lost and had a cap on its level.",
        "The General is a second person, and the cap lies on the Capital.",
        _ks(47, 48, 49, 50, 51),
        figures=("general.kind",),
    ),
    Ruling(
        "U-03",
        AUDIT,
        "Slots were not mentioned.",
        "A Castle has as many slots as levels.",
        _ks(40, 41, 42),
        figures=("slots.enabled",),
    ),
    Ruling(
        "U-04",
        AUDIT,
        "No institution was limited to one a Castle, and none was named as stackable.",
        "Farm, University, Embassy and Religion are single at each Castle; six kinds may be stacked.",
        _ks(43, 45),
        figures=("institutions.single",),
    ),
    Ruling(
        "U-05",
        AUDIT,
        "Districts were not mentioned.",
        "A Castle of level 10 founds Metropolitan Districts.",
        _ks(37, 38, 39),
        figures=("districts.enabled",),
    ),
    Ruling(
        "U-06",
        AUDIT,
        "Roads helped movement by no stated figure.",
        "Own and allied Roads give half as far again.",
        _ks(8),
        figures=("road.bonus",),
    ),
)
"""All changes in the order in which they came into force."""


QUESTIONS: tuple[Question, ...] = (
    Question("Q-01", "What is Influence for, and when is a King's power part of an army?", _ksh(20, 21)),
    Question("Q-02", "What distance does an army cover in a move, and how far does a Territory reach?", _ksh(26, 32)),
    Question(
        "Q-03",
        "How is Defense set against damage, and do buildings, Castles and Kings have points to lose?",
        _ksh(22, 58, 59, 62),
    ),
    Question("Q-04", "Defenders return half: half of what?", _ksh(63)),
    Question("Q-05", "Does the order of pressure bind, and when is a step pressed enough?", _ksh(60, 61)),
    Question(
        "Q-06",
        "What happens in Discover and in Engage, and what is the price of Build, Attack, Forward, Discover and Engage?",
        _ksh(6, 68, 71),
    ),
    Question("Q-07", "Is the +5 of the Embassies counted for each Kingdom?", _ksh(8)),
    Question("Q-08", "Is the first Farm free, and how does one found a second Castle before level 10?", _ksh(3, 33)),
    Question(
        "Q-09",
        "What are the final ladders, where on them is the University, and what do University, Religion, Master "
        "Craftsmanship and Improved Roads do?",
        (*_ks(62), *_ksh(44, 45)),
    ),
    Question(
        "Q-10",
        "Which doctrines belong to Forge levels 6 to 10, and what does the Bestiary say?",
        (*_ks(57), *_ksh(18, 67, 69)),
    ),
    Question("Q-11", "Is a soldier of a first-level Forge stronger in attack than one without?", _ksh(16)),
    Question("Q-12", "From when on can a King not rule, and who has won when time runs out?", _ksh(76, 80)),
    Question("Q-13", "On which days did the changes without a date (U-01 to U-08) begin to hold?", _ksh(84)),
)
"""What the publisher is asked; with its answer the house rules named are retired."""


CONTRADICTIONS: tuple[Contradiction, ...] = (
    Contradiction(
        "C-1",
        "Influence is said to grow over a Career, and the levels of Kings are said to fall back after each match.",
        "The text of 2026-07-12 holds: the Career lends no edge.",
        (*_ks(33, 35), *_ksh(24)),
    ),
    Contradiction(
        "C-2",
        "One passage caps the Capital alone by the King, another every Castle.",
        "The dated one holds, for every Castle, from 2026-07-10; before it the King caps none.",
        (*_ks(28, 51, 55), *_ksh(38)),
    ),
    Contradiction(
        "C-3",
        "A War Forge is bounded by its Castle in one place, by the Farm in another.",
        "Both hold; a Farm is never above its Castle, so the Farm is the closer bound.",
        _ks(29, 30, 55),
    ),
    Contradiction(
        "C-4",
        "Engineered and Improved Roads, Train Station and Trainyard, Airport and Hangar.",
        "Each pair is one thing.",
        _ksh(42),
    ),
    Contradiction(
        "C-5",
        "The University is an institution and a kind of district, and yet no rung of the present ladders.",
        "It keeps the rung it last had.",
        (*_ks(38, 43, 61), *_ksh(44)),
    ),
    Contradiction(
        "C-6",
        "The Embassies give up to +5, and each City has one: is the limit the Embassy's or the Kingdom's?",
        "It is the Kingdom's.",
        (*_ks(22, 23), *_ksh(8)),
    ),
    Contradiction("C-7", "Cities end at 10: in levels or in number?", "In levels.", (*_ks(36), *_ksh(34))),
    Contradiction(
        "C-8",
        "A chip is 1 strength and each Forge level adds 1, yet 100 soldiers of level 5 have a power of 500: what does the "
        "first Forge level add?",
        "Attack is the level but at least 1, toughness the level and 1 more.",
        (*_ks(59, 75), *_ksh(16)),
    ),
    Contradiction(
        "C-9",
        "The Castle is safe until all else is pressed, but its fabric is of use only while that still stands.",
        "A step is pressed by touching it; it need not be wiped out.",
        (*_ks(71, 76), *_ksh(60)),
    ),
    Contradiction(
        "C-10",
        "Barracks are called military buildings in one place and Infrastructure in another: to which step do they belong?",
        "To Infrastructure.",
        (*_ks(18, 71), *_ksh(61)),
    ),
    Contradiction(
        "C-11",
        "The chain of levels has one text with two dates, 2026-07-10 and 2026-07-12.",
        "The whole chain holds from the first date; the second confirms it.",
        _ks(28, 29, 30, 31),
    ),
    Contradiction(
        "C-12",
        "The defensive fabric was decreed on 2026-07-04 and recovered on 2026-07-10.",
        "It holds from its decree.",
        (*_ks(76), *_ksh(85)),
    ),
    Contradiction(
        "C-13",
        "Most institutions are said to need a road, but the three that need none are not called institutions elsewhere.",
        "Every kind of building needs one, save Farm, Quarry, Lumber Mill and Wall.",
        (*_ks(65, 67), *_ksh(52)),
    ),
)
"""Where the published texts disagree, and how that is handled."""
