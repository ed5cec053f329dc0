"""Whole legal matches, played by the machine from a seed: for tests, figures and demonstrations.

The only place of the engine with chance in it, and the seed decides all of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Literal

from msgspec.structs import replace

from rulesengine import codec, registry
from rulesengine.game import Edition, Event, Refusal, Ruleset
from rulesengine.log import FORMAT, Header, Line, Log, Seat

Player = Literal["random", "greedy"]
PLAYERS: tuple[Player, ...] = ("random", "greedy")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_PLAYED = 20_000
"""A match that has not ended by itself after so many events is left as it stands."""


def play(
    game: str,
    *,
    edition: str | None = None,
    seats: int | None = None,
    seed: int = 0,
    player: Player = "random",
    max_events: int | None = None,
    options: Mapping[str, Any] | None = None,
    played_on: date | None = None,
    names: Sequence[str] = (),
) -> Log:
    """Return the log of a whole legal match. The same arguments give the same match.

    :param edition: key of the rules (None: those in force on `played_on`, else the latest)
    :param seats: how many sit (None: the seed decides among what the game and its options allow)
    :param player: ``random`` takes what is offered as it comes, ``greedy`` what is best at once
    :param max_events: to stop after so many, ended or not
    :param options: set-up options; what they do not say is as the game has itself played
    :param names: what the score sheet says, in the order of the seats
    :raises KeyError: if there is no such game or edition, naming the known ones
    :raises ValueError: if the game cannot be set up like this, or there is no such player
    """
    if player not in PLAYERS:
        raise ValueError(f"there is no player {player!r}; choose one of {', '.join(PLAYERS)}")
    chosen = _edition(game, edition, played_on)
    ruleset = registry.get(chosen.key)
    chance = random.Random(f"{game} {seed}")  # noqa: S311
    day = played_on or _day(chosen, ruleset)
    headers = [
        Header(
            log=FORMAT,
            game=game,
            rules=chosen.key,
            played_on=day.isoformat(),
            seats=tuple(
                Seat(letter, names[at] if at < len(names) else f"Player {letter}")
                for at, letter in enumerate(LETTERS[:count])
            ),
            options={**ruleset.played_options(), **(options or {})},
        )
        for count in ([seats] if seats is not None else range(ruleset.seats[0], ruleset.seats[1] + 1))
    ]
    starts = [(header, ruleset.set_up(header)) for header in headers]
    playable = [(header, step) for header, step in starts if not isinstance(step, Refusal)]
    if not playable:
        refusal = starts[0][1]
        raise ValueError(f"{refusal.rule}: {refusal.because}" if isinstance(refusal, Refusal) else "no seats")
    header, step = chance.choice(playable)
    lines: list[Line] = []
    state = step.state
    choose: Callable[[random.Random, Ruleset, Any], Event | None] = _greedy if player == "greedy" else _random
    while len(lines) < (MAX_PLAYED if max_events is None else max_events):
        if ruleset.status(state) != "running" or (event := choose(chance, ruleset, state)) is None:
            break
        seq = len(lines) + 1
        state = ruleset.follow(state, replace(event, seq=seq)).state
        lines.append(codec.line(event, seq))
    return Log(header, tuple(lines))


def _edition(game: str, key: str | None, on: date | None) -> Edition:
    if key is None:
        return registry.in_force(game, on or date.max)
    edition = registry.get(key).edition
    if registry.get(key).game != game:
        raise KeyError(f"{key} is an edition of {registry.get(key).game}, not of {game}")
    return edition


def _day(edition: Edition, ruleset: Ruleset) -> date:
    """Return a day on which an edition holds: its first, or the last of one that has held since ever."""
    if edition.effective > date.min:
        return edition.effective
    entry = next(entry for entry in registry.GAMES if entry.game == ruleset.game)
    return min(one.effective for one in entry.editions if one.effective > date.min) - timedelta(days=1)


def _by_type(ruleset: Ruleset, state: Any) -> dict[str, list[Event]]:
    offered: dict[str, list[Event]] = {}
    for event in ruleset.legal(state):
        offered.setdefault(event.type, []).append(event)
    return offered


def _random(chance: random.Random, ruleset: Ruleset, state: Any) -> Event | None:
    """Return one of the legal events: its type by how it is liked, then any of that type."""
    offered = _by_type(ruleset, state)
    if not offered:
        return None
    likings = ruleset.likings
    (type_,) = chance.choices(list(offered), [likings.get(one, 1.0) for one in offered])
    return chance.choice(offered[type_])


def _greedy(chance: random.Random, ruleset: Ruleset, state: Any) -> Event | None:
    """Return the event of the seat at turn after which it stands best; if nothing gains, what goes on with the match."""
    offered = _by_type(ruleset, state)
    seat = ruleset.turn(state)
    if seat is None:
        return _random(chance, ruleset, state)
    passes, shunned = ruleset.passes, ruleset.shunned
    best = ruleset.worth(state, seat)
    found: list[Event] = []
    for type_, events in offered.items():
        if type_ in passes or type_ in shunned:
            continue
        for event in events:
            if event.seat != seat:
                continue
            gained = ruleset.worth(ruleset.follow(state, event).state, seat)
            if gained > best:
                best, found = gained, [event]
            elif gained == best and found:
                found.append(event)
    if found:
        return chance.choice(found)
    going_on = next((offered[type_] for type_ in passes if type_ in offered), None)
    return going_on[0] if going_on is not None else _random(chance, ruleset, state)
