"""Whatever stands in a file, a check answers and never breaks; the first failing check of a row is the one that is cited."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from rulesengine import corrections, notation, replay
from rulesengine.game import Event, Refusal
from rulesengine.kingsburg.checks import ACTS
from rulesengine.kingsburg.events import FORMAT, OWN
from tests.rulesengine.kingsburg.given import (
    GAME,
    IMPOSSIBLE,
    IRREGULAR,
    PAYLOADS,
    Match,
    event,
    malformed,
    plain,
    report,
    sample,
    written,
)
from tests.rulesengine.kingsburg.test_season import helping
from tests.rulesengine.kingsburg.test_winter import card

WHOLE: dict[str, dict[str, Any]] = {
    "match_started": {"turn_order": ["B", "A", "C"]},
    "enemy_deck_prepared": {},
    "aid_good_taken": {"good": "stone"},
    "advisors_blocked": {"advisors": [8, 11], "dice": [6, 2, 3]},
    "dice_rolled": {"coloured": [1, 2, 3], "white": [4]},
    "statue_rerolled": {"die": {"kind": "white", "value": 4}, "result": 1},
    "chapel_rerolled": {"coloured": [1, 2, 3], "white": [4]},
    "rolls_closed": {"turn_order": ["A", "B", "C"]},
    "advisor_influenced": {
        "advisor": 9,
        "coloured": [6],
        "white": [2],
        "plus_two": False,
        "market": 1,
        "envoy": False,
    },
    "influence_passed": {},
    "help_taken": {"advisor": 12, "any": {"gold": 1, "stone": 1}, "alternative": 0, "declined": False},
    "enemy_peeked": {},
    "building_built": {"building": "inn", "envoy": False},
    "build_passed": {},
    "town_hall_used": {"pay": "plus_two"},
    "season_closed": {},
    "soldiers_recruited": {"soldiers": 2, "pay": {"gold": 3, "wood": 1}},
    "recruit_passed": {},
    "reinforcements_rolled": {"value": 4},
    "enemy_revealed": {"custom": card(3, "orcs", {"vp": 1, "any": 2}, gold=1)},
    "victory_good_chosen": {"good": "stone"},
    "loss_chosen": {"goods": {"gold": 1, "wood": 1}},
    "building_loss_chosen": {"building": "inn"},
    "player_resigned": {},
    "time_called": {},
    "placements_confirmed": {},
    "match_abandoned": {"reason": "fire alarm"},
    "match_annulled": {"reason": "fire alarm"},
    "draw_agreed": {"seats": ["A", "C"]},
    "match_ended": {"placements": [{"seat": "A", "place": 1}, {"seat": "B", "place": 2}]},
    "state_adjusted": {"path": "players.A.vp", "old": 3, "new": 4, "reason": "counted again", "approved_by": "cy"},
}
REQUIRED: dict[str, set[str]] = {
    "aid_good_taken": {"good"},
    "advisors_blocked": {"advisors", "dice"},
    "dice_rolled": {"coloured"},
    "statue_rerolled": {"die", "result"},
    "chapel_rerolled": {"coloured"},
    "advisor_influenced": {"advisor"},
    "help_taken": {"advisor"},
    "building_built": {"building"},
    "town_hall_used": {"pay"},
    "soldiers_recruited": {"soldiers", "pay"},
    "reinforcements_rolled": {"value"},
    "enemy_revealed": {"custom"},
    "victory_good_chosen": {"good"},
    "loss_chosen": {"goods"},
    "building_loss_chosen": {"building"},
    "draw_agreed": {"seats"},
    "state_adjusted": {"path", "old", "new"},
}
ANYTHING: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**53 - 1, "", "A", "gold", "é" * 50, [], [1], [0, 0], ["A", "A"], [[]], {}, {"gold": 1}, {"x": []},
)  # fmt: skip


def test_the_vocabulary_is_whole() -> None:
    assert WHOLE.keys() == {one.TYPE for one in (*OWN, *FORMAT)}
    assert set(ACTS) == set(OWN)


@pytest.mark.parametrize("type_", WHOLE)
def test_every_event_is_read_as_the_rule_page_writes_it(type_: str) -> None:
    assert not malformed(type_, **WHOLE[type_])
    again = plain(event("A", type_, **WHOLE[type_]).data)
    assert event("A", type_, **again) == event("A", type_, **WHOLE[type_])


@pytest.mark.parametrize("type_", WHOLE)
def test_required_keys_are_required_and_others_unknown(type_: str) -> None:
    whole = WHOLE[type_]
    for key in whole:
        without = {name: value for name, value in whole.items() if name != key}
        assert malformed(type_, **without) is (key in REQUIRED.get(type_, set())), key
    assert malformed(type_, **whole, other=1)
    assert malformed(type_, **whole, seat="A")
    assert not malformed(type_, **whole, observed={"year": 1})
    assert malformed(type_, **whole, observed=[])


@pytest.mark.parametrize("type_", WHOLE)
def test_a_value_has_its_json_type(type_: str) -> None:
    for key, value in WHOLE[type_].items():
        if type_ == "state_adjusted" and key in ("old", "new"):
            continue
        assert malformed(type_, **{**WHOLE[type_], key: None}), key
        for other in ("1", 1, True, [], {}):
            if type(other) is not type(value):
                assert malformed(type_, **{**WHOLE[type_], key: other}), (key, other)


def _positions() -> list[Match]:
    """Return a position of every kind."""
    rich: dict[str, Any] = {"gold": 3, "wood": 3, "stone": 3, "plus_two": 1, "vp": 4}
    return [
        Match(),
        Match(2).season("spring", "block"),
        Match().season(aid_die_holder="A").give("A", buildings=["statue", "chapel"]).do(
            "A", "dice_rolled", coloured=[1, 1, 1], white=[1]
        ),
        Match().dice(A=[1, 2, 6], B=[3, 3, 3], C=[4, 4, 4]).give("A", **rich, buildings=["market"]).at(envoy_holder="A"),
        helping(Match().give("A", **rich), n6="A", n12="B", n17="A"),
        helping(Match(supply_limited=True).give("A", **rich), n9="B", n14="A"),
        Match().building("summer").give("A", **rich, buildings=["inn"]).at(envoy_holder="A"),
        Match().season("autumn", "season_end").give("A", **rich, buildings=["town_hall"]),
        Match().recruiting().give("A", **rich).give("B", **rich, buildings=["barracks"]),
        Match().winter(),
        Match().winter(3).do(None, "reinforcements_rolled", value=2),
        Match(building_loss_rule="player_choice").winter().give("A", **rich, buildings=["inn", "statue"]).give(
            "B", soldiers=30
        ).battle(card(20, "orcs", {"any": 2, "building": 1}, any=2), 1),
        Match().do("B", "player_resigned"),
        Match().do(None, "time_called"),
        Match().do(None, "match_abandoned"),
    ]  # fmt: skip


def _tried(match: Match, type_: str, data: dict[str, Any], seat: str) -> None:
    """Try an event: it is malformed, refused, or carried out; an irregular one can be carried out as well."""
    if malformed(type_, **data):
        return
    one = Event(seat, event(seat, type_, **data).data)
    refusal = GAME.check(match.state, one)
    if refusal is None or refusal.breach == IRREGULAR:
        after = GAME.follow(match.state, one).state
        GAME.view(after)
        GAME.outcome(after)
        GAME.result(after)
    else:
        assert refusal.breach == IMPOSSIBLE


@pytest.mark.parametrize("type_", WHOLE)
def test_no_value_breaks_a_check_or_a_step(type_: str) -> None:
    for match in _positions():
        for seat in match.state.setup.seats[:2]:
            _tried(match, type_, WHOLE[type_], seat)
            for key in WHOLE[type_]:
                for value in ANYTHING:
                    _tried(match, type_, {**WHOLE[type_], key: value}, seat)
                    _tried(match, type_, {key: value}, seat)


def test_no_line_breaks_a_report() -> None:
    lines: list[Any] = []
    for type_, whole in {**WHOLE, "event_voided": {"target_seq": 1}, "event_withdrawn": {"target_seq": 1},
                         "event_amended": {"target_seq": 1, "data": {}}, "illegal_state_accepted": {"seqs": [1]},
                         "dispute_opened": {"about_seq": 1}, "penalty_given": {"value": 1}}.items():  # fmt: skip
        for key in (*whole, "observed"):
            lines += [("A", type_, {**whole, key: value}) for value in ANYTHING]
    for start in range(0, len(lines), 200):
        told = report(written(*lines[start : start + 200]))
        assert told["events"] == len(lines[start : start + 200])


@pytest.mark.parametrize("name", ["legal", "corrected", "findings"])
def test_a_damaged_log_is_answered(name: str) -> None:
    log = notation.parse(sample(name))
    chance = random.Random(name)
    types = [*WHOLE, "event_voided", "event_withdrawn", "illegal_state_accepted"]
    for _ in range(60):
        lines = list(log.lines)
        for _ in range(5):
            at = chance.randrange(len(lines))
            other = chance.choice(log.lines)
            lines[at] = replace(
                lines[at],
                data=chance.choice((lines[at].data, other.data, b"{}")),
                type=chance.choice((lines[at].type, other.type, chance.choice(types))),
                seat=chance.choice((lines[at].seat, other.seat, None)),
            )
        damaged = replace(log, lines=tuple(lines))
        told = replay.report(damaged)
        assert told.events == len(lines)
        irregular = [one.seq for one in told.findings if one.kind == "irregular"]
        for seq in irregular[:3]:
            accepted = replace(lines[-1], seq=len(lines) + 1, type="illegal_state_accepted", seat=None,
                               data=f'{{"seqs": [{seq}]}}'.encode())  # fmt: skip
            again = replay.report(replace(damaged, lines=(*lines, accepted)))
            assert all(one.seq != seq or one.kind == "observed" for one in again.findings)


def test_corrections_of_corrections_without_end_are_answered() -> None:
    chain: list[Any] = [(None, "event_voided", {"target_seq": seq}) for seq in range(1, 3000)]
    told = report(written((None, "match_paused", {}), *chain))
    assert told["findings"] == []
    back: list[Any] = [(None, "event_withdrawn", {"target_seq": seq}) for seq in range(1000, 0, -1)]
    pauses: list[Any] = [(None, "match_paused", {})] * 1000
    assert report(written(*pauses, *back))["findings"] == []
    headers: list[Any] = [(None, "event_amended", {"target_seq": 0, "data": {"options": {}}})] * 200
    kinds = {one["kind"] for one in report(written(*headers))["findings"]}
    assert kinds <= {"impossible"}
    assert corrections.HEADER_AMENDMENTS < 200


# The order of the checks ----------------------------------------------------------------------------------------------


def _first_rules(
    match: Match, type_: str, seat: str | None, *steps: tuple[str, dict[str, Any], dict[str, Any]]
) -> None:
    """Mend one thing after another: each time the next check of the row is the first that fails."""
    data: dict[str, Any] = {}
    for expected, mended, given in steps:
        data |= mended
        for who, has in given.items():
            match = match.at(**has) if who == "state" else match.give(who, **has)
        refusal = GAME.check(match.state, event(seat, type_, **data))
        assert isinstance(refusal, Refusal) or expected == "", (expected, data)
        assert ("" if refusal is None else f"{refusal.rule} {refusal.breach[1]}") == expected, data


def test_the_order_of_influencing() -> None:
    match = Match(market_with_plus_two=False).dice(A=[1, 2, 3], B=[1, 1, 1], C=[4, 4, 4]).at(blocked=(7,), turn_index=2)
    match.give("A", passed=True, used=["plus_two", "market"])
    _first_rules(
        match,
        "advisor_influenced",
        "A",
        ("KB-43 m", {"advisor": 40, "coloured": [5], "plus_two": True, "market": 3, "envoy": True}, {}),
        ("KB-41 m", {"coloured": []}, {}),
        ("KB-44 m", {"advisor": 7}, {}),
        ("KB-45 m", {}, {"A": {"plus_two": 2}}),
        ("KB-47 m", {"market": 1}, {}),
        ("KB-48 r", {"envoy": False}, {}),
        ("KB-40 r", {}, {"A": {"passed": False}}),
        ("KB-42 r", {}, {"state": {"turn_index": 0}}),
        ("KB-41 r", {"coloured": [1]}, {}),
        ("KB-44 r", {"coloured": [1, 3]}, {}),
        ("KB-45 r", {}, {"A": {"used": ["market"]}}),
        ("KB-45 r", {}, {"A": {"buildings": ["market"]}}),
        ("KB-45 r", {}, {"A": {"used": []}}),
        ("KB-46 r", {"plus_two": False, "coloured": [1, 2, 3]}, {}),
        ("", {}, {"state": {"blocked": ()}}),
        ("KB-47 r", {"envoy": True}, {"state": {"envoy_holder": "A"}}),
    )


def test_the_order_of_building() -> None:
    seventeen = [row["key"] for row in GAME.tables["buildings"]][:17]
    match = Match(building_token_limit=17).building().give("B", buildings=[*seventeen, "crane"], built=1)
    _first_rules(
        match,
        "building_built",
        "B",
        ("KB-64 m", {"building": "crane", "envoy": True}, {}),
        ("KB-61 m", {"envoy": False}, {}),
        ("KB-62 m", {"building": "embassy"}, {}),
        ("KB-05 m", {}, {"B": {"gold": 9, "wood": 9, "stone": 9}}),
        ("KB-64 r", {}, {"B": {"buildings": ["barricade"]}}),
        ("KB-64 r", {"envoy": True}, {"B": {"built": 0}, "state": {"envoy_holder": "B"}}),
        ("KB-60 r", {"envoy": False}, {}),
        ("KB-61 r", {}, {"state": {"turn_index": 1}}),
        ("", {"building": "crane"}, {}),
    )


def test_the_order_of_dice_statue_and_chapel() -> None:
    match = Match().season().give("A", rolled=True, coloured=(1, 2, 3))
    _first_rules(
        match,
        "dice_rolled",
        "A",
        ("KB-32 m", {"coloured": [9]}, {}),
        ("KB-32 r", {"coloured": [1]}, {}),
        ("KB-32 r", {}, {"A": {"rolled": False}}),
        ("", {"coloured": [1, 2, 3]}, {}),
    )
    _first_rules(
        match,
        "statue_rerolled",
        "A",
        ("KB-32 m", {"die": {"kind": "white", "value": 9}, "result": 9}, {"A": {"rolled": False}}),
        ("KB-101 m", {}, {"A": {"rolled": True}}),
        ("KB-101 m", {"die": {"kind": "coloured", "value": 3}}, {}),
        ("KB-101 r", {"result": 6}, {"A": {"used": ["statue"]}}),
        ("KB-33 r", {}, {"A": {"buildings": ["statue"]}}),
        ("KB-101 r", {}, {"A": {"used": []}}),
        ("", {}, {"A": {"coloured": (3, 3, 3)}}),
    )
    _first_rules(
        match,
        "chapel_rerolled",
        "A",
        ("KB-32 m", {"coloured": [7]}, {"A": {"rolled": False, "coloured": (5, 5, 5), "used": ["chapel"]}}),
        ("KB-32 m", {}, {"A": {"rolled": True}}),
        ("KB-102 r", {"coloured": [1]}, {"A": {"buildings": []}}),
        ("KB-33 r", {}, {"A": {"buildings": ["chapel"]}}),
        ("KB-102 r", {}, {"A": {"used": []}}),
        ("KB-32 r", {}, {"A": {"coloured": (1, 1, 5)}}),
        ("", {"coloured": [1, 2, 3]}, {}),
    )


def test_the_order_of_help() -> None:
    match = helping(Match(supply_limited=True, help_may_be_declined=False).give("A", gold=24, stone=15), n6="B")
    match = helping(match.give("B", gold=1), n6="B")
    _first_rules(
        match,
        "help_taken",
        "B",
        ("KB-50 m", {"advisor": 7, "declined": True, "alternative": 9, "any": {"stone": 9}}, {}),
        ("KB-55 r", {"advisor": 6}, {}),
        ("KB-51 m", {"declined": False}, {}),
        ("KB-53 m", {"alternative": 1}, {}),
        ("KB-05 m", {"alternative": 0}, {}),
        ("KB-51 r", {"any": {"wood": 1}}, {}),
        ("", {"any": {}}, {}),
    )


def test_the_order_of_recruiting_and_winter() -> None:
    match = Match().recruiting()
    _first_rules(
        match,
        "soldiers_recruited",
        "B",
        ("KB-81 m", {"soldiers": 0, "pay": {"gold": 1}}, {}),
        ("KB-81 m", {"soldiers": 1}, {}),
        ("KB-80 r", {}, {"B": {"gold": 2}}),
        ("KB-81 r", {}, {"state": {"turn_index": 1}}),
        ("", {"pay": {"gold": 2}}, {}),
    )
    _first_rules(
        Match(enemy_custom_allowed=False).winter(),
        "enemy_revealed",
        None,
        ("KB-86 m", {"enemy": "x"}, {"state": {"enemy": "1-orcs-3"}}),
        ("KB-87 m", {}, {"state": {"enemy": None}}),
        ("KB-87 r", {"enemy": "2-orcs-4"}, {}),
        ("", {"enemy": "1-orcs-3"}, {}),
    )


def test_the_order_of_the_frame() -> None:
    over = Match().do("A", "player_resigned").do(None, "time_called")
    over.refused("KB-10", IMPOSSIBLE, "A", "dice_rolled", coloured=[9])
    gone = Match().do("A", "player_resigned")
    gone.refused("KB-140", IMPOSSIBLE, "A", "dice_rolled", coloured=[9])
    gone.refused("KB-10", IMPOSSIBLE, "B", "dice_rolled", coloured=[9])
    gone.season("spring", "help").refused("KB-30", IMPOSSIBLE, "B", "dice_rolled", coloured=[9])
    gone.refused("KB-09", IMPOSSIBLE, None, "match_started", turn_order=["Z"])


def test_every_payload_of_the_game_is_known() -> None:
    assert {one.TYPE for one in (*OWN, *FORMAT)} <= PAYLOADS.keys()
