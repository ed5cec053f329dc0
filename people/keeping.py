"""All that is kept of a person, as one archive: found by looking at every table, so that no new one is forgotten.

A table belongs to a person by a reference to them or to their account, or by a column that holds the id of a person
(:data:`PERSON_COLUMNS`). What lies elsewhere, such as the entries that they wrote into the log, is added by the rooms that keep it
(:data:`MORE`).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any
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
LIMIT = 100_000

MORE: list[Callable[[list[UUID]], Iterator[tuple[str, bytes]]]] = []
"""Rooms add files here at start-up: given the ids of a person, they yield name and content."""


def ids_of(person: Person) -> list[UUID]:
    """Return the ids of a person: their own and those joined into it."""
    found, fresh = [person.pk], [person.pk]
    while fresh:
        fresh = list(Person.objects.filter(joined_into__in=fresh).values_list("pk", flat=True))
        found += fresh
    return found


def tables() -> Iterator[tuple[type[models.Model], list[str], list[str]]]:
    """Yield every table that belongs to persons, with its columns that refer to a person and to an account."""
    for model in apps.get_models():
        if model._meta.label_lower in OTHERS_SECRETS or not model._meta.managed:
            continue
        persons, accounts = [], []
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
        if persons or accounts:
            yield model, persons, accounts


def everything(person: Person) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the archive: a JSON file for each table with rows of the person, then what the rooms add."""
    ids = ids_of(person)
    accounts = list(Account.objects.filter(person__in=ids).values_list("pk", flat=True))
    for model, persons, owners in tables():
        wanted = Q()
        for column in persons:
            wanted |= Q(**{f"{column}__in": ids})
        for column in owners:
            wanted |= Q(**{f"{column}__in": accounts})
        columns = [field.attname for field in model._meta.concrete_fields if field.attname not in NEVER]
        rows = list(model._default_manager.filter(wanted).order_by("pk").values(*columns)[:LIMIT])
        if rows:
            text = json.dumps(rows, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1, default=_plain)
            yield f"{model._meta.label_lower}.json", text.encode()
    for more in MORE:
        yield from more(ids)


def _plain(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else DjangoJSONEncoder().default(value)


def archive(person: Person) -> bytes:
    """Return everything kept of a person as a zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in everything(person):
            made.writestr(name, content)
    return out.getvalue()
