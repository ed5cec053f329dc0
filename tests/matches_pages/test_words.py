from __future__ import annotations

import re

import pytest

from matches.feed import Feed
from matches.words import GAMES, Names, consequence_words, event_words, shared
from rulesengine import registry, replay
from rulesengine.log import Log
from tests.matches_pages import logs

NAMES = Names(dict(zip("ABCD", logs.NAMES, strict=True)))


def feed(log: Log) -> Feed:
    return Feed(log, replay.run(log), NAMES)


@pytest.fixture(scope="module")
def feeds() -> list[Feed]:
    return [feed(logs.random_match(seed)) for seed in (1, 2, 3)] + [feed(logs.random_match(4, map_="HW-M1", seats=2))]


def test_every_event_of_the_game_and_every_shared_one_has_its_sentence() -> None:
    from rulesengine.shared import PAYLOADS

    assert set(registry.get("hexwar-1").payloads) <= set(GAMES["hexwar"].EVENTS)
    assert set(PAYLOADS) <= set(shared.EVENTS)


def test_every_consequence_of_the_game_has_its_sentence() -> None:
    assert registry.get("hexwar-1").consequence_types == set(GAMES["hexwar"].CONSEQUENCES)


def test_whole_matches_are_told_without_a_bare_key_or_id(feeds: list[Feed]) -> None:
    said = set()
    for one in feeds:
        for seq in range(one.last + 1):
            entry = one.entry(seq)
            for words in (entry.words, *entry.consequences):
                assert not re.search(r"[a-z]_[a-z]|%\(|None", words), words
                # A piece is never named by its id alone.
                for kind, id_ in re.findall(r"(\S+) \(?([ub]\d+)\b", words):
                    assert kind[0].isupper() or kind == "a", words
                    assert id_
        said |= {carried.event.type for carried in one.replay.carried if carried.event}
        said |= {what.type for carried in one.replay.carried for what in carried.step.consequences}
    assert {"unit_attacked", "unit_defeated", "territory_captured", "construction_completed", "income_paid"} <= said


def test_an_attack_is_told_with_its_figures_and_the_answer() -> None:
    entry = feed(logs.sample("corrected_by_referee")).entry(28)
    assert entry.words == (
        "Bo Lindqvist attacks Axemen u3 with Swordsmen u4. Attack 7 against defence 2, damage 5, 5 HP left. "
        "Answer of Axemen u3: attack 8 against defence 3, damage 5, 7 HP left."
    )


def test_an_amended_entry_tells_what_it_said_before_and_by_what_it_was_amended() -> None:
    entry = feed(logs.sample("corrected_by_referee")).entry(15)
    assert (entry.state, entry.by_seq) == ("amended", 17)
    assert entry.old_words == "Bo Lindqvist moves Peasant u2 to [3, 3]."
    assert "to [-1, 1]" in entry.words


def test_a_voided_entry_is_marked_with_the_entry_that_voids_it() -> None:
    entry = feed(logs.sample("corrected_by_referee")).entry(25)
    assert (entry.state, entry.by_seq, entry.consequences) == ("voided", 27, [])


def test_a_refused_entry_is_marked_and_shows_its_finding() -> None:
    one = feed(logs.sample("with_findings"))
    refused = [seq for seq in range(1, one.last + 1) if one.entry(seq).state == "refused"]
    assert refused == [4, 10, 16, 22, 28, 34]
    assert one.entry(10).findings[0].rule == "HW-22"


def test_the_position_at_an_entry_without_effect_is_the_one_before_it() -> None:
    one = feed(logs.sample("with_findings"))
    assert one.at(4).seq == 3


def test_a_window_of_a_long_match_holds_the_entry_asked_for(feeds: list[Feed]) -> None:
    one = max(feeds, key=lambda each: each.last)
    for at in (0, 1, one.last // 2, one.last):
        entries, first, final = one.window(at)
        assert first <= at <= final
        assert [entry.seq for entry in entries] == list(range(first, final + 1))
        assert len(entries) <= 30


def test_an_entry_of_unknown_form_is_shown_as_it_stands() -> None:
    assert "unit_moved" in event_words("hexwar", "unit_moved", "A", {"unit": "u1"}, NAMES, None)
    assert event_words("hexwar", "dreamt", "A", {"of": "<b>"}, NAMES, None) == "Ada Moreau: dreamt of <b>"


def test_an_unnamed_seat_is_called_by_its_letter() -> None:
    assert Names({}).seat("B") == "seat B"


def test_the_end_is_told_with_the_places() -> None:
    one = feed(logs.sample("legal_three_capes"))
    carried = one.at(one.last)
    last = carried.step.consequences[-1]
    assert consequence_words("hexwar", last, NAMES, carried).endswith("1. Cy Okafor, 2. Ada Moreau, 3. Bo Lindqvist")
