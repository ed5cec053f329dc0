"""The procedure of the honors: nominate, second, vote, decide, bestow, decline, review, revoke, restore, and what time does.

Every step is an entry of the league's stream, written under the lock of the league; the rows of :mod:`career.models` follow each entry
in the same transaction and can be read anew from the stream (:func:`rebuild`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from career.catalogue import CURRENT
from career.honors import figures
from career.honors.catalogue import (
    AGAIN_DAYS,
    BY_ID,
    HEARING_DAYS,
    HONORS,
    QUORUM,
    REASON,
    REVOKING,
    SEASONS_BETWEEN,
    SECONDING_DAYS,
    VOTE_DAYS,
    HonorKind,
)
from career.honors.figures import CASTELLAN, Figure
from career.models import Ballot, Checkpoint, Honor, Nomination, Relation, Review, SeatDigest
from career.selectors import aliases, present_rank, rank_entries
from league import events, stream, votes
from league.models import League, Member, VoteKey
from league.services import local_day, locked
from matches import log
from people import rights
from people.models import Grant, Person
from people.notices import notify
from people.selectors import heads
from people.services import Forbidden

ORGANIZING = (Grant.Role.ORGANIZER, Grant.Role.OWNER)
SEVERE = ("turn_loss", "disqualification")
INTEGRITY = [one.id for one in HONORS if one.klass == "integrity"]

_log = logging.getLogger(__name__)


# Rows out of the stream


def follow(league: League, event: events.Payload, *, seq: int, at: datetime) -> None:
    """Bring the rows up to one event of a league's stream, number `seq`, recorded at a moment."""
    match event:
        case events.HonorNominated():
            kind = BY_ID[event.honor]
            needs = kind.seconders > 0
            Nomination.objects.create(
                pk=UUID(event.nomination), league_id=league.pk, honor=event.honor, person_id=UUID(event.nominee),
                nominator_id=UUID(event.nominator) if event.nominator else None, seq=seq, opened_at=at,
                status=Nomination.Status.SECONDING if needs else Nomination.Status.DECIDING,
                until=at + timedelta(days=SECONDING_DAYS) if needs else None,
            )  # fmt: skip
        case events.HonorSeconded():
            one = Nomination.objects.get(pk=UUID(event.nomination))
            one.seconders = [*one.seconders, event.seconder]
            if len(one.seconders) >= BY_ID[one.honor].seconders:
                one.status, one.until = Nomination.Status.DECIDING, None
            one.save()
        case events.HonorVoteOpened():
            Nomination.objects.filter(pk=UUID(event.nomination)).update(
                status=Nomination.Status.VOTING, until=datetime.fromisoformat(event.until)
            )
        case events.HonorVoteCast():
            Ballot.objects.create(nomination_id=UUID(event.nomination), voter=event.voter, yes=event.yes)
        case events.HonorVoteClosed():
            Nomination.objects.filter(pk=UUID(event.nomination)).update(
                status=Nomination.Status.DECIDING, until=None, yes=event.yes, no=event.no
            )
        case events.HonorLapsed():
            Nomination.objects.filter(pk=UUID(event.nomination)).update(
                status=Nomination.Status.LAPSED, until=None, why=event.why
            )
        case events.HonorApproved():
            one = Nomination.objects.get(pk=UUID(event.nomination))
            one.approvals = [*one.approvals, event.organizer]
            one.save()
        case events.RelationDeclared():
            organizer, person = UUID(event.organizer), UUID(event.person)
            if event.ended:
                Relation.objects.filter(league_id=league.pk, organizer_id=organizer, person_id=person).delete()
            else:
                Relation.objects.get_or_create(league_id=league.pk, organizer_id=organizer, person_id=person)
        case events.HonorBestowed():
            Honor.objects.create(
                league_id=league.pk, honor=event.honor, person_id=UUID(event.person), step=event.step,
                on=local_day(league, at), seq=seq, by=event.by, figures=event.figures or {},
            )  # fmt: skip
            if event.nomination:
                Nomination.objects.filter(pk=UUID(event.nomination)).update(
                    status=Nomination.Status.BESTOWED, until=None
                )
        case events.HonorDeclined() | events.HonorRevoked() | events.HonorRestored():
            status = {
                events.HonorDeclined: Honor.Status.DECLINED,
                events.HonorRevoked: Honor.Status.REVOKED,
                events.HonorRestored: Honor.Status.HELD,
            }[type(event)]
            held = Honor.objects.filter(
                league_id=league.pk, honor=event.honor, person_id=UUID(event.person), step=event.step
            )
            held.update(status=status, changed_seq=seq)
            Review.objects.filter(held__in=held.values("pk"), is_open=True).update(is_open=False)
        case events.HonorReviewOpened():
            Review.objects.create(
                pk=UUID(event.review), why=event.why, seq=seq, until=datetime.fromisoformat(event.until),
                held=Honor.objects.get(league_id=league.pk, honor=event.honor, person_id=UUID(event.person), step=event.step),
                proposer_id=UUID(event.proposer) if event.proposer else None,
                match_id=UUID(event.match) if event.match else None, match_seq=event.match_seq,
            )  # fmt: skip
        case events.HonorHeard():
            Review.objects.filter(pk=UUID(event.review)).update(heard_seq=seq)
        case events.HonorReviewVoted():
            review = Review.objects.get(pk=UUID(event.review))
            review.votes = {**review.votes, event.organizer: event.revoke}
            review.save()
        case events.HonorReviewClosed():
            Review.objects.filter(pk=UUID(event.review)).update(is_open=False)


