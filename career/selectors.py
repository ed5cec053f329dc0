"""Reads of the career: a person's whole career, who holds a badge, how far the projections are behind the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import wraps
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from career.catalogue import CURRENT, VERSIONS
from career.honors.catalogue import BY_ID as HONORS
from career.learning.lessons import BY_ID as LESSONS
from career.learning.lessons import PASS
from career.models import Award, Checkpoint, Deed, Hiding, Honor, Poisoned, RankEntry, SeatDigest, Standing
from league.models import Campaign, League, Season
from matches.games import game_name
from matches.models import Match
from people import selectors as people
from people.models import Grant, Person

HISTORY_LIMIT = 500
LAG_LIMIT = 10_000
OFFICES = ("mapmaster", "referee", "scribe", "organizer")

TIER_NAMES = {"bronze": gettext_lazy("Bronze"), "silver": gettext_lazy("Silver"), "gold": gettext_lazy("Gold")}
ROLE_NAMES = {
    "player": gettext_lazy("player"),
    "general": gettext_lazy("General"),
    "mapmaster": gettext_lazy("MapMaster"),
    "referee": gettext_lazy("referee"),
    "scribe": gettext_lazy("scribe"),
}


def rank_name(rank_id: str) -> str:
    """Return what a rank is called, in the reader's language."""
    return _(CURRENT.rank(rank_id).name)


def badge_name(badge_id: str) -> str:
    """Return what a badge is called, in the reader's language."""
    return _(VERSIONS.badges[badge_id].name)


def badge_criterion(badge_id: str) -> str:
    """Return what a badge counts, in the reader's language."""
    return _(VERSIONS.badges[badge_id].criterion)


class Lag(msgspec.Struct, frozen=True):
    """How far the careers are behind the log: entries not read yet (at most 10,000 are counted) and the age of the oldest in seconds."""

    entries: int
    seconds: float


def follower_lag() -> Lag:
    """Return how far the careers are behind the log."""
    mark = Checkpoint.objects.filter(name="career").first()
    xid, position = (mark.xid, mark.position) if mark else ("0", 0)
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*), min(recorded_at) from (select recorded_at from matches_event"
            " where (xid, position) > (%s::xid8, %s) order by xid, position limit %s) as unread",
            [xid, position, LAG_LIMIT],
        )
        entries, oldest = cursor.fetchone()
    return Lag(entries, max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0)


_known: ContextVar[dict[tuple[str, UUID], Any] | None] = ContextVar("known", default=None)


@contextmanager
def remembering() -> Iterator[None]:
    """Read what several parts of one page need of a person once."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def remembered[T](read: Callable[[Person], T]) -> Callable[[Person], T]:
    """Let a read of a person be done once within :func:`remembering`. What it returns is shared: nobody changes it."""

    @wraps(read)
    def once(person: Person) -> T:
        known = _known.get()
        if known is None:
            return read(person)
        key = (read.__name__, person.pk)
        if key not in known:
            known[key] = read(person)
        return known[key]

    return once


@remembered
def aliases(person: Person) -> list[UUID]:
    """Return the ids under which the log knows a person: their own and those joined into it."""
    found, fresh = [person.pk], [person.pk]
    while fresh:
        fresh = list(Person.objects.filter(joined_into__in=fresh).values_list("pk", flat=True))
        found += fresh
    return found


def evidence_url(stream: Any, seq: int) -> str:
    """Return where an entry is seen: in the replay of its match, in the log of its league, else with its proof."""
    return evidence_urls([(stream, seq)])[str(stream), seq]


def evidence_urls(pairs: Iterable[tuple[Any, int]]) -> dict[tuple[str, int], str]:
    """Return where entries are seen, by stream and seq, with two queries for all of them."""
    wanted = [(str(stream), seq) for stream, seq in pairs]
    ids = {UUID(stream) for stream, _seq in wanted}
    played = {str(one) for one in Match.objects.filter(pk__in=ids).values_list("pk", flat=True)}
    slugs = {str(pk): slug for pk, slug in League.objects.filter(pk__in=ids).values_list("pk", "slug")}
    found = {}
    for stream, seq in wanted:
        if stream in played:
            found[stream, seq] = f"{reverse('match-detail', args=[stream])}?at={seq}"
        elif stream in slugs:
            found[stream, seq] = f"{reverse('league-log', args=[slugs[stream]])}?seq={seq}#{seq}"
        else:
            found[stream, seq] = reverse("log-prove", args=[stream, seq])
    return found


class Shown(msgspec.Struct, frozen=True):
    """What of a career somebody is shown: whether the rank, up to which day it is suspended (ROD-19), and what is hidden (ROD-08)."""

    rank: bool = True
    suspended_until: date | None = None
    hidden: frozenset[tuple[str, str]] = frozenset()
    """Kind and key of what the person hides from this viewer."""
    chosen: frozenset[tuple[str, str]] = frozenset()
    """Kind and key of what the person hides from others."""

    def has(self, kind: str, key: str) -> bool:
        """Return whether a badge or an honor is shown."""
        return (kind, key) not in self.hidden


def shown_to(person: Person, viewer: Person | None, on: date) -> Shown:
    """Return what of a person's career a viewer is shown on a day. Whether they may see the page is asked before."""
    is_own = viewer is not None and viewer.head.pk == person.pk
    chosen = frozenset(Hiding.objects.filter(person=person).values_list("kind", "key"))
    until = suspended(person, on)
    rank = until is None and (is_own or ("rank", "") not in chosen or is_official(person))
    return Shown(rank, until, frozenset() if is_own else chosen, chosen)


