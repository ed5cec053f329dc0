"""What all pairing engines share: their answer, their refusal, the digest of their input, the lot."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from league.tournament.field import Kind


class Bye(Struct, frozen=True):
    """An entrant without a table in a round."""

    entrant: str
    kind: Kind


class Table(Struct, frozen=True):
    """The entrants at one table in the order of their seats; the first one begins (in chess: has white)."""

    number: int
    seats: tuple[str, ...]


class Note(Struct, frozen=True):
    """Something an organizer should see before publishing: `rematch`, `second_bye`, `kept_apart`, `short_table`, `fixed_table` …

    :ivar entrants: whom it concerns
    :ivar detail: figures for the words of the page, such as how often two have met
    """

    code: str
    entrants: tuple[str, ...]
    detail: dict[str, int] = {}


class Pairing(Struct, frozen=True):
    """A paired round: every entrant who was present is at exactly one table or has exactly one bye."""

    tables: tuple[Table, ...]
    byes: tuple[Bye, ...]
    engine: str
    version: str
    input_digest: str
    notes: tuple[Note, ...] = ()


class PairingImpossible(ValueError):
    """No pairing of these entrants keeps the rules: which one stands in the way, for whom, and what can be done."""

    def __init__(self, message: str, entrants: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.entrants = tuple(entrants)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, frozenset | set):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no digest")


def digest(*parts: Any) -> str:
    """Return the SHA-256 of the input of an engine, as 64 hexadecimal digits: the same for the same input on every machine."""
    encoder = msgspec.json.Encoder(enc_hook=_plain, order="deterministic")
    return hashlib.sha256(encoder.encode(parts)).hexdigest()


def lot(seed: str, *parts: object) -> int:
    """Return the lot of something as a number of 64 bits: drawn from the published seed, so that anybody can draw it again."""
    said = "\x1f".join([seed, *map(str, parts)])
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8], "big")
