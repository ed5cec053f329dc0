"""The standings of a stage and of a tournament: one projection that page, API, file and print all read."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from msgspec import Struct

from league.directing import engines
from league.tournament import reducer, standings
from league.tournament.pairing import round_robin
from league.tournament.reducer import Stage, State
from league.tournament.rulesets import RULESETS
from league.tournament.standings import Standings


class Table(Struct, frozen=True):
    """The standings of a stage, or of one of its groups, as of an entry of the stream.

    :ivar group: the number of the group, None where the stage has one only
    :ivar at_seq: the last entry that they were computed from
    :ivar is_live: whether results that are not settled count as well; only settled standings feed a cut
    """

    stage: int
    group: int | None
    at_seq: int
    is_live: bool
    rounds: int
    tiebreaks: tuple[str, ...]
    standings: Standings


def of_stage(
    state: State, stage: Stage, *, live: reducer.Live | None = None, through: int | None = None
) -> list[Table]:
    """Return the standings of a stage, one table a group; of an elimination those of its games, by points."""
    groups: Sequence[int | None] = [None] if len(stage.groups) == 1 else range(len(stage.groups))
    codes = tiebreaks_of(stage)
    made = []
    for group in groups:
        field = engines.field_of(state, stage, group=group, live=live, through=through)
        if stage.system == "round_robin":
            field = round_robin.counted(field, double=stage.settings.format == "double_round_robin")
        told = standings.standings(field, stage.settings.ruleset, codes)
        made.append(Table(stage.number, group, state.seq, live is not None, field.rounds, tuple(codes), told))
    return made


def tiebreaks_of(stage: Stage) -> list[str]:
    """Return the order of tie-breaks of a stage."""
    if stage.settings.tiebreaks is not None:
        return list(stage.settings.tiebreaks)
    return list(RULESETS[stage.settings.ruleset].default(stage.system))


def places(state: State, stage: Stage) -> list[dict[str, str | int]]:
    """Return the settled places of a stage, first place first; who shares a place has the same number.

    Disqualified entrants are not among them.
    """
    if stage.system == "elimination":
        out = {person for person in stage.entrants if state.entries[person].disqualified}
        return [
            {"person": one.entrant, "place": one.rank} for one in engines.bracket_of(state, stage).places(without=out)
        ]
    told = of_stage(state, stage)
    if len(told) == 1:
        return [{"person": row.entrant, "place": row.rank} for row in told[0].standings.rows]
    rows: list[dict[str, str | int]] = [
        {"person": row.entrant, "place": row.rank, "group": number}
        for number, one in enumerate(told)
        for row in one.standings.rows
    ]
    return sorted(rows, key=lambda row: (row["place"], row["group"]))


def cut(state: State, stage: Stage) -> list[str]:
    """Return who goes on by the settled standings, in the order of their seeds: the first of all groups, then the second …

    :raises ValidationError: if those at the cut share a place: the organizer says who goes on
    """
    wanted = stage.settings.cut
    if wanted is None or stage.number + 1 >= len(state.stages):
        return []
    rows = places(state, stage)
    out = {person for person, at in stage.dropped.items() if at <= (stage.last.number if stage.last else 0) + 1}
    lines: dict[int, list[tuple[int, str]]] = {}
    for row in rows:
        if row["person"] not in out:
            lines.setdefault(int(row.get("group", 0)), []).append((int(row["place"]), str(row["person"])))
    going: list[list[str]] = []
    for group in sorted(lines):
        line = lines[group]
        if len(line) > wanted and line[wanted - 1][0] == line[wanted][0]:
            raise ValidationError(
                _("Place %(place)s is shared across the cut after %(n)s. Play it off, or say on this page who goes on.")
                % {"place": line[wanted][0], "n": wanted}
            )
        going.append([person for _place, person in line[:wanted]])
    return [line[at] for at in range(wanted) for line in going if at < len(line)]


def placements(state: State) -> list[dict[str, str | int]]:
    """Return the final placements of a tournament: those of its last stage, then those who were cut, by the stages before."""
    rows: list[dict[str, str | int]] = []
    seen: set[str] = set()
    for stage in reversed(state.stages):
        if not stage.is_closed:
            continue
        shift = len(seen)
        rest = [row for row in stage.places if row["person"] not in seen]
        for row in rest:
            # Among those who are left the places close up; who shared one still shares it.
            place = shift + 1 + sum(int(other["place"]) < int(row["place"]) for other in rest)
            rows.append({"person": str(row["person"]), "place": place})
        seen |= {str(row["person"]) for row in stage.places}
    return rows


def amended(state: State, stage: Stage) -> list[tuple[str, int, int]]:
    """Return whose place of a closed stage is another by now, because a result was corrected later: person, old, new."""
    if not stage.is_closed:
        return []
    now = {str(row["person"]): int(row["place"]) for row in places(state, stage)}
    return [
        (str(row["person"]), int(row["place"]), now[str(row["person"])])
        for row in stage.places
        if str(row["person"]) in now and now[str(row["person"])] != row["place"]
    ]


class Move(Struct, frozen=True):
    """Who stands elsewhere after a change: place and points before and after."""

    person: str
    place: int
    was_place: int
    points: str
    was_points: str


def moves(before: State, after: State) -> list[Move]:
    """Return whose place or points of the present stage differ between two states, in the order of the later one."""
    stage, earlier = after.latest, before.latest
    if stage is None or earlier is None or stage.number != earlier.number or stage.system == "elimination":
        return []
    was = {row.entrant: row for one in of_stage(before, earlier) for row in one.standings.rows}
    found = []
    for one in of_stage(after, stage):
        for row in one.standings.rows:
            old = was.get(row.entrant)
            if old is not None and (old.rank, old.points) != (row.rank, row.points):
                found.append(Move(row.entrant, row.rank, old.rank, str(row.points), str(old.points)))
    return found
