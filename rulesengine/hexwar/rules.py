"""The numbered rules of the edition in our words: what a refusal names and the Codex page shows.

``HW`` rules come from the source and are fixed; changing a figure of one makes the match a variant. ``HWH`` rules are
house rules; where parameters are named, an organizer may change them at set-up.
"""

from __future__ import annotations

from rulesengine.game import Rule

START, MOVING, LAND, BUILDINGS, COMBAT, ENDING = (
    "Start",
    "Terrain and movement",
    "Regions, building and capturing",
    "Buildings: recruit and upgrade",
    "Combat",
    "End, placements, bookkeeping",
)


def _source(number: int, section: str, text: str, *parameters: str, refuses: bool = False) -> Rule:
    return Rule(f"HW-{number:02}", text, True, section, parameters, refuses)


def _house(number: int, section: str, text: str, *parameters: str, refuses: bool = False) -> Rule:
    return Rule(f"HWH-{number:02}", text, False, section, parameters, refuses)


HW_01 = _source(1, START, "Each player begins with one City, one Peasant of 5 HP and 500 gold.", "start_gold", "tables")
HW_02 = _source(2, START, "Neutral points of the map begin as Hamlets.")
HW_03 = _source(3, MOVING, "Entering plain land costs 1 movement point, entering forest or hills 2.", "tables")
HW_04 = _source(4, MOVING, "Water and mountains stop land units.", "tables", refuses=True)
HW_05 = _source(5, MOVING, "Ships move on water alone.", "tables", refuses=True)
HW_06 = _source(6, MOVING, "Every unit moves from hex to neighbouring hex.", refuses=True)
HW_07 = _source(7, MOVING, "Two units never stand on one hex.", refuses=True)
HW_08 = _source(
    8,
    MOVING,
    "The range that is offered leaves out what is blocked or out of reach; a step the unit cannot pay for is not possible.",
    refuses=True,
)
HW_09 = _source(9, MOVING, "Movement is restored when the turn of the unit's owner begins.")
HW_10 = _source(10, LAND, "Only Peasants build improvements.", refuses=True)
HW_11 = _source(11, LAND, "Only Peasants capture cities.", refuses=True)
HW_12 = _source(
    12, LAND, "Building needs an empty hex in a region that the player owns.", "fort_on_settlement", refuses=True
)
HW_13 = _source(13, LAND, "A city is captured by the Peasant that stands on its hex.", refuses=True)
HW_14 = _source(14, LAND, "A Farm costs 150 gold and stands on grassland only.", "tables", refuses=True)
HW_15 = _source(15, LAND, "A Town costs 250 gold.", "tables", refuses=True)
HW_16 = _source(16, LAND, "A Fort costs 200 gold and belongs to nobody.", "tables", refuses=True)
HW_17 = _source(
    17, LAND, "A Mine costs 500 gold, stands on hills or mountains and takes two turns.", "tables", refuses=True
)
HW_18 = _source(
    18,
    LAND,
    "A Port costs 250 gold, takes one turn and stands on shoreline water next to its Peasant.",
    "tables",
    refuses=True,
)
HW_19 = _source(19, LAND, "Starting a construction spends the Peasant's remaining movement and uses the Peasant up.")
HW_20 = _source(
    20,
    LAND,
    "A construction is complete at the start of its builder's next turn, a Mine one turn start later.",
    "tables",
)
HW_21 = _source(21, LAND, "Capturing spends the remaining movement and hands over the territory.")
HW_22 = _source(
    22,
    BUILDINGS,
    "A player uses a building of their own to recruit, or to upgrade a city; no Peasant is needed.",
    refuses=True,
)
HW_23 = _source(23, BUILDINGS, "One building action a turn: recruit or upgrade.", "building_action_scope", refuses=True)
HW_24 = _source(24, BUILDINGS, "An upgrade holds at once.")
HW_25 = _source(
    25,
    BUILDINGS,
    "A recruit appears on the building's own hex, which must be empty, and can act from its owner's next turn.",
    refuses=True,
)
HW_26 = _source(26, BUILDINGS, "Income and the transport of units by ship are not in use.", "income_active")
HW_27 = _source(
    27,
    COMBAT,
    "An own unit attacks an enemy unit in range: melee reaches 1 hex, ranged 2 hexes.",
    "tables",
    refuses=True,
)
HW_28 = _source(28, COMBAT, "Damage is the attack less the defence, but at least 1.", "min_damage")
HW_29 = _source(29, COMBAT, "A melee attack is answered by a defender that survives it.", "retaliation_classes")
HW_30 = _source(30, COMBAT, "A ranged attack is not answered.")
HW_31 = _source(31, COMBAT, "One attack a unit and turn; it spends all remaining movement.", refuses=True)
HW_32 = _source(32, COMBAT, "Defeated units are removed; the attacker stays where it is.")
HW_33 = _source(33, COMBAT, "Spearmen have 2 more attack against cavalry.", "tables")
HW_34 = _source(34, COMBAT, "Axemen have 2 more attack against Swordsmen and Legions.", "tables")
HW_35 = _source(
    35, COMBAT, "The defence bonuses of Castle or Fortress, of a completed Fort and of Fortify add up.", "tables"
)
HW_36 = _source(
    36,
    COMBAT,
    "Any unit but a Peasant may Fortify: 1 more defence; it spends the movement and ends when the unit moves or attacks.",
    "fortify_bonus",
    refuses=True,
)
HW_37 = _source(
    37,
    COMBAT,
    "A Catapult's hit leaves, after its damage, 2 less defence on the unit it hit; such penalties add up.",
    "catapult_penalty",
)
HW_38 = _source(38, COMBAT, "The penalty lasts until the next round.", "catapult_penalty_expiry")
HW_39 = _source(39, COMBAT, "Defence never falls below zero.")
HW_40 = _source(40, COMBAT, "There is no line of sight, and mountains defend nobody.")
HW_41 = _source(41, COMBAT, "A player may see the damage before deciding: the preview is the same sum without effect.")

