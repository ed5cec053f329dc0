"""Pages of the signed checkpoints, and of the proof that an entry of the log is under one."""

from __future__ import annotations

import base64
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches import checkpoints, log, sight
from matches.models import CheckpointLeaf, LogCheckpoint
from matches.shown import shown
from matches.views.detail import match_of
from people import circles
from people import selectors as people
from people.models import Person
from people.selectors import viewer_of

A_PAGE = 30


@require_safe
def checkpoint_list(request: HttpRequest) -> HttpResponse:
    """Show the signed checkpoints, newest first, and the keys that sign."""
    page = Paginator(LogCheckpoint.objects.order_by("-number"), A_PAGE).get_page(request.GET.get("page"))
    rows = [{"checkpoint": one, "root": bytes(one.root).hex(), "is_signed": checkpoints.is_signed(one)} for one in page]
    return render(request, "matches/checkpoints.html", {"page": page, "rows": rows, "keys": _keys()})


def _keys() -> list[dict[str, Any]]:
    return [{"id": name, "public": checkpoints.raw(key)} for name, key in checkpoints.public_keys().items()]


@require_safe
def checkpoint_detail(request: HttpRequest, number: str) -> HttpResponse:
    """Show one checkpoint: what was signed, by which key, and what it names."""
    found = get_object_or_404(LogCheckpoint, pk=int(number))
    context = {
        "checkpoint": found,
        "root": bytes(found.root).hex(),
        "signature": base64.b64encode(found.signature).decode(),
        "is_signed": checkpoints.is_signed(found),
        "new": CheckpointLeaf.objects.filter(since=found.number).count(),
        "is_last": not LogCheckpoint.objects.filter(number__gt=found.number).exists(),
    }
    return render(request, "matches/checkpoint.html", context)


@require_safe
def checkpoint_json(request: HttpRequest, number: str) -> HttpResponse:
    """Send a checkpoint as a program reads it: the statement byte for byte, its signature and the key's short name."""
    found = get_object_or_404(LogCheckpoint, pk=int(number))
    signature = base64.b64encode(found.signature).decode()
    return JsonResponse({"statement": found.statement, "signature": signature, "key": found.key})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Send the public keys that are trusted here."""
    return JsonResponse({"keys": _keys()})


@require_safe
def proof(request: HttpRequest, number: str, stream: str) -> HttpResponse:
    """Send the proof that a stream's head is under a checkpoint."""
    _open_to(UUID(stream), viewer_of(request))
    found = checkpoints.proof(int(number), UUID(stream))
    if found is None:
        raise Http404(_("Checkpoint %(number)s has no stream %(stream)s.") % {"number": number, "stream": stream})
    answer = JsonResponse(found.as_json())
    answer["Content-Disposition"] = f'attachment; filename="{stream}.proof.json"'
    return answer


@require_safe
def prove(request: HttpRequest, stream: str, seq: str) -> HttpResponse:
    """Lead from an entry of the log over its hash and the chain to the signed checkpoint that covers it."""
    viewer = viewer_of(request)
    about = _open_to(UUID(stream), viewer)
    log_id, at = UUID(stream), int(seq)
    rows = log.read(log_id, after=at - 1, limit=1)
    if not rows or rows[0].seq != at:
        raise Http404(_("The log has no entry %(seq)s of %(stream)s.") % {"seq": seq, "stream": stream})
    head = log.head(log_id)
    leaf = checkpoints.covering(log_id, at)
    signed = LogCheckpoint.objects.filter(pk=leaf.since).first() if leaf else None
    context = {
        "row": rows[0],
        "hash": rows[0].hash.hex(),
        "head": head,
        "head_hash": head.hash.hex() if head else "",
        "broken": log.verify(log_id),
        "leaf": leaf,
        "leaf_hash": bytes(leaf.hash).hex() if leaf else "",
        "checkpoint": signed,
        "root": bytes(signed.root).hex() if signed else "",
        "is_signed": signed is not None and checkpoints.is_signed(signed),
        "problems": checkpoints.verify_leaves(log_id) if leaf else [],
        **about,
    }
    return render(request, "matches/prove.html", context)


def _open_to(stream: UUID, viewer: Person | None) -> dict[str, Any]:
    """Return what a stream is about, with the way to its page, for whoever may be shown its hashes.

    :raises Http404: if there is no such stream, or it may not be known to the viewer
    :raises PermissionDenied: while something of the match is hidden from the viewer
    """
    head = log.head(stream)
    missing = Http404(_("The log has no stream %(stream)s.") % {"stream": stream})
    if head is None:
        raise missing
    if head.kind == "match":
        match = match_of(stream)
        if not sight.of(match, viewer).whole:
            raise PermissionDenied(
                _("Hashes are shown from the end of the match on: some of its entries are still hidden from you.")
            )
        [one] = shown([match], viewer)
        return {"title": one.title, "match": match, "about_url": reverse("match-detail", args=[stream])}
    if head.kind == "person":
        person = Person.objects.filter(pk=stream).first()
        if person is None or not people.may_see(person, viewer):
            raise missing
        return {"title": people.visible_name(person, viewer), "about_url": ""}
    circle = circles.find(str(stream))
    return {"title": circle.name if circle else str(stream), "about_url": ""}
