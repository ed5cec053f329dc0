"""The numbered rules of the edition in our words: what a refusal names and the Codex page shows.

Rules that are not sourced are house rules of the league, where the printed rules are silent: how logs are written and corrected,
who leaves, how a match ends early. Where parameters are named, an organizer may change them at set-up.
"""

from __future__ import annotations

from rulesengine.game import Rule

(
    SET_UP,
    CALENDAR,
    AID,
    SEASON,
    INFLUENCE,
    HELP,
    BUILD,
    SEASON_END,
    COURT,
    RECRUITING,
    WINTER,
    END,
    BUILDINGS,
    TWO,
    LOG,
) = (
    "Set-up",
    "Calendar",
    "Phase 1: the king's aid",
    "A productive season: dice",
    "A productive season: influence",
    "A productive season: help",
    "A productive season: building",
    "A productive season: its end",
    "Phases 3 and 5: the king's reward and envoy",
    "Phase 7: recruiting",
    "Phase 8: winter",
    "End",
    "Buildings in detail",
    "Two players",
    "Leaving, ending early, correcting",
)


def _rule(number: int, section: str, text: str, *parameters: str, refuses: bool = False, house: bool = False) -> Rule:
    return Rule(f"KB-{number:02}", text, not house, section, parameters, refuses)


