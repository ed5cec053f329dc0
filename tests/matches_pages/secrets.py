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

SECRET = "zq-"
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
        Row("thing_placed", None, {"thing": "h1", "place": "zq-vale"}, hidden=ALL),
        Row("thing_placed", None, {"thing": "h2", "place": "zq-hollow"}, hidden=ALL, note="zq-note"),
        Row("tile_drawn", "A", {"tile": "t", "face": "zq-face-a"}, part="B-"),
        Row("tile_drawn", "B", {"tile": "t", "face": "zq-face-b"}, part="A-", note="zq-peeped"),  # 5
        Row("point_scored", "A", {"points": 3, "observed": {"points": 4}}),
        Row("thing_hit", "A", {"thing": "h1"}),  # refused: it is hidden; the refusal names its place
        Row("thing_placed", None, {"thing": "h1", "place": "open-yard", "hidden": False}),  # refused: the id is taken
        Row("thing_shown", None, {"thing": "h9"}, hidden=ALL),  # refused: the refusal names what there is
        Row("state_adjusted", None, {"path": "things.h1.place", "old": "zq-vale", "new": "zq-den", "reason": "zq-why"}, hidden=ALL),  # 10
        Row("state_adjusted", None, {"path": "things.t1.place", "old": "open-market", "new": "open-square"}),
        Row("event_amended", None, {"target_seq": 2, "data": {"thing": "h1", "place": "zq-vale"}, "reason": "zq-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 3, "reason": "zq-why"}, hidden=ALL),
        Row("event_voided", None, {"target_seq": 5, "reason": "zq-said-b"}, part="A-"),
        Row("event_amended", None, {"target_seq": 4, "data": {"tile": "t", "face": "zq-face-a2"}, "reason": "zq-said-a"}, part="B-"),  # 15
        Row("illegal_state_accepted", None, {"seqs": [2], "reason": "zq-why"}, hidden=ALL),
        Row("illegal_state_accepted", None, {"seqs": [2, 6], "reason": "zq-why"}, part=ALL),
        Row("dispute_opened", "A", {"about_seq": 2, "text": "zq-thinks-a"}, hidden="B-"),
        Row("dispute_opened", "B", {"about_seq": 6, "text": "it was four"}),
        Row("ruling_given", None, {"about_seq": 2, "decision": "zq-why"}, hidden=ALL),  # 20
        Row("ruling_given", None, {"about_seq": 6, "decision": "it was three"}),
        Row("thing_placed", None, {"thing": "h3", "place": "zq-attic"}, hidden=ALL),
        Row("event_withdrawn", None, {"target_seq": 22, "reason": "zq-why"}, hidden=ALL),
        Row("thing_placed", None, {"thing": "h4", "place": "open-hall"}),
        Row("thing_shown", None, {"thing": "h4"}),  # 25
        Row("state_adjusted", None, {"path": "things.h7.place", "old": "zq-no", "new": "zq-nowhere"}, hidden=ALL),
        Row("thing_placed", None, {"thing": "h5", "place": "zq-form", "colour": "zq-red"}, hidden=ALL),  # of wrong form
        Row("result_overridden", None, {"battle_seq": 6, "outcome": {"points": 4}}),
        Row("result_overridden", None, {"battle_seq": 2, "outcome": {"points": 4}, "reason": "zq-why"}, hidden=ALL),
        Row("point_scored", "B", {"points": 12}),  # 30, refused, of which nothing is hidden
        Row("match_started", None, {}),
        Row("match_paused", None, {"reason": "tea"}),
        Row("match_resumed", None, {}),
        Row("penalty_given", None, {"seat": "B", "kind": "warning", "reason": "late"}),
        Row("result_signed", "A", {}),  # 35
        Row("result_disputed", "B", {"reason": "no"}),
        Row("placements_confirmed", None, {}),
    ]  # fmt: skip
    known = {"A": ("zq-face-a", "zq-face-a2", "zq-said-a", "zq-thinks-a"), "B": ("zq-face-b", "zq-peeped", "zq-said-b")}
    return Case("sealed", "sealed-1", tuple(voiding(rows)), known=known)


def voiding(rows: list[Row]) -> list[Row]:
    """Return the rows with every event that ends a match, each voided: it runs on."""
    made = list(rows)
    for type_, seat, data in ENDINGS:
        made.append(Row(type_, seat, data))
        made.append(Row("event_voided", None, {"target_seq": len(made), "reason": "too early"}))
    return made
