"""A tournament as a viewer may see it: names, pairings, standings, what waits. A page asks the database a constant number of times."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from msgspec import Struct

from league.directing import engines, results, services, stream, tables, words
from league.models import Tournament
from league.tournament import events as e
from league.tournament import reducer
from league.tournament.field import Kind
from league.tournament.reducer import Round, Stage, State
from matches import log
from matches.models import Match
from people import rights
from people.models import Person
from people.selectors import visible_names


class Who(Struct, frozen=True):
    """Somebody as they are shown: the person (as at present), the name, and what lists are sorted by."""

    id: str
    person: Person
    name: str
    sort: str

    @property
    def handle(self) -> str:
        """Return the handle, nothing where the reader may not know them by name."""
        known = self.person.handle and self.name == self.person.display_name and not self.person.forgotten_at
        return (self.person.handle or "") if known else ""


class Sitter(Struct):
    """Somebody at a table: who, the points before the round, what they have of it."""

    who: Who
    points: str
    result: str
    is_winner: bool = False


class TableLine(Struct):
    """A table of a round as lists show it."""

    number: int
    match: str
    sitters: list[Sitter]
    result: str
    state: str
    """`open`, `entered` (waits for confirmation), `disputed`, `settling`, `settled`."""
    has_begun: bool
    extension: int = 0
    caller: Who | None = None
    group: int = 0
    ruled: bool = False


class SitOut(Struct, frozen=True):
    """Somebody without a table in a round: who, which kind of row it is, the points it gives."""

    who: Who
    code: str
    gives: str

    @property
    def kind(self) -> str:
        """Return the word for why."""
        return words.kind(self.code)

    @property
    def points(self) -> str:
        """Return the points as people write them."""
        return words.points(self.gives)


class Shown:
    """A tournament for one viewer, as of an entry or of now."""

    def __init__(self, tournament: Tournament, viewer: Person | None, *, at: int | None = None) -> None:
        self.tournament, self.viewer = tournament, viewer
        entries = stream.entries_of(tournament)
        self.entries = entries if at is None else [one for one in entries if one[0] <= at]
        self.state: State = reducer.fold(self.entries)
        self.at = at

    @cached_property
    def may(self) -> dict[str, bool]:
        """Return what the viewer may do here."""
        return {
            action: rights.may(self.viewer, action, self.tournament.scopes)
            for action in ("record", "pair", "penalize", "administer")
        }

    @cached_property
    def directs(self) -> bool:
        """Return whether the viewer sees the desk."""
        return self.may["record"]

    @cached_property
    def people(self) -> dict[str, Who]:
        """Return everybody in the tournament by the id that they entered with."""
        wanted = {UUID(one) for one in self.state.entries}
        return self._who(wanted)

    def _who(self, wanted: Iterable[UUID]) -> dict[str, Who]:
        found = Person.objects.select_related("joined_into").in_bulk(set(wanted))
        names = visible_names(found.values(), self.viewer)
        return {
            str(pk): Who(str(pk), one.head, names[pk], one.head.sort_name if names[pk] == one.head.display_name else names[pk])
            for pk, one in found.items()
        }  # fmt: skip

    def name(self, person: str) -> str:
        """Return under which name the viewer may know somebody."""
        one = self.people.get(person)
        if one is None:
            one = self._who([UUID(person)]).get(person)
        return one.name if one is not None else "–"

    @cached_property
    def me(self) -> str | None:
        """Return as whom the viewer has entered, None if not at all."""
        if self.viewer is None:
            return None
        own = {str(self.viewer.pk), str(self.viewer.head.pk)}
        return next(
            (
                one
                for one in self.state.entries
                if one in own or (one in self.people and str(self.people[one].person.pk) in own)
            ),
            None,
        )

    # Rounds

    def stage(self, number: int | None = None) -> Stage | None:
        """Return a stage by its number from 1, or the one that is shown first: the latest that has begun."""
        if number is None:
            return self.state.latest
        return self.state.stages[number - 1] if 1 <= number <= len(self.state.stages) else None

    def rounds(self, stage: Stage) -> list[Round]:
        """Return the rounds of a stage that the viewer may see, newest first."""
        return [one for _at, one in sorted(stage.rounds.items(), reverse=True) if one.is_published or self.may["pair"]]

    @cached_property
    def matches(self) -> dict[str, Match]:
        """Return the matches that have begun at tables of the last round of each stage, and at those that miss a result."""
        wanted = [
            table.match
            for stage in self.state.stages
            for round_ in stage.rounds.values()
            for table in round_.tables.values()
            if table.rows is None or round_ is stage.last
        ]
        return results.matches_of(wanted) if wanted else {}

    def lines(self, stage: Stage, round_: Round) -> list[TableLine]:
        """Return the tables of a round in their order."""
        scores = self._before(stage, round_)
        made = []
        for table in round_.tables.values():
            match = self.matches.get(table.match)
            rows = table.rows
            told = rows
            state = "settled" if rows is not None else "open"
            if rows is None and match is not None:
                if match.status == Match.Status.CONFIRMED:
                    state = "settling"
                elif match.status in (Match.Status.ANNULLED, Match.Status.ABANDONED):
                    state = "open"
                else:
                    state = (
                        "disputed" if match.disputed else "entered" if match.status == Match.Status.ENDED else "running"
                    )
                finished = results.finished_of(match, table.seats)
                told = results.rows_of(stage, finished) if finished is not None else None
            sitters = [
                Sitter(
                    self.people[person], words.points(scores.get(person, "0")), words.short_result(told, person),
                    any(row.person == person and row.outcome == "win" for row in told or ()),
                )
                for person in table.seats
            ]  # fmt: skip
            made.append(
                TableLine(
                    table.number,
                    table.match,
                    sitters,
                    words.result(told, self.name) if told else "",
                    state,
                    match is not None,
                    table.extension // 60,
                    self.people.get(table.caller) if table.caller else None,
                    table.group,
                    table.ruled is not None,
                )
            )
        return made

    def _before(self, stage: Stage, round_: Round) -> dict[str, str]:
        field = engines.field_of(self.state, stage, through=round_.number - 1)
        return {person: str(points) for person, points in field.points().items()}

    def sitting_out(self, stage: Stage, round_: Round) -> list[SitOut]:
        """Return who has no table in a round; of those who dropped only if they did so for this round."""
        made = []
        for person, one in round_.byes.items():
            told = stage.missed.get((person, round_.number))
            kind, gives = (told.kind, told.points) if told is not None else (one.kind, one.points)
            if kind == Kind.ABSENT and stage.dropped.get(person, 10**6) < round_.number:
                continue
            made.append(SitOut(self.people[person], str(kind), gives))
        return sorted(made, key=lambda one: one.who.sort)

    # Standings

    def standings(self, stage: Stage, *, live: bool = False) -> list[tables.Table]:
        """Return the standings of a stage, settled or live."""
        rows = results.live_rows(stage, self.matches) if live else None
        return tables.of_stage(self.state, stage, live=rows)

    def records(self, table: tables.Table) -> dict[str, str]:
        """Return won, drawn and lost games by entrant."""
        told: dict[str, list[int]] = {}
        field = engines.field_of(self.state, self.state.stages[table.stage], group=table.group)
        for row in field.rows:
            count = told.setdefault(row.entrant, [0, 0, 0])
            if (row.outcome is not None and row.facts.worth == "result") or row.kind in (
                Kind.FORFEIT_WIN,
                Kind.FORFEIT_LOSS,
            ):
                count[{"win": 0, "draw": 1, "loss": 2}[row.outcome or "loss"]] += 1
        return {entrant: "–".join(map(str, count)) for entrant, count in told.items()}

    # What is to be done

    @cached_property
    def place(self) -> tuple[Stage, Round, reducer.Table] | None:
        """Return where the viewer sits in the last published round."""
        return self.state.place_of(self.me) if self.me is not None else None

    @property
    def entry(self) -> reducer.Entry | None:
        """Return the viewer's entry."""
        return self.state.entries.get(self.me) if self.me is not None else None

    @property
    def has_dropped(self) -> bool:
        """Return whether the viewer has dropped."""
        stage = self.state.latest
        return stage is not None and self.me is not None and self.me in stage.dropped

    def outstanding(self) -> list[TableLine]:
        """Return the tables that the next round waits for."""
        stage = self.state.latest
        last = stage.last if stage is not None else None
        if stage is None or last is None or not last.is_published:
            return []
        return [one for one in self.lines(stage, last) if one.state != "settled"]

    def next_step(self) -> str:
        """Return what an organizer does next: the name of an act of the desk, or nothing."""
        state, stage = self.state, self.state.present
        if state.status in ("closed", "cancelled"):
            return ""
        if stage is None:
            return "close"
        last = stage.last
        if last is None:
            return "pair" if len(state.playing) >= 2 or stage.number else "enter"
        if not last.is_published:
            return "publish"
        if last.missing:
            return "results"
        known = engines.rounds_of(stage)
        if stage.system == "elimination":
            return "stage" if engines.bracket_of(state, stage).is_over else "pair"
        return "stage" if known.is_certain and last.number >= known.rounds else "pair"


