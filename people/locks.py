"""Locks of the database for what no constraint can promise."""

from django.db import connection


def lock(name: str) -> None:
    """Wait until no other transaction holds the lock of this name, and hold it to the end of this one."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
