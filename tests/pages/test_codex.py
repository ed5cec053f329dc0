from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from matches import codex
from rulesengine import registry
from rulesengine.game import Rule

pytestmark = pytest.mark.django_db

EDITIONS = [(registry.get(edition.key).game, edition.key) for edition in registry.editions()]


def page_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response.content[:400]
    return response.content.decode()


def anchors(page: str) -> list[str]:
    return re.findall(r'<article class="rule-entry" id="([^"]+)"', page)


def test_every_game_of_the_engine_is_in_the_codex(client: Client) -> None:
    page = page_of(client, "/codex/")
    for game in registry.games():
        assert reverse("codex-game", args=[game]) in page


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_rule_of_an_edition_has_its_anchor_and_its_text(client: Client, game: str, edition: str) -> None:
    page = page_of(client, f"/codex/{game}/{edition}")
    rules = registry.get(edition).rules
    assert sorted(anchors(page)) == sorted(rule.id for rule in rules)
    assert page.count('data-tincture="or"><span class="swatch"') == sum(rule.sourced for rule in rules)


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_parameter_and_every_table_is_on_the_page(client: Client, game: str, edition: str) -> None:
    page = page_of(client, f"/codex/{game}/{edition}")
    ruleset = registry.get(edition)
    for parameter in ruleset.parameters:
        assert f'id="parameter-{parameter.name}"' in page
    for table in codex.tables_of(ruleset):
        assert f'id="{table.anchor}"' in page
        for row in table.rows:
            assert f'<th scope="row">{row[0]}</th>' in page


def test_the_hex_war_shows_its_units_settlements_and_improvements() -> None:
    names = [table.name for table in codex.tables_of(registry.get("hexwar-1"))]
    assert {"units", "settlements", "improvements", "terrain", "attack bonuses"} == set(names)


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_link_within_a_page_leads_somewhere(client: Client, game: str, edition: str) -> None:
    page = page_of(client, f"/codex/{game}/{edition}")
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    wanted = set(re.findall(r'href="[^"]*#([^"]+)"', page))
    assert wanted <= ids


def test_an_id_appears_once(client: Client) -> None:
    game, edition = EDITIONS[0]
    ids = re.findall(r'\bid="([^"]+)"', page_of(client, f"/codex/{game}/{edition}"))
    assert len(ids) == len(set(ids))


def test_the_game_alone_shows_the_edition_in_force(client: Client) -> None:
    for game in registry.games():
        assert registry.in_force(game, date.today()).key in page_of(client, f"/codex/{game}/")


def test_words_find_rules_without_any_script(client: Client) -> None:
    found = anchors(page_of(client, "/codex/hexwar/?q=fort+peasant"))
    rules = registry.get(registry.in_force("hexwar", date.today()).key).rules
    assert found == [
        rule.id
        for rule in rules
        if "fort" in f"{rule.id} {rule.text}".lower() and "peasant" in f"{rule.id} {rule.text}".lower()
    ]
    assert 0 < len(found) < len(rules)


def test_an_id_finds_its_rule(client: Client) -> None:
    assert "HW-25" in anchors(page_of(client, "/codex/hexwar/?q=hw-25"))


def test_house_rules_can_be_read_alone(client: Client) -> None:
    found = anchors(page_of(client, "/codex/hexwar/?kind=house"))
    assert found
    assert all(rule.startswith("HWH-") for rule in found)


def test_words_that_no_rule_holds_say_so(client: Client) -> None:
    page = page_of(client, "/codex/hexwar/?q=zeppelin")
    assert not anchors(page)
    assert "No rule holds these words" in page


def test_typing_swaps_the_list_alone(client: Client) -> None:
    response = client.get("/codex/hexwar/?q=fort", headers={"HX-Request": "true"})
    assert response.content.decode().strip().startswith('<div id="rules">')


def test_an_unknown_game_or_edition_names_the_known_ones(client: Client) -> None:
    for url in ("/codex/chess/", "/codex/hexwar/hexwar-0"):
        response = client.get(url)
        assert response.status_code == 404
        assert "hexwar" in response.content.decode()


def test_pages_answer_with_and_without_the_last_slash(client: Client) -> None:
    game, edition = EDITIONS[0]
    for url in ("/codex", f"/codex/{game}", f"/codex/{game}/{edition}"):
        assert client.get(url).status_code == client.get(url + "/").status_code == 200


def test_rules_are_grouped_by_section_in_order() -> None:
    rules = [
        Rule("A-1", "One", section="First"),
        Rule("A-2", "Two", section="Then"),
        Rule("A-3", "Three", section="First"),
    ]
    parts = codex.sections(rules)
    assert [(part.title, [rule.id for rule in part.rules]) for part in parts] == [
        ("First", ["A-1", "A-3"]),
        ("Then", ["A-2"]),
    ]


def test_a_table_is_written_for_people() -> None:
    class Small:
        tables = {
            "build_costs": [
                {"id": "farm", "cost": 150, "terrain": ["grassland", "hill"], "by_sea": False, "next_to": []}
            ]
        }

    (table,) = codex.tables_of(Small())
    assert table.name == "build costs"
    assert table.head == ("id", "cost", "terrain", "by sea", "next to")
    assert table.rows == (("farm", "150", "grassland, hill", "no", "–"),)


def test_a_rule_text_cannot_bring_markup_into_the_page() -> None:
    from people.templatetags.annals import codespans

    assert codespans("<b>`a<b`</b>") == "&lt;b&gt;<code>a&lt;b</code>&lt;/b&gt;"
