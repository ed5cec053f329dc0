"""Tournaments in the API: by id and by short name, in pages, as of an entry, and only what the reader may see."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from league.directing import services, stream
from league.tournament import events as e
from people.models import Person
from tests.league.directing.conftest import SWISS, Day

EIGHT = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"]
ROOT = "/api/tournaments/winter-open"


def _get(client: Client, address: str, **query: Any) -> Any:
    response = client.get(address, query)
    assert response.status_code == 200, (address, response.content[:300])
    return response.json()


def test_a_tournament_is_found_by_id_and_by_short_name(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    one = _get(client, f"{ROOT}/")
    assert one == _get(client, f"/api/tournaments/{told.tournament.pk}/") == _get(client, ROOT)
    assert (one["slug"], one["league"], one["players"], one["round"]) == ("winter-open", "winter", 8, 1)
    assert one["at_seq"] == told.state.seq and one["url"] == "/tournaments/winter-open"
    (stage,) = one["stages"]
    assert (stage["format"], stage["entrants"], stage["rounds_published"], stage["closed"]) == ("swiss", 8, 1, False)
    assert client.get("/api/tournaments/nowhere/").status_code == 404
    assert client.get("/api/tournaments/00000000-0000-0000-0000-000000000000/").status_code == 404


def test_the_list_can_be_asked_by_league_game_and_status(day: type[Day], client: Client) -> None:
    day(EIGHT[:2], [SWISS])
    listed = _get(client, "/api/tournaments/")
    assert (listed["count"], listed["results"][0]["slug"]) == (1, "winter-open")
    for query, count in (
        ({"league": "winter"}, 1),
        ({"league": "x"}, 0),
        ({"status": "closed"}, 0),
        ({"game": "hexwar"}, 1),
    ):
        assert _get(client, "/api/tournaments/", **query)["count"] == count


def test_rounds_say_tables_seats_results_and_byes(day: type[Day], client: Client) -> None:
    told = day(EIGHT[:5], [SWISS])
    paired = told.pair()
    told.result(1, 1, 2)
    told.result(2, 1, 2, confirm=False)
    (one,) = _get(client, f"{ROOT}/rounds/")["results"]
    assert (one["stage"], one["round"], one["at_seq"], one["input_digest"]) == (1, 1, told.state.seq, paired.digest)
    first, second = one["tables"]
    assert (first["state"], second["state"]) == ("settled", "entered")
    assert [(seat["seat"], seat["points"], seat["outcome"]) for seat in first["seats"]] == [
        (1, "1", "win"),
        (2, "0", "loss"),
    ]
    assert [seat["points"] for seat in second["seats"]] == [None, None]
    assert [seat["name"] for seat in first["seats"]] == [
        f"{told.name(person)} Berg" for person in paired.tables[1].seats
    ]
    (bye,) = one["byes"]
    assert (bye["kind"], bye["points"]) == ("allocated_bye", "1")


def test_rounds_come_in_pages_and_a_prepared_one_only_to_whoever_may_pair(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.play()
    told.pair(publish=False)
    listed = _get(client, f"{ROOT}/rounds/", limit=1)
    assert listed["count"] == 2 and len(listed["results"]) == 1 and "offset=1" in listed["next"]
    assert _get(client, f"{ROOT}/rounds/", round=3)["results"] == []
    client.force_login(told.people["Ada"].account)
    assert _get(client, f"{ROOT}/rounds/")["count"] == 2
    client.force_login(told.organizer.account)
    (third,) = _get(client, f"{ROOT}/rounds/", round=3)["results"]
    assert third["published"] is False and len(third["tables"]) == 4


def test_standings_open_to_their_sums(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    told.play()
    answer = _get(client, f"{ROOT}/standings/")
    (table,) = answer["standings"]
    assert (answer["view"], answer["at_seq"], table["order"], table["count"]) == (
        "settled",
        told.state.seq,
        ["BH", "SB"],
        8,
    )
    best = table["rows"][0]
    assert best["points"] == "2" and [part["value"] for part in best["addends"]] == ["1", "1"]
    points = {row["number"]: row["points"] for row in table["rows"]}
    for part in best["tiebreaks"]["BH"]["addends"]:
        (opponent,) = part["opponents"]
        assert part["value"] == points[opponent] and part["rule"] == "opponent"


def test_standings_are_given_live_and_as_of_an_entry(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    seq, then = told.state.seq, _get(client, f"{ROOT}/standings/")
    led = {name for name, (_place, points) in told.standings().items() if points == "1"}
    top = next(number for number, table in told.pair().tables.items() if told.name(table.seats[0]) in led)
    told.result(top, 1, 2, confirm=False)
    assert max(row["points"] for row in _get(client, f"{ROOT}/standings/")["standings"][0]["rows"]) == "1"
    live = _get(client, f"{ROOT}/standings/", view="live")
    assert live["view"] == "live" and live["standings"][0]["rows"][0]["points"] == "2"
    assert _get(client, f"{ROOT}/standings/", at=seq) == then
    for wrong in (
        {"at": "x"},
        {"at": 10_000},
        {"view": "best"},
        {"view": "live", "at": seq},
        {"limit": 9999},
        {"stage": 0},
    ):
        assert client.get(f"{ROOT}/standings/", wrong).status_code == 400, wrong
    assert client.get(f"{ROOT}/standings/", {"stage": 2}).status_code == 404


def test_standings_come_in_parts_with_the_digest_of_the_whole(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.play()
    whole = _get(client, f"{ROOT}/standings/")["standings"][0]
    part = _get(client, f"{ROOT}/standings/", limit=3, offset=2)["standings"][0]
    assert part["rows"] == whole["rows"][2:5] and (part["digest"], part["count"]) == (whole["digest"], 8)


def test_groups_have_a_table_each_and_an_elimination_has_places(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [e.Stage(format="round_robin", groups=2, cut=1), e.Stage(format="single_elimination")])
    for _round in range(3):
        told.play()
    groups = _get(client, f"{ROOT}/standings/")["standings"]
    assert [(one["group"], len(one["rows"])) for one in groups] == [(1, 4), (2, 4)]
    told.does(services.stage_close, cut=[groups_[0] for groups_ in told.state.stages[0].groups])
    told.play()
    answer = _get(client, f"{ROOT}/standings/")
    assert [one["rank"] for one in answer["places"]] == [1, 2]
    assert len(_get(client, f"{ROOT}/standings/", stage=1)["standings"]) == 2


def test_the_directors_log_says_who_did_what_and_what_was_taken_back(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    told.pair()
    told.does(services.penalty_give, person=told.people["Ada"], points=Fraction(1), kind="late", reason="Late.")
    seq = told.state.seq
    told.does(services.undo, target_seq=seq, reason="Was there.")
    listed = _get(client, f"{ROOT}/director-log/", limit=2)
    assert listed["count"] == seq + 2
    undone, penalty = listed["results"]
    assert (undone["type"], undone["reason"]) == ("entry_withdrawn", "Was there.")
    assert (penalty["seq"], penalty["by"]["handle"], penalty["taken_back_by"]) == (seq, "olga", seq + 1)
    assert "Ada Berg: penalty of 1 points." in penalty["text"]
    last = _get(client, f"{ROOT}/director-log/", limit=5, offset=seq)["results"]
    assert [line["seq"] for line in last] == [1, 0]


def test_the_directors_log_keeps_the_seats_of_a_prepared_round_to_itself(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    paired = told.pair(publish=False)
    first, second = paired.tables[1].seats[0], paired.tables[2].seats[0]
    told.does(services.seats_swap, stage=0, round_=1, first=first, second=second)
    line = _get(client, f"{ROOT}/director-log/", limit=1)["results"][0]
    assert line["type"] == "seats_swapped" and "Berg" not in line["text"]
    client.force_login(told.organizer.account)
    assert "Berg" in _get(client, f"{ROOT}/director-log/", limit=1)["results"][0]["text"]
    client.logout()
    told.does(services.round_publish, stage=0, round_=1)
    assert "Berg" in _get(client, f"{ROOT}/director-log/", limit=2)["results"][1]["text"]


def test_hidden_people_have_neither_name_nor_handle_nor_id(day: type[Day], client: Client) -> None:
    told = day(EIGHT, [SWISS])
    ada = told.people["Ada"]
    Person.objects.filter(pk=ada.pk).update(privacy=Person.Privacy.HIDDEN)
    told.play()
    for part in ("rounds", "standings", "director-log"):
        text = client.get(f"{ROOT}/{part}/").content.decode()
        assert "Ada" not in text and '"ada"' not in text and str(ada.pk) not in text, part
        assert "A. B." in text or part == "director-log"


@pytest.mark.parametrize("part", ["", "rounds/", "standings/", "director-log/"])
def test_an_answer_asks_the_database_a_constant_number_of_times(
    day: type[Day], client: Client, part: str, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    told = day(EIGHT, [SWISS])
    for _round in range(3):
        told.play()
    stream._kept.clear()
    with django_assert_max_num_queries(10):
        _get(client, f"{ROOT}/{part}")


def test_the_description_names_every_part(client: Client, db: None) -> None:
    paths = _get(client, "/api/schema/")["paths"]
    wanted = {f"/api/tournaments/{{key}}/{part}" for part in ("", "rounds/", "standings/", "director-log/")}
    found = {path.rstrip("/") for path in paths}
    assert {one.rstrip("/") for one in wanted} | {"/api/tournaments"} <= found
