"""Every page in a real browser: light on a phone and dark on a desk, axe finds nothing and nothing scrolls sideways."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page

from tests.pages.conftest import match, owner, owner_browser, player, player_browser  # noqa: F401 – fixtures
from tests.pages.test_pseudo_language import PAGES, Site

AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture
def site(transactional_db: None, owner: object, match: object) -> Site:  # noqa: F811
    return Site(owner, match)  # type: ignore[arg-type]


def faults(page: Page) -> list[str]:
    """Return what axe finds, and whether the page is wider than the screen."""
    found = [
        f"{violation['id']}: {', '.join(str(node['target'][0]) for node in violation['nodes'][:3])}"
        for violation in Axe().run(page, options=AXE).response["violations"]
    ]
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return found + ([f"{wider} pixels wider than the screen"] if wider > 0 else [])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_holds_on_a_phone_in_the_light_and_on_a_desk_in_the_dark(
    name: str,
    site: Site,
    live_server: object,
    browser: Browser,
    owner_browser: Client,  # noqa: F811
    player_browser: Client,  # noqa: F811
) -> None:
    who, address, status = PAGES[name]
    signed_in = {"owner": owner_browser, "player": player_browser}.get(who)
    found = {}
    for scheme, size in (("light", PHONE), ("dark", DESK)):
        context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
        if signed_in:
            value = signed_in.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": str(live_server)}])
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        response = page.goto(f"{live_server}{address(site)}")
        assert response is not None
        assert response.status == status
        here = faults(page) + [text for text in said if str(status) not in text]
        if here:
            found[f"{scheme}, {size['width']}"] = here
        context.close()
    assert found == {}


def test_a_page_with_a_fault_is_found(browser: Browser) -> None:
    page = browser.new_page(viewport=PHONE)
    page.set_content('<html lang="en"><title>x</title><main><h1>x</h1><img src="x"><p style="width:999px">x</p></main>')
    found = faults(page)
    page.close()
    assert any(fault.startswith("image-alt") for fault in found)
    assert any("wider than the screen" in fault for fault in found)


def test_the_chosen_theme_is_kept(browser: Browser, live_server: object, transactional_db: None) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{live_server}/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Dark theme").click()
    page.goto(f"{live_server}/codex/")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    assert page.get_by_role("button", name="Dark theme").get_attribute("aria-pressed") == "true"
    context.close()


def test_the_codex_narrows_while_typing_and_the_address_follows(
    browser: Browser, live_server: object, transactional_db: None
) -> None:
    page = browser.new_page()
    page.goto(f"{live_server}/codex/hexwar/")
    every = page.locator(".rule-entry").count()
    page.get_by_label("Find a rule").fill("catapult")
    page.wait_for_url("**q=catapult**")
    assert 0 < page.locator(".rule-entry").count() < every
    page.close()


def test_the_first_stop_of_the_keyboard_skips_to_the_content(
    browser: Browser, live_server: object, transactional_db: None
) -> None:
    page = browser.new_page()
    page.goto(f"{live_server}/codex/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.close()


def test_a_request_that_fails_says_so(browser: Browser, live_server: object, transactional_db: None) -> None:
    page = browser.new_page()
    page.goto(f"{live_server}/codex/hexwar/")
    page.route("**/codex/**q=fort**", lambda route: route.abort())
    page.get_by_label("Find a rule").fill("fort")
    page.get_by_text("That did not work").wait_for()
    page.close()
