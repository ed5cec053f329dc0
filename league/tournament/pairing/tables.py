"""At which table a pairing is played: after pairing, with fixed tables first and nobody at a table twice where that can be had."""

from __future__ import annotations

from collections.abc import Sequence

import rustworkx

from league.tournament.field import Field
from league.tournament.pairing.base import Note, Table, lot

NEAR, NEARER = 24, 4
"""So many places up and down a group is moved at first, and in a hall with more than `MOST_MATCHED` tables."""
MOST_MATCHED = 400
"""Up to so many tables all places are tried when that does not do; in a larger hall the fewest repeats among near places are found."""


def assign(
    field: Field,
    groups: Sequence[tuple[str, ...]],
    *,
    repeats_matter: bool = True,
    numbers: Sequence[int] | None = None,
) -> tuple[list[Table], list[Note]]:
    """Return tables for groups of entrants (in the order of their seats), and notes on wishes that could not be met.

    The first group has the lowest number unless somebody needs a certain table or has sat at that one before. Each table is used
    once, and nothing of the pairing changes.

    :param repeats_matter: whether tables matter (terrain): then the fewest repeats are found
    :param numbers: the numbers that tables may have, at least as many as groups; without them 1, 2, 3 …
    :raises ValueError: if there are fewer numbers than groups
    """
    fixed = {one.id: one.table for one in field.entrants if one.table is not None}
    wanted = {at: sorted({fixed[one] for one in group if one in fixed}) for at, group in enumerate(groups)}
    notes: list[Note] = []
    taken: dict[int, int] = {}
    for at, tables in wanted.items():
        if not tables:
            continue
        free = next((table for table in tables if table not in taken.values()), None)
        if free is not None:
            taken[at] = free
        if free is None or len(tables) > 1:
            notes.append(Note("fixed_table", tuple(one for one in groups[at] if one in fixed), {"table": free or 0}))
    known = [number for number in (numbers or range(1, len(groups) + len(taken) + 1)) if number not in taken.values()]
    rest = [at for at in range(len(groups)) if at not in taken]
    if len(known) < len(rest):
        raise ValueError(f"{len(groups)} groups need as many tables; there are {len(known) + len(taken)}")
    known = known[: len(rest)]
    had = _had(field) if repeats_matter else {}
    found = _fewest(field, groups, rest, known, had) if had else dict(zip(rest, known, strict=True))
    placed = {**taken, **found}
    for at, number in sorted(placed.items(), key=lambda one: one[1]):
        again = tuple(one for one in groups[at] if number in had.get(one, ()) and one not in fixed)
        if again:
            notes.append(Note("table_again", again, {"table": number}))
    return [Table(number, groups[at]) for at, number in sorted(placed.items(), key=lambda one: one[1])], notes


def _had(field: Field) -> dict[str, set[int]]:
    had: dict[str, set[int]] = {}
    for row in field.rows:
        if row.table is not None:
            had.setdefault(row.entrant, set()).add(row.table)
    return had


def _fewest(
    field: Field, groups: Sequence[tuple[str, ...]], rest: Sequence[int], known: Sequence[int], had: dict[str, set[int]]
) -> dict[int, int]:
    """Return a number for each group, with the fewest repeats first, then as near to the order of the groups as can be."""

    def repeats(row: int, number: int) -> int:
        return sum(number in had.get(one, ()) for one in groups[rest[row]])

    def within(reach: int) -> dict[int, int]:
        """Return the best numbers no farther than so many places from the order."""
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(2 * len(rest)))
        edges = []
        for row in range(len(rest)):
            for column in range(max(0, row - reach), min(len(known), row + reach + 1)):
                number = known[column]
                cost = repeats(row, number) << 40
                cost += ((row - column) ** 2 << 10) + lot(field.seed, "table", row, number) % 1024
                edges.append((row, len(rest) + column, (1 << 60) - cost))
        graph.add_edges_from(edges)
        matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        return {min(pair): known[max(pair) - len(rest)] for pair in matched}

    found = within(NEAR if len(rest) <= MOST_MATCHED else NEARER)
    if NEAR < len(rest) <= MOST_MATCHED and any(map(repeats, found, found.values())):
        found = within(len(rest))
    return {rest[row]: number for row, number in found.items()}
