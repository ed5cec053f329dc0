"""Self-tests: drawn once, answered once, and written down when they are passed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from career.learning import questions, services
from career.learning.lessons import BY_ID, LESSONS
from career.models import LessonAttempt
from league import services as leagues
from league import stream
from league.events import LessonCompleted
from league.models import League
from matches import log
from people.models import Person
from people.services import Forbidden, account_create, operator

pytestmark = pytest.mark.django_db
AT = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
LESSON = BY_ID["LSN-RK-3"]


@pytest.fixture
def ada() -> Person:
    return account_create("ada@example.org", "a long enough word", "ada", "Ada Moreau").person


@pytest.fixture
def league() -> League:
    return leagues.league_open(name="Winter", slug="winter", by=operator(), at=AT, timezone="Asia/Tokyo")


def take(person: Person, right: int, lesson: str = LESSON.id) -> LessonAttempt:
    attempt = services.attempt_start(person=person, lesson=BY_ID[lesson], at=AT)
    for number, one in enumerate(questions.decode(attempt.questions), 1):
        wrong = next(option for option in one.options if option != one.answer)
        said = one.answer if number <= right else wrong
        attempt = services.attempt_answer(attempt=attempt, number=number, answer=said, at=AT)
    return attempt


def test_eight_of_ten_pass_and_seven_do_not(ada: Person) -> None:
    failed = take(ada, 7)
    assert (failed.score, failed.recorded, log.head(ada.pk)) == (70, False, None)
    passed = take(ada, 8)
    assert (passed.score, passed.recorded) == (80, True)
    (row,) = log.read(ada.pk)
    assert (row.kind, row.type, row.by) == ("person", "lesson_completed", ada.pk)
    assert row.data == b'{"date": "2026-12-01", "score": 80, "lesson": "LSN-RK-3"}'


def test_a_member_passes_in_the_stream_of_the_league_on_its_day(ada: Person, league: League) -> None:
    leagues.member_add(league=league, person=ada, by=operator(), at=AT)
    take(ada, 10)
    rows = log.read(league.pk)
    (event,) = [one for one in stream.events_of(rows) if isinstance(one, LessonCompleted)]
    assert event == LessonCompleted(person=str(ada.pk), lesson=LESSON.id, date="2026-12-02", score=100)
    assert log.head(ada.pk) is None


def test_a_lesson_counts_once(ada: Person) -> None:
    take(ada, 10)
    again = take(ada, 10)
    assert (again.score, again.recorded) == (100, False)
    assert len(log.read(ada.pk)) == 1
    assert services.passed(ada) == {LESSON.id}


def test_a_test_that_was_begun_goes_on_and_its_answers_stay(ada: Person) -> None:
    first = services.attempt_start(person=ada, lesson=LESSON, at=AT)
    asked = questions.decode(first.questions)
    services.attempt_answer(attempt=first, number=1, answer=asked[0].options[0], at=AT)
    other = next(one for one in asked[0].options if one != asked[0].options[0])
    services.attempt_answer(attempt=first, number=1, answer=other, at=AT)
    again = services.attempt_start(person=ada, lesson=LESSON, at=AT)
    assert (again.pk, again.answers) == (first.pk, {"1": asked[0].options[0]})


def test_no_question_of_the_last_test_is_asked_again_and_five_tests_are_kept(ada: Person) -> None:
    before: set[str] = set()
    for _time in range(8):
        keys = {one["key"] for one in take(ada, 5).questions}
        assert not keys & before
        before = keys
    assert LessonAttempt.objects.filter(person=ada).count() <= services.KEPT + 1


@pytest.mark.parametrize(("number", "answer"), [(0, "yes"), (11, "yes"), (1, "no such answer")])
def test_what_is_not_offered_is_no_answer(ada: Person, number: int, answer: str) -> None:
    attempt = services.attempt_start(person=ada, lesson=LESSON, at=AT)
    with pytest.raises(ValidationError):
        services.attempt_answer(attempt=attempt, number=number, answer=answer, at=AT)
    assert LessonAttempt.objects.get().answers == {}


def test_an_examiner_records_a_lesson_for_a_member_and_nobody_for_themselves(ada: Person, league: League) -> None:
    owner = account_create("mo@example.org", "a long enough word", "mo", "Mo Li").person
    leagues.role_give(league=league, person=owner, role="organizer", by=operator(), at=AT)
    with pytest.raises(ValidationError, match="no member"):
        services.lesson_examine(league=league, person=ada, lesson=LESSON, by=owner, at=AT)
    leagues.member_add(league=league, person=ada, by=owner, at=AT)
    leagues.member_add(league=league, person=owner, by=owner, at=AT)
    with pytest.raises(Forbidden):
        services.lesson_examine(league=league, person=owner, lesson=LESSON, by=ada, at=AT)
    with pytest.raises(ValidationError, match="themselves"):
        services.lesson_examine(league=league, person=owner, lesson=LESSON, by=owner, at=AT)
    services.lesson_examine(league=league, person=ada, lesson=LESSON, by=owner, at=AT)
    event = stream.events_of(log.read(league.pk))[-1]
    assert event == LessonCompleted(person=str(ada.pk), lesson=LESSON.id, date="2026-12-02", examiner=str(owner.pk))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.id)
def test_every_lesson_is_read_and_every_question_of_a_test_is_shown(
    client: Client, ada: Person, lesson: object
) -> None:
    client.force_login(ada.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    one = BY_ID[lesson.id]  # type: ignore[attr-defined]
    assert client.get(reverse("lesson", args=[one.id])).status_code == 200
    client.post(reverse("lesson-start", args=[one.id]))
    attempt = LessonAttempt.objects.get()
    url = reverse("lesson-test", args=[one.id])
    for number, question in enumerate(questions.decode(attempt.questions), 1):
        page = client.get(url).content.decode()
        assert f"Question {number} of 10" in page
        sent = {"number": number, "attempt": attempt.pk, "answer": question.answer}
        told = client.post(url, sent, follow=True).content.decode()
        assert "Right</span>" in told and "Not right" not in told
    done = client.get(url).content.decode()
    assert "10 of 10 answers are right" in done
    assert services.passed(ada) == {one.id}


def test_the_page_holds_no_answer_before_it_is_given(client: Client, ada: Person) -> None:
    client.force_login(ada.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    client.post(reverse("lesson-start", args=[LESSON.id]))
    page = client.get(reverse("lesson-test", args=[LESSON.id])).content.decode()
    assert "right" not in page.partition("<main")[2].replace("copyright", "")


def test_an_answer_to_an_earlier_test_changes_nothing(client: Client, ada: Person) -> None:
    client.force_login(ada.account, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
    old = take(ada, 3)
    client.post(reverse("lesson-start", args=[LESSON.id]))
    url = reverse("lesson-test", args=[LESSON.id])
    told = client.post(url, {"number": "1", "attempt": str(old.pk), "answer": "yes"}, follow=True).content.decode()
    assert "earlier test" in told
    assert LessonAttempt.objects.order_by("-pk")[0].answers == {}
    for number in ("x", "", "99", "²", "-1"):
        said = client.post(url, {"number": number, "attempt": old.pk + 1, "answer": "yes"}, follow=True)
        assert said.status_code in (200, 400)
