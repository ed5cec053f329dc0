"""All that is kept of a person, as one archive: found by looking at every table, so that no new one is forgotten.

A table belongs to a person by a reference to them or to their account, or by a column that holds the id of a person
(:data:`PERSON_COLUMNS`). What lies elsewhere, such as the entries that they wrote into the log, is added by the rooms that keep it
(:data:`MORE`).
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, NamedTuple
from uuid import UUID

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from people.models import Account, Person

PERSON_COLUMNS = frozenset(
    {
        "person_id", "nominee", "nominator_id", "proposer_id", "organizer_id", "champion",
    }
)  # fmt: skip
"""Columns that hold the id of a person without being a reference."""
NEVER = frozenset({"password", "raw", "key", "secret", "data_key", "session_data", "questions"})
"""Columns that are not handed out: secrets, answers of tests, and files that are added as files."""
OTHERS_SECRETS = frozenset({"authtoken.token", "mfa.authenticator", "sessions.session", "admin.logentry"})
"""Tables of secrets and of Django's own tools: an archive of oneself that is lost must not let anybody in."""
PERSON_LISTS = frozenset({"seconders", "approvals", "votes", "seats"})
"""JSON columns whose items, or whose keys, are ids of persons."""

IN_MEMORY = 4_000_000

type File = tuple[str, Iterable[bytes]]
"""The name of a file and its content, in pieces."""

MORE: list[Callable[[list[UUID]], Iterator[File]]] = []
"""Rooms add files here at start-up, given the ids of a person."""


def ids_of(person: Person) -> list[UUID]:
    """Return the ids of a person: their own and those joined into it."""
    found, fresh = [person.pk], [person.pk]
    while fresh:
        fresh = list(Person.objects.filter(joined_into__in=fresh).values_list("pk", flat=True))
        found += fresh
    return found


class Table(NamedTuple):
    """A table that belongs to persons, with its columns that refer to a person, to an account, and to several persons."""

    model: type[models.Model]
    persons: list[str]
    accounts: list[str]
    lists: list[str]

    def condition(self, ids: list[UUID], accounts: list[int]) -> Q:
        """Return which rows are those of a person with these ids."""
        wanted = Q()
        for column in self.persons:
            wanted |= Q(**{f"{column}__in": ids})
        for column in self.accounts:
            wanted |= Q(**{f"{column}__in": accounts})
        for column in self.lists:
            for one in ids:
                wanted |= Q(**{f"{column}__has_key": str(one)})
        return wanted


def tables() -> Iterator[Table]:
    """Yield every table that belongs to persons."""
    for model in apps.get_models():
        if model._meta.label_lower in OTHERS_SECRETS or not model._meta.managed:
            continue
        persons, accounts, lists = [], [], []
        if model is Person:
            persons.append("id")
        if model is Account:
            accounts.append("id")
        for field in model._meta.concrete_fields:
            target = field.related_model
            if target is Person:
                persons.append(field.attname)
            elif target is Account:
                accounts.append(field.attname)
            elif target is None and field.attname in PERSON_COLUMNS:
                persons.append(field.attname)
            elif field.attname in PERSON_LISTS and isinstance(field, models.JSONField):
                lists.append(field.attname)
        if persons or accounts or lists:
            yield Table(model, persons, accounts, lists)


def everything(person: Person) -> Iterator[File]:
    """Yield the files of the archive: a JSON file for each table with rows of the person, then what the rooms add."""
    ids = ids_of(person)
    accounts = list(Account.objects.filter(person__in=ids).values_list("pk", flat=True))
    for table in tables():
        columns = [field.attname for field in table.model._meta.concrete_fields if field.attname not in NEVER]
        found = table.model._default_manager.filter(table.condition(ids, accounts)).order_by("pk")
        if found.exists():
            yield f"{table.model._meta.label_lower}.json", as_json(found.values(*columns).iterator())
    for more in MORE:
        yield from more(ids)


def as_json(rows: Iterable[Any]) -> Iterator[bytes]:
    """Yield the pieces of a JSON list, one row a line."""
    before = "[\n"
    for row in rows:
        yield (before + json.dumps(row, ensure_ascii=False, default=_plain)).encode()
        before = ",\n"
    yield b"\n]\n" if before == ",\n" else b"[]\n"


def _plain(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else DjangoJSONEncoder().default(value)


def archive(person: Person) -> IO[bytes]:
    """Return everything kept of a person as a zip archive: a file, open at its beginning."""
    out = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 – whoever asked closes it
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, pieces in everything(person):
            with made.open(name, "w") as file:
                for piece in pieces:
                    file.write(piece)
    out.seek(0)
    return out
