"""What holds for whole matches of Kingsburg, over many that the machine played from seeds under options of every kind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from rulesengine import codec, notation, registry, replay
from rulesengine.codec import FormError
from rulesengine.kingsburg import events
from rulesengine.kingsburg.state import State
from rulesengine.kingsburg.tables import BUILDING, BUILDING_TOKENS, GOODS, SUPPLY
from rulesengine.log import Header, Line, Log, Official
from rulesengine.play import play

GAME = registry.get("kingsburg-2007")
VARIED: tuple[dict[str, Any], ...] = (
    {},
    {"plus_two_limit": "per_advisor", "stable_limit": "each_advisor", "building_loss_rule": "player_choice"},
    {"supply_limited": True, "building_token_limit": 17, "cathedral_spends_goods": True},
    {"two_player_block": "none", "market_with_plus_two": False, "vp_lost_with_building": False},
    {"envoy_on_own_advisor": False, "envoy_overrides_block": False, "help_may_be_declined": False},
    {"reward_at_zero_buildings": False, "strongest_bonus_ties": "none", "enemy_custom_allowed": False},
    {"final_tiebreak": ["buildings"], "supply_limited": True, "building_loss_rule": "player_choice"},
)
"""Options that reach into every corner."""


@cache
def match(seed: int) -> Log:
    """Return a match: the seed chooses options and seats; every second one is played greedily."""
    options = VARIED[seed % len(VARIED)]
    return play(
        "kingsburg", seats=2 + seed % 4, seed=seed, player="greedy" if seed // 4 % 2 else "random", options=options
    )


MATCHES = range(56)
SAMPLE = range(0, 28, 3)


# Playing


@pytest.mark.parametrize("seed", MATCHES)
def test_what_is_offered_is_accepted_to_the_end(seed: int) -> None:
    report = replay.report(match(seed))
    assert report.findings == ()
    assert report.replay.status == "ended"
    assert sorted(one.seat for one in report.replay.placements) == [one.seat for one in match(seed).header.seats]


@pytest.mark.parametrize("seed", SAMPLE)
def test_nothing_offered_is_refused_or_offered_twice_and_all_can_be_written(seed: int) -> None:
    for one in replay.run(match(seed)).carried:
        offered = list(GAME.legal(one.step.state))
        assert list(GAME.legal(one.step.state)) == offered
        written = [codec.line(event, 1) for event in offered]
        assert len({(line.type, line.seat, line.data) for line in written}) == len(offered) <= 3000
        assert bool(offered) == (GAME.status(one.step.state) == "running")
        for event, line in zip(offered, written, strict=True):
            assert GAME.check(one.step.state, event) is None, (one.seq, event)
            assert codec.event(GAME, line) == replace(event, seq=1)


def test_random_and_greedy_matches_reach_every_part_of_the_game() -> None:
    recorded: set[str] = set()
    followed: set[str] = set()
    built: set[str] = set()
    influenced: set[int] = set()
    rich = play("kingsburg", seats=2, seed=30, player="greedy")
    for log in (*map(match, MATCHES), rich):
        told = replay.run(log)
        recorded |= {line.type for line in told.log.lines}
        followed |= {each.type for one in told.carried for each in one.step.consequences}
        for one in told.carried:
            for player in one.step.state.players.values():
                built |= set(player.buildings)
            influenced |= set(one.step.state.influence)
    assert {one.TYPE for one in events.OWN} - recorded == set()
    assert GAME.consequence_types - followed == set()
    assert len(BUILDING) - len(built) <= 3  # the last ones of the dear rows: golden matches have them
    assert influenced == set(range(1, 19))


def test_the_same_seed_gives_the_same_match() -> None:
    for player in ("random", "greedy"):
        one, other = (play("kingsburg", seed=4, player=player, max_events=120) for _ in range(2))
        assert one == other


def test_a_greedy_player_does_better_than_random_ones() -> None:
    def points(player: Any) -> float:
        results = [replay.run(play("kingsburg", seats=3, seed=seed, player=player)).result for seed in range(12)]
        return sum(one["vp"] for result in results if result for one in result.values())

    assert points("greedy") > points("random")


# Invariants


def broken(state: State) -> Iterator[str]:
    """Yield what of a position cannot be under the rules."""
    options = state.setup.options
    if sorted(state.turn_order) != sorted(state.setup.seats):
        yield f"KB-12: the turn order is {state.turn_order}"
    for seat, player in state.players.items():
        if min(player.gold, player.wood, player.stone, player.plus_two, player.soldiers) < 0:
            yield f"{seat} has less than nothing"
        if len(set(player.buildings)) < len(player.buildings):
            yield f"KB-61: {seat} has a building twice"
        if options.building_loss_rule == "rightmost_then_topmost":
            for key in player.buildings:
                if not {*BUILDING[key].left} <= {*player.buildings}:
                    yield f"KB-61: {seat} has {key} and not all of {BUILDING[key].left}"
        if options.building_token_limit is not None and len(player.buildings) > BUILDING_TOKENS:
            yield f"KB-05: {seat} has {len(player.buildings)} buildings"
        if len(player.coloured) > 3 or list(player.coloured) != sorted(player.coloured):
            yield f"KB-32: {seat} has the dice {player.coloured}"
        if player.resigned and (player.coloured or player.rolled or state.envoy_holder == seat):
            yield f"KB-140: {seat} has resigned and still plays"
        if state.phase in ("kings_aid", "recruit", "winter") and (player.coloured or player.built or player.used):
            yield f"KB-73: {seat} carries something of a season over"
        if state.phase == "kings_aid" and player.soldiers:
            yield f"KB-94: {seat} has soldiers in spring"
    if options.supply_limited:
        for piece in (*GOODS, "plus_two"):
            if sum(getattr(player, piece) for player in state.players.values()) > SUPPLY[piece]:
                yield f"KB-05: there is more {piece} than in the box"
    orders = sorted(one.order for standing in state.influence.values() for one in standing)
    if orders != list(range(1, len(orders) + 1)):
        yield f"the order of influencing is {orders}"
    if set(state.influence) & set(state.blocked) and not options.envoy_overrides_block:
        yield "KB-47: somebody stands at a blocked advisor"
    if len(state.enemies_seen) > state.year:
        yield f"{len(state.enemies_seen)} enemies in {state.year} years"
    if state.finished == (state.step != "over"):
        yield f"finished is {state.finished} in the step {state.step}"
    if (state.turn_index is not None) != (state.step in ("influence", "build", "recruit")):
        yield f"on turn is {state.on_turn} in the step {state.step}"
    if state.turn_index is not None and state.players[state.on_turn or ""].passed:
        yield f"{state.on_turn} is on turn and through"
    if bool(state.pending) != (state.step in ("aid", "help", "battle_choices")):
        yield f"{state.pending} is awaited in the step {state.step}"


@pytest.mark.parametrize("seed", MATCHES)
def test_the_rules_hold_in_every_position(seed: int) -> None:
    for one in replay.run(match(seed)).carried:
        assert list(broken(one.step.state)) == [], one.seq


@pytest.mark.parametrize("seed", MATCHES)
def test_every_year_has_its_winter_and_every_season_its_dice(seed: int) -> None:
    """Counted over the log itself, whatever the engine holds in its state."""
    log = match(seed)
    counted = [line.type for line in log.lines]
    if "player_resigned" in counted:
        return
    seats = len(log.header.seats)
    assert counted.count("season_closed") == counted.count("rolls_closed") == 15
    assert counted.count("dice_rolled") == 15 * seats
    assert counted.count("reinforcements_rolled") == counted.count("enemy_revealed") == 5
    assert counted.count("soldiers_recruited") + counted.count("recruit_passed") == 5 * seats


# Replay


@pytest.mark.parametrize("seed", SAMPLE)
def test_a_prefix_replayed_equals_what_was_recorded_line_by_line(seed: int) -> None:
    log = match(seed)
    live = replay.run(replace(log, lines=()))
    for line in log.lines:
        after = replay.append(live, line)
        assert isinstance(after, replay.Replay)
        live = after
        if line.seq % 25 == 0:
            there = replay.run(log, at=line.seq)
            assert (there.state, there.carried, there.findings) == (live.state, live.carried, live.findings)
    assert live == replay.run(log)


@pytest.mark.parametrize("seed", SAMPLE)
def test_a_state_survives_being_shown_and_read(seed: int) -> None:
    told = replay.run(match(seed))
    for one in told.carried:
        shown = GAME.view(one.step.state)
        plain = msgspec.json.decode(msgspec.json.encode(shown))
        again = GAME.load(told.log.header, plain)
        assert GAME.view(again) == shown
        assert [*GAME.legal(again)] == [*GAME.legal(one.step.state)] or one.step.state.begun != again.begun
        mixed = {
            key: dict(reversed(value.items())) if isinstance(value, dict) else value for key, value in plain.items()
        }
        assert GAME.view(GAME.load(told.log.header, dict(reversed(list(mixed.items()))))) == shown


@pytest.mark.parametrize("seed", SAMPLE)
def test_states_handed_out_never_change(seed: int) -> None:
    log = match(seed)
    told = replay.run(log)
    before = [msgspec.json.encode(GAME.view(one.step.state)) for one in told.carried]
    for one, line in zip(told.carried, log.lines, strict=False):
        event = codec.event(GAME, line)
        GAME.check(one.step.state, event)
        GAME.follow(one.step.state, event)
        GAME.skip(one.step.state, event)
    assert [msgspec.json.encode(GAME.view(one.step.state)) for one in told.carried] == before


@pytest.mark.parametrize("seed", SAMPLE)
def test_rod_05_other_careers_give_the_same_match(seed: int) -> None:
    log = match(seed)
    people = [replace(seat, name=f"Somebody {seat.seat}", player=f"p{seat.seat}") for seat in log.header.seats]
    officials = (Official("scribe", "Sovereign Scribe", "sov"),)
    other = replace(log.header, seats=tuple(people), title="Another evening", officials=officials)
    one, two = replay.report(log, keep=True), replay.report(replace(log, header=other), keep=True)
    assert one.as_json() == two.as_json()
    assert replay.consequences(one.replay) == replay.consequences(two.replay)


@pytest.mark.parametrize("form", notation.FORMS)
@pytest.mark.parametrize("seed", SAMPLE)
def test_a_played_match_is_the_same_from_every_form(seed: int, form: Any) -> None:
    log = match(seed)
    again = notation.parse(notation.write(log, form))
    assert again.form == ()
    assert notation.canonical(again) == notation.canonical(log)
    assert replay.report(log).as_json() == replay.report(again).as_json()


@pytest.mark.parametrize("seed", SAMPLE)
def test_consequences_spelled_out_agree_and_are_not_stored(seed: int) -> None:
    log = match(seed)
    rows: list[Line] = []
    for line, one in zip(log.lines, replay.run(log).carried[1:], strict=True):
        rows.append(line)
        for each in one.step.consequences:
            if each.type != "match_ended":  # which is also recorded
                rows.append(Line(0, each.type, None, msgspec.json.encode(each.data)))
    spelled = replace(log, lines=tuple(replace(row, seq=seq) for seq, row in enumerate(rows, 1)))
    assert replay.report(spelled).findings == ()
    stored, _ = replay.strip(spelled)
    assert notation.canonical(stored) == notation.canonical(log)


# Damaged logs

OTHERS = [
    Line(0, "event_voided", None, b'{"target_seq": 5}'),
    Line(0, "event_voided", None, b'{"target_seq": 61}'),
    Line(0, "event_withdrawn", None, b'{"target_seq": 60}'),
    Line(0, "event_amended", None, b'{"target_seq": 3, "data": {"good": "stone"}}'),
    Line(0, "event_amended", None, b'{"target_seq": 9, "data": {"coloured": [6, 6, 6], "white": []}}'),
    Line(0, "event_amended", None, b'{"target_seq": 0, "data": {"seats": ["A", "B"], "options": {}}}'),
    Line(0, "illegal_state_accepted", None, b'{"seqs": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40]}'),
    Line(0, "state_adjusted", None, b'{"path": "players.A.vp", "old": 1, "new": 2}'),
    Line(0, "state_adjusted", None, b'{"path": "envoy_holder", "old": null, "new": "B"}'),
    Line(0, "season_started", None, b'{"year": 1}'),
    Line(0, "dispute_opened", "A", b'{"about_seq": 1}'),
    Line(0, "player_resigned", "B", b"{}"),
    Line(0, "time_called", None, b"{}"),
    Line(0, "match_ended", None, b"{}"),
    Line(0, "placements_confirmed", None, b"{}"),
    Line(0, "match_annulled", None, b"{}"),
    Line(0, "nonsense", "Q", b"{}"),
]


@some.composite
def damaged(draw: some.DrawFn) -> Log:
    """A log with lines lost, doubled, moved and put in between."""
    log = match(draw(some.sampled_from(range(8))))
    lines = list(log.lines[:120])
    for _ in range(draw(some.integers(0, 6))):
        at = draw(some.integers(0, len(lines) - 1))
        match_draw = draw(some.sampled_from(["lose", "double", "move", "add", "add", "add"]))
        if match_draw == "lose":
            del lines[at]
        elif match_draw == "double":
            lines.insert(at, lines[at])
        elif match_draw == "move":
            lines.insert(draw(some.integers(0, len(lines) - 1)), lines.pop(at))
        else:
            lines.insert(draw(some.integers(at, len(lines))), draw(some.sampled_from(OTHERS)))
    return replace(log, lines=tuple(replace(line, seq=seq) for seq, line in enumerate(lines, 1)))


@given(log=damaged())
def test_whatever_is_recorded_every_line_is_carried_out_skipped_or_refused(log: Log) -> None:
    report = replay.report(log, keep=True)
    told = report.replay
    refused = [one.seq for one in report.findings if one.kind != "observed" and one.seq]
    assert len(refused) == len(set(refused))
    if any(one.seq == 0 for one in report.findings):
        return  # the header cannot be played, and nothing is replayed
    compared = {line.seq for line in log.lines if line.type == "season_started"}
    carried = {one.seq for one in told.carried if one.seq}
    assert carried | set(refused) | told.skipped | compared == {line.seq for line in log.lines}
    assert not carried & set(refused)
    msgspec.json.encode(report.as_json())


@given(log=damaged())
def test_whatever_is_recorded_recording_live_equals_a_new_run(log: Log) -> None:
    told = replay.run(replace(log, lines=()))
    for line in log.lines:
        try:
            after = replay.append(told, replace(line, seq=len(told.log.lines) + 1))
        except FormError:
            continue
        if isinstance(after, replay.Replay):
            told = after
    assert told == replay.run(told.log)


# Bad input


def odd(chance: random.Random, value: Any) -> Any:
    """Return something else than a value: of another type, out of range, or a little wrong."""
    if isinstance(value, dict) and value and chance.random() < 0.6:
        key = chance.choice(list(value))
        return {**value, key: odd(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.6:
        at = chance.randrange(len(value))
        return [*value[:at], odd(chance, value[at]), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return value + chance.choice([-20, -1, 1, 20])
    anything: list[Any] = [
        None,
        True,
        -1,
        0,
        7,
        99,
        10**30,
        1.5,
        "",
        "A",
        "gold",
        "inn",
        [],
        [1, 1, 1],
        {},
        {"gold": 99},
    ]
    return chance.choice(anything)


def plain(header: Header, *lines: Line) -> Log:
    return Log(header, tuple(replace(line, seq=seq, number=seq + 1) for seq, line in enumerate(lines, 1)))


@pytest.mark.parametrize("seed", range(12))
def test_bad_data_is_refused_or_carried_out_and_never_breaks_anything(seed: int) -> None:
    chance = random.Random(seed)
    log = match(seed)
    told = replay.run(log)
    refused = 0
    for at in chance.sample(range(len(log.lines)), min(60, len(log.lines))):
        line = log.lines[at]
        data = line.payload()
        spoiled = odd(chance, data or {"more": 1})
        bad = replace(line, data=msgspec.json.encode(spoiled))
        report = replay.report(plain(log.header, *log.lines[:at], bad))
        refused += any(one.seq == at + 1 for one in report.findings)
        msgspec.json.encode(report.as_json())
        assert list(GAME.legal(report.replay.state)) or GAME.status(report.replay.state) != "running"
        try:
            after = replay.append(replace_log(told, at), bad)
        except FormError:
            continue
        if isinstance(after, replay.Replay):
            assert GAME.facts(after.carried) is not None
            GAME.scene(after.state)
    assert refused > 10


def replace_log(told: replay.Replay, at: int) -> replay.Replay:
    """Return the replay of the first entries."""
    return replay.run(replace(told.log, lines=told.log.lines[:at]))


@pytest.mark.parametrize("seed", range(12))
def test_what_a_referee_accepts_leaves_a_match_that_can_go_on(seed: int) -> None:
    """Entries moved to other places of the log, all accepted: what is irregular among them takes effect."""
    chance = random.Random(seed)
    log = match(seed)
    lines = list(log.lines)
    for _ in range(12):
        lines.insert(chance.randrange(len(lines)), lines[chance.randrange(len(lines))])
    accepted = Line(0, "illegal_state_accepted", None, msgspec.json.encode({"seqs": list(range(1, len(lines) + 1))}))
    told = replay.report(plain(log.header, *lines, accepted), keep=True).replay
    for one in told.carried:
        state = one.step.state
        GAME.load(told.log.header, msgspec.json.decode(msgspec.json.encode(GAME.view(state))))
        for event in GAME.legal(state):
            assert GAME.check(state, event) is None, (one.seq, event)
