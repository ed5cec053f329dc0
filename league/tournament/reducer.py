"""The fold of a tournament's stream: entries in, the state of the tournament out. Pure; nothing of it calls a pairing engine.

An entry that an `entry_withdrawn` names is passed over. An entry that no longer fits (it names a table that is not there) changes
nothing and is told in `State.misfits`: whoever wants to take an entry back sees there what would hang in the air.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from league.tournament import events as e
from league.tournament.field import Entrant, Field, Kind, Penalty, Row, System

type Entries = Iterable[tuple[int, e.Payload]]
Status = Literal["open", "running", "closed", "cancelled"]
SYSTEMS: Mapping[str, System] = {
    "swiss": "swiss",
    "dutch": "swiss",
    "pods": "pods",
    "round_robin": "round_robin",
    "double_round_robin": "round_robin",
    "single_elimination": "elimination",
    "double_elimination": "elimination",
    "pod_elimination": "elimination",
}


@dataclass(slots=True)
class Entry:
    """Somebody who entered: a place or a place on the waiting list, the check-in, the seed, what is wished."""

    person: str
    seq: int
    rating: int = 0
    group: str = ""
    table: int | None = None
    waits: bool = False
    withdrawn: bool = False
    checked_in: str = ""
    disqualified: bool = False

    @property
    def plays(self) -> bool:
        """Return whether they have a place."""
        return not (self.waits or self.withdrawn)


@dataclass(slots=True)
class Table:
    """A table of a round: who sits there, and the result as settled from its match and as ruled by an organizer."""

    number: int
    match: str
    seats: list[str]
    group: int = 0
    node: str = ""
    settled: list[e.ResultRow] | None = None
    match_seq: int = -1
    depth: str = ""
    settled_at: int = -1
    ruled: list[e.ResultRow] | None = None
    ruled_at: int = -1
    extension: int = 0
    caller: str = ""

    @property
    def rows(self) -> list[e.ResultRow] | None:
        """Return the result that counts, None while there is none."""
        return self.ruled if self.ruled is not None else self.settled

    @property
    def counted_at(self) -> int:
        """Return the number of the entry that the result comes from, -1 while there is none."""
        return self.ruled_at if self.ruled is not None else self.settled_at


@dataclass(slots=True)
class Round:
    """A round of a stage, prepared or published."""

    number: int
    tables: dict[int, Table]
    byes: dict[str, e.Sitting]
    seq: int
    engine: str = ""
    version: str = ""
    digest: str = ""
    notes: list[dict[str, str | int | list[str]]] = field(default_factory=list)
    published_at: int = -1
    ends_at: str | None = None
    seconds: int | None = None

    @property
    def is_published(self) -> bool:
        """Return whether everybody sees it."""
        return self.published_at >= 0

    @property
    def missing(self) -> list[int]:
        """Return the numbers of the tables whose result is not settled."""
        return [one.number for one in self.tables.values() if one.rows is None]

    @property
    def is_complete(self) -> bool:
        """Return whether it is published and every table has its result."""
        return self.is_published and not self.missing

    def table_of(self, person: str) -> Table | None:
        """Return where somebody sits."""
        return next((one for one in self.tables.values() if person in one.seats), None)


@dataclass(slots=True)
class Stage:
    """A stage: how it is played, who plays in it by pairing number, and its rounds."""

    settings: e.Stage
    number: int
    begun_at: int = -1
    seeding: str = ""
    groups: list[list[str]] = field(default_factory=list)
    rounds: dict[int, Round] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    missed: dict[tuple[str, int], e.Missed] = field(default_factory=dict)
    requests: dict[tuple[str, int], str] = field(default_factory=dict)
    penalties: list[e.PenaltyGiven] = field(default_factory=list)
    closed_at: int = -1
    places: list[dict[str, str | int]] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)

    @property
    def has_begun(self) -> bool:
        """Return whether its entrants are fixed."""
        return self.begun_at >= 0

    @property
    def is_closed(self) -> bool:
        """Return whether it is finished."""
        return self.closed_at >= 0

    @property
    def entrants(self) -> list[str]:
        """Return who plays in it, group by group."""
        return [person for group in self.groups for person in group]

    @property
    def system(self) -> System:
        """Return what kind of format it has."""
        return SYSTEMS[self.settings.format]

    @property
    def last(self) -> Round | None:
        """Return its latest round."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    @property
    def shown(self) -> Round | None:
        """Return its last published round."""
        return next((self.rounds[at] for at in sorted(self.rounds, reverse=True) if self.rounds[at].is_published), None)

    def group_of(self, person: str) -> int:
        """Return in which group somebody plays, -1 in none."""
        return next((at for at, group in enumerate(self.groups) if person in group), -1)


