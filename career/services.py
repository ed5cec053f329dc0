"""Writes of the career: digest matches, fold persons, catch up with the log, derive everything again.

The order is always the same: digests of the matches that changed, ranks of the persons concerned, then badges of them and of all
who met somebody whose ranks changed (a badge may read the opponents' ranks). Everything a batch changes and its checkpoint move in one
transaction, under a lock on the checkpoint: a worker killed in the middle has done nothing.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime, timedelta
from typing import cast
from uuid import UUID

import msgspec
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from msgspec import Struct

from career import badges, deeds, ranks, selectors
from career.catalogue import CURRENT, VERSIONS
from career.digest import CORRECTIONS, ENDED, MatchDigest, PersonOf, Version, Who, digest
from career.learning.lessons import PASS
from career.models import Award, Checkpoint, Deed, Digest, Poisoned, RankEntry, SeatDigest, Standing
from career.participation import (
    Campaigned,
    Evidence,
    FactLine,
    Happening,
    Learned,
    Mentored,
    Participation,
    SeasonAttended,
    TournamentWon,
)
from career.participation import Deed as Done
from career.ratings import services as ratings
from league.models import Member
from matches import jobs
from matches import log as match_log
from matches import selectors as match_selectors
from matches.models import Event, Match, Seat
from people.models import Person
from people.notices import notify
from people.selectors import person_by_handle
from rulesengine.game import FORFEITED

logger = logging.getLogger(__name__)

FOLLOWER = "career"
ENTRIES_A_BATCH = 4000
MATCHES_A_BATCH = 100
PERSONS_A_BATCH = 25
MATCHES_OF_A_SEASON = 5
ALLIANCE = "KS-F19"
"""The fact of an alliance in force at the end: both its Kingdoms have it, with the rounds it lasted."""
NEWS = timedelta(days=14)
DERIVED = 6
"""Raised with every release that derives something new or otherwise: every installation then derives anew by itself."""


def catch_up(*, tell: bool = True) -> int:
    """Read the next entries of the log into the careers and return how many were read (0: nothing left).

    :param tell: send notices of new ranks and badges
    """
    with transaction.atomic():
        mark = _mark()
        rows = match_log.follow((mark.xid, mark.position), ENTRIES_A_BATCH)
        if not rows:
            return 0
        matches: dict[UUID, None] = {}
        told: dict[UUID, list[match_log.Row]] = {}
        persons: set[str] = set()
        joins: set[str] = set()
        read = 0
        for row in rows:
            if row.kind == "match" and row.stream not in matches:
                if len(matches) == MATCHES_A_BATCH:
                    break
                matches[row.stream] = None
            elif row.kind != "match":
                told.setdefault(row.stream, []).append(row)
                if row.kind == "person":
                    persons |= {str(row.stream), *_named(row)}
                    joins |= {str(row.stream), *_named(row)} if _named(row) else set()
            mark.xid, mark.position = str(row.xid), row.position
            read += 1
        for stream, entries in told.items():
            matches |= dict.fromkeys(_led_by_new_members(stream, entries))
        persons |= digest_matches(matches)
        for stream, entries in told.items():
            persons |= _read_deeds(stream, lambda failed, entries=entries: deeds.read(entries, failed))  # type: ignore[misc]
        fold(persons, tell=tell)
        _rate(matches, joins)
        for stream, entries in told.items():
            if any(row.type == "league_changed" for row in entries):
                ratings.refold_league(stream, _joined())
        mark.save()
    return read


def digest_matches(match_ids: Iterable[UUID]) -> set[str]:
    """Digest these matches anew and return the ids of all persons whom the old or the new digests name."""
    touched: set[str] = set()
    wanted = list(match_ids)
    known = {
        match.id: match
        for match in Match.objects.filter(pk__in=wanted).prefetch_related("seats__person", "officials__person")
    }
    for match_id in wanted:
        match = known.get(match_id)
        touched |= {
            str(one) for one in SeatDigest.objects.filter(match_id=match_id).values_list("person_id", flat=True)
        }
        if match is None:
            continue
        try:
            with transaction.atomic():
                made = _digest(match)
        except Exception:
            # One match that the engine cannot replay must not keep all others from their careers.
            logger.exception("match %s cannot be digested", match_id)
            _poison(match_id, traceback.format_exc(limit=-6))
            continue
        Poisoned.objects.filter(pk=match_id).delete()
        touched |= made.people() if made is not None else _attending(match)
    return touched


def _attending(match: Match) -> set[str]:
    """Return whose attendance a match that is still to be played bears upon: those in the tables of its closed seasons."""
    if match.league is None:
        return set()
    closed = Deed.objects.filter(stream=match.league, type="season_closed", on__gte=match.played_on)
    return {str(one.person_id) for one in closed.filter(data__opened__lte=match.played_on.isoformat())}


def _led_by_new_members(stream: UUID, entries: Iterable[match_log.Row]) -> list[UUID]:
    """Return the digested matches of a league that somebody may have led as a General who was entered as a member afterwards."""
    days = [msgspec.json.decode(row.data)["date"] for row in entries if row.type == "member_joined"]
    if not days:
        return []
    played = Match.objects.filter(league=stream, game=ranks.KINGSQUARE, played_on__gte=min(days))
    return list(
        played.filter(pk__in=Digest.objects.values("pk")).order_by("played_on", "id").values_list("id", flat=True)
    )


def _rate(matches: Iterable[UUID], persons: set[str]) -> None:
    """Bring the ratings up to matches that changed and persons who were joined or split."""
    known = _joined()
    named = {alias for head in _heads(persons, known) for alias in _aliases(head, known)} | persons
    ratings.refold(set(matches), named, known)


def _read_deeds(stream: UUID, read: Callable[[deeds.Failed], set[str]], *, anew: bool = False) -> set[str]:
    """Read deeds of a stream and return whom they concern. An entry that cannot be read stops only itself and is shown to operators.

    :param anew: the whole stream is read, so that what could not be read before is mended unless it fails again
    """
    errors: list[str] = []

    def failed(row: match_log.Row, error: Exception) -> None:
        logger.error("entry %s of stream %s cannot be read into the careers", row.seq, stream, exc_info=error)
        errors.append(f"entry {row.seq}: {''.join(traceback.format_exception(error, limit=-6))}")

    touched = read(failed)
    if errors:
        _poison(stream, "\n".join(errors))
    elif anew:
        Poisoned.objects.filter(pk=stream).delete()
    return touched


def _poison(stream: UUID, error: str) -> None:
    poisoned, new = Poisoned.objects.get_or_create(pk=stream, defaults={"error": error})
    if not new:
        poisoned.tries, poisoned.error = poisoned.tries + 1, error
        poisoned.save()


def fold(person_ids: Iterable[str], *, tell: bool = True) -> None:
    """Derive ranks and badges of these persons again, and the badges of all whom a changed rank may concern.

    Whoever mentored one of them is derived again too: the credit hangs on the newcomer's first match.
    """
    named = set(person_ids)
    joined = _joined()
    heads = _heads(named, joined)
    # Who was joined into another has no career of their own any more.
    for model, key in ((Standing, "pk"), (RankEntry, "person_id"), (Award, "person_id")):
        model.objects.filter(**{f"{key}__in": named & joined.keys()}).delete()
    heads |= _heads(deeds.mentors_of({alias for head in heads for alias in _aliases(head, joined)}), joined)
    changed = [head for head in sorted(heads) if _fold_ranks(head, joined, tell=tell)]
    aliases = [alias for head in changed for alias in _aliases(head, joined)]
    shared = SeatDigest.objects.filter(person_id__in=aliases).values("match_id")
    met = SeatDigest.objects.filter(match_id__in=shared).order_by().values_list("person_id", flat=True).distinct()
    for head in sorted(heads | _heads(map(str, met), joined)):
        _fold_badges(head, joined, tell=tell)


def rebuild(*, progress: Callable[[str, int, int], None] = lambda *_: None, workers: int = 1) -> None:
    """Derive every career again from the whole log: beside live use, swapped at the end, to be stopped and gone on with.

    :param progress: called with what is being done, how much of it is done, and of how much
    :param workers: how many processes derive
    :raises career.rebuilding.Busy: if somebody is at it already
    """
    from career import rebuilding

    rebuilding.rebuild(progress=progress, workers=workers)
    while new := catch_up():
        progress("entries", new, new)


def catch_up_anew(anew: Callable[[], AbstractContextManager[None]]) -> int:
    """Catch up in the tables that are being derived anew. Nobody is told: those who followed all the time have been."""
    with anew():
        return catch_up(tell=False)


def heads_named() -> list[str]:
    """Return all persons of whom something is to be told, those joined into others left out."""
    named = {str(one) for one in SeatDigest.objects.order_by().values_list("person_id", flat=True).distinct()}
    named |= {str(one) for one in Deed.every.order_by().values_list("person_id", flat=True).distinct()}
    return sorted(_heads(named, _joined()))


def read_stream(stream: UUID) -> None:
    """Read all deeds of a stream anew."""
    _read_deeds(stream, lambda failed: deeds.reread(stream, failed), anew=True)


def fold_alone(what: str, heads: Iterable[str]) -> None:
    """Derive `ranks` or `badges` of these persons. All ranks come first: a badge may read the ranks of everybody met."""
    known = _joined()
    for head in heads:
        (_fold_ranks if what == "ranks" else _fold_badges)(head, known)


def joined() -> dict[str, str]:
    """Return for every person joined into another the one at the head."""
    return _joined()


def mark() -> Checkpoint:
    """Return the follower's checkpoint, locked until the transaction ends."""
    return _mark()


