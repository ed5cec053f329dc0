from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from matches.models import Match
from matches.views.acts import differences
from people.models import Grant, Person
from rulesengine import registry
from tests.matches_pages import logs
from tests.matches_pages.conftest import SignIn, recorded
from tests.matches_pages.test_detail import HTMX, page, text

pytestmark = pytest.mark.django_db

VOID = {"target_seq": "17", "reason": "taken back at the table"}


def act(client: Client, match: Match, name: str, status: int = 200, *, htmx: bool = False, **sent: str) -> str:
    match.refresh_from_db()
    data = {"expected_seq": str(match.seq), **sent}
    response = client.post(f"/matches/{match.pk}/acts/{name}", data, **(HTMX if htmx else {}))
    assert response.status_code == status, response.content.decode()[:3000]
    return response.content.decode()


def test_strangers_are_offered_nothing(client: Client, match: Match, browser: SignIn, stranger: Person) -> None:
    for one in (client, browser(stranger)):
        got = page(one, f"/matches/{match.pk}?at=5")
        assert "/acts/" not in got
        assert "Correct entry" not in got


@pytest.mark.parametrize(
    ("who", "offered", "withheld"),
    [
        ("ada", {"sign", "dispute"}, {"confirm", "void", "amend", "adjust", "ruling", "penalty", "abandon"}),
        ("scribe", set(), {"sign", "confirm", "void", "ruling", "penalty", "abandon"}),
        ("referee", {"confirm", "void", "amend", "adjust", "ruling", "penalty"}, {"sign", "abandon"}),
        ("organizer", {"confirm", "penalty", "abandon"}, {"void", "sign"}),
    ],
)
def test_each_is_offered_what_their_role_may_do(
    who: str,
    offered: set[str],
    withheld: set[str],
    request: pytest.FixtureRequest,
    browser: SignIn,
    match: Match,
    referee: Person,
) -> None:
    got = page(browser(request.getfixturevalue(who)), f"/matches/{match.pk}")
    for name in offered:
        assert f"/acts/{name}" in got, name
    for name in withheld:
        assert f"/acts/{name}" not in got, name


@pytest.mark.parametrize("name", ["void", "confirm", "penalty", "annul", "sign"])
def test_what_is_not_offered_is_forbidden_as_well(name: str, browser: SignIn, stranger: Person, match: Match) -> None:
    sent = {**VOID, "kind": "warning", "seat": "A", "step": "store"}
    said = text(act(browser(stranger), match, name, 403, **sent))
    assert "Nothing was stored" in said
    match.refresh_from_db()
    assert match.seq == 22


def test_a_correction_shows_first_what_changes_and_stores_nothing(
    browser: SignIn, referee: Person, match: Match
) -> None:
    said = text(act(browser(referee), match, "void", target_seq="16", reason="never happened"))
    assert "Void an entry: what would change" in said
    assert "State after the last entry" in said
    assert "units.u3" in said
    match.refresh_from_db()
    assert match.seq == 22


def test_a_preview_lists_the_entries_that_would_no_longer_hold(browser: SignIn, referee: Person, match: Match) -> None:
    said = text(act(browser(referee), match, "void", target_seq="2", reason="never happened"))
    assert "Entries that would no longer hold" in said
    assert "Entry 9" in said


def test_a_preview_shows_changed_places(browser: SignIn, referee: Person, match: Match) -> None:
    said = text(act(browser(referee), match, "void", target_seq="1", reason="another unit went there"))
    assert "Placements Player Before After Ada Moreau 1 2 Bo Lindqvist 2 1" in said


def test_a_preview_shows_that_the_match_would_not_have_ended(browser: SignIn, referee: Person, match: Match) -> None:
    said = text(act(browser(referee), match, "void", target_seq="21", reason="nobody ended the turn"))
    assert "The match would be Running instead of Provisional." in said


def test_the_preview_carries_all_that_was_typed_into_the_form_that_stores(
    browser: SignIn, referee: Person, match: Match
) -> None:
    got = act(browser(referee), match, "void", **VOID, scribe_error="on", reported_by="B", htmx=True)
    assert "<html" not in got
    for name, value in {**VOID, "reported_by": "B", "expected_seq": "22"}.items():
        assert f'name="{name}"' in got
        assert value in got
    assert 'value="store"' in got


