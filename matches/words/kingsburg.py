"""Sentences of Kingsburg: what happened, what followed, and the figures of the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from matches.words.shared import Say
from rulesengine.game import Carried
from rulesengine.kingsburg.tables import ALTERNATIVES, CARDS

if TYPE_CHECKING:
    from matches.words import Names

type SayWhatFollowed = Callable[[Names, Mapping[str, Any], Carried], str]

ADVISORS = {
    1: gettext_lazy("Jester"),
    2: gettext_lazy("Squire"),
    3: gettext_lazy("Architect"),
    4: gettext_lazy("Merchant"),
    5: gettext_lazy("Sergeant"),
    6: gettext_lazy("Alchemist"),
    7: gettext_lazy("Astronomer"),
    8: gettext_lazy("Treasurer"),
    9: gettext_lazy("Master Hunter"),
    10: gettext_lazy("General"),
    11: gettext_lazy("Swordsmith"),
    12: gettext_lazy("Duchess"),
    13: gettext_lazy("Champion"),
    14: gettext_lazy("Smuggler"),
    15: gettext_lazy("Inventor"),
    16: gettext_lazy("Wizard"),
    17: gettext_lazy("Queen"),
    18: gettext_lazy("King"),
}
BUILDINGS = {
    "statue": gettext_lazy("Statue"),
    "chapel": gettext_lazy("Chapel"),
    "church": gettext_lazy("Church"),
    "cathedral": gettext_lazy("Cathedral"),
    "inn": gettext_lazy("Inn"),
    "market": gettext_lazy("Market"),
    "farms": gettext_lazy("Farms"),
    "merchants_guild": gettext_lazy("Merchants’ Guild"),
    "guard_tower": gettext_lazy("Guard Tower"),
    "blacksmith": gettext_lazy("Blacksmith"),
    "barracks": gettext_lazy("Barracks"),
    "wizards_guild": gettext_lazy("Wizards’ Guild"),
    "palisade": gettext_lazy("Palisade"),
    "stable": gettext_lazy("Stable"),
    "stone_wall": gettext_lazy("Stone Wall"),
    "fortress": gettext_lazy("Fortress"),
    "barricade": gettext_lazy("Barricade"),
    "crane": gettext_lazy("Crane"),
    "town_hall": gettext_lazy("Town Hall"),
    "embassy": gettext_lazy("Embassy"),
}
PHASES = {
    "kings_aid": gettext_lazy("King’s aid"),
    "spring": gettext_lazy("Spring"),
    "kings_reward": gettext_lazy("King’s reward"),
    "summer": gettext_lazy("Summer"),
    "kings_envoy": gettext_lazy("King’s envoy"),
    "autumn": gettext_lazy("Autumn"),
    "recruit": gettext_lazy("Recruiting"),
    "winter": gettext_lazy("Winter"),
}
STEPS = {
    "aid": gettext_lazy("a good is to be chosen"),
    "block": gettext_lazy("blocked advisors are to be recorded"),
    "roll": gettext_lazy("dice are rolled"),
    "influence": gettext_lazy("advisors are influenced"),
    "help": gettext_lazy("advisors help"),
    "build": gettext_lazy("buildings are built"),
    "season_end": gettext_lazy("the season is to be closed"),
    "recruit": gettext_lazy("soldiers are recruited"),
    "battle": gettext_lazy("die and enemy are awaited"),
    "battle_choices": gettext_lazy("the battle is settled"),
    "over": gettext_lazy("over"),
}
ENEMIES = {
    "goblins": gettext_lazy("Goblins"),
    "orcs": gettext_lazy("Orcs"),
    "zombies": gettext_lazy("Zombies"),
    "demons": gettext_lazy("Demons"),
    "barbarians": gettext_lazy("Barbarians"),
    "dragons": gettext_lazy("Dragons"),
}
GOODS = {"gold": gettext_lazy("gold"), "wood": gettext_lazy("wood"), "stone": gettext_lazy("stone")}
DICE = {"coloured": pgettext_lazy("a die", "coloured"), "white": pgettext_lazy("a die", "white")}
ROMAN = ("", "I", "II", "III", "IV", "V")
SCORES = {
    "vp": gettext_lazy("Victory points"),
    "vp_before_cathedral": gettext_lazy("Before the Cathedral"),
    "goods": gettext_lazy("Goods"),
    "buildings": gettext_lazy("Buildings"),
}


# Names of things ---------------------------------------------------------------------------------------------------


def word(words: Mapping[Any, Any], key: Any) -> str:
    """Return the word for a key, or the key where there is none."""
    return str(words.get(key, key))


def advisor(number: int) -> str:
    """Return an advisor by name and number: ``Merchant (4)``."""
    return _("%(name)s (%(n)s)") % {"name": word(ADVISORS, number), "n": number}


def building(key: str) -> str:
    """Return what a building is called."""
    return word(BUILDINGS, key)


def victory_points(count: int) -> str:
    """Return a number of victory points."""
    return ngettext("%(n)s VP", "%(n)s VP", count) % {"n": count}


def soldiers(count: int) -> str:
    """Return a number of soldiers."""
    return ngettext("%(n)s soldier", "%(n)s soldiers", count) % {"n": count}


def tokens(count: int) -> str:
    """Return a number of +2 tokens."""
    return ngettext("%(n)s token “+2”", "%(n)s tokens “+2”", count) % {"n": count}


def amount(key: str, count: int) -> str:
    """Return so many of what a player can gain or pay."""
    if key in GOODS:
        return _("%(n)s %(good)s") % {"n": count, "good": word(GOODS, key)}
    if key == "any":
        return ngettext("%(n)s good of choice", "%(n)s goods of choice", count) % {"n": count}
    if key == "vp":
        return victory_points(count)
    if key == "soldiers":
        return soldiers(count)
    if key == "plus_two":
        return tokens(count)
    if key == "building":
        return ngettext("%(n)s building", "%(n)s buildings", count) % {"n": count}
    if key == "peek":
        return _("a look at the enemy")
    return f"{key} {count}"


def amounts(counted: Mapping[str, int]) -> str:
    """Return goods and the like in a row: ``2 gold, 1 wood``."""
    return ", ".join(amount(key, count) for key, count in counted.items() if count) or _("nothing")


def dice(coloured: Iterable[int], white: Iterable[int] = ()) -> str:
    """Return dice by their numbers: ``1, 4, white 6``."""
    said = [str(die) for die in coloured]
    return ", ".join([*said, *(_("white %(die)s") % {"die": die} for die in white)]) or _("no dice")


def enemy_kind(key: str) -> str:
    """Return what a kind of enemy is called."""
    return word(ENEMIES, key)


def enemy(card: Mapping[str, Any]) -> str:
    """Return an enemy card: its kind and strength, what victory gives and what defeat takes."""
    return _("%(kind)s of strength %(strength)s; victory: %(victory)s; defeat: %(defeat)s") % {
        "kind": enemy_kind(card["kind"]),
        "strength": card["strength"],
        "victory": amounts(card["victory"]),
        "defeat": amounts(card["defeat"]),
    }


def year(number: int) -> str:
    """Return the number of a year as it is printed."""
    return ROMAN[number] if 0 < number < len(ROMAN) else str(number)


def standing(state: Any) -> list[str]:
    """Return what the line above the board says besides whose turn it is: year, phase and step."""
    return [
        _("Year %(year)s") % {"year": year(state.year)},
        word(PHASES, state.phase),
        word(STEPS, state.step),
    ]


def result_rows(result: Mapping[str, Any]) -> tuple[list[str], dict[str, list[Any]]]:
    """Return the headings of the scores and each seat's figures."""
    rows = {seat: [row.get(key) for key in SCORES] for seat, row in result.items()}
    return [str(label) for label in SCORES.values()], rows


