"""Who is eligible for an honor: figures from events, each with what it must be at least or at most.

What counts for somebody is what happened in the league; what speaks against them (ROD-50) counts wherever it happened. For the next
step of an honor (ROD-47) only what happened after the last one counts.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_noop as _
from msgspec import Struct

from career import deeds
from career.catalogue import CURRENT
from career.digest import MatchDigest
from career.honors.catalogue import BY_ID
from career.models import Deed, Digest, Honor, RankEntry, SeatDigest, Standing
from career.selectors import aliases, present_rank, rank_entries
from league.models import League, SportsmanshipVote
from league.services import local_day
from matches import selectors as match_selectors
from matches.models import Match, Seat
from people.models import Person
from people.selectors import heads, person_by_handle

YEARS = 2
SQUIRE, CASTELLAN, WARDEN = 2, 5, 7


class Figure(Struct, frozen=True):
    """One figure: what it is, how much there is and must be. `at_most` figures must not be exceeded."""

    name: str
    have: int
    need: int
    at_most: bool = False

    @property
    def is_met(self) -> bool:
        """Return whether it is as it must be."""
        return self.have <= self.need if self.at_most else self.have >= self.need


class Span(Struct, frozen=True):
    """The days that count: up to and with `last`, and after `after`, the day of the step before."""

    last: date
    after: date | None = None

    def has(self, day: date) -> bool:
        """Return whether a day counts."""
        return day <= self.last and (self.after is None or day > self.after)


def figures(honor_id: str, person: Person, league: League, at: datetime) -> list[Figure]:
    """Return the figures of an honor for a person in a league at a moment: for its next step, if they have had it.

    :raises KeyError: for an honor that there is not
    """
    last = last_step(honor_id, person, league)
    return FIGURES[BY_ID[honor_id].id](person, league, Span(local_day(league, at), last.on if last else None))


def basis(held: Honor, person: Person, league: League) -> list[Figure]:
    """Return the figures on which an honor rests as they are after every correction: those of the day it was bestowed."""
    before = _had(held.honor, person, league).filter(step__lt=held.step).order_by("-step").first()
    return FIGURES[held.honor](person, league, Span(held.on, before.on if before else None))


def last_step(honor_id: str, person: Person, league: League) -> Honor | None:
    """Return the last step of an honor that a person has had in a league; one that they did not take is none."""
    return _had(honor_id, person, league).order_by("-step").first()


def _had(honor_id: str, person: Person, league: League) -> QuerySet[Honor]:
    had = Honor.objects.filter(league_id=league.pk, honor=honor_id, person_id__in=aliases(person))
    return had.exclude(status=Honor.Status.DECLINED)


def is_eligible(found: list[Figure]) -> bool:
    """Return whether all figures are met."""
    return all(one.is_met for one in found)


def _parts(person: Person, league: League, span: Span | None = None, **conditions: object) -> QuerySet[SeatDigest]:
    """Return a person's credited parts in the matches of a league."""
    rows = SeatDigest.objects.filter(
        person_id__in=aliases(person), confirmed=True, present=True, league_id=league.pk, **conditions
    )
    if span is None:
        return rows
    rows = rows.filter(on__lte=span.last)
    return rows.filter(on__gt=span.after) if span.after else rows


def _deeds(person: Person, league: League, type_: str, role: str = "person", *, span: Span | None = None) -> list[Deed]:
    return [
        one
        for one in deeds.of(aliases(person))
        if (one.type, one.role, one.stream) == (type_, role, league.pk) and (span is None or span.has(one.on))
    ]


