"""Whom a match tells what: a result to sign, a dispute to decide, an upload that is checked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from matches.models import Match, Upload
from matches.texts import of_stream
from people.models import Grant
from people.notices import notify, register

RECENT = timedelta(days=7)
"""Nobody is asked about a result that is older."""
WRITTEN = 50_000


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


def kept_of(ids: list[UUID]) -> Iterator[tuple[str, bytes]]:
    """Yield what somebody wrote into the log, with the texts, and the files that they uploaded."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select stream, seq, kind, type, seat, data::text, recorded_at from matches_event where by = any(%s)"
            " order by recorded_at, stream, seq limit %s",
            [ids, WRITTEN],
        )
        rows: list[dict[str, Any]] = [
            {
                "stream": str(stream),
                "seq": seq,
                "kind": kind,
                "type": type_,
                "seat": seat,
                "data": msgspec.json.decode(data),
                "recorded_at": at.isoformat(),
            }
            for stream, seq, kind, type_, seat, data, at in cursor.fetchall()
        ]
    texts: dict[str, dict[int, dict[str, str]]] = {}
    for row in rows:
        if row["stream"] not in texts:
            kept = of_stream(UUID(row["stream"]))
            texts[row["stream"]] = {seq: {one.field: one.text for one in some} for seq, some in kept.items()}
        row["texts"] = texts[row["stream"]].get(row["seq"], {})
    if rows:
        yield "written.json", msgspec.json.format(msgspec.json.encode(rows), indent=1)
    for upload in Upload.objects.filter(by__in=ids).exclude(raw=b"").order_by("created_at")[:500]:
        safe = "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in upload.name)[-80:] or "file"
        yield f"uploads/{upload.pk}-{safe}", bytes(upload.raw)
