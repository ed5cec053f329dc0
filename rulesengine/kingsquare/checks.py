"""What forbids an event: the order of 8.5 of the rule page.

First what concerns every event (form, edition, status, whether the Kingdom still plays, turn and phase, role), then the event's
own conditions, at last the Action Points. The rule cited is that of the first check that fails. Where a referee accepted the
event, the checks with another rule than U-1 and U-7 are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events as e
from rulesengine.kingsquare import rules
from rulesengine.kingsquare.acts import ACTS, Act
from rulesengine.kingsquare.battle import order_given
from rulesengine.kingsquare.rules import KS_17, KS_21, KS_32, KS_38, KS_47, KS_50, KS_77, KS_78, KSH_74, U_1, U_6, U_7
from rulesengine.kingsquare.setting import may_start_at
from rulesengine.kingsquare.state import State
from rulesengine.kingsquare.topics import CHECKS

_PIECE = frozenset({e.GeneralPiecePlaced, e.GeneralPieceLost})
_PERSON = frozenset({e.GeneralAppointed, e.GeneralDismissed, e.GeneralResigned})
_ORDERED = frozenset({e.AttackMade, e.SortieFlown})
_OF_EDITIONS = _PIECE | _PERSON | {e.DistrictFounded, e.KingLevelRecorded}
_BY_ID = {rule.id: rule for rule in rules.RULES}


def check(state: State, event: Event) -> Refusal | None:
    """Return the first rule that forbids an event, or None."""
    kind = type(event.data)
    act = ACTS[kind]
    if not _common(state, event, act, kind):
        for refusal in _frame(state, event, act):
            return refusal
    one = CHECKS.get(kind)
    if one is not None:
        for refusal in one(state, event):
            return refusal
    if act.cost is not None:
        return _points(state, event, act)
    return None


def check_accepted(state: State, event: Event) -> Refusal | None:
    """Return what makes an event impossible that a referee accepted although a rule forbids it, or None."""
    act = ACTS[type(event.data)]
    for refusal in _frame(state, event, act):
        if refusal.breach == "impossible":
            return refusal
    one = CHECKS.get(type(event.data))
    if one is not None:
        for refusal in one(state, event):
            if refusal.breach == "impossible":
                return refusal
    return None


def check_correction(event: Event) -> Refusal | None:
    """Return why whoever recorded a correction may not, as far as the log says: corrections are a referee's."""
    for refusal in _role(None, event, ACTS[type(event.data)]):
        return refusal
    return None


def seat_of(event: Event) -> str | None:
    """Return the seat whose event it is: that of an event of officials is not read."""
    return event.seat if event.data.SEATED or type(event.data) is e.DisputeOpened else None


def _common(state: State, event: Event, act: Act, kind: type[Payload]) -> bool:
    """Return whether the event is an everyday one that nothing general stands against: told fast, :func:`_frame` tells why not."""
    seat = event.seat
    if seat is None or event.acting_as is not None or event.data.observed is not None or kind in _OF_EDITIONS:
        return False
    if kind in _ORDERED and cast(e.AttackMade | e.SortieFlown, event.data).target_order is not None:
        return False
    if act.on_turn:
        return (
            state.status == "running"
            and seat == state.turn_kingdom
            and (act.phases is None or state.phase in act.phases)
            and state.kingdoms[seat].status == "playing"
        )
    return False


def _frame(state: State, event: Event, act: Act) -> Iterator[Refusal]:
    data = event.data
    seat = seat_of(event)
    yield from _form(state, event, seat)
    yield from _edition(state, event)
    if state.status not in act.statuses:
        yield U_1.refuses(
            f"the match is {_SHOWN[state.status]}; {data.TYPE} needs one that is {_either(act.statuses)}", "impossible"
        )
    if seat is not None and not act.out_too and state.kingdoms[seat].status != "playing":
        yield KS_77.refuses(f"{seat} is eliminated and takes no more part")
    if act.on_turn:
        if seat != state.turn_kingdom:
            yield KS_17.refuses(f"it is the turn of {state.turn_kingdom}, not of {seat}", nearest=_turn(state))
        if act.phases is not None and state.phase not in act.phases:
            yield KS_17.refuses(
                f"the phase is {state.phase}; {data.TYPE} belongs to phase {_either(act.phases)}", nearest=_turn(state)
            )
    yield from _role(state, event, act)