@transaction.atomic
def rebuild(league: League) -> None:
    """Read the rows of a league's honors anew from its stream."""
    league = League.objects.select_for_update().get(pk=league.pk)
    for model in (Nomination, Honor, Relation):
        model.objects.filter(league_id=league.pk).delete()
    rows = log.read(league.pk)
    for row, event in zip(rows, stream.events_of(rows), strict=True):
        follow(league, event, seq=row.seq, at=row.occurred_at or row.recorded_at)


def _write(
    league: League, told: Sequence[events.Payload], *, by: Person | None, acting_as: str | None, at: datetime
) -> None:
    seq = league.seq
    stream.append(league=league, events=told, by=by, acting_as=acting_as, at=at)
    for number, event in enumerate(told, seq + 1):
        follow(league, event, seq=number, at=at)


# Who may


def organizers(league: League) -> list[Person]:
    """Return the organizers and owners of a league, each once, those with an account."""
    found = Person.objects.filter(grants__scope=league.scope, grants__role__in=ORGANIZING, account__isnull=False)
    return list(found.distinct().order_by("sort_name", "pk"))


def decides_in(person: Person | None, league: League) -> bool:
    """Return whether somebody is an organizer or owner of a league, with an account."""
    return person is not None and any(one.pk == person.pk for one in organizers(league))


def deciders(league: League, nominee: UUID) -> list[Person]:
    """Return the organizers who decide on a person: not on oneself, nor on a declared relation (ROD-45)."""
    ids = set(aliases(Person.objects.get(pk=nominee).head))
    related = set(
        Relation.objects.filter(league_id=league.pk, person_id__in=ids).values_list("organizer_id", flat=True)
    )
    return [one for one in organizers(league) if one.pk not in ids and one.pk not in related]


def may_decide(person: Person | None, league: League, nominee: UUID) -> bool:
    """Return whether somebody is one of the organizers who decide on a person."""
    return decides_in(person, league) and any(one == person for one in deciders(league, nominee))


def is_member(league: League, person: Person) -> bool:
    """Return whether somebody is a present member of a league."""
    return Member.objects.filter(league=league, person=person, until=None).exists()


def may_nominate(honor: HonorKind, league: League, nominee: Person, by: Person | None) -> bool:
    """Return whether somebody may nominate a person for an honor, as its row in the table says."""
    if by is None or by.head.pk == nominee.pk or honor.automatic or not is_member(league, nominee):
        return False
    by = by.head
    mine = aliases(by)
    match honor.id:
        case "HON-01":
            return is_member(league, by) and not figures.staff_of(nominee, league) & set(mine)
        case "HON-02":
            return any(general in mine for _match, general in figures.captaincies(nominee, league))
        case "HON-03":
            return by.pk in figures.newcomers(nominee, league)
        case "HON-06":
            return "referee" in rights.roles(by, league.scopes)
        case "HON-07":
            served = SeatDigest.objects.filter(
                person_id__in=aliases(nominee), league_id=league.pk, role="mapmaster", confirmed=True, present=True
            )
            return SeatDigest.objects.filter(
                match_id__in=served.values("match_id"), person_id__in=mine, role="player", present=True
            ).exists()
        case "HON-08":
            return bool({"referee", "mapmaster"} & rights.roles(by, league.scopes))
        case "HON-10":
            return is_member(league, by) and _step(by) >= CASTELLAN
        case _:
            return is_member(league, by)


def _step(person: Person) -> int:
    rank = present_rank(rank_entries(person))
    return CURRENT.step_of(rank.rank if rank else None)


def may_second(nomination: Nomination, league: League, by: Person | None) -> bool:
    """Return whether somebody may second a nomination: a member, neither nominee nor nominator, and once."""
    if by is None or nomination.status != Nomination.Status.SECONDING:
        return False
    nominee = Person.objects.get(pk=nomination.person_id).head
    taken = {str(nomination.nominator_id), *nomination.seconders}
    return str(by.head.pk) not in taken and may_nominate(BY_ID[nomination.honor], league, nominee, by)