@dataclass(slots=True)
class State:
    """A tournament as its stream tells it, up to entry `seq`."""

    seq: int = -1
    slug: str = ""
    title: str = ""
    game: str = ""
    rules: str | None = None
    options: Mapping[str, int | str | bool] = field(default_factory=dict)
    seed: str = ""
    timezone: str = "UTC"
    league: str = ""
    season: str | None = None
    status: Status = "open"
    registration: e.RegistrationOpened | None = None
    registration_is_open: bool = False
    entries: dict[str, Entry] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    placements: list[dict[str, str | int]] = field(default_factory=list)
    closed_at: int = -1
    misfits: list[tuple[int, str]] = field(default_factory=list)

    @property
    def present(self) -> Stage | None:
        """Return the stage that is being played, or that comes next; None when all are closed."""
        return next((stage for stage in self.stages if not stage.is_closed), None)

    @property
    def latest(self) -> Stage | None:
        """Return the last stage that has begun, None before the first."""
        return next((stage for stage in reversed(self.stages) if stage.has_begun), None)

    @property
    def playing(self) -> list[Entry]:
        """Return who has a place, in order of registration."""
        return [one for one in self.entries.values() if one.plays]

    @property
    def waiting(self) -> list[Entry]:
        """Return the waiting list in its order."""
        return sorted(
            (one for one in self.entries.values() if one.waits and not one.withdrawn), key=lambda one: one.seq
        )

    def place_of(self, person: str) -> tuple[Stage, Round, Table] | None:
        """Return where somebody sits in the last published round; None if nowhere."""
        stage = self.latest
        round_ = stage.shown if stage is not None else None
        table = round_.table_of(person) if round_ is not None else None
        return (stage, round_, table) if stage is not None and round_ is not None and table is not None else None

    def table(self, stage: int, round_: int, table: int) -> Table | None:
        """Return a table by its numbers, None if it is not there."""
        if not 0 <= stage < len(self.stages) or round_ not in self.stages[stage].rounds:
            return None
        return self.stages[stage].rounds[round_].tables.get(table)


def fold(entries: Entries) -> State:
    """Return the state after the entries, each with its number, in their order."""
    state = State()
    for _seq, _event, now in walk(entries):
        state = now
    # The walk changes one and the same state: after its end it is that after the last entry.
    return state


def walk(entries: Entries) -> Iterator[tuple[int, e.Payload, State]]:
    """Yield each entry with the state that it finds: one state, which every step changes, so that after the last it is the present one."""
    said = list(entries)
    gone = withdrawn(said)
    state = State()
    for seq, event in said:
        yield seq, event, state
        if seq not in gone:
            problem = _step(state, seq, event)
            if problem:
                state.misfits.append((seq, problem))
        state.seq = seq


def withdrawn(said: Sequence[tuple[int, e.Payload]]) -> dict[int, int]:
    """Return the numbers of the entries that were taken back, each with the entry that did so; that one may be taken back itself."""
    gone: dict[int, int] = {}
    for seq, event in reversed(said):
        if isinstance(event, e.EntryWithdrawn) and seq not in gone:
            gone[event.target_seq] = seq
    return gone


def _step(state: State, seq: int, event: e.Payload) -> str:
    """Bring the state up to one entry; return what it does not find, or nothing."""
    match event:
        case e.TournamentOpened():
            state.slug, state.title, state.game, state.rules = event.slug, event.title, event.game, event.rules
            state.options, state.seed, state.timezone = event.options, event.seed, event.timezone
            state.league, state.season = event.league, event.season
            state.stages = [Stage(one, number) for number, one in enumerate(event.stages)]
        case e.TournamentChanged():
            state.title = state.title if event.title is None else event.title
            state.season = state.season if event.season is None else event.season or None
            if event.stages is not None:
                kept = [stage for stage in state.stages if stage.has_begun]
                state.stages = kept + [Stage(one, at) for at, one in enumerate(event.stages) if at >= len(kept)]
        case e.TournamentClosed():
            state.status, state.placements, state.closed_at = "closed", event.placements, seq
        case e.TournamentReopened():
            state.status, state.placements, state.closed_at = "running", [], -1
        case e.TournamentCancelled():
            state.status = "cancelled"
        case e.RegistrationOpened():
            state.registration, state.registration_is_open = event, True
        case e.RegistrationClosed():
            state.registration_is_open = False
        case e.RoleGranted() | e.RoleRevoked() | e.EntryWithdrawn():
            pass
        case e.PersonRegistered() | e.PersonWaitlisted():
            _enter(state, seq, event)
        case e.PersonPromoted() | e.PersonCheckedIn() | e.PersonWithdrawn() | e.EntrantChanged():
            return _entrant(state, event)
        case e.PersonDropped() | e.PersonReturned() | e.PersonDisqualified() | e.ByeRequested():
            return _attendance(state, event)
        case _:
            return _stage(state, seq, event)
    return ""


