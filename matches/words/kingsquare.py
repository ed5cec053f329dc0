"""Sentences of KingSquare: what happened, what followed, and the figures of the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from matches.words.shared import Say, _because
from rulesengine.game import Carried
from rulesengine.kingsquare.events import one_name

if TYPE_CHECKING:
    from matches.words import Names

type SayWhatFollowed = Callable[[Names, Mapping[str, Any], Carried], str]

BUILDINGS = {
    "farm": gettext_lazy("Farm"),
    "lumber_mill": gettext_lazy("Lumber Mill"),
    "quarry": gettext_lazy("Quarry"),
    "barracks": gettext_lazy("Barracks"),
    "harbor": gettext_lazy("Harbor"),
    "hangar": gettext_lazy("Hangar"),
    "trainyard": gettext_lazy("Trainyard"),
    "university": gettext_lazy("University"),
    "embassy": gettext_lazy("Embassy"),
    "religion": gettext_lazy("Religion"),
    "war_forge": gettext_lazy("War Forge"),
    "wall": gettext_lazy("Wall"),
}
LINKS = {
    "road": gettext_lazy("Road"),
    "improved_road": gettext_lazy("Improved Road"),
    "bridge": gettext_lazy("Bridge"),
    "rail": gettext_lazy("Rail"),
}
CONDITIONS = {
    "active": pgettext_lazy("a building", "active"),
    "isolated": pgettext_lazy("a building", "isolated"),
    "ruined": pgettext_lazy("a building", "ruined"),
}
ROLES = {
    "military": gettext_lazy("military fortress"),
    "industrial": gettext_lazy("industrial powerhouse"),
    "religious": gettext_lazy("religious centre"),
    "transport": gettext_lazy("transport hub"),
    "diplomatic": gettext_lazy("diplomatic capital"),
    "other": gettext_lazy("a city of its own kind"),
}
DISTRICTS = {
    "military": gettext_lazy("Military District"),
    "harbor": gettext_lazy("Harbor District"),
    "university": gettext_lazy("University District"),
    "industrial": gettext_lazy("Industrial District"),
    "religious": gettext_lazy("Religious District"),
}
BEASTS = {
    "dangerous": gettext_lazy("Dangerous Beast"),
    "epic": gettext_lazy("Epic Creature"),
    "legendary": gettext_lazy("Legendary Monster"),
}
CONTENTS = {
    "nothing": gettext_lazy("nothing"),
    "beast": gettext_lazy("a beast"),
    "resource": gettext_lazy("a resource"),
    "landmark": gettext_lazy("a landmark"),
}
RESOURCES = {"wood": gettext_lazy("wood"), "stone": gettext_lazy("stone"), "food": gettext_lazy("food")}
TERRAINS = {
    "open": gettext_lazy("open ground"),
    "water": gettext_lazy("water"),
    "shore": gettext_lazy("shore"),
    "impassable": gettext_lazy("impassable"),
}
STEPS = {
    "infrastructure": gettext_lazy("Infrastructure"),
    "institutions": gettext_lazy("Institutions"),
    "military": gettext_lazy("Military"),
    "castle": gettext_lazy("Castle"),
    "king": gettext_lazy("King"),
}
PHASES = {
    "produce": gettext_lazy("produce phase"),
    "move": gettext_lazy("move phase"),
    "act": gettext_lazy("act phase"),
}
TECHNOLOGIES = {"master_craftsmanship": gettext_lazy("Master Craftsmanship")}
UNITS = {"ship": gettext_lazy("ships"), "plane": gettext_lazy("planes")}
CAUSES = {
    "king_defeated": gettext_lazy("the King is defeated"),
    "cannot_govern": gettext_lazy("unable to govern"),
    "surrendered": gettext_lazy("surrendered"),
    "forfeited": gettext_lazy("forfeited"),
}
REASONS = {
    "last_standing": gettext_lazy("only one Kingdom is left"),
    "round_limit": gettext_lazy("the last round is over"),
    "time": gettext_lazy("time is up"),
    "agreement": gettext_lazy("it was agreed"),
}
ALLIANCES = {
    "proposed": pgettext_lazy("an alliance", "proposed"),
    "active": pgettext_lazy("an alliance", "active"),
    "ending": pgettext_lazy("an alliance", "ending"),
    "ended": pgettext_lazy("an alliance", "ended"),
}
PENALTIES = {
    "warning": gettext_lazy("a warning"),
    "ap_loss": gettext_lazy("loss of Action Points"),
    "turn_loss": gettext_lazy("loss of turns"),
    "disqualification": gettext_lazy("disqualification"),
}
SCORES = {
    "castles": gettext_lazy("Castle levels"),
    "king": gettext_lazy("King level"),
    "buildings": gettext_lazy("Building levels"),
    "power": gettext_lazy("Power"),
    "beasts": gettext_lazy("Beasts"),
}
SET_UP = {
    "match_created": gettext_lazy("the match"),
    "rules_overridden": gettext_lazy("another figure or option"),
    "official_assigned": gettext_lazy("an official"),
    "official_released": gettext_lazy("an official released"),
    "seat_taken": gettext_lazy("a seat taken"),
    "seat_released": gettext_lazy("a seat released"),
    "turn_order_set": gettext_lazy("the turn order"),
}


# Names of things ---------------------------------------------------------------------------------------------------


def word(words: Mapping[str, Any], key: Any) -> str:
    """Return the word for a key, or the key where there is none."""
    return str(words.get(key, key))


def building_kind(key: str) -> str:
    """Return what a kind of building is called, also by its synonyms."""
    return word(BUILDINGS, one_name(key))


def link_kind(key: str) -> str:
    """Return what a kind of link is called, also by its synonyms."""
    return word(LINKS, one_name(key))


def district_kind(key: str) -> str:
    """Return what a kind of district is called."""
    return word(DISTRICTS, key.lower()) if key.lower() in DISTRICTS else key


def feet(ft10: int) -> str:
    """Return a length given in tenths of a foot."""
    whole, tenth = divmod(ft10, 10)
    return _("%(feet)s ft") % {"feet": f"{whole}.{tenth}" if tenth else whole}


def castle(id_: str, given: str | None) -> str:
    """Return a Castle by its name and id, or by its id alone."""
    return _("%(name)s (%(id)s)") % {"name": given, "id": id_} if given else _("Castle %(id)s") % {"id": id_}


def stacks(counted: Mapping[Any, int] | Iterable[tuple[Any, int]]) -> str:
    """Return soldiers by level: ``12 of level 0, 36 of level 5``."""
    pairs = counted.items() if isinstance(counted, Mapping) else counted
    rows = sorted((int(level), count) for level, count in pairs)
    return ", ".join(_("%(n)s of level %(level)s") % {"n": count, "level": level} for level, count in rows)


def soldiers(count: int) -> str:
    """Return a number of soldiers."""
    return ngettext("%(n)s soldier", "%(n)s soldiers", count) % {"n": count}


def result_rows(result: Mapping[str, Any]) -> tuple[list[str], dict[str, list[Any]]]:
    """Return the headings of the scores and each seat's figures."""
    rows = {row["seat"]: [row.get(key) for key in SCORES] for row in result.get("scores", ())}
    return [str(label) for label in SCORES.values()], rows