def may_vote(nomination: Nomination, by: Person | None, at: datetime) -> bool:
    """Return whether somebody is a peer of the nominee and the vote is open."""
    if (
        by is None
        or nomination.status != Nomination.Status.VOTING
        or nomination.until is None
        or at >= nomination.until
    ):
        return False
    nominee = Person.objects.get(pk=nomination.person_id).head
    return by.head.pk in figures.peers(nominee, at)


def steps_for(found: Iterable[Nomination], league: League, by: Person, at: datetime) -> dict[UUID, str]:
    """Return which of these open nominations wait for somebody, by id: `second`, `vote` or `decide`."""
    mine, waiting = set(aliases(by)), {}
    related = set(Relation.objects.filter(league_id=league.pk, organizer_id=by.pk).values_list("person_id", flat=True))
    decides, member = decides_in(by, league), is_member(league, by)
    met: set[UUID] | None = None
    for one in found:
        if one.person_id in mine or (one.until is not None and at >= one.until):
            continue
        match one.status:
            case Nomination.Status.DECIDING:
                if decides and one.person_id not in related and str(by.pk) not in one.approvals:
                    waiting[one.pk] = "decide"
            case Nomination.Status.SECONDING:
                if member and may_second(one, league, by):
                    waiting[one.pk] = "second"
            case Nomination.Status.VOTING:
                # Who is whose peer is the same from both sides.
                met = figures.peers(by, at) if met is None else met
                if one.person_id in met and not has_voted(one, by):
                    waiting[one.pk] = "vote"
    return waiting


def reviewable(league: League, by: Person) -> set[int]:
    """Return the honors of a league of which an organizer may propose a review, by id."""
    held = Honor.objects.filter(league_id=league.pk).exclude(status=Honor.Status.DECLINED)
    held = held.exclude(reviews__is_open=True).exclude(person_id__in=aliases(by))
    related = Relation.objects.filter(league_id=league.pk, organizer_id=by.pk).values("person_id")
    return set(held.exclude(person_id__in=related).values_list("pk", flat=True))


def has_voted(nomination: Nomination, by: Person) -> bool:
    """Return whether somebody has voted; nobody but they should be told."""
    if not VoteKey.objects.filter(purpose=nomination.purpose).exclude(key=b"").exists():
        return False
    return nomination.ballots.filter(voter=votes.code(nomination.purpose, by)).exists()


def _eligible(honor: HonorKind, person: Person, league: League, at: datetime) -> list[Figure]:
    """Return the figures of an honor.

    :raises ValidationError: naming the figures that are missing (ROD-42), or what keeps the next step back (ROD-47)
    """
    last = figures.last_step(honor.id, person, league)
    if last is not None and last.status == Honor.Status.REVOKED:
        raise ValidationError(_("This honor was revoked; it can be given back, not bestowed anew."))
    if last is not None:
        since = league.seasons.filter(closed_on__gt=last.on).count()
        if since < SEASONS_BETWEEN:
            raise ValidationError(
                _("It was bestowed on %(day)s; the next step waits for %(n)s seasons to end.")
                % {"day": last.on.isoformat(), "n": SEASONS_BETWEEN}
            )
    found = figures.figures(honor.id, person, league, at)
    missing = [
        _("%(name)s: %(have)s, at most %(need)s") % {"name": _(one.name), "have": one.have, "need": one.need}
        if one.at_most
        else _("%(name)s: %(have)s of %(need)s") % {"name": _(one.name), "have": one.have, "need": one.need}
        for one in found
        if not one.is_met
    ]
    if missing:
        raise ValidationError(_("Not eligible yet. %(missing)s.") % {"missing": "; ".join(missing)})
    return found


# Steps


