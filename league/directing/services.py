"""What is done in a tournament: each act is an entry of its stream, checked here, in one transaction, with the row locked."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import msgspec
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.directing import engines, results, stream, tables, telling
from league.directing.results import Finished
from league.models import League, Season, Tournament, TournamentTable
from league.services import acting
from league.tournament import events as e
from league.tournament import reducer
from league.tournament.field import Kind
from league.tournament.pairing import groups
from league.tournament.pairing.base import PairingImpossible
from league.tournament.reducer import Round, Stage, State
from league.tournament.rulesets import RULESETS
from league.tournament.scoring import SCORINGS
from matches.models import Match
from people import rights
from people.handles import OPERATOR
from people.locks import lock
from people.models import Grant, Person
from people.services import Forbidden, person_guest_create

RESERVED = frozenset({"new"})
MOST_PLAYERS = 5_000
MOST_STAGES = 8
MOST_ROUNDS = 100
MISSED = (Kind.ABSENT, Kind.HALF_BYE, Kind.FULL_BYE)
"""What a round that somebody does not play may count as, asked for before or said afterwards."""
TURNS = (e.RoundPaired, e.RoundUnpaired, e.SeatsSwapped, e.TableMoved, e.RoundPublished, e.EntryWithdrawn)
"""Entries that change the rounds: whoever acts on a round must have seen the last of them."""


class Stale(ValidationError):
    """Somebody else was quicker: the tournament is not as it was when the page was made."""


def _by(tournament: Tournament, by: Person, action: str = "pair") -> str:
    return acting(by, action, tournament.scopes)


def _write(
    tournament: Tournament, events: Sequence[e.Payload], *, by: Person | None, role: str | None, at: datetime
) -> State:
    return stream.append(tournament=tournament, events=events, by=by, acting_as=role, at=at)


def _running(tournament: Tournament) -> tuple[Tournament, State]:
    """Return the tournament, locked, and its state.

    :raises ValidationError: if it is over or cancelled
    """
    tournament = stream.locked(tournament)
    state = stream.state_of(tournament)
    stream.must_run(state)
    return tournament, state


# Opening and settings -----------------------------------------------------------------------------------------------


@transaction.atomic
def tournament_open(
    *,
    league: League,
    title: str,
    slug: str,
    game: str,
    stages: Sequence[e.Stage],
    by: Person,
    at: datetime,
    season: str | None = None,
    timezone: str | None = None,
    seed: str | None = None,
    options: Mapping[str, int | str | bool] | None = None,
    is_demo: bool = False,
) -> Tournament:
    """Open a tournament of a league; whoever opens it owns it.

    :param seed: the text that all lots are drawn from; without one it is drawn now
    :raises Forbidden: unless `by` may pair in the league
    :raises ValidationError: for a title, short name or stage that will not do
    """
    role = acting(by, "pair", league.scopes)
    if not league.is_open:
        raise ValidationError(_("%(league)s is closed. Its owner can reopen it.") % {"league": league.name})
    lock(f"tournament {slug}")
    if slug in RESERVED:
        raise ValidationError({"slug": _("“%(slug)s” is kept for the site itself; choose another.") % {"slug": slug}})
    if season and not Season.objects.filter(league=league, key=season).exists():
        raise ValidationError({"season": _("The league has no season “%(key)s”.") % {"key": season}})
    stages_check(stages)
    made = Tournament(
        id=uuid4(), league=league, slug=slug, title=title.strip(), game=game, season=season or "",
        timezone=timezone or league.timezone, check_in_code=secrets.token_urlsafe(18), is_demo=is_demo, opened_at=at,
    )  # fmt: skip
    made.full_clean()
    made.save()
    events: list[e.Payload] = [
        e.TournamentOpened(
            slug=slug, title=made.title, game=game, stages=[*stages], seed=seed or secrets.token_hex(8),
            timezone=made.timezone, league=str(league.pk), season=season or None, options=dict(options or {}),
        )
    ]  # fmt: skip
    if by.handle != OPERATOR:
        events.append(e.RoleGranted(person=str(by.pk), role=Grant.Role.OWNER.value, scope=made.scope))
    _write(made, events, by=by, role=role, at=at)
    rights.forget_grants(by)
    return made


def stages_check(stages: Sequence[e.Stage]) -> None:
    """:raises ValidationError: for stages that cannot be played like that, with what was expected"""
    if not 1 <= len(stages) <= MOST_STAGES:
        raise ValidationError(_("A tournament has 1 to %(most)s stages.") % {"most": MOST_STAGES})
    for number, stage in enumerate(stages, 1):
        words: dict[str, Any] = {"stage": number}
        if stage.points not in SCORINGS:
            words |= {"name": stage.points, "known": ", ".join(SCORINGS)}
            raise ValidationError(_("Stage %(stage)s: no points “%(name)s”; there are %(known)s.") % words)
        if stage.ruleset not in RULESETS:
            words |= {"name": stage.ruleset, "known": ", ".join(RULESETS)}
            raise ValidationError(_("Stage %(stage)s: no edition “%(name)s”; there are %(known)s.") % words)
        if stage.format in ("swiss", "dutch", "pods") and not 1 <= stage.rounds <= MOST_ROUNDS:
            words |= {"most": MOST_ROUNDS}
            raise ValidationError(_("Stage %(stage)s: say how many rounds it has, 1 to %(most)s.") % words)
        if stage.format in ("pods", "pod_elimination") and not 3 <= stage.pod_size <= 5:
            raise ValidationError(_("Stage %(stage)s: pods have 3, 4 or 5 seats.") % words)
        if stage.cut is None and number < len(stages):
            raise ValidationError(_("Stage %(stage)s: say how many go on into the next stage.") % words)
        if stage.cut is not None and not 1 <= stage.cut <= MOST_PLAYERS:
            raise ValidationError(_("Stage %(stage)s: a cut of %(cut)s cannot be.") % {**words, "cut": stage.cut})
        if not 1 <= stage.groups <= 64 or (stage.groups > 1 and stage.format in e.ELIMINATION):
            raise ValidationError(_("Stage %(stage)s: 1 to 64 groups, and none in an elimination.") % words)
        for code in stage.tiebreaks or ():
            known = RULESETS[stage.ruleset].known
            if code not in known:
                words |= {"name": code, "known": ", ".join(sorted(known))}
                raise ValidationError(_("Stage %(stage)s: no tie-break “%(name)s”; there are %(known)s.") % words)


@transaction.atomic
def tournament_change(
    *,
    tournament: Tournament,
    by: Person,
    at: datetime,
    title: str | None = None,
    season: str | None = None,
    stages: Sequence[e.Stage] | None = None,
) -> State:
    """Change settings; stages that have begun stay as they are, and without a difference nothing is written."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    if stages is not None:
        stages_check(stages)
        if list(stages) == [one.settings for one in state.stages]:
            stages = None
        elif any(
            one.has_begun and (at_ >= len(stages) or stages[at_] != one.settings)
            for at_, one in enumerate(state.stages)
        ):
            raise ValidationError(_("A stage that has begun is played to its end as it was announced."))
    if season and not Season.objects.filter(league=tournament.league, key=season).exists():
        raise ValidationError({"season": _("The league has no season “%(key)s”.") % {"key": season}})
    title = title.strip() if title is not None and title.strip() and title.strip() != state.title else None
    season = season if season is not None and season != (state.season or "") else None
    if title is None and season is None and stages is None:
        return state
    event = e.TournamentChanged(title=title, season=season, stages=[*stages] if stages is not None else None)
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def tournament_cancel(*, tournament: Tournament, reason: str, by: Person, at: datetime) -> State:
    """Cancel a tournament."""
    role = _by(tournament, by, "administer")
    tournament, _state = _running(tournament)
    _need(reason)
    return _write(tournament, [e.TournamentCancelled(reason=reason.strip()[:500])], by=by, role=role, at=at)


