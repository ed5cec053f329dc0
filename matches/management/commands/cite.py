"""`manage.py cite`: read out of the logs anew which rules are cited in which matches."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from matches import citations, selectors
from matches.models import Citation, Match
from rulesengine import replay as engine
from rulesengine.log import Unreadable


class Command(BaseCommand):
    help = "Read out of the logs which rules are cited in which matches (the pages of the Codex list them)."

    def handle(self, *args: Any, **options: Any) -> None:
        for match in Match.objects.filter(depth=Match.Depth.LOG).order_by("pk").iterator():
            with transaction.atomic():
                try:
                    citations.note(match, engine.run(selectors.match_log(match)))
                except Unreadable as error:
                    self.stderr.write(f"{match.pk}: {error}")
        self.stdout.write(f"{Citation.objects.count()} citations.")
