"""A whole match to test on: a log of KingSquare with its set-up, and the entries that pass turns."""

from __future__ import annotations

from typing import Any

from rulesengine.kingsquare.options import FIGURES
from rulesengine.log import Header, Log, Official, Seat
from tests.rulesengine.given import Entry, Given, entry

DAYS = {
    "KS-V1": "2026-07-01",
    "KS-V2": "2026-07-02",
    "KS-V3": "2026-07-04",
    "KS-V4": "2026-07-10",
    "KS-V5": "2026-11-28",
}
OFFICIALS = (Official("mapmaster", "Mia Orr"), Official("scribe", "Sam Vale"), Official("referee", "Rex Iro"))


def empty(
    seats: str = "AB",
    edition: str = "KS-V5",
    /,
    *,
    generals: dict[str, str] | None = None,
    king_level: int | None = None,
    **options: Any,
) -> Given:
    """Return a match that is not set up yet. Each King is called ``king-A`` and so on; options are the header's keys."""
    reasons = {key: "as agreed" for key in options if key in FIGURES}
    header = Header(
        log="annals/1",
        game="kingsquare",
        rules=edition,
        played_on=DAYS[edition],
        seats=tuple(
            Seat(
                letter,
                f"King of {letter}",
                f"king-{letter}",
                general={"name": generals[letter]} if generals and letter in generals else None,
                king_level=king_level,
            )
            for letter in seats
        ),
        officials=OFFICIALS,
        options=options | ({"reasons": reasons} if reasons else {}),
    )
    given = Given.__new__(Given)
    given.log = Log(header, ())
    return given


def founded(*seats: str) -> list[Entry]:
    """Return the founding of the Capital of each seat: ``CA`` with the Farm ``fA``."""
    return [entry(seat, "capital_founded", castle=f"C{seat}", farm=f"f{seat}") for seat in seats]


def start() -> Entry:
    """Return the start of the match."""
    return entry(None, "match_started")


def table(seats: str = "AB", edition: str = "KS-V5", /, **more: Any) -> Given:
    """Return a match in which play has just begun; parameters as in :func:`empty`."""
    return empty(seats, edition, **more).after(*founded(*seats), start())


def to_act(seat: str) -> list[Entry]:
    """Return the way from the beginning of a turn to its Act phase."""
    return [entry(seat, "phase_advanced", to="move"), entry(seat, "phase_advanced", to="act")]


def turn(seat: str, *acts: Entry) -> list[Entry]:
    """Return a whole turn with these acts."""
    return [*to_act(seat), *acts, entry(seat, "turn_ended")]


def turns(*seats: str) -> list[Entry]:
    """Return whole turns in which nothing is done."""
    return [one for seat in seats for one in turn(seat)]


def build(seat: str, id_: str, kind: str, castle: str | None = None, *, direct: bool = True) -> Entry:
    """Return the building of something at the Capital, or another Castle."""
    return entry(seat, "building_built", building=id_, kind=kind, castle=castle or f"C{seat}", direct=direct)


def adjust(path: str, old: Any, new: Any) -> Entry:
    """Return a referee's setting of one value."""
    return entry(None, "state_adjusted", "referee", path=path, old=old, new=new)


def ruin(castle: str, level: int = 1) -> Entry:
    """Return a referee's setting of a Castle to a Ruin."""
    return adjust(f"castles.{castle}.damage", 0, 10 * level)
