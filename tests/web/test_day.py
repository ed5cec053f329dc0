"""A whole day of a tournament in a browser, on a phone: opened, entered, paired, played by phones and at the desk, cut, closed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league import services as leagues
from league.directing import stream
from league.models import Tournament
from people.models import Person
from people.services import account_create, grant_give
from tests.league.directing.conftest import AT
from tests.web.test_look import PHONE, faults

pytestmark = pytest.mark.django_db(transaction=True)
GUESTS = ("Bo Lindqvist", "Cy Okafor", "Di Castell", "Ed Moreau")


@pytest.fixture
def organizer(transactional_db: None) -> Person:
    made = account_create("olga@example.org", None, "olga", "Olga Berg").person
    grant_give(person=made, role="organizer", scope="site", by=None)
    leagues.league_open(name="Winter", slug="winter", timezone="Europe/Berlin", by=made, at=AT)
    return made


@pytest.fixture
def contexts(browser: Browser) -> Iterator[list[BrowserContext]]:
    made: list[BrowserContext] = []
    yield made
    for one in made:
        one.close()


def phone(browser: Browser, contexts: list[BrowserContext], live_server: LiveServer, who: Person) -> Page:
    """Return a phone on which somebody is signed in."""
    assert who.account is not None
    client = Client()
    client.force_login(who.account)
    context = browser.new_context(viewport=PHONE)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    contexts.append(context)
    return context.new_page()


def press(page: Page, name: str | re.Pattern[str]) -> None:
    page.locator("main").get_by_role("button", name=name).first.click()
    page.wait_for_load_state()


def test_a_day_from_the_opening_to_the_placements(
    browser: Browser, contexts: list[BrowserContext], live_server: LiveServer, organizer: Person
) -> None:
    ada = account_create("ada@example.org", None, "ada", "Ada Moreau").person
    desk = phone(browser, contexts, live_server, organizer)
    desk.goto(f"{live_server.url}/tournaments/new?stages=2")
    desk.get_by_label("Title").fill("Winter open")
    desk.get_by_label("Short name").fill("winter-open")
    desk.get_by_label("Game").select_option("hexwar")
    desk.locator("#id_stage1-rounds").fill("2")
    desk.locator("#id_stage1-cut").fill("2")
    press(desk, "Open the tournament")
    expect(desk.locator("h1")).to_have_text("Winter open")

    press(desk, "Open registration")
    player = phone(browser, contexts, live_server, ada)
    player.goto(f"{live_server.url}/tournaments/winter-open")
    press(player, "Register")
    expect(player.locator("main")).to_contain_text("You are registered")
    for number, name in enumerate(GUESTS):
        desk.goto(f"{live_server.url}/tournaments/winter-open/desk")
        desk.get_by_label("or the name of a guest").fill(name)
        desk.get_by_label("Rating for the seeds").fill(str(1900 - number))
        press(desk, "Enter")
    assert faults(desk) == []

    for number in (1, 2):
        press(desk, "Prepare the next round")
        assert faults(desk) == []
        press(desk, f"Publish round {number}")
        player.goto(f"{live_server.url}/tournaments/winter-open/me")
        state = stream.state_of(Tournament.objects.get())
        round_ = state.stages[0].rounds[number]
        mine = round_.table_of(str(ada.pk))
        if mine is not None:
            expect(player.locator(".big-number")).to_have_text(str(mine.number))
            assert faults(player) == []
            player.get_by_label("Ada Moreau won").check()
            press(player, "Enter the result")
            expect(player.locator("main")).to_contain_text("to be confirmed")
        desk.goto(f"{live_server.url}/tournaments/winter-open/desk")
        for table in round_.tables.values():
            card = desk.locator(f"#table-{table.number}")
            if table is mine:
                card.get_by_role("button", name="Confirm", exact=True).click()
            else:
                card.locator("summary").first.click()
                card.get_by_role("radio").first.check()
                card.get_by_role("button", name="Enter and confirm").click()
            desk.wait_for_load_state()
    player.goto(f"{live_server.url}/tournaments/winter-open/standings")
    player.get_by_role("link", name=re.compile("^[0-9½]+$")).first.click()
    expect(player.locator("main")).to_contain_text("Tie-breaks")
    assert faults(player) == []

    desk.goto(f"{live_server.url}/tournaments/winter-open/desk")
    if desk.locator("input[name=cut]").count():
        for box in desk.locator("input[name=cut]").all():
            box.uncheck()
        for box in desk.locator("input[name=cut]").all()[:2]:
            box.check()
    press(desk, "Close the stage")
    press(desk, "Prepare the next round")
    press(desk, "Publish round 1")
    card = desk.locator("#table-1")
    card.locator("summary").first.click()
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Enter and confirm").click()
    desk.wait_for_load_state()
    press(desk, "Close the stage")
    press(desk, "Close the tournament")
    state = stream.state_of(Tournament.objects.get())
    assert state.status == "closed"
    assert [row["place"] for row in state.placements][:2] == [1, 2]
    assert len(state.placements) == 5
    desk.goto(f"{live_server.url}/tournaments/winter-open/log")
    expect(desk.locator("main")).to_contain_text("Tournament closed")
    assert faults(desk) == []
