"""The API of matches and uploads: what it answers to whom, and how it declines."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.authtoken.models import Token

from matches import log, selectors, services
from matches.models import Match, Upload
from people.models import Person
from rulesengine import notation
from rulesengine.play import play
from tests.matches.conftest import person
from tests.matches.test_live import irregular, legal, match_of
from tests.matches.test_uploads import archive, at_league, file, lines, record, sample, without_impossible

pytestmark = pytest.mark.django_db


def browser(who: Person) -> Client:
    """Return a client that signs in by token."""
    token, _made = Token.objects.get_or_create(user=who.account)
    return Client(headers={"Authorization": f"Token {token.key}"})


def send(client: Client, raw: bytes, name: str = "evening.jsonl") -> Any:
    return client.post("/api/uploads/", {"file": SimpleUploadedFile(name, raw)})


def post(client: Client, address: str, body: dict[str, Any]) -> Any:
    return client.post(address, json.dumps(body), content_type="application/json")


@pytest.fixture
def running(ada: Person, bo: Person) -> Match:
    return match_of(ada, play("hexwar", seed=3, seats=2, max_events=20), A="ada", B="bo")


def test_a_file_is_sent_looked_at_and_recorded(ada: Person) -> None:
    client = browser(ada)
    answer = send(client, sample("legal_three_capes"))
    assert answer.status_code == 201
    (upload,) = answer.json()
    assert (upload["state"], upload["report"]["findings"], upload["progress"]) == ("checked", [], None)
    assert client.get(f"/api/uploads/{upload['id']}/").json()["report"]["match"] == upload["match_id"]
    answer = post(client, f"/api/uploads/{upload['id']}/record/", {"confirm": True})
    assert answer.status_code == 201, answer.content
    match = answer.json()
    assert (match["status"], match["game"], match["seq"]) == ("confirmed", "hexwar", 66)
    assert client.get("/api/uploads/").json()["results"][0]["state"] == "recorded"
    assert client.get(f"/api/matches/{match['id']}").json() == match


def test_a_signed_in_session_may_do_the_same(ada: Person) -> None:
    client = Client()
    client.force_login(ada.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    assert send(client, sample("legal_three_capes")).status_code == 201


def test_every_log_of_an_archive_has_its_own_report(ada: Person) -> None:
    answer = send(browser(ada), archive(a=sample("legal_three_capes"), b=b"hello"), "evening.zip")
    assert [one["report"]["unreadable"] is None for one in answer.json()] == [True, False]
    assert send(browser(ada), archive(a=b"x")[:30], "evening.zip").json() == {
        "file": ["The archive is damaged (File is not a zip file); pack it again."]
    }


def test_strangers_send_nothing_and_see_no_uploads(ada: Person, bo: Person) -> None:
    (upload,) = send(browser(ada), sample("legal_three_capes")).json()
    assert send(Client(), sample("legal_three_capes")).status_code == 401
    assert Client().get("/api/uploads/").status_code == 401
    for ask in (browser(bo).get, browser(bo).delete):
        assert ask(f"/api/uploads/{upload['id']}/").status_code == 404
    assert post(browser(bo), f"/api/uploads/{upload['id']}/record/", {}).status_code == 404
    assert not Match.objects.exists()


def test_a_file_that_does_not_hold_is_declined_with_words_and_can_be_held_or_dropped(ada: Person) -> None:
    client = browser(ada)
    (upload,) = send(client, without_impossible()).json()
    answer = post(client, f"/api/uploads/{upload['id']}/record/", {})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("A rule forbids 2 lines of the file")
    held, dropped = (send(client, without_impossible()).json()[0] for _ in range(2))
    strict = person("dee", "Dee")
    (other,) = send(browser(strict), at_league(without_impossible(), "", A="dee")).json()
    assert other["report"]["may"]["hold"] is True
    answer = post(browser(strict), f"/api/uploads/{other['id']}/hold/", {"reason": "see turn 5"})
    assert (answer.status_code, answer.json()["state"]) == (200, "held")
    assert client.delete(f"/api/uploads/{dropped['id']}/").status_code == 204
    assert Upload.objects.get(pk=dropped["id"]).state == "dropped"
    assert held["state"] == "checked"


def test_another_version_is_declined_as_a_conflict_with_what_differs(owner: Person) -> None:
    header, *rows = lines(sample("legal_three_capes"))
    header["id"] = str(uuid4())
    match = record(owner, file([header, *rows]))
    client = browser(owner)
    (upload,) = send(client, file([header, {**rows[0], "note": "no"}, *rows[1:]])).json()
    answer = post(client, f"/api/uploads/{upload['id']}/record/", {})
    assert answer.status_code == 409
    assert answer.json()["match"] == str(match.pk)
    assert [row["where"] for row in answer.json()["difference"]] == [1]


def test_an_entry_is_recorded_by_its_expected_seq(running: Match, ada: Person) -> None:
    client, line = browser(ada), legal(running)
    body = {"type": line.type, "seat": line.seat, "data": line.payload(), "expected_seq": 20, "note": "quick"}
    answer = post(client, f"/api/matches/{running.pk}/events/", body)
    assert answer.status_code == 201, answer.content
    assert answer.json()["seq"] == 21
    answer = post(client, f"/api/matches/{running.pk}/events/", body)
    assert answer.status_code == 409
    told = answer.json()
    assert (told["seq"], told["status"]) == (21, "running")
    assert told["state"] == client.get(f"/api/matches/{running.pk}/state/").json()["state"]


def test_a_refusal_answers_the_rule_its_text_and_because(running: Match, ada: Person) -> None:
    line = irregular(running)
    body = {"type": line.type, "seat": line.seat, "data": line.payload(), "expected_seq": 20}
    answer = post(browser(ada), f"/api/matches/{running.pk}/events/", body)
    assert answer.status_code == 422
    told = answer.json()
    assert (told["rule"], told["breach"]) == ("HW-36", "irregular")
    assert told["text"]
    assert "Peasant" in told["because"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"type": "turn_ended"}, "expected_seq"),
        ({"expected_seq": 20}, 'the key \\"type\\" is missing'),
        ({"type": "turn_ended", "seat": "A", "data": {"a": 1.5}, "expected_seq": 20}, "is not a whole number"),
        ({"type": "turn_ended", "seat": "A", "data": {"a": 10**400}, "expected_seq": 20}, "is too large"),
        ({"type": "turn_ended", "seat": "A", "bogus": 1, "expected_seq": 20}, "unknown key"),
        ({"type": "turn_ended", "seat": "A", "note": "x" * 501, "expected_seq": 20}, "at most 500"),
    ],
)
def test_a_malformed_entry_is_declined_in_words(
    body: dict[str, Any], message: str, running: Match, ada: Person
) -> None:
    answer = post(browser(ada), f"/api/matches/{running.pk}/events/", body)
    assert answer.status_code == 400
    assert message in answer.content.decode()
    assert log.head(running.pk).seq == 20  # type: ignore[union-attr]


def test_whoever_may_not_record_is_forbidden(running: Match, owner: Person) -> None:
    line = legal(running)
    body = {"type": line.type, "seat": line.seat, "data": line.payload(), "expected_seq": 20}
    address = f"/api/matches/{running.pk}/events/"
    assert post(Client(), address, body).status_code == 401
    answer = post(browser(person("dee", "Dee")), address, body)
    assert answer.status_code == 403
    assert "record events" in answer.json()["detail"]
    assert post(browser(owner), f"/api/matches/{uuid4()}/events/", body).status_code == 404


def test_entries_state_report_chain_and_log_are_there_for_everybody(running: Match) -> None:
    client, address = Client(), f"/api/matches/{running.pk}"
    page = client.get(f"{address}/events/", {"limit": 5, "offset": 3}).json()
    assert (page["count"], [one["seq"] for one in page["results"]]) == (20, [4, 5, 6, 7, 8])
    assert len(client.get(f"{address}/events/", {"limit": 100_000}).json()["results"]) == 20
    assert client.get(f"{address}/state/", {"at": 0}).json()["at"] == 0
    assert client.get(f"{address}/state/", {"at": 99}).status_code == 400
    assert client.get(f"{address}/state/", {"at": "x"}).status_code == 400
    assert client.get(f"{address}/report").json()["accepted"] == 20
    assert client.get(f"{address}/chain").json()["whole"] is True
    for form in ("jsonl", "text", "csv", "full"):
        answer = client.get(f"{address}/log/", {"to": form})
        assert notation.match_id(notation.parse(answer.content)) == running.pk
        assert str(running.pk) in answer["Content-Disposition"]
    assert client.get(f"{address}/log/", {"to": "pdf"}).status_code == 400
    assert client.get(f"/api/matches/{uuid4()}/state/").status_code == 404


def test_names_are_given_only_as_the_reader_may_know_them(running: Match, ada: Person, bo: Person) -> None:
    Person.objects.filter(pk=bo.pk).update(privacy=Person.Privacy.HIDDEN)
    services.event_record(match_id=running.pk, line=legal(running), expected_seq=20, by=ada)
    for body in (
        Client().get(f"/api/matches/{running.pk}/").content,
        Client().get("/api/matches/").content,
        Client().get(f"/api/matches/{running.pk}/log/").content,
        Client().get(f"/api/matches/{running.pk}/log/?to=full").content,
    ):
        assert b"Lindqvist" not in body
        assert b'"bo"' not in body
        assert b"B. L." in body
    assert b"Player B" in browser(bo).get(f"/api/matches/{running.pk}/").content


def test_the_list_is_filtered_paged_and_bounded(running: Match, owner: Person) -> None:
    record(owner, sample("legal_three_capes"), confirm=True)
    client = Client()

    def ids(**asked: str) -> int:
        return int(client.get("/api/matches/", asked).json()["count"])

    assert ids() == 2
    assert ids(status="running") == 1
    assert ids(status="confirmed") == 1
    assert ids(game="hexwar") == 2
    assert ids(game="kingsburg") == 0
    assert ids(person="ada") == 0  # nobody has signed for her yet
    assert ids(person="nobody") == 0
    assert ids(league="friendly") == 2
    assert ids(league=str(uuid4())) == 0
    assert ids(year="2026") >= 1
    assert ids(year="1999") == 0
    assert ids(text="Moreau") >= 1
    assert client.get("/api/matches/", {"limit": 1}).json()["next"] is not None


def test_the_list_asks_the_same_number_of_questions_for_one_match_and_for_many(
    owner: Person, ada: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def asked() -> Callable[[], int]:
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as caught:
            assert Client().get("/api/matches/").status_code == 200
        return lambda: len(caught)

    header, *rows = lines(sample("legal_three_capes"))
    record(owner, file([{**header, "id": str(uuid4())}, *rows]))
    one = asked()()
    for _more in range(6):
        record(owner, file([{**header, "id": str(uuid4())}, *rows]))
    assert asked()() == one
    with django_assert_num_queries(3):
        assert len(list(selectors.match_list({}, None))) == 7
