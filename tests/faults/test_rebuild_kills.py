"""Rebuilds that are stopped or killed, at any stage, and matches that are confirmed meanwhile."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

import psycopg
import pytest

from career import rebuilding, services
from career.models import Award, Digest, Poisoned, Standing
from tests.career.conftest import Circle, circle  # noqa: F401 (a fixture)
from tests.career.test_follow import caught_up, everything
from tests.conftest import Process, until

# What each stage writes; held, the stage waits in the middle of its transaction.
WRITES = {
    "digests": "anew.career_digest",
    "ranks": "anew.career_rankentry",
    "badges": "anew.career_award",
    "ratings": "anew.career_ratingstep",
    "swap": "public.career_standing",
}


def waits(connection: psycopg.Connection, table: str) -> bool:
    """Return whether somebody waits for a lock on a table."""
    row = connection.execute(
        "select count(*) from pg_locks where not granted and relation = to_regclass(%s)", [table]
    ).fetchone()
    return bool(row and row[0])


def stage_of(connection: psycopg.Connection) -> str:
    """Return the stage of the rebuild that is going on, empty if there is none."""
    if connection.execute("select to_regclass('anew.state')").fetchone() == (None,):
        return ""
    row = connection.execute("select stage from anew.state").fetchone()
    return row[0] if row else ""


def played(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    """Return a league in which four people have played and been derived."""
    table = circle("ada", "bo", "cy", "di")
    for seed, handles in enumerate([("ada", "bo"), ("bo", "cy"), ("ada", "cy", "di"), ("di", "bo")], 1):
        table.play(seed, *handles)
    caught_up()
    return table


def derived_by_hand() -> list[list[dict[str, object]]]:
    """Return what is derived once everything has been rebuilt undisturbed."""
    services.rebuild()
    return everything()


@pytest.mark.parametrize("stage", WRITES)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_rebuild_killed_in_a_stage_shows_the_old_state_and_goes_on_to_the_same_careers(
    circle: Callable[..., Circle],  # noqa: F811
    process: Callable[..., Process],
    site_environment: dict[str, str],
    as_superuser: psycopg.Connection,
    stage: str,
    workers: int,
) -> None:
    played(circle)
    before = everything()
    table = WRITES[stage]
    # The tables are made by the rebuild: it is stopped at the door of the stage, so that they are there to be held.
    if stage != "swap":

        def stop_at(what: str, _done: int, _total: int) -> None:
            if what == stage:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            rebuilding.rebuild(progress=stop_at)
        assert rebuilding.is_begun()
    as_superuser.execute("begin")
    as_superuser.execute(f"lock table {table} in exclusive mode")  # type: ignore[arg-type]
    with psycopg.connect(as_superuser.info.dsn, password=as_superuser.info.password, autocommit=True) as other:
        begun = process("manage.py", "derive", "--rebuild", "--workers", str(workers), **site_environment)
        until(lambda: waits(other, table))
        begun.kill()
        assert stage_of(other) == stage
    as_superuser.execute("rollback")
    assert everything() == before
    process("manage.py", "derive", "--rebuild", **site_environment).wait_for("up to date")
    assert not rebuilding.is_begun()
    assert everything() == before
    assert derived_by_hand() == before


def test_a_rebuild_stopped_by_ctrl_c_leaves_everything_as_it_was_and_goes_on(
    circle: Callable[..., Circle],  # noqa: F811
    process: Callable[..., Process],
    site_environment: dict[str, str],
    as_superuser: psycopg.Connection,
) -> None:
    played(circle)
    before = everything()
    as_superuser.execute("begin")
    as_superuser.execute("lock table public.career_award in exclusive mode")
    begun = process("manage.py", "derive", "--rebuild", **site_environment)
    begun.wait_for("ratings: ")
    with psycopg.connect(as_superuser.info.dsn, password=as_superuser.info.password, autocommit=True) as other:
        until(lambda: waits(other, "public.career_award"))
    begun.popen.send_signal(signal.SIGINT)
    begun.wait_for("goes on where it was")
    assert begun.popen.wait(30) == 130
    as_superuser.execute("rollback")
    assert everything() == before
    again = process("manage.py", "derive", "--rebuild", **site_environment)
    assert "it goes on where it was" in again.wait_for("up to date")
    assert "digests" not in again.output
    assert everything() == before


def test_a_match_confirmed_during_a_rebuild_is_shown_before_and_after_the_swap(
    circle: Callable[..., Circle],  # noqa: F811
) -> None:
    table = played(circle)
    seen = []

    def meanwhile(what: str, done: int, total: int) -> None:
        if what == "badges" and done == total:
            new = table.play(9, "ada", "di")
            caught_up()
            seen.append(new.pk)
            seen.append(Digest.objects.filter(pk=new.pk).exists())
        if what == "swap":
            seen.append(Digest.objects.filter(pk=seen[0]).exists())

    services.rebuild(progress=meanwhile)
    assert seen[1:] == [True, True]
    after = everything()
    assert derived_by_hand() == after


def test_readers_see_the_old_or_the_new_rows_and_never_none(
    circle: Callable[..., Circle],  # noqa: F811
    as_app: psycopg.Connection,
) -> None:
    played(circle)
    there = (Standing.objects.count(), Award.objects.count())
    seen: set[tuple[int, ...]] = set()
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            row = as_app.execute(
                "select (select count(*) from career_standing), (select count(*) from career_award)"
            ).fetchone()
            seen.add(row or ())

    reader = threading.Thread(target=look)
    reader.start()
    try:
        for _ in range(3):
            services.rebuild()
    finally:
        done.set()
        reader.join()
    assert seen == {there}


def test_only_one_rebuild_runs_at_a_time(
    circle: Callable[..., Circle],  # noqa: F811
    process: Callable[..., Process],
    site_environment: dict[str, str],
) -> None:
    played(circle)
    said = []

    def meanwhile(what: str, _done: int, _total: int) -> None:
        if what == "ranks" and not said:
            other = process("manage.py", "derive", "--rebuild", **site_environment)
            said.append(other.popen.wait(60))
            said.append(other.output)

    services.rebuild(progress=meanwhile)
    assert said[0] == 1
    assert "derived again already" in str(said[1])


def test_a_match_that_cannot_be_replayed_keeps_what_was_known_of_it_and_stops_only_itself(
    circle: Callable[..., Circle],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played(circle)
    before = everything()
    bad = Digest.objects.order_by("pk").values_list("pk", flat=True)[0]
    whole = services.digest

    def broken(log, *, match, **more):  # type: ignore[no-untyped-def]
        if match == str(bad):
            raise RuntimeError("the engine stumbles")
        return whole(log, match=match, **more)

    monkeypatch.setattr(services, "digest", broken)
    services.rebuild()
    assert list(Poisoned.objects.values_list("pk", flat=True)) == [bad]
    assert everything() == before
