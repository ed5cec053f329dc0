"""Digests: one replay of an ended match, boiled down to what careers need, for its present result and the replaced ones.

A correction recorded after the end replaces the result. What stood before is kept as an earlier *version*, so that what
a correction took away can be told from the log alone, whenever it is derived.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from career.participation import FactLine, Participation, Rival, Role
from matches.services.standing import ended_at
from rulesengine import replay
from rulesengine.game import FORFEITED
from rulesengine.log import Line, Log

CORRECTIONS = frozenset(
    {
        "event_voided",
        "event_amended",
        "event_withdrawn",
        "state_adjusted",
        "illegal_state_accepted",
        "match_annulled",
        "match_abandoned",
        "result_overridden",
    }
)
ENDED = ("ended", "confirmed")
OFFICES: tuple[Role, ...] = ("mapmaster", "referee", "scribe")


class Who(Struct, frozen=True):
    """Who sat and served: seat letter → person id (None: not linked), and (role, person id) of the officials."""

    seats: tuple[tuple[str, str | None], ...]
    officials: tuple[tuple[str, str | None], ...] = ()
    credited: bool = True
    """False for a friendly that fewer than two accounts have signed."""


class General(Struct, frozen=True):
    """A General of a seat, by person id: in office after the entry `since`, up to the entry `until` (None: the end)."""

    seat: str
    person: str
    since: int
    until: int | None = None

    def had(self, seq: int) -> bool:
        """Return whether the General was in office when an entry was recorded."""
        return self.since < seq and (self.until is None or seq <= self.until)


PersonOf = Callable[[str, str], str | None]
"""Answers whose id the handle of a seat's General is: seat and handle, None if nobody's or not linked."""


class Version(Struct, frozen=True):
    """A result as it stood up to `until` (the seq of the correction that replaced it, None for the present one)."""

    status: str
    end_seq: int
    confirmed_seq: int | None
    places: tuple[tuple[str, int], ...]
    facts: tuple[tuple[str, tuple[FactLine, ...]], ...]
    events: int
    scribe_errors: int
    until: int | None = None
    until_on: date | None = None
    generals: tuple[General, ...] = ()


class MatchDigest(Struct, frozen=True):
    """An ended match: when and where it stands in the order of play, who took part, and the versions of its result, oldest first."""

    match: str
    game: str
    depth: str
    on: date
    ended_at: datetime
    round: int
    table: int
    who: Who
    versions: tuple[Version, ...]
    league: str | None = None

    @property
    def order(self) -> tuple[datetime, int, int, str]:
        """Return the match's place in the order of play."""
        return (self.ended_at, self.round, self.table, self.match)

    def people(self) -> frozenset[str]:
        """Return the ids of all who took part in any version."""
        seated = {person for _, person in (*self.who.seats, *self.who.officials) if person is not None}
        return frozenset(seated | {one.person for version in self.versions for one in version.generals})

    def participation(self, persons: Mapping[str, str], head: str, version: Version) -> Participation | None:
        """Return what a person did in a version of the match, or None if it does not count for them.

        `persons` maps the ids in the log to the persons they are joined into at present; ids not in it stand for themselves.
        """
        if version.status not in ENDED:
            return None
        at = [(seat, persons.get(person, person)) for seat, person in self.who.seats if person is not None]
        offices = [
            role for role, person in self.who.officials if person is not None and persons.get(person, person) == head
        ]
        seat = next((letter for letter, person in at if person == head), None)
        terms = [one for one in version.generals if seat is None and persons.get(one.person, one.person) == head]
        playing = len(self.who.seats)
        if playing < 2 or (seat is None and not terms and not any(office in OFFICES for office in offices)):
            return None
        places = dict(version.places)
        facts = dict(version.facts)
        role: Role
        if seat is not None:
            role, told = "player", facts.get(seat, ())
        elif terms:
            role, seat = "general", terms[-1].seat
            own = [one for one in terms if one.seat == seat]
            told = tuple(fact for fact in facts.get(seat, ()) if any(one.had(fact.seq) for one in own))
        else:
            role, told = next(office for office in OFFICES if office in offices), ()
        credited = self.who.credited and self.depth != "import"
        if role == "player" and any(fact.key == FORFEITED for fact in told):
            credited = False
        scribes = [person for office, person in self.who.officials if office == "scribe"]
        return Participation(
            match=self.match,
            order=self.order,
            on=self.on,
            game=self.game,
            role=role,
            offices=tuple(offices),
            place=places.get(seat) if seat is not None else None,
            players=playing,
            depth=self.depth,
            credited=credited,
            confirmed=version.status == "confirmed" and credited,
            end_seq=version.end_seq,
            confirmed_seq=version.confirmed_seq,
            events=version.events,
            scribe_errors=version.scribe_errors,
            sole_scribe=len(scribes) == 1,
            facts=told,
            league=self.league,
            rivals=tuple(
                Rival(person, places.get(letter)) for letter, person in at if head != person and letter != seat
            ),
        )