def log_lines(shown: Shown, *, limit: int, offset: int = 0) -> list[dict[str, Any]]:
    """Return the director's log, newest first: what each entry did, who wrote it in which role, why, and whether it was taken back."""
    tournament = shown.tournament
    entries = shown.entries
    gone = reducer.withdrawn(entries)
    wanted = entries[max(len(entries) - offset - limit, 0) : len(entries) - offset]
    if not wanted:
        return []
    first = wanted[0][0]
    rows = {row.seq: row for row in log.read(tournament.pk, after=first - 1, limit=limit)}
    writers = shown._who({row.by for row in rows.values() if row.by is not None})
    hidden = unpublished(shown.state, entries) if not shown.may["pair"] else set()
    made = []
    for seq, event, before in reducer.walk(entries[: len(entries) - offset]):
        if seq < first:
            continue
        row = rows[seq]
        made.append(
            {
                "seq": seq,
                "text": _("Shown when the round is published.")
                if seq in hidden
                else words.entry(event, before, shown.name),
                "reason": "" if seq in hidden else words.reason_of(event),
                "at": row.recorded_at,
                "by": writers.get(str(row.by)) if row.by else None,
                "role": rights.ROLE_NAMES.get(row.acting_as or "", ""),
                "type": row.type,
                "taken_back": gone.get(seq),
                "may_undo": seq not in gone and not isinstance(event, (*services.NEVER, e.EntryWithdrawn)),
            }
        )
    return list(reversed(made))


def unpublished(state: State, entries: list[tuple[int, e.Payload]]) -> set[int]:
    """Return the entries that tell who sits where in a round that only those who pair may see."""
    hidden = set()
    for seq, event in entries:
        if isinstance(event, e.SeatsSwapped | e.TableMoved):
            round_ = state.stages[event.stage].rounds.get(event.round) if event.stage < len(state.stages) else None
            if round_ is not None and not round_.is_published and seq > round_.seq:
                hidden.add(seq)
    return hidden