def _need(reason: str) -> None:
    if not reason.strip():
        raise ValidationError(_("Say why: the director's log keeps it."))


@transaction.atomic
def role_give(*, tournament: Tournament, person: Person, role: str, by: Person, at: datetime) -> None:
    """Give somebody a role in the tournament."""
    acts = _by(tournament, by, "administer")
    tournament = stream.locked(tournament)
    if role not in rights.GRANTED:
        raise ValidationError(
            _("No role “%(role)s”; there are %(known)s.") % {"role": role, "known": ", ".join(rights.GRANTED)}
        )
    if not Grant.objects.filter(person=person, role=role, scope=tournament.scope).exists():
        event = e.RoleGranted(person=str(person.pk), role=role, scope=tournament.scope)
        _write(tournament, [event], by=by, role=acts, at=at)


@transaction.atomic
def role_take(*, tournament: Tournament, person: Person, role: str, by: Person, at: datetime) -> None:
    """Take a role in the tournament from somebody; its last owner keeps it."""
    acts = _by(tournament, by, "administer")
    tournament = stream.locked(tournament)
    held = Grant.objects.filter(role=role, scope=tournament.scope)
    if role == Grant.Role.OWNER and held.count() == 1 and held.filter(person=person).exists():
        raise ValidationError(_("Somebody must own the tournament; give the role to another first."))
    if held.filter(person=person).exists():
        event = e.RoleRevoked(person=str(person.pk), role=role, scope=tournament.scope)
        _write(tournament, [event], by=by, role=acts, at=at)


# Registration -------------------------------------------------------------------------------------------------------


@transaction.atomic
def registration_open(
    *,
    tournament: Tournament,
    by: Person,
    at: datetime,
    mode: e.Mode = "open",
    cap: int | None = None,
    check_in_from: datetime | None = None,
    check_in_until: datetime | None = None,
) -> State:
    """Open registration, or change how it is open; a higher cap gives places to those who wait."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    if cap is not None and not 2 <= cap <= MOST_PLAYERS:
        raise ValidationError({"cap": _("Between 2 and %(most)s places.") % {"most": MOST_PLAYERS}})
    if check_in_from and check_in_until and check_in_from >= check_in_until:
        raise ValidationError({"check_in_until": _("The check-in ends after it began.")})
    event = e.RegistrationOpened(mode, cap, _utc(check_in_from), _utc(check_in_until))
    promoted = _promotions(state, cap)
    state = _write(tournament, [event, *promoted], by=by, role=role, at=at)
    _tell_promoted(tournament, promoted)
    return state


def _utc(at: datetime | None) -> str | None:
    return at.astimezone(ZoneInfo("UTC")).isoformat(timespec="seconds").replace("+00:00", "Z") if at else None


@transaction.atomic
def registration_close(*, tournament: Tournament, by: Person, at: datetime) -> State:
    """Close registration."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    return (
        _write(tournament, [e.RegistrationClosed()], by=by, role=role, at=at) if state.registration_is_open else state
    )


