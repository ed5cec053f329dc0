"""The editions of the hex war game."""

from __future__ import annotations

from datetime import date

from rulesengine.game import Edition

EDITIONS: tuple[Edition, ...] = (Edition("hexwar-1", date(2026, 11, 28)),)
