"""The set-up of a match from its header (8.1 of the rule page), checked in the order KSH-83, KSH-01, KS-32, KS-47."""

from __future__ import annotations

from datetime import date
from typing import Any

from rulesengine.game import Refusal
from rulesengine.kingsquare import options
from rulesengine.kingsquare.editions import in_force
from rulesengine.kingsquare.figures import Figures
from rulesengine.kingsquare.rules import KS_32, KS_47, KSH_01, KSH_83
from rulesengine.kingsquare.state import King, Kingdom, Setup, State, Works
from rulesengine.log import Header, Seat
from rulesengine.paths import brief


def read(header: Header, edition: str, figures: Figures) -> Setup | Refusal:
    """Return the set-up that a header describes, or the first rule that forbids it."""
    due = in_force(date.fromisoformat(header.played_on))
    reason = header.options.get("rules_reason")
    if edition != due and not (isinstance(reason, str) and reason.strip()):
        because = f"{edition} did not hold on {header.played_on}, {due} did; the option rules_reason must say why"
        return KSH_83.refuses(because, "impossible", f"{due}, or no version at all")
    try:
        in_use, chosen = options.read(header.options, figures)
    except options.OptionError as wrong:
        return KSH_83.refuses(str(wrong), "impossible")
    if chosen.setup_handicap != "none" and ("league" in header.context or "tournament" in header.context):
        return KSH_83.refuses(
            "a handicap is for casual matches; this one counts for a league or tournament", "impossible"
        )
    return (
        _seats(header, chosen)
        or _levels(header, in_use, chosen)
        or _persons(header, in_use)
        or Setup(
            seats=tuple(seat.seat for seat in header.seats),
            edition=edition,
            figures=in_use,
            options=chosen,
            king_levels={seat.seat: seat.king_level or 1 for seat in header.seats},
            generals={seat.seat: _general(seat) for seat in header.seats},
            kings={seat.seat: seat.player or seat.name for seat in header.seats},
            mapmaster=any(one.role == "mapmaster" for one in header.officials),
            tournament=header.context.get("kind") == "tournament" or "tournament" in header.context,
        )
    )


def first_position(setup: Setup) -> State:
    """Return the position after the header: seats taken, nothing on the table."""
    kingdoms = {
        seat: Kingdom(general_person=setup.generals[seat], king=King(level=setup.king_levels[seat]))
        for seat in setup.seats
    }
    return State(setup, Works(setup, {}, {}, {}), kingdoms, setup.seats)


def _seats(header: Header, chosen: options.Options) -> Refusal | None:
    count, least, most = len(header.seats), chosen.seats_min, chosen.seats_max
    if not least <= count <= most:
        return KSH_01.refuses(f"{count} Kingdoms sit at the table; {least} to {most} may", "impossible")
    letters = [seat.seat for seat in header.seats]
    twice = next((letter for letter in letters if letters.count(letter) > 1), None)
    return KSH_01.refuses(f"the seat {twice} is there twice", "impossible") if twice is not None else None


def _levels(header: Header, figures: Figures, chosen: options.Options) -> Refusal | None:
    for seat in header.seats:
        if figures.king_start_level == "one" and chosen.setup_handicap == "none" and seat.king_level not in (None, 1):
            because = f"the King of {seat.seat} would start at level {seat.king_level}; every King starts at level 1"
            return KS_32.refuses(because, "impossible", "leave king_level out")
    return None


def _persons(header: Header, figures: Figures) -> Refusal | None:
    """Return why somebody may not hold the office that the header gives them: each is King or General of one Kingdom."""
    held: dict[str, str] = {}
    for seat in header.seats:
        general: Any = seat.general
        if general is not None:
            if figures.general_kind == "piece":
                return KS_47.refuses(f"{seat.seat} has a General in person, whom KS-V5 brought", "impossible")
            if not _is_person(general):
                because = f'the General of {seat.seat} is {brief(general)}; {{"name": "…", "player": "…"}} was expected'
                return KS_47.refuses(because, "impossible")
        for person, office in ((seat.player or seat.name, "King"), (_general(seat), "General")):
            if not person:
                continue
            if person in held:
                because = f"{brief(person)} is {office} of {seat.seat} and {held[person]} already"
                return KS_47.refuses(because, "impossible", "one office each")
            held[person] = f"{office} of {seat.seat}"
    return None


def _is_person(general: Any) -> bool:
    if not isinstance(general, dict) or not set(general) <= {"name", "player"}:
        return False
    texts = [general[key] for key in general if general[key] is not None]
    return bool(texts) and all(isinstance(text, str) and text for text in texts)


def _general(seat: Seat) -> str | None:
    if not isinstance(seat.general, dict):
        return None
    return seat.general.get("player") or seat.general.get("name")
