"""The numbered rules in our words: what a refusal names and the Codex page shows.

``KS`` rules are stated by the publisher, in the state of the newest edition; what held before is told by the rulings
(:mod:`rulesengine.kingsquare.rulings`) and the figures of each edition (:mod:`rulesengine.kingsquare.figures`). ``KSH``
rules are house rules where the publisher is silent; an organizer changes them by the parameters named. ``U`` are
the general checks of any event.
"""

from __future__ import annotations

from rulesengine.game import Rule

STEPS, TURN, CITY, GENERAL, FORGE, TREES, WAYS, COMBAT = (
    "Ten steps",
    "Turn, phases and actions",
    "Castle, City and King",
    "The General",
    "War Forge and army",
    "Development trees",
    "Roads, rail, sea and air",
    "Combat and elimination",
)
SET_UP, PRODUCTION, MEASURING, TERRITORY, SLOTS, LINKS, BATTLE, BEASTS, DIPLOMACY, RECORD, CHECKS = (
    "House: set-up, turn and actions",
    "House: production, soldiers and King",
    "House: measuring and moving",
    "House: Territory, Castles and districts",
    "House: slots, buildings and unlocks",
    "House: roads, rail, ships and planes",
    "House: combat",
    "House: beasts and discovery",
    "House: diplomacy and General",
    "House: elimination, end and record",
    "General checks",
)


def _source(number: int, section: str, text: str, *parameters: str, refuses: bool = False) -> Rule:
    return Rule(f"KS-{number:02}", text, True, section, parameters, refuses)


def _house(number: int, section: str, text: str, *parameters: str, refuses: bool = False) -> Rule:
    return Rule(f"KSH-{number:02}", text, False, section, parameters, refuses)


def _check(number: int, text: str) -> Rule:
    return Rule(f"U-{number}", text, False, CHECKS, (), True)


