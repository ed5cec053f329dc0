"""Who is eligible for an honor: figures from events, each with what it must be at least or at most.

What counts for somebody is what happened in the league; what speaks against them (ROD-50) counts wherever it happened.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Count
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
from matches.models import Match
from people.models import Person

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


def figures(honor_id: str, person: Person, league: League, at: datetime) -> list[Figure]:
    """Return the figures of an honor for a person in a league at a moment.

    :raises KeyError: for an honor that there is not
    """
    return FIGURES[BY_ID[honor_id].id](person, league, at)


def is_eligible(found: list[Figure]) -> bool:
    """Return whether all figures are met."""
    return all(one.is_met for one in found)


def _parts(person: Person, league: League | None, **conditions: object):  # type: ignore[no-untyped-def]
    rows = SeatDigest.objects.filter(person_id__in=aliases(person), confirmed=True, present=True, **conditions)
    return rows.filter(league_id=league.pk) if league is not None else rows


def _deeds(person: Person, league: League, type_: str, role: str = "person") -> list[Deed]:
    return [one for one in deeds.of(aliases(person)) if (one.type, one.role, one.stream) == (type_, role, league.pk)]


def _standard_bearer(person: Person, league: League, at: datetime) -> list[Figure]:
    events = _deeds(person, league, "event_organized", "organizer")
    ids = {UUID(one) for deed in events for one in deed.data["matches"]}
    played = Match.objects.filter(pk__in=ids).exclude(status=Match.Status.ANNULLED)
    total = played.count()
    open_ = total - played.filter(status=Match.Status.CONFIRMED).count()
    return [
        Figure(_("events organized"), len({deed.data["event"] for deed in events}), 3),
        Figure(_("of their matches not confirmed"), open_, total // 10, at_most=True),
    ]


def captaincies(person: Person, league: League | None) -> list[tuple[UUID, UUID]]:
    """Return the matches of KingSquare in which a person was King with a General, with who that was."""
    seats = dict(_parts(person, league, game="kingsquare", role="player").values_list("match_id", "seat"))
    generals = SeatDigest.objects.filter(match_id__in=seats, role="general", confirmed=True, present=True)
    return [
        (match, general)
        for match, seat, general in generals.values_list("match_id", "seat", "person_id")
        if seats[match] == seat
    ]


def _captain(person: Person, league: League, at: datetime) -> list[Figure]:
    led = captaincies(person, league)
    warned = {one.match_id for one in _deeds(person, league, "conduct_noted") if one.data["kind"] == "warning"}
    resigned = 0
    for data in Digest.objects.filter(pk__in={match for match, _general in led} & warned).values_list(
        "data", flat=True
    ):
        present = msgspec.convert(data, MatchDigest).versions[-1]
        resigned += any(one.until is not None for one in present.generals)
    return [
        Figure(_("matches as King with a General"), len({match for match, _general in led}), 10),
        Figure(_("different Generals"), len({general for _match, general in led}), 3),
        Figure(_("Generals who resigned over conduct"), resigned, 0, at_most=True),
    ]


def newcomers(person: Person, league: League) -> set[UUID]:
    """Return whom a person mentored in a league."""
    told = _deeds(person, league, "mentor_assigned", "mentor")
    found = Person.objects.filter(pk__in={UUID(one.data["newcomer"]) for one in told}).select_related("joined_into")
    return {one.head.pk for one in found} - {person.pk}


def _mentor(person: Person, league: League, at: datetime) -> list[Figure]:
    ranks = [one.id for one in CURRENT.ranks[SQUIRE - 1 :]]
    reached = RankEntry.objects.filter(person_id__in=newcomers(person, league), rank__in=ranks, withdrawn_on=None)
    return [Figure(_("newcomers who have reached Squire"), reached.values("person_id").distinct().count(), 3)]


def penalties(
    person: Person, since: date | None = None, kinds: tuple[str, ...] | None = None
) -> list[tuple[UUID, int, str]]:
    """Return the penalties of a person that stand: match, seq and kind. One that was voided does not stand."""
    seats = SeatDigest.objects.filter(person_id__in=aliases(person), role="player", present=True)
    if since is not None:
        seats = seats.filter(on__gte=since)
    mine = dict(seats.values_list("match_id", "seat"))
    if not mine:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "select distinct stream from matches_event where type = 'penalty_given' and stream = any(%s)", [list(mine)]
        )
        named = [row[0] for row in cursor.fetchall()]
    found = []
    for match in Match.objects.filter(pk__in=named).order_by("ended_at", "pk"):
        told = match_selectors.match_replay(match)
        for line in told.log.lines:
            if line.type != "penalty_given" or line.seq in told.skipped:
                continue
            data = line.payload()
            kind = str(data.get("kind", ""))
            if (data.get("seat") or line.seat) == mine[match.pk] and (kinds is None or kind in kinds):
                found.append((match.pk, line.seq, kind))
    return found


def _clean_ledger(person: Person, league: League, at: datetime) -> list[Figure]:
    today = local_day(league, at)
    since = _back(today, YEARS)
    first = _parts(person, league).order_by("on").values_list("on", flat=True).first()
    noted = [
        one
        for one in deeds.of(aliases(person))
        if one.type == "conduct_noted" and one.on >= since and one.data["kind"] in ("warning", "unexcused_absence")
    ]
    forfeits = SeatDigest.objects.filter(person_id__in=aliases(person), role="player", present=True, forfeited=True)
    return [
        Figure(_("months since the first match"), _months(first, today) if first else 0, 24),
        Figure(_("credited matches"), _parts(person, league).values("match_id").distinct().count(), 20),
        Figure(_("penalties in the last 24 months"), len(penalties(person, since)), 0, at_most=True),
        Figure(_("forfeits in the last 24 months"), forfeits.filter(on__gte=since).count(), 0, at_most=True),
        Figure(_("warnings and unexcused absences in the last 24 months"), len(noted), 0, at_most=True),
    ]


def _back(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:  # 29 February
        return day.replace(year=day.year - years, day=28)


def _months(first: date, last: date) -> int:
    """Return the whole months from one day to another."""
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)


def _open_hand(person: Person, league: League, at: datetime) -> list[Figure]:
    rows = (
        SportsmanshipVote.objects.filter(season__league=league, nominee__in=aliases(person))
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


def _truth_teller(person: Person, league: League, at: datetime) -> list[Figure]:
    own = [one for one in _deeds(person, league, "conduct_noted") if one.data["kind"] == "self_report"]
    seats = dict(_parts(person, league, role="player").values_list("match_id", "seat"))
    reported = 0
    if seats:
        with connection.cursor() as cursor:
            cursor.execute(
                "select distinct stream from matches_event where stream = any(%s) and data ? 'reported_by'",
                [list(seats)],
            )
            named = [row[0] for row in cursor.fetchall()]
        for match in Match.objects.filter(pk__in=named):
            reported += _told_on_oneself(match, seats[match.pk], person)
    return [Figure(_("errors reported to the own disadvantage"), len(own) + reported, 3)]


def _told_on_oneself(match: Match, seat: str, person: Person) -> int:
    """Return how many corrections of a match a seat reported whose ruling favours another."""
    told = match_selectors.match_replay(match)
    names = {seat, person.handle, str(person.pk)}
    favours = {
        data["about_seq"]: data["favours"]
        for line in told.log.lines
        if line.type == "ruling_given" and line.seq not in told.skipped
        for data in [line.payload()]
        if data.get("favours") and data.get("about_seq") is not None
    }
    return sum(
        1
        for line in told.log.lines
        if line.seq not in told.skipped
        for data in [line.payload()]
        if data.get("reported_by") in names and favours.get(data.get("target_seq"), seat) != seat
    )


def _compass(person: Person, league: League, at: datetime) -> list[Figure]:
    rows = list(_parts(person, league, role="mapmaster").values_list("match_id", "on"))
    seasons = {
        season.pk
        for season in league.seasons.all()
        if any(season.opened_on <= on and (season.closed_on is None or on <= season.closed_on) for _match, on in rows)
    }
    given = overturned = 0
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*), count(*) filter (where exists (select from matches_event other where other.stream = one.stream"
            " and other.seq > one.seq and other.type in ('event_voided', 'event_amended') and other.data ->> 'target_seq' = one.seq::text))"
            " from matches_event one where one.stream = any(%s) and one.type = 'ruling_given' and one.by = any(%s)",
            [[match for match, _on in rows], aliases(person)],
        )
        given, overturned = cursor.fetchone()
    return [
        Figure(_("credited matches as MapMaster"), len({match for match, _on in rows}), 10),
        Figure(_("seasons in which they were"), len(seasons), 2),
        Figure(_("own rulings overturned"), overturned, given // 10, at_most=True),
    ]


def _quill(person: Person, league: League, at: datetime) -> list[Figure]:
    ids = set(_parts(person, league, role="scribe").values_list("match_id", flat=True))
    entries = errors = 0
    for data in Digest.objects.filter(pk__in=ids).values_list("data", flat=True).iterator(chunk_size=200):
        present = msgspec.convert(data, MatchDigest).versions[-1]
        entries, errors = entries + present.events, errors + present.scribe_errors
    return [Figure(_("matches scribed"), len(ids), 25), scribe_share(errors, entries)]


def scribe_share(errors: int, entries: int) -> Figure:
    """Return the figure of HON-08: errors of the scribe among entries recorded, two of a hundred at most."""
    return Figure(_("errors of the scribe corrected"), errors, entries * 2 // 100, at_most=True)


def _hearth(person: Person, league: League, at: datetime) -> list[Figure]:
    ids = {str(one) for one in aliases(person)}
    minutes = sum(
        int(one.data["minutes"])
        for one in _deeds(person, league, "service_recorded")
        if one.data["confirmed_by"] not in ids
    )
    return [Figure(_("hours of service"), minutes // 60, 30)]


def _lantern(person: Person, league: League, at: datetime) -> list[Figure]:
    held = Honor.objects.filter(person_id__in=aliases(person), status=Honor.Status.HELD).values_list("honor", flat=True)
    classes = {BY_ID[one].klass for one in held if one in BY_ID} - {"life"}
    rank = present_rank(rank_entries(person))
    standing = Standing.objects.filter(pk=person.pk).first()
    season = league.seasons.filter(closed_on=None).order_by("-opened_on").first()
    given = Honor.objects.filter(league_id=league.pk, honor="HON-10").exclude(status=Honor.Status.DECLINED)
    this = given.filter(on__gte=season.opened_on).count() if season else 0
    return [
        Figure(_("steps on the ladder of ranks"), CURRENT.step_of(rank.rank if rank else None), WARDEN),
        Figure(_("active years"), len(standing.active_years) if standing else 0, 5),
        Figure(_("classes of honors held"), len(classes), 3),
        Figure(_("bestowed in the league this season"), this, 0, at_most=True),
    ]


FIGURES: dict[str, Callable[[Person, League, datetime], list[Figure]]] = {
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
    """Return who has a credited match together with a person in the last twelve months (ROD-43), in whatever role."""
    since = at.date() - timedelta(days=365)
    mine = SeatDigest.objects.filter(person_id__in=aliases(person), confirmed=True, present=True, on__gte=since)
    met = SeatDigest.objects.filter(match_id__in=mine.values("match_id"), confirmed=True, present=True)
    ids = set(met.values_list("person_id", flat=True).distinct())
    found = Person.objects.filter(pk__in=ids).select_related("joined_into")
    return {one.head.pk for one in found} - {person.pk}
