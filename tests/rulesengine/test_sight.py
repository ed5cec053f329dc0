"""What is seen of a replay while a match runs: pure, and nothing of it gives away what is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from rulesengine import registry, replay, sight
from rulesengine.game import Edition, Refusal
from rulesengine.log import Header, Line, Log, Seat
from rulesengine.play import play
from rulesengine.sight import BECAUSE, HIDDEN, Seen
from tests.rulesengine import sealed

KINGSQUARE = tuple(edition for edition in registry.editions() if registry.get(edition.key).game == "kingsquare")


@pytest.fixture(autouse=True)
def small_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", (*registry.GAMES, sealed.ENTRY))


def log_of(*entries: tuple[str | None, str, dict[str, Any]], game: str = "sealed", rules: str = sealed.KEY) -> Log:
    head = Header("annals/1", game, "2026-11-28", tuple(map(Seat, "ABC")), rules=rules)
    lines = (Line(seq, type_, seat, msgspec.json.encode(data)) for seq, (seat, type_, data) in enumerate(entries, 1))
    return Log(head, tuple(lines))


def seen(viewer: str | None, *entries: tuple[str | None, str, dict[str, Any]]) -> Seen:
    return sight.seen(replay.run(log_of(*entries)), viewer)


HIDE = (None, "thing_placed", {"thing": "h1", "place": "sekret-vale"})
DRAW = ("A", "tile_drawn", {"tile": "t", "face": "sekret-face"})


def test_a_game_that_hides_nothing_is_given_as_it_is() -> None:
    told = replay.run(play("hexwar", seed=1, seats=2, max_events=10))
    assert sight.seen(told, None).replay is told
    assert not sight.hides(told.ruleset)


def test_a_hidden_entry_keeps_its_number_and_nothing_else() -> None:
    found = seen("A", HIDE)
    assert found.replay.log.lines == (Line(1, HIDDEN),)
    assert (found.hidden, found.whole) == ({1}, False)
    assert found.replay.ruleset.view(found.replay.state)["things"] == {}
    assert found.replay.carried[1].event is None


def test_what_is_shown_later_is_seen_at_earlier_positions_too() -> None:
    told = replay.run(log_of(HIDE, (None, "thing_shown", {"thing": "h1"})))
    found = sight.seen(told, None)
    assert found.whole
    earlier = sight.until(found, replay.run(told.log, at=1))
    assert earlier.ruleset.view(earlier.state)["things"] == {"h1": {"place": "sekret-vale", "hidden": True}}
    assert (earlier.at, len(earlier.carried)) == (1, 2)


def test_an_earlier_position_hides_what_is_hidden_now() -> None:
    told = replay.run(log_of(HIDE, ("A", "point_scored", {"points": 1})))
    earlier = sight.until(sight.seen(told, None), replay.run(told.log, at=1))
    assert earlier.ruleset.view(earlier.state)["things"] == {}
    assert earlier.log.lines[0].type == HIDDEN


def test_one_player_sees_their_tile_and_others_that_there_is_one() -> None:
    for viewer, face in (("A", "sekret-face"), ("B", None), (None, None)):
        found = seen(viewer, DRAW)
        assert found.replay.log.lines[0].payload().get("face") == face
        hand = found.replay.ruleset.view(found.replay.state)["hands"]["A"]
        assert hand == ([face] if face else ["?"])
        assert found.replay.carried[1].step.computed == {"hand": 1}, "this game shows how many they hold"


def test_what_followed_from_a_hidden_entry_is_hidden_with_it() -> None:
    shown = (None, "thing_shown", {"thing": "h1"})
    told = replay.run(log_of(HIDE, shown, (None, "event_voided", {"target_seq": 1})))
    assert replay.consequences(sight.seen(told, "B").replay) == []
    told = replay.run(log_of(HIDE, shown))
    assert [one["type"] for one in replay.consequences(sight.seen(told, "B").replay)] == ["thing_found"]


@pytest.mark.parametrize(
    ("data", "hidden"),
    [
        ({"path": "points.A", "old": 1, "new": 2}, False),
        ({"path": "things.h1.place", "old": "sekret-vale", "new": "x"}, True),
        ({"path": "things", "old": {}, "new": {}}, True),
        ({"path": "things.h9.place", "old": "sekret", "new": "x"}, True),
        ({"path": "hands.A.0", "old": "sekret-face", "new": "x"}, True),
        ({"path": "hands.A", "old": [], "new": []}, True),
        ({"path": "status.x", "old": 1, "new": 2}, True),
    ],
)
def test_an_adjustment_is_seen_where_its_path_leads_to_what_everybody_sees(data: dict[str, Any], hidden: bool) -> None:
    found = seen("B", HIDE, DRAW, ("A", "point_scored", {"points": 1}), (None, "state_adjusted", data))
    assert (4 in found.hidden) == hidden


def test_a_finding_that_only_the_hidden_explains_says_no_more_than_that() -> None:
    told = replay.run(log_of(HIDE, ("A", "thing_hit", {"thing": "h1"}), ("A", "point_scored", {"points": 12})))
    one, other = sight.seen(told, "A").replay.findings
    assert (one.seq, one.rule, one.message, one.nearest) == (2, None, BECAUSE, None)
    assert (other.seq, other.rule, other.message) == (3, "SG-3", "12 points are more than 9")


def test_a_report_counts_what_it_shows() -> None:
    log = log_of(HIDE, HIDE, ("A", "point_scored", {"points": 12}), DRAW)
    told = replay.report(log, keep=True)
    assert (told.events, told.accepted) == (4, 2)
    found = sight.report(told, "A").as_json()
    assert (found["events"], found["accepted"]) == (4, 3), "that a hidden entry is refused is hidden as well"
    assert "sekret" not in str(found)


def test_everything_is_seen_from_the_end_on() -> None:
    for end in ("match_ended", "match_abandoned", "time_called"):
        told = replay.run(log_of(HIDE, DRAW, (None, end, {})))
        assert sight.seen(told, None).replay is told
        assert not sight.seen(told, None, running=True).whole


# KingSquare ----------------------------------------------------------------------------------------------------------


def with_secrets(log: Log) -> Log:
    """Return a played match with beasts and sites that the MapMaster hid before it started."""
    secrets = [
        Line(0, "beast_placed", data=msgspec.json.encode(
            {"beast": f"sekret-b{number}", "class": "epic", "name": "sekret", "at": {"field": f"sekret-{number}"}, "hidden": True}
        ))
        for number in range(3)
    ] + [
        Line(0, "site_placed", data=msgspec.json.encode({"site": f"sekret-s{number}", "at": {"field": "sekret"}, "content": "landmark"}))
        for number in range(3)
    ]  # fmt: skip
    start = next(at for at, line in enumerate(log.lines) if line.type == "match_started")
    lines = (*log.lines[:start], *secrets, *log.lines[start:])
    return replace(log, lines=tuple(replace(line, seq=seq) for seq, line in enumerate(lines, 1)))


def everything(found: Seen) -> Iterator[str]:
    """Yield all that a replay says, as text."""
    told = found.replay
    yield from (str(line) for line in told.log.lines)
    yield str(told.findings)
    yield str(replay.consequences(told))
    for one in told.carried:
        yield str(one)
        yield str(told.ruleset.view(one.step.state))
    yield str(told.ruleset.scene(told.state))
    yield from (str(event) for event in told.ruleset.legal(told.state))


@pytest.mark.parametrize("edition", KINGSQUARE, ids=lambda one: one.key)
def test_nothing_of_a_played_match_gives_a_hidden_beast_or_site_away(edition: Edition) -> None:
    log = with_secrets(play("kingsquare", edition=edition.key, seats=3, seed=5, max_events=200))
    whole = replay.run(log)
    running = [one.seq for one in whole.carried if whole.ruleset.status(one.step.state) == "running"]
    told = replay.run(replace(log, lines=log.lines[: running[-1]]))
    assert (told.status, told.findings) == ("running", ()) and running[-1] > 20
    for viewer in ("A", "B", None):
        found = sight.seen(told, viewer)
        assert len(found.hidden) >= 6, "the machine hides some of its own"
        assert [text for text in everything(found) if "sekret" in text] == []
        assert found.replay.ruleset.view(found.replay.state) == {
            **told.ruleset.view(told.state),
            "beasts": told.ruleset.view(found.replay.state)["beasts"],
            "sites": told.ruleset.view(found.replay.state)["sites"],
        }, "and nothing else is missing"
    assert any("sekret" in text for text in everything(Seen(told)))


ARMY = {"kingdom": "A", "stacks": {"0": 90}, "at": {"castle": "C1"}, "moved": False, "buffs": [], "created_seq": 9}
BASE: tuple[tuple[str | None, str, dict[str, Any]], ...] = (
    ("A", "capital_founded", {"castle": "C1"}),
    ("B", "capital_founded", {"castle": "C2"}),
    ("C", "capital_founded", {"castle": "C3"}),
    (None, "beast_placed", {"beast": "b1", "class": "dangerous", "name": "Grim", "at": {"castle": "C1"}, "hidden": True}),
    (None, "site_placed", {"site": "s1", "at": {"castle": "C1"}, "content": "beast"}),
    (None, "match_started", {}),
    ("A", "phase_advanced", {"to": "move"}),
    ("A", "phase_advanced", {"to": "act"}),
)  # fmt: skip
ENGAGE = ("A", "beast_engaged", {"attackers": ["king:A"], "beast": "b1"})
DISCOVER = ("A", "discovery_made", {"unit": "king:A", "site": "s1", "result": "beast"})


def of_kingsquare(*more: tuple[str | None, str, dict[str, Any]]) -> tuple[replay.Replay, Seen]:
    told = replay.run(log_of(*BASE, *more, game="kingsquare", rules="KS-V5"))
    return told, sight.seen(told, "B")


def test_a_hidden_beast_is_seen_once_it_is_revealed() -> None:
    assert of_kingsquare()[1].hidden == {4, 5}
    told, found = of_kingsquare((None, "beast_revealed", {"beast": "b1"}))
    assert (told.findings, found.hidden) == ((), {5})


def test_a_hidden_site_is_seen_once_it_is_found_and_with_it_the_beast() -> None:
    told, found = of_kingsquare(DISCOVER)
    assert (told.findings, found.hidden) == ((), frozenset())
    assert found.replay.state == told.state


def test_a_hidden_beast_that_was_fought_all_the_same_is_seen() -> None:
    troops = (None, "state_adjusted", {"path": "armies", "old": {}, "new": {"a1": ARMY}})
    fought = ("A", "beast_engaged", {"attackers": ["a1"], "beast": "b1"})
    told, found = of_kingsquare(troops, fought, (None, "illegal_state_accepted", {"seqs": [10]}))
    assert (told.findings, told.state.beasts["b1"].fighters) == ((), ("a1",))
    assert found.hidden == {5}
    assert "b1" in found.replay.state.beasts


def test_a_refusal_does_not_say_that_there_is_a_hidden_beast() -> None:
    told, found = of_kingsquare()
    for type_, seat, data in (
        ("beast_engaged", "A", ENGAGE[2]),
        ("castle_founded", "A", {"castle": "b1", "at": {"field": "x"}, "king_distance_ft10": 1}),
        ("discovery_made", "A", {"unit": "king:A", "site": "s1", "result": "nothing"}),
    ):
        line = Line(9, type_, seat, msgspec.json.encode(data))
        refused = replay.append(told, line)
        assert isinstance(refused, Refusal)
        said = str(sight.refusal(told, found, line, refused, "A"))
        assert "Grim" not in said and "hidden; nobody" not in said and "was placed" not in said


def test_a_refused_withdrawal_does_not_say_which_hidden_entry_is_the_last() -> None:
    den = (None, "beast_placed", {"beast": "b2", "class": "epic", "at": {"field": "den"}, "hidden": True})
    told, found = of_kingsquare(den)
    line = Line(10, "event_withdrawn", None, b'{"target_seq":3}')
    refused = replay.append(told, line)
    assert isinstance(refused, Refusal) and "beast_placed" in refused.because
    said = sight.refusal(told, found, line, refused, "A")
    assert "beast_placed" not in str(said)
    assert "seq 9 (entry_hidden)" in said.because, "what everybody knows is told"
    _told, found = of_kingsquare(den, (None, "event_withdrawn", {"target_seq": 3}))
    (finding,) = found.replay.findings
    assert "beast_placed" not in finding.message and "seq 9 (entry_hidden)" in finding.message


def test_another_beast_of_the_same_id_gives_nothing_away() -> None:
    told, found = of_kingsquare(
        (None, "event_voided", {"target_seq": 4}),
        (None, "beast_placed", {"beast": "b1", "class": "epic", "at": {"field": "hill"}}),
    )
    assert told.findings == ()
    assert {4, 9} <= found.hidden
    assert list(found.replay.state.beasts) == ["b1"]
