"""The referee's hand on one value of the state (KB-143)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from rulesengine.kingsburg.state import State, in_table_order
from rulesengine.kingsburg.tables import BUILDING
from rulesengine.paths import brief, same

FIGURES = ("vp", "gold", "wood", "stone", "plus_two", "soldiers")
HELD = ("envoy_holder", "aid_die_holder")


def adjusted(state: State, path: str, old: Any, new: Any) -> State:
    """Return the state with one value set, and nothing else.

    :raises ValueError: if no such value can be set, `old` is not the present value or `new` cannot be one
    """
    way = path.split(".")
    if len(way) == 3 and way[0] == "players" and way[1] in state.players and way[2] in (*FIGURES, "buildings"):
        seat, name = way[1], way[2]
        player = state.players[seat]
        present = getattr(player, name)
        _see(path, present, old)
        value = _buildings(new) if name == "buildings" else _figure(name, new)
        return replace(state, players={**state.players, seat: replace(player, **{name: value})}, begun=True)
    if path in HELD:
        _see(path, getattr(state, path), old)
        if new is not None and not (isinstance(new, str) and new in state.players and not state.players[new].resigned):
            raise ValueError(f"{path} is a seat that still plays, or null, not {brief(new)}")
        return replace(state, **{path: new}, begun=True)
    known = f"players.S.{{{', '.join((*FIGURES, 'buildings'))}}}, {', '.join(HELD)}"
    raise ValueError(f"{brief(path)} cannot be set; a path is one of {known}")


def _see(path: str, present: Any, old: Any) -> None:
    if not same(present, old):
        raise ValueError(f"{path} is {brief(present)} at present, not {brief(old)}")


def _figure(name: str, new: Any) -> int:
    if not isinstance(new, int) or isinstance(new, bool) or (new < 0 and name != "vp"):
        raise ValueError(f"{name} is a whole number{'' if name == 'vp' else ' from 0'}, not {brief(new)}")
    return new


def _buildings(new: Any) -> tuple[str, ...]:
    if not isinstance(new, list | tuple):
        raise ValueError(f"buildings is a list of keys, not {brief(new)}")
    wrong = next((key for key in new if not isinstance(key, str) or key not in BUILDING), None)
    if wrong is not None:
        raise ValueError(f"there is no building {brief(wrong)}")
    if len(set(new)) < len(new):
        raise ValueError("each building exists once in a province")
    return in_table_order(new)
