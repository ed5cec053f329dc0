"""How lists of the API come in pages."""

from __future__ import annotations

from rest_framework.pagination import LimitOffsetPagination


class Pages(LimitOffsetPagination):
    """`limit` and `offset`, at most 200 at once."""

    default_limit = 50
    max_limit = 200
