"""People and a recorded match for the pages."""

from __future__ import annotations

import pytest
from django.test import Client

from matches import services
from matches.models import Match
from people.models import Account, Grant, Person
from people.services import account_create
from rulesengine import notation
from rulesengine.play import play


def account(handle: str, name: str) -> Account:
    """Return a new account that can sign in."""
    return account_create(
        email=f"{handle}@example.org", password="a long enough word", handle=handle, display_name=name
    )


@pytest.fixture
def owner(db: None) -> Person:
    """The owner of the site."""
    person = account("mirela", "Mirela Osei").person
    Grant.objects.create(person=person, role=Grant.Role.OWNER, scope="site")
    return person


@pytest.fixture
def player(db: None) -> Person:
    """Somebody with an account and no role."""
    return account("tomas", "Tomás Ferreira").person


@pytest.fixture
def owner_browser(owner: Person) -> Client:
    """A browser in which the owner is signed in."""
    client = Client()
    client.force_login(owner.account, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def player_browser(player: Person) -> Client:
    """A browser in which somebody without a role is signed in."""
    client = Client()
    client.force_login(player.account, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def match(owner: Person) -> Match:
    """A whole hex war, recorded and confirmed by the owner."""
    raw = notation.write(play("hexwar", seed=7), "jsonl")
    upload = services.upload_check(by=owner, name="evening.jsonl", raw=raw)
    return services.upload_record(upload=upload, by=owner, accept_irregular=False, reason="", confirm=True, links={})
