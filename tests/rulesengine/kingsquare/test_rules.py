from __future__ import annotations

import re

from rulesengine.kingsquare import rules
from rulesengine.kingsquare.options import PARAMETERS
from rulesengine.kingsquare.rules import RULES
from rulesengine.kingsquare.rulings import CONTRADICTIONS, QUESTIONS, RULINGS

IDS = [rule.id for rule in RULES]
SOURCED_THAT_REFUSE = (
    {2, 8, 15, 17, 18, 19, 21, 23, 26, 28, 29, 30, 32, 37, 38, 40, 42, 43, 44, 47, 48, 50, 52, 55, 57, 60, 61, 64, 65}
    | {66, 68, 69, 71, 73, 77, 78}
)  # fmt: skip
HOUSE_THAT_REFUSE = (
    {1, 9, 10, 13, 29, 30, 31, 32, 33, 34, 35, 36, 41, 47, 53, 54, 55, 56, 65, 66, 68, 69, 70, 71, 72, 74, 76, 78, 79}
    | {82, 83, 86, 88, 89}
)  # fmt: skip


def test_every_number_is_there_once_and_in_order() -> None:
    sourced = [f"KS-{number:02}" for number in range(1, 80)]
    house = [f"KSH-{number:02}" for number in range(1, 91)]
    assert [*sourced, *house, "U-1", "U-6", "U-7"] == IDS


def test_a_rule_has_the_name_of_its_id() -> None:
    for rule in RULES:
        assert getattr(rules, rule.id.replace("-", "_")) is rule


def test_only_the_publishers_rules_are_sourced() -> None:
    assert {rule.id for rule in RULES if rule.sourced} == {id_ for id_ in IDS if id_.startswith("KS-")}


def test_the_rules_that_refuse_are_those_that_a_check_names() -> None:
    refusing = {f"KS-{number:02}" for number in SOURCED_THAT_REFUSE}
    refusing |= {f"KSH-{number:02}" for number in HOUSE_THAT_REFUSE} | {"U-1", "U-6", "U-7"}
    assert {rule.id for rule in RULES if rule.refuses_events} == refusing


def test_a_text_is_whole_sentences_and_stands_once() -> None:
    texts = [rule.text for rule in RULES]
    assert len(set(texts)) == len(texts)
    for rule in RULES:
        assert re.fullmatch(r"[A-Z“].*\.", rule.text), rule
        assert "  " not in rule.text
        assert rule.section


def test_sections_do_not_mix() -> None:
    sections = list(dict.fromkeys(rule.section for rule in RULES))
    assert len(sections) == 19
    places = [sections.index(rule.section) for rule in RULES]
    assert places == sorted(places)


def test_rules_and_parameters_name_each_other() -> None:
    by_rule = {(rule.id, name) for rule in RULES for name in rule.parameters}
    by_parameter = {(rule, parameter.name) for parameter in PARAMETERS for rule in parameter.rules}
    assert by_rule == by_parameter


def test_every_house_rule_but_the_fixed_ones_has_a_parameter() -> None:
    without = {rule.id for rule in RULES if rule.id.startswith("KSH-") and not rule.parameters}
    assert without == {"KSH-24", "KSH-42", "KSH-45", "KSH-83", "KSH-84", "KSH-86", "KSH-87"}


def test_rulings_questions_and_contradictions_name_rules_that_there_are() -> None:
    for one in (*RULINGS, *QUESTIONS, *CONTRADICTIONS):
        assert one.rules, one.id
        assert set(one.rules) <= set(IDS), one.id


def test_rulings_stand_in_the_order_of_their_days() -> None:
    ids = [one.id for one in RULINGS]
    assert sorted(ids) == [*(f"R-0{number}" for number in range(1, 10)), *(f"U-0{number}" for number in range(1, 10))]
    days = [one.applied for one in RULINGS]
    assert days[0] is None
    assert [str(day) for day in days[1:]] == sorted(str(day) for day in days[1:])


def test_a_dated_ruling_has_its_authority_and_an_undated_change_has_none() -> None:
    for one in RULINGS:
        assert bool(one.authority) == one.id.startswith("R-"), one.id


def test_each_figure_of_a_ruling_belongs_to_a_rule_that_it_touches() -> None:
    keys = {parameter.name: parameter.rules for parameter in PARAMETERS}
    for one in RULINGS:
        for key in one.figures:
            assert set(keys[key]) & set(one.rules), (one.id, key)


def test_there_are_thirteen_questions_and_thirteen_contradictions() -> None:
    assert [one.id for one in QUESTIONS] == [f"Q-{number:02}" for number in range(1, 14)]
    assert [one.id for one in CONTRADICTIONS] == [f"C-{number}" for number in range(1, 14)]


def test_an_answer_of_the_publisher_retires_house_rules() -> None:
    for one in QUESTIONS:
        assert any(rule.startswith("KSH-") for rule in one.rules), one.id
