"""Who may do which step of the procedure, by role; that a vote names nobody anywhere; what the pages ask of the database."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from career.honors import figures, services
from career.models import Ballot, Honor, Nomination
from league import services as leagues
from matches import log
from people.models import Grant, Person
from people.services import Forbidden, account_create, grant_give
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.honors.test_procedure import CITATION, REASON, bestowed, hours, nominated
from tests.career.test_follow import caught_up

ROLES = ("stranger", "member", "nominee", "nominator", "scribe", "referee", "organizer", "related", "owner", "siteorg")
DECIDING = {"organizer", "owner"}


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("member", "nominee", "nominator", "scribe", "referee", "organizer", "related", "owner", "mo", "ola")
    people, told = made.people, {"league": made.league, "by": made.owner, "at": AT}
    for role in ("scribe", "referee", "organizer", "owner"):
        leagues.role_give(person=people[role], role=role, **told)  # type: ignore[arg-type]
    for name in ("related", "mo", "ola"):
        leagues.role_give(person=people[name], role="organizer", **told)  # type: ignore[arg-type]
    for name in ("stranger", "siteorg"):
        people[name] = account_create(f"{name}@example.org", None, name, name.title()).person
    grant_give(person=people["siteorg"], role=Grant.Role.ORGANIZER, scope="site", by=made.owner)
    services.relation_declare(league=made.league, person=people["nominee"], by=people["related"], at=AT)
    people.update(ada=people["nominee"], bo=people["nominator"], cy=people["member"])
    return made


def does(step: Callable[[Person], object], who: Person) -> bool:
    """Return whether somebody may do a step; one that is refused for another reason is allowed."""
    try:
        step(who)
    except Forbidden:
        return False
    except ValidationError as refused:
        return "themselves" not in str(refused)
    return True


@pytest.mark.parametrize("role", ROLES)
def test_each_step_is_for_those_whom_the_table_names(table: Circle, role: str) -> None:
    hours(table, "ada")
    who, league, nominee = table.people[role], table.league, table.people["nominee"]
    members = set(ROLES) - {"stranger", "siteorg", "nominee"}

    def nominate(by: Person) -> None:
        one = services.nominate(league=league, honor_id="HON-09", nominee=nominee, reason=REASON, by=by, at=AT)
        services.refuse(nomination=one, reason="", by=by, at=AT)

    assert does(nominate, who) == (role in members), "nominate"
    one = nominated(table)
    assert does(lambda by: services.second(nomination=one, by=by, at=AT), who) == (role in members - {"nominator"}), (
        "second"
    )
    if role not in members - {"nominator"}:
        services.second(nomination=one, by=table.people["member"], at=AT)
    assert does(lambda by: services.approve(nomination=one, citation="", by=by, at=AT), who) == (role in DECIDING), (
        "decide"
    )
    for by in ("mo", "ola"):
        if not Honor.objects.exists():
            services.approve(nomination=one, citation=CITATION, by=table.people[by], at=AT)
    held = Honor.objects.get()
    propose = {"held": held, "reason": "It was not so at all.", "at": AT}
    assert does(lambda by: services.review_propose(by=by, **propose), who) == (role in DECIDING), "propose"  # type: ignore[arg-type]
    assert does(lambda by: services.decline(held=held, by=by, at=AT), who) == (role == "nominee"), "decline"


@pytest.mark.parametrize("role", ROLES)
def test_a_review_is_decided_by_organizers_and_only_the_person_is_heard(
    table: Circle, role: str, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    held = bestowed(table)
    monkeypatch.setitem(figures.FIGURES, "HON-09", lambda *_: [figures.Figure("hours", 29, 30)])
    review = services.review_propose(held=held, reason="A service was struck.", by=table.people["mo"], at=AT)
    who, later = table.people[role], AT + timedelta(days=14)
    client.force_login(who.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    sees = client.get(reverse("honor-review", args=[review.pk])).status_code == 200
    assert sees == (role in DECIDING | {"nominee", "related"})
    assert does(lambda by: services.review_hear(review=review, text="It was so.", by=by, at=AT), who) == (
        role == "nominee"
    )
    assert does(lambda by: services.review_vote(review=review, revoke=True, by=by, at=later), who) == (role in DECIDING)
    with pytest.raises(Forbidden):
        services.review_vote(review=review, revoke=True, by=table.people["mo"], at=later)


# A vote names nobody


@pytest.fixture
def voting(table: Circle, monkeypatch: pytest.MonkeyPatch) -> Nomination:
    monkeypatch.setitem(figures.FIGURES, "HON-02", lambda *_: [figures.Figure("matches", 10, 10)])
    monkeypatch.setattr(figures, "captaincies", lambda *_: [(uuid4(), table.people["nominator"].pk)])
    for number, other in enumerate(("nominator", "member", "scribe"), 1):
        table.play(number, "nominee", other, on=date(2026, 5, number))
    caught_up()
    return nominated(table, honor="HON-02")


def everything() -> str:
    """Return all rows of the database as text, those of the log's matches left out, and those of sessions."""
    told = []
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            if name in (
                "django_session",
                "career_seatdigest",
                "matches_seat",
                "matches_matchofficial",
                "career_digest",
            ):
                continue
            cursor.execute(f'select to_jsonb(one) from "{name}" one')
            told += [f"{name} {json.dumps(row[0], default=str)}" for row in cursor.fetchall()]
    return "\n".join(told)