def _standard_bearer(person: Person, league: League, span: Span) -> list[Figure]:
    events = _deeds(person, league, "event_organized", "organizer", span=span)
    ids = {UUID(one) for deed in events for one in deed.data["matches"]}
    played = Match.objects.filter(pk__in=ids).exclude(status=Match.Status.ANNULLED)
    total = played.count()
    open_ = total - played.filter(status=Match.Status.CONFIRMED).count()
    return [
        Figure(_("events organized"), len({deed.data["event"] for deed in events}), 3),
        Figure(_("of their matches not confirmed"), open_, total // 10, at_most=True),
    ]


def staff_of(person: Person, league: League) -> set[UUID]:
    """Return who was on the staff of the events that a person organized in a league, themselves included."""
    events = _deeds(person, league, "event_organized", "organizer")
    return {UUID(one) for deed in events for one in (deed.data["organizer"], *(deed.data.get("staff") or ()))}


def captaincies(person: Person, league: League, span: Span | None = None) -> list[tuple[UUID, UUID]]:
    """Return the matches of KingSquare in which a person was King with a General, with who that was."""
    seats = dict(_parts(person, league, span, game="kingsquare", role="player").values_list("match_id", "seat"))
    generals = SeatDigest.objects.filter(match_id__in=seats, role="general", confirmed=True, present=True)
    return [
        (match, general)
        for match, seat, general in generals.values_list("match_id", "seat", "person_id")
        if seats[match] == seat
    ]


def _captain(person: Person, league: League, span: Span) -> list[Figure]:
    led = captaincies(person, league, span)
    warned = {one.match_id for one in _deeds(person, league, "conduct_noted") if one.data["kind"] == "warning"}
    resigned = 0
    for data in Digest.objects.filter(pk__in={match for match, _general in led} & warned).values_list(
        "data", flat=True
    ):
        present = msgspec.convert(data, MatchDigest).versions[-1]
        resigned += any(one.until is not None for one in present.generals)
    return [
        Figure(_("matches as King with a General"), len({match for match, _general in led}), 10),
        Figure(_("different Generals"), len(_heads({general for _match, general in led})), 3),
        Figure(_("Generals who resigned over conduct"), resigned, 0, at_most=True),
    ]


def _heads(ids: set[UUID]) -> set[UUID]:
    """Return the present heads of some persons."""
    return {one.pk for one in heads(Person.objects.filter(pk__in=ids)).values()}


def newcomers(person: Person, league: League, span: Span | None = None) -> set[UUID]:
    """Return whom a person mentored in a league."""
    told = _deeds(person, league, "mentor_assigned", "mentor", span=span)
    return _heads({UUID(one.data["newcomer"]) for one in told}) - {person.pk}


def _mentor(person: Person, league: League, span: Span) -> list[Figure]:
    ranks = [one.id for one in CURRENT.ranks[SQUIRE - 1 :]]
    reached = RankEntry.objects.filter(
        person_id__in=newcomers(person, league, span), rank__in=ranks, withdrawn_on=None, on__lte=span.last
    )
    return [Figure(_("newcomers who have reached Squire"), reached.values("person_id").distinct().count(), 3)]


def penalties(
    person: Person, span: Span | None = None, kinds: tuple[str, ...] | None = None, *, recorded_after: datetime | None = None
) -> list[tuple[UUID, int, str]]:  # fmt: skip
    """Return the penalties of a person that stand: match, seq and kind. One that was voided does not stand.

    :param span: the days of the matches
    :param recorded_after: only those that were recorded later than this
    """
    seats = Seat.objects.filter(person_id__in=aliases(person), linked=True)
    mine = {
        match: seat
        for match, seat, on in seats.values_list("match_id", "seat", "match__played_on")
        if span is None or span.has(on)
    }
    if not mine:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "select stream, seq from matches_event where type = 'penalty_given' and stream = any(%s)"
            " and (%s::timestamptz is null or recorded_at > %s)",
            [list(mine), recorded_after, recorded_after],
        )
        named = set(cursor.fetchall())
    found = []
    for match in Match.objects.filter(pk__in={stream for stream, _seq in named}).order_by("ended_at", "pk"):
        told = match_selectors.match_replay(match)
        for line in told.log.lines:
            if (match.pk, line.seq) not in named or line.seq in told.skipped:
                continue
            data = line.payload()
            kind = str(data.get("kind", ""))
            if (data.get("seat") or line.seat) == mine[match.pk] and (kinds is None or kind in kinds):
                found.append((match.pk, line.seq, kind))
    return found


