"""The Codex: every rule of every edition as a page, read from the objects that the engine itself refuses with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from msgspec import Struct

from matches import citations, selectors
from matches.games import game_name
from matches.models import Citation
from matches.shown import Shown, shown
from people.models import Person
from people.selectors import viewer_of
from rulesengine import registry
from rulesengine.game import Edition, Rule, Ruleset, Ruling

A_PAGE = 20
BEGINNING = date(1900, 1, 1)
"""An edition that holds from a day before this holds from the beginning."""


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
    since: date | None = None
    """The first day; None for an edition that holds from the beginning."""
    until: date | None = None
    """The first day of the next edition; None for the newest."""
    rulings: tuple[Ruling, ...] = ()
    """What opened it."""


class Change(Struct, frozen=True):
    """A ruling as the page of an edition shows it: the edition that it opened, and whether the edition shown is older."""

    ruling: Ruling
    edition: Edition
    url: str
    is_later: bool


class Entry(Struct, frozen=True):
    """A rule on the page of an edition: where its own page is, its parameters with their defaults, what changed it later."""

    rule: Rule
    url: str
    settings: tuple[Setting, ...]
    later: tuple[Change, ...]


class Figure(Struct, frozen=True):
    """A figure of the rules in several editions, as a header writes it."""

    name: str
    editions: tuple[str, ...]
    values: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def by_edition(self) -> list[tuple[str, str]]:
        """Return the values with the keys of their editions."""
        return list(zip(self.editions, self.values, strict=True))

    @property
    def differs(self) -> bool:
        """Return whether the editions have different values."""
        return len(set(self.values)) > 1


class Reworded(Struct, frozen=True):
    """A rule that two editions do not say alike; empty where one of them has no such rule."""

    id: str
    before: str
    after: str


class Example(Struct, frozen=True):
    """A match in which a rule was cited."""

    citation: Citation
    shown: Shown
    url: str


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
    editions = editions_of(game)
    before: Ruleset | None = None
    for number, edition in enumerate(editions):
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
                since=since(edition),
                until=editions[number + 1].effective if number + 1 < len(editions) else None,
                rulings=between(ruleset, editions[number - 1], edition) if number else (),
            )
        )
        before = ruleset
    return lines[::-1]


def since(edition: Edition) -> date | None:
    """Return the first day of an edition, None if it holds from the beginning."""
    return edition.effective if edition.effective >= BEGINNING else None


def between(ruleset: Ruleset, old: Edition, new: Edition) -> tuple[Ruling, ...]:
    """Return the rulings that came into force after an edition and up to a newer one, the oldest first."""
    return tuple(
        ruling
        for ruling in ruleset.rulings
        if ruling.applied is not None and old.effective < ruling.applied <= new.effective
    )


def changes_of(ruleset: Ruleset, rule_id: str = "") -> tuple[Change, ...]:
    """Return the rulings that touch a rule (or all), the oldest first, each with the edition from which it holds."""
    game, editions = ruleset.game, editions_of(ruleset.game)
    changes = []
    for ruling in ruleset.rulings:
        if rule_id and rule_id not in ruling.rules:
            continue
        opened = editions[0]
        if ruling.applied is not None:
            opened = next((one for one in editions if one.effective >= ruling.applied), editions[-1])
        is_later = ruling.applied is not None and ruling.applied > ruleset.edition.effective and not ruling.confirms
        changes.append(Change(ruling, opened, reverse("codex", args=[game, opened.key]), is_later))
    return tuple(changes)


def entries(ruleset: Ruleset, rules: Sequence[Rule]) -> list[tuple[Section, list[Entry]]]:
    """Return rules by their section, each with what the page of an edition says of it."""
    settings = {setting.name: setting for setting in settings_of(ruleset)}
    later: dict[str, list[Change]] = {}
    for change in changes_of(ruleset):
        for rule_id in change.ruling.rules if change.is_later else ():
            later.setdefault(rule_id, []).append(change)
    return [
        (
            section,
            [
                Entry(
                    rule,
                    reverse("codex-rule", args=[ruleset.game, ruleset.edition.key, rule.id]),
                    tuple(settings[name] for name in rule.parameters if name in settings),
                    tuple(later.get(rule.id, ())),
                )
                for rule in section.rules
            ],
        )
        for section in sections(rules)
    ]


def figures_of(rulesets: Sequence[Ruleset], names: Iterable[str] | None = None) -> list[Figure]:
    """Return the figures and the defaults of parameters of several editions side by side, all of them or those named."""
    values: list[Mapping[str, Any]] = [
        {**{parameter.name: parameter.default for parameter in ruleset.parameters}, **ruleset.figures_shown}
        for ruleset in rulesets
    ]
    rules = {parameter.name: parameter.rules for ruleset in rulesets for parameter in ruleset.parameters}
    wanted = dict.fromkeys(name for one in values for name in one) if names is None else names
    return [
        Figure(
            name,
            tuple(ruleset.edition.key for ruleset in rulesets),
            tuple(json.dumps(one[name], ensure_ascii=False) if name in one else "–" for one in values),
            rules.get(name, ()),
        )
        for name in wanted
        if any(name in one for one in values)
    ]


def reworded(old: Ruleset, new: Ruleset) -> list[Reworded]:
    """Return the rules that two editions do not say alike, in the order of the newer one, the dropped ones last."""
    before = {rule.id: rule.text for rule in old.rules}
    after = {rule.id: rule.text for rule in new.rules}
    return [
        Reworded(rule, before.get(rule, ""), after.get(rule, ""))
        for rule in dict.fromkeys([*after, *before])
        if before.get(rule) != after.get(rule)
    ]


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
    ruleset = _ruleset(game, edition)
    editions = editions_of(game)
    query, kind = request.GET.get("q", "").strip(), request.GET.get("kind", "")
    rules = found(ruleset.rules, query, kind)
    dated = timeline(game, ruleset.edition, timezone.localdate())
    context = {
        "game": game,
        "name": game_name(game),
        "ruleset": ruleset,
        "edition": ruleset.edition,
        "shown": next(line for line in dated if line.shown),
        "page_url": reverse("codex", args=[game, ruleset.edition.key]),
        "compare_url": _compare_url(game, ruleset.edition) if len(editions) > 1 else "",
        "query": query,
        "kind": kind,
        "kinds": (("", _("All rules")), ("sourced", _("Sourced rules")), ("house", _("House rules"))),
        "sections": entries(ruleset, rules),
        "number": len(rules),
        "total": len(ruleset.rules),
        "house": sum(not rule.sourced for rule in ruleset.rules),
        "tables": tables_of(ruleset),
        "settings": settings_of(ruleset),
        "timeline": dated,
        "crumbs": [(_("Codex"), reverse("codex-index"))],
    }
    partial = "#rules" if getattr(request, "htmx", False) else ""
    return render(request, f"codex/edition.html{partial}", context)


def codex_rule(request: HttpRequest, game: str, edition: str, rule: str) -> HttpResponse:
    """Show one rule of an edition: its parameters, its figures and its history over all editions, and where it was cited."""
    ruleset = _ruleset(game, edition)
    try:
        told = ruleset.rule(rule)
    except KeyError as error:
        raise Http404(
            _("%(edition)s has no rule “%(rule)s”; its rules are %(first)s to %(last)s.")
            % {"edition": edition, "rule": rule, "first": ruleset.rules[0].id, "last": ruleset.rules[-1].id}
        ) from error
    editions = editions_of(game)
    changes = changes_of(ruleset, told.id)
    settings = [setting for setting in settings_of(ruleset) if setting.name in told.parameters]
    figures = figures_of([registry.get(one.key) for one in editions], told.parameters)
    page = Paginator(citations.citations_of(game, told.id), A_PAGE).get_page(request.GET.get("page"))
    number = ruleset.rules.index(told)
    context = {
        "game": game,
        "name": game_name(game),
        "rule": told,
        "ruleset": ruleset,
        "edition": ruleset.edition,
        "editions": [
            (one.key, reverse("codex-rule", args=[game, one.key, told.id]), one.key == edition) for one in editions
        ],
        "edition_url": reverse("codex", args=[game, edition]),
        "later": [change for change in changes if change.is_later],
        "changes": changes,
        "settings": settings,
        "figures": [figure for figure in figures if figure.differs],
        "questions": [one for one in ruleset.questions if told.id in one.rules],
        "contradictions": [one for one in ruleset.contradictions if told.id in one.rules],
        "page": page,
        "examples": _examples(page, viewer_of(request)),
        "previous": _neighbour(ruleset, number - 1),
        "next": _neighbour(ruleset, number + 1),
        "crumbs": [
            (_("Codex"), reverse("codex-index")),
            (f"{game_name(game)}, {edition}", reverse("codex", args=[game, edition])),
        ],
    }
    return render(request, "codex/rule.html", context)


def codex_compare(request: HttpRequest, game: str) -> HttpResponse:
    """Show two editions side by side (`?from=` and `?to=`): figures, rulings between them, and rules that are worded anew.

    Without them: the edition in force today and the one before it. The older one always stands first.
    """
    current = _ruleset(game, "").edition
    editions = editions_of(game)
    at = next(number for number, one in enumerate(editions) if one.key == current.key)
    wanted = request.GET.get("from") or editions[max(at - 1, 0)].key, request.GET.get("to") or current.key
    old, new = sorted((_ruleset(game, key) for key in wanted), key=lambda one: (one.edition.effective, one.edition.key))
    figures = figures_of([old, new])
    context = {
        "game": game,
        "name": game_name(game),
        "old": old.edition,
        "new": new.edition,
        "old_url": reverse("codex", args=[game, old.edition.key]),
        "new_url": reverse("codex", args=[game, new.edition.key]),
        "editions": editions,
        "figures": [figure for figure in figures if figure.differs],
        "same": sum(not figure.differs for figure in figures),
        "rulings": [(one, _pages(new, one.rules)) for one in between(new, old.edition, new.edition)],
        "reworded": reworded(old, new),
        "crumbs": [(_("Codex"), reverse("codex-index")), (game_name(game), reverse("codex-game", args=[game]))],
    }
    return render(request, "codex/compare.html", context)


def codex_open(request: HttpRequest, game: str) -> HttpResponse:
    """Show what the publisher's texts leave open or contradict, and the house rules that stand in for an answer."""
    ruleset = _ruleset(game, "")
    texts = {rule.id: rule.text for rule in ruleset.rules}
    if not ruleset.questions and not ruleset.contradictions:
        raise Http404(_("Nothing is open in the rules of %(game)s.") % {"game": game_name(game)})
    context = {
        "game": game,
        "name": game_name(game),
        "questions": [
            (one, [(rule, url, texts[rule]) for rule, url in _pages(ruleset, one.rules)]) for one in ruleset.questions
        ],
        "contradictions": [(one, _pages(ruleset, one.rules)) for one in ruleset.contradictions],
        "crumbs": [(_("Codex"), reverse("codex-index")), (game_name(game), reverse("codex-game", args=[game]))],
    }
    return render(request, "codex/open.html", context)


