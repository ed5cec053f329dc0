"""What the players and spectators of a match may not see while it runs: an enemy card that the table has not revealed (part 6).

A card of the table is a secret until the enemy of its year is known; then the others of that year are out of the match. A card
recorded by its printed values is a secret until it was fought. The state itself knows no secret: nobody records a card earlier, but
an entry that was refused or a figure that somebody saw may name one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulesengine.game import Event
from rulesengine.kingsburg.events import ABSENT, EnemyRevealed, StateAdjusted
from rulesengine.kingsburg.state import State
from rulesengine.kingsburg.tables import CARDS
from rulesengine.paths import same

OPEN_WITHOUT_LOOKING = frozenset(
    {"ruleset", "options", "seats", "year", "phase", "step", "turn_order", "turn_index", "envoy_holder", "aid_die_holder",
     "deck_prepared", "blocked", "influence", "help_pointer", "reinforcement", "pending", "players", "finished", "placements"}
)  # fmt: skip
"""What of the state never tells an enemy."""


def event_seen_by(event: Event, viewer: str | None, now: State | None = None) -> Event | None:
    """Return what a seat (or None: a spectator) may see of an event; nothing of a card that is not revealed in `now`."""
    data = event.data
    if isinstance(data, EnemyRevealed) and not _is_told(data.enemy or data.custom.card(), now):
        return None
    if isinstance(data, StateAdjusted) and not all(_is_open(data.path, value, now) for value in (data.old, data.new)):
        return None
    if data.observed is None:
        return event
    observed = {path: value for path, value in data.observed.items() if _is_open(path, value, now)}
    if len(observed) == len(data.observed):
        return event
    return replace(event, data=replace(data, observed=observed or ABSENT))


def _is_open(path: str, value: Any, now: State | None) -> bool:
    """Return whether a figure that the table saw tells no card that is not revealed."""
    if path.partition(".")[0] in OPEN_WITHOUT_LOOKING:
        return True
    cards = value if isinstance(value, list) else [value]
    return all(one is None or _is_told(one, now) for one in cards)


def _is_told(enemy: Any, now: State | None) -> bool:
    """Return whether a card is one that the table has revealed, or one that can no longer come."""
    if now is None:
        return False
    if isinstance(enemy, str) and enemy in CARDS:
        year = CARDS[enemy]["year"]
        if now.year > year or (now.year == year and now.enemy is not None):
            return True
    revealed = (*now.enemies_seen, *(() if now.enemy is None else (now.enemy,)))
    return isinstance(enemy, str | Mapping) and any(same(enemy, one) for one in revealed)
