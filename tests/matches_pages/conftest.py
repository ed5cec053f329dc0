"""People with roles, a league, and browsers in which they are signed in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from league.models import League, Member
from matches import services
from matches.models import Match
from people.models import Grant, Person
from people.services import account_create
from rulesengine import registry
from rulesengine.notation import envelope
from tests.matches_pages import logs
from tests.rulesengine import sealed

BACKEND = "django.contrib.auth.backends.ModelBackend"
type SignIn = Callable[[Person], Client]


def person(handle: str, name: str) -> Person:
    """Return somebody who can sign in."""
    email = f"{handle}@example.org"
    return account_create(email=email, password="a long enough word", handle=handle, display_name=name).person


@pytest.fixture
def league(db: None) -> League:
    """A league with four members, of whom two play."""
    return League.objects.create(slug="winter", name="Winter League")


def member(league: League, handle: str, name: str, *roles: str) -> Person:
    """Return a member of the league with these roles in it."""
    found = person(handle, name)
    Member.objects.create(league=league, person=found, since="2025-01-01")
    for role in roles:
        Grant.objects.create(person=found, role=role, scope=league.scope)
    return found


@pytest.fixture
def organizer(league: League) -> Person:
    """The league's organizer."""
    return member(league, "mirela", "Mirela Osei", "organizer")


@pytest.fixture
def referee(league: League) -> Person:
    """The league's referee."""
    return member(league, "gia", "Gia Romano", "referee")


@pytest.fixture
def scribe(league: League) -> Person:
    """A scribe of the league."""
    return member(league, "hal", "Hal Iversen", "scribe")


@pytest.fixture
def ada(league: League) -> Person:
    """A player."""
    return member(league, "ada", "Ada Moreau")


@pytest.fixture
def bo(league: League) -> Person:
    """Another player."""
    return member(league, "bo", "Bo Lindqvist")


@pytest.fixture
def stranger(db: None) -> Person:
    """Somebody with an account and nothing else."""
    return person("zoe", "Zoe Adler")


@pytest.fixture
def browser() -> SignIn:
    """Return a browser in which somebody is signed in."""

    def sign_in(who: Person) -> Client:
        client = Client()
        assert who.account is not None
        client.force_login(who.account, backend=BACKEND)
        return client

    return sign_in


@pytest.fixture
def small_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small game with secrets is one that the site knows."""
    monkeypatch.setattr(registry, "GAMES", (*registry.GAMES, sealed.ENTRY))
    monkeypatch.setattr(envelope, "GAMES", (*envelope.GAMES, "sealed"))


def league_header(**more: object) -> dict[str, object]:
    """Return the header of a match of the league between its two players."""
    seats = [
        {"seat": "A", "name": "Ada Moreau", "player": "ada"},
        {"seat": "B", "name": "Bo Lindqvist", "player": "bo"},
    ]
    return logs.header(**{"seats": seats, "context": {"league": "winter"}, **more})


def recorded(by: Person, raw: bytes, *, confirm: bool = False, accept: bool = False) -> Match:
    """Return a match recorded from a file."""
    upload = services.upload_check(by=by, name="match.jsonl", raw=raw)
    return services.upload_record(
        upload=upload, by=by, confirm=confirm, accept_irregular=accept, reason="seen at the table"
    )


@pytest.fixture
def match(organizer: Person, ada: Person, bo: Person) -> Match:
    """A match of the league that has ended and is not confirmed."""
    return recorded(organizer, logs.file(league_header()))
