"""Notices: told once while unread, in the reader's language, by mail if wanted, and off where switched off."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from matches import telling
from people import notices
from people.models import Notice, OutboxMail, Person
from people.services import account_create, person_guest_create
from rulesengine.play import play
from tests.matches.conftest import person
from tests.matches.test_live import match_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> Person:
    return account_create("ada@example.org", "a long enough word", "ada", "Ada Moreau").person


def vote(to: Person, url: str = "/x") -> Notice | None:
    return notices.notify(to, "honor_step", "vote HON-05", url=url, league="Winter")


def test_the_same_notice_is_one_as_long_as_it_is_unread(ada: Person) -> None:
    first = vote(ada)
    assert vote(ada) == first
    assert vote(ada, "/y") != first
    notices.read(ada)
    assert vote(ada) != first
    assert (Notice.objects.count(), notices.unread(ada)) == (3, 1)


def test_a_guest_gets_none_and_an_unknown_sentence_is_an_error(ada: Person) -> None:
    assert vote(person_guest_create("Bo")) is None
    with pytest.raises(KeyError):
        notices.notify(ada, "honor_step", "sing")
    with pytest.raises(KeyError):
        notices.notify(ada, "weather", "rain")


def test_a_kind_is_switched_off_and_on_by_mail(ada: Person, client: Client) -> None:
    client.force_login(ada.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    client.post(reverse("settings-notices"), {"honor_step-mail": "1"})
    assert vote(ada) is None
    mail = OutboxMail.objects.get()
    assert mail.to == "ada@example.org" and "Open Hand in Winter" in mail.body
    assert f"{settings.SITE_URL}/x\n" in mail.body
    client.post(reverse("settings-notices"), {"honor_step-inbox": "1"})
    assert vote(ada) is not None
    assert OutboxMail.objects.count() == 1


def test_the_inbox_shows_whats_new_and_marks_it_read(ada: Person, client: Client) -> None:
    client.force_login(ada.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    assert "Nothing here" in client.get(reverse("inbox")).content.decode()
    one = vote(ada)
    assert one is not None
    page = client.get(reverse("inbox")).content.decode()
    assert "Vote on a nomination for Open Hand in Winter" in page and '<span class="num">1</span>' in page
    client.post(reverse("inbox-read"), {"notice": str(one.pk)})
    assert notices.unread(ada) == 0
    assert client.post(reverse("inbox-read"), {"notice": "x"}).status_code == 404


def test_nobody_reads_anothers_notices(ada: Person, client: Client) -> None:
    one = vote(ada)
    assert one is not None
    other = account_create("bo@example.org", "a long enough word", "bo", "Bo Lindqvist")
    client.force_login(other, backend="django.contrib.auth.backends.ModelBackend")
    client.post(reverse("inbox-read"), {"notice": str(one.pk)})
    assert notices.unread(ada) == 1


def test_a_notice_is_read_in_the_language_of_the_reader(ada: Person) -> None:
    one = vote(ada)
    assert one is not None
    with translation.override("en"):
        assert notices.text_of(one) == "Vote on a nomination for Open Hand in Winter within 14 days."
    one.words = {}
    assert "%(league)s" in notices.text_of(one)
    one.kind = "gone"
    assert notices.text_of(one) == "vote HON-05"


def test_who_sat_in_a_match_that_has_just_ended_is_asked_to_sign_and_nobody_after_weeks(
    django_capture_on_commit_callbacks: object,
) -> None:
    owner = person("mirela", "Mirela Osei", "owner")
    for handle in ("ada", "bo", "cy", "dee"):
        person(handle, handle.title())
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        match = match_of(owner, play("hexwar", seed=3, seats=2), A="ada", B="bo")
    assert match.status == "ended"
    told = set(Notice.objects.values_list("person__handle", "kind", "url"))
    url = reverse("match-detail", args=[match.pk])
    assert told == {("ada", "result_to_sign", url), ("bo", "result_to_sign", url)}
    Notice.objects.all().delete()
    match.ended_at = timezone.now() - timedelta(days=8)
    telling.result_ended(match, at=timezone.now())
    assert not Notice.objects.exists()
