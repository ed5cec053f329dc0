"""Who is who: guests are claimed by link, records joined and split, careers follow; somebody is forgotten or takes their data along."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import date

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.urls import reverse

from career import selectors
from league import services as leagues
from matches import log, persons
from matches import services as matches
from matches.models import Seat
from people import keeping
from people.models import Account, Person
from people.services import account_create
from rulesengine import notation
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.test_follow import caught_up


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("ada", "bo", "mo")
    leagues.role_give(league=made.league, person=made.people["mo"], role="organizer", by=made.owner, at=AT)
    return made


def as_(client: Client, person: Person) -> Client:
    client.force_login(person.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    return client


@pytest.fixture
def guest(table: Circle) -> Person:
    """A guest of the league who played two matches with bo."""
    made = leagues.member_guest_add(
        league=table.league, display_name="Zenobia Q", is_minor=False, by=table.owner, at=AT
    ).person
    for number in (1, 2):
        log_ = table.log(number, "bo", "mo", on=date(2026, 5, number))
        upload = matches.upload_check(by=table.owner, name="m.jsonl", raw=notation.write(log_, "jsonl"))
        match = matches.upload_record(upload=upload, by=table.owner, confirm=True, at=AT)
        Seat.objects.filter(match=match, person=table.people["mo"]).update(person=made)
        from career import services

        services.digest_matches([match.pk])
    caught_up()
    return made


def test_a_guest_is_claimed_by_a_link_and_the_career_follows(table: Circle, guest: Person, client: Client) -> None:
    as_(client, table.people["mo"])
    page = client.post(reverse("person-link", args=[guest.pk])).content.decode()
    link = re.search(r'value="http://testserver(/claim/[^"]+)"', page)
    assert link is not None
    client.logout()
    shown = client.get(link[1]).content.decode()
    assert "Zenobia Q" in shown and "Sign in to claim them" in shown
    assert client.post(link[1]).status_code == 403
    newcomer = account_create("zeno@example.org", "a long enough word", "zeno", "Zeno").person
    told = as_(client, newcomer).post(link[1])
    assert told["Location"] == "/@zeno"
    caught_up()
    assert selectors.standing(newcomer).matches == 2
    assert selectors.standing(guest).matches == 0
    assert client.get(link[1]).status_code == 404
    records = reverse("person-records", args=[newcomer.pk])
    assert "Zenobia Q" in client.get(records).content.decode()
    client.post(reverse("person-split", args=[newcomer.pk, guest.pk]))
    caught_up()
    assert selectors.standing(newcomer).matches == 0
    assert selectors.standing(guest).matches == 2


def test_an_organizer_looks_first_and_joins_then(table: Circle, guest: Person, client: Client) -> None:
    url = reverse("person-join", args=[guest.pk])
    assert as_(client, table.people["bo"]).get(url).status_code == 403
    as_(client, table.people["mo"])
    assert client.post(url, {"handle": "nobody"}).status_code == 400
    looked = client.post(url, {"handle": "@ada"}).content.decode()
    assert "will be those of Ada" in looked
    assert Person.objects.get(pk=guest.pk).joined_into_id is None
    assert client.post(url, {"handle": "bo", "step": "store"}).status_code == 422  # they sat at one table
    assert client.post(url, {"handle": "ada", "step": "store"}).status_code == 302
    caught_up()
    assert selectors.standing(table.people["ada"]).matches == 2


@pytest.mark.parametrize("token", ["x" * 40, "AAAA:BBBB:CCCCCCCCCCCCCCCCCC"])
def test_a_damaged_link_says_so(table: Circle, client: Client, token: str) -> None:
    page = client.get(reverse("claim", args=[token]))
    assert page.status_code == 404 and "damaged" in page.content.decode()


def test_only_who_looks_after_a_guest_makes_a_link(table: Circle, guest: Person, client: Client) -> None:
    url = reverse("person-link", args=[guest.pk])
    assert as_(client, table.people["bo"]).post(url).status_code == 403
    assert client.post(reverse("person-link", args=[table.people["ada"].pk])).status_code == 403
    assert client.get(reverse("person-records", args=[table.people["ada"].pk])).status_code == 404


# Taking along and being forgotten


def test_the_archive_holds_the_person_from_every_table_and_nobody_elses_secrets(table: Circle, client: Client) -> None:
    table.play(1, "ada", "bo")
    caught_up()
    answer = as_(client, table.people["ada"]).get(reverse("settings-download"))
    files = zipfile.ZipFile(io.BytesIO(answer.content))
    names = set(files.namelist())
    assert {
        "people.person.json",
        "people.account.json",
        "league.member.json",
        "matches.seat.json",
        "career.seatdigest.json",
    } <= names
    told = json.loads(files.read("people.account.json"))
    assert [one["email"] for one in told] == ["ada@example.org"]
    whole = b"".join(files.read(name) for name in names)
    assert b"bo@example.org" not in whole and b"password" not in whole
    assert {row["person_id"] for row in json.loads(files.read("matches.seat.json"))} == {str(table.people["ada"].pk)}


NOT_OF_ONE = {
    "match_id", "id", "stream", "league", "league_id", "event_id", "cause", "job_id", "upload_id", "season_id", "held_id",
}  # fmt: skip


def test_no_column_that_could_hold_a_person_is_left_out_of_the_archive() -> None:
    """A new column of an id is a person's, then it belongs into the archive, or it is named above as something else."""
    unknown = []
    for model in apps.get_models():
        if model._meta.app_label not in ("people", "matches", "league", "career"):
            continue
        for field in model._meta.concrete_fields:
            if isinstance(field, models.UUIDField) and not field.is_relation:
                known = field.attname in NOT_OF_ONE or field.attname in keeping.PERSON_COLUMNS or field.primary_key
                if not known and not (model._meta.label == "matches.Event" and field.attname == "by"):
                    unknown.append(f"{model._meta.label}.{field.attname}")
    assert unknown == []


