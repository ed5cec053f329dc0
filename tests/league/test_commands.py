"""The commands about people and leagues."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from league.models import League, Member
from matches import log
from people import rights
from people.models import Account, Person
from people.services import account_create

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


@pytest.fixture
def bo() -> Person:
    return account_create("bo@example.org", None, "bo", "Bo Lindqvist").person


def roles(person: Person, *scopes: str) -> set[str]:
    return rights.roles(Person.objects.get(pk=person.pk), scopes)


def test_an_account_is_made_with_a_random_password_that_is_printed():
    said = run("account_create", "@Ada", "ada@example.org", "Ada Moreau")
    account = Account.objects.get(person__handle="ada")
    assert account.check_password(said.split()[-1])


def test_an_account_takes_its_password_from_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("a long enough word\n"))
    said = run("account_create", "ada", "ada@example.org", "Ada", "--password")
    assert "password" not in said and Account.objects.get().check_password("a long enough word")
    with pytest.raises(CommandError, match="No password"):
        run("account_create", "eve", "eve@example.org", "Eve", "--password")


@pytest.mark.parametrize(
    ("handle", "email", "said"),
    [("bo", "x@example.org", "belongs to"), ("x1", "BO@example.org", "There is an account")],
)
def test_an_account_that_will_not_do_is_refused_in_one_line(bo, handle, email, said):
    with pytest.raises(CommandError, match=said):
        run("account_create", handle, email, "X")


def test_roles_of_the_site_are_given_and_taken(bo):
    assert run("grant", "bo", "organizer").strip() == "@bo holds the role organizer in site"
    assert roles(bo) == {"organizer"}
    run("grant", "@bo", "organizer", "site", "--revoke")
    assert roles(bo) == set()
    with pytest.raises(CommandError, match="does not hold"):
        run("grant", "bo", "organizer", "--revoke")


def test_a_role_of_a_league_is_an_entry_of_its_stream(bo):
    run("league_open", "winter", "Winter league", "--timezone", "Europe/Berlin")
    run("grant", "bo", "referee", "league:winter")
    league = League.objects.get()
    assert roles(bo, league.scope) == {"referee"} and log.read(league.pk)[-1].type == "role_granted"
    run("grant", "bo", "referee", f"league:{league.pk}", "--revoke")
    assert log.read(league.pk)[-1].type == "role_revoked"


def test_members_are_entered_by_handle_or_as_guests(bo):
    run("league_open", "winter", "Winter league")
    run("member_add", "winter", "bo")
    run("member_add", "winter", "--guest", "Bo Lindqvist", "Kim")
    assert Member.objects.count() == 3 and Person.objects.filter(display_name="Bo Lindqvist").count() == 2


@pytest.mark.parametrize(
    "words",
    [
        ("grant", "bo", "owner"),
        ("grant", "bo", "owner", "league:winter"),
        ("league_open", "summer", "Summer"),
        ("member_add", "winter", "bo"),
        ("account_create", "eve", "eve@example.org", "Eve"),
    ],
)
def test_who_may_not_do_it_may_not_do_it_by_command_either(bo, words):
    run("league_open", "winter", "Winter league")
    with pytest.raises(CommandError, match="@bo: You may not do this here"):
        run(*words, "--by", "bo")
    assert roles(bo) == set() and League.objects.count() == 1 and not Member.objects.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("grant", "nobody", "owner"), "Nobody here has the handle @nobody"),
        (("grant", "bo", "owner", "planet"), "a scope is site"),
        (("grant", "bo", "owner", "league:nowhere"), "There is no league 'nowhere'"),
        (("member_add", "nowhere", "bo"), "There is no league 'nowhere'"),
        (("league_open", "winter", "Winter", "--timezone", "Mars"), "No time zone Mars"),
        (("league_open", "winter", "Winter", "--by", "@nobody"), "Nobody here has the handle @nobody"),
    ],
)
def test_what_will_not_do_is_said_in_one_line(bo, words, said):
    with pytest.raises(CommandError, match=said):
        run(*words)
