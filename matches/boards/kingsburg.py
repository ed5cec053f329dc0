"""Kingsburg drawn: the calendar, the row of advisors, everybody's province and goods, and what the last event changed.

Nothing is told by colour alone: whose something is says its letter and the shape behind it, what is built is filled and bold, what is
blocked is crossed and says so. The parts are laid out by the style sheet, so that a phone shows the same table narrower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from matches.words import Names
from matches.words import kingsburg as words
from matches.words.kingsburg import word
from rulesengine.game import Carried, Ruleset, Shape
from rulesengine.kingsburg import events
from rulesengine.kingsburg.scene import ROWS, scene, strengths
from rulesengine.kingsburg.scoring import placements
from rulesengine.kingsburg.state import Pending, Player, State, card
from rulesengine.kingsburg.tables import ADVISORS, BUILDING, Building

HOLDS = ("gold", "wood", "stone", "plus_two", "soldiers")
SEASONS = ("spring", "summer", "autumn")
USED = {
    "statue": words.BUILDINGS["statue"],
    "chapel": words.BUILDINGS["chapel"],
    "market": words.BUILDINGS["market"],
    "plus_two": gettext_lazy("a token “+2”"),
    "town_hall": words.BUILDINGS["town_hall"],
    "stable": words.BUILDINGS["stable"],
    "envoy_build": gettext_lazy("the king’s envoy for a building"),
}


def board(ruleset: Ruleset, state: State, names: Names, last: Carried | None) -> dict[str, Any]:
    """Return what the template draws, from the calendar to the provinces, each with whether the last event changed it."""
    before: State | None = last.before if last is not None else None
    shapes = _by_kind(state)
    return {
        "years": [_year(shape, before) for shape in shapes["year"]],
        "phases": [_phase(shape, before) for shape in shapes["phase"]],
        "order": [_turn(shape, names, before) for shape in shapes["turn"]],
        "enemy": _enemy(shapes["enemy"][0], state, before),
        "king": _king(state, before),
        "advisors": [_advisor(shape, state, names, last) for shape in shapes["advisor"]],
        "players": [_player(shape, shapes["building"], state, names, before) for shape in shapes["player"]],
    }


def _by_kind(state: State) -> dict[str, list[Shape]]:
    shapes: dict[str, list[Shape]] = defaultdict(list)
    for shape in scene(state).shapes:
        shapes[shape.kind].append(shape)
    return shapes


def seat_class(letter: str) -> str:
    """Return the class of a seat's colour and shape."""
    return letter.lower()


# Calendar, order, enemy --------------------------------------------------------------------------------------------


def _year(shape: Shape, before: State | None) -> dict[str, Any]:
    seen = shape.attributes
    return {
        "css": "now" if seen["now"] else "",
        "text": words.year(seen["year"]),
        "title": _("Year %(year)s") % {"year": words.year(seen["year"])},
        "is_changed": before is not None and seen["now"] and before.year != seen["year"],
    }


def _phase(shape: Shape, before: State | None) -> dict[str, Any]:
    seen = shape.attributes
    css = ["season"] if seen["key"] in SEASONS else []
    return {
        "css": " ".join([*css, "now"] if seen["now"] else css),
        "no": seen["no"],
        "text": word(words.PHASES, seen["key"]),
        "is_changed": before is not None and seen["now"] and before.phase != seen["key"],
    }


def _turn(shape: Shape, names: Names, before: State | None) -> dict[str, Any]:
    seen = shape.attributes
    said = [_("%(n)s. %(who)s") % {"n": seen["at"] + 1, "who": names.seat(seen["seat"])}]
    if seen["resigned"]:
        said.append(_("resigned"))
    elif seen["acts"]:
        said.append(_("to act"))
    elif seen["passed"]:
        said.append(_("through"))
    moved = before is not None and before.turn_order.index(seen["seat"]) != seen["at"]
    return {
        "letter": seen["seat"],
        "css": "acts" if seen["acts"] else "out" if seen["resigned"] else "",
        "acts": seen["acts"],
        "is_through": seen["passed"],
        "title": ", ".join(said),
        "is_changed": moved,
    }


def span(year: int) -> str:
    """Return between which strengths the enemy of a year lies."""
    return "{}–{}".format(*strengths(year))


def enemy_words(state: State) -> str:
    """Return the enemy of the year, as far as the table knows it."""
    if state.enemy is not None:
        return words.enemy(card(state.enemy))
    return _("face down; strength %(span)s") % {"span": span(state.year)}


