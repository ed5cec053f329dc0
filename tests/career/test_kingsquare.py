"""Careers out of whole matches of KingSquare, recorded as a table's file would be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from uuid import uuid5

import pytest
from msgspec.structs import replace

from career import selectors
from career.models import Award, SeatDigest, Standing
from career.services import catch_up
from league import services as leagues
from matches.models import Match
from rulesengine import notation
from rulesengine.log import Log
from tests.career.conftest import SPACE, Circle

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "kingsquare"


def golden(name: str, *handles: str, league: bool = True) -> Log:
    """Return a golden match as these members would have played it, without its signatures: players sign on the site."""
    log = notation.parse((GOLDEN / f"{name}.log.txt").read_bytes(), name="match.log.txt")
    header = replace(
        log.header,
        id=str(uuid5(SPACE, f"{name} {handles}")),
        seats=tuple(replace(seat, player=handle) for seat, handle in zip(log.header.seats, handles, strict=True)),
        officials=(),
        context={"league": "winter"} if league else {},
    )
    kept = [line for line in log.lines if line.type != "result_signed"]
    return Log(header, tuple(replace(line, seq=seq) for seq, line in enumerate(kept, 1)))


def played(table: Circle, name: str, *handles: str, confirm: bool = True, **how: bool) -> Match:
    match = table.record(golden(name, *handles, **how), confirm=confirm)
    while catch_up():
        pass
    return match


def badges_of(table: Circle, handle: str) -> set[tuple[str, str, int]]:
    """Return the awards of somebody that stand: badge, tier and the entry that earned it."""
    rows = Award.objects.filter(person_id=table.people[handle].pk).exclude(status=Award.Status.WITHDRAWN)
    return {(row.badge, row.tier, row.evidence[0]["seq"]) for row in rows}


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:
    """Return a league whose members joined before the matches were played."""
    made = circle("ada", "bo", "cy", "dee", "fen")
    for person in made.people.values():
        person.memberships.update(since=date(2026, 1, 1))
    return made


def test_a_general_has_the_match_the_credit_and_what_is_shared(table: Circle) -> None:
    match = played(table, "two_generals", "ada", "bo")
    rows = {str(row.person_id): (row.role, row.seat, row.place) for row in SeatDigest.objects.filter(match_id=match.pk)}
    assert rows == {
        str(table.people["ada"].pk): ("player", "A", 1),
        str(table.people["bo"].pk): ("player", "B", 2),
        str(table.people["dee"].pk): ("general", "A", 1),
        str(table.people["fen"].pk): ("general", "B", 2),
    }
    credits = {
        handle: [one["rule"] for one in Standing.objects.get(pk=table.people[handle].pk).credits]
        for handle in ("ada", "dee", "fen")
    }
    assert credits == {"ada": ["ROD-10"], "dee": ["ROD-13"], "fen": ["ROD-13"]}
    right_hand = {badge for badge, _tier, _seq in badges_of(table, "dee")}
    assert "BDG-KS-18" in right_hand
    assert "BDG-KS-18" not in {badge for handle in ("ada", "fen") for badge, _tier, _seq in badges_of(table, handle)}
    history = selectors.history(table.people["dee"])
    assert any("as General" in line["text"] for line in history)


def test_a_general_who_is_no_member_of_the_league_is_nobodys_career(table: Circle) -> None:
    leagues.League.objects.get(slug="winter").members.filter(person=table.people["dee"]).delete()
    match = played(table, "two_generals", "ada", "bo")
    assert not SeatDigest.objects.filter(match_id=match.pk, person_id=table.people["dee"].pk).exists()
    assert SeatDigest.objects.filter(match_id=match.pk, role="general").count() == 1


def test_the_general_of_a_friendly_is_nobodys_career(table: Circle) -> None:
    match = played(table, "two_generals", "ada", "bo", confirm=False, league=False)
    assert not SeatDigest.objects.filter(match_id=match.pk, role="general").exists()


def test_a_forfeit_is_told_and_not_credited(table: Circle) -> None:
    match = played(table, "the_long_table", "ada", "bo", "cy", "dee", "fen", confirm=False)
    row = SeatDigest.objects.get(match_id=match.pk, person_id=table.people["cy"].pk)
    assert (row.forfeited, row.confirmed) == (True, False)
    assert not Standing.objects.get(pk=table.people["cy"].pk).matches
    assert any("forfeited" in line["text"] for line in selectors.history(table.people["cy"]))


def test_a_defeated_king_counts_for_the_career_of_whoever_defeated_him(table: Circle) -> None:
    played(table, "three_crowns_one_ford", "ada", "bo", "cy")
    earned = {(badge, tier) for badge, tier, _seq in badges_of(table, "ada")}
    assert ("BDG-KS-17", "bronze") in earned
    assert ("BDG-KS-06", "gold") in {(badge, tier) for badge, tier, _seq in badges_of(table, "bo")}


