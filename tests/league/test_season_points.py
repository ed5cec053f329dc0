"""Seasons of tournaments: points by finish, what counts, divisions at the close, and champions."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import product

import pytest

from league import season_points
from league.season_points import (
    SCHEMES,
    Amendment,
    Division,
    Exchange,
    Final,
    Finish,
    Move,
    Placing,
    Playoff,
    Rule,
    Scheme,
    Slope,
    Snapshot,
    Standing,
    close,
    hall,
    moved,
    table,
    to_draw_level,
)

LIST = Scheme(Placing(tuple(map(Fraction, (10, 6, 4, 3, 2, 1)))))


def finish(person: str, event: int, place: int, **more: object) -> Finish:
    return Finish(f"e{event}", date(2026, event, 1), person, place, **{"players": 8, **more})


def worth(scheme: Scheme, **more: object) -> Fraction:
    one = finish("a", 1, **{"place": 1, **more})
    return sum((part.value for part in scheme.parts(one)), Fraction(0))


def told(rows: list[season_points.Row]) -> list[tuple[str, int, int, bool]]:
    return [(row.person, int(row.points), row.place, row.shared) for row in rows]


# Schemes


def test_without_a_list_a_place_is_worth_the_players_from_there_to_the_end() -> None:
    assert [worth(SCHEMES["players_behind"], place=place, players=3) for place in (1, 2, 3)] == [3, 2, 1]


def test_behind_the_end_of_a_list_a_place_is_worth_the_rest() -> None:
    assert [worth(SCHEMES["rank_7_5_3_1"], place=place) for place in range(1, 6)] == [7, 5, 3, 1, 0]
    assert worth(Scheme(Placing((Fraction(5),), rest=Fraction(1))), place=7) == 1


def test_those_who_share_ranks_get_the_points_of_the_best_or_split_those_of_all() -> None:
    assert worth(LIST, place=2, last=4) == 6
    split = Scheme(LIST.place, shared="split")
    assert worth(split, place=2, last=4) == Fraction(6 + 4 + 3, 3)
    assert worth(split, place=2) == 6


def test_three_points_for_each_win_until_the_first_loss() -> None:
    assert worth(SCHEMES["scorched_earth_2016"], place=5, wins_first=4) == 12


@pytest.mark.parametrize(
    ("players", "place", "points"), [(20, 1, 80), (20, 2, 76), (20, 20, 4), (50, 1, 90), (50, 26, 45)]
)
def test_a_top_of_base_and_players_falls_by_its_share_and_the_players_add_thirty_at_most(
    players: int, place: int, points: int
) -> None:
    assert worth(SCHEMES["kings_of_war_au_60"], players=players, place=place) == points


def test_a_top_may_grow_with_rounds_and_stays_an_exact_fraction() -> None:
    scheme = Scheme(Slope(base=Fraction(5), each_round=Fraction(2), each_player=Fraction(1)))
    assert worth(scheme, players=7, rounds=3, place=3) == Fraction((5 + 6 + 7) * 5, 7)


def test_place_first_wins_and_size_are_parts_of_one_sum_and_the_size_is_capped() -> None:
    scheme = Scheme(LIST.place, each_win=Fraction(1), each_round=Fraction(2), most_rounds=6)
    parts = scheme.parts(finish("a", 1, 2, wins_first=3, rounds=9))
    assert [(part.code, part.value) for part in parts] == [("place", 6), ("wins", 3), ("size", 12)]


# What counts


def three_of_six() -> list[Finish]:
    """B plays all six, A three of them."""
    return [
        *(finish("b", event, place) for event, place in enumerate((2, 2, 3, 3, 4, 4), 1)),
        *(finish("a", event, place) for event, place in ((1, 1), (3, 2), (5, 3))),
    ]


def counted(rows: list[season_points.Row], person: str) -> list[tuple[str, str]]:
    return [(line.event, line.counted) for row in rows if row.person == person for line in row.lines]


def test_of_the_best_four_of_six_three_count_of_whoever_played_three() -> None:
    rows = table(three_of_six(), Rule(LIST, best_n=4))
    assert told(rows) == [("a", 20, 1, False), ("b", 20, 2, False)]
    assert counted(rows, "a") == [("e1", "counts"), ("e3", "counts"), ("e5", "counts")]
    assert [state for _event, state in counted(rows, "b")] == ["counts"] * 4 + ["dropped"] * 2


def test_the_worst_two_of_six_with_absence_as_nought_are_absences() -> None:
    rows = table(three_of_six(), Rule(LIST, drop_n=2, absence_is_zero=True))
    assert [row.points for row in rows] == [20, 20]
    lines = next(row.lines for row in rows if row.person == "a")
    assert [(line.event, line.points, line.counted, line.finish is None) for line in lines] == [
        ("e1", 10, "counts", False),
        ("e2", 0, "counts", True),
        ("e3", 6, "counts", False),
        ("e4", 0, "dropped", True),
        ("e5", 4, "counts", False),
        ("e6", 0, "dropped", True),
    ]
    assert lines[1].parts == (season_points.Part("absent", Fraction(0)),)


def test_the_worst_two_of_those_played_leave_one_of_three() -> None:
    rows = table(three_of_six(), Rule(LIST, drop_n=2))
    assert told(rows) == [("b", 20, 1, False), ("a", 10, 2, False)]
    assert counted(rows, "a") == [("e1", "counts"), ("e3", "dropped"), ("e5", "dropped")]


def test_a_tournament_that_is_not_closed_is_shown_and_counts_nowhere_not_even_as_missed() -> None:
    finishes = [finish("a", 1, 1), finish("a", 2, 1, is_pending=True), finish("b", 1, 2)]
    rows = table(finishes, Rule(LIST, drop_n=0, absence_is_zero=True))
    assert told(rows) == [("a", 10, 1, False), ("b", 6, 2, False)]
    assert counted(rows, "a") == [("e1", "counts"), ("e2", "pending")]
    assert counted(rows, "b") == [("e1", "counts")]


def test_more_dropped_than_played_leaves_nothing() -> None:
    assert told(table([finish("a", 1, 1)], Rule(LIST, drop_n=3))) == [("a", 0, 1, False)]


def test_without_a_limit_everything_counts() -> None:
    assert table(three_of_six(), Rule(LIST))[0].points == 6 + 6 + 4 + 4 + 3 + 3


def test_equal_totals_are_parted_by_the_best_single_finish() -> None:
    scheme = Rule(LIST)
    rows = table([finish("a", 1, 2), finish("a", 2, 3), finish("b", 3, 1)], scheme)
    assert told(rows) == [("b", 10, 1, False), ("a", 10, 2, False)]


def test_then_by_the_next_best() -> None:
    values = Rule(Scheme(Placing(tuple(map(Fraction, (5, 4, 3, 2, 1))))))
    rows = table(
        [finish("a", 1, 1), finish("a", 2, 4), finish("a", 3, 4), finish("b", 1, 1), finish("b", 2, 2)], values
    )
    assert told(rows) == [("b", 9, 1, False), ("a", 9, 2, False)]


def test_then_by_fewer_tournaments_and_who_is_still_equal_shares_the_place() -> None:
    finishes = [finish("c", 1, 1), finish("c", 2, 8), finish("a", 1, 1), finish("b", 1, 1), finish("d", 1, 2)]
    rows = table(finishes, Rule(LIST))
    assert told(rows) == [("a", 10, 1, True), ("b", 10, 1, True), ("c", 10, 3, False), ("d", 6, 4, False)]


def test_a_better_finish_never_lowers_the_own_place() -> None:
    rules = [Rule(LIST), Rule(LIST, best_n=1), Rule(LIST, drop_n=1), Rule(LIST, drop_n=1, absence_is_zero=True)]
    for rule, places in product(rules, product(range(1, 5), repeat=4)):
        rows = table(_season(places), rule)
        better = table(_season((max(1, places[0] - 1), *places[1:])), rule)
        assert _place(better, "a") <= _place(rows, "a")


def _season(places: tuple[int, ...]) -> list[Finish]:
    return [finish(person, event, place) for (person, event), place in zip(product("ab", (1, 2)), places, strict=True)]


def _place(rows: list[season_points.Row], person: str) -> int:
    return next(row.place for row in rows if row.person == person)


def test_somebody_with_two_finishes_in_one_tournament_is_refused() -> None:
    with pytest.raises(ValueError, match="a has two finishes in e1"):
        table([finish("a", 1, 1), finish("a", 1, 2)])


def test_a_season_counts_by_one_rule() -> None:
    with pytest.raises(ValueError, match="not both"):
        Rule(best_n=2, drop_n=1)
    with pytest.raises(ValueError, match="drop_n is -1"):
        Rule(drop_n=-1)


@pytest.mark.parametrize("rule", [Rule(LIST), Rule(LIST, best_n=2), Rule(LIST, best_n=3), Rule(LIST, drop_n=1)])
def test_what_is_needed_to_draw_level_is_what_one_more_tournament_has_to_bring(rule: Rule) -> None:
    season = [finish("a", 1, 1), finish("a", 2, 1), finish("b", 1, 3), finish("b", 2, 4)]
    rows = table(season, rule)
    need = to_draw_level(rows[1], rows[0], rule)
    assert need > 0 and to_draw_level(rows[0], rows[1], rule) == 0

    def total(points: Fraction) -> Fraction:
        more = Rule(Scheme(Placing((*LIST.place.points, points))), rule.best_n, rule.drop_n)  # type: ignore[union-attr]
        after = table([*season, finish("b", 3, 7)], more)
        return next(row.points for row in after if row.person == "b")

    assert total(need) == rows[0].points
    assert total(need - Fraction(1, 2)) < rows[0].points


# Divisions


def division(name: str, people: str, games: int = 5) -> Division:
    return Division(name, tuple(Standing(one, place, games) for place, one in enumerate(people, 1)))


TWO = (division("first", "abcdef"), division("second", "uvwxyz"))


def ways(closing: season_points.Closing) -> dict[str, str]:
    return {move.person: move.reason for move in closing.moves}


def test_the_last_of_one_division_and_the_first_of_the_next_change_places() -> None:
    closing = close(TWO, Exchange(count=2))
    assert ways(closing) == {"u": "promoted", "v": "promoted", "e": "relegated", "f": "relegated"}
    assert {name: "".join(sorted(told)) for name, told in closing.members.items()} == {
        "first": "abcduv",
        "second": "efwxyz",
    }


def test_a_share_is_rounded_up() -> None:
    closing = close((division("first", "abcde"), division("second", "uvwxy")), Exchange(share=Fraction(1, 4)))
    assert sorted(ways(closing)) == ["d", "e", "u", "v"]


def test_in_a_division_between_two_some_move_up_and_others_down() -> None:
    closing = close((division("1", "ab"), division("2", "cde"), division("3", "fg")), Exchange(count=1))
    assert ways(closing) == {"b": "relegated", "c": "promoted", "e": "relegated", "f": "promoted"}


def test_nobody_moves_two_ways_out_of_a_division_of_one() -> None:
    closing = close((division("1", "ab"), division("2", "c"), division("3", "fg")), Exchange(count=1))
    assert ways(closing) == {"b": "relegated", "c": "promoted", "f": "promoted"}
    assert {name: len(told) for name, told in closing.members.items()} == {"1": 2, "2": 2, "3": 1}


def test_a_refused_promotion_goes_to_the_next_in_the_table() -> None:
    closing = close(TWO, Exchange(count=1), refused={"u"})
    assert ways(closing) == {"v": "promoted", "f": "relegated"}


def test_with_too_few_games_nobody_is_promoted() -> None:
    second = Division("second", (Standing("u", 1, games=2), Standing("v", 2, games=4)))
    closing = close((TWO[0], second), Exchange(count=1, least_games=3))
    assert ways(closing) == {"v": "promoted", "f": "relegated"}


def test_where_nobody_comes_up_nobody_has_to_go_down() -> None:
    closing = close(TWO, Exchange(count=2), refused=set("vwxyz"))
    assert ways(closing) == {"u": "promoted", "f": "relegated"}
    assert closing.spared == ("e",)


def test_if_somebody_leaves_who_was_promoted_the_best_of_the_relegated_stays() -> None:
    closing = close(TWO, Exchange(count=2), leaving={"u"})
    assert ways(closing) == {"u": "left", "v": "promoted", "f": "relegated"}
    assert closing.spared == ("e",)


def test_if_somebody_leaves_who_would_have_stayed_the_best_of_the_relegated_stays() -> None:
    closing = close(TWO, Exchange(count=2), leaving={"a"})
    assert ways(closing) == {"a": "left", "u": "promoted", "v": "promoted", "f": "relegated"}
    assert closing.spared == ("e",)


def test_if_somebody_leaves_who_was_relegated_nobody_is_spared() -> None:
    closing = close(TWO, Exchange(count=2), leaving={"f"})
    assert ways(closing) == {"f": "left", "u": "promoted", "v": "promoted", "e": "relegated"}
    assert closing.spared == ()


def test_the_third_last_plays_off_against_the_third_and_they_change_places_only_if_the_challenger_wins() -> None:
    rule = Exchange(count=2, playoffs=1)
    before = close(TWO, rule)
    assert before.playoffs == (Playoff("first", "second", "d", "w"),)
    assert "d" not in ways(before) and "w" not in ways(before)
    assert ways(close(TWO, rule, won={"d"})) == ways(before)
    after = ways(close(TWO, rule, won={"w"}))
    assert (after["d"], after["w"]) == ("playoff", "playoff")


def test_nobody_plays_off_upwards_and_downwards() -> None:
    closing = close((division("1", "abc"), division("2", "def"), division("3", "ghi")), Exchange(count=1, playoffs=1))
    assert closing.playoffs == (Playoff("1", "2", "b", "e"),)


def test_newcomers_start_where_they_are_put() -> None:
    closing = close(TWO, Exchange(), newcomers={"n": "second"})
    assert closing.members["second"] == ("u", "v", "w", "x", "y", "z", "n")
    with pytest.raises(ValueError, match="no division third, only first, second"):
        close(TWO, Exchange(), newcomers={"n": "third"})


def test_a_rating_leads_into_the_highest_division_whose_mean_it_reaches() -> None:
    divisions = [("first", [1900, 1700]), ("second", [1500, 0, 1400]), ("third", [])]
    told = season_points.by_rating({"a": 1800, "b": 1799, "c": 1450, "d": 1449, "e": 0}, divisions)
    assert told == {"a": "first", "b": "second", "c": "second", "d": "third", "e": "third"}


def test_a_division_with_too_few_members_is_merged_with_the_one_below_and_the_last_with_the_one_above() -> None:
    three = (division("1", "abc"), division("2", "d"), division("3", "efg"))
    assert close(three, Exchange(least_members=2)).members == {"1": ("a", "b", "c"), "3": ("e", "f", "g", "d")}
    last = (division("1", "abc"), division("2", "d"))
    assert close(last, Exchange(least_members=2)).members == {"1": ("a", "b", "c", "d")}


def test_an_empty_division_is_gone() -> None:
    assert close((division("1", "ab"), division("2", "")), Exchange(count=1)).members == {"1": ("a", "b")}


def test_somebody_in_two_divisions_is_refused() -> None:
    with pytest.raises(ValueError, match="there twice: a"):
        close((division("1", "ab"), division("2", "ac")), Exchange())


def test_the_moves_of_a_close_reversed_lead_back() -> None:
    closing = close(
        (*TWO, division("third", "q")),
        Exchange(count=2, playoffs=1, least_members=2),
        leaving={"a"},
        won={"w"},
        newcomers={"n": "second"},
    )
    assert {move.reason for move in closing.moves} >= {"promoted", "relegated", "playoff", "left", "new"}
    back = moved(closing.members, [move.reversed for move in reversed(closing.moves)])
    assert {name: sorted(people) for name, people in back.items() if people} == {
        "first": list("abcdef"),
        "second": list("uvwxyz"),
        "third": ["q"],
    }


def test_a_reversed_move_goes_the_other_way() -> None:
    assert Move("a", "1", None, "left").reversed == Move("a", None, "1", "left")


# Closed seasons


def closed(season: int, *champions: str, at_seq: int = 1) -> Snapshot:
    return Snapshot(
        str(season),
        date(season, 12, 1),
        at_seq,
        (*(Final(one, 1, Fraction(10)) for one in champions), Final("z", 9, Fraction(1))),
    )


def test_a_snapshot_keeps_the_table_and_the_number_of_the_event() -> None:
    rows = table([finish("a", 1, 1), finish("b", 1, 2)], Rule(LIST))
    kept = season_points.snapshot(rows, season="2026", on=date(2026, 12, 1), at_seq=77)
    assert kept.places == (Final("a", 1, Fraction(10)), Final("b", 2, Fraction(6)))
    assert kept.at_seq == 77 and kept.champions == ("a",)


def test_a_correction_after_the_close_amends_the_list_and_leaves_the_kept_one() -> None:
    kept = Snapshot(
        "s", date(2026, 1, 1), 5, (Final("a", 1, Fraction(10)), Final("b", 2, Fraction(6)), Final("c", 3, Fraction(4)))
    )
    now = Snapshot(
        "s", date(2026, 1, 1), 9, (Final("b", 1, Fraction(10)), Final("a", 2, Fraction(6)), Final("d", 3, Fraction(4)))
    )
    assert season_points.amendments(kept, now) == (
        Amendment("b", kept.places[1], now.places[0]),
        Amendment("a", kept.places[0], now.places[1]),
        Amendment("d", None, now.places[2]),
        Amendment("c", kept.places[2], None),
    )
    assert season_points.amendments(kept, kept) == ()


def test_the_hall_lists_most_titles_first_and_who_had_so_many_first() -> None:
    told = hall([closed(2025, "a"), closed(2021, "a"), closed(2022, "b"), closed(2023, "b"), closed(2024, "c")])
    assert [(one.person, one.seasons, one.titles, one.in_a_row) for one in told] == [
        ("b", ("2022", "2023"), 2, 2),
        ("a", ("2021", "2025"), 2, 1),
        ("c", ("2024",), 1, 1),
    ]


def test_a_shared_title_is_one_for_each() -> None:
    assert [(one.person, one.titles) for one in hall([closed(2024, "a", "b")])] == [("a", 1), ("b", 1)]


def test_of_an_amended_season_the_later_list_is_in_the_hall() -> None:
    assert [one.person for one in hall([closed(2024, "b", at_seq=9), closed(2024, "a", at_seq=5)])] == ["b"]
