"""Sentences for the events that every game shares."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from rulesengine.game import Carried
from rulesengine.sight import HIDDEN

if TYPE_CHECKING:
    from matches.words import Names

type Say = Callable[[Names, str | None, Mapping[str, Any], Carried | None], str]


def pairs(data: Mapping[str, Any]) -> str:
    """Return a payload as ``key value`` pairs."""
    return ", ".join(f"{key} {_value(value)}" for key, value in data.items())


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _because(sentence: str, data: Mapping[str, Any], key: str = "reason") -> str:
    """Return a sentence with its reason, where there is one that can be read (a blanked text is gone)."""
    reason = data.get(key)
    return (
        _("%(sentence)s: %(reason)s") % {"sentence": sentence, "reason": reason}
        if isinstance(reason, str) and reason
        else sentence
    )


def _set_up(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The match is set up.")


def _hidden(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("A hidden entry: what happened is shown once the match is over.")


def _started(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The match starts.")


def _paused(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The match is paused"), data)


def _resumed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The match goes on"), data)


def _dispute(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    about = data.get("about_seq")
    sentence = (
        _("%(who)s disputes entry %(seq)s") % {"who": names.seat(seat), "seq": about}
        if about is not None
        else _("%(who)s opens a dispute") % {"who": names.seat(seat)}
    )
    return _because(sentence, data, "text")


def _ruling(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    about, favours = data.get("about_seq"), data.get("favours")
    sentence = _("Ruling on entry %(seq)s") % {"seq": about} if about is not None else _("Ruling")
    if data.get("rule"):
        sentence += f" ({data['rule']})"
    sentence = _because(sentence, data, "decision")
    if isinstance(favours, str) and favours:
        sentence += " " + _("It favours %(who)s.") % {"who": names.seat(favours)}
    return sentence


def _withdrawn(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("Entry %(seq)s is taken back") % {"seq": data["target_seq"]}, data)


def _voided(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The referee voids entry %(seq)s") % {"seq": data["target_seq"]}, data)


def _amended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The referee amends entry %(seq)s") % {"seq": data["target_seq"]}, data)


def _adjusted(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    sentence = _("The referee sets %(path)s from %(old)s to %(new)s") % {
        "path": data["path"],
        "old": _value(data["old"]),
        "new": _value(data["new"]),
    }
    return _because(sentence, data)


def _accepted(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    sentence = _("The referee lets these irregular entries stand: %(seqs)s") % {
        "seqs": ", ".join(map(str, data["seqs"]))
    }
    return _because(sentence, data)


def _penalty(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    what = " ".join(str(data[key]) for key in ("kind", "value") if data.get(key) is not None)
    sentence = _("Penalty for %(who)s (%(what)s)") % {"who": names.seat(data.get("seat") or seat), "what": what}
    return _because(sentence, data)


def _time(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("Time is called.")


def _draw(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s agree to share the place.") % {"who": names.some(list(data["seats"]))}


def _resigned(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s resigns.") % {"who": names.seat(seat)}


def _ended(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The end of the match is recorded.")


def _signed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("%(who)s signs the result.") % {"who": names.seat(seat)}


def _result_disputed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("%(who)s disputes the result") % {"who": names.seat(seat)}, data)


def _confirmed(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _("The placements are confirmed.")


def _recorded(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    rows = [
        _("%(place)s. %(who)s") % {"place": row.get("place"), "who": names.seat(row["seat"])}
        + (f" ({row['score']})" if row.get("score") is not None else "")
        for row in data["rows"]
    ]
    return _("Result: %(rows)s") % {"rows": ", ".join(rows)}


def _abandoned(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The match is abandoned and counts for nothing"), data)


def _annulled(names: Names, seat: str | None, data: Mapping[str, Any], carried: Carried | None) -> str:
    return _because(_("The match is annulled and counts for nothing"), data)


EVENTS: dict[str, Say] = {
    "match_set_up": _set_up,
    HIDDEN: _hidden,
    "match_started": _started,
    "match_paused": _paused,
    "match_resumed": _resumed,
    "dispute_opened": _dispute,
    "ruling_given": _ruling,
    "event_withdrawn": _withdrawn,
    "event_voided": _voided,
    "event_amended": _amended,
    "state_adjusted": _adjusted,
    "illegal_state_accepted": _accepted,
    "penalty_given": _penalty,
    "time_called": _time,
    "draw_agreed": _draw,
    "player_resigned": _resigned,
    "match_ended": _ended,
    "result_signed": _signed,
    "result_disputed": _result_disputed,
    "placements_confirmed": _confirmed,
    "result_recorded": _recorded,
    "match_abandoned": _abandoned,
    "match_annulled": _annulled,
}
