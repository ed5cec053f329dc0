"""Seasons, campaigns, services, conduct, mentoring, events and votes: what is written, what is refused, and what the pages say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import chronicle, events, records, services, stream, votes
from league.models import League, SportsmanshipVote, VoteKey
from matches import log
from matches import services as matches
from matches.models import Match
from people.models import Person
from people.services import Forbidden, person_guest_create
from tests.career.conftest import AT, Circle, circle  # noqa: F401

DAY = date(2026, 5, 1)


@pytest.fixture
def table(circle: Callable[..., Circle]) -> Circle:  # noqa: F811
    made = circle("ada", "bo", "cy", "mo")
    services.role_give(league=made.league, person=made.people["mo"], role="organizer", by=made.owner, at=AT)
    return made


def fresh(league: League) -> League:
    return League.objects.get(pk=league.pk)


def types(league: League) -> list[str]:
    return [row.type for row in log.read(league.pk)]


def signed_in(client: Client, person: Person) -> Client:
    client.force_login(person.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    return client


def opened(table: Circle, **more: object) -> object:
    told = {"key": "2026", "title": "Season 2026", "first_day": DAY, **more}
    return records.season_open(league=table.league, by=table.people["mo"], at=AT, **told)  # type: ignore[arg-type]


# Seasons


def test_a_season_is_closed_with_the_table_of_its_confirmed_matches(table: Circle) -> None:
    season = opened(table)
    for day in (1, 2, 3):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    table.play(9, "ada", "cy", on=date(2026, 4, 30))
    table.play(10, "bo", "cy", on=date(2026, 5, 4), confirm=False)
    season = records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)  # type: ignore[arg-type]
    rows = {row["person"]: row for row in season.table}
    assert set(rows) == {str(table.people["ada"].pk), str(table.people["bo"].pk)}
    assert sum(int(row["points"]) for row in rows.values()) == 9
    assert all(row["played"] == 3 for row in rows.values())
    assert types(table.league)[-2:] == ["season_opened", "season_closed"]
    assert season.closed_seq == fresh(table.league).seq


def test_two_seasons_do_not_run_at_once_nor_over_the_same_day(table: Circle) -> None:
    season = opened(table)
    with pytest.raises(ValidationError, match="close it first"):
        opened(table, key="next")
    records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="held on that day"):
        opened(table, key="next", first_day=date(2026, 5, 31))
    with pytest.raises(ValidationError, match="another season"):
        opened(table, first_day=date(2026, 6, 1))
    opened(table, key="next", first_day=date(2026, 6, 1))


def test_a_season_is_reopened_by_the_owner_while_no_later_one_has_begun(table: Circle) -> None:
    season = opened(table)
    season = records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)  # type: ignore[arg-type]
    with pytest.raises(Forbidden):
        records.season_reopen(season=season, by=table.people["mo"], at=AT)
    season = records.season_reopen(season=season, by=table.owner, at=AT)
    assert (season.closed_on, season.table) == (None, None)
    records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)
    opened(table, key="next", first_day=date(2026, 6, 1))
    with pytest.raises(ValidationError, match="later season"):
        records.season_reopen(season=season, by=table.owner, at=AT)


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("key", {"key": "Not so"}), ("title", {"title": "  "}), ("points", {"points": [1] * 21}), ("points", {"points": [-1]}),
        ("best_n", {"best_n": 0}), ("drop_n", {"drop_n": 101}),
    ],
)  # fmt: skip
def test_what_will_not_do_is_refused_by_its_field(table: Circle, field: str, more: dict[str, object]) -> None:
    with pytest.raises(ValidationError) as refused:
        opened(table, **more)
    assert set(refused.value.error_dict) == {field}
    assert "season_opened" not in types(table.league)


def test_the_page_of_a_season_says_live_then_frozen_and_amended(table: Circle, client: Client) -> None:
    season = opened(table)
    match = table.play(1, "ada", "bo")
    url = reverse("league-season", args=["winter", "2026"])
    assert "the table moves" in client.get(url).content.decode()
    records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)  # type: ignore[arg-type]
    page = client.get(url).content.decode()
    assert "Champion:" in page and "corrected after" not in page
    matches.match_annul(match=match, by=table.owner, reason="never played", expected_seq=match.seq, at=AT)
    assert "corrected after" in client.get(url).content.decode()


def test_the_page_of_a_season_asks_the_same_number_of_times_for_ten_matches_as_for_two(
    table: Circle, client: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    opened(table)
    for day in (1, 2):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    url = reverse("league-season", args=["winter", "2026"])
    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        client.get(url)
    for day in range(3, 11):
        table.play(day, "ada", "cy", on=date(2026, 5, day))
    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        client.get(url)


def test_an_organizer_opens_and_closes_a_season_on_its_pages(table: Circle, client: Client) -> None:
    table.play(1, "ada", "bo")
    signed_in(client, table.people["mo"])
    told = client.post(
        reverse("league-seasons", args=["winter"]),
        {"title": "Spring 2026", "first_day": "2026-04-01", "points": "10 6"},
    )
    assert told.status_code == 302 and told["Location"].endswith("/seasons/spring-2026")
    close = reverse("league-season-close", args=["winter", "spring-2026"])
    preview = client.post(close, {"last_day": "2026-05-31", "step": "preview"}).content.decode()
    assert "So the table would be frozen" in preview and "season_closed" not in types(table.league)
    assert client.post(close, {"last_day": "2026-05-31", "step": "store"}).status_code == 302
    assert types(table.league)[-1] == "season_closed"
    assert client.post(close, {"last_day": "2026-05-31", "step": "store"}).status_code == 422


# Campaigns


def test_a_campaign_is_closed_with_three_confirmed_matches_of_its_game(table: Circle) -> None:
    campaign = records.campaign_open(
        league=table.league, key="war", title="The War", game="hexwar", by=table.people["mo"], at=AT
    )
    played = [table.play(day, "ada", "bo", on=date(2026, 5, day)) for day in (1, 2, 3)]
    late = table.play(4, "ada", "bo", on=date(2026, 5, 4), confirm=False)
    for ids, why in (
        ([one.pk for one in played[:2]], "at least 3"),
        ([*(one.pk for one in played), late.pk], "confirmed matches"),
    ):
        with pytest.raises(ValidationError, match=why):
            records.campaign_close(campaign=campaign, match_ids=ids, by=table.people["mo"], at=AT)
    campaign = records.campaign_close(
        campaign=campaign, match_ids=[one.pk for one in reversed(played)], by=table.people["mo"], at=AT
    )
    assert campaign.matches == [str(one.pk) for one in played]
    assert sum(one["points"] for one in campaign.placements) == 9
    with pytest.raises(ValidationError, match="is closed"):
        records.campaign_close(campaign=campaign, match_ids=[one.pk for one in played], by=table.people["mo"], at=AT)


# What organizers record


def test_a_service_is_confirmed_by_somebody_else(table: Circle) -> None:
    mo, ada = table.people["mo"], table.people["ada"]
    told = {"league": table.league, "kind": "hosting", "minutes": 90, "day": DAY, "at": AT}
    with pytest.raises(ValidationError, match="Somebody else"):
        records.service_record(person=mo, by=mo, **told)
    with pytest.raises(ValidationError, match="no member"):
        records.service_record(person=person_guest_create("Guest"), by=mo, **told)
    with pytest.raises(ValidationError, match="not over"):
        records.service_record(person=ada, by=mo, **{**told, "day": date(2026, 12, 24)})
    with pytest.raises(Forbidden):
        records.service_record(person=mo, by=ada, **told)
    records.service_record(person=ada, by=mo, **told)
    event = stream.events_of(log.read(table.league.pk))[-1]
    assert (event.minutes, event.confirmed_by) == (90, str(mo.pk))  # type: ignore[attr-defined]


def test_a_note_is_read_by_the_person_and_the_organizers_and_a_commendation_by_all(
    table: Circle, client: Client
) -> None:
    mo, ada = table.people["mo"], table.people["ada"]
    note = {"league": table.league, "person": ada, "day": DAY, "by": mo, "at": AT}
    records.conduct_note(kind="warning", note="Spoke over others.", **note)  # type: ignore[arg-type]
    records.conduct_note(kind="commendation", note="Helped a newcomer.", **note)  # type: ignore[arg-type]
    url = reverse("league-log", args=["winter"])
    stranger = client.get(url).content.decode()
    assert "Helped a newcomer" in stranger and "Spoke over others" not in stranger and "Warning for" not in stranger
    assert "Spoke over others" not in signed_in(client, table.people["bo"]).get(url).content.decode()
    assert "Spoke over others" in signed_in(client, ada).get(url).content.decode()
    assert "Spoke over others" in signed_in(client, mo).get(url).content.decode()


def test_a_mistaken_note_is_struck_once_and_not_by_whom_it_is_about(table: Circle) -> None:
    mo, ada = table.people["mo"], table.people["ada"]
    services.role_give(league=table.league, person=ada, role="organizer", by=table.owner, at=AT)
    records.conduct_note(league=table.league, person=ada, kind="warning", note="Late.", day=DAY, by=mo, at=AT)
    seq = fresh(table.league).seq
    with pytest.raises(ValidationError, match="Somebody else"):
        records.conduct_strike(league=table.league, seq=seq, reason="No.", by=ada, at=AT)
    records.conduct_strike(league=table.league, seq=seq, reason="Another person.", by=mo, at=AT)
    for wrong in (seq, seq + 1, 0, 999):
        with pytest.raises(ValidationError, match="no note"):
            records.conduct_strike(league=table.league, seq=wrong, reason="Again.", by=mo, at=AT)


def test_the_log_says_to_whom_it_concerns_that_a_note_was_struck_and_offers_it_once(
    table: Circle, client: Client
) -> None:
    mo, ada = table.people["mo"], table.people["ada"]
    records.conduct_note(league=table.league, person=ada, kind="warning", note="Late.", day=DAY, by=mo, at=AT)
    seq = fresh(table.league).seq
    url = reverse("league-log", args=["winter"])
    strike = reverse("league-strike", args=["winter", seq])
    assert strike in signed_in(client, mo).get(url).content.decode()
    records.conduct_strike(league=table.league, seq=seq, reason="It was another person.", by=mo, at=AT)
    page = client.get(url).content.decode()
    assert strike not in page and "Struck later as a mistake." in page
    assert "It was another person." in signed_in(client, ada).get(url).content.decode()
    assert "It was another person." not in signed_in(client, table.people["bo"]).get(url).content.decode()


def test_a_note_about_a_guest_is_read_by_whom_the_guest_turned_out_to_be(table: Circle, client: Client) -> None:
    mo, ada = table.people["mo"], table.people["ada"]
    guest = services.member_guest_add(
        league=table.league, display_name="A. Lovelace", is_minor=False, by=mo, at=AT
    ).person
    records.conduct_note(league=table.league, person=guest, kind="warning", note="Late.", day=DAY, by=mo, at=AT)
    url = reverse("league-log", args=["winter"])
    assert "Late." not in signed_in(client, ada).get(url).content.decode()
    Person.objects.filter(pk=guest.pk).update(joined_into=ada)
    assert "Late." in client.get(url).content.decode()
    services.role_give(league=table.league, person=ada, role="organizer", by=table.owner, at=AT)
    with pytest.raises(ValidationError, match="Somebody else"):
        records.conduct_strike(league=table.league, seq=fresh(table.league).seq - 1, reason="No.", by=ada, at=AT)


def test_the_log_names_neither_voter_nor_nominee_nor_match_of_a_vote(table: Circle, client: Client) -> None:
    opened(table)
    match = table.play(1, "ada", "bo")
    vote(match, table.people["ada"], table.people["bo"])
    [entry] = [one for one in chronicle.entries(fresh(table.league), table.people["mo"], page=1) if "vote" in one.type]
    assert (entry.words, entry.by, entry.match) == ("A vote for sportsmanship was cast.", None, None)


def test_the_table_counts_a_guest_under_whom_the_guest_turned_out_to_be(table: Circle) -> None:
    season = opened(table)
    for day in (1, 2):
        table.play(day, "ada", "bo", on=date(2026, 5, day))
    rows = {row.person: sum(row.best) for row in records.season_table(season)}  # type: ignore[arg-type]
    ada, bo, cy = (table.people[one] for one in ("ada", "bo", "cy"))
    Person.objects.filter(pk=bo.pk).update(joined_into=cy)
    joined = {row.person: sum(row.best) for row in records.season_table(season)}  # type: ignore[arg-type]
    assert joined == {str(ada.pk): rows[str(ada.pk)], str(cy.pk): rows[str(bo.pk)]}


def test_a_newcomer_sat_in_the_match_of_a_mentoring(table: Circle) -> None:
    mo, ada, bo, cy = (table.people[one] for one in ("mo", "ada", "bo", "cy"))
    match = table.play(1, "ada", "bo")
    told = {"league": table.league, "match": match, "by": mo, "at": AT}
    for mentor, newcomer, why in ((ada, cy, "did not sit"), (bo, bo, "themselves")):
        with pytest.raises(ValidationError, match=why):
            records.mentor_assign(mentor=mentor, newcomer=newcomer, **told)  # type: ignore[arg-type]
    records.mentor_assign(mentor=cy, newcomer=bo, **told)  # type: ignore[arg-type]
    assert types(table.league)[-1] == "mentor_assigned"


def test_a_rank_is_suspended_and_restored_by_others(table: Circle) -> None:
    mo, ada = table.people["mo"], table.people["ada"]
    until = (AT + timedelta(days=30)).date()
    with pytest.raises(ValidationError, match="suspended here"):
        records.rank_restore(league=table.league, person=ada, reason="x", by=mo, at=AT)
    records.rank_suspend(league=table.league, person=ada, until=until, reason="Threw the dice.", by=mo, at=AT)
    records.rank_restore(league=table.league, person=ada, reason="Apologized.", by=mo, at=AT)
    with pytest.raises(ValidationError, match="over"):
        records.rank_suspend(league=table.league, person=ada, until=DAY, reason="x", by=mo, at=AT)


@pytest.mark.parametrize("kind", ["service", "conduct", "mentoring", "event", "suspension"])
def test_everything_is_recorded_on_its_page(table: Circle, client: Client, kind: str) -> None:
    match = table.play(1, "ada", "bo")
    signed_in(client, table.people["mo"])
    sent = {
        "service": {"person": "@ada", "kind": "hosting", "minutes": "30", "day": "2026-05-01"},
        "conduct": {
            "person": "ada",
            "kind": "commendation",
            "note": "Fair.",
            "day": "2026-05-01",
            "match": str(match.pk),
        },
        "mentoring": {"mentor": "cy", "newcomer": "ada", "match": str(match.pk)},
        "event": {
            "person": "bo",
            "title": "Spring fair",
            "day": "2026-05-01",
            "staff": "cy, ada",
            "matches": [str(match.pk)],
        },
        "suspension": {"person": "ada", "until": "2099-01-01", "reason": "Threw the dice."},
    }[kind]
    url = reverse("league-record", args=["winter", kind])
    assert client.post(url, {}).status_code == 400
    before = fresh(table.league).seq
    done = client.post(url, sent, follow=True)
    assert fresh(table.league).seq == before + 1, done.content.decode()[-3000:]
    assert "It is recorded." in done.content.decode()
    assert client.post(url, {**sent, "person": "nobody-here", "mentor": "nobody-here"}).status_code == 400


# The vote


def vote(match: Match, by: Person, nominee: Person, *, at: object = None) -> None:
    assert match.ended_at is not None
    records.sportsmanship_vote(match=match, nominee=nominee, by=by, at=at or match.ended_at + timedelta(hours=1))  # type: ignore[arg-type]


def test_rod_44_a_vote_names_nobody_as_its_writer_and_counts_once_a_match(table: Circle) -> None:
    season = opened(table)
    match = table.play(1, "ada", "bo", scribe="cy")
    ada, bo, cy, mo = (table.people[one] for one in ("ada", "bo", "cy", "mo"))
    vote(match, ada, bo)
    vote(match, cy, bo)
    rows = [row for row in log.read(table.league.pk) if row.type == "sportsmanship_vote_cast"]
    assert [(row.by, row.acting_as, row.seat) for row in rows] == [(None, None, None)] * 2
    assert all(str(person.pk).encode() not in rows[0].data for person in (ada, cy))
    assert SportsmanshipVote.objects.filter(nominee=bo.pk).values("voter").distinct().count() == 2
    assert records.has_voted(match, ada) and not records.has_voted(match, bo)
    for by, nominee, why in (
        (ada, cy, "have voted"),
        (bo, bo, "themselves"),
        (mo, bo, "took part"),
        (bo, mo, "took part"),
    ):
        with pytest.raises(ValidationError, match=why):
            vote(match, by, nominee)
    records.season_close(season=season, last_day=date(2026, 5, 31), by=mo, at=AT)  # type: ignore[arg-type]
    assert bytes(VoteKey.objects.get().key) == b""
    with pytest.raises(VoteKey.DoesNotExist):
        votes.code(season.purpose, ada)  # type: ignore[attr-defined]
    with pytest.raises(ValidationError, match="No season"):
        vote(match, bo, ada)
    assert not records.has_voted(match, ada)


def test_rod_44_the_vote_is_open_for_72_hours(table: Circle) -> None:
    opened(table)
    match = table.play(1, "ada", "bo")
    ada, bo = table.people["ada"], table.people["bo"]
    assert match.ended_at is not None
    with pytest.raises(ValidationError, match="72 hours"):
        vote(match, ada, bo, at=match.ended_at + timedelta(hours=72, seconds=1))
    vote(match, ada, bo, at=match.ended_at + timedelta(hours=72))


def test_a_vote_whose_key_was_lost_with_a_restore_takes_no_more_votes(table: Circle) -> None:
    opened(table)
    match = table.play(1, "ada", "bo")
    vote(match, table.people["ada"], table.people["bo"])
    VoteKey.objects.all().delete()
    with pytest.raises(ValidationError, match="not restored"):
        vote(match, table.people["ada"], table.people["bo"])


def test_a_participant_votes_on_the_page_and_is_told_so_alone(table: Circle, client: Client) -> None:
    opened(table, first_day=date(2026, 5, 1))
    match = table.play(1, "ada", "bo")
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now())
    page = reverse("match-sportsmanship", args=[match.pk])
    assert client.get(page).status_code == 302
    assert "Only who took part" in signed_in(client, table.people["cy"]).get(page).content.decode()
    assert client.post(page, {"nominee": str(table.people["bo"].pk)}).status_code == 403
    assert page not in client.get(reverse("match-detail", args=[match.pk])).content.decode()
    signed_in(client, table.people["ada"])
    assert page in client.get(reverse("match-detail", args=[match.pk])).content.decode()
    assert client.post(page, {"nominee": str(UUID(int=0))}).status_code == 400
    assert client.post(page, {"nominee": str(table.people["bo"].pk)}).status_code == 302
    assert "You have voted" in client.get(page).content.decode()
    assert "You have voted" not in signed_in(client, table.people["bo"]).get(page).content.decode()


def test_the_rows_of_a_league_are_what_its_stream_says(table: Circle) -> None:
    season = opened(table)
    match = table.play(1, "ada", "bo")
    vote(match, table.people["ada"], table.people["bo"])
    records.season_close(season=season, last_day=date(2026, 5, 31), by=table.people["mo"], at=AT)  # type: ignore[arg-type]
    records.campaign_open(league=table.league, key="war", title="The War", game="hexwar", by=table.people["mo"], at=AT)

    def rows() -> list[object]:
        found: list[object] = []
        for name in ("seasons", "campaigns", "members"):
            found += list(getattr(fresh(table.league), name).order_by("pk").values())
        return [{key: value for key, value in row.items() if not key.endswith("id")} for row in found] + list(  # type: ignore[attr-defined]
            SportsmanshipVote.objects.values_list("match_id", "voter", "nominee", "seq")
        )

    before = rows()
    stream.rebuild(table.league)
    assert rows() == before


def test_the_log_of_a_league_has_words_for_everything(table: Circle) -> None:
    assert set(events.PAYLOADS) == set(chronicle.WORDS)


def test_a_long_log_is_shown_by_the_page_and_an_entry_is_found_on_its_page(table: Circle, client: Client) -> None:
    for minutes in range(1, 120):
        records.service_record(
            league=table.league,
            person=table.people["ada"],
            kind="other",
            minutes=minutes,
            day=DAY,
            by=table.people["mo"],
            at=AT,
        )
    url = reverse("league-log", args=["winter"])
    assert client.get(url).content.decode().count("<li id=") == 50
    for seq in (0, 1, 60, fresh(table.league).seq):
        assert f'<li id="{seq}">' in client.get(f"{url}?seq={seq}").content.decode()
    for wrong in ("?page=0", "?page=999", "?page=x", "?seq=99999", "?seq=-1"):
        assert client.get(url + wrong).status_code == 200


def test_rod_40_king_and_general_do_not_vote_for_each_other(table: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(table)
    match = table.play(1, "ada", "bo")
    ada, bo, cy = (table.people[one] for one in ("ada", "bo", "cy"))
    seat = match.seats.get(person=ada).seat
    for module in (records,):
        monkeypatch.setattr(module, "generals_by_seat", lambda _match: [(seat, cy)])
        monkeypatch.setattr(module, "generals_of", lambda _match: [cy])
    for by, nominee in ((ada, cy), (cy, ada)):
        with pytest.raises(ValidationError, match="King and General"):
            vote(match, by, nominee)
    vote(match, cy, bo)