def result_note(result: Mapping[str, Any]) -> str:
    """Return how places are decided."""
    return _("Placed by victory points, then as the options of the match say.")


def placed(rows: Iterable[Mapping[str, Any]], names: Names) -> str:
    """Return places and who has them."""
    return ", ".join(_("%(place)s. %(who)s") % {"place": row["place"], "who": names.seat(row["seat"])} for row in rows)


def in_order(seats: Iterable[str], names: Names) -> str:
    """Return names in an order."""
    return " – ".join(map(names.seat, seats))


# Events ------------------------------------------------------------------------------------------------------------


def _set_up(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    state = carried.step.state if carried is not None else None
    if state is None:
        return _("The match is set up.")
    count = len(state.turn_order)
    return ngettext(
        "The match is set up for %(n)s player, in this order: %(seats)s.",
        "The match is set up for %(n)s players, in this order: %(seats)s.",
        count,
    ) % {"n": count, "seats": in_order(state.turn_order, names)}


def _started(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("turn_order"):
        return _("The match starts in this order: %(seats)s.") % {"seats": in_order(data["turn_order"], names)}
    return _("The match starts.")


def _deck(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The enemies are dealt: one unseen card a year.")


def _aid(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "good": amount(data["good"], 1)}
    return _("%(who)s takes %(good)s as the king’s aid.") % words


def _blocked(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data["advisors"]:
        blocked = ", ".join(map(advisor, sorted(data["advisors"])))
        sentence = _("Blocked this season: %(advisors)s.") % {"advisors": blocked}
    else:
        sentence = _("No advisor is blocked this season.")
    if data["dice"]:
        sentence += " " + _("Dice: %(dice)s.") % {"dice": dice(data["dice"])}
    return sentence


def _rolled(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    thrown = dice(data["coloured"], data.get("white", ()))
    total = sum(data["coloured"]) + sum(data.get("white", ()))
    words = {"who": names.seat(seat), "dice": thrown, "total": total}
    return _("%(who)s rolls %(dice)s: %(total)s in all.") % words


def _statue(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {
        "who": names.seat(seat),
        "kind": word(DICE, data["die"]["kind"]),
        "value": data["die"]["value"],
        "result": data["result"],
    }
    return _("%(who)s rolls a %(kind)s %(value)s again by the Statue: %(result)s.") % words


def _chapel(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "dice": dice(data["coloured"], data.get("white", ()))}
    return _("%(who)s rolls all dice again by the Chapel: %(dice)s.") % words


def _rolls_closed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    order = data.get("turn_order")
    if carried is not None and carried.event is not None:
        order = carried.step.state.turn_order
    if order:
        return _("All have rolled. Turn order: %(seats)s.") % {"seats": in_order(order, names)}
    return _("All have rolled.")


def _influenced(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    used = [dice(data.get("coloured", ()), data.get("white", ()))]
    if data.get("plus_two"):
        used.append(_("a token “+2”"))
    if data.get("market"):
        used.append(_("the Market’s +1") if data["market"] > 0 else _("the Market’s −1"))
    if data.get("envoy"):
        used.append(_("the king’s envoy"))
    words = {"who": names.seat(seat), "advisor": advisor(data["advisor"]), "dice": " + ".join(used)}
    return _("%(who)s influences the %(advisor)s with %(dice)s.") % words


def _influence_passed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s influences nobody else this season.") % {"who": names.seat(seat)}


def _help(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "advisor": advisor(data["advisor"])}
    if data.get("declined"):
        return _("%(who)s refuses the help of the %(advisor)s.") % words
    alternatives = ALTERNATIVES[data["advisor"]]
    row = dict(alternatives[data.get("alternative", 0)])
    row.pop("any", None)
    for good, count in (data.get("any") or {}).items():
        row[good] = row.get(good, 0) + count
    gained = {key: int(count) for key, count in row.items() if count > 0}
    paid = {key: -count for key, count in row.items() if count < 0}
    words["gained"] = amounts(gained)
    if paid:
        return _("The %(advisor)s helps %(who)s: %(gained)s for %(paid)s.") % {**words, "paid": amounts(paid)}
    return _("The %(advisor)s helps %(who)s: %(gained)s.") % words


def _peeked(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s looks at the enemy of the year.") % {"who": names.seat(seat)}


def _built(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "building": building(data["building"])}
    if data.get("envoy"):
        return _("%(who)s builds the %(building)s as a second building, by the king’s envoy.") % words
    return _("%(who)s builds the %(building)s.") % words


def _build_passed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s builds nothing more this season.") % {"who": names.seat(seat)}


def _town_hall(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "paid": amount(data["pay"], 1), "vp": victory_points(1)}
    return _("%(who)s pays %(paid)s into the Town Hall for %(vp)s.") % words


def _season_closed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if carried is not None and carried.before is not None:
        return _("The season is over: %(season)s.") % {"season": word(PHASES, carried.before.phase)}
    return _("The season is over.")


def _recruited(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "soldiers": soldiers(data["soldiers"]), "paid": amounts(data["pay"])}
    return _("%(who)s recruits %(soldiers)s for %(paid)s.") % words


def _recruit_passed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s recruits nobody.") % {"who": names.seat(seat)}


def _reinforced(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"soldiers": soldiers(data["value"])}
    return _("The king sends %(soldiers)s to everybody.") % words


def _revealed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("custom"):
        return _("The enemy is revealed, as printed on the card: %(enemy)s.") % {"enemy": enemy(data["custom"])}
    card = CARDS.get(data["enemy"])
    shown = data["enemy"] if card is None else enemy(card)
    return _("The enemy is revealed: %(enemy)s.") % {"enemy": shown}


def _victory_good(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "good": amount(data["good"], 1)}
    return _("%(who)s takes %(good)s for the victory.") % words


def _loss(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s loses %(goods)s of choice.") % {"who": names.seat(seat), "goods": amounts(data["goods"])}


def _building_loss(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    words = {"who": names.seat(seat), "building": building(data["building"])}
    return _("%(who)s gives up the %(building)s.") % words


def _ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    if data.get("placements"):
        return _("The end of the match is recorded: %(places)s") % {"places": placed(data["placements"], names)}
    return _("The end of the match is recorded.")


EVENTS: dict[str, Say] = {
    "match_set_up": _set_up,
    "match_started": _started,
    "enemy_deck_prepared": _deck,
    "aid_good_taken": _aid,
    "advisors_blocked": _blocked,
    "dice_rolled": _rolled,
    "statue_rerolled": _statue,
    "chapel_rerolled": _chapel,
    "rolls_closed": _rolls_closed,
    "advisor_influenced": _influenced,
    "influence_passed": _influence_passed,
    "help_taken": _help,
    "enemy_peeked": _peeked,
    "building_built": _built,
    "build_passed": _build_passed,
    "town_hall_used": _town_hall,
    "season_closed": _season_closed,
    "soldiers_recruited": _recruited,
    "recruit_passed": _recruit_passed,
    "reinforcements_rolled": _reinforced,
    "enemy_revealed": _revealed,
    "victory_good_chosen": _victory_good,
    "loss_chosen": _loss,
    "building_loss_chosen": _building_loss,
    "match_ended": _ended,
}


# What followed -----------------------------------------------------------------------------------------------------


def changes(counted: Mapping[str, int]) -> str:
    """Return what was gained and what was paid: ``+1 VP, −2 gold``."""
    said = [("+" if count > 0 else "−") + amount(key, abs(count)) for key, count in counted.items() if count]
    return ", ".join(said) or _("nothing")


def _year_started(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("Year %(year)s begins.") % {"year": year(data["year"])}


def _season_started(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"season": word(PHASES, data["season"]), "year": year(data["year"])}
    return _("%(season)s of year %(year)s begins.") % words


def _aid_die(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    return _("%(who)s gets the king’s aid: a white die in spring.") % {"who": names.seat(data["seat"])}


def _income(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "building": building(data["building"]), "gained": amounts(data["gained"])}
    return _("%(who)s receives %(gained)s from the %(building)s.") % words


def _order_set(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    rows = [
        _("%(who)s (%(total)s)") % {"who": names.seat(seat), "total": data["totals"][seat]}
        if seat in data["totals"]
        else names.seat(seat)
        for seat in data["turn_order"]
    ]
    return _("Turn order by the totals of the dice: %(seats)s.") % {"seats": " – ".join(rows)}


def _help_given(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "advisor": advisor(data["advisor"]), "gained": changes(data["gained"])}
    return _("The %(advisor)s helps %(who)s: %(gained)s.") % words


def _help_missed(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "advisor": advisor(data["advisor"])}
    return _("The %(advisor)s cannot help %(who)s, who has no good to give.") % words


def _reward(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    if not data["seats"]:
        return _("Nobody gains the king’s reward.")
    words = {"who": names.some(list(data["seats"])), "vp": victory_points(1)}
    return _("King’s reward for the most buildings: %(vp)s for %(who)s.") % words


def _envoy(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    if data["seat"] is None:
        return _("Nobody gets the king’s envoy.")
    return _("%(who)s gets the king’s envoy.") % {"who": names.seat(data["seat"])}


OUTCOMES = {
    "victory": gettext_lazy("%(who)s wins the battle with %(total)s against %(strength)s: %(changes)s."),
    "draw": gettext_lazy("%(who)s holds out with %(total)s against %(strength)s."),
    "defeat": gettext_lazy("%(who)s loses the battle with %(total)s against %(strength)s: %(changes)s."),
}


def _battle(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {**data, "who": names.seat(data["seat"]), "changes": changes(data["changes"])}
    return str(OUTCOMES[data["outcome"]]) % words


def _building_lost(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "building": building(data["building"])}
    if data["vp"]:
        return _("%(who)s loses the %(building)s and %(vp)s.") % {**words, "vp": victory_points(data["vp"])}
    return _("%(who)s loses the %(building)s.") % words


def _strongest(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.some(list(data["seats"])), "vp": victory_points(1)}
    return _("For the strongest victory: %(vp)s for %(who)s.") % words


def _cathedral(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    words = {"who": names.seat(data["seat"]), "vp": victory_points(data["vp"])}
    return _("%(who)s scores %(vp)s for the goods by the Cathedral.") % words


def _match_ended(names: Names, data: Mapping[str, Any], carried: Carried) -> str:
    if not data["placements"]:
        return _("The match is over; nobody is placed.")
    return _("The match is over: %(places)s") % {"places": placed(data["placements"], names)}


CONSEQUENCES: dict[str, SayWhatFollowed] = {
    "year_started": _year_started,
    "season_started": _season_started,
    "aid_die_given": _aid_die,
    "income_gained": _income,
    "turn_order_set": _order_set,
    "help_given": _help_given,
    "help_missed": _help_missed,
    "reward_gained": _reward,
    "envoy_given": _envoy,
    "battle_fought": _battle,
    "building_lost": _building_lost,
    "strongest_rewarded": _strongest,
    "cathedral_scored": _cathedral,
    "match_ended": _match_ended,
}
