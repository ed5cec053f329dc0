"""From the log to careers: caught up bit by bit equals rebuilt from nothing, and corrections take back what they must."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.utils import timezone

from career import selectors, services
from career.models import Award, Checkpoint, Deed, Digest, Poisoned, RankEntry, SeatDigest, Standing
from matches import services as matches
from matches.models import Match
from people.models import Notice
from tests.career.conftest import AT, Circle


def everything() -> list[list[dict[str, object]]]:
    """Return all that is derived, without the keys that rows happen to get."""
    return [
        sorted(
            ({key: value for key, value in row.items() if key != "id"} for row in rows.values()),
            key=repr,
        )
        for rows in (*(one.objects for one in (Digest, SeatDigest, RankEntry, Award, Standing)), Deed.every)
    ]


def caught_up() -> None:
    while services.catch_up():
        pass


def test_a_confirmed_match_makes_its_players_pages_with_the_confirmation_as_evidence(
    circle: Callable[..., Circle],
) -> None:
    table = circle("ada", "bo")
    match = table.play(1, "ada", "bo")
    caught_up()
    told = selectors.career(table.people["ada"])
    assert told["rank"]["name"] == "Page"
    assert told["rank"]["evidence"] == [{"stream": str(match.pk), "seq": match.seq}]
    assert told["record"]["hexwar"]["played"] == 1
    assert told["next"]["matches"] == {"have": 1, "need": 3}


def test_a_provisional_match_is_shown_and_counts_for_nothing(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    table.play(1, "ada", "bo", confirm=False)
    caught_up()
    told = selectors.career(table.people["ada"])
    assert told["rank"] is None
    assert told["record"] == {}
    assert [line["kind"] for line in told["history"] if line["kind"] == "match"] == ["match"]


def test_an_award_is_provisional_from_the_end_and_final_with_the_confirmation(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    match = table.record(table.log(6, "ada", "bo"), confirm=False)
    caught_up()
    before = {(one.badge, one.tier): one.status for one in Award.objects.all()}
    assert before
    assert set(before.values()) == {"provisional"}
    matches.match_confirm(match=match, by=table.owner, expected_seq=match.seq, at=AT)
    caught_up()
    assert {(one.badge, one.tier): one.status for one in Award.objects.all()} == dict.fromkeys(before, "final")


def test_caught_up_bit_by_bit_equals_rebuilt_from_nothing(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo", "cy")
    played = []
    for seed, handles in enumerate([("ada", "bo"), ("bo", "cy"), ("ada", "cy"), ("ada", "bo", "cy"), ("cy", "ada")], 5):
        played.append(
            table.play(seed, *handles, on=date(2026, 5, 14 - seed), scribe="bo" if "bo" not in handles else None)
        )
        caught_up()
    matches.match_annul(
        match=played[0], by=table.owner, reason="played under the wrong names", expected_seq=played[0].seq, at=AT
    )
    caught_up()
    bit_by_bit = everything()
    services.rebuild()
    assert everything() == bit_by_bit
    for model in (Digest, SeatDigest, RankEntry, Award, Standing, Checkpoint):
        model.objects.all().delete()
    caught_up()
    assert everything() == bit_by_bit
    assert bit_by_bit[2]
    assert bit_by_bit[3]


def test_the_order_of_arrival_changes_nothing(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    logs = [table.log(seed, "ada", "bo", on=date(2026, 5, 1 + seed)) for seed in range(4)]
    for log in reversed(logs):
        table.record(log)
        caught_up()
    late_first = [(one.rank, one.on) for one in RankEntry.objects.filter(withdrawn_on=None).order_by("person_id", "on")]
    services.rebuild()
    assert late_first == [
        (one.rank, one.on) for one in RankEntry.objects.filter(withdrawn_on=None).order_by("person_id", "on")
    ]
    assert {one.on for one in RankEntry.objects.filter(rank="RANK-1")} == {date(2026, 5, 1)}


def test_an_annulled_match_withdraws_rank_and_badges_and_says_by_what(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    match = table.record(table.log(6, "ada", "bo"))
    caught_up()
    held = Award.objects.count()
    assert held
    match = matches.match_annul(
        match=match, by=table.owner, reason="a test of the new board", expected_seq=match.seq, at=AT
    )
    caught_up()
    assert set(Award.objects.values_list("status", flat=True)) == {"withdrawn"}
    assert Award.objects.count() == held
    entry = RankEntry.objects.filter(person_id=table.people["ada"].pk).get()
    assert entry.withdrawn_by == {"stream": str(match.pk), "seq": match.seq}
    told = selectors.career(table.people["ada"])
    assert told["rank"] is None
    assert {"rank_attained", "rank_withdrawn"} <= {line["kind"] for line in told["history"]}


def test_a_match_that_cannot_be_digested_stops_only_itself(
    circle: Callable[..., Circle], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = circle("ada", "bo")
    bad = table.play(1, "ada", "bo")
    good = table.play(2, "ada", "bo", on=date(2026, 5, 2))
    whole = services.digest

    def broken(log, *, match, **more):  # type: ignore[no-untyped-def]
        if match == str(bad.pk):
            raise RuntimeError("the engine stumbles")
        return whole(log, match=match, **more)

    monkeypatch.setattr(services, "digest", broken)
    caught_up()
    assert [one.match_id for one in selectors.poisoned()] == [bad.pk]
    assert "the engine stumbles" in Poisoned.objects.get().error
    assert selectors.record(table.people["ada"])["hexwar"]["played"] == 1
    assert Digest.objects.filter(pk=good.pk).exists()
    monkeypatch.setattr(services, "digest", whole)
    assert services.retry(bad.pk)
    assert selectors.record(table.people["ada"])["hexwar"]["played"] == 2


def test_a_batch_that_fails_at_its_end_has_done_nothing(
    circle: Callable[..., Circle], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = circle("ada", "bo")
    table.play(1, "ada", "bo")
    caught_up_to = list(Checkpoint.objects.values_list("position", flat=True))

    def fails(head: str, joined: dict[str, str], *, tell: bool) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(services, "_fold_badges", fails)
        with pytest.raises(RuntimeError):
            services.catch_up()
    assert not Digest.objects.exists()
    assert not RankEntry.objects.exists()
    assert list(Checkpoint.objects.values_list("position", flat=True)) == caught_up_to
    caught_up()
    assert Match.objects.count() == Digest.objects.count() == 1


def test_the_lag_says_how_much_is_unread(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    match = table.play(1, "ada", "bo")
    lag = selectors.follower_lag()
    assert lag.entries >= match.seq + 1
    caught_up()
    assert selectors.follower_lag().entries == 0


def test_a_voided_capture_withdraws_the_badge_that_rested_on_it(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    match = table.play(8, "ada", "bo")
    caught_up()
    badge = Award.objects.get(badge="BDG-HX-02", person_id=table.people["bo"].pk)
    assert (badge.tier, badge.status, badge.value) == ("bronze", "final", 2)
    captured = badge.evidence[0]["seq"]
    match = matches.event_void(
        match=match, target_seq=captured, reason="the Peasant never stood there", by=table.owner, expected_seq=match.seq,
        at=AT, approved_by=str(table.owner.pk),
    )  # fmt: skip
    caught_up()
    gone = Award.objects.get(badge="BDG-HX-02", person_id=table.people["bo"].pk)
    assert (gone.status, gone.withdrawn_by) == ("withdrawn", {"stream": str(match.pk), "seq": match.seq})
    assert gone.withdrawn_on == AT.date()
    services.rebuild()
    assert Award.objects.get(badge="BDG-HX-02", person_id=table.people["bo"].pk).status == "withdrawn"


def test_a_rebuild_that_was_stopped_leaves_the_follower_where_it_was(
    circle: Callable[..., Circle], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = circle("ada", "bo")
    table.play(6, "ada", "bo")

    def stopped(head: str, joined: dict[str, str]) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(services, "_fold_ranks", stopped)
        with pytest.raises(KeyboardInterrupt):
            services.rebuild()
    assert selectors.follower_lag().entries
    services.rebuild()
    assert selectors.follower_lag().entries == 0
    rebuilt = everything()
    for model in (Digest, SeatDigest, RankEntry, Award, Standing, Checkpoint):
        model.objects.all().delete()
    caught_up()
    assert everything() == rebuilt


def test_a_new_rank_and_badge_are_told_and_old_ones_that_were_brought_in_are_not(circle: Callable[..., Circle]) -> None:
    table = circle("ada", "bo")
    table.record(table.log(6, "ada", "bo", on=date(2026, 5, 1)))
    caught_up()
    assert not Notice.objects.exists()
    table.play(7, "bo", "ada", on=timezone.now().date())
    table.play(8, "bo", "ada", on=timezone.now().date())
    caught_up()
    told = set(Notice.objects.filter(kind="award").values_list("what", flat=True))
    news = set(Award.objects.filter(on__gte=timezone.now().date()).values_list("badge", flat=True))
    assert told <= {"badge", "rank"}
    assert ("badge" in told) == bool(news)
    before = Notice.objects.count()
    services.rebuild()
    assert Notice.objects.count() == before