def test_whoever_types_their_handle_is_forgotten_and_the_name_is_found_nowhere(table: Circle, client: Client) -> None:
    person = account_create("quilla@example.org", "a long enough word", "quilla", "Quilla Zephyrine").person
    leagues.member_add(league=table.league, person=person, by=table.owner, at=AT)
    log_ = table.log(1, "ada", "bo")
    from msgspec.structs import replace

    seats = (log_.header.seats[0], replace(log_.header.seats[1], name="Quilla Zephyrine", player="quilla"))
    log_ = replace(log_, header=replace(log_.header, seats=seats))
    match = table.record(log_)
    caught_up()
    as_(client, person)
    url = reverse("settings-forget")
    assert client.post(url, {"handle": "ada"}).status_code == 422
    assert Account.objects.filter(person=person).exists()
    assert client.post(url, {"handle": "@quilla"}).status_code == 302
    assert client.get("/@quilla").status_code == 404
    caught_up()
    assert log.verify(match.pk) is None
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "select table_name, column_name from information_schema.columns where table_schema = 'public'"
            " and data_type in ('text', 'character varying', 'jsonb', 'json')"
        )
        for name, column in cursor.fetchall():
            cursor.execute(
                f'select count(*) from "{name}" where "{column}"::text ilike %s or "{column}"::text ilike %s',
                ["%zephyrine%", "%quilla%"],
            )
            if cursor.fetchone()[0]:
                found.append(f"{name}.{column}")
    assert found == []


def test_an_owner_of_the_site_may_forget_somebody_and_nobody_else(table: Circle) -> None:
    from people.services import Forbidden

    with pytest.raises(Forbidden):
        persons.person_forget(person=table.people["ada"], by=table.people["mo"])
    persons.person_forget(person=table.people["ada"], by=table.owner)
    assert Person.objects.get(pk=table.people["ada"].pk).forgotten_at is not None
