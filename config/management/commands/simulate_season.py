"""`manage.py simulate_season --players N --matches M --seed S`: a synthetic league, on the embedded database only."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from config import simulation
from people.commands import WritingCommand
from people.models import Person


class Command(WritingCommand):
    help = "Make a synthetic league for demonstrations and load. Goes on where an earlier run with the same seed was cut short."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--players", type=int, default=20, metavar="N", help="how many people (default 20, at least 4)"
        )
        parser.add_argument("--matches", type=int, default=100, metavar="M", help="how many matches (default 100)")
        parser.add_argument(
            "--seed", type=int, default=1, metavar="S", help="the same seed gives the same season (default 1)"
        )

    def write(self, by: Person, options: dict[str, Any]) -> str:
        """Make the league and say where it is."""
        if not settings.IS_EMBEDDED:
            raise CommandError("A synthetic league goes into the embedded database only; DATABASE_URL names another.")
        try:
            league = simulation.simulate(
                players=options["players"],
                matches=options["matches"],
                seed=options["seed"],
                by=by,
                say=self.stdout.write,
            )
        except ValueError as wrong:
            raise CommandError(str(wrong)) from wrong
        return f"{league.name} is there: /leagues/{league.slug}. Careers follow by the worker, or by `manage.py derive --wait`."
