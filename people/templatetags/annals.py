"""Template tags of the whole site: crests, chips, links to rules, findings folded under the one they follow from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django import template
from django.template.context import RequestContext
from django.urls import NoReverseMatch, reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy

register = template.Library()

METALS = {"or": "#e0b13a", "argent": "#f3f4f6"}
COLOURS = {"azure": "#2456a4", "gules": "#a92a31", "vert": "#26734a", "purpure": "#6c3d96", "sable": "#2d323d"}

OUTLINE = "M1 1H49V30C49 44 39 52 25 59C11 52 1 44 1 30Z"
DIVISIONS = (
    "",
    "M25 0H50V60H25Z",  # per pale
    "M0 30H50V60H0Z",  # per fess
    "M0 0V60H50Z",  # per bend
    "M50 0V60H0Z",  # per bend sinister
    "M25 22L50 47V60H0V47Z",  # per chevron
    "M25 0H50V30H25ZM0 30H25V60H0Z",  # quarterly
    "M0 0H50L0 60H50Z",  # per saltire
)
ORDINARIES = (
    "M0 0H50V16H0Z",  # chief
    "M18 0H32V60H18Z",  # pale
    "M0 23H50V37H0Z",  # fess
    "M0 0H9L50 49V60H41L0 11Z",  # bend
    "M50 0H41L0 49V60H9L50 11Z",  # bend sinister
    "M25 17L50 42V55L25 30L0 55V42Z",  # chevron
    "M19 0H31V21H50V33H31V60H19V33H0V21H19Z",  # cross
    "M0 0H8L25 20L42 0H50V8L31 27L50 52V60H42L25 36L8 60H0V52L19 27L0 8Z",  # saltire
    "M0 0H50V60H0ZM6 6V31C6 41 14 47 25 53C36 47 44 41 44 31V6Z",  # bordure
    "M0 0L25 30L50 0Z",  # pile
)
# Charges are drawn about (0, 0) and 16 units wide.
CHARGES = (
    "M0-8L2 -2.500H8L3.200 1.200L5 7.500L0 3.800L-5 7.500L-3.200 1.200L-8-2.500H-2Z",  # mullet
    "M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z",  # roundel
    "M0-8L6.500 0L0 8L-6.500 0Z",  # lozenge
    "M-8-3A8 8 0 1 0 8-3A6.500 6 0 1 1-8-3Z",  # crescent
    "M-7 8V-7H-3.500V-4H-1.800V-7H1.800V-4H3.500V-7H7V8H2V2H-2V8Z",  # tower
    "M-2.200-8H2.200V-2.200H8V2.200H2.200V8H-2.200V2.200H-8V-2.200H-2.200Z",  # cross couped
    "M-7-7H7V0C7 4 4 6.500 0 8C-4 6.500-7 4-7 0Z",  # inescutcheon
    "M-8-7L0-3L8-7L5 7H-5Z",  # crown
    "M-1.500-8H1.500V2H5V4.500H1.500V8H-1.500V4.500H-5V2H-1.500Z",  # sword
    "M0-8C3-4 8-3 8 1C8 4 5 5 3 3.500C2.500 6 3 7 4 8H-4C-3 7-2.500 6-3 3.500C-5 5-8 4-8 1C-8-3-3-4 0-8Z",  # leaf
)
ALONE = (  # x, y and size of each charge on a plain or divided field
    ((25, 28, 1.5),),
    ((14, 17, 0.85), (36, 17, 0.85), (25, 41, 0.85)),
    ((25, 15, 0.9), (25, 40, 0.9)),
    ((14, 24, 0.9), (36, 24, 0.9)),
    ((13, 14, 0.6), (37, 14, 0.6), (25, 27, 0.6), (15, 39, 0.6), (35, 39, 0.6)),
)
BESIDE_AN_ORDINARY = (
    ((25, 28, 1.0),),
    ((13, 15, 0.62), (37, 15, 0.62), (25, 44, 0.62)),
    ((13, 15, 0.62),),
    ((37, 15, 0.62), (13, 38, 0.62)),
    ((25, 46, 0.7),),
)


def crest_svg(key: str, *, label: str = "", size: str = "") -> SafeString:
    """Return a shield as SVG, always the same for the same key and hardly ever the same for two.

    The rule of tincture is kept: an ordinary of metal lies on a field of colour, or the other way round. With a `label` the
    crest is a picture of its own; without one it is an ornament beside a name.
    """
    die = int.from_bytes(hashlib.sha256(f"crest {key}".encode()).digest())

    def throw(sides: int) -> int:
        nonlocal die
        die, fallen = divmod(die, sides)
        return fallen

    grounds, tops = (METALS, COLOURS) if throw(2) else (COLOURS, METALS)
    names = list(grounds)
    first = names[throw(len(names))]
    second = names[(names.index(first) + 1 + throw(len(names) - 1)) % len(names)]
    top = list(tops)[throw(len(tops))]
    division, ordinary = DIVISIONS[throw(len(DIVISIONS))], throw(len(ORDINARIES) + 4)
    charge = CHARGES[throw(len(CHARGES))]
    has_ordinary = ordinary < len(ORDINARIES)
    arrangements = BESIDE_AN_ORDINARY if has_ordinary else ALONE
    places = arrangements[throw(len(arrangements))]

    parts = [f'<path d="M0 0H50V60H0Z" fill="{grounds[first]}"/>']
    if division:
        parts.append(f'<path d="{division}" fill="{grounds[second]}"/>')
    if has_ordinary:
        parts.append(f'<path d="{ORDINARIES[ordinary]}" fill="{tops[top]}" fill-rule="evenodd"/>')
    # A charge is seen on whatever it lies on, for it has an edge of the other kind.
    edge = "#1b2130" if tops is METALS else METALS["argent"]
    for x, y, scale in places:
        parts.append(
            f'<path d="{charge}" transform="translate({x} {y}) scale({scale})" fill="{tops[top]}" stroke="{edge}" stroke-width="1.4"/>'
        )
    parts.append(f'<path d="{OUTLINE}" fill="none" stroke="#1b2130" stroke-opacity="0.55" stroke-width="2"/>')
    names_it = format_html(' role="img" aria-label="{}"', label) if label else mark_safe(' aria-hidden="true"')
    css = f"crest {size}".strip()
    drawn = mark_safe("".join(parts))  # noqa: S308 – our own constants and numbers
    return format_html('<svg class="{}" viewBox="0 0 50 60"{} focusable="false">{}</svg>', css, names_it, drawn)


@register.simple_tag
def crest(person: Any, size: str = "", label: str = "") -> SafeString:
    """Return the shield of a person (or of a bare id). Sizes: "" (beside a name), "large", "huge"."""
    return crest_svg(str(getattr(person, "pk", person)), size=size, label=label)


@register.simple_tag(takes_context=True)
def nav_link(context: RequestContext, url_name: str, label: str, family: str = "") -> SafeString | str:
    """Return a list item that leads to a page, marked as current on the pages whose URL name begins with `family`.

    Nothing where the installation has no such page.
    """
    try:
        url = reverse(url_name)
    except NoReverseMatch:
        return ""
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    current = bool(family and match and match.url_name and match.url_name.startswith(family))
    mark = mark_safe(' aria-current="page"') if current else ""
    return format_html('<li><a href="{}"{}>{}</a></li>', url, mark, label)


STATUS = {
    "scheduled": ("argent", gettext_lazy("Scheduled")),
    "running": ("azure", gettext_lazy("Running")),
    "ended": ("or", gettext_lazy("Provisional")),
    "confirmed": ("vert", gettext_lazy("Confirmed")),
    "abandoned": ("sable", gettext_lazy("Abandoned")),
    "annulled": ("gules", gettext_lazy("Annulled")),
    "void": ("gules", gettext_lazy("Void")),
}
DEPTH = {
    "log": ("azure", gettext_lazy("Replayable log")),
    "score": ("argent", gettext_lazy("Score only")),
    "import": ("argent", gettext_lazy("Imported result")),
}
KIND = {
    "irregular": ("or", gettext_lazy("Irregular")),
    "impossible": ("gules", gettext_lazy("Impossible")),
    "form": ("purpure", gettext_lazy("Form")),
    "observed": ("azure", gettext_lazy("Differs from what the table saw")),
}


def _chip(table: Mapping[str, tuple[str, Any]], value: str) -> SafeString:
    tincture, label = table.get(value, ("argent", value))
    return format_html('<span class="chip" data-tincture="{}">{}</span>', tincture, label)


@register.simple_tag
def status_chip(status: str) -> SafeString:
    """Return the chip of a match's status."""
    return _chip(STATUS, status)


