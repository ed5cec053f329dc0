"""`manage.py tournament ID [--at SEQ] [--live] --json`: a tournament as the API gives it, in one piece."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import Http404

from league.directing import report, words
from league.directing.selectors import tournament_of
from league.directing.shown import Shown


class Command(BaseCommand):
    help = "Show a tournament: its stages with rounds and standings, and the tables that miss a result."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", help="the id of the tournament, or its short name")
        parser.add_argument("--at", type=int, metavar="SEQ", help="as of this entry of its stream")
        parser.add_argument("--live", action="store_true", help="count results that are not confirmed as well")
        parser.add_argument("--json", action="store_true", help="print everything as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tournament = tournament_of(options["tournament"].lower())
        except Http404 as error:
            raise CommandError(
                f"There is no tournament {options['tournament']!r}. Its id or its short name is expected, such as winter-open."
            ) from error
        at = options["at"]
        if at is not None and not 0 <= at <= tournament.seq:
            raise CommandError(f"There is no entry {at}; the tournament has the entries 0 to {tournament.seq}.")
        if at is not None and options["live"]:
            raise CommandError("As of an entry there are settled standings only: give --at or --live.")
        # What everybody may see: nothing that is prepared only, and names as strangers know them.
        shown = Shown(tournament, None, at=at)
        told = report.tournament(shown, live=options["live"])
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1))
            return
        self.stdout.write(f"{told['title']} ({told['slug']}, {told['status']}), as of entry {told['at_seq']}")
        for stage, made in zip(shown.state.stages, told["stages"], strict=True):
            self.stdout.write(f"Stage {made['stage']}: {words.format_name(stage.settings)}")
            for row in made["places"]:
                self.stdout.write(f"  {row['rank']:>4}  {row['name']}")
            for table in made["standings"] if not made["places"] else ():
                if table["group"] is not None:
                    self.stdout.write(f"  Group {table['group']}")
                for row in table["rows"]:
                    parts = "  ".join(f"{code} {value['value']}" for code, value in row["tiebreaks"].items())
                    self.stdout.write(f"  {row['place']:>4}  {row['name']}: {row['points']}  {parts}".rstrip())
        for one in told["outstanding"]:
            names = ", ".join(player["name"] for player in one["players"])
            self.stdout.write(f"Round {one['round']}, table {one['table']} is {one['state']}: {names}")
