"""From a log to a position: corrections first, then the fold; what a check of the whole log has to say.

Corrections (void, withdraw, amend, accepted irregular entries) are collected from the *whole* log before anything is carried
out, also when an earlier position is asked for. Then the lines are taken in order: a refused line is skipped and the next one
is judged from the position before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulesengine import codec, registry, shared
from rulesengine.codec import FormError
from rulesengine.corrections import CORRECTIONS, Plan, decisions, no_seat, plan
from rulesengine.game import Carried, Consequence, Event, Payload, Placement, Refusal, Rule, Ruleset, Step
from rulesengine.log import ROLES, FormFinding, Header, Line, Log
from rulesengine.paths import same

Kind = Literal["irregular", "impossible", "form", "observed"]
Status = Literal["running", "ended", "confirmed", "void"]

SET_UP = "match_set_up"
_COMMON_ROLES = frozenset({None, *ROLES})

FOLLOW_UP_RUNS = 40
FOLLOW_UP_EVENTS = 200_000
"""How far :func:`report` looks for findings that follow from an earlier irregular line: so many lines are tried, in the order of
the log, then all together, and so many events replayed for it. Beyond that, findings stand for themselves."""
TICK_LINES = 1_000


class Finding(Struct, frozen=True):
    """One thing that a check found: where it stands, which rule it breaks and what can be done.

    `line` is the line of the file (None if the log is no file), `follows` the seq of an earlier irregular line without which
    there would be no such finding.
    """

    line: int | None
    seq: int | None
    type: str | None
    seat: str | None
    kind: Kind
    rule: str | None
    message: str
    follows: int | None = None
    nearest: str | None = None
    compared: tuple[tuple[str, Any, Any], ...] = ()
    """Of an outcome that the table counted otherwise: each figure's name, the table's count, the computed one."""

    def as_json(self) -> dict[str, Any]:
        """Return the finding with exactly the keys of a report."""
        said = self.message if self.nearest is None else f"{self.message}. Possible instead: {self.nearest}"
        return {
            "line": self.line,
            "seq": self.seq,
            "type": self.type,
            "seat": self.seat,
            "kind": self.kind,
            "rule": self.rule,
            "message": said,
            "follows": self.follows,
        }


class Replay(Struct, frozen=True):
    """A log as replayed up to `at`: the position there, how it came about and what was found on the way."""

    log: Log
    ruleset: Ruleset
    header: Header
    """The header that holds: that of the log, or as a referee amended it."""
    at: int
    state: Any
    """None if the header cannot be played."""
    carried: tuple[Carried, ...]
    findings: tuple[Finding, ...]
    status: Status | None
    """None if the header cannot be played."""
    placements: tuple[Placement, ...]
    result: dict[str, Any] | None
    skipped: frozenset[int]
    """Seqs of voided and withdrawn lines."""
    amended: dict[int, int]
    """By amended seq, that of the amendment that counts."""
    disputes: tuple[int, ...]
    """Seqs of the disputes that are open."""
    pending: tuple[Consequence, ...] = ()
    """Consequences of the latest decision that the file has not spelled out so far."""
    confirmed: bool = False

    @property
    def standing(self) -> str | None:
        """Return the status in the words of the game's own page."""
        if self.state is None:
            return self.ruleset.manners.unplayed
        return self.ruleset.standing(self.state) or self.status

    @property
    def placed(self) -> list[dict[str, Any]] | None:
        """Return the placements as plain values; None, in games whose page says so, where nobody is placed."""
        return places(self.placements) or (None if self.ruleset.manners.null_placements else [])


