"""What somebody may see of a match: every way out of the site goes through here.

While a match runs, the rules of its game may hide some of it: from the players what the MapMaster has hidden on the table, from
one player the hand of another, from spectators all of that. :func:`of` says who is looking and gives them the log, the replay,
the report, the file and the chain as they may see them. From the end of the match on everybody sees everything. Only what
decides (services, the career) reads the log without it, from :mod:`matches.selectors`; `tests/matches_pages/test_sight.py`
holds a table of all ways out and fails when one is missing from it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from msgspec.structs import replace

from matches import seating, selectors
from matches.models import Match
from matches.selectors import Form
from people.models import Person
from people.selectors import person_by_handle
from rulesengine import notation, registry
from rulesengine import replay as engine
from rulesengine import sight as engine_sight
from rulesengine.game import Event, Refusal
from rulesengine.log import Header, Line, Log
from rulesengine.sight import Seen

OFFICIAL: Final = "official"
AT_THE_TABLE = frozenset({"mapmaster", "scribe"})
"""Offices that somebody who plays may hold and that cannot be served without seeing everything."""
_MOST_KEPT = 64


class Sealed(Exception):
    """What is asked for would give away what is hidden until the end of the match; the message says so."""


def eyes(match: Match, viewer: Person | None) -> str | None:
    """Return as whom somebody sees a running match: ``official``, the letter of their seat, or None for a spectator.

    Who plays sees what their seat sees, whatever offices they hold elsewhere, unless they serve at this very table.
    """
    if viewer is None:
        return None
    standing = seating.standing(match, viewer)
    offices = {one.role for one in match.officials.select_related("person") if _is(one.person, viewer)}
    if match.is_friendly and standing.opened:
        offices.add("scribe")
    if standing.seats:
        return OFFICIAL if offices & AT_THE_TABLE else min(standing.seats)
    return OFFICIAL if offices or standing.may("record") else None


def eyes_of_file(header: Header, seats: Set[str], viewer: Person) -> str | None:
    """Return as whom somebody sees the match of a file that is not recorded yet and that somebody else sent.

    :param seats: the seats of the file that are theirs
    """
    offices = {one.role for one in header.officials if one.player and _is(person_by_handle(one.player), viewer)}
    return min(seats, default=OFFICIAL) if not offices & AT_THE_TABLE else OFFICIAL


def _is(person: Person | None, viewer: Person) -> bool:
    return person is not None and (person.pk == viewer.pk or person.head.pk == viewer.head.pk)


def of(match: Match, viewer: Person | None) -> Sight:
    """Return a match as a viewer (None: somebody who is not signed in) may see it."""
    return Sight(match, viewer)


class Sight:
    """A match as one viewer may see it."""

    def __init__(self, match: Match, viewer: Person | None) -> None:
        self.match, self.viewer = match, viewer

    @cached_property
    def eyes(self) -> str | None:
        """Return as whom the viewer sees the match; see :func:`eyes`."""
        return eyes(self.match, self.viewer)

    @cached_property
    def sees_all(self) -> bool:
        """Return whether nothing can be hidden from the viewer: the game hides nothing, the match is over, or they are an official."""
        if self.match.depth != Match.Depth.LOG or not _can_hide(self.match.edition):
            return True
        return selectors.match_replay(self.match).status in ("ended", "confirmed", "void") or self.eyes == OFFICIAL

    @property
    def whole(self) -> bool:
        """Return whether the viewer sees every entry as it stands in the log."""
        return self.sees_all or self._seen.whole

    @cached_property
    def _seen(self) -> Seen:
        told = selectors.match_replay(self.match)
        if self.sees_all:
            return Seen(told)
        return _kept((self.match.pk, self.match.reading, self.eyes), told)

    # What is in it

    def replay(self, at: int | None = None) -> engine.Replay:
        """Return the replay, up to a seq or to its end.

        :raises ValueError: if the log has no such seq
        """
        if at is None:
            return self._seen.replay
        told = selectors.match_replay(self.match, at)
        return told if self.sees_all else engine_sight.until(self._seen, told)

    def log(self) -> Log:
        """Return the log; lines carry `recorded_at` as far as the viewer may know them."""
        return self.masked(selectors.match_log(self.match))

    def masked(self, log: Log) -> Log:
        """Return a reading of the match's log (with what names and ids so ever) with the entries that the viewer may see of it."""
        return log if self.whole else engine_sight.visible_log(self._seen, log)

    def report(self) -> dict[str, Any]:
        """Return what `check --json` says of the recorded log."""
        told = engine.report(selectors.match_log(self.match), keep=not self.sees_all)
        return (told if self.sees_all else engine_sight.report(told, self.eyes)).as_json()

    def legal(self) -> Iterator[Event]:
        """Yield what may be recorded next, as far as the viewer can know it."""
        told = self.replay()
        return told.ruleset.legal(told.state) if told.state is not None else iter(())

    def hides(self, seqs: Iterable[int]) -> bool:
        """Return whether one of these entries is hidden from the viewer, in whole or in part."""
        return not self.sees_all and bool({*seqs} & (self._seen.hidden | self._seen.redacted))

    def chain(self) -> dict[str, Any]:
        """Return the state of the chain. Its last hash is None while an entry is hidden: whoever guesses it could see that they are right."""
        state = selectors.chain_state(self.match)
        return state if self.whole else {**state, "head": None}

    # Of what is about to be

    def preview(self, after: engine.Replay) -> engine.Replay:
        """Return a replay of a log that is longer than that of the match, as the viewer would see it."""
        return after if self.sees_all else engine_sight.seen(after, self.eyes, running=True).replay

    def refusal(self, line: Line, refused: Refusal) -> Refusal:
        """Return why an entry after the last one is refused, in words that tell nothing of what is hidden."""
        if self.sees_all:
            return refused
        told = selectors.match_replay(self.match)
        return engine_sight.refusal(told, self._seen, replace(line, seq=told.at + 1), refused, self.eyes)


def match_export(match: Match, form: Form, viewer: Person | None = None, *, full: bool = False) -> bytes:
    """Return a match as a file: `jsonl`, `text` or `csv`; `full` is JSON Lines with everything its chain is made of.

    Names are those under which the viewer may know the people; they are no part of the chain. A full export can be verified by
    anybody (docs/verify.md) and restored by the operator of a site.

    :raises Sealed: for a full export while something is hidden from the viewer
    """
    full = full or form == "full"
    sight = of(match, viewer)
    if full and not sight.whole:
        raise Sealed(
            _(
                "Some entries of this match are hidden from you while it runs, and its hashes would tell what they hold. The full export is given from the end of the match on."
            )
        )
    log = sight.masked(selectors.export_log(match, viewer, full=full))
    return notation.write(log, "jsonl" if form == "full" else form)


def _can_hide(edition: str) -> bool:
    try:
        return engine_sight.hides(registry.get(edition))
    except KeyError:
        return True


_lately: OrderedDict[tuple[UUID, bytes, str | None], Seen] = OrderedDict()
_lock = threading.Lock()


def _kept(key: tuple[UUID, bytes, str | None], told: engine.Replay) -> Seen:
    """Return what is seen of a replay; kept by match, last hash and viewer, so that it is made once."""
    with _lock:
        if key in _lately:
            _lately.move_to_end(key)
            return _lately[key]
    found = engine_sight.seen(told, key[2])
    with _lock:
        _lately[key] = found
        while len(_lately) > _MOST_KEPT:
            _lately.popitem(last=False)
    return found
