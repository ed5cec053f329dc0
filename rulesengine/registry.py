"""Which games there are and which edition of their rules holds on which day."""

from __future__ import annotations

from datetime import date
from functools import cache

from msgspec import Struct

from rulesengine.game import Edition, Ruleset
from rulesengine.hexwar.editions import EDITIONS as HEXWAR
from rulesengine.hexwar.ruleset import HexWar
from rulesengine.kingsburg.editions import EDITIONS as KINGSBURG
from rulesengine.kingsburg.ruleset import Kingsburg
from rulesengine.kingsquare.editions import EDITIONS as KINGSQUARE
from rulesengine.kingsquare.ruleset import KingSquare
from rulesengine.log import Header, Unreadable
from rulesengine.robberknights.editions import EDITIONS as ROBBERKNIGHTS
from rulesengine.robberknights.ruleset import RobberKnights
from rulesengine.score import ScoreOnly


class GameEntry(Struct, frozen=True):
    """A game with its editions, the earliest first."""

    game: str
    ruleset: type[Ruleset]
    editions: tuple[Edition, ...]


GAMES: tuple[GameEntry, ...] = (
    GameEntry("kingsquare", KingSquare, KINGSQUARE),
    GameEntry("hexwar", HexWar, HEXWAR),
    GameEntry("kingsburg", Kingsburg, KINGSBURG),
    GameEntry("robberknights", RobberKnights, ROBBERKNIGHTS),
)


def games() -> tuple[str, ...]:
    """Return the keys of all games."""
    return tuple(entry.game for entry in GAMES)


def editions() -> tuple[Edition, ...]:
    """Return the editions of all games."""
    return tuple(edition for entry in GAMES for edition in entry.editions)


def roles(game: str, type_: str) -> tuple[str, ...] | None:
    """Return the roles that may record a type of event, None where the game does not judge them or is not known."""
    return next((entry.ruleset.who.get(type_) for entry in GAMES if entry.game == game), None)


@cache
def get(edition_key: str) -> Ruleset:
    """Return the ruleset of an edition.

    :raises KeyError: naming the known editions
    """
    for entry in GAMES:
        for edition in entry.editions:
            if edition.key == edition_key:
                return entry.ruleset(edition)
    known = ", ".join(edition.key for edition in editions())
    raise KeyError(f"there is no edition {edition_key!r}; known are {known}")


def in_force(game: str, on: date) -> Edition:
    """Return the edition of a game that held on a day; the first one holds for every earlier day too.

    :raises KeyError: naming the known games
    """
    for entry in GAMES:
        if entry.game == game:
            began = [edition for edition in entry.editions if edition.effective <= on]
            return began[-1] if began else entry.editions[0]
    raise KeyError(f"there is no game {game!r}; known are {', '.join(games())}")


def ruleset_of(header: Header) -> Ruleset:
    """Return the rules a log was played under: those it names, else those in force on its day.

    A match without moves (depth ``score`` or ``import``) has none; what can be said of it is in :class:`ScoreOnly`.

    :raises Unreadable: if there is no such game or edition here, naming the known ones
    """
    if header.depth != "log":
        return ScoreOnly(header.game)
    entry = next((entry for entry in GAMES if entry.game == header.game), None)
    if entry is None:
        raise Unreadable(
            f"the moves of {header.game!r} cannot be replayed by this version; it knows {', '.join(games())}. "
            'The result alone can be recorded with "depth": "score"'
        )
    if header.rules is None:
        return get(in_force(header.game, date.fromisoformat(header.played_on)).key)
    if header.rules not in {edition.key for edition in entry.editions}:
        known = ", ".join(edition.key for edition in entry.editions)
        raise Unreadable(
            f'"rules" is {header.rules!r}; the editions of {header.game} are {known}. '
            "Name one of them, or leave the key out for the one of the day"
        )
    return get(header.rules)
