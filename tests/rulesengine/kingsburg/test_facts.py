"""What careers count in a match of Kingsburg, and which entry is the evidence."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulesengine.game import Carried, Event, Fact
from rulesengine.play import play
from rulesengine.replay import run
from tests.rulesengine.kingsburg.given import GAME, Match, event

type Row = tuple[str | None, str, dict[str, Any]]


def told(match: Match, *rows: Row, forced: bool = False) -> list[Fact]:
    """Play on from a position by hand and return the facts of what was played, the first entry being 1."""
    carried = [Carried(0, None, None, match.last)]
    for seq, (seat, type_, fields) in enumerate(rows, 1):
        before = match.state
        one: Event = event(seat, type_, **fields)
        if not forced:
            refusal = GAME.check(before, one)
            assert refusal is None, refusal
        match.last = GAME.follow(before, one)
        match.state = match.last.state
        carried.append(Carried(seq, one, before, match.last))
    return GAME.facts(carried)


def of(facts: list[Fact], key: str) -> list[tuple[str, int, int]]:
    """Return seat, value and seq of the facts of a key."""
    return [(fact.seat, fact.value, fact.seq) for fact in facts if fact.key == key]


CLOSED: Row = (None, "season_closed", {})


def winter(match: Match, enemy: str, reinforcement: int) -> list[Fact]:
    return told(
        match, (None, "reinforcements_rolled", {"value": reinforcement}), (None, "enemy_revealed", {"enemy": enemy})
    )


def test_kb_f1_counts_the_good_of_those_who_are_tied() -> None:
    facts = told(Match(2), ("B", "aid_good_taken", {"good": "wood"}), ("A", "aid_good_taken", {"good": "gold"}))
    assert of(facts, "KB-F1") == [("B", 1, 1), ("A", 1, 2)]


def test_kb_f1_counts_the_white_die_of_who_is_alone() -> None:
    facts = winter(Match(2).winter().give("A", buildings=["inn"]), "1-zombies-4", 4)
    assert of(facts, "KB-F1") == [("B", 1, 2)]


def test_kb_f1_of_the_winner_is_told_at_the_end_and_of_nobody_else() -> None:
    rows: list[Row] = [(seat, "aid_good_taken", {"good": "wood"}) for seat in "ABC"]
    match = Match(3).give("B", vp=3).give("C", vp=3)
    facts = told(match, *rows, (None, "time_called", {}))
    assert of(facts, "KB-F1:won") == [("B", 1, 4), ("C", 1, 4)]


def test_kb_f2_counts_a_shared_reward_for_each() -> None:
    match = Match(3).season("spring", "season_end").give("A", buildings=["inn"]).give("C", buildings=["crane"])
    assert of(told(match, CLOSED), "KB-F2") == [("A", 1, 1), ("C", 1, 1)]


def test_kb_f2_is_not_counted_where_the_reward_is_not_paid() -> None:
    match = Match(2, reward_at_zero_buildings=False).season("spring", "season_end")
    assert of(told(match, CLOSED), "KB-F2") == []


def test_kb_f3_tells_each_advisor_apart() -> None:
    match = Match(2).dice(A=[6, 6, 6], B=[1, 2, 3])
    facts = told(
        match,
        ("A", "advisor_influenced", {"advisor": 18, "coloured": [6, 6, 6]}),
        ("B", "advisor_influenced", {"advisor": 3, "coloured": [1, 2]}),
    )
    assert of(facts, "KB-F3:18") == [("A", 1, 1)]
    assert of(facts, "KB-F3:3") == [("B", 1, 2)]


def test_kb_f4_is_read_at_the_end_however_it_came() -> None:
    match = Match(2).winter(5).give("A", buildings=["inn", "statue", "barricade"])
    facts = winter(match, "5-barbarians-7", 6)
    assert of(facts, "KB-F4") == [("A", 3, 2), ("B", 0, 2)]
    assert [fact.mode for fact in facts if fact.key == "KB-F4"] == ["max", "max"]
    assert of(told(Match(2).give("B", buildings=["inn"]), (None, "time_called", {})), "KB-F4") == [
        ("B", 1, 1),
        ("A", 0, 1),
    ]


def test_a_match_that_counts_for_nothing_has_no_figures_of_the_end() -> None:
    rows: list[Row] = [("A", "aid_good_taken", {"good": "wood"}), (None, "match_abandoned", {})]
    assert {fact.key for fact in told(Match(2).give("A", vp=1), *rows)} == {"KB-F1"}


def test_kb_f5_counts_a_second_building_by_the_envoy_alone() -> None:
    match = Match(2).building().at(envoy_holder="A").give("A", gold=9, wood=9, stone=9)
    facts = told(
        match,
        ("A", "building_built", {"building": "inn"}),
        ("A", "building_built", {"building": "statue", "envoy": True}),
    )
    assert of(facts, "KB-F5") == [("A", 1, 2)]


def test_kb_f5_does_not_count_an_envoy_spent_on_the_first_building() -> None:
    match = Match(2).building().at(envoy_holder="A").give("A", gold=9, wood=9)
    facts = told(match, ("A", "building_built", {"building": "inn", "envoy": True}), forced=True)
    assert of(facts, "KB-F5") == []


def test_kb_f6_counts_victories_and_no_draws() -> None:
    match = (
        Match(3).winter(1).give("A", soldiers=2).give("B", soldiers=1).give("C", soldiers=1, buildings=["barricade"])
    )
    facts = winter(match, "1-orcs-3", 2)  # A 4, B 3, C 3
    assert of(facts, "KB-F6") == [("A", 1, 2)]
    walled = Match(2).winter(1).give("A", soldiers=1, buildings=["stone_wall"]).give("B", soldiers=1)
    assert of(winter(walled, "1-zombies-4", 2), "KB-F6") == [("A", 1, 2)]


def test_kb_f7_needs_every_die_and_white_ones_too() -> None:
    def closed(white: tuple[int, ...]) -> list[tuple[str, int, int]]:
        match = Match(2).dice(A=[1, 1, 4], B=[6, 6, 6]).give("A", white=white)
        rows: list[Row] = [
            ("A", "advisor_influenced", {"advisor": 6, "coloured": [1, 1, 4]}),
            ("B", "influence_passed", {}),
            ("A", "build_passed", {}),
            ("B", "build_passed", {}),
            CLOSED,
        ]
        return of(told(match, *rows), "KB-F7")

    assert closed(()) == [("A", 1, 5)]
    assert closed((2,)) == []


def test_kb_f7_is_not_had_by_who_has_not_rolled() -> None:
    match = Match(3).season("spring", "season_end")
    assert of(told(match, CLOSED), "KB-F7") == []


def test_the_facts_of_whole_matches_agree_with_their_logs() -> None:
    """Counted again over the recorded entries, apart from the state."""
    for seed in range(8):
        log = play("kingsburg", seats=3, seed=seed)
        told = run(log)
        facts = GAME.facts(told.carried)
        assert [fact.seq for fact in facts] == sorted(fact.seq for fact in facts)
        influenced = Counter(
            (line.seat, line.payload()["advisor"]) for line in log.lines if line.type == "advisor_influenced"
        )
        assert Counter((f.seat, int(f.key[6:])) for f in facts if f.key.startswith("KB-F3:")) == influenced
        taken = Counter(line.seat for line in log.lines if line.type == "aid_good_taken")
        assert all(
            sum(f.value for f in facts if (f.seat, f.key) == (seat, "KB-F1")) >= count for seat, count in taken.items()
        )
        seconds = Counter(
            line.seat for line in log.lines if line.type == "building_built" and line.payload().get("envoy")
        )
        assert Counter(f.seat for f in facts if f.key == "KB-F5") == seconds
