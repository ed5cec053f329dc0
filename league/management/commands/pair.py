"""`manage.py pair FILE.trf [--system swiss|dutch|round_robin] [--seed S] [--json]`: the next round of a report file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.management.commands.standings import report_of
from league.tournament.pairing import dutch, round_robin, swiss
from league.tournament.pairing.base import Pairing, PairingImpossible


class Command(BaseCommand):
    help = "Pair the next round of a FIDE report file (TRF16, TRF26). Who is named in XXZ is away; XXP names pairs that must not meet."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.trf")
        parser.add_argument("--system", choices=["swiss", "dutch", "round_robin"], default="swiss")
        parser.add_argument(
            "--seed", default="", help="text that the lots are drawn from; without it the name of the file"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        report = report_of(options["file"])
        field = report.field
        number = field.rounds + 1
        present = [one.id for one in field.entrants if one.number not in report.absent]
        banned = {frozenset(map(str, pair)) for pair in report.banned}
        seed = options["seed"] or field.seed
        try:
            told = self._paired(options["system"], report.field, number, present, banned, seed)
        except PairingImpossible as error:
            raise CommandError(f"{options['file']}: {error}.", returncode=1) from error
        pairs = [[int(one) for one in table.seats] for table in told.tables]
        bye = next((int(one.entrant) for one in told.byes), None)
        if options["json"]:
            notes = [
                {"code": one.code, "numbers": [int(who) for who in one.entrants], **one.detail} for one in told.notes
            ]
            said = {
                "round": number, "pairs": pairs, "bye": bye, "engine": told.engine, "version": told.version, "input_digest": told.input_digest,
                "notes": notes,
            }  # fmt: skip
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        for note in report.notes:
            self.stderr.write(f"note: {note}")
        names = {one.number: one.name for one in field.entrants}
        self.stdout.write(f"Round {number} by {told.engine} {told.version}")
        for table, (first, second) in enumerate(pairs, 1):
            self.stdout.write(f"{table:>4}  {first:>4} {names[first]:<33} {second:>4} {names[second]}".rstrip())
        if bye is not None:
            self.stdout.write(f" bye  {bye:>4} {names[bye]}".rstrip())
        for one in told.notes:
            self.stdout.write(f"note: {one.code} {', '.join(one.entrants)}")

    def _paired(
        self, system: str, field: Any, number: int, present: list[str], banned: set[frozenset[str]], seed: str
    ) -> Pairing:
        if system == "dutch":
            return dutch.pair(field, round=number, present=present, banned=banned, seed=seed, repeats_matter=False)
        if system == "round_robin":
            return round_robin.pair(field, round=number, present=present, seed=seed)
        return swiss.pair(field, round=number, present=present, banned=banned, seed=seed, repeats_matter=False)
