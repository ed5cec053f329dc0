"""Sentences of Robber Knights: what happened, what followed, and the figures of the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from matches.words.shared import Say
from rulesengine.game import Carried
from rulesengine.robberknights.state import placements
from rulesengine.robberknights.tables import TILES

if TYPE_CHECKING:
    from matches.words import Names

type SayWhatFollowed = Callable[[Names, Mapping[str, Any], Carried], str]

TERRAINS = {
    "plain": gettext_lazy("Plain"),
    "forest": gettext_lazy("Forest"),
    "mountain": gettext_lazy("Mountain"),
    "lake": gettext_lazy("Lake"),
}
BUILDINGS = {
    "castle": gettext_lazy("Castle"),
    "village": gettext_lazy("Village"),
    "town": gettext_lazy("Town"),
}
KINDS = {
    ("plain", "none"): gettext_lazy("plain"),
    ("plain", "castle"): gettext_lazy("plain castle"),
    ("plain", "village"): gettext_lazy("plain village"),
    ("plain", "town"): gettext_lazy("plain town"),
    ("forest", "castle"): gettext_lazy("forest castle"),
    ("forest", "village"): gettext_lazy("forest village"),
    ("forest", "town"): gettext_lazy("forest town"),
    ("mountain", "none"): gettext_lazy("mountain"),
    ("lake", "none"): gettext_lazy("lake"),
}
REASONS = {
    "tiles": gettext_lazy("all tiles are placed"),
    "knights": gettext_lazy("all knights are placed"),
    "passes": gettext_lazy("everybody has passed"),
    "resignation": gettext_lazy("only one player is left"),
    "time": gettext_lazy("time was called"),
    "draw_agreed": gettext_lazy("a draw was agreed"),
    "recorded": gettext_lazy("its end was recorded"),
    "abandoned": gettext_lazy("it was abandoned"),
    "annulled": gettext_lazy("it was annulled"),
}
STEPS = {
    "hand": gettext_lazy("hands are chosen"),
    "layout": gettext_lazy("the starting layout is to be laid"),
    "place": gettext_lazy("to place a tile"),
    "knights": gettext_lazy("to send knights from the castle"),
    "draw": gettext_lazy("to draw a tile"),
    "over": gettext_lazy("over"),
}
SCORES = {
    "points": gettext_lazy("Points"),
    "castles": gettext_lazy("Castles"),
    "villages": gettext_lazy("Villages"),
    "towns": gettext_lazy("Towns"),
    "unused_knights": gettext_lazy("Unused knights"),
}


def word(words: Mapping[str, Any], key: Any) -> str:
    """Return the word for a key, or the key where there is none."""
    return str(words.get(key, key))


def kind(terrain: str, building: str) -> str:
    """Return what a kind of tile is called: ``forest village``."""
    found = KINDS.get((terrain, building))
    return str(found) if found is not None else f"{word(TERRAINS, terrain)} {word(BUILDINGS, building)}"


def tile(id_: str) -> str:
    """Return a tile by its kind and id, with or without its owner: ``forest village B4``, ``forest village C:B4``."""
    face = TILES.get(id_.rpartition(":")[2])
    return id_ if face is None else f"{kind(face.terrain, face.building)} {id_}"


def knights(count: int) -> str:
    """Return a number of knights."""
    return ngettext("%(n)s knight", "%(n)s knights", count) % {"n": count}


def tiles(count: int) -> str:
    """Return a number of tiles."""
    return ngettext("%(n)s tile", "%(n)s tiles", count) % {"n": count}


def points(count: int) -> str:
    """Return a number of points."""
    return ngettext("%(n)s point", "%(n)s points", count) % {"n": count}


def cell(x: int, y: int) -> str:
    """Return a cell as the rules write it."""
    return f"{x},{y}".replace("-", "−")


def stack(seats: Iterable[str]) -> str:
    """Return the knights of a tile by their letters, from bottom to top."""
    return " ".join(seats)


def standing(state: Any) -> list[str]:
    """Return what the line above the board says besides whose turn it is: the step, and the actions begun."""
    said = [word(STEPS, state.step)]
    if state.placed_this_turn:
        said.append(
            ngettext("%(n)s action begun", "%(n)s actions begun", state.placed_this_turn)
            % {"n": state.placed_this_turn}
        )
    return said


def result_rows(result: Mapping[str, Any]) -> tuple[list[str], dict[str, list[Any]]]:
    """Return the headings of the scores and each seat's figures."""
    rows = {row["seat"]: [row.get(key) for key in SCORES] for row in result.get("seats", ())}
    return [str(label) for label in SCORES.values()], rows


