"""The hall: the projector's page, what is printed and put up, and the files that can be taken home."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

import segno
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from msgspec import Struct

from league.directing import engines, report, tables, words
from league.directing.selectors import tournament_of
from league.directing.shown import Shown, SitOut, Sitter, TableLine, Who
from league.models import Tournament
from league.tournament.field import Field, Kind, Row
from league.tournament.pairing import elimination
from league.tournament.reducer import Round, Stage, Table
from league.tournament.tiebreaks.book import exact
from people.selectors import viewer_of

SLIPS = (1, 2, 3, 4, 6, 8)
MOST_QUEUES = 6
POLL_SECONDS = 15
STANDINGS_ON_THE_WALL = 100
TABLES_ON_THE_WALL = 8


# What is asked for --------------------------------------------------------------------------------------------------


def number_of(request: HttpRequest, key: str) -> int | None:
    """Return a whole number of the query, None if it is not there.

    :raises Http404: for something else
    """
    said = request.GET.get(key, "")
    if not said:
        return None
    if not re.fullmatch(r"[0-9]{1,7}", said):
        raise Http404(_("“%(value)s” is no number.") % {"value": said[:40]})
    return int(said)


def shown_of(request: HttpRequest, slug: str) -> Shown:
    """Return a tournament as the reader may see it, as of the entry that `at` names."""
    return Shown(tournament_of(slug), viewer_of(request), at=number_of(request, "at"))


def stage_of(request: HttpRequest, shown: Shown) -> Stage:
    """Return the stage that `stage` names (from 1), or the latest that has begun.

    :raises Http404: if it has not begun
    """
    stage = shown.stage(number_of(request, "stage"))
    if stage is None or not stage.has_begun:
        raise Http404(_("This stage has not begun."))
    return stage


def round_of(request: HttpRequest, shown: Shown, stage: Stage) -> Round:
    """Return the round that `round` names, or the last one that the reader may see.

    :raises Http404: if there is none, or it is not published for this reader
    """
    wanted = number_of(request, "round")
    seen = shown.rounds(stage)
    found = next((one for one in seen if wanted in (None, one.number)), None)
    if found is None:
        raise Http404(_("This round is not published."))
    return found


def page_of(tournament: Tournament, *parts: str) -> str:
    """Return the address of a page of the tournament: `page_of(it, "me")`."""
    hall = reverse("tournament-hall", args=[tournament.slug])
    return "/".join([hall.removesuffix("/").removesuffix("/hall"), *parts])


# Lists of the wall --------------------------------------------------------------------------------------------------


class SurnameLine(Struct, frozen=True):
    """Where somebody goes: the table with those who sit there as well, or the word for having none."""

    who: Who
    line: TableLine | None = None
    sitter: Sitter | None = None
    out: SitOut | None = None

    @property
    def table(self) -> int | None:
        """Return the number of the table."""
        return self.line.number if self.line is not None else None

    @property
    def others(self) -> tuple[str, ...]:
        """Return the names of those who sit there as well."""
        seated = self.line.sitters if self.line is not None else ()
        return tuple(one.who.name for one in seated if one is not self.sitter)

    @property
    def word(self) -> str:
        """Return the word for having no table."""
        return self.out.kind if self.out is not None else ""


class Queue(Struct, frozen=True):
    """A part of the list by surname that has a queue of its own, with its first and last letters."""

    first: str
    last: str
    lines: tuple[SurnameLine, ...]

    @property
    def title(self) -> str:
        """Return the letters: "A – K"."""
        return self.first if self.first == self.last else f"{self.first} – {self.last}"


STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters that are not taken apart into a letter and a mark."""


def collated(text: str) -> str:
    """Return what a name is sorted by: without accents, whatever the case."""
    apart = unicodedata.normalize("NFKD", text.casefold()).translate(STROKES)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def letter_of(text: str) -> str:
    """Return under which letter a name stands, `#` for what begins with none."""
    found = next((sign for sign in collated(text) if sign.isalnum()), "")
    return found.upper() if found.isalpha() else "#"


