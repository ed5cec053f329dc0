"""What the players and spectators of a match may not see while it runs: hidden beasts, and sites not found yet (KS-15, KSH-71).

A hidden beast is seen from the moment it is revealed, discovered or fought; a hidden site from the moment it is found. The
MapMaster and the other officials see everything.
"""

from __future__ import annotations

from msgspec.structs import replace

from rulesengine.game import Event
from rulesengine.kingsquare.events import BeastActed, BeastPlaced, BeastRevealed, SitePlaced
from rulesengine.kingsquare.state import Beast, Site, State


def event_seen_by(event: Event, viewer: str | None, now: State | None = None) -> Event | None:
    """Return what a seat (or None: a spectator) may see of an event: all of it, or None. `now` is the present position."""
    data = event.data
    if isinstance(data, BeastPlaced):
        return None if data.hidden and not _is_beast_shown(data, now) else event
    if isinstance(data, SitePlaced):
        return None if data.hidden and not _is_site_shown(data, now) else event
    if isinstance(
        data, BeastActed | BeastRevealed
    ):  # of the MapMaster: a beast that nobody has met moves, or was shown by mistake
        return None if _is_beast_hidden(data.beast, now) else event
    return event


def state_seen_by(state: State, viewer: str | None, now: State | None = None) -> State:
    """Return a position without the beasts and sites that a seat (or None: a spectator) may not see; the same one if there are none.

    `now` is the present position (None: this one): what is revealed in it is seen in earlier positions too.
    """
    present = state if now is None else now
    beasts = {id_ for id_, one in state.beasts.items() if _is_secret(one) and _is_beast_hidden(id_, present)}
    sites = {id_ for id_, one in state.sites.items() if _is_untold(one) and _is_site_hidden(id_, present)}
    if not beasts and not sites:
        return state
    return replace(
        state,
        beasts={id_: one for id_, one in state.beasts.items() if id_ not in beasts},
        sites={id_: one for id_, one in state.sites.items() if id_ not in sites},
        taken=state.taken - beasts - sites,
    )


def _is_beast_shown(placed: BeastPlaced, now: State | None) -> bool:
    """Return whether a beast placed hidden is seen now, at the place where it was put, and is not another one of the same id."""
    beast = now.beasts.get(placed.beast) if now is not None else None
    if beast is None or _is_secret(beast):
        return False
    return (beast.cls, beast.name, beast.at) == (placed.cls, placed.name, placed.at)


def _is_site_shown(placed: SitePlaced, now: State | None) -> bool:
    """Return whether a site placed hidden is seen now and is not another one of the same id."""
    site = now.sites.get(placed.site) if now is not None else None
    return site is not None and not _is_untold(site) and (site.at, site.content) == (placed.at, placed.content)


def _is_secret(beast: Beast) -> bool:
    return beast.hidden and beast.status == "alive" and not beast.fighters


def _is_untold(site: Site) -> bool:
    return site.hidden and site.found_by is None


def _is_beast_hidden(id_: str, now: State | None) -> bool:
    """Return whether a beast is hidden at present; one that is not on the table (refused, voided) was never shown."""
    beast = now.beasts.get(id_) if now is not None else None
    return beast is None or _is_secret(beast)


def _is_site_hidden(id_: str, now: State | None) -> bool:
    site = now.sites.get(id_) if now is not None else None
    return site is None or _is_untold(site)
