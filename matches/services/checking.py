"""Looking at a file before anything of it is stored: is it a log, do its lines hold, may whoever sent it do what it says."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Set
from datetime import timedelta
from typing import Any
from unicodedata import bidirectional
from uuid import UUID, uuid5

import msgspec
import psycopg
from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from msgspec.structs import replace

from matches import counts, jobs, log, scheduled, seating, selectors, sight, stored, telling, texts
from matches.acts import CLAIMS, Standing, action_of
from matches.log import Head
from matches.models import Match, Upload
from matches.seating import Place, Where
from matches.services import restoring
from people import circles, rights
from people.models import Person
from people.selectors import visible_names
from rulesengine import notation, registry
from rulesengine import replay as engine
from rulesengine import sight as engine_sight
from rulesengine.log import MAX_BYTES, Header, Line, Log, Unreadable

LARGE = 5_000
LARGE_BYTES = 4 * 1024 * 1024
MAX_NAME = 120
MAX_TITLE = 300
RESERVED = frozenset({"tournament_id"})  # a match's scopes hang on it
KEPT_FOR = timedelta(days=7)
MOST_DIFFERENCES = 100
MOST_FINDINGS = 2_000
MOST_REMEMBERED = 8
MOST_SECONDS = 60
"""How long a file may be replayed for its check: a file of 200,000 events of play takes a tenth of it."""


class Examined(msgspec.Struct):
    """A file as it was read: the log, what the engine says, where and by whom it was played, and what is wrong with it for the site.

    `again` is the match if it is recorded with the same content, `different` what differs if with other content.
    """

    log: Log
    header: Header
    match_id: UUID
    report: engine.Report
    stored: Log
    seqs: Mapping[int, int]
    where: Where
    places: list[Place]
    standing: Standing
    findings: list[dict[str, Any]]
    again: Match | None = None
    head: Head | None = None
    different: list[dict[str, Any]] | None = None

    @property
    def irregular(self) -> list[int]:
        """Return the file's seqs of the lines that a rule refuses though the table could do them."""
        return [row["seq"] for row in self.findings if row["kind"] == "irregular"]

    @property
    def blocked(self) -> bool:
        """Return whether nothing of the file can be stored, whoever asks."""
        return bool(self.blocking)

    @property
    def blocking(self) -> list[dict[str, Any]]:
        """Return the findings that stand against storing anything; one that follows from an irregular line falls with it."""
        return [
            row
            for row in self.findings
            if row["kind"] in ("impossible", "form") and not row["right"] and row["follows"] is None
        ]

    def replay(self) -> engine.Replay:
        """Return the replay of the log as it is stored."""
        told = self.report.replay
        if (
            len(self.stored.lines) != len(self.log.lines)
            or not (told.carried or not self.log.lines)
            or told.amended.get(0)
        ):
            return engine.run(self.stored)
        return replace(told, log=self.stored, header=self.header)

    @property
    def rights(self) -> list[dict[str, Any]]:
        """Return the findings that are none for somebody with more rights."""
        return [row for row in self.findings if row["right"]]


