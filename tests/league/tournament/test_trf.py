"""FIDE's report files: what is read, what is refused and where, and that a stage comes back as it was written."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from league.tournament import trf
from league.tournament.field import Field, Kind
from tests.league.tournament.build import stage
from tests.league.tournament.test_standings import stages, toy

HEAD = "012 Winter open\n022 Berlin\nXXR 3\n"


def line(number: int, name: str, points: str, *cells: str, rating: int = 0) -> str:
    front = f"001 {number:>4}      {name:<33} {rating or '':>4}"
    return f"{front:<80}{points:>4} {number:>4}" + "".join("  " + cell for cell in cells)


TWO = (line(1, "Moreau, Ada", "1.0", "   2 w 1", rating=1900), line(2, "Lindqvist, Bo", "0.0", "   1 b 0"))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_they_like(ends: str) -> None:
    told = trf.read(ends.join([*HEAD.strip().split("\n"), *TWO]).encode())
    assert told.head["name"] == "Winter open"
    assert (told.field.rounds, told.field.planned, len(told.field.rows)) == (1, 3, 2)
    assert [(one.name, one.rating) for one in told.field.entrants] == [("Moreau, Ada", 1900), ("Lindqvist, Bo", 0)]
    assert told.notes == ()


def test_latin_1_is_read_and_said() -> None:
    raw = "\n".join(["012 Zürich", *TWO]).encode("latin-1")
    told = trf.read(raw)
    assert told.head["name"] == "Zürich"
    assert told.notes[0].startswith("not UTF-8 (byte 5)")
    assert trf.read(b"\xef\xbb\xbf" + "\n".join(TWO).encode()).notes == ()


def test_kinds_of_rounds_without_a_game_are_kept_apart() -> None:
    lines = [
        line(1, "A", "2.5", "0000 - U", "0000 - F", "0000 - H"),
        line(2, "B", "1.0", "   3 w +", "        ", "0000 - Z"),
        line(3, "C", "1.0", "   2 b -", "   4 w -", "   4 w 1"),
        line(4, "D", "0.0", "0000 - Z", "   3 b -", "   3 b 0"),
    ]
    rows = trf.read("\n".join(lines).encode()).field.rows_of()
    assert [row.kind for row in rows["1"]] == [Kind.ALLOCATED_BYE, Kind.FULL_BYE, Kind.HALF_BYE]
    assert [row.kind for row in rows["2"]] == [Kind.FORFEIT_WIN, Kind.ABSENT, Kind.ABSENT]
    assert [row.kind for row in rows["3"]] == [Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT, Kind.PLAYED]
    assert [str(row.points) for row in rows["1"]] == ["1", "1", "1/2"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "no line with code 001"),
        (b"012 x\n", "no line with code 001"),
        (b"001    1", "line 1, column 8: a player's line has at least 84 columns"),
        (line(1, "A", "x").encode(), "line 1, column 81: 'x' are no points"),
        (line(0, "A", "0").encode(), "line 1, column 5: the starting number is 0"),
        (f"{TWO[0]}\n{TWO[0]}".encode(), "line 2, column 5: the starting number 1 is there twice, first in line 1"),
        (line(1, "A", "1", "   9 w 1").encode(), "line 1, column 92: the opponent 9 is no player"),
        (line(1, "A", "1", "   1 w 1").encode(), "does not meet themselves"),
        ("\n".join([line(1, "A", "1", "   2 w 1"), line(2, "B", "1", "   1 b 1")]).encode(), "do not fit together"),
        ("\n".join([line(1, "A", "1", "   2 w 1"), line(2, "B", "0", "0000 - Z")]).encode(), "does not name 1"),
        (line(1, "A", "1", "   2 x 1").encode(), "line 1, column 97: the colour 'x'"),
        (line(1, "A", "1", "   2 w ?").encode(), "line 1, column 99: the result '?'"),
        (line(1, "A", "1", "0000 - 1").encode(), "needs an opponent"),
        (b"001 \x00", "zero bytes"),
        ("\n".join([*TWO, "XXZ 7"]).encode(), "the starting number 7 is named, and there is no such player"),
        (b"XXR many", "line 1, column 5: the number of rounds is 'many'"),
        (b"1" * (trf.MOST_BYTES + 1), "bytes; at most"),
    ],
)
def test_what_cannot_be_is_refused_with_line_and_column(raw: bytes, told: str) -> None:
    with pytest.raises(trf.Malformed) as refused:
        trf.read(raw)
    assert told in str(refused.value)


def test_other_codes_are_kept_and_those_of_2026_are_known() -> None:
    told = trf.read("\n".join([*TWO, "132 2026/11/28", "162 W 1.0", "142 5", "999 what"]).encode())
    assert told.edition == "2026"
    assert told.field.planned == 5
    assert told.kept == ("132 2026/11/28", "999 what")


def test_a_last_column_without_a_game_is_the_coming_round_and_who_stands_in_it_is_away() -> None:
    lines = [
        line(1, "A", "1.0", "   2 w 1", "0000 - Z"), line(2, "B", "0.0", "   1 b 0"), line(3, "C", "1.0", "   4 w 1"),
        line(4, "D", "0.0", "   3 b 0", "0000 - H"),
    ]  # fmt: skip
    told = trf.read("\n".join(lines).encode())
    assert (told.field.rounds, len(told.field.rows)) == (1, 4)
    assert told.absent == {1, 4}
    assert told.notes == ()


def test_the_points_of_a_file_of_2026_are_read() -> None:
    told = trf.read(
        "\n".join(["162  W 3.0    D 1.0", line(1, "A", "3.0", "   2 w 1"), line(2, "B", "0.0", "   1 b 0")]).encode()
    )
    assert (told.field.win, told.field.draw, told.notes) == (3, 1, ())


def test_points_that_do_not_fit_the_results_are_said() -> None:
    told = trf.read(f"{line(1, 'A', '3.0', '0000 - U')}\n".encode())
    assert told.notes == ("player 1: the file says 3 points, the results make 1",)


def test_the_points_of_the_stage_come_from_the_file() -> None:
    field = stage("AB", "A1B", win=3)
    told = trf.read(trf.write(replace(field, draw=field.loss + 1)))
    assert (told.field.win, told.field.draw) == (3, 1)
    assert told.field.points() == {"1": 3, "2": 0}


def test_a_table_of_more_than_two_has_no_place_in_the_format() -> None:
    field = stage("AB", "A1B")
    with pytest.raises(ValueError, match="games of two"):
        trf.write(replace(field, rows=tuple(replace(row, size=4) for row in field.rows)))


def test_a_name_cannot_make_a_line_of_its_own() -> None:
    field = stage("AB", "A1B")
    raw = trf.write(field, names={"A": "Eve\r\n001    9 x", "B": "Bo"})
    assert raw.decode().count("\r\n001") == 2


@given(stages(), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["2016", "2026"]))
def test_a_stage_comes_back_as_it_was_written(field: Field, ends: str, edition: str) -> None:
    told = trf.read(trf.write(field, ends=ends, edition=edition))  # type: ignore[arg-type]
    number = {one.id: str(one.number) for one in field.entrants}
    assert told.notes == ()

    def plain(of: Field, ids: dict[str, str]) -> list[tuple[object, ...]]:
        return sorted(
            (
                ids.get(row.entrant, row.entrant), row.round, str(trf.LOST.get(row.kind, row.kind)), row.points,
                tuple(ids.get(one, one) for one in row.opponents), row.outcome,
            )
            for row in of.rows
        )  # fmt: skip

    assert plain(told.field, {}) == plain(field, number)


def run(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "open.trf"
    path.write_bytes(trf.write(toy()))
    return str(path)


def test_the_standings_of_a_file_are_printed_and_told_as_json(file: str) -> None:
    told = json.loads(run("standings", file, "--edition", "fide-2024-08", "--tiebreaks", "BH,BH-C1,SB,DE", "--json"))
    assert told["edition"] == "fide-2024-08"
    first = next(row for row in told["rows"] if row["number"] == 1)
    assert first["points"] == "2"
    assert {code: first["tiebreaks"][code]["value"] for code in ("BH", "BH-C1", "SB")} == {
        "BH": "4.5",
        "BH-C1": "2.5",
        "SB": "2.75",
    }
    assert [one["cut"] for one in first["tiebreaks"]["BH-C1"]["addends"]] == [False, False, True]
    assert "2.75" in run("standings", file, "--edition", "fide-2024-08", "--tiebreaks", "SB")


def test_the_next_round_of_a_file_is_paired_by_each_system(file: str) -> None:
    for system in ("swiss", "dutch", "round_robin"):
        told = json.loads(run("pair", file, "--system", system, "--json"))
        assert told["round"] == 4
        numbers = [one for pair in told["pairs"] for one in pair] + ([told["bye"]] if told["bye"] else [])
        assert len(numbers) == len(set(numbers))
        assert run("pair", file, "--system", system) == run("pair", file, "--system", system)


def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "none.trf"
    with pytest.raises(CommandError, match="cannot be read"):
        run("pair", str(path))
    path.write_bytes(b"hello")
    with pytest.raises(CommandError, match="no line with code 001"):
        run("standings", str(path))
    path.write_bytes(trf.write(toy()))
    with pytest.raises(CommandError, match="no tie-break 'XX'"):
        run("standings", str(path), "--tiebreaks", "XX")
