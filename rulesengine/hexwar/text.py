"""Values in the sentences of refusals."""

from __future__ import annotations

from typing import Any

LONGEST = 60


def brief(value: Any) -> str:
    """Return a value as it is written, cut short if it is long: a file may hold anything."""
    text = value if isinstance(value, str) else repr(value)
    cut = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return repr(cut) if isinstance(value, str) else cut
