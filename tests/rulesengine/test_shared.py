"""The events that every game shares: their words, what they hold and what act they are."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from rulesengine import registry, shared
from rulesengine.game import Payload
from rulesengine.log import ROLES, Line

NAMES = [
    "match_started",
    "match_paused",
    "match_resumed",
    "dispute_opened",
    "ruling_given",
    "event_withdrawn",
    "event_voided",
    "event_amended",
    "state_adjusted",
    "illegal_state_accepted",
    "penalty_given",
    "time_called",
    "draw_agreed",
    "player_resigned",
    "match_ended",
    "result_signed",
    "result_disputed",
    "placements_confirmed",
    "result_recorded",
    "match_abandoned",
    "match_annulled",
]


def test_every_shared_event_of_the_log_format_is_there() -> None:
    assert sorted(shared.PAYLOADS) == sorted(NAMES)


@pytest.mark.parametrize("payload", shared.PAYLOADS.values(), ids=shared.PAYLOADS)
def test_a_shared_event_says_who_writes_it_and_what_happened(payload: type[Payload]) -> None:
    assert payload.__doc__ is not None
    assert re.match(r"[A-Z][^:]+( \([^)]*\))?: .+\.", payload.__doc__), payload.__doc__
    assert set(shared.WRITERS[payload.TYPE]) <= {"player", *ROLES}


def test_a_game_does_not_give_a_shared_name_another_meaning() -> None:
    for edition in registry.editions():
        ruleset = registry.get(edition.key)
        for name in set(ruleset.payloads) & set(NAMES):
            own, shared_ = ruleset.payloads[name], shared.PAYLOADS[name]
            assert (own.TYPE, own.SEATED) == (shared_.TYPE, shared_.SEATED)
            needed = {one.name for one in msgspec.structs.fields(shared_) if one.required}
            assert needed <= {one.name for one in msgspec.structs.fields(own) if one.required}


@pytest.mark.parametrize(
    ("type_", "act"),
    [
        ("unit_moved", "record"),
        ("turn_started", "record"),
        ("event_withdrawn", "record"),
        ("dispute_opened", "record"),
        ("event_voided", "correct"),
        ("event_amended", "correct"),
        ("state_adjusted", "correct"),
        ("illegal_state_accepted", "accept_irregular"),
        ("ruling_given", "rule"),
        ("penalty_given", "penalize"),
        ("result_signed", "sign"),
        ("result_disputed", "sign"),
        ("placements_confirmed", "confirm"),
        ("match_stopped", "pair"),
        ("match_annulled", "pair"),
    ],
)
def test_what_a_line_is_decides_what_act_it_is_not_what_it_claims(type_: str, act: str) -> None:
    for claim in (None, "referee", "organizer"):
        assert shared.acts(Line(1, type_, acting_as=claim)) == act


def test_texts_may_be_missing_for_they_can_be_blanked() -> None:
    for type_, needed in {
        "event_voided": b'{"target_seq": 1}',
        "ruling_given": b'{"about_seq": 1}',
        "state_adjusted": b'{"path": "round", "old": 1, "new": 2}',
        "match_annulled": b"{}",
    }.items():
        assert type_ == msgspec.json.decode(needed, type=shared.PAYLOADS[type_]).TYPE


def test_the_set_up_of_a_game_that_starts_with_an_event_may_hold_anything() -> None:
    assert msgspec.json.decode(b'{"turn_order": ["A"]}', type=shared.MatchStarted) == shared.MatchStarted()


def test_every_shared_event_is_named_where_events_are_put_into_words() -> None:
    words = (Path(__file__).parents[2] / "matches" / "words" / "shared.py").read_text()
    assert [name for name in NAMES if f'"{name}"' not in words] == []