def suspended(person: Person, on: date) -> date | None:
    """Return the day up to which a person's rank is suspended, as it stands on a day (ROD-19), None if it is not."""
    rows = Deed.objects.filter(person_id__in=aliases(person), type__in=("rank_suspended", "rank_restored")).order_by(
        "at", "seq"
    )
    held: dict[UUID, date] = {}
    for one in rows:
        if one.type == "rank_suspended":
            held[one.stream] = date.fromisoformat(one.data["until"])
        else:
            held.pop(one.stream, None)
    return max((until for until in held.values() if until >= on), default=None)


def is_official(person: Person) -> bool:
    """Return whether a person holds an office, so that the rank is always shown (ROD-08)."""
    return Grant.objects.filter(person=person, role__in=OFFICES).exists()


def standing(person: Person) -> Standing:
    """Return where the person stands on the ladder; all figures are 0 before the first match."""
    return Standing.objects.filter(pk=person.pk).first() or Standing(
        pk=person.pk, matches=0, learning=0, active_years=[], credits=[]
    )


def present_rank(entries: Iterable[RankEntry]) -> RankEntry | None:
    """Return the highest of these ranks that stands, or None."""
    held = [entry for entry in entries if entry.withdrawn_on is None]
    return max(held, key=lambda entry: CURRENT.step_of(entry.rank), default=None)


def earned(person: Person) -> list[str]:
    """Return in words what a record has earned: rank, badges and honors. For whoever is about to join or claim it."""
    rank = present_rank(rank_entries(person))
    lines = [_("The rank %(name)s") % {"name": rank_name(rank.rank)}] if rank else []
    lines += [
        _("The badge %(name)s (%(tier)s)") % {"name": badge_name(one.badge), "tier": TIER_NAMES[one.tier]}
        for one in awards(person)
        if one.withdrawn_on is None
    ]
    held = Honor.objects.filter(person_id__in=aliases(person), status=Honor.Status.HELD).order_by("on", "seq")
    return lines + [_("The honor %(name)s") % {"name": _(HONORS[one.honor].name)} for one in held]


def next_rank(row: Standing, rank: RankEntry | None) -> dict[str, Any] | None:
    """Return the next rank and what it needs (have and need of each figure), or None at the top."""
    step = CURRENT.step_of(rank.rank if rank else None)
    if step == len(CURRENT.ranks):
        return None
    following = CURRENT.ranks[step]
    return {
        "id": following.id,
        "name": rank_name(following.id),
        "learning": {"have": row.learning, "need": following.credits},
        "active_years": {"have": len(row.active_years), "need": following.years},
        "matches": {"have": row.matches, "need": following.matches},
    }


class Part(msgspec.Struct, frozen=True):
    """A person's part in a confirmed match."""

    match: UUID
    league: UUID | None
    on: date
    game: str
    role: str
    place: int | None
    players: int