def _promotions(state: State, cap: int | None) -> list[e.PersonPromoted]:
    free = (cap - len(state.playing)) if cap is not None else len(state.waiting)
    return [e.PersonPromoted(one.person) for one in state.waiting[: max(free, 0)]]


def _tell_promoted(tournament: Tournament, promoted: Sequence[e.PersonPromoted]) -> None:
    for one in promoted:
        telling.promoted(tournament, UUID(one.person))


@transaction.atomic
def register(
    *,
    tournament: Tournament,
    person: Person,
    by: Person,
    at: datetime,
    seed_rating: int | None = None,
    group: str = "",
    table: int | None = None,
    missed_as: str | None = None,
) -> State:
    """Enter somebody: themselves while registration is open to everybody, anybody by an organizer at any time.

    Where no place is free it is a place on the waiting list. Once a stage runs, `missed_as` says what the rounds before count as.
    """
    person = person.head
    organizes = rights.may(by, "pair", tournament.scopes)
    if not organizes and person.pk != by.head.pk:
        raise Forbidden("pair", _("organizers, for others; everybody for themselves"))
    tournament, state = _running(tournament)
    role = rights.acting_role(by, "pair", tournament.scopes) if organizes else None
    _check_registration(state, person, organizes=organizes)
    entry = state.entries.get(str(person.pk))
    stage = state.latest
    if entry is not None and entry.plays and (stage is None or str(person.pk) in stage.entrants):
        return state
    late: list[e.Missed] = []
    if stage is not None and not stage.is_closed and stage.rounds:
        if stage.system in ("elimination", "round_robin"):
            raise ValidationError(_("Nobody enters a round robin or an elimination that has begun."))
        missed_as = missed_as or Kind.LATE
        late = _missed(stage, missed_as, range(1, _next_round(stage)))
    elif stage is not None and stage.is_closed:
        raise ValidationError(_("The first stage is over; nobody enters any more."))
    seed = seed_rating if organizes else None
    cap = state.registration.cap if state.registration else None
    if cap is not None and len(state.playing) >= cap and not (organizes and late):
        if entry is not None and entry.waits and not entry.withdrawn:
            return state
        return _write(tournament, [e.PersonWaitlisted(str(person.pk), seed)], by=by, role=role, at=at)
    if len(state.entries) >= MOST_PLAYERS:
        raise ValidationError(_("A tournament has at most %(most)s entrants.") % {"most": MOST_PLAYERS})
    event = e.PersonRegistered(
        str(person.pk), seed, group.strip()[:60] if organizes else "", table if organizes else None,
        missed_as if late else None, late,
    )  # fmt: skip
    events: list[e.Payload] = [event]
    if late:
        events.append(e.PersonCheckedIn(str(person.pk), "desk"))
    return _write(tournament, events, by=by, role=role, at=at)


def _check_registration(state: State, person: Person, *, organizes: bool) -> None:
    if person.forgotten_at is not None:
        raise ValidationError(_("A forgotten person enters no tournament."))
    if organizes:
        return
    if not state.registration_is_open or state.registration is None:
        raise ValidationError(_("Registration is closed; ask an organizer."))
    if state.registration.mode != "open":
        raise ValidationError(_("This tournament is by invitation; ask an organizer."))
    entry = state.entries.get(str(person.pk))
    if entry is not None and entry.disqualified:
        raise ValidationError(_("Whoever was disqualified does not enter again."))


@transaction.atomic
def guest_register(*, tournament: Tournament, display_name: str, by: Person, at: datetime, **more: Any) -> Person:
    """Enter somebody who has no account, as a new guest, and return the guest. `more` as :func:`register`."""
    _by(tournament, by)
    name = " ".join(display_name.split())
    if not 1 <= len(name) <= 120:
        raise ValidationError({"display_name": _("A name has 1 to 120 characters.")})
    guest = person_guest_create(name, is_demo=tournament.is_demo)
    register(tournament=tournament, person=guest, by=by, at=at, **more)
    return guest


@transaction.atomic
def withdraw(*, tournament: Tournament, person: Person, by: Person, at: datetime) -> State:
    """Give a place back before the first round; the first of those who wait gets it."""
    person = person.head
    if person.pk != by.head.pk:
        _by(tournament, by)
    tournament, state = _running(tournament)
    entry = state.entries.get(str(person.pk))
    if entry is None or entry.withdrawn:
        return state
    if state.latest is not None and str(person.pk) in state.latest.entrants:
        raise ValidationError(_("The tournament has begun; drop out instead."))
    events: list[e.Payload] = [e.PersonWithdrawn(str(person.pk))]
    promoted: list[e.PersonPromoted] = []
    cap = state.registration.cap if state.registration else None
    if entry.plays and cap is not None and state.waiting and state.latest is None:
        promoted = [e.PersonPromoted(one.person) for one in state.waiting[: max(cap - len(state.playing) + 1, 0)]]
    role = rights.acting_role(by, "pair", tournament.scopes)
    state = _write(tournament, [*events, *promoted], by=by, role=role, at=at)
    _tell_promoted(tournament, promoted)
    return state


