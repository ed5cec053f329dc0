"""Elimination as pure data: single, double and pods; the bracket is drawn once, and everything else is folded from its results.

A bye is a place of the draw that nobody has; it is settled when the bracket is drawn, and has no match. An entrant who is not known
yet is no bye: his match waits. The order of the seeds is the usual one (1, 2; then each s becomes s, size + 1 − s), so that byes fall
to the first seeds and these can meet in the last rounds only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

import msgspec
from msgspec import Struct

from league.tournament.field import BYES, Entrant, Field, Kind, Row
from league.tournament.pairing import groups
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, Table, digest

ENGINE, VERSION = "elimination", "1"

type Format = Literal["single", "double", "pods"]
type Side = Literal["winners", "losers", "final", "reset", "placement"]
type Final = Literal["reset", "single", "advantage"]
type Draws = Literal["replay", "higher_seed"]
type Results = Mapping[str, tuple[str, ...]]

NOBODY = ""
"""A place that stays empty: both have forfeited. It is known, so whoever waits for it goes on without a match."""


def _halves[T](items: Sequence[T]) -> tuple[list[T], list[T]]:
    middle = len(items) // 2
    return list(items[:middle]), list(items[middle:])


def _half_shift[T](items: Sequence[T]) -> list[T]:
    upper, lower = _halves(items)
    return lower + upper


def _reverse_half_shift[T](items: Sequence[T]) -> list[T]:
    upper, lower = _halves(items)
    return upper[::-1] + lower[::-1]


ORDERINGS: Mapping[str, Callable[[Sequence[Slot | None]], list[Slot | None]]] = {
    "natural": lambda items: list(items),
    "reverse": lambda items: list(items)[::-1],
    "half_shift": _half_shift,
    "reverse_half_shift": _reverse_half_shift,
}
"""How the losers of one round of the winners' bracket are laid beside those who wait for them."""

DROPS: Mapping[int, tuple[str, ...]] = {
    1: ("natural",),
    2: ("natural", "reverse"),
    3: ("natural", "reverse", "natural"),
    4: ("natural", "reverse", "natural", "natural"),
    5: ("natural", "reverse", "half_shift", "natural", "natural"),
    6: ("natural", "reverse", "half_shift", "reverse_half_shift", "natural", "natural"),
}
"""The orderings in use for 2, 4, … 64 places, one for each round of the winners' bracket.

Of all choices of these orderings they put off longest the first match in which two may meet again, and have the fewest such matches.
"""


class Options(Struct, frozen=True):
    """How a bracket is played.

    :ivar third_place: the losers of the semifinals play for place 3 (single)
    :ivar placement: all places are played out (single)
    :ivar reseed: after each round the best seed left meets the worst (single, pods)
    :ivar final: of a double elimination: a second final if the finalist of the losers' bracket wins the first (`reset`), one final
        (`single`), or one in which the other begins a game ahead (`advantage`: the desk's word, the bracket is that of `single`)
    :ivar drops: orderings of the losers' bracket by name, one for each round of the winners' bracket; empty for the usual ones
    :ivar seats: seats at a table (pods)
    :ivar advance: how many of each table go on (pods)
    :ivar least: fewest at a table before the final (pods); 0 for one less than `seats`, never under 2
    :ivar draws: a draw is played again, or the higher seed goes on
    """

    third_place: bool = False
    placement: bool = False
    reseed: bool = False
    final: Final = "reset"
    drops: tuple[str, ...] = ()
    seats: int = 4
    advance: int = 1
    least: int = 0
    draws: Draws = "replay"


class Slot(Struct, frozen=True):
    """Who sits somewhere: a seed; whoever took `place` at `node`; or the `place`-th by seed of those who come from `among`."""

    seed: int = 0
    node: str = ""
    place: int = 0
    among: tuple[Slot, ...] = ()


class Node(Struct, frozen=True):
    """One match of a bracket.

    :ivar round: round within its side, from 1
    :ivar position: place in its round, counted from 1 over all places of the draw, byes too; `W2.1` is fed by `W1.1` and `W1.2`
    :ivar label: code for words: `final`, `semifinal`, `quarterfinal`, `round_of_16`, `winners_2`, `losers_3`, `reset`, `third_place`, …
    :ivar reset_of: the first final, of the second one; it is played only if the losers' bracket won that
    """

    id: str
    side: Side
    round: int
    position: int
    label: str
    slots: tuple[Slot, ...]
    reset_of: str = ""


