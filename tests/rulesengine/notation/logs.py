"""Random logs that hold everything a log may hold."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from rulesengine.log import GAMES, MAX_INTEGER, ROLES, Header, Line, Log, Official, Seat

HEADER = (
    '{"log": "annals/1", "game": "hexwar", "rules": "hexwar-1", "played_on": "2026-11-28", '
    '"seats": [{"seat": "A", "name": "Ada Moreau"}, {"seat": "B"}]}'
)
PLAIN = Header("annals/1", "hexwar", "2026-11-28", (Seat("A", "Ada Moreau"), Seat("B")), rules="hexwar-1")

TRICKY = (
    "", " ", "a b", '"', '""', '"quoted"', '"a" and "b"', "'", "\\", "\\n", "a\nb", "a\r\nb", "\r", "\t", ",", ";", "a;b,c",
    "=SUM(A1)", "+1", "-1", "-", "@here", "#", "# no comment", "#Game,hexwar", "4", "007", "1e5", "1.5", "-0", "true",
    "TRUE", "null", "None", "NaN", "[", "]", "{}", "[1]", "[Game x]", "1. A turn_ended", "key=value", "@note=x", "ä",
    "\u2028", "\u00a0", "\ufeff", "😀", "\ue000", "2026-11-28", "28.11.2026", "a\u0300", '":', '" :', '\\":', "\\u0022:",
)  # fmt: skip

_signs = st.characters(exclude_categories=("Cs", "Cc"), include_characters="\t\n\r")
texts = st.sampled_from(TRICKY) | st.text(_signs, max_size=12)
words = texts.filter(bool)
numbers = st.integers(-MAX_INTEGER, MAX_INTEGER) | st.integers(-9, 9)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, values, max_size=4)
uuids = st.uuids().map(str) | st.uuids().map(lambda uuid: str(uuid).upper())
YEARS = date(1000, 1, 1), date(9998, 12, 31)
days = st.dates(*YEARS).map(str)
zones = st.sampled_from(("UTC", "America/Chicago", "Europe/Vienna", "Etc/GMT+5"))
times = st.builds(
    lambda moment, offset, short: moment.isoformat(timespec="minutes" if short else "auto") + offset,
    st.datetimes(datetime(1000, 1, 1), datetime(9998, 12, 31)),
    st.sampled_from(("", "Z", "+05:30", "-06:00")),
    st.booleans(),
)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


letters = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
seats = st.builds(
    Seat, letters, texts, player=maybe(words), kingdom=maybe(words), colour=maybe(words), general=maybe(values)
)
officials = st.builds(Official, st.sampled_from([role for role in ROLES if role != "general"]), texts, maybe(words))


@st.composite
def headers(draw: st.DrawFn) -> Header:
    depth = draw(st.sampled_from(("log", "log", "score", "import")))
    return Header(
        log="annals/1",
        game=draw(st.sampled_from(GAMES) if depth == "log" else st.sampled_from(("chess", "7-wonders", "4"))),
        played_on=draw(days),
        seats=tuple(draw(st.lists(seats, max_size=4))),
        id=draw(maybe(uuids)),
        rules=draw(maybe(words)) if depth == "log" else None,
        timezone=draw(zones),
        title=draw(maybe(texts)),
        officials=tuple(draw(st.lists(officials, max_size=3))),
        options=draw(objects),
        context=draw(objects),
        depth=depth,
    )


types = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True) | st.sampled_from(("true", "null", "turn_ended"))
events = st.builds(
    Line,
    st.just(0),
    types,
    maybe(letters),
    objects.map(msgspec.json.encode),
    maybe(times),
    maybe(st.sampled_from(ROLES)),
    maybe(uuids),
    maybe(texts),
    maybe(words),
    maybe(times),
    maybe(st.from_regex(r"[0-9a-f]{64}", fullmatch=True)),
    maybe(st.dictionaries(texts, texts, max_size=2)),
)


def numbered(head: Header, lines: list[Line]) -> Log:
    kept: list[Line] = []
    seen: set[str] = set()
    for line in lines:
        if line.id is None or line.id.lower() not in seen:
            seen.add((line.id or "").lower())
            kept.append(msgspec.structs.replace(line, seq=len(kept) + 1))
    return Log(head, tuple(kept))


logs = st.builds(numbered, headers(), st.lists(events, max_size=6))


def samples() -> dict[str, bytes]:
    """Return real logs of the four games by name, as JSON Lines."""
    folder = Path(__file__).parent / "samples"
    return {path.stem: path.read_bytes() for path in sorted(folder.glob("*.jsonl"))}


SAMPLES = samples()
