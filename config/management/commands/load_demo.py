"""`manage.py load_demo`: the demonstration season, on the embedded database only."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import demonstration


class Command(BaseCommand):
    help = "Load the demonstration season: invented people and their matches. Goes on where an earlier loading was cut short."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.IS_EMBEDDED:
            raise CommandError(
                "The demonstration season goes into the embedded database only; DATABASE_URL names another."
            )
        accounts = settings.VAR / "demo-accounts.json"
        demonstration.load(self.stdout.write, accounts)
        self.stdout.write(f"The demonstration season is loaded. Who can sign in stands in {accounts}.")