@transaction.atomic
def check_in(*, tournament: Tournament, person: Person, by: Person, at: datetime, code: str = "") -> State:
    """Note that somebody is there: by an organizer or scribe at the desk, by themselves in the window, or with the code of the hall."""
    person = person.head
    official = rights.may(by, "record", tournament.scopes)
    if not official and person.pk != by.head.pk:
        raise Forbidden("record", _("those at the desk, for others; everybody for themselves"))
    tournament, state = _running(tournament)
    entry = state.entries.get(str(person.pk))
    if entry is None or entry.withdrawn:
        raise ValidationError(_("You are not entered in this tournament.") if not official else _("Not entered yet."))
    if entry.waits:
        raise ValidationError(_("Still on the waiting list; the desk can give a place."))
    if entry.checked_in:
        return state
    by_code = bool(code) and secrets.compare_digest(code, tournament.check_in_code)
    if code and not by_code:
        raise ValidationError(_("This code is not that of the tournament; scan the one in the hall."))
    if not official:
        _check_window(state, tournament, at)
        if state.registration is None or (not state.registration.check_in_from and not by_code):
            raise ValidationError(_("Check in at the desk, or with the code in the hall."))
    way = "qr" if by_code else "desk" if official and person.pk != by.head.pk else "self"
    role = rights.acting_role(by, "record", tournament.scopes) if official else None
    return _write(tournament, [e.PersonCheckedIn(str(person.pk), way)], by=by, role=role, at=at)  # type: ignore[arg-type]


def _check_window(state: State, tournament: Tournament, at: datetime) -> None:
    window = state.registration
    for said, late in ((window.check_in_from, False), (window.check_in_until, True)) if window else ():
        if said is None:
            continue
        moment = datetime.fromisoformat(said)
        if (at > moment) if late else (at < moment):
            local = moment.astimezone(ZoneInfo(tournament.timezone))
            words = {"time": f"{local:%H:%M}", "zone": tournament.timezone}
            raise ValidationError(
                _("The check-in ended at %(time)s (%(zone)s); go to the desk.") % words
                if late
                else _("The check-in begins at %(time)s (%(zone)s).") % words
            )


@transaction.atomic
def entrant_change(
    *,
    tournament: Tournament,
    person: Person,
    by: Person,
    at: datetime,
    seed_rating: int | None,
    group: str,
    table: int | None,
) -> State:
    """Change the seed rating, the group to keep apart, or the fixed table of an entrant."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    entry = _entry(state, person)
    if seed_rating is not None and not 0 <= seed_rating <= 10_000:
        raise ValidationError({"seed_rating": _("A seed rating lies between 0 and 10,000.")})
    if table is not None and not 1 <= table <= MOST_PLAYERS:
        raise ValidationError({"table": _("There is no table %(table)s.") % {"table": table}})
    if (entry.rating, entry.group, entry.table) == (seed_rating or 0, group.strip(), table):
        return state
    event = e.EntrantChanged(entry.person, seed_rating, group.strip()[:60], table)
    return _write(tournament, [event], by=by, role=role, at=at)


def _entry(state: State, person: Person) -> reducer.Entry:
    entry = state.entries.get(str(person.pk)) or state.entries.get(str(person.head.pk))
    if entry is None:
        raise ValidationError(_("%(name)s is not entered.") % {"name": person.display_name})
    return entry


# During play --------------------------------------------------------------------------------------------------------


def _next_round(stage: Stage) -> int:
    """Return the number of the next round that is not published."""
    return next(
        (at for at, one in sorted(stage.rounds.items()) if not one.is_published), max(stage.rounds, default=0) + 1
    )


def _playing(state: State, person: Person) -> tuple[Stage, str]:
    stage = state.latest
    if stage is None:
        raise ValidationError(_("The tournament has not begun."))
    if stage.is_closed:
        raise ValidationError(_("The stage is over: what comes later does not touch it."))
    known = str(person.pk) if str(person.pk) in stage.entrants else str(person.head.pk)
    if known not in stage.entrants:
        raise ValidationError(_("%(name)s does not play in this stage.") % {"name": person.display_name})
    return stage, known


def _missed(stage: Stage, missed_as: str, rounds: Sequence[int] | range) -> list[e.Missed]:
    """Return what missed rounds count as; of those that count half a win only one does where the stage says “once”."""
    if missed_as not in (*MISSED, Kind.LATE):
        raise ValidationError(_("A missed round counts as %(known)s.") % {"known": ", ".join(MISSED)})
    return [e.Missed(number, missed_as, engines.sitting(stage, "", Kind(missed_as)).points) for number in rounds]


@transaction.atomic
def drop(*, tournament: Tournament, person: Person, by: Person, at: datetime, reason: str = "") -> State:
    """Let somebody play no more from the next round on; rounds played stay. Everybody may drop themselves."""
    if person.head.pk != by.head.pk:
        _by(tournament, by)
    tournament, state = _running(tournament)
    stage, known = _playing(state, person)
    if known in stage.dropped:
        return state
    event = e.PersonDropped(known, _next_round(stage), reason.strip()[:500])
    role = rights.acting_role(by, "pair", tournament.scopes)
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def come_back(*, tournament: Tournament, person: Person, missed_as: str, by: Person, at: datetime) -> State:
    """Let somebody who dropped play again from the next round on; the rounds missed count as said."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    stage, known = _playing(state, person)
    if known not in stage.dropped:
        return state
    if state.entries[known].disqualified:
        raise ValidationError(_("Whoever was disqualified does not come back; take that entry back in the log."))
    again = _next_round(stage)
    missed = _missed(stage, missed_as, range(stage.dropped[known], again))
    return _write(tournament, [e.PersonReturned(known, again, missed_as, missed)], by=by, role=role, at=at)


