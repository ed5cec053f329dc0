"""Taking a self-test, and writing down that a lesson was passed."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from career import deeds
from career.learning import questions
from career.learning.lessons import BY_ID, PASS, Lesson
from career.models import LessonAttempt
from career.selectors import aliases
from league import stream
from league.events import LessonCompleted
from league.models import League, Member
from league.services import local_day
from matches import persons
from people import rights
from people.locks import lock
from people.models import Person
from people.services import Forbidden

KEPT = 5
"""How many attempts at a lesson are kept of a person."""


@transaction.atomic
def attempt_start(*, person: Person, lesson: Lesson, at: datetime) -> LessonAttempt:
    """Begin a self-test, or return the one that was begun and not finished. No question of the last attempt is asked again."""
    lock(f"lesson {person.pk} {lesson.id}")
    mine = LessonAttempt.objects.filter(person=person, lesson=lesson.id).order_by("-pk")
    last = mine.first()
    if last is not None and last.finished_at is None:
        return last
    asked = {one.key for one in questions.decode(last.questions)} if last else set()
    drawn = questions.draw(lesson, secrets.randbelow(2**31), asked)
    made = LessonAttempt.objects.create(
        person=person, lesson=lesson.id, started_at=at, questions=questions.encode(drawn)
    )
    LessonAttempt.objects.filter(pk__in=list(mine.values_list("pk", flat=True)[KEPT:])).delete()
    return made


@transaction.atomic
def attempt_answer(*, attempt: LessonAttempt, number: int, answer: str, at: datetime) -> LessonAttempt:
    """Answer a question, the first one being number 1; the last answer finishes the test. What was answered stays.

    :raises ValidationError: for a question that there is not, or an answer that it does not offer
    """
    attempt = LessonAttempt.objects.select_for_update().get(pk=attempt.pk)
    asked = questions.decode(attempt.questions)
    if not 1 <= number <= len(asked):
        raise ValidationError(_("This test has questions 1 to %(last)s.") % {"last": len(asked)})
    if str(number) in attempt.answers:
        return attempt
    if answer not in asked[number - 1].options:
        raise ValidationError(_("Choose one of the answers."))
    attempt.answers[str(number)] = answer
    if len(attempt.answers) == len(asked):
        attempt.finished_at = at
        attempt.score = 100 * attempt.right // len(asked)
        if attempt.score >= PASS and not is_passed(attempt.person, attempt.lesson):
            _record(attempt.person, LessonCompleted(
                person=str(attempt.person.pk), lesson=attempt.lesson, date="", score=attempt.score
            ), at)  # fmt: skip
            attempt.recorded = True
    attempt.save()
    return attempt


def is_passed(person: Person, lesson_id: str) -> bool:
    """Return whether the person has passed a lesson, by a test or before an examiner."""
    return lesson_id in passed(person)


def passed(person: Person) -> set[str]:
    """Return the ids of the lessons that the person has passed, those not yet read into the career too."""
    told = {str(one.data["lesson"]) for one in deeds.of(aliases(person)) if one.type == "lesson_completed"}
    told |= set(LessonAttempt.objects.filter(person=person, recorded=True).values_list("lesson", flat=True))
    return told & BY_ID.keys()


def _record(person: Person, event: LessonCompleted, at: datetime) -> None:
    """Write a passed lesson into the stream of the league that the person has been in longest, or into their own."""
    member = (
        Member.objects.filter(person=person, until=None, league__is_open=True)
        .select_related("league")
        .order_by("since", "pk")
        .first()
    )
    if member is None:
        day = at.date().isoformat()
        persons.lesson_complete(person=person, lesson=event.lesson, score=event.score or 0, date=day, at=at)
        return
    league = League.objects.select_for_update().get(pk=member.league_id)
    event = LessonCompleted(
        person=event.person, lesson=event.lesson, date=local_day(league, at).isoformat(), score=event.score
    )
    stream.append(league=league, events=[event], by=person, acting_as=None, at=at)


@transaction.atomic
def lesson_examine(*, league: League, person: Person, lesson: Lesson, by: Person, at: datetime) -> None:
    """Record that a member passed a lesson before an examiner.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself, somebody who is no member, or a lesson passed already
    """
    role = rights.acting_role(by, "pair", league.scopes)
    if role is None:
        raise Forbidden("pair")
    league = League.objects.select_for_update().get(pk=league.pk)
    person = person.head
    if not league.is_open:
        raise ValidationError(_("%(league)s is closed. Its owner can reopen it.") % {"league": league.name})
    if person.pk == by.pk:
        raise ValidationError(_("Nobody examines themselves; take the test instead."))
    if not Member.objects.filter(league=league, person=person, until=None).exists():
        raise ValidationError(_("This person is no member of %(league)s.") % {"league": league.name})
    lock(f"lesson {person.pk} {lesson.id}")
    if is_passed(person, lesson.id):
        raise ValidationError(_("This lesson was passed already; it counts once."))
    day = local_day(league, at).isoformat()
    event = LessonCompleted(person=str(person.pk), lesson=lesson.id, date=day, examiner=str(by.pk))
    stream.append(league=league, events=[event], by=by, acting_as=role, at=at)
