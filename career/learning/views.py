"""Pages of the lessons: all of them, one of them, its self-test, and what an examiner records."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import Struct

from career.learning import questions, services
from career.learning.lessons import BY_ID, LESSONS, PASS, RULINGS, Lesson, rules_of, ruleset_of
from career.learning.questions import YES, Figure, Held, Position
from career.models import LessonAttempt
from league.forms import HandleForm
from league.selectors import league_by_slug
from matches.boards import board_svg, position_words
from matches.games import game_name
from matches.words import Names, event_words
from people import rights
from people.selectors import signed_in, viewer_of
from people.services import Forbidden
from rulesengine import codec, registry
from rulesengine.game import Ruleset
from rulesengine.log import Line


class Choice(Struct, frozen=True):
    """One answer as it is offered: its value, its words, and the rule behind it."""

    value: str
    words: str
    rule: str = ""


def lesson_of(lesson_id: str) -> Lesson:
    """Return a lesson, or raise 404."""
    if lesson_id not in BY_ID:
        raise Http404(_("There is no lesson %(id)s.") % {"id": lesson_id})
    return BY_ID[lesson_id]


@require_safe
def lesson_list(request: HttpRequest) -> HttpResponse:
    """Show the lessons by game, and which of them the reader has passed."""
    viewer = viewer_of(request)
    done = services.passed(viewer) if viewer else set()
    groups: dict[str, list[dict[str, Any]]] = {}
    for lesson in LESSONS:
        name = game_name(lesson.game) if lesson.game else _("All games")
        groups.setdefault(name, []).append({"lesson": lesson, "title": _(lesson.title), "is_passed": lesson.id in done})
    context = {
        "groups": list(groups.items()),
        "done": len(done),
        "all": len(LESSONS),
        "is_signed_in": viewer is not None,
    }
    return render(request, "career/learning/list.html", context)


@require_safe
def lesson_detail(request: HttpRequest, lesson_id: str) -> HttpResponse:
    """Show a lesson: what it is about, its rules in the Codex, and the way to its test."""
    lesson = lesson_of(lesson_id)
    viewer = viewer_of(request)
    ruleset = ruleset_of(lesson)
    last = LessonAttempt.objects.filter(person=viewer, lesson=lesson.id).order_by("-pk").first() if viewer else None
    context = {
        "lesson": lesson,
        "title": _(lesson.title),
        "game": game_name(lesson.game) if lesson.game else _("All games"),
        "points": [_(point) for point in lesson.points],
        "rules": [
            {"rule": rule, "url": reverse("codex-rule", args=[ruleset.game, questions.ruleset_key(ruleset), rule.id])}
            for rule in rules_of(lesson)
        ],
        "compare_url": reverse("codex-compare", args=["kingsquare"]) if lesson.id == RULINGS else "",
        "is_passed": viewer is not None and services.is_passed(viewer, lesson.id),
        "is_signed_in": viewer is not None,
        "last": last,
        "pass": PASS,
        "questions": questions.QUESTIONS,
        "following": _after(lesson),
    }
    return render(request, "career/learning/lesson.html", context)


def _after(lesson: Lesson) -> Lesson | None:
    at = LESSONS.index(lesson) + 1
    return LESSONS[at] if at < len(LESSONS) else None


@login_required
@require_POST
def test_start(request: HttpRequest, lesson_id: str) -> HttpResponse:
    """Begin a self-test, or go on with the one that was begun."""
    lesson = lesson_of(lesson_id)
    services.attempt_start(person=signed_in(request).person, lesson=lesson, at=timezone.now())
    return redirect("lesson-test", lesson_id=lesson.id)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def test(request: HttpRequest, lesson_id: str) -> HttpResponse:
    """Ask one question after the other; each answer is told at once whether it is right, and why."""
    lesson = lesson_of(lesson_id)
    person = signed_in(request).person
    attempt = LessonAttempt.objects.filter(person=person, lesson=lesson.id).order_by("-pk").first()
    if attempt is None:
        return redirect("lesson", lesson_id=lesson.id)
    asked = questions.decode(attempt.questions)
    if request.method == "POST":
        return _answered(request, lesson, attempt)
    unanswered = next((at for at in range(1, len(asked) + 1) if str(at) not in attempt.answers), None)
    wanted = request.GET.get("at", "")
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else 0
    if not (1 <= number <= len(asked) and (str(number) in attempt.answers or number == unanswered)):
        if unanswered is None:
            return _finished(request, lesson, attempt, asked)
        number = unanswered
    return _ask(request, lesson, attempt, asked, number)


def _answered(request: HttpRequest, lesson: Lesson, attempt: LessonAttempt) -> HttpResponse:
    said = request.POST.get("number", "")
    number = int(said) if said.isascii() and said.isdigit() and len(said) < 3 else 0
    if request.POST.get("attempt") != str(attempt.pk):
        messages.error(request, _("That was a question of an earlier test; nothing was changed."))
        return redirect("lesson-test", lesson_id=lesson.id)
    try:
        services.attempt_answer(
            attempt=attempt, number=number, answer=request.POST.get("answer", ""), at=timezone.now()
        )
    except ValidationError as refused:
        asked = questions.decode(attempt.questions)
        if not 1 <= number <= len(asked):
            messages.error(request, refused.messages[0])
            return redirect("lesson-test", lesson_id=lesson.id)
        return _ask(request, lesson, attempt, asked, number, refused=refused.messages[0], status=400)
    return redirect(f"{reverse('lesson-test', args=[lesson.id])}?at={number}")


def _ask(
    request: HttpRequest, lesson: Lesson, attempt: LessonAttempt, asked: tuple[Any, ...], number: int, *,
    refused: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    question = asked[number - 1]
    given = attempt.answers.get(str(number))
    choices = _choices(question)
    context = {
        "lesson": lesson,
        "title": _(lesson.title),
        "attempt": attempt,
        "number": number,
        "last": len(asked),
        "question": question,
        "choices": choices,
        "given": given,
        "is_right": given == question.answer,
        "right": next((one for one in choices if one.value == question.answer), None),
        "refused": refused,
        "following": number + 1 if number < len(asked) else None,
        **_told(question),
    }
    return render(request, "career/learning/question.html", context, status=status)


def _finished(request: HttpRequest, lesson: Lesson, attempt: LessonAttempt, asked: tuple[Any, ...]) -> HttpResponse:
    rows = [(number, attempt.answers[str(number)] == one.answer) for number, one in enumerate(asked, 1)]
    context = {
        "lesson": lesson,
        "title": _(lesson.title),
        "attempt": attempt,
        "rows": rows,
        "right": attempt.right,
        "last": len(asked),
        "is_passed": (attempt.score or 0) >= PASS,
        "pass": PASS,
        "following": _after(lesson),
        "following_title": _(following.title) if (following := _after(lesson)) else "",
    }
    return render(request, "career/learning/finished.html", context)


def _choices(question: Any) -> list[Choice]:
    """Return what may be answered, in words."""
    if isinstance(question, Position):
        texts = {rule.id: rule.text for rule in registry.get(question.edition).rules}
        return [
            Choice(one, _("Yes, it may be recorded."))
            if one == YES
            else Choice(one, _("No: %(rule)s") % {"rule": texts.get(one, one)}, one)
            for one in question.options
        ]
    return [Choice(one, one) for one in question.options]


def _told(question: Any) -> dict[str, Any]:
    """Return what a question shows: its sentence, a position with its board, and where the answer can be read."""
    if isinstance(question, Figure):
        game = registry.get(question.edition).game
        return {
            "kind": "figure",
            "rule": question.rule,
            "rule_url": reverse("codex-rule", args=[game, question.edition, question.rule]),
            "before_gap": question.text.partition("___")[0],
            "after_gap": question.text.partition("___")[2],
        }
    if isinstance(question, Held):
        ruling = next((one for one in _rulings(question.game) if one.id == question.ruling), None)
        return {
            "kind": "held",
            "game": game_name(question.game),
            "day": date_format(question.day, "DATE_FORMAT"),
            "ruling": ruling,
            "rule_url": reverse("codex-compare", args=[question.game]) if not ruling else _ruling_url(question, ruling),
        }
    ruleset = registry.get(question.edition)
    carried, log = questions.carried_of(question.edition, question.seed)
    at = next(number for number, one in enumerate(carried) if one.seq == question.seq)
    ruleset = registry.ruleset_of(log.header)
    names = Names({})
    one = carried[at]
    event = codec.event(
        ruleset, Line(seq=question.seq, type=question.type, seat=question.seat, data=questions.as_json(question.data))
    )
    refusal = ruleset.check(one.before, event)
    say = event_words(ruleset.game, question.type, question.seat, question.data, names, None)
    return {
        "kind": "position",
        "game": game_name(ruleset.game),
        "say": say,
        "because": refusal.because if refusal else "",
        "seq": question.seq,
        "before": [_words(ruleset, carried[back], names) for back in range(max(0, at - 3), at)],
        "board": board_svg(ruleset, one.before, names, last=None, label=_("The position before that entry")),
        "position": position_words(ruleset, one.before, names),
        "rule": question.answer if question.answer != YES else "",
        "rule_url": reverse("codex-rule", args=[ruleset.game, question.edition, question.answer])
        if question.answer != YES
        else "",
    }


def _words(ruleset: Ruleset, one: Any, names: Names) -> str:
    event = one.event
    return event_words(ruleset.game, event.type, event.seat, questions.payload_of(event), names, one)


def _rulings(game: str) -> Any:
    return registry.get([one.key for one in registry.editions() if registry.get(one.key).game == game][-1]).rulings


def _ruling_url(question: Held, ruling: Any) -> str:
    held = registry.in_force(question.game, question.day).key
    return reverse("codex-rule", args=[question.game, held, ruling.rules[0]]) if ruling.rules else ""


class ExamForm(HandleForm):
    """Who passed which lesson before an examiner."""

    lesson = forms.ChoiceField(label=gettext_lazy("Lesson"))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["lesson"].choices = [  # type: ignore[attr-defined]
            (one.id, f"{game_name(one.game) if one.game else _('All games')}: {_(one.title)}") for one in LESSONS
        ]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def lesson_examine(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that a member passed a lesson before an examiner."""
    league = league_by_slug(slug)
    if league is None:
        raise Http404(_("There is no league “%(slug)s”.") % {"slug": slug})
    by = signed_in(request).person
    if not rights.may(by, "pair", league.scopes):
        raise Forbidden("pair")
    form = ExamForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            lesson = BY_ID[form.cleaned_data["lesson"]]
            try:
                services.lesson_examine(league=league, person=form.person, lesson=lesson, by=by, at=timezone.now())
            except ValidationError as refused:
                form.add_error(None, refused)
                status = 422
            else:
                words = {"handle": form.person.handle, "lesson": _(lesson.title)}
                messages.success(request, _("@%(handle)s has passed “%(lesson)s”.") % words)
                return redirect("lesson-examine", slug=league.slug)
    return render(request, "career/learning/examine.html", {"league": league, "form": form}, status=status)
