"""Open a league."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from league.services import league_open
from people.commands import WritingCommand
from people.models import Person


class Command(WritingCommand):
    """`league_open SHORT-NAME NAME`: whoever opens a league owns it."""

    help = "Open a league."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SHORT-NAME")
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--timezone", default="UTC", help="where the league plays, such as Europe/Berlin")
        parser.add_argument("--appeal-hours", type=int, default=72)

    def write(self, by: Person, options: dict[str, Any]) -> str | None:
        league = league_open(
            name=options["name"],
            slug=options["slug"],
            timezone=options["timezone"],
            appeal_hours=options["appeal_hours"],
            by=by,
            at=timezone.now(),
        )
        return f"The league {league.slug} is open ({league.scope})"
