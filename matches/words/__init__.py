"""What happened, in sentences of the reader's language: events, what followed from them, and corrections.

A game has a module of its own; what all games share is in :mod:`matches.words.shared`. Sentences are plain text: a template
escapes them. Names come from whoever knows what the reader may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from msgspec import Struct

from matches.words import hexwar, kingsburg, kingsquare, robberknights, shared
from rulesengine.game import Carried, Consequence

GAMES = {"hexwar": hexwar, "kingsburg": kingsburg, "kingsquare": kingsquare, "robberknights": robberknights}


class Names(Struct, frozen=True):
    """What the seats of a match are called, as one reader may see it."""

    seats: Mapping[str, str]

    def seat(self, letter: str | None) -> str:
        """Return the name at a seat, or the letter where nobody is named."""
        if letter is None:
            return _("the table")
        return self.seats.get(letter) or _("seat %(seat)s") % {"seat": letter}

    def some(self, letters: list[str]) -> str:
        """Return several seats' names in a row."""
        return ", ".join(map(self.seat, letters))


def event_words(
    game: str, type_: str, seat: str | None, data: Mapping[str, Any], names: Names, carried: Carried | None
) -> str:
    """Return what an entry says happened. `carried` tells its figures; None where it had no effect."""
    for module in (GAMES.get(game), shared):
        say = module.EVENTS.get(type_) if module is not None else None
        if say is not None:
            try:
                return say(names, seat, data, carried)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError):
                break  # an entry of wrong form is shown as it stands
    return _("%(who)s: %(what)s %(data)s") % {"who": names.seat(seat), "what": type_, "data": plain(data)}


def consequence_words(game: str, consequence: Consequence, names: Names, carried: Carried) -> str:
    """Return what a consequence says followed."""
    module = GAMES.get(game)
    say = module.CONSEQUENCES.get(consequence.type) if module is not None else None
    if say is None:
        return f"{consequence.type} {plain(consequence.data)}"
    return say(names, consequence.data, carried)


def plain(data: Mapping[str, Any]) -> str:
    """Return a payload as `key value` pairs for people."""
    return shared.pairs(data)