def _enter(state: State, seq: int, event: e.PersonRegistered | e.PersonWaitlisted) -> None:
    entry = Entry(event.person, seq, event.seed_rating or 0, waits=isinstance(event, e.PersonWaitlisted))
    if isinstance(event, e.PersonRegistered):
        entry.group, entry.table = event.group, event.table
    state.entries[event.person] = entry
    stage = state.latest
    if stage is not None and not stage.is_closed and entry.plays and event.person not in stage.entrants:
        min(stage.groups, key=len).append(event.person)
        if isinstance(event, e.PersonRegistered):
            stage.missed.update({(event.person, one.round): one for one in event.missed})


def _entrant(state: State, event: e.PersonPromoted | e.PersonCheckedIn | e.PersonWithdrawn | e.EntrantChanged) -> str:
    entry = state.entries.get(event.person)
    if entry is None:
        return "person"
    match event:
        case e.PersonPromoted():
            entry.waits = False
        case e.PersonCheckedIn():
            entry.checked_in = event.way
        case e.PersonWithdrawn():
            entry.withdrawn = True
        case e.EntrantChanged():
            entry.rating, entry.group, entry.table = event.seed_rating or 0, event.group, event.table
    return ""


def _attendance(state: State, event: e.PersonDropped | e.PersonReturned | e.PersonDisqualified | e.ByeRequested) -> str:
    stage = state.latest if state.latest is not None and not state.latest.is_closed else state.present
    if event.person not in state.entries or stage is None:
        return "person"
    match event:
        case e.PersonDropped():
            stage.dropped[event.person] = event.round
        case e.PersonDisqualified():
            stage.dropped[event.person] = min(event.round, stage.dropped.get(event.person, event.round))
            state.entries[event.person].disqualified = True
        case e.PersonReturned():
            stage.dropped.pop(event.person, None)
            stage.missed.update({(event.person, one.round): one for one in event.missed})
        case e.ByeRequested():
            if event.kind is None:
                stage.requests.pop((event.person, event.round), None)
            else:
                stage.requests[event.person, event.round] = event.kind
    return ""


def _stage(state: State, seq: int, event: e.Payload) -> str:
    number: int = event.stage  # type: ignore[attr-defined]
    if not 0 <= number < len(state.stages):
        return "stage"
    stage = state.stages[number]
    match event:
        case e.StageBegun():
            stage.begun_at, stage.seeding, stage.groups = seq, event.seeding, [[*group] for group in event.entrants]
            state.status, state.registration_is_open = "running", False
        case e.StageClosed():
            stage.closed_at, stage.places, stage.cut = seq, event.places, event.cut
        case e.PenaltyGiven():
            if event.person not in state.entries:
                return "person"
            stage.penalties.append(event)
        case e.RoundPaired():
            tables = {one.table: Table(one.table, one.match, [*one.seats], one.group, one.node) for one in event.tables}
            byes = {one.person: one for one in event.byes}
            stage.rounds[event.round] = Round(
                event.round, tables, byes, seq, event.engine, event.version, event.input_digest, event.notes
            )
        case _:
            return _round(stage, seq, event)
    return ""


def _round(stage: Stage, seq: int, event: e.Payload) -> str:
    number: int = event.round  # type: ignore[attr-defined]
    if number not in stage.rounds:
        return "round"
    round_ = stage.rounds[number]
    match event:
        case e.RoundUnpaired():
            del stage.rounds[number]
        case e.RoundPublished():
            round_.published_at = seq
        case e.ClockSet():
            round_.ends_at, round_.seconds = event.ends_at, event.seconds
        case e.SeatsSwapped():
            return _swap(round_, event.first, event.second)
        case e.TableMoved():
            return _move(round_, event.table, event.to)
        case _:
            return _at_table(round_, seq, event)
    return ""


