"""Standings and tie-breaks: every value is the sum of its parts, in exact figures, under the edition of its day."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from league.tournament.field import Field, Kind, Row
from league.tournament.rulesets import RULESETS
from league.tournament.standings import standings
from league.tournament.tiebreaks import Book, value_of
from league.tournament.tiebreaks.codes import CODES
from league.tournament.tiebreaks.tables import DP, HIGHEST, dp, expected, half_up
from tests.league.tournament.build import HALF, stage

TOY = stage("ABCDE", "A1B C1D EU", "A=C B1E DZ", "AH B0C D1E")
"""The example of league-facts 4.4, with two more entrants so that everybody has a game: A wins, draws, asks for half a point."""


def value(field: Field, code: str, entrant: str, edition: str = "fide-2024-08") -> str:
    return value_of(Book(field, RULESETS[edition]), code, entrant).text


def ranks(field: Field, *codes: str, edition: str = "house-2026") -> dict[str, str]:
    return {row.entrant: row.place for row in standings(field, edition, codes).rows}


def toy() -> Field:
    """Return the toy of league-facts 4.4 as it is told: A 2.0 with a half-point bye, B 1.0 and C 1.5, all played."""
    field = stage("ABCXY", "A1B C=X YZ", "A=C B1Y XZ", "AH B0X C=Y")
    assert {one: str(points) for one, points in field.points().items() if one in "ABC"} == {
        "A": "2",
        "B": "1",
        "C": "3/2",
    }
    return field


@pytest.mark.parametrize(
    ("edition", "code", "told"),
    [
        ("fide-2024-08", "BH", "4.5"), ("fide-2026-03", "BH", "4"), ("fide-2024-08", "BH-C1", "2.5"),
        ("fide-2026-03", "BH-C1", "2.5"), ("fide-2024-08", "SB", "2.75"), ("fide-2026-03", "SB", "2.5"),
    ],
)  # fmt: skip
def test_the_toy_example_gives_its_figures_in_both_editions(edition: str, code: str, told: str) -> None:
    assert value(toy(), code, "A", edition) == told


def test_the_voluntary_bye_is_cut_first() -> None:
    parts = value_of(Book(toy(), RULESETS["fide-2024-08"]), "BH-C1", "A").addends
    assert [(one.round, one.rule, one.cut) for one in parts] == [
        (1, "opponent", False), (2, "opponent", False), (3, "dummy", True),
    ]  # fmt: skip


def test_how_a_bye_enters_sonneborn_berger_is_told_with_its_rule() -> None:
    """lila#13694: win against A (3), draw with B (2), bye, loss against C (4)."""
    field = stage(
        "PABCDE", "P1A B1D C1E", "P=B A1D C1E", "PU A1E B=D", "P0C A1B DZ", "A=C BZ DZ", "PZ B=D",
    )  # fmt: skip
    field = replace(field, rows=tuple(row for row in field.rows if row.round <= 4))
    points = {one: str(told) for one, told in field.points().items()}
    assert (points["A"], points["C"], points["P"]) == ("3", "3", "5/2")
    told = value_of(Book(field, RULESETS["fide-2024-08"]), "SB", "P")
    assert [(one.opponent, str(one.value), one.rule) for one in told.addends] == [
        ("A", "3", "times_result"), ("B", "1", "times_result"), ("", "5/2", "dummy_times_result"), ("C", "0", "times_result"),
    ]  # fmt: skip
    assert told.text == "6.5"


def test_an_absence_after_which_somebody_never_came_back_is_a_draw_for_the_opponents_and_nothing_for_themselves() -> (
    None
):
    field = stage("ABCD", "A1B C1D", "AZ B1C DU", "AZ B1D CU")
    assert str(field.points()["A"]) == "1"
    told = value_of(Book(field, RULESETS["fide-2024-08"]), "BH", "B")
    assert next(one.value for one in told.addends if one.opponent == "A") == 2
    back = stage("ABCD", "A1B C1D", "AZ B1C DU", "A1C B1D")
    told = value_of(Book(back, RULESETS["fide-2024-08"]), "BH", "B")
    assert next(one.value for one in told.addends if one.opponent == "A") == 2


def test_after_a_forfeit_the_dummy_of_2026_is_capped_by_the_opponent_who_was_to_be_met() -> None:
    field = stage("ABCD", "A1B C1D", "A+C B1D", "A1D B=C")
    told = value_of(Book(field, RULESETS["fide-2026-03"]), "BH", "A")
    assert [(one.round, str(one.value), one.rule) for one in told.addends] == [
        (1, "3/2", "opponent"), (2, "3/2", "dummy_capped"), (3, "0", "opponent"),
    ]  # fmt: skip