def fought_words(state: State) -> list[str]:
    """Return the enemies that were fought, in order."""
    return [
        _("%(kind)s %(strength)s") % {"kind": words.enemy_kind(card(one)["kind"]), "strength": card(one)["strength"]}
        for one in state.enemies_seen
    ]


def _enemy(shape: Shape, state: State, before: State | None) -> dict[str, Any]:
    seen, fought = shape.attributes, fought_words(state)
    lines = [_("Fought: %(enemies)s") % {"enemies": ", ".join(fought)}] if fought else []
    is_changed = before is not None and (
        (seen["card"] is not None and before.enemy != state.enemy) or len(before.enemies_seen) != len(fought)
    )
    if seen["card"] is None:
        return {
            "css": "back",
            "name": _("face down"),
            "strength": span(state.year),
            "lines": lines,
            "is_changed": is_changed,
        }
    return {
        "css": "open",
        "name": words.enemy_kind(seen["card"]["kind"]),
        "strength": seen["card"]["strength"],
        "lines": [
            _("Victory: %(what)s") % {"what": words.amounts(seen["card"]["victory"])},
            _("Defeat: %(what)s") % {"what": words.amounts(seen["card"]["defeat"])},
            *lines,
        ],
        "is_changed": is_changed,
    }


def _king(state: State, before: State | None) -> dict[str, Any]:
    value = state.reinforcement
    return {
        "die": value,
        "words": _("not rolled yet") if value is None else _("%(soldiers)s each") % {"soldiers": words.soldiers(value)},
        "is_changed": before is not None and value is not None and before.reinforcement != value,
    }


# Advisors ----------------------------------------------------------------------------------------------------------


def help_words(alternatives: Iterable[Mapping[str, Any]]) -> str:
    """Return what an advisor gives: every alternative, what is paid with a minus."""
    told = []
    for row in alternatives:
        said = [words.amount(key, count) for key, count in row.items() if count > 0]
        paid = [_("−%(amount)s") % {"amount": words.amount(key, -count)} for key, count in row.items() if count < 0]
        told.append(", ".join([*said, *paid]))
    return _(" or ").join(told)


def _advisor(shape: Shape, state: State, names: Names, last: Carried | None) -> dict[str, Any]:
    seen, before = shape.attributes, last.before if last is not None else None
    no = seen["no"]
    said = [f"{words.advisor(no)}: {help_words(seen['alternatives'])}"]
    if seen["seats"]:
        said.append(_("influenced by %(who)s") % {"who": _(", then ").join(map(names.seat, seen["seats"]))})
    if seen["blocked"]:
        said.append(_("blocked this season"))
    if seen["served"]:
        said.append(_("a choice is awaited here"))
    changed = before is not None and (
        len(before.influence.get(no, ())) != len(seen["seats"]) or (no in before.blocked) != seen["blocked"]
    )
    event = last.event if last is not None else None
    data = event.data if event is not None else None
    spent = []
    if event is not None and isinstance(data, events.AdvisorInfluenced) and data.advisor == no and changed:
        spent = _group(data, event.seat or "")
    helped = isinstance(data, events.HelpTaken) and data.advisor == no
    return {
        "no": no,
        "name": word(words.ADVISORS, no),
        "seats": seen["seats"],
        "is_blocked": seen["blocked"],
        "is_served": seen["served"],
        "is_changed": helped or (changed and bool(seen["seats"] or seen["blocked"])),
        "spent": spent,
        "title": "\n".join(said),
    }


def _group(data: events.AdvisorInfluenced, seat: str) -> list[dict[str, Any]]:
    """Return the dice of a group and what was added to them."""
    group = _dice(data.coloured, data.white, seat)
    if data.plus_two:
        group.append({"css": "added", "text": "+2", "title": _("a token “+2”")})
    if data.market:
        group.append({"css": "added", "text": f"{data.market:+d}".replace("-", "−"), "title": _("the Market")})
    if data.envoy:
        group.append({"css": "added", "text": "⚑", "title": _("the king’s envoy")})
    return group


def _dice(coloured: Iterable[int], white: Iterable[int], seat: str) -> list[dict[str, Any]]:
    own = [{"css": f"coloured seat-{seat_class(seat)}", "text": die, "title": _("coloured die")} for die in coloured]
    return [*own, *({"css": "white", "text": die, "title": _("white die")} for die in white)]


# Players -----------------------------------------------------------------------------------------------------------


