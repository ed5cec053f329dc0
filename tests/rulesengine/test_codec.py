"""Events in and out of JSON."""

from __future__ import annotations

import msgspec
import pytest

from rulesengine import codec, registry
from rulesengine.codec import FormError
from rulesengine.game import Event
from rulesengine.log import Line
from rulesengine.play import play

GAME = registry.get("hexwar-1")


@pytest.mark.parametrize("seed", range(5))
def test_an_event_comes_back_as_it_went(seed: int) -> None:
    for line in play("hexwar", seed=seed).lines:
        event = codec.event(GAME, line)
        assert codec.line(event, line.seq) == line
        assert codec.encode(event) == line.data


def test_the_acting_role_is_part_of_the_event() -> None:
    line = Line(1, "match_stopped", None, b'{"reason": "rain", "counts_as": "draw"}', acting_as="organizer")
    event = codec.event(GAME, line)
    assert event == Event(None, event.data, "organizer", 1)
    assert event.type == "match_stopped"


@pytest.mark.parametrize(
    ("type_", "data", "said"),
    [
        ("unit_moved", b"{}", 'the key "unit" is missing; unit_moved needs unit, path'),
        ("unit_moved", b'{"unit": "u1", "path": [], "x": 1}', 'the key "x" is not known; unit_moved needs unit, path'),
        ("unit_moved", b'{"unit": 1, "path": []}', '"unit" is a whole number; text was expected'),
        ("unit_moved", b'{"unit": "u1", "path": [[1, "2"]]}', '"path[0][1]" is text; a whole number was expected'),
        ("unit_moved", b'{"unit": "u1", "path": [[1]]}', '"path[0]" must hold 2 values'),
        ("unit_moved", b'{"unit": null, "path": []}', '"unit" is null; text was expected'),
        ("turn_ended", b'{"a": 1}', 'the key "a" is not known; turn_ended needs no keys'),
        ("turn_ended", b'{"observed": 1}', '"observed" is a whole number; an object or null was expected'),
        ("event_voided", b"{}", 'the key "target_seq" is missing; event_voided needs target_seq and may have reason'),
        (
            "match_ended",
            b'{"placements": [{"seat": "A"}]}',
            'the key "place" is missing in placements[0]; placements[0] needs seat, place',
        ),
        ("unit_moved", b"[1]", "a list; an object was expected"),
        ("unit_moved", b"{", "data cannot be read"),
    ],
)
def test_what_is_wrong_with_an_event_is_said_in_words(type_: str, data: bytes, said: str) -> None:
    with pytest.raises(FormError) as raised:
        codec.event(GAME, Line(1, type_, "A", data))
    assert said in str(raised.value)


def test_an_unknown_type_is_answered_with_those_of_the_game() -> None:
    with pytest.raises(FormError, match="construction_started, match_stopped"):
        codec.event(GAME, Line(1, "dice_rolled", "A"))


def test_a_long_unknown_key_is_shortened() -> None:
    data = msgspec.json.encode({"x" * 5000: 1})
    with pytest.raises(FormError) as raised:
        codec.event(GAME, Line(1, "turn_ended", "A", data))
    assert len(str(raised.value)) < 200
