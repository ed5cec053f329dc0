"""What is asked of every request before a view sees it."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase


class NoNullMiddleware:
    """Answer 400 to an address with a NUL character: no text of the database can hold one, so nothing is ever found by it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "%00" in request.META.get("QUERY_STRING", "") or "\0" in request.META.get("QUERY_STRING", "") + request.path:
            raise SuspiciousOperation("The address holds a NUL character.")
        return self.get_response(request)
