"""A bracket as data: matches, who sits there, where winners and losers go on; and how it stands, folded from its results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct

type Format = Literal["single", "double", "pods"]
type Side = Literal["winners", "losers", "final", "reset", "placement"]
type Final = Literal["reset", "single", "advantage"]
type Draws = Literal["replay", "higher_seed"]
type Results = Mapping[str, tuple[str, ...]]

NOBODY = ""
"""A place that stays empty: both have forfeited. It is known, so whoever waits for it goes on without a match."""


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