HWH_01 = _house(
    1,
    START,
    "Two to six players sit in a fixed order, which is the order of turns; the map says how many. There are no teams.",
    "map",
    refuses=True,
)
HWH_02 = _house(
    2,
    START,
    "A turn is one player's; a round is one pass through the living seats and rises when their order starts anew.",
)
HWH_03 = _house(3, START, "The first Peasant stands on its owner's City.")
HWH_04 = _house(
    4, MOVING, "Plain land is grassland (Farms) and plain (none) at the same cost; ships pay 1 a water hex.", "tables"
)
HWH_05 = _house(
    5,
    MOVING,
    "No unit passes through another, friend or foe; buildings never block. A unit may move several times while points "
    "remain; there is no free step, and points left over are lost with the turn.",
)
HWH_06 = _house(
    6,
    MOVING,
    "Attacking, fortifying, building and capturing need some movement left.",
    "min_movement_to_act",
    refuses=True,
)
HWH_07 = _house(
    7,
    MOVING,
    "Attack, fortify, build and capture end a unit's turn: its movement becomes 0, and it does one of them a turn.",
    refuses=True,
)
HWH_08 = _house(
    8,
    LAND,
    "Farm, Town and Fort rise on the Peasant's own hex, a Mine there or next to it, a Port next to it.",
    "tables",
    refuses=True,
)
HWH_09 = _house(
    9,
    LAND,
    "Empty means: no settlement, improvement or site there, and no unit but the building Peasant.",
    "fort_on_settlement",
)
HWH_10 = _house(
    10, LAND, "The map is made of regions, each with one seat; whoever owns the region owns all in it but Forts."
)
HWH_11 = _house(
    11,
    LAND,
    "A Town that was built belongs to the region it stands in, recruits and upgrades like others, and is no target for capture.",
)
HWH_12 = _house(12, LAND, "Town and Fort stand on grassland, plain, forest or hill.", "tables", refuses=True)
HWH_13 = _house(
    13,
    LAND,
    "A construction is paid at its start and advances at each turn start of its builder, whoever stands there. "
    "With the region its sites pass to the capturer, and they vanish when their builder leaves.",
    "construction_on_capture",
)
HWH_14 = _house(
    14,
    LAND,
    "A Fort serves whichever unit stands on it and is not touched by captures; it is started in an owned region.",
    "fort_build_region",
)
HWH_15 = _house(
    15,
    LAND,
    "What is captured is a region's seat that is not one's own. The Peasant stays, the tier stays, nobody resists, "
    "and the captured buildings wait until the next turn.",
    "captured_building_waits",
    refuses=True,
)
HWH_16 = _house(16, BUILDINGS, "The one building action is counted for each building.", "building_action_scope")
HWH_17 = _house(17, BUILDINGS, "A settlement with an enemy unit on it cannot upgrade.", refuses=True)
HWH_18 = _house(18, BUILDINGS, "A unit recruited this turn does nothing yet; it defends and answers as usual.")
HWH_19 = _house(
    19,
    BUILDINGS,
    "Each tier and each improvement recruits what its table lists; only settlements upgrade, one tier at a time.",
    "tables",
    refuses=True,
)
HWH_20 = _house(20, BUILDINGS, "The values of the units are those of the unit table.", "tables")
HWH_21 = _house(
    21,
    BUILDINGS,
    "Income, if an organizer switches it on, is paid at each own turn start after completions.",
    "income_active",
    "tables",
)
HWH_22 = _house(
    22, COMBAT, "Castle defends by 2, Fortress by 3 (their owner's units only), a Fort by 2 (any unit).", "tables"
)
HWH_23 = _house(23, COMBAT, "All terms of the defence are added first; the floor of zero is applied once, at the end.")
HWH_24 = _house(
    24,
    COMBAT,
    "The answer is one strike by the same formula. It costs nothing, ends nothing and is not answered; it needs a melee "
    "attack, HP left, an attack of at least 1 and a class that answers.",
    "retaliation_classes",
)
HWH_25 = _house(25, COMBAT, "Range 1 is melee, 2 or more is ranged, also when it shoots at distance 1.")
HWH_26 = _house(
    26,
    COMBAT,
    "Only units of another player can be attacked, and never by a unit without attack or range.",
    refuses=True,
)
HWH_27 = _house(27, COMBAT, "Land units and ships may attack each other within range.")
HWH_28 = _house(
    28, COMBAT, "Being attacked and answering leave Fortify in place; the attacker's own ends before any strike."
)
HWH_29 = _house(
    29,
    COMBAT,
    "Any strike of a Catapult, answers too, leaves its penalty if the unit hit survives; it is gone when the round rises.",
    "catapult_penalty",
    "catapult_penalty_expiry",
)
HWH_30 = _house(
    30,
    COMBAT,
    "A fortified unit cannot fortify again; Fortify lasts over any number of turns until the unit moves or attacks.",
    refuses=True,
)
HWH_31 = _house(31, ENDING, "A player is out as soon as they own no region seat and no Peasant.", "elimination")
HWH_32 = _house(
    32,
    ENDING,
    "Whoever is out loses all units and sites; their regions become neutral with all that stands there; their gold is gone.",
)
HWH_33 = _house(
    33,
    ENDING,
    "The match ends when the last living seat of the last round is done; an end is not recorded before.",
    "max_rounds",
    refuses=True,
)
HWH_34 = _house(
    34,
    ENDING,
    "Living players are placed by regions, ranks of settlements, HP of units but Peasants, and gold; equals share a place.",
)
HWH_35 = _house(35, ENDING, "A living player may resign at any time, for themselves alone.")
HWH_36 = _house(36, COMBAT, "No healing, no upkeep, no disbanding, no demolition, no gifts.")
HWH_37 = _house(
    37, ENDING, "A map must be valid; a hex outside it can neither be entered nor built on.", "map", refuses=True
)
HWH_38 = _house(38, ENDING, "Gold is a whole number and never falls below 0.", refuses=True)
HWH_39 = _house(
    39,
    ENDING,
    "Events carry decisions; what follows is computed. What a file says about it is compared, and a correction must fit.",
    refuses=True,
)
HWH_40 = _house(
    40,
    ENDING,
    "The parameters of the set-up are known ones within their bounds; changing a sourced figure needs a variant's name.",
    "variant_name",
    "tables",
    refuses=True,
)
HWH_41 = _house(
    41,
    ENDING,
    "An organizer may stop a match and say how it counts; a draw is agreed by all who still play.",
    refuses=True,
)
HWH_42 = _house(42, ENDING, "Only the player whose turn it is acts, and only while the match runs.", refuses=True)
HWH_43 = _house(43, ENDING, "An event names own units that exist and completed buildings.", refuses=True)
HWH_44 = _house(44, ENDING, "Kinds of units and improvements are those of the tables.", refuses=True)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (value for value in globals().values() if isinstance(value, Rule)), key=lambda rule: (not rule.sourced, rule.id)
    )
)
"""All rules: the sourced ones, then the house rules, by number."""

COSTS_AND_GROUND: dict[str, Rule] = {"farm": HW_14, "town": HW_15, "fort": HW_16, "mine": HW_17, "port": HW_18}
"""The rule that names the price of an improvement, and of Farm, Mine and Port the ground too."""