KB_01 = _rule(
    1,
    SET_UP,
    "Two to five players sit at the letters from A on without a gap, in any order. A match has five years of eight phases.",
    refuses=True,
)
KB_02 = _rule(
    2,
    SET_UP,
    "Everybody begins with three dice of the own colour and nothing else: no points, goods, tokens, soldiers, buildings or envoy.",
)
KB_03 = _rule(
    3,
    SET_UP,
    "The first turn order is drawn at the table and recorded: it is the order of the seats, unless the start of the match gives "
    "another order of the same seats.",
    refuses=True,
)
KB_04 = _rule(
    4,
    SET_UP,
    "From each of the five piles of enemies, one a year, one unseen card goes into the deck. That may be recorded once, before the "
    "first dice of the match; it need not be.",
    refuses=True,
)
KB_05 = _rule(
    5,
    SET_UP,
    "Goods and tokens come from a common supply. By default it never runs out; where it is limited, gains without a choice give "
    "what is there, nothing can be chosen that is not there, and choices lapse once no good is left.",
    "supply_limited",
    "building_token_limit",
    refuses=True,
)
KB_06 = _rule(6, SET_UP, "Goods, tokens, soldiers, buildings, points and dice are public.")
KB_07 = _rule(
    7,
    SET_UP,
    "The options of a match are those of this edition, with values that are allowed.",
    refuses=True,
    house=True,
)
KB_08 = _rule(
    8,
    SET_UP,
    "An event holds what its type needs, of the right kinds, and no other keys; it names a seat of the header where it is a player's.",
    house=True,
)
KB_09 = _rule(
    9,
    SET_UP,
    "The start of the match may be recorded once, before everything else that is played.",
    refuses=True,
    house=True,
)
KB_10 = _rule(
    10,
    CALENDAR,
    "A year runs through its eight phases in order, then the next begins; after the fifth winter the match is scored. What belongs "
    "to another phase, or is played after the end, is refused.",
    refuses=True,
)
KB_11 = _rule(
    11,
    CALENDAR,
    "The king's reward, the king's envoy and a king's aid that goes to one player alone are settled at once, without an event.",
)
KB_12 = _rule(12, CALENDAR, "The turn order changes with the dice of a season only, and holds until the next.")
KB_20 = _rule(20, AID, "Who has the fewest buildings gets one white die for this spring.")
KB_21 = _rule(21, AID, "Of several with the fewest buildings it is the one with the fewest goods.")
KB_22 = _rule(
    22,
    AID,
    "Are they tied in that as well, there is no die: each of them takes one good of choice, in any order, and spring begins after "
    "the last.",
    refuses=True,
)
KB_23 = _rule(23, AID, "So in the first year everybody takes one good and nobody has the die.")
KB_24 = _rule(24, AID, "Goods are gold, wood and stone; tokens and soldiers are none.")
KB_30 = _rule(
    30,
    SEASON,
    "A season goes through its steps: its start, with two players the block, dice, influence, help, building, its end.",
    refuses=True,
)
KB_31 = _rule(
    31, SEASON, "A season begins with 1 gold for every owner of the Merchants' Guild, in turn order, before any dice."
)
KB_32 = _rule(
    32,
    SEASON,
    "Everybody rolls once a season, in any order: three coloured dice, a white one for the Farms and another in spring for the "
    "king's aid.",
    refuses=True,
)
KB_33 = _rule(
    33,
    SEASON,
    "Between the own roll and the close of the rolls Statue and Chapel may be used, each once, if the dice as they then lie allow it.",
    refuses=True,
)
KB_34 = _rule(
    34,
    SEASON,
    "When all have rolled, the turn order is that of the totals of all dice, the lowest first; equal totals keep their order.",
    refuses=True,
)
KB_35 = _rule(35, SEASON, "The dice stay as they were rolled for the influence.")
KB_40 = _rule(
    40,
    INFLUENCE,
    "In turn order, round and round, whoever has not passed influences one advisor or passes.",
    refuses=True,
)
KB_41 = _rule(
    41,
    INFLUENCE,
    "An advisor from 1 to 18 is influenced by own dice that add up to the number, with a +2 token and the Market counted in.",
    refuses=True,
)
KB_42 = _rule(
    42, INFLUENCE, "At least one of the dice is coloured; any number of white ones may join it.", refuses=True
)
KB_43 = _rule(43, INFLUENCE, "A die is committed once a season, and only one's own.", refuses=True)
KB_44 = _rule(
    44,
    INFLUENCE,
    "At most one +2 token joins a group, by default at most one of a player in a season; used, it is gone.",
    "plus_two_limit",
    refuses=True,
)
KB_45 = _rule(
    45,
    INFLUENCE,
    "Once a season the owner of the Market counts one group as 1 more or 1 less, by default also together with a token.",
    "market_with_plus_two",
    refuses=True,
)
KB_46 = _rule(
    46,
    INFLUENCE,
    "Nobody, oneself included, influences an advisor who has been influenced this season or who is blocked, except by the envoy.",
    refuses=True,
)
KB_47 = _rule(
    47,
    INFLUENCE,
    "The holder of the king's envoy may spend it to influence such an advisor, and only such a one; by default also one influenced "
    "by oneself, or a blocked one.",
    "envoy_on_own_advisor",
    "envoy_overrides_block",
    refuses=True,
)
KB_48 = _rule(
    48,
    INFLUENCE,
    "A pass holds for the rest of the season; who has no coloured die left has passed. When all have, the step ends.",
    refuses=True,
)
KB_50 = _rule(
    50,
    HELP,
    "The advisors help from 1 to 18, those who stand at the same one in the order in which they came. Where there is a choice, "
    "and only there, it is recorded.",
    refuses=True,
)
KB_51 = _rule(
    51,
    HELP,
    "The help is exactly what the advisor gives: one of the alternatives, and as many goods of choice as it says.",
    refuses=True,
)
KB_52 = _rule(
    52,
    HELP,
    "A choice is made when the advisor is reached, with what lower ones gave and without what higher ones will give.",
)
KB_53 = _rule(
    53,
    HELP,
    "The Alchemist takes a good that the player owns; who owns none then is passed over.",
    refuses=True,
)
KB_54 = _rule(54, HELP, "The Smuggler's victory point is paid even from nothing; points may become negative.")
KB_55 = _rule(
    55,
    HELP,
    "By default the help of Alchemist and Smuggler may be refused as a whole; all other help is received.",
    "help_may_be_declined",
    refuses=True,
)
KB_56 = _rule(
    56,
    HELP,
    "Each help of General and Queen is one private look at the enemy of the year, until the season is closed. Only that somebody "
    "looked is recorded.",
    refuses=True,
)
KB_57 = _rule(57, HELP, "The Stable adds a soldier as KB-114 says.")
KB_60 = _rule(
    60,
    BUILD,
    "In turn order everybody constructs one building or passes; whoever still holds the envoy after the first goes on or passes.",
    refuses=True,
)
KB_61 = _rule(
    61,
    BUILD,
    "In each row of the province buildings are constructed from left to right without a gap, each of them once.",
    refuses=True,
)
KB_62 = _rule(
    62,
    BUILD,
    "The full cost is paid; with a Crane, owned before, 1 gold less in columns 3 and 4.",
    refuses=True,
)
KB_63 = _rule(
    63, BUILD, "The points of a building are scored at once, and it works from then on, also at the end of this season."
)
KB_64 = _rule(
    64,
    BUILD,
    "The envoy may be spent on a second building of the season, which is paid in full like the first.",
    refuses=True,
)
KB_65 = _rule(65, BUILD, "Nobody must construct; a pass is recorded all the same.")
KB_70 = _rule(70, SEASON_END, "At the end of the building in summer every owner of the Inn gains one +2 token.")
KB_71 = _rule(71, SEASON_END, "Then, in every season, every owner of the Embassy gains 1 victory point.")
KB_72 = _rule(
    72,
    SEASON_END,
    "Then the owner of the Town Hall may once pay a good or a +2 token, the Inn's fresh one too, for 1 victory point.",
    refuses=True,
)
KB_73 = _rule(
    73,
    SEASON_END,
    "The close of the season clears unused dice, marks, influence and blocks, and the next phase begins.",
)
KB_75 = _rule(
    75,
    COURT,
    "Whoever has the most buildings gains 1 victory point, all of them if tied; by default also where nobody has built.",
    "reward_at_zero_buildings",
)
KB_76 = _rule(76, COURT, "An envoy that is still held goes back first.")
KB_77 = _rule(
    77,
    COURT,
    "The envoy goes to whoever has the fewest buildings, of those with the fewest goods; to nobody if still tied.",
)
KB_78 = _rule(78, COURT, "It serves once, for influence or for a second building, until the next phase 5.")
KB_80 = _rule(
    80,
    RECRUITING,
    "In turn order everybody recruits once, for 2 goods of any kind a soldier (1 with the Barracks), or passes.",
    refuses=True,
)
KB_81 = _rule(81, RECRUITING, "The payment is exactly the price of at least one soldier.", refuses=True)
KB_85 = _rule(85, WINTER, "One die a year says how many soldiers the king sends to everybody.", refuses=True)
KB_86 = _rule(
    86,
    WINTER,
    "The enemy of the year is revealed once; with card and die, whichever comes last, the battle is fought.",
    refuses=True,
)
KB_87 = _rule(
    87,
    WINTER,
    "The card is one of the year. By default another card may be recorded by its printed values.",
    "enemy_table",
    "enemy_custom_allowed",
    refuses=True,
)
KB_88 = _rule(
    88,
    WINTER,
    "A player's strength is that of the soldiers, of the buildings, of buildings against this kind of enemy and of the king's soldiers.",
)
KB_89 = _rule(
    89,
    WINTER,
    "More than the enemy's strength is victory, less is defeat, the same a draw, with a Stone Wall a victory. Each fights alone.",
)
KB_90 = _rule(
    90,
    WINTER,
    "Victory brings the card's reward, goods of choice one by one, and 1 victory point with a Fortress.",
    refuses=True,
)
KB_91 = _rule(
    91,
    WINTER,
    "The strongest of the victorious gains 1 victory point, by default all of the strongest if tied.",
    "strongest_bonus_ties",
)
KB_92 = _rule(
    92,
    WINTER,
    "Defeat costs what the card says as far as it is there, named goods first, points always. Goods of choice are chosen where "
    "there is a choice.",
    refuses=True,
)
KB_93 = _rule(
    93,
    WINTER,
    "A lost building is the rightmost one, of several the topmost, or by option any the player names. Its points go with it unless "
    "an option says otherwise; it may be constructed again.",
    "building_loss_rule",
    "vp_lost_with_building",
    refuses=True,
)
KB_94 = _rule(
    94,
    WINTER,
    "A draw changes nothing. After the battle all soldiers go; with the last choice the next year begins, or the end.",
)
KB_95 = _rule(
    95,
    END,
    "After the fifth winter a Cathedral scores 1 victory point for every 2 goods; by option these goods are given up.",
    "cathedral_spends_goods",
)
KB_96 = _rule(
    96,
    END,
    "Places go by victory points, then as the option says, by default by goods and then by buildings; who is still tied shares a "
    "place, and the next ones are skipped.",
    "final_tiebreak",
)
KB_97 = _rule(97, END, "Points have no bound: the track is simply counted on.")
KB_98 = _rule(98, END, "Soldiers have no upper bound.")
KB_101 = _rule(
    101, BUILDINGS, "Statue: if all own dice show the same number, one of them may be rolled again.", refuses=True
)
KB_102 = _rule(
    102, BUILDINGS, "Chapel: if all own dice add up to 7 or less, all of them may be rolled again.", refuses=True
)
KB_103 = _rule(103, BUILDINGS, "Church: 1 more against demons.")
KB_104 = _rule(104, BUILDINGS, "Cathedral: at the end 1 victory point for every 2 goods owned (KB-95).")
KB_105 = _rule(105, BUILDINGS, "Inn: a +2 token at the end of every summer (KB-70).")
KB_106 = _rule(106, BUILDINGS, "Market: once a season a group of dice counts 1 more or 1 less (KB-45).")
KB_107 = _rule(107, BUILDINGS, "Farms: a white die in every season from the next roll on; 1 less in battle.")
KB_108 = _rule(108, BUILDINGS, "Merchants' Guild: 1 gold when a season starts, from the next one on (KB-31).")
KB_109 = _rule(109, BUILDINGS, "Guard Tower: 1 in battle.")
KB_110 = _rule(110, BUILDINGS, "Blacksmith: 1 in battle.")
KB_111 = _rule(111, BUILDINGS, "Barracks: a soldier costs 1 good instead of 2 (KB-80); nothing in battle.")
KB_112 = _rule(112, BUILDINGS, "Wizards' Guild: 2 in battle.")
KB_113 = _rule(113, BUILDINGS, "Palisade: 1 in battle, 2 against zombies.")
KB_114 = _rule(
    114,
    BUILDINGS,
    "Stable: 1 soldier when Sergeant, General or King helps its owner, by default once a season.",
    "stable_limit",
)
KB_115 = _rule(115, BUILDINGS, "Stone Wall: 1 in battle; a drawn battle is won.")
KB_116 = _rule(116, BUILDINGS, "Fortress: 1 in battle; 1 victory point for every battle won.")
KB_117 = _rule(117, BUILDINGS, "Barricade: 1 against goblins.")
KB_118 = _rule(118, BUILDINGS, "Crane: buildings of columns 3 and 4 cost 1 gold less (KB-62).")
KB_119 = _rule(
    119, BUILDINGS, "Town Hall: at the end of a season 1 good or +2 token may be paid for 1 victory point (KB-72)."
)
KB_120 = _rule(120, BUILDINGS, "Embassy: 1 victory point at the end of every season (KB-71).")
KB_130 = _rule(
    130,
    TWO,
    "With two players some advisors are blocked in every season. How many is not computed: by default the scribe records which, "
    "and the dice that showed it; by option nobody is blocked.",
    "two_player_block",
    refuses=True,
)
KB_131 = _rule(
    131, TWO, "A blocked advisor counts as influenced by nobody: only who comes by the envoy is helped there."
)
KB_140 = _rule(
    140,
    LOG,
    "A player may resign at any time before the end, once. The game goes on without that seat, which is placed behind all others; "
    "with fewer than two seats left the match ends.",
    refuses=True,
    house=True,
)
KB_141 = _rule(
    141,
    LOG,
    "Time called ends the match as the score stands, without the Cathedral. A draw is agreed by all who still play. A recorded end "
    "ends nothing: the match ends by itself.",
    refuses=True,
    house=True,
)
KB_142 = _rule(
    142,
    LOG,
    "A correction names earlier entries; the scribe takes back the last entry only. What is itself taken back does nothing.",
    refuses=True,
    house=True,
)
KB_143 = _rule(
    143,
    LOG,
    "The referee may set points, goods, tokens, soldiers, buildings, envoy and aid die, naming the present value.",
    refuses=True,
    house=True,
)
KB_144 = _rule(
    144, LOG, "Penalties, pauses, disputes, rulings and signatures change nothing in the position.", house=True
)
KB_145 = _rule(
    145, LOG, "Placements are confirmed after the end, not while a dispute is open.", refuses=True, house=True
)
KB_146 = _rule(
    146, LOG, "A match abandoned or annulled counts for nothing, once and for all.", refuses=True, house=True
)
KB_148 = _rule(148, LOG, "In which role an event is recorded is no matter of these rules.", house=True)
KB_149 = _rule(
    149, LOG, "What the table saw is compared with the position after the event; the event stands.", house=True
)

RULES: tuple[Rule, ...] = tuple(value for name, value in sorted(globals().items()) if isinstance(value, Rule))
RULES = tuple(sorted(RULES, key=lambda rule: int(rule.id.removeprefix("KB-"))))
