"""Free text lies beside the log: an event holds the SHA-256 of a salt and the text, so that a text can be blanked for good.

Which values of a payload are free text follows from their keys, wherever they stand; options and what the table observed are read
by the engine and stay. A note on an event is free text too; in the payload it has the key ``@note``.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from django.db import connection
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.models import Text

NOTE = "@note"
BLANKED = "[blanked]"
SKIPPED = frozenset({"observed", "options"})  # compared and read by the engine
KEYS = frozenset(
    {"reason", "text", "terms", "citation", "title", "question", "decision", "name", "kingdom", "person", "note", NOTE}
)
NO_TEXT = {"kingdom": re.compile(r"[A-Z]{1,2}"), "person": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")}
"""What a text under these keys is not: the letter of a seat, the id of a person. Those are read by the engine and the site, and stay."""
PREFIX = "sha256:"

MAX_FIELD = 80

_MAYBE = re.compile(rb'"(?:%b)"' % b"|".join(re.escape(key).encode() for key in sorted(KEYS)))
_decode = msgspec.json.Decoder().decode


class Unplaceable(ValueError):
    """A free text stands where it cannot be kept apart: the keys that lead to it are too long, or hold dots."""


class Kept(Struct, frozen=True):
    """A text beside the log: where in the payload its hash stands (keys joined by dots), its salt, and the text itself."""

    field: str
    salt: str
    text: str
    blanked: bool = False

    @property
    def hash(self) -> str:
        """Return what the payload holds in place of the text."""
        return hashed(self.salt, self.text)


def hashed(salt: str, text: str) -> str:
    """Return what stands in a payload for a text."""
    return PREFIX + hashlib.sha256((salt + text).encode()).hexdigest()


def apart(
    data: bytes, note: str | None = None, salts: Mapping[str, str] | None = None, *, whole: bool = True
) -> tuple[bytes | dict[str, Any], tuple[Kept, ...]]:
    """Return a payload with hashes in place of its free texts, and the texts.

    :param note: the note on the event, which goes into the payload as a hash
    :param salts: the salts to use, by field, where the texts had some before; others are made
    :raises Unplaceable: if the way to a text cannot be written as keys joined by dots
    :param whole: False leaves texts without a salt as they are (an export holds the hash of a blanked text in its place)
    """
    if not note and not _MAYBE.search(data):
        return data, ()
    kept: list[Kept] = []
    known = salts or {}

    def hidden(field: str, text: str) -> str:
        if field not in known and not whole:
            return text
        one = Kept(field, known.get(field) or secrets.token_hex(16), text)
        kept.append(one)
        return one.hash

    value = _apart(_decode(data), "", hidden)
    if note:
        value[NOTE] = hidden(NOTE, note)
    return value, tuple(kept)


def _apart(value: Any, path: str, hidden: Callable[[str, str], str]) -> Any:
    if isinstance(value, dict):
        made = {}
        for key, item in value.items():
            field = f"{path}{key}"
            if key in SKIPPED:
                made[key] = item
            elif key in KEYS and isinstance(item, str) and not (key in NO_TEXT and NO_TEXT[key].fullmatch(item)):
                if len(field) > MAX_FIELD:
                    raise Unplaceable(
                        _("The text “%(key)s” lies too deep, under %(field)s…; use fewer or shorter keys.")
                        % {"key": key, "field": field[:40]}
                    )
                made[key] = hidden(field, item)
            else:
                made[key] = _apart(item, f"{field}.", hidden)
                if "." in key and made[key] != item:
                    raise Unplaceable(
                        _("The key “%(key)s” leads to a text and holds a dot; use another key.") % {"key": key[:40]}
                    )
        return made
    if isinstance(value, list):
        return [_apart(item, f"{path}{number}.", hidden) for number, item in enumerate(value)]
    return value


def together(data: bytes | str, kept: Iterable[Kept]) -> tuple[dict[str, Any], str | None]:
    """Return a payload with its texts in their places, and the note."""
    value = _decode(data)
    for text in kept:
        place, key = _place(value, text.field)
        if place is not None:
            # Two persons whose names are blanked stay two: an engine may compare them.
            blanked = f"{BLANKED} {place[key][-6:]}" if key == "person" else BLANKED
            place[key] = blanked if text.blanked else text.text
    note = value.pop(NOTE, None)
    return value, note or None


def fits(value: Any, text: Kept) -> bool:
    """Return whether the payload holds the hash of a text in its place."""
    place, key = _place(value, text.field)
    try:
        return place is not None and place[key] == text.hash
    except (KeyError, IndexError):
        return False


def _place(value: Any, field: str) -> tuple[Any, Any]:
    """Return the object or list in which a field stands, and its key there. A key may hold dots itself."""
    if isinstance(value, list):
        number, _dot, rest = field.partition(".")
        if not number.isdigit() or int(number) >= len(value):
            return None, None
        return _place(value[int(number)], rest) if rest else (value, int(number))
    if not isinstance(value, dict):
        return None, None
    if field in value:
        return value, field
    for key, item in value.items():
        if field.startswith(f"{key}."):
            place, last = _place(item, field[len(key) + 1 :])
            if place is not None:
                return place, last
    return None, None


def equal(data: bytes, kept: Sequence[Kept], other: bytes, other_kept: Sequence[Kept]) -> bool:
    """Return whether two payloads say the same, salts aside."""
    return together(data, kept) == together(other, other_kept)


def keep(stream: UUID, texts: Iterable[tuple[int, Kept]]) -> None:
    """Store texts of a stream with the seqs of their entries."""
    Text.objects.bulk_create(
        [Text(stream=stream, seq=seq, field=text.field, salt=text.salt, text=text.text) for seq, text in texts],
        batch_size=1000,
    )


def of_entry(stream: UUID, seq: int) -> list[Kept]:
    """Return the texts of one entry."""
    return of_stream(stream, seq=seq).get(seq, [])


def of_stream(stream: UUID, *, seq: int | None = None) -> dict[int, list[Kept]]:
    """Return the texts of a stream by the seqs of their entries."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select seq, field, salt, text, blanked_at is not null from matches_text"
            " where stream = %s and (%s::int is null or seq = %s) order by seq, id",
            [stream, seq, seq],
        )
        found: dict[int, list[Kept]] = {}
        for number, field, salt, text, blanked in cursor.fetchall():
            found.setdefault(number, []).append(Kept(field, salt, text, blanked))
    return found
