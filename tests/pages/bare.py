"""The pseudo-language: every text that went through gettext in brackets, and what of a page stands outside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from unittest.mock import patch

from django.utils import translation

LANGUAGE = "xx"
SAID_ATTRIBUTES = ("title", "alt", "aria-label", "placeholder", "data-label", "label", "aria-description")
NOT_PROSE = {"script", "style", "code", "kbd", "pre", "samp"}
VOID = {"meta", "link", "br", "hr", "img", "input", "wbr", "source", "path", "circle", "rect", "line", "use", "polygon"}
WORD = re.compile(r"[A-Za-z]{2,}")
# Addresses, handles, file names, the beginning of an id, the ids of rules and badges.
DATA = re.compile(
    r"\S+@\S+|@[a-z0-9_-]+|\S*\.(?:jsonl|txt|csv|zip)\b|\b[0-9a-f]{8,64}\b|\b[A-Z]{2,4}(?:-[A-Z]{1,2})?-\d+\b"
)


def bracket(text: object) -> str:
    """Return a text of the pseudo-language."""
    return f"⟦{text}⟧"


def outside(text: str, depth: int = 0) -> tuple[str, int]:
    """Return what of a text stands outside the brackets, begun `depth` brackets deep, and how deep it ends."""
    kept = []
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        if depth == 0:
            kept.append(" " if sign == "⟧" else sign)
    return "".join(kept), depth


@contextmanager
def pseudo_language() -> Iterator[None]:
    """Make gettext answer every text with itself in brackets, in a language called `xx`."""
    backend = translation._trans  # type: ignore[attr-defined]
    backend.gettext  # noqa: B018 – the back end loads itself when first asked
    with (
        patch.object(backend, "gettext", bracket),
        patch.object(backend, "ngettext", lambda one, many, number: bracket(one if number == 1 else many)),
        patch.object(backend, "pgettext", lambda context, text: bracket(text)),
        patch.object(backend, "npgettext", lambda context, one, many, number: bracket(one if number == 1 else many)),
        patch.object(backend, "get_language", lambda: LANGUAGE, create=True),
        patch.object(backend, "activate", lambda language: None, create=True),
        patch.object(backend, "deactivate", lambda: None, create=True),
    ):
        yield


class _Said(HTMLParser):
    """Collects what a page says in the language of its interface."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = [("", True)]
        self.said: list[str] = []
        self.depth = 0  # a translated text may hold elements

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        counts = self.open[-1][1]
        if tag in NOT_PROSE:
            counts = False
        if "lang" in attributes:
            counts = attributes["lang"] == LANGUAGE
        if counts:
            self.said += [outside(value)[0] for name in SAID_ATTRIBUTES if (value := attributes.get(name))]
            if tag == "input" and attributes.get("type") in ("submit", "button", "reset"):
                self.said.append(attributes.get("value") or "")
        if tag not in VOID:
            self.open.append((tag, counts))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self.open) - 1, 0, -1):
            if self.open[place][0] == tag:
                del self.open[place:]
                return

    def handle_data(self, data: str) -> None:
        rest, self.depth = outside(data, self.depth)
        if self.open[-1][1]:
            self.said.append(rest)


def bare_texts(page: str, data: frozenset[str] = frozenset()) -> list[str]:
    """Return the texts of a page that never went through gettext.

    Not counted: what stands in an element of another language (rule texts are ``lang="en"``), code, numbers, and the
    words of `data`: names, handles, keys and ids.
    """
    parser = _Said()
    parser.feed(page)
    parser.close()
    found = []
    for text in parser.said:
        rest = DATA.sub(" ", text)
        for known in sorted(data, key=len, reverse=True):
            rest = rest.replace(known, " ")
        if WORD.search(rest):
            found.append(" ".join(text.split()))
    return found