@transaction.atomic
def nominate(
    *, league: League, honor_id: str, nominee: Person, reason: str, by: Person | None, at: datetime
) -> Nomination:
    """Nominate a person for an honor (ROD-40, ROD-42); `by` None for one whose figures nominate by themselves.

    :raises Forbidden: unless `by` may, as the honor's row says
    :raises ValidationError: for an unknown honor, a short reason, a nomination that is open, or figures that are not met
    """
    if honor_id not in BY_ID:
        raise ValidationError({"honor": _("Choose one of the honors.")})
    honor, nominee = BY_ID[honor_id], nominee.head
    league = locked(league)
    reason = " ".join(reason.split())
    if by is not None:
        if by.head.pk == nominee.pk:
            raise ValidationError({"handle": _("Nobody nominates themselves.")})
        if not may_nominate(honor, league, nominee, by):
            raise Forbidden("honors", _(honor.nominated_by))
        if len(reason) < REASON:
            raise ValidationError({"reason": _("Say why in at least %(n)s characters.") % {"n": REASON}})
    elif not honor.automatic:
        raise ValidationError(_("This honor is not nominated by its figures alone."))
    if len(reason) > 2000:
        raise ValidationError({"reason": _("At most 2,000 characters.")})
    if nominee.forgotten_at is not None or not is_member(league, nominee):
        raise ValidationError({"handle": _("This person is no member of %(league)s.") % {"league": league.name}})
    open_ = Nomination.objects.filter(league_id=league.pk, honor=honor_id, person_id__in=aliases(nominee))
    if open_.exclude(status__in=(Nomination.Status.BESTOWED, Nomination.Status.LAPSED)).exists():
        raise ValidationError(_("A nomination of this person for this honor is open."))
    _eligible(honor, nominee, league, at)
    nomination = uuid4()
    told: list[events.Payload] = [
        events.HonorNominated(
            nomination=str(nomination), honor=honor_id, nominee=str(nominee.pk), reason=reason,
            nominator=str(by.head.pk) if by else None, automatic=None if by else True,
        )
    ]  # fmt: skip
    if honor.peers_vote:
        until = (at + timedelta(days=VOTE_DAYS)).isoformat()
        told.append(events.HonorVoteOpened(nomination=str(nomination), until=until))
    _write(league, told, by=by, acting_as=None, at=at)
    made = Nomination.objects.get(pk=nomination)
    _tell_about(made, league, at)
    return made


def _url(nomination: Nomination) -> str:
    return reverse("nomination", args=[nomination.pk])


def _tell(person: Person, what: str, honor_id: str, league: League, url: str) -> None:
    """Tell somebody of a step; each honor has its own sentences, so that its name is read in the reader's language."""
    notify(person, "honor_step", f"{what} {honor_id}", url=url, league=league.name)


def _tell_about(nomination: Nomination, league: League, at: datetime) -> None:
    """Tell whoever can do the next step, or who nominated that there is none any more."""
    told: list[Person] = []
    nominator = Person.objects.get(pk=nomination.nominator_id) if nomination.nominator_id else None
    match nomination.status:
        case Nomination.Status.VOTING:
            what = "vote"
            nominee = Person.objects.get(pk=nomination.person_id).head
            told = list(Person.objects.filter(pk__in=figures.peers(nominee, at)))
        case Nomination.Status.DECIDING:
            what, told = "decide", deciders(league, nomination.person_id)
        case Nomination.Status.SECONDING:
            what, told = "seconding", [nominator] if nominator else []
        case _:
            what, told = "lapsed", [nominator] if nominator else []
    for person in told:
        _tell(person, what, nomination.honor, league, _url(nomination))


def _open(nomination: Nomination) -> tuple[Nomination, League]:
    league = locked(League.objects.get(pk=nomination.league_id))
    return Nomination.objects.get(pk=nomination.pk), league


@transaction.atomic
def second(*, nomination: Nomination, by: Person, at: datetime) -> Nomination:
    """Second a nomination within 30 days (ROD-41).

    :raises Forbidden: unless `by` may
    :raises ValidationError: if it does not wait for that, or the time is over
    """
    nomination, league = _open(nomination)
    if nomination.status != Nomination.Status.SECONDING or (nomination.until and at >= nomination.until):
        raise ValidationError(_("This nomination does not wait to be seconded."))
    if not may_second(nomination, league, by):
        raise Forbidden("honors", _(BY_ID[nomination.honor].nominated_by))
    event = events.HonorSeconded(nomination=str(nomination.pk), seconder=str(by.head.pk))
    _write(league, [event], by=by, acting_as=None, at=at)
    nomination.refresh_from_db()
    if nomination.status == Nomination.Status.DECIDING:
        _tell_about(nomination, league, at)
    return nomination


@transaction.atomic
def vote(*, nomination: Nomination, yes: bool, by: Person, at: datetime) -> None:
    """Cast a peer's vote (ROD-43). The entry names nobody as its writer.

    :raises Forbidden: unless `by` is a peer
    :raises ValidationError: if the vote is not open, or `by` has voted
    """
    nomination, league = _open(nomination)
    if nomination.status != Nomination.Status.VOTING or nomination.until is None or at >= nomination.until:
        raise ValidationError(_("No vote is open on this nomination."))
    if not may_vote(nomination, by, at):
        raise Forbidden("honors", _("who played a credited match with the nominee in the last twelve months"))
    if nomination.ballots.exists() and not VoteKey.objects.filter(purpose=nomination.purpose).exists():
        raise ValidationError(
            _("The key of this vote was not restored with the site; the votes cast count, and no more can be cast.")
        )
    voter = votes.code(nomination.purpose, by)
    if nomination.ballots.filter(voter=voter).exists():
        raise ValidationError(_("You have voted."))
    event = events.HonorVoteCast(nomination=str(nomination.pk), voter=voter, yes=yes)
    _write(league, [event], by=None, acting_as=None, at=at)


