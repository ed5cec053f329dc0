"""Entries one by one: at the table, by referees, by those who sign; and when each is refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from msgspec.structs import replace

from league import services as leagues
from matches import log, selectors, services
from matches.models import Match
from matches.services import Forbidden, NotRecordable, Refused, StaleMatch
from matches.services.live import needs_approval
from matches.signals import result_changed
from people.models import Person
from rulesengine import codec, notation, registry
from rulesengine import replay as engine
from rulesengine.log import Line, Log, Seat
from rulesengine.play import play
from tests.matches.conftest import person
from tests.matches.test_uploads import at_once

pytestmark = pytest.mark.django_db


def match_of(by: Person, made: Log, **players: str) -> Match:
    """Record a match with handles at its seats."""
    seats = tuple(Seat(seat.seat, seat.name, players.get(seat.seat)) for seat in made.header.seats)
    header = replace(made.header, id=str(uuid4()), seats=seats)
    upload = services.upload_check(by=by, name="m.jsonl", raw=notation.write(Log(header, made.lines), "jsonl"))
    assert upload.report["findings"] == []
    return services.upload_record(upload=upload, by=by)


@pytest.fixture
def running(ada: Person, bo: Person) -> Match:
    """A friendly of Ada's and Bo's that runs; Ada opened it."""
    return match_of(ada, play("hexwar", seed=3, seats=2, max_events=20), A="ada", B="bo")


@pytest.fixture
def ended(ada: Person, bo: Person) -> Match:
    """A friendly of Ada's and Bo's that has ended; Ada opened it."""
    return match_of(ada, play("hexwar", seed=3, seats=2), A="ada", B="bo")


@pytest.mark.parametrize("type_", ["ap_granted", "seat_taken", "match_set_up"])
def test_what_is_computed_or_repeats_the_set_up_is_not_recorded(type_: str, ada: Person, bo: Person) -> None:
    match = match_of(ada, play("kingsquare", seed=3, seats=2, max_events=20), A="ada", B="bo")
    with pytest.raises(NotRecordable, match="never recorded"):
        services.event_record(match_id=match.pk, line=Line(0, type_), expected_seq=match.seq, by=ada)
    assert Match.objects.get(pk=match.pk).seq == match.seq


def legal(match: Match) -> Line:
    told = selectors.match_replay(match)
    event = next(iter(told.ruleset.legal(told.state)))
    return codec.line(event, match.seq + 1)


def test_a_legal_entry_is_recorded_and_replays_as_if_it_had_been_there_from_the_start(
    running: Match, ada: Person
) -> None:
    for _entry in range(5):
        running = services.event_record(match_id=running.pk, line=legal(running), expected_seq=running.seq, by=ada)
    assert running.seq == 25
    assert log.verify(running.pk) is None
    fresh = engine.run(selectors.match_log(running))
    kept = selectors.match_replay(running)
    assert fresh.ruleset.view(fresh.state) == kept.ruleset.view(kept.state)


def test_an_entry_that_a_rule_forbids_is_refused_with_the_rule(running: Match, ada: Person) -> None:
    turn = selectors.match_replay(running).ruleset.turn(selectors.match_replay(running).state)
    other = "B" if turn == "A" else "A"
    with pytest.raises(Refused) as told:
        services.event_record(match_id=running.pk, line=Line(0, "turn_ended", other), expected_seq=20, by=ada)
    assert told.value.refusal.rule.id.startswith("HW")
    assert log.head(running.pk).seq == 20  # type: ignore[union-attr]


def test_a_malformed_entry_is_refused_in_words(running: Match, ada: Person) -> None:
    with pytest.raises(Refused, match="there is no event 'flag_waved'"):
        services.event_record(match_id=running.pk, line=Line(0, "flag_waved", "A"), expected_seq=20, by=ada)


def test_a_stale_writer_gets_the_match_as_it_stands(running: Match, ada: Person) -> None:
    line = legal(running)
    services.event_record(match_id=running.pk, line=line, expected_seq=20, by=ada)
    with pytest.raises(StaleMatch, match="its last entry is number 21, not 20") as told:
        services.event_record(match_id=running.pk, line=line, expected_seq=20, by=ada)
    assert told.value.match.seq == 21


def test_the_same_entry_sent_again_is_one_entry(running: Match, ada: Person) -> None:
    line = replace(legal(running), id=str(uuid4()))
    for _try in range(3):
        match = services.event_record(match_id=running.pk, line=line, expected_seq=20, by=ada)
    assert match.seq == 21
    with pytest.raises(NotRecordable, match="recorded already, as number 21, with other content"):
        services.event_record(match_id=running.pk, line=replace(line, note="other"), expected_seq=20, by=ada)


def test_strangers_record_nothing(running: Match) -> None:
    with pytest.raises(Forbidden, match="record events"):
        services.event_record(match_id=running.pk, line=legal(running), expected_seq=20, by=person("dee", "Dee"))


def test_a_player_of_a_friendly_records_but_corrects_nothing(running: Match, bo: Person) -> None:
    match = services.event_record(match_id=running.pk, line=legal(running), expected_seq=20, by=bo)
    with pytest.raises(Forbidden, match="void, amend, adjust"):
        services.event_void(match=match, target_seq=1, reason="no", by=bo)


def irregular(match: Match) -> Line:
    """Return an entry that a rule forbids though the table could do it."""
    told = selectors.match_replay(match)
    turn = told.ruleset.turn(told.state)
    state = told.ruleset.view(told.state)
    peasant = next(key for key, unit in state["units"].items() if unit["owner"] == turn and unit["type"] == "peasant")
    return Line(0, "unit_fortified", turn, f'{{"unit": "{peasant}"}}'.encode())


def test_a_referee_lets_an_irregular_entry_stand_and_both_go_in_together(
    running: Match, ada: Person, referee: Person
) -> None:
    line = irregular(running)
    with pytest.raises(Refused, match="HW-36"):
        services.event_record(match_id=running.pk, line=line, expected_seq=20, by=referee)
    with pytest.raises(Forbidden):
        services.event_record(
            match_id=running.pk, line=line, expected_seq=20, by=ada, accept_irregular=True, reason="x"
        )
    with pytest.raises(NotRecordable, match="only with a reason"):
        services.event_record(match_id=running.pk, line=line, expected_seq=20, by=referee, accept_irregular=True)
    match = services.event_record(
        match_id=running.pk, line=line, expected_seq=20, by=referee, accept_irregular=True, reason="both agreed"
    )
    rows = selectors.match_log(match).lines[-2:]
    assert [(row.seq, row.type) for row in rows] == [(21, "unit_fortified"), (22, "illegal_state_accepted")]
    assert rows[1].payload() == {"seqs": [21], "reason": "both agreed"}
    assert selectors.match_replay(match).findings == ()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_record_at_once_one_is_told_to_look_again(running: Match, ada: Person, bo: Person) -> None:
    line = legal(running)
    results = at_once(
        *[
            lambda who=who: services.event_record(match_id=running.pk, line=line, expected_seq=20, by=who)
            for who in (ada, bo)
        ]
    )
    assert sorted(type(one).__name__ for one in results) == ["Match", "StaleMatch"]
    assert log.head(running.pk).seq == 21  # type: ignore[union-attr]
    assert log.verify(running.pk) is None


# Results ------------------------------------------------------------------------------------------------------------


def test_the_last_signature_of_all_confirms_the_result(ended: Match, ada: Person, bo: Person) -> None:
    match = services.result_sign(match=ended, by=ada)
    assert (match.status, match.seats.get(seat="A").linked, match.seats.get(seat="B").linked) == ("ended", True, False)
    with pytest.raises(NotRecordable, match="signed this result already"):
        services.result_sign(match=match, by=ada)
    match = services.result_sign(match=match, by=bo)
    assert match.status == "confirmed"
    assert [line.type for line in selectors.match_log(match).lines[-3:]] == [
        "result_signed",
        "result_signed",
        "placements_confirmed",
    ]


def test_only_who_sits_signs_or_disputes(ended: Match, owner: Person) -> None:
    for act in (
        lambda: services.result_sign(match=ended, by=owner),
        lambda: services.result_dispute(match=ended, reason="hm", by=owner),
    ):
        with pytest.raises(Forbidden, match="sign or dispute the own result"):
            act()


def test_a_disputed_result_is_not_confirmed_before_a_ruling(
    ended: Match, bo: Person, owner: Person, referee: Person
) -> None:
    match = services.result_dispute(match=ended, reason="I had two more", by=bo)
    assert match.disputed
    with pytest.raises(NotRecordable, match="A player disputes the result"):
        services.match_confirm(match=match, by=owner)
    match = services.ruling_give(match=match, question="Two more?", decision="No.", by=referee, about_seq=match.seq)
    assert not match.disputed
    assert services.match_confirm(match=match, by=owner).status == "confirmed"


def test_a_running_match_is_not_confirmed(running: Match, owner: Person) -> None:
    with pytest.raises(Refused, match="still runs"):
        services.match_confirm(match=running, by=owner)


def test_a_changed_result_is_announced_inside_the_transaction(ended: Match, owner: Person) -> None:
    heard: list[tuple[object, int]] = []

    def hear(sender: object, match_id: object, seq: int, **_more: object) -> None:
        from django.db import connection

        assert connection.in_atomic_block
        assert log.head(match_id).seq == seq  # type: ignore[arg-type, union-attr]
        heard.append((match_id, seq))

    result_changed.connect(hear)
    try:
        services.match_confirm(match=ended, by=owner)
    finally:
        result_changed.disconnect(hear)
    assert heard == [(ended.pk, ended.seq + 1)]


# Corrections --------------------------------------------------------------------------------------------------------


def test_a_preview_shows_what_changes_and_stores_nothing(ended: Match, referee: Person) -> None:
    line = Line(0, "event_voided", data=b'{"target_seq": 1, "reason": "never happened"}', acting_as="referee")
    preview = services.correction_preview(match=ended, line=line, by=referee)
    assert preview.after is not None
    assert preview.after.skipped == {1}
    assert preview.before.skipped == frozenset()
    assert log.head(ended.pk).seq == ended.seq  # type: ignore[union-attr]
    refused = services.correction_preview(
        match=ended, line=Line(0, "event_voided", data=b'{"target_seq": 999}'), by=referee
    )
    assert refused.refusal is not None
    assert refused.refusal.breach == "impossible"


def test_a_voided_entry_is_skipped_from_then_on(ended: Match, referee: Person) -> None:
    match = services.event_void(match=ended, target_seq=1, reason="never happened", by=referee, reported_by="B")
    line = selectors.match_log(match).lines[-1]
    assert line.acting_as == "referee"
    assert line.payload() == {"reason": "never happened", "reported_by": "B", "target_seq": 1}
    assert selectors.match_replay(match).skipped == {1}
    assert b"happened" not in log.read(match.pk)[-1].data


def test_a_state_is_adjusted_only_from_its_present_value(running: Match, referee: Person) -> None:
    gold = selectors.match_replay(running).ruleset.view(selectors.match_replay(running).state)["players"]["A"]["gold"]
    with pytest.raises(Refused):
        services.state_adjust(match=running, path="players.A.gold", old=gold + 1, new=5, reason="r", by=referee)
    match = services.state_adjust(match=running, path="players.A.gold", old=gold, new=gold + 50, reason="r", by=referee)
    told = selectors.match_replay(match)
    assert told.ruleset.view(told.state)["players"]["A"]["gold"] == gold + 50


def test_a_correction_of_the_end_takes_the_confirmation_with_it(ended: Match, owner: Person, referee: Person) -> None:
    match = services.match_confirm(match=ended, by=owner)
    assert match.confirmed_at is not None
    match = services.match_annul(match=match, reason="not to count", by=owner)
    assert match.status == "annulled"
    assert [seat.place for seat in match.seats.all()] == [None, None]


def test_within_the_appeal_time_a_referee_corrects_alone_after_it_an_organizer_must_approve(
    ended: Match, owner: Person, referee: Person
) -> None:
    confirmed_at = timezone.now() - timedelta(hours=71)
    match = services.match_confirm(match=ended, by=owner, at=confirmed_at)
    assert not needs_approval(match)
    match = services.event_void(match=match, target_seq=1, reason="a", by=referee)
    assert selectors.match_log(match).lines[-1].payload()["approved_by"] == str(referee.pk)
    late: datetime = confirmed_at + timedelta(hours=72)
    assert needs_approval(match, late)
    with pytest.raises(Forbidden, match="an organizer, who must approve a correction once the appeal time is over"):
        services.event_void(match=match, target_seq=2, reason="b", by=referee, at=late)
    with pytest.raises(Forbidden):
        services.event_void(match=match, target_seq=2, reason="b", by=referee, approved_by="bo", at=late)
    match = services.event_void(match=match, target_seq=2, reason="b", by=referee, approved_by="mirela", at=late)
    assert selectors.match_log(match).lines[-1].payload()["approved_by"] == str(owner.pk)


def test_after_the_appeal_time_a_player_disputes_no_more(ended: Match, owner: Person, bo: Person) -> None:
    match = services.match_confirm(match=ended, by=owner, at=timezone.now() - timedelta(hours=73))
    with pytest.raises(NotRecordable, match="appeal time of this match is over"):
        services.result_dispute(match=match, reason="late", by=bo)


def test_the_leagues_own_appeal_time_counts(owner: Person, referee: Person) -> None:
    leagues.league_open(name="Winter", slug="winter", by=owner, at=timezone.now(), appeal_hours=2)
    made = play("hexwar", seed=3, seats=2)
    made = replace(made, header=replace(made.header, context={"league": "winter"}))
    match = services.match_confirm(match=match_of(owner, made), by=owner, at=timezone.now() - timedelta(hours=3))
    assert needs_approval(match)


def test_an_organizer_abandons_a_match_that_nobody_finishes(running: Match, owner: Person, bo: Person) -> None:
    with pytest.raises(Forbidden):
        services.match_abandon(match=running, reason="late", by=bo)
    match = services.match_abandon(match=running, reason="the hall closed", by=owner)
    assert match.status == "abandoned"


def test_a_penalty_is_given_by_a_referee(running: Match, referee: Person, bo: Person) -> None:
    with pytest.raises(Forbidden, match="give a penalty"):
        services.penalty_give(match=running, seat="A", kind="warning", reason="slow", by=bo)
    match = services.penalty_give(match=running, seat="A", kind="warning", reason="slow", by=referee)
    assert selectors.match_log(match).lines[-1].type == "penalty_given"


def test_the_editions_of_the_engine_are_the_ones_that_matches_carry(ended: Match) -> None:
    assert ended.edition in {edition.key for edition in registry.editions()}