KS_01 = _source(1, STEPS, "Nothing in the game is drawn or rolled: no dice, no cards, no chance of any kind.")
KS_02 = _source(
    2,
    STEPS,
    "Every player begins with a single Capital and no further City. First the Capital is founded, then its Farm stands, "
    "then everything else is built up.",
    refuses=True,
)
KS_03 = _source(
    3, STEPS, "A City grows on its Farm: how large and how advanced it may become hangs on the Farm's level."
)
KS_04 = _source(
    4,
    STEPS,
    "Industry grows in two branches: wood, led by the Lumber Mill, and stone, led by the Quarry. What each level of a "
    "branch opens is in KS-60 and KS-61.",
    "ladder",
)
KS_05 = _source(
    5,
    STEPS,
    "Any Castle can climb to level 10 and holds more with each level. Its speciality is its owner's free choice.",
)
KS_06 = _source(
    6,
    STEPS,
    "Soldiers come from Barracks. A War Forge gives them 1 Attack and 1 Defense for each of its levels, 5 of each at most.",
    "forge.combat_cap",
)
KS_07 = _source(7, STEPS, "Military doctrine reaches as far as the territory hangs together.")
KS_08 = _source(
    8, STEPS, "On Roads of one's own or of an ally a unit gets half as far again (+50 %).", "road.bonus", refuses=True
)
KS_09 = _source(9, STEPS, "Between Train Stations joined by rail units travel in no time.")
KS_10 = _source(10, STEPS, "Expeditions by sea set out from Harbors.")
KS_11 = _source(11, STEPS, "For planes from an Airport nothing on the table is too far.")
KS_12 = _source(
    12,
    STEPS,
    "At level 10 a City itself is complete. It goes on by founding specialised Cities within its territory: Military, "
    "Harbor, University, Religious or Industrial.",
)
KS_13 = _source(13, STEPS, "For the level of a King there is no upper limit.")
KS_14 = _source(
    14,
    STEPS,
    "A King has 2 Attack, 2 Defense, 1 ft of Influence and 1 ft of Movement for each level; the Movement ends at 10 ft.",
)
KS_15 = _source(
    15,
    STEPS,
    "Creatures of three classes haunt the table: Dangerous Beasts, Epic Creatures, Legendary Monsters. Defeating one pays "
    "in the match and stays in the record.",
    refuses=True,
)
KS_16 = _source(
    16,
    STEPS,
    "Each match counts for a person's Career and each campaign for their history; Ranks, Badges and League Honors are earned.",
)
KS_17 = _source(
    17, TURN, "A turn has three phases, and their order is fixed: produce, then move, then act.", refuses=True
)
KS_18 = _source(
    18,
    TURN,
    "In the Produce phase military buildings give troops by their level and industry gives resources.",
    refuses=True,
)
KS_19 = _source(
    19,
    TURN,
    "In the Move phase each King, army, ship and plane may move once; what moves as a group makes one move together.",
    refuses=True,
)
KS_20 = _source(
    20,
    TURN,
    "In the Act phase Action Points pay for actions, seven in all: Build, Upgrade, Repair, Attack, Engage, Forward, Discover.",
    "actions.repair",
)
KS_21 = _source(
    21, TURN, "A Kingdom starts each Act phase with 2 Action Points before any bonus.", "ap.base", refuses=True
)
KS_22 = _source(
    22,
    TURN,
    "Each level of an Embassy brings 1 Action Point more, together no more than 5.",
    "ap.embassy_cap",
    "ap.embassy_counted",
)
KS_23 = _source(23, TURN, "A City has no more than one Embassy.", "institutions.single", refuses=True)
KS_24 = _source(24, TURN, "By Forward a chosen unit or group makes a further move.")
KS_25 = _source(25, TURN, "Whatever is upgraded, it takes one action.")
KS_26 = _source(
    26,
    TURN,
    "For one action Repair makes a damaged building, wall or ship whole again. Planes, roads and soldiers are not named.",
    "actions.repair",
    refuses=True,
)
KS_27 = _source(
    27,
    CITY,
    "A City has no piece of its own: a Castle marks out the Territory, and what stands in it together is the City.",
)
KS_28 = _source(28, CITY, "A Castle never stands at a higher level than its King.", "order.mode", refuses=True)
KS_29 = _source(29, CITY, "A Farm never stands at a higher level than its Castle.", "order.mode", refuses=True)
KS_30 = _source(
    30,
    CITY,
    "All other infrastructure stays at or below the level of its City's Farm; Farm 5, for one, carries War Forge 5.",
    "order.mode",
    refuses=True,
)
KS_31 = _source(
    31,
    CITY,
    "Equal levels are allowed at each step of this chain. A realm therefore grows from the King to the Castle to the Farm "
    "to all the rest.",
    "order.mode",
)
KS_32 = _source(
    32,
    CITY,
    "All Kings enter a match at level 1, whoever leads them, and rise one level with each Upgrade action spent on them.",
    "king.start_level",
    refuses=True,
)
KS_33 = _source(33, CITY, "With the end of a match the levels its Kings have gained are gone.")
KS_34 = _source(34, CITY, "A King moves 1 ft for each level, and 10 ft from level 10 on.")
KS_35 = _source(35, CITY, "The level of a King in the Career is an honour and moves no figure of any match.")
KS_36 = _source(
    36, CITY, "Cities end at 10, Kings do not end. Whether 10 means levels or Cities is left open: see KSH-34."
)
KS_37 = _source(37, CITY, "Level 10 is as high as a Castle goes.", refuses=True)
KS_38 = _source(
    38,
    CITY,
    "A Castle of level 10 spreads sideways by Metropolitan Districts, further Cities in its territory, of five kinds: "
    "Military, Harbor, University, Industrial, Religious.",
    "districts.enabled",
    refuses=True,
)
KS_39 = _source(39, CITY, "The districts of one territory share its industry, its doctrine and its technology.")
KS_40 = _source(
    40, CITY, "A Castle has as many slots for infrastructure as it has levels.", "slots.enabled", refuses=True
)
KS_41 = _source(
    41, CITY, "The slots may be filled in any mixture, even with one kind only: five Barracks at Castle 5 are fine."
)
KS_42 = _source(42, CITY, "Each City must have its Farm, and the Farm takes no slot.", refuses=True)
KS_43 = _source(
    43,
    CITY,
    "Farm, University, Embassy and Religion are central: one of each for a Castle.",
    "institutions.single",
    refuses=True,
)
KS_44 = _source(
    44,
    CITY,
    "Of War Forges a Castle may have two; the second is there only in reserve for war.",
    "forge.max_per_castle",
    refuses=True,
)
KS_45 = _source(
    45,
    CITY,
    "Barracks, Harbor, Hangar, Trainyard, Quarry and Lumberyard may be stacked up to the number of slots.",
)
KS_46 = _source(
    46,
    CITY,
    "More of a kind gives more of its use: Harbors ships, docks and fleets; Hangars aircraft; Trainyards rail traffic; "
    "Quarries walls, bridges and stonework; Lumberyards roads, wooden bridges, ships and construction. No figures are given.",
)
KS_47 = _source(
    47,
    GENERAL,
    "A General is a second person at the table and no piece on it.",
    "general.kind",
    refuses=True,
)
KS_48 = _source(
    48,
    GENERAL,
    "A Kingdom has at most one General, whom the King appoints. The King keeps the command, and the General never takes "
    "the King's place.",
    refuses=True,
)
KS_49 = _source(
    49,
    GENERAL,
    "A General may move armies, Build, Upgrade, attack and defend, scout, see to supplies and lead fleet and air force.",
)
KS_50 = _source(
    50,
    GENERAL,
    "For the King alone are diplomacy and alliances, politics, the strategy of the Kingdom and the growth of the Capital, "
    "which a General may not upgrade.",
    refuses=True,
)
KS_51 = _source(
    51,
    GENERAL,
    "The General as a piece that could be lost is no longer in use; the cap on its level passed to the Capital, which stays "
    "at or below its King.",
    "general.kind",
)
KS_52 = _source(
    52,
    FORGE,
    "Soldiers made in a Territory with a War Forge have 1 Attack and 1 Defense more for each level of it.",
    refuses=True,
)
KS_53 = _source(
    53,
    FORGE,
    "A Castle's second War Forge carries the doctrine on if the first is lost; the two never add their bonuses.",
    "forge.max_per_castle",
)
KS_54 = _source(
    54,
    FORGE,
    "The Forge bonus is complete with 5 Attack and 5 Defense at level 5; nothing ever raises it further.",
    "forge.combat_cap",
)
KS_55 = _source(
    55,
    FORGE,
    "A War Forge stays at or below the level of its Castle, and the Capital at or below the level of the King.",
    "order.mode",
    refuses=True,
)
KS_56 = _source(56, FORGE, "Upgrades reach no soldier that is already there: each keeps the level of its making.")
KS_57 = _source(
    57,
    FORGE,
    "Forge levels 6 to 10 stand for one military doctrine each, which the publisher has yet to define, and change neither "
    "Attack nor Defense.",
    "forge.combat_cap",
    refuses=True,
)
KS_58 = _source(
    58, FORGE, "As an example: War Forge 5 at Castle 5 makes the Barracks there turn out soldiers of +5/+5."
)
KS_59 = _source(
    59,
    FORGE,
    "The power of an army is the number of its soldiers times their attack, with the King's power and the buffs of beasts "
    "added: 100 soldiers of level 5 are 500, with a King of 20 and a buff of 10 they are 530.",
)
KS_60 = _source(
    60,
    TREES,
    "The Lumber Mill opens Quarry and Barracks at level 1, Harbor at 3, Embassy at 4 and Master Craftsmanship at 5; "
    "at level 2 there is nothing new.",
    "ladder",
    refuses=True,
)
KS_61 = _source(
    61,
    TREES,
    "The Quarry opens Walls, Bridges and Improved Roads at level 1, War Forge at 2, Religion at 3, Train Station at 4 and "
    "Airport at 5.",
    "ladder",
    refuses=True,
)
KS_62 = _source(62, TREES, "Both ladders are being looked at by the Forger and hold until he rules anew.", "ladder")
KS_63 = _source(63, TREES, "Mill and Yard are two words for the one Lumber Mill.")
KS_64 = _source(64, TREES, "Without a Lumber Mill, level 1 is enough, there are no Barracks.", "ladder", refuses=True)
KS_65 = _source(
    65,
    WAYS,
    "To do its work an institution, with few exceptions, needs an unbroken road to its own Castle.",
    refuses=True,
)
KS_66 = _source(
    66, WAYS, "A building behind a broken road is isolated: it is still there and does nothing.", refuses=True
)
KS_67 = _source(67, WAYS, "Farm, Quarry and Lumberyard go on working without any road.")
KS_68 = _source(68, WAYS, "Rails join one Trainyard to another, and a journey on them takes no time.", refuses=True)
KS_69 = _source(69, WAYS, "A Build action gives one ship, or one plane.", refuses=True)
KS_70 = _source(70, WAYS, "Sending planes out on a sortie costs 2 Action Points.", "sortie.cost")
KS_71 = _source(
    71,
    COMBAT,
    "Before a Kingdom falls it is pressed step by step: Infrastructure, Institutions, Military, Castle and last the King.",
    "pressure.mode",
    refuses=True,
)
KS_72 = _source(72, COMBAT, "Defenders answer with half damage, unless something alters it.", "defender.return")
KS_73 = _source(
    73,
    COMBAT,
    "A destroyed building becomes a Ruin: it never leaves the table and is of no use before it is repaired.",
    refuses=True,
)
KS_74 = _source(74, COMBAT, "Soldiers do not heal; only new ones fill the gaps.")
KS_75 = _source(
    75,
    COMBAT,
    "Poker chips of 1 strength count the army. Only upgrades make a chip worth more, such as 1 Attack and 1 Defense for "
    "each level of the War Forge where its soldiers come from.",
    "army.chip_strength",
)
KS_76 = _source(
    76,
    COMBAT,
    "Every building that touches its Castle or reaches it by road lends it 1 Defense for each of its levels: the "
    "defensive fabric.",
    "fabric.enabled",
)
KS_77 = _source(77, COMBAT, "A player is out once the King is beaten or can rule no longer.", refuses=True)
KS_78 = _source(
    78,
    COMBAT,
    "In tournaments the custom pieces of a player who is out are taken off, and the MapMaster puts official pieces in "
    "their places.",
    refuses=True,
)
KS_79 = _source(79, COMBAT, "The map outlives its players: who is out goes, and the battlefield remains.")

