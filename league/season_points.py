"""A season of tournaments: points by finish, which of them count, the table, divisions with promotion and relegation, champions.

Pure and exact: points are fractions, each opens to its parts, and nothing here is rounded or decided by a clock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby, pairwise
from math import ceil
from typing import Literal

from msgspec import Struct

type Counted = Literal["counts", "dropped", "pending"]
type Shared = Literal["same", "split"]


class Finish(Struct, frozen=True):
    """How somebody finished in a tournament.

    :ivar place: the rank; `last` is the last of the ranks that are shared (0: not shared)
    :ivar players: entrants of the tournament; `rounds` how many it had
    :ivar wins_first: wins before the first game that was not won
    :ivar is_pending: the tournament is not closed: shown, and counted nowhere
    """

    event: str
    on: date
    person: str
    place: int
    players: int
    last: int = 0
    rounds: int = 0
    wins_first: int = 0
    is_pending: bool = False


class Part(Struct, frozen=True):
    """One addend of the points of a finish: `place`, `wins`, `size`, or `absent`."""

    code: str
    value: Fraction


class Placing(Struct, frozen=True):
    """Points by a list, first place first, and `rest` behind its end; without a list n − place + 1 of n."""

    points: tuple[Fraction, ...] = ()
    rest: Fraction = Fraction(0)

    def at(self, place: int, finish: Finish) -> Fraction:
        """Return the points of one rank."""
        if not self.points:
            return Fraction(max(0, finish.players + 1 - place))
        return self.points[place - 1] if place <= len(self.points) else self.rest


class Slope(Struct, frozen=True):
    """A top that falls by its n-th part with each of n places: top × (n + 1 − place) ÷ n.

    The top is made of a base, something for each round and something for each player.

    :ivar most: most that the players add; None for no limit
    """

    base: Fraction = Fraction(0)
    each_round: Fraction = Fraction(0)
    each_player: Fraction = Fraction(0)
    most: Fraction | None = None

    def top(self, finish: Finish) -> Fraction:
        """Return the points of the first place."""
        added = self.each_player * finish.players
        added = added if self.most is None else min(added, self.most)
        return self.base + self.each_round * finish.rounds + added

    def at(self, place: int, finish: Finish) -> Fraction:
        """Return the points of one rank."""
        return self.top(finish) * max(0, finish.players + 1 - place) / finish.players


class Scheme(Struct, frozen=True):
    """What a finish is worth: a part for the place, one for the wins before the first loss, one for the size of the tournament.

    :ivar each_win: for each of these wins
    :ivar each_round: for each round, up to `most_rounds`
    :ivar shared: those who share ranks all get the points of the best of them, or split those of all of them
    """

    place: Placing | Slope | None = Placing()
    each_win: Fraction = Fraction(0)
    each_round: Fraction = Fraction(0)
    most_rounds: int | None = None
    shared: Shared = "same"

    def parts(self, finish: Finish) -> tuple[Part, ...]:
        """Return the addends of the points of a finish."""
        told = []
        if self.place is not None:
            last = max(finish.last, finish.place) if self.shared == "split" else finish.place
            ranks = range(finish.place, last + 1)
            told.append(Part("place", sum((self.place.at(one, finish) for one in ranks), Fraction(0)) / len(ranks)))
        if self.each_win:
            told.append(Part("wins", self.each_win * finish.wins_first))
        if self.each_round:
            rounds = finish.rounds if self.most_rounds is None else min(finish.rounds, self.most_rounds)
            told.append(Part("size", self.each_round * rounds))
        return tuple(told)


def _list(*points: int) -> Placing:
    return Placing(tuple(map(Fraction, points)))


SCHEMES: Mapping[str, Scheme] = {
    "players_behind": Scheme(Placing()),
    "rank_7_5_3_1": Scheme(_list(7, 5, 3, 1)),
    "scorched_earth_2016": Scheme(None, each_win=Fraction(3)),
    **{
        f"kings_of_war_au_{base}": Scheme(Slope(base=Fraction(base), each_player=Fraction(1), most=Fraction(30)))
        for base in (55, 60, 70)
    },
}
"""Schemes by name. Those of Kings of War in Australia have a base of 55, 60 or 70 by the length of the tournament."""


class Rule(Struct, frozen=True):
    """What counts: the best n finishes, or all but the worst n. One of the two at most.

    :ivar absence_is_zero: a tournament of the season that was played without somebody is a finish worth nothing, which may be
        among the worst that are left out; otherwise missing is nothing at all. To be said for `drop_n`; it changes nothing for `best_n`.
    """

    scheme: Scheme = Scheme()
    best_n: int | None = None
    drop_n: int | None = None
    absence_is_zero: bool = False

    def __post_init__(self) -> None:
        if self.best_n is not None and self.drop_n is not None:
            raise ValueError("a season counts the best finishes or leaves out the worst, not both")
        for name, number in (("best_n", self.best_n), ("drop_n", self.drop_n)):
            if number is not None and number < 0:
                raise ValueError(f"{name} is {number}, but must not be negative")


class Line(Struct, frozen=True):
    """One tournament in somebody's row; without a finish it was missed."""

    event: str
    on: date
    points: Fraction
    parts: tuple[Part, ...]
    counted: Counted
    finish: Finish | None = None


