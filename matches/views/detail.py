"""The page of a match: result, facts, replay, what may be done at it; and its downloads."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from matches import seating, selectors, sight
from matches.boards import board_legend, board_svg, position_words
from matches.feed import Entry, Feed
from matches.links import links_of
from matches.models import Match
from matches.services.standing import disputed_result
from matches.shown import Shown, shown
from matches.views.acts import acts_of, open_differences
from matches.words import GAMES
from people import circles
from people.models import Person
from people.rights import ROLE_NAMES
from people.selectors import viewer_of, visible_names, with_heads
from rulesengine.replay import Replay

DOWNLOADS = {
    "jsonl": ("jsonl", "application/x-ndjson"),
    "text": ("log.txt", "text/plain"),
    "csv": ("csv", "text/csv"),
    "full": ("full.jsonl", "application/x-ndjson"),
}
MOST_TOLD = 20  # entries of an option that are told one by one
CONTEXT: dict[str, str | Promise] = {
    "tournament": gettext_lazy("Tournament"),
    "season": gettext_lazy("Season"),
    "round": gettext_lazy("Round"),
    "table": gettext_lazy("Table"),
}


@require_safe
def match_detail(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Show a match; with `at` its position after that entry, with `from` the feed from there on."""
    match = match_of(match_id)
    if request.htmx and "at" in request.GET:  # type: ignore[attr-defined]
        [one] = shown([match], viewer_of(request))
        return render(request, "matches/moment.html", {"swapped": True, **replay_context(request, one)})
    return render(request, "matches/detail.html", page_context(request, match))


def match_of(match_id: UUID) -> Match:
    """Return a match with its seats, officials and their persons, or raise 404."""
    people = (with_heads("seats__person"), with_heads("officials__person"))
    return get_object_or_404(Match.objects.prefetch_related("seats", "officials", *people), pk=match_id)


