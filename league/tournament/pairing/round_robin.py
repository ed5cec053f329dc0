"""Round robin by the Berger tables of FIDE (Handbook C.05, annex): everybody meets everybody once, or twice with seats reversed.

With an odd number somebody is free in each round. That is no bye and gives no points: there is no row of it, only a note.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from league.tournament.field import Field, Kind, Row
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, Table, digest

ENGINE, VERSION = "berger", "1"


class Round(Struct, frozen=True):
    """A round by pairing numbers: games with who begins first, and who is free."""

    games: tuple[tuple[int, int], ...]
    free: int | None = None

    @property
    def reversed(self) -> Round:
        """Return the round of the second cycle."""
        return Round(tuple((second, first) for first, second in self.games), self.free)


def schedule(count: int, *, double: bool = False) -> tuple[Round, ...]:
    """Return the rounds for so many entrants.

    In round r those meet whose numbers sum to r + 1 (modulo the number of rounds); the last number takes the one who is left.
    For an odd count the number after the last is the free place. A double round robin plays the last two rounds of the first cycle
    in reversed order, so that nobody begins three times running, or never in three.

    :raises ValueError: for fewer than two
    """
    if count < 2:
        raise ValueError(f"a round robin needs at least 2 entrants, not {count}")
    even = count + count % 2
    once = [_round(even, number, count) for number in range(1, even)]
    if not double:
        return tuple(once)
    again = [one.reversed for one in once]
    if len(once) > 1:
        once[-2:] = [once[-1], once[-2]]
    return (*once, *again)


def _round(even: int, number: int, count: int) -> Round:
    others = even - 1
    # Twice this number is number + 1 (modulo the rounds): it meets the last.
    fixed = ((number + 1) * (even // 2) - 1) % others + 1
    games = [(fixed, even) if fixed <= even // 2 else (even, fixed)]
    for step in range(1, even // 2):
        games.append(((fixed + step - 1) % others + 1, (fixed - step - 1) % others + 1))
    if count == even:
        return Round(tuple(games))
    return Round(tuple(games[1:]), fixed)


def groups_of(field: Field, groups: Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...]:
    """Return the groups of a stage in order of pairing numbers: one of all entrants if none are given."""
    ordered = [one.id for one in sorted(field.entrants, key=lambda one: one.number)]
    if groups is None:
        return (tuple(ordered),)
    return tuple(tuple(one for one in ordered if one in group) for group in map(frozenset, groups))


def annulled(field: Field, *, double: bool = False, groups: Sequence[Sequence[str]] | None = None) -> frozenset[str]:
    """Return who left before half of the own games were played: these games stay in the log, and count for nobody.

    Who is disqualified is not among them: the results of the opponents stay. Nor is whoever left after the last round.
    """
    told: set[str] = set()
    for group in groups_of(field, groups):
        games = (len(group) - 1) * (2 if double else 1)
        rounds = len(schedule(len(group), double=double))
        for one in group:
            if field.dropped.get(one, rounds + 1) <= rounds:
                met = sum(row.entrant == one and row.facts.encounter for row in field.rows)
                if 2 * met < games:
                    told.add(one)
    return frozenset(told)


def counted(field: Field, *, double: bool = False, groups: Sequence[Sequence[str]] | None = None) -> Field:
    """Return the stage as it counts: without those who left before half of their games, and without the rows against them."""
    gone = annulled(field, double=double, groups=groups)
    return replace(
        field,
        entrants=tuple(one for one in field.entrants if one.id not in gone),
        rows=tuple(row for row in field.rows if row.entrant not in gone and gone.isdisjoint(row.opponents)),
        penalties=tuple(one for one in field.penalties if one.entrant not in gone),
        dropped={one: first for one, first in field.dropped.items() if one not in gone},
    )


def pair(
    field: Field,
    *,
    round: int,
    present: Collection[str],
    seed: str = "",
    double: bool = False,
    groups: Sequence[Sequence[str]] | None = None,
) -> Pairing:
    """Return a round of the schedule, of one round robin or of one in each group, tables numbered through.

    Who is free has a note `free_round` and no bye. Who should meet somebody who is not there has a bye of the kind `forfeit_win` and
    a note `walkover`; but against somebody who left before half of the own games the round is free. A note `rematch` says that
    two have met more often than the schedule has it, because rounds were paired by hand.

    :raises PairingImpossible: if the schedule of every group has ended
    """
    told = groups_of(field, groups)
    rounds = [schedule(len(group), double=double) for group in told]
    if not 1 <= round <= max(map(len, rounds)):
        raise PairingImpossible(f"the schedule has {max(map(len, rounds))} rounds, there is no round {round}")
    gone = annulled(field, double=double, groups=groups)
    before = tuple(row for row in field.rows if row.round < round)
    out = field.disqualified | {one for one, first in field.dropped.items() if first <= round}
    there = frozenset(present) - out
    tables: list[Table] = []
    byes: list[Bye] = []
    notes: list[Note] = []
    for group, plan in zip(told, rounds, strict=True):
        if round > len(plan):
            notes += [Note("free_round", (one,)) for one in group if one in there]
            continue
        for first, second in plan[round - 1].games:
            seats = group[first - 1], group[second - 1]
            here = tuple(one for one in seats if one in there)
            if len(here) == 2:
                tables.append(Table(len(tables) + 1, seats))
                notes += _rematch(before, seats, allowed=1 if double else 0)
            elif here and gone.isdisjoint(seats):
                byes.append(Bye(here[0], Kind.FORFEIT_WIN))
                notes.append(Note("walkover", (here[0], *(one for one in seats if one not in here))))
            else:
                notes += [Note("free_round", here)] if here else []
        free = plan[round - 1].free
        if free is not None and group[free - 1] in there:
            notes.append(Note("free_round", (group[free - 1],)))
    input_ = digest(ENGINE, VERSION, replace(field, rows=before), round, sorted(present), seed, double, told)
    return Pairing(tuple(tables), tuple(byes), ENGINE, VERSION, input_, tuple(notes))


def _rematch(rows: Iterable[Row], seats: tuple[str, str], *, allowed: int) -> list[Note]:
    one, other = seats
    met = sum(row.entrant == one and other in row.opponents and row.facts.encounter for row in rows)
    return [Note("rematch", seats, {"met": met})] if met > allowed else []
