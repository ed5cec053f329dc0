"""The referee's hand on the state: one supply or the knights of one tile (RK-48)."""

from __future__ import annotations

import re
from typing import Any

from rulesengine import paths
from rulesengine.robberknights.state import State, load, view

ADJUSTABLE = re.compile(r"players\.[A-D]\.supply|board\.-?[0-9]{1,16},-?[0-9]{1,16}\.stack")


def adjusted(state: State, path: str, old: Any, new: Any) -> State:
    """Return the state with one value of its view set.

    :raises ValueError: saying why the value cannot be set
    """
    if ADJUSTABLE.fullmatch(path) is None:
        because = "players.S.supply or board.x,y.stack can be adjusted"
        raise ValueError(f"{paths.brief(path)} cannot be adjusted; {because}")
    plain = view(state)
    if new is None:
        raise ValueError(f"{path} cannot be null")
    paths.put(plain, path, old, new)
    try:
        return load(state.setup, plain, state)
    except ValueError as error:
        raise ValueError(f"{path} cannot be set to {paths.brief(new)}: {error}") from error