def examine(
    raw: bytes,
    name: str,
    *,
    by: Person,
    opener: Person | None = None,
    links: Mapping[str, str] | None = None,
    league: UUID | None = None,
    table: UUID | None = None,
    step: jobs.Step | None = None,
) -> Examined:
    """Return what a file is and what is wrong with it. Nothing is stored.

    :param by: who asks for it to be recorded
    :param opener: who sent it, where that is somebody else
    :param links: who sits where, as the recorder picked: seat → id of a person, or `guest`
    :param league: where it was played, if the file names no league
    :param table: the match of the table that it was played at, if the file names no tournament
    :raises Unreadable: if it is no log at all, or of a game or edition that nobody here knows
    """
    step = step or (lambda done, total: None)
    told = _read(raw, name, step)
    whole, header, match_id, report, stripped, seqs = (
        told.whole,
        told.header,
        told.match_id,
        told.report,
        told.stored,
        told.seqs,
    )
    exported = told.exported
    header = _placed(header, match_id, league, table)
    waiting = scheduled.of_header(header, match_id)
    if waiting is not None:
        if told.whole.header.id is None:
            match_id = waiting.match_id
        context = {key: value for key, value in header.context.items() if key not in RESERVED or exported is None}
        header = replace(header, id=str(match_id), context={**context, **waiting.context})
    stripped = replace(stripped, header=header)
    place = seating.where(header, match_id, waiting)
    places = seating.places(header, place, by=by, links=links)
    standing = seating.standing_new(header, place, by=by, found=places)
    standing.opened = opener is None or opener.pk == by.pk
    findings = _engine_rows(report, seqs)
    found = Examined(whole, header, match_id, report, stripped, seqs, place, places, standing, findings)
    _compare(found)
    if found.again is None and found.different is None:
        findings += _site_findings(found)
    if exported is not None or any(line.hash for line in whole.lines[:1]):
        findings += _export_findings(found, exported, told.parsed)
    findings.sort(key=lambda row: (row["line"] or 0, row["seq"] or 0))
    return found


def examine_upload(
    upload: Upload, *, by: Person, links: Mapping[str, str] | None = None, step: jobs.Step | None = None
) -> Examined:
    """Return what the file of an upload is, as it would be recorded by `by`. Parameters and errors are those of :func:`examine`."""
    return examine(
        bytes(upload.raw),
        upload.name,
        by=by,
        opener=upload.by,
        links=links,
        league=upload.league,
        table=upload.table,
        step=step,
    )


def _placed(header: Header, match_id: UUID, league: UUID | None, table: UUID | None) -> Header:
    """Return the header with the league chosen for a file that names none; once the match is recorded, with the match's."""
    if table is not None and "tournament" not in header.context and (waiting := scheduled.find(table)) is not None:
        return replace(header, context={**header.context, **waiting.context})
    if "league" in header.context:
        return header
    recorded = Match.objects.filter(pk=match_id).values_list("context", flat=True).first()
    if recorded is not None:
        key = recorded.get("league")
    else:
        circle = circles.find(str(league)) if league is not None else None
        key = circle.key if circle is not None else None
    return replace(header, context={**header.context, "league": key}) if key else header


class _Told(msgspec.Struct, frozen=True):
    """What a file says of itself and the engine of it: the same for ever, whoever asks."""

    parsed: Log
    whole: Log
    header: Header
    exported: dict[str, Any] | None
    match_id: UUID
    report: engine.Report
    stored: Log
    seqs: Mapping[int, int]


_read_lately: OrderedDict[tuple[bytes, str], _Told] = OrderedDict()
_lock = threading.Lock()


