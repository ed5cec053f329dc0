"""`manage.py restore FILE`: a backup into the empty database of a fresh server."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import archive


class Command(BaseCommand):
    help = "Bring a backup into an empty database, verify every chain of the log, derive the careers. Connects as the owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            archive.restore(options["file"], self.stdout.write)
        except archive.BadArchive as error:
            raise CommandError(str(error)) from error