def _clean_ledger(person: Person, league: League, span: Span) -> list[Figure]:
    since = _back(span.last, YEARS)
    recent = Span(span.last, since - timedelta(days=1))
    first = _parts(person, league, span).order_by("on").values_list("on", flat=True).first()
    noted = [
        one
        for one in deeds.of(aliases(person))
        if one.type == "conduct_noted" and recent.has(one.on) and one.data["kind"] in ("warning", "unexcused_absence")
    ]
    forfeits = SeatDigest.objects.filter(person_id__in=aliases(person), role="player", present=True, forfeited=True)
    return [
        Figure(_("months since the first match"), _months(first, span.last) if first else 0, 24),
        Figure(_("credited matches"), _parts(person, league, span).values("match_id").distinct().count(), 20),
        Figure(_("penalties in the last 24 months"), len(penalties(person, recent)), 0, at_most=True),
        Figure(
            _("forfeits in the last 24 months"), forfeits.filter(on__gte=since, on__lte=span.last).count(), 0, at_most=True
        ),
        Figure(_("warnings and unexcused absences in the last 24 months"), len(noted), 0, at_most=True),
    ]  # fmt: skip


def _back(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:  # 29 February
        return day.replace(year=day.year - years, day=28)


def _months(first: date, last: date) -> int:
    """Return the whole months from one day to another."""
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)


def _open_hand(person: Person, league: League, span: Span) -> list[Figure]:
    seasons = league.seasons.filter(opened_on__lte=span.last)
    if span.after:
        seasons = seasons.filter(opened_on__gt=span.after)
    rows = (
        SportsmanshipVote.objects.filter(season__in=seasons, nominee__in=aliases(person))
        .values("season")
        .annotate(voters=Count("voter", distinct=True), matches=Count("match_id", distinct=True))
        .order_by("-season")
    )
    found = [
        [Figure(_("voters in one season"), row["voters"], 12), Figure(_("matches with votes in it"), row["matches"], 8)]
        for row in rows
    ]
    none = [Figure(_("voters in one season"), 0, 12), Figure(_("matches with votes in it"), 0, 8)]
    return max(found, key=lambda pair: (is_eligible(pair), pair[0].have, pair[1].have), default=none)


def _truth_teller(person: Person, league: League, span: Span) -> list[Figure]:
    own = [one for one in _deeds(person, league, "conduct_noted", span=span) if one.data["kind"] == "self_report"]
    rows = _parts(person, league, span, role__in=("player", "general")).values_list("match_id", "seat", "role")
    sides = {match: (seat, role) for match, seat, role in rows}
    reported: dict[UUID, int] = {}
    if sides:
        with connection.cursor() as cursor:
            cursor.execute(
                "select distinct stream from matches_event where stream = any(%s) and data ? 'reported_by'",
                [list(sides)],
            )
            named = [row[0] for row in cursor.fetchall()]
        for match in Match.objects.filter(pk__in=named):
            reported[match.pk] = _told_on_oneself(match, *sides[match.pk], person)
    # A note about a match whose corrections are counted says the same thing again.
    notes = [one for one in own if one.match_id is None or not reported.get(one.match_id)]
    return [Figure(_("errors reported to the own disadvantage"), len(notes) + sum(reported.values()), 3)]


def _told_on_oneself(match: Match, seat: str, role: str, person: Person) -> int:
    """Return how many corrections of a match a person reported whose ruling favours another seat than theirs."""
    told = match_selectors.match_replay(match)
    lines = [(line.seq, line.type, line.payload()) for line in told.log.lines if line.seq not in told.skipped]
    favours = {
        data["about_seq"]: data["favours"]
        for _seq, kind, data in lines
        if kind == "ruling_given" and data.get("favours") and data.get("about_seq") is not None
    }

    def is_theirs(named: str) -> bool:
        if named == seat:
            return role == "player"
        if named == str(person.pk):
            return True
        known = person_by_handle(named)
        return known is not None and known.pk == person.pk

    return sum(
        1
        for seq, _kind, data in lines
        if isinstance(data.get("reported_by"), str)
        and (favours.get(data.get("target_seq")) or favours.get(seq) or seat) != seat
        and is_theirs(data["reported_by"])
    )


