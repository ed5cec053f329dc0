"""Standings of a stage: points, then tie-breaks in their order, each with its parts; ranks that are shared where nothing parts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby

from msgspec import Struct

from league.tournament.field import Field
from league.tournament.pairing.base import digest
from league.tournament.rulesets import RULESETS, Ruleset
from league.tournament.tiebreaks.book import Addend, Book, Value, exact
from league.tournament.tiebreaks.codes import CODES, GROUPED, value_of


class Standing(Struct, frozen=True):
    """One row of the standings.

    :ivar rank: the place; those whom nothing parts have the same one
    :ivar shared: whether others have it as well ("3=")
    :ivar order: 1, 2, 3 … without ties, for lists
    :ivar values: by code, what the tie-breaks give; direct encounter only where it was asked
    :ivar addends: what the points are made of, a penalty with a rule of its own
    """

    rank: int
    shared: bool
    order: int
    entrant: str
    points: Fraction
    values: dict[str, Value]
    addends: tuple[Addend, ...]

    @property
    def place(self) -> str:
        """Return the rank as it is shown: "3", or "3=" if it is shared."""
        return f"{self.rank}=" if self.shared else str(self.rank)

    @property
    def points_text(self) -> str:
        """Return the points as exact text."""
        return exact(self.points)


class Standings(Struct, frozen=True):
    """The standings of a stage under an edition and an order of tie-breaks; the same input has the same digest everywhere."""

    ruleset: str
    tiebreaks: tuple[str, ...]
    rows: tuple[Standing, ...]
    digest: str


def standings(field: Field, ruleset: Ruleset | str, tiebreaks: Sequence[str] | None = None) -> Standings:
    """Return the standings of a stage. Whoever was disqualified is not in them; the results of the others stay.

    :param tiebreaks: codes in their order; None takes that of the edition for the system
    :raises KeyError: for an edition or a code that is not known, with those that are
    """
    if isinstance(ruleset, str):
        if ruleset not in RULESETS:
            raise KeyError(f"no edition {ruleset!r}; there are {', '.join(RULESETS)}")
        ruleset = RULESETS[ruleset]
    codes = tuple(tiebreaks if tiebreaks is not None else ruleset.default(field.system))
    for code in codes:
        if code not in CODES and code not in GROUPED:
            raise KeyError(f"no tie-break {code!r}; there are {', '.join(sorted([*CODES, *GROUPED]))}")
    book = Book(field, ruleset)
    members = [one.id for one in field.entrants if one.id not in field.disqualified]
    encounters: dict[str, dict[str, Value]] = {}
    groups = _parted(members, lambda one: (1, book.points[one]))
    for code in codes:
        if code in GROUPED:
            groups = [part for group in groups for part in _encounter(book, group, code, encounters)]
        else:
            groups = [
                part for group in groups for part in (_parted(group, _key(book, code)) if len(group) > 1 else [group])
            ]
    rows = []
    for group in groups:
        # Who shares a place stands in the list by pairing number.
        for entrant in sorted(group, key=lambda one: book.entrants[one].number):
            values = {code: value_of(book, code, entrant) for code in codes if code not in GROUPED}
            values |= {code: encounters[entrant][code] for code in codes if code in encounters.get(entrant, {})}
            rows.append((len(group) > 1, entrant, values))
    return Standings(ruleset.key, codes, _numbered(book, rows, groups), digest(field, ruleset.key, codes))


def _numbered(
    book: Book, rows: Sequence[tuple[bool, str, dict[str, Value]]], groups: Sequence[Sequence[str]]
) -> tuple[Standing, ...]:
    rank_of: dict[str, int] = {}
    before = 0
    for group in groups:
        rank_of.update(dict.fromkeys(group, before + 1))
        before += len(group)
    return tuple(
        Standing(rank_of[entrant], shared, order, entrant, book.points[entrant], values, _points_of(book, entrant))
        for order, (shared, entrant, values) in enumerate(rows, 1)
    )


def _points_of(book: Book, entrant: str) -> tuple[Addend, ...]:
    parts = [Addend(row.round, ", ".join(row.opponents), row.points, row.kind) for row in book.rows[entrant]]
    parts += [
        Addend(one.round, "", -one.points, "penalty")
        for one in book.field.penalties
        if one.entrant == entrant and one.points
    ]
    return tuple(parts)


def _key(book: Book, code: str) -> Callable[[str], tuple[int, object]]:
    return lambda entrant: value_of(book, code, entrant).key


def _parted(group: Sequence[str], key: Callable[[str], tuple[int, object]]) -> list[list[str]]:
    """Return a group in parts of equal keys, the greatest first; within a part the order stays."""
    keyed = {one: key(one) for one in group}
    order = sorted(group, key=lambda one: keyed[one], reverse=True)
    return [list(part) for _key, part in groupby(order, key=lambda one: keyed[one])]


# Direct encounter ----------------------------------------------------------------------------------------------------


def _encounter(book: Book, group: list[str], code: str, told: dict[str, dict[str, Value]]) -> list[list[str]]:
    """Return a tied group parted by the results among its members, again inside every part that came of it (FIDE C.07, article 6).

    Where not all have met, only somebody is placed who stays alone on top whatever the missing games would give.
    """
    if len(group) < 2:
        return [group]
    members = set(group)
    parts: dict[str, list[Addend]] = {one: [] for one in group}
    met: dict[str, set[str]] = {one: set() for one in group}
    for entrant in group:
        for row, opponent in book.met(entrant):
            if opponent in members:
                met[entrant].add(opponent)
                parts[entrant].append(Addend(row.round, opponent, book.against(row, opponent), "encounter"))
    sums = {one: sum((part.value for part in parts[one]), Fraction(0)) for one in group}
    for one in group:
        told.setdefault(one, {})[code] = Value(sums[one], exact(sums[one]), tuple(parts[one]))
    if not any(met.values()):
        return [group]
    if all(len(met[one]) == len(group) - 1 for one in group):
        found = _parted(group, lambda one: (1, sums[one]))
        if len(found) == 1:
            return found
        return [part for one in found for part in _encounter(book, one, code, told)]
    best = max(group, key=lambda one: sums[one])
    most = {one: sums[one] + book.field.win * (len(group) - 1 - len(met[one])) for one in group}
    if all(most[one] < sums[best] for one in group if one != best):
        rest = [one for one in group if one != best]
        return [[best], *_encounter(book, rest, code, told)]
    return [group]
