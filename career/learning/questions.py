"""Questions of a lesson, drawn by chance and answered by the rules themselves.

Three kinds, each a plain struct that can be stored and asked again:

- :class:`Figure`: a rule with one of its figures left out;
- :class:`Position`: a position of a match that the machine played, and an entry: may it be recorded now, and if not, which rule stops it?
  The engine answers;
- :class:`Held`: what held on a day, by the dated editions and their rulings.

The seed decides everything. Questions whose keys are in `avoid` are not drawn.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from career.learning.lessons import RULINGS, Lesson, rules_of, ruleset_of
from rulesengine import codec, registry, replay
from rulesengine.game import Carried, Event, Rule, Ruleset
from rulesengine.log import Line, Log
from rulesengine.play import play

QUESTIONS = 10
MOST_FIGURES = 4
MOST_ALIKE = 3
"""How often the same rule may be the answer in one test."""
CHOICES = 4
YES = "yes"
PLAYED = 12
"""How many different matches of each game positions are taken from."""
LONGEST = 600
"""Entries of such a match."""
_FIGURE = re.compile(r"(?<![\w.,:/–-])\d{1,3}(?![\w/–-]|[.,]\d)")


class Figure(Struct, frozen=True, tag_field="kind", tag="figure"):
    """Which figure belongs into the gap of a rule? `text` has `___` in its place."""

    key: str
    edition: str
    rule: str
    text: str
    options: tuple[str, ...]
    answer: str


class Position(Struct, frozen=True, tag_field="kind", tag="position"):
    """May this entry be recorded as number `seq` of a match played from a seed? Options are `yes` and ids of rules."""

    key: str
    edition: str
    seed: int
    seq: int
    type: str
    seat: str | None
    data: dict[str, Any]
    options: tuple[str, ...]
    answer: str


class Held(Struct, frozen=True, tag_field="kind", tag="held"):
    """What held on a day: which edition, or which side of a ruling (`ruling` names it; options are then texts)."""

    key: str
    game: str
    day: date
    options: tuple[str, ...]
    answer: str
    ruling: str | None = None


type Question = Figure | Position | Held


def draw(lesson: Lesson, seed: int, avoid: Collection[str] = ()) -> tuple[Question, ...]:
    """Return the questions of a test, no two of them alike and none whose key is to be avoided.

    :raises ValueError: if the lesson has too few questions left
    """
    chance = random.Random(f"{lesson.id} {seed}")  # noqa: S311
    taken: dict[str, Question] = {}
    sources: list[tuple[Iterator[Question], int]] = (
        [(_held(chance), QUESTIONS)]
        if lesson.id == RULINGS
        else [(_figures(lesson, chance), MOST_FIGURES), (_positions(lesson, chance), QUESTIONS)]
    )
    asked: Counter[str] = Counter()
    for source, most in sources:
        room = min(QUESTIONS, len(taken) + most)
        for one in source:
            if len(taken) == room:
                break
            often = isinstance(one, Position) and one.answer != YES and asked[one.answer] == MOST_ALIKE
            if one.key not in avoid and not often:
                taken.setdefault(one.key, one)
                asked[one.answer] += 1
    if len(taken) < QUESTIONS:
        raise ValueError(f"{lesson.id} has only {len(taken)} questions that are not to be avoided")
    questions = list(taken.values())
    chance.shuffle(questions)
    return tuple(questions)


# Figures of rules


def _figures(lesson: Lesson, chance: random.Random) -> Iterator[Figure]:
    ruleset = ruleset_of(lesson)
    found = [(rule, gap) for rule in rules_of(lesson) for gap in _FIGURE.finditer(rule.text)]
    chance.shuffle(found)
    # One gap of each rule before the second of any.
    seen: Counter[str] = Counter()
    turns = []
    for rule, gap in found:
        turns.append((seen[rule.id], rule, gap))
        seen[rule.id] += 1
    for _turn, rule, gap in sorted(turns, key=lambda one: one[0]):
        answer = gap.group()
        text = f"{rule.text[: gap.start()]}___{rule.text[gap.end() :]}"
        options = _near(int(answer), chance)
        yield Figure(f"{rule.id}/{gap.start()}", ruleset_key(ruleset), rule.id, text, options, answer)


def _near(figure: int, chance: random.Random) -> tuple[str, ...]:
    """Return a figure among others that could stand there, smallest first."""
    step = 1 if figure < 15 else 5 if figure < 60 else 25
    others = [figure + step * away for away in (-3, -2, -1, 1, 2, 3) if figure + step * away >= 0]
    return tuple(str(one) for one in sorted([figure, *chance.sample(others, CHOICES - 1)]))


def ruleset_key(ruleset: Ruleset) -> str:
    """Return the key of the edition that a set of rules is."""
    return next(one.key for one in registry.editions() if registry.get(one.key) is ruleset)


# Positions


@lru_cache(maxsize=4 * PLAYED)
def carried_of(edition: str, seed: int) -> tuple[tuple[Carried, ...], Log]:
    """Return a match that the machine played, with every position of it."""
    game = registry.get(edition).game
    log = play(game, edition=edition, seed=seed, player="random" if seed % 3 else "greedy", max_events=LONGEST)
    return tuple(one for one in replay.run(log).carried if one.event is not None), log


def _positions(lesson: Lesson, chance: random.Random) -> Iterator[Position]:
    """Yield positions without end: about one in three may be recorded, the others are stopped by rules of the lesson."""
    ruleset = ruleset_of(lesson)
    edition = ruleset_key(ruleset)
    rules = {rule.id: rule for rule in rules_of(lesson)}
    stops: dict[str, set[str]] = {}
    seeds = chance.sample(range(PLAYED), PLAYED)
    for number in range(40 * QUESTIONS):
        carried, _log = carried_of(edition, seeds[number // 4 % PLAYED])
        wanted = number % 3
        found = _refused(ruleset, carried, rules, chance)
        for _one, event, rule in found:
            stops.setdefault(event.type, set()).add(rule)
        if not found:
            continue
        # The rarer rules are asked for as often as the common ones.
        rule_id = chance.choice(sorted({rule for _one, _event, rule in found}))
        one, event, answer = chance.choice([each for each in found if each[2] == rule_id])
        if wanted == 0:
            legal = [each for each in carried if each.event is not None and each.event.type in stops]
            if not legal:
                continue
            one = chance.choice(legal)
            event, answer = one.event or event, YES
        others = [each for each in rules if each != answer and each not in stops.get(event.type, set())]
        if len(others) < CHOICES - (1 if answer == YES else 2):
            continue
        named = {YES, answer}
        named |= set(chance.sample(sorted(others), CHOICES - len(named)))
        options = (YES, *sorted(named - {YES}))
        data = dict(payload_of(event))
        mark = hashlib.sha256(msgspec.json.encode([event.seat, data], order="deterministic")).hexdigest()[:12]
        seed = seeds[number // 4 % PLAYED]
        key = f"{edition}/{seed}/{one.seq}/{event.type}/{mark}"
        yield Position(key, edition, seed, one.seq, event.type, event.seat, data, options, answer)


def _refused(
    ruleset: Ruleset, carried: tuple[Carried, ...], rules: dict[str, Rule], chance: random.Random
) -> list[tuple[Carried, Event, str]]:
    """Return entries that a rule of the lesson stops in a position of a match, as (what was recorded there, entry, rule)."""
    alike: dict[str, list[Event]] = {}
    for each in carried:
        if each.event is not None:
            alike.setdefault(each.event.type, []).append(each.event)
    found = []
    for number in range(120):
        # Every type has its turn, however often it was recorded.
        one = chance.choice(carried) if number % 2 else _of_type(carried, chance.choice(sorted(alike)), chance)
        if one.event is None:
            continue
        like, other = chance.choice(alike[one.event.type]), chance.choice(carried).event
        for event in _changed(ruleset, one.event, like, other, chance):
            refusal = ruleset.check(one.before, event)
            if refusal is not None and refusal.rule.id in rules:
                found.append((one, event, refusal.rule.id))
    return found


def _of_type(carried: tuple[Carried, ...], type_: str, chance: random.Random) -> Carried:
    return chance.choice([one for one in carried if one.event is not None and one.event.type == type_])


def _changed(ruleset: Ruleset, one: Event, like: Event, other: Event | None, chance: random.Random) -> Iterator[Event]:
    """Yield an entry from elsewhere, and the one recorded here with something else in it."""
    if other is not None:
        yield other
        if one.seat is not None and other.seat not in (None, one.seat):
            yield msgspec.structs.replace(one, seat=other.seat)
    data, theirs = payload_of(one), payload_of(like)
    for changed in (_with_theirs(data, theirs, chance), _with_another_figure(data, chance)):
        made = _event(ruleset, one.type, one.seat, changed) if changed is not None else None
        if made is not None:
            yield made


def _with_theirs(data: dict[str, Any], theirs: dict[str, Any], chance: random.Random) -> dict[str, Any] | None:
    """Return a payload with one value of another entry of its type, None if they say the same."""
    keys = [key for key, value in theirs.items() if data.get(key) != value]
    if not keys:
        return None
    key = chance.choice(sorted(keys))
    return {**data, key: theirs[key]}


def _with_another_figure(value: Any, chance: random.Random) -> Any:
    """Return a payload with one of its whole numbers changed, wherever it stands; None if it has none."""
    places = list(_figures_in(value))
    if not places:
        return None
    path = chance.choice(places)
    made = msgspec.json.decode(msgspec.json.encode(value))
    place = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = max(0, place[path[-1]] + chance.choice((-2, -1, 1, 2, 5)))
    return made


def _figures_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(item, int) and not isinstance(item, bool):
            yield (*path, key)
        else:
            yield from _figures_in(item, (*path, key))


def payload_of(event: Event) -> dict[str, Any]:
    """Return the payload of an event as plain values."""
    return codec.line(event, 1).payload()


def as_json(data: dict[str, Any]) -> bytes:
    """Return a payload as JSON text, as a line of a log holds it."""
    return msgspec.json.encode(data)


def _event(ruleset: Ruleset, type_: str, seat: str | None, data: dict[str, Any]) -> Event | None:
    try:
        return codec.event(ruleset, Line(seq=1, type=type_, seat=seat, data=as_json(data)))
    except (ValueError, KeyError):  # not what the type needs
        return None


# Days


def _held(chance: random.Random) -> Iterator[Held]:
    """Yield questions about days without end: which edition held, and what a ruling had changed by then."""
    games = [game for game in registry.games() if len(_editions(game)) > 1]
    while True:
        game = chance.choice(games)
        editions = _editions(game)
        at = chance.randrange(1, len(editions))
        day = editions[at].effective + timedelta(days=chance.choice((-1, 0, 1, chance.randrange(-20, 20))))
        held = registry.in_force(game, day).key
        keys = [one.key for one in editions]
        if chance.random() < 0.4:
            named = {held, *chance.sample([key for key in keys if key != held], min(CHOICES, len(keys)) - 1)}
            options = tuple(key for key in keys if key in named)
            yield Held(f"{game}/{day.isoformat()}", game, day, options, held)
            continue
        dated = [
            (one.applied, one)
            for one in registry.get(held).rulings
            if one.applied is not None and not one.confirms and one.before
        ]
        if not dated:
            continue
        applied, ruling = chance.choice(dated)
        day = applied + timedelta(days=chance.choice((-30, -2, -1, 0, 1, 2, 30)))
        answer = ruling.after if day >= applied else ruling.before
        sides = [ruling.before, ruling.after]
        chance.shuffle(sides)
        yield Held(f"{game}/{ruling.id}/{day >= applied}", game, day, tuple(sides), answer, ruling.id)


def _editions(game: str) -> list[Any]:
    return [one for one in registry.editions() if registry.get(one.key).game == game]


def encode(questions: tuple[Question, ...]) -> Any:
    """Return questions as plain values that can be stored as JSON."""
    return msgspec.to_builtins(questions)


def decode(stored: Any) -> tuple[Question, ...]:
    """Return questions from what was stored."""
    return msgspec.convert(stored, tuple[Figure | Position | Held, ...])
