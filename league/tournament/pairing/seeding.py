"""The order of the seeds of a stage: by rating, by an earlier stage, by hand or by lot; and moving it so that groups are kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from league.tournament.field import Entrant
from league.tournament.pairing.base import lot
from league.tournament.pairing.elimination import seed_order
from league.tournament.pairing.groups import nearest

type By = Literal["rating", "stage", "hand", "lot"]
BY: tuple[By, ...] = ("rating", "stage", "hand", "lot")


def order(
    entrants: Iterable[Entrant],
    by: By,
    *,
    seed: str = "",
    ranks: Mapping[str, int] | None = None,
    hand: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the ids of entrants, first seed first. What leaves two equal is parted by a lot drawn from `seed`.

    `rating` puts the highest first and those without one last; `stage` goes by the ranks of an earlier stage, then by rating, and
    who was not in it comes last; `hand` takes the list as it is.

    :raises ValueError: for a rule that does not exist, or a list by hand that is not made of exactly these entrants
    """
    told = list(entrants)
    if by == "hand":
        return _by_hand(told, hand)
    if by not in BY:
        raise ValueError(f"no seeding by {by}, only {', '.join(BY)}")
    places = ranks or {}

    def key(one: Entrant) -> tuple[int, ...]:
        drawn = lot(seed, "seeding", one.id)
        if by == "lot":
            return (drawn,)
        if by == "rating":
            return (-one.rating, drawn)
        return (places.get(one.id, len(told) + len(places) + 1), -one.rating, drawn)

    return tuple(one.id for one in sorted(told, key=lambda one: (key(one), one.id)))


def _by_hand(entrants: Sequence[Entrant], hand: Sequence[str]) -> tuple[str, ...]:
    known = {one.id for one in entrants}
    twice = sorted({one for one in hand if list(hand).count(one) > 1})
    if twice or set(hand) != known:
        wrong = twice or sorted(set(hand) ^ known)
        raise ValueError(f"the seeds name every entrant once; look at {', '.join(wrong)}")
    return tuple(hand)


def kept_apart(ordered: Sequence[str], group: Mapping[str, str]) -> tuple[str, ...]:
    """Return seeds moved so that as few as possible of one group meet in the first round of a bracket.

    The upper seeds of the matches stay where they are, and so do the byes; of the lower ones those change places who must, by the
    smallest moves that do it.
    """
    count = len(ordered)
    places = seed_order(1 << (count - 1).bit_length())
    pairs = sorted(sorted(pair) for pair in zip(places[::2], places[1::2], strict=True))
    met = sorted((low, top) for top, low in pairs if low <= count)
    clubs = [group.get(one, "") for one in ordered]
    # Item and place are the lower seeds of the matches, by their numbers.
    clashes = [[bool(clubs[low - 1]) and clubs[low - 1] == clubs[top - 1] for _low, top in met] for low, _top in met]
    told = list(ordered)
    for (low, _top), place in zip(met, nearest(clashes), strict=True):
        told[met[place][0] - 1] = ordered[low - 1]
    return tuple(told)