def derive_anew_if_outdated() -> bool:
    """Have everything derived again if this release derives otherwise than the one before; return whether it was needed.

    It is a job: it shows its progress to operators, who can stop it and let it go on.
    """
    with transaction.atomic():
        mark = _mark()
        state, _made = Checkpoint.objects.get_or_create(name="derived")
        if state.position == DERIVED:
            return False
        nothing_read = (mark.xid, mark.position) == ("0", 0)
        state.position = DERIVED
        state.save()
        if nothing_read:
            return False
        jobs.enqueue("career_rebuild", {})
    return True


@jobs.handler("career_rebuild")
def _rebuild_job(payload: dict[str, object], step: jobs.Step) -> None:
    rebuild(progress=lambda _what, done, total: step(done, total))


def retry(match_id: UUID) -> bool:
    """Try a poisoned match or stream again and return whether it could be read."""
    with transaction.atomic():
        _mark()
        if Match.objects.filter(pk=match_id).exists():
            fold(digest_matches([match_id]))
            _rate([match_id], set())
        else:
            fold(_read_deeds(match_id, lambda failed: deeds.reread(match_id, failed), anew=True))
    return not Poisoned.objects.filter(pk=match_id).exists()


def _mark() -> Checkpoint:
    """Return the follower's checkpoint, locked: one batch at a time."""
    Checkpoint.objects.get_or_create(name=FOLLOWER)
    return Checkpoint.objects.select_for_update().get(name=FOLLOWER)


