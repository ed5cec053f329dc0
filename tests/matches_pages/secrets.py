"""Running matches full of secrets: every type of event of a game once, and what of each is to be seen by whom."""

from __future__ import annotations

import json
from typing import Any

from django.utils import timezone
from msgspec import Struct

from matches import log as match_log
from matches import selectors, services, stored
from matches.models import Match
from matches.services.standing import settle
from people.models import Person
from rulesengine import codec, registry
from rulesengine import replay as engine
from rulesengine.log import Line
from tests.matches_pages.conftest import league_header

SECRET = "sekret-"
"""What is secret has this in it, and nothing else has."""


class Row(Struct, frozen=True):
    """An entry: `hidden` says from whom (of A, B and - for spectators) all of it is hidden, `part` from whom a part of it."""

    type: str
    seat: str | None
    data: dict[str, Any]
    hidden: str = ""
    part: str = ""
    note: str | None = None
    acting_as: str | None = None

    def how(self, eyes: str) -> str:
        """Return whether eyes (A, B, - or ``official``) see it ``whole``, in ``part`` or not at all (``hidden``)."""
        if eyes == "official":
            return "whole"
        return "hidden" if eyes in self.hidden else "part" if eyes in self.part else "whole"


class Case(Struct, frozen=True):
    """A match of a game: its entries, and which secrets a seat knows all the same."""

    game: str
    rules: str
    rows: tuple[Row, ...]
    options: dict[str, Any] = {}
    known: dict[str, tuple[str, ...]] = {}
    """By eyes: secrets that are theirs."""
    silent: tuple[str, ...] = ()
    """Ways out that show no text of these entries to anybody: the rules refuse a card or tile that does not exist."""

    @property
    def header(self) -> dict[str, Any]:
        """Return the header of the file."""
        return league_header(game=self.game, rules=self.rules, options=self.options)

    def types(self) -> set[str]:
        """Return all types of events that the game's logs have."""
        return set(codec.table(registry.get(self.rules)))


def running(case: Case, by: Person, *, begin: int = 0) -> Match:
    """Return the match with all its entries, whether the rules allow them or not: they stand in the log, and the match runs.

    :param begin: how many entries the file has with which it is recorded
    """
    rows = [
        {key: value for key, value in (("type", row.type), ("seat", row.seat), ("data", row.data)) if value is not None}
        for row in case.rows[:begin]
    ]
    raw = "\n".join(json.dumps(row) for row in (case.header, *rows)).encode()
    upload = services.upload_check(by=by, name="m.jsonl", raw=raw)
    assert upload.report["findings"] == [], upload.report["findings"]
    match = services.upload_record(upload=upload, by=by)
    lines = [
        Line(seq, row.type, row.seat, json.dumps(row.data).encode(), acting_as=row.acting_as, note=row.note)
        for seq, row in enumerate(case.rows, 1)
    ]
    entries = [stored.entry_of(line, match.timezone) for line in lines[begin:]]
    match_log.append(
        stream=match.pk, stream_kind="match", entries=entries, expected_seq=begin, by=by.pk, at=timezone.now()
    )
    match = settle(match, engine.run(selectors.match_log(match)), at=timezone.now())
    assert match.status == Match.Status.RUNNING, "a match that is over hides nothing"
    return match


def ended(match: Match, row: Row, by: Person) -> Match:
    """Return the match with one more entry, by which it is over."""
    line = Line(match.seq + 1, row.type, row.seat, json.dumps(row.data).encode())
    entries = [stored.entry_of(line, match.timezone)]
    match_log.append(
        stream=match.pk, stream_kind="match", entries=entries, expected_seq=match.seq, by=by.pk, at=timezone.now()
    )
    match = settle(match, engine.run(selectors.match_log(match)), at=timezone.now())
    assert match.status != Match.Status.RUNNING
    return match


ALL = "AB-"

