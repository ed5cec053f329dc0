"""Give or take a role."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from league import selectors, services
from people import rights
from people.commands import WritingCommand, person_named
from people.models import Grant, Person
from people.services import Forbidden, grant_give, grant_revoke


class Command(WritingCommand):
    """`grant HANDLE ROLE [SCOPE]`: SCOPE is `site` (default), `league:SHORT-NAME` or any scope with an id."""

    help = (
        "Give somebody a role in a scope (site, league:SHORT-NAME, tournament:ID, match:ID), or take it with --revoke."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("handle", help="who is given the role")
        parser.add_argument("role", choices=Grant.Role.values)
        parser.add_argument("scope", nargs="?", default=rights.SITE)
        parser.add_argument("--revoke", action="store_true", help="take the role instead")

    def write(self, by: Person, options: dict[str, Any]) -> str | None:
        person, role, scope = person_named(options["handle"]), options["role"], options["scope"]
        if scope.startswith("league:"):
            league = selectors.league_by_slug(scope.removeprefix("league:"))
            if league is None:
                raise CommandError(f"There is no league {scope.removeprefix('league:')!r}.")
            write = services.role_take if options["revoke"] else services.role_give
            write(league=league, person=person, role=role, by=by, at=timezone.now())
        else:
            if not rights.may(by, "administer", [scope]):
                raise Forbidden("administer")
            if not options["revoke"]:
                try:
                    grant_give(person=person, role=role, scope=scope, by=by)
                except ValueError as malformed:
                    raise CommandError(str(malformed)) from malformed
            elif not grant_revoke(person=person, role=role, scope=scope):
                raise CommandError(f"@{person.handle} does not hold the role {role} in {scope}.")
        verb = "no longer holds" if options["revoke"] else "holds"
        return f"@{person.handle} {verb} the role {role} in {scope}"