def digest(
    log: Log, *, match: str, who: Who, general: PersonOf = lambda seat, handle: None, league: str | None = None
) -> MatchDigest | None:
    """Return the digest of a match, or None while it is running.

    :param log: the stored log, `recorded_at` of its lines filled in
    :param general: finds the person of a General by seat and handle
    """
    told = replay.run(log)
    present = _version(log, told, general)
    versions = []
    for line in log.lines:
        if line.type in CORRECTIONS:
            earlier = replace(log, lines=tuple(one for one in log.lines if one.seq < line.seq))
            before = _version(earlier, replay.run(earlier), general)
            if before.status in ENDED:
                versions.append(replace(before, until=line.seq, until_on=_day(line, log)))
    if present.status not in (*ENDED, "void") and not versions:
        return None
    return MatchDigest(
        match=match,
        game=log.header.game,
        depth=log.header.depth,
        on=date.fromisoformat(told.header.played_on),
        ended_at=ended_at(log.lines, told),
        round=_number(told.header.context.get("round")),
        table=_number(told.header.context.get("table")),
        who=who,
        versions=(*versions, present),
        league=league,
    )


def _version(log: Log, told: replay.Replay, general: PersonOf) -> Version:
    """Return how the match stands at the end of a log."""
    facts: dict[str, list[FactLine]] = {}
    if told.status in ENDED:
        for fact in told.ruleset.facts(told.carried):
            facts.setdefault(fact.seat, []).append(FactLine(fact.key, fact.value, fact.seq, fact.mode))
    confirmations = [
        line.seq for line in log.lines if line.type == "placements_confirmed" and line.seq not in told.skipped
    ]
    return Version(
        status=told.status or "unplayable",
        end_seq=_end(told, log),
        confirmed_seq=confirmations[-1] if confirmations and told.status == "confirmed" else None,
        places=tuple((one.seat, one.place) for one in told.placements),
        facts=tuple((seat, tuple(lines)) for seat, lines in sorted(facts.items())),
        events=len(log.lines),
        scribe_errors=sum(
            1 for line in log.lines if line.type in CORRECTIONS and line.payload().get("scribe_error") is True
        ),
        generals=_generals(told, general) if told.status in ENDED else (),
    )


def _generals(told: replay.Replay, general: PersonOf) -> tuple[General, ...]:
    """Return who was General, as far as the log gives a handle: nobody is joined by name alone."""
    handles = {
        seat.seat: seat.general["player"]
        for seat in told.header.seats
        if isinstance(seat.general, dict) and isinstance(seat.general.get("player"), str)
    }
    found = []
    for office in told.ruleset.offices(told.carried):
        handle = office.person if office.since else handles.get(office.seat)
        person = general(office.seat, handle) if handle else None
        if person is not None:
            found.append(General(office.seat, person, office.since, office.until))
    return tuple(found)


def _end(told: replay.Replay, log: Log) -> int:
    """Return the seq of the event with which the result became known."""
    for one in told.carried:
        if told.ruleset.status(one.step.state) != "running":
            return one.seq
    ending = ("match_ended", "result_recorded")
    return next((line.seq for line in log.lines if line.type in ending), log.lines[-1].seq if log.lines else 0)


def _day(line: Line, log: Log) -> date | None:
    """Return the day of a correction in the match's zone, by the moment it was recorded on the site."""
    moment = line.recorded_at or line.at
    if moment is None:
        return None
    at = datetime.fromisoformat(moment)
    zone = ZoneInfo(log.header.timezone)
    return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(zone).date()


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