def _swap(round_: Round, first: str, second: str) -> str:
    places = []
    for person in (first, second):
        table = round_.table_of(person)
        if table is None and person not in round_.byes:
            return "person"
        places.append((table, table.seats.index(person) if table else -1, round_.byes.get(person)))
    for person, other, (table, seat, sitting) in ((second, first, places[0]), (first, second, places[1])):
        if table is not None:
            table.seats[seat] = person
        elif sitting is not None:
            if round_.byes.get(other) is sitting:
                del round_.byes[other]
            round_.byes[person] = e.Sitting(person, sitting.kind, sitting.points)
    for person in (first, second):
        if round_.table_of(person) is not None:
            round_.byes.pop(person, None)
    return ""


def _move(round_: Round, table: int, to: int) -> str:
    if table not in round_.tables:
        return "table"
    moved, there = round_.tables.pop(table), round_.tables.pop(to, None)
    moved.number = to
    round_.tables[to] = moved
    if there is not None:
        there.number = table
        round_.tables[table] = there
    round_.tables = dict(sorted(round_.tables.items()))
    return ""


def _at_table(round_: Round, seq: int, event: e.Payload) -> str:
    if isinstance(event, e.ResultSettled):
        # A table that was moved keeps its match: the result belongs to the match.
        table = next((one for one in round_.tables.values() if one.match == event.match), None)
    else:
        table = round_.tables.get(event.table)  # type: ignore[attr-defined]
    if table is None:
        return "table"
    match event:
        case e.ResultSettled():
            if event.match_seq < table.match_seq:
                return "older"
            table.settled, table.match_seq, table.depth = event.rows or None, event.match_seq, event.depth
            table.settled_at = seq
        case e.ResultRuled():
            table.ruled, table.ruled_at = event.rows or None, seq
        case e.TableExtended():
            table.extension += event.seconds
        case e.JudgeCalled():
            table.caller = event.person
        case e.JudgeAnswered():
            table.caller = ""
    return ""


# What engines and standings read ------------------------------------------------------------------------------------

type Live = Mapping[str, Sequence[e.ResultRow]]
"""Results that are not settled yet, by match: of the live view."""


def stage_field(
    state: State,
    number: int,
    *,
    group: int | None = None,
    through: int | None = None,
    live: Live | None = None,
    win: Fraction = Fraction(1),
    draw: Fraction = Fraction(1, 2),
    loss: Fraction = Fraction(0),
) -> Field:
    """Return a stage, or one of its groups, as engines and standings read it: published rounds, settled results.

    :param through: only the rounds up to this one
    :param live: results that are not settled, where they are to count as well
    """
    stage = state.stages[number]
    rounds = [
        one for at, one in sorted(stage.rounds.items()) if one.is_published and (through is None or at <= through)
    ]
    members = stage.entrants if group is None else stage.groups[group]
    known = set(members)
    entrants = tuple(
        Entrant(person, at, "", state.entries[person].rating, state.entries[person].group, state.entries[person].table)
        for at, person in enumerate(members, 1)
    )
    rows: list[Row] = []
    for one in rounds:
        rows += [row for row in _rows(stage, one, live or {}) if row.entrant in known]
    return Field(
        entrants=entrants,
        rows=tuple(rows),
        rounds=rounds[-1].number if rounds else 0,
        planned=stage.settings.rounds,
        system=stage.system,
        win=win,
        draw=draw,
        loss=loss,
        penalties=tuple(
            Penalty(one.person, one.round, Fraction(one.value), one.kind)
            for one in stage.penalties
            if one.person in known and (through is None or one.round <= through)
        ),
        dropped={person: at for person, at in stage.dropped.items() if person in known},
        disqualified=frozenset(person for person in members if state.entries[person].disqualified),
        seed=f"{state.seed}:{number}",
    )


def _rows(stage: Stage, round_: Round, live: Live) -> Iterable[Row]:
    seated: set[str] = set()
    for table in round_.tables.values():
        seated.update(table.seats)
        told = table.rows or live.get(table.match)
        if told is None:
            continue
        for one in told:
            if one.person not in table.seats:
                continue
            yield Row(
                one.person,
                round_.number,
                Kind(one.kind),
                Fraction(one.points),
                tuple(other for other in table.seats if other != one.person),
                one.outcome,
                one.place,
                table.number,
                table.seats.index(one.person),
                len(table.seats),
                Fraction(one.score) if one.score is not None else None,
                agreed=one.agreed,
            )
    for person in stage.entrants:
        if person in seated:
            continue
        said = stage.missed.get((person, round_.number)) or round_.byes.get(person)
        if said is not None:
            yield Row(person, round_.number, Kind(said.kind), Fraction(said.points))
