"""Make an account."""

from __future__ import annotations

import secrets
import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import IntegrityError

from people import rights
from people.commands import WritingCommand
from people.models import Person
from people.services import Forbidden, account_create


class Command(WritingCommand):
    """`account_create HANDLE EMAIL NAME`: prints the password, which is random unless it is read from standard input."""

    help = "Make an account and its person. The password is random and printed, unless --password reads it from standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("handle")
        parser.add_argument("email")
        parser.add_argument("name")
        parser.add_argument("--password", action="store_true", help="read the password from standard input")

    def write(self, by: Person, options: dict[str, Any]) -> str | None:
        if not rights.may(by, "administer", [rights.SITE]):
            raise Forbidden("administer")
        password = sys.stdin.readline().rstrip("\n") if options["password"] else secrets.token_urlsafe(12)
        if not password:
            raise CommandError("No password came from standard input.")
        try:
            account = account_create(options["email"], password, options["handle"], options["name"])
        except IntegrityError as taken:
            raise CommandError(f"There is an account with the e-mail address {options['email']}.") from taken
        said = "" if options["password"] else f", password {password}"
        return f"@{account.person.handle} can sign in{said}"
