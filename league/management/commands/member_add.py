"""Enter members of a league."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league import selectors, services
from people.commands import WritingCommand, person_named
from people.models import Person


class Command(WritingCommand):
    """`member_add LEAGUE HANDLE…`: with `--guest` the rest are names of new guests."""

    help = "Enter members of a league, by handle; with --guest each is the name of a new guest."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("league", help="short name or id")
        parser.add_argument("members", nargs="+", metavar="HANDLE")
        parser.add_argument("--guest", action="store_true", help="they have no account: make a new person for each")

    def write(self, by: Person, options: dict[str, Any]) -> str | None:
        league = selectors.league_by_slug(options["league"])
        if league is None:
            raise CommandError(f"There is no league {options['league']!r}.")
        at = timezone.now()
        for member in options["members"]:
            if options["guest"]:
                services.member_guest_add(league=league, display_name=member, is_minor=False, by=by, at=at)
            else:
                services.member_add(league=league, person=person_named(member), by=by, at=at)
        return f"{len(options['members'])} entered"
