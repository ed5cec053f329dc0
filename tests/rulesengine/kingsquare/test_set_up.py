"""The set-up from a header (8.1): what is read, and the one finding about a header that cannot be played."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from rulesengine import replay
from rulesengine.kingsquare.state import State
from rulesengine.log import Header, Line, Log, Seat


def header(*seats: Seat, day: str = "2026-11-28", rules: str | None = None, **more: Any) -> Header:
    """Return a header with these seats, by default those of Ada and Bo."""
    chosen = seats or (Seat("A", "Ada"), Seat("B", "Bo"))
    return Header("annals/1", "kingsquare", day, chosen, rules=rules, **more)


def position(head: Header) -> State:
    told = replay.run(Log(head, ()))
    assert not told.findings, told.findings
    state: State = told.state
    return state


def finding(head: Header) -> replay.Finding:
    """Return the one finding of a header that cannot be played; nothing of the log is replayed."""
    line = Line(1, "capital_founded", "A", b'{"castle":"C1"}', number=2)
    report = replay.report(Log(head, (line,)))
    (found,) = report.findings
    assert (found.line, found.seq, found.type, found.seat, found.kind) == (1, None, None, None, "form")
    shown = report.as_json()
    assert (shown["status"], shown["accepted"], shown["result"], shown["placements"]) == ("setup", 0, None, [])
    return found


def test_a_header_alone_is_a_match_not_yet_started() -> None:
    state = position(header())
    assert (state.status, state.round, state.phase, state.turn_kingdom) == ("setup", 0, None, None)
    assert (state.turn_order, list(state.kingdoms)) == (("A", "B"), ["A", "B"])


@pytest.mark.parametrize(
    ("day", "edition"), [("2026-07-05", "KS-V3"), ("2026-07-11", "KS-V4"), ("2026-11-28", "KS-V5")]
)
def test_a_match_is_played_under_the_rules_of_the_day_on_which_it_starts(day: str, edition: str) -> None:
    # A match begun on 2026-07-11 at 23:30 ends after midnight: its day is the one in the header.
    assert position(header(day=day)).setup.edition == edition
    assert position(header(day=day, rules=edition)).setup.edition == edition


def test_ksh_83_another_edition_than_that_of_the_day_needs_a_reason() -> None:
    found = finding(header(rules="KS-V4"))
    assert (found.rule, found.nearest) == ("KSH-83", "KS-V5, or no version at all")
    assert finding(header(rules="KS-V4", options={"rules_reason": " "})).rule == "KSH-83"
    assert position(header(rules="KS-V4", options={"rules_reason": "league rules"})).setup.edition == "KS-V4"


@pytest.mark.parametrize("options", [{"end.round": 6}, {"end.rounds": -1}, {"ap.base": 3}, {"capture": "everything"}])
def test_ksh_83_an_option_that_cannot_be_played_under(options: dict[str, Any]) -> None:
    assert finding(header(options=options)).rule == "KSH-83"


def test_ksh_01_the_number_of_kingdoms() -> None:
    seats = [Seat(letter, f"player {letter}") for letter in "ABCDEFGHI"]
    assert finding(header(seats[0])).rule == "KSH-01"
    assert finding(header(*seats)).rule == "KSH-01"
    assert len(position(header(*seats, options={"seats.max": 9})).kingdoms) == 9
    assert finding(header(*seats[:2], options={"seats.min": 3})).rule == "KSH-01"
    assert finding(header(Seat("A", "Ada"), Seat("A", "Bo"))).rule == "KSH-01"


def test_param_seats_min_and_seats_max_bound_the_number_of_kingdoms() -> None:
    three = [Seat(letter, f"player {letter}") for letter in "ABC"]
    assert finding(header(*three, options={"seats.max": 2})).rule == "KSH-01"
    assert finding(header(*three[:2], options={"seats.min": 3})).rule == "KSH-01"


def test_ks_32_every_king_starts_at_level_1_in_the_newest_edition() -> None:
    high = (Seat("A", "Ada", king_level=4), Seat("B", "Bo", king_level=1))
    assert finding(header(*high)).rule == "KS-32"
    early = position(header(*high, day="2026-07-05"))
    assert {seat: one.king.level for seat, one in early.kingdoms.items()} == {"A": 4, "B": 1}


def test_param_setup_handicap_lets_kings_start_higher_in_casual_matches() -> None:
    high = (Seat("A", "Ada", king_level=4), Seat("B", "Bo"))
    assert position(header(*high, options={"setup.handicap": "recorded"})).kingdoms["A"].king.level == 4
    found = finding(header(*high, options={"setup.handicap": "recorded"}, context={"league": "north"}))
    assert found.rule == "KSH-83"


@pytest.mark.parametrize(
    "seats",
    [
        (Seat("A", "Ada"), Seat("B", "Ada")),
        (Seat("A", "Ada", "ada"), Seat("B", "Bo", "ada")),
        (Seat("A", "Ada", "ada", general={"name": "Ada", "player": "ada"}), Seat("B", "Bo")),
        (Seat("A", "Ada", general={"name": "Bo"}), Seat("B", "Bo")),
        (Seat("A", "Ada", general={"name": "Gil"}), Seat("B", "Bo", general={"name": "Gil"})),
        (Seat("A", "Ada", general="Gil"), Seat("B", "Bo")),
        (Seat("A", "Ada", general={"nick": "Gil"}), Seat("B", "Bo")),
        (Seat("A", "Ada", general={}), Seat("B", "Bo")),
    ],
)
def test_ks_47_each_person_is_king_or_general_of_one_kingdom(seats: tuple[Seat, ...]) -> None:
    assert finding(header(*seats)).rule == "KS-47"


def test_ks_47_there_is_no_general_in_person_before_the_newest_edition() -> None:
    seats = (Seat("A", "Ada", general={"name": "Gil"}), Seat("B", "Bo"))
    assert position(header(*seats)).kingdoms["A"].general_person == "Gil"
    assert finding(header(*seats, day="2026-07-11")).rule == "KS-47"


def test_of_several_breaches_the_first_in_the_order_of_the_page_is_told() -> None:
    head = header(Seat("A", "Ada", king_level=3, general="x"), rules="KS-V4")
    assert finding(head).rule == "KSH-83"
    assert finding(replace(head, rules=None)).rule == "KSH-01"
    assert finding(replace(head, rules=None, seats=(*head.seats, Seat("B", "Bo")))).rule == "KS-32"


SPELLED = [
    ("match_created", {"title": "x", "rules_version": "KS-V1"}),
    ("seat_taken", {"seat": "Z"}),
    ("seat_released", {}),
    ("official_assigned", {"person": 3}),
    ("official_released", {"role": "king"}),
    ("rules_overridden", {"key": "ap.base", "new": 9}),
    ("turn_order_set", {"order": ["B", "A"]}),
]


@pytest.mark.parametrize(("type_", "data"), SPELLED)
def test_a_set_up_that_a_file_spells_out_is_not_read_and_not_stored(type_: str, data: dict[str, Any]) -> None:
    lines = (Line(1, type_, None, msgspec.json.encode(data), number=2), *_founded(2))
    log = Log(header(), lines)
    told = replay.report(log)
    assert told.findings == ()
    assert told.replay.state.turn_order == ("A", "B")
    stored, seqs = replay.strip(log)
    assert [line.type for line in stored.lines] == ["capital_founded", "capital_founded", "match_started"]
    assert seqs == {2: 1, 3: 2, 4: 3}


@pytest.mark.parametrize(("type_", "data"), SPELLED)
def test_u_1_a_set_up_is_spelled_out_before_the_start(type_: str, data: dict[str, Any]) -> None:
    late = Line(4, type_, None, msgspec.json.encode(data), number=5)
    (found,) = replay.report(Log(header(), (*_founded(1), late))).findings
    assert (found.seq, found.rule, found.kind) == (4, "U-1", "impossible")


def _founded(first: int) -> tuple[Line, ...]:
    entries = (("capital_founded", "A", b'{"castle":"C1"}'), ("capital_founded", "B", b'{"castle":"C2"}'))
    lines = [Line(seq, type_, seat, data, number=seq + 1) for seq, (type_, seat, data) in enumerate(entries, first)]
    return (*lines, Line(first + 2, "match_started", None, b"{}", number=first + 3))


@pytest.mark.parametrize(
    ("data", "differs"),
    [
        (b"{}", False),
        (b'{"kingdom":"A","round":1}', False),
        (b'{"kingdom":"B","round":1}', True),
        (b'{"kingdom":"A","round":2}', True),
    ],
)
def test_a_turns_start_in_a_file_is_compared(data: bytes, differs: bool) -> None:
    line = Line(4, "turn_started", None, data, number=5)
    found = replay.report(Log(header(), (*_founded(1), line))).findings
    assert [(one.seq, one.rule, one.kind) for one in found] == ([(4, "KSH-02", "observed")] if differs else [])


def test_a_consequence_in_a_file_is_looked_for_by_its_type_and_id() -> None:
    to_act = (Line(4, "phase_advanced", "A", b'{"to":"move"}'), Line(5, "phase_advanced", "A", b'{"to":"act"}'))
    for data, rules in ((b"{}", []), (b'{"id":"A","amount":99}', []), (b'{"id":"B"}', ["KSH-89"])):
        log = Log(header(), (*_founded(1), *to_act, Line(6, "ap_granted", None, data)))
        assert [one.rule for one in replay.report(log).findings] == rules
        assert len(replay.strip(log)[0].lines) == 5
    log = Log(header(), (*_founded(1), *to_act, Line(6, "king_defeated", None, b"{}")))
    assert [(one.kind, one.rule) for one in replay.report(log).findings] == [("observed", "KSH-89")]
