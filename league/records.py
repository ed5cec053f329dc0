"""What a league keeps beside its matches: seasons, campaigns, services, conduct, mentoring, events, votes. Each is an entry of its stream."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league import campaigns, season_points, seasons, stream, votes
from league.events import (
    CampaignClosed,
    CampaignOpened,
    ConductNoted,
    ConductStruck,
    DivisionSet,
    EventOrganized,
    MentorAssigned,
    RankRestored,
    RankSuspended,
    SeasonClosed,
    SeasonOpened,
    SeasonReopened,
    ServiceRecorded,
    SportsmanshipVoteCast,
)
from league.models import Campaign, League, Member, Season, VoteKey
from league.selectors import generals_by_seat, generals_of, season_on
from league.services import acting, local_day, locked, write
from matches import log
from matches.links import Link
from matches.models import Match, Seat
from people.models import Person
from rulesengine import registry

KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,39}\Z")
SERVICES = ("setting_up", "teaching", "hosting", "transport", "website", "other")
CONDUCT = ("warning", "unexcused_absence", "commendation", "self_report")
VOTE_HOURS = 72
MOST_MINUTES = 24 * 60
COUNTED = (Match.Depth.LOG, Match.Depth.SCORE)


def _key(text: str) -> str:
    if not KEY.match(text):
        raise ValidationError({"key": _("A short name has up to 40 of the characters a–z, 0–9 and -.")})
    return text


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not title or len(title) > 120:
        raise ValidationError({"title": _("A title has 1 to 120 characters.")})
    return title


def _reason(text: str) -> str:
    reason = " ".join(text.split())
    if not reason or len(reason) > 1000:
        raise ValidationError({"reason": _("Say why, in 1 to 1,000 characters.")})
    return reason


def _member(league: League, person: Person, field: str = "handle") -> Person:
    """Return the head of a person who is, or was, a member."""
    head = person.head
    if head.forgotten_at is not None or not Member.objects.filter(league=league, person=head).exists():
        raise ValidationError({field: _("This person is no member of %(league)s.") % {"league": league.name}})
    return head


def _past(league: League, day: date, at: datetime, field: str = "date") -> str:
    if day > local_day(league, at):
        raise ValidationError({field: _("This day is not over there yet; enter a day that has come.")})
    return day.isoformat()


# Seasons


@transaction.atomic
def season_open(
    *, league: League, key: str, title: str, first_day: date, by: Person, at: datetime,
    points: Sequence[int] | None = None, best_n: int | None = None, drop_n: int | None = None,
) -> Season:  # fmt: skip
    """Open a season. One season of a league is open at a time.

    :param points: by place, first place first; None gives n points to the first of n, n − 1 to the second …
    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for a key that is taken, a day inside another season, or while another season is open
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    _key(key)
    if league.seasons.filter(key=key).exists():
        raise ValidationError({"key": _("This short name was given to another season.")})
    if (open_ := league.seasons.filter(closed_on=None).first()) is not None:
        raise ValidationError(_("%(season)s is open; close it first.") % {"season": open_.title})
    if league.seasons.filter(opened_on__lte=first_day, closed_on__gte=first_day).exists():
        raise ValidationError({"first_day": _("Another season was held on that day.")})
    for name, figure in (("best_n", best_n), ("drop_n", drop_n)):
        if figure is not None and not 1 <= figure <= 100:
            raise ValidationError({name: _("Enter 1 to 100, or leave it empty.")})
    if points is not None and (not 1 <= len(points) <= 20 or any(not 0 <= one <= 1000 for one in points)):
        raise ValidationError({"points": _("Enter 1 to 20 figures from 0 to 1,000.")})
    event = SeasonOpened(
        season=key, title=_title(title), date=first_day.isoformat(), points=list(points) if points else None, best_n=best_n,
        drop_n=drop_n,
    )  # fmt: skip
    write(league, [event], by=by, acting_as=role, at=at)
    return league.seasons.get(key=key)


