"""Between tests that commit, everything is emptied, the log too; nowhere else can it be."""

from __future__ import annotations

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from matches.models import Job

EVENT = (
    "insert into matches_event (stream, seq, kind, type, data, event_id, recorded_at, hash)"
    " values (gen_random_uuid(), 0, 'match', 'test', '{}', gen_random_uuid(), now(), decode(repeat('00', 32), 'hex'))"
)


@pytest.mark.django_db(transaction=True)
def test_emptying_reaches_the_log_and_the_other_tables(as_app: psycopg.Connection) -> None:
    Job.objects.create(kind="tests.probe")
    as_app.execute(EVENT)
    call_command("flush", interactive=False, verbosity=0)
    assert as_app.execute(
        "select (select count(*) from matches_event), (select count(*) from matches_job)"
    ).fetchone() == (0, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("who", ["as_app", "as_owner"])
def test_without_the_tests_own_word_nobody_empties_the_log(
    who: str, request: pytest.FixtureRequest, as_app: psycopg.Connection
) -> None:
    as_app.execute(EVENT)
    role: psycopg.Connection = request.getfixturevalue(who)
    with pytest.raises(psycopg.Error):
        role.execute("truncate matches_event")
    assert as_app.execute("select count(*) from matches_event").fetchone() == (1,)


@pytest.mark.django_db
def test_a_test_runs_as_the_application() -> None:
    with connection.cursor() as cursor:
        cursor.execute("select current_user, current_database() like 'test%'")
        assert cursor.fetchone() == ("annals_app", True)
