"""The chapters of a life in games: its years, seasons, campaigns and tournaments, each in sentences made of what was counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Struct

from career.honors.catalogue import BY_ID as HONORS
from career.models import Award, Deed, Honor, RankEntry
from career.selectors import (
    ROLE_NAMES,
    TIER_NAMES,
    Part,
    Shown,
    aliases,
    awards,
    badge_name,
    best_tiers,
    parts,
    place_of,
    rank_entries,
    rank_name,
)
from league.models import Campaign, Season
from matches.games import game_name
from people.models import Person

CHAPTERS = 50
KINDS = {
    "season": gettext_lazy("Season"),
    "campaign": gettext_lazy("Campaign"),
    "tournament": gettext_lazy("Tournament"),
}


class Chapter(Struct, frozen=True):
    """A part of a life: what it is called and where it is seen, how it ended for the person, and what happened, in sentences."""

    kind: str
    title: str
    since: date
    until: date | None
    sentences: tuple[str, ...]
    url: str = ""
    league: str = ""
    place: int | None = None
    of: int = 0
    stream: UUID | None = None
    seq: int | None = None
    """The entry that closed it, None while it is open."""

    @property
    def kind_name(self) -> str:
        """Return what kind of chapter it is, in words."""
        return str(KINDS[self.kind])


class Life:
    """All that chapters are made of, read once: parts in confirmed matches, awards and ranks that stand, honors held."""

    def __init__(self, person: Person, shown: Shown) -> None:
        self.ids = {str(one) for one in aliases(person)}
        self.parts = parts(person)
        self.awards = [
            one
            for one in awards(person)
            if one.status != Award.Status.WITHDRAWN and shown.has("badge", one.badge)
        ]  # fmt: skip
        self.ranks = [one for one in rank_entries(person) if one.withdrawn_on is None] if shown.rank else []
        self.honors = [
            one
            for one in Honor.objects.filter(person_id__in=aliases(person), status=Honor.Status.HELD).order_by(
                "on", "pk"
            )
            if shown.has("honor", one.honor)
        ]

    def leagues(self) -> set[UUID]:
        """Return the leagues in which the person took part in confirmed matches."""
        return {part.league for part in self.parts if part.league}

    def sentences(
        self, is_in: Callable[[Part], bool], *, honors: Iterable[Honor] = (), on: int | None = None
    ) -> tuple[str, ...]:
        """Return what happened in some of the matches, in sentences.

        :param honors: the honors that belong to the same chapter
        :param on: a year, whose awards and ranks are told by their day; without it, those earned in the matches are told
        """
        some = [part for part in self.parts if is_in(part)]
        matches = {part.match for part in some}

        def belongs(one: Award | RankEntry, stream: UUID) -> bool:
            return one.on.year == on if on is not None else stream in matches

        told = list(_played(some))
        told += [
            _("Became %(rank)s.") % {"rank": rank_name(one.rank)} for one in self.ranks if belongs(one, one.stream)
        ]
        earned = best_tiers(one for one in self.awards if belongs(one, one.match_id))
        if earned:
            names = [_("%(badge)s (%(tier)s)") % _named(one) for one in earned]
            text = ngettext("Earned a badge: %(names)s.", "Earned %(n)s badges: %(names)s.", len(names))
            told.append(text % {"n": len(names), "names": ", ".join(names)})
        told += [
            _("Was given the honor %(honor)s.") % {"honor": _(HONORS[one.honor].name)}
            for one in honors
            if one.honor in HONORS
        ]
        return tuple(told)


def _named(one: Award) -> dict[str, Any]:
    return {"badge": badge_name(one.badge), "tier": TIER_NAMES[one.tier]}


def _played(some: list[Part]) -> Iterable[str]:
    """Yield how many matches were played of which games, how many won, and in which other roles the person took part."""
    games = Counter(part.game for part in some if part.role == "player")
    if played := games.total():
        names = ", ".join(
            _("%(game)s %(n)s") % {"game": game_name(game), "n": number} for game, number in games.most_common()
        )
        text = ngettext("Played %(n)s match: %(games)s.", "Played %(n)s matches: %(games)s.", played)
        yield text % {"n": played, "games": names}
        if won := sum(part.place == 1 for part in some if part.role == "player"):
            yield ngettext("Finished first in %(n)s match.", "Finished first in %(n)s matches.", won) % {"n": won}
    roles = Counter(part.role for part in some if part.role != "player")
    for role, number in sorted(roles.items()):
        text = ngettext("Took part in %(n)s match as %(role)s.", "Took part in %(n)s matches as %(role)s.", number)
        yield text % {"n": number, "role": ROLE_NAMES[role]}


def years(life: Life) -> list[tuple[int, tuple[str, ...]]]:
    """Return the years of a life, newest first, with what happened in each."""
    known = {part.on.year for part in life.parts} | {one.on.year for one in life.awards}
    known |= {one.on.year for one in life.ranks} | {one.on.year for one in life.honors}
    return [
        (
            year,
            life.sentences(
                lambda part, year=year: part.on.year == year,  # type: ignore[misc]
                honors=[one for one in life.honors if one.on.year == year],
                on=year,
            ),
        )
        for year in sorted(known, reverse=True)
    ]


def chapters(life: Life) -> list[Chapter]:
    """Return the seasons, campaigns and tournaments that a person took part in, newest first, at most 50."""
    deeds = {
        (one.stream, one.type, one.data.get("season") or one.data.get("campaign") or ""): one
        for one in Deed.objects.filter(
            person_id__in=life.ids, type__in=("season_closed", "campaign_closed", "tournament_closed")
        ).order_by("at", "seq")
    }
    told = [*_seasons(life, deeds), *_campaigns(life, deeds)]
    for (stream, type_, _key), deed in deeds.items():
        if type_ == "tournament_closed":
            place, of = place_of(deed, life.ids)
            told.append(
                Chapter("tournament", "", deed.on, deed.on, (), place=place, of=of, stream=stream, seq=deed.seq)
            )
    return sorted(told, key=lambda one: (one.until or date.max, one.since, one.title), reverse=True)[:CHAPTERS]


type Closed = dict[tuple[UUID, str, str], Deed]


def _seasons(life: Life, deeds: Closed) -> Iterable[Chapter]:
    placed = {(stream, key) for stream, type_, key in deeds if type_ == "season_closed"}
    leagues = life.leagues() | {stream for stream, _key in placed}
    for season in Season.objects.filter(league__in=leagues).select_related("league"):
        league, first, last = season.league_id, season.opened_on, season.closed_on or date.max
        honors = [one for one in life.honors if one.league_id == league and first <= one.on <= last]
        sentences = life.sentences(
            lambda part, league=league, first=first, last=last: (  # type: ignore[misc]
                part.league == league and first <= part.on <= last
            ),
            honors=honors,
        )
        deed = deeds.get((league, "season_closed", season.key))
        if sentences or deed:
            yield _chapter("season", season, deed, life, sentences)


def _campaigns(life: Life, deeds: Closed) -> Iterable[Chapter]:
    placed = {stream for stream, type_, _key in deeds if type_ == "campaign_closed"}
    for campaign in Campaign.objects.filter(Q(league__in=life.leagues() | placed)).select_related("league"):
        matches = set(map(str, campaign.matches))
        sentences = life.sentences(lambda part, matches=matches: str(part.match) in matches)  # type: ignore[misc]
        deed = deeds.get((campaign.league_id, "campaign_closed", campaign.key))
        if sentences or deed:
            yield _chapter("campaign", campaign, deed, life, sentences)


def _chapter(
    kind: str, row: Season | Campaign, deed: Deed | None, life: Life, sentences: tuple[str, ...]
) -> Chapter:  # fmt: skip
    place, of = place_of(deed, life.ids) if deed else (None, 0)
    return Chapter(
        kind,
        row.title or row.key,
        row.opened_on,
        row.closed_on,
        sentences,
        url=reverse(f"league-{kind}", args=[row.league.slug, row.key]),
        league=row.league.name,
        place=place,
        of=of,
        stream=deed.stream if deed else None,
        seq=deed.seq if deed else None,
    )
