"""Whatever the bytes, reading them gives a log or Unreadable, and a log without findings can be written and read again."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from rulesengine.log import Unreadable
from rulesengine.notation import FORMS, canonical, form_of, jsonl, match_id, parse, write
from rulesengine.notation.envelope import event
from rulesengine.notation.values import Malformed, load
from tests.rulesengine.notation import logs

WRITTEN = [write(parse(raw), form) for raw in logs.SAMPLES.values() for form in FORMS]
PIECES = (
    b'"', b"'", b"\\", b"\\u", b"\\ud800", b"\\u0000", b"[", b"]", b"{", b"}", b",", b";", b":", b"=", b"#", b"@", b"-", b".",
    b"\n", b"\r", b"\t", b" ", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xc2\x85", b"NaN", b"1e400", b"9" * 400, b"1.0", b"null",
    b'"seq":1,', b'"type":"x",', b'"data":{},', b'{"a":1,"a":2}', b"[" * 40, b'{"a":' * 40, b"[Game chess]\n", b"#Game,x\n",
    b"seq,type\n", b"1. A x\n", b"@note=", b'@salts={"a":1}', b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xff\xfe",
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    raw = draw(st.sampled_from(WRITTEN))[: draw(st.sampled_from((300, 700, 2000)))]
    for _change in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(raw)))
        upto = at + draw(st.sampled_from((0, 0, 1, 2, 10, 100)))
        raw = raw[:at] + draw(st.sampled_from(PIECES) | st.binary(max_size=4)) + raw[upto:]
    return raw


def reads(raw: bytes, name: str = "") -> None:
    try:
        log = parse(raw, name=name)
    except Unreadable as error:
        assert error.message
        return
    assert [line.seq for line in log.lines] == sorted({line.seq for line in log.lines})
    canonical(log)
    match_id(log)
    if not log.form:
        for form in FORMS:
            written = write(log, form)
            assert form_of(written) == form
            assert canonical(parse(written)) == canonical(log)


@given(raw=st.binary(max_size=400), name=st.sampled_from(("", "a.jsonl", "a.log.txt", "a.csv")))
@example(raw=b"\xff\xfe", name="")
@example(raw=b"\xff\xfe{\x00", name="")
@example(raw=b"\xff\xfe#\x00G", name="")
@example(raw=b"#Game,", name="")
@example(raw=b"[Game", name="")
@example(raw=b"{", name="")
def test_any_bytes_give_a_log_or_unreadable(raw: bytes, name: str) -> None:
    reads(raw, name)


@given(raw=mutated())
def test_damaged_logs_give_a_log_or_unreadable(raw: bytes) -> None:
    reads(raw)


@given(
    text=st.text(max_size=300),
    start=st.sampled_from((logs.HEADER + "\n", "[Game hexwar]\n[Played 2026-11-28]\n1. A x ", "#Game,hexwar\n")),
)
def test_any_text_after_a_good_start_gives_a_log_or_unreadable(text: str, start: str) -> None:
    reads((start + text).encode("utf-8", "surrogatepass"))


@given(raw=mutated())
def test_the_fast_way_takes_no_line_that_the_exact_way_refuses(raw: bytes) -> None:
    for row in raw.split(b"\n"):
        made = None if jsonl.has_long_number(row) else jsonl.fast(row, 1)
        if made is not None:
            assert made == event(load(row.decode()), 1)


ITEMS = st.recursive(
    st.sampled_from((b"1", b'"a"', b'"\\":"', b'"\\" :"', b'"\\u0022:"', b'"a\\u0022:b"', b"null", b'"::"', b'" :"')),
    lambda inner: st.lists(st.tuples(st.sampled_from((b'"a"', b'"b"', b'"\\u0061"', b'":"')), st.sampled_from((b":", b" :", b": ")), inner), max_size=3)
    .map(lambda pairs: b"{" + b",".join(b"".join(pair) for pair in pairs) + b"}"),
    max_leaves=8,
)  # fmt: skip


@given(data=ITEMS)
def test_no_key_that_stands_twice_slips_through(data: bytes) -> None:
    row = b'{"seq":1,"type":"x","data":' + data + b"}"
    try:
        exact = event(load(row.decode()), 1)
    except Malformed:
        exact = None
    made = jsonl.fast(row, 1)
    assert made is None or made == exact