class Place(Struct, frozen=True):
    """A final place: the rank, the last of the ranks shared, and the order in lists, in which nothing is shared."""

    entrant: str
    rank: int
    last: int
    order: int

    @property
    def shared(self) -> bool:
        """Return whether others have the same rank, so that it is shown as `3=`."""
        return self.last > self.rank


class Bracket(Struct, frozen=True, dict=True):
    """A drawn bracket.

    :ivar entrants: in order of seeds; None for one who is not known yet
    :ivar nodes: every match after those that feed it
    :ivar tiers: who gets which places, best first: the first tier is the champion
    :ivar byes: seeds without a match in the first round
    """

    kind: Format
    entrants: tuple[str | None, ...]
    options: Options
    nodes: tuple[Node, ...]
    tiers: tuple[tuple[Slot, ...], ...]
    byes: tuple[int, ...]

    @cached_property
    def node(self) -> dict[str, Node]:
        """Return the matches by their ids."""
        return {one.id: one for one in self.nodes}

    @cached_property
    def seed_of(self) -> dict[str, int]:
        """Return the seed of each entrant who is known."""
        return {one: seed for seed, one in enumerate(self.entrants, 1) if one is not None}

    def leads_to(self, node: str, place: int) -> tuple[str, ...]:
        """Return the matches to which a place at a match may lead: none if it is final, several if the bracket is reseeded."""
        slot = Slot(node=node, place=place)
        return tuple(one.id for one in self.nodes if any(slot == into or slot in into.among for into in one.slots))

    def after(self, results: Results, *, out: Collection[str] = ()) -> State:
        """Return how the bracket stands.

        :param results: of each match the entrants in order of places; whoever sat there and is missing took no place and is out of
            the event, so that () is a double forfeit
        :param out: who has left: matches that are without a result go on without them
        :raises ValueError: for a match that does not exist, or a name that stands in a result twice
        """
        for node, result in results.items():
            if node not in self.node:
                raise ValueError(f"no match {node} in this bracket, only {', '.join(self.node)}")
            if len(set(result)) < len(result):
                raise ValueError(f"somebody stands in the result of {node} twice: {', '.join(result)}")
        return _Fold(self, results, frozenset(out)).run()

    def lost_by(self, results: Results, node: str, result: tuple[str, ...] | None) -> tuple[str, ...]:
        """Return the matches whose results would fall if that of one match became another (None: were taken back)."""
        changed = {id: told for id, told in results.items() if id != node}
        if result is not None:
            changed[node] = result
        before = set(self.after(results).stale)
        return tuple(one for one in self.after(changed).stale if one not in before)