def standing(state: Any) -> list[str]:
    """Return what the line above the board says besides round and turn: the phase, and the Action Points left."""
    if state.status == "setup":
        return [_("The table is being set up.")]
    if state.status == "paused":
        return [_("The match is paused.")]
    said = [word(PHASES, state.phase)] if state.phase else []
    return [*said, ap_words(state)] if state.phase == "act" else said


def ap_words(state: Any) -> str:
    """Return how many Action Points of the turn are left."""
    left = state.ap_total - state.ap_spent
    return ngettext("%(n)s of %(total)s AP left", "%(n)s of %(total)s AP left", left) % {
        "n": left,
        "total": state.ap_total,
    }


def result_note(result: Mapping[str, Any]) -> str:
    """Return why and when the match ended."""
    return _("Ended in round %(round)s: %(reason)s.") % {
        "round": result.get("round"),
        "reason": word(REASONS, result.get("cause")),
    }


def _states(carried: Carried | None) -> list[Any]:
    if carried is None:
        return []
    return [state for state in (carried.before, carried.step.state) if state is not None]


def _castle(id_: str, carried: Carried | None) -> str:
    for state in reversed(_states(carried)):
        if id_ in state.works.castles:
            return castle(id_, state.works.castles[id_].name)
    return castle(id_, None)


def _building(id_: str, carried: Carried | None, *, home: bool = True) -> str:
    """Return a building by kind and id, and the Castle it belongs to."""
    for state in reversed(_states(carried)):
        one = state.works.buildings.get(id_)
        if one is not None:
            named = f"{building_kind(one.kind)} {id_}"
            where = _castle(one.castle, carried)
            return _("%(building)s at %(castle)s") % {"building": named, "castle": where} if home else named
    return _("building %(id)s") % {"id": id_}


def _link(id_: str, carried: Carried | None) -> str:
    for state in reversed(_states(carried)):
        one = state.works.links.get(id_)
        if one is not None:
            ends = {"a": _end(one.a, carried), "b": _end(one.b, carried)}
            return _("%(link)s between %(a)s and %(b)s") % {"link": f"{link_kind(one.kind)} {id_}", **ends}
    return _("link %(id)s") % {"id": id_}


def _end(id_: str, carried: Carried | None) -> str:
    """Return the end of a link: a Castle, a building or a junction."""
    for state in reversed(_states(carried)):
        if id_ in state.works.castles:
            return _castle(id_, carried)
        if id_ in state.works.buildings:
            return _building(id_, carried, home=False)
    return _("junction %(id)s") % {"id": id_}