def _named(row: match_log.Row) -> list[str]:
    """Return the other persons whom an entry of a person's stream names."""
    data = row.data if isinstance(row.data, dict) else msgspec.json.decode(row.data)
    return [str(data[key]) for key in ("other", "guest") if key in data]


def _digest(match: Match) -> MatchDigest | None:
    """Digest one match and store it; return None and forget it while it runs."""
    made = None
    running = match.status in (Match.Status.SCHEDULED, Match.Status.RUNNING)
    # A correction may have taken back the end; what stood before it is then still to be told.
    if not running or Event.objects.filter(stream=match.id, type__in=CORRECTIONS).exists():
        log = match_selectors.match_log(match)
        league = str(match.league) if match.league else None
        made = digest(log, match=str(match.id), who=_who(match), general=_general(match), league=league)
    if made is None:
        Digest.objects.filter(pk=match.id).delete()
        SeatDigest.objects.filter(match_id=match.id).delete()
        return None
    key = f"{match.edition}/{CURRENT.version}/{match.seq}"
    data = msgspec.to_builtins(made)
    Digest.objects.update_or_create(pk=match.id, defaults={"key": key, "ended_at": made.ended_at, "data": data})
    SeatDigest.objects.filter(match_id=match.id).delete()
    SeatDigest.objects.bulk_create(_seat_rows(made))
    return made


def _who(match: Match) -> Who:
    """Return who sat and served at a match, as far as the seats are linked."""
    seats = list(match.seats.all())
    signed = sum(
        1 for seat in seats if seat.signed_at is not None and seat.person is not None and seat.person.account_id
    )
    return Who(
        seats=tuple((seat.seat, str(seat.person_id) if seat.person_id and seat.linked else None) for seat in seats),
        officials=tuple(
            (one.role, str(one.person_id) if one.person_id else None)
            for one in sorted(match.officials.all(), key=lambda one: one.pk)
        ),
        credited=not match.is_friendly or signed >= 2,
    )


