"""Log lines as JSON, each with the id of the request (or task) it belongs to."""

from __future__ import annotations

import json
import logging
import re
import time
import traceback
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponseBase

request_id: ContextVar[str] = ContextVar("request_id", default="")
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}\Z")
_log = logging.getLogger("annals.request")


class JsonFormatter(logging.Formatter):
    """One line, one object: time, level, logger, message, request; and what the caller gave as `extra={"more": {…}}`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if known := request_id.get():
            line["request"] = known
        line.update(getattr(record, "more", {}))
        if record.exc_info:
            line["error"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, default=str, ensure_ascii=False)


class RequestIdMiddleware:
    """Give each request an id (the reverse proxy's, if it sent a fit one), log it when answered, and send it back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        known = given if _ID.match(given) else uuid.uuid4().hex
        request.id = known  # type: ignore[attr-defined]
        token, begun = request_id.set(known), time.perf_counter()
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = known
            if not request.path.startswith(("/static/", "/health/")):
                took = round((time.perf_counter() - begun) * 1000, 1)
                more = {"method": request.method, "path": request.path, "status": response.status_code, "ms": took}
                _log.info("%s %s %s", request.method, request.path, response.status_code, extra={"more": more})
            return response
        finally:
            request_id.reset(token)
