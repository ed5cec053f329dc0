from __future__ import annotations

import html
import json
import re
from datetime import date

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from matches import citations, codex, services
from matches.models import Citation, Match
from people.models import Person
from rulesengine import notation, registry
from rulesengine import replay as engine
from rulesengine.game import Rule
from rulesengine.log import Line, Log
from rulesengine.play import play

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
    for url in (
        "/codex/chess/",
        "/codex/hexwar/hexwar-0",
        "/codex/chess/compare/",
        "/codex/hexwar/compare/?from=hexwar-0",
        "/codex/hexwar/hexwar-0/HW-01/",
        "/codex/chess/open/",
    ):
        response = client.get(url)
        assert response.status_code == 404
        assert "hexwar" in response.content.decode()


def test_an_unknown_rule_names_the_first_and_the_last(client: Client) -> None:
    response = client.get("/codex/kingsquare/KS-V5/KS-99/")
    assert response.status_code == 404
    assert "KS-01 to U-7" in response.content.decode()


def test_pages_answer_with_and_without_the_last_slash(client: Client) -> None:
    game, edition = EDITIONS[0]
    first = registry.get(edition).rules[0].id
    for url in (
        "/codex",
        f"/codex/{game}",
        f"/codex/{game}/compare",
        f"/codex/{game}/{edition}",
        f"/codex/{game}/{edition}/{first}",
    ):
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


def test_amounts_in_a_table_stand_before_their_names() -> None:
    (advisors,) = [one for one in codex.tables_of(registry.get("kingsburg-2007")) if one.name == "advisors"]
    helps = {row[1]: row[2] for row in advisors.rows}
    assert helps["alchemist"] == "-1 gold, 1 wood, 1 stone; 1 gold, -1 wood, 1 stone; 1 gold, 1 wood, -1 stone"
    assert helps["astronomer"] == "1 any, 1 plus two"
    assert helps["general"] == "2 soldiers, peek"


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_no_table_shows_how_the_engine_keeps_it(game: str, edition: str) -> None:
    cells = [cell for table in codex.tables_of(registry.get(edition)) for row in table.rows for cell in row]
    assert [cell for cell in cells if any(sign in cell for sign in "{}[]'")] == []


def test_the_rule_that_a_malformed_entry_breaks_does_not_say_that_it_refuses_nothing(client: Client) -> None:
    for address in ("/codex/kingsburg/kingsburg-2007/KB-08", "/codex/kingsburg?q=KB-08"):
        assert "refuses nothing" not in page_of(client, address)
    assert "refuses nothing" in page_of(client, "/codex/kingsburg/kingsburg-2007/KB-144")


def test_a_rule_text_cannot_bring_markup_into_the_page() -> None:
    from people.templatetags.annals import codespans

    assert codespans("<b>`a<b`</b>") == "&lt;b&gt;<code>a&lt;b</code>&lt;/b&gt;"