def _ruleset(game: str, edition: str) -> Ruleset:
    """Return an edition of a game, the one in force today if none is named.

    :raises Http404: naming what there is
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
    return registry.get(edition or registry.in_force(game, timezone.localdate()).key)


def _pages(ruleset: Ruleset, rules: Iterable[str]) -> list[tuple[str, str]]:
    """Return rules with the addresses of their pages."""
    return [(rule, reverse("codex-rule", args=[ruleset.game, ruleset.edition.key, rule])) for rule in rules]


def _neighbour(ruleset: Ruleset, number: int) -> tuple[str, str] | None:
    """Return the id of the rule with a number in its edition, and its page; None beyond the first and the last."""
    return _pages(ruleset, [ruleset.rules[number].id])[0] if 0 <= number < len(ruleset.rules) else None


def _compare_url(game: str, edition: Edition) -> str:
    """Return the page that compares an edition with the one before it, the first with the one after it."""
    keys = [one.key for one in editions_of(game)]
    at = max(keys.index(edition.key), 1)
    return f"{reverse('codex-compare', args=[game])}?from={keys[at - 1]}&to={keys[at]}"


def _examples(page: Page[Citation], viewer: Person | None) -> list[Example]:
    """Return the citations of a page with their matches as a viewer may see them: a fixed number of queries."""
    rows = list(page.object_list)
    wanted = {row.match_id for row in rows}
    seen = (
        {one.match.pk: one for one in shown(selectors.match_list({}, viewer).filter(pk__in=wanted), viewer)}
        if rows
        else {}
    )
    return [
        Example(row, seen[row.match_id], f"{reverse('match-detail', args=[row.match_id])}?at={row.seq}#replay")
        for row in rows
        if row.match_id in seen
    ]


def _table(name: str, rows: Sequence[dict[str, Any]]) -> Table:
    head = tuple(dict.fromkeys(key for row in rows for key in row))
    return Table(
        name.replace("_", " "),
        tuple(key.replace("_", " ") for key in head),
        tuple(tuple(_cell(row.get(key)) for key in head) for row in rows),
    )


def _cell(value: Any) -> str:
    """Return a value of a table for people: lists with commas, amounts before their names, nothing as a dash."""
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(each, Mapping) for each in value) else ", "
        return between.join(map(_cell, value)) or "–"
    if isinstance(value, Mapping):
        return ", ".join(map(_amount, value, value.values())) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def _amount(name: str, value: Any) -> str:
    """Return a named figure for people, ``2 gold``; what is only so or not so by its name alone."""
    named = name.replace("_", " ")
    return named if value is True else f"{_cell(value)} {named}"