@remembered
def parts(person: Person) -> list[Part]:
    """Return a person's parts in confirmed matches, in order of play."""
    rows = SeatDigest.objects.filter(person_id__in=aliases(person), confirmed=True, present=True).order_by(
        "ended_at", "round", "table", "match_id", "role"
    )
    return [Part(*row) for row in rows.values_list("match_id", "league_id", "on", "game", "role", "place", "players")]


def record(person: Person) -> dict[str, dict[str, Any]]:
    """Return credited matches, first places and how often each place was reached, by game."""
    found: dict[str, dict[str, Any]] = {}
    for part in parts(person):
        if part.role != "player":
            continue
        line = found.setdefault(part.game, {"played": 0, "won": 0, "places": {}})
        line["played"] += 1
        line["won"] += part.place == 1
        if part.place is not None:
            line["places"][str(part.place)] = line["places"].get(str(part.place), 0) + 1
    for line in found.values():
        line["places"] = dict(sorted(line["places"].items(), key=lambda item: int(item[0])))
    return dict(sorted(found.items()))


@remembered
def awards(person: Person) -> list[Award]:
    """Return the person's awards, oldest first, withdrawn ones too."""
    return list(Award.objects.filter(person_id=person.pk).order_by("on", "badge", "pk"))


@remembered
def rank_entries(person: Person) -> list[RankEntry]:
    """Return the ranks the person attained, oldest first, withdrawn ones too."""
    return list(RankEntry.objects.filter(person_id=person.pk).order_by("on", "pk"))


def matches_of(person: Person) -> QuerySet[SeatDigest]:
    """Return the person's parts in ended matches, newest first in order of play."""
    return SeatDigest.objects.filter(person_id__in=aliases(person), present=True).order_by(
        "-ended_at", "-round", "-table", "-match_id", "role"
    )


def players_of(match_ids: Iterable[UUID]) -> dict[UUID, list[UUID]]:
    """Return the persons who played in each of these matches, in order of seats."""
    found: dict[UUID, list[UUID]] = {}
    rows = SeatDigest.objects.filter(match_id__in=match_ids, role="player").order_by("match_id", "seat")
    for match_id, person_id in rows.values_list("match_id", "person_id"):
        found.setdefault(match_id, []).append(person_id)
    return found