def prose(page: str) -> str:
    """Return what a page says, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize(("game", "edition"), EDITIONS)
def test_every_rule_of_an_edition_has_its_own_page(client: Client, game: str, edition: str) -> None:
    rules = registry.get(edition).rules
    page = page_of(client, f"/codex/{game}/{edition}/")
    for rule in rules:
        assert f'href="/codex/{game}/{edition}/{rule.id}"' in page
    for rule in rules[::7]:
        told = prose(page_of(client, f"/codex/{game}/{edition}/{rule.id}"))
        assert rule.text.replace("`", "").split(".")[0] in told
        assert rule.section in told


def test_a_rule_shows_its_history_as_a_timeline(client: Client) -> None:
    page = page_of(client, "/codex/kingsquare/KS-V5/KS-28/")
    told = prose(page)
    assert page.count('<time datetime="2026-07-1') == 2
    assert "July 10, 2026 R-03 Forger opened KS-V4 Before There was no chain of levels" in told
    assert "July 12, 2026 R-06 Deep Audit Q1 opened KS-V5 Before The chain of levels of 2026-07-10." in told
    assert told.index("R-03") < told.index("R-06")


def test_a_change_without_a_date_says_so(client: Client) -> None:
    told = prose(page_of(client, "/codex/kingsquare/KS-V5/KS-75/"))
    assert "July 12, 2026 U-01 changed without a ruling or a date" in told
    assert "A poker chip stood for 10 strength." in told


def test_a_rule_without_a_history_says_so(client: Client) -> None:
    assert "No change is known" in page_of(client, "/codex/kingsquare/KS-V5/KS-01/")
    assert "No change is known" in page_of(client, "/codex/hexwar/hexwar-1/HW-01/")


def test_an_older_edition_says_what_held_in_it(client: Client) -> None:
    before = "2 Action Points and one for each level of the player's Embassy, without a limit."
    assert f"What held in KS-V3 {before} Changed on July 12, 2026 (R-08)." in prose(
        page_of(client, "/codex/kingsquare/KS-V3/KS-22/")
    )
    assert "What held in" not in prose(page_of(client, "/codex/kingsquare/KS-V5/KS-22/"))
    entry = prose(page_of(client, "/codex/kingsquare/KS-V3/?q=KS-22"))
    assert f"In this edition: {before}" in entry
    assert "In this edition:" not in prose(page_of(client, "/codex/kingsquare/KS-V5/"))


def test_what_was_only_confirmed_is_not_said_to_differ(client: Client) -> None:
    assert "What held in KS-V3" in prose(page_of(client, "/codex/kingsquare/KS-V3/KS-31/"))
    assert "What held in" not in prose(page_of(client, "/codex/kingsquare/KS-V4/KS-31/"))


def test_a_house_rule_shows_its_parameters_with_their_defaults(client: Client) -> None:
    told = prose(page_of(client, "/codex/kingsquare/KS-V5/KSH-26/"))
    assert "House rule" in told
    assert "move.army_ft10 50 a whole number from 10 to 200" in told
    assert "move.ship_ft10 100 a whole number from 10 to 200" in told
    assert "Parameter move.army_ft10 = 50" in prose(page_of(client, "/codex/kingsquare/KS-V5/?q=KSH-26"))


def test_a_rule_shows_its_figures_in_every_edition(client: Client) -> None:
    told = prose(page_of(client, "/codex/kingsquare/KS-V2/KS-54/"))
    assert "forge.combat_cap 10 5 5 5 5" in told


def test_the_question_that_would_retire_a_house_rule_stands_on_its_page(client: Client) -> None:
    told = prose(page_of(client, "/codex/kingsquare/KS-V5/KSH-08/"))
    assert "Asked of the publisher Q-07 Is the +5 of the Embassies counted for each Kingdom?" in told
    assert "A contradiction C-6" in told


def test_all_that_is_open_is_on_one_page(client: Client) -> None:
    page = page_of(client, "/codex/kingsquare/open/")
    ruleset = registry.get("KS-V5")
    ids = anchors(page)
    assert ids == [one.id for one in (*ruleset.questions, *ruleset.contradictions)]
    for one in (*ruleset.questions, *ruleset.contradictions):
        for rule in one.rules:
            assert f'href="/codex/kingsquare/KS-V5/{rule}"' in page
    assert "Open questions" in page_of(client, "/codex/kingsquare/")
    assert client.get("/codex/hexwar/open/").status_code == 404
    assert "Open questions" not in page_of(client, "/codex/hexwar/")


def test_two_editions_stand_side_by_side(client: Client) -> None:
    page = page_of(client, "/codex/kingsquare/compare/?from=KS-V2&to=KS-V3")
    told = prose(page)
    assert 'fabric.enabled "no" "yes" KS-76' in told
    assert told.count("R-02") == 1
    assert "R-01" not in told
    assert "R-03" not in told
    assert "Connected buildings lent a Castle nothing." in told


def test_the_order_of_the_two_does_not_matter(client: Client) -> None:
    one = page_of(client, "/codex/kingsquare/compare/?from=KS-V1&to=KS-V4")
    other = page_of(client, "/codex/kingsquare/compare/?from=KS-V4&to=KS-V1")
    assert prose(one) == prose(other)
    assert [ruling for ruling in ("R-01", "R-02", "R-03", "R-05", "U-07") if ruling not in one] == []
    assert "R-06" not in one


def test_without_a_choice_the_edition_in_force_is_compared_with_the_one_before(client: Client) -> None:
    page = page_of(client, "/codex/kingsquare/compare/")
    assert '<option value="KS-V4" selected>' in page
    assert '<option value="KS-V5" selected>' in page
    for figure in codex.figures_of([registry.get("KS-V4"), registry.get("KS-V5")]):
        assert (f"<code>{figure.name}</code>" in page) == figure.differs


def test_an_edition_compared_with_itself_shows_that_nothing_changed(client: Client) -> None:
    for url in ("/codex/kingsquare/compare/?from=KS-V3&to=KS-V3", "/codex/hexwar/compare/"):
        assert "Nothing changed" in page_of(client, url)


def test_a_rule_worded_anew_shows_both_texts() -> None:
    class Old:
        rules = (Rule("A-1", "One."), Rule("A-2", "Two."), Rule("A-3", "Three."))

    class New:
        rules = (Rule("A-1", "One."), Rule("A-2", "Two, now."), Rule("A-4", "Four."))

    assert [(one.id, one.before, one.after) for one in codex.reworded(Old(), New())] == [
        ("A-2", "Two.", "Two, now."),
        ("A-4", "", "Four."),
        ("A-3", "Three.", ""),
    ]


def test_the_first_edition_holds_before_the_second_and_has_no_day_of_its_own(client: Client) -> None:
    page = page_of(client, "/codex/kingsquare/KS-V1/")
    assert "in force before July 2, 2026" in page
    assert "Before July 2, 2026" in prose(page)
    assert "January 1, 1" not in page


def test_an_edition_shows_its_ladder(client: Client) -> None:
    assert "5 master craftsmanship hangar" in prose(page_of(client, "/codex/kingsquare/KS-V5/"))
    assert "5 hangar plane" in prose(page_of(client, "/codex/kingsquare/KS-V3/"))


# Where rules are cited


def test_a_ruling_that_names_a_rule_is_listed_with_its_entry(client: Client, match: Match, owner: Person) -> None:
    ruled = services.ruling_give(match=match, question="May it?", decision="It may.", by=owner, rule=" hw-25 ")
    page = page_of(client, "/codex/hexwar/hexwar-1/HW-25/")
    assert f'href="/matches/{match.pk}?at={ruled.seq}#replay"' in page
    assert "A ruling was given by it" in page
    assert "It may." not in page
    assert str(match.pk) not in page_of(client, "/codex/hexwar/hexwar-1/HW-24/")


def test_a_ruling_that_names_no_rule_of_the_game_is_not_listed(match: Match, owner: Person) -> None:
    for rule in ("", "KS-40", "see page 4"):
        match = services.ruling_give(match=match, question="May it?", decision="It may.", by=owner, rule=rule)
    assert not Citation.objects.exists()


def test_a_voided_ruling_is_cited_no_more(match: Match, owner: Person) -> None:
    match = services.ruling_give(match=match, question="May it?", decision="It may.", by=owner, rule="HW-25")
    assert [one.rule for one in Citation.objects.all()] == ["HW-25"]
    services.event_void(match=match, target_seq=match.seq, reason="given in error", by=owner)
    assert not Citation.objects.exists()


def let_stand(owner: Person) -> Match:
    """Return a match that runs, in which a Peasant was let fortify, which HW-36 forbids."""
    log = play("hexwar", seed=3)
    told = engine.run(log)
    moved = next(one for one in told.carried if one.event is not None and one.event.type == "unit_moved")
    assert moved.event is not None
    units = told.ruleset.view(moved.before)["units"]
    seat = moved.event.seat
    peasant = next(key for key, unit in units.items() if (unit["owner"], unit["type"]) == (seat, "peasant"))
    before = tuple(line for line in log.lines if line.seq < moved.seq)
    line = Line(moved.seq, "unit_fortified", seat, json.dumps({"unit": peasant}).encode())
    raw = notation.write(Log(log.header, (*before, line)), "jsonl")
    upload = services.upload_check(by=owner, name="evening.jsonl", raw=raw)
    return services.upload_record(upload=upload, by=owner, accept_irregular=True, reason="both agreed")


def test_what_was_let_stand_cites_the_rule_that_forbids_it_once_the_match_is_over(
    client: Client, owner: Person
) -> None:
    match = let_stand(owner)
    assert [(one.rule, one.kind) for one in Citation.objects.all()] == [("HW-36", "accepted")]
    url = "/codex/hexwar/hexwar-1/HW-36/"
    assert str(match.pk) not in page_of(client, url)  # it runs, and may hide something
    Match.objects.filter(pk=match.pk).update(status=Match.Status.ENDED)
    page = page_of(client, url)
    assert str(match.pk) in page
    assert "It forbids an entry that was let stand" in page
    Match.objects.filter(pk=match.pk).update(status=Match.Status.ANNULLED)
    assert str(match.pk) not in page_of(client, url)


def test_citations_can_be_read_out_of_the_logs_anew(match: Match, owner: Person) -> None:
    services.ruling_give(match=match, question="May it?", decision="It may.", by=owner, rule="HW-25")
    kept = list(Citation.objects.values_list("match", "seq", "rule", "kind"))
    Citation.objects.all().delete()
    call_command("cite")
    assert list(Citation.objects.values_list("match", "seq", "rule", "kind")) == kept != []


def cite(match: Match, rule: str, times: int) -> None:
    Citation.objects.bulk_create(
        Citation(match=match, seq=seq, rule=rule, kind=Citation.Kind.RULING) for seq in range(1, times + 1)
    )


def test_a_rule_page_lists_its_matches_page_by_page(client: Client, match: Match) -> None:
    cite(match, "HW-25", 45)
    first = page_of(client, "/codex/hexwar/hexwar-1/HW-25/")
    last = page_of(client, "/codex/hexwar/hexwar-1/HW-25/?page=3")
    assert first.count("#replay") == 20
    assert last.count("#replay") == 5
    assert "45 entries of matches on record" in first
    assert "Page 3 of 3" in last


def test_a_rule_page_asks_as_many_questions_for_twenty_matches_as_for_one(
    client: Client, match: Match, django_assert_max_num_queries
) -> None:
    cite(match, "HW-25", 1)
    for _ in range(19):
        copy = Match.objects.create(
            game=match.game, edition=match.edition, status=match.status, played_on=match.played_on
        )
        for seat in match.seats.all():
            copy.seats.create(seat=seat.seat, position=seat.position, person=seat.person, sheet_name=seat.sheet_name)
        cite(copy, "HW-25", 1)
    page_of(client, "/codex/hexwar/hexwar-1/HW-25/")
    with django_assert_max_num_queries(8):
        page = page_of(client, "/codex/hexwar/hexwar-1/HW-25/")
    assert page.count("#replay") == 20


def test_the_list_of_citations_follows_an_index(match: Match, db: None) -> None:
    from django.db import connection

    cite(match, "HW-25", 5)
    with connection.cursor() as cursor:
        cursor.execute("set local enable_seqscan = off")
    assert "citation_of_rule" in citations.citations_of("hexwar", "HW-25").explain()


def test_a_private_name_is_not_shown_to_strangers(client: Client, owner: Person) -> None:
    hidden = Person.objects.create(display_name="Hedda Unseen", privacy=Person.Privacy.HIDDEN)
    match = let_stand(owner)
    match.seats.filter(seat="A").update(person=hidden, linked=True, sheet_name="Hedda Unseen")
    Match.objects.filter(pk=match.pk).update(status=Match.Status.ENDED)
    page = page_of(client, "/codex/hexwar/hexwar-1/HW-36/")
    assert str(match.pk) in page
    assert "Hedda" not in page
