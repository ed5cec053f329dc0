"""Who sees which enemy card while a match runs (part 6 of the page): nobody sees one that the table has not revealed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulesengine import notation, replay, sight
from tests.rulesengine.kingsburg.given import GAME, Match, event, written

type Row = tuple[str | None, str, dict[str, Any]]

FIRST: list[Row] = [
    ("A", "aid_good_taken", {"good": "wood"}),
    ("B", "aid_good_taken", {"good": "gold"}),
    ("A", "dice_rolled", {"coloured": [5, 5, 5]}),
    ("B", "dice_rolled", {"coloured": [6, 5, 6]}),
    (None, "rolls_closed", {}),
    ("A", "influence_passed", {}),
    ("B", "advisor_influenced", {"advisor": 17, "coloured": [5, 6, 6]}),
    ("B", "help_taken", {"advisor": 17, "any": {"gold": 2}}),
]
CARD = {"kind": "orcs", "strength": 3, "victory": {"gold": 1}, "defeat": {"vp": 1}}
VIEWERS = ["A", "B", None]


def told(rows: list[Row], viewer: str | None) -> tuple[sight.Seen, str]:
    """Return what a viewer sees of a running match: the replay, and all of it as text."""
    whole = replay.run(notation.parse(written(*rows, seats=2, two_player_block="none")))
    found = sight.seen(whole, viewer, running=True)
    shown = found.replay
    text = [notation.write(shown.log, "jsonl").decode(), json.dumps(GAME.view(shown.state))]
    return found, "\n".join([*text, repr(shown.carried), repr(shown.findings), repr(replay.consequences(shown))])


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_card_recorded_too_early_is_seen_by_nobody(viewer: str | None) -> None:
    for data, secret in (({"enemy": "1-orcs-3"}, "1-orcs-3"), ({"custom": CARD}, "orcs")):
        found, text = told([*FIRST, (None, "enemy_revealed", data)], viewer)
        assert found.hidden == {9}
        assert secret not in text


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    "observed",
    [{"enemy": "1-orcs-3"}, {"enemies_seen": ["1-orcs-3"]}, {"enemies_seen.0": "1-orcs-3"}, {"card": "1-orcs-3"}],
)
def test_a_look_that_says_what_it_showed_is_seen_without_it(viewer: str | None, observed: dict[str, Any]) -> None:
    seen = {**observed, "year": 1}
    found, text = told([*FIRST, ("B", "enemy_peeked", {"observed": seen})], viewer)
    assert found.redacted == {9}
    assert "1-orcs-3" not in text
    assert '"year":1' in text
    assert found.replay.carried[-1].step.state.players["B"].peeks


def test_that_somebody_looked_is_seen_by_all() -> None:
    found, _ = told([*FIRST, ("B", "enemy_peeked", {})], "A")
    assert found.whole


def test_a_card_is_seen_from_the_moment_it_is_revealed() -> None:
    one = event(None, "enemy_revealed", enemy="1-orcs-3")
    match = Match(2).winter()
    assert GAME.seen_by(one, "A", match.state) is None
    assert GAME.seen_by(one, "A", match.do(None, "enemy_revealed", enemy="1-orcs-3").state) == one


def test_another_card_of_a_year_is_no_secret_once_the_card_of_the_year_is_known() -> None:
    """So the entry of a scribe who took the wrong one stays, with what was made of it."""
    wrong = event(None, "enemy_revealed", enemy="1-goblins-2")
    match = Match(2).winter()
    assert GAME.seen_by(wrong, None, match.state) is None
    match.do(None, "enemy_revealed", enemy="1-orcs-3")
    assert GAME.seen_by(wrong, None, match.state) == wrong
    later = event(None, "enemy_revealed", enemy="2-orcs-4")
    assert GAME.seen_by(later, None, match.state) is None
    assert GAME.seen_by(later, None, Match(2).winter(3).state) == later


def test_a_card_by_its_printed_values_is_seen_once_it_was_fought() -> None:
    one = event(None, "enemy_revealed", custom=CARD)
    match = Match(2).winter()
    assert GAME.seen_by(one, "B", match.state) is None
    match.do(None, "reinforcements_rolled", value=6).do(None, "enemy_revealed", custom=CARD)
    assert match.state.enemies_seen == (CARD,)
    assert GAME.seen_by(one, "B", match.state) == one


@pytest.mark.parametrize("path", ["enemy", "enemies_seen.0", "deck"])
def test_a_referee_who_would_set_a_card_that_is_not_revealed_is_not_seen(path: str) -> None:
    state = Match(2).winter().state
    one = event(None, "state_adjusted", path=path, old=None, new="1-orcs-3")
    assert GAME.seen_by(one, "A", state) is None
    other = event(None, "state_adjusted", path="players.A.vp", old=0, new=1)
    assert GAME.seen_by(other, "A", state) is other


def test_nothing_else_is_hidden() -> None:
    state = Match(2).winter().state
    for type_, fields in (
        ("dice_rolled", {"coloured": [1, 2, 3]}),
        ("enemy_peeked", {}),
        ("building_built", {"building": "inn", "observed": {"players.A.vp": 3, "enemy": None}}),
    ):
        one = event("A", type_, **fields)
        assert GAME.seen_by(one, "B", state) is one
    assert GAME.state_seen_by(state, "B") is state


def test_from_the_end_on_everything_is_seen() -> None:
    rows: list[Row] = [*FIRST, (None, "enemy_revealed", {"enemy": "1-orcs-3"}), (None, "time_called", {})]
    whole = replay.run(notation.parse(written(*rows, seats=2, two_player_block="none")))
    assert sight.seen(whole, "A").whole
