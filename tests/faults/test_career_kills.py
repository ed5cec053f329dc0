"""A worker killed in the middle of a fold loses nothing and doubles nothing."""

from __future__ import annotations

from collections.abc import Callable

import psycopg

from career import services
from career.models import Award, Checkpoint, Digest, RankEntry, SeatDigest, Standing
from tests.career.conftest import Circle, circle  # noqa: F401 (a fixture)
from tests.career.test_follow import everything
from tests.conftest import until


def waiting(connection: psycopg.Connection) -> bool:
    """Return whether somebody waits for a lock on the table of awards."""
    row = connection.execute(
        "select count(*) from pg_locks where not granted and relation = 'career_award'::regclass"
    ).fetchone()
    return bool(row and row[0])


def test_a_worker_killed_in_the_middle_of_a_fold_loses_and_doubles_nothing(
    circle: Callable[..., Circle],  # noqa: F811
    worker: Callable[..., object],
    as_owner: psycopg.Connection,
    as_superuser: psycopg.Connection,
) -> None:
    table = circle("ada", "bo")
    # The fold reaches the awards last: held there, digest and ranks of its transaction have been written.
    as_owner.execute("begin")
    as_owner.execute("lock table career_award in exclusive mode")
    first = worker(clock=True)
    table.play(6, "ada", "bo")
    until(lambda: waiting(as_superuser))
    first.kill()  # type: ignore[attr-defined]
    as_owner.execute("rollback")
    until(lambda: not waiting(as_superuser))
    assert [model.objects.count() for model in (Digest, SeatDigest, RankEntry, Award)] == [0, 0, 0, 0]
    worker(clock=True)
    until(lambda: Award.objects.exists())
    derived = everything()
    assert [Digest.objects.count(), RankEntry.objects.count()] == [1, 2]
    for model in (Digest, SeatDigest, RankEntry, Award, Standing, Checkpoint):
        model.objects.all().delete()
    while services.catch_up():
        pass
    assert everything() == derived
