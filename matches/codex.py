"""The Codex: every rule of every edition as a page, read from the objects that the engine itself refuses with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.games import game_name
from rulesengine import registry
from rulesengine.game import Edition, Rule, Ruleset


class Section(Struct, frozen=True):
    """A part of a rule book with the rules of it that are shown."""

    title: str
    anchor: str
    rules: tuple[Rule, ...]


class Table(Struct, frozen=True):
    """A table of the game: its name, its headings and its rows."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def anchor(self) -> str:
        """Return the anchor of the table on its page."""
        return f"table-{slugify(self.name)}"


class Setting(Struct, frozen=True):
    """A set-up parameter as the page shows it: `default` in the notation of a header."""

    name: str
    default: str
    values: str
    rules: tuple[str, ...]


class Dated(Struct, frozen=True):
    """An edition on the timeline: the first day on which it holds, and the ids of what it changed."""

    edition: Edition
    url: str
    in_force: bool
    shown: bool
    added: tuple[str, ...]
    changed: tuple[str, ...]
    dropped: tuple[str, ...]


def editions_of(game: str) -> list[Edition]:
    """Return the editions of a game, the oldest first."""
    return sorted(
        (edition for edition in registry.editions() if registry.get(edition.key).game == game),
        key=lambda edition: (edition.effective, edition.key),
    )


def found(rules: Iterable[Rule], query: str, kind: str) -> list[Rule]:
    """Return the rules whose id or text holds every word of the query, of one kind (``sourced``, ``house``) or of both."""
    words = query.casefold().split()
    return [
        rule
        for rule in rules
        if (kind not in ("sourced", "house") or rule.sourced == (kind == "sourced"))
        and all(word in f"{rule.id} {rule.text}".casefold() for word in words)
    ]


def sections(rules: Sequence[Rule]) -> tuple[Section, ...]:
    """Return rules by their section, in the order in which the sections first come."""
    titles = dict.fromkeys(rule.section for rule in rules)
    return tuple(
        Section(title, f"section-{slugify(title) or number}", tuple(rule for rule in rules if rule.section == title))
        for number, title in enumerate(titles, 1)
    )


def settings_of(ruleset: Ruleset) -> list[Setting]:
    """Return the set-up parameters of an edition, their defaults as a header would write them."""
    return [
        Setting(parameter.name, json.dumps(parameter.default, ensure_ascii=False), parameter.values, parameter.rules)
        for parameter in ruleset.parameters
    ]


def tables_of(ruleset: Ruleset) -> list[Table]:
    """Return the tables of an edition as text."""
    return [_table(name, rows) for name, rows in ruleset.tables.items() if rows]


def timeline(game: str, shown: Edition, today: date) -> list[Dated]:
    """Return the editions of a game, the newest first, each with what it changed against the one before it."""
    current = registry.in_force(game, today)
    lines: list[Dated] = []
    before: Ruleset | None = None
    for edition in editions_of(game):
        ruleset = registry.get(edition.key)
        old = {rule.id: rule.text for rule in before.rules} if before else {}
        new = {rule.id: rule.text for rule in ruleset.rules}
        lines.append(
            Dated(
                edition,
                reverse("codex", args=[game, edition.key]),
                in_force=edition.key == current.key,
                shown=edition.key == shown.key,
                added=tuple(rule for rule in new if before and rule not in old),
                changed=tuple(rule for rule, text in new.items() if rule in old and old[rule] != text),
                dropped=tuple(rule for rule in old if rule not in new),
            )
        )
        before = ruleset
    return lines[::-1]


def codex_index(request: HttpRequest) -> HttpResponse:
    """Show the games that the engine knows, each with its edition in force today."""
    today = timezone.localdate()
    games = []
    for game in registry.games():
        edition = registry.in_force(game, today)
        ruleset = registry.get(edition.key)
        games.append(
            {
                "key": game,
                "name": game_name(game),
                "edition": edition,
                "rules": len(ruleset.rules),
                "house": sum(not rule.sourced for rule in ruleset.rules),
                "seats": ruleset.seats,
                "editions": len(editions_of(game)),
            }
        )
    return render(request, "codex/index.html", {"games": games})


def codex(request: HttpRequest, game: str, edition: str = "") -> HttpResponse:
    """Show one edition of a game's rules, all of them or those that `?q=` and `?kind=` ask for.

    Without an edition: the one in force today.
    """
    if game not in registry.games():
        raise Http404(
            _("There is no game “%(game)s” in the Codex; it holds %(games)s.")
            % {"game": game, "games": ", ".join(registry.games())}
        )
    known = {known.key: known for known in editions_of(game)}
    if edition and edition not in known:
        raise Http404(
            _("%(game)s has no edition “%(edition)s”; its editions are %(editions)s.")
            % {"game": game_name(game), "edition": edition, "editions": ", ".join(known)}
        )
    shown = known[edition] if edition else registry.in_force(game, timezone.localdate())
    ruleset = registry.get(shown.key)
    query, kind = request.GET.get("q", "").strip(), request.GET.get("kind", "")
    rules = found(ruleset.rules, query, kind)
    context = {
        "game": game,
        "name": game_name(game),
        "ruleset": ruleset,
        "edition": shown,
        "page_url": reverse("codex", args=[game, shown.key]),
        "query": query,
        "kind": kind,
        "kinds": (("", _("All rules")), ("sourced", _("Sourced rules")), ("house", _("House rules"))),
        "sections": sections(rules),
        "number": len(rules),
        "total": len(ruleset.rules),
        "house": sum(not rule.sourced for rule in ruleset.rules),
        "tables": tables_of(ruleset),
        "settings": settings_of(ruleset),
        "timeline": timeline(game, shown, timezone.localdate()),
        "crumbs": [(_("Codex"), reverse("codex-index"))],
    }
    partial = "#rules" if getattr(request, "htmx", False) else ""
    return render(request, f"codex/edition.html{partial}", context)


def _table(name: str, rows: Sequence[dict[str, Any]]) -> Table:
    head = tuple(dict.fromkeys(key for row in rows for key in row))
    return Table(
        name.replace("_", " "),
        tuple(key.replace("_", " ") for key in head),
        tuple(tuple(_cell(row.get(key)) for key in head) for row in rows),
    )


def _cell(value: Any) -> str:
    """Return a value of a table for people: lists with commas, nothing as a dash."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_cell, value)) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)