def test_storing_appends_the_correction_and_leads_to_it(browser: SignIn, referee: Person, match: Match) -> None:
    client = browser(referee)
    response = client.post(f"/matches/{match.pk}/acts/void", {**VOID, "expected_seq": "22", "step": "store"})
    assert response["Location"] == f"/matches/{match.pk}?at=23"
    assert "Stored as entry 23." in text(page(client, response["Location"]))
    response = client.post(
        f"/matches/{match.pk}/acts/void", {**VOID, "target_seq": "16", "expected_seq": "23", "step": "store"}, **HTMX
    )
    assert response.status_code == 204
    assert response["HX-Redirect"] == f"/matches/{match.pk}?at=24"


def test_a_refusal_shows_rule_text_and_because(browser: SignIn, referee: Person, match: Match) -> None:
    for step in ("preview", "store"):
        said = text(act(browser(referee), match, "void", 422, target_seq="99", reason="x", step=step))
        assert "seq 99 is no entry before seq 23" in said
        assert "HWH-39" in said
        assert escape(registry.get("hexwar-1").rule("HWH-39").text) in said


def test_a_stale_page_shows_how_the_match_stands(browser: SignIn, referee: Person, match: Match) -> None:
    for step in ("preview", "store"):
        said = text(act(browser(referee), match, "void", 409, **VOID, expected_seq="20", step=step))
        assert "The match has moved on" in said
        assert "stands at entry 22" in said
    assert "The match has moved on" in text(act(browser(referee), match, "confirm", 409, expected_seq="3"))


def test_a_form_with_errors_comes_back_with_them(browser: SignIn, referee: Person, match: Match) -> None:
    client = browser(referee)
    assert "This field is required." in text(act(client, match, "void", 400, target_seq="3", reason=""))
    assert "is not JSON" in text(act(client, match, "amend", 400, target_seq="3", reason="x", data="{oops"))
    assert "whole numbers only" in text(act(client, match, "amend", 400, target_seq="3", reason="x", data='{"a": 1.5}'))
    assert "an object" in text(act(client, match, "amend", 400, target_seq="3", reason="x", data="[1]"))
    assert "53 bits" in text(
        act(client, match, "amend", 400, target_seq="3", reason="x", data='{"a": 1' + "0" * 30 + "}")
    )


def test_the_form_of_an_amendment_begins_with_the_entry_as_it_stands(
    browser: SignIn, referee: Person, match: Match
) -> None:
    got = page(browser(referee), f"/matches/{match.pk}?at=13&correct=13")
    assert "{&quot;building&quot;: &quot;b2&quot;, &quot;type&quot;: &quot;peasant&quot;}" in got
    assert page(browser(referee), f"/matches/{match.pk}?correct=999999")


def test_a_value_of_the_state_can_be_set(browser: SignIn, referee: Person, match: Match) -> None:
    sent = {"path": "players.A.gold", "old": "180", "new": "250", "reason": "miscounted"}
    assert "players.A.gold 180 250" in text(act(browser(referee), match, "adjust", **sent))
    act(browser(referee), match, "adjust", 302, **sent, step="store")
    said = text(page(browser(referee), f"/matches/{match.pk}"))
    assert "The referee sets players.A.gold from 180 to 250: miscounted" in said
    assert "players.A.gold is 250" in text(act(browser(referee), match, "adjust", 422, **sent, step="store"))


def test_disputes_block_the_confirmation_until_a_ruling(
    browser: SignIn, referee: Person, ada: Person, match: Match
) -> None:
    act(browser(ada), match, "dispute", 302, reason="The Farm was not counted.", step="store")
    got = page(browser(referee), f"/matches/{match.pk}")
    assert "Disputed" in text(got)
    assert "/acts/confirm" not in got
    said = "Ada Moreau disputes the result: The Farm was not counted."
    assert text(got).count(said) == 2  # in the feed, and above the forms that answer it
    assert said in text(browser(referee).get("/desk").content.decode())
    act(browser(referee), match, "ruling", 302, question="Farm?", decision="It counts.", favours="A", step="store")
    got = page(browser(referee), f"/matches/{match.pk}")
    assert "/acts/confirm" in got
    act(browser(referee), match, "confirm", 302)
    match.refresh_from_db()
    assert match.status == "confirmed"


def test_all_signatures_confirm(browser: SignIn, ada: Person, bo: Person, match: Match) -> None:
    act(browser(ada), match, "sign", 302)
    got = page(browser(ada), f"/matches/{match.pk}")
    assert "/acts/sign" not in got
    assert "Ada Moreau signed" in text(got)
    act(browser(bo), match, "sign", 302)
    match.refresh_from_db()
    assert match.status == "confirmed"