class Row(Struct, frozen=True):
    """Somebody's row of the table: what counts, the place (the same for equals), and every line behind it, oldest first."""

    person: str
    points: Fraction
    place: int
    shared: bool
    lines: tuple[Line, ...]

    @property
    def best(self) -> tuple[Fraction, ...]:
        """Return the points that count, most first."""
        return tuple(sorted((line.points for line in self.lines if line.counted == "counts"), reverse=True))

    @property
    def played(self) -> int:
        """Return how many closed tournaments it is made of."""
        return sum(line.finish is not None and line.counted != "pending" for line in self.lines)


def table(finishes: Iterable[Finish], rule: Rule = Rule()) -> list[Row]:  # noqa: B008 - frozen
    """Return the table of a season, first place first.

    Equal totals are parted by the best single finish, then the next best and so on, then by fewer tournaments; who is still equal
    shares the place.

    :raises ValueError: if somebody finished twice in one tournament
    """
    by_person: dict[str, list[Finish]] = defaultdict(list)
    held: dict[str, date] = {}
    for one in finishes:
        if any(one.event == other.event for other in by_person[one.person]):
            raise ValueError(f"{one.person} has two finishes in {one.event}")
        by_person[one.person].append(one)
        if not one.is_pending:
            held[one.event] = one.on
    rows = [Row(person, Fraction(0), 0, False, _lines(mine, held, rule)) for person, mine in by_person.items()]
    told: list[Row] = []
    for _key, equals in groupby(sorted(rows, key=lambda row: (_order(row), row.person)), key=_order):
        together = list(equals)
        place = len(told) + 1
        told += [Row(row.person, sum(row.best, Fraction(0)), place, len(together) > 1, row.lines) for row in together]
    return told


def _order(row: Row) -> tuple[Fraction, tuple[Fraction, ...], int]:
    best = row.best
    # A nought that counts is no better than nothing.
    return -sum(best, Fraction(0)), tuple(-one for one in best if one), row.played


def _lines(mine: Sequence[Finish], held: Mapping[str, date], rule: Rule) -> tuple[Line, ...]:
    lines = []
    for one in mine:
        parts = rule.scheme.parts(one)
        points = sum((part.value for part in parts), Fraction(0))
        lines.append(Line(one.event, one.on, points, parts, "pending" if one.is_pending else "counts", one))
    if rule.absence_is_zero:
        missed = held.keys() - {one.event for one in mine}
        nothing = (Part("absent", Fraction(0)),)
        lines += [Line(event, held[event], Fraction(0), nothing, "counts") for event in missed]
    settled = [line for line in lines if line.counted == "counts"]
    # Of equal points a finish counts before an absence, and the earlier one before the later.
    settled.sort(key=lambda line: (-line.points, line.finish is None, line.on, line.event))
    most = len(settled)
    if rule.drop_n is not None:
        most -= rule.drop_n
    if rule.best_n is not None:
        most = min(most, rule.best_n)
    left_out = {line.event for line in settled[max(0, most) :]}
    told = [
        Line(line.event, line.on, line.points, line.parts, "dropped", line.finish) if line.event in left_out else line
        for line in lines
    ]
    return tuple(sorted(told, key=lambda line: (line.on, line.event)))


def to_draw_level(row: Row, above: Row, rule: Rule) -> Fraction:
    """Return the least points in one more tournament with which a row has the total of one above it that gains nothing; 0 if it has it."""
    need = above.points - row.points
    if need <= 0:
        return Fraction(0)
    if rule.best_n is not None and len(row.best) >= rule.best_n > 0:
        return need + row.best[-1]
    return need


# Divisions


type Reason = Literal["promoted", "relegated", "playoff", "left", "new", "merged"]


class Standing(Struct, frozen=True):
    """Somebody's place in the table of a division, and the games behind it."""

    person: str
    place: int
    games: int = 0


class Division(Struct, frozen=True):
    """A division and its table, best first."""

    name: str
    table: tuple[Standing, ...] = ()


