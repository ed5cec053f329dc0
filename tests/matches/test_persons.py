"""Persons: claimed, joined, split, hidden, forgotten, while every chain stays whole."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from league import services as leagues
from matches import log, persons, selectors, services, sight
from matches.models import Match
from matches.services import Forbidden, NotRecordable
from people.models import Account, Person
from people.selectors import visible_name
from rulesengine.play import play
from tests.matches.conftest import person
from tests.matches.test_live import match_of
from tests.matches.test_uploads import file, lines, record, sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def friendly(ada: Person) -> Match:
    """Ada against a guest; Ada opened it."""
    return match_of(ada, play("hexwar", seed=3, seats=2), A="ada")


def guest_of(match: Match) -> Person:
    found = match.seats.get(seat="B").person
    assert found is not None
    return found


def test_a_guest_claims_by_a_personal_link_and_then_signs(friendly: Match, ada: Person, bo: Person) -> None:
    guest = guest_of(friendly)
    link = persons.claim_link(guest=guest, by=ada)
    assert persons.guest_claim(token=link, by=bo) == bo
    guest.refresh_from_db()
    assert guest.head == bo
    (row,) = log.read(bo.pk)
    assert (row.kind, row.type, row.data) == ("person", "person_claimed", f'{{"guest": "{guest.pk}"}}'.encode())
    assert not friendly.seats.get(seat="B").linked
    services.result_sign(match=friendly, by=ada)
    match = services.result_sign(match=friendly, by=bo)
    assert match.seats.get(seat="B").linked
    assert match.status == "confirmed"
    with pytest.raises(NotRecordable, match="has been claimed already"):
        persons.guest_claim(token=link, by=person("dee", "Dee"))


def test_a_link_is_given_by_those_who_know_the_guest_and_cannot_be_forged(friendly: Match, bo: Person) -> None:
    with pytest.raises(Forbidden):
        persons.claim_link(guest=guest_of(friendly), by=bo)
    with pytest.raises(NotRecordable, match="damaged or older than 30 days; ask for a new one"):
        persons.guest_claim(token="forged", by=bo)


def test_nobody_claims_the_guest_they_played_against(friendly: Match, ada: Person) -> None:
    link = persons.claim_link(guest=guest_of(friendly), by=ada)
    with pytest.raises(NotRecordable, match="Both sat at the same table; they are two people"):
        persons.guest_claim(token=link, by=ada)


def test_records_are_joined_by_who_looks_after_both_and_split_again(
    friendly: Match, owner: Person, ada: Person, bo: Person
) -> None:
    guest = guest_of(friendly)
    with pytest.raises(Forbidden):
        persons.persons_join(person=bo, other=guest, by=ada)
    persons.persons_join(person=bo, other=guest, by=owner)
    with pytest.raises(NotRecordable, match="split that first"):
        persons.persons_join(person=owner, other=guest, by=owner)
    persons.persons_split(person=bo, other=guest, by=owner)
    guest.refresh_from_db()
    assert guest.head == guest
    assert [row.type for row in log.read(bo.pk)] == ["persons_joined", "persons_split"]
    assert log.verify(bo.pk) is None
    with pytest.raises(NotRecordable, match="not joined"):
        persons.persons_split(person=bo, other=guest, by=owner)
    with pytest.raises(NotRecordable, match="Both have an account"):
        persons.persons_join(person=bo, other=ada, by=owner)


def test_an_organizer_joins_the_members_of_their_own_league_only(
    owner: Person, ada: Person, bo: Person, friendly: Match
) -> None:
    league = leagues.league_open(name="Winter", slug="winter", by=owner, at=timezone.now())
    leagues.role_give(league=league, person=ada, role="organizer", by=owner, at=timezone.now())
    ada = Person.objects.get(pk=ada.pk)
    guest = guest_of(friendly)
    leagues.member_add(league=league, person=bo, by=owner, at=timezone.now())
    with pytest.raises(Forbidden):
        persons.persons_join(person=bo, other=guest, by=ada)
    leagues.member_add(league=league, person=guest, by=owner, at=timezone.now())
    persons.persons_join(person=bo, other=guest, by=ada)


def test_a_person_hides_and_shows_themselves_and_nobody_else_does(ada: Person, owner: Person, bo: Person) -> None:
    shown = persons.person_hide(person=ada, privacy="hidden", by=ada)
    assert visible_name(shown, bo) == "A. M."
    with pytest.raises(Forbidden):
        persons.person_hide(person=ada, privacy="public", by=owner)
    assert [row.type for row in log.read(ada.pk)] == ["person_hidden"]


def test_a_forgotten_persons_name_is_found_nowhere_and_every_chain_verifies(
    ada: Person, bo: Person, owner: Person
) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    header["title"] = "Ada Moreau's birthday"
    header["seats"][0]["player"] = "ada"  # type: ignore[index]
    rows[0]["note"] = "ADA MOREAU was late"
    match = record(owner, file([header, *rows]), confirm=True)
    with pytest.raises(Forbidden):
        persons.person_forget(person=ada, by=bo)
    persons.person_forget(person=ada, by=ada)
    assert not Account.objects.filter(email="ada@example.org").exists()
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(
                f"select count(*) from {table} t where t::text ilike '%moreau%' or t::text ilike '%ada@example%'"
            )
            assert cursor.fetchone() == (0,), table
    assert all(log.verify(stream) is None for stream in log.streams())
    match = Match.objects.get(pk=match.pk)
    assert match.seats.get(seat="C").place == 1
    assert b"Moreau" not in sight.match_export(match, "full", owner)
    assert selectors.match_replay(match).status == "confirmed"
