"""The events that every game shares: what they hold and what act they are.

What a shared event does to a position is the game's business (:meth:`rulesengine.game.Ruleset.check` and ``follow``); that of
corrections, disputes and signatures is the log's (:mod:`rulesengine.replay`). Texts such as `reason` may be missing, for a log
stays readable after they were blanked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from rulesengine.game import Payload
from rulesengine.log import Line


class MatchStarted(Payload, frozen=True, forbid_unknown_fields=False):
    """Scribe or mapmaster: play begins. A game that needs more of its set-up than the header says has its own."""

    TYPE: ClassVar[str] = "match_started"
    SEATED: ClassVar[bool] = False


class MatchPaused(Payload, frozen=True):
    """Scribe or mapmaster: the table pauses."""

    TYPE: ClassVar[str] = "match_paused"
    SEATED: ClassVar[bool] = False
    reason: str | None = None


class MatchResumed(Payload, frozen=True):
    """Scribe or mapmaster: the table goes on."""

    TYPE: ClassVar[str] = "match_resumed"
    SEATED: ClassVar[bool] = False
    reason: str | None = None


class DisputeOpened(Payload, frozen=True):
    """Anyone seated: something is disputed. Play goes on; the result cannot be confirmed while this is open."""

    TYPE: ClassVar[str] = "dispute_opened"
    SEATED: ClassVar[bool] = False
    about_seq: int | None = None
    text: str | None = None


class RulingGiven(Payload, frozen=True):
    """Referee or mapmaster: a ruling, binding for this match. It closes the disputes about the same entry."""

    TYPE: ClassVar[str] = "ruling_given"
    SEATED: ClassVar[bool] = False
    about_seq: int | None = None
    question: str | None = None
    decision: str | None = None
    rule: str | None = None
    favours: str | None = None


class EventWithdrawn(Payload, frozen=True):
    """Scribe: the last decision is taken back."""

    TYPE: ClassVar[str] = "event_withdrawn"
    SEATED: ClassVar[bool] = False
    target_seq: int
    reason: str | None = None
    approved_by: str | None = None


class EventVoided(Payload, frozen=True):
    """Referee: the target is skipped on every replay."""

    TYPE: ClassVar[str] = "event_voided"
    SEATED: ClassVar[bool] = False
    target_seq: int
    reason: str | None = None
    scribe_error: bool = False
    reported_by: str | None = None
    approved_by: str | None = None


class EventAmended(Payload, frozen=True):
    """Referee: the target is replayed with this whole new `data`. Target 0 is the header."""

    TYPE: ClassVar[str] = "event_amended"
    SEATED: ClassVar[bool] = False
    MAY_BE_NULL: ClassVar[frozenset[str] | None] = frozenset({"data"})
    target_seq: int
    data: Any
    reason: str | None = None
    scribe_error: bool = False
    reported_by: str | None = None
    approved_by: str | None = None


class StateAdjusted(Payload, frozen=True):
    """Referee: one value of the state is set from here on; `old` must be the present value."""

    TYPE: ClassVar[str] = "state_adjusted"
    SEATED: ClassVar[bool] = False
    MAY_BE_NULL: ClassVar[frozenset[str] | None] = frozenset({"old", "new"})
    path: str
    old: Any
    new: Any
    reason: str | None = None
    approved_by: str | None = None


class IllegalStateAccepted(Payload, frozen=True):
    """Referee: these irregular events stand although a rule refuses them."""

    TYPE: ClassVar[str] = "illegal_state_accepted"
    SEATED: ClassVar[bool] = False
    seqs: tuple[int, ...]
    reason: str | None = None
    approved_by: str | None = None


class PenaltyGiven(Payload, frozen=True):
    """Referee, mapmaster or organizer: a penalty for the seat of the event (or of `seat`). Counts for the clean record."""

    TYPE: ClassVar[str] = "penalty_given"
    SEATED: ClassVar[bool] = False
    seat: str | None = None
    kind: str | None = None
    value: Any = None
    reason: str | None = None


class TimeCalled(Payload, frozen=True):
    """Mapmaster: the match ends here, as the game's options say."""

    TYPE: ClassVar[str] = "time_called"
    SEATED: ClassVar[bool] = False


class DrawAgreed(Payload, frozen=True):
    """All who still play: these seats share the place."""

    TYPE: ClassVar[str] = "draw_agreed"
    SEATED: ClassVar[bool] = False
    seats: tuple[str, ...]


class PlayerResigned(Payload, frozen=True):
    """A player: they leave the match."""

    TYPE: ClassVar[str] = "player_resigned"


class MatchEnded(Payload, frozen=True):
    """Scribe or mapmaster: the match is over. Placements and reason, if given, are compared with the computed ones."""

    TYPE: ClassVar[str] = "match_ended"
    SEATED: ClassVar[bool] = False
    placements: tuple[SeatPlace, ...] | None = None
    reason: str | None = None


class SeatPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat and its place as a file gives them."""

    seat: str
    place: int


class ResultSigned(Payload, frozen=True):
    """A player: the result is right."""

    TYPE: ClassVar[str] = "result_signed"
    reason: str | None = None


class ResultDisputed(Payload, frozen=True):
    """A player: the result is not right."""

    TYPE: ClassVar[str] = "result_disputed"
    reason: str | None = None


class PlacementsConfirmed(Payload, frozen=True):
    """Referee, mapmaster or organizer, or by all signatures: the result is final."""

    TYPE: ClassVar[str] = "placements_confirmed"
    SEATED: ClassVar[bool] = False
    reason: str | None = None


class ResultRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat's line of a result: its place where it has one, its score and how it came out in words."""

    seat: str
    place: int | None = None
    score: int | str | None = None
    outcome: str | None = None


class Source(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where an imported result comes from."""

    format: str | None = None
    id: str | None = None
    file_sha256: str | None = None


class ResultRecorded(Payload, frozen=True):
    """Scribe, mapmaster, organizer or player: the result of a match without moves, its one content event."""

    TYPE: ClassVar[str] = "result_recorded"
    SEATED: ClassVar[bool] = False
    rows: tuple[ResultRow, ...]
    complete: bool = True
    source: Source | None = None


class MatchAbandoned(Payload, frozen=True):
    """Organizer: the match is given up and counts for nothing."""

    TYPE: ClassVar[str] = "match_abandoned"
    SEATED: ClassVar[bool] = False
    reason: str | None = None
    approved_by: str | None = None


class MatchAnnulled(Payload, frozen=True):
    """Organizer: the match counts for nothing."""

    TYPE: ClassVar[str] = "match_annulled"
    SEATED: ClassVar[bool] = False
    reason: str | None = None
    approved_by: str | None = None


PAYLOADS: Mapping[str, type[Payload]] = {
    one.TYPE: one
    for one in (
        MatchStarted,
        MatchPaused,
        MatchResumed,
        DisputeOpened,
        RulingGiven,
        EventWithdrawn,
        EventVoided,
        EventAmended,
        StateAdjusted,
        IllegalStateAccepted,
        PenaltyGiven,
        TimeCalled,
        DrawAgreed,
        PlayerResigned,
        MatchEnded,
        ResultSigned,
        ResultDisputed,
        PlacementsConfirmed,
        ResultRecorded,
        MatchAbandoned,
        MatchAnnulled,
    )
}
"""The shared events by type."""

ENDINGS = frozenset({"player_resigned", "time_called", "draw_agreed"})
"""Shared events that are decisions of play and may be taken back like a game's own."""

ACTS: Mapping[str, str] = {
    "ruling_given": "rule",
    "event_voided": "correct",
    "event_amended": "correct",
    "state_adjusted": "correct",
    "illegal_state_accepted": "accept_irregular",
    "penalty_given": "penalize",
    "result_signed": "sign",
    "result_disputed": "sign",
    "placements_confirmed": "confirm",
    "match_abandoned": "pair",
    "match_annulled": "pair",
    "match_stopped": "pair",
}
"""What act an event is, where it is another than to record: the site asks who may do it in which scope.

``pair`` is what organizers alone may do: pairing, and to stop, abandon or annul a match at their desk.
"""

WRITERS: Mapping[str, tuple[str, ...]] = {
    "match_started": ("scribe", "mapmaster"),
    "match_paused": ("scribe", "mapmaster"),
    "match_resumed": ("scribe", "mapmaster"),
    "dispute_opened": ("player",),
    "ruling_given": ("referee", "mapmaster"),
    "event_withdrawn": ("scribe",),
    "event_voided": ("referee",),
    "event_amended": ("referee",),
    "state_adjusted": ("referee",),
    "illegal_state_accepted": ("referee",),
    "penalty_given": ("referee", "mapmaster", "organizer"),
    "time_called": ("mapmaster",),
    "draw_agreed": ("player",),
    "player_resigned": ("player",),
    "match_ended": ("scribe", "mapmaster"),
    "result_signed": ("player",),
    "result_disputed": ("player",),
    "placements_confirmed": ("referee", "mapmaster", "organizer", "player"),
    "result_recorded": ("scribe", "mapmaster", "organizer", "player"),
    "match_abandoned": ("organizer", "mapmaster"),
    "match_annulled": ("organizer",),
}
"""Whose event each is at the table. `as` in a file is a claim; the rights of whoever records it decide."""


def acts(line: Line) -> str:
    """Return what act it is to record this line: ``record`` or one of the values of :data:`ACTS`.

    What a line is, not what it claims in `as`, decides.
    """
    return ACTS.get(line.type, "record")