def is_carried(yes: int, no: int) -> bool:
    """Return whether a vote is carried: seven votes and two thirds for it (ROD-43)."""
    return yes + no >= QUORUM and 3 * yes >= 2 * (yes + no)


@transaction.atomic
def approve(*, nomination: Nomination, citation: str, by: Person, at: datetime) -> Nomination:
    """Decide for a nomination; the last decision that it needs bestows the honor, with a citation (ROD-42, ROD-45).

    :raises Forbidden: unless `by` is an organizer who decides on this person
    :raises ValidationError: if it does not wait for that, `by` has decided, the figures are not met any more, or the citation is missing
    """
    nomination, league = _open(nomination)
    if nomination.status != Nomination.Status.DECIDING:
        raise ValidationError(_("This nomination does not wait for the organizers."))
    if not may_decide(by, league, nomination.person_id):
        raise Forbidden("honors", _("an organizer of the league who is neither the nominee nor related to them"))
    if str(by.pk) in nomination.approvals:
        raise ValidationError(_("You have decided for it."))
    honor = BY_ID[nomination.honor]
    nominee = Person.objects.get(pk=nomination.person_id).head
    told: list[events.Payload] = [events.HonorApproved(nomination=str(nomination.pk), organizer=str(by.pk))]
    agreed = [*_standing(nomination, league), str(by.pk)]
    if len(agreed) >= needed(honor, league, nominee.pk):
        if nominee.forgotten_at is not None:
            raise ValidationError(_("This person was forgotten; end the nomination."))
        found = _eligible(honor, nominee, league, at)
        citation = " ".join(citation.split())
        if not 10 <= len(citation) <= 1000:
            raise ValidationError(
                {"citation": _("The last decision bestows the honor: write a citation of 10 to 1,000 characters.")}
            )
        told.append(
            events.HonorBestowed(
                honor=honor.id, person=str(nominee.pk), by=agreed, citation=citation, step=_next_step(honor, league, nominee),
                nomination=str(nomination.pk), figures={one.name: one.have for one in found},
            )
        )  # fmt: skip
    _write(league, told, by=by, acting_as=rights.acting_role(by, "pair", league.scopes), at=at)
    nomination.refresh_from_db()
    if nomination.status == Nomination.Status.BESTOWED:
        _tell(nominee, "bestowed", honor.id, league, reverse("honor", args=[honor.id]))
    return nomination


def _standing(nomination: Nomination, league: League) -> list[str]:
    """Return the decisions for a nomination that count: of those who are organizers still, and not related to the person."""
    present = {str(one.pk) for one in deciders(league, nomination.person_id)}
    return [one for one in nomination.approvals if one in present]


def is_last(nomination: Nomination, league: League) -> bool:
    """Return whether the next decision for a nomination bestows the honor."""
    least = needed(BY_ID[nomination.honor], league, nomination.person_id)
    return len(_standing(nomination, league)) + 1 >= least


def needed(honor: HonorKind, league: League, nominee: UUID) -> int:
    """Return how many organizers must decide for an honor."""
    return len(deciders(league, nominee)) if honor.organizers is None else honor.organizers


def _next_step(honor: HonorKind, league: League, person: Person) -> int:
    steps = Honor.objects.filter(league_id=league.pk, honor=honor.id, person_id__in=aliases(person))
    return max(steps.values_list("step", flat=True), default=0) + 1


@transaction.atomic
def refuse(*, nomination: Nomination, reason: str, by: Person, at: datetime) -> Nomination:
    """Let a nomination come to nothing: an organizer decides against it, or who nominated takes it back.

    :raises Forbidden: unless `by` decides on this person, or nominated them
    :raises ValidationError: if it is over
    """
    nomination, league = _open(nomination)
    if nomination.status in (Nomination.Status.BESTOWED, Nomination.Status.LAPSED):
        raise ValidationError(_("This nomination is over."))
    own = nomination.nominator_id == by.head.pk
    if not own and not may_decide(by, league, nomination.person_id):
        raise Forbidden("honors", _("an organizer of the league who is neither the nominee nor related to them"))
    if not own and _is_decided(nomination, league, at):
        raise ValidationError(_("The peers have decided for it; what is left to organizers is the citation."))
    why = "withdrawn" if own else "refused" if nomination.yes is None else "not_eligible"
    event = events.HonorLapsed(
        nomination=str(nomination.pk),
        why=why,
        reason=" ".join(reason.split())[:1000] or None,
    )
    _write(league, [event], by=by, acting_as=None, at=at)
    votes.destroy(nomination.purpose)
    nomination.refresh_from_db()
    if not own:
        _tell_about(nomination, league, at)
    return nomination


