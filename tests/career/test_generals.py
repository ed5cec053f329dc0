"""Generals in the career: who was one, what they share with their King, and what a forfeit takes away."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from career import badges, ranks
from career.catalogue import CURRENT
from career.digest import General, MatchDigest, Version, Who
from career.models import Standing
from career.participation import FactLine, Participation
from tests.career.test_badges import earned, part

KINGSQUARE = [badge for badge in CURRENT.badges if badge.game == "kingsquare"]


def match(*facts: FactLine, generals: tuple[General, ...] = (), who: Who | None = None) -> MatchDigest:
    """Return the digest of a match of two Kingdoms, A with the person `ada` and B with `bo`, that A won."""
    version = Version(
        status="confirmed",
        end_seq=90,
        confirmed_seq=99,
        places=(("A", 1), ("B", 2)),
        facts=(("A", facts),),
        events=99,
        scribe_errors=0,
        generals=generals,
    )
    return MatchDigest(
        match="m1",
        game="kingsquare",
        depth="log",
        on=date(2026, 11, 28),
        ended_at=datetime(2026, 11, 28, 22, tzinfo=UTC),
        round=0,
        table=0,
        who=who or Who(seats=(("A", "ada"), ("B", "bo"))),
        versions=(version,),
    )


def taken(made: MatchDigest, person: str) -> Participation | None:
    return made.participation({}, person, made.versions[-1])


@pytest.mark.parametrize("badge", KINGSQUARE, ids=lambda badge: badge.id)
@pytest.mark.parametrize("tier", ["bronze", "silver", "gold"])
def test_a_badge_of_kingsquare_is_earned_at_its_figure_and_not_just_below(badge, tier):
    (key,), role, figure = badge.facts, badge.roles[0], badge.threshold(tier)
    below = {found[1] for found in earned(part(1, FactLine(key, figure - 1, 7), role=role, game="kingsquare"))}
    reached = {found[1] for found in earned(part(1, FactLine(key, figure, 7), role=role, game="kingsquare"))}
    assert tier not in below
    assert tier in reached


@pytest.mark.parametrize("badge", KINGSQUARE, ids=lambda badge: badge.id)
def test_only_the_badges_marked_so_are_shared_with_the_general(badge):
    shared = {4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 21}
    number = int(badge.id.removeprefix("BDG-KS-"))
    fact = FactLine(badge.facts[0], badge.gold, 7)
    as_general = earned(part(1, fact, role="general", game="kingsquare"))
    as_king = earned(part(1, fact, role="player", game="kingsquare"))
    assert bool(as_general) == (number in shared or number == 18)
    assert bool(as_king) == (number != 18)


def test_there_are_twenty_one_badges_of_kingsquare():
    assert [badge.id for badge in KINGSQUARE] == [f"BDG-KS-{number:02}" for number in range(1, 22)]


def test_a_general_shares_what_happened_in_office_alone():
    facts = tuple(FactLine("KS-F13", 1, seq) for seq in (5, 20, 30, 40, 50))
    made = match(*facts, generals=(General("A", "gil", 10, 45),))
    told = taken(made, "gil")
    assert told is not None
    assert (told.role, told.place, [fact.seq for fact in told.facts]) == ("general", 1, [20, 30, 40])
    assert earned(told) == [("BDG-KS-13", "bronze", badges.Evidence("m1", 40))]
    king = taken(made, "ada")
    assert king is not None
    assert len(king.facts) == 5


def test_a_general_appointed_again_has_both_terms():
    facts = tuple(FactLine("KS-F13", 1, seq) for seq in (5, 20, 30))
    made = match(*facts, generals=(General("A", "gil", 0, 10), General("A", "gil", 25, None)))
    told = taken(made, "gil")
    assert told is not None
    assert [fact.seq for fact in told.facts] == [5, 30]


def test_right_hand_is_the_generals_who_was_in_office_when_the_kingdom_came_first():
    first = FactLine("KS-F18", 1, 90)
    stayed = match(first, generals=(General("A", "gil", 0, None),))
    left = match(first, generals=(General("A", "gil", 0, 60),))
    assert [one[:2] for one in earned(taken(stayed, "gil"))] == [("BDG-KS-18", "bronze")]
    assert earned(taken(left, "gil")) == []
    assert earned(taken(stayed, "ada")) == []


def test_a_player_counts_as_player_and_a_general_before_an_official():
    who = Who(seats=(("A", "ada"), ("B", "bo")), officials=(("scribe", "gil"),))
    made = match(generals=(General("A", "gil", 0, None), General("B", "ada", 0, None)), who=who)
    told = {person: taken(made, person) for person in ("ada", "gil")}
    assert [one.role for one in told.values() if one] == ["player", "general"]
    assert told["gil"] is not None
    assert told["gil"].offices == ("scribe",)
    assert made.people() == {"ada", "bo", "gil"}


def test_the_rivals_of_a_general_are_those_of_the_king():
    told = taken(match(generals=(General("A", "gil", 0, None),)), "gil")
    assert told is not None
    assert [rival.person for rival in told.rivals] == ["bo"]


def test_the_first_match_as_general_gives_a_learning_credit_and_counts_for_the_year():
    parts = [part(n, role="general", game="kingsquare", place=1) for n in (1, 2, 3, 4)]
    row = ranks.fold(parts, CURRENT)
    assert [(credit.rule, credit.value) for credit in row.credits] == [("ROD-13", 1)]
    assert row.active_years == (2026,)
    assert row.matches == 4


def test_a_forfeit_is_not_credited_to_the_player_and_costs_the_general_nothing():
    made = match(FactLine("forfeited", 1, 40, "max"), generals=(General("A", "gil", 0, None),))
    credited = {person: taken(made, person) for person in ("ada", "bo", "gil")}
    assert {person: one.confirmed for person, one in credited.items() if one} == {"ada": False, "bo": True, "gil": True}


@pytest.mark.parametrize(
    ("renown", "level"), [(0, 1), (1, 2), (2, 2), (3, 3), (5, 3), (6, 4), (9, 4), (10, 5), (44, 9), (45, 10), (55, 11)]
)
def test_a_career_level_follows_from_renown(renown, level):
    assert Standing(renown=renown).career_level == level


@pytest.mark.parametrize(
    ("one", "renown"),
    [
        (part(1, game="kingsquare", place=2, players=3), 1),
        (part(1, game="kingsquare", place=1, players=2), 1),
        (part(1, game="kingsquare", place=1, players=3), 2),
        (part(1, game="kingsquare", place=1, players=3, role="general"), 1),
        (part(1, FactLine("KS-F11", 1, 5), FactLine("KS-F11", 1, 8), game="kingsquare", place=2), 3),
        (part(1, game="kingsquare", role="mapmaster"), 0),
        (part(1, game="hexwar", place=1, players=3), 0),
    ],
)
def test_renown_is_taking_part_a_first_place_among_three_and_every_legend(one, renown):
    assert ranks.fold([one], CURRENT).renown == renown
