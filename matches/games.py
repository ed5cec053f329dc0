"""What people call the games, in the reader's language. A game without moves may be any slug: it is shown as written."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

NAMES = {
    "kingsquare": _("KingSquare"),
    "kingsburg": _("Kingsburg"),
    "hexwar": _("Hex war"),
    "robberknights": _("Robber Knights"),
}


def game_name(key: str) -> str:
    """Return what people call a game."""
    return str(NAMES.get(key, key))
