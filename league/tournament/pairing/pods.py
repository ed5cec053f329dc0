"""Swiss in pods of three to five: how many tables of which size, and who sits with whom.

What is made as small as possible, each line only among the pairings that are equal in all lines above it:

1. pairs at one table who must not meet;
2. second byes, then points of those with a bye (the lowest in the standings sit out);
3. repeats: the sum over every two at one table of (times met)², a meeting of the last rounds counting as two;
4. if the rules want tables of another size at one end of the standings: points of those who sit there above the lowest (or
   below the highest), in sum;
5. spread: the sum over every two at one table of (difference of points)²;
6. times on the short side: how many of those at a table of another size, or with a bye, were there most often before, then
   how many of those next to them, and so on;
7. pairs of one group (a club, a family) at one table;
8. in a first round by seeds: pairs of one part of the snake; then seeds of those with a bye.

So nobody has a second bye while somebody else may have it, unless line 1 leaves no other way. In small fields (up to `SMALL`)
one line more comes before line 4 where a round without a repeat and without byes is found: how many of the rounds still planned
can be played without a repeat after it, as far as an exact search of limited length finds them. In fields of up to twelve players
the search has been checked against all pairings there are; in larger ones it is the best that so many steps find.
Seats are given afterwards (`seats`); tables are numbered from the top of the standings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice
from math import lcm
from typing import Literal

from msgspec import Struct

from league.tournament.field import NO_BYE_AFTER, Entrant, Field, Kind, Row
from league.tournament.pairing import designs, seats
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, Table, digest, lot
from league.tournament.pairing.swaps import Board, Draw, Tables, descend, search

ENGINE = "pods"
VERSION = "1"
SMALLEST, LARGEST = 3, 5
LIMIT = 400_000
MOST_EACH, LEAST_EACH = 300, 6
"""When so many swaps have been weighed for a round, nothing new is begun; for every two players not more and not less than these."""
STARTS = 80
SMALL = 40
"""Up to so many players pairings without a repeat are also sought exactly, and looked for in the rounds to come."""
TRIED = 4_000
TRIED_AHEAD = 60_000
"""Tables tried in that exact search at most: for one pairing, and for what may come after all of them together."""
KEPT = 40
LABELS = 8
"""Ways in which the players are given their places in a known design."""
ROUNDS = 5
"""Rounds looked ahead to where it is not said how many there will be; all of a known design in which everybody meets everybody."""

Impossible = Literal["byes", "other"]
End = Literal["low", "high", "any"]
First = Literal["lot", "snake"]
Pair = frozenset[str]


class Sizes(Struct, frozen=True):
    """The sizes of all tables, those of the preferred size first, and how many entrants are left with a bye."""

    tables: tuple[int, ...]
    byes: int = 0


def sizes(n: int, preferred: int = 4, filler: int | None = 3, impossible: Impossible = "byes") -> Sizes:
    """Return the sizes of the tables for n entrants: as many of the preferred size as can be, the rest of the filler size.

    :param filler: the other size, or None where the rest has a bye
    :param impossible: what is done where the two sizes cannot add up to n: the fewest byes, or the fewest tables of the
        third size (of 3, 4 and 5); where that does not help either, byes
    :raises ValueError: if a size is not 3, 4 or 5, or both are the same
    :raises PairingImpossible: if there are not enough entrants for one table
    """
    allowed = range(SMALLEST, LARGEST + 1)
    if preferred not in allowed or (filler is not None and filler not in allowed) or filler == preferred:
        raise ValueError(
            f"a table has {SMALLEST} to {LARGEST} seats and the filler differs: not {preferred} and {filler}"
        )
    if impossible == "other" and filler is not None:
        third = next(size for size in allowed if size not in (preferred, filler))
        for times in range(n // third + 1):
            if (fitting := _fitting(n - third * times, preferred, filler)) is not None and n:
                return Sizes((*fitting, *(third,) * times))
    for byes in range(n):
        if fitting := _fitting(n - byes, preferred, filler):
            return Sizes(fitting, byes)
    raise PairingImpossible(f"{n} cannot fill a table of {min(preferred, filler or preferred)}")


def _fitting(n: int, preferred: int, filler: int | None) -> tuple[int, ...] | None:
    """Return the sizes that add up to n with the fewest tables of the filler size, or None."""
    for times in range(preferred if filler else 1):
        rest = n - times * (filler or 0)
        if rest >= 0 and rest % preferred == 0:
            return (*(preferred,) * (rest // preferred), *(filler or 0,) * times)
    return None


class _Past(Struct, frozen=True):
    """What the rounds before say of those present, by their place in the order of play.

    :ivar met: how often two have met, by their places, the lower one first
    :ivar lately: how often of these in the last rounds
    :ivar short: how often each was at a table of another size or had a bye
    :ivar no_bye: how many rows each has after which nobody is given a bye
    :ivar points: points in one unit, so that they are whole; so many of it are one point
    :ivar rounds: the circles of people who met in each round, whoever met nobody alone, the latest round last
    :ivar least: what a pair that met in this round counts at least
    """

    met: Counter[tuple[int, int]]
    lately: Counter[tuple[int, int]]
    short: list[int]
    no_bye: list[int]
    points: list[int]
    unit: int
    rounds: list[designs.Class]
    least: list[int]


def pair(
    field: Field,
    *,
    round: int,
    present: Collection[str],
    preferred: int = 4,
    filler: int | None = 3,
    impossible: Impossible = "byes",
    fillers: End = "any",
    banned: Collection[Collection[str]] = frozenset(),
    seed: str = "",
    last_rounds: int = 1,
    first: First = "lot",
) -> Pairing:
    """Return the pods of a round.

    :param field: the stage; rows of this round and later ones are not looked at
    :param present: ids of those who play this round
    :param fillers: whether tables of another size stand at the low or the high end of the standings (line 4), or anywhere
    :param banned: pairs of ids that must not sit at one table
    :param seed: text from which lots are drawn; without it that of the field
    :param last_rounds: a meeting in so many rounds before this one counts as two
    :param first: how a round without any points before it is spread: by lot, or by seeds as a snake
    :raises ValueError: if somebody present is not in the field, or a size is not known
    :raises PairingImpossible: if there are not enough for one table, or no pairing without a banned pair was found
    """
    bans = frozenset(frozenset(two) for two in banned)
    seed = seed or field.seed
    plan = sizes(len(set(present)), preferred, filler, impossible)
    players = _in_order(field, round, present, seed, first)
    past = _past(field, players, round, preferred, last_rounds)
    snake = round == 1 and first == "snake"
    goal = _Objective(players, past, plan, preferred, fillers, bans, snake)
    start = _slices(players, past, plan, fillers, snake)
    board = Board(
        goal.weights, goal.own_at([len(table) for table in start], bool(plan.byes)), start, bench=bool(plan.byes)
    )
    goal.search(board, Draw(seed, "pods", round), round, field.planned, [lot(seed, one.id) for one in players])
    seated, resting = (board.tables[:-1], board.tables[-1]) if plan.byes else (board.tables, [])
    if broken := [two for table in seated for two in _pairs(players, table) if frozenset(two) in bans]:
        raise PairingImpossible(
            f"no pairing was found that keeps {len(broken)} banned pair(s) apart",
            sorted({who for two in broken for who in two}),
        )
    return Pairing(
        tables=_tables(field, round, players, past, seated, seed),
        byes=tuple(Bye(players[who].id, Kind.POD_BYE) for who in sorted(resting)),
        engine=ENGINE,
        version=VERSION,
        input_digest=digest(
            ENGINE, VERSION, field, round, sorted(set(present)), preferred, filler, impossible, fillers,
            sorted(sorted(two) for two in bans), seed, last_rounds, first,
        ),
        notes=tuple(_notes(players, past, seated, resting, preferred, start)),
    )  # fmt: skip


def _in_order(field: Field, round: int, present: Collection[str], seed: str, first: First) -> list[Entrant]:
    """Return those present from the top: by points, then by lot (in a first round by seeds: by their numbers)."""
    known = {one.id: one for one in field.entrants}
    if unknown := sorted(set(present) - set(known)):
        raise ValueError(f"not in this stage: {', '.join(unknown)}")
    points = _points(field, round)
    if round == 1 and first == "snake":
        return sorted((known[who] for who in set(present)), key=lambda one: (one.number, one.id))
    return sorted(
        (known[who] for who in set(present)), key=lambda one: (-points[one.id], lot(seed, round, one.id), one.id)
    )


def _points(field: Field, round: int) -> dict[str, Fraction]:
    """Return the points of each entrant before a round."""
    points = {one.id: Fraction(0) for one in field.entrants}
    for row in field.rows:
        if row.round < round:
            points[row.entrant] += row.points
    for penalty in field.penalties:
        if penalty.round <= round:
            points[penalty.entrant] -= penalty.points
    return points


def _past(field: Field, players: Sequence[Entrant], round: int, preferred: int, last_rounds: int) -> _Past:
    place = {one.id: at for at, one in enumerate(players)}
    rows = [row for row in field.rows if row.round < round]
    met: Counter[tuple[int, int]] = Counter()
    lately: Counter[tuple[int, int]] = Counter()
    with_whom: dict[int, list[set[int]]] = {}
    for when, two in encounters(rows):
        if two <= place.keys():
            low, high = sorted(place[who] for who in two)
            met[low, high] += 1
            lately[low, high] += when >= round - last_rounds
            circle = with_whom.setdefault(when, [{at} for at in range(len(players))])
            circle[low].add(high)
            circle[high].add(low)
    rounds = [tuple(sorted({tuple(sorted(circle)) for circle in circles})) for _, circles in sorted(with_whom.items())]
    least = [4 if when >= round - last_rounds else 1 for when in sorted(with_whom)]
    short, no_bye = [0] * len(players), [0] * len(players)
    for row in rows:
        if (at := place.get(row.entrant)) is not None:
            short[at] += row.kind in (Kind.ALLOCATED_BYE, Kind.POD_BYE) or (
                row.size not in (0, preferred) and row.facts.encounter
            )
            no_bye[at] += row.kind in NO_BYE_AFTER
    points = _points(field, round)
    unit = lcm(*(points[one.id].denominator for one in players))
    return _Past(met, lately, short, no_bye, [int(points[one.id] * unit) for one in players], unit, rounds, least)


def encounters(rows: Iterable[Row]) -> set[tuple[int, Pair]]:
    """Return every round and pair of entrants who have met at a table. A seat that was forfeited has met nobody."""
    rows = list(rows)
    forfeited = {(row.round, row.entrant) for row in rows if not row.facts.encounter}
    return {
        (row.round, frozenset((row.entrant, other)))
        for row in rows
        if row.facts.encounter
        for other in row.opponents
        if (row.round, other) not in forfeited
    }


class _Objective:
    """The lines of the objective as one whole number: each line is worth more than all lines below it together."""

    def __init__(
        self,
        players: Sequence[Entrant],
        past: _Past,
        plan: Sizes,
        preferred: int,
        fillers: End,
        bans: frozenset[Pair],
        snake: bool,
    ) -> None:
        n = len(players)
        pairs = sum(size * (size - 1) // 2 for size in plan.tables)
        self.past, self.plan, self.preferred = past, plan, preferred
        odd = sum(size for size in plan.tables if size != preferred) + plan.byes
        self.base = odd + 1
        heaviest = max(((count + past.lately[two]) ** 2 for two, count in past.met.items()), default=1)
        lowest, highest = min(past.points), max(past.points)
        widest = (highest - lowest) ** 2
        self.off_end = [{"low": points - lowest, "high": highest - points, "any": 0}[fillers] for points in past.points]
        self.seed_unit = 1
        self.tier_unit = self.seed_unit * (n * plan.byes + 1)
        self.group_unit = self.tier_unit * (pairs + 1)
        self.short_unit = self.group_unit * (pairs + 1)
        self.spread_unit = self.short_unit * (self.base ** (max(past.short) + 1) + 1)
        self.end_unit = self.spread_unit * (pairs * widest + 1)
        self.repeat_unit = self.end_unit * ((highest - lowest) * odd + 1)
        self.bye_unit = self.repeat_unit * (pairs * heaviest + 1)
        self.ban_unit = self.bye_unit * (n * plan.byes + 1)
        tier = [at // len(plan.tables) for at in range(n)] if snake else list(range(n))
        self.weights = [[0] * n for _ in players]
        for low, high in combinations(range(n), 2):
            one, two = players[low], players[high]
            weight = (past.points[low] - past.points[high]) ** 2 * self.spread_unit
            if one.group and one.group == two.group:
                weight += self.group_unit
            if tier[low] == tier[high]:
                weight += self.tier_unit
            self.weights[low][high] = self.weights[high][low] = weight
        for (low, high), count in past.met.items():
            weight = (count + past.lately[low, high]) ** 2 * self.repeat_unit
            self.weights[low][high] += weight
            self.weights[high][low] += weight
        place = {one.id: at for at, one in enumerate(players)}
        self.apart: list[tuple[int, int]] = []
        for banned in bans:
            if len(banned) == 2 and banned <= place.keys():
                low, high = (place[who] for who in banned)
                self.apart.append((low, high))
                self.weights[low][high] += self.ban_unit
                self.weights[high][low] += self.ban_unit
        keys = [(past.no_bye[at], past.points[at]) for at in range(n)]
        rank = {key: at for at, key in enumerate(sorted(set(keys)))}
        seeds = {number: at for at, number in enumerate(sorted((one.number for one in players), reverse=True))}
        self.bye_ranks = [rank[key] for key in keys]
        self.seeds = [seeds[one.number] for one in players]

    def own_at(self, table_sizes: Sequence[int], bench: bool) -> list[list[int]]:
        """Return what each player alone costs at each of the tables, the last of which may be the bench."""
        own = []
        for at, times in enumerate(self.past.short):
            short = self.base**times * self.short_unit
            other = short + self.off_end[at] * self.end_unit
            row = [other if size != self.preferred else 0 for size in table_sizes]
            if bench:
                row[-1] = short + self.bye_ranks[at] * self.bye_unit + self.seeds[at] * self.seed_unit
            own.append(row)
        return own

    def search(self, board: Board, draw: Draw, round: int, planned: int, lots: Sequence[int]) -> None:
        """Leave the board at the best seating found.

        In small fields, of the seatings without a repeat one is taken after which the rounds still planned can be played
        without a repeat too, if one is found.

        :param lots: the same lot for a player in all rounds
        """
        n = len(self.past.points)
        byes = sum(sorted(self.bye_ranks)[: self.plan.byes]) * self.bye_unit
        goal = byes + (self.fewest_repeats() + 1) * self.repeat_unit
        limit = max(min(LIMIT, MOST_EACH * n**2), LEAST_EACH * n**2)
        seen = search(board, unit=self.repeat_unit, goal=goal, least=byes, limit=limit, starts=STARTS, draw=draw)
        if n > SMALL or not self.past.met:
            return
        resting = board.tables[-1] if self.plan.byes else []
        fresh = designs.fresh(n, [*self.past.met, *self.apart])
        exact = [*islice(designs.classes(fresh, self.plan.tables, designs.Budget(TRIED), resting), KEPT)]
        if not exact and board.total >= byes + self.repeat_unit:
            exact = [row[0] for row in [self.row_by_lot(lots, 1, resting)] if row]
        seatings = [self.columns(board, tables, resting) for tables in exact]
        if seatings and board.total >= byes + self.repeat_unit:
            board.set(min(seatings, key=lambda tables: _total(board, tables)))
            descend(board, board.looked + limit)
        size = max(self.plan.tables)
        everybody_meets = len(designs.design(n, size)) * (size - 1) == n - 1
        planned = planned or ((n - 1) // (size - 1) if everybody_meets else ROUNDS)
        ahead = min(planned, (n - 1) // (min(self.plan.tables) - 1)) - round
        if ahead > 0 and n - 1 < 2 * (size - 1) * planned and not resting and board.total < self.repeat_unit:
            self.look_ahead(board, [board.tables, *seen, *seatings], ahead, lots)

    def look_ahead(self, board: Board, choices: Iterable[Tables], ahead: int, lots: Sequence[int]) -> None:
        """Set the board to the best of these seatings, and those of a design, after which most rounds without a repeat are left.

        The rounds to come are searched in an order that is the same in all rounds: what was found in one is found again in
        the next, and taken where nothing better leaves as many.
        """
        known = [(self.columns(board, tables, ()), left) for tables, left in self.designed(lots)]
        follows = {_shape(tables): left for tables, left in known}
        seatings = {_shape(tables): tables for tables in [*(tables for tables, _ in known), *reversed(list(choices))]}
        best, chosen = -1, board.tables
        budget = TRIED_AHEAD
        for seating in sorted(seatings.values(), key=lambda tables: _total(board, tables)):
            left = follows.get(_shape(seating), 0)
            if _total(board, seating) >= self.repeat_unit:
                break
            if left < ahead and budget > 0:
                each = designs.Budget(min(TRIED, budget))
                budget -= each.left
                left = max(left, len(self.row_by_lot(lots, ahead, (), seating, each)))
                budget += each.left
            if left > best:
                best, chosen = left, seating
            if best >= ahead:
                break
        if best < ahead:
            row = self.row_by_lot(lots, ahead + 1, ())
            if len(row) - 1 > best:
                chosen = self.columns(board, row[0], ())
        board.set(chosen)

    def row_by_lot(
        self,
        lots: Sequence[int],
        rounds: int,
        resting: Iterable[int],
        seating: Tables | None = None,
        budget: designs.Budget | None = None,
    ) -> tuple[designs.Class, ...]:
        """Return a row of rounds without a repeat, after this seating if one is given, searched in the order of the lots."""
        by_lot = sorted(range(len(lots)), key=lots.__getitem__)
        name = {who: at for at, who in enumerate(by_lot)}
        fresh = designs.fresh(len(lots), [(name[one], name[two]) for one, two in (*self.past.met, *self.apart)])
        after = designs.without(fresh, [[name[who] for who in table] for table in seating or ()])
        row = designs.reach(
            after, self.plan.tables, rounds, budget or designs.Budget(TRIED), [name[who] for who in resting]
        )
        return tuple(designs.renamed(tables, by_lot) for tables in row)

    def designed(self, lots: Sequence[int]) -> list[tuple[designs.Class, int]]:
        """Return classes that continue the rounds so far in a known design, each with how many follow it."""
        size, past = self.plan.tables[0], self.past.rounds
        if {*self.plan.tables, *(len(table) for tables in past for table in tables)} != {size}:
            return []
        known = designs.design(len(lots), size)
        found = []
        for turn in range(LABELS):
            key = [lot(str(mine), turn) for mine in lots]
            first = sorted((sorted(table, key=key.__getitem__) for table in past[0]), key=lambda table: key[table[0]])
            if len(first) == size and len(past) > 1:
                second = sorted(past[1], key=lambda table: min(key[who] for who in table))
                column = {who: at for at, table in enumerate(second) for who in table}
                first = [sorted(table, key=column.__getitem__) for table in first]
            follow = designs.continued(known, [tuple(map(tuple, first)), *past[1:]])
            found += [(tables, len(follow) - 1) for tables in follow]
        return found

    def columns(self, board: Board, tables: designs.Class, resting: Iterable[int]) -> Tables:
        """Return the tables in the order of the sizes that the board has, from the top of the standings."""
        left = sorted((sorted(table) for table in tables), key=sum)
        seating = []
        for column in board.tables[: len(tables)]:
            table = next(table for table in left if len(table) == len(column))
            left.remove(table)
            seating.append(table)
        return [*seating, list(resting)] if self.plan.byes else seating

    def fewest_repeats(self) -> int:
        """Return a sum of repeats that no pairing can go below.

        Once for want of people whom one has not met yet, and once for each round: who sit at a table come from so many
        tables of that round at most.
        """
        met = Counter(who for two in self.past.met for who in two)
        n, smallest = len(self.past.points), min(self.plan.tables)
        missing = sorted(max(0, smallest - 1 - (n - 1 - met[who])) for who in range(n))
        bounds = [(sum(missing[: n - self.plan.byes]) + 1) // 2]
        for circles, least in zip(self.past.rounds, self.past.least, strict=True):
            bounds.append(least * sum(_fewest_pairs(size, len(circles)) for size in self.plan.tables))
        return max(bounds)


def _shape(tables: Tables) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(tuple(sorted(table)) for table in tables))


def _total(board: Board, tables: Tables) -> int:
    return sum(board.cost(table, at) for at, table in enumerate(tables))


def _fewest_pairs(size: int, circles: int) -> int:
    """Return how many pairs of a table come from one circle if its seats are spread over the circles as evenly as can be."""
    each, more = divmod(size, circles)
    return more * (each + 1) * each // 2 + (circles - more) * each * (each - 1) // 2


def _slices(players: Sequence[Entrant], past: _Past, plan: Sizes, fillers: End, snake: bool) -> Tables:
    """Return the tables cut from the top down, and last those with a bye where there are byes."""
    bye_order = sorted(
        range(len(players)), key=lambda at: (past.no_bye[at], past.points[at], past.short[at], -players[at].number, at)
    )
    resting = sorted(bye_order[: plan.byes])
    rest = [at for at in range(len(players)) if at not in resting]
    wanted = plan.tables[::-1] if fillers == "high" else plan.tables
    tables = _snake(rest, wanted) if snake else _cut(rest, wanted)
    return [*tables, resting] if plan.byes else tables


def _cut(rest: Sequence[int], wanted: Sequence[int]) -> Tables:
    left = iter(rest)
    return [[next(left) for _ in range(size)] for size in wanted]


def _snake(rest: Sequence[int], wanted: Sequence[int]) -> Tables:
    tables: Tables = [[] for _ in wanted]
    left, turn = list(rest), 0
    while left:
        way = range(len(wanted)) if turn % 2 == 0 else reversed(range(len(wanted)))
        for at in way:
            if left and len(tables[at]) < wanted[at]:
                tables[at].append(left.pop(0))
        turn += 1
    return tables


def _pairs(players: Sequence[Entrant], table: Iterable[int]) -> list[tuple[str, str]]:
    return [(players[low].id, players[high].id) for low, high in combinations(sorted(table), 2)]


def _tables(
    field: Field, round: int, players: Sequence[Entrant], past: _Past, seated: Tables, seed: str
) -> tuple[Table, ...]:
    """Return the tables numbered from the top, with their seats in order."""
    ranked = sorted(seated, key=lambda table: (-Fraction(sum(past.points[at] for at in table), len(table)), min(table)))
    groups = [tuple(players[at].id for at in sorted(table)) for table in ranked]
    placed = seats.order(groups, seats.history(field, before=round), f"{seed}\x1f{round}")
    return tuple(Table(number, seats_) for number, seats_ in enumerate(placed, 1))


def _notes(
    players: Sequence[Entrant], past: _Past, seated: Tables, resting: Sequence[int], preferred: int, slices: Tables
) -> Iterator[Note]:
    """Yield what an organizer should see before publishing."""
    usual = max(_difference(past, table) for table in slices[: len(seated)])
    for table in sorted(sorted(table) for table in seated):
        for low, high in combinations(table, 2):
            who = (players[low].id, players[high].id)
            if times := past.met[low, high]:
                yield Note("rematch", who, {"times": times, "lately": past.lately[low, high]})
            if players[low].group and players[low].group == players[high].group:
                yield Note("kept_apart", who)
        all_ids = tuple(players[at].id for at in table)
        if (difference := _difference(past, table)) > usual:
            yield Note("spread", all_ids, {"difference": difference, "usual": usual, "unit": past.unit})
        if len(table) != preferred:
            yield Note("short_table" if len(table) < preferred else "long_table", all_ids, {"size": len(table)})
            for at in table:
                if past.short[at]:
                    yield Note("short_again", (players[at].id,), {"times": past.short[at]})
    for at in sorted(resting):
        if past.no_bye[at]:
            yield Note("second_bye", (players[at].id,), {"times": past.no_bye[at]})


def _difference(past: _Past, table: Iterable[int]) -> int:
    points = [past.points[at] for at in table]
    return max(points) - min(points)