class State(Struct, frozen=True):
    """A bracket after some results.

    :ivar seated: of each match who sits there, in order of seats; None: not known yet, `NOBODY`: stays empty
    :ivar outcomes: of each decided match the entrants in order of places, walkovers too
    :ivar walkovers: matches that were decided without being played
    :ivar idle: the second final, where it is not needed
    :ivar stale: matches whose result does not fit those who sit there (any more), and does not count
    """

    bracket: Bracket
    seated: Mapping[str, tuple[str | None, ...]]
    outcomes: Results
    walkovers: tuple[str, ...]
    idle: tuple[str, ...]
    stale: tuple[str, ...]
    out: frozenset[str] = frozenset()

    def ready(self) -> tuple[Node, ...]:
        """Return the matches that can be played now: everybody is known, and there is no result."""
        return tuple(
            node for node in self.bracket.nodes if node.id not in self.outcomes and None not in self.seated[node.id]
        )

    def players(self, node: str) -> tuple[str, ...]:
        """Return those who are known to sit at a match and have not left, in order of seats."""
        return tuple(one for one in self.seated[node] if one and one not in self.out)

    def resolve(self, slot: Slot) -> str | None:
        """Return who sits in a slot; None: not known yet; `NOBODY`: it stays empty."""
        return _resolve(slot, self.bracket, self.outcomes)

    @property
    def champion(self) -> str | None:
        """Return the winner, once there is one."""
        return self.resolve(self.bracket.tiers[0][0]) or None

    @property
    def is_over(self) -> bool:
        """Return whether nothing is left to be played."""
        return all(node.id in self.outcomes for node in self.bracket.nodes) and None not in self.bracket.entrants

    def left(self) -> tuple[str, ...]:
        """Return those who have no final place yet, in order of seeds."""
        placed = {one.entrant for one in self.places()}
        return tuple(one for one in self.bracket.seed_of if one not in placed)

    def places(self, *, without: Collection[str] = ()) -> tuple[Place, ...]:
        """Return the places that are final, best first.

        Losers of the same round share their rank; among these the order is that of the places at the table, then of the seeds.

        :param without: entrants who leave the list (disqualified); those below move up
        """
        unplaced = self._unplaced()
        found: list[tuple[str, int, int]] = []
        first = 1
        for tier, slots in enumerate(self.bracket.tiers):
            last = first + len(slots) - 1
            here = [(slot.place, self.resolve(slot)) for slot in slots]
            here += [(len(self.bracket.entrants), one) for one in unplaced[tier]]
            named = [(place, self.bracket.seed_of[one], one) for place, one in here if one]
            found += [(one, first, last) for _place, _seed, one in sorted(named)]
            first = last + 1
        return tuple(_moved_up(found, frozenset(without)))

    def _unplaced(self) -> dict[int, list[str]]:
        """Return who took no place at a match, by the tier of those who lose there and further on."""
        told: dict[int, list[str]] = defaultdict(list)
        for node in self.bracket.nodes:
            if node.id in self.outcomes and node.id not in self.idle:
                missing = [one for one in self.seated[node.id] if one and one not in self.outcomes[node.id]]
                if missing:
                    told[self._tier(node)] += missing
        return told

    def _tier(self, node: Node) -> int:
        last = Slot(node=node.id, place=len(node.slots))
        for tier, slots in enumerate(self.bracket.tiers):
            if last in slots:
                return tier
        return self._tier(self.bracket.node[self.bracket.leads_to(last.node, last.place)[0]])


def _moved_up(found: Iterable[tuple[str, int, int]], without: frozenset[str]) -> Iterable[Place]:
    told = list(found)
    gone = [first for entrant, first, _last in told if entrant in without]
    order = 0
    for entrant, first, last in told:
        if entrant not in without:
            order += 1
            above = sum(one < first for one in gone)
            yield Place(entrant, first - above, last - above - gone.count(first), order)


def _resolve(slot: Slot, bracket: Bracket, outcomes: Results) -> str | None:
    if slot.seed:
        return bracket.entrants[slot.seed - 1]
    if slot.among:
        come = [_resolve(one, bracket, outcomes) for one in slot.among]
        if None in come:
            return None
        ranked = sorted((one for one in come if one), key=lambda one: bracket.seed_of[one])
        return ranked[slot.place - 1] if slot.place <= len(ranked) else NOBODY
    if slot.node not in outcomes:
        return None
    result = outcomes[slot.node]
    return result[slot.place - 1] if slot.place <= len(result) else NOBODY


class _Fold:
    """One walk over the matches, each after those that feed it."""

    def __init__(self, bracket: Bracket, results: Results, out: frozenset[str]) -> None:
        self.bracket, self.results, self.out = bracket, results, out
        self.seated: dict[str, tuple[str | None, ...]] = {}
        self.outcomes: dict[str, tuple[str, ...]] = {}
        self.walkovers: list[str] = []
        self.idle: list[str] = []
        self.stale: list[str] = []

    def run(self) -> State:
        for node in self.bracket.nodes:
            self.seated[node.id] = tuple(_resolve(slot, self.bracket, self.outcomes) for slot in node.slots)
            self.decide(node)
        return State(
            self.bracket,
            self.seated,
            self.outcomes,
            tuple(self.walkovers),
            tuple(self.idle),
            tuple(self.stale),
            self.out,
        )

    def decide(self, node: Node) -> None:
        seated = self.seated[node.id]
        given = self.results.get(node.id)
        if node.reset_of and not self.needs_reset(node.reset_of):
            if node.reset_of in self.outcomes:
                self.outcomes[node.id] = self.outcomes[node.reset_of]
                self.idle.append(node.id)
            if given is not None:
                self.stale.append(node.id)
            return
        if given is not None and None not in seated and set(given) <= set(seated):
            self.outcomes[node.id] = given
            return
        if given is not None:
            self.stale.append(node.id)
        if None not in seated:
            self.walk_over(node, [one for one in seated if one])

    def needs_reset(self, final: str) -> bool:
        told = self.outcomes.get(final, ())
        return bool(told) and told[0] != self.seated[final][0]

    def walk_over(self, node: Node, here: list[str]) -> None:
        """Decide a match at which fewer than two are left."""
        staying = [one for one in here if one not in self.out]
        if len(staying) < 2:
            gone = [one for one in here if one in self.out]
            self.outcomes[node.id] = (*staying, *gone) if staying else ()
            self.walkovers.append(node.id)


