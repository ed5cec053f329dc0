"""`manage.py upload_log FILE… [--dry-run] [--accept-irregular --reason TEXT] [--confirm] [--restore] [--by HANDLE] [--json]`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches import services
from matches.management.by import by_argument, by_person
from matches.models import Match, Upload
from people.models import Person
from rulesengine.log import MAX_BYTES


class Command(BaseCommand):
    help = (
        "Check match logs (JSON Lines, scribe text, CSV, or a zip of them) and record those that hold, as the upload page does. "
        "Exit 0: all recorded (with --dry-run: all clean); 1: something was found; 2: something could not be read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be found")
        parser.add_argument("--accept-irregular", action="store_true", help="let irregular lines stand; needs --reason")
        parser.add_argument("--reason", default="", help="why irregular lines stand")
        parser.add_argument("--confirm", action="store_true", help="confirm the placements as well")
        parser.add_argument(
            "--hold", action="store_true", help="lay what cannot be recorded on the desk of the referees"
        )
        parser.add_argument(
            "--restore", action="store_true", help="bring fully exported matches back as they were, hashes included"
        )
        parser.add_argument("--json", action="store_true", help="print one report a line")
        by_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["accept_irregular"] and not options["reason"].strip():
            raise CommandError("--accept-irregular needs --reason TEXT: why do these lines stand?")
        by = by_person(options)
        worst = 0
        for path in options["files"]:
            for outcome in self._file(Path(path), by, options):
                worst = max(worst, outcome.pop("exit"))
                self._print(outcome, options["json"])
        if worst:
            raise SystemExit(worst)

    def _file(self, path: Path, by: Person, options: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            with path.open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}.") from error
        if options["restore"]:
            return [self._restored(path, raw, by)]
        try:
            uploads = services.uploads_check(by=by, name=path.name, raw=raw)
        except services.BadArchive as error:
            return [{**_empty(path.name, str(error)), "exit": 2}]
        return [self._upload(upload, by, options) for upload in uploads]

    def _restored(self, path: Path, raw: bytes, by: Person) -> dict[str, Any]:
        try:
            match = services.match_restore(raw=raw, name=path.name, by=by)
        except (services.NotRecordable, services.Forbidden) as error:
            return {**_empty(path.name, str(error)), "exit": 2}
        return {"file": path.name, "match": str(match.pk), "stored": True, "held": False, "findings": [], "exit": 0}

    def _upload(self, upload: Upload, by: Person, options: dict[str, Any]) -> dict[str, Any]:
        report = dict(upload.report or {})
        outcome = {"file": upload.name, **report, "stored": False, "held": False, "error": None}
        found = any(row["kind"] != "observed" for row in report["findings"]) or report["different"] is not None
        outcome["exit"] = 2 if report["unreadable"] else 1 if found else 0
        if options["dry_run"]:
            upload.delete()
            return outcome
        if report["unreadable"]:
            outcome["error"] = report["unreadable"]
            services.upload_drop(upload=upload, by=by)
            return outcome
        try:
            match = services.upload_record(
                upload=upload,
                by=by,
                accept_irregular=options["accept_irregular"],
                reason=options["reason"],
                confirm=options["confirm"],
            )
        except (services.NotRecordable, services.Forbidden, services.DifferentVersion) as error:
            told = str(error)
            if report["may"]["accept"] and not options["accept_irregular"]:
                told += " To let them stand, say --accept-irregular --reason TEXT."
            outcome |= {"error": told, "exit": max(outcome["exit"], 1)}
            if options["hold"] and report["may"]["hold"]:
                services.upload_hold(upload=upload, by=by, reason=options["reason"])
                outcome["held"] = True
            return outcome
        confirmed = match.status == Match.Status.CONFIRMED
        return {**outcome, "match": str(match.pk), "stored": True, "confirmed": confirmed, "exit": 0}

    def _print(self, outcome: dict[str, Any], as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(outcome, ensure_ascii=False))
            return
        name = outcome["file"]
        for row in outcome["findings"]:
            line = f"line {row['line']}" if row["line"] else "the file"
            follows = f" (follows from seq {row['follows']})" if row["follows"] is not None else ""
            rule = f" {row['rule']}" if row["rule"] else ""
            self.stdout.write(f"{name}: {line}: {row['kind']}{rule}: {row['message']}{follows}")
        if outcome["stored"]:
            again = "was already " if outcome.get("again") else ""
            confirmed = " and confirmed" if outcome.get("confirmed") else ""
            self.stdout.write(f"{name}: {again}recorded as match {outcome['match']}{confirmed}")
        elif outcome["held"]:
            self.stdout.write(f"{name}: held for the referees")
        elif outcome.get("error"):
            self.stdout.write(f"{name}: not recorded: {outcome['error']}")
        else:
            self.stdout.write(f"{name}: {outcome['accepted']} of {outcome['events']} events accepted")


def _empty(name: str, error: str) -> dict[str, Any]:
    return {
        "file": name, "findings": [], "unreadable": error, "match": None, "stored": False, "held": False, "error": error,
        "events": 0, "accepted": 0,
    }  # fmt: skip
