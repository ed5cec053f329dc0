"""`manage.py career HANDLE --json`: a person's career as the API gives it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from career import selectors
from people import selectors as people


class Command(BaseCommand):
    help = "Show a person's career with the evidence of every line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("handle", help="the person's handle, with or without @")
        parser.add_argument("--json", action="store_true", help="print the whole career as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        person = people.person_by_handle(options["handle"].removeprefix("@"))
        if person is None:
            raise CommandError(
                f"Nobody has the handle {options['handle']!r}. Handles are written as on the profile page, such as @ada."
            )
        told = selectors.career(person)
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1))
            return
        self.stdout.write(
            f"{told['name']} (@{told['handle']}): {told['rank']['name'] if told['rank'] else 'no rank yet'}"
        )
        for badge in told["badges"]:
            where = ", ".join(f"{line['stream']} seq {line['seq']}" for line in badge["evidence"])
            self.stdout.write(f"  {badge['on']}  {badge['id']} {badge['tier']} ({badge['status']})  {where}")
        for game, record in told["record"].items():
            self.stdout.write(f"  {game}: {record['played']} played, {record['won']} won")
