"""The two roles in the database: the owner migrates, the application's role reads, adds to the log and works on the rest."""

from __future__ import annotations

import sys

from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from config import celery


def grant(**_signal: object) -> None:
    """Give the application's role its rights, after a migration. Does nothing for anybody but the owner of the database.

    On the log: SELECT and INSERT. On the other tables: SELECT, INSERT, UPDATE, DELETE. On the queue's schema, and the one in which careers are
    derived again: everything.
    """
    app = settings.DATABASE_APP_ROLE
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "select current_user, pg_get_userbyid(datdba) from pg_database where datname = current_database()"
        )
        me, owner = cursor.fetchone()
        if me != owner or me == app:
            return
        cursor.execute("select to_regnamespace('pgmq') is not null")
        celery.install_queue(cursor.connection.execute, is_there=cursor.fetchone()[0])
        cursor.execute(
            "select tablename from pg_tables where schemaname = 'public' and tablename = any(%s)",
            [settings.APPEND_ONLY_TABLES],
        )
        append_only = [table for (table,) in cursor.fetchall()]
        # The tables of the single queues belong to whoever declared them first: the application.
        cursor.execute(
            "select oid::regclass::text from pg_class where relnamespace = 'pgmq'::regnamespace"
            " and relkind in ('r', 'S') and pg_get_userbyid(relowner) = current_user"
        )
        queue = [table for (table,) in cursor.fetchall()]
        # Careers are derived again in tables that the application makes and drops (career.rebuilding).
        cursor.execute("select to_regnamespace('anew') is not null")
        has_anew = cursor.fetchone()[0]
        for statement in (
            "grant usage on schema public to {app}",
            "grant select, insert, update, delete on all tables in schema public to {app}",
            "grant usage, select, update on all sequences in schema public to {app}",
            "revoke insert, update, delete on django_migrations from {app}",
            *(f"revoke update, delete, truncate on {table} from {{app}}" for table in append_only),
            "grant usage, create on schema pgmq to {app}",
            *(["grant usage, create on schema anew to {app}"] if has_anew else []),
            "grant execute on all functions in schema pgmq to {app}",
            *(f"grant all on {table} to {{app}}" for table in queue),
        ):
            cursor.execute(sql.SQL(statement).format(app=sql.Identifier(app)))


def refuse_powerful_role(who: str) -> None:
    """End the process if its role could change the log: web and worker must not be able to."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select current_user, rolsuper, exists(select from pg_database where datname = current_database() and datdba = r.oid),"
            " to_regclass('matches_event') is not null from pg_roles r where rolname = current_user"
        )
        me, is_super, is_owner, is_migrated = cursor.fetchone()
        if not is_migrated:
            sys.exit(f"{who}: the database has no tables yet. Run `manage.py migrate` with DATABASE_OWNER_URL set.")
        cursor.execute(
            "select has_table_privilege('matches_event', 'update') or has_table_privilege('matches_event', 'delete')"
        )
        can_change = cursor.fetchone()[0]
    connection.close()
    if is_super or is_owner or can_change:
        what = "a superuser" if is_super else "the owner of the database" if is_owner else "allowed to change the log"
        sys.exit(
            f"{who}: DATABASE_URL connects as {me!r}, which is {what}. Web and worker need a role that can only read and add to "
            "the log; see docs/operators.md (the owner belongs into DATABASE_OWNER_URL, for `manage.py migrate`)."
        )