def finishes_of(league: League, *, first: date, last: date | None) -> list[seasons.Finish]:
    """Return how everybody finished in the league's matches of some days, provisional ones marked as pending."""
    found = Match.objects.filter(league=league.pk, depth__in=COUNTED, played_on__gte=first).filter(
        status__in=(Match.Status.ENDED, Match.Status.CONFIRMED)
    )
    if last is not None:
        found = found.filter(played_on__lte=last)
    return _finishes(found)


def _finishes(matches: QuerySet[Match]) -> list[seasons.Finish]:
    """Return how everybody finished in these matches; joined persons under their present head."""
    seats = Seat.objects.filter(match__in=matches.order_by()).order_by("match_id", "position")
    told: list[Any] = list(
        seats.values_list(
            "match_id", "match__played_on", "match__status", "person_id", "linked", "place", "forfeited", named=True
        )
    )
    players = Counter(seat.match_id for seat in told)
    joined = dict(Person.objects.exclude(joined_into=None).values_list("pk", "joined_into_id"))

    def head(person: UUID) -> UUID:
        while person in joined:
            person = joined[person]
        return person

    return [
        seasons.Finish(
            match=str(seat.match_id), on=seat.match__played_on, person=str(head(seat.person_id)), place=seat.place,
            players=players[seat.match_id], forfeited=seat.forfeited, is_pending=seat.match__status != Match.Status.CONFIRMED,
        )
        for seat in told
        if seat.person_id is not None and seat.linked and seat.place is not None
    ]  # fmt: skip


def season_table(season: Season, *, last: date | None = None) -> list[seasons.Row]:
    """Return the table of a season as the matches stand now."""
    finishes = finishes_of(season.league, first=season.opened_on, last=last or season.closed_on)
    return seasons.table(finishes, points=season.points, best_n=season.best_n, drop_n=season.drop_n)


MOST_DIVISIONS = 20


@transaction.atomic
def division_set(
    *, season: Season, divisions: Sequence[tuple[str, Sequence[Person]]], moving: int, by: Person, at: datetime
) -> Season:
    """Set the divisions of an open season, best first; without any it has none.

    :param divisions: the short name of each, and its members
    :param moving: how many move up and down across each border when the season closes
    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for somebody who is no member or in two divisions, a name that is there twice, or a closed season
    """
    role = acting(by, "pair", season.league.scopes)
    league = locked(season.league)
    season = league.seasons.get(pk=season.pk)
    if season.closed_on is not None:
        raise ValidationError(_("%(season)s is closed.") % {"season": season.title})
    if len(divisions) == 1 or len(divisions) > MOST_DIVISIONS:
        raise ValidationError(_("A season has no divisions, or 2 to %(most)s.") % {"most": MOST_DIVISIONS})
    names = [_key(name) for name, _members in divisions]
    if len(set(names)) < len(names):
        raise ValidationError(_("Two divisions have the same short name."))
    if not 0 <= moving <= 20:
        raise ValidationError({"moving": _("Between 0 and 20.")})
    inside = set(league.members.filter(until=None).values_list("person_id", flat=True))
    seen: set[UUID] = set()
    for _name, members in divisions:
        for one in members:
            if one.pk not in inside:
                raise ValidationError(_("%(name)s is no member of the league.") % {"name": one.display_name})
            if one.pk in seen:
                raise ValidationError(_("%(name)s is in two divisions.") % {"name": one.display_name})
            seen.add(one.pk)
    told: list[dict[str, str | list[str]]] = [
        {"division": name, "members": [str(one.pk) for one in members]}
        for name, (_name, members) in zip(names, divisions, strict=True)
    ]
    if told != (season.divisions or []) or moving != season.moving:
        write(league, [DivisionSet(season=season.key, divisions=told, moving=moving)], by=by, acting_as=role, at=at)
        season.refresh_from_db()
    return season


def division_tables(season: Season, rows: Sequence[seasons.Row]) -> list[season_points.Division]:
    """Return the divisions of a season with their tables: places within each, members without a match behind the others."""
    at = {row.person: row for row in rows}
    made = []
    for one in season.divisions or ():
        played = sorted((at[who] for who in one["members"] if who in at and at[who].played), key=lambda row: row.place)
        rest = [who for who in one["members"] if who not in {row.person for row in played}]
        table = [
            season_points.Standing(row.person, 1 + sum(other.place < row.place for other in played), row.played)
            for row in played
        ]
        table += [season_points.Standing(who, len(played) + 1) for who in rest]
        made.append(season_points.Division(one["division"], tuple(table)))
    return made


