"""Nothing is left out: every rule and every parameter has a test that bears its name."""

from __future__ import annotations

import re

from tests.rulesengine.hexwar.given import GAME, HERE

NAMES = re.findall(r"^def (test_\w+)", "\n".join(path.read_text() for path in sorted(HERE.glob("test_*.py"))), re.M)


def test_every_rule_has_a_test_named_by_its_id() -> None:
    wanted = {rule.id: f"test_{rule.id.lower().replace('-', '_')}_" for rule in GAME.rules}
    assert [id_ for id_, start in wanted.items() if not any(name.startswith(start) for name in NAMES)] == []


def test_every_parameter_has_a_test_named_by_it() -> None:
    wanted = {parameter.name for parameter in GAME.parameters}
    assert {name for name in wanted if not any(one.startswith(f"test_param_{name}_") for one in NAMES)} == set()


def test_no_two_tests_share_a_name() -> None:
    assert sorted(NAMES) == sorted(set(NAMES))
