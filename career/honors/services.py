"""The procedure of the honors: nominate, second, vote, decide, bestow, decline, review, revoke, restore, and what time does.

Every step is an entry of the league's stream, written under the lock of the league; the rows of :mod:`career.models` follow each entry
in the same transaction and can be read anew from the stream (:func:`rebuild`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from career.catalogue import CURRENT
from career.honors import figures
from career.honors.catalogue import (
    BY_ID,
    HEARING_DAYS,
    HONORS,
    QUORUM,
    REASON,
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
from people.services import Forbidden

ORGANIZING = (Grant.Role.ORGANIZER, Grant.Role.OWNER)
SEVERE = ("turn_loss", "disqualification")


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


def _decides(person: Person | None, league: League) -> bool:
    return person is not None and any(one.pk == person.pk for one in organizers(league))


def may_decide(person: Person | None, league: League, nominee: UUID) -> bool:
    """Return whether an organizer decides on a person: not on oneself, nor on a declared relation (ROD-45)."""
    return (
        person is not None
        and person.pk != nominee
        and _decides(person, league)
        and not Relation.objects.filter(league_id=league.pk, organizer_id=person.pk, person_id=nominee).exists()
    )


def deciders(league: League, nominee: UUID) -> list[Person]:
    """Return the organizers who decide on a person."""
    related = set(
        Relation.objects.filter(league_id=league.pk, person_id=nominee).values_list("organizer_id", flat=True)
    )
    return [one for one in organizers(league) if one.pk != nominee and one.pk not in related]


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
            events_of = figures._deeds(nominee, league, "event_organized", "organizer")
            staff = {person for one in events_of for person in (one.data["organizer"], *(one.data.get("staff") or ()))}
            return is_member(league, by) and not staff & {str(one) for one in mine}
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


def has_voted(nomination: Nomination, by: Person) -> bool:
    """Return whether somebody has voted; nobody but they should be told."""
    if not VoteKey.objects.filter(purpose=nomination.purpose).exclude(key=b"").exists():
        return False
    return nomination.ballots.filter(voter=votes.code(nomination.purpose, by)).exists()


def _eligible(honor: HonorKind, person: Person, league: League, at: datetime) -> list[Figure]:
    """Return the figures of an honor.

    :raises ValidationError: naming the figures that are missing (ROD-42), or what keeps the next step back (ROD-47)
    """
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
    last = Honor.objects.filter(league_id=league.pk, honor=honor.id, person_id__in=aliases(person)).exclude(
        status=Honor.Status.DECLINED
    ).order_by("-step").first()  # fmt: skip
    if last is not None and last.status == Honor.Status.REVOKED:
        raise ValidationError(_("This honor was revoked; it can be given back, not bestowed anew."))
    if last is not None:
        since = league.seasons.filter(closed_on__gt=last.on).count()
        if since < SEASONS_BETWEEN:
            raise ValidationError(
                _("It was bestowed on %(day)s; the next step waits for %(n)s seasons to end.")
                % {"day": last.on.isoformat(), "n": SEASONS_BETWEEN}
            )
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
    if not is_member(league, nominee):
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


def _tell_about(nomination: Nomination, league: League, at: datetime) -> None:
    """Tell whoever can do the next step."""
    words = {"honor": str(_(BY_ID[nomination.honor].name)), "league": league.name}
    if nomination.status == Nomination.Status.VOTING:
        nominee = Person.objects.get(pk=nomination.person_id).head
        for person in Person.objects.filter(pk__in=figures.peers(nominee, at)):
            notify(person, "honor_step", "vote", url=_url(nomination), **words)
    elif nomination.status == Nomination.Status.DECIDING:
        for person in deciders(league, nomination.person_id):
            notify(person, "honor_step", "decide", url=_url(nomination), **words)
    elif nomination.status == Nomination.Status.SECONDING and nomination.nominator_id:
        nominator = Person.objects.get(pk=nomination.nominator_id)
        notify(nominator, "honor_step", "seconding", url=_url(nomination), **words)


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
    agreed = [*nomination.approvals, str(by.pk)]
    if _is_enough(honor, league, nomination, agreed):
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
        words = {"honor": str(_(honor.name)), "league": league.name}
        notify(nominee, "honor_step", "bestowed", url=reverse("honor", args=[honor.id]), **words)
    return nomination


def _is_enough(honor: HonorKind, league: League, nomination: Nomination, agreed: list[str]) -> bool:
    if honor.organizers is None:
        return {str(one.pk) for one in deciders(league, nomination.person_id)} <= set(agreed)
    return len(agreed) >= honor.organizers


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
    event = events.HonorLapsed(
        nomination=str(nomination.pk),
        why="withdrawn" if own else "refused",
        reason=" ".join(reason.split())[:1000] or None,
    )
    _write(league, [event], by=by, acting_as=None, at=at)
    votes.destroy(nomination.purpose)
    nomination.refresh_from_db()
    return nomination


@transaction.atomic
def relation_declare(*, league: League, person: Person, by: Person, at: datetime, ended: bool = False) -> None:
    """Declare a close relative or member of the same household, or that it is so no longer (ROD-45).

    :raises Forbidden: unless `by` is an organizer or owner of the league
    :raises ValidationError: for oneself
    """
    league = locked(league)
    if not _decides(by, league):
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
    why = "restore" if held.status == Honor.Status.REVOKED else _ground(held, person, league, at)
    if not why:
        raise ValidationError(
            _("An honor is revoked only if a correction took its basis away, or after a disqualification for conduct.")
        )
    return _review(league, held, why, at, by=by, reason=reason)


def _ground(held: Honor, person: Person, league: League, at: datetime) -> str:
    if not figures.is_eligible(figures.figures(held.honor, person, league, at)):
        return "basis"
    return "conduct" if figures.penalties(person, held.on, ("disqualification",)) else ""


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
    words = {"honor": str(_(BY_ID[held.honor].name)), "league": league.name}
    url = reverse("honor-review", args=[made.pk])
    notify(Person.objects.get(pk=held.person_id), "honor_step", "hearing", url=url, **words)
    for person in deciders(league, held.person_id):
        notify(person, "honor_step", "review", url=url, **words)
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
    given = {**review.votes, str(by.pk): revoke}
    agreed = [one for one, said in given.items() if said]
    against = [one for one, said in given.items() if not said]
    who = {"honor": held.honor, "person": str(held.person_id), "step": held.step}
    if len(agreed) >= 2:
        reason = _reason_of(league, review.seq)
        if review.why == "restore":
            told.append(events.HonorRestored(**who, by=agreed, reason=reason))  # type: ignore[arg-type]
        else:
            told.append(events.HonorRevoked(**who, by=agreed, reason=reason, review=str(review.pk)))  # type: ignore[arg-type]
    elif len(against) >= 2:
        told.append(events.HonorReviewClosed(review=str(review.pk)))
    _write(league, told, by=by, acting_as=rights.acting_role(by, "pair", league.scopes), at=at)
    review.refresh_from_db()
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
    for league in League.objects.filter(is_open=True) if _is_new_day(at) else ():
        for honor in (one for one in HONORS if one.automatic):
            taken += _nominate_all(honor, league, at)
    for held in Honor.objects.filter(
        status=Honor.Status.HELD, honor__in=[one.id for one in HONORS if one.klass == "integrity"]
    ):
        taken += _review_by_penalty(held, at)
    return taken


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
    """Nominate the members whose figures are met and who have neither the honor nor an open nomination."""
    open_ = Nomination.objects.filter(league_id=league.pk, honor=honor.id).exclude(status=Nomination.Status.LAPSED)
    held = Honor.objects.filter(league_id=league.pk, honor=honor.id)
    busy = {*open_.values_list("person_id", flat=True), *held.values_list("person_id", flat=True)}
    # A nomination that the organizers refused is not made again the next minute.
    recent = Nomination.objects.filter(league_id=league.pk, honor=honor.id, opened_at__gt=at - timedelta(days=90))
    busy |= set(recent.values_list("person_id", flat=True))
    members = Person.objects.filter(memberships__league=league, memberships__until=None, forgotten_at=None)
    taken = 0
    for person in members.exclude(pk__in=busy).order_by("pk"):
        if not figures.is_eligible(figures.figures(honor.id, person, league, at)):
            continue
        try:
            nominate(league=league, honor_id=honor.id, nominee=person, reason="", by=None, at=at)
        except ValidationError:
            continue
        taken += 1
    return taken


@transaction.atomic
def _review_by_penalty(held: Honor, at: datetime) -> int:
    person = Person.objects.get(pk=held.person_id).head
    for match, seq, _kind in figures.penalties(person, held.on, SEVERE):
        if not Review.objects.filter(held=held, match_id=match, match_seq=seq).exists():
            league = locked(League.objects.get(pk=held.league_id), must_be_open=False)
            if (
                Review.objects.filter(held=held, match_id=match, match_seq=seq).exists()
                or held.reviews.filter(is_open=True).exists()
            ):
                return 0
            _review(league, held, "penalty", at, match=match, match_seq=seq)
            return 1
    return 0
