"""Where the Codex is found. Every finding links to a rule's anchor on the page of its edition."""

from __future__ import annotations

from django.urls import re_path

from matches import codex

urlpatterns = [
    re_path(r"^codex/?$", codex.codex_index, name="codex-index"),
    re_path(r"^codex/(?P<game>[a-z0-9_-]+)/?$", codex.codex, name="codex-game"),
    re_path(r"^codex/(?P<game>[a-z0-9_-]+)/(?P<edition>[a-z0-9._-]+)/?$", codex.codex, name="codex"),
]
