"""`manage.py verify_log [--all | MATCH…] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from matches import log


class Command(BaseCommand):
    help = "Compute the chains of hashes again. Names the first broken link of each stream; exit 1 if there is any."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("streams", nargs="*", metavar="MATCH", help="ids of matches or other streams")
        parser.add_argument("--all", action="store_true", help="every stream of the log")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"] == bool(options["streams"]):
            raise CommandError("Name streams, or say --all.")
        try:
            streams = list(log.streams()) if options["all"] else [UUID(one) for one in options["streams"]]
        except ValueError as error:
            raise CommandError(f"{error}; a stream is named by its UUID.") from error
        broken = []
        for stream in streams:
            if not options["all"] and log.head(stream) is None:
                raise CommandError(f"The log has no stream {stream}.")
            if (found := log.verify(stream)) is not None:
                broken.append(found)
        if options["json"]:
            rows = [{"stream": str(one.stream), "seq": one.seq, "why": one.why} for one in broken]
            self.stdout.write(json.dumps({"streams": len(streams), "broken": rows}))
        else:
            for one in broken:
                self.stdout.write(f"broken: {one}")
            self.stdout.write(f"{len(streams) - len(broken)} of {len(streams)} chains are whole.")
        if broken:
            raise SystemExit(1)
