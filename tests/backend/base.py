"""Django's PostgreSQL backend, with another way to make and to empty a test database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.apps import apps
from django.db.backends.postgresql import base, creation, operations

from config import embedded


class DatabaseCreation(creation.DatabaseCreation):
    """Makes, migrates and drops the database as its owner; in between the tests are the application."""

    def create_test_db(self, *args: Any, **kwargs: Any) -> str:
        with self._as_owner():
            name = super().create_test_db(*args, **kwargs)
        from config import celery

        celery.app.conf.update(celery.broker())  # the queue is in the test database too
        return name

    def _destroy_test_db(self, test_database_name: str, verbosity: int) -> None:
        from tests.settings import SERVER

        # With what still listens to its queue.
        with psycopg.connect(SERVER.url(embedded.SUPERUSER, "postgres"), autocommit=True) as connection:
            connection.execute(f'drop database "{test_database_name}" with (force)')

    @contextmanager
    def _as_owner(self) -> Iterator[None]:
        from tests.settings import SERVER

        self.connection.close()
        role = {"USER": embedded.OWNER, "PASSWORD": SERVER.passwords[embedded.OWNER]}
        before = {key: self.connection.settings_dict[key] for key in role}
        self.connection.settings_dict.update(role)
        try:
            yield
        finally:
            self.connection.close()
            self.connection.settings_dict.update(before)


class DatabaseOperations(operations.DatabaseOperations):
    """Empties the tables between tests that commit. Only here, and only in a database named test…, may the log be emptied."""

    def sql_flush(self, style: Any, tables: Any, **more: Any) -> list[str]:
        log = [model._meta.db_table for model in apps.get_models() if not model._meta.managed]
        flushed = super().sql_flush(style, [*tables, *log], **more)
        return ["SET LOCAL app.allow_flush = 'on'", *flushed] if flushed else []

    def execute_sql_flush(self, sql_list: list[str]) -> None:
        from tests.settings import SERVER

        url = SERVER.url(embedded.OWNER, self.connection.settings_dict["NAME"])
        with psycopg.connect(url, options="-c lock_timeout=20s") as connection:
            for statement in sql_list:
                connection.execute(statement)


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation
    ops_class = DatabaseOperations