def test_after_the_appeal_time_an_organizer_must_approve(
    browser: SignIn, referee: Person, organizer: Person, match: Match
) -> None:
    client = browser(referee)
    act(client, match, "confirm", 302)
    assert "approved_by" not in page(client, f"/matches/{match.pk}")
    Match.objects.filter(pk=match.pk).update(confirmed_at=timezone.now() - timedelta(hours=73))
    assert "The appeal time is over" in text(page(client, f"/matches/{match.pk}"))
    assert "This field is required" in text(act(client, match, "void", 400, **VOID, step="store"))
    assert "Nobody here has the handle @nobody" in text(
        act(client, match, "void", 400, **VOID, approved_by="@nobody", step="store")
    )
    said = text(act(client, match, "void", 403, **VOID, approved_by="@gia", step="store"))
    assert "an organizer" in said
    act(client, match, "void", 302, **VOID, approved_by="@mirela", step="store")
    match.refresh_from_db()
    assert match.seq == 24


def test_nobody_corrects_the_match_in_which_they_sit(browser: SignIn, ada: Person, match: Match) -> None:
    Grant.objects.create(person=ada, role="referee", scope=f"league:{match.league}")
    assert "/acts/void" not in page(browser(ada), f"/matches/{match.pk}")
    act(browser(ada), match, "void", 403, **VOID, step="store")


def test_a_penalty_is_told_in_the_feed(browser: SignIn, referee: Person, match: Match) -> None:
    act(browser(referee), match, "penalty", 302, seat="B", kind="warning", reason="late", step="store")
    assert "Penalty for Bo Lindqvist (warning): late" in text(page(browser(referee), f"/matches/{match.pk}"))


def test_an_annulled_match_counts_for_nothing_and_can_still_be_read(
    browser: SignIn, client: Client, organizer: Person, match: Match
) -> None:
    act(browser(organizer), match, "confirm", 302)
    act(browser(organizer), match, "annul", 302, reason="Played with the wrong map.", step="store")
    said = text(page(client, f"/matches/{match.pk}"))
    assert "Annulled" in said
    assert "counts for nothing" in said
    assert "The match is annulled and counts for nothing: Played with the wrong map." in said


def test_an_act_that_is_none_is_not_found(browser: SignIn, referee: Person, match: Match) -> None:
    act(browser(referee), match, "burn", 404)


def test_a_friendly_is_confirmed_by_whoever_opened_it(browser: SignIn, stranger: Person) -> None:
    seats = [{"seat": "A", "name": "Zoe Adler", "player": "zoe"}, {"seat": "B", "name": "Bo"}]
    match = recorded(stranger, logs.file(logs.header(seats=seats)))
    got = page(browser(stranger), f"/matches/{match.pk}")
    assert "/acts/sign" in got
    assert "/acts/confirm" in got


def test_a_friendly_that_its_opener_confirmed_can_still_be_signed(
    browser: SignIn, stranger: Person, bo: Person
) -> None:
    seats = [{"seat": "A", "name": "Zoe", "player": "@zoe"}, {"seat": "B", "name": "Bo", "player": "@bo"}]
    match = recorded(stranger, logs.file(logs.header(seats=seats)), confirm=True)
    for one in (stranger, bo):
        got = page(browser(one), f"/matches/{match.pk}")
        assert "not signed yet" in text(got)
        assert "It then counts for your career." in text(got)
        act(browser(one), match, "sign", 302)
    got = page(browser(bo), f"/matches/{match.pk}")
    assert "not signed yet" not in text(got)
    assert "/acts/sign" not in got
    assert match.seats.filter(linked=True).count() == 2


def test_a_confirmed_match_of_a_league_is_not_signed_afterwards(
    browser: SignIn, organizer: Person, ada: Person, match: Match
) -> None:
    act(browser(organizer), match, "confirm", 302)
    assert "/acts/sign" not in page(browser(ada), f"/matches/{match.pk}")


def test_the_end_of_a_match_without_times_shows_no_made_up_hour(browser: SignIn, referee: Person, match: Match) -> None:
    assert match.ended_at is not None
    assert "<dt>Ended</dt>" not in page(browser(referee), f"/matches/{match.pk}")


def test_differences_of_two_states_are_told_by_path() -> None:
    before = {"a": {"x": 1, "gone": [1]}, "same": 1}
    after = {"a": {"x": 2, "new": None}, "same": 1}
    assert list(differences(before, after)) == [("a.x", "1", "2"), ("a.gone", "[1]", "–"), ("a.new", "–", "null")]