class _Draft:
    """The matches of a bracket while it is drawn. Where fewer than two could meet there is no match: who is there goes through."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def meet(self, node: Node, slots: Sequence[Slot | None]) -> tuple[Slot | None, Slot | None]:
        """Return where the winner and the loser of two slots go on from."""
        real = tuple(slot for slot in slots if slot)
        if len(real) < 2:
            return (real[0] if real else None), None
        self.nodes.append(msgspec.structs.replace(node, slots=real))
        return Slot(node=node.id, place=1), Slot(node=node.id, place=2)

    def knockout(
        self, slots: Sequence[Slot | None], *, side: Side, prefix: str, reseed: bool = False
    ) -> tuple[Slot, list[list[Slot | None]]]:
        """Return where the last one left comes from, and the losers of each round, first round first."""
        losers: list[list[Slot | None]] = []
        while len(slots) > 1:
            round_ = len(losers) + 1
            met = [
                self.meet(_blank(f"{prefix}{round_}.{number}", side, round_, number, len(slots)), slots[at : at + 2])
                for number, at in enumerate(range(0, len(slots), 2), 1)
            ]
            losers.append([loser for _winner, loser in met])
            slots = [winner for winner, _loser in met]
            if reseed and len(slots) > 1:
                through = tuple(slot for slot in slots if slot)
                slots = [Slot(place=seed, among=through) for seed in seed_order(len(slots))]
        champion = slots[0]
        assert champion is not None  # noqa: S101 - no draw without entrants
        return champion, losers

    def tiers(
        self, slots: Sequence[Slot | None], options: Options, *, side: Side, prefix: str, place: int
    ) -> list[list[Slot]]:
        """Play slots down to one, and what is wished of the places behind; return who gets which places, best first."""
        champion, losers = self.knockout(slots, side=side, prefix=prefix, reseed=options.reseed and side == "winners")
        told = [[champion]]
        for back, beaten in enumerate(reversed(losers)):
            real = [slot for slot in beaten if slot]
            start = place + sum(map(len, told))
            third = options.third_place and back == 1 and side == "winners"
            if len(real) > 1 and (options.placement or third):
                told += self.tiers(beaten, options, side="placement", prefix=f"P{start}.", place=start)
            elif real:
                told.append(real)
        return told


LABELS = {2: "final", 4: "semifinal", 8: "quarterfinal"}


def _blank(id: str, side: Side, round_: int, position: int, size: int) -> Node:
    label = f"{side}_{round_}"
    if side == "placement":
        start = id[1:].split(".")[0]
        label = "third_place" if start == "3" else f"places_from_{start}"
    return Node(id, side, round_, position, label, ())


def seed_order(size: int) -> list[int]:
    """Return the seeds of a bracket from top to bottom, for a power of two."""
    told = [1]
    while len(told) < size:
        double = 2 * len(told)
        told = [seed for one in told for seed in (one, double + 1 - one)]
    return told


def _draw(count: int) -> list[Slot | None]:
    size = 1 << (count - 1).bit_length()
    return [Slot(seed=seed) if seed <= count else None for seed in seed_order(size)]


def _finished(
    kind: Format,
    entrants: Sequence[str | None],
    options: Options,
    nodes: Sequence[Node],
    tiers: Iterable[Sequence[Slot]],
) -> Bracket:
    first = {slot.seed for node in nodes if node.round == 1 for slot in node.slots}
    byes = tuple(seed for seed in range(1, len(entrants) + 1) if seed not in first)
    told = tuple(tuple(tier) for tier in tiers if tier)
    return Bracket(kind, tuple(entrants), options, tuple(nodes), told, byes)


def single(entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return a single elimination: one match fewer than entrants, and those for further places."""
    draft = _Draft()
    slots = _draw(len(entrants))
    tiers = draft.tiers(slots, options, side="winners", prefix="W", place=1)
    rounds = len(slots).bit_length() - 1
    nodes = [_named(node, rounds) for node in draft.nodes]
    return _finished("single", entrants, options, nodes, tiers)