ENDINGS: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    ("time_called", None, {}),
    ("draw_agreed", None, {"seats": ["A", "B"]}),
    ("player_resigned", "B", {}),
    ("match_ended", None, {}),
    ("match_abandoned", None, {"reason": "rain"}),
    ("match_annulled", None, {"reason": "rain"}),
)


def sealed() -> Case:
    """The small game of the tests."""
    rows = [
        Row("thing_placed", None, {"thing": "t1", "place": "open-market", "hidden": False}),  # 1
        Row("thing_placed", None, {"thing": "h1", "place": "sekret-vale"}, hidden=ALL),
        Row("thing_placed", None, {"thing": "h2", "place": "sekret-hollow"}, hidden=ALL, note="sekret-note"),
        Row("tile_drawn", "A", {"tile": "t", "face": "sekret-face-a"}, part="B-"),
        Row("tile_drawn", "B", {"tile": "t", "face": "sekret-face-b"}, part="A-", note="sekret-peeped"),  # 5
        Row("point_scored", "A", {"points": 3, "observed": {"points": 4}}),
        Row("thing_hit", "A", {"thing": "h1"}),  # refused: it is hidden; the refusal names its place
        Row("thing_placed", None, {"thing": "h1", "place": "open-yard", "hidden": False}),  # refused: the id is taken
        Row("thing_shown", None, {"thing": "h9"}, hidden=ALL),  # refused: the refusal names what there is
        Row("state_adjusted", None, {"path": "things.h1.place", "old": "sekret-vale", "new": "sekret-den", "reason": "sekret-why"}, hidden=ALL),  # 10
        Row("state_adjusted", None, {"path": "things.t1.place", "old": "open-market", "new": "open-square"}),
        Row("event_amended", None, {"target_seq": 2, "data": {"thing": "h1", "place": "sekret-vale"}, "reason": "sekret-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 3, "reason": "sekret-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 5, "reason": "sekret-said-b"}, part="A-"),
        Row("event_amended", None, {"target_seq": 4, "data": {"tile": "t", "face": "sekret-face-a2"}, "reason": "sekret-said-a"}, part="B-"),  # 15
        Row("illegal_state_accepted", None, {"seqs": [2], "reason": "sekret-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [2, 6], "reason": "sekret-why"}, part=ALL),
        Row("dispute_opened", "A", {"about_seq": 2, "text": "sekret-thinks-a"}, hidden="B-"),
        Row("dispute_opened", "B", {"about_seq": 6, "text": "it was four"}),
        Row("ruling_given", None, {"about_seq": 2, "decision": "sekret-why"}, hidden=ALL),  # 20
        Row("ruling_given", None, {"about_seq": 6, "decision": "it was three"}),
        Row("thing_placed", None, {"thing": "h3", "place": "sekret-attic"}, hidden=ALL),
        Row("event_withdrawn", None, {"target_seq": 22, "reason": "sekret-why"}, hidden=ALL),
        Row("thing_placed", None, {"thing": "h4", "place": "open-hall"}),
        Row("thing_shown", None, {"thing": "h4"}),  # 25
        Row("state_adjusted", None, {"path": "things.h7.place", "old": "sekret-no", "new": "sekret-nowhere"}, hidden=ALL),
        Row("thing_placed", None, {"thing": "h5", "place": "sekret-form", "colour": "sekret-red"}, hidden=ALL),  # of wrong form
        Row("result_overridden", None, {"battle_seq": 6, "outcome": {"points": 4}}),
        Row("result_overridden", None, {"battle_seq": 2, "outcome": {"points": 4}, "reason": "sekret-why"}, hidden=ALL),
        Row("point_scored", "B", {"points": 12}),  # 30, refused, of which nothing is hidden
        Row("match_started", None, {}),
        Row("match_paused", None, {"reason": "tea"}),
        Row("match_resumed", None, {}),
        Row("penalty_given", None, {"seat": "B", "kind": "warning", "reason": "late"}),
        Row("result_signed", "A", {}),  # 35
        Row("result_disputed", "B", {"reason": "no"}),
        Row("placements_confirmed", None, {}),
    ]  # fmt: skip
    known = {
        "A": ("sekret-face-a", "sekret-face-a2", "sekret-said-a", "sekret-thinks-a"),
        "B": ("sekret-face-b", "sekret-peeped", "sekret-said-b"),
    }
    return Case("sealed", "sealed-1", tuple(voiding(rows)), known=known)


def voiding(rows: list[Row], *more: tuple[str, str | None, dict[str, Any]]) -> list[Row]:
    """Return the rows with every event that ends a match, each voided: it runs on. `more` are those of the game."""
    made = list(rows)
    for type_, seat, data in (*ENDINGS, *more):
        made.append(Row(type_, seat, data))
        made.append(Row("event_voided", None, {"target_seq": len(made), "reason": "too early"}))
    return made


def kingsquare() -> Case:
    """KingSquare: hidden beasts and sites. Most entries are refused by some rule; a log holds them all the same."""
    field, hill = {"field": "open-field"}, {"field": "open-hill"}
    rows = [
        Row("capital_founded", "A", {"castle": "C1", "name": "Highgate"}),
        Row("capital_founded", "B", {"castle": "C2"}),
        Row("terrain_placed", None, {"terrain": "t1", "kind": "water", "label": "open-lake"}),
        Row("beast_placed", None, {"beast": "b1", "class": "epic", "name": "sekret-grim", "at": {"field": "sekret-vale"}, "strength": 40, "hidden": True}, hidden=ALL),
        Row("beast_placed", None, {"beast": "b2", "class": "dangerous", "at": hill}),  # 5
        Row("site_placed", None, {"site": "s1", "at": {"field": "sekret-hollow"}, "content": "landmark"}, hidden=ALL, note="sekret-note"),
        Row("site_placed", None, {"site": "s2", "at": {"field": "open-well"}, "content": "resource"}),  # found by 15
        Row("site_placed", None, {"site": "s3", "at": {"field": "open-mill"}, "content": "nothing", "hidden": False}),
        Row("site_placed", None, {"site": "sekret-s4", "at": {"field": "sekret-marsh"}, "content": "beast"}, hidden=ALL),
        Row("beast_placed", None, {"beast": "b3", "class": "legendary", "at": {"field": "open-den"}, "hidden": True}),  # 10, shown by 16
        Row("doctrine_defined", None, {"level": 6, "name": "of the wall"}),
        Row("match_started", None, {}),
        Row("phase_advanced", "A", {"to": "move"}),
        Row("phase_advanced", "A", {"to": "act"}),
        Row("discovery_made", "A", {"unit": "king:A", "site": "s2", "distance_ft10": 5, "result": "resource", "resource": "wood"}),  # 15
        Row("beast_revealed", None, {"beast": "b3"}),
        Row("beast_engaged", "A", {"attackers": ["king:A"], "beast": "b1", "distances_ft10": {"king:A": 5}}),  # refused: it is hidden
        Row("beast_engaged", "A", {"attackers": ["king:A"], "beast": "b2", "distances_ft10": {"king:A": 5}, "observed": {"net": 9}}),
        Row("discovery_made", "A", {"unit": "king:A", "site": "s1", "distance_ft10": 5, "result": "nothing"}),  # refused: there is a landmark
        Row("castle_founded", "A", {"castle": "b1", "at": field, "king_distance_ft10": 5}),  # 20, refused: the id is that of the beast
        Row("beast_acted", None, {"beast": "b1", "kind": "move", "at": {"field": "sekret-den"}}, hidden=ALL),
        Row("beast_acted", None, {"beast": "b2", "kind": "move", "at": field}),
        Row("beast_revealed", None, {"beast": "sekret-b9"}, hidden=ALL),
        Row("state_adjusted", None, {"path": "beasts.b1.strength_left", "old": 40, "new": 30, "reason": "sekret-why"}, hidden=ALL),
        Row("state_adjusted", None, {"path": "castles.C1.damage", "old": 0, "new": 1}),  # 25
        Row("state_adjusted", None, {"path": "beasts", "old": {"sekret-b8": 1}, "new": {}}, hidden=ALL),
        Row("event_amended", None, {"target_seq": 4, "data": {"beast": "b1", "class": "epic", "name": "sekret-grim", "at": {"field": "sekret-cave"}, "strength": 40, "hidden": True}, "reason": "sekret-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 9, "reason": "sekret-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [6], "reason": "sekret-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [6, 5], "reason": "sekret-why"}, part=ALL),  # 30
        Row("dispute_opened", "A", {"about_seq": 4, "text": "sekret-thinks-a"}, hidden="B-"),
        Row("dispute_opened", "B", {"about_seq": 18, "text": "it was nine"}),
        Row("ruling_given", None, {"about_seq": 4, "decision": "sekret-why"}, hidden=ALL),
        Row("ruling_given", None, {"about_seq": 18, "decision": "it was not"}),
        Row("result_overridden", None, {"battle_seq": 4, "outcome": {"net": 1, "returned": 0}, "reason": "sekret-why"}, hidden=ALL),  # 35
        Row("result_overridden", None, {"battle_seq": 18, "outcome": {"net": 0, "returned": 0}}),
        Row("beast_placed", None, {"beast": "sekret-b5", "class": "epic", "at": {"field": "sekret-attic"}, "hidden": True}, hidden=ALL),
        Row("event_withdrawn", None, {"target_seq": 37, "reason": "sekret-why"}, hidden=ALL),
        Row("beast_placed", None, {"beast": "sekret-b6", "class": "sekret-mild", "at": {"field": "sekret-glen"}, "hidden": True}, hidden=ALL),  # no such class
        Row("site_placed", None, {"site": "sekret-s5", "at": {"field": "sekret-form"}, "content": "sekret-gold"}, hidden=ALL),  # 40, of wrong form
        Row("match_created", None, {}),
        Row("seat_taken", None, {}),
        Row("seat_released", None, {}),
        Row("official_assigned", None, {}),
        Row("official_released", None, {}),
        Row("rules_overridden", None, {}),
        Row("turn_order_set", None, {}),
        Row("king_level_recorded", None, {"kingdom": "A", "level": 2}),
        Row("general_piece_placed", "A", {"level": 1, "at": field}),
        Row("general_piece_lost", "A", {}),
        Row("match_paused", None, {"reason": "tea"}),
        Row("match_resumed", None, {}),
        Row("building_built", "A", {"building": "f1", "kind": "lumber_mill", "castle": "C1", "direct": True}),
        Row("road_laid", "A", {"link": "r1", "kind": "road", "a": "C1", "b": "f1", "length_ft10": 10}),
        Row("rail_laid", "A", {"link": "r2", "a": "f1", "b": "f1", "length_ft10": 10}),
        Row("ship_built", "A", {"ship": "sh1", "harbor": "f1"}),
        Row("plane_built", "A", {"plane": "p1", "hangar": "f1"}),
        Row("king_upgraded", "A", {"to_level": 2}),
        Row("castle_upgraded", "A", {"castle": "C1", "to_level": 2}),
        Row("building_upgraded", "A", {"building": "f1", "to_level": 2}),
        Row("structure_repaired", "A", {"target": {"kind": "castle", "id": "C1"}}),
        Row("district_founded", "A", {"castle": "D1", "district_kind": "Harbor", "parent_castle": "C1"}),
        Row("attack_made", "A", {"attackers": ["king:A"], "target": {"kind": "castle", "id": "C2"}, "distances_ft10": {"king:A": 5}}),
        Row("sortie_flown", "A", {"planes": ["p1"], "target": {"kind": "castle", "id": "C2"}}),
        Row("unit_forwarded", "A", {"units": ["king:A"], "to": field, "off_ft10": 5, "on_ft10": 0, "mode": "land"}),
        Row("troops_embarked", "A", {"army": "a1", "ship": "sh1", "stacks": {"0": 1}}),
        Row("troops_landed", "A", {"army": "a1", "ship": "sh1", "stacks": {"0": 1}}),
        Row("army_split", "A", {"army": "a1", "new_army": "a2", "stacks": {"0": 1}}),
        Row("army_merged", "A", {"from": "a2", "into": "a1"}),
        Row("alliance_proposed", "A", {"alliance": "al1", "to_kingdom": "B", "terms": "peace"}),
        Row("alliance_accepted", "B", {"alliance": "al1"}),
        Row("alliance_ended", "B", {"alliance": "al1"}),
        Row("alliance_withdrawn", "A", {"alliance": "al1"}),
        Row("alliance_declined", "B", {"alliance": "al1"}),
        Row("castle_role_declared", "A", {"castle": "C1", "role": "military"}),
        Row("treaty_noted", "A", {"kingdoms": ["A", "B"], "text": "peace"}),
        Row("general_appointed", "A", {"person": "Gil Roe"}),
        Row("general_resigned", "A", {}),
        Row("general_dismissed", "A", {}),
        Row("beast_buff_assigned", "A", {"beast": "b2", "army": "a1"}),
        Row("turn_ended", "A", {}),
        Row("turn_skipped", None, {"kingdom": "B"}),
        Row("troops_produced", "A", {"building": "f1", "count": 1, "soldier_level": 0, "army": "a1"}),
        Row("resources_produced", "A", {"building": "f1", "kind": "wood", "amount": 1}),
        Row("production_waived", "A", {"building": "f1"}),
        Row("unit_moved", "A", {"units": ["king:A"], "to": field, "off_ft10": 5, "on_ft10": 0, "mode": "land"}),
        Row("rail_travelled", "A", {"units": ["king:A"], "from_building": "f1", "to_building": "f1"}),
        Row("govern_loss_declared", None, {"kingdom": "B"}),
        Row("custom_pieces_removed", None, {"kingdom": "B"}),
        Row("territory_replaced", None, {"kingdom": "B", "castles": ["C2"]}),
        Row("penalty_given", None, {"seat": "B", "kind": "warning", "reason": "late"}),
        Row("result_signed", "A", {}),
        Row("result_disputed", "B", {"reason": "no"}),
    ]  # fmt: skip
    known = {"A": ("sekret-thinks-a",)}
    forfeit = ("kingdom_forfeited", None, {"kingdom": "B", "reason": "left"})
    return Case("kingsquare", "KS-V5", (*voiding(rows, forfeit), Row("placements_confirmed", None, {})), known=known)


def kingsburg() -> Case:
    """Kingsburg: an enemy card that somebody names before the table has revealed it. Most entries are refused by some rule."""
    rows = [
        Row("match_started", None, {"turn_order": ["A", "B"]}),
        Row("enemy_deck_prepared", None, {}),
        Row("enemy_revealed", None, {"enemy": "sekret-orcs"}, hidden=ALL, note="sekret-note"),
        Row("aid_good_taken", "A", {"good": "wood"}),
        Row("aid_good_taken", "B", {"good": "gold", "observed": {"enemy": "sekret-orcs"}}, part=ALL, note="sekret-note"),  # 5
        Row("advisors_blocked", None, {"advisors": [8], "dice": [2, 6]}),
        Row("dice_rolled", "A", {"coloured": [1, 2, 3]}),
        Row("dice_rolled", "B", {"coloured": [5, 6, 6], "observed": {"players.B.vp": 3}}),
        Row("rolls_closed", None, {}),
        Row("advisor_influenced", "A", {"advisor": 6, "coloured": [1, 2, 3]}),  # 10
        Row("advisor_influenced", "B", {"advisor": 17, "coloured": [5, 6, 6]}),
        Row("help_taken", "A", {"advisor": 6, "alternative": 1}),
        Row("help_taken", "B", {"advisor": 17, "any": {"gold": 2}}),
        Row("enemy_peeked", "B", {"observed": {"enemies_seen.0": "sekret-goblins", "year": 1}}, part=ALL),
        Row("building_built", "B", {"building": "statue"}),  # 15
        Row("build_passed", "A", {}),
        Row("town_hall_used", "A", {"pay": "gold"}),
        Row("season_closed", None, {}),
        Row("enemy_revealed", None, {"custom": {"kind": "orcs", "strength": 3, "victory": {}, "defeat": {}}}, hidden=ALL),
        Row("state_adjusted", None, {"path": "players.A.gold", "old": 1, "new": 2, "reason": "counted again"}),  # 20
        Row("state_adjusted", None, {"path": "enemy", "old": None, "new": "sekret-orcs", "reason": "sekret-why"}, hidden=ALL),
        Row("event_amended", None, {"target_seq": 3, "data": {"enemy": "sekret-demons"}, "reason": "sekret-why"}, hidden=ALL),
        Row("event_amended", None, {"target_seq": 7, "data": {"coloured": [1, 2, 3], "observed": {"enemy": "sekret-orcs"}}, "reason": "sekret-why"}, part=ALL),
        Row("event_voided", None, {"target_seq": 19, "reason": "sekret-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 5, "reason": "sekret-why"}, part=ALL),  # 25
        Row("illegal_state_accepted", None, {"seqs": [3], "reason": "sekret-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [3, 15], "reason": "sekret-why"}, part=ALL),
        Row("dispute_opened", "A", {"about_seq": 3, "text": "sekret-thinks-a"}, hidden="B-"),
        Row("dispute_opened", "B", {"about_seq": 8, "text": "it was five"}),
        Row("ruling_given", None, {"about_seq": 3, "decision": "sekret-why"}, hidden=ALL),  # 30
        Row("ruling_given", None, {"about_seq": 8, "decision": "it was six"}),
        Row("enemy_revealed", None, {"enemy": "sekret-dragons"}, hidden=ALL),
        Row("event_withdrawn", None, {"target_seq": 32, "reason": "sekret-why"}, hidden=ALL),
        Row("enemy_revealed", None, {"enemy": "sekret-form", "custom": {"kind": "sekret-kind"}}, hidden=ALL),  # of wrong form
        Row("statue_rerolled", "B", {"die": {"kind": "coloured", "value": 6}, "result": 1}),  # 35
        Row("chapel_rerolled", "B", {"coloured": [1, 1, 1]}),
        Row("influence_passed", "A", {}),
        Row("soldiers_recruited", "A", {"soldiers": 1, "pay": {"gold": 2}}),
        Row("recruit_passed", "B", {}),
        Row("reinforcements_rolled", None, {"value": 4}),
        Row("victory_good_chosen", "A", {"good": "wood"}),
        Row("loss_chosen", "B", {"goods": {"gold": 1}}),
        Row("building_loss_chosen", "B", {"building": "statue"}),
        Row("match_paused", None, {"reason": "tea"}),
        Row("match_resumed", None, {}),
        Row("penalty_given", None, {"seat": "B", "kind": "warning", "reason": "late"}),
        Row("result_signed", "A", {}),
        Row("result_disputed", "B", {"reason": "no"}),
    ]  # fmt: skip
    known = {"A": ("sekret-thinks-a",)}
    rows = [*voiding(rows), Row("placements_confirmed", None, {})]
    return Case("kingsburg", "kingsburg-2007", tuple(rows), known=known, silent=("API: state", "API: answers"))


def robberknights() -> Case:
    """Robber Knights: faces of tiles in hand in a match of open draws. Most entries are refused by some rule."""
    layout = [
        {"x": at % 4, "y": at // 4, "tile": tile}
        for at, tile in enumerate(["A:A1", "A:A2", "A:A3", "A:A4", "B:A1", "B:A2", "B:A3", "B:A4"])
    ]
    rows = [
        Row("match_started", None, {"start_seat": "A"}),
        Row("hand_chosen", "A", {"tile": "A5"}),
        Row("hand_chosen", "B", {"tile": "A5"}),
        Row("layout_laid", None, {"cells": layout}),
        Row("tile_placed", "A", {"tile": "A5", "x": 0, "y": 2}),  # 5
        Row("knights_declined", "A", {}),
        Row("tile_drawn", "A", {"letter": "B", "tile": "sekret-face-a"}, part="B-", note="sekret-peeped-a"),
        Row("tile_drawn", "B", {"letter": "B", "tile": "sekret-face-b"}, part="A-"),
        Row("turn_ended", "A", {}),
        Row("turn_passed", "B", {}),  # 10
        Row("tile_drawn", "A", {"letter": "B"}),
        Row("knights_deployed", "B", {"path": [{"x": 0, "y": 0, "leave": 2}], "observed": {"supply": 28}}),
        Row("state_adjusted", None, {"path": "players.A.hand.0.tile", "old": "sekret-face-a", "new": "sekret-face-c", "reason": "sekret-why"}, hidden=ALL),
        Row("state_adjusted", None, {"path": "players.A.supply", "old": 30, "new": 29, "reason": "counted again"}),
        Row("event_amended", None, {"target_seq": 7, "data": {"letter": "B", "tile": "sekret-face-a2"}, "reason": "sekret-said-a"}, part="B-"),  # 15
        Row("event_amended", None, {"target_seq": 13, "data": {"path": "players.A.hand.0.tile", "old": "sekret-no", "new": "sekret-yes"}, "reason": "sekret-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 8, "reason": "sekret-said-b"}, part="A-"),
        Row("event_voided", None, {"target_seq": 13, "reason": "sekret-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [13], "reason": "sekret-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [13, 12], "reason": "sekret-why"}, part=ALL),  # 20
        Row("dispute_opened", "A", {"about_seq": 13, "text": "sekret-thinks-a"}, hidden="B-"),
        Row("dispute_opened", "B", {"about_seq": 12, "text": "it was one"}),
        Row("ruling_given", None, {"about_seq": 13, "decision": "sekret-why"}, hidden=ALL),
        Row("ruling_given", None, {"about_seq": 12, "decision": "it was two"}),
        Row("tile_drawn", "B", {"letter": "C", "tile": "sekret-face-d"}, part="A-"),  # 25
        Row("event_withdrawn", None, {"target_seq": 25, "reason": "sekret-said-b"}, part="A-"),
        Row("tile_drawn", "A", {"letter": "B", "tile": "sekret-form", "colour": "sekret-red"}, hidden=ALL),  # of wrong form
        Row("match_paused", None, {"reason": "tea"}),
        Row("match_resumed", None, {}),
        Row("penalty_given", None, {"seat": "B", "kind": "warning", "reason": "late"}),
        Row("result_signed", "A", {}),
        Row("result_disputed", "B", {"reason": "no"}),
    ]  # fmt: skip
    known = {
        "A": ("sekret-face-a2", "sekret-face-a", "sekret-peeped-a", "sekret-said-a", "sekret-thinks-a"),
        "B": ("sekret-face-b", "sekret-face-d", "sekret-said-b"),
    }
    rows = [*voiding(rows), Row("placements_confirmed", None, {})]
    return Case("robberknights", "robber-knights-2005", tuple(rows), known=known, silent=("API: state", "API: answers"))
