"""The wall in a browser: it turns its pages, counts down in the server's time, and keeps the last state when the line is dead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from league.directing import services
from league.tournament import events as e
from tests.league.directing.conftest import SWISS, Day, day
from tests.web.test_look import DESK, PHONE, faults

__all__ = ["day"]
pytestmark = pytest.mark.django_db(transaction=True)
NAMES = [f"{first}{last}" for first in ("Ada", "Bo", "Cy", "Di") for last in ("lia", "rin", "mond", "to", "na", "sel")]


@pytest.fixture
def played(day: type[Day]) -> Day:
    """A round of 24 players that is published, with a clock of fifty minutes."""
    told = day(NAMES, [SWISS])
    told.pair()
    services.clock_set(tournament=told.now, stage=0, round_=1, minutes=50, by=told.organizer, at=timezone.now())
    return told


@pytest.fixture
def wall(browser: Browser, live_server: LiveServer, played: Day) -> Iterator[Page]:
    """The wall on a small projector, with time in the test's hand; no error has happened at the end."""
    context = browser.new_context(viewport={"width": 1024, "height": 420})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.clock.install()
    page.goto(f"{live_server.url}/tournaments/winter-open/hall")
    yield page
    assert errors == []
    context.close()


def _board(page: Page) -> tuple[str, str]:
    return page.locator("#hall .board:visible h2").inner_text(), page.locator("[data-page]").inner_text()


def test_the_wall_turns_its_pages_and_its_boards_until_it_is_held(wall: Page) -> None:
    seen = [_board(wall)]
    for _turn in range(12):
        wall.clock.run_for(12_000)
        seen.append(_board(wall))
    assert seen[0][0] == "By surname" and {board for board, _page in seen} == {"By surname", "By table"}
    assert {place.split("/")[0] for _board, place in seen} >= {"1", "2"}
    wall.get_by_role("button", name="Stop turning the pages").click()
    held = _board(wall)
    wall.clock.run_for(60_000)
    assert _board(wall) == held
    assert wall.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_every_name_comes_by_on_the_wall(wall: Page) -> None:
    """A name that stands in no column of any page would be lost for the hall."""
    seen: set[str] = set()
    for _turn in range(12):
        seen |= set(
            wall.evaluate("""() => {
                const box = document.querySelector("#hall .board:not([hidden]) .board-lines");
                const edge = box.getBoundingClientRect();
                return [...box.querySelectorAll("li")].filter((one) => {
                    const at = one.getBoundingClientRect();
                    return at.left >= edge.left - 1 && at.right <= edge.right + 1 && at.bottom <= edge.bottom + 1;
                }).map((one) => one.querySelector(".who")?.textContent || "");
            }""")
        )
        wall.clock.run_for(12_000)
    assert {name.removeprefix("Berg, ") for name in seen if name} == set(NAMES)


def test_the_clock_counts_down_and_stands_at_its_end(wall: Page) -> None:
    wall.route("**/hall?seen=*", lambda route: route.fulfill(status=204))
    figures = wall.locator(".hall-clock .clock-figures")
    before = _seconds(figures.inner_text())
    assert 49 * 60 < before <= 50 * 60
    wall.clock.run_for(61_000)
    assert before - 63 <= _seconds(figures.inner_text()) <= before - 60
    wall.clock.fast_forward(60 * 60 * 1000)
    wall.clock.run_for(1000)
    assert figures.inner_text() == "Time is up"


def _seconds(text: str) -> int:
    minutes, seconds = map(int, text.split(":"))
    return 60 * minutes + seconds


def test_a_clock_of_the_device_that_went_astray_is_put_right_by_the_next_answer(wall: Page) -> None:
    figures = wall.locator(".hall-clock .clock-figures")
    before = _seconds(figures.inner_text())
    later = format_datetime(datetime.now(UTC) + timedelta(minutes=10), usegmt=True)
    wall.route("**/hall?seen=*", lambda route: route.fulfill(status=204, headers={"Date": later}))
    with wall.expect_response("**/hall?seen=*"):
        wall.clock.run_for(16_000)
    wall.clock.run_for(1000)
    assert before - 10 * 60 - 30 <= _seconds(figures.inner_text()) <= before - 10 * 60 + 30


def test_a_dead_line_keeps_the_last_state_and_says_so(wall: Page, played: Day) -> None:
    note = wall.locator("[data-offline]")
    assert not note.is_visible()
    wall.context.set_offline(True)
    wall.clock.run_for(16_000)
    note.wait_for(state="visible")
    assert wall.locator("#hall .board").count() == 2
    played.result(1, 1, 2)
    wall.context.set_offline(False)
    wall.clock.run_for(16_000)
    wall.locator("text=11 tables are playing").wait_for()
    assert not wall.locator("[data-offline]").is_visible()


def test_without_javascript_everything_is_there(browser: Browser, live_server: LiveServer, played: Day) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/tournaments/winter-open/hall")
    for board in ("By surname", "By table"):
        assert page.get_by_role("heading", name=board).is_visible()
    for name in NAMES:
        assert page.get_by_text(f"Berg, {name}").is_visible()
    assert "until" in page.locator(".hall-clock").inner_text()
    context.close()


def test_the_hall_holds_on_a_phone_in_the_light_and_on_a_desk_in_the_dark(
    browser: Browser, live_server: LiveServer, day: type[Day]
) -> None:
    told = day(NAMES[:9], [e.Stage(format="swiss", rounds=1, cut=4), e.Stage(format="single_elimination")])
    found: dict[str, list[str]] = {}

    def look(what: str, *addresses: str) -> None:
        for scheme, size in (("light", PHONE), ("dark", DESK)):
            context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
            page = context.new_page()
            for address in addresses:
                page.goto(f"{live_server.url}/tournaments/winter-open/{address}")
                if here := faults(page):
                    found[f"{what}, {address}, {scheme}"] = here
            context.close()

    told.does(services.registration_open)
    look("check-in", "hall")
    told.pair()
    services.clock_set(tournament=told.now, stage=0, round_=1, minutes=50, by=told.organizer, at=timezone.now())
    told.does(services.table_extend, stage=0, round_=1, table=2, minutes=5)
    look("round", "hall", "print/surname", "print/tables", "print/slips")
    for number in told.round.tables:
        told.result(number, 1, 2)
    told.does(services.drop, person=told.people[NAMES[3]])
    look("standings", "hall", "print/standings", "print/crosstable")
    told.does(services.stage_close, cut=[str(told.people[name].pk) for name in NAMES[:3] + NAMES[4:5]])
    told.play()
    look("bracket", "hall", "print/bracket")
    assert found == {}
