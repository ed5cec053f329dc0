"""The ladder of ranks: a pure fold over a person's credited matches in order of play (ROD-10 … ROD-19)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from career.catalogue import Catalogue, Catalogues
from career.participation import (
    Campaigned,
    Deed,
    Evidence,
    Happening,
    Learned,
    Mentored,
    Participation,
)

KINGSQUARE = "kingsquare"
LEGENDS = "KS-F11"
KINGDOMS_FOR_RENOWN = 3
OWN_GAMES = ("kingsquare", "kingsburg", "hexwar", "robberknights")
MOST_SCRIBE_ERRORS = 3
MATCHES_A_YEAR = 4
OFFICES_A_YEAR = 2
MOST_NEWCOMERS = 3


class Credit(Struct, frozen=True):
    """A learning credit: for what, how many, and the event that earned it."""

    rule: str
    of: str
    value: int
    on: date
    evidence: Evidence


class Attained(Struct, frozen=True):
    """A rank attained, the day of the match and the event that met the last criterion."""

    rank: str
    on: date
    order: tuple[object, ...]
    evidence: Evidence


class Row(Struct, frozen=True):
    """A person's standing as far as their matches have been read."""

    matches: int = 0
    credits: tuple[Credit, ...] = ()
    played_in: tuple[tuple[int, int], ...] = ()
    served_in: tuple[tuple[int, int], ...] = ()
    renown: int = 0
    rank: str | None = None
    attained: tuple[Attained, ...] = ()

    @property
    def learning(self) -> int:
        """Return the learning credits so far."""
        return sum(credit.value for credit in self.credits)

    @property
    def active_years(self) -> tuple[int, ...]:
        """Return the calendar years with four credited matches as a player or General or two as an official (ROD-17)."""
        played, served = dict(self.played_in), dict(self.served_in)
        return tuple(
            year
            for year in sorted({*played, *served})
            if played.get(year, 0) >= MATCHES_A_YEAR or served.get(year, 0) >= OFFICES_A_YEAR
        )


def step(row: Row, one: Happening, catalogue: Catalogue) -> Row:
    """Return the standing after one more credited match, or a deed."""
    if isinstance(one, Deed):
        return _promoted(_after_deed(row, one, catalogue), one.on, one.order, one.evidence, catalogue)
    year = one.on.year
    if one.role in ("player", "general"):
        row = replace(row, matches=row.matches + 1, played_in=_counted(row.played_in, year))
    else:
        row = replace(row, matches=row.matches + 1, served_in=_counted(row.served_in, year))
    row = replace(row, renown=row.renown + _renown(one))
    for rule, of in _credits(one):
        row = _credited(row, rule, of, one.on, one.confirmation, catalogue)
    return _promoted(row, one.on, one.order, one.confirmation, catalogue)


def _after_deed(row: Row, one: Deed, catalogue: Catalogue) -> Row:
    match one:
        case Learned(lesson=lesson) if lesson in catalogue.lessons:
            return _credited(row, "ROD-11", lesson, one.on, one.evidence, catalogue)
        case Learned(lesson=lesson) if lesson == catalogue.rulings_lesson:
            return _credited(row, "ROD-15", lesson, one.on, one.evidence, catalogue)
        case Mentored(newcomer=newcomer):
            if sum(credit.rule == "ROD-16" for credit in row.credits) < MOST_NEWCOMERS:
                return _credited(row, "ROD-16", newcomer, one.on, one.evidence, catalogue)
        case Campaigned():
            return replace(row, renown=row.renown + 1)
    return row


def _credited(row: Row, rule: str, of: str, on: date, evidence: Evidence, catalogue: Catalogue) -> Row:
    """Return the standing with one more learning credit; the same one twice counts once."""
    if rule not in catalogue.credits or any((credit.rule, credit.of) == (rule, of) for credit in row.credits):
        return row
    return replace(row, credits=(*row.credits, Credit(rule, of, catalogue.credits[rule][1], on, evidence)))


def _promoted(row: Row, on: date, order: tuple[object, ...], evidence: Evidence, catalogue: Catalogue) -> Row:
    """Return the standing with the highest rank whose criteria are all met (ROD-18)."""
    rank = catalogue.rank_of(credits=row.learning, years=len(row.active_years), matches=row.matches)
    if rank is None or catalogue.step_of(rank.id) <= catalogue.step_of(row.rank):
        return row
    return replace(row, rank=rank.id, attained=(*row.attained, Attained(rank.id, on, order, evidence)))


def fold(happenings: Iterable[Happening], catalogue: Catalogue | Catalogues) -> Row:
    """Return a person's standing after all of this, given in order of play, each by the catalogue in force on its day.

    Of matches only confirmed ones count.
    """
    row = Row()
    for one in happenings:
        if isinstance(one, Deed) or one.confirmed:
            row = step(row, one, catalogue.on(one.on))
    return row


def rank_before(attained: Iterable[Attained], order: tuple[object, ...]) -> str | None:
    """Return the rank that a person held just before a moment in the order of play."""
    held = None
    for one in attained:
        if one.order >= order:
            break
        held = one.rank
    return held


def _credits(one: Participation) -> list[tuple[str, str]]:
    """Return the learning credits that a match may give, as rule and unit."""
    found = []
    if one.game in OWN_GAMES:
        if one.role == "player":
            found.append(("ROD-10", one.game))
        if (
            one.depth == "log"
            and one.sole_scribe
            and "scribe" in one.offices
            and one.scribe_errors <= MOST_SCRIBE_ERRORS
        ):
            found.append(("ROD-12", one.game))
    if one.role == "general":
        found.append(("ROD-13", "general"))
    if one.role in ("mapmaster", "referee"):
        found.append(("ROD-14", "office"))
    return found


def _renown(one: Participation) -> int:
    """Return the renown of a credited match (ROD-30): one for taking part as King or General, one for a first place among three
    Kingdoms or more, one for every Legendary Monster defeated. A campaign gives one more."""
    if one.game != KINGSQUARE or one.role not in ("player", "general"):
        return 0
    first = one.won and one.players >= KINGDOMS_FOR_RENOWN
    return 1 + first + sum(fact.value for fact in one.facts if fact.key == LEGENDS)


def _counted(years: tuple[tuple[int, int], ...], year: int) -> tuple[tuple[int, int], ...]:
    counted = dict(years)
    counted[year] = counted.get(year, 0) + 1
    return tuple(sorted(counted.items()))
