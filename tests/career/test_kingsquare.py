"""Careers out of whole matches of KingSquare, recorded as a table's file would be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from uuid import uuid5

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from msgspec.structs import replace

from career import selectors
from career.models import Award, SeatDigest, Standing
from career.services import catch_up, rebuild
from league import services as leagues
from matches import selectors as match_selectors
from matches import services
from matches.models import Match
from rulesengine import notation, replay
from rulesengine.log import Header, Line, Log, Seat
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


def attack_of_530(*handles: str) -> tuple[Log, int, int]:
    """Return a match in which A attacks with 530 and then with 240, and the seqs of the two attacks."""
    entries: list[tuple[str | None, str, dict[str, object]]] = []

    def do(seat: str | None, type_: str, **data: object) -> int:
        entries.append((seat, type_, data))
        return len(entries)

    def act(seat: str) -> None:
        for phase in ("move", "act"):
            do(seat, "phase_advanced", to=phase)

    do(None, "beast_placed", **{"beast": "worm", "class": "dangerous", "at": {"field": "ford"}})
    for seat in "AB":
        do(seat, "capital_founded", castle=f"C{seat}", farm=f"f{seat}")
    do(None, "match_started")
    for path in ("kingdoms.A.king.level", "castles.CA.level", "buildings.fA.level"):
        do(None, "state_adjusted", path=path, old=1, new=10)
    act("A")
    for id_, kind in (("m", "lumber_mill"), ("b", "barracks"), ("q", "quarry")):
        do("A", "building_built", building=id_, kind=kind, castle="CA", direct=True)
    do("A", "building_upgraded", building="q", to_level=2)
    do("A", "building_built", building="g", kind="war_forge", castle="CA", direct=True)
    for id_, most in (("g", 5), ("b", 10)):
        for level in range(2, most + 1):
            do("A", "building_upgraded", building=id_, to_level=level)
    do("A", "turn_ended")
    act("B")
    do("B", "turn_ended")
    do("A", "troops_produced", building="b", count=100, soldier_level=5, army="a1")
    act("A")
    do("A", "beast_engaged", attackers=["a1"], beast="worm", distances_ft10={"a1": 9})
    do("A", "unit_forwarded", units=["a1"], to={"castle": "CB"}, off_ft10=50, on_ft10=0, mode="land")
    farm, castle = {"kind": "building", "id": "fB"}, {"kind": "castle", "id": "CB"}
    best = do("A", "attack_made", attackers=["a1"], target=farm, king_distance_ft10=80)
    do("A", "army_split", army="a1", new_army="a2", stacks={"5": 48})
    next_best = do("A", "attack_made", attackers=["a2"], target=castle)
    do("A", "turn_ended")
    header = Header(
        log="annals/1",
        game="kingsquare",
        played_on="2026-11-28",
        id=str(uuid5(SPACE, "an attack of 530")),
        seats=tuple(Seat(seat, handle.title(), handle) for seat, handle in zip("AB", handles, strict=True)),
        options={
            "ap.base": 40,
            "reasons": {"ap.base": "a test"},
            "production.chips_per_level": 10,
            "pressure.mode": "advisory",
        },
        context={"league": "winter"},
    )
    lines = (Line(seq, type_, seat, msgspec.json.encode(data)) for seq, (seat, type_, data) in enumerate(entries, 1))
    return Log(header, tuple(lines)), best, next_best


def test_a_voided_attack_takes_its_badge_back(table: Circle) -> None:
    """Badge vector 1: 530 earns gold; once the referee voids that attack, the next best of 240 leaves bronze."""
    log, best, next_best = attack_of_530("ada", "bo")
    match = table.record(log, confirm=False)
    while catch_up():
        pass
    tiers = {(tier, seq) for badge, tier, seq in badges_of(table, "ada") if badge == "BDG-KS-07"}
    assert tiers == {("bronze", best), ("silver", best), ("gold", best)}
    services.event_void(match=match, target_seq=best, reason="It was never made.", by=table.owner)
    while catch_up():
        pass
    tiers = {(tier, seq) for badge, tier, seq in badges_of(table, "ada") if badge == "BDG-KS-07"}
    assert tiers == {("bronze", next_best)}
    withdrawn = Award.objects.filter(person_id=table.people["ada"].pk, badge="BDG-KS-07", status="withdrawn")
    assert {(row.tier, row.value) for row in withdrawn} == {("silver", 530), ("gold", 530)}


def test_a_rebuild_tells_the_same_of_kings_and_generals(table: Circle) -> None:
    played(table, "two_generals", "ada", "bo")
    played(table, "three_crowns_one_ford", "ada", "bo", "cy")
    before = _told()
    rebuild()
    assert _told() == before
    assert before["standing"]


def _told() -> dict[str, list[tuple[object, ...]]]:
    return {
        "parts": sorted(SeatDigest.objects.values_list("match_id", "person_id", "role", "seat", "place", "forfeited")),
        "standing": sorted(Standing.objects.values_list("person_id", "matches", "learning", "renown")),
        "awards": sorted(Award.objects.values_list("person_id", "badge", "tier", "status", "match_id")),
    }


def test_no_career_changes_a_figure_of_a_match(table: Circle) -> None:
    """ROD-05: the same log gives the same position, whatever the careers say (KS-35)."""
    match = played(table, "two_generals", "ada", "bo")
    before = replay.run(match_selectors.match_log(match))
    Standing.objects.update(renown=55, learning=31, matches=200)
    Award.objects.all().delete()
    after = replay.run(match_selectors.match_log(match))
    assert after.ruleset.view(after.state) == before.ruleset.view(before.state)
    assert after.result == before.result


def test_the_pages_tell_the_career_level_who_earns_a_badge_and_what_was_forfeited(
    table: Circle, client: Client
) -> None:
    played(table, "three_crowns_one_ford", "ada", "bo", "cy")
    played(table, "the_long_table", "ada", "bo", "cy", "dee", "fen", confirm=False)
    client.force_login(table.people["ada"].account)
    own = client.get("/@ada").content.decode()
    assert "Career level" in own
    assert "Kingsfall" in own
    assert "forfeited" in client.get("/@cy").content.decode()
    assert "by the General who was in office" in client.get(reverse("badge", args=["BDG-KS-17"])).content.decode()
    assert "Earned by the General." in client.get(reverse("badge", args=["BDG-KS-18"])).content.decode()
