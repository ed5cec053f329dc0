"""What MapMaster, referee and organizer decide about Kingdoms, and what is disputed (4.7, 4.9, 8.6 "Penalties" and "Disputes")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from rulesengine.game import Event, Payload, Refusal
from rulesengine.kingsquare import events, war
from rulesengine.kingsquare.acts import Check, Step
from rulesengine.kingsquare.consequences import Told
from rulesengine.kingsquare.rules import KS_77, KS_78, KSH_76, KSH_82, U_7
from rulesengine.kingsquare.state import OFFICIAL, State

# What forbids an event ------------------------------------------------------------------------------------------------


def check_player_resigned(state: State, event: Event) -> Iterator[Refusal]:
    """Yield KSH-82 where nobody may surrender."""
    if not state.setup.options.surrender_allowed:
        yield KSH_82.refuses(
            f"{event.seat} surrenders, and surrender.allowed is no", nearest="kingdom_forfeited by a referee"
        )


def check_kingdom_forfeited(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for an unknown Kingdom, KS-77 for one that is out."""
    yield from _in_play(state, cast(events.KingdomForfeited, event.data).kingdom)


def check_govern_loss_declared(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for an unknown Kingdom, KS-77 for one that is out, KSH-76 where it is no referee's decision."""
    yield from _in_play(state, cast(events.GovernLossDeclared, event.data).kingdom)
    rule = state.setup.options.govern_rule
    if rule != "referee":
        yield KSH_76.refuses(
            f"govern.rule is {rule}: the standing Castles decide who can govern, at the end of each turn"
        )


def _in_play(state: State, seat: str) -> Iterator[Refusal]:
    yield from _known(state, seat)
    kingdom = state.kingdoms[seat]
    if kingdom.status != "playing":
        yield KS_77.refuses(f"Kingdom {seat} is out since seq {kingdom.eliminated_seq} ({kingdom.eliminated_cause})")


def _known(state: State, seat: str) -> Iterator[Refusal]:
    if seat not in state.kingdoms:
        yield U_7.refuses(f"there is no Kingdom {seat!r}", "impossible")


def check_custom_pieces_removed(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for an unknown Kingdom, KS-78 for one that is not eliminated."""
    seat = cast(events.CustomPiecesRemoved, event.data).kingdom
    yield from _known(state, seat)
    yield from _out(state, seat)


def check_territory_replaced(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for a Castle that is not the Kingdom's, KS-78 for a Kingdom that is not eliminated."""
    data = cast(events.TerritoryReplaced, event.data)
    yield from _known(state, data.kingdom)
    for id_ in data.castles:
        castle = state.works.castles.get(id_)
        if castle is None:
            yield U_7.refuses(f"there is no Castle {id_!r}", "impossible")
        elif castle.kingdom != data.kingdom:
            yield U_7.refuses(f"Castle {id_} belongs to {castle.kingdom}, not to {data.kingdom}", "impossible")
    yield from _out(state, data.kingdom)


def _out(state: State, seat: str) -> Iterator[Refusal]:
    if state.kingdoms[seat].status != "eliminated":
        yield KS_78.refuses(f"Kingdom {seat} still plays; its pieces stay until it is eliminated")


def check_penalty_given(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 for an unknown Kingdom, KS-77 for a disqualification of one that is out."""
    data = cast(events.PenaltyGiven, event.data)
    yield from _known(state, data.seat)
    if data.kind == "disqualification":
        yield from _in_play(state, data.seat)


def check_about(state: State, event: Event) -> Iterator[Refusal]:
    """Yield U-7 where `about_seq` is no earlier entry."""
    about = cast(events.DisputeOpened | events.RulingGiven, event.data).about_seq
    if about is not None and (about < 1 or (event.seq and about >= event.seq)):
        yield U_7.refuses(f"about_seq {about} is no entry before seq {event.seq}", "impossible")


CHECKS: dict[type[Payload], Check] = {
    events.PlayerResigned: check_player_resigned,
    events.KingdomForfeited: check_kingdom_forfeited,
    events.GovernLossDeclared: check_govern_loss_declared,
    events.CustomPiecesRemoved: check_custom_pieces_removed,
    events.TerritoryReplaced: check_territory_replaced,
    events.PenaltyGiven: check_penalty_given,
    events.DisputeOpened: check_about,
    events.RulingGiven: check_about,
}


# What an event does ---------------------------------------------------------------------------------------------------


def on_player_resigned(state: State, event: Event, told: Told) -> State:
    """Take a Kingdom out whose King surrenders."""
    return war.eliminate(state, (cast(str, event.seat),), "surrendered", event.seq, told)


def on_kingdom_forfeited(state: State, event: Event, told: Told) -> State:
    """Take a Kingdom out that forfeits."""
    return war.eliminate(state, (cast(events.KingdomForfeited, event.data).kingdom,), "forfeited", event.seq, told)


def on_govern_loss_declared(state: State, event: Event, told: Told) -> State:
    """Take a Kingdom out that can no longer be governed."""
    return war.eliminate(
        state, (cast(events.GovernLossDeclared, event.data).kingdom,), "cannot_govern", event.seq, told
    )


def on_territory_replaced(state: State, event: Event, told: Told) -> State:
    """Hand Castles to the official pieces; level, damage, place and links stay (KS-79, KSH-78)."""
    castles = dict(state.works.castles)
    for id_ in cast(events.TerritoryReplaced, event.data).castles:
        castles[id_] = replace(castles[id_], kingdom=OFFICIAL)
    return state.with_works(castles=castles)


def on_penalty_given(state: State, event: Event, told: Told) -> State:
    """Note a penalty: Action Points and turns are lost when they come, a disqualification counts at once."""
    data = cast(events.PenaltyGiven, event.data)
    kingdom = state.kingdoms[data.seat]
    if data.kind == "ap_loss":
        return state.with_kingdom(data.seat, ap_loss=kingdom.ap_loss + data.value)
    if data.kind == "turn_loss":
        return state.with_kingdom(data.seat, turn_loss=kingdom.turn_loss + data.value)
    if data.kind == "disqualification":
        return war.eliminate(state, (data.seat,), "forfeited", event.seq, told)
    return state


def on_dispute_opened(state: State, event: Event, told: Told) -> State:
    """Open a dispute; play goes on."""
    about = cast(events.DisputeOpened, event.data).about_seq
    return replace(state, disputes={**state.disputes, event.seq: about})


def on_result_disputed(state: State, event: Event, told: Told) -> State:
    """Open a dispute about this entry itself."""
    return replace(state, disputes={**state.disputes, event.seq: event.seq})


def on_ruling_given(state: State, event: Event, told: Told) -> State:
    """Close the disputes whose own seq or `about_seq` the ruling names."""
    named = cast(events.RulingGiven, event.data).about_seq
    if named is None:
        return state
    still = {seq: about for seq, about in state.disputes.items() if named not in (seq, about)}
    return replace(state, disputes=still)


STEPS: dict[type[Payload], Step] = {
    events.PlayerResigned: on_player_resigned,
    events.KingdomForfeited: on_kingdom_forfeited,
    events.GovernLossDeclared: on_govern_loss_declared,
    events.TerritoryReplaced: on_territory_replaced,
    events.PenaltyGiven: on_penalty_given,
    events.DisputeOpened: on_dispute_opened,
    events.ResultDisputed: on_result_disputed,
    events.RulingGiven: on_ruling_given,
}