def test_nothing_in_the_database_tells_after_the_close_who_voted_or_what(
    table: Circle, voting: Nomination, client: Client
) -> None:
    before = everything().splitlines()
    for who, said in (("nominator", "yes"), ("member", "no")):
        client.force_login(table.people[who].account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
        Nomination.objects.update(until=AT + timedelta(days=4000))
        assert client.post(reverse("nomination", args=[voting.pk]), {"step": said}).status_code == 302
        client.logout()
    Nomination.objects.update(until=AT + timedelta(days=14))
    services.tick(at=AT + timedelta(days=14))
    fresh = "\n".join(line for line in everything().splitlines() if line not in before and "account" not in line[:20])
    assert "honor_vote_cast" in fresh
    for who in ("nominator", "member", "scribe"):
        person = table.people[who]
        lines = [line for line in fresh.splitlines() if str(person.pk) in line or f'"{person.handle}"' in line]
        assert not [line for line in lines if "vote" in line and "notice" not in line], lines
    # Who voted and who did not are told the same: nothing new is about the one but not about the other.
    rows = [row for row in log.read(table.league.pk) if row.type == "honor_vote_cast"]
    assert [(row.by, row.acting_as, row.seat) for row in rows] == [(None, None, None)] * 2
    assert {field.name for field in Ballot._meta.get_fields()} == {"id", "nomination", "voter", "yes"}
    voters = set(Ballot.objects.values_list("voter", flat=True))
    assert len(voters) == 2 and all(len(one) == 32 for one in voters)


def test_whoever_votes_twice_at_once_has_one_vote(table: Circle, voting: Nomination) -> None:
    outcomes: list[str] = []

    def cast(yes: bool) -> None:
        try:
            services.vote(nomination=Nomination.objects.get(), yes=yes, by=table.people["member"], at=AT)
            outcomes.append("cast")
        except ValidationError:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=cast, args=(yes,)) for yes in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["cast", "refused"]
    assert Ballot.objects.count() == 1


def test_a_general_is_no_peer_of_their_king_by_the_matches_they_played_as_one_kingdom(
    table: Circle, voting: Nomination
) -> None:
    from career.models import SeatDigest

    king, general = table.people["nominee"], table.people["owner"]
    common = {
        "match_id": uuid4(),
        "game": "kingsquare",
        "confirmed": True,
        "present": True,
        "on": date(2026, 5, 1),
        "ended_at": AT,
    }
    SeatDigest.objects.create(person_id=king.pk, role="player", seat="A", **common)
    SeatDigest.objects.create(person_id=general.pk, role="general", seat="A", **common)
    SeatDigest.objects.create(person_id=table.people["referee"].pk, role="general", seat="B", **common)
    peers = figures.peers(king, AT)
    assert general.pk not in peers and table.people["referee"].pk in peers
    with pytest.raises(Forbidden):
        services.vote(nomination=voting, yes=True, by=general, at=AT)


# Pages and the command


def test_the_page_of_a_league_says_what_waits_for_the_reader(table: Circle, voting: Nomination, client: Client) -> None:
    hours(table, "ada")
    nominated(table)
    Nomination.objects.update(until=AT + timedelta(days=4000))
    url = reverse("league-honors", args=["winter"])

    def page(who: str) -> str:
        client.force_login(table.people[who].account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
        return client.get(url).content.decode()

    assert "You may second it" in page("member")
    assert "You may second it" not in page("nominator")
    assert "You may vote" not in page("nominee")
    services.second(nomination=Nomination.objects.get(honor="HON-09"), by=table.people["member"], at=AT)
    assert "It waits for your decision" in page("organizer")
    for who in ("related", "nominee", "member"):
        assert "It waits for your decision" not in page(who)
    client.logout()
    assert "Open nominations" not in client.get(url).content.decode()


def test_a_hidden_person_is_in_no_list_of_honors_and_in_no_title(table: Circle, client: Client) -> None:
    bestowed(table)
    Person.objects.filter(pk=table.people["ada"].pk).update(privacy=Person.Privacy.HIDDEN)
    client.force_login(table.people["member"].account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    for url in (reverse("league-honors", args=["winter"]), reverse("honor", args=["HON-09"])):
        assert CITATION not in client.get(url).content.decode()
    page = client.get(reverse("nomination", args=[Nomination.objects.get().pk])).content.decode()
    assert "Nominee" not in page and "N." not in page[page.index("<title>") : page.index("</title>")]


def test_the_queries_of_the_lists_do_not_grow_with_the_honors(table: Circle, client: Client) -> None:
    client.force_login(table.people["organizer"].account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    urls = [reverse("league-honors", args=["winter"]), reverse("honor", args=["HON-09"]), reverse("honor-list")]

    def more(start: int, names: tuple[str, ...]) -> None:
        for number, name in enumerate(names, start):
            person = table.people[name].pk
            Honor.objects.create(
                league_id=table.league.pk, honor="HON-09", person_id=person, step=1, on=AT.date(), seq=number
            )
            Nomination.objects.create(
                pk=uuid4(), league_id=table.league.pk, honor="HON-01", person_id=person, status="deciding", seq=number, opened_at=AT
            )  # fmt: skip

    def queries() -> list[int]:
        counts = []
        for url in urls:
            client.get(url)
            with CaptureQueriesContext(
                connection,
            ) as asked:
                assert client.get(url).status_code == 200
            counts.append(len(asked))
        return counts

    more(0, ("member",))
    few = queries()
    more(1, ("scribe", "referee", "owner", "mo", "ola"))
    assert queries() == few


def test_deriving_everything_anew_reads_the_honors_from_the_log(table: Circle) -> None:
    held = bestowed(table)
    Honor.objects.all().delete()
    Nomination.objects.all().delete()
    call_command("derive", "--rebuild")
    assert Honor.objects.get().seq == held.seq
    assert Nomination.objects.get().status == "bestowed"
