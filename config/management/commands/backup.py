"""`manage.py backup FILE`: the whole database into one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import archive


class Command(BaseCommand):
    help = "Write the whole database into a new file, as it is at this moment; the site may run meanwhile. Connects as the owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = archive.backup(options["file"])
        except OSError as error:
            raise CommandError(str(error)) from error
        rows = sum(one["rows"] for one in manifest["tables"])
        self.stdout.write(f"{options['file']}: {len(manifest['tables'])} tables, {rows} rows.")
