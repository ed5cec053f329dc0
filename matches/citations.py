"""Where the rules are cited in recorded matches: by a ruling, or by what a referee let stand although a rule forbids it.

A projection of the log: :func:`note` reads it again whenever a match that has any grows, and ``manage.py cite`` for all matches.
"""

from __future__ import annotations

from django.db.models import QuerySet
from msgspec import Struct

from matches.models import Citation, Match
from rulesengine import shared
from rulesengine.replay import Replay

CITING = frozenset({"ruling_given", "illegal_state_accepted"})
PUBLIC = (Match.Status.ENDED, Match.Status.CONFIRMED)
"""A match that runs may hide something, and one that is void is no example."""


class Cited(Struct, frozen=True):
    """A rule that an entry of a match is an example of."""

    seq: int
    rule: str
    kind: str


def cited(told: Replay) -> list[Cited]:
    """Return what the log of a match cites, in order: rulings that name a rule of the game, and irregular entries that stand."""
    rules = {rule.id.casefold(): rule.id for rule in told.ruleset.rules}
    accepted: set[int] = set()
    found: dict[int, Cited] = {}
    for one in told.carried:
        data = one.event.data if one.event is not None else None
        if isinstance(data, shared.RulingGiven):
            rule = rules.get((data.rule or "").strip().casefold())
            if rule is not None:
                found[one.seq] = Cited(one.seq, rule, Citation.Kind.RULING)
        elif isinstance(data, shared.IllegalStateAccepted):
            accepted.update(data.seqs)
    for one in told.carried:
        if one.seq in accepted and one.event is not None:
            refusal = told.ruleset.check(one.before, one.event)
            if refusal is not None and refusal.rule.id:
                found[one.seq] = Cited(one.seq, refusal.rule.id, Citation.Kind.ACCEPTED)
    return [found[seq] for seq in sorted(found)]


def note(match: Match, told: Replay) -> None:
    """Bring the citations of a stored match up to its log, whose replay is given. A log that cites nothing costs no query."""
    if not any(line.type in CITING for line in told.log.lines):
        return
    rows = [Citation(match=match, seq=one.seq, rule=one.rule, kind=one.kind) for one in cited(told)]
    Citation.objects.filter(match=match).delete()
    Citation.objects.bulk_create(rows)


def citations_of(game: str, rule: str) -> QuerySet[Citation]:
    """Return where a rule is cited in matches of a game that are over and count, the latest first."""
    return (
        Citation.objects.filter(rule=rule, match__game=game, match__status__in=PUBLIC)
        .order_by("-match__played_on", "-match_id", "seq")
        .only("match_id", "seq", "kind")
    )