def _read(raw: bytes, name: str, step: jobs.Step) -> _Told:
    """Return what a file says. The files of the last moments are remembered: most are recorded right after they were checked."""
    key = (hashlib.sha256(raw).digest(), name)
    with _lock:
        if key in _read_lately:
            return _read_lately[key]
    parsed = notation.parse(raw, name=name)
    total = max(len(parsed.lines), 1)
    step(total // 4, total)
    header, exported = stored.without_export(parsed.header)
    ruleset = registry.ruleset_of(header)
    whole = replace(parsed, header=header)
    small = total <= LARGE and len(raw) <= LARGE_BYTES
    report = engine.report(whole, keep=small, tick=_watch(step, total))
    step(total * 3 // 4, total)
    match_id = notation.match_id(whole)
    if whole.header.id is None and report.replay.status == "running" and engine_sight.hides(ruleset):
        # What follows from the content alone could be computed by whoever guesses what is hidden in it.
        match_id = uuid5(match_id, salted_hmac("matches.id", str(match_id), algorithm="sha256").hexdigest())
    header = replace(header, id=str(match_id))
    if header.depth == "log":
        header = replace(header, rules=ruleset.edition.key)
    stripped, seqs = engine.strip(whole)
    stripped = replace(stripped, header=header)
    told = _Told(parsed, whole, header, exported, match_id, report, stripped, seqs)
    step(total, total)
    if small:
        with _lock:
            _read_lately[key] = told
            while len(_read_lately) > MOST_REMEMBERED:
                _read_lately.popitem(last=False)
    return told


def _watch(step: jobs.Step, total: int) -> Callable[[int], None]:
    """Return what a replay calls now and then: it tells how far the check is, and ends one that would hold up all others."""
    began = time.thread_time()

    def tick(done: int) -> None:
        step(total // 4 + done // 2, total)
        if time.thread_time() - began > MOST_SECONDS:
            text = _(
                "After %(seconds)s seconds of replaying, the check was given up at event %(done)s of %(total)s. Split the file."
            )
            raise Unreadable(text % {"seconds": MOST_SECONDS, "done": done, "total": total})

    return tick


def _engine_rows(report: engine.Report, seqs: Mapping[int, int]) -> list[dict[str, Any]]:
    """Return what the engine found, with what the site adds to it."""
    rows = []
    for one in report.findings:
        row = {**one.as_json(), "stored_seq": seqs.get(one.seq) if one.seq is not None else None, "right": False}
        rows.append({**row, "compared": [list(figure) for figure in one.compared]} if one.compared else row)
    return rows


def _row(
    message: str, line: Line | None = None, *, kind: str = "form", right: bool = False, found: Examined | None = None
) -> dict[str, Any]:
    return {
        "line": line.number if line else None, "seq": line.seq if line else None, "type": line.type if line else None,
        "seat": line.seat if line else None, "kind": kind, "rule": None, "message": message, "follows": None, "nearest": None,
        "stored_seq": found.seqs.get(line.seq) if found and line else None, "right": right,
    }  # fmt: skip


def _site_findings(found: Examined) -> list[dict[str, Any]]:
    """Return what the site has against a file that is not recorded yet."""
    rows = []
    head = found.head
    if head is not None and head.kind != "match":
        rows.append(
            _row(
                _(
                    "The id %(id)s in the header is that of a %(kind)s, not of a match; give the match another id, or leave it out."
                )
                % {"id": found.match_id, "kind": head.kind}
            )
        )
    elif Person.objects.filter(pk=found.match_id).exists():
        message = _(
            "The id %(id)s in the header is that of a person, not of a match; give the match another id, or leave it out."
        )
        rows.append(_row(message % {"id": found.match_id}))
    for key in RESERVED & found.header.context.keys():
        message = _("The context has the key “%(key)s”, which the site gives itself; leave it out.")
        rows.append(_row(message % {"key": key}))
    letters, amended = ({seat.seat for seat in one.seats} for one in (found.header, found.report.replay.header))
    if letters != amended:
        message = _(
            "The set-up is amended to other seats (%(seats)s); send the file with the right seats in its header."
        )
        rows.append(_row(message % {"seats": ", ".join(sorted(amended))}))
    for what, text, most in _names(found.header):
        if len(text) > most:
            message = _("%(what)s “%(text)s…” has %(length)s characters; at most %(most)s are kept. Shorten it.")
            rows.append(_row(message % {"what": what, "text": text[:40], "length": len(text), "most": most}))
        turned = sorted({f"U+{ord(sign):04X}" for sign in text if bidirectional(sign) in TURNS})
        if turned:
            message = _(
                "%(what)s has invisible characters that turn the writing around (%(signs)s); what stands beside it would be "
                "read backwards. Write it without them."
            )
            rows.append(_row(message % {"what": what, "signs": ", ".join(turned)}))
    rows += _unplaceable(found)
    seen: dict[UUID, str] = {}
    for place in found.places:
        if place.person is not None:
            other = seen.setdefault(place.person.pk, place.letter)
            if other != place.letter:
                rows.append(
                    _row(
                        _(
                            "Seats %(first)s and %(second)s are the same person; one person has one seat. Put the handles right."
                        )
                        % {"first": other, "second": place.letter}
                    )
                )
    rows += _paired(found)
    if not found.standing.may("record"):
        rows.append(_row(_("Recording a match here is for: %(who)s.") % {"who": rights.who_may("record")}, right=True))
    rows += _rights(found)
    rows += _foreign_ids(found)
    return rows


def _paired(found: Examined) -> list[dict[str, Any]]:
    """Return in what a file is another match than the one that was paired for its table: that is the organizer's to decide."""
    table = found.where.table
    if table is None:
        return []
    where = {"where": table.title}
    rows = []
    if found.match_id != table.match_id:
        message = _(
            "%(where)s waits for the match %(expected)s; the file says that it is %(id)s. Leave the id out of its header if it is "
            "this match, or ask the organizer."
        )
        rows.append(_row(message % {**where, "expected": table.match_id, "id": found.match_id}))
    if found.header.game != table.game:
        message = _("%(where)s plays %(expected)s; the file is a match of %(game)s.")
        rows.append(_row(message % {**where, "expected": table.game, "game": found.header.game}))
    seated = {one.head.pk for one in table.seats}
    sat = [one for one in found.places if one.person is not None and one.person.head.pk not in seated]
    if sat or len(found.places) != len(table.seats):
        message = _(
            "%(where)s was paired for %(expected)s; the file seats %(found)s. If others played, the organizer changes the pairing "
            "first."
        )
        known = visible_names(table.seats, found.standing.person)
        names = ", ".join(known[one.pk] for one in table.seats)
        said = ", ".join(one.handle or one.sheet_name or one.letter for one in found.places)
        rows.append(_row(message % {**where, "expected": names, "found": said}))
    return rows


TURNS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Bidirectional classes of characters that set the direction of what follows; letters of any script have others."""


def _names(header: Header) -> list[tuple[str, str, int]]:
    """Return the names of a header: what each is, the name, and how many characters the site keeps."""
    seats = [(_("The name of seat %(seat)s") % {"seat": one.seat}, one.name, MAX_NAME) for one in header.seats]
    officials = [(_("The name of an official"), one.name, MAX_NAME) for one in header.officials]
    return [*seats, *officials, (_("The title"), header.title or "", MAX_TITLE)]


def _unplaceable(found: Examined) -> list[dict[str, Any]]:
    """Return where free texts stand so that they could not lie beside the log: only what is not of fixed form can hold such."""
    rows = []
    try:
        stored.header_entry(found.header, {}, [None] * len(found.header.officials))
    except texts.Unplaceable as error:
        rows.append(_row(str(error)))
    for line in found.stored.lines:
        if line.type == "event_amended":
            try:
                stored.entry_of(line, found.header.timezone)
            except texts.Unplaceable as error:
                rows.append(_row(str(error), line, found=found))
    return rows


def _rights(found: Examined) -> list[dict[str, Any]]:
    """Return the lines whose act whoever asks may not do here. A line is no proof of a role, whatever it claims."""
    rows = []
    game = found.header.game
    for line in found.stored.lines:
        if found.standing.may_write(line, game):
            continue
        action = action_of(line, game)
        if action == "sign":
            message = _(
                "A signature in a file does not count: each player signs the result on the page of the match. Leave the line out."
            )
        else:
            claim = CLAIMS.get(line.acting_as or "")
            if found.standing.may(action) and claim is not None:
                action = claim
            message = _(
                "You may not record this: “%(act)s” is for %(who)s. What the line says of itself gives no rights. Hold the file for them, or leave the line out."
            ) % {"act": rights.ACTION_NAMES[action], "who": rights.who_may(action)}
        number = _file_seq(found, line.seq)
        rows.append(
            {**_row(message, found.log.lines[number - 1] if number else None, found=found), "right": action != "sign"}
        )
    return rows


def _file_seq(found: Examined, seq: int) -> int | None:
    """Return where a stored line stands in the file: its index + 1."""
    if len(found.stored.lines) == len(found.log.lines):
        return seq
    back = {to: of for of, to in found.seqs.items()}
    wanted = back.get(seq)
    return next((number for number, line in enumerate(found.log.lines, 1) if line.seq == wanted), None)


def _foreign_ids(found: Examined) -> list[dict[str, Any]]:
    """Return the lines whose ids belong to entries of other streams."""
    by_id = {UUID(line.id): line for line in found.log.lines if line.id}
    if not by_id:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "select event_id, stream, seq from matches_event where event_id = any(%s) and stream <> %s order by position limit 50",
            [list(by_id), found.match_id],
        )
        there = cursor.fetchall()
    return [
        _row(
            _(
                "The id %(id)s belongs to entry %(seq)s of another match (%(match)s); an id belongs to one entry. Leave it out, or give this entry its own."
            )
            % {"id": event_id, "seq": seq, "match": stream},
            by_id[event_id],
            found=found,
        )
        for event_id, stream, seq in there
    ]


def _export_findings(found: Examined, exported: Mapping[str, Any] | None, parsed: Log) -> list[dict[str, Any]]:
    """Return what is wrong with the hashes that an exported file carries. They are compared, never used."""
    try:
        broken = restoring.broken_link(parsed, exported)
    except restoring.NoExport:
        return []
    if broken is None and found.again is not None and sight.of(found.again, found.standing.person).whole:
        hashes = {row.seq: row.hash.hex() for row in log.read(found.again.pk)}
        broken = next((line.seq for line in parsed.lines if line.hash and line.hash != hashes.get(line.seq)), None)
    if broken is None:
        return []
    line = next((line for line in parsed.lines if line.seq == broken), None)
    return [
        _row(
            _(
                "The hash here does not fit: this entry, or one before it, was changed after the file was exported. The hash is ignored."
            ),
            line,
            kind="observed",
            found=found,
        )
    ]


# The same match again -----------------------------------------------------------------------------------------------


def _compare(found: Examined) -> None:
    """Find out whether the match is recorded already, with the same or with other content.

    Entries that are hidden from whoever asks are not compared: otherwise a file would be a guess, and its report would say whether
    the guess was right.
    """
    found.head = log.head(found.match_id)
    if found.head is None or found.head.kind != "match":
        return
    match = Match.objects.get(pk=found.match_id)
    recorded = selectors.match_log(match)
    seen = sight.of(match, found.standing.person)
    hidden = {line.seq for line in recorded.lines if seen.hides([line.seq])}
    rows = difference(recorded, found.stored, names=selectors.names_of(match), hidden=hidden)
    if rows:
        found.different = rows
    else:
        found.again = match


def difference(
    recorded: Log, file: Log, *, names: Mapping[str, set[str]] | None = None, hidden: Set[int] = frozenset()
) -> list[dict[str, Any]]:
    """Return what differs between a recorded match and a file of it, as rows of where, recorded and uploaded; empty if nothing.

    :param names: by seat under which names a file may know who sits there
    :param hidden: seqs of recorded entries that are not compared

    Entries that the site has after the file's last (a confirmation, corrections) do not differ.
    """
    rows = []
    ours, theirs = _header_rows(recorded.header), _header_rows(file.header)
    for mine, seat in zip(ours["seats"], theirs["seats"], strict=False):
        if seat[0] == mine[0] and seat[1] in (names or {}).get(seat[0], ()):
            seat[1] = mine[1]  # a file may know somebody as this site shows them
    for key in ours:
        if ours[key] != theirs[key]:
            rows.append(_different(key, ours[key], theirs[key]))
    zone = recorded.header.timezone
    for number, line in enumerate(file.lines):
        have = recorded.lines[number] if number < len(recorded.lines) else None
        if have is not None and have.seq in hidden:
            continue
        if have is None or _said(have, zone) != _said(line, zone):
            rows.append(_different(line.seq, _words(have), _words(line)))
            if len(rows) >= MOST_DIFFERENCES:
                break
    return rows


def _header_rows(header: Header) -> dict[str, Any]:
    return {
        "game": header.game,
        "rules": header.rules,
        "depth": header.depth,
        "played_on": header.played_on,
        "timezone": header.timezone,
        "title": header.title,
        "options": header.options,
        "context": {key: value for key, value in header.context.items() if key not in RESERVED},
        "seats": [
            [seat.seat, seat.name, seat.kingdom, seat.colour, seat.custom_pieces, seat.general, seat.king_level]
            for seat in header.seats
        ],
        "officials": [one.role for one in header.officials],
    }


def _said(line: Line, zone: str) -> tuple[Any, ...]:
    return (
        line.type,
        line.seat,
        line.acting_as,
        stored.moment_of(line.at, zone),
        line.note or None,
        log.canonical_data(line.data),
    )


def _different(where: str | int, recorded: Any, uploaded: Any) -> dict[str, Any]:
    return {"where": where, "recorded": recorded, "uploaded": uploaded}


def _words(line: Line | None) -> dict[str, Any] | None:
    if line is None:
        return None
    words = {
        "type": line.type,
        "seat": line.seat,
        "data": line.payload(),
        "as": line.acting_as,
        "at": line.at,
        "note": line.note,
    }
    return {key: value for key, value in words.items() if value not in (None, {})}


# Uploads ------------------------------------------------------------------------------------------------------------


def upload_check(
    *, by: Person, name: str, raw: bytes, wait: bool = True, league: UUID | None = None, table: UUID | None = None
) -> Upload:
    """Look at a file and return the upload with its report. Nothing of it is in the log, whatever the report says.

    :param league: where it was played, if the file names no league
    :param table: the match of the table that it was played at, if the file names no tournament
    :param wait: False checks a file of more than 5,000 lines or 4 MiB in a job: the report is None until it is done
    """
    large = len(raw) > MAX_BYTES
    upload = Upload(
        by=by,
        name=clean_name(name),
        sha256=hashlib.sha256(raw).hexdigest(),
        raw=b"" if large else raw,
        expires_at=timezone.now() + KEPT_FOR,
        league=league,
        table=table,
    )
    lines = raw.count(b"\n")
    if wait or large or (lines <= LARGE and len(raw) <= LARGE_BYTES):
        _report(upload, raw)
        upload.save()
        return upload
    upload.raw = b""
    with transaction.atomic():
        upload.job = jobs.enqueue("upload_check", {"upload": str(upload.pk)}, total=lines)
        upload.save()
        # As it is: in the text of a statement, as the ORM sends it, a large file would take many times its room.
        psycopg.Cursor(connection.connection).execute(
            "update matches_upload set raw = %b where id = %s", [raw, upload.pk]
        )
    del upload.raw  # read again only if somebody asks for it
    return upload


def upload_recheck(*, upload: Upload, by: Person | None = None, links: Mapping[str, str] | None = None) -> Upload:
    """Look at an upload's file again, as it would be for `by`, and return it with the new report."""
    _report(upload, bytes(upload.raw), by=by, links=links)
    upload.save(update_fields=["report", "match_id", "league", "scope"])
    return upload


@jobs.handler("upload_check")
def _check_job(payload: dict[str, Any], step: jobs.Step) -> None:
    upload = Upload.objects.select_related("by").filter(pk=payload["upload"], state=Upload.State.CHECKED).first()
    if upload is None:
        return
    _report(upload, bytes(upload.raw), step=step)
    upload.save(update_fields=["report", "match_id", "league", "scope"])
    telling.upload_checked(upload)


def clean_name(name: str) -> str:
    """Return the name of a file without its folders and without what cannot be shown."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(sign for sign in last if sign.isprintable())[:200] or "log"


def _report(
    upload: Upload,
    raw: bytes,
    *,
    by: Person | None = None,
    links: Mapping[str, str] | None = None,
    step: jobs.Step | None = None,
) -> None:
    """Fill in an upload's report and what match it is."""
    try:
        found = examine(
            raw,
            upload.name,
            by=by or upload.by,
            opener=upload.by,
            links=links,
            league=upload.league,
            table=upload.table,
            step=step,
        )
    except Unreadable as error:
        upload.report = unreadable(upload.name, error.message, error.number)
        return
    upload.match_id = found.match_id
    upload.league = found.where.circle.id if found.where.circle else None
    upload.scope = found.where.circle.scope if found.where.circle else rights.SITE
    upload.report = report_json(found)


def report_for(upload: Upload, viewer: Person, *, links: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """Return the report of an upload as it is for a viewer: what it says of rights, and what of a running match, is for whoever asks.

    A pick (see :func:`examine`) of somebody who cannot be picked is as none.
    """
    if upload.by_id == viewer.pk or upload.report is None or upload.report["unreadable"] is not None:
        return upload.report
    try:
        found = examine_upload(upload, by=viewer, links=links)
    except ValueError:
        if not links:
            raise
        return report_for(upload, viewer)
    eyes = sight.eyes_of_file(found.header, found.standing.seats, viewer)
    if eyes != sight.OFFICIAL:
        report = engine_sight.report(engine.report(found.log, keep=True), eyes)
        found.report = report
        found.findings = _engine_rows(report, found.seqs) + found.rights
    return report_json(found)


def unreadable(name: str, message: str, number: int | None = None) -> dict[str, Any]:
    """Return the report of a file that is no log."""
    row = _row(message)
    row["line"] = number
    return {
        "log": name, "game": None, "edition": None, "events": 0, "accepted": 0, "findings": [row], "status": None, "placements": [],
        "result": None, "unreadable": message, "match": None, "again": False, "different": None, "seats": [], "league": None,
        "may": {"record": False, "accept": False, "confirm": False, "hold": False},
    }  # fmt: skip


def report_json(found: Examined) -> dict[str, Any]:
    """Return the report of `check --json` with what the site adds to it.

    `findings` rows also have `stored_seq` (the entry's number once stored), `right` (true: for somebody with more rights it is
    none) and, where the table counted an outcome otherwise, `compared` (rows of figure, table's count, computed). Further keys:
    `held` (seqs of such entries that a referee decides on once the file is recorded), `unreadable` (null, or why), `match` (id), `again` (recorded with the same content), `different` (null, or
    rows of where, recorded and uploaded, for those who may correct), `renumbered`, `seats`, `league`, `note`, `played_on`, `title`,
    `may` (what whoever asked may do with the file: record, accept, confirm, hold).
    """
    base = found.report.as_json()
    standing = found.standing
    fresh = found.again is None and found.different is None
    if found.different is not None:
        recorded = Match.objects.get(pk=found.match_id)
        allowed = seating.standing(recorded, standing.person).may("correct")
        different: list[dict[str, Any]] | None = found.different if allowed else []
    else:
        different = None
    open_ = fresh and not found.blocked
    irregular = bool(found.irregular)
    can_record = (
        open_ and standing.may("record") and not found.rights and (not irregular or standing.may("accept_irregular"))
    )
    findings = found.findings
    return {
        **base,
        "findings": findings[:MOST_FINDINGS],
        "more_findings": max(0, len(findings) - MOST_FINDINGS),
        "unreadable": None,
        "match": str(found.match_id),
        "again": found.again is not None,
        "different": different,
        "renumbered": any(of != to for of, to in found.seqs.items()) or len(found.stored.lines) != len(found.log.lines),
        "seats": [
            {
                "seat": one.letter, "name": one.sheet_name, "handle": one.handle, "person": str(one.person.pk) if one.person else None,
                "linked": one.linked, "note": one.note,
            }
            for one in found.places
        ],
        "league": {"id": str(found.where.circle.id), "key": found.where.circle.key, "name": found.where.circle.name}
        if found.where.circle
        else None,
        "note": found.where.note,
        "held": [one.seq for one in counts.open_in(found.report.replay)],
        "played_on": found.header.played_on,
        "title": found.header.title,
        "may": {
            "record": can_record,
            "accept": open_ and irregular and standing.may("accept_irregular"),
            "confirm": can_record
            and found.report.replay.status == "ended"
            and not counts.open_in(found.report.replay)
            and standing.may("confirm"),
            "hold": open_ and not can_record,
        },
    }  # fmt: skip


def first_problem(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the first of some findings as a sentence."""
    row = next(iter(rows), None)
    if row is None:
        return ""
    where = _("line %(line)s: ") % {"line": row["line"]} if row["line"] else ""
    return f"{where}{row['rule'] + ': ' if row['rule'] else ''}{row['message']}"
