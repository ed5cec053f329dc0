"""Drawing brackets: single, double and pods.

A bye is a place of the draw that nobody has; it is settled when the bracket is drawn, and has no match. The order of the seeds is the
usual one (1, 2; then each s becomes s, size + 1 − s), so that byes fall to the first seeds and these meet in the last rounds only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import structs

from league.tournament.pairing import groups
from league.tournament.pairing.elimination.bracket import NOBODY, Bracket, Format, Node, Options, Side, Slot


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


class _Draft:
    """The matches of a bracket while it is drawn. Where fewer than two could meet there is no match: who is there goes through."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def meet(self, node: Node, slots: Sequence[Slot | None]) -> tuple[Slot | None, Slot | None]:
        """Return where the winner and the loser of two slots go on from."""
        real = tuple(slot for slot in slots if slot)
        if len(real) < 2:
            return (real[0] if real else None), None
        self.nodes.append(structs.replace(node, slots=real))
        return Slot(node=node.id, place=1), Slot(node=node.id, place=2)

    def knockout(
        self, slots: Sequence[Slot | None], *, side: Side, prefix: str, reseed: bool = False
    ) -> tuple[Slot, list[list[Slot | None]]]:
        """Return where the last one left comes from, and the losers of each round, first round first."""
        losers: list[list[Slot | None]] = []
        while len(slots) > 1:
            round_ = len(losers) + 1
            met = [
                self.meet(_blank(f"{prefix}{round_}.{number}", side, round_, number), slots[at : at + 2])
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


def _blank(id: str, side: Side, round_: int, position: int) -> Node:
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
    _check(entrants)
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
    return structs.replace(node, label=label, side="final" if size == 2 else "winners")


def double(entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return a double elimination: two matches fewer than twice the entrants, and one more if the second final is needed.

    The losers of the first round meet; from then on the survivors meet the fresh losers of the next round, laid beside them by the
    orderings of the options, and then each other.
    """
    _check(entrants)
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
        draft.meet(_blank(f"L{round_}.{number}", "losers", round_, number), pair) for number, pair in enumerate(met, 1)
    ]
    out.append([loser for _winner, loser in told if loser])
    return [winner for winner, _loser in told]


def pods(entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return an elimination at tables of several seats, of each of which the first `advance` go on.

    A round brings the field down to what fills the tables of the next; who is too many for that plays, and the first seeds are
    through (of 7, 10, 13 or 16 at four seats, 3, 2, 1 or none). Tables are dealt as a snake; two who come from one table are kept
    apart in the next round where that is possible.

    :raises ValueError: if everybody at a table would go on, or `least` is more than there are seats
    """
    _check(entrants)
    if not 1 <= options.advance < options.seats:
        raise ValueError(f"{options.advance} cannot go on from a table of {options.seats}")
    if options.least > options.seats:
        raise ValueError(f"at least {options.least} do not fit at a table of {options.seats}")
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
    byes = target - tables * advance
    if count - byes < tables * least:
        byes = max(0, count - tables * least)
    return byes, tables


def bracket(kind: Format, entrants: Sequence[str | None], options: Options = Options()) -> Bracket:  # noqa: B008 - frozen
    """Return the bracket of a format for entrants in order of seeds; None stands for one who is not known yet.

    :raises ValueError: for fewer than two entrants, one who is there twice, or a format that does not exist
    """
    if kind not in FORMATS:
        raise ValueError(f"no elimination {kind}, only {', '.join(FORMATS)}")
    return FORMATS[kind](entrants, options)


def _check(entrants: Sequence[str | None]) -> None:
    known = [one for one in entrants if one is not None]
    if len(entrants) < 2:
        raise ValueError(f"an elimination needs at least 2 entrants, not {len(entrants)}")
    if len(set(known)) < len(known) or NOBODY in known:
        raise ValueError("every entrant of a bracket needs an id of its own")


FORMATS: Mapping[str, Callable[[Sequence[str | None], Options], Bracket]] = {
    "single": single,
    "double": double,
    "pods": pods,
}
