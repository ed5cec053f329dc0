"""The commands of ``python -m rulesengine``: answers, exit codes, and never a traceback."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rulesengine import notation
from rulesengine.__main__ import main
from rulesengine.play import play

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "hexwar"
CLEAN = GOLDEN / "two_shores_four_rounds.log.txt"
FOUND = GOLDEN / "with_findings.log.txt"
HEADER = {"log": "annals/1", "game": "hexwar", "played_on": "2026-11-28", "seats": [{"seat": "A"}, {"seat": "B"}]}


class Answer(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> Callable[..., Answer]:
    """Run a command in this process; `raw` is the content of the file that stands for ``-``."""

    def answer(*arguments: object, raw: bytes | None = None) -> Answer:
        given = [str(one) for one in arguments]
        if raw is not None:
            path = tmp_path / "raw"
            path.write_bytes(raw)
            given = [str(path) if one == "-" else one for one in given]
        capfdbinary.readouterr()
        code = main(given)
        out, err = capfdbinary.readouterr()
        return Answer(code, out.decode(), err.decode())

    return answer


def outside(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command as people do, in a process of its own."""
    command = [sys.executable, "-m", "rulesengine", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, input=stdin, capture_output=True, check=False)


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*rows: object, name: str = "match.jsonl", **header: object) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in ({**HEADER, **header}, *rows)))
        return path

    return write


def test_check_answers_with_0_1_or_2() -> None:
    assert main(["check", str(CLEAN)]) == 0
    assert main(["check", str(FOUND)]) == 1
    assert main(["check", str(ROOT / "no such file")]) == 2


def test_check_tells_a_tired_organizer_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(CLEAN)]) == 0
    said = capsys.readouterr().out
    assert "Ada Moreau" in said
    assert "1. A, 2. B" in said
    assert "Nothing found" in said
    assert main(["check", str(FOUND)]) == 1
    said = capsys.readouterr().out
    assert "2 entries: cannot have happened like this: correct the file" in said
    assert "have the referee accept it" in said
    assert "HW-23 says: One building action a turn" in said


def test_check_folds_what_follows_under_its_cause(run: Callable[..., Answer], file: Callable[..., Path]) -> None:
    ends = [{"type": "turn_ended", "seat": seat} for seat in "AB"]
    recruit = {"type": "unit_recruited", "seat": "A", "data": {"building": "b1", "type": "horsemen"}}
    ride = {"type": "unit_moved", "seat": "A", "data": {"unit": "u3", "path": [[-1, 0]]}}
    answer = run("check", file(recruit, *ends, ride, *ends))
    assert "1 entry: a rule forbids it" in answer.out
    assert "settled with it: line 5" in answer.out
    assert "HWH-43" not in answer.out


def test_check_names_the_line_to_begin_with_and_puts_its_kind_first(run: Callable[..., Answer], tmp_path: Path) -> None:
    rows = notation.write(play("kingsburg", seed=3, seats=3), "jsonl").splitlines(keepends=True)
    (number, roll) = next((number, row) for number, row in enumerate(rows) if b'"dice_rolled"' in row)
    rows[number] = re.sub(rb'"coloured":\[(.),(.),.\]', rb'"coloured":[\1,\2]', roll)  # one die was not written down
    path = tmp_path / "evening.jsonl"
    path.write_bytes(b"".join(rows))
    said = run("check", path).out
    assert f"Begin with line {number + 1}, and check again" in said
    assert said.index("a rule forbids it") < said.index("cannot have happened like this")


@pytest.mark.parametrize(
    ("type_", "data", "expected"),
    [
        (
            "town_hall_used",
            {"pay": "silver"},
            '"pay" has the value \'silver\'; "gold", "plus_two", "stone" or "wood" was expected',
        ),
        ("enemy_revealed", {"custom": {"kind": "orks"}}, '"dragons", "goblins", "orcs" or "zombies" was expected'),
        ("soldiers_recruited", {"soldiers": 1, "pay": {"silver": 1}}, "pay may have gold, wood, stone"),
        ("enemy_revealed", {"custom": {"kind": "orcs"}}, "custom needs kind, strength, victory, defeat"),
    ],
)
def test_a_wrong_word_is_told_what_may_stand_there(
    run: Callable[..., Answer], file: Callable[..., Path], type_: str, data: dict[str, object], expected: str
) -> None:
    answer = run("check", file({"type": type_, "seat": "A", "data": data}, game="kingsburg"))
    assert expected in answer.out


def test_a_wrong_option_is_told_as_the_file_has_it(run: Callable[..., Answer], file: Callable[..., Path]) -> None:
    said = run("check", file(game="robberknights", options={"tile_capacity": True})).out
    assert "tile_capacity is true; 4 or null (no limit) was expected" in said
    said = run("check", file(game="robberknights", options={"grid": {"2": 1}})).out
    assert 'grid is {"2": 1}; an object with' in said