def test_a_tie_that_nothing_parts_is_shared() -> None:
    field = stage("ABCD", "A=B C=D", "A=C B=D")
    assert ranks(field, "BH", "SB") == dict.fromkeys("ABCD", "1=")


def test_direct_encounter_places_whoever_stays_on_top_whatever_the_missing_games_give() -> None:
    field = stage("ABCDEF", "A1B C1D E1F", "A1C B1E D1F", "A0E B1D C1F", "A0F B0C D1E")
    points = field.points()
    assert points["A"] == points["B"] == 2
    assert ranks(field, "DE")["C"] == "1"
    two = [row.entrant for row in standings(field, "house-2026", ["DE"]).rows if row.points == 2]
    assert two.index("A") < two.index("B")


def test_direct_encounter_of_three_in_a_circle_parts_nobody() -> None:
    assert ranks(stage("ABC", "A1B CU", "B1C AU", "C1A BU"), "DE") == dict.fromkeys("ABC", "1=")


def test_forfeits_are_no_encounter() -> None:
    field = stage("ABCD", "A+B C1D", "A0C B1D", "A1D B1C")
    assert value(field, "WON", "A") == "1"
    assert value(field, "WIN", "A") == "2"
    assert ranks(field, "DE") == {"A": "1=", "B": "1=", "C": "1=", "D": "4"}


def test_a_cut_that_leaves_nothing_is_undefined_and_stands_below_every_number() -> None:
    field = stage("ABCD", "A1B C1D")
    assert value(field, "BH-C1", "A") == "–"
    longer = stage("ABCD", "A1B C1D", "A1C B1D")
    assert value(longer, "BH-C1", "A") == "1"


def test_averages_of_ratings_round_a_half_up() -> None:
    assert [half_up(Fraction(text)) for text in ("2.5", "3.5", "2.4", "-0.5")] == [3, 4, 2, 0]
    field = stage("ABC", "A1B CU", "A1C BU", ratings={"B": 1500, "C": 1501})
    assert value(field, "ARO", "A") == "1501"
    assert value(field, "ARO-C1", "A") == "1501"


def test_the_tables_of_fide_hold_at_their_ends() -> None:
    assert (len(DP), len(HIGHEST)) == (51, 50)
    assert [dp(Fraction(share)) for share in ("1", "0.99", "0.5", "0.49", "0")] == [800, 677, 0, -7, -800]
    assert [str(expected(by)) for by in (0, 3, 4, -4, 735, 736)] == ["1/2", "1/2", "51/100", "49/100", "99/100", "1"]
    with pytest.raises(ValueError, match="between 0 and 1"):
        dp(Fraction(3, 2))


def test_performance_is_the_average_and_the_table_of_the_score() -> None:
    field = stage("ABCD", "A1B C1D", "A=C B1D", "A0D B=C", ratings={"B": 1500, "C": 1600, "D": 1700})
    assert value(field, "TPR", "A") == "1600"
    assert value(field, "PTP", "A") == "1599"


def test_match_win_percentage_has_a_floor_of_033_as_written() -> None:
    field = stage("ABCD", "A1B C1D", "A1C B1D", "A1D B=C", win=3, draw=Fraction(1))
    assert value(field, "MWP", "D", "mtr-2026-02") == "0.33"
    assert value(field, "MWP", "B", "mtr-2026-02") == "4/9"
    assert value(field, "OMW", "A", "mtr-2026-02") == str((Fraction(4, 9) * 2 + Fraction(33, 100)) / 3)


def test_the_own_bye_counts_in_the_own_percentage_and_is_no_opponent() -> None:
    field = stage("ABC", "A1B CU", "A1C BU", win=3, draw=Fraction(1))
    book = Book(field, RULESETS["mtr-2026-02"])
    assert value_of(book, "MWP", "C").text == "0.5"
    assert [one.opponent for one in value_of(book, "OMW", "C").addends] == ["A"]


def test_paths_are_compared_round_by_round() -> None:
    field = stage("ABCD", "A1B C1D", "A0C B1D", "A1D B1C")
    assert [row.entrant for row in standings(field, "wargame-2026", ["PATH"]).rows][:3] == ["C", "A", "B"]


def test_a_penalty_stands_whatever_the_results() -> None:
    field = stage("AB", "A1B", penalties=(("A", 1, HALF),))
    row = standings(field, "house-2026", []).rows[0]
    assert (row.entrant, row.points_text) == ("A", "0.5")
    assert [(one.rule, str(one.value)) for one in row.addends] == [("played", "1"), ("penalty", "-1/2")]
    drawn = stage("AB", "A=B", penalties=(("A", 1, HALF),))
    assert {one.entrant: one.points_text for one in standings(drawn, "house-2026", []).rows} == {"B": "0.5", "A": "0"}


