"""What Kings agree with each other, and who is their General (4.7 and 8.6, "Alliances")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.rules import KS_47, KS_48, KSH_72, U_7
from rulesengine.kingsquare.state import Alliance, State

OPEN = ("proposed", "active", "ending")
"""An alliance that is proposed or holds: two Kingdoms have at most one (KSH-72)."""


def with_alliances(state: State, alliances: dict[str, Alliance]) -> State:
    """Return the state with these alliances; who is allied at present is told to the works, for allied roads and rails."""
    pacts = frozenset(frozenset(one.kingdoms) for one in alliances.values() if one.status in ("active", "ending"))
    state = replace(state, alliances=alliances)
    return state if pacts == state.works.pacts else state.with_works(pacts=pacts)


def notice_given(state: State, breaker: str | None, seq: int) -> State:
    """Return the state with the alliances ended that are ending: those of one breaker, or all."""
    due = {
        id_: replace(one, status="ended", to_seq=seq)
        for id_, one in state.alliances.items()
        if one.status == "ending" and breaker in (None, one.ended_by)
    }
    return with_alliances(state, {**state.alliances, **due}) if due else state


# What forbids an event ------------------------------------------------------------------------------------------------


def check_alliance_proposed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for an id in use or nobody to ally with, KSH-72 for a second alliance of the two or one too many."""
    data = cast(events.AllianceProposed, event.data)
    seat, other = cast(str, event.seat), data.to_kingdom
    if data.alliance in state.taken:
        yield U_7.refuses(f"the id {data.alliance!r} is in use already", "impossible")
    if other not in state.kingdoms:
        yield U_7.refuses(f"there is no Kingdom {other!r}", "impossible")
    if other == seat:
        yield U_7.refuses(f"{seat} cannot ally with itself", "impossible")
    if state.kingdoms[other].status != "playing":
        yield U_7.refuses(f"Kingdom {other} is out of the match", "impossible")
    still = [(id_, one) for id_, one in state.alliances.items() if one.status in OPEN]
    for id_, one in still:
        if seat in one.kingdoms and other in one.kingdoms:
            yield KSH_72.refuses(f"{seat} and {other} have the alliance {id_}, which is {one.status}")
    most = state.setup.options.alliance_max
    if most:
        for one_of_them in (seat, other):
            count = sum(one_of_them in one.kingdoms for _, one in still)
            if count >= most:
                yield KSH_72.refuses(f"{one_of_them} has {count} alliances proposed or in force; the most is {most}")


def _known(state: State, id_: str) -> Iterator[Refusal]:
    if id_ not in state.alliances:
        yield U_7.refuses(f"there is no alliance {id_!r}", "impossible")