def closing(season: Season, rows: Sequence[seasons.Row]) -> season_points.Closing | None:
    """Return who would move if a season closed with this table; None without divisions."""
    if not season.divisions:
        return None
    return season_points.close(division_tables(season, rows), season_points.Exchange(count=season.moving))


@transaction.atomic
def season_close(*, season: Season, last_day: date, by: Person, at: datetime) -> Season:
    """Close a season: its table is frozen, and the key of its secret vote destroyed.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if it is closed, or the day lies before its first or in the future
    """
    role = acting(by, "pair", season.league.scopes)
    league = locked(season.league)
    season = league.seasons.get(pk=season.pk)
    if season.closed_on is not None:
        raise ValidationError(_("%(season)s is closed.") % {"season": season.title})
    _past(league, last_day, at, "last_day")
    if last_day < season.opened_on:
        raise ValidationError({"last_day": _("The season began later.")})
    rows = season_table(season, last=last_day)
    firsts = [row for row in rows if row.place == 1 and row.played]
    event = SeasonClosed(
        season=season.key, date=last_day.isoformat(),
        table=[
            {"person": row.person, "points": row.points, "place": row.place, "played": row.played} for row in rows if row.played
        ],
        champion=firsts[0].person if len(firsts) == 1 else None,
        moves=[
            {"person": one.person, "from": one.origin or "", "to": one.target or "", "why": one.reason} for one in moving.moves
        ] if (moving := closing(season, rows)) is not None else None,
    )  # fmt: skip
    write(league, [event], by=by, acting_as=role, at=at)
    votes.destroy(season.purpose)
    season.refresh_from_db()
    return season


@transaction.atomic
def season_reopen(*, season: Season, by: Person, at: datetime) -> Season:
    """Let a closed season go on, as long as no other is open. Its secret vote stays closed: the key is gone.

    :raises Forbidden: unless `by` owns the league
    :raises ValidationError: if it is open, or a later season has begun
    """
    role = acting(by, "administer", season.league.scopes)
    league = locked(season.league)
    season = league.seasons.get(pk=season.pk)
    if season.closed_on is None:
        raise ValidationError(_("%(season)s is open.") % {"season": season.title})
    if league.seasons.filter(opened_on__gt=season.opened_on).exists():
        raise ValidationError(_("A later season has begun; %(season)s stays closed.") % {"season": season.title})
    write(league, [SeasonReopened(season=season.key)], by=by, acting_as=role, at=at)
    season.refresh_from_db()
    return season


# Campaigns