class Exchange(Struct, frozen=True):
    """What moves between neighbouring divisions when a season closes.

    :ivar count: how many move up and down across each border; or `share` of the division that they leave, rounded up
    :ivar playoffs: how many pairs play for a place, next behind those who move: with a count of 2 the third-last against the third
    :ivar least_games: with fewer games nobody moves up
    :ivar least_members: a division with fewer members is merged with the next below (the last: with the one above)
    """

    count: int = 0
    share: Fraction = Fraction(0)
    playoffs: int = 0
    least_games: int = 0
    least_members: int = 1

    def moving(self, division: Division) -> int:
        """Return how many should leave a division in one direction; there may be fewer."""
        return max(self.count, ceil(len(division.table) * self.share))


class Move(Struct, frozen=True):
    """Somebody's way from one division to another; None stands for outside."""

    person: str
    origin: str | None
    target: str | None
    reason: Reason

    @property
    def reversed(self) -> Move:
        """Return the way back."""
        return Move(self.person, self.target, self.origin, self.reason)


class Playoff(Struct, frozen=True):
    """Two who play for the place in the upper division: `holder` has it, `challenger` wants it."""

    upper: str
    lower: str
    holder: str
    challenger: str


class Closing(Struct, frozen=True):
    """What the close of a season changes.

    :ivar spared: who would have been relegated and stays, because nobody came for the place
    :ivar members: the divisions of the next season
    """

    moves: tuple[Move, ...]
    playoffs: tuple[Playoff, ...]
    spared: tuple[str, ...]
    members: Mapping[str, tuple[str, ...]]


class _Zones(Struct):
    """Who of a division would move, in order of the table."""

    up: list[str]
    challengers: list[str]
    stay: list[str]
    down: list[str]
    wished: int


def close(
    divisions: Sequence[Division],
    rule: Exchange,
    *,
    refused: Collection[str] = (),
    leaving: Collection[str] = (),
    won: Collection[str] = (),
    newcomers: Mapping[str, str] | None = None,
) -> Closing:
    """Return who moves where, divisions best first.

    A refused promotion goes to the next in the table. A place to which nobody is promoted, or from which somebody above the
    relegated (or just promoted) leaves, goes to the best of the relegated, who is spared. A pair of a play-off changes places if
    the challenger is among those who `won`.

    :param newcomers: who is new, and the division of each
    :raises ValueError: for a division or somebody that is there twice, or a division of a newcomer that does not exist
    """
    _check(divisions, newcomers or {})
    zones = [
        _zones(one, rule, refused, top=not number, bottom=number == len(divisions) - 1)
        for number, one in enumerate(divisions)
    ]
    before = {one.name: tuple(row.person for row in one.table) for one in divisions}
    moves = [Move(one, name, None, "left") for name, members in before.items() for one in members if one in leaving]
    playoffs: list[Playoff] = []
    spared: list[str] = []
    for (above, upper), (below, lower) in pairwise(zip(divisions, zones, strict=True)):
        rising = [one for one in lower.up if one not in leaving]
        falling = [one for one in upper.down if one not in leaving]
        vacant = lower.wished - len(rising) + sum(one in leaving for one in upper.stay)
        spared += falling[:vacant]
        moves += [Move(one, below.name, above.name, "promoted") for one in rising]
        moves += [Move(one, above.name, below.name, "relegated") for one in falling[vacant:]]
        holders = [one for one in reversed(upper.stay) if one not in {*leaving, *upper.challengers}]
        challengers = [one for one in lower.challengers if one not in leaving]
        for holder, challenger in list(zip(holders, challengers, strict=False))[: rule.playoffs]:
            playoffs.append(Playoff(above.name, below.name, holder, challenger))
            if challenger in won:
                moves.append(Move(challenger, below.name, above.name, "playoff"))
                moves.append(Move(holder, above.name, below.name, "playoff"))
    moves += [Move(person, None, division, "new") for person, division in (newcomers or {}).items()]
    moves += _merged(moved(before, moves), rule.least_members)
    members = {name: told for name, told in moved(before, moves).items() if told}
    return Closing(tuple(moves), tuple(playoffs), tuple(spared), members)


def _check(divisions: Sequence[Division], newcomers: Mapping[str, str]) -> None:
    names = [one.name for one in divisions]
    people = [*(row.person for one in divisions for row in one.table), *newcomers]
    for told in (names, people):
        if twice := sorted({one for one in told if told.count(one) > 1}):
            raise ValueError(f"there twice: {', '.join(twice)}")
    if unknown := sorted(set(newcomers.values()) - set(names)):
        raise ValueError(f"no division {', '.join(unknown)}, only {', '.join(names)}")


def _zones(division: Division, rule: Exchange, refused: Collection[str], *, top: bool, bottom: bool) -> _Zones:
    count = rule.moving(division)
    able = [row.person for row in division.table if row.games >= rule.least_games and row.person not in refused]
    up = [] if top else able[:count]
    stay = [row.person for row in division.table if row.person not in up]
    down = [] if bottom else stay[max(0, len(stay) - count) :]
    stay = [one for one in stay if one not in down]
    challengers = [] if top else [one for one in able if one in stay][: rule.playoffs]
    return _Zones(up, challengers, stay, down, wished=0 if top else count)


