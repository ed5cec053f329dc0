"""The organizer's evening, in a real browser against the real site with its worker; and the replay by mouse and keyboard."""

from __future__ import annotations

import re
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import Client
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, expect

from league.models import League
from matches import services
from matches.models import Match
from people.models import Person
from rulesengine import notation, registry
from rulesengine.log import Seat
from rulesengine.play import play
from tests.conftest import Process
from tests.matches_pages import logs
from tests.matches_pages.conftest import (  # noqa: F401 – fixtures
    BACKEND,
    ada,
    bo,
    league,
    league_header,
    match,
    organizer,
    recorded,
    referee,
    scribe,
)
from tests.web.test_look import DESK, PHONE, faults

PASSWORD = "a long enough word"
EVENING: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    ("unit_moved", "A", {"unit": "u1", "path": [[-1, 0], [0, 0]]}),
    ("turn_ended", "A", {}),
    ("turn_ended", "B", {}),
    ("territory_captured", "A", {"unit": "u1"}),
    ("turn_ended", "A", {}),
    ("turn_ended", "B", {}),
    ("unit_moved", "A", {"unit": "u1", "path": [[-1, 1]]}),
    ("turn_ended", "A", {}),
    ("turn_ended", "B", {}),
    ("unit_moved", "A", {"unit": "u1", "path": [[-1, 2]]}),
    ("territory_captured", "A", {"unit": "u1"}),
    ("turn_ended", "A", {}),
    ("turn_ended", "B", {}),
)
"""Four rounds in which Ada's Peasant takes two cities: the bronze City Taker."""


