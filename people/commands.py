"""What commands that write have in common: they act as somebody, and say a refusal in one line."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from people.handles import OPERATOR
from people.models import Person
from people.selectors import person_by_handle
from people.services import operator


def person_named(handle: str) -> Person:
    """Return whose handle it is.

    :raises CommandError: if nobody has it
    """
    person = operator() if handle.strip().removeprefix("@").lower() == OPERATOR else person_by_handle(handle)
    if person is None:
        raise CommandError(f"Nobody here has the handle @{handle.removeprefix('@')}.")
    return person


class WritingCommand(BaseCommand):
    """A command that writes as somebody: `--by HANDLE`, by default the operator, who owns the site without a sign-in."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--by", default=OPERATOR, metavar="HANDLE", help=f"who does it (default: {OPERATOR})")

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Do it as the person named, with what they may not do, or what will not do, said in one line."""
        try:
            return self.write(person_named(options["by"]), options)
        except PermissionDenied as forbidden:
            raise CommandError(f"@{options['by'].removeprefix('@')}: {forbidden}") from forbidden
        except ValidationError as refused:
            raise CommandError(" ".join(refused.messages)) from refused

    @abstractmethod
    def write(self, by: Person, options: dict[str, Any]) -> str | None:
        """Do the command's work as somebody, and return what to print."""
