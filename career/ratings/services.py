"""Folding ratings: from the first match that changed to the last one, and what that did to ratings that had been shown.

The steps themselves are the checkpoints: the state before any moment is the last step of each person before it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import groupby
from uuid import UUID

from msgspec import Struct

from career.models import Rating, RatingChange, RatingStep, SeatDigest
from career.ratings import glicko2, skill
from career.ratings.editions import CURRENT
from league.models import League

OPENSKILL, GLICKO2 = RatingStep.System.OPENSKILL, RatingStep.System.GLICKO2
ROWS = 2000


class Table(Struct, frozen=True):
    """A match as ratings read it: who sat and led at each seat, and the places."""

    match: UUID
    ended_at: datetime
    round: int
    table: int
    on: date
    seq: int
    teams: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


type Joined = Mapping[str, str]
"""Ids in the log → the persons into whom they are joined at present."""


def refold(match_ids: Collection[UUID], person_ids: Collection[str], joined: Joined) -> None:
    """Rate again from the first match on that changed, or that one of these persons played.

    :param match_ids: matches whose digests are new, changed or gone
    :param person_ids: all ids of persons who were joined or split
    """
    changed: dict[str, datetime] = {}
    leagues: set[tuple[UUID, str]] = set()
    found = [
        *RatingStep.objects.filter(match_id__in=match_ids).values_list("game", "ended_at", "league_id"),
        *SeatDigest.objects.filter(match_id__in=match_ids).values_list("game", "ended_at", "league_id"),
    ]
    if person_ids:
        found += SeatDigest.objects.filter(person_id__in=person_ids, confirmed=True).values_list(
            "game", "ended_at", "league_id"
        )
        found += RatingStep.objects.filter(person_id__in=person_ids).values_list("game", "ended_at", "league_id")
    for game, ended_at, league in found:
        changed[game] = min(changed.get(game, ended_at), ended_at)
        if league is not None:
            leagues.add((league, game))
    cause = min(match_ids, default=None) if len(match_ids) == 1 else None
    for game, moment in sorted(changed.items()):
        _fold_openskill(game, moment, joined, cause)
    wanted = set(
        League.objects.filter(pk__in={league for league, _game in leagues}, rating_system=GLICKO2).values_list(
            "pk", flat=True
        )
    )
    for league, game in sorted(leagues, key=str):
        if league in wanted:
            _fold_glicko2(league, game, joined, cause)


def refold_league(league_id: UUID, joined: Joined) -> None:
    """Rate a league again by its own system, or take its ratings away if it has none of its own any more."""
    if League.objects.filter(pk=league_id, rating_system=GLICKO2).exists():
        games = SeatDigest.objects.filter(league_id=league_id).order_by().values_list("game", flat=True).distinct()
        for game in sorted(games):
            _fold_glicko2(league_id, game, joined, None)
    else:
        RatingStep.objects.filter(system=GLICKO2, league_id=league_id).delete()
        Rating.objects.filter(system=GLICKO2, league_id=league_id).delete()


def rebuild(joined: Joined, *, progress: Callable[[str, int, int], None] = lambda *_: None) -> None:
    """Rate everything again. The ledger keeps what it has; nothing is added to it where the ratings come out the same."""
    known = games()
    for number, game in enumerate(known, 1):
        rebuild_part(game, joined)
        progress("ratings", number, len(known))
    rebuild_part("", joined)


def games() -> list[str]:
    """Return the games in which somebody is, or was, rated."""
    played = SeatDigest.objects.order_by().values_list("game", flat=True).distinct()
    return sorted({*played, *RatingStep.objects.order_by().values_list("game", flat=True).distinct()})


def rebuild_part(game: str, joined: Joined) -> None:
    """Rate everything of one game again; of none (empty): by the systems of the leagues that have their own."""
    if game:
        _fold_openskill(game, None, joined, None)
        return
    for league in League.objects.filter(rating_system=GLICKO2).values_list("pk", flat=True):
        refold_league(league, joined)
    gone = set(RatingStep.objects.filter(system=GLICKO2).values_list("league_id", flat=True)) - set(
        League.objects.filter(rating_system=GLICKO2).values_list("pk", flat=True)
    )
    for former in gone:
        if former is not None:
            refold_league(former, joined)


def _tables(rows: Iterable[SeatDigest], joined: Joined) -> Iterator[Table]:
    """Yield the rated matches among rows in order of play: two seats or more with somebody known, who did not forfeit."""
    for match, some in groupby(rows, key=lambda row: row.match_id):
        seats: dict[str, list[str]] = {}
        places: dict[str, int] = {}
        first = None
        for row in some:
            first = first or row
            person = joined.get(str(row.person_id), str(row.person_id))
            if row.role == "player" and row.place is not None:
                places[row.seat] = row.place
                seats.setdefault(row.seat, []).insert(0, person)
            elif row.role == "general" and person not in seats.get(row.seat, ()):
                seats.setdefault(row.seat, []).append(person)
        letters = sorted(places)
        if first is None or len(letters) < 2:
            continue
        yield Table(
            match, first.ended_at, first.round, first.table, first.on, first.confirmed_seq or 0,
            tuple(tuple(seats[letter]) for letter in letters), tuple(places[letter] for letter in letters),
        )  # fmt: skip


def _played(game: str, moment: datetime | None) -> Iterator[SeatDigest]:
    rows = SeatDigest.objects.filter(game=game, confirmed=True, present=True, role__in=("player", "general"))
    if moment is not None:
        rows = rows.filter(ended_at__gte=moment)
    return rows.order_by("ended_at", "round", "table", "match_id", "seat", "-role", "person_id").iterator(
        chunk_size=ROWS
    )


def _before(game: str, moment: datetime | None, persons: Collection[str]) -> dict[str, skill.Skill]:
    if moment is None:
        return {}
    steps = (
        RatingStep.objects.filter(system=OPENSKILL, game=game, ended_at__lt=moment, person_id__in=persons)
        .order_by("person_id", "-ended_at", "-round", "-table", "-match_id")
        .distinct("person_id")
    )
    return {str(one.person_id): skill.Skill(one.after, one.after_deviation) for one in steps}


def _fold_openskill(game: str, moment: datetime | None, joined: Joined, cause: UUID | None) -> None:
    """Rate the matches of a game from a moment on (None: all)."""
    figures = CURRENT.openskill
    tables = list(_tables(_played(game, moment), joined))
    persons = {person for table in tables for team in table.teams for person in team}
    now = _before(game, moment, persons)
    made = []
    for table in tables:
        given = [[now.get(person) or skill.new(figures) for person in team] for team in table.teams]
        told = skill.rate(given, table.places, figures)
        for team, place, old, new in zip(table.teams, table.places, given, told, strict=True):
            for person, was, became in zip(team, old, new, strict=True):
                now[person] = became
                made.append(
                    _step(OPENSKILL, game, None, table, person, place, was.mu, was.sigma, became.mu, became.sigma)
                )
    stood = RatingStep.objects.filter(system=OPENSKILL, game=game)
    _replace(stood.filter(ended_at__gte=moment) if moment is not None else stood, made, OPENSKILL, game, None, cause)


def _step(
    system: str, game: str, league: UUID | None, table: Table, person: str, place: int, before: float, before_deviation: float,
    after: float, after_deviation: float,
) -> RatingStep:  # fmt: skip
    return RatingStep(
        system=system, game=game, league_id=league, match_id=table.match, person_id=UUID(person), ended_at=table.ended_at,
        round=table.round, table=table.table, on=table.on, seq=table.seq, place=place, before=before,
        before_deviation=before_deviation, after=after, after_deviation=after_deviation,
    )  # fmt: skip


def _fold_glicko2(league: UUID, game: str, joined: Joined, cause: UUID | None) -> None:
    """Rate all matches of two of a league, a day a period."""
    figures = CURRENT.glicko2
    rows = SeatDigest.objects.filter(
        league_id=league, game=game, confirmed=True, present=True, role="player", players=2
    )
    ordered = rows.order_by("ended_at", "round", "table", "match_id", "seat", "person_id").iterator(chunk_size=ROWS)
    tables = sorted(_tables(ordered, joined), key=lambda one: str(one.on))  # stable: in order of play within a day
    now: dict[str, glicko2.Rating] = {}
    made = []
    for _day, some in groupby(tables, key=lambda one: one.on):
        period = list(some)
        results: dict[str, list[tuple[str, float]]] = {}
        last: dict[str, UUID] = {}
        for table in period:
            (one,), (other,) = (team[:1] for team in table.teams)
            first, second = table.places
            score = 0.5 if first == second else 1.0 if first < second else 0.0
            results.setdefault(one, []).append((other, score))
            results.setdefault(other, []).append((one, 1 - score))
            last[one] = last[other] = table.match
        before = {person: now.get(person) or glicko2.new(figures) for person in results}
        after = {
            person: glicko2.after(before[person], [(before[rival], score) for rival, score in played], figures)
            for person, played in results.items()
        }
        for person, rating in now.items():
            if person not in results:
                grown = glicko2.idle(rating)
                now[person] = glicko2.Rating(grown.rating, min(grown.deviation, figures.deviation), grown.volatility)
        for table in period:
            for team, place in zip(table.teams, table.places, strict=True):
                was = before[team[0]]
                became = after[team[0]] if last[team[0]] == table.match else was
                made.append(
                    _step(
                        GLICKO2,
                        game,
                        league,
                        table,
                        team[0],
                        place,
                        was.rating,
                        was.deviation,
                        became.rating,
                        became.deviation,
                    )
                )
        now |= after
    stood = RatingStep.objects.filter(system=GLICKO2, game=game, league_id=league)
    _replace(stood, made, GLICKO2, game, league, cause)


def _content(one: RatingStep) -> tuple[object, ...]:
    return (
        str(one.match_id), str(one.person_id), one.ended_at, one.round, one.table, one.on, one.seq, one.place, one.before,
        one.before_deviation, one.after, one.after_deviation,
    )  # fmt: skip


def _replace(
    stood: Iterable[RatingStep], made: list[RatingStep], system: str, game: str, league: UUID | None, cause: UUID | None
) -> None:
    """Put steps in place of those that stood, and bring the ratings and the ledger up to them."""
    old = {(str(one.match_id), str(one.person_id)): one for one in stood}
    new = {(str(one.match_id), str(one.person_id)): one for one in made}
    gone = [one.pk for key, one in old.items() if key not in new or _content(new[key]) != _content(one)]
    fresh = [one for key, one in new.items() if key not in old or _content(old[key]) != _content(one)]
    # Whose shown rating rested on a step that is another one now; a new match at the end is no change of the past.
    moved = {key[1] for key, one in old.items() if key not in new or _content(new[key]) != _content(one)}
    touched = {str(one.person_id) for one in fresh} | moved
    if not touched:
        return
    RatingStep.objects.filter(pk__in=gone).delete()
    RatingStep.objects.bulk_create(fresh, batch_size=ROWS)
    before = _values(system, game, league, touched)
    _stand(system, game, league, touched)
    after = _values(system, game, league, touched)
    RatingChange.objects.bulk_create(
        [
            RatingChange(
                system=system, game=game, league_id=league, person_id=UUID(person), old=before.get(person), new=after.get(person),
                cause=cause,
            )
            for person in sorted(moved)
            if before.get(person) is not None and before.get(person) != after.get(person)
        ],
        batch_size=ROWS,
    )  # fmt: skip


def _values(system: str, game: str, league: UUID | None, persons: Collection[str]) -> dict[str, float]:
    rows = Rating.objects.filter(system=system, game=game, league_id=league, person_id__in=persons)
    return {str(person): value for person, value in rows.values_list("person_id", "value")}


def _stand(system: str, game: str, league: UUID | None, persons: Collection[str]) -> None:
    """Make the rows of these persons' ratings anew from their steps."""
    steps = RatingStep.objects.filter(system=system, game=game, league_id=league, person_id__in=persons)
    ordered = steps.order_by("person_id", "ended_at", "round", "table", "match_id")
    made = []
    for person, some in groupby(ordered.iterator(chunk_size=ROWS), key=lambda one: one.person_id):
        mine = list(some)
        last = mine[-1]
        spread = 3 if system == OPENSKILL else 2
        made.append(
            Rating(
                system=system, game=game, league_id=league, person_id=person, value=last.after, deviation=last.after_deviation,
                conservative=last.after - spread * last.after_deviation, peak=max(one.after for one in mine),
                matches=len(mine), on=last.on, edition=CURRENT.key,
            )
        )  # fmt: skip
    Rating.objects.filter(system=system, game=game, league_id=league, person_id__in=persons).delete()
    Rating.objects.bulk_create(made, batch_size=ROWS)
