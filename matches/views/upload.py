"""The way in: files are checked and reported on, then recorded, held for the referees, or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from msgspec import Struct

from matches import scheduled, seating, selectors, services
from matches.games import game_name
from matches.models import Job, Match, Upload
from matches.services import checking, recording
from people import circles, rights
from people.models import Person
from people.rights import SITE
from people.selectors import viewer_of, visible_name, visible_names
from people.templatetags.annals import KIND, STATUS, folded
from rulesengine.log import MAX_BYTES

MOST_FILES = 50
MOST_SHOWN = 50
MOST_LINES = 300
MANY_LINES = 12
MOST_MINE = 50


class Alert(Struct):
    """Something to say on top of a card."""

    tincture: str
    title: str
    text: str = ""
    lang: str = ""
    url: str = ""
    action: str = ""
    role: str = ""


class Button(Struct):
    """Something to do with a file."""

    act: str
    label: str
    quiet: bool = False


class LineFindings(Struct):
    """All findings about one line, the gravest kind first, with those that follow from it."""

    number: int | None
    seq: int | None
    stored: int | None
    type: str | None
    seat: str | None
    kind: str
    findings: list[Mapping[str, Any]]
    followers: list[Mapping[str, Any]]


class SeatRow(Struct):
    """Who a seat of the file is: chosen, or to be chosen."""

    letter: str
    sheet_name: str
    field_id: str
    choices: list[tuple[str, str]]
    chosen: str
    note: str


class Card(Struct):
    """An upload as its page shows it."""

    upload: Upload
    report: Mapping[str, Any] | None
    alerts: list[Alert]
    heading: str = ""
    is_unreadable: bool = False
    job: Job | None = None
    bar: str = ""
    game: str = ""
    played_on: str = ""
    status: str = ""
    where: str = ""
    placements: list[tuple[int, str]] = []
    counts: str = ""
    renumbered: bool = False
    lines: list[LineFindings] = []
    more_lines: int = 0
    begin_with: int | None = None
    """The first line with a finding, where so many have one that most may only follow from it."""
    difference: list[dict[str, Any]] | None = None
    correct_url: str = ""
    seats: list[SeatRow] = []
    asks_reason: bool = False
    reason: str = ""
    reason_label: str = ""
    reason_help: str = ""
    buttons: list[Button] = []

    @property
    def can_act(self) -> bool:
        """Return whether there is anything to do with the file."""
        return bool(self.buttons)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Check the files that were sent, or show the form with the uploads asked for and all of one's own."""
    viewer = _viewer(request)
    if request.method != "POST":
        wanted = request.GET.get("shown", "").split(",")[:MOST_SHOWN]
        found = {str(one.pk): one for one in selectors.uploads_of(viewer).filter(pk__in=_uuids(wanted))}
        return _page(request, viewer, [found[key] for key in wanted if key in found])
    files = request.FILES.getlist("files")
    if not files:
        return _page(
            request,
            viewer,
            [],
            [{"name": _("No file was sent"), "message": _("Choose one or several files, then check them.")}],
            status=400,
        )
    if len(files) > MOST_FILES:
        text = _("At most %(most)s files are read at once; send fewer, or a zip of them.") % {"most": MOST_FILES}
        return _page(request, viewer, [], [{"name": _("Too many files"), "message": text}], status=400)
    chosen = request.POST.get("league", "")
    league = next((circle.id for circle in _leagues(viewer) if str(circle.id) == chosen), None)
    waiting = _table(request.POST.get("table", ""), viewer)
    uploads: list[Upload] = []
    problems = []
    for file in files:
        raw = file.read(MAX_BYTES + 1)
        try:
            uploads += services.uploads_check(
                by=viewer, name=file.name or "log", raw=raw, wait=False, league=league,
                table=waiting.match_id if waiting else None,
            )  # fmt: skip
        except services.BadArchive as bad:
            problems.append({"name": file.name, "message": str(bad)})
    if problems:
        return _page(request, viewer, uploads, problems, status=422)
    url = f"{reverse('upload')}?shown={','.join(str(one.pk) for one in uploads)}"
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(url)
    answer = _page(request, viewer, uploads)
    answer["HX-Replace-Url"] = url
    return answer


