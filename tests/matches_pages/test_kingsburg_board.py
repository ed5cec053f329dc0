"""Kingsburg on the pages of a match: drawn, told in words, and nothing of either forgotten."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from matches.boards import board_legend, board_svg, position_words
from matches.feed import Feed
from matches.words import GAMES, Names, consequence_words, event_words, kingsburg, shared
from people.models import Person
from rulesengine import notation, replay
from rulesengine.game import Carried, Consequence, Event, Step
from rulesengine.kingsburg import consequences, events
from rulesengine.kingsburg.state import Pending, Standing, State
from rulesengine.kingsburg.tables import ADVISORS, BUILDING, KINDS, PHASES
from tests.matches_pages import logs
from tests.matches_pages.conftest import recorded
from tests.rulesengine.kingsburg.positions import GAME, rich, start, with_player

SAMPLES = Path(__file__).resolve().parent.parent / "rulesengine" / "kingsburg" / "samples"
WHOLE = SAMPLES / "legal.jsonl"
NAMES = Names(dict(zip("ABCDE", [*logs.NAMES, "Emre Demir"], strict=False)))
HTMX = {"HTTP_HX_REQUEST": "true"}
SIGNED = (b'"result_signed"', b'"placements_confirmed"')
"""What a file that is recorded may not hold."""


def played() -> bytes:
    """Return a whole match as a file to record."""
    return b"\n".join(line for line in WHOLE.read_bytes().splitlines() if not any(type_ in line for type_ in SIGNED))


def told(before: State, after: State, data: Any = None, seat: str = "A") -> Carried:
    """Return an entry that made one position of another."""
    return Carried(9, Event(seat, data) if data is not None else None, before, Step(after))


def still(state: State) -> Carried:
    return Carried(9, None, state, Step(state))


def draw(state: State, last: Carried | None = None, names: Names = NAMES) -> ET.Element:
    return ET.fromstring(board_svg(GAME, state, names, last=last, label='Entry "1" & <more>'))


def of_class(root: ET.Element, *names: str) -> list[ET.Element]:
    return [one for one in root.iter() if set(names) <= set(one.get("class", "").split())]


def text(element: ET.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def titles(root: ET.Element) -> list[str]:
    """Return what is said of the things drawn; a line ends as a space does, for these are attributes."""
    return [one.get("title", "") for one in root.iter() if one.get("title")]


def table(words: dict[str, Any] | None, title: str) -> list[list[str]]:
    assert words is not None
    [found] = [one["rows"] for one in words["tables"] if one["title"] == title]
    return [[str(cell) for cell in row] for row in found]


def changed(root: ET.Element) -> list[str]:
    """Return what is emphasized, by what it says."""
    return [one.get("title") or text(one) for one in of_class(root, "changed")]


# Words

CUSTOM = {"kind": "orcs", "strength": 3, "victory": {"gold": 1}, "defeat": {"vp": 1, "any": 2, "building": 1}}
SAID: list[tuple[str, str | None, dict[str, Any], str]] = [
    ("match_set_up", None, {}, "The match is set up for 3 players, in this order: Bo Lindqvist – Ada Moreau – Cy Okafor."),
    ("match_started", None, {}, "The match starts."),
    ("match_started", None, {"turn_order": ["C", "A", "B"]}, "The match starts in this order: Cy Okafor – Ada Moreau – Bo Lindqvist."),
    ("enemy_deck_prepared", None, {}, "The enemies are dealt: one unseen card a year."),
    ("aid_good_taken", "A", {"good": "wood"}, "Ada Moreau takes 1 wood as the king’s aid."),
    ("advisors_blocked", None, {"advisors": [11, 8], "dice": [6, 2]}, "Blocked this season: Treasurer (8), Swordsmith (11). Dice: 6, 2."),
    ("advisors_blocked", None, {"advisors": [], "dice": []}, "No advisor is blocked this season."),
    ("dice_rolled", "A", {"coloured": [1, 2, 3], "white": [4]}, "Ada Moreau rolls 1, 2, 3, white 4: 10 in all."),
    ("dice_rolled", "A", {"coloured": [1, 2, 3]}, "Ada Moreau rolls 1, 2, 3: 6 in all."),
    ("statue_rerolled", "A", {"die": {"kind": "white", "value": 4}, "result": 1}, "Ada Moreau rolls a white 4 again by the Statue: 1."),
    ("chapel_rerolled", "A", {"coloured": [1, 2, 3]}, "Ada Moreau rolls all dice again by the Chapel: 1, 2, 3."),
    ("rolls_closed", None, {}, "All have rolled."),
    ("rolls_closed", None, {"turn_order": ["B", "A", "C"]}, "All have rolled. Turn order: Bo Lindqvist – Ada Moreau – Cy Okafor."),
    ("advisor_influenced", "A", {"advisor": 9, "coloured": [6], "white": [2], "market": 1}, "Ada Moreau influences the Master Hunter (9) with 6, white 2 + the Market’s +1."),
    ("advisor_influenced", "A", {"advisor": 8, "coloured": [6, 1], "plus_two": True, "market": -1, "envoy": True}, "Ada Moreau influences the Treasurer (8) with 6, 1 + a token “+2” + the Market’s −1 + the king’s envoy."),
    ("influence_passed", "A", {}, "Ada Moreau influences nobody else this season."),
    ("help_taken", "A", {"advisor": 4, "alternative": 1}, "The Merchant (4) helps Ada Moreau: 1 gold."),
    ("help_taken", "A", {"advisor": 6, "alternative": 1}, "The Alchemist (6) helps Ada Moreau: 1 gold, 1 stone for 1 wood."),
    ("help_taken", "A", {"advisor": 12, "any": {"gold": 1, "stone": 1}}, "The Duchess (12) helps Ada Moreau: 1 token “+2”, 1 gold, 1 stone."),
    ("help_taken", "A", {"advisor": 14, "any": {"gold": 3}}, "The Smuggler (14) helps Ada Moreau: 3 gold for 1 VP."),
    ("help_taken", "A", {"advisor": 14, "declined": True}, "Ada Moreau refuses the help of the Smuggler (14)."),
    ("help_taken", "A", {"advisor": 17, "any": {"wood": 2}}, "The Queen (17) helps Ada Moreau: 3 VP, a look at the enemy, 2 wood."),
    ("enemy_peeked", "A", {}, "Ada Moreau looks at the enemy of the year."),
    ("building_built", "A", {"building": "merchants_guild"}, "Ada Moreau builds the Merchants’ Guild."),
    ("building_built", "A", {"building": "inn", "envoy": True}, "Ada Moreau builds the Inn as a second building, by the king’s envoy."),
    ("build_passed", "A", {}, "Ada Moreau builds nothing more this season."),
    ("town_hall_used", "A", {"pay": "plus_two"}, "Ada Moreau pays 1 token “+2” into the Town Hall for 1 VP."),
    ("season_closed", None, {}, "The season is over: Summer."),
    ("soldiers_recruited", "A", {"soldiers": 2, "pay": {"gold": 3, "wood": 1}}, "Ada Moreau recruits 2 soldiers for 3 gold, 1 wood."),
    ("recruit_passed", "A", {}, "Ada Moreau recruits nobody."),
    ("reinforcements_rolled", None, {"value": 1}, "The king sends 1 soldier to everybody."),
    ("enemy_revealed", None, {"enemy": "4-orcs-7"}, "The enemy is revealed: Orcs of strength 7; victory: 1 good of choice; defeat: 2 goods of choice, 1 building."),
    ("enemy_revealed", None, {"custom": CUSTOM}, "The enemy is revealed, as printed on the card: Orcs of strength 3; victory: 1 gold; defeat: 1 VP, 2 goods of choice, 1 building."),
    ("victory_good_chosen", "A", {"good": "stone"}, "Ada Moreau takes 1 stone for the victory."),
    ("loss_chosen", "A", {"goods": {"gold": 1, "wood": 1}}, "Ada Moreau loses 1 gold, 1 wood of choice."),
    ("building_loss_chosen", "A", {"building": "inn"}, "Ada Moreau gives up the Inn."),
    ("match_ended", None, {}, "The end of the match is recorded."),
    ("match_ended", None, {"placements": [{"seat": "A", "place": 1}]}, "The end of the match is recorded: 1. Ada Moreau"),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "seat", "data", "sentence"), SAID)
def test_an_event_is_told_in_a_sentence(type_: str, seat: str | None, data: dict[str, Any], sentence: str) -> None:
    assert event_words("kingsburg", type_, seat, data, NAMES, still(rich())) == sentence


def test_every_event_of_the_game_has_its_sentence_and_every_own_one_is_tried() -> None:
    own = GAMES["kingsburg"].EVENTS
    assert set(GAME.payloads) <= own.keys() | shared.EVENTS.keys()
    assert own.keys() == {row[0] for row in SAID}


def test_closed_rolls_tell_the_order_that_they_set() -> None:
    state = rich()
    carried = told(state, state, events.RollsClosed())
    assert event_words("kingsburg", "rolls_closed", None, {}, NAMES, carried) == (
        "All have rolled. Turn order: Bo Lindqvist – Ada Moreau – Cy Okafor."
    )


@pytest.mark.parametrize("type_", sorted(GAME.payloads))
def test_an_event_of_wrong_form_is_shown_as_it_stands(type_: str) -> None:
    data = {"advisor": "x", "building": 7, "coloured": 3, "goods": 2, "enemy": [], "good": 1}
    assert event_words("kingsburg", type_, "A", data, NAMES, still(rich()))


FOLLOWED: list[tuple[str, dict[str, Any], str]] = [
    ("year_started", {"year": 4}, "Year IV begins."),
    ("season_started", {"year": 2, "season": "spring"}, "Spring of year II begins."),
    ("aid_die_given", {"seat": "A"}, "Ada Moreau gets the king’s aid: a white die in spring."),
    ("income_gained", {"seat": "A", "building": "inn", "gained": {"plus_two": 1}}, "Ada Moreau receives 1 token “+2” from the Inn."),
    ("turn_order_set", {"turn_order": ["B", "A", "C"], "totals": {"B": 6, "A": 10}}, "Turn order by the totals of the dice: Bo Lindqvist (6) – Ada Moreau (10) – Cy Okafor."),
    ("help_given", {"seat": "A", "advisor": 18, "gained": {"gold": 1, "soldiers": 2}}, "The King (18) helps Ada Moreau: +1 gold, +2 soldiers."),
    ("help_missed", {"seat": "A", "advisor": 6}, "The Alchemist (6) cannot help Ada Moreau, who has no good to give."),
    ("reward_gained", {"seats": ["A", "B"]}, "King’s reward for the most buildings: 1 VP for Ada Moreau, Bo Lindqvist."),
    ("reward_gained", {"seats": []}, "Nobody gains the king’s reward."),
    ("envoy_given", {"seat": "A"}, "Ada Moreau gets the king’s envoy."),
    ("envoy_given", {"seat": None}, "Nobody gets the king’s envoy."),
    ("battle_fought", {"seat": "A", "total": 7, "strength": 6, "outcome": "victory", "changes": {"vp": 1}}, "Ada Moreau wins the battle with 7 against 6: +1 VP."),
    ("battle_fought", {"seat": "A", "total": 6, "strength": 6, "outcome": "draw", "changes": {}}, "Ada Moreau holds out with 6 against 6."),
    ("battle_fought", {"seat": "A", "total": 4, "strength": 6, "outcome": "defeat", "changes": {"vp": -1, "gold": -2}}, "Ada Moreau loses the battle with 4 against 6: −1 VP, −2 gold."),
    ("building_lost", {"seat": "A", "building": "chapel", "vp": 5}, "Ada Moreau loses the Chapel and 5 VP."),
    ("building_lost", {"seat": "A", "building": "inn", "vp": 0}, "Ada Moreau loses the Inn."),
    ("strongest_rewarded", {"seats": ["A"]}, "For the strongest victory: 1 VP for Ada Moreau."),
    ("cathedral_scored", {"seat": "A", "vp": 2}, "Ada Moreau scores 2 VP for the goods by the Cathedral."),
    ("match_ended", {"placements": [{"seat": "A", "place": 1}, {"seat": "B", "place": 2}]}, "The match is over: 1. Ada Moreau, 2. Bo Lindqvist"),
    ("match_ended", {"placements": []}, "The match is over; nobody is placed."),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "data", "sentence"), FOLLOWED)
def test_what_followed_is_told_in_a_sentence(type_: str, data: dict[str, Any], sentence: str) -> None:
    assert consequence_words("kingsburg", Consequence(type_, data), NAMES, still(rich())) == sentence


def test_every_consequence_has_its_sentence_and_is_tried() -> None:
    assert (
        consequences.TYPES | {"match_ended"} == GAMES["kingsburg"].CONSEQUENCES.keys() == {row[0] for row in FOLLOWED}
    )


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_whole_matches_are_told_without_a_bare_key(path: Path) -> None:
    log = notation.parse(path.read_bytes(), name=path.name)
    feed = Feed(log, replay.run(log), Names({seat.seat: f"Player {seat.seat}" for seat in log.header.seats}))
    followed = set()
    for seq in range(feed.last + 1):
        entry = feed.entry(seq)
        carried = feed.carried.get(seq)
        followed |= {one.type for one in carried.step.consequences} if carried is not None else set()
        if entry.state == "refused":
            continue
        for words in (entry.words, *entry.consequences):
            assert not re.search(r"[a-z]_[a-z]|%\(|None|True|\{", words.replace(entry.note or "\n", "")), words
    assert {"help_given", "turn_order_set", "season_started"} <= followed


def test_the_result_is_told_with_its_figures() -> None:
    whole = replay.run(notation.parse(WHOLE.read_bytes(), name=WHOLE.name))
    result = whole.ruleset.result(whole.state)
    assert result is not None
    head, rows = GAMES["kingsburg"].result_rows(result)
    assert head == ["Victory points", "Before the Cathedral", "Goods", "Buildings"]
    assert rows == {seat: [one["vp"], one["vp_before_cathedral"], one["goods"], one["buildings"]] for seat, one in result.items()}  # fmt: skip


def test_every_key_of_the_tables_has_its_word() -> None:
    assert kingsburg.ADVISORS.keys() == {row["no"] for row in ADVISORS}
    assert kingsburg.BUILDINGS.keys() == BUILDING.keys()
    assert kingsburg.ENEMIES.keys() == set(KINDS)
    assert kingsburg.PHASES.keys() == {row["key"] for row in PHASES}


def test_the_line_above_the_board_says_year_phase_and_step() -> None:
    assert kingsburg.standing(rich()) == ["Year III", "Summer", "advisors are influenced"]


# Everything on the board, everything in words


def test_everything_on_the_table_is_on_the_board() -> None:
    root = draw(rich())
    assert len(of_class(root, "advisor")) == 18
    assert len(of_class(root, "player")) == 3
    assert [len(of_class(one, "built")) for one in of_class(root, "province")] == [5, 1, 0]
    assert all(len(list(one)) == 20 for one in of_class(root, "province"))
    assert [text(one) for one in of_class(root, "now")] == ["III", "4 Summer"]
    said = "\n".join(titles(root))
    for one in (
        "1. Bo Lindqvist, through",
        "2. Ada Moreau, to act",
        "3. Cy Okafor, resigned",
        "Merchant (4): 1 wood or 1 gold influenced by Bo Lindqvist",
        "Queen (17): 2 goods of choice, 3 VP, a look at the enemy influenced by Cy Okafor, then Ada Moreau",
        "Treasurer (8): 2 gold blocked this season",
        "Alchemist (6): 1 wood, 1 stone, −1 gold or 1 gold, 1 stone, −1 wood or 1 gold, 1 wood, −1 stone",
        "2 gold",
        "2 tokens “+2”",
        "3 soldiers",
        "the king’s envoy",
        "the king’s aid: a white die in spring",
        "has looked at the enemy of the year",
        "dice not used yet: 1, 6, white 4",
        "Statue: costs 2 gold, 3 VP built used this season",
        "Cathedral: costs 5 gold, 3 stone, 9 VP not built",
        "−2 VP",
        "61 VP",
    ):
        assert one in said, one
    [enemy] = of_class(root, "enemy")
    assert text(enemy) == "Enemy face down 4–6 Fought: Orcs 3, Zombies 5"


def test_everything_on_the_table_is_in_the_tables() -> None:
    words = position_words(GAME, rich(), NAMES)
    assert words is not None
    assert all(len(row) == len(one["head"]) for one in words["tables"] for row in one["rows"])
    match = dict(table(words, "The match"))
    assert match == {
        "Year": "III",
        "Phase": "Summer",
        "Step": "advisors are influenced",
        "Turn order": "Bo Lindqvist – Ada Moreau – Cy Okafor",
        "On turn": "Ada Moreau",
        "King’s envoy": "Ada Moreau",
        "King’s aid": "Bo Lindqvist",
        "Blocked advisors": "Treasurer (8), Swordsmith (11)",
        "Enemy of the year": "face down; strength 4–6",
        "The king sends": "not rolled yet",
        "Enemies fought": "Orcs 3, Zombies 5",
        "Deck of enemies": "prepared",
    }
    assert table(words, "Players") == [
        [
            "Ada Moreau",
            "−2",
            "2",
            "1",
            "0",
            "2",
            "3",
            "1, 6, white 4",
            "Spring of year II, Spring of year III",
            "to act",
        ],
        ["Bo Lindqvist", "61", "0", "0", "5", "0", "0", "–", "–", "through"],
        ["Cy Okafor", "7", "0", "2", "0", "0", "0", "–", "–", "resigned"],
    ]
    assert table(words, "Provinces") == [
        ["Ada Moreau", "Statue, Chapel", "Inn, Market", "–", "–", "Town Hall", "Statue, a token “+2”"],
        ["Bo Lindqvist", "–", "–", "–", "–", "Barricade", "–"],
        ["Cy Okafor", "–", "–", "–", "–", "–", "–"],
    ]
    advisors = table(words, "Advisors")
    assert len(advisors) == 18
    assert advisors[16] == ["Queen (17)", "2 goods of choice, 3 VP, a look at the enemy", "Cy Okafor, Ada Moreau", ""]
    assert advisors[7][3] == "blocked"


def test_an_enemy_is_shown_with_its_figures_once_it_is_revealed() -> None:
    state = rich(phase="winter", step="battle", turn_index=None, enemy="3-demons-6", influence={}, blocked=())
    [enemy] = of_class(draw(state), "enemy")
    assert text(enemy) == (
        "Enemy Demons 6 Victory: 1 VP Defeat: 1 VP, 2 gold, 1 wood, 1 stone Fought: Orcs 3, Zombies 5"
    )
    assert dict(table(position_words(GAME, state, NAMES), "The match"))["Enemy of the year"].startswith(
        "Demons of strength 6"
    )


def test_a_card_that_nobody_revealed_is_nowhere() -> None:
    state = rich()
    everything = text(draw(state)) + " ".join(titles(draw(state)))
    for kind in ("Demons", "Goblins", "Barbarians", "Dragons"):
        assert kind not in everything


def test_the_die_of_the_king_is_shown() -> None:
    [king] = of_class(draw(rich(phase="winter", step="battle", reinforcement=4)), "king")
    assert text(king) == "The king sends 4 4 soldiers each"


def test_what_is_awaited_stands_beside_the_player() -> None:
    pending = (
        Pending("A", "victory_good"),
        Pending("A", "victory_good"),
        Pending("A", "loss", goods=2),
        Pending("B", "building_loss"),
    )
    state = rich(step="battle_choices", turn_index=None, pending=pending)
    first, second, _third = of_class(draw(state), "player")
    assert "to take a good for the victory, to give up 2 goods" in text(first)
    assert "to give up a building" in text(second)
    assert "acts" in first.get("class", "").split()
    state = rich(step="help", turn_index=None, help_pointer=17, pending=(Pending("C", "help", advisor=17),))
    [served] = of_class(draw(state), "served")
    assert "a choice is awaited here" in served.get("title", "")
    assert "to take a good of the king’s aid" in text(draw(start()))


def test_the_end_shows_the_places() -> None:
    state = rich(step="over", turn_index=None, finished=True, phase="winter", year=5)
    assert [text(one) for one in of_class(draw(state), "name")] == [
        "A Ada Moreau place 2 −2 VP", "B Bo Lindqvist place 1 61 VP", "C Cy Okafor place 3, resigned 7 VP",
    ]  # fmt: skip


def test_a_match_of_five_is_drawn_whole() -> None:
    root = draw(start("ABCDE"))
    assert len(of_class(root, "player")) == 5
    assert len(of_class(root, "free")) == 100


# Readable


def test_every_shape_that_is_used_is_defined_and_every_thing_held_has_one() -> None:
    svg = board_svg(GAME, rich(), NAMES, last=still(rich()))
    used = set(re.findall(r'href="#([^"]+)"', svg))
    assert used <= set(re.findall(r'id="([^"]+)"', svg))
    assert used == {f"kb-{shape}" for shape, _name in board_legend("kingsburg")[0]}


def test_the_legend_names_every_advisor_and_every_building() -> None:
    _holds, advisors, buildings = board_legend("kingsburg")
    assert [row[0] for row in advisors] == list(range(1, 19))
    assert [row[0] for row in buildings] == [str(name) for name in kingsburg.BUILDINGS.values()]
    assert buildings[2] == ("Church", "3 gold, 1 wood, 2 stone", 7, "+1 against Demons")
    assert buildings[6] == ("Farms", "2 gold, 3 wood, 1 stone", 2, "−1")


def test_the_board_has_a_name() -> None:
    root = draw(rich())
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'Entry "1" & <more>'


def test_nothing_of_the_picture_takes_the_focus() -> None:
    for one in draw(rich()).iter():
        assert one.get("tabindex") is None
        assert not one.tag.endswith(("button", "a", "input"))


HOSTILE = '"><script>alert(1)</script>&{{ x }}'


def test_hostile_names_are_escaped() -> None:
    state = rich()
    svg = board_svg(GAME, state, Names(dict.fromkeys("ABC", HOSTILE)), last=still(state), label=HOSTILE)
    assert "<script" not in svg
    root = ET.fromstring(svg)
    assert any(HOSTILE in title for title in titles(root))
    assert root.get("aria-label") == HOSTILE


# What the last event changed


def test_an_event_that_changes_nothing_on_the_table_emphasizes_nothing() -> None:
    state = rich()
    assert changed(draw(state, told(state, replace(state, dice_seen=True), events.EnemyDeckPrepared()))) == []


def test_an_influenced_advisor_is_emphasized_with_the_dice_of_the_group() -> None:
    before = rich()
    after = with_player(before, "A", coloured=(1,), white=(), plus_two=1)
    after = replace(after, envoy_holder=None, influence={**before.influence, 11: (Standing("A", 4),)})
    data = events.AdvisorInfluenced(advisor=11, coloured=(6,), white=(4,), plus_two=True, market=-1, envoy=True)
    root = draw(after, told(before, after, data))
    [advisor] = of_class(root, "advisor", "changed")
    [spent] = of_class(advisor, "spent")
    assert [one.text for one in spent.iter() if one.tag.endswith("text")] == ["6", "4", "+2", "−1", "⚑"]
    assert len(of_class(spent, "white")) == 1
    assert [title for title in changed(root) if "token" in title] == ["1 token “+2”"]


def test_a_building_just_built_and_what_it_cost_are_emphasized() -> None:
    before = rich()
    after = with_player(before, "A", gold=0, vp=1, buildings=(*before.players["A"].buildings, "embassy"))
    root = draw(after, told(before, after, events.BuildingBuilt(building="embassy")))
    assert changed(root) == ["1 VP", "0 gold", "Embassy: costs 2 gold, 2 wood, 2 stone, 4 VP built"]


def test_a_lost_building_is_crossed_out() -> None:
    before = rich()
    after = with_player(before, "A", buildings=("statue", "inn", "market", "town_hall"))
    [lost] = of_class(draw(after, told(before, after)), "lost")
    assert lost.get("title", "").endswith("lost just now")
    assert of_class(draw(after), "lost") == []


def test_a_new_year_phase_order_enemy_and_envoy_are_emphasized() -> None:
    before = rich()
    after = replace(
        before, year=4, phase="winter", turn_order=("A", "B", "C"), enemy="4-orcs-7", reinforcement=2, envoy_holder="B"
    )
    root = draw(after, told(before, after))
    assert changed(root)[:4] == ["Year IV", "8 Winter", "1. Ada Moreau", "2. Bo Lindqvist, to act"]
    assert len(of_class(root, "enemy", "changed")) == len(of_class(root, "king", "changed")) == 1
    assert "the king’s envoy" in changed(root)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_step_of_a_match_can_be_drawn_and_told(path: Path) -> None:
    match = replay.run(notation.parse(path.read_bytes(), name=path.name))
    for one in match.carried[::9]:
        state = one.step.state
        root = draw(state, one, Names({}))
        assert len(of_class(root, "built")) == sum(len(player.buildings) for player in state.players.values())
        assert len(table(position_words(match.ruleset, state, Names({})), "Players")) == len(state.players)


# On the page


@pytest.mark.django_db
def test_the_page_shows_the_board_its_legend_and_the_words(client: Client, organizer: Person) -> None:
    match = recorded(organizer, played())
    got = client.get(f"/matches/{match.pk}?at=60").content.decode()
    assert 'class="board kingsburg"' in got
    assert "A filled field of a province" in got
    assert "The position in words" in got
    assert "Year II" in got
    moment = client.get(f"/matches/{match.pk}?at=61", **HTMX).content.decode()
    assert 'id="moment"' in moment
    assert 'class="board kingsburg"' in moment


@pytest.mark.django_db
def test_the_page_asks_no_more_of_the_database_than_that_of_another_game(client: Client, organizer: Person) -> None:
    games = (
        recorded(organizer, notation.write(logs.random_match(1, events=200), "jsonl")),
        recorded(organizer, played()),
    )
    counts = []
    for match in games:
        client.get(f"/matches/{match.pk}")
        for more in ({}, HTMX):
            with CaptureQueriesContext(connection) as asked:
                assert client.get(f"/matches/{match.pk}?at=99", **more).status_code == 200
            counts.append(len(asked))
    assert counts[2:] == counts[:2]
