"""The referee's hand on one value of the state."""

from __future__ import annotations

from typing import Any

from rulesengine import paths
from rulesengine.hexwar.state import State, load, view


def adjusted(state: State, path: str, old: Any, new: Any) -> State:
    """Return the state with one value of its view set, as :func:`rulesengine.paths.put` says.

    :raises ValueError: saying why the value cannot be set
    """
    plain = view(state)
    paths.put(plain, path, old, new)
    try:
        return load(state.setup, plain, state.reason)
    except ValueError as error:
        raise ValueError(f"{path} cannot be set to {paths.brief(new)}: {error}") from error