@transaction.atomic
def disqualify(*, tournament: Tournament, person: Person, reason: str, by: Person, at: datetime) -> State:
    """Take somebody out of the standings; the results of the others stay."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    stage, known = _playing(state, person)
    _need(reason)
    event = e.PersonDisqualified(known, _next_round(stage), reason.strip()[:500])
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def bye_request(
    *, tournament: Tournament, person: Person, round_: int, kind: str | None, by: Person, at: datetime
) -> State:
    """Note that somebody will not play a round that is not paired yet; None takes that back. A full point is an organizer's to give."""
    organizes = rights.may(by, "pair", tournament.scopes)
    if person.head.pk != by.head.pk and not organizes:
        raise Forbidden("pair")
    tournament, state = _running(tournament)
    stage, known = _playing(state, person)
    if kind is not None and kind not in MISSED:
        raise ValidationError(_("A bye is one of %(known)s.") % {"known": ", ".join(MISSED)})
    if kind == Kind.FULL_BYE and not organizes:
        raise ValidationError(_("A bye for a whole point is an organizer's to give."))
    if round_ in stage.rounds or round_ < _next_round(stage):
        raise ValidationError(_("Round %(round)s is paired already.") % {"round": round_})
    if stage.system == "elimination":
        raise ValidationError(_("An elimination has no byes on request."))
    if stage.requests.get((known, round_)) == kind:
        return state
    role = rights.acting_role(by, "pair", tournament.scopes)
    return _write(tournament, [e.ByeRequested(known, round_, kind)], by=by, role=role, at=at)


@transaction.atomic
def penalty_give(
    *, tournament: Tournament, person: Person, points: Fraction, kind: str, reason: str, by: Person, at: datetime
) -> State:
    """Take points from somebody (0 is a warning). It survives every correction of a result."""
    role = _by(tournament, by, "penalize")
    tournament, state = _running(tournament)
    stage, known = _playing(state, person)
    _need(reason)
    if not 0 <= points <= 1000:
        raise ValidationError({"points": _("A penalty takes between 0 and 1,000 points.")})
    event = e.PenaltyGiven(
        known, stage.number, max(stage.rounds, default=1), kind[:40], str(points), reason.strip()[:500]
    )
    return _write(tournament, [event], by=by, role=role, at=at)


# Rounds -------------------------------------------------------------------------------------------------------------


@transaction.atomic
def round_pair(*, tournament: Tournament, by: Person, at: datetime, seeding: str = "rating") -> State:
    """Prepare the next round; the first one fixes the entrants of its stage. Nobody else sees it before it is published.

    :param seeding: in which order the first stage is seeded: `rating`, `registered` or `lot`
    :raises ValidationError: if results are missing (with their tables), a round waits already, or no pairing keeps the rules
    """
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    stage = state.present
    if stage is None:
        raise ValidationError(_("All stages are over; close the tournament."))
    last = stage.last
    if last is not None and not last.is_published:
        raise Stale(_("Round %(round)s is prepared already; publish it, or take it back.") % {"round": last.number})
    if last is not None and last.missing:
        raise ValidationError(_waits_for(tournament, stage, last))
    number = last.number + 1 if last else 1
    events: list[e.Payload] = []
    if not stage.has_begun:
        begun = _stage_begin(state, stage, seeding)
        events.append(begun)
        state = _write(tournament, events, by=by, role=role, at=at)
        stage = state.stages[stage.number]
    known = engines.rounds_of(stage)
    if known.is_certain and number > known.rounds:
        raise ValidationError(
            ngettext(
                "The stage has %(rounds)s round, and it is played; close the stage.",
                "The stage has %(rounds)s rounds, and all are played; close the stage.",
                known.rounds,
            )
            % {"rounds": known.rounds}
        )
    try:
        paired = engines.pair(state, stage, number)
    except PairingImpossible as error:
        raise ValidationError(str(error)) from error
    if not paired.tables:
        raise ValidationError(_("There is nothing left to play in this stage; close it."))
    return _write(tournament, [paired], by=by, role=role, at=at)