def test_check_shows_how_a_running_void_or_disputed_match_stands(
    capsys: pytest.CaptureFixture[str], file: Callable[..., Path]
) -> None:
    dispute = {"type": "dispute_opened", "seat": "A", "data": {"about_seq": 1}}
    for rows, expected in (
        ([], "still running, A to play"),
        ([{"type": "match_annulled"}], "void and counts for nothing"),
        ([{"type": "time_called"}, dispute], "has ended: 1. A, 1. B. Open disputes: seq 2."),
    ):
        assert main(["check", str(file(*rows))]) == 0
        assert expected in capsys.readouterr().out


def test_check_as_json_is_the_whole_report(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["check", str(FOUND), "--json"]) == 1
    told = json.loads(capfdbinary.readouterr().out)
    assert [one["rule"] for one in told["findings"]] == ["HWH-44", "HW-22", "HWH-26", "HWH-43", "HW-23", "HW-36"]
    assert told["findings"][0]["message"].endswith("Possible instead: one of farm, town, fort, mine, port")


def test_replay_answers_with_state_consequences_and_placements(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["replay", str(CLEAN), "--at", "3", "--json"]) == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert list(told) == ["at", "state", "consequences", "placements"]
    assert told["at"] == 3
    assert told["placements"] == []
    assert told["state"]["turn_player"] == "B"
    assert told["consequences"][-1] == {"after": 3, "type": "turn_started", "data": {"seat": "B", "round": 1}}
    assert main(["replay", str(CLEAN), "--json"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["placements"] == [
        {"seat": "A", "place": 1},
        {"seat": "B", "place": 2},
    ]


def test_replay_for_people_ends_with_the_placements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(CLEAN)]) == 0
    said = capsys.readouterr().out
    assert "     3  turn_started" in said
    assert "Placements: 1. A, 2. B" in said
    assert main(["replay", str(FOUND)]) == 1
    assert "6 findings on the way" in capsys.readouterr().out


@pytest.mark.parametrize("at", ["-1", "28"])
def test_a_position_that_is_not_there_is_named_with_those_that_are(at: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(CLEAN), f"--at={at}"]) == 2
    assert "seqs 0 (the set-up) to 27" in capsys.readouterr().err


def test_legal_lists_what_may_be_recorded_next(
    capfdbinary: pytest.CaptureFixture[bytes], file: Callable[..., Path]
) -> None:
    assert main(["legal", str(CLEAN), "--at", "0", "--json"]) == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert told["at"] == 0
    assert {"type": "turn_ended", "seat": "A", "data": {}} in told["events"]
    for one in told["events"]:
        assert main(["check", str(file(one))]) == 0
    capfdbinary.readouterr()
    assert main(["legal", str(CLEAN), "--at", "0"]) == 0
    assert b"A unit_moved unit=u1 path=[[-1,0]]" in capfdbinary.readouterr().out
    assert main(["legal", str(CLEAN)]) == 0
    assert b"Nothing: The match has ended" in capfdbinary.readouterr().out


@pytest.mark.parametrize("form", notation.FORMS)
def test_convert_writes_every_form(form: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["convert", str(CLEAN), "--to", form]) == 0
    written = capfdbinary.readouterr().out
    assert notation.form_of(written) == form
    assert notation.canonical(notation.parse(written)) == notation.canonical(notation.parse(CLEAN.read_bytes()))