def _unit(id_: str, names: Names, carried: Carried | None) -> str:
    if id_.startswith("king:"):
        return _("the King of %(who)s") % {"who": names.seat(id_[5:])}
    for state in _states(carried):
        if id_ in state.armies:
            return _("army %(id)s") % {"id": id_}
        if id_ in state.ships:
            return _("ship %(id)s") % {"id": id_}
        if id_ in state.planes:
            return _("plane %(id)s") % {"id": id_}
    return _("unit %(id)s") % {"id": id_}


def _units(ids: Iterable[str], names: Names, carried: Carried | None) -> str:
    *some, last = (_unit(id_, names, carried) for id_ in ids)
    return _("%(some)s and %(last)s") % {"some": ", ".join(some), "last": last} if some else last


def beast(id_: str, cls: str, given: str | None) -> str:
    """Return a beast by its class, name and id."""
    named = f"{word(BEASTS, cls)} {id_}"
    return _("%(beast)s, “%(name)s”") % {"beast": named, "name": given} if given else named


def _beast(id_: str, carried: Carried | None) -> str:
    for state in _states(carried):
        if id_ in state.beasts:
            return beast(id_, state.beasts[id_].cls, state.beasts[id_].name)
    return _("beast %(id)s") % {"id": id_}


def _place(at: Any, carried: Carried | None) -> str:
    """Return a place as recorded."""
    if not isinstance(at, Mapping):
        return _("the table")
    if isinstance(at.get("castle"), str):
        return _castle(at["castle"], carried)
    return _("the field “%(field)s”") % {"field": at["field"]}


def place_words(at: Any, state: Any) -> str:
    """Return a place of a position."""
    if at is None:
        return "–"
    if at.castle is not None:
        one = state.works.castles.get(at.castle)
        return castle(at.castle, one.name if one is not None else None)
    return _("the field “%(field)s”") % {"field": at.field}


def step_words(text: str, names: Names, state: Any) -> str:
    """Return a pressed step: who has pressed what where."""
    seat, castle_id, step = text.split("/")
    one = state.works.castles.get(castle_id)
    return _("%(who)s has pressed the step %(step)s at %(castle)s.") % {
        "who": names.seat(seat),
        "step": word(STEPS, step),
        "castle": castle(castle_id, one.name if one is not None else None),
    }


def _target(target: Mapping[str, Any], names: Names, carried: Carried | None) -> str:
    kind, id_ = target["kind"], target["id"]
    if kind == "building":
        return _building(id_, carried)
    if kind == "castle":
        return _castle(id_, carried)
    if kind == "garrison":
        if target.get("owner"):
            words = {"who": _owner(target["owner"], names), "castle": _castle(id_, carried)}
            return _("the garrison of %(who)s in %(castle)s") % words
        return _("the garrison of %(castle)s") % {"castle": _castle(id_, carried)}
    if kind == "link":
        return _link(id_, carried)
    return _unit(id_, names, carried)


def _owner(seat: str, names: Names) -> str:
    return _("the official pieces") if seat == "official" else names.seat(seat)


def _who(names: Names, seat: str | None, carried: Carried | None) -> str:
    """Return who acts: the seat's name, or its General."""
    if carried is not None and carried.event is not None and carried.event.acting_as == "general":
        return _("the General of %(who)s") % {"who": names.seat(seat)}
    return names.seat(seat)


