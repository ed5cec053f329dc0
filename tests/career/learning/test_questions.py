"""Questions are drawn from the rules and answered by the engine."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest

from career.learning import questions
from career.learning.lessons import BY_ID, LESSONS, RULINGS, Lesson, rules_of, ruleset_of
from career.learning.questions import YES, Figure, Held, Position
from rulesengine import codec, registry
from rulesengine.log import Line


def test_there_are_sixteen_lessons_and_the_one_on_rulings() -> None:
    games = [one.game for one in LESSONS if one.game]
    assert {game: games.count(game) for game in games} == dict.fromkeys(registry.games(), 4)
    assert [one.id for one in LESSONS if one.game is None] == [RULINGS]
    assert len(BY_ID) == 17


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.id)
def test_every_section_that_a_lesson_names_has_rules(lesson: Lesson) -> None:
    there = {rule.section for rule in ruleset_of(lesson).rules}
    assert set(lesson.sections) <= there
    assert set(lesson.rules) <= {rule.id for rule in ruleset_of(lesson).rules}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.id)
def test_three_tests_in_a_row_have_no_question_of_the_one_before(lesson: Lesson) -> None:
    before: set[str] = set()
    for seed in range(3):
        drawn = questions.draw(lesson, seed, before)
        keys = {one.key for one in drawn}
        assert len(keys) == questions.QUESTIONS
        assert not keys & before
        for one in drawn:
            assert one.answer in one.options
            assert len(set(one.options)) == len(one.options) >= 2
        assert questions.decode(msgspec.json.decode(msgspec.json.encode(questions.encode(drawn)))) == drawn
        assert questions.draw(lesson, seed, before) == drawn
        before = keys


@pytest.mark.parametrize("lesson", [one for one in LESSONS if one.game], ids=lambda one: one.id)
def test_the_engine_says_the_same_of_every_position(lesson: Lesson) -> None:
    seen = 0
    rules = {rule.id for rule in rules_of(lesson)}
    for seed in range(4):
        for one in questions.draw(lesson, seed):
            if not isinstance(one, Position):
                continue
            carried, log = questions.carried_of(one.edition, one.seed)
            ruleset = registry.ruleset_of(log.header)
            before = next(each.before for each in carried if each.seq == one.seq)
            data = questions.as_json(one.data)
            event = codec.event(ruleset, Line(seq=one.seq, type=one.type, seat=one.seat, data=data))
            refusal = ruleset.check(before, event)
            assert (YES if refusal is None else refusal.rule.id) == one.answer
            assert set(one.options) - {YES} <= rules
            assert one.options[0] == YES
            seen += 1
    assert seen >= 20


def test_a_figure_fills_the_gap_to_the_rule_as_it_stands() -> None:
    found = [one for one in questions.draw(BY_ID["LSN-KS-1"], 5) if isinstance(one, Figure)]
    assert found
    texts = {rule.id: rule.text for rule in registry.get("KS-V5").rules}
    for one in found:
        assert one.text.replace("___", one.answer) == texts[one.rule]


def test_what_held_on_a_day_is_what_the_registry_says() -> None:
    drawn = [one for seed in range(5) for one in questions.draw(BY_ID[RULINGS], seed)]
    for one in drawn:
        assert isinstance(one, Held)
        if one.ruling is None:
            assert registry.in_force(one.game, one.day).key == one.answer
            continue
        ruling = next(each for each in registry.get("KS-V5").rulings if each.id == one.ruling)
        assert ruling.applied is not None
        assert one.answer == (ruling.after if one.day >= ruling.applied else ruling.before)
    assert {one.ruling is None for one in drawn if isinstance(one, Held)} == {True, False}
    assert any(one.day < date(2026, 7, 12) for one in drawn if isinstance(one, Held))
