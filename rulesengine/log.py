"""A match log as data: header and lines, whatever form of file they came from. See :mod:`rulesengine.notation`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

FORMAT = "annals/1"
GAMES = ("kingsquare", "kingsburg", "hexwar", "robberknights")
ROLES = ("general", "mapmaster", "referee", "scribe", "organizer")

MAX_BYTES = 64 * 1024 * 1024
MAX_EVENTS = 200_000
MAX_LINE = 64 * 1024
MAX_DEPTH = 16
MAX_INTEGER = 2**53 - 1
MAX_NOTE = 500


class Seat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat at the table: its letter, what the score sheet says and, where known, the handle on the site."""

    seat: str
    name: str = ""
    player: str | None = None
    kingdom: str | None = None
    colour: str | None = None
    custom_pieces: bool | None = None
    general: Any = None
    king_level: int | None = None


class Official(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody who served at the table."""

    role: str
    name: str = ""
    player: str | None = None


class Header(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The first line of a log: what was played, when, where, by whom and under which options.

    `rules` is None where the file names no version; the one in force on `played_on` then holds.
    """

    log: str
    game: str
    played_on: str
    seats: tuple[Seat, ...]
    id: str | None = None
    rules: str | None = None
    timezone: str = "UTC"
    title: str | None = None
    officials: tuple[Official, ...] = ()
    options: dict[str, Any] = {}
    context: dict[str, Any] = {}
    depth: Literal["log", "score", "import"] = "log"


class Line(Struct, frozen=True, gc=False):
    """One event of a log.

    `seq` is its number in the log (1, 2, 3 …), `number` the line of the file it stands on (None if it came from
    elsewhere), `data` the JSON text of its payload, always an object.
    """

    seq: int
    type: str
    seat: str | None = None
    data: bytes = b"{}"
    at: str | None = None
    acting_as: str | None = None
    id: str | None = None
    note: str | None = None
    by: str | None = None
    recorded_at: str | None = None
    hash: str | None = None
    salts: dict[str, str] | None = None
    number: int | None = None

    def payload(self) -> dict[str, Any]:
        """Return `data` as plain values."""
        value: dict[str, Any] = msgspec.json.decode(self.data)
        return value


class FormFinding(Struct, frozen=True):
    """A breach of form: the line of the file, the event it concerns as far as it is known, and what was wrong."""

    message: str
    number: int | None = None
    seq: int | None = None
    type: str | None = None
    seat: str | None = None


class Log(Struct, frozen=True):
    """A whole log. `form` holds what was wrong with the form of single lines; those lines are not among `lines`."""

    header: Header
    lines: tuple[Line, ...]
    form: tuple[FormFinding, ...] = ()


class Unreadable(Exception):
    """The file is no log at all; the message says what, where, what was expected and what to do."""

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message if number is None else f"line {number}: {message}")
        self.message = message
        self.number = number
