"""How people and spreadsheets write a log by hand, and what it means."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from rulesengine.log import Log, Seat
from rulesengine.notation import FORMS, canonical, form_of, match_id, parse, write
from tests.rulesengine.notation import logs

SCRIBE = b"""# Winter open, table 4
[Game "hexwar"]
[Rules "hexwar-1"]
[Played "2026-11-28"]   # a Saturday
[Seat "A" "Ada Moreau" ada colour=red]
[Seat B]
[Official referee "Gia Romano"]
[Option max_rounds 4]
[Option variant_name "rich start"]
[Context round 2]

1. A unit_moved unit=u1 path=[[-1, 0], [0,0]] @at=2026-11-28T14:03:22-06:00
# the clock was stopped here
2. A unit_recruited building=b1 type=horsemen  # for the castle
3. - match_paused reason="a # is no comment in a text" @as=scribe @note="tea"
4. B odd text="4" yes=true no="true" none=null word=4th number=4 empty="" "a key"=1
"""


def test_scribe_text_reads_as_the_format_says() -> None:
    log = parse(SCRIBE)
    assert log.form == ()
    head = log.header
    assert (head.game, head.rules, head.played_on) == ("hexwar", "hexwar-1", "2026-11-28")
    assert head.seats == (Seat("A", "Ada Moreau", "ada", colour="red"), Seat("B"))
    assert head.options == {"max_rounds": 4, "variant_name": "rich start"}
    assert head.context == {"round": 2}
    assert [(line.seq, line.seat, line.type, line.number) for line in log.lines] == [
        (1, "A", "unit_moved", 12),
        (2, "A", "unit_recruited", 14),
        (3, None, "match_paused", 15),
        (4, "B", "odd", 16),
    ]
    assert log.lines[0].payload() == {"unit": "u1", "path": [[-1, 0], [0, 0]]}
    assert log.lines[0].at == "2026-11-28T14:03:22-06:00"
    assert (log.lines[2].acting_as, log.lines[2].note) == ("scribe", "tea")
    assert log.lines[2].payload() == {"reason": "a # is no comment in a text"}
    assert log.lines[3].payload() == {
        "text": "4", "yes": True, "no": "true", "none": None, "word": "4th", "number": 4, "empty": "", "a key": 1,
    }  # fmt: skip


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be-mark"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_what_spreadsheets_write_is_read(separator: str, encoding: str, ends: str) -> None:
    text = (
        f"#Game{separator}hexwar{separator}{separator}\n#Played{separator}2026-11-28\n#Seat{separator}A{separator}Zoë\n"
        f"#Option{separator}max_rounds{separator}4\n#Option{separator}open{separator}TRUE\n"
        f"#Option{separator}variant_name{separator}rich start\n{separator}{separator}\n"
        f"Type{separator}Seat{separator}Data{separator}Note{separator}\n"
        f'unit_moved{separator}A{separator}"unit=u1 path=[[-1,0],[0,0]]"{separator}{separator}\n'
        f"{separator}{separator}{separator}{separator}\n"
        f'match_paused{separator}-{separator}"reason=""tea; or, coffee"""{separator}"one{separator} two"\n'
    ).replace("\n", ends)
    raw = b"\xfe\xff" + text.encode("utf-16-be") if encoding == "utf-16-be-mark" else text.encode(encoding)
    log = parse(raw)
    assert form_of(raw) == "csv"
    assert log.form == ()
    assert log.header.seats == (Seat("A", "Zoë"),)
    assert log.header.options == {"max_rounds": 4, "open": True, "variant_name": "rich start"}
    assert [(line.seq, line.type, line.seat) for line in log.lines] == [
        (1, "unit_moved", "A"),
        (2, "match_paused", None),
    ]
    assert log.lines[0].payload() == {"unit": "u1", "path": [[-1, 0], [0, 0]]}
    assert log.lines[1].payload() == {"reason": "tea; or, coffee"}
    assert log.lines[1].note == f"one{separator} two".strip()
    assert [line.number for line in log.lines] == [9, 11]


def test_a_note_over_two_lines_of_a_cell_is_one_note() -> None:
    raw = b'#Game,hexwar\n#Played,2026-11-28\nseq,type,note\n1,turn_ended,"one\ntwo"\n2,turn_ended,\n'
    log = parse(raw)
    assert [(line.note, line.number) for line in log.lines] == [("one\ntwo", 4), (None, 6)]


def test_the_name_of_a_file_does_not_outweigh_its_content() -> None:
    for form in FORMS:
        raw = write(parse(SCRIBE), form)
        assert {form_of(raw, name) for name in ("", "a.jsonl", "a.csv", "a.log.txt")} == {form}


