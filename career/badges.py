"""Badges: a pure fold over a person's matches in order of play, each award with the event that earned it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from career.catalogue import Badge, Catalogue, Catalogues
from career.catalogue.kinds import TIERS, Tier
from career.participation import Deed, Evidence, Happening, Participation, SeasonAttended, TournamentWon

QUILL_EVENTS = 20

RankBefore = Callable[[str, tuple[object, ...]], int]
"""Answers the step on the ladder (0 for none) that a person held just before a moment in the order of play."""


class Awarded(Struct, frozen=True):
    """A tier of a badge, the day on which it was earned, the entries that earned it, and by which version of the catalogue."""

    badge: str
    tier: Tier
    on: date
    value: int
    evidence: tuple[Evidence, ...]
    catalogue: str


class Row(Struct, frozen=True):
    """What a person has so far: figures of career-long badges with their evidence, crowns, and the awards."""

    figures: tuple[tuple[str, int], ...] = ()
    crowns: frozenset[str] = frozenset()
    awards: tuple[Awarded, ...] = ()

    def figure(self, badge_id: str) -> int:
        """Return the figure of a career-long badge so far."""
        return dict(self.figures).get(badge_id, 0)


def step(row: Row, person: str, one: Participation, catalogue: Catalogue, rank_before: RankBefore) -> Row:
    """Return what the person has after one more match."""
    for badge in catalogue.badges:
        if (badge.game is not None and badge.game != one.game) or badge.figure in DEEDS.values():
            continue
        start = row.figure(badge.id) if badge.scope == "career" else 0
        held = {award.tier for award in row.awards if award.badge == badge.id}
        value, reached = start, dict[Tier, tuple[int, int]]()
        for grown, seq in _growth(row, badge, person, one, rank_before, start):
            if grown <= value:
                continue
            for tier in TIERS:
                # A later catalogue may ask for less than the person has already.
                if tier not in held and tier not in reached and badge.threshold(tier) <= grown:
                    reached[tier] = (grown, seq)
            value = grown
        if badge.scope == "career" and value != start:
            row = replace(row, figures=tuple(sorted({**dict(row.figures), badge.id: value}.items())))
        fresh = tuple(
            Awarded(badge.id, tier, one.on, figure, (Evidence(one.match, seq),), catalogue.version)
            for tier, (figure, seq) in reached.items()
        )
        row = replace(row, awards=row.awards + fresh)
    if one.won:
        row = replace(row, crowns=row.crowns | {one.game})
    return row


def step_deed(row: Row, one: Deed, catalogue: Catalogue) -> Row:
    """Return what the person has after a deed: it may count for badges that are no match's."""
    figure = DEEDS.get(type(one))
    for badge in catalogue.badges:
        if figure is None or badge.figure != figure:
            continue
        value = row.figure(badge.id) + 1
        row = replace(row, figures=tuple(sorted({**dict(row.figures), badge.id: value}.items())))
        held = {award.tier for award in row.awards if award.badge == badge.id}
        fresh = tuple(
            Awarded(badge.id, tier, one.on, value, (one.evidence,), catalogue.version)
            for tier in TIERS
            if tier not in held and badge.threshold(tier) <= value
        )
        row = replace(row, awards=row.awards + fresh)
    return row


def fold(
    person: str, happenings: Iterable[Happening], catalogue: Catalogue | Catalogues, rank_before: RankBefore
) -> Row:
    """Return what the person has after all of this, given in order of play, each by the catalogue in force on its day (ROD-06)."""
    row = Row()
    for one in happenings:
        if isinstance(one, Deed):
            row = step_deed(row, one, catalogue.on(one.on))
        elif one.credited:
            row = step(row, person, one, catalogue.on(one.on), rank_before)
    return row


def _growth(
    row: Row, badge: Badge, person: str, one: Participation, rank_before: RankBefore, start: int
) -> Iterator[tuple[int, int]]:
    """Yield the badge's figure as it grew in the match, with the seq that made it grow."""
    if badge.figure is not None:
        figure, seq = FIGURES[badge.figure](row, person, one, rank_before)
        yield (start + figure if badge.scope == "career" else figure), seq
        return
    if one.role not in badge.roles or one.depth != "log" or any(fact.key in badge.unless for fact in one.facts):
        return
    total, best, last = start, 0, one.end_seq
    for fact in one.facts:
        if fact.key not in badge.facts:
            continue
        if fact.mode == "sum":
            total += fact.value
        else:
            best = max(best, fact.value)
        if not badge.at_end:
            yield max(total, best), fact.seq
    if badge.at_end:
        yield max(total, best), last


def _crowns(row: Row, person: str, one: Participation, rank_before: RankBefore) -> tuple[int, int]:
    """Return 1 for the first first place in a game (BDG-X-01)."""
    return int(one.won and one.game not in row.crowns), one.end_seq


def _giant(row: Row, person: str, one: Participation, rank_before: RankBefore) -> tuple[int, int]:
    """Return by how many ranks the highest opponent finishing behind stood above the person at the start (BDG-X-02)."""
    if one.role != "player" or one.place is None:
        return 0, one.end_seq
    own = rank_before(person, one.order)
    behind = [
        rank_before(rival.person, one.order) - own
        for rival in one.rivals
        if rival.place is not None and rival.place > one.place and rival.person != person
    ]
    return max([0, *behind]), one.end_seq


def _quill(row: Row, person: str, one: Participation, rank_before: RankBefore) -> tuple[int, int]:
    """Return 1 for a whole match of at least 20 events scribed without an error of the scribe (BDG-X-05)."""
    clean = one.depth == "log" and one.sole_scribe and "scribe" in one.offices and one.scribe_errors == 0
    return int(clean and one.confirmed and one.events >= QUILL_EVENTS), one.confirmation.seq


FIGURES: dict[str, Callable[[Row, str, Participation, RankBefore], tuple[int, int]]] = {
    "crowns": _crowns,
    "giant": _giant,
    "quill": _quill,
}

DEEDS: dict[type[Deed], str] = {TournamentWon: "laurels", SeasonAttended: "attendance"}
"""Which figure counts deeds of a kind."""
