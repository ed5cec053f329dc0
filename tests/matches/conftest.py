"""People and files for the tests of the matches room."""

from __future__ import annotations

from pathlib import Path

import pytest

from people.models import Person
from people.services import account_create, grant_give

SAMPLES = Path(__file__).resolve().parent.parent / "rulesengine" / "hexwar" / "samples"


def person(handle: str, name: str, *roles: str, scope: str = "site") -> Person:
    """Return somebody with an account and roles."""
    made = account_create(f"{handle}@example.org", "a long enough word", handle, name).person
    for role in roles:
        grant_give(person=made, role=role, scope=scope, by=None)
    return made


@pytest.fixture
def ada(db: None) -> Person:
    return person("ada", "Ada Moreau")


@pytest.fixture
def bo(db: None) -> Person:
    return person("bo", "Bo Lindqvist")


@pytest.fixture
def owner(db: None) -> Person:
    return person("mirela", "Mirela Osei", "owner")


@pytest.fixture
def referee(db: None) -> Person:
    return person("gia", "Gia Romano", "referee")