def _said(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def _computed(carried: Carried | None) -> Mapping[str, Any]:
    return (carried.step.computed or {}) if carried is not None else {}


def _spent(carried: Carried | None) -> str:
    """Return how many Action Points an action took and how many are left."""
    if carried is None or carried.event is None or carried.before is None:
        return ""
    before, after = carried.before, carried.step.state
    spent = after.ap_spent - before.ap_spent
    if spent <= 0 or before.turn_kingdom != after.turn_kingdom or before.ap_total != after.ap_total:
        return ""
    left = after.ap_total - after.ap_spent
    return " " + ngettext("%(spent)s AP spent, %(n)s AP left.", "%(spent)s AP spent, %(n)s AP left.", left) % {
        "spent": spent,
        "n": left,
    }


def _action(sentence: str, carried: Carried | None, data: Mapping[str, Any] | None = None) -> str:
    """Return the sentence of an action, with its price."""
    return _said(sentence) + _spent(carried)


# Events ------------------------------------------------------------------------------------------------------------


def _set_up(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    setup = getattr(carried.step.state, "setup", None) if carried is not None else None
    if setup is None:
        return _("The match is set up.")
    count = len(setup.seats)
    sentence = ngettext(
        "The match is set up for %(n)s Kingdom under %(edition)s, in this order: %(seats)s.",
        "The match is set up for %(n)s Kingdoms under %(edition)s, in this order: %(seats)s.",
        count,
    ) % {"n": count, "edition": setup.edition, "seats": names.some(list(setup.seats))}
    for one, level in setup.king_levels.items():
        if level != 1:
            words = {"who": names.seat(one), "level": level}
            sentence += " " + _("The King of %(who)s begins at level %(level)s.") % words
    generals = [one for one in setup.seats if setup.generals.get(one)]
    if generals:
        sentence += " " + _("A General serves %(seats)s.") % {"seats": names.some(generals)}
    return sentence


def _spelled_out(what: str) -> Say:
    def say(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
        return _("The file spells out a part of the set-up (%(what)s); the header holds.") % {"what": SET_UP[what]}

    return say


def _king_level(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(data["kingdom"]), "level": data["level"]}
    return _("The King of %(who)s begins at level %(level)s.") % words


def _piece_placed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "level": data["level"], "place": _place(data["at"], carried)}
    return _("%(who)s places the General’s piece of level %(level)s at %(place)s.") % words


def _piece_lost(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("%(who)s loses the General’s piece") % {"who": names.seat(seat)}, data, "cause")


def _terrain(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"field": data["label"], "kind": word(TERRAINS, data["kind"])}
    return _("The MapMaster makes the field “%(field)s” %(kind)s.") % words


def _beast_placed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"beast": beast(data["beast"], data["class"], data.get("name")), "place": _place(data["at"], carried)}
    if data.get("hidden"):
        return _("The MapMaster hides the %(beast)s at %(place)s.") % words
    return _("The MapMaster places the %(beast)s at %(place)s.") % words


def _site_placed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"site": data["site"], "place": _place(data["at"], carried), "content": word(CONTENTS, data["content"])}
    return _("The MapMaster lays the site %(site)s at %(place)s: there is %(content)s to discover.") % words


def _doctrine(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"level": data["level"], "name": data["name"]}
    return _because(_("The doctrine of War Forge level %(level)s is “%(name)s”") % words, data, "text")


def _capital(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "castle": castle(data["castle"], data.get("name"))}
    if data.get("at"):
        words |= {"place": _place(data["at"], carried)}
        return _("%(who)s founds the Capital at %(place)s: %(castle)s.") % words
    return _("%(who)s founds the Capital: %(castle)s.") % words


