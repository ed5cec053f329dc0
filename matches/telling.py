"""Whom a match tells what: a result to sign, a dispute to decide, an upload that is checked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.models import Match, Upload
from matches.texts import of_stream
from people.keeping import File, as_json
from people.models import Grant
from people.notices import notify, register

RECENT = timedelta(days=7)
"""Nobody is asked about a result that is older."""


def register_kinds() -> None:
    """Make the kinds of notices of this room known."""
    register(
        "result_to_sign",
        _("Results to sign"),
        {"sign": _("A match of %(game)s in which you sat has ended: sign its result, or dispute it.")},
    )
    register("dispute", _("Disputes"), {"open": _("A match of %(game)s is disputed and waits for a decision.")})
    register("upload_done", _("Uploads"), {"checked": _("Your file %(name)s is checked.")})


def result_ended(match: Match, *, at: datetime) -> None:
    """Tell those who sat that there is a result to sign."""
    from matches.games import game_name

    if match.ended_at is None or at - match.ended_at > RECENT:
        return
    url = reverse("match-detail", args=[match.pk])
    for seat in match.seats.select_related("person__account", "person__joined_into__account"):
        if seat.person is not None and seat.signed_at is None:
            notify(seat.person, "result_to_sign", "sign", url=url, game=game_name(match.game))


def disputed(match: Match) -> None:
    """Tell the referees, or where there is none the organizers, that a match waits for them."""
    from matches.games import game_name

    held = Grant.objects.filter(scope__in=match.scopes).select_related(
        "person__account", "person__joined_into__account"
    )
    roles: tuple[str, ...] = ("referee", "mapmaster")
    persons = {grant.person_id: grant.person for grant in held if grant.role in roles}
    if not persons:
        persons = {grant.person_id: grant.person for grant in held if grant.role in ("organizer", "owner")}
    sits = set(match.seats.values_list("person_id", flat=True))
    for person in persons.values():
        if person.pk not in sits:
            notify(person, "dispute", "open", url=reverse("match-detail", args=[match.pk]), game=game_name(match.game))


def upload_checked(upload: Upload) -> None:
    """Tell who uploaded a file that a worker has checked it."""
    notify(upload.by, "upload_done", "checked", url=reverse("upload-detail", args=[upload.pk]), name=upload.name)


def kept_of(ids: list[UUID]) -> Iterator[File]:
    """Yield what somebody wrote into the log and what their own stream says, with the texts, and the files that they uploaded."""
    yield "written.json", as_json(_written(ids))
    for upload in Upload.objects.filter(by__in=ids).exclude(raw=b"").order_by("created_at").iterator(chunk_size=20):
        safe = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in upload.name)[-80:] or "file"
        yield f"uploads/{upload.pk}-{safe}", [bytes(upload.raw)]


def _written(ids: list[UUID]) -> Iterator[dict[str, Any]]:
    """Yield the entries in order of streams, so that the texts of only one are at hand."""
    stream, kept = None, {}
    with transaction.atomic(), connection.connection.cursor(name="written") as cursor:
        cursor.execute(
            "select stream, seq, kind, type, seat, data::text, recorded_at from matches_event"
            " where by = any(%(ids)s) or stream = any(%(ids)s) order by stream, seq",
            {"ids": ids},
        )
        for of, seq, kind, type_, seat, data, at in cursor:
            if of != stream:
                stream, kept = of, of_stream(of)
            yield {
                "stream": str(of),
                "seq": seq,
                "kind": kind,
                "type": type_,
                "seat": seat,
                "data": msgspec.json.decode(data),
                "texts": {one.field: one.text for one in kept.get(seq, ())},
                "recorded_at": at.isoformat(),
            }
