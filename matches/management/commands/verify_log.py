"""`manage.py verify_log [--all | MATCH…] [--json]`: the chains, and the signed checkpoints above them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from matches import checkpoints, log
from matches.models import LogCheckpoint


class Command(BaseCommand):
    help = (
        "Compute the chains of hashes again and compare them with the signed checkpoints. Names the first broken link of each stream and every "
        "checkpoint that does not hold; exit 1 if there is any."
    )

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
        problems = (
            checkpoints.verify()
            if options["all"]
            else [one for stream in streams for one in checkpoints.verify(stream)]
        )
        signed = LogCheckpoint.objects.count()
        if options["json"]:
            rows = [{"stream": str(one.stream), "seq": one.seq, "why": one.why} for one in broken]
            doubted = [
                {"checkpoint": one.number, "stream": str(one.stream) if one.stream else None, "why": one.why}
                for one in problems
            ]
            told = {"streams": len(streams), "broken": rows, "checkpoints": signed, "doubted": doubted}
            self.stdout.write(json.dumps(told))
        else:
            for one in broken:
                self.stdout.write(f"broken: {one}")
            for problem in problems:
                self.stdout.write(f"does not hold: {problem}")
            self.stdout.write(f"{len(streams) - len(broken)} of {len(streams)} chains are whole.")
            if not signed and options["all"]:
                self.stdout.write(
                    "There is no signed checkpoint yet; the clock makes the first one within five minutes."
                )
            elif signed and not problems:
                self.stdout.write(f"No signed checkpoint ({signed}) says otherwise.")
        if broken or problems:
            raise SystemExit(1)
