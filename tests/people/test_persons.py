"""Accounts and their persons, handles, guests, the operator, and the first owner."""

from __future__ import annotations

import threading

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection

from people import rights, selectors, services
from people.models import Account, HandleRedirect, Person
from people.services import account_create, handle_change, operator, person_guest_create, sort_name_of

PASSWORD = "a long enough word"


def in_threads(*functions):
    """Run functions at once, each with a connection of its own; return what they returned or raised, in order."""
    outcomes = [None] * len(functions)
    together = threading.Barrier(len(functions))

    def run(number, function):
        try:
            together.wait(10)
            outcomes[number] = function()
        except Exception as error:
            outcomes[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


@pytest.mark.django_db
def test_an_account_has_exactly_one_person():
    account = account_create("Ada@Example.org", PASSWORD, "@Ada", " Ada   Moreau ")
    person = Person.objects.get(account=account)
    assert (person.handle, person.display_name, person.sort_name) == ("ada", "Ada Moreau", "Moreau, Ada")
    assert account.email == "ada@example.org"
    assert account.check_password(PASSWORD)
    assert account.person == person and not person.is_guest


@pytest.mark.django_db
def test_an_account_made_by_djangos_own_command_has_a_person_too(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", interactive=False, email="root.user@example.org", verbosity=0)
    person = Account.objects.get(email="root.user@example.org").person
    assert person.handle.startswith("root-user-")
    assert not rights.may(person, "administer", ["site"])


@pytest.mark.django_db
def test_a_second_account_with_the_same_address_leaves_nothing_behind():
    account_create("a@example.org", PASSWORD, "ada", "Ada")
    with pytest.raises(IntegrityError):
        account_create("A@example.org", PASSWORD, "bo", "Bo")
    assert not Person.objects.filter(handle="bo").exists()


@pytest.mark.django_db
@pytest.mark.parametrize("handle", ["", "a", "-ada", "ada moreau", "ådå", "a" * 31, "ada/", "operator", "admin"])
def test_a_handle_that_will_not_do_is_refused(handle):
    with pytest.raises(ValidationError):
        account_create("a@example.org", PASSWORD, handle, "Ada")
    assert not Account.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "sorted_as"),
    [
        ("Ada Moreau", "Moreau, Ada"),
        ("Sukarno", "Sukarno"),
        ("李小龍", "李小龍"),
        ("Juan de la Cruz", "Cruz, Juan de la"),
    ],
)
def test_names_of_any_script_and_of_one_word_sort(name, sorted_as):
    assert sort_name_of(name) == sorted_as


@pytest.mark.django_db
def test_an_old_handle_leads_to_its_person_for_good_and_to_nobody_else():
    ada = account_create("a@example.org", PASSWORD, "ada", "Ada").person
    handle_change(person=ada, handle="countess")
    handle_change(person=ada, handle="lovelace")
    assert {selectors.person_by_handle(one) for one in ("ada", "@Countess", "lovelace")} == {ada}
    with pytest.raises(ValidationError, match="belongs to somebody"):
        account_create("b@example.org", PASSWORD, "ada", "Bo")


@pytest.mark.django_db
def test_a_person_may_take_an_old_handle_of_their_own_again():
    ada = account_create("a@example.org", PASSWORD, "ada", "Ada").person
    handle_change(person=ada, handle="countess")
    handle_change(person=ada, handle="ada")
    assert selectors.person_by_handle("ada").handle == "ada"
    assert list(HandleRedirect.objects.values_list("old", flat=True)) == ["countess"]


@pytest.mark.django_db
def test_the_same_handle_again_changes_nothing():
    ada = account_create("a@example.org", PASSWORD, "ada", "Ada").person
    handle_change(person=ada, handle="@ADA")
    assert not HandleRedirect.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_want_a_handle_at_once_one_gets_it():
    cy = account_create("c@example.org", PASSWORD, "cy", "Cy").person
    # One leaves the handle `cy` in the same moment as another signs up with it: the redirect keeps it.
    left, taken = in_threads(
        lambda: handle_change(person=cy, handle="cyan"),
        lambda: account_create("d@example.org", PASSWORD, "cy", "Dee"),
    )
    assert left.handle == "cyan" and isinstance(taken, ValidationError)
    both = in_threads(
        lambda: account_create("e@example.org", PASSWORD, "eve", "Eve"),
        lambda: account_create("f@example.org", PASSWORD, "eve", "Evie"),
    )
    assert sorted(type(one).__name__ for one in both) == ["Account", "ValidationError"]
    assert Person.objects.filter(handle="eve").count() == 1


@pytest.mark.django_db
def test_a_guest_has_no_account_and_a_minor_is_hidden_from_the_first_moment():
    guest, minor = person_guest_create("Bo"), person_guest_create("Kim", is_minor=True)
    assert guest.is_guest and guest.handle is None and guest.privacy == Person.Privacy.PUBLIC
    assert minor.privacy == Person.Privacy.HIDDEN and minor.account is None


@pytest.mark.django_db
def test_a_guest_needs_a_name():
    with pytest.raises(ValueError, match="needs a name"):
        person_guest_create(" \t ")


@pytest.mark.django_db
def test_two_guests_of_one_name_are_two_persons():
    assert person_guest_create("Bo") != person_guest_create("Bo")


@pytest.mark.django_db
def test_the_operator_owns_the_site_without_a_sign_in_and_is_always_the_same():
    first = operator()
    assert operator() == first and first.handle == "operator" and first.is_guest
    assert rights.may(first, "administer", [])
    assert first not in selectors.visible_persons(first)


@pytest.mark.django_db
def test_a_joined_person_is_found_as_its_head():
    ada, guest, other = (person_guest_create(name) for name in ("Ada", "A. Moreau", "Ada M."))
    other.joined_into = guest
    other.save()
    guest.joined_into = ada
    guest.save()
    assert Person.objects.get(pk=other.pk).head == ada
    assert selectors.heads([other, guest, ada]) == {other.pk: ada, guest.pk: ada, ada.pk: ada}
    assert selectors.visible_name(other, None) == "Ada"


@pytest.mark.django_db
def test_the_first_owner_is_made_only_once():
    operator()  # owns the site too, but nobody can sign in as it
    owner = services.first_owner_create("o@example.org", PASSWORD, "olga", "Olga")
    assert rights.may(owner.person, "administer", ["site"])
    with pytest.raises(services.OwnerExists):
        services.first_owner_create("p@example.org", PASSWORD, "per", "Per")
    assert not Account.objects.filter(email="p@example.org").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_first_owners_at_once_one_is_made():
    made = in_threads(
        *(
            lambda name=name: services.first_owner_create(f"{name}@example.org", PASSWORD, name, name.title())
            for name in ("olga", "per", "quin", "rosa")
        )
    )
    assert sorted(type(one).__name__ for one in made) == ["Account", "OwnerExists", "OwnerExists", "OwnerExists"]
    assert Account.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_without_the_lock_two_first_owners_would_be_made(monkeypatch):
    """The harm that the lock prevents: both have looked before either is written."""
    looked = threading.Barrier(2)
    present = services.owner_exists

    def slow():
        there = present()
        looked.wait(10)
        return there

    monkeypatch.setattr(services, "owner_exists", slow)
    monkeypatch.setattr(services, "lock", lambda name: None)
    in_threads(
        lambda: services.first_owner_create("o@example.org", PASSWORD, "olga", "Olga"),
        lambda: services.first_owner_create("p@example.org", PASSWORD, "per", "Per"),
    )
    assert Account.objects.count() == 2