def test_a_disqualified_entrant_leaves_the_standings_and_the_results_of_the_others_stay() -> None:
    field = stage("ABC", "A1B CU", "A1C BU", disqualified=frozenset({"A"}))
    told = standings(field, "house-2026", ["BH"])
    assert [(row.entrant, row.place) for row in told.rows] == [("B", "1="), ("C", "1=")]
    assert told.rows[0].values["BH"].text == "3"


def test_buchholz_is_not_defined_in_a_round_robin() -> None:
    assert value(stage("ABC", "A1B CU", system="round_robin"), "BH", "A") == "–"


def test_an_unknown_code_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(KeyError, match="no tie-break 'XX'; there are AOB"):
        standings(TOY, "house-2026", ["XX"])
    with pytest.raises(KeyError, match="no edition 'fide-1999'; there are fide-2024-08"):
        standings(TOY, "fide-1999", [])


def test_shares_of_the_table_are_exact() -> None:
    rows = tuple(
        Row(
            name,
            1,
            Kind.PLAYED,
            Fraction(5 - place),
            tuple(n for n in "ABC" if n != name),
            None,
            place,
            1,
            seat,
            3,
            Fraction(score),
        )
        for seat, (name, place, score) in enumerate((("A", 1, 10), ("B", 2, 7), ("C", 3, 4)))
    )
    field = replace(stage("ABC"), rows=rows, rounds=1, system="pods")
    assert [value(field, "VPS", one) for one in "ABC"] == ["10/21", "1/3", "4/21"]
    assert value(field, "RPTS", "B") == "1"
    assert value(field, "OPP-MP", "A") == "2.5"


@st.composite
def stages(draw: st.DrawFn) -> Field:
    """Return stages of any results among 4 to 9 entrants over 1 to 4 rounds."""
    names = "ABCDEFGHI"[: draw(st.integers(4, 9))]
    lines = []
    for _round in range(draw(st.integers(1, 4))):
        order = draw(st.permutations(names))
        pairs = [f"{order[at]}{draw(st.sampled_from('1=0+-x'))}{order[at + 1]}" for at in range(0, len(order) - 1, 2)]
        if len(order) % 2:
            pairs.append(order[-1] + draw(st.sampled_from("UHZF")))
        lines.append(" ".join(pairs))
    return stage(names, *lines, ratings={name: draw(st.integers(0, 2800)) for name in names})


@given(stages(), st.sampled_from(sorted(RULESETS)))
def test_every_sum_is_that_of_its_parts(field: Field, edition: str) -> None:
    book = Book(field, RULESETS[edition])
    for code in ("BH", "BH-C1", "BH-M1", "SB", "SB-C1", "PS", "PS-C1", "KS", "SOS", "STD", "WIN", "WON", "REP"):
        for entrant in book.entrants:
            told = value_of(book, code, entrant)
            kept = [one.value for one in told.addends if not one.cut]
            assert told.value == (sum(kept, Fraction(0)) if kept or not told.addends else None), code


@given(stages(), st.integers(0, 100))
def test_a_win_in_place_of_a_loss_never_lowers_the_own_rank(field: Field, at: int) -> None:
    lost = [row for row in field.rows if row.kind == Kind.PLAYED and row.outcome == "loss"]
    if not lost:
        return
    row = lost[at % len(lost)]
    turned = {(row.entrant, row.round): "win", (row.opponents[0], row.round): "loss"}
    rows = tuple(
        replace(one, outcome=turned[one.entrant, one.round], points=Fraction(turned[one.entrant, one.round] == "win"))
        if (one.entrant, one.round) in turned
        else one
        for one in field.rows
    )

    def rank(of: Field) -> int:
        return next(one.rank for one in standings(of, "house-2026", ["WIN", "WON"]).rows if one.entrant == row.entrant)

    assert rank(replace(field, rows=rows)) <= rank(field)


@given(stages())
def test_the_same_stage_has_the_same_standings_in_whatever_order_its_rows_come(field: Field) -> None:
    rows = list(field.rows)
    random.Random(1).shuffle(rows)
    codes = [*CODES, "DE"]
    one, other = (
        standings(field, "fide-2026-03", codes),
        standings(replace(field, rows=tuple(rows)), "fide-2026-03", codes),
    )
    assert [(row.entrant, row.place) for row in one.rows] == [(row.entrant, row.place) for row in other.rows]