def test_a_comment_that_looks_like_a_row_of_csv_is_told_by_what_follows() -> None:
    raw = b"#Game, set and match\n" + SCRIBE
    assert form_of(raw) == form_of(raw, "a.log.txt") == "text"
    assert form_of(b'#Title,"x\n[Game of ours]"\n#Game,hexwar\n', "a.csv") == "csv"


def test_a_missing_and_an_empty_value_are_the_same() -> None:
    bare = logs.HEADER.encode() + b'\n{"seq": 1, "type": "turn_ended"}\n'
    full = (
        logs.HEADER[:-1]
        + ', "title": "", "id": null, "timezone": "UTC", "depth": "log", "officials": [], "options": {}, "context": null}\n'
        '{"type": "turn_ended", "seat": null, "note": "", "as": null, "at": null, "data": {}, "salts": {}}\n'
    ).encode()
    assert canonical(parse(full)) == canonical(parse(bare))
    assert match_id(parse(full)) == match_id(parse(bare))


def test_canonical_form_is_sorted_and_without_spaces() -> None:
    raw = logs.HEADER.encode() + b'\n\n{ "data": {"b": "\\u00e9", "a": [1, 2]}, "type": "turn_ended" }\r\n'
    assert canonical(parse(raw)).decode().split("\n") == [
        '{"game":"hexwar","log":"annals/1","played_on":"2026-11-28","rules":"hexwar-1",'
        '"seats":[{"name":"Ada Moreau","seat":"A"},{"seat":"B"}]}',
        '{"data":{"a":[1,2],"b":"é"},"seq":1,"type":"turn_ended"}',
        "",
    ]


def test_the_id_of_the_header_is_the_match() -> None:
    raw = logs.HEADER.replace("{", '{"id": "0193B2F0-5C0E-7A31-9C55-0D7C2B1F4A10", ', 1).encode()
    assert str(match_id(parse(raw))) == "0193b2f0-5c0e-7a31-9c55-0d7c2b1f4a10"


def test_the_identity_of_a_match_without_id_never_changes() -> None:
    assert str(match_id(parse(logs.SAMPLES["hexwar-legal_three_capes"]))) == "58b62b15-5abc-59ad-8c36-fea4c7c7d42f"


def test_another_event_makes_another_match() -> None:
    log = parse(SCRIBE)
    assert match_id(log) != match_id(Log(log.header, log.lines[:-1]))


def test_what_an_export_adds_leaves_the_match_the_same() -> None:
    plain = logs.HEADER + '\n{"seq": 1, "type": "turn_ended"}'
    export = (
        plain[:-1]
        + f', "by": "x", "recorded_at": "2026-11-28T20:00:00Z", "hash": "{64 * "0"}", "salts": {{"note": "s"}}}}'
    )
    log = parse(export.encode())
    assert (log.lines[0].by, log.lines[0].salts) == ("x", {"note": "s"})
    assert match_id(log) == match_id(parse(plain.encode()))
    assert canonical(log) != canonical(parse(plain.encode()))


@pytest.mark.parametrize(
    "piece",
    ['"', "\\", '\\"', "[", "{", '{"a":', "[[", "]", " ", "x=", 'x="', "a ", "1", "-", "@", "#", ",", '""', '"",'],
)
@pytest.mark.parametrize(
    "start", ['{"seq":1,"type":"x","data":', "1. A x y=", "1. A x ", "#Title,", '1,x,"y=', "[Title "]
)
def test_no_line_takes_long_to_refuse(piece: str, start: str) -> None:
    heads = {
        "{": logs.HEADER + "\n",
        "1": "[Game hexwar]\n[Played 2026-11-28]\n",
        "#": "#Game,hexwar\n",
        "[": "[Game hexwar]\n",
    }
    head = "#Game,hexwar\n#Played,2026-11-28\nseq,type,data\n" if start.startswith("1,") else heads[start[0]]
    raw = (head + start + piece * (60_000 // len(piece)) + "\n").encode()
    began = time.process_time()
    try:
        parse(raw)
    except Exception as error:
        assert type(error).__name__ == "Unreadable"
    assert time.process_time() - began < 2


def test_a_log_of_200_000_events_stays_small_in_memory() -> None:
    row = b'{"seq": %d, "type": "unit_moved", "seat": "A", "data": {"unit": "u1", "path": [[-1, 0], [0, 0]]}}\n'
    raw = logs.HEADER.encode() + b"\n" + b"".join(row % seq for seq in range(1, 200_001))
    tracemalloc.start()
    try:
        log = parse(raw)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(log.lines) == 200_000
    assert peak < 200 * 2**20
