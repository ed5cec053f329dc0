"""Sentences of the hex war game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from matches.words.shared import Say, _because
from rulesengine.game import Carried

if TYPE_CHECKING:
    from matches.words import Names

type SayWhatFollowed = Callable[[Names, Mapping[str, Any], Carried], str]

UNITS = {
    "peasant": gettext_lazy("Peasant"),
    "spearmen": gettext_lazy("Spearmen"),
    "archers": gettext_lazy("Archers"),
    "axemen": gettext_lazy("Axemen"),
    "swordsmen": gettext_lazy("Swordsmen"),
    "horsemen": gettext_lazy("Horsemen"),
    "legion": gettext_lazy("Legion"),
    "catapult": gettext_lazy("Catapult"),
    "knights": gettext_lazy("Knights"),
    "galley": gettext_lazy("Galley"),
    "warship": gettext_lazy("Warship"),
}
BUILDINGS = {
    "hamlet": gettext_lazy("Hamlet"),
    "town": gettext_lazy("Town"),
    "city": gettext_lazy("City"),
    "castle": gettext_lazy("Castle"),
    "fortress": gettext_lazy("Fortress"),
    "settlement": gettext_lazy("Settlement"),
    "farm": gettext_lazy("Farm"),
    "fort": gettext_lazy("Fort"),
    "mine": gettext_lazy("Mine"),
    "port": gettext_lazy("Port"),
}
TERRAINS = {
    "grassland": gettext_lazy("Grassland"),
    "plain": gettext_lazy("Plain"),
    "forest": gettext_lazy("Forest"),
    "hill": gettext_lazy("Hills"),
    "mountain": gettext_lazy("Mountains"),
    "water": gettext_lazy("Water"),
}
REASONS = {
    "last_standing": gettext_lazy("only one player is left"),
    "round_limit": gettext_lazy("the last round is over"),
    "stopped": gettext_lazy("the organizer stopped it"),
    "time_called": gettext_lazy("time was called"),
    "draw_agreed": gettext_lazy("a draw was agreed"),
    "abandoned": gettext_lazy("it was abandoned"),
    "annulled": gettext_lazy("it was annulled"),
    "no_way_back": gettext_lazy("no region and nobody left to take one"),
    "resigned": gettext_lazy("resigned"),
}
SCORES = {
    "regions": gettext_lazy("Regions"),
    "ranks": gettext_lazy("Settlement ranks"),
    "unit_hp": gettext_lazy("HP of units"),
    "gold": gettext_lazy("Gold"),
}


def unit_type(key: str) -> str:
    """Return what a unit type is called."""
    return str(UNITS.get(key, key))


def building_kind(key: str | None) -> str:
    """Return what a kind of building or a tier is called."""
    return str(BUILDINGS.get(key or "", key))


def terrain(key: str) -> str:
    """Return what a terrain is called."""
    return str(TERRAINS.get(key, key))


def reason(key: str | None) -> str:
    """Return why a match ended or a player left."""
    return str(REASONS.get(key or "", key or ""))


def place(hex_: Sequence[int]) -> str:
    """Return a hex as the rules write it."""
    return f"[{hex_[0]}, {hex_[1]}]"


def result_rows(result: Mapping[str, Any]) -> tuple[list[str], dict[str, list[Any]]]:
    """Return the headings of the scores and each seat's figures."""
    rows = {row["seat"]: [row.get(key) for key in SCORES] for row in result.get("scores", ())}
    return [str(label) for label in SCORES.values()], rows


def result_note(result: Mapping[str, Any]) -> str:
    """Return why and when the match ended."""
    return _("Ended in round %(round)s: %(reason)s.") % {
        "round": result.get("round"),
        "reason": reason(result.get("reason")),
    }


def _unit(id_: str, carried: Carried | None) -> str:
    """Return a unit by type and id: ``Peasant u1``."""
    for state in (carried.before, carried.step.state) if carried is not None else ():
        if state is not None and id_ in state.units:
            return f"{unit_type(state.units[id_].type)} {id_}"
    return id_


def _building(id_: str, carried: Carried | None) -> str:
    """Return a building by kind, id and hex: ``City b1 [-2, 0]``."""
    for state in (carried.before, carried.step.state) if carried is not None else ():
        if state is not None and id_ in state.buildings:
            one = state.buildings[id_]
            return f"{building_kind(one.tier or one.kind)} {id_} {place(one.hex)}"
    return id_


def _computed(carried: Carried | None) -> Mapping[str, Any]:
    return (carried.step.computed or {}) if carried is not None else {}


