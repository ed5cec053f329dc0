"""Which games there are and which rules held on which day."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from rulesengine import registry
from rulesengine.game import Edition, Ruleset
from rulesengine.hexwar.ruleset import HexWar
from rulesengine.log import Header
from tests.rulesengine.given import header


def test_an_edition_is_found_by_its_key() -> None:
    for edition in registry.editions():
        ruleset = registry.get(edition.key)
        assert ruleset.edition == edition
        assert ruleset is registry.get(edition.key)
        assert ruleset.game in registry.games()


def test_what_is_not_known_is_answered_with_what_is() -> None:
    with pytest.raises(KeyError, match=r"known are KS-V1.*, hexwar-1"):
        registry.get("hexwar-9")
    with pytest.raises(KeyError, match="known are kingsquare, hexwar"):
        registry.in_force("chess", date(2026, 1, 1))


def test_the_rules_of_the_day_hold_and_the_first_edition_for_every_day_before(monkeypatch: pytest.MonkeyPatch) -> None:
    later = Edition("hexwar-2", date(2027, 6, 1))
    first = registry.get("hexwar-1").edition
    monkeypatch.setattr(registry, "GAMES", (registry.GameEntry("hexwar", HexWar, (first, later)),))
    for day, edition in (
        (date(1990, 1, 1), first),
        (date(2027, 5, 31), first),
        (date(2027, 6, 1), later),
        (date(2030, 1, 1), later),
    ):
        assert registry.in_force("hexwar", day) == edition
    registry.get.cache_clear()

    def rules_of(head: Header) -> Ruleset:
        return registry.ruleset_of(head)

    assert rules_of(replace(header(), played_on="2027-06-01")).edition == later
    assert rules_of(replace(header(), played_on="2027-06-01", rules="hexwar-1")).edition == first
    registry.get.cache_clear()


def test_editions_stand_in_the_order_of_their_days_and_keys_are_used_once() -> None:
    keys = [edition.key for edition in registry.editions()]
    assert len(keys) == len(set(keys))
    for entry in registry.GAMES:
        days = [edition.effective for edition in entry.editions]
        assert days == sorted(set(days))
        assert all(registry.get(edition.key).game == entry.game for edition in entry.editions)


@pytest.mark.parametrize(
    ("day", "edition"),
    [
        (date(2019, 5, 4), "KS-V1"),
        (date(2026, 7, 1), "KS-V1"),
        (date(2026, 7, 2), "KS-V2"),
        (date(2026, 7, 3), "KS-V2"),
        (date(2026, 7, 4), "KS-V3"),
        (date(2026, 7, 9), "KS-V3"),
        (date(2026, 7, 10), "KS-V4"),
        (date(2026, 7, 11), "KS-V4"),
        (date(2026, 7, 12), "KS-V5"),
        (date(2026, 11, 30), "KS-V5"),
    ],
)
def test_kingsquare_is_played_under_the_rules_of_its_day(day: date, edition: str) -> None:
    assert registry.in_force("kingsquare", day).key == edition


@pytest.mark.parametrize("edition", registry.editions(), ids=lambda one: one.key)
def test_a_ruleset_is_whole(edition: Edition) -> None:
    """Rules are numbered once, parameters and rules name each other, and no word stands for two things."""
    ruleset = registry.get(edition.key)
    ids = [rule.id for rule in ruleset.rules]
    assert len(ids) == len(set(ids))
    assert all(rule.text.endswith(".") and rule.section for rule in ruleset.rules)
    names = {parameter.name for parameter in ruleset.parameters}
    for rule in ruleset.rules:
        assert set(rule.parameters) <= names, rule
    for parameter in ruleset.parameters:
        assert set(parameter.rules) <= set(ids), parameter
    assert {type_: one.TYPE for type_, one in ruleset.payloads.items()} == {type_: type_ for type_ in ruleset.payloads}
    assert not set(ruleset.payloads) & ruleset.consequence_types
    assert all(one.__doc__ for one in ruleset.payloads.values())
    for cited in (
        ruleset.cites.corrections,
        ruleset.cites.confirmation,
        ruleset.cites.placements,
        ruleset.cites.set_up,
    ):
        assert cited is None or ruleset.rule(cited.id) == cited
    with pytest.raises(KeyError, match="has no rule"):
        ruleset.rule("XX-00")


def test_a_match_without_moves_has_no_edition() -> None:
    ruleset = registry.ruleset_of(header("AB", game="catan", depth="import"))
    assert (ruleset.edition.key, ruleset.rules) == ("", ())
