"""`--by HANDLE` of every command that writes: whose act it is."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from people import rights
from people.models import Person
from people.selectors import person_by_handle
from people.services import operator


def by_argument(parser: ArgumentParser) -> None:
    """Add `--by`."""
    parser.add_argument("--by", metavar="HANDLE", default="operator", help="whose act it is (default: operator)")


def by_person(options: Mapping[str, Any], action: str | None = None) -> Person:
    """Return whom `--by` names.

    :param action: what they must be allowed to do on the whole site
    :raises CommandError: if there is nobody of that handle, or they may not
    """
    handle = str(options["by"]).strip().removeprefix("@").lower()
    person = operator() if handle == "operator" else person_by_handle(handle)
    if person is None:
        raise CommandError(f"--by: nobody here has the handle @{handle}.")
    if action is not None and not rights.may(person, action, [rights.SITE]):
        raise CommandError(f"--by: @{handle} may not do this; it is for {rights.who_may(action)}.")
    return person
