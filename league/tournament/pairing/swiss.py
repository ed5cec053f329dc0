"""Swiss pairing for two seats: our own criteria as one exact integer weight, over the matching of rustworkx.

The criteria in their order: hard bans; nobody has a second bye while another may have it; nobody meets again who need not; the bye
goes to the lowest who may have it; entrants of equal points meet (the difference counts squared); whoever floated lately does not float again; groups
are kept apart; both have begun equally often; in the first round the upper half meets the lower half in order; what is then left is
drawn by lot from the published seed. Where a pairing without a rematch exists it is found: a sparse graph of near neighbours is tried
first, and whenever it leaves somebody over or makes people meet again, all possible pairs are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from math import lcm

import rustworkx
from msgspec import Struct

from league.tournament.field import NO_BYE_AFTER, Entrant, Field, Kind, Row
from league.tournament.pairing import tables
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, digest, lot

ENGINE, VERSION = "swiss", "1"
NEAREST, FEWER, MANY = 24, 12, 1500
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
    found = _matched(field, players, round, seed, bans)
    groups, byes, notes = _told(field, players, found, round, seed)
    placed, wishes = tables.assign(field, groups, repeats_matter=repeats_matter)
    return Pairing(
        tuple(placed), tuple(byes), ENGINE, VERSION,
        digest(field, round, sorted(present), sorted(sorted(one) for one in bans), seed), (*notes, *wishes),
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
            one, place, int(points[one.id] * scale), _met(rows[one.id]), _floats(rows[one.id], rows, points),
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


def _floats(
    rows: Sequence[Row], all_rows: Mapping[str, Sequence[Row]], points: Mapping[str, Fraction]
) -> tuple[int, ...]:
    """Return 1, -1 or 0 for the last two rounds: met somebody with fewer points (or a bye), with more, or with as many."""
    told = []
    for row in rows[-2:]:
        if not row.opponents:
            told.append(1 if row.kind in NO_BYE_AFTER else 0)
            continue
        mine = sum((one.points for one in rows if one.round < row.round), Fraction(0))
        theirs = sum((one.points for one in all_rows[row.opponents[0]] if one.round < row.round), Fraction(0))
        told.append((mine > theirs) - (mine < theirs))
    return tuple(told)


# Weights -------------------------------------------------------------------------------------------------------------
# Fields of one integer, the most important highest; together they stay below 2^126, as rustworkx needs.

_BYE_AGAIN, _REMATCH, _DIFFERENCE, _FLOAT, _APART, _SEATS, _ORDER = 118, 110, 62, 56, 54, 48, 16
_TOP = 1 << 123


def _cost(field: Field, one: _Player, other: _Player, round: int, seed: str, halves: int) -> int:
    met = min(one.met.get(other.entrant.id, 0), 15)
    difference = min(abs(one.points - other.points), (1 << 22) - 1)
    cost = met << _REMATCH
    cost += difference**2 << _DIFFERENCE
    if difference:
        down, up = (one, other) if one.points > other.points else (other, one)
        cost += (sum(step == 1 for step in down.floats) + sum(step == -1 for step in up.floats)) << _FLOAT
    if one.entrant.group and one.entrant.group == other.entrant.group:
        cost += 1 << _APART
    cost += _seats_cost(one, other) << _SEATS
    cost += min(_order_cost(one, other, round, halves), (1 << 31) - 1) << _ORDER
    return cost + lot(seed, round, *sorted((one.entrant.id, other.entrant.id))) % (1 << _ORDER)


def _seats_cost(one: _Player, other: _Player) -> int:
    """Return how far the two want the same seat: 0 if one has begun more often than the other."""
    same = one.begun and (one.begun > 0) == (other.begun > 0) and one.begun * other.begun > 0
    three = len(one.last_seats) == 2 and one.last_seats == other.last_seats and len(set(one.last_seats)) == 1
    return (min(abs(one.begun), abs(other.begun), 7) if same else 0) + (8 if three else 0)


def _order_cost(one: _Player, other: _Player, round: int, halves: int) -> int:
    """In the first round the upper half meets the lower half in order; later, within equal points, likewise as far as it goes."""
    if round == 1:
        return (abs(one.place - other.place) - halves) ** 2
    return 0


def _bye_cost(player: _Player, players: Sequence[_Player], round: int, seed: str) -> int:
    """Return what it costs to give somebody the bye: above all a second one, then points, then a good place."""
    cost = min(player.byes, 15) << _BYE_AGAIN if not player.may_bye else 0
    lowest = players[-1].points
    cost += min((player.points - min(lowest, min(one.points for one in players))), (1 << 22) - 1) ** 2 << _DIFFERENCE
    cost += (len(players) - player.place) << _ORDER
    return cost


def _matched(
    field: Field, players: list[_Player], round: int, seed: str, bans: set[frozenset[str]]
) -> list[tuple[int, int]]:
    """Return the pairs by place; the bye is the place -1."""
    near = len(players) > WHOLE
    if near:
        found = _match(field, players, round, seed, bans, _near(players, round))
        if found is not None and not any(_is_rematch(players, one, other) for one, other in found):
            return found
    found = _match(field, players, round, seed, bans, None)
    if found is None:
        alone = [one.entrant.id for one in players]
        raise PairingImpossible(
            f"round {round} cannot be paired: the pairs that must not meet leave somebody without an opponent; take a ban back",
            alone,
        )
    return found


def _is_rematch(players: Sequence[_Player], one: int, other: int) -> bool:
    return _BYE not in (one, other) and bool(players[one].met.get(players[other].entrant.id))


def _near(players: Sequence[_Player], round: int) -> list[tuple[int, int]]:
    """Return pairs of near neighbours: by standing, and in the first round (and within large groups of equals) half a group away."""
    pairs: set[tuple[int, int]] = set()
    half = len(players) // 2
    nearest = NEAREST if len(players) <= MANY else FEWER
    for place in range(len(players)):
        around = range(place + 1, min(place + 1 + nearest, len(players)))
        pairs.update((place, other) for other in around)
        if round == 1:
            middle = place + half
            pairs.update((place, other) for other in range(middle - 4, middle + 5) if place < other < len(players))
    return sorted(pairs)


def _match(
    field: Field,
    players: list[_Player],
    round: int,
    seed: str,
    bans: set[frozenset[str]],
    wanted: Sequence[tuple[int, int]] | None,
) -> list[tuple[int, int]] | None:
    """Return the best matching over these pairs (None: over all), or None if it leaves somebody over."""
    size = len(players)
    halves = (size - size % 2) // 2
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size + size % 2))
    pairs = wanted if wanted is not None else [(at, other) for at in range(size) for other in range(at + 1, size)]
    edges = [
        (one, other, _TOP - _cost(field, players[one], players[other], round, seed, halves))
        for one, other in pairs
        if not bans or frozenset((players[one].entrant.id, players[other].entrant.id)) not in bans
    ]
    if size % 2:
        edges += [(at, size, _TOP - _bye_cost(players[at], players, round, seed)) for at in range(size)]
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) < size + size % 2:
        return None
    return sorted((_BYE if max(one) == size else max(one), min(one))[::-1] for one in matched)


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