@transaction.atomic
def campaign_open(*, league: League, key: str, title: str, game: str, by: Person, at: datetime) -> Campaign:
    """Open a campaign: a named series of matches of one game.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for a key that is taken, or a game that is not played here
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    _key(key)
    if league.campaigns.filter(key=key).exists():
        raise ValidationError({"key": _("This short name was given to another campaign.")})
    if game not in registry.games():
        raise ValidationError({"game": _("Choose one of the games.")})
    event = CampaignOpened(campaign=key, title=_title(title), game=game, date=local_day(league, at).isoformat())
    write(league, [event], by=by, acting_as=role, at=at)
    return league.campaigns.get(key=key)


def campaign_matches(campaign: Campaign, match_ids: Sequence[UUID]) -> list[Match]:
    """Return the matches named, in order of play.

    :raises ValidationError: unless they are three or more confirmed matches of the game in the league
    """
    found = list(
        Match.objects.filter(pk__in=set(match_ids), league=campaign.league_id, game=campaign.game, depth__in=COUNTED)
        .filter(status=Match.Status.CONFIRMED)
        .order_by("ended_at", "pk")
    )
    if len(found) < len(set(match_ids)):
        raise ValidationError({"matches": _("Choose confirmed matches of this game in this league.")})
    if len(found) < campaigns.LEAST:
        raise ValidationError({"matches": _("A campaign has at least %(n)s matches.") % {"n": campaigns.LEAST}})
    return found


def campaign_table(matches: Sequence[Match]) -> list[campaigns.Placed]:
    """Return the table of a campaign of these matches."""
    return campaigns.table(_finishes(Match.objects.filter(pk__in=[one.pk for one in matches])))


@transaction.atomic
def campaign_close(*, campaign: Campaign, match_ids: Sequence[UUID], by: Person, at: datetime) -> Campaign:
    """Close a campaign with its matches and final table (ROD-60).

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if it is closed, or the matches will not do
    """
    role = acting(by, "pair", campaign.league.scopes)
    league = locked(campaign.league)
    campaign = league.campaigns.get(pk=campaign.pk)
    if campaign.closed_on is not None:
        raise ValidationError(_("%(campaign)s is closed.") % {"campaign": campaign.title})
    found = campaign_matches(campaign, match_ids)
    event = CampaignClosed(
        campaign=campaign.key, date=local_day(league, at).isoformat(), matches=[str(one.pk) for one in found],
        placements=[{"person": one.person, "points": one.points, "place": one.place} for one in campaign_table(found)],
    )  # fmt: skip
    write(league, [event], by=by, acting_as=role, at=at)
    campaign.refresh_from_db()
    return campaign


# What people did for the league, and how


@transaction.atomic
def service_record(
    *, league: League, person: Person, kind: str, minutes: int, day: date, by: Person, at: datetime
) -> None:
    """Record a service; whoever records it confirms it, and that is never the person themself.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself, no member, an unknown kind, no time or more than a day, or a day to come
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    person = _member(league, person)
    if person.pk == by.head.pk:
        raise ValidationError({"handle": _("Somebody else must confirm your own service.")})
    if kind not in SERVICES:
        raise ValidationError({"kind": _("Choose one of the kinds.")})
    if not 1 <= minutes <= MOST_MINUTES:
        raise ValidationError({"minutes": _("Enter 1 to 1,440 minutes; a longer service is entered day by day.")})
    event = ServiceRecorded(
        person=str(person.pk), kind=kind, minutes=minutes, date=_past(league, day, at), confirmed_by=str(by.pk)
    )
    write(league, [event], by=by, acting_as=role, at=at)


@transaction.atomic
def conduct_note(
    *,
    league: League,
    person: Person,
    kind: str,
    note: str,
    day: date,
    by: Person,
    at: datetime,
    match: Match | None = None,
) -> None:
    """Note a warning, an unexcused absence, a commendation or a self-report.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself, no member, an unknown kind, no text, or a match of another league
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    person = _member(league, person)
    if person.pk == by.head.pk:
        raise ValidationError({"handle": _("Somebody else must note this of you.")})
    if kind not in CONDUCT:
        raise ValidationError({"kind": _("Choose one of the kinds.")})
    if match is not None and match.league != league.pk:
        raise ValidationError({"match": _("This match belongs to another league.")})
    event = ConductNoted(
        person=str(person.pk), kind=kind, date=_past(league, day, at), note=_reason(note),
        match=str(match.pk) if match is not None else None,
    )  # fmt: skip
    write(league, [event], by=by, acting_as=role, at=at)


@transaction.atomic
def conduct_strike(*, league: League, seq: int, reason: str, by: Person, at: datetime) -> None:
    """Strike a note that was a mistake. The entry stays; it counts no more.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if there is no such note, it was struck, or it is about oneself
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    rows = [
        row for row in log.read(league.pk, after=seq - 1, limit=1) if row.seq == seq and row.type == "conduct_noted"
    ]
    struck = {
        event.target_seq
        for event in _events(league)
        if isinstance(event, ConductStruck)
    }  # fmt: skip
    if not rows or seq in struck:
        raise ValidationError(_("There is no note %(seq)s to strike.") % {"seq": seq})
    [note] = stream.events_of(rows)
    if isinstance(note, ConductNoted) and _head(note.person) == by.head.pk:
        raise ValidationError(_("Somebody else must strike a note about you."))
    write(league, [ConductStruck(target_seq=seq, reason=_reason(reason))], by=by, acting_as=role, at=at)


