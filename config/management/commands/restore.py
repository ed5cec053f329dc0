"""`manage.py restore FILE`: a backup into the empty database of a fresh server."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import archive


class Command(BaseCommand):
    help = (
        "Bring a backup into an empty database, derive the careers, verify every chain of the log. All rows come back, or none. "
        "Connects as the owner of the database (DATABASE_OWNER_URL)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = archive.restore(options["file"], self.stdout.write)
        except (archive.BadArchive, archive.BrokenChains) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored: {len(manifest.tables)} tables, {manifest.rows} rows. Nobody is signed in; unfinished jobs are taken up by the worker."
        )
