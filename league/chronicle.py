"""The stream of a league in words, as a reader may know it: newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from league import events, stream
from league.models import League
from league.record_forms import CONDUCT_NAMES, SERVICE_NAMES
from matches import log
from matches.models import Event
from people import rights
from people.models import Person
from people.rights import ROLE_NAMES
from people.selectors import visible_names

A_PAGE = 50


class Entry(Struct, frozen=True):
    """One entry of the league's log: its number, when, who wrote it (None: nobody is named), what it says, and a text that goes with it."""

    seq: int
    type: str
    at: datetime
    by: str | None
    words: str
    text: str = ""
    match: str | None = None
    may_be_struck: bool = False
    """A note that was not struck yet, and is not about the reader."""


class _Names:
    """The names of the persons in some entries, as a reader may know them."""

    def __init__(self, ids: set[UUID], viewer: Person | None) -> None:
        found = list(Person.objects.filter(pk__in=ids).select_related("joined_into"))
        self.names = visible_names(found, viewer)
        self.own = {one.pk for one in found if viewer is not None and one.head.pk == viewer.head.pk}

    def __call__(self, person: str) -> str:
        return self.names.get(UUID(person), _("somebody"))


def entries(league: League, viewer: Person | None, *, page: int) -> list[Entry]:
    """Return a page of the log, 1 the newest."""
    last = league.seq - (page - 1) * A_PAGE
    rows = [row for row in log.read(league.pk, after=max(-1, last - A_PAGE), limit=A_PAGE) if row.seq <= last]
    told = list(zip(rows, stream.events_of(rows), strict=True))
    notes = _notes(league)
    ids = {UUID(value) for _row, event in told for value in _persons(event)}
    ids |= {row.by for row, _event in told if row.by} | {UUID(note.person) for note in notes.values()}
    names = _Names(ids, viewer)
    sees_all = rights.may(viewer, "pair", league.scopes)
    declined = _declined(league)
    return [
        _entry(row, event, names, notes, sees_all=sees_all, is_declined=(row.seq in declined))
        for row, event in reversed(told)
    ]


def _declined(league: League) -> set[int]:
    """Return the entries of honors that the person did not take, which are not shown (ROD-46)."""
    found = Event.objects.filter(stream=league.pk, type__in=("honor_bestowed", "honor_declined")).order_by("seq")
    bestowed: dict[tuple[str, str, int], int] = {}
    declined = set()
    for seq, kind, data in found.values_list("seq", "type", "data"):
        key = (data["honor"], data["person"], data["step"])
        if kind == "honor_bestowed":
            bestowed[key] = seq
        elif key in bestowed:
            declined.add(bestowed[key])
    return declined


class _Note(Struct):
    """A note on conduct: whom it is about, its kind, and whether it was struck."""

    person: str
    kind: str
    is_struck: bool = False


def _notes(league: League) -> dict[int, _Note]:
    """Return the notes on conduct of a league by their number."""
    found = Event.objects.filter(stream=league.pk, type__in=("conduct_noted", "conduct_struck")).order_by("seq")
    notes: dict[int, _Note] = {}
    for seq, kind, data in found.values_list("seq", "type", "data"):
        if kind == "conduct_noted":
            notes[seq] = _Note(data["person"], data["kind"])
        elif data["target_seq"] in notes:
            notes[data["target_seq"]].is_struck = True
    return notes