class Report(Struct, frozen=True):
    """What ``check`` says of a log."""

    replay: Replay
    events: int
    accepted: int
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the object of ``check --json``."""
        told = self.replay
        return {
            "log": told.header.log,
            "game": told.header.game,
            "edition": told.ruleset.edition.key or None,
            "events": self.events,
            "accepted": self.accepted,
            "findings": [finding.as_json() for finding in self.findings],
            "status": told.standing,
            "placements": told.placed,
            "result": told.result,
        }


def places(placements: Iterable[Placement]) -> list[dict[str, Any]]:
    """Return placements as plain values."""
    return [{"seat": one.seat, "place": one.place} for one in placements]


def run(log: Log, *, at: int | None = None, keep: bool = True) -> Replay:
    """Return the log replayed up to and including seq `at` (None: to its end, 0: the set-up alone).

    :param keep: False to keep only the last position and not how it came about (`carried` is then empty)
    :raises Unreadable: if the rules of the log are not known here
    :raises ValueError: if the log has no such seq
    """
    return _run(log, at, keep, None).replay()


def report(log: Log, *, keep: bool = False, tick: Callable[[int], None] | None = None) -> Report:
    """Return what a check of the whole log finds, its breaches of form included.

    :param keep: True to have `carried` in the report's replay
    :param tick: called now and then with how many lines have been replayed; what it raises ends the check
    :raises Unreadable: if the rules of the log are not known here
    """
    snapshots: dict[int, _Fold] = {}
    fold = _run(log, None, keep, snapshots, tick)
    told = fold.replay()
    broken = [_broken(one, told.ruleset) for one in log.form] if told.state is not None else []
    findings = [*_with_follow_ups(fold, snapshots, tick), *broken]
    if broken:
        findings.sort(key=lambda one: (one.line or 0, one.seq or 0))
    bad = sum(1 for one in findings if one.kind != "observed")
    events = len(log.lines) + len(log.form)
    if told.state is None:
        return Report(told, events, 0, tuple(findings))
    return Report(told, events, events - bad, tuple(findings))


def append(replay: Replay, line: Line) -> Replay | Refusal:
    """Return the replay with one more line, or what forbids it. The result equals a new run over the longer log.

    :param replay: of a whole log, with what was carried out
    :raises FormError: in words, if the line's `data` or seat is malformed
    :raises ValueError: if the line's seq is not the next one
    """
    last = replay.log.lines[-1].seq if replay.log.lines else 0
    if line.seq != last + 1 or replay.at != last:
        raise ValueError(
            f"the next seq is {last + 1}, and the replay stands at {replay.at}; the line has seq {line.seq}"
        )
    log = replace(replay.log, lines=(*replay.log.lines, line))
    if line.type in CORRECTIONS or replay.state is None:
        fold = _run(log, None, True, None)
        if fold.state is None and replay.state is not None:
            step = replay.ruleset.set_up(fold.header)
            return step if isinstance(step, Refusal) else fold.replay()
    else:
        fold = _Fold.resumed(replay, log)
        fold.take(line)
    if line.seq not in fold.refusals:
        return fold.replay()
    refusal = fold.refusals[line.seq]
    if isinstance(refusal, Refusal):
        return refusal
    raise FormError(refusal)


def consequences(replay: Replay) -> list[dict[str, Any]]:
    """Return what followed, in order: for each event its own computed figures, where the game tells them, then its consequences."""
    told: list[dict[str, Any]] = []
    figures = replay.ruleset.manners.tells_figures
    for one in replay.carried:
        if figures and one.step.computed is not None and one.event is not None:
            told.append({"after": one.seq, "type": one.event.type, "data": one.step.computed})
        told.extend({"after": one.seq, "type": each.type, "data": each.data} for each in one.step.consequences)
    return told


# The fold -------------------------------------------------------------------------------------------------------------


class _Fold:
    """A replay in the making."""

    __slots__ = (
        "_cites", "_decisions", "_letters", "_manners", "_table", "carried", "confirmed", "disputes", "findings", "header", "last",
        "log", "pending", "plan", "refusals", "ruleset", "snapshots", "state",
    )  # fmt: skip

    def __init__(self, log: Log, ruleset: Ruleset, plan: Plan) -> None:
        self.log = log
        self.ruleset = ruleset
        self.plan = plan
        self.header = plan.header
        self._letters = frozenset(seat.seat for seat in self.header.seats)
        self._table = codec.table(ruleset)
        self._cites, self._manners = ruleset.cites, ruleset.manners
        self._decisions = decisions(ruleset)
        self.state: Any = None
        self.pending: tuple[Consequence, ...] = ()
        self.disputes: dict[int | None, list[int]] = {}
        """Open disputes by what they are about."""
        self.confirmed = False
        self.carried: list[Carried] | None = None
        self.findings: list[Finding] = []
        self.refusals: dict[int, Refusal | str] = {}
        self.snapshots: dict[int, _Fold] | None = None
        self.last = 0

    @classmethod
    def resumed(cls, replay: Replay, log: Log) -> _Fold:
        """Return a fold that goes on where a replay stands, over a log with one more line that is no correction."""
        fold = cls(log, replay.ruleset, plan(log, replay.ruleset))
        fold.state, fold.pending, fold.confirmed, fold.last = replay.state, replay.pending, replay.confirmed, replay.at
        for one in replay.carried:
            if one.event is not None and one.seq in replay.disputes:
                fold._note(one.seq, one.event.data)
        fold.carried, fold.findings = list(replay.carried), list(replay.findings)
        return fold

    def copy(self) -> _Fold:
        """Return a fold that goes on from here by itself and keeps nothing."""
        fold = _Fold(self.log, self.ruleset, self.plan)
        fold.state, fold.pending, fold.confirmed, fold.last = self.state, self.pending, self.confirmed, self.last
        fold.disputes = {about: list(seqs) for about, seqs in self.disputes.items()}
        return fold

    def set_up(self) -> bool:
        """Begin; return False, with the one finding of the report, if the header cannot be played."""
        step = self.ruleset.set_up(self.header)
        if isinstance(step, Refusal) and self.ruleset.manners.set_up_is_form:
            seq = self.ruleset.manners.set_up_seq
            rule = step.rule.id or None
            self.findings.append(Finding(1, seq, None, None, "form", rule, step.because, nearest=step.nearest))
            return False
        if isinstance(step, Refusal):
            finding = Finding(
                1, 0, SET_UP, None, "impossible", step.rule.id or None, step.because, nearest=step.nearest
            )
            self.findings.append(finding)
            return False
        self.state, self.pending = step.state, step.consequences
        if self.carried is not None:
            self.carried.append(Carried(0, None, None, step))
        return True

    def take_all(self, lines: Iterable[Line], until: int | None = None) -> None:
        """Take lines in order up to seq `until`. The common line, a seat's own, goes a short way; all others through :meth:`take`."""
        table, letters, touched = self._table, self._letters, self.plan.touched
        check, follow = self.ruleset.check, self.ruleset.follow
        common_types = frozenset([type_ for type_, payload in self.ruleset.payloads.items() if payload.SEATED])
        state, carried, common = self.state, self.carried, _COMMON_ROLES
        for line in lines:
            seq, type_, seat = line.seq, line.type, line.seat
            if until is not None and seq > until:
                break
            if type_ in common_types and seat in letters and seq not in touched and line.acting_as in common:
                try:
                    data = table[type_][0](line.data)
                except (msgspec.DecodeError, RecursionError):
                    data = None
                if data is not None and data.observed is None:
                    event = Event(seat, data, line.acting_as, seq)
                    if check(state, event) is None:
                        step = follow(state, event)
                        if carried is not None:
                            carried.append(Carried(seq, event, state, step))
                        state = self.state = step.state
                        self.pending = step.consequences
                        self.last = seq
                        continue
            self.take(line)
            state = self.state

    def take(self, line: Line) -> None:
        """Take one line: skip it, compare it, carry it out or refuse it."""
        seq, type_ = line.seq, line.type
        self.last = seq
        if seq in self.plan.skipped:
            self._skip(line)
            return
        if seq in self.plan.amended:
            line = self.plan.as_amended(line)
        if type_ == SET_UP:
            self._compare_set_up(line)
        elif type_ in self.ruleset.consequence_types and type_ not in self._table:
            self._compare_consequence(line)
        elif seq in self.plan.refused:
            self._refuse(line, self.plan.refused[seq])
        else:
            self._carry_out(line)

    def _carry_out(self, line: Line) -> None:
        try:
            if line.seat is not None and line.seat not in self._letters and self._reads_seat(line.type):
                raise FormError(no_seat(line.seat, self.header))
            event = codec.event(self.ruleset, line)
        except FormError as error:
            self._refuse(line, str(error))
            return
        if line.seq in self.plan.outcomes:
            event = replace(event, outcome=self.plan.outcomes[line.seq])
        refusal = self._check(line, event)
        if refusal is not None and line.seq in self.plan.accepted and refusal.breach == "irregular":
            refusal = self.ruleset.check_accepted(self.state, event)
        if refusal is not None:
            self._refuse(line, refusal)
            return
        step: Step[Any] = self.ruleset.follow(self.state, event)
        if event.data.observed is not None:
            if self._manners.observes:
                differs = self.ruleset.observe(step.state, event, event.data.observed)
                if differs is not None:
                    self._find(line, "observed", *differs)
            elif not self._compare_observed(line, event.data.observed, step):
                return
        compares = line.type == "match_ended" or self._manners.confirms
        if compares and (line.seq not in self.plan.accepted or self._manners.observes):
            self._compare_end(line, event.data, step.state)
        self._note(line.seq, event.data)
        if self.carried is not None:
            self.carried.append(Carried(line.seq, event, self.state, step))
        self.state = step.state
        if line.type in self._decisions:
            self.pending = step.consequences

    def _check(self, line: Line, event: Event) -> Refusal | None:
        if line.type in CORRECTIONS and line.type != "result_overridden":  # whose bounds only the battle itself tells
            return None
        if line.type == shared.PlacementsConfirmed.TYPE and not self._manners.confirms:
            rule, status = self._cites.confirmation, self.ruleset.status(self.state)
            if status != "ended":
                how = "still runs" if status == "running" else "is void"
                return rule.refuses(f"the match {how}; placements are confirmed after its end", "impossible")
            if self.disputes:
                first = next(iter(self.disputes.values()))[0]
                because = f"a dispute is open (seq {first})"
                return rule.refuses(because, "impossible", "a ruling_given with the same about_seq closes it")
        return self.ruleset.check(self.state, event)

    def _note(self, seq: int, data: Payload) -> None:
        """Note what concerns the log and not the position: disputes and the confirmation."""
        if data.TYPE == shared.PlacementsConfirmed.TYPE:
            self.confirmed = True
        elif self._manners.confirms:
            return
        elif isinstance(data, shared.DisputeOpened):
            self.disputes.setdefault(data.about_seq, []).append(seq)
        elif isinstance(data, shared.RulingGiven):
            self.disputes.pop(data.about_seq, None)

    def _skip(self, line: Line) -> None:
        if line.type not in self._table:
            return
        try:
            event = codec.event(self.ruleset, self.plan.as_amended(line))
        except FormError:
            event = None
        if event is not None and line.type in self.ruleset.payloads:
            self.state = self.ruleset.skip(self.state, event)
        if line.type in self._decisions and not self._manners.compares_by_id:
            self.pending = ()

    # What the table saw

    def _compare_observed(self, line: Line, seen: dict[str, Any], step: Step[Any]) -> bool:
        """Compare the figures a scribe added; return False, with a finding of form, if one is not computed here."""
        computed = step.computed or {}
        for key in seen:
            if key not in computed:
                known = f"computed here are {', '.join(computed)}" if computed else "nothing is computed here"
                self._refuse(line, f'"observed" holds {key!r}; {known}')
                return False
        for key, value in seen.items():
            if not same(value, computed[key]):
                message = f"the table saw {key} = {_json(value)}, computed is {_json(computed[key])}"
                self._find(line, "observed", self._cites.corrections, message)
                compared = tuple((name, count, computed[name]) for name, count in seen.items())
                self.findings[-1] = replace(self.findings[-1], compared=compared)
                break
        return True

    def _compare_consequence(self, line: Line) -> None:
        if self._manners.compares_by_id:
            differs = self.ruleset.compare(self.state, line.type, line.payload(), self.pending)
            if differs is not None:
                self._find(line, "observed", *differs)
            return
        if line.seat is not None:
            self._refuse(line, f"{line.type} follows by the rules and has no seat of its own; leave the seat out")
            return
        told = line.payload()
        for index, one in enumerate(self.pending):
            if one.type == line.type and all(key in one.data and same(told[key], one.data[key]) for key in told):
                self.pending = self.pending[index + 1 :]
                return
        left = [f"{one.type} {_json(one.data)}" for one in self.pending if one.type == line.type]
        expected = left[0] if left else f"no {line.type} (any more)"
        self._find(
            line,
            "observed",
            self._cites.corrections,
            f"the file says {line.type} {_json(told)}; computed is {expected}",
        )

    def _compare_set_up(self, line: Line) -> None:
        if line.seq != 1:
            because = f"the set-up stands before everything else; it is seq {line.seq} here"
            self._refuse(line, self._cites.set_up.refuses(because, "impossible"))
            return
        told, holds = line.payload(), self.ruleset.spelled_out(self.header)
        for key in told:
            if key not in holds:
                self._refuse(line, f'the key "{key[:40]}" is not known; {SET_UP} may have {", ".join(holds)}')
                return
        for key, value in told.items():
            if not same(value, holds[key]):
                message = f"the file says {key} = {_json(value)}, the header says {_json(holds[key])}"
                self._find(line, "observed", self._cites.corrections, message)
                return

    def _compare_end(self, line: Line, data: Payload, state: Any) -> None:
        placements: tuple[shared.SeatPlace, ...] | None = getattr(data, "placements", None)
        if placements is not None:
            told = sorted((one.seat, one.place) for one in placements)
            placed = self.ruleset.outcome(state) or ()
            none = not placed and self._manners.null_placements  # not even an empty list is right then
            if none or told != sorted((one.seat, one.place) for one in placed):
                computed = "null" if none else _row([(one.seat, one.place) for one in placed])
                message = f"the file says {_row(told)}; computed is {computed}"
                self._find(line, "observed", self._cites.placements, message)
                return
        if line.type != "match_ended":
            return
        said = getattr(data, "reason", None)
        reason = (self.ruleset.result(state) or {}).get("reason")
        if said is not None and reason is not None and said != reason:
            message = f"the file says the match ended by {said}; computed is {reason}"
            self._find(line, "observed", self._cites.placements, message)

    # Findings

    def _refuse(self, line: Line, refusal: Refusal | str) -> None:
        if isinstance(refusal, str) and self._manners.malformed is not None:
            refusal = self._manners.malformed.refuses(refusal, "impossible")
        self.refusals[line.seq] = refusal
        if line.type in self._decisions and not self._manners.compares_by_id:
            self.pending = ()
        if isinstance(refusal, str):
            self._find(line, "form", self._manners.form, refusal)
            return
        if self.snapshots is not None and refusal.breach == "irregular" and len(self.snapshots) < FOLLOW_UP_RUNS:
            self.snapshots[line.seq] = self.copy()
        self._find(line, refusal.breach, refusal.rule, refusal.because, refusal.nearest)

    def _find(self, line: Line, kind: Kind, rule: Rule | None, message: str, nearest: str | None = None) -> None:
        cited = rule.id or None if rule is not None else None
        self.findings.append(Finding(line.number, line.seq, line.type, line.seat, kind, cited, message, None, nearest))

    def _reads_seat(self, type_: str) -> bool:
        return self._manners.official_seats or type_ not in self._table or self._table[type_][1].SEATED

    def _open_disputes(self) -> tuple[int, ...]:
        if self._manners.confirms:
            return () if self.state is None else self.ruleset.disputes(self.state)
        return tuple(sorted(seq for seqs in self.disputes.values() for seq in seqs))

    def replay(self) -> Replay:
        """Return how things stand."""
        status: Status | None = None
        placements: tuple[Placement, ...] = ()
        result = None
        if self.state is not None:
            status = self.ruleset.status(self.state)
            if status == "ended" and self.confirmed:
                status = "confirmed"
            placements = self.ruleset.outcome(self.state) or ()
            result = self.ruleset.result(self.state)
        return Replay(
            log=self.log,
            ruleset=self.ruleset,
            header=self.header,
            at=self.last,
            state=self.state,
            carried=tuple(self.carried or ()),
            findings=tuple(self.findings),
            status=status,
            placements=placements,
            result=result,
            skipped=self.plan.skipped,
            amended={target: by for target, (by, _) in self.plan.amended.items()},
            disputes=self._open_disputes(),
            pending=self.pending,
            confirmed=self.confirmed,
        )