def surname_lines(lines: Iterable[TableLine], byes: Iterable[SitOut]) -> list[SurnameLine]:
    """Return everybody of a round by surname."""
    told = [SurnameLine(sitter.who, line, sitter) for line in lines for sitter in line.sitters]
    told += [SurnameLine(one.who, out=one) for one in byes]
    return sorted(told, key=lambda one: (collated(one.who.sort), one.who.id))


def queues(lines: Sequence[SurnameLine], wanted: int) -> list[Queue]:
    """Return the list in so many parts of about the same length, cut between two letters: fewer if there are not so many letters."""
    letters = [(letter, tuple(part)) for letter, part in groupby(lines, key=lambda one: letter_of(one.who.sort))]
    ends: list[int] = []
    for at, (_letter, part) in enumerate(letters):
        ends.append((ends[at - 1] if at else 0) + len(part))
    cuts: list[int] = []
    for number in range(1, wanted):
        target = len(lines) * number / wanted
        open_ = range((cuts[-1] + 1) if cuts else 0, len(letters) - 1)
        if open_:
            cuts.append(min(open_, key=lambda at: abs(ends[at] - target)))
    made, start = [], 0
    for cut in [*cuts, len(letters) - 1] if letters else []:
        some = letters[start : cut + 1]
        made.append(Queue(some[0][0], some[-1][0], tuple(line for _letter, part in some for line in part)))
        start = cut + 1
    return made


