"""Where the Codex is found. Every finding links to a rule's anchor on the page of its edition."""

from __future__ import annotations

from django.urls import re_path

from matches import codex

GAME = r"(?P<game>[a-z0-9_-]+)"
EDITION = r"(?P<edition>[A-Za-z0-9._-]+)"

urlpatterns = [
    re_path(r"^codex/?$", codex.codex_index, name="codex-index"),
    re_path(rf"^codex/{GAME}/?$", codex.codex, name="codex-game"),
    re_path(rf"^codex/{GAME}/compare/?$", codex.codex_compare, name="codex-compare"),
    re_path(rf"^codex/{GAME}/open/?$", codex.codex_open, name="codex-open"),
    re_path(rf"^codex/{GAME}/{EDITION}/?$", codex.codex, name="codex"),
    re_path(rf"^codex/{GAME}/{EDITION}/(?P<rule>[A-Za-z0-9_-]+)/?$", codex.codex_rule, name="codex-rule"),
]
