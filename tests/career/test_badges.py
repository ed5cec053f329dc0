"""Badges: criteria, tiers and evidence."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from career import badges
from career.catalogue import CURRENT
from career.participation import Evidence, FactLine, Participation, Rival


def part(number: int, *facts: FactLine, role: str = "player", **more: object) -> Participation:
    at = datetime(2026, 5, 1, 12, tzinfo=UTC) + timedelta(days=number)
    told = {"confirmed": True, "confirmed_seq": 99, "players": 2, "game": "hexwar", "end_seq": 90, **more}
    return Participation(
        match=f"m{number}", order=(at, 0, 0, f"m{number}"), on=date(2026, 5, 1), role=role, facts=facts, **told
    )


def nobody(person: str, order: tuple[object, ...]) -> int:
    return 0


def earned(*parts: Participation, before: badges.RankBefore = nobody) -> list[tuple[str, str, Evidence]]:
    return [(one.badge, one.tier, one.evidence[0]) for one in badges.fold("me", parts, CURRENT, before).awards]


def test_a_badge_points_at_the_event_that_reached_its_tier():
    facts = [FactLine("HX-F1", 1, seq) for seq in (5, 9, 12, 20, 30)]
    assert earned(part(1, *facts)) == [("BDG-HX-01", "bronze", Evidence("m1", 20))]


def test_a_match_that_reaches_gold_earned_every_lower_tier_on_the_way():
    facts = [FactLine("HX-F2", 1, seq) for seq in range(1, 7)]
    assert earned(part(1, *facts)) == [
        ("BDG-HX-02", "bronze", Evidence("m1", 2)),
        ("BDG-HX-02", "silver", Evidence("m1", 4)),
        ("BDG-HX-02", "gold", Evidence("m1", 6)),
    ]


def test_a_badge_of_one_match_does_not_add_up_over_matches():
    facts = [FactLine("HX-F1", 1, seq) for seq in (5, 9)]
    assert earned(part(1, *facts), part(2, *facts)) == []


def test_a_badge_of_a_career_adds_up_over_matches():
    one = FactLine("HX-F3:spearmen:cavalry", 1, 7)
    assert earned(part(1, one), part(2, one), part(3, one)) == [("BDG-HX-03", "bronze", Evidence("m3", 7))]


def test_axemen_count_swordsmen_and_legions_together():
    facts = (
        FactLine("HX-F3:axemen:legion", 1, 3),
        FactLine("HX-F3:axemen:swordsmen", 1, 4),
        FactLine("HX-F3:axemen:legion", 1, 8),
    )
    assert earned(part(1, *facts)) == [("BDG-HX-04", "bronze", Evidence("m1", 8))]


def test_of_largest_figures_the_largest_counts_and_they_do_not_add():
    facts = (FactLine("HX-F4", 2, 3, "max"), FactLine("HX-F4", 2, 5, "max"), FactLine("HX-F4", 6, 8, "max"))
    assert earned(part(1, *facts)) == [
        ("BDG-HX-05", "bronze", Evidence("m1", 8)),
        ("BDG-HX-05", "silver", Evidence("m1", 8)),
    ]


@pytest.mark.parametrize(("figure", "tier"), [(1, None), (2, "bronze"), (3, "silver"), (4, "gold")])
def test_stand_fast_reads_the_most_attacks_survived(figure, tier):
    found = earned(part(1, FactLine("HX-F5", figure, 30, "max")))
    assert (found[-1][:2] if found else None) == (("BDG-HX-06", tier) if tier else None)


def test_a_clean_volley_is_earned_at_the_end_and_not_with_own_losses():
    volley = FactLine("HX-F6:volley", 1, 12)
    assert earned(part(1, volley)) == [("BDG-HX-07", "bronze", Evidence("m1", 90))]
    assert earned(part(1, volley, FactLine("HX-F6:lost", 1, 50))) == []


def test_four_crowns_counts_different_games():
    parts = [part(1, game="hexwar", place=1), part(2, game="hexwar", place=1), part(3, game="kingsburg", place=1)]
    assert earned(*parts) == [("BDG-X-01", "bronze", Evidence("m3", 90))]


def test_a_squire_first_before_a_knight_and_a_marshal_is_a_giant_killer_in_gold():
    steps = {"me": 2, "knight": 3, "marshal": 6}
    one = part(1, place=1, rivals=(Rival("knight", 2), Rival("marshal", 3)))
    found = earned(one, before=lambda person, order: steps[person])
    assert found[-1] == ("BDG-X-02", "gold", Evidence("m1", 90))


def test_an_opponent_who_finished_ahead_makes_no_giant_killer():
    steps = {"me": 2, "marshal": 6}
    one = part(1, place=2, rivals=(Rival("marshal", 1),))
    assert earned(one, before=lambda person, order: steps[person]) == []


@pytest.mark.parametrize(("events", "errors", "count"), [(20, 0, 1), (19, 0, 0), (20, 1, 0)])
def test_a_perfect_quill_needs_twenty_events_and_no_error(events, errors, count):
    parts = [
        part(n, role="scribe", offices=("scribe",), sole_scribe=True, events=events, scribe_errors=errors)
        for n in (1, 2, 3)
    ]
    assert len(earned(*parts)) == count
    assert all(one == ("BDG-X-05", "bronze", Evidence("m3", 99)) for one in earned(*parts))


def test_a_match_that_is_not_credited_earns_nothing():
    facts = [FactLine("HX-F2", 1, seq) for seq in range(1, 7)]
    assert earned(part(1, *facts, credited=False)) == []


def test_officials_earn_no_badges_of_the_players():
    assert earned(part(1, FactLine("HX-F5", 4, 30, "max"), role="referee")) == []


NEW_GAMES = {
    "BDG-KB-01": ("kingsburg", "KB-F2", "match", (2, 3, 5)),
    "BDG-KB-02": ("kingsburg", "KB-F3:18", "career", (1, 5, 15)),
    "BDG-KB-03": ("kingsburg", "KB-F4", "end", (10, 13, 16)),
    "BDG-KB-04": ("kingsburg", "KB-F6", "match", (3, 4, 5)),
    "BDG-KB-05": ("kingsburg", "KB-F5", "career", (2, 6, 12)),
    "BDG-KB-06": ("kingsburg", "KB-F7", "career", (5, 20, 50)),
    "BDG-KB-07": ("kingsburg", "KB-F1:won", "end", (1, 2, 3)),
    "BDG-RK-01": ("robberknights", "RK-F1:5", "career", (1, 5, 15)),
    "BDG-RK-02": ("robberknights", "RK-F2:mountain", "end", (1, 2, 3)),
    "BDG-RK-03": ("robberknights", "RK-F2:forest", "end", (3, 5, 7)),
    "BDG-RK-04": ("robberknights", "RK-F3", "career", (3, 10, 25)),
    "BDG-RK-05": ("robberknights", "RK-F4:0", "career end", (1, 5, 10)),
    "BDG-RK-06": ("robberknights", "RK-F5", "end", (3, 6, 10)),
}
"""By badge: game, fact, whether it is counted over a career, a match or at its end, and the marks of bronze, silver and gold."""
MARKS = [(badge, at) for badge in NEW_GAMES for at in range(3)]


def reached(badge: str, figure: int) -> list[tuple[str, str, Evidence]]:
    """Return what is earned where the fact of a badge comes to a figure: one by one, or as one figure at the end."""
    game, fact, scope, _ = NEW_GAMES[badge]
    if scope == "end":
        return earned(part(1, FactLine(fact, figure, 80, "max"), game=game))
    if scope == "match":
        return earned(part(1, *(FactLine(fact, 1, seq) for seq in range(1, figure + 1)), game=game))
    return earned(*(part(number, FactLine(fact, 1, 7), game=game) for number in range(1, figure + 1)))


@pytest.mark.parametrize(("badge", "at"), MARKS)
def test_a_badge_of_kingsburg_or_robber_knights_is_earned_at_its_mark(badge, at):
    _, _, scope, marks = NEW_GAMES[badge]
    evidence = {
        "end": Evidence("m1", 90),
        "match": Evidence("m1", marks[at]),
        "career": Evidence(f"m{marks[at]}", 7),
        "career end": Evidence(f"m{marks[at]}", 90),
    }
    told = reached(badge, marks[at])
    assert [tier for _, tier, _ in told] == ["bronze", "silver", "gold"][: at + 1]
    assert told[-1] == (badge, ["bronze", "silver", "gold"][at], evidence[scope])


@pytest.mark.parametrize(("badge", "at"), MARKS)
def test_a_badge_of_kingsburg_or_robber_knights_is_not_earned_just_below_its_mark(badge, at):
    told = reached(badge, NEW_GAMES[badge][3][at] - 1)
    assert [tier for _, tier, _ in told] == ["bronze", "silver", "gold"][:at]


@pytest.mark.parametrize("badge", [badge for badge, row in NEW_GAMES.items() if "career" not in row[2]])
def test_a_badge_of_one_match_of_the_new_games_does_not_add_up(badge):
    game, fact, _, marks = NEW_GAMES[badge]
    one = FactLine(fact, marks[0] - 1, 5, "max")
    assert earned(part(1, one, game=game), part(2, one, game=game)) == []


@pytest.mark.parametrize("badge", NEW_GAMES)
def test_a_fact_of_another_game_of_the_same_name_earns_nothing(badge):
    _, fact, _, marks = NEW_GAMES[badge]
    assert earned(part(1, FactLine(fact, marks[2], 5, "max"))) == []


def test_four_crowns_are_gold_with_all_four_games():
    games = ["kingsquare", "kingsburg", "kingsburg", "hexwar", "robberknights"]
    told = earned(*(part(number, game=game, place=1) for number, game in enumerate(games, 1)))
    assert told == [
        ("BDG-X-01", "bronze", Evidence("m2", 90)),
        ("BDG-X-01", "silver", Evidence("m4", 90)),
        ("BDG-X-01", "gold", Evidence("m5", 90)),
    ]


@pytest.mark.parametrize(("rank", "tier"), [(3, None), (4, "bronze"), (5, "silver"), (6, "gold")])
@pytest.mark.parametrize("game", ["kingsburg", "robberknights"])
def test_a_giant_killer_of_the_new_games_stands_two_ranks_below(game, rank, tier):
    steps = {"me": 2, "other": rank}
    told = earned(part(1, game=game, place=1, rivals=(Rival("other", 2),)), before=lambda person, order: steps[person])
    assert [one[1] for one in told if one[0] == "BDG-X-02"][-1:] == ([tier] if tier else [])
