"""/health/ says that the process lives, /health/ready/ whether the site does its work."""

from __future__ import annotations

import shutil
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from career.selectors import follower_lag
from config import celery
from matches.models import Job

# Beyond these the site is not ready: seconds, and bytes.
MOST_QUEUE_AGE = 120
MOST_LAG = 120
MOST_JOB_AGE = 3600
LEAST_DISK = 200_000_000


@never_cache
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as the process can answer at all; asks nobody."""
    return JsonResponse({"status": "alive"})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 if the site does its work, else 503; either way with each figure and whether it is good."""
    checks: dict[str, dict[str, Any]] = {}
    try:
        with connection.cursor() as cursor:
            cursor.execute("select 1")
        checks["database"] = {"ok": True}
        age = celery.queue_age()
        checks["queue"] = {"ok": age is None or age < MOST_QUEUE_AGE, "oldest_seconds": age}
        lag = follower_lag()
        checks["follower"] = {"ok": lag.seconds < MOST_LAG, "entries": lag.entries, "seconds": round(lag.seconds, 1)}
        checks["jobs"] = _jobs()
    except DatabaseError as error:
        checks["database"] = {"ok": False, "error": type(error).__name__}
    free = shutil.disk_usage(settings.VAR if settings.VAR.exists() else settings.BASE_DIR).free
    checks["disk"] = {"ok": free > LEAST_DISK, "free_bytes": free}
    is_ready = all(check["ok"] for check in checks.values())
    return JsonResponse(
        {"status": "ready" if is_ready else "not ready", "checks": checks}, status=200 if is_ready else 503
    )


def _jobs() -> dict[str, Any]:
    """Return the age of the oldest job that is neither done nor given up."""
    oldest = (
        Job.objects.filter(state__in=(Job.State.NEW, Job.State.RUNNING))
        .order_by("created_at")
        .values_list("created_at", flat=True)
        .first()
    )
    age = max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0
    return {"ok": age < MOST_JOB_AGE, "oldest_seconds": round(age, 1)}
