"""The procedure of the honors: who may do which step when, what time does, and that a vote stays secret."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.module_loading import import_string

from career.honors import figures, selectors, services
from career.honors.catalogue import HONORS
from career.models import Ballot, Honor, Nomination, Relation, Review
from league import chronicle, records, votes
from league import services as leagues
from league.models import League, VoteKey
from matches import log
from matches import services as matches
from matches.persons import persons_join
from people.models import Notice, Person
from people.services import Forbidden, account_create
from tests.career.conftest import AT, Circle, circle  # noqa: F401
from tests.career.test_follow import caught_up

REASON = "She has driven half the club to every evening for two whole years."
CITATION = "For every evening that she made possible."


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("ada", "bo", "cy", "mo", "ola", "pia")
    for handle in ("mo", "ola", "pia"):
        leagues.role_give(league=made.league, person=made.people[handle], role="organizer", by=made.owner, at=AT)
    return made


def hours(table: Circle, who: str, minutes: int = 1200, times: int = 2) -> None:
    for number in range(times):
        records.service_record(
            league=table.league, person=table.people[who], kind="transport", minutes=minutes, day=date(2026, 4, 1 + number),
            by=table.people["mo"], at=AT,
        )  # fmt: skip
    caught_up()


def nominated(table: Circle, honor: str = "HON-09", nominee: str = "ada", by: str = "bo") -> Nomination:
    return services.nominate(
        league=table.league, honor_id=honor, nominee=table.people[nominee], reason=REASON, by=table.people[by], at=AT
    )


def bestowed(table: Circle) -> Honor:
    hours(table, "ada")
    one = services.second(nomination=nominated(table), by=table.people["cy"], at=AT)
    services.approve(nomination=one, citation="", by=table.people["mo"], at=AT)
    services.approve(nomination=one, citation=CITATION, by=table.people["ola"], at=AT)
    return Honor.objects.get()


def types(league: League) -> list[str]:
    return [row.type for row in log.read(league.pk) if row.type.startswith(("honor", "relation"))]


def test_an_honor_is_nominated_seconded_decided_by_two_and_bestowed_with_a_citation(table: Circle) -> None:
    held = bestowed(table)
    assert types(table.league) == [
        "honor_nominated",
        "honor_seconded",
        "honor_approved",
        "honor_approved",
        "honor_bestowed",
    ]
    assert (held.honor, held.person_id, held.step, held.status) == ("HON-09", table.people["ada"].pk, 1, "held")
    assert held.by == [str(table.people["mo"].pk), str(table.people["ola"].pk)]
    (shown,) = selectors.honors_of(table.people["ada"], None)
    assert (shown.citation, shown.name, shown.step) == (CITATION, "Hearth of the League", "I")
    assert CITATION.encode() not in b"".join(row.data for row in log.read(table.league.pk))
    told = set(Notice.objects.values_list("person__handle", "what"))
    steps = {("bo", "seconding"), ("mo", "decide"), ("ola", "decide"), ("ada", "bestowed")}
    assert {(who, f"{what} HON-09") for who, what in steps} <= told


def test_rod_42_who_is_not_eligible_is_refused_with_the_missing_figure(table: Circle) -> None:
    hours(table, "ada", 60)
    with pytest.raises(ValidationError, match="hours of service: 2 of 30"):
        nominated(table)
    assert not Nomination.objects.exists()


def test_rod_42_eligibility_is_computed_again_when_it_is_bestowed(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    hours(table, "ada")
    one = services.second(nomination=nominated(table), by=table.people["cy"], at=AT)
    services.approve(nomination=one, citation="", by=table.people["mo"], at=AT)
    monkeypatch.setitem(figures.FIGURES, "HON-09", lambda *_: [figures.Figure("hours of service", 29, 30)])
    with pytest.raises(ValidationError, match="29 of 30"):
        services.approve(nomination=one, citation=CITATION, by=table.people["ola"], at=AT)
    assert not Honor.objects.exists()


def test_rod_40_nobody_nominates_or_seconds_themselves_and_a_reason_has_forty_characters(table: Circle) -> None:
    hours(table, "ada")
    with pytest.raises(ValidationError, match="themselves"):
        nominated(table, by="ada")
    with pytest.raises(ValidationError, match="40 characters"):
        services.nominate(
            league=table.league,
            honor_id="HON-09",
            nominee=table.people["ada"],
            reason="x" * 39,
            by=table.people["bo"],
            at=AT,
        )
    one = nominated(table)
    with pytest.raises(ValidationError, match="open"):
        nominated(table, by="cy")
    for who in ("ada", "bo"):
        with pytest.raises(Forbidden):
            services.second(nomination=one, by=table.people[who], at=AT)
    stranger = account_create("zed@example.org", None, "zed", "Zed").person
    with pytest.raises(Forbidden):
        services.second(nomination=one, by=stranger, at=AT)


def test_rod_41_a_nomination_that_nobody_seconds_within_thirty_days_lapses(table: Circle) -> None:
    hours(table, "ada")
    one = nominated(table)
    assert services.tick(at=AT + timedelta(days=30) - timedelta(seconds=1)) == 0
    with pytest.raises(ValidationError):
        services.second(nomination=one, by=table.people["cy"], at=AT + timedelta(days=30))
    assert services.tick(at=AT + timedelta(days=30)) == 1
    assert services.tick(at=AT + timedelta(days=30)) == 0
    one.refresh_from_db()
    assert (one.status, one.why) == ("lapsed", "not_seconded")


@pytest.mark.parametrize("honor", [one.id for one in HONORS])
def test_nobody_without_a_part_in_it_may_nominate(table: Circle, honor: str) -> None:
    stranger = account_create("zed@example.org", None, "zed", "Zed").person
    kind = next(one for one in HONORS if one.id == honor)
    assert not services.may_nominate(kind, table.league, table.people["ada"], stranger)
    assert not services.may_nominate(kind, table.league, table.people["ada"], table.people["ada"])
    member = services.may_nominate(kind, table.league, table.people["ada"], table.people["bo"])
    assert member == (honor in ("HON-01", "HON-09"))


def test_who_was_on_the_staff_of_the_events_does_not_nominate_their_organizer(table: Circle) -> None:
    match = table.play(1, "ada", "bo")
    records.event_organize(
        league=table.league, organizer=table.people["ada"], title="Fair", day=date(2026, 5, 1), match_ids=[match.pk],
        staff=[table.people["bo"]], by=table.people["mo"], at=AT,
    )  # fmt: skip
    caught_up()
    kind = next(one for one in HONORS if one.id == "HON-01")
    assert not services.may_nominate(kind, table.league, table.people["ada"], table.people["bo"])
    assert services.may_nominate(kind, table.league, table.people["ada"], table.people["cy"])


# Deciding


def test_rod_45_the_nominee_relatives_members_and_the_same_organizer_twice_do_not_decide(table: Circle) -> None:
    hours(table, "ada")
    leagues.role_give(league=table.league, person=table.people["ada"], role="organizer", by=table.owner, at=AT)
    one = services.second(nomination=nominated(table), by=table.people["cy"], at=AT)
    services.relation_declare(league=table.league, person=table.people["ada"], by=table.people["pia"], at=AT)
    for who in ("ada", "pia", "bo"):
        with pytest.raises(Forbidden):
            services.approve(nomination=one, citation=CITATION, by=table.people[who], at=AT)
    services.approve(nomination=one, citation=CITATION, by=table.people["mo"], at=AT)
    with pytest.raises(ValidationError, match="have decided"):
        services.approve(nomination=one, citation=CITATION, by=table.people["mo"], at=AT)
    with pytest.raises(ValidationError, match="citation"):
        services.approve(nomination=one, citation="short", by=table.people["ola"], at=AT)
    assert not Honor.objects.exists()
    services.relation_declare(
        league=table.league, person=table.people["ada"], by=table.people["pia"], at=AT, ended=True
    )
    assert not Relation.objects.exists()
    services.approve(nomination=one, citation=CITATION, by=table.people["pia"], at=AT)
    assert Honor.objects.count() == 1


def test_an_organizer_does_not_decide_on_a_record_that_turned_out_to_be_their_own(table: Circle) -> None:
    guest = leagues.member_guest_add(
        league=table.league, display_name="Pia P.", is_minor=False, by=table.owner, at=AT
    ).person
    table.people["guest"] = guest
    hours(table, "guest")
    one = services.second(nomination=nominated(table, nominee="guest"), by=table.people["cy"], at=AT)
    assert services.may_decide(table.people["pia"], table.league, guest.pk)
    persons_join(person=table.people["pia"], other=guest, by=table.owner, at=AT)
    with pytest.raises(Forbidden):
        services.approve(nomination=one, citation=CITATION, by=table.people["pia"], at=AT)
    services.approve(nomination=one, citation="", by=table.people["mo"], at=AT)
    services.approve(nomination=one, citation=CITATION, by=table.people["ola"], at=AT)
    (shown,) = selectors.honors_of(table.people["pia"], None)
    assert shown.citation == CITATION
    assert [held.person_id for held in selectors.holders(None, honor="HON-09")] == [table.people["pia"].pk]


def test_the_decision_of_who_is_no_organizer_any_more_does_not_count(table: Circle) -> None:
    hours(table, "ada")
    one = services.second(nomination=nominated(table), by=table.people["cy"], at=AT)
    services.approve(nomination=one, citation="", by=table.people["mo"], at=AT)
    leagues.role_take(league=table.league, person=table.people["mo"], role="organizer", by=table.owner, at=AT)
    services.approve(nomination=one, citation="", by=table.people["ola"], at=AT)
    assert not Honor.objects.exists()
    services.approve(nomination=one, citation=CITATION, by=table.people["pia"], at=AT)
    assert Honor.objects.get().by == [str(table.people[who].pk) for who in ("ola", "pia")]


def test_two_organizers_at_once_bestow_an_honor_once(table: Circle) -> None:
    hours(table, "ada")
    one = services.second(nomination=nominated(table), by=table.people["cy"], at=AT)
    services.approve(nomination=one, citation="", by=table.people["mo"], at=AT)
    outcomes: list[str] = []

    def decide(who: str) -> None:
        try:
            services.approve(nomination=Nomination.objects.get(), citation=CITATION, by=table.people[who], at=AT)
            outcomes.append("bestowed")
        except ValidationError:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=decide, args=(who,)) for who in ("ola", "pia")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["bestowed", "refused"]
    assert Honor.objects.count() == 1


def test_rod_46_a_refused_honor_is_not_shown(table: Circle) -> None:
    held = bestowed(table)
    with pytest.raises(Forbidden):
        services.decline(held=held, by=table.people["bo"], at=AT)
    services.decline(held=held, by=table.people["ada"], at=AT)
    assert selectors.honors_of(table.people["ada"], table.people["ada"]) == []
    assert list(selectors.holders(None, honor="HON-09")) == []
    with pytest.raises(ValidationError):
        services.decline(held=held, by=table.people["ada"], at=AT)


def test_rod_47_the_next_step_waits_for_two_seasons(table: Circle) -> None:
    bestowed(table)
    with pytest.raises(ValidationError, match="waits for 2 seasons"):
        nominated(table)
    for number in (1, 2):
        at = AT + timedelta(days=40 * number)
        season = records.season_open(
            league=table.league, key=f"s{number}", title=f"S{number}", first_day=(at - timedelta(days=20)).date(),
            by=table.people["mo"], at=at,
        )  # fmt: skip
        records.season_close(season=season, last_day=at.date(), by=table.people["mo"], at=at)
    later = AT + timedelta(days=100)

    def again() -> Nomination:
        return services.nominate(
            league=table.league, honor_id="HON-09", nominee=table.people["ada"], reason=REASON, by=table.people["bo"], at=later
        )  # fmt: skip

    # What was bestowed once is not counted twice: the eligibility is met anew.
    with pytest.raises(ValidationError, match="hours of service: 0 of 30"):
        again()
    for minutes in (1200, 600):
        records.service_record(
            league=table.league, person=table.people["ada"], kind="transport", minutes=minutes, day=later.date(),
            by=table.people["mo"], at=later,
        )  # fmt: skip
    caught_up()
    one = again()
    services.second(nomination=one, by=table.people["cy"], at=later)
    services.approve(nomination=one, citation="", by=table.people["mo"], at=later)
    services.approve(nomination=one, citation=CITATION, by=table.people["ola"], at=later)
    assert sorted(Honor.objects.values_list("step", flat=True)) == [1, 2]
    assert [one.step for one in selectors.honors_of(table.people["ada"], None)] == ["II", "I"]


# The peers' vote


@pytest.mark.parametrize(
    ("yes", "no", "carried"), [(6, 3, True), (5, 4, False), (6, 0, False), (7, 0, True), (5, 2, True), (4, 3, False)]
)
def test_rod_43_seven_votes_and_two_thirds_carry(yes: int, no: int, carried: bool) -> None:
    assert services.is_carried(yes, no) is carried


@pytest.fixture
def voting(table: Circle, monkeypatch: pytest.MonkeyPatch) -> Nomination:
    """A nomination for Captain of the Host on which the peers of ada vote."""
    monkeypatch.setitem(figures.FIGURES, "HON-02", lambda *_: [figures.Figure("matches", 10, 10)])
    monkeypatch.setattr(figures, "captaincies", lambda *_: [(None, table.people["bo"].pk)])
    for number, other in enumerate(("bo", "cy", "mo"), 1):
        table.play(number, "ada", other, on=date(2026, 5, number))
    caught_up()
    return nominated(table, honor="HON-02", by="bo")


def test_rod_43_only_peers_vote_once_within_fourteen_days_and_the_entry_names_nobody(
    table: Circle, voting: Nomination
) -> None:
    services.vote(nomination=voting, yes=True, by=table.people["bo"], at=AT)
    services.vote(nomination=voting, yes=False, by=table.people["cy"], at=AT)
    rows = [row for row in log.read(table.league.pk) if row.type == "honor_vote_cast"]
    assert [(row.by, row.acting_as) for row in rows] == [(None, None)] * 2
    assert str(table.people["bo"].pk).encode() not in rows[0].data
    assert services.has_voted(voting, table.people["bo"]) and not services.has_voted(voting, table.people["mo"])
    with pytest.raises(ValidationError, match="have voted"):
        services.vote(nomination=voting, yes=True, by=table.people["bo"], at=AT)
    for who in ("ada", "ola"):
        with pytest.raises(Forbidden):
            services.vote(nomination=voting, yes=True, by=table.people[who], at=AT)
    with pytest.raises(ValidationError, match="No vote is open"):
        services.vote(nomination=voting, yes=True, by=table.people["mo"], at=AT + timedelta(days=14))


def test_a_vote_that_is_not_carried_ends_the_nomination_and_its_key_is_gone(table: Circle, voting: Nomination) -> None:
    services.vote(nomination=voting, yes=True, by=table.people["bo"], at=AT)
    services.tick(at=AT + timedelta(days=14))
    voting.refresh_from_db()
    assert (voting.status, voting.why, voting.yes, voting.no) == ("lapsed", "not_carried", 1, 0)
    with pytest.raises(VoteKey.DoesNotExist):
        votes.code(voting.purpose, table.people["bo"])


def test_a_vote_that_is_carried_waits_for_an_organizer_with_the_citation(table: Circle, voting: Nomination) -> None:
    for number in range(6):
        Ballot.objects.create(nomination=voting, voter=f"v{number}", yes=True)
    VoteKey.objects.create(purpose=voting.purpose, key=b"k" * 32)
    services.vote(nomination=voting, yes=True, by=table.people["bo"], at=AT)
    services.tick(at=AT + timedelta(days=14))
    voting.refresh_from_db()
    assert (voting.status, voting.yes) == ("deciding", 7)
    later = AT + timedelta(days=15)
    with pytest.raises(ValidationError, match="peers have decided"):
        services.refuse(nomination=voting, reason="I do not think so.", by=table.people["mo"], at=later)
    services.approve(nomination=voting, citation=CITATION, by=table.people["mo"], at=later)
    assert Honor.objects.get().honor == "HON-02"


def test_the_page_tells_how_many_voted_while_it_is_open_and_how_they_voted_only_after(
    table: Circle, voting: Nomination, client: Client
) -> None:
    services.vote(nomination=voting, yes=True, by=table.people["bo"], at=AT)
    Nomination.objects.update(until=AT + timedelta(days=4000))
    client.force_login(table.people["mo"].account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    page = client.get(reverse("nomination", args=[voting.pk])).content.decode()
    assert "1 vote cast" in page and "for it, " not in page
    assert "You have voted" not in page
    other = client.get(reverse("league-log", args=["winter"])).content.decode()
    assert "A peer voted on a nomination" in other


# By figures, and what puts an honor in review


def test_who_is_eligible_for_an_automatic_honor_is_nominated_by_the_clock_once(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = {table.people["ada"].pk}
    monkeypatch.setitem(
        figures.FIGURES, "HON-04", lambda person, *_: [figures.Figure("matches", 20 if person.pk in good else 0, 20)]
    )
    assert services.tick(at=AT) == 1
    assert services.tick(at=AT + timedelta(days=1)) == 0
    one = Nomination.objects.get()
    assert (one.honor, one.person_id, one.nominator_id, one.status) == (
        "HON-04",
        table.people["ada"].pk,
        None,
        "deciding",
    )
    services.approve(nomination=one, citation=CITATION, by=table.people["mo"], at=AT)
    assert Honor.objects.get().honor == "HON-04"
    # The second step comes by itself too, two seasons later.
    for number in (1, 2):
        at = AT + timedelta(days=40 * number)
        season = records.season_open(
            league=table.league, key=f"s{number}", title=f"S{number}", first_day=(at - timedelta(days=20)).date(),
            by=table.people["mo"], at=at,
        )  # fmt: skip
        assert services.tick(at=at) == 0
        records.season_close(season=season, last_day=at.date(), by=table.people["mo"], at=at)
    assert services.tick(at=AT + timedelta(days=81)) == 1
    assert services.tick(at=AT + timedelta(days=82)) == 0


def test_a_person_whose_figures_fail_stops_nobody_else(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(person: Person, *_: object) -> list[figures.Figure]:
        if person.pk == table.people["ada"].pk:
            raise RuntimeError("an engine that cannot read a match")
        return [figures.Figure("matches", 20, 20)]

    monkeypatch.setitem(figures.FIGURES, "HON-04", broken)
    assert services.tick(at=AT) == len(table.people) - 1
    assert not Nomination.objects.filter(person_id=table.people["ada"].pk).exists()


def test_an_honor_that_was_refused_is_not_nominated_by_its_figures_for_ninety_days(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = table.people["ada"].pk
    monkeypatch.setitem(
        figures.FIGURES, "HON-04", lambda person, *_: [figures.Figure("matches", 20 if person.pk == good else 0, 20)]
    )
    assert services.tick(at=AT) == 1
    services.refuse(nomination=Nomination.objects.get(), reason="Not this year.", by=table.people["mo"], at=AT)
    assert services.tick(at=AT + timedelta(days=89)) == 0
    assert services.tick(at=AT + timedelta(days=91)) == 1


def clean(table: Circle, monkeypatch: pytest.MonkeyPatch) -> Honor:
    monkeypatch.setitem(figures.FIGURES, "HON-04", lambda *_: [figures.Figure("matches", 20, 20)])
    services.nominate(league=table.league, honor_id="HON-04", nominee=table.people["ada"], reason="", by=None, at=AT)
    services.approve(nomination=Nomination.objects.get(), citation=CITATION, by=table.people["mo"], at=AT)
    return Honor.objects.get()


def test_rod_48_a_severe_penalty_puts_an_integrity_honor_in_review_and_it_stays_until_decided(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = clean(table, monkeypatch)
    match = table.play(1, "ada", "bo", on=date(2026, 6, 1))
    matches.penalty_give(
        match=match, seat="A", kind="turn_loss", reason="Threw the dice.", by=table.owner, expected_seq=match.seq
    )
    caught_up()
    assert services._is_new_day(AT)  # the figures of all members were computed today
    assert services.tick(at=AT) == 1
    assert ("ada", "hearing HON-04") in set(Notice.objects.values_list("person__handle", "what"))
    assert services.tick(at=AT) == 0
    review = Review.objects.get()
    assert (review.why, review.match_id, review.is_open) == ("penalty", match.pk, True)
    assert Honor.objects.get().status == "held"
    assert selectors.honors_of(table.people["ada"], None)[0].is_in_review
    with pytest.raises(ValidationError, match="may still be heard"):
        services.review_vote(review=review, revoke=True, by=table.people["mo"], at=AT)
    with pytest.raises(Forbidden):
        services.review_hear(review=review, text="I am sorry.", by=table.people["bo"], at=AT)
    services.review_hear(review=review, text="I am sorry.", by=table.people["ada"], at=AT)
    services.review_vote(review=review, revoke=True, by=table.people["mo"], at=AT)
    assert Honor.objects.get().status == "held"
    services.review_vote(review=review, revoke=True, by=table.people["ola"], at=AT)
    held.refresh_from_db()
    assert held.status == "revoked"
    assert ("ada", "revoked HON-04") in set(Notice.objects.values_list("person__handle", "what"))
    assert selectors.honors_of(table.people["ada"], None) == []
    assert len(selectors.honors_of(table.people["ada"], table.people["ada"])) == 1
    assert len(selectors.honors_of(table.people["ada"], table.people["mo"])) == 1
    back = services.review_propose(held=held, reason="The penalty was voided.", by=table.people["mo"], at=AT)
    with pytest.raises(Forbidden):
        services.review_vote(review=back, revoke=True, by=table.people["mo"], at=AT)
    for who in ("ola", "pia"):
        services.review_vote(review=back, revoke=True, by=table.people[who], at=AT)
    held.refresh_from_db()
    assert held.status == "held"


def test_a_penalty_recorded_later_counts_whenever_its_match_was_played_and_one_from_before_does_not(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = table.play(1, "ada", "bo", on=date(2026, 5, 1))
    second = table.play(2, "ada", "cy", on=date(2026, 5, 2))
    matches.penalty_give(match=first, seat="A", kind="turn_loss", reason="Before.", by=table.owner, at=AT)
    held = clean(table, monkeypatch)
    caught_up()
    assert services.tick(at=AT) >= 0
    assert not Review.objects.exists()
    matches.penalty_give(match=second, seat="B", kind="turn_loss", reason="The other one.", by=table.owner)
    assert services.tick(at=AT + timedelta(days=1)) == services.tick(at=AT) == 0
    second.refresh_from_db()
    matches.penalty_give(match=second, seat="A", kind="disqualification", reason="Late.", by=table.owner)
    assert services.tick(at=AT + timedelta(days=1)) == 1
    assert Review.objects.get().match_id == second.pk
    assert held.status == "held"


def test_what_an_honor_rests_on_is_counted_as_of_its_day(table: Circle) -> None:
    held = bestowed(table)
    ada = table.people["ada"]
    assert [one.have for one in figures.basis(held, ada, table.league)] == [40]
    assert [one.have for one in figures.figures("HON-09", ada, table.league, AT)] == [0]
    with pytest.raises(ValidationError, match="revoked only if"):
        services.review_propose(held=held, reason="We do not like her.", by=table.people["mo"], at=AT)


def test_two_who_let_it_stay_end_a_review(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    held = clean(table, monkeypatch)
    monkeypatch.setitem(figures.FIGURES, "HON-04", lambda *_: [figures.Figure("matches", 19, 20)])
    review = services.review_propose(held=held, reason="One match was annulled.", by=table.people["mo"], at=AT)
    later = AT + timedelta(days=14)
    for who in ("ola", "pia"):
        services.review_vote(review=review, revoke=False, by=table.people[who], at=later)
    assert not Review.objects.get().is_open
    assert Honor.objects.get().status == "held"


def test_an_honor_is_not_reviewed_without_a_ground(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    held = clean(table, monkeypatch)
    with pytest.raises(ValidationError, match="revoked only if"):
        services.review_propose(held=held, reason="We do not like her.", by=table.people["mo"], at=AT)


def test_rows_are_what_the_stream_says(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    held = bestowed(table)
    monkeypatch.setitem(figures.FIGURES, "HON-09", lambda *_: [figures.Figure("hours", 29, 30)])
    review = services.review_propose(held=held, reason="A service was struck.", by=table.people["pia"], at=AT)
    services.review_hear(review=review, text="It was so.", by=table.people["ada"], at=AT)

    def rows() -> list[object]:
        return [
            {key: value for key, value in row.items() if key not in ("id", "held_id")}
            for model in (Nomination, Honor, Review, Ballot, Relation)
            for row in model.objects.order_by("pk").values()  # type: ignore[attr-defined]
        ]

    before = rows()
    services.rebuild(table.league)
    assert rows() == before


# Pages


def test_the_whole_way_on_the_pages(table: Circle, client: Client) -> None:
    hours(table, "ada")

    def as_(who: str) -> Client:
        client.force_login(table.people[who].account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
        return client

    url = reverse("league-honors", args=["winter"])
    assert as_("bo").post(url, {"handle": "ada", "honor": "HON-09", "reason": "short"}).status_code == 422
    told = as_("bo").post(url, {"handle": "@ada", "honor": "HON-09", "reason": REASON})
    page = reverse("nomination", args=[Nomination.objects.get().pk])
    assert told["Location"] == page
    assert REASON in as_("mo").get(page).content.decode()
    assert as_("bo").post(page, {"step": "second"}).status_code == 403
    assert as_("cy").post(page, {"step": "second"}).status_code == 302
    assert as_("cy").post(page, {"step": "approve", "text": CITATION}).status_code == 403
    assert as_("mo").post(page, {"step": "approve"}).status_code == 302
    assert "bestows the honor with these words" in as_("ola").get(page).content.decode()
    assert as_("ola").post(page, {"step": "approve", "text": ""}).status_code == 422
    assert as_("ola").post(page, {"step": "nonsense"}).status_code == 422
    assert as_("ola").post(page, {"step": "approve", "text": CITATION}).status_code == 302
    client.logout()
    assert CITATION in client.get(reverse("honor", args=["HON-09"])).content.decode()
    assert client.get(page).status_code == 302
    zed = account_create("zed@example.org", None, "zed", "Zed")
    client.force_login(zed, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(page).status_code == 404
    assert client.get(reverse("honor-list")).status_code == 200


def test_a_person_who_hides_an_honor_has_it_on_no_public_page(table: Circle, client: Client) -> None:
    bestowed(table)
    ada: Person = table.people["ada"]
    ada.hidings.create(kind="honor", key="HON-09")
    assert selectors.honors_of(ada, None) == []
    for page in (reverse("honor", args=["HON-09"]), reverse("league-honors", args=["winter"])):
        assert CITATION not in client.get(page).content.decode()
    assert "0 people hold it" in client.get(reverse("honor-list")).content.decode()
    assert len(selectors.honors_of(ada, ada)) == 1


def test_the_clock_of_the_site_lets_the_deadlines_pass(table: Circle) -> None:
    hours(table, "ada")
    one = nominated(table)
    Nomination.objects.update(until=AT - timedelta(days=30))
    (name,) = [task for task in settings.CELERY_BEAT if task.startswith("career.tasks.honors")]
    import_string(name)()
    one.refresh_from_db()
    assert (one.status, one.why) == ("lapsed", "not_seconded")


# The log of the league


def told(table: Circle, who: str | None) -> str:
    table.league.refresh_from_db()
    rows = chronicle.entries(table.league, table.people[who] if who else None, page=1)
    return "\n".join(f"{row.words} {row.text}" for row in rows)


def test_the_log_of_a_league_tells_everybody_what_was_bestowed_and_only_those_who_decide_why_it_was_asked_for(
    table: Circle,
) -> None:
    bestowed(table)
    for who in (None, "cy"):
        public = told(table, who)
        assert f"An honor was bestowed on Ada. {CITATION}" in public
        assert "Ada was nominated" in public and REASON not in public
    assert REASON in told(table, "mo")


def test_an_honor_that_was_not_taken_is_not_in_the_log_that_others_read(table: Circle) -> None:
    held = bestowed(table)
    services.decline(held=held, by=table.people["ada"], at=AT)
    for who in (None, "cy"):
        public = told(table, who)
        assert CITATION not in public and "bestowed on" not in public and "did not take" not in public
    for who in ("ada", "mo"):
        assert "Ada did not take an honor." in told(table, who)


def test_an_honor_given_back_does_not_tell_others_that_it_was_revoked(
    table: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = clean(table, monkeypatch)
    monkeypatch.setitem(figures.FIGURES, "HON-04", lambda *_: [figures.Figure("matches", 19, 20)])
    review = services.review_propose(held=held, reason="One match was annulled.", by=table.people["mo"], at=AT)
    later = AT + timedelta(days=14)
    for who in ("ola", "pia"):
        services.review_vote(review=review, revoke=True, by=table.people[who], at=later)
    back = services.review_propose(held=held, reason="It was not annulled.", by=table.people["mo"], at=later)
    for who in ("ola", "pia"):
        services.review_vote(review=back, revoke=True, by=table.people[who], at=later)
    held.refresh_from_db()
    assert held.status == "held"
    assert not any(word in told(table, "cy") for word in ("revoked", "given back", "review", "annulled"))
    assert "given back to Ada" in told(table, "mo")
