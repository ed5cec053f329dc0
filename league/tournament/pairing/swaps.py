"""Search by swaps: players at tables, every two at one table with a weight between them, the sum to be as small as possible.

The steps are counted, never timed, and every choice by chance is a lot, so the same input gives the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from league.tournament.pairing.base import lot

Tables = list[list[int]]
Matrix = Sequence[Sequence[int]]


class Draw:
    """A row of lots from one seed."""

    def __init__(self, *seed: object) -> None:
        self.seed = "\x1f".join(map(str, seed))
        self.drawn = 0

    def below(self, limit: int) -> int:
        """Return the next lot, from 0 to below the limit."""
        self.drawn += 1
        return lot(self.seed, self.drawn) % limit


class Board:
    """Players 0 to n-1 at tables, and what each costs at each table.

    The last column of `own` may be the bench of those with a bye: nobody there meets anybody.

    :ivar weights: what every two cost at one table; symmetric, 0 on the diagonal
    :ivar own: what a player alone costs at a table (n rows, a column for each table)
    :ivar costs: what a player costs at a table together with who sits there now
    :ivar total: the sum over tables of all pairs and all players
    :ivar looked: swaps weighed so far
    """

    def __init__(self, weights: Matrix, own: Matrix, tables: Tables, *, bench: bool) -> None:
        self.weights, self.own = weights, own
        self.meets = [1] * len(tables)
        if bench:
            self.meets[-1] = 0
        self.looked = 0
        self.set(tables)

    def set(self, tables: Tables) -> None:
        """Seat everybody anew."""
        self.tables = [list(table) for table in tables]
        self.where = [0] * len(self.weights)
        for at, table in enumerate(self.tables):
            for player in table:
                self.where[player] = at
        self.costs = [
            [
                alone + (sum([row[other] for other in table]) if meets else 0)
                for alone, table, meets in zip(own, self.tables, self.meets, strict=True)
            ]
            for row, own in zip(self.weights, self.own, strict=True)
        ]
        self.total = sum(self.cost(table, at) for at, table in enumerate(self.tables))

    def cost(self, table: Sequence[int], at: int) -> int:
        """Return what these players cost at that table."""
        alone = sum(self.own[player][at] for player in table)
        pairs = sum(self.weights[one][two] for n, one in enumerate(table) for two in table[:n])
        return alone + pairs * self.meets[at]

    def swap(self, one: int, two: int, change: int) -> None:
        """Let two players of different tables change places, which changes the total by so much."""
        here, there = self.where[one], self.where[two]
        self.tables[here][self.tables[here].index(one)] = two
        self.tables[there][self.tables[there].index(two)] = one
        self.where[one], self.where[two] = there, here
        self.total += change
        here_meets, there_meets = self.meets[here], self.meets[there]
        for row, gone, come in zip(self.costs, self.weights[one], self.weights[two], strict=True):
            if gone != come:
                if here_meets:
                    row[here] += come - gone
                if there_meets:
                    row[there] += gone - come

    def best_swap(self, one: int, others: Sequence[int], barred: int | None = None) -> tuple[int, int]:
        """Return the change and the partner of the best swap of a player; without any partner the player himself.

        :param barred: players whose swap is left out, as a bit mask
        """
        here, costs, where, meets = self.where[one], self.costs, self.where, self.meets
        row, pairs = costs[one], self.weights[one]
        stay, meet = row[here], meets[here]
        best, partner = None, one
        for two in others:
            there = where[two]
            if there == here or (barred and barred >> two & 1):
                continue
            theirs = costs[two]
            change = row[there] - stay + theirs[here] - theirs[there]
            if weight := pairs[two]:
                change -= weight * (meet + meets[there])
            if best is None or change < best:
                best, partner = change, two
        self.looked += len(others)
        return (0 if best is None else best), partner


def descend(board: Board, limit: int) -> None:
    """Swap as long as a swap makes the sum smaller, or until so many swaps have been weighed."""
    everybody = range(len(board.weights))
    quiet, one = 0, 0
    while quiet < len(everybody) and board.looked < limit:
        change, two = board.best_swap(one, everybody)
        if change < 0:
            board.swap(one, two, change)
            quiet = 0
        else:
            quiet += 1
        one = (one + 1) % len(everybody)


def mend(board: Board, *, unit: int, goal: int, limit: int, draw: Draw) -> None:
    """Take pairs of weight `unit` and more apart, going through worse seatings where needed, until the sum is below the goal.

    The board is left at the best seating seen. (A search with a memory: who has left a table does not come back for some steps.)
    """
    everybody = range(len(board.weights))
    best, tables = board.total, [list(table) for table in board.tables]
    away = [[0] * len(tables) for _ in everybody]
    step = 0
    while board.total >= goal and board.looked < limit:
        step += 1
        unhappy = [
            one for one in everybody if board.costs[one][board.where[one]] - board.own[one][board.where[one]] >= unit
        ]
        if not unhappy:
            break
        chosen: tuple[int, int, int] | None = None
        for one in unhappy:
            here = board.where[one]
            mine = away[one]
            free = [
                two
                for two in everybody
                if (there := board.where[two]) != here and mine[there] < step and away[two][here] < step
            ]
            change, two = board.best_swap(one, free)
            if two != one and (chosen is None or change < chosen[0]):
                chosen = (change, one, two)
        if chosen is None:
            board.looked += len(everybody)  # all are still kept away; a step on, some are not
            continue
        change, one, two = chosen
        away[one][board.where[one]] = step + 3 + draw.below(len(unhappy) + 4)
        away[two][board.where[two]] = step + 3 + draw.below(len(unhappy) + 4)
        board.swap(one, two, change)
        if board.total < best:
            best, tables = board.total, [list(table) for table in board.tables]
    if board.total > best:
        board.set(tables)


def search(board: Board, *, unit: int, goal: int, least: int, limit: int, starts: int, draw: Draw) -> list[Tables]:
    """Leave the board at the best seating found, and return all seatings on the way whose sum was below the goal.

    :param unit: the smallest weight of a pair that is worth going through worse seatings for
    :param goal: below this sum nothing of that kind is left to mend
    :param least: no sum is smaller; reaching it ends the search
    :param limit: when so many swaps have been weighed, nothing new is begun
    :param starts: how often the best seating is shaken and improved again
    """
    everybody = len(board.weights)
    descend(board, limit)
    best, tables = board.total, [list(table) for table in board.tables]
    seen: list[Tables] = []
    for start in range(starts):
        if board.total >= goal:
            mend(board, unit=unit, goal=goal, limit=board.looked + limit // 4, draw=draw)
            descend(board, limit)
        if board.total < goal:
            seen.append([list(table) for table in board.tables])
        if board.total < best:
            best, tables = board.total, [list(table) for table in board.tables]
        if best <= least or board.looked >= limit or start == starts - 1:
            break
        board.set(tables)
        for _ in range(2 + draw.below(3)):
            one = draw.below(everybody)
            others = [two for two in range(everybody) if board.where[two] != board.where[one]]
            if others:
                change, two = board.best_swap(one, [others[draw.below(len(others))]])
                board.swap(one, two, change)
        descend(board, limit)
    if board.total > best:
        board.set(tables)
    return seen