def _compass(person: Person, league: League, span: Span) -> list[Figure]:
    rows = list(_parts(person, league, span, role="mapmaster").values_list("match_id", "on"))
    seasons = {
        season.pk
        for season in league.seasons.all()
        if any(season.opened_on <= on and (season.closed_on is None or on <= season.closed_on) for _match, on in rows)
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*), count(*) filter (where exists (select from matches_event other where other.stream = one.stream"
            " and other.seq > one.seq and other.type in ('event_voided', 'event_amended') and other.data ->> 'target_seq' = one.seq::text))"
            " from matches_event one where one.stream = any(%s) and one.type = 'ruling_given'"
            " and (one.by = any(%s) or one.acting_as = 'mapmaster')",
            [[match for match, _on in rows], aliases(person)],
        )
        given, overturned = cursor.fetchone()
    return [
        Figure(_("credited matches as MapMaster"), len({match for match, _on in rows}), 10),
        Figure(_("seasons in which they were"), len(seasons), 2),
        Figure(_("own rulings overturned"), overturned, given // 10, at_most=True),
    ]


def _quill(person: Person, league: League, span: Span) -> list[Figure]:
    ids = set(_parts(person, league, span, role="scribe").values_list("match_id", flat=True))
    entries = errors = 0
    for data in Digest.objects.filter(pk__in=ids).values_list("data", flat=True).iterator(chunk_size=200):
        present = msgspec.convert(data, MatchDigest).versions[-1]
        entries, errors = entries + present.events, errors + present.scribe_errors
    return [Figure(_("matches scribed"), len(ids), 25), scribe_share(errors, entries)]


def scribe_share(errors: int, entries: int) -> Figure:
    """Return the figure of HON-08: errors of the scribe among entries recorded, two of a hundred at most."""
    return Figure(_("errors of the scribe corrected"), errors, entries * 2 // 100, at_most=True)


def _hearth(person: Person, league: League, span: Span) -> list[Figure]:
    ids = {str(one) for one in aliases(person)}
    minutes = sum(
        int(one.data["minutes"])
        for one in _deeds(person, league, "service_recorded", span=span)
        if one.data["confirmed_by"] not in ids
    )
    return [Figure(_("hours of service"), minutes // 60, 30)]


def _lantern(person: Person, league: League, span: Span) -> list[Figure]:
    ids = aliases(person)
    held = Honor.objects.filter(person_id__in=ids, status=Honor.Status.HELD, on__lte=span.last)
    if span.after:
        held = held.filter(on__gt=span.after)
    classes = {BY_ID[one].klass for one in held.values_list("honor", flat=True) if one in BY_ID} - {"life"}
    rank = present_rank(rank_entries(person))
    standing = Standing.objects.filter(pk=person.pk).first()
    years = [
        one
        for one in (standing.active_years if standing else ())
        if one <= span.last.year and (span.after is None or one > span.after.year)
    ]
    # Without a season the calendar year is one.
    season = league.seasons.filter(opened_on__lte=span.last).order_by("-opened_on").first()
    others = (
        Honor.objects.filter(league_id=league.pk, honor="HON-10", on__lte=span.last)
        .filter(on__gte=season.opened_on if season else span.last.replace(month=1, day=1))
        .exclude(status=Honor.Status.DECLINED)
        .exclude(person_id__in=ids)
    )
    return [
        Figure(_("steps on the ladder of ranks"), CURRENT.step_of(rank.rank if rank else None), WARDEN),
        Figure(_("active years"), len(years), 5),
        Figure(_("classes of honors held"), len(classes), 3),
        Figure(_("bestowed in the league this season"), others.count(), 0, at_most=True),
    ]


FIGURES: dict[str, Callable[[Person, League, Span], list[Figure]]] = {
    "HON-01": _standard_bearer,
    "HON-02": _captain,
    "HON-03": _mentor,
    "HON-04": _clean_ledger,
    "HON-05": _open_hand,
    "HON-06": _truth_teller,
    "HON-07": _compass,
    "HON-08": _quill,
    "HON-09": _hearth,
    "HON-10": _lantern,
}


def peers(person: Person, at: datetime) -> set[UUID]:
    """Return who has a credited match together with a person in the last twelve months (ROD-43), in whatever role.

    A match in which both were of one Kingdom, as King and General, makes nobody a peer (ROD-40).
    """
    since = _back(at.date(), 1)
    shared = SeatDigest.objects.filter(confirmed=True, present=True, on__gte=since, on__lte=at.date())
    mine = dict(shared.filter(person_id__in=aliases(person)).order_by("seat").values_list("match_id", "seat"))
    met = shared.filter(match_id__in=mine).values_list("match_id", "person_id", "seat")
    return _heads({other for match, other, seat in met if not seat or seat != mine[match]}) - {person.pk}
