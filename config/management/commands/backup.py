"""`manage.py backup FILE [--force] [--by HANDLE]`: the whole database into one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from config import archive
from people import rights
from people.commands import person_named
from people.handles import OPERATOR


class Command(BaseCommand):
    help = (
        "Write the whole database into a file, as it is at this moment; the site may run meanwhile. Left out: sessions, the queue, "
        "and what is derived from the log. Connects as the owner of the tables (DATABASE_OWNER_URL)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--force", action="store_true", help="overwrite FILE, once the new backup is complete")
        parser.add_argument(
            "--by", default=OPERATOR, metavar="HANDLE", help=f"who does it, an owner of the site (default: {OPERATOR})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path, by = options["file"], options["by"].removeprefix("@").lower()
        try:
            if by != OPERATOR and not rights.may(person_named(by), "administer", [rights.SITE]):
                raise CommandError(f"@{by} may not back up the site; only its owners may.")
            made = archive.backup(path, by=by, overwrite=options["force"], say=self.stdout.write)
        except archive.BadArchive as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            why = f"{path} cannot be written: {error.strerror}." if error.strerror else str(error)
            raise CommandError(why) from error
        except (DatabaseError, psycopg.Error) as error:
            raise CommandError(f"Nothing was written; PostgreSQL says: {error}") from error
        size = path.stat().st_size / 1_000_000
        self.stdout.write(
            f"{path}: {len(made.tables)} tables, {made.rows} rows, {size:.1f} MB. It holds personal data."
        )
