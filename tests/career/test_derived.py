"""A release that derives otherwise has every installation derive anew, as a job that can be stopped and goes on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from career import services, tasks
from career.models import Checkpoint, RatingStep, SeatDigest
from matches import jobs
from matches.models import Job
from tests.career.conftest import Circle, circle  # noqa: F401
from tests.career.test_follow import caught_up, everything


@pytest.fixture
def played(circle: Callable[..., Circle]) -> None:  # noqa: F811
    table = circle("ada", "bo")
    for day in (1, 2, 3):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    services.derive_anew_if_outdated()
    caught_up()


def test_a_new_installation_and_one_that_is_up_to_date_derive_nothing_anew(played: None) -> None:
    tasks.catch_up()
    assert not Job.objects.exists()


def test_an_older_derivation_is_made_anew_once_as_a_job(played: None) -> None:
    right = everything()
    SeatDigest.objects.update(league_id=None, confirmed_seq=None)
    RatingStep.objects.all().delete()
    Checkpoint.objects.filter(name="derived").update(position=1)
    tasks.catch_up()
    tasks.catch_up()
    job = Job.objects.get()
    assert (job.kind, job.state) == ("career_rebuild", "new")
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    assert everything() == right
    assert RatingStep.objects.count() == 6


def test_a_stopped_one_stops_at_its_next_step_and_goes_on(played: None, monkeypatch: pytest.MonkeyPatch) -> None:
    right = everything()
    Checkpoint.objects.filter(name="derived").update(position=1)
    services.derive_anew_if_outdated()
    job = Job.objects.get()
    whole = services.deeds.reread
    monkeypatch.setattr(services.deeds, "reread", lambda *one: (jobs.stop(job.pk), whole(*one))[1])
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == "stopped"
    monkeypatch.undo()
    assert jobs.resume(job.pk)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == "done"
    assert everything() == right