def _general(match: Match) -> PersonOf:
    """Return what finds a General: somebody who was a member of the league on the day, at a seat that is linked.

    A friendly has none: nobody who may sign for it has said that it was that person.
    """
    league = match.league
    linked = {seat.seat for seat in match.seats.all() if seat.linked}

    def person_of(seat: str, handle: str) -> str | None:
        person = person_by_handle(handle) if league is not None and seat in linked else None
        if league is None or person is None:
            return None
        terms = Member.objects.filter(league_id=league, person=person, since__lte=match.played_on)
        return str(person.pk) if terms.exists() else None

    return person_of


def _seat_rows(made: MatchDigest) -> list[SeatDigest]:
    """Return the rows by which a digest is found from its persons."""
    present = made.versions[-1]
    counts = present.status in ENDED
    places, facts = dict(present.places), dict(present.facts)
    common = {
        "match_id": made.match,
        "game": made.game,
        "players": len(made.who.seats),
        "confirmed": present.status == "confirmed" and made.who.credited and made.depth != "import",
        "present": counts,
        "on": made.on,
        "ended_at": made.ended_at,
        "round": made.round,
        "table": made.table,
        "league_id": made.league,
        "confirmed_seq": present.confirmed_seq,
    }
    rows = []
    sides = _sides(facts)
    for seat, person in made.who.seats:
        if person is not None:
            row = SeatDigest(person_id=person, role="player", seat=seat, place=places.get(seat), **common)
            row.forfeited = any(fact.key == FORFEITED for fact in facts.get(seat, ()))
            row.confirmed = row.confirmed and not row.forfeited
            row.alliances = ",".join(sides.get(seat, ()))
            rows.append(row)
    for person, seat in sorted({(one.person, one.seat) for one in present.generals}):
        rows.append(SeatDigest(person_id=person, role="general", seat=seat, place=places.get(seat), **common))
    seen = set()
    for role, person in made.who.officials:
        if person is not None and (role, person) not in seen:
            seen.add((role, person))
            rows.append(SeatDigest(person_id=person, role=role, seat="", place=None, **common))
    return rows


def _sides(facts: Mapping[str, Iterable[FactLine]]) -> dict[str, list[str]]:
    """Return the alliances of each seat by the rounds they lasted, where that tells without doubt which two seats had them."""
    lasted: dict[str, list[str]] = {}
    for seat, lines in facts.items():
        for fact in lines:
            if fact.key == ALLIANCE:
                lasted.setdefault(str(fact.value), []).append(seat)
    sides: dict[str, list[str]] = {}
    for rounds, pair in lasted.items():
        if len(pair) == 2:
            for seat in pair:
                sides.setdefault(seat, []).append(rounds)
    return sides


def _heads(person_ids: Iterable[str], joined: Mapping[str, str]) -> set[str]:
    """Return the persons into whom these are joined at present."""
    return {joined.get(one, one) for one in person_ids}


def _joined() -> dict[str, str]:
    """Return for every person joined into another the one at the head."""
    into = {
        str(one): str(other)
        for one, other in Person.objects.exclude(joined_into=None).values_list("id", "joined_into_id")
    }
    return {one: _end(one, into) for one in into}


def _end(one: str, into: Mapping[str, str]) -> str:
    while one in into:
        one = into[one]
    return one


def _aliases(head: str, joined: Mapping[str, str]) -> list[str]:
    """Return the ids under which the log knows a person."""
    return [head, *(one for one, other in joined.items() if other == head)]


def _digests(head: str, joined: Mapping[str, str]) -> list[MatchDigest]:
    """Return the digests of all matches that name a person, in order of play."""
    ids = SeatDigest.objects.filter(person_id__in=_aliases(head, joined)).values("match_id")
    made = [
        msgspec.convert(data, MatchDigest) for data in Digest.objects.filter(pk__in=ids).values_list("data", flat=True)
    ]
    return sorted(made, key=lambda one: one.order)


class Cause(Struct, frozen=True):
    """The entry that took something back, and its day."""

    stream: str
    seq: int
    on: date


type Corrected = Mapping[str, Version]
"""The version of a result to read instead of the present one, by match."""