def moved(members: Mapping[str, Sequence[str]], moves: Iterable[Move]) -> dict[str, tuple[str, ...]]:
    """Return the divisions after moves. The moves of a closing, reversed and in reversed order, lead back from it."""
    told = {name: list(people) for name, people in members.items()}
    for move in moves:
        if move.origin is not None:
            told[move.origin].remove(move.person)
        if move.target is not None:
            told.setdefault(move.target, []).append(move.person)
    return {name: tuple(people) for name, people in told.items()}


def _merged(members: Mapping[str, Sequence[str]], least: int) -> list[Move]:
    """Return the moves that leave no division with fewer members, as long as there is another to go to."""
    told = {name: list(people) for name, people in members.items()}
    moves: list[Move] = []
    while len(told) > 1:
        names = list(told)
        small = next((name for name in names if len(told[name]) < least), None)
        if small is None:
            break
        at = names.index(small)
        into = names[at + 1] if at + 1 < len(names) else names[at - 1]
        moves += [Move(person, small, into, "merged") for person in told[small]]
        told[into] += told.pop(small)
    return moves


def by_rating(newcomers: Mapping[str, int], divisions: Sequence[tuple[str, Sequence[int]]]) -> dict[str, str]:
    """Return a division for each newcomer: the highest whose members' mean rating the own rating reaches, else the lowest.

    :param divisions: name and ratings of the members, best division first; 0 is no rating
    """
    told = {}
    for person, rating in newcomers.items():
        fitting = (name for name, ratings in divisions if _reaches(rating, [one for one in ratings if one]))
        told[person] = next(fitting, divisions[-1][0])
    return told


def _reaches(rating: int, ratings: Sequence[int]) -> bool:
    return bool(ratings) and rating * len(ratings) >= sum(ratings)


# Closed seasons


class Final(Struct, frozen=True):
    """A place of a closed season."""

    person: str
    place: int
    points: Fraction


class Snapshot(Struct, frozen=True):
    """The table of a season as it was when it was closed, and the number of the event from which it was computed."""

    season: str
    on: date
    at_seq: int
    places: tuple[Final, ...]

    @property
    def champions(self) -> tuple[str, ...]:
        """Return who is first; several if the place is shared."""
        return tuple(one.person for one in self.places if one.place == 1)


class Amendment(Struct, frozen=True):
    """What a later correction changes in a closed season: None where somebody was or is not in the table."""

    person: str
    was: Final | None
    now: Final | None


def snapshot(rows: Iterable[Row], *, season: str, on: date, at_seq: int) -> Snapshot:
    """Return the table of a season to keep."""
    return Snapshot(season, on, at_seq, tuple(Final(row.person, row.place, row.points) for row in rows))


def amendments(kept: Snapshot, now: Snapshot) -> tuple[Amendment, ...]:
    """Return what differs between the table that was kept and the one that results say now, in order of the new places.

    The kept one never changes: an amended list of honors names both.
    """
    old = {one.person: one for one in kept.places}
    new = {one.person: one for one in now.places}
    people = [*new, *(one for one in old if one not in new)]
    return tuple(Amendment(one, old.get(one), new.get(one)) for one in people if old.get(one) != new.get(one))


class Champion(Struct, frozen=True):
    """Somebody in the hall of champions: the seasons won, oldest first, and how many of them in a row at most."""

    person: str
    seasons: tuple[str, ...]
    in_a_row: int

    @property
    def titles(self) -> int:
        """Return how many seasons were won."""
        return len(self.seasons)


def hall(seasons: Iterable[Snapshot]) -> tuple[Champion, ...]:
    """Return the hall of champions: most titles first, then who had so many first. A shared title is one for each.

    Of a season that is there twice, because it was amended, the one with the highest event number is taken.
    """
    last: dict[str, Snapshot] = {}
    for one in sorted(seasons, key=lambda one: one.at_seq):
        last[one.season] = one
    ordered = sorted(last.values(), key=lambda one: (one.on, one.season))
    won: dict[str, list[int]] = defaultdict(list)
    for number, season in enumerate(ordered):
        for person in season.champions:
            won[person].append(number)
    ranked = sorted(won, key=lambda one: (-len(won[one]), won[one][-1], one))
    return tuple(Champion(one, tuple(ordered[at].season for at in won[one]), _longest(won[one])) for one in ranked)


def _longest(numbers: Sequence[int]) -> int:
    longest = run = 0
    before: int | None = None
    for one in numbers:
        run = run + 1 if before is not None and one == before + 1 else 1
        longest, before = max(longest, run), one
    return longest
