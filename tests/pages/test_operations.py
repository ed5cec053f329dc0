from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from career.models import Poisoned
from matches.models import Job
from people.models import OutboxMail

pytestmark = pytest.mark.django_db
URL = "/operations/"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict]]:
    """What was sent to the queue: the tasks' names and arguments."""
    from celery.app.task import Task

    calls: list[tuple[str, dict]] = []
    monkeypatch.setattr(
        Task, "apply_async", lambda self, args=None, kwargs=None, **_: calls.append((self.name, kwargs))
    )
    return calls


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    response = client.get(URL)
    assert response.status_code == 302
    assert response.url.startswith(reverse("account_login"))


def test_whoever_does_not_own_the_site_is_told_so(player_browser: Client) -> None:
    response = player_browser.get(URL)
    assert response.status_code == 403
    assert "for the owner of the site" in response.content.decode()


@pytest.mark.parametrize(
    "name", ["operations-job-retry", "operations-job-stop", "operations-match-retry", "operations-mail-retry"]
)
def test_nobody_but_the_owner_presses_its_buttons(client: Client, player_browser: Client, name: str) -> None:
    url = reverse(name, args=[uuid4()])
    assert client.post(url).status_code == 302
    assert player_browser.post(url).status_code == 403
    assert player_browser.get(url).status_code == 405


def test_the_owner_sees_a_quiet_site(owner_browser: Client) -> None:
    page = owner_browser.get(URL).content.decode()
    assert "Every ended match has been read" in page
    assert "Every mail has been sent" in page
    assert "PostgreSQL" in page


def test_jobs_are_listed_by_state(owner_browser: Client) -> None:
    failed = Job.objects.create(kind="upload_check", state=Job.State.FAILED, error="the disk was full")
    Job.objects.create(kind="derive", state=Job.State.DONE)
    page = owner_browser.get(URL + "?state=failed").content.decode()
    assert "the disk was full" in page
    assert reverse("operations-job-retry", args=[failed.pk]) in page
    assert "<code>derive</code>" not in page


def test_a_failed_job_can_be_sent_again(owner_browser: Client, sent, django_capture_on_commit_callbacks) -> None:
    job = Job.objects.create(kind="upload_check", state=Job.State.FAILED, error="…", tries=5)
    with django_capture_on_commit_callbacks(execute=True):
        response = owner_browser.post(reverse("operations-job-retry", args=[job.pk]), follow=True)
    job.refresh_from_db()
    assert (job.state, job.tries, job.error) == ("new", 0, "")
    assert sent == [("matches.tasks.job_run", {"job_id": str(job.pk)})]
    assert "waits for a worker again" in response.content.decode()


def test_a_job_that_is_done_is_not_sent_again(owner_browser: Client, sent, django_capture_on_commit_callbacks) -> None:
    job = Job.objects.create(kind="upload_check", state=Job.State.DONE)
    with django_capture_on_commit_callbacks(execute=True):
        response = owner_browser.post(reverse("operations-job-retry", args=[job.pk]), follow=True)
    job.refresh_from_db()
    assert job.state == "done"
    assert sent == []
    assert "has moved on" in response.content.decode()


@pytest.mark.parametrize(
    ("before", "after"), [("new", "stopped"), ("running", "stopped"), ("done", "done"), ("failed", "failed")]
)
def test_only_an_unfinished_job_can_be_stopped(owner_browser: Client, before: str, after: str) -> None:
    job = Job.objects.create(kind="upload_check", state=before)
    owner_browser.post(reverse("operations-job-stop", args=[job.pk]))
    job.refresh_from_db()
    assert job.state == after


def test_a_poisoned_match_can_be_read_again(owner_browser: Client, sent, django_capture_on_commit_callbacks) -> None:
    match_id = uuid4()
    Poisoned.objects.create(match_id=match_id, error="KeyError: 'b7'")
    assert "KeyError" in owner_browser.get(URL).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        owner_browser.post(reverse("operations-match-retry", args=[match_id]))
    assert sent == [("career.tasks.match_retry", {"match_id": str(match_id)})]


def test_a_mail_that_failed_can_be_sent_again(owner_browser: Client, sent, django_capture_on_commit_callbacks) -> None:
    mail = OutboxMail.objects.create(
        to="ben@example.org", subject="Result to sign", body="…", state="failed", error="no route", tries=3
    )
    page = owner_browser.get(URL).content.decode()
    assert "no route" in page
    with django_capture_on_commit_callbacks(execute=True):
        owner_browser.post(reverse("operations-mail-retry", args=[mail.pk]))
    assert [name for name, _ in sent] == ["people.tasks.mail_send"]


def test_the_footer_leads_only_the_owner_there(owner_browser: Client, player_browser: Client, client: Client) -> None:
    link = f'href="{reverse("operations")}"'
    assert link in owner_browser.get("/").content.decode()
    assert link not in player_browser.get("/").content.decode()
    assert link not in client.get("/").content.decode()
