"""Leagues: what is written, who may, and that the rows are what the log says."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest
from django.core.exceptions import ValidationError

from league import events, services, stream
from league.models import League, Member
from matches import log
from matches.models import Text
from people import circles, rights
from people.models import Grant, Person
from people.services import Forbidden, account_create, grant_give, operator, person_guest_create

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)


def person(handle: str) -> Person:
    return account_create(f"{handle}@example.org", None, handle, f"{handle.title()} Moreau").person


@pytest.fixture
def owner() -> Person:
    made = person("olga")
    grant_give(person=made, role="organizer", scope="site", by=None)
    return made


@pytest.fixture
def league(owner) -> League:
    return services.league_open(name="Winter league", slug="winter", timezone="Asia/Tokyo", by=owner, at=NOW)


def types(league: League) -> list[str]:
    return [row.type for row in log.read(league.pk)]


def test_whoever_opens_a_league_owns_it(league, owner):
    assert types(league) == ["league_opened", "role_granted"]
    assert rights.roles(owner, league.scopes) == {"owner", "organizer"}
    assert log.verify(league.pk) is None


def test_a_league_that_the_operator_opens_has_no_owner_of_its_own_yet():
    league = services.league_open(name="Summer", slug="summer", by=operator(), at=NOW)
    assert types(league) == ["league_opened"] and not Grant.objects.filter(scope=league.scope).exists()
    services.role_give(league=league, person=person("bo"), role="owner", by=operator(), at=NOW)


def test_the_log_holds_no_name_of_the_league_or_of_a_person(league, owner):
    services.member_guest_add(league=league, display_name="Bo Lindqvist", is_minor=False, by=owner, at=NOW)
    said = b"".join(row.data for row in log.read(league.pk))
    assert b"Winter league" not in said and b"Lindqvist" not in said
    assert Text.objects.get(stream=league.pk).text == "Winter league"


def test_only_organizers_and_owners_of_the_site_open_leagues(league):
    for role, scope in (("organizer", league.scope), ("referee", "site"), ("owner", league.scope)):
        other = person(f"{role}-{len(scope)}")
        grant_give(person=other, role=role, scope=scope, by=None)
        with pytest.raises(Forbidden, match="Organizer"):
            services.league_open(name="Mine", slug="mine", by=other, at=NOW)
    assert not League.objects.filter(slug="mine").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "winter"),
        ("slug", "new"),
        ("slug", "Über"),
        ("slug", "a b"),
        ("slug", ""),
        ("name", " "),
        ("timezone", "Mars/Olympus"),
    ],
)
def test_a_league_that_will_not_do_is_refused_and_leaves_nothing(league, owner, field, value):
    with pytest.raises(ValidationError):
        services.league_open(**{"name": "Second", "slug": "second", "by": owner, "at": NOW, field: value})
    assert League.objects.count() == 1
    assert list(log.streams("league")) == [league.pk]


def test_a_member_joins_on_the_leagues_own_day_leaves_and_comes_back(league, owner):
    bo = person("bo")
    member = services.member_add(league=league, person=bo, by=owner, at=NOW)
    assert (member.since, member.until) == (date(2026, 12, 1), None)  # in Tokyo it is tomorrow
    services.member_add(league=league, person=bo, by=owner, at=NOW)
    services.member_remove(league=league, person=bo, by=owner, at=NOW)
    assert Member.objects.get(person=bo).until == date(2026, 12, 1)
    services.member_add(league=league, person=bo, by=owner, at=NOW)
    assert types(league)[2:] == ["member_joined", "member_left", "member_joined"]


def test_a_guest_is_always_a_new_person(league, owner):
    for _twice in range(2):
        services.member_guest_add(league=league, display_name="Bo", is_minor=False, by=owner, at=NOW)
    assert Person.objects.filter(display_name="Bo").count() == 2


def test_a_joined_person_is_entered_as_their_head_and_a_forgotten_one_not_at_all(league, owner):
    head, guest = person("bo"), person_guest_create("B. L.")
    guest.joined_into = head
    guest.save()
    assert services.member_add(league=league, person=guest, by=owner, at=NOW).person == head
    gone = person_guest_create("Gone")
    gone.forgotten_at = NOW
    gone.save()
    with pytest.raises(ValidationError, match="asked to be forgotten"):
        services.member_add(league=league, person=gone, by=owner, at=NOW)


def test_an_organizer_enters_members_but_gives_no_roles(league, owner):
    organizer, bo = person("org"), person("bo")
    services.role_give(league=league, person=organizer, role="organizer", by=owner, at=NOW)
    services.member_add(league=league, person=bo, by=organizer, at=NOW)
    for forbidden in (
        lambda: services.role_give(league=league, person=bo, role="scribe", by=organizer, at=NOW),
        lambda: services.role_take(league=league, person=owner, role="owner", by=organizer, at=NOW),
        lambda: services.league_close(league=league, by=organizer, at=NOW),
        lambda: services.league_change(league=league, name="X", timezone="UTC", appeal_hours=1, by=organizer, at=NOW),
    ):
        with pytest.raises(Forbidden):
            forbidden()


@pytest.mark.parametrize("role", ["", "scribe", "mapmaster", "referee"])
def test_nobody_below_an_organizer_enters_members(league, role):
    other, bo = person("other"), person("bo")
    if role:
        grant_give(person=other, role=role, scope=league.scope, by=None)
    for forbidden in (
        lambda: services.member_add(league=league, person=bo, by=other, at=NOW),
        lambda: services.member_guest_add(league=league, display_name="G", is_minor=False, by=other, at=NOW),
        lambda: services.member_remove(league=league, person=bo, by=other, at=NOW),
        lambda: services.member_privacy(league=league, person=bo, privacy="public", by=other),
    ):
        with pytest.raises(Forbidden):
            forbidden()
    assert not Member.objects.exists() and not Person.objects.filter(display_name="G").exists()


def test_an_owner_of_another_league_is_nobody_here(league, owner):
    other = person("other")
    services.league_open(name="Summer", slug="summer", by=operator(), at=NOW)
    grant_give(person=other, role="owner", scope=League.objects.get(slug="summer").scope, by=None)
    with pytest.raises(Forbidden):
        services.role_give(league=league, person=other, role="owner", by=other, at=NOW)


def test_roles_are_given_once_and_taken(league, owner):
    referee = person("ref")
    for _twice in range(2):
        services.role_give(league=league, person=referee, role="referee", by=owner, at=NOW)
    assert rights.may(referee, "correct", league.scopes)
    services.role_take(league=league, person=referee, role="referee", by=owner, at=NOW)
    assert not rights.may(referee, "correct", league.scopes)
    assert types(league)[2:] == ["role_granted", "role_revoked"]
    row = log.read(league.pk)[2]
    said = {"person": str(referee.pk), "role": "referee", "scope": league.scope}
    assert json.loads(row.data) == said and row.by == owner.pk and row.acting_as == "owner"


def test_a_guest_holds_no_role_and_an_unknown_role_is_none(league, owner):
    with pytest.raises(ValidationError, match="cannot sign in"):
        services.role_give(league=league, person=person_guest_create("Bo"), role="scribe", by=owner, at=NOW)
    with pytest.raises(ValidationError, match="No role king"):
        services.role_give(league=league, person=person("bo"), role="king", by=owner, at=NOW)


def test_the_last_owner_stays_until_there_is_another(league, owner):
    with pytest.raises(ValidationError, match="at least one owner"):
        services.role_take(league=league, person=owner, role="owner", by=owner, at=NOW)
    services.role_give(league=league, person=person("bo"), role="owner", by=owner, at=NOW)
    services.role_take(league=league, person=owner, role="owner", by=owner, at=NOW)
    assert not rights.may(owner, "administer", league.scopes)


def test_a_closed_league_takes_nobody_and_can_be_reopened(league, owner):
    bo = person("bo")
    services.league_close(league=league, by=owner, at=NOW)
    for refused in (
        lambda: services.member_add(league=league, person=bo, by=owner, at=NOW),
        lambda: services.role_give(league=league, person=bo, role="scribe", by=owner, at=NOW),
        lambda: services.league_close(league=league, by=owner, at=NOW),
    ):
        with pytest.raises(ValidationError, match="is closed"):
            refused()
    services.league_reopen(league=league, by=owner, at=NOW)
    services.member_add(league=league, person=bo, by=owner, at=NOW)
    with pytest.raises(ValidationError, match="is open"):
        services.league_reopen(league=league, by=owner, at=NOW)


def test_settings_are_written_only_where_they_differ(league, owner):
    same = {"name": "Winter league", "timezone": "Asia/Tokyo", "appeal_hours": 72}
    services.league_change(league=league, **same, by=owner, at=NOW)
    services.league_change(league=league, **same | {"appeal_hours": 24}, by=owner, at=NOW)
    assert json.loads(log.read(league.pk)[2].data) == {"appeal_hours": 24} and len(types(league)) == 3
    league.refresh_from_db()
    assert (league.appeal_hours, league.name) == (24, "Winter league")


def test_an_organizer_decides_who_may_see_guests_and_minors_but_nobody_with_an_account(league, owner):
    minor = services.member_guest_add(league=league, display_name="Kim", is_minor=True, by=owner, at=NOW).person
    assert services.member_privacy(league=league, person=minor, privacy="members", by=owner).privacy == "members"
    bo = services.member_add(league=league, person=person("bo"), by=owner, at=NOW).person
    with pytest.raises(ValidationError, match="decides alone"):
        services.member_privacy(league=league, person=bo, privacy="hidden", by=owner)
    with pytest.raises(ValidationError, match="is no member"):
        services.member_privacy(league=league, person=person_guest_create("X"), privacy="hidden", by=owner)


def test_the_rows_of_a_league_are_what_its_stream_says(league, owner):
    bo, cy = person("bo"), person("cy")
    for one in (bo, cy):
        services.member_add(league=league, person=one, by=owner, at=NOW)
    services.member_remove(league=league, person=cy, by=owner, at=NOW)
    services.role_give(league=league, person=bo, role="referee", by=owner, at=NOW)
    services.role_give(league=league, person=cy, role="scribe", by=owner, at=NOW)
    services.role_take(league=league, person=cy, role="scribe", by=owner, at=NOW)
    services.league_change(league=league, name="Frost", timezone="UTC", appeal_hours=9, by=owner, at=NOW)
    services.league_close(league=league, by=owner, at=NOW)

    def rows():
        return (
            League.objects.values().get(pk=league.pk),
            list(Member.objects.order_by("person").values("league", "person", "since", "until")),
            set(Grant.objects.filter(scope=league.scope).values_list("person", "role", "given_by")),
        )

    kept = rows()
    # Something that no entry says: a rebuild takes it away again.
    Grant.objects.create(person=cy, role="owner", scope=league.scope)
    League.objects.filter(pk=league.pk).update(name="Forged", is_open=True)
    Member.objects.filter(person=cy).update(until=None)
    stream.rebuild(league)
    assert rows() == kept


def test_a_writer_who_comes_late_loses_nothing_of_the_others(league, owner):
    stale = League.objects.get(pk=league.pk)
    services.member_add(league=league, person=person("bo"), by=owner, at=NOW)
    services.member_add(league=stale, person=person("cy"), by=owner, at=NOW)
    assert Member.objects.filter(league=league).count() == 2 and log.verify(league.pk) is None


def test_files_find_a_league_by_its_short_name_or_id(league, owner):
    found = circles.find("winter")
    assert found == circles.find(str(league.pk)) and found.scope == league.scope and found.appeal_hours == 72
    assert circles.find("summer") is None and circles.find("") is None
    bo = services.member_add(league=league, person=person("bo"), by=owner, at=NOW).person
    assert list(circles.members(league.scope)) == [bo]
    assert circles.circles([str(league.pk), "nothing"]) == {league.pk: found}


def test_every_event_of_a_league_says_what_it_is():
    for name, payload in events.PAYLOADS.items():
        assert payload.__doc__ and payload.__doc__ != events.Payload.__doc__, name
    assert {"league_opened", "season_closed", "lesson_completed", "honor_bestowed"} < events.PAYLOADS.keys()