class _Life:
    """A person's matches and deeds in order of play, as they stand and as each stood before a correction."""

    def __init__(self, head: str, joined: Mapping[str, str]) -> None:
        self.head = head
        self.joined = joined
        self.ids = _aliases(head, joined)
        self.digests = _digests(head, joined)
        self.rows = deeds.of(self.ids)
        self.former = deeds.former(self.ids)
        self.seated = {row.pk: self._seated(row) for row in (*self.rows, *self.former) if row.type == "season_closed"}
        self.mentored, self.firsts = self._newcomers()
        self.present = self._parts({})
        self.deeds = self._deeds(self.rows, self.present, {})

    def _parts(self, other: Corrected) -> list[Participation]:
        parts = (
            made.participation(self.joined, self.head, other.get(made.match, made.versions[-1]))
            for made in self.digests
        )
        return [part for part in parts if part is not None]

    def _deeds(self, rows: Iterable[Deed], parts: Sequence[Participation], other: Corrected) -> list[Done]:
        return [one for row in rows if (one := self._done(row, parts, other)) is not None]

    def all(self, *, confirmed: bool = False) -> list[Happening]:
        """Return everything in order of play, of the matches only the confirmed ones if asked."""
        return _in_order([*(one for one in self.present if one.confirmed or not confirmed), *self.deeds])

    def replaced(self) -> Iterable[tuple[Cause, list[Happening]]]:
        """Yield the life as it was while a version of a result stood that was corrected, or a deed that was taken back, all else as it stands now."""
        known = {made.match: made for made in (*self.digests, *self.mentored.values())}
        for made in sorted(known.values(), key=lambda one: one.order):
            for version in made.versions[:-1]:
                other = {made.match: version}
                parts = self._parts(other)
                cause = Cause(made.match, version.until or 0, version.until_on or made.on)
                yield cause, _in_order([*parts, *self._deeds(self.rows, parts, other)])
        for row in self.former:
            rows = [*(one for one in self.rows if not deeds.is_same(one, row)), row]
            cause = Cause(str(row.stream), row.taken_back_seq or 0, row.taken_back_on or row.on)
            yield cause, _in_order([*self.present, *self._deeds(rows, self.present, {})])

    def _done(self, row: Deed, parts: Sequence[Participation], other: Corrected) -> Done | None:
        """Return a row as what the folds read, None if it counts for nothing they know."""
        common = {"order": deeds.order_of(row), "on": row.on, "evidence": Evidence(str(row.stream), row.seq)}
        if row.type == "lesson_completed" and (row.data.get("examiner") or (row.data.get("score") or 0) >= PASS):
            return Learned(lesson=str(row.data["lesson"]), **common)  # type: ignore[arg-type]
        if row.type == "campaign_closed":
            return Campaigned(**common)  # type: ignore[arg-type]
        if row.type == "tournament_closed" and self._place(row) == 1:
            return TournamentWon(**common)  # type: ignore[arg-type]
        if row.type == "season_closed" and self._attended(row, parts):
            return SeasonAttended(**common)  # type: ignore[arg-type]
        if row.role == "mentor":
            return self._mentored(row, other)
        return None

    def _place(self, row: Deed) -> int | None:
        return next(
            (one.get("place") for one in row.data.get("placements") or () if one.get("person") in self.ids), None
        )

    def _seated(self, row: Deed) -> frozenset[str]:
        """Return the matches of a season, played to the end or not, in which the person was seated and that were not annulled."""
        seats = Seat.objects.filter(
            person_id__in=self.ids, linked=True, match__league=row.stream,
            match__played_on__range=(row.data["opened"], row.on), match__depth__in=(Match.Depth.LOG, Match.Depth.SCORE),
        ).exclude(match__status=Match.Status.ANNULLED)  # fmt: skip
        return frozenset(str(one) for one in seats.values_list("match_id", flat=True))

    def _attended(self, row: Deed, parts: Sequence[Participation]) -> bool:
        """Return whether every own match of a season was played and none forfeited, five or more (BDG-X-04)."""
        first, last = date.fromisoformat(row.data["opened"]), row.on
        played = {
            one.match
            for one in parts
            if one.role == "player" and one.confirmed and one.league == str(row.stream) and first <= one.on <= last
        }
        return len(played) >= MATCHES_OF_A_SEASON and self.seated[row.pk] <= played

    def _newcomers(self) -> tuple[dict[str, MatchDigest], dict[str, tuple[object, ...]]]:
        """Return the digests of the matches named by mentorings, and the place of each newcomer's first credited match."""
        rows = [row for row in self.rows if row.role == "mentor"]
        if not rows:
            return {}, {}
        kept = Digest.objects.filter(pk__in={row.match_id for row in rows}).values_list("data", flat=True)
        mentored = {made.match: made for data in kept for made in [msgspec.convert(data, MatchDigest)]}
        ids = [one for head in {self._newcomer(row) for row in rows} for one in _aliases(head, self.joined)]
        found = (
            SeatDigest.objects.filter(person_id__in=ids, confirmed=True, present=True)
            .order_by("person_id", "ended_at", "round", "table", "match_id")
            .distinct("person_id")
            .values_list("person_id", "ended_at", "round", "table", "match_id")
        )
        firsts: dict[str, tuple[object, ...]] = {}
        for person, ended_at, round_, table, match in found:
            head = self.joined.get(str(person), str(person))
            place: tuple[object, ...] = (ended_at, round_, table, str(match))
            firsts[head] = min(firsts.get(head, place), place)
        return mentored, firsts

    def _newcomer(self, row: Deed) -> str:
        """Return the head of the newcomer of a mentoring."""
        newcomer = str(row.data["newcomer"])
        return self.joined.get(newcomer, newcomer)

    def _mentored(self, row: Deed, other: Corrected) -> Mentored | None:
        """Return a mentoring if the match named is the newcomer's first credited one (ROD-16). Nobody mentors themselves."""
        newcomer, made = self._newcomer(row), self.mentored.get(str(row.match_id))
        if made is None or newcomer == self.head:
            return None
        part = made.participation(self.joined, newcomer, other.get(made.match, made.versions[-1]))
        if part is None or not part.confirmed or self.firsts.get(newcomer, made.order) < made.order:
            return None
        if part.order > deeds.order_of(row):
            return Mentored(order=part.order, on=part.on, evidence=part.confirmation, newcomer=newcomer)
        evidence = Evidence(str(row.stream), row.seq)
        return Mentored(order=deeds.order_of(row), on=row.on, evidence=evidence, newcomer=newcomer)


