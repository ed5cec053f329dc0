from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from uuid import UUID

import pytest
from django.template.loader import render_to_string

from people.templatetags.annals import COLOURS, METALS, crest_svg, folded

REPORT = {
    "game": "hexwar",
    "edition": "hexwar-1",
    "findings": [
        {
            "line": 5,
            "seq": 4,
            "type": "unit_moved",
            "seat": "A",
            "kind": "irregular",
            "rule": "HW-08",
            "message": "Too <far>.",
            "follows": None,
        },
        {
            "line": 6,
            "seq": 5,
            "type": "unit_moved",
            "seat": "A",
            "kind": "impossible",
            "rule": "HWH-43",
            "message": "No such unit.",
            "follows": 4,
        },
        {
            "line": 7,
            "seq": 6,
            "type": "unit_moved",
            "seat": "A",
            "kind": "impossible",
            "rule": "HWH-43",
            "message": "No such unit.",
            "follows": 5,
        },
        {
            "line": 9,
            "seq": None,
            "type": None,
            "seat": None,
            "kind": "form",
            "rule": None,
            "message": "Not JSON.",
            "follows": None,
        },
    ],
}


def test_a_crest_is_always_the_same_for_the_same_person() -> None:
    assert crest_svg("a") == crest_svg("a")


def test_a_thousand_persons_have_a_thousand_crests() -> None:
    assert len({crest_svg(str(UUID(int=number))) for number in range(1000)}) > 990


def test_a_crest_is_well_formed_and_keeps_to_the_tinctures() -> None:
    for number in range(200):
        svg = crest_svg(str(number))
        ElementTree.fromstring(svg)
        assert set(re.findall(r'fill="(#[0-9a-f]+)"', svg)) <= {*METALS.values(), *COLOURS.values()}


def test_metal_lies_on_colour_and_colour_on_metal() -> None:
    for number in range(200):
        fills = re.findall(r'<path d="[^"]+"(?: transform="[^"]+")? fill="(#[0-9a-f]+)"', crest_svg(str(number)))
        field, charge = fills[0], fills[-1]
        assert (field in METALS.values()) != (charge in METALS.values())


def test_a_crest_with_a_label_is_a_picture_and_one_without_is_an_ornament() -> None:
    assert 'aria-hidden="true"' in crest_svg("a")
    assert 'role="img" aria-label="Crest of &lt;Ada&gt;"' in crest_svg("a", label="Crest of <Ada>")


def test_findings_fold_under_the_first_they_follow_from() -> None:
    top = folded(REPORT["findings"])
    assert [(finding["line"], [one["line"] for one in finding["followers"]]) for finding in top] == [
        (5, [6, 7]),
        (9, []),
    ]


def test_a_report_links_each_finding_to_its_rule_and_escapes_what_the_file_said() -> None:
    page = render_to_string("components/report.html", {"report": REPORT})
    assert 'href="/codex/hexwar/hexwar-1#HW-08"' in page
    assert "Too &lt;far&gt;." in page
    assert "2 more findings would vanish" in page


def test_a_clean_report_says_so() -> None:
    assert "Every line holds" in render_to_string("components/report.html", {"report": {"findings": []}})


@pytest.mark.parametrize("path", ["css/annals.css"])
def test_the_style_sheet_balances_its_braces_and_loads_nothing(path: str, settings) -> None:
    sheet = (settings.BASE_DIR / "static" / path).read_text()
    assert sheet.count("{") == sheet.count("}")
    assert "url(" not in sheet
    assert "@import" not in sheet
