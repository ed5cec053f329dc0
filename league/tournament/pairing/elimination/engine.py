"""An elimination from the rows of a stage: its results, and the next round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from league.tournament.field import BYES, Entrant, Field, Kind, Row
from league.tournament.pairing.base import Bye, Note, Pairing, PairingImpossible, Table, digest
from league.tournament.pairing.elimination.bracket import Bracket, Format, Node, Options
from league.tournament.pairing.elimination.draw import bracket as draw

ENGINE, VERSION = "elimination", "1"


def results(bracket: Bracket, field: Field) -> dict[str, tuple[str, ...]]:
    """Return the results of the matches that the rows of a stage tell of, for `Bracket.after`.

    Round by round each open match takes the rows of those who sit there: places, or outcomes, at the table; without a table
    whoever was available goes through. A draw at the line is played again or goes to the higher seed, as the options say.
    """
    return _read_rows(bracket, field)[0]


def unread(bracket: Bracket, field: Field) -> tuple[Row, ...]:
    """Return the rows of games that no match takes (any more): those of others than who should sit there since a correction."""
    return _read_rows(bracket, field)[1]


def _read_rows(bracket: Bracket, field: Field) -> tuple[dict[str, tuple[str, ...]], tuple[Row, ...]]:
    told: dict[str, tuple[str, ...]] = {}
    left: list[Row] = []
    by_round: dict[int, dict[str, Row]] = defaultdict(dict)
    for row in field.rows:
        by_round[row.round][row.entrant] = row
    for round_ in sorted(by_round):
        rows = by_round[round_]
        state = bracket.after(told, out=_gone(field, round_))
        tables = [{one for one in state.seated[node.id] if one} for node in state.ready()]
        games = [row for row in rows.values() if row.facts.encounter]
        left += [row for row in games if not any({row.entrant, *row.opponents} <= table for table in tables)]
        for node in state.ready():
            result = _read(bracket, node, [one for one in state.seated[node.id] if one], rows)
            if result is not None:
                told[node.id] = result
    return told, tuple(left)


def _gone(field: Field, round_: int) -> frozenset[str]:
    return field.disqualified | {one for one, first in field.dropped.items() if first <= round_}


WALKED = frozenset({Kind.FORFEIT_WIN, Kind.AWARDED_BYE})
OUTCOMES: Mapping[str, int] = {"win": 1, "draw": 1, "loss": 2}
"""Places of the outcomes of two seats."""


def _read(bracket: Bracket, node: Node, seated: Sequence[str], rows: Mapping[str, Row]) -> tuple[str, ...] | None:
    """Return the result of a match from the rows of one round; None while there is none."""
    here = [rows[one] for one in seated if one in rows]
    at_table = [row for row in here if row.facts.encounter]
    if any(not set(row.opponents) <= set(seated) for row in at_table):
        return None
    if len(at_table) > 1:
        return _by_place(bracket, node, at_table)
    through = [row.entrant for row in here if row.kind in WALKED]
    if at_table or not here or (not through and len(here) < len(seated)):
        return None
    if len(through) > 1 or any(row.kind in BYES and row.kind not in WALKED for row in here):
        return None
    others = [one for one in seated if one not in through]
    return (*through, *others) if through else ()


def _by_place(bracket: Bracket, node: Node, rows: Sequence[Row]) -> tuple[str, ...] | None:
    if all(row.kind is Kind.DOUBLE_LOSS for row in rows):
        return ()
    places = {row.entrant: row.place or OUTCOMES.get(row.outcome or "", 0) for row in rows}
    if 0 in places.values():
        return None
    ranked = sorted(places, key=lambda one: (places[one], bracket.seed_of[one]))
    if bracket.options.draws == "replay":
        line = bracket.options.advance if bracket.kind == "pods" and node.side != "final" else 1
        if len(ranked) > line and places[ranked[line - 1]] == places[ranked[line]]:
            return None
    return tuple(ranked)


def in_seed_order(entrants: Iterable[Entrant]) -> tuple[str, ...]:
    """Return the ids of entrants by their pairing numbers."""
    return tuple(one.id for one in sorted(entrants, key=lambda one: one.number))


def pair(
    field: Field,
    *,
    round: int,
    present: Collection[str],
    seed: str = "",
    kind: Format = "single",
    options: Options = Options(),  # noqa: B008 - frozen
    order: Sequence[str | None] | None = None,
) -> Pairing:
    """Return the next round of an elimination: every match that can be played, in the order of the bracket.

    Who has a bye in the first round has one here. Who waits for somebody not known yet has neither a table nor a bye, but a note
    `waits`: unknown is not a bye. Where an opponent is not present or has left there is a bye of the kind `forfeit_win` and a note
    `walkover`; a table of several seats is played by those who are there (`short_table`); where nobody is there nobody goes on
    (`nobody_present`). A game of an earlier round that a correction has made meaningless is noted (`stale`).

    A match of an earlier round without a result, or drawn where draws are played again, is paired again: whether results
    are outstanding is asked before.

    :param order: ids in order of seeds, None for one who is not known yet; without it the pairing numbers
    :raises PairingImpossible: if nothing is left to be played
    """
    drawn = draw(kind, in_seed_order(field.entrants) if order is None else order, options)
    before = replace(field, rows=tuple(row for row in field.rows if row.round < round))
    told, left = _read_rows(drawn, before)
    state = drawn.after(told, out=_gone(field, round))
    if state.is_over:
        raise PairingImpossible("the elimination is over: nothing is left to be played")
    tables: list[Table] = []
    byes: list[Bye] = []
    games = {(row.round, tuple(sorted((row.entrant, *row.opponents)))) for row in left}
    notes = [Note("stale", players, {"round": earlier}) for earlier, players in sorted(games)]
    for node in state.ready():
        seated = [one for one in state.seated[node.id] if one]
        here = tuple(one for one in seated if one in present)
        away = tuple(one for one in seated if one not in present)
        if len(here) > 1:
            tables.append(Table(len(tables) + 1, here))
            notes += [Note("short_table", here, {"seats": len(here)})] if away else []
        elif here:
            byes.append(Bye(here[0], Kind.FORFEIT_WIN))
            notes.append(Note("walkover", (*here, *away)))
        elif away:
            notes.append(Note("nobody_present", away))
    busy = {one for table in tables for one in table.seats} | {bye.entrant for bye in byes}
    free = [one for one in state.left() if one in present and one not in busy]
    for one in free:
        if round == 1 and drawn.seed_of[one] in drawn.byes:
            byes.append(Bye(one, Kind.POD_BYE if kind == "pods" else Kind.ALLOCATED_BYE))
        else:
            notes.append(Note("waits", (one,)))
    input_ = digest(ENGINE, VERSION, before, round, sorted(present), seed, kind, options, drawn.entrants)
    return Pairing(tuple(tables), tuple(byes), ENGINE, VERSION, input_, tuple(notes))