def pages(league: League) -> int:
    """Return how many pages the log has."""
    return max(1, -(-(league.seq + 1) // A_PAGE))


def page_of(league: League, seq: int) -> int:
    """Return on which page an entry stands."""
    return max(0, league.seq - seq) // A_PAGE + 1


PERSONS = (
    "person",
    "mentor",
    "newcomer",
    "organizer",
    "examiner",
    "confirmed_by",
    "nominee",
    "nominator",
    "seconder",
    "proposer",
    "champion",
)


def _persons(event: events.Payload) -> list[str]:
    return [value for key in PERSONS if isinstance(value := getattr(event, key, None), str)]


PRIVATE = ("conduct_noted", "conduct_struck", "rank_suspended", "rank_restored")


def _entry(
    row: log.Row, event: events.Payload, names: _Names, notes: dict[int, _Note], *, sees_all: bool, is_declined: bool = False
) -> Entry:  # fmt: skip
    note = notes.get(event.target_seq if isinstance(event, events.ConductStruck) else row.seq)
    told = note.person if note is not None else getattr(event, "person", None)
    is_own = told is not None and UUID(told) in names.own
    is_public = row.type not in PRIVATE or (note is not None and note.kind == "commendation")
    if not (is_public or sees_all or is_own):
        return Entry(
            row.seq, row.type, row.recorded_at, None, _("A note that is read by the person and the organizers only.")
        )
    if (row.type in HIDDEN or is_declined) and not sees_all and not is_own:
        return Entry(
            row.seq, row.type, row.recorded_at, None, _("A step in the procedure of an honor that is not public.")
        )
    if isinstance(event, events.SportsmanshipVoteCast):
        # At a table of two the match or the nominee would name the voter.
        return Entry(row.seq, row.type, row.recorded_at, None, WORDS[row.type](event, names))
    words = WORDS[row.type](event, names)
    if row.type == "conduct_noted" and note is not None and note.is_struck:
        words = _("%(words)s Struck later as a mistake.") % {"words": words}
    text = next(
        (
            value
            for key in ("reason", "note", "citation", "text")
            if (sees_all or row.type not in UNQUOTED) and isinstance(value := getattr(event, key, None), str)
        ),
        "",
    )
    may_be_struck = row.type == "conduct_noted" and note is not None and not note.is_struck and not is_own
    by = names(str(row.by)) if row.by else None
    return Entry(row.seq, row.type, row.recorded_at, by, words, text, getattr(event, "match", None), may_be_struck)


HIDDEN = (
    "relation_declared",
    "honor_declined",
    "honor_revoked",
    "honor_restored",
    "honor_review_opened",
    "honor_heard",
    "honor_review_voted",
    "honor_review_closed",
)
# What was said of a person to those who decide on an honor is not for everybody.
UNQUOTED = ("honor_nominated", "honor_lapsed")


def _day(text: str) -> str:
    return date_format(datetime.fromisoformat(text).date(), "DATE_FORMAT")


def _scope_free(role: str) -> str:
    return str(ROLE_NAMES.get(role, role))


def _lesson(event: Any, names: _Names) -> str:
    words = {"person": names(event.person), "lesson": event.lesson}
    if event.examiner:
        return _("%(person)s passed the lesson %(lesson)s before %(examiner)s.") % {
            **words,
            "examiner": names(event.examiner),
        }
    return _("%(person)s passed the lesson %(lesson)s.") % words


WORDS: dict[str, Callable[[Any, _Names], str]] = {
    "league_opened": lambda one, names: _("The league was opened."),
    "league_changed": lambda one, names: _("The settings of the league were changed."),
    "league_closed": lambda one, names: _("The league was closed."),
    "league_reopened": lambda one, names: _("The league goes on."),
    "member_joined": lambda one, names: _("%(person)s became a member.") % {"person": names(one.person)},
    "member_left": lambda one, names: _("%(person)s is a member no longer.") % {"person": names(one.person)},
    "role_granted": lambda one, names: _("%(person)s was given the role %(role)s.") % {"person": names(one.person), "role": _scope_free(one.role)},
    "role_revoked": lambda one, names: _("The role %(role)s was taken from %(person)s.") % {"person": names(one.person), "role": _scope_free(one.role)},
    "season_opened": lambda one, names: _("The season “%(season)s” was opened.") % {"season": one.title},
    "season_closed": lambda one, names: (_("The season %(season)s was closed; %(champion)s is the champion.") % {"season": one.season, "champion": names(one.champion)} if one.champion else _("The season %(season)s was closed without a single first.") % {"season": one.season}),
    "division_set": lambda one, names: ngettext("The season %(season)s has %(n)s division.", "The season %(season)s has %(n)s divisions.", len(one.divisions)) % {"season": one.season, "n": len(one.divisions)},
    "season_reopened": lambda one, names: _("The season %(season)s was reopened.") % {"season": one.season},
    "campaign_opened": lambda one, names: _("The campaign “%(campaign)s” was opened.") % {"campaign": one.title},
    "campaign_closed": lambda one, names: ngettext("The campaign %(campaign)s was closed with %(n)s match.", "The campaign %(campaign)s was closed with %(n)s matches.", len(one.matches)) % {"campaign": one.campaign, "n": len(one.matches)},
    "lesson_completed": _lesson,
    "mentor_assigned": lambda one, names: _("%(mentor)s accompanied %(newcomer)s through a match.") % {"mentor": names(one.mentor), "newcomer": names(one.newcomer)},
    "event_organized": lambda one, names: _("%(person)s organized “%(event)s”.") % {"person": names(one.organizer), "event": one.title},
    "service_recorded": lambda one, names: _("%(person)s served the league for %(n)s minutes: %(kind)s.") % {"person": names(one.person), "n": one.minutes, "kind": SERVICE_NAMES.get(one.kind, one.kind)},
    "conduct_noted": lambda one, names: _("%(kind)s for %(person)s.") % {"person": names(one.person), "kind": CONDUCT_NAMES.get(one.kind, one.kind)},
    "conduct_struck": lambda one, names: _("The note %(seq)s was struck.") % {"seq": one.target_seq},
    "sportsmanship_vote_cast": lambda one, names: _("A vote for sportsmanship was cast."),
    "rank_suspended": lambda one, names: _("The rank of %(person)s is hidden up to %(day)s.") % {"person": names(one.person), "day": _day(one.until)},
    "rank_restored": lambda one, names: _("The rank of %(person)s is shown again.") % {"person": names(one.person)},
    "honor_nominated": lambda one, names: _("%(person)s was nominated for an honor.") % {"person": names(one.nominee)},
    "honor_seconded": lambda one, names: _("A nomination was seconded."),
    "honor_vote_opened": lambda one, names: _("The peers vote on a nomination."),
    "honor_vote_cast": lambda one, names: _("A peer voted on a nomination."),
    "honor_vote_closed": lambda one, names: _("A vote was counted: %(yes)s for, %(no)s against.") % {"yes": one.yes, "no": one.no},
    "honor_lapsed": lambda one, names: _("A nomination came to nothing."),
    "honor_approved": lambda one, names: _("An organizer decided for a nomination."),
    "relation_declared": lambda one, names: _("An organizer declared a relation to a member."),
    "honor_bestowed": lambda one, names: _("An honor was bestowed on %(person)s.") % {"person": names(one.person)},
    "honor_declined": lambda one, names: _("%(person)s did not take an honor.") % {"person": names(one.person)},
    "honor_review_opened": lambda one, names: _("An honor of %(person)s is in review.") % {"person": names(one.person)},
    "honor_heard": lambda one, names: _("A person was heard in a review."),
    "honor_review_voted": lambda one, names: _("An organizer decided in a review."),
    "honor_review_closed": lambda one, names: _("A review ended; the honor stays."),
    "honor_revoked": lambda one, names: _("An honor of %(person)s was revoked.") % {"person": names(one.person)},
    "honor_restored": lambda one, names: _("An honor was given back to %(person)s.") % {"person": names(one.person)},
}  # fmt: skip
