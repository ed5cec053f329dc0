"""What a viewer may see of a replay while the match runs: a replay like any other, without what the rules hide from them.

An entry that a viewer may not see keeps its number and loses everything else, its type included: it is of type
:data:`HIDDEN`. One that they may see in part loses what the game says, its note and its texts. Whatever corrects, disputes or
rules on a hidden entry is hidden with it, and a finding that could only be explained by what is hidden says no more than that.
From the end of the match on everything is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulesengine import codec, shared
from rulesengine.corrections import CORRECTIONS
from rulesengine.game import Carried, Consequence, Event, Payload, Refusal, Rule, Ruleset, Step
from rulesengine.log import Line, Log
from rulesengine.paths import same
from rulesengine.replay import SET_UP, Finding, Replay, Report, run

HIDDEN = "entry_hidden"
"""The type of an entry of which a viewer may know nothing but its number. No log holds such an entry."""
NO_RULE = Rule("", "What is hidden at the table is shown from the end of the match on.")
BECAUSE = "what is hidden at the table until the end of the match stands against this"

_TEXTS = frozenset({"reason", "text", "question", "decision", "terms", "note"})
_OVER = ("ended", "confirmed", "void")
_REFERENCES = ("target_seq", "about_seq", "battle_seq")


class Seen(Struct, frozen=True):
    """A replay as one viewer may see it.

    `hidden` are the seqs of entries of which they know nothing, `redacted` of those that they see in part.
    """

    replay: Replay
    hidden: frozenset[int] = frozenset()
    redacted: frozenset[int] = frozenset()

    @property
    def whole(self) -> bool:
        """Return whether the viewer sees every entry as it stands in the log."""
        return not self.hidden and not self.redacted


def hides(ruleset: Ruleset) -> bool:
    """Return whether a game hides anything from anybody."""
    own = type(ruleset)
    return any(
        getattr(own, name) is not getattr(Ruleset, name) for name in ("seen_by", "state_seen_by", "step_seen_by")
    )


def seen(told: Replay, viewer: str | None, *, running: bool = False) -> Seen:
    """Return what a viewer who is no official may see of the replay of a whole log.

    :param viewer: a seat letter, or None for a spectator
    :param running: the match runs, although it would not if this were its log
    """
    if not hides(told.ruleset) or (told.status in _OVER and not running):
        return Seen(told)
    return _Eyes(told, viewer).seen()


def until(found: Seen, told: Replay) -> Replay:
    """Return what is seen of an earlier position, given what is seen of the whole log."""
    last = found.replay
    carried = last.carried[: len(told.carried)]
    return replace(
        told,
        log=last.log,
        state=carried[-1].step.state if carried else None,
        carried=carried,
        findings=tuple(one for one in last.findings if one.seq is None or one.seq <= told.at),
        skipped=last.skipped,
        amended=last.amended,
        disputes=tuple(seq for seq in told.disputes if seq not in found.hidden),
        pending=_pending(told.pending, carried),
    )


def _pending(pending: tuple[Consequence, ...], carried: tuple[Carried, ...]) -> tuple[Consequence, ...]:
    """Return the consequences that a file may still spell out, as far as they are seen."""
    shown = [each for one in carried[-1:] for each in one.step.consequences]
    return tuple(one for one in pending if one in shown)


def report(told: Report, viewer: str | None) -> Report:
    """Return the report of a recorded log as a viewer who is no official may see it. The report must keep what was carried out."""
    found = seen(replace(told.replay, findings=told.findings), viewer)
    findings = found.replay.findings
    bad = sum(1 for one in findings if one.kind != "observed")
    return replace(told, replay=found.replay, findings=findings, accepted=told.events - bad)


def refusal(told: Replay, found: Seen, line: Line, refused: Refusal, viewer: str | None) -> Refusal:
    """Return why an entry after the last is refused, in words that tell a viewer nothing of what is hidden from them.

    What would be refused of what they see is told as it is told of that.

    :param found: what they see of `told`
    """
    if not hides(told.ruleset) or told.status in _OVER:
        return refused
    try:
        event = codec.event(told.ruleset, line)
    except codec.FormError:  # a breach of form, which speaks of the entry alone
        return refused
    if line.type in CORRECTIONS:
        longer = run(replace(found.replay.log, lines=(*found.replay.log.lines, line)))
        instead = next((one for one in longer.findings if one.seq == line.seq), None)
        if instead is not None and instead.rule == (refused.rule.id or None):
            return replace(refused, because=instead.message, nearest=instead.nearest)
        return Refusal(NO_RULE, BECAUSE, refused.breach)
    return _told(told.ruleset, told.ruleset.state_seen_by(told.state, viewer, told.state), event, refused)


def _told(ruleset: Ruleset, state: Any, event: Event, refused: Refusal) -> Refusal:
    """Return a refusal as a position that hides something gives it; `state` is that position."""
    instead = ruleset.check(state, event) if state is not None else None
    if instead is not None and instead.rule.id == refused.rule.id and instead.breach == refused.breach:
        return instead
    return Refusal(NO_RULE, BECAUSE, refused.breach)


class _Eyes:
    """One viewer looking at one replay."""

    def __init__(self, told: Replay, viewer: str | None) -> None:
        self.told, self.viewer, self.now = told, viewer, told.state
        self.ruleset = told.ruleset
        self.lines = {line.seq: line for line in told.log.lines}
        self.carried = {one.seq: one for one in told.carried}
        self.amended = {target: by for target, by in told.amended.items() if target}
        self.hidden: set[int] = set()
        self.redacted: set[int] = set()
        self.shown: dict[int, Line] = {}
        self.steps: dict[int, Carried] = {}
        self.before: dict[int, Any] = {}
        """The position before each line, as it is."""
        self.log = told.log
        """As the viewer sees it, once all lines are looked at."""
        self._states: dict[int, tuple[Any, Any]] = {}
        self._again: dict[int | None, Finding] | None = None

    def seen(self) -> Seen:
        told = self.told
        lines = tuple(self._line(line) for line in self._in_order())
        carried = tuple(self.steps[one.seq] for one in told.carried)
        log = self.log = replace(told.log, lines=lines)
        hidden = frozenset(self.hidden)
        replay_seen = replace(
            told,
            log=log,
            state=self._state(told.state),
            carried=carried,
            findings=tuple(self._findings(told.findings)),
            skipped=told.skipped - hidden,
            amended={target: by for target, by in told.amended.items() if target not in hidden and by not in hidden},
            disputes=tuple(seq for seq in told.disputes if seq not in hidden),
            pending=_pending(told.pending, carried),
        )
        return Seen(replay_seen, hidden, frozenset(self.redacted))

    def _in_order(self) -> Iterable[Line]:
        """Yield the lines; whatever stands between has the position before it noted."""
        state = None
        if 0 in self.carried:
            one = self.carried[0]
            self.steps[0] = Carried(
                0, None, None, self.ruleset.step_seen_by(None, None, one.step, self.viewer, self.now)
            )
            state = one.step.state
        for line in self.told.log.lines:
            self.before[line.seq] = state
            yield line
            one_more = self.carried.get(line.seq)
            if one_more is not None:
                state = one_more.step.state

    def _state(self, state: Any) -> Any:
        if state is None:
            return None
        known = self._states.get(id(state))
        if known is None:
            known = self._states[id(state)] = (state, self.ruleset.state_seen_by(state, self.viewer, self.now))
        return known[1]

    # Entries

    def _line(self, line: Line) -> Line:
        event = self._event(line)
        seen_event = self._seen(event, line)
        carried = self.carried.get(line.seq)
        if carried is not None:
            self._carry(carried, line, event, seen_event)
        if event is None or seen_event is None:
            self.hidden.add(line.seq)
            shown = Line(line.seq, HIDDEN)
        elif seen_event == event:
            shown = line
        else:
            self.redacted.add(line.seq)
            shown = Line(
                line.seq, seen_event.type, seen_event.seat, codec.encode(seen_event), line.at, seen_event.acting_as,
                line.id, recorded_at=line.recorded_at,
            )  # fmt: skip
        self.shown[line.seq] = shown
        return shown

    def _event(self, line: Line) -> Event | None:
        """Return the event of a line as recorded; None for one of wrong form: nobody can say what it would give away."""
        carried = self.carried.get(line.seq)
        if carried is not None and line.seq not in self.amended:
            return carried.event
        try:
            return codec.event(self.ruleset, line)
        except codec.FormError:
            return None

    def _carry(self, carried: Carried, line: Line, event: Event | None, seen_event: Event | None) -> None:
        own = carried.event
        own_seen = seen_event if own is event or own is None else self._seen(own, line)
        if line.seq in self.amended and seen_event is None:
            own_seen = None  # the entry is hidden, so is what an amendment made of it
        step = self.ruleset.step_seen_by(own, own_seen, carried.step, self.viewer, self.now)
        step = Step(self._state(carried.step.state), step.consequences, step.computed)
        self.steps[line.seq] = Carried(line.seq, own_seen, self._state(carried.before), step)

    def _seen(self, event: Event | None, line: Line) -> Event | None:
        if event is None:
            return None
        data = event.data
        if isinstance(data, shared.StateAdjusted):
            return event if self._is_open(data.path, line) else None
        if isinstance(data, shared.EventAmended):
            return self._amendment(event, data)
        if isinstance(data, shared.IllegalStateAccepted):
            return self._acceptance(event, data)
        if isinstance(data, shared.DisputeOpened) and event.seat is not None and event.seat == self.viewer:
            return event
        return self._about(event, self.ruleset.seen_by(event, self.viewer, self.now))

    def _about(self, event: Event, as_seen: Event | None) -> Event | None:
        """Return the event unless an entry that it names is hidden; without its texts if that entry is seen in part."""
        named = {getattr(event.data, key, None) for key in _REFERENCES} - {None}
        if as_seen is None or named & self.hidden:
            return None
        return _without_texts(as_seen) if named & self.redacted else as_seen

    def _acceptance(self, event: Event, data: shared.IllegalStateAccepted) -> Event | None:
        if not self.hidden.intersection(data.seqs):
            return _without_texts(event) if self.redacted.intersection(data.seqs) else event
        seqs = tuple(seq for seq in data.seqs if seq not in self.hidden)
        return _without_texts(replace(event, data=replace(data, seqs=seqs))) if seqs else None

    def _amendment(self, event: Event, data: shared.EventAmended) -> Event | None:
        target = self.lines.get(data.target_seq)
        if target is None:
            return event if data.target_seq == 0 else None
        if data.target_seq in self.hidden:
            return None
        new = replace(target, data=msgspec.json.encode(data.data), id=None, note=None)
        try:
            as_event = codec.event(self.ruleset, new)
        except codec.FormError:
            return None
        as_seen = self._seen(as_event, target)
        if as_seen is None:
            return None
        if as_seen == as_event:
            return _without_texts(event) if data.target_seq in self.redacted else event
        plain = msgspec.json.decode(codec.encode(as_seen))
        return _without_texts(replace(event, data=replace(data, data=plain)))

    def _is_open(self, path: str, line: Line) -> bool:
        """Return whether a path of the state leads to the same for the viewer as for everybody, before the entry and after it."""
        carried = self.carried.get(line.seq)
        states = [self.before.get(line.seq)] if carried is None else [carried.before, carried.step.state]
        for state in states:
            if state is None:
                return False
            full, limited = (_at(self.ruleset.view(one), path) for one in (state, self._state(state)))
            if full is _NOWHERE or limited is _NOWHERE or not same(full, limited):
                return False
        return True

    # Findings

    def _findings(self, found: Iterable[Finding]) -> Iterable[Finding]:
        for one in found:
            if one.seq is None or one.seq == 0:
                yield one
            elif one.seq not in self.hidden:
                yield self._finding(one)

    def _finding(self, one: Finding) -> Finding:
        if one.follows in self.hidden:
            one = replace(one, follows=None)
        seq = one.seq or 0
        if seq in self.redacted:
            return self._sealed(one)
        if one.kind == "form" or one.type == SET_UP:
            return one
        if one.type in CORRECTIONS:
            return self._correction(one)
        carried = self.steps.get(seq)
        if one.kind == "observed":
            return one if carried is None or carried.step.computed is not None else self._sealed(one)
        event = self._as_read(seq)
        state = self._state(self.before.get(seq))
        instead = self.ruleset.check(state, event) if event is not None and state is not None else None
        if instead is None or (instead.rule.id or None) != one.rule:
            return self._sealed(one)
        return replace(one, message=instead.because, nearest=instead.nearest)

    def _correction(self, one: Finding) -> Finding:
        """Return what is found of a correction as it is found in the log as the viewer sees it."""
        if self._again is None:
            self._again = {each.seq: each for each in run(self.log).findings}
        instead = self._again.get(one.seq)
        return instead if instead is not None and instead.rule == one.rule else self._sealed(one)

    def _as_read(self, seq: int) -> Event | None:
        """Return the event of a refused line as it was judged: as amended, if the amendment is seen."""
        line = self.lines[seq]
        by = self.amended.get(seq)
        if by is not None:
            if by in self.hidden:
                return None
            line = replace(line, data=msgspec.json.encode(self.lines[by].payload().get("data")))
        try:
            return codec.event(self.ruleset, line)
        except codec.FormError:
            return None

    @staticmethod
    def _sealed(one: Finding) -> Finding:
        return replace(one, rule=None, message=BECAUSE, nearest=None, compared=())


def _without_texts(event: Event) -> Event:
    """Return an event without the free texts of its payload."""
    blank = {
        name: None for name in event.data.__struct_fields__ if name in _TEXTS and getattr(event.data, name) is not None
    }
    data: Payload = replace(event.data, **blank) if blank else event.data
    return replace(event, data=data)


_NOWHERE: Any = object()


def _at(view: Any, path: str) -> Any:
    """Return what stands at the end of a path of keys and positions joined by dots; a key may hold dots itself."""
    value, rest = view, path
    while rest:
        if isinstance(value, Mapping):
            key = rest if rest in value else next((key for key in value if rest.startswith(f"{key}.")), None)
            if key is None:
                return _NOWHERE
            value, rest = value[key], rest[len(key) + 1 :]
        elif isinstance(value, list | tuple):
            number, _dot, rest = rest.partition(".")
            if not (number.isascii() and number.isdecimal()) or int(number) >= len(value):
                return _NOWHERE
            value = value[int(number)]
        else:
            return _NOWHERE
    return value


def visible_log(told: Seen, log: Log) -> Log:
    """Return another reading of the same log (with other texts or names) with the entries that the viewer may see of it."""
    shown = {line.seq: line for line in told.replay.log.lines}
    rows = []
    for line in log.lines:
        if line.seq in told.hidden:
            rows.append(Line(line.seq, HIDDEN))
        elif line.seq in told.redacted:
            rows.append(replace(shown[line.seq], number=line.number))
        else:
            rows.append(line)
    return replace(log, lines=tuple(rows))