def _run(
    log: Log,
    at: int | None,
    keep: bool,
    snapshots: dict[int, _Fold] | None,
    tick: Callable[[int], None] | None = None,
) -> _Fold:
    last = log.lines[-1].seq if log.lines else 0
    if at is not None and not 0 <= at <= last:
        raise ValueError(f"there is no position after seq {at}; this log has the seqs 0 (the set-up) to {last}")
    ruleset = registry.ruleset_of(log.header)
    fold = _Fold(log, ruleset, plan(log, ruleset))
    fold.carried = [] if keep else None
    fold.snapshots = snapshots
    if fold.set_up():
        for done, some in _parts(log.lines, tick):
            fold.take_all(some, at)
            if tick is not None:
                tick(done)
        fold.last = last if at is None else at
    return fold


def _parts(lines: tuple[Line, ...], tick: Callable[[int], None] | None) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """Yield the lines in parts, one alone where nobody is to be told in between, each with how many lines have been until its end."""
    size = len(lines) if tick is None else TICK_LINES
    for start in range(0, len(lines), size or 1):
        some = lines[start : start + size]
        yield start + len(some), some


def _with_follow_ups(
    fold: _Fold, snapshots: Mapping[int, _Fold], tick: Callable[[int], None] | None = None
) -> list[Finding]:
    """Return the findings; those that would vanish if an earlier irregular line were accepted name it.

    For each irregular line in turn the log is replayed from there as if it had been accepted. At last it is replayed as if all
    of them had been: what vanishes only then follows from several, and names the last one before it.
    """
    findings = fold.findings
    follows: dict[int, int] = {}
    if not snapshots:
        return findings
    lines = fold.log.lines
    index = {line.seq: at for at, line in enumerate(lines)}
    seqs = [one.seq for one in findings if one.seq is not None]
    irregular = [one.seq for one in findings if one.seq is not None and one.kind == "irregular"]
    taken = frozenset(irregular)
    end = index[max(seqs)] + 1
    budget = FOLLOW_UP_EVENTS
    for accepted in [*([seq] for seq in sorted(snapshots)), irregular]:
        first, start = accepted[0], index[accepted[0]]
        later = [seq for seq in seqs if seq > first and seq not in follows]
        if not later or end - start > budget or (len(accepted) == 1 and first in follows):
            continue
        budget -= end - start
        trial = snapshots[first].copy()
        trial.plan = _accepting(trial.plan, accepted)
        for _done, some in _parts(lines[start:end], tick):
            trial.take_all(some)
            if tick is not None:
                tick(len(lines))
        still = {one.seq for one in trial.findings}
        for seq in later:
            if seq not in still and (len(accepted) == 1 or seq not in taken):
                follows[seq] = accepted[bisect_left(accepted, seq) - 1]
    return [one if one.seq not in follows else replace(one, follows=follows[one.seq]) for one in findings]