def _started(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The match starts: round 1.")


def _turn_started(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(data.get("kingdom") or seat), "round": data.get("round", "–")}
    return _("The file says that the turn of %(who)s in round %(round)s begins.") % words


def _phase(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s: the %(phase)s begins.") % {"who": names.seat(seat), "phase": word(PHASES, data["to"])}


def _turn_ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    sentence = _("%(who)s ends the turn.") % {"who": names.seat(seat)}
    before = carried.before if carried is not None else None
    left = before.ap_total - before.ap_spent if before is not None and before.turn_kingdom == seat else 0
    if left > 0 and carried is not None and carried.event is not None:
        sentence += " " + ngettext("%(n)s AP unspent.", "%(n)s AP unspent.", left) % {"n": left}
    return sentence


def _turn_skipped(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The turn of %(who)s passes") % {"who": names.seat(data["kingdom"])}, data)


def _troops(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "building": _building(data["building"], carried),
        "soldiers": soldiers(data["count"]),
        "level": data["soldier_level"],
        "army": data["army"],
    }
    return _said(_("%(who)s: %(building)s produces %(soldiers)s of level %(level)s for army %(army)s.") % words)


def _resources(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "building": _building(data["building"], carried),
        "amount": data["amount"],
        "kind": word(RESOURCES, data["kind"]),
    }
    return _said(_("%(who)s: %(building)s produces %(amount)s %(kind)s.") % words)


def _waived(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "building": _building(data["building"], carried)}
    return _because(_said(_("%(who)s waives the production of %(building)s") % words), data)


def _split(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "army": data["army"],
        "new": data["new_army"],
        "stacks": stacks(data["stacks"]),
    }
    return _said(_("%(who)s splits army %(army)s: %(stacks)s become army %(new)s.") % words)


def _merged(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "from": data["from"], "into": data["into"]}
    return _said(_("%(who)s merges army %(from)s into army %(into)s.") % words)


def _way(data: Mapping[str, Any], carried: Carried | None) -> str:
    """Return how a move went: its lengths off and on roads, or in the air."""
    if data.get("mode") == "air":
        return _("through the air")
    parts = (
        [_("%(feet)s off road") % {"feet": feet(data["off_ft10"])}] if data["off_ft10"] or not data["on_ft10"] else []
    )
    if data["on_ft10"]:
        along = ", ".join(data.get("links") or ())
        words = {"feet": feet(data["on_ft10"]), "links": along}
        parts.append(_("%(feet)s along %(links)s") % words if along else _("%(feet)s on road") % words)
    return ", ".join(parts)


def _from(data: Mapping[str, Any], names: Names, carried: Carried | None) -> str:
    before = carried.before if carried is not None else None
    at = before.place_of(data["units"][0]) if before is not None and data["units"] else None
    return place_words(at, before) if at is not None else ""


def _moved(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "units": _units(data["units"], names, carried),
        "from": _from(data, names, carried),
        "to": _place(data["to"], carried),
        "way": _way(data, carried),
    }
    if words["from"]:
        return _said(_("%(who)s moves %(units)s from %(from)s to %(to)s, %(way)s.") % words)
    return _said(_("%(who)s moves %(units)s to %(to)s, %(way)s.") % words)


def _forwarded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "units": _units(data["units"], names, carried)}
    rail = data.get("rail")
    if rail is not None:
        words |= {"from": _building(rail["from_building"], carried), "to": _building(rail["to_building"], carried)}
        return _action(_("%(who)s sends %(units)s forward by rail from %(from)s to %(to)s.") % words, carried)
    words |= {"to": _place(data["to"], carried), "way": _way(data, carried), "from": _from(data, names, carried)}
    if words["from"]:
        return _action(_("%(who)s sends %(units)s forward from %(from)s to %(to)s, %(way)s.") % words, carried)
    return _action(_("%(who)s sends %(units)s forward to %(to)s, %(way)s.") % words, carried)


def _rail(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "units": _units(data["units"], names, carried),
        "from": _building(data["from_building"], carried),
        "to": _building(data["to_building"], carried),
    }
    return _said(_("%(who)s moves %(units)s by rail from %(from)s to %(to)s.") % words)


def _embarked(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "army": data["army"], "ship": data["ship"]}
    words |= {"stacks": stacks(data["stacks"])}
    return _said(_("%(who)s embarks from army %(army)s on ship %(ship)s: %(stacks)s.") % words)


def _landed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "army": data["army"], "ship": data["ship"]}
    words |= {"stacks": stacks(data["stacks"])}
    return _said(_("%(who)s lands from ship %(ship)s as army %(army)s: %(stacks)s.") % words)


def _built(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "building": f"{building_kind(data['kind'])} {data['building']}",
        "castle": _castle(data["castle"], carried),
    }
    if data["direct"]:
        return _action(_("%(who)s builds %(building)s at %(castle)s, touching the Castle.") % words, carried)
    return _action(_("%(who)s builds %(building)s at %(castle)s, apart from the Castle.") % words, carried)


def _castle_founded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "castle": castle(data["castle"], data.get("name")),
        "place": _place(data["at"], carried),
        "feet": feet(data["king_distance_ft10"]),
    }
    return _action(_("%(who)s founds %(castle)s at %(place)s, %(feet)s from the King.") % words, carried)


def _district_founded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "castle": castle(data["castle"], data.get("name")),
        "kind": district_kind(data["district_kind"]),
        "parent": _castle(data["parent_castle"], carried),
    }
    return _action(_("%(who)s founds %(castle)s, %(kind)s, in the Territory of %(parent)s.") % words, carried)


def _laid(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "link": f"{link_kind(data.get('kind', 'rail'))} {data['link']}",
        "a": _end(data["a"], carried),
        "b": _end(data["b"], carried),
        "feet": feet(data["length_ft10"]),
    }
    return _action(_("%(who)s lays %(link)s between %(a)s and %(b)s, %(feet)s long.") % words, carried)


def _ship_built(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "id": data["ship"], "at": _building(data["harbor"], carried)}
    return _action(_("%(who)s builds ship %(id)s in %(at)s.") % words, carried)


def _plane_built(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "id": data["plane"], "at": _building(data["hangar"], carried)}
    return _action(_("%(who)s builds plane %(id)s in %(at)s.") % words, carried)


def _king_upgraded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "level": data["to_level"]}
    return _action(_("%(who)s raises the King to level %(level)s.") % words, carried)


def _castle_upgraded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "what": _castle(data["castle"], carried), "level": data["to_level"]}
    return _action(_("%(who)s raises %(what)s to level %(level)s.") % words, carried)


def _building_upgraded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "what": _building(data["building"], carried), "level": data["to_level"]}
    return _action(_("%(who)s raises %(what)s to level %(level)s.") % words, carried)


def _repaired(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "what": _target(data["target"], names, carried)}
    return _action(_("%(who)s repairs %(what)s.") % words, carried)


def _figures(data: Mapping[str, Any], carried: Carried | None) -> str:
    """Return the figures of a battle as computed, and the table's own where they differ."""
    figures, words = _computed(carried), ""
    if "net" in figures:
        words += " " + _(
            "Attack %(attack)s against defence %(defence)s: net damage %(net)s, returned %(returned)s."
        ) % {
            "attack": figures.get("attack", "–"),
            "defence": figures.get("defence", "–"),
            "net": figures["net"],
            "returned": figures.get("returned", 0),
        }
        seen = data.get("observed") or {}
        if any(key in seen and seen[key] != figures.get(key) for key in ("net", "returned")):
            words += " " + _("The table counted net damage %(net)s, returned %(returned)s.") % {
                "net": seen.get("net", "–"),
                "returned": seen.get("returned", "–"),
            }
    return words