def _waits_for(tournament: Tournament, stage: Stage, last: Round) -> str:
    missing = last.missing
    open_ = ", ".join(map(str, missing[:20])) + (" …" if len(missing) > 20 else "")
    told = [last.tables[one].match for one in missing]
    ended = Match.objects.filter(pk__in=told, status=Match.Status.ENDED).count()
    words = {"round": last.number, "tables": open_, "n": len(missing), "ended": ended}
    text = ngettext(
        "Round %(round)s waits for %(n)s result: table %(tables)s.",
        "Round %(round)s waits for %(n)s results: tables %(tables)s.",
        len(missing),
    )
    if ended:
        text += " " + ngettext(
            "%(ended)s of them was entered and must be confirmed.",
            "%(ended)s of them were entered and must be confirmed.",
            ended,
        )
    return text % words


def _stage_begin(state: State, stage: Stage, seeding: str) -> e.StageBegun:
    if stage.number:
        before = state.stages[stage.number - 1]
        order = [person for person in before.cut if person not in stage.dropped]
        seeding = "previous"
    else:
        there = any(one.checked_in for one in state.playing)
        playing = [one for one in state.playing if one.checked_in or not there]
        order = [one.person for one in engines.seeded(playing, seeding, state.seed)]
    if len(order) < 2:
        raise ValidationError(_("At least two entrants are needed; so far there are %(n)s.") % {"n": len(order)})
    return e.StageBegun(stage.number, [[*group] for group in groups.snake(order, stage.settings.groups)], seeding)


def _prepared(
    tournament: Tournament, stage: int, round_: int, expected_seq: int | None
) -> tuple[Tournament, State, Stage, Round]:
    tournament, state = _running(tournament)
    if expected_seq is not None and expected_seq < state.seq:
        newer = [event for seq, event in stream.entries_of(tournament) if seq > expected_seq]
        if any(isinstance(event, TURNS) for event in newer):
            raise Stale(_("Somebody else has changed the rounds meanwhile. This is how they stand now."))
    if not 0 <= stage < len(state.stages) or round_ not in state.stages[stage].rounds:
        raise Stale(_("There is no round %(round)s (any more). This is how the rounds stand now.") % {"round": round_})
    if state.stages[stage].is_closed:
        raise ValidationError(_("The stage is over: what comes later does not touch it."))
    return tournament, state, state.stages[stage], state.stages[stage].rounds[round_]


def _not_begun(round_: Round, tables_: Sequence[reducer.Table]) -> None:
    begun = set(map(str, Match.objects.filter(pk__in=[one.match for one in tables_]).values_list("pk", flat=True)))
    open_ = [one.number for one in tables_ if one.match in begun]
    if open_:
        raise ValidationError(
            ngettext(
                "The match of table %(tables)s has begun. Correct it on its own page, or annul it first.",
                "The matches of the tables %(tables)s have begun. Correct them on their own pages, or annul them first.",
                len(open_),
            )
            % {"tables": ", ".join(map(str, open_[:20]))}
        )


@transaction.atomic
def seats_swap(
    *, tournament: Tournament, stage: int, round_: int, first: str, second: str, by: Person, at: datetime,
    expected_seq: int | None = None, reason: str = "",
) -> State:  # fmt: skip
    """Let two entrants of a round change places, or one with somebody who has a bye. What that repeats is said, not forbidden."""
    role = _by(tournament, by)
    tournament, _state, _stage, paired = _prepared(tournament, stage, round_, expected_seq)
    if first == second:
        raise ValidationError(_("Choose two different entrants."))
    sit = [paired.table_of(person) for person in (first, second)]
    for person, table in zip((first, second), sit, strict=True):
        if table is None and person not in paired.byes:
            raise ValidationError(_("One of the two is not in this round."))
    _not_begun(paired, [table for table in sit if table is not None])
    event = e.SeatsSwapped(stage, round_, first, second, reason.strip()[:500])
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def table_move(
    *, tournament: Tournament, stage: int, round_: int, table: int, to: int, by: Person, at: datetime,
    expected_seq: int | None = None,
) -> State:  # fmt: skip
    """Play a pairing at another table; whoever was to play there changes with it."""
    role = _by(tournament, by)
    tournament, state, _stage, paired = _prepared(tournament, stage, round_, expected_seq)
    if table not in paired.tables or not 1 <= to <= MOST_PLAYERS:
        raise ValidationError(
            _("There is no table %(table)s.") % {"table": table if table not in paired.tables else to}
        )
    if table == to:
        return state
    return _write(tournament, [e.TableMoved(stage, round_, table, to)], by=by, role=role, at=at)


@transaction.atomic
def round_unpair(
    *, tournament: Tournament, stage: int, round_: int, by: Person, at: datetime, reason: str = "",
    expected_seq: int | None = None,
) -> State:  # fmt: skip
    """Take a round back, as long as none of its matches has begun."""
    role = _by(tournament, by)
    tournament, _state, told, paired = _prepared(tournament, stage, round_, expected_seq)
    if told.last is not paired:
        raise ValidationError(_("Only the last round can be taken back."))
    if paired.is_published:
        _need(reason)
    _not_begun(paired, [*paired.tables.values()])
    event = e.RoundUnpaired(stage, round_, reason.strip()[:500])
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def round_publish(
    *, tournament: Tournament, stage: int, round_: int, by: Person, at: datetime, expected_seq: int | None = None
) -> State:
    """Publish a prepared round: a match waits at each of its tables, and the players are told."""
    role = _by(tournament, by)
    tournament, state, _stage, paired = _prepared(tournament, stage, round_, expected_seq)
    if paired.is_published:
        return state
    state = _write(tournament, [e.RoundPublished(stage, round_)], by=by, role=role, at=at)
    telling.round_published(tournament, stage, round_)
    return state


