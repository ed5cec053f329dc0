"""The editions of Robber Knights."""

from __future__ import annotations

from datetime import date

from rulesengine.game import Edition

EDITIONS: tuple[Edition, ...] = (Edition("robber-knights-2005", date(2005, 1, 1)),)