KSH_01 = _house(1, SET_UP, "From 2 to 8 Kingdoms play.", "seats.min", "seats.max", refuses=True)
KSH_02 = _house(
    2, SET_UP, "Turns follow the order of the seats, which is fixed at set-up and the same in all rounds.", "turn.order"
)
KSH_03 = _house(
    3,
    SET_UP,
    "The Capital, and each Castle founded later, stands with a free Farm of level 1. Where that is switched off the Farm "
    "is the first thing to be built there.",
    "setup.farm_level",
)
KSH_04 = _house(4, SET_UP, "The King begins at the Capital.", "setup.king_at")
KSH_05 = _house(
    5, SET_UP, "Nobody starts with an advantage: the figures at the start are the same for all seats.", "setup.handicap"
)
KSH_06 = _house(
    6,
    SET_UP,
    "Build, Attack, Forward, Discover and Engage, for which no price is published, cost 1 Action Point each.",
    "cost.build",
    "cost.attack",
    "cost.forward",
    "cost.discover",
    "cost.engage",
)
KSH_07 = _house(
    7,
    SET_UP,
    "Action Points are counted once, as the Act phase begins, by what is active at that moment. What is not spent is lost.",
    "ap.carry",
)
KSH_08 = _house(
    8,
    SET_UP,
    "The +5 of the Embassies is a limit for the Kingdom as a whole, so that 7 Action Points are the most.",
    "ap.cap_scope",
    "ap.embassy_counted",
)
KSH_09 = _house(
    9,
    SET_UP,
    "A new piece has level 1 and an Upgrade raises by exactly one level.",
    "build.level",
    "upgrade.step",
    refuses=True,
)
KSH_10 = _house(
    10,
    SET_UP,
    "One thing may be acted on any number of times a turn, as far as the Action Points reach.",
    "act.per_target_limit",
    refuses=True,
)
KSH_11 = _house(11, SET_UP, "What has been built works from that moment.", "build.ready")
KSH_12 = _house(
    12,
    PRODUCTION,
    "Barracks give one chip a turn for each of their levels; a chip is 1 soldier, in the early editions 10.",
    "production.chips_per_level",
    "army.chip_strength",
)
KSH_13 = _house(
    13,
    PRODUCTION,
    "Farms give food, Lumber Mills wood and Quarries stone, each as much as its level. It is counted, but nothing is paid "
    "with it.",
    "production.resources",
    refuses=True,
)
KSH_14 = _house(
    14, PRODUCTION, "New soldiers join the army at the Castle to which their Barracks belong.", "production.place"
)
KSH_15 = _house(
    15,
    PRODUCTION,
    "Barracks produce or are waived before the Move phase begins; what was missed is not made up.",
    "production.strict",
)
KSH_16 = _house(
    16,
    PRODUCTION,
    "Without a Forge a soldier has level 0. It attacks with its level, but with 1 at least, and withstands its level and 1 more.",
    "soldier.toughness",
)
KSH_17 = _house(
    17,
    PRODUCTION,
    "Forges count for their own Territory with its districts and for every own Castle that uncut own roads join to it; "
    "only the best of them counts.",
    "doctrine.sharing",
)
KSH_18 = _house(
    18,
    PRODUCTION,
    "Forge levels 6 to 10 bring no doctrine, only the level itself. Before the start an organizer may give them doctrines as texts.",
    "doctrine.levels_6_10",
)
KSH_19 = _house(
    19, PRODUCTION, "The first level of a King counts already: Attack and Defense are twice the level.", "king.base"
)
KSH_20 = _house(20, PRODUCTION, "What a King adds to an army is his Attack.", "king.power")
KSH_21 = _house(
    21,
    PRODUCTION,
    "Influence is a radius around the King. Inside it he adds his Attack and Defense to the battles of his Kingdom, and "
    "there he may found Castles.",
    "king.scope",
)
KSH_22 = _house(
    22,
    PRODUCTION,
    "A King has no hit points: one point of net damage, once he is the target of the last step, defeats him.",
    "king.life",
)
KSH_23 = _house(23, PRODUCTION, "A King without an army may fight with his own Attack.", "king.alone")
KSH_24 = _house(24, PRODUCTION, "Influence is a value of the match; in the Career it is only ceremony.")
KSH_25 = _house(
    25,
    MEASURING,
    "Lengths are tenths of a foot, moves along their path, distances straight, always between the nearest edges. The "
    "scribe says them and the record checks them; a doubt of a tenth goes to whoever moves.",
    "measure.tolerance_ft10",
)
KSH_26 = _house(
    26,
    MEASURING,
    "An army moves 5.0 ft and a ship 10.0 ft by water; a plane goes wherever it likes.",
    "move.army_ft10",
    "move.ship_ft10",
)
KSH_27 = _house(27, MEASURING, "A group is as fast as the slowest in it, Kings counted.", "move.group")
KSH_28 = _house(
    28,
    MEASURING,
    "A foot on the road uses up two thirds of a foot of the move, also where only a part of the way is road.",
    "road.bonus_mode",
    "road.bonus",
)
KSH_29 = _house(
    29,
    MEASURING,
    "A ride by rail is the unit's one move and takes no length of it. Both stations must be active; any number may ride.",
    "rail.units_per_level",
    refuses=True,
)
KSH_30 = _house(
    30,
    MEASURING,
    "Forward is one whole further move of a unit or group in the Act phase and may be repeated.",
    "forward.limit",
    refuses=True,
)
KSH_31 = _house(
    31,
    MEASURING,
    "Land is open unless something else is recorded. Units on land cross water by bridge or ship, and nothing but a plane "
    "enters impassable ground.",
    "terrain.effects",
    refuses=True,
)
KSH_32 = _house(
    32,
    TERRITORY,
    "A Territory is a circle of 1 ft for each level of its Castle, 1 ft at least; where two meet, the older Castle keeps "
    "the ground. The scribe names the Castle, and no geometry is computed.",
    "territory.radius",
    refuses=True,
)
KSH_33 = _house(
    33,
    TERRITORY,
    "For one Build the King in person founds another Castle, within his Influence and outside of every Territory.",
    "castle.found",
    refuses=True,
)
KSH_34 = _house(
    34, TERRITORY, "The “10” of Cities is a level; a Kingdom may have any number of them.", "castle.max", refuses=True
)
KSH_35 = _house(
    35,
    TERRITORY,
    "A district is a Castle in its own right, with its own level from 1, Farm, slots and limits, in the Territory of a "
    "parent of level 10. Districts found none themselves.",
    "district.nested",
    refuses=True,
)
KSH_36 = _house(
    36,
    TERRITORY,
    "The kind of a district is a name without effect and may come again. If strict: Military has only Barracks and War "
    "Forge, Harbor and University their own kind, Industrial Quarry, Lumber Mill and Trainyard, Religious Religion.",
    "district.unique",
    "district.strict",
    refuses=True,
)
KSH_37 = _house(
    37,
    TERRITORY,
    "If the Capital is ruined while the King lives, the highest Castle that stands becomes Capital at once, the older of two equals.",
    "capital.succession",
)
KSH_38 = _house(
    38, TERRITORY, "The King's level caps all Castles since the dated chain, and none before it.", "order.castle_cap"
)
KSH_39 = _house(
    39,
    TERRITORY,
    "Structures change no hands: they stand or lie in ruins with whoever had them, but for official pieces (KS-78).",
    "capture",
)
KSH_40 = _house(
    40,
    SLOTS,
    "Each building but Farm and Wall fills a slot, be it a Ruin, isolated or the second War Forge; roads, rails, bridges, "
    "ships and planes fill none.",
    "slots.wall",
)
KSH_41 = _house(
    41,
    SLOTS,
    "A Castle has one Wall, a building that always touches it. It rises up to the Farm's level, counts for the fabric and "
    "does not bar the way.",
    "wall.max_per_castle",
    refuses=True,
)
KSH_42 = _house(
    42,
    SLOTS,
    "Lumberyard, Mill and Yard mean `lumber_mill`, Train Station `trainyard`, Airport `hangar`, Engineered Road "
    "`improved_road`.",
)
KSH_43 = _house(
    43,
    SLOTS,
    "What a building needs is looked at when it is built and never again: a Mill or Quarry of that level, not ruined, in "
    "its Territory or one joined by own roads.",
    "unlock.scope",
)
KSH_44 = _house(44, SLOTS, "A University needs Quarry 3, the rung it was last published on.", "university.unlock")
KSH_45 = _house(
    45,
    SLOTS,
    "University, Religion, Master Craftsmanship and Improved Roads do no more than fill a slot, have a level, count for "
    "the fabric and stand in the record; an improved road is a road.",
)
KSH_46 = _house(
    46,
    SLOTS,
    "Where there is no Farm nothing else is built. While it lies in ruins nothing in its City can be upgraded, but all "
    "goes on working.",
    "farm.ruin",
)
KSH_47 = _house(47, LINKS, "One Build lays one road without a break, however long.", "road.max_ft10", refuses=True)
KSH_48 = _house(
    48,
    LINKS,
    "A building is direct if its piece touches its Castle. That is said when it is built, and nothing can cut it off.",
    "road.direct_ft10",
)
KSH_49 = _house(
    49,
    LINKS,
    "Only own roads, and bridges as well, tie buildings to a Castle. Those of an ally serve the march, and rails tie nothing.",
    "road.admin",
)
KSH_50 = _house(50, LINKS, "One Build lays rail between two Trainyards, own ones or an ally's.", "rail.allied")
KSH_51 = _house(
    51,
    LINKS,
    "A unit in reach cuts a road or rail by an Attack with one point of net damage. What defends at either end strikes "
    "back by half; Repair joins it again.",
    "road.cut",
)
KSH_52 = _house(
    52,
    LINKS,
    "Farm, Quarry and Lumber Mill work unconnected, yet count for the fabric only if connected.",
    "fabric.exempt_unconnected",
)
KSH_53 = _house(
    53,
    LINKS,
    "A ship has Attack 5, structure 10, room for 20 soldiers and a reach of 2.0 ft. There are no more of them than active "
    "Harbors have levels.",
    "ship.attack",
    "ship.structure",
    "ship.cargo",
    refuses=True,
)
KSH_54 = _house(
    54,
    LINKS,
    "A plane has Attack 5 and structure 5, and there are no more than active Hangars have levels. Any number make one "
    "sortie to anywhere for 2 Action Points in all and come home.",
    "plane.attack",
    "plane.structure",
    "sortie.per",
    refuses=True,
)
KSH_55 = _house(
    55,
    BATTLE,
    "An army or a King strikes from within the target's Territory, from its place, or over a declared 1.0 ft; a ship over "
    "2.0 ft, a plane over any distance.",
    "reach.army_ft10",
    "reach.ship_ft10",
    refuses=True,
)
KSH_56 = _house(
    56,
    BATTLE,
    "Any number of units of one Kingdom strike one target together, and for a further Action Point they may strike again.",
    "attack.limit",
    refuses=True,
)
KSH_57 = _house(
    57,
    BATTLE,
    "The target is defended by every army and ship of its owner and his allies in that Territory or at that place, and by "
    "the King if he is in scope.",
    "defence.allies",
)
KSH_58 = _house(
    58,
    BATTLE,
    "Defense is taken off the attack. The fabric shields the Castle, its garrison and what is connected in its Territory; "
    "links and what is unconnected have none.",
    "fabric.protects",
)
KSH_59 = _house(
    59,
    BATTLE,
    "A structure has 10 points for each level. Damage remains until repaired, and a building that is only damaged works.",
    "structure.per_level",
)
KSH_60 = _house(
    60,
    BATTLE,
    "In a Territory a later step is open to an attacker who has pressed each earlier step that still stands there, with an "
    "effect of 1 at least. The King at home falls only after his Castle, in the field after the soldiers with him. An "
    "Attack has one target, and surplus damage is lost.",
    "pressure.mode",
)
KSH_61 = _house(
    61,
    BATTLE,
    "Infrastructure is Farm, Lumber Mill, Quarry, Barracks, Harbor, Hangar, Trainyard, Wall and links, which can be cut at "
    "any time; institutions are University, Embassy, Religion and War Forge; military is armies, ships and planes.",
    "pressure.barracks",
)
KSH_62 = _house(
    62,
    BATTLE,
    "Armies standing together are one target. The lowest soldier level falls first, then ships, then planes.",
    "loss.order",
)
KSH_63 = _house(
    63,
    BATTLE,
    "Returned is half of the power the defenders had before the battle, on both sides at once; no building "
    "returns any, a beast half its attack. Soldiers suffer it first, then ships, then planes; a King alone falls to a net of 1.",
    "return.basis",
    "return.timing",
)
KSH_64 = _house(64, BATTLE, "Each division is rounded down.", "round")
KSH_65 = _house(
    65,
    BATTLE,
    "A ruined Castle stays as a Ruin and connects nothing: its buildings are isolated save Farm, Quarry, Mill and Wall, "
    "its fabric is 0, and until it is repaired nothing is built or upgraded there.",
    "castle.ruin",
    refuses=True,
)
KSH_66 = _house(
    66,
    BATTLE,
    "Repair takes away all damage and sets a Ruin up again at its level, also Castles and cut links, even under siege.",
    "repair.restores",
    "repair.under_siege",
    refuses=True,
)
KSH_67 = _house(
    67,
    BEASTS,
    "Strength, attack, defence and buff are 20, 10, 0, 10 of a dangerous beast, 60, 30, 10, 20 of an epic and 150, 80, 25, "
    "40 of a legendary one, unless the MapMaster says otherwise for a beast.",
    "beast.dangerous",
    "beast.epic",
    "beast.legendary",
)
KSH_68 = _house(
    68,
    BEASTS,
    "Beasts are fought by Engage. Their wounds stay, several Kingdoms may add to them, and the last point of strength "
    "decides whose victory it is.",
    "beast.credit",
    refuses=True,
)
KSH_69 = _house(
    69,
    BEASTS,
    "The victory stays in the Career and gives a Beast Buff to one army of that battle, the largest if none is named: it "
    "adds to its power and is lost with it.",
    "beast.reward",
    refuses=True,
)
KSH_70 = _house(70, BEASTS, "Beasts defend themselves and do not act.", "beasts.act", refuses=True)
KSH_71 = _house(
    71,
    BEASTS,
    "To Discover, a unit scouts a place within 1.0 ft (a ship 2.0 ft, a plane any) and learns what the MapMaster hid: a "
    "beast shows itself, a resource adds 5 to its count, a landmark is noted.",
    "discover.reach_ft10",
    refuses=True,
)
KSH_72 = _house(
    72,
    DIPLOMACY,
    "Two Kingdoms are allied once one proposes and the other accepts, in any number. Allies do not attack each other, share "
    "roads and rails and defend together until the end of the turn of whoever breaks it.",
    "alliance.max",
    "alliance.notice",
    refuses=True,
)
KSH_73 = _house(73, DIPLOMACY, "Allies do not win together.", "victory.allied")
KSH_74 = _house(
    74,
    DIPLOMACY,
    "A General neither upgrades the King nor founds Castles or districts, nor surrenders, agrees to a draw, signs the "
    "result or appoints; buildings in the Capital's City are open to upgrades.",
    "general.capital_buildings",
    refuses=True,
)
KSH_75 = _house(
    75,
    DIPLOMACY,
    "A General may stand in for an absent King with what KS-49 leaves to Generals, but never succeeds him; a King who does "
    "not come back forfeits.",
    "king.absence_turns",
)
KSH_76 = _house(
    76,
    RECORD,
    "A King can rule no longer if at the end of a turn all Castles of the Kingdom are ruined.",
    "govern.rule",
    refuses=True,
)
KSH_77 = _house(
    77,
    RECORD,
    "Armies, ships, planes and King of a Kingdom that is out leave the table and its alliances end; structures and links "
    "remain.",
    "eliminated.forces",
)
KSH_78 = _house(
    78,
    RECORD,
    "Official pieces act never and return no damage. They keep level, damage and fabric, may be attacked, and count for "
    "nobody's unlocks, roads or score. Where there is no MapMaster the same holds without models.",
    "neutral.attackable",
    refuses=True,
)
KSH_79 = _house(
    79,
    RECORD,
    "A match is over when one Kingdom is left, when its rounds or its time have run out, the round being finished, or when "
    "all agree on a draw.",
    "end.rounds",
    "end.minutes",
    "end.finish_round",
    refuses=True,
)
KSH_80 = _house(
    80,
    RECORD,
    "Kingdoms in play rank before those that are out, by the levels of standing Castles, then the King's level, the levels "
    "of active buildings, the power of all armies with the King's attack, and beasts at 1, 3 and 6.",
    "ranking.order",
)
KSH_81 = _house(
    81,
    RECORD,
    "Whoever was out later ranks higher. One battle, or a tie in all, gives a shared place, and the next is left out.",
    "ranking.ties",
)
KSH_82 = _house(
    82,
    RECORD,
    "Who surrenders or forfeits is out at that moment; the Career keeps a forfeit as such.",
    "surrender.allowed",
    refuses=True,
)
KSH_83 = _house(
    83,
    RECORD,
    "A match is played and replayed by the rules of the local day on which it starts, however late it is entered. Another "
    "edition needs a `rules_reason`, another figure of an edition its text in `reasons`.",
    refuses=True,
)
KSH_84 = _house(
    84,
    RECORD,
    "A change without a date holds from 2026-07-12, or from the first dated ruling that takes it for granted.",
)
KSH_85 = _house(85, RECORD, "The defensive fabric holds from its decree of 2026-07-04 on.", "fabric.from")
KSH_86 = _house(
    86,
    RECORD,
    "Gaps of the early editions are closed so: a Build repairs a Ruin; a Castle has one War Forge; Kings start at the level "
    "recorded; a General is a marker without strength, no higher than the King; War Forge needs Quarry 2, a ship Mill 2, a "
    "plane Quarry 5 and an Airport, Quarry and Religion need nothing, and Improved Roads do not exist.",
    refuses=True,
)
KSH_87 = _house(
    87,
    RECORD,
    "Where sources differ the later date wins; on one date the narrower text, and after that Founder over Forger over Vault.",
)
KSH_88 = _house(
    88,
    RECORD,
    "A scribe takes back the last event of the running phase; the rest is the referee's. After the confirmation a "
    "correction says by whom it was approved: the referee alone for 72 hours, then an organizer too.",
    "appeal.hours",
    refuses=True,
)
KSH_89 = _house(
    89,
    RECORD,
    "If the table counted otherwise, the computed outcome stands until a referee decides, and what the table counted stays on record.",
    "observed.policy",
    refuses=True,
)
KSH_90 = _house(
    90,
    RECORD,
    "In a tournament the MapMaster does not play. Elsewhere players may hold any office, and without a referee the "
    "organizer is one.",
    "official.mapmaster",
)

U_1 = _check(
    1, "An event fits the status of the match: set-up before the start, turns while it runs, signatures after the end."
)
U_6 = _check(
    6, "Each event is recorded for somebody to whom it belongs: King, General, MapMaster, referee, scribe or organizer."
)
U_7 = _check(
    7,
    "All that an event names exists, is of the right kind, in a usable state and, where it must be, the Kingdom's own.",
)

RULES: tuple[Rule, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Rule))
"""All rules: the sourced ones, the house rules and the general checks, each by number."""