def _is_decided(nomination: Nomination, league: League, at: datetime) -> bool:
    """Return whether the peers carried it, and the person is eligible still: no organizer ends it then."""
    if nomination.yes is None:
        return False
    nominee = Person.objects.get(pk=nomination.person_id).head
    return nominee.forgotten_at is None and figures.is_eligible(figures.figures(nomination.honor, nominee, league, at))


def may_end(nomination: Nomination, league: League, by: Person, at: datetime) -> bool:
    """Return whether somebody may let a nomination come to nothing, as :func:`refuse` asks."""
    if nomination.status in (Nomination.Status.BESTOWED, Nomination.Status.LAPSED):
        return False
    return nomination.nominator_id == by.head.pk or (
        may_decide(by, league, nomination.person_id) and not _is_decided(nomination, league, at)
    )


@transaction.atomic
def relation_declare(*, league: League, person: Person, by: Person, at: datetime, ended: bool = False) -> None:
    """Declare a close relative or member of the same household, or that it is so no longer (ROD-45).

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself
    """
    league = locked(league)
    if not decides_in(by, league):
        raise Forbidden("pair")
    if person.head.pk == by.pk:
        raise ValidationError({"handle": _("You need not declare yourself.")})
    event = events.RelationDeclared(organizer=str(by.pk), person=str(person.head.pk), ended=True if ended else None)
    _write(league, [event], by=by, acting_as=rights.acting_role(by, "pair", league.scopes), at=at)


@transaction.atomic
def decline(*, held: Honor, by: Person, at: datetime) -> None:
    """Do not take an honor (ROD-46). It is not shown.

    :raises Forbidden: unless `by` is the person
    :raises ValidationError: if it is not held
    """
    league = locked(League.objects.get(pk=held.league_id), must_be_open=False)
    held = Honor.objects.get(pk=held.pk)
    if held.person_id not in aliases(by.head):
        raise Forbidden("honors", _("the person themself"))
    if held.status != Honor.Status.HELD:
        raise ValidationError(_("This honor is not held."))
    event = events.HonorDeclined(honor=held.honor, person=str(held.person_id), step=held.step)
    _write(league, [event], by=by, acting_as=None, at=at)


# Reviews (ROD-48, ROD-49)


@transaction.atomic
def review_propose(*, held: Honor, reason: str, by: Person, at: datetime) -> Review:
    """Propose to revoke an honor whose basis has fallen away, or after a disqualification; or to give a revoked one back.

    :raises Forbidden: unless `by` is an organizer who decides on this person
    :raises ValidationError: if a review is open, there is no ground, or no reason
    """
    league = locked(League.objects.get(pk=held.league_id), must_be_open=False)
    held = Honor.objects.get(pk=held.pk)
    if not may_decide(by, league, held.person_id):
        raise Forbidden("honors", _("an organizer of the league who is neither the person nor related to them"))
    if held.status == Honor.Status.DECLINED or held.reviews.filter(is_open=True).exists():
        raise ValidationError(_("This honor is not to be reviewed now."))
    reason = " ".join(reason.split())
    if not 10 <= len(reason) <= 1000:
        raise ValidationError({"reason": _("Say why, in 10 to 1,000 characters.")})
    person = Person.objects.get(pk=held.person_id).head
    why = "restore" if held.status == Honor.Status.REVOKED else _ground(held, person, league)
    if not why:
        raise ValidationError(
            _("An honor is revoked only if a correction took its basis away, or after a disqualification for conduct.")
        )
    return _review(league, held, why, at, by=by, reason=reason)


def _ground(held: Honor, person: Person, league: League) -> str:
    if not figures.is_eligible(figures.basis(held, person, league)):
        return "basis"
    given = _bestowed_at(held)
    return "conduct" if figures.penalties(person, kinds=("disqualification",), recorded_after=given) else ""


def _bestowed_at(held: Honor) -> datetime:
    """Return when an honor was bestowed: penalties recorded later put it in review, whenever their matches were played."""
    rows = log.read(held.league_id, after=held.seq - 1, limit=1)
    return rows[0].recorded_at


