"""The page on which whoever owns the site sees whether it works: jobs, careers, mails, database, versions."""

from __future__ import annotations

import platform
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from uuid import UUID

import django
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import connection, transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from career import selectors as careers
from career import tasks as career_tasks
from career.models import Poisoned
from config import celery
from config.context import is_owner
from matches import tasks as match_tasks
from matches.models import Job
from people import tasks as people_tasks
from people.models import OutboxMail

JOBS_A_PAGE = 25
STALE = timedelta(minutes=15)
PACKAGES = ("django", "celery", "kombu", "psycopg", "msgspec", "granian", "djangorestframework", "django-allauth")


def _owner_only(request: HttpRequest) -> None:
    if not is_owner(request):
        raise PermissionDenied(_("The page “Operations” is for the owner of the site."))


@never_cache
@require_GET
@login_required
def operations(request: HttpRequest) -> HttpResponse:
    """Show how the site is doing. `?state=` narrows the jobs to one state."""
    _owner_only(request)
    state = request.GET.get("state", "")
    counts = dict(Job.objects.values_list("state").annotate(Count("pk")).order_by())
    jobs = Job.objects.order_by("-created_at")
    if state in Job.State.values:
        jobs = jobs.filter(state=state)
    context = {
        "lag": careers.follower_lag(),
        "queue_age": celery.queue_age(),
        "poisoned": careers.poisoned(),
        "state": state,
        "states": [
            ("", _("All"), sum(counts.values())),
            *((value, label, counts.get(value, 0)) for value, label in Job.State.choices),
        ],
        "page": Paginator(jobs, JOBS_A_PAGE).get_page(request.GET.get("page")),
        "stale": Job.objects.filter(
            state__in=(Job.State.NEW, Job.State.RUNNING), created_at__lt=timezone.now() - STALE
        ).count(),
        "mails": OutboxMail.objects.exclude(state=OutboxMail.State.SENT).order_by("-created_at")[:50],
        "database": _database(),
        "versions": _versions(),
    }
    return render(request, "operations/index.html", context)


@require_POST
@login_required
def job_retry(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Send a failed or stopped job again."""
    _owner_only(request)
    again = Job.objects.filter(pk=job_id, state__in=(Job.State.FAILED, Job.State.STOPPED))
    if again.update(state=Job.State.NEW, error="", tries=0, started_at=None, finished_at=None):
        transaction.on_commit(lambda: match_tasks.job_run.delay(job_id=str(job_id)))
        messages.success(request, _("The job waits for a worker again."))
    else:
        messages.warning(request, _("Only a failed or stopped job can be tried again; this one has moved on."))
    return redirect("operations")


@require_POST
@login_required
def job_stop(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Stop a job: one that waits never starts, one that runs stops at its next step."""
    _owner_only(request)
    if Job.objects.filter(pk=job_id, state__in=(Job.State.NEW, Job.State.RUNNING)).update(
        state=Job.State.STOPPED, finished_at=timezone.now()
    ):
        messages.success(request, _("The job is stopped."))
    else:
        messages.warning(request, _("Only a waiting or running job can be stopped; this one has finished."))
    return redirect("operations")


@require_POST
@login_required
def match_retry(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Read a poisoned match again."""
    _owner_only(request)
    get_object_or_404(Poisoned, pk=match_id)
    transaction.on_commit(lambda: career_tasks.match_retry.delay(match_id=str(match_id)))
    messages.success(
        request,
        _("The match will be read again in a moment. If it fails again, it stays in the list with the new error."),
    )
    return redirect("operations")


@require_POST
@login_required
def mail_retry(request: HttpRequest, mail_id: UUID) -> HttpResponse:
    """Send a mail again."""
    _owner_only(request)
    mail = get_object_or_404(OutboxMail.objects.exclude(state=OutboxMail.State.SENT), pk=mail_id)
    transaction.on_commit(lambda: people_tasks.mail_send.delay(mail_id=str(mail.pk)))
    messages.success(request, _("The mail will be sent again in a moment."))
    return redirect("operations")


def _database() -> dict[str, Any]:
    """Return the size of the database, of the log in it, and about how many entries the log has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_database_size(current_database()), pg_total_relation_size('matches_event'),"
            " (select coalesce(max(position), 0) from matches_event), current_setting('server_version')"
        )
        size, log, entries, server = cursor.fetchone()
    return {"size": size, "log": log, "entries": entries, "server": server}


def _versions() -> list[tuple[str, str]]:
    """Return what runs here, by name and version."""
    found = [("Python", platform.python_version()), ("Django", django.get_version())]
    for package in PACKAGES[1:]:
        try:
            found.append((package, version(package)))
        except PackageNotFoundError:
            continue
    return found
