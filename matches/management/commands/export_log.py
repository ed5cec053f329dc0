"""`manage.py export_log MATCH [--to jsonl|text|csv] [--full] [--out FILE]`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from matches import sight
from matches.management.by import by_argument, by_person
from matches.models import Match


class Command(BaseCommand):
    help = "Write a match as a file. With --full, everything its chain is made of: to be verified by anybody, restored by an operator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", metavar="MATCH", help="the id of the match")
        parser.add_argument("--to", choices=["jsonl", "text", "csv"], default="jsonl")
        parser.add_argument("--full", action="store_true", help="with ids, moments, hashes and salts")
        parser.add_argument("--out", metavar="FILE", help="where to (default: standard output)")
        by_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        viewer = by_person(options)
        try:
            match = Match.objects.get(pk=UUID(options["match"]))
        except (ValueError, Match.DoesNotExist) as error:
            raise CommandError(f"There is no match {options['match']!r} here.") from error
        try:
            body = sight.match_export(match, options["to"], viewer, full=options["full"])
        except sight.Sealed as sealed:
            raise CommandError(str(sealed)) from sealed
        if options["out"]:
            Path(options["out"]).write_bytes(body)
        else:
            self.stdout.write(body.decode(), ending="")