def quarters(person: Person) -> list[dict[str, Any]]:
    """Return credited matches as a player and first places by quarter of a year, oldest first, quarters without matches too (at most 40)."""
    played: Counter[int] = Counter()
    won: Counter[int] = Counter()
    for part in parts(person):
        if part.role == "player":
            quarter = part.on.year * 4 + (part.on.month - 1) // 3
            played[quarter] += 1
            won[quarter] += part.place == 1
    if not played:
        return []
    last = max(played)
    return [
        {"year": quarter // 4, "quarter": quarter % 4 + 1, "played": played[quarter], "won": won[quarter]}
        for quarter in range(max(min(played), last - 39), last + 1)
    ]


def badge_holders(badge_id: str, viewer: Person | None) -> QuerySet[Award]:
    """Return the awards of a badge that stand, of holders whom the viewer may know and who do not hide it, newest first."""
    return (
        Award.objects.filter(badge=badge_id, person_id__in=people.visible_persons(viewer).values("pk"))
        .exclude(status=Award.Status.WITHDRAWN)
        .exclude(person_id__in=Hiding.objects.filter(kind="badge", key=badge_id).values("person"))
        .order_by("-on", "person_id", "-pk")
    )


def badge_counts() -> dict[tuple[str, str], int]:
    """Return how many persons hold each tier of each badge, by badge and tier."""
    rows = (
        Award.objects.exclude(status=Award.Status.WITHDRAWN).values_list("badge", "tier").annotate(n=Count("person_id"))
    )
    return {(badge, tier): number for badge, tier, number in rows.order_by()}


def poisoned() -> list[Poisoned]:
    """Return the matches that could not be digested, oldest first, at most 200."""
    return list(Poisoned.objects.order_by("since")[:200])


def history(person: Person, shown: Shown | None = None) -> list[dict[str, Any]]:
    """Return the lines of the person's history, newest first, at most 500: each with day, kind, text and evidence.

    :param shown: what of it is shown; without it, all
    """
    shown = shown or Shown()
    lines = [_match_line(row) for row in matches_of(person)[:HISTORY_LIMIT]]
    for entry in rank_entries(person) if shown.rank else ():
        name = rank_name(entry.rank)
        proof = [{"stream": str(entry.stream), "seq": entry.seq}]
        lines.append(_line(entry.on, "rank_attained", _("Attained the rank of %(rank)s.") % {"rank": name}, proof))
        if entry.withdrawn_on:
            text = _("The rank of %(rank)s was withdrawn: a correction took away what it rested on.") % {"rank": name}
            lines.append(_line(entry.withdrawn_on, "rank_withdrawn", text, [entry.withdrawn_by]))
    for award in awards(person):
        if not shown.has("badge", award.badge):
            continue
        names = {"badge": badge_name(award.badge), "tier": TIER_NAMES[award.tier]}
        text = _("Earned the badge %(badge)s in %(tier)s.") % names
        lines.append(_line(award.on, "badge_earned", text, award.evidence))
        if award.withdrawn_on:
            text = _("The badge %(badge)s in %(tier)s was withdrawn: a correction took away what it rested on.") % names
            lines.append(_line(award.withdrawn_on, "badge_withdrawn", text, [award.withdrawn_by]))
    lines += _deed_lines(person, shown)
    order = {"match": 0, "rank_attained": 2, "badge_earned": 3, "rank_withdrawn": 4, "badge_withdrawn": 5}
    lines.sort(key=lambda line: (line["on"], order.get(line["kind"], 1)), reverse=True)
    return lines[:HISTORY_LIMIT]


def _deed_lines(person: Person, shown: Shown) -> list[dict[str, Any]]:
    """Return the lines of what somebody did beside playing, in words made of the facts."""
    ids = aliases(person)
    rows = list(Deed.objects.filter(person_id__in=ids).order_by("-at", "-seq", "role")[:HISTORY_LIMIT])
    honors = {
        (one.league_id, one.seq)
        for one in Honor.objects.filter(person_id__in=ids, status=Honor.Status.HELD)
        if shown.has("honor", one.honor)
    }
    streams = {row.stream for row in rows}
    leagues = dict(League.objects.filter(pk__in=streams).values_list("pk", "name"))
    titles: dict[tuple[UUID, str, str], str] = {}
    for kind, model in (("season", Season), ("campaign", Campaign)):
        for league, key, title in model.objects.filter(league__in=streams).values_list("league", "key", "title"):
            titles[league, kind, key] = title
    named = {str(one) for one in ids}
    lines = []
    for row in rows:
        kind = row.type.removesuffix("_closed")
        key = str(row.data.get(kind) or "")
        words = {"league": leagues.get(row.stream, ""), "title": titles.get((row.stream, kind, key), key)}
        text = _deed_words(row, named, words, is_shown=(row.stream, row.seq) in honors)
        if text:
            lines.append(_line(row.on, row.type, text, [{"stream": str(row.stream), "seq": row.seq}]))
    return lines


def place_of(row: Deed, ids: Collection[str]) -> tuple[int | None, int]:
    """Return the place of somebody, known under these ids, in the final table that a deed tells, and how many stand in it."""
    table = row.data.get("table") or row.data.get("placements") or ()
    return next((one.get("place") for one in table if str(one.get("person")) in ids), None), len(table)


def _deed_words(row: Deed, ids: set[str], names: dict[str, str], *, is_shown: bool) -> str:
    data = row.data
    place, of = place_of(row, ids)
    words = {**names, "place": place, "of": of}
    match row.type, row.role:
        case "lesson_completed", _role:
            lesson = LESSONS.get(str(data.get("lesson")))
            if lesson is None or (data.get("examiner") is None and (data.get("score") or 0) < PASS):
                return ""
            words |= {"lesson": _(lesson.title), "game": game_name(lesson.game) if lesson.game else ""}
            if not lesson.game:
                return _("Passed the lesson “%(lesson)s”.") % words
            return _("Passed the lesson “%(lesson)s” of %(game)s.") % words
        case "mentor_assigned", "mentor":
            return _("Accompanied a newcomer through a match.")
        case "mentor_assigned", "newcomer":
            return _("Was accompanied through a match by a mentor.")
        case "event_organized", "organizer":
            return _("Organized an event of %(league)s.") % words
        case "event_organized", "staff":
            return _("Helped at an event of %(league)s.") % words
        case "service_recorded", _role:
            minutes = int(data.get("minutes") or 0)
            return ngettext(
                "Served %(league)s for %(minutes)s minute.", "Served %(league)s for %(minutes)s minutes.", minutes
            ) % {**words, "minutes": minutes}
        case "conduct_noted", _role if data.get("kind") == "commendation":
            return _("Was commended in %(league)s.") % words
        case "season_closed", _role if str(data.get("champion")) in ids:
            return _("Won the season %(title)s of %(league)s.") % words
        case "season_closed", _role:
            return _("Finished the season %(title)s of %(league)s at place %(place)s of %(of)s.") % words
        case "campaign_closed", _role:
            return _("Finished the campaign %(title)s of %(league)s at place %(place)s of %(of)s.") % words
        case "tournament_closed", _role:
            return _("Finished a tournament at place %(place)s of %(of)s.") % words
        case "honor_bestowed", _role if is_shown:
            honor = HONORS.get(str(data.get("honor")))
            return (
                _("Was given the honor %(honor)s in %(league)s.") % {**words, "honor": _(honor.name)} if honor else ""
            )
    return ""


def career(person: Person, viewer: Person | None = None) -> dict[str, Any]:
    """Return a person's career as `career --json` and the API give it: what the viewer is shown of it. Whether they may see it is asked before."""
    from career.honors.selectors import as_json
    from career.ratings.selectors import ratings_of

    with remembering():
        row = standing(person)
        shown = shown_to(person, viewer, timezone.now().date())
        current = present_rank(rank_entries(person)) if shown.rank else None
        return {
            "person": str(person.pk),
            "handle": person.handle,
            "name": person.display_name,
            "as_of": timezone.now().isoformat(),
            "catalogue": CURRENT.version,
            "rank": {
                "id": current.rank,
                "name": rank_name(current.rank),
                "since": current.on.isoformat(),
                "evidence": [{"stream": str(current.stream), "seq": current.seq}],
            }
            if current
            else None,
            "rank_suspended_until": shown.suspended_until.isoformat() if shown.suspended_until else None,
            "next": next_rank(row, current) if shown.rank else None,
            "learning": row.learning,
            "renown": row.renown,
            "career_level": row.career_level,
            "active_years": row.active_years,
            "badges": [
                {
                    "id": award.badge,
                    "name": badge_name(award.badge),
                    "tier": award.tier,
                    "status": award.status,
                    "on": award.on.isoformat(),
                    "withdrawn_on": award.withdrawn_on.isoformat() if award.withdrawn_on else None,
                    "evidence": award.evidence,
                }
                for award in awards(person)
                if shown.has("badge", award.badge)
            ],
            "honors": as_json(person, viewer),
            "ratings": ratings_of(person),
            "record": record(person),
            "history": history(person, shown),
        }


def best_tiers(rows: Iterable[Award]) -> list[Award]:
    """Return of each badge the award of the highest tier that stands: a higher tier replaces the lower in display."""
    order = {"bronze": 1, "silver": 2, "gold": 3}
    best: dict[str, Award] = {}
    for award in rows:
        if award.status != Award.Status.WITHDRAWN and (
            award.badge not in best or order[award.tier] > order[best[award.badge].tier]
        ):
            best[award.badge] = award
    return [best[badge] for badge in VERSIONS.badges if badge in best]


def _match_line(row: SeatDigest) -> dict[str, Any]:
    names = {"game": game_name(row.game), "place": row.place, "players": row.players, "role": ROLE_NAMES[row.role]}
    if row.role == "general":
        text = _("Was General in a match of %(game)s.") % names
    elif row.role != "player":
        text = _("Served as %(role)s in a match of %(game)s.") % names
    elif row.place is None:
        text = _("Played %(game)s.") % names
    else:
        text = _("Played %(game)s: place %(place)s of %(players)s.") % names
    if row.forfeited:
        text = _("%(text)s (forfeited, not credited)") % {"text": text}
    elif not row.confirmed:
        text = _("%(text)s (provisional)") % {"text": text}
    return _line(row.on, "match", text, [{"stream": str(row.match_id), "seq": row.confirmed_seq or 0}])


def _line(on: date, kind: str, text: str, evidence: list[Any]) -> dict[str, Any]:
    return {"on": on.isoformat(), "kind": kind, "text": text, "evidence": evidence}