def _player(
    shape: Shape, buildings: Iterable[Shape], state: State, names: Names, before: State | None
) -> dict[str, Any]:
    seen = shape.attributes
    seat = seen["seat"]
    player, old = state.players[seat], before.players[seat] if before is not None else None
    return {
        "letter": seat,
        "css": seat_class(seat),
        "name": names.seat(seat),
        "acts": seen["acts"] or any(one.seat == seat for one in state.pending),
        "is_out": seen["resigned"],
        "standing": standing_words(state, seat),
        "vp": str(seen["vp"]).replace("-", "−"),
        "vp_title": words.victory_points(seen["vp"]).replace("-", "−"),
        "vp_is_changed": old is not None and old.vp != player.vp,
        "holds": _holds(seen, old, before),
        "dice": _dice(seen["coloured"], seen["white"], seat),
        "dice_title": _("dice not used yet: %(dice)s") % {"dice": words.dice(seen["coloured"], seen["white"])},
        "province": [_cell(one.attributes, old) for one in buildings if one.attributes["seat"] == seat],
    }


def _holds(seen: Mapping[str, Any], old: Player | None, before: State | None) -> list[dict[str, Any]]:
    """Return goods, tokens and soldiers with their numbers, and what the seat holds of the king's."""
    held: list[dict[str, Any]] = [
        {
            "css": key,
            "count": seen[key],
            "title": words.amount(key, seen[key]),
            "is_changed": old is not None and getattr(old, key) != seen[key],
        }
        for key in HOLDS
    ]
    seat = seen["seat"]
    for key, title, had in (
        ("envoy", _("the king’s envoy"), before is not None and before.envoy_holder == seat),
        ("aid", _("the king’s aid: a white die in spring"), before is not None and before.aid_die_holder == seat),
        ("looked", _("has looked at the enemy of the year"), old is not None and _has_looked(old, before)),
    ):
        if seen[key]:
            held.append({"css": key, "count": None, "title": title, "is_changed": before is not None and not had})
    return held


def _has_looked(player: Player, state: State | None) -> bool:
    return state is not None and any(peek.year == state.year for peek in player.peeks)


def cost_words(building: Building) -> str:
    """Return what a building costs."""
    return words.amounts({"gold": building.gold, "wood": building.wood, "stone": building.stone})


def _cell(seen: Mapping[str, Any], old: Player | None) -> dict[str, Any]:
    key = seen["key"]
    was = old is not None and key in old.buildings
    lost = was and not seen["built"]
    css = ["built" if seen["built"] else "lost" if lost else "free"]
    said = [
        _("%(building)s: costs %(cost)s, %(vp)s")
        % {
            "building": words.building(key),
            "cost": cost_words(BUILDING[key]),
            "vp": words.victory_points(BUILDING[key].vp),
        },
        _("built") if seen["built"] else _("lost just now") if lost else _("not built"),
    ]
    if seen["used"]:
        css.append("used")
        said.append(_("used this season"))
    if old is not None and (was != seen["built"] or (key in old.used) != seen["used"]):
        css.append("changed")
    return {"css": " ".join(css), "name": words.building(key), "title": "\n".join(said)}


def awaited_words(one: Pending) -> str:
    """Return what a player is to decide."""
    if one.kind == "aid_good":
        return _("to take a good of the king’s aid")
    if one.kind == "help":
        return _("to take the help of the %(advisor)s") % {"advisor": words.advisor(one.advisor or 0)}
    if one.kind == "victory_good":
        return _("to take a good for the victory")
    if one.kind == "loss":
        count = one.goods or 0
        return ngettext("to give up %(n)s good", "to give up %(n)s goods", count) % {"n": count}
    return _("to give up a building")


def standing_words(state: State, seat: str) -> str:
    """Return how a player stands: what is awaited of them, whether they are through or resigned, or the place at the end."""
    player, place = state.players[seat], dict(placements(state) or ()).get(seat)
    said = [_("place %(place)s") % {"place": place}] if place else []
    if player.resigned:
        return ", ".join([*said, _("resigned")])
    awaited = [awaited_words(one) for one in state.pending if one.seat == seat]
    if awaited:
        said += dict.fromkeys(awaited)
    elif seat == state.on_turn:
        said.append(_("to act"))
    elif player.passed and not state.finished:
        said.append(_("through"))
    elif state.step == "roll":
        said.append(_("has rolled") if player.rolled else _("to roll"))
    return ", ".join(said)


def legend() -> list[list[tuple[Any, ...]]]:
    """Return what the legend explains: what a player can hold, the advisors with their help, the buildings with cost, points and battle value."""
    holds = [
        ("gold", word(words.GOODS, "gold")),
        ("wood", word(words.GOODS, "wood")),
        ("stone", word(words.GOODS, "stone")),
        ("plus_two", _("tokens “+2”")),
        ("soldiers", _("soldiers")),
        ("envoy", _("the king’s envoy")),
        ("aid", _("the king’s aid: a white die in spring")),
        ("looked", _("has looked at the enemy of the year")),
    ]
    advisors = [(row["no"], word(words.ADVISORS, row["no"]), help_words(row["alternatives"])) for row in ADVISORS]
    buildings = [(words.building(key), cost_words(one), one.vp, battle_words(one)) for key, one in BUILDING.items()]
    return [[*holds], [*advisors], [*buildings]]