@register.simple_tag
def depth_chip(depth: str) -> SafeString:
    """Return the chip of a match's depth."""
    return _chip(DEPTH, depth)


@register.filter
def kind_tincture(kind: str) -> str:
    """Return the tincture of a kind of finding."""
    return KIND.get(kind, ("argent", ""))[0]


@register.filter
def kind_name(kind: str) -> str:
    """Return the name of a kind of finding."""
    return str(KIND.get(kind, ("argent", kind))[1])


@register.simple_tag
def rule_link(rule: str, game: str = "", edition: str = "") -> SafeString:
    """Return a link to a rule in the Codex: in its edition where the edition is known, else the bare id."""
    try:
        url = reverse("codex", args=[game, edition]) if edition else reverse("codex-game", args=[game])
    except NoReverseMatch:
        return format_html('<span class="rule">{}</span>', rule)
    return format_html(
        '<a class="rule" href="{}#{}" aria-label="{}">{}</a>',
        url,
        rule,
        gettext("Rule %(rule)s") % {"rule": rule},
        rule,
    )


@register.filter
def folded(findings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return findings in order with those that follow from an earlier one as its `followers`.

    A chain folds under its first; a finding that follows from a line without a finding of its own stands by itself.
    """
    top: list[dict[str, Any]] = []
    by_seq: dict[int, dict[str, Any]] = {}
    for finding in findings:
        row = {**finding, "followers": []}
        head = by_seq.get(finding.get("follows") or -1)
        if head is not None:
            head["followers"].append(row)
        else:
            top.append(row)
        if finding.get("seq") is not None:
            by_seq.setdefault(finding["seq"], head or row)
    return top


@register.filter
def codespans(text: str) -> SafeString:
    """Return plain text with what stands in `backticks` marked as code."""
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", conditional_escape(text)))  # noqa: S308 – escaped before


@register.filter
def short_id(value: UUID | str) -> str:
    """Return the first eight characters of an id, for people to tell entries apart."""
    return str(value)[:8]