def _events(league: League) -> list[object]:
    return list(stream.events_of(log.read(league.pk)))


def _head(person: str) -> UUID:
    """Return the present head of a person whom an event names."""
    return Person.objects.get(pk=UUID(person)).head.pk


@transaction.atomic
def mentor_assign(*, league: League, mentor: Person, newcomer: Person, match: Match, by: Person, at: datetime) -> None:
    """Record that a member accompanied a newcomer through a match.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if one is no member, both are the same, or the newcomer did not sit in that match of the league
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    mentor, newcomer = _member(league, mentor, "mentor"), _member(league, newcomer, "newcomer")
    if mentor.pk == newcomer.pk:
        raise ValidationError({"newcomer": _("Nobody mentors themselves.")})
    if match.league != league.pk:
        raise ValidationError({"match": _("This match belongs to another league.")})
    at_table = {seat.person.head.pk for seat in match.seats.select_related("person__joined_into") if seat.person}
    if newcomer.pk not in at_table | {one.pk for one in generals_of(match)}:
        raise ValidationError({"match": _("The newcomer did not sit in this match.")})
    event = MentorAssigned(mentor=str(mentor.pk), newcomer=str(newcomer.pk), match=str(match.pk))
    write(league, [event], by=by, acting_as=role, at=at)


@transaction.atomic
def event_organize(
    *, league: League, organizer: Person, title: str, day: date, match_ids: Sequence[UUID], staff: Sequence[Person], by: Person,
    at: datetime,
) -> None:  # fmt: skip
    """Record an event that somebody organized, with its matches and its staff.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: if somebody is no member, a match is of another league, or there is none
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    organizer = _member(league, organizer)
    helpers = [_member(league, one, "staff") for one in staff]
    found = Match.objects.filter(pk__in=set(match_ids), league=league.pk).order_by("ended_at", "pk")
    if not match_ids or found.count() != len(set(match_ids)):
        raise ValidationError({"matches": _("Choose matches of this league, one at least.")})
    event = EventOrganized(
        organizer=str(organizer.pk), event=str(uuid4()), title=_title(title), date=_past(league, day, at),
        matches=[str(one.pk) for one in found], staff=[str(one.pk) for one in helpers] or None,
    )  # fmt: skip
    write(league, [event], by=by, acting_as=role, at=at)