def _review(
    league: League, held: Honor, why: str, at: datetime, *, by: Person | None = None, reason: str | None = None,
    match: UUID | None = None, match_seq: int | None = None,
) -> Review:  # fmt: skip
    review = uuid4()
    event = events.HonorReviewOpened(
        honor=held.honor, person=str(held.person_id), step=held.step, review=str(review), why=why, reason=reason,
        until=(at + timedelta(days=HEARING_DAYS)).isoformat(), proposer=str(by.pk) if by else None,
        match=str(match) if match else None, match_seq=match_seq,
    )  # fmt: skip
    acting = rights.acting_role(by, "pair", league.scopes) if by else None
    _write(league, [event], by=by, acting_as=acting, at=at)
    made = Review.objects.get(pk=review)
    url = reverse("honor-review", args=[made.pk])
    if why != "restore":
        _tell(Person.objects.get(pk=held.person_id), "hearing", held.honor, league, url)
    for person in deciders(league, held.person_id):
        if by is None or person.pk != by.pk:
            _tell(person, "review", held.honor, league, url)
    return made


@transaction.atomic
def review_hear(*, review: Review, text: str, by: Person, at: datetime) -> Review:
    """Say what one has to say on a review of the own honor.

    :raises Forbidden: unless `by` is the person
    :raises ValidationError: if it is over, the person was heard, or says nothing
    """
    league = locked(League.objects.get(pk=review.held.league_id), must_be_open=False)
    review = Review.objects.select_related("held").get(pk=review.pk)
    if review.held.person_id not in aliases(by.head):
        raise Forbidden("honors", _("the person themself"))
    text = " ".join(text.split())
    if not review.is_open or review.heard_seq is not None:
        raise ValidationError(_("You were heard, or the review is over."))
    if not 1 <= len(text) <= 2000:
        raise ValidationError({"text": _("Say it in 1 to 2,000 characters.")})
    _write(league, [events.HonorHeard(review=str(review.pk), text=text)], by=by, acting_as=None, at=at)
    review.refresh_from_db()
    return review


@transaction.atomic
def review_vote(*, review: Review, revoke: bool, by: Person, at: datetime) -> Review:
    """Decide on a review: two organizers other than who proposed it, after the person was heard or 14 days (ROD-48).

    `revoke` says whether to revoke, in a review of a revoked honor whether to give it back.

    :raises Forbidden: unless `by` is an organizer who decides on this person and did not propose it
    :raises ValidationError: if it is over, too early, or `by` has decided
    """
    league = locked(League.objects.get(pk=review.held.league_id), must_be_open=False)
    review = Review.objects.select_related("held").get(pk=review.pk)
    held = review.held
    if not may_decide(by, league, held.person_id) or review.proposer_id == by.pk:
        raise Forbidden(
            "honors", _("an organizer of the league who did not propose it and is not related to the person")
        )
    if not review.is_open or str(by.pk) in review.votes:
        raise ValidationError(_("The review is over, or you have decided."))
    if review.why != "restore" and review.heard_seq is None and at < review.until:
        raise ValidationError(
            _("The person may still be heard; decide when they were, or when the time for it is over.")
        )
    told: list[events.Payload] = [events.HonorReviewVoted(review=str(review.pk), organizer=str(by.pk), revoke=revoke)]
    present = {str(one.pk) for one in deciders(league, held.person_id)}
    given = {**{one: said for one, said in review.votes.items() if one in present}, str(by.pk): revoke}
    agreed = [one for one, said in given.items() if said]
    against = [one for one, said in given.items() if not said]
    who = {"honor": held.honor, "person": str(held.person_id), "step": held.step}
    outcome = ""
    if len(agreed) >= REVOKING:
        reason = _reason_of(league, review.seq)
        if review.why == "restore":
            outcome = "restored"
            told.append(events.HonorRestored(**who, by=agreed, reason=reason))  # type: ignore[arg-type]
        else:
            outcome = "revoked"
            told.append(events.HonorRevoked(**who, by=agreed, reason=reason, review=str(review.pk)))  # type: ignore[arg-type]
    elif len(against) >= REVOKING:
        outcome = "left" if review.why == "restore" else "kept"
        told.append(events.HonorReviewClosed(review=str(review.pk)))
    _write(league, told, by=by, acting_as=rights.acting_role(by, "pair", league.scopes), at=at)
    review.refresh_from_db()
    if outcome:
        _tell(
            Person.objects.get(pk=held.person_id), outcome, held.honor, league, reverse("honor-review", args=[review.pk])
        )  # fmt: skip
    return review


def _reason_of(league: League, seq: int) -> str:
    (row,) = log.read(league.pk, after=seq - 1, limit=1)
    (event,) = stream.events_of([row])
    return str(getattr(event, "reason", None) or _("A penalty put it in review."))


# What time does