def _page(
    request: HttpRequest,
    viewer: Person,
    uploads: Sequence[Upload],
    problems: Sequence[Mapping[str, Any]] = (),
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"cards": [card(one, viewer) for one in uploads], "problems": problems}
    if request.htmx:  # type: ignore[attr-defined]
        answer = render(request, "matches/upload.html#reports", context, status=status)
        answer.write(_mine(request, viewer))
        return answer
    context["table"] = _table(request.GET.get("table", ""), viewer)
    context["leagues"] = [(str(circle.id), circle.name) for circle in _leagues(viewer)]
    context["mine"] = selectors.uploads_of(viewer)[:MOST_MINE]
    return render(request, "matches/upload.html", context, status=status)


def _mine(request: HttpRequest, viewer: Person) -> str:
    """Return the list of one's own uploads, to be put in the place of the one on the page."""
    context = {"mine": selectors.uploads_of(viewer)[:MOST_MINE], "swapped": True}
    return render_to_string("matches/upload.html#mine", context, request)


def _table(said: str, viewer: Person) -> scheduled.Scheduled | None:
    """Return the table that a file is sent for, None if it is none at which the viewer sits or may record."""
    for match_id in _uuids([said]):
        found = scheduled.find(match_id)
        if found is not None and (found.letter_of(viewer) or rights.may(viewer, "record", found.scopes)):
            return found
    return None


def _leagues(viewer: Person) -> list[circles.Circle]:
    """Return the open leagues for which somebody may record, by name; for a role in the whole site, those with matches."""
    scopes = rights.scopes_with(viewer, *rights.GRANTED)
    keys = {scope.removeprefix("league:") for scope in scopes if scope.startswith("league:")}
    if rights.SITE in scopes:
        keys |= {str(one) for one in Match.objects.order_by().values_list("league", flat=True).distinct() if one}
    return sorted((one for one in circles.circles(keys).values() if one.is_open), key=lambda one: one.name)


