"""What can happen in a tournament: the payloads of its stream.

A payload holds ids, numbers and short keys. Points are exact and written as text (`"3"`, `"1/2"`). Titles and reasons are free
text: they lie beside the log, the payload has their hash. Whatever is taken back is taken back by a later entry.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Format = Literal[
    "swiss", "dutch", "pods", "round_robin", "double_round_robin", "single_elimination", "double_elimination", "pod_elimination"
]  # fmt: skip
Mode = Literal["open", "invitation"]
ELIMINATION: frozenset[str] = frozenset({"single_elimination", "double_elimination", "pod_elimination"})
ROUND_ROBIN: frozenset[str] = frozenset({"round_robin", "double_round_robin"})


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one stage is played.

    :ivar rounds: how many; 0 where the format says it (round robin, elimination)
    :ivar pod_size: the preferred number of seats at a table of a pod format
    :ivar filler: the size of the tables that fill up, 3 or 5; without one the rest has byes
    :ivar points: name of a preset of :data:`league.tournament.scoring.SCORINGS`
    :ivar ruleset: the dated edition of the tie-breaks
    :ivar tiebreaks: their order; None is that of the edition
    :ivar cut: how many (of each group) go on into the next stage
    :ivar groups: in how many groups the entrants play, each by itself
    :ivar absence: what a missed round gives: `zero`, or `half` once
    :ivar third_place: whether the losers of the semifinals meet
    :ivar final: of a double elimination: a second one if the losers' side wins the first, or one only
    :ivar repeats: whether fixed places are sought where nobody sits at a table twice (terrain)
    """

    format: Format
    rounds: int = 0
    pod_size: int = 4
    filler: int = 3
    points: str = "classic"
    ruleset: str = "house-2026"
    tiebreaks: list[str] | None = None
    cut: int | None = None
    groups: int = 1
    absence: Literal["zero", "half"] = "zero"
    third_place: bool = False
    final: Literal["reset", "single", "advantage"] = "reset"
    repeats: bool = True
    title: str = ""