def battle_words(building: Building) -> str:
    """Return what a building is worth in battle."""
    said = [f"{building.battle:+d}".replace("-", "−")] if building.battle else []
    for kind, more in building.versus.items():
        said.append(_("%(n)s against %(enemy)s") % {"n": f"{more:+d}", "enemy": words.enemy_kind(kind)})
    return ", ".join(said) or "–"


# In words ----------------------------------------------------------------------------------------------------------


def position(ruleset: Ruleset, state: State, names: Names) -> dict[str, Any]:
    """Return the position in words: tables of the match, the players, the provinces and the advisors."""
    shapes = _by_kind(state)
    return {
        "tables": [
            {"title": _("The match"), "head": [_("What"), _("Now")], "rows": _match_rows(state, names)},
            {
                "title": _("Players"),
                "head": [
                    _("Player"), _("VP"), _("Gold"), _("Wood"), _("Stone"), _("Tokens “+2”"), _("Soldiers"), _("Dice"),
                    _("Looks at the enemy"), _("Standing"),
                ],
                "rows": [_player_row(seat, state, names) for seat in state.players],
            },
            {
                "title": _("Provinces"),
                "head": [_("Player"), *(_("Row %(n)s") % {"n": row} for row in range(1, ROWS + 1)), _("Used this season")],
                "rows": [_province_row(seat, state, names) for seat in state.players],
            },
            {
                "title": _("Advisors"),
                "head": [_("Advisor"), _("Help"), _("Influenced by"), _("State")],
                "rows": [_advisor_row(shape.attributes, names) for shape in shapes["advisor"]],
            },
        ]
    }  # fmt: skip


def _match_rows(state: State, names: Names) -> list[list[Any]]:
    nobody = "–"
    value = state.reinforcement
    return [
        [_("Year"), words.year(state.year)],
        [_("Phase"), word(words.PHASES, state.phase)],
        [_("Step"), word(words.STEPS, state.step)],
        [_("Turn order"), words.in_order(state.turn_order, names)],
        [_("On turn"), names.seat(state.on_turn) if state.on_turn else nobody],
        [_("King’s envoy"), names.seat(state.envoy_holder) if state.envoy_holder else nobody],
        [_("King’s aid"), names.seat(state.aid_die_holder) if state.aid_die_holder else nobody],
        [_("Blocked advisors"), ", ".join(map(words.advisor, state.blocked)) or nobody],
        [_("Enemy of the year"), enemy_words(state)],
        [_("The king sends"), _("not rolled yet") if value is None else words.soldiers(value)],
        [_("Enemies fought"), ", ".join(fought_words(state)) or nobody],
        [_("Deck of enemies"), _("prepared") if state.deck_prepared else nobody],
    ]


def _player_row(seat: str, state: State, names: Names) -> list[Any]:
    one = state.players[seat]
    looks = [
        _("%(season)s of year %(year)s") % {"season": word(words.PHASES, peek.season), "year": words.year(peek.year)}
        for peek in one.peeks
    ]
    thrown = words.dice(one.coloured, one.white) if one.coloured or one.white else "–"
    return [
        names.seat(seat),
        str(one.vp).replace("-", "−"),
        one.gold,
        one.wood,
        one.stone,
        one.plus_two,
        one.soldiers,
        thrown,
        ", ".join(looks) or "–",
        standing_words(state, seat),
    ]


def _province_row(seat: str, state: State, names: Names) -> list[Any]:
    one = state.players[seat]
    rows: list[list[str]] = [[] for _row in range(ROWS)]
    for key in one.buildings:
        rows[BUILDING[key].row - 1].append(words.building(key))
    used = [word(USED, mark) for mark in USED if mark in one.used]
    return [names.seat(seat), *(", ".join(row) or "–" for row in rows), ", ".join(used) or "–"]


def _advisor_row(seen: Mapping[str, Any], names: Names) -> list[Any]:
    said = [_("blocked")] if seen["blocked"] else []
    if seen["served"]:
        said.append(_("a choice is awaited here"))
    return [
        words.advisor(seen["no"]),
        help_words(seen["alternatives"]),
        ", ".join(map(names.seat, seen["seats"])) or "–",
        ", ".join(said),
    ]
