"""`manage.py tournament ID --json`."""

from __future__ import annotations

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.league.directing.conftest import SWISS, Day

EIGHT = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]


def _told(*args: str, **options: Any) -> str:
    out = StringIO()
    call_command("tournament", *args, stdout=out, **options)
    return out.getvalue()


def test_a_whole_tournament_comes_as_json(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.pair()
    told.result(1, 1, 2)
    told.result(2, 1, 2, confirm=False)
    made = json.loads(_told("winter-open", "--json"))
    assert made == json.loads(_told(str(told.tournament.pk), "--json"))
    assert made["at_seq"] == told.state.seq
    (stage,) = made["stages"]
    assert [one["round"] for one in stage["rounds"]] == [1, 2]
    assert [(one["table"], one["state"]) for one in made["outstanding"]] == [(2, "entered"), (3, "open"), (4, "open")]
    answer = client.get("/api/tournaments/winter-open/standings/").json()
    assert stage["standings"] == answer["standings"]


def test_as_of_an_entry_it_is_as_it_was(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    seq, before = told.state.seq, json.loads(_told("winter-open", "--json"))
    told.play()
    assert json.loads(_told("winter-open", "--json", "--at", str(seq))) == before


def test_a_prepared_round_is_not_in_it(day: type[Day]) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.pair(publish=False)
    made = json.loads(_told("winter-open", "--json"))
    assert [one["round"] for one in made["stages"][0]["rounds"]] == [1]


def test_without_json_it_is_a_table(day: type[Day]) -> None:
    told = day(EIGHT[:4], [SWISS])
    told.play()
    told.pair()
    text = _told("winter-open")
    assert "Winter open (winter-open, running)" in text
    assert len(re.findall(r"^    1=  \w+ Berg: 1  BH 0  SB 0$", text, re.MULTILINE)) == 2
    assert "Round 2, table 1 is open" in text


def test_what_is_not_there_is_said(day: type[Day]) -> None:
    day(EIGHT[:2], [SWISS])
    with pytest.raises(CommandError, match="There is no tournament 'nowhere'"):
        _told("nowhere", "--json")
    with pytest.raises(CommandError, match="There is no entry 99"):
        _told("winter-open", at=99)
    with pytest.raises(CommandError, match="give --at or --live"):
        _told("winter-open", at=1, live=True)