def test_a_log_with_broken_lines_is_not_converted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(HEADER) + "\n{nonsense\n")
    assert main(["convert", str(path), "--to", "csv"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "line 2" in told.err


def test_play_writes_a_whole_legal_match_that_check_reads_from_a_pipe() -> None:
    played = outside("play", "hexwar", "--seed", 7)
    assert (played.returncode, played.stderr) == (0, b"")
    checked = outside("check", "-", "--json", stdin=played.stdout)
    told = json.loads(checked.stdout)
    assert (checked.returncode, told["status"], told["findings"]) == (0, "ended", [])


def test_a_seed_is_a_match_and_takes_less_than_a_second(run: Callable[..., Answer]) -> None:
    began = time.process_time()
    played = run("play", "hexwar", "--seed", 7)
    assert time.process_time() - began < 1
    assert run("play", "hexwar", "--seed", "7").out == played.out
    assert run("play", "hexwar", "--seed", "8").out != played.out


def test_play_takes_edition_seats_player_and_options(run: Callable[..., Answer]) -> None:
    played = run(
        "play", "hexwar", "--edition", "hexwar-1", "--seats", 3, "--player", "greedy", "--max-events", 9,
        "--option", "max_rounds=2", "--option", "map=HW-M2",
    )  # fmt: skip
    log = notation.parse(played.out.encode())
    assert len(log.header.seats) == 3
    assert log.header.options == {"max_rounds": 2, "map": "HW-M2"}
    assert len(log.lines) == 9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["chek", "x"], "chek"),
        (["check"], "FILE"),
        (["check", "."], "Is a directory"),
        (["replay", "x", "--at", "soon"], "soon"),
        (["convert", "x", "--to", "pdf"], "pdf"),
        (["play", "chess"], "known are kingsquare, hexwar"),
        (["play", "hexwar", "--edition", "hexwar-9"], "hexwar-1"),
        (["play", "hexwar", "--seats", "9"], "HWH-37"),
        (["play", "hexwar", "--option", "speed=2"], "HWH-40"),
        (["play", "hexwar", "--option", "speed"], "KEY=VALUE"),
        (["play", "hexwar", "--option", "max_rounds=1.5"], "whole numbers"),
    ],
)
def test_a_wrong_request_ends_with_2_and_a_sentence(
    arguments: list[str], said: str, run: Callable[..., Answer]
) -> None:
    answer = run(*arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.parametrize(
    ("raw", "code", "said"),
    [
        (b"", 2, "empty"),
        (b"hello", 2, "no match log"),
        (b"\x00\x01\x02", 2, "no text file"),
        (b'{"log": "annals/9"}', 2, "annals/1"),
        (json.dumps({**HEADER, "game": "chess"}).encode(), 2, "moves are read of kingsquare"),
        (json.dumps({**HEADER, "rules": "hexwar-0"}).encode(), 2, "the editions of hexwar are hexwar-1"),
        (json.dumps({**HEADER, "options": {"map": "X"}}).encode(), 1, "HWH-37"),
        (json.dumps(HEADER).encode() + b"\n" + b"[" * 10_000, 1, "line 2"),
        (json.dumps(HEADER).encode() + b'\n{"type": "turn_ended", "seat": "A", "data": {"n": NaN}}', 1, "NaN"),
        (json.dumps(HEADER).encode() + b'\n{"type": "turn_ended", "seat": "A", "note": "\\u001b[31m"}', 1, "line 2"),
        (json.dumps({**HEADER, "title": "a\tb"}).encode(), 0, "Nothing found"),
    ],
)
def test_bad_files_are_answered_in_words(raw: bytes, code: int, said: str, run: Callable[..., Answer]) -> None:
    answer = run("check", "-", raw=raw)
    assert answer.code == code, answer
    assert said in (answer.err if code == 2 else answer.out)
    assert "\x1b" not in answer.out + answer.err


@pytest.mark.parametrize("command", [["replay"], ["legal"], ["legal", "--json"], ["convert", "--to", "csv"]])
def test_every_command_refuses_what_is_no_log(command: list[str], run: Callable[..., Answer]) -> None:
    answer = run(*command, "-", raw=b"hello")
    assert (answer.code, answer.out) == (2, "")


def test_no_traceback_reaches_a_terminal() -> None:
    answer = outside("check", "-", stdin=b"hello")
    assert answer.returncode == 2
    assert answer.stdout == b""
    assert answer.stderr.startswith(b"rulesengine: this is no match log")


def test_a_position_of_a_header_that_cannot_be_played_is_refused(
    file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["legal", str(file(options={"map": "X"}))]) == 2
    assert "HWH-37" in capsys.readouterr().err


def test_a_reader_that_stops_reading_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "rulesengine", "replay", str(GOLDEN / "four_winds_rich_start.log.txt")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_a_large_file_is_checked_in_little_memory(tmp_path: Path) -> None:
    """200,000 events, the most a log may hold, in less than 500 MiB."""
    path = tmp_path / "large.jsonl"
    moves = ("[[-1,0]]", "[[-2,0]]")
    with path.open("w") as out:
        out.write(json.dumps({**HEADER, "options": {"max_rounds": 500}}) + "\n")
        for seq in range(1, 200_001):
            if seq <= 3000:
                turn, part = divmod(seq - 1, 3)
                seat, unit = ("A", "u1") if turn % 2 == 0 else ("B", "u2")
                way = moves if seat == "A" else ("[[1,0]]", "[[2,0]]")
                row = f'"unit_moved", "seat": "{seat}", "data": {{"unit": "{unit}", "path": {way[part % 2]}}}'
                if part == 2:
                    row = f'"turn_ended", "seat": "{seat}", "data": {{}}'
            else:
                row = f'"dispute_opened", "seat": "A", "data": {{"about_seq": {seq - 1}, "text": "is this right?"}}'
            out.write(f'{{"seq": {seq}, "type": {row}}}\n')
    measured = (
        "import resource, subprocess, sys\n"
        "code = subprocess.run([sys.executable, '-m', 'rulesengine', 'check', sys.argv[1], '--json'],"
        " stdout=subprocess.DEVNULL).returncode\n"
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    answer = subprocess.run([sys.executable, "-c", measured, str(path)], cwd=ROOT, capture_output=True, check=True)
    code, kibibytes = map(int, answer.stdout.split())
    assert code == 0
    assert kibibytes < 500 * 1024