def _in_order(happenings: Iterable[Happening]) -> list[Happening]:
    return sorted(happenings, key=lambda one: one.order)


def _fold_ranks(head: str, joined: Mapping[str, str], *, tell: bool = False) -> bool:
    """Derive a person's ranks again and return whether the present ones changed."""
    life = _Life(head, joined)
    row = ranks.fold(life.all(), VERSIONS)
    _stand(head, row, known=bool(life.present or life.deeds))
    attained = row.attained
    rows = [_rank_row(head, one, None) for one in attained]
    shown = {(one.rank, one.evidence.stream) for one in attained}
    for cause, happenings in life.replaced():
        for one in ranks.fold(happenings, VERSIONS).attained:
            if (one.rank, one.evidence.stream) not in shown:
                shown.add((one.rank, one.evidence.stream))
                rows.append(_rank_row(head, one, cause))
    stored = list(RankEntry.objects.filter(person_id=head).order_by("pk"))
    if [_content(row) for row in stored] == [_content(row) for row in rows]:
        return False
    before = [_content(row) for row in stored if row.withdrawn_on is None]
    known = {entry.rank for entry in stored}
    if tell:
        for entry in rows:
            if entry.withdrawn_on is None and entry.rank not in known:
                _tell(head, entry.on, "rank", name=selectors.rank_name(entry.rank))
    RankEntry.objects.filter(person_id=head).delete()
    RankEntry.objects.bulk_create(rows)
    return before != [_content(row) for row in rows if row.withdrawn_on is None]


def _tell(head: str, on: date, what: str, **words: str) -> None:
    """Tell somebody of a rank or badge, unless it is about a day long past: then it is history that was brought in."""
    if timezone.now().date() - on > NEWS:
        return
    person = Person.objects.filter(pk=head).select_related("account", "joined_into").first()
    if person is not None and person.handle:
        notify(person, "award", what, url=reverse("profile", args=[person.handle]), **words)


def _stand(head: str, row: ranks.Row, *, known: bool) -> None:
    """Keep where a person stands; nothing is kept of somebody of whom nothing is told."""
    if not known:
        Standing.objects.filter(pk=head).delete()
        return
    Standing.objects.update_or_create(
        pk=head,
        defaults={
            "matches": row.matches,
            "learning": row.learning,
            "renown": row.renown,
            "active_years": list(row.active_years),
            "credits": msgspec.to_builtins(row.credits),
        },
    )