def in_cut_order[T](items: Sequence[T], on_a_sheet: int) -> list[list[T | None]]:
    """Return sheets of so many items each: the stack of sheets cut into piles, and these laid on each other, is in order again."""
    sheets = -(-len(items) // on_a_sheet)
    return [
        [items[at] if (at := pile * sheets + sheet) < len(items) else None for pile in range(on_a_sheet)]
        for sheet in range(sheets)
    ]


class Clock(Struct, frozen=True):
    """The clock of a round, or of a table that has more time: what is left in server time, and whether it runs."""

    left: int
    now: str
    ends_at: str = ""
    until: str = ""

    @property
    def text(self) -> str:
        """Return what is left: "49:30", "1:05:00"."""
        hours, rest = divmod(self.left, 3600)
        minutes, seconds = divmod(rest, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def clock_of(round_: Round, *, now: datetime, zone: str, extra: int = 0) -> Clock | None:
    """Return how the clock of a round stands, with `extra` seconds of a table; None while none was set."""
    told = now.isoformat()
    if round_.ends_at is not None:
        until = datetime.fromisoformat(round_.ends_at) + timedelta(seconds=extra)
        left = max(int((until - now).total_seconds()), 0)
        return Clock(left, told, until.isoformat(), f"{until.astimezone(ZoneInfo(zone)):%H:%M}")
    if round_.seconds is not None:
        return Clock(round_.seconds + extra, told)
    return None


def qr(url: str) -> SafeString:
    """Return the QR code of an address as SVG, dark on light in every theme."""
    made = segno.make(url, error="m").svg_inline(omitsize=True, border=4, dark="#000", light="#fff", svgclass="qr-code")
    return mark_safe(made)  # noqa: S308 - made here, of squares


def check_in_is_open(shown: Shown, now: datetime) -> bool:
    """Return whether people check in at present: before the first round, inside the window if there is one."""
    state = shown.state
    if state.status != "open" or state.registration is None:
        return False
    begins, ends = state.registration.check_in_from, state.registration.check_in_until
    return (begins is None or datetime.fromisoformat(begins) <= now) and (
        ends is None or now <= datetime.fromisoformat(ends)
    )


# The projector ------------------------------------------------------------------------------------------------------


@require_GET
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the present round on the wall. It asks again by itself; as long as nothing has changed the answer is empty."""
    tournament = tournament_of(slug)
    if tournament.status != Tournament.Status.OPEN and request.GET.get("seen") == f"{tournament.seq}-0":
        return HttpResponse(status=204)
    shown, now = Shown(tournament, viewer_of(request)), timezone.now()
    checks_in = check_in_is_open(shown, now)
    mark = f"{shown.state.seq}-{int(checks_in)}"
    if request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    stage = shown.state.latest
    # On the wall everybody reads: what is not published does not stand there, whoever has signed in.
    round_ = stage.shown if stage is not None else None
    context: dict[str, Any] = {
        "tournament": tournament, "state": shown.state, "stage": stage, "round": round_, "mark": mark,
        "poll": POLL_SECONDS, "me_url": request.build_absolute_uri(page_of(tournament, "me")),
        "back": page_of(tournament),
    }  # fmt: skip
    context["me_qr"] = qr(context["me_url"])
    if checks_in:
        there = [one for one in shown.state.playing if one.checked_in]
        entrants = [shown.people[one.person] for one in shown.state.playing]
        checked = {one.person for one in there}
        context |= {
            "checked_in": len(there),
            "entrants": [(one, one.id in checked) for one in sorted(entrants, key=lambda one: collated(one.sort))],
        }
        if shown.may["pair"]:
            context["check_in_qr"] = qr(
                request.build_absolute_uri(page_of(tournament, "check-in", tournament.check_in_code))
            )
    if stage is not None and round_ is not None:
        context |= _wall(shown, stage, round_, now)
    template = "tournaments/hall.html" + ("#hall" if getattr(request, "htmx", False) else "")
    response = render(request, template, context)
    response["Cache-Control"] = "no-store"
    return response


def _wall(shown: Shown, stage: Stage, round_: Round, now: datetime) -> dict[str, Any]:
    zone = shown.state.timezone
    if stage.system == "elimination" and stage.is_closed:
        return {"places": _place_rows(shown, stage)[:STANDINGS_ON_THE_WALL]}
    if stage.system != "elimination" and (stage.is_closed or round_.is_complete):
        return {"standings": _standings(shown, stage)[:TABLES_ON_THE_WALL], "most": STANDINGS_ON_THE_WALL}
    lines, byes = shown.lines(stage, round_), shown.sitting_out(stage, round_)
    extended = {one.number: round_.tables[one.number].extension for one in lines if one.extension}
    return {
        "clock": clock_of(round_, now=now, zone=zone),
        "lines": [
            (line, clock_of(round_, now=now, zone=zone, extra=extended[line.number]) if line.number in extended else None)
            for line in lines
        ],
        "byes": byes_in_words(byes),
        "surnames": surname_lines(lines, byes),
        "open": len(round_.missing),
    }  # fmt: skip


def byes_in_words(byes: Iterable[SitOut]) -> list[tuple[Who, str]]:
    """Return who has no table, each with the word for it."""
    return [(one.who, one.kind) for one in byes]


# Paper --------------------------------------------------------------------------------------------------------------


@require_GET
def printed(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Show one of the lists of the wall, to be printed."""
    shown = shown_of(request, slug)
    stage = stage_of(request, shown)
    template, context = PRINTS[kind](request, shown, stage)
    context |= {
        "tournament": shown.tournament, "state": shown.state, "stage": stage, "kind": kind, "at": shown.at,
        "back": page_of(shown.tournament), "tabs": _tabs(shown, stage, kind), "now": timezone.now(),
        "stages": [one for one in shown.state.stages if one.has_begun], "zone": shown.state.timezone,
        "format": words.format_name(stage.settings),
    }  # fmt: skip
    return render(request, f"tournaments/{template}.html", context)


def _tabs(shown: Shown, stage: Stage, kind: str) -> list[tuple[str, str, bool]]:
    names = {
        "surname": _("By surname"), "tables": _("By table"), "slips": _("Result slips"), "standings": _("Standings"),
        "crosstable": _("Crosstable"), "bracket": _("Bracket"),
    }  # fmt: skip
    if stage.system != "elimination":
        del names["bracket"]
    number = f"?stage={stage.number + 1}"
    where = {one: reverse("tournament-print", args=[shown.tournament.slug, one]) + number for one in names}
    return [(name, where[one], one == kind) for one, name in names.items()]


def _choices(shown: Shown, stage: Stage, round_: Round) -> dict[str, Any]:
    return {"round": round_, "rounds": [one.number for one in report.rounds(shown, stage)]}


def _print_surname(request: HttpRequest, shown: Shown, stage: Stage) -> tuple[str, dict[str, Any]]:
    round_ = round_of(request, shown, stage)
    wanted = min(max(number_of(request, "queues") or 2, 1), MOST_QUEUES)
    lines = surname_lines(shown.lines(stage, round_), shown.sitting_out(stage, round_))
    context = {"queues": queues(lines, wanted), "wanted": wanted, "queue_choices": range(1, MOST_QUEUES + 1)}
    return "print_pairings", {**_choices(shown, stage, round_), **context}


def _print_tables(request: HttpRequest, shown: Shown, stage: Stage) -> tuple[str, dict[str, Any]]:
    round_ = round_of(request, shown, stage)
    byes = byes_in_words(shown.sitting_out(stage, round_))
    return "print_pairings", {**_choices(shown, stage, round_), "lines": shown.lines(stage, round_), "byes": byes}


def _print_slips(request: HttpRequest, shown: Shown, stage: Stage) -> tuple[str, dict[str, Any]]:
    round_ = round_of(request, shown, stage)
    wanted = number_of(request, "n") or 4
    if wanted not in SLIPS:
        known = ", ".join(map(str, SLIPS))
        raise Http404(_("A sheet has %(known)s slips, not %(n)s.") % {"known": known, "n": wanted})
    sheets = in_cut_order(shown.lines(stage, round_), wanted)
    return "print_slips", {**_choices(shown, stage, round_), "sheets": sheets, "n": wanted, "n_choices": SLIPS}


class StandingRow(Struct, frozen=True):
    """A row of printed standings; `out` says why somebody is struck through."""

    place: str
    who: Who
    points: str
    record: str
    values: tuple[str, ...]
    out: str = ""


class StandingTable(Struct, frozen=True):
    """Printed standings of a stage or a group, with the entry that they were computed from."""

    group: int | None
    at_seq: int
    digest: str
    edition: str
    codes: tuple[tuple[str, str], ...]
    rows: tuple[StandingRow, ...]
    is_live: bool = False


def out_of(shown: Shown, stage: Stage, entrant: str) -> str:
    """Return why somebody plays no more, nothing if they do."""
    if shown.state.entries[entrant].disqualified:
        return _("disqualified")
    if entrant in stage.dropped:
        return _("dropped from round %(round)s on") % {"round": stage.dropped[entrant]}
    return ""


def _standings(shown: Shown, stage: Stage, *, live: bool = False) -> list[StandingTable]:
    made = []
    for table in shown.standings(stage, live=live):
        records = shown.records(table)
        codes = tuple((code, str(words.TIEBREAKS.get(code, code))) for code in table.tiebreaks)
        rows = [
            StandingRow(
                row.place, shown.people[row.entrant], words.points(row.points), records.get(row.entrant, "0–0–0"),
                tuple(row.values[code].text if code in row.values else "" for code, _name in codes),
                out_of(shown, stage, row.entrant),
            )
            for row in table.standings.rows
        ]  # fmt: skip
        members = stage.entrants if table.group is None else stage.groups[table.group]
        rows += [
            StandingRow("–", shown.people[one], "", records.get(one, ""), ("",) * len(codes), _("disqualified"))
            for one in members
            if shown.state.entries[one].disqualified
        ]
        told = table.standings
        made.append(
            StandingTable(table.group, table.at_seq, told.digest, told.ruleset, codes, tuple(rows), table.is_live)
        )
    return made


def _print_standings(request: HttpRequest, shown: Shown, stage: Stage) -> tuple[str, dict[str, Any]]:
    live = request.GET.get("view") == "live" and shown.at is None
    return "print_standings", {
        "tables": _standings(shown, stage, live=live),
        "places": _place_rows(shown, stage),
        "live": live,
    }


def _place_rows(shown: Shown, stage: Stage) -> list[tuple[str, Who, str]]:
    """Return the final places of an elimination as they are shown: place, who, why they are struck through."""
    told = _places(shown, stage)
    times = Counter(row["place"] for row in told)
    return [
        (
            f"{row['place']}=" if times[row["place"]] > 1 else str(row["place"]),
            shown.people[str(row["person"])],
            out_of(shown, stage, str(row["person"])),
        )
        for row in told
    ]


def _places(shown: Shown, stage: Stage) -> list[dict[str, str | int]]:
    if stage.system != "elimination":
        return []
    return stage.places if stage.is_closed else tables.places(shown.state, stage)


# Crosstable ---------------------------------------------------------------------------------------------------------


class CrossRow(Struct, frozen=True):
    """A row of a crosstable: its number (which the cells of the others name), place, points, and a cell for each round."""

    number: int
    place: str
    who: Who
    cells: tuple[str, ...]
    points: str
    out: str = ""


def _print_crosstable(request: HttpRequest, shown: Shown, stage: Stage) -> tuple[str, dict[str, Any]]:
    told = []
    for table in shown.standings(stage):
        field = engines.field_of(shown.state, stage, group=table.group)
        told.append((table, crosstable(shown, stage, table, field)))
    last = max((one.number for one in stage.rounds.values() if one.is_published), default=0)
    two = all(len(one.seats) <= 2 for round_ in stage.rounds.values() for one in round_.tables.values())
    return "print_crosstable", {"crosstables": told, "columns": range(1, last + 1), "two": two}


def crosstable(shown: Shown, stage: Stage, table: tables.Table, field: Field) -> list[CrossRow]:
    """Return the crosstable of standings: whoever was disqualified stands at the end, and the cells still name their number."""
    order = [row.entrant for row in table.standings.rows]
    order += [one.id for one in field.entrants if one.id in field.disqualified]
    numbers = {entrant: number for number, entrant in enumerate(order, 1)}
    standing = {row.entrant: row for row in table.standings.rows}
    rows, sums = field.rows_of(), field.points()
    made = []
    for entrant in order:
        cells = dict.fromkeys(range(1, field.rounds + 1), "")
        cells |= {row.round: cell(row, numbers) for row in rows[entrant]}
        place = standing[entrant].place if entrant in standing else "–"
        points = words.points(sums[entrant])
        made.append(
            CrossRow(
                numbers[entrant], place, shown.people[entrant], tuple(cells.values()), points,
                out_of(shown, stage, entrant),
            )
        )  # fmt: skip
    return made


SIGNS = {"win": "+", "draw": "=", "loss": "−"}


def cell(row: Row, numbers: Mapping[str, int]) -> str:
    """Return a row as a cell: `+12w` at two seats (`b`: second, `f`: forfeit), `3.2 → 1 (7)` in pods, a word without a table."""
    if row.kind == Kind.LATE:
        return "–"
    if not row.size:
        return words.kind(row.kind)
    if row.size > 2:
        where = f"{row.table}.{(row.seat or 0) + 1}"
        if row.kind != Kind.PLAYED:
            return f"{where} → {words.kind(row.kind)}"
        return f"{where} → {row.place or '–'} ({exact(row.score if row.score is not None else row.points)})"
    other = numbers.get(row.opponents[0], 0) if row.opponents else 0
    forfeit = row.kind in (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS, Kind.DOUBLE_FORFEIT)
    begins = "f" if forfeit else "b" if row.seat else "w"
    return f"{SIGNS[row.outcome or 'loss']}{other or '?'}{begins}"


# Bracket ------------------------------------------------------------------------------------------------------------


class BracketSeat(Struct, frozen=True):
    """A seat of a match of a bracket: who sits there, or where they will come from."""

    name: str
    seed: int | None = None
    who: Who | None = None
    is_winner: bool = False
    points: str = ""
    out: str = ""


class BracketMatch(Struct, frozen=True):
    """A match of a bracket."""

    id: str
    name: str
    seats: tuple[BracketSeat, ...]
    state: str
    table: int | None = None
    match: str = ""


class BracketRound(Struct, frozen=True):
    """Matches of one side of a bracket that are played in the same round of it."""

    title: str
    matches: tuple[BracketMatch, ...]


def _print_bracket(request: HttpRequest, shown: Shown, stage: Stage) -> tuple[str, dict[str, Any]]:
    if stage.system != "elimination":
        raise Http404(_("This stage has no bracket."))
    return "print_bracket", bracket_context(shown, stage)


def bracket_context(shown: Shown, stage: Stage) -> dict[str, Any]:
    """Return a bracket as page and paper show it: its sides, who goes through the first round without a match, the champion."""
    told = engines.bracket_of(shown.state, stage)
    return {
        "sides": bracket_sides(shown, stage, told), "champion": shown.people[told.champion] if told.champion else None,
        "is_over": told.is_over,
        "byes": [(seed, shown.people[str(told.bracket.entrants[seed - 1])]) for seed in told.bracket.byes],
    }  # fmt: skip


def label_of(node: elimination.Node) -> str:
    """Return what a match of a bracket is called."""
    named = {
        "final": _("Final"), "semifinal": _("Semifinal"), "quarterfinal": _("Quarterfinal"),
        "reset": _("Second final"), "third_place": _("Match for place 3"),
    }  # fmt: skip
    if node.label in named:
        return named[node.label]
    kind, _sign, number = node.label.rpartition("_")
    texts = {
        "round_of": _("Round of %(n)s"), "winners": _("Winners’ bracket, round %(n)s"),
        "losers": _("Losers’ bracket, round %(n)s"), "pods": _("Round %(n)s"),
        "places_from": _("Places from %(n)s on"), "placement": _("Places, round %(n)s"),
    }  # fmt: skip
    return texts[kind] % {"n": number} if kind in texts else node.label


SIDES = ("winners", "losers", "final", "reset", "placement")


def bracket_sides(shown: Shown, stage: Stage, told: elimination.State) -> list[tuple[str, list[BracketRound]]]:
    """Return the bracket side by side, round by round. A match that waits for somebody says for whom."""
    titles = {"winners": _("Bracket"), "losers": _("Losers’ bracket"), "placement": _("Further places")}
    played: dict[frozenset[str], list[Table]] = {}
    for round_ in stage.rounds.values():
        if round_.is_published:
            for one in round_.tables.values():
                played.setdefault(frozenset(one.seats), []).append(one)
    sides: dict[str, dict[tuple[int, int], list[BracketMatch]]] = {}
    names: dict[tuple[str, int, int], str] = {}
    last = max((node.round for node in told.bracket.nodes if node.side == "winners"), default=0)
    for node in told.bracket.nodes:
        # The finals stand at the end of the winners' side.
        side = "winners" if node.side in ("final", "reset") else node.side
        at = (last + SIDES.index(node.side), node.round) if node.side in ("final", "reset") else (0, node.round)
        names.setdefault((side, *at), label_of(node))
        here = played.get(frozenset(who for who in told.seated[node.id] if who), [])
        table = here.pop(0) if here and node.id not in told.idle else None
        sides.setdefault(side, {}).setdefault(at, []).append(_bracket_match(shown, stage, told, node, table))
    return [
        (titles[side], [BracketRound(names[(side, *at)], tuple(sides[side][at])) for at in sorted(sides[side])])
        for side in SIDES
        if side in sides
    ]


def _bracket_match(
    shown: Shown, stage: Stage, told: elimination.State, node: elimination.Node, table: Table | None
) -> BracketMatch:
    outcome = told.outcomes.get(node.id)
    rows = table.rows if table is not None else None
    seats = []
    for slot, entrant in zip(node.slots, told.seated[node.id], strict=True):
        if entrant is None:
            seats.append(BracketSeat(_origin(slot)))
        elif entrant == elimination.NOBODY:
            seats.append(BracketSeat(_("nobody")))
        else:
            who = shown.people[entrant]
            won = bool(outcome) and outcome is not None and outcome[0] == entrant and node.id not in told.idle
            result = words.short_result(rows, entrant)
            seats.append(
                BracketSeat(who.name, told.bracket.seed_of[entrant], who, won, result, out_of(shown, stage, entrant))
            )
    if node.id in told.idle:
        state = _("not needed")
    elif node.id in told.walkovers:
        state = _("without play")
    elif outcome is not None:
        state = _("decided")
    elif None in told.seated[node.id]:
        state = _("waits")
    else:
        state = _("to be played") if table is None else _("at table %(n)s") % {"n": table.number}
    return BracketMatch(
        node.id, label_of(node), tuple(seats), state, table.number if table else None, table.match if table else ""
    )


def _origin(slot: elimination.Slot) -> str:
    if slot.among:
        return _("drawn anew")
    if slot.node:
        where = {"match": slot.node, "place": slot.place}
        if slot.place == 1:
            return _("winner of %(match)s") % where
        return _("place %(place)s of %(match)s") % where
    return _("not known yet")


PRINTS = {
    "surname": _print_surname, "tables": _print_tables, "slips": _print_slips, "standings": _print_standings,
    "crosstable": _print_crosstable, "bracket": _print_bracket,
}  # fmt: skip


# Files --------------------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"[+-]?[0-9]+([.,/][0-9]+)?")


def harmless(value: object) -> str:
    """Return a cell of a CSV file that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and not NUMBER.fullmatch(text):
        return "'" + text
    return text


def csv_file(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """Return rows as a CSV file (UTF-8 with a mark, so that spreadsheets read names right)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([harmless(value) for value in row] for row in rows)
    response = HttpResponse("\ufeff" + out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


@require_GET
def standings_file(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    """Return the standings of a stage as CSV or JSON, with the entry and the digest that they were computed from."""
    shown = shown_of(request, slug)
    stage = stage_of(request, shown)
    live = request.GET.get("view") == "live" and shown.at is None
    told = report.standings(shown, stage, live=live)
    name = f"{shown.tournament.slug}-standings-{stage.number + 1}-entry-{shown.state.seq}"
    if form == "json":
        data = {
            "tournament": shown.tournament.slug, "at_seq": shown.state.seq, "view": "live" if live else "settled",
            "standings": told, "places": report.places(shown, stage),
        }  # fmt: skip
        response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
        response["Content-Disposition"] = f'attachment; filename="{name}.json"'
        return response
    codes = told[0]["order"] if told else []
    head = [
        "stage", "group", "rank", "place", "number", "name", "handle", "points", *codes, "status", "as_of_entry", "digest",
    ]  # fmt: skip
    rows: list[list[object]] = []
    for table in told:
        for row in table["rows"]:
            values = [row["tiebreaks"][code]["value"] if code in row["tiebreaks"] else "" for code in codes]
            status = f"dropped from round {row['dropped_from']}" if row["dropped_from"] is not None else ""
            rows.append(
                [table["stage"], table["group"], row["rank"], row["place"], row["number"], row["name"], row["handle"],
                 row["points"], *values, status, table["at_seq"], table["digest"]]
            )  # fmt: skip
        rows += [
            [table["stage"], table["group"], "", "", "", one["name"], one["handle"], "", *[""] * len(codes),
             "disqualified", table["at_seq"], table["digest"]]
            for one in table["disqualified"]
        ]  # fmt: skip
    return csv_file(name, head, rows)


@require_GET
def pairings_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the pairings of a round as CSV: a line for each seat, then whoever has no table."""
    shown = shown_of(request, slug)
    stage = stage_of(request, shown)
    told = report.round_(shown, stage, round_of(request, shown, stage))
    head = ["stage", "round", "table", "seat", "name", "handle", "points_before", "kind", "place", "points", "state",
            "as_of_entry"]  # fmt: skip
    rows: list[list[object]] = [
        [told["stage"], told["round"], table["table"], seat["seat"], seat["name"], seat["handle"], seat["points_before"],
         seat["kind"], seat["place"], seat["points"], table["state"], told["at_seq"]]
        for table in told["tables"]
        for seat in table["seats"]
    ]  # fmt: skip
    rows += [
        [told["stage"], told["round"], "", "", one["name"], one["handle"], "", one["kind"], "", one["points"], "",
         told["at_seq"]]
        for one in told["byes"]
    ]  # fmt: skip
    name = f"{shown.tournament.slug}-round-{told['round']}-stage-{told['stage']}-entry-{told['at_seq']}"
    return csv_file(name, head, rows)