def _form(state: State, event: Event, seat: str | None) -> Iterator[Refusal]:
    seen = event.data.observed
    if seen is not None:
        if type(event.data) not in e.BATTLES:
            yield U_7.refuses(
                f'the key "observed" belongs to battles alone; {event.type} has no outcome to compare', "impossible"
            )
        for key, value in seen.items():
            if key not in ("net", "returned"):
                yield U_7.refuses(f'"observed" has the key "{key[:40]}"; known are net and returned', "impossible")
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                yield U_7.refuses(f'"observed" has {key} = {value!r}; a number from 0 was expected', "impossible")
    if isinstance(event.data, e.AttackMade | e.SortieFlown):
        yield from order_given(state, event.data.target_order)
    if event.data.SEATED and seat is None:
        yield U_7.refuses(f'{event.type} is an event of a Kingdom; the key "seat" is missing', "impossible")
    if seat is not None and seat not in state.kingdoms:
        yield U_7.refuses(f"there is no seat {seat!r}; the header names {', '.join(state.setup.seats)}", "impossible")


def _edition(state: State, event: Event) -> Iterator[Refusal]:
    kind, figures = type(event.data), state.setup.figures
    if kind in _PIECE and figures.general_kind == "person":
        yield KS_47.refuses(f"the General is a person in {state.setup.edition}; there is no General piece")
    if kind in _PERSON and figures.general_kind == "piece":
        yield KS_47.refuses(
            f"there is no General in person before KS-V5; this match is played under {state.setup.edition}"
        )
    if kind is e.DistrictFounded and not figures.districts_enabled:
        yield KS_38.refuses(f"there are no districts before KS-V5; this match is played under {state.setup.edition}")
    if kind is e.KingLevelRecorded:
        level = cast(e.KingLevelRecorded, event.data).level
        if not may_start_at(state.setup, level):
            yield KS_32.refuses(f"every King starts at level 1, not {level}", nearest="level 1")


def _role(state: State | None, event: Event, act: Act) -> Iterator[Refusal]:
    data = event.data
    role = event.acting_as
    if type(data) is e.GeneralResigned and role in (None, "scribe"):
        role = "general"  # whose event it is, whoever writes it down
    if role is None:
        return
    own = "king" in act.who or "general" in act.who  # an event of a King or General
    if role == "general" and own and state is not None:
        seat = seat_of(event)
        leading = state.kingdoms.values() if seat is None else [state.kingdoms[seat]]
        if state.setup.figures.general_kind == "piece" or not any(one.general_person for one in leading):
            yield KS_47.refuses(f"{seat or 'nobody'} has no General in office")
        yield from _reserved(state, event)
    if role in act.who:
        return
    if type(data) is e.TerritoryReplaced:
        yield KS_78.refuses(f"official pieces are set by the MapMaster, not by the {role}", nearest="as: mapmaster")
    elif role == "general":
        yield _BY_ID[act.denied].refuses(f"a General may not record {event.type}", nearest="the King may")
    else:
        yield U_6.refuses(f"{event.type} is recorded by {_either(act.who)}, not by the {role}")


def _reserved(state: State, event: Event) -> Iterator[Refusal]:
    """What a General may do elsewhere, but not at the Capital."""
    data, castles = event.data, state.works.castles
    if isinstance(data, e.CastleUpgraded):
        castle = castles.get(data.castle)
        if castle is not None and castle.is_capital:
            yield KS_50.refuses(f"{data.castle} is the Capital; its development is the King's")
    elif isinstance(data, e.BuildingUpgraded) and not state.setup.options.general_capital_buildings:
        building = state.works.buildings.get(data.building)
        castle = castles.get(building.castle) if building is not None else None
        if castle is not None and castle.is_capital:
            yield KSH_74.refuses(f"{data.building} stands in the City of the Capital; its upgrade is the King's here")


def _points(state: State, event: Event, act: Act) -> Refusal | None:
    if act.cost is None:
        return None
    cost = act.cost(state, event)
    left = state.ap_total - state.ap_spent
    if cost <= left or cost == 0:
        return None
    return KS_21.refuses(
        f"{event.type} costs {cost} of the {state.ap_total} Action Points of this turn, and {max(0, left)} are left",
        nearest="turn_ended",
    )


_SHOWN = {
    "setup": "not yet started",
    "running": "running",
    "paused": "paused",
    "ended": "ended",
    "confirmed": "confirmed",
    "abandoned": "abandoned",
    "annulled": "annulled",
}


def _either(words: frozenset[str] | tuple[str, ...]) -> str:
    return " or ".join(sorted(_SHOWN.get(word, word) for word in words))


def _turn(state: State) -> str:
    return f"events of {state.turn_kingdom} in phase {state.phase}"
