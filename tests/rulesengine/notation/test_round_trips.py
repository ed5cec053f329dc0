"""The law: canonical(parse(write(log))) is the same bytes for every form."""

from __future__ import annotations

import pytest
from hypothesis import given

from rulesengine.log import Log
from rulesengine.notation import FORMS, Form, canonical, form_of, match_id, parse, write
from tests.rulesengine.notation import logs


@pytest.mark.parametrize("form", FORMS)
@given(log=logs.logs)
def test_every_form_holds_all_of_a_log(form: Form, log: Log) -> None:
    raw = write(log, form)
    back = parse(raw)
    assert back.form == ()
    assert canonical(back) == canonical(log)
    assert form_of(raw) == form


@given(log=logs.logs)
def test_a_match_is_the_same_match_in_every_form(log: Log) -> None:
    assert {match_id(parse(write(log, form))) for form in FORMS} == {match_id(log)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", sorted(logs.SAMPLES))
def test_real_logs_survive_every_form(name: str, form: Form) -> None:
    log = parse(logs.SAMPLES[name])
    assert log.form == ()
    assert len(log.lines) == len(logs.SAMPLES[name].splitlines()) - 1
    back = parse(write(log, form))
    assert back.form == ()
    assert canonical(back) == canonical(log)
    assert match_id(back) == match_id(log)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", sorted(logs.SAMPLES))
def test_line_ends_of_windows_and_a_byte_order_mark_change_nothing(name: str, form: Form) -> None:
    log = parse(logs.SAMPLES[name])
    raw = write(log, form).replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")
    assert canonical(parse(raw)) == canonical(log)
    assert canonical(parse(raw.replace(b"\n", b"\r\n"))) == canonical(log)
    assert canonical(parse(b"\xef\xbb\xbf" + raw)) == canonical(log)
    assert canonical(parse(raw.rstrip(b"\n"))) == canonical(log)


@given(log=logs.logs)
def test_details_keep_the_order_they_were_written_in(log: Log) -> None:
    for form in FORMS:
        back = parse(write(log, form))
        assert [list(line.payload()) for line in back.lines] == [list(line.payload()) for line in log.lines]


@given(log=logs.logs)
def test_no_cell_of_a_spreadsheet_begins_like_a_formula(log: Log) -> None:
    import csv
    import io

    for row in csv.reader(io.StringIO(write(log, "csv").decode("utf-8-sig"), newline="")):
        for cell in row:
            assert cell[:1] not in ("=", "+", "@", "\t", "\r") and not (cell[:1] == "-" and not cell[1:].isdigit())