def _attacked(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "units": _units(data["attackers"], names, carried),
        "target": _target(data["target"], names, carried),
    }
    sentence = _said(_("%(who)s attacks %(target)s with %(units)s.") % words)
    return sentence + _figures(data, carried) + _spent(carried)


def _sortie(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "units": _units(data["planes"], names, carried),
        "target": _target(data["target"], names, carried),
    }
    sentence = _said(_("%(who)s flies a sortie with %(units)s against %(target)s.") % words)
    return sentence + _figures(data, carried) + _spent(carried)


def _discovery(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "unit": _unit(data["unit"], names, carried),
        "found": word(CONTENTS, data["result"]),
        "place": _("the site %(site)s") % {"site": data["site"]}
        if data.get("site")
        else _place(data.get("at"), carried),
    }
    if data["result"] == "resource":
        words["found"] = word(RESOURCES, data.get("resource"))
    return _action(_("%(who)s scouts %(place)s with %(unit)s and finds %(found)s.") % words, carried)


def _engaged(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": _who(names, seat, carried),
        "units": _units(data["attackers"], names, carried),
        "beast": _beast(data["beast"], carried),
    }
    sentence = _said(_("%(who)s engages the %(beast)s with %(units)s.") % words)
    left = None
    if carried is not None and carried.event is not None and data["beast"] in carried.step.state.beasts:
        left = carried.step.state.beasts[data["beast"]].strength_left
    sentence += _figures(data, carried)
    if left:
        sentence += " " + _("It has %(left)s strength left.") % {"left": left}
    return sentence + _spent(carried)


def _alliance_of(id_: str, names: Names, carried: Carried | None) -> str:
    for state in reversed(_states(carried)):
        if id_ in state.alliances:
            words = {"id": id_, "who": names.some(list(state.alliances[id_].kingdoms))}
            return _("the alliance %(id)s of %(who)s") % words
    return _("the alliance %(id)s") % {"id": id_}


def _alliance_proposed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "to": names.seat(data["to_kingdom"]), "id": data["alliance"]}
    return _because(_("%(who)s offers %(to)s the alliance %(id)s") % words, data, "terms")


def _alliance(sentence: Any) -> Say:
    def say(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
        words = {"who": names.seat(seat), "alliance": _alliance_of(data["alliance"], names, carried)}
        return _because(str(sentence) % words, data)

    return say


def _role(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "castle": _castle(data["castle"], carried), "role": word(ROLES, data["role"])}
    return _("%(who)s declares %(castle)s: %(role)s.") % words


def _treaty(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "with": names.some(list(data["kingdoms"]))}
    return _because(_("%(who)s notes a treaty of %(with)s") % words, data, "text")


def _appointed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s appoints a General.") % {"who": names.seat(seat)}


def _dismissed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("%(who)s dismisses the General") % {"who": names.seat(seat)}, data)


