"""From a checked file to a match: recorded as a whole or not at all, held for the referees, or dropped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from matches import counts, seating, stored
from matches import log as match_log
from matches.acts import acting_as
from matches.models import Match, MatchOfficial, Seat, Upload
from matches.services.checking import Examined, examine_upload, first_problem, report_json
from matches.services.errors import DifferentVersion, NotRecordable
from matches.services.standing import forfeits_of, settle
from people import rights
from people.locks import lock
from people.models import Person
from people.services import Forbidden
from rulesengine import replay as engine
from rulesengine.codec import FormError
from rulesengine.log import MAX_NOTE, Line, Log, Unreadable

MOST_ROUNDS = 50


def upload_record(
    *,
    upload: Upload,
    by: Person,
    accept_irregular: bool = False,
    reason: str = "",
    confirm: bool = False,
    links: Mapping[str, str] | None = None,
    at: datetime | None = None,
    is_demo: bool = False,
) -> Match:
    """Record an uploaded file as a match, and return it; the same match again is that match.

    Everything is checked anew, as it is for `by`; the log takes the file whole, in one transaction.

    :param accept_irregular: let irregular lines stand, for `reason`
    :param confirm: confirm the placements as well
    :param links: who sits where, where the file has no handle: seat → id of a person, or `guest`
    :raises NotRecordable: in words, if the file cannot be recorded as it is
    :raises DifferentVersion: if the match is recorded with other content
    :raises Forbidden: if `by` may not record it, accept its irregular lines, or confirm it
    """
    at = at or timezone.now()
    if upload.state == Upload.State.DROPPED:
        raise NotRecordable(_("This upload was dropped; send the file again."))
    if upload.state == Upload.State.RECORDED and upload.match_id:
        return Match.objects.get(pk=upload.match_id)
    if upload.state == Upload.State.CHECKED and upload.by_id != by.pk:
        raise Forbidden("record", _("whoever sent the file, until it is held for the referees"))
    if upload.report is not None and upload.report["unreadable"]:
        raise NotRecordable(upload.report["unreadable"])
    try:
        found = examine_upload(upload, by=by, links=links)
    except (Unreadable, ValueError) as error:
        raise NotRecordable(str(error)) from error
    told = None if found.again or found.different else _recordable(found, by, accept_irregular, reason, confirm)
    with transaction.atomic():
        lock(f"match {found.match_id}")
        if told is not None and match_log.head(found.match_id) is not None:
            # Somebody was quicker: the same file, or another version of it.
            found = examine_upload(upload, by=by, links=links)
            if found.again is None and found.different is None:
                raise NotRecordable(first_problem(found.findings))
        if found.different is not None:
            allowed = seating.standing(Match.objects.get(pk=found.match_id), by).may("correct")
            raise DifferentVersion(found.match_id, found.different if allowed else [])
        match = found.again
        if match is None and told is not None:
            match = _store(found, told, upload=upload, at=at, by=by, is_demo=is_demo)
        if match is None:  # it was recorded when we first looked, and recorded matches do not vanish
            raise NotRecordable(_("The match could not be recorded; try again."))
        _mark(upload, found, match)
    return match


def _recordable(found: Examined, by: Person, accept_irregular: bool, reason: str, confirm: bool) -> engine.Replay:
    """Return the replay of what is to be stored, the acceptance and the confirmation included.

    :raises NotRecordable: if it may not be stored
    """
    standing = found.standing
    if not standing.may("record"):
        raise Forbidden("record")
    if found.blocked:
        raise NotRecordable(
            _("Nothing of the file can be stored as long as this is in it. %(problem)s")
            % {"problem": first_problem(found.blocking)}
        )
    if found.rights:
        raise NotRecordable(first_problem(found.rights))
    open_ = [one.letter for one in found.places if one.person is None]
    if found.where.table is not None and open_:
        raise NotRecordable(
            _("Say who of those paired for %(where)s sat at %(seats)s; nothing is stored before.")
            % {"where": found.where.table.title, "seats": ", ".join(open_)}
        )
    log = found.stored
    irregular = [row for row in found.findings if row["kind"] == "irregular"]
    if irregular:
        if not accept_irregular:
            raise NotRecordable(
                ngettext(
                    "A rule forbids %(lines)s line of the file; it must be corrected, or accepted by a referee. %(problem)s",
                    "A rule forbids %(lines)s lines of the file; they must be corrected, or accepted by a referee. %(problem)s",
                    len(irregular),
                )
                % {"lines": len(irregular), "problem": first_problem(irregular)}
            )
        if not standing.may("accept_irregular"):
            raise Forbidden("accept_irregular")
        if not reason.strip():
            raise NotRecordable(_("Irregular lines stand only with a reason; say why the table let them stand."))
        log = _accepting(log, standing.role("accept_irregular"), by, reason.strip()[:MAX_NOTE])
    told = engine.run(log) if irregular else found.replay()
    if confirm:
        role = standing.role("confirm")
        if role is None:
            raise Forbidden("confirm")
        if counts.open_in(told):
            raise NotRecordable(
                _(
                    "The table counted an outcome otherwise than it is computed. Record the file; a referee then decides on the page of the match which stands, and the result can be confirmed."
                )
            )
        if told.status != "confirmed":
            line = Line(
                len(log.lines) + 1,
                "placements_confirmed",
                acting_as=acting_as(role, "placements_confirmed", log.header.game),
            )
            told = appended(told, line)
    return told


def appended(told: engine.Replay, line: Line) -> engine.Replay:
    """Return the replay with one more line.

    :raises NotRecordable: in words, if it does not hold
    """
    try:
        after = engine.append(told, line)
    except FormError as error:
        raise NotRecordable(str(error)) from error
    if isinstance(after, engine.Replay):
        return after
    raise NotRecordable(f"{after.rule.id + ': ' if after.rule.id else ''}{after.because}")


def _accepting(log: Log, role: str | None, by: Person, reason: str) -> Log:
    """Return the log with one acceptance of its irregular lines after its last, and with no finding left.

    An accepted line may make others irregular or impossible that were not; the first are accepted too.
    """
    accepted: set[int] = set()
    data: dict[str, object] = {"reason": reason}
    if any(line.type == "placements_confirmed" for line in log.lines):
        data["approved_by"] = str(by.pk)
    for _round in range(MOST_ROUNDS):
        longer = log
        if accepted:
            line = Line(
                len(log.lines) + 1,
                "illegal_state_accepted",
                data=msgspec.json.encode({"seqs": sorted(accepted), **data}),
                acting_as=acting_as(role, "illegal_state_accepted", log.header.game),
            )
            longer = replace(log, lines=(*log.lines, line))
        findings = [row for row in engine.report(longer).findings if row.kind != "observed"]
        new = {
            row.seq for row in findings if row.kind == "irregular" and row.follows is None and row.seq is not None
        } - accepted
        if not new:
            if findings:
                raise NotRecordable(
                    _("Even with the irregular lines accepted, this does not hold: %(problem)s")
                    % {"problem": f"seq {findings[0].seq}: {findings[0].message}"}
                )
            return longer
        accepted |= new
    raise NotRecordable(_("The irregular lines of the file lead to ever more; correct the file."))


def _store(found: Examined, told: engine.Replay, *, upload: Upload, at: datetime, by: Person, is_demo: bool) -> Match:
    """Write a match that nobody recorded yet."""
    header, place = found.header, found.where
    people = seating.with_guests(found.places, place, by=by, is_demo=is_demo)
    officials = seating.official_persons(header, place, by=by)
    persons: dict[str, UUID | None] = {one.letter: one.person.pk if one.person else None for one in people}
    match = Match(
        id=found.match_id,
        game=header.game,
        edition=header.rules or "",
        depth=header.depth,
        played_on=header.played_on,
        timezone=header.timezone,
        league=place.circle.id if place.circle else None,
        context=header.context,
        options=header.options,
        opened_by=upload.by,
        is_demo=is_demo,
    )
    if place.table is not None:
        # The roles of the tournament hold for the match by this key, which no file may bring.
        header = replace(header, context={**header.context, "tournament_id": place.table.scope.partition(":")[2]})
        match.context = header.context
    zone = header.timezone
    entries = [stored.header_entry(header, persons, [one.pk if one else None for one in officials])]
    entries += [stored.entry_of(line, zone) for line in told.log.lines]
    match_log.append(stream=match.pk, stream_kind="match", entries=entries, expected_seq=-1, by=by.pk, at=at)
    placed = {one.seat: one.place for one in told.placements}
    forfeits = forfeits_of(told)
    # Seats before the match that they point at: its row is written once, as the log has it (the reference is checked on commit).
    Seat.objects.bulk_create(
        Seat(
            match=match,
            seat=one.letter,
            position=number,
            sheet_name=one.sheet_name[:120],
            person=one.person,
            linked=one.linked,
            place=placed.get(one.letter),
            forfeited=one.letter in forfeits,
        )
        for number, one in enumerate(people)
    )
    MatchOfficial.objects.bulk_create(
        MatchOfficial(match=match, role=one.role, sheet_name=one.name[:120], person=person)
        for one, person in zip(header.officials, officials, strict=True)
    )
    return settle(match, told, at=at)


def _mark(upload: Upload, found: Examined, match: Match) -> None:
    fields = ["state", "match_id"]
    if upload.state == Upload.State.HELD:  # for the referee who records it, other things were wrong than for its sender
        upload.report = report_json(found)
        fields.append("report")
    upload.state = Upload.State.RECORDED
    upload.match_id = match.pk
    upload.save(update_fields=fields)


def upload_hold(*, upload: Upload, by: Person, reason: str = "") -> Upload:
    """Lay a checked file on the desk of the referees of its scope.

    :raises Forbidden: for anybody but whoever sent it
    :raises NotRecordable: if no referee could record it either
    """
    if upload.by_id != by.pk:
        raise Forbidden("record", _("whoever sent the file"))
    with transaction.atomic():
        upload = Upload.objects.select_for_update().get(pk=upload.pk)
        if upload.state == Upload.State.HELD:
            return upload
        report = upload.report or {}
        if upload.state != Upload.State.CHECKED or not report.get("may", {}).get("hold"):
            raise NotRecordable(
                _(
                    "Only a file that a referee could record can be held: one that is readable, and in which nothing is impossible."
                )
            )
        upload.state, upload.reason = Upload.State.HELD, reason.strip()[:500]
        upload.save(update_fields=["state", "reason"])
    return upload


def upload_drop(*, upload: Upload, by: Person) -> Upload:
    """Drop a checked or held file; its content is forgotten.

    :raises Forbidden: for anybody but whoever sent it, or a referee on whose desk it lies
    :raises NotRecordable: if it is recorded already
    """
    if upload.by_id != by.pk and not (upload.state == Upload.State.HELD and may_judge(upload, by)):
        raise Forbidden("accept_irregular")
    with transaction.atomic():
        upload = Upload.objects.select_for_update().get(pk=upload.pk)
        if upload.state == Upload.State.RECORDED:
            raise NotRecordable(_("The file is recorded already; a recorded match is annulled, not dropped."))
        upload.state, upload.raw = Upload.State.DROPPED, b""
        upload.save(update_fields=["state", "raw"])
    return upload


def may_judge(upload: Upload, person: Person) -> bool:
    """Return whether a held upload lies on somebody's desk."""
    return rights.may(person, "accept_irregular", (upload.scope, rights.SITE)) or rights.may(
        person, "correct", (upload.scope, rights.SITE)
    )


def uploads_expire() -> int:
    """Forget the files that were checked and never recorded, once their time is over, and return how many."""
    gone, _rows = Upload.objects.filter(
        state__in=(Upload.State.CHECKED, Upload.State.DROPPED), expires_at__lt=timezone.now()
    ).delete()
    return gone