@transaction.atomic
def clock_set(
    *, tournament: Tournament, stage: int, round_: int, by: Person, at: datetime, minutes: int | None = None,
    seconds_left: int | None = None,
) -> State:  # fmt: skip
    """Start the clock of a round with so many minutes, or with the seconds that were left; without either stop it where it is."""
    role = _by(tournament, by)
    tournament, _state, _stage, paired = _prepared(tournament, stage, round_, None)
    left = minutes * 60 if minutes is not None else seconds_left
    if left is not None:
        if not 0 < left <= 24 * 3600:
            raise ValidationError(_("A round takes between a second and a day."))
        event = e.ClockSet(stage, round_, ends_at=_utc(at + timedelta(seconds=left)))
    else:
        if paired.ends_at is None:
            raise ValidationError(_("The clock is not running."))
        stands = max(int((datetime.fromisoformat(paired.ends_at) - at).total_seconds()), 0)
        event = e.ClockSet(stage, round_, seconds=stands)
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def table_extend(
    *, tournament: Tournament, stage: int, round_: int, table: int, minutes: int, by: Person, at: datetime
) -> State:
    """Give a table more time than the clock of the round."""
    role = _by(tournament, by, "record")
    tournament, _state, _stage, paired = _prepared(tournament, stage, round_, None)
    if table not in paired.tables:
        raise ValidationError(_("There is no table %(table)s.") % {"table": table})
    if not 1 <= minutes <= 120:
        raise ValidationError(_("Between 1 and 120 minutes."))
    return _write(tournament, [e.TableExtended(stage, round_, table, minutes * 60)], by=by, role=role, at=at)


@transaction.atomic
def judge_call(*, tournament: Tournament, by: Person, at: datetime) -> State:
    """Call a judge to the table where one sits."""
    tournament, state = _running(tournament)
    place = place_of(state, by)
    if place is None:
        raise Forbidden("sign", _("those who sit at a table of the present round"))
    stage, round_, table = place
    if table.caller:
        return state
    event = e.JudgeCalled(stage.number, round_.number, table.number, str(by.head.pk))
    state = _write(tournament, [event], by=by, role=None, at=at)
    telling.judge_called(tournament, table.number)
    return state


@transaction.atomic
def judge_answer(*, tournament: Tournament, stage: int, round_: int, table: int, by: Person, at: datetime) -> State:
    """Note that a call was answered."""
    role = _by(tournament, by, "record")
    tournament, state, _stage, paired = _prepared(tournament, stage, round_, None)
    if table not in paired.tables or not paired.tables[table].caller:
        return state
    return _write(tournament, [e.JudgeAnswered(stage, round_, table)], by=by, role=role, at=at)


def place_of(state: State, person: Person) -> tuple[Stage, Round, reducer.Table] | None:
    """Return where somebody sits in the last published round; None if nowhere."""
    return state.place_of(str(person.pk)) or state.place_of(str(person.head.pk))


# Results ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def result_rule(
    *,
    tournament: Tournament,
    match_id: UUID,
    finished: Mapping[str, int | None],
    reason: str,
    by: Person,
    at: datetime,
    agreed: bool = False,
    both_lose: bool = False,
) -> State:
    """Rule on a table: who was not there (None), an agreed draw, a loss of both, or places. It prevails over what the match says.

    :param finished: the place of everybody at the table, by person
    """
    role = _by(tournament, by)
    tournament, _state = _running(tournament)
    row = TournamentTable.objects.filter(pk=match_id, tournament=tournament).first()
    if row is None:
        raise Stale(_("This table is not there any more. This is how the round stands now."))
    tournament, _state, stage, paired = _prepared(tournament, row.stage, row.round, None)
    table = next(one for one in paired.tables.values() if one.match == str(match_id))
    if not paired.is_published:
        raise ValidationError(_("The round is not published yet."))
    _need(reason)
    if both_lose:
        rows = results.double_loss(table.seats, stage)
    else:
        if finished.keys() != set(table.seats):
            raise ValidationError(_("Everybody at the table needs a place, or was not there."))
        rows = results.rows_of(stage, [Finished(one, finished[one]) for one in table.seats], agreed=agreed)
    if stage.system == "elimination" and not any(one.outcome == "win" for one in rows):
        raise ValidationError(_("In an elimination somebody must go on: rule who."))
    event = e.ResultRuled(stage.number, paired.number, table.number, rows, reason.strip()[:500])
    return _write(tournament, [event], by=by, role=role, at=at)