def _rank_row(head: str, one: ranks.Attained, cause: Cause | None) -> RankEntry:
    return RankEntry(
        person_id=head,
        rank=one.rank,
        on=one.on,
        order=list(_stored_order(one.order)),
        stream=one.evidence.stream,
        seq=one.evidence.seq,
        **_withdrawal(cause),
    )


def _fold_badges(head: str, joined: Mapping[str, str], *, tell: bool = False) -> None:
    """Derive a person's badges again."""
    life = _Life(head, joined)
    before = _ranks_before(life)
    final = badges.fold(head, life.all(confirmed=True), VERSIONS, before).awards
    held = {(one.badge, one.tier) for one in final}
    early = [one for one in badges.fold(head, life.all(), VERSIONS, before).awards if (one.badge, one.tier) not in held]
    rows = [_award_row(head, one, Award.Status.FINAL, None) for one in final]
    rows += [_award_row(head, one, Award.Status.PROVISIONAL, None) for one in early]
    shown = {(one.badge, one.tier, one.evidence[0].stream) for one in (*final, *early)}
    for cause, happenings in life.replaced():
        for one in badges.fold(head, happenings, VERSIONS, before).awards:
            key = (one.badge, one.tier, one.evidence[0].stream)
            if key not in shown:
                shown.add(key)
                rows.append(_award_row(head, one, Award.Status.WITHDRAWN, cause))
    stored = list(Award.objects.filter(person_id=head).order_by("pk"))
    if [_content(row) for row in stored] != [_content(row) for row in rows]:
        known = {(row.badge, row.tier) for row in stored if row.status == Award.Status.FINAL}
        if tell:
            for row in rows:
                if row.status == Award.Status.FINAL and (row.badge, row.tier) not in known:
                    _tell(
                        head,
                        row.on,
                        "badge",
                        name=selectors.badge_name(row.badge),
                        tier=str(selectors.TIER_NAMES[row.tier]),
                    )
        Award.objects.filter(person_id=head).delete()
        Award.objects.bulk_create(rows)


def _ranks_before(life: _Life) -> badges.RankBefore:
    """Return the answer to: which step on the ladder did somebody in this life hold just before a moment?"""
    met = {life.head} | {life.joined.get(rival.person, rival.person) for one in life.present for rival in one.rivals}
    for made in life.digests:
        met |= {life.joined.get(person, person) for _seat, person in made.who.seats if person is not None}
    entries: dict[str, list[ranks.Attained]] = {}
    for row in RankEntry.objects.filter(person_id__in=met, withdrawn_on=None).order_by("pk"):
        one = ranks.Attained(row.rank, row.on, tuple(row.order), Evidence(str(row.stream), row.seq))
        entries.setdefault(str(row.person_id), []).append(one)

    def before(person: str, order: tuple[object, ...]) -> int:
        attained = entries.get(life.joined.get(person, person), [])
        ladder = VERSIONS.on(cast(datetime, order[0]).date())
        return ladder.step_of(ranks.rank_before(attained, _stored_order(order)))

    return before


def _stored_order(order: tuple[object, ...]) -> tuple[object, ...]:
    """Return a place in the order of play as it is stored: the moment as text, which sorts the same."""
    at, *rest = order
    return (at.isoformat() if isinstance(at, datetime) else at, *rest)


def _award_row(head: str, one: badges.Awarded, status: Award.Status, cause: Cause | None) -> Award:
    return Award(
        person_id=head,
        badge=one.badge,
        tier=one.tier,
        status=status,
        on=one.on,
        value=one.value,
        evidence=[{"stream": line.stream, "seq": line.seq} for line in one.evidence],
        match_id=one.evidence[0].stream,
        catalogue=one.catalogue,
        **_withdrawal(cause),
    )


def _withdrawal(cause: Cause | None) -> dict[str, object]:
    """Return when and by which correction something was withdrawn."""
    if cause is None:
        return {"withdrawn_on": None, "withdrawn_by": None}
    return {"withdrawn_on": cause.on, "withdrawn_by": {"stream": cause.stream, "seq": cause.seq}}


def _content(row: RankEntry | Award) -> dict[str, object]:
    """Return a row's content without its key, comparable between what is stored and what was derived."""
    found: dict[str, object] = {}
    for field in row._meta.concrete_fields:
        if not field.primary_key:
            value = getattr(row, field.attname)
            found[field.attname] = str(value) if isinstance(value, (UUID, date)) else value
    return found
