"""The pages of a tournament: who sees what, what is refused and how, and how often the database is asked."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.directing import services
from league.tournament import events as e
from matches.models import Match
from people.models import Person
from people.services import account_create
from tests.league.directing.conftest import AT, SWISS, Day

NAMES = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
PAGES = ("tournament-detail", "tournament-standings", "tournament-entrants", "tournament-log", "tournament-about")


def client(person: Person | None = None) -> Client:
    made = Client()
    if person is not None and person.account is not None:
        made.force_login(person.account)
    return made


def page(of: Client, name: str, *more: str, status: int = 200, query: str = "") -> str:
    answer = of.get(reverse(name, args=["winter-open", *more]) + query)
    assert answer.status_code == status, answer.content.decode()[-2000:]
    return answer.content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_every_page_stands_before_the_first_round_and_says_what_to_do_next(day: type[Day], name: str) -> None:
    told = day([], [SWISS])
    said = page(client(), name)
    assert "Winter open" in said
    assert page(client(told.organizer), name)


def test_the_pages_of_a_running_tournament_show_names_and_results(day: type[Day]) -> None:
    told = day(NAMES, [SWISS])
    told.play()
    told.pair()
    told.result(1, 1, 2, confirm=False)
    anybody = client()
    said = page(anybody, "tournament-detail")
    assert "Ada Berg" in said and "to be confirmed" in said
    assert "Ada Berg" in page(anybody, "tournament-detail", query="?by=table&round=1")
    said = page(anybody, "tournament-standings")
    assert "computed from entry #" in said and "1=" in said
    live = page(anybody, "tournament-standings", query="?view=live")
    assert "Live:" in live and live != said
    assert "Round 1, table 1" in page(anybody, "tournament-log")
    ada = str(told.people["Ada"].pk)
    assert "Buchholz" in page(anybody, "tournament-player", ada)
    assert page(anybody, "tournament-match", str(told.row(1).match_id))


def test_a_prepared_round_is_shown_to_nobody_who_does_not_pair(day: type[Day]) -> None:
    told = day(NAMES, [SWISS])
    told.pair(publish=False)
    assert "No round yet" in page(client(), "tournament-detail")
    assert "No round yet" in page(client(told.people["Ada"]), "tournament-detail")
    assert "Prepared, not published" in page(client(told.organizer), "tournament-detail")
    said = page(client(told.people["Ada"]), "tournament-me")
    assert "Your table stands here as soon as the round is published" in said


def test_the_desk_is_for_those_who_direct(day: type[Day]) -> None:
    told = day(NAMES, [SWISS])
    assert "Prepare the next round" in page(client(told.organizer), "tournament-desk")
    assert client(told.people["Ada"]).get(reverse("tournament-desk", args=["winter-open"])).status_code == 403
    assert client().get(reverse("tournament-desk", args=["winter-open"])).status_code == 302


def act(of: Client, name: str, **said: object) -> tuple[int, str]:
    answer = of.post(reverse("tournament-act", args=["winter-open", name]), said, follow=True)  # type: ignore[arg-type]
    return answer.status_code, answer.content.decode()


def test_a_whole_day_at_the_desk(day: type[Day]) -> None:
    told = day(NAMES[:4], [e.Stage(format="swiss", rounds=2)])
    olga = client(told.organizer)
    for number in (1, 2):
        assert act(olga, "pair", seeding="rating")[0] == 200
        status, said = act(olga, "publish", stage=0, round=number, seq=told.now.seq)
        assert status == 200 and "is published" in said
        assert act(olga, "clock", stage=0, round=number, minutes=50)[0] == 200
        for table in told.round.tables.values():
            status, said = act(olga, "result", match=table.match, winner="A", act="confirm")
            assert status == 200 and "is in" in said
    assert act(olga, "stage")[0] == 200
    status, said = act(olga, "close")
    assert status == 200
    assert told.state.status == "closed" and len(told.state.placements) == 4


def test_the_same_round_twice_is_one_round_and_the_second_click_is_told(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    olga = client(told.organizer)
    assert act(olga, "pair")[0] == 200
    status, said = act(olga, "pair")
    assert status == 409 and "Round 1 is prepared already" in said
    assert len(told.state.stages[0].rounds) == 1


def test_a_page_that_is_out_of_date_gets_409_with_the_present_state(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    olga = client(told.organizer)
    act(olga, "pair")
    seen = told.now.seq
    seats = list(told.round.tables[1].seats) + list(told.round.tables[2].seats)
    assert act(olga, "swap", stage=0, round=1, first=seats[0], second=seats[2], seq=seen)[0] == 200
    status, said = act(olga, "swap", stage=0, round=1, first=seats[0], second=seats[1], seq=seen)
    assert status == 409 and "Somebody else has changed the rounds" in said


def test_a_swap_warns_of_what_it_repeats_and_is_done_all_the_same(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    told.play()
    met = told.round.tables[1].seats
    olga = client(told.organizer)
    act(olga, "pair")
    assert "meet again" not in page(olga, "tournament-desk")
    table = told.round.table_of(met[0])
    assert table is not None
    other = next(one for one in table.seats if one != met[0])
    status, said = act(olga, "swap", stage=0, round=2, first=other, second=met[1], seq=told.now.seq)
    assert status == 200 and "meet again" in said
    now = told.round.table_of(met[0])
    assert now is not None and set(now.seats) == set(met)


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("publish", {"stage": "x", "round": 1}, "is no whole number"),
        ("publish", {"stage": 0, "round": 7}, "There is no round 7"),
        ("drop", {"person": "nobody"}, "Choose somebody from the list"),
        ("result", {"match": "x"}, "Choose a table"),
        ("enter", {"enter-handle": "@nobody"}, "Nobody here has the handle"),
        ("enter", {}, "Give either a handle or the name of a guest"),
        ("registration", {"registration-mode": "open", "registration-cap": "1"}, "2"),
        ("penalty", {"person": "x"}, "Choose somebody"),
        ("clock", {"stage": 0, "round": 1, "minutes": "-3"}, "not between"),
        ("role", {"handle": "nobody", "role": "scribe"}, "Nobody here has the handle"),
        ("cancel", {"reason": " "}, "Say why"),
    ],
)
def test_what_cannot_be_is_said_in_words_and_changes_nothing(
    day: type[Day], name: str, said: dict[str, object], told: str
) -> None:
    held = day(NAMES[:4], [SWISS])
    before = held.now.seq
    status, text = act(client(held.organizer), name, **said)
    assert status in (409, 422) and told in text
    assert held.now.seq == before


def test_a_player_enters_the_result_on_the_phone_and_the_other_confirms_it(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    told.pair()
    table = told.table(1)
    first, second = (client(one) for one in table.seats)
    said = page(first, "tournament-me")
    assert "Enter the result" in said and "big-number" in said
    url = reverse("tournament-result", args=["winter-open", str(table.match_id)])
    answer = first.post(url, {"winner": "A", "next": reverse("tournament-me", args=["winter-open"])})
    assert answer.status_code == 302
    assert "Confirm this result" in page(second, "tournament-me")
    second.post(reverse("tournament-own-act", args=["winter-open", "sign"]))
    assert Match.objects.get(pk=table.match_id).status == "confirmed"
    assert told.round.missing == [2]


def test_a_phone_that_comes_back_with_another_result_gets_409_with_what_stands(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    told.pair()
    table = told.table(1)
    told.result(1, 1, 2, by=table.seats[0], confirm=False)
    url = reverse("tournament-result", args=["winter-open", str(table.match_id)])
    answer = client(table.seats[1]).post(url, {"winner": "B"})
    assert answer.status_code == 409 and "Another result of this table was entered meanwhile" in answer.content.decode()


def test_a_full_tournament_has_a_waiting_list_that_moves_up_by_itself(day: type[Day]) -> None:
    told = day(NAMES[:3], [SWISS])
    told.does(services.registration_open, cap=3)
    eve = account_create("eve@example.org", None, "eve", "Eve Moreau").person
    guest = client(eve)
    answer = guest.post(reverse("tournament-own-act", args=["winter-open", "register"]), follow=True)
    assert "waiting list" in answer.content.decode()
    client(told.people["Bo"]).post(reverse("tournament-own-act", args=["winter-open", "withdraw"]))
    assert [one.person for one in told.state.playing].count(str(eve.pk)) == 1
    assert not told.state.waiting


def test_the_code_of_the_hall_checks_in_and_a_wrong_one_does_not(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    told.does(services.registration_open)
    ada = client(told.people["Ada"])
    code = told.now.check_in_code
    assert "I am here" in page(ada, "tournament-check-in", code)
    page(ada, "tournament-check-in", "x" * 20, status=404)
    wrong = ada.post(reverse("tournament-own-act", args=["winter-open", "checkin"]), {"code": "x" * 20})
    assert wrong.status_code == 422
    ada.post(reverse("tournament-own-act", args=["winter-open", "checkin"]), {"code": code})
    assert told.state.entries[str(told.people["Ada"].pk)].checked_in == "qr"


def test_a_hidden_player_is_shown_by_initials_on_every_page(day: type[Day]) -> None:
    told = day(NAMES, [SWISS])
    hidden = told.people["Ada"]
    Person.objects.filter(pk=hidden.pk).update(privacy="hidden")
    told.play()
    anybody = client()
    for name in PAGES:
        assert "Ada Berg" not in page(anybody, name), name
    assert "Ada Berg" not in page(anybody, "tournament-player", str(hidden.pk))
    assert "A. B." in page(anybody, "tournament-standings")


def test_a_judge_is_called_from_the_table_and_answered_at_the_desk(day: type[Day]) -> None:
    told = day(NAMES[:4], [SWISS])
    told.pair()
    player = told.table(2).seats[0]
    client(player).post(reverse("tournament-own-act", args=["winter-open", "judge"]))
    olga = client(told.organizer)
    assert "Judge to table 2" in page(olga, "tournament-desk")
    act(olga, "answer", stage=0, round=1, table=2)
    assert "Judge to table 2" not in page(olga, "tournament-desk")


def test_an_undo_shows_first_what_it_changes(day: type[Day]) -> None:
    from fractions import Fraction

    told = day(NAMES[:4], [SWISS])
    told.play()
    state = told.does(
        services.penalty_give, person=told.people["Ada"], points=Fraction(1), kind="points", reason="Late."
    )
    olga = client(told.organizer)
    said = page(olga, "tournament-undo", str(state.seq))
    assert "What it changes" in said and "Ada Berg" in said
    answer = olga.post(
        reverse("tournament-undo", args=["winter-open", str(state.seq)]),
        {"reason": "Wrong person.", "seq": told.now.seq},
    )
    assert answer.status_code == 302
    assert page(olga, "tournament-undo", str(state.seq), status=422)
    assert client(told.people["Bo"]).get(reverse("tournament-undo", args=["winter-open", "3"])).status_code == 403


@pytest.mark.parametrize("name", [*PAGES, "tournament-me", "tournament-desk"])
def test_how_often_a_page_asks_the_database_does_not_grow_with_the_players(day: type[Day], name: str) -> None:
    told = day(NAMES[:4], [SWISS])
    told.play()
    told.pair()
    olga = told.organizer
    services.register(tournament=told.now, person=olga, by=olga, at=AT)
    counted: list[int] = []
    for more in (0, 12):
        for at in range(more):
            told.enter(f"More{at}")
        asks = client(olga)
        page(asks, name)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page(asks, name)
        counted.append(len(asked))
    assert counted[1] <= counted[0] + 1
    assert counted[1] <= 24, counted


def test_the_public_page_of_500_players_asks_at_most_ten_times(
    day: type[Day], django_assert_max_num_queries: Callable[..., object]
) -> None:
    told = day([], [SWISS])
    persons = Person.objects.bulk_create(Person(display_name=f"Player {at}", sort_name=f"{at:03}") for at in range(500))
    from league.directing import stream

    held = stream.locked(told.now)
    stream.append(
        tournament=held,
        events=[e.PersonRegistered(str(one.pk)) for one in persons],
        by=told.organizer,
        acting_as="owner",
        at=AT,
    )
    told.pair()
    anybody = client()
    page(anybody, "tournament-detail")
    for name in ("tournament-detail", "tournament-standings"):
        with django_assert_max_num_queries(10):  # type: ignore[attr-defined]
            said = page(anybody, name)
        assert len(re.findall("<tr", said)) <= 102
