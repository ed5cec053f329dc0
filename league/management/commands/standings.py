"""`manage.py standings FILE.trf [--edition E] [--tiebreaks BH,SB,DE] [--json]`: the standings of a report file, each figure with its sum."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.tournament import standings, trf
from league.tournament.rulesets import RULESETS
from league.tournament.tiebreaks.book import Addend, exact


def report_of(path: str) -> trf.Report:
    """Return a report file.

    :raises CommandError: if it cannot be read, with line and column
    """
    try:
        return trf.read(Path(path).read_bytes(), seed=Path(path).name)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.", returncode=2) from error
    except trf.Malformed as error:
        raise CommandError(f"{path}: {error}", returncode=2) from error


class Command(BaseCommand):
    help = "Print the standings of a FIDE report file (TRF16, TRF26) under a dated edition of tie-breaks."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.trf")
        parser.add_argument("--edition", "--ruleset", default="fide-2026-03", choices=sorted(RULESETS))
        parser.add_argument(
            "--tiebreaks", metavar="BH,BH-C1,SB,DE", help="in their order; without it those of the edition"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        report = report_of(options["file"])
        codes = None
        if options["tiebreaks"] is not None:
            codes = [one.strip().upper() for one in options["tiebreaks"].split(",") if one.strip()]
        try:
            told = standings.standings(report.field, options["edition"], codes)
        except KeyError as error:
            raise CommandError(f"{error.args[0]}.", returncode=2) from error
        names = {one.id: one.name for one in report.field.entrants}
        rows = [
            {
                "rank": row.rank, "place": row.place, "number": int(row.entrant), "name": names[row.entrant], "points": row.points_text,
                "tiebreaks": {
                    code: {"value": value.text, "addends": [_addend(one) for one in value.addends]} for code, value in row.values.items()
                },
            }
            for row in told.rows
        ]  # fmt: skip
        if options["json"]:
            said = {
                "edition": told.ruleset,
                "order": [*told.tiebreaks],
                "rounds": report.field.rounds,
                "digest": told.digest,
                "notes": [*report.notes],
                "rows": rows,
            }
            self.stdout.write(json.dumps(said, ensure_ascii=False, indent=1))
            return
        for note in report.notes:
            self.stderr.write(f"note: {note}")
        self.stdout.write(
            f"{'':>5} {'No':>4}  {'Name':<33} {'Pts':>6}  " + "  ".join(f"{code:>7}" for code in told.tiebreaks)
        )
        for row, shown in zip(told.rows, rows, strict=True):
            values = "  ".join(f"{row.values[code].text if code in row.values else '':>7}" for code in told.tiebreaks)
            self.stdout.write(
                f"{row.place:>5} {shown['number']:>4}  {shown['name']:<33} {row.points_text:>6}  {values}".rstrip()
            )


def _addend(one: Addend) -> dict[str, Any]:
    opponents = [int(part) for part in one.opponent.split(", ") if part]
    return {"round": one.round, "opponents": opponents, "value": exact(one.value), "rule": one.rule, "cut": one.cut}