# Closing ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def stage_close(
    *,
    tournament: Tournament,
    by: Person,
    at: datetime,
    cut: Sequence[str] | None = None,
    expected_seq: int | None = None,
) -> State:
    """Finish the present stage: its places are settled, and the cut goes on into the next one.

    :param cut: who goes on, in the order of their seeds, where it is not the first of the standings
    """
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    stage = state.present
    if stage is None or not stage.rounds:
        raise ValidationError(_("There is no stage to close."))
    if expected_seq is not None and expected_seq < stage.begun_at:
        raise Stale(_("Another stage has begun meanwhile. This is how the tournament stands now."))
    last = stage.last
    if last is not None and (not last.is_published or last.missing):
        raise ValidationError(
            _waits_for(tournament, stage, last)
            if last.is_published
            else _("Round %(round)s is prepared and not published; publish it, or take it back.")
            % {"round": last.number}
        )
    if stage.system == "elimination" and not engines.bracket_of(state, stage).is_over:
        raise ValidationError(_("The elimination is not played to its end."))
    placed = tables.places(state, stage)
    going = list(cut) if cut is not None else tables.cut(state, stage)
    if len(going) != len(set(going)) or set(going) - set(stage.entrants):
        raise ValidationError(_("Whoever goes on must have played in the stage, and goes on once."))
    event = e.StageClosed(stage.number, placed, going if stage.number + 1 < len(state.stages) else [], state.seq)
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def tournament_close(*, tournament: Tournament, by: Person, at: datetime) -> State:
    """Close a tournament whose stages are over: its placements count from now on in the careers."""
    role = _by(tournament, by)
    tournament, state = _running(tournament)
    if state.present is not None:
        raise ValidationError(_("Stage %(stage)s is not over.") % {"stage": state.present.number + 1})
    day = at.astimezone(ZoneInfo(state.timezone)).date().isoformat()
    event = e.TournamentClosed(tables.placements(state), state.seq, day, state.game)
    return _write(tournament, [event], by=by, role=role, at=at)


@transaction.atomic
def tournament_reopen(*, tournament: Tournament, reason: str, by: Person, at: datetime) -> State:
    """Let a closed tournament go on, for a correction."""
    role = _by(tournament, by, "administer")
    tournament = stream.locked(tournament)
    state = stream.state_of(tournament)
    if state.status != "closed":
        return state
    _need(reason)
    return _write(tournament, [e.TournamentReopened(reason=reason.strip()[:500])], by=by, role=role, at=at)


# Undo ---------------------------------------------------------------------------------------------------------------

NEVER = (e.TournamentOpened, e.RoleGranted, e.RoleRevoked, e.ResultSettled, e.RoundPaired, e.RoundPublished, e.StageBegun,
         e.TournamentClosed, e.TournamentReopened, e.PersonRegistered, e.PersonWaitlisted, e.PersonPromoted)  # fmt: skip
"""Entries that are undone by another act (a round is taken back, a result is corrected at its match), not by withdrawing them."""


class Undo(msgspec.Struct, frozen=True):
    """What taking an entry back would do: the states before and after, and what would then hang in the air."""

    target_seq: int
    event: e.Payload
    before: State
    after: State

    @property
    def misfits(self) -> list[tuple[int, str]]:
        """Return the later entries that would not fit any more."""
        return [one for one in self.after.misfits if one not in self.before.misfits]


def undo_preview(tournament: Tournament, target_seq: int) -> Undo:
    """Return what taking an entry back would change.

    :raises ValidationError: for an entry that is not there, was taken back already, or is undone in another way
    """
    entries = stream.entries_of(tournament)
    target = next((event for seq, event in entries if seq == target_seq), None)
    if target is None:
        raise ValidationError(_("The log has no entry %(seq)s.") % {"seq": target_seq})
    if target_seq in reducer.withdrawn(entries):
        raise ValidationError(_("Entry %(seq)s was taken back already.") % {"seq": target_seq})
    if isinstance(target, NEVER):
        raise ValidationError(
            _(
                "An entry of this kind is not taken back here: a round is taken back on the desk, a result corrected at its match."
            )
        )
    after = [*entries, (tournament.seq + 1, e.EntryWithdrawn(target_seq, "…"))]
    return Undo(target_seq, target, reducer.fold(entries), reducer.fold(after))


@transaction.atomic
def undo(
    *, tournament: Tournament, target_seq: int, reason: str, by: Person, at: datetime, expected_seq: int | None = None
) -> State:
    """Take an entry back: from now on it counts as if it had never been. What would not fit any more forbids it."""
    role = _by(tournament, by)
    tournament = stream.locked(tournament)
    _need(reason)
    if expected_seq is not None and expected_seq != tournament.seq:
        raise Stale(_("The tournament has moved on since you looked; look again at what this would change."))
    told = undo_preview(tournament, target_seq)
    if told.misfits:
        raise ValidationError(
            _("Entries that came later would hang in the air: %(seqs)s. Take those back first.")
            % {"seqs": ", ".join(f"#{seq}" for seq, _code in told.misfits[:20])}
        )
    if isinstance(told.event, e.StageClosed) and told.before.stages[told.event.stage + 1 :][:1]:
        following = told.before.stages[told.event.stage + 1]
        if following.has_begun:
            raise ValidationError(_("The next stage has begun; take its rounds back first."))
    return _write(tournament, [e.EntryWithdrawn(target_seq, reason.strip()[:500])], by=by, role=role, at=at)