def _named(node: Node, rounds: int) -> Node:
    if node.side != "winners":
        return node
    size = 2 ** (rounds + 1 - node.round)
    label = LABELS.get(size, f"round_of_{size}")
    return msgspec.structs.replace(node, label=label, side="final" if size == 2 else "winners")


def double(entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return a double elimination: two matches fewer than twice the entrants, and one more if the second final is needed.

    The losers of the first round meet; from then on the survivors meet the fresh losers of the next round, laid beside them by the
    orderings of the options, and then each other.
    """
    draft = _Draft()
    slots = _draw(len(entrants))
    winner, losers = draft.knockout(slots, side="winners", prefix="W")
    orderings = options.drops or DROPS.get(len(losers)) or ("natural", *["reverse", "half_shift"] * len(losers))
    if len(orderings) < len(losers):
        raise ValueError(f"{len(losers)} rounds of losers need as many orderings, not {len(orderings)}")
    lower = _ordered(losers[0], orderings[0])
    out: list[list[Slot]] = []
    for step, (ordering, fresh) in enumerate(zip(orderings[1:], losers[1:], strict=False), 1):
        lower = _lower(draft, [lower[at : at + 2] for at in range(0, len(lower), 2)], 2 * step - 1, out)
        lower = _lower(draft, list(map(list, zip(_ordered(fresh, ordering), lower, strict=True))), 2 * step, out)
    final = Node("F", "final", 1, 1, "final", ())
    draft.meet(final, [winner, lower[0]])
    last = "F"
    if options.final == "reset":
        seats = [Slot(node="F", place=1), Slot(node="F", place=2)]
        draft.meet(Node("R", "reset", 1, 1, "reset", (), reset_of="F"), seats)
        last = "R"
    tiers = [[Slot(node=last, place=1)], [Slot(node=last, place=2)], *reversed(out)]
    return _finished("double", entrants, options, draft.nodes, tiers)


def _ordered(slots: Sequence[Slot | None], ordering: str) -> list[Slot | None]:
    if ordering not in ORDERINGS:
        raise ValueError(f"no ordering {ordering}, only {', '.join(ORDERINGS)}")
    return ORDERINGS[ordering](slots)


def _lower(
    draft: _Draft, met: Sequence[Sequence[Slot | None]], round_: int, out: list[list[Slot]]
) -> list[Slot | None]:
    """Draw one round of the losers' bracket: return who goes on, and add to `out` who does not."""
    told = [
        draft.meet(_blank(f"L{round_}.{number}", "losers", round_, number, 2 * len(met)), pair)
        for number, pair in enumerate(met, 1)
    ]
    out.append([loser for _winner, loser in told if loser])
    return [winner for winner, _loser in told]


def pods(entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return an elimination at tables of several seats, of each of which the first `advance` go on.

    A round brings the field down to what fills the tables of the next; who is too many for that plays, and the first seeds are
    through (of 7, 10, 13 or 16 at four seats, 3, 2, 1 or none). Tables are dealt as a snake; two who come from one table are kept
    apart in the next round where that is possible.
    """
    if not 1 <= options.advance < options.seats:
        raise ValueError(f"{options.advance} cannot go on from a table of {options.seats}")
    field = [Slot(seed=seed) for seed in range(1, len(entrants) + 1)]
    nodes: list[Node] = []
    out: list[list[Slot]] = []
    while len(field) > options.seats:
        byes, tables = _split(len(field), options)
        round_ = nodes[-1].round + 1 if nodes else 1
        dealt = groups.snake(field[byes:], tables, apart=_origin)
        beaten: list[Slot] = []
        through: list[list[Slot]] = [field[:byes], *([] for _place in range(options.advance))]
        for number, slots in enumerate(dealt, 1):
            node = Node(f"T{round_}.{number}", "winners", round_, number, f"pods_{round_}", slots)
            nodes.append(node)
            for place in range(1, len(slots) + 1):
                into = through[place] if place <= options.advance else beaten
                into.append(Slot(node=node.id, place=place))
        out.append(beaten)
        field = [slot for layer in through for slot in layer]
        if options.reseed:
            field = [Slot(place=place, among=tuple(field)) for place in range(1, len(field) + 1)]
    nodes.append(Node("F", "final", nodes[-1].round + 1 if nodes else 1, 1, "final", tuple(field)))
    tiers = [[Slot(node="F", place=place)] for place in range(1, len(field) + 1)]
    return _finished("pods", entrants, options, nodes, [*tiers, *reversed(out)])


def _origin(slot: Slot) -> str:
    return slot.node


def _split(count: int, options: Options) -> tuple[int, int]:
    """Return how many are through without playing, and at how many tables the others sit."""
    seats, advance = options.seats, options.advance
    least = options.least or max(2, seats - 1)
    target = seats
    while (more := (target // advance) * seats + target % advance) < count:
        target = more
    tables = -(-(count - target) // (seats - advance))
    byes = max(0, target - tables * advance)
    if count - byes < tables * least:
        byes = max(0, count - tables * least)
    return byes, tables


def bracket(kind: Format, entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return the bracket of a format for entrants in order of seeds; None stands for one who is not known yet.

    :raises ValueError: for fewer than two entrants, one who is there twice, or a format that does not exist
    """
    known = [one for one in entrants if one is not None]
    if len(entrants) < 2:
        raise ValueError(f"an elimination needs at least 2 entrants, not {len(entrants)}")
    if len(set(known)) < len(known) or NOBODY in known:
        raise ValueError("every entrant of a bracket needs an id of its own")
    if kind not in FORMATS:
        raise ValueError(f"no elimination {kind}, only {', '.join(FORMATS)}")
    return FORMATS[kind](entrants, options)


FORMATS: Mapping[str, Callable[[Sequence[str | None], Options], Bracket]] = {
    "single": single,
    "double": double,
    "pods": pods,
}


def results(bracket: Bracket, field: Field) -> dict[str, tuple[str, ...]]:
    """Return the results of the matches that the rows of a stage tell of, for `Bracket.after`.

    Round by round each open match takes the rows of those who sit there: places, or outcomes, at the table; without a table
    whoever was available goes through. A draw at the line is played again or goes to the higher seed, as the options say.
    """
    return _read_rows(bracket, field)[0]


def unread(bracket: Bracket, field: Field) -> tuple[Row, ...]:
    """Return the rows of games that no match takes (any more): those of others than who should sit there since a correction."""
    return _read_rows(bracket, field)[1]


def _read_rows(bracket: Bracket, field: Field) -> tuple[dict[str, tuple[str, ...]], tuple[Row, ...]]:
    told: dict[str, tuple[str, ...]] = {}
    left: list[Row] = []
    by_round: dict[int, dict[str, Row]] = defaultdict(dict)
    for row in field.rows:
        by_round[row.round][row.entrant] = row
    for round_ in sorted(by_round):
        rows = by_round[round_]
        state = bracket.after(told, out=_gone(field, round_))
        tables = [{one for one in state.seated[node.id] if one} for node in state.ready()]
        games = [row for row in rows.values() if row.facts.encounter]
        left += [row for row in games if not any({row.entrant, *row.opponents} <= table for table in tables)]
        for node in state.ready():
            result = _read(bracket, node, [one for one in state.seated[node.id] if one], rows)
            if result is not None:
                told[node.id] = result
    return told, tuple(left)


def _gone(field: Field, round_: int) -> frozenset[str]:
    return field.disqualified | {one for one, first in field.dropped.items() if first <= round_}


WALKED = frozenset({Kind.FORFEIT_WIN, Kind.AWARDED_BYE})
OUTCOMES: Mapping[str, int] = {"win": 1, "draw": 1, "loss": 2}
"""Places of the outcomes of two seats."""


def _read(bracket: Bracket, node: Node, seated: Sequence[str], rows: Mapping[str, Row]) -> tuple[str, ...] | None:
    """Return the result of a match from the rows of one round; None while there is none."""
    here = [rows[one] for one in seated if one in rows]
    at_table = [row for row in here if row.facts.encounter]
    if any(not set(row.opponents) <= set(seated) for row in at_table):
        return None
    if len(at_table) > 1:
        return _by_place(bracket, node, at_table)
    through = [row.entrant for row in here if row.kind in WALKED and row.facts.available]
    if at_table or not here or (not through and len(here) < len(seated)):
        return None
    if len(through) > 1 or any(row.kind in BYES and row.kind not in WALKED for row in here):
        return None
    others = [one for one in seated if one not in through]
    return (*through, *others) if through else ()


def _by_place(bracket: Bracket, node: Node, rows: Sequence[Row]) -> tuple[str, ...] | None:
    if all(row.kind is Kind.DOUBLE_LOSS for row in rows):
        return ()
    places = {row.entrant: row.place or OUTCOMES.get(row.outcome or "", 0) for row in rows}
    if 0 in places.values():
        return None
    ranked = sorted(places, key=lambda one: (places[one], bracket.seed_of[one]))
    if bracket.options.draws == "replay":
        line = bracket.options.advance if bracket.kind == "pods" and node.side != "final" else 1
        if len(ranked) > line and places[ranked[line - 1]] == places[ranked[line]]:
            return None
    return tuple(ranked)


def in_seed_order(entrants: Iterable[Entrant]) -> tuple[str, ...]:
    """Return the ids of entrants by their pairing numbers."""
    return tuple(one.id for one in sorted(entrants, key=lambda one: one.number))


def pair(
    field: Field,
    *,
    round: int,
    present: Collection[str],
    seed: str = "",
    kind: Format = "single",
    options: Options = Options(),  # noqa: B008 - frozen
    order: Sequence[str | None] | None = None,
) -> Pairing:
    """Return the next round of an elimination: every match that can be played, in the order of the bracket.

    Who has a bye in the first round has one here. Who waits for somebody not known yet has neither a table nor a bye, but a note
    `waits`: unknown is not a bye. Where an opponent is not present or has left there is a bye of the kind `forfeit_win` and a note
    `walkover`; a table of several seats is played by those who are there (`short_table`); where nobody is there nobody goes on
    (`nobody_present`). A game of an earlier round that a correction has made meaningless is noted (`stale`).

    A match of an earlier round without a result, or drawn where draws are played again, is paired again: whether results
    are outstanding is asked before.

    :param order: ids in order of seeds, None for one who is not known yet; without it the pairing numbers
    :raises PairingImpossible: if nothing is left to be played
    """
    drawn = bracket(kind, in_seed_order(field.entrants) if order is None else order, options)
    before = msgspec.structs.replace(field, rows=tuple(row for row in field.rows if row.round < round))
    told, left = _read_rows(drawn, before)
    state = drawn.after(told, out=_gone(field, round))
    if state.is_over:
        raise PairingImpossible("the elimination is over: nothing is left to be played")
    tables: list[Table] = []
    byes: list[Bye] = []
    games = {(row.round, tuple(sorted((row.entrant, *row.opponents)))) for row in left}
    notes = [Note("stale", players, {"round": earlier}) for earlier, players in sorted(games)]
    for node in state.ready():
        seated = [one for one in state.seated[node.id] if one]
        here = tuple(one for one in seated if one in present)
        away = tuple(one for one in seated if one not in present)
        if len(here) > 1:
            tables.append(Table(len(tables) + 1, here))
            notes += [Note("short_table", here, {"seats": len(here)})] if away else []
        elif here:
            byes.append(Bye(here[0], Kind.FORFEIT_WIN))
            notes.append(Note("walkover", (*here, *away)))
        elif away:
            notes.append(Note("nobody_present", away))
    busy = {one for table in tables for one in table.seats} | {bye.entrant for bye in byes}
    free = [one for one in state.left() if one in present and one not in busy]
    for one in free:
        if round == 1 and drawn.seed_of[one] in drawn.byes:
            byes.append(Bye(one, Kind.POD_BYE if kind == "pods" else Kind.ALLOCATED_BYE))
        else:
            notes.append(Note("waits", (one,)))
    input_ = digest(ENGINE, VERSION, before, round, sorted(present), seed, kind, options, drawn.entrants)
    return Pairing(tuple(tables), tuple(byes), ENGINE, VERSION, input_, tuple(notes))