def _general_resigned(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The General of %(who)s resigns") % {"who": names.seat(seat)}, data)


def _revealed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The %(beast)s comes to light.") % {"beast": _beast(data["beast"], carried)}


def _buff_assigned(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": _who(names, seat, carried), "beast": _beast(data["beast"], carried), "army": data["army"]}
    return _said(_("%(who)s gives the buff of the %(beast)s to army %(army)s.") % words)


def _beast_acted(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"beast": _beast(data["beast"], carried)}
    if data.get("at"):
        return _("The %(beast)s moves to %(place)s.") % {**words, "place": _place(data["at"], carried)}
    return _("The %(beast)s moves.") % words


def _resigned(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("%(who)s surrenders the Kingdom") % {"who": names.seat(seat)}, data)


def _forfeited(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The Kingdom of %(who)s is forfeited") % {"who": names.seat(data["kingdom"])}, data)


def _govern_loss(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("%(who)s is declared unable to govern") % {"who": names.seat(data["kingdom"])}, data)


def _pieces_removed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    sentence = _("The own pieces of %(who)s leave the table") % {"who": names.seat(data["kingdom"])}
    pieces = data.get("pieces")
    return _because(sentence, {"reason": pieces if isinstance(pieces, str) else ", ".join(pieces or ())})


def _replaced(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": names.seat(data["kingdom"]),
        "castles": ", ".join(_castle(id_, carried) for id_ in data["castles"]),
    }
    return _("Official pieces stand in for %(castles)s of %(who)s.") % words


def _time(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("agreed"):
        return _("Time is called, as agreed by %(who)s.") % {"who": names.some(list(data["agreed"]))}
    return _("Time is called.")


def _ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    placed = ", ".join(
        _("%(place)s. %(who)s") % {"place": row["place"], "who": names.seat(row["seat"])}
        for row in data.get("placements") or ()
    )
    return (
        _("The end of the match is recorded: %(places)s") % {"places": placed}
        if placed
        else _("The end of the match is recorded.")
    )


def _penalty(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(data["seat"]), "kind": word(PENALTIES, data["kind"]), "value": data.get("value", 1)}
    if data["kind"] in ("ap_loss", "turn_loss"):
        return _because(_("Penalty for %(who)s: %(kind)s, %(value)s") % words, data)
    return _because(_("Penalty for %(who)s: %(kind)s") % words, data)


def _overridden(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    outcome = data["outcome"]
    words = {"seq": data["battle_seq"], "net": outcome["net"], "returned": outcome["returned"]}
    sentence = _("The referee sets the outcome of entry %(seq)s to net damage %(net)s, returned %(returned)s") % words
    return _because(sentence, data)


EVENTS: dict[str, Say] = {
    "match_set_up": _set_up,
    **{type_: _spelled_out(type_) for type_ in SET_UP},
    "king_level_recorded": _king_level,
    "general_piece_placed": _piece_placed,
    "general_piece_lost": _piece_lost,
    "terrain_placed": _terrain,
    "beast_placed": _beast_placed,
    "site_placed": _site_placed,
    "doctrine_defined": _doctrine,
    "capital_founded": _capital,
    "match_started": _started,
    "turn_started": _turn_started,
    "phase_advanced": _phase,
    "turn_ended": _turn_ended,
    "turn_skipped": _turn_skipped,
    "troops_produced": _troops,
    "resources_produced": _resources,
    "production_waived": _waived,
    "army_split": _split,
    "army_merged": _merged,
    "unit_moved": _moved,
    "unit_forwarded": _forwarded,
    "rail_travelled": _rail,
    "troops_embarked": _embarked,
    "troops_landed": _landed,
    "building_built": _built,
    "castle_founded": _castle_founded,
    "district_founded": _district_founded,
    "road_laid": _laid,
    "rail_laid": _laid,
    "ship_built": _ship_built,
    "plane_built": _plane_built,
    "king_upgraded": _king_upgraded,
    "castle_upgraded": _castle_upgraded,
    "building_upgraded": _building_upgraded,
    "structure_repaired": _repaired,
    "attack_made": _attacked,
    "sortie_flown": _sortie,
    "discovery_made": _discovery,
    "beast_engaged": _engaged,
    "alliance_proposed": _alliance_proposed,
    "alliance_withdrawn": _alliance(gettext_lazy("%(who)s takes %(alliance)s back")),
    "alliance_accepted": _alliance(gettext_lazy("%(who)s accepts %(alliance)s")),
    "alliance_declined": _alliance(gettext_lazy("%(who)s declines %(alliance)s")),
    "alliance_ended": _alliance(gettext_lazy("%(who)s ends %(alliance)s")),
    "castle_role_declared": _role,
    "treaty_noted": _treaty,
    "general_appointed": _appointed,
    "general_dismissed": _dismissed,
    "general_resigned": _general_resigned,
    "beast_revealed": _revealed,
    "beast_buff_assigned": _buff_assigned,
    "beast_acted": _beast_acted,
    "player_resigned": _resigned,
    "kingdom_forfeited": _forfeited,
    "govern_loss_declared": _govern_loss,
    "custom_pieces_removed": _pieces_removed,
    "territory_replaced": _replaced,
    "time_called": _time,
    "match_ended": _ended,
    "penalty_given": _penalty,
    "result_overridden": _overridden,
}


# What followed -----------------------------------------------------------------------------------------------------


def _ap(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    amount = data.get("amount", carried.step.state.ap_total)
    words = {"who": names.seat(data["id"]), "n": amount}
    return ngettext("%(who)s has %(n)s Action Point.", "%(who)s has %(n)s Action Points.", amount) % words


def _technology(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    opened = data.get("kinds") or ()
    if not opened:
        return _("A new rung of the ladder opens for %(who)s.") % {"who": names.seat(data["id"])}
    words = {**TECHNOLOGIES, **LINKS, **UNITS, **BUILDINGS}
    return _("New for %(who)s: %(what)s.") % {
        "who": names.seat(data["id"]),
        "what": ", ".join(word(words, one) for one in opened),
    }


def _structure(id_: str, carried: Carried) -> str:
    """Return what was hit: a building, a Castle or a ship."""
    for state in _states(carried):
        if id_ in state.works.buildings:
            return _building(id_, carried)
        if id_ in state.ships:
            return _("ship %(id)s") % {"id": id_}
        if id_ in state.planes:
            return _("plane %(id)s") % {"id": id_}
    return _castle(id_, carried)


def _left(id_: str, carried: Carried) -> int | None:
    """Return the structure points that something has left."""
    state = carried.step.state
    one = state.works.buildings.get(id_) or state.works.castles.get(id_)
    options = state.setup.options
    if one is not None:
        return max(0, options.structure_per_level * one.level - one.damage)
    if id_ in state.ships:
        return max(0, options.ship_structure - state.ships[id_].damage)
    if id_ in state.planes:
        return max(0, options.plane_structure - state.planes[id_].damage)
    return None


def _damaged(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"what": _structure(data["id"], carried), "left": _left(data["id"], carried)}
    if words["left"] is None:
        return _said(_("%(what)s is damaged.") % words)
    return _said(_("%(what)s is damaged and has %(left)s structure points left.") % words)


def _ruined(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _said(_("%(what)s is a Ruin.") % {"what": _structure(data["id"], carried)})


def _cut(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _said(_("%(link)s is cut.") % {"link": _link(data["id"], carried)})


def _isolated(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _said(_("%(what)s is isolated and does nothing.") % {"what": _building(data["id"], carried)})


def _reconnected(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _said(_("%(what)s is connected again.") % {"what": _building(data["id"], carried)})


def _lost(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    army = carried.step.state.armies.get(data["id"])
    words = {
        "army": data["id"],
        "lost": stacks(data.get("lost") or {}),
        "left": army.soldiers if army is not None else 0,
    }
    if not words["lost"]:
        return _("Army %(army)s loses soldiers.") % words
    return _("Army %(army)s loses %(lost)s; %(left)s left.") % words


def _destroyed(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"army": data["id"], "lost": stacks(data.get("lost") or {})}
    if not words["lost"]:
        return _("Army %(army)s is destroyed.") % words
    return _("Army %(army)s is destroyed; it loses %(lost)s.") % words


def _sunk(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("Ship %(id)s is sunk.") % {"id": data["id"]}


def _plane_lost(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("Plane %(id)s is lost.") % {"id": data["id"]}


def _pressed(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return step_words(data["id"], names, carried.step.state)


def _king_defeated(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("The King of %(who)s is defeated.") % {"who": names.seat(data["id"])}


def _beast_defeated(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("The %(beast)s is defeated.") % {"beast": _beast(data["id"], carried)}


def _buff(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    state = carried.step.state
    holder = next((id_ for id_, army in state.armies.items() if data["id"] in army.buffs), None)
    words = {"beast": _beast(data["id"], carried), "army": holder}
    one = state.beasts.get(data["id"])
    if holder is None or one is None:
        return _("The buff of the %(beast)s is gained.") % words
    return _("Army %(army)s gains the buff of the %(beast)s: +%(buff)s power.") % {**words, "buff": one.buff}


def _capital_moved(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _said(_("%(castle)s is the Capital now.") % {"castle": _castle(data["id"], carried)})


def _eliminated(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    one = carried.step.state.kingdoms.get(data["id"])
    cause = data.get("cause") or (one.eliminated_cause if one is not None else None)
    words = {"who": names.seat(data["id"]), "cause": word(CAUSES, cause)}
    return _("The Kingdom of %(who)s is out: %(cause)s.") % words


def _disbanded(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("The forces of %(who)s leave the table.") % {"who": names.seat(data["id"])}


def _round_limit(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("The last round is over.")


def _last_standing(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    if not data.get("id"):
        return _("No Kingdom is left.")
    return _("%(who)s is the last Kingdom standing.") % {"who": names.seat(data["id"])}


def _levels_reset(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("All Kings are of level 1 again.")


CONSEQUENCES: dict[str, SayWhatFollowed] = {
    "ap_granted": _ap,
    "technology_unlocked": _technology,
    "structure_damaged": _damaged,
    "structure_ruined": _ruined,
    "link_cut": _cut,
    "building_isolated": _isolated,
    "building_reconnected": _reconnected,
    "soldiers_lost": _lost,
    "army_destroyed": _destroyed,
    "ship_sunk": _sunk,
    "plane_lost": _plane_lost,
    "step_pressed": _pressed,
    "king_defeated": _king_defeated,
    "beast_defeated": _beast_defeated,
    "buff_gained": _buff,
    "capital_moved": _capital_moved,
    "kingdom_eliminated": _eliminated,
    "forces_disbanded": _disbanded,
    "round_limit_reached": _round_limit,
    "last_kingdom_standing": _last_standing,
    "king_levels_reset": _levels_reset,
}


def _told_in_a_file(type_: str) -> Say:
    """Return the sentence of a consequence that a file spells out and that is only compared."""

    def say(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
        if carried is None:
            raise ValueError(f"{type_} without a position")
        return _("The file says: %(what)s") % {"what": CONSEQUENCES[type_](names, data, carried)}

    return say


EVENTS |= {type_: _told_in_a_file(type_) for type_ in CONSEQUENCES}
