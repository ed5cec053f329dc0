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
from msgspec.structs import replace

from career import selectors
from career import services as careers
from league import records, stream
from league import services as leagues
from matches import log, persons, sight
from matches import services as matches
from matches.models import Match, Seat, Upload
from matches.selectors import match_list
from matches.services import NotRecordable
from people import keeping, mail, notices
from people.models import Account, Person
from people.services import Forbidden, account_create, grant_give, handle_change, person_guest_create
from rulesengine import notation
from rulesengine.log import Log
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
        careers.digest_matches([match.pk])
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
    files = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
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
    "match_id", "id", "stream", "league", "league_id", "event_id", "cause", "job_id", "upload_id", "season_id", "held_id", "table",
}  # fmt: skip


NO_LISTS_OF_PERSONS = {
    "people.Notice.words": "words of a sentence",
    "matches.Match.context": "league, season, round and table", "matches.Match.options": "options of the game",
    "matches.Match.result": "by seat", "matches.Upload.report": "what was found in a file, for its uploader",
    "matches.Event.data": "written.json: what somebody wrote, and their own stream", "matches.Job.payload": "ids of things",
    "league.Season.points": "points by place",
    "league.Season.divisions": "of all members, as the league's stream has them", "league.Season.moves": "follow from the table",
    "league.Season.table": "derived from the matches", "league.Campaign.placements": "derived from the matches",
    "league.Campaign.matches": "ids of matches",
    "career.Digest.data": "derived from a match, by seat", "career.Deed.data": "of an entry; the row is its person's",
    "career.RankEntry.order": "a place in the order of play", "career.RankEntry.withdrawn_by": "stream and seq",
    "career.Standing.active_years": "years", "career.Standing.credits": "the row is its person's",
    "career.Award.evidence": "stream and seq", "career.Award.withdrawn_by": "stream and seq",
    "career.Honor.by": "whose decision is in written.json", "career.Honor.figures": "numbers",
    "career.LessonAttempt.questions": "questions of a lesson", "career.LessonAttempt.answers": "the row is its person's",
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
            if isinstance(field, models.JSONField) and field.attname not in keeping.PERSON_LISTS:
                column = f"{model._meta.label}.{field.attname}"
                if column not in NO_LISTS_OF_PERSONS:
                    unknown.append(column)
    assert unknown == []


def named(log_: Log, seat: int, name: str, handle: str | None = None) -> Log:
    """Return a log in which somebody else sits."""
    seats = list(log_.header.seats)
    seats[seat] = replace(seats[seat], name=name, player=handle)
    return replace(log_, header=replace(log_.header, seats=tuple(seats)))


def where(*words: str) -> list[str]:
    """Return the columns of the database in which one of these words stands, in any case."""
    found = []
    with connection.cursor() as cursor:
        cursor.execute(
            "select table_name, column_name from information_schema.columns where table_schema = 'public'"
            " and data_type in ('text', 'character varying', 'jsonb', 'json', 'bytea')"
        )
        for table, column in cursor.fetchall():
            shown = f"encode(\"{column}\", 'escape')" if column == "raw" else f'"{column}"::text'
            cursor.execute(
                f'select count(*) from "{table}" where {" or ".join([f"{shown} ilike %s"] * len(words))}',
                [f"%{word}%" for word in words],
            )
            if cursor.fetchone()[0]:
                found.append(f"{table}.{column}")
    return found


def test_whoever_types_their_handle_is_forgotten_and_the_name_is_found_nowhere(table: Circle, client: Client) -> None:
    owner, league = table.owner, table.league
    person = account_create("quilla@example.org", "a long enough word", "zephy", "Quilla Zephyrine").person
    handle_change(person=person, handle="quilla")
    leagues.member_add(league=league, person=person, by=owner, at=AT)
    leagues.role_give(league=league, person=person, role="scribe", by=owner, at=AT)
    guest, older = (
        leagues.member_guest_add(league=league, display_name=name, is_minor=False, by=owner, at=AT).person
        for name in ("Q. Zephyrine", "Miss Zephyrine")
    )
    persons.persons_join(person=guest, other=older, by=owner)
    persons.persons_join(person=person, other=guest, by=owner)
    match = table.record(named(table.log(1, "ada", "bo"), 1, "Quilla Zephyrine", "quilla"))
    caught_up()
    # What others wrote about her, and hold of her.
    records.season_open(
        league=league, key="2026", title="Cup of Quilla Zephyrine", first_day=date(2026, 5, 1), by=owner, at=AT
    )
    records.campaign_open(league=league, key="war", title="Against Miss ZEPHYRINE", game="hexwar", by=owner, at=AT)
    records.conduct_note(
        league=league, person=table.people["bo"], kind="commendation", note="Helped @zephy up.", day=date(2026, 5, 1),
        by=owner, at=AT,
    )  # fmt: skip
    unrecorded = named(table.log(2, "ada", "bo"), 0, "Quilla Zephyrine", "quilla")
    held = matches.upload_check(by=owner, name="quilla.jsonl", raw=notation.write(unrecorded, "jsonl"))
    notices.notify(table.people["ada"], "upload_done", "checked", url="/x", name="quilla against ada.jsonl")
    mail.mail_enqueue(to="quilla@example.org", subject="Hello", body="Hello")
    with_texts = client.get(reverse("match-detail", args=[match.pk])).content.decode()
    assert "Quilla Zephyrine" in with_texts
    assert len(where("zephy", "quilla")) > 8
    as_(client, person)
    url = reverse("settings-forget")
    assert client.post(url, {"handle": "ada"}).status_code == 422
    assert Account.objects.filter(person=person).exists()
    assert client.post(url, {"handle": "@quilla"}).status_code == 302
    assert client.get("/@quilla").status_code == 404
    assert client.get("/@zephy").status_code == 404
    caught_up()
    assert where("zephy", "quilla") == []
    assert all(log.verify(stream) is None for stream in log.streams())
    page = client.get(reverse("match-detail", args=[match.pk])).content.decode()
    assert "A forgotten person" in page and "Quilla" not in page
    assert Match.objects.get(pk=match.pk).status == "confirmed"
    assert selectors.standing(table.people["ada"]).matches == 1
    assert not Upload.objects.exclude(state=Upload.State.DROPPED).filter(pk=held.pk).exists()
    stream.rebuild(league)
    assert where("zephy", "quilla") == []
    assert not person.grants.exists()


@pytest.mark.parametrize(
    ("name", "text", "is_named"),
    [
        ("Bo", "Bo was late.", True),
        ("Bo", "BO was late.", False),
        ("Bo", "The bow broke.", False),
        ("Émile Lõhmus", "with ÉMILE  LÕHMUS at the table", True),
        ("Ada Moreau", "Ada and Moreau", False),
        ("李娜", "由李娜记录", True),
        ("ada-m", "@ada-m wrote it", True),
        ("ada", "Adamant", False),
        ("A.", "A. won", True),
    ],
)
def test_a_name_is_found_as_a_word(name: str, text: str, is_named: bool) -> None:
    assert bool(persons._naming([name]).search(text)) is is_named


def test_a_name_that_is_a_word_erases_nothing_of_people_elsewhere(table: Circle) -> None:
    """Whoever calls themselves "The" and is forgotten takes no text with them that is about others."""
    log_ = table.log(1, "ada", "bo")
    lines = list(log_.lines)
    lines[0] = replace(lines[0], note="The dice fell off the table.")
    match = table.record(replace(log_, lines=tuple(lines)))
    stranger = account_create("the@example.org", "a long enough word", "stranger", "The").person
    notices.notify(table.people["ada"], "upload_done", "checked", name="The final.jsonl")
    persons.person_forget(person=stranger, by=stranger)
    assert b"The dice fell off" in sight.match_export(match, "full", table.people["ada"])
    assert table.people["ada"].notices.filter(words__name="The final.jsonl").exists()


def test_the_last_owner_of_the_site_and_a_joined_record_are_not_forgotten(table: Circle, guest: Person) -> None:
    bo = table.people["bo"]
    grant_give(person=bo, role="owner", scope="site", by=None)
    with pytest.raises(NotRecordable, match="keeps at least one owner"):
        persons.person_forget(person=bo, by=bo)
    persons.persons_join(person=table.people["ada"], other=guest, by=table.owner)
    with pytest.raises(NotRecordable, match="is joined into another"):
        persons.person_forget(person=guest, by=table.owner)


def test_what_was_read_before_is_read_anew(table: Circle, client: Client) -> None:
    log_ = table.log(1, "ada", "bo")
    lines = list(log_.lines)
    lines[0] = replace(lines[0], note="Bo dropped the dice.")
    match = table.record(replace(log_, lines=tuple(lines)))
    assert b"dropped the dice" in sight.match_export(match, "full", table.owner)
    before = match.reading
    persons.person_forget(person=table.people["bo"], by=table.people["bo"])
    match.refresh_from_db()
    assert match.reading != before
    assert "dropped the dice" not in client.get(reverse("match-detail", args=[match.pk])).content.decode()
    assert b"dropped the dice" not in sight.match_export(match, "full", table.owner)


def test_an_owner_of_the_site_may_forget_somebody_and_nobody_else(table: Circle) -> None:
    with pytest.raises(Forbidden):
        persons.person_forget(person=table.people["ada"], by=table.people["mo"])
    persons.person_forget(person=table.people["ada"], by=table.owner)
    assert Person.objects.get(pk=table.people["ada"].pk).forgotten_at is not None


def test_an_owner_of_the_site_forgets_a_guest_by_name_on_the_page(table: Circle, guest: Person, client: Client) -> None:
    boss = account_create("boss@example.org", "a long enough word", "boss", "Boss").person
    grant_give(person=boss, role="owner", scope="site", by=None)
    url = reverse("person-forget", args=[guest.pk])
    assert as_(client, table.people["mo"]).get(url).status_code == 403
    as_(client, boss)
    assert url in client.get(reverse("person-records", args=[guest.pk])).content.decode()
    assert "Type Zenobia Q" in client.get(url).content.decode()
    assert client.post(url, {"handle": "Zenobia"}).status_code == 422
    assert client.post(url, {"handle": "Zenobia Q"}).status_code == 302
    assert Person.objects.get(pk=guest.pk).forgotten_at is not None
    assert client.get(url).status_code == 404
    assert client.get(reverse("person-forget", args=[boss.pk]))["Location"] == reverse("settings-forget")


# Joined twice, minors, privacy


def test_a_guest_joined_into_a_guest_moves_on_with_the_claim_and_back(table: Circle, guest: Person) -> None:
    other = leagues.member_guest_add(
        league=table.league, display_name="Zen Q.", is_minor=False, by=table.owner, at=AT
    ).person
    persons.persons_join(person=other, other=guest, by=table.people["mo"])
    link = persons.claim_link(guest=other, by=table.people["mo"])
    with pytest.raises(NotRecordable, match="same table"):
        persons.guest_claim(token=link, by=table.people["bo"])
    persons.guest_claim(token=link, by=table.people["ada"])
    caught_up()
    ada = Person.objects.get(pk=table.people["ada"].pk)
    assert selectors.standing(ada).matches == 2
    assert match_list({"person": "ada"}, ada).count() == 2
    assert rank_of(ada) == "RANK-1"
    persons.persons_split(person=ada, other=other, by=ada)
    caught_up()
    assert (selectors.standing(ada).matches, rank_of(ada)) == (0, None)
    assert (selectors.standing(other).matches, rank_of(other)) == (2, "RANK-1")


def rank_of(person: Person) -> str | None:
    rank = selectors.present_rank(selectors.rank_entries(person))
    return rank.rank if rank else None


def test_the_preview_of_a_join_and_of_a_claim_shows_what_was_earned(
    table: Circle, guest: Person, client: Client
) -> None:
    as_(client, table.people["mo"])
    page = client.get(reverse("person-join", args=[guest.pk])).content.decode()
    assert "The rank Page" in page
    link = persons.claim_link(guest=guest, by=table.people["mo"])
    assert "The rank Page" in client.get(reverse("claim", args=[link])).content.decode()


def test_a_claimed_minor_stays_hidden_unless_the_guardian_says_otherwise(table: Circle, client: Client) -> None:
    def child(name: str) -> str:
        made = leagues.member_guest_add(league=table.league, display_name=name, is_minor=True, by=table.owner, at=AT)
        return reverse("claim", args=[persons.claim_link(guest=made.person, by=table.people["mo"])])

    ada, bo, first = table.people["ada"], table.people["bo"], child("Kim")
    as_(client, ada)
    assert "As their guardian" in client.get(first).content.decode()
    assert client.post(first, {"privacy": "open"}).status_code == 404
    assert Person.objects.filter(joined_into=ada).count() == 0
    client.post(first)
    assert Person.objects.get(pk=ada.pk).privacy == "hidden"
    as_(client, bo).post(child("Lee"), {"privacy": "members"})
    assert Person.objects.get(pk=bo.pk).privacy == "members"
    assert [row.type for row in log.read(bo.pk)] == ["person_claimed", "person_hidden"]


def test_a_guest_into_whom_a_minor_is_joined_is_hidden(table: Circle, guest: Person) -> None:
    minor = leagues.member_guest_add(
        league=table.league, display_name="Kim", is_minor=True, by=table.owner, at=AT
    ).person
    persons.persons_join(person=guest, other=minor, by=table.owner)
    guest.refresh_from_db()
    assert (guest.is_minor, guest.privacy) == (True, "hidden")


def test_every_way_to_change_who_may_see_somebody_is_an_entry(table: Circle, guest: Person, client: Client) -> None:
    ada = table.people["ada"]
    told = {"display_name": "Ada", "sort_name": "Ada", "privacy": "members"}
    for _twice in range(2):
        assert as_(client, ada).post(reverse("settings"), told).status_code == 302
    assert [(row.type, row.by, row.data) for row in log.read(ada.pk)] == [
        ("person_hidden", ada.pk, b'{"privacy": "members"}')
    ]
    as_(client, table.people["mo"]).post(
        reverse("league-member-privacy", args=["winter", guest.pk]), {"privacy": "hidden"}
    )
    assert [(row.type, row.by) for row in log.read(guest.pk)] == [("person_hidden", table.people["mo"].pk)]


def test_a_page_of_joined_records_asks_as_often_for_many_as_for_one(
    table: Circle, client: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    ada = table.people["ada"]
    for number in range(60):
        persons.persons_join(person=ada, other=person_guest_create(f"G {number:02}"), by=table.owner)
    as_(client, ada)
    with django_assert_max_num_queries(12):  # type: ignore[attr-defined]
        page = client.get(reverse("person-records", args=[ada.pk])).content.decode()
    assert page.count("Split it off again") == 50 and "?page=2" in page
