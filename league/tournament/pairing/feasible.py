"""A look ahead: what cannot be had in the rounds that are left, said before they are played. Bounds, not a search: what they say is so."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from league.tournament.field import Field
from league.tournament.pairing.base import Note


def outlook(field: Field, *, present: Collection[str], rounds_left: int, seats: int = 2) -> list[Note]:
    """Return notes on what the rounds that are left must bring.

    `too_many_rounds` with `possible`: so many rounds without anybody meeting again there can be at most; `must_meet_again` for
    whoever has fewer left to meet than rounds to play; `second_byes` where an odd number plays more rounds than it has entrants;
    `tables_wanted_twice` for entrants who all need one table.
    """
    here = [one for one in field.entrants if one.id in set(present)]
    size = len(here)
    notes: list[Note] = []
    if size < 2 or rounds_left < 1:
        return notes
    met = _met(field)
    if not field.rounds:
        possible = (size - 1) // (seats - 1) if seats > 2 else size - 1 + size % 2
        if rounds_left > possible:
            notes.append(Note("too_many_rounds", (), {"rounds": rounds_left, "possible": possible, "players": size}))
    else:
        ids = {one.id for one in here}
        stuck = tuple(
            one.id for one in here if (size - 1 - len(met.get(one.id, set()) & ids)) < _games(rounds_left, size, seats)
        )
        if stuck:
            notes.append(Note("must_meet_again", stuck, {"rounds": rounds_left}))
    if seats == 2 and size % 2 and field.rounds + rounds_left > size:
        notes.append(Note("second_byes", (), {"rounds": field.rounds + rounds_left, "players": size}))
    return notes + _tables(field, [one.id for one in here], seats)


def _games(rounds_left: int, size: int, seats: int) -> int:
    """Return how many others somebody meets at least in so many rounds; of an odd number for two seats one round may be a bye."""
    return max(rounds_left - (size % 2 if seats == 2 else 0), 0) * (seats - 1)


def _met(field: Field) -> dict[str, set[str]]:
    told: dict[str, set[str]] = {}
    for row in field.rows:
        if row.facts.encounter:
            told.setdefault(row.entrant, set()).update(row.opponents)
    return told


def _tables(field: Field, here: Sequence[str], seats: int) -> list[Note]:
    wanted: dict[int, list[str]] = {}
    for one in field.entrants:
        if one.table is not None and one.id in here:
            wanted.setdefault(one.table, []).append(one.id)
    return [
        Note("tables_wanted_twice", tuple(who), {"table": table})
        for table, who in sorted(wanted.items())
        if len(who) > seats
    ]