def _accepting(plan: Plan, seqs: Sequence[int]) -> Plan:
    """Return a plan that accepts some irregular lines more."""
    other = type(plan).__new__(type(plan))
    other.__dict__.update(plan.__dict__)
    other.accepted = plan.accepted.union(seqs)
    other.touched = plan.touched.union(seqs)
    return other


def _broken(one: FormFinding, ruleset: Ruleset) -> Finding:
    rule = ruleset.manners.form
    return Finding(one.number, one.seq, one.type, one.seat, "form", rule.id if rule is not None else None, one.message)


def _row(placed: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{seat} {place}." for seat, place in placed) or "nobody placed"


def _json(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else text[:199] + "…"


# As it is stored ------------------------------------------------------------------------------------------------------

_REFERENCES = ("target_seq", "about_seq", "battle_seq")


def unstored(ruleset: Ruleset) -> frozenset[str]:
    """Return the types of lines that a check compares and that are never stored: what is computed, and what repeats the header."""
    return ruleset.consequence_types - codec.table(ruleset).keys() | ruleset.spelled_set_up | {SET_UP}


def strip(log: Log) -> tuple[Log, dict[int, int]]:
    """Return the log as it is stored, and the stored seq of each seq that was kept.

    Set-up lines that only repeat the header and consequences that a file spells out are dropped (they are compared in a check,
    never stored), as are corrections of such lines. The rest is numbered 1, 2, 3 … and every reference is carried over;
    a reference to a dropped line that is no correction names the line it followed.

    :raises Unreadable: if the rules of the log are not known here
    """
    ruleset = registry.ruleset_of(log.header)
    computed = unstored(ruleset)
    stored: dict[int, int] = {0: 0}
    before = 0
    nearest: dict[int, int] = {0: 0}
    kept: list[Line] = []
    dropped: set[int] = set()
    for line in log.lines:
        if line.type in computed or _corrects(line, dropped):
            dropped.add(line.seq)
            nearest[line.seq] = before
            continue
        before += 1
        stored[line.seq] = nearest[line.seq] = before
        if before != line.seq:
            line = replace(line, seq=before, data=_carried_over(line, nearest))
        kept.append(line)
    del stored[0]
    return replace(log, lines=tuple(kept)), stored


def _corrects(line: Line, dropped: set[int]) -> bool:
    if not dropped or line.type not in ("event_voided", "event_amended", "event_withdrawn"):
        return False
    return line.payload().get("target_seq") in dropped


def _carried_over(line: Line, new: Mapping[int, int]) -> bytes:
    if b'_seq"' not in line.data and b'"seqs"' not in line.data:
        return line.data
    return msgspec.json.encode(_renumbered(line.payload(), new))


def _renumbered(data: dict[str, Any], new: Mapping[int, int]) -> dict[str, Any]:
    out = dict(data)
    for key, value in data.items():
        if key in _REFERENCES and isinstance(value, int):
            out[key] = new.get(value, value)
        elif key == "seqs" and isinstance(value, list):
            out[key] = [new.get(seq, seq) if isinstance(seq, int) else seq for seq in value]
        elif key == "data" and isinstance(value, dict):
            out[key] = _renumbered(value, new)
    return out
