"""Positions drawn for people: one module a game turns the shapes of its scene into what a template of SVG needs."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from matches.boards import hexwar, kingsburg, kingsquare, robberknights
from matches.words import Names
from rulesengine.game import Carried, Ruleset

DRAWN = {"hexwar": hexwar, "kingsburg": kingsburg, "kingsquare": kingsquare, "robberknights": robberknights}


def board_svg(
    ruleset: Ruleset, state: Any, names: Names, *, last: Carried | None = None, label: str = ""
) -> SafeString:
    """Return the position as SVG with what the event `last` changed emphasized; nothing for a game that is not drawn."""
    module = DRAWN.get(ruleset.game)
    if module is None:
        return SafeString("")
    context = module.board(ruleset, state, names, last)
    return render_to_string(f"matches/boards/{ruleset.game}.html", {"board": context, "label": label})


def position_words(ruleset: Ruleset, state: Any, names: Names) -> dict[str, Any] | None:
    """Return the position as rows of words for the table beside the board; None for a game that has none."""
    module = DRAWN.get(ruleset.game)
    return None if module is None else module.position(ruleset, state, names)


def board_legend(game: str) -> list[Any]:
    """Return the rows of the legend for the template ``matches/boards/GAME_legend.html``; none for a game that is not drawn."""
    module = DRAWN.get(game)
    return [] if module is None else [*module.legend()]
