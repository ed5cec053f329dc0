"""`manage.py derive [--rebuild] [--wait]`: bring the careers up to date with the log."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from matches.management.by import by_argument, by_person

from career import selectors, services
from career.models import Poisoned


class Command(BaseCommand):
    help = "Derive ranks, badges and records from the log."

    def add_arguments(self, parser: ArgumentParser) -> None:
        by_argument(parser)
        parser.add_argument("--rebuild", action="store_true", help="derive everything again from the whole log")
        parser.add_argument(
            "--wait",
            action="store_true",
            help="return only when nothing is left to read, at most after --timeout seconds",
        )
        parser.add_argument("--timeout", type=int, default=600, help="seconds to wait (default 600)")

    def handle(self, *args: Any, **options: Any) -> None:
        by_person(options, "administer")
        if options["rebuild"]:
            services.rebuild(progress=self._progress)
        while services.catch_up():
            pass
        if options["wait"]:
            end = time.monotonic() + options["timeout"]
            while (lag := selectors.follower_lag()).entries:
                if time.monotonic() > end:
                    raise CommandError(
                        f"{lag.entries} entries of the log are still unread after {options['timeout']} s; is a long transaction open?"
                    )
                time.sleep(0.2)
                services.catch_up()
        poisoned = Poisoned.objects.count()
        self.stdout.write("The careers are up to date with the log.")
        if poisoned:
            self.stdout.write(f"{poisoned} match(es) could not be digested: see the page /operations/.")

    def _progress(self, what: str, done: int, total: int) -> None:
        self.stdout.write(f"{what}: {done} of {total}")
