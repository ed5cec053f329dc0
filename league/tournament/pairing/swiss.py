"""Swiss pairing for two seats: our own criteria as one exact integer weight, over the matching of rustworkx.

The criteria in their order: hard bans; nobody has a second bye while another may have it; nobody meets again who need not; the bye
goes to the lowest who may have it; entrants of equal points meet (the difference counts squared); whoever floated lately does not float again; groups
are kept apart; both have begun equally often; in the first round the upper half meets the lower half in order; what is then left is
drawn by lot from the published seed. Up to `WHOLE` entrants the pairing is the best of all; above that of all pairs of near
neighbours. Where a pairing without a rematch and without a second bye exists it is found in every field: whenever the neighbours do
not give one, more pairs are weighed, at last all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

import rustworkx
from msgspec import Struct

from league.tournament.field import NO_BYE_AFTER, Entrant, Field, Kind, Row
from league.tournament.pairing import tables
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, digest, lot

ENGINE, VERSION = "swiss", "2"
NEAREST, FEWER, MANY = 24, 8, 1500
"""How many neighbours of each are weighed in a large field, and how many in one of more than `MANY`."""
WHOLE = 256
"""Up to so many entrants every pair is weighed from the start."""
_BYE = -1


class _Player(Struct, frozen=True):
    entrant: Entrant
    place: int
    points: int
    met: Mapping[str, int]
    floats: tuple[int, ...]
    begun: int
    """How often more than not the entrant has begun."""
    last_seats: tuple[int, ...]
    may_bye: bool
    byes: int


def pair(
    field: Field,
    *,
    round: int,
    present: Collection[str],
    seed: str,
    banned: Collection[frozenset[str]] = frozenset(),
    repeats_matter: bool = True,
) -> Pairing:
    """Return a round for whoever is present, everybody at one table or with the one bye.

    :param banned: pairs that must not meet, whatever else
    :raises PairingImpossible: if bans leave somebody without an opponent, or fewer than two are present
    """
    players = _players(field, present)
    if len(players) < 2:
        raise PairingImpossible(f"round {round} needs at least two entrants who are there; {len(players)} are", present)
    bans = {frozenset(one) for one in banned}
    found = _matched(players, round, seed, bans)
    groups, byes, notes = _told(field, players, found, round, seed)
    placed, wishes = tables.assign(field, groups, repeats_matter=repeats_matter)
    return Pairing(
        tuple(placed), tuple(byes), ENGINE, VERSION,
        digest(field, round, sorted(present), sorted(sorted(one) for one in bans), seed, repeats_matter),
        (*notes, *wishes),
    )  # fmt: skip


def _players(field: Field, present: Collection[str]) -> list[_Player]:
    """Return whoever is present by standing: points, then pairing number."""
    rows = field.rows_of()
    points = field.points()
    here = [one for one in field.entrants if one.id in set(present)]
    scale = lcm(*(points[one.id].denominator for one in here)) if here else 1
    order = sorted(here, key=lambda one: (-points[one.id], one.number))
    return [
        _Player(
            one, place, int(points[one.id] * scale), _met(rows[one.id]), _floats(rows[one.id], rows),
            sum(1 if row.seat == 0 else -1 for row in rows[one.id] if row.facts.encounter and row.size == 2),
            tuple(row.seat or 0 for row in rows[one.id] if row.facts.encounter and row.size == 2)[-2:],
            not any(row.kind in NO_BYE_AFTER for row in rows[one.id]),
            sum(row.kind in NO_BYE_AFTER for row in rows[one.id]),
        )
        for place, one in enumerate(order)
    ]  # fmt: skip


def _met(rows: Sequence[Row]) -> dict[str, int]:
    told: dict[str, int] = {}
    for row in rows:
        if row.facts.encounter:
            for opponent in row.opponents:
                told[opponent] = told.get(opponent, 0) + 1
    return told


def _floats(rows: Sequence[Row], all_rows: Mapping[str, Sequence[Row]]) -> tuple[int, ...]:
    """Return 1, -1 or 0 for the last two rounds: met somebody with fewer points (or a bye), with more, or with as many."""
    told = []
    for row in rows[-2:]:
        if not row.opponents:
            told.append(1 if row.kind in NO_BYE_AFTER else 0)
            continue
        mine, theirs = _before(rows, row.round), _before(all_rows[row.opponents[0]], row.round)
        told.append((mine > theirs) - (mine < theirs))
    return tuple(told)


def _before(rows: Sequence[Row], round: int) -> Fraction:
    """Return the points of all rounds before one; the rows are in order."""
    told = Fraction(0)
    for row in rows:
        if row.round >= round:
            break
        if row.points:
            told += row.points
    return told


# Weights -------------------------------------------------------------------------------------------------------------
# The criteria of two at a table (or of a bye), the most important first, packed into one integer. Each field is as wide as the sum
# over the whole round can become, so that no sum of a lesser criterion ever outweighs a greater one.

_BITS = 123
"""The widest weight: rustworkx calculates in 128 bits, with a sign and twice the weight."""
_Criteria = tuple[int, int, int, int, int, int, int, int, int]


class _Weights(Struct, frozen=True):
    """How the criteria of a round are weighed.

    :ivar spread: the largest difference of points that is told from a larger one
    :ivar lots: how many different lots there are
    """

    players: Sequence[_Player]
    round: int
    seed: str
    spread: int
    lots: int
    shifts: _Criteria
    bits: int

    def pair(self, one: _Player, other: _Player) -> int:
        """Return what it costs that the two meet."""
        drawn = lot(self.seed, self.round, *sorted((one.entrant.id, other.entrant.id))) % self.lots
        met, squared, floats, apart, seats, order = criteria(one, other, self.round, len(self.players), self.spread)
        _, at_met, _, at_squared, at_floats, at_apart, at_seats, at_order, _ = self.shifts
        return (
            (met << at_met) + (squared << at_squared) + (floats << at_floats) + (apart << at_apart)
            + (seats << at_seats) + (order << at_order) + drawn
        )  # fmt: skip

    def bye(self, player: _Player) -> int:
        """Return what it costs that somebody has the bye: above all a second one, then points, then a good place."""
        again = 0 if player.may_bye else player.byes
        above = player.points - self.players[-1].points
        order = len(self.players) - 1 - player.place
        return (again << self.shifts[0]) + (min(above, self.spread) << self.shifts[2]) + (order << self.shifts[7])


def criteria(
    one: _Player, other: _Player, round: int, size: int, spread: int | None = None
) -> tuple[int, int, int, int, int, int]:
    """Return for two at a table: times met, squared difference of points, floats repeated, one group, same seat wanted, order."""
    difference = abs(one.points - other.points)
    if spread is not None:
        difference = min(difference, spread)
    floats = 0
    if difference:
        down, up = (one, other) if one.points > other.points else (other, one)
        floats = sum(step == 1 for step in down.floats) + sum(step == -1 for step in up.floats)
    apart = int(bool(one.entrant.group) and one.entrant.group == other.entrant.group)
    # In the first round the upper half meets the lower half in order.
    order = (abs(one.place - other.place) - size // 2) ** 2 if round == 1 else 0
    return one.met.get(other.entrant.id, 0), difference**2, floats, apart, _seats_cost(one, other), order


def _seats_cost(one: _Player, other: _Player) -> int:
    """Return how far the two want the same seat: 0 if one has begun more often than the other."""
    same = one.begun * other.begun > 0
    three = len(one.last_seats) == 2 and one.last_seats == other.last_seats and len(set(one.last_seats)) == 1
    return (min(abs(one.begun), abs(other.begun), 7) if same else 0) + (8 if three else 0)


def _weights(players: Sequence[_Player], round: int, seed: str) -> _Weights:
    """Return weights whose fields hold the sums of this round; if that is too much, fewer lots, then no very large differences."""
    size, tables_ = len(players), len(players) // 2
    byes = max(one.byes for one in players)
    met = max((times for one in players for times in one.met.values()), default=0)
    floats = 4 if any(any(one.floats) for one in players) else 0
    seats = 15 if any(one.last_seats for one in players) else 0
    grouped = int(any(one.entrant.group for one in players))
    order = tables_ * (size - 1) ** 2 if round == 1 else 0
    spread = players[0].points - players[-1].points
    lots = 1 << 16
    while True:
        sums = (
            byes, met * tables_, spread, spread**2 * tables_, floats * tables_, grouped * tables_, seats * tables_,
            order + size, (lots - 1) * tables_,
        )  # fmt: skip
        widths = [one.bit_length() for one in sums]
        if sum(widths) <= _BITS:
            shifts = tuple(sum(widths[at + 1 :]) for at in range(len(widths)))
            return _Weights(players, round, seed, spread, lots, shifts, sum(widths))  # type: ignore[arg-type]
        if lots > 1 << 8:
            lots >>= 2
        else:
            spread >>= 1


# Matching ------------------------------------------------------------------------------------------------------------


def _matched(players: Sequence[_Player], round: int, seed: str, bans: set[frozenset[str]]) -> list[tuple[int, int]]:
    """Return the pairs by place; the bye is the place -1.

    In a large field near neighbours are tried first; if that leaves somebody over, or makes a rematch or a second bye, those
    concerned are weighed with everybody, then more neighbours are, at last all pairs.
    """
    weights = _weights(players, round, seed)
    troubled: set[int] = set()
    if len(players) > WHOLE:
        nearest = NEAREST if len(players) <= MANY else FEWER
        for reach in (nearest, nearest, 4 * nearest):
            found, left = _match(weights, bans, _near(len(players), round, reach, troubled))
            more = left | _compromised(players, found)
            if not more:
                return found
            troubled |= more
    found, left = _match(weights, bans, combinations(range(len(players)), 2))
    if left:
        raise PairingImpossible(
            f"round {round} cannot be paired: the pairs that must not meet leave {len(left)} without an opponent; take a ban back",
            [players[at].entrant.id for at in sorted(left)],
        )
    return found


def _compromised(players: Sequence[_Player], found: Sequence[tuple[int, int]]) -> set[int]:
    """Return who meets again or has a second bye while somebody else may have it."""
    told: set[int] = set()
    for one, other in found:
        if other == _BYE:
            if not players[one].may_bye and any(player.may_bye for player in players):
                told.add(one)
        elif players[other].entrant.id in players[one].met:
            told |= {one, other}
    return told


def _near(size: int, round: int, reach: int, troubled: Collection[int]) -> list[tuple[int, int]]:
    """Return pairs of near neighbours by standing, in the first round those about half the field away, and all of the troubled."""
    pairs = {(at, other) for at in range(size) for other in range(at + 1, min(at + 1 + reach, size))}
    if round == 1:
        half = size // 2
        pairs |= {
            (at, other) for at in range(size) for other in range(at + half - 4, at + half + 5) if at < other < size
        }
    pairs |= {(min(at, other), max(at, other)) for at in troubled for other in range(size) if other != at}
    return sorted(pairs)


def _match(
    weights: _Weights, bans: set[frozenset[str]], pairs: Iterable[tuple[int, int]]
) -> tuple[list[tuple[int, int]], set[int]]:
    """Return the best matching over these pairs and the byes, and who is left over."""
    players = weights.players
    size = len(players)
    top = 1 << weights.bits
    edges = [
        (one, other, top - weights.pair(players[one], players[other]))
        for one, other in pairs
        if not bans or frozenset((players[one].entrant.id, players[other].entrant.id)) not in bans
    ]
    if size % 2:
        edges += [(at, size, top - weights.bye(players[at])) for at in range(size)]
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size + size % 2))
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    left = set(range(size)).difference(*matched)
    return sorted((min(two), _BYE if max(two) == size else max(two)) for two in matched), left


# The round -----------------------------------------------------------------------------------------------------------


def _told(
    field: Field, players: Sequence[_Player], found: Sequence[tuple[int, int]], round: int, seed: str
) -> tuple[list[tuple[str, ...]], list[Bye], list[Note]]:
    groups: list[tuple[tuple[int, int], tuple[str, ...]]] = []
    byes: list[Bye] = []
    notes: list[Note] = []
    for one, other in found:
        if other == _BYE:
            player = players[one]
            byes.append(Bye(player.entrant.id, Kind.ALLOCATED_BYE))
            if not player.may_bye:
                notes.append(Note("second_bye", (player.entrant.id,)))
            continue
        first, second = _seated(players[one], players[other], round, seed)
        ids = (first.entrant.id, second.entrant.id)
        groups.append(((min(one, other), max(one, other)), ids))
        if met := players[one].met.get(players[other].entrant.id, 0):
            notes.append(Note("rematch", ids, {"times": met}))
        if first.entrant.group and first.entrant.group == second.entrant.group:
            notes.append(Note("kept_apart", ids))
    # The best pairing sits at the first table: most points together, then the best place.
    groups.sort(key=lambda one: (-players[one[0][0]].points - players[one[0][1]].points, one[0]))
    return [ids for _places, ids in groups], byes, notes


def _seated(one: _Player, other: _Player, round: int, seed: str) -> tuple[_Player, _Player]:
    """Return the two with the one who begins first: who has begun less often, who did not begin last, else by lot."""
    if one.begun != other.begun:
        return (one, other) if one.begun < other.begun else (other, one)
    last = [player.last_seats[-1] if player.last_seats else None for player in (one, other)]
    if last[0] != last[1] and None not in last:
        return (one, other) if last[0] == 1 else (other, one)
    drawn = lot(seed, "seats", round, *sorted((one.entrant.id, other.entrant.id))) % 2
    ordered = sorted((one, other), key=lambda player: player.entrant.number)
    return (ordered[0], ordered[1]) if drawn else (ordered[1], ordered[0])