def page_context(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return all that the page of a match shows."""
    viewer = viewer_of(request)
    [one] = shown([match], viewer)
    circle = circles.find(str(match.league)) if match.league else None
    return {
        "match": match,
        "shown": one,
        "circle": circle,
        **_result(one),
        **_facts(one, viewer),
        **replay_context(request, one),
        "acts": acts_of(request, one),
        "open_disputes": open_disputes(one, viewer),
        "open_differences": open_differences(one, viewer),
        "chain": _chain(match, viewer),
        "links": links_of(match, viewer),
    }


def open_disputes(one: Shown, viewer: Person | None) -> list[Entry]:
    """Return the entries by which a match is disputed, in words, as far as a reader may see them."""
    if not one.match.disputed:
        return []
    replay = sight.of(one.match, viewer).replay()
    feed = Feed(replay.log, replay, one.names)
    return [feed.entry(seq) for seq in sorted({*replay.disputes, *disputed_result(replay).values()})]


def _chain(match: Match, viewer: Person | None) -> dict[str, Any]:
    """Return whether every link of the log's chain holds, in words."""
    state = sight.of(match, viewer).chain()
    if state["whole"]:
        words = ngettext(
            "%(n)s entry, each hash as it must be.", "%(n)s entries, each hash as it must be.", state["entries"]
        )
        return {
            "is_whole": True,
            "words": words % {"n": state["entries"]},
            "head": (state["head"] or "")[:16],
            "is_sealed": state["head"] is None,
        }
    return {"is_whole": False, "words": _("Broken at entry %(seq)s.") % {"seq": state["seq"]}, "head": ""}


def _result(one: Shown) -> dict[str, Any]:
    match, head, scores, note = one.match, [], {}, ""
    words = GAMES.get(match.game)
    if match.result and words is not None and match.depth == Match.Depth.LOG:
        head, scores = words.result_rows(match.result)
        note = words.result_note(match.result)
    elif match.result and match.depth != Match.Depth.LOG:
        head = [_("Score")]
        scores = {row["seat"]: [row.get("score")] for row in match.result.get("rows", ())}
    places = sorted(one.places, key=lambda place: (place.seat.place or 99, place.seat.position))
    empty: list[Any] = [None] * len(head)
    if match.depth == Match.Depth.LOG:
        description = _("%(game)s on %(day)s, replayable entry by entry.")
    else:
        description = _("%(game)s on %(day)s, result only.")
    return {
        "score_head": head,
        "result_rows": [(place, list(zip(head, scores.get(place.letter, empty), strict=True))) for place in places],
        "result_note": note,
        "description": description % {"game": one.game, "day": match.played_on.isoformat()},
    }


def _facts(one: Shown, viewer: Person | None) -> dict[str, Any]:
    match = one.match
    rows = list(match.officials.all())
    names = visible_names([row.person for row in rows if row.person is not None], viewer)
    options = dict(match.options or {})
    return {
        "ended_at": _ended_at(match),
        "can_be_signed": match.status == Match.Status.ENDED
        or (match.status == Match.Status.CONFIRMED and match.league is None),
        "context_facts": [(label, match.context[key]) for key, label in CONTEXT.items() if match.context.get(key)],
        "officials": [(ROLE_NAMES.get(row.role, row.role), one.official(row, names)) for row in rows],
        "variant": options.pop("variant_name", None),
        "options": [(name, _option(value)) for name, value in sorted(options.items())],
    }


def _ended_at(match: Match) -> datetime | None:
    """Return the moment of the end; nothing where only the day is known, which stands as the last second of it."""
    if match.ended_at is None:
        return None
    there = match.ended_at.astimezone(ZoneInfo(match.timezone))
    return None if there.time() == time(23, 59, 59) and there.date() == match.played_on else there


def _option(value: Any) -> str:
    """Return an option for people: reasons and figures as they stand, a whole map or table only by its name."""
    if isinstance(value, dict):
        few = 0 < len(value) <= MOST_TOLD and "id" not in value
        if few and all(isinstance(each, str | int) for each in value.values()):
            return "; ".join(f"{key}: {_option(each)}" for key, each in value.items())
        return str(value.get("id") or _("own (%(n)s entries)") % {"n": len(value)})
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def replay_context(request: HttpRequest, one: Shown) -> dict[str, Any]:
    """Return what the replay shows at the moment asked for; nothing where the match holds no moves."""
    match = one.match
    if match.depth != Match.Depth.LOG:
        return {"replay": None, "no_replay": _("This match holds its result only; there is nothing to replay.")}
    viewer = viewer_of(request)
    replay = sight.of(match, viewer).replay()
    feed = Feed(replay.log, replay, one.names)
    at = _number(request.GET.get("at"), feed.last, feed.last)
    start = _number(request.GET.get("from"), feed.last, None)
    entries, first, final = feed.window(at, start)
    present = feed.entry(at)
    carried = feed.at(at)
    state = carried.step.state
    last = carried if carried.seq == at and at > 0 and carried.event is not None else None
    said = " ".join([present.words, *present.consequences])
    board = board_svg(
        replay.ruleset,
        state,
        one.names,
        last=last,
        label=_("Board after entry %(seq)s. %(said)s") % {"seq": at, "said": said},
    )
    return {
        "match": match,
        "shown": one,
        "replay": replay,
        "at": at,
        "last": feed.last,
        "back": max(0, at - 1),
        "on": min(feed.last, at + 1),
        "said": said,
        "standing": _standing(replay, state, one),
        "board": board,
        "board_is_wide": ' wide"' in board[:120],
        "board_legend": board_legend(match.game),
        "legend_template": f"matches/boards/{match.game}_legend.html",
        "position": position_words(replay.ruleset, state, one.names),
        "entries": entries,
        "feed_earlier": max(0, first - (final - first + 1)) if first > 0 else None,
        "feed_later": final + 1 if final < feed.last else None,
        "title": replay.log.header.title,
        "may_correct": seating.standing(match, viewer).may("correct"),
    }


def _number(text: str | None, most: int, default: Any) -> Any:
    """Return a seq asked for, kept within the log."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > 9:
        return default
    return min(int(text), most)


def _standing(replay: Replay, state: Any, one: Shown) -> str:
    """Return the round and whose turn it is, or that it is over."""
    status = replay.ruleset.status(state)
    if status == "void":
        return _("The match is void.")
    if status == "ended":
        return _("The match is over.")
    turn = replay.ruleset.turn(state)
    round_ = getattr(state, "round", None)
    words = [_("Round %(round)s") % {"round": round_}] if round_ is not None else []
    words += [_("%(who)s to act") % {"who": one.names.seat(turn)}] if turn is not None else []
    more = getattr(GAMES.get(replay.ruleset.game), "standing", None)
    return " · ".join([*words, *(more(state) if more is not None else ())])


@require_safe
def match_download(request: HttpRequest, match_id: UUID, form: str) -> HttpResponse:
    """Send the log of a match: in one of the three forms, or whole with hashes, salts and who recorded it."""
    if form not in DOWNLOADS:
        raise Http404(
            _("There is no form %(form)s; there are %(forms)s.") % {"form": form, "forms": ", ".join(DOWNLOADS)}
        )
    match = match_of(match_id)
    ending, kind = DOWNLOADS[form]
    try:
        body = sight.match_export(match, cast(selectors.Form, form), viewer_of(request))
    except sight.Sealed as sealed:
        raise PermissionDenied(str(sealed)) from sealed
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    response = HttpResponse(body, content_type=f"{kind}{charset}")
    response["Content-Disposition"] = (
        f'attachment; filename="{match.game}-{match.played_on.isoformat()}-{str(match.pk)[:8]}.{ending}"'
    )
    return response
