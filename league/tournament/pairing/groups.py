"""Groups: dealing entrants into them, and cutting a table so that the first go on. A tie at the line is never decided in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, Protocol

import rustworkx
from msgspec import Struct

from league.tournament.pairing.base import lot

type Ties = Literal["refuse", "all", "none", "order", "lot"]


def snake[T](items: Sequence[T], count: int, *, apart: Callable[[T], str] | None = None) -> tuple[tuple[T, ...], ...]:
    """Return items, best first, dealt into so many groups: 1 2 3, then 6 5 4, then 7 8 9 …; sizes differ by one at most.

    :param apart: items with the same answer (but "") are put into different groups where that is possible by exchanging items of
        one layer of the snake, so that the strength of the groups stays
    :raises ValueError: if there are fewer items than groups
    """
    if not 1 <= count <= len(items):
        raise ValueError(f"{len(items)} entrants cannot make {count} groups")
    dealt: list[list[T]] = [[] for _group in range(count)]
    for layer, start in enumerate(range(0, len(items), count)):
        part = list(items[start : start + count])
        order = list(range(count))[:: -1 if layer % 2 else 1]
        into = order[: len(part)]
        places = _kept_apart(part, into, dealt, apart) if apart else into
        for item, group in zip(part, places, strict=True):
            dealt[group].append(item)
    return tuple(map(tuple, dealt))


def _kept_apart[T](
    part: Sequence[T], into: Sequence[int], dealt: Sequence[Sequence[T]], apart: Callable[[T], str]
) -> list[int]:
    """Return a group for each item of a layer."""
    clubs = [{apart(one) for one in group} - {""} for group in dealt]
    clashes = [[apart(one) in clubs[group] for group in into] for one in part]
    return [into[place] for place in nearest(clashes)]


def nearest(clashes: Sequence[Sequence[bool]]) -> list[int]:
    """Return a place for each of n items, of n places, all different: the fewest clashes, and with these the smallest moves.

    Item i belongs at place i; a move is as much as the square of its distance. Exact, by a matching of greatest weight.

    :param clashes: for each item, whether it clashes at each place
    """
    count = len(clashes)
    if not any(clashes[item][item] for item in range(count)):
        return list(range(count))
    clash = count**3 + 1  # More than all moves together.
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * (2 * count))
    graph.add_edges_from(
        (item, count + place, -(clash * clashes[item][place] + (item - place) ** 2))
        for item in range(count)
        for place in range(count)
    )
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: cost)
    told = {min(pair): max(pair) - count for pair in matched}
    return [told[item] for item in range(count)]


class Ranked(Protocol):
    """A row of a table, as far as a cut reads it."""

    @property
    def entrant(self) -> str:
        """Whose row it is."""

    @property
    def rank(self) -> int:
        """The rank, the same for those who share it."""

    @property
    def points(self) -> Fraction:
        """The points."""


class Place(Struct, frozen=True):
    """A plain row for a cut."""

    entrant: str
    rank: int
    points: Fraction = Fraction(0)


class TiedCut(ValueError):
    """More share the rank at the line than there are places, and no rule was named that parts them."""

    def __init__(self, entrants: Iterable[str], places: int) -> None:
        self.entrants = tuple(entrants)
        self.places = places
        super().__init__(f"{len(self.entrants)} are tied for {places} at the cut: {', '.join(self.entrants)}")


class Cut(Struct, frozen=True):
    """Who goes on, best first, and who does not; `tied` shared the rank at the line and were parted by the rule."""

    through: tuple[str, ...]
    out: tuple[str, ...]
    rule: Ties
    tied: tuple[str, ...] = ()


def cut(rows: Sequence[Ranked], count: int, *, ties: Ties = "refuse", seed: str = "") -> Cut:
    """Return the first `count` of a table.

    :param ties: what is done when more share the rank at the line than there are places: `refuse`; `all` or `none` of them go on;
        the `order` of the list decides; or a `lot` drawn from `seed`
    :raises TiedCut: if they are to be refused
    :raises ValueError: if there are fewer rows than that
    """
    if not 1 <= count <= len(rows):
        raise ValueError(f"{count} cannot go on from {len(rows)}")
    ranked = sorted(rows, key=lambda row: row.rank)
    line = ranked[count - 1].rank
    safe = [row.entrant for row in ranked if row.rank < line]
    tied = [row.entrant for row in ranked if row.rank == line]
    places = count - len(safe)
    if len(tied) == places:
        return _cut(ranked, [*safe, *tied], ties)
    if ties == "refuse":
        raise TiedCut(tied, places)
    if ties == "lot":
        tied.sort(key=lambda one: lot(seed, "cut", one))
    taken = {"all": len(tied), "none": 0}.get(ties, places)
    return _cut(ranked, [*safe, *tied[:taken]], ties, tied)


def _cut(rows: Iterable[Ranked], through: Sequence[str], rule: Ties, tied: Sequence[str] = ()) -> Cut:
    out = tuple(row.entrant for row in rows if row.entrant not in through)
    return Cut(tuple(through), out, rule, tuple(tied))


def cut_groups(
    tables: Sequence[Sequence[Ranked]],
    count: int,
    *,
    best_of_next: int = 0,
    games: Mapping[str, int] | None = None,
    ties: Ties = "refuse",
    seed: str = "",
) -> Cut:
    """Return the first `count` of each group: all winners first, then all seconds …, within these by points a game.

    Across groups only points per game are compared, never sums, because groups may differ in size.

    :param best_of_next: how many more go on of those who are next in their groups
    :param games: games that each has played; without it every group counts as one in which all have played the same
    """
    cuts = [cut(rows, count, ties=ties, seed=seed) for rows in tables]
    average = {row.entrant: row.points / max(1, (games or {}).get(row.entrant, 1)) for rows in tables for row in rows}
    group = {row.entrant: number for number, rows in enumerate(tables) for row in rows}
    layers: list[str] = []
    for place in range(max(len(one.through) for one in cuts)):
        same = [one.through[place] for one in cuts if len(one.through) > place]
        layers += sorted(same, key=lambda one: (-average[one], group[one]))
    more: Cut | None = None
    if best_of_next:
        more = cut(_across([one.out[:1] for one in cuts], average), best_of_next, ties=ties, seed=seed)
    through = [*layers, *(more.through if more else ())]
    tied = [one for part in [*cuts, *([more] if more else [])] for one in part.tied]
    rows = [row for rows in tables for row in rows]
    return _cut(sorted(rows, key=lambda row: (row.rank, group[row.entrant])), through, ties, tied)


def _across(nexts: Iterable[Sequence[str]], average: Mapping[str, Fraction]) -> list[Place]:
    entrants = [one for part in nexts for one in part]
    values = [average[one] for one in entrants]
    told = [Place(one, 1 + sum(value > average[one] for value in values), average[one]) for one in entrants]
    return sorted(told, key=lambda row: row.rank)