def check_alliance_withdrawn(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 unless it is this Kingdom's own proposal."""
    data = cast(events.AllianceWithdrawn, event.data)
    yield from _known(state, data.alliance)
    one = state.alliances[data.alliance]
    if one.status != "proposed" or one.kingdoms[0] != event.seat:
        yield U_7.refuses(f"{data.alliance} is no open proposal of {event.seat}: it is {_told(one)}", "impossible")


def check_alliance_answered(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 unless it is a proposal to this Kingdom."""
    data = cast(events.AllianceAccepted | events.AllianceDeclined, event.data)
    yield from _known(state, data.alliance)
    one = state.alliances[data.alliance]
    if one.status != "proposed" or one.kingdoms[1] != event.seat:
        yield U_7.refuses(f"{data.alliance} is no open proposal to {event.seat}: it is {_told(one)}", "impossible")


def check_alliance_ended(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 unless it is an alliance of this Kingdom in force."""
    data = cast(events.AllianceEnded, event.data)
    yield from _known(state, data.alliance)
    one = state.alliances[data.alliance]
    if one.status != "active" or event.seat not in one.kingdoms:
        yield U_7.refuses(f"{data.alliance} is no active alliance of {event.seat}: it is {_told(one)}", "impossible")


def _told(one: Alliance) -> str:
    return f"{one.status}, from {one.kingdoms[0]} to {one.kingdoms[1]}"


def check_treaty_noted(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for a Kingdom that does not exist."""
    for seat in cast(events.TreatyNoted, event.data).kingdoms:
        if seat not in state.kingdoms:
            yield U_7.refuses(f"there is no Kingdom {seat!r}", "impossible")


def check_castle_role_declared(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for a Castle that is not the Kingdom's own."""
    id_ = cast(events.CastleRoleDeclared, event.data).castle
    castle = state.works.castles.get(id_)
    if castle is None:
        yield U_7.refuses(f"there is no Castle {id_!r}", "impossible")
    elif castle.kingdom != event.seat:
        yield U_7.refuses(f"Castle {id_} belongs to {castle.kingdom}, not to {event.seat}", "impossible")


def check_general_appointed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield KS-48 while the office is not free, KS-47 for a person who leads here already."""
    person = cast(events.GeneralAppointed, event.data).person
    own = state.kingdoms[cast(str, event.seat)]
    if own.general_person is not None:
        yield KS_48.refuses(
            f"{own.general_person} is General of {event.seat}; a Kingdom has at most one",
            nearest="general_dismissed first",
        )
    if own.general_blocked:
        yield KS_48.refuses(
            f"a General of {event.seat} was dismissed and no own turn has begun since",
            nearest="appoint in the next own turn",
        )
    for seat, kingdom in state.kingdoms.items():
        if state.setup.kings[seat] == person:
            yield KS_47.refuses(f"{person} is King of {seat} in this match; a General is another person")
        if kingdom.general_person == person:
            yield KS_47.refuses(f"{person} is General of {seat} in this match")


def check_general_dismissed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 where nobody is in office."""
    if state.kingdoms[cast(str, event.seat)].general_person is None:
        yield U_7.refuses(f"Kingdom {event.seat} has no General", "impossible")


CHECKS: dict[type[Payload], Check] = {
    events.AllianceProposed: check_alliance_proposed,
    events.AllianceWithdrawn: check_alliance_withdrawn,
    events.AllianceAccepted: check_alliance_answered,
    events.AllianceDeclined: check_alliance_answered,
    events.AllianceEnded: check_alliance_ended,
    events.TreatyNoted: check_treaty_noted,
    events.CastleRoleDeclared: check_castle_role_declared,
    events.GeneralAppointed: check_general_appointed,
    events.GeneralDismissed: check_general_dismissed,
}


# What an event does ---------------------------------------------------------------------------------------------------


def on_alliance_proposed(state: State, event: Event, told: Told) -> State:
    """Propose an alliance."""
    data = cast(events.AllianceProposed, event.data)
    one = Alliance((cast(str, event.seat), data.to_kingdom))
    state = replace(state, taken=state.taken | {data.alliance})
    return with_alliances(state, {**state.alliances, data.alliance: one})


def _changed(state: State, id_: str, **changes: Any) -> State:
    return with_alliances(state, {**state.alliances, id_: replace(state.alliances[id_], **changes)})


def on_alliance_accepted(state: State, event: Event, told: Told) -> State:
    """Conclude the alliance: it holds at once."""
    return _changed(state, cast(events.AllianceAccepted, event.data).alliance, status="active", from_seq=event.seq)


def on_alliance_closed(state: State, event: Event, told: Told) -> State:
    """Close a proposal that was declined or withdrawn."""
    data = cast(events.AllianceDeclined | events.AllianceWithdrawn, event.data)
    return _changed(state, data.alliance, status="ended", to_seq=event.seq)


def on_alliance_ended(state: State, event: Event, told: Told) -> State:
    """Give notice: the alliance holds until the breaker's turn (or the round) is over."""
    return _changed(state, cast(events.AllianceEnded, event.data).alliance, status="ending", ended_by=event.seat)


def on_castle_role_declared(state: State, event: Event, told: Told) -> State:
    """Label a Castle; it has no effect (KS-05)."""
    data = cast(events.CastleRoleDeclared, event.data)
    castles = state.works.castles
    return state.with_works(castles={**castles, data.castle: replace(castles[data.castle], role=data.role)})


def on_general_appointed(state: State, event: Event, told: Told) -> State:
    """Appoint a General."""
    return state.with_kingdom(cast(str, event.seat), general_person=cast(events.GeneralAppointed, event.data).person)


def on_general_dismissed(state: State, event: Event, told: Told) -> State:
    """Dismiss the General; the office stays vacant until the Kingdom's next turn begins."""
    return state.with_kingdom(cast(str, event.seat), general_person=None, general_blocked=True)


def on_general_resigned(state: State, event: Event, told: Told) -> State:
    """Let the General go; another may be appointed at once."""
    return state.with_kingdom(cast(str, event.seat), general_person=None)


STEPS: dict[type[Payload], Step] = {
    events.AllianceProposed: on_alliance_proposed,
    events.AllianceWithdrawn: on_alliance_closed,
    events.AllianceAccepted: on_alliance_accepted,
    events.AllianceDeclined: on_alliance_closed,
    events.AllianceEnded: on_alliance_ended,
    events.CastleRoleDeclared: on_castle_role_declared,
    events.GeneralAppointed: on_general_appointed,
    events.GeneralDismissed: on_general_dismissed,
    events.GeneralResigned: on_general_resigned,
}