def _moved(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    figures = _computed(carried)
    words = {"who": names.seat(seat), "unit": _unit(data["unit"], carried), "to": place(data["path"][-1])}
    if not figures:
        return _("%(who)s moves %(unit)s to %(to)s.") % words
    left = figures["movement_left"]
    sentence = _("%(who)s moves %(unit)s from %(from)s to %(to)s") % {**words, "from": place(figures["from"])}
    rest = ngettext("%(n)s movement point left", "%(n)s movement points left", left) % {"n": left}
    return f"{sentence}; {rest}" + (f"; {_('no longer fortified')}." if figures.get("fortify_ended") else ".")


def _attacked(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    sentence = _("%(who)s attacks %(target)s with %(unit)s.") % {
        "who": names.seat(seat),
        "unit": _unit(data["attacker"], carried),
        "target": _unit(data["target"], carried),
    }
    for index, strike in enumerate(_computed(carried).get("strikes", ())):
        words = {
            "by": _unit(strike["by"], carried),
            "on": _unit(strike["on"], carried),
            "attack": strike["attack"],
            "defence": strike["defence"],
            "damage": strike["damage"],
            "hp": strike["hp_after"],
        }
        sentence += " " + (
            _("Answer of %(by)s: attack %(attack)s against defence %(defence)s, damage %(damage)s, %(hp)s HP left.")
            % words
            if index
            else _("Attack %(attack)s against defence %(defence)s, damage %(damage)s, %(hp)s HP left.") % words
        )
    return sentence


def _fortified(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s fortifies %(unit)s.") % {"who": names.seat(seat), "unit": _unit(data["unit"], carried)}


def _construction(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    figures = _computed(carried)
    words = {
        "who": names.seat(seat),
        "unit": _unit(data["unit"], carried),
        "kind": building_kind(data["kind"]),
        "hex": place(data["hex"]),
    }
    if not figures:
        return _("%(who)s begins a %(kind)s on %(hex)s with %(unit)s.") % words
    words |= {"id": figures["building"], "gold": figures["gold"]}
    return _("%(who)s begins a %(kind)s (%(id)s) on %(hex)s with %(unit)s, who is used up; %(gold)s gold left.") % words


def _captured(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    figures = _computed(carried)
    words = {"who": names.seat(seat), "unit": _unit(data["unit"], carried)}
    if not figures:
        return _("%(who)s captures a region with %(unit)s.") % words
    words |= {"region": figures["region"]}
    if figures["from_owner"]:
        words |= {"owner": names.seat(figures["from_owner"])}
        return _("%(who)s captures the region %(region)s from %(owner)s with %(unit)s.") % words
    return _("%(who)s takes the free region %(region)s with %(unit)s.") % words


def _recruited(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    figures = _computed(carried)
    words = {"who": names.seat(seat), "type": unit_type(data["type"]), "building": _building(data["building"], carried)}
    if not figures:
        return _("%(who)s recruits %(type)s in %(building)s.") % words
    words |= {"id": figures["unit"], "gold": figures["gold"]}
    return _("%(who)s recruits %(type)s %(id)s in %(building)s; %(gold)s gold left.") % words


def _upgraded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    figures = _computed(carried)
    words = {"who": names.seat(seat), "building": _building(data["settlement"], carried)}
    if not figures:
        return _("%(who)s upgrades %(building)s.") % words
    words |= {"to": building_kind(figures["to"]), "gold": figures["gold"]}
    return _("%(who)s upgrades %(building)s to a %(to)s; %(gold)s gold left.") % words


def _turn_ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s ends the turn.") % {"who": names.seat(seat)}


def _stopped(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    counted = {
        "score": _("The organizer stops the match; it counts by the score"),
        "draw": _("The organizer stops the match; it counts as a draw"),
        "void": _("The organizer stops the match; it counts for nothing"),
    }
    return _because(counted[data["counts_as"]], data)


EVENTS: dict[str, Say] = {
    "unit_moved": _moved,
    "unit_attacked": _attacked,
    "unit_fortified": _fortified,
    "construction_started": _construction,
    "territory_captured": _captured,
    "unit_recruited": _recruited,
    "settlement_upgraded": _upgraded,
    "turn_ended": _turn_ended,
    "match_stopped": _stopped,
}


def _round_started(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    cleared = data.get("penalties_cleared") or []
    sentence = _("Round %(round)s begins.") % {"round": data["round"]}
    if cleared:
        units = ", ".join(_unit(id_, carried) for id_ in cleared)
        sentence += " " + _("The Catapult’s penalty is lifted from %(units)s.") % {"units": units}
    return sentence


def _turn_started(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("%(who)s is to act.") % {"who": names.seat(data["seat"])}


def _completed(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"kind": building_kind(data["kind"]), "id": data["building"], "hex": place(data["hex"])}
    return _("The %(kind)s %(id)s on %(hex)s is finished.") % words


def _income(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "amount": data["amount"], "gold": data["gold"]}
    return _("%(who)s receives %(amount)s gold and now has %(gold)s.") % words


def _penalty_added(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"unit": _unit(data["unit"], carried), "amount": data["amount"], "total": data["total"]}
    return _("The Catapult’s hit lowers the defence of %(unit)s by %(amount)s, by %(total)s in all.") % words


def _defeated(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"unit": _unit(data["unit"], carried), "by": _unit(data["by"], carried), "hex": place(data["hex"])}
    return _("%(unit)s on %(hex)s is defeated by %(by)s.") % words


def _eliminated(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "place": data["place"], "reason": reason(data["reason"])}
    return _("%(who)s is out on place %(place)s (%(reason)s).") % words


def _match_ended(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    placed = ", ".join(
        _("%(place)s. %(who)s") % {"place": row["place"], "who": names.seat(row["seat"])} for row in data["placements"]
    )
    sentence = _("The match is over: %(reason)s.") % {"reason": reason(data["reason"])}
    return f"{sentence} {placed}" if placed else sentence


CONSEQUENCES: dict[str, SayWhatFollowed] = {
    "round_started": _round_started,
    "turn_started": _turn_started,
    "construction_completed": _completed,
    "income_paid": _income,
    "defence_penalty_added": _penalty_added,
    "unit_defeated": _defeated,
    "player_eliminated": _eliminated,
    "match_ended": _match_ended,
}
