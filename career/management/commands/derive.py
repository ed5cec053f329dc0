"""`manage.py derive [--rebuild [--workers N]] [--wait]`: bring the careers up to date with the log."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import CommandError, CommandParser

from career import rebuilding, selectors, services
from career.honors import services as honors
from career.models import Poisoned
from league.models import League
from people import rights
from people.commands import WritingCommand
from people.models import Person
from people.services import Forbidden


class Command(WritingCommand):
    help = "Derive ranks, badges and records from the log."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--rebuild", action="store_true", help="derive everything again from the whole log")
        parser.add_argument("--wait", action="store_true", help="return only when nothing is left to read")
        parser.add_argument(
            "--workers", type=int, default=1, metavar="N", help="processes that derive again (default 1)"
        )
        parser.add_argument(
            "--timeout", type=int, default=600, metavar="SECONDS", help="how long to wait (default 600)"
        )

    def write(self, by: Person, options: dict[str, Any]) -> str:
        """Catch up, or derive everything again; with `--wait` until nothing is left."""
        if not rights.may(by, "administer", [rights.SITE]):
            raise Forbidden("administer")
        if options["rebuild"]:
            self._rebuild(options["workers"])
            for league in League.objects.order_by("pk"):
                honors.rebuild(league)
        while services.catch_up():
            pass
        if options["wait"]:
            self._wait(options["timeout"])
        told = "The careers are up to date with the log."
        if poisoned := Poisoned.objects.count():
            told += f" {poisoned} match(es) could not be digested: the page /operations/ shows which, and why."
        return told

    def _rebuild(self, workers: int) -> None:
        if workers < 1:
            raise CommandError(f"--workers {workers}: it takes at least 1 process.")
        if rebuilding.is_begun():
            self.stdout.write("A rebuild was stopped; it goes on where it was.")
        try:
            services.rebuild(progress=self._progress, workers=workers)
        except rebuilding.Busy as busy:
            raise CommandError(str(busy)) from busy
        except KeyboardInterrupt:
            raise CommandError(
                "Stopped. The careers are as they were; the same command goes on where it was.", returncode=130
            ) from None

    def _wait(self, seconds: int) -> None:
        end = time.monotonic() + seconds
        while (lag := selectors.follower_lag()).entries:
            if time.monotonic() > end:
                raise CommandError(
                    f"{lag.entries} entries of the log are still unread after {seconds} s. A transaction that is open "
                    "for long holds the careers back: look for it on the page /operations/."
                )
            time.sleep(0.2)
            services.catch_up()

    def _progress(self, what: str, done: int, total: int) -> None:
        self.stdout.write(f"{what}: {done} of {total}")