@login_required
def upload_detail(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Show one upload: one's own, or one that is held for one's decision."""
    viewer = _viewer(request)
    return _one(request, _upload(upload_id, viewer), viewer)


def _one(
    request: HttpRequest, found: Upload, viewer: Person, *, more: Alert | None = None, links: Mapping[str, str] | None = None,
    reason: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    shown = card(found, viewer, links=links, reason=reason)
    if more is not None:
        shown.alerts.insert(0, more)
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "matches/upload_card.html", {"card": shown}, status=status)
    shown.heading = _("The file")
    context = {"card": shown, "page_title": found.name}
    return render(request, "matches/upload_detail.html", context, status=status)


@login_required
@require_POST
def upload_act(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """Record an upload, hold it, or drop it."""
    viewer = _viewer(request)
    found = _upload(upload_id, viewer)
    act, reason = request.POST.get("act", ""), request.POST.get("reason", "").replace("\0", "")
    links = {
        key.removeprefix("seat_"): str(value)
        for key, value in request.POST.items()
        if key.startswith("seat_") and value
    }
    back: dict[str, Any] = {"links": links, "reason": reason}
    try:
        if act in ("record", "confirm"):
            accept = any(row["kind"] == "irregular" for row in (found.report or {}).get("findings", ()))
            match = services.upload_record(
                upload=found, by=viewer, accept_irregular=accept, reason=reason, confirm=act == "confirm", links=links
            )
            if request.htmx:  # type: ignore[attr-defined]
                found.refresh_from_db()
                answer = _one(request, found, viewer)
                answer.write(_mine(request, viewer))
                return answer
            messages.success(request, _("Recorded. This is the match."))
            return redirect("match-detail", match_id=match.pk)
        if act == "hold":
            found = services.upload_hold(upload=found, by=viewer, reason=reason)
            return _one(request, found, viewer) if request.htmx else redirect("upload-detail", upload_id=found.pk)  # type: ignore[attr-defined]
        if act == "drop":
            services.upload_drop(upload=found, by=viewer)
            if request.htmx:  # type: ignore[attr-defined]
                return HttpResponse(_mine(request, viewer))
            messages.success(request, _("The file was discarded; nothing of it is kept."))
            return redirect("upload")
    except services.NotRecordable as refused:
        alert = Alert("gules", _("Nothing was stored"), str(refused), role="alert")
        return _one(request, found, viewer, more=alert, status=422, **back)
    except services.DifferentVersion:
        services.upload_recheck(upload=found)
        return _one(request, found, viewer, status=409, **back)
    except services.Forbidden as forbidden:
        alert = Alert("gules", _("Nothing was stored"), str(forbidden), role="alert")
        return _one(request, found, viewer, more=alert, status=403 if not request.htmx else 422, **back)  # type: ignore[attr-defined]
    alert = Alert("gules", _("Nothing was stored"), _("Say what is to be done with the file."), role="alert")
    return _one(request, found, viewer, more=alert, status=400, **back)


def _viewer(request: HttpRequest) -> Person:
    viewer = viewer_of(request)
    assert viewer is not None  # noqa: S101 – only behind login_required
    return viewer


def _uuids(texts: Sequence[str]) -> list[UUID]:
    found = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return found


def _upload(upload_id: UUID, viewer: Person) -> Upload:
    """Return an upload that the viewer may see. One of somebody else is not there; only a held one is, for who decides on it."""
    found = (
        Upload.objects.select_related("by", "job")
        .defer("raw")
        .filter(pk=upload_id)
        .exclude(state=Upload.State.DROPPED)
        .first()
    )
    if found is None:
        raise Http404(_("There is no such upload; checked files are kept for seven days."))
    if found.by_id == viewer.pk:
        return found
    if found.state == Upload.State.HELD and recording.may_judge(found, viewer):
        return found
    if found.state == Upload.State.HELD:
        raise PermissionDenied(_("This file is held for the referees of its league."))
    raise Http404(_("There is no such upload; checked files are kept for seven days."))


# Cards ----------------------------------------------------------------------------------------------------------------


def card(found: Upload, viewer: Person, *, links: Mapping[str, str] | None = None, reason: str = "") -> Card:
    """Return an upload as the viewer may see it and act on it."""
    report = found.report
    made = Card(found, report, [], bar=f"bar-{found.pk}", reason=reason)
    if report is None:
        _checking(made)
        return made
    if report["unreadable"] is not None:
        made.is_unreadable = True
        number = report["findings"][0]["line"]
        title = (
            _("This is no log that can be read")
            if number is None
            else _("This cannot be read: line %(line)s") % {"line": number}
        )
        made.alerts.append(Alert("gules", title, report["unreadable"], lang="en", role="alert"))
        made.report = None
        made.buttons = [Button("drop", _("Discard the file"), quiet=True)]
        return made
    if found.state == Upload.State.HELD and found.by_id != viewer.pk:
        made.report = report = checking.report_for(found, viewer, links=links) or report
    _said(made, report)
    _alerts(made, report, viewer)
    if found.state in (Upload.State.CHECKED, Upload.State.HELD):
        _acts(made, report, viewer, links or {})
    return made


def _checking(made: Card) -> None:
    job = made.upload.job
    if job is not None and job.state in (Job.State.NEW, Job.State.RUNNING):
        made.job = job
        return
    text = _("The check of this file did not finish. Send it again; if that fails too, tell the operator of the site.")
    made.alerts.append(Alert("gules", _("Not checked"), text, role="alert"))
    made.buttons = [Button("drop", _("Discard the file"), quiet=True)]


def _said(made: Card, report: Mapping[str, Any]) -> None:
    """Fill in what the file is and what was found in it."""
    made.game = game_name(report["game"])
    made.played_on = formats.date_format(date.fromisoformat(report["played_on"])) if report.get("played_on") else ""
    if report["status"]:
        made.status = str(STATUS.get(report["status"], ("", report["status"]))[1])
    names = {row["seat"]: row["name"] for row in report["seats"]}
    made.placements = [(row["place"], names.get(row["seat"]) or row["seat"]) for row in report["placements"] or ()]
    made.where = report["league"]["name"] if report["league"] else _("Friendly, no league")
    can_be_stored = any(report["may"].values()) or report["again"] or made.upload.state == Upload.State.RECORDED
    made.renumbered = can_be_stored and bool(report.get("renumbered"))
    made.lines, more = _by_line(report["findings"], stored=can_be_stored)
    made.more_lines = more
    made.begin_with = made.lines[0].number if len(made.lines) > MANY_LINES else None
    counts = {kind: sum(row["kind"] == kind for row in report["findings"]) for kind in KIND}
    made.counts = ", ".join(f"{KIND[kind][1]}: {number}" for kind, number in counts.items() if number) + "."


_GRAVITY = ("impossible", "form", "irregular", "observed")


def _by_line(rows: Sequence[Mapping[str, Any]], *, stored: bool) -> tuple[list[LineFindings], int]:
    """Return findings grouped by the line they are about, and how many lines are left out."""
    groups = [list(group) for _key, group in groupby(folded(rows), key=lambda row: (row["line"], row["seq"]))]
    made = []
    for group in groups[:MOST_LINES]:
        first = group[0]
        kind = min((row["kind"] for row in group), key=_GRAVITY.index)
        followers = [one for row in group for one in row["followers"]]
        made.append(
            LineFindings(
                first["line"],
                first["seq"],
                first.get("stored_seq") if stored else None,
                first["type"],
                first["seat"],
                kind,
                list(group),
                followers,
            )
        )
    return made, max(0, len(groups) - MOST_LINES)


def _alerts(made: Card, report: Mapping[str, Any], viewer: Person) -> None:
    """Say what has become of the file, or what stands against recording it."""
    found, alerts = made.upload, made.alerts
    match_url = reverse("match-detail", args=[found.match_id]) if found.match_id else ""
    if found.state == Upload.State.RECORDED and found.match_id:
        status = Match.objects.filter(pk=found.match_id).values_list("status", flat=True).first()
        if status == Match.Status.CONFIRMED:
            title, text = _("Recorded and confirmed"), _("The match is in the log and counts.")
            made.status = ""
        else:
            title, text = _("Recorded"), _("The match is in the log; it counts once its placements are confirmed.")
        alerts.append(Alert("vert", title, text, url=match_url, action=_("Open the match")))
        return
    if found.state == Upload.State.HELD:
        text = (
            _("Sent by %(name)s.") % {"name": visible_name(found.by, viewer)}
            if found.by_id != viewer.pk
            else _("The referees of its scope decide.")
        )
        alerts.append(Alert("or", _("Held for the referees"), f"{text} {found.reason}".strip()))
    if report["again"]:
        text = _("The same match with the same content is in the log. Nothing is stored twice.")
        alerts.append(
            Alert("azure", _("This match is recorded already"), text, url=match_url, action=_("Open the match"))
        )
        return
    if report["different"] is not None:
        made.difference = report["different"]
        text = _(
            "The match of this file is in the log with other content. A recorded match is never overwritten: what is wrong is voided or amended there by a referee."
        )
        if not report["different"]:
            text += " " + _("The difference is shown only to those who may correct the match.")
        alerts.append(
            Alert(
                "gules",
                _("Another version of this match is recorded"),
                text,
                url=match_url,
                action=_("Open the match"),
                role="alert",
            )
        )
        if report["different"]:
            made.correct_url = f"{match_url}#acts"
        return
    if report.get("note"):
        alerts.append(Alert("or", _("No such league"), report["note"]))
    if report.get("held"):
        text = _(
            "The table counted an outcome otherwise than it is computed. The computed one stands, the table's count is kept; once the file is recorded, a referee decides on the page of the match, and only then can the result be confirmed."
        )
        alerts.append(Alert("or", _("Held for the referee: counts that differ"), text))
    may = report["may"]
    if not (may["record"] or may["accept"] or may["hold"]):
        text = _(
            "What is marked impossible or as a breach of form must be put right in the file first. Then send it again."
        )
        alerts.append(Alert("gules", _("Nothing of this file can be stored as it is"), text))
    elif may["accept"]:
        text = _(
            "A rule forbids some lines, but the table could really have done them. You may let them stand, with a reason that goes into the log."
        )
        alerts.append(Alert("or", _("Irregular lines"), text))
    elif may["hold"] and any(row["kind"] == "irregular" for row in report["findings"]):
        text = _(
            "A rule forbids some lines, but the table could really have done them. A referee may let them stand: correct the file, or send it to the referees."
        )
        alerts.append(Alert("or", _("Irregular lines"), text))
    elif may["hold"]:
        alerts.append(
            Alert(
                "or",
                _("You may not record this yourself"),
                _("Send the file to the referees, or leave out what is not yours to record."),
            )
        )


def _acts(made: Card, report: Mapping[str, Any], viewer: Person, links: Mapping[str, str]) -> None:
    """Fill in what the viewer may do with the file, and who sits where."""
    may, found = report["may"], made.upload
    buttons = []
    if may["record"]:
        buttons.append(
            Button("record", _("Accept these lines and record") if may["accept"] else _("Record"), quiet=may["confirm"])
        )
    if may["confirm"]:
        buttons.insert(
            0, Button("confirm", _("Accept, record and confirm") if may["accept"] else _("Record and confirm"))
        )
    if may["hold"] and found.state == Upload.State.CHECKED and found.by_id == viewer.pk:
        buttons.append(Button("hold", _("Send to the referees")))
    if may["accept"]:
        made.asks_reason, made.reason_label = True, _("Why these lines stand")
        made.reason_help = _("Goes into the log with the entry that accepts them.")
    elif may["hold"] and found.state == Upload.State.CHECKED:
        made.asks_reason, made.reason_label = True, _("Message to the referees")
        made.reason_help = _("Shown on their desk, with the file.")
    buttons.append(Button("drop", _("Discard the file"), quiet=True))
    made.buttons = buttons
    if may["record"]:
        made.seats = _seat_rows(made, report, viewer, links)


def _seat_rows(made: Card, report: Mapping[str, Any], viewer: Person, links: Mapping[str, str]) -> list[SeatRow]:
    """Return who sits where: a handle of the file is settled, for the others somebody is picked."""
    open_seats = [row for row in report["seats"] if not (row["handle"] and row["person"])]
    known: list[tuple[str, str]] = []
    if open_seats:
        circle = report["league"]
        place = seating.Where(None, (SITE,))
        if circle:
            place = seating.Where(circles.find(circle["id"]), (f"league:{circle['id']}", SITE))
        persons = list(seating.pickable(place, by=viewer)[:1000])
        names = visible_names(persons, viewer)
        known = [
            (
                str(one.pk),
                f"{names[one.pk]} (@{one.handle})"
                if one.handle and names[one.pk] == one.display_name
                else names[one.pk],
            )
            for one in persons
        ]
    rows = []
    for row in report["seats"]:
        sheet = row["name"] or _("Seat %(seat)s") % {"seat": row["seat"]}
        field_id = f"seat-{made.upload.pk}-{row['seat']}"
        if row["handle"] and row["person"]:
            choices = [("", _("@%(handle)s, by the handle in the file") % {"handle": row["handle"].removeprefix("@")})]
            note = "" if report["league"] else _("Counts for their career once they have signed.")
            rows.append(SeatRow(row["seat"], sheet, field_id, choices, "", note))
            continue
        choices = [(seating.GUEST, _("A new guest, “%(name)s”") % {"name": sheet}), *known]
        rows.append(SeatRow(row["seat"], sheet, field_id, choices, links.get(row["seat"], seating.GUEST), row["note"]))
    return rows
