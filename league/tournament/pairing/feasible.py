"""What can be said before a round is paired: how many rounds are possible without a rematch, and what stands in the way.

Two figures are told apart. So many rounds are *possible* at most: nobody has more new opponents. So many are *sure*: however the
rounds before them are paired, the next one can be paired without a rematch and without a second bye. For two seats, with the bye of
an odd number as one more opponent (N of them, d new ones for each), a round is sure

- if d is at least N/2 for everybody (Dirac's theorem);
- if everybody has the same d, this is odd, and N < 3d + 7. For by Tutte's theorem a graph without a perfect matching has a set of
  s vertices that leaves at least s + 2 odd parts. A part of at most d vertices sends at least d edges into the set, which has room
  for d·s; so two parts or more are larger than that. A part of an odd number of vertices, each with an odd d, cannot stand alone; so
  there are at least three such parts, each of d + 2 or more, and one vertex in the set.

So six players can be sure of three rounds, not of a fourth; eight of five; ten of five.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile

import rustworkx

from league.tournament.field import NO_BYE_AFTER, Entrant, Field
from league.tournament.pairing.base import Note

_BYE = ""
"""The bye of an odd number, as an opponent."""
_Closed = Mapping[str, set[str]]
"""For each who is present those who are no new opponents."""


def outlook(
    field: Field,
    *,
    present: Collection[str],
    rounds_left: int,
    seats: int = 2,
    banned: Collection[frozenset[str]] = frozenset(),
) -> list[Note]:
    """Return what an organizer should know before so many more rounds with those who are present, the gravest first.

    - `too_few`: there are not enough for one table; `present`, `needed`
    - `bans_block`: the pairs that must not meet leave them without an opponent in the next round
    - `rematch_next`: the next round has no pairing without a rematch or a second bye; they are left over
    - `rematch_sure`: no more than `rounds` of the `wanted` are possible without a rematch, for want of opponents of the entrants
      (nobody named: of everybody)
    - `rematch_possible`: so many `rounds` of the `wanted` are sure, whatever happens; later ones may need a rematch
    - `bye_again`: only `entrants_left` have had no bye, for `wanted` rounds of an odd number
    - `group_large`: a group of `members` cannot be kept apart at `tables`
    - `fixed_table`: several need the same `table`

    :param seats: the seats of a full table; with more than two only what follows from numbers is said
    """
    here = [one for one in field.entrants if one.id in set(present)]
    if len(here) < seats or len(here) < 2:
        return [Note("too_few", tuple(one.id for one in here), {"present": len(here), "needed": max(seats, 2)})]
    if rounds_left < 1:
        return []
    bans = {frozenset(one) for one in banned}
    rematches = _of_two(field, here, rounds_left, bans) if seats == 2 else _of_pods(field, here, rounds_left, seats)
    return [*rematches, *_groups(here, seats), *_fixed(here)]


def _of_two(field: Field, here: list[Entrant], wanted: int, bans: set[frozenset[str]]) -> list[Note]:
    """Return what is said of rematches and byes for two seats."""
    forbidden: dict[str, set[str]] = {one.id: set() for one in here}
    for one, other in (sorted(two) for two in bans if len(two) == 2):
        if one in forbidden and other in forbidden:
            forbidden[one].add(other)
            forbidden[other].add(one)
    met = _met(field, here)
    closed: dict[str, set[str]] = {one: forbidden[one] | met[one] for one in forbidden}
    odd = len(here) % 2 == 1
    had = {row.entrant for row in field.rows if row.kind in NO_BYE_AFTER}
    byes_left = [one.id for one in here if one.id not in had]
    notes = []
    if odd:
        forbidden[_BYE] = set()
        closed[_BYE] = had & set(met) if byes_left else set()
        for one in closed[_BYE]:
            closed[one].add(_BYE)
    if blocked := _left_over(forbidden):
        return [Note("bans_block", blocked)]
    new = {one: len(closed) - 1 - len(away) for one, away in closed.items()}
    sure = _sure(new)
    if not sure and (left := _left_over(closed)):
        notes.append(Note("rematch_next", left))
    else:
        possible = min(new[one.id] for one in here)
        if possible < wanted:
            short = tuple(one.id for one in here if new[one.id] == possible)
            notes.append(
                Note("rematch_sure", short if len(short) < len(here) else (), {"rounds": possible, "wanted": wanted})
            )
        sure = max(sure, 1)  # the next round has just been seen to be possible
        if sure < min(possible, wanted):
            notes.append(Note("rematch_possible", (), {"rounds": sure, "wanted": wanted}))
    if odd and len(byes_left) < wanted:
        notes.append(Note("bye_again", tuple(byes_left), {"entrants_left": len(byes_left), "wanted": wanted}))
    return notes


def _met(field: Field, here: list[Entrant]) -> dict[str, set[str]]:
    """Return for each who is present whom of the others each has met."""
    told: dict[str, set[str]] = {one.id: set() for one in here}
    for row in field.rows:
        if row.facts.encounter and row.entrant in told:
            told[row.entrant].update(other for other in row.opponents if other in told)
    return told


def _sure(new: Mapping[str, int]) -> int:
    """Return how many rounds are sure, from the number of new opponents that each has."""
    size, least = len(new), min(new.values())
    same = len(set(new.values())) == 1

    def is_sure(degree: int) -> bool:
        return 2 * degree >= size or (same and degree % 2 == 1 and (degree == 1 or size < 3 * degree + 7))

    return sum(1 for _degree in takewhile(is_sure, range(least, 0, -1)))


def _left_over(closed: _Closed) -> tuple[str, ...]:
    """Return who has no partner in the largest matching of all who are not closed to each other; nobody if there is one for all."""
    names = sorted(closed)
    if 2 * min(len(names) - 1 - len(away) for away in closed.values()) >= len(names):
        return ()
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(names)
    graph.add_edges_from(list(_open(names, closed)))
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return tuple(names[at] for at in sorted(set(range(len(names))).difference(*matched)) if names[at] != _BYE)


def _open(names: list[str], closed: _Closed) -> Iterator[tuple[int, int, int]]:
    for at, one in enumerate(names):
        for other in range(at + 1, len(names)):
            if names[other] not in closed[one]:
                yield at, other, 1


def _of_pods(field: Field, here: list[Entrant], wanted: int, seats: int) -> list[Note]:
    """Return what the numbers alone say of tables with more seats: new opponents for each, for all, and new tables from old ones."""
    met = _met(field, here)
    tables = -(-len(here) // seats)
    short, full = len(here) // tables, -(-len(here) // tables)
    if short < 3:
        return []  # not without byes, and who has one meets nobody
    new = {one: len(here) - 1 - len(others) for one, others in met.items()}
    # So many pairs meet in a round, at tables as even as they can be.
    pairs = sum(
        size * (size - 1) // 2 for size in (full,) * (len(here) % tables) + (short,) * (tables - len(here) % tables)
    )
    possible = min(min(new.values()) // (short - 1), sum(new.values()) // 2 // pairs)
    if not any(met.values()) and full > tables:
        possible = min(possible, 1)  # in a second round two of a table come from the same table of the first
    return [Note("rematch_sure", (), {"rounds": possible, "wanted": wanted})] if possible < wanted else []


def _groups(here: list[Entrant], seats: int) -> list[Note]:
    """Return the groups with more members than tables (with a bye, for two seats, as one more)."""
    tables = -(-len(here) // seats)
    members = Counter(one.group for one in here if one.group)
    return [
        Note("group_large", tuple(one.id for one in here if one.group == group), {"members": count, "tables": tables})
        for group, count in sorted(members.items())
        if count > tables
    ]


def _fixed(here: list[Entrant]) -> list[Note]:
    """Return the tables that several need."""
    wanted = Counter(one.table for one in here if one.table is not None)
    return [
        Note("fixed_table", tuple(one.id for one in here if one.table == table), {"table": table})
        for table, count in sorted(wanted.items())
        if count > 1
    ]