def tick(*, at: datetime) -> int:
    """Let deadlines pass, count votes, nominate by figures and open reviews by penalties; return how many steps were taken.

    Harmless to run at any time and twice.
    """
    taken = 0
    due = Nomination.objects.filter(status__in=(Nomination.Status.SECONDING, Nomination.Status.VOTING), until__lte=at)
    for nomination in list(due.order_by("until")[:200]):
        taken += _expire(nomination, at)
    is_new_day = _is_new_day(at)
    for league in League.objects.filter(is_open=True) if is_new_day else ():
        for honor in (one for one in HONORS if one.automatic):
            taken += _nominate_all(honor, league, at)
    # A seat may have been claimed after its penalty was recorded: once a day all holders are looked at.
    holders = Honor.objects.filter(status=Honor.Status.HELD, honor__in=INTEGRITY)
    penalized = _newly_penalized()
    for held in holders if is_new_day else holders.filter(person_id__in=penalized) if penalized else ():
        taken += _review_by_penalty(held, at)
    return taken


@transaction.atomic
def _newly_penalized() -> set[UUID]:
    """Return who sat where a severe penalty was recorded since this was last asked, under all their ids."""
    Checkpoint.objects.get_or_create(name="honors-penalties")
    mark = Checkpoint.objects.select_for_update().get(name="honors-penalties")
    xid, position = log.high_water()
    with connection.cursor() as cursor:
        cursor.execute(
            "select distinct stream from matches_event where (xid, position) > (%s::text::xid8, %s)"
            " and (xid, position) <= (%s::text::xid8, %s) and type = 'penalty_given' and data ->> 'kind' = any(%s)",
            [mark.xid, mark.position, str(xid), position, list(SEVERE)],
        )
        named = [row[0] for row in cursor.fetchall()]
    mark.xid, mark.position = str(xid), position
    mark.save()
    seated = Person.objects.filter(seats__match__in=named, seats__linked=True).distinct()
    return {one for person in heads(seated).values() for one in aliases(person)}


@transaction.atomic
def _is_new_day(at: datetime) -> bool:
    """Return whether the figures of all members are to be computed: once a day."""
    Checkpoint.objects.get_or_create(name="honors")
    mark = Checkpoint.objects.select_for_update().get(name="honors")
    day = at.date().toordinal()
    if mark.position >= day:
        return False
    mark.position = day
    mark.save()
    return True


@transaction.atomic
def _expire(nomination: Nomination, at: datetime) -> int:
    league = locked(League.objects.get(pk=nomination.league_id), must_be_open=False)
    nomination = Nomination.objects.get(pk=nomination.pk)
    if nomination.until is None or nomination.until > at:
        return 0
    name = str(nomination.pk)
    told: list[events.Payload]
    if nomination.status == Nomination.Status.SECONDING:
        told = [events.HonorLapsed(nomination=name, why="not_seconded")]
    else:
        yes = nomination.ballots.filter(yes=True).count()
        no = nomination.ballots.filter(yes=False).count()
        carried = is_carried(yes, no)
        told = [events.HonorVoteClosed(nomination=name, yes=yes, no=no, carried=carried)]
        if not carried:
            told.append(events.HonorLapsed(nomination=name, why="not_carried"))
    _write(league, told, by=None, acting_as=None, at=at)
    votes.destroy(nomination.purpose)
    nomination.refresh_from_db()
    _tell_about(nomination, league, at)
    return 1


def _nominate_all(honor: HonorKind, league: League, at: datetime) -> int:
    """Nominate the members whose figures are met and who have no open nomination. What fails for one stops nobody else."""
    # One that the organizers refused is not made again the next day.
    known = Nomination.objects.filter(league_id=league.pk, honor=honor.id).exclude(status=Nomination.Status.BESTOWED)
    busy = known.filter(~Q(status=Nomination.Status.LAPSED) | Q(opened_at__gt=at - timedelta(days=AGAIN_DAYS)))
    members = Person.objects.filter(memberships__league=league, memberships__until=None, forgotten_at=None)
    taken = 0
    for person in members.exclude(pk__in=busy.values("person_id")).order_by("pk"):
        try:
            nominate(league=league, honor_id=honor.id, nominee=person, reason="", by=None, at=at)
        except ValidationError:
            continue  # not eligible
        except Exception:
            _log.exception("The figures of %s for person %s in league %s.", honor.id, person.pk, league.pk)
            continue
        taken += 1
    return taken


@transaction.atomic
def _review_by_penalty(held: Honor, at: datetime) -> int:
    """Put an honor of integrity in review for the first penalty that has not yet, unless a review is open."""
    league = locked(League.objects.get(pk=held.league_id), must_be_open=False)
    person = Person.objects.get(pk=held.person_id).head
    if held.reviews.filter(is_open=True).exists():
        return 0
    for match, seq, _kind in figures.penalties(person, kinds=SEVERE, recorded_after=_bestowed_at(held)):
        if not Review.objects.filter(held=held, match_id=match, match_seq=seq).exists():
            _review(league, held, "penalty", at, match=match, match_seq=seq)
            return 1
    return 0
