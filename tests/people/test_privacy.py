"""Who may know whom."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league import services as leagues
from people import selectors
from people.models import Person
from people.privacy import initials
from people.services import account_create, grant_give, operator, person_guest_create, person_update

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def person(handle: str, privacy: str = "public") -> Person:
    made = account_create(f"{handle}@example.org", None, handle, f"{handle.title()} Moreau").person
    return person_update(person=made, display_name=made.display_name, privacy=privacy)


def league_of(*members: Person, slug: str = "winter"):
    league = leagues.league_open(name=slug.title(), slug=slug, by=operator(), at=NOW)
    for member in members:
        leagues.member_add(league=league, person=member, by=operator(), at=NOW)
    return league


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ada Moreau", "A. M."),
        ("ada", "A."),
        ("李小龍", "李."),
        ("Örn Ægir de Wit Jr", "Ö. Æ. D."),
        ("🎲", "–"),
        ("«Bo»", "B."),
        ("नीता", "नी."),
    ],
)
def test_initials_of_any_script(name, short):
    assert initials(name) == short


@pytest.mark.django_db
def test_a_public_person_is_known_to_all():
    assert selectors.visible_name(person("ada"), None) == "Ada Moreau"


@pytest.mark.django_db
def test_a_hidden_person_is_initials_to_all_but_themselves():
    ada, bo = person("ada", "hidden"), person("bo")
    league_of(ada, bo)
    assert selectors.visible_name(ada, None) == selectors.visible_name(ada, bo) == "A. M."
    assert selectors.visible_name(ada, ada) == "Ada Moreau"
    assert not selectors.may_see(ada, bo) and selectors.may_see(ada, ada)


@pytest.mark.django_db
def test_members_of_a_shared_league_know_each_other():
    ada, bo, cy = person("ada", "members"), person("bo"), person("cy")
    league = league_of(ada, bo)
    league_of(cy, slug="summer")
    assert selectors.may_see(ada, bo)
    assert not selectors.may_see(ada, cy) and not selectors.may_see(ada, None)
    leagues.member_remove(league=league, person=bo, by=operator(), at=NOW)
    assert not selectors.may_see(ada, bo)


@pytest.mark.django_db
def test_who_looks_after_a_league_knows_its_hidden_members_and_no_others():
    ada, bo, organizer = person("ada", "hidden"), person("bo", "hidden"), person("org")
    league = league_of(ada)
    league_of(bo, slug="summer")
    grant_give(person=organizer, role="organizer", scope=league.scope, by=None)
    assert selectors.visible_names([ada, bo], organizer) == {ada.pk: "Ada Moreau", bo.pk: "B. M."}
    referee = person("ref")
    grant_give(person=referee, role="referee", scope=league.scope, by=None)
    assert not selectors.may_see(ada, referee)


@pytest.mark.django_db
def test_nobody_hidden_stands_in_a_list_not_even_for_the_owner():
    ada, bo, cy = person("ada", "hidden"), person("bo", "members"), person("cy")
    owner = person("own")
    grant_give(person=owner, role="owner", scope="site", by=None)
    assert list(selectors.visible_persons(None)) == [cy, owner]
    assert list(selectors.visible_persons(owner)) == [bo, cy, owner]
    assert ada not in selectors.visible_persons(ada)


@pytest.mark.django_db
def test_a_forgotten_person_has_no_name():
    ada = person("ada")
    ada.forgotten_at = NOW
    ada.save()
    assert selectors.visible_name(ada, ada) == "A forgotten person"
    assert not selectors.may_see(ada, None) and ada not in selectors.visible_persons(None)


@pytest.mark.django_db
@pytest.mark.parametrize("count", [3, 30])
def test_the_names_of_a_list_cost_the_same_however_long_it_is(count):
    viewer = person("viewer")
    persons = [person_guest_create(f"Guest {number}", is_minor=number % 2 == 0) for number in range(count)]
    joined = person_guest_create("Joined")
    joined.joined_into = persons[1]
    joined.save()
    asked = list(Person.objects.filter(pk__in=[one.pk for one in [*persons, joined]]))
    with CaptureQueriesContext(connection) as queries:
        names = selectors.visible_names(asked, viewer)
    assert len(names) == count + 1 and names[joined.pk] == "Guest 1"
    assert len(queries) == 3  # the heads of joined persons, the viewer's grants, who of the hidden is known