class TablePaired(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a round: its number, the id of the match that will be played there, and who sits there in the order of the seats."""

    table: int
    match: str
    seats: list[str]
    group: int = 0
    node: str = ""


class Sitting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody without a table in a round: which kind of row it is, and the points it gives."""

    person: str
    kind: str
    points: str


class ResultRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody did at a table: the kind of row, the place, the points of the stage, and what the game counted."""

    person: str
    kind: str
    points: str
    place: int | None = None
    outcome: Literal["win", "draw", "loss"] | None = None
    score: str | None = None
    agreed: bool = False


class Missed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a round that somebody missed counts as, and the points it gives."""

    round: int
    kind: str
    points: str


class Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The payload of an event of a tournament's stream."""


class TournamentOpened(Payload, frozen=True, tag="tournament_opened"):
    """A tournament was opened: the game, the stages in their order, and the seed that all lots are drawn from."""

    slug: str
    title: str
    game: str
    stages: list[Stage]
    seed: str
    timezone: str
    league: str
    season: str | None = None
    rules: str | None = None
    options: dict[str, int | str | bool] = {}


class TournamentChanged(Payload, frozen=True, tag="tournament_changed"):
    """Settings were changed; what is left out stays as it was. Stages that have begun keep theirs."""

    title: str | None = None
    season: str | None = None
    stages: list[Stage] | None = None


class RegistrationOpened(Payload, frozen=True, tag="registration_opened"):
    """Registration began: open to everybody or by invitation, for so many, with a window for the check-in (UTC)."""

    mode: Mode = "open"
    cap: int | None = None
    check_in_from: str | None = None
    check_in_until: str | None = None


class RegistrationClosed(Payload, frozen=True, tag="registration_closed"):
    """Nobody registers by themselves any more; organizers still enter late-comers."""


class PersonRegistered(Payload, frozen=True, tag="person_registered"):
    """Somebody is an entrant. Of somebody who comes late, `missed_as` says what the rounds before count as, `missed` each of them."""

    person: str
    seed_rating: int | None = None
    group: str = ""
    table: int | None = None
    missed_as: str | None = None
    missed: list[Missed] = []


class PersonWaitlisted(Payload, frozen=True, tag="person_waitlisted"):
    """Somebody waits for a place."""

    person: str
    seed_rating: int | None = None


class PersonPromoted(Payload, frozen=True, tag="person_promoted"):
    """Somebody who waited has a place."""

    person: str


class PersonCheckedIn(Payload, frozen=True, tag="person_checked_in"):
    """Somebody is there: at the desk, by themselves, or by the code of the hall."""

    person: str
    way: Literal["desk", "self", "qr"] = "desk"


class PersonWithdrawn(Payload, frozen=True, tag="person_withdrawn"):
    """Somebody gave the place back before the first round."""

    person: str


class PersonDropped(Payload, frozen=True, tag="person_dropped"):
    """Somebody plays no more from a round on."""

    person: str
    round: int
    reason: str = ""


class PersonReturned(Payload, frozen=True, tag="person_returned"):
    """Somebody plays again from a round on; `missed_as` says what the rounds missed count as (`absent`, `half_bye`, `full_bye`)."""

    person: str
    round: int
    missed_as: str
    missed: list[Missed] = []


class PersonDisqualified(Payload, frozen=True, tag="person_disqualified"):
    """Somebody leaves the standings, and plays no more from a round on."""

    person: str
    round: int
    reason: str


class EntrantChanged(Payload, frozen=True, tag="entrant_changed"):
    """The seed rating, the group to keep apart or the fixed table of an entrant changed; all three are told."""

    person: str
    seed_rating: int | None = None
    group: str = ""
    table: int | None = None


class ByeRequested(Payload, frozen=True, tag="bye_requested"):
    """Somebody will not play a round: `absent`, `half_bye` or `full_bye`; None takes the request back."""

    person: str
    round: int
    kind: str | None = None


class StageBegun(Payload, frozen=True, tag="stage_begun"):
    """A stage began, with its entrants in the order of their pairing numbers, by groups; by which source they were seeded."""

    stage: int
    entrants: list[list[str]]
    seeding: str


class RoundPaired(Payload, frozen=True, tag="round_paired"):
    """A round was prepared: tables, and who has none. It is shown to nobody else before it is published."""

    stage: int
    round: int
    tables: list[TablePaired]
    byes: list[Sitting]
    engine: str
    version: str
    input_digest: str
    notes: list[dict[str, str | int | list[str]]] = []


class SeatsSwapped(Payload, frozen=True, tag="seats_swapped"):
    """Two entrants of a prepared round changed places; either may be without a table."""

    stage: int
    round: int
    first: str
    second: str
    reason: str = ""


class TableMoved(Payload, frozen=True, tag="table_moved"):
    """A pairing of a round is played at another table; whoever was to play there changes with it."""

    stage: int
    round: int
    table: int
    to: int


class RoundUnpaired(Payload, frozen=True, tag="round_unpaired"):
    """A round was taken back, with its results, if it had any."""

    stage: int
    round: int
    reason: str = ""


class RoundPublished(Payload, frozen=True, tag="round_published"):
    """A round is public: a match waits at each of its tables."""

    stage: int
    round: int


class ClockSet(Payload, frozen=True, tag="clock_set"):
    """The clock of a round: when it ends (UTC), or, while it stands, how many seconds are left."""

    stage: int
    round: int
    ends_at: str | None = None
    seconds: int | None = None


class TableExtended(Payload, frozen=True, tag="table_extended"):
    """A table has so many seconds more than the clock of the round."""

    stage: int
    round: int
    table: int
    seconds: int


class JudgeCalled(Payload, frozen=True, tag="judge_called"):
    """Somebody at a table called a judge."""

    stage: int
    round: int
    table: int
    person: str


class JudgeAnswered(Payload, frozen=True, tag="judge_answered"):
    """A call was answered."""

    stage: int
    round: int
    table: int


class ResultSettled(Payload, frozen=True, tag="result_settled"):
    """The confirmed result of a table's match, as of an entry of the match. Without rows the match counts no more."""

    stage: int
    round: int
    table: int
    match: str
    match_seq: int
    depth: str
    rows: list[ResultRow]


class ResultRuled(Payload, frozen=True, tag="result_ruled"):
    """An organizer ruled on a table: a no-show, a double loss, an agreed draw. It prevails over what the match says."""

    stage: int
    round: int
    table: int
    rows: list[ResultRow]
    reason: str


class PenaltyGiven(Payload, frozen=True, tag="penalty_given"):
    """Points were taken from an entrant, or a warning was given (0 points)."""

    person: str
    stage: int
    round: int
    kind: str
    value: str
    reason: str


class StageClosed(Payload, frozen=True, tag="stage_closed"):
    """A stage is finished: its places, and who goes on into the next one in the order of their seeds."""

    stage: int
    places: list[dict[str, str | int]]
    cut: list[str]
    at_seq: int


class TournamentClosed(Payload, frozen=True, tag="tournament_closed"):
    """A tournament ended with these placements, computed from the entries up to `at_seq`."""

    placements: list[dict[str, str | int]]
    at_seq: int
    date: str
    game: str


class TournamentReopened(Payload, frozen=True, tag="tournament_reopened"):
    """A closed tournament goes on."""

    reason: str


class TournamentCancelled(Payload, frozen=True, tag="tournament_cancelled"):
    """A tournament is not played (any further)."""

    reason: str


class RoleGranted(Payload, frozen=True, tag="role_granted"):
    """A person was given a role in the tournament."""

    person: str
    role: str
    scope: str


class RoleRevoked(Payload, frozen=True, tag="role_revoked"):
    """A role was taken from a person."""

    person: str
    role: str
    scope: str


class EntryWithdrawn(Payload, frozen=True, tag="entry_withdrawn"):
    """An earlier entry of this stream counts as if it had never been."""

    target_seq: int
    reason: str


PAYLOADS: dict[str, type[Payload]] = {str(one.__struct_config__.tag): one for one in Payload.__subclasses__()}