def result_note(result: Mapping[str, Any]) -> str:
    """Return why the match ended."""
    return _("The match ended: %(reason)s.") % {"reason": word(REASONS, result.get("ended_by"))}


def placed(rows: Iterable[Mapping[str, Any]], names: Names) -> str:
    """Return places and who has them."""
    return ", ".join(_("%(place)s. %(who)s") % {"place": row["place"], "who": names.seat(row["seat"])} for row in rows)


def _supply(seat: str | None, carried: Carried | None) -> str:
    """Return how many knights a seat has left after an entry."""
    player = None if carried is None or carried.event is None else carried.step.state.players.get(seat or "")
    if player is None:
        return ""
    return " " + ngettext("%(n)s knight is left.", "%(n)s knights are left.", player.supply) % {"n": player.supply}


# Events ------------------------------------------------------------------------------------------------------------


def _set_up(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    state = carried.step.state if carried is not None else None
    if state is None:
        return _("The match is set up.")
    count = len(state.players)
    return ngettext(
        "The match is set up for %(n)s player; %(who)s is to begin.",
        "The match is set up for %(n)s players; %(who)s is to begin.",
        count,
    ) % {"n": count, "who": names.seat(state.start_seat)}


def _started(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("start_seat"):
        return _("The match starts; %(who)s is to begin.") % {"who": names.seat(data["start_seat"])}
    return _("The match starts.")


def _hand_chosen(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "castle": tile("A1"), "tile": tile(data["tile"])}
    return _("%(who)s takes the %(castle)s and the %(tile)s into the hand.") % words


def _layout(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    laid = ", ".join(
        _("%(tile)s on %(cell)s") % {"tile": tile(one["tile"]), "cell": cell(one["x"], one["y"])}
        for one in data["cells"]
    )
    return _("The starting layout is laid: %(tiles)s.") % {"tiles": laid}


def _placed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "tile": tile(data["tile"]), "cell": cell(data["x"], data["y"])}
    return _("%(who)s places the %(tile)s on %(cell)s.") % words


def _deployed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    path = data["path"]
    way = ", ".join(_("%(n)s on %(cell)s") % {"n": one["leave"], "cell": cell(one["x"], one["y"])} for one in path)
    words = {"who": names.seat(seat), "knights": knights(sum(one["leave"] for one in path)), "way": way}
    return _("%(who)s sends %(knights)s from the castle: %(way)s.") % words + _supply(seat, carried)


def _declined(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s sends no knights from the castle.") % {"who": names.seat(seat)}


def _drawn(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("tile"):
        return _("%(who)s draws the %(tile)s.") % {"who": names.seat(seat), "tile": tile(data["tile"])}
    words = {"who": names.seat(seat), "letter": data["letter"]}
    return _("%(who)s draws a tile of letter %(letter)s, face down.") % words


def _turn_ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s ends the turn.") % {"who": names.seat(seat)}


def _turn_passed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s passes the turn.") % {"who": names.seat(seat)}


def _ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("placements"):
        return _("The end of the match is recorded: %(places)s") % {"places": placed(data["placements"], names)}
    return _("The end of the match is recorded.")


EVENTS: dict[str, Say] = {
    "match_set_up": _set_up,
    "match_started": _started,
    "hand_chosen": _hand_chosen,
    "layout_laid": _layout,
    "tile_placed": _placed,
    "knights_deployed": _deployed,
    "knights_declined": _declined,
    "tile_drawn": _drawn,
    "turn_ended": _turn_ended,
    "turn_passed": _turn_passed,
    "match_ended": _ended,
}


# What followed -----------------------------------------------------------------------------------------------------


def _control(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    x, _comma, y = str(data["cell"]).partition(",")
    at = (int(x), int(y))
    there = carried.step.state.board.get(at)
    named = {
        "tile": tile(there.tile.partition(":")[2]) if there is not None else _("tile"),
        "cell": cell(*at),
        "who": names.seat(data["to"]),
    }
    if data.get("from"):
        return _("The %(tile)s on %(cell)s passes from %(old)s to %(who)s.") % {
            **named,
            "old": names.seat(data["from"]),
        }
    return _("%(who)s holds the %(tile)s on %(cell)s now.") % named


def _turn_started(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("%(who)s is to act.") % {"who": names.seat(data["seat"])}


def _over(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    sentence = _("The match is over: %(reason)s.") % {"reason": word(REASONS, data["ended_by"])}
    places = placements(carried.step.state)
    return f"{sentence} {placed(({'seat': seat, 'place': at} for seat, at in places), names)}" if places else sentence


CONSEQUENCES: dict[str, SayWhatFollowed] = {
    "control_changed": _control,
    "turn_started": _turn_started,
    "match_over": _over,
}
