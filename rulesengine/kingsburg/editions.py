"""The editions of Kingsburg."""

from __future__ import annotations

from datetime import date

from rulesengine.game import Edition

EDITIONS: tuple[Edition, ...] = (Edition("kingsburg-2007", date(2007, 1, 1)),)