@transaction.atomic
def rank_suspend(*, league: League, person: Person, until: date, reason: str, by: Person, at: datetime) -> None:
    """Hide a person's rank up to and with a day, after a disqualification for conduct (ROD-19).

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself, no member, a day that is over, or no reason
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    person = _member(league, person)
    if person.pk == by.head.pk:
        raise ValidationError({"handle": _("Somebody else must decide about you.")})
    if until < local_day(league, at):
        raise ValidationError({"until": _("This day is over.")})
    event = RankSuspended(person=str(person.pk), until=until.isoformat(), reason=_reason(reason))
    write(league, [event], by=by, acting_as=role, at=at)


@transaction.atomic
def rank_restore(*, league: League, person: Person, reason: str, by: Person, at: datetime) -> None:
    """Show a suspended rank again before its time.

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself, or if this league has not suspended it
    """
    role = acting(by, "pair", league.scopes)
    league = locked(league)
    person = _member(league, person)
    if person.pk == by.head.pk:
        raise ValidationError({"handle": _("Somebody else must decide about you.")})
    last: object = None
    for event in _events(league):
        if isinstance(event, RankSuspended | RankRestored) and _head(event.person) == person.pk:
            last = event
    if not isinstance(last, RankSuspended) or last.until < local_day(league, at).isoformat():
        raise ValidationError(_("No rank of this person is suspended here."))
    write(league, [RankRestored(person=str(person.pk), reason=_reason(reason))], by=by, acting_as=role, at=at)


# The vote for sportsmanship (ROD-44)


def participants(match: Match) -> list[Person]:
    """Return who took part in a match as far as they are known: players, Generals, officials, each once."""
    found: dict[UUID, Person] = {}
    for seat in match.seats.select_related("person__joined_into"):
        if seat.person is not None and seat.linked:
            found.setdefault(seat.person.head.pk, seat.person.head)
    for person in generals_of(match):
        found.setdefault(person.pk, person)
    for one in match.officials.select_related("person__joined_into"):
        if one.person is not None:
            found.setdefault(one.person.head.pk, one.person.head)
    return list(found.values())


def _kingdoms(match: Match, person: Person) -> set[str]:
    """Return the seats at which somebody plays or leads as General."""
    played = {
        seat.seat
        for seat in match.seats.select_related("person__joined_into")
        if seat.person is not None and seat.person.head.pk == person.pk
    }
    return played | {seat for seat, general in generals_by_seat(match) if general.pk == person.pk}


def vote_deadline(match: Match) -> datetime | None:
    """Return until when the participants of a match may vote, None while it runs."""
    if match.ended_at is None or match.status not in (Match.Status.ENDED, Match.Status.CONFIRMED):
        return None
    return match.ended_at + timedelta(hours=VOTE_HOURS)


def vote_link(match: Match, viewer: Person | None) -> Link | None:
    """Return the way to the vote for who may cast one just now."""
    deadline = vote_deadline(match)
    if viewer is None or match.league is None or deadline is None or timezone.now() > deadline:
        return None
    if viewer.head.pk not in {one.pk for one in participants(match)}:
        return None
    return Link(reverse("match-sportsmanship", args=[match.pk]), _("Vote for sportsmanship"))


def has_voted(match: Match, person: Person) -> bool:
    """Return whether somebody has voted in a match. Nobody but the person should be told."""
    league = League.objects.filter(pk=match.league).first() if match.league else None
    season = season_on(league, match.played_on) if league is not None else None
    if season is None or not VoteKey.objects.filter(purpose=season.purpose).exclude(key=b"").exists():
        return False
    return season.votes.filter(match_id=match.pk, voter=votes.code(season.purpose, person)).exists()


@transaction.atomic
def sportsmanship_vote(*, match: Match, nominee: Person, by: Person, at: datetime) -> None:
    """Cast a vote for another participant of a match. The entry names nobody as its writer.

    :raises ValidationError: unless both took part, within 72 hours of the end, once, in an open season of the league
    """
    league = League.objects.filter(pk=match.league).first() if match.league else None
    if league is None:
        raise ValidationError(_("Votes are cast in matches of a league."))
    league = locked(league)
    season = season_on(league, match.played_on)
    if season is None or season.closed_on is not None or not votes.is_open(season.purpose):
        raise ValidationError(_("No season of %(league)s is open for this match.") % {"league": league.name})
    lost = season.votes.exists() and not VoteKey.objects.filter(purpose=season.purpose).exists()
    if lost:
        raise ValidationError(
            _("The key of this vote was not restored with the site; the votes cast count, and no more can be cast.")
        )
    deadline = vote_deadline(match)
    if deadline is None:
        raise ValidationError(_("The match has no result yet."))
    if at > deadline:
        raise ValidationError(_("The %(n)s hours after the end of the match are over.") % {"n": VOTE_HOURS})
    took_part = {one.pk for one in participants(match)}
    by, nominee = by.head, nominee.head
    if by.pk not in took_part:
        raise ValidationError(_("Only who took part in the match may vote."))
    if nominee.pk not in took_part:
        raise ValidationError({"nominee": _("Choose somebody who took part in the match.")})
    if nominee.pk == by.pk:
        raise ValidationError({"nominee": _("Nobody votes for themselves.")})
    if _kingdoms(match, by) & _kingdoms(match, nominee):
        raise ValidationError({"nominee": _("King and General do not vote for each other.")})
    voter = votes.code(season.purpose, by)
    if season.votes.filter(match_id=match.pk, voter=voter).exists():
        raise ValidationError(_("You have voted in this match."))
    event = SportsmanshipVoteCast(match=str(match.pk), voter=voter, nominee=str(nominee.pk), season=season.key)
    write(league, [event], by=None, acting_as=None, at=at)