@pytest.fixture
def site(process: Callable[..., Process], site_environment: dict[str, str]) -> str:
    """The site in a process of its own; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    process(
        *("-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port), "--no-ws"),
        *("--workers", "1", "--blocking-threads", "4", "config.wsgi:application"),
        **{**site_environment, "SITE_URL": address, "ANNALS_SUPERVISED": "1"},  # its worker ends with it
    )
    end = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"{address}/health/", timeout=2)
            return address
        except OSError:
            assert time.monotonic() < end, "the site did not come up"
            time.sleep(0.1)


def sign_in(page: Page, site: str, who: Person) -> None:
    assert who.account is not None
    # The tests' quick hasher is none of the site's.
    who.account.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt")
    who.account.save()
    page.goto(f"{site}/accounts/login/")
    page.locator("input[name=login]").fill(who.account.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def reload_until(page: Page, text: str | re.Pattern[str], seconds: float = 60) -> None:
    """Reload a page until it says something: careers follow a moment after the log."""
    end = time.monotonic() + seconds
    while not page.locator("main").get_by_text(text).first.is_visible():
        assert time.monotonic() < end, f"{text!r} never came; the page says {page.locator('main').inner_text()[:2000]}"
        time.sleep(0.3)
        page.reload()


def test_the_organizers_evening(
    browser: Browser,
    site: str,
    worker: Callable[..., Process],
    league: League,  # noqa: F811
    organizer: Person,  # noqa: F811
    referee: Person,  # noqa: F811
    ada: Person,  # noqa: F811
    bo: Person,  # noqa: F811
    tmp_path: Path,
) -> None:
    worker(clock=True)
    faulty, right = tmp_path / "table-4.jsonl", tmp_path / "table-4-right.log.txt"
    events = [event for number, event in enumerate(EVENING) if number != 9]  # the last move was forgotten
    faulty.write_bytes(logs.file(league_header(), events))
    right.write_bytes(notation.write(notation.parse(logs.file(league_header(), EVENING), name="a.jsonl"), "text"))

    context = browser.new_context(viewport=DESK)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    sign_in(page, site, organizer)

    # She uploads a faulty file and reads the report, in place.
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Upload").click()
    page.get_by_label("Files").set_input_files(faulty)
    page.get_by_role("button", name="Check").click()
    report = page.locator("article").filter(has_text="table-4.jsonl")
    expect(report.get_by_text("Nothing of this file can be stored as it is")).to_be_visible()
    finding = report.locator("li.finding").first
    expect(finding).to_contain_text("Line 11")
    expect(finding).to_contain_text("territory_captured")
    expect(report.get_by_role("button", name="Record")).to_have_count(0)
    assert faults(page) == []
    finding.get_by_role("link", name="Rule HW-13").click()
    expect(page.locator("#HW-13")).to_be_in_viewport()
    assert not Match.objects.exists()
    page.go_back()

    # The right file, dropped on the form; she records and confirms it.
    page.get_by_label("Files").set_input_files(right)
    page.get_by_role("button", name="Check").click()
    report = page.locator("article").filter(has_text="table-4-right.log.txt")
    expect(report.get_by_text("No findings")).to_be_visible()
    report.get_by_role("button", name="Record and confirm").click()
    report.get_by_role("link", name="Open the match").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada Moreau – Bo Lindqvist")
    expect(page.locator("main").get_by_text("Confirmed").first).to_be_visible()

    # She replays it with the keyboard.
    expect(page.locator(".moment-line")).to_contain_text("Entry 14 of 14")
    for _ in range(3):
        at = page.locator("#moment").get_attribute("data-at")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#moment")).to_have_attribute("data-at", str(int(at or 0) - 1))
    expect(page.locator("#announce")).to_have_text(
        re.compile("Ada Moreau takes the free region south with Peasant u1.")
    )
    assert page.url.endswith("?at=11")
    expect(page.locator("#e11")).to_have_attribute("aria-current", "step")
    match_url = page.url.partition("?")[0]

    # A moment later the career of the winner shows it, and the entry that earned the badge.
    page.goto(f"{site}/@ada")
    reload_until(page, "City Taker")
    expect(page.locator("main")).to_contain_text("place 1 of 2")
    page.locator(".badge-card").filter(has_text="City Taker").get_by_role("link", name=re.compile("entry 11")).click()
    expect(page.locator(".moment-line")).to_contain_text("Entry 11 of 14")
    context.close()

    # The referee voids the second capture: first a look at what changes, then for good.
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    sign_in(page, site, referee)
    page.goto(f"{match_url}?at=11")
    page.get_by_role("link", name="Correct entry 11").click()
    form = page.locator("#act-void")
    form.get_by_label("Reason").fill("The Peasant had no movement left.")
    form.get_by_role("button", name="See what changes").click()
    preview = page.locator("#preview")
    expect(preview).to_contain_text("regions.south.owner")
    assert faults(page) == []
    preview.get_by_role("button", name="Void the entry").click()
    expect(page.get_by_text("Stored as entry 15.")).to_be_visible()
    expect(page.locator("#e11")).to_contain_text("Voided")

    # The badge is withdrawn, and the page says by which entry.
    page.goto(f"{site}/@ada")
    withdrawn = page.locator("tr.withdrawn").filter(has_text="City Taker")
    end = time.monotonic() + 60
    while not withdrawn.count():
        assert time.monotonic() < end, page.locator("main").inner_text()
        time.sleep(0.3)
        page.reload()
    expect(page.locator(".badge-card").filter(has_text="City Taker")).to_have_count(0)
    page.get_by_text("Every award with its day and its entry").click()
    expect(withdrawn).to_be_visible()
    withdrawn.get_by_role("link", name="corrected by entry 15").click()
    expect(page.locator("#e15")).to_contain_text("The referee voids entry 11: The Peasant had no movement left.")
    context.close()
    assert wrong == []


# The replay ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def seen(browser: Browser, live_server: Any) -> Iterator[Callable[..., Page]]:
    """Return what opens a page, signed in as somebody or not; closed after the test."""
    contexts: list[BrowserContext] = []

    def open_page(path: str, who: Person | None = None, **more: Any) -> Page:
        context = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **more})
        contexts.append(context)
        if who is not None:
            client = Client()
            client.force_login(who.account, backend=BACKEND)  # type: ignore[arg-type]
            value = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": str(live_server)}])
        page = context.new_page()
        page.goto(f"{live_server}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_the_replay_steps_by_links_without_javascript(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=5", java_script_enabled=False)
    page.get_by_role("link", name="Forward").click()
    expect(page.locator(".moment-line")).to_contain_text("Entry 6 of 22")
    page.get_by_role("link", name="To the set-up").click()
    expect(page.locator(".moment-line")).to_contain_text("Set-up")
    page.get_by_role("button", name="Go").click()
    expect(page.locator(".moment-line")).to_contain_text("Set-up")
    page.get_by_role("link", name="Show entry 12").click()
    expect(page.locator(".moment-line")).to_contain_text("Entry 12 of 22")


@pytest.mark.parametrize("game", registry.games())
def test_a_match_of_every_game_is_replayed(
    seen: Callable[..., Page],
    transactional_db: None,
    organizer: Person,  # noqa: F811
    ada: Person,  # noqa: F811
    bo: Person,  # noqa: F811
    game: str,
) -> None:
    played = play(game, seed=1, seats=2, player="greedy")
    seats = (Seat("A", "Ada Moreau", "ada"), Seat("B", "Bo Lindqvist", "bo"))
    header = replace(played.header, seats=seats, context={"league": "winter"})
    one = recorded(organizer, notation.write(replace(played, header=header), "jsonl"))
    last = len(played.lines)
    page = seen(f"/matches/{one.pk}?at=0")
    moment = page.locator("#moment")
    expect(moment).to_have_attribute("data-last", str(last))
    board = moment.inner_html()
    for at in range(1, 8):
        page.keyboard.press("ArrowRight")
        expect(moment).to_have_attribute("data-at", str(at))
        assert moment.get_attribute("data-words")
    assert moment.inner_html() != board
    page.goto(page.url.split("?")[0] + f"?at={last}")
    expect(page.locator(".moment-line")).to_contain_text(f"Entry {last} of {last}")
    assert faults(page) == []


def test_a_step_keeps_the_focus_and_what_was_opened(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=5")
    page.get_by_text("The position in words").click()
    forward = page.get_by_role("link", name="Forward")
    forward.focus()
    for at in (6, 7):
        page.keyboard.press("Enter")
        expect(page.locator("#moment")).to_have_attribute("data-at", str(at))
    expect(page.get_by_role("link", name="Forward")).to_be_focused()
    expect(page.get_by_role("region", name="Units")).to_be_visible()
    expect(page.locator("#replay-slider")).to_have_value("7")


def test_the_slider_leads_to_any_entry_and_keeps_the_focus(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=5")
    slider = page.get_by_role("slider", name="Entry")
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator("#moment")).to_have_attribute("data-at", "22")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moment")).to_have_attribute("data-at", "21")
    expect(slider).to_be_focused()
    assert page.url.endswith("?at=21")


def test_the_replay_does_not_leave_the_log(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=0")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moment")).to_have_attribute("data-at", "1")
    page.get_by_role("link", name="To the last entry").click()
    expect(page.locator("#moment")).to_have_attribute("data-at", "22")
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    expect(page.locator("#moment")).to_have_attribute("data-at", "22")


def test_keys_faster_than_the_site_arrive_where_they_lead(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=2")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#moment")).to_have_attribute("data-at", "10")
    expect(page.locator("#replay-slider")).to_have_value("10")
    page.wait_for_url("**?at=10")


def test_arrow_keys_typed_into_a_field_do_not_step(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
    referee: Person,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=5&correct=5", referee)
    page.locator("#act-void").get_by_label("Reason").fill("abc")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(200)
    expect(page.locator("#moment")).to_have_attribute("data-at", "5")


def test_two_referees_at_once_the_second_sees_that_the_match_moved_on(
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
    referee: Person,  # noqa: F811
) -> None:
    page = seen(f"/matches/{match.pk}?at=5&correct=17", referee)
    services.event_void(match=match, target_seq=16, reason="quicker", by=referee)
    form = page.locator("#act-void")
    form.get_by_label("Reason").fill("too late")
    form.get_by_role("button", name="See what changes").click()
    expect(page.get_by_role("alert")).to_contain_text("The match has moved on")
    expect(page.locator("#act-void").get_by_label("Reason")).to_have_value("too late")


def test_files_can_be_dropped_on_the_form(
    seen: Callable[..., Page],
    transactional_db: None,
    organizer: Person,  # noqa: F811
) -> None:
    page = seen("/upload", organizer)
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.jsonl"));
          document.getElementById("upload-form").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        logs.faulty().decode(),
    )
    page.get_by_role("button", name="Check").click()
    report = page.locator("article").filter(has_text="dropped.jsonl")
    expect(report.locator("li.finding").first).to_contain_text("HWH-19")
    followers = report.get_by_text("7 more findings would vanish")
    followers.click()
    expect(report.get_by_text("Line 20")).to_be_visible()


# How they look ---------------------------------------------------------------------------------------------------------


def pages(match: Match, organizer: Person, referee: Person, scribe: Person) -> dict[str, tuple[Person | None, str]]:  # noqa: F811
    """Return pages in many states by name: who looks, and the address."""
    events = list(logs.ROUNDS)
    events[1] = ("unit_recruited", "A", {"building": "b1", "type": "knights"})
    check = services.upload_check
    clean = check(by=organizer, name="clean.jsonl", raw=logs.file(league_header(played_on="2026-10-02")))
    bad = check(by=organizer, name="bad.jsonl", raw=logs.file(league_header(played_on="2026-10-03"), events))
    broken = check(by=organizer, name="holiday.jpg", raw=b"\xff\xd8\xff not a log")
    held = check(by=scribe, name="held.jsonl", raw=logs.file(league_header(played_on="2026-10-04"), events))
    services.upload_hold(upload=held, by=scribe, reason="The table agreed.")
    match = services.event_void(match=match, target_seq=17, reason="taken back", by=referee)
    match = services.event_amend(
        match=match, target_seq=13, data={"building": "b2", "type": "archers"}, reason="misread", by=referee
    )
    large = recorded(organizer, notation.write(logs.random_match(1, map_="HW-M3", seats=4, events=300), "jsonl"))
    return {
        "an attack": (None, f"/matches/{match.pk}?at=12"),
        "a large board": (None, f"/matches/{large.pk}?at=250"),
        "a referee's page": (referee, f"/matches/{match.pk}?at=13&correct=13"),
        "a player's page": (match.seats.all()[0].person, f"/matches/{match.pk}"),
        "the list": (None, "/matches/"),
        "an empty list": (None, "/matches/?status=annulled"),
        "the reports": (organizer, f"/upload?shown={clean.pk},{bad.pk},{broken.pk}"),
        "a held file": (referee, f"/upload/{held.pk}"),
        "the desk": (referee, "/desk"),
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_match_pages_hold_on_phone_and_desk_in_light_and_dark(
    scheme: str,
    size: dict[str, int],
    seen: Callable[..., Page],
    transactional_db: None,
    match: Match,  # noqa: F811
    organizer: Person,  # noqa: F811
    referee: Person,  # noqa: F811
    scribe: Person,  # noqa: F811
) -> None:
    found = {}
    for name, (who, path) in pages(match, organizer, referee, scribe).items():
        page = seen(path, who, viewport=size, color_scheme=scheme)
        page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")
        if here := faults(page):
            found[name] = here
        page.close()
    assert found == {}
